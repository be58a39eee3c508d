"""A second, naive reading of HEX-10..HEX-12, sharing nothing with the evaluator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement

Key = tuple[int, tuple[int, ...]]

# HEX-10, from the weakest to the strongest.
CLASSES = ("0", "2", "22", "3", "3+", "32", "4", "5")

SYMBOL_OF_SHAPE = {
    (5,): "5",
    (4, 1): "4",
    (3, 2): "32",
    (3, 1, 1): "3",
    (2, 2, 1): "22",
    (2, 1, 1, 1): "2",
    (1, 1, 1, 1, 1): "0",
}


def groups(five: Sequence[int]) -> list[tuple[int, int]]:
    """The (size, value) of every value, larger groups first, then higher values."""
    return sorted(((size, value) for value, size in Counter(five).items()), reverse=True)


def symbol(five: Sequence[int]) -> str:
    """The class of a five (HEX-10)."""
    found = SYMBOL_OF_SHAPE[tuple(size for size, _ in groups(five))]
    return "3+" if found == "0" and max(five) - min(five) == 4 else found


def key(five: Sequence[int]) -> Key:
    """What decides between fives: the class, then the values group by group (HEX-11)."""
    return CLASSES.index(symbol(five)), tuple(value for _, value in groups(five))


def arranged(five: Sequence[int]) -> tuple[int, ...]:
    """The cards of a five in the order of a report (HEX-12)."""
    return tuple(value for size, value in groups(five) for _ in range(size))


def strongest(cards: Sequence[int]) -> tuple[int, ...]:
    """The strongest five of some cards, arranged, by trying all (HEX-12)."""
    return arranged(max(combinations(cards, 5), key=key))


def order() -> dict[tuple[int, ...], int]:
    """The place of every multiset of five, given from low to high, when all are sorted by strength."""
    fives = sorted(combinations_with_replacement(range(16), 5), key=key)
    return {five: place for place, five in enumerate(fives)}
