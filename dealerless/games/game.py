"""What a game is to the table: demands, moves, and the interface every game offers.

A game is a pure state machine over *slots* (positions of the deck, integers from 0) and chips. It is asked what it
needs next and answers with a demand; it never sees a seed, a digest, a point or a byte. Cards are integers whose
meaning is the game's own; a slot's card is None until everybody knows it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ..errors import Violation

Card = int
Slots = tuple[int, ...]


# --- demands: what the hand needs next -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenBoard:
    """These slots are to become known to everybody; if `fresh`, from a new deck of the cards not shown (VERDICT-4c)."""

    slots: Slots
    fresh: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """Each seat is to learn the cards of its slots, and nobody else."""

    hands: tuple[tuple[int, Slots], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """The seat, which can act no more, is to give its part of these slots away and is then not needed (DECK-9)."""

    seat: int
    slots: Slots


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """The seat is to move."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """The seat is to discard some of its `slots`; as many of `dealt`, from the first, are then dealt to it (DECK-7)."""

    seat: int
    slots: Slots
    dealt: Slots


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawLot:
    """One of these seats is to be drawn by all of them together (ONE-6)."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """The seat is to show of which class each of its last `count` cards is, and nothing else about it (ONE-4).

    `classes` has of each class its name and its cards, each once.
    """

    seat: int
    count: int
    classes: tuple[tuple[str, tuple[Card, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lay:
    """The seat is to lay one of its two cards face down (ONE-5)."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """The seat is to open its slots, or may muck them."""

    seat: int
    slots: Slots
    may_muck: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Pot:
    """One pot as it was paid: its amount, the seats that contended for it, and who won it (in paying order)."""

    amount: int
    seats: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """The hand is over: `stacks` are all seats' chips after it, `pots` how they were paid, `result` how it ended.

    `result` is "fold", "showdown" or "forfeit". `button` is who has it in the next hand, where that follows from how
    this one ended (ONE-6).
    """

    stacks: tuple[int, ...]
    pots: tuple[Pot, ...]
    result: str
    button: int | None = None


Demand = OpenBoard | Deal | Release | Act | Exchange | DrawLot | Light | Lay | Show | Finished


# --- what seats do -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A betting move by its name in upper case, and its amount as the game counts it (0 where it has none)."""

    name: str
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Discard:
    """The slots that a seat gives up for others, ascending; empty when it keeps all (DRAW-10)."""

    slots: Slots


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """The lot has fallen on the seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lit:
    """The classes of the seat's last cards, by number and in dealt order."""

    classes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """The seat has laid one of its cards; which one nobody else knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal:
    """The cards a shower's slots turned out to be, in the order of the Show demand's slots."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Muck:
    """The seat gives up its claim without showing."""


Action = Move | Discard | Drawn | Lit | Laid | Reveal | Muck


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One legal move: its name and the smallest and largest amount it may carry (equal where it is fixed)."""

    name: str
    least: int
    most: int


# --- hands and games -----------------------------------------------------------------------------------------------


class Hand(Protocol):
    """The public state of one hand, as table and reports read it. Tuples by seat have one entry for every seat."""

    @property
    def button(self) -> int:
        """The seat that has the button."""
        ...

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips behind, by seat."""
        ...

    @property
    def totals(self) -> tuple[int, ...]:
        """Chips each seat has in the pot."""
        ...

    @property
    def folded(self) -> tuple[bool, ...]:
        """True for a seat that folded or was not dealt in."""
        ...

    @property
    def cards(self) -> tuple[Card | None, ...]:
        """By slot; None until everybody knows it."""
        ...

    @property
    def shown(self) -> tuple[int, ...]:
        """Seats that have shown, in order."""
        ...


def clockwise(last: int, seated: tuple[int, ...], seats: int) -> int:
    """Return the seat of `seated` that comes first after `last`, clockwise among `seats` seats (TABLE-1)."""
    return min(seated, key=lambda seat: (seat - last - 1) % seats)


class GameTerms(Protocol):
    """A game's own part of the terms: a frozen dataclass whose `fields()` are its wire form, in order."""

    def fields(self) -> tuple[bool | int | str, ...]:
        """Return the terms in wire order."""
        ...


class Game(Protocol):
    """The rules of one game, the same object for every table. H and T are the game's own hand and terms types."""

    name: str
    seats: range
    """Numbers of seats it is played by."""
    dealings: tuple[str, ...]
    """Names of the dealings its cards can come from."""
    carries: bool
    """Whether stacks carry over to the next hand (False: every hand starts from the same stacks, HEX-2)."""

    def __hash__(self) -> int:
        """Return the hash by which there is one of each game."""
        ...

    def read_terms(self, fields: tuple[Any, ...], seats: int) -> GameTerms:
        """Return the terms from their wire fields; raises Violation `terms.*`."""
        ...

    def opening_stacks(self, terms: Any, seats: int) -> tuple[int, ...]:
        """Return every seat's chips at the match's start, antes included."""
        ...

    def can_be_dealt_in(self, terms: Any, stack: int) -> bool:
        """Return whether a seat with this stack takes part in the next hand (TABLE-2)."""
        ...

    def start(self, terms: Any, stacks: tuple[int, ...], button: int, seated: tuple[int, ...], last: Any = None) -> Any:
        """Return a new hand with antes and blinds posted. `seated` are the seats dealt in, ascending.

        `last`: the hand before this one in the match, as it ended; None in the first.
        """
        ...

    def demand(self, hand: Any) -> Demand:
        """Return what the hand needs next."""
        ...

    def dealt(self, hand: Any, known: Mapping[int, Card]) -> Any:
        """Return the hand after its Deal or OpenBoard demand is fulfilled; `known` are slots now public."""
        ...

    def legal(self, hand: Any) -> tuple[Option, ...]:
        """Return the moves `check` would allow the seat of an Act demand, in a fixed order; empty otherwise."""
        ...

    def check(self, hand: Any, seat: int, action: Action) -> Violation | None:
        """Return why `action` is refused, or None when `apply` will take it. Never changes anything."""
        ...

    def apply(self, hand: Any, seat: int, action: Action) -> Any:
        """Return the hand after an action that `check` allows."""
        ...

    def forfeit(self, hand: Any, seat: int) -> Any:
        """Return the hand after `seat` was expelled: out of it, its chips left in the pot (VERDICT-4)."""
        ...

    def release(self, hand: Any, seat: int) -> Slots:
        """Return the closed slots that `seat`, whose move made this hand, must give its part of with it (DECK-9).

        Empty unless the move was a fold or its last chip and the hand can still need the seat's part of a slot.
        """
        ...

    def stranded(self, hand: Any) -> Any:
        """Return the hand after it turned out that the slots of its demand cannot be opened or dealt (VERDICT-4c).

        Betting is over and uncalled chips are back, an exchange that is not complete is undone; all still in show or
        concede, and what the board lacks is then demanded `fresh`.
        """
        ...

    def next_button(self, last: int, dealt: tuple[int, ...], seated: tuple[int, ...], seats: int) -> int:
        """Return the button of the next hand (TABLE-1, TABLE-3).

        `last`: the button of the hand before; `dealt`: the seats dealt into it; `seated`: those dealt into this one.
        """
        ...

    def deck(self) -> tuple[Card, ...]:
        """Return the cards of the deck in the game's order, each as often as it holds it (DECK-2)."""
        ...

    def board_slots(self, hand: Any) -> Slots:
        """Return the slots of the common cards, in dealt order."""
        ...

    def hole_slots(self, hand: Any, seat: int) -> Slots:
        """Return the slots of a seat's own cards, in dealt order."""
        ...

    def card_text(self, card: Card) -> str:
        """Return a card as people write it in this game."""
        ...

    def best(self, hand: Any, hole: tuple[Card, ...]) -> str | None:
        """Return the report line of the best hand that `hole` makes with the board; None while the board is closed."""
        ...
