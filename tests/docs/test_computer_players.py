"""The page of computer players has every game and level, and its figures of equilibria are the benchmarks'."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dealerless.games import GAMES
from dealerless.players.computer import LEVELS
from dealerless.players.levels import STRATEGIES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "computer-players.md").read_text("utf-8")
MEASURED = (ROOT / "benchmarks" / "README.md").read_text("utf-8")

HEADINGS = {"draw": "Five-card draw", "holdem": "Texas Hold'em", "hex": "Hex poker", "onepoker": "One Poker"}


def rows(text: str) -> dict[str, list[str]]:
    """The rows of all tables by their first cell."""
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    return {row[0]: row[1:] for row in cells}


def section(text: str, heading: str) -> str:
    """What stands under the heading that begins so."""
    (found,) = re.findall(rf"^## {re.escape(heading)}.*?\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    return str(found)


@pytest.mark.parametrize("game", GAMES)
def test_every_level_of_every_game_is_described(game: str) -> None:
    """DRAW-9."""
    assert tuple(STRATEGIES[game]) == LEVELS
    told = re.findall(r"^\*\*([a-z]+)\*\* ", section(PAGE, HEADINGS[game]), re.MULTILINE)
    assert tuple(told) == LEVELS


def test_figures_of_hex_are_the_benchmarks() -> None:
    here, there = rows(section(PAGE, "Hex poker")), rows(section(MEASURED, "Equilibria of hex poker"))
    for bets in map(str, range(1, 7)):
        measured = [cell.split()[0] for cell in there[bets]]
        assert here[bets] == [measured[2], measured[4]]


def test_figures_of_one_poker_are_the_benchmarks() -> None:
    here, there = rows(section(PAGE, "One Poker")), rows(section(MEASURED, "Computer players of One Poker"))
    for behind in ("0 to 3", "4", "5", "12 to 40"):
        solved, _, *every_amount = there[behind]
        assert here[behind] == [solved, *[cell or "not measured" for cell in every_amount]]
    assert here["6"][0] == here["7"][0] == here["8 and 9"][0] == there["6 to 9"][0]
