"""Cheats with the deck that nobody knows: keys and shuffles that are not what they have to be.

A forger who knows its own secrets can make any proof that is true, and sign any that is not. Every lie here is as good
as it can be made: what is wrong is proven as an honest prover would prove it, with the cheat's own key.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from ..crypto.drawing import Drawing
from ..crypto.elgamal import Ciphertext, Deck, joined, start_deck
from ..crypto.group import BASE, IDENTITY, L, add, subtract, total
from ..crypto.schnorr import DeckSecret, prove_key
from ..crypto.shuffle import ShuffleWitness, apply_shuffle, prove_shuffle, shuffle
from ..games.cards import read_cards
from ..games.holdem import HOLDEM
from ..protocol.deckdeal import DeckDeal, card_points
from ..protocol.events import DeckShuffled, HandStarted, KeyPublished
from .staging import Cheat, Setting, Staging

HEADS_UP: Final = Setting(game=HOLDEM.name, depth=20)
THREE: Final = Setting(game=HOLDEM.name, depth=20, seats=3)
TWO_HANDS: Final = Setting(game=HOLDEM.name, depth=20, hands=2)
_HEX: Final = Setting(deck=True)


def deal_of(staging: Staging) -> DeckDeal:
    """Return the running hand's deck as everybody sees it."""
    deal: DeckDeal = staging.forger.state.running.deal
    return deal


# --- keys


def _rogue_key(staging: Staging) -> None:
    staging.play(until=KeyPublished, by=2)
    deal, forger = deal_of(staging), staging.forger
    secret = DeckSecret(staging.random)
    rogue = subtract(secret.public, total(deal.keys))
    context = deal.context(staging.cheat, "key", forger.state.head)
    staging.forges(KeyPublished(key=rogue, proof=prove_key(secret, context, staging.random)))


def _copied_key(staging: Staging) -> None:
    first = staging.play(until=KeyPublished, by=0).session.due()
    staging.play(until=KeyPublished, by=1)
    if not isinstance(first, KeyPublished):
        raise RuntimeError("no key is owed by seat 0")
    staging.forges(replace(first, key=deal_of(staging).keys[0]))


def _key(spell: Callable[[KeyPublished], KeyPublished]) -> Callable[[Staging], None]:
    """Return the act in which seat 1 publishes the key it owes, spelled in another way."""

    def act(staging: Staging) -> None:
        staging.play(until=KeyPublished, by=1)
        event = staging.forger.session.due()
        if not isinstance(event, KeyPublished):
            raise RuntimeError("no key is owed by seat 1")
        staging.forges(spell(event))

    return act


def _last_matchs_key(staging: Staging) -> None:
    earlier = staging.another().play(until=KeyPublished, by=1).forger.session.due()
    staging.play(until=KeyPublished, by=1)
    if earlier is not None:
        staging.forges(earlier)


def _last_hands_key(staging: Staging) -> None:
    first = staging.play(until=KeyPublished, by=1).forger.session.due()
    if first is None:
        raise RuntimeError("no key is owed by seat 1")
    staging.says(1, first)
    staging.play("FOLD", until=HandStarted).play(until=KeyPublished, by=1)
    staging.forges(first)


def _spelled_otherwise(event: KeyPublished) -> KeyPublished:
    """Return the same key with the one bit set that a careless reader of points leaves out."""
    return replace(event, key=event.key[:31] + bytes([event.key[31] | 128]))


def _scalar_too_large(event: KeyPublished) -> KeyPublished:
    response = int.from_bytes(event.proof[32:], "little") + L
    return replace(event, proof=event.proof[:32] + response.to_bytes(32, "little"))


# --- shuffles


def _shuffles(make: Callable[[Staging, DeckDeal], tuple[Deck, bytes]]) -> Callable[[Staging], None]:
    """Return the act in which seat 1, the last to shuffle, gives a deck and an argument of its own making."""

    def act(staging: Staging) -> None:
        staging.play(until=DeckShuffled, by=1)
        deck, proof = make(staging, deal_of(staging))
        staging.forges(DeckShuffled(deck=joined(deck), proof=proof))

    return act


def _proven(staging: Staging, deck: Deck) -> tuple[Deck, bytes]:
    """Return a shuffle of `deck`, with an argument that would convince anybody who takes that for the deck."""
    deal = deal_of(staging)
    context = deal.context(staging.cheat, "shuffle", staging.forger.state.head)
    return shuffle(deck, deal.joint, context, staging.random)


def _altered(staging: Staging, alter: Callable[[Deck], Deck]) -> tuple[Deck, bytes]:
    """Return an honest shuffle with its result altered, and the argument made for what was altered."""
    deal = deal_of(staging)
    drawing = Drawing(staging.random, "altered")
    witness = ShuffleWitness(drawing.permutation(len(deal.deck)), drawing.scalars(len(deal.deck)))
    after = alter(apply_shuffle(deal.deck, deal.joint, witness))
    context = deal.context(staging.cheat, "shuffle", staging.forger.state.head)
    return after, prove_shuffle(deal.deck, after, deal.joint, context, witness, staging.random)


def _doubled(staging: Staging, deal: DeckDeal) -> tuple[Deck, bytes]:
    return _proven(staging, (*deal.deck[:-1], deal.deck[0]))


def _dropped(staging: Staging, deal: DeckDeal) -> tuple[Deck, bytes]:
    return _proven(staging, deal.deck[:-1])


def _added(staging: Staging, deal: DeckDeal) -> tuple[Deck, bytes]:
    return _proven(staging, (*deal.deck, deal.deck[0]))


def _started_anew(staging: Staging, deal: DeckDeal) -> tuple[Deck, bytes]:
    names = [deal.game.card_text(card) for card in deal.cards]
    return _proven(staging, start_deck(deal.game.name, names, deal.joint))


def _replaced(staging: Staging, deal: DeckDeal) -> tuple[Deck, bytes]:
    """One slot holds the ace of spades under a key of which the cheat knows the secret."""
    (ace,) = read_cards("SA")
    point = next(point for point, card in card_points(deal.game).items() if card == ace)
    marked: Ciphertext = (BASE, add(point, deal.joint))
    return _altered(staging, lambda after: (marked, *after[1:]))


def _balanced(staging: Staging, deal: DeckDeal) -> tuple[Deck, bytes]:
    """One card more by a point and another less by it: the sum of all cards stays what it was."""
    one, other = list(card_points(deal.game))[:2]
    step = subtract(other, one)

    def alter(after: Deck) -> Deck:
        (a, b), (c, d) = after[:2]
        return ((a, add(b, step)), (c, subtract(d, step)), *after[2:])

    return _altered(staging, alter)


def _first_shuffle_again(staging: Staging) -> None:
    staging.play(until=DeckShuffled, by=0)
    first = staging.session.due()
    if not isinstance(first, DeckShuffled):
        raise RuntimeError("no shuffle is owed by seat 0")
    staging.says(0, first)
    staging.forges(first)


def _cut_argument(staging: Staging, deal: DeckDeal) -> tuple[Deck, bytes]:
    deck, proof = _proven(staging, deal.deck)
    return deck, proof[:-32]


def convicted(
    name: str,
    title: str,
    hope: str,
    code: str,
    clause: str,
    act: Callable[[Staging], object],
    setting: Setting = HEADS_UP,
) -> Cheat:
    """Return a story of the deck; where nothing else is said it is one of Hold'em heads-up."""
    return Cheat(name=name, title=title, hope=hope, code=code, clause=clause, act=act, setting=setting)


DECKS: Final = (
    convicted(
        "rogue-key",
        "The last to publish its key takes the others' out of it",
        "The joint key is then one whose secret it knows, and every card of the deck is its own to open.",
        "proof.key",
        "DECK-1",
        _rogue_key,
        replace(THREE, cheat=2),
    ),
    convicted(
        "copied-key",
        "The second to publish a key copies the first's, proof and all",
        "Nobody is to ask whether it can open anything with it; every share it owes is the other's, copied.",
        "proof.key",
        "DECK-1",
        _copied_key,
    ),
    convicted(
        "old-match-key",
        "A player publishes its key of another match",
        "Shares that were given for that key then are to serve again.",
        "proof.key",
        "DECK-1",
        _last_matchs_key,
    ),
    convicted(
        "old-hand-key",
        "A player publishes key and proof of the last hand again",
        "Whoever has seen its shares under one key and one deck is to learn nothing new, and it saves a secret.",
        "proof.key",
        "DECK-1",
        _last_hands_key,
        TWO_HANDS,
    ),
    convicted(
        "identity-key",
        "A player's key is the identity",
        "A key that hides nothing: the other's alone covers the deck, and no share of its own is ever wrong.",
        "group.identity",
        "DECK-1",
        _key(lambda event: replace(event, key=IDENTITY)),
        _HEX,
    ),
    convicted(
        "misspelt-key",
        "A player spells its key with a bit too many",
        "For some readers it is the same point in other bytes, and two programs disagree about every hash of it.",
        "group.not-a-point",
        "DECK-1",
        _key(_spelled_otherwise),
        _HEX,
    ),
    convicted(
        "grown-scalar",
        "A player adds the order of the group to a scalar",
        "The equations hold as before, so that one proof has two spellings and its message two hashes.",
        "group.bad-scalar",
        "DECK-1",
        _key(_scalar_too_large),
        _HEX,
    ),
    convicted(
        "doubled-card",
        "A shuffler leaves one card out and puts another in twice",
        "Its argument is a good one, of a deck that has the card twice from the start.",
        "proof.shuffle",
        "DECK-3",
        _shuffles(_doubled),
    ),
    convicted(
        "dropped-card",
        "A shuffler drops a card",
        "A deck of 51 with a flawless argument about 51: one card that can never come.",
        "deck.wrong-size",
        "DECK-3",
        _shuffles(_dropped),
    ),
    convicted(
        "extra-card",
        "A shuffler adds a card",
        "A deck of 53 with a flawless argument about 53: one card that comes twice as often.",
        "deck.wrong-size",
        "DECK-3",
        _shuffles(_added),
    ),
    convicted(
        "planted-ace",
        "A shuffler puts an ace it can recognise in the first slot",
        "Of 52 ciphertexts it made one without the deck; it is the first card to be dealt.",
        "proof.shuffle",
        "DECK-3",
        _shuffles(_replaced),
    ),
    convicted(
        "balanced-cards",
        "A shuffler changes two cards so that their sum stays",
        "An argument that only looks at the sum of all cards would find nothing.",
        "proof.shuffle",
        "DECK-3",
        _shuffles(_balanced),
    ),
    convicted(
        "undone-shuffle",
        "The last to shuffle begins with the deck in order",
        "It throws the other's shuffle away and proves its own, of the first deck: it alone knows the order.",
        "proof.shuffle",
        "DECK-3",
        _shuffles(_started_anew),
    ),
    convicted(
        "copied-shuffle",
        "A shuffler sends the other's deck and argument again",
        "It need not shuffle, and nobody is to notice that the order is the other's alone.",
        "proof.shuffle",
        "DECK-3",
        _first_shuffle_again,
    ),
    convicted(
        "cut-argument",
        "A shuffler leaves out the end of its argument",
        "A verifier that stops where the proof stops checks all but one card.",
        "proof.wrong-length",
        "DECK-1",
        _shuffles(_cut_argument),
    ),
)
