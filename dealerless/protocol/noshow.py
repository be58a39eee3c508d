"""A witness's word that a seat let its time run out, as a message carries it; `witness` says what it is worth."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import DecodeError
from .limits import MAX_TIME, MAX_WITNESSES
from .readers import binary, integer

_MILLISECONDS = integer(0, MAX_TIME * 1000)


class NoShow(NamedTuple):
    """A witness's word that a seat let its time run out (VERDICT-6); times in milliseconds on the witness's clock.

    `witness` is its place in the offer, `since` when the message that made the seat owe was posted, `bank` what the
    seat had left of its time bank then, `at` when the witness signed. `receipt` is its signature on what made the seat
    owe, `signature` the one on the no-show.
    """

    witness: int
    since: int
    bank: int
    at: int
    receipt: bytes
    signature: bytes


def read_no_show(value: object) -> NoShow:
    """Return the no-show in a decoded array of its fields; raises DecodeError for a wrong type, length or range."""
    if type(value) is not tuple:
        raise DecodeError("encoding.wrong-type", expected="array", actual=type(value).__name__)
    if len(value) != len(_NO_SHOW):
        raise DecodeError("encoding.wrong-length", expected=len(_NO_SHOW), actual=len(value))
    return NoShow(*[read(item) for read, item in zip(_NO_SHOW, value, strict=True)])


_NO_SHOW = (
    integer(0, MAX_WITNESSES - 1),
    _MILLISECONDS,
    _MILLISECONDS,
    _MILLISECONDS,
    binary(64),
    binary(64),
)
