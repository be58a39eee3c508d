"""A seat that signs whatever it likes: what the gallery's cheats are made of, and nothing else.

A forger follows the match as every seat does and has the one power that nobody can take from it: its own key. With
that it signs any bytes at any place of the chain. It never has another seat's key or seeds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import NamedTuple

from ..crypto.commitment import commitment
from ..crypto.ed25519 import SigningKey
from ..crypto.schnorr import DeckSecret
from ..encoding import encode
from ..games import GAMES
from ..protocol.envelope import VERSION, encode_body
from ..protocol.events import Event, HandStarted
from ..protocol.records import encode_frame, signed_text
from ..protocol.seeds import MemorySecrets
from ..protocol.session import Session
from ..protocol.state import State

Random = Callable[[int], bytes]
"""Returns that many fresh bytes from the operating system; whoever stages a match brings it."""


class Place(NamedTuple):
    """Where a message stands, or says it stands: the session, its number, and the hash of the message before it."""

    session: bytes
    seq: int
    prev: bytes


class Forger:
    """One seat with its key, its seeds, and no scruples. `session` is its honest half and follows the match."""

    def __init__(self, key: SigningKey, random: Random) -> None:
        self._key = key
        self.secrets = MemorySecrets(random)
        self.session = Session(key, self.secrets, GAMES)

    def __repr__(self) -> str:
        return f"Forger({self._key.public.key.hex()})"

    @property
    def state(self) -> State:
        """What the table knows, up to the last message that everybody took."""
        return self.session.state

    @property
    def seat(self) -> int:
        """Our seat; only to be asked for once the offer stands."""
        seat = self.session.seat
        if seat is None:
            raise RuntimeError("no offer has been made yet")
        return seat

    @property
    def place(self) -> Place:
        """The place of the next message; only to be asked for once the offer stands."""
        state = self.state
        return Place(session=state.agreed.session, seq=state.seq, prev=state.head)

    # --- any bytes, signed

    def sign(self, body: bytes) -> bytes:
        """Return the frame that carries `body`, whatever it is, with our valid signature."""
        return encode_frame(body, self._key.sign(signed_text(body)))

    def body(self, event: Event, place: Place | None = None, seat: int | None = None) -> bytes:
        """Return the body that says `event` at a place (default: the next), as our seat or in another's name."""
        session, seq, prev = self.place if place is None else place
        return encode_body(session, seq, self.seat if seat is None else seat, prev, event)

    def spelled(self, kind: str, *fields: bool | int | str | bytes) -> bytes:
        """Return a body at the next place with a kind and fields that may be none of the protocol's."""
        session, seq, prev = self.place
        return encode((VERSION, session, seq, self.seat, prev, kind, fields))

    def forge(self, event: Event, place: Place | None = None) -> bytes:
        """Return the frame that says `event`, which no table has looked at."""
        return self.sign(self.body(event, place))

    # --- what an honest player would say here, to be bent

    def seed(self, purpose: str, hand: int | None = None) -> bytes:
        """Return our own seed of a purpose, in the running hand where no other is named."""
        return self.secrets.seed(self.state.books.number if hand is None else hand, purpose)

    def commitment(self, purpose: str, seed: bytes) -> bytes:
        """Return our commitment to a seed in the running hand."""
        return commitment(purpose, self.state.agreed.session, self.state.books.number, self.seat, seed)

    def deck_secret(self) -> DeckSecret:
        """Return the secret of our key of the running deck, from the seed that our session has made it of."""
        deal = self.state.running.deal
        seed = self.secrets.seed(deal.hand, f"deck.{deal.number}")
        secret = DeckSecret(lambda size: hashlib.shake_256(seed).digest(size), deal.session, deal.hand, deal.number)
        if secret.public != deal.key(self.seat):
            raise RuntimeError("our key of this deck was made in another way")
        return secret

    def owed_hand(self) -> HandStarted:
        """Return the hand's start that we owe."""
        event = self.session.due()
        if not isinstance(event, HandStarted):
            raise RuntimeError("no hand's start is owed by this seat")
        return event
