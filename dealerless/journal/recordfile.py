"""Private files that only grow: a magic line, then length-prefixed records, each one canonical value. ENC-5.

A record counts once it is on the disk: it is written in one piece and synced before the call returns, and
taken back whole if that fails. What a crash leaves behind is at most one record cut short, which the next
opening cuts off; anything else that does not read as such a file is damage, and damage is refused, never
repaired.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import sys
from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, NoReturn, Self

from ..encoding import first_length
from ..errors import DealerlessError, StorageError, UsageError
from ..protocol.records import LENGTH_BYTES, MAX_RECORD, encode_record

_EVERY: Final = 64
"""Of so many records the place of one is kept in memory, so that reading can begin anywhere."""

_PRIVATE: Final = 0o600
_OTHERS: Final = 0o077

# macOS has no fdatasync.
if sys.platform == "darwin":
    sync_data = os.fsync
else:
    sync_data = os.fdatasync


def create_private(path: Path, kind: str) -> int:
    """Return a descriptor of a new empty file of mode 0600 that did not exist under this name in any form.

    `kind` is the layer of the error codes. Raises StorageError `exists` or `inaccessible`.
    """
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, _PRIVATE)
    except FileExistsError as error:
        raise StorageError(f"{kind}.exists", actual=str(path), hint="choose another name or move it away") from error
    except (FileNotFoundError, NotADirectoryError) as error:
        # The file itself was to be made: what is missing is above it.
        raise StorageError(f"{kind}.inaccessible", actual=str(path), hint="there is no such folder") from error
    except OSError as error:
        raise inaccessible(path, kind, error) from error
    except ValueError as error:
        raise UsageError("usage.bad-value", actual=str(path)) from error


def open_private(path: Path, kind: str, *, secret: bool, create: bool = False) -> int:
    """Return a descriptor for reading and writing an existing regular file, never of what a link points to.

    With `secret` a file that others may read is refused; with `create` a missing file is made, mode 0600.
    Raises StorageError `missing`, `not-a-file`, `open-to-others` or `inaccessible` of the layer `kind`.
    """
    # O_NONBLOCK: opening a FIFO must not wait for its other end. On a regular file it means nothing.
    flags = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | (os.O_CREAT if create else 0)
    try:
        descriptor = os.open(path, flags, _PRIVATE)
    except FileNotFoundError as error:
        raise StorageError(f"{kind}.missing", actual=str(path), hint="look at the name and the folder") from error
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EISDIR, errno.ENXIO):
            raise _not_a_file(path, kind) from error
        raise inaccessible(path, kind, error) from error
    except ValueError as error:
        raise UsageError("usage.bad-value", actual=str(path)) from error
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        raise _not_a_file(path, kind)
    if secret and status.st_mode & _OTHERS:
        os.close(descriptor)
        raise StorageError(
            f"{kind}.open-to-others",
            expected="600",
            actual=f"{stat.S_IMODE(status.st_mode):o}",
            hint=f"take it as read by others, or say: chmod 600 {path}",
        )
    return descriptor


def write_whole(descriptor: int, data: bytes, offset: int) -> None:
    """Return once all of `data` is written at `offset`, in one call; raises OSError if only a part was."""
    if os.pwrite(descriptor, data, offset) < len(data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def sync_folder(path: Path) -> None:
    """Return once the folder that holds `path` is on the disk, so that a new name in it survives a crash."""
    descriptor = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def inaccessible(path: Path, kind: str, error: OSError) -> StorageError:
    """Return the error for a file that the system will not open."""
    return StorageError(f"{kind}.inaccessible", actual=str(path), hint=_reason(error))


def write_failed(path: Path, kind: str, error: OSError) -> StorageError:
    """Return the error for a file that could not be written and is as it was before."""
    hint = f"{_reason(error)}; make room or look at the disk, then go on from here"
    return StorageError(f"{kind}.write-failed", actual=str(path), hint=hint)


class RecordFile(ABC):
    """One open file of records, locked against every other process until it is closed.

    `path` is the name it was opened under, `torn` the number of bytes of an unfinished last record that
    opening cut off. A subclass says what it keeps: `_kind` is the layer of its error codes, `_magic` its
    first line, `_secret` whether others may not read it, `_remedy` what to do about damage, and
    `_check_record` raises a DealerlessError for bytes that are no record of its.
    """

    _kind: str
    _magic: bytes
    _secret: bool
    _remedy: str

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path: Final = path
        self.torn = 0
        self._descriptor = descriptor
        self._end = len(self._magic)
        self._count = 0
        self._marks = array("Q")
        # A record that could neither be finished nor taken back: the next opening cuts it off.
        self._stuck = False

    @classmethod
    def create(cls, path: str | os.PathLike[str]) -> Self:
        """Return a new file without a record, of mode 0600, locked, and on the disk under a new name.

        Raises StorageError `exists`, `inaccessible` or `write-failed`; after the last there is no file.
        """
        path = Path(path)
        descriptor = create_private(path, cls._kind)
        made = cls(path, descriptor)
        try:
            made._lock()
            write_whole(descriptor, cls._magic, 0)
            os.fsync(descriptor)
            sync_folder(path)
        except OSError as error:
            made.close()
            with suppress(OSError):
                path.unlink()
            raise write_failed(path, cls._kind, error) from error
        except BaseException:
            made.close()
            raise
        return made

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Return the existing file, locked, every record of it read once and a torn tail cut off.

        Raises StorageError `missing`, `not-a-file`, `open-to-others` (secrets only), `inaccessible`, `locked`
        when another process has it, and `damaged` when anything but the last record is not whole.
        """
        path = Path(path)
        opened = cls(path, open_private(path, cls._kind, secret=cls._secret))
        try:
            opened._lock()
            opened._recover()
        except OSError as error:
            opened.close()
            raise inaccessible(path, cls._kind, error) from error
        except BaseException:
            opened.close()
            raise
        return opened

    def _records(self, first: int = 0) -> Iterator[bytes]:
        """Yield the records that are in the file now, from number `first` on, reading one at a time."""
        end = self._end
        if first >= self._count:
            return
        offset, skipped = self._marks[first // _EVERY], first % _EVERY
        while offset < end:
            size = int.from_bytes(self._read(LENGTH_BYTES, offset), "big")
            if skipped:
                skipped -= 1
            else:
                yield self._read(size, offset + LENGTH_BYTES)
            offset += LENGTH_BYTES + size

    def _count_one(self, size: int) -> None:
        """Take up a whole record of so many bytes, its length included, at the end."""
        if self._count % _EVERY == 0:
            self._marks.append(self._end)
        self._count += 1
        self._end += size

    def _append(self, record: bytes) -> None:
        """Return once `record` stands at the end of the file and on the disk.

        Raises StorageError `write-failed`; then the file ends where it ended before. Raises what
        `_check_record` raises, and UsageError when the file is closed.
        """
        self._check_record(record)
        self._check_open()
        if self._stuck:
            self._fail_stuck()
        data = encode_record(record)
        try:
            write_whole(self._descriptor, data, self._end)
            sync_data(self._descriptor)
        except OSError as error:
            self._take_back()
            raise write_failed(self.path, self._kind, error) from error
        except BaseException:
            # An interrupt: the caller will not send what it was not told is written.
            self._take_back()
            raise
        self._count_one(len(data))

    def close(self) -> None:
        """Close the file and let its lock go; closing twice is allowed."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    @abstractmethod
    def _check_record(self, record: bytes) -> object:
        """Raise a DealerlessError for bytes that are no record of this file."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.path)!r})"

    def _lock(self) -> None:
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            hint = "end the other process first; two writers would sign two histories"
            raise StorageError(f"{self._kind}.locked", actual=str(self.path), hint=hint) from error

    def _recover(self) -> None:
        """Read every record; cut off what a crash can have left of the last, refuse anything else."""
        size = os.fstat(self._descriptor).st_size
        magic = self._read(len(self._magic), 0)
        if len(magic) < len(self._magic) and self._magic.startswith(magic):
            self._unbegun()
        if magic != self._magic:
            self._damaged("byte 0", "the file does not begin with the line it must begin with")
        while self._end < size:
            prefix = self._read(LENGTH_BYTES, self._end)
            length = int.from_bytes(prefix, "big")
            rest = size - self._end - LENGTH_BYTES
            if rest < 0 or (length == 0 and self._only_zeros(size)):
                break
            if not 0 < length <= MAX_RECORD:
                self._damaged(f"byte {self._end}", "no record has this length")
            record = self._read(min(length, rest), self._end + LENGTH_BYTES)
            try:
                # A wrong length in the middle can reach beyond the end as a torn tail does; but then a whole
                # value stands here, and cutting it off would lose it and all that follow.
                torn = length > rest and first_length(record) is None
                if not torn:
                    self._check_record(record)
            except DealerlessError as error:
                self._damaged(f"byte {self._end}", f"this record is not whole ({error.code})")
            if torn:
                break
            if length > rest:
                self._damaged(f"byte {self._end}", "the length before this record is wrong")
            self._count_one(LENGTH_BYTES + length)
        self.torn = size - self._end
        if self.torn:
            os.ftruncate(self._descriptor, self._end)
            sync_data(self._descriptor)

    def _only_zeros(self, size: int) -> bool:
        """Return whether nothing but zeros follow: a crash can lengthen a file before its data come."""
        rest = min(size - self._end, LENGTH_BYTES + MAX_RECORD)
        return size - self._end == rest and not any(self._read(rest, self._end))

    def _unbegun(self) -> NoReturn:
        """Refuse a file that ends inside its first line, as a crash while it was made can leave it."""
        self._damaged("byte 0", "the file ends inside the line it must begin with")

    def _damaged(self, place: str, why: str) -> NoReturn:
        hint = f"{why}; nothing was changed; {self._remedy}"
        raise StorageError(f"{self._kind}.damaged", actual=f"{self.path}, {place}", hint=hint)

    def _take_back(self) -> None:
        try:
            os.ftruncate(self._descriptor, self._end)
            sync_data(self._descriptor)
        except OSError:
            self._stuck = True

    def _fail_stuck(self) -> NoReturn:
        hint = "an earlier failure could not be undone; close it and open it again"
        raise StorageError(f"{self._kind}.write-failed", actual=str(self.path), hint=hint)

    def _read(self, size: int, offset: int) -> bytes:
        """Return `size` bytes from `offset`, fewer only at the end of the file."""
        self._check_open()
        return os.pread(self._descriptor, size, offset)

    def _check_open(self) -> None:
        if self._descriptor < 0:
            raise UsageError("usage.wrong-state", actual=f"{self.path} is closed")


def _not_a_file(path: Path, kind: str) -> StorageError:
    hint = "name the file itself: no link, folder, pipe or device"
    return StorageError(f"{kind}.not-a-file", actual=str(path), hint=hint)


def _reason(error: OSError) -> str:
    return (error.strerror or "the system refused").lower()
