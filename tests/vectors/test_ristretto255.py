"""The published vectors of ristretto255: the libraries and the slow second arithmetic agree on them (DECK-1)."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from dealerless.crypto import group, sodium
from dealerless.errors import InvalidProof
from spec import check_deck as naive

VECTORS: dict[str, Any] = json.loads(Path(__file__).with_name("ristretto255.json").read_text())
MULTIPLES = [bytes.fromhex(text) for text in VECTORS["multiples"]]


@pytest.mark.parametrize("number", range(16))
def test_small_multiples_of_the_base_point(number: int) -> None:
    """RFC 9496, A.1: by multiplying and by adding again and again."""
    expected = MULTIPLES[number]
    assert group.multiply_base(number) == expected
    assert group.multiply(number, group.BASE) == expected
    assert group.total([group.BASE] * number) == expected
    assert group.subtract(MULTIPLES[-1], MULTIPLES[15 - number]) == expected
    assert naive.encode(naive.combine((number, naive.BASE))) == expected
    point = naive.decode(expected)
    assert point is not None
    assert naive.encode(point) == expected


@pytest.mark.parametrize("case", VECTORS["bad"], ids=lambda case: f"{case['why']} {case['bytes'][:8]}")
def test_bad_encodings(case: dict[str, str]) -> None:
    """RFC 9496, A.2: refused wherever a point may stand, and no result comes out."""
    bad = bytes.fromhex(case["bytes"])
    assert naive.decode(bad) is None
    for work in (
        lambda: group.check_point(bad),
        lambda: group.multiply(5, bad),
        lambda: group.multiply(0, bad),
        lambda: group.add(bad, group.BASE),
        lambda: group.add(group.BASE, bad),
        lambda: group.subtract(bad, group.BASE),
        lambda: group.subtract(group.BASE, bad),
        lambda: group.total([bad]),
        lambda: group.total([group.BASE, bad]),
        lambda: group.combine([1, 0], [group.BASE, bad]),
    ):
        with pytest.raises(InvalidProof, match=r"group\.not-a-point"):
            work()


@pytest.mark.parametrize("case", VECTORS["uniform"], ids=lambda case: case["input"][:8])
def test_points_of_uniform_bytes(case: dict[str, str]) -> None:
    """RFC 9496, A.3: seven hashes, and four inputs that differ only in spelling."""
    data, expected = bytes.fromhex(case["input"]), bytes.fromhex(case["point"])
    assert group.hash_to_group(data) == expected
    assert naive.encode(naive.from_uniform(data)) == expected


def test_the_constants() -> None:
    assert group.L == naive.L
    assert group.BASE == MULTIPLES[1] == naive.encode(naive.BASE)
    assert group.IDENTITY == MULTIPLES[0] == naive.encode(naive.combine((naive.L, naive.BASE)))
    assert pow(naive.SQRT_MINUS_ONE, 2, naive.P) == naive.P - 1
    assert pow(naive.INVSQRT_A_MINUS_D, 2, naive.P) * (-1 - naive.D) % naive.P == 1
    assert pow(naive.SQRT_AD_MINUS_ONE, 2, naive.P) == (-naive.D - 1) % naive.P


@pytest.mark.parametrize("load", [sodium.bundled, sodium.system], ids=["in the wheel", "of the system"])
def test_every_library_there_is_gives_the_same_points(load: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The wheel's copy is there always; a system without one has nothing to compare."""
    found = [bound for library in load() if (bound := sodium.bind(library)) is not None]
    assert found or load is sodium.system
    for bound in found:
        monkeypatch.setattr(group, "sodium", lambda bound=bound: bound)
        for number in range(16):
            test_small_multiples_of_the_base_point(number)
        for case in VECTORS["bad"]:
            test_bad_encodings(case)
        for case in VECTORS["uniform"]:
            test_points_of_uniform_bytes(case)
        for number in range(20):
            point = group.hash_to_group(hashlib.sha512(bytes([number])).digest())
            scalar = int.from_bytes(hashlib.sha512(point).digest(), "little")
            slow = naive.decode(point)
            assert slow is not None
            assert group.multiply(scalar, point) == naive.encode(naive.combine((scalar, slow)))
