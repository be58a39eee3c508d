"""Hex poker at level medium: the share of hole pairs that the hand beats, pot odds, and mixed play (DRAW-9).

Strategy. The seven cards are compared with those of every pair that the other can hold, each as often as the dealing
gives it: all alike by digest, and from a deck fewer of a digit that is seen (HEX-4). All cards are dealt before the
betting, so nothing can improve; with two seats there is no position but who opens.

- What is owed is paid when that share is greater than the price, the part of the pot that a call makes up. A bet is
  taken as a sign of strength, each of the other's and the more the dearer the call is: it lessens the
  odds that ours is the better hand.
- A hand well above the middle mostly bets or raises, a very good one sometimes with all it has; now and then it
  waits. Of the worst hands some bluff when nothing is owed, so that a bet says less.

It does not ask what the other would have done with which cards: that is what level hard adds.
"""

from __future__ import annotations

from typing import Final

from ..games.game import Card, Move
from ..games.hex import HEX, HexHand
from .computer import Betting, Chance
from .hexstrength import beaten
from .holdemmedium import against_lifts
from .player import SeatView

_GOOD, _VERY_GOOD, _BAD = 0.6, 0.9, 0.3

_LIFTS: Final = ("BET", "RAISE", "ALLIN")


class HexMedium(Betting):
    """Decides by the share of pairs beaten and by the price."""

    def decide(self, view: SeatView, chance: Chance) -> tuple[Move, str]:
        """Return a legal move, and the share and the price that decided."""
        hand: HexHand = view.hand
        share = beaten(view.board, view.hole, view.dealing)
        reason = f"{_name(hand, view.hole)} beats {share:.0%} of what the other may hold"
        owed = min(hand.betting.owed, hand.stacks[view.seat])
        price = owed / (sum(hand.totals) + owed)
        if owed:
            reason += f"; a call needs {price:.0%}"
        lifts = sum([action.seat != view.seat and action.move in _LIFTS for action in view.play.actions])
        counted = against_lifts(share, lifts, price)
        options = {option.name: option for option in view.legal}
        names = ["FOLD" if owed else "CHECK"]
        draw = chance.random()
        if counted > _VERY_GOOD and draw < 0.3:
            names = ["ALLIN"]
        elif counted > _GOOD and draw < 0.85:
            names = ["BET", "RAISE", "ALLIN"]
        elif owed and counted > price:
            names = ["CALL", "ALLIN"]
        elif not owed and share < _BAD and draw < 0.2:
            names = ["BET"]
            reason += "; a bluff"
        name = next((name for name in names if name in options), "FOLD" if owed else "CHECK")
        return Move(name=name, amount=options[name].least), reason


def _name(hand: HexHand, hole: tuple[Card, ...]) -> str:
    report = HEX.best(hand, hole)
    return "the hand" if report is None else report.split(",")[1]


HEX_MEDIUM: Final = HexMedium()
