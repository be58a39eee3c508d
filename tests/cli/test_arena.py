"""`arena`: what it prints, and that a run goes on where it stopped, on however many processes."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from dealerless.cli import arena as command
from dealerless.cli import arenafile
from dealerless.cli.status import Status
from dealerless.players.arena import HANDS, Duel, play_deals
from dealerless.players.computer import LEVELS
from dealerless.players.tally import Tally
from tests.cli.running import invoke, run

DRAW = ("arena", "--game", "draw", "--bots", "easy,easy", "--seed", "3")


def told(*words: str) -> dict[str, Any]:
    """The object that the command prints."""
    status, out, err = invoke(*words, "--json", "--jobs", "1")
    assert status == 0, err
    found: dict[str, Any] = json.loads(out)
    return found


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Deals that cost nothing: which batches are asked for is kept. The first wins a chip or two, now and then more."""
    asked: list[int] = []

    def play(duel: Duel, first: int, deals: int) -> Tally:
        asked.append(first)
        won = (5, -3, 2, 1)[first // 4 % 4] if "hard" in duel.bots else (5, -5, 2, -2)[first // 4 % 4]
        return Tally(deals=deals, total=won * deals, squares=won * won * deals)

    monkeypatch.setattr(command, "play_deals", play)
    return asked


# --- what is said


def test_equals_are_played_to_the_end_and_not_told_apart(quick: list[int]) -> None:
    """DRAW-9: the interval, in bets of the first amount, holds zero at every look."""
    status, out, err = invoke(*DRAW, "--deals", "600", "--jobs", "1")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "draw, 2 players, easy against easy, seed 3",
        "512 deals, each in 2 rotations: 1,024 hands; 3 looks",
        "easy: +0.0000 bets a hand, 95 % interval -0.0241 to +0.0241",
        "no difference was found in so many deals",
    ]
    assert quick == list(range(0, 512, 4))


def test_those_who_are_played_against_are_named_in_a_row(quick: list[int]) -> None:
    words = ("arena", "--game", "draw", "--players", "4", "--seed", "3", "--jobs", "1", "--deals", "128")
    out = invoke(*words, "--bots", "hard,easy,medium,hard")[1]
    assert out.startswith("draw, 4 players, hard against easy, medium and hard, seed 3\n")


def test_a_difference_ends_the_run_at_the_look_that_shows_it(quick: list[int]) -> None:
    """DRAW-9: 1.25 chips a deal, 0.0625 of 10 a hand, with a deviation of 2.9."""
    said = told("arena", "--game", "draw", "--bots", "hard,easy", "--deals", "4096")
    assert said["format"] == "dealerless arena 1"
    assert (said["deals"], said["hands"], said["decided"], said["unit"]) == (128, 256, True, "bets")
    assert said["mean"] == 0.0625
    assert 0 < said["low"] < said["mean"] < said["high"]
    assert (said["bots"], said["rules"]) == (["hard", "easy"], [1, 10, 10, 3, True, 200, "all"])
    assert [look["deals"] for look in said["looks"]] == [128]
    assert len(quick) == 32
    status, out, _ = invoke("arena", "--game", "draw", "--bots", "hard,easy", "--jobs", "1")
    assert status == 0
    assert out.splitlines()[1] == "128 deals, each in 2 rotations: 256 hands; 1 look"
    assert out.splitlines()[-1] == "hard is stronger"


@pytest.mark.parametrize(
    ("words", "unit", "mean"),
    [
        (("--game", "hex", "--bet", "4"), "antes", 1.25 / 2 / 4),
        (("--game", "holdem", "--structure", "limit", "--blinds", "1/2"), "big blinds", 1.25 / 2 / 2),
        (("--game", "draw", "--bets", "5/10", "--players", "6"), "bets", 1.25 / 6 / 5),
    ],
)
def test_winnings_are_counted_in_what_the_game_bets(
    quick: list[int], words: tuple[str, ...], unit: str, mean: float
) -> None:
    said = told("arena", *words, "--bots", "hard,easy", "--deals", "128")
    assert (said["unit"], said["mean"]) == (unit, pytest.approx(mean))
    assert said["hands"] == 128 * said["seats"]


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (("--bots", "hard,brilliant"), "brilliant"),
        (("--bots", "hard"), "another"),
        (("--bots", ""), "is no level"),
        (("--bots", "easy,medium,hard"), "3 levels are more than 2 seats; hex has no more\n"),
        (
            ("--bots", "easy,medium,hard", "--game", "onepoker"),
            "3 levels are more than 2 seats; onepoker has no more\n",
        ),
        (("--bots", "easy,medium,hard", "--game", "draw"), "more than 2 seats; say --players, at most 6\n"),
        (
            ("--bots", ",".join(["easy"] * 7), "--game", "draw", "--players", "6"),
            "7 levels are more than 6 seats; draw",
        ),
        (("--bots", "hard,easy", "--deals", "127"), "127"),
        (("--bots", "hard,easy", "--hands", "5"), "--hands"),
        (("--bots", "hard,easy", "--suite", "md5"), "--suite"),
        (("--bots", "hard,easy", "--game", "draw", "--depth", "5"), "--depth"),
        (("--bots", "hard,easy", "--players", "7", "--game", "draw"), "7"),
        ((), "--bots"),
    ],
)
def test_misuse_is_status_2(words: tuple[str, ...], wrong: str) -> None:
    status, out, err = invoke("arena", *words)
    assert (status, out) == (Status.USAGE, "")
    assert wrong in err
    assert err.startswith("error: ")


def test_the_help_says_of_one_poker_what_it_says_of_others() -> None:
    """ONE-10: nothing is said of every hand first that is not so of a round."""
    told = " ".join(invoke("arena", "--help")[1].split())
    before, one, after = told.partition("In One Poker, where cards and lives outlive a round, ")
    assert before.endswith(
        "A deal, one order of the deck, is one hand from the opening stacks, and winnings are told per hand. "
    )
    assert one
    assert after.startswith(f"it is a match of at most {HANDS['onepoker']} rounds, and they are per match. ")
    assert "every hand" not in told


def test_every_level_can_be_named(quick: list[int]) -> None:
    for level in LEVELS:
        assert told("arena", "--bots", f"{level},easy", "--deals", "128")["bots"] == [level, "easy"]


def test_looks_are_told_when_it_takes_longer_than_a_second(monkeypatch: pytest.MonkeyPatch, quick: list[int]) -> None:
    clock = iter(range(10_000))
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    status, _, err = invoke(*DRAW, "--deals", "256", "--jobs", "1")
    assert status == 0
    assert [line.split(":")[0] for line in err.splitlines()] == ["128 deals", "256 deals"]


# --- any number of processes, any number of runs


def test_as_many_processes_as_one_likes_find_the_same(tmp_path: Path) -> None:
    """The same seed, the same result to the last digit."""
    alone = run(*DRAW, "--deals", "128", "--json", "--jobs", "1", "--state", str(tmp_path / "1"))
    both = run(*DRAW, "--deals", "128", "--json", "--jobs", "2", "--state", str(tmp_path / "2"))
    assert alone.status == both.status == 0, alone.err + both.err
    assert alone.out == both.out
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


def start(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "dealerless", *words],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def until_lines(path: Path, lines: int) -> None:
    end = time.monotonic() + 60
    while not path.exists() or path.read_bytes().count(b"\n") < lines:
        assert time.monotonic() < end
        time.sleep(0.01)


def running(folder: Path) -> list[int]:
    """The processes that work in this folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if str((entry / "cwd").readlink()) == str(folder):
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def test_a_run_that_was_killed_is_gone_on_with_and_leaves_no_process(tmp_path: Path) -> None:
    """After kill -9 the deals that were written are not played again, and the end is that of one run."""
    state = tmp_path / "state"
    process = start(tmp_path, *DRAW, "--deals", "65536", "--jobs", "2", "--state", "state")
    until_lines(state, 6)
    process.kill()
    process.communicate(timeout=60)
    kept = state.read_bytes()
    kept = kept[: kept.rfind(b"\n") + 1]
    end = time.monotonic() + 60
    while running(tmp_path):
        assert time.monotonic() < end
        time.sleep(0.05)
    again = run(*DRAW, "--deals", "128", "--json", "--jobs", "2", "--state", str(state))
    assert again.status == 0, again.err
    assert state.read_bytes().startswith(kept)
    assert json.loads(again.out) == told(*DRAW, "--deals", "128")


def test_an_interrupted_run_says_so_in_a_line(tmp_path: Path) -> None:
    """Ctrl-C reaches all processes of a terminal; none has a traceback to show."""
    process = start(tmp_path, *DRAW, "--deals", "65536", "--jobs", "2", "--state", "state")
    until_lines(tmp_path / "state", 3)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (Status.INTERRUPTED, b"")
    assert b"Traceback" not in err, err.decode()
    assert err.splitlines()[-1] == b"error: interrupted"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_whoever_is_impatient_sees_no_traceback_either(tmp_path: Path, jobs: str) -> None:
    """Ctrl-C again and again, until the process has ended: the first one has ended it."""
    process = start(tmp_path, *DRAW, "--deals", "65536", "--jobs", jobs, "--state", "state")
    until_lines(tmp_path / "state", 3)
    end = time.monotonic() + 60
    while process.poll() is None:
        assert time.monotonic() < end
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.003)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (Status.INTERRUPTED, b""), err.decode()
    assert b"Traceback" not in err, err.decode()
    assert err.splitlines()[-1] == b"error: interrupted"


def test_a_finished_run_is_not_played_again_and_can_be_prolonged(tmp_path: Path, quick: list[int]) -> None:
    """--deals is no part of what is played: more of them may be asked for later."""
    state = str(tmp_path / "state")
    first = told(*DRAW, "--deals", "128", "--state", state)
    assert quick == list(range(0, 128, 4))
    assert told(*DRAW, "--deals", "255", "--state", state) == first
    assert len(quick) == 32
    more = told(*DRAW, "--deals", "512", "--state", state)
    assert quick == list(range(0, 512, 4))
    assert more == told(*DRAW, "--deals", "512")
    assert told(*DRAW, "--deals", "128", "--state", state) == first


# --- the file


@pytest.fixture
def state(tmp_path: Path, quick: list[int]) -> Path:
    path = tmp_path / "state"
    told(*DRAW, "--deals", "128", "--state", str(path))
    quick.clear()
    return path


def refused(state: Path, *words: str) -> tuple[int, str]:
    """The status and the complaint; the file is as it was."""
    before = state.read_bytes()
    status, out, err = invoke(*(words or DRAW), "--deals", "256", "--jobs", "1", "--state", str(state))
    assert out == ""
    assert state.read_bytes() == before
    return status, err


@pytest.mark.parametrize(
    ("words", "differing"),
    [
        ((*DRAW[:-1], "4"), "the seed differs"),
        ((*DRAW, "--bets", "10/20"), "the terms differ"),
        ((*DRAW, "--players", "3"), "the number of players differs"),
        ((*DRAW[:3], "--bots", "hard,easy", "--seed", "3"), "the levels differ"),
        (("arena", "--game", "holdem", "--bots", "easy,easy", "--seed", "3"), "the game differs"),
    ],
)
def test_the_state_of_another_duel_is_refused(
    state: Path, quick: list[int], words: tuple[str, ...], differing: str
) -> None:
    status, err = refused(state, *words)
    assert status == Status.USAGE
    assert "arena.other-duel" in err
    assert err.endswith(f"or name another file: {differing}\n")
    assert quick == []


def test_the_state_of_other_lives_is_refused(tmp_path: Path, quick: list[int]) -> None:
    """ONE-1: the lives are all terms of One Poker."""
    state, words = tmp_path / "state", ("arena", "--game", "onepoker", "--bots", "easy,easy")
    told(*words, "--deals", "128", "--state", str(state))
    status, err = refused(state, *words, "--lives", "10/8")
    assert status == Status.USAGE
    assert "; expected [10, 10]; got [10, 8] [arena.other-duel" in err
    assert err.endswith("or name another file: the lives differ\n")


def test_the_state_of_other_players_is_refused(state: Path, quick: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version may play otherwise: both are not one sample."""
    monkeypatch.setattr(arenafile, "__version__", "0.0.0")
    assert "version differs" in refused(state)[1]
    assert quick == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"seed": 3', b'"seed":  3'),
        (b'"seats": 2, ', b""),
        (b'"seats": 2, ', b'"seats": 2, "more": 1, '),
        (b'"seats": 2, ', b'"seats": 3, "more": 1, '),
        (b'"seats": 2, "bots"', b'"bots"'),
        (b'"hands": null}', b'"hands": null, "hands": null}'),
    ],
)
def test_a_first_line_that_says_the_same_in_other_bytes_is_damaged(
    state: Path, quick: list[int], old: bytes, new: bytes
) -> None:
    """Nor is it another duel's where fields are missing or more: none that we have written is like that."""
    content = state.read_bytes()
    assert content.count(old) == 1
    state.write_bytes(content.replace(old, new))
    status, err = refused(state)
    assert (status, "arena.damaged" in err, "null" in err) == (Status.UNREADABLE, True, False)
    assert quick == []


def test_what_a_crash_left_of_a_line_is_cut_off(state: Path, quick: list[int]) -> None:
    whole = state.read_bytes()
    lines = whole.splitlines(keepends=True)
    for cut in (1, 20, len(lines[-1]) - 1):
        state.write_bytes(whole[: len(whole) - len(lines[-1]) + cut])
        told(*DRAW, "--deals", "128", "--state", str(state))
        assert state.read_bytes() == whole
        assert quick == [124]
        quick.clear()
    # Also where the first line is all there was to be.
    for cut in (0, 1, len(lines[0]) - 1):
        state.write_bytes(lines[0][:cut])
        told(*DRAW, "--deals", "128", "--state", str(state))
        assert state.read_bytes() == whole


@pytest.mark.parametrize("place", [0, 1, 16, 32])
@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"junk\n",
        b"[" * 100_000 + b"\n",
        b'{"deal": 0}\n',
        b'{"deal": 1, "deals": 4, "total": 1, "squares": 1}\n',
        b'{"deal": 0, "deals": 8, "total": 1, "squares": 1}\n',
        b'{"deal": 0, "deals": 4, "total": true, "squares": 1}\n',
        b'{"deal": N, "deals": 4, "total": 9, "squares": 1}\n',
        # Two seats of 200 chips: no deal wins or loses more than 400 over both rotations.
        b'{"deal": N, "deals": 4, "total": 0, "squares": 4000000000000000000}\n',
        b'{"deal": N, "deals": 4, "total": 0, "squares": 1' + 400 * b"0" + b"}\n",
        b'{"deal": N, "deals": 4, "total": 1' + 400 * b"0" + b', "squares": 1' + 900 * b"0" + b"}\n",
        b'{"deal": N, "deals": 4, "total": 0, "squares": 1' + 5000 * b"0" + b"}\n",
        b'{"deal": N, "deals": 4, "total": 1602, "squares": 641602}\n',
        b'{"deal": N, "deals": 4, "total": 0, "squares": -2}\n',
        b'{"deal": N, "deals": 4, "total": 1, "squares": 2}\n',
        b"",
    ],
)
def test_a_damaged_state_is_refused_and_left_as_it_is(state: Path, place: int, line: bytes, quick: list[int]) -> None:
    lines = state.read_bytes().splitlines(keepends=True)
    line = line.replace(b"N", b"%d" % max(0, 4 * place - 4))
    if place == 32 and line == b"":
        # What is left is a whole file.
        line = b"\n\n"
    lines[place] = line
    state.write_bytes(b"".join(lines))
    status, err = refused(state)
    assert status == Status.UNREADABLE
    assert "arena.damaged" in err
    assert quick == []


def test_only_a_regular_file_that_nobody_else_writes_is_taken(state: Path, tmp_path: Path) -> None:
    with state.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        status, err = refused(state)
    assert (status, "arena.locked" in err) == (Status.USAGE, True)
    (tmp_path / "link").symlink_to(state)
    os.mkfifo(tmp_path / "fifo")
    for name in ("link", "fifo", "."):
        status, _, err = invoke(*DRAW, "--deals", "128", "--jobs", "1", "--state", str(tmp_path / name))
        assert (status, "arena.not-a-file" in err) == (Status.USAGE, True), err
    status, _, err = invoke(*DRAW, "--deals", "128", "--jobs", "1", "--state", str(tmp_path / "no" / "file"))
    assert status == Status.USAGE
    assert "arena.missing" in err


def test_a_full_disk_leaves_whole_lines(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int, data: bytes, offset: int) -> None:
        os.pwrite(descriptor, data[:5], offset)
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("dealerless.journal.linefile.write_whole", full)
    status, err = refused(state)
    assert status == Status.USAGE
    assert "arena.write-failed" in err


def test_deals_are_played_for_real() -> None:
    """What `quick` leaves out: the command plays what `play_deals` plays."""
    said = told(*DRAW, "--deals", "128")
    duel = Duel(game="draw", dealing="deck", rules=tuple(said["rules"]), seats=2, bots=("easy", "easy"), seed=3)
    assert said["mean"] == play_deals(duel, 0, 128).total / 128 / 20
