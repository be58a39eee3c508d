"""What a way of dealing is to the table and to a seat: who owes what for a demand, and which cards come of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from ..errors import UsageError, Violation
from ..games.game import Action, Card, Deal, Demand, DrawLot, Game, Hand, Lay, Light, OpenBoard, Slots
from .events import Event
from .state import Owed, SeenSeeds

if TYPE_CHECKING:
    from .seeds import Secrets


class Dealing(Protocol):
    """The rules of one dealing; D, its public state of one hand, is the dealing's own frozen type.

    `prev` is the previous hash of the message in question, to which proofs are bound; `seen` are the seeds opened so
    far.
    """

    name: str
    suites: tuple[str, ...]
    showing: type[Event]
    """The message by which a seat opens its own cards."""
    lasts: bool
    """Whether its keys and cards outlive a hand, so that no hand can be judged without those before it."""
    releases: bool
    """Whether a seat that acts no more gives its part of closed slots away with its move (DECK-9)."""

    def start(self, game: Game, suite: str, session: bytes, hand: int, seats: tuple[int, ...], last: Any = None) -> Any:
        """Return the deal of a hand among `seats` (those dealt in, ascending); `last` is that of the hand before."""
        ...

    def restart(self, deal: Any, seats: tuple[int, ...], fresh: Slots = (), known: tuple[Card, ...] = ()) -> Any:
        """Return the next attempt at dealing the same hand among fewer seats, with new secrets (VERDICT-4c).

        With `fresh`, for these slots alone, from a deck without the cards that are `known`.
        """
        ...

    def owed(self, deal: Any, demand: Demand, hand: Hand) -> Owed | None:
        """Return who owes a message before `demand` of `hand` can be met, or None when nobody does."""
        ...

    def possible(self, deal: Any, demand: Demand) -> bool:
        """Return whether `demand` can still be met without the seats that are lost."""
        ...

    def lose(self, deal: Any, seat: int) -> Any:
        """Return the deal after `seat` was expelled."""
        ...

    def check(
        self, deal: Any, demand: Demand, seat: int, event: Event, prev: bytes, seen: SeenSeeds
    ) -> Violation | None:
        """Return why the dealing refuses this event of `seat`, or None."""
        ...

    def apply(self, deal: Any, demand: Demand, seat: int, event: Event) -> Any:
        """Return the deal after an event that `check` allows."""
        ...

    def check_release(self, deal: Any, slots: Slots, seat: int, released: bytes, prev: bytes) -> Violation | None:
        """Return why what `seat` gives away with its move is not its part of exactly these slots, or None (DECK-9)."""
        ...

    def apply_release(self, deal: Any, slots: Slots, seat: int, released: bytes) -> Any:
        """Return the deal with what `check_release` allows taken in."""
        ...

    def known(self, deal: Any, demand: OpenBoard | Deal) -> tuple[Any, Mapping[int, Card]]:
        """Return the deal after meeting `demand`, and the cards now known to everybody."""
        ...

    def outcome(self, deal: Any, demand: DrawLot | Light | Lay) -> tuple[int, Action]:
        """Return what meeting `demand` comes to: an action for the game, and the seat whose it is.

        Raises RuntimeError where the dealing knows none of them: its games never ask.
        """
        raise RuntimeError(f"{self.name} knows no {type(demand).__name__}")

    def shown(self, deal: Any, seat: int, event: Event, slots: Slots) -> tuple[Card, ...]:
        """Return the cards that an accepted opening of `seat` shows for its slots."""
        ...

    def complete(self, deal: Any) -> bool:
        """Return whether the first deal is complete, so that the hand can go on without a seat (VERDICT-4c)."""
        ...

    def opened(self, event: Event) -> bytes | None:
        """Return the seed an event opens, or None."""
        ...


class Holder(Protocol):
    """The secret side of a dealing: what a seat answers with its own secrets, and which cards it sees. On no wire."""

    def answer(self, deal: Any, demand: Demand, seat: int, kind: type[Event], prev: bytes, secrets: Secrets) -> Event:
        """Return the message of this kind that `seat` owes."""
        ...

    def release(self, deal: Any, slots: Slots, seat: int, prev: bytes, secrets: Secrets) -> bytes:
        """Return the part of these slots that `seat` gives away with its move (DECK-9)."""
        ...

    def lay(self, deal: Any, seat: int, place: int, prev: bytes, secrets: Secrets) -> Event:
        """Return the message that lays the first (0) or the second (1) of our two cards (DECK-8).

        Raises UsageError where the dealing knows no laying.
        """
        raise UsageError("usage.wrong-state", actual="lay")

    def explained(self, deal: Any, demand: Demand, seat: int, event: Event, secrets: Secrets) -> bool:
        """Return whether the secrets we have make this message of `seat`; no secret is made for it (ENC-5)."""
        ...

    def own_cards(self, deal: Any, slots: Slots, seat: int, secrets: Secrets) -> tuple[Card, ...]:
        """Return the cards of our seat's slots; empty before they are dealt."""
        ...
