"""Secret numbers out of a source of randomness: scalars, and permutations without bias.

Sixty-four bytes are taken from the source, hashed with SHA-512 together with what the numbers are for, and stretched
with SHAKE256. So a source that repeats itself (a copied virtual machine, a broken kernel) does not give two different
statements one nonce, which would give the secret away.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Final, NoReturn

from ..encoding import Value, encode
from ..errors import UsageError
from .group import L

SOURCE_BYTES: Final = 64

# Twice what a scalar needs, so that reducing it modulo L shows nothing.
_WIDE_BYTES: Final = 64
_WORD_BYTES: Final = 8
_WORDS: Final = 2 ** (8 * _WORD_BYTES)
_WORDS_AT_ONCE: Final = 64


class Drawing:
    """A stream of secret numbers; it prints nothing, and is neither copied nor serialised.

    `random(n)` returns n bytes from the operating system. `purpose` is everything the numbers are drawn for: with
    the same bytes from the source another purpose gives other numbers. Raises UsageError if the source returns
    another number of bytes. DECK-10.
    """

    __slots__ = ("_key", "_taken", "_words")

    def __init__(self, random: Callable[[int], bytes], *purpose: Value) -> None:
        drawn = random(SOURCE_BYTES)
        if len(drawn) != SOURCE_BYTES:
            raise UsageError("usage.bad-value", expected=SOURCE_BYTES, actual=len(drawn))
        self._key = hashlib.sha512(encode(("drawing", drawn, *purpose))).digest()
        self._taken = 0
        self._words: Iterator[int] = iter(())

    def _bytes(self, count: int) -> bytes:
        self._taken += 1
        return hashlib.shake_256(self._key + self._taken.to_bytes(_WORD_BYTES, "little")).digest(count)

    def scalars(self, count: int) -> list[int]:
        """Return `count` ints in [1, L), each uniform up to 2^-250."""
        block = self._bytes(count * _WIDE_BYTES)
        wide = [block[at : at + _WIDE_BYTES] for at in range(0, len(block), _WIDE_BYTES)]
        # One in 2^252 is 0 and becomes 1: a secret or nonce of 0 would hide nothing.
        return [int.from_bytes(data, "little") % L or 1 for data in wide]

    def scalar(self) -> int:
        """Return one of them."""
        return self.scalars(1)[0]

    def below(self, bound: int) -> int:
        """Return an int in [0, bound), exactly uniform: words that would favour the small numbers are passed over."""
        limit = _WORDS - _WORDS % bound
        while (word := self._word()) >= limit:
            pass
        return word % bound

    def permutation(self, count: int) -> list[int]:
        """Return the numbers below `count` in an order of which every one is as likely (Fisher-Yates). DECK-3."""
        order = list(range(count))
        for last in range(count - 1, 0, -1):
            chosen = self.below(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return order

    def _word(self) -> int:
        word = next(self._words, None)
        if word is None:
            block = self._bytes(_WORDS_AT_ONCE * _WORD_BYTES)
            parts = [block[at : at + _WORD_BYTES] for at in range(0, len(block), _WORD_BYTES)]
            self._words = iter([int.from_bytes(part, "little") for part in parts])
            word = next(self._words)
        return word

    def __repr__(self) -> str:
        return "Drawing()"

    def __reduce__(self) -> NoReturn:
        raise TypeError("drawn secrets are neither pickled nor copied")
