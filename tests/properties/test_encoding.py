"""One byte string for every value and one value for every byte string that is accepted (ENC-1, ENC-2)."""

from hypothesis import given, settings
from hypothesis import strategies as st

from dealerless.encoding import MAX_DEPTH, decode, encode, first_length
from dealerless.errors import DecodeError

ATOMS = (
    st.booleans()
    | st.integers(min_value=-(2**63), max_value=2**64 - 1)
    | st.text(st.characters(codec="utf-8"), max_size=40)
    | st.binary(max_size=300)
)
VALUES = st.recursive(ATOMS, lambda inner: st.lists(inner, max_size=6).map(tuple), max_leaves=30)


def depth(value: object) -> int:
    return 1 + max((depth(item) for item in value), default=0) if isinstance(value, tuple) else 0


def accepted(data: bytes) -> bool:
    try:
        value = decode(data)
    except DecodeError:
        return False
    assert encode(value) == data
    assert depth(value) <= MAX_DEPTH
    return True


def same(first: object, second: object) -> bool:
    """Equal, types and all: True is not 1."""
    if isinstance(first, tuple) and isinstance(second, tuple):
        return len(first) == len(second) and all(map(same, first, second))
    return type(first) is type(second) and first == second


@given(VALUES)
def test_what_is_encoded_decodes_to_the_same_value(value: object) -> None:
    if depth(value) > MAX_DEPTH:
        return
    data = encode(value)
    assert same(decode(data), value)
    assert first_length(data) == len(data)


@given(st.binary(max_size=120))
@settings(max_examples=500)
def test_no_bytes_do_anything_but_decode_or_be_refused(data: bytes) -> None:
    accepted(data)


@given(VALUES, st.data())
@settings(max_examples=300)
def test_a_changed_byte_is_another_value_or_none(value: object, data: st.DataObject) -> None:
    if depth(value) > MAX_DEPTH:
        return
    good = encode(value)
    index = data.draw(st.integers(0, len(good) - 1))
    changed = good[:index] + bytes([good[index] ^ data.draw(st.integers(1, 255))]) + good[index + 1 :]
    if accepted(changed):
        assert not same(decode(changed), value)


def test_every_string_of_one_or_two_bytes() -> None:
    """A count by hand: one byte holds 160 numbers, 2 truths, the empty text and the empty array."""
    one = sum(accepted(bytes([first])) for first in range(256))
    assert one == 128 + 32 + 2 + 1 + 1
    two = [bytes([first, second]) for first in range(256) for second in range(256)]
    # One-byte values in an array of one; texts of one ASCII character; numbers 128..255 and -128..-33; empty
    # bin.
    assert sum(map(accepted, two)) == one + 128 + 128 + 96 + 1
