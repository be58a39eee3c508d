"""Transcripts of five-card draw: whole hands, and ones in which a seat breaks a rule of it (DRAW, DECK-7, DECK-9)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from dealerless.crypto.equality import prove_opening, share
from dealerless.protocol.deckkeys import DeckHolder
from dealerless.protocol.events import Acted, Event, Exchanged, Mucked, Revealed, SharesPublished

from .dealer import Dealer
from .decklies import shares_of, wrong_share
from .entries import Entries

DRAW_ENTRIES = Entries()
clean, fault = DRAW_ENTRIES.clean, DRAW_ENTRIES.fault
DETAILED_DRAWS = ("clean_draw", "witness_no-show-exchange-undone")
"""Names of the vectors that state every deck, key and share."""


# --- tables to begin from: nothing is proven twice -----------------------------------------------------------


def _table(label: str, *, seats: int = 2, allin: bool = True, stack: int = 100, show: str = "all") -> Dealer:
    """For an ante of 1, two rounds of 10 and three raises."""
    rules = (1, 10, 10, 3, allin, stack, show)
    return Dealer(label, game="draw", seats=seats, rules=rules, witnesses=seats - 2)


@cache
def _dealt() -> Dealer:
    """Two seats; seat 1, left of the button, is to move."""
    return _table("draw").due()


@cache
def _exchanging() -> Dealer:
    """Bet and called; seat 1 is to exchange its cards, slots 0, 2, 4, 6 and 8."""
    return _dealt().branch().play("BET CALL")


@cache
def _exchanged() -> Dealer:
    """Seat 1 has given up slots 0 and 4 for 10 and 11; seat 0, to exchange slots 1, 3, 5, 7 and 9, names two as well,
    and seat 1 owes its shares of 12 and 13."""
    return _exchanging().branch().play("DRAW:02 DRAW:34")


@cache
def _showing() -> Dealer:
    """Both have checked; seat 1 is to show."""
    return _exchanged().branch().play("CHECK CHECK").due(until=Revealed)


@cache
def _three_dealt() -> Dealer:
    """Three seats and a witness; seat 1 is to move, then 2 and 0."""
    return _table("three draw", seats=3).due()


@cache
def _three_exchanging() -> Dealer:
    """All have 11 in the pot; seat 1 is to exchange."""
    return _three_dealt().branch().play("BET CALL CALL")


# --- whole matches -------------------------------------------------------------------------------------------


def _mucked(dealer: Dealer) -> Dealer:
    dealer.due()
    return dealer.say(dealer.owing, Mucked()).due()


clean(
    "draw",
    "Two seats: a bet and a call, two cards each exchanged, checks, and both show.",
    lambda: _showing().branch().due(),
)
clean(
    "draw-fold-release",
    "Three seats; one folds and gives its shares of six slots with the fold, and is not asked again.",
    lambda: _three_dealt().branch().play("BET FOLD CALL DRAW:012 DRAW:4 BET RAISE CALL").due(),
)
clean(
    "draw-last-fold",
    "A fold after the exchanges releases nothing, nor does one that ends the hand.",
    lambda: _three_exchanging().branch().play("DRAW DRAW:1 DRAW BET FOLD FOLD").due(),
)
clean(
    "draw-all-in",
    "Three with 15 chips are all-in in the first round, exchange three cards each, and show at once.",
    lambda: _table("all-in draw", seats=3, stack=15).due().play("BET RAISE CALL CALL DRAW:012 DRAW:234 DRAW:013").due(),
)
clean(
    "draw-muck",
    "The second to show mucks.",
    lambda: _mucked(_table("mucked draw", show="muck").due().play("CHECK CHECK DRAW DRAW:0 CHECK CHECK")),
)
clean(
    "draw-off-mode",
    "Nobody may be all-in; four bets and raises in both rounds cost a seat 81 chips, its whole stack.",
    lambda: (
        _table("off mode draw", allin=False, stack=81)
        .due()
        .play("BET RAISE RAISE RAISE CALL DRAW:0 DRAW BET RAISE RAISE RAISE CALL")
        .due()
    ),
)


# --- what dishonest seats say ----------------------------------------------------------------------------------


def _names(*slots: int) -> Callable[[Dealer], Event]:
    return lambda dealer: Exchanged(slots=slots)


def _makes(move: str, amount: int = 0) -> Callable[[Dealer], Event]:
    return lambda dealer: Acted(move=move, amount=amount)


def _opens(*slots: int) -> Callable[[Dealer], Event]:
    """The own cards at these slots opened, with proofs for them."""

    def change(dealer: Dealer) -> Event:
        deal, seat = dealer.deal, dealer.owing
        secret, fresh = dealer.secret(seat), dealer.secrets(seat).fresh
        own, context = share(secret, deal.points(slots)), deal.context(seat, "open", dealer.state.head)
        proofs = [
            prove_opening(secret, context, slot, secret.public, deal.without(slot, seat), ours, fresh)
            for slot, ours in zip(slots, own, strict=True)
        ]
        return Revealed(shares=b"".join(own), proofs=b"".join(proofs))

    return change


def _folds(*slots: int) -> Callable[[Dealer], Event]:
    """A fold with shares of these slots and their proof."""

    def change(dealer: Dealer) -> Event:
        seat = dealer.owing
        released = DeckHolder().release(dealer.deal, slots, seat, dealer.state.head, dealer.secrets(seat))
        return Acted(move="FOLD", amount=0, released=released)

    return change


# --- what is exchanged

for _name, _code, _clause, _about, _slots in (
    ("exchange_too-many", "exchange.too-many", "DRAW-2", "Four cards are exchanged.", (0, 2, 4, 6)),
    ("exchange_too-many-five", "exchange.too-many", "DRAW-2", "All five are exchanged.", (0, 2, 4, 6, 8)),
    ("exchange_not-held", "exchange.not-held", "DECK-7", "A card of the other seat is exchanged.", (0, 1)),
    ("exchange_not-held-undealt", "exchange.not-held", "DECK-7", "A card that is to be dealt is exchanged.", (10,)),
    ("exchange_unordered", "exchange.unordered", "DRAW-10", "Two cards are named in descending order.", (4, 2)),
    ("exchange_unordered-twice", "exchange.unordered", "DRAW-10", "One card is named twice.", (2, 2)),
):
    fault(_name, _code, _clause, 1, _about, lambda slots=_slots: _exchanging().branch().cheat(_names(*slots)))  # type: ignore[misc]

fault(
    "exchange_not-held-expelled",
    "exchange.not-held",
    "DECK-7",
    1,
    "One of three exchanges another's card and is expelled: nobody can exchange without its shares, and both show.",
    lambda: _three_exchanging().branch().cheat(_names(1)).expel().show(),
)
fault(
    "turn_not-yours-exchange",
    "turn.not-yours",
    "CHAIN-1",
    0,
    "The second to exchange does so first.",
    lambda: _exchanging().branch().wrong(0, Exchanged(slots=(1,))),
)
fault(
    "turn_not-yours-exchange-again",
    "turn.not-yours",
    "CHAIN-1",
    1,
    "A seat that has its new cards names the one it gave up once more.",
    lambda: _exchanging().branch().play("DRAW:0").due().wrong(1, Exchanged(slots=(0,))),
)
fault(
    "turn_wrong-kind-exchange",
    "turn.wrong-kind",
    "CHAIN-1",
    0,
    "An exchange where a bet is to be answered.",
    lambda: _dealt().branch().play("BET").cheat(_names(1)),
)
fault(
    "turn_wrong-kind-move-for-exchange",
    "turn.wrong-kind",
    "CHAIN-1",
    1,
    "A bet where an exchange is owed.",
    lambda: _exchanging().branch().cheat(_makes("BET")),
)
fault(
    "commit_early-opening-reveal-exchange",
    "commit.early-opening",
    "SHOW-2",
    1,
    "Five cards opened where an exchange is owed.",
    lambda: _exchanging().branch().cheat(_opens(0, 2, 4, 6, 8)),
)

# --- the new cards

fault(
    "proof_shares-exchange",
    "proof.shares",
    "DECK-4",
    1,
    "A wrong share of another's first new card.",
    lambda: _exchanged().branch().cheat(wrong_share),
)
fault(
    "proof_shares-given-up",
    "proof.shares",
    "DECK-4",
    1,
    "Shares of the two cards that were given up before, where those of the next two of the deck are due.",
    lambda: _exchanged().branch().cheat(shares_of(0, 4)),
)
fault(
    "deck_wrong-size-exchange",
    "deck.wrong-size",
    "DECK-4",
    1,
    "Three shares where two cards are exchanged.",
    lambda: _exchanged().branch().cheat(shares_of(12, 13, 14)),
)
fault(
    "proof_opening-given-up",
    "proof.opening",
    "DECK-6",
    1,
    "The five cards that were dealt first are opened, two of which were given up.",
    lambda: _showing().branch().cheat(_opens(0, 2, 4, 6, 8)),
)

# --- folds

fault(
    "deck_wrong-release-draw-none",
    "deck.wrong-release",
    "DECK-9",
    2,
    "A fold without its shares of the slots to come, with two others still in.",
    lambda: _three_dealt().branch().play("BET").cheat(_makes("FOLD")),
)
fault(
    "deck_wrong-release-draw-short",
    "deck.wrong-release",
    "DECK-9",
    2,
    "A fold with shares of three slots, where two others may exchange three cards each.",
    lambda: _three_dealt().branch().play("BET").cheat(_folds(15, 16, 17)),
)
fault(
    "proof_shares-draw-release",
    "proof.shares",
    "DECK-4",
    2,
    "A fold with shares of six slots, of which the first was dealt already.",
    lambda: _three_dealt().branch().play("BET").cheat(_folds(0, 15, 16, 17, 18, 19)),
)
fault(
    "deck_wrong-release-draw-not-due",
    "deck.wrong-release",
    "DECK-9",
    2,
    "A fold after the exchanges with shares of what is left of the deck.",
    lambda: _three_exchanging().branch().play("DRAW DRAW DRAW BET").cheat(_folds(15, 16, 17, 18, 19, 20)),
)

# --- moves; what is not the deck's is expelled, so that who reads the deck's part alone can go on

fault(
    "bet_wrong-amount-draw",
    "bet.wrong-amount",
    "BET-1",
    0,
    "A raise with an amount, where all amounts are fixed.",
    lambda: _dealt().branch().play("BET").cheat(_makes("RAISE", 20)).expel(),
)
fault(
    "bet_cap-reached-draw",
    "bet.cap-reached",
    "BET-5",
    1,
    "A fourth raise.",
    lambda: _dealt().branch().play("BET RAISE RAISE RAISE").cheat(_makes("RAISE")).expel(),
)
fault(
    "bet_nothing-owed-draw",
    "bet.nothing-owed",
    "BET-2",
    1,
    "A fold as the first move.",
    lambda: _dealt().branch().cheat(_makes("FOLD")).expel(),
)

# --- who is gone


def _undone() -> Dealer:
    dealer = _three_exchanging().branch().play("DRAW:012 DRAW:34")
    # Seat 1 shares for seat 2, seat 0 owes.
    return dealer.say(dealer.owing, dealer.the(SharesPublished)).expelled_by_word().show()


def _dealt_again() -> Dealer:
    dealer = _table("three draw", seats=3).due(until=SharesPublished)
    dealer.say(dealer.owing, dealer.the(SharesPublished)).cheat(wrong_share).expel()
    return dealer.play("CHECK CHECK DRAW:0 DRAW:1 CHECK CHECK").due()


def _folded_gone() -> Dealer:
    """Seat 2 has folded with its shares and then moves again; the others exchange, bet and show without it."""
    dealer = _three_dealt().branch().play("BET FOLD CALL DRAW:0")
    dealer.wrong(2, Acted(move="CALL", amount=0)).expel()
    return dealer.play("DRAW:123 CHECK CHECK").due()


fault(
    "turn_not-yours-folded",
    "turn.not-yours",
    "CHAIN-1",
    2,
    "A seat that has folded moves and is expelled in the middle of the exchanges, which need nothing of it.",
    _folded_gone,
)
fault(
    "witness_no-show-exchange",
    "witness.no-show",
    "VERDICT-6",
    1,
    "One of three lets its time run out instead of exchanging: nobody exchanges, and both others show.",
    lambda: _three_exchanging().branch().expelled_by_word().show(),
)
fault(
    "witness_no-show-exchange-undone",
    "witness.no-show",
    "VERDICT-6",
    0,
    "The last of three to exchange lets its time run out instead of sharing: what the second named is undone, and both"
    " others show, one of them its new cards.",
    _undone,
)


fault(
    "proof_shares-draw-dealt-again",
    "proof.shares",
    "DECK-4",
    2,
    "A wrong share in the deal of three: its author is expelled, and the others are dealt in anew from deck 1.",
    _dealt_again,
)
