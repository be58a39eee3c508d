"""equity: files of deals in and numbers out, whatever is wrong with them, and two hands in detail (HOLDEM-4)."""

from __future__ import annotations

import json
import os
import pty
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealerless.errors import UsageError
from dealerless.games.cards import DECK, cards_text
from dealerless.games.deals import MAX_LINE, read_deals
from dealerless.games.equity import flop_counts
from tests.cli.running import invoke, run

SAMPLES = "SA SK\nDA CA\nSQ SJ ST\nSA HA\nD2 C3\nH4 S5 DA\nHA D9\nH6 C9\nH3 H4 H5\n"
ANSWERS = "1.00000000000000000000\n0.34444444444444444198\n0.63030303030303025391\n"


def text_of(deal: list[int]) -> str:
    return "".join(cards_text(cards) + "\n" for cards in (deal[:2], deal[2:4], deal[4:]))


def random_deals(many: int) -> list[list[int]]:
    draw = random.Random(many)
    return [draw.sample(DECK, 7) for _ in range(many)]


def test_samples() -> None:
    """HOLDEM-4: a line of twenty digits for each deal."""
    result = run("equity", stdin=(SAMPLES + "#\n").encode())
    assert (result.status, result.out, result.err) == (0, ANSWERS, "")


def test_nothing_at_all() -> None:
    """HOLDEM-4: no deal before it was answered, as there was none."""
    empty, one = run("equity", stdin=b""), run("equity", stdin=SAMPLES[:21].encode())
    assert (empty.status, empty.out, one.status, one.out) == (2, "", 2, ANSWERS[:23])
    assert "hint: there is nothing in it; that line is needed without a deal, too\n" in empty.err
    assert "hint: all deals before are answered\n" in one.err


@pytest.mark.parametrize("end", ["#", "#\n", " # \n"])
def test_a_file_and_a_dash(end: str, tmp_path: Path) -> None:
    """HOLDEM-4: the last line feed may be missing."""
    path = tmp_path / "deals.txt"
    path.write_text(SAMPLES + end)
    assert invoke("equity", str(path)) == (0, ANSWERS, "")
    result = run("equity", "-", stdin=path.read_bytes())
    assert (result.status, result.out) == (0, ANSWERS)


def test_no_deals() -> None:
    """HOLDEM-4."""
    result = run("equity", stdin=b"#\n")
    assert (result.status, result.out, result.err) == (0, "", "")


def test_many_deals(tmp_path: Path) -> None:
    """HOLDEM-4: every number is within 1e-6 of the exact one, also where lines have more spaces than they need."""
    deals = random_deals(20_000)
    texts = [text_of(deal) for deal in deals]
    for at in (0, 1, 70, 5_000, 5_001, 19_999):
        texts[at] = texts[at].replace(" ", "   ").replace("\n", "  \n")
    path = tmp_path / "deals.txt"
    path.write_text("".join(texts) + "#\n")
    status, out, err = invoke("equity", str(path))
    assert (status, err) == (0, "")
    wins, _ = flop_counts(np.array(deals, np.uint8))
    told = np.array([float(line) for line in out.splitlines()])
    assert np.abs(told - wins / 990).max() < 1e-6


@pytest.mark.parametrize(
    ("rest", "code", "names"),
    [
        ("", "deals.no-end", ["line 10"]),
        ("SA SK\n", "deals.no-end", ["line 11", "1 of its 3 lines"]),
        ("SA SK\nDA CA", "deals.no-end", ["line 12", "2 of its 3 lines"]),
        ("SA SK\nDA CA\nSQ SJ", "cards.count", ["3 in line 12", "got 2"]),
        ("SA SK\n#\n", "deals.short", ["# in line 11"]),
        ("SA SK\nDA CA\n#\n", "deals.short", ["# in line 12"]),
        ("SA\nDA CA\nSQ SJ ST\n#\n", "cards.count", ["2 in line 10", "got 1"]),
        ("SA SK SQ\nDA CA\nSQ SJ ST\n#\n", "cards.count", ["2 in line 10", "got 3"]),
        ("SA SK\nDA CA\nSQ SJ\n#\n", "cards.count", ["3 in line 12", "got 2"]),
        ("SA SK\nDA CA\nSQ SJ ST S9\n#\n", "cards.count", ["3 in line 12", "got 4"]),
        ("\nSA SK\nDA CA\nSQ SJ ST\n#\n", "cards.count", ["2 in line 10", "got 0", "an empty line"]),
        ("SA SK\n\nDA CA\nSQ SJ ST\n#\n", "cards.count", ["2 in line 11", "got 0", "an empty line"]),
        ("   \n", "cards.count", ["2 in line 10", "got 0"]),
        ("SA SX\nDA CA\nSQ SJ ST\n#\n", "cards.not-a-card", ["SX, card 2 of line 10"]),
        ("SA SK\nDA 10S\nSQ SJ ST\n#\n", "cards.not-a-card", ["10S, card 2 of line 11", "write ST"]),
        ("SA SK\nDA CA\nSQ SJ ts\n#\n", "cards.not-a-card", ["ts, card 3 of line 12", "write ST"]),
        ("SA SK\nDA AC\nSQ SJ ST\n#\n", "cards.not-a-card", ["AC, card 2 of line 11", "write CA"]),
        ("SA SK\r\nDA CA\r\nSQ SJ ST\r\n#\r\n", "cards.not-a-card", [r"SK\r, card 2 of line 10", "carriage returns"]),
        ("SA\tSK\nDA CA\nSQ SJ ST\n#\n", "cards.not-a-card", [r"SA\tSK, card 1 of line 10"]),
        ("SA,SK\nDA CA\nSQ SJ ST\n#\n", "cards.not-a-card", ["SA,SK, card 1 of line 10"]),
        ("SA SK # hand\n#\n", "cards.not-a-card", ["#, card 3 of line 10"]),
        ("SA SK\nDA SA\nSQ SJ ST\n#\n", "cards.duplicate", ["SA, card 2 of line 11"]),
        ("SA SA\nDA CA\nSQ SJ ST\n#\n", "cards.duplicate", ["SA, card 2 of line 10"]),
        ("SA SK\nDA CA\nSQ SJ CA\n#\n", "cards.duplicate", ["CA, card 3 of line 12"]),
        ("SA SK\nDA CA\nSQ SJ\0ST\n#\n", "cards.not-a-card", [r"SJ\x00ST"]),
        ("S\u0410 SK\n#\n", "cards.not-a-card", ["card 1 of line 10"]),
        ("#\nSA SK\n", "deals.after-end", ["more after line 10"]),
        ("#\n\n", "deals.after-end", ["more after line 10"]),
        ("#\n#\n", "deals.after-end", ["more after line 10"]),
        ("X" * 100_000, "cards.not-a-card", ["X" * 20 + ", card 1 of line 10"]),
        (" " * 100_000, "cards.count", ["2 in line 10", "got 0"]),
    ],
)
def test_what_is_wrong_is_named_and_the_deals_before_it_are_answered(
    rest: str, code: str, names: list[str], tmp_path: Path
) -> None:
    """HOLDEM-4: status 2, a line for the error with its place, and every number up to there."""
    path = tmp_path / "deals.txt"
    path.write_text(SAMPLES + rest, newline="")
    status, out, err = invoke("equity", str(path))
    assert (status, out) == (2, ANSWERS)
    assert err.startswith("error: ")
    assert f"[{code}, HOLDEM-" in err
    for name in names:
        assert name in err
    assert len(err) < 400


def test_what_is_wrong_in_a_pipe() -> None:
    """HOLDEM-4."""
    result = run("equity", stdin=(SAMPLES + "SA SK\nDA SA\n").encode())
    assert (result.status, result.out) == (2, ANSWERS)
    assert "SA, card 2 of line 11 [cards.duplicate, HOLDEM-2]" in result.err


def test_an_error_behind_many_deals(tmp_path: Path) -> None:
    """HOLDEM-4: all 12,345 before it are answered."""
    texts = [text_of(deal) for deal in random_deals(20_000)]
    texts[12_345] = texts[12_345][:15] + texts[12_345][:2] + texts[12_345][17:]
    path = tmp_path / "deals.txt"
    path.write_text("".join(texts) + "#\n")
    status, out, err = invoke("equity", str(path))
    assert (status, len(out.splitlines())) == (2, 12_345)
    assert f"card 2 of line {3 * 12_345 + 3}" in err


def test_answers_do_not_wait_for_the_end() -> None:
    """HOLDEM-4: who writes a deal into a pipe reads its answer before writing the next."""
    command = [sys.executable, "-m", "dealerless", "equity"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        lines = SAMPLES.splitlines(keepends=True)
        for at, answer in enumerate(ANSWERS.splitlines()):
            process.stdin.write("".join(lines[3 * at : 3 * at + 3]).encode())
            process.stdin.flush()
            assert process.stdout.readline().decode().strip() == answer
        process.stdin.write(b"#\n")
        process.stdin.close()
        assert process.wait(timeout=30) == 0


def test_what_comes_into_a_pipe_after_the_end() -> None:
    """HOLDEM-4: nothing may follow, however late it comes."""
    command = [sys.executable, "-m", "dealerless", "equity"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write((SAMPLES + "#\n").encode())
        process.stdin.flush()
        assert [process.stdout.readline().decode() for _ in range(3)] == ANSWERS.splitlines(keepends=True)
        _, err = process.communicate(b"SA SK\n", timeout=30)
        assert process.returncode == 2
        assert b"deals.after-end" in err


def test_a_person_types(tmp_path: Path) -> None:
    """HOLDEM-4: at a terminal the line # is the end, and no end of file is waited for."""
    ours, theirs = pty.openpty()
    out = tmp_path / "out"
    with out.open("wb") as stdout:
        process = subprocess.Popen([sys.executable, "-m", "dealerless", "equity"], stdin=theirs, stdout=stdout)
        try:
            os.write(ours, (SAMPLES + "#\n").encode())
            assert process.wait(timeout=60) == 0
        finally:
            process.kill()
            process.wait()
            os.close(ours)
            os.close(theirs)
    assert out.read_text() == ANSWERS


def test_progress_is_told_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What lasts longer than a second says how far it is, and leaves nothing behind."""
    from dealerless.cli.equity import Progress

    for terminal in (False, True):
        clock = iter((100.0, 100.9, 101.1, 101.2, 101.7))
        monkeypatch.setattr(time, "monotonic", lambda clock=clock: next(clock))
        monkeypatch.setattr(sys.stderr, "isatty", lambda terminal=terminal: terminal)
        progress = Progress()
        for _ in range(4):
            progress.add(1000)
        progress.clear()
        told = capsys.readouterr().err
        assert told == ("\r2,000 deals\r4,000 deals\r           \r" if terminal else "")


def pieces(text: bytes, cuts: list[int]) -> Iterator[bytes]:
    places = [0, *sorted(cut % (len(text) + 1) for cut in cuts), len(text)]
    for start, end in pairwise(places):
        if start < end:
            yield text[start:end]
    yield b""


@settings(max_examples=150, deadline=None)
@given(
    many=st.integers(0, 150),
    odd=st.dictionaries(st.integers(0, 149), st.sampled_from(["  ", " " * 30]), max_size=5),
    junk=st.sampled_from(["#\n", "", "SA\n", "SA SK\nSA SK\n", "#x\n", " " * MAX_LINE + "\n"]),
    cuts=st.lists(st.integers(0, 10_000), max_size=6),
)
def test_where_the_text_is_cut_makes_no_difference(many: int, odd: dict[int, str], junk: str, cuts: list[int]) -> None:
    """HOLDEM-4: the deals and the error are the same however the bytes arrive."""
    deals = random_deals(many)
    texts = [text_of(deal).replace(" ", odd.get(at, " ")) for at, deal in enumerate(deals)]
    text = ("".join(texts) + junk).encode()
    whole = read_deals(text)
    assert whole.cards.tolist() == deals
    assert whole.ended == (junk == "#\n")
    found: list[list[int]] = []
    rest, read = b"", whole
    for piece in pieces(text, cuts):
        read = read_deals(rest + piece, line=1 + 3 * len(found), last=not piece)
        found += read.cards.tolist()
        rest = read.rest
        if read.error is not None or read.ended:
            break
    assert found == deals
    assert (read.ended, str(read.error)) == (whole.ended, str(whole.error))


@given(st.binary(max_size=60) | st.text("SHDCAKQJT2 \n#", max_size=60).map(str.encode))
def test_any_bytes_are_deals_or_an_error(junk: bytes) -> None:
    """HOLDEM-4: nothing but our own error is raised, and nothing is passed over in silence."""
    read = read_deals(junk)
    assert read.ended != (read.error is not None)
    assert read.error is None or isinstance(read.error, UsageError)


def test_detail() -> None:
    """HOLDEM-4: the number first, then how many boards are won, tied and lost, in all and by class."""
    status, out, err = invoke("equity", "SA HA", "D2 C3", "H4 S5 DA", "--detail")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[:2] == ["0.34444444444444444198", "win 341, tie 9, lose 640 of 990 boards"]
    rows = {line[:22].strip(): [int(number) for number in line[22:].split()] for line in lines[4:]}
    assert rows == {
        "four of a kind": [44, 0, 0, 0, 0, 0],
        "full house": [297, 0, 0, 0, 0, 0],
        "straight": [0, 9, 0, 640, 9, 341],
        "three of a kind": [0, 0, 640, 0, 0, 0],
    }


@pytest.mark.parametrize(
    ("values", "total"),
    [
        (("SA HA", "DK CK"), (1_388_072, 6_538, 317_694)),
        (("SA HA", "DK CK", ""), (1_388_072, 6_538, 317_694)),
        (("SA SK", "DA CA", "SQ SJ ST"), (990, 0, 0)),
        (("S2 H2", "D2 C2", "SA SK SQ"), (324, 666, 0)),
        (("SA HA", "D2 C3", "H4 S5 DA D6"), (10, 0, 34)),
        (("SA HA", "D2 C3", "H4 S5 DA D6 H6"), (1, 0, 0)),
        (("D2 C3", "SA HA", "H4 S5 DA D6 H6"), (0, 0, 1)),
        (("D2 C3", "SA HA", "ST SJ SQ DK CA"), (0, 1, 0)),
    ],
)
def test_json(values: tuple[str, ...], total: tuple[int, int, int]) -> None:
    """HOLDEM-4: with 0, 3, 4 or 5 cards of the board; the classes sum to the total for both players."""
    status, out, err = invoke("equity", *values, "--json")
    assert (status, err) == (0, "")
    told = json.loads(out)
    assert told["format"] == "dealerless equity 1"
    assert [told["first"], told["second"], told["board"]] == [*values, ""][:3]
    assert (told["win"], told["tie"], told["lose"]) == total
    assert told["boards"] == sum(total)
    assert told["equity"] == total[0] / sum(total)
    for key in ("win", "tie", "lose"):
        mirrored = {"win": "lose", "tie": "tie", "lose": "win"}[key]
        assert sum(row["first"][key] for row in told["classes"]) == told[key]
        assert sum(row["second"][mirrored] for row in told["classes"]) == told[key]


def test_json_of_a_file(tmp_path: Path) -> None:
    """HOLDEM-4: one object, all deals in order, each as the command line has it by itself, with --detail by class."""
    path = tmp_path / "deals.txt"
    path.write_text(SAMPLES + "#\n")
    lines = SAMPLES.splitlines()
    alone = [json.loads(invoke("equity", *lines[at : at + 3], "--json")[1]) for at in (0, 3, 6)]
    for one in alone:
        del one["format"]
    status, out, err = invoke("equity", str(path), "--json", "--detail")
    assert (status, err, out.count("\n")) == (0, "", 1)
    assert json.loads(out) == {"format": "dealerless equity deals 1", "deals": alone}
    for one in alone:
        del one["classes"]
    assert json.loads(run("equity", "--json", stdin=path.read_bytes()).out)["deals"] == alone


@pytest.mark.parametrize(("text", "whole"), [("", 0), ("SA SK\nDA SA\n", 0), (SAMPLES + "SA SK\nDA SA\n", 3)])
def test_json_is_whole_also_where_a_file_is_wrong(text: str, whole: int, tmp_path: Path) -> None:
    """HOLDEM-4: the deals before it are in the object, and the status is 2."""
    path = tmp_path / "deals.txt"
    path.write_text(text)
    status, out, err = invoke("equity", "--json", str(path))
    assert (status, len(json.loads(out)["deals"])) == (2, whole)
    assert err.startswith("error: ")


def test_json_of_many_deals(tmp_path: Path) -> None:
    """HOLDEM-4: what is read in several pieces is still one list."""
    path = tmp_path / "deals.txt"
    deals = random_deals(60_000)
    path.write_text("".join([text_of(deal) for deal in deals]) + "#\n")
    told = json.loads(invoke("equity", "--json", str(path))[1])["deals"]
    wins, ties = flop_counts(np.array(deals, np.uint8))
    assert [(one["win"], one["tie"]) for one in told] == list(zip(wins.tolist(), ties.tolist(), strict=True))
    assert told[-1]["board"] == cards_text(deals[-1][4:])


def test_detail_of_a_file(tmp_path: Path) -> None:
    """HOLDEM-4: for each deal what the command line has for it by itself."""
    path = tmp_path / "deals.txt"
    path.write_text(SAMPLES + "#\n")
    lines = SAMPLES.splitlines()
    alone = [invoke("equity", *lines[at : at + 3], "--detail")[1] for at in (0, 3, 6)]
    assert invoke("equity", "--detail", str(path)) == (0, "".join(alone), "")


def test_one_number() -> None:
    """HOLDEM-4."""
    assert invoke("equity", "SA SK", "DA CA", "SQ SJ ST") == (0, "1.00000000000000000000\n", "")


@pytest.mark.parametrize(
    ("values", "names"),
    [
        (("SA SK",), ["there is no file SA SK", "there must be two"]),
        (("no-such-file",), ["there is no file no-such-file"]),
        (("SA SK", "SA D3"), ["cards.duplicate", "SA"]),
        (("SA SK", "D2 D3", "C2 C3 SK"), ["cards.duplicate", "SK"]),
        (("SA SK", "D2 D3", "C2 C3"), ["cards.count", "0, 3, 4 or 5 on the board"]),
        (("SA SK", "D2"), ["cards.count", "2 of each player"]),
        (("SA 10S", "D2 D3"), ["cards.not-a-card", "10S", "write ST"]),
        (("SA", "SK", "D2", "D3"), ["in quotes"]),
        (("SA SK", "D2 D3", "", "--cheat"), ["--cheat"]),
        (("--json", "no-such-file"), ["there is no file no-such-file"]),
    ],
)
def test_misuse(values: tuple[str, ...], names: list[str]) -> None:
    """HOLDEM-4: status 2 and what is wrong, nothing on the standard output."""
    status, out, err = invoke("equity", *values)
    assert (status, out) == (2, "")
    assert err.startswith("error: ")
    for name in names:
        assert name in err


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    status, out, err = invoke("equity", str(tmp_path))
    assert (status, out) == (2, "")
    assert "is a directory" in err


def test_help_has_an_example_and_starts_without_numpy() -> None:
    status, out, _ = invoke("equity", "--help")
    assert status == 0
    assert "dealerless equity 'SA HA' 'D2 C3' 'H4 S5 DA' --detail" in out
    code = (
        "import sys; from dealerless.cli.main import main; "
        "main(['--help']); main(['equity', 'SA SK', 'DA CA', 'SQ SJ ST']); sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=False).returncode == 0
