"""Transcripts in which a signed body does not decode: its signer is at fault (ENC-2, VERDICT-1)."""

from __future__ import annotations

from collections.abc import Callable

import msgpack

from dealerless.encoding import encode
from dealerless.protocol.events import (
    Acted,
    HandStarted,
    LayoutOpened,
)

from .entries import fault
from .scribe import Scribe, at_bet, widened


def _call(scribe: Scribe) -> bytes:
    """The body of seat 0's call with raw msgpack in the place of its amount."""
    return scribe.body(0, Acted(move="CALL", amount=10))


def _encoding(name: str, code: str, about: str, spoil: Callable[[bytes], bytes], clause: str = "ENC-2") -> None:
    def write() -> Scribe:
        scribe = at_bet(name)
        return scribe.forge(0, spoil(_call(scribe)))

    fault(f"encoding_{name}", code, clause, 0, about, write)


def _amount(raw: bytes) -> Callable[[bytes], bytes]:
    """Put raw bytes where the amount 10 stands, before the empty bin that ends the body."""

    def spoil(body: bytes) -> bytes:
        assert body[-3:] == b"\x0a\xc4\x00"
        return body[:-3] + raw + body[-2:]

    return spoil


def _fields(*fields: object) -> Callable[[bytes], bytes]:
    def spoil(body: bytes) -> bytes:
        value = msgpack.unpackb(body, use_list=False)
        return encode((*value[:6], fields))

    return spoil


_encoding("non-canonical", "encoding.non-canonical", "10 in two bytes.", _amount(b"\xcc\x0a"))
_encoding("non-canonical-array", "encoding.non-canonical", "The array's length in two bytes.", widened)
_encoding(
    "non-canonical-header",
    "encoding.non-canonical",
    "The version in two bytes: the header can be read all the same.",
    lambda body: body[:1] + b"\xcc" + body[1:],
)
_encoding(
    "wrong-length-body",
    "encoding.wrong-length",
    "A body of six elements.",
    lambda body: encode(msgpack.unpackb(body, use_list=False)[:6]),
)
_encoding(
    "wrong-length-body-8",
    "encoding.wrong-length",
    "A body of eight elements.",
    lambda body: encode((*msgpack.unpackb(body, use_list=False), 0)),
)
_encoding(
    "wrong-type-fields",
    "encoding.wrong-type",
    "No array of fields.",
    lambda body: encode((*msgpack.unpackb(body, use_list=False)[:6], 10)),
)
_encoding(
    "non-canonical-text",
    "encoding.non-canonical",
    "CALL with its length in a byte of its own.",
    lambda body: body.replace(b"\xa4CALL", b"\xd9\x04CALL"),
)
_encoding("malformed-trailing", "encoding.malformed", "A byte too many.", lambda body: body + b"\xc0")
_encoding("malformed-cut", "encoding.malformed", "A byte too few.", lambda body: body[:-1])
_encoding("malformed-map", "encoding.malformed", "A map for an amount.", _amount(b"\x81\x01\x0a"))
_encoding("malformed-ext", "encoding.malformed", "An extension for an amount.", _amount(b"\xd4\x01\x0a"))
_encoding(
    "malformed-text",
    "encoding.malformed",
    "A text that is not UTF-8.",
    lambda body: body.replace(b"CALL", b"CAL\xff"),
)
_encoding(
    "malformed-surrogate",
    "encoding.malformed",
    "A text that holds half of a surrogate pair.",
    lambda body: body.replace(b"\xa4CALL", b"\xa3\xed\xa0\x80"),
)
_encoding("wrong-type-nil", "encoding.wrong-type", "Nil for an amount.", _amount(b"\xc0"))
_encoding("wrong-type-float", "encoding.wrong-type", "10.0 for an amount.", _amount(b"\xcb\x40\x24" + bytes(6)))
_encoding("wrong-type-bool", "encoding.wrong-type", "True for an amount.", _amount(b"\xc3"))
_encoding("wrong-type-bin", "encoding.wrong-type", "The move as bin.", _fields(b"CALL", 10, b""))
_encoding("wrong-length", "encoding.wrong-length", "A field too few.", _fields("CALL", 10))
_encoding("wrong-length-text", "encoding.wrong-length", "A move of nine letters.", _fields("CALLCALLX", 10, b""))
_encoding(
    "wrong-type-nested",
    "encoding.wrong-type",
    "Ten arrays in one another for an amount.",
    _amount(b"\x91" * 10 + b"\x0a"),
)
_encoding(
    "unknown-kind",
    "encoding.unknown-kind",
    "A kind of message that is not.",
    lambda body: body.replace(b"\xa3act", b"\xa3aet"),
)
_encoding("too-large", "encoding.too-large", "A call of 1,100 bytes.", _fields("A" * 980, 10, b""), clause="ENC-6")
fault(
    "encoding_wrong-length-seed",
    "encoding.wrong-length",
    "ENC-2",
    0,
    "A layout seed of 33 bytes.",
    lambda: (s := Scribe("long seed").due(until=LayoutOpened)).forge(0, s.body(0, kind="layout", fields=(bytes(33),))),
)
fault(
    "encoding_out-of-range",
    "encoding.out-of-range",
    "ENC-6",
    0,
    "A negative stack at a hand's start.",
    lambda: (
        Scribe("negative stack")
        .due(until=HandStarted)
        .wrong(0, HandStarted(number=1, button=0, stacks=(-60, 180), net=(0, 0)))
    ),
)
