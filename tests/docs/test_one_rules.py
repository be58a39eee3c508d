"""The rules of One Poker in words: clauses of the spec, all that a move can break, numbers from the code."""

from __future__ import annotations

import re
from pathlib import Path

from dealerless.cli.rules import render
from dealerless.games.onepoker import MAX_LIVES
from dealerless.games.onepokerrules import rules
from dealerless.games.structure import CLAUSES

ROOT = Path(__file__).parent.parent.parent


def test_the_clauses_are_those_of_the_specification() -> None:
    cited = [clause for clause, _ in rules()]
    assert len(set(cited)) == len(cited)
    spec = "".join(path.read_text("utf-8") for path in sorted((ROOT / "spec").rglob("*.md")))
    for clause in cited:
        assert re.search(rf"\b{clause}\b", spec), clause
    assert {f"ONE-{number}" for number in range(1, 11)} <= set(cited)
    assert {"LOT-1", "TABLE-4", "TABLE-5", "DECK-8", "VERDICT-4"} <= set(cited)


def test_whatever_a_refused_move_breaks_can_be_read() -> None:
    """ONE-7: of the five moves two are for who owes nothing, two for who owes."""
    text = dict(rules())
    assert set(CLAUSES["matched"].values()) <= set(text)
    rows = [row for row in text["ONE-7"] if row.startswith("  ")]
    assert [row.split()[0] for row in rows] == ["CHECK", "BET", "CALL", "RAISE", "FOLD"]
    assert sum("only when" in row for row in rows) == 3


def test_they_can_be_printed_anywhere() -> None:
    """ONE-2, ONE-4, ONE-9: plain lines of 79 characters; the numbers of the game are in them."""
    page = "\n".join(render(clause, paragraphs) for clause, paragraphs in rules())
    assert page.isascii()
    assert max(map(len, page.splitlines())) < 80
    flat = " ".join(page.split())
    assert f"Two players, each with 1 to {MAX_LIVES:,} lives" in flat
    assert "3 decks of 52 cards are shuffled into a shoe of 156" in flat
    assert "only 78 cards are used" in flat
    assert "They last for 38 rounds; before round 39 a fresh shoe" in flat
    assert "DOWN 2 3 4 5 6 7 UP 8 9 T J Q K A " in flat
    # The one pair of ranks against the order.
    assert "in the order 2 3 4 5 6 7 8 9 T J Q K A, but 2 beats A. Suits" in flat
