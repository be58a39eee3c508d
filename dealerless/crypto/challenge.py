"""Challenges by hashing (Fiat-Shamir), and the context that every proof of the deck is bound to.

A digest is SHA-512 of the canonical bytes of one array, a tag and the fields behind it, so no two lists of fields
share their bytes. A challenge is all 64 bytes of a digest modulo L: of full length, and its bias is below 2^-250.
Everything a proof speaks about goes into its challenge before the challenge is known. A list of points, or of
pairs of points, is one field: its bytes one after the other, 32 for every point.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from ..encoding import Value, encode
from .group import L, hash_to_group

PROTOCOL: Final = "dealerless/1 deck"
# The group and the hash of all proofs; there is no choice of either.
SUITE: Final = "ristretto255-sha512"


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Where a proof belongs: a proof made for another place of any match does not verify there.

    `session` is the 32-byte id of the match, `hand` and `deck` are numbers (a hand may need a second deck), `seat`
    is the author's, `purpose` a word of the protocol's, `prev` the 32-byte previous hash in the frame that carries
    the proof. DECK-1.
    """

    session: bytes
    hand: int
    deck: int
    seat: int
    purpose: str
    prev: bytes
    suite: str = SUITE

    def fields(self) -> tuple[Value, ...]:
        """Return the array that stands for this context in every hash, the protocol's tag first."""
        return (PROTOCOL, self.suite, self.session, self.hand, self.deck, self.seat, self.purpose, self.prev)


def digest(tag: str, *fields: Value) -> bytes:
    """Return the 64 bytes H(tag, fields): SHA-512 of the canonical array of the tag and the fields."""
    return hashlib.sha512(encode((tag, *fields))).digest()


def digests(tag: str, seed: bytes, count: int) -> list[bytes]:
    """Return H(tag, [seed, i]) for i from 1 to `count`."""
    # An array's bytes are those of its elements, one after the other, behind a head: all but the last are hashed once.
    last = encode(0)
    same = hashlib.sha512(encode((tag, seed, 0)).removesuffix(last))
    found = []
    for number in range(1, count + 1):
        copy = same.copy()
        copy.update(encode(number))
        found.append(copy.digest())
    return found


def challenge(tag: str, *fields: Value) -> int:
    """Return H(tag, fields) as an int below L: the 64 bytes little-endian, modulo L."""
    return int.from_bytes(digest(tag, *fields), "little") % L


def point_for(tag: str, *fields: Value) -> bytes:
    """Return the point that H(tag, fields) maps to; nobody knows its logarithm to any other. DECK-2."""
    return hash_to_group(digest(tag, *fields))
