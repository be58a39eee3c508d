"""Reading ahead: the judge's records, opened, with half of their signatures verified on a second thread.

Signature checks are most of an audit's work and need no state but the seat's key, while stepping is strictly in order.
The library lets go of the interpreter while it verifies, so a second thread gets through half of the signatures in the
time the judge spends on the other half. What is found never depends on it: a result that is not there is computed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import BinaryIO, Final

from ..crypto.ed25519 import VerifyKey
from ..errors import Unattributed
from ..protocol.machine import Opened, open_frame
from ..protocol.records import read_records

# Long enough that handing a batch over costs little a record, short enough that two batches of the largest records
# stay within 32 MiB.
BATCH: Final = 64

_Batch = list[Opened]


class Lookahead:
    """An iterator over a transcript's opened records; use it as a context manager.

    Its iteration raises Unattributed where a record cannot be read or opened, after all records before it. `keys` is to
    be set once they are known; until then, and for short files, nothing is done ahead.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self.keys: tuple[VerifyKey, ...] = ()
        self._records = read_records(stream)
        self._ended: Unattributed | None = None
        self._pool: ThreadPoolExecutor | None = None
        self._found: dict[bytes, bool] = {}

    def __enter__(self) -> Lookahead:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def __iter__(self) -> Iterator[Opened]:
        waiting: deque[tuple[_Batch, Future[dict[bytes, bool]] | None]] = deque()
        while True:
            while len(waiting) < 2 and (batch := self._read()):
                waiting.append((batch, self._hand_over(batch)))
            if not waiting:
                break
            batch, future = waiting.popleft()
            self._found = {} if future is None else future.result()
            yield from batch
        if self._ended is not None:
            raise self._ended

    def verified(self, opened: Opened, key: VerifyKey) -> bool:
        """Return whether the signature is this key's: from the second thread if it came to it, else checked here."""
        if self.keys and key is self.keys[opened.header.seat]:
            found = self._found.get(opened.signature + opened.record)
            if found is not None:
                return found
        return opened.verify(key)

    def _read(self) -> _Batch:
        """Return the next records, opened: one at a time until the keys are known, then a batch."""
        batch: _Batch = []
        if self._ended is not None:
            return batch
        try:
            for frame in islice(self._records, BATCH if self.keys else 1):
                batch.append(open_frame(frame))
        except Unattributed as end:
            self._ended = end
        return batch

    def _hand_over(self, batch: _Batch) -> Future[dict[bytes, bool]] | None:
        """Give every other record of a full batch to the second thread."""
        if len(batch) < BATCH:
            return None
        if self._pool is None:
            self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="dealerless-verify")
        return self._pool.submit(_verify, batch[::2], self.keys)


def _verify(batch: _Batch, keys: tuple[VerifyKey, ...]) -> dict[bytes, bool]:
    """Return by signature and body hash whether each record's signature is its own seat's."""
    return {
        opened.signature + opened.record: opened.verify(keys[opened.header.seat])
        for opened in batch
        if 0 <= opened.header.seat < len(keys)
    }
