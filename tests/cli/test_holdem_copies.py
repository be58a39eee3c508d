"""`compare`, `evidence` and `audit` at tables of three: who said two different things, and a hand that goes on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dealerless.protocol.events import Acted
from dealerless.protocol.state import Phase
from tests.cli.running import invoke
from tests.cli.test_compare import schema as compare_schema
from tests.cli.test_document import VALIDATOR
from tests.cli.test_evidence import schema as evidence_schema
from tests.matches import Match, holdem_offer

SHORT = Acted(move="RAISE", amount=3)


def table() -> Match:
    """Three seats, dealt in, seat 0 to move."""
    return Match(holdem_offer("copies", seats=3, ante=1), "copies").until(Phase.BETTING)


@pytest.fixture(scope="module")
def branches(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Seat 0 calls in one copy, where seat 1 goes on, and raises in the other."""
    folder = tmp_path_factory.mktemp("branches")
    one, other = table(), table()
    assert one.frames == other.frames
    one.say(0, Acted(move="CALL", amount=0))
    one.turn()
    other.say(0, Acted(move="RAISE", amount=10))
    for path, match in ((folder / "call.dlt", one), (folder / "raise.dlt", other)):
        path.write_bytes(match.transcript())
    return str(folder / "call.dlt"), str(folder / "raise.dlt")


@pytest.fixture(scope="module")
def expelled(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Seat 0 raises by too little and is expelled before it gave any share of the board; the others play to the end."""
    match = table()
    match.cheat(0, match.forge(0, SHORT))
    path = tmp_path_factory.mktemp("expelled") / "match.dlt"
    path.write_bytes(match.until(Phase.OVER).transcript())
    return str(path)


def test_a_fork_of_three_seats_in_words_and_as_json(branches: tuple[str, str]) -> None:
    """CHAIN-2, VERDICT-5: which is kept, who is convicted, what it loses of the running hand; nobody else's chips."""
    status, out, err = invoke("compare", *branches)
    assert (status, err) == (1, "")
    lines = out.splitlines()
    assert lines[0].startswith("FORKED: ")
    assert "  kept: copy 1, on which more other seats have signed since [CHAIN-2]" in lines
    assert any(line.startswith("  seat 0 broke CHAIN-2 in message ") for line in lines)
    assert "forfeit    seat 0 loses 3 in hand 1 [chain.equivocation]" in lines
    assert "pot        3/3/3 in the running hand, by seat" in lines
    assert [line[:10].strip() for line in lines if line.startswith("seat ")] == ["seat 0", "seat 1", "seat 2"]
    found = json.loads(invoke("compare", "--json", *branches)[1])
    compare_schema().validate(found)
    assert (found["relation"], found["counts"], found["kept_by"]) == ("forked", 0, "signed")
    assert [branch["signed"] for branch in found["branches"]] == [[1], []]
    assert [(fault["seat"], fault["code"]) for fault in found["faults"]] == [(0, "chain.equivocation")]
    assert len(found["players"]) == 3
    backward = json.loads(invoke("compare", "--json", *branches[::-1])[1])
    assert (backward["counts"], backward["faults"]) == (1, found["faults"])


def test_evidence_of_a_fork_convicts_by_itself(branches: tuple[str, str], tmp_path: Path) -> None:
    """VERDICT-7: offer, acceptances, readies and the two messages; the report names all three seats with whole keys."""
    proof = str(tmp_path / "proof.dle")
    assert invoke("evidence", *branches, "--out", proof)[0] == 1
    status, out, err = invoke("evidence", "--check", proof)
    assert (status, err) == (1, "")
    assert out.splitlines()[0].startswith("PROVEN: ")
    assert "form       two messages of one seat on one previous hash, 8 records in all" in out
    found = json.loads(invoke("evidence", "--check", proof, "--json")[1])
    evidence_schema().validate(found)
    assert (found["fault"]["seat"], found["form"]) == (0, "equivocation")
    for player in found["players"]:
        assert out.count(player["key"]) == 1
        assert f"seat {player['seat']}     fingerprint {player['fingerprint']} name " in out


def test_evidence_of_an_illegal_move_convicts_by_itself(expelled: str, tmp_path: Path) -> None:
    """VERDICT-7, BET-4: with more than two seats from message 0, through keys, shuffles and shares."""
    proof = str(tmp_path / "proof.dle")
    assert invoke("evidence", expelled, "--out", proof)[0] == 1
    found = json.loads(invoke("evidence", "--check", proof, "--json")[1])
    evidence_schema().validate(found)
    assert (found["fault"]["code"], found["fault"]["clause"], found["form"]) == (
        "bet.below-minimum-raise",
        "BET-4",
        "whole",
    )
    assert found["records"] == found["fault"]["seq"] + 1


def test_a_hand_that_goes_on_without_a_seat_is_told(expelled: str) -> None:
    """VERDICT-4c: betting ends, all still in show, and the board comes from a fresh deck of the cards not shown."""
    status, out, _ = invoke("audit", expelled)
    assert status == 1
    lines = [line[11:] for line in out.partition("\nhand 1 ")[2].splitlines()]
    told = [
        "seat 0 is expelled and leaves 1 in the pot",
        "the cards to come cannot be opened any more; betting is over",
    ]
    places = [lines.index(line) for line in told]
    assert places == sorted(places)
    (hand,) = json.loads(invoke("audit", "--json", expelled)[1])["hands"]
    assert None not in hand["board"]
    fresh = next(line for line in out.splitlines() if line.startswith("fresh deck "))
    assert fresh.startswith(f"fresh deck {' '.join(hand['board'])}  ")
    assert (hand["result"], [one["seat"] for one in hand["shown"]]) == ("showdown", [1, 2])
    assert hand["hole"][0] is None
    told_by_show = invoke("show", "--explain", expelled)[1]
    assert "publishes its key of deck 1 of this hand" in told_by_show
    assert "of deck 1), opened by the shares of" in told_by_show
    assert "REFUSED: the bet or raise is smaller than the last full one" in told_by_show


def test_each_has_a_valid_document(branches: tuple[str, str], expelled: str) -> None:
    for path in (*branches, expelled):
        verdict: dict[str, Any] = json.loads(invoke("audit", "--json", path)[1])
        VALIDATOR.validate(verdict)
        assert len(verdict["players"]) == 3
