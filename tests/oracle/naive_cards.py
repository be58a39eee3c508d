"""The ranking of DRAW-5 and HOLDEM-2 as it is said, and equity by trying everything: slow, and no code shared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

SUITS = "CDHS"
RANKS = "23456789TJQKA"

Key = tuple[int, list[int]]


def cards(text: str) -> list[int]:
    return [4 * RANKS.index(word[1]) + SUITS.index(word[0]) for word in text.split()]


def key(five: Sequence[int]) -> Key:
    """Ten classes from 0 to 9 and the ranks that decide within one: keys compare like hands."""
    ranks = sorted((card // 4 for card in five), reverse=True)
    groups = sorted(Counter(ranks).items(), key=lambda group: (group[1], group[0]), reverse=True)
    sizes = [size for _, size in groups]
    decide = [rank for rank, _ in groups]
    flush = len({card % 4 for card in five}) == 1
    wheel = ranks == [12, 3, 2, 1, 0]
    straight = wheel or ranks == list(range(ranks[0], ranks[0] - 5, -1))
    if straight:
        decide = [3] if wheel else ranks[:1]
        if flush:
            return (9 if decide == [12] else 8), decide
        return 4, decide
    if sizes == [4, 1]:
        return 7, decide
    if sizes == [3, 2]:
        return 6, decide
    if flush:
        return 5, decide
    return {3: 3, 2: 2 if sizes == [2, 2, 1] else 1, 1: 0}[sizes[0]], decide


def strongest(hand: Sequence[int]) -> Key:
    return max(key(five) for five in combinations(hand, 5))


def outcomes(
    first: Sequence[int], second: Sequence[int], board: Sequence[int], strength: Callable[[Sequence[int]], Any]
) -> tuple[int, int, int]:
    """Wins, ties and losses of the first over every way to complete the board; of two sevens `strength` is compared."""
    known = {*first, *second, *board}
    counts = [0, 0, 0]
    for rest in combinations([card for card in range(52) if card not in known], 5 - len(board)):
        one, two = (strength([*hole, *board, *rest]) for hole in (first, second))
        counts[(one <= two) + (one < two)] += 1
    return counts[0], counts[1], counts[2]
