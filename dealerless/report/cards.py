"""Cards for people: names and symbols of the 52, and what a report line of a shown hand means in words.

Text and JSON write a card as the game does (`SA`); a page shows `A` and a suit's symbol, named for who hears it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ..games.cards import RANKS, SUITS
from ..games.draw import DRAW
from ..games.hex import HEX
from ..games.hexrules import words as hex_words
from ..games.holdem import HOLDEM

_STANDARD: Final = (HOLDEM.name, DRAW.name)
"""Games of the 52 cards, in which a hand is reported by its class and its five cards."""
_SUITS: Final = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))
_SYMBOLS: Final = dict(
    zip(SUITS, "\N{BLACK CLUB SUIT}\N{BLACK DIAMOND SUIT}\N{BLACK HEART SUIT}\N{BLACK SPADE SUIT}", strict=True)
)
_AS_TEXT: Final = "\N{VARIATION SELECTOR-15}"
"""Behind a symbol: the sign in the colour of the text, not a picture of it."""
_NAMES: Final = dict(
    zip(
        RANKS,
        ("deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"),
        strict=True,
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """A card to look at: its rank, the symbol of its suit, and its name; the last two are empty without suits."""

    rank: str
    suit: str
    symbol: str
    name: str


def face(text: str) -> Face:
    """Return how a card, written as its game writes it, is shown."""
    if len(text) != 2:
        return Face(rank=text, suit="", symbol="", name="")
    suit, rank = text[0], text[1]
    return Face(
        rank=rank, suit=_SUITS[suit], symbol=_SYMBOLS[suit] + _AS_TEXT, name=f"{_NAMES[rank]} of {_SUITS[suit]}"
    )


def hand_text(cards: Sequence[str]) -> str:
    """Return several cards on a line: with spaces between them where a card is more than one letter."""
    return (" " if max(map(len, cards), default=1) > 1 else "").join(cards)


def best_in_words(game: str, best: str) -> str:
    """Return what a report line of a shown hand means in this game; empty where nobody has written it down."""
    if game == HEX.name:
        return hex_words(best)
    return _standard_words(best) if game in _STANDARD else ""


def worth(game: str, best: str) -> str:
    """Return a report line of a shown hand with its meaning, as a line of text has it.

    The five cards are in it where they are not all that the seat holds.
    """
    words = best_in_words(game, best)
    if game == DRAW.name:
        return words
    cards = five(game, best)
    return f"{words} ({hand_text(cards)})" if cards else f"{best}  {words}".rstrip()


def five(game: str, best: str) -> tuple[str, ...]:
    """Return the five cards of a report line, where it is made of words and cards; else nothing."""
    return tuple(best.partition(", ")[2].split(" ")) if game in _STANDARD else ()


def _standard_words(line: str) -> str:
    """Return `two pairs, SA HA D7 C7 SK` as `two pairs, aces and sevens`: class, and the ranks that make it."""
    name, _, cards = line.partition(", ")
    ranks = [card[1] for card in cards.split(" ")]
    first, last = ranks[0], ranks[-1]
    if name in ("high card", "flush"):
        return f"{name}, {_NAMES[first]}"
    if name in ("straight", "straight flush"):
        return f"{name} to the {_NAMES[first]}"
    if name == "one pair":
        return f"a pair of {_several(first)}"
    if name == "two pairs":
        return f"two pairs, {_several(first)} and {_several(ranks[2])}"
    if name == "full house":
        return f"full house, {_several(first)} over {_several(last)}"
    return name if name == "royal straight flush" else f"{name}, {_several(first)}"


def _several(rank: str) -> str:
    return _NAMES[rank] + ("es" if rank == "6" else "s")
