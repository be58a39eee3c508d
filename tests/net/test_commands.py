"""host and join as people have them: whole matches of two processes, over addresses, into files and pipes."""

from __future__ import annotations

import json
import re
import stat

import pytest

from dealerless.referee import Outcome, replay
from tests.cli.running import invoke
from tests.matches import STRANGER
from tests.net.commands import AUTO, Player, address, hosting, joining, result, started, two

__all__ = ["address", "two"]

CONTROL = re.compile(rb"[\x00-\x09\x0b-\x1f\x7f]")


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
        status, _, err = guest.run("join", address, "--pin", STRANGER.public.key.hex(), *AUTO)
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
    status, _, err = invoke("join", text, "--pin", STRANGER.public.key.hex())
    assert status == 2
    assert "HOST:PORT" in err
    assert "\x1b" not in err
