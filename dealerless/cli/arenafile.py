"""What an arena has played so far, on the disk: lines of JSON that are only added, so that a run can be gone on with.

The first line says what is played, each of the others what a batch of deals came to. A line counts once it ends in a
line feed; what a crash left of the last one is cut off at the next opening. Anything else that does not read as such a
file is refused and left as it is.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from .. import __version__
from ..errors import StorageError
from ..games.onepoker import ONEPOKER
from ..journal.linefile import LineFile
from ..journal.recordfile import inaccessible, open_private
from ..players.arena import BATCH, Duel
from ..players.tally import Tally

_KIND: Final = "arena"
_FORMAT: Final = "dealerless arena state 1"

_DIFFERING: Final = {
    "rules": "the terms differ",
    "seats": "the number of players differs",
    "bots": "the levels differ",
}
"""By field how it is said that it is another one, where its name is not that of an option."""


class ArenaFile(LineFile):
    """An open file of the batches of one duel, locked against other processes until it is closed.

    `batches` are those that were in it, in order: number i holds the deals from `i * BATCH` on.
    """

    _kind = _KIND

    def __init__(self, path: Path, duel: Duel) -> None:
        """Open the file, or make it; everything in it is read.

        Raises StorageError `arena.missing` where there is no such folder, `arena.not-a-file`, `arena.inaccessible`,
        `arena.locked`, `arena.damaged`, `arena.write-failed`, and `arena.other-duel` for a file of another duel or of
        another version of the players.
        """
        super().__init__(path, open_private(path, _KIND, secret=False, create=True))
        try:
            self._lock()
            with open(self._descriptor, "rb", closefd=False) as file:
                content = file.read()
            self._extremes = duel.extremes
            self.batches = self._read(content, _line({"format": _FORMAT, "version": __version__, **duel.fields()}))
        except OSError as error:
            self.close()
            raise inaccessible(path, _KIND, error) from error
        except BaseException:
            self.close()
            raise
        self._deals = BATCH * len(self.batches)

    def append(self, batch: Tally) -> None:
        """Return once the next batch is in the file, for whoever opens it after this process has ended.

        Raises StorageError `arena.write-failed`; the file is then as it was before.
        """
        self._add(_line({"deal": self._deals, **batch._asdict()}))
        self._deals += batch.deals

    def _lock(self) -> None:
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise StorageError("arena.locked", actual=str(self.path), hint="wait for it, or end it first") from error

    def _read(self, content: bytes, head: bytes) -> tuple[Tally, ...]:
        """Return the batches in `content`, and leave the file at the end of the last whole line."""
        self._end = content.rfind(b"\n") + 1
        lines = content[: self._end].splitlines(keepends=True)
        if not lines and head.startswith(content):
            lines = [head]
            self._add(head)
        if not lines or lines[0] != head:
            raise self._other(lines[0] if lines else content, head)
        batches = tuple([self._batch(line, place) for place, line in enumerate(lines[1:])])
        self._cut(self._end)
        return batches

    def _batch(self, line: bytes, place: int) -> Tally:
        said = _read_line(line)
        names = ("deal", *Tally._fields)
        if tuple(said) != names or [type(value) for value in said.values()] != [int] * len(names):
            raise self._damaged(place)
        deal, *numbers = said.values()
        batch = Tally(*numbers)
        if (deal, batch.deals) != (place * BATCH, BATCH) or not batch.possible(*self._extremes):
            raise self._damaged(place)
        return batch

    def _damaged(self, place: int) -> StorageError:
        hint = "nothing was changed: begin anew, under another name"
        return StorageError("arena.damaged", actual=f"{self.path}, line {place + 2}", hint=hint)

    def _other(self, found: bytes, head: bytes) -> StorageError:
        """Return the error for a first line that is not ours: one of another duel has all our fields, one otherwise."""
        said, ours = _read_line(found), _read_line(head)
        differing = [name for name in ours if name in said and said[name] != ours[name]]
        if said.get("format") != _FORMAT or said.keys() != ours.keys() or not differing:
            return self._damaged(-1)
        name = differing[0]
        what = _DIFFERING.get(name, f"the {name} differs")
        if name == "rules" and ours["game"] == ONEPOKER.name:
            # They are its only terms.
            what = "the lives differ"
        hint = f"go on with what is in it, or name another file: {what}"
        return StorageError(
            "arena.other-duel", expected=json.dumps(said[name]), actual=json.dumps(ours[name]), hint=hint
        )


def _line(said: Mapping[str, Any]) -> bytes:
    return json.dumps(said).encode() + b"\n"


def _read_line(line: bytes) -> dict[str, Any]:
    """Return the object on the line, an empty one if it is none."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}
