"""The journal: a transcript while it is being written, each frame on the disk before it is sent. ENC-5."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NoReturn

from ..errors import StorageError
from ..protocol.records import MAGIC, decode_frame
from .recordfile import RecordFile

BEGIN_ANEW: Final = "nothing is lost and nothing was changed: begin a new match, under another name"
"""What to do about a journal in which no frame was ever written."""


class Journal(RecordFile):
    """One transcript file, open for this process alone; others may read it meanwhile.

    What `append` returned from stays, whatever happens to the process; what it raised for was never there.
    `torn` bytes that opening cut off belonged to a frame that was never sent.
    """

    _kind = "journal"
    _magic = MAGIC
    _secret = False
    _remedy = "another seat has a copy of the match"

    def records(self, first: int = 0) -> Iterator[bytes]:
        """Yield the frames written so far, from number `first` on, counted from 0."""
        return self._records(first)

    def append(self, frame: bytes) -> None:
        """Return once `frame` is on the disk: only then may it be sent.

        Raises StorageError `journal.write-failed`, with the journal as it was before, and Unattributed
        `record.not-a-frame` for bytes that are none.
        """
        self._append(frame)

    def _unbegun(self) -> NoReturn:
        # Every frame is written behind the first line, so none was ever sent from here.
        raise StorageError("journal.empty", actual=str(self.path), hint=BEGIN_ANEW)

    def _check_record(self, record: bytes) -> None:
        decode_frame(record)
