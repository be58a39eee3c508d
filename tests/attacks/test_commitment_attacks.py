"""Attacks on commitment and opening: two openings for one commitment, or one opened elsewhere (COMMIT)."""

import hashlib
import inspect
import struct
import tracemalloc

import pytest

from dealerless.crypto import commitment as module
from dealerless.crypto.commitment import check_opening, commitment, commitment_text
from dealerless.crypto.suites import SUITES, hex_digest
from dealerless.errors import BadOpening, UsageError

SESSION = hashlib.sha256(b"a match").digest()
SEED = hashlib.sha256(b"a seed").digest()

# A single-block MD5 collision: two messages of 64 bytes that differ in two bytes (Xie and Feng, 2010).
COLLISION_A = bytes.fromhex(
    "0e306561559aa787d00bc6f70bbdfe3404cf03659e704f8534c00ffb659c4c87"
    "40cc942feb2da115a3f4155cbb8607497386656d7d1f34a42059d78f5a8dd1ef"
)
COLLISION_B = COLLISION_A[:21] + b"\x74" + COLLISION_A[22:43] + b"\xdc" + COLLISION_A[44:]


def md5(data: bytes) -> str:
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


def opens(committed: bytes, seed: bytes, **changed: object) -> bool:
    given: dict[str, object] = {
        "purpose": "layout",
        "session": SESSION,
        "hand": 1,
        "seat": 0,
        "seed": seed,
    } | changed
    try:
        check_opening(committed, **given)  # type: ignore[arg-type]
    except BadOpening:
        return False
    return True


def test_c01_two_seeds_with_one_md5_are_two_commitments() -> None:
    """C01: with MD5 the player would publish one digest and open the better of two seeds."""
    assert COLLISION_A != COLLISION_B
    assert md5(COLLISION_A) == md5(COLLISION_B) == "cee9a457e790cf20d4bdaa6d69f01e41"
    assert hashlib.sha256(COLLISION_A).hexdigest().startswith("5df23e18786eeab5")
    assert hashlib.sha256(COLLISION_B).hexdigest().startswith("acd66625c0fde980")
    # COMMIT-2: neither can be a seed, and the hash cannot be chosen.
    for seed in (COLLISION_A, COLLISION_B):
        with pytest.raises(UsageError):
            commitment("layout", SESSION, 1, 0, seed)
        assert not opens(hashlib.sha256(seed).digest(), seed)
    for function in (commitment, commitment_text, check_opening):
        assert not {"suite", "hash", "algorithm"} & set(inspect.signature(function).parameters)
    assert "md5" not in inspect.getsource(module)


def test_c02_no_suffix_or_salt_saves_md5() -> None:
    """C02: an MD5 collision survives any common suffix, so a session id behind the seed changes nothing."""
    suffix = b"|session=1|player=A"
    assert md5(COLLISION_A + suffix) == md5(COLLISION_B + suffix)
    # The deal may be derived by MD5, from lines of text that were committed before: see HASHDEAL-3.
    assert tuple(SUITES) == ("sha256", "md5")


def test_c03_a_commitment_is_compared_whole() -> None:
    """C03: a shortened digest would have two openings after some 2^16 hashes."""
    committed = commitment("layout", SESSION, 1, 0, SEED)
    assert opens(committed, SEED)
    for index in range(32):
        changed = committed[:index] + bytes([committed[index] ^ 1]) + committed[index + 1 :]
        assert not opens(changed, SEED)
    for length in (0, 4, 31):
        assert not opens(committed[:length], SEED)
    assert not opens(committed + b"\0", SEED)


def test_c03_two_seeds_that_share_a_short_digest_are_told_apart() -> None:
    """C03: 24 bits collide at once; the same search for 256 bits ends nowhere."""
    seen: dict[bytes, bytes] = {}
    seed = other = bytes(32)
    committed = b""
    while other == seed:
        seed = len(seen).to_bytes(32, "big")
        committed = commitment("hole", SESSION, 1, 0, seed)
        other = seen.setdefault(committed[:3], seed)
    assert opens(committed, seed, purpose="hole")
    assert not opens(committed, other, purpose="hole")


def test_c09_fields_cannot_run_into_each_other() -> None:
    """C09: every field of the line has a fixed length or ends at a space: another split is another line."""
    line = commitment_text("layout", SESSION, 12, 3, SEED)
    assert line == f"dealerless/1 commit layout {SESSION.hex()} 00012 3 {SEED.hex()}"
    assert [len(field) for field in line.split(" ")[3:]] == [64, 5, 1, 64]
    lines = {
        commitment_text(purpose, session, hand, seat, seed)
        for purpose in ("a", "b", "aa", "ab", "layout", "hole")
        for session in (SESSION, SEED)
        for hand in (1, 12, 123, 99_999)
        for seat in (1, 2, 3)
        for seed in (SEED, SESSION)
    }
    assert len(lines) == 6 * 2 * 4 * 3 * 2


@pytest.mark.parametrize("purpose", ["", "a b", "a$", "Layout", "layout ", "layout\n", "läyout", "a" * 17, "lot1"])
def test_c09_a_purpose_is_one_lower_case_word(purpose: str) -> None:
    with pytest.raises(UsageError):
        commitment(purpose, SESSION, 1, 0, SEED)


@pytest.mark.parametrize(("hand", "seat"), [(-1, 0), (100_000, 0), (1, -1), (1, 10)])
def test_c09_a_number_that_does_not_fit_its_digits_is_refused(hand: int, seat: int) -> None:
    with pytest.raises(UsageError):
        commitment("layout", SESSION, hand, seat, SEED)


def extend(digest: bytes, length: int, suffix: bytes) -> tuple[bytes, bytes]:
    """SHA-256 continued from a digest alone: (padding, digest of message || padding || suffix)."""
    constants = [int((p ** (1 / 3) % 1) * 2**32) for p in PRIMES]
    state = list(struct.unpack(">8I", digest))
    padding = pad(length)
    tail = suffix + pad(length + len(padding) + len(suffix))
    for start in range(0, len(tail), 64):
        words = list(struct.unpack(">16I", tail[start : start + 64]))
        for i in range(16, 64):
            s0 = turn(words[i - 15], 7) ^ turn(words[i - 15], 18) ^ words[i - 15] >> 3
            s1 = turn(words[i - 2], 17) ^ turn(words[i - 2], 19) ^ words[i - 2] >> 10
            words.append((words[i - 16] + s0 + words[i - 7] + s1) % 2**32)
        a, b, c, d, e, f, g, h = state
        for constant, word in zip(constants, words, strict=True):
            t1 = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + (e & f ^ ~e & g) + constant + word
            t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + (a & b ^ a & c ^ b & c)
            a, b, c, d, e, f, g, h = (t1 + t2) % 2**32, a, b, c, (d + t1) % 2**32, e, f, g
        state = [(old + new) % 2**32 for old, new in zip(state, (a, b, c, d, e, f, g, h), strict=True)]
    return padding, struct.pack(">8I", *state)


PRIMES = [n for n in range(2, 312) if all(n % divisor for divisor in range(2, n))]


def turn(word: int, by: int) -> int:
    return word >> by | word << 32 - by & 0xFFFFFFFF


def pad(length: int) -> bytes:
    return b"\x80" + bytes((55 - length) % 64) + struct.pack(">Q", 8 * length)


def test_c10_an_extended_digest_opens_nothing() -> None:
    """C10: SHA-256 of a secret can be continued without the secret; a seed of a fixed length cannot."""
    committed = commitment("layout", SESSION, 1, 0, SEED)
    line = commitment_text("layout", SESSION, 1, 0, SEED).encode()
    padding, extended = extend(committed, len(line), b"00")
    assert hashlib.sha256(line + padding + b"00").digest() == extended
    for seed in (SEED + padding + b"00", SEED + b"00", padding, SEED + SEED):
        assert not opens(extended, seed)
        assert not opens(committed, seed)
    assert not opens(extended, SEED)


@pytest.mark.parametrize(
    "text",
    [
        SEED.hex().upper().encode(),
        SEED.hex().encode(),
        SEED + b"\n",
        b"\xef\xbb\xbf" + SEED,
        SEED.decode("latin-1").encode(),
    ],
    ids=["upper-case hex", "hex", "line feed", "byte order mark", "UTF-8"],
)
def test_c13_a_seed_has_one_spelling(text: bytes) -> None:
    """C13: what is hashed is 32 raw bytes, never a text that could be spelled in two ways."""
    assert not opens(commitment("layout", SESSION, 1, 0, SEED), text)


@pytest.mark.parametrize("line", ["a\n", "a\r", "\ufeffa", "é", "e\u0301", "\uff11", "a\x00", "a\x7f", "a\tb"])
def test_c13_a_hashed_line_is_printable_ascii(line: str) -> None:
    """C13, HASHDEAL-1: a line that two people could type differently is never hashed."""
    for suite in SUITES:
        with pytest.raises(UsageError):
            hex_digest(suite, line)


@pytest.mark.parametrize("length", [0, 1, 8, 31, 33, 64, 1_000_000])
def test_c17_a_seed_of_another_length_opens_nothing(length: int) -> None:
    """C17, C04: refused by its length, before anything is hashed or copied."""
    seed = bytes(length)
    committed = hashlib.sha256(seed).digest()
    tracemalloc.start()
    try:
        assert not opens(committed, seed)
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()
    with pytest.raises(UsageError):
        commitment("layout", SESSION, 1, 0, seed)


def test_c17_a_seed_of_zeros_is_a_seed() -> None:
    """C17: it is as likely as any other; refusing it would be a second rule for nothing."""
    assert opens(commitment("layout", SESSION, 1, 0, bytes(32)), bytes(32))


def test_c06_a_copied_commitment_cannot_be_opened_elsewhere() -> None:
    """C06, S11: the line names purpose, match, hand and seat; elsewhere the same seed opens nothing."""
    committed = commitment("layout", SESSION, 1, 0, SEED)
    assert opens(committed, SEED)
    elsewhere: list[dict[str, object]] = [{"purpose": "hole"}, {"session": SEED}, {"hand": 2}, {"seat": 1}]
    for changed in elsewhere:
        assert not opens(committed, SEED, **changed)


def test_g09_no_error_carries_a_seed() -> None:
    """G09: a crash report of ours may be pasted anywhere."""
    seed = b"MARKER" * 6
    with pytest.raises(UsageError) as usage:
        commitment("layout", SESSION, 1, 0, seed)
    with pytest.raises(BadOpening) as opening:
        check_opening(bytes(32), "layout", SESSION, 1, 0, seed[:32])
    for error in (usage.value, opening.value):
        for text in (str(error), repr(error), error.hint, repr(error.expected), repr(error.actual)):
            assert "MARKER" not in text
            assert b"MARKER".hex() not in text
