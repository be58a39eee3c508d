"""The ranking of 52-card hands against phevaluator, against the rules read naively, and counted (DRAW-5, HOLDEM-2)."""

from __future__ import annotations

import random
from itertools import chain, combinations, pairwise

import numpy as np
import numpy.typing as npt
import pytest
from phevaluator import evaluate_cards

from dealerless.games.cards import DECK
from dealerless.games.ranking import CLASSES, FIRST_RANKS, RANKS, best, class_of, strength
from dealerless.games.rankingtables import strengths
from tests.oracle import naive_cards

HANDS = 40_000


def dealt(many: int, size: int, seed: int) -> list[list[int]]:
    draw = random.Random(seed)
    return [draw.sample(DECK, size) for _ in range(many)]


@pytest.mark.parametrize("size", [5, 6, 7])
def test_against_phevaluator(size: int) -> None:
    """DRAW-5, HOLDEM-2: it numbers the same 7,462 strengths, the strongest 1; cards have the same numbers."""
    hands = dealt(HANDS, size, size)
    theirs = [7462 - evaluate_cards(*hand) for hand in hands]
    assert strengths(np.array(hands, np.uint8)).tolist() == theirs
    assert [strength(hand) for hand in hands] == theirs
    assert [best(hand).rank for hand in hands[::10]] == theirs[::10]


@pytest.fixture(scope="module")
def fives() -> npt.NDArray[np.uint8]:
    return np.fromiter(chain.from_iterable(combinations(DECK, 5)), np.uint8).reshape(-1, 5)


def test_all_fives(fives: npt.NDArray[np.uint8]) -> None:
    """HOLDEM-2: how many of all 2,598,960 are in each class; one of each strength against phevaluator and by rule."""
    ranks, where, counts = np.unique(strengths(fives), return_index=True, return_counts=True)
    assert ranks.tolist() == list(range(RANKS))
    by_class = dict.fromkeys(CLASSES, 0)
    for rank, count in enumerate(counts.tolist()):
        by_class[CLASSES[class_of(rank)]] += count
    assert by_class == {
        "high card": 1_302_540,
        "one pair": 1_098_240,
        "two pairs": 123_552,
        "three of a kind": 54_912,
        "straight": 10_200,
        "flush": 5_108,
        "full house": 3_744,
        "four of a kind": 624,
        "straight flush": 36,
        "royal straight flush": 4,
    }
    one_each = fives[where].tolist()
    keys = [naive_cards.key(five) for five in one_each]
    assert all(weaker < stronger for weaker, stronger in pairwise(keys))
    assert [CLASSES[key[0]] for key in keys] == [best(five).name for five in one_each]
    assert [7462 - evaluate_cards(*five) for five in one_each] == list(range(RANKS))


def test_classes_begin_where_they_are_said_to() -> None:
    """HOLDEM-2: the strengths of a class are in a row."""
    assert [class_of(first) for first in FIRST_RANKS] == list(range(10))
    assert [class_of(first - 1) for first in FIRST_RANKS[1:]] == list(range(9))
    assert class_of(RANKS - 1) == 9


@pytest.mark.parametrize("suits", [1, 2, 4])
@pytest.mark.parametrize("size", [5, 6, 7])
def test_by_trying_all_fives(size: int, suits: int) -> None:
    """HOLDEM-2: the best five are among the cards, and as strong as the strongest five; fewer suits, more flushes."""
    draw = random.Random(size * suits)
    for _ in range(600):
        hand = draw.sample([card for card in DECK if card % 4 < suits], size)
        ours = best(hand)
        expected = naive_cards.strongest(hand)
        assert set(ours.five) <= set(hand)
        assert len(set(ours.five)) == 5
        assert naive_cards.key(ours.five) == expected, hand
        assert CLASSES.index(ours.name) == expected[0]
        assert ours.rank == strength(hand) == strength(ours.five)


def test_the_best_five_stand_in_order() -> None:
    """DRAW-5: larger groups first, then higher ranks; the ace of A-2-3-4-5 last."""
    for hand in dealt(3000, 7, 3):
        ours = best(hand)
        ranks = [card // 4 for card in ours.five]
        if ours.name.endswith(("straight", "straight flush")):
            assert all((high - low) % 13 == 1 for high, low in pairwise(ranks))
        else:
            groups = [(ranks.count(rank), rank) for rank in ranks]
            assert groups == sorted(groups, reverse=True)
