"""Heads-up hex poker: five common digits, two each, one betting round, best five of seven (HEX).

A hand is one frozen value that already carries its next demand, so asking costs nothing. Slots 0-4 are the
common cards, 5-6 seat 0's, 7-8 seat 1's; a card is its digit, 0 to 15.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ..errors import IllegalMove, UsageError, Violation
from .betting import Betting, apply, check, expel, legal, open_round
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
    Reveal,
    Show,
    Slots,
    clockwise,
)
from .pots import pots
from .showdown import SHOW_RULES, check_showing, may_muck, next_to_show, paid, showing_order
from .structure import Structure

MAX_DEPTH: Final = 10_000
"""The deepest stack in bets (ENC-6): it bounds how long a betting round can be."""

MAX_CHIPS: Final = 2**53 - 1
"""The most chips at a table (ENC-6): what every reader of the JSON report holds exactly."""

_BOARD: Final[Slots] = (0, 1, 2, 3, 4)
_HOLE: Final[tuple[Slots, Slots]] = ((5, 6), (7, 8))
_SLOTS: Final = 9
_DECK: Final[tuple[Card, ...]] = tuple(value for value in range(16) for _ in range(10))

_OPEN_BOARD: Final = OpenBoard(slots=_BOARD)
_DEAL: Final = Deal(hands=((0, _HOLE[0]), (1, _HOLE[1])))
_ACT: Final = (Act(seat=0), Act(seat=1))


@dataclass(frozen=True, slots=True, kw_only=True)
class HexTerms:
    """What is agreed before play: bet and ante in chips, the stack in bets, the show rule (HEX-2, SHOW-2)."""

    bet: int
    depth: int
    show: str

    def fields(self) -> tuple[bool | int | str, ...]:
        """Return the terms in wire order: bet, depth, show."""
        return (self.bet, self.depth, self.show)


class HexHand(NamedTuple):
    """One hand as everybody sees it. `due` is what it needs next; `mucked`, who gave up, in order.

    A named tuple for the same reason as `Betting`: every move makes one.
    """

    terms: HexTerms
    button: int
    betting: Betting
    cards: tuple[Card | None, ...]
    shown: tuple[int, ...]
    mucked: tuple[int, ...]
    due: Demand

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips behind, by seat, before the pot is paid; what it leaves is in `Finished`."""
        return self.betting.stacks

    @property
    def totals(self) -> tuple[int, ...]:
        """Chips each seat has put into the pot, ante included."""
        return self.betting.totals

    @property
    def folded(self) -> tuple[bool, ...]:
        """True for a seat that folded or was expelled."""
        return self.betting.folded


class Hex:
    """The rules of heads-up hex poker, as the table asks for them; stateless."""

    name: str = "hex"
    seats: range = range(2, 3)
    dealings: tuple[str, ...] = ("hash", "deck")
    carries: bool = False

    def read_terms(self, fields: tuple[Any, ...], seats: int) -> HexTerms:
        """Return the terms from `(bet, depth, show)` as they stand on the wire.

        Raises Violation `terms.seats`, `terms.malformed`, `terms.out-of-range` or `terms.unknown-show-rule`:
        bet at least 1, depth from 1 to 10,000, all chips of the table together within 2^53-1 (HEX-2, ENC-6,
        SHOW-2).
        """
        if seats not in self.seats:
            raise Violation("terms.seats", expected=2, actual=seats)
        if len(fields) != 3 or [type(field) for field in fields] != [int, int, str]:
            raise Violation("terms.malformed", expected=("bet", "depth", "show"))
        bet, depth, show = fields
        if not 1 <= depth <= MAX_DEPTH:
            raise Violation("terms.out-of-range", expected=("depth", 1, MAX_DEPTH), actual=depth)
        if not 1 <= bet <= MAX_CHIPS // (2 * (1 + depth)):
            raise Violation("terms.out-of-range", expected=("bet", 1, MAX_CHIPS // (2 * (1 + depth))), actual=bet)
        if show not in SHOW_RULES:
            raise Violation("terms.unknown-show-rule", expected=SHOW_RULES, actual=show)
        return HexTerms(bet=bet, depth=depth, show=show)

    def opening_stacks(self, terms: HexTerms, seats: int) -> tuple[int, ...]:
        """Return ante and stack of every seat, `b + S` each (HEX-2)."""
        return (terms.bet * (1 + terms.depth),) * seats

    def can_be_dealt_in(self, terms: HexTerms, stack: int) -> bool:
        """Return whether the seat has the agreed stack, from which every hand starts (HEX-2)."""
        return stack == terms.bet * (1 + terms.depth)

    def start(
        self,
        terms: HexTerms,
        stacks: tuple[int, ...],
        button: int,
        seated: tuple[int, ...],
        last: HexHand | None = None,
    ) -> HexHand:
        """Return a new hand with both antes posted; the seat without the button opens (HEX-2, TABLE-1).

        Raises UsageError when not both seats are dealt in with the agreed stack.
        """
        if seated != (0, 1) or not all(self.can_be_dealt_in(terms, stack) for stack in stacks):
            raise UsageError("usage.bad-value", expected=self.opening_stacks(terms, 2), actual=stacks)
        behind = terms.bet * terms.depth
        betting = open_round(_structure(terms), (behind, behind), (terms.bet, terms.bet), (False, False), 1 - button)
        return HexHand(
            terms=terms,
            button=button,
            betting=betting,
            cards=(None,) * _SLOTS,
            shown=(),
            mucked=(),
            due=_OPEN_BOARD,
        )

    def demand(self, hand: HexHand) -> Demand:
        """Return what the hand needs next: the board, the deal, moves, shows, or that it is finished."""
        return hand.due

    def dealt(self, hand: HexHand, known: Mapping[int, Card]) -> HexHand:
        """Return the hand after its board or deal is there; `known` are the slots that are now public.

        Raises UsageError when nothing is to be dealt, or the board is still unknown after its turn.
        """
        cards = tuple(known.get(slot, card) for slot, card in enumerate(hand.cards))
        if isinstance(hand.due, OpenBoard) and None not in cards[: len(_BOARD)]:
            return _after(hand, cards=cards, due=_DEAL)
        if isinstance(hand.due, Deal):
            return _after(hand, cards=cards, due=_ACT[1 - hand.button])
        raise UsageError("usage.wrong-state", actual=type(hand.due).__name__)

    def legal(self, hand: HexHand) -> tuple[Option, ...]:
        """Return the moves of the seat to act and the chips they put in (HEX-6, HEX-7); else nothing."""
        return legal(hand.betting) if type(hand.due) is Act else ()

    def check(self, hand: HexHand, seat: int, action: Action) -> Violation | None:
        """Return why the action is refused, or None when `apply` will take it (HEX-5 to HEX-8, SHOW)."""
        due = hand.due
        if type(due) is Act and type(action) is Move:
            return check(hand.betting, seat, action)
        if type(due) is Show and isinstance(action, Reveal | Muck):
            refused = check_showing(due, seat, action)
            return refused if refused is not None or isinstance(action, Muck) else _check_reveal(action)
        return IllegalMove("turn.wrong-kind", expected=type(due).__name__, actual=type(action).__name__)

    def apply(self, hand: HexHand, seat: int, action: Action) -> HexHand:
        """Return the hand after an action that `check` allows."""
        if isinstance(action, Move):
            betting = apply(hand.betting, seat, action)
            if betting.to_act is not None:
                return HexHand(
                    terms=hand.terms,
                    button=hand.button,
                    betting=betting,
                    cards=hand.cards,
                    shown=(),
                    mucked=(),
                    due=_ACT[betting.to_act],
                )
            hand = _after(hand, betting=betting)
            return _finished(hand, "fold") if True in betting.folded else _showdown(hand)
        if isinstance(action, Reveal):
            cards = list(hand.cards)
            for slot, card in zip(_HOLE[seat], action.cards, strict=True):
                cards[slot] = card
            return _showdown(_after(hand, cards=tuple(cards), shown=(*hand.shown, seat)))
        return _showdown(_after(hand, mucked=(*hand.mucked, seat)))

    def forfeit(self, hand: HexHand, seat: int) -> HexHand:
        """Return the hand won by the other seat, wherever it stood; one that is over stays (VERDICT-4)."""
        if isinstance(hand.due, Finished):
            return hand
        return _finished(_after(hand, betting=expel(hand.betting, seat)), "forfeit")

    def release(self, hand: HexHand, seat: int) -> Slots:
        """Return nothing: all common cards are open before the first move, and two seats need each other (DECK-9)."""
        return ()

    def stranded(self, hand: HexHand) -> HexHand:
        """Raise UsageError: with two seats a hand ends when one of them goes (VERDICT-4)."""
        raise UsageError("usage.wrong-state", actual=type(hand.due).__name__)

    def next_button(self, last: int, dealt: tuple[int, ...], seated: tuple[int, ...], seats: int) -> int:
        """Return the other seat: the button alternates (TABLE-1)."""
        return clockwise(last, seated, seats)

    def deck(self) -> tuple[Card, ...]:
        """Return the 160 cards of a real deck: ten of each value, in ascending order (HEX-4)."""
        return _DECK

    def board_slots(self, hand: HexHand) -> Slots:
        """Return the slots of the five common cards."""
        return _BOARD

    def hole_slots(self, hand: HexHand, seat: int) -> Slots:
        """Return the seat's two slots."""
        return _HOLE[seat]

    def card_text(self, card: Card) -> str:
        """Return the card's hex digit, in lower case (HEX-1)."""
        return f"{card:x}"

    def best(self, hand: HexHand, hole: tuple[Card, ...]) -> str | None:
        """Return `kk,c1..c5,s1..s7` for the board and `hole`; None while the board is closed (HEX-12)."""
        board = hand.cards[: len(_BOARD)]
        common = tuple(card for card in board if card is not None)
        if len(common) < len(board):
            return None
        from .hexrank import report

        return report(common + hole)


HEX: Final = Hex()


def _structure(terms: HexTerms) -> Structure:
    return Structure(unit=terms.bet, sizes="exact", amounts="put", closes="checks", allin=True)


def _after(
    hand: HexHand,
    *,
    betting: Betting | None = None,
    cards: tuple[Card | None, ...] | None = None,
    shown: tuple[int, ...] | None = None,
    mucked: tuple[int, ...] | None = None,
    due: Demand | None = None,
) -> HexHand:
    """Return the hand with some of its parts replaced."""
    return HexHand(
        terms=hand.terms,
        button=hand.button,
        betting=hand.betting if betting is None else betting,
        cards=hand.cards if cards is None else cards,
        shown=hand.shown if shown is None else shown,
        mucked=hand.mucked if mucked is None else mucked,
        due=hand.due if due is None else due,
    )


def _check_reveal(reveal: Reveal) -> Violation | None:
    if len(reveal.cards) != 2:
        return IllegalMove("cards.count", expected=2, actual=len(reveal.cards))
    if not all(type(card) is int and 0 <= card <= 15 for card in reveal.cards):
        return IllegalMove("cards.not-hex-digits", actual=reveal.cards)
    return None


def _showdown(hand: HexHand) -> HexHand:
    """Return the hand with its next show, or finished when the pot can be awarded (HEX-9, SHOW)."""
    betting = hand.betting
    unpaid = pots(betting.totals, betting.folded)
    order = showing_order(betting.aggressor, betting.folded, 1 - hand.button)
    seat = next_to_show(unpaid, order, hand.shown, hand.mucked)
    if seat is None:
        return _finished(hand, "showdown")
    mucks = may_muck(hand.terms.show, len(hand.shown), betting.stacks, betting.folded)
    return _after(hand, due=Show(seat=seat, slots=_HOLE[seat], may_muck=mucks))


def _finished(hand: HexHand, result: str) -> HexHand:
    """Return the hand with its pot paid: to who is left or the stronger seven, or halved (HEX-9)."""
    betting = hand.betting
    unpaid = pots(betting.totals, betting.folded)
    return _after(hand, due=paid(betting.stacks, unpaid, _strengths(hand), hand.button, hand.mucked, result))


def _strengths(hand: HexHand) -> tuple[int | None, ...]:
    """Return how strong each shown seven is (HEX-10 to HEX-12); None for a seat that has not shown."""
    if not hand.shown:
        return (None, None)
    from .hexrank import best

    board = hand.cards[: len(_BOARD)]
    strengths: list[int | None] = [None, None]
    for seat in hand.shown:
        seven = board + tuple(hand.cards[slot] for slot in _HOLE[seat])
        strengths[seat] = best(tuple(card for card in seven if card is not None)).rank
    return tuple(strengths)
