"""Checks and effects of leaving, expelling and settling (CHAIN-3, CHAIN-5, VERDICT-4)."""

from __future__ import annotations

from ..errors import Violation
from .envelope import Envelope
from .events import Expelled, Left, Settled
from .playing import seated
from .state import Forfeit, HandInPlay, Refused, State


def settling_order(state: State) -> tuple[int, ...]:
    """Return who signs the settlement, in order: seats with chips, then busted ones; not who left. CHAIN-3."""
    books = state.books
    staying = [seat for seat in range(state.agreed.seats) if books.gone[seat] is None]
    return tuple(sorted(staying, key=lambda seat: (books.stacks[seat] == 0, seat)))


def check_settlement(state: State, envelope: Envelope, event: Settled) -> Violation | None:
    """Return a refusal unless head, stacks and net are those the chain implies."""
    expected = (state.end_head, state.books.stacks, state.books.net)
    actual = (event.head, event.stacks, event.net)
    return None if expected == actual else Violation("settle.wrong", expected=expected, actual=actual)


def apply_settlement(state: State, envelope: Envelope, event: Settled) -> State:
    """Return the state with one more settlement."""
    return state.enter(settled=(*state.settled, envelope.header.seat)).linked(envelope)


def apply_leave(state: State, envelope: Envelope, event: Left) -> State:
    """Return the state with the seat gone; it keeps its chips."""
    return state.enter(accounts=state.books._replace(gone=_with(state, envelope.header.seat, "left"))).linked(envelope)


def check_expulsion(state: State, envelope: Envelope, event: Expelled) -> Violation | None:
    """Return a refusal unless the expulsion names the refused record directly before it, and its author. CHAIN-5."""
    refused = state.refused
    expected = None if refused is None else (refused.seat, refused.record)
    actual = (event.seat, event.record)
    return None if expected == actual else Violation("chain.wrong-expulsion", expected=expected, actual=actual)


def apply_expulsion(state: State, envelope: Envelope, event: Expelled) -> State:
    """Return the state with the author of the refused record out of the match, and its chips forfeited."""
    refused = state.refused
    if refused is None:
        raise RuntimeError("an expulsion was applied with nobody to expel")
    return forfeit(state.enter(refused=None).linked(envelope), refused.seat, envelope.header.seq, refused.code)


def forfeit(state: State, seat: int, seq: int, code: str) -> State:
    """Return the state in which `seat` is expelled: its chips in the pot are lost, the hand goes on without it.

    Before the first deal is complete the deal begins anew among the others (VERDICT-4c).
    """
    books, play = state.books, state.play
    if books.gone[seat] is not None:
        # It lost what it had in the pot when it went; nothing is lost twice.
        return state
    accounts = books._replace(gone=_with(state, seat, "expelled"))
    if play is None:
        return state.enter(accounts=accounts)
    match = state.agreed
    lost = Forfeit(seat=seat, seq=seq, hand=books.number, amount=play.hand.totals[seat], code=code)
    accounts = accounts._replace(forfeits=(*books.forfeits, lost))
    hand, deal = match.game.forfeit(play.hand, seat), play.deal
    if not match.dealing.complete(deal):
        deal = match.dealing.restart(deal, tuple([s for s in range(match.seats) if not hand.folded[s]]))
    play = HandInPlay(hand=hand, deal=deal, before=play.before, actions=play.actions)
    return state.enter(accounts=accounts).evolve(play=play)


def expeller(state: State, author: int) -> int | None:
    """Return who owes the expulsion of `author`: the seat that owed, or the next in the match if author did. CHAIN-5.

    None where nobody is expelled: before the last ready, while settling, and after the end.
    """
    if not state.judging or state.owed is None or (state.play is None and state.end_head):
        return None
    if state.owed.seat != author:
        return state.owed.seat
    count = state.agreed.seats
    present = [seat for seat in _in_the_match(state) if seat != author]
    return min(present, key=lambda seat: (seat - author) % count) if present else None


def refuse(state: State, *, author: int, seq: int, record: bytes, code: str) -> Refused | None:
    """Return what is kept of a signed message that was refused, or None where nobody is expelled for it."""
    who = expeller(state, author)
    return None if who is None else Refused(seat=author, seq=seq, record=record, code=code, expeller=who)


def _in_the_match(state: State) -> tuple[int, ...]:
    if state.play is None:
        return seated(state)
    gone = state.books.gone
    return tuple([seat for seat in state.play.deal.seats if gone[seat] is None])


def _with(state: State, seat: int, how: str) -> tuple[str | None, ...]:
    gone = list(state.books.gone)
    gone[seat] = how
    return tuple(gone)
