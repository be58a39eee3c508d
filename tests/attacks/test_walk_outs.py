"""Seats that go in the middle of a hand dealt from the deck: it ends all the same, and their chips stay in the pot.

At any message of a match a seat breaks a rule and is expelled, or two of four are, one after the other. The honest ones
finish among themselves, and the referee finds the same from the bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from dealerless.games.game import Option
from dealerless.protocol.events import Acted, Event, Mucked
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
    # CHAIN-3: those with chips first, then those without.
    assert verdict.settled == tuple(sorted(honest, key=lambda seat: (verdict.stacks[seat] == 0, seat)))
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


# --- at every phase, and again


def goes(match: Match) -> int:
    """The seat that owes breaks a rule here, and is out."""
    seat = match.owing
    match.cheat(seat, match.forge(seat, Acted(move="RAISE", amount=-1)))
    return seat


PHASES = (
    Phase.HAND_STARTING,
    Phase.KEYING,
    Phase.SHUFFLING,
    Phase.DEALING,
    Phase.BETTING,
    Phase.BOARD_OPENING,
    Phase.SHOWING,
)


@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.name)
def test_gone_in_each_phase(phase: Phase) -> None:
    """VERDICT-4c: which deck the hand is finished with, who is in it, and what the one who went has lost."""
    match = Match(holdem_offer(seats=3, stack=STACK)).until(phase)
    gone = [goes(match)]
    match.play()
    check(match, gone)
    verdict, record = match.verdict(), match.state.finished
    assert record is not None
    others = {0, 1, 2} - set(gone)
    dealing = phase in (Phase.KEYING, Phase.SHUFFLING, Phase.DEALING)
    stranded = phase in (Phase.BETTING, Phase.BOARD_OPENING)
    assert record.deal.number == (1 if dealing or stranded else 0)
    assert set(record.deal.seats) == ({0, 1, 2} if phase is Phase.SHOWING else others)
    assert bool(record.deal.fresh) is stranded
    assert record.result == "showdown"
    assert None not in record.board
    assert len(verdict.forfeits) == (phase is not Phase.HAND_STARTING)
    if verdict.forfeits:
        assert verdict.forfeits[0].amount == record.hand.totals[gone[0]] > 0 or record.hand.button == gone[0]


@pytest.mark.parametrize("phase", [Phase.KEYING, Phase.SHUFFLING, Phase.BOARD_OPENING], ids=lambda phase: phase.name)
@pytest.mark.parametrize("seats", [3, 4])
def test_gone_from_the_fresh_deck_too(seats: int, phase: Phase) -> None:
    """VERDICT-4c: a second one goes from the fresh deck: two who are left make another, a single one takes all."""
    match = Match(holdem_offer(seats=seats, stack=STACK)).until(Phase.BETTING)
    gone = [goes(match)]
    match.until(Phase.SHOWING).until(phase)
    before = match.state.running
    assert before.deal.number == 1
    assert goes(match) in before.deal.seats
    gone = [*gone, *(match.out - set(gone))]
    match.play()
    check(match, gone)
    record = match.state.finished
    assert record is not None
    if seats == 3:
        (last,) = {0, 1, 2} - set(gone)
        assert record.result == "forfeit"
        assert match.state.books.stacks[last] == STACK + sum(record.hand.totals[seat] for seat in gone)
        return
    assert record.result == "showdown"
    assert record.deal.number == 2
    assert set(record.deal.seats) == {0, 1, 2, 3} - set(gone)
    known = [card for card in record.hand.cards if card is not None]
    # What all three had shown is not in the deck that is made for two, the cards of the one who went included.
    assert len(record.deal.cards) == 52 - 3 * 2
    assert len(known) == len(set(known)) == 5 + 3 * 2


def test_everybody_but_one_goes() -> None:
    """VERDICT-4: the last one takes the pot without a card, and signs the end alone."""
    match = Match(holdem_offer(seats=4, stack=STACK)).until(Phase.BETTING)
    gone = [goes(match)]
    for phase in (Phase.BETTING, Phase.SHOWING):
        match.until(phase)
        gone.append(goes(match))
    match.play()
    check(match, gone)
    record = match.state.finished
    assert record is not None
    assert (record.result, record.deal.number) == ("forfeit", 0)
    assert record.board == (None,) * 5


# --- side pots, concessions


def amounts(moves: str) -> Choose:
    """These moves in turn, with their amounts, then the first legal ones."""
    script = iter(moves.split())

    def choose(state: State, options: tuple[Option, ...]) -> Event:
        name, _, amount = next(script, options[0].name).partition(":")
        option = next(option for option in options if option.name == name)
        return Acted(move=name, amount=int(amount) if amount else option.least)

    return choose


def test_the_last_other_claimant_of_a_side_pot_goes() -> None:
    """POT-2, POT-3, VERDICT-4: the side pot is the other's unseen, the main pot is played for with the missing card."""
    choose = amounts("RAISE:20 CALL FOLD CHECK BET FOLD RAISE:10 CALL CALL BET:10 CALL")
    match = Match(holdem_offer(seats=3, stack=STACK, hands=2))
    match.play_to_hand(2, choose)
    assert match.state.books.stacks == (52, 10, 28)
    match.turn(choose)
    while not (match.state.phase is Phase.BETTING and match.state.running.hand.street == 2):
        match.turn(choose)
    assert match.owing == 2
    gone = [goes(match)]
    match.until(Phase.SETTLING, Phase.OVER)
    record = match.state.finished
    assert record is not None
    assert (record.result, record.deal.number, record.deal.seats) == ("showdown", 1, (0, 1))
    main, side = record.pots
    assert (main.amount, main.seats) == (30, (0, 1))
    assert (side.amount, side.seats, side.winners) == (20, (0,), (0,))
    assert match.state.books.stacks[2] == 28 - 20
    assert match.state.books.stacks[0] in (52 - 20 + 20, 52 - 20 + 20 + 15, 52 - 20 + 20 + 30)
    match.play()
    verdict = match.verdict()
    assert sum(verdict.stacks) == 3 * STACK
    assert [(forfeit.seat, forfeit.amount) for forfeit in verdict.forfeits] == [(gone[0], 20)]


@pytest.mark.parametrize("conceding", [1, 2])
def test_a_board_that_stays_closed_can_be_conceded(conceding: int) -> None:
    """SHOW-2 gives way (VERDICT-4c): all may muck, the first too; with one left no other deck is made."""
    match = Match(holdem_offer(seats=4, stack=STACK, show="all")).until(Phase.BETTING)
    gone = [goes(match)]
    match.until(Phase.SHOWING)
    mucked = []
    for _ in range(conceding):
        mucked.append(match.owing)
        match.say(match.owing, Mucked())
    match.until(Phase.SETTLING)
    record = match.state.finished
    assert record is not None
    assert record.hand.mucked == tuple(mucked)
    left = {0, 1, 2, 3} - set(gone) - set(mucked)
    if conceding == 2:
        # The last one is not asked to show, and no card is missed.
        assert (record.deal.number, record.winners) == (0, tuple(left))
        assert record.hand.shown == ()
    else:
        assert record.deal.number == 1
        assert set(record.deal.seats) == set(record.hand.shown) == left
        assert all(record.hole[seat] is None for seat in mucked)
    match.play()
    check(match, gone)


def test_a_seat_all_in_may_vanish() -> None:
    """DECK-9: the board opens without another word of a seat that is all-in; it only has its own cards to show."""
    match = Match(holdem_offer(seats=3, stack=STACK)).until(Phase.BETTING)
    seat = match.owing
    match.say(seat, Acted(move="RAISE", amount=STACK))
    spoken = len(match.frames)
    match.until(Phase.SHOWING, choose=all_in)
    assert seat not in [envelope.header.seat for envelope in envelopes(match.frames)[spoken:]]
    assert None not in match.state.running.hand.cards[6:]
    match.play()
    check(match, [])
