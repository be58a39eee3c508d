"""Keys that are typed: those that nobody can come with, or that SIG-1 refuses beside others, are no options."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealerless.crypto.ed25519 import SMALL_ORDER
from dealerless.journal.identity import create_identity
from tests.cli.conftest import Files
from tests.cli.running import invoke
from tests.matches import KEYS, STRANGER

IDENTITY = "01" + "00" * 31
NOT_CANONICAL = "ff" * 32
GOOD, OTHER = STRANGER.public.key.hex(), KEYS[0].public.key.hex()
AT = "127.0.0.1:1"


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The key of the usual identity, in an empty folder."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(home)
    return create_identity(tmp_path / "config" / "dealerless" / "identity.pem", None).public.key.hex()


def refused(*arguments: str) -> str:
    """What is said of a wrong use, which leaves nothing behind."""
    status, out, err = invoke(*arguments)
    assert (status, out) == (2, ""), (arguments, out, err)
    assert list(Path.cwd().iterdir()) == []
    return err


@pytest.mark.parametrize(
    ("key", "code"),
    [
        (IDENTITY, "signature.weak-key, SIG-1"),
        (NOT_CANONICAL, "signature.non-canonical-key, SIG-1"),
        ("9" * 64, "signature.weak-key, SIG-1"),
    ],
)
@pytest.mark.parametrize(
    "arguments",
    [
        ("host", "--wait", "1", "--expect"),
        ("host", "--wait", "1", "--witness", f"{AT},"),
        ("join", AT, "--wait", "1", "--pin"),
        ("join", AT, "--wait", "1", "--pin", GOOD, "--witness", f"{AT},"),
        ("resume", "match.dlt", "--witness", f"{AT},"),
        ("witness", "--dir", "board", "--listen", "127.0.0.1:no", "--seat"),
        ("audit", "match.dlt", "--expect-key"),
    ],
)
def test_nobody_is_waited_for_who_cannot_come(own: str, arguments: tuple[str, ...], key: str, code: str) -> None:
    """SIG-1: at once, before anything is opened."""
    *words, last = arguments
    words += [last + key] if last.endswith(",") else [last, key]
    err = refused(*words)
    assert "nobody can have this key: the key" in err
    assert f"[{code}]" in err
    assert "see: dealerless " in err


def test_no_key_of_small_order_is_taken(own: str) -> None:
    for key in sorted(SMALL_ORDER):
        assert "SIG-1]" in refused("join", AT, "--wait", "1", "--pin", key.hex())


def test_an_empty_transcript_does_not_make_a_key_good(files: Files) -> None:
    """SIG-1: nobody sits there yet, and this key never will."""
    assert invoke("audit", str(files.empty), "--expect-key", GOOD)[0] == 3
    assert invoke("audit", str(files.empty), "--expect-key", IDENTITY)[0] == 2


def test_nobody_is_player_and_witness_or_two_of_them(own: str) -> None:
    """SIG-1: an offer that names one key twice is none, so nobody is asked to come for one."""
    waiting = ("--wait", "1")
    watched = ("host", *waiting, "--witness", f"{AT},{own}")
    assert f"--witness is for keys of others, and {own} is a player's" in refused(*watched)
    assert "--witness is for keys of others" in refused(
        "host", *waiting, "--expect", GOOD, "--witness", f"{AT},{OTHER}", "--witness", f"{AT},{GOOD}"
    )
    for command in (("host",), ("join", AT, "--pin", KEYS[1].public.key.hex())):
        twice = ("--witness", f"{AT},{GOOD}", "--witness", f"127.0.0.1:2,{GOOD}")
        assert "--witness is for keys of their own, each once" in refused(*command, *waiting, *twice)
    assert "--pin is for the host's key" in refused("join", AT, *waiting, "--pin", own)
    for key in (own, GOOD):
        assert "--witness is for keys of others" in refused(
            "join", AT, *waiting, "--pin", GOOD, "--witness", f"{AT},{key}"
        )
    assert "--seat is for keys of players" in refused(
        "witness", "--dir", "board", "--listen", "192.0.2.1:1", "--seat", GOOD, "--seat", own
    )
