"""Five-card draw for two to six seats: fixed limit, one exchange, a moving button (DRAW).

What a hand goes through is in `drawhand`; here the table's questions are answered and its input is checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..errors import IllegalMove, UsageError, Violation
from .betting import apply, check, legal
from .cards import DECK, card_text
from .drawhand import (
    HELD,
    MAX_SEATS,
    MOST_DISCARDS,
    DrawHand,
    DrawTerms,
    discarded,
    expelled,
    moved,
    posted,
    replaced,
    showdown,
    shown,
    stranded,
)
from .game import (
    Act,
    Action,
    Card,
    Deal,
    Demand,
    Discard,
    Exchange,
    Finished,
    Move,
    Muck,
    Option,
    Reveal,
    Show,
    Slots,
    clockwise,
)
from .hex import MAX_CHIPS, MAX_DEPTH
from .showdown import SHOW_RULES, check_showing

MAX_RAISES: Final = 100
"""More than anybody agrees to; it bounds the moves of a hand (ENC-6)."""

_FIELDS: Final = ("ante", "first", "second", "raises", "all-in", "stack", "show")


class Draw:
    """The rules of five-card draw, as the table asks for them; stateless."""

    name: str = "draw"
    seats: range = range(2, MAX_SEATS + 1)
    dealings: tuple[str, ...] = ("deck",)
    carries: bool = True

    def read_terms(self, fields: tuple[Any, ...], seats: int) -> DrawTerms:
        """Return the terms from `(ante, first, second, raises, all-in, stack, show)` as they stand on the wire.

        Raises Violation `terms.seats`, `terms.malformed`, `terms.out-of-range` or `terms.unknown-show-rule`: two to six
        seats; 1 <= ante <= stack; first and second amount from 1 to the stack, and the stack at most 10,000 times the
        smaller; raises from 0 to 100; a stack that can pay for a hand when nobody may be all-in; all chips of the table
        together within 2^53-1 (DRAW-1, DRAW-3, DRAW-7, ENC-6, SHOW-2).
        """
        if seats not in self.seats:
            raise Violation("terms.seats", clause="DRAW-1", expected=(self.seats[0], self.seats[-1]), actual=seats)
        kinds = [int, int, int, int, bool, int, str]
        if len(fields) != len(_FIELDS) or [type(field) for field in fields] != kinds:
            raise Violation("terms.malformed", expected=_FIELDS)
        ante, first, second, raises, allin, stack, show = fields
        if not 1 <= stack <= MAX_CHIPS // seats:
            raise Violation("terms.out-of-range", expected=("stack", 1, MAX_CHIPS // seats), actual=stack)
        shallowest = -(-stack // MAX_DEPTH)
        for name, least, amount, most in (
            ("ante", 1, ante, stack),
            ("first", shallowest, first, stack),
            ("second", shallowest, second, stack),
            ("raises", 0, raises, MAX_RAISES),
        ):
            if not least <= amount <= most:
                raise Violation("terms.out-of-range", expected=(name, least, most), actual=amount)
        if show not in SHOW_RULES:
            raise Violation("terms.unknown-show-rule", expected=SHOW_RULES, actual=show)
        terms = DrawTerms(ante=ante, first=first, second=second, raises=raises, allin=allin, stack=stack, show=show)
        if not self.can_be_dealt_in(terms, stack):
            expected = ("stack", terms.dearest, MAX_CHIPS // seats)
            raise Violation("terms.out-of-range", clause="DRAW-7", expected=expected, actual=stack)
        return terms

    def opening_stacks(self, terms: DrawTerms, seats: int) -> tuple[int, ...]:
        """Return the agreed stack for every seat; antes come out of it."""
        return (terms.stack,) * seats

    def can_be_dealt_in(self, terms: DrawTerms, stack: int) -> bool:
        """Return whether the seat has a chip, or what a hand can cost where nobody may be all-in (DRAW-7, TABLE-2)."""
        return stack >= (1 if terms.allin else terms.dearest)

    def start(
        self,
        terms: DrawTerms,
        stacks: tuple[int, ...],
        button: int,
        seated: tuple[int, ...],
        last: DrawHand | None = None,
    ) -> DrawHand:
        """Return a new hand with the antes posted, as far as the stacks go; the deal is next (DRAW-7).

        Raises UsageError when fewer than two seats are dealt in, the button is none of them or one has too few chips.
        """
        least = 1 if terms.allin else terms.dearest
        enough = min([stacks[seat] for seat in seated], default=0) >= least
        if len(seated) < 2 or button not in seated or not enough:
            raise UsageError(
                "usage.bad-value", expected="two seats with chips or more", actual=(button, seated, stacks)
            )
        after = seated.index(button) + 1
        return posted(terms, stacks, button, (*seated[after:], *seated[:after]))

    def demand(self, hand: DrawHand) -> Demand:
        """Return what the hand needs next."""
        return hand.due

    def dealt(self, hand: DrawHand, known: Mapping[int, Card]) -> DrawHand:
        """Return the hand after its Deal demand is fulfilled; nothing becomes public by it.

        Raises UsageError when nothing is to be dealt.
        """
        if not isinstance(hand.due, Deal):
            raise UsageError("usage.wrong-state", actual=type(hand.due).__name__)
        return replaced(hand) if hand.discards else moved(hand, hand.betting)

    def legal(self, hand: DrawHand) -> tuple[Option, ...]:
        """Return the moves of the seat to act; none carries an amount (BET-1 to BET-6)."""
        return legal(hand.betting) if type(hand.due) is Act else ()

    def check(self, hand: DrawHand, seat: int, action: Action) -> Violation | None:
        """Return why the action is refused, or None when `apply` will take it (BET-1 to BET-7, DRAW-10, SHOW)."""
        due = hand.due
        if type(due) is Act and type(action) is Move:
            return check(hand.betting, seat, action)
        if type(due) is Exchange and type(action) is Discard:
            return _check_discard(due, seat, action.slots)
        if type(due) is Show and isinstance(action, Reveal | Muck):
            refused = check_showing(due, seat, action)
            return refused if refused is not None or isinstance(action, Muck) else _check_reveal(hand, action)
        return IllegalMove("turn.wrong-kind", expected=type(due).__name__, actual=type(action).__name__)

    def apply(self, hand: DrawHand, seat: int, action: Action) -> DrawHand:
        """Return the hand after an action that `check` allows."""
        if isinstance(action, Move):
            return moved(hand, apply(hand.betting, seat, action))
        if isinstance(action, Discard):
            return discarded(hand, action.slots)
        if isinstance(action, Reveal):
            return shown(hand, seat, action.cards)
        return showdown(hand._replace(mucked=(*hand.mucked, seat)))

    def forfeit(self, hand: DrawHand, seat: int) -> DrawHand:
        """Return the hand without `seat`, its chips left in the pot; one that is over stays (VERDICT-4)."""
        return hand if isinstance(hand.due, Finished) or hand.folded[seat] else expelled(hand, seat)

    def release(self, hand: DrawHand, seat: int) -> Slots:
        """Return the slots that those still in could be dealt by exchanging, if the seat has just folded and leaves
        two others or more (DECK-9)."""
        return hand.to_come if hand.folded[seat] and hand.folded.count(False) >= 2 else ()

    def stranded(self, hand: DrawHand) -> DrawHand:
        """Return the hand whose exchanges cannot go on; all still in show or concede (VERDICT-4).

        Raises UsageError when no exchange is due or being dealt.
        """
        if not hand.exchanging:
            raise UsageError("usage.wrong-state", actual=type(hand.due).__name__)
        return stranded(hand)

    def next_button(self, last: int, dealt: tuple[int, ...], seated: tuple[int, ...], seats: int) -> int:
        """Return the next seat dealt in after `last` (TABLE-1)."""
        return clockwise(last, seated, seats)

    def deck(self) -> tuple[Card, ...]:
        """Return the 52 cards in order."""
        return DECK

    def board_slots(self, hand: DrawHand) -> Slots:
        """Return no slots: there are no common cards."""
        return ()

    def hole_slots(self, hand: DrawHand, seat: int) -> Slots:
        """Return the slots of the seat's five cards as it holds them now, none when it was not dealt in."""
        return hand.held[seat]

    def card_text(self, card: Card) -> str:
        """Return suit and rank, such as `DT`."""
        return card_text(card)

    def best(self, hand: DrawHand, hole: tuple[Card, ...]) -> str | None:
        """Return the report of five cards; None for fewer."""
        if len(hole) < HELD:
            return None
        from .ranking import report

        return report(hole)


DRAW: Final = Draw()


def _check_discard(due: Exchange, seat: int, slots: Slots) -> Violation | None:
    if seat != due.seat:
        return IllegalMove("turn.not-yours", expected=due.seat, actual=seat)
    if len(slots) > MOST_DISCARDS:
        return IllegalMove("exchange.too-many", expected=MOST_DISCARDS, actual=len(slots))
    # True and 1.0 are equal to a slot and none.
    if any(type(slot) is not int or slot not in due.slots for slot in slots):
        return IllegalMove("exchange.not-held", expected=due.slots, actual=slots)
    if list(slots) != sorted(set(slots)):
        return IllegalMove("exchange.unordered", expected=tuple(sorted(set(slots))), actual=slots)
    return None


def _check_reveal(hand: DrawHand, reveal: Reveal) -> Violation | None:
    cards = reveal.cards
    if len(cards) != HELD:
        return IllegalMove("cards.count", clause="DRAW-2", expected=HELD, actual=len(cards))
    if not all(type(card) is int and 0 <= card < len(DECK) for card in cards):
        return IllegalMove("cards.not-a-card", actual=cards)
    different = set(cards)
    if len(different) < HELD or not different.isdisjoint(hand.cards):
        return IllegalMove("cards.duplicate", actual=cards)
    return None
