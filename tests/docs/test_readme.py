"""The README's tutorial is run as it stands; the commands and options that it names are those there are."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from dealerless.cli.main import COMMANDS, cli, main

README = Path(__file__).parents[2] / "README.md"
TEXT = README.read_text(encoding="utf-8")


def test_tutorial_plays_a_match_in_memory(tmp_path: Path) -> None:
    """The tutorial plays to the end, is judged clean, and its net sums to 0 (HEX-13)."""
    (block,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    script = tmp_path / "tutorial.py"
    script.write_text(block, encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=True)
    printed = re.fullmatch(r"clean \((-?\d+), (-?\d+)\)\n", done.stdout)
    assert printed is not None, done.stdout
    assert int(printed[1]) + int(printed[2]) == 0


def test_every_command_is_there() -> None:
    for name in COMMANDS:
        assert re.search(rf"`?\bdealerless {name}\b|`{name}[` ]", TEXT), name


def test_every_option_is_one_of_a_command() -> None:
    """Also in running text, so that none is promised that there is not; those of other programs stand beside them."""
    options = {
        name
        for command in COMMANDS
        for parameter in cli.get_command(click.Context(cli), command).params  # type: ignore[union-attr]
        for name in (*parameter.opts, *parameter.secondary_opts)
    }
    told = set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", TEXT))
    assert told - options == {"--help"}
    assert {"--bots", "--players", "--seed", "--deals", "--state", "--jobs"} <= told


def test_what_the_arena_is_said_to_print(capsys: pytest.CaptureFixture[str]) -> None:
    """The command line and what stands below it: the same seed gives the same result."""
    ((line, printed),) = re.findall(r"^\$ dealerless (arena .*)\n((?:.+\n)+?)```", TEXT, re.MULTILINE)
    assert main([*shlex.split(line), "--jobs", "1"]) == 0
    assert capsys.readouterr().out == printed
