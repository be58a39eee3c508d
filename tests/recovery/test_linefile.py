"""Files of lines on a disk that fails: what is written is whole or not there, and errors have their types."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dealerless.errors import StorageError
from dealerless.journal.notes import Noted, NotesFile, read_notes

NOTE = Noted(hand=1, seat=0, place=2, what="CALL", reason="the price is right")
LATER = Noted(hand=1, seat=0, place=4, what="FOLD", reason="no")
SESSION = bytes(32)


def full(descriptor: int, data: bytes, offset: int) -> None:
    """A disk that has room for a part of the line only."""
    os.pwrite(descriptor, data[:-9], offset)
    raise OSError(28, os.strerror(28))


def broken(*_: object) -> None:
    raise OSError(5, os.strerror(5))


def noted(path: Path) -> list[Noted]:
    with path.open("rb") as stream:
        return [line.noted for line in read_notes(stream, "notes")]


@pytest.mark.parametrize("stuck", [False, True])
def test_a_line_that_has_no_room_is_not_there(stuck: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left of it is taken back, or, where even that fails, is no line; the file is gone on with."""
    path = tmp_path / "notes"
    with NotesFile.create(path) as file:
        file.append(SESSION, NOTE)
        whole = path.read_bytes()
        with monkeypatch.context() as patched:
            patched.setattr("dealerless.journal.linefile.write_whole", full)
            if stuck:
                patched.setattr(os, "ftruncate", broken)
            with pytest.raises(StorageError) as raised:
                file.append(SESSION, NOTE)
        assert raised.value.code == "notes.write-failed"
        assert (path.read_bytes() == whole) is not stuck
        assert noted(path) == [NOTE]
        # Shorter than what is left.
        file.append(SESSION, LATER)
        assert noted(path) == [NOTE, LATER]
    with NotesFile.open(path) as file:
        file.append(SESSION, NOTE)
    assert noted(path) == [NOTE, LATER, NOTE]


def test_a_file_that_cannot_be_cut_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "notes"
    with NotesFile.create(path) as file:
        file.append(SESSION, NOTE)
    with path.open("ab") as stream:
        stream.write(b'{"session')
    monkeypatch.setattr(os, "ftruncate", broken)
    with pytest.raises(StorageError) as raised:
        NotesFile.open(path)
    assert raised.value.code == "notes.inaccessible"
