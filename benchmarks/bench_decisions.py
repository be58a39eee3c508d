"""How long computer players think: every level of every game, at the table and in the arena.

Run it with `python benchmarks/bench_decisions.py [game ...]`. The hands are played on the rules alone, each seat by the
level in question, and every decision is timed in processor time of the whole process, so that threads of a library
would show: moves, exchanges, and lays. What is built once, tables and strengths before the flop, is built before; the
first decision of a process, with what it imports and builds, is timed apart, in processes of their own: as it comes,
and where that was built before, as a seat does while its match begins. Hex at level
hard solves a board once a hand; its figure is that of the first decision.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dealerless.games.game import Move, Slots
from dealerless.players.arena import Duel, play_deal
from dealerless.players.levels import computer_player, strategy
from dealerless.players.player import Player, SeatView

# Milliseconds. Hex at level hard has a limit of its own, a second a hand.
TARGETS = {("hard", False): 150.0, ("hard", True): 30.0, ("medium", False): 10.0}

# By name: rules, seats, dealing, and how many deals; of One Poker a deal is a match.
TABLES = {
    "draw, 2 seats": ((1, 10, 10, 3, True, 400, "all"), 2, "deck", 10),
    "draw, 6 seats": ((1, 10, 10, 3, True, 400, "all"), 6, "deck", 4),
    "hex": ((10, 3, "all"), 2, "hash", 10),
    "holdem no limit, 2 seats": (("no-limit", 1, 2, 0, 200, "all"), 2, "deck", 10),
    "holdem no limit, 6 seats": (("no-limit", 1, 2, 0, 200, "all"), 6, "deck", 10),
    "holdem limit, 2 seats": (("limit", 1, 2, 0, 200, "all"), 2, "deck", 10),
    "holdem limit, 6 seats": (("limit", 1, 2, 0, 200, "all"), 6, "deck", 10),
    "onepoker": ((10, 10), 2, "shoe", 10),
}


FIRST = "--first"
Chosen = TypeVar("Chosen")


class First(Exception):
    """The first decision was made; there is no need to go on."""


class Timed(Player):
    """A player whose decisions are timed, in milliseconds."""

    def __init__(self, player: Player, times: list[float], *, once: bool = False) -> None:
        self.player, self.times, self.once = player, times, once

    def timed(self, choose: Callable[[SeatView], Chosen], view: SeatView) -> Chosen:
        start = time.process_time()
        chosen = choose(view)
        self.times.append(1000 * (time.process_time() - start))
        if self.once:
            raise First
        return chosen

    def decide(self, view: SeatView) -> Move:
        return self.timed(self.player.decide, view)

    def exchanges(self, view: SeatView) -> Slots:
        return self.timed(self.player.exchanges, view)

    def lays(self, view: SeatView) -> int:
        return self.timed(self.player.lays, view)

    def shows(self, view: SeatView) -> bool:
        return self.player.shows(view)


def duel_of(table: str, level: str) -> tuple[Duel, int]:
    """What is played at this table, all seats by this level, and how many deals."""
    rules, seats, dealing, deals = TABLES[table]
    game = table.replace(",", "").split(maxsplit=1)[0]
    return Duel(game=game, dealing=dealing, rules=rules, seats=seats, bots=(level, level), seed=1), deals


def measured(table: str, level: str, quick: bool) -> list[float]:
    """The times of all decisions but the first deal's, from the least to the greatest."""
    duel, deals = duel_of(table, level)
    times: list[float] = []

    def player(name: str, chance: random.Random) -> Player:
        return Timed(computer_player(name, chance, quick=quick), times)

    play_deal(duel, 0, player)
    times.clear()
    for deal in range(1, deals + 1):
        play_deal(duel, deal, player)
    return sorted(times)


def first(table: str, level: str, quick: bool, prepared: bool) -> float:
    """The time of the first decision of a process, the middle one of three."""
    command = [sys.executable, __file__, FIRST, table, level, str(int(quick)), str(int(prepared))]
    return sorted([float(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(3)])[1]


def first_here(table: str, level: str, quick: bool, prepared: bool) -> float:
    """The time of the first decision of this process."""
    times: list[float] = []
    if prepared:
        strategy(duel_of(table, level)[0].game, level, quick=quick).prepare()
    with suppress(First):
        play_deal(
            duel_of(table, level)[0],
            0,
            lambda name, chance: Timed(computer_player(name, chance, quick=quick), times, once=True),
        )
    return times[0]


def main() -> None:
    if sys.argv[1:2] == [FIRST]:
        print(first_here(sys.argv[2], sys.argv[3], *[flag == "1" for flag in sys.argv[4:6]]))
        return
    print("milliseconds of a decision: mean, what one in twenty exceeds, longest; first of a process, and prepared")
    for table in TABLES:
        if sys.argv[1:] and duel_of(table, "easy")[0].game not in sys.argv[1:]:
            continue
        for level, quick in (("easy", False), ("medium", False), ("hard", True), ("hard", False)):
            if table == "hex" and quick:
                continue
            times = measured(table, level, quick)
            target = None if table == "hex" and level == "hard" else TARGETS.get((level, quick))
            print(
                f"{table:24} {level:6} {'arena' if quick else 'table'} {sum(times) / len(times):7.2f} "
                f"{times[len(times) * 19 // 20]:7.2f} {times[-1]:7.2f} "
                f"{first(table, level, quick, False):6.0f} {first(table, level, quick, True):6.1f} "
                f"({len(times)} decisions)" + ("" if target is None else f"   target: at most {target:g}"),
                flush=True,
            )


if __name__ == "__main__":
    main()
