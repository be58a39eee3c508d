"""An equilibrium of hex poker's betting round for the board that lies there, and how a player moves by it.

`solve` knows the board, the depth of the stacks and the dealing, nothing else: it finds for every history of moves and
every pair of hole cards how likely each legal move is to be, so that nobody gains more than a little by knowing the
whole table (`exploitability`). Solved once when the board is open, it serves the whole hand, for either player.

Up to `EXACT` bets of stack nothing is left out. Deeper, hole pairs of neighbouring strengths are played alike, in
`KINDS` kinds about as likely as each other. Up to `WHOLE` bets the tree is the game's own, complete. With deeper stacks
it is cut after `LIFTS` bets and raises (going all-in is never cut, and costs what it costs in the game); when a hand
comes within `MARGIN` of the cut, `follow` solves again from there, for the cards that both players can have by their
equilibrium so far. How much each of these costs is measured in the game itself: `exploitability`.

Importing this module does not load numpy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from ..errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from .hexresponse import Floats, Ranges, Strategy
    from .hextree import Node, Tree

    Weights: TypeAlias = tuple[npt.NDArray[np.int16], ...]

History: TypeAlias = tuple[str, ...]
"""The names of the moves made since the cards were dealt, in order; the first is the opener's."""

PARTS: Final = 1000
"""Into how many parts a decision's probability is divided: what a machine rounds otherwise hardly ever shows."""

EXACT: Final = 3
"""The deepest stack, in bets, for which hole pairs of different strength are never played alike."""

KINDS: Final = 24
"""Into how many kinds the 136 hole pairs are put in deeper games: with half of it the equilibrium loses as much again,
with twice of it nothing is gained in the rounds there is time for."""

WHOLE: Final = 6
"""The deepest stack, in bets, for which the tree is complete: 1,456 decisions, three times as many with one more."""

LIFTS: Final = 4
"""After how many bets and raises the tree of a deeper game is cut: 484 decisions. One more takes three times as long
and was no better with stacks of seven bets, the deepest that can be measured."""

_ROUNDS: Final = 150
"""How many rounds are learnt: a quarter of a second with stacks of five bets. 100 leave three times as much to gain."""

_STRAY: Final = 0.05
"""How much of a kind is still reckoned with, at the least, that by the equilibrium would not be here. Solving on for
nothing but what should be there can be exploited by being elsewhere: of 0.001 to 0.5, the least so with this."""

_UNROLLED: Final = 7
"""The deepest stack, in bets, for which the whole game is gone through: 4,372 decisions."""


class Chance(Protocol):
    """A source of chance, such as `random.Random`."""

    def randrange(self, stop: int, /) -> int:
        """Return a number from 0 to stop - 1, each equally likely."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Equilibrium:
    """How both players move on a board, from `tree.history` on; seats do not matter, only who opened.

    `board`: five digits, ascending. `depth`: of the stacks, in bets. `dealing`: "hash" or "deck". `lifts`: after how
    many bets and raises the tree is cut. `rounds`: learnt. `ranges`: which cards both can have. `weights`: by player
    (0 opened) and level of his decisions, an array (moves, places, kinds) of parts of `PARTS`.
    """

    board: tuple[int, ...]
    depth: int
    dealing: str
    rounds: int
    lifts: int
    tree: Tree
    ranges: Ranges
    weights: tuple[Weights, Weights]

    def strategy(self, player: int) -> Strategy:
        """Return a player's moves as probabilities, in arrays like those of `weights`."""
        return [level / PARTS for level in self.weights[player]]

    @property
    def value(self) -> float:
        """What the opener wins on average when both play by this, in antes; the other wins its negative."""
        from .hexresponse import expected, reaches

        first, second = (reaches(side, self.strategy(player)) for player, side in enumerate(self.tree.sides))
        return expected(self.tree, self.ranges, 0, first, second)


def solve(
    board: Sequence[int],
    depth: int,
    *,
    dealing: str = "hash",
    rounds: int | None = None,
    kinds: int | None = None,
    lifts: int | None = None,
) -> Equilibrium:
    """Return the equilibrium of a hand on `board`, five digits in any order, with stacks of `depth` bets (HEX-5).

    `dealing` says how the hidden cards come: with "hash" those of the players are independent of each other; with
    "deck" a digit that lies on the board or is held by one is rarer with the other, exactly as in 160 cards less five
    (HEX-4). `rounds` of learning, `kinds` of hole pairs and `lifts`, after which the tree is cut, are chosen by depth
    if not given. The last results are kept.

    Raises UsageError `cards.count`, `cards.not-hex-digits` or `usage.bad-value`.
    """
    if len(board) != 5:
        raise UsageError("cards.count", expected=5, actual=len(board))
    for card in board:
        if type(card) is not int or not 0 <= card <= 15:
            raise UsageError("cards.not-hex-digits", actual=card)
    if dealing not in ("hash", "deck"):
        raise UsageError("usage.bad-value", expected=("hash", "deck"), actual=dealing)
    for count in (rounds, kinds, lifts):
        if count is not None and count < 1:
            raise UsageError("usage.bad-value", expected="at least 1", actual=count)
    rounds = _ROUNDS if rounds is None else rounds
    if kinds is None and depth > EXACT:
        kinds = KINDS
    if lifts is None:
        lifts = depth if depth <= WHOLE else LIFTS
    return _solved(tuple(sorted(board)), depth, dealing, rounds, kinds, lifts)


def follow(equilibrium: Equilibrium, history: History) -> Equilibrium:
    """Return an equilibrium whose tree has all legal moves after `history`: the same, unless it is cut before.

    Keep the result for the rest of the hand, or every later question solves again. Raises UsageError
    `usage.bad-value` when the rules do not lead there, or the betting is over then.
    """
    node = equilibrium.tree.reach(history)
    while node.cut:
        equilibrium = _continued(equilibrium, node)
        node = equilibrium.tree.reach(history)
    return equilibrium


def probabilities(equilibrium: Equilibrium, history: History, hole: Sequence[int]) -> dict[str, int]:
    """Return for each legal move after `history`, by name, how many of `PARTS` it is to be made with `hole`.

    `hole`: two digits in either order. Of two moves that put in the same chips the second is never made. Raises
    like `follow`, and UsageError `cards.count` or `cards.not-hex-digits`.
    """
    from ..games.betting import legal
    from .hextree import position

    if len(hole) != 2:
        raise UsageError("cards.count", expected=2, actual=len(hole))
    for card in hole:
        if type(card) is not int or not 0 <= card <= 15:
            raise UsageError("cards.not-hex-digits", actual=card)
    equilibrium = follow(equilibrium, history)
    node = equilibrium.tree.reach(history)
    kind = equilibrium.ranges.kinds[hole[0], hole[1]]
    parts = equilibrium.weights[node.player][node.level][:, node.place, kind].tolist()
    chances: dict[str, int] = {}
    for option in legal(position(equilibrium.depth, history)):
        column = node.moves[option.name]
        chances[option.name] = parts[column]
        parts[column] = 0
    return chances


def choose(equilibrium: Equilibrium, history: History, hole: Sequence[int], chance: Chance) -> str:
    """Return the name of the move to make after `history` with `hole`: one draw from `probabilities`.

    Raises like `probabilities`.
    """
    ticket = chance.randrange(PARTS)
    for name, parts in probabilities(equilibrium, history, hole).items():
        ticket -= parts
        if ticket < 0:
            return name
    raise RuntimeError("the parts of a decision do not sum to the whole")


def reason(equilibrium: Equilibrium, history: History, hole: Sequence[int]) -> str:
    """Return in words what `choose` draws from, likeliest first: `equilibrium of this board: BET 62 %, CHECK 38 %`.

    Raises like `probabilities`.
    """
    chances = probabilities(equilibrium, history, hole)
    likely = sorted(chances.items(), key=lambda chance: -chance[1])
    return "equilibrium of this board: " + ", ".join(
        [f"{name} {parts * 100 / PARTS:.0f} %" for name, parts in likely if 200 * parts >= PARTS]
    )


def exploitability(equilibrium: Equilibrium) -> float:
    """Return how much a best response wins more than the game's value, in antes a hand, the mean of both seats.

    The answer comes from the whole game of the depth, never from a cut tree: where that of `equilibrium` is cut, what
    `follow` gives is solved. Exact but for rounding. Raises UsageError `usage.bad-value` above `_UNROLLED` bets, and
    for an equilibrium that begins in the midst of a hand.
    """
    from .hexresponse import best_response, reaches
    from .hextree import grow

    if equilibrium.tree.history or equilibrium.depth > _UNROLLED:
        raise UsageError("usage.bad-value", expected=("depth", 1, _UNROLLED), actual=equilibrium.depth)
    whole = grow(equilibrium.depth, (), equilibrium.depth)
    dealt = _dealt(equilibrium.board, equilibrium.dealing)
    strategies = _unrolled(equilibrium, whole, dealt)
    won = [
        best_response(whole, dealt, 1 - player, reaches(whole.sides[player], strategies[player])) for player in (0, 1)
    ]
    return sum(won) / 2


@lru_cache(maxsize=8)
def _solved(
    board: tuple[int, ...], depth: int, dealing: str, rounds: int, kinds: int | None, lifts: int
) -> Equilibrium:
    from .hextree import grow

    ranges = _dealt(board, dealing)
    if kinds is not None:
        ranges = ranges.merged(kinds)
    tree = grow(depth, (), lifts)
    return Equilibrium(
        board=board,
        depth=depth,
        dealing=dealing,
        rounds=rounds,
        lifts=lifts,
        tree=tree,
        ranges=ranges,
        weights=_learned(tree, ranges, rounds),
    )


def _dealt(board: tuple[int, ...], dealing: str) -> Ranges:
    from .hexresponse import deck_ranges, hash_ranges

    return hash_ranges(board) if dealing == "hash" else deck_ranges(board)


def _continued(equilibrium: Equilibrium, node: Node) -> Equilibrium:
    """Return the equilibrium from `node` on, for the cards that its history leaves."""
    from .hextree import grow

    ranges = equilibrium.ranges.narrowed(_left(equilibrium, node))
    tree = grow(equilibrium.depth, node.history, equilibrium.lifts)
    return replace(equilibrium, tree=tree, ranges=ranges, weights=_learned(tree, ranges, equilibrium.rounds))


def _left(equilibrium: Equilibrium, node: Node) -> tuple[Floats, Floats]:
    """Return how often each kind of both players comes to `node`, the likeliest 1, none less than `_STRAY`."""
    import numpy as np

    tree = equilibrium.tree
    left = [np.ones(len(equilibrium.ranges.nuts)) for _ in range(2)]
    at = tree.nodes[0]
    for name in node.history[len(tree.history) :]:
        parts = equilibrium.weights[at.player][at.level][at.moves[name], at.place]
        left[at.player] *= parts / PARTS
        at = tree.nodes[at.following[at.moves[name]]]
    first, second = (
        np.maximum(reach / reach.max(), _STRAY) if reach.max() > 0 else np.ones(len(reach)) for reach in left
    )
    return first, second


def _learned(tree: Tree, ranges: Ranges, rounds: int) -> tuple[Weights, Weights]:
    from .hexresponse import minimise

    first, second = minimise(tree, ranges, rounds)
    return _parts(first), _parts(second)


def _parts(strategy: Strategy) -> Weights:
    """Return the probabilities in whole parts; what rounding takes or leaves is the likeliest move's."""
    import numpy as np

    weights = []
    for level in strategy:
        parts = np.rint(level * PARTS).astype(np.int16)
        likeliest = level.argmax(axis=0)[np.newaxis]
        rest = PARTS - parts.sum(axis=0, dtype=np.int16)
        np.put_along_axis(parts, likeliest, np.take_along_axis(parts, likeliest, 0) + rest, 0)
        weights.append(parts)
    return tuple(weights)


def _unrolled(equilibrium: Equilibrium, whole: Tree, dealt: Ranges) -> tuple[Strategy, Strategy]:
    """Return both players' strategies for the whole tree and every kind that is dealt, with every cut solved."""
    import numpy as np

    kinds = np.empty(len(dealt.nuts), np.intp)  # by kind dealt, the kind that is solved
    kinds[dealt.kinds] = equilibrium.ranges.kinds
    strategies = [[np.zeros((*level.legal.shape, len(kinds))) for level in side.levels] for side in whole.sides]
    at: dict[History, Equilibrium] = {(): equilibrium}
    for node in whole.nodes:
        here = follow(at[node.history[:-1]], node.history)
        at[node.history] = here
        place = here.tree.reach(node.history)
        parts = here.weights[place.player][place.level][:, place.place]
        strategies[node.player][node.level][:, node.place] = parts[:, kinds] / PARTS
    return strategies[0], strategies[1]
