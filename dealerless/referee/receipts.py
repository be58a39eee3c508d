"""Receipts of witnesses as a file: what one reader of the board kept, to hold against a witness (VERDICT-6).

A magic line, then length-prefixed canonical arrays `[witness, session, seq, record, owing, at, signature]`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final

from ..encoding import decode, encode
from ..errors import DecodeError, Unattributed, UsageError, Violation
from ..protocol.events import Expelled
from ..protocol.records import encode_record, read_records
from ..protocol.state import State
from ..protocol.witness import RECEIPTS_MAGIC, Receipt, check_receipt, contradicted

MAGIC: Final = RECEIPTS_MAGIC

MAX_FORGED: Final = 64
"""Receipts of one witness for one number whose signature does not hold; an honest file has none."""


def encode_receipt(receipt: Receipt) -> bytes:
    """Return a receipt as one record of the file."""
    return encode_record(encode(tuple(receipt)))


def read_receipts(stream: BinaryIO) -> Iterator[Receipt]:
    """Yield the receipts of a file one by one; whether their signatures hold is for others to say.

    Raises UsageError `receipts.damaged` where it is not such a file, or not to its end.
    """
    number = 0
    try:
        for record in read_records(stream, MAGIC):
            match decode(record):
                case (
                    int(witness),
                    bytes(session),
                    int(seq),
                    bytes(digest),
                    int(owing),
                    int(at),
                    bytes(signature),
                ) if bool not in map(type, (witness, seq, owing, at)):
                    yield Receipt(witness, session, seq, digest, owing, at, signature)
                case _:
                    raise UsageError("receipts.damaged", actual=number)
            number += 1
    except (DecodeError, Unattributed) as error:
        raise UsageError("receipts.damaged", actual=number) from error


class ReceiptFile:
    """The receipts of an open file, read anew each time somebody goes through them, so that none stay in memory."""

    def __init__(self, stream: BinaryIO) -> None:
        """Take a seekable stream; raises UsageError `receipts.damaged` unless it is whole."""
        self._stream = stream
        stream.seek(0)
        if stream.read(len(MAGIC)) != MAGIC:
            raise UsageError("receipts.damaged", actual=0)
        for _ in self:
            pass

    def __iter__(self) -> Iterator[Receipt]:
        self._stream.seek(0)
        return read_receipts(self._stream)


def void_words(before: State, event: Expelled, receipts: Iterable[Receipt]) -> frozenset[tuple[int, int]]:
    """Return (seat, witness) of every no-show of an expulsion whose witness also signed a timely receipt (VERDICT-6).

    The receipt of the refused message that the expulsion is for is none of that: it is what made the seat owe. Of each
    witness no more than MAX_FORGED receipts for this number that do not hold are looked at.
    """
    match, seq = before.agreed, before.seq
    words = {(seat, word.witness): word for seat, absences in event.absent for word in absences}
    void: set[tuple[int, int]] = set()
    forged: dict[int, int] = {}
    for receipt in receipts:
        if receipt.seq != seq or receipt.record == event.record:
            continue
        places = [place for place in words.keys() - void if contradicted(match, seq, words[place], (receipt,))]
        if not places or forged.get(receipt.witness, 0) >= MAX_FORGED:
            continue
        if _genuine(before, receipt):
            void.update(places)
            if len(void) == len(words):
                break
        else:
            forged[receipt.witness] = forged.get(receipt.witness, 0) + 1
    return frozenset(void)


def _genuine(state: State, receipt: Receipt) -> bool:
    try:
        check_receipt(state.agreed, receipt)
    except Violation:
        return False
    return True
