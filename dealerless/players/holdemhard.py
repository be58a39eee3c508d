"""Hold'em at level hard: ranges for everybody, simulation against them, bluffs as often as pot odds say (DRAW-9).

Strategy. The moves of the hand so far give each opponent a range, and the seat the range that the others must think it
has (`holdemranges`). Every move is then weighed in chips on sampled boards (`holdemrunouts`), without any hidden card:

- Checking and calling are worth the share of the pot that the hand wins against the ranges as they are; players who
  still owe give up as their odds say.
- A bet or raise, of some sizes where the size is free, is worth the pot when all give up, and otherwise the share of
  the larger pot that the hand wins against what stays.
- A lift is made for *value* when it is worth more than the rest and the chips that go in come back with a gain when
  they are called.
- A hand that would otherwise be given up, or is too weak to pay the bet it could make itself, *bluffs* with the
  frequency that makes the others' calls worth nothing: x / (p + 2x) of the bets of x into p are bluffs.
- Everything else checks, calls if that is worth more than nothing, or folds.

Later rounds are not looked into: a hand is taken to win what it wins when all show on the completed board, less a part
out of which it will be bet, the larger the worse its position. Nor is more paid, while bets can still come, than keeps
bluffs at us from paying: the weakest of what we may hold give up as often as the risk of the bettor says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ..games.cards import cards_text
from ..games.game import Move
from ..games.ranking import CLASSES, class_of, strength
from .computer import Betting, Chance
from .holdemspot import Spot, history, spot
from .player import SeatView

if TYPE_CHECKING:
    from .holdemrunouts import Faced, Floats

_SIZES: Final = (0.5, 1.0)
"""Lifts that are weighed, as shares of the pot after a call; the whole stack besides, when it is not much more."""

_SHOVE: Final = 2.0
"""The whole stack is weighed when it is at most so many pots."""

_LOST: Final = 0.2
"""Which part of its share a hand in the worst position fails to win more than in the best, while there are rounds to
come."""

_ANYWHERE: Final = 0.5
"""What it fails to win even in the best, as a part of that."""


class Worth(NamedTuple):
    """A move in chips: what it is worth, how often all give up, and which share of the pot is won if they do not."""

    chips: float
    all_fold: float
    called: float
    gains: bool


class HoldemHard(Betting):
    """Decides by ranges, simulation and pot odds, on so many sampled boards."""

    def __init__(self, boards: int) -> None:
        self._boards = boards

    def prepare(self) -> None:
        """Build the tables of strengths, the boards that are looked at before the flop, and what each pair is worth."""
        from . import holdemranges  # noqa: F401
        from .holdemrunouts import ranking, runouts

        runouts((), self._boards)
        ranking((), self._boards)

    def decide(self, view: SeatView, chance: Chance) -> tuple[Move, str]:
        """Return a legal move, and the numbers that decided."""
        from .holdemranges import bluff_chance, narrowed, quantiles, risk
        from .holdemrunouts import number, runouts, without

        at = spot(view)
        ranges = narrowed(list(history(view)), len(view.hand.folded), self._boards)
        table = _Table(at, ranges, runouts(at.board, self._boards).faced(at.hole), self._boards)
        stays = table.worth(at.owed, at.level)
        passive = max(stays.chips, 0.0) if at.owed else stays.chips
        reason = f"{_name(at)} wins {stays.called:.0%} against what they may hold"
        if at.owed:
            reason += f"; a call needs {at.price:.0%}"
        best: tuple[Worth, Move] | None = None
        for move in _lifts(at):
            level = at.level_after(move)
            worth = table.worth(level - at.put, level)
            if best is None or worth.chips > best[0].chips:
                best = worth, move
            if worth.gains and worth.chips > passive and not best[0].gains:
                best = worth, move
        ours = ranges[at.seat] * without(at.board)
        good = float(quantiles(ours, at.board, self._boards)[number(at.hole)])
        # What has to be given up, or any bluff at us would pay: no more is asked where nothing comes after the call.
        weak = at.owed / at.pot if at.more else 0.0
        pays = stays.chips > 0 and good >= weak
        if best is not None:
            worth, move = best
            if worth.gains and worth.chips > passive:
                return move, f"{reason}; called it still wins {worth.called:.0%}"
            risked = risk(at.level_after(move) - at.put, at.pot)
            hopeless = at.owed / at.pot if at.owed else risked
            if stays.chips > 0 and worth.chips > passive and not pays if at.owed else good < risked:
                value = table.better(ours, at.level_after(move) - at.put, at.level_after(move))
                often = bluff_chance(value, risked, hopeless)
                if chance.random() < often:
                    return move, f"{reason}; a bluff, made {often:.0%} of the time with such a hand"
        if at.owed and not pays:
            if stays.chips > 0:
                reason += f", but only {1 - good:.0%} of what we may hold is worse"
            return at.passing(), reason
        return at.staying(), reason


class _Table:
    """The opponents of a decision, with their ranges."""

    def __init__(self, at: Spot, ranges: list[Floats], faced: Faced, boards: int) -> None:
        from .holdemranges import quantiles
        from .holdemrunouts import without

        self._at = at
        self._faced = faced
        self._boards = boards
        known = without((*at.board, *at.hole))
        self._ranges: dict[int, Floats] = {seat: ranges[seat] * known for seat in at.opponents}
        self._good = {seat: quantiles(weights, at.board, boards) for seat, weights in self._ranges.items()}

    def better(self, ours: Floats, paid: int, level: int) -> float:
        """Return which share of a range of ours beats half of what stays of each opponent's after such a lift."""
        from .holdemranges import share_above

        _, stay, _ = self._answers(paid, level)
        return min([share_above(ours, weights, self._at.board, self._boards) for weights in stay])

    def worth(self, paid: int, level: int) -> Worth:
        """Return what putting in `paid` is worth, which brings the level of the round to `level`."""
        import numpy as np

        at = self._at
        # What nobody can match comes back.
        most = max([at.betting.put[seat] + at.betting.stacks[seat] for seat in at.opponents])
        paid = min(paid, max(most - at.put, 0))
        folds, stay, comes = self._answers(paid, min(level, max(most, at.level)))
        beaten = self._faced.beaten(np.stack(stay))
        away = np.array(folds)
        all_fold = float(away.prod())
        wins = float(np.mean(np.prod(away + (1 - away) * beaten, axis=1))) - all_fold
        if all_fold > 0.999:
            return Worth(at.pot, 1.0, 0.0, False)
        met = 1 - all_fold
        called, comes = wins / met, comes / met
        keeps = 1 - _LOST * (_ANYWHERE + 1 - at.position) * (at.street < 3 and at.stack > paid)
        chips = all_fold * at.pot + met * (called * keeps * (at.pot + paid + comes) - paid)
        # Before the flop what is in the pot already is worth fighting for with more than the best hands.
        won = paid + comes + (0 if at.board else at.pot)
        return Worth(chips, all_fold, called, called * won > paid)

    def _answers(self, paid: int, level: int) -> tuple[list[float], list[Floats], float]:
        """Return for each opponent how often it gives up and what stays of its range, and what they put in on average.

        `paid` and `level` as in `worth`; who owes nothing stays as it is.
        """
        from .holdemranges import risk, shared, staying

        at = self._at
        betting = at.betting
        owing = [seat for seat in at.opponents if betting.put[seat] < level and betting.stacks[seat]]
        risked = shared(risk(paid, at.pot), len(owing)) if paid else 0.0
        folds, stay, comes = [], [], 0.0
        for seat in at.opponents:
            share, weights = 0.0, self._ranges[seat]
            if seat in owing:
                owes = min(level - betting.put[seat], betting.stacks[seat])
                share, weights = staying(weights, self._good[seat], risked if paid else risk(owes, at.pot))
                comes += (1 - share) * owes
            folds.append(share)
            stay.append(weights)
        return folds, stay, comes


def _lifts(at: Spot) -> list[Move]:
    """Return the bets or raises that are weighed, smallest first."""
    if at.lift is None:
        return []
    moves = []
    if at.lift.least < at.lift.most:
        after = at.pot + at.owed
        moves = [at.lifting(at.level + round(size * after)) for size in _SIZES]
        if at.stack - at.owed <= _SHOVE * after:
            moves.append(at.lifting(at.lift.most))
    else:
        moves = [at.lifting(at.lift.least)]
    return [move for place, move in enumerate(moves) if move not in moves[:place]]


def _name(at: Spot) -> str:
    """Return what the hand is, in words."""
    if not at.board:
        return cards_text(at.hole)
    return CLASSES[class_of(strength((*at.board, *at.hole)))]


HOLDEM_HARD: Final = HoldemHard(boards=600)
HOLDEM_HARD_QUICK: Final = HoldemHard(boards=150)
