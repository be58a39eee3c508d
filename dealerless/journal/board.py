"""A witness's files: for each match a transcript, the receipts, and its starts and no-shows. WITNESS-5.

All lie in one folder and are named after the offer's hash, which the witness computes itself. Each record is on the
disk before anybody hears of what it says, so that a witness that is killed and started again says the same.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

from ..encoding import decode, encode
from ..errors import DecodeError
from ..protocol.noshow import read_no_show
from ..protocol.witness import RECEIPTS_MAGIC, Absence, Receipt, read_receipt
from .journal import Journal
from .recordfile import RecordFile, inaccessible

File = TypeVar("File", bound=RecordFile)

_NAME: Final = re.compile(r"([0-9a-f]{64})\.dlt")
_REMEDY: Final = "without it this witness could contradict itself: let it say nothing more about this match"


class ReceiptsFile(RecordFile):
    """The receipts of one match, in the form that `audit --receipts` reads."""

    _kind = "journal"
    _magic = RECEIPTS_MAGIC
    _secret = False
    _remedy = _REMEDY

    def receipts(self) -> Iterator[Receipt]:
        """Yield the receipts written so far, from the first."""
        for record in self._records():
            yield read_receipt(decode(record))

    def batch(self, place: int, most: int) -> tuple[bytes, ...]:
        """Return the receipts from `place` on, `most` at most, each as it stands in the file."""
        return tuple(islice(self._records(place), most))

    def append(self, receipt: Receipt) -> None:
        """Return once the receipt is on the disk: only then may it be given out. Raises StorageError."""
        self._append(encode(tuple(receipt)))

    def _check_record(self, record: bytes) -> None:
        read_receipt(decode(record))


class NotesFile(RecordFile):
    """When a witness took a match up, and the no-shows it signed: `[at]` or `[seq, head, seat, no-show]`."""

    _kind = "journal"
    _magic = b"dealerless board notes 1\n"
    _secret = False
    _remedy = _REMEDY

    def notes(self) -> Iterator[int | Absence]:
        """Yield starts and no-shows in the order in which they were written."""
        for record in self._records():
            yield _read_note(record)

    def append(self, note: int | Absence) -> None:
        """Return once the start or no-show is on the disk. Raises StorageError."""
        if isinstance(note, Absence):
            self._append(encode((note.seq, note.head, note.seat, tuple(note.word))))
        else:
            self._append(encode((note,)))

    def _check_record(self, record: bytes) -> None:
        _read_note(record)


class MatchFiles:
    """The three files of one match, open for this process alone."""

    def __init__(self, transcript: Journal, receipts: ReceiptsFile, notes: NotesFile) -> None:
        self.transcript: Final = transcript
        self.receipts: Final = receipts
        self.notes: Final = notes

    def close(self) -> None:
        """Close all three; closing twice is allowed."""
        for file in (self.transcript, self.receipts, self.notes):
            file.close()


class Shelf:
    """The folder of a witness; `names` are the matches in it."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        """Take an existing folder, or make it for its owner alone; raises StorageError `journal.inaccessible`."""
        self._folder = Path(folder)
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            found = [_NAME.fullmatch(entry.name) for entry in self._folder.iterdir()]
        except OSError as error:
            raise inaccessible(self._folder, "journal", error) from error
        self.names: Final = sorted([bytes.fromhex(name[1]) for name in found if name is not None])

    def create(self, name: bytes) -> MatchFiles:
        """Return new files for the match of this offer hash; raises StorageError, and leaves nothing open then.

        The transcript is made last: without it there is no match, and what a crash left of the others is used.
        """
        opened: list[RecordFile] = []
        try:
            notes = _open_or_create(NotesFile, self._path(name, "notes"))
            opened.append(notes)
            receipts = _open_or_create(ReceiptsFile, self._path(name, "receipts"))
            opened.append(receipts)
            transcript = Journal.create(self._path(name, "dlt"))
        except BaseException:
            for file in opened:
                file.close()
            raise
        self.names.append(name)
        return MatchFiles(transcript, receipts, notes)

    def open(self, name: bytes) -> MatchFiles:
        """Return the files of a match that is there; raises StorageError, and leaves nothing open then."""
        opened: list[RecordFile] = []
        try:
            transcript = Journal.open(self._path(name, "dlt"))
            opened.append(transcript)
            receipts = ReceiptsFile.open(self._path(name, "receipts"))
            opened.append(receipts)
            notes = NotesFile.open(self._path(name, "notes"))
        except BaseException:
            for file in opened:
                file.close()
            raise
        return MatchFiles(transcript, receipts, notes)

    def _path(self, name: bytes, ending: str) -> Path:
        return self._folder / f"{name.hex()}.{ending}"


def _open_or_create(kind: type[File], path: Path) -> File:
    return kind.open(path) if path.exists() else kind.create(path)


def _read_note(record: bytes) -> int | Absence:
    match decode(record):
        case (int(at),) if type(at) is int:
            return at
        case (int(seq), bytes(head), int(seat), tuple(word)):
            return Absence(seq, head, seat, read_no_show(word))
    raise DecodeError("encoding.wrong-type")
