"""Short matches whose cards come from a shuffled deck, each played once for all tests that read it."""

from __future__ import annotations

from functools import cache

from tests.matches import Match, by_chance, draw_offer, from_deck, hex_offer, holdem_offer, named, one_offer


@cache
def three_seats() -> Match:
    """A hand of three: one folds before the flop and releases the board, the others see it and show."""
    return Match(holdem_offer("three", seats=3, ante=1), "three").play(named("CALL FOLD CHECK"))


@cache
def blind_all_in() -> Match:
    """A hand of three in which the big blind has no chip left behind it, and shares the board right after the deal."""
    return Match(holdem_offer("short", seats=3, blinds=(1, 2), stack=2), "short").play(named("CALL CALL"))


@cache
def hex_deck() -> Match:
    """A hand of hex from its deck of 160 cards, checked to its end."""
    return Match(from_deck(hex_offer("hex", hands=1)), "hex").play()


@cache
def drawn() -> Match:
    """Two hands of draw for four: in the first one folds before the exchange and releases, three show; then a fold."""
    moves = "CHECK BET CALL FOLD RAISE CALL CALL BET CALL CALL CHECK BET FOLD FOLD FOLD"
    return Match(draw_offer("drawn", seats=4, hands=2, stack=60), "look").play(named(moves))


@cache
def rounds() -> Match:
    """Six rounds of One Poker from unequal lives, with folds and with both cards compared."""
    return Match(one_offer("report", rounds=6, lives=(10, 8)), "report").play(by_chance("x1"))
