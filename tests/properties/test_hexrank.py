"""Worked examples, properties and bad input of the hex evaluator (HEX-1, HEX-10..HEX-12)."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealerless.errors import UsageError
from dealerless.games.hexrank import (
    RANKS,
    best,
    format_digits,
    parse_digits,
    rank_seven,
    rank_sevens,
    report,
)

hands = st.lists(st.integers(0, 15), min_size=5, max_size=7).map(tuple)


def rank(text: str) -> int:
    """The strength of the cards in `text`; for a seven also looked up, and the two agree."""
    strength = best(parse_digits(text)).rank
    if len(text) == 7:
        assert rank_seven(int(text, 16)) == strength
    return strength


@pytest.mark.parametrize(
    ("seven", "line"),
    [
        pytest.param("95f9ce4", "2,99fec,95f9ce4", id="X15-stronger"),
        pytest.param("95f9c4a", "2,99fca,95f9c4a", id="X15-weaker"),
        pytest.param("4444fff", "4,4444f,4444fff", id="X16-four-not-full-house"),
        pytest.param("aaa6789", "3+,a9876,aaa6789", id="X18-straight-beats-set"),
        pytest.param("0123f4f", "3+,43210,0123f4f", id="X19-lowest"),
        pytest.param("fedcbaa", "3+,fedcb,fedcbaa", id="X19-highest"),
        pytest.param("ef01234", "3+,43210,ef01234", id="X19-no-wrap"),
        pytest.param("ef012aa", "2,aafe2,ef012aa", id="H13-wrapped-run-is-nothing"),
        pytest.param("66677a8", "32,66677,66677a8", id="X21-full-house"),
        pytest.param("6789a6a", "3+,a9876,6789a6a", id="X21-straight"),
        pytest.param("1234500", "3+,54321,1234500", id="X22-low-holes"),
        pytest.param("12345ff", "3+,54321,12345ff", id="X22-high-holes"),
        pytest.param("6789abc", "3+,cba98,6789abc", id="seven-in-a-row"),
        pytest.param("666ffaa", "32,666ff,666ffaa", id="two-pairs-beside-a-set"),
        pytest.param("6333606", "32,66633,6333606", id="two-sets"),
        pytest.param("5555fff", "4,5555f,5555fff", id="set-beside-four"),
        pytest.param("55555ff", "5,55555,55555ff", id="pair-beside-five"),
        pytest.param("4847875", "22,88775,4847875", id="BR05-two-higher-pairs"),
        pytest.param("48478d6", "22,8844d,48478d6", id="BR05-loser"),
        pytest.param("5566770", "22,77665,5566770", id="BR08-third-pair-is-the-last-card"),
        pytest.param("556677f", "22,7766f,556677f", id="BR08-third-pair-does-not-play"),
    ],
)
def test_reports(seven: str, line: str) -> None:
    """HEX-12: class, best five and the seven as dealt."""
    assert report(parse_digits(seven)) == line


@pytest.mark.parametrize("digit", "0123456789abcdef")
def test_digest_of_one_digit(digit: str) -> None:
    """HEX-10, H13: seven equal cards are five equal ones, and five to seven of them are equally strong."""
    seven = digit * 7
    assert report(parse_digits(seven)) == f"5,{digit * 5},{seven}"
    assert rank(seven) == rank(digit * 6) == rank(digit * 5) == RANKS - 16 + int(digit, 16)


@pytest.mark.parametrize(
    ("stronger", "weaker"),
    [
        ("44d44", "0000f"),
        ("15111", "11101"),
        ("51515", "44455"),
        ("555ff", "52525"),
        ("12345", "43210"),
        ("fbcde", "87659"),
        ("fffff", "99999"),
        ("95f9ce4", "95f9c4a"),
        # The weakest of each class against the strongest of the next.
        ("00000", "ffffe"),
        ("00001", "fffee"),
        ("00011", "fedcb"),
        ("43210", "fffed"),
        ("00021", "ffeed"),
        ("11002", "ffedc"),
        ("00321", "fedca"),
        # X18, X21: the order is not that of rarity.
        ("aaa6789", "fffa802"),
        ("66677a8", "6789a6a"),
        # Within a class the groups decide before single cards, and these from high to low.
        ("99012", "88fed"),
        ("aa220", "9988f"),
        ("aa330", "aa22f"),
        ("33310", "222fe"),
        ("333e0", "333dc"),
        ("33e10", "33dcb"),
        ("fe310", "fe210"),
        ("f3210", "edcb9"),
    ],
)
def test_inequalities(stronger: str, weaker: str) -> None:
    """HEX-10, HEX-11: the pairs that the rules name, and one at each border."""
    assert rank(stronger) > rank(weaker)
    assert best(parse_digits(stronger)) > best(parse_digits(weaker))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("1234500", "12345ff", id="X22"),
        pytest.param("4567801", "45678ff", id="BR14-straight-on-the-board"),
        pytest.param("54322", "22345", id="BR29-order-of-cards"),
        pytest.param("6ca6a09", "6ca6a33", id="BR08-third-pair-below-the-last-card"),
        pytest.param("44444ff", "4444400", id="five-on-the-board"),
    ],
)
def test_ties(one: str, other: str) -> None:
    """HEX-11, HEX-12: equally strong sevens whose other cards do not play."""
    assert rank(one) == rank(other)
    assert best(parse_digits(one)) == best(parse_digits(other))


@given(hands.flatmap(lambda cards: st.tuples(st.just(cards), st.permutations(cards))))
def test_permutations(pair: tuple[tuple[int, ...], list[int]]) -> None:
    """HEX-12, BR29: cards in another order are as strong, and their best five is arranged in the same way."""
    cards, permuted = pair
    assert best(cards) == best(permuted)


@given(hands)
def test_best_five_is_taken_from_the_cards(cards: tuple[int, ...]) -> None:
    """HEX-12: the five are among the cards, have the strength of the whole, and are already arranged."""
    strongest = best(cards)
    assert Counter(strongest.five) <= Counter(cards)
    assert best(strongest.five) == strongest
    assert 0 <= strongest.rank < RANKS


@given(hands.filter(lambda cards: len(cards) < 7), st.integers(0, 15))
def test_another_card_never_weakens(cards: tuple[int, ...], card: int) -> None:
    """HEX-12: the strongest five stays available when a card is added."""
    assert best((*cards, card)) >= best(cards)


@given(hands, hands)
def test_results_compare_by_strength(cards: tuple[int, ...], others: tuple[int, ...]) -> None:
    """HEX-11: of two results one is stronger or both are equal, as their ranks say."""
    one, other = best(cards), best(others)
    assert (one < other, one == other, one > other) == (
        one.rank < other.rank,
        one.rank == other.rank,
        one.rank > other.rank,
    )


@given(hands)
def test_digits_round_trip(cards: tuple[int, ...]) -> None:
    """HEX-1: digits name the cards in their order."""
    assert parse_digits(format_digits(cards)) == cards


@pytest.mark.parametrize(
    "text",
    [
        "95F9CE4",
        "95f9cg4",
        "0x12345",
        "12 4567",
        " 12345",
        "12345\n",
        "-123456",
        "1_23456",
        "1234\uff15",
        "12345\u00b2",
        "\u066312345",
        "10c45h",
    ],
)
def test_foreign_characters_are_refused(text: str) -> None:
    """HEX-1, BR19: only lower-case hex digits of ASCII are cards."""
    with pytest.raises(UsageError) as refused:
        parse_digits(text)
    assert refused.value.code == "cards.not-hex-digits"
    assert refused.value.clause == "HEX-1"


@pytest.mark.parametrize("text", ["", "1", "1234", "12345678", "d41d8cd98f00b204e9800998ecf8427e"])
def test_other_numbers_of_digits_are_refused(text: str) -> None:
    """HEX-12, BR28: five, six or seven cards have a strength, fewer or more have none."""
    for refusing in (lambda: parse_digits(text), lambda: best([int(digit, 16) for digit in text])):
        with pytest.raises(UsageError) as refused:
            refusing()
        assert refused.value.code == "cards.count"


@pytest.mark.parametrize("card", [-1, 16, True, 1.0, "1", None])
def test_what_is_no_card_is_refused(card: object) -> None:
    """HEX-1: a card is a whole number from 0 to 15."""
    with pytest.raises(UsageError) as refused:
        best([0, 1, 2, 3, card])  # type: ignore[list-item]
    assert refused.value.code == "cards.not-hex-digits"


@pytest.mark.parametrize("packed", [-1, 1 << 28, 1 << 64, True, 1.0, "95f9ce4", None])
def test_single_look_up_refuses_other_than_28_bits(packed: object) -> None:
    """HEX-12: a number that is not seven digits is refused, also where it could be a negative index."""
    with pytest.raises(UsageError) as refused:
        rank_seven(packed)  # type: ignore[arg-type]
    assert refused.value.code == "usage.bad-value"


@pytest.mark.parametrize("size", [0, 1, 2, (1 << 16) - 1, 1 << 16, (1 << 16) + 1, 150_000])
def test_batches_of_any_length(size: int) -> None:
    """HEX-12: a batch gives what single look-ups give, whatever its length is to that of a block."""
    packed = np.random.default_rng(size).integers(0, 1 << 28, size, dtype=np.uint32)
    strengths = rank_sevens(packed)
    assert strengths.dtype == np.uint16
    assert strengths.tolist() == [rank_seven(seven) for seven in packed.tolist()]


def test_batch_keeps_shape_and_input() -> None:
    """HEX-12: the result has the shape of the input, also of a strided one, which stays as it was."""
    packed = np.random.default_rng(7).integers(0, 1 << 28, (30, 4), dtype=np.uint32)
    before = packed.copy()
    strengths = rank_sevens(packed)
    assert strengths.shape == packed.shape
    assert np.array_equal(rank_sevens(packed[::2, ::3]), strengths[::2, ::3])
    assert np.array_equal(packed, before)


@pytest.mark.parametrize("place", [0, 80_000, 149_999])
def test_batch_refuses_more_than_28_bits(place: int) -> None:
    """HEX-12: one number that is not seven digits spoils its batch instead of getting a strength."""
    packed = np.zeros(150_000, np.uint32)
    packed[place] = 1 << 28
    with pytest.raises(UsageError) as refused:
        rank_sevens(packed)
    assert refused.value.code == "usage.bad-value"


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint16", "float64", ">u4"])
def test_batch_refuses_other_types(dtype: str) -> None:
    """HEX-12: only native 32-bit unsigned numbers are packed sevens."""
    with pytest.raises(UsageError) as refused:
        rank_sevens(np.zeros(3, dtype))
    assert refused.value.code == "usage.bad-value"


def test_one_hand_needs_neither_numpy_nor_tables() -> None:
    """A command that ranks a few hands (HEX-12) starts without numpy; the first look-up brings it in."""
    script = """
import sys
from dealerless.games.hexrank import parse_digits, rank_seven, report
assert report(parse_digits("95f9ce4")) == "2,99fec,95f9ce4"
assert "numpy" not in sys.modules
rank_seven(0)
assert "numpy" in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)
