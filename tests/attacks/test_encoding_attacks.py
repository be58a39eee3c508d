"""Attacks with bytes: one message with two spellings, or bytes that hurt whoever decodes them (ENC-1, ENC-2).

`M` and `BR` number known faults of msgpack readers; every case ends with a typed error, never with a value.
"""

import threading
import tracemalloc

import pytest

from dealerless.encoding import MAX_BYTES, MAX_DEPTH, MAX_ITEMS, decode, encode, first_length
from dealerless.errors import DecodeError

REFUSED = {
    "M01 a key twice": "82a16101a16102",
    "M01 a key twice, in an array": "9182a16101a16102",
    "M01 a key as text and as bytes": "82a16101c4016102",
    "M02 5 in two bytes": "cc05",
    "M02 5 in three bytes": "cd0005",
    "M02 5 in five bytes": "ce00000005",
    "M02 5 in nine bytes": "cf0000000000000005",
    "M02 5 as a signed number": "d005",
    "M02 5 as a long signed number": "d30000000000000005",
    "M02 -1 in two bytes": "d0ff",
    "M02 300 as a signed number": "d1012c",
    "M02 long text header": "d90161",
    "M02 longer text header": "da000161",
    "M02 long array header": "dc000101",
    "M02 longer array header": "dd0000000101",
    "M02 long map header": "de0001a16101",
    "M02 long bin header": "c5000161",
    "M02 longer bin header": "c60000000161",
    "M02 inside an array": "9201cc05",
    "M03 50.0": "cb4049000000000000",
    "M03 50.0 in single precision": "ca42480000",
    "M03 a float in an array": "9101cb4049000000000000",
    "M04 not a number": "cb7ff8000000000000",
    "M04 not a number, single": "ca7fc00000",
    "M04 infinity": "cb7ff0000000000000",
    "M04 minus zero": "cb8000000000000000",
    "M05 an extension": "d40500",
    "M05 a timestamp": "d6ff00000000",
    "M05 a long extension": "c7ff05" + "00" * 255,
    "M05 an empty extension": "c70005",
    "M05 an extension in an array": "91d40500",
    "M08 nothing": "",
    "M08 a byte more": "0500",
    "M08 two values": "91019101",
    "M08 two numbers": "0102",
    "M08 the reserved byte": "c1",
    "M08 an array cut short": "9201",
    "M08 text cut short": "a261",
    "M09 a text that is not UTF-8": "a1ff",
    "M09 a surrogate": "a3eda080",
    "M09 an overlong zero": "a2c080",
    "M10 nil": "c0",
    "M10 nil in an array": "91c0",
    "BR132 junk": "d99723444c5f",
    "an empty map": "80",
    "a map with numbers for keys": "810102",
    "a map as a key": "81800" + "0",
    "a length of 2^32-1": "ddffffffff",
    "text of 2^32-1 bytes": "dbffffffff",
    "bin of 2^32-1 bytes": "c6ffffffff",
    "an extension of 2^32-1 bytes": "c9ffffffff05",
    "a map of 2^32-1 entries": "dfffffffff",
}


@pytest.mark.parametrize("data", [bytes.fromhex(text) for text in REFUSED.values()], ids=list(REFUSED))
def test_refused(data: bytes) -> None:
    with pytest.raises(DecodeError):
        decode(data)


@pytest.mark.parametrize("value", [5, -1, 300, 2**64 - 1, -(2**63), "a", b"a", (1,), (), True, (1, 5)])
def test_m02_the_shortest_spelling_of_the_same_values_is_accepted(value: object) -> None:
    assert decode(encode(value)) == value


@pytest.mark.parametrize("value", [2**64, -(2**63) - 1, 10**100])
def test_m02_a_number_that_has_no_spelling_is_not_encoded(value: int) -> None:
    with pytest.raises(DecodeError, match=r"encoding\.out-of-range"):
        encode(value)


@pytest.mark.parametrize(
    "value", [5.0, float("nan"), None, {}, {"a": 1}, [1], bytearray(b"a"), {1}, object(), (1, [2])]
)
def test_m03_nothing_is_encoded_that_could_not_be_decoded(value: object) -> None:
    with pytest.raises(DecodeError, match=r"encoding\.wrong-type"):
        encode(value)


def test_m09_a_lone_surrogate_is_not_encoded() -> None:
    with pytest.raises(DecodeError, match=r"encoding\.malformed"):
        encode("\ud800")


def test_m10_true_is_not_one() -> None:
    """M10: Python's bool is an int, and True == 1; the bytes and the decoded types differ."""
    assert encode(True) == b"\xc3"
    assert encode(1) == b"\x01"
    for data, kind in ((b"\xc3", bool), (b"\xc2", bool), (b"\x01", int), (b"\x00", int)):
        assert type(decode(data)) is kind


def test_m10_a_subclass_of_int_is_not_an_int() -> None:
    class Chips(int):
        pass

    with pytest.raises(DecodeError, match=r"encoding\.wrong-type"):
        encode(Chips(5))


DEPTHS = [8, 9, 32, 257, 511, 512, 1024, 1025, 3000, 10_000, MAX_BYTES - 1]


@pytest.mark.parametrize("depth", DEPTHS)
def test_m06_nesting_has_a_limit_of_its_own(depth: int) -> None:
    """M06, BR129, BR130, BR133: the same answer at every depth, whatever the library's own limit is."""
    data = b"\x91" * depth + b"\x00"
    if depth <= MAX_DEPTH:
        assert encode(decode(data)) == data
        return
    for hostile in (data, b"\x91" * depth, b"\x81\xa1a" * min(depth, 80_000) + b"\x00"):
        with pytest.raises(DecodeError):
            decode(hostile)


def test_m06_in_a_thread_with_a_small_stack() -> None:
    outcome: list[str] = []

    def run() -> None:
        for depth in DEPTHS[1:]:
            try:
                decode(b"\x91" * depth + b"\x00")
            except DecodeError as error:
                outcome.append(error.code)

    # What macOS gives a thread; Linux gives sixteen times as much.
    before = threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join(30)
    finally:
        threading.stack_size(before)
    assert len(outcome) == len(DEPTHS) - 1


def test_m06_a_value_that_is_too_deep_is_not_encoded() -> None:
    value: object = 0
    for _ in range(MAX_DEPTH):
        value = (value,)
    encode(value)
    with pytest.raises(DecodeError, match=r"encoding\.too-deep"):
        encode((value,))


@pytest.mark.parametrize("header", [b"\xdd\x00\x03\xff\xff", b"\xdd\x00\x00\x10\x00", b"\xdc\x10\x00"])
def test_m06_nested_long_arrays_do_not_ask_for_memory(header: bytes) -> None:
    """M06: room for an array is made when its length is read, a thousand times in five thousand bytes."""
    data = header * 1020 + bytes(MAX_BYTES - 1020 * len(header))
    tracemalloc.start()
    try:
        with pytest.raises(DecodeError):
            decode(data)
        assert tracemalloc.get_traced_memory()[1] < 50 * 2**20
    finally:
        tracemalloc.stop()


def test_m06_the_longest_array() -> None:
    assert decode(encode((0,) * MAX_ITEMS)) == (0,) * MAX_ITEMS
    with pytest.raises(DecodeError):
        encode((0,) * (MAX_ITEMS + 1))
    with pytest.raises(DecodeError):
        decode(b"\xdc" + (MAX_ITEMS + 1).to_bytes(2, "big") + bytes(MAX_ITEMS + 1))


def test_m08_a_megabyte_behind_a_message_is_refused_unread() -> None:
    for tail in (b"\x00", encode((1, 2)), bytes(2**20)):
        with pytest.raises(DecodeError):
            decode(encode((1, 2)) + tail)


def test_br126_the_greeting_of_another_protocol_is_no_message() -> None:
    """M08, BR126: a lenient reader takes `SSH-2.0` for the numbers 83, 83, 72."""
    for greeting in (b"SSH-2.0-OpenSSH_8.6\r\n", b"GET / HTTP/1.1\r\n\r\n", b"{}", b"\x16\x03\x01\x02\x00"):
        with pytest.raises(DecodeError):
            decode(greeting)


def test_br127_a_value_ends_where_it_says() -> None:
    """BR127: two messages in one read are two messages, told apart by their lengths."""
    first, second = encode((1, b"ab")), encode("next")
    assert first_length(first + second) == len(first)
    assert first_length(second + first) == len(second)
    for cut in range(len(first)):
        assert first_length(first[:cut]) is None


@pytest.mark.parametrize("data", [b"\xc1", b"\x91" * 3000, b"\x91" * 100_000 + b"\x00", b"\x81\xa1a" * 3000])
def test_br129_looking_for_the_end_of_hostile_bytes(data: bytes) -> None:
    with pytest.raises(DecodeError):
        first_length(data)


def test_the_size_cap_comes_first() -> None:
    """ENC-2: whatever the bytes are; and the cap is the caller's, for each kind its own."""
    with pytest.raises(DecodeError, match=r"encoding\.too-large"):
        decode(b"\xc1" * (MAX_BYTES + 1))
    data = encode(b"x" * 100)
    assert decode(data, limit=len(data)) == b"x" * 100
    with pytest.raises(DecodeError, match=r"encoding\.too-large"):
        decode(data, limit=len(data) - 1)
