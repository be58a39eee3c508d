"""What lays show of which card was laid: nothing that adding, subtracting or counting bytes would find. DECK-8."""

from collections.abc import Callable, Sequence

import pytest

from tests.deck import DRAW
from tests.properties.lay_privacy import KNOWN, LIMIT, lays, look
from tests.spread import Spread

LAYS = 1500


@pytest.fixture(autouse=True)
def _the_same_chance() -> None:
    """Whatever ran before: one honest sample in twenty has a byte beyond the limit."""
    DRAW.seed(8)


def _any() -> int:
    return DRAW.getrandbits(250)


def _and(of: Callable[[int], int]) -> list[int]:
    scalar = _any()
    return [scalar, of(scalar)]


def test_lays_show_nothing() -> None:
    """DECK-8: no relation is a known point, and every byte of cards, proof and relations spreads alike for both
    choices, within four standard deviations.

    A random point is one of the 2,659 known ones once in 2^240: no hit is within any number of deviations of that.
    """
    seen = look(LAYS, lays())
    assert len(KNOWN) == 52 * 51 + 7
    assert seen.known == {}
    # Of each of the points and scalars all bytes but one or two that are nearly constant.
    assert len(seen.deviations) > 800
    assert seen.worst < LIMIT
    assert seen.nothing()


@pytest.mark.parametrize(
    ("scalars", "shown"),
    [
        (lambda: (0, _any()), ("a'_0 - a_1", "0")),
        (lambda: (_any(), 1), ("a'_1 - a_0", "G")),
        (lambda: (_any(), 1), ("Z'_1 - Z_0", "X_i")),
        (lambda: (-1, _any()), ("a'_0 - a_0", "-G")),
        (lambda: _and(lambda scalar: scalar), ("Z, exchanged, difference", "0")),
        (lambda: _and(lambda scalar: -scalar), ("a, as they are, sum", "0")),
        (lambda: _and(lambda scalar: scalar + 1), ("a, as they are, difference", "-G")),
    ],
)
def test_a_careless_client_is_seen(scalars: Callable[[], Sequence[int]], shown: tuple[str, str]) -> None:
    """DECK-8: the same eyes find a cover of nothing or of G, and two covers that have to do with each other."""
    seen = look(40, lays(scalars))
    assert seen.known[shown] > 5
    assert not seen.nothing()


def test_a_leaning_byte_is_seen() -> None:
    """One bit of one byte that is a little oftener set under one choice."""
    spread = Spread(4)
    for number in range(8000):
        data = bytearray(DRAW.randbytes(4))
        if number % 2 and number % 3 == 0:
            data[2] |= 16
        spread.add(number % 2, bytes(data))
    assert [abs(deviation) > LIMIT for deviation in spread.deviations()] == [False, False, True, False]
