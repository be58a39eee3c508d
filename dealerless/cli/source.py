"""Files to read: regular ones, transcripts and evidence also from standard input, `-`.

Nothing that blocks, and nothing without an end.
"""

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
    with _stream(path, "transcript") as stream:
        yield stream


@contextmanager
def bundle(path: str) -> Iterator[BinaryIO]:
    """Give the evidence at `path` as a stream, as `transcript` does; its errors are `evidence.*`."""
    with _stream(path, "evidence") as stream:
        yield stream


@contextmanager
def receipts(path: str) -> Iterator[ReceiptFile]:
    """Give the receipts in the file at `path`, which has to be a regular one: they may be gone through often.

    Raises StorageError `receipts.missing`, `receipts.not-a-file` or `receipts.inaccessible`, and UsageError
    `receipts.damaged`: a file that goes with a transcript has no say in what is wrong with that.
    """
    with os.fdopen(_open(path, "receipts"), "rb") as stream:
        yield ReceiptFile(stream)


@contextmanager
def notes(path: str) -> Iterator[BinaryIO]:
    """Give the notes of computer players at `path` as a stream, closed afterwards.

    Raises StorageError `notes.missing`, `notes.not-a-file` or `notes.inaccessible`.
    """
    with os.fdopen(_open(path, "notes"), "rb") as stream:
        yield stream


def label(path: str) -> str:
    """Return how a transcript is named in a report."""
    return "standard input" if path == STDIN else printable(path)


@contextmanager
def _stream(path: str, layer: str) -> Iterator[BinaryIO]:
    if path == STDIN:
        if sys.stdin is None:
            raise StorageError(f"{layer}.inaccessible", hint="standard input is closed")
        yield sys.stdin.buffer
        return
    with os.fdopen(_open(path, layer), "rb") as stream:
        yield stream


def _open(path: str, layer: str) -> int:
    """Return a descriptor of a regular file; raises StorageError, its code being of this layer."""
    try:
        # O_NONBLOCK: opening a FIFO must not wait for its other end. On a regular file it means nothing.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise StorageError(f"{layer}.missing", actual=path, hint="look at the name and the folder") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        hint = (reason or "this cannot be a file's name").lower()
        raise StorageError(f"{layer}.inaccessible", actual=path, hint=hint) from error
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    kind = _OTHER_KINDS.get(stat.S_IFMT(mode), "something else")
    if stat.S_ISDIR(mode):
        hint = "name a file in it"
    elif layer in ("receipts", "notes"):
        hint = "copy it into a file"
    else:
        hint = f"to read it all the same: {STDIN} < {printable(path)}"
    raise StorageError(f"{layer}.not-a-file", actual=f"{path}, {kind}", hint=hint)
