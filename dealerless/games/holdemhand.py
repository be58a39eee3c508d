"""One hand of Texas Hold'em from its posts to its pots: what it needs next, and what each event makes of it.

The slots of the deck are dealt in the order of TABLE-5: with n seats dealt in, 0 to n-1 and n to 2n-1 are their
hole cards, twice round from the button's left; the next three are the flop, then come the turn and the river.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from .betting import Betting, expel, open_round, settled
from .game import Act, Card, Deal, Demand, OpenBoard, Pot, Release, Show, Slots
from .pots import claimants, pots, without
from .showdown import may_muck, next_to_show, paid, showing_order
from .structure import Structure

MAX_SEATS: Final = 9
RAISES: Final = 3
"""How many raises may follow the bet in fixed limit (HOLDEM-5)."""

_BOARD: Final = 5
_RIVER: Final = 3
_STREETS: Final = ((0, 3), (3, 4), (4, 5))
"""The board's cards that open before each round of betting but the first: flop, turn, river."""


def _board(dealt: int) -> Slots:
    return tuple(range(2 * dealt, 2 * dealt + _BOARD))


_BOARDS: Final = tuple(_board(dealt) for dealt in range(MAX_SEATS + 1))
_OPENINGS: Final = tuple(tuple(OpenBoard(slots=board[a:b]) for a, b in _STREETS) for board in _BOARDS)
_ACT: Final = tuple(Act(seat=seat) for seat in range(MAX_SEATS))


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldemTerms:
    """What is agreed before play (HOLDEM-3, HOLDEM-5, HOLDEM-6, SHOW-2).

    `structure`: "no-limit" or "limit". `small`, `big`: the blinds; `big` is also the smallest bet, or the small
    one. `ante`: 0 for none. `stack`: chips of every seat at the match's start. `show`: who must show.
    """

    structure: str
    small: int
    big: int
    ante: int
    stack: int
    show: str

    def fields(self) -> tuple[bool | int | str, ...]:
        """Return the terms in wire order: structure, small blind, big blind, ante, stack, show."""
        return (self.structure, self.small, self.big, self.ante, self.stack, self.show)


class HoldemHand(NamedTuple):
    """One hand as everybody sees it; named, not a dataclass, for the same reason as `Betting`.

    `order`: the seats dealt in, from the button's left. `street`: rounds of betting before this one. `betting`: the
    last round that was opened. `aggressor`: who lifted last in the last round in which anybody moved (SHOW-1).
    `releasing`: seats all-in by their posts that are still to give their shares (DECK-9). `unpaid`: the pots, once
    betting is over (POT-2). `mucked`: who gave up, in order. `broken`: the board could not be opened (VERDICT-4).
    `due`: what the hand needs next.
    """

    terms: HoldemTerms
    button: int
    order: tuple[int, ...]
    street: int
    betting: Betting
    aggressor: int | None
    cards: tuple[Card | None, ...]
    releasing: tuple[int, ...]
    unpaid: tuple[Pot, ...]
    shown: tuple[int, ...]
    mucked: tuple[int, ...]
    broken: bool
    due: Demand

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips behind, by seat, before the pots are paid; what they leave is in `Finished`."""
        return self.betting.stacks

    @property
    def totals(self) -> tuple[int, ...]:
        """Chips each seat has in the pot, antes and blinds included, uncalled ones not (POT-1)."""
        return self.betting.totals

    @property
    def folded(self) -> tuple[bool, ...]:
        """True for a seat that folded, was expelled or was not dealt in."""
        return self.betting.folded

    @property
    def board(self) -> Slots:
        """The slots of the five community cards."""
        return _BOARDS[len(self.order)]

    @property
    def closed(self) -> Slots:
        """The slots of the community cards that are not open yet."""
        return tuple(slot for slot in self.board if self.cards[slot] is None)

    def hole(self, seat: int) -> Slots:
        """Return the slots of a seat's two cards; none for a seat that was not dealt in."""
        if seat not in self.order:
            return ()
        place = self.order.index(seat)
        return (place, len(self.order) + place)


# --- before the first move ----------------------------------------------------------------------------------------


def posted(terms: HoldemTerms, stacks: tuple[int, ...], button: int, order: tuple[int, ...]) -> HoldemHand:
    """Return the hand with antes and blinds in the pot, each as far as its seat's stack goes (HOLDEM-6).

    `order`: the seats dealt in, from the button's left; the button itself is the last of them.
    """
    seats = len(stacks)
    behind, put, totals = list(stacks), [0] * seats, [0] * seats
    for seat in order:
        totals[seat] = min(behind[seat], terms.ante)
        behind[seat] -= totals[seat]
    small, big = _blinds(order)
    for seat, blind in ((small, terms.small), (big, terms.big)):
        put[seat] = min(behind[seat], blind)
        behind[seat] -= put[seat]
        totals[seat] += put[seat]
    unit = terms.big
    structure = (
        Structure(unit=unit, sizes="no-limit", amounts="to", closes="matched")
        if terms.structure == "no-limit"
        else Structure(unit=unit, sizes="limit", amounts="none", closes="matched", raises=RAISES)
    )
    betting = open_round(
        structure,
        tuple(behind),
        tuple(totals),
        tuple([seat not in order for seat in range(seats)]),
        (big + 1) % seats,
        posted=tuple(put),
        blind=terms.big,
    )
    hand = HoldemHand(
        terms=terms,
        button=button,
        order=order,
        street=0,
        betting=betting,
        aggressor=None,
        cards=(None,) * (2 * len(order) + _BOARD),
        releasing=(),
        unpaid=(),
        shown=(),
        mucked=(),
        broken=False,
        due=_ACT[button],
    )
    return dealing(hand)


def _blinds(order: tuple[int, ...]) -> tuple[int, int]:
    """Return the seats of the small and the big blind; heads-up the button is the small one (HOLDEM-3)."""
    dealt = len(order)
    return (order[0], order[1]) if dealt > 2 else (order[1], order[0])


def dealing(hand: HoldemHand) -> HoldemHand:
    """Return the hand with its deal due, two cards to each seat still in (TABLE-5)."""
    hands = tuple([(seat, hand.hole(seat)) for seat in hand.order if not hand.folded[seat]])
    return hand._replace(due=Deal(hands=hands))


def released(hand: HoldemHand, releasing: tuple[int, ...]) -> HoldemHand:
    """Return the hand when `releasing` are still to give their shares: the next one's turn, or the first move.

    Nobody has to while fewer than two others are in: then no card can be missed for its absence (DECK-9).
    """
    if hand.folded.count(False) < 3:
        releasing = ()
    if releasing:
        return hand._replace(releasing=releasing, due=Release(seat=releasing[0], slots=hand.board))
    return moved(hand._replace(releasing=()), hand.betting)


def all_in_by_posts(hand: HoldemHand) -> tuple[int, ...]:
    """Return the seats that are in without a chip behind, from the button's left."""
    return tuple([seat for seat in hand.order if not hand.stacks[seat] and not hand.folded[seat]])


# --- betting and the board ----------------------------------------------------------------------------------------


def moved(hand: HoldemHand, betting: Betting, result: str = "fold") -> HoldemHand:
    """Return the hand after its round of betting became `betting`: the next to act, or what follows the round.

    `result`: how the hand ends if a single seat is left.
    """
    if betting.to_act is not None:
        return _with_betting(hand, betting, hand.aggressor, _ACT[betting.to_act])
    aggressor = betting.aggressor if betting.moves else hand.aggressor
    betting = settled(betting)
    if betting.folded.count(False) == 1:
        return finished(_with_betting(hand, betting, aggressor, hand.due), result)
    if hand.street < _RIVER:
        return _with_betting(hand, betting, aggressor, _OPENINGS[len(hand.order)][hand.street])
    return showdown(_with_betting(hand, betting, aggressor, hand.due))


def next_street(hand: HoldemHand, cards: tuple[Card | None, ...]) -> HoldemHand:
    """Return the hand with the cards of its next street open and betting on it, if any (BET-7)."""
    street, before = hand.street + 1, hand.betting
    structure = before.structure
    if street == 2 and structure.sizes == "limit":
        # The big bet (HOLDEM-5).
        structure = Structure(unit=2 * structure.unit, sizes="limit", amounts="none", closes="matched", raises=RAISES)
    first = hand.button + 1 if hand.button + 1 < len(before.stacks) else 0
    betting = open_round(structure, before.stacks, before.totals, before.folded, first)
    return moved(hand._replace(street=street, cards=cards), betting)


def _with_betting(hand: HoldemHand, betting: Betting, aggressor: int | None, due: Demand) -> HoldemHand:
    return HoldemHand(
        terms=hand.terms,
        button=hand.button,
        order=hand.order,
        street=hand.street,
        betting=betting,
        aggressor=aggressor,
        cards=hand.cards,
        releasing=(),
        unpaid=hand.unpaid,
        shown=hand.shown,
        mucked=hand.mucked,
        broken=hand.broken,
        due=due,
    )


# --- the showdown ---------------------------------------------------------------------------------------------------


def showdown(hand: HoldemHand) -> HoldemHand:
    """Return the hand with its next show due, or finished when every pot can be awarded (SHOW-1 to SHOW-3).

    On a board that could not be opened all may concede, and what it lacks is asked for only after them, if a pot is
    then still contested (VERDICT-4).
    """
    betting = hand.betting
    if not hand.unpaid:
        hand = hand._replace(unpaid=pots(betting.totals, betting.folded))
    otherwise = hand.button + 1 if hand.button + 1 < len(betting.folded) else 0
    order = showing_order(hand.aggressor, betting.folded, otherwise)
    seat = next_to_show(hand.unpaid, order, hand.shown, hand.mucked)
    if seat is not None:
        mucks = hand.broken or may_muck(hand.terms.show, len(hand.shown), betting.stacks, betting.folded)
        return hand._replace(due=Show(seat=seat, slots=hand.hole(seat), may_muck=mucks))
    closed = hand.closed
    if closed and any(len(claimants(pot, hand.mucked)) > 1 for pot in hand.unpaid):
        return hand._replace(due=OpenBoard(slots=closed, fresh=True))
    return finished(hand, "showdown")


def finished(hand: HoldemHand, result: str) -> HoldemHand:
    """Return the hand with every pot paid: to who is left in it, or to the strongest (POT-2 to POT-4)."""
    betting = hand.betting
    unpaid = hand.unpaid or pots(betting.totals, betting.folded)
    due = paid(betting.stacks, unpaid, _strengths(hand), hand.button, hand.mucked, result)
    return hand._replace(unpaid=unpaid, due=due)


def _strengths(hand: HoldemHand) -> tuple[int | None, ...]:
    """Return how strong each shown hand is with the board (HOLDEM-2); None for a seat that has not shown."""
    strengths: list[int | None] = [None] * len(hand.folded)
    board = [card for slot in hand.board if (card := hand.cards[slot]) is not None]
    if hand.shown and len(board) == _BOARD:
        from .ranking import strength

        for seat in hand.shown:
            own = [card for slot in hand.hole(seat) if (card := hand.cards[slot]) is not None]
            strengths[seat] = strength((*board, *own))
    return tuple(strengths)


# --- who leaves ---------------------------------------------------------------------------------------------------


def expelled(hand: HoldemHand, seat: int) -> HoldemHand:
    """Return the hand without a seat that was in it, wherever it stood; its chips stay in the pot (VERDICT-4)."""
    due, before = hand.due, hand.betting
    betting = expel(before, seat)
    if betting.folded.count(False) == 1:
        betting = settled(betting)
        unpaid = without(hand.unpaid, seat, hand.mucked)
        return finished(hand._replace(betting=betting, unpaid=unpaid), "forfeit")
    if isinstance(due, Deal | Release):
        # Nobody has moved: the round is opened as if the seat had never been asked (BET-7).
        _, big = _blinds(hand.order)
        betting = open_round(
            before.structure,
            before.stacks,
            before.totals,
            betting.folded,
            (big + 1) % len(before.stacks),
            posted=before.put,
            blind=hand.terms.big,
        )
        hand = hand._replace(betting=betting)
        if isinstance(due, Deal):
            return dealing(hand)
        return released(hand, tuple([other for other in hand.releasing if other != seat]))
    if isinstance(due, Act):
        return moved(hand, betting)
    hand = hand._replace(betting=betting, unpaid=without(hand.unpaid, seat, hand.mucked))
    return showdown(hand) if hand.unpaid else hand


def stranded(hand: HoldemHand) -> HoldemHand:
    """Return the hand whose board cannot be opened: all still in show or concede now (VERDICT-4)."""
    return showdown(hand._replace(broken=True))
