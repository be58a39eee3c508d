"""Reports for people: the view model as lines of text that any terminal, pipe or screen reader can take.

Seats are named by number and key fingerprint first; the name, which its player chose, comes after them, escaped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ..games.hex import HEX
from ..games.hexrules import words as hex_words
from ..protocol.state import HandRecord
from ..referee import Outcome
from ..referee.verdict import TermsRead
from .escape import marked
from .steps import Step
from .view import MatchView, Plain, settlements, winner

_HEADINGS: Final[Mapping[Outcome, tuple[str, str]]] = {
    Outcome.CLEAN: ("OK", "clean"),
    Outcome.FAULT: ("FAULT", "a rule was broken, and it is proven by whom"),
    Outcome.INCOMPLETE: ("INCOMPLETE", "nothing broken, not complete"),
    Outcome.UNREADABLE: ("UNREADABLE", "no match can be read from it"),
}
_COLUMN: Final = 11


def verdict_lines(seen: MatchView, label: str) -> Iterator[str]:
    """Yield the verdict without its hands: the outcome first, then why, then who, then the chips.

    `label` says which transcript it is, and is already fit to print.
    """
    verdict = seen.verdict
    heading, meaning = _HEADINGS[seen.outcome]
    yield f"{heading}: {label}: {meaning}"
    for reason in seen.reasons:
        yield f"  {reason}"
    yield from _fault_lines(seen)
    if verdict.terms is not None:
        terms = "".join([f", {name} {_term(value)}" for name, value in verdict.terms.rules])
        hands = verdict.terms.hands
        yield _row("match", f"{verdict.game}, {hands} hand{'' if hands == 1 else 's'}{terms}")
        yield _row("cards", f"dealing {verdict.dealing}, suite {verdict.suite}")
        if verdict.terms.witnesses:
            yield _row("witnesses", _times(verdict.terms))
    if verdict.session is not None:
        yield _row("session", verdict.session.hex())
    for seat in seen.seats:
        yield _row(f"seat {seat.seat}", f"key {seat.fingerprint} name {marked(seat.name)}")
    if verdict.net:
        yield _row("stacks", f"{_slashed(verdict.stacks)}{_when(seen)}")
        yield _row("net", _signed(verdict.net))
    if seen.outcome is Outcome.CLEAN:
        yield _row("won by", _winner(seen))
    for forfeit in verdict.forfeits:
        where = f"in hand {forfeit.hand}" if forfeit.hand else "between hands"
        yield _row("forfeit", f"seat {forfeit.seat} loses {forfeit.amount} {where} [{forfeit.code}]")
    if verdict.pending is not None:
        yield _row("pot", f"{_slashed(verdict.pending.pot)} in the running hand, by seat")
        if verdict.pending.if_forfeit is not None and verdict.owes is not None:
            stacks = _slashed(verdict.pending.if_forfeit)
            yield _row("if", f"seat {verdict.owes.seat} forfeits, and only then, stacks are {stacks}")
    if verdict.settling:
        yield _row("signed", settlements(verdict))
    if verdict.frames and verdict.head is not None:
        yield _row("head", f"{verdict.head.hex()} after {verdict.frames} messages")


def hand_lines(hand: HandRecord, game: str = HEX.name) -> Iterator[str]:
    """Yield one hand: its common cards, each move with stacks and pot after it, what was shown, and who won."""
    board = "".join([card or "?" for card in hand.board])
    board = "not dealt" if board.strip("?") == "" else board
    yield _row(f"hand {hand.number}", f"common {board}, button seat {hand.button}")
    for action in hand.actions:
        move = f"{action.move} {action.amount}" if action.amount else action.move
        yield _row("", f"seat {action.seat} {move:<12} stacks {_slashed(action.stacks)} pot {action.pot}")
    yield from outcome_lines(hand, game)


def outcome_lines(hand: HandRecord, game: str = HEX.name) -> Iterator[str]:
    """Yield how a hand ended: what was shown, and who won what."""
    for seat, best in hand.shown:
        cards = hand.hole[seat]
        worth = "" if best is None else f"  {best}  {best_in_words(game, best)}"
        yield _row("", f"seat {seat} shows {'?' if cards is None else ''.join(cards)}{worth}".rstrip())
    changes = "" if hand.result == "running" else f": {_signed(hand.changes)}"
    yield _row("", f"{winner(hand)}{changes}")


def step_lines(one: Step, *, explain: bool) -> Iterator[str]:
    """Yield one message of a transcript: who says what, why it is good or refused, and what it led to.

    With `explain`, each digest behind it and the shell command that redoes it.
    """
    yield f"{one.seq:>4}  seat {one.seat} {one.claim}"
    for seat, (fingerprint, name) in enumerate(one.players):
        yield f"{'':6}  seat {seat}: key {fingerprint} name {marked(name)}"
    if one.refusal is None:
        yield f"{'':6}  good: {one.check} [{one.clause}]"
    else:
        refusal = one.refusal
        yield f"{'':6}  REFUSED: {refusal.text}{_difference(refusal.expected, refusal.actual)}"
        yield f"{'':6}  [{refusal.code}, {refusal.clause}]: the fault of seat {one.seat}"
    if one.result:
        yield f"{'':6}  then: {one.result}"
    if explain:
        for digest in one.digests:
            yield f"{'':6}  {digest.what}: {digest.digest}"
            yield f"{'':6}    {digest.command}"
    if one.finished is not None:
        yield f"{'':6}  hand {one.finished.number} is over"
        yield from outcome_lines(one.finished)


def best_in_words(game: str, best: str) -> str:
    """Return what a report line of a shown hand means in this game; empty where nobody has written it down."""
    return hex_words(best) if game == HEX.name else ""


def _fault_lines(seen: MatchView) -> Iterator[str]:
    fault = seen.fault
    if fault is None:
        return
    seat = seen.seats[fault.seat]
    yield f"  blame {fault.blame}: seat {seat.seat}, key {seat.fingerprint}, name {marked(seat.name)}"
    yield f"  code {fault.code}{_difference(fault.expected, fault.actual)}"


def _difference(expected: Plain, actual: Plain) -> str:
    wanted = "" if expected is None else f"; expected {_data(expected)}"
    return wanted if actual is None else f"{wanted}; got {_data(actual)}"


def _when(seen: MatchView) -> str:
    verdict = seen.verdict
    if verdict.pending is not None:
        return " before the running hand"
    if seen.fault is not None and verdict.forfeits:
        return " with the forfeit"
    return ""


def _times(terms: TermsRead) -> str:
    """Return how many witnesses have to agree on a time-out, and what time a seat has. VERDICT-6."""
    agreed = f"{terms.threshold} of {len(terms.witnesses)} must agree"
    return f"{agreed}; {terms.move_seconds} s for a move, a bank of {terms.bank_seconds} s for a hand"


def _winner(seen: MatchView) -> str:
    """Return who has won a complete match: most net among those who stayed. HEX-13, TABLE-4."""
    net = seen.verdict.net
    staying = seen.verdict.settling
    if not staying:
        return "nobody"
    most = max([net[seat] for seat in staying])
    best = [seat for seat in staying if net[seat] == most]
    names = " and ".join([f"seat {seat}" for seat in best])
    return f"{names}, a tie at {most:+d}" if len(best) > 1 else f"{names} with {most:+d}"


def _row(label: str, text: str) -> str:
    return f"{label:<{_COLUMN}}{text}"


def _slashed(numbers: tuple[int, ...]) -> str:
    return "/".join([str(number) for number in numbers])


def _signed(numbers: tuple[int, ...]) -> str:
    return "/".join([f"{number:+d}" if number else "0" for number in numbers])


def _term(value: bool | int | str) -> str:
    return marked(value)[1:-1] if isinstance(value, str) else str(value)


def _data(value: Plain) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join([_data(item) for item in value]) + "]"
    return marked(value) if isinstance(value, str) and not value.isalnum() else str(value)
