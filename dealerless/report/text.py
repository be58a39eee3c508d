"""Reports for people: the view model as lines of text that any terminal, pipe or screen reader can take.

Seats are named by number and key fingerprint first; the name, which its player chose, comes after them, escaped.
The whole key stands once, where the seats are listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..protocol.state import HandRecord
from .cards import hand_text, worth
from .course import course
from .escape import marked, printable
from .naming import leading, naming, showing
from .parts import Street
from .provenance import Opened, origin
from .steps import Absence, Step
from .undealt import undealt_lines
from .view import (
    HEADINGS,
    MatchView,
    difference,
    ended_early,
    instant,
    listed,
    post_lines,
    pot_lines,
    settlements,
    stacks_when,
    term,
    times,
    winner,
    won_by,
)

_COLUMN: Final = 11
_WIDTH: Final = 80


def verdict_lines(seen: MatchView, label: str) -> Iterator[str]:
    """Yield the verdict without its hands: the outcome first, then why, then who, then the chips.

    `label` says which transcript it is, and is already fit to print.
    """
    verdict = seen.verdict
    called = naming(verdict.game)
    heading, meaning = HEADINGS[seen.outcome]
    yield f"{heading}: {label}: {meaning}"
    for reason in seen.reasons:
        yield f"  {reason}"
    yield from _fault_lines(seen)
    if verdict.terms is not None:
        terms = [" ".join(term(name, value)) for name, value in verdict.terms.rules]
        yield from _wrapped("match", [str(verdict.game), called.hands(verdict.terms.hands), *terms])
        yield _row("cards", f"dealing {verdict.dealing}, suite {verdict.suite}")
        if verdict.terms.witnesses:
            yield _row("witnesses", times(verdict.terms, verdict.game))
    if verdict.session is not None:
        yield _row("session", verdict.session.hex())
    for seat in seen.seats:
        yield _row(f"seat {seat.seat}", f"fingerprint {seat.fingerprint} name {marked(seat.name)}")
        yield _row("", f"key {seat.key}")
    if verdict.net:
        yield _row(called.stacks, f"{_slashed(verdict.stacks)} {stacks_when(seen)}".rstrip())
        yield _row("net", _signed(verdict.net))
    if seen.complete:
        yield _row("won by", won_by(seen))
    early = ended_early(seen)
    if early:
        yield from _wrapped("ended", list(early))
    if verdict.left:
        yield _row("left", f"{listed(verdict.left)} between two {called.hand}s, with all {called.chips}")
    for forfeit in verdict.forfeits:
        where = f"in {called.hand} {forfeit.hand}" if forfeit.hand else f"between {called.hand}s"
        yield _row("forfeit", f"seat {forfeit.seat} loses {forfeit.amount} {where} [{forfeit.code}]")
    if verdict.pending is not None:
        yield _row("pot", f"{_slashed(verdict.pending.pot)} in the running {called.hand}, by seat")
        if verdict.pending.if_forfeit is not None and verdict.owes is not None:
            stacks = _slashed(verdict.pending.if_forfeit)
            yield _row("if", f"seat {verdict.owes.seat} forfeits, and only then, {called.stacks} are {stacks}")
    if verdict.settling:
        yield _row("signed", settlements(verdict))
    if verdict.frames and verdict.head is not None:
        yield _row("head", f"{verdict.head.hex()} after {verdict.frames} messages")


def hand_lines(hand: HandRecord) -> Iterator[str]:
    """Yield one hand: its board, each move with stacks and pot after it, what was shown, and who won."""
    told = course(hand)
    called = naming(hand.game.name)
    if told.streets[0].name:
        started = f"{called.button} seat {leading(hand)}, {called.stacks} {_slashed(hand.before)}"
        yield _row(f"{called.hand} {hand.number}", started)
        for line in undealt_lines(hand, told.dealt):
            yield _row("", line)
        for street in told.streets:
            yield from _street_lines(street, hand)
        yield from _paid_lines(hand)
        return
    board = "".join([card or "?" for card in hand.board])
    board = "not dealt" if board.strip("?") == "" else board
    common = f"common {board}, " if hand.board else ""
    yield _row(f"hand {hand.number}", f"{common}button seat {hand.button}")
    for action in hand.actions:
        move = f"{action.move} {action.amount}" if action.amount else action.move
        yield _row("", f"seat {action.seat} {move:<12} stacks {_slashed(action.stacks)} pot {action.pot}")
    yield from outcome_lines(hand)


def outcome_lines(hand: HandRecord) -> Iterator[str]:
    """Yield how a hand ended: what was shown, and who won what."""
    for seat, _ in hand.shown:
        cards = hand.hole[seat]
        shows = showing(hand.game)
        yield _row("", f"seat {seat} {shows} {'?' if cards is None else hand_text(cards)}{_worth(hand, seat)}")
    yield from _paid_lines(hand)


def _street_lines(street: Street, hand: HandRecord) -> Iterator[str]:
    """Yield a street: the cards that open it, then what happened in it, each move with its seat's stack and the pot.

    So are chips that come back, since a fold that ends the hand brings them to another seat.
    """
    label = street.name
    if len(label) >= _COLUMN:
        yield label
        label = ""
    if street.cards:
        cards, stacks = f"{hand_text(street.cards):<16} pot {street.pot}", f"stacks {_slashed(street.stacks)}"
        beside = f"{cards}, {stacks}"
        fits = len(beside) <= _WIDTH - _COLUMN
        yield _row(label, beside if fits else cards)
        if not fits:
            yield _row("", stacks)
        label = ""
    for line in post_lines(street.entries):
        yield _row("", line)
    for entry in street.entries:
        if entry.kind == "post":
            continue
        text = entry.text if entry.seat is None else f"seat {entry.seat} {entry.text}"
        if entry.kind in ("move", "return") and entry.seat is not None:
            text = f"{text:<34} {naming(hand.game.name).stack} {entry.stacks[entry.seat]}, pot {entry.pot}"
        elif entry.kind == "show" and entry.seat is not None:
            text += _worth(hand, entry.seat)
        yield _row(label, text)
        label = ""


def _paid_lines(hand: HandRecord) -> Iterator[str]:
    for line in pot_lines(hand):
        yield _row("", line)
    told = f"{winner(hand)}{'' if hand.result == 'running' else ': '}"
    changes = "" if hand.result == "running" else _signed(hand.changes)
    if _COLUMN + len(told) + len(changes) <= _WIDTH:
        yield _row("", f"{told}{changes}")
    else:
        yield _row("", told.removesuffix(": "))
        yield _row("", changes)


def _worth(hand: HandRecord, seat: int) -> str:
    best = dict(hand.shown)[seat]
    return "" if best is None else f"  {worth(hand.game.name, best)}"


def step_lines(one: Step, *, explain: bool, reason: str | None = None) -> Iterator[str]:
    """Yield one message of a transcript: who says what, why it is good or refused, and what it led to.

    `reason` is why its author decided so, as the author's own notes have it. With `explain`, each digest behind it and
    the shell command that redoes it, and how its cards came to be open.
    """
    yield f"{one.seq:>4}  seat {one.seat} {one.claim}"
    for seat, (fingerprint, name) in enumerate(one.players):
        yield f"{'':6}  seat {seat}: fingerprint {fingerprint} name {marked(name)}"
    for value in one.values:
        yield f"{'':6}  {value.what} {value.digits}"
    for absence in one.absent:
        yield from _absence_lines(absence)
    if one.refusal is None:
        yield f"{'':6}  good: {one.check} [{one.clause}]"
    else:
        refusal = one.refusal
        yield f"{'':6}  REFUSED: {refusal.text}{difference(refusal.code, refusal.expected, refusal.actual)}"
        yield f"{'':6}  [{refusal.code}, {refusal.clause}]: the fault of seat {one.seat}"
    if reason is not None:
        yield f"{'':6}  reason noted: {printable(reason)}"
    if one.result:
        yield f"{'':6}  then: {one.result}"
    if explain:
        for digest in one.digests:
            yield f"{'':6}  {digest.what}: {digest.digest}"
            yield f"{'':6}    {digest.command}"
        for cards in one.opened:
            yield from _opened_lines(cards)
    if one.finished is not None:
        yield f"{'':6}  {naming(one.finished.game.name).hand} {one.finished.number} is over"
        yield from outcome_lines(one.finished)


def _opened_lines(cards: Opened) -> Iterator[str]:
    what, *behind = origin(cards)
    yield f"{'':6}  {what}"
    for text in behind:
        yield f"{'':6}    {text}"


def _absence_lines(absence: Absence) -> Iterator[str]:
    """Yield what the witnesses of a silent seat say: from when its clock ran, how long it had, by how much it is over.

    VERDICT-6.
    """
    said = "witness says" if len(absence.words) == 1 else "witnesses say"
    yield f"{'':6}  seat {absence.seat} was silent, {len(absence.words)} {said} (the terms name {absence.witnesses}):"
    for word in absence.words:
        over = word.took - word.limit
        beyond = f"{over} ms more" if over >= 0 else f"{-over} ms less"
        yield f"{'':6}    witness {word.witness}: it owed from {instant(word.since)} on, for {word.took} ms, {beyond}"
        yield f"{'':6}    than the {word.limit} ms it had: a move and {word.bank} ms left of its bank"


def _fault_lines(seen: MatchView) -> Iterator[str]:
    fault = seen.fault
    if fault is None:
        return
    seat = seen.seats[fault.seat]
    yield f"  blame {fault.blame}: seat {seat.seat}, fingerprint {seat.fingerprint}, name {marked(seat.name)}"
    yield f"  code {fault.code}{difference(fault.code, fault.expected, fault.actual)}"


def _row(label: str, text: str) -> str:
    return f"{label:<{_COLUMN - 1}} {text}"


def _wrapped(label: str, items: list[str]) -> Iterator[str]:
    """Yield items with commas between them on as many lines as it takes, none of them cut."""
    line = ""
    for item in items:
        longer = f"{line} {item}," if line else f"{item},"
        if line and len(longer) > _WIDTH - _COLUMN:
            yield _row(label, line)
            label, longer = "", f"{item},"
        line = longer
    yield _row(label, line.removesuffix(","))


def _slashed(numbers: tuple[int, ...]) -> str:
    return "/".join([str(number) for number in numbers])


def _signed(numbers: tuple[int, ...]) -> str:
    return "/".join([f"{number:+d}" if number else "0" for number in numbers])
