"""The betting tree of hex poker, grown from the rules themselves and laid out for numpy (HEX-5 to HEX-8).

A player's *sequence* is what he has done himself on the way to a place; a place and his hole cards are what he
decides on. Every quantity of the solver is an array with a row for each sequence, so that all places at which a
player makes his n-th decision are dealt with in one operation. Player 0 opens, player 1 answers; chips are counted in
bets, of which the ante is one.

Places of different histories are never merged, though what can be done there may be the same: the histories tell
different things about the hidden cards. Two moves of one place that put in the same chips are one (CALL and ALLIN with
the last bet, BET or RAISE and ALLIN of a whole stack): all that comes after them is the same, up to the names.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from ..errors import UsageError
from ..games.betting import Betting, apply, legal
from ..games.game import Move, Option
from ..games.hex import HEX, MAX_DEPTH, HexTerms

History: TypeAlias = tuple[str, ...]
"""The names of the moves made since the cards were dealt, in order."""

WIDTH: Final = 4
"""The most moves that a place has: CALL, RAISE, ALLIN, FOLD. Every place has this many columns."""

OVER: Final = -1
"""What follows the last move of a hand, in place of a node's number."""

MARGIN: Final = 2
"""How many bets and raises before its end a cut tree is left: who knows that no more can come plays otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A place where a player is to move.

    `moves`: the column of every move's name; of two that put in the same chips both have one. `following`: by column,
    the number of the node after it, or `OVER`. `fold`: the column of FOLD, or None. `cut`: whether bets or raises
    that the rules allow are left out from here on, and so soon that the tree is no guide any more. `level` and
    `place` say where among the player's decisions it lies: as his how-manieth (from 0), and as which of those.
    """

    history: History
    player: int
    moves: dict[str, int]
    following: tuple[int, ...]
    fold: int | None
    cut: bool
    level: int
    place: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Level:
    """All places at which a player makes his n-th decision, n places in the order of the sequences they follow.

    Column c of place j is sequence `first + c * n + j`. `parents` (n): the sequence that leads to a place.
    `legal` (WIDTH, n): 1 for a column in use, else 0. `folds` (WIDTH, n): 1 for FOLD. `heads` are the different
    parents, `starts` the first place of each.
    """

    first: int
    parents: npt.NDArray[np.intp]
    legal: npt.NDArray[np.float64]
    folds: npt.NDArray[np.float64]
    heads: npt.NDArray[np.intp]
    starts: npt.NDArray[np.intp]

    @property
    def places(self) -> int:
        """The number of places."""
        return len(self.parents)

    @property
    def rows(self) -> slice:
        """The rows of its sequences in an array by sequence."""
        return slice(self.first, self.first + WIDTH * self.places)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ends:
    """Ends of hands as one player sees them, in the order of his sequences.

    `others`: the other's sequence, by end. `bets` (ends, 1): what is won or lost; for folds with its sign. `heads`:
    the different sequences of the player, `starts` the first end of each.
    """

    others: npt.NDArray[np.intp]
    bets: npt.NDArray[np.float64]
    heads: npt.NDArray[np.intp]
    starts: npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Side:
    """One player's half of the tree: his decisions, how many sequences he has, and where hands end.

    Sequence 0 is that of having done nothing yet. `shown`: ends at a showdown; `folded`: by a fold.
    """

    levels: tuple[Level, ...]
    sequences: int
    shown: Ends
    folded: Ends


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tree:
    """All ways in which the betting can go on after `history`, as far as the tree reaches; node 0 is there."""

    history: History
    nodes: tuple[Node, ...]
    sides: tuple[Side, Side]

    def reach(self, history: History) -> Node:
        """Return the node after `history`, or the first on the way to it at which the tree is cut.

        Raises UsageError `usage.bad-value` when the rules do not lead there from the tree's first node.
        """
        node = self.nodes[0]
        if history[: len(self.history)] != self.history:
            raise UsageError("usage.bad-value", expected=self.history, actual=history)
        for name in history[len(self.history) :]:
            if node.cut:
                return node
            following = node.following[node.moves[name]] if name in node.moves else OVER
            if following == OVER:
                raise UsageError("usage.bad-value", expected="a history that goes on", actual=history)
            node = self.nodes[following]
        return node


def position(depth: int, history: History) -> Betting:
    """Return the betting after `history` with stacks of `depth` bets, where seat 0 opens (HEX-2, HEX-6, HEX-7).

    Raises UsageError `usage.bad-value` for a depth that cannot be agreed or a move that is not legal.
    """
    if not 1 <= depth <= MAX_DEPTH:
        raise UsageError("usage.bad-value", expected=("depth", 1, MAX_DEPTH), actual=depth)
    terms = HexTerms(bet=1, depth=depth, show="all")
    betting = HEX.start(terms, HEX.opening_stacks(terms, 2), 1, (0, 1)).betting
    for name in history:
        option = next((option for option in legal(betting) if option.name == name), None)
        if option is None:
            raise UsageError("usage.bad-value", expected="legal moves", actual=history)
        betting = _moved(betting, option)
    return betting


@lru_cache(maxsize=64)
def grow(depth: int, history: History, lifts: int) -> Tree:
    """Return the tree of what can follow `history` with stacks of `depth` bets, cut after `lifts` bets and raises.

    Where so many were made nobody bets or raises any more unless it takes his whole stack; going all-in is never cut.
    With `lifts` of at least `depth` nothing is. `lifts` is at least 1; the first node is never `cut`. Raises like
    `position`, also when the betting is over.
    """
    root = position(depth, history)
    if root.to_act is None:
        raise UsageError("usage.bad-value", expected="a history that goes on", actual=history)
    growth = _Growth()
    growth.grow(root, history, (None, None), (0, 0), lifts)
    return growth.tree(history)


def _moved(betting: Betting, option: Option) -> Betting:
    if betting.to_act is None:
        raise RuntimeError("a move was legal though nobody is to act")
    return apply(betting, betting.to_act, Move(name=option.name, amount=option.least))


_Step = tuple[int, int]  # a node's number and a column
_Steps = tuple[_Step | None, _Step | None]  # by player: his last


@dataclass(slots=True, kw_only=True)
class _Sketch:
    """A node while the tree grows: `parent` is the player's own step before it."""

    history: History
    player: int
    parent: _Step | None
    moves: dict[str, int]
    following: list[int]
    fold: int | None = None
    short: bool = False  # whether moves are left out here or later
    cut: bool = False
    level: int = 0
    place: int = 0


class _Growth:
    """A tree that is being grown, node by node."""

    def __init__(self) -> None:
        self._sketches: list[_Sketch] = []
        self._levels: tuple[list[list[int]], list[list[int]]] = ([], [])
        self._shown: list[tuple[_Steps, int]] = []
        self._folded: list[tuple[_Steps, int]] = []

    def grow(self, betting: Betting, history: History, steps: _Steps, made: tuple[int, int], lifts: int) -> int:
        """Add all that can follow; return the number of the node, or `OVER`."""
        player = betting.to_act
        if player is None:
            self._end(betting, steps)
            return OVER
        number = len(self._sketches)
        node = _Sketch(history=history, player=player, parent=steps[player], moves={}, following=[], level=made[player])
        self._sketches.append(node)
        if len(self._levels[player]) == node.level:
            self._levels[player].append([])
        self._levels[player][node.level].append(number)
        made = (made[0] + (player == 0), made[1] + (player == 1))
        twins: dict[int, int] = {}  # by chips put in: the column
        for option in legal(betting):
            name, column = option.name, len(node.following)
            if name == "FOLD":
                node.fold = column
            elif option.least in twins:
                node.moves[name] = twins[option.least]
                continue
            lift = name in ("BET", "RAISE") and option.least < betting.stacks[player]
            if lift and lifts == 0:
                node.short = True
                continue
            if name != "FOLD":
                twins[option.least] = column
            node.moves[name] = column
            node.following.append(OVER)
            step = (number, column)
            after: _Steps = (step, steps[1]) if player == 0 else (steps[0], step)
            node.following[column] = self.grow(_moved(betting, option), (*history, name), after, made, lifts - lift)
        node.short = node.short or any(self._sketches[next_].short for next_ in node.following if next_ != OVER)
        node.cut = node.short and lifts <= MARGIN and number > 0
        return number

    def _end(self, betting: Betting, steps: _Steps) -> None:
        if True in betting.folded:
            loser = betting.folded.index(True)
            self._folded.append((steps, betting.totals[loser] * (1 if loser == 1 else -1)))
        else:
            self._shown.append((steps, betting.totals[0]))

    def tree(self, history: History) -> Tree:
        """Return what has grown, laid out by players and sequences."""
        numbers: dict[_Step, int] = {}  # a step is its player's own: both share the table
        levels: tuple[list[Level], list[Level]] = ([], [])
        sequences = [1, 1]
        for player in (0, 1):
            for members in self._levels[player]:
                level = self._level(members, sequences[player], numbers)
                levels[player].append(level)
                sequences[player] += WIDTH * level.places
        sides = [
            Side(
                levels=tuple(levels[player]),
                sequences=sequences[player],
                shown=_ends(self._shown, player, 1, numbers),
                folded=_ends(self._folded, player, -1 if player else 1, numbers),
            )
            for player in (0, 1)
        ]
        nodes = [
            Node(
                history=sketch.history,
                player=sketch.player,
                moves=sketch.moves,
                following=tuple(sketch.following),
                fold=sketch.fold,
                cut=sketch.cut,
                level=sketch.level,
                place=sketch.place,
            )
            for sketch in self._sketches
        ]
        return Tree(history=history, nodes=tuple(nodes), sides=(sides[0], sides[1]))

    def _level(self, members: list[int], first: int, numbers: dict[_Step, int]) -> Level:
        """Return a level of a player's, whose steps before it are numbered; number those in it."""
        members = sorted(members, key=lambda number: _numbered(self._sketches[number].parent, numbers))
        many = len(members)
        in_use, folds = np.zeros((WIDTH, many)), np.zeros((WIDTH, many))
        for place, number in enumerate(members):
            node = self._sketches[number]
            node.place = place
            for column in range(len(node.following)):
                numbers[number, column] = first + column * many + place
            in_use[: len(node.following), place] = 1
            if node.fold is not None:
                folds[node.fold, place] = 1
        parents = np.array([_numbered(self._sketches[number].parent, numbers) for number in members], np.intp)
        starts = _starts(parents)
        return Level(first=first, parents=parents, legal=in_use, folds=folds, heads=parents[starts], starts=starts)


def _numbered(step: _Step | None, numbers: dict[_Step, int]) -> int:
    return 0 if step is None else numbers[step]


def _ends(ends: list[tuple[_Steps, int]], player: int, sign: int, numbers: dict[_Step, int]) -> Ends:
    rows = [(_numbered(steps[player], numbers), _numbered(steps[1 - player], numbers), bets) for steps, bets in ends]
    rows.sort()
    mine = np.array([own for own, _, _ in rows], np.intp)
    starts = _starts(mine)
    return Ends(
        others=np.array([other for _, other, _ in rows], np.intp),
        bets=np.array([[sign * bets] for _, _, bets in rows], np.float64),
        heads=mine[starts],
        starts=starts,
    )


def _starts(ascending: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return where each different value of an ascending array begins."""
    return np.flatnonzero(np.diff(ascending, prepend=-1))
