"""Transcripts to read: regular files, or `-` for standard input; nothing that blocks, and nothing without an end."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, Final

from ..errors import StorageError
from ..referee.receipts import ReceiptFile
from ..report.escape import printable

STDIN: Final = "-"

_OTHER_KINDS: Final = {
    stat.S_IFDIR: "a directory",
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


@contextmanager
def transcript(path: str) -> Iterator[BinaryIO]:
    """Give the transcript at `path` as a stream, closed afterwards; `-` is standard input.

    Raises StorageError `transcript.missing`, `transcript.not-a-file` or `transcript.inaccessible`.
    """
    if path == STDIN:
        if sys.stdin is None:
            raise StorageError("transcript.inaccessible", hint="standard input is closed")
        yield sys.stdin.buffer
        return
    with os.fdopen(_open(path), "rb") as stream:
        yield stream


@contextmanager
def receipts(path: str) -> Iterator[ReceiptFile]:
    """Give the receipts in the file at `path`, which has to be a regular one: they may be gone through often.

    Raises what `transcript` raises, and StorageError `receipts.damaged`.
    """
    with os.fdopen(_open(path), "rb") as stream:
        yield ReceiptFile(stream)


def label(path: str) -> str:
    """Return how a transcript is named in a report."""
    return "standard input" if path == STDIN else printable(path)


def _open(path: str) -> int:
    try:
        # O_NONBLOCK: opening a FIFO must not wait for its other end. On a regular file it means nothing.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise StorageError("transcript.missing", actual=path, hint="look at the name and the folder") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        hint = (reason or "this cannot be a file's name").lower()
        raise StorageError("transcript.inaccessible", actual=path, hint=hint) from error
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    kind = _OTHER_KINDS.get(stat.S_IFMT(mode), "something else")
    hint = "name a file in it" if stat.S_ISDIR(mode) else f"to read it all the same: {STDIN} < {printable(path)}"
    raise StorageError("transcript.not-a-file", actual=f"{path}, {kind}", hint=hint)
