"""Transcripts in which a seat's time runs out by the word of witnesses, and words that prove nothing (VERDICT-6)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dealerless.protocol.events import Acted, Expelled, HandStarted, LayoutOpened, SeedsCommitted, Settled
from dealerless.protocol.machine import open_frame
from dealerless.protocol.noshow import NoShow
from dealerless.protocol.records import ZERO_HASH, body_hash

from .entries import fault
from .scribe import BANK_SECONDS, MOVE_SECONDS, SINCE, STRANGER, Scribe, at_bet, fixed, raw

# --- a seat lets its time run out ---------------------------------------------------------------------------


def _two_of_three(label: str) -> Scribe:
    return Scribe(label, witnesses=3, threshold=2)


def _one(label: str) -> Scribe:
    return Scribe(label, witnesses=1, threshold=1)


def _timed_out(name: str, seat: int, about: str, write: Callable[[], Scribe]) -> None:
    fault(f"witness_no-show-{name}", "witness.no-show", "VERDICT-6", seat, about, write)


_timed_out(
    "hand",
    0,
    "Nobody begins the hand in time: its button is expelled between hands, and no chip moves.",
    lambda: _one("late hand").due(until=HandStarted).time_out(0),
)
_timed_out(
    "commit",
    0,
    "A commitment is not made in time: the ante is lost.",
    lambda: _one("late commitment").due(until=SeedsCommitted).time_out(0),
)
_timed_out(
    "layout",
    1,
    "A layout seed is not opened in time: the ante is lost, nobody deals anew.",
    lambda: (
        (s := _two_of_three("late layout").due(until=LayoutOpened))
        .say(0, LayoutOpened(seed=s.seed(0, "layout")))
        .time_out(0, 2)
    ),
)
_timed_out(
    "act",
    0,
    "A bet is not answered in time, as two of three witnesses say.",
    lambda: _two_of_three("late move").due().play("BET").time_out(1, 2),
)
_timed_out(
    "all-say",
    0,
    "All three witnesses say so where two would do.",
    lambda: _two_of_three("late for all").due().play("BET").time_out(0, 1, 2),
)
_timed_out(
    "show",
    1,
    "A hole seed is not opened in time: all that the seat has in the pot is lost.",
    lambda: _one("late show").due().play("BET CALL CHECK CHECK").time_out(0),
)
_timed_out(
    "second-hand",
    1,
    "The second hand is not begun in time: the first stands.",
    lambda: (
        Scribe("late second hand", hands=2, witnesses=1, threshold=1)
        .due()
        .play("BET FOLD")
        .due(until=HandStarted)
        .time_out(0)
    ),
)
_timed_out(
    "at-once",
    0,
    "The witness signs at the first millisecond at which it may: the bank was used up before.",
    lambda: (s := _one("at once").due().play("BET")).say(1, s.expulsion(s.no_show(bank=0))).due(),
)
_timed_out(
    "unexpected",
    0,
    "The expulsion stands; a message of the expelled seat behind it is a second fault.",
    lambda: _one("too late").due().play("BET").time_out(0).wrong(0, Acted(move="CALL", amount=10)),
)


# --- words that do not prove it: the fault of who signed the expulsion ----------------------------------------


def _unproven(name: str, code: str, about: str, words: Callable[[Scribe], list[NoShow]]) -> None:
    """Seat 0 owes an answer to a bet, two of three witnesses must agree, and seat 1 expels it on these words."""

    def write() -> Scribe:
        scribe = _two_of_three(name).due().play("BET")
        return scribe.wrong(1, scribe.expulsion(*words(scribe)))

    fault(name, code, "VERDICT-6", 1, about, write)


def _second(scribe: Scribe, **changes: Any) -> list[NoShow]:
    """A good word of the first witness and another one of the second."""
    return [scribe.no_show(0), scribe.no_show(1, **changes)]


_unproven("witness_too-few", "witness.too-few", "One word where two are needed.", lambda s: [s.no_show(0)])
_unproven(
    "witness_too-few-twice",
    "witness.too-few",
    "The same witness twice, at two times.",
    lambda s: [s.no_show(0), s.no_show(0, since=SINCE + 9)],
)
_unproven(
    "witness_too-few-twice-of-three",
    "witness.too-few",
    "Two witnesses, and one of them again: each may speak once.",
    lambda s: [s.no_show(0), s.no_show(1), s.no_show(0)],
)
_unproven(
    "witness_too-few-stranger",
    "witness.too-few",
    "A fourth witness, of whom the offer says nothing.",
    lambda s: [s.no_show(0), replace_place(s.no_show(2), 3)],
)
_unproven(
    "witness_too-soon",
    "witness.too-soon",
    "Signed a millisecond before move and bank had run out.",
    lambda s: _second(s, at=SINCE + 1 + 1000 * (MOVE_SECONDS + BANK_SECONDS) - 1),
)
_unproven(
    "witness_too-soon-before",
    "witness.too-soon",
    "Signed before the message that made the seat owe was posted.",
    lambda s: _second(s, at=SINCE - 1),
)
_unproven(
    "witness_too-soon-bank",
    "witness.too-soon",
    "A bank above the one of the terms: the witness does not keep them.",
    lambda s: _second(s, bank=1000 * BANK_SECONDS + 1),
)
_unproven(
    "witness_bad-receipt",
    "witness.bad-receipt",
    "The receipt makes the other seat owe.",
    lambda s: _second(s, owing=1),
)
_unproven(
    "witness_bad-receipt-number",
    "witness.bad-receipt",
    "The receipt is of another number.",
    lambda s: _second(s, cause=s.state.seq - 2),
)
_unproven(
    "witness_bad-receipt-record",
    "witness.bad-receipt",
    "The receipt is of another message.",
    lambda s: _second(s, record=fixed("another message")),
)
_unproven(
    "witness_bad-receipt-witness",
    "witness.bad-receipt",
    "The receipt is another witness's: each has a clock of its own.",
    lambda s: _second(s, since=SINCE, receipt=s.no_show(0).receipt),
)
_unproven(
    "witness_bad-no-show",
    "witness.bad-no-show",
    "A no-show that a stranger signed.",
    lambda s: [s.no_show(0), forged(s.no_show(1), s.no_show(1, key=STRANGER))],
)
_unproven(
    "witness_bad-no-show-number",
    "witness.bad-no-show",
    "A no-show for another number, played again.",
    lambda s: _second(s, seq=s.state.seq - 2),
)
_unproven(
    "witness_bad-no-show-head",
    "witness.bad-no-show",
    "A no-show on another branch.",
    lambda s: _second(s, head=fixed("another branch")),
)
_unproven(
    "witness_bad-no-show-time",
    "witness.bad-no-show",
    "A no-show whose time was changed.",
    lambda s: [s.no_show(0), s.no_show(1)._replace(at=SINCE + 10_000_000)],
)
_unproven(
    "witness_bad-no-show-other-seat",
    "witness.bad-no-show",
    "A no-show signed for the other seat.",
    lambda s: [s.no_show(0), forged(s.no_show(1), s.no_show(1, seat=1))],
)


def replace_place(word: NoShow, place: int) -> NoShow:
    return word._replace(witness=place)


def forged(word: NoShow, other: NoShow) -> NoShow:
    """A word with the signature of another one."""
    return word._replace(signature=other.signature)


fault(
    "witness_too-few-none",
    "witness.too-few",
    "VERDICT-6",
    1,
    "A no-show in a match without witnesses.",
    lambda: (s := at_bet("no witnesses")).wrong(1, s.expulsion(s.no_show())),
)


# --- expulsions that are nobody's to make -------------------------------------------------------------------


def _wrong(name: str, seat: int, about: str, event: Callable[[Scribe], Expelled]) -> None:
    def write() -> Scribe:
        scribe = _one(name).due().play("BET")
        return scribe.wrong(seat, event(scribe))

    fault(name, "chain.wrong-expulsion", "CHAIN-5", seat, about, write)


_wrong(
    "chain_wrong-expulsion-no-word",
    1,
    "The seat that owes is expelled on nobody's word.",
    lambda s: Expelled(seat=0, record=ZERO_HASH),
)
_wrong(
    "chain_wrong-expulsion-not-owing",
    0,
    "A seat that owes nothing is expelled.",
    lambda s: Expelled(seat=1, record=ZERO_HASH, absent=((1, (s.no_show(seat=1),)),)),
)
_wrong(
    "chain_wrong-expulsion-record",
    1,
    "An expulsion on a witness's word that names a record besides.",
    lambda s: replace(s.expulsion(s.no_show()), record=s.state.head),
)
_wrong(
    "chain_wrong-expulsion-all",
    1,
    "Both seats are said to be absent.",
    lambda s: Expelled(seat=0, record=ZERO_HASH, absent=((0, (s.no_show(),)), (1, (s.no_show(seat=1),)))),
)
fault(
    "chain_wrong-expulsion-settling",
    "chain.wrong-expulsion",
    "CHAIN-5",
    1,
    "A settlement is not signed in time: nobody is expelled any more.",
    lambda: (s := _one("late settlement").due().play("BET FOLD").due(until=Settled)).wrong(1, s.expulsion(s.no_show())),
)
fault(
    "turn_not-yours-own-expulsion",
    "turn.not-yours",
    "CHAIN-1",
    0,
    "The absent seat signs its own expulsion.",
    lambda: (s := _one("own expulsion").due().play("BET")).wrong(0, s.expulsion(s.no_show())),
)


def _fault_then_no_show() -> Scribe:
    scribe = _one("fault then no show").due().play("BET")
    body = scribe.body(0, Acted(move="CALL", amount=9))
    scribe.forge(0, body)
    word = scribe.no_show(seat=1, record=body_hash(body), cause=scribe.state.seq)
    return scribe.wrong(0, Expelled(seat=0, record=body_hash(body), absent=((1, (word,)),)))


fault(
    "fault_then-no-show",
    "bet.wrong-amount",
    "HEX-6",
    0,
    "After a refused message the only seat left to expel its author is said to be absent: unjudged.",
    _fault_then_no_show,
)


# --- equivocation of a seat that owes nothing ---------------------------------------------------------------


def _equivocation_early() -> Scribe:
    """Seat 1 bets; its second message on the same previous hash turns up while seat 0 owes the answer."""
    scribe = Scribe("equivocation early").due()
    other = scribe.body(1, Acted(move="CHECK", amount=0))
    return scribe.play("BET").forge(1, other)


fault(
    "chain_equivocation-not-owing",
    "chain.equivocation",
    "CHAIN-2",
    1,
    "A second message while the other seat owes one: it convicts, and its author forfeits the running hand.",
    _equivocation_early,
)
fault(
    "chain_equivocation-not-owing-then-more",
    "chain.equivocation",
    "CHAIN-2",
    1,
    "The same, and the answer behind it: unjudged, for the proof has its place right before the expulsion.",
    lambda: _equivocation_early().wrong(0, Acted(move="CALL", amount=10)),
)
fault(
    "chain_equivocation-not-owing-then-expelled",
    "chain.equivocation",
    "CHAIN-2",
    1,
    "The same, and an expulsion before its author owes a message: unjudged.",
    lambda: (s := _equivocation_early()).wrong(0, Expelled(seat=1, record=open_frame(s.frames[-1]).record)),
)
fault(
    "chain_equivocation-not-owing-then-damage",
    "chain.equivocation",
    "CHAIN-2",
    1,
    "The same, and junk behind it.",
    lambda: raw(_equivocation_early(), b"junk"),
)
