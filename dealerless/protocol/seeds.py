"""Where a seat's secrets come from, and the secret side of hash dealing: its seeds, its answers, its own cards.

Lives on the player's side only; nothing here ever enters `State`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ..crypto.commitment import commitment
from ..errors import UsageError
from ..games.game import Card, Demand, Slots
from .dealing import Holder
from .events import Event, LayoutOpened, SeedsCommitted, Shown
from .hashdeal import HASH, HOLE, LAYOUT, HashDeal


class Secrets(Protocol):
    """Keeps a seat's seeds. A file-backed one has synced a seed to disk before it returns it (ENC-5)."""

    def fresh(self, size: int) -> bytes:
        """Return so many new bytes from the operating system that nobody keeps, for one proof or shuffle."""
        ...

    def seed(self, hand: int, purpose: str) -> bytes:
        """Return the 32-byte seed of this hand and purpose, the same one every time."""
        ...

    def known(self, hand: int, purpose: str) -> bytes | None:
        """Return the seed if there is one already; None, and nothing is made, if there is not."""
        ...


class MemorySecrets:
    """Secrets that live and die with the process; `random` gives fresh bytes from the operating system."""

    def __init__(self, random: Callable[[int], bytes]) -> None:
        self._random = random
        self._seeds: dict[tuple[int, str], bytes] = {}

    def __repr__(self) -> str:
        return "MemorySecrets(...)"

    def fresh(self, size: int) -> bytes:
        """Return so many bytes of the source."""
        return self._random(size)

    def seed(self, hand: int, purpose: str) -> bytes:
        """Return the seed of this hand and purpose; raises UsageError if the source repeats itself (COMMIT-3)."""
        known = self.known(hand, purpose)
        if known is not None:
            return known
        fresh = self._random(32)
        if len(fresh) != 32 or fresh in self._seeds.values():
            raise UsageError("secrets.repeated-seed")
        self._seeds[hand, purpose] = fresh
        return fresh

    def known(self, hand: int, purpose: str) -> bytes | None:
        """Return the seed if it was asked for before, else None."""
        return self._seeds.get((hand, purpose))


class HashHolder(Holder):
    """A seat's secret side of hash dealing: two seeds a hand (HASHDEAL-2)."""

    def answer(
        self, deal: HashDeal, demand: Demand, seat: int, kind: type[Event], prev: bytes, secrets: Secrets
    ) -> Event:
        """Return the message of this kind that `seat` owes: its commitments, or one of its seeds opened."""
        if kind is LayoutOpened:
            return LayoutOpened(seed=_seed(deal, LAYOUT, secrets))
        if kind is Shown:
            return Shown(seed=_seed(deal, HOLE, secrets))
        layout, hole = [
            commitment(purpose, deal.session, deal.hand, seat, _seed(deal, purpose, secrets))
            for purpose in (LAYOUT, HOLE)
        ]
        return SeedsCommitted(layout=layout, hole=hole)

    def release(self, deal: HashDeal, slots: Slots, seat: int, prev: bytes, secrets: Secrets) -> bytes:
        """Return nothing: a seat has no part in a card that it could give away."""
        return b""

    def explained(self, deal: HashDeal, demand: Demand, seat: int, event: Event, secrets: Secrets) -> bool:
        """Return whether the seeds we have make this message of `seat`; no seed is made for it. ENC-5."""
        kind = type(event)
        purposes = {LayoutOpened: (LAYOUT,), Shown: (HOLE,)}.get(kind, (LAYOUT, HOLE))
        if any(secrets.known(deal.hand, _name(deal, purpose)) is None for purpose in purposes):
            return False
        return self.answer(deal, demand, seat, kind, b"", secrets) == event

    def own_cards(self, deal: HashDeal, slots: Slots, seat: int, secrets: Secrets) -> tuple[Card, ...]:
        """Return the hole cards of our seat, known to us alone; empty while the deal is not complete."""
        if not deal.digest or seat not in deal.seats:
            return ()
        return HASH.hole_cards(deal, seat, _seed(deal, HOLE, secrets), len(slots))


def _seed(deal: HashDeal, purpose: str, secrets: Secrets) -> bytes:
    return secrets.seed(deal.hand, _name(deal, purpose))


def _name(deal: HashDeal, purpose: str) -> str:
    return purpose if deal.attempt == 0 else f"{purpose}.{deal.attempt}"
