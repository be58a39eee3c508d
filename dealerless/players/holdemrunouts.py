"""What every pair of hole cards comes to on the boards that can still come: what Hold'em strategies count on.

For a board, open as far as it is, a number of ways in which it can be completed is drawn, and the strengths of all
1,326 pairs are looked up on each. Against an opponent of whom only a range is known nothing more is drawn: on each
completed board the whole range is weighed, which is the mean of all hands that could be sampled from it. The sample
depends on the board alone, so that the same decision in the same place comes out the same, and is kept while in use.

Of a seat's own cards, or of anybody's hidden ones, nothing enters here; completed boards with a card of the hand in
question are left out when that hand is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from ..games.cards import DECK, Card
from ..games.ranking import RANKS
from ..games.rankingtables import SUIT_BITS, tables

Floats: TypeAlias = npt.NDArray[np.floating[Any]]

PAIRS: Final = np.array(list(combinations(DECK, 2)), np.intp)
"""(1326, 2): the cards of each pair, the lower first; elsewhere a pair is its row's number."""

_NUMBERS: Final = np.zeros((52, 52), np.intp)
_NUMBERS[PAIRS[:, 0], PAIRS[:, 1]] = _NUMBERS[PAIRS[:, 1], PAIRS[:, 0]] = np.arange(len(PAIRS))

_HOLDS: Final = np.zeros((52, len(PAIRS)), np.bool_)
_HOLDS[PAIRS[:, 0], np.arange(len(PAIRS))] = _HOLDS[PAIRS[:, 1], np.arange(len(PAIRS))] = True

_SETS: Final = (SUIT_BITS[PAIRS[:, 0]] | SUIT_BITS[PAIRS[:, 1]]).view(np.uint16).reshape(-1, 4).T.copy()
"""(4, 1326): by suit the set of ranks that a pair has in it."""

_HIGH, _LOW = np.tril_indices(13)
_KINDS: Final = (PAIRS[:, 1] >> 2) * ((PAIRS[:, 1] >> 2) + 1) // 2 + (PAIRS[:, 0] >> 2)
"""The place of each pair's ranks among the 91 of `_HIGH` and `_LOW`."""

_CLASSES: Final = (PAIRS[:, 1] >> 2) * 13 + (PAIRS[:, 0] >> 2) + 169 * ((PAIRS[:, 0] & 3) == (PAIRS[:, 1] & 3))
"""Before the flop pairs of one class are worth the same: equal ranks, and both of one suit or of two."""

_AT_ONCE: Final = 25
"""Boards counted at a time, so that what is computed on the way stays in a cache."""

_RIVERS: Final = 48
"""All that can come when four cards are known, so few that the whole is always looked at."""

_BEFORE_FLOP: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Runouts:
    """Completed boards, n of them, and what pairs are worth on them.

    `boards` (n, 5): their cards. `strengths` (n, 1326): of each pair; 0 for a pair with a card of that board.
    """

    boards: npt.NDArray[np.intp]
    strengths: npt.NDArray[np.uint16]

    def faced(self, hole: tuple[Card, ...]) -> Faced:
        """Return what becomes of a hand of two cards on the boards without one of them."""
        strengths = self.strengths[~np.isin(self.boards, hole).any(axis=1)]
        ours = strengths[:, number(hole), np.newaxis]
        there = (strengths > 0).astype(np.float32)
        beats = (ours > strengths).astype(np.float32)
        beats += ours >= strengths
        # A pair that the board holds a card of counts as beaten so far.
        beats *= there
        return Faced(beats=beats, there=there, possible=without(hole))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Faced:
    """One hand on n completed boards against all pairs.

    `beats` (n, 1326): 2 where it beats a pair, 1 where it ties. `there` (n, 1326): 1 where the pair is possible on that
    board. `possible` (1326): 1 where it is possible beside the hand.
    """

    beats: Floats
    there: Floats
    possible: Floats

    def beaten(self, ranges: Floats) -> Floats:
        """Return (n, m), on each board how likely the hand beats each range, a tie counted half.

        `ranges` (m, 1326): how likely each opponent has each pair, up to a factor.
        """
        weighed = ranges * self.possible
        # Not by `@`: the threads of a linear algebra library cost more here than they bring.
        beats: Floats = np.einsum("np,mp->nm", self.beats, weighed)
        there: Floats = np.einsum("np,mp->nm", self.there, weighed)
        # Nothing divided by next to nothing is nothing.
        beaten: Floats = beats / (2 * there + 1e-9)
        return beaten


def number(hole: tuple[Card, ...]) -> int:
    """Return the number of a pair of cards."""
    return int(_NUMBERS[hole[0], hole[1]])


def without(cards: tuple[Card, ...]) -> Floats:
    """Return (1326): 1 for each pair that holds none of these cards, 0 for the others."""
    free = np.ones(len(PAIRS), np.float32)
    for card in cards:
        free[_HOLDS[card]] = 0
    return free


@lru_cache(maxsize=256)
def runouts(board: tuple[Card, ...], many: int) -> Runouts:
    """Return ways to complete a board of 0, 3, 4 or 5 cards: `many`, or all of them if there are no more."""
    boards = _boards(board, many)
    return Runouts(boards=boards, strengths=_strengths(boards))


@lru_cache(maxsize=256)
def worth(board: tuple[Card, ...], many: int) -> Floats:
    """Return (1326): the chance of each pair against one random other on that board, from a third of the sample.

    Before the flop, where a hand is most often looked at and never changes, the sample is a larger one.
    """
    if board:
        return _worth(runouts(board, many).strengths[: max(many // 3, _RIVERS)])
    each = _worth(_strengths(_boards(board, _BEFORE_FLOP)))
    # What a few boards say of two equal pairs is not the same; their mean is nearer to the truth.
    sums, counts = np.bincount(_CLASSES, each), np.bincount(_CLASSES)
    means: Floats = sums[_CLASSES] / counts[_CLASSES]
    return means


@lru_cache(maxsize=256)
def ranking(board: tuple[Card, ...], many: int) -> npt.NDArray[np.intp]:
    """Return the pairs by their worth, weakest first."""
    return np.argsort(worth(board, many), kind="stable")


def _boards(board: tuple[Card, ...], many: int) -> npt.NDArray[np.intp]:
    rest = np.array([card for card in DECK if card not in board], np.intp)
    missing = 5 - len(board)
    every = comb(len(rest), missing)
    if every <= many:
        come = np.array(list(combinations(rest.tolist(), missing)), np.intp).reshape(every, missing)
    else:
        generator = np.random.Generator(np.random.PCG64([*board, missing]))
        come = rest[np.argpartition(generator.random((many, len(rest))), missing, axis=1)[:, :missing]]
    return np.concatenate([np.tile(np.array(board, np.intp), (len(come), 1)), come], axis=1)


def _strengths(boards: npt.NDArray[np.intp]) -> npt.NDArray[np.uint16]:
    known = tables()
    five = known.numbers(boards >> 2)[:, np.newaxis]
    kinds = known.unsuited[7][known.adding[6][known.adding[5][five, _HIGH], _LOW]]
    found = kinds[:, _KINDS]
    sets = np.bitwise_or.reduce(SUIT_BITS[boards], axis=1).view(np.uint16).reshape(-1, 4)
    row, suit = np.nonzero(((boards & 3)[:, :, np.newaxis] == np.arange(4)).sum(axis=1) >= 3)
    found[row] = np.maximum(found[row], known.flushes[sets[row, suit][:, np.newaxis] | _SETS[suit]])
    found += 1
    found[_HOLDS[boards].any(axis=1)] = 0
    return found


def _worth(strengths: npt.NDArray[np.uint16]) -> Floats:
    """Return the mean over the boards of which share of the pairs there each pair beats, ties counted half."""
    width = RANKS + 1
    total, boards = np.zeros(len(PAIRS)), np.zeros(len(PAIRS))
    for start in range(0, len(strengths), _AT_ONCE):
        block = strengths[start : start + _AT_ONCE].astype(np.intp)
        rows = np.arange(len(block))[:, np.newaxis]
        counts = np.bincount((block + rows * width).reshape(-1), minlength=len(block) * width).reshape(-1, width)
        counts[:, 0] = 0
        upto = np.cumsum(counts, axis=1)
        there = block > 0
        share = (upto[rows, block] - counts[rows, block] / 2) / upto[:, -1:]
        total += (share * there).sum(axis=0)
        boards += there.sum(axis=0)
    return (total / np.maximum(boards, 1)).astype(np.float32)
