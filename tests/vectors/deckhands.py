"""Transcripts of hands dealt from a deck: whole ones, and ones in which a seat breaks a rule of the deck (DECK)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from dealerless.crypto.group import BASE, IDENTITY
from dealerless.protocol.deckdeal import proofs_of
from dealerless.protocol.events import (
    Acted,
    DeckShuffled,
    Event,
    KeyPublished,
    Revealed,
    SeedsCommitted,
    SharesPublished,
    Shown,
)

from .dealer import Dealer
from .decklies import changed, duplicated, early_reveal, fewer, key_for, rogue, shares_of, wrong_proof, wrong_share
from .entries import Entries
from .scribe import fixed
from .spoilt import NO_POINT, raised

DECK_ENTRIES = Entries()
clean, fault = DECK_ENTRIES.clean, DECK_ENTRIES.fault
DETAILED = ("clean_holdem", "clean_holdem-fold-release", "witness_no-show-fresh-deck", "proof_shares-dealt-again")
"""Names of the vectors that state every deck, key and share."""


# --- tables to begin from: nothing is proven twice -----------------------------------------------------------


@cache
def _opened() -> Dealer:
    """Two seats; seat 0 owes its key."""
    return Dealer("heads-up").due(until=KeyPublished)


@cache
def _keyed() -> Dealer:
    """Both keys are there; seat 0 owes its shuffle."""
    return _opened().branch().due(until=DeckShuffled)


@cache
def _shuffled() -> Dealer:
    """Both have shuffled; seat 0 owes its shares of seat 1's cards."""
    return _opened().branch().due(until=SharesPublished)


@cache
def _dealt() -> Dealer:
    """Seat 0, the button and small blind, is to act."""
    return _shuffled().branch().due()


@cache
def _flop_due() -> Dealer:
    """Called and checked; seat 1, left of the button, owes its shares of the flop."""
    dealer = _dealt().branch().play("CALL").due()
    return dealer.say(dealer.owing, dealer.acted("CHECK"))


@cache
def _showing() -> Dealer:
    """Checked down to the river; seat 1 is to show."""
    return _dealt().branch().play("CALL CHECK CHECK CHECK CHECK CHECK CHECK CHECK").due(until=Revealed)


@cache
def _three_opened() -> Dealer:
    """Three seats and a witness; seat 0 owes its key. Seat 1 posts 1, seat 2 posts 2 of 20."""
    rules = ("no-limit", 1, 2, 0, 20, "all")
    return Dealer("three seats", seats=3, rules=rules, witnesses=1).due(until=KeyPublished)


@cache
def _three_shuffled() -> Dealer:
    return _three_opened().branch().due(until=SharesPublished)


@cache
def _three_dealt() -> Dealer:
    """Seat 0, the button, is to act."""
    return _three_shuffled().branch().due()


# --- whole matches -------------------------------------------------------------------------------------------

clean(
    "holdem",
    "Two seats, one hand of Texas Hold'em checked down to the showdown: every key, deck and share.",
    lambda: _showing().branch().due(),
)
clean(
    "holdem-fold-release",
    "Three seats; the button folds and gives its shares of the board with the fold, and is not asked again.",
    lambda: _three_dealt().branch().play("FOLD CALL CHECK CHECK CHECK CHECK CHECK CHECK CHECK").due(),
)
clean(
    "holdem-all-in-release",
    "Three seats all-in before the flop: each last chip releases the board, which opens without another message.",
    lambda: _three_dealt().branch().play("RAISE:20 CALL CALL").due(),
)
clean(
    "holdem-last-fold",
    "A fold that ends the hand releases nothing.",
    lambda: _dealt().branch().play("FOLD").due(),
)


def _posted_all_in() -> Dealer:
    """A stack is one big blind."""
    rules = ("no-limit", 1, 3, 0, 3, "all")
    return Dealer("all-in by posts", seats=3, rules=rules).due().play("FOLD CALL").due()


clean(
    "holdem-all-in-by-posts",
    "The big blind is a whole stack: its seat gives its shares of the board right after the deal.",
    _posted_all_in,
)
clean(
    "hex",
    "Hex poker from 160 cards: the common cards are opened to both before the private deal.",
    lambda: Dealer("hex deck", game="hex", rules=(10, 5, "all")).due().play("CHECK CHECK").due(),
)


def _fresh_deck() -> Dealer:
    """Seat 0 raises to 6, all call; on the flop seat 1, to act, lets its time run out."""
    return _three_dealt().branch().play("RAISE:6 CALL CALL").due().expelled_by_word().play("CHECK CHECK").show()


def _dealt_again() -> Dealer:
    """Seat 2 gives a wrong share in the private deal; the others begin anew with a second deck."""
    dealer = _three_shuffled().branch()
    dealer.say(0, dealer.the(SharesPublished)).say(1, dealer.the(SharesPublished))
    return dealer.cheat(wrong_share).expel().play("CALL CALL CHECK CHECK CHECK CHECK CHECK CHECK").due()


# --- keys

for _name, _about, _change in (
    ("another-hand", "A key with the proof for another hand.", lambda c: replace(c, hand=2)),
    ("another-match", "A key with the proof for another match.", lambda c: replace(c, session=fixed("another match"))),
    ("another-deck", "A key with the proof for the hand's next deck.", lambda c: replace(c, deck=1)),
    ("another-seat", "A key with the proof for another seat.", lambda c: replace(c, seat=1)),
    ("another-purpose", "A key with a proof made for something else.", lambda c: replace(c, purpose="share")),
    ("another-place", "A key with a proof made on another message.", lambda c: replace(c, prev=fixed("elsewhere"))),
):
    fault(
        f"proof_key-{_name}",
        "proof.key",
        "DECK-1",
        0,
        _about,
        lambda change=_change: _opened().branch().cheat(key_for(change)),  # type: ignore[misc]
    )

_KEYED_ONCE = cache(lambda: (d := _opened().branch()).say(0, d.the(KeyPublished)))
fault(
    "proof_key-rogue",
    "proof.key",
    "DECK-1",
    1,
    "The last key takes the other one away: their sum is a key that seat 1 alone knows.",
    lambda: _KEYED_ONCE().branch().cheat(rogue),
)


def _copied(dealer: Dealer) -> Event:
    """What seat 0 has just said."""
    honest = _opened().branch().the(KeyPublished)
    assert isinstance(honest, KeyPublished)
    return honest


fault(
    "proof_key-copied",
    "proof.key",
    "DECK-1",
    1,
    "Seat 1 publishes seat 0's key with seat 0's proof.",
    lambda: _KEYED_ONCE().branch().cheat(_copied),
)
fault(
    "group_not-a-point-key",
    "group.not-a-point",
    "DECK-1",
    0,
    "A key that no encoder would write.",
    lambda: _opened().branch().cheat(changed(KeyPublished, lambda event: replace(event, key=NO_POINT))),
)
fault(
    "group_identity-key",
    "group.identity",
    "DECK-1",
    0,
    "The identity for a key.",
    lambda: _opened().branch().cheat(changed(KeyPublished, lambda event: replace(event, key=IDENTITY))),
)
fault(
    "group_bad-scalar-key",
    "group.bad-scalar",
    "DECK-1",
    0,
    "The response of a key's proof with L added.",
    lambda: _opened().branch().cheat(changed(KeyPublished, lambda event: replace(event, proof=raised(event.proof, 1)))),
)
fault(
    "commit_early-opening-reveal-keys",
    "commit.early-opening",
    "SHOW-2",
    0,
    "A reveal where a key is owed.",
    lambda: _opened().branch().cheat(early_reveal),
)
fault(
    "turn_wrong-kind-of-dealing",
    "turn.wrong-kind",
    "CHAIN-1",
    0,
    "A commitment to seeds where the cards come from a deck.",
    lambda: _opened().branch().cheat(lambda dealer: SeedsCommitted(layout=fixed("no layout"), hole=fixed("no hole"))),
)

# --- shuffles

fault(
    "proof_shuffle-duplicated",
    "proof.shuffle",
    "DECK-3",
    0,
    "The new deck has one card twice, and another one not at all.",
    lambda: _keyed().branch().cheat(duplicated),
)
fault(
    "deck_wrong-size-shuffle",
    "deck.wrong-size",
    "DECK-3",
    0,
    "A deck of 51 cards and the argument for it.",
    lambda: _keyed().branch().cheat(fewer),
)
fault(
    "proof_wrong-length-shuffle",
    "proof.wrong-length",
    "DECK-1",
    0,
    "The argument is one element short.",
    lambda: _keyed().branch().cheat(changed(DeckShuffled, lambda event: replace(event, proof=event.proof[:-32]))),
)
fault(
    "group_identity-shuffle",
    "group.identity",
    "DECK-1",
    0,
    "The identity for the first half of a card.",
    lambda: (
        _keyed().branch().cheat(changed(DeckShuffled, lambda event: replace(event, deck=IDENTITY + event.deck[32:])))
    ),
)

# --- shares

fault(
    "proof_shares-wrong",
    "proof.shares",
    "DECK-4",
    0,
    "A wrong share in the private deal.",
    lambda: _shuffled().branch().cheat(wrong_share),
)
fault(
    "deck_wrong-size-shares",
    "deck.wrong-size",
    "DECK-4",
    0,
    "One share where two are due.",
    lambda: _shuffled().branch().cheat(shares_of(0)),
)
fault(
    "proof_shares-proof",
    "proof.shares",
    "DECK-4",
    1,
    "Right shares of the flop with a wrong proof.",
    lambda: _flop_due().branch().cheat(wrong_proof),
)
fault(
    "proof_shares-another-slot",
    "proof.shares",
    "DECK-4",
    1,
    "Shares of flop and river, turn left out, where those of the flop are due.",
    lambda: _flop_due().branch().cheat(shares_of(4, 5, 8)),
)


def _out_of_order() -> Dealer:
    """Seat 0 folds; seat 1 calls with 2 in, seat 2 checks: with 2 each, seat 1 is nearer to the button's left."""
    dealer = _three_dealt().branch().play("FOLD CALL")
    dealer.say(dealer.owing, dealer.acted("CHECK"))
    other = dealer.branch()
    other.say(1, other.the(SharesPublished))
    event = other.the(SharesPublished)
    dealer.wrong(2, event)
    return dealer


fault(
    "turn_not-yours-share",
    "turn.not-yours",
    "CHAIN-1",
    2,
    "With as many chips in the pot, the seat further from the button's left shares first.",
    _out_of_order,
)

# --- releases


def _released(change: Callable[[bytes], bytes], move: str) -> Callable[[Dealer], Event]:
    def said(dealer: Dealer) -> Event:
        event = dealer.acted(move)
        return replace(event, released=change(event.released))

    return said


fault(
    "deck_wrong-release-none",
    "deck.wrong-release",
    "DECK-9",
    0,
    "A fold without its shares of the board, with two others still in.",
    lambda: _three_dealt().branch().cheat(_released(lambda released: b"", "FOLD")),
)
fault(
    "deck_wrong-release-short",
    "deck.wrong-release",
    "DECK-9",
    0,
    "A last chip with the shares of four of the board's five slots.",
    lambda: _three_dealt().branch().cheat(_released(lambda released: released[32:], "RAISE:20")),
)
fault(
    "deck_wrong-release-not-due",
    "deck.wrong-release",
    "DECK-9",
    0,
    "A call that leaves chips behind, with shares of the board.",
    lambda: _three_dealt().branch().cheat(_call_with_release),
)
fault(
    "proof_shares-release",
    "proof.shares",
    "DECK-4",
    0,
    "A fold with a wrong share.",
    lambda: _three_dealt().branch().cheat(_released(lambda released: BASE + released[32:], "FOLD")),
)


def _call_with_release(dealer: Dealer) -> Event:
    fold, call = dealer.acted("FOLD"), dealer.acted("CALL")
    return Acted(move=call.move, amount=call.amount, released=fold.released)


# --- openings


def _exchanged(event: Revealed) -> Revealed:
    """The proofs of the two cards in each other's place."""
    first, second = proofs_of(event.proofs)
    return replace(event, proofs=second + first)


fault(
    "commit_early-opening-reveal",
    "commit.early-opening",
    "SHOW-2",
    0,
    "A reveal where a move is owed.",
    lambda: _dealt().branch().cheat(early_reveal),
)
fault(
    "proof_opening-another-slot",
    "proof.opening",
    "DECK-6",
    1,
    "The proofs of the two cards are exchanged.",
    lambda: _showing().branch().cheat(changed(Revealed, _exchanged)),
)
fault(
    "deck_wrong-size-reveal",
    "deck.wrong-size",
    "DECK-4",
    1,
    "One card is shown of two.",
    lambda: (
        _showing()
        .branch()
        .cheat(changed(Revealed, lambda event: Revealed(shares=event.shares[:32], proofs=event.proofs[:64])))
    ),
)
fault(
    "turn_wrong-kind-show",
    "turn.wrong-kind",
    "CHAIN-1",
    1,
    "A seed is opened where cards of a deck are to be shown.",
    lambda: _showing().branch().cheat(lambda dealer: Shown(seed=fixed("no seed"))),
)

# --- who is gone

fault(
    "witness_no-show-key",
    "witness.no-show",
    "VERDICT-6",
    0,
    "One of three lets its time run out instead of giving its key: the others begin with keys anew.",
    lambda: _three_opened().branch().expelled_by_word(),
)
fault(
    "witness_no-show-shuffle",
    "witness.no-show",
    "VERDICT-6",
    0,
    "The same instead of shuffling.",
    lambda: _three_opened().branch().due(until=DeckShuffled).expelled_by_word(),
)
fault(
    "witness_no-show-deal",
    "witness.no-show",
    "VERDICT-6",
    0,
    "The same instead of the private deal.",
    lambda: _three_shuffled().branch().expelled_by_word(),
)


def _no_board() -> Dealer:
    """All call and check; seat 1, who owes the flop first (VERDICT-4d), lets its time run out."""
    dealer = _three_dealt().branch().play("CALL CALL")
    dealer.say(dealer.owing, dealer.acted("CHECK"))
    return dealer.expelled_by_word()


fault(
    "witness_no-show-board",
    "witness.no-show",
    "VERDICT-6",
    1,
    "The same instead of the flop: it cannot be opened, and the others show.",
    _no_board,
)
fault(
    "witness_no-show-fresh-deck",
    "witness.no-show",
    "VERDICT-6",
    1,
    "One of three is gone on the flop; the others check and show, and turn and river come from a fresh deck of theirs.",
    _fresh_deck,
)
fault(
    "proof_shares-dealt-again",
    "proof.shares",
    "DECK-4",
    2,
    "A wrong share in the deal of three: its author is expelled, and the others are dealt in anew from deck 1.",
    _dealt_again,
)
