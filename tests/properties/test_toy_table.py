"""More than two seats through the same table, session and referee: the toy game, with seats that leave or are expelled.

CHAIN-5, VERDICT-4: who may be expelled when, by whom, what it costs, and that the others go on.
"""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealerless.errors import Unattributed, Violation
from dealerless.protocol.events import (
    Acted,
    Event,
    Expelled,
    HandStarted,
    LayoutOpened,
    Left,
    Mucked,
    Readied,
    SeedsCommitted,
    Settled,
    Shown,
)
from dealerless.protocol.machine import open_frame
from dealerless.protocol.session import Session
from dealerless.protocol.state import HandRecord, Phase
from dealerless.referee import Outcome
from tests.matches import (
    Match,
    by_chance,
    chips,
    envelopes,
    fixed,
    fold,
    named,
    refused,
    toy_offer,
)

PLAYING = (Phase.HAND_STARTING, Phase.COMMITTING, Phase.LAYOUT_OPENING, Phase.BETTING, Phase.SHOWING)


def digit(hand: HandRecord, seat: int) -> str:
    """The card of a seat that showed, by hashlib and the lines of HASHDEAL-1 alone."""
    deal = hand.deal
    where = f"{deal.suite} {deal.session.hex()} {deal.hand}"
    layouts = " ".join([seed.hex() for seed in deal.layouts])
    digest = hashlib.new(deal.suite, f"dealerless/1 hex-deal {where} {layouts}".encode()).hexdigest()
    seed = dict(deal.holes)[seat].hex()
    return hashlib.new(deal.suite, f"dealerless/1 hex-hole {where} {digest} {seat} {seed}".encode()).hexdigest()[0]


@given(
    label=st.text("abcd", min_size=1, max_size=3),
    seats=st.integers(2, 9),
    hands=st.integers(1, 3),
    stack=st.integers(1, 4),
    suite=st.sampled_from(["sha256", "md5"]),
)
@settings(max_examples=20)
def test_any_number_of_seats(label: str, seats: int, hands: int, stack: int, suite: str) -> None:
    """CHAIN-1, CHAIN-3, TABLE-2: the same table for two to nine seats; the referee sees what every seat saw."""
    offer = toy_offer(label, seats=seats, hands=hands, chips=stack, suite=suite)
    match = Match(offer, label)
    while match.state.phase is not Phase.OVER:
        match.turn(by_chance(label))
        assert len({session.state.head for session in match.sessions}) == 1
        assert all(chips(session.state) == seats * stack for session in match.sessions)
    states = {id(session): session.state for session in match.sessions}
    assert all(state == match.state for state in states.values())
    verdict = match.verdict()
    assert verdict.outcome is Outcome.CLEAN
    assert verdict.stacks == match.state.books.stacks
    assert verdict.settled == verdict.settling
    # CHAIN-3: seats with chips sign the end first, then the busted ones.
    assert verdict.settled == tuple(sorted(range(seats), key=lambda seat: (not verdict.stacks[seat], seat)))
    for hand in verdict.hands:
        for seat, shown in hand.shown:
            assert hand.hole[seat] == (shown,) == (digit(hand, seat),)


def test_every_kind_of_message_by_a_seat_that_does_not_owe_is_refused() -> None:
    """P01 with three seats: at every state exactly one seat owes, and no message of another passes."""
    match = Match(toy_offer(hands=1))
    while match.state.phase is not Phase.OVER:
        state, owing = match.state, match.owing
        events: list[Event] = [match.owed_event(), Readied(), Left(), Mucked()]
        events += [SeedsCommitted(layout=fixed("a"), hole=fixed("b")), LayoutOpened(seed=fixed("a"))]
        events += [Acted(move="CHECK", amount=0), Shown(seed=fixed("a"))]
        events += [Settled(head=state.head, stacks=state.books.stacks, net=state.books.net)]
        for seat in range(3):
            for event in events:
                verdict = match.verdict(match.forge(seat, event))
                if seat == owing and event is events[0]:
                    assert verdict.frames == len(match.frames) + 1
                elif seat != owing:
                    assert verdict.frames == len(match.frames)
                    assert (verdict.fault is not None) == state.judging
                    assert verdict.fault is None or verdict.fault.seat == seat
        match.turn()


# --- expulsion


def wrong(match: Match, seat: int) -> bytes:
    """A message that is legal for nobody at any place of a hand."""
    return match.forge(seat, HandStarted(number=9, button=seat, stacks=match.state.books.stacks, net=(1, 0, -1)))


def positions(hands: int) -> list[tuple[int, Phase]]:
    """Where in a match of three somebody can be expelled: (messages before, phase)."""
    match = Match(toy_offer(hands=hands)).play(named("CHECK BET CALL FOLD CHECK BET CALL CALL"))
    states = fold(match.frames)
    return [(at, state.phase) for at, state in enumerate(states) if state.phase in PLAYING]


def played_to(position: int, hands: int = 2) -> Match:
    match = Match(toy_offer(hands=hands))
    choose = named("CHECK BET CALL FOLD CHECK BET CALL CALL")
    while len(match.frames) < position:
        match.turn(choose)
    return match


def test_every_phase_is_among_the_positions() -> None:
    assert {phase for _, phase in positions(2)} == set(PLAYING)


@pytest.mark.parametrize("turn", [0, 1, 2], ids=["who owes", "the next", "the last"])
def test_chain_5_expulsion_in_every_phase(turn: int) -> None:
    """CHAIN-5, VERDICT-4b: who owed expels an out-of-turn author, the next seat one that owed; the others play on."""
    for position, phase in positions(2):
        match = played_to(position)
        state = match.state
        author = (match.owing + turn) % 3
        expeller = (author + 1) % 3 if turn == 0 else match.owing
        error = match.cheat(author, wrong(match, author))
        assert error.code == (
            "turn.not-yours" if turn else ("chain.wrong-hand", "turn.wrong-kind")[state.play is not None]
        )
        assert match.state.phase is Phase.EXPELLING
        assert match.owing == expeller
        record = open_frame(match.frames[-1]).record
        assert match.owed_event() == Expelled(seat=author, record=record)
        match.play(named(""))
        assert all(session.fault is None for seat, session in enumerate(match.sessions) if seat != author)
        books, verdict = match.state.books, match.verdict()
        assert verdict.outcome is Outcome.FAULT
        assert verdict.unjudged is None
        assert verdict.damage is None
        assert verdict.fault is not None
        assert (verdict.fault.seat, verdict.fault.code, verdict.fault.seq) == (author, error.code, position)
        assert verdict.stacks == books.stacks
        assert sum(books.stacks) == 15
        assert books.gone[author] == "expelled"
        assert author not in verdict.settled
        assert len(verdict.settled) == 2
        in_pot = 0 if state.play is None else state.play.hand.totals[author]
        behind = state.books.stacks[author] if state.play is None else state.play.hand.stacks[author]
        assert sum(forfeit.amount for forfeit in verdict.forfeits) == in_pot
        # VERDICT-4b: the rest is kept, and no later hand touches it.
        assert books.stacks[author] == behind, (phase, position)
        for hand in verdict.hands[max(state.books.number, 1) :]:
            assert hand.before[author] == hand.after[author] == behind
            assert author not in hand.deal.seats


@pytest.mark.parametrize("author", [0, 1, 2])
def test_chain_5_only_the_right_expulsion_passes(author: int) -> None:
    """CHAIN-5, VERDICT-2: by the wrong seat, or of another record, it is unjudged; the right one stands.

    One for nothing, or for a message that the table took, is a fault of its own, and joins the first one.
    """
    for position, _ in positions(1)[::3]:
        match = played_to(position, hands=1)
        match.cheat(author, wrong(match, author))
        record, right = open_frame(match.frames[-1]).record, match.owing
        for seat in range(3):
            for named_seat in range(3):
                for digest in (record, match.state.head, bytes(32)):
                    if (seat, named_seat, digest) == (right, author, record):
                        continue
                    frame = match.forge(seat, Expelled(seat=named_seat, record=digest))
                    verdict = match.verdict(frame)
                    assert verdict.fault is not None
                    assert verdict.fault.seat == author
                    assert verdict.fault.code != "chain.wrong-expulsion"
                    joins = digest != record or (seat == author and named_seat != author)
                    assert (verdict.unjudged is None) == joins
                    assert verdict.unjudged is None or verdict.unjudged.record == position + 1
                    for session in (match.sessions[right], match.sessions[3 - right - author]):
                        before, fault = session.state, session.fault
                        with pytest.raises(Violation if joins else Unattributed):
                            session.receive(frame)
                        assert session.state.owed == before.owed
                        assert joins or session.state is before
                        session.state, session.fault = before, fault
        match.play()
        assert match.verdict().unjudged is None


def test_chain_5_an_expulsion_for_nothing_is_the_expellers_fault() -> None:
    """CHAIN-5: nobody is expelled by anybody's word."""
    for position, _ in positions(1):
        for seat in range(3):
            match = played_to(position, hands=1)
            last = open_frame(match.frames[-1])
            error = match.cheat(seat, match.forge(seat, Expelled(seat=last.header.seat, record=last.record)))
            assert error.code in ("chain.wrong-expulsion", "turn.not-yours")
            verdict = match.verdict()
            assert verdict.fault is not None
            assert (verdict.fault.seat, verdict.fault.code) == (seat, error.code)


def accused(session: Session) -> int | None:
    return None if session.fault is None else session.fault.seat


def test_an_honest_message_that_crosses_with_a_fault_convicts_nobody() -> None:
    """VERDICT-2, CHAIN-5: seat 2 speaks out of turn while the owing seat's good message is already on its way."""
    for position, _ in positions(1):
        match = played_to(position, hands=1)
        owing = match.owing
        author, third = (owing + 1) % 3, (owing + 2) % 3
        bad = match.forge(author, Readied())
        honest = match.sessions[owing].say(match.owed_event())
        session = match.sessions[third]
        assert refused(session, bad).code == "turn.not-yours"
        assert accused(session) == author
        refusing = session.state.refused
        assert refusing is not None
        assert (refusing.seat, refusing.expeller) == (author, owing)
        # The table goes on: the seat that owed has signed its message and can sign no expulsion in its place.
        session.receive(honest)
        assert accused(session) is None
        assert session.state.head == match.sessions[owing].state.head
        # Where the good message came first, the bad one is misplaced and proves nothing.
        with pytest.raises(Unattributed):
            match.sessions[owing].receive(bad)
        verdict = match.verdict(bad, honest)
        assert verdict.fault is not None
        assert verdict.fault.seat == author
        assert verdict.unjudged is None
        assert verdict.frames == len(match.frames) + 1
        assert match.verdict(honest, bad).fault is None


def test_verdict_4_two_expulsions_leave_the_pot_to_the_third() -> None:
    """VERDICT-4b: each loses what it has in the pot; the last seat in takes it, and the match ends."""
    for position, phase in positions(1):
        match = played_to(position, hands=1)
        first = match.owing
        match.cheat(first, wrong(match, first))
        match.turn()
        if match.state.phase is Phase.SETTLING:
            continue
        second = match.owing
        match.cheat(second, wrong(match, second))
        # Not expelled yet: the referee says what is so if nothing more comes, for the second seat and not the first.
        open_verdict = match.verdict()
        if match.state.play is not None:
            assert {forfeit.seat for forfeit in open_verdict.forfeits} == {first, second} - (
                {first} if phase is Phase.HAND_STARTING else set()
            )
            assert open_verdict.pending is None
        match.play()
        verdict, third = match.verdict(), 3 - first - second
        assert verdict.stacks == match.state.books.stacks == open_verdict.stacks
        assert sum(verdict.stacks) == 15
        assert verdict.settled == (third,)
        assert verdict.fault is not None
        assert verdict.fault.seat == first


def test_verdict_4_nothing_is_lost_twice() -> None:
    """VERDICT-4b: an expelled seat that keeps signing convicts itself again, and has nothing more to lose."""
    match = Match(toy_offer(seats=4, hands=2)).until(Phase.BETTING)
    author = match.owing
    match.cheat(author, match.forge(author, Left()))
    match.turn()
    for event in (Left(), Acted(move="CHECK", amount=0)):
        match.cheat(author, match.forge(author, event))
        match.turn()
    match.play()
    verdict = match.verdict()
    assert [(forfeit.seat, forfeit.amount) for forfeit in verdict.forfeits] == [(author, 1)]
    assert verdict.stacks[author] == 4
    assert sum(verdict.stacks) == 20
    assert verdict.unjudged is None


# --- the deal begins anew


def test_verdict_4c_the_deal_begins_anew_without_the_expelled_seat() -> None:
    """VERDICT-4c: same hand, button and posts, new secrets, the expelled seat as folded and its chips in the pot."""
    for position, phase in positions(1):
        if phase not in (Phase.COMMITTING, Phase.LAYOUT_OPENING):
            continue
        match = played_to(position, hands=1)
        before = match.state.running
        author = match.owing
        match.cheat(author, wrong(match, author))
        match.turn()
        state = match.state
        assert state.phase is Phase.COMMITTING
        after = state.running
        assert (after.deal.attempt, after.deal.hand, after.deal.commitments, after.deal.layouts) == (1, 1, (), ())
        assert after.deal.seats == tuple(seat for seat in range(3) if seat != author)
        assert (after.hand.button, after.hand.totals) == (before.hand.button, before.hand.totals)
        assert after.hand.folded == tuple(seat == author for seat in range(3))
        match.play()
        (hand,) = match.verdict().hands
        old = {digest for c in before.deal.commitments for digest in (c.layout, c.hole)}
        new = {digest for c in hand.deal.commitments for digest in (c.layout, c.hole)}
        assert len(new) == 4
        assert not old & new
        assert not set(before.deal.layouts) & set(hand.deal.layouts)
        assert hand.pot == 3
        for seat, shown in hand.shown:
            assert shown == digit(hand, seat)


def test_verdict_4c_an_opened_seed_does_not_come_again() -> None:
    """VERDICT-4c, COMMIT-3: the others have seen the layout; opened again it would be known before they commit."""
    match = Match(toy_offer(hands=1)).until(Phase.LAYOUT_OPENING)
    match.turn()
    seed = envelopes(match.frames[-1:])[0].event
    assert isinstance(seed, LayoutOpened)
    match.cheat(1, wrong(match, 1))
    match.turn()
    match.out.add(0)
    again = match.commitments(0, seed.seed, fixed("another hole"))
    frame = match.forge(0, again)
    match.sessions[2].receive(frame)
    match.frames.append(frame)
    match.turn()
    verdict = match.verdict(match.forge(0, seed))
    assert refused(match.sessions[2], match.forge(0, seed)).code == "commit.seed-reuse"
    assert verdict.fault is not None
    # The first fault stays the first (VERDICT-2); the chips are those of both.
    assert verdict.fault.seat == 1
    assert verdict.stacks == (4, 4, 7)


# --- leaving


def test_chain_5_leaving_is_free_where_the_start_of_a_hand_is_owed() -> None:
    """CHAIN-5: the leaver keeps its chips, the next seat dealt in has the button, the others settle."""
    match = Match(toy_offer(hands=3)).until(Phase.HAND_STARTING).turn().until(Phase.HAND_STARTING)
    leaver = match.owing
    kept = match.state.books.stacks[leaver]
    match.say(leaver, Left())
    assert match.owing == (leaver + 1) % 3
    start = match.owed_event()
    assert isinstance(start, HandStarted)
    assert start.button == (leaver + 1) % 3
    match.out.add(leaver)
    match.play()
    verdict = match.verdict()
    assert verdict.outcome is Outcome.CLEAN
    assert verdict.forfeits == ()
    assert verdict.stacks[leaver] == kept
    assert leaver not in verdict.settling
    assert verdict.settled == verdict.settling
    assert all(leaver not in hand.deal.seats for hand in verdict.hands[1:])
    assert len(verdict.hands) == 3


def test_chain_5_when_all_but_one_leave_the_match_ends() -> None:
    match = Match(toy_offer(hands=3)).until(Phase.HAND_STARTING)
    for _ in range(2):
        leaver = match.owing
        match.say(leaver, Left())
        match.out.add(leaver)
    assert match.state.phase is Phase.SETTLING
    match.play()
    verdict = match.verdict()
    assert verdict.outcome is Outcome.CLEAN
    assert verdict.stacks == (5, 5, 5)
    assert verdict.settled == (2,)


def test_chain_5_leaving_elsewhere_is_a_fault() -> None:
    for position, phase in positions(1):
        match = played_to(position, hands=1)
        seat = match.owing if phase is not Phase.HAND_STARTING else (match.owing + 1) % 3
        error = match.cheat(seat, match.forge(seat, Left()))
        assert error.code == ("turn.not-yours" if phase is Phase.HAND_STARTING else "turn.wrong-kind")
        assert match.verdict().fault is not None


def test_a_seat_that_left_is_not_in_the_match() -> None:
    """CHAIN-5: it neither expels nor is asked for anything; what it still signs costs it nothing more."""
    match = Match(toy_offer(seats=4, hands=2)).until(Phase.HAND_STARTING)
    match.say(0, Left())
    match.out.add(0)
    match.turn()
    # Seat 3 is at fault while it owes: the next seat in the match is 1, not the one that left.
    while match.owing != 3:
        match.turn()
    match.cheat(3, match.forge(3, Readied()))
    assert match.owing == 1
    match.turn()
    match.cheat(0, match.forge(0, Mucked()))
    match.play()
    verdict = match.verdict()
    assert verdict.stacks[0] == 5
    assert [forfeit.seat for forfeit in verdict.forfeits] == [3]
    assert verdict.fault is not None
    assert verdict.fault.seat == 3
