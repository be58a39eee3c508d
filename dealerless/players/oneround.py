"""A round of One Poker as arrays: where its betting goes, what that is worth, and how far play is from equilibrium.

The abstract game is one round. Each player holds two ranks; suits and the number of copies of a rank that are left play
no part, and both hands are independent of each other given the lamps. They lay one each, then bet through the tree of
`onetree`. What a player gets are the lives won, what the kept card is worth to it in the next round, and what priority
is worth in it; the other gets the negative. One card of each hand was kept in the round before, the other is any rank.

`exploitability` is exact for the abstract game. `onesolve` finds a strategy for it, `onemake` the values and the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from .onetable import COMBOS, LAMPS, PAIRS, RANKS, UPS
from .onetree import OPENING, Start, Tree, tree

Floats: TypeAlias = npt.NDArray[np.float64]
Numbers: TypeAlias = npt.NDArray[np.intp]

SEATS: Final = 2

_HIGHER: Final = np.triu(np.ones((RANKS, RANKS)), 1)
BEATS: Final = (_HIGHER.T - _HIGHER).copy()
"""By two ranks 1 if the first beats the second, -1 if it is beaten, 0 if they tie (ONE-9)."""
BEATS[0, RANKS - 1], BEATS[RANKS - 1, 0] = 1, -1

# Of every hand: its lower and its higher rank, how many cards are UP, both ranks as rows with a single 1, whether it is
# a pair; and of every pair of lamps those of either player.
FIRST: Final = np.array([pair[0] for pair in PAIRS])
SECOND: Final = np.array([pair[1] for pair in PAIRS])
LAMPS_OF: Final = np.array([UPS[first] + UPS[second] for first, second in PAIRS])
OF_FIRST: Final = np.eye(RANKS)[FIRST]
OF_SECOND: Final = np.eye(RANKS)[SECOND]
SINGLE: Final = FIRST == SECOND
BY_COMBO: Final = np.array(COMBOS).T


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
class Level:
    """The decisions after some number of moves: vertices, who acts, and the vertices that follow, in their order.

    `after`: all that follow, `parents`: of each the decision, `starts`: of each decision the place of the first.
    """

    at: Numbers
    player: int
    after: slice
    parents: Numbers
    starts: Numbers


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Side:
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
    levels: tuple[Level, ...]
    sides: tuple[Side, ...]
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
            Level(
                at=np.array(at),
                # Whose turn it is follows from the number of moves: they alternate.
                player=grown.vertices[at[0]].player,
                after=slice(following.start, following.stop),
                parents=np.repeat(at, counts),
                starts=np.cumsum([0, *counts[:-1]]),
            )
        )
    sides = []
    for player in range(SEATS):
        at = [number for number, vertex in enumerate(grown.vertices) if vertex.steps and vertex.player == player]
        own = [grown.vertices[number].steps for number in at]
        counts = [len(steps) for steps in own]
        sides.append(
            Side(
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
    mass = kept[FIRST] + kept[SECOND]
    mass = np.where(SINGLE, kept[FIRST], mass) / RANKS
    by_type = np.stack([np.where(lamps == LAMPS_OF, mass, 0.0) for lamps in range(LAMPS)])
    return np.asarray(by_type / by_type.sum(axis=1, keepdims=True))


def lamps_of(kept: Floats) -> Floats:
    """Return how likely each kind of lamps is: (3,)."""
    mass = np.where(SINGLE, kept[FIRST], kept[FIRST] + kept[SECOND]) / RANKS
    return np.asarray(np.bincount(LAMPS_OF, mass, LAMPS), float)


def laid(hands_of: Floats, lays: Floats) -> Floats:
    """Return by pair of lamps how often each rank is laid, from hands (9, 91) and lays (9, 91): (9, 13)."""
    return np.asarray((hands_of * lays) @ OF_FIRST + (hands_of * (1 - lays)) @ OF_SECOND)


def reaching(shape: Round, player: int, root: Floats, bets: Floats) -> Floats:
    """Return by vertex how often `player`, with `root` laid, comes there with each rank: (vertices, ...)."""
    reach = np.empty((shape.vertices, *root.shape))
    reach[0] = root
    for level in shape.levels:
        reach[level.after] = reach[level.parents]
        if level.player == player:
            reach[level.after] *= bets[level.after]
    return reach


def ends_of(shape: Round, player: int, others: Floats, priority: float) -> Floats:
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


def backed_up(shape: Round, player: int, values: Floats, bets: Floats | None) -> Floats:
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


def laying(values: Values, root: Floats) -> tuple[Floats, Floats]:
    """Return what laying the lower and laying the higher card of each hand is worth: two of (9, 91)."""
    return root[:, FIRST] + values.worth[SECOND], root[:, SECOND] + values.worth[FIRST]


def exploitability(behind: int, values: Values, strategy: Strategy) -> Floats:
    """Return by pair of lamps what both players together could win by knowing the other's strategy, in lives: (9,).

    That is the sum of what a best response wins in either seat; half of it is what one player gives away on average
    over both seats.
    """
    shape, chances = round_of(behind), hands(values.kept)
    total = np.zeros(len(COMBOS))
    for player in range(SEATS):
        own, others = chances[BY_COMBO[player]], chances[BY_COMBO[1 - player]]
        lays = strategy.lays[1 - player]
        reach = reaching(shape, 1 - player, laid(others, lays), strategy.bets)
        root = backed_up(shape, player, ends_of(shape, player, reach, values.priority), None)[0]
        total += (own * np.maximum(*laying(values, root))).sum(axis=1)
        total -= (others * (lays * values.worth[SECOND] + (1 - lays) * values.worth[FIRST])).sum(axis=1)
    return total


def weights(values: Values) -> Floats:
    """Return how often each pair of lamps comes: (9,)."""
    lamps = lamps_of(values.kept)
    return np.asarray(lamps[BY_COMBO[0]] * lamps[BY_COMBO[1]])
