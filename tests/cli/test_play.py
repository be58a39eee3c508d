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
from dealerless.journal.notes import Line, read_notes
from dealerless.protocol.events import Exchanged
from dealerless.referee import Outcome, replay
from tests.cli.running import Result
from tests.matches import envelopes
from tests.net.transcripts import frames_of

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


def works_in(folder: Path) -> list[tuple[int, str]]:
    """The processes that work in this folder or below it: number and command line."""
    listed = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if str((entry / "cwd").readlink()).startswith(str(folder)):
                    words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                    listed.append((int(entry.name), words))
            except OSError:
                continue
    return listed


def running(folder: Path) -> list[str]:
    """The command lines of the processes that work in this folder or below it."""
    return [words for _, words in works_in(folder)]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def noted(path: Path) -> list[Line]:
    """What a file of notes says; nothing if there is none."""
    if not path.exists():
        return []
    with path.open("rb") as stream:
        return list(read_notes(stream, path.name))


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
    # Nothing of the others is left but their reasons, and no seeds.
    assert names(tmp_path) == ["p.dlt", "p.dlt.notes"]


def test_a_person_plays_draw_through_a_pipe(tmp_path: Path) -> None:
    """DRAW-2, DRAW-10: the exchange by the numbers of the cards; refusals cost nothing; the others' reasons."""
    # What answers a move is refused at an exchange, and the other way round.
    typed = b"help\n" + b"1 2 3 4\n9\n1 1\n1 5\ncheck\ncall\n" * 40
    words = ("play", "--game", "draw", "--players", "3", "--hands", "2", "--bot", "medium", "--out", "p.dlt")
    played = run(tmp_path, *words, typed=typed)
    assert played.status == 0, played.err
    out = played.out
    assert "2 hands of draw, dealing deck, suite ristretto255-sha512, against 2 computer players, medium\n" in out
    assert "ante 1, first bet 10, second bet 10, raises 3, all-in yes, stack 200, show all\n" in out
    for refusal in ("[exchange.too-many, DRAW-2]: 1 2 3 4", "[exchange.not-held, DECK-7]: 9"):
        assert f"{refusal}\n" in out
    assert "[exchange.unordered, DRAW-10]: 1 1\n" in out
    assert "  seat 0 (you) exchanges 2 cards\n  new hand: your cards " in out
    assert "  after the exchange, pot " in out
    data = (tmp_path / "p.dlt").read_bytes()
    verdict = replay(data)
    assert (verdict.outcome, tuple(sorted(verdict.settled))) == (Outcome.CLEAN, (0, 1, 2))
    own = [
        action for hand in verdict.hands for action in hand.actions if action.seat == 0 and action.move == "EXCHANGE"
    ]
    assert [action.amount for action in own] == [2] * len(own)
    assert own
    exchanges = [envelope.event for envelope in envelopes(frames_of(data)) if isinstance(envelope.event, Exchanged)]
    assert len(exchanges) == sum(action.move == "EXCHANGE" for hand in verdict.hands for action in hand.actions)
    # Every decision of the others has its reason, in a file that is the person's alone.
    lines = noted(tmp_path / "p.dlt.notes")
    assert {line.session for line in lines} == {verdict.session}
    assert (tmp_path / "p.dlt.notes").stat().st_mode & 0o777 == 0o600
    decided = {
        (hand.number, action.seat, place, action.move)
        for hand in verdict.hands
        for place, action in enumerate(hand.actions)
        if action.seat
    }
    assert {(one.hand, one.seat, one.place, one.what.split()[0]) for _, one in lines} == decided
    shown = run(tmp_path, "show", "p.dlt", "--reasons")
    assert shown.out.count("        reason noted: ") == len(decided)
    assert names(tmp_path) == ["p.dlt", "p.dlt.notes"]


def test_notes_that_are_there_are_never_written_over(tmp_path: Path) -> None:
    """F04: said before the match; nothing else is made."""
    (tmp_path / "p.dlt.notes").write_text("mine")
    for command in ("play", "demo"):
        told = run(tmp_path, command, "--out", "p.dlt")
        assert (told.status, told.out) == (2, "")
        assert "notes.exists" in told.err
    assert (tmp_path / "p.dlt.notes").read_text() == "mine"
    assert names(tmp_path) == ["p.dlt.notes"]


def test_the_file_that_was_named_is_the_one_complained_about(tmp_path: Path) -> None:
    """F04: where the transcript of an earlier match and its notes are both there, and where there is no folder."""
    (tmp_path / "p.dlt").write_text("mine")
    (tmp_path / "p.dlt.notes").write_text("mine")
    for command in ("play", "demo"):
        told = run(tmp_path, command, "--out", "p.dlt")
        assert (told.status, told.out) == (2, "")
        assert "got p.dlt [journal.exists" in told.err
        told = run(tmp_path, command, "--out", "none/p.dlt")
        assert (told.status, told.out) == (2, "")
        assert "got none/p.dlt [journal.inaccessible" in told.err
        assert "hint: there is no such folder" in told.err
    assert names(tmp_path) == ["p.dlt", "p.dlt.notes"]


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
    verdict = replay((tmp_path / "p.dlt").read_bytes())
    assert verdict.outcome is Outcome.INCOMPLETE
    # A running hand's reasons tell cards: those of hands that are over may be there, and no others.
    over = sum(hand.result != "running" for hand in verdict.hands)
    assert names(tmp_path) in ([["p.dlt"]] if not over else [["p.dlt"], ["p.dlt", "p.dlt.notes"]])
    assert all(line.noted.hand <= over for line in noted(tmp_path / "p.dlt.notes"))
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
    if how == signal.SIGINT:
        # As after quit: where the transcript is, and what can be done with it.
        told = "hint: nobody can go on with this match; what it says: dealerless audit p.dlt\n"
        assert err.decode() == f"{told}\nerror: interrupted\n"
    end = time.monotonic() + 10
    # Nor do their keys and seeds stay, nor ours.
    while running(tmp_path) or [path.name for path in tmp_path.iterdir()] != ["p.dlt"]:
        assert time.monotonic() < end, list(tmp_path.rglob("*"))
        time.sleep(0.05)


# --- demo


def test_three_processes_play_draw_and_a_fourth_judges(tmp_path: Path) -> None:
    """DRAW-1: the terms that the host is told."""
    words = ("demo", "--game", "draw", "--players", "3", "--hands", "1", "--bets", "5/10", "--out", "d.dlt")
    shown = run(tmp_path, *words)
    assert shown.status == 0, shown.err
    assert "demo: all 3 have the same transcript, byte for byte" in shown.err
    assert "signed     3 of 3 settlements" in shown.out
    assert "before the exchange\n" in shown.out
    assert "dealerless show d.dlt --reasons\n" in shown.out
    verdict = replay((tmp_path / "d.dlt").read_bytes())
    assert verdict.terms is not None
    assert dict(verdict.terms.rules)["second"] == 10
    assert names(tmp_path) == ["d.dlt", "d.dlt.notes"]


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
    assert names(tmp_path) == ["d.dlt", "d.dlt.notes"]
    assert {line.noted.seat for line in noted(tmp_path / "d.dlt.notes")} <= set(range(6))
    # It is said before the match and not after it.
    again = run(tmp_path, *words)
    assert again.status == 2
    assert "journal.exists" in again.err
    assert "demo: " not in again.err


def test_a_computer_player_that_dies_leaves_a_transcript_and_says_what_to_do_with_it(tmp_path: Path) -> None:
    process = start(tmp_path, "play", "--game", "hex", "--out", "m.dlt")
    until(process, b"> ")
    (guest,) = [pid for pid, words in works_in(tmp_path) if " join 127.0.0.1:" in words]
    os.kill(guest, signal.SIGKILL)
    # Its input stays open: to end that is to leave.
    assert process.wait(timeout=120) == 5
    _, err = process.communicate()
    error, hint = err.decode().splitlines()
    assert "auto1 was ended by signal 9" in error
    assert hint == "hint: nobody can go on with this match; what it says: dealerless audit m.dlt"
    assert replay((tmp_path / "m.dlt").read_bytes()).outcome is Outcome.INCOMPLETE


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
