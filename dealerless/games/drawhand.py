"""One hand of five-card draw from its antes to its pots: what it needs next, and what each event makes of it.

The slots of the deck are dealt in the order of TABLE-5: with n seats dealt in, 0 to 5n-1 are their cards, five times
round from the button's left; the next ones replace discards, seat by seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, NamedTuple

from .betting import Betting, expel, open_round, settled
from .game import Act, Card, Deal, Demand, Exchange, Pot, Show, Slots
from .pots import pots, without
from .showdown import may_muck, paid, showing_order, to_show
from .structure import Structure

MAX_SEATS: Final = 6
HELD: Final = 5
"""Cards in a hand."""
MOST_DISCARDS: Final = 3
"""How many of them may be exchanged (DRAW-2)."""

_ACT: Final = tuple(Act(seat=seat) for seat in range(MAX_SEATS))


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawTerms:
    """What is agreed before play (DRAW-1, DRAW-3, DRAW-7, SHOW-2).

    `ante`: of each seat and hand. `first`, `second`: the fixed amount of each round. `raises`: how many may follow a
    bet. `allin`: whether a seat may play on with less than a hand can cost. `stack`: chips of every seat at the match's
    start. `show`: who must show.
    """

    ante: int
    first: int
    second: int
    raises: int
    allin: bool
    stack: int
    show: str

    def fields(self) -> tuple[bool | int | str, ...]:
        """Return the terms in wire order: ante, first and second amount, raises, all-in, stack, show."""
        return (self.ante, self.first, self.second, self.raises, self.allin, self.stack, self.show)

    @property
    def dearest(self) -> int:
        """The most chips that one hand can cost a seat (DRAW-7)."""
        return self.ante + (1 + self.raises) * (self.first + self.second)


class DrawHand(NamedTuple):
    """One hand as everybody sees it; named, not a dataclass, for the same reason as `Betting`.

    `order`: the seats dealt in, from the button's left. `street`: rounds of betting before this one. `betting`: the
    last round that was opened. `aggressor`: who lifted last in the last round in which anybody moved (SHOW-1). `held`:
    by seat the slots of its cards, ascending, none for a seat that was not dealt in. `top`: the first slot not dealt
    yet. `exchanging`: seats still to exchange, in order. `discards`: what the first of them gives up while its new
    cards are dealt; until they are, it holds the old ones. `unpaid`: the pots, once betting is over (POT-2). `showing`:
    who is still to show, in order, as far as nobody mucks before. `mucked`: who gave up, in order. `broken`: an
    exchange could not be dealt (VERDICT-4). `due`: what the hand needs next.
    """

    terms: DrawTerms
    button: int
    order: tuple[int, ...]
    street: int
    betting: Betting
    aggressor: int | None
    cards: tuple[Card | None, ...]
    held: tuple[Slots, ...]
    top: int
    exchanging: tuple[int, ...]
    discards: Slots
    unpaid: tuple[Pot, ...]
    showing: tuple[int, ...]
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
        """Chips each seat has in the pot, antes included, uncalled ones not (POT-1)."""
        return self.betting.totals

    @property
    def folded(self) -> tuple[bool, ...]:
        """True for a seat that folded, was expelled or was not dealt in."""
        return self.betting.folded

    @property
    def to_come(self) -> Slots:
        """The slots that can still be dealt, as far as all who are to exchange could need them (DECK-9)."""
        if self.street or self.broken:
            return ()
        # While nobody has exchanged, everybody still in is going to.
        seats = len(self.exchanging) or self.folded.count(False)
        return tuple(range(self.top, self.top + MOST_DISCARDS * seats))


# --- before the first move ----------------------------------------------------------------------------------------


def posted(terms: DrawTerms, stacks: tuple[int, ...], button: int, order: tuple[int, ...]) -> DrawHand:
    """Return the hand with the antes in the pot, each as far as its seat's stack goes (DRAW-7).

    `order`: the seats dealt in, from the button's left; the button itself is the last of them.
    """
    seats, dealt = len(stacks), len(order)
    totals = tuple([min(stacks[seat], terms.ante) if seat in order else 0 for seat in range(seats)])
    behind = tuple([stack - total for stack, total in zip(stacks, totals, strict=True)])
    folded = tuple([seat not in order for seat in range(seats)])
    hand = DrawHand(
        terms=terms,
        button=button,
        order=order,
        street=0,
        betting=_round(terms, 0, behind, totals, folded, button),
        aggressor=None,
        cards=(None,) * ((HELD + MOST_DISCARDS) * dealt),
        held=_held(order, seats),
        top=HELD * dealt,
        exchanging=(),
        discards=(),
        unpaid=(),
        showing=(),
        shown=(),
        mucked=(),
        broken=False,
        due=_ACT[button],
    )
    return dealing(hand)


@cache
def _held(order: tuple[int, ...], seats: int) -> tuple[Slots, ...]:
    """Return by seat the slots of its first five cards (TABLE-5)."""
    dealt = len(order)
    return tuple(
        [tuple(range(order.index(seat), HELD * dealt, dealt)) if seat in order else () for seat in range(seats)]
    )


def dealing(hand: DrawHand) -> DrawHand:
    """Return the hand with its deal due, five cards to each seat still in (TABLE-5)."""
    hands = tuple([(seat, hand.held[seat]) for seat in hand.order if not hand.folded[seat]])
    return hand._replace(due=Deal(hands=hands))


def _round(
    terms: DrawTerms,
    street: int,
    stacks: tuple[int, ...],
    totals: tuple[int, ...],
    folded: tuple[bool, ...],
    button: int,
) -> Betting:
    """Return a round of betting, which begins with the first seat still in to the left of the button (DRAW-3)."""
    structure = _structure(terms.second if street else terms.first, terms.raises)
    return open_round(structure, stacks, totals, folded, (button + 1) % len(stacks))


@lru_cache(maxsize=256)
def _structure(unit: int, raises: int) -> Structure:
    return Structure(unit=unit, sizes="limit", amounts="none", closes="matched", raises=raises)


# --- betting and the exchange -------------------------------------------------------------------------------------


def moved(hand: DrawHand, betting: Betting, result: str = "fold") -> DrawHand:
    """Return the hand after its round of betting became `betting`: the next to act, or what follows the round.

    `result`: how the hand ends if a single seat is left.
    """
    if betting.to_act is not None:
        return _with_betting(hand, betting, _ACT[betting.to_act])
    aggressor = betting.aggressor if betting.moves else hand.aggressor
    hand = hand._replace(betting=settled(betting), aggressor=aggressor)
    if hand.folded.count(False) == 1:
        return finished(hand, result)
    if hand.street:
        return showdown(hand)
    return exchanges(hand, tuple([seat for seat in hand.order if not hand.folded[seat]]), hand.held)


def _with_betting(hand: DrawHand, betting: Betting, due: Demand) -> DrawHand:
    """Return the hand after a move that ended nothing: written out, since it is made for every one of them."""
    return DrawHand(
        hand.terms,
        hand.button,
        hand.order,
        hand.street,
        betting,
        hand.aggressor,
        hand.cards,
        hand.held,
        hand.top,
        (),
        (),
        (),
        (),
        (),
        (),
        False,
        due,
    )


def exchanges(hand: DrawHand, exchanging: tuple[int, ...], held: tuple[Slots, ...]) -> DrawHand:
    """Return the hand when these are still to exchange and hold these slots: the next exchange is due.

    When nobody is, it is the second round of betting, if any (DRAW-2, BET-7).
    """
    if exchanging:
        seat, top = exchanging[0], hand.top
        due = Exchange(seat=seat, slots=held[seat], dealt=tuple(range(top, top + MOST_DISCARDS)))
        return hand._replace(exchanging=exchanging, held=held, discards=(), due=due)
    betting = hand.betting
    betting = _round(hand.terms, 1, betting.stacks, betting.totals, betting.folded, hand.button)
    return moved(hand._replace(street=1, exchanging=(), held=held, discards=()), betting)


def discarded(hand: DrawHand, slots: Slots) -> DrawHand:
    """Return the hand after the seat to exchange named its discards: as many new slots are to be dealt (DECK-7)."""
    if not slots:
        return exchanges(hand, hand.exchanging[1:], hand.held)
    new = tuple(range(hand.top, hand.top + len(slots)))
    due = Deal(hands=((hand.exchanging[0], new),))
    return hand._replace(discards=slots, top=hand.top + len(slots), due=due)


def replaced(hand: DrawHand) -> DrawHand:
    """Return the hand after the new cards of an exchange were dealt: the seat holds them in place of its discards."""
    seat, many = hand.exchanging[0], len(hand.discards)
    kept = tuple([slot for slot in hand.held[seat] if slot not in hand.discards])
    mine = (*kept, *range(hand.top - many, hand.top))
    held = (*hand.held[:seat], mine, *hand.held[seat + 1 :])
    return exchanges(hand, hand.exchanging[1:], held)


# --- the showdown ---------------------------------------------------------------------------------------------------


def showdown(hand: DrawHand) -> DrawHand:
    """Return the hand with its next show due, or finished when every pot can be awarded (SHOW-1 to SHOW-3)."""
    betting = hand.betting
    unpaid = hand.unpaid or pots(betting.totals, betting.folded)
    order = showing_order(hand.aggressor, betting.folded, (hand.button + 1) % len(betting.folded))
    hand = hand._replace(unpaid=unpaid)
    return _showing(hand, to_show(unpaid, order, hand.shown, hand.mucked), hand.shown, hand.cards)


def shown(hand: DrawHand, seat: int, cards: tuple[Card, ...]) -> DrawHand:
    """Return the hand after a seat opened its cards, in the order of the slots it holds."""
    every = list(hand.cards)
    for slot, card in zip(hand.held[seat], cards, strict=True):
        every[slot] = card
    return _showing(hand, hand.showing[1:], (*hand.shown, seat), tuple(every))


def _showing(
    hand: DrawHand, showing: tuple[int, ...], shown: tuple[int, ...], cards: tuple[Card | None, ...]
) -> DrawHand:
    """Return the hand in which these are to show, these have and these cards are known; its end if nobody is to."""
    if not showing:
        return finished(hand._replace(showing=(), shown=shown, cards=cards), "showdown")
    betting, seat = hand.betting, showing[0]
    mucks = hand.broken or may_muck(hand.terms.show, len(shown), betting.stacks, betting.folded)
    due = Show(seat=seat, slots=hand.held[seat], may_muck=mucks)
    return hand._replace(showing=showing, shown=shown, cards=cards, due=due)


def finished(hand: DrawHand, result: str) -> DrawHand:
    """Return the hand with every pot paid: to who is left in it, or to the strongest (POT-2 to POT-4)."""
    betting = hand.betting
    unpaid = hand.unpaid or pots(betting.totals, betting.folded)
    due = paid(betting.stacks, unpaid, _strengths(hand), hand.button, hand.mucked, result)
    return hand._replace(unpaid=unpaid, due=due)


def _strengths(hand: DrawHand) -> tuple[int | None, ...]:
    """Return how strong each shown hand is (DRAW-5); None for a seat that has not shown."""
    from .ranking import strength

    strengths: list[int | None] = [None] * len(hand.folded)
    for seat in hand.shown:
        strengths[seat] = strength([card for slot in hand.held[seat] if (card := hand.cards[slot]) is not None])
    return tuple(strengths)


# --- who leaves ---------------------------------------------------------------------------------------------------


def expelled(hand: DrawHand, seat: int) -> DrawHand:
    """Return the hand without a seat that was in it, wherever it stood; its chips stay in the pot (VERDICT-4)."""
    due, before = hand.due, hand.betting
    betting = expel(before, seat)
    hand = hand._replace(betting=betting)
    if betting.folded.count(False) == 1:
        unpaid = without(hand.unpaid, seat, hand.mucked)
        return finished(hand._replace(betting=settled(betting), unpaid=unpaid), "forfeit")
    if isinstance(due, Act):
        return moved(hand, betting)
    if hand.exchanging:
        # What is being dealt to another seat still is; what was being dealt to this one is nobody's.
        left = tuple([other for other in hand.exchanging if other != seat])
        return exchanges(hand, left, hand.held) if seat == hand.exchanging[0] else hand._replace(exchanging=left)
    if isinstance(due, Deal):
        # Nobody has moved: the round is opened as if the seat had never been asked (BET-7).
        betting = _round(hand.terms, 0, before.stacks, before.totals, betting.folded, hand.button)
        return dealing(hand._replace(betting=betting))
    return showdown(hand._replace(unpaid=without(hand.unpaid, seat, hand.mucked)))


def stranded(hand: DrawHand) -> DrawHand:
    """Return the hand whose exchanges cannot go on: one that is not complete is undone, later ones are not made.

    Betting is over, and all still in show or concede (VERDICT-4).
    """
    return showdown(hand._replace(exchanging=(), discards=(), broken=True))
