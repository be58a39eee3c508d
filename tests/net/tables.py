"""Seats that play over real TLS sockets within one process, and peers that do not play by the book."""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from dealerless.crypto.ed25519 import SigningKey
from dealerless.journal.journal import Journal
from dealerless.journal.secrets import SecretsFile
from dealerless.net import hello
from dealerless.net.offers import Proposal
from dealerless.net.seating import Ending, Sitting
from dealerless.net.star import host, join
from dealerless.net.transport import Address, Connection, Listener, dial
from dealerless.players.levels import computer_player
from dealerless.players.player import Player
from dealerless.protocol.envelope import Envelope, decode_body
from dealerless.protocol.events import Offered
from dealerless.protocol.records import ZERO_HASH, decode_frame
from dealerless.protocol.session import Fault, Session
from dealerless.protocol.state import State
from tests.matches import KEYS, PLAYED, STRANGER

__all__ = ["KEYS", "STRANGER"]

Result = TypeVar("Result")
LOCAL = Address(host="127.0.0.1", port=0)
# What tests opened by hand, and close at their end.
OPENED: list[Connection] = []
SEATS: list[Seat] = []
NOTHING = hello.Held(session=b"", count=0, head=ZERO_HASH)


def run(match: Coroutine[Any, Any, Result], *, seconds: float = 60) -> Result:
    """Run a test's coroutine; a test that hangs fails."""

    async def limited() -> Result:
        try:
            async with asyncio.timeout(seconds):
                return await match
        finally:
            while OPENED:
                await OPENED.pop().close()

    return asyncio.run(limited())


@dataclass
class Record:
    """What an observer heard."""

    steps: list[Envelope] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    on_step: Callable[[Envelope], None] | None = None

    def stepped(self, before: State, envelope: Envelope, after: State) -> None:
        self.steps.append(envelope)
        if self.on_step is not None:
            self.on_step(envelope)

    def refused(self, fault: Fault) -> None:
        self.faults.append(fault)

    def noticed(self, text: str) -> None:
        self.notices.append(text)


class Seat:
    """One honest seat with its files in `folder`; `player` moves for it."""

    def __init__(
        self,
        folder: Path,
        number: int,
        *,
        key: SigningKey | None = None,
        player: Player | None = None,
        patience: float = 20.0,
        resumed: bool = False,
        consents: bool = True,
        suites: tuple[str, ...] = ("sha256",),
    ) -> None:
        self.path = folder / f"seat{number}.dlt"
        seeds = folder / f"seat{number}.secrets"
        self.key = KEYS[number] if key is None else key
        self.journal = Journal.open(self.path) if resumed else Journal.create(self.path)
        self.seeds = SecretsFile.open(seeds) if resumed else SecretsFile.create(seeds)
        self.session = Session(self.key, self.seeds, PLAYED, suites)
        self.record = Record()
        self.offers: list[Offered] = []
        self.remembered: list[bytes] = []

        def consent(offer: Offered) -> bool:
            self.offers.append(offer)
            return consents

        self.sitting = Sitting(
            key=self.key,
            name=f"seat {number}",
            session=self.session,
            suites=suites,
            journal=self.journal,
            player=computer_player("easy", random.Random(number)) if player is None else player,
            consent=consent,
            remember=lambda offer, expires: self.remembered.append(offer),
            observer=self.record,
            patience=patience,
            resumed=resumed,
        )
        SEATS.append(self)

    def close(self) -> None:
        self.journal.close()
        self.seeds.close()

    @property
    def transcript(self) -> bytes:
        return self.path.read_bytes()


def hex_proposal(hands: int = 2, *, suite: str = "sha256", depth: int = 2, show: str = "all") -> Proposal:
    return Proposal(game="hex", dealing="hash", suite=suite, hands=hands, rules=(10, depth, show), seats=2)


def toy_proposal(seats: int = 3, hands: int = 3) -> Proposal:
    return Proposal(game="toy", dealing="hash", suite="sha256", hands=hands, rules=(5,), seats=seats)


async def play(
    seats: list[Seat],
    proposal: Proposal | None,
    *,
    listener: Listener | None = None,
    addresses: list[Address] | None = None,
    beside: Callable[[Address], Awaitable[None]] | None = None,
) -> list[Ending | BaseException]:
    """Return how the match ended for each seat; `beside` runs along with it and is given the host's address."""
    listener = Listener(LOCAL) if listener is None else listener
    keys = tuple(seat.key.public.key for seat in seats[1:])
    first = asyncio.create_task(host(seats[0].sitting, listener, proposal=proposal, expected=keys))
    await asyncio.sleep(0)
    if beside is not None:
        await beside(listener.address)
    reached = [listener.address] * len(keys) if addresses is None else addresses
    rest = [
        asyncio.create_task(join(seat.sitting, address, seats[0].key.public.key))
        for seat, address in zip(seats[1:], reached, strict=True)
    ]
    endings: list[Ending | BaseException] = await asyncio.gather(first, *rest, return_exceptions=True)
    return endings


class Wire:
    """A joiner made by hand: it knows the handshake and then sends what a test wants."""

    def __init__(self, connection: Connection, challenge: bytes) -> None:
        self.connection = connection
        self.challenge = challenge

    @classmethod
    async def open(cls, address: Address, pin: bytes) -> Wire:
        connection = await dial(address)
        OPENED.append(connection)
        data = await connection.receive()
        challenge = hello.read_greeting(data, certificate=connection.certificate, pin=pin)
        return cls(connection, challenge)

    async def ask(self, key: SigningKey, held: hello.Held = NOTHING, name: str = "by hand") -> hello.Held:
        """Return what the host holds, after asking for the seat of `key`."""
        certificate = self.connection.certificate
        await self.connection.send(hello.request(key, certificate, self.challenge, name, held))
        return hello.read_answer(await self.connection.receive())


def envelopes(data: bytes) -> list[Envelope]:
    """Return the envelopes of a transcript's frames, those that decode."""
    from tests.net.transcripts import frames_of

    return [decode_body(decode_frame(frame)[0]) for frame in frames_of(data)]


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
