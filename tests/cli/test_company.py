"""Processes that play for us: what is said of one that ends badly."""

from __future__ import annotations

import subprocess
import sys

import pytest

from dealerless.cli.company import failed


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("", ""),
        # What goes on is no reason, however late it was said.
        ("hand 3: button seat 0\nseat 1 is here\n", ""),
        ("seat 1 is here\nerror: the disk is full\nhint: make room\nerror: another\n", "the disk is full"),
    ],
)
def test_only_an_error_is_a_reason(said: str, hint: str) -> None:
    process = subprocess.Popen([sys.executable, "-I", "-S", "-c", "raise SystemExit(7)"])
    process.wait()
    error = failed(process, "auto1", said.encode())
    assert (error.code, error.actual, error.hint) == ("transport.closed", "auto1 ended with 7", hint)
