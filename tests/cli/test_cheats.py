"""`dealerless demo --cheat`, `--list-cheats`, `--list-unprovable`: what is printed, kept, and returned as status."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

from dealerless.cli import cheats, demo
from dealerless.errors import CODES
from dealerless.players.gallery import CHEATS, STORIES, UNPROVABLE
from dealerless.players.staging import Cheat
from dealerless.referee import replay
from tests.cli.running import invoke

# One of each kind of end: expelled, nobody to expel, at the end of the match, after an absence, in odd bytes; and with
# a deck.
PLAYED = ["short-call", "stacked-opening", "altered-result", "one-more-hand", "refused-opening", "non-canonical"]
PLAYED += ["planted-ace", "withheld-share", "fold-and-keep", "showed-discard"]


@pytest.mark.parametrize("name", PLAYED)
def test_a_cheat_is_convicted_before_ones_eyes(name: str, tmp_path: Path) -> None:
    story = STORIES[name]
    assert isinstance(story, Cheat)
    kept = tmp_path / "kept.dlt"
    status, out, err = invoke("demo", "--cheat", name, "--out", str(kept))
    assert (status, "error" in err) == (1, False)
    lines = out.splitlines()
    assert lines[0] == f"{name}: {story.title}"
    assert f"{story.clause}; breaking it is {story.code}" in " ".join(out.split())
    assert f"FAULT: {kept}: " in out
    assert f"blame public: seat {story.setting.cheat}, fingerprint " in out
    assert lines[-1] == f"Convicted: seat {story.setting.cheat} of {story.code} ({story.clause})."
    assert invoke("audit", str(kept))[0] == 1


@pytest.mark.parametrize(("name", "expected"), [("silence", 3), ("weak-key", 4), ("unsigned-junk", 0), ("cut-copy", 3)])
def test_nobody_is_blamed_before_ones_eyes(name: str, expected: int, tmp_path: Path) -> None:
    kept = tmp_path / "kept.dlt"
    status, out, _ = invoke("demo", "--cheat", name, "--out", str(kept))
    assert status == expected
    assert "Nobody is blamed. " in out
    assert "Convicted" not in out
    assert "blame public" not in out
    assert invoke("audit", str(kept))[0] == expected


def test_what_is_dropped_is_told_where_it_came() -> None:
    out = invoke("demo", "--cheat", "replayed-frame")[1]
    start = out.index("seat 1 BET 10")
    end = out.index("seat 0 CALL 10")
    for code in ("record.foreign-session", "record.wrong-sequence"):
        assert f"DROPPED, blame none [{code}, {CODES[code].clause}]" in out[start:end]


def test_of_a_larger_table_the_rest_plays_on() -> None:
    """VERDICT-4: what is told ends with the expulsion, and says how much came after it."""
    out = invoke("demo", "--cheat", "rogue-key")[1]
    assert "seats      seat 2 cheats, the other seats play by the rules" in out
    assert "expels seat 2 for the message before this one" in out
    assert "messages to the end)" in out
    assert "signed     2 of 2 settlements" in out


def test_as_a_process_of_its_own(tmp_path: Path) -> None:
    """From a home with nothing in it, and nothing is left there but what was asked for."""
    done = subprocess.run(
        [sys.executable, "-m", "dealerless", "demo", "--cheat", "two-moves", "--json", "--out", "kept.dlt"],
        cwd=tmp_path,
        env={"HOME": str(tmp_path)},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    told = json.loads(done.stdout)
    story = STORIES["two-moves"]
    assert isinstance(story, Cheat)
    assert (told["name"], told["hope"], told["cheat"]) == (story.name, story.hope, 1)
    assert (told["code"], told["clause"], told["instead"]) == (story.code, story.clause, None)
    assert told["verdict"]["fault"]["code"] == story.code
    assert told["dropped"] == []
    assert [path.name for path in tmp_path.iterdir()] == ["kept.dlt"]


def test_no_two_matches_are_the_same() -> None:
    """ENC-4: keys, nonces and seeds are fresh each time."""
    first, second = [json.loads(invoke("demo", "--cheat", "overbet", "--json")[1])["verdict"] for _ in range(2)]
    assert first["session"] != second["session"]
    assert {player["key"] for player in first["players"]}.isdisjoint(player["key"] for player in second["players"])


def test_the_lists() -> None:
    """One a line, its name first; everything listed can be played."""
    status, out, err = invoke("demo", "--list-cheats")
    assert (status, err) == (0, "")
    rows = [line.split() for line in out.splitlines()]
    assert [(row[0], row[-1]) for row in rows] == [(story.name, story.code) for story in CHEATS]
    assert len(rows) >= 20
    assert all(story.title in line for story, line in zip(CHEATS, out.splitlines(), strict=True))
    status, out, err = invoke("demo", "--list-unprovable")
    assert (status, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == [story.name for story in UNPROVABLE]
    assert all(line.endswith(story.instead) for story, line in zip(UNPROVABLE, out.splitlines(), strict=True))


@pytest.mark.parametrize(("option", "stories"), [("--list-cheats", CHEATS), ("--list-unprovable", UNPROVABLE)])
def test_the_lists_as_json(option: str, stories: tuple[Cheat, ...]) -> None:
    listed = json.loads(invoke("demo", option, "--json")[1])
    assert [one["name"] for one in listed["cheats"]] == [story.name for story in stories]
    for one in listed["cheats"]:
        assert (one["code"] is None) != (one["instead"] is None)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--cheat", "no-such-cheat"],
        ["--cheat", "Short-Call"],
        ["--cheat", "short-call\x1b[2J"],
        ["--cheat", "short-call", "--list-cheats"],
        ["--list-cheats", "--list-unprovable"],
        ["--cheat", "short-call", "--hands", "3"],
        ["--list-cheats", "--suite", "md5"],
    ],
)
def test_what_cannot_be_asked(arguments: list[str]) -> None:
    status, out, err = invoke("demo", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("error: ")
    assert "\x1b" not in err


def test_a_file_that_is_there_stays(tmp_path: Path) -> None:
    kept = tmp_path / "kept.dlt"
    kept.write_bytes(b"mine")
    assert invoke("demo", "--cheat", "overbet", "--out", str(kept))[0] == 2
    assert kept.read_bytes() == b"mine"


@pytest.mark.parametrize("other", ["collusion", "overbet"])
def test_a_verdict_that_is_not_the_storys_is_a_mistake_of_ours(other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """VERDICT-1: status 70, and nobody is said to be convicted."""
    verdict = replay(STORIES[other].play(secrets.token_bytes).transcript)
    with pytest.raises(RuntimeError):
        cheats.check(STORIES["short-call"], verdict)
    monkeypatch.setattr(demo, "check", fails)
    status, out, _ = invoke("demo", "--cheat", "short-call")
    assert (status, out) == (70, "")


def fails(*_: object) -> None:
    raise RuntimeError


def test_columns_line_up() -> None:
    """In a list every title begins in one column."""
    lines = invoke("demo", "--list-cheats")[1].splitlines()
    assert len({line.index(story.title) for story, line in zip(CHEATS, lines, strict=True)}) == 1
