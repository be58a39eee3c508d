"""demo as people have it, and what every command that plays says of itself."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.running import invoke
from tests.net.commands import DEALERLESS


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
