"""Writes transcripts of hands dealt from a deck: the messages of honest seats, with fixed secrets, and dishonest ones.

What a seat draws for a message is a hash of the match's label, the seat and the message before, so a match that goes
two ways from one point has the same beginning on both.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Self

from dealerless.crypto.challenge import SUITE
from dealerless.crypto.schnorr import DeckSecret
from dealerless.games.game import Move, Slots
from dealerless.protocol.deckdeal import DeckDeal, asked
from dealerless.protocol.deckkeys import DeckHolder
from dealerless.protocol.events import (
    Acted,
    DeckShuffled,
    Event,
    Exchanged,
    Expelled,
    KeyPublished,
    Mucked,
    Revealed,
    SharesPublished,
)
from dealerless.protocol.playing import to_release

from .scribe import KEYS, Scribe

NAMES = ("Ada", "Боб", "Cy")
DECK_KINDS = (KeyPublished, DeckShuffled, SharesPublished, Revealed)
HOLDER = DeckHolder()


class Drawn:
    """The secrets of a seat at one message; its keys are those of the match's label whatever the message."""

    def __init__(self, label: str, seat: int, head: bytes) -> None:
        self._label, self._seat, self._head, self._count = label, seat, head, 0

    def seed(self, hand: int, purpose: str) -> bytes:
        return self._hash(f"seed {hand} {purpose}", 32)

    def known(self, hand: int, purpose: str) -> bytes | None:
        return self.seed(hand, purpose)

    def fresh(self, size: int) -> bytes:
        self._count += 1
        return self._hash(f"fresh {self._head.hex()} {self._count}", size)

    def _hash(self, what: str, size: int) -> bytes:
        return hashlib.shake_256(f"dealerless vectors: {self._label}: seat {self._seat}: {what}".encode()).digest(size)


class Dealer(Scribe):
    """A match being written down whose cards come from a deck."""

    def __init__(
        self,
        label: str,
        *,
        game: str = "holdem",
        seats: int = 2,
        hands: int = 1,
        rules: tuple[bool | int | str, ...] = ("no-limit", 1, 2, 0, 100, "all"),
        witnesses: int = 0,
    ) -> None:
        super().__init__(label, hands=hands, witnesses=witnesses, threshold=witnesses)
        players = tuple([(key.public.key, name) for key, name in zip(KEYS[:seats], NAMES, strict=False)])
        self.offer = replace(self.offer, game=game, dealing="deck", suite=SUITE, rules=rules, players=players)

    def branch(self) -> Self:
        """The same match so far, to be gone on with in another way."""
        other = copy.copy(self)
        other.frames = list(self.frames)
        return other

    # --- what honest seats say ---------------------------------------------------------------------------------

    @property
    def deal(self) -> DeckDeal:
        deal = self.state.running.deal
        assert isinstance(deal, DeckDeal)
        return deal

    @property
    def owing(self) -> int:
        assert self.state.owed is not None
        return self.state.owed.seat

    def secrets(self, seat: int) -> Drawn:
        return Drawn(self.label, seat, self.state.head)

    def secret(self, seat: int) -> DeckSecret:
        """The key of a seat's, made as it makes it itself."""
        deal = self.deal
        seed = self.secrets(seat).seed(deal.hand, f"deck.{deal.number}")
        return DeckSecret(lambda size: hashlib.shake_256(seed).digest(size), deal.session, deal.hand, deal.number)

    def owed_event(self, seat: int, kind: type[Event]) -> Event | None:
        if kind not in DECK_KINDS:
            return super().owed_event(seat, kind)
        demand = self.state.agreed.game.demand(self.state.running.hand)
        return HOLDER.answer(self.deal, demand, seat, kind, self.state.head, self.secrets(seat))

    def the(self, kind: type[Event]) -> Event:
        """What the seat that owes would say."""
        event = self.owed_event(self.owing, kind)
        assert event is not None
        return event

    def slots(self) -> Slots:
        """The slots for which the seat that owes has to share."""
        return asked(self.deal, self.state.agreed.game.demand(self.state.running.hand), self.owing)

    def acted(self, name: str) -> Acted:
        """A move of the seat to act: its name, or name:amount, with the shares that go with it."""
        name, _, amount = name.partition(":")
        options = {option.name: option for option in self.state.agreed.game.legal(self.state.running.hand)}
        move = Move(name=name, amount=int(amount) if amount else options[name].least)
        slots = to_release(self.state, self.owing, move)
        released = b""
        if slots:
            released = HOLDER.release(self.deal, slots, self.owing, self.state.head, self.secrets(self.owing))
        return Acted(move=move.name, amount=move.amount, released=released)

    def exchanged(self, places: str) -> Exchanged:
        """The exchange of the cards at these places of the hand, by the seat that is to exchange."""
        held = self.state.agreed.game.hole_slots(self.state.running.hand, self.owing)
        return Exchanged(slots=tuple([held[int(place)] for place in places]))

    def play(self, moves: str) -> Self:
        """Write moves, exchanges as `DRAW:034` or `DRAW`, and the shares that come between them."""
        for name in moves.split():
            self.due()
            drawn = name.partition(":")[2] if name.startswith("DRAW") else None
            self.say(self.owing, self.acted(name) if drawn is None else self.exchanged(drawn))
        return self

    def show(self) -> Self:
        """Write the cards of all who may muck instead, and what follows."""
        while (owed := self.state.owed) is not None and Mucked in owed.kinds:
            self.say(owed.seat, self.the(Revealed))
        return self.due()

    # --- what dishonest seats say --------------------------------------------------------------------------------

    def cheat(self, change: Callable[[Self], Event]) -> Self:
        """Write, as the seat that owes, a message that is not legal here."""
        self.wrong(self.owing, change(self))
        return self

    def expelled_by_word(self) -> Self:
        """Let the seat that owes be expelled on the witnesses' word, and stop there."""
        seats = len(self.offer.players)
        others = [(self.owing + step) % seats for step in range(1, seats)]
        signer = next(seat for seat in others if self.state.books.gone[seat] is None)
        event: Expelled = self.expulsion(self.no_show(0))
        self.say(signer, event)
        return self
