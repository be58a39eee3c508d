"""Properties of the betting engine under every structure: what is listed is what is accepted, chips are
conserved, rounds end (BET, HEX-6 to HEX-8, ONE-7, ONE-8)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealerless.errors import CODES
from dealerless.games.betting import (
    NAMES,
    Betting,
    apply,
    check,
    expel,
    legal,
    open_round,
    settled,
)
from dealerless.games.game import Move
from dealerless.games.structure import Structure

HEX = Structure(unit=3, sizes="exact", amounts="put", closes="checks", allin=True)
ONE = Structure(unit=1, sizes="matched", amounts="by", closes="checks")
LIMIT = Structure(unit=4, sizes="limit", amounts="none", closes="matched", raises=3)
NO_LIMIT = Structure(unit=4, sizes="no-limit", amounts="to", closes="matched")
TOY = Structure(unit=1, sizes="limit", amounts="put", closes="matched", raises=0)
STRUCTURES = {"hex": HEX, "one": ONE, "limit": LIMIT, "no-limit": NO_LIMIT, "toy": TOY}

AMOUNTS = (*range(-2, 45), 2**53, 2**64 - 1, -(2**63))


@st.composite
def rounds(draw: st.DrawFn, structure: Structure) -> Betting:
    """An opened round: equal stacks where the game has them, blinds in half of the others."""
    if structure.closes == "checks":
        if structure is HEX:
            stacks = (3 * draw(st.integers(1, 9)),) * 2
        else:
            stacks = (draw(st.integers(0, 12)), draw(st.integers(0, 12)))
        return open_round(structure, stacks, (1, 1), (False, False), draw(st.integers(0, 1)))
    seats = draw(st.integers(2, 6))
    behind = list(draw(st.tuples(*[st.integers(0, 30)] * seats)))
    folded = tuple(draw(st.booleans()) and seat > 1 for seat in range(seats))
    first = draw(st.integers(0, seats - 1))
    if structure is TOY or draw(st.booleans()):
        return open_round(structure, tuple(behind), (1,) * seats, folded, first)
    posted = [0] * seats
    for seat, blind in ((0, 2), (1, 4)):
        posted[seat] = min(blind, behind[seat])
        behind[seat] -= posted[seat]
    put = tuple(posted)
    return open_round(structure, tuple(behind), put, folded, 2 % seats, posted=put, blind=4)


def listed(b: Betting) -> set[tuple[str, int]]:
    return {(o.name, amount) for o in legal(b) for amount in range(o.least, o.most + 1)}


def check_owed(b: Betting) -> None:
    """BET-3, told again: only a seat that is in and has chips acts, and it owes no more than others can match."""
    if b.to_act is None:
        assert b.owed == 0
        return
    assert b.stacks[b.to_act] > 0
    assert not b.folded[b.to_act]
    others = [b.put[other] + b.stacks[other] for other, out in enumerate(b.folded) if not out and other != b.to_act]
    assert b.owed == max(0, min(b.level, max(others)) - b.put[b.to_act])


def walk(data: st.DataObject, b: Betting) -> Iterator[tuple[Betting, Move, Betting]]:
    """Play legal moves until the round is over."""
    while b.to_act is not None:
        option = data.draw(st.sampled_from(legal(b)))
        ends = st.sampled_from((option.least, option.most))
        amount = data.draw(ends | st.integers(option.least, option.most))
        move = Move(name=option.name, amount=amount)
        after = apply(b, b.to_act, move)
        yield b, move, after
        b = after


@pytest.mark.parametrize("name", STRUCTURES)
@given(data=st.data())
def test_listed_is_accepted_and_nothing_else(name: str, data: st.DataObject) -> None:
    """BET-1: `check` is None exactly for the moves and amounts `legal` lists; else a code of the table."""
    b = data.draw(rounds(STRUCTURES[name]))
    for before, _, _ in walk(data, b):
        assert before.to_act is not None
        options = listed(before)
        assert options
        for move in (*NAMES, "call", "", "SHOW"):
            for amount in AMOUNTS:
                refusal = check(before, before.to_act, Move(name=move, amount=amount))
                assert (refusal is None) == ((move, amount) in options)
                assert refusal is None or (refusal.code in CODES and refusal.clause)
        for seat in range(-1, len(before.stacks) + 1):
            if seat != before.to_act:
                refusal = check(before, seat, Move(name="CHECK", amount=0))
                assert refusal is not None
                assert refusal.code == "turn.not-yours"


@pytest.mark.parametrize("name", STRUCTURES)
@given(data=st.data())
def test_chips_are_conserved_and_the_value_stays_true(name: str, data: st.DataObject) -> None:
    """TABLE, BET-3: no chip is made or lost, no stack negative, each carried figure is the derived one."""
    b = data.draw(rounds(STRUCTURES[name]))
    for before, move, after in walk(data, b):
        seat = before.to_act
        assert seat is not None
        assert sum(after.stacks) + sum(after.totals) == sum(before.stacks) + sum(before.totals)
        assert min(after.stacks) >= 0
        assert after.moves == before.moves + 1
        for other in range(len(b.stacks)):
            paid = before.stacks[other] - after.stacks[other]
            assert paid == after.put[other] - before.put[other] == after.totals[other] - before.totals[other]
            assert paid >= 0
            assert other == seat or (paid == 0 and after.folded[other] == before.folded[other])
        assert after.level == max(before.level, after.put[seat])
        lifted = after.level > before.level
        assert (after.aggressor == seat) if lifted else (after.aggressor == before.aggressor)
        assert lifted or move.name not in ("BET", "RAISE")
        check_owed(after)


@pytest.mark.parametrize("name", ["limit", "no-limit", "toy"])
@given(data=st.data())
def test_a_matched_round_ends_when_all_have_acted(name: str, data: st.DataObject) -> None:
    """BET-7: told again from the moves alone."""
    b = data.draw(rounds(STRUCTURES[name]))
    acted: set[int] = set()
    for before, _, after in walk(data, b):
        seat = before.to_act
        assert seat is not None
        acted = {seat} if after.level > before.level else acted | {seat}
        still_in = [s for s, out in enumerate(after.folded) if not out]
        seats = len(after.stacks)
        clockwise = [(seat + step) % seats for step in range(1, seats)]
        waiting = [s for s in clockwise if s in still_in and after.stacks[s] and s not in acted]
        assert after.to_act == (None if len(still_in) == 1 or not waiting else waiting[0])


@pytest.mark.parametrize("name", ["hex", "one"])
@given(data=st.data())
def test_a_round_of_checks_ends_as_it_should(name: str, data: st.DataObject) -> None:
    """HEX-5, HEX-8, ONE-8: strict alternation until two checks, a fold, or nothing owed and a stack empty."""
    b = data.draw(rounds(STRUCTURES[name]))
    last = ""
    for before, move, after in walk(data, b):
        seat = before.to_act
        assert seat is not None
        level = after.put[0] == after.put[1]
        over = move.name == "FOLD" or (move.name == last == "CHECK") or (level and 0 in after.stacks)
        assert after.to_act == (None if over else 1 - seat)
        if over and name == "hex" and move.name != "FOLD":
            assert after.stacks[0] == after.stacks[1]
        last = move.name


@pytest.mark.parametrize("name", ["limit", "no-limit"])
@given(data=st.data())
def test_sizes(name: str, data: st.DataObject) -> None:
    """BET-4, BET-5: a lift is full unless it takes the whole stack; a bet and three raises at most."""
    structure = STRUCTURES[name]
    b = data.draw(rounds(structure))
    last_full = structure.unit
    for before, _, after in walk(data, b):
        seat = before.to_act
        assert seat is not None
        lift = after.level - before.level
        if lift and after.stacks[seat]:
            assert lift >= (last_full if name == "no-limit" else 1)
            assert name == "no-limit" or after.level == before.full + structure.unit
        if name == "no-limit" and lift >= last_full:
            last_full = lift
        assert name == "no-limit" or after.made <= 4
        assert after.step == last_full or name == "limit"


@pytest.mark.parametrize("name", STRUCTURES)
@given(data=st.data())
def test_an_expelled_seat_is_out_and_its_chips_stay(name: str, data: st.DataObject) -> None:
    """VERDICT-4: at any moment, in turn or not; the others play on, and uncalled chips go back (POT-1)."""
    b = data.draw(rounds(STRUCTURES[name]))
    steps = data.draw(st.integers(0, 6))
    for _, _, after in walk(data, b):
        b = after
        steps -= 1
        if steps < 0:
            break
    seat = data.draw(st.sampled_from([s for s, out in enumerate(b.folded) if not out]))
    after = expel(b, seat)
    assert (after.stacks, after.totals) == (b.stacks, b.totals)
    assert after.folded[seat]
    assert after.to_act != seat
    check_owed(after)
    if after.folded.count(False) < 2:
        assert after.to_act is None
    for _, _, b in walk(data, after):
        after = b
    done = settled(after)
    assert sum(done.stacks) + sum(done.totals) == sum(after.stacks) + sum(after.totals)
