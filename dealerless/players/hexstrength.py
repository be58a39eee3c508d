"""How strong a hex hand is: which share of the pairs that the other can hold it beats, as they are dealt (HEX-4)."""

from __future__ import annotations

from ..games.game import Card
from ..games.hexrank import best
from ..protocol.deckdeal import DECK
from .player import SeatView


def hex_strength(view: SeatView) -> int:
    """Return how many of a thousand hands of the other ours beats, ties counted half."""
    return int(1000 * beaten(view.board, view.hole, view.dealing))


def beaten(board: tuple[Card, ...], hole: tuple[Card, ...], dealing: str) -> float:
    """Return which share of the pairs that the other can hold is weaker, ties counted half (HEX-12).

    By digest all are as likely, from a deck those with a digit that is seen are rarer.
    """
    from_deck = dealing == DECK.name
    left = [10 - (*board, *hole).count(value) if from_deck else 16 for value in range(16)]
    ours = best((*board, *hole)).rank
    won = pairs = 0.0
    for first in range(16):
        # A pair and its mirror image are one hand, met twice as often as a pair of equals.
        for second in range(first, 16):
            often = left[first] * (2 * left[second] if first != second else left[first] - from_deck)
            theirs = best((*board, first, second)).rank
            won += often * (ours > theirs) + often * (ours == theirs) / 2
            pairs += often
    return won / pairs
