"""What a computer player's first decision needs is there before it: built while the match begins."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from dealerless.cli.table import Manner, open_new
from dealerless.games import GAMES
from dealerless.players.computer import ComputerPlayer
from tests.matches import KEYS, draw_offer

# Plays a hand up to its first decision and tells what that imported; for the caches it is timed by the benchmark.
FIRST = """
import random, sys
from dealerless.players.arena import Duel, play_deal
from dealerless.players.computer import LEVELS
from dealerless.players.levels import computer_player
from dealerless.players.player import Player

class Made(Exception):
    pass

class First(Player):
    def __init__(self, name, chance):
        self.player = computer_player(name, chance)
    def decide(self, view):
        self.chosen(self.player.decide, view)
    def lays(self, view):
        self.chosen(self.player.lays, view)
    def chosen(self, choose, view):
        before = set(sys.modules)
        choose(view)
        print(*sorted(set(sys.modules) - before))
        raise Made

game, dealing, level, rules = sys.argv[1], sys.argv[2], sys.argv[3], eval(sys.argv[4])
computer_player(level, random.Random(1)).prepare(game)
duel = Duel(game=game, dealing=dealing, rules=rules, seats=2, bots=(level, level), seed=1)
try:
    play_deal(duel, 0, First)
except Made:
    pass
"""
TABLES = {
    "hex": ("hash", (10, 3, "all")),
    "holdem": ("deck", ("no-limit", 1, 2, 0, 200, "all")),
    "draw": ("deck", (1, 10, 10, 3, True, 400, "all")),
    "onepoker": ("shoe", (10, 10)),
}


@pytest.mark.parametrize("level", ["medium", "hard"])
@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_imported_at_the_first_decision(game: str, level: str) -> None:
    dealing, rules = TABLES[game]
    command = [sys.executable, "-c", FIRST, game, dealing, level, repr(rules)]
    told = subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path(__file__).parents[2]).stdout
    imported = [name for name in told.split() if "numpy" in name or "dealerless" in name]
    assert not imported


@pytest.mark.parametrize("level", [None, "hard"])
def test_a_computer_seat_prepares_once_it_has_the_terms(
    level: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person's seat does not; and what fails then is left to the first decision to tell."""
    asked: list[str] = []

    def prepare(player: ComputerPlayer, game: str) -> None:
        asked.append(game)
        raise MemoryError

    monkeypatch.setattr(ComputerPlayer, "prepare", prepare)
    manner = Manner(
        key_file=tmp_path / "key.pem",
        passphrase_file=None,
        witnesses=(),
        auto=False,
        yes=True,
        wait=1,
        as_json=False,
        bot=level,
    )
    seat, _ = open_new(KEYS[0], "one", manner, tmp_path / "match.dlt", ())
    before = set(threading.enumerate())
    assert seat.sitting.consent(draw_offer("terms", seats=3))
    for thread in set(threading.enumerate()) - before:
        thread.join()
    assert asked == ([] if level is None else ["draw"])
    seat.sitting.journal.close()
