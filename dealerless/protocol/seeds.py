"""The secret side of hash dealing: a seat's own seeds, what it answers with them, and its own cards.

Lives on the player's side only; nothing here ever enters `State`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ..crypto.commitment import commitment
from ..errors import UsageError
from ..games.game import Card
from .events import Event, LayoutOpened, SeedsCommitted, Shown
from .hashdeal import HASH, HOLE, LAYOUT, HashDeal


class Secrets(Protocol):
    """Keeps a seat's seeds. A file-backed one has synced a seed to disk before it returns it (ENC-5)."""

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


def answer(deal: HashDeal, seat: int, kind: type[Event], secrets: Secrets) -> Event:
    """Return the message of this kind that `seat` owes: its commitments, or one of its seeds opened."""
    if kind is LayoutOpened:
        return LayoutOpened(seed=_seed(deal, LAYOUT, secrets))
    if kind is Shown:
        return Shown(seed=_seed(deal, HOLE, secrets))
    layout, hole = [
        commitment(purpose, deal.session, deal.hand, seat, _seed(deal, purpose, secrets)) for purpose in (LAYOUT, HOLE)
    ]
    return SeedsCommitted(layout=layout, hole=hole)


def explained(deal: HashDeal, seat: int, event: SeedsCommitted | LayoutOpened | Shown, secrets: Secrets) -> bool:
    """Return whether the seeds we have make this message of `seat`; no seed is made for it. ENC-5."""
    kind = type(event)
    purposes = {LayoutOpened: (LAYOUT,), Shown: (HOLE,)}.get(kind, (LAYOUT, HOLE))
    if any(secrets.known(deal.hand, _name(deal, purpose)) is None for purpose in purposes):
        return False
    return answer(deal, seat, kind, secrets) == event


def own_cards(deal: HashDeal, seat: int, count: int, secrets: Secrets) -> tuple[Card, ...]:
    """Return the hole cards of our seat, known to us alone; empty while the deal is not complete."""
    if not deal.digest or seat not in deal.seats:
        return ()
    return HASH.hole_cards(deal, seat, _seed(deal, HOLE, secrets), count)


def _seed(deal: HashDeal, purpose: str, secrets: Secrets) -> bytes:
    return secrets.seed(deal.hand, _name(deal, purpose))


def _name(deal: HashDeal, purpose: str) -> str:
    return purpose if deal.attempt == 0 else f"{purpose}.{deal.attempt}"
