"""Strength of hex-poker cards: five, six or seven hex digits without suits (HEX-10..HEX-12).

A card is an int from 0 to 15. A strength is a `Rank`: there are exactly 15,504 multisets of five digits, no
two of them equally strong, so the ranks are 0..15503, without gaps, and equal ranks are ties.

One hand is computed directly, in microseconds, without tables. `rank_seven` and `rank_sevens` look up the
same ranks in tables that numpy builds on first use (`dealerless.games.hextables`); importing this module
loads neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, TypeAlias

from dealerless.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from dealerless.games.hextables import SevenTables

Rank: TypeAlias = int
"""A strength from 0 (53210) to 15503 (fffff); higher is stronger, equal is a tie (HEX-10, HEX-11)."""

DIGITS: Final = "0123456789abcdef"

RANKS: Final = 15504
"""The number of multisets of five out of sixteen values, C(20, 5)."""

# Each class begins where the weaker ones end. The sizes: C(16,5) sets of five values, less the 12 straights;
# a pair and three of 15 others; two pairs and one of 14; a set and two of 15; the straights; and so on.
_NOTHING: Final = 0
_PAIR: Final = _NOTHING + 4368 - 12
_TWO_PAIRS: Final = _PAIR + 16 * 455
_SET: Final = _TWO_PAIRS + 120 * 14
_STRAIGHT: Final = _SET + 16 * 105
_FULL_HOUSE: Final = _STRAIGHT + 12
_FOUR: Final = _FULL_HOUSE + 16 * 15
_FIVE: Final = _FOUR + 16 * 15

_CHOOSE_2: Final = tuple(n * (n - 1) // 2 for n in range(16))
_CHOOSE_3: Final = tuple(n * (n - 1) * (n - 2) // 6 for n in range(16))
_CHOOSE_4: Final = tuple(n * (n - 1) * (n - 2) * (n - 3) // 24 for n in range(16))
_CHOOSE_5: Final = tuple(n * (n - 1) * (n - 2) * (n - 3) * (n - 4) // 120 for n in range(16))


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Best:
    """The strongest five of a hand; instances compare by strength.

    `rank` is its strength, `symbol` its class ('5', '4', '32', '3+', '3', '22', '2' or '0'), `five` its cards
    with larger groups first, then higher values; a straight from high to low (HEX-12).
    """

    rank: Rank
    symbol: str
    five: tuple[int, ...]


def best(cards: Sequence[int]) -> Best:
    """Return the strongest five of five, six or seven cards (HEX-10..HEX-12).

    `cards` are ints 0..15 in any order. Raises `UsageError` `cards.count` or `cards.not-hex-digits`.
    """
    if not 5 <= len(cards) <= 7:
        raise UsageError("cards.count", expected="5 to 7", actual=len(cards))
    counts = [0] * 16
    values = 0  # bit v is set when value v is there
    for card in cards:
        if type(card) is not int or not 0 <= card <= 15:
            raise UsageError("cards.not-hex-digits", actual=card)
        counts[card] += 1
        values |= 1 << card
    high_first = [value for value in range(15, -1, -1) if counts[value]]
    # Sorting is stable, also in reverse: of equal groups the higher stays in front.
    large_first = sorted(high_first, key=counts.__getitem__, reverse=True)

    first = large_first[0]
    size = counts[first]
    if size >= 5:
        return Best(rank=_FIVE + first, symbol="5", five=(first,) * 5)
    others = [value for value in high_first if value != first]
    if size == 4:
        kicker = others[0]
        rank = _FOUR + 15 * first + _without(kicker, first)
        return Best(rank=rank, symbol="4", five=(first, first, first, first, kicker))
    if size == 3:
        # The pair may be part of a second set, and of two pairs the higher counts: not always the next
        # largest group.
        for pair in others:
            if counts[pair] >= 2:
                rank = _FULL_HOUSE + 15 * first + _without(pair, first)
                return Best(rank=rank, symbol="32", five=(first, first, first, pair, pair))
    runs = values & values >> 1 & values >> 2 & values >> 3 & values >> 4
    if runs:
        low = runs.bit_length() - 1
        return Best(rank=_STRAIGHT + low, symbol="3+", five=(low + 4, low + 3, low + 2, low + 1, low))
    if size == 3:
        a, b = others[:2]
        rank = _SET + 105 * first + _CHOOSE_2[_without(a, first)] + _without(b, first)
        return Best(rank=rank, symbol="3", five=(first, first, first, a, b))
    if size == 2:
        second = large_first[1]
        if counts[second] == 2:
            # A third pair gives up one of its cards as the last card when that is the highest left.
            kicker = others[0] if others[0] != second else others[1]
            place = kicker - (kicker > first) - (kicker > second)
            rank = _TWO_PAIRS + 14 * (_CHOOSE_2[first] + second) + place
            return Best(rank=rank, symbol="22", five=(first, first, second, second, kicker))
        a, b, c = others[:3]
        kickers = _CHOOSE_3[_without(a, first)] + _CHOOSE_2[_without(b, first)] + _without(c, first)
        return Best(rank=_PAIR + 455 * first + kickers, symbol="2", five=(first, first, a, b, c))
    a, b, c, d, e = high_first[:5]
    # Of the sets of five with the same highest value the straight would be the strongest: the straights
    # passed over are those below, one for each highest value from 4 to a - 1.
    rank = _NOTHING + _CHOOSE_5[a] + _CHOOSE_4[b] + _CHOOSE_3[c] + _CHOOSE_2[d] + e - (a - 4)
    return Best(rank=rank, symbol="0", five=(a, b, c, d, e))


def _without(value: int, taken: int) -> int:
    """Return the place of `value` among the fifteen values other than `taken`."""
    return value - (value > taken)


def report(cards: Sequence[int]) -> str:
    """Return the line `kk,c1c2c3c4c5,s1s2...`: class, best five, and the cards as dealt (HEX-12).

    `cards` are five to seven ints 0..15, common cards before hole cards. Raises like `best`.
    """
    strongest = best(cards)
    return f"{strongest.symbol},{format_digits(strongest.five)},{format_digits(cards)}"


def parse_digits(text: str) -> tuple[int, ...]:
    """Return the cards that five to seven lower-case hex digits name, in their order (HEX-1, HEX-12).

    Nothing else may stand in `text`: no upper case, space, sign, prefix or digit of another script. Raises
    `UsageError` `cards.count` or `cards.not-hex-digits`.
    """
    if not 5 <= len(text) <= 7:
        raise UsageError("cards.count", expected="5 to 7", actual=len(text))
    for character in text:
        if character not in DIGITS:
            raise UsageError("cards.not-hex-digits", actual=character)
    return tuple(int(character, 16) for character in text)


def format_digits(cards: Sequence[int]) -> str:
    """Return cards, ints 0..15, as lower-case hex digits in the same order (HEX-1)."""
    return "".join(DIGITS[card] for card in cards)


# The tables for single look-ups, once they are needed: a list, because the call of a cached function would
# be a fifth of the time that `rank_seven` takes.
_views: list[memoryview] = []


def rank_seven(packed: int) -> Rank:
    """Return the strength of seven cards packed into 28 bits, the first digit most significant (HEX-12).

    `packed` is what `int("95f9ce4", 16)` gives. The first call builds the tables. Raises `UsageError`
    `usage.bad-value` for anything but an int of 28 bits.
    """
    if type(packed) is not int or packed >> 28:  # what is left of a negative number is -1
        raise UsageError("usage.bad-value", expected="seven packed digits, 0..0xfffffff", actual=packed)
    if not _views:
        _views[:] = _tables().views()
    heads, tails, ranks = _views
    return ranks[heads[packed >> 12] + tails[packed & 0xFFF]]


def rank_sevens(packed: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint16]:
    """Return the strengths of many sevens, packed like those of `rank_seven`, in the same shape (HEX-12).

    `packed` is a uint32 array of any shape. The first call builds the tables. Raises `UsageError`
    `usage.bad-value` for another type or a value of more than 28 bits.
    """
    if str(packed.dtype) != "uint32":
        raise UsageError("usage.bad-value", expected="an array of uint32", actual=str(packed.dtype))
    return _tables().look_up(packed)


@cache
def _tables() -> SevenTables:
    from dealerless.games import hextables

    return hextables.build(lambda five: best(five).rank)
