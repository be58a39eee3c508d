"""Equity of many flops at once, and over all boards before the flop (HOLDEM-4).

Suits matter only for flushes. Without them a deal after the flop is two multisets of five ranks, a hand's own two and
the flop's three, and what can come is one of 91 pairs of ranks: two rows of a table of strengths are compared, and each
pair of ranks counts as often as the deck still holds it. Then the pairs of cards with which somebody has a flush are
taken out and counted again with it. A suit can give a flush only if the flop has a card of it; what comes is told apart
by how many of the two cards have the suit: two, or one, or none when the flush is there already.

Before the flop it is the same the other way round: two pairs of ranks against each multiset of five on the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb
from typing import Final

import numpy as np
import numpy.typing as npt

from dealerless.errors import UsageError
from dealerless.games.cards import Card, card_text
from dealerless.games.equity import Equity, Tally
from dealerless.games.ranking import CLASSES, RANKS, class_of
from dealerless.games.rankingtables import RANK_SETS, SUIT_BITS, Indices, Strengths, tables

Bytes = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int64]
RankSets = npt.NDArray[np.uint16]

# Deals counted at a time: the fastest of the powers of two from 2^9 to 2^14. With fewer the calls' overhead shows, with
# more, on deals with many flushes, what is computed on the way leaves the cache.
_BLOCK: Final = 1 << 13

# Rows are filled up to whole words of eight bytes, with weight 0.
_PAIRS: Final = 96
_GRID: Final = 176

_SIZES: Final = np.array([ranks.bit_count() for ranks in range(RANK_SETS)], np.uint8)
_CHOOSE: Final = np.array([[comb(n, k) for k in range(6)] for n in range(5)], np.int64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FlopTables:
    """What `flop_counts` looks up.

    Ranks become numbers of multisets: `pair[rank, rank]`, `triple[rank, rank, rank]`, `five[triple, pair]` and
    `seven[five, pair]`, all flat. `left[seven]` says how many cards of each rank the deck then holds.

    A row of 96 has a column for each pair of ranks to come, `low` and `high`; a row of 176 one for each of 13 ranks in
    the flush's suit and 13 in another, `suited` and `other`. By number of a five: the strengths without a flush. By
    the set of ranks that a player, or the deal, has in a suit: the strengths of the flushes that two cards of the suit
    or one make, and a 1 for each pair or card of the suit that the deck still holds. By number of a seven: how many
    pairs of cards have the two ranks.
    """

    pair: npt.NDArray[np.uint8]
    triple: npt.NDArray[np.uint16]
    five: npt.NDArray[np.uint16]
    seven: npt.NDArray[np.uint16]
    left: Bytes
    low: Indices
    high: Indices
    other: Indices
    by_pair: Strengths
    by_grid: Strengths
    flush_by_pair: Strengths
    flush_by_grid: Strengths
    flushes: Strengths
    held_pairs: Bytes
    held_grid: Bytes
    ways: Bytes


def flop_counts(cards: Bytes) -> tuple[Counts, Counts]:
    """Return wins and ties of the first player out of 990 for each row of `cards`; see `equity.flop_counts`."""
    if cards.ndim != 2 or cards.shape[1] != 7 or cards.dtype != np.uint8:
        raise UsageError("usage.bad-value", expected="(n, 7) of uint8", actual=f"{cards.shape} of {cards.dtype}")
    known = flop_tables()
    wins, ties = np.empty(len(cards), np.int64), np.empty(len(cards), np.int64)
    for start in range(0, len(cards), _BLOCK):
        block = cards[start : start + _BLOCK]
        wrong = first_wrong(block)
        if wrong is not None:
            row, error = wrong
            raise UsageError(error.code, actual=f"{error.actual} in row {start + row}")
        wins[start : start + _BLOCK], ties[start : start + _BLOCK] = _count(block, known)
    return wins, ties


def first_wrong(cards: Bytes) -> tuple[int, UsageError] | None:
    """Return the first row with what is no card or stands twice in it, and what is wrong; None if all are deals."""
    bits = SUIT_BITS[np.minimum(cards, 51)]
    wrong = (cards > 51).any(axis=1) | (bits.sum(axis=1) != np.bitwise_or.reduce(bits, axis=1))
    if not wrong.any():
        return None
    row = int(wrong.argmax())
    seen: set[int] = set()
    for card in cards[row].tolist():
        if card > 51:
            return row, UsageError("cards.not-a-card", actual=card)
        if card in seen:
            return row, UsageError("cards.duplicate", actual=card_text(card))
        seen.add(card)
    return None


def _count(cards: Bytes, known: FlopTables) -> tuple[Counts, Counts]:
    """Return wins and ties for each row, seven different cards."""
    ranks = (cards >> 2).astype(np.intp)
    one = known.pair[ranks[:, 0] * 13 + ranks[:, 1]]
    two = known.pair[ranks[:, 2] * 13 + ranks[:, 3]]
    flop = known.triple[ranks[:, 4] * 169 + ranks[:, 5] * 13 + ranks[:, 6]].astype(np.intp) * 91
    first, second = known.five[flop + one].astype(np.intp), known.five[flop + two].astype(np.intp)
    seven = known.seven[first * 91 + two].astype(np.intp)
    wins, ties = _weighed(known.by_pair[first], known.by_pair[second], known.ways[seven])

    bits = SUIT_BITS[cards]
    board = bits[:, 4] | bits[:, 5] | bits[:, 6]
    holes = bits[:, 0] | bits[:, 1] | board, bits[:, 2] | bits[:, 3] | board
    # A column for each suit, with the ranks that the player has in it.
    firsts, seconds = (hole.view(np.uint16).reshape(-1, 4) for hole in holes)
    most = np.maximum(_SIZES[firsts], _SIZES[seconds])
    for missing, recount in ((2, _two_suited), (1, _one_suited), (0, _none_suited)):
        deal, suit = np.nonzero(most >= 5 - missing)
        if not deal.size:
            break
        mine, theirs = firsts[deal, suit], seconds[deal, suit]
        more_wins, more_ties = recount(known, first[deal], second[deal], seven[deal], mine, theirs)
        # No deal has two suits that make flushes on one board, but it may have two that could.
        np.add.at(wins, deal, more_wins)
        np.add.at(ties, deal, more_ties)
    return wins, ties


def _two_suited(
    known: FlopTables, first: Indices, second: Indices, seven: Indices, mine: RankSets, theirs: RankSets
) -> tuple[Counts, Counts]:
    """Return what flushes change when both cards to come are of the suit."""
    return _changed(
        known.by_pair[first],
        known.by_pair[second],
        known.flush_by_pair[mine],
        known.flush_by_pair[theirs],
        known.held_pairs[mine | theirs],
    )


def _one_suited(
    known: FlopTables, first: Indices, second: Indices, seven: Indices, mine: RankSets, theirs: RankSets
) -> tuple[Counts, Counts]:
    """Return what flushes change when one card to come is of the suit."""
    return _changed(
        known.by_grid[first],
        known.by_grid[second],
        known.flush_by_grid[mine],
        known.flush_by_grid[theirs],
        known.held_grid[mine | theirs] * _unsuited(known, seven, mine | theirs)[:, known.other],
    )


def _none_suited(
    known: FlopTables, first: Indices, second: Indices, seven: Indices, mine: RankSets, theirs: RankSets
) -> tuple[Counts, Counts]:
    """Return what a flush that was made on the flop changes when no card to come is of the suit."""
    return _changed(
        known.by_pair[first],
        known.by_pair[second],
        known.flushes[mine][:, np.newaxis],
        known.flushes[theirs][:, np.newaxis],
        _ways(_unsuited(known, seven, mine | theirs), known.low, known.high),
    )


def _unsuited(known: FlopTables, seven: Indices, held: RankSets) -> Bytes:
    """Return how many cards of each rank the deck has outside a suit of which the deal holds the ranks `held`."""
    in_suit = ~(held[:, np.newaxis] >> np.arange(13, dtype=held.dtype)) & 1
    return known.left[seven] - in_suit.astype(np.uint8)


def _changed(
    first: Strengths, second: Strengths, first_flush: Strengths, second_flush: Strengths, weights: Bytes
) -> tuple[Counts, Counts]:
    """Return by how much wins and ties grow when flushes count as well."""
    wins, ties = _weighed(np.maximum(first, first_flush), np.maximum(second, second_flush), weights)
    fewer_wins, fewer_ties = _weighed(first, second, weights)
    return wins - fewer_wins, ties - fewer_ties


def _weighed(first: Strengths, second: Strengths, weights: Bytes) -> tuple[Counts, Counts]:
    """Return for each row the weight of the columns in which the first is stronger, and in which they are equal."""
    return _sum((first > second).view(np.uint8) * weights), _sum((first == second).view(np.uint8) * weights)


def _sum(weights: Bytes) -> Counts:
    """Return the sum of each row of weights, eight columns at a time.

    No byte overflows: twelve words of weights up to 16, or 22 words of weights up to 3.
    """
    eight = weights.view(np.uint64).sum(axis=1, dtype=np.uint64)
    mask = np.uint64(0x00FF00FF00FF00FF)
    four = (eight & mask) + (eight >> np.uint64(8) & mask)
    total: npt.NDArray[np.uint64] = four * np.uint64(0x0001000100010001) >> np.uint64(48)
    return total.astype(np.int64)


def _ways(left: Bytes, low: Indices, high: Indices) -> Bytes:
    """Return in how many ways each pair of ranks comes from the cards of each rank that are left.

    The columns after the 91 are 0.
    """
    ways = left[:, low] * left[:, high]
    same = np.nonzero(low == high)[0]
    n = left[:, low[same]]
    ways[:, same] = n * (n - (n > 0)) // 2
    ways[:, 91:] = 0
    return ways


@cache
def flop_tables() -> FlopTables:
    """Return the tables of flops, built by the first call; they take 16 MB."""
    ranking = tables()
    adding, strength = ranking.adding, ranking.unsuited[7]
    pairs = ranking.rows[2].astype(np.intp)
    high, low = np.zeros(_PAIRS, np.intp), np.zeros(_PAIRS, np.intp)
    high[:91], low[:91] = pairs.T
    suited, other = (np.pad(ranks, (0, _GRID - 169)) for ranks in np.divmod(np.arange(169), 13))
    five_to_seven = adding[6][adding[5][:, pairs[:, 0]], pairs[:, 1]]
    # A multiset with more than four of a rank is no deal's; what stands in its rows is never looked up.
    left = np.maximum(4 - _held(ranking.rows[7]), 0).astype(np.uint8)
    sets, bit = np.arange(RANK_SETS)[:, np.newaxis], 1 << np.arange(13)
    two, two_of = bit[low] | bit[high], low != high
    by_pair = np.zeros((len(five_to_seven), _PAIRS), np.uint16)
    by_pair[:, :91] = strength[five_to_seven]
    by_grid = np.zeros((len(five_to_seven), _GRID), np.uint16)
    by_grid[:, :169] = strength[adding[6][adding[5]]].reshape(-1, 169)
    held_grid = ((sets & bit[suited]) == 0).astype(np.uint8)
    held_grid[:, 169:] = 0
    return FlopTables(
        pair=adding[1].reshape(-1).astype(np.uint8),
        triple=adding[2][adding[1]].reshape(-1).astype(np.uint16),
        five=adding[4][adding[3][:, pairs[:, 0]], pairs[:, 1]].reshape(-1).astype(np.uint16),
        seven=five_to_seven.reshape(-1).astype(np.uint16),
        left=left,
        low=low,
        high=high,
        other=other,
        by_pair=by_pair,
        by_grid=by_grid,
        flush_by_pair=ranking.flushes[sets | two] * two_of.astype(np.uint16),
        flush_by_grid=ranking.flushes[sets | bit[suited]],
        flushes=ranking.flushes,
        held_pairs=(((sets & two) == 0) & two_of).astype(np.uint8),
        held_grid=held_grid,
        ways=_ways(left, low, high),
    )


def _held(rows: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """Return how often each of the 13 ranks occurs in each row."""
    held = np.zeros((len(rows), 13), np.int8)
    for column in rows.T:
        held[np.arange(len(rows)), column] += 1
    return held


# --- before the flop ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BoardTables:
    """What `before_flop` looks up: every multiset of five ranks, and every board with three or more of one suit.

    `held` has the ranks of each multiset, how many of each. `flushing` has one element for 3, 4 and 5 cards of the
    suit: the sets of their ranks; how many of each rank the other cards are, for each way they can be; and the number
    of the multiset that both make, [set, way].
    """

    held: npt.NDArray[np.int8]
    flushing: tuple[tuple[Indices, npt.NDArray[np.int8], Indices], ...]
    class_of: Bytes


def before_flop(first: Sequence[Card], second: Sequence[Card]) -> Equity:
    """Return the tallies over all 1,712,304 boards for two hands of two cards, four different ones in all."""
    boards = board_tables()
    strength, adding = tables().unsuited[7], tables().adding
    left = np.full(13, 4)
    for card in (*first, *second):
        left[card >> 2] -= 1
    ones, twos = (strength[adding[6][adding[5][:, hole[0] >> 2], hole[1] >> 2]] for hole in (first, second))
    tallies = np.zeros((2, len(CLASSES) * 3), np.int64)
    _tally(tallies, boards, ones, twos, _ways_of(left, boards.held))
    for suit in range(4):
        mine, theirs = (sum(1 << (card >> 2) for card in hole if card & 3 == suit) for hole in (first, second))
        unsuited = left - (~(mine | theirs) >> np.arange(13) & 1)
        for all_sets, others, numbers in boards.flushing:
            possible = (all_sets & (mine | theirs)) == 0
            sets, number = all_sets[possible], numbers[possible].reshape(-1)
            ways = np.tile(_ways_of(unsuited, others), len(sets))
            one, two = ones[number], twos[number]
            _tally(tallies, boards, one, two, -ways)
            one = np.maximum(one, np.repeat(tables().flushes[sets | mine], len(others)))
            two = np.maximum(two, np.repeat(tables().flushes[sets | theirs], len(others)))
            _tally(tallies, boards, one, two, ways)
    players = (tuple(Tally(*row) for row in player.reshape(-1, 3).tolist()) for player in tallies)
    return Equity(first=next(players), second=next(players))


def _tally(tallies: Counts, boards: BoardTables, first: Strengths, second: Strengths, ways: Counts) -> None:
    """Add the ways to what they are to each player: three columns a class, for win, tie and loss."""
    outcome = 1 + (second > first).astype(np.intp) - (first > second)
    for player, (strength, what) in enumerate(((first, outcome), (second, 2 - outcome))):
        # Sums of less than 2^53 are exact.
        sums = np.bincount(boards.class_of[strength] * np.intp(3) + what, ways, tallies.shape[1])
        tallies[player] += sums.astype(np.int64)


def _ways_of(left: npt.NDArray[np.integer], held: npt.NDArray[np.int8]) -> Counts:
    """Return in how many ways cards of the ranks of each row of `held` come from those of each rank that are left."""
    ways: Counts = _CHOOSE[left, held].prod(axis=1)
    return ways


@cache
def board_tables() -> BoardTables:
    """Return the tables of boards, built by the first call."""
    ranking = tables()
    flushing = []
    for size in (3, 4, 5):
        ranks = np.array(list(combinations(range(13), size)))
        others = ranking.rows[5 - size]
        numbers = ranking.numbers(ranks)[:, np.newaxis]
        for step, column in enumerate(others.T):
            numbers = ranking.adding[size + step][numbers, column]
        flushing.append(((1 << ranks).sum(axis=1), _held(others), numbers))
    return BoardTables(
        held=_held(ranking.rows[5]),
        flushing=tuple(flushing),
        class_of=np.array([class_of(rank) for rank in range(RANKS)], np.uint8),
    )
