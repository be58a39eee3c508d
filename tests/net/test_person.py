"""A person at host and join: lines through a pipe and on a terminal, leaving, screens that are gone or full."""

from __future__ import annotations

import os
import pty
import signal
import subprocess

import pytest

from dealerless.referee import Outcome, replay
from tests.net.commands import AUTO, DEALERLESS, Player, address, hosting, joining, read_until, result, started, two

__all__ = ["address", "two"]


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
