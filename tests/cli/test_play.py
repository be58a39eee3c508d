"""`play` and `demo` with more than two at the table, as somebody has them who has just installed the command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dealerless.cli.output import write_new
from dealerless.errors import StorageError
from dealerless.referee import Outcome, replay
from tests.cli.running import Result

pytestmark = pytest.mark.timeout(300)

DEALERLESS = [sys.executable, "-m", "dealerless"]


def start(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    """Return a running command in a folder that is its home and its place for temporary files too."""
    folder.mkdir(exist_ok=True)
    return subprocess.Popen(
        [*DEALERLESS, *words],
        cwd=folder,
        env={"HOME": str(folder), "TMPDIR": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def run(folder: Path, *words: str, typed: bytes = b"") -> Result:
    process = start(folder, *words)
    out, err = process.communicate(typed, timeout=240)
    return Result(status=process.returncode, out=out.decode(), err=err.decode(), raw=out)


def until(process: subprocess.Popen[bytes], text: bytes) -> bytes:
    assert process.stdout is not None
    seen, end = b"", time.monotonic() + 120
    while text not in seen:
        assert time.monotonic() < end, seen
        chunk = os.read(process.stdout.fileno(), 4096)
        assert chunk, seen
        seen += chunk
    return seen


def running(folder: Path) -> list[str]:
    """The command lines of the processes that work in this folder or below it."""
    listed = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if str((entry / "cwd").readlink()).startswith(str(folder)):
                    listed.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode())
            except OSError:
                continue
    return listed


# --- play


def test_a_person_plays_holdem_through_a_pipe(tmp_path: Path) -> None:
    """The table, the own cards, the legal moves with amounts; what is not legal is refused by its rule and free."""
    typed = b"help\nraise 1000\ncall -1\nfoo\n" + b"call\ncheck\n" * 60
    played = run(tmp_path, "play", "--game", "holdem", "--players", "3", "--hands", "1", "--out", "p.dlt", typed=typed)
    assert played.status == 0, played.err
    out = played.out
    assert "1 hand of holdem, dealing deck" in out
    # Seat 0 has the button of the first hand and, of three, moves first before the flop.
    assert "  your cards " in out
    assert "  seat 0 (you) stack 200    put in 0      net 0      button\n" in out
    assert "  seat 1       stack 199    put in 1      net 0      small blind\n" in out
    assert "  seat 2       stack 198    put in 2      net 0      big blind\n" in out
    assert "  you owe 2\n  legal: CALL (pays 2), RAISE to 4..200, FOLD\n" in out
    assert "type one of: call, raise 4, fold" in out
    assert "dealerless rules holdem" in out
    for refusal in ("[bet.over-stack, BET-1]", "an amount is digits 0-9 only", "[bet.not-a-move, BET-1]"):
        assert refusal in out
    assert "  net so far " in out
    assert "; you are seat 0\n" in out
    data = (tmp_path / "p.dlt").read_bytes()
    verdict = replay(data)
    assert (verdict.outcome, tuple(sorted(verdict.settled))) == (Outcome.CLEAN, (0, 1, 2))
    assert verdict.hands[0].actions[0].move == "CALL"
    assert len({player.key for player in verdict.players}) == 3
    # Nothing of the others is left, and no seeds.
    assert [path.name for path in tmp_path.iterdir()] == ["p.dlt"]


@pytest.mark.parametrize("deal", ["hash", "deck"])
def test_a_person_plays_hex_in_both_dealings(tmp_path: Path, deal: str) -> None:
    words = ("play", "--game", "hex", "--deal", deal, "--hands", "2", "--depth", "1", "--out", "p.dlt", "--json")
    played = run(tmp_path, *words, typed=b"check\nallin\nfold\n" * 20)
    assert played.status == 0, played.err
    verdict = json.loads(played.out)
    assert (verdict["outcome"], verdict["dealing"], len(verdict["hands"])) == ("clean", deal, 2)
    # What people read goes to the other stream then.
    assert "  legal: CHECK, BET 10" in played.err


@pytest.mark.parametrize("typed", [b"quit\n", b"check\nquit\n", b""], ids=["quit", "later", "eof"])
def test_leaving_is_an_incomplete_match_and_leaves_no_process(tmp_path: Path, typed: bytes) -> None:
    left = run(tmp_path, "play", "--game", "holdem", "--out", "p.dlt", typed=typed)
    assert (left.status, left.err) == (3, "")
    assert "you left the table; transcript p.dlt\n" in left.out
    assert "go on with" not in left.out
    assert replay((tmp_path / "p.dlt").read_bytes()).outcome is Outcome.INCOMPLETE
    assert [path.name for path in tmp_path.iterdir()] == ["p.dlt"]
    assert running(tmp_path) == []


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_the_others_end_with_it(tmp_path: Path, how: signal.Signals) -> None:
    process = start(tmp_path, "play", "--game", "holdem", "--players", "3", "--out", "p.dlt")
    until(process, b"move> ")
    assert len([words for words in running(tmp_path) if " join 127.0.0.1:" in words]) == 2
    process.send_signal(how)
    _, err = process.communicate(timeout=60)
    assert process.returncode == {signal.SIGTERM: 143, signal.SIGINT: 130, signal.SIGKILL: -9}[how]
    assert "Traceback" not in err.decode()
    end = time.monotonic() + 10
    # Nor do their keys and seeds stay, nor ours.
    while running(tmp_path) or [path.name for path in tmp_path.iterdir()] != ["p.dlt"]:
        assert time.monotonic() < end, list(tmp_path.rglob("*"))
        time.sleep(0.05)


# --- demo


def test_six_processes_play_holdem_and_a_seventh_judges(tmp_path: Path) -> None:
    words = ("demo", "--game", "holdem", "--players", "6", "--hands", "1", "--out", "d.dlt")
    shown = run(tmp_path, *words)
    assert shown.status == 0, shown.err
    assert "demo: all 6 have the same transcript, byte for byte" in shown.err
    assert "OK: d.dlt: clean" in shown.out
    assert "signed     6 of 6 settlements" in shown.out
    assert "dealerless show --explain d.dlt" in shown.out
    verdict = replay((tmp_path / "d.dlt").read_bytes())
    assert [player.name for player in verdict.players] == ["host", *[f"guest{number}" for number in range(1, 6)]]
    assert [path.name for path in tmp_path.iterdir()] == ["d.dlt"]
    # It is said before the match and not after it.
    again = run(tmp_path, *words)
    assert again.status == 2
    assert "journal.exists" in again.err
    assert "demo: " not in again.err


def test_the_players_of_a_demo_end_with_it(tmp_path: Path) -> None:
    process = start(tmp_path, "demo", "--hands", "10000")
    end = time.monotonic() + 120
    while not any(" join 127.0.0.1:" in words for words in running(tmp_path)):
        assert time.monotonic() < end
        time.sleep(0.05)
    process.terminate()
    process.communicate(timeout=120)
    assert process.returncode == 143
    assert running(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_a_transcript_that_cannot_be_written_whole_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F04: on a full disk no file of 0 bytes is left, and nothing is written over or through a link."""

    class Full:
        def __enter__(self) -> Full:
            return self

        def __exit__(self, *_: object) -> None:
            return None

        def write(self, data: bytes) -> None:
            raise OSError(28, "No space left on device")

    path = tmp_path / "d.dlt"
    opened = Path.open

    def full(self: Path, mode: str) -> Full:
        opened(self, mode).close()
        return Full()

    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", full)
        with pytest.raises(StorageError, match=r"journal\.write-failed"):
            write_new(path, b"data")
    assert not path.exists()
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StorageError, match=r"journal\.exists"):
        write_new(path, b"data")
    with pytest.raises(StorageError, match=r"journal\.inaccessible"):
        write_new(tmp_path / "no-folder" / "d.dlt", b"data")
