"""Hidden cards of hex poker against each other, the best response to a strategy, and strategies that have none.

A *kind* is a set of hole pairs that are one to the solver. Arrays have a row for each sequence of a player
(`dealerless.players.hextree`) and a column for each kind, weakest first. A *reach* holds, by sequence and kind, with
which probability a player with those cards makes the moves of the sequence; it is always his own part alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Final, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from ..games.hex import HEX
from ..games.hexrank import best
from .hextree import WIDTH, Ends, Level, Side, Tree

Floats: TypeAlias = npt.NDArray[np.float64]

Strategy: TypeAlias = Sequence[Floats]
"""By level of a player's decisions: (WIDTH, places, kinds), how likely each move is."""

PAIRS: Final = tuple(combinations_with_replacement(range(16), 2))
"""The 136 unordered hole pairs."""

_TINY: Final = 1e-12
"""The least regret of a legal move: small enough for nothing, and no sum of regrets is 0."""

_ONE_THREAD: Final = 1 << 18
"""Up to so many products OpenBLAS multiplies matrices in one thread. Several wait for each other in every round: no
faster with two cores, ten times as slow where others are busy."""

_DISCOUNT: Final = 1.5
_WEIGHT: Final = 4
"""How fast early rounds are forgotten, in regrets and in averages. Of what was tried on ten boards and k = 1 to 5
(no discount with weights t and t^2, discounts of both signs, predicted regrets) the least exploitable after 100 or 200
rounds, by a factor of 1.5 to 4."""


class Ranges(Protocol):
    """Which cards both players can have, and what they are worth against each other.

    `kinds` (16, 16): the kind of a hole pair in either order. `nuts` (kinds): whether a kind cannot lose.
    """

    @property
    def kinds(self) -> npt.NDArray[np.intp]:
        """The kind of a hole pair."""
        ...

    @property
    def nuts(self) -> npt.NDArray[np.bool_]:
        """Which kinds cannot lose."""
        ...

    def own(self, player: int) -> Floats:
        """Return how likely the player's kinds are, as a factor of what `shown` and `met` give."""
        ...

    def shown(self, player: int, reach: Floats) -> Floats:
        """Return, for each row of the other's reach, how much more often each kind wins than it loses."""
        ...

    def met(self, player: int, reach: Floats) -> Floats:
        """Return, for each row of the other's reach, how often each kind meets it; one column if all do alike."""
        ...

    def narrowed(self, reaches: tuple[Floats, Floats]) -> Ranges:
        """Return what is left when each player's kinds are there only as often as these factors say."""
        ...

    def merged(self, many: int) -> Ranges:
        """Return the same with at most so many kinds, each of neighbours in strength and about as likely as another."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HashRanges:
    """Pairs dealt by digest: those of the two players do not depend on each other (HEX-4).

    Pairs of one strength are one kind: nothing distinguishes them. `weights`: by player, how likely a kind is.
    """

    kinds: npt.NDArray[np.intp]
    nuts: npt.NDArray[np.bool_]
    weights: tuple[Floats, Floats]

    def own(self, player: int) -> Floats:
        """Return how likely the player's kinds are."""
        return self.weights[player]

    def shown(self, player: int, reach: Floats) -> Floats:
        """Return wins less losses: what lies below a kind less what lies above, from one running sum."""
        there = reach * self.weights[1 - player]
        up_to = np.cumsum(there, axis=1)
        whole = up_to[:, -1:].copy()
        up_to *= 2
        up_to -= there
        up_to -= whole
        return up_to

    def met(self, player: int, reach: Floats) -> Floats:
        """Return how likely the other's cards are altogether, in one column."""
        return np.asarray(np.einsum("sk,k->s", reach, self.weights[1 - player]), np.float64)[:, np.newaxis]

    def narrowed(self, reaches: tuple[Floats, Floats]) -> HashRanges:
        """Return the same kinds with other weights."""
        weights = (self.weights[0] * reaches[0], self.weights[1] * reaches[1])
        return HashRanges(kinds=self.kinds, nuts=self.nuts, weights=weights)

    def merged(self, many: int) -> HashRanges:
        """Return the same with fewer kinds; two of one kind tie."""
        coarse = _coarse(self.weights[0], many)
        first, second = (np.bincount(coarse, weights).astype(np.float64) for weights in self.weights)
        return HashRanges(kinds=coarse[self.kinds], nuts=_last(len(first)), weights=(first, second))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DeckRanges:
    """Pairs dealt from the 160 cards: a digit one player holds is less likely with the other (HEX-4).

    Every pair is a kind. `joint` (kinds, kinds): how likely two pairs are together, from the cards that are left; the
    same from both sides. `won` (kinds, kinds): the same, negative where the column's pair loses to the row's, 0 where
    they tie. `factors`: by player, how often a kind is still there.
    """

    kinds: npt.NDArray[np.intp]
    nuts: npt.NDArray[np.bool_]
    joint: Floats
    won: Floats
    factors: tuple[Floats, Floats]

    def own(self, player: int) -> Floats:
        """Return how often the player's kinds are still there; how likely they were is in `joint`."""
        return self.factors[player]

    def shown(self, player: int, reach: Floats) -> Floats:
        """Return wins less losses, pair by pair."""
        return _times(reach * self.factors[1 - player], self.won)

    def met(self, player: int, reach: Floats) -> Floats:
        """Return how likely each kind is together with the other's cards."""
        return _times(reach * self.factors[1 - player], self.joint)

    def narrowed(self, reaches: tuple[Floats, Floats]) -> DeckRanges:
        """Return the same kinds with other factors."""
        factors = (self.factors[0] * reaches[0], self.factors[1] * reaches[1])
        return DeckRanges(kinds=self.kinds, nuts=self.nuts, joint=self.joint, won=self.won, factors=factors)

    def merged(self, many: int) -> DeckRanges:
        """Return the same with fewer kinds, which win and lose as their pairs do on average; before the first move."""
        coarse = _coarse(self.joint.sum(axis=0), many)
        ones = np.ones(coarse[-1] + 1)
        member = np.equal.outer(np.arange(len(ones)), coarse).astype(np.float64)
        return DeckRanges(
            kinds=coarse[self.kinds],
            nuts=_last(len(ones)),
            joint=member @ self.joint @ member.T,
            won=member @ self.won @ member.T,
            factors=(ones, ones),
        )


def hash_ranges(board: Sequence[int]) -> HashRanges:
    """Return the ranges before the first move when cards are dealt by digest; `board` are five digits, 0 to 15."""
    ranks = _ranks(board)
    strengths, kinds = np.unique(ranks, return_inverse=True)
    weights = np.bincount(kinds, [1 + (low != high) for low, high in PAIRS]) / 256
    return HashRanges(kinds=_by_digits(kinds), nuts=_last(len(strengths)), weights=(weights, weights))


def deck_ranges(board: Sequence[int]) -> DeckRanges:
    """Return the ranges before the first move when cards come from a deck that has lost `board`, five digits."""
    ranks = _ranks(board)
    order = np.argsort(ranks, kind="stable")
    ranks = ranks[order]
    kinds = np.empty(len(PAIRS), np.intp)
    kinds[order] = np.arange(len(PAIRS))
    digits = np.arange(16)
    held = np.array([np.bincount(PAIRS[pair], minlength=16) for pair in order])
    left = np.bincount(HEX.deck(), minlength=16) - np.bincount(board, minlength=16)
    ways = np.ones((16, 5))  # [digit, n]: in how many orders n cards of the digit can come
    for many in range(4):
        ways[:, many + 1] = ways[:, many] * (left - many)
    orders = np.array([1 + (PAIRS[pair][0] != PAIRS[pair][1]) for pair in order])
    joint = ways[digits, held[:, np.newaxis] + held].prod(axis=2) * orders[:, np.newaxis] * orders
    joint /= joint.sum()
    return DeckRanges(
        kinds=_by_digits(kinds),
        nuts=ranks == ranks[-1],
        joint=joint,
        won=joint * np.sign(ranks - ranks[:, np.newaxis]),
        factors=(np.ones(len(PAIRS)), np.ones(len(PAIRS))),
    )


def reaches(side: Side, strategy: Strategy) -> Floats:
    """Return a player's reach of all his sequences under a strategy."""
    kinds = strategy[0].shape[2]
    reach = np.empty((side.sequences, kinds))
    reach[0] = 1
    for level, moves in zip(side.levels, strategy, strict=True):
        np.multiply(reach[level.parents], moves, out=_block(level, reach))
    return reach


def expected(tree: Tree, ranges: Ranges, player: int, own: Floats, other: Floats) -> float:
    """Return what a player wins on average, in antes, by both players' reaches."""
    values = _values(tree, ranges, player, other)
    return float(np.sum(values * own, axis=0) @ ranges.own(player)) / _mass(ranges, player)


def best_response(tree: Tree, ranges: Ranges, player: int, other: Floats) -> float:
    """Return the most that a player can win on average, in antes, against the other's reach; exact but for rounding."""
    side = tree.sides[player]
    values = _values(tree, ranges, player, other)
    for level in reversed(side.levels):
        most = np.where(level.legal[:, :, np.newaxis] > 0, _block(level, values), -np.inf).max(axis=0)
        values[level.heads] += np.add.reduceat(most, level.starts, axis=0)
    return float(values[0] @ ranges.own(player)) / _mass(ranges, player)


def minimise(tree: Tree, ranges: Ranges, rounds: int) -> tuple[Strategy, Strategy]:
    """Return a strategy of each player against which the other can win little more than the game is worth.

    Counterfactual regret minimisation, CFR+ (Tammelin 2014) with alternating updates, in the discounted form of Xu et
    al. (2024): before round t regrets are multiplied by t^1.5 / (t^1.5 + 1), none falls below 0, and the strategy of
    round t counts t^4 in the average. A kind that cannot lose is not allowed to fold.
    """
    learners = [_Learner(tree.sides[player], ranges.nuts) for player in (0, 1)]
    for count in range(1, rounds + 1):
        for player, learner in enumerate(learners):
            values = _values(tree, ranges, player, learners[1 - player].reach)
            learner.learn(values, count**_DISCOUNT / (count**_DISCOUNT + 1), (count / rounds) ** _WEIGHT)
    return learners[0].average(), learners[1].average()


class _Learner:
    """One player's regrets, present strategy and average."""

    def __init__(self, side: Side, nuts: npt.NDArray[np.bool_]) -> None:
        self._side = side
        self._allowed = [
            np.ascontiguousarray(level.legal[:, :, np.newaxis] - level.folds[:, :, np.newaxis] * nuts)
            for level in side.levels
        ]
        self._regrets = [np.zeros_like(allowed) for allowed in self._allowed]
        self._strategy = [allowed / allowed.sum(axis=0) for allowed in self._allowed]
        self.reach = reaches(side, self._strategy)
        self._sum = np.zeros_like(self.reach)

    def learn(self, values: Floats, discount: float, weight: float) -> None:
        """Learn from what the sequences are worth at the ends of hands; `values` is used up."""
        for place in range(len(self._side.levels) - 1, -1, -1):
            level, regrets, moves = self._side.levels[place], self._regrets[place], self._strategy[place]
            gains = _block(level, values)
            mean = np.einsum("apk,apk->pk", gains, moves)
            values[level.heads] += np.add.reduceat(mean, level.starts, axis=0)
            gains -= mean
            regrets *= discount
            regrets += gains
            np.maximum(regrets, _TINY, out=regrets)
            regrets *= self._allowed[place]
            np.divide(regrets, regrets.sum(axis=0), out=moves)
        self.reach = reaches(self._side, self._strategy)
        self._sum += weight * self.reach

    def average(self) -> Strategy:
        """Return the mean of all strategies, weighted, by how often each place was reached."""
        strategy = []
        for level, allowed in zip(self._side.levels, self._allowed, strict=True):
            moves = _block(level, self._sum) + _TINY * allowed
            strategy.append(moves / moves.sum(axis=0))
        return strategy


def _values(tree: Tree, ranges: Ranges, player: int, other: Floats) -> Floats:
    """Return what each sequence of the player wins where a hand ends with it, by the other's reach."""
    side = tree.sides[player]
    values = np.zeros((side.sequences, other.shape[1]))
    values[side.shown.heads] = ranges.shown(player, _gathered(side.shown, other))
    values[side.folded.heads] += ranges.met(player, _gathered(side.folded, other))
    return values


def _gathered(ends: Ends, other: Floats) -> Floats:
    """Return the other's reach of the ends that follow each sequence, times what is at stake."""
    there = other[ends.others]
    there *= ends.bets
    return np.asarray(np.add.reduceat(there, ends.starts, axis=0), np.float64)


def _mass(ranges: Ranges, player: int) -> float:
    """Return how likely the ranges are altogether; 1 before the first move."""
    own = ranges.own(player)
    return float(np.sum(own * ranges.met(player, np.ones((1, len(own))))))


def _block(level: Level, rows: Floats) -> Floats:
    """Return the rows of a level's sequences, as (WIDTH, places, kinds), in place."""
    return rows[level.rows].reshape(WIDTH, level.places, -1)


def _times(rows: Floats, matrix: Floats) -> Floats:
    """Return the matrix product, a few rows at a time."""
    product = np.empty((len(rows), matrix.shape[1]))
    step = max(1, _ONE_THREAD // matrix.size)
    for start in range(0, len(rows), step):
        np.matmul(rows[start : start + step], matrix, out=product[start : start + step])
    return product


def _coarse(weights: Floats, many: int) -> npt.NDArray[np.intp]:
    """Return by kind which of `many` equal parts its middle falls into, without the parts that stay empty."""
    middles = (np.cumsum(weights) - weights / 2) / weights.sum()
    return np.unique((many * middles).astype(np.intp), return_inverse=True)[1].astype(np.intp)


def _last(many: int) -> npt.NDArray[np.bool_]:
    return np.equal(np.arange(many), many - 1)


def _ranks(board: Sequence[int]) -> npt.NDArray[np.int64]:
    return np.array([best((*board, *pair)).rank for pair in PAIRS], np.int64)


def _by_digits(kinds: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    table = np.empty((16, 16), np.intp)
    for (low, high), kind in zip(PAIRS, kinds.tolist(), strict=True):
        table[low, high] = table[high, low] = kind
    return table
