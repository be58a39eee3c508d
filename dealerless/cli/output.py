"""Files of results: written whole or not at all, and over nothing that is there unless it is asked for. F04."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from ..errors import StorageError


def check_place(path: str, *, force: bool) -> None:
    """Return if a page may be written at `path`: to say no before the work, not after it.

    Nothing may be there, not even a link to nothing; with `force`, nothing but a regular file or a link. Raises
    StorageError `page.exists`, `page.not-a-file` or `page.inaccessible`.
    """
    target = Path(path)
    try:
        with suppress(FileNotFoundError):
            mode = target.lstat().st_mode
            if not (stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
                raise StorageError("page.not-a-file", actual=path, hint="choose another name")
            if not force:
                raise _exists(path)
        if not target.parent.is_dir():
            raise StorageError("page.inaccessible", actual=path, hint="there is no such folder")
    except (OSError, ValueError) as error:
        raise _inaccessible(path, error) from error


def check_new(path: Path) -> None:
    """Return if a transcript may be written at `path`: to say no before a match, not after it.

    Nothing may be there, not even a link to nothing. Raises StorageError `journal.exists` or `journal.inaccessible`.
    """
    try:
        with suppress(FileNotFoundError):
            path.lstat()
            raise _taken(path)
        if not path.parent.is_dir():
            raise StorageError("journal.inaccessible", actual=str(path), hint="there is no such folder")
    except (OSError, ValueError) as error:
        hint = _reason(error) if isinstance(error, OSError) else "this cannot be a file's name"
        raise StorageError("journal.inaccessible", actual=str(path), hint=hint) from error


def write_new(path: Path, data: bytes) -> None:
    """Return once a transcript is in a new file at `path`; nothing is left there if it cannot be written whole.

    Raises what `check_new` raises, and StorageError `journal.write-failed`.
    """
    check_new(path)
    try:
        with path.open("xb") as file:
            try:
                file.write(data)
                file.flush()
            except BaseException:
                path.unlink()
                raise
    except FileExistsError as error:
        raise _taken(path) from error
    except OSError as error:
        raise StorageError("journal.write-failed", actual=str(path), hint=_reason(error)) from error


def _taken(path: Path) -> StorageError:
    return StorageError("journal.exists", actual=str(path), hint="choose another name or move it away")


def write_page(path: str, pieces: Iterable[str], *, force: bool) -> None:
    """Return once the page is at `path`, in UTF-8; if it cannot be, what was there before is there.

    With `force` a file or link of that name is replaced in one step; what a link points to is never touched. Raises
    what `check_place` raises, and StorageError `page.write-failed`.
    """
    check_place(path, force=force)
    target = Path(path)
    made, descriptor = _beside(target) if force else (target, _create(path))
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            for piece in pieces:
                file.write(piece)
        if force:
            made.replace(target)
    except BaseException as error:
        with suppress(OSError):
            made.unlink()
        if isinstance(error, OSError):
            raise StorageError("page.write-failed", actual=path, hint=_reason(error)) from error
        raise


def _create(path: str) -> int:
    try:
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
    except FileExistsError as error:
        raise _exists(path) from error
    except OSError as error:
        raise _inaccessible(path, error) from error


def _beside(target: Path) -> tuple[Path, int]:
    """Return a new file in the folder of `target`, and its descriptor."""
    try:
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=".page-", suffix=".html")
    except OSError as error:
        raise _inaccessible(str(target), error) from error
    # As readable as any new file: a page holds nothing secret.
    mask = os.umask(0)
    os.umask(mask)
    os.fchmod(descriptor, 0o666 & ~mask)
    return Path(name), descriptor


def _exists(path: str) -> StorageError:
    return StorageError("page.exists", actual=path, hint="choose another name, or say --force to replace it")


def _inaccessible(path: str, error: OSError | ValueError) -> StorageError:
    hint = _reason(error) if isinstance(error, OSError) else "this cannot be a file's name"
    return StorageError("page.inaccessible", actual=path, hint=hint)


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
