"""How far One Poker's table is from equilibrium, how long a decision takes, and level against level.

Run it with `python benchmarks/bench_onepoker.py [matches]`. The first figures are exact. In the abstract game, that of
`oneround`, a best response has the tree's moves. In the game with every amount, it may bet and raise by what the tree
does not have, and the table answers as level hard does at the table; only with few lives behind can all of it be gone
through. Both are lives a round, what one player gives away on average over both seats.
"""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dealerless.games.betting import Betting, apply, legal, open_round
from dealerless.games.game import Move
from dealerless.games.structure import Structure
from dealerless.players.arena import Duel, play_deals, play_rounds, quick_player, seeded
from dealerless.players.levels import computer_player
from dealerless.players.onehard import Moves, follow
from dealerless.players.onemake import solution
from dealerless.players.oneround import BEATS, exploitability, hands, laid, weights
from dealerless.players.onetable import BEHIND, COMBOS, FILE, PAIRS, RANKS, RANKS_OF, shipped, table
from dealerless.players.onetree import LIFT
from dealerless.players.player import Player, SeatView

Floats = npt.NDArray[np.float64]

ALL_AMOUNTS = (4, 5)
"""Lives behind for which every amount is gone through; the tree has the first whole, so that there both agree."""

ITERATIONS = (140, 25)
"""Of what is solved while playing: at a table, in the arena."""

MATCHES = 400
STRUCTURE = Structure(unit=1, sizes="matched", amounts="by", closes="checks")


class AllAmounts:
    """The best response of one player, with every amount, to level hard, for one pair of lamps."""

    def __init__(self, behind: int, player: int, combo: int, iterations: int) -> None:
        self.behind, self.player, self.combo, self.iterations = behind, player, combo, iterations
        self.known = solution(table()[behind])

    def gain(self) -> float:
        """Return what the best response wins a round, with what its kept card is worth less the other's."""
        values, lays = self.known.values, self.known.strategy.lays
        firsts, seconds = np.array(PAIRS).T
        lamps = COMBOS[self.combo]
        own, others = hands(values.kept)[lamps[self.player]], hands(values.kept)[lamps[1 - self.player]]
        other = lays[1 - self.player, self.combo]
        betting = open_round(STRUCTURE, (self.behind,) * 2, (1, 1), (False, False), 0)
        root = self.value(betting, (), laid(others[None], other[None])[0])
        best = np.maximum(root[firsts] + values.worth[seconds], root[seconds] + values.worth[firsts])
        theirs = other * values.worth[seconds] + (1 - other) * values.worth[firsts]
        return float((own * best).sum() - (others * theirs).sum())

    def value(self, betting: Betting, moves: Moves, reach: Floats) -> Floats:
        """Return what the line is worth by own rank, with `reach` how often the other has each of its ranks here."""
        seat = betting.to_act
        if seat is None:
            return self.end(betting, reach)
        if seat == self.player:
            worth = [
                self.value(apply(betting, seat, Move(name=option.name, amount=n)), (*moves, (option.name, n)), reach)
                for option in legal(betting)
                for n in range(option.least, option.most + 1)
            ]
            return np.asarray(np.max(worth, axis=0))
        line = follow(self.behind, self.combo, moves, self.iterations)
        ranks = RANKS_OF[COMBOS[self.combo][seat]]
        total = np.zeros(RANKS)
        for place, step in enumerate(line.grown.vertices[line.vertex].steps):
            shares = np.zeros(RANKS)
            for rank in ranks:
                row = line.shares(self.combo, rank)
                shares[rank] = row[place] / sum(row)
            after = reach * shares
            if after.any():
                lift = "RAISE" if betting.owed else "BET"
                name, amount = (lift, step.level - betting.level) if step.name == LIFT else (step.name, 0)
                then = apply(betting, seat, Move(name=name, amount=amount))
                total += self.value(then, (*moves, (name, amount)), after)
        return total

    def end(self, betting: Betting, reach: Floats) -> Floats:
        """Return what an end is worth: the lives, and priority in the next round."""
        priority = self.known.values.priority
        if True in betting.folded:
            lives = betting.totals[betting.folded.index(True)] + priority
            return np.full(RANKS, (-lives if betting.folded[self.player] else lives) * reach.sum())
        keeps = priority if self.player == 0 else -priority
        return np.asarray((betting.totals[self.player] + priority) * (BEATS @ reach) + reach * keeps)


def with_every_amount(behind: int, iterations: int) -> float:
    """Return how far level hard is from equilibrium when a best response has every amount, on average over lamps."""
    often = weights(solution(table()[behind]).values)
    gains = [
        sum([AllAmounts(behind, player, combo, iterations).gain() for player in (0, 1)]) / 2
        for combo in range(len(COMBOS))
    ]
    return float((often * gains).sum())


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
    """All moves and lays of some matches of this level, from the least to the greatest.

    The other is medium, which bets what the table does not have, and both have more lives than there are sheets for.
    """
    duel = Duel(game="onepoker", dealing="shoe", rules=(15, 15), seats=2, bots=(level, "medium"), seed=2)
    times: list[float] = []
    for rotation in range(duel.seats):
        for deal in range(20):
            players = [
                Timed(
                    computer_player(name, seeded(2, deal, rotation, seat), quick=quick),
                    times if seat == rotation else [],
                )
                for seat, name in enumerate(duel.seating(rotation))
            ]
            play_rounds(duel, deal, players)
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
            line += "".join([f" {with_every_amount(behind, iterations):9.5f}" for iterations in ITERATIONS])
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
            f"rounds at most, {2 * matches} matches of {1000 * spent:.0f} ms"
        )


if __name__ == "__main__":
    main()
