"""`dealerless compare`, and receipts that `compare` and `audit` hold against witnesses: statuses, text and JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from dealerless.protocol.events import Expelled
from dealerless.protocol.records import ZERO_HASH
from dealerless.protocol.state import Match as Agreed
from dealerless.protocol.state import Phase
from dealerless.protocol.witness import Receipt, check_receipt, sign_no_show, sign_receipt
from dealerless.referee.receipts import MAGIC, encode_receipt
from tests.cli.conftest import Files
from tests.cli.matches import offer
from tests.cli.running import invoke, run
from tests.matches import KEYS, Match, fixed, hex_offer, named
from tests.schemas import validator

WITNESS = KEYS[8]


def schema() -> jsonschema.Draft202012Validator:
    return validator("compare")


@pytest.fixture(scope="module")
def branches(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two branches of one match: seat 1 checks in the first, where seat 0 goes on, and bets in the second."""
    folder = tmp_path_factory.mktemp("branches")
    paths = (folder / "check.dlt", folder / "bet.dlt")
    for path, move, more in zip(paths, ("CHECK", "BET"), (1, 0), strict=True):
        terms = replace(offer(), nonce=fixed("branches"))
        match = Match(terms).until(Phase.BETTING).turn(named(move))
        for _ in range(more):
            match.turn()
        path.write_bytes(match.transcript())
    return paths


def json_of(*args: str) -> tuple[int, dict[str, Any]]:
    status, out, err = invoke("compare", *args, "--json")
    assert err == ""
    document = json.loads(out)
    schema().validate(document)
    return status, document


def test_the_status_of_every_relation(files: Files, branches: tuple[Path, Path], tmp_path: Path) -> None:
    """VERDICT-5: 1 proven, else what counts; 4 where nothing is compared."""
    whole = files.clean.read_bytes()
    cut, flipped = tmp_path / "cut.dlt", tmp_path / "flipped.dlt"
    cut.write_bytes(whole[:-900])
    flipped.write_bytes(whole[:-40] + bytes([whole[-40] ^ 1]) + whole[-39:])
    cases = [
        (files.clean, files.clean, 0, "same"),
        (files.clean, cut, 0, "longer"),
        (files.clean, flipped, 0, "longer"),
        (cut, cut, 3, "same"),
        (cut, files.empty, 3, "longer"),
        (files.fault, files.empty, 1, "longer"),
        (*branches, 1, "forked"),
        (files.clean, branches[0], 4, "different"),
        (files.clean, files.junk, 4, "unreadable"),
        (files.fault, files.junk, 4, "unreadable"),
    ]
    for one, other, status, relation in cases:
        for pair in ((one, other), (other, one)):
            found, document = json_of(*[str(path) for path in pair])
            assert (found, document["relation"]) == (status, relation), pair
            assert invoke("compare", *[str(path) for path in pair])[0] == status


def test_a_fork_in_words(branches: tuple[Path, Path]) -> None:
    """CHAIN-2, VERDICT-2a: where they part, which is kept and why, who is convicted, and what is lost."""
    status, out, _ = invoke("compare", *[str(path) for path in branches])
    assert status == 1
    lines = out.splitlines()
    assert lines[0].startswith("FORKED: ")
    assert "  they part at message 9" in lines
    assert "  kept: copy 1, on which more other seats have signed since [CHAIN-2]" in lines
    assert any("seat 1 broke CHAIN-2 in message 9" in line for line in lines)
    assert "forfeit    seat 1 loses 10 in hand 1 [chain.equivocation]" in lines


def test_a_fork_as_json(branches: tuple[Path, Path]) -> None:
    _, document = json_of(*[str(path) for path in branches])
    assert (document["counts"], document["kept_by"], document["seq"]) == (0, "signed", 9)
    assert document["stacks"] == [70, 50]
    assert [(fault["seat"], fault["code"]) for fault in document["faults"]] == [(1, "chain.equivocation")]


def test_one_copy_can_be_standard_input(files: Files) -> None:
    done = run("compare", "-", str(files.clean), stdin=files.clean.read_bytes())
    assert (done.status, done.out.split(":")[0]) == (0, "SAME")
    assert invoke("compare", "-", "-")[0] == 2


def test_what_cannot_be_opened_is_a_usage_error(files: Files, tmp_path: Path) -> None:
    status, out, err = invoke("compare", str(files.clean), str(tmp_path / "none.dlt"))
    assert (status, out) == (2, "")
    assert "transcript.missing" in err
    status, _, err = invoke("compare", str(files.clean), str(files.clean), "--receipts", str(tmp_path))
    assert (status, "receipts.not-a-file" in err) == (2, True)
    status, out, err = invoke("audit", str(files.clean), "--receipts", str(tmp_path / "none.dlr"))
    assert (status, out) == (2, "")
    assert "there is no file of receipts of this name" in err


# --- receipts -----------------------------------------------------------------------------------------------


def timed_out(folder: Path) -> tuple[Path, Receipt]:
    """A match in which seat 1 is expelled for its silence, and a receipt by which it was in time."""
    terms = replace(hex_offer(), witnesses=(WITNESS.public.key,), threshold=1, move_seconds=60)
    match = Match(terms).until(Phase.BETTING)
    state = match.state
    session = state.agreed.session
    cause = sign_receipt(WITNESS, 0, session, state.seq - 1, state.head, 1, 0)
    given = sign_receipt(WITNESS, 0, session, state.seq, fixed("in time"), 0, 59_000)
    said = sign_no_show(
        WITNESS, 0, state.agreed, state.seq, state.head, 1, since=0, bank=0, at=60_000, receipt=cause.signature
    )
    match.say(0, Expelled(seat=1, record=ZERO_HASH, absent=((1, (said,)),)))
    match.out.add(1)
    path = folder / "timed-out.dlt"
    path.write_bytes(match.play().transcript())
    return path, given


def test_a_witness_that_signed_both_ways_is_void(tmp_path: Path) -> None:
    """VERDICT-6: with the receipt at hand the time-out proves nothing; blame none."""
    path, given = timed_out(tmp_path)
    other = sign_receipt(KEYS[7], 0, given.session, given.seq, given.record, 0, 0)
    kept, forged = tmp_path / "kept.dlr", tmp_path / "forged.dlr"
    kept.write_bytes(MAGIC + encode_receipt(other) + encode_receipt(given))
    forged.write_bytes(MAGIC + encode_receipt(other))
    assert invoke("audit", str(path))[0] == 1
    assert invoke("audit", str(path), "--receipts", str(forged))[0] == 1
    status, out, _ = invoke("audit", str(path), "--receipts", str(kept), "--json")
    document = json.loads(out)
    assert (status, document["outcome"], document["fault"]) == (3, "incomplete", None)
    assert document["damage"]["reason"] == "witness.void"
    assert (document["stacks"], document["forfeits"]) == ([60, 60], [])
    status, text, _ = invoke("audit", str(path), "--receipts", str(kept))
    assert (status, "blame none: a witness also signed a timely receipt" in text) == (3, True)
    assert json_of(str(path), str(path), "--receipts", str(kept))[0] == 3
    assert json_of(str(path), str(path))[0] == 1


def test_a_file_full_of_forged_receipts_costs_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """VERDICT-6, VERDICT-8: 64 of them are looked at; the real one before them counts."""
    path, given = timed_out(tmp_path)
    forged = [encode_receipt(given._replace(record=fixed(str(number)))) for number in range(3000)]
    checks: list[object] = []

    def counted(match: Agreed, receipt: Receipt) -> None:
        checks.append(receipt)
        check_receipt(match, receipt)

    monkeypatch.setattr("dealerless.referee.receipts.check_receipt", counted)
    kept = tmp_path / "kept.dlr"
    for place, status, most in ((3000, 1, 64), (64, 1, 64), (63, 3, 64), (0, 3, 1)):
        kept.write_bytes(MAGIC + b"".join([*forged[:place], encode_receipt(given), *forged[place:]]))
        assert invoke("audit", str(path), "--receipts", str(kept))[0] == status
        assert len(checks) == most
        checks.clear()


def test_a_file_of_receipts_is_whole_or_refused(tmp_path: Path) -> None:
    """VERDICT-6: no verdict on a file that is not what it was said to be."""
    path, given = timed_out(tmp_path)
    whole = MAGIC + encode_receipt(given)
    bad = tmp_path / "bad.dlr"
    for data in (whole[:-1], b"junk", path.read_bytes(), whole + b"\0\0\0\1\xc0", whole[:40], whole + b"\0", b""):
        bad.write_bytes(data)
        out_path = str(tmp_path / "proof.dle")
        for command in (
            ("audit", str(path), "--json"),
            ("compare", str(path), str(path)),
            ("evidence", str(path), "--out", out_path),
        ):
            status, out, err = invoke(*command, "--receipts", str(bad))
            assert (status, out) == (2, ""), command
            assert "receipts.damaged" in err
    bad.write_bytes(MAGIC)
    assert invoke("audit", str(path), "--receipts", str(bad))[0] == 1
