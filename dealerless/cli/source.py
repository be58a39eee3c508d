"""Files to read: regular ones, transcripts and evidence also from standard input, `-`.

Nothing that blocks, and nothing without an end.
"""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from ..errors import StorageError
from ..referee.receipts import ReceiptFile
from ..report.escape import printable

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

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
    with _regular(path, "receipts") as stream:
        yield ReceiptFile(stream)


@contextmanager
def notes(path: str) -> Iterator[BinaryIO]:
    """Give the notes of computer players at `path` as a stream, closed afterwards.

    Raises StorageError `notes.missing`, `notes.not-a-file` or `notes.inaccessible`.
    """
    with _regular(path, "notes") as stream:
        yield stream


def label(path: str) -> str:
    """Return how a transcript is named in a report."""
    return "standard input" if path == STDIN else printable(path)


class _Input(io.RawIOBase):
    """Reads a stream, and what fails about that is an error of this input: `failed` makes it of the system's.

    A disk or a network can fail long after a file was opened, and the system's error does not say which file it was.
    """

    def __init__(self, stream: io.BufferedIOBase, failed: Callable[[OSError], Exception]) -> None:
        self._stream = stream
        self._failed = failed

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._stream.seekable()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._stream.seek(offset, whence)

    def readinto(self, buffer: WriteableBuffer) -> int:
        into = memoryview(buffer).cast("B")
        try:
            # As much as there is by now: whoever types, or a pipe, is not waited for until it is full.
            data = self._stream.read1(len(into))
        except OSError as error:
            raise self._failed(error) from error
        into[: len(data)] = data
        return len(data)


def guarded(stream: BinaryIO, failed: Callable[[OSError], Exception]) -> BinaryIO:
    """Return a stream that reads this one, in which an error of reading is the one that `failed` makes of it."""
    return io.BufferedReader(_Input(cast("io.BufferedIOBase", stream), failed))


@contextmanager
def _stream(path: str, layer: str) -> Iterator[BinaryIO]:
    if path == STDIN:
        if sys.stdin is None:
            raise StorageError(f"{layer}.inaccessible", hint="standard input is closed")
        yield guarded(sys.stdin.buffer, lambda error: _inaccessible(label(path), layer, error))
        return
    with _regular(path, layer) as stream:
        yield stream


@contextmanager
def _regular(path: str, layer: str) -> Iterator[BinaryIO]:
    with os.fdopen(_open(path, layer), "rb") as stream:
        yield guarded(stream, lambda error: _inaccessible(path, layer, error))


def _inaccessible(name: str, layer: str, error: OSError | ValueError) -> StorageError:
    reason = error.strerror if isinstance(error, OSError) else None
    hint = (reason or "this cannot be a file's name").lower()
    return StorageError(f"{layer}.inaccessible", actual=name, hint=hint)


def _open(path: str, layer: str) -> int:
    """Return a descriptor of a regular file; raises StorageError, its code being of this layer."""
    try:
        # O_NONBLOCK: opening a FIFO must not wait for its other end. On a regular file it means nothing.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise StorageError(f"{layer}.missing", actual=path, hint="look at the name and the folder") from error
    except (OSError, ValueError) as error:
        raise _inaccessible(path, layer, error) from error
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
