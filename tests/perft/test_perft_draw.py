"""Every sequence of moves of a draw hand with tiny stacks, counted twice: by the game, and by a naive reading of the
betting clauses that shares nothing with it. Everybody keeps all cards."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

import pytest

from dealerless.games.draw import DRAW
from dealerless.games.drawhand import DrawHand
from dealerless.games.game import Act, Move
from tests.draw import kept_all, met, opened, terms
from tests.oracle.naive_draw import NaiveDraw

# ante, first and second amount, raises, stacks, button: how many ways the hand can go
HANDS = [
    (1, 1, 1, 3, (2, 2), 1, 9),
    (1, 1, 1, 3, (9, 9), 1, 161),
    (1, 2, 3, 1, (20, 20), 0, 49),
    (1, 1, 1, 0, (9, 9), 0, 17),
    (1, 2, 2, 3, (6, 9), 0, 49),
    (2, 3, 4, 3, (1, 9), 1, 1),
    (1, 2, 2, 1, (9, 9, 9), 2, 631),
    (1, 2, 2, 3, (4, 3, 6), 0, 69),
    (1, 3, 2, 2, (3, 5, 7), 1, 69),
    (5, 2, 2, 3, (3, 7, 9), 2, 9),
    (1, 1, 1, 1, (2, 3, 2, 3), 3, 177),
    (1, 2, 2, 2, (2, 4, 3, 5), 1, 229),
    (1, 2, 2, 0, (2, 5, 3, 4, 5), 4, 553),
    (1, 3, 3, 1, (2, 1, 3, 2, 3, 3), 0, 297),
]


def by_game(hand: DrawHand, line: str) -> Iterator[str]:
    hand = kept_all(met(hand))
    due = hand.due
    if not isinstance(due, Act):
        yield line
        return
    for option in DRAW.legal(hand):
        yield from by_game(
            DRAW.apply(hand, due.seat, Move(name=option.name, amount=0)), f"{line} {due.seat}{option.name}"
        )


def by_clauses(naive: NaiveDraw, line: str) -> Iterator[str]:
    while naive.queue:
        naive.exchange(())
    seat = naive.actor()
    if seat is None:
        yield line
        return
    for name in naive.options():
        after = deepcopy(naive)
        after.do(name)
        yield from by_clauses(after, f"{line} {seat}{name}")


@pytest.mark.parametrize(("ante", "first", "second", "raises", "stacks", "button", "count"), HANDS)
def test_the_same_lines(
    ante: int, first: int, second: int, raises: int, stacks: tuple[int, ...], button: int, count: int
) -> None:
    """BET-1 to BET-7, DRAW-3, DRAW-7: none missing and none twice, over both rounds. Worked out by hand: a round of
    two deep seats with three raises goes on in 9 ways and ends in a fold in 8, so a hand has 8 + 9 * 17 = 161."""
    agreed = terms(ante=ante, first=first, second=second, raises=raises)
    lines = list(by_game(opened(agreed, stacks, button), ""))
    naive = NaiveDraw(list(stacks), button, range(len(stacks)), ante, (first, second), raises)
    assert sorted(lines) == sorted(by_clauses(naive, ""))
    assert len(lines) == len(set(lines)) == count
