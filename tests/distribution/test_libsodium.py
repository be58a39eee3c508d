"""libsodium is loaded when it is needed, out of the wheel, and leaves nothing behind (DECK-1)."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dealerless.crypto import sodium

WATCHED = """
import sys
import dealerless.crypto.shuffle, dealerless.protocol, dealerless.referee
from dealerless.crypto import group, sodium
print(sodium.sodium.cache_info().currsize, "rbcl" in sys.modules, "tempfile" in sys.modules)
group.multiply_base(5)
print(sodium.sodium.cache_info().currsize, "rbcl" in sys.modules)
"""


def test_it_is_loaded_at_the_first_use_and_leaves_no_file(tmp_path: Path) -> None:
    """Importing `rbcl` would leave 2.8 MB in the temporary folder every time."""
    done = subprocess.run(
        [sys.executable, "-c", WATCHED],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == ["0 False False", "1 False"]
    assert list(tmp_path.iterdir()) == []


def test_where_no_file_may_be_written_the_system_serves(tmp_path: Path) -> None:
    """No room for the temporary file is no traceback: the next library is tried."""
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import tempfile\n"
            "tempfile.tempdir = '/nonexistent'\n"
            "from dealerless.crypto import sodium\n"
            "print(list(sodium.bundled()))",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


def test_the_wheel_has_a_library_that_is_new_enough() -> None:
    (library,) = sodium.bundled()
    assert sodium.bind(library) is not None


def test_an_older_library_or_another_one_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    (library,) = sodium.bundled()
    monkeypatch.setattr(sodium, "OLDEST", (99, 0, 0))
    assert sodium.bind(library) is None
    assert sodium.bind(ctypes.CDLL(None)) is None
