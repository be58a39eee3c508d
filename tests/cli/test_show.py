"""`dealerless show`: what each message says, why it is good by which clause of the game, and where cards come from."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Files
from tests.cli.running import invoke
from tests.matches import Match
from tests.report.deals import hex_deck, three_seats


def written(folder: Path, match: Match) -> str:
    path = folder / "match.dlt"
    path.write_bytes(match.transcript())
    return str(path)


def steps(path: str, *options: str) -> list[Any]:
    told = json.loads(invoke("show", "--json", *options, path)[1])
    assert told["format"] == "dealerless show 1"
    found: list[Any] = told["steps"]
    return found


def test_commitments_are_printed(files: Files) -> None:
    """COMMIT-2: with them anybody can redo later what a seed has to open."""
    _, text, _ = invoke("show", str(files.clean))
    told = {(step["seq"], step["kind"]): step for step in steps(str(files.clean))}
    commitments = [step for (_, kind), step in told.items() if kind == "commit"]
    assert len(commitments) == 6
    for step in commitments:
        assert [value["what"] for value in step["values"]] == ["layout commitment", "hole commitment"]
        for value in step["values"]:
            assert f"{value['what']} {value['digits']}" in text
            assert re.fullmatch("[0-9a-f]{64}", value["digits"])


def test_a_move_is_good_or_refused_by_the_clause_of_its_game(files: Files, tmp_path: Path) -> None:
    """HEX-6, BET-1: the table has one row for all games; a report cites the game's own clause."""
    good = [step for step in steps(str(files.clean)) if step["kind"] == "act"]
    assert {step["clause"] for step in good} == {"HEX-6"}
    refused = steps(str(files.fault))[-1]
    assert (refused["clause"], refused["refused"]["clause"]) == ("HEX-6", "HEX-6")
    assert "[BET-1]" not in invoke("show", str(files.clean))[1] + invoke("show", str(files.fault))[1]
    holdem = [step for step in steps(written(tmp_path, three_seats())) if step["kind"] == "act"]
    assert {step["clause"] for step in holdem} == {"BET-1"}


@pytest.mark.parametrize("match", [three_seats, hex_deck])
def test_explain_says_of_every_open_card_whose_shares_opened_it(match: Any, tmp_path: Path) -> None:
    """DECK-4 to DECK-6, DECK-9: as lines and as JSON; without --explain none of it."""
    path = written(tmp_path, match())
    status, text, err = invoke("show", "--explain", path)
    assert (status, err) == (0, "")
    told = steps(path, "--explain")
    opened = [cards for step in told for cards in step["opened"]]
    hand = json.loads(invoke("audit", "--json", path)[1])["hands"][0]
    known = [*hand["board"], *[card for cards in hand["hole"] if cards for card in cards]]
    assert sorted(card for cards in opened for card in cards["cards"]) == sorted(known)
    for cards in opened:
        assert f"{cards['place']} {' '.join(cards['cards'])} (slot" in text
        for share in cards["shares"]:
            owner = ", their owner" if share["seat"] == cards["seat"] else ""
            line = f"seat {share['seat']}{owner}: message {share['seq']}, proof of purpose {share['purpose']} "
            assert f"{line}[{share['clause']}]" in text
            assert told[share["seq"]]["seat"] == share["seat"]
        assert [made["seat"] for made in cards["keys"]] == [made["seat"] for made in cards["shuffles"]]
    assert "proof of purpose" not in invoke("show", path)[1]
    assert all("opened" not in step for step in steps(path))


def test_cards_from_digests_keep_their_shell_lines(files: Files) -> None:
    """HASHDEAL-1: a digest behind every common and hole card, and nothing of a deck."""
    told = steps(str(files.clean), "--explain")
    assert all(step["opened"] == [] for step in told)
    digests = [digest for step in told for digest in step["digests"] if "cards, its first digits" in digest["what"]]
    assert [digest["what"].split()[0] for digest in digests].count("common") == 3
    for digest in digests:
        line = re.fullmatch(r"printf %s '(.*)' \| sha256sum", digest["command"])
        assert line is not None
        assert hashlib.sha256(line[1].encode()).hexdigest() == digest["digest"]


def test_the_hands_of_a_match_are_told_as_audit_tells_them(tmp_path: Path) -> None:
    """One view model: what show says of a hand that is over is in audit's lines too."""
    path = written(tmp_path, three_seats())
    shown, audited = invoke("show", path)[1], invoke("audit", path)[1]
    after = shown.partition("hand 1 is over\n")[2].splitlines()
    told = [line.strip() for line in after[: after.index(next(line for line in after if "signs the end" in line))]]
    assert len(told) == 3
    lines = [line[11:] for line in audited.splitlines()]
    assert all(line in lines for line in told)


def test_standard_input_is_read_once(files: Files) -> None:
    """Twice - is a slip: the second copy would be empty, and a verdict on it nobody's."""
    for args in (("audit", "-", "-"), ("audit", "--json", "-", str(files.clean), "-"), ("compare", "-", "-")):
        status, out, err = invoke(*args)
        assert (status, out) == (2, "")
        assert "standard input" in err.splitlines()[0]


def test_an_empty_record_is_called_empty(tmp_path: Path, files: Files) -> None:
    """ENC-6: a length of 0 is no length of a record; the reason says so."""
    path = tmp_path / "empty.dlt"
    path.write_bytes(files.clean.read_bytes() + bytes(4))
    status, out, _ = invoke("audit", str(path))
    assert status == 3
    assert "a record is empty, or larger than any message may be" in out
