"""What hands of every game of cards have in common when they are played straight on the rules; see `draw`, `holdem`."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from dealerless.errors import Violation
from dealerless.games.cards import read_cards
from dealerless.games.game import Action, Demand, Finished, Game, Pot

Deck = Sequence[int]
Choose = Callable[[list[Action]], Action]
"""Which of what a seat may do it does."""


class Hand(Protocol):
    """A hand with its chips: behind, put in, in pots once betting is over; and what is due."""

    @property
    def stacks(self) -> tuple[int, ...]: ...
    @property
    def totals(self) -> tuple[int, ...]: ...
    @property
    def folded(self) -> tuple[bool, ...]: ...
    @property
    def unpaid(self) -> tuple[Pot, ...]: ...
    @property
    def due(self) -> Demand: ...


H = TypeVar("H", bound=Hand)


def chips(hand: Hand) -> int:
    """All chips of the table; the same at every moment of a hand."""
    if isinstance(hand.due, Finished):
        return sum(hand.due.stacks)
    return sum(hand.stacks) + sum(hand.totals)


def assert_whole(hand: Hand, before: int) -> None:
    """TABLE: no chip made or lost, none owed by anybody, pots and stacks in step."""
    assert chips(hand) == before
    assert sum(hand.stacks) + sum(hand.totals) == before
    assert min(hand.stacks) >= 0
    assert min(hand.totals) >= 0
    if hand.unpaid:
        assert sum(pot.amount for pot in hand.unpaid) == sum(hand.totals)
        assert all(pot.amount for pot in hand.unpaid)


def legal_step(game: Game, hand: H, seat: int, taken: Action) -> H:
    """The hand after an action that has to be legal."""
    refusal = game.check(hand, seat, taken)
    assert refusal is None, (hand, seat, taken, refusal)
    after: H = game.apply(hand, seat, taken)
    return after


def refusal_of(game: Game, hand: Hand, seat: int, taken: Action) -> Violation:
    """Why an action is not legal; it must not be."""
    refusal = game.check(hand, seat, taken)
    assert refusal is not None, (seat, taken)
    return refusal


def in_hand(hand: Hand) -> list[int]:
    """The seats that are still in."""
    return [seat for seat, out in enumerate(hand.folded) if not out]


def shuffled(seed: int) -> tuple[int, ...]:
    """A deck in an order of its own for each seed."""
    return tuple(random.Random(seed).sample(range(52), 52))


def first(these: list[Action]) -> Action:
    """Always the first of what may be done."""
    return these[0]


def end(hand: Hand) -> Finished:
    """How the hand ended; it has to have."""
    assert isinstance(hand.due, Finished), hand.due
    return hand.due


def cards(text: str) -> tuple[int, ...]:
    """Cards as poker players write them, rank first: `Qh Ts` or `QhTs`."""
    letters = text.replace(" ", "")
    return read_cards(" ".join(letters[at + 1].upper() + letters[at] for at in range(0, len(letters), 2)))


def filled(placed: Mapping[int, int], plain: Deck) -> Deck:
    """A deck with these cards in their slots; the other slots get what is left, in the order of the plain deck."""
    assert len(set(placed.values())) == len(placed)
    rest = iter([card for card in plain if card not in placed.values()])
    return tuple(placed[slot] if slot in placed else next(rest) for slot in range(len(plain)))
