"""Cards as points and as ElGamal ciphertexts under a joint key.

A ciphertext of the card M is (a, b) = (r G, M + r X). Adding a share x a for every key takes r X away again; any
multiple of (G, X) may be added meanwhile without changing the card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

from .challenge import point_for
from .group import BASE, add, base_multiples, check_point, multiples, subtract, sums, total

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


def re_encrypt(ciphertexts: Sequence[Ciphertext], scalars: Sequence[int], joint: bytes) -> Deck:
    """Return other ciphertexts of the same cards: to each its scalar * (G, X) is added. DECK-3.

    Raises InvalidProof as `multiply` does, for any half and the joint key.
    """
    # Each kind of work by itself, here and in the proofs: the tables of the base point fill the processor's cache.
    bases, masks = base_multiples(scalars), multiples(scalars, [joint] * len(scalars))
    firsts, seconds = sums([a for a, _ in ciphertexts], bases), sums([b for _, b in ciphertexts], masks)
    return tuple(zip(firsts, seconds, strict=True))


def joined(deck: Deck) -> bytes:
    """Return the bytes that stand for a deck in a hash: the two points of every card, one after the other."""
    return b"".join(chain.from_iterable(deck))


def unmask(b: bytes, shares: Iterable[bytes]) -> bytes:
    """Return b - sum of shares: the card's point if the shares are those of all keys, else what still covers it.

    `b` is the second half of a ciphertext. Raises InvalidProof `group.not-a-point` or `group.identity`. DECK-4.
    """
    check_point(b)
    return subtract(b, total(shares))
