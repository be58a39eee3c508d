"""Files that are not as they were when a match goes on: locked, lost, of another key, or on a full disk."""

from __future__ import annotations

import time

from tests.net.commands import AUTO, Player, address, hosting, joining, result, started, two
from tests.net.transcripts import frames_of

__all__ = ["address", "two"]


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
