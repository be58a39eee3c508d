"""What holds for every hand of the 52-card deck, and for every equity (DRAW-5, HOLDEM-2, HOLDEM-4)."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealerless.errors import UsageError
from dealerless.games.cards import DECK, card_text, cards_text, read_card, read_cards
from dealerless.games.equity import equity, flop_counts
from dealerless.games.ranking import RANKS, best, strength


def some_cards(least: int, most: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.sampled_from(DECK), min_size=least, max_size=most, unique=True)


@given(some_cards(5, 7), st.randoms(use_true_random=False), st.permutations(range(4)))
def test_order_and_suits_decide_nothing(cards: list[int], draw: object, suits: list[int]) -> None:
    """HOLDEM-2: neither the order of the cards nor which suit is which."""
    ours = best(cards)
    assert 0 <= ours.rank < RANKS
    assert best(sorted(cards)) == best(cards[::-1]) == ours
    renamed = best([card // 4 * 4 + suits[card % 4] for card in cards])
    assert (renamed.rank, renamed.name) == (ours.rank, ours.name)
    assert [card // 4 for card in renamed.five] == [card // 4 for card in ours.five]


@given(some_cards(6, 7))
def test_a_card_more_is_never_worse(cards: list[int]) -> None:
    """HOLDEM-2: the best of seven is the best of the sixes in them."""
    fewer = [strength(cards[:at] + cards[at + 1 :]) for at in range(len(cards))]
    assert strength(cards) == max(fewer)


@given(some_cards(0, 52))
def test_cards_are_read_as_they_are_written(cards: list[int]) -> None:
    """HOLDEM-4."""
    assert read_cards(cards_text(cards)) == tuple(cards)


@given(st.text(max_size=4) | st.text("SHDCshdcAKQJT1098765432 ", max_size=4))
def test_nothing_else_is_a_card(text: str) -> None:
    """HOLDEM-4: 52 texts are cards, and only these."""
    known = {card_text(card) for card in DECK}
    if text in known:
        assert card_text(read_card(text)) == text
    else:
        with pytest.raises(UsageError) as refused:
            read_card(text)
        assert refused.value.code == "cards.not-a-card"
        assert not refused.value.hint or refused.value.hint.rsplit(maxsplit=1)[-1] in known


def test_there_are_52_texts() -> None:
    """HOLDEM-4."""
    assert len({card_text(card) for card in DECK}) == 52


def counts(*rows: list[int]) -> list[tuple[int, int]]:
    wins, ties = flop_counts(np.array(rows, np.uint8))
    return list(zip(wins.tolist(), ties.tolist(), strict=True))


@settings(max_examples=50)
@given(some_cards(7, 7), st.permutations(range(4)))
def test_equity_does_not_depend_on_names(deal: list[int], suits: list[int]) -> None:
    """HOLDEM-4: not on the suits' names, the order within a hand or the flop; the other way round wins are losses."""
    a, b, c, d, *flop = deal
    rows = [deal, [card // 4 * 4 + suits[card % 4] for card in deal], [b, a, d, c, *flop[::-1]]]
    rows += [[a, b, c, d, *turned] for turned in permutations(flop)]
    (win, tie), *others = counts(*rows, [c, d, a, b, *flop])
    assert others.pop() == (990 - win - tie, tie)
    assert set(others) == {(win, tie)}


@settings(max_examples=5, deadline=None)
@given(some_cards(7, 7))
def test_a_flop_is_the_mean_of_its_turns(deal: list[int]) -> None:
    """HOLDEM-4: over the 45 turns every board is counted twice, and over the 44 rivers of one of them once."""
    first, second, flop = deal[:2], deal[2:4], deal[4:]
    total = equity(first, second, flop).total
    assert counts(deal) == [(total.win, total.tie)]
    turns = [equity(first, second, [*flop, card]).total for card in DECK if card not in deal]
    assert tuple(map(sum, zip(*turns, strict=True))) == tuple(2 * boards for boards in total)
    turn = next(card for card in DECK if card not in deal)
    rivers = [equity(first, second, [*flop, turn, card]).total for card in DECK if card not in (*deal, turn)]
    assert tuple(map(sum, zip(*rivers, strict=True))) == equity(first, second, [*flop, turn]).total


@pytest.mark.parametrize("many", [0, 1, 8191, 8192, 8193])
def test_any_number_of_deals(many: int) -> None:
    """HOLDEM-4: blocks of deals meet without a gap."""
    shuffled = np.random.default_rng(1).permuted(np.tile(np.arange(52, dtype=np.uint8), (many, 1)), axis=1)[:, :7]
    wins, ties = flop_counts(np.ascontiguousarray(shuffled))
    assert wins.shape == ties.shape == (many,)
    for at in {0, many // 2, many - 1} if many else set():
        assert counts(shuffled[at].tolist()) == [(wins[at], ties[at])]
    assert flop_counts(shuffled)[0].tolist() == wins.tolist()


@pytest.mark.parametrize(
    ("rows", "code", "actual"),
    [
        ([[0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 52]], "cards.not-a-card", "52 in row 1"),
        ([[0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 9, 2]], "cards.duplicate", "H2 in row 1"),
        ([[0, 255, 2, 3, 4, 255, 2]], "cards.not-a-card", "255 in row 0"),
    ],
)
def test_deals_that_are_none(rows: list[list[int]], code: str, actual: str) -> None:
    """HOLDEM-4: the first row that is wrong is named."""
    with pytest.raises(UsageError) as refused:
        flop_counts(np.array(rows, np.uint8))
    assert (refused.value.code, refused.value.actual) == (code, actual)


def test_a_wrong_row_of_a_later_block_is_named() -> None:
    """HOLDEM-4."""
    rows = np.tile(np.arange(7, dtype=np.uint8), (10_000, 1))
    rows[9_000, 3] = 0
    with pytest.raises(UsageError) as refused:
        flop_counts(rows)
    assert refused.value.actual == "C2 in row 9000"


@pytest.mark.parametrize("array", [np.zeros((3, 6), np.uint8), np.zeros(7, np.uint8), np.zeros((3, 7), np.int64)])
def test_arrays_of_another_kind(array: np.ndarray) -> None:
    """HOLDEM-4: nothing is converted silently."""
    with pytest.raises(UsageError) as refused:
        flop_counts(array)
    assert refused.value.code == "usage.bad-value"


@pytest.mark.parametrize(
    ("first", "second", "board", "code"),
    [
        ([0], [1, 2], [], "cards.count"),
        ([0, 1], [2, 3, 4], [], "cards.count"),
        ([0, 1], [2, 3], [4], "cards.count"),
        ([0, 1], [2, 3], [4, 5], "cards.count"),
        ([0, 1], [2, 3], [4, 5, 6, 7, 8, 9], "cards.count"),
        ([0, 1], [2, 3], [4, 5, 0], "cards.duplicate"),
        ([0, 1], [2, 0], [], "cards.duplicate"),
        ([0, 1], [2, 52], [], "cards.not-a-card"),
        ([0, True], [2, 3], [], "cards.not-a-card"),
    ],
)
def test_hands_that_are_none(first: list[int], second: list[int], board: list[int], code: str) -> None:
    """HOLDEM-4."""
    with pytest.raises(UsageError) as refused:
        equity(first, second, board)
    assert refused.value.code == code
