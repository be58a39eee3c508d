"""Exact equity of two Hold'em hands: how many of the possible boards each of them wins (HOLDEM-4).

Everything is counted in integers. One deal after the flop is counted board by board with the evaluator of the rules;
all boards before the flop, and many flops at once, with tables that numpy builds on first use
(`dealerless.games.equitytables`). Importing this module loads neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Final, NamedTuple

from dealerless.errors import UsageError
from dealerless.games.cards import DECK, Card, check_distinct
from dealerless.games.ranking import CLASSES, Rank, class_of, strength

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

BOARDS_AFTER_FLOP: Final = comb(45, 2)
"""The number of turn-and-river pairs when both hands and the flop are known: 990."""

KNOWN_BOARDS: Final = (0, 3, 4, 5)
"""How many cards of the board may be known."""


class Tally(NamedTuple):
    """A number of boards, by what they are to the player in question."""

    win: int
    tie: int
    lose: int

    @property
    def boards(self) -> int:
        """The number of boards."""
        return self.win + self.tie + self.lose


@dataclass(frozen=True, slots=True, kw_only=True)
class Equity:
    """What becomes of two hands over all boards that can still come.

    `first` and `second` have one tally for each of `CLASSES`, weakest class first: the boards on which that player's
    hand ends in the class, as that player sees them.
    """

    first: tuple[Tally, ...]
    second: tuple[Tally, ...]

    @property
    def total(self) -> Tally:
        """All boards, as the first player sees them."""
        return Tally(*map(sum, zip(*self.first, strict=True)))

    @property
    def share(self) -> float:
        """The probability that the first player wins; a tie is no win (HOLDEM-4)."""
        total = self.total
        return total.win / total.boards


def equity(first: Sequence[Card], second: Sequence[Card], board: Sequence[Card] = ()) -> Equity:
    """Return what becomes of two hands of two cards, with 0, 3, 4 or 5 cards of the board known (HOLDEM-4).

    Raises `UsageError` `cards.count`, `cards.not-a-card` or `cards.duplicate`.
    """
    for hole in (first, second):
        if len(hole) != 2:
            raise UsageError("cards.count", clause="HOLDEM-4", expected="2 of each player", actual=len(hole))
    if len(board) not in KNOWN_BOARDS:
        raise UsageError("cards.count", clause="HOLDEM-4", expected="0, 3, 4 or 5 on the board", actual=len(board))
    known = (*first, *second, *board)
    for card in known:
        if type(card) is not int or not 0 <= card <= 51:
            raise UsageError("cards.not-a-card", actual=card)
    check_distinct(known)
    if not board:
        from dealerless.games import equitytables

        return equitytables.before_flop(first, second)
    unknown = [card for card in DECK if card not in known]
    counts: dict[tuple[Rank, Rank], int] = {}
    for rest in combinations(unknown, 5 - len(board)):
        full = (*board, *rest)
        ranks = strength((*first, *full)), strength((*second, *full))
        counts[ranks] = counts.get(ranks, 0) + 1
    return _tallied(counts)


def flop_counts(cards: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return for many deals how many of 990 boards the first player wins, and how many are ties (HOLDEM-4).

    `cards` is an (n, 7) array of uint8, a deal in each row: the first player's two cards, the second's two, the flop.
    The first call builds the tables. Raises `UsageError` `usage.bad-value` for an array of another shape or type,
    `cards.not-a-card` or `cards.duplicate`, each with the first row that is wrong.
    """
    from dealerless.games import equitytables

    return equitytables.flop_counts(cards)


def _tallied(counts: dict[tuple[Rank, Rank], int]) -> Equity:
    """Return the tallies of boards counted by the strengths that the two players have on them."""
    tallies = [[[0, 0, 0] for _ in CLASSES] for _ in range(2)]
    for (one, two), boards in counts.items():
        outcome = 0 if one > two else 1 if one == two else 2
        tallies[0][class_of(one)][outcome] += boards
        tallies[1][class_of(two)][2 - outcome] += boards
    first, second = (tuple(Tally(*tally) for tally in player) for player in tallies)
    return Equity(first=first, second=second)
