"""A witness and players as processes of their own, some with a system clock that is wrong.

Forked from a server that has imported everything once (see `tests.net.mortal`).
"""

from __future__ import annotations

import multiprocessing
import time
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from dealerless.cli import witness  # noqa: F401  (imported once, for all forks)
from dealerless.journal.identity import create_identity
from tests.net import mortal

_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["tests.witness.process"])


def start(home: Path, output: str, *arguments: str, skew: float = 0.0, typed: bytes = b"") -> ForkServerProcess:
    """Return a running `dealerless ARGUMENTS` whose system clock is `skew` seconds ahead."""
    process = _PROCESSES.Process(target=live, args=(home, output, arguments, skew, typed))
    process.start()
    return process


def live(home: Path, output: str, arguments: tuple[str, ...], skew: float, typed: bytes) -> None:
    right, right_ns = time.time, time.time_ns
    time.time = lambda: right() + skew
    time.time_ns = lambda: right_ns() + int(skew * 1e9)
    mortal.live(home, output, arguments, None, typed, None)


class Home:
    """Somebody's home folder with an identity in it."""

    def __init__(self, home: Path) -> None:
        self.home = home
        home.mkdir(parents=True)
        self.key = create_identity(home / ".config" / "dealerless" / "identity.pem", None).public.key.hex()
        self._count = 0
        self.running: ForkServerProcess | None = None

    def start(self, *arguments: str, skew: float = 0.0, typed: bytes = b"") -> ForkServerProcess:
        self._count += 1
        self.running = start(self.home, str(self._count), *arguments, skew=skew, typed=typed)
        return self.running

    def said(self) -> str:
        return "".join([file.read_text() for file in sorted(self.home.parent.glob(f"{self.home.name}.*"))])

    def kill(self) -> None:
        if self.running is not None:
            self.running.kill()
            self.running.join(20)

    def status(self, seconds: float = 60) -> int | None:
        assert self.running is not None
        self.running.join(seconds)
        return self.running.exitcode
