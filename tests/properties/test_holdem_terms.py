"""The terms of Hold'em, and which hands cannot begin."""

from __future__ import annotations

import pytest

from dealerless.errors import UsageError, Violation
from dealerless.games.game import Deal
from dealerless.games.hex import MAX_CHIPS, MAX_DEPTH
from dealerless.games.holdem import HOLDEM
from tests.holdem import (
    met,
    opened,
    terms,
)


@pytest.mark.parametrize(
    ("fields", "seats"),
    [
        (("no-limit", 1, 2, 0, 100, "all"), 2),
        (("limit", 5, 5, 5, 5, "muck"), 9),
        (("no-limit", 1, 1, 0, MAX_DEPTH, "all"), 3),
        (("no-limit", 1, 2**40, 2**40, MAX_CHIPS // 9, "all"), 9),
    ],
)
def test_terms(fields: tuple[object, ...], seats: int) -> None:
    """HOLDEM-3, HOLDEM-6, ENC-6: read as they are written."""
    agreed = HOLDEM.read_terms(fields, seats)
    assert agreed.fields() == fields
    stacks = HOLDEM.opening_stacks(agreed, seats)
    assert stacks == (fields[4],) * seats
    assert sum(stacks) <= MAX_CHIPS
    hand = HOLDEM.start(agreed, stacks, 0, tuple(range(seats)))
    assert isinstance(HOLDEM.demand(hand), Deal)


@pytest.mark.parametrize(
    ("fields", "seats", "code"),
    [
        (("no-limit", 1, 2, 0, 100, "all"), 1, "terms.seats"),
        (("no-limit", 1, 2, 0, 100, "all"), 10, "terms.seats"),
        (("no-limit", 1, 2, 0, 100), 2, "terms.malformed"),
        (("no-limit", 1, 2, 0, 100, "all", 3), 2, "terms.malformed"),
        (("no-limit", True, 2, 0, 100, "all"), 2, "terms.malformed"),
        (("no-limit", 1, 2, False, 100, "all"), 2, "terms.malformed"),
        ((1, 1, 2, 0, 100, "all"), 2, "terms.malformed"),
        (("pot-limit", 1, 2, 0, 100, "all"), 2, "terms.unknown-structure"),
        (("No-Limit", 1, 2, 0, 100, "all"), 2, "terms.unknown-structure"),
        (("no-limit", 0, 2, 0, 100, "all"), 2, "terms.out-of-range"),
        (("no-limit", -1, 2, 0, 100, "all"), 2, "terms.out-of-range"),
        (("no-limit", 3, 2, 0, 100, "all"), 2, "terms.out-of-range"),
        (("no-limit", 1, 101, 0, 100, "all"), 2, "terms.out-of-range"),
        (("no-limit", 1, 2, -1, 100, "all"), 2, "terms.out-of-range"),
        (("no-limit", 1, 2, 101, 100, "all"), 2, "terms.out-of-range"),
        (("no-limit", 1, 1, 0, MAX_DEPTH + 1, "all"), 2, "terms.out-of-range"),
        (("no-limit", 1, 2, 0, 0, "all"), 2, "terms.out-of-range"),
        (("no-limit", 1, 2**50, 0, MAX_CHIPS // 3 + 1, "all"), 3, "terms.out-of-range"),
        (("no-limit", 1, 2, 0, 100, "none"), 2, "terms.unknown-show-rule"),
    ],
)
def test_bad_terms(fields: tuple[object, ...], seats: int, code: str) -> None:
    """HOLDEM-3, HOLDEM-6, ENC-6, SHOW-2."""
    with pytest.raises(Violation) as raised:
        HOLDEM.read_terms(fields, seats)
    assert raised.value.code == code


def test_hands_that_cannot_start() -> None:
    """TABLE-2: two seats with chips, one of which has the button."""
    for stacks, button, seated in (((5, 5, 0), 2, (0, 1)), ((5, 0, 0), 0, (0,)), ((5, 0, 5), 0, (0, 1, 2))):
        with pytest.raises(UsageError):
            HOLDEM.start(terms(), stacks, button, seated)
    hand = opened(terms(), (100, 100))
    with pytest.raises(UsageError):
        HOLDEM.dealt(met(hand), {})
    with pytest.raises(UsageError):
        HOLDEM.dealt(HOLDEM.dealt(opened(terms(), (2, 2)), {}), {4: 1})
