"""The lot: one of the seats, drawn by all of them together, so that nobody can aim it (LOT-1)."""

from __future__ import annotations

import hashlib
from typing import Final, NamedTuple

from ..crypto.commitment import check_opening
from ..errors import BadOpening, Violation
from .events import Event, LotCommitted, LotOpened
from .state import Owed, Phase, SeenSeeds

LOT: Final = "lot"
"""What the seeds of the lot are committed for."""

LOT_TAG: Final = b"dealerless/1 lot\x00"


class Lot(NamedTuple):
    """What was said for the lot so far: commitments and seeds in the order of the seats, 32 bytes each."""

    commitments: tuple[bytes, ...] = ()
    seeds: tuple[bytes, ...] = ()

    def owed(self, seats: tuple[int, ...]) -> Owed | None:
        """Return who commits or opens next; nobody may open before all have committed."""
        if len(self.commitments) < len(seats):
            return Owed(seat=seats[len(self.commitments)], kinds=(LotCommitted,), phase=Phase.DRAWING_LOT)
        if len(self.seeds) < len(seats):
            return Owed(seat=seats[len(self.seeds)], kinds=(LotOpened,), phase=Phase.DRAWING_LOT)
        return None

    def check(self, session: bytes, hand: int, seat: int, event: Event, seen: SeenSeeds) -> Violation | None:
        """Return the refusal of a copied commitment, a wrong opening or a reused seed, or None (COMMIT-2, COMMIT-3)."""
        if isinstance(event, LotCommitted):
            copied = event.commitment in self.commitments
            return Violation("commit.duplicate", expected="new", actual=event.commitment) if copied else None
        if not isinstance(event, LotOpened):
            return None
        try:
            check_opening(self.commitments[len(self.seeds)], LOT, session, hand, seat, event.seed)
        except BadOpening as error:
            return error
        return BadOpening("commit.seed-reuse", expected="new", actual=event.seed) if event.seed in seen else None

    def take(self, event: Event) -> Lot:
        """Return the lot with a commitment or a seed that `check` allows."""
        if isinstance(event, LotCommitted):
            return self._replace(commitments=(*self.commitments, event.commitment))
        return self._replace(seeds=(*self.seeds, event.seed)) if isinstance(event, LotOpened) else self

    def fallen(self, session: bytes, seats: tuple[int, ...]) -> int:
        """Return the seat that the lot has fallen on, once all seeds are open.

        The first 8 bytes of the hash are a number that is nearly 2^64 times as large as the table, so what its
        remainder prefers is nothing that anybody could ever notice.
        """
        drawn = hashlib.sha256(LOT_TAG + session + b"".join(self.seeds)).digest()
        return seats[int.from_bytes(drawn[:8], "big") % len(seats)]
