"""Tables that give the strength of any seven hex digits in three look-ups.

A strength does not depend on the order of the cards, so a seven is split into its first four and last three
digits and each part is replaced by the index of its multiset: 3,876 multisets of four and 816 of three. The
table of strengths then has 3,876 * 816 entries, 6 MB, where one by all 2^28 sevens would have 512 MB; the two
small tables stay in the nearer caches.

Multisets of one size are numbered by their digits from high to low, compared in that order. The index of one
follows from binomial coefficients, which makes every table below a few array expressions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Final

import numpy as np
import numpy.typing as npt

from dealerless.errors import UsageError

# Sevens to a block: the fastest of the powers of two from 2^11 to 2^18 (2^14 is a sixth slower). A call's
# overhead no longer shows, and a block's three buffers of 8 bytes an entry stay in the third-level cache.
_BLOCK: Final = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SevenTables:
    """The strengths of all sevens: `ranks[heads[first four digits] + tails[last three digits]]`.

    `heads` has 2^16 and `tails` 2^12 entries, both of numpy's index type (look-ups then need no conversion);
    `heads` holds multiples of 816, the length of a row of `ranks`, which is flat and of type uint16.
    """

    heads: npt.NDArray[np.intp]
    tails: npt.NDArray[np.intp]
    ranks: npt.NDArray[np.uint16]

    def look_up(self, packed: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint16]:
        """Return the strength of each seven, the first digit most significant in its 28 bits.

        `packed` may have any shape, and the result has the same. Raises `UsageError` `usage.bad-value` if a
        value has more than 28 bits.
        """
        flat = packed.reshape(-1)
        strengths = np.empty(flat.size, np.uint16)
        width = min(_BLOCK, flat.size)
        wide, index, part = (np.empty(width, np.intp) for _ in range(3))
        for start in range(0, flat.size, _BLOCK):
            block = flat[start : start + _BLOCK]
            if block.size < width:
                wide, index, part = wide[: block.size], index[: block.size], part[: block.size]
            if int(block.max()) >> 28:
                raise UsageError("usage.bad-value", expected="seven packed digits", actual=int(block.max()))
            # Every index is in range by now; mode="clip" only spares numpy a second copy of the output.
            np.copyto(wide, block)
            np.right_shift(wide, 12, out=part)
            np.take(self.heads, part, out=index, mode="clip")
            np.bitwise_and(wide, 0xFFF, out=wide)
            np.take(self.tails, wide, out=part, mode="clip")
            np.add(index, part, out=index)
            np.take(self.ranks, index, out=strengths[start : start + block.size], mode="clip")
        return strengths.reshape(packed.shape)

    def views(self) -> tuple[memoryview, memoryview, memoryview]:
        """Return heads, tails and ranks for look-ups one by one.

        Indexing a memoryview gives a plain int at a third of the cost of indexing an array; narrow entries
        leave more of the cache to `ranks`.
        """
        return self.heads.astype(np.uint32).data, self.tails.astype(np.uint16).data, self.ranks.data


def build(rank_of_five: Callable[[tuple[int, ...]], int]) -> SevenTables:
    """Return the tables for a strength of fives that does not depend on their order (HEX-12).

    `rank_of_five` is asked once for each of the 15,504 multisets, with the digits from high to low; its
    answers must fit into 16 bits. A seven's strength is the greatest over the fives in it.
    """
    rows = {1: np.arange(16)[:, np.newaxis]}  # by size: the multisets
    for size in range(1, 7):
        rows[size + 1] = _one_longer(rows[size])
    ranks = np.array([rank_of_five(tuple(five)) for five in rows[5].tolist()], np.uint16)
    adding = {}  # by size: [index of a multiset, digit] -> index of the multiset of one more, with both
    for size in range(1, 7):
        longer = rows[size + 1]
        without = [_indices(np.delete(longer, column, 1)) for column in range(size + 1)]
        adding[size] = np.empty((len(rows[size]), 16), np.intp)
        for column, index in enumerate(without):
            adding[size][index, longer[:, column]] = np.arange(len(longer))
        if size >= 5:
            ranks = np.max([ranks[index] for index in without], axis=0)

    of_digits = {1: np.arange(16)}  # by number of digits: [packed digits] -> index of their multiset
    for size in (1, 2, 3):
        of_digits[size + 1] = adding[size][of_digits[size]].reshape(-1)
    joined = np.arange(len(rows[4]))[:, np.newaxis]
    for size, digit in zip((4, 5, 6), rows[3].T, strict=True):
        joined = adding[size][joined, digit]
    return SevenTables(heads=of_digits[4] * len(rows[3]), tails=of_digits[3], ranks=ranks[joined].reshape(-1))


def _one_longer(rows: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return every multiset of one digit more than those in `rows`, which are all of theirs.

    In both, a row holds its digits from high to low and stands at its index: rows with small digits come
    first.
    """
    blocks = [np.insert(rows[rows[:, 0] <= value], 0, value, axis=1) for value in range(16)]
    return np.concatenate(blocks)


def _indices(rows: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return the index of each multiset, given as a row of digits from high to low.

    A digit v with k - 1 digits after it has comb(v + k - 1, k) multisets before it: those of k digits below
    v.
    """
    size = rows.shape[1]
    index = np.zeros(len(rows), np.intp)
    for column in range(size):
        k = size - column
        index += np.array([comb(value + k - 1, k) for value in range(16)])[rows[:, column]]
    return index
