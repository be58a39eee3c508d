"""A transcript step by step: what each message claims, which check made it good, and what it led to.

Built from what the referee hands over for each message, so it tells the same story as the verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from ..errors import CODES, DealerlessError
from ..games.game import Game, Hand, Light, Slots
from ..games.onepoker import ONEPOKER
from ..protocol.events import (
    Acted,
    ClassProven,
    DeckShuffled,
    Event,
    Expelled,
    HandStarted,
    KeyPublished,
    LotCommitted,
    LotOpened,
    Offered,
    SeedsCommitted,
    SharesPublished,
)
from ..protocol.machine import Admitted, judged_in
from ..protocol.shoedeal import ShoeDeal
from ..protocol.state import HandInPlay, HandRecord, Phase, State
from ..referee import fingerprint
from .cards import hand_text, worth
from .claims import claim_text, count_text, deck_of, slashed, stacks_called
from .digests import Digest, digests_of
from .onecourse import lamps_text
from .provenance import Opened, places, slots_text
from .reasons import check_of, clause_of
from .undealt import undealt_text
from .view import Plain, plain

# What every message has passed before its own check; told once, not with each.
COMMON_CHECKS: Final = (
    ("ENC-3", "it is a frame of a body and a signature, and names the hash of the message before it"),
    ("ENC-4", "it belongs to this protocol version and this match"),
    ("SIG-2", "its signature is valid under its seat's key"),
    ("ENC-2", "its bytes are the one canonical encoding of what they say"),
    ("CHAIN-1", "its seat owes a message of its kind now"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a message was refused: its signer's fault."""

    code: str
    clause: str
    text: str
    expected: Plain
    actual: Plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A value that a message states or leads to: of what it is, and its hex digits."""

    what: str
    digits: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A witness's word in an expulsion, times in milliseconds: the seat owed since `since` and was silent for `took`.

    It had `limit`, of which `bank` was left of its bank; `witness` is the witness's place in the offer.
    """

    witness: int
    since: int
    bank: int
    limit: int
    took: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """A seat that an expulsion puts out because its time ran out, by the words of how many of the `witnesses`."""

    seat: int
    words: tuple[Word, ...]
    witnesses: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One message. `claim` is what it says, with its `values` and `absent` seats; `check` what made it good, by clause
    `clause`; `result` is what it led to; `digests` are redoable; `opened` are cards of a deck that it made known.

    A refused message has a `refusal`; one that does not decode has no `kind`. `players` are those an offer
    seats, as (key fingerprint, name); `finished` is the hand that the message ended, if any.
    """

    seq: int
    seat: int
    kind: str | None
    claim: str
    clause: str
    check: str
    values: tuple[Value, ...]
    absent: tuple[Absence, ...]
    result: str
    record: str
    digests: tuple[Digest, ...]
    opened: tuple[Opened, ...]
    refusal: Refusal | None
    players: tuple[tuple[str, str], ...]
    finished: HandRecord | None


def step(
    before: State,
    admitted: Admitted,
    after: State | None,
    refusal: DealerlessError | None,
    opened: tuple[Opened, ...] = (),
) -> Step:
    """Return the step of one message from what the referee saw: the states around it, or why it was refused.

    `opened` is what `Provenance` says of the same message.
    """
    envelope = admitted.envelope
    event = None if envelope is None else envelope.event
    place = _place(before, admitted, after, event)
    ended = after is not None and after.finished is not before.finished
    return Step(
        seq=admitted.seq,
        seat=admitted.seat,
        kind=None if event is None else event.KIND,
        claim="says what cannot be read" if event is None else claim_text(place, admitted.seat, event),
        clause="" if event is None else clause_of(place, event),
        check="" if after is None or event is None else check_of(place, event),
        values=_values(before, after, event),
        absent=_absent(before, event),
        record=admitted.record.hex(),
        result="" if after is None or event is None else _result(before, after, event),
        digests=digests_of(before, admitted, after),
        opened=opened,
        refusal=None if refusal is None else _refusal(refusal),
        players=_players(event),
        finished=after.finished if after is not None and ended else None,
    )


def _place(before: State, admitted: Admitted, after: State | None, event: Event | None) -> State:
    """Return the state that a message is about."""
    if after is not None and event is not None:
        return judged_in(before, event)
    # A second message on an old previous hash is told by itself: what it was about then is not what is going on now.
    return before if admitted.seq == before.seq else before.evolve(play=None, phase=Phase.OVER)


def _players(event: Event | None) -> tuple[tuple[str, str], ...]:
    if not isinstance(event, Offered):
        return ()
    return tuple([(fingerprint(key), name) for key, name in event.players])


def _refusal(error: DealerlessError) -> Refusal:
    return Refusal(
        code=error.code,
        clause=error.clause,
        text=CODES[error.code].text,
        expected=plain(error.expected),
        actual=plain(error.actual),
    )


def _absent(before: State, event: Event | None) -> tuple[Absence, ...]:
    """Return what the witnesses say in an expulsion of seats whose time ran out. VERDICT-6."""
    if not isinstance(event, Expelled) or before.match is None:
        return ()
    offer = before.match.offer
    return tuple(
        [
            Absence(
                seat=seat,
                words=tuple(
                    [
                        Word(
                            witness=word.witness,
                            since=word.since,
                            bank=word.bank,
                            limit=1000 * offer.move_seconds + word.bank,
                            took=word.at - word.since,
                        )
                        for word in words
                    ]
                ),
                witnesses=len(offer.witnesses),
            )
            for seat, words in event.absent
        ]
    )


def _values(before: State, after: State | None, event: Event | None) -> tuple[Value, ...]:
    """Return what a message states that no sentence has room for, and a joint key that is complete with it."""
    if isinstance(event, SeedsCommitted):
        return (
            Value(what="layout commitment", digits=event.layout.hex()),
            Value(what="hole commitment", digits=event.hole.hex()),
        )
    if isinstance(event, LotCommitted):
        return (Value(what="lot commitment", digits=event.commitment.hex()),)
    if isinstance(event, KeyPublished):
        values = [Value(what="key", digits=event.key.hex())]
        deal = None if after is None or after.play is None else deck_of(after.play.deal)
        if deal is not None and deal.joint:
            values.append(Value(what="joint key", digits=deal.joint.hex()))
        return tuple(values)
    return ()


# --- what it led to ---------------------------------------------------------------------------------------------


def _result(before: State, after: State, event: Event) -> str:
    if isinstance(event, HandStarted) and after.play is not None:
        hand = after.play.hand
        told = [f"posted {slashed(hand.totals)}, {stacks_called(before)} {slashed(hand.stacks)}"]
        return "; ".join([*told, *_undealt(before, after.play)])
    if before.play is None:
        return ""
    told = []
    record = after.finished if after.play is None else None
    play = record if after.play is None else after.play
    if play is None:
        return ""
    if isinstance(event, Acted):
        told.append(f"{stacks_called(before)} {slashed(play.actions[-1].stacks)}, pot {play.actions[-1].pot}")
    told += _dealing(before, play.hand)
    told += _known(before.agreed.game, before.play.hand, play.hand, before.agreed.seats)
    told += _of_one_poker(before, play.hand, event)
    deal, deck = play.deal, deck_of(play.deal)
    if isinstance(event, DeckShuffled) and deck is not None and deck.shuffles == len(deck.seats):
        told.append("the deck is shuffled by all, and nobody knows where a card lies")
    if isinstance(event, SharesPublished) and deal.complete and not before.play.deal.complete:
        if isinstance(deal, ShoeDeal):
            return "; ".join([*told, "every seat can see what was dealt to it, and nothing else"])
        count = {2: "two", 5: "five"}[len(before.agreed.game.hole_slots(play.hand, play.hand.button))]
        told.append(f"every seat can see its own {count} cards, and no others")
    return "; ".join(told)


def _undealt(before: State, play: HandInPlay) -> list[str]:
    """Return who has chips, is still in the match, and is not dealt into the hand that begins. TABLE-2, DRAW-7."""
    game = before.agreed.game
    return [
        undealt_text(game, play.hand.terms, seat, stack)
        for seat, stack in enumerate(play.before)
        if stack and seat not in play.dealt and before.books.gone[seat] is None
    ]


def _of_one_poker(before: State, after: Any, event: Event) -> list[str]:
    """Return on whom the lot has fallen, or what the lamps of a seat say. LOT-1, ONE-4."""
    if isinstance(event, LotOpened) and after.priority is not None:
        return [f"the lot falls on seat {after.priority}"]
    demand = before.agreed.game.demand(before.running.hand)
    if isinstance(event, ClassProven) and isinstance(demand, Light):
        return [f"the lamps of seat {demand.seat} say {lamps_text(after.lamps[demand.seat])}"]
    return []


def _dealing(before: State, after: Any) -> list[str]:
    """Return which cards an exchange is to be dealt with, or that they are dealt. DECK-7."""
    old: Slots = getattr(before.running.hand, "discards", ())
    new: Slots = getattr(after, "discards", ())
    if new and not old:
        ((seat, slots),) = after.due.hands
        due, lost = ("is", "its") if len(slots) == 1 else ("are", "their")
        return [f"{slots_text(slots)} {due} to be dealt to seat {seat} in {lost} place"]
    seat = before.running.hand.exchanging[0] if old and not new else None
    if seat is None or after.held[seat] == before.running.hand.held[seat]:
        return []
    return [f"seat {seat} can see its {count_text(len(old), 'new card')}, and nobody else can"]


def _known(game: Game, before: Hand, after: Hand, seats: int) -> list[str]:
    """Return the cards that a message made known to all, and what a seat's own are worth."""
    told = []
    slots = [slot for slot, card in enumerate(after.cards) if card is not None and before.cards[slot] is None]
    board = [slot for slot in slots if slot in game.board_slots(after)]
    if board:
        told.append(f"{places(game, after, tuple(board), seats)} {_text(game, after, board)}")
    for seat in after.shown[len(before.shown) :]:
        hole = game.hole_slots(after, seat)
        best = game.best(after, tuple([card for slot in hole if (card := after.cards[slot]) is not None]))
        value = "" if best is None else f"  {worth(game.name, best)}"
        had = "laid" if game.name == ONEPOKER.name else "has"
        told.append(f"seat {seat} {had} {_text(game, after, hole)}{value}")
    return told


def _text(game: Game, hand: Hand, slots: Sequence[int]) -> str:
    return hand_text([game.card_text(card) for slot in slots if (card := hand.cards[slot]) is not None])
