"""The rules of five-card draw in words: clauses of the spec, all that a move can break, numbers from the code."""

from __future__ import annotations

import re
from pathlib import Path

from dealerless.cli.rules import render
from dealerless.errors import CODES
from dealerless.games.draw import DRAW, MAX_RAISES
from dealerless.games.drawhand import HELD, MOST_DISCARDS
from dealerless.games.drawrules import rules
from dealerless.games.structure import CLAUSES

ROOT = Path(__file__).parent.parent.parent


def test_the_clauses_are_those_of_the_specification() -> None:
    """DRAW-9 is about who plays, and not a rule of the game."""
    cited = [clause for clause, _ in rules()]
    assert len(set(cited)) == len(cited)
    spec = "".join(path.read_text("utf-8") for path in sorted((ROOT / "spec").rglob("*.md")))
    for clause in cited:
        assert re.search(rf"\b{clause}\b", spec), clause
    assert {f"DRAW-{number}" for number in (1, 2, 3, 4, 5, 7, 8, 10)} <= set(cited)
    assert {f"TABLE-{number}" for number in (1, 2, 4, 5)} <= set(cited)


def test_whatever_a_refused_move_or_exchange_breaks_can_be_read() -> None:
    """BET-1 to BET-6, DRAW-10: but BET-2, which stands with each move, and BET-4, which is no limit's."""
    charged = {clause for clause in CLAUSES["limit"].values() if clause.startswith("BET")}
    charged |= {defect.clause for code, defect in CODES.items() if code.startswith("exchange.")}
    text = dict(rules())
    assert charged - set(text) <= {"BET-2", "BET-4"}
    assert sum("only when" in row for row in text["BET-1"]) == 2


def test_they_can_be_printed_anywhere() -> None:
    """DRAW-1, DRAW-2, DRAW-7, ENC-6: plain lines of 79 characters; the numbers of the game are in them."""
    page = "\n".join(render(clause, paragraphs) for clause, paragraphs in rules())
    assert page.isascii()
    assert max(map(len, page.splitlines())) < 80
    flat = " ".join(page.split())
    assert f"{DRAW.seats[0]} to {DRAW.seats[-1]} players, {len(DRAW.deck())} cards" in flat
    assert f"gets {HELD} closed cards" in flat
    assert f"none to {MOST_DISCARDS} different cards" in flat
    assert "at most 48 cards" in flat
    assert "81 chips for ante 1, 10/10 and 3 raises" in flat
    assert f"raises from 0 to {MAX_RAISES}" in flat
    strongest = page.index("royal straight flush")
    assert strongest < page.index("four of a kind") < page.index("full house") < page.index("high card")
