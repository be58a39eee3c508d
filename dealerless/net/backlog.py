"""The journal as connections read it: by place, from any place on, and by what stood before a place.

Each connection has a cursor into it, so that sending needs no queue: a peer that does not read costs nothing
here, and one that comes back after a day gets what it missed.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import Final

from ..journal.journal import Journal
from ..protocol.envelope import read_header
from ..protocol.records import ZERO_HASH, body_hash, decode_frame

_RECENT: Final = 64
"""Frames kept in memory, whose duplicates are known; older ones are read from the file again."""


class Backlog:
    """All frames of a match so far, refused ones included, in the order in which they came. ENC-5."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        # For every record, how many frames of the chain stood before it.
        self._counts = array("Q")
        self._recent: deque[tuple[bytes, bytes, object]] = deque(maxlen=_RECENT)

    def __len__(self) -> int:
        return len(self._counts)

    def restored(self) -> Iterator[bytes]:
        """Yield the frames an earlier process wrote; `note` each."""
        return self._journal.records()

    def append(self, frame: bytes, count: int, source: object) -> None:
        """Return once a frame is on the disk, `count` frames of the chain before it. Raises StorageError."""
        self._journal.append(frame)
        self.note(frame, count, source)

    def note(self, frame: bytes, count: int, source: object) -> None:
        """Take up a frame that is on the disk; `source` is what it came from, or None."""
        self._counts.append(count)
        self._recent.append((frame, body_hash(decode_frame(frame)[0]), source))

    def knows(self, body: bytes) -> bool:
        """Return whether a body is that of one of the latest frames."""
        digest = body_hash(body)
        return any(digest == known for _, known, _ in self._recent)

    def place(self, count: int) -> int:
        """Return where to go on sending to somebody who has `count` frames of the chain."""
        return bisect_left(self._counts, count)

    def read(self, place: int, but_from: object) -> Iterator[tuple[int, bytes]]:
        """Yield the frames from `place` to the present end, each with the next place, without those from there."""
        # Taken now: while the reader waits for its peer, newer frames push older ones out of memory.
        recent = list(self._recent)
        first = len(self) - len(recent)
        if place < first:
            yield from enumerate(islice(self._journal.records(place), first - place), start=place + 1)
        place = max(place, first)
        for number, (frame, _, source) in enumerate(recent[place - first :], start=place + 1):
            if source is None or source is not but_from:
                yield number, frame

    def head_at(self, count: int, head: bytes) -> bytes:
        """Return the hash of the last of the first `count` frames of the chain, `head` being the present one's.

        `count` is at most what the chain has now.
        """
        if count == 0:
            return ZERO_HASH
        # Of the records at one place of the chain the last one counts: those before it were refused.
        index = bisect_right(self._counts, count) - 1
        if self._counts[index] < count:
            return head
        header = read_header(decode_frame(next(self._journal.records(index)))[0])
        # A proof of equivocation stands where it was written down, and nothing continues the chain there yet.
        return header.prev if header.seq == count else head
