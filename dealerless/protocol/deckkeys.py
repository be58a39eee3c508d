"""The secret side of deck dealing: a seat's key of a deck, its shuffle, its shares, and the cards that it alone sees.

Only the key outlives a message, since every share of the hand needs it; it is made from a seed that the secrets file
has kept before the key is published. The permutation, the re-encryption and the nonces of proofs are new each time and
gone when the message is signed (DECK-10).
"""

from __future__ import annotations

import hashlib

from ..crypto.equality import prove_opening, prove_shares, share
from ..crypto.schnorr import DeckSecret, prove_key
from ..crypto.shuffle import shuffle
from ..errors import UsageError
from ..games.game import Card, Demand, Show, Slots
from .dealing import Holder
from .deckdeal import DeckDeal, asked
from .events import DeckShuffled, Event, KeyPublished, Revealed, SharesPublished
from .seeds import Secrets


class DeckHolder(Holder):
    """A seat's secret side of deck dealing: one key for each deck."""

    def answer(
        self, deal: DeckDeal, demand: Demand, seat: int, kind: type[Event], prev: bytes, secrets: Secrets
    ) -> Event:
        """Return the message of this kind that `seat` owes: its key, its shuffle, its shares or its own cards."""
        if kind is KeyPublished:
            key = key_of(deal, secrets)
            return KeyPublished(key=key.public, proof=prove_key(key, deal.context(seat, "key", prev), secrets.fresh))
        if kind is DeckShuffled:
            context = deal.context(seat, "shuffle", prev)
            deck, proof = shuffle(deal.deck, deal.joint, context, secrets.fresh)
            return DeckShuffled(deck=b"".join([a + b for a, b in deck]), proof=proof)
        if kind is SharesPublished:
            shares, proof = self._shares(deal, asked(deal, demand, seat), seat, prev, "share", secrets)
            return SharesPublished(shares=shares, proof=proof)
        if kind is Revealed and isinstance(demand, Show):
            key, slots = key_of(deal, secrets), demand.slots
            own, context = share(key, deal.points(slots)), deal.context(seat, "open", prev)
            proofs = [
                prove_opening(key, context, slot, key.public, deal.without(slot, seat), ours, secrets.fresh)
                for slot, ours in zip(slots, own, strict=True)
            ]
            return Revealed(shares=b"".join(own), proofs=b"".join(proofs))
        raise UsageError("usage.wrong-state", actual=kind.KIND)

    def release(self, deal: DeckDeal, slots: Slots, seat: int, prev: bytes, secrets: Secrets) -> bytes:
        """Return our shares of these slots with their proof, for a move after which we owe nothing (DECK-9)."""
        return b"".join(self._shares(deal, slots, seat, prev, "release", secrets))

    def explained(self, deal: DeckDeal, demand: Demand, seat: int, event: Event, secrets: Secrets) -> bool:
        """Return whether our key of this deck made this message of `seat`; a shuffle leaves nothing to compare."""
        if not has_key(deal, secrets):
            return False
        key = key_of(deal, secrets)
        if isinstance(event, KeyPublished):
            return event.key == key.public
        if isinstance(event, SharesPublished):
            return event.shares == b"".join(share(key, deal.points(asked(deal, demand, seat))))
        if isinstance(event, Revealed) and isinstance(demand, Show):
            return event.shares == b"".join(share(key, deal.points(demand.slots)))
        return True

    def own_cards(self, deal: DeckDeal, slots: Slots, seat: int, secrets: Secrets) -> tuple[Card, ...]:
        """Return the cards of our seat's slots, known to us alone; empty while they are not dealt."""
        if seat not in deal.seats or deal.fresh or not deal.complete:
            return ()
        opened = deal.take(seat, slots, share(key_of(deal, secrets), deal.points(slots)))
        return tuple([opened.card(slot) for slot in slots])

    def _shares(
        self, deal: DeckDeal, slots: Slots, seat: int, prev: bytes, purpose: str, secrets: Secrets
    ) -> tuple[bytes, bytes]:
        """Return our shares of these slots, one after the other, and their proof."""
        key, points = key_of(deal, secrets), deal.points(slots)
        shares = share(key, points)
        context = deal.context(seat, purpose, prev)
        proof = prove_shares(key, context, key.public, slots, points, shares, secrets.fresh)
        return b"".join(shares), proof


def key_of(deal: DeckDeal, secrets: Secrets) -> DeckSecret:
    """Return the secret of this deck, drawn from the seed that is kept for it and so the same one every time."""
    hand, number = deal.keyed
    seed = secrets.seed(hand, _name(number))
    return DeckSecret(lambda size: hashlib.shake_256(seed).digest(size), deal.session, hand, number)


def has_key(deal: DeckDeal, secrets: Secrets) -> bool:
    """Return whether the seed of this deck's secret is known already; none is made."""
    hand, number = deal.keyed
    return secrets.known(hand, _name(number)) is not None


def _name(number: int) -> str:
    return f"deck.{number}"
