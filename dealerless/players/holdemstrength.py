"""How strong a Hold'em hand is for the simple automatic player: which share of other hands it beats, without chance.

Before the flop hands are put in an order by their ranks; after it, each is compared with many that another could have
on the same board. Cards to come count for nothing: this player bets on what it has.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Final

from ..games.cards import DECK, Card, rank_of, suit_of
from ..games.ranking import strength
from .player import SeatView

_EVERY: Final = 9
"""Of the thousand pairs that another can hold every ninth is looked at: milliseconds, and per cents of error."""


def holdem_strength(view: SeatView) -> int:
    """Return of how many of a thousand random hands ours is better than, ties counted half.

    Where several seats are still in the chance to beat them all is less, and the number with it.
    """
    hand = view.hand
    share = _made(view.hole, view.board) if view.board else before_the_flop(view.hole)
    others = hand.folded.count(False) - 1
    # As if every second one of them were independent of the others: all hands share the board.
    return int(1000 * share ** ((1 + others) / 2))


def before_the_flop(hole: tuple[Card, ...]) -> float:
    """Return which share of all pairs comes before this one, half of its equals included."""
    order = _order()
    ours = _worth(hole)
    below = sum([count for worth, count in order.items() if worth < ours])
    return (below + order[ours] / 2) / sum(order.values())


def _made(hole: tuple[Card, ...], board: tuple[Card, ...]) -> float:
    """Return which share of the pairs that another can hold is weaker on this board."""
    ours = strength((*board, *hole))
    rest = [card for card in DECK if card not in board and card not in hole]
    seen = [strength((*board, *pair)) for pair in list(combinations(rest, 2))[::_EVERY]]
    return sum([2 if rank < ours else rank == ours for rank in seen]) / (2 * len(seen))


@cache
def _order() -> dict[int, int]:
    """Return how many of the 1,326 pairs have each worth."""
    order: dict[int, int] = {}
    for pair in combinations(DECK, 2):
        worth = _worth(pair)
        order[worth] = order.get(worth, 0) + 1
    return order


def _worth(hole: tuple[Card, ...]) -> int:
    """Return a number that orders pairs of cards: high cards, then equal ones, one suit, and ranks near each other."""
    low, high = sorted([rank_of(card) for card in hole])
    if low == high:
        return 66 + 8 * high
    suited = suit_of(hole[0]) == suit_of(hole[1])
    return 6 * high + 4 * low + 8 * suited - 2 * min(high - low, 5) + (6 if high == 12 else 0)
