"""Why a computer seat decided as it did: a private file beside its transcript, one JSON object a line. DRAW-9.

A reason tells cards, so the file is its seat's alone, as the secrets are, until whoever owns it gives it away. Nothing
depends on it: it is not signed, the referee does not read it, and a match is not stopped when it cannot be written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, Self

from ..errors import StorageError, UsageError
from .linefile import LineFile
from .recordfile import create_private, inaccessible, open_private

_KIND: Final = "notes"
_MAX_LINE: Final = 4096
"""Bytes of a line: a reason is a sentence."""
_TYPES: Final = {"session": str, "hand": int, "seat": int, "place": int, "what": str, "reason": str}
"""The fields of a line, in their order."""
_SESSION: Final = 32


class Noted(NamedTuple):
    """A decision and its reason: in which hand, of which seat, after how many actions of the hand, and what it was.

    `what` is the move in upper case with its amount, if it has one: `RAISE 40`, `EXCHANGE 2`, `SHOW`.
    """

    hand: int
    seat: int
    place: int
    what: str
    reason: str


class Line(NamedTuple):
    """One line: the 32-byte id of the match that it is of, and what is noted."""

    session: bytes
    noted: Noted


class NotesFile(LineFile):
    """A file that notes are added to; others' eyes are kept out by its mode, 0600."""

    _kind = _KIND

    @classmethod
    def create(cls, path: Path) -> Self:
        """Return a new empty file under a name that no file has.

        Raises StorageError `notes.exists` or `notes.inaccessible`.
        """
        return cls(path, create_private(path, _KIND))

    @classmethod
    def open(cls, path: Path) -> Self:
        """Return the file to go on with, made now if there is none; a line cut short by a crash is cut off.

        Raises StorageError `notes.not-a-file`, `notes.open-to-others` or `notes.inaccessible`, and what `read_notes`
        raises.
        """
        opened = cls(path, open_private(path, _KIND, secret=True, create=True))
        try:
            with os.fdopen(os.dup(opened._descriptor), "rb") as stream:
                opened._cut(sum([size for size, _ in _lines(stream, str(path))]))
        except OSError as error:
            opened.close()
            raise inaccessible(path, _KIND, error) from error
        except BaseException:
            opened.close()
            raise
        return opened

    def append(self, session: bytes, noted: Noted) -> None:
        """Return once a note of the match of this id is in the file.

        Raises StorageError `notes.write-failed`, with the file as it was before.
        """
        fields = dict(zip(_TYPES, (session.hex(), *noted), strict=True))
        self._add(json.dumps(fields, ensure_ascii=True).encode() + b"\n")


def beside(transcript: Path) -> Path:
    """Return where the notes of a seat lie: beside its transcript."""
    return transcript.with_name(f"{transcript.name}.notes")


def check_free(path: Path) -> None:
    """Return if no file has this name; raises StorageError `notes.exists`: to say no before a match, not after it."""
    if os.path.lexists(path):
        raise StorageError("notes.exists", actual=str(path), hint="choose another name or move it away")


def read_notes(stream: BinaryIO, label: str) -> Iterator[Line]:
    """Yield the lines of a file of notes, one at a time; what a crash left of a last one is not taken for one.

    `label` says which file it is. Raises UsageError `notes.damaged` at anything else than such a line.
    """
    for _, line in _lines(stream, label):
        yield line


def check_match(lines: Iterable[Line], session: bytes, label: str) -> Iterator[Noted]:
    """Yield what is noted; raises UsageError `notes.other-match` at a note of another match than this one."""
    for line in lines:
        if line.session != session:
            hint = f"{label} is of another match than the transcript"
            raise UsageError("notes.other-match", expected=session, actual=line.session, hint=hint)
        yield line.noted


def _lines(stream: BinaryIO, label: str) -> Iterator[tuple[int, Line]]:
    """Yield the size of each whole line in bytes and what it says."""
    number = 0
    while data := stream.readline(_MAX_LINE):
        number += 1
        line = _read(data) if data.endswith(b"\n") else None
        if line is None:
            if len(data) < _MAX_LINE and not data.endswith(b"\n"):
                return
            raise UsageError(
                "notes.damaged", actual=f"{label}, line {number}", hint="the transcript is good without it"
            )
        yield len(data), line


def _read(data: bytes) -> Line | None:
    try:
        value: Any = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or {name: type(field) for name, field in value.items()} != _TYPES:
        return None
    try:
        session = bytes.fromhex(value.pop("session"))
    except ValueError:
        return None
    return Line(session, Noted(**value)) if len(session) == _SESSION else None
