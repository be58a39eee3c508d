"""The terms of draw, and which hands cannot begin."""

from __future__ import annotations

import pytest

from dealerless.errors import UsageError, Violation
from dealerless.games.draw import DRAW, MAX_RAISES
from dealerless.games.hex import MAX_CHIPS, MAX_DEPTH
from tests.draw import (
    terms,
)

FIELDS = (1, 10, 10, 3, True, 100, "all")


@pytest.mark.parametrize("seats", [2, 6])
def test_terms_and_their_wire_form(seats: int) -> None:
    """DRAW-1, DRAW-3, DRAW-7: what is read is written again."""
    for fields in (FIELDS, (5, 1, 2, 0, False, 8, "muck"), (1, 1, 1, MAX_RAISES, True, 1, "all")):
        agreed = DRAW.read_terms(fields, seats)
        assert agreed.fields() == fields
        assert DRAW.opening_stacks(agreed, seats) == (fields[5],) * seats


@pytest.mark.parametrize(
    ("place", "value", "code"),
    [
        (0, 0, "terms.out-of-range"),
        (0, 101, "terms.out-of-range"),
        (0, -1, "terms.out-of-range"),
        (0, True, "terms.malformed"),
        (1, 0, "terms.out-of-range"),
        (1, 101, "terms.out-of-range"),
        (2, 0, "terms.out-of-range"),
        (2, 101, "terms.out-of-range"),
        (3, -1, "terms.out-of-range"),
        (3, MAX_RAISES + 1, "terms.out-of-range"),
        (4, 1, "terms.malformed"),
        (4, "all-in", "terms.malformed"),
        (4, False, None),
        (5, 0, "terms.out-of-range"),
        (5, MAX_CHIPS // 2, "terms.out-of-range"),
        (5, 10 * MAX_DEPTH, None),
        (5, 10 * MAX_DEPTH + 1, "terms.out-of-range"),
        (6, "none", "terms.unknown-show-rule"),
        (6, b"all", "terms.malformed"),
    ],
)
def test_terms_that_are_refused(place: int, value: object, code: str | None) -> None:
    """DRAW-1, DRAW-3, DRAW-7, ENC-6, SHOW-2."""
    fields = (*FIELDS[:place], value, *FIELDS[place + 1 :])
    if code is None:
        DRAW.read_terms(fields, 2)
        return
    with pytest.raises(Violation) as raised:
        DRAW.read_terms(fields, 2)
    assert raised.value.code == code


def test_off_mode_needs_a_stack_that_pays_for_a_hand() -> None:
    """DRAW-7: 81 for ante 1, amounts of 10 and three raises."""
    assert DRAW.read_terms((1, 10, 10, 3, False, 81, "all"), 6).dearest == 81
    with pytest.raises(Violation) as raised:
        DRAW.read_terms((1, 10, 10, 3, False, 80, "all"), 6)
    assert (raised.value.code, raised.value.clause) == ("terms.out-of-range", "DRAW-7")


@pytest.mark.parametrize("seats", [1, 7])
def test_two_to_six_seats(seats: int) -> None:
    """DRAW-1."""
    with pytest.raises(Violation) as raised:
        DRAW.read_terms(FIELDS, seats)
    assert (raised.value.code, raised.value.clause) == ("terms.seats", "DRAW-1")


@pytest.mark.parametrize("count", [6, 8])
def test_seven_fields(count: int) -> None:
    """ENC-4."""
    with pytest.raises(Violation) as raised:
        DRAW.read_terms((*FIELDS, 1)[:count], 2)
    assert raised.value.code == "terms.malformed"


def test_a_hand_needs_two_who_can_pay() -> None:
    """TABLE-2, DRAW-7."""
    for agreed, stacks, button, seated in (
        (terms(), (100, 0), 0, (0, 1)),
        (terms(), (100, 100), 0, (0,)),
        (terms(), (100, 100, 100), 2, (0, 1)),
        (terms(allin=False), (100, 80), 0, (0, 1)),
    ):
        with pytest.raises(UsageError):
            DRAW.start(agreed, stacks, button, seated)
