"""Canonical bytes: the strict msgpack profile of ENC-1 and ENC-2.

`encode` and `decode` are inverse to each other: there is one byte string for every value and one value for
every byte string that `decode` accepts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgpack

from .errors import DecodeError

Value = bool | int | str | bytes | tuple["Value", ...]

# A frame of the largest kind (ENC-6). Nothing larger is ever unpacked.
MAX_BYTES: Final = 256 * 1024
# A body nests three deep at most today; 8 leaves room and is far below any recursion limit (ENC-2).
MAX_DEPTH: Final = 8
# No message has an array this long. msgpack makes room for an array when it reads its length, so a thousand
# nested headers would otherwise ask for gigabytes before the bytes run out.
MAX_ITEMS: Final = 4096

# What msgpack raises on hostile bytes: its own exceptions are ValueErrors, and it is known to leak the
# others.
_UNPACK_ERRORS: Final = (ValueError, TypeError, RecursionError, MemoryError, OverflowError, SystemError)

# Of bytes that are not canonical, and of those in their place, from the first that differs.
_SHOWN: Final = 8

_INT_MIN: Final = -(2**63)
_INT_MAX: Final = 2**64 - 1


def encode(value: object) -> bytes:
    """Return the canonical bytes of `value` (bool, int in [-2^63, 2^64), str, bytes, or tuples of these).

    Raises DecodeError for anything else: a value that could not be decoded again is never encoded. ENC-1.
    """
    _check(value, 0)
    packed: bytes = _PACK(value)
    return packed


def decode(data: bytes, *, limit: int = MAX_BYTES) -> Value:
    """Return the one value whose canonical encoding is `data`, arrays as tuples.

    `limit` is the size cap in bytes, looked at before anything is unpacked. Raises DecodeError, whatever the
    msgpack library raises inside. ENC-1, ENC-2.
    """
    value: Value = decode_unread(data, limit=limit)
    _check(value, 0)
    return value


def decode_unread(data: bytes, *, limit: int = MAX_BYTES) -> Any:
    """Return what `decode` returns, but with types still unread: for callers who check the type of every element.

    Canonical it is; but floats, None and empty maps may still be in it, and any depth msgpack itself allows. Raises
    DecodeError as `decode` does.
    """
    if len(data) > limit:
        raise DecodeError("encoding.too-large", expected=limit, actual=len(data))
    try:
        value = msgpack.unpackb(
            data,
            use_list=False,
            raw=False,
            strict_map_key=True,
            max_str_len=limit,
            max_bin_len=limit,
            max_array_len=MAX_ITEMS,
            max_map_len=0,
            max_ext_len=0,
        )
        canonical = _PACK(value)
    except _UNPACK_ERRORS as error:
        raise DecodeError("encoding.malformed", expected=_whole(data), actual=len(data)) from error
    if canonical != data:
        place = next((at for at, byte in enumerate(canonical) if data[at : at + 1] != bytes([byte])), len(canonical))
        expected, actual = [bytes_[place : place + _SHOWN] for bytes_ in (canonical, data)]
        raise DecodeError("encoding.non-canonical", expected=(place, expected), actual=(place, actual))
    return value


def first_length(data: bytes) -> int | None:
    """Return how many bytes the first value in `data` takes, or None if `data` ends inside it.

    The value need not be canonical. Raises DecodeError if no value can begin so.
    """
    unpacker = msgpack.Unpacker(max_buffer_size=max(len(data), 1))
    unpacker.feed(data)
    try:
        unpacker.skip()
    except msgpack.OutOfData:
        return None
    except _UNPACK_ERRORS as error:
        raise DecodeError("encoding.malformed") from error
    length: int = unpacker.tell()
    return length


def _check(value: Any, depth: int) -> None:
    kind = type(value)
    if kind is tuple:
        if depth >= MAX_DEPTH:
            raise DecodeError("encoding.too-deep", expected=MAX_DEPTH)
        if len(value) > MAX_ITEMS:
            raise DecodeError("encoding.wrong-length", expected=MAX_ITEMS, actual=len(value))
        for item in value:
            _check(item, depth + 1)
    elif kind is int:
        if not _INT_MIN <= value <= _INT_MAX:
            raise DecodeError("encoding.out-of-range")
    elif kind is str:
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise DecodeError("encoding.malformed") from error
    elif kind is not bytes and kind is not bool:
        raise DecodeError("encoding.wrong-type", actual=kind.__name__)


def _whole(data: bytes) -> int | None:
    """Return how long the one value would have been, where bytes follow it; None where none begins or ends here."""
    try:
        return first_length(data)
    except DecodeError:
        return None


_PACK: Final[Callable[[object], bytes]] = msgpack.Packer(use_bin_type=True).pack
