"""One Poker at level medium: the chance against what the lamps leave, the price, and what a kept card is good for.

Strategy. The other's hand is any that its lamps allow, by how many cards of each rank are not seen yet; of two cards it
lays the higher one more often than the lower. Against that a card has its chance.

- *Lay*: the card for which its chance now and, by a smaller weight, that of the kept card against any card later are
  most together; now and then the other one, or everybody could tell.
- *Bet*: a card that is well ahead lifts by half the pot or the pot; every lift of the other, and the price it asks,
  take something off the chance. What is owed is paid when the chance is greater than the price; now and then a bad card
  bets where the other has checked. A card that cannot lose is never given up, nor checked when that ends the betting.
"""

from __future__ import annotations

from typing import Final

from ..games.cards import RANKS
from ..games.game import Move
from .computer import Betting, Chance
from .onespot import Spot, behind_lamps, spot, wins
from .player import SeatView

_EVEN: Final = (1.0,) * len(RANKS)

_HIGHER: Final = 0.7
"""How often the other is taken to lay the higher of its two cards."""

_LATER: Final = 0.7
"""What a chance later counts beside one now."""

_OTHERWISE: Final = 0.1
"""How often the other card is laid."""

_AHEAD: Final = 0.62
"""From which chance on a card lifts."""

_RESPECT: Final = 0.05
"""What each lift of the other takes off the chance, and a price of a third in addition."""


class OneMedium(Betting):
    """Decides by a card's chance against what the lamps leave, and by the price."""

    def decide(self, view: SeatView, chance: Chance) -> tuple[Move, str]:
        """Return a legal move, and the chance, what is counted of it, and the price that decided."""
        at = spot(view)
        good = wins(at.ranks[0], _others(at))
        seat = view.seat
        lifted = sum([1 for taken in view.play.actions if taken.seat != seat and taken.move in ("BET", "RAISE")])
        counted = 1.0 if at.certain else good - _RESPECT * (lifted + 3 * at.price)
        reason = f"{RANKS[at.ranks[0]]} wins {good:.0%} against what the lamps leave"
        if counted < good:
            reason += f", counted as {max(counted, 0):.0%} since the other bets"
        if at.owed:
            reason += f"; a call needs {at.price:.0%}"
        lifts = counted > _AHEAD and (chance.random() < 0.85 or at.dominated("CHECK"))
        if at.lift is not None and lifts:
            share = 0.5 if counted < 0.75 else 1.0
            return at.lifting(round(share * (at.pot + at.owed))), f"{reason}, and it is ahead"
        if at.owed:
            if counted > at.price or at.certain:
                return at.staying(), reason
            return Move(name="FOLD", amount=0), reason
        checked = view.play.actions and view.play.actions[-1].move == "CHECK"
        if at.lift is not None and checked and good < 0.35 and chance.random() < 0.2:
            return at.lifting(at.pot // 2), f"{reason}, but the other has checked: a bluff"
        return at.staying(), reason

    def lays(self, view: SeatView, chance: Chance) -> tuple[int, str]:
        """Return which card to lay, and its chance now."""
        at = spot(view)
        others = _others(at)
        now = [wins(rank, others) for rank in at.ranks]
        later = [wins(rank, [float(count) for count in at.left]) for rank in at.ranks]
        place = 0 if now[0] + _LATER * later[1] > now[1] + _LATER * later[0] else 1
        if chance.random() < _OTHERWISE:
            return 1 - place, f"{RANKS[at.ranks[1 - place]]} wins {now[1 - place]:.0%} now; laid as a surprise"
        return place, (
            f"{RANKS[at.ranks[place]]} wins {now[place]:.0%} now, {RANKS[at.ranks[1 - place]]} {now[1 - place]:.0%} "
            f"now and {later[1 - place]:.0%} later"
        )


def _others(at: Spot) -> list[float]:
    """Return by rank how likely it is that the other has laid it, not normed."""
    weights = [0.0] * len(RANKS)
    for lower, higher, likely in behind_lamps(at.others, _EVEN, at.left):
        weights[lower] += (1 - _HIGHER) * likely
        weights[higher] += _HIGHER * likely
    return weights


ONE_MEDIUM: Final = OneMedium()
