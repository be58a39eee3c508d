"""The lot of One Poker: where it falls follows from both seeds, and evenly (LOT-1)."""

from __future__ import annotations

import hashlib
from itertools import pairwise

import pytest

from dealerless.protocol.lot import LOT, Lot
from dealerless.protocol.state import Phase
from tests.matches import Match, fixed, one_offer

LABELS = 2000
FOUR_SIGMA = 4 * (LABELS * 0.25) ** 0.5


def drawn(session: bytes, seeds: tuple[bytes, ...], seats: int = 2) -> int:
    """LOT-1, as it stands in the specification."""
    digest = hashlib.sha256(b"dealerless/1 lot\0" + session + b"".join(seeds)).digest()
    return int.from_bytes(digest[:8], "big") % seats


def test_the_lot_falls_evenly() -> None:
    """LOT-1: over 2,000 labels within 4 sigma of a half, and where the formula says."""
    fell = []
    for number in range(LABELS):
        session, seeds = fixed(f"session {number}"), (fixed(f"one {number}"), fixed(f"two {number}"))
        fell.append(Lot(seeds=seeds).fallen(session, (0, 1)))
        assert fell[-1] == drawn(session, seeds)
    assert abs(sum(fell) - LABELS / 2) < FOUR_SIGMA
    # Nor does it follow from the one before.
    same = sum([one == other for one, other in pairwise(fell)])
    assert abs(same - LABELS / 2) < FOUR_SIGMA


@pytest.mark.parametrize("fixed_seat", [0, 1])
def test_one_seed_alone_decides_nothing(fixed_seat: int) -> None:
    """LOT-1: a seat may keep its seed for ever, or choose it; the other one makes the lot fall evenly."""
    fell = 0
    for number in range(LABELS):
        seeds = [fixed(f"seed {number}")] * 2
        seeds[fixed_seat] = bytes(32)
        fell += Lot(seeds=(seeds[0], seeds[1])).fallen(bytes(32), (0, 1))
    assert abs(fell - LABELS / 2) < FOUR_SIGMA


def test_the_session_the_order_and_every_seed_count() -> None:
    """LOT-1: seeds of one match say nothing about another; with nine seats each has its part."""
    session, one, two = fixed("session"), fixed("one"), fixed("two")
    labels = [fixed(f"{number}") for number in range(200)]
    assert len({drawn(label, (one, two)) for label in labels}) == 2
    assert len({drawn(session, (one, label)) for label in labels}) == 2
    assert len({drawn(session, (label, two)) for label in labels}) == 2
    assert {drawn(session, (label, one)) == drawn(session, (one, label)) for label in labels} == {True, False}
    seats = tuple(range(9))
    fell = [Lot(seeds=(label,)).fallen(session, seats) for label in labels]
    assert fell == [drawn(session, (label,), 9) for label in labels]
    assert set(fell) == set(seats)


def test_who_has_priority_is_who_was_drawn() -> None:
    """LOT-1, ONE-6: over 60 matches both seats have it, each time the one of the formula, by the opened seeds."""
    fell = []
    for number in range(60):
        match = Match(one_offer(f"lot {number}", rounds=1), f"lot {number}").until(Phase.KEYING)
        seeds = (match.seed(0, LOT), match.seed(1, LOT))
        fell.append(match.state.running.hand.priority)
        assert fell[-1] == drawn(match.state.agreed.session, seeds)
        assert match.state.running.hand.first == fell[-1]
        # The button of the first round stays seat 0, which has signed its start.
        assert match.state.running.hand.button == 0
        assert match.state.running.hand.totals == (1, 1)
    assert 12 <= sum(fell) <= 48


def test_all_commit_before_any_opens() -> None:
    """LOT-1, COMMIT-3: seat 0, seat 1, seat 0, seat 1."""
    match = Match(one_offer(), "order").until(Phase.DRAWING_LOT)
    order = []
    while match.state.phase is Phase.DRAWING_LOT:
        owed = match.state.owed
        assert owed is not None
        order.append((owed.seat, [kind.KIND for kind in owed.kinds]))
        match.turn()
    assert order == [(0, ["lot"]), (1, ["lot"]), (0, ["lot-open"]), (1, ["lot-open"])]
