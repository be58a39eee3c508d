"""Cards as points and as ElGamal ciphertexts under a joint key.

A ciphertext of the card M is (a, b) = (r G, M + r X). Adding a share x a for every key takes r X away again; any
multiple of (G, X) may be added meanwhile without changing the card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from .challenge import point_for
from .group import BASE, add, check_point, multiply, multiply_base, subtract, total

Ciphertext = tuple[bytes, bytes]
Deck = tuple[Ciphertext, ...]

CARD_TAG: Final = "dealerless/1 card"


# All cards of all games are fewer than a thousand.
@lru_cache(maxsize=1024)
def card_point(game: str, name: str) -> bytes:
    """Return the point that stands for a card: nobody knows a logarithm between two of them. DECK-2."""
    return point_for(CARD_TAG, game, name)


def start_deck(game: str, names: Sequence[str], joint: bytes) -> Deck:
    """Return the deck before its first shuffle: (G, M + X) for every name in order, X the joint key.

    A name that stands there several times is that many cards. Raises InvalidProof `group.not-a-point` for a joint
    key that is none. DECK-2.
    """
    return tuple([(BASE, add(card_point(game, name), joint)) for name in names])


def re_encrypt(ciphertext: Ciphertext, scalar: int, joint: bytes) -> Ciphertext:
    """Return another ciphertext of the same card: scalar * (G, X) more. DECK-3.

    Raises InvalidProof as `multiply` does, for either half and the joint key.
    """
    a, b = ciphertext
    return add(a, multiply_base(scalar)), add(b, multiply(scalar, joint))


def unmask(b: bytes, shares: Iterable[bytes]) -> bytes:
    """Return b - sum of shares: the card's point if the shares are those of all keys, else what still covers it.

    `b` is the second half of a ciphertext. Raises InvalidProof `group.not-a-point` or `group.identity`. DECK-4.
    """
    check_point(b)
    return subtract(b, total(shares))
