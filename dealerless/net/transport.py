"""Connections: TLS 1.3 streams of length-prefixed records, with a limit on all that a stranger can use up. WIRE-1.

TLS keeps others from reading along and gives the channel a name, the digest of the host's certificate. Who is
at the other end is for `hello` to find out; what the records are worth, for the session.
"""

from __future__ import annotations

import asyncio
import datetime
import hashlib
import logging
import os
import re
import socket
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from ..errors import TransportError, UsageError
from ..protocol.records import LENGTH_BYTES, MAX_RECORD

HANDSHAKE_SECONDS: Final = 10.0
"""For TLS, and again for the messages of `hello`: three small flights, seconds on the slowest of lines."""

FRAME_SECONDS: Final = 30.0
"""From a record's first byte to its last: 256 KiB at 9 KB/s. A sender of a byte a minute is cut off here."""

SEND_SECONDS: Final = 30.0
"""For a record to leave us; a peer that does not read can hold no more than the buffers below."""

MAX_CONNECTIONS: Final = 32
"""At once, strangers included: eight peers and their reconnections fit, and a flood costs a few MB."""

_BUFFER_BYTES: Final = 64 * 1024
"""What is read ahead of us, and written ahead of the peer; then TCP makes the sender wait."""

_CLOSE_SECONDS: Final = 2.0
"""A peer that does not answer the end of TLS is not waited for."""

_KEEPALIVE: Final = (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 6))
"""A host that lost its power says nothing; after a minute and a half its connection counts as closed."""

# It warns on stderr at every write to a socket that is gone, and a peer would choose how often. What ends a connection
# is told by TransportError; errors within the loop itself are still heard.
logging.getLogger("asyncio").setLevel(logging.ERROR)

_PORT: Final = re.compile(r"[0-9]{1,5}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A host name or number, and a port; 0 lets the system choose one to listen at."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read_address(text: str) -> Address:
    """Return the address in `HOST:PORT`, `[IPV6]:PORT` or `:PORT` (this machine); raises UsageError."""
    host, colon, port = text.rpartition(":")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    elif ":" in host:
        colon = ""
    number = int(port) if _PORT.fullmatch(port) else 65536
    if not colon or number > 65535 or not host.isascii() or not host.isprintable() or len(host) > 255:
        hint = "write it as HOST:PORT, 127.0.0.1:4000 for example, or [::1]:4000"
        raise UsageError("usage.bad-value", actual=text[:300], hint=hint)
    return Address(host=host or "127.0.0.1", port=number)


class Connection:
    """One TLS stream. `certificate` is the SHA-256 of the host's certificate (DER) as this side has it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, certificate: bytes) -> None:
        self.certificate: Final = certificate
        self._reader = reader
        self._writer = writer
        writer.transport.set_write_buffer_limits(high=_BUFFER_BYTES)
        with suppress(OSError, AttributeError):
            raw = writer.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for name, value in _KEEPALIVE:
                if hasattr(socket, name):
                    raw.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)

    async def receive(self, limit: int = MAX_RECORD) -> bytes:
        """Return the next record, of `limit` bytes at most; waits for its first byte as long as it takes.

        Raises TransportError: `transport.too-large` from the length alone, before anything of that size is
        read; `transport.too-slow` when the rest does not come within FRAME_SECONDS; `transport.closed`.
        """
        try:
            first = await self._reader.readexactly(1)
            async with asyncio.timeout(FRAME_SECONDS):
                size = int.from_bytes(first + await self._reader.readexactly(LENGTH_BYTES - 1), "big")
                if not 0 < size <= limit:
                    raise TransportError("transport.too-large", expected=limit, actual=size)
                return await self._reader.readexactly(size)
        except TimeoutError as error:
            raise TransportError("transport.too-slow", expected=int(FRAME_SECONDS)) from error
        except (OSError, EOFError, ssl.SSLError) as error:
            raise TransportError("transport.closed") from error

    async def send(self, record: bytes) -> None:
        """Return once the record is on its way and no more than a buffer of it is still ours.

        Raises TransportError `transport.closed`, or `transport.too-slow` when the peer does not read.
        """
        self._check_alive()
        try:
            self._writer.write(len(record).to_bytes(LENGTH_BYTES, "big") + record)
            async with asyncio.timeout(SEND_SECONDS):
                await self._writer.drain()
            # Only the loop finds out that the peer is gone, and draining an empty buffer never lets it.
            await asyncio.sleep(0)
        except TimeoutError as error:
            raise TransportError("transport.too-slow", expected=int(SEND_SECONDS)) from error
        except (OSError, RuntimeError, ssl.SSLError) as error:
            raise TransportError("transport.closed") from error

    def _check_alive(self) -> None:
        """Raise TransportError `transport.closed` once either side has ended the stream: nobody would read on."""
        reader = self._reader
        if self._writer.transport.is_closing() or reader.at_eof() or reader.exception() is not None:
            raise TransportError("transport.closed")

    async def close(self) -> None:
        """Close the stream after what was sent; returns within seconds whatever the peer does."""
        with suppress(OSError, RuntimeError, TimeoutError, ssl.SSLError):
            self._writer.close()
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self._writer.wait_closed()
        self.abort()

    def abort(self) -> None:
        """End the stream now; whoever waits in `receive` or `send` hears that it is closed."""
        self._writer.transport.abort()


Handler = Callable[[Connection], Awaitable[None]]


class Listener:
    """A listening socket with a certificate of its own, made for this process and kept in memory only."""

    def __init__(self, address: Address) -> None:
        """Begin to listen; raises TransportError `transport.cannot-listen`."""
        self._context, self.certificate = _server_side()
        family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
        try:
            self._socket = socket.create_server((address.host, address.port), family=family)
        except (OSError, UnicodeError) as error:
            hint = "choose another port, or 0 for any" if isinstance(error, OSError) else ""
            raise TransportError("transport.cannot-listen", actual=str(address), hint=hint) from error
        self._socket.setblocking(False)
        self.address: Final = Address(host=address.host, port=self._socket.getsockname()[1])
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, handler: Handler) -> None:
        """Run `handler` for every connection, each in a task of its own, until cancelled."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                try:
                    raw, _ = await loop.sock_accept(self._socket)
                except OSError:
                    # Out of descriptors, or a peer gone before we looked: neither ends the listening.
                    await asyncio.sleep(1)
                    continue
                if len(self._tasks) >= MAX_CONNECTIONS:
                    raw.close()
                    continue
                task = loop.create_task(self._handle(raw, handler))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
        finally:
            self.close()
            for task in tuple(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def close(self) -> None:
        """Stop listening; closing twice is allowed."""
        self._socket.close()

    async def _handle(self, raw: socket.socket, handler: Handler) -> None:
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=_BUFFER_BYTES)
        protocol = asyncio.StreamReaderProtocol(reader)
        try:
            transport, _ = await loop.connect_accepted_socket(
                lambda: protocol,
                raw,
                ssl=self._context,
                ssl_handshake_timeout=HANDSHAKE_SECONDS,
                ssl_shutdown_timeout=_CLOSE_SECONDS,
            )
        except (OSError, ssl.SSLError):
            raw.close()
            return
        writer = asyncio.StreamWriter(transport, protocol, reader, loop)
        connection = Connection(reader, writer, self.certificate)
        try:
            await handler(connection)
        finally:
            await connection.close()


async def dial(address: Address) -> Connection:
    """Return a connection to a listener, whoever that is; raises TransportError `transport.unreachable`."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    # No authority vouches for the host: its own key does, by signing this certificate's digest (`hello`).
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        async with asyncio.timeout(HANDSHAKE_SECONDS):
            reader, writer = await asyncio.open_connection(
                address.host,
                address.port,
                limit=_BUFFER_BYTES,
                ssl=context,
                server_hostname="",
                ssl_shutdown_timeout=_CLOSE_SECONDS,
            )
    except (OSError, UnicodeError, ssl.SSLError) as error:
        raise TransportError("transport.unreachable", actual=str(address)) from error
    certificate = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    return Connection(reader, writer, hashlib.sha256(certificate).digest())


def _server_side() -> tuple[ssl.SSLContext, bytes]:
    """Return a TLS context with a fresh self-signed certificate, and the digest of the certificate."""
    key = Ed25519PrivateKey.generate()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "dealerless")])
    # Nobody looks at these dates: the certificate lives as long as the process.
    start = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(start + datetime.timedelta(days=36_500))
        .sign(key, None)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.num_tickets = 0
    chain = certificate.public_bytes(Encoding.PEM)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    with _Pipe(chain) as chain_name, _Pipe(private) as private_name:
        context.load_cert_chain(chain_name, private_name)
    return context, hashlib.sha256(certificate.public_bytes(Encoding.DER)).digest()


class _Pipe:
    """A name under which some bytes can be read once: OpenSSL wants files, and a key is not to lie in one."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def __enter__(self) -> str:
        self._end, start = os.pipe()
        # A pipe holds at least 4 KiB before anybody reads it; a PEM here is below one.
        os.write(start, self._data)
        os.close(start)
        return f"/dev/fd/{self._end}"

    def __exit__(self, *_: object) -> None:
        os.close(self._end)
