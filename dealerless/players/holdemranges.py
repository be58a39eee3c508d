"""What the seats of a Hold'em hand may hold, as everybody sees it: ranges narrowed by every move (DRAW-9, hard).

A range gives each of the 1,326 pairs a weight, all the same before anybody moves. Each move of a seat weighs its range
by how likely a player who knows the pot odds makes that move with each pair. How good a pair is means here: which share
of the seat's own range is worse on this board, by the chance against a random hand.

Who puts x into a pot of p risks x to win p, so that a bluff pays if more than x / (p + x) of the hands that it meets
give up. That one share, the *risk*, gives the whole model:

- Who has to pay gives up the weakest hands by the risk that the bettor took, and no more, or any bluff would pay.
- Who bets or raises does it with hands that beat half of what then stays: half of the share that does not give up, from
  the top; and bluffs so often with the hands that could not pay such a bet that x / (p + 2x) of its bets are bluffs,
  which makes paying for the bluff worth neither more nor less than giving up.
- Who checks or calls has seldom, but sometimes, a hand of that top.

Nobody is as exact: the borders are blurred, and a small part of every range makes every move.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ..games.cards import Card
from ..games.holdem import HOLDEM
from .holdemrunouts import PAIRS, Floats, ranking, without
from .holdemspot import LIFTS, Past
from .player import open_board

BLUR: Final = 0.08
"""How wide the borders between moves are, as a share of the range."""

BLUFFS: Final = 0.5
"""How many of the bluffs that would be right others are taken to make: most people bluff less."""

STRAY: Final = 0.06
"""How much of a range makes any move, whatever it holds."""


def risk(paid: float, pot: float) -> float:
    """Return how often a bluff of `paid` into `pot` has to win to be worth it."""
    return paid / (pot + paid)


def value_share(risked: float) -> float:
    """Return which share of a range bets for value at this risk: what beats half of the hands that then stay."""
    return (1 - risked) / 2


def bluff_chance(value: float, risked: float, hopeless: float) -> float:
    """Return how often a hopeless hand bluffs, when a share `value` of the range bets for value.

    With this chance the bluffs, out of a share `hopeless` of the range, are x / (p + 2x) of all bets, or as many as
    there are. In terms of the risk that is risked / (1 + risked).
    """
    return min(value * risked / hopeless, 1.0)


def share_above(ours: Floats, theirs: Floats, board: tuple[Card, ...], boards: int) -> float:
    """Return which share of one range is worth more than the middle of another on this board."""
    order = ranking(board, boards)
    upto = np.cumsum(theirs[order])
    middle = int(np.searchsorted(upto, upto[-1] / 2))
    mine = np.cumsum(ours[order])
    return float(1 - mine[min(middle, len(order) - 1)] / max(float(mine[-1]), 1e-9))


def narrowed(past: list[Past], seats: int, boards: int) -> list[Floats]:
    """Return the range of every seat after the moves `past`; cards of later boards are not taken out of them."""
    ranges: list[Floats] = [np.ones(len(PAIRS), np.float32) for _ in range(seats)]
    for hand, seat, move in past:
        board = open_board(HOLDEM, hand)
        betting = hand.betting
        pot = sum(hand.totals)
        ours = ranges[seat] * without(board)
        good = quantiles(ours, board, boards)
        others = hand.folded.count(False) - 1
        if move.name in LIFTS:
            level = move.amount if betting.structure.amounts == "to" else betting.full + betting.structure.unit
            paid = min(level - betting.put[seat], hand.stacks[seat])
            factor = _lifts(good, shared(risk(paid, pot), others))
        else:
            owed = min(betting.owed, hand.stacks[seat])
            # The most natural lift that was not made: by the pot.
            least = shared(risk(2 * owed + pot, pot), others)
            stays: Floats = 1 - _above(good, 1 - value_share(least)) / 2
            if owed:
                stays *= _above(good, owed / pot)
            factor = stays
        ranges[seat] = ours * (STRAY + (1 - STRAY) * factor)
    return ranges


def shared(risked: float, opponents: int) -> float:
    """Return how often each of several opponents gives up when all do as often as `risked`."""
    return float(risked ** (1 / max(opponents, 1)))


def quantiles(weights: Floats, board: tuple[Card, ...], boards: int) -> Floats:
    """Return (1326): which share of a range is worth less than each pair on this board, half of the pair included."""
    order = ranking(board, boards)
    sorted_weights = weights[order]
    upto = np.cumsum(sorted_weights)
    good = np.empty(len(PAIRS), np.float32)
    good[order] = (upto - sorted_weights / 2) / max(float(upto[-1]), 1e-9)
    return good


def staying(weights: Floats, good: Floats, risked: float) -> tuple[float, Floats]:
    """Return which share of a range gives up a bet at this risk, and the range of what stays."""
    stays = weights * (STRAY + (1 - STRAY) * _above(good, risked))
    whole = float(weights.sum())
    return 1 - float(stays.sum()) / max(whole, 1e-9), stays


def _lifts(good: Floats, risked: float) -> Floats:
    """Return how likely each pair bets or raises at this risk: for value from the top, as a bluff from the bottom."""
    lifts: Floats = _above(good, 1 - value_share(risked)) + BLUFFS * value_share(risked) * (1 - _above(good, risked))
    return np.minimum(lifts, 1)


def _above(good: Floats, border: float) -> Floats:
    """Return how surely each pair counts as better than the border, 0 to 1, blurred."""
    sure: Floats = 1 / (1 + np.exp((np.float32(border) - good) / np.float32(BLUR / 2)))
    return sure
