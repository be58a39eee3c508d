"""Every betting of One Poker with few lives, counted three times: by the game, by a naive reading of the clauses, and
by a recursion over what each has left (ONE-7, ONE-8)."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import cache

import pytest

from dealerless.games.game import Act, Move
from dealerless.games.onepoker import ONEPOKER
from dealerless.games.onepokerhand import OneHand
from tests.one import Table
from tests.oracle.naive_onepoker import NaiveOne

# lives, who has priority, and in how many ways the betting can go
BETTINGS = [
    ((1, 1), 0, 1),
    ((1, 9), 1, 1),
    ((2, 2), 0, 5),
    ((2, 2), 1, 5),
    ((2, 7), 0, 5),
    ((3, 3), 0, 21),
    ((3, 4), 1, 21),
    ((4, 4), 0, 85),
    ((4, 9), 0, 85),
    ((5, 5), 1, 341),
    ((6, 6), 0, 1365),
]


def by_game(hand: OneHand, line: str) -> Iterator[str]:
    due = hand.due
    if not isinstance(due, Act):
        yield line
        return
    for option in ONEPOKER.legal(hand):
        for amount in range(option.least, option.most + 1):
            after = ONEPOKER.apply(hand, due.seat, Move(name=option.name, amount=amount))
            yield from by_game(after, f"{line} {due.seat}{option.name}{amount}")


def by_clauses(naive: NaiveOne, line: str) -> Iterator[str]:
    seat = naive.actor()
    if seat is None:
        yield line
        return
    for name, amount in sorted(naive.options()):
        after = deepcopy(naive)
        after.do(name, amount)
        yield from by_clauses(after, f"{line} {seat}{name}{amount}")


@cache
def ways(mine: int, other: int, owed: int = 0, checked: bool = False) -> int:
    """How often the betting can go on from here: `mine` are the lives of who is to act, behind what it owes."""
    lifts = sum([ways(other, mine - owed - n, n) for n in range(1, min(mine - owed, other) + 1)])
    if owed:
        # A fold is one way; a call ends it if somebody has nothing left, else the other is to act.
        return 1 + (1 if 0 in (mine - owed, other) else ways(other, mine - owed)) + lifts
    if 0 in (mine, other):
        return 1
    return (1 if checked else ways(other, mine, checked=True)) + lifts


@pytest.mark.parametrize(("lives", "priority", "count"), BETTINGS)
def test_the_same_lines(lives: tuple[int, int], priority: int, count: int) -> None:
    """ONE-7, ONE-8: none missing and none twice. Two lives each, by hand: both check, or a bet after none or one
    check, each called or folded to: 1 + 2 * 2. With n lives behind on the poorer side there are (4^(n + 1) - 1) / 3."""
    table = Table(lives, priority).deal(("S2", "S3"), ("H2", "H3")).lay("S2", "H2")
    lines = list(by_game(table.hand, ""))
    naive = NaiveOne(list(lives), priority, list)
    assert sorted(lines) == sorted(by_clauses(naive, ""))
    first, second = lives[priority] - 1, lives[1 - priority] - 1
    assert len(lines) == len(set(lines)) == ways(first, second) == count
    assert 3 * count + 1 == 4 ** min(lives)
