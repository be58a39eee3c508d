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
from ..games.hexrank import best
from ..protocol.deckdeal import DeckDeal
from .computer import Betting, Chance
from .holdemmedium import against_lifts
from .player import SeatView

_GOOD, _VERY_GOOD, _BAD = 0.6, 0.9, 0.3

_LIFTS: Final = ("BET", "RAISE", "ALLIN")


class HexMedium(Betting):
    """Decides by the share of pairs beaten and by the price."""

    def decide(self, view: SeatView, chance: Chance) -> tuple[Move, str]:
        """Return a legal move, and the share and the price that decided."""
        hand: HexHand = view.hand
        share = beaten(board(hand), view.hole, dealing(view))
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


def board(hand: HexHand) -> tuple[Card, ...]:
    """Return the common cards."""
    return tuple([card for slot in HEX.board_slots(hand) if (card := hand.cards[slot]) is not None])


def dealing(view: SeatView) -> str:
    """Return how the hand is dealt: from a deck, or by digest (HEX-4)."""
    return "deck" if isinstance(view.play.deal, DeckDeal) else "hash"


def beaten(common: tuple[Card, ...], hole: tuple[Card, ...], dealing: str) -> float:
    """Return which share of the pairs that the other can hold is weaker, ties counted half (HEX-4, HEX-12)."""
    left = [10 - (*common, *hole).count(value) if dealing == "deck" else 16 for value in range(16)]
    ours = best((*common, *hole)).rank
    won = pairs = 0.0
    for first in range(16):
        # A pair and its mirror image are one hand, met twice as often as a pair of equals.
        for second in range(first, 16):
            often = left[first] * (2 * left[second] if first != second else left[first] - (dealing == "deck"))
            theirs = best((*common, first, second)).rank
            won += often * (ours > theirs) + often * (ours == theirs) / 2
            pairs += often
    return won / pairs


def _name(hand: HexHand, hole: tuple[Card, ...]) -> str:
    report = HEX.best(hand, hole)
    return "the hand" if report is None else report.split(",")[1]


HEX_MEDIUM: Final = HexMedium()
