"""Transcripts that go on after a fault: the expulsion, a wrong one, more faults, and what is unjudged (VERDICT-2)."""

from __future__ import annotations

from collections.abc import Callable

from dealerless.protocol.events import (
    Acted,
    Expelled,
    HandStarted,
    SeedsCommitted,
)
from dealerless.protocol.records import body_hash

from .entries import fault
from .scribe import Scribe, at_bet, fixed, raw


def _expelled() -> Scribe:
    return at_bet("expelled").wrong(0, Acted(move="CALL", amount=9)).expel()


def _expelled_out_of_turn() -> Scribe:
    """Seat 1 speaks out of turn while seat 0 owes a move: seat 0 expels it in place of that move."""
    return at_bet("out of turn").wrong(1, Acted(move="CHECK", amount=0)).expel()


def _expelled_between_hands() -> Scribe:
    scribe = Scribe("between hands", hands=2).due().play("BET FOLD").due(until=HandStarted)
    return scribe.wrong(1, Acted(move="CHECK", amount=0)).expel()


def _wrong_expulsion(seat: int, record: bytes | None) -> Callable[[], Scribe]:
    def write() -> Scribe:
        scribe = at_bet("expelled wrongly")
        body = scribe.body(0, Acted(move="CALL", amount=9))
        scribe.forge(0, body)
        return scribe.wrong(1, Expelled(seat=seat, record=body_hash(body) if record is None else record))

    return write


fault(
    "bet_wrong-amount-expelled",
    "bet.wrong-amount",
    "HEX-6",
    0,
    "A short call, its author's expulsion, and the settlement of the one who is left.",
    _expelled,
)
fault(
    "turn_not-yours-expelled",
    "turn.not-yours",
    "CHAIN-1",
    1,
    "A move out of turn, and its author's expulsion in place of the owed move.",
    _expelled_out_of_turn,
)
fault(
    "turn_wrong-kind-expelled",
    "turn.wrong-kind",
    "CHAIN-1",
    1,
    "An expulsion between hands: the match ends, no chip moves.",
    _expelled_between_hands,
)
fault(
    "encoding_unknown-kind-expelled",
    "encoding.unknown-kind",
    "ENC-2",
    0,
    "Nonsense in place of a commitment, and the expulsion: the ante is lost.",
    lambda: (s := Scribe("nonsense").due(until=SeedsCommitted)).forge(0, s.body(0, kind="nonsense")).expel(),
)
fault(
    "fault_then-wrong-expulsion",
    "bet.wrong-amount",
    "HEX-6",
    0,
    "The expulsion names another record: unjudged, the first fault stands.",
    _wrong_expulsion(0, fixed("another record")),
)
fault(
    "fault_then-wrong-expulsion-seat",
    "bet.wrong-amount",
    "HEX-6",
    0,
    "The expulsion names the wrong seat: unjudged, the first fault stands.",
    _wrong_expulsion(1, None),
)
fault(
    "fault_then-more",
    "bet.wrong-amount",
    "HEX-6",
    0,
    "The seat at fault corrects itself: too late, it is a second message on one previous hash.",
    lambda: at_bet("corrected").wrong(0, Acted(move="CALL", amount=9)).wrong(0, Acted(move="CALL", amount=10)),
)
fault(
    "fault_then-whoever-owed",
    "turn.not-yours",
    "CHAIN-1",
    1,
    "A seat speaks out of turn, and the one that owes goes on before it hears of it: the match ends all the same.",
    lambda: at_bet("crossed").wrong(1, Acted(move="CHECK", amount=0)).play("CALL CHECK CHECK").due(),
)
fault(
    "fault_then-another-expelled",
    "bet.wrong-amount",
    "HEX-6",
    0,
    "Two wrong calls at one place; the expulsion is of the second.",
    lambda: (
        at_bet("two wrong calls").wrong(0, Acted(move="CALL", amount=9)).wrong(0, Acted(move="CALL", amount=8)).expel()
    ),
)


def _first_of_two() -> Scribe:
    scribe = at_bet("first of two").wrong(0, Acted(move="CALL", amount=9))
    place = len(scribe.frames)
    second = scribe.wrong(0, Acted(move="CALL", amount=8)).frames.pop()
    scribe.expel().frames.insert(place, second)
    return scribe


fault(
    "fault_then-the-first-expelled",
    "bet.wrong-amount",
    "HEX-6",
    0,
    "Two wrong calls at one place; the expulsion is of the first.",
    _first_of_two,
)
fault(
    "fault_then-damage",
    "bet.wrong-amount",
    "HEX-6",
    0,
    "Junk after a fault is unjudged.",
    lambda: raw(at_bet("junk").wrong(0, Acted(move="CALL", amount=9)), b"junk"),
)
fault(
    "fault_then-truncated-settlement",
    "bet.wrong-amount",
    "HEX-6",
    0,
    "A fault, an expulsion, and the settlement cut short.",
    lambda: _expelled().bytes()[:-1],
)
