"""Bundles put together from real frames in any way: only the liar is ever convicted, and of honest frames nobody.

VERDICT-7, VERDICT-8.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from dealerless.protocol.events import Acted, HandStarted, Offered
from dealerless.protocol.machine import open_frame
from dealerless.protocol.records import encode_record
from dealerless.protocol.state import Phase
from dealerless.referee.evidence import MAGIC, check, find
from tests.matches import PLAYED as GAMES
from tests.matches import Match, by_chance, hex_offer, named, toy_offer, transcript

LIAR = 1
Frames = tuple[bytes, ...]


def offer(label: str = "match") -> Offered:
    return hex_offer(label, hands=3)


@cache
def honest() -> tuple[Frames, ...]:
    """Matches of three hands in which every seat keeps the rules; the last two of them among three seats."""
    made = [tuple(Match(offer(label)).play(by_chance(label)).frames) for label in ("one", "two")]
    made += [tuple(Match(toy_offer(label, hands=3)).play(by_chance(label)).frames) for label in ("three", "four")]
    return tuple(made)


@cache
def with_a_liar() -> tuple[Frames, ...]:
    """Branches of one match, in which seat 1 says two things, breaks a rule, and is expelled; seat 0 is honest."""
    made: list[Frames] = []
    for move in ("CHECK", "BET", "ALLIN"):
        match = Match(offer()).play_to_hand(3).until_owing(LIAR)
        match.until(Phase.BETTING)
        match.until_owing(LIAR).turn(named(move)).play(by_chance(move))
        made.append(tuple(match.frames))
    for kind in (Phase.BETTING, Phase.COMMITTING):
        wrong = Match(offer()).play_to_hand(3).until(kind).until_owing(LIAR)
        wrong.cheat(LIAR, wrong.forge(LIAR, Acted(move="CALL", amount=1)))
        made.append(tuple(wrong.play().frames))
    start = Match(offer()).play_to_hand(2)
    # Hand 2 is seat 1's to begin, and it states a net that is to its liking.
    false = HandStarted(number=2, button=0, stacks=(60, 60), net=(-100, 100))
    start.cheat(LIAR, start.forge(LIAR, false))
    made.append(tuple(start.play().frames))
    return tuple(made)


def bundle(frames: Sequence[bytes]) -> bytes:
    return MAGIC + b"".join([encode_record(frame) for frame in frames])


@st.composite
def puzzles(draw: st.DrawFn, pool: tuple[Frames, ...]) -> list[bytes]:
    """An opening and behind it any frames of one or two matches: most often a run of them, then something changed."""
    match = pool[draw(st.integers(0, len(pool) - 1))]
    other = pool[draw(st.integers(0, len(pool) - 1))]
    seats = 1 + max([open_frame(frame).header.seat for frame in match])
    frames = list(match[: 2 * seats])
    start = draw(st.integers(2 * seats, len(match)))
    frames += match[start : draw(st.integers(start, len(match)))]
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(frames) - 1))
        match draw(st.sampled_from(["drop", "swap", "insert", "append", "cut"])):
            case "drop" if len(frames) > 1:
                del frames[place]
            case "swap":
                with_ = draw(st.integers(0, len(frames) - 1))
                frames[place], frames[with_] = frames[with_], frames[place]
            case "insert":
                frames.insert(place, other[draw(st.integers(0, len(other) - 1))])
            case "append":
                frames.append(other[draw(st.integers(0, len(other) - 1))])
            case _:
                del frames[place + 1 :]
    return frames


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_from_honest_matches_no_bundle_proves_anything(data: st.DataObject) -> None:
    frames = data.draw(puzzles(honest()))
    assert check(bundle(frames), games=GAMES).fault is None


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_only_the_liar_is_ever_convicted(data: st.DataObject) -> None:
    """The honest seat expelled it, settled, and was led onto three branches."""
    frames = data.draw(puzzles(with_a_liar()))
    found = check(bundle(frames), games=GAMES)
    assert found.fault is None or found.fault.seat == LIAR


def test_every_run_of_an_honest_match() -> None:
    """From any hand, or from anywhere, to anywhere: nothing left out in between, and nobody at fault."""
    for match in honest():
        seats = 1 + max([open_frame(frame).header.seat for frame in match])
        for start in range(2 * seats, len(match), 3):
            for end in range(start + 1, len(match) + 1, 2):
                assert check(bundle([*match[: 2 * seats], *match[start:end]]), games=GAMES).fault is None


def test_every_pair_of_frames_of_an_honest_match() -> None:
    """CHAIN-2: no two of them stand on one previous hash."""
    match = honest()[0]
    for one in range(4, len(match), 2):
        for other in range(4, len(match)):
            assert check(bundle([*match[:4], match[one], match[other]]), games=GAMES).fault is None


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_bundle_proves_what_it_was_cut_for_and_without_a_record_nothing(data: st.DataObject) -> None:
    """VERDICT-7: what is cut from a match with a liar, alone or of two branches, convicts; each record is needed."""
    pool = with_a_liar()
    copies = [pool[data.draw(st.integers(0, len(pool) - 1))] for _ in range(data.draw(st.integers(1, 2)))]
    streams = tuple(io.BytesIO(transcript(*frames)) for frames in copies)
    evidence = find(streams, games=GAMES)
    if evidence is None:
        # A branch by itself, or twice.
        assert len(set(copies)) == 1
        return
    frames = list(evidence.records(streams))
    found = check(bundle(frames), games=GAMES)
    assert found.fault is not None
    assert (found.fault.seat, found.form) == (LIAR, evidence.form)
    gone = data.draw(st.integers(0, len(frames) - 1))
    assert check(bundle([*frames[:gone], *frames[gone + 1 :]]), games=GAMES).fault is None
    place, bit = data.draw(st.integers(0, len(frames[gone]) - 1)), data.draw(st.integers(0, 7))
    flipped = bytearray(frames[gone])
    flipped[place] ^= 1 << bit
    assert check(bundle([*frames[:gone], bytes(flipped), *frames[gone + 1 :]]), games=GAMES).fault is None


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300), st.booleans())
def test_any_bytes(data: bytes, begun: bool) -> None:
    """VERDICT-8."""
    assert check(MAGIC + data if begun else data).fault is None


def test_the_pools_are_what_they_are_said_to_be() -> None:
    assert all(find((io.BytesIO(transcript(*frames)),), games=GAMES) is None for frames in honest())
    convicted = [find((io.BytesIO(transcript(*frames)),), games=GAMES) for frames in with_a_liar()]
    assert [None if found is None else found.fault.seat for found in convicted] == [None, None, None, 1, 1, 1]
