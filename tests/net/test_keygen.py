"""keygen as people have it: where the key lies, its passphrase, and commands without one."""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path

import pytest

from tests.matches import STRANGER
from tests.net.commands import Player, address, hosting, two

__all__ = ["address", "two"]


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


def test_a_folder_that_was_named_is_not_made(tmp_path: Path) -> None:
    """A slip in a name would put the key where nobody looks for it; the usual place is made, as it is no name."""
    player = Player(tmp_path / "home", key=False)
    for name in ("none/x.pem", "none/deeper/x.pem"):
        status, out, err = player.run("keygen", "--out", name)
        assert (status, out) == (2, "")
        assert f"got {name} [identity.inaccessible" in err
        assert "hint: there is no such folder" in err
    assert list(player.home.iterdir()) == []
    assert player.run("keygen")[0] == 0
    assert [path.name for path in player.home.iterdir()] == [".config"]


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
    key = STRANGER.public.key.hex()
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
