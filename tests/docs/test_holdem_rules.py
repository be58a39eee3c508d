"""The rules of Hold'em in words: clauses of the specification, all that a move can break, numbers from the code."""

from __future__ import annotations

import re
from pathlib import Path

from dealerless.cli.rules import render
from dealerless.errors import CODES
from dealerless.games.holdem import HOLDEM
from dealerless.games.holdemrules import rules
from dealerless.games.structure import CLAUSES

ROOT = Path(__file__).parent.parent.parent


def test_the_clauses_are_those_of_the_specification() -> None:
    cited = [clause for clause, _ in rules()]
    assert len(set(cited)) == len(cited)
    spec = "".join(path.read_text("utf-8") for path in sorted((ROOT / "spec").rglob("*.md")))
    for clause in cited:
        assert re.search(rf"\b{clause}\b", spec), clause
    assert {f"HOLDEM-{number}" for number in (1, 2, 3, 5, 6)} <= set(cited)
    assert {f"TABLE-{number}" for number in range(1, 6)} <= set(cited)


def test_whatever_a_refused_move_breaks_can_be_read() -> None:
    """BET-1 to BET-6: but BET-2, which stands with each move."""
    charged = {clause for sizes in ("limit", "no-limit") for clause in CLAUSES[sizes].values()}
    charged |= {defect.clause for code, defect in CODES.items() if code.startswith("bet.")}
    charged = {clause for clause in charged if clause.startswith("BET")}
    text = dict(rules())
    assert charged - set(text) == {"BET-2"}
    assert sum("only when" in row for row in text["BET-1"]) == 2


def test_they_can_be_printed_anywhere() -> None:
    """HOLDEM-1, HOLDEM-2, ENC-6: plain lines of 79 characters; the numbers of the game are in them."""
    page = "\n".join(render(clause, paragraphs) for clause, paragraphs in rules())
    assert page.isascii()
    assert max(map(len, page.splitlines())) < 80
    assert f"{HOLDEM.seats[0]} to {HOLDEM.seats[-1]} players, {len(HOLDEM.deck())} cards" in page
    assert "10,000 big blinds" in page
    assert "9,007,199,254,740,991" in page
    strongest = page.index("royal straight flush")
    assert strongest < page.index("four of a kind") < page.index("full house") < page.index("high card")
