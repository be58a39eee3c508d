"""The deck of 52 cards: numbers, and the two letters a card is written with (HOLDEM-4).

A card is an int from 0 to 51: four times its rank (0 the deuce, 12 the ace) and its suit (0 clubs, 1 diamonds, 2
hearts, 3 spades). In text the suit comes first: `SA` is the ace of spades, `DT` the ten of diamonds. One card has one
spelling, in capitals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from dealerless.errors import UsageError

Card: TypeAlias = int
"""A card from 0 (C2) to 51 (SA)."""

SUITS: Final = "CDHS"
"""The suits by their number; no suit beats another (HOLDEM-2)."""

RANKS: Final = "23456789TJQKA"
"""The ranks by their number, the ace as the highest."""

DECK: Final[tuple[Card, ...]] = tuple(range(52))
"""Every card once, in the order in which a deck starts: C2, D2, H2, S2, C3, ..., SA (DECK-2)."""

_TEXTS: Final = tuple(suit + rank for rank in RANKS for suit in SUITS)
_CARDS: Final = {text: card for card, text in enumerate(_TEXTS)}


def rank_of(card: Card) -> int:
    """Return the rank of a card, 0 (deuce) to 12 (ace)."""
    return card >> 2


def suit_of(card: Card) -> int:
    """Return the suit of a card as an index of `SUITS`."""
    return card & 3


def card_text(card: Card) -> str:
    """Return a card as suit letter and rank, such as `SA` (HOLDEM-4)."""
    return _TEXTS[card]


def cards_text(cards: Iterable[Card]) -> str:
    """Return cards in their order, with a space between two (HOLDEM-4)."""
    return " ".join(map(_TEXTS.__getitem__, cards))


def read_card(text: str) -> Card:
    """Return the card that `text` names, exactly as `card_text` writes it (HOLDEM-4).

    Raises `UsageError` `cards.not-a-card`, with what was meant as a hint if that can be seen.
    """
    card = _CARDS.get(text)
    if card is None:
        raise UsageError("cards.not-a-card", actual=text, hint=_meant(text))
    return card


def read_cards(text: str) -> tuple[Card, ...]:
    """Return the cards named in `text`, separated by spaces, in their order (HOLDEM-4).

    Raises `UsageError` `cards.not-a-card` or `cards.duplicate`.
    """
    cards = tuple(read_card(word) for word in text.split(" ") if word)
    check_distinct(cards)
    return cards


def check_distinct(cards: Sequence[Card]) -> None:
    """Return if no card stands twice in `cards`; raises `UsageError` `cards.duplicate` with the first that does."""
    if len(set(cards)) == len(cards):
        return
    seen: set[Card] = set()
    for card in cards:
        if card in seen:
            raise UsageError("cards.duplicate", actual=card_text(card))
        seen.add(card)


def _meant(text: str) -> str:
    """Return a hint for a text that is no card, empty if nothing is near."""
    if len(text) > 3 or not text.isascii():
        return ""
    letters = text.upper().replace("10", "T")
    for guess in (letters, letters[::-1]):
        if guess in _CARDS:
            return f"suit first, then rank, in capitals, the ten as T: write {guess}"
    return ""
