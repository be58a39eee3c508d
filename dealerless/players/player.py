"""What a player is to the driver of a seat: somebody who, shown what a seat may know, chooses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from ..errors import Violation
from ..games.game import Card, Game, Move, Option
from ..protocol.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """What one seat knows at a moment of decision: all that is public, and its own hole cards.

    `hole` are our cards by the game's numbers, `legal` the moves we may make (empty when the choice is between
    showing and mucking). `seconds_left` says how much time we have at the moment, None where no witness keeps it.
    Nothing of another seat's secrets can be reached from here.
    """

    seat: int
    hole: tuple[Card, ...]
    state: State
    legal: tuple[Option, ...]
    seconds_left: Callable[[], int | None] = lambda: None

    @property
    def game(self) -> Game:
        """The rules that are played."""
        return self.state.agreed.game

    @property
    def hand(self) -> Any:
        """The running hand as everybody sees it; its type is the game's own."""
        return self.state.running.hand

    def refusal(self, move: Move) -> Violation | None:
        """Return why the rules refuse `move` now, or None."""
        return self.game.check(self.hand, self.seat, move)


class Player(Protocol):
    """Chooses for one seat. Both calls may take as long as they need and run beside the network's loop.

    A player that wants to stop before the end raises TransportError `transport.left`.
    """

    def decide(self, view: SeatView) -> Move:
        """Return one of the view's legal moves."""
        ...

    def shows(self, view: SeatView) -> bool:
        """Return whether to show the hole cards where they may be mucked."""
        ...
