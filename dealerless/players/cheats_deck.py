"""Cheats with the deck that nobody knows: keys, shuffles, shares and openings that are not what they have to be.

A forger who knows its own secrets can make any proof that is true, and sign any that is not. Every lie here is as good
as it can be made: what is wrong is proven as an honest prover would prove it, with the cheat's own key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from ..crypto.drawing import Drawing
from ..crypto.elgamal import Ciphertext, Deck, joined, start_deck
from ..crypto.equality import prove_opening, prove_shares, share
from ..crypto.group import BASE, IDENTITY, L, add, subtract, total
from ..crypto.schnorr import DeckSecret, prove_key
from ..crypto.shuffle import ShuffleWitness, apply_shuffle, prove_shuffle, shuffle
from ..games.cards import read_cards
from ..games.game import Show, Slots
from ..games.holdem import HOLDEM
from ..protocol.deckdeal import DeckDeal, asked, card_points
from ..protocol.deckkeys import DeckHolder
from ..protocol.events import Acted, DeckShuffled, HandStarted, KeyPublished, Revealed, SharesPublished
from .staging import Cheat, Setting, Staging

_HEADS_UP: Final = Setting(game=HOLDEM.name, depth=20)
_THREE: Final = Setting(game=HOLDEM.name, depth=20, seats=3)
_TWO_HANDS: Final = Setting(game=HOLDEM.name, depth=20, hands=2)
_HEX: Final = Setting(deck=True)

# Heads-up seat 0 has the button and moves first before the flop, seat 1 on every later street and at the showdown.
_CHECKED_DOWN: Final = "CALL CHECK CHECK CHECK CHECK CHECK CHECK CHECK"
# Among three seat 0 has the button and moves first before the flop, then seats 1 and 2.
_TO_THE_LAST: Final = "CALL CALL CHECK"


def _deal(staging: Staging) -> DeckDeal:
    deal: DeckDeal = staging.forger.state.running.deal
    return deal


# --- keys


def _rogue_key(staging: Staging) -> None:
    staging.play(until=KeyPublished, by=2)
    deal, forger = _deal(staging), staging.forger
    secret = DeckSecret(staging.random)
    rogue = subtract(secret.public, total(deal.keys))
    context = deal.context(staging.cheat, "key", forger.state.head)
    staging.forges(KeyPublished(key=rogue, proof=prove_key(secret, context, staging.random)))


def _copied_key(staging: Staging) -> None:
    first = staging.play(until=KeyPublished, by=0).session.due()
    staging.play(until=KeyPublished, by=1)
    if not isinstance(first, KeyPublished):
        raise RuntimeError("no key is owed by seat 0")
    staging.forges(replace(first, key=_deal(staging).keys[0]))


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
        deck, proof = make(staging, _deal(staging))
        staging.forges(DeckShuffled(deck=joined(deck), proof=proof))

    return act


def _proven(staging: Staging, deck: Deck) -> tuple[Deck, bytes]:
    """Return a shuffle of `deck`, with an argument that would convince anybody who takes that for the deck."""
    deal = _deal(staging)
    context = deal.context(staging.cheat, "shuffle", staging.forger.state.head)
    return shuffle(deck, deal.joint, context, staging.random)


def _altered(staging: Staging, alter: Callable[[Deck], Deck]) -> tuple[Deck, bytes]:
    """Return an honest shuffle with its result altered, and the argument made for what was altered."""
    deal = _deal(staging)
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


# --- shares


def _proven_shares(staging: Staging, slots: Slots, shares: Sequence[bytes], purpose: str) -> bytes:
    """Return the proof an honest prover makes of these shares, true or not."""
    deal, forger = _deal(staging), staging.forger
    secret = forger.deck_secret()
    context = deal.context(staging.cheat, purpose, forger.state.head)
    points = deal.points(slots)
    return prove_shares(secret, context, secret.public, slots, points, shares, staging.random)


def _shares(
    change: Callable[[tuple[bytes, ...]], tuple[bytes, ...]],
    *,
    flop: bool = False,
    later: int = 0,
) -> Callable[[Staging], None]:
    """Return the act in which seat 1 shares what it owes, changed, or for slots that come `later`.

    That is for the other's two cards, or for the `flop`.
    """

    def act(staging: Staging) -> None:
        if flop:
            staging.play("CALL")
        staging.play("CHECK", until=SharesPublished, by=1)
        state, deal = staging.forger.state, _deal(staging)
        due = asked(deal, state.agreed.game.demand(state.running.hand), staging.cheat)
        slots = tuple([slot + later for slot in due])
        shares = change(share(staging.forger.deck_secret(), deal.points(slots)))
        proof = _proven_shares(staging, slots[: len(shares)], shares, "share")
        staging.forges(SharesPublished(shares=b"".join(shares), proof=proof))

    return act


def _first_wrong(shares: tuple[bytes, ...]) -> tuple[bytes, ...]:
    return (add(shares[0], BASE), *shares[1:])


def _identity(shares: tuple[bytes, ...]) -> tuple[bytes, ...]:
    return (IDENTITY, *shares[1:])


def _other_matchs_shares(staging: Staging) -> None:
    earlier = staging.another().play(until=SharesPublished, by=1).forger.session.due()
    staging.play(until=SharesPublished, by=1)
    if earlier is not None:
        staging.forges(earlier)


def _early_share(staging: Staging) -> None:
    staging.play("CALL CHECK")
    slots = staging.forger.state.running.hand.board[3:]
    shares = share(staging.forger.deck_secret(), _deal(staging).points(slots))
    proof = _proven_shares(staging, slots, shares, "share")
    staging.forges(SharesPublished(shares=b"".join(shares), proof=proof))


def _moves(before: str, move: str, amount: int = 0) -> Callable[[Staging], None]:
    """Return the act in which the cheat, to act after the moves `before`, makes one and releases nothing with it."""

    def act(staging: Staging) -> None:
        staging.play(before)
        staging.forges(Acted(move=move, amount=amount))

    return act


def _release_not_due(staging: Staging) -> None:
    staging.play("RAISE")
    forger = staging.forger
    slots, prev = forger.state.running.hand.closed, forger.state.head
    released = DeckHolder().release(_deal(staging), slots, staging.cheat, prev, forger.secrets)
    staging.forges(Acted(move="FOLD", amount=0, released=released))


def _wrong_release(staging: Staging) -> None:
    staging.play("CALL")
    slots = staging.forger.state.running.hand.closed
    shares = _first_wrong(share(staging.forger.deck_secret(), _deal(staging).points(slots)))
    released = b"".join(shares) + _proven_shares(staging, slots, shares, "release")
    staging.forges(Acted(move="FOLD", amount=0, released=released))


# --- openings


def _reveals(staging: Staging, slots: Slots, shares: Sequence[bytes]) -> None:
    """Let the cheat open its two cards with these shares; the proofs are made for what stands at `slots`."""
    deal, forger = _deal(staging), staging.forger
    secret, context = forger.deck_secret(), deal.context(staging.cheat, "open", forger.state.head)
    proofs = [
        prove_opening(secret, context, slot, secret.public, deal.without(slot, staging.cheat), ours, staging.random)
        for slot, ours in zip(slots, shares, strict=True)
    ]
    staging.forges(Revealed(shares=b"".join(shares), proofs=b"".join(proofs)))


def _opens_an_ace(staging: Staging) -> None:
    staging.play(_CHECKED_DOWN, until=Revealed, by=1)
    state, deal = staging.forger.state, _deal(staging)
    slots = state.agreed.game.hole_slots(state.running.hand, staging.cheat)
    held, points = staging.forger.session.hole(), {card: point for point, card in card_points(deal.game).items()}
    public = (*held, *state.running.hand.cards)
    ace = next(card for card in read_cards("SA HA DA CA") if card not in public)
    own = share(staging.forger.deck_secret(), deal.points(slots))
    # What is left of the ciphertext when this is taken away is the ace.
    _reveals(staging, slots, (add(own[0], subtract(points[held[0]], points[ace])), own[1]))


def _others_cards(staging: Staging) -> None:
    staging.play(_CHECKED_DOWN, until=Revealed, by=1)
    state = staging.forger.state
    slots = state.agreed.game.hole_slots(state.running.hand, staging.honest)
    _reveals(staging, slots, share(staging.forger.deck_secret(), _deal(staging).points(slots)))


def _swapped_cards(staging: Staging) -> None:
    staging.play(_CHECKED_DOWN, until=Revealed, by=1)
    demand = staging.forger.state.agreed.game.demand(staging.forger.state.running.hand)
    if not isinstance(demand, Show):
        raise RuntimeError("no show is owed by seat 1")
    own = share(staging.forger.deck_secret(), _deal(staging).points(demand.slots))
    _reveals(staging, demand.slots, own[::-1])


def _early_reveal(staging: Staging) -> None:
    staging.play("CALL")
    state = staging.forger.state
    slots = state.agreed.game.hole_slots(state.running.hand, staging.cheat)
    _reveals(staging, slots, share(staging.forger.deck_secret(), _deal(staging).points(slots)))


def last_to_share(staging: Staging) -> None:
    """Play until seat 0 alone has not shared for the turn, and sees it by the other's share and its own."""
    staging.play("CALL CHECK CHECK BET").play("CALL", until=SharesPublished, by=0)


def _withheld_share(staging: Staging) -> None:
    last_to_share(staging)
    staging.expel_absent()


def _cheat(name: str, title: str, hope: str, code: str, clause: str, act: Any, setting: Setting = _HEADS_UP) -> Cheat:
    return Cheat(name=name, title=title, hope=hope, code=code, clause=clause, act=act, setting=setting)


DECKS: Final = (
    _cheat(
        "rogue-key",
        "The last to publish its key takes the others' out of it",
        "The joint key is then one whose secret it knows, and every card of the deck is its own to open.",
        "proof.key",
        "DECK-1",
        _rogue_key,
        replace(_THREE, cheat=2),
    ),
    _cheat(
        "copied-key",
        "The second to publish a key copies the first's, proof and all",
        "Nobody is to ask whether it can open anything with it; every share it owes is the other's, copied.",
        "proof.key",
        "DECK-1",
        _copied_key,
    ),
    _cheat(
        "old-match-key",
        "A player publishes its key of another match",
        "Shares that were given for that key then are to serve again.",
        "proof.key",
        "DECK-1",
        _last_matchs_key,
    ),
    _cheat(
        "old-hand-key",
        "A player publishes its key of the last hand again",
        "Whoever has seen its shares under one key and one deck is to learn nothing new, and it saves a secret.",
        "proof.key",
        "DECK-1",
        _last_hands_key,
        _TWO_HANDS,
    ),
    _cheat(
        "identity-key",
        "A player's key is the identity",
        "A key that hides nothing: the other's alone covers the deck, and no share of its own is ever wrong.",
        "group.identity",
        "DECK-1",
        _key(lambda event: replace(event, key=IDENTITY)),
        _HEX,
    ),
    _cheat(
        "misspelt-key",
        "A player spells its key with a bit too many",
        "For some readers it is the same point in other bytes, and two programs disagree about every hash of it.",
        "group.not-a-point",
        "DECK-1",
        _key(_spelled_otherwise),
        _HEX,
    ),
    _cheat(
        "grown-scalar",
        "A player adds the order of the group to a scalar",
        "The equations hold as before, so that one proof has two spellings and its message two hashes.",
        "group.bad-scalar",
        "DECK-1",
        _key(_scalar_too_large),
        _HEX,
    ),
    _cheat(
        "doubled-card",
        "A shuffler leaves one card out and puts another in twice",
        "Its argument is a good one, of a deck that has the card twice from the start.",
        "proof.shuffle",
        "DECK-3",
        _shuffles(_doubled),
    ),
    _cheat(
        "dropped-card",
        "A shuffler drops a card",
        "A deck of 51 with a flawless argument about 51: one card that can never come.",
        "deck.wrong-size",
        "DECK-3",
        _shuffles(_dropped),
    ),
    _cheat(
        "extra-card",
        "A shuffler adds a card",
        "A deck of 53 with a flawless argument about 53: one card that comes twice as often.",
        "deck.wrong-size",
        "DECK-3",
        _shuffles(_added),
    ),
    _cheat(
        "planted-ace",
        "A shuffler puts an ace it can recognise in the first slot",
        "Of 52 ciphertexts it made one without the deck; it is the first card to be dealt.",
        "proof.shuffle",
        "DECK-3",
        _shuffles(_replaced),
    ),
    _cheat(
        "balanced-cards",
        "A shuffler changes two cards so that their sum stays",
        "An argument that only looks at the sum of all cards would find nothing.",
        "proof.shuffle",
        "DECK-3",
        _shuffles(_balanced),
    ),
    _cheat(
        "undone-shuffle",
        "The last to shuffle begins with the deck in order",
        "It throws the other's shuffle away and proves its own, of the first deck: it alone knows the order.",
        "proof.shuffle",
        "DECK-3",
        _shuffles(_started_anew),
    ),
    _cheat(
        "copied-shuffle",
        "A shuffler sends the other's deck and argument again",
        "It need not shuffle, and nobody is to notice that the order is the other's alone.",
        "proof.shuffle",
        "DECK-3",
        _first_shuffle_again,
    ),
    _cheat(
        "cut-argument",
        "A shuffler leaves out the end of its argument",
        "A verifier that stops where the proof stops checks all but one card.",
        "proof.wrong-length",
        "DECK-1",
        _shuffles(_cut_argument),
    ),
    _cheat(
        "wrong-share",
        "A dealer's share spoils the other's card",
        "With one share wrong the other gets no card, or another one, and cannot say why.",
        "proof.shares",
        "DECK-4",
        _shares(_first_wrong),
    ),
    _cheat(
        "swapped-shares",
        "A dealer exchanges its shares of two cards",
        "Both are honest shares and their sum is right; each stands in the other's place.",
        "proof.shares",
        "DECK-4",
        _shares(lambda shares: shares[::-1]),
    ),
    _cheat(
        "identity-share",
        "A dealer's share is the identity",
        "Nothing is taken away from the card, so that it stays closed for ever.",
        "group.identity",
        "DECK-1",
        _shares(_identity),
    ),
    _cheat(
        "missing-share",
        "A player shares for two cards of the flop and not the third",
        "Who counts no shares waits for ever, or plays on with a board of two.",
        "deck.wrong-size",
        "DECK-4",
        _shares(lambda shares: shares[:2], flop=True),
    ),
    _cheat(
        "next-cards-shares",
        "A player shares for the cards behind the flop instead",
        "Honest shares, each proven, of the slots after those that are due: another flop comes than the deck's.",
        "proof.shares",
        "DECK-4",
        _shares(lambda shares: shares, flop=True, later=1),
    ),
    _cheat(
        "old-match-shares",
        "A dealer sends the shares of another match",
        "They were good ones there, with their proof.",
        "proof.shares",
        "DECK-4",
        _other_matchs_shares,
    ),
    _cheat(
        "early-shares",
        "A player shares for turn and river on the flop",
        "Whoever else has shared sees the river before the betting; a confederate is enough.",
        "turn.wrong-kind",
        "CHAIN-1",
        _early_share,
    ),
    _cheat(
        "fold-and-keep",
        "One of three folds and keeps its shares of the board",
        "It goes home with a part of every card to come: without it the others cannot finish.",
        "deck.wrong-release",
        "DECK-9",
        _moves("CALL", "FOLD"),
        _THREE,
    ),
    _cheat(
        "all-in-and-keep",
        "One of three goes all-in and keeps its shares of the board",
        "All-in it has nothing more to do, and can void the hand for a confederate by not being there.",
        "deck.wrong-release",
        "DECK-9",
        _moves("CALL", "RAISE", 40),
        _THREE,
    ),
    _cheat(
        "spoiled-release",
        "One of three folds with a wrong share of the board",
        "The flop is to be no card at all, long after it has gone.",
        "proof.shares",
        "DECK-4",
        _wrong_release,
        _THREE,
    ),
    _cheat(
        "release-not-due",
        "A fold that ends the hand gives the board away",
        "The winner opens the cards that would have come, and the loser learns how close it was.",
        "deck.wrong-release",
        "DECK-9",
        _release_not_due,
    ),
    _cheat(
        "early-reveal",
        "A player opens its cards before the flop",
        "To frighten the other out, or to let a confederate know what is out.",
        "commit.early-opening",
        "SHOW-2",
        _early_reveal,
    ),
    _cheat(
        "forged-ace",
        "Who shows opens a card as an ace",
        "The share is made so that what is left of the ciphertext is the ace that it needs.",
        "proof.opening",
        "DECK-6",
        _opens_an_ace,
    ),
    _cheat(
        "others-cards",
        "Who shows opens the other's cards instead of its own",
        "Its own shares of them are honest, and with the other's they would lie open.",
        "proof.opening",
        "DECK-6",
        _others_cards,
    ),
    _cheat(
        "exchanged-openings",
        "Who shows exchanges the shares of its two cards",
        "Neither opens, and a program that cannot read a card may not know whom to blame.",
        "proof.opening",
        "DECK-6",
        _swapped_cards,
    ),
    _cheat(
        "withheld-share",
        "The last to share sees the turn and does not share it",
        "It has all the others' shares and so the card; the others have nothing. A witness watches.",
        "witness.no-show",
        "VERDICT-6",
        _withheld_share,
        Setting(game=HOLDEM.name, depth=20, cheat=0, witnessed=True),
    ),
    _cheat(
        "check-below-blind",
        "The small blind checks before the flop",
        "To see the flop for half of what it costs.",
        "bet.chips-owed",
        "BET-2",
        _moves("", "CHECK"),
        replace(_HEADS_UP, cheat=0),
    ),
    _cheat(
        "small-raise",
        "A player raises by less than the last raise",
        "A raise for next to nothing, to learn how strong the other is.",
        "bet.below-minimum-raise",
        "BET-4",
        _moves("RAISE:8", "RAISE", 10),
    ),
    _cheat(
        "raise-again",
        "A player raises again after a short all-in behind it",
        "It has raised once already, and only a full raise would let it speak again.",
        "bet.not-reopened",
        "BET-4",
        _moves("RAISE:21 FOLD FOLD RAISE:29 RAISE:38 CALL", "RAISE", 39),
        replace(_THREE, hands=2),
    ),
    _cheat(
        "fifth-bet",
        "A player raises past the cap of fixed limit",
        "One bet more than the terms allow in a round.",
        "bet.cap-reached",
        "BET-5",
        _moves("RAISE RAISE RAISE", "RAISE"),
        replace(_HEADS_UP, structure="limit"),
    ),
    _cheat(
        "raise-nobody",
        "A player raises one that is all-in",
        "Chips that nobody can answer are to buy a pot that nobody contests.",
        "bet.no-answer",
        "BET-6",
        _moves("FOLD CALL RAISE:39", "RAISE", 41),
        _TWO_HANDS,
    ),
)
