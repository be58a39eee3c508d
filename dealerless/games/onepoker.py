"""One Poker for two: three decks, two cards each, lamps for high and low, one card laid face down (ONE).

What a round goes through is in `onepokerhand`; here the table's questions are answered and its input is checked. A hand
of the match is a round, and chips are lives.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..errors import IllegalMove, UsageError, Violation
from .betting import apply, check, legal
from .cards import DECK, RANKS, card_text, rank_of
from .game import (
    Act,
    Action,
    Card,
    Deal,
    Demand,
    DrawLot,
    Drawn,
    Finished,
    Laid,
    Lay,
    Light,
    Lit,
    Move,
    Muck,
    Option,
    Reveal,
    Show,
    Slots,
)
from .onepokerhand import (
    CLASSES,
    COPIES,
    OneHand,
    OneTerms,
    class_of,
    dealt,
    drawn,
    expelled,
    laid,
    lit,
    moved,
    opened,
    shown,
)
from .showdown import check_showing

MAX_LIVES: Final = 10_000
"""The most lives of a player (ENC-6): it bounds how long betting can be."""


class OnePoker:
    """The rules of One Poker, as the table asks for them; stateless."""

    name: str = "onepoker"
    seats: range = range(2, 3)
    dealings: tuple[str, ...] = ("shoe",)
    carries: bool = True

    def read_terms(self, fields: tuple[Any, ...], seats: int) -> OneTerms:
        """Return the terms from `(lives of seat 0, lives of seat 1)` as they stand on the wire.

        Raises Violation `terms.seats`, `terms.malformed` or `terms.out-of-range`: two seats, each with 1 to 10,000
        lives (ONE-1, ENC-6).
        """
        if seats not in self.seats:
            raise Violation("terms.seats", clause="ONE-1", expected=(2, 2), actual=seats)
        if len(fields) != 2 or [type(field) for field in fields] != [int, int]:
            raise Violation("terms.malformed", expected=("lives of seat 0", "lives of seat 1"))
        for lives in fields:
            if not 1 <= lives <= MAX_LIVES:
                raise Violation("terms.out-of-range", expected=("lives", 1, MAX_LIVES), actual=lives)
        return OneTerms(lives=(fields[0], fields[1]))

    def opening_stacks(self, terms: OneTerms, seats: int) -> tuple[int, ...]:
        """Return the lives of each player; antes come out of them."""
        return terms.lives

    def can_be_dealt_in(self, terms: OneTerms, stack: int) -> bool:
        """Return whether the player has a life (ONE-10)."""
        return stack > 0

    def start(
        self,
        terms: OneTerms,
        stacks: tuple[int, ...],
        button: int,
        seated: tuple[int, ...],
        last: OneHand | None = None,
    ) -> OneHand:
        """Return a new round with a life of each in the pot: the lot is next in the first one, else the deal.

        Raises UsageError when not both are dealt in with a life, or the button is neither.
        """
        if seated != (0, 1) or button not in seated or min(stacks) < 1:
            raise UsageError("usage.bad-value", expected="two seats with lives", actual=(button, seated, stacks))
        return opened(terms, stacks, button, last)

    def demand(self, hand: OneHand) -> Demand:
        """Return what the round needs next."""
        return hand.due

    def dealt(self, hand: OneHand, known: Mapping[int, Card]) -> OneHand:
        """Return the round after its Deal demand is fulfilled; the lamps are next (ONE-4).

        Raises UsageError when nothing is to be dealt.
        """
        if not isinstance(hand.due, Deal):
            raise UsageError("usage.wrong-state", actual=type(hand.due).__name__)
        return dealt(hand)

    def legal(self, hand: OneHand) -> tuple[Option, ...]:
        """Return the moves of the seat to act, a bet or raise by how many lives it goes up (ONE-7)."""
        return legal(hand.betting) if type(hand.due) is Act else ()

    def check(self, hand: OneHand, seat: int, action: Action) -> Violation | None:
        """Return why the action is refused, or None when `apply` will take it (ONE-4 to ONE-8)."""
        due = hand.due
        if type(due) is Act and type(action) is Move:
            return check(hand.betting, seat, action)
        if type(due) is Show and isinstance(action, Reveal | Muck):
            refused = check_showing(due, seat, action, "ONE-5")
            return refused if refused is not None or isinstance(action, Muck) else _check_reveal(hand, seat, action)
        if isinstance(due, DrawLot) and isinstance(action, Drawn):
            return None if seat in due.seats else IllegalMove("turn.not-yours", expected=due.seats, actual=seat)
        if isinstance(due, Light) and isinstance(action, Lit):
            return _check_lit(due, seat, action.classes)
        if isinstance(due, Lay) and isinstance(action, Laid):
            return None if seat == due.seat else IllegalMove("turn.not-yours", expected=due.seat, actual=seat)
        return IllegalMove("turn.wrong-kind", expected=type(due).__name__, actual=type(action).__name__)

    def apply(self, hand: OneHand, seat: int, action: Action) -> OneHand:
        """Return the round after an action that `check` allows."""
        if isinstance(action, Move):
            return moved(hand, apply(hand.betting, seat, action))
        if isinstance(action, Drawn):
            return drawn(hand, seat)
        if isinstance(action, Lit):
            return lit(hand, seat, action.classes)
        if isinstance(action, Laid):
            return laid(hand, seat)
        if isinstance(action, Reveal):
            return shown(hand, seat, action.cards[0])
        raise UsageError("usage.wrong-state", actual=type(action).__name__)

    def forfeit(self, hand: OneHand, seat: int) -> OneHand:
        """Return the round without `seat`; the other takes the pot, and one that is over stays (VERDICT-4, ONE-5)."""
        return hand if isinstance(hand.due, Finished) else expelled(hand, seat)

    def release(self, hand: OneHand, seat: int) -> Slots:
        """Return no slots: of two players no fold leaves a hand that goes on (DECK-9)."""
        return ()

    def stranded(self, hand: OneHand) -> OneHand:
        """Raise UsageError: with two players nothing is ever missing that the round could go on without."""
        raise UsageError("usage.wrong-state", actual=type(hand.due).__name__)

    def next_button(self, last: int, dealt: tuple[int, ...], seated: tuple[int, ...], seats: int) -> int:
        """Return `last`, whom the round before gave the priority (ONE-6)."""
        return last

    def deck(self) -> tuple[Card, ...]:
        """Return 156 cards: each of the 52 three times in a row (ONE-2, DECK-2)."""
        return tuple([card for card in DECK for _ in range(COPIES)])

    def board_slots(self, hand: OneHand) -> Slots:
        """Return no slots: there are no common cards."""
        return ()

    def hole_slots(self, hand: OneHand, seat: int) -> Slots:
        """Return the place of the seat's laid card, the only one that ever opens."""
        return (seat,)

    def card_text(self, card: Card) -> str:
        """Return suit and rank, such as `DT`."""
        return card_text(card)

    def best(self, hand: OneHand, hole: tuple[Card, ...]) -> str | None:
        """Return the class and rank that a laid card counts as, such as `UP T`; None for other than one."""
        if len(hole) != 1:
            return None
        return f"{CLASSES[class_of(hole[0])]} {RANKS[rank_of(hole[0])]}"


ONEPOKER: Final = OnePoker()


def _check_lit(due: Light, seat: int, classes: tuple[int, ...]) -> Violation | None:
    if seat != due.seat:
        return IllegalMove("turn.not-yours", expected=due.seat, actual=seat)
    if len(classes) != due.count:
        return IllegalMove("deck.wrong-size", clause="ONE-4", expected=due.count, actual=len(classes))
    if not all(type(number) is int and 0 <= number < len(due.classes) for number in classes):
        return IllegalMove("cards.class", expected=tuple(range(len(due.classes))), actual=classes)
    return None


def _check_reveal(hand: OneHand, seat: int, reveal: Reveal) -> Violation | None:
    cards = reveal.cards
    if len(cards) != 1:
        return IllegalMove("cards.count", clause="ONE-5", expected=1, actual=len(cards))
    card = cards[0]
    if type(card) is not int or not 0 <= card < len(DECK):
        return IllegalMove("cards.not-a-card", actual=cards)
    if not hand.lamps[seat][class_of(card)]:
        return IllegalMove("cards.class", expected=hand.lamps[seat], actual=CLASSES[class_of(card)])
    return None
