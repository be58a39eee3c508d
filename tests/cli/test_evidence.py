"""`dealerless evidence`: cut, checked, refused; statuses, text and JSON (VERDICT-7)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from dealerless.protocol.state import Phase
from dealerless.referee.evidence import MAGIC
from tests.cli.conftest import Files
from tests.cli.matches import offer
from tests.cli.running import invoke, run
from tests.matches import Match, named
from tests.schemas import validator


def schema() -> jsonschema.Draft202012Validator:
    return validator("evidence")


def json_of(*args: str) -> tuple[int, dict[str, Any]]:
    status, out, err = invoke("evidence", *args, "--json")
    assert err == ""
    document = json.loads(out)
    schema().validate(document)
    return status, document


@pytest.fixture(scope="module")
def branches(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    folder = tmp_path_factory.mktemp("branches")
    paths = (folder / "check.dlt", folder / "bet.dlt")
    for path, move in zip(paths, ("CHECK", "BET"), strict=True):
        path.write_bytes(Match(offer()).until(Phase.BETTING).turn(named(move)).transcript())
    return str(paths[0]), str(paths[1])


def test_cut_and_checked(files: Files, tmp_path: Path) -> None:
    """The bundle says what the transcript says; its size is told."""
    out = tmp_path / "proof.dle"
    status, document = json_of(str(files.fault), "--out", str(out))
    assert (status, document["proven"], document["bytes"]) == (1, True, out.stat().st_size)
    status, checked = json_of("--check", str(out))
    del document["bytes"]
    assert (status, checked) == (1, document)
    _, text, _ = invoke("audit", str(files.fault), "--json")
    assert checked["fault"] == json.loads(text)["fault"]
    status, text, err = invoke("evidence", "--check", str(out))
    assert (status, err) == (1, "")
    assert text.startswith("PROVEN: ")
    assert "  seat 1 broke HEX-6 in message 9: " in text


def test_two_copies_that_convict_together_only(branches: tuple[str, str], tmp_path: Path) -> None:
    out = tmp_path / "proof.dle"
    for path in branches:
        assert json_of(path, "--out", str(out))[0] == 3
    assert not out.exists()
    status, document = json_of(*branches, "--out", str(out))
    assert (status, document["form"], document["records"]) == (1, "equivocation", 6)
    assert run("evidence", "--check", "-", stdin=out.read_bytes()).status == 1


def test_without_a_fault_nothing_is_written(files: Files, tmp_path: Path, branches: tuple[str, str]) -> None:
    """The status is the one of audit, or of compare for two copies."""
    out = tmp_path / "proof.dle"
    for path, status in ((files.clean, 0), (files.incomplete, 3), (files.empty, 3), (files.junk, 4)):
        found, document = json_of(str(path), "--out", str(out))
        assert (found, document["proven"], document["reason"], document["bytes"]) == (status, False, None, 0)
        assert invoke("evidence", str(path), "--out", str(out))[1].startswith("NOTHING: ")
    assert json_of(str(files.clean), str(files.clean), "--out", str(out))[0] == 0
    assert json_of(str(files.clean), str(files.junk), "--out", str(out))[0] == 4
    assert not out.exists()


def test_what_proves_nothing(files: Files, tmp_path: Path) -> None:
    """3 for a bundle that proves nothing, 4 for what is none."""
    out, cut = tmp_path / "proof.dle", tmp_path / "cut.dle"
    invoke("evidence", str(files.fault), "--out", str(out))
    cut.write_bytes(out.read_bytes()[:-1])
    status, document = json_of("--check", str(cut))
    assert (status, document["proven"], document["reason"]) == (3, False, "record.truncated")
    cut.write_bytes(MAGIC)
    assert json_of("--check", str(cut))[1]["reason"] == "evidence.gap"
    assert json_of("--check", str(files.fault))[0] == 4
    for size in (0, 9, len(MAGIC) - 1):
        cut.write_bytes(MAGIC[:size])
        status, document = json_of("--check", str(cut))
        assert (status, document["reason"]) == (4, "evidence.not-evidence")
    text = invoke("evidence", "--check", str(files.fault))[1]
    assert "proves nothing about anybody: the file does not begin as evidence" in text


def test_what_is_not_there_is_called_by_its_name(tmp_path: Path) -> None:
    status, out, err = invoke("evidence", "--check", str(tmp_path / "none.dle"))
    assert (status, out, "there is no evidence of this name" in err) == (2, "", True)
    status, _, err = invoke("evidence", "--check", str(tmp_path))
    assert (status, "evidence.not-a-file" in err) == (2, True)


def test_evidence_of_whatever_decides_in_two_copies(tmp_path: Path) -> None:
    """VERDICT-7: 70 would be a bug; here a seat that is expelled says a third thing on one previous hash."""
    match = Match(offer()).until(Phase.BETTING).until_owing(1)
    seq, prev = match.state.seq, match.state.head
    match.turn().turn()
    for kind in ("a", "b"):
        proof = match.sign(1, match.body(1, kind=kind, seq=seq, prev=prev))
        if kind == "a":
            match.cheat(1, proof)
            match.turn()
        else:
            match.frames.append(proof)
    path, out = tmp_path / "thrice.dlt", tmp_path / "proof.dle"
    path.write_bytes(match.transcript())
    status, document = json_of(str(path), str(path), "--out", str(out))
    assert (status, document["fault"]["code"]) == (1, "chain.equivocation")
    assert json_of("--check", str(out))[0] == 1


def test_nothing_is_overwritten(files: Files, tmp_path: Path) -> None:
    """Not a file, not a link to nothing; nothing is left behind where it cannot be written."""
    out = tmp_path / "proof.dle"
    out.write_bytes(b"mine")
    status, text, err = invoke("evidence", str(files.fault), "--out", str(out))
    assert (status, text, "evidence.exists" in err) == (2, "", True)
    assert out.read_bytes() == b"mine"
    link = tmp_path / "link.dle"
    link.symlink_to(tmp_path / "nowhere")
    assert invoke("evidence", str(files.fault), "--out", str(link))[0] == 2
    assert not (tmp_path / "nowhere").exists()
    status, _, err = invoke("evidence", str(files.fault), "--out", str(tmp_path / "no" / "proof.dle"))
    assert (status, "evidence.inaccessible" in err, "hint: there is no such folder" in err) == (2, True, True)


@pytest.mark.parametrize(
    "args",
    [
        (),
        ("--out", "x"),
        ("a",),
        ("a", "b", "c", "--out", "x"),
        ("a", "--check", "b"),
        ("--check", "b", "--out", "x"),
        ("-", "--out", "x"),
        ("a", "--out", "-"),
    ],
)
def test_wrong_usage(args: tuple[str, ...]) -> None:
    assert invoke("evidence", *args)[0] == 2
