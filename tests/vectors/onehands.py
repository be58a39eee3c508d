"""Transcripts of One Poker: whole matches, and ones in which a seat breaks a rule of the shoe, the lot or the lives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from dealerless.crypto.elgamal import Deck, card_point, joined, unmask
from dealerless.crypto.equality import prove_opening, share
from dealerless.crypto.group import BASE, IDENTITY, add, subtract
from dealerless.crypto.laying import LayWitness, apply_lay, prove_lay
from dealerless.crypto.membership import proof_bytes, prove_class
from dealerless.games.game import Light
from dealerless.protocol.events import (
    Acted,
    CardLaid,
    ClassProven,
    Event,
    HandStarted,
    KeyPublished,
    LotCommitted,
    LotOpened,
    Mucked,
    Revealed,
)
from dealerless.protocol.lot import LOT
from dealerless.protocol.shoedeal import LAID

from .decklies import changed
from .entries import Entries
from .scribe import fixed
from .shoedealer import Shoe

ONE_ENTRIES = Entries()
clean, fault = ONE_ENTRIES.clean, ONE_ENTRIES.fault

# --- matches to begin from: nothing is proven twice ------------------------------------------------------------


@cache
def _opened() -> Shoe:
    """Both are ready and have put a life in the pot; seat 0 owes its commitment for the lot. A witness watches."""
    return Shoe("one poker", witnesses=1).due(until=LotCommitted)


@cache
def _dealt() -> Shoe:
    """All shares are there; who has priority owes its classes."""
    return _opened().branch().due(until=ClassProven)


@cache
def _lit() -> Shoe:
    """All lamps are lit; who has priority owes its lay."""
    return _dealt().branch().due(until=CardLaid)


@cache
def _laid() -> Shoe:
    """Both cards lie; who has priority is to act."""
    return _lit().branch().due()


@cache
def _showing() -> Shoe:
    """Both have checked; who has priority is to open."""
    return _laid().branch().play("CHECK CHECK")


# --- whole matches -----------------------------------------------------------------------------------------------


def _all_in() -> Shoe:
    """The first round takes two of three lives from a seat, the ante of the second its last one."""
    return Shoe("all lives 1", rounds=9, lives=(3, 3)).due().play("BET CALL CHECK CHECK").due()


def _tie() -> Shoe:
    """Two rounds, checked down."""
    return Shoe("a tie 3", rounds=2, lives=(4, 6)).due().play("CHECK CHECK").due().play("CHECK CHECK").due()


clean(
    "onepoker-lives",
    "The first of nine rounds leaves a seat one life, so that there is no betting in the second; that ends the match.",
    _all_in,
)
clean(
    "onepoker-rounds",
    "Three rounds of unequal lives with a bet, a raise and a fold, after which both cards open; then it is over.",
    lambda: (
        Shoe("rounds", lives=(4, 7))
        .due()
        .play("BET RAISE CALL CHECK CHECK")
        .due()
        .play("CHECK BET FOLD")
        .due()
        .play("CHECK CHECK")
        .due()
    ),
)
clean("onepoker-tie", "Equal ranks in the first of two rounds: lives and priority stay as they are.", _tie)

# --- the lot -----------------------------------------------------------------------------------------------------


def _of_the_lot(seed: Callable[[Shoe], bytes]) -> Callable[[Shoe], Event]:
    return lambda shoe: LotOpened(seed=seed(shoe))


def _second_seed() -> Shoe:
    """Seat 1 has committed, for itself, to the seed of seat 0, and opens it after seat 0 has."""
    shoe = _opened().branch()
    shoe.say(0, shoe.the(LotCommitted))
    seed = shoe.secrets(0).seed(1, LOT)
    shoe.say(1, LotCommitted(commitment=shoe.commit(LOT, 1, seed)))
    shoe.say(0, shoe.the(LotOpened))
    return shoe.cheat(lambda _: LotOpened(seed=seed))


fault(
    "commit_duplicate-lot",
    "commit.duplicate",
    "COMMIT-3",
    1,
    "Seat 1 commits for the lot to what seat 0 did.",
    lambda: (
        (shoe := _opened().branch())
        .say(0, shoe.the(LotCommitted))
        .cheat(lambda s: LotCommitted(commitment=s.shoe.lot.commitments[0]))
    ),
)
fault(
    "commit_early-opening-lot",
    "commit.early-opening",
    "COMMIT-3",
    1,
    "Seat 1 opens its seed of the lot before it has committed to it.",
    lambda: (
        (shoe := _opened().branch())
        .say(0, shoe.the(LotCommitted))
        .cheat(_of_the_lot(lambda s: s.secrets(1).seed(1, LOT)))
    ),
)
fault(
    "commit_wrong-opening-lot",
    "commit.wrong-opening",
    "COMMIT-2",
    1,
    "Seat 1, the last to open, opens another seed of the lot than the one it has committed to.",
    lambda: (
        (shoe := _opened().branch().due(until=LotOpened))
        .say(0, shoe.the(LotOpened))
        .cheat(_of_the_lot(lambda _: fixed("another seed of the lot")))
    ),
)
fault(
    "commit_seed-reuse-lot",
    "commit.seed-reuse",
    "COMMIT-3",
    1,
    "Seat 1 opens for the lot the seed that seat 0 has opened.",
    _second_seed,
)
fault(
    "turn_wrong-kind-lot",
    "turn.wrong-kind",
    "CHAIN-1",
    0,
    "A key where a commitment for the lot is owed.",
    lambda: _opened().branch().cheat(lambda _: KeyPublished(key=BASE, proof=bytes(64))),
)
fault(
    "witness_no-show-lot",
    "witness.no-show",
    "VERDICT-6",
    0,
    "Seat 0 lets its time run out instead of committing for the lot; its life is in the pot.",
    lambda: _opened().branch().expelled_by_word().due(),
)

# --- lamps ---------------------------------------------------------------------------------------------------------


def _one_class(event: ClassProven) -> ClassProven:
    """What is said of the first card, and nothing of the second."""
    return ClassProven(classes=event.classes[:1], proofs=event.proofs[: proof_bytes((24, 28)[event.classes[0]])])


def _false_lamp(shoe: Shoe) -> Event:
    """The first card is said to be of the other class, and proven to be one of that class or itself."""
    seat, demand, deal = shoe.owing, shoe.demand, shoe.shoe
    assert isinstance(demand, Light)
    honest, secret = shoe.the(ClassProven), shoe.secret(seat)
    assert isinstance(honest, ClassProven)
    first, second = honest.classes
    (a, z), slot = deal.held[seat][0], deal.slots[seat][0]
    name, members = demand.classes[1 - first]
    points = (unmask(z, share(secret, (a,))), *deal.members(members)[1:])
    context = deal.deck.context(seat, "class", shoe.state.head)
    proof = prove_class(secret, context, slot, name, secret.public, (a, z), points, shoe.secrets(seat).fresh)
    rest = honest.proofs[proof_bytes(len(demand.classes[first][1])) :]
    return ClassProven(classes=(1 - first, second), proofs=proof + rest)


FIRST = 0
"""The seat on which the lot falls in the match that most of these are."""

fault(
    "proof_class-false-lamp",
    "proof.class",
    "DECK-8",
    FIRST,
    "A lamp says of a card what it is not; its proof would hold if the card were one of that class.",
    lambda: _dealt().branch().expelled(_false_lamp),
)
fault(
    "deck_wrong-size-class",
    "deck.wrong-size",
    "DECK-8",
    FIRST,
    "The class of one card where two were dealt.",
    lambda: _dealt().branch().cheat(changed(ClassProven, _one_class)),
)
fault(
    "proof_wrong-length-class",
    "proof.wrong-length",
    "DECK-1",
    FIRST,
    "The proofs of the classes are one branch short.",
    lambda: _dealt().branch().cheat(changed(ClassProven, lambda event: replace(event, proofs=event.proofs[:-64]))),
)
fault(
    "witness_no-show-class",
    "witness.no-show",
    "VERDICT-6",
    FIRST,
    "Who has priority lets its time run out instead of lighting its lamps.",
    lambda: _dealt().branch().expelled_by_word().due(),
)
fault(
    "turn_wrong-kind-lay",
    "turn.wrong-kind",
    "CHAIN-1",
    FIRST,
    "A lay where classes are owed.",
    lambda: _dealt().branch().cheat(lambda _: CardLaid(cards=BASE * 4, proof=bytes(192))),
)

# --- lays ----------------------------------------------------------------------------------------------------------


def _lay(cards: Callable[[Shoe], Deck], scalars: tuple[int, int] = (3, 5)) -> Callable[[Shoe], Event]:
    """The first of these cards laid and the second kept, with the proof that would hold if they were the two held."""

    def change(shoe: Shoe) -> Event:
        seat, held = shoe.owing, cards(shoe)
        secret, deck, witness = shoe.secret(seat), shoe.shoe.deck, LayWitness(0, scalars)
        laid = apply_lay(secret, held, witness)
        context, fresh = deck.context(seat, "lay", shoe.state.head), shoe.secrets(seat).fresh
        proof = prove_lay(secret, context, deck.hand, secret.public, held, laid, witness, fresh)
        return CardLaid(cards=joined(laid), proof=proof)

    return change


def _held(shoe: Shoe) -> Deck:
    return shoe.shoe.held[shoe.owing]


def _an_ace(shoe: Shoe) -> Deck:
    """An ace of spades under the own key, in place of the first card."""
    return (BASE, add(card_point("onepoker", "SA"), shoe.secret(shoe.owing).public)), _held(shoe)[1]


def _laid_again() -> Shoe:
    """A round is checked down; in the next one the winner's card of that round is laid once more."""
    shoe = _showing().branch()
    laid = shoe.shoe.laid
    shoe.due(until=CardLaid)
    card = laid[shoe.owing]
    assert card is not None
    return shoe.cheat(_lay(lambda s: (card, _held(s)[0])))


fault(
    "proof_lay-not-held",
    "proof.lay",
    "DECK-8",
    FIRST,
    "An ace is laid that was not dealt.",
    lambda: _lit().branch().expelled(_lay(_an_ace)),
)
fault(
    "proof_lay-laid-before",
    "proof.lay",
    "DECK-8",
    0,
    "The card that was laid and opened in the round before is laid again.",
    _laid_again,
)
fault(
    "proof_lay-without-remask",
    "proof.lay-without-remask",
    "DECK-8",
    FIRST,
    "The laid card is covered as it was dealt.",
    lambda: _lit().branch().cheat(_lay(_held, (0, 5))),
)
fault(
    "group_identity-lay",
    "group.identity",
    "DECK-1",
    FIRST,
    "The identity for the first half of the laid card.",
    lambda: _lit().branch().cheat(changed(CardLaid, lambda event: replace(event, cards=IDENTITY + event.cards[32:]))),
)
fault(
    "witness_no-show-lay",
    "witness.no-show",
    "VERDICT-6",
    FIRST,
    "Who has priority lets its time run out instead of laying.",
    lambda: _lit().branch().expelled_by_word().due(),
)
fault(
    "commit_early-opening-laid",
    "commit.early-opening",
    "SHOW-2",
    FIRST,
    "A laid card is opened where a move is owed.",
    lambda: _laid().branch().cheat(lambda shoe: Revealed(shares=BASE, proofs=bytes(64))),
)

# --- lives and openings ----------------------------------------------------------------------------------------------


def _opened_as(card: Callable[[Shoe], bytes]) -> Callable[[Shoe], Event]:
    """The share by which the laid card becomes another one, with the proof that would hold if it were right."""

    def change(shoe: Shoe) -> Event:
        seat, deck, secret = shoe.owing, shoe.shoe.deck, shoe.secret(shoe.owing)
        laid = shoe.shoe.laid[seat]
        assert laid is not None
        ours, context = subtract(laid[1], card(shoe)), deck.context(seat, "open", shoe.state.head)
        proof = prove_opening(secret, context, LAID, secret.public, laid, ours, shoe.secrets(seat).fresh)
        return Revealed(shares=ours, proofs=proof)

    return change


def _kept(shoe: Shoe) -> bytes:
    ((a, z),) = _held(shoe)
    return unmask(z, share(shoe.secret(shoe.owing), (a,)))


def _beyond() -> Shoe:
    """Five lives against three behind the antes of the second round; all five are bet."""
    shoe = Shoe("beyond", lives=(5, 5)).due().play("CHECK BET FOLD").due()
    return shoe.cheat(lambda _: Acted(move="BET", amount=5))


fault(
    "proof_opening-kept",
    "proof.opening",
    "DECK-6",
    FIRST,
    "The kept card is opened in place of the laid one.",
    lambda: _showing().branch().expelled(_opened_as(_kept)),
)
fault(
    "deck_wrong-size-laid",
    "deck.wrong-size",
    "DECK-8",
    FIRST,
    "Two shares for the one laid card.",
    lambda: (
        _showing()
        .branch()
        .cheat(changed(Revealed, lambda event: Revealed(shares=event.shares * 2, proofs=event.proofs * 2)))
    ),
)
fault(
    "show_may-not-muck-laid",
    "show.may-not-muck",
    "ONE-5",
    FIRST,
    "A muck in place of the laid card.",
    lambda: _showing().branch().cheat(lambda _: Mucked()),
)
fault(
    "witness_no-show-after-fold",
    "witness.no-show",
    "VERDICT-6",
    1 - FIRST,
    "Who has folded lets its time run out instead of opening its laid card: that costs one life more (ONE-5).",
    lambda: (shoe := _laid().branch().play("BET FOLD")).say(shoe.owing, shoe.the(Revealed)).expelled_by_word().due(),
)
fault(
    "bet_wrong-amount-beyond",
    "bet.wrong-amount",
    "ONE-7",
    1,
    "A bet of all the lives that are left, which are more than the other has.",
    _beyond,
)
fault(
    "chain_wrong-hand-priority",
    "chain.wrong-hand",
    "CHAIN-4",
    0,
    "A round whose button has not won the last pot.",
    lambda: (
        _showing()
        .branch()
        .due(until=HandStarted)
        .cheat(changed(HandStarted, lambda event: replace(event, button=1 - event.button)))
    ),
)
