"""Seats that go in the middle of a draw hand: it ends all the same, and their chips stay in the pot.

Who folded is not needed any more; who goes while others still exchange takes the rest of the exchanges with it, and
never the cards that others hold.
"""

from __future__ import annotations

import pytest

from dealerless.games.game import Discard
from dealerless.protocol.events import Acted, Exchanged, Mucked
from dealerless.protocol.state import Phase
from dealerless.referee import Outcome
from tests.matches import Match, by_chance, draw_offer, envelopes, named

STACK = 100


def goes(match: Match, seat: int | None = None) -> int:
    """The seat, or the one that owes, breaks a rule here, and is out."""
    seat = match.owing if seat is None else seat
    match.cheat(seat, match.forge(seat, Acted(move="RAISE", amount=-1)))
    return seat


def check(match: Match, gone: list[int]) -> None:
    """The match is over, nobody honest is blamed, no chip was made or lost, and the bytes say what the seats hold."""
    verdict = match.verdict()
    assert sum(verdict.stacks) == STACK * len(match.keys)
    assert sum(verdict.net) == 0
    honest = set(range(len(match.keys))) - set(gone)
    assert verdict.settled == tuple(sorted(honest, key=lambda seat: (verdict.stacks[seat] == 0, seat)))
    assert verdict.stacks == match.state.books.stacks
    assert verdict.outcome is Outcome.FAULT
    assert verdict.fault is not None
    assert verdict.fault.seat == gone[0]
    for forfeit in verdict.forfeits:
        assert verdict.net[forfeit.seat] == -forfeit.amount


PHASES = (
    Phase.HAND_STARTING,
    Phase.KEYING,
    Phase.SHUFFLING,
    Phase.DEALING,
    Phase.BETTING,
    Phase.EXCHANGING,
    Phase.SHOWING,
)


@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.name)
def test_gone_in_each_phase(phase: Phase) -> None:
    """VERDICT-4: which deck the hand is finished with, who is in it, and what the one who went has lost."""
    match = Match(draw_offer(seats=3)).until(phase, choose=named("BET CALL CALL"))
    gone = [goes(match)]
    match.play()
    check(match, gone)
    verdict, record = match.verdict(), match.state.finished
    assert record is not None
    again = phase in (Phase.KEYING, Phase.SHUFFLING, Phase.DEALING)
    assert record.deal.number == again
    assert set(record.deal.seats) == ({0, 1, 2} - set(gone) if again or phase is Phase.HAND_STARTING else {0, 1, 2})
    assert record.result == "showdown"
    # After the deal the others cannot exchange any more, and before it they deal anew and do.
    assert record.hand.broken is (phase in (Phase.BETTING, Phase.EXCHANGING))
    assert len(verdict.forfeits) == (phase is not Phase.HAND_STARTING)
    if verdict.forfeits:
        late = phase in (Phase.EXCHANGING, Phase.SHOWING)
        assert verdict.forfeits[0].amount == record.hand.totals[gone[0]] == (11 if late else 1)


def exchanging(match: Match, *turns: int) -> Match:
    """The match after exchanges of so many cards each, the last with none of its shares."""
    match.until(Phase.EXCHANGING, choose=named("BET CALL CALL CALL"))
    for place, many in enumerate(turns):
        slots = match.state.running.hand.due.slots[:many]
        match.say(match.owing, Exchanged(slots=slots))
        if place + 1 < len(turns):
            match.until(Phase.EXCHANGING)
    return match


@pytest.mark.parametrize("shared", [0, 1])
def test_an_exchange_that_cannot_be_dealt_is_undone(shared: int) -> None:
    """VERDICT-4, DECK-7: seat 2 has named two cards and seat 0 goes before it shares for the new ones: seat 2 holds its
    old five, seat 0's exchange is not made, nobody bets, and both who are left show or concede; seat 1 keeps its new
    ones."""
    match = exchanging(Match(draw_offer(seats=3)), 3, 2)
    before = match.state.running.hand
    assert before.held[1] == (9, 12, 15, 16, 17)
    for _ in range(shared):
        match.turn()
    assert (match.state.phase, match.owing) == (Phase.DEALING, (1, 0)[shared])
    gone = [goes(match, 0)]
    match.turn()
    hand = match.state.running.hand
    assert (hand.held[1], hand.held[2], hand.exchanging) == (before.held[1], (1, 4, 7, 10, 13), ())
    assert match.state.phase is Phase.SHOWING
    assert match.state.owed is not None
    assert Mucked in match.state.owed.kinds
    match.play()
    check(match, gone)
    record = match.state.finished
    assert record is not None
    assert record.hand.shown == (1, 2)
    assert sum(record.hand.totals) == 33
    # The cards shown are of the slots held, and of no other.
    assert {slot for slot, card in enumerate(record.hand.cards) if card is not None} == {*hand.held[1], *hand.held[2]}
    # The record of exchanges is what was said.
    assert [taken.amount for taken in record.actions if taken.move == "EXCHANGE"] == [3, 2]


def test_an_exchange_that_lacks_nothing_of_the_one_that_goes_is_made() -> None:
    """VERDICT-4: seat 1 has shared for seat 2's new cards before it goes; they are dealt, and seat 0 exchanges none."""
    match = exchanging(Match(draw_offer(seats=3)), 0, 2).turn()
    gone = [goes(match, 1)]
    match.turn()
    assert (match.state.phase, match.owing) == (Phase.DEALING, 0)
    match.turn()
    hand = match.state.running.hand
    assert (hand.held[2], hand.broken, match.state.phase) == ((7, 10, 13, 15, 16), True, Phase.SHOWING)
    match.play()
    check(match, gone)


def test_the_last_in_showing_order_may_concede() -> None:
    """SHOW-3, VERDICT-4: the first concedes too, though the terms make all show, and nothing is opened."""
    match = exchanging(Match(draw_offer(seats=3)), 1)
    gone = [goes(match, 0)]
    match.turn()
    assert match.state.phase is Phase.SHOWING
    match.say(match.owing, Mucked())
    match.play()
    check(match, gone)
    record = match.state.finished
    assert record is not None
    assert (record.hand.shown, record.hand.mucked) == ((), (1,))
    assert match.state.books.stacks == (89, 89, 122)


def test_one_that_goes_while_it_exchanges() -> None:
    """VERDICT-4: what was being dealt to it is nobody's; the others' exchanges are not made either."""
    match = exchanging(Match(draw_offer(seats=4)), 0, 3)
    gone = [goes(match, 2)]
    match.play()
    check(match, gone)
    record = match.state.finished
    assert record is not None
    assert record.hand.broken
    assert record.hand.shown == (1, 3, 0)


@pytest.mark.parametrize("when", ["silent", "expelled before the exchange", "expelled in the middle of it"])
def test_a_folded_seat_may_vanish(when: str) -> None:
    """DECK-9: what a seat released with its fold is all that the exchanges need of it, whatever becomes of it."""
    match = Match(draw_offer(seats=3)).until(Phase.BETTING)
    match.turn(named("BET"))
    assert match.owing == 2
    match.turn(named("FOLD"))
    (said,) = envelopes(match.frames[-1:])
    assert isinstance(said.event, Acted)
    # Three slots for each of the two who stay, and one proof.
    assert len(said.event.released) == 32 * 6 + 64
    gone = [] if when == "silent" else [2]
    if when == "expelled before the exchange":
        goes(match, 2)
    match.until(Phase.EXCHANGING)
    match.say(1, Exchanged(slots=match.state.running.hand.due.slots[:3]))
    if when == "expelled in the middle of it":
        goes(match, 2)
    spoken = len(match.frames)
    match.until(Phase.EXCHANGING)
    match.say(0, Exchanged(slots=match.state.running.hand.due.slots[2:]))
    match.until(Phase.SETTLING)
    assert 2 not in [envelope.header.seat for envelope in envelopes(match.frames[spoken:])]
    record = match.state.finished
    assert record is not None
    assert not record.hand.broken
    assert record.deal.number == 0
    assert record.hand.shown == (1, 0)
    assert (record.hand.held[1], record.hand.held[0]) == ((9, 12, 15, 16, 17), (2, 5, 18, 19, 20))
    match.play()
    if gone:
        check(match, gone)
    else:
        assert match.verdict().outcome is Outcome.CLEAN


@pytest.mark.parametrize("moments", [(17, 24), (22, 30), (27, 31)])
def test_two_of_four_go(moments: tuple[int, int]) -> None:
    """VERDICT-4: one after the other, in the deal, the first round, the exchanges or after them."""
    match = Match(draw_offer(seats=4), f"two go {moments}")
    gone: list[int] = []
    for moment in moments:
        while len(match.frames) < moment or match.state.phase is Phase.EXPELLING:
            match.turn(by_chance("two go"))
        if match.state.judging and match.state.phase is not Phase.SETTLING:
            gone.append(goes(match))
    match.play()
    check(match, gone)


def test_six_exchange_three_each() -> None:
    """DRAW-2, TABLE-5, D12: 30 cards and 18 more, no slot twice, and every share of them proven; four and five cards
    are refused of an honest client, and of any other by the table."""
    match = Match(draw_offer(seats=6)).until(Phase.EXCHANGING)
    game, hand = match.state.agreed.game, match.state.running.hand
    for many in (4, 5):
        refusal = game.check(hand, 1, Discard(slots=hand.due.slots[:many]))
        assert refusal is not None
        assert refusal.code == "exchange.too-many"
    for seat in (1, 2, 3, 4, 5, 0):
        match.until(Phase.EXCHANGING)
        assert match.owing == seat
        match.say(seat, Exchanged(slots=match.state.running.hand.due.slots[:3]))
    match.until(Phase.BETTING)
    held = [slot for slots in match.state.running.hand.held for slot in slots]
    assert len(set(held)) == 30
    assert match.state.running.hand.top == 48
    match.play()
    record = match.state.finished
    assert record is not None
    shown = [card for card in record.hand.cards if card is not None]
    assert len(set(shown)) == len(shown) == 30
    assert match.verdict().outcome is Outcome.CLEAN
