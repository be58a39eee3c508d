"""The terminal of a person at the table: lines out, lines in, yes or no.

What others chose is escaped before it comes here (`report.escape`); a console that lacks a character prints an
escape instead (see `main`).
"""

from __future__ import annotations

import os
import termios
from contextlib import suppress
from typing import Final

import click

from ..errors import TransportError
from ..report.escape import one_line

_MAX_LINE: Final = 1000
"""What a person types is a word and a number; the rest of a longer line is thrown away."""


class Terminal:
    """Lines to a person and from one. With `to_stderr` the standard output is left to a JSON object."""

    def __init__(self, *, to_stderr: bool = False) -> None:
        self._to_stderr = to_stderr
        self._typed = b""

    def say(self, text: str = "") -> None:
        """Print one line."""
        self._print(text, err=self._to_stderr)

    def note(self, text: str) -> None:
        """Print one line about what goes on around the game, on the standard error."""
        self._print(text, err=True)

    def ask(self, prompt: str) -> str:
        """Return the line typed after `prompt`, without its end; raises TransportError at the input's end."""
        self._print(prompt, err=self._to_stderr, nl=False)
        line = self._line()
        if line is None:
            self.say()
            raise TransportError("transport.left", actual="the end of the input")
        return line

    def forget_typed(self) -> None:
        """Drop what a person typed before there was a question; what comes through a pipe is kept."""
        if os.isatty(0):
            self._typed = b""
            termios.tcflush(0, termios.TCIFLUSH)

    def agree(self, prompt: str) -> bool:
        """Return whether a person says yes; asks again until it is y or n."""
        while True:
            answer = self.ask(f"{prompt} [y/n] ").strip().lower()
            if answer in ("y", "yes"):
                return True
            if answer in ("n", "no"):
                return False
            self.say("Please answer y or n.")

    def _print(self, text: str, *, err: bool, nl: bool = True) -> None:
        # A screen that is gone must not end a match in the middle of a hand: chips are in the pot.
        with suppress(OSError):
            click.echo(one_line(text), err=err, nl=nl)

    def _line(self) -> str | None:
        # Not sys.stdin: its lock, held by a thread that waits for a person, would stop the process from ending.
        while b"\n" not in self._typed:
            chunk = os.read(0, 4096)
            if not chunk:
                return None
            self._typed += chunk
            if len(self._typed) > _MAX_LINE and b"\n" not in self._typed:
                self._typed = self._typed[:_MAX_LINE]
        line, _, self._typed = self._typed.partition(b"\n")
        return line[:_MAX_LINE].decode("utf-8", "replace")


def complain(text: str, hint: str = "") -> None:
    """Print an `error:` line and, if there is one, a `hint:` line on the standard error, if it can be written."""
    with suppress(OSError):
        click.echo(f"error: {one_line(text)}", err=True)
        if hint:
            click.echo(f"hint: {one_line(hint)}", err=True)
