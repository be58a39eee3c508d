"""Private files of lines that are only added: a line counts once it ends in a line feed, and is written whole or not.

What a crash left of the last line is for who opens the file to cut off. Nothing is synced: none of it is a promise to
another party.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from .recordfile import write_failed, write_whole


class LineFile:
    """One open file of lines. A subclass says in `_kind` which layer the codes of its errors are of."""

    _kind: str

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path: Final = path
        self._descriptor = descriptor
        self._end = 0

    def close(self) -> None:
        """Close the file and let its lock go, if it has one; closing twice is allowed."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _add(self, line: bytes) -> None:
        """Return once `line`, its line feed included, stands at the end of the file.

        Raises StorageError `write-failed` of the layer, with the file as it was before. Should even that fail, what is
        left of the line has no line feed: the next one is written over it, or the next opening cuts it off.
        """
        try:
            write_whole(self._descriptor, line, self._end)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._descriptor, self._end)
            raise write_failed(self.path, self._kind, error) from error
        self._end += len(line)

    def _cut(self, end: int) -> None:
        """Let the file end here; raises OSError."""
        os.ftruncate(self._descriptor, end)
        self._end = end
