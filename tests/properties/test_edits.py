"""Several edits of a transcript at once: never clean where it is not, and nobody blamed who signed nothing bad.

Records are dropped, swapped, doubled, brought in from another match or from another branch of this one, changed, and
signed again by either seat. A seat is *guilty* here when its own key signed something that no honest seat signs: a body
changed and signed again by its seat, or a second message on one previous hash, where two branches part.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealerless.encoding import encode
from dealerless.errors import DecodeError
from dealerless.protocol.envelope import decode_body
from dealerless.protocol.events import KINDS, Expelled, Offered
from dealerless.protocol.records import decode_frame
from dealerless.protocol.state import Phase
from dealerless.referee import Outcome
from tests.matches import KEYS, Match, by_chance, envelopes, first_option, hex_offer, judged, named, signed, toy_offer


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Honest frames, those of another branch and of another match; who signed on both branches or broke a rule."""

    frames: tuple[bytes, ...]
    branch: tuple[bytes, ...]
    other: tuple[bytes, ...]
    guilty: frozenset[int]
    convicted: int | None
    total: int


def _two(offer: Offered, other: Offered, moves: str, others: str) -> Table:
    """A match that is played in two ways by the same seats with the same seeds: the first to differ signed both."""
    match, branch = Match(offer).play(named(moves)), Match(offer).play(named(others))
    fork = next(place for place, frame in enumerate(match.frames) if frame != branch.frames[place])
    forked = envelopes(match.frames)[fork].header
    assert forked.prev == envelopes(branch.frames)[fork].header.prev
    return Table(
        frames=tuple(match.frames),
        branch=tuple(branch.frames),
        other=tuple(Match(other, "other").play(by_chance("other")).frames),
        guilty=frozenset([forked.seat]),
        convicted=None,
        total=match.total,
    )


def _expelled(offer: Offered, other: Offered) -> Table:
    """A match in which a seat broke a rule and was expelled; its other branch is how it could have gone on."""
    match, branch = Match(offer).until(Phase.BETTING), Match(offer).play()
    cheat = match.owing
    assert match.cheat(cheat, match.sign(cheat, match.body(cheat, kind="muck", fields=()))).code.startswith("turn.")
    refused = match.state.refused
    assert refused is not None
    match.say(match.owing, Expelled(seat=cheat, record=refused.record))
    match.play()
    return Table(
        frames=tuple(match.frames),
        branch=tuple(branch.frames),
        other=tuple(Match(other, "other").play(first_option).frames),
        guilty=frozenset([cheat, *_signers_of_both(match.frames, branch.frames)]),
        convicted=cheat,
        total=match.total,
    )


def _signers_of_both(first: list[bytes], second: list[bytes]) -> set[int]:
    """Seats with two different messages on one previous hash among these."""
    there = {(e.header.seat, e.header.seq, e.header.prev): e.record for e in envelopes(first)}
    here = {(e.header.seat, e.header.seq, e.header.prev): e.record for e in envelopes(second)}
    return {place[0] for place in there.keys() & here.keys() if there[place] != here[place]}


@cache
def table(name: str) -> Table:
    if name == "hex":
        offer, other = hex_offer(hands=2, depth=3), hex_offer("other", hands=2, depth=3)
        return _two(offer, other, "CHECK BET RAISE CALL CHECK CHECK", "CHECK BET FOLD")
    if name == "toy":
        return _two(toy_offer(hands=1), toy_offer("other", hands=1), "CHECK BET CALL CALL", "CHECK BET FOLD CALL")
    if name == "hex, expelled":
        return _expelled(hex_offer(), hex_offer("other"))
    return _expelled(toy_offer(hands=2), toy_offer("other", hands=1))


NAMES = ("hex", "toy", "hex, expelled", "toy, expelled")
EDITS = ("drop", "swap", "double", "other match", "other branch", "sign again", "change", "change and sign", "cut")


def edited(spread: Table, data: st.DataObject) -> tuple[list[bytes], set[int]]:
    """The frames after some edits, and who is guilty."""
    frames, guilty = list(spread.frames), set(spread.guilty)
    for edit in data.draw(st.lists(st.sampled_from(EDITS), min_size=1, max_size=5), "edits"):
        if not frames:
            break
        place = data.draw(st.integers(0, len(frames) - 1), "place")
        if edit == "drop":
            del frames[place]
        elif edit == "swap":
            there = data.draw(st.integers(0, len(frames) - 1), "there")
            frames[place], frames[there] = frames[there], frames[place]
        elif edit == "double":
            frames.insert(data.draw(st.integers(0, len(frames)), "there"), frames[place])
        elif edit in ("other match", "other branch"):
            source = spread.other if edit == "other match" else spread.branch
            start = data.draw(st.sampled_from([place, place, data.draw(st.integers(0, len(source)), "start")]), "from")
            length = data.draw(st.integers(1, 6), "length")
            frames[place : place + data.draw(st.sampled_from([0, length]), "over")] = source[start : start + length]
        elif edit == "cut":
            del frames[place + 1 :]
        else:
            frames[place] = spoiled(frames[place], edit, guilty, data)
    return frames, guilty


def spoiled(frame: bytes, edit: str, guilty: set[int], data: st.DataObject) -> bytes:
    """The frame signed again by either seat, or its body changed, with or without a new signature."""
    body, signature = decode_frame(frame)
    try:
        envelope = decode_body(body)
    except DecodeError:
        return frame  # spoiled before
    value: list[Any] = [*envelope.header, envelope.event.KIND, envelope.event.fields()]
    seat: int = value[3]
    signer = data.draw(st.sampled_from([seat, seat, 1 - min(seat, 1)]), "signer")
    if edit == "sign again":
        return signed(KEYS[signer], body)
    for place in data.draw(st.sets(st.sampled_from([2, 3, 5, 6, 6, 6]), min_size=1, max_size=2), "changed"):
        value[place] = data.draw(NEAR[place], "new")
    changed = encode(tuple(value))
    if edit == "change":
        at = data.draw(st.integers(0, len(changed) - 1), "at")
        return encode((changed[:at] + b"\0" + changed[at + 1 :], signature))
    if changed != body and value[3] == signer:
        guilty.add(signer)
    return signed(KEYS[signer], changed)


NEAR: dict[int, st.SearchStrategy[Any]] = {
    2: st.integers(0, 40),
    3: st.integers(0, 2),
    5: st.sampled_from([*KINDS, "no such kind", 7]),
    6: st.sampled_from([(), ("CHECK", 0), ("FOLD", 0), ("BET", 10), ("CALL", 10), (1,), (bytes(32),), (bytes(32),) * 2])
    | st.lists(st.integers(0, 3) | st.binary(max_size=3), max_size=4).map(tuple),
}


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@settings(max_examples=100)
def test_t02_t06_several_edits_at_once(name: str, data: st.DataObject) -> None:
    """T02, T06, S09, VERDICT-1, VERDICT-2: clean only what is honest from end to end; only the guilty are blamed."""
    spread = table(name)
    frames, guilty = edited(spread, data)
    verdict = judged(*frames)
    honest = [tuple(frames) == source[: len(frames)] for source in (spread.frames, spread.branch)]
    if verdict.outcome is Outcome.CLEAN:
        assert any(honest)
    if verdict.fault is not None:
        assert verdict.fault.seat in guilty
        assert verdict.fault.blame == "public"
    assert {loss.seat for loss in verdict.forfeits} <= guilty
    if verdict.stacks:
        assert sum(verdict.stacks) == spread.total
        assert sum(verdict.net) == 0


@pytest.mark.parametrize("name", NAMES)
def test_what_is_edited(name: str) -> None:
    """Unedited, both branches and the other match are what they should be, and only the right seat is guilty."""
    spread = table(name)
    assert judged(*spread.branch).outcome is judged(*spread.other).outcome is Outcome.CLEAN
    verdict = judged(*spread.frames)
    assert (None if verdict.fault is None else verdict.fault.seat) == spread.convicted
    assert verdict.damage is None
    assert _signers_of_both(list(spread.frames), list(spread.branch)) <= spread.guilty
    assert len(spread.guilty) == 1


@pytest.mark.parametrize("name", NAMES)
def test_t03_every_frame_of_the_other_branch(name: str) -> None:
    """T03, CHAIN-2: where it would stand, and up to two places later, it convicts nobody but who signed on both."""
    spread = table(name)
    blamed = set()
    for place, frame in enumerate(spread.branch):
        for later in range(3):
            verdict = judged(*spread.frames[: place + later], frame, *spread.frames[place + later :])
            if verdict.fault is not None:
                blamed.add(verdict.fault.seat)
    assert blamed == spread.guilty
