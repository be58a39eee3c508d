"""How a round of One Poker can be bet: the moves that the computer players weigh, as a tree (ONE-7, ONE-8).

`behind` is how many lives each can still put in after the antes: the fewer of both, since more can never be matched. Up
to `WHOLE` of them the tree is the game's own, every amount of every bet and raise. With more, it has a few sizes: one
life, half the pot, the pot, everything; after the first lift no single life, after the second only everything, so that
there are three lifts at most. A tree can also begin where betting has come to, with the amount that was then lifted by.

Players are called 0, who has priority, and 1. The tree knows no cards.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

WHOLE: Final = 4
"""Up to so many lives behind all amounts are in the tree: 256 decisions, 1,024 with one life more."""

FOLD: Final = "FOLD"
CHECK: Final = "CHECK"
CALL: Final = "CALL"
LIFT: Final = "LIFT"
"""A bet, or a raise where something is owed."""


class Step(NamedTuple):
    """One move: what it is, to how many lives each it brings the level (0 at the antes), and to which vertex."""

    name: str
    level: int
    to: int


class Vertex(NamedTuple):
    """A place in the tree: a decision of `player`, or, without `steps`, the end of the betting.

    `level`: what each has put in, or is to put in, after the ante. `owed`: how much of it the player lacks. `folded`:
    at an end who has folded, else None; that player has lost `level` - `owed` and the ante.
    """

    player: int
    level: int
    owed: int
    folded: int | None
    steps: tuple[Step, ...]


class Start(NamedTuple):
    """Where a tree begins: who acts, the level, what the player owes of it, whether the other has just checked.

    `lift`: an amount that its first player can lift by besides those of the tree; 0 for none.
    """

    player: int
    level: int
    owed: int
    checked: bool
    lift: int


OPENING: Final = Start(player=0, level=0, owed=0, checked=False, lift=0)
"""The beginning of the betting."""


class Tree(NamedTuple):
    """All vertices, the first decision first, those with fewer moves before them before others.

    `depths`: of each number of moves the range of vertices.
    """

    behind: int
    vertices: tuple[Vertex, ...]
    depths: tuple[range, ...]


class _State(NamedTuple):
    player: int
    level: int
    owed: int
    checked: bool
    lifts: int
    folded: int | None
    over: bool


@lru_cache(maxsize=256)
def tree(behind: int, start: Start = OPENING) -> Tree:
    """Return the tree of the betting with so many lives behind, 0 or more; with none it is over at once."""
    # With few lives left all amounts; fewer than at the opening, for such a tree is solved while somebody waits.
    whole = behind <= WHOLE if start == OPENING else behind - start.level <= WHOLE - 1
    states = [_State(start.player, start.level, start.owed, start.checked, 0, None, behind == 0)]
    vertices: list[Vertex] = []
    depths: list[range] = []
    while len(vertices) < len(states):
        depths.append(range(len(vertices), len(states)))
        for number in depths[-1]:
            state = states[number]
            steps = []
            for name, after in () if state.over else _moves(state, behind, whole, 0 if number else start.lift):
                steps.append(Step(name, after.level, len(states)))
                states.append(after)
            vertices.append(Vertex(state.player, state.level, state.owed, state.folded, tuple(steps)))
    return Tree(behind, tuple(vertices), tuple(depths))


def _moves(state: _State, behind: int, whole: bool, lift: int) -> list[tuple[str, _State]]:
    player, level, owed, checked, lifts, _, _ = state
    other = 1 - player
    moves = []
    if owed:
        moves.append((FOLD, state._replace(folded=player, over=True)))
        moves.append((CALL, _State(other, level, 0, False, lifts, None, level == behind)))
    else:
        moves.append((CHECK, _State(other, level, 0, True, lifts, None, checked)))
    amounts = set(_amounts(level, behind, whole, lifts))
    if lift:
        amounts.add(lift)
    for amount in sorted(amounts):
        moves.append((LIFT, _State(other, level + amount, amount, False, lifts + 1, None, False)))
    return moves


def _amounts(level: int, behind: int, whole: bool, lifts: int) -> list[int]:
    """Return by how much the level is lifted."""
    room = behind - level
    if whole:
        return list(range(1, room + 1))
    pot = 2 + 2 * level
    sizes: tuple[int, ...] = ()
    if lifts < 2:
        sizes = (pot // 2, pot)
    if not lifts:
        sizes = (1, *sizes)
    return [size for size in sizes if size < room] + ([room] if room else [])
