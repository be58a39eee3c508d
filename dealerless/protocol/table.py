"""The one table: which event may follow in which phase, by which clause; and what is owed next.

`RULES` says everything about legality: a pair of phase and event type that has no row is never legal. `follow` says the
rest: what comes when everybody has done what a phase asks for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from ..errors import Violation
from ..games.game import Act, Card, Deal, DrawLot, Exchange, Finished, Hand, Lay, Light, OpenBoard, Release
from . import closing, opening, playing
from .envelope import Envelope
from .events import (
    Accepted,
    Acted,
    CardLaid,
    ClassProven,
    DeckShuffled,
    Event,
    Exchanged,
    Expelled,
    HandStarted,
    KeyPublished,
    LayoutOpened,
    Left,
    LotCommitted,
    LotOpened,
    Mucked,
    Offered,
    Readied,
    Revealed,
    SeedsCommitted,
    Settled,
    SharesPublished,
    Shown,
)
from .limits import MAX_SEATS
from .state import HandInPlay, Owed, Phase, State


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One row: the clause it comes from, its check (a refusal or None, never a change) and its effect.

    The effect returns the state with the message linked into the chain.
    """

    clause: str
    check: Callable[[State, Envelope, Any], Violation | None]
    apply: Callable[[State, Envelope, Any], State]


def _nothing_to_check(state: State, envelope: Envelope, event: Event) -> Violation | None:
    return None


def _link_only(state: State, envelope: Envelope, event: Event) -> State:
    return state.linked(envelope)


# After a refused record, or in place of a message whose author let its time run out; never while settling (CHAIN-3).
_EXPELLING: Final = (
    Phase.HAND_STARTING,
    Phase.COMMITTING,
    Phase.LAYOUT_OPENING,
    Phase.KEYING,
    Phase.SHUFFLING,
    Phase.DEALING,
    Phase.BOARD_OPENING,
    Phase.BETTING,
    Phase.EXCHANGING,
    Phase.DRAWING_LOT,
    Phase.CLASSING,
    Phase.LAYING,
    Phase.SHOWING,
    Phase.EXPELLING,
)

RULES: Final[dict[tuple[Phase, type[Event]], Rule]] = {
    (Phase.OFFERING, Offered): Rule(clause="ENC-4", check=opening.check_offer, apply=opening.apply_offer),
    (Phase.ACCEPTING, Accepted): Rule(clause="ENC-4", check=_nothing_to_check, apply=opening.apply_accept),
    (Phase.READYING, Readied): Rule(clause="CHAIN-0", check=_nothing_to_check, apply=_link_only),
    (Phase.HAND_STARTING, HandStarted): Rule(clause="CHAIN-4", check=playing.check_hand, apply=playing.apply_hand),
    (Phase.HAND_STARTING, Left): Rule(clause="CHAIN-5", check=_nothing_to_check, apply=closing.apply_leave),
    (Phase.COMMITTING, SeedsCommitted): Rule(
        clause="COMMIT-3", check=playing.check_dealing, apply=playing.apply_dealing
    ),
    (Phase.LAYOUT_OPENING, LayoutOpened): Rule(
        clause="COMMIT-3", check=playing.check_dealing, apply=playing.apply_dealing
    ),
    (Phase.KEYING, KeyPublished): Rule(clause="DECK-1", check=playing.check_dealing, apply=playing.apply_dealing),
    (Phase.SHUFFLING, DeckShuffled): Rule(clause="DECK-3", check=playing.check_dealing, apply=playing.apply_dealing),
    (Phase.DEALING, SharesPublished): Rule(clause="DECK-4", check=playing.check_dealing, apply=playing.apply_dealing),
    (Phase.BOARD_OPENING, SharesPublished): Rule(
        clause="DECK-5", check=playing.check_dealing, apply=playing.apply_dealing
    ),
    (Phase.BETTING, Acted): Rule(clause="BET-1", check=playing.check_action, apply=playing.apply_action),
    (Phase.EXCHANGING, Exchanged): Rule(clause="DECK-7", check=playing.check_exchange, apply=playing.apply_exchange),
    (Phase.DRAWING_LOT, LotCommitted): Rule(clause="LOT-1", check=playing.check_dealing, apply=playing.apply_dealing),
    (Phase.DRAWING_LOT, LotOpened): Rule(clause="LOT-1", check=playing.check_dealing, apply=playing.apply_dealing),
    (Phase.CLASSING, ClassProven): Rule(clause="DECK-8", check=playing.check_dealing, apply=playing.apply_dealing),
    (Phase.LAYING, CardLaid): Rule(clause="DECK-8", check=playing.check_dealing, apply=playing.apply_dealing),
    (Phase.SHOWING, Shown): Rule(clause="SHOW-1", check=playing.check_dealing, apply=playing.apply_show),
    (Phase.SHOWING, Revealed): Rule(clause="DECK-6", check=playing.check_dealing, apply=playing.apply_show),
    (Phase.SHOWING, Mucked): Rule(clause="SHOW-3", check=playing.check_muck, apply=playing.apply_muck),
    **{
        (phase, Expelled): Rule(clause="CHAIN-5", check=closing.check_expulsion, apply=closing.apply_expulsion)
        for phase in _EXPELLING
    },
    (Phase.SETTLING, Settled): Rule(clause="CHAIN-3", check=closing.check_settlement, apply=closing.apply_settlement),
}


# Openings that come too soon get a code of their own, since they are how a late committer would be served (COMMIT-3).
EARLY: Final[dict[tuple[Phase, type[Event]], str]] = {
    (Phase.COMMITTING, LayoutOpened): "COMMIT-3",
    (Phase.DRAWING_LOT, LotOpened): "COMMIT-3",
    (Phase.COMMITTING, Shown): "COMMIT-3",
    (Phase.LAYOUT_OPENING, Shown): "COMMIT-3",
    (Phase.BETTING, Shown): "SHOW-2",
    **{
        (phase, Revealed): "SHOW-2"
        for phase in (
            Phase.KEYING,
            Phase.SHUFFLING,
            Phase.DEALING,
            Phase.BOARD_OPENING,
            Phase.BETTING,
            Phase.EXCHANGING,
            Phase.DRAWING_LOT,
            Phase.CLASSING,
            Phase.LAYING,
        )
    },
}

_ACTING: Final = tuple([Owed(seat=seat, kinds=(Acted,), phase=Phase.BETTING) for seat in range(MAX_SEATS)])


def follow(state: State) -> State:
    """Return the state with its phase and the one owed message, after everything nobody owes was done.

    Deals and boards the dealing can already meet are met, and a finished hand is closed.
    """
    if state.play is not None:
        return _go_on(state, state.play)
    match = state.match
    if match is None:
        return _owe(state, 0, (Offered,), Phase.OFFERING)
    if len(match.openings) < match.seats:
        return _owe(state, len(match.openings), (Accepted,), Phase.ACCEPTING)
    if state.seq < 2 * match.seats:
        return _owe(state, state.seq - match.seats, (Readied,), Phase.READYING)
    return _between_hands(state)


def _go_on(state: State, play: HandInPlay) -> State:
    """Return the state of a running hand with what it waits for: the game's demand against what the dealing has.

    A board that cannot be opened without a seat that is gone comes from another deck, and an exchange that cannot be
    dealt is not made (VERDICT-4c).
    """
    match = state.agreed
    game, dealing = match.game, match.dealing
    hand, deal = play.hand, play.deal
    while True:
        demand = game.demand(hand)
        if isinstance(demand, Act):
            owed = _ACTING[demand.seat]
            break
        if isinstance(demand, Finished):
            play = play.at(hand, deal)
            return _between_hands(playing.close_hand(state, play, demand))
        if isinstance(demand, OpenBoard) and demand.fresh:
            if deal.fresh != demand.slots or not dealing.possible(deal, demand):
                deal = dealing.restart(deal, _showed(hand), demand.slots, _open_cards(hand))
        elif not dealing.possible(deal, demand):
            hand = game.stranded(hand)
            continue
        waiting = dealing.owed(deal, demand, hand)
        if waiting is not None:
            owed = waiting
            break
        if isinstance(demand, OpenBoard | Deal):
            deal, known = dealing.known(deal, demand)
            hand = game.dealt(hand, known)
        elif isinstance(demand, DrawLot | Light | Lay):
            seat, action = dealing.outcome(deal, demand)
            hand = game.apply(hand, seat, action)
        elif isinstance(demand, Release):
            hand = game.dealt(hand, {})
        elif isinstance(demand, Exchange):
            owed = Owed(seat=demand.seat, kinds=(Exchanged,), phase=Phase.EXCHANGING)
            break
        else:
            shows = dealing.showing
            kinds: tuple[type[Event], ...] = (shows, Mucked) if demand.may_muck else (shows,)
            owed = Owed(seat=demand.seat, kinds=kinds, phase=Phase.SHOWING)
            break
    if hand is not play.hand or deal is not play.deal:
        play = play.at(hand, deal)
    return state.evolve(play=play, phase=owed.phase, owed=owed)


def _showed(hand: Hand) -> tuple[int, ...]:
    """Return the seats still in that have shown, ascending: only they can win by the missing cards."""
    return tuple(sorted([seat for seat in hand.shown if not hand.folded[seat]]))


def _open_cards(hand: Hand) -> tuple[Card, ...]:
    return tuple([card for card in hand.cards if card is not None])


def _between_hands(state: State) -> State:
    """Return the state that waits for the next hand's start, or for the settlements, or for nothing. TABLE-4."""
    match, books = state.agreed, state.books
    seats = playing.seated(state)
    if not state.end_head and books.number < match.offer.hands and len(seats) >= 2:
        button = playing.next_button(state, seats)
        return _owe(state, button, (HandStarted, Left), Phase.HAND_STARTING)
    waiting = [seat for seat in closing.settling_order(state) if seat not in state.settled]
    end_head = state.end_head or state.head
    if waiting:
        owed = Owed(seat=waiting[0], kinds=(Settled,), phase=Phase.SETTLING)
        return state.enter(end_head=end_head).evolve(phase=Phase.SETTLING, owed=owed)
    return state.enter(end_head=end_head).evolve(phase=Phase.OVER, owed=None)


def _owe(state: State, seat: int, kinds: tuple[type[Event], ...], phase: Phase) -> State:
    return state.evolve(phase=phase, owed=Owed(seat=seat, kinds=kinds, phase=phase))
