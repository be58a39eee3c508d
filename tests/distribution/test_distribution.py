"""What is installed: the two locks, and a package whose import costs nothing."""

import re
import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

import dealerless

ROOT = Path(__file__).parents[2]
LOCKS = ("run", "dev")


def pins(lock: str) -> dict[str, set[str]]:
    """Return the versions of each package in a lock: two where Pythons need different ones."""
    found: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([a-z0-9][a-z0-9._-]*)==([^ \\;]+)", lock_text(lock), re.MULTILINE):
        found.setdefault(name, set()).add(version)
    return found


def lock_text(lock: str) -> str:
    return (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="ascii")


def python(*arguments: str) -> str:
    """Return what a fresh interpreter prints; it must end with status 0 and have no complaint."""
    run = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True, cwd=ROOT)
    assert run.stderr == ""
    return run.stdout


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_holds_pins_and_hashes_and_nothing_else(lock: str) -> None:
    """No address, no path, no option: a lock says which bytes, and whoever installs says from where."""
    pin = r"[a-z0-9][a-z0-9._-]*==\S+( ; [^\\]+)? \\"
    allowed = re.compile(pin + r"| {4}--hash=sha256:[0-9a-f]{64}( \\)?| {4}#.*")
    for line in lock_text(lock).splitlines():
        assert allowed.fullmatch(line), line
        assert "://" not in line
    assert pins(lock)


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_has_a_hash(lock: str) -> None:
    lines = lock_text(lock).splitlines()
    for line, after in pairwise(lines):
        if "==" in line and not line.startswith(" "):
            assert after.startswith("    --hash=sha256:"), line


def test_the_two_locks_agree() -> None:
    """What is tested is what is run."""
    run, dev = pins("run"), pins("dev")
    assert {name: dev.get(name) for name in run} == run


def test_the_locks_hold_what_the_package_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    asked = {re.split(r"[ \[>=<]", line)[0].lower() for line in project["project"]["dependencies"]}
    assert asked <= set(pins("run"))


def test_the_checkout_is_what_is_tested() -> None:
    assert Path(dealerless.__file__).parent == ROOT / "dealerless"
    assert (ROOT / "dealerless" / "py.typed").read_bytes() == b""


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys; old = set(sys.modules); import dealerless; print(*sorted(set(sys.modules) - old))"
    assert python("-c", code).split() == ["dealerless"]


def test_the_module_and_the_command_are_the_same_program() -> None:
    """`python -m dealerless` prints the version that the package states, and ends with status 0."""
    assert dealerless.__version__ in python("-m", "dealerless", "--version")
