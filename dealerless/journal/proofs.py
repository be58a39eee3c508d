"""Proofs of equivocation that wait beside a journal until their author owes a message. CHAIN-5, ENC-5.

The chain has no place for such a frame yet, and the peer that signed it will not send it again: so it is on the disk
before anybody is told of it, in a transcript's format, and goes when the journal holds it or it is of no use any more.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

from ..protocol.envelope import read_header
from ..protocol.records import decode_frame
from .journal import Journal


class Proofs:
    """The proofs kept beside the journal at `transcript`, one for each message that was signed twice."""

    def __init__(self, transcript: Path) -> None:
        self.path: Final = transcript.with_name(transcript.name + ".proofs")
        # By seat and by the previous hash on which it signed twice.
        self._frames: dict[tuple[int, bytes], bytes] = {}

    @property
    def frames(self) -> tuple[bytes, ...]:
        """The proofs that are kept now, in the order in which they came."""
        return tuple(self._frames.values())

    def restored(self) -> tuple[bytes, ...]:
        """Return what an earlier process kept; `note` what is of use still. Raises StorageError."""
        if not self.path.exists():
            return ()
        with Journal.open(self.path) as file:
            return tuple(file.records())

    def keep(self, frame: bytes) -> bool:
        """Return, once a proof is on the disk, whether it is the first one against its author. Raises StorageError."""
        place = _place(frame)
        if place in self._frames:
            return False
        first = all(seat != place[0] for seat, _ in self._frames)
        with Journal.open(self.path) if self.path.exists() else Journal.create(self.path) as file:
            file.append(frame)
        self._frames[place] = frame
        return first

    def note(self, frame: bytes) -> None:
        """Take up a proof that is on the disk."""
        self._frames[_place(frame)] = frame

    def served(self, seat: int) -> None:
        """Forget the proofs against a seat that the journal convicts; the last to go takes the file along."""
        for place in [place for place in self._frames if place[0] == seat]:
            del self._frames[place]
        if not self._frames:
            self.clear()

    def clear(self) -> None:
        """Forget all proofs and remove their file: nothing is left for them to prove."""
        self._frames.clear()
        with suppress(FileNotFoundError):
            self.path.unlink()


def _place(frame: bytes) -> tuple[int, bytes]:
    header = read_header(decode_frame(frame)[0])
    return header.seat, header.prev
