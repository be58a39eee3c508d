"""Checks and effects of leaving, expelling and settling (CHAIN-3, CHAIN-5, VERDICT-4)."""

from __future__ import annotations

from ..errors import Violation
from .envelope import Envelope
from .events import Expelled, Left, Settled
from .noshow import NoShow
from .playing import seated
from .records import ZERO_HASH
from .state import Forfeit, Phase, Refused, State
from .witness import Posted, check_absence


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
    """Return a refusal unless the expulsion names whom it may, proves each absence, and is its signer's to make.

    After a refused record it names that record and its author; else the seat that owes, which must be absent. Everybody
    who owed the expulsion before its signer must be absent too. CHAIN-5, VERDICT-6.
    """
    match, owed = state.agreed, state.owed
    if owed is None:
        return Violation("turn.match-over", expected=(), actual=event.KIND)
    named = (event.seat, event.record)
    cause: Posted | tuple[NoShow, ...]
    refused = None if state.refused is None else state.refused.named(*named)
    queue = owing_order(state) if refused is None else _next_seats(state, refused.seat, refused.expeller)
    if refused is not None:
        expected = (refused.seat, refused.record)
        cause = Posted(refused.seq, refused.record)
    else:
        expected = (owed.seat, ZERO_HASH)
        cause = Posted(state.seq - 1, state.head)
        if not event.absent or state.phase is Phase.SETTLING:
            kinds = tuple([kind.KIND for kind in owed.kinds])
            return Violation("chain.wrong-expulsion", expected=kinds, actual=event.KIND)
    seats = tuple([seat for seat, _ in event.absent])
    if named != expected or seats != queue[: len(seats)] or len(seats) >= len(queue):
        return Violation("chain.wrong-expulsion", expected=(*expected, queue), actual=(*named, seats))
    for seat, words in event.absent:
        unproven = check_absence(match, state.seq, state.head, seat, words, cause)
        if unproven is not None:
            return unproven
        cause = words
    signer = envelope.header.seat
    return (
        None if signer == queue[len(seats)] else Violation("turn.not-yours", expected=queue[len(seats)], actual=signer)
    )


def apply_expulsion(state: State, envelope: Envelope, event: Expelled) -> State:
    """Return the state with everybody the expulsion names out of the match, their chips in the pot forfeited."""
    refused, seq = state.refused, envelope.header.seq
    if refused is not None:
        refused = refused.named(event.seat, event.record)
    after = state.enter(refused=None).linked(envelope)
    if refused is not None:
        after = forfeit(after, refused.seat, seq, refused.code)
    for seat, _ in event.absent:
        after = forfeit(after, seat, seq, "witness.no-show")
    return after


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
    hand, deal = match.game.forfeit(play.hand, seat), play.deal
    # What it had in the pot, and where it is to pay more than that (ONE-5), more.
    amount = play.hand.stacks[seat] + play.hand.totals[seat] - hand.stacks[seat]
    lost = Forfeit(seat=seat, seq=seq, hand=books.number, amount=amount, code=code)
    accounts = accounts._replace(forfeits=(*books.forfeits, lost))
    if not match.dealing.complete(deal):
        deal = match.dealing.restart(deal, tuple([s for s in range(match.seats) if not hand.folded[s]]))
    deal = match.dealing.lose(deal, seat)
    play = play.at(hand, deal)
    return state.enter(accounts=accounts).evolve(play=play)


def expeller(state: State, author: int, code: str) -> int | None:
    """Return who owes the expulsion of `author`: the seat that owed, or the next in the match if author did. CHAIN-5.

    None where nobody is expelled now: before the last ready, while settling, after the end, and for an equivocator that
    owes nothing; it is expelled in place of the next message it owes.
    """
    if not state.judging or state.owed is None or (state.play is None and state.end_head):
        return None
    if state.owed.seat != author:
        return None if code == "chain.equivocation" else state.owed.seat
    queue = _next_seats(state, author, None)
    return queue[0] if queue else None


def owing_order(state: State) -> tuple[int, ...]:
    """Return the seats that owe the next message, each from when the one before it was found absent. CHAIN-5.

    Without a refused record the first of them owes what the table waits for, the others its expulsion.
    """
    refused, owed = state.refused, state.owed
    if owed is None:
        return ()
    if refused is not None:
        return _next_seats(state, refused.seat, refused.expeller)
    return (owed.seat, *_next_seats(state, owed.seat, None))


def _next_seats(state: State, author: int, first: int | None) -> tuple[int, ...]:
    """Return the seats in the match but `author`, in the order in which they owe its expulsion.

    From `first`, or from the author's left.
    """
    count = state.agreed.seats
    start = author if first is None else first
    others = [seat for seat in _in_the_match(state) if seat != author]
    return tuple(sorted(others, key=lambda seat: (seat - start) % count))


def refuse(state: State, *, author: int, seq: int, record: bytes, code: str) -> Refused | None:
    """Return what is kept of a signed message that was refused, or None where nobody is expelled for it."""
    who = expeller(state, author, code)
    if who is None or state.owed is None:
        return None
    return Refused(seat=author, seq=seq, record=record, code=code, expeller=who, waiting=state.owed)


def _in_the_match(state: State) -> tuple[int, ...]:
    if state.play is None:
        return seated(state)
    gone = state.books.gone
    return tuple([seat for seat in state.play.dealt if gone[seat] is None])


def _with(state: State, seat: int, how: str) -> tuple[str | None, ...]:
    gone = list(state.books.gone)
    gone[seat] = how
    return tuple(gone)
