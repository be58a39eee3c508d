"""Whole transcripts spoiled in every small way: never clean where something is missing, and no honest seat is blamed.

`fold` keeps the state before every frame of a match, so that a change to one frame is judged from there at once; what a
whole file gives is then compared for some of them.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealerless.encoding import encode
from dealerless.errors import DealerlessError, DecodeError, Unattributed, Violation
from dealerless.protocol.events import Acted, Event, HandStarted, SeedsCommitted, Settled
from dealerless.protocol.machine import Admitted, admit, advance, open_frame
from dealerless.protocol.records import LENGTH_BYTES, MAGIC, MAX_RECORD, decode_frame, encode_record
from dealerless.protocol.state import Phase, State
from dealerless.referee import Outcome, Verdict, replay
from tests.matches import (
    KEYS,
    PLAYED,
    STRANGER,
    Match,
    body_at,
    by_chance,
    envelopes,
    fold,
    hex_offer,
    judged,
    named,
    signed,
    toy_offer,
    transcript,
)


@cache
def played(label: str, hands: int = 2) -> tuple[tuple[bytes, ...], tuple[State, ...]]:
    """A clean match with all that can be in one: moves, a showdown, a fold. Its frames, and the states between them."""
    match = Match(hex_offer(label, hands=hands, depth=3), label).play(
        named("CHECK BET RAISE CALL CHECK CHECK BET FOLD")
    )
    frames = tuple(match.frames)
    states = tuple(fold(frames))
    assert states[-1].phase is Phase.OVER
    assert {"RAISE", "FOLD"} <= {a.event.move for a in envelopes(frames) if isinstance(a.event, Acted)}
    return frames, states


FRAMES, STATES = played("one")
OTHER, _ = played("two")
TOTAL = 2 * 40
# Frames that open a match: offer, acceptance, readies. Before the last ready nobody can be at fault (CHAIN-0).
OPENING = 4


def verdict_on(*frames: bytes) -> Verdict:
    verdict = judged(*frames)
    if verdict.stacks:
        assert sum(verdict.stacks) == TOTAL
        assert sum(verdict.net) == 0
    return verdict


def outcome_of(state: State, frame: bytes) -> str:
    """What a frame is worth at a state: "good", "damage", or the seat it convicts."""
    try:
        admitted = admit(state, open_frame(frame))
    except Unattributed:
        return "damage"
    try:
        advance(state, admitted)
    except (Violation, DecodeError):
        return f"fault of seat {admitted.seat}" if state.judging else "damage"
    return "good"


# --- changed bytes


def test_t02_s09_every_bit_of_every_frame_counts() -> None:
    """T02, S09: any one bit turned, anywhere in a frame, is damage right there; nobody is blamed for it."""
    for position, frame in enumerate(FRAMES):
        for at in range(len(frame)):
            for bit in range(8) if at % 8 == position % 8 else (at % 8,):
                changed = bytearray(frame)
                changed[at] ^= 1 << bit
                assert outcome_of(STATES[position], bytes(changed)) == "damage", (position, at, bit)


def test_t02_a_changed_byte_of_the_file_is_found_where_it_is() -> None:
    """T02: the referee names the record; everything before it stands. Length prefixes and the magic line included."""
    data = transcript(*FRAMES)
    starts = [len(MAGIC)]
    for frame in FRAMES:
        starts.append(starts[-1] + LENGTH_BYTES + len(frame))
    places = {at + step for at in starts[:-1] for step in range(LENGTH_BYTES)} | set(range(0, len(data), 37))
    for at in sorted(places | set(range(len(MAGIC)))):
        verdict = replay(data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :], games=PLAYED)
        assert verdict.outcome is not Outcome.CLEAN
        assert verdict.fault is None
        assert verdict.damage is not None
        record = sum(start <= at for start in starts[:-1]) - 1
        assert verdict.damage.record == max(record, 0)
        assert verdict.frames == max(record, 0)


def test_t01_cut_after_every_message() -> None:
    """T01: a file cut between messages says who owes what, and no winner of the hand that is running."""
    for count in range(len(FRAMES) + 1):
        verdict = verdict_on(*FRAMES[:count])
        state = STATES[count]
        assert verdict.damage is None
        assert verdict.fault is None
        assert verdict.frames == count
        assert (verdict.outcome is Outcome.CLEAN) == bool(state.end_head)
        if state.owed is not None:
            assert verdict.owes is not None
            assert verdict.owes.seat == state.owed.seat
            assert verdict.owes.kinds == tuple(kind.KIND for kind in state.owed.kinds)
        if state.play is not None:
            assert verdict.hands[-1].result == "running"
            assert verdict.hands[-1].winners == ()
            assert verdict.stacks == state.play.before
            assert verdict.pending is not None
            assert verdict.pending.pot == state.play.hand.totals
            assert verdict.pending.if_forfeit is not None
            assert sum(verdict.pending.if_forfeit) == TOTAL


def test_t01_cut_inside_every_frame() -> None:
    """T01: a file cut inside a record is damaged there, and never clean."""
    for count, frame in enumerate(FRAMES):
        before = transcript(*FRAMES[:count])
        record = encode_record(frame)
        for length in (1, 2, 3, 4, 5, len(record) // 2, len(record) - 1):
            verdict = replay(before + record[:length], games=PLAYED)
            assert verdict.outcome is Outcome.INCOMPLETE
            assert verdict.damage is not None
            assert (verdict.damage.record, verdict.damage.reason) == (count, "record.truncated")
    for length in range(len(MAGIC)):
        verdict = replay(MAGIC[:length], games=PLAYED)
        assert verdict.outcome is Outcome.INCOMPLETE
        assert (verdict.damage is None) == (length == 0)


def test_t02_swapped_deleted_and_doubled_records() -> None:
    """T02, CHAIN-2: each is found at the first record that is out of place, and blames nobody."""
    for at in range(len(FRAMES) - 1):
        swapped = (*FRAMES[:at], FRAMES[at + 1], FRAMES[at], *FRAMES[at + 2 :])
        deleted = (*FRAMES[:at], *FRAMES[at + 1 :])
        doubled = (*FRAMES[: at + 1], FRAMES[at], *FRAMES[at + 1 :])
        for frames, place in ((swapped, at), (deleted, at), (doubled, at + 1)):
            verdict = verdict_on(*frames)
            assert verdict.outcome is (Outcome.INCOMPLETE if place else Outcome.UNREADABLE)
            assert verdict.fault is None
            assert verdict.damage is not None
            assert verdict.damage.record == verdict.frames == place
    verdict = verdict_on(*FRAMES, FRAMES[-1])
    assert verdict.outcome is Outcome.INCOMPLETE
    assert verdict.damage is not None
    assert verdict.damage.reason == "record.duplicate"


# --- good frames in other places


def test_s11_t06_a_frame_from_elsewhere_convicts_nobody() -> None:
    """S11, T06: any message of this match or another one by the same players, put anywhere else, is damage."""
    for place, state in enumerate(STATES):
        for origin, frame in enumerate(FRAMES):
            assert outcome_of(state, frame) == ("good" if origin == place else "damage"), (place, origin)
        if place:
            for frame in OTHER:
                assert outcome_of(state, frame) == "damage"


def test_t06_spliced_matches() -> None:
    """T06: same players, keys and terms; messages of one match in place of those of the other."""
    assert len(FRAMES) == len(OTHER)
    hands = [seq for seq, e in enumerate(envelopes(FRAMES)) if isinstance(e.event, HandStarted)]
    for start, end in [(hands[0], hands[1]), (hands[1], len(FRAMES)), (1, 2), (OPENING, OPENING + 1), (7, 9)]:
        verdict = verdict_on(*FRAMES[:start], *OTHER[start:end], *FRAMES[end:])
        assert verdict.outcome is Outcome.INCOMPLETE
        assert verdict.fault is None
        assert verdict.damage is not None
        assert verdict.damage.record == start


def test_s09_signed_again_by_another_key() -> None:
    """S09, S11: a body signed by another seat's key, or a stranger's, is nobody's message."""
    for state, envelope in zip(STATES, envelopes(FRAMES), strict=False):
        for key in (KEYS[1 - envelope.header.seat], STRANGER):
            assert outcome_of(state, signed(key, envelope.body)) == "damage"


# --- one field changed


def others(value: Any) -> list[Any]:
    """Values near this one, of its type and of others."""
    if type(value) is int:
        return [value + 1, value - 1, -value - 1, 2**53, 2**64 - 1, -(2**63), str(value), bytes([1]), bool(value % 2)]
    if type(value) is bytes:
        flipped = bytes([value[0] ^ 1]) + value[1:] if value else b"\0"
        return [flipped, bytes(len(value)), value[1:], value + b"\0", b"", value.hex(), 0]
    if type(value) is str:
        return [value.lower(), value.upper(), value + " ", "", value.encode(), 7, "\u0430" + value]
    return [(), (*value, 0), value[1:], *[(*value[:i], new, *value[i + 1 :]) for i in (0,) if value for new in (0, -1)]]


@pytest.mark.parametrize("resigned", [False, True])
def test_s09_any_one_field_changed(resigned: bool) -> None:
    """S09, VERDICT-2: with the old signature it is damage; signed again by its seat it is damage, that seat's fault, or
    another legal message of that seat. Where session, number, link or version differ it is damage always."""
    convicted = 0
    for position, (frame, envelope) in enumerate(zip(FRAMES, envelopes(FRAMES), strict=True)):
        state = STATES[position]
        header = envelope.header
        body: tuple[Any, ...] = (*header, envelope.event.KIND, envelope.event.fields())
        changes = [(place, new) for place in range(6) for new in others(body[place]) if new != body[place]]
        spoiled = [(*body[:place], new, *body[place + 1 :]) for place, new in changes]
        fields = body[6]
        new_fields = [(*fields[:i], new, *fields[i + 1 :]) for i, field in enumerate(fields) for new in others(field)]
        spoiled += [(*body[:6], new) for new in [*new_fields, (), (*fields, 0), fields[1:]] if new != fields]
        spoiled += [body[:6], (*body, 0), body[::-1]]
        for value in spoiled:
            try:
                encoded = encode(value)
            except DecodeError:
                continue
            if encoded == envelope.body:
                continue
            _, signature = decode_frame(frame)
            if not resigned:
                assert outcome_of(state, encode((encoded, signature))) == "damage"
                continue
            outcome = outcome_of(state, signed(KEYS[header.seat], encoded))
            assert outcome in ("good", "damage", f"fault of seat {header.seat}")
            if value[:5] != body[:5]:
                assert outcome == "damage", value
            elif outcome == "good":
                assert position < 2 or isinstance(envelope.event, Acted | SeedsCommitted), value
            else:
                assert outcome == ("damage" if position < OPENING else f"fault of seat {header.seat}"), value
                convicted += outcome != "damage"
    assert not resigned or convicted > 500


# --- equivocation


def second_messages(state: State, seat: int, first: Event) -> list[bytes]:
    """What the seat might sign on the same previous hash besides `first`."""
    bodies = [body_at(state, seat, kind, ()) for kind in ("leave", "muck", "no such kind", 7)]
    bodies += [body_at(state, seat, "act", ("CHECK", 0, b"")), body_at(state, seat, "act", ("FOLD", 0, b""))]
    bodies += [body_at(state, seat, first.KIND, (*first.fields(), 0))]
    return [body for body in bodies if body != body_at(state, seat, first.KIND, first.fields())]


def test_t03_two_messages_on_one_previous_hash() -> None:
    """T03, CHAIN-2: convicted at once, and still after the other seat has built on the first; the other never is."""
    for position, envelope in enumerate(envelopes(FRAMES)):
        state, seat = STATES[position], envelope.header.seat
        for body in second_messages(state, seat, envelope.event):
            second = signed(KEYS[seat], body)
            for built in (1, 2):
                prefix = FRAMES[: position + built]
                if position + built > len(FRAMES) or any(
                    e.header.seat == seat for e in envelopes(prefix[position + 1 :])
                ):
                    continue
                verdict = verdict_on(*prefix, second)
                if position + built < OPENING:
                    assert verdict.fault is None
                    assert verdict.damage is not None
                    continue
                assert verdict.fault is not None
                assert (verdict.fault.seat, verdict.fault.code) == (seat, "chain.equivocation")
                assert verdict.fault.seq == position
                assert verdict.frames == position + built


def test_t03_r12_either_order_of_two_legal_messages() -> None:
    """T03, R12: whichever of the two the file has first, the seat that signed both is convicted, and it alone."""
    for position, state in enumerate(STATES[:-1]):
        if state.phase is not Phase.BETTING:
            continue
        game, hand = state.agreed.game, state.running.hand
        assert state.owed is not None
        seat = state.owed.seat
        bodies = [body_at(state, seat, "act", (option.name, option.least, b"")) for option in game.legal(hand)]
        for first in bodies:
            for second in bodies:
                if first != second:
                    verdict = verdict_on(*FRAMES[:position], signed(KEYS[seat], first), signed(KEYS[seat], second))
                    assert verdict.fault is not None
                    assert (verdict.fault.seat, verdict.fault.code) == (seat, "chain.equivocation")


def test_t03_one_body_with_two_signatures_is_one_message() -> None:
    """ENC-3, CHAIN-2: message identity never depends on the signature; a second spelling of it is a duplicate."""
    for position, frame in enumerate(FRAMES):
        body, signature = decode_frame(frame)
        for again in (signature, signature[:63] + b"\0", bytes(64)):
            verdict = verdict_on(*FRAMES[: position + 1], encode((body, again)))
            assert verdict.fault is None
            assert verdict.damage is not None
            assert verdict.damage.record == position + 1


# --- anything at all


def check_sane(verdict: Verdict, total: int) -> None:
    """What must hold of a verdict on any bytes. VERDICT-1, VERDICT-3."""
    assert verdict.outcome in Outcome
    if verdict.stacks:
        assert sum(verdict.stacks) == total
        assert min(verdict.stacks) >= 0
        assert sum(verdict.net) == 0
    if verdict.outcome is Outcome.CLEAN:
        assert verdict.fault is None
        assert verdict.damage is None
    assert (verdict.fault is not None) == (verdict.outcome is Outcome.FAULT)


@given(st.binary(max_size=400), st.booleans())
@settings(max_examples=150)
def test_verdict_8_any_bytes(data: bytes, magic: bool) -> None:
    """VERDICT-8: whatever the bytes, there is a verdict, and it blames nobody for bytes that nobody signed."""
    verdict = replay(MAGIC + data if magic else data, games=PLAYED)
    check_sane(verdict, TOTAL)
    assert verdict.outcome in (Outcome.UNREADABLE, Outcome.INCOMPLETE)


@given(st.integers(0, len(FRAMES)), st.lists(st.binary(max_size=120), max_size=3))
@settings(max_examples=100)
def test_verdict_8_any_records_after_good_ones(count: int, records: list[bytes]) -> None:
    verdict = verdict_on(*FRAMES[:count], *records)
    check_sane(verdict, TOTAL)
    assert verdict.fault is None
    assert verdict.frames == count


VALUES = st.recursive(
    st.one_of(
        st.integers(-(2**63), 2**64 - 1),
        st.booleans(),
        st.text(max_size=12),
        st.binary(max_size=40),
        st.sampled_from(["act", "hand", "commit", "layout", "show", "expel", "settle", "CHECK", "BET", "FOLD"]),
    ),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=12,
)


@given(st.data())
@settings(max_examples=150)
def test_verdict_1_any_signed_body(data: st.DataObject) -> None:
    """VERDICT-1, VERDICT-8: any body that is signed and linked is good or its signer's fault; other bodies are damage.

    The body is one of the match with some parts replaced, or spoiled byte by byte, and signed by either seat.
    """
    position = data.draw(st.integers(0, len(FRAMES)), "position")
    state, signer = STATES[position], data.draw(st.integers(0, 1), "signer")
    origin = envelopes(FRAMES)[data.draw(st.integers(0, len(FRAMES) - 1), "origin")]
    session = state.match.session if state.match is not None else bytes(32)
    value: list[Any] = [1, session, state.seq, signer, state.head, origin.event.KIND, origin.event.fields()]
    for place in data.draw(st.lists(st.integers(0, 6), max_size=2), "places"):
        value[place] = data.draw(VALUES, "value")
    body: bytes = msgpack.Packer(use_bin_type=True).pack(value)
    for _ in range(data.draw(st.integers(0, 2), "changed bytes")):
        at = data.draw(st.integers(0, len(body) - 1), "at")
        body = body[:at] + data.draw(st.binary(max_size=2), "bytes") + body[at + 1 :]
    verdict = verdict_on(*FRAMES[:position], signed(KEYS[signer], body))
    check_sane(verdict, TOTAL)
    if verdict.fault is not None:
        assert position >= OPENING
        assert verdict.fault.seat == signer
        assert verdict.fault.blame == "public"
        assert verdict.fault.clause


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=6))
@settings(max_examples=60)
def test_t02_any_shuffle_of_two_matches(cuts: list[tuple[int, int]]) -> None:
    """T02, T06: pieces of two matches in any order: only a prefix of one of them is judged, nobody is blamed."""
    pieces = [*FRAMES[:3]]
    for start, length in cuts:
        pieces += (FRAMES if start % 2 else OTHER)[start : start + length]
    verdict = verdict_on(*pieces)
    assert verdict.fault is None
    assert verdict.frames <= len(FRAMES)


def test_r01_the_referee_tells_its_reader_what_it_found() -> None:
    """VERDICT-2: every record up to the end of the judged prefix is reported once, in order, and nothing after it."""
    owed = STATES[9].owed
    assert owed is not None
    bad = signed(KEYS[owed.seat], body_at(STATES[9], owed.seat, "muck", ()))
    for frames, good, refusals in ((FRAMES, len(FRAMES), 0), ((*FRAMES[:9], bad, b"junk"), 9, 1)):
        seen: list[tuple[State, Admitted, State | None, DealerlessError | None]] = []
        replay(transcript(*frames), games=PLAYED, on_frame=lambda *what, seen=seen: seen.append(what))
        assert len([after for _, _, after, _ in seen if after is not None]) == good
        assert len([error for _, _, _, error in seen if error is not None]) == refusals
        assert [before for before, _, _, _ in seen][: good + 1] == list(STATES[: good + refusals])


def test_settling_moves_no_chip() -> None:
    """CHAIN-3: a wrong settlement is its signer's fault; nobody is expelled for it and no chip moves."""
    state = STATES[-3]
    assert state.phase is Phase.SETTLING
    assert state.owed is not None
    books = state.books
    for event in (
        Settled(head=bytes(32), stacks=books.stacks, net=books.net),
        Settled(head=state.end_head, stacks=books.stacks[::-1], net=books.net),
        Settled(head=state.end_head, stacks=books.stacks, net=(0, 0)),
    ):
        frame = signed(KEYS[state.owed.seat], body_at(state, state.owed.seat, "settle", event.fields()))
        verdict = verdict_on(*FRAMES[:-2], frame, *FRAMES[-2:])
        assert verdict.fault is not None
        assert (verdict.fault.seat, verdict.fault.code) == (state.owed.seat, "settle.wrong")
        assert verdict.stacks == books.stacks
        assert verdict.forfeits == ()
        assert verdict.settled == ()


def test_a_record_that_is_too_large_is_never_read() -> None:
    """ENC-6: damage, blame none, and nothing of its announced size is asked for."""
    for size in (MAX_RECORD + 1, 2**31, 2**32 - 1, 0):
        verdict = replay(transcript(*FRAMES[:5]) + size.to_bytes(4, "big") + b"x" * 100, games=PLAYED)
        assert verdict.damage is not None
        assert (verdict.damage.record, verdict.damage.reason) == (5, "record.too-large")
        assert verdict.fault is None


def test_the_same_holds_for_three_seats() -> None:
    """S09, T02: a bit turned in any frame of the toy game's match is damage; frames elsewhere are too."""
    frames = Match(toy_offer(hands=1)).play(by_chance("three")).frames
    states = fold(frames)
    for place, state in enumerate(states):
        for origin, frame in enumerate(frames):
            assert outcome_of(state, frame) == ("good" if origin == place else "damage")
            if origin == place:
                for at in range(0, len(frame), 3):
                    changed = frame[:at] + bytes([frame[at] ^ 1 << at % 8]) + frame[at + 1 :]
                    assert outcome_of(state, changed) == "damage"
