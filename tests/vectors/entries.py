"""One whole transcript among the vectors: what it shows, what is to be said of it, and how it is written.

One defect each. The expectation stands here in words and codes, never computed; `generate.py` writes the files.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .scribe import Scribe

Written = Scribe | bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One vector: `code` is the fault's or the damage's, `detail` the defect behind a `record.before-ready`."""

    name: str
    about: str
    expect: str
    code: str | None
    clause: str | None
    seat: int | None
    detail: str | None
    write: Callable[[], Written]

    def transcript(self) -> bytes:
        written = self.write()
        return written if isinstance(written, bytes) else written.bytes()


Writer = Callable[[], Written]


class Entries(list[Entry]):
    """The vectors of a kind of table, in the order in which they were added; a method for each thing to be said."""

    def clean(self, name: str, about: str, write: Writer) -> None:
        self._add(f"clean_{name}", about, write, "clean")

    def fault(self, name: str, code: str, clause: str, seat: int, about: str, write: Writer) -> None:
        self._add(name, about, write, "fault", code=code, clause=clause, seat=seat)

    def incomplete(self, name: str, about: str, write: Writer) -> None:
        self._add(f"incomplete_{name}", about, write, "incomplete")

    def damage(
        self, name: str, code: str, clause: str, about: str, write: Writer, *, detail: str | None = None
    ) -> None:
        self._add(name, about, write, "incomplete", code=code, clause=clause, detail=detail)

    def unreadable(
        self, name: str, code: str, clause: str, about: str, write: Writer, *, detail: str | None = None
    ) -> None:
        self._add(name, about, write, "unreadable", code=code, clause=clause, detail=detail)

    def _add(
        self,
        name: str,
        about: str,
        write: Writer,
        expect: str,
        *,
        code: str | None = None,
        clause: str | None = None,
        seat: int | None = None,
        detail: str | None = None,
    ) -> None:
        self.append(
            Entry(
                name=name,
                about=about,
                expect=expect,
                code=code,
                clause=clause,
                seat=seat,
                detail=detail,
                write=write,
            )
        )


ENTRIES = Entries()
"""Those whose cards come from seeds; the ones of a deck and of a shoe stand where they are written."""

clean, fault = ENTRIES.clean, ENTRIES.fault
incomplete, damage, unreadable = ENTRIES.incomplete, ENTRIES.damage, ENTRIES.unreadable
