"""How two sides of a fresh connection find out who the other is, and how much of the match it holds. WIRE-2.

Three messages, each one canonical array: the host greets, the joiner asks for its seat, the host welcomes or
refuses. None of them is part of the chain. The host signs the digest of its certificate, so whoever sits in
between has either another certificate or no signature on its own (N06); the joiner signs the same digest and a
fresh challenge, so a recorded or relayed request opens nothing (P08).

    greeting   [host key, certificate digest, challenge, signature]
    request    [joiner key, name, session, count, head, signature]
    welcome    [session, count, head]          refusal   ["refused", code]

Two more may come among the frames: `["done", session, count, head]` from a side that holds the whole match, and
`["declined", seat]` when a seat says no to the terms. Neither is believed in anything that touches a chip.

`session` is empty until all have accepted; `count` frames of the chain are held and `head` is the hash of the
last. Pure functions, bytes in and bytes out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..crypto.ed25519 import SigningKey, VerifyKey
from ..encoding import Value, decode, encode
from ..errors import CODES, BadSignature, DecodeError, TransportError
from ..protocol.limits import MAX_NAME, MAX_SEATS

CHANNEL_TAG: Final = b"dealerless/1 channel\x00"
CHALLENGE_BYTES: Final = 32

MAX_HELLO: Final = 1024
"""The largest of these messages takes some 350 bytes."""

_MAX_COUNT: Final = 2**32


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """How much of which match a side holds: session (empty until agreed), frames of the chain, last hash."""

    session: bytes
    count: int
    head: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a joiner says of itself: its key, proven by a signature, the name it wants, and what it holds."""

    key: VerifyKey
    name: str
    held: Held


def greeting(key: SigningKey, certificate: bytes, challenge: bytes, role: str = "host") -> bytes:
    """Return the greeting of who listens: its key vouches for the certificate of this digest, for this challenge.

    `role` is "host" or "witness", so that neither can be taken for the other.
    """
    signature = key.sign(CHANNEL_TAG + encode((role, certificate, challenge)))
    return encode((key.public.key, certificate, challenge, signature))


def read_greeting(data: bytes, *, certificate: bytes, pin: bytes, role: str = "host") -> bytes:
    """Return the challenge of a greeting from the host (or witness) that was to be met, over the connection it signed.

    `certificate` is the digest of what TLS showed, `pin` its 32-byte key. Raises TransportError
    `transport.malformed`, `transport.wrong-key`, `transport.wrong-certificate` or `transport.bad-signature`.
    """
    match _decode(data):
        case (bytes(key), bytes(named), bytes(challenge), bytes(signature)) if len(challenge) == 32:
            if key != pin:
                hint = f"ask the {role} for its key, by a way nobody can change"
                raise TransportError("transport.wrong-key", expected=pin, actual=key, hint=hint)
            if named != certificate:
                hint = f"somebody may be sitting between you and the {role}"
                raise TransportError("transport.wrong-certificate", expected=named, actual=certificate, hint=hint)
            _verify(key, encode((role, named, challenge)), signature)
            return challenge
    raise TransportError("transport.malformed")


def request(key: SigningKey, certificate: bytes, challenge: bytes, name: str, held: Held) -> bytes:
    """Return the joiner's request for its seat, signed for this connection and challenge alone."""
    rest = (key.public.key, name, held.session, held.count, held.head)
    signature = key.sign(CHANNEL_TAG + encode(("join", certificate, challenge, *rest)))
    return encode((*rest, signature))


def read_request(data: bytes, *, certificate: bytes, challenge: bytes) -> Request:
    """Return what a joiner says of itself, its signature checked.

    Raises TransportError `transport.malformed` or `transport.bad-signature`.
    """
    match _decode(data):
        case (bytes(key), str(name), bytes(session), int(count), bytes(head), bytes(signature)):
            held = _held(session, count, head)
            if len(name) <= MAX_NAME:
                signed = encode(("join", certificate, challenge, key, name, session, count, head))
                return Request(key=_verify(key, signed, signature), name=name, held=held)
    raise TransportError("transport.malformed")


def welcome(held: Held) -> bytes:
    """Return the host's answer to a joiner that has a seat."""
    return encode((held.session, held.count, held.head))


def refusal(code: str) -> bytes:
    """Return the host's answer to a joiner that has none."""
    return encode(("refused", code))


def read_answer(data: bytes) -> Held:
    """Return what the host holds; raises TransportError `transport.refused` with its reason, or `malformed`."""
    match _decode(data):
        case (bytes(session), int(count), bytes(head)):
            return _held(session, count, head)
        case ("refused", str(code)):
            raise TransportError("transport.refused", actual=CODES[code].text if code in CODES else None)
    raise TransportError("transport.malformed")


def done(held: Held) -> bytes:
    """Return the word that a side has the whole match and sends nothing more. WIRE-3."""
    return encode(("done", held.session, held.count, held.head))


def read_done(data: bytes) -> Held | None:
    """Return what the sender of a `done` holds, or None for any other record."""
    if len(data) > MAX_HELLO:
        return None
    try:
        match _decode(data):
            case ("done", bytes(session), int(count), bytes(head)):
                return _held(session, count, head)
    except TransportError:
        return None
    return None


def declined(seat: int) -> bytes:
    """Return what is said when this seat declines the terms; nothing follows it."""
    return encode(("declined", seat))


def read_declined(data: bytes) -> int | None:
    """Return the seat that is said to decline the terms, or None if `data` says something else."""
    if len(data) > MAX_HELLO:
        return None
    try:
        match _decode(data):
            case ("declined", int(seat)) if type(seat) is int and 0 <= seat < MAX_SEATS:
                return seat
    except TransportError:
        return None
    return None


def _decode(data: bytes) -> Value:
    try:
        return decode(data, limit=MAX_HELLO)
    except DecodeError as error:
        raise TransportError("transport.malformed", actual=error.code) from error


def _held(session: bytes, count: int, head: bytes) -> Held:
    # A bool is an int to `match`, but not here.
    if len(session) not in (0, 32) or type(count) is not int or not 0 <= count < _MAX_COUNT or len(head) != 32:
        raise TransportError("transport.malformed")
    return Held(session=session, count=count, head=head)


def _verify(key: bytes, signed: bytes, signature: bytes) -> VerifyKey:
    try:
        checked = VerifyKey.load(key)
        checked.verify(CHANNEL_TAG + signed, signature)
    except BadSignature as error:
        raise TransportError("transport.bad-signature", actual=error.code) from error
    return checked
