"""WIRE-2, WIRE-3: the bytes by which two sides meet, against encodings made by hand."""

from __future__ import annotations

import msgpack
import pytest

from dealerless.errors import TransportError
from dealerless.net import hello

from .scribe import KEYS, fixed

CERTIFICATE, CHALLENGE, HEAD = fixed("certificate"), fixed("challenge"), fixed("head")
TAG = b"dealerless/1 channel\x00"


def packed(value: list[object]) -> bytes:
    data: bytes | None = msgpack.packb(value)
    assert data is not None
    return data


HELD = hello.Held(session=fixed("session"), count=9, head=HEAD)


def test_the_greeting() -> None:
    """WIRE-2: key, certificate digest, challenge, and the signature on both."""
    sent = hello.greeting(KEYS[0], CERTIFICATE, CHALLENGE)
    key, certificate, challenge, signature = msgpack.unpackb(sent)
    assert (key, certificate, challenge) == (KEYS[0].public.key, CERTIFICATE, CHALLENGE)
    KEYS[0].public.verify(TAG + packed(["host", CERTIFICATE, CHALLENGE]), signature)
    assert hello.read_greeting(sent, certificate=CERTIFICATE, pin=KEYS[0].public.key) == CHALLENGE


def test_the_request() -> None:
    """WIRE-2: what the joiner says of itself, signed for this channel and challenge."""
    sent = hello.request(KEYS[1], CERTIFICATE, CHALLENGE, "Боб", HELD)
    *said, signature = msgpack.unpackb(sent)
    assert said == [KEYS[1].public.key, "Боб", HELD.session, 9, HEAD]
    KEYS[1].public.verify(TAG + packed(["join", CERTIFICATE, CHALLENGE, *said]), signature)
    request = hello.read_request(sent, certificate=CERTIFICATE, challenge=CHALLENGE)
    assert (request.key.key, request.name, request.held) == (KEYS[1].public.key, "Боб", HELD)


def test_welcome_refusal_and_done() -> None:
    """WIRE-2, WIRE-3."""
    assert msgpack.unpackb(hello.welcome(HELD)) == [HELD.session, 9, HEAD]
    assert hello.read_answer(hello.welcome(HELD)) == HELD
    assert msgpack.unpackb(hello.refusal("transport.stranger")) == ["refused", "transport.stranger"]
    assert msgpack.unpackb(hello.done(HELD)) == ["done", HELD.session, 9, HEAD]


def test_what_a_joiner_refuses() -> None:
    """WIRE-2: another key, another certificate, another signer, a signature for another challenge."""
    pin = KEYS[0].public.key
    sent = hello.greeting(KEYS[0], CERTIFICATE, CHALLENGE)
    parts = msgpack.unpackb(sent)
    replayed = packed([*parts[:2], fixed("another challenge"), parts[3]])
    forged = packed([pin, *msgpack.unpackb(hello.greeting(KEYS[1], CERTIFICATE, CHALLENGE))[1:]])
    cases = [
        (sent, CERTIFICATE, KEYS[1].public.key, "transport.wrong-key"),
        (sent, fixed("another certificate"), pin, "transport.wrong-certificate"),
        (forged, CERTIFICATE, pin, "transport.bad-signature"),
        (replayed, CERTIFICATE, pin, "transport.bad-signature"),
        (sent + b"\x00", CERTIFICATE, pin, "transport.malformed"),
    ]
    for data, certificate, key, code in cases:
        with pytest.raises(TransportError) as refusal:
            hello.read_greeting(data, certificate=certificate, pin=key)
        assert refusal.value.code == code
