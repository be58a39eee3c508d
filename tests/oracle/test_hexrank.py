"""The hex evaluator against a naive one: every five, every multiset of six and seven (HEX-10..HEX-12)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from itertools import combinations, combinations_with_replacement, pairwise, product
from math import comb

import numpy as np
import pytest

from dealerless.games.hexrank import RANKS, Best, best, format_digits, rank_seven, rank_sevens, report
from tests.oracle import naive_hex

Five = tuple[int, ...]


@pytest.fixture(scope="module")
def places() -> Mapping[Five, int]:
    return naive_hex.order()


@pytest.fixture(scope="module")
def expected(places: Mapping[Five, int]) -> Mapping[Five, Best]:
    return {
        five: Best(rank=place, symbol=naive_hex.symbol(five), five=naive_hex.arranged(five))
        for five, place in places.items()
    }


def test_every_multiset_has_its_own_strength(places: Mapping[Five, int]) -> None:
    """HEX-11: fives tie only if they hold the same values, so the order has 15,504 steps and no tie in it."""
    keys = [naive_hex.key(five) for five in places]
    assert len(keys) == len(set(keys)) == RANKS == comb(20, 5)
    assert all(weaker < stronger for weaker, stronger in pairwise(keys))


@pytest.mark.parametrize("first", range(16))
def test_all_ordered_fives(first: int, expected: Mapping[Five, Best]) -> None:
    """HEX-10..HEX-12: rank, class and arrangement of all 16^5 fives; a rank is a place in the naive order.

    A place in one sorted list is a total order: antisymmetric, transitive, never undecided.
    """
    for rest in product(range(16), repeat=4):
        five = (first, *rest)
        assert best(five) == expected[tuple(sorted(five))], five


def test_class_sizes(expected: Mapping[Five, Best]) -> None:
    """HEX-10: how many of the 16^5 fives are in each class, counted by hand."""
    orders = {"5": 1, "4": 5, "32": 10, "3+": 120, "3": 20, "22": 30, "2": 60, "0": 120}
    ours = Counter(best(five).symbol for five in expected)
    by_hand = {
        "5": 16,
        "4": 16 * 15,
        "32": 16 * 15,
        "3+": 12,
        "3": 16 * comb(15, 2),
        "22": comb(16, 2) * 14,
        "2": 16 * comb(15, 3),
        "0": comb(16, 5) - 12,
    }
    assert ours == by_hand
    assert sum(orders[symbol] * size for symbol, size in ours.items()) == 16**5


def strongest_places(size: int, places: Mapping[Five, int]) -> dict[Five, int]:
    return {
        cards: max(map(places.__getitem__, combinations(cards, 5)))
        for cards in combinations_with_replacement(range(16), size)
    }


def test_all_sixes(places: Mapping[Five, int]) -> None:
    """HEX-12: every multiset of six is as strong as its strongest five."""
    for six, place in strongest_places(6, places).items():
        assert best(six).rank == place, six


def test_all_sevens(places: Mapping[Five, int]) -> None:
    """HEX-12: every multiset of seven, computed directly, looked up alone and looked up in a batch."""
    sevens = strongest_places(7, places)
    packed = [int(format_digits(seven), 16) for seven in sevens]
    assert len(packed) == comb(22, 7)
    assert rank_sevens(np.array(packed, np.uint32)).tolist() == list(sevens.values())
    for (seven, place), digits in zip(sevens.items(), packed, strict=True):
        assert rank_seven(digits) == place, seven
        assert best(seven).rank == place, seven


def test_random_sevens_by_trying_all_fives(expected: Mapping[Five, Best]) -> None:
    """HEX-12: 5,000 sevens in dealt order against the 21 fives of each, with their reports."""
    draw = random.Random(12)
    for _ in range(5_000):
        packed = draw.randrange(16**7)
        digits = f"{packed:07x}"
        seven = tuple(int(digit, 16) for digit in digits)
        five = naive_hex.strongest(seven)
        ours = best(seven)
        assert ours == expected[tuple(sorted(five))], digits
        assert ours.rank == rank_seven(packed), digits
        assert report(seven) == f"{naive_hex.symbol(five)},{format_digits(five)},{digits}"


def test_batch_does_not_depend_on_the_order_of_cards() -> None:
    """HEX-12: a million sevens in dealt order have the strengths of the same cards sorted."""
    digits = np.random.default_rng(12).integers(0, 16, (1_000_000, 7), dtype=np.uint32)
    weights = 16 ** np.arange(6, -1, -1, dtype=np.uint32)
    dealt = (digits * weights).sum(axis=1, dtype=np.uint32)
    in_order = (np.sort(digits, axis=1) * weights).sum(axis=1, dtype=np.uint32)
    assert np.array_equal(rank_sevens(dealt), rank_sevens(in_order))
