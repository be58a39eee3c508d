"""What five cards become by exchanging some of them: exactly for one hand, sampled for a hand nobody knows (DRAW-2).

For one hand all replacements are counted: 47 cards, 1,081 pairs or 16,215 triples, each equally likely to who knows
nothing but these five. A hand nobody knows is described by two numbers instead: its *kind*, which says how it stood
before the exchange and how many cards go, and the *bucket* of its strength after it. Buckets are quantiles: each is met
about as often as any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from ..games.cards import DECK, Card, rank_of, suit_of
from ..games.drawhand import MOST_DISCARDS
from ..games.ranking import CLASSES, RANKS, class_of, strength
from ..games.rankingtables import Strengths, strengths

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]
Masks = npt.NDArray[np.uint64]
Hands = npt.NDArray[np.uint8]

KINDS: Final = (
    *[f"pair of {rank}" for rank in ("2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A")],
    "low cards",
    "queen high",
    "king high",
    "ace high",
    "four to a straight",
    "four to a flush",
    "low two pairs",
    "middle two pairs",
    "high two pairs",
    "low three of a kind",
    "high three of a kind",
    "straight",
    "flush",
    "full house or better",
)
"""The kinds of a hand before the exchange."""

_HIGH, _STRAIGHT_DRAW, _FLUSH_DRAW, _TWO_PAIRS, _SET, _STRAIGHT = 13, 17, 18, 19, 22, 24

DISCARDS: Final[Indices] = np.array([3] * _STRAIGHT_DRAW + [1] * 5 + [2] * 2 + [0] * 3, np.intp)
"""By kind: how many cards a player commonly exchanges, all that help no group nor the draw, as far as allowed."""

BUCKETS: Final = 512

_SAMPLES: Final = 1 << 16
"""Rows of eight cards drawn with repetition; the five in nine without any are kept."""

_CLASSES: Final = np.array([class_of(rank) for rank in range(RANKS)], np.intp)


# --- one hand, exactly --------------------------------------------------------------------------------------------


def candidates(hole: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    """Return what may be sensible to keep of five cards, the common choice first, each at least two cards.

    A straight or better is kept whole. Otherwise: the groups; groups with the highest other card; four to a flush or a
    straight; the highest two cards.
    """
    made = CLASSES[class_of(strength(hole))]
    if CLASSES.index(made) >= CLASSES.index("straight"):
        return (hole,)
    ranks = [rank_of(card) for card in hole]
    grouped = tuple([card for card in hole if ranks.count(rank_of(card)) > 1])
    rest = sorted([card for card in hole if card not in grouped], reverse=True)
    draws = [*_to_a_flush(hole), *_to_a_straight(hole)]
    if not grouped:
        return (*draws, tuple([card for card in hole if card in rest[:2]]))
    kicked = tuple([card for card in hole if card in grouped or card == rest[0]])
    return (grouped, *([kicked] if len(rest) > 1 else []), *draws)


def _to_a_flush(hole: tuple[Card, ...]) -> list[tuple[Card, ...]]:
    four = [tuple([card for card in hole if suit_of(card) == suit]) for suit in range(4)]
    return [cards for cards in four if len(cards) == 4]


def _to_a_straight(hole: tuple[Card, ...]) -> list[tuple[Card, ...]]:
    """Return the four cards in a row that a card at either end makes a straight, as far as there are any."""
    for low in range(9):
        four = [next((card for card in hole if rank_of(card) == rank), None) for rank in range(low, low + 4)]
        if None not in four:
            return [tuple([card for card in hole if card in four])]
    return []


@lru_cache(maxsize=256)
def outcomes(hole: tuple[Card, ...], kept: tuple[Card, ...]) -> Strengths:
    """Return the strength of each hand that `kept`, two or more of five cards, can become, all equally likely.

    What comes is any of the 47 cards that are not in `hole`.
    """
    many = len(hole) - len(kept)
    if not many:
        return np.array([strength(hole)], np.uint16)
    unseen = np.array([card for card in DECK if card not in hole], np.uint8)
    rows = np.empty((len(_choices(many)), len(hole)), np.uint8)
    rows[:, : len(kept)] = kept
    rows[:, len(kept) :] = unseen[_choices(many)]
    found = strengths(rows)
    found.setflags(write=False)
    return found


@cache
def _choices(many: int) -> Indices:
    return np.array(list(combinations(range(47), many)), np.intp)


def improving(hole: tuple[Card, ...], kept: tuple[Card, ...]) -> tuple[int, int]:
    """Return how many of all replacements make a hand of a higher class than `hole` is of, and how many there are."""
    found = _CLASSES[outcomes(hole, kept)]
    return int((found > class_of(strength(hole))).sum()), len(found)


# --- a hand nobody knows ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Population:
    """Many random hands, each exchanged as is common, one a row.

    `masks`: the cards before and after the exchange, as bits. `cells`: kind times `BUCKETS` plus bucket. `bucket`: by
    strength, its bucket. `by_kind[kind, bucket]`: how likely the bucket is for the kind.
    """

    masks: Masks
    cells: Indices
    bucket: Indices
    by_kind: Floats

    def prior(self, known: tuple[Card, ...] = ()) -> Floats:
        """Return how likely each [kind, bucket] is for a hand that holds none of the cards known to be elsewhere."""
        mask = np.uint64(sum([1 << card for card in known]))
        cells = self.cells[(self.masks & mask) == 0]
        counts = np.bincount(cells, minlength=len(KINDS) * BUCKETS).reshape(len(KINDS), BUCKETS)
        prior: Floats = counts / len(cells)
        return prior


@cache
def population() -> Population:
    """Return the hands by which others are judged, always the same ones; the first call draws them."""
    cards = np.random.default_rng(0).integers(0, len(DECK), (_SAMPLES, 8), np.uint8)
    bits = np.uint64(1) << cards.astype(np.uint64)
    whole = bits.sum(axis=1) == np.bitwise_or.reduce(bits, axis=1)
    cards = cards[whole]
    kinds, hands = _sorted(cards[:, :5])
    kept = 5 - DISCARDS[kinds]
    after = hands.copy()
    for place in range(2, 5):
        goes = kept <= place
        after[goes, place] = cards[goes, 5 + place - kept[goes]]
    final = strengths(after)
    ordered = np.sort(final)
    edges = ordered[np.arange(1, BUCKETS) * len(ordered) // BUCKETS]
    bucket = np.searchsorted(edges, np.arange(RANKS), side="right")
    cells = kinds * BUCKETS + bucket[final]
    masks = np.bitwise_or.reduce(np.uint64(1) << np.hstack([hands, after]).astype(np.uint64), axis=1)
    counts = np.bincount(cells, minlength=len(KINDS) * BUCKETS).reshape(len(KINDS), BUCKETS)
    return Population(masks=masks, cells=cells, bucket=bucket, by_kind=counts / counts.sum(axis=1, keepdims=True))


def prepare() -> None:
    """Build what every decision needs: `population`, and the ways to draw from what is unseen."""
    population()
    for many in range(1, MOST_DISCARDS + 1):
        _choices(many)


@lru_cache(maxsize=256)
def kind_of(hole: tuple[Card, ...]) -> int:
    """Return the kind of five cards, as an index of `KINDS`."""
    return int(_sorted(np.array([hole], np.uint8))[0][0])


def _sorted(hands: Hands) -> tuple[Indices, Hands]:
    """Return the kind of each row of five cards, and the row with what is commonly kept first."""
    ranks, suits = hands >> 2, hands & 3
    held = (ranks[:, :, np.newaxis] == ranks[:, np.newaxis, :]).sum(axis=2)
    in_suit = (suits[:, :, np.newaxis] == suits[:, np.newaxis, :]).sum(axis=2)
    classes = _CLASSES[strengths(hands)]
    bits = np.bitwise_or.reduce(np.left_shift(1, ranks.astype(np.int64)), axis=1)
    nothing = classes == 0
    flushing = nothing & (in_suit.max(axis=1) == 4)
    low = np.full(len(hands), -1)
    for start in range(9):
        low[(bits >> start & 15) == 15] = start
    straight = nothing & ~flushing & (low >= 0)
    goal = held * 16
    goal[flushing] += 64 * (in_suit[flushing] == 4)
    from_low = ranks[straight] - low[straight, np.newaxis]
    goal[straight] += 64 * ((from_low >= 0) & (from_low < 4))
    order = np.argsort(-(goal + ranks), axis=1, kind="stable")
    hands = np.take_along_axis(hands, order, axis=1)
    first = (hands[:, 0] >> 2).astype(np.intp)
    kinds = np.select(
        [flushing, straight, nothing, classes == 1, classes == 2, classes == 3],
        [
            np.full(len(hands), _FLUSH_DRAW),
            np.full(len(hands), _STRAIGHT_DRAW),
            _HIGH + np.clip(first - 9, 0, 3),
            first,
            _TWO_PAIRS + np.searchsorted([7, 10], first, side="right"),
            _SET + (first >= 6),
        ],
        _STRAIGHT + np.clip(classes - 4, 0, 2),
    )
    return kinds, hands
