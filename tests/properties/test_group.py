"""What holds for all points and scalars; and that no answer of the library is passed over (DECK-1)."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealerless.crypto import group, sodium
from dealerless.errors import DealerlessError, InvalidProof, UsageError
from spec import check_deck as naive

SCALARS = st.integers(-(2**256), 2**256) | st.sampled_from([0, 1, group.L - 1, group.L, group.L + 1, 2 * group.L])
# Not the identity, which no hash gives and 64 zeros do.
POINTS = st.binary(min_size=64, max_size=64).map(group.hash_to_group).filter(lambda point: point != group.IDENTITY)
P1, P2 = (group.multiply_base(number) for number in (11, 12))


def slow(point: bytes) -> naive.Point:
    found = naive.decode(point)
    assert found is not None
    return found


@settings(max_examples=25, deadline=None)
@given(one=SCALARS, other=SCALARS, point=POINTS, second=POINTS)
def test_the_arithmetic_is_that_of_the_slow_one(one: int, other: int, point: bytes, second: bytes) -> None:
    product = group.multiply(one, point)
    assert product == naive.encode(naive.combine((one, slow(point))))
    assert group.multiply_base(one) == naive.encode(naive.combine((one, naive.BASE)))
    assert group.add(point, second) == naive.encode(naive.add(slow(point), slow(second)))
    assert group.subtract(point, second) == naive.encode(naive.combine((1, slow(point)), (-1, slow(second))))
    combined = naive.encode(naive.combine((one, slow(point)), (other, slow(second)), (one, naive.BASE)))
    assert group.combine([one, other, one], [point, second, group.BASE]) == combined
    # Equal points are merged.
    assert group.combine([one, other], [point, point]) == group.multiply(one + other, point)
    assert group.multiples([one, other], [point, second]) == [product, group.multiply(other, second)]
    assert group.base_multiples([one, other]) == [group.multiply_base(one), group.multiply_base(other)]
    assert group.sums([point, second], [second, group.IDENTITY]) == [group.add(point, second), second]
    assert group.total([point, second, point]) == group.add(group.add(point, point), second)
    assert group.decode_scalar(group.encode_scalar(one)) == one % group.L


@settings(max_examples=300, deadline=None)
@given(data=st.binary(min_size=32, max_size=32) | st.binary(max_size=70))
def test_any_bytes_are_a_point_for_both_or_for_none(data: bytes) -> None:
    """K06, V14: a result comes out of nothing but points."""
    works = (
        lambda: group.check_point(data),
        lambda: group.multiply(3, data),
        lambda: group.multiples([3, 4], [P1, data]),
        lambda: group.add(P1, data),
        lambda: group.sums([data], [P1]),
        lambda: group.subtract(data, P1),
        lambda: group.total([P1, data]),
        lambda: group.combine([0, 0], [P1, data]),
    )
    if naive.decode(data) is not None and data != group.IDENTITY:
        for work in works:
            work()
    else:
        for work in works:
            if data == group.IDENTITY:
                continue
            with pytest.raises(InvalidProof, match=r"group\.not-a-point"):
                work()


def test_a_thousand_random_strings() -> None:
    """About one in eight decodes: 255 bits below p, an even number, a square, a sign."""
    draw = random.Random(255)
    accepted = 0
    for _ in range(1000):
        data = draw.randbytes(31) + bytes([draw.randrange(128)])
        try:
            group.check_point(data)
        except InvalidProof:
            assert naive.decode(data) is None
        else:
            accepted += 1
            assert naive.decode(data) is not None
    assert 80 < accepted < 170


def test_the_identity_is_no_received_point_and_an_honest_result() -> None:
    for work in (group.check_point, lambda point: group.multiply(2, point), lambda point: group.multiply(0, point)):
        with pytest.raises(InvalidProof, match=r"group\.identity"):
            work(group.IDENTITY)
    assert group.multiply(0, P1) == group.multiply(group.L, P1) == group.multiply_base(0) == group.IDENTITY
    assert group.add(P1, group.IDENTITY) == P1
    assert group.subtract(P1, P1) == group.IDENTITY == group.total([])
    assert group.multiples([0], [P1]) == group.base_multiples([group.L]) == [group.IDENTITY]
    assert group.total([group.IDENTITY]) == group.IDENTITY


@pytest.mark.parametrize("data", [b"", bytes(31), bytes(33), b"\xff" * 32, group.L.to_bytes(32, "little")])
def test_scalars_have_one_spelling(data: bytes) -> None:
    """K08."""
    with pytest.raises(InvalidProof, match=r"group\.bad-scalar"):
        group.decode_scalar(data)


@pytest.mark.parametrize("length", [0, 63, 65])
def test_a_point_is_made_of_sixty_four_bytes(length: int) -> None:
    with pytest.raises(UsageError):
        group.hash_to_group(bytes(length))


def test_lists_of_different_lengths_are_refused() -> None:
    """V06: nothing is cut off at the shorter end."""
    for work in (
        lambda: group.combine([1], [P1, P2]),
        lambda: group.multiples([1, 2], [P1]),
        lambda: group.sums([P1], [P1, P2]),
    ):
        with pytest.raises(ValueError, match="zip"):
            work()


def test_every_answer_of_the_library_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that fails leaves its output as it was; what was there never counts as a result."""
    works = {
        "multiply": (
            lambda: group.multiply(2, P1),
            lambda: group.multiples([2], [P1]),
            lambda: group.combine([2], [P1]),
        ),
        "multiply_base": (lambda: group.multiply_base(2), lambda: group.base_multiples([2])),
        "add": (lambda: group.add(P1, P2), lambda: group.sums([P1], [P2]), lambda: group.total([P1, P2])),
        "subtract": (lambda: group.subtract(P1, P2),),
        "is_point": (lambda: group.check_point(P1), lambda: group.total([P1]), lambda: group.multiply(0, P1)),
        "from_hash": (lambda: group.hash_to_group(bytes(64)),),
    }
    real = sodium.sodium()
    assert set(works) == set(real._fields)
    for name, calls in works.items():
        # is_point says 1 for yes, the others 0 for done.
        failing = real._replace(**{name: lambda *_, name=name: 0 if name == "is_point" else -1})
        with monkeypatch.context() as patch:
            patch.setattr(group, "sodium", lambda failing=failing: failing)
            for call in calls:
                with pytest.raises((InvalidProof, RuntimeError)):
                    call()
        for call in calls:
            call()


def test_two_threads_do_not_write_into_one_result() -> None:
    """The interpreter's lock is free during a call."""
    points = [group.multiply_base(number) for number in range(1, 40)]
    expected = [group.multiply(number, point) for number, point in enumerate(points)]

    def work(_: int) -> list[bytes]:
        return [group.multiply(number, point) for number, point in enumerate(points)]

    with ThreadPoolExecutor(4) as pool:
        assert all(found == expected for found in pool.map(work, range(12)))


def test_without_a_library_there_is_a_word_about_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sodium, "bundled", lambda: iter(()))
    monkeypatch.setattr(sodium, "system", lambda: iter(()))
    sodium.sodium.cache_clear()
    try:
        with pytest.raises(DealerlessError, match=r"group\.no-library"):
            sodium.sodium()
    finally:
        sodium.sodium.cache_clear()
