"""Every sequence of moves of a Hold'em hand with tiny stacks, counted twice: by the game, and by a naive reading of the
betting clauses that shares nothing with it."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

import pytest

from dealerless.games.game import Act, Move
from dealerless.games.holdem import HOLDEM
from dealerless.games.holdemhand import HoldemHand
from tests.holdem import met, opened, terms
from tests.oracle.naive_holdem import Naive

# structure, stacks, small and big blind, ante, button: how many ways the hand can go
HANDS = [
    ("no-limit", (2, 2), 1, 2, 0, 0, 2),
    ("no-limit", (3, 3), 1, 2, 0, 0, 18),
    ("no-limit", (5, 4), 1, 2, 0, 1, 26),
    ("no-limit", (4, 4), 1, 1, 1, 0, 97),
    ("no-limit", (4, 4), 1, 1, 0, 0, 417),
    ("no-limit", (5, 5), 1, 1, 0, 1, 1_457),
    ("no-limit", (6, 6), 1, 2, 0, 0, 178),
    ("no-limit", (7, 7), 1, 3, 0, 0, 98),
    ("no-limit", (3, 3, 3), 1, 2, 0, 0, 82),
    ("no-limit", (3, 3, 3), 1, 1, 0, 0, 674),
    ("no-limit", (4, 1, 3), 1, 2, 0, 0, 18),
    ("no-limit", (4, 2, 4), 1, 2, 0, 1, 36),
    ("no-limit", (5, 4, 5), 1, 2, 0, 2, 296),
    ("no-limit", (7, 5, 6), 1, 2, 1, 0, 376),
    ("no-limit", (3, 2, 2, 3), 1, 2, 0, 3, 40),
    ("no-limit", (4, 1, 2, 5), 1, 2, 0, 3, 55),
    ("limit", (4, 4), 1, 2, 0, 0, 18),
    ("limit", (7, 6), 1, 2, 0, 1, 66),
    ("limit", (12, 12), 1, 2, 0, 0, 646),
    ("limit", (3, 5, 4), 1, 2, 0, 2, 122),
    ("limit", (3, 3, 4), 1, 2, 1, 0, 4),
    ("limit", (6, 6, 6), 1, 2, 0, 1, 524),
    ("limit", (5, 7, 6), 1, 3, 0, 1, 118),
    ("limit", (4, 5, 3, 5), 1, 2, 0, 1, 1_172),
]


def by_game(hand: HoldemHand, line: str) -> Iterator[str]:
    hand = met(hand)
    demand = HOLDEM.demand(hand)
    if not isinstance(demand, Act):
        yield line
        return
    for option in HOLDEM.legal(hand):
        for amount in range(option.least, option.most + 1):
            after = HOLDEM.apply(hand, demand.seat, Move(name=option.name, amount=amount))
            yield from by_game(after, f"{line} {demand.seat}{option.name}{amount}")


def by_clauses(naive: Naive, line: str) -> Iterator[str]:
    seat = naive.actor()
    if seat is None:
        yield line
        return
    for name, (least, most) in naive.options().items():
        for amount in range(least, most + 1):
            after = deepcopy(naive)
            after.do(name, amount)
            yield from by_clauses(after, f"{line} {seat}{name}{amount}")


@pytest.mark.parametrize(("structure", "stacks", "small", "big", "ante", "button", "count"), HANDS)
def test_the_same_lines(
    structure: str, stacks: tuple[int, ...], small: int, big: int, ante: int, button: int, count: int
) -> None:
    """BET-1 to BET-7, HOLDEM-3, HOLDEM-5, HOLDEM-6: none missing and none twice, over all streets."""
    agreed = terms(structure, small=small, big=big, ante=ante)
    lines = list(by_game(opened(agreed, stacks, button), ""))
    naive = Naive(list(stacks), button, small, big, ante, structure == "limit")
    assert sorted(lines) == sorted(by_clauses(naive, ""))
    assert len(lines) == len(set(lines)) == count
