"""Any two files: the comparison never fails, does not depend on their order, and blames nobody who is honest.

VERDICT-5, VERDICT-8.
"""

from __future__ import annotations

import io
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from dealerless.protocol.events import Acted
from dealerless.protocol.machine import open_frame
from dealerless.protocol.state import Phase
from dealerless.referee import Outcome
from dealerless.referee.compare import Relation, compare
from dealerless.referee.evidence import find
from tests.matches import Match, by_chance, hex_offer, named, transcript

LIAR = 1
Frames = tuple[bytes, ...]


@cache
def pool() -> tuple[Frames, ...]:
    """The branches of one match, in which seat 1 said two things again and again, and one of another match."""
    made = []
    for move in ("CHECK", "BET", "ALLIN"):
        match = Match(hex_offer(hands=2)).until(Phase.BETTING).until_owing(LIAR)
        match.turn(named(move))
        match.play(by_chance(move))
        made.append(tuple(match.frames))
    wrong = Match(hex_offer(hands=2)).until(Phase.BETTING)
    wrong.cheat(LIAR, wrong.forge(LIAR, Acted(move="CALL", amount=1)))
    wrong.play()
    # Behind its expulsion, what it said besides on an older previous hash, and something else yet.
    old = next(open_frame(frame).header for frame in wrong.frames[4:] if open_frame(frame).header.seat == LIAR)
    later = [wrong.sign(LIAR, wrong.body(LIAR, kind=kind, seq=old.seq, prev=old.prev)) for kind in ("a", "b")]
    made.append((*wrong.frames, *later))
    made.append(tuple(Match(hex_offer("other", hands=2)).play().frames))
    return tuple(made)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """A file with some of the messages of one match, or of two, and perhaps a byte changed or the end cut off."""
    frames = list(pool()[draw(st.integers(0, 4))])
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.integers(0, len(frames) - 1))
        match draw(st.sampled_from(["drop", "repeat", "swap", "splice", "insert"])):
            case "drop" if len(frames) > 1:
                del frames[place]
            case "repeat":
                frames.insert(place, frames[place])
            case "swap":
                other = draw(st.integers(0, len(frames) - 1))
                frames[place], frames[other] = frames[other], frames[place]
            case "splice":
                frames[place:] = pool()[draw(st.integers(0, 4))][place:] or frames[place:]
            case _:
                others = pool()[draw(st.integers(0, 4))]
                frames.insert(place, others[draw(st.integers(0, len(others) - 1))])
    data = bytearray(transcript(*frames))
    if draw(st.booleans()):
        place = draw(st.integers(0, len(data) - 1))
        data[place] ^= 1 << draw(st.integers(0, 7))
    return bytes(data[: draw(st.integers(0, len(data))) if draw(st.booleans()) else len(data)])


@settings(max_examples=150, deadline=None)
@given(files(), files())
def test_any_two_files(one: bytes, other: bytes) -> None:
    found, mirrored = compare(one, other), compare(other, one)
    assert {fault.seat for fault in found.faults} <= {LIAR}
    assert (found.relation, found.faults, found.void, found.kept_by) == (
        mirrored.relation,
        mirrored.faults,
        mirrored.void,
        mirrored.kept_by,
    )
    assert found.verdicts == mirrored.verdicts[::-1]
    assert found.verdict == mirrored.verdict
    if one == other:
        assert found.verdict is None or found.verdict.fault == found.verdicts[0].fault
    evidence = find((io.BytesIO(one), io.BytesIO(other)))
    assert (None if evidence is None else evidence.fault) == next(iter(found.faults), None)
    if found.relation is not Relation.SAME:
        assert found.counts is None or found.counts == 1 - (mirrored.counts or 0)
    if found.verdict is not None:
        assert (found.verdict.outcome is Outcome.FAULT) is bool(found.faults)
        assert sum(found.verdict.net) == 0
        if found.verdict.terms is not None:
            assert sum(found.verdict.stacks) == 120


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200), files())
def test_a_file_and_any_bytes(junk: bytes, other: bytes) -> None:
    """VERDICT-8."""
    assert {fault.seat for fault in compare(junk, other).faults} <= {LIAR}


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_cut_anywhere_two_branches_still_convict(data: st.DataObject) -> None:
    """CHAIN-2: as soon as both copies hold the messages at the fork, and nobody else is ever convicted."""
    one, other = [pool()[data.draw(st.integers(0, 2))] for _ in range(2)]
    cuts = [data.draw(st.integers(0, len(frames))) for frames in (one, other)]
    found = compare(transcript(*one[: cuts[0]]), transcript(*other[: cuts[1]]))
    fork = next((n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), len(one))
    if min(cuts) > fork:
        assert found.relation is Relation.FORKED
        assert [(fault.seat, fault.code) for fault in found.faults] == [(LIAR, "chain.equivocation")]
    else:
        assert found.relation in (Relation.SAME, Relation.LONGER)
        assert found.faults == ()
