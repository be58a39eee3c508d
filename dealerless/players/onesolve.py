"""A round of One Poker is solved: the whole of it for the table, or the rest of its betting while somebody waits.

By CFR+ on the arrays of `oneround`, with both players' regrets updated in turn and averages weighted by the number of
the iteration: `solve` does all nine pairs of lamps at once, `resolve` one, for what both can have laid by then.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from .oneround import (
    BY_COMBO,
    SEATS,
    SINGLE,
    Floats,
    Round,
    Side,
    Strategy,
    Values,
    backed_up,
    ends_of,
    hands,
    laid,
    laying,
    reaching,
    round_of,
)
from .onetable import COMBOS, PAIRS
from .onetree import Start

_NOTHING: Final = 1e-12


def _shares(side: Side, amounts: Floats, otherwise: Floats) -> Floats:
    """Return what part of its decision's sum each move has; where that is nothing, the part in `otherwise`."""
    if not len(amounts):
        return amounts
    total = np.repeat(np.add.reduceat(amounts, side.starts), side.counts, axis=0)
    return np.asarray(np.where(total > _NOTHING, amounts / np.maximum(total, _NOTHING), otherwise))


class _Learning:
    """Regrets and averages of the betting, for any number of pairs of lamps side by side.

    `laid_by` (2, combos, 13): what both lay at first.
    """

    def __init__(self, shape: Round, laid_by: Floats) -> None:
        self.shape = shape
        size = (shape.vertices, *laid_by.shape[1:])
        self.regrets, self.averages, self.bets = np.zeros(size), np.zeros(size), np.ones(size)
        self.even = [np.repeat(1 / side.counts, side.counts)[:, None, None] for side in shape.sides]
        for side, even in zip(shape.sides, self.even, strict=True):
            self.bets[side.moves] = even
        self.reach = [reaching(shape, player, laid_by[player], self.bets) for player in range(SEATS)]

    def learn(self, player: int, priority: float) -> Floats:
        """Take in what the player regrets; return what each of its ranks was worth."""
        shape, side = self.shape, self.shape.sides[player]
        worth = backed_up(shape, player, ends_of(shape, player, self.reach[1 - player], priority), self.bets)
        own = self.regrets[side.moves] + worth[side.moves]
        own -= np.repeat(worth[side.at], side.counts, axis=0)
        np.maximum(own, 0.0, out=own)
        self.regrets[side.moves] = own
        self.bets[side.moves] = _shares(side, own, self.even[player])
        return np.asarray(worth[0])

    def average(self, player: int, laid_now: Floats, weight: int) -> None:
        """Add how the player bets now, with this laid, to its average; the other will learn against that."""
        self.reach[player] = reaching(self.shape, player, laid_now, self.bets)
        moves = self.shape.sides[player].moves
        self.averages[moves] += weight * self.reach[player][moves]

    def mean(self) -> Floats:
        """Return the average; where a rank never came, what it would have done last."""
        for side in self.shape.sides:
            self.bets[side.moves] = _shares(side, self.averages[side.moves], self.bets[side.moves])
        return self.bets


def solve(behind: int, values: Values, iterations: int) -> Strategy:
    """Return the average strategy of so many iterations of CFR+ on a round with these values."""
    chances = hands(values.kept)
    own = [chances[BY_COMBO[player]] for player in range(SEATS)]
    lay_regrets = np.zeros((SEATS, 2, len(COMBOS), len(PAIRS)))
    lays = np.full((SEATS, len(COMBOS), len(PAIRS)), 0.5)
    lay_averages = np.zeros_like(lays)
    betting = _Learning(round_of(behind), np.stack([laid(own[player], lays[player]) for player in range(SEATS)]))
    for iteration in range(1, iterations + 1):
        for player in range(SEATS):
            lower, higher = laying(values, betting.learn(player, values.priority))
            mean = lays[player] * lower + (1 - lays[player]) * higher
            gains = np.stack((lower - mean, higher - mean))
            lay_regrets[player] = np.maximum(lay_regrets[player] + gains, 0.0)
            total = lay_regrets[player].sum(axis=0)
            lays[player] = np.where(total > _NOTHING, lay_regrets[player][0] / np.maximum(total, _NOTHING), 0.5)
            lays[player][:, SINGLE] = 1.0
            lay_averages[player] += iteration * lays[player]
            betting.average(player, laid(own[player], lays[player]), iteration)
    return Strategy(lays=lay_averages / (iterations * (iterations + 1) / 2), bets=betting.mean())


def resolve(
    behind: int, start: Start, ranges: tuple[tuple[float, ...], ...], priority: float, iterations: int
) -> Floats:
    """Return by vertex of the tree from `start` on, and by rank, how likely the move to it is, with `ranges` laid.

    `ranges` (2, 13): by player how likely each rank is, which sums to 1.
    """
    laid_by = np.array(ranges)[:, None, :]
    betting = _Learning(round_of(behind, start), laid_by)
    for iteration in range(1, iterations + 1):
        for player in range(SEATS):
            betting.learn(player, priority)
            betting.average(player, laid_by[player], iteration)
    return np.asarray(betting.mean()[:, 0])
