"""Reports for people: the view model as lines of text that any terminal, pipe or screen reader can take.

Seats are named by number and key fingerprint first; the name, which its player chose, comes after them, escaped.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..games.hex import HEX
from ..protocol.state import HandRecord
from ..referee import Outcome
from .escape import marked
from .steps import Step
from .view import (
    HEADINGS,
    MatchView,
    Plain,
    best_in_words,
    data_text,
    settlements,
    stacks_when,
    times,
    winner,
    won_by,
)

_COLUMN: Final = 11


def verdict_lines(seen: MatchView, label: str) -> Iterator[str]:
    """Yield the verdict without its hands: the outcome first, then why, then who, then the chips.

    `label` says which transcript it is, and is already fit to print.
    """
    verdict = seen.verdict
    heading, meaning = HEADINGS[seen.outcome]
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
            yield _row("witnesses", times(verdict.terms))
    if verdict.session is not None:
        yield _row("session", verdict.session.hex())
    for seat in seen.seats:
        yield _row(f"seat {seat.seat}", f"key {seat.fingerprint} name {marked(seat.name)}")
    if verdict.net:
        yield _row("stacks", f"{_slashed(verdict.stacks)} {stacks_when(seen)}".rstrip())
        yield _row("net", _signed(verdict.net))
    if seen.outcome is Outcome.CLEAN:
        yield _row("won by", won_by(seen))
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


def _fault_lines(seen: MatchView) -> Iterator[str]:
    fault = seen.fault
    if fault is None:
        return
    seat = seen.seats[fault.seat]
    yield f"  blame {fault.blame}: seat {seat.seat}, key {seat.fingerprint}, name {marked(seat.name)}"
    yield f"  code {fault.code}{_difference(fault.expected, fault.actual)}"


def _difference(expected: Plain, actual: Plain) -> str:
    wanted = "" if expected is None else f"; expected {data_text(expected)}"
    return wanted if actual is None else f"{wanted}; got {data_text(actual)}"


def _row(label: str, text: str) -> str:
    return f"{label:<{_COLUMN}}{text}"


def _slashed(numbers: tuple[int, ...]) -> str:
    return "/".join([str(number) for number in numbers])


def _signed(numbers: tuple[int, ...]) -> str:
    return "/".join([f"{number:+d}" if number else "0" for number in numbers])


def _term(value: bool | int | str) -> str:
    return marked(value)[1:-1] if isinstance(value, str) else str(value)
