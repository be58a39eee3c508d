"""Strength of five, six or seven cards of a 52-card deck (DRAW-5, HOLDEM-2).

Cards are those of `dealerless.games.cards`. A strength is a `Rank`: no two of the 7,462 kinds of five cards that differ
by more than their suits are equally strong, so the ranks are 0..7461, without gaps, and equal ranks are ties.

One hand is computed directly, in microseconds, without tables and without numpy.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, TypeAlias

from dealerless.errors import UsageError
from dealerless.games.cards import Card, cards_text, check_distinct

Rank: TypeAlias = int
"""A strength from 0 (75432) to 7461 (a royal straight flush); higher is stronger, equal is a tie."""

# How many strengths each class has, weakest first: five different ranks that are no straight; a pair and three of 12
# other ranks; two pairs and one of 11; a set and two of 12; the straights; as the first, in one suit; and so on.
_SIZES: Final = {
    "high card": 1287 - 10,
    "one pair": 13 * 220,
    "two pairs": 78 * 11,
    "three of a kind": 13 * 66,
    "straight": 10,
    "flush": 1287 - 10,
    "full house": 13 * 12,
    "four of a kind": 13 * 12,
    "straight flush": 9,
    "royal straight flush": 1,
}

CLASSES: Final = tuple(_SIZES)
"""The ten classes of HOLDEM-2, weakest first."""

FIRST_RANKS: Final = tuple(accumulate(tuple(_SIZES.values())[:-1], initial=0))
"""The weakest strength of each class, in the order of `CLASSES`."""

RANKS: Final = sum(_SIZES.values())
"""The number of strengths."""

_HIGH, _PAIR, _TWO_PAIRS, _SET, _STRAIGHT, _FLUSH, _FULL_HOUSE, _FOUR, _STRAIGHT_FLUSH, _ = FIRST_RANKS

_CHOOSE_2: Final = tuple(n * (n - 1) // 2 for n in range(13))
_CHOOSE_3: Final = tuple(n * (n - 1) * (n - 2) // 6 for n in range(13))
_CHOOSE_4: Final = tuple(n * (n - 1) * (n - 2) * (n - 3) // 24 for n in range(13))
_CHOOSE_5: Final = tuple(n * (n - 1) * (n - 2) * (n - 3) * (n - 4) // 120 for n in range(13))

_ACE: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Best:
    """The strongest five of a hand; two of them are compared by `rank`.

    `rank` is its strength, `name` its class, one of `CLASSES`; `five` its cards with larger groups first, then higher
    ranks, the ace of A-2-3-4-5 last. Suits decide nothing: of equal cards those first in the order S H D C are taken.
    """

    rank: Rank
    name: str
    five: tuple[Card, ...]


def best(cards: Sequence[Card]) -> Best:
    """Return the strongest five of five, six or seven different cards, given in any order (DRAW-5, HOLDEM-2).

    Raises `UsageError` `cards.count`, `cards.not-a-card` or `cards.duplicate`.
    """
    rank, wanted, suit = _judged(cards)
    left = sorted(cards, reverse=True)
    if suit is not None:
        left = [card for card in left if card & 3 == suit]
    five = []
    for value in wanted:
        card = next(card for card in left if card >> 2 == value)
        left.remove(card)
        five.append(card)
    return Best(rank=rank, name=CLASSES[class_of(rank)], five=tuple(five))


def strength(cards: Sequence[Card]) -> Rank:
    """Return the rank of `best(cards)`, in a third of the time. Raises like `best`."""
    return _judged(cards)[0]


def _judged(cards: Sequence[Card]) -> tuple[Rank, tuple[int, ...], int | None]:
    """Return the strength, the ranks of the best five in the order of `Best.five`, and the suit of a flush."""
    if not 5 <= len(cards) <= 7:
        raise UsageError("cards.count", clause="HOLDEM-2", expected="5 to 7", actual=len(cards))
    suits = [0, 0, 0, 0]  # of each suit a set of ranks: bit r is set when rank r is there
    for card in cards:
        if type(card) is not int or not 0 <= card <= 51:
            raise UsageError("cards.not-a-card", actual=card)
        suits[card & 3] |= 1 << (card >> 2)
    c, d, h, s = suits
    if c.bit_count() + d.bit_count() + h.bit_count() + s.bit_count() != len(cards):
        check_distinct(cards)
    for suit, ranks in enumerate(suits):
        if ranks.bit_count() >= 5:
            # Five of one suit leave no room for four equal or a full house among seven.
            return *_flush(ranks), suit
    ranks = c | d | h | s
    twice = c & d | h & s | (c | d) & (h | s)  # the ranks that are there at least twice, three times, four times
    thrice = c & d & (h | s) | h & s & (c | d)
    four = c & d & h & s
    if four:
        first = _top(four)
        a = _top(ranks ^ four)
        return _FOUR + 12 * first + _without(a, first), (first, first, first, first, a), None
    if thrice:
        first = _top(thrice)
        pairs = twice ^ 1 << first
        if pairs:
            # The pair may be part of a second set, and of two pairs the higher counts.
            a = _top(pairs)
            return _FULL_HOUSE + 12 * first + _without(a, first), (first, first, first, a, a), None
    top = straight_top(ranks)
    if top is not None:
        return _STRAIGHT + top - 3, _run(top), None
    if thrice:
        first = _top(thrice)
        a, b = _tops(ranks ^ thrice, 2)
        rank = _SET + 66 * first + _CHOOSE_2[_without(a, first)] + _without(b, first)
        return rank, (first, first, first, a, b), None
    if twice:
        first = _top(twice)
        pairs = twice ^ 1 << first
        if pairs:
            second = _top(pairs)
            # A third pair gives up one of its cards as the last card when that is the highest left.
            a = _top(ranks ^ (1 << first | 1 << second))
            rank = _TWO_PAIRS + 11 * (_CHOOSE_2[first] + second) + a - (a > first) - (a > second)
            return rank, (first, first, second, second, a), None
        a, b, e = _tops(ranks ^ twice, 3)
        kickers = _CHOOSE_3[_without(a, first)] + _CHOOSE_2[_without(b, first)] + _without(e, first)
        return _PAIR + 220 * first + kickers, (first, first, a, b, e), None
    five = _tops(ranks, 5)
    return _HIGH + _unequal(*five), five, None


def straight_top(ranks: int) -> int | None:
    """Return the highest rank of the best straight among a set of ranks, or None (DRAW-5).

    `ranks` has bit r set for rank r. The top of A-2-3-4-5 is 3, the five.
    """
    run = ranks & ranks >> 1 & ranks >> 2 & ranks >> 3 & ranks >> 4
    if run:
        return run.bit_length() + 3
    return 3 if ranks & 0b1_0000_0000_1111 == 0b1_0000_0000_1111 else None


def class_of(rank: Rank) -> int:
    """Return the class of a strength, 0..7461, as an index of `CLASSES`."""
    return bisect_right(FIRST_RANKS, rank) - 1


def report(cards: Sequence[Card]) -> str:
    """Return class and best five of five to seven cards, such as `two pairs, SA HA D7 C7 SK`.

    The five stand as in `Best.five`. Raises like `best`.
    """
    strongest = best(cards)
    return f"{strongest.name}, {cards_text(strongest.five)}"


def _flush(ranks: int) -> tuple[Rank, tuple[int, ...]]:
    """Return strength and best five of a set of five or more ranks in one suit."""
    top = straight_top(ranks)
    if top is not None:
        return _STRAIGHT_FLUSH + top - 3, _run(top)
    five = _tops(ranks, 5)
    return _FLUSH + _unequal(*five), five


def _run(top: int) -> tuple[int, ...]:
    """Return five ranks from `top` down; below the deuce comes the ace."""
    return (top, top - 1, top - 2, top - 3, (top - 4) % 13)


def _top(ranks: int) -> int:
    """Return the highest of a set of ranks that is not empty."""
    return ranks.bit_length() - 1


def _tops(ranks: int, many: int) -> tuple[int, ...]:
    """Return so many of the highest of a set of ranks, from high to low."""
    found = []
    for _ in range(many):
        found.append(ranks.bit_length() - 1)
        ranks ^= 1 << found[-1]
    return tuple(found)


def _unequal(a: int, b: int, c: int, d: int, e: int) -> int:
    """Return the place of five ranks from high to low among all that are no straight.

    Of the sets with the same highest rank the straight would be the strongest, and A-2-3-4-5 the weakest with an ace:
    passed over are the straights below, one for each highest rank from the six to the one below `a`, and that one.
    """
    return _CHOOSE_5[a] + _CHOOSE_4[b] + _CHOOSE_3[c] + _CHOOSE_2[d] + e - (a - 4) - (a == _ACE)


def _without(rank: int, taken: int) -> int:
    """Return the place of `rank` among the twelve ranks other than `taken`."""
    return rank - (rank > taken)
