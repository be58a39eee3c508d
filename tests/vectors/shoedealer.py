"""Writes transcripts of One Poker, as `dealer` writes those of hands from a deck."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Self

from dealerless.crypto.challenge import SUITE
from dealerless.crypto.schnorr import DeckSecret
from dealerless.games.game import Demand
from dealerless.protocol.deckkeys import key_of
from dealerless.protocol.events import (
    CardLaid,
    ClassProven,
    DeckShuffled,
    Event,
    KeyPublished,
    LotCommitted,
    LotOpened,
    Revealed,
    SharesPublished,
)
from dealerless.protocol.shoedeal import ShoeDeal
from dealerless.protocol.shoekeys import ShoeHolder

from .dealer import Dealer
from .scribe import fixed

SHOE_KINDS = (
    LotCommitted,
    LotOpened,
    KeyPublished,
    DeckShuffled,
    SharesPublished,
    ClassProven,
    CardLaid,
    Revealed,
)
HOLDER = ShoeHolder()


class Shoe(Dealer):
    """A match of One Poker being written down; seats lay as the message before tells them."""

    def __init__(self, label: str, *, rounds: int = 3, lives: tuple[int, int] = (4, 4), witnesses: int = 0) -> None:
        super().__init__(label, game="onepoker", hands=rounds, rules=lives, witnesses=witnesses)
        self.offer = replace(self.offer, dealing="shoe", suite=SUITE)

    @property
    def shoe(self) -> ShoeDeal:
        """The cards as everybody sees them."""
        deal = self.state.running.deal
        assert isinstance(deal, ShoeDeal)
        return deal

    def secret(self, seat: int) -> DeckSecret:
        return key_of(self.shoe.deck, self.secrets(seat))

    def owed_event(self, seat: int, kind: type[Event]) -> Event | None:
        if kind not in SHOE_KINDS:
            return super().owed_event(seat, kind)
        head, secrets = self.state.head, self.secrets(seat)
        if kind is CardLaid:
            return HOLDER.lay(self.shoe, seat, fixed(f"{head.hex()} lays")[0] % 2, head, secrets)
        return HOLDER.answer(self.shoe, self.demand, seat, kind, head, secrets)

    @property
    def demand(self) -> Demand:
        """What the round needs next."""
        return self.state.agreed.game.demand(self.state.running.hand)

    def expelled(self, change: Callable[[Self], Event]) -> Self:
        """Write what is not legal here, and its author's expulsion and the settlements after it."""
        return self.cheat(change).expel()
