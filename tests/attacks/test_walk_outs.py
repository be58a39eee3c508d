"""Seats that go in the middle of a hand dealt from the deck: it ends all the same, and their chips stay in the pot.

At any message of a match a seat breaks a rule and is expelled, or two of four are, one after the other. The honest ones
finish among themselves, and the referee finds the same from the bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from dealerless.games.game import Option
from dealerless.protocol.events import Acted, Event
from dealerless.protocol.state import Phase, State
from dealerless.referee import Outcome
from tests.matches import Choose, Match, envelopes, first_option, holdem_offer

Who = Callable[[Match], int]
STACK = 30


def owing(match: Match) -> int:
    return match.owing


def left_of_owing(match: Match) -> int:
    return (match.owing + 1) % len(match.keys)


def walked(seats: int, choose: Choose, goes: Mapping[int, Who], show: str = "all") -> tuple[Match, list[int]]:
    """A match in which at these messages a seat says what it may not; with the seats that did, in order."""
    match = Match(holdem_offer(seats=seats, stack=STACK, show=show))
    gone: list[int] = []
    turn = 0
    while match.state.phase is not Phase.OVER:
        seat = goes[turn](match) if turn in goes and match.state.judging else None
        turn += 1
        settling = match.state.phase in (Phase.SETTLING, Phase.EXPELLING)
        if seat is None or settling or seat in match.out or len(match.out) + 2 > seats:
            match.turn(choose)
            continue
        gone.append(seat)
        match.cheat(seat, match.forge(seat, Acted(move="RAISE", amount=-1)))
    return match, gone


def check(match: Match, gone: list[int]) -> None:
    """The match is over, nobody honest is blamed, and no chip was made or lost."""
    verdict = match.verdict()
    assert sum(verdict.stacks) == STACK * len(match.keys)
    assert sum(verdict.net) == 0
    honest = set(range(len(match.keys))) - set(gone)
    assert set(verdict.settled) == honest
    # Who goes between two hands loses nothing.
    assert [forfeit.seat for forfeit in verdict.forfeits] == gone[len(gone) - len(verdict.forfeits) :]
    if not gone:
        assert verdict.outcome is Outcome.CLEAN
        return
    assert verdict.outcome is Outcome.FAULT
    assert verdict.fault is not None
    assert verdict.fault.seat == gone[0]
    # The bytes say as much as the seats at the table hold to be so.
    assert verdict.stacks == match.state.books.stacks
    for forfeit in verdict.forfeits:
        assert verdict.net[forfeit.seat] == -forfeit.amount


def all_in(state: State, options: tuple[Option, ...]) -> Event:
    """The most that can be bet or raised, or a call: everybody is all-in, and has released the board."""
    lifts = [option for option in options if option.name in ("BET", "RAISE")]
    chosen = lifts[0] if lifts else options[0]
    return Acted(move=chosen.name, amount=chosen.most)


LINES: dict[str, Choose] = {"checked through": first_option, "all in": all_in}


@pytest.mark.parametrize("who", [owing, left_of_owing])
@pytest.mark.parametrize("moment", range(6, 40, 5))
def test_one_of_three_goes_at_any_message(moment: int, who: Who) -> None:
    """VERDICT-4: before the deal is complete it begins anew; after it, what is lacking comes from another deck."""
    match, gone = walked(3, first_option, {moment: who})
    assert len(gone) <= 1
    check(match, gone)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("moments", [(7, 13), (15, 21), (24, 27), (30, 41)])
def test_two_of_four_go(moments: tuple[int, int], line: str) -> None:
    """VERDICT-4c, DECK-9: also while the hand is being dealt again, and while the other deck is."""
    match, gone = walked(4, LINES[line], dict.fromkeys(moments, owing))
    check(match, gone)


def test_the_board_comes_from_another_deck() -> None:
    """VERDICT-4c: one of three goes on the flop; the others show, and turn and river come from the cards not shown."""
    match = Match(holdem_offer(seats=3, stack=STACK)).until(Phase.BETTING)
    while match.state.running.hand.cards[6] is None:
        match.turn()
    match.until(Phase.BETTING)
    flop = [card for card in match.state.running.hand.cards if card is not None]
    assert len(flop) == 3
    seat = match.owing
    match.cheat(seat, match.forge(seat, Acted(move="RAISE", amount=-1)))
    phases = [match.state.phase]
    while phases[-1] is not Phase.SETTLING:
        match.turn()
        phases.append(match.state.phase)
    once = [phase for place, phase in enumerate(phases) if phase not in phases[:place]]
    assert once == [
        Phase.EXPELLING,
        Phase.BETTING,
        Phase.SHOWING,
        Phase.KEYING,
        Phase.SHUFFLING,
        Phase.BOARD_OPENING,
        Phase.SETTLING,
    ]
    record = match.state.finished
    assert record is not None
    assert record.deal.number == 1
    assert len(record.deal.cards) == 52 - 3 - 2 * 2
    shown = [card for card in record.hand.cards if card is not None]
    assert len(set(shown)) == len(shown) == 5 + 2 * 2
    assert record.hand.folded[seat]
    match.play()
    check(match, [seat])


def test_a_folded_seat_may_vanish() -> None:
    """DECK-9: what a seat released with its fold is all that the board needs of it."""
    match = Match(holdem_offer(seats=3, stack=STACK)).until(Phase.BETTING)
    seat = match.owing
    match.say(seat, Acted(move="FOLD", amount=0))
    spoken = len(match.frames)
    match.until(Phase.SETTLING)
    said = [event.header.seat for event in envelopes(match.frames)[spoken:]]
    assert seat not in said
    record = match.state.finished
    assert record is not None
    assert None not in record.board
    assert record.deal.number == 0
    match.play()
    assert match.verdict().outcome is Outcome.CLEAN
