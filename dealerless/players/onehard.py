"""One Poker at level hard: an equilibrium of a round, looked up in a table, and bent by the cards that were seen.

Strategy. What is laid and how it is bet comes from a table (`onetable`) by the lamps of both, who has priority, and the
lives that can still be put in. It was solved by CFR+ for a round whose end is worth the lives won, what the kept card
is good for in the next round, and what priority is (`oneround`, `onesolve`, `onemake`).

- *Moves that the table does not have*, and lives for which it has no sheet: the rest of the betting is solved anew, for
  what both can have laid by then. That is remembered, and takes no more than public knowledge.
- *Cards seen*: when those that are left make a card win more or less than in a fresh shoe, it is played, as often as
  that makes up, as the next better or next worse one.
- *Whatever the table says*: a move is left out if another is at least as good, whatever the other holds and does.

How far from equilibrium, measured by `benchmarks/bench_onepoker.py`, in lives a round that a player who knew the whole
table would win, on average over both seats and all lamps:

- in the solved game at most 0.002 up to 9 lives behind, all that a match of ten lives each can come to, and at most
  0.004 up to 40; with the worst lamps 0.003 and 0.007;
- where the other may bet every amount, as the rules say, the same with up to 4 lives behind, where the table is
  complete; 0.05 with 5, 0.08 with 6, and with as few iterations as in the arena 0.10, 0.14, and 0.19 with 7: what is
  solved in the middle of a round comes from guesses about what was laid, which whoever knows the table can make go
  wrong. With more behind that is not measured.

Not in the solved game, so that more may be lost there: which of its two cards a player has kept, when its lamps differ,
the number of rounds that are left, and the cards seen. Against itself without the last the bending won 0.06 lives a
match, with a 95 % interval of 0.30 around it: it does no harm.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from ..games.cards import RANKS
from ..games.game import Move
from .computer import Betting, Chance
from .onespot import Spot, behind_lamps, spot, wins
from .onetable import BEHIND, COMBOS, PARTS, RANKS_OF, Sheet, nearest, table
from .onetree import FOLD, LIFT, OPENING, Start, Step, Tree, tree
from .player import SeatView

if TYPE_CHECKING:
    from .oneround import Floats

Moves = tuple[tuple[str, int], ...]
"""The moves of a round so far, each with its amount."""

Range = tuple[float, ...]
"""By rank how likely it is laid; the sum is 1."""

_UNSEEN: Final = (1,) * len(RANKS)

_STRAY: Final = 0.005
"""How often every card is taken to make every move, at the least: people err."""


class OneHard(Betting):
    """Decides by the shipped table, and by so many iterations where the betting has left it."""

    def __init__(self, iterations: int) -> None:
        self._iterations = iterations

    def prepare(self) -> None:
        """Read the table, and import what solves the betting that it does not have."""
        from . import onesolve  # noqa: F401

        table()

    def decide(self, view: SeatView, chance: Chance) -> tuple[Move, str]:
        """Return a legal move, and what the card wins against what the other's moves leave, if nobody folds."""
        at = spot(view)
        moves = tuple([(taken.move, taken.amount) for taken in view.play.actions])
        line = follow(at.behind, at.combo, moves, self._iterations)
        others = [likely * left for likely, left in zip(line.ranges[1 - at.player], at.left, strict=True)]
        rank, plays_as = at.ranks[0], _as_if(at, chance)
        reason = f"{RANKS[rank]} wins {wins(rank, others):.0%} of showdowns against what the other can have laid"
        if at.owed:
            # What is put in later is no part of the price, and who may fold until then does not see the showdown.
            more = "" if at.closing else ", and more since betting goes on after it"
            reason += f"; a call needs {at.price:.0%}{more}"
        if plays_as != rank:
            reason += f"; with the cards seen it is played as {RANKS[plays_as]}"
        steps = line.grown.vertices[line.vertex].steps
        shares = _sensible(at, steps, line.shares(at.combo, plays_as))
        choice = _drawn(shares, chance)
        step = steps[choice]
        reason += f"; {step.name.lower()} {shares[choice]:.0%} of the time in equilibrium"
        if step.name == LIFT:
            return at.lifting(step.level - at.level), reason
        if step.name == FOLD:
            return Move(name=FOLD, amount=0), reason
        return at.staying(), reason

    def lays(self, view: SeatView, chance: Chance) -> tuple[int, str]:
        """Return which card to lay, and how often it is laid from this hand."""
        at = spot(view)
        sheet = table()[nearest(at.behind)]
        lower = 0 if at.ranks[0] <= at.ranks[1] else 1
        parts = sheet.lower(at.combo, at.player, min(at.ranks), max(at.ranks))
        place = lower if chance.randrange(PARTS) < parts else 1 - lower
        often = (parts if place == lower else PARTS - parts) / PARTS
        laid, kept = at.ranks[place], at.ranks[1 - place]
        worth = sheet.worth[kept]
        return place, f"{RANKS[laid]} is laid {often:.0%} of the time; {RANKS[kept]} kept is worth {worth:+.2f} lives"


ONE_HARD: Final = OneHard(iterations=140)
ONE_HARD_QUICK: Final = OneHard(iterations=25)


def _sensible(at: Spot, steps: tuple[Step, ...], shares: list[float]) -> list[float]:
    """Return how often each move is made, by its share, when those that another is always as good as are not made.

    Solving leaves some of them: where a card never comes to if both play well, or wins as much either way against who
    plays well.
    """
    left = [0.0 if at.dominated(step.name) else share for step, share in zip(steps, shares, strict=True)]
    if not any(left):
        left = [float(not at.dominated(step.name)) for step in steps]
    total = sum(left)
    return [share / total for share in left]


def _drawn(shares: list[float], chance: Chance) -> int:
    """Return a place, as often as its share says."""
    ticket = chance.random() * sum(shares)
    for place, share in enumerate(shares):
        ticket -= share
        if ticket < 0:
            return place
    return max(range(len(shares)), key=shares.__getitem__)


# --- where we are ---------------------------------------------------------------------------------------------------


class Line(NamedTuple):
    """Where the betting is in a tree, how both go on from there, and what they can have laid.

    `bets` (vertices, 13) are those of a tree that was solved for this betting; None for the sheet's own.
    `ranges`: by player.
    """

    sheet: Sheet
    grown: Tree
    bets: Floats | None
    vertex: int
    ranges: tuple[Range, Range]

    def shares(self, combo: int, rank: int) -> list[float]:
        """Return by move how often it is made by who acts, with this rank laid."""
        steps = self.grown.vertices[self.vertex].steps
        if self.bets is None:
            return [part / PARTS for part in self.sheet.bets(self.vertex, combo, rank)]
        return [float(self.bets[step.to, rank]) for step in steps]


@lru_cache(maxsize=4096)
def follow(behind: int, combo: int, moves: Moves, iterations: int) -> Line:
    """Return where these moves lead, from the antes on, with so many lives behind and these lamps.

    A move that the tree does not have, and any with lives behind for which there is no sheet, is solved for: the rest
    of the betting with this move among the others, for what both can have laid before it. All of it is public, and so
    the same for both players.
    """
    if not moves:
        sheet = table()[nearest(behind)]
        first, second = [
            _normed(_laid(sheet, combo, player, lamps, _UNSEEN)) for player, lamps in enumerate(COMBOS[combo])
        ]
        line = Line(sheet, tree(sheet.behind), None, 0, (first, second))
        return line if behind in BEHIND else _solved(line, behind, OPENING, iterations)
    before = follow(behind, combo, moves[:-1], iterations)
    vertex = before.grown.vertices[before.vertex]
    name, amount = moves[-1]
    level = vertex.level + amount
    kind = LIFT if amount else name
    if not any(step.name == kind and step.level == level for step in vertex.steps):
        checked = bool(moves[:-1]) and moves[-2][0] == "CHECK"
        start = Start(player=vertex.player, level=vertex.level, owed=vertex.owed, checked=checked, lift=amount)
        before = _solved(before, behind, start, iterations)
        vertex = before.grown.vertices[0]
    choice = next(place for place, step in enumerate(vertex.steps) if step.name == kind and step.level == level)
    mover = vertex.player
    made = [
        likely and likely * (_STRAY + (1 - _STRAY) * before.shares(combo, rank)[choice])
        for rank, likely in enumerate(before.ranges[mover])
    ]
    ranges = (_normed(made), before.ranges[1]) if mover == 0 else (before.ranges[0], _normed(made))
    return before._replace(vertex=vertex.steps[choice].to, ranges=ranges)


def _solved(line: Line, behind: int, start: Start, iterations: int) -> Line:
    """Return the line at the beginning of a tree of its own, solved for its ranges."""
    from .onesolve import resolve

    bets = resolve(behind, start, line.ranges, line.sheet.worth[-1], iterations)
    return line._replace(grown=tree(behind, start), bets=bets, vertex=0)


def _normed(weights: list[float]) -> Range:
    total = sum(weights)
    return tuple([weight / total for weight in weights])


def _laid(sheet: Sheet, combo: int, player: int, lamps: int, left: tuple[int, ...]) -> list[float]:
    """Return by rank how likely it is that a player with these lamps has laid it, not normed."""
    weights = [0.0] * len(RANKS)
    for first, second, likely in behind_lamps(lamps, sheet.kept, left):
        lower = sheet.lower(combo, player, first, second) / PARTS
        weights[first] += lower * likely
        weights[second] += (1 - lower) * likely
    return weights


# --- cards seen -----------------------------------------------------------------------------------------------------


def _as_if(at: Spot, chance: Chance) -> int:
    """Return the rank that our card plays as, given the cards that are left.

    The table was made for a shoe of which nothing is known. When what is left makes the card win more, or less, than
    there, it plays by chance as its neighbour does, as often as it has come nearer to what that one wins there.
    """
    rank, combo, player, sheet = at.ranks[0], at.combo, 1 - at.player, table()[nearest(at.behind)]
    usual = _usual(sheet.behind, combo, player, at.others)
    now = wins(rank, _laid(sheet, combo, player, at.others, at.left))
    before = usual[rank]
    beyond = [other for other in RANKS_OF[at.lamps] if (usual[other] - before) * (now - before) > 0]
    if not beyond:
        return rank
    neighbour = min(beyond, key=lambda other: abs(usual[other] - before))
    return neighbour if chance.random() * abs(usual[neighbour] - before) < abs(now - before) else rank


@lru_cache(maxsize=512)
def _usual(behind: int, combo: int, player: int, lamps: int) -> tuple[float, ...]:
    """Return by rank what it wins against all that the player lays, when nothing is known of the shoe."""
    others = _laid(table()[behind], combo, player, lamps, _UNSEEN)
    return tuple([wins(rank, others) for rank in range(len(RANKS))])
