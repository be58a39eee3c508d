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

_HIGH, _PAIR, _TWO_PAIRS, _SET, _STRAIGHT, _FLUSH, _FULL_HOUSE, _FOUR, _STRAIGHT_FLUSH, _ROYAL = FIRST_RANKS

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
    if not 5 <= len(cards) <= 7:
        raise UsageError("cards.count", clause="HOLDEM-2", expected="5 to 7", actual=len(cards))
    counts = [0] * 13
    suited = [0] * 4
    ranks = 0  # bit r is set when rank r is there
    by_suit = [0] * 4  # the same for each suit
    for card in cards:
        if type(card) is not int or not 0 <= card <= 51:
            raise UsageError("cards.not-a-card", actual=card)
        rank, suit = card >> 2, card & 3
        counts[rank] += 1
        suited[suit] += 1
        ranks |= 1 << rank
        by_suit[suit] |= 1 << rank
    check_distinct(cards)
    high_first = sorted(cards, reverse=True)

    for suit in range(4):
        if suited[suit] >= 5:
            # Five of one suit leave no room for four equal or a full house among seven.
            return _flush(by_suit[suit], [card for card in high_first if card & 3 == suit])
    present = [rank for rank in range(12, -1, -1) if counts[rank]]
    # Sorting is stable, also in reverse: of equal groups the higher stays in front.
    large_first = sorted(present, key=counts.__getitem__, reverse=True)
    first = large_first[0]
    size = counts[first]
    if len(present) >= 5:
        # No room either for four equal or a full house.
        top = straight_top(ranks)
        if top is not None:
            return Best(rank=_STRAIGHT + top - 3, name="straight", five=_run(top, high_first))
    others = [rank for rank in present if rank != first]
    if size == 4:
        a = others[0]
        return Best(
            rank=_FOUR + 12 * first + _without(a, first),
            name="four of a kind",
            five=_groups(high_first, (first, 4), (a, 1)),
        )
    if size == 3:
        # The pair may be part of a second set, and of two pairs the higher counts.
        for pair in others:
            if counts[pair] >= 2:
                rank = _FULL_HOUSE + 12 * first + _without(pair, first)
                return Best(rank=rank, name="full house", five=_groups(high_first, (first, 3), (pair, 2)))
        a, b = others[:2]
        rank = _SET + 66 * first + _CHOOSE_2[_without(a, first)] + _without(b, first)
        return Best(rank=rank, name="three of a kind", five=_groups(high_first, (first, 3), (a, 1), (b, 1)))
    if size == 2:
        second = large_first[1]
        if counts[second] == 2:
            # A third pair gives up one of its cards as the last card when that is the highest left.
            a = others[0] if others[0] != second else others[1]
            place = a - (a > first) - (a > second)
            rank = _TWO_PAIRS + 11 * (_CHOOSE_2[first] + second) + place
            return Best(rank=rank, name="two pairs", five=_groups(high_first, (first, 2), (second, 2), (a, 1)))
        a, b, c = others[:3]
        kickers = _CHOOSE_3[_without(a, first)] + _CHOOSE_2[_without(b, first)] + _without(c, first)
        rank = _PAIR + 220 * first + kickers
        return Best(rank=rank, name="one pair", five=_groups(high_first, (first, 2), (a, 1), (b, 1), (c, 1)))
    return Best(rank=_HIGH + _unequal(*present[:5]), name="high card", five=tuple(high_first[:5]))


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


def _flush(ranks: int, suited: list[Card]) -> Best:
    """Return the best of five or more cards of one suit, from high to low."""
    top = straight_top(ranks)
    if top is None:
        five = tuple(suited[:5])
        return Best(rank=_FLUSH + _unequal(*(card >> 2 for card in five)), name="flush", five=five)
    name = "royal straight flush" if top == _ACE else "straight flush"
    return Best(rank=_STRAIGHT_FLUSH + top - 3, name=name, five=_run(top, suited))


def _run(top: int, high_first: list[Card]) -> tuple[Card, ...]:
    """Return one card each of five ranks from `top` down; below the deuce comes the ace."""
    wanted = [rank % 13 for rank in range(top, top - 5, -1)]
    return tuple(next(card for card in high_first if card >> 2 == rank) for rank in wanted)


def _groups(high_first: list[Card], *groups: tuple[int, int]) -> tuple[Card, ...]:
    """Return so many cards of each rank, as (rank, how many)."""
    five: list[Card] = []
    for rank, size in groups:
        five += [card for card in high_first if card >> 2 == rank][:size]
    return tuple(five)


def _unequal(a: int, b: int, c: int, d: int, e: int) -> int:
    """Return the place of five ranks from high to low among all that are no straight.

    Of the sets with the same highest rank the straight would be the strongest, and A-2-3-4-5 the weakest with an ace:
    passed over are the straights below, one for each highest rank from the six to the one below `a`, and that one.
    """
    return _CHOOSE_5[a] + _CHOOSE_4[b] + _CHOOSE_3[c] + _CHOOSE_2[d] + e - (a - 4) - (a == _ACE)


def _without(rank: int, taken: int) -> int:
    """Return the place of `rank` among the twelve ranks other than `taken`."""
    return rank - (rank > taken)
