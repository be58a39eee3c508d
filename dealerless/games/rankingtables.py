"""Tables for the strengths of many hands of five to seven cards at once.

Apart from flushes a strength depends only on how often each rank occurs. The multisets of k ranks are numbered, and a
hand is followed card by card from the number of one multiset to that of the next larger. Multisets with more than four
of a rank have numbers too, which keeps the numbers binomial coefficients; no hand leads to them.

A flush depends on the set of ranks in its suit alone: 2^13 entries, 0 for fewer than five ranks. With five cards of a
suit a hand of seven holds neither four equal nor a full house, so the stronger of the two look-ups counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb
from typing import Final

import numpy as np
import numpy.typing as npt

from dealerless.games.ranking import strength

Indices = npt.NDArray[np.intp]
Strengths = npt.NDArray[np.uint16]

RANK_SETS: Final = 1 << 13
"""The number of sets of ranks; in one, bit r stands for rank r."""

SUIT_BITS: Final = np.array([1 << (16 * (card & 3) + (card >> 2)) for card in range(52)], np.uint64)
"""By card: one bit; the 16 bits of a suit hold the set of its ranks, and four of them make 64."""

# Hands looked up at a time, so that what is computed on the way stays in the second-level cache.
_BLOCK: Final = 1 << 14


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankingTables:
    """What `strengths` looks up.

    `rows[k]` has the multisets of k ranks, one a row from high to low, at their numbers; `adding[k][number, rank]` is
    the number of a multiset of k with one rank more. `unsuited[k][number]` is the strength of k = 5, 6 or 7 cards of
    these ranks without a flush, `flushes[set of ranks]` that of cards of these ranks in one suit, 0 for less than five.
    """

    rows: dict[int, npt.NDArray[np.int8]]
    adding: dict[int, Indices]
    unsuited: dict[int, Strengths]
    flushes: Strengths

    def numbers(self, ranks: npt.NDArray[np.integer]) -> Indices:
        """Return the number of the multiset in each row of `ranks`, an (n, k) array of 0..12."""
        number = np.zeros(len(ranks), np.intp)
        for size, column in enumerate(ranks.T):
            number = self.adding[size][number, column]
        return number


def strengths(cards: npt.NDArray[np.uint8]) -> Strengths:
    """Return the strength of each row of `cards`, an (n, 5), (n, 6) or (n, 7) array of cards (DRAW-5, HOLDEM-2).

    The cards of a row have to be different ones of 0..51; that is not looked at. The first call builds the tables.
    """
    known = tables()
    size = cards.shape[1]
    found = np.empty(len(cards), np.uint16)
    for start in range(0, len(cards), _BLOCK):
        block = cards[start : start + _BLOCK]
        of_ranks = known.unsuited[size][known.numbers(block >> 2)]
        sets = np.bitwise_or.reduce(SUIT_BITS[block], axis=1).view(np.uint16).reshape(-1, 4)
        np.maximum(of_ranks, known.flushes[sets].max(axis=1), out=found[start : start + _BLOCK])
    return found


@cache
def tables() -> RankingTables:
    """Return the tables, built by the first call from the 7,462 strengths that `strength` computes."""
    rows = {0: np.zeros((1, 0), np.int8)}
    adding: dict[int, Indices] = {}
    for size in range(7):
        count = len(rows[size])
        longer = np.column_stack([np.repeat(rows[size], 13, axis=0), np.tile(np.arange(13, dtype=np.int8), count)])
        longer = np.flip(np.sort(longer, axis=1), axis=1)
        adding[size] = _number(longer).reshape(count, 13)
        rows[size + 1] = np.empty((comb(13 + size, size + 1), size + 1), np.int8)
        rows[size + 1][adding[size].reshape(-1)] = longer
    unsuited = {5: np.array([_unsuited(row) for row in rows[5].tolist()], np.uint16)}
    for size in (6, 7):
        fewer = [_number(np.delete(rows[size], column, axis=1)) for column in range(size)]
        unsuited[size] = np.max([unsuited[size - 1][number] for number in fewer], axis=0)
    return RankingTables(rows=rows, adding=adding, unsuited=unsuited, flushes=_flushes())


def _number(rows: npt.NDArray[np.int8]) -> Indices:
    """Return the number of each multiset, given as a row of ranks from high to low.

    A rank v with k - 1 ranks after it has comb(v + k - 1, k) multisets before it: those of k ranks below v.
    """
    size = rows.shape[1]
    number = np.zeros(len(rows), np.intp)
    for column in range(size):
        k = size - column
        number += np.array([comb(rank + k - 1, k) for rank in range(13)])[rows[:, column]]
    return number


def _unsuited(ranks: list[int]) -> int:
    """Return the strength of five ranks, from high to low, in more than one suit; 0 if all five are equal."""
    if ranks[0] == ranks[4]:
        return 0
    # Equal ranks are neighbours, so four of them get four suits, and the first two cards never the same.
    return strength([4 * rank + place % 4 for place, rank in enumerate(ranks)])


def _flushes() -> Strengths:
    flushes = np.zeros(RANK_SETS, np.uint16)
    for ranks in combinations(range(13), 5):
        flushes[sum(1 << rank for rank in ranks)] = strength([4 * rank for rank in ranks])
    sets = np.arange(RANK_SETS)
    for rank in range(13):
        # After this step a set is as strong as the best among it without any of the ranks so far.
        np.maximum(flushes, flushes[sets & ~(1 << rank)], out=flushes)
    return flushes
