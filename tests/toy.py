"""A toy game for two to nine seats: ante one, one hidden digit each, one fixed bet, best digit takes the pot.

It is here to show that nothing above the games knows how many seats there are or which game is played: it
runs on the same betting engine, pots and showdown as every game, and through the same table, session, journal
and referee.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from dealerless.errors import IllegalMove, UsageError, Violation
from dealerless.games.betting import Betting, apply, check, expel, legal, open_round, settled
from dealerless.games.game import (
    Act,
    Action,
    Card,
    Deal,
    Demand,
    Finished,
    Move,
    Muck,
    Option,
    Reveal,
    Show,
    Slots,
    clockwise,
)
from dealerless.games.pots import award, order_from, payouts, pots
from dealerless.games.showdown import next_to_show, showing_order
from dealerless.games.structure import Structure

ANTE: Final = 1
STRUCTURE: Final = Structure(unit=1, sizes="limit", amounts="put", closes="matched", raises=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToyTerms:
    """Chips of each seat at the start of the match, antes included."""

    chips: int

    def fields(self) -> tuple[bool | int | str, ...]:
        return (self.chips,)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToyHand:
    """One hand as everybody sees it; seat i's only slot is i."""

    terms: ToyTerms
    button: int
    betting: Betting
    cards: tuple[Card | None, ...]
    shown: tuple[int, ...]
    due: Demand

    @property
    def stacks(self) -> tuple[int, ...]:
        return self.betting.stacks

    @property
    def totals(self) -> tuple[int, ...]:
        return self.betting.totals

    @property
    def folded(self) -> tuple[bool, ...]:
        return self.betting.folded


class Toy:
    """The rules of the toy game, as the table asks for them."""

    name: str = "toy"
    seats: range = range(2, 10)
    dealings: tuple[str, ...] = ("hash", "deck")
    carries: bool = True

    def read_terms(self, fields: tuple[Any, ...], seats: int) -> ToyTerms:
        if seats not in self.seats:
            raise Violation("terms.seats", expected=(2, 9), actual=seats)
        if len(fields) != 1 or type(fields[0]) is not int:
            raise Violation("terms.malformed", expected=("chips",))
        if not ANTE <= fields[0] <= 1_000_000:
            raise Violation("terms.out-of-range", expected=("chips", ANTE, 1_000_000), actual=fields[0])
        return ToyTerms(chips=fields[0])

    def opening_stacks(self, terms: ToyTerms, seats: int) -> tuple[int, ...]:
        return (terms.chips,) * seats

    def can_be_dealt_in(self, terms: ToyTerms, stack: int) -> bool:
        return stack >= ANTE

    def start(
        self,
        terms: ToyTerms,
        stacks: tuple[int, ...],
        button: int,
        seated: tuple[int, ...],
        last: ToyHand | None = None,
    ) -> ToyHand:
        antes = tuple(ANTE if seat in seated else 0 for seat in range(len(stacks)))
        behind = tuple(stack - ante for stack, ante in zip(stacks, antes, strict=True))
        folded = tuple(not ante for ante in antes)
        betting = open_round(STRUCTURE, behind, antes, folded, (button + 1) % len(stacks))
        cards = (None,) * len(stacks)
        return ToyHand(terms=terms, button=button, betting=betting, cards=cards, shown=(), due=_deal(betting))

    def demand(self, hand: ToyHand) -> Demand:
        return hand.due

    def dealt(self, hand: ToyHand, known: Mapping[int, Card]) -> ToyHand:
        if not isinstance(hand.due, Deal):
            raise UsageError("usage.wrong-state", actual=type(hand.due).__name__)
        cards = tuple(known.get(slot, card) for slot, card in enumerate(hand.cards))
        return _going_on(replace(hand, cards=cards), "fold")

    def legal(self, hand: ToyHand) -> tuple[Option, ...]:
        return legal(hand.betting) if isinstance(hand.due, Act) else ()

    def check(self, hand: ToyHand, seat: int, action: Action) -> Violation | None:
        due = hand.due
        if isinstance(due, Act) and isinstance(action, Move):
            return check(hand.betting, seat, action)
        if isinstance(due, Show) and isinstance(action, Reveal | Muck):
            if seat != due.seat:
                return IllegalMove("turn.not-yours", expected=due.seat, actual=seat)
            if isinstance(action, Muck):
                return IllegalMove("show.may-not-muck")
            return None if len(action.cards) == 1 else IllegalMove("cards.count", expected=1)
        return IllegalMove("turn.wrong-kind", expected=type(due).__name__, actual=type(action).__name__)

    def apply(self, hand: ToyHand, seat: int, action: Action) -> ToyHand:
        if isinstance(action, Move):
            return _going_on(replace(hand, betting=apply(hand.betting, seat, action)), "fold")
        if not isinstance(action, Reveal):
            raise UsageError("usage.wrong-state", actual=type(action).__name__)
        cards = tuple(action.cards[0] if slot == seat else card for slot, card in enumerate(hand.cards))
        return _going_on(replace(hand, cards=cards, shown=(*hand.shown, seat)), "fold")

    def forfeit(self, hand: ToyHand, seat: int) -> ToyHand:
        if isinstance(hand.due, Finished):
            return hand
        hand = replace(hand, betting=expel(hand.betting, seat))
        if isinstance(hand.due, Deal) and hand.folded.count(False) > 1:
            return replace(hand, due=_deal(hand.betting))
        return _going_on(hand, "forfeit")

    def release(self, hand: ToyHand, seat: int) -> Slots:
        return ()

    def stranded(self, hand: ToyHand) -> ToyHand:
        raise UsageError("usage.wrong-state", actual=type(hand.due).__name__)

    def next_button(self, last: int, dealt: tuple[int, ...], seated: tuple[int, ...], seats: int) -> int:
        return clockwise(last, seated, seats)

    def deck(self) -> tuple[Card, ...]:
        return tuple(range(16))

    def board_slots(self, hand: ToyHand) -> Slots:
        return ()

    def hole_slots(self, hand: ToyHand, seat: int) -> Slots:
        return (seat,)

    def card_text(self, card: Card) -> str:
        return f"{card:x}"

    def best(self, hand: ToyHand, hole: tuple[Card, ...]) -> str | None:
        return self.card_text(hole[0])


TOY: Final = Toy()


def _deal(betting: Betting) -> Deal:
    return Deal(hands=tuple((seat, (seat,)) for seat, out in enumerate(betting.folded) if not out))


def _going_on(hand: ToyHand, result: str) -> ToyHand:
    """The hand with its next demand; `result` is how it ends if only one seat is left."""
    betting = hand.betting
    if betting.to_act is not None:
        return replace(hand, due=Act(seat=betting.to_act))
    betting = settled(betting)
    unpaid = pots(betting.totals, betting.folded)
    order = order_from(hand.button, len(betting.folded))
    showing = showing_order(betting.aggressor, betting.folded, order[0])
    seat = next_to_show(unpaid, showing, hand.shown, ())
    hand = replace(hand, betting=betting)
    if seat is not None:
        return replace(hand, due=Show(seat=seat, slots=(seat,), may_muck=False))
    strengths = tuple(card if slot in hand.shown else None for slot, card in enumerate(hand.cards))
    awarded = award(unpaid, strengths, order)
    paid = payouts(awarded, len(order))
    stacks = tuple(stack + chips for stack, chips in zip(betting.stacks, paid, strict=True))
    if len(showing) > 1:
        result = "showdown"
    return replace(hand, due=Finished(stacks=stacks, pots=awarded, result=result))
