"""Checks and effects of a hand: its start, the dealing's messages, moves and showdown (CHAIN-4, COMMIT, BET, SHOW)."""

from __future__ import annotations

from typing import Any

from ..errors import Violation
from ..games.game import Action, Discard, Finished, Move, Muck, Reveal, Show, Slots, clockwise
from .envelope import Envelope
from .events import Acted, Event, Exchanged, HandStarted, Mucked
from .state import Accounts, ActionTaken, HandInPlay, HandRecord, SeenSeeds, State


def starting_stacks(state: State) -> tuple[int, ...]:
    """Return the stacks the next hand starts from: those left, or the same every hand where they do not carry over."""
    match, books = state.agreed, state.books
    return books.stacks if match.game.carries else match.game.opening_stacks(match.rules, match.seats)


def seated(state: State) -> tuple[int, ...]:
    """Return the seats that can be dealt into the next hand, ascending. TABLE-2, CHAIN-5."""
    match, books = state.agreed, state.books
    stacks = starting_stacks(state)
    return tuple(
        [
            seat
            for seat in range(match.seats)
            if books.gone[seat] is None and match.game.can_be_dealt_in(match.rules, stacks[seat])
        ]
    )


def next_button(state: State, seats: tuple[int, ...]) -> int:
    """Return the button of the next hand: seat 0 or the next one first, then as the game has it. TABLE-1, TABLE-3."""
    match, books = state.agreed, state.books
    if not books.number:
        return clockwise(-1, seats, match.seats)
    return match.game.next_button(books.button, books.dealt, seats, match.seats)


def check_hand(state: State, envelope: Envelope, event: HandStarted) -> Violation | None:
    """Return a refusal unless number, button, stacks and net are those the chain implies. CHAIN-4."""
    books = state.books
    expected = (books.number + 1, next_button(state, seated(state)), starting_stacks(state), books.net)
    actual = (event.number, event.button, event.stacks, event.net)
    return None if expected == actual else Violation("chain.wrong-hand", expected=expected, actual=actual)


def apply_hand(state: State, envelope: Envelope, event: HandStarted) -> State:
    """Return the state with the hand begun: antes and blinds are in the pot from here on (VERDICT-4a)."""
    match, seats, last = state.agreed, seated(state), state.finished
    hand, deal = (None, None) if last is None else (last.hand, last.deal)
    play = HandInPlay(
        hand=match.game.start(match.rules, event.stacks, event.button, seats, hand),
        deal=match.dealing.start(match.game, match.offer.suite, match.session, event.number, seats, deal),
        before=event.stacks,
        actions=(),
        dealt=seats,
    )
    accounts = state.books._replace(number=event.number, button=event.button, dealt=seats)
    return state.enter(accounts=accounts).linked(envelope, play=play)


def check_dealing(state: State, envelope: Envelope, event: Event) -> Violation | None:
    """Return the dealing's refusal of one of its messages, or None."""
    match, play, header = state.agreed, state.running, envelope.header
    demand = match.game.demand(play.hand)
    return match.dealing.check(play.deal, demand, header.seat, event, header.prev, state.seen)


def apply_dealing(state: State, envelope: Envelope, event: Event) -> State:
    """Return the state with one of the dealing's messages taken in."""
    match, play = state.agreed, state.running
    deal = match.dealing.apply(play.deal, match.game.demand(play.hand), envelope.header.seat, event)
    play = play.at(play.hand, deal)
    return state.linked(envelope, play=play, seen=_seen(state, event))


def to_release(state: State, seat: int, move: Move) -> Slots:
    """Return the slots of which `seat` gives its part away with this legal move. DECK-9."""
    match, play = state.agreed, state.running
    if not match.dealing.releases:
        return ()
    return match.game.release(match.game.apply(play.hand, seat, move), seat)


def check_action(state: State, envelope: Envelope, event: Acted) -> Violation | None:
    """Return the refusal of a move by the game, or of what is released with it by the dealing, or None."""
    match, play, header = state.agreed, state.running, envelope.header
    move = Move(name=event.move, amount=event.amount)
    refused = match.game.check(play.hand, header.seat, move)
    if refused is not None:
        return refused
    slots = to_release(state, header.seat, move)
    return match.dealing.check_release(play.deal, slots, header.seat, event.released, header.prev)


def apply_action(state: State, envelope: Envelope, event: Acted) -> State:
    """Return the state after a legal move, which joins the hand's record."""
    match, play, header = state.agreed, state.running, envelope.header
    hand = match.game.apply(play.hand, header.seat, Move(name=event.move, amount=event.amount))
    deal = play.deal
    if event.released:
        deal = match.dealing.apply_release(deal, match.game.release(hand, header.seat), header.seat, event.released)
    return state.linked(envelope, play=_taken(play, envelope, event.move, event.amount, hand, deal))


def check_exchange(state: State, envelope: Envelope, event: Exchanged) -> Violation | None:
    """Return the game's refusal of an exchange, or None. DECK-7, DRAW-10."""
    return state.agreed.game.check(state.running.hand, envelope.header.seat, Discard(slots=event.slots))


def apply_exchange(state: State, envelope: Envelope, event: Exchanged) -> State:
    """Return the state after a seat named its discards, which joins the hand's record by their number."""
    play, seat = state.running, envelope.header.seat
    hand = state.agreed.game.apply(play.hand, seat, Discard(slots=event.slots))
    return state.linked(envelope, play=_taken(play, envelope, "EXCHANGE", len(event.slots), hand, play.deal))


def apply_show(state: State, envelope: Envelope, event: Event) -> State:
    """Return the state with a seat's cards open."""
    play, match, seat = state.running, state.agreed, envelope.header.seat
    demand = match.game.demand(play.hand)
    if not isinstance(demand, Show):
        raise RuntimeError("an opening was applied outside the showdown")
    deal = match.dealing.apply(play.deal, demand, seat, event)
    cards = match.dealing.shown(deal, seat, event, demand.slots)
    play = _acted(state, seat, Reveal(cards=cards), deal)
    return state.linked(envelope, play=play, seen=_seen(state, event))


def check_muck(state: State, envelope: Envelope, event: Mucked) -> Violation | None:
    """Return the game's refusal of a muck, or None. SHOW-2, SHOW-3."""
    return state.agreed.game.check(state.running.hand, envelope.header.seat, Muck())


def apply_muck(state: State, envelope: Envelope, event: Mucked) -> State:
    """Return the state after a seat mucked."""
    return state.linked(envelope, play=_acted(state, envelope.header.seat, Muck(), state.running.deal))


def _taken(play: HandInPlay, envelope: Envelope, move: str, amount: int, hand: Any, deal: Any) -> HandInPlay:
    """Return the running hand as it is after a move, which joins its record."""
    header = envelope.header
    taken = ActionTaken(
        seq=header.seq, seat=header.seat, move=move, amount=amount, stacks=hand.stacks, pot=sum(hand.totals)
    )
    return HandInPlay(hand=hand, deal=deal, before=play.before, actions=(*play.actions, taken), dealt=play.dealt)


def _acted(state: State, seat: int, action: Action, deal: object) -> HandInPlay:
    play = state.running
    hand = state.agreed.game.apply(play.hand, seat, action)
    return play.at(hand, deal)


def _seen(state: State, event: Event) -> SeenSeeds:
    seed = state.agreed.dealing.opened(event)
    return state.seen if seed is None else state.seen.add(seed)


def record_hand(state: State, play: HandInPlay, finished: Finished | None) -> HandRecord:
    """Return the record of a hand, finished or still running."""
    return HandRecord(
        number=state.books.number,
        game=state.agreed.game,
        hand=play.hand,
        deal=play.deal,
        before=play.before,
        actions=play.actions,
        finished=finished,
    )


def close_hand(state: State, play: HandInPlay, finished: Finished) -> State:
    """Return the state after a hand: stacks and net brought forward, its record kept as the last one."""
    record = record_hand(state, play, finished)
    books = state.books
    accounts = Accounts(
        number=books.number,
        button=books.button if finished.button is None else finished.button,
        dealt=books.dealt,
        stacks=finished.stacks,
        net=tuple([total + change for total, change in zip(books.net, record.changes, strict=True)]),
        gone=books.gone,
        forfeits=books.forfeits,
    )
    return state.enter(accounts=accounts, finished=record).evolve(play=None)
