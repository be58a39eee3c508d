"""keygen, host, join, resume and demo as people have them: processes, pipes, a terminal, files."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest

from dealerless.journal.identity import create_identity
from dealerless.referee import Outcome, replay
from tests.cli.running import invoke
from tests.net.mortal import free_port, start
from tests.net.transcripts import frames_of

DEALERLESS = [sys.executable, "-m", "dealerless"]
CONTROL = re.compile(rb"[\x00-\x09\x0b-\x1f\x7f]")


class Player:
    """Somebody with a home folder, an identity in it, and a keyboard."""

    def __init__(self, home: Path, *, key: bool = True) -> None:
        self.home = home
        home.mkdir(parents=True)
        path = home / ".config" / "dealerless" / "identity.pem"
        self.key = create_identity(path, None).public.key.hex() if key else ""
        self._count = 0

    def start(self, *arguments: str, typed: bytes = b"", limit: int | None = None) -> Forked:
        """Return a running command in a forked process."""
        self._count += 1
        process = start(self.home, str(self._count), *arguments, typed=typed, limit=limit)
        return Forked(process, self.home.with_name(f"{self.home.name}.{self._count}"))

    def run(self, *arguments: str, typed: bytes = b"", limit: int | None = None) -> tuple[int, str, str]:
        return self.start(*arguments, typed=typed, limit=limit).result()

    def execute(self, *arguments: str, **env: str) -> subprocess.Popen[bytes]:
        """Return a running command as a shell starts it, with pipes."""
        return subprocess.Popen(
            [*DEALERLESS, *arguments],
            cwd=self.home,
            env={"HOME": str(self.home), **env},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )


class Forked:
    """A command in a process of its own, and what it has printed so far."""

    def __init__(self, process: ForkServerProcess, files: Path) -> None:
        self.process = process
        self._files = files

    def printed(self, name: str) -> str:
        file = self._files.with_name(f"{self._files.name}.{name}")
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def result(self) -> tuple[int, str, str]:
        self.process.join(60)
        assert self.process.exitcode is not None
        return self.process.exitcode, self.printed("out"), self.printed("err")

    def interrupt(self) -> None:
        assert self.process.pid is not None
        os.kill(self.process.pid, signal.SIGINT)

    def poll(self) -> int | None:
        return self.process.exitcode

    def kill(self) -> None:
        self.process.kill()

    def communicate(self) -> None:
        self.process.join()


def result(process: Forked | subprocess.Popen[bytes]) -> tuple[int, str, str]:
    if isinstance(process, Forked):
        return process.result()
    out, err = process.communicate(timeout=60)
    return process.returncode, out.decode(), err.decode()


@pytest.fixture
def two(tmp_path: Path) -> tuple[Player, Player]:
    return Player(tmp_path / "host"), Player(tmp_path / "guest")


@pytest.fixture
def address() -> str:
    return f"127.0.0.1:{free_port()}"


def hosting(address: str, guest: Player, *more: str, hands: int = 1) -> list[str]:
    terms = ["--hands", str(hands), "--depth", "2", "--listen", address, "--expect", guest.key]
    return ["host", *terms, "--out", "match.dlt", "--wait", "20", *more]


def joining(address: str, host: Player, *more: str) -> list[str]:
    return ["join", address, "--pin", host.key, "--out", "match.dlt", "--wait", "20", *more]


AUTO = ("--auto", "--yes")


@contextmanager
def started(*processes: Forked | subprocess.Popen[bytes]) -> Iterator[None]:
    try:
        yield
    finally:
        for process in processes:
            if process.poll() is None:
                process.kill()
            process.communicate()


# --- keygen


def test_keygen(tmp_path: Path) -> None:
    player = Player(tmp_path / "home", key=False)
    status, out, err = player.run("keygen", "--json")
    assert (status, err) == (0, "")
    made = json.loads(out)
    path = Path(made["file"])
    assert path == player.home / ".config" / "dealerless" / "identity.pem"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert re.fullmatch("[0-9a-f]{64}", made["key"])
    before = path.read_bytes()
    status, out, err = player.run("keygen")
    assert (status, out) == (2, "")
    assert "error: " in err
    assert "hint: " in err
    assert path.read_bytes() == before
    # No part of the private key was printed. F09.
    status, out, err = player.run("keygen", "--out", "other.pem")
    assert status == 0
    assert len(re.findall("[0-9a-f]{64}", out)) == 1


def test_keygen_under_a_passphrase(tmp_path: Path, two: tuple[Player, Player], address: str) -> None:
    player = two[0]
    (player.home / "words").write_text("correct horse\n")
    assert player.run("keygen", "--out", "id.pem", "--passphrase-file", "words")[0] == 0
    assert b"ENCRYPTED" in (player.home / "id.pem").read_bytes()
    (player.home / "wrong").write_text("other\n")
    status, _, err = player.run(*hosting(address, two[1], "--key", "id.pem", "--passphrase-file", "wrong"))
    assert status == 2
    assert "identity.wrong-passphrase" in err
    (player.home / "empty").write_text("\n")
    status, _, err = player.run("keygen", "--out", "x.pem", "--passphrase-file", "empty")
    assert (status, (player.home / "x.pem").exists()) == (2, False)


@pytest.mark.parametrize("kind", ["pipe", "link", "device", "folder"])
def test_a_passphrase_is_read_from_a_regular_file_only(tmp_path: Path, kind: str) -> None:
    """F04: no command waits for the other end of a pipe, and none reads a device."""
    player = Player(tmp_path / "home")
    path = player.home / "words"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "link":
        (player.home / "real").write_text("correct horse\n")
        path.symlink_to("real")
    name = "/dev/zero" if kind == "device" else "words"
    key = "ab" * 32
    for arguments in (
        ["keygen", "--out", "x.pem"],
        ["host", "--wait", "1"],
        ["join", "127.0.0.1:1", "--pin", key, "--wait", "1"],
        ["resume", "x.dlt", "127.0.0.1:1"],
        ["witness", "--dir", "boards"],
    ):
        status, _, err = player.run(*arguments, "--passphrase-file", name)
        assert (status, "identity.passphrase-not-a-file" in err) == (2, True), err
        assert "hint: name the file itself" in err
    assert not (player.home / "x.pem").exists()


def test_without_an_identity(tmp_path: Path) -> None:
    player = Player(tmp_path / "home", key=False)
    status, out, err = player.run("host")
    assert (status, out) == (2, "")
    assert "hint: make one with: dealerless keygen" in err
    assert list(player.home.iterdir()) == []


# --- whole matches


def test_two_processes_play(two: tuple[Player, Player], address: str) -> None:
    host, guest = two
    playing = host.execute(*hosting(address, guest, *AUTO, hands=3))
    with started(playing):
        status, out, err = result(guest.execute(*joining(address, host, *AUTO, "--json")))
        assert status == 0
        verdict = json.loads(out)
        assert verdict["outcome"] == "clean"
        # What people read goes to the other stream then.
        assert "hand 3 of 3" in err
        status, out, err = result(playing)
    assert status == 0
    assert f"join {address} --pin {host.key}" in out
    assert "the match is over" in out
    copies = [(player.home / "match.dlt").read_bytes() for player in two]
    assert copies[0] == copies[1]
    assert replay(copies[0]).outcome is Outcome.CLEAN
    for player in two:
        assert stat.S_IMODE((player.home / "match.dlt").stat().st_mode) == 0o600
        # The seeds of cards that were never shown are gone. HASHDEAL-4.
        assert not (player.home / "match.dlt.secrets").exists()
        assert player.run("audit", "match.dlt", "--expect-key", host.key)[0] == 0
    status, _, err = host.run("resume", "match.dlt")
    assert (status, "the match is over" in err, "resume.over" in err) == (2, True, True)
    assert "put it back" not in err


def test_files_are_named_by_ourselves(two: tuple[Player, Player], address: str) -> None:
    """F03: nothing a peer chose gets into a file's name."""
    host, guest = two
    arguments = hosting(address, guest, *AUTO)
    arguments[arguments.index("--out") : arguments.index("--out") + 2] = ["--name", "../x"]
    playing = host.start(*arguments)
    with started(playing):
        arguments = joining(address, host, *AUTO)
        arguments[arguments.index("--out") : arguments.index("--out") + 2] = ["--name", "/etc/passwd"]
        assert guest.run(*arguments)[0] == 0
        assert result(playing)[0] == 0
    for player in two:
        name, notes = sorted([path.name for path in player.home.iterdir() if path.name != ".config"])
        assert re.fullmatch(r"dealerless-[0-9]{8}-[0-9a-f]{8}\.dlt", name)
        assert notes == f"{name}.notes"


def test_names_do_not_reach_the_terminal_as_they_are(two: tuple[Player, Player], address: str) -> None:
    """F01, F02, F10: neither into a pipe nor onto a console that can print ASCII only."""
    host, guest = two
    evil = "\x1b[2J\x1b]52;c;ZQ==\x07\r\u202eX\u200b\nerr"
    playing = host.execute(*hosting(address, guest, *AUTO, "--name", evil), PYTHONIOENCODING="ascii", LANG="C")
    with started(playing):
        joined = guest.execute(*joining(address, host, *AUTO, "--name", "Алиса 🂡"))
        printed = joined.communicate(timeout=60)
        assert joined.returncode == 0
        out, err = playing.communicate(timeout=60)
        assert playing.returncode == 0
    for text in (*printed, out, err):
        assert CONTROL.search(text) is None
        assert "\u202e" not in text.decode()
    assert rb"\x1b[2J" in printed[0]
    assert out.isascii()


@pytest.mark.parametrize("allowed", [True, False])
def test_md5_only_with_the_joiners_word(two: tuple[Player, Player], address: str, allowed: bool) -> None:
    host, guest = two
    playing = host.start(*hosting(address, guest, *AUTO, "--suite", "md5"))
    with started(playing):
        status, _, err = guest.run(*joining(address, host, *AUTO, *(["--allow-md5"] if allowed else [])))
        if allowed:
            assert (status, result(playing)[0]) == (0, 0)
        else:
            assert status == 2
            assert "hint: say --allow-md5" in err
            assert not (guest.home / "match.dlt").exists()


def test_a_wrong_pin(two: tuple[Player, Player], address: str) -> None:
    host, guest = two
    playing = host.start(*hosting(address, guest, *AUTO))
    with started(playing):
        status, _, err = guest.run("join", address, "--pin", "9" * 64, *AUTO)
        assert status == 5
        assert "transport.wrong-key" in err
        assert [path.name for path in guest.home.iterdir()] == [".config"]


def test_nobody_is_there(two: tuple[Player, Player], address: str) -> None:
    host, guest = two
    for player, arguments in ((guest, joining(address, host)), (host, hosting(address, guest))):
        arguments[arguments.index("--wait") + 1] = "1"
        status, _, err = player.run(*arguments)
        assert status == 5
        assert "transport.no-answer" in err
        # Nothing was signed, so nothing is left behind.
        assert [path.name for path in player.home.iterdir()] == [".config"]


@pytest.mark.parametrize("taken", ["file", "link", "folder"])
def test_nothing_is_overwritten(two: tuple[Player, Player], address: str, taken: str) -> None:
    """F04."""
    host, guest = two
    path = host.home / "match.dlt"
    if taken == "file":
        path.write_text("mine")
    elif taken == "link":
        path.symlink_to(host.home / "elsewhere")
    else:
        path.mkdir()
    status, _, err = host.run(*hosting(address, guest, *AUTO))
    assert status == 2
    assert "journal.exists" in err
    assert not (host.home / "elsewhere").exists()
    assert taken != "file" or path.read_text() == "mine"


@pytest.mark.parametrize(
    "text", ["no-port", "127.0.0.1:99999", "127.0.0.1:+5", "127.0.0.1:\uff11\uff12", "a b:1\x1b", "::1:80"]
)
def test_addresses_that_are_none(text: str) -> None:
    """F08: one spelling of a number and no other."""
    status, _, err = invoke("join", text, "--pin", "0" * 64)
    assert status == 2
    assert "HOST:PORT" in err
    assert "\x1b" not in err


# --- a person


def test_line_mode_through_pipes(two: tuple[Player, Player], address: str) -> None:
    """An illegal or unreadable move is refused with the rule's code and clause, and costs nothing."""
    host, guest = two
    lines = b"maybe\ny\nraise\nfoo\nbet 11\nbet \xef\xbc\x91\xef\xbc\x90\nbet 10 10\n\nbet +10\nallin\nallin\nallin\n"
    playing = host.start(*hosting(address, guest, *AUTO))
    with started(playing):
        # Seat 1 opens the first hand; all its chips are in after one move.
        status, out, err = guest.run(*joining(address, host), typed=lines)
        assert (status, result(playing)[0]) == (0, 0), err
    assert "Please answer y or n." in out
    assert out.count("refused, nothing lost") == 6
    for refusal in ("[bet.nothing-owed, HEX-6]", "[bet.not-a-move, HEX-6]", "[bet.wrong-amount, HEX-6]"):
        assert refusal in out
    assert "legal: CHECK, BET 10, ALLIN 20" in out
    assert "your cards" in out
    data = (guest.home / "match.dlt").read_bytes()
    assert replay(data).hands[0].actions[0].move == "ALLIN"


def test_declining_signs_nothing(two: tuple[Player, Player], address: str) -> None:
    host, guest = two
    playing = host.start(*hosting(address, guest, *AUTO))
    with started(playing):
        status, out, err = guest.run(*joining(address, host), typed=b"n\n")
        assert status == 5
        assert "nothing was signed" in err
        assert "terms" in out
        assert [path.name for path in guest.home.iterdir()] == [".config"]


@pytest.mark.parametrize("way", ["eof", "quit", "interrupt"])
def test_leaving_in_the_middle_and_coming_back(two: tuple[Player, Player], address: str, way: str) -> None:
    """The input's end, `quit` and Ctrl-C leave a transcript that `resume` goes on with; lost is nothing."""
    host, guest = two
    playing = host.start(*hosting(address, guest, *AUTO))
    with started(playing):
        leaving = guest.execute(*joining(address, host))
        with started(leaving):
            assert leaving.stdin is not None
            assert leaving.stdout is not None
            leaving.stdin.write(b"y\n")
            leaving.stdin.flush()
            read_until(leaving, b"move> ")
            if way == "interrupt":
                leaving.send_signal(signal.SIGINT)
            else:
                leaving.stdin.write(b"quit\n" if way == "quit" else b"")
                leaving.stdin.close()
                leaving.stdin = None
            _, err = leaving.communicate(timeout=30)
        assert leaving.returncode == (130 if way == "interrupt" else 5)
        assert f"dealerless resume match.dlt {address}".encode() in err
        assert replay((guest.home / "match.dlt").read_bytes()).outcome is Outcome.INCOMPLETE
        status, _, err_text = guest.run("resume", "match.dlt", address, *AUTO)
        assert (status, result(playing)[0]) == (0, 0), err_text
    assert (host.home / "match.dlt").read_bytes() == (guest.home / "match.dlt").read_bytes()


def read_until(process: subprocess.Popen[bytes], text: bytes) -> bytes:
    assert process.stdout is not None
    seen = b""
    end = time.monotonic() + 30
    while text not in seen:
        assert time.monotonic() < end, seen
        chunk = os.read(process.stdout.fileno(), 4096)
        assert chunk, (seen, process.stderr and process.stderr.read())
        seen += chunk
    return seen


def test_line_mode_on_a_terminal(two: tuple[Player, Player], address: str) -> None:
    """On a real terminal too there is nothing but plain lines: no colour, no cursor movement.

    What was typed before there was a question answers none: it would be a move at a table nobody had seen.
    """
    host, guest = two
    playing = host.start(*hosting(address, guest, *AUTO))
    with started(playing):
        ours, theirs = pty.openpty()
        joined = subprocess.Popen(
            [*DEALERLESS, *joining(address, host)],
            cwd=guest.home,
            env={"HOME": str(guest.home), "TERM": "xterm-256color"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        seen, typed, answered = b"", False, 0
        with started(joined):
            while True:
                try:
                    chunk = os.read(ours, 4096)
                except OSError:
                    break
                if not chunk:
                    break
                seen += chunk
                if not typed and b"[y/n] " in seen:
                    typed = True
                    os.write(ours, b"y\nallin\n")
                elif seen.count(b"move> ") > answered:
                    answered += 1
                    os.write(ours, b"allin\n")
            os.close(ours)
            assert joined.wait(30) == 0, seen
        assert result(playing)[0] == 0
    assert b"\x1b" not in seen
    assert b"the match is over" in seen
    moves = replay((guest.home / "match.dlt").read_bytes()).hands[0].actions
    assert answered == len([action for action in moves if action.seat == 1])


def test_a_screen_that_is_gone_does_not_end_the_match(two: tuple[Player, Player], address: str) -> None:
    """F10: nobody reads what the host prints, and the match is played to its end all the same."""
    host, guest = two
    playing = host.execute(*hosting(address, guest, *AUTO))
    with started(playing):
        assert playing.stdout is not None
        playing.stdout.close()
        playing.stdout = None
        assert guest.run(*joining(address, host, *AUTO))[0] == 0
        # The status is that of an output that nobody reads; the match is whole.
        assert playing.wait(30) == 141
    assert replay((host.home / "match.dlt").read_bytes()).outcome is Outcome.CLEAN


@pytest.mark.parametrize(("full", "status"), [("stderr", 0), ("stdout", 5), ("both", 5)])
def test_the_status_of_a_match_is_not_that_of_a_full_screen(
    two: tuple[Player, Player], address: str, full: str, status: int
) -> None:
    """F10: notes that cannot be written change nothing; a standard output that cannot is none of the verdicts."""
    host, guest = two
    playing = host.start(*hosting(address, guest, *AUTO))
    with started(playing), open("/dev/full", "wb") as nowhere:
        done = subprocess.run(
            [*DEALERLESS, *joining(address, host, *AUTO)],
            cwd=guest.home,
            env={"HOME": str(guest.home)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if full == "stderr" else nowhere,
            stderr=subprocess.DEVNULL if full == "stdout" else nowhere,
            timeout=60,
            check=False,
        )
        assert done.returncode == status
        assert result(playing)[0] == 0
    assert replay((guest.home / "match.dlt").read_bytes()).outcome is Outcome.CLEAN


# --- files that are not as they were


def interrupted(two: tuple[Player, Player], address: str) -> None:
    """Leave both players with a match that has begun."""
    host, guest = two
    playing = host.start(*hosting(address, guest, *AUTO))
    with started(playing):
        assert guest.run(*joining(address, host), typed=b"y\n")[0] == 5
        playing.interrupt()
        assert result(playing)[0] == 130


def test_lost_or_locked_files(two: tuple[Player, Player], address: str) -> None:
    """A second process, lost seeds, another's key, an empty file: a clear error, and what to do."""
    interrupted(two, address)
    host, guest = two
    before = (host.home / "match.dlt").read_bytes()
    resumed = host.start("resume", "match.dlt", address, *AUTO)
    with started(resumed):
        end = time.monotonic() + 30
        while "listening" not in resumed.printed("out"):
            assert time.monotonic() < end
            time.sleep(0.01)
        status, _, err = host.run("resume", "match.dlt", "127.0.0.1:0", *AUTO)
        assert status == 2
        assert "journal.locked" in err
        assert "hint: end the other process first" in err
    seeds = guest.home / "match.dlt.secrets"
    seeds.rename(guest.home / "away")
    status, _, err = guest.run("resume", "match.dlt", address)
    assert status == 2
    assert "secrets.missing" in err
    assert "hint: put it back" in err
    (guest.home / "away").rename(seeds)
    assert guest.run("resume", "match.dlt")[0] == 2
    (guest.home / ".config" / "dealerless" / "identity.pem").unlink()
    guest.run("keygen")
    status, _, err = guest.run("resume", "match.dlt", address)
    assert status == 2
    assert "--key FILE" in err
    for length in (0, 10, 24):
        (host.home / "empty.dlt").write_bytes(before[:length])
        status, _, err = host.run("resume", "empty.dlt")
        assert status == 2
        assert "journal.empty" in err
        assert "begin a new match" in err
        assert (host.home / "empty.dlt").read_bytes() == before[:length]
    assert host.run("resume", "no-such-file")[0] == 2
    assert (host.home / "match.dlt").read_bytes() == before


def test_a_full_disk(two: tuple[Player, Player], address: str) -> None:
    """What cannot be written is not sent; with room again the match goes on."""
    host, guest = two
    playing = host.start(*hosting(address, guest, *AUTO))
    with started(playing):
        status, _, err = guest.run(*joining(address, host, *AUTO), limit=2000)
        assert status == 2
        assert "write-failed" in err
        assert "hint: " in err
        held = len(frames_of((guest.home / "match.dlt").read_bytes()))
        assert held > 4
        status, _, err = guest.run("resume", "match.dlt", address, *AUTO)
        assert (status, result(playing)[0]) == (0, 0), err


# --- the demo


def test_demo(tmp_path: Path) -> None:
    """Two processes play, a third one judges, and the lines it prints redo the cards with the usual tools."""
    home = tmp_path / "home"
    home.mkdir()
    done = subprocess.run(
        [*DEALERLESS, "demo", "--suite", "md5", "--hands", "2", "--out", "kept.dlt"],
        cwd=home,
        env={"HOME": str(home), "PATH": os.environ["PATH"]},
        capture_output=True,
        timeout=60,
        check=False,
    )
    out = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert "OK: kept.dlt: clean" in out
    assert out.count("hand ") >= 2
    assert sorted(path.name for path in home.iterdir()) == ["kept.dlt", "kept.dlt.notes"]
    lines = out.splitlines()
    commands = [index for index, line in enumerate(lines) if line.strip().startswith("printf %s")]
    assert commands
    for index in commands:
        redone = subprocess.run(["sh", "-c", lines[index]], capture_output=True, check=True).stdout.decode()
        assert redone.split()[0] == lines[index - 1].split()[-1]
    assert "md5sum" in lines[commands[0]]


def test_demo_as_json(tmp_path: Path) -> None:
    done = subprocess.run(
        [*DEALERLESS, "demo", "--json", "--hands", "1"],
        cwd=tmp_path,
        env={"HOME": str(tmp_path)},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    verdict = json.loads(done.stdout)
    assert (verdict["outcome"], len(verdict["hands"]), sorted(verdict["settled"])) == ("clean", 1, [0, 1])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [["--players", "3"], ["--game", "chess"], ["--game", "holdem", "--deal", "hash"], ["--hands", "0"]],
)
def test_demo_offers_only_what_there_is(arguments: list[str]) -> None:
    assert invoke("demo", *arguments)[0] == 2


@pytest.mark.parametrize("command", ["keygen", "host", "join", "resume", "demo", "play"])
def test_help_has_an_example(command: str) -> None:
    status, out, err = invoke(command, "--help")
    assert (status, err) == (0, "")
    assert f"Example: dealerless {command}" in out
