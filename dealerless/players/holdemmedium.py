"""Hold'em at level medium: the chance to win against random hands, position, and the pot odds (DRAW-9).

Strategy. The seat's hand is tried on sampled boards against as many random hands as there are opponents; cards that can
still improve it count with what they make of it. Against one opponent that chance is taken as it is; of several not
all will stay, and each counts as the less the more they are.

- What is owed is paid when the chance is greater than the price, the share of the pot that a call makes up. A lift is
  taken as a sign of a better hand than a random one, each of the round and the more the dearer the call is: it lessens
  the odds that ours is the better one. In position the chance counts a little more, and less while more bets can come.
- A hand that is ahead of its share by a margin bets or raises, between half of the pot and the pot by how far it is
  ahead; now and then it only calls, and now and then a hopeless hand that everybody checked to bets from behind.

It has no memory of who did what: that is what level hard adds.
"""

from __future__ import annotations

from typing import Final

from ..games.game import Move
from .computer import Betting, Chance
from .holdemspot import Spot, spot
from .player import SeatView

_BOARDS: Final = 150
"""Sampled boards: a standard error of 3 to 4 per cent, in two milliseconds."""

_AHEAD: Final = 0.03
"""How far above its share a hand has to be to bet or raise for value."""

RESPECT: Final = 0.45
"""By how much a lift at a price of a third lessens the odds that ours is the better hand."""

_COMPANY: Final = 0.4
"""How much of an opponent that has not moved yet is reckoned to stay for the flop."""

_KEEPS: Final = 0.8
"""Which part of its chance a hand that only calls makes good while bets are still to come."""


class HoldemMedium(Betting):
    """Decides by the chance against random hands and by the price."""

    def prepare(self) -> None:
        """Build the tables of strengths, and those of the boards that are looked at before the flop."""
        from .holdemrunouts import runouts

        runouts((), _BOARDS)

    def decide(self, view: SeatView, chance: Chance) -> tuple[Move, str]:
        """Return a legal move, and the chance and the price that decided."""
        at = spot(view)
        power = _power(at)
        wins = random_equity(at, power, _BOARDS)
        lifts = max(at.betting.made - (at.street == 0), 0)
        counted = against_lifts(wins, lifts, at.price) + 0.04 * (at.position - 0.5)
        reason = f"the hand wins {wins:.0%} of the time against random hands"
        if at.owed:
            reason += f"; a call needs {at.price:.0%}"
        # Half-way between what a middling hand has here and what it would have against one.
        ahead = counted - (0.5 + 0.5**power) / 2 - _AHEAD
        if at.lift is not None and ahead > 0 and chance.random() < 0.85:
            return at.lifting(_level(at, 0.5 + 2 * ahead)), f"{reason}, and it is ahead"
        if at.owed:
            return (at.staying() if counted * (_KEEPS if at.more else 1) > at.price else at.passing()), reason
        if at.lift is not None and wins < 0.4 and at.position == 1 and at.street and chance.random() < 0.15:
            return at.lifting(_level(at, 0.5)), f"{reason}, but nobody has bet: a bluff"
        return at.staying(), reason


def against_lifts(wins: float, lifts: int, price: float) -> float:
    """Return what is left of a chance against random hands when so many lifts say that this one is none.

    The dearer the call, the more they say.
    """
    odds: float = RESPECT ** ((0.5 + 1.5 * price) * lifts)
    return wins * odds / (wins * odds + 1 - wins)


def random_equity(at: Spot, power: float, boards: int) -> float:
    """Return the chance against as many random hands as `power` says, on so many sampled boards."""
    import numpy as np

    from .holdemrunouts import PAIRS, runouts

    beaten = runouts(at.board, boards).faced(at.hole).beaten(np.ones((1, len(PAIRS)), np.float32))[:, 0]
    return float((beaten**power).mean())


def _power(at: Spot) -> float:
    """Return how many random hands those opponents are worth that are likely to stay: about every second of more."""
    unmoved = 0 if at.street else sum([at.betting.acted[seat] < 0 for seat in at.opponents])
    company = max(len(at.opponents) - unmoved + _COMPANY * unmoved, 1)
    return (1 + company) / 2


def _level(at: Spot, share: float) -> int:
    """Return the level of a lift by this share of the pot as it is after a call."""
    return at.level + round(min(share, 1.0) * (at.pot + at.owed))


HOLDEM_MEDIUM: Final = HoldemMedium()
