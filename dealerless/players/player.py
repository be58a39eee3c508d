"""What a player is to the driver of a seat: somebody who, shown what a seat may know, chooses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from ..errors import Violation
from ..games.game import Card, Game, Move, Option, Slots
from ..protocol.session import Session
from ..protocol.state import Accounts, HandInPlay


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """What one seat knows at a moment of decision: all that is public, and its own hole cards.

    `dealing` is the name of that which was agreed on. `play` is the running hand with its moves so far, `books` the
    accounts of the match. `hole` are our cards by the game's numbers, `legal` the moves we may make (empty when the
    choice is another one). `hands` is how many the match has at most, None where there is no match to know it of.
    `seconds_left` says how much time we have at the moment, None where no witness keeps it.
    Nothing of another seat's secrets can be reached from here.
    """

    seat: int
    game: Game
    dealing: str
    books: Accounts
    play: HandInPlay
    hole: tuple[Card, ...]
    legal: tuple[Option, ...]
    hands: int | None = None
    seconds_left: Callable[[], int | None] = lambda: None

    @property
    def hand(self) -> Any:
        """The running hand as everybody sees it; its type is the game's own."""
        return self.play.hand

    @property
    def board(self) -> tuple[Card, ...]:
        """The common cards that are open."""
        return open_board(self.game, self.hand)

    def refusal(self, move: Move) -> Violation | None:
        """Return why the rules refuse `move` now, or None."""
        return self.game.check(self.hand, self.seat, move)


def open_board(game: Game, hand: Any) -> tuple[Card, ...]:
    """Return the common cards of a hand of this game that are open."""
    return tuple([card for slot in game.board_slots(hand) if (card := hand.cards[slot]) is not None])


def seat_view(session: Session, seconds_left: Callable[[], int | None] = lambda: None) -> SeatView:
    """Return what the session's seat knows now; only to be asked for while a hand runs and the seat has a place in it.

    Raises RuntimeError otherwise.
    """
    state, seat = session.state, session.seat
    if seat is None:
        raise RuntimeError("we have no seat in this match")
    return SeatView(
        seat=seat,
        game=state.agreed.game,
        dealing=state.agreed.dealing.name,
        books=state.books,
        play=state.running,
        hole=session.hole(),
        legal=session.legal(),
        hands=state.agreed.offer.hands,
        seconds_left=seconds_left,
    )


class Player(Protocol):
    """Chooses for one seat. All calls may take as long as they need and run beside the network's loop.

    A player that wants to stop before the end raises TransportError `transport.left`.
    """

    def decide(self, view: SeatView) -> Move:
        """Return one of the view's legal moves."""
        ...

    def exchanges(self, view: SeatView) -> Slots:
        """Return the slots of the cards to exchange, ascending; empty to keep all (DRAW-10)."""
        return ()

    def lays(self, view: SeatView) -> int:
        """Return which of the two hole cards to lay face down: 0 or 1, its place in the view (ONE-5)."""
        return 0

    def shows(self, view: SeatView) -> bool:
        """Return whether to show the hole cards where they may be mucked."""
        ...
