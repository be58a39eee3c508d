"""Readers of fields: each checks the exact type and range of a decoded value and nothing else (ENC-2, ENC-4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import DecodeError

Reader = Callable[[Any], Any]


def integer(least: int, most: int) -> Reader:
    """Return the reader of an int from `least` to `most`."""

    def read(value: object) -> int:
        if type(value) is not int:
            raise DecodeError("encoding.wrong-type", expected="int", actual=type(value).__name__)
        if not least <= value <= most:
            raise DecodeError("encoding.out-of-range", expected=(least, most), actual=value)
        return value

    return read


def binary(*lengths: int) -> Reader:
    """Return the reader of a bin of one of these lengths, in bytes."""

    def read(value: object) -> bytes:
        if type(value) is not bytes:
            raise DecodeError("encoding.wrong-type", expected="bin", actual=type(value).__name__)
        if len(value) not in lengths:
            raise DecodeError("encoding.wrong-length", expected=lengths, actual=len(value))
        return value

    return read


def points(per: int, least: int, most: int) -> Reader:
    """Return the reader of a bin of `least` to `most` items, each of `per` elements of 32 bytes."""

    def read(value: object) -> bytes:
        if type(value) is not bytes:
            raise DecodeError("encoding.wrong-type", expected="bin", actual=type(value).__name__)
        items, odd = divmod(len(value), 32 * per)
        if odd or not least <= items <= most:
            raise DecodeError("encoding.wrong-length", expected=(32 * per * least, 32 * per * most), actual=len(value))
        return value

    return read


def text(most: int) -> Reader:
    """Return the reader of a str of at most `most` characters."""

    def read(value: object) -> str:
        if type(value) is not str:
            raise DecodeError("encoding.wrong-type", expected="str", actual=type(value).__name__)
        if len(value) > most:
            raise DecodeError("encoding.wrong-length", expected=most, actual=len(value))
        return value

    return read


def array(read_item: Reader, least: int, most: int) -> Reader:
    """Return the reader of an array of `least` to `most` items, each read by `read_item`."""

    def read(value: object) -> tuple[Any, ...]:
        if type(value) is not tuple:
            raise DecodeError("encoding.wrong-type", expected="array", actual=type(value).__name__)
        if not least <= len(value) <= most:
            raise DecodeError("encoding.wrong-length", expected=(least, most), actual=len(value))
        return tuple([read_item(item) for item in value])

    return read


def pair(first: Reader, second: Reader) -> Reader:
    """Return the reader of an array of two."""

    def read(value: object) -> tuple[Any, Any]:
        if type(value) is not tuple:
            raise DecodeError("encoding.wrong-type", expected="array", actual=type(value).__name__)
        if len(value) != 2:
            raise DecodeError("encoding.wrong-length", expected=2, actual=len(value))
        return first(value[0]), second(value[1])

    return read


def scalar(value: object) -> bool | int | str:
    """Return a value of the terms: a bool, an int or a str; raises DecodeError for another."""

    if type(value) is not bool and type(value) is not int and type(value) is not str:
        raise DecodeError("encoding.wrong-type", expected="bool, int or str", actual=type(value).__name__)
    return value
