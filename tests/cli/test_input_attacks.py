"""Files that are no transcripts, endless input, loose numbers, and verdicts that must not depend on the machine."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from dealerless.cli.values import key_problem
from dealerless.protocol.envelope import encode_body
from dealerless.protocol.records import MAGIC
from tests.cli.conftest import Files
from tests.cli.matches import broken, offer, play
from tests.cli.running import invoke, run
from tests.matches import KEYS, STRANGER, named, signed, transcript

# Address space of a child that is given endless input; an audit itself takes a tenth of it, but threads reserve.
LIMIT = 2 << 30


def bounded() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))


@pytest.mark.parametrize("command", ["audit", "show"])
@pytest.mark.parametrize("what", ["directory", "fifo", "zero", "null", "socket"])
def test_F14_what_is_not_a_file_is_refused_at_once(tmp_path: Path, command: str, what: str) -> None:
    """F14: a directory, a pipe without a writer, a device: an error that says so, and no waiting."""
    path = tmp_path / "it"
    if what == "directory":
        path.mkdir()
    elif what == "fifo":
        os.mkfifo(path)
    elif what == "socket":
        import socket

        with socket.socket(socket.AF_UNIX) as listener:
            os.chdir(tmp_path)
            listener.bind("it")
    else:
        path = Path("/dev") / what
    status, out, err = invoke(command, str(path))
    assert (status, out) == (2, "")
    assert err.startswith("error: ")
    assert "transcript.not-a-file" in err or "transcript.inaccessible" in err
    assert "hint: " in err


MATCH = str(Path(__file__).parents[1] / "vectors" / "frozen" / "hex.dlt")
UNREADABLE = "/proc/self/mem"
"""A regular file that opens and then cannot be read, as one on a bad disk."""


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("audit", UNREADABLE), "transcript.inaccessible"),
        (("show", "--explain", UNREADABLE), "transcript.inaccessible"),
        (("compare", MATCH, UNREADABLE), "transcript.inaccessible"),
        (("evidence", UNREADABLE, "--out", "e"), "transcript.inaccessible"),
        (("evidence", "--check", UNREADABLE), "evidence.inaccessible"),
        (("audit", MATCH, "--receipts", UNREADABLE), "receipts.inaccessible"),
        (("show", MATCH, "--reasons", UNREADABLE), "notes.inaccessible"),
        (("resume", UNREADABLE, "--key", "k.pem"), "journal.inaccessible"),
        (("equity", UNREADABLE), f"{UNREADABLE} cannot be read"),
        (("verify-hand", "--session", "0" * 64, "--hand", "1", "--layout", f"@{UNREADABLE}"), f"{UNREADABLE}: "),
    ],
    ids=lambda words: words[0] if isinstance(words, tuple) else "",
)
def test_F14_an_input_that_cannot_be_read_is_named(
    words: tuple[str, ...], code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F14: an error in the middle of reading is one of that input, a usage error, and not one of the output."""
    monkeypatch.chdir(tmp_path)
    assert invoke("keygen", "--out", "k.pem")[0] == 0
    status, out, err = invoke(*words)
    assert (status, out) == (2, "")
    assert code in err
    assert UNREADABLE in err
    assert "input/output error" in err
    assert "output could not be written" not in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["k.pem"]


def test_F14_standard_input_that_cannot_be_read_is_named() -> None:
    """F14, in a process of its own."""
    with open("/proc/self/mem", "rb") as unreadable:
        done = subprocess.run(
            [sys.executable, "-m", "dealerless", "audit", "-"], stdin=unreadable, capture_output=True, check=False
        )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"standard input [transcript.inaccessible" in done.stderr


@pytest.mark.parametrize(
    "data",
    [
        b"{}",
        b"[]\n",
        gzip.compress(MAGIC, mtime=0),
        b"\x7fELF",
        b"PK\x03\x04",
        b"\x00" * 1000,
        MAGIC[:-2] + b"2\n",
        b"d" * 30,
    ],
)
def test_F14_a_file_of_another_type_is_unreadable(tmp_path: Path, data: bytes) -> None:
    """F14: JSON, a compressed file, another version: status 4, and blame for nobody."""
    path = tmp_path / "it"
    path.write_bytes(data)
    status, out, _ = invoke("audit", "--json", str(path))
    verdict = json.loads(out)
    assert status == 4
    assert verdict["outcome"] == "unreadable"
    assert verdict["damage"] == {"record": 0, "reason": "record.not-a-transcript", "detail": None}
    assert verdict["fault"] is None


@pytest.mark.parametrize("source", ["/dev/zero", "/dev/urandom"])
@pytest.mark.parametrize(("begin", "reason"), [(b"", "not begin as"), (MAGIC, "larger than")])
def test_R08_endless_input_is_bounded(tmp_path: Path, source: str, begin: bytes, reason: str) -> None:
    """R08, F14: standard input without an end is read as far as the first thing that is wrong, in little memory."""
    # A pipe that is fed for as long as anybody reads it, or to 1 GB.
    head = tmp_path / "head"
    head.write_bytes(begin)
    feed = f"(cat '{head}'; head -c 1073741824 {source}) 2>/dev/null"
    judge = f"'{sys.executable}' -m dealerless audit -"
    done = subprocess.run(
        ["bash", "-c", f"{feed} | {judge}; echo ${{PIPESTATUS[1]}}"],
        capture_output=True,
        text=True,
        preexec_fn=bounded,
        timeout=60,
        check=False,
    )
    lines = done.stdout.splitlines()
    assert lines[0].startswith("UNREADABLE: ")
    assert reason in lines[1] or source == "/dev/urandom"
    assert lines[-1] == "4"
    assert done.stderr == ""


def test_R08_a_file_of_a_gigabyte_is_bounded(tmp_path: Path) -> None:
    """R08: a sparse gigabyte behind a good beginning is not read through."""
    path = tmp_path / "it"
    path.write_bytes(play(named("BET FOLD")).transcript())
    os.truncate(path, 1 << 30)
    done = run("audit", "--json", str(path), timeout=20)
    verdict = json.loads(done.out)
    assert done.status == 3
    assert verdict["damage"]["reason"] == "record.too-large"
    assert verdict["outcome"] == "incomplete"


def test_R08_a_long_match_is_judged_in_flat_memory(tmp_path: Path) -> None:
    """R08: hands wait on the disk, not in memory; one object all the same."""
    path = tmp_path / "it"
    path.write_bytes(play(terms=offer(hands=60)).transcript())
    status, out, _ = invoke("audit", "--json", str(path))
    assert status == 0
    assert [hand["hand"] for hand in json.loads(out)["hands"]] == list(range(1, 61))


@pytest.mark.parametrize(
    "text",
    [
        " 1_000 ",
        "1_0",
        "\uff11\uff12",
        "+5",
        "\u0663",
        "-0",
        "1e3",
        "0x10",
        "5.0",
        "",
        " 5",
        "5\n",
        "1" * 11,
        "9" * 10**6,
    ],
)
def test_F08_loose_numbers_are_refused(text: str) -> None:
    """F08: one spelling of a number, ten digits at most; a million of them are refused as quickly."""
    status, out, err = invoke("verify-hand", "--hand", text)
    assert (status, out) == (2, "")
    assert "digits 0-9 only" in err
    assert len(err) < 400


@pytest.mark.parametrize("text", ["0", "10001", "9999999999"])
def test_F08_numbers_out_of_range_are_refused(text: str) -> None:
    status, _, err = invoke("verify-hand", "--hand", text)
    assert status == 2
    assert "is not from 1 to 10000" in err


@pytest.mark.parametrize("text", ["AB" * 32, "0x" + "ab" * 31, " " + "ab" * 32, "ab" * 31, "\uff41b" * 32, "zz" * 32])
def test_F08_hex_has_one_spelling_too(files: Files, text: str) -> None:
    status, out, err = invoke("audit", "--expect-key", text, str(files.clean))
    assert (status, out) == (2, "")
    assert "64 lower-case hex digits are needed" in err


def test_T09_expected_keys_are_looked_for(files: Files) -> None:
    """T09: a whole match of other keys is an error with --expect-key, not a clean verdict."""
    ann, bob = [key.public.key.hex() for key in KEYS[:2]]
    assert invoke("audit", str(files.clean), "--expect-key", ann, "--expect-key", bob)[0] == 0
    # One that differs in its last digit only: the whole key is compared.
    near = [ann[:-1] + digit for digit in "0123456789abcdef" if not key_problem(bytes.fromhex(ann[:-1] + digit))]
    near.remove(ann)
    assert near
    for stranger in (STRANGER.public.key.hex(), *near):
        for name in ("clean", "fault", "incomplete"):
            path = files.by_name()[name]
            status, out, err = invoke("audit", "--json", str(path), "--expect-key", ann, "--expect-key", stranger)
            assert (status, out) == (2, "")
            assert "audit.unexpected-key" in err
            assert stranger in err
    # Nobody sits there yet, so nobody is a stranger.
    assert invoke("audit", str(files.empty), "--expect-key", ann)[0] == 3
    assert invoke("audit", str(files.junk), "--expect-key", ann)[0] == 4


def test_T09_a_forged_match_is_of_other_keys_even_if_names_and_terms_agree(tmp_path: Path, files: Files) -> None:
    """T09, BR135: what is printed is who signed, and that is not who we expect."""
    path = tmp_path / "forged.dlt"
    path.write_bytes(play(keys=(STRANGER, KEYS[5])).transcript())
    status, out, _ = invoke("audit", "--json", str(path))
    assert status == 0
    keys = {player["key"] for player in json.loads(out)["players"]}
    assert not keys & {key.public.key.hex() for key in KEYS[:2]}
    assert invoke("audit", str(path), "--expect-key", KEYS[0].public.key.hex())[0] == 2


def test_R04_the_same_bytes_give_the_same_verdict_bytes_everywhere(files: Files) -> None:
    """R04: neither hash seed nor locale, time zone, console or working folder changes a report."""
    settings = [
        {"PYTHONHASHSEED": "0"},
        {"PYTHONHASHSEED": "4711", "LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"},
        {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "COLUMNS": "20", "TERM": "dumb"},
        {"PYTHONHASHSEED": "99", "LANG": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "latin-1", "NO_COLOR": "1"},
        {"PYTHONOPTIMIZE": "2"},
    ]
    paths = [str(path) for path in files.by_name().values()]
    reports = {hashlib.sha256(run("audit", "--json", *paths, env=env).raw).hexdigest() for env in settings}
    assert len(reports) == 1
    stories = {run("show", "--explain", str(files.fault), env=env).raw for env in settings[1:3]}
    assert len(stories) == 1


def test_F13_names_that_are_formulas_or_markup_stay_text(tmp_path: Path) -> None:
    """F13: the reports are text and JSON; in both a name stands between quotation marks."""
    names = ("=HYPERLINK(1)", "<script>x</script>")
    path = tmp_path / "it"
    path.write_bytes(play(named("BET FOLD"), terms=offer(hands=1, names=names)).transcript())
    out = invoke("audit", str(path))[1]
    assert 'name "=HYPERLINK(1)"\n' in out
    assert 'name "<script>x</script>"\n' in out


def test_an_offer_of_another_version_or_suite_is_unreadable(tmp_path: Path) -> None:
    """VERDICT-1: an unknown suite or game makes a file unreadable, with the reason in the report."""
    strange = replace(offer(), suite="sha1")
    body = encode_body(bytes(32), 0, 0, bytes(32), strange)
    path = tmp_path / "it"
    path.write_bytes(transcript(signed(KEYS[0], body)))
    status, out, _ = invoke("audit", str(path))
    assert status == 4
    assert out.startswith("UNREADABLE: ")
    assert "there is no such suite" in out


def test_a_report_of_a_cut_file_says_in_this_copy_and_if(files: Files) -> None:
    """VERDICT-3: who owes what is said of this copy; what a forfeit would give is conditional."""
    out = invoke("audit", str(files.incomplete))[1]
    assert "in this copy" in out
    assert "forfeits, and only then, stacks are" in out
    assert "before the running hand" in out


def test_missing_settlements_are_counted_and_named(tmp_path: Path) -> None:
    """CHAIN-3: a clean match without all settlements is clean, `k of n`, and says whose are missing."""
    match = play(named("BET FOLD"), terms=offer(hands=1))
    path = tmp_path / "it"
    for cut, line in (
        (2, "0 of 2 settlements; missing from seats 0, 1"),
        (1, "1 of 2 settlements; missing from seat 1"),
    ):
        path.write_bytes(transcript(*match.frames[:-cut]))
        status, out, _ = invoke("audit", str(path))
        assert status == 0
        assert line in out


def test_an_expelled_seat_is_told_with_its_forfeit(tmp_path: Path) -> None:
    """VERDICT-4: the fault stays the first, the match goes on to its end, and the chips are said to be lost."""
    match = broken().play()
    path = tmp_path / "it"
    path.write_bytes(match.transcript())
    status, out, _ = invoke("audit", str(path))
    assert status == 1
    assert "forfeit    seat 1 loses 10 in hand 1 [bet.nothing-owed]" in out
    assert "expels seat 1" in invoke("show", str(path))[1]
