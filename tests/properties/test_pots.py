"""Pots against a chip-by-chip count, and the cases on which other engines lost chips (POT-1 to POT-4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealerless.games.game import Pot
from dealerless.games.pots import award, claimants, order_from, payouts, pots, uncalled, without


@st.composite
def contributions(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[bool, ...]]:
    """Totals and who folded, for two to nine seats of which at least one is in."""
    seats = draw(st.integers(2, 9))
    totals = draw(st.tuples(*[st.integers(0, 12)] * seats))
    stays = draw(st.integers(0, seats - 1))
    folded = tuple(draw(st.booleans()) and seat != stays for seat in range(seats))
    return totals, folded


def chip_by_chip(totals: tuple[int, ...], folded: tuple[bool, ...]) -> list[tuple[int, tuple[int, ...]]]:
    """The pots from one layer a chip: the same contenders as below, or none, join the layer below."""
    built: list[tuple[int, tuple[int, ...]]] = []
    for level in range(1, max(totals) + 1):
        reach = [seat for seat, total in enumerate(totals) if total >= level]
        contenders = tuple(seat for seat in reach if not folded[seat])
        if built and contenders in ((), built[-1][1]):
            built[-1] = (built[-1][0] + len(reach), built[-1][1])
        else:
            built.append((len(reach), contenders))
    if built and not built[0][1]:
        return [(built[0][0], tuple(seat for seat, out in enumerate(folded) if not out))]
    return built


@given(contributions())
def test_layers(case: tuple[tuple[int, ...], tuple[bool, ...]]) -> None:
    """POT-2, POT-3: every chip in exactly one pot, none empty, none without contenders."""
    totals, folded = case
    built = pots(totals, folded)
    assert [(pot.amount, pot.seats) for pot in built] == chip_by_chip(totals, folded)
    assert sum(pot.amount for pot in built) == sum(totals)
    assert all(pot.amount and pot.seats and not pot.winners for pot in built)
    assert len({pot.seats for pot in built}) == len(built)


@given(contributions())
def test_uncalled(case: tuple[tuple[int, ...], tuple[bool, ...]]) -> None:
    """POT-1: after the return nobody is alone at the top, unless folded."""
    totals, folded = case
    back = uncalled(totals, folded)
    left = tuple(total - chips for total, chips in zip(totals, back, strict=True))
    assert all(chips >= 0 for chips in back)
    assert sum(map(bool, back)) <= 1
    top = max(left)
    assert left.count(top) > 1 or folded[left.index(top)] or top == 0
    assert not any(uncalled(left, folded))
    if any(back):
        seat = back.index(max(back))
        assert not folded[seat]
        assert left[seat] == sorted(totals)[-2]


@given(contributions(), st.data())
def test_payouts(case: tuple[tuple[int, ...], tuple[bool, ...]], data: st.DataObject) -> None:
    """POT-4: all is paid, to the strongest contenders of each pot, in shares at most one chip apart."""
    totals, folded = case
    seats = len(totals)
    strengths = data.draw(st.tuples(*[st.integers(0, 3)] * seats))
    order = order_from(data.draw(st.integers(0, seats - 1)), seats)
    unpaid = pots(totals, folded)
    awarded = award(unpaid, strengths, order)
    paid = payouts(awarded, seats)
    assert sum(paid) == sum(totals)
    assert all(not chips or not folded[seat] for seat, chips in enumerate(paid))
    for before, pot in zip(unpaid, awarded, strict=True):
        assert (pot.amount, pot.seats) == (before.amount, before.seats)
        best = max(strengths[seat] for seat in pot.seats)
        assert set(pot.winners) == {seat for seat in pot.seats if strengths[seat] == best}
        assert list(pot.winners) == [seat for seat in order if seat in pot.winners]
        alone = payouts((pot,), seats)
        shares = [alone[seat] for seat in pot.winners]
        assert sum(shares) == pot.amount
        assert shares == sorted(shares, reverse=True)
        assert shares[0] - shares[-1] <= 1


@given(contributions(), st.data())
def test_a_muck_changes_who_wins_and_not_the_pots(
    case: tuple[tuple[int, ...], tuple[bool, ...]], data: st.DataObject
) -> None:
    """POT-2, SHOW-3: amounts and contenders stand; a mucker wins only what nobody else stands for."""
    totals, folded = case
    seats = len(totals)
    unpaid = pots(totals, folded)
    mucked = data.draw(st.lists(st.integers(0, seats - 1), unique=True, max_size=seats).map(tuple))
    awarded = award(unpaid, (1,) * seats, order_from(0, seats), mucked)
    assert [(pot.amount, pot.seats) for pot in awarded] == [(pot.amount, pot.seats) for pot in unpaid]
    assert sum(payouts(awarded, seats)) == sum(totals)
    for pot in awarded:
        left = [seat for seat in pot.seats if seat not in mucked]
        last = [seat for seat in mucked if seat in pot.seats][-1:]
        assert sorted(pot.winners) == (left or last)


# contributions, folded seats, strengths, button, what each seat has back in the end
CASES = [
    # three all-in for 10, 25 and 60: each order of strength
    ("layers", (10, 25, 60), (), (3, 2, 1), 2, (30, 30, 35)),
    ("layers, the deepest best", (10, 25, 60), (), (1, 2, 3), 2, (0, 0, 95)),
    ("layers, all tie", (10, 25, 60), (), (1, 1, 1), 2, (10, 25, 60)),
    # four contributors, dead chips, two tie at the top
    ("dead layer", (5, 10, 10, 8, 6), (0,), (0, 1, 1, 2, 3), 4, (0, 2, 2, 6, 29)),
    ("main pot tied across a side pot", (100, 80, 20), (), (2, 1, 2), 2, (170, 0, 30)),
    ("middle wins", (100, 80, 20), (), (1, 2, 1), 2, (20, 180, 0)),
    ("much dead, tie", (50, 100, 150, *(50,) * 6), (3, 4, 5, 6, 7, 8), (1, 1, 1), 2, (150, 200, 250)),
    ("much dead, short wins", (50, 100, 150, *(50,) * 6), (3, 4, 5, 6, 7, 8), (2, 1, 1), 2, (450, 50, 100)),
    # the top layer's contributors are all out
    ("top layer folded", (50, 100, 200, 200), (2, 3), (2, 1), 3, (200, 350, 0, 0)),
    ("top layer folded, deep wins", (50, 100, 200, 200), (2, 3), (1, 2), 3, (0, 550, 0, 0)),
    ("one seat left", (2, 2, 1), (1, 2), (0, 0, 0), 0, (5, 0, 0)),
    ("only folded chips", (0, 0, 3), (2,), (1, 1, 0), 2, (2, 1, 0)),
    # odd chips
    ("100 among three", (25, 25, 25, 25), (3,), (1, 1, 1), 3, (34, 33, 33, 0)),
    ("11 between two", (5, 5, 1), (2,), (1, 1, 0), 2, (6, 5, 0)),
    ("11 between two, other button", (5, 5, 1), (2,), (1, 1, 0), 0, (5, 6, 0)),
    (
        "dead below a tie",
        (10_000, 10_000, 10_000, 100, 200),
        (3, 4),
        (1, 1, 1),
        4,
        (10_100, 10_100, 10_100, 0, 0),
    ),
    (
        "per pot, not per sum",
        (76, 117, 115, 117, 1, 66, 27),
        (2, 4),
        (7, 3, 0, 2, 0, 7, 1),
        6,
        (220, 121, 0, 0, 0, 178, 0),
    ),
    # uncalled
    ("98 against 102, short wins", (98, 102), (), (2, 1), 0, (196, 4)),
    ("98 against 102, deep wins", (98, 102), (), (1, 2), 0, (0, 200)),
    ("280 against 198", (280, 198), (), (1, 2), 0, (82, 396)),
    ("2190 against 910", (2190, 910), (), (1, 2), 0, (1280, 1820)),
    ("all-in, others fold", (50, 2, 1), (1, 2), (1, 0, 0), 0, (53, 0, 0)),
    ("equal all-in: no empty pot", (10, 10, 10), (), (1, 2, 1), 0, (0, 30, 0)),
]


@pytest.mark.parametrize(
    ("totals", "out", "strengths", "button", "expected"),
    [case[1:] for case in CASES],
    ids=[case[0] for case in CASES],
)
def test_case(
    totals: tuple[int, ...],
    out: tuple[int, ...],
    strengths: tuple[int, ...],
    button: int,
    expected: tuple[int, ...],
) -> None:
    """POT-1 to POT-4, together."""
    seats = len(totals)
    folded = tuple(seat in out for seat in range(seats))
    back = uncalled(totals, folded)
    left = tuple(total - chips for total, chips in zip(totals, back, strict=True))
    ranks = (*strengths, *(0,) * (seats - len(strengths)))
    won = payouts(award(pots(left, folded), ranks, order_from(button, seats)), seats)
    got = tuple(one + two for one, two in zip(back, won, strict=True))
    assert got == (*expected, *(0,) * (seats - len(expected)))
    assert sum(got) == sum(totals)


def test_an_unseen_hand_has_no_claim_against_a_seen_one() -> None:
    """SHOW-3."""
    pot = Pot(amount=10, seats=(0, 1, 2), winners=())
    [paid] = award((pot,), (None, 1, None), (1, 2, 0))
    assert paid.winners == (1,)
    assert claimants(pot, (2, 0)) == (1,)
    assert claimants(pot, (2, 0, 1)) == (1,)


@given(contributions(), st.data())
def test_who_is_expelled_claims_nothing(case: tuple[tuple[int, ...], tuple[bool, ...]], data: st.DataObject) -> None:
    """POT-2, POT-3, VERDICT-4: no chip is lost, amounts only join the pot below, and the others' claims stay."""
    totals, folded = case
    unpaid = pots(totals, folded)
    seats = [seat for seat, out in enumerate(folded) if not out]
    mucked = tuple(data.draw(st.lists(st.sampled_from(seats), unique=True, max_size=len(seats) - 1)))
    standing = [seat for seat in seats if seat not in mucked]
    gone = data.draw(st.sampled_from(standing))
    left = without(unpaid, gone, mucked)
    assert sum(pot.amount for pot in left) == sum(totals)
    assert all(gone not in pot.seats for pot in left)
    if len(standing) > 1 and unpaid and set(standing) & set(unpaid[0].seats) != {gone}:
        kept = [pot for pot in unpaid if any(seat != gone for seat in claimants(pot, mucked))]
        assert [pot.seats for pot in left] == [tuple(seat for seat in pot.seats if seat != gone) for pot in kept]
        for pot in left:
            assert gone not in claimants(pot, mucked)


def test_a_pot_that_nobody_claims_any_more() -> None:
    """POT-3, VERDICT-4: seat 1 mucked, seat 2 leaves: the side pot joins the main one."""
    unpaid = pots((10, 30, 30), (False, False, False))
    [main] = without(unpaid, 2, (1,))
    assert (main.amount, main.seats) == (70, (0, 1))
    assert [pot.seats for pot in without(unpaid, 2)] == [(0, 1), (1,)]
