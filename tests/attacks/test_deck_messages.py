"""Every message of a hand from the deck, changed in one place and signed again: its author is convicted, nobody else.

One hand of three seats is recorded: keys, shuffles, the private deal, a fold with its release (DECK-9), three openings
of the board and a showdown. From the state before each message the changed one is judged, by the step that everybody
takes and by the referee.

Where each fault of deals like this one is tested; codes in brackets convict:

| fault | here, or in |
|---|---|
| K01 rogue key, K03 a key or proof of another seat or match [proof.key] | gallery: rogue-key, copied-key and more |
| K02 no proof, V06 lengths [encoding.wrong-length, proof.wrong-length, deck.wrong-size] | `test_lengths` |
| K04, D01 challenge without the statement | test_deck_forgeries |
| K05 identity, K06 no point, K08 scalar out of range [group.*] | `test_every_element` |
| K09 parameters chosen by a peer [terms.unknown-suite] | `test_there_is_one_group` |
| K10, V13 secrets used twice | `test_nothing_secret_comes_twice` |
| V01, V02 generators | test_deck_forgeries |
| V03, D02 context and statement hashed [proof.*] | `test_every_item_of_the_context`, test_deck_changes |
| V04, V05, V08 cards dropped, doubled, replaced, undone [proof.shuffle] | gallery: doubled-card, planted-ace, ... |
| V09 equal values in a proof | no matter for this argument |
| V10 no new mask | `test_no_ciphertext_is_left_as_it_was` |
| V12 one wrong in a batch | test_deck_changes |
| V14 exceptions in the verifier | all of these: nothing but the errors of the tree comes out |
| D04 early shares [turn.wrong-kind], D05 shares of what one is handed | gallery: early-shares; `test_nobody_asks` |
| D06 a share withheld [witness.no-show] | gallery: withheld-share; `test_whoever_is_silent_is_named` |
| D08 a card that is none or comes twice | `test_a_card_that_is_none_blames_nobody` |
| D09, D10 cards as points | test_deck_forgeries |
| D13 cards of who folded | `test_what_nobody_showed_stays_closed` |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import pytest

from dealerless.crypto.elgamal import unmask
from dealerless.crypto.group import IDENTITY, L, add
from dealerless.errors import DecodeError, Violation
from dealerless.games.holdem import HOLDEM
from dealerless.protocol.deckdeal import DECK, DeckDeal, card_points, ciphertexts_of
from dealerless.protocol.events import Acted, DeckShuffled, Event, KeyPublished, Revealed, SharesPublished
from dealerless.protocol.limits import MAX_RELEASED
from dealerless.protocol.machine import admit, advance, open_frame, refuse
from dealerless.protocol.state import Phase, State
from dealerless.referee import Outcome
from tests.deck import STRANGER
from tests.matches import KEYS, Match, body_at, envelopes, fixed, fold, holdem_offer, judged, named, signed

PROVEN = (KeyPublished, DeckShuffled, SharesPublished, Acted, Revealed)
# How many parts of a shuffle are changed here; each costs a verification. `make fuzz` changes all.
SAMPLE = 11


class Said(NamedTuple):
    """A message of the hand: its number, the state before it, its author, and what it says."""

    place: int
    before: State
    seat: int
    event: Event

    def signed(self, event: Event, state: State | None = None) -> bytes:
        """The frame by which its author says `event` in its place."""
        body = body_at(self.before if state is None else state, self.seat, event.KIND, event.fields())
        return signed(KEYS[self.seat], body)


@cache
def recorded(label: str = "deck messages") -> Match:
    """Seat 0 folds before the flop, the others check it down."""
    return Match(holdem_offer(label, seats=3), label).play(named("FOLD"))


@cache
def said(label: str = "deck messages") -> tuple[Said, ...]:
    """The messages that carry a proof."""
    frames = recorded(label).frames
    found = [
        Said(place, before, envelope.header.seat, envelope.event)
        for place, (before, envelope) in enumerate(zip(fold(frames), envelopes(frames), strict=False))
    ]
    return tuple([one for one in found if isinstance(one.event, PROVEN) and _fields(one.event)])


def _fields(event: Event) -> list[str]:
    """The fields that hold points and scalars."""
    if isinstance(event, Acted):
        return ["released"] if event.released else []
    return [name for name, _ in event.READERS]


def convicted(one: Said, event: Event, state: State | None = None) -> str:
    """The code with which the message is refused; that is its author's fault and nobody else's."""
    before = one.before if state is None else state
    admitted = admit(before, open_frame(one.signed(event, before)))
    assert admitted.seat == one.seat
    try:
        advance(before, admitted)
    except (Violation, DecodeError) as error:
        after = refuse(before, admitted, error)
        assert after.refused is not None
        assert after.refused.seat == one.seat
        return error.code
    raise AssertionError("the message was taken")


def scalars_of(event: Event, name: str, count: int) -> range:
    """Which of a field's elements are scalars."""
    if isinstance(event, DeckShuffled):
        cards = len(event.deck) // 64
        return range(2 * cards, count) if name == "proof" else range(0)
    if name in ("proof", "proofs"):
        return range(count)
    return range(count - 2, count) if name == "released" else range(0)


def changes(one: Said, wanted: Callable[[str, int, int], bool]) -> Iterator[tuple[str, Event, str]]:
    """The message with one of its elements replaced, and the family of the code that convicts."""
    for name in _fields(one.event):
        data: bytes = getattr(one.event, name)
        count = len(data) // 32
        for number in range(count):
            if not wanted(name, number, count):
                continue
            part = data[32 * number : 32 * number + 32]
            if number in scalars_of(one.event, name, count):
                scalar = int.from_bytes(part, "little")
                others = {
                    "one more": (((scalar + 1) % L).to_bytes(32, "little"), "proof."),
                    "zero": (bytes(32), "proof."),
                    "plus L": ((scalar + L).to_bytes(32, "little"), "group.bad-scalar"),
                }
            else:
                others = {
                    "another point": (STRANGER, "proof."),
                    "moved": (add(part, STRANGER), "proof."),
                    "identity": (IDENTITY, "group.identity"),
                    "no point": (part[:31] + bytes([part[31] | 128]), "group.not-a-point"),
                }
            for what, (other, code) in others.items():
                changed: dict[str, Any] = {name: data[: 32 * number] + other + data[32 * number + 32 :]}
                yield f"{name} {number} {what}", replace(one.event, **changed), code  # type: ignore[type-var]


def sampled(one: Said) -> Callable[[str, int, int], bool]:
    """All elements of a small message, of a shuffle the first, the last and a few between."""

    def wanted(name: str, number: int, count: int) -> bool:
        if not isinstance(one.event, DeckShuffled):
            return True
        step = count // (4 if name == "deck" else SAMPLE - 4)
        return (number + 7 * one.seat) % step == 0

    return wanted


def check_elements(one: Said, wanted: Callable[[str, int, int], bool]) -> int:
    """Change all wanted elements; return how many changes there were."""
    tried = 0
    wrong: list[str] = []
    for what, event, code in changes(one, wanted):
        tried += 1
        found = convicted(one, event)
        if not found.startswith(code):
            wrong.append(f"{what}: {found} instead of {code}")
    assert wrong == []
    return tried


KINDS = ["key"] * 3 + ["shuffle"] * 3 + ["share"] * 3 + ["act"] + ["share"] * 6 + ["reveal"] * 2
EACH = pytest.mark.parametrize("number", range(len(KINDS)), ids=[f"{n}-{kind}" for n, kind in enumerate(KINDS)])


def test_the_hand_has_all_kinds() -> None:
    assert [one.event.KIND for one in said()] == KINDS
    assert recorded().verdict().outcome is Outcome.CLEAN


@EACH
def test_every_element(number: int) -> None:
    """K05, K06, K08, D02, V14: each point and scalar, replaced by a good one, a bad one, and none."""
    one = said()[number]
    assert check_elements(one, sampled(one)) >= 10


@EACH
def test_the_referee_convicts_from_the_file_alone(number: int) -> None:
    """VERDICT-2: the right seat and code, without the secret of anybody; what stood before is as it was."""
    one = said()[number]
    frames = recorded().frames[: one.place]
    event = next(changes(one, lambda name, at, count: at == count - 1))[1]
    verdict = judged(*frames, one.signed(event))
    assert verdict.outcome is Outcome.FAULT
    assert verdict.fault is not None
    assert (verdict.fault.seat, verdict.fault.seq, verdict.fault.code) == (one.seat, one.place, convicted(one, event))
    assert verdict.fault.blame == "public"
    assert judged(*frames).fault is None


def moved(state: State, **changes: Any) -> State:
    """The state with its deck elsewhere: in another match or hand, or another deck of the hand."""
    play = state.running
    return state.evolve(play=play._replace(deal=play.deal._replace(**changes)))


@EACH
def test_every_item_of_the_context(number: int) -> None:
    """V03, K03: what was proven for one match, hand, deck, seat, purpose or place is not proven for another."""
    one = said()[number]
    code = {"key": "proof.key", "shuffle": "proof.shuffle", "reveal": "proof.opening"}.get(
        KINDS[number], "proof.shares"
    )
    deal: DeckDeal = one.before.running.deal
    assert convicted(one, one.event, moved(one.before, session=fixed("another match"))) == code
    assert convicted(one, one.event, moved(one.before, hand=deal.hand + 1)) == code
    assert convicted(one, one.event, moved(one.before, number=deal.number + 1)) == code
    assert convicted(one, one.event, moved(one.before, suite="another")) == code
    assert convicted(one, one.event, one.before.evolve(head=fixed("another message"))) == code
    for other in said():
        # The same kind by another seat, or by the same one for other cards.
        if other.event.KIND == one.event.KIND and other.place != one.place:
            assert convicted(one, other.event) in (code, "deck.wrong-size")
    # The same place in another match of the same seats.
    assert convicted(one, said("another match")[number].event) == code


def test_a_release_is_no_share_and_a_share_no_release() -> None:
    """The purpose is hashed: of the same slots under one key, each convicts in the other's place."""
    fold_, flop = said()[9], said()[10]
    assert isinstance(fold_.event, Acted)
    deal: DeckDeal = flop.before.running.deal
    slots = flop.before.running.hand.closed[:3]
    holder = recorded().sessions[flop.seat]._holder
    secrets = recorded().sessions[flop.seat]._secrets
    released = holder.release(deal, slots, flop.seat, flop.before.head, secrets)
    event = SharesPublished(shares=released[:-64], proof=released[-64:])
    assert isinstance(flop.event, SharesPublished)
    assert event.shares == flop.event.shares
    assert convicted(flop, event) == "proof.shares"


@EACH
def test_lengths(number: int) -> None:
    """V06, K02: one item less, one more, none, odd bytes; empty and doubled proofs."""
    one = said()[number]
    for name in _fields(one.event):
        data: bytes = getattr(one.event, name)
        item = 64 if name in ("deck", "proofs") else 32
        for other in (b"", data[:-item], data + data[:item], data[:-1], data + bytes(1), data + data):
            changed: dict[str, Any] = {name: other}
            found = convicted(one, replace(one.event, **changed))  # type: ignore[type-var]
            odd = len(other) % 32 != 0
            if odd or found == "encoding.wrong-length":
                assert found == "encoding.wrong-length"
            else:
                assert found in ("deck.wrong-size", "deck.wrong-release", "proof.wrong-length")


def test_a_fold_releases_exactly_what_is_due() -> None:
    """DECK-9: five slots among three; four, six, none, or the most that the kind may carry convict."""
    one = said()[9]
    assert isinstance(one.event, Acted)
    assert len(one.event.released) == 5 * 32 + 64
    for count in (0, 4, 6, MAX_RELEASED + 2):
        event = replace(one.event, released=(one.event.released * 3)[: 32 * count])
        assert convicted(one, event) == "deck.wrong-release"


def test_a_release_where_none_is_due() -> None:
    """DECK-9: with a call, a check, and the fold that ends a hand."""
    other = Match(holdem_offer("no release", seats=3), "no release").until(Phase.BETTING)
    released = said()[9].event
    assert isinstance(released, Acted)
    seat = other.owing
    assert convicted(Said(0, other.state, seat, Acted(move="CALL", amount=2)), replace(released, move="CALL")) in (
        "bet.wrong-amount",
        "deck.wrong-release",
    )
    call = Acted(move="CALL", amount=0, released=released.released)
    assert convicted(Said(0, other.state, seat, call), call) == "deck.wrong-release"


def test_there_is_one_group() -> None:
    """K09: an offer of another suite is refused before anybody signs a key; another session's key proves nothing."""
    for suite in ("p256-sha256", "sha256", "modp-2048"):
        offer = replace(holdem_offer("suite"), suite=suite)
        with pytest.raises(Violation, match="unknown-suite"):
            Match(offer, "suite")


def test_nothing_secret_comes_twice() -> None:
    """K10, V13, DECK-10: over two matches no key, share, commitment, or challenge is there twice."""
    seen: set[bytes] = set()
    for label in ("deck messages", "another match"):
        for one in said(label):
            for name in _fields(one.event):
                data: bytes = getattr(one.event, name)
                for at in range(0, len(data), 32):
                    part = data[at : at + 32]
                    assert part not in seen
                    seen.add(part)


def test_no_ciphertext_is_left_as_it_was() -> None:
    """V10: no half of any ciphertext of a deck stands in the one before it."""
    for one in said()[3:6]:
        deal: DeckDeal = one.before.running.deal
        assert isinstance(one.event, DeckShuffled)
        before = {half for pair in deal.deck for half in pair}
        after = {half for pair in ciphertexts_of(one.event.deck) for half in pair}
        assert before.isdisjoint(after)
        assert len(after) == 2 * 52


def test_nobody_asks() -> None:
    """D05: no message of the deck has a field that could hand somebody a ciphertext or name a slot."""
    for kind in PROVEN:
        names = {name for name, _ in kind.READERS}
        assert not names & {"slot", "slots", "ciphertext", "points", "request"}


@EACH
def test_whoever_is_silent_is_named(number: int) -> None:
    """D06, VERDICT-3: a file that ends before a key, shuffle, share or opening says who owes it, and blames nobody."""
    one = said()[number]
    verdict = judged(*recorded().frames[: one.place])
    assert (verdict.outcome, verdict.fault) == (Outcome.INCOMPLETE, None)
    assert verdict.owes is not None
    assert (verdict.owes.seat, verdict.owes.kinds) == (one.seat, (one.event.KIND,))
    assert verdict.pending is not None
    assert sum(verdict.pending.pot) == sum(one.before.running.hand.totals)


def test_a_card_that_is_none_blames_nobody() -> None:
    """D08, DECK-5: were a shuffle let through that doubles a card or plants none, opening it is our own mistake."""
    deal: DeckDeal = said()[-1].before.running.deal
    slot = said()[-1].before.running.hand.board[0]
    point = next(iter(card_points(HOLDEM)))
    a, b = deal.ciphertext(slot)
    planted = deal._replace(deck=tuple([(a, add(b, point)) if pair == (a, b) else pair for pair in deal.deck]))
    assert deal.card(slot) in range(52)
    with pytest.raises(RuntimeError, match="does not open to a card"):
        planted.card(slot)
    # One that is in the game and not in this deck any more, as after a fresh one.
    fewer = deal._replace(cards=tuple([card for card in deal.cards if card != deal.card(slot)]))
    with pytest.raises(RuntimeError, match="does not open to a card"):
        fewer.card(slot)
    # One that is open already: the deck has it once.
    assert deal.card(slot) in deal.opened
    with pytest.raises(RuntimeError, match="more often"):
        deal.open((slot,))


def test_what_nobody_showed_stays_closed() -> None:
    """D13: from all messages of a finished hand nobody can open the cards of the seat that folded."""
    match = recorded()
    record = match.state.finished
    assert record is not None
    assert record.hole[0] is None
    deal: DeckDeal = record.deal
    for slot in HOLDEM.hole_slots(record.hand, 0):
        assert sorted(deal.shares[slot]) == [1, 2]
        _, b = deal.ciphertext(slot)
        assert unmask(b, tuple(deal.shares[slot].values())) not in card_points(HOLDEM)
    for seat in (1, 2):
        for slot in HOLDEM.hole_slots(record.hand, seat):
            assert sorted(deal.shares[slot]) == [0, 1, 2]
    assert DECK.name == match.state.agreed.dealing.name
