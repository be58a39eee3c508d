"""Equity against brute force: with phevaluator, with our ranking board by board, and by summing flops (HOLDEM-4)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from phevaluator import evaluate_cards

from dealerless.games.cards import DECK, cards_text
from dealerless.games.equity import BOARDS_AFTER_FLOP, Equity, equity, flop_counts
from dealerless.games.ranking import CLASSES, class_of
from dealerless.games.rankingtables import strengths
from tests.oracle import naive_cards

Deal = Sequence[int]

# Where the cards of a deal come from: everywhere, or where flushes, straights, pairs and ties are.
POOLS: dict[str, list[int]] = {
    "all": list(DECK),
    "one suit": [card for card in DECK if card % 4 == 2],
    "two suits": [card for card in DECK if card % 4 < 2],
    "a suit and high cards": [card for card in DECK if card % 4 == 1 or card >= 40],
    "four ranks": list(range(16, 32)),
    "ranks in a row": list(range(24, 48)),
    "aces and low cards": [*range(16), *range(48, 52)],
}


def deals(pool: str, many: int, seed: int = 1) -> list[list[int]]:
    draw = random.Random(f"{pool} {seed}")
    return [draw.sample(POOLS[pool], 7) for _ in range(many)]


def counted(dealt: Sequence[Deal]) -> list[tuple[int, int]]:
    wins, ties = flop_counts(np.array(dealt, np.uint8))
    return list(zip(wins.tolist(), ties.tolist(), strict=True))


def both_strengths(deal: Deal, rest: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint16]]:
    """The strengths of the two hands of a deal with each row of cards to come."""

    def of(hole: Deal) -> npt.NDArray[np.uint16]:
        known = np.tile(np.array([*hole, *deal[4:]], np.uint8), (len(rest), 1))
        return strengths(np.concatenate([known, rest], axis=1))

    return of(deal[:2]), of(deal[2:4])


def to_come(deal: Deal, many: int) -> npt.NDArray[np.uint8]:
    unknown = [card for card in DECK if card not in deal]
    return np.array(list(combinations(unknown, many)), np.uint8)


@pytest.mark.parametrize("pool", POOLS)
def test_flops_with_phevaluator(pool: str) -> None:
    """HOLDEM-4: 990 boards each, ranked by somebody else's code."""
    some = deals(pool, 12)
    for deal, (wins, ties) in zip(some, counted(some), strict=True):
        theirs = naive_cards.outcomes(deal[:2], deal[2:4], deal[4:], lambda seven: -evaluate_cards(*seven))
        assert (wins, ties, BOARDS_AFTER_FLOP - wins - ties) == theirs, cards_text(deal)


@pytest.mark.parametrize("pool", POOLS)
def test_flops_board_by_board(pool: str) -> None:
    """HOLDEM-4: what is counted by ranks and by suits against all seven cards at once."""
    some = deals(pool, 250, seed=2)
    for deal, (wins, ties) in zip(some, counted(some), strict=True):
        one, two = both_strengths(deal, to_come(deal, 2))
        assert (wins, ties) == (int((one > two).sum()), int((one == two).sum())), cards_text(deal)


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("known", [3, 4, 5])
def test_one_deal_by_the_naive_ranking(pool: str, known: int) -> None:
    """HOLDEM-4: with three, four or five cards of the board known."""
    draw = random.Random(f"{pool} {known}")
    for _ in range(1 if known == 3 else 5):
        deal = draw.sample(POOLS[pool], 4 + known)
        if known == 3:
            expected = naive_cards.outcomes(deal[:2], deal[2:4], deal[4:], lambda seven: -evaluate_cards(*seven))
        else:
            expected = naive_cards.outcomes(deal[:2], deal[2:4], deal[4:], naive_cards.strongest)
        assert equity(deal[:2], deal[2:4], deal[4:]).total == expected, cards_text(deal)


def by_class(ranks: npt.NDArray[np.uint16], others: npt.NDArray[np.uint16]) -> list[tuple[int, int, int]]:
    classes = np.array([class_of(rank) for rank in range(7462)])[ranks]
    outcomes = (ranks > others, ranks == others, ranks < others)
    columns = [np.bincount(classes[outcome], minlength=len(CLASSES)).tolist() for outcome in outcomes]
    return list(zip(*columns, strict=True))


def check_classes(told: Equity, one: npt.NDArray[np.uint16], two: npt.NDArray[np.uint16]) -> None:
    assert list(told.first) == by_class(one, two)
    assert list(told.second) == by_class(two, one)


@pytest.mark.parametrize("pool", POOLS)
def test_classes_after_the_flop(pool: str) -> None:
    """HOLDEM-4: both players' tallies class by class."""
    for deal in deals(pool, 4, seed=3):
        check_classes(equity(deal[:2], deal[2:4], deal[4:]), *both_strengths(deal, to_come(deal, 2)))


@pytest.mark.parametrize("text", ["SA SK DA SQ"])
def test_before_the_flop_board_by_board(text: str) -> None:
    """HOLDEM-4: all 1,712,304 boards, class by class."""
    deal = naive_cards.cards(text)
    told = equity(deal[:2], deal[2:4])
    check_classes(told, *both_strengths(deal, to_come(deal, 5)))
    assert told.total.boards == 1_712_304


@pytest.mark.parametrize("pool", POOLS)
def test_before_the_flop_is_the_sum_of_all_flops(pool: str) -> None:
    """HOLDEM-4: each board has ten flops, so over the 17,296 flops it is counted ten times."""
    for deal in deals(pool, 4, seed=4):
        hands = deal[:4]
        flops = to_come(hands, 3)
        wins, ties = flop_counts(np.concatenate([np.tile(np.array(hands, np.uint8), (len(flops), 1)), flops], axis=1))
        total = equity(hands[:2], hands[2:]).total
        assert (10 * total.win, 10 * total.tie) == (int(wins.sum()), int(ties.sum())), cards_text(hands)
        assert total.boards == 1_712_304
