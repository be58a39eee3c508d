"""Envelopes: an event with its session, place in the chain and seat, and the exact bytes that carry it.

A body is `[version, session, seq, seat, prev, kind, [fields]]`. Its first five elements, the header, can be read
leniently: a signed body that links but does not decode is its signer's fault, so the link must be readable even when
the rest is not (VERDICT-1).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import msgpack

from ..encoding import MAX_BYTES, decode_unread, encode
from ..errors import DecodeError, Unattributed
from .events import MAX_BODY, Event, decode_event
from .records import body_hash

VERSION: Final = 1
_ELEMENTS: Final = 7


class Header(NamedTuple):
    """Where a body says it belongs: protocol version, session (32 bytes), sequence number, seat, previous hash."""

    version: int
    session: bytes
    seq: int
    seat: int
    prev: bytes


class Envelope(NamedTuple):
    """A decoded body: its header, its event, the exact bytes, and their chain hash."""

    header: Header
    event: Event
    body: bytes
    record: bytes


def encode_body(session: bytes, seq: int, seat: int, prev: bytes, event: Event) -> bytes:
    """Return the canonical body that carries `event` at this place of the chain."""
    return encode((VERSION, session, seq, seat, prev, event.KIND, event.fields()))


def read_header(body: bytes) -> Header:
    """Return the first five elements of a body, canonical or not.

    Raises Unattributed when they cannot be read or have the wrong types: then nothing says whose body this is.
    """
    # No element is an array: nested array headers, for each of which room is made, are not followed.
    unpacker = msgpack.Unpacker(
        use_list=False, raw=False, max_buffer_size=MAX_BYTES, max_array_len=0, max_map_len=0, max_ext_len=0
    )
    try:
        unpacker.feed(body)
        size = unpacker.read_array_header()
        elements = [unpacker.unpack() for _ in range(5)] if size >= 5 else []
    except (ValueError, TypeError, RecursionError, MemoryError, OverflowError, SystemError, msgpack.OutOfData) as error:
        raise Unattributed("record.no-header") from error
    match elements:
        case [int(version), bytes(session), int(seq), int(seat), bytes(prev)] if bool not in map(
            type, (version, seq, seat)
        ):
            return Header(version=version, session=session, seq=seq, seat=seat, prev=prev)
    raise Unattributed("record.no-header")


def decode_body(body: bytes) -> Envelope:
    """Return the envelope of a body.

    Raises DecodeError when it is not canonical, has an unknown kind or ill-formed fields, or exceeds its kind's cap.
    What no kind may be is not even unpacked.
    """
    value = decode_unread(body, limit=MAX_BODY)
    if type(value) is not tuple or len(value) != _ELEMENTS:
        raise DecodeError("encoding.wrong-length", expected=_ELEMENTS)
    version, session, seq, seat, prev, kind, fields = value
    if not (
        type(version) is int
        and type(session) is bytes
        and type(seq) is int
        and type(seat) is int
        and type(prev) is bytes
    ):
        raise DecodeError("encoding.wrong-type")
    header = Header(version=version, session=session, seq=seq, seat=seat, prev=prev)
    return Envelope(header=header, event=decode_event(kind, fields, len(body)), body=body, record=body_hash(body))
