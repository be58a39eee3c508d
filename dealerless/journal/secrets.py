"""The secrets file: a player's own seeds of one match, each on the disk before anybody hears of it. ENC-5,
COMMIT.

A commitment whose seed is lost is a forfeit, and a seed used twice tells its cards. So a seed is made once,
synced, and only then given out; asked again, after a crash too, the file answers with the same one.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final, NoReturn, Self

from ..encoding import Value, decode, encode
from ..errors import DecodeError, StorageError, UsageError
from .recordfile import RecordFile

SEED_BYTES: Final = 32
# What the seed is for, with a number where one hand needs it more than once.
_PURPOSE: Final = re.compile(r"[a-z]{1,16}(\.[0-9]{1,4})?")
# Each record ends with a digest over itself and the digest before it. Otherwise a seed with one wrong bit, or
# a record gone from the middle, would be noticed only when a commitment fails to open, and that is a forfeit.
_CHECK_BYTES: Final = 16


class SecretsFile(RecordFile):
    """The seeds of one seat in one match, by hand and purpose, in a file that only its owner can read.

    A new match takes a new file. The seeds are never printed, pickled or copied.
    """

    _kind = "secrets"
    _magic = b"dealerless secrets 1\n"
    _secret = True
    _remedy = "a seed that is lost cannot be opened, and the hand is forfeited: put back a copy"

    def __init__(self, path: Path, descriptor: int) -> None:
        super().__init__(path, descriptor)
        self._seeds: dict[tuple[int, str], bytes] = {}
        self._used: set[bytes] = set()
        self._last_check = b""
        self._random: Callable[[int], bytes] = os.urandom

    @classmethod
    def create(cls, path: str | os.PathLike[str], *, random: Callable[[int], bytes] = os.urandom) -> Self:
        """Return a new, empty secrets file of mode 0600 under a name that no file has.

        `random` returns that many fresh bytes; the operating system's if not given (COMMIT-1). Raises
        StorageError `secrets.exists`, `secrets.inaccessible` or `secrets.write-failed`.
        """
        made = super().create(path)
        made._random = random
        return made

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, random: Callable[[int], bytes] = os.urandom) -> Self:
        """Return an existing secrets file to go on with; a seed cut short by a crash was never given out.

        Raises StorageError `secrets.missing`, `secrets.not-a-file`, `secrets.open-to-others`,
        `secrets.locked`, `secrets.inaccessible`, or `secrets.damaged` when anything but the last record is
        not as it was written.
        """
        try:
            opened = super().open(path)
        except StorageError as error:
            if error.code == "secrets.missing":
                error.hint = "put it back: without it the seeds committed to cannot be opened"
            raise
        opened._random = random
        try:
            opened._load()
        except BaseException:
            opened.close()
            raise
        return opened

    def seed(self, hand: int, purpose: str) -> bytes:
        """Return the 32-byte seed of this hand and purpose, always the same one, after it is on the disk.

        Raises StorageError `secrets.write-failed`, or `secrets.repeated-seed` when the source of randomness gives
        a seed that is in the file already; no seed is given out then. COMMIT-1, COMMIT-3, ENC-5.
        """
        if type(hand) is not int or hand < 0 or _PURPOSE.fullmatch(purpose) is None:
            raise UsageError("usage.bad-value", actual=(hand, purpose))
        known = self.known(hand, purpose)
        if known is not None:
            return known
        fresh = self._random(SEED_BYTES)
        if len(fresh) != SEED_BYTES:
            raise UsageError("usage.bad-value", expected=SEED_BYTES, actual=len(fresh))
        if fresh in self._used:
            hint = "the system's source of randomness cannot be trusted; do not play on this machine"
            raise StorageError("secrets.repeated-seed", hint=hint)
        check = _check(self._last_check, hand, purpose, fresh)
        self._append(encode((hand, purpose, fresh, check)))
        self._keep(hand, purpose, fresh, check)
        return fresh

    def fresh(self, size: int) -> bytes:
        """Return so many new bytes from the operating system; they are not kept (DECK-10)."""
        return self._random(size)

    def known(self, hand: int, purpose: str) -> bytes | None:
        """Return the seed if it is in the file, else None; the file stays as it is."""
        return self._seeds.get((hand, purpose))

    def _check_record(self, record: bytes) -> None:
        _decode(record)

    def _load(self) -> None:
        for index, record in enumerate(self._records()):
            hand, purpose, seed, check = _decode(record)
            if check != _check(self._last_check, hand, purpose, seed) or (hand, purpose) in self._seeds:
                self._damaged(f"record {index}", "a seed is not the one that was written, or some are gone")
            self._keep(hand, purpose, seed, check)

    def _keep(self, hand: int, purpose: str, seed: bytes, check: bytes) -> None:
        self._last_check = check
        self._used.add(seed)
        self._seeds[hand, purpose] = seed

    def __reduce__(self) -> NoReturn:
        raise TypeError("secrets are neither pickled nor copied")


def _decode(record: bytes) -> tuple[int, str, bytes, bytes]:
    value: Value = decode(record)
    match value:
        case (int(hand), str(purpose), bytes(seed), bytes(check)) if type(hand) is int:
            if len(seed) == SEED_BYTES and len(check) == _CHECK_BYTES:
                return hand, purpose, seed, check
    raise DecodeError("encoding.wrong-type")


def _check(last: bytes, hand: int, purpose: str, seed: bytes) -> bytes:
    return hashlib.sha256(last + encode((hand, purpose, seed))).digest()[:_CHECK_BYTES]
