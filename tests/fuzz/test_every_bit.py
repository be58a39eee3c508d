"""All of the bits that tests/properties/test_flips.py takes some of; part of `make fuzz`."""

from __future__ import annotations

import pytest

from tests.fuzz.flips import bits, turn_bits


@pytest.mark.timeout(900)
def test_t02_s09_every_single_bit_of_a_match_of_three_hands() -> None:
    """T02, S09, VERDICT-1: not one is clean, none raises, none blames a seat."""
    assert turn_bits(1) == bits()
    print(f"{bits()} bits turned, one at a time")
