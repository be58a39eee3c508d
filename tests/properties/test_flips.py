"""Some bits of a recorded match turned, one at a time; `make fuzz` turns all of them."""

from __future__ import annotations

from tests.fuzz.flips import bits, turn_bits

STRIDE = 11


def test_t02_s09_bits_of_a_match_of_three_hands() -> None:
    """T02, S09, VERDICT-1: not one is clean, none raises, none blames a seat. Length prefixes and magic line too."""
    assert turn_bits(STRIDE) >= bits() // STRIDE
