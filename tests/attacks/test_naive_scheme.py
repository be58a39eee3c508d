"""The naive way of dealing, MD5(LAY1 + LAY2) over free texts, broken twice; and why the same attacks meet nothing here.

HASHDEAL-3: with texts of any length, and the second one chosen after the first is known, the second player picks the
common cards: by trying texts, or by continuing the digest without even knowing the first text. In the suite `md5` every
seed has 32 bytes and is committed to, by SHA-256, before any other is known.
"""

from __future__ import annotations

import hashlib
import itertools
import struct
from math import floor, sin

from dealerless.protocol.events import LayoutOpened
from dealerless.protocol.state import Phase
from dealerless.referee import Outcome
from tests.matches import Match, fixed, hex_offer

WANTED = "ffff"


def naive_deal(lay1: bytes, lay2: bytes) -> str:
    """The common cards of the naive scheme."""
    return hashlib.md5(lay1 + lay2, usedforsecurity=False).hexdigest()[:5]


def md5_padding(length: int) -> bytes:
    return b"\x80" + bytes((55 - length) % 64) + struct.pack("<Q", 8 * length)


SINES = [floor(2**32 * abs(sin(i + 1))) for i in range(64)]
TURNS = [turn for row in ((7, 12, 17, 22), (5, 9, 14, 20), (4, 11, 16, 23), (6, 10, 15, 21)) for turn in row * 4]


def continued(digest: bytes, length: int, suffix: bytes) -> str:
    """MD5 of (some message of `length` bytes with this digest, its padding, and `suffix`), from the digest alone."""
    state = list(struct.unpack("<4I", digest))
    whole = length + len(md5_padding(length))
    tail = suffix + md5_padding(whole + len(suffix))
    for start in range(0, len(tail), 64):
        words = struct.unpack("<16I", tail[start : start + 64])
        a, b, c, d = state
        for i in range(64):
            mixed, word = [
                (b & c | ~b & d, i),
                (d & b | ~d & c, 5 * i + 1),
                (b ^ c ^ d, 3 * i + 5),
                (c ^ (b | ~d & 0xFFFFFFFF), 7 * i),
            ][i // 16]
            total = (a + mixed + SINES[i] + words[word % 16]) & 0xFFFFFFFF
            a, d, c, b = d, c, b, (b + (total << TURNS[i] | total >> 32 - TURNS[i])) & 0xFFFFFFFF
        state = [(old + new) & 0xFFFFFFFF for old, new in zip(state, (a, b, c, d), strict=True)]
    return struct.pack("<4I", *state).hex()


def test_the_naive_scheme_lets_the_second_player_choose_the_cards() -> None:
    """HASHDEAL-3: knowing LAY1, some 65,000 innocent texts give four f on the table."""
    lay1 = b"a text nobody could guess"
    texts = (b"my layout, number %d" % number for number in itertools.count())
    lay2 = next(text for text in texts if naive_deal(lay1, text).startswith(WANTED))
    assert naive_deal(lay1, lay2)[:4] == WANTED


def test_the_naive_scheme_is_broken_even_by_who_does_not_know_the_first_text() -> None:
    """HASHDEAL-3, C10: MD5(LAY1) and its length are enough: the digest is continued, and the cards are known before."""
    secret = fixed("the first player's secret text")
    published = hashlib.md5(secret, usedforsecurity=False).digest()
    suffixes = (b" number %d" % number for number in itertools.count())
    deals = ((suffix, continued(published, len(secret), suffix)) for suffix in suffixes)
    suffix, digest = next((suffix, digest) for suffix, digest in deals if digest.startswith(WANTED[:3]))
    lay2 = md5_padding(len(secret)) + suffix
    assert naive_deal(secret, lay2) == digest[:5]
    assert naive_deal(secret, lay2).startswith(WANTED[:3])


def test_hashdeal_3_what_was_committed_is_what_is_opened() -> None:
    """HASHDEAL-3: seat 1, knowing layout 0, finds a seed that would give the cards it likes; it may not open it."""
    match = Match(hex_offer(suite="md5")).until(Phase.LAYOUT_OPENING).turn()
    deal = match.state.running.deal
    first = deal.layouts[0]
    before = f"dealerless/1 hex-deal md5 {deal.session.hex()} 1 {first.hex()} "
    tries = (fixed(f"try {number}") for number in itertools.count())
    ground = next(seed for seed in tries if naive_deal(before.encode(), seed.hex().encode()).startswith(WANTED[:3]))
    assert match.cheat(1, match.forge(1, LayoutOpened(seed=ground))).code == "commit.wrong-opening"
    verdict = match.verdict()
    assert verdict.outcome is Outcome.FAULT
    assert verdict.fault is not None
    assert (verdict.fault.seat, verdict.fault.clause) == (1, "COMMIT-2")
    assert verdict.stacks == (70, 50)


def test_hashdeal_3_a_layout_is_not_a_text_of_any_length() -> None:
    """HASHDEAL-3, C10: the suffix that continues a digest has another length than a seed."""
    for seed in (md5_padding(32) + b"x", fixed("seed") + md5_padding(32), b"", b"my layout, number 1"):
        match = Match(hex_offer(suite="md5")).until(Phase.LAYOUT_OPENING).turn()
        frame = match.sign(1, match.body(1, kind="layout", fields=(seed,)))
        assert match.cheat(1, frame).code == "encoding.wrong-length"


def test_hashdeal_3_nothing_is_known_when_the_second_seat_commits() -> None:
    """COMMIT-3: all that seat 1 sees before its own commitments are seat 0's SHA-256 commitments."""
    match = Match(hex_offer(suite="md5")).until(Phase.COMMITTING).turn()
    seen = b"".join(match.frames)
    for purpose in ("layout", "hole"):
        seed = match.seed(0, purpose)
        assert seed not in seen
        for digest in ("md5", "sha256"):
            assert hashlib.new(digest, seed, usedforsecurity=False).digest() not in seen
