"""What is said between a witness and whoever comes to its board, as bytes. WITNESS-2.

After the witness's greeting (`hello`, as "witness") the other side asks and the witness answers, one after the other.
Each message is one canonical array in a record; frames and receipts follow in records of their own.

    ["read", offer, seq]                      ["board", n, seq, head, absent, seat, left], then n frames
    ["post", offer], then a frame             ["receipt", ...], or ["none", code]
    ["no-show", offer, seq, head, seat]       ["no-show", ...], or ["none", code]
    ["receipts", offer, place]                ["receipts", n], then n receipts, MOST_RECEIPTS at most

Pure functions, bytes in and bytes out.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ..encoding import Value, decode, encode
from ..errors import DecodeError, TransportError
from ..protocol.noshow import NoShow, read_no_show
from ..protocol.witness import Receipt, read_receipt
from ..referee.board import Clock

MAX_MESSAGE: Final = 1024
"""The largest of these takes some 250 bytes."""

MOST: Final = 2**32
"""More frames or receipts than any match has."""

MOST_RECEIPTS: Final = 256
"""In one answer; whoever wants more asks again from there on."""

# The seat of an answer when nobody's clock runs.
_NOBODY: Final = -1


class Read(NamedTuple):
    """Wants the frames of a match behind its first `seq` messages."""

    offer: bytes
    seq: int


class Post(NamedTuple):
    """Brings a frame, which follows, for the match of this offer."""

    offer: bytes


class AskNoShow(NamedTuple):
    """Wants the no-show of a seat that owed message `seq` behind `head`."""

    offer: bytes
    seq: int
    head: bytes
    seat: int


class AskReceipts(NamedTuple):
    """Wants the next receipts of a match, from the one at `place` on."""

    offer: bytes
    place: int


Request = Read | Post | AskNoShow | AskReceipts

_WORDS: Final[dict[type[Request], str]] = {
    Read: "read",
    Post: "post",
    AskNoShow: "no-show",
    AskReceipts: "receipts",
}


class Posted(NamedTuple):
    """How a match stands on a board: messages, last hash, no-shows for the next one, and the clock of who owes it.

    `frames` is how many records follow.
    """

    frames: int
    seq: int
    head: bytes
    absent: int
    clock: Clock | None


def request(asked: Request) -> bytes:
    """Return the bytes of a request."""
    return encode((_WORDS[type(asked)], *asked))


def read_request(data: bytes) -> Request:
    """Return what is asked for; raises TransportError `transport.malformed`."""
    match _decode(data):
        case ("read", bytes(offer), int(seq)) if _fit(seq, offer):
            return Read(offer, seq)
        case ("post", bytes(offer)) if _fit(0, offer):
            return Post(offer)
        case ("no-show", bytes(offer), int(seq), bytes(head), int(seat)) if _fit(seq, offer, head) and _fit(seat):
            return AskNoShow(offer, seq, head, seat)
        case ("receipts", bytes(offer), int(place)) if _fit(place, offer):
            return AskReceipts(offer, place)
    raise TransportError("transport.malformed")


def posted(answer: Posted) -> bytes:
    """Return the answer to `Read`; its frames follow."""
    frames, seq, head, absent, clock = answer
    seat, left = (_NOBODY, 0) if clock is None else (clock.seat, clock.left)
    return encode(("board", frames, seq, head, absent, seat, left))


def read_posted(data: bytes) -> Posted | str:
    """Return how the match stands there, or the code of why not; raises TransportError `transport.malformed`."""
    match _decode(data):
        case ("board", int(frames), int(seq), bytes(head), int(absent), int(seat), int(left)) if (
            _fit(frames) and _fit(seq, head) and _fit(absent) and type(seat) is int and type(left) is int
        ):
            clock = None if seat < 0 else Clock(seq, head, seat, left)
            return Posted(frames, seq, head, absent, clock)
        case ("none", str(code)):
            return code
    raise TransportError("transport.malformed")


def receipt(word: Receipt) -> bytes:
    """Return the answer to a `Post` that was taken."""
    return encode(("receipt", *word))


def read_receipt_answer(data: bytes) -> Receipt | str:
    """Return the receipt, or the code of why there is none; raises TransportError `transport.malformed`."""
    match _decode(data):
        case ("receipt", *fields):
            try:
                return read_receipt(tuple(fields))
            except DecodeError as error:
                raise TransportError("transport.malformed", actual=error.code) from error
        case ("none", str(code)):
            return code
    raise TransportError("transport.malformed")


def no_show(word: NoShow) -> bytes:
    """Return the answer to an `AskNoShow` whose seat let its time run out."""
    return encode(("no-show", *word))


def read_no_show_answer(data: bytes) -> NoShow | str:
    """Return the no-show, or the code of why there is none; raises TransportError `transport.malformed`."""
    match _decode(data):
        case ("no-show", *fields):
            try:
                return read_no_show(tuple(fields))
            except DecodeError as error:
                raise TransportError("transport.malformed", actual=error.code) from error
        case ("none", str(code)):
            return code
    raise TransportError("transport.malformed")


def receipts(count: int) -> bytes:
    """Return the answer to `AskReceipts`; so many receipts follow."""
    return encode(("receipts", count))


def read_receipts_answer(data: bytes) -> int | str:
    """Return how many receipts follow, or the code of why none; raises TransportError `transport.malformed`."""
    match _decode(data):
        case ("receipts", int(count)) if _fit(count):
            return count
        case ("none", str(code)):
            return code
    raise TransportError("transport.malformed")


def none(code: str) -> bytes:
    """Return the answer that there is nothing, and why."""
    return encode(("none", code))


def _fit(number: int, *hashes: bytes) -> bool:
    # A bool is an int to `match`, but not here.
    return type(number) is int and 0 <= number < MOST and all(len(digest) == 32 for digest in hashes)


def _decode(data: bytes) -> Value:
    try:
        return decode(data, limit=MAX_MESSAGE)
    except DecodeError as error:
        raise TransportError("transport.malformed", actual=error.code) from error
