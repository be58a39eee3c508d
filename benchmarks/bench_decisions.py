"""How long computer players think: every level of Hold'em and hex poker, at the table and in the arena.

Run it with `python benchmarks/bench_decisions.py`. The hands are played on the rules alone, each seat by the level in
question, and every decision is timed in processor time of the whole process, so that threads of a library would show.
What is built once, tables and strengths before the flop, is built before. Hex at level hard solves a board once a hand;
its figure is that of the first decision.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dealerless.games.game import Move, Slots
from dealerless.players.arena import Duel, play_deal
from dealerless.players.levels import computer_player
from dealerless.players.player import Player, SeatView

# Milliseconds: of a decision, the mean. Those of hex at level hard have a limit of their own, a second a hand.
TARGETS = {("hard", False): 150.0, ("hard", True): 30.0, ("medium", False): 10.0}

TABLES = {
    "hex": ((10, 3, "all"), 2, "hash"),
    "holdem no limit, 2 seats": (("no-limit", 1, 2, 0, 200, "all"), 2, "deck"),
    "holdem no limit, 6 seats": (("no-limit", 1, 2, 0, 200, "all"), 6, "deck"),
    "holdem limit, 2 seats": (("limit", 1, 2, 0, 200, "all"), 2, "deck"),
    "holdem limit, 6 seats": (("limit", 1, 2, 0, 200, "all"), 6, "deck"),
}


class Timed(Player):
    """A player whose decisions are timed, in milliseconds."""

    def __init__(self, player: Player, times: list[float]) -> None:
        self.player, self.times = player, times

    def decide(self, view: SeatView) -> Move:
        start = time.process_time()
        move = self.player.decide(view)
        self.times.append(1000 * (time.process_time() - start))
        return move

    def exchanges(self, view: SeatView) -> Slots:
        return self.player.exchanges(view)

    def shows(self, view: SeatView) -> bool:
        return self.player.shows(view)


def measured(table: str, level: str, quick: bool, deals: int) -> list[float]:
    """The times of all decisions of so many deals, the first deal's left out."""
    rules, seats, dealing = TABLES[table]
    duel = Duel(game=table.split(maxsplit=1)[0], dealing=dealing, rules=rules, seats=seats, bots=(level, level), seed=1)
    times: list[float] = []

    def player(name: str, chance: random.Random) -> Player:
        return Timed(computer_player(name, chance, quick=quick), times)

    play_deal(duel, 0, player)
    times.clear()
    for deal in range(1, deals + 1):
        play_deal(duel, deal, player)
    return sorted(times)


def figures() -> Iterator[tuple[str, str, bool, float, float, int]]:
    """By table, level and place: mean, the time that one in twenty exceeds, and how many decisions."""
    for table in TABLES:
        for level, quick in (("easy", False), ("medium", False), ("hard", True), ("hard", False)):
            if table != "hex" or not quick:
                times = measured(table, level, quick, 10)
                yield table, level, quick, sum(times) / len(times), times[len(times) * 19 // 20], len(times)


def main() -> None:
    for table, level, quick, mean, late, many in figures():
        target = None if table == "hex" and level == "hard" else TARGETS.get((level, quick))
        place = "arena" if quick else "table"
        print(
            f"{table:26} {level:7} {place} {mean:8.2f} ms, one in twenty above {late:8.2f} ({many} decisions)"
            + ("" if target is None else f"   target: at most {target:g}")
        )


if __name__ == "__main__":
    main()
