"""Disputes over a shuffled deck: Hold'em with three seats before a witness, two copies of it, and evidence.

CHAIN-2, VERDICT-2a, VERDICT-4c, VERDICT-5 to VERDICT-7: a seat publishes two keys or two shuffles, or is silent while
it is to shuffle or to open the board.
"""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from dealerless.errors import Unattributed
from dealerless.protocol.events import Event, Expelled, Offered
from dealerless.protocol.records import ZERO_HASH
from dealerless.protocol.state import Phase
from dealerless.referee import Outcome, replay
from dealerless.referee.board import Board
from dealerless.referee.compare import Comparison, KeptBy, Relation, compare
from dealerless.referee.evidence import Form, check, find
from tests.matches import PLAYED, KeptSecrets, Match, holdem_offer, transcript
from tests.witness.boards import BANK, MOVE, START, WITNESSES

SEATS = 3
ALL = 1000 * (MOVE + BANK)
OPENING = 2 * SEATS


def offer(hands: int = 1) -> Offered:
    keys = (WITNESSES[0].public.key,)
    return replace(
        holdem_offer(seats=SEATS, hands=hands), witnesses=keys, threshold=1, move_seconds=MOVE, bank_seconds=BANK
    )


def until_it_signs(phase: Phase) -> Match:
    """A match in which seat 1 is to sign in this phase."""
    match = Match(offer()).until(phase)
    while match.owing != 1 or match.state.phase is not phase:
        match.turn()
    return match


def copy(match: Match) -> Match:
    """The same match once more, to be played on separately."""
    again = Match(offer())
    while len(again.frames) < len(match.frames):
        again.turn()
    assert again.frames == match.frames
    return again


def both(one: Match, other: Match) -> Comparison:
    """The comparison, the same whichever comes first; and evidence of what it decides, if it decides anything."""
    pair = (one.transcript(), other.transcript())
    found, mirror = compare(*pair, games=PLAYED), compare(*pair[::-1], games=PLAYED)
    assert (found.faults, found.verdict, found.void) == (mirror.faults, mirror.verdict, mirror.void)
    streams = (io.BytesIO(pair[0]), io.BytesIO(pair[1]))
    evidence = find(streams, games=PLAYED)
    assert (None if evidence is None else evidence.fault) == next(iter(found.faults), None)
    if evidence is not None:
        proven = check(b"".join(evidence.pieces(streams)), games=PLAYED).fault
        assert proven is not None
        assert (proven.seat, proven.seq, proven.code) == (
            evidence.fault.seat,
            evidence.fault.seq,
            evidence.fault.code,
        )
    return found


def board_of(match: Match) -> tuple[Board, int]:
    board, now = Board(WITNESSES[0], PLAYED), START
    for frame in match.frames:
        board.post(frame, now := now + 10)
    return board, now


def timed_out(match: Match) -> Event:
    """The expulsion of whoever owes, by the word of the match's own board."""
    board, now = board_of(match)
    assert board.no_show(now + ALL - 1000) is None
    absence = board.no_show(now + ALL)
    assert absence is not None
    assert absence.seat == match.owing
    return Expelled(seat=absence.seat, record=ZERO_HASH, absent=((absence.seat, (absence.word,)),))


def expel(match: Match) -> int:
    """Let the next seat expel the one that owes; return that one."""
    silent = match.owing
    match.say((silent + 1) % SEATS, timed_out(match))
    match.out.add(silent)
    return silent


@pytest.mark.parametrize("phase", [Phase.KEYING, Phase.SHUFFLING])
def test_two_keys_or_two_shuffles_on_one_previous_hash(phase: Phase) -> None:
    """CHAIN-2: both are sound by themselves; neither copy shows anything wrong, both together convict."""
    one = until_it_signs(phase)
    other = copy(one)
    other.sessions[1]._secrets = KeptSecrets("another deck")
    other.sessions[1]._secrets._drawn = 1000
    one.turn()
    other.turn()
    assert one.frames[-1] != other.frames[-1]
    assert [match.verdict().outcome for match in (one, other)] == [Outcome.INCOMPLETE] * 2
    found = both(one, other)
    assert (found.relation, found.kept_by) == (Relation.FORKED, KeptBy.HASH)
    assert [(fault.seat, fault.code) for fault in found.faults] == [(1, "chain.equivocation")]
    one.turn()
    found = both(one, other)
    assert (found.counts, found.kept_by) == (0, KeptBy.SIGNED)
    assert [(fault.seat, fault.code) for fault in found.faults] == [(1, "chain.equivocation")]
    # In one copy, as the proof that it is: seat 1 is expelled where it owes next, and the hand goes on without it.
    second = other.frames[-1]
    while one.owing != 1:
        one.turn()
    one.cheat(1, second)
    one.play()
    verdict = one.verdict()
    assert (verdict.outcome, verdict.damage) == (Outcome.FAULT, None)
    assert verdict.fault is not None
    assert (verdict.fault.seat, verdict.fault.code) == (1, "chain.equivocation")
    evidence = find((io.BytesIO(one.transcript()),), games=PLAYED)
    assert evidence is not None
    assert evidence.form is Form.EQUIVOCATION
    assert sum(verdict.stacks) == one.total


@pytest.mark.parametrize("phase", [Phase.KEYING, Phase.SHUFFLING, Phase.BOARD_OPENING, Phase.BETTING])
def test_a_seat_that_is_silent_over_the_deck(phase: Phase) -> None:
    """VERDICT-4c, VERDICT-6: it loses what it has in the pot; the others go on, with a new deck where one is needed."""
    match = until_it_signs(phase)
    assert expel(match) == 1
    # The board takes the expulsion, and what comes behind it.
    board, now = board_of(match.turn())
    assert board.state == match.state
    assert board.clock(now) is not None
    match.play()
    verdict = match.verdict()
    assert (verdict.outcome, verdict.damage) == (Outcome.FAULT, None)
    assert verdict.fault is not None
    assert (verdict.fault.seat, verdict.fault.code) == (1, "witness.no-show")
    assert sum(verdict.stacks) == match.total
    evidence = find((io.BytesIO(match.transcript()),), games=PLAYED)
    assert evidence is not None
    assert (evidence.form, evidence.fault) == (Form.WHOLE, verdict.fault)


@pytest.mark.parametrize("phase", [Phase.SHUFFLING, Phase.BOARD_OPENING])
def test_a_late_message_over_the_deck(phase: Phase) -> None:
    """VERDICT-2a, WITNESS-5: ignored until another seat builds on it; then nobody is to blame."""
    one = until_it_signs(phase)
    other = copy(one)
    assert expel(other) == 1
    one.turn()
    found = both(one, other)
    assert (found.counts, found.kept_by) == (1, KeptBy.EXPULSION)
    assert [(fault.seat, fault.code) for fault in found.faults] == [(1, "witness.no-show")]
    board, now = Board(WITNESSES[0], PLAYED), START
    for frame in one.frames[:-1]:
        board.post(frame, now := now + 10)
    absence = board.no_show(now + ALL)
    assert absence is not None
    board.note(absence)
    one.turn()
    late, built = one.frames[-2:]
    with pytest.raises(Unattributed, match=r"board\.late"):
        board.post(late, now + ALL + 1)
    assert [kept.receipt is None for kept in board.post(built, now + ALL + 2)] == [True, False]
    found = both(one, other)
    assert (found.counts, found.kept_by, found.void, found.faults) == (0, KeptBy.SIGNED, (1,), ())
    assert replay(transcript(*one.frames), games=PLAYED).outcome is Outcome.INCOMPLETE
