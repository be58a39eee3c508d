"""How the table of `onetable` is made: what rounds are worth to each other, and a solved round as the table has it.

- *Hands*: one card was kept in the round before, the other is any rank. How often which rank is kept, and so how likely
  which hand is behind the lamps, follows from the strategies themselves.
- *Kept cards*: the value of a rank is what a round is worth that begins with it, after as many lives have changed hands
  as usually do; when that ends the match, a kept card is worth nothing. It follows from the values of rounds.

Both are found in sweeps over all numbers of lives behind: each round is solved under the values of before, then the
values are taken anew. A table that is shipped is rounded to whole 255ths, and can be measured as such (`solution`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from .oneround import (
    BY_COMBO,
    FIRST,
    LAMPS_OF,
    OF_FIRST,
    OF_SECOND,
    SEATS,
    SECOND,
    Floats,
    Strategy,
    Values,
    backed_up,
    ends_of,
    exploitability,
    hands,
    laid,
    lamps_of,
    laying,
    reaching,
    round_of,
    weights,
)
from .onesolve import solve
from .onetable import BEHIND, COMBOS, HANDS_OF, PAIRS, PARTS, RANKS, RANKS_OF, Sheet, head
from .onetree import tree

_SELDOM: Final = 0.002


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome:
    """What a round between two that play alike comes to.

    `values` (13): what beginning it with a kept rank is worth, priority aside, less the average. `kept` (13): how often
    each rank is kept at its end. `lost`: by number of lives how often so many change hands, none at a tie. `priority`:
    what priority is worth. `won` (9): what player 0 wins, by pair of lamps.
    """

    values: Floats
    kept: Floats
    lost: Floats
    priority: float
    won: Floats


def outcome(behind: int, values: Values, strategy: Strategy) -> Outcome:
    """Return what a round comes to when both play by `strategy`."""
    shape, chances, often = round_of(behind), hands(values.kept), weights(values)
    own = [chances[BY_COMBO[player]] for player in range(SEATS)]
    reach = [
        reaching(shape, player, laid(own[player], strategy.lays[player]), strategy.bets) for player in range(SEATS)
    ]
    lamps = lamps_of(values.kept)
    by_hand = np.zeros(len(PAIRS))
    kept = np.zeros(RANKS)
    won = np.zeros(len(COMBOS))
    for player in range(SEATS):
        lays = strategy.lays[player]
        ends = ends_of(shape, player, reach[1 - player], values.priority)
        root = backed_up(shape, player, ends, strategy.bets)[0]
        lower, higher = laying(values, root)
        worth = lays * lower + (1 - lays) * higher
        # Of a hand's lamps its own are certain.
        other = lamps[BY_COMBO[1 - player]][:, None] * (BY_COMBO[player][:, None] == LAMPS_OF)
        by_hand += (other * worth).sum(axis=0) / SEATS
        mass = often[:, None] * own[player] / SEATS
        kept += ((mass * lays) @ OF_SECOND + (mass * (1 - lays)) @ OF_FIRST).sum(axis=0)
        if player == 0:
            mine = (own[0] * worth).sum(axis=1)
            theirs = strategy.lays[1] * values.worth[SECOND] + (1 - strategy.lays[1]) * values.worth[FIRST]
            won = mine - (own[1] * theirs).sum(axis=1)
    table = np.zeros((RANKS, RANKS))
    table[FIRST, SECOND] = by_hand
    table[SECOND, FIRST] = by_hand
    begins = table.mean(axis=1)
    lost = np.zeros(behind + 2)
    for number, stake in zip(shape.shown, shape.stakes, strict=True):
        meet = np.einsum("c,ci,cj->ij", often, reach[0][number], reach[1][number])
        lost[int(stake)] += meet.sum() - np.trace(meet)
        lost[0] += np.trace(meet)
    for number, stake in zip(shape.folded, shape.wins, strict=True):
        both = reach[0][number].sum(axis=1) * reach[1][number].sum(axis=1)
        lost[int(abs(stake))] += (often * both).sum()
    begins -= (values.kept * begins).sum()
    return Outcome(values=begins, kept=kept, lost=lost, priority=float((often * won).sum()), won=won)


def carried(behind: int, lost: Floats, by_behind: dict[int, Floats]) -> Floats:
    """Return what `by_behind` is worth on average after a round with so many behind: nothing once a match is over.

    The match is taken to be one of twenty lives, or of as many as two players with so many behind have, and who has
    fewer to lose as often as to win.
    """
    lives = behind + 1
    total = max(20, 2 * lives)
    known = sorted(by_behind)
    stacked = np.stack([by_behind[number] for number in known])

    def at(number: int) -> Floats:
        return np.array([np.interp(number, known, column) for column in stacked.T])

    worth = lost[0] * at(behind)
    for change in range(1, len(lost)):
        if lost[change] < 1e-9:
            continue
        for after in (lives - change, lives + change):
            left = min(after, total - after)
            if left > 0:
                worth = worth + lost[change] / 2 * at(left - 1)
    return np.asarray(worth)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Solution:
    """The table for one number of lives behind, with the values it was solved under."""

    behind: int
    values: Values
    strategy: Strategy

    def sheet(self) -> Sheet:
        """Return it as it is shipped; what is done less often than once in 500 times is left out."""
        values, grown = self.values, tree(self.behind)
        content = [head(values.kept.tolist(), [*values.worth.tolist(), values.priority])]
        for combo, lamps in enumerate(COMBOS):
            for player in range(SEATS):
                lower = self.strategy.lays[player, combo, list(HANDS_OF[lamps[player]])]
                content.append(_parts(np.stack((lower, 1 - lower), axis=1))[:, :1].tobytes())
        for vertex in grown.vertices:
            for combo, lamps in enumerate(COMBOS if vertex.steps else ()):
                moves = self.strategy.bets[[step.to for step in vertex.steps], combo]
                content.append(_parts(moves[:, list(RANKS_OF[lamps[vertex.player]])].T)[:, :-1].tobytes())
        return Sheet(self.behind, b"".join(content))


def _parts(rows: Floats) -> npt.NDArray[np.uint8]:
    """Return probabilities by row as whole parts of `PARTS`, which sum to it."""
    kept = np.where(rows < _SELDOM, 0.0, rows)
    sums = np.rint(np.cumsum(kept / kept.sum(axis=1, keepdims=True), axis=1) * PARTS)
    return np.asarray(np.diff(sums, axis=1, prepend=0.0)).astype(np.uint8)


def solution(sheet: Sheet) -> Solution:
    """Return what a sheet holds, as arrays."""
    shape = round_of(sheet.behind)
    *worth, priority = sheet.worth
    lays = np.ones((SEATS, len(COMBOS), len(PAIRS)))
    # Ranks that the lamps leave out move evenly; they never come.
    bets = np.ones((shape.vertices, len(COMBOS), RANKS))
    for side in shape.sides:
        bets[side.moves] = np.repeat(1 / side.counts, side.counts)[:, None, None]
    for combo, lamps in enumerate(COMBOS):
        for player in range(SEATS):
            for hand in HANDS_OF[lamps[player]]:
                lays[player, combo, hand] = sheet.lower(combo, player, *PAIRS[hand]) / PARTS
        for number, vertex in enumerate(shape.tree.vertices):
            for rank in RANKS_OF[lamps[vertex.player]] if vertex.steps else ():
                moves = [step.to for step in vertex.steps]
                bets[moves, combo, rank] = np.array(sheet.bets(number, combo, rank)) / PARTS
    values = Values(kept=np.array(sheet.kept), worth=np.array(worth), priority=priority)
    return Solution(behind=sheet.behind, values=values, strategy=Strategy(lays=lays, bets=bets))


def make(sweeps: int, rough: int, fine: int, tell: object = None) -> list[Solution]:
    """Return the whole table: `sweeps` sweeps of `rough` iterations for the values, then `fine` iterations."""
    say = tell if callable(tell) else (lambda line: None)
    even = Values(kept=np.full(RANKS, 1 / RANKS), worth=np.zeros(RANKS), priority=0.0)
    current = dict.fromkeys(BEHIND, even)
    for sweep in range(sweeps):
        came = {}
        for behind in BEHIND:
            came[behind] = outcome(behind, current[behind], solve(behind, current[behind], rough))
        begins = {behind: np.append(found.values, found.priority) for behind, found in came.items()}
        step = 0.0
        for behind in BEHIND:
            after = carried(behind, came[behind].lost, begins)
            step = max(step, float(np.abs(after[:RANKS] - current[behind].worth).max()))
            current[behind] = Values(kept=came[behind].kept, worth=after[:RANKS], priority=float(after[RANKS]))
        say(f"sweep {sweep + 1}: values move by {step:.4f} lives at most")
    solved = []
    for behind in BEHIND:
        strategy = solve(behind, current[behind], fine)
        solved.append(Solution(behind=behind, values=current[behind], strategy=strategy))
        gap = float((exploitability(behind, current[behind], strategy) * weights(current[behind])).sum())
        say(f"{behind} lives behind: {gap / 2:.5f} lives a round from equilibrium before rounding")
    return solved
