"""The messages that open a connection: each field counts, and only the exact form is read (WIRE-2, SIG-3, P08)."""

from __future__ import annotations

import asyncio
import ssl
from typing import Any

import pytest

from dealerless.encoding import decode, encode
from dealerless.errors import TransportError, UsageError
from dealerless.net import hello
from dealerless.net.transport import Address, Connection, Listener, dial, read_address
from tests.matches import KEYS
from tests.net.tables import LOCAL, run

KEY, GUEST = KEYS[0], KEYS[1]
CERTIFICATE, CHALLENGE = bytes([1]) * 32, bytes([2]) * 32
HELD = hello.Held(session=bytes([3]) * 32, count=17, head=bytes([4]) * 32)

GREETING = hello.greeting(KEY, CERTIFICATE, CHALLENGE)
REQUEST = hello.request(GUEST, CERTIFICATE, CHALLENGE, "Bob", HELD)


def read_greeting(data: bytes) -> bytes:
    return hello.read_greeting(data, certificate=CERTIFICATE, pin=KEY.public.key)


def read_request(data: bytes) -> hello.Request:
    return hello.read_request(data, certificate=CERTIFICATE, challenge=CHALLENGE)


def test_round_trips() -> None:
    """WIRE-2, WIRE-3: what one side writes the other reads."""
    assert read_greeting(GREETING) == CHALLENGE
    assert read_request(REQUEST) == hello.Request(key=GUEST.public, name="Bob", held=HELD)
    assert hello.read_answer(hello.welcome(HELD)) == HELD
    assert hello.read_done(hello.done(HELD)) == HELD
    with pytest.raises(TransportError, match="no seat") as caught:
        hello.read_answer(hello.refusal("transport.stranger"))
    assert caught.value.code == "transport.refused"


def changed(value: Any) -> Any:
    if isinstance(value, bytes):
        return bytes([value[0] ^ 1]) + value[1:]
    return value + 1 if isinstance(value, int) else value + "x"


@pytest.mark.parametrize("place", range(4))
def test_any_change_of_a_greeting_is_refused(place: int) -> None:
    fields: list[Any] = list(decode(GREETING))  # type: ignore[arg-type]
    fields[place] = changed(fields[place])
    with pytest.raises(TransportError):
        read_greeting(encode(tuple(fields)))


@pytest.mark.parametrize("place", range(6))
def test_any_change_of_a_request_is_refused(place: int) -> None:
    fields: list[Any] = list(decode(REQUEST))  # type: ignore[arg-type]
    fields[place] = changed(fields[place])
    with pytest.raises(TransportError):
        read_request(encode(tuple(fields)))


def test_another_connection_or_challenge_is_refused() -> None:
    for certificate, challenge in ((bytes(32), CHALLENGE), (CERTIFICATE, bytes(32))):
        with pytest.raises(TransportError) as caught:
            hello.read_request(REQUEST, certificate=certificate, challenge=challenge)
        assert caught.value.code == "transport.bad-signature"
    # A host's signature is not a joiner's, nor the other way round: the role is signed.
    mirrored = encode((KEY.public.key, "x", b"", 0, bytes(32), decode(GREETING)[3]))  # type: ignore[index]
    with pytest.raises(TransportError):
        read_request(mirrored)


@pytest.mark.parametrize(
    "fields",
    [
        (),
        ("refused",),
        (KEY.public.key, "name", b"", True, bytes(32), bytes(64)),
        (KEY.public.key, "name", b"", -1, bytes(32), bytes(64)),
        (KEY.public.key, "name", b"", 2**40, bytes(32), bytes(64)),
        (KEY.public.key, "name", b"short", 0, bytes(32), bytes(64)),
        (KEY.public.key, "n" * 33, b"", 0, bytes(32), bytes(64)),
        (bytes(32), "name", b"", 0, bytes(32), bytes(64)),
        (KEY.public.key, "name", b"", 0, bytes(31), bytes(64)),
    ],
)
def test_requests_that_are_none(fields: tuple[Any, ...]) -> None:
    with pytest.raises(TransportError) as caught:
        read_request(encode(fields))
    assert caught.value.code in ("transport.malformed", "transport.bad-signature")


@pytest.mark.parametrize("data", [b"", b"\xc1", GREETING + b"\x00", bytes(2000), encode("text"), encode(7)])
def test_bytes_that_are_no_message(data: bytes) -> None:
    for read in (read_greeting, read_request, hello.read_answer):
        with pytest.raises(TransportError) as caught:
            read(data)
        assert caught.value.code == "transport.malformed"
    assert hello.read_done(data) is None


def test_a_refusal_in_a_peers_own_words_is_not_repeated() -> None:
    """F01: only reasons that are ours are printed."""
    with pytest.raises(TransportError) as caught:
        hello.read_answer(encode(("refused", "\x1b[2Jyou win")))
    assert caught.value.actual is None


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("example.org:80", Address(host="example.org", port=80)),
        (":4000", Address(host="127.0.0.1", port=4000)),
        ("[::1]:4000", Address(host="::1", port=4000)),
        ("192.0.2.1:0", Address(host="192.0.2.1", port=0)),
    ],
)
def test_addresses(text: str, address: Address) -> None:
    assert read_address(text) == address
    assert read_address(str(address)) == address


@pytest.mark.parametrize(
    "text", ["", "x", "x:", "x:1_0", "x: 1", "x:+1", "x:-1", "x:65536", "x:123456", "::1:80", "a\nb:1", "é:1", "x:٣"]
)
def test_addresses_that_are_none(text: str) -> None:
    """F08."""
    with pytest.raises(UsageError):
        read_address(text)


def test_nothing_older_than_tls_13() -> None:
    """WIRE-1."""

    async def attempt() -> None:
        listener = Listener(LOCAL)

        async def handle(connection: Connection) -> None:
            await connection.send(b"x")

        serving = asyncio.create_task(listener.serve(handle))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        with pytest.raises((ssl.SSLError, ConnectionError)):
            await asyncio.open_connection(listener.address.host, listener.address.port, ssl=context)
        connection = await dial(listener.address)
        assert await connection.receive() == b"x"
        assert connection.certificate == listener.certificate
        await connection.close()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    run(attempt())


def test_an_address_in_use() -> None:
    listener = Listener(LOCAL)
    with pytest.raises(TransportError) as caught:
        Listener(listener.address)
    assert caught.value.code == "transport.cannot-listen"
    listener.close()
