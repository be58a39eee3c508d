"""Two people with a home folder and an identity each, and the commands they run as processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest

from dealerless.journal.identity import create_identity
from tests.net.mortal import free_port, start

DEALERLESS = [sys.executable, "-m", "dealerless"]


class Player:
    """Somebody with a home folder, an identity in it, and a keyboard."""

    def __init__(self, home: Path, *, key: bool = True) -> None:
        self.home = home
        home.mkdir(parents=True)
        path = home / ".config" / "dealerless" / "identity.pem"
        self.key = create_identity(path, None).public.key.hex() if key else ""
        self._count = 0

    def start(self, *arguments: str, typed: bytes = b"", limit: int | None = None) -> Forked:
        """Return a running command in a forked process."""
        self._count += 1
        process = start(self.home, str(self._count), *arguments, typed=typed, limit=limit)
        return Forked(process, self.home.with_name(f"{self.home.name}.{self._count}"))

    def run(self, *arguments: str, typed: bytes = b"", limit: int | None = None) -> tuple[int, str, str]:
        return self.start(*arguments, typed=typed, limit=limit).result()

    def execute(self, *arguments: str, **env: str) -> subprocess.Popen[bytes]:
        """Return a running command as a shell starts it, with pipes."""
        return subprocess.Popen(
            [*DEALERLESS, *arguments],
            cwd=self.home,
            env={"HOME": str(self.home), **env},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )


class Forked:
    """A command in a process of its own, and what it has printed so far."""

    def __init__(self, process: ForkServerProcess, files: Path) -> None:
        self.process = process
        self._files = files

    def printed(self, name: str) -> str:
        file = self._files.with_name(f"{self._files.name}.{name}")
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def result(self) -> tuple[int, str, str]:
        self.process.join(60)
        assert self.process.exitcode is not None
        return self.process.exitcode, self.printed("out"), self.printed("err")

    def interrupt(self) -> None:
        assert self.process.pid is not None
        os.kill(self.process.pid, signal.SIGINT)

    def poll(self) -> int | None:
        return self.process.exitcode

    def kill(self) -> None:
        self.process.kill()

    def communicate(self) -> None:
        self.process.join()


def result(process: Forked | subprocess.Popen[bytes]) -> tuple[int, str, str]:
    if isinstance(process, Forked):
        return process.result()
    out, err = process.communicate(timeout=60)
    return process.returncode, out.decode(), err.decode()


@pytest.fixture
def two(tmp_path: Path) -> tuple[Player, Player]:
    return Player(tmp_path / "host"), Player(tmp_path / "guest")


@pytest.fixture
def address() -> str:
    return f"127.0.0.1:{free_port()}"


def hosting(address: str, guest: Player, *more: str, hands: int = 1) -> list[str]:
    terms = ["--hands", str(hands), "--depth", "2", "--listen", address, "--expect", guest.key]
    return ["host", *terms, "--out", "match.dlt", "--wait", "20", *more]


def joining(address: str, host: Player, *more: str) -> list[str]:
    return ["join", address, "--pin", host.key, "--out", "match.dlt", "--wait", "20", *more]


AUTO = ("--auto", "--yes")


@contextmanager
def started(*processes: Forked | subprocess.Popen[bytes]) -> Iterator[None]:
    try:
        yield
    finally:
        for process in processes:
            if process.poll() is None:
                process.kill()
            process.communicate()


def read_until(process: subprocess.Popen[bytes], text: bytes) -> bytes:
    assert process.stdout is not None
    seen = b""
    end = time.monotonic() + 30
    while text not in seen:
        assert time.monotonic() < end, seen
        chunk = os.read(process.stdout.fileno(), 4096)
        assert chunk, (seen, process.stderr and process.stderr.read())
        seen += chunk
    return seen
