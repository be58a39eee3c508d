"""The transcript file: a magic line, then length-prefixed frames; and the frame itself (ENC-3, ENC-5).

Pure functions over bytes and binary streams that the caller opened. A frame is the canonical array
`[body, signature]`, both bin; body and signature are carried, hashed and verified as exactly these bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final

from ..encoding import MAX_BYTES, decode_unread, encode
from ..errors import DecodeError, Unattributed

MAGIC: Final = b"dealerless transcript 1\n"
LENGTH_BYTES: Final = 4

# Domain tags: what is signed or hashed for one purpose can never be taken for another (SIG-3).
FRAME_TAG: Final = b"dealerless/1 frame\x00"
CHAIN_TAG: Final = b"dealerless/1 chain\x00"
SESSION_TAG: Final = b"dealerless/1 session\x00"

ZERO_HASH: Final = bytes(32)

# ENC-6: no kind's cap comes near this; a longer record is damage and is never read.
MAX_RECORD: Final = MAX_BYTES
_SIGNATURE_BYTES: Final = 64


def body_hash(body: bytes) -> bytes:
    """Return the 32-byte chain hash of a body: SHA-256(CHAIN_TAG || body). ENC-3."""
    return hashlib.sha256(CHAIN_TAG + body).digest()


def session_id(opening_hashes: tuple[bytes, ...]) -> bytes:
    """Return the session id from the body hashes of the offer and all acceptances, in seat order. ENC-4."""
    return hashlib.sha256(SESSION_TAG + b"".join(opening_hashes)).digest()


def signed_text(body: bytes) -> bytes:
    """Return the bytes a frame's signature is over. SIG-3."""
    return FRAME_TAG + body


def encode_frame(body: bytes, signature: bytes) -> bytes:
    """Return the frame that carries `body` and its 64-byte `signature`."""
    return encode((body, signature))


def decode_frame(frame: bytes) -> tuple[bytes, bytes]:
    """Return (body, signature) of a frame.

    Raises Unattributed: a record that is not a frame has no signature and blames nobody.
    """
    try:
        value = decode_unread(frame, limit=MAX_RECORD)
    except DecodeError as error:
        raise Unattributed("record.not-a-frame", actual=error.code) from error
    if type(value) is not tuple or len(value) != 2:
        raise Unattributed("record.not-a-frame")
    body, signature = value
    if type(body) is not bytes or type(signature) is not bytes or len(signature) != _SIGNATURE_BYTES:
        raise Unattributed("record.not-a-frame")
    return body, signature


def encode_record(frame: bytes) -> bytes:
    """Return `frame` with its 4-byte big-endian length in front, as it stands in a file and on a wire."""
    return len(frame).to_bytes(LENGTH_BYTES, "big") + frame


def encode_transcript(frames: Iterable[bytes]) -> bytes:
    """Return the bytes of a transcript file that holds these frames."""
    return MAGIC + b"".join([encode_record(frame) for frame in frames])


def read_records(stream: BinaryIO, magic: bytes = MAGIC) -> Iterator[bytes]:
    """Yield the frames of a transcript, one at a time, reading no more than one record ahead.

    Other files of records differ by their `magic` line only.

    Raises Unattributed `record.not-a-transcript` when the magic line is missing, `record.too-large` before anything of
    that size is read, and `record.truncated` when the stream ends inside the magic line or a record. A clean end is the
    iterator's end; an empty stream is a transcript cut before its first byte.
    """
    found = _read(stream, len(magic))
    if not found:
        return
    if found != magic:
        raise Unattributed("record.truncated" if magic.startswith(found) else "record.not-a-transcript")
    while True:
        prefix = _read(stream, LENGTH_BYTES)
        if not prefix:
            return
        if len(prefix) < LENGTH_BYTES:
            raise Unattributed("record.truncated")
        size = int.from_bytes(prefix, "big")
        if not 0 < size <= MAX_RECORD:
            raise Unattributed("record.too-large", expected=MAX_RECORD, actual=size)
        frame = _read(stream, size)
        if len(frame) < size:
            raise Unattributed("record.truncated")
        yield frame


def _read(stream: BinaryIO, size: int) -> bytes:
    """Return `size` bytes, fewer only at the end of the stream (a raw stream may give less at a time)."""
    data = stream.read(size)
    if len(data) == size or not data:
        return data
    parts = [data]
    missing = size - len(data)
    while missing and (more := stream.read(missing)):
        parts.append(more)
        missing -= len(more)
    return b"".join(parts)
