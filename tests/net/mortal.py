"""The command line in processes that end themselves by SIGKILL at a chosen message.

Each is forked from a server that has imported everything once, so that a whole match costs a fraction of a
second; what is killed is a real process all the same, with nothing cleaned up.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import socket
import sys
from dataclasses import dataclass
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from dealerless.cli import host, join, resume  # noqa: F401  (imported once, for all forks)
from dealerless.cli.keygen import keygen  # noqa: F401
from dealerless.cli.main import main
from dealerless.journal.journal import Journal
from dealerless.net import play

_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["tests.net.mortal"])


@dataclass(frozen=True)
class Death:
    """SIGKILL at the `count`-th frame written down: after it, or when it is signed and not yet written."""

    count: int
    written: bool = True


def start(
    home: Path,
    output: str,
    *arguments: str,
    death: Death | None = None,
    typed: bytes = b"",
    limit: int | None = None,
) -> ForkServerProcess:
    """Return a running `dealerless ARGUMENTS` in `home`, `typed` its input; its output goes into files beside it.

    These are `home` with `.OUTPUT.out` and `.OUTPUT.err` at its end. No file may grow beyond `limit` bytes.
    """
    process = _PROCESSES.Process(target=live, args=(home, output, arguments, death, typed, limit))
    process.start()
    return process


def live(
    home: Path, output: str, arguments: tuple[str, ...], death: Death | None, typed: bytes, limit: int | None
) -> None:
    os.chdir(home)
    os.environ.clear()
    os.environ["HOME"] = str(home)
    reading, writing = os.pipe()
    os.write(writing, typed)
    os.close(writing)
    os.dup2(reading, 0)
    for number, name in ((1, "out"), (2, "err")):
        file = home.with_name(f"{home.name}.{output}.{name}")
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))
    if limit is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    play.LINGER_SECONDS = 1.0  # type: ignore[misc]
    if death is not None:
        die_at(death)
    status = main(list(arguments))
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def die_at(death: Death) -> None:
    append = Journal.append
    count = 0

    def mortal_append(self: Journal, frame: bytes) -> None:
        nonlocal count
        count += 1
        if count == death.count and not death.written:
            os.kill(os.getpid(), signal.SIGKILL)
        append(self, frame)
        if count == death.count:
            os.kill(os.getpid(), signal.SIGKILL)

    Journal.append = mortal_append  # type: ignore[method-assign]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port
