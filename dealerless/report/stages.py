"""What the parts of a hand are called, and what happens between its rounds of betting, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..games.draw import DRAW
from ..games.game import Game

_STREETS: Final[Mapping[str, Mapping[int, str]]] = {"holdem": {0: "preflop", 3: "flop", 4: "turn", 5: "river"}}
"""By game and number of open board cards what a round of betting is called; other games have one that needs no name."""


def street_name(game: Game, hand: Any) -> str:
    """Return what the part of a hand is called in which it is now; empty in games that have one only."""
    if game.name == DRAW.name:
        if hand.street:
            return "after the exchange"
        return "exchange" if hand.exchanging or hand.broken else "before the exchange"
    opened = sum([hand.cards[slot] is not None for slot in game.board_slots(hand)])
    return _STREETS.get(game.name, {}).get(opened, "")


def exchange_text(count: int) -> str:
    """Return an exchange in words, by how many cards it is of."""
    return f"exchanges {count} card{'' if count == 1 else 's'}" if count else "keeps all its cards"


def stranded_text(game: Game) -> str:
    """Return why nobody bets any more in a hand whose cards cannot be had from its deck (VERDICT-4c)."""
    what = "no more cards can be exchanged" if game.name == DRAW.name else "the cards to come cannot be opened any more"
    return f"{what}; betting is over"
