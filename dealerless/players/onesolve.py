"""How the table of `onetable` is made, how far from equilibrium it is, and how betting beyond its tree is solved.

The abstract game is one round. Each player holds two ranks; suits and the number of copies of a rank that are left play
no part, and both hands are independent of each other given the lamps. They lay one each, then bet through the tree of
`onetree`. What a player gets are the lives won, what the kept card is worth to it in the next round, and what priority
is worth in it; the other gets the negative.

- *Hands*: one card was kept in the round before, the other is any rank. How often which rank is kept, and so how likely
  which hand is behind the lamps, follows from the strategies themselves.
- *Kept cards*: the value of a rank is what a round is worth that begins with it, after as many lives have changed hands
  as usually do; when that ends the match, a kept card is worth nothing. It follows from the values of rounds.

Both are found in sweeps over all numbers of lives behind: each round is solved under the values of before, by CFR+ with
both players' regrets updated in turn and averages weighted by the number of the iteration, all nine pairs of lamps at
once; then the values are taken anew. `exploitability` is exact for the abstract game, and that of the table as it is
shipped, rounded to whole 255ths. `resolve` solves the rest of a round's betting for what both can have laid by then.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from .onetable import BEHIND, COMBOS, HANDS_OF, LAMPS, PAIRS, PARTS, RANKS, RANKS_OF, UPS, Sheet, head
from .onetree import OPENING, Start, Tree, tree

Floats: TypeAlias = npt.NDArray[np.float64]
Numbers: TypeAlias = npt.NDArray[np.intp]

_SEATS: Final = 2
_NOTHING: Final = 1e-12
_SELDOM: Final = 0.002
_HIGHER: Final = np.triu(np.ones((RANKS, RANKS)), 1)
BEATS: Final = (_HIGHER.T - _HIGHER).copy()
"""By two ranks 1 if the first beats the second, -1 if it is beaten, 0 if they tie (ONE-9)."""
BEATS[0, RANKS - 1], BEATS[RANKS - 1, 0] = 1, -1

_FIRST: Final = np.array([pair[0] for pair in PAIRS])
_SECOND: Final = np.array([pair[1] for pair in PAIRS])
_TYPE: Final = np.array([UPS[first] + UPS[second] for first, second in PAIRS])
_OF_FIRST: Final = np.eye(RANKS)[_FIRST]
_OF_SECOND: Final = np.eye(RANKS)[_SECOND]
_SINGLE: Final = _FIRST == _SECOND
_BY_COMBO: Final = np.array(COMBOS).T


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Values:
    """What a round's end is worth beyond lives, and what hands begin with, for one number of lives behind.

    `kept` (13): how often each rank is held from the round before. `worth` (13): what keeping it is worth in lives.
    `priority`: what priority is worth in the next round; the other has its negative.
    """

    kept: Floats
    worth: Floats
    priority: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Strategy:
    """How both players play a round.

    `lays` (2, 9, 91): by player, pair of lamps (of player 0, of player 1) and hand how likely the lower card is laid.
    `bets` (vertices, 9, 13): by vertex, pair of lamps and laid rank of who acts before it how likely the move to it is.
    """

    lays: Floats
    bets: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Level:
    """The decisions after some number of moves: vertices, who acts, and the vertices that follow, in their order.

    `after`: all that follow, `parents`: of each the decision, `starts`: of each decision the place of the first.
    """

    at: Numbers
    player: int
    after: slice
    parents: Numbers
    starts: Numbers


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Side:
    """What a player chooses: `moves` are the vertices that its decisions lead to, grouped by decision.

    `at`: its decisions; `starts`: of each the place of its first move; `counts`: how many it has.
    """

    at: Numbers
    moves: Numbers
    starts: Numbers
    counts: Numbers


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Round:
    """The tree as arrays: levels of decisions, and the ends with what is at stake there.

    `sides`: by player. `shown`, `folded`: vertices where betting ends. `stakes`: lives that change hands at a showdown.
    `wins`: what player 0 wins by a fold, with its sign.
    """

    tree: Tree
    vertices: int
    levels: tuple[_Level, ...]
    sides: tuple[_Side, ...]
    shown: Numbers
    stakes: Floats
    folded: Numbers
    wins: Floats


@lru_cache(maxsize=256)
def round_of(behind: int, start: Start = OPENING) -> Round:
    """Return the arrays of the tree with so many lives behind."""
    grown = tree(behind, start)
    levels = []
    for depth, following in pairwise(grown.depths):
        at = [number for number in depth if grown.vertices[number].steps]
        counts = [len(grown.vertices[number].steps) for number in at]
        levels.append(
            _Level(
                at=np.array(at),
                # Whose turn it is follows from the number of moves: they alternate.
                player=grown.vertices[at[0]].player,
                after=slice(following.start, following.stop),
                parents=np.repeat(at, counts),
                starts=np.cumsum([0, *counts[:-1]]),
            )
        )
    sides = []
    for player in range(_SEATS):
        at = [number for number, vertex in enumerate(grown.vertices) if vertex.steps and vertex.player == player]
        own = [grown.vertices[number].steps for number in at]
        counts = [len(steps) for steps in own]
        sides.append(
            _Side(
                at=np.array(at, np.intp),
                moves=np.array([step.to for steps in own for step in steps], np.intp),
                starts=np.cumsum([0, *counts[:-1]]) if counts else np.zeros(0, np.intp),
                counts=np.array(counts, np.intp),
            )
        )
    ends = [(number, vertex) for number, vertex in enumerate(grown.vertices) if not vertex.steps]
    shown = [(number, 1 + vertex.level) for number, vertex in ends if vertex.folded is None]
    folded = [
        (number, (1 + vertex.level - vertex.owed) * (1 if vertex.folded else -1))
        for number, vertex in ends
        if vertex.folded is not None
    ]
    return Round(
        tree=grown,
        vertices=len(grown.vertices),
        levels=tuple(levels),
        sides=tuple(sides),
        shown=np.array([number for number, _ in shown], np.intp),
        stakes=np.array([lives for _, lives in shown], float),
        folded=np.array([number for number, _ in folded], np.intp),
        wins=np.array([lives for _, lives in folded], float),
    )


# --- a round from the first decision on ----------------------------------------------------------------------------


def hands(kept: Floats) -> Floats:
    """Return by lamps (0, 1 or 2 UP) and hand how likely it is, given how often ranks are kept: (3, 91)."""
    mass = kept[_FIRST] + kept[_SECOND]
    mass = np.where(_SINGLE, kept[_FIRST], mass) / RANKS
    by_type = np.stack([np.where(lamps == _TYPE, mass, 0.0) for lamps in range(LAMPS)])
    return np.asarray(by_type / by_type.sum(axis=1, keepdims=True))


def lamps_of(kept: Floats) -> Floats:
    """Return how likely each kind of lamps is: (3,)."""
    mass = np.where(_SINGLE, kept[_FIRST], kept[_FIRST] + kept[_SECOND]) / RANKS
    return np.asarray(np.bincount(_TYPE, mass, LAMPS), float)


def laid(hands_of: Floats, lays: Floats) -> Floats:
    """Return by pair of lamps how often each rank is laid, from hands (9, 91) and lays (9, 91): (9, 13)."""
    return np.asarray((hands_of * lays) @ _OF_FIRST + (hands_of * (1 - lays)) @ _OF_SECOND)


def _down(shape: Round, player: int, root: Floats, bets: Floats) -> Floats:
    """Return by vertex how often `player`, with `root` laid, comes there with each rank: (vertices, ...)."""
    reach = np.empty((shape.vertices, *root.shape))
    reach[0] = root
    for level in shape.levels:
        reach[level.after] = reach[level.parents]
        if level.player == player:
            reach[level.after] *= bets[level.after]
    return reach


def _ends(shape: Round, player: int, others: Floats, priority: float) -> Floats:
    """Return what each end is worth to `player` by laid rank, weighted with how often the other comes there."""
    values = np.zeros_like(others)
    shown, folded = others[shape.shown], others[shape.folded]
    stakes = shape.stakes[:, None, None]
    keeps = priority if player == 0 else -priority
    ties = np.eye(RANKS) * keeps
    values[shape.shown] = (stakes + priority) * (shown @ BEATS.T) + shown @ ties
    sign = 1 if player == 0 else -1
    wins = sign * (shape.wins + np.sign(shape.wins) * priority)
    values[shape.folded] = wins[:, None, None] * folded.sum(axis=2, keepdims=True)
    return values


def _up(shape: Round, player: int, values: Floats, bets: Floats | None) -> Floats:
    """Return the value of every vertex to `player`, from those of the ends; with no `bets` it plays its best."""
    for level in reversed(shape.levels):
        below = values[level.after]
        if level.player != player:
            values[level.at] = np.add.reduceat(below, level.starts)
        elif bets is None:
            values[level.at] = np.maximum.reduceat(below, level.starts)
        else:
            values[level.at] = np.add.reduceat(below * bets[level.after], level.starts)
    return values


def _laying(values: Values, root: Floats) -> tuple[Floats, Floats]:
    """Return what laying the lower and laying the higher card of each hand is worth: two of (9, 91)."""
    return root[:, _FIRST] + values.worth[_SECOND], root[:, _SECOND] + values.worth[_FIRST]


def exploitability(behind: int, values: Values, strategy: Strategy) -> Floats:
    """Return by pair of lamps what both players together could win by knowing the other's strategy, in lives: (9,).

    That is the sum of what a best response wins in either seat; half of it is what one player gives away on average
    over both seats.
    """
    shape, chances = round_of(behind), hands(values.kept)
    total = np.zeros(len(COMBOS))
    for player in range(_SEATS):
        own, others = chances[_BY_COMBO[player]], chances[_BY_COMBO[1 - player]]
        lays = strategy.lays[1 - player]
        reach = _down(shape, 1 - player, laid(others, lays), strategy.bets)
        root = _up(shape, player, _ends(shape, player, reach, values.priority), None)[0]
        total += (own * np.maximum(*_laying(values, root))).sum(axis=1)
        total -= (others * (lays * values.worth[_SECOND] + (1 - lays) * values.worth[_FIRST])).sum(axis=1)
    return total


def weights(values: Values) -> Floats:
    """Return how often each pair of lamps comes: (9,)."""
    lamps = lamps_of(values.kept)
    return np.asarray(lamps[_BY_COMBO[0]] * lamps[_BY_COMBO[1]])


# --- CFR+ -----------------------------------------------------------------------------------------------------------


def _shares(side: _Side, amounts: Floats, otherwise: Floats) -> Floats:
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
        self.reach = [_down(shape, player, laid_by[player], self.bets) for player in range(_SEATS)]

    def learn(self, player: int, priority: float) -> Floats:
        """Take in what the player regrets; return what each of its ranks was worth."""
        shape, side = self.shape, self.shape.sides[player]
        worth = _up(shape, player, _ends(shape, player, self.reach[1 - player], priority), self.bets)
        own = self.regrets[side.moves] + worth[side.moves]
        own -= np.repeat(worth[side.at], side.counts, axis=0)
        np.maximum(own, 0.0, out=own)
        self.regrets[side.moves] = own
        self.bets[side.moves] = _shares(side, own, self.even[player])
        return np.asarray(worth[0])

    def average(self, player: int, laid_now: Floats, weight: int) -> None:
        """Add how the player bets now, with this laid, to its average; the other will learn against that."""
        self.reach[player] = _down(self.shape, player, laid_now, self.bets)
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
    own = [chances[_BY_COMBO[player]] for player in range(_SEATS)]
    lay_regrets = np.zeros((_SEATS, 2, len(COMBOS), len(PAIRS)))
    lays = np.full((_SEATS, len(COMBOS), len(PAIRS)), 0.5)
    lay_averages = np.zeros_like(lays)
    betting = _Learning(round_of(behind), np.stack([laid(own[player], lays[player]) for player in range(_SEATS)]))
    for iteration in range(1, iterations + 1):
        for player in range(_SEATS):
            lower, higher = _laying(values, betting.learn(player, values.priority))
            mean = lays[player] * lower + (1 - lays[player]) * higher
            gains = np.stack((lower - mean, higher - mean))
            lay_regrets[player] = np.maximum(lay_regrets[player] + gains, 0.0)
            total = lay_regrets[player].sum(axis=0)
            lays[player] = np.where(total > _NOTHING, lay_regrets[player][0] / np.maximum(total, _NOTHING), 0.5)
            lays[player][:, _SINGLE] = 1.0
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
        for player in range(_SEATS):
            betting.learn(player, priority)
            betting.average(player, laid_by[player], iteration)
    return np.asarray(betting.mean()[:, 0])


# --- what a round is worth ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome:
    """What a round between two that play alike comes to.

    `values` (13): what beginning it with a kept rank is worth, priority aside, less the average. `kept` (13): how often
    each rank is kept at its end. `lost`: by number of lives how often so many change hands, none at a tie. `priority`:
    what priority is worth. `won` (9): what player 0 wins, by pair of lamps.
    """

    values: Floats
    kept: Floats
    lost: Floats
    priority: float
    won: Floats


def outcome(behind: int, values: Values, strategy: Strategy) -> Outcome:
    """Return what a round comes to when both play by `strategy`."""
    shape, chances, often = round_of(behind), hands(values.kept), weights(values)
    own = [chances[_BY_COMBO[player]] for player in range(_SEATS)]
    reach = [_down(shape, player, laid(own[player], strategy.lays[player]), strategy.bets) for player in range(_SEATS)]
    lamps = lamps_of(values.kept)
    by_hand = np.zeros(len(PAIRS))
    kept = np.zeros(RANKS)
    won = np.zeros(len(COMBOS))
    for player in range(_SEATS):
        lays = strategy.lays[player]
        ends = _ends(shape, player, reach[1 - player], values.priority)
        root = _up(shape, player, ends, strategy.bets)[0]
        lower, higher = _laying(values, root)
        worth = lays * lower + (1 - lays) * higher
        # Of a hand's lamps its own are certain.
        other = lamps[_BY_COMBO[1 - player]][:, None] * (_BY_COMBO[player][:, None] == _TYPE)
        by_hand += (other * worth).sum(axis=0) / _SEATS
        mass = often[:, None] * own[player] / _SEATS
        kept += ((mass * lays) @ _OF_SECOND + (mass * (1 - lays)) @ _OF_FIRST).sum(axis=0)
        if player == 0:
            mine = (own[0] * worth).sum(axis=1)
            theirs = strategy.lays[1] * values.worth[_SECOND] + (1 - strategy.lays[1]) * values.worth[_FIRST]
            won = mine - (own[1] * theirs).sum(axis=1)
    table = np.zeros((RANKS, RANKS))
    table[_FIRST, _SECOND] = by_hand
    table[_SECOND, _FIRST] = by_hand
    begins = table.mean(axis=1)
    lost = np.zeros(behind + 2)
    for number, stake in zip(shape.shown, shape.stakes, strict=True):
        meet = np.einsum("c,ci,cj->ij", often, reach[0][number], reach[1][number])
        lost[int(stake)] += meet.sum() - np.trace(meet)
        lost[0] += np.trace(meet)
    for number, stake in zip(shape.folded, shape.wins, strict=True):
        both = reach[0][number].sum(axis=1) * reach[1][number].sum(axis=1)
        lost[int(abs(stake))] += (often * both).sum()
    begins -= (values.kept * begins).sum()
    return Outcome(values=begins, kept=kept, lost=lost, priority=float((often * won).sum()), won=won)


def carried(behind: int, lost: Floats, by_behind: dict[int, Floats]) -> Floats:
    """Return what `by_behind` is worth on average after a round with so many behind: nothing once a match is over.

    The match is taken to be one of twenty lives, or of as many as two players with so many behind have, and who has
    fewer to lose as often as to win.
    """
    lives = behind + 1
    total = max(20, 2 * lives)
    known = sorted(by_behind)
    stacked = np.stack([by_behind[number] for number in known])

    def at(number: int) -> Floats:
        return np.array([np.interp(number, known, column) for column in stacked.T])

    worth = lost[0] * at(behind)
    for change in range(1, len(lost)):
        if lost[change] < 1e-9:
            continue
        for after in (lives - change, lives + change):
            left = min(after, total - after)
            if left > 0:
                worth = worth + lost[change] / 2 * at(left - 1)
    return np.asarray(worth)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Solution:
    """The table for one number of lives behind, with the values it was solved under."""

    behind: int
    values: Values
    strategy: Strategy

    def sheet(self) -> Sheet:
        """Return it as it is shipped; what is done less often than once in 500 times is left out."""
        values, grown = self.values, tree(self.behind)
        content = [head(values.kept.tolist(), [*values.worth.tolist(), values.priority])]
        for combo, lamps in enumerate(COMBOS):
            for player in range(_SEATS):
                lower = self.strategy.lays[player, combo, list(HANDS_OF[lamps[player]])]
                content.append(_parts(np.stack((lower, 1 - lower), axis=1))[:, :1].tobytes())
        for vertex in grown.vertices:
            for combo, lamps in enumerate(COMBOS if vertex.steps else ()):
                moves = self.strategy.bets[[step.to for step in vertex.steps], combo]
                content.append(_parts(moves[:, list(RANKS_OF[lamps[vertex.player]])].T)[:, :-1].tobytes())
        return Sheet(self.behind, b"".join(content))


def _parts(rows: Floats) -> npt.NDArray[np.uint8]:
    """Return probabilities by row as whole parts of `PARTS`, which sum to it."""
    kept = np.where(rows < _SELDOM, 0.0, rows)
    sums = np.rint(np.cumsum(kept / kept.sum(axis=1, keepdims=True), axis=1) * PARTS)
    return np.asarray(np.diff(sums, axis=1, prepend=0.0)).astype(np.uint8)


def solution(sheet: Sheet) -> Solution:
    """Return what a sheet holds, as arrays."""
    shape = round_of(sheet.behind)
    *worth, priority = sheet.worth
    lays = np.ones((_SEATS, len(COMBOS), len(PAIRS)))
    # Ranks that the lamps leave out move evenly; they never come.
    bets = np.ones((shape.vertices, len(COMBOS), RANKS))
    for side in shape.sides:
        bets[side.moves] = np.repeat(1 / side.counts, side.counts)[:, None, None]
    for combo, lamps in enumerate(COMBOS):
        for player in range(_SEATS):
            for hand in HANDS_OF[lamps[player]]:
                lays[player, combo, hand] = sheet.lower(combo, player, *PAIRS[hand]) / PARTS
        for number, vertex in enumerate(shape.tree.vertices):
            for rank in RANKS_OF[lamps[vertex.player]] if vertex.steps else ():
                moves = [step.to for step in vertex.steps]
                bets[moves, combo, rank] = np.array(sheet.bets(number, combo, rank)) / PARTS
    values = Values(kept=np.array(sheet.kept), worth=np.array(worth), priority=priority)
    return Solution(behind=sheet.behind, values=values, strategy=Strategy(lays=lays, bets=bets))


def make(sweeps: int, rough: int, fine: int, tell: object = None) -> list[Solution]:
    """Return the whole table: `sweeps` sweeps of `rough` iterations for the values, then `fine` iterations."""
    say = tell if callable(tell) else (lambda line: None)
    even = Values(kept=np.full(RANKS, 1 / RANKS), worth=np.zeros(RANKS), priority=0.0)
    current = dict.fromkeys(BEHIND, even)
    for sweep in range(sweeps):
        came = {}
        for behind in BEHIND:
            came[behind] = outcome(behind, current[behind], solve(behind, current[behind], rough))
        begins = {behind: np.append(found.values, found.priority) for behind, found in came.items()}
        step = 0.0
        for behind in BEHIND:
            after = carried(behind, came[behind].lost, begins)
            step = max(step, float(np.abs(after[:RANKS] - current[behind].worth).max()))
            current[behind] = Values(kept=came[behind].kept, worth=after[:RANKS], priority=float(after[RANKS]))
        say(f"sweep {sweep + 1}: values move by {step:.4f} lives at most")
    solved = []
    for behind in BEHIND:
        strategy = solve(behind, current[behind], fine)
        solved.append(Solution(behind=behind, values=current[behind], strategy=strategy))
        gap = float((exploitability(behind, current[behind], strategy) * weights(current[behind])).sum())
        say(f"{behind} lives behind: {gap / 2:.5f} lives a round from equilibrium before rounding")
    return solved
