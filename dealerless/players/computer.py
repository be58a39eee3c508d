"""Computer players: three levels for every game, and the reason of every decision (DRAW-9).

A computer player sits at the table as a person does: all that it knows is its `SeatView`. What a level does in a game
is a `Strategy`, a function of that view and of chance, so that the same view and chance give the same decision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

from ..games.game import Move, Slots
from .player import SeatView

LEVELS: Final = ("easy", "medium", "hard")
"""The levels by strength, weakest first."""


class Chance(Protocol):
    """A source of chance, such as `random.Random` or `secrets.SystemRandom`."""

    def random(self) -> float:
        """Return a number from 0 up to, but not including, 1, each equally likely."""
        ...

    def randrange(self, stop: int, /) -> int:
        """Return a number from 0 to stop - 1, each equally likely."""
        ...


class Strategy(Protocol):
    """How one level plays one game. Reasons are for people: a short sentence, without the seat or the move."""

    def prepare(self) -> None:
        """Import and build, once a process, what the first decision would otherwise; not every level has any."""
        return

    def decide(self, view: SeatView, chance: Chance) -> tuple[Move, str]:
        """Return one of the view's legal moves, and why."""
        ...

    def exchanges(self, view: SeatView, chance: Chance) -> tuple[Slots, str]:
        """Return the slots of the cards to exchange, ascending, and why; in games without an exchange never asked."""
        return (), "keeps all"

    def lays(self, view: SeatView, chance: Chance) -> tuple[int, str]:
        """Return which of the two hole cards to lay face down, 0 or 1, and why; asked in One Poker only."""
        return chance.randrange(2), "one of the two, by chance"

    def shows(self, view: SeatView, chance: Chance) -> tuple[bool, str]:
        """Return whether to show the hole cards where they may be mucked, and why."""
        ...


class Betting(Strategy, Protocol):
    """What strategies have in common in whose game there is nothing to choose but moves: they show whenever asked."""

    def shows(self, view: SeatView, chance: Chance) -> tuple[bool, str]:
        """Return True."""
        return True, "only a hand that is shown can win"


class Note(NamedTuple):
    """Why a seat decided as it did: in which hand, after how many of its actions, what, and the reason."""

    hand: int
    seat: int
    place: int
    what: str
    reason: str


class ComputerPlayer:
    """Plays one seat by a strategy; every decision is told to `note` with its reason."""

    def __init__(
        self,
        choose: Callable[[str], Strategy],
        chance: Chance,
        note: Callable[[Note], None] = lambda note: None,
    ) -> None:
        """`choose` returns the strategy for the game of this name."""
        self._choose = choose
        self._chance = chance
        self._note = note

    def prepare(self, game: str) -> None:
        """Build what the first decision in the game of this name needs: a third of a second that nobody waits for."""
        self._choose(game).prepare()

    def decide(self, view: SeatView) -> Move:
        """Return a legal move."""
        move, reason = self._choose(view.game.name).decide(view, self._chance)
        self._tell(view, f"{move.name} {move.amount}" if move.amount else move.name, reason)
        return move

    def exchanges(self, view: SeatView) -> Slots:
        """Return the slots of the cards to exchange."""
        slots, reason = self._choose(view.game.name).exchanges(view, self._chance)
        self._tell(view, f"EXCHANGE {len(slots)}", reason)
        return slots

    def lays(self, view: SeatView) -> int:
        """Return which of the two cards to lay."""
        place, reason = self._choose(view.game.name).lays(view, self._chance)
        self._tell(view, f"LAY {view.game.card_text(view.hole[place])}", reason)
        return place

    def shows(self, view: SeatView) -> bool:
        """Return whether to show."""
        shows, reason = self._choose(view.game.name).shows(view, self._chance)
        self._tell(view, "SHOW" if shows else "MUCK", reason)
        return shows

    def _tell(self, view: SeatView, what: str, reason: str) -> None:
        hand = view.books.number
        self._note(Note(hand=hand, seat=view.seat, place=len(view.play.actions), what=what, reason=reason))
