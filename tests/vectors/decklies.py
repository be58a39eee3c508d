"""What dishonest seats say at a table whose cards come from a deck; each returns how the message is made there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from dealerless.crypto.challenge import Context
from dealerless.crypto.equality import prove_shares, share
from dealerless.crypto.group import BASE, encode_scalar, subtract
from dealerless.crypto.schnorr import prove_key
from dealerless.crypto.shuffle import ShuffleWitness, apply_shuffle, prove_shuffle, shuffle
from dealerless.protocol.events import DeckShuffled, Event, KeyPublished, Revealed, SharesPublished

from .dealer import Dealer
from .scribe import fixed
from .spoilt import turned

E = TypeVar("E", bound=Event)


def changed(kind: type[E], change: Callable[[E], Event]) -> Callable[[Dealer], Event]:
    """What the seat that owes would say, with something of it changed."""

    def said(dealer: Dealer) -> Event:
        event = dealer.the(kind)
        assert isinstance(event, kind)
        return change(event)

    return said


wrong_share = changed(SharesPublished, lambda event: replace(event, shares=BASE + event.shares[32:]))
"""The first share is another point, and the proof is the one of the right shares."""
wrong_proof = changed(SharesPublished, lambda event: replace(event, proof=turned(event.proof, 1)))
"""The right shares with one bit of the response turned."""


def shares_of(*slots: int) -> Callable[[Dealer], Event]:
    """Shares of these slots instead of those that are due, with their proof."""

    def said(dealer: Dealer) -> Event:
        deal, seat, secret = dealer.deal, dealer.owing, dealer.secret(dealer.owing)
        points = deal.points(slots)
        shares, context = share(secret, points), deal.context(seat, "share", dealer.state.head)
        proof = prove_shares(secret, context, secret.public, slots, points, shares, dealer.secrets(seat).fresh)
        return SharesPublished(shares=b"".join(shares), proof=proof)

    return said


def key_for(context: Callable[[Context], Context]) -> Callable[[Dealer], Event]:
    """The right key with a proof made for another place."""

    def change(dealer: Dealer) -> Event:
        seat, secret = dealer.owing, dealer.secret(dealer.owing)
        where = context(dealer.deal.context(seat, "key", dealer.state.head))
        return KeyPublished(key=secret.public, proof=prove_key(secret, where, dealer.secrets(seat).fresh))

    return change


def rogue(dealer: Dealer) -> Event:
    """What is left of an own key when that of seat 0 is taken away, with the proof of the own one."""
    seat, secret = dealer.owing, dealer.secret(dealer.owing)
    proof = prove_key(secret, dealer.deal.context(seat, "key", dealer.state.head), dealer.secrets(seat).fresh)
    return KeyPublished(key=subtract(secret.public, dealer.deal.keys[0]), proof=proof)


def duplicated(dealer: Dealer) -> Event:
    """The first card of the new deck stands in the place of the second as well, covered anew; the rest is honest."""
    deal, seat = dealer.deal, dealer.owing
    count = len(deal.deck)
    scalars = [int.from_bytes(fixed(f"duplicated {number}"), "big") for number in range(count)]
    witness = ShuffleWitness(range(count), scalars)
    cards = (deal.deck[0], deal.deck[0], *deal.deck[2:])
    new = apply_shuffle(cards, deal.joint, witness)
    context = deal.context(seat, "shuffle", dealer.state.head)
    proof = prove_shuffle(cards, new, deal.joint, context, witness, dealer.secrets(seat).fresh)
    return DeckShuffled(deck=b"".join([a + b for a, b in new]), proof=proof)


def fewer(dealer: Dealer) -> Event:
    """51 cards and the argument for them."""
    deal, seat = dealer.deal, dealer.owing
    context = deal.context(seat, "shuffle", dealer.state.head)
    new, proof = shuffle(deal.deck[:-1], deal.joint, context, dealer.secrets(seat).fresh)
    return DeckShuffled(deck=b"".join([a + b for a, b in new]), proof=proof)


def early_reveal(dealer: Dealer) -> Event:
    """A card opened as at the showdown; what stands in it does not matter."""
    return Revealed(shares=BASE * 2, proofs=encode_scalar(1) * 4)
