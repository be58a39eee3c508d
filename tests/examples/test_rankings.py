"""Hands in order and deals with their equity: cases that evaluators get wrong (DRAW-5, HOLDEM-2, HOLDEM-4)."""

from __future__ import annotations

import numpy as np
import pytest

from dealerless.errors import UsageError
from dealerless.games.cards import DECK, card_text, cards_text, check_distinct, read_cards
from dealerless.games.equity import equity, flop_counts
from dealerless.games.ranking import best, report


def hand(text: str) -> tuple[int, ...]:
    """Cards as players write them, `AcKd`: rank and then suit, without a space."""
    pairs = zip(text[::2], text[1::2], strict=True)
    return read_cards(" ".join(suit.upper() + rank for rank, suit in pairs))


def offsuit(ranks: str) -> tuple[int, ...]:
    """Five ranks in more than one suit, equal ones in different suits."""
    suits = [*"cdhsc"]
    if ranks.count(ranks[-1]) > 1:
        suits[-1] = next(
            suit for suit in "shdc" if suit not in {suits[at] for at in range(4) if ranks[at] == ranks[-1]}
        )
    return hand("".join(rank + suit for rank, suit in zip(ranks, suits, strict=True)))


def suited(ranks: str) -> tuple[int, ...]:
    return hand("".join(rank + "h" for rank in ranks))


@pytest.mark.parametrize(
    ("weaker", "stronger"),
    [
        # The ace is low in one straight, and that is the lowest.
        (offsuit("A2345"), offsuit("23456")),
        (offsuit("AKQJ9"), offsuit("A2345")),
        # Nothing goes on over the ace: this is no straight.
        (offsuit("QKA23"), offsuit("22345")),
        (offsuit("QKA23"), offsuit("QKA24")),
        (offsuit("9999K"), suited("A2345")),
        (suited("A2345"), suited("23456")),
        (suited("9TJQK"), suited("TJQKA")),
        (offsuit("AAAKK"), offsuit("22223")),
        (offsuit("666AA"), offsuit("77722")),
        (suited("AT854"), suited("AT862")),
        (offsuit("888A9"), offsuit("999K2")),
        (suited("AKQJ9"), offsuit("22233")),
        (offsuit("AAKKQ"), offsuit("22234")),
        (offsuit("AAAKQ"), offsuit("A2345")),
    ],
)
def test_fives_in_order(weaker: tuple[int, ...], stronger: tuple[int, ...]) -> None:
    """DRAW-5: class first, then the larger group, then what is left from high to low."""
    assert best(weaker).rank < best(stronger).rank, (report(weaker), report(stronger))


@pytest.mark.parametrize(
    ("board", "winner", "loser", "made"),
    [
        # Of two pairs among three the highest two count.
        ("4d8s4h7h8c", "7c5d", "Kd6h", "two pairs, S8 C8 H7 C7 D5"),
        # The fifth card of a flush, not the first, and not who holds the ace of another suit.
        ("QdJd9dKc6d", "Qc7d", "5dAh", "flush, DQ DJ D9 D7 D6"),
        # Five cards of one suit and five in a row need not be the same five.
        ("9cThJhQhKh", "2h3h", "AdTd", "flush, HK HQ HJ HT H3"),
        # The better hole card of a flush that is on the board.
        ("2h5h9hJhQh", "Kh3c", "AdAc", "flush, HK HQ HJ H9 H5"),
        ("2c3d4h5s9c", "6hKs", "AhKd", "straight, H6 S5 H4 D3 C2"),
        ("9c7s5h5s3c", "8hKs", "4dQs", "one pair, S5 H5 SK C9 H8"),
        # Straights are named, ranked and compared alike.
        ("7s3s4c5h6d", "8s9c", "2c8d", "straight, C9 S8 S7 D6 H5"),
        ("3h4h5h6h7h", "8h8d", "AdKc", "straight flush, H8 H7 H6 H5 H4"),
        ("2d2s6c9hJh", "2cKh", "Jd6h", "three of a kind, S2 D2 C2 HK HJ"),
        ("AsKsQsJs2d", "Ts7h", "AhAd", "royal straight flush, SA SK SQ SJ ST"),
        ("KsKhQd7c2d", "QsQh", "AdAc", "full house, SQ HQ DQ SK HK"),
        ("9s9h9dKc2d", "KsKh", "AdAc", "full house, SK HK CK S9 H9"),
    ],
)
def test_sevens_in_order(board: str, winner: str, loser: str, made: str) -> None:
    """HOLDEM-2: with the board the first hand is stronger, and this is what it makes."""
    assert best(hand(board + winner)).rank > best(hand(board + loser)).rank
    assert report(hand(board + winner)) == made


@pytest.mark.parametrize(
    ("board", "holes"),
    [
        # The third pair is no better than the queen that is there for both.
        ("6cQcAd6sAc", ["TdJs", "3s3d"]),
        # A flush on the board, and lower cards of its suit in a hand.
        ("3d6dTdJdAd", ["2d4c", "5sTc"]),
        ("2h5h9hJhQh", ["AdAc", "KcKs"]),
        # The straight is on the board, or all but a card that all have.
        ("4c5d6h7s8c", ["AdKd", "2c2d", "8d8h"]),
        ("JdTcQsKs9s", ["9c2s", "JhKh", "Qc4h", "Qh8d"]),
        # Three equal threes of three kinds: the kicker plays, and not the pair.
        ("4d7s6sJdJh", ["AsTs", "AhTh", "AcTc"]),
    ],
)
def test_ties(board: str, holes: list[str]) -> None:
    """HOLDEM-2: equal ranks are a tie, whatever the suits and whatever else the hands hold."""
    assert len({best(hand(board + hole)).rank for hole in holes}) == 1


def test_several_hands_on_one_board() -> None:
    """HOLDEM-2: a pair of queens is the best of four."""
    board, holes = "9sJc3cQc8h", ["9c5h", "Qh4h", "AdKs", "AsKh"]
    assert max(holes, key=lambda hole: best(hand(board + hole)).rank) == "Qh4h"
    assert best(hand(board + "AdKs")).rank == best(hand(board + "AsKh")).rank


@pytest.mark.parametrize(
    ("cards", "twice"),
    [
        ("2h 2s Jc 2h 9h 3h 4h", "H2"),
        ("2h 2s Jc 9c 9h 2h 4h", "H2"),
        ("Ac Ac Ac Ac Ac Ac Ac", "CA"),
        ("Ah Kc Qh Td Jd 4d Jd", "DJ"),
    ],
)
def test_a_card_that_is_there_twice(cards: str, twice: str) -> None:
    """HOLDEM-2: no strength, and no class by chance either; the card is named."""
    numbers = [DECK[[card_text(card) for card in DECK].index(f"{word[1].upper()}{word[0]}")] for word in cards.split()]
    for refuse in (best, check_distinct):
        with pytest.raises(UsageError) as refused:
            refuse(numbers)
        assert (refused.value.code, refused.value.actual) == ("cards.duplicate", twice)


@pytest.mark.parametrize("many", [0, 1, 2, 3, 4, 8, 52])
def test_too_few_and_too_many_cards(many: int) -> None:
    """HOLDEM-2."""
    with pytest.raises(UsageError) as refused:
        best(DECK[:many])
    assert (refused.value.code, refused.value.clause) == ("cards.count", "HOLDEM-2")


@pytest.mark.parametrize("card", [-1, 52, 1.0, True, "SA", None])
def test_what_is_no_card(card: object) -> None:
    """HOLDEM-2: not the number of a card."""
    with pytest.raises(UsageError) as refused:
        best([0, 5, 10, 15, card])  # type: ignore[list-item]
    assert refused.value.code == "cards.not-a-card"


@pytest.mark.parametrize(
    ("first", "second", "flop", "win", "tie"),
    [
        ("SA SK", "DA CA", "SQ SJ ST", 990, 0),
        ("SA HA", "D2 C3", "H4 S5 DA", 341, 9),
        ("HA D9", "H6 C9", "H3 H4 H5", 624, 18),
        # Neither hand plays unless a deuce comes.
        ("S2 H2", "D2 C2", "SA SK SQ", 324, 666),
        ("SA DK", "HA CK", "S2 D7 HT", 0, 990),
        # A straight flush against three aces that can become four.
        ("H2 H3", "SA DA", "H4 H5 HA", 990, 0),
    ],
)
def test_equity_after_the_flop(first: str, second: str, flop: str, win: int, tie: int) -> None:
    """HOLDEM-4: boards won and tied of 990; a tie is no win."""
    holes = read_cards(first), read_cards(second)
    told = equity(*holes, read_cards(flop))
    assert told.total == (win, tie, 990 - win - tie)
    assert abs(told.share - win / 990) < 1e-15
    wins, ties = flop_counts(np.array([[*holes[0], *holes[1], *read_cards(flop)]], np.uint8))
    assert (wins.tolist(), ties.tolist()) == ([win], [tie])


def test_cards_in_text() -> None:
    """HOLDEM-4: suit, then rank, in the order of the deck."""
    assert cards_text(DECK[:5]) == "C2 D2 H2 S2 C3"
    assert cards_text(DECK[-4:]) == "CA DA HA SA"
    assert read_cards("SA HK DT C2") == (51, 46, 33, 0)
