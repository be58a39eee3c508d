"""Commitments to secret seeds: SHA-256 of one line of text that anybody can hash again.

The line binds the protocol version, what the seed is for, the session, the hand and the seat; every field has
a fixed length or stands between single spaces, so no two openings share a line (COMMIT-2). There is no choice
of hash: a collision would give one commitment two openings.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

from ..errors import BadOpening, UsageError
from .suites import line_bytes

SEED_BYTES: Final = 32
COMMITMENT_BYTES: Final = 32
SESSION_BYTES: Final = 32
# Five digits hold the 10,000 hands of ENC-6, one digit the nine seats.
MAX_HAND: Final = 99_999
MAX_SEAT: Final = 9

_PURPOSE: Final = re.compile("[a-z]{1,16}")


def commitment_text(purpose: str, session: bytes, hand: int, seat: int, seed: bytes) -> str:
    """Return the line whose SHA-256 is the commitment.

    `purpose` is a word of 1 to 16 lower-case letters, `session` and `seed` are 32 bytes, `hand` is written
    with five digits and `seat` with one. Raises UsageError for values that do not fit. COMMIT-2.
    """
    if _PURPOSE.fullmatch(purpose) is None:
        raise UsageError("usage.bad-value", expected="a lower-case word", actual=purpose)
    if len(session) != SESSION_BYTES or len(seed) != SEED_BYTES:
        # The lengths only: an error text must not carry a seed.
        raise UsageError("usage.bad-value", expected=(SESSION_BYTES, SEED_BYTES), actual=(len(session), len(seed)))
    if not 0 <= hand <= MAX_HAND:
        raise UsageError("usage.bad-value", expected=(0, MAX_HAND), actual=hand)
    if not 0 <= seat <= MAX_SEAT:
        raise UsageError("usage.bad-value", expected=(0, MAX_SEAT), actual=seat)
    return f"dealerless/1 commit {purpose} {session.hex()} {hand:05d} {seat:d} {seed.hex()}"


def commitment(purpose: str, session: bytes, hand: int, seat: int, seed: bytes) -> bytes:
    """Return the 32-byte commitment to `seed`, SHA-256 of `commitment_text` of the same values. COMMIT-2."""
    line = commitment_text(purpose, session, hand, seat, seed)
    return hashlib.sha256(line_bytes(line)).digest()


def check_opening(committed: bytes, purpose: str, session: bytes, hand: int, seat: int, seed: bytes) -> None:
    """Return if `seed` opens `committed`, all 32 bytes, for this purpose, session, hand and seat.

    Raises BadOpening `commit.wrong-opening` if not; a seed of another length than 32 bytes opens nothing.
    COMMIT-2.
    """
    if len(seed) == SEED_BYTES:
        actual = commitment(purpose, session, hand, seat, seed)
        if actual == committed:
            return
        raise BadOpening("commit.wrong-opening", expected=committed, actual=actual)
    raise BadOpening("commit.wrong-opening", expected=SEED_BYTES, actual=len(seed))
