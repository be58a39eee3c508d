"""What other people write - names, moves, kinds, file names - never reaches a terminal as more than text."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealerless.report.escape import marked, one_line, printable
from tests.cli.matches import broken, offer, play, until_move
from tests.cli.running import invoke, run
from tests.matches import KEYS, named

F01_NAMES = (
    "\x1b[2J\x1b[1;1HYou win",
    "\x1b]52;c;ZWNobyBoaQ==\x07",
    "\x9b31m",
    "\r",
    "\x08" * 20,
    "a\nReferee: seat 2 cheated",
    "\x1b[1A\rOK: match.dlt: clean",
    "\x7f\x00",
)
F02_NAMES = ("\u202ebet 001", "Al\u200bice", "\u2066Bob\u2069", "\u00a0", "\u3164", "e\u0301\u0300\u0301", "\ufeff")
F06_NAMES = ("a\nINFO winner=seat1", "a\r\nb", "a\u2028b", "a\u0085b", "a\u2029b", "a\x0bb\x0cc\x1cd")


def controls(text: str) -> list[str]:
    """Return what moves, hides or ends something, but for our own line feeds."""
    return [
        character
        for character in text
        if character != "\n"
        and (unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp", "Mn", "Me", "Co", "Cn"))
    ]


def commands(path: Path) -> list[tuple[str, ...]]:
    return [
        ("audit", str(path)),
        ("audit", "--json", str(path)),
        ("show", "--explain", str(path)),
        ("show", "--json", str(path)),
    ]


@pytest.mark.parametrize("name", F01_NAMES + F02_NAMES + F06_NAMES)
def test_F01_F02_F06_names_are_escaped_in_every_report(tmp_path: Path, name: str) -> None:
    """F01, F02, F06: no control, bidi or invisible character of a name leaves the program, nor a line of its own."""
    path = tmp_path / "match.dlt"
    path.write_bytes(play(named("BET FOLD"), terms=offer(hands=1, names=(name, "Bob"))).transcript())
    plain = tmp_path / "plain.dlt"
    plain.write_bytes(play(named("BET FOLD"), terms=offer(hands=1, names=("Ann", "Bob"))).transcript())
    for command, expected in zip(commands(path), commands(plain), strict=True):
        status, out, err = invoke(*command)
        assert (status, err) == (0, "")
        assert controls(out) == []
        assert out.count("\n") == invoke(*expected)[1].count("\n")
        if "--json" in command:
            told = json.loads(out)
            assert told.get("verdict", told)["players"][0]["name"] == name


def test_F01_the_bytes_that_leave_a_process_are_those_of_text(tmp_path: Path) -> None:
    """F01: the same through a pipe; here every byte is looked at."""
    path = tmp_path / "match.dlt"
    path.write_bytes(play(named("BET FOLD"), terms=offer(hands=1, names=F01_NAMES[:2])).transcript())
    raw = run("audit", str(path)).raw
    assert min(set(raw) - {10}) >= 0x20
    assert not {0x7F, 0x9B} & set(raw)


@pytest.mark.parametrize("text", ["\x1b[2J", "\u202eCALL", "A\nB"])
def test_F01_a_refused_move_is_told_escaped(tmp_path: Path, text: str) -> None:
    """F01: expected and actual of a fault are a cheat's own words too."""
    path = tmp_path / "match.dlt"
    path.write_bytes(broken(move=text, amount=0).transcript())
    for command in commands(path):
        status, out, err = invoke(*command)
        assert (status, err) == (1, "")
        assert controls(out) == []


@pytest.mark.parametrize("kind", ["\x1b]0;you win\x07", "k" * 2000, "\u202e", 7, b"\x1b\x00"])
def test_F01_R08_an_unknown_kind_is_told_escaped_and_cut(tmp_path: Path, kind: object) -> None:
    """F01, R08: what stands in place of a kind may be anything, and long."""
    match = until_move()
    match.cheat(1, match.sign(1, match.body(1, kind=kind)))
    path = tmp_path / "match.dlt"
    path.write_bytes(match.transcript())
    for command in commands(path):
        status, out, _ = invoke(*command)
        assert status == 1
        assert controls(out) == []
        assert "k" * 300 not in out


def test_F02_lookalike_names_are_told_apart(tmp_path: Path) -> None:
    """F02: a Cyrillic A beside a Latin one is spelled out, and the fingerprints come first."""
    path = tmp_path / "match.dlt"
    names = ("Alice", "\u0410lice")
    path.write_bytes(play(named("BET FOLD"), terms=offer(hands=1, names=names)).transcript())
    out = invoke("audit", str(path))[1]
    first, second = [line for line in out.splitlines() if line.startswith("seat ")]
    assert first.endswith('name "Alice"')
    assert second.endswith('name "\u0410lice" (\\u0410lice)')
    assert first.split()[3] != second.split()[3]


@pytest.mark.parametrize("names", [("Alice", "Alice"), ("seat 1", "seat 0"), ("Bob cheated", 'x" key y name "z')])
def test_R09_blame_names_seat_and_key_before_the_name(tmp_path: Path, names: tuple[str, str]) -> None:
    """R09: who is at fault is said by number and fingerprint, whatever the players call themselves."""
    from hashlib import sha256

    path = tmp_path / "match.dlt"
    path.write_bytes(broken(terms=offer(names=names)).transcript())
    lines = invoke("audit", str(path))[1].splitlines()
    assert lines[1].startswith("  seat 1 broke HEX-6 in message 9: ")
    fingerprint = sha256(KEYS[1].public.key).hexdigest()[:16]
    assert lines[2] == f"  blame public: seat 1, fingerprint {fingerprint}, name {marked(names[1])}"


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8", "latin-1"])
def test_F10_a_console_that_lacks_a_letter_prints_its_escape(tmp_path: Path, encoding: str) -> None:
    """F10: no encoding of the console ends a command."""
    path = tmp_path / "match.dlt"
    names = ("\u0410\u043b\u0438\u0441\u0430", "\U0001f0a1 \u00e9")
    path.write_bytes(play(named("BET FOLD"), terms=offer(hands=1, names=names)).transcript())
    done = run("audit", str(path), env={"PYTHONIOENCODING": encoding, "LANG": "C", "LC_ALL": "C"})
    assert (done.status, done.err) == (0, "")
    assert "name" in done.out
    if encoding == "ascii":
        assert done.raw.isascii()


@pytest.mark.parametrize("path", ["no\x1b[2J\nsuch", "\udcff\udc80", "a\u202eb", "nul\x00", "x" * 5000])
def test_F01_a_wrong_file_name_is_repeated_escaped(path: str) -> None:
    """F01: also what our own user's shell gave us."""
    for command in ("audit", "show"):
        status, out, err = invoke(command, path)
        assert (status, out) == (2, "")
        assert controls(err) == []
        assert len(err.splitlines()) == 2


@given(st.text())
def test_printable_is_one_line_without_anything_hidden_and_injective_by_escapes(text: str) -> None:
    shown = printable(text)
    assert controls(shown) == []
    assert "\n" not in shown
    assert all(character == " " or unicodedata.category(character) != "Zs" for character in shown)
    # Every escape can be undone, so that two names are never shown as one.
    undone, position = [], 0
    while position < len(shown):
        if shown[position] != "\\":
            undone.append(shown[position])
            position += 1
            continue
        short = {"\\": "\\", "n": "\n", "r": "\r", "t": "\t"}.get(shown[position + 1])
        if short is not None:
            undone.append(short)
            position += 2
        else:
            size = {"x": 2, "u": 4, "U": 8}[shown[position + 1]]
            undone.append(chr(int(shown[position + 2 : position + 2 + size], 16)))
            position += 2 + size
    assert "".join(undone) == text


def test_marked_quotes_and_spells_out() -> None:
    assert marked('a"b\\') == '"a\\"b\\\\"'
    assert marked("\u00e9") == '"\u00e9" (\\xe9)'
    assert one_line("a\\x1b \x1b") == "a\\x1b \\x1b"
