"""Every single bit of a recorded match turned, one at a time, and judged from the state before its record."""

from __future__ import annotations

import io
from functools import cache

from dealerless.protocol.events import Acted
from dealerless.protocol.records import LENGTH_BYTES, MAGIC, encode_record
from dealerless.protocol.state import Phase, State
from dealerless.referee import Outcome, replay
from dealerless.referee.judge import Judge
from tests.matches import PLAYED, Match, envelopes, fold, hex_offer, named, transcript

HANDS = 3
# The second only where not even the offer can be read; one that is cut is incomplete.
NOT_CLEAN = (Outcome.INCOMPLETE, Outcome.UNREADABLE)
EVERY = 997  # a prime: one flip in so many is judged again as a whole file


@cache
def recorded() -> tuple[tuple[bytes, ...], tuple[State, ...]]:
    """A clean match of three hands, by a call, a fold and a raise: its frames, and the states between them."""
    match = Match(hex_offer("flips", hands=HANDS, depth=3), "flips").play(
        named("CHECK BET CALL CHECK BET FOLD BET RAISE CALL")
    )
    frames, states = tuple(match.frames), tuple(fold(match.frames))
    assert states[-1].phase is Phase.OVER
    assert states[-1].books.number == HANDS
    assert {"CALL", "RAISE", "FOLD"} <= {e.event.move for e in envelopes(frames) if isinstance(e.event, Acted)}
    return frames, states


def turn_bits(stride: int, first: int = 0) -> int:
    """Turn one bit in `stride`, over all the file, and return how many were turned.

    Each must be damage exactly where it is: not clean, no fault, nothing raised. VERDICT-1, VERDICT-2, VERDICT-8.
    """
    frames, states = recorded()
    whole = transcript(*frames)
    turned, start = 0, len(MAGIC)
    for bit in range(first, 8 * len(MAGIC), stride):
        verdict = replay(_turned(whole, bit), games=PLAYED)
        assert verdict.outcome is Outcome.UNREADABLE, bit
        turned += 1
    for number, frame in enumerate(frames):
        record = encode_record(frame)
        for bit in range((first + number) % stride, 8 * len(record), stride):
            changed = _turned(record, bit)
            # A changed length reaches into what follows.
            rest = whole[start + len(record) :] if bit < 8 * LENGTH_BYTES else b""
            _check(states[number], changed + rest, number, (number, bit))
            if turned % EVERY == 0:
                verdict = replay(whole[:start] + changed + whole[start + len(record) :], games=PLAYED)
                assert verdict.outcome in NOT_CLEAN[: None if number == 0 else 1]
                assert verdict.fault is None
                assert verdict.damage is not None
                assert (verdict.damage.record, verdict.frames) == (number, number)
            turned += 1
        start += len(record)
    return turned


def bits() -> int:
    """How many bits the file has."""
    return 8 * len(transcript(*recorded()[0]))


def _check(state: State, data: bytes, number: int, where: tuple[int, int]) -> None:
    judge = Judge(PLAYED)
    judge.state = state
    assert not list(judge.read(io.BytesIO(MAGIC + data))), where
    verdict = judge.verdict()
    assert verdict.outcome in NOT_CLEAN[: None if number == 0 else 1], where
    assert verdict.fault is None, where
    assert verdict.forfeits == (), where
    assert verdict.damage is not None, where
    assert verdict.damage.record == 0, where


def _turned(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)
