"""One Poker at level hard: an equilibrium of a round, looked up in a table, and bent by the cards that were seen."""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from typing import Final, NamedTuple

from ..games.cards import RANKS
from ..games.game import Move
from .computer import Betting, Chance
from .onespot import Spot, behind_lamps, spot, wins
from .onetable import PARTS, RANKS_OF, Sheet, nearest, table
from .onetree import CALL, CHECK, FOLD, LIFT, Tree, Vertex, tree
from .player import SeatView

_UNSEEN: Final = (1,) * len(RANKS)


class Place(NamedTuple):
    """Where the betting is in the tree, and what the other can have laid.

    `vertex`: its number, None when the tree is over before the betting is. `others`: by rank how likely it is laid,
    after all moves of the other, not normed.
    """

    vertex: int | None
    others: list[float]


class OneHard(Betting):
    """Decides by the shipped table."""

    def decide(self, view: SeatView, chance: Chance) -> tuple[Move, str]:
        """Return a legal move, and what the card wins against what the other's moves leave."""
        at = spot(view)
        sheet = table()[nearest(at.behind)]
        place = _place(view, at, sheet, chance)
        good = wins(at.ranks[0], place.others)
        reason = f"{RANKS[at.ranks[0]]} wins {good:.0%} against what the other can have laid"
        if at.owed:
            reason += f"; a call needs {at.price:.0%}"
        grown = tree(sheet.behind)
        if place.vertex is None or not grown.vertices[place.vertex].steps:
            stays = not at.owed or at.certain or good > at.price
            return at.staying() if stays else Move(name="FOLD", amount=0), reason
        vertex = grown.vertices[place.vertex]
        parts = sheet.bets(place.vertex, at.combo, _as_if(at, sheet, chance))
        choice = _drawn(parts, chance)
        step = vertex.steps[choice]
        reason += f"; {step.name.lower()} {parts[choice] / PARTS:.0%} of the time"
        if step.name == LIFT:
            return at.lifting(lift_amount(at.level, at.behind, grown, vertex, step.level)), reason
        if step.name == FOLD and not at.certain:
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


ONE_HARD: Final = OneHard()


def _drawn(parts: list[int], chance: Chance) -> int:
    """Return a place, as often as its parts of `PARTS` say."""
    ticket = chance.randrange(PARTS)
    for place, part in enumerate(parts):
        ticket -= part
        if ticket < 0:
            return place
    raise RuntimeError("the parts do not sum to their total")


# --- where we are ---------------------------------------------------------------------------------------------------


def _place(view: SeatView, at: Spot, sheet: Sheet, chance: Chance) -> Place:
    """Return where the moves of the round lead in the tree; sizes that it does not have count as one of its own."""
    grown, combo = tree(sheet.behind), at.combo
    others = _laid(sheet, combo, 1 - at.player, at.others, at.left)
    number: int | None = 0
    level = 0
    for taken in view.play.actions:
        before = level
        if taken.move in ("BET", "RAISE"):
            level += taken.amount
        if number is None:
            continue
        steps = answer_steps(grown, grown.vertices[number], taken.move, before, level, at.behind)
        choice, share = steps[0]
        if share < 1 and chance.random() >= share:
            choice, share = steps[1]
        if choice is None:
            number = None
            continue
        if taken.seat != view.seat:
            others = narrowed(sheet, number, combo, choice, others)
        number = grown.vertices[number].steps[choice].to
    return Place(number, others)


def _laid(sheet: Sheet, combo: int, player: int, lamps: int, left: tuple[int, ...]) -> list[float]:
    """Return by rank how likely it is that a player with these lamps has laid it, not normed."""
    weights = [0.0] * len(RANKS)
    for first, second, likely in behind_lamps(lamps, sheet.kept, left):
        lower = sheet.lower(combo, player, first, second) / PARTS
        weights[first] += lower * likely
        weights[second] += (1 - lower) * likely
    return weights


def narrowed(sheet: Sheet, number: int, combo: int, choice: int, others: list[float]) -> list[float]:
    """Return the ranks with which this move is made; all as before where the table never makes it."""
    after = [weight and weight * sheet.bets(number, combo, rank)[choice] / PARTS for rank, weight in enumerate(others)]
    return after if sum(after) > 0 else others


def answer_steps(
    grown: Tree, vertex: Vertex, move: str, before: int, level: int, behind: int
) -> list[tuple[int | None, float]]:
    """Return which steps of the vertex stand for a move from level `before` to `level` of `behind`, and how often each.

    A size between two of the tree counts as either, by the pseudo-harmonic mapping of Ganzfried and Sandholm: sizes are
    taken beside the pot, and the shares are such that a caller's odds stay nearly the same. None is no step at all.
    """
    if move in (CHECK, CALL):
        names = [step.name for step in vertex.steps]
        return [(names.index(move) if move in names else None, 1.0)]
    lifts = [place for place, step in enumerate(vertex.steps) if step.name == LIFT]
    if not lifts:
        return [(None, 1.0)]
    sizes = [(vertex.steps[place].level - vertex.level) / (2 + 2 * vertex.level) for place in lifts]
    sizes[-1] = (behind - before) / (2 + 2 * before)
    size = (level - before) / (2 + 2 * before)
    if size >= sizes[-1]:
        return [(lifts[-1], 1.0)]
    after = bisect_left(sizes[:-1], size)
    if not after:
        return [(lifts[0], 1.0)]
    least, most = sizes[after - 1], sizes[after]
    nearer = (most - size) * (1 + least) / ((most - least) * (1 + size))
    return [(lifts[after - 1], nearer), (lifts[after], 1 - nearer)]


def lift_amount(level: int, behind: int, grown: Tree, vertex: Vertex, to: int) -> int:
    """Return by how many lives to lift from `level` of `behind` where the tree lifts to `to`: as much of the pot."""
    if to == grown.behind:
        return behind
    amount = to - vertex.level
    return 1 if amount == 1 else round(amount * (1 + level) / (1 + vertex.level))


# --- cards seen -----------------------------------------------------------------------------------------------------


def _as_if(at: Spot, sheet: Sheet, chance: Chance) -> int:
    """Return the rank that our card plays as, given the cards that are left.

    The table was made for a shoe of which nothing is known. When what is left makes the card win more, or less, than
    there, it plays by chance as its neighbour does, as often as it has come nearer to what that one wins there.
    """
    rank, combo, player = at.ranks[0], at.combo, 1 - at.player
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
