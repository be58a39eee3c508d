"""Where the cards of a deck come from: every open card is told of once, with every seat's share and the proof of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dealerless.games import GAMES
from dealerless.protocol.events import Acted, DeckShuffled, Event, KeyPublished, Revealed, SharesPublished
from dealerless.referee import replay
from dealerless.report.checks import Tally
from dealerless.report.provenance import Opened, Provenance, origin
from dealerless.report.steps import Step, step
from tests.matches import Match, envelopes
from tests.report.deals import blind_all_in, hex_deck, three_seats

MATCHES: tuple[Callable[[], Match], ...] = (three_seats, blind_all_in, hex_deck)


def followed(match: Match) -> tuple[list[Step], list[Opened]]:
    steps: list[Step] = []
    provenance = Provenance()

    def on_frame(before: Any, admitted: Any, after: Any, refusal: Any) -> None:
        opened = provenance.on_frame(before, admitted, after, refusal)
        steps.append(step(before, admitted, after, refusal, opened))

    replay(match.transcript(), on_frame=on_frame)
    return steps, [opened for one in steps for opened in one.opened]


def purpose_of(event: Event) -> str:
    """What a proof in this message is bound to."""
    return "open" if isinstance(event, Revealed) else "release" if isinstance(event, Acted) else "share"


@pytest.mark.parametrize("play", MATCHES)
def test_every_open_card_is_explained_by_a_share_of_every_seat(play: Callable[[], Match]) -> None:
    """DECK-4 to DECK-6, DECK-9: each part is a message of that seat that carries shares, with the proof it names."""
    match = play()
    said = {envelope.header.seq: envelope for envelope in envelopes(match.frames)}
    (hand,) = replay(match.transcript()).hands
    steps, opened = followed(match)
    game = GAMES[hand.game.name]
    slots = [slot for cards in opened for slot in cards.slots]
    assert sorted(slots) == [slot for slot, card in enumerate(hand.hand.cards) if card is not None]
    assert len(slots) >= 5
    for cards in opened:
        assert cards.cards == tuple(game.card_text(hand.hand.cards[slot]) for slot in cards.slots)
        owners = [seat for seat in range(len(hand.before)) if set(cards.slots) & set(game.hole_slots(hand.hand, seat))]
        assert owners == ([] if cards.owner is None else [cards.owner])
        assert [part.seat for part in cards.parts] == list(range(len(hand.before)))
        for part in cards.parts:
            envelope = said[part.seq]
            event = envelope.event
            assert envelope.header.seat == part.seat
            assert isinstance(event, SharesPublished | Revealed | Acted)
            assert part.purpose == purpose_of(event)
            clause = {"open": "DECK-6", "release": "DECK-9"}.get(part.purpose)
            assert part.clause == clause or (clause is None and part.clause in ("DECK-4", "DECK-5", "DECK-9"))
            if cards.owner is not None:
                assert part.clause == ("DECK-6" if part.seat == cards.owner else "DECK-4")
        for made, kind in ((cards.keys, KeyPublished), (cards.shuffles, DeckShuffled)):
            assert [seat for seat, _ in made] == list(range(len(hand.before)))
            assert all(isinstance(said[seq].event, kind) and said[seq].header.seat == seat for seat, seq in made)
        # They became known with the message that completed them.
        (at,) = [one.seq for one in steps if cards in one.opened]
        assert at == max(part.seq for part in cards.parts)


def test_a_folder_and_a_blind_all_in_gave_theirs_away_before() -> None:
    """DECK-9: in the fold itself, and after the deal where the last chip went into a post."""
    _, opened = followed(three_seats())
    board = [cards for cards in opened if cards.owner is None]
    assert [cards.place for cards in board] == ["flop", "turn", "river"]
    for cards in board:
        assert [(part.seat, part.purpose, part.clause) for part in cards.parts] == [
            (0, "share", "DECK-5"),
            (1, "release", "DECK-9"),
            (2, "share", "DECK-5"),
        ]
    assert len({cards.parts[1].seq for cards in board}) == 1
    _, opened = followed(blind_all_in())
    clauses = {part.clause for cards in opened if cards.owner is None for part in cards.parts if part.seat == 2}
    assert clauses == {"DECK-9"}


def test_the_lines_name_all_of_it() -> None:
    _, opened = followed(three_seats())
    flop = next(cards for cards in opened if cards.place == "flop")
    first, *rest = origin(flop)
    assert first == f"flop {' '.join(flop.cards)} (slots 6, 7, 8 of deck 0), opened by the shares of"
    assert rest[:-1] == [
        f"seat {part.seat}: message {part.seq}, proof of purpose {part.purpose} [{part.clause}]" for part in flop.parts
    ]
    assert rest[-1] == "deck 0: keys in messages 7, 8, 9 [DECK-1], shuffles in messages 10, 11, 12 [DECK-3]"
    own = next(cards for cards in opened if cards.owner == 2)
    lines = origin(own)
    assert lines[-2].startswith("seat 2, their owner: message ")
    assert lines[-2].endswith(", proof of purpose open [DECK-6]")
    assert [line.split(":")[0] for line in lines[1:3]] == ["seat 0", "seat 1"]


def test_each_new_kind_is_told() -> None:
    """DECK: who publishes, shuffles, shares, releases and shows, and of which cards."""
    steps, _ = followed(three_seats())
    told = {one.seq: one for one in steps}
    assert told[7].claim == "publishes its key of this hand's deck"
    assert [value.what for value in told[7].values] == ["key"]
    assert [value.what for value in told[9].values] == ["key", "joint key"]
    assert told[10].claim == "shuffles the deck of 52 cards, shuffle 1 of 3"
    assert told[12].result == "the deck is shuffled by all, and nobody knows where a card lies"
    assert told[13].claim == "gives 4 shares: cards of seats 1 and 2 (slots 0, 3, 1, 4)"
    assert (told[13].clause, told[15].result) == ("DECK-4", "every seat can see its own two cards, and no others")
    fold = next(one for one in steps if one.claim.startswith("FOLD"))
    assert fold.claim == "FOLD, and releases its shares: flop, turn and river (slots 6, 7, 8, 9, 10)"
    assert fold.check.endswith("a share for each card still to come, proven to be made with its author's key")
    assert fold.clause == "BET-1"
    flop = next(one for one in steps if "flop (slots" in one.claim and one.kind == "share")
    assert flop.claim == "gives 3 shares: flop (slots 6, 7, 8)"
    assert flop.clause == "DECK-5"
    opening = next(one for one in steps if one.result.startswith("flop "))
    assert opening.seq == flop.seq + 1
    shown = [one for one in steps if one.kind == "reveal"]
    assert [one.clause for one in shown] == ["DECK-6", "DECK-6"]
    assert all(one.claim.startswith("shows: gives 2 shares of its own: cards of seat ") for one in shown)
    assert all(one.result.startswith(f"seat {one.seat} has ") for one in shown)
    short = [one for one in followed(blind_all_in())[0] if one.kind == "share" and one.clause == "DECK-9"]
    assert [(one.seat, one.claim) for one in short] == [
        (2, "gives 5 shares: flop, turn and river (slots 6, 7, 8, 9, 10)")
    ]


@pytest.mark.parametrize("play", MATCHES)
def test_the_checks_count_keys_shuffles_and_shares(play: Callable[[], Match]) -> None:
    """DECK-1, DECK-3 to DECK-6, DECK-9: how many messages, and how many cards and shares their proofs are about."""
    match = play()
    tally = Tally()
    checks = tally.checks(replay(match.transcript(), on_frame=tally.on_frame))
    kinds = {(kind.kind, kind.clause): kind for kind in checks[6].kinds}
    events = [envelope.event for envelope in envelopes(match.frames)]
    cards = 160 if play is hex_deck else 52
    assert kinds["key", "DECK-1"].passed == kinds["shuffle", "DECK-3"].passed == len(match.keys)
    assert (kinds["shuffle", "DECK-3"].proven, kinds["shuffle", "DECK-3"].what) == (cards * len(match.keys), "card")
    shares = sum(len(event.shares) // 32 for event in events if isinstance(event, SharesPublished | Revealed))
    released = [len(event.released) // 32 - 2 for event in events if isinstance(event, Acted) and event.released]
    counted = [kind.proven for kind in kinds.values() if kind.what == "share" and kind.kind in ("share", "reveal")]
    assert sum(counted) == shares
    release = kinds.get(("act", "DECK-9"))
    assert (0 if release is None else release.passed, 0 if release is None else release.proven) == (
        len(released),
        sum(released),
    )
    assert len({kind.text for kind in kinds.values()}) == len(kinds)


def test_a_wrong_share_is_told_with_what_it_should_have_been() -> None:
    """DECK-4: refused by the clause that asks for it; nothing was opened, and the slots are those that were owed."""
    match = Match(three_seats().sessions[0].state.agreed.offer, "three")
    while match.state.owed is None or SharesPublished not in match.state.owed.kinds:
        match.turn()
    right = match.owed_event()
    assert isinstance(right, SharesPublished)
    seat = match.owing
    match.cheat(seat, match.forge(seat, SharesPublished(shares=right.shares[:32] * 4, proof=right.proof)))
    steps, opened = followed(match)
    refused = steps[-1].refusal
    assert refused is not None
    assert (refused.code, refused.clause, steps[-1].clause) == ("proof.shares", "DECK-4", "DECK-4")
    assert steps[-1].claim.startswith("gives 4 shares: cards of seats 1 and 2")
    assert opened == []
