"""The command line as a user has it: a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    status: int
    out: str
    err: str
    raw: bytes


def run(*args: str, stdin: bytes = b"", env: dict[str, str] | None = None, timeout: float = 60) -> Result:
    """Return how `dealerless ARGS` ended, its output decoded as UTF-8."""
    done = subprocess.run(
        [sys.executable, "-m", "dealerless", *args],
        input=stdin,
        capture_output=True,
        env={**os.environ, **(env or {})},
        timeout=timeout,
        check=False,
    )
    return Result(
        status=done.returncode,
        out=done.stdout.decode("utf-8", errors="surrogateescape"),
        err=done.stderr.decode("utf-8", errors="surrogateescape"),
        raw=done.stdout,
    )


def invoke(*args: str) -> tuple[int, str, str]:
    """Return (status, stdout, stderr) of the command line run in this process: quicker, same code."""
    import io
    from contextlib import redirect_stderr, redirect_stdout

    from dealerless.cli.main import main

    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with redirect_stdout(out), redirect_stderr(err):
        status = main(list(args))
    texts = []
    for stream in (out, err):
        stream.flush()
        buffer = stream.buffer
        assert isinstance(buffer, io.BytesIO)
        texts.append(buffer.getvalue().decode("utf-8"))
    return int(status), texts[0], texts[1]
