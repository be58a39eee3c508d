"""Processes that play for us: what is said of one that ends badly."""

from __future__ import annotations

import subprocess
import sys

import pytest

from dealerless.cli.company import ANEW, failed


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("", ""),
        # What goes on is no reason, however late it was said.
        ("hand 3: button seat 0\nseat 1 is here\n", ""),
        ("seat 1 is here\nerror: the disk is full\nhint: make room\nerror: another\n", ": the disk is full"),
    ],
)
def test_only_an_error_is_a_reason(said: str, reason: str) -> None:
    """And a reason is no hint: that says what to do."""
    process = subprocess.Popen([sys.executable, "-I", "-S", "-c", "raise SystemExit(7)"])
    process.wait()
    error = failed(process, "auto1", said.encode())
    assert (error.code, error.actual, error.hint) == ("transport.closed", f"auto1 ended with 7{reason}", ANEW)


def test_a_killed_process_is_told_by_its_signal() -> None:
    process = subprocess.Popen([sys.executable, "-I", "-S", "-c", "import time; time.sleep(600)"])
    process.kill()
    process.wait()
    assert failed(process, "auto1", b"seat 1 is here\n").actual == "auto1 was ended by signal 9"
