"""What a seat brings to the table, what it takes away, and what a connection of it is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..crypto.ed25519 import SigningKey
from ..journal.journal import Journal
from ..players.player import Player
from ..protocol.envelope import Envelope
from ..protocol.events import Offered
from ..protocol.session import Fault, Session
from ..protocol.state import State
from . import hello
from .transport import Address, Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class WitnessAt:
    """Where a witness can be reached, and its 32-byte key."""

    address: Address
    key: bytes


class Observer(Protocol):
    """Hears what happens at the table, at once and in order; for the screen only."""

    def stepped(self, before: State, envelope: Envelope, after: State) -> None:
        """A frame of any seat, ours included, has been accepted and written down."""
        ...

    def refused(self, fault: Fault) -> None:
        """A frame broke a rule; it has been written down."""
        ...

    def noticed(self, text: str) -> None:
        """Something happened to a connection; the text is our own."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """What a seat brings to the table. `patience` is how long, in seconds, the others may leave us waiting.

    `consent` is shown an offer before we sign it or its acceptance and says yes or no; `remember` writes an
    offer (body hash, expiry) down as accepted, once ever (ENC-4). With `resumed` the journal is an earlier
    process's, and nothing is signed before the other seats have said what they hold of ours. `witnesses` are the ones
    that we can reach; they have to be the offer's. `leaves` says whether to leave the match in place of starting a hand
    (CHAIN-5); it is asked whenever we owe one.
    """

    key: SigningKey
    name: str
    session: Session
    suites: tuple[str, ...]
    journal: Journal
    player: Player
    consent: Callable[[Offered], bool]
    remember: Callable[[bytes, int], None]
    observer: Observer
    patience: float
    resumed: bool
    witnesses: tuple[WitnessAt, ...] = ()
    leaves: Callable[[], bool] = lambda: False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a match ended for us: complete, or by a peer's fault; `delivered`, whether all others have it whole.

    `absent` are the seats that were expelled because their time ran out, ours too.
    """

    fault: Fault | None
    delivered: bool
    absent: tuple[int, ...] = ()


@dataclass(slots=True, kw_only=True, eq=False)
class Link:
    """One connection to a peer that proved who it is. `cursor` is the next record of the journal to send.

    `last_word` is said next, and nothing after it; `ended` is set once the connection is attended to no more.
    """

    seat: int
    connection: Connection
    held: hello.Held
    cursor: int
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    junk: int = 0
    duplicates: int = 0
    asides: int = 0
    done_sent: bool = False
    done_seen: bool = False
    last_word: bytes | None = None
    ended: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A decision that somebody is thinking about beside the loop: how to ask, and what to do with the answer."""

    ask: Callable[[], Any]
    then: Callable[[Any], None]
