"""rank and rules: the order of hands on the command line, and rules that say what the code does."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path

import pytest

from dealerless.errors import CODES
from dealerless.games.game import Act, Move
from dealerless.games.hex import HEX, HexHand, HexTerms
from dealerless.games.hexrank import best
from dealerless.games.hexrules import CLASSES, rules, words
from tests.cli.running import invoke

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("sevens", "line"),
    [
        # X15
        (("95f9c4a", "95f9ce4"), "2,99fec,95f9ce4 > 2,99fca,95f9c4a"),
        # X16, X18
        (("aaa6789", "4444fff"), "4,4444f,4444fff > 3+,a9876,aaa6789"),
        # X19
        (("0123f4f", "fedcbaa", "ef01234"), "3+,fedcb,fedcbaa > 3+,43210,0123f4f = 3+,43210,ef01234"),
        # X21
        (("6789a6a", "66677a8"), "32,66677,66677a8 > 3+,a9876,6789a6a"),
        # X22
        (("1234500", "12345ff"), "3+,54321,1234500 = 3+,54321,12345ff"),
        # HEX-11
        (("0000f", "44d44"), "4,4444d,44d44 > 4,0000f,0000f"),
        (("012345",), "3+,54321,012345"),
    ],
)
def test_hands_are_printed_strongest_first(sevens: tuple[str, ...], line: str) -> None:
    """HEX-10 to HEX-12."""
    assert invoke("rank", *sevens) == (0, line + "\n", "")


def test_rank_as_json() -> None:
    status, out, _ = invoke("rank", "--json", "95f9c4a", "95f9ce4")
    told = json.loads(out)
    assert (status, told["format"]) == (0, "dealerless rank 1")
    assert [hand["best"] for hand in told["hands"]] == ["2,99fec,95f9ce4", "2,99fca,95f9c4a"]
    assert told["hands"][0]["rank"] > told["hands"][1]["rank"]
    assert told["hands"][0]["class"] == "one pair"


@pytest.mark.parametrize("seven", ["1234", "12345678", "1234G", "ABCDE", "0x123", "\uff11\uff12\uff13\uff14\uff15", ""])
def test_what_is_no_hand_is_refused(seven: str) -> None:
    status, out, err = invoke("rank", "01234", seven)
    assert (status, out) == (2, "")
    assert "cards." in err


def test_every_class_has_words() -> None:
    """HEX-10: the symbols are those that the evaluator gives, strongest first."""
    found = {best(five).symbol: best(five).rank for five in product(range(6), repeat=5)}
    assert sorted(found, key=lambda symbol: -found[symbol]) == list(CLASSES)
    assert words("22,ff447,4f724f6") == "two pairs, ff447"


def test_rules_are_listed_and_printed() -> None:
    assert invoke("rules") == (0, "hex\ndraw\nholdem\nonepoker\n", "")
    status, out, err = invoke("rules", "hex")
    assert (status, err) == (0, "")
    assert max(map(len, out.splitlines())) < 80
    assert out.isascii()
    for clause, _ in rules():
        assert re.search(rf"^{clause} ", out, re.MULTILINE)


def test_the_rules_cite_all_of_the_game_and_only_clauses_of_the_spec() -> None:
    cited = [clause for clause, _ in rules()]
    assert len(set(cited)) == len(cited)
    assert {f"HEX-{number}" for number in range(1, 14)} <= set(cited)
    spec = "".join(path.read_text("utf-8") for path in sorted((ROOT / "spec").rglob("*.md")))
    for clause in cited:
        assert re.search(rf"\b{clause}\b", spec), clause
    # Every clause that a broken rule of play is charged with can be read here, but those of other games.
    charged = {row.clause for code, row in CODES.items() if code.startswith(("bet.", "show."))}
    assert {clause for clause in charged if clause.startswith(("HEX", "SHOW"))} <= set(cited)


def test_HEX_7_the_table_of_the_rules_is_what_the_engine_allows() -> None:
    """HEX-7: with chips enough, each move allows what the printed table says may follow it."""
    paragraphs = dict(rules())["HEX-7"]
    table: dict[str, set[str]] = {}
    for row in paragraphs:
        if row.startswith("  "):
            after, moves = re.split(" {2,}", row.strip())
            for last in re.findall("[A-Z]+", after) + (["start"] if "start" in after else []):
                table[last] = set(moves.split(", "))
    assert set(table) == {"start", "CHECK", "BET", "CALL", "RAISE", "ALLIN"}
    terms = HexTerms(bet=10, depth=20, show="all")
    hand = HEX.start(terms, (210, 210), 0, (0, 1))
    start = HEX.dealt(HEX.dealt(hand, dict.fromkeys(range(5), 0)), {})
    amounts = {"CHECK": 0, "BET": 10, "CALL": 10, "RAISE": 20, "FOLD": 0}

    def move(hand: HexHand, name: str) -> tuple[int, Move]:
        due = HEX.demand(hand)
        assert isinstance(due, Act)
        amount = hand.stacks[due.seat] if name == "ALLIN" else amounts[name]
        return due.seat, Move(name=name, amount=amount)

    def legal(hand: HexHand) -> set[str]:
        return {name for name in (*amounts, "ALLIN") if HEX.check(hand, *move(hand, name)) is None}

    assert legal(start) == table["start"]
    for last, before in {"CHECK": (), "BET": (), "ALLIN": (), "RAISE": ("BET",), "CALL": ("BET",)}.items():
        hand = start
        for name in (*before, last):
            hand = HEX.apply(hand, *move(hand, name))
        assert legal(hand) == table[last], last


def test_numbers_in_the_rules_come_from_the_code() -> None:
    text = invoke("rules", "hex")[1]
    assert f"{HEX.seats.start} players" in text
    assert "10,000" in text
    assert "9,007,199,254,740,991" in text
