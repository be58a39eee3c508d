"""Texas Hold'em for two to nine seats: no limit or fixed limit, blinds, antes, a moving button (HOLDEM).

What a hand goes through is in `holdemhand`; here the table's questions are answered and its input is checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..errors import IllegalMove, UsageError, Violation
from .betting import apply, check, legal
from .cards import DECK, card_text
from .game import (
    Act,
    Action,
    Card,
    Deal,
    Demand,
    Finished,
    Move,
    Muck,
    OpenBoard,
    Option,
    Release,
    Reveal,
    Show,
    Slots,
    clockwise,
)
from .hex import MAX_CHIPS, MAX_DEPTH
from .holdemhand import (
    MAX_SEATS,
    HoldemHand,
    HoldemTerms,
    all_in_by_posts,
    expelled,
    finished,
    moved,
    next_street,
    posted,
    released,
    showdown,
    stranded,
)
from .showdown import SHOW_RULES, check_showing

STRUCTURES: Final = ("no-limit", "limit")
"""The two values of the term `structure` (HOLDEM-3)."""

_FIELDS: Final = ("structure", "small blind", "big blind", "ante", "stack", "show")


class Holdem:
    """The rules of Texas Hold'em, as the table asks for them; stateless."""

    name: str = "holdem"
    seats: range = range(2, MAX_SEATS + 1)
    dealings: tuple[str, ...] = ("deck",)
    carries: bool = True

    def read_terms(self, fields: tuple[Any, ...], seats: int) -> HoldemTerms:
        """Return the terms from `(structure, small blind, big blind, ante, stack, show)` as they stand on the wire.

        Raises Violation `terms.seats`, `terms.malformed`, `terms.out-of-range`, `terms.unknown-structure` or
        `terms.unknown-show-rule`: two to nine seats; 1 <= small <= big <= stack; ante from 0 to the stack; stack at
        most 10,000 big blinds; all chips of the table together within 2^53-1 (HOLDEM-3, HOLDEM-6, ENC-6, SHOW-2).
        """
        if seats not in self.seats:
            raise Violation("terms.seats", clause="HOLDEM-3", expected=(self.seats[0], self.seats[-1]), actual=seats)
        if len(fields) != len(_FIELDS) or [type(field) for field in fields] != [str, int, int, int, int, str]:
            raise Violation("terms.malformed", expected=_FIELDS)
        structure, small, big, ante, stack, show = fields
        if structure not in STRUCTURES:
            raise Violation("terms.unknown-structure", expected=STRUCTURES, actual=structure)
        if not 1 <= stack <= MAX_CHIPS // seats:
            raise Violation("terms.out-of-range", expected=("stack", 1, MAX_CHIPS // seats), actual=stack)
        # The big blind is the smallest bet.
        shallowest = -(-stack // MAX_DEPTH)
        for name, least, amount, most in (
            ("big blind", shallowest, big, stack),
            ("small blind", 1, small, big),
            ("ante", 0, ante, stack),
        ):
            if not least <= amount <= most:
                raise Violation("terms.out-of-range", expected=(name, least, most), actual=amount)
        if show not in SHOW_RULES:
            raise Violation("terms.unknown-show-rule", expected=SHOW_RULES, actual=show)
        return HoldemTerms(structure=structure, small=small, big=big, ante=ante, stack=stack, show=show)

    def opening_stacks(self, terms: HoldemTerms, seats: int) -> tuple[int, ...]:
        """Return the agreed stack for every seat; antes and blinds come out of it."""
        return (terms.stack,) * seats

    def can_be_dealt_in(self, terms: HoldemTerms, stack: int) -> bool:
        """Return whether the seat has a chip (TABLE-2)."""
        return stack > 0

    def start(
        self,
        terms: HoldemTerms,
        stacks: tuple[int, ...],
        button: int,
        seated: tuple[int, ...],
        last: HoldemHand | None = None,
    ) -> HoldemHand:
        """Return a new hand with antes and blinds posted, as far as the stacks go; the deal is next (HOLDEM-6).

        Raises UsageError when fewer than two seats are dealt in, the button is none of them or one has no chips.
        """
        if len(seated) < 2 or button not in seated or not all(stacks[seat] > 0 for seat in seated):
            raise UsageError(
                "usage.bad-value", expected="two seats with chips or more", actual=(button, seated, stacks)
            )
        seats = len(stacks)
        return posted(terms, stacks, button, tuple(sorted(seated, key=lambda seat: (seat - button - 1) % seats)))

    def demand(self, hand: HoldemHand) -> Demand:
        """Return what the hand needs next; after its deal, shares of who is all-in already (DECK-9), then moves."""
        return hand.due

    def dealt(self, hand: HoldemHand, known: Mapping[int, Card]) -> HoldemHand:
        """Return the hand after its Deal, Release or OpenBoard demand is fulfilled; `known` are slots now public.

        Raises UsageError when nothing is to be dealt, or a demanded board card is still unknown.
        """
        due = hand.due
        if isinstance(due, Deal):
            return released(hand, all_in_by_posts(hand))
        if isinstance(due, Release):
            return released(hand, hand.releasing[1:])
        if not isinstance(due, OpenBoard) or any(slot not in known for slot in due.slots):
            raise UsageError("usage.wrong-state", actual=type(due).__name__)
        cards = tuple([known[slot] if slot in due.slots else card for slot, card in enumerate(hand.cards)])
        return finished(hand._replace(cards=cards), "showdown") if due.fresh else next_street(hand, cards)

    def legal(self, hand: HoldemHand) -> tuple[Option, ...]:
        """Return the moves of the seat to act, a bet or raise by the level it goes to (BET-1 to BET-6)."""
        return legal(hand.betting) if type(hand.due) is Act else ()

    def check(self, hand: HoldemHand, seat: int, action: Action) -> Violation | None:
        """Return why the action is refused, or None when `apply` will take it (BET-1 to BET-7, SHOW)."""
        due = hand.due
        if type(due) is Act and type(action) is Move:
            return check(hand.betting, seat, action)
        if type(due) is Show and isinstance(action, Reveal | Muck):
            refused = check_showing(due, seat, action)
            return refused if refused is not None or isinstance(action, Muck) else _check_reveal(hand, action)
        return IllegalMove("turn.wrong-kind", expected=type(due).__name__, actual=type(action).__name__)

    def apply(self, hand: HoldemHand, seat: int, action: Action) -> HoldemHand:
        """Return the hand after an action that `check` allows."""
        if isinstance(action, Move):
            return moved(hand, apply(hand.betting, seat, action))
        if isinstance(action, Reveal):
            cards = list(hand.cards)
            for slot, card in zip(hand.hole(seat), action.cards, strict=True):
                cards[slot] = card
            return showdown(hand._replace(cards=tuple(cards), shown=(*hand.shown, seat)))
        return showdown(hand._replace(mucked=(*hand.mucked, seat)))

    def forfeit(self, hand: HoldemHand, seat: int) -> HoldemHand:
        """Return the hand without `seat`, its chips left in the pot; one that is over stays (VERDICT-4)."""
        return hand if isinstance(hand.due, Finished) or hand.folded[seat] else expelled(hand, seat)

    def release(self, hand: HoldemHand, seat: int) -> Slots:
        """Return the closed board slots if the seat has just folded, or put in its last chip, and leaves two others
        who can play on (DECK-9)."""
        others = hand.folded.count(False) - (not hand.folded[seat])
        if others < 2 or (hand.stacks[seat] and not hand.folded[seat]):
            return ()
        return hand.closed

    def stranded(self, hand: HoldemHand) -> HoldemHand:
        """Return the hand whose board cannot be opened; all still in show or concede, then comes a fresh deck if it
        still matters (VERDICT-4).

        Raises UsageError when no board is to be opened.
        """
        if not isinstance(hand.due, OpenBoard):
            raise UsageError("usage.wrong-state", actual=type(hand.due).__name__)
        return stranded(hand)

    def next_button(self, last: int, dealt: tuple[int, ...], seated: tuple[int, ...], seats: int) -> int:
        """Return the next seat dealt in after `last`; for the first hand heads-up, who had the last big blind
        (TABLE-1, TABLE-3)."""
        if len(seated) == 2 < len(dealt):
            big = clockwise(clockwise(last, dealt, seats), dealt, seats)
            if big in seated:
                return big
        return clockwise(last, seated, seats)

    def deck(self) -> tuple[Card, ...]:
        """Return the 52 cards in order."""
        return DECK

    def board_slots(self, hand: HoldemHand) -> Slots:
        """Return the slots of flop, turn and river."""
        return hand.board

    def hole_slots(self, hand: HoldemHand, seat: int) -> Slots:
        """Return the seat's two slots, none when it was not dealt in."""
        return hand.hole(seat)

    def card_text(self, card: Card) -> str:
        """Return rank and suit, such as `Td`."""
        return card_text(card)

    def best(self, hand: HoldemHand, hole: tuple[Card, ...]) -> str | None:
        """Return the report of the best five of `hole` and the board as far as it is open; None before the flop."""
        board = tuple(card for slot in hand.board if (card := hand.cards[slot]) is not None)
        if not board:
            return None
        from .ranking import report

        return report(board + hole)


HOLDEM: Final = Holdem()


def _check_reveal(hand: HoldemHand, reveal: Reveal) -> Violation | None:
    cards = reveal.cards
    if len(cards) != 2:
        return IllegalMove("cards.count", clause="HOLDEM-1", expected=2, actual=len(cards))
    if not all(type(card) is int and 0 <= card < len(DECK) for card in cards):
        return IllegalMove("cards.not-a-card", actual=cards)
    if cards[0] == cards[1] or any(card in hand.cards for card in cards):
        return IllegalMove("cards.duplicate", actual=cards)
    return None
