"""What a way of dealing is to the table: who owes which message for a demand, and which cards it makes known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from ..errors import Violation
from ..games.game import Card, Deal, Demand, OpenBoard, Slots
from .events import Event
from .state import Owed, SeenSeeds


class Dealing(Protocol):
    """The rules of one dealing; D, its public state of one hand, is the dealing's own frozen type."""

    name: str
    suites: tuple[str, ...]

    def start(self, suite: str, session: bytes, hand: int, seats: tuple[int, ...]) -> Any:
        """Return the deal of a hand among `seats` (those dealt in, ascending)."""
        ...

    def restart(self, deal: Any, seats: tuple[int, ...]) -> Any:
        """Return the next attempt at dealing the same hand among fewer seats, with new secrets (VERDICT-4c)."""
        ...

    def owed(self, deal: Any, demand: Demand) -> Owed | None:
        """Return who owes a message before `demand` can be met, or None when the dealing has what it takes."""
        ...

    def check(self, deal: Any, seat: int, event: Event, seen: SeenSeeds) -> Violation | None:
        """Return why the dealing refuses this event of `seat`, or None."""
        ...

    def apply(self, deal: Any, seat: int, event: Event) -> Any:
        """Return the deal after an event that `check` allows."""
        ...

    def known(self, deal: Any, demand: OpenBoard | Deal) -> tuple[Any, Mapping[int, Card]]:
        """Return the deal after meeting `demand`, and the cards now known to everybody."""
        ...

    def shown(self, deal: Any, seat: int, event: Event, slots: Slots) -> tuple[Card, ...]:
        """Return the cards that an accepted opening of `seat` shows for its slots."""
        ...

    def complete(self, deal: Any) -> bool:
        """Return whether the first deal is complete, so that the hand can go on without a seat (VERDICT-4c)."""
        ...

    def opened(self, event: Event) -> bytes | None:
        """Return the seed an event opens, or None."""
        ...
