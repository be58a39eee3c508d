"""One Poker's betting on the engine: amounts `by`, up to what the other can match (ONE-7, ONE-8)."""

from __future__ import annotations

import pytest

from dealerless.games.betting import Betting, open_round
from dealerless.games.structure import Structure
from tests.examples.lines import options, play, refused

ONE = Structure(unit=1, sizes="matched", amounts="by", closes="checks")


def opened(one: int, two: int, priority: int = 0) -> Betting:
    """The betting of a round after both put in one life."""
    return open_round(ONE, (one - 1, two - 1), (1, 1), (False, False), priority)


# lives before, priority, line, lives and pot, who is to act
LINES = [
    ((10, 10), 0, "", "9/9/2", "0: CHECK, BET 1..9"),
    ((10, 10), 0, "0k 1k", "9/9/2", "over"),
    ((10, 10), 0, "0k 1b2", "9/7/4", "0: CALL, RAISE 1..7, FOLD"),
    ((10, 10), 0, "0k 1b2 0c", "7/7/6", "1: CHECK, BET 1..7"),
    ((10, 10), 0, "0k 1b2 0c 1k 0k", "7/7/6", "over"),
    ((10, 10), 0, "0b3", "6/9/5", "1: CALL, RAISE 1..6, FOLD"),
    ((10, 10), 0, "0b3 1r2", "6/4/10", "0: CALL, RAISE 1..4, FOLD"),
    ((10, 10), 0, "0b3 1r2 0r4", "0/4/16", "1: CALL, FOLD"),
    ((10, 10), 0, "0b3 1r2 0r4 1c", "0/0/20", "over"),
    ((2, 10), 1, "", "1/9/2", "1: CHECK, BET 1"),
    ((2, 10), 1, "1b1", "1/8/3", "0: CALL, FOLD"),
    ((2, 10), 1, "1b1 0c", "0/8/4", "over"),
    ((1, 10), 0, "", "0/9/2", "over"),
    ((5, 12), 0, "0b2", "2/11/4", "1: CALL, RAISE 1..2, FOLD"),
    ((5, 12), 0, "0b2 1r1", "2/8/7", "0: CALL, RAISE 1, FOLD"),
    ((6, 6), 0, "0b5", "0/5/7", "1: CALL, FOLD"),
    ((6, 6), 0, "0b5 1f", "0/5/7", "over"),
]


@pytest.mark.parametrize(("lives", "priority", "line", "after", "next_"), LINES)
def test_line(lives: tuple[int, int], priority: int, line: str, after: str, next_: str) -> None:
    """ONE-7, ONE-8."""
    b = play(opened(*lives, priority), line)
    assert f"{b.stacks[0]}/{b.stacks[1]}/{sum(b.totals)}" == after
    assert options(b) == next_


@pytest.mark.parametrize(
    ("lives", "priority", "line", "text", "code"),
    [
        ((2, 10), 1, "", "1b2", "bet.wrong-amount"),
        ((5, 12), 0, "0b2", "1r3", "bet.wrong-amount"),
        ((6, 6), 0, "", "0b0", "bet.wrong-amount"),
        ((6, 6), 0, "", "0b6", "bet.over-stack"),
        ((6, 6), 0, "", "0b-1", "bet.wrong-amount"),
        ((6, 6), 0, "0b5", "1r1", "bet.over-stack"),
        ((6, 2), 0, "0b1 1c", "0b1", "turn.wrong-kind"),
        ((6, 6), 0, "", "1b1", "turn.not-yours"),
        ((6, 6), 0, "", "0a", "bet.not-a-move"),
    ],
)
def test_refusal(lives: tuple[int, int], priority: int, line: str, text: str, code: str) -> None:
    """ONE-7."""
    assert refused(play(opened(*lives, priority), line), text) == code
