"""How far One Poker's table is from equilibrium, how long a decision takes, and level against level.

Run it with `python benchmarks/bench_onepoker.py [matches]`. The first figures are exact. In the abstract game, that of
`onesolve`, a best response has the tree's moves. In the game with every amount, it may bet and raise by what the tree
does not have, and the table answers as level hard does at the table; only with few lives behind can all of it be gone
through. Both are lives a round, what one player gives away on average over both seats.
"""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dealerless.games.betting import Betting, apply, legal, open_round
from dealerless.games.game import Move
from dealerless.games.structure import Structure
from dealerless.players.arena import Duel, play_deals, quick_player
from dealerless.players.levels import computer_player
from dealerless.players.onehard import answer_steps, lift_amount, narrowed
from dealerless.players.onesolve import BEATS, Solution, exploitability, hands, laid, solution, weights
from dealerless.players.onespot import wins
from dealerless.players.onetable import BEHIND, COMBOS, FILE, PAIRS, RANKS, Sheet, shipped, table
from dealerless.players.onetree import FOLD, LIFT, tree
from dealerless.players.player import Player, SeatView

Floats = npt.NDArray[np.float64]

ALL_AMOUNTS = (4, 5, 6)
"""Lives behind for which every amount is gone through; the tree has the first whole, so that there both agree."""

MATCHES = 400
STRUCTURE = Structure(unit=1, sizes="matched", amounts="by", closes="checks")

Rows = tuple[tuple[float, ...], ...]


class Part(NamedTuple):
    """One of the ways in which the table can have understood a line of play.

    `vertex`: where it takes itself to be in its tree, None when that is over. `others`: by pair of lamps what it takes
    the best response to have laid. `reach` (9, 13): how often its player is here, by pair of lamps and rank.
    """

    vertex: int | None
    others: Rows
    reach: Floats


Parts = tuple[Part, ...]


class AllAmounts:
    """The best response of one player, with every amount, to the table."""

    def __init__(self, sheet: Sheet, player: int) -> None:
        self.sheet, self.player = sheet, player
        self.known: Solution = solution(sheet)
        self.behind = sheet.behind
        self.grown = tree(self.behind)

    def gain(self) -> float:
        """Return what the best response wins a round, with what its kept card is worth less the other's."""
        values, lays = self.known.values, self.known.strategy.lays
        chances = hands(values.kept)
        firsts, seconds = np.array(PAIRS).T
        lamps = np.array(COMBOS).T
        own, others = chances[lamps[self.player]], chances[lamps[1 - self.player]]
        mine = laid(own, lays[self.player])
        betting = open_round(STRUCTURE, (self.behind,) * 2, (1, 1), (False, False), 0)
        start = Part(0, tuple([tuple(row) for row in mine.tolist()]), laid(others, lays[1 - self.player]))
        root = self.value(betting, (start,))
        best = np.maximum(root[:, firsts] + values.worth[seconds], root[:, seconds] + values.worth[firsts])
        other = lays[1 - self.player]
        theirs = other * values.worth[seconds] + (1 - other) * values.worth[firsts]
        return float((weights(values) * ((own * best).sum(axis=1) - (others * theirs).sum(axis=1))).sum())

    def value(self, betting: Betting, parts: Parts) -> Floats:
        """Return what the line is worth to the best response by pair of lamps and own rank: (9, 13)."""
        seat = betting.to_act
        if seat is None:
            return self.end(betting, np.sum([part.reach for part in parts], axis=0))
        if seat == self.player:
            worth = [
                self.value(apply(betting, seat, move), self.answered(betting, move, parts))
                for option in legal(betting)
                for move in [Move(name=option.name, amount=n) for n in range(option.least, option.most + 1)]
            ]
            return np.asarray(np.max(worth, axis=0))
        following: dict[tuple[str, int], list[Part]] = {}
        for part in parts:
            for taken, after in self.moved(betting, part):
                if after.reach.any():
                    following.setdefault(taken, []).append(after)
        total = np.zeros((len(COMBOS), RANKS))
        for (name, amount), rest in following.items():
            total += self.value(apply(betting, seat, Move(name=name, amount=amount)), tuple(rest))
        return total

    def answered(self, betting: Betting, move: Move, parts: Parts) -> Parts:
        """Return how the table understands a move of the best response."""
        found = []
        for part in parts:
            if part.vertex is None:
                found.append(part)
                continue
            vertex = self.grown.vertices[part.vertex]
            level = betting.level + move.amount
            for choice, share in answer_steps(self.grown, vertex, move.name, betting.level, level, self.behind):
                if choice is None:
                    found.append(Part(None, part.others, part.reach * share))
                    continue
                others = [
                    tuple(narrowed(self.sheet, part.vertex, combo, choice, list(row)))
                    for combo, row in enumerate(part.others)
                ]
                found.append(Part(vertex.steps[choice].to, tuple(others), part.reach * share))
        return tuple(found)

    def moved(self, betting: Betting, part: Part) -> list[tuple[tuple[str, int], Part]]:
        """Return the moves of the table, each with how often it is made."""
        stays = "CALL" if betting.owed else "CHECK"
        vertex = None if part.vertex is None else self.grown.vertices[part.vertex]
        if part.vertex is None or vertex is None or not vertex.steps:
            pays = np.ones((len(COMBOS), RANKS))
            price = betting.owed / (sum(betting.totals) + betting.owed)
            for combo, row in enumerate(part.others if betting.owed else ()):
                pays[combo] = [wins(rank, list(row)) > price for rank in range(RANKS)]
            folds = [((FOLD, 0), Part(None, part.others, part.reach * (1 - pays)))] if betting.owed else []
            return [*folds, ((stays, 0), Part(None, part.others, part.reach * pays))]
        lifts = [option for option in legal(betting) if option.name in ("BET", "RAISE")]
        found = []
        for place, step in enumerate(vertex.steps):
            move = (FOLD, 0) if step.name == FOLD else (stays, 0)
            if step.name == LIFT and lifts:
                amount = lift_amount(betting.level, self.behind, self.grown, vertex, step.level)
                move = lifts[0].name, min(max(amount, lifts[0].least), lifts[0].most)
            share = self.known.strategy.bets[part.vertex, :, :, place]
            found.append((move, Part(step.to, part.others, part.reach * share)))
        return found

    def end(self, betting: Betting, reach: Floats) -> Floats:
        """Return what an end is worth: the lives, and priority in the next round."""
        priority = self.known.values.priority
        if True in betting.folded:
            lives = betting.totals[betting.folded.index(True)] + priority
            won = -lives if betting.folded[self.player] else lives
            return np.broadcast_to(won * reach.sum(axis=1, keepdims=True), reach.shape)
        keeps = priority if self.player == 0 else -priority
        return np.asarray((betting.totals[self.player] + priority) * (reach @ BEATS.T) + reach * keeps)


class Timed(Player):
    """A player whose moves and lays are timed, in milliseconds of the processor."""

    def __init__(self, player: Player, times: list[float]) -> None:
        self.player, self.times = player, times

    def decide(self, view: SeatView) -> Move:
        start = time.process_time()
        move = self.player.decide(view)
        self.times.append(1000 * (time.process_time() - start))
        return move

    def lays(self, view: SeatView) -> int:
        start = time.process_time()
        place = self.player.lays(view)
        self.times.append(1000 * (time.process_time() - start))
        return place

    def shows(self, view: SeatView) -> bool:
        return self.player.shows(view)


def decision_times(level: str, *, quick: bool) -> list[float]:
    """All moves and lays of some matches of this level against itself, from the least to the greatest."""
    duel = Duel(game="onepoker", dealing="shoe", rules=(10, 10), seats=2, bots=(level, level), seed=2)
    times: list[float] = []
    play_deals(duel, 0, 20, lambda name, chance: Timed(computer_player(name, chance, quick=quick), times))
    return sorted(times)


def main() -> None:
    for level, quick, target in (("medium", False, 10), ("hard", True, 30), ("hard", False, 150)):
        times = decision_times(level, quick=quick)
        print(
            f"{level:6} {'in the arena' if quick else 'at the table'}: {sum(times) / len(times):.2f} ms a decision, at "
            f"most {times[-1]:.2f} ({len(times)} decisions)   target: at most {target}"
        )
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES
    print(f"{FILE}: {len(shipped()):,} bytes   target: at most 300,000")
    print("lives a round from equilibrium: abstract game on average over lamps, at the worst lamps; every amount")
    for behind in BEHIND:
        sheet = table()[behind]
        known = solution(sheet)
        gaps = exploitability(behind, known.values, known.strategy) / 2
        line = f"{behind:3} lives behind {(gaps * weights(known.values)).sum():9.5f} {gaps.max():9.5f}"
        if behind in ALL_AMOUNTS:
            line += f" {sum([AllAmounts(sheet, player).gain() for player in (0, 1)]) / 2:9.5f}"
        print(line, flush=True)
    for bots in (("hard", "medium"), ("medium", "easy"), ("hard", "easy")):
        duel = Duel(game="onepoker", dealing="shoe", rules=(10, 10), seats=2, bots=bots, seed=1)
        start = time.process_time()
        tally = play_deals(duel, 0, matches, quick_player)
        spent = (time.process_time() - start) / (2 * matches)
        mean = tally.total / tally.deals
        error = 1.96 * math.sqrt((tally.squares / tally.deals - mean**2) / (tally.deals - 1))
        print(
            f"{bots[0]} against {bots[1]}: {mean / 2:+.2f} +- {error / 2:.2f} lives a match of {duel.most_hands} "
            f"rounds at most, {2 * matches} matches, {1000 * spent:.1f} ms each"
        )


if __name__ == "__main__":
    main()
