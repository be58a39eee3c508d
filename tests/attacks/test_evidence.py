"""Bundles of evidence: each convicts by itself, is as small as it can be, and cannot be made against an honest seat.

VERDICT-7; attacks on the checker: gaps, splices, a hand's start that is not the one that was played, forged words.
"""

from __future__ import annotations

import base64
import io
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dealerless.games import GAMES
from dealerless.protocol.events import Acted, Expelled, HandStarted, LayoutOpened, Settled, Shown
from dealerless.protocol.machine import open_frame
from dealerless.protocol.records import ZERO_HASH, decode_frame, encode_record
from dealerless.protocol.state import Phase
from dealerless.protocol.witness import sign_no_show, sign_receipt
from dealerless.referee import replay
from dealerless.referee.compare import compare
from dealerless.referee.evidence import MAGIC, Evidence, Finding, Form, check, find
from tests.matches import KEYS, PLAYED, Match, fixed, hex_offer, named, one_offer, toy_offer, transcript

VECTORS = Path(__file__).parent.parent / "vectors" / "transcripts"
OPENING = 4
"""Records of the opening of a match of two."""


def cut(*copies: bytes, games: Any = PLAYED) -> tuple[Evidence, bytes]:
    """The evidence of the first fault in these copies, and the bundle."""
    streams = tuple(io.BytesIO(data) for data in copies)
    evidence = find(streams, games=games)
    assert evidence is not None
    return evidence, b"".join(evidence.pieces(streams))


def bundle(frames: Sequence[bytes]) -> bytes:
    return MAGIC + b"".join([encode_record(frame) for frame in frames])


def frames_of(data: bytes) -> list[bytes]:
    place, frames = len(MAGIC), []
    while place < len(data):
        size = int.from_bytes(data[place : place + 4], "big")
        frames.append(data[place + 4 : place + 4 + size])
        place += 4 + size
    return frames


def checked(data: bytes) -> Finding:
    return check(data, games=PLAYED)


def proves(frames: Sequence[bytes]) -> int | None:
    """The seat that a bundle of these frames convicts."""
    fault = checked(bundle(frames)).fault
    return None if fault is None else fault.seat


# --- every fault there is a vector of -----------------------------------------------------------------------


def faults() -> dict[str, dict[str, Any]]:
    vectors = {path.stem: json.loads(path.read_text()) for path in sorted(VECTORS.glob("*.json"))}
    return {name: vector for name, vector in vectors.items() if vector["expect"] == "fault"}


@pytest.mark.parametrize("vector", faults().values(), ids=faults().keys())
def test_evidence_of_every_fault(vector: dict[str, Any]) -> None:
    """VERDICT-7: the bundle alone says what the transcript says, and is never longer."""
    data = base64.b64decode(vector["transcript"])
    evidence, made = cut(data, games=GAMES)
    found = check(made)
    assert found.fault is not None
    assert (found.fault.seat, found.fault.code, found.fault.clause) == (
        vector["seat"],
        vector["code"],
        vector["clause"],
    )
    assert found.form is evidence.form
    assert found.session is not None
    assert len(made) <= len(data)
    if vector["code"] == "chain.equivocation":
        assert (found.form, found.records) == (Form.EQUIVOCATION, OPENING + 2)
    # Nothing may be left out and nothing put in; the last record is the fault.
    frames = frames_of(made)
    for number in range(len(frames)):
        assert check(bundle(frames[:number] + frames[number + 1 :])).fault is None, number
    assert check(bundle([*frames, frames[-1]])).fault is None


@pytest.mark.parametrize("name", sorted(path.stem for path in VECTORS.glob("*.json")))
def test_where_no_fault_is_proven_there_is_no_evidence(name: str) -> None:
    vector = json.loads((VECTORS / f"{name}.json").read_text())
    if vector["expect"] != "fault":
        assert find((io.BytesIO(base64.b64decode(vector["transcript"])),)) is None


# --- a hand's start -----------------------------------------------------------------------------------------


def wrong_in_hand(number: int, seat: int) -> Match:
    """A match in which this seat signs a wrong move in this hand, when it is to move."""
    match = Match(hex_offer(hands=number + 1)).play_to_hand(number).until(Phase.BETTING)
    while match.owing != seat:
        match.turn()
    match.cheat(seat, match.forge(seat, Acted(move="CALL", amount=7)))
    return match


def test_a_round_of_one_poker_proves_nothing_without_those_before() -> None:
    """VERDICT-7, ONE-2: keys, shoe and kept cards come from there, so the shortest bundle is the whole part."""
    match = Match(one_offer(rounds=3)).play_to_hand(3).until(Phase.LAYING)
    seat = match.owing
    match.turn().until_owing(seat)
    match.cheat(seat, match.forge(seat, Acted(move="CALL", amount=7)))
    evidence, made = cut(match.transcript())
    assert evidence.form is Form.WHOLE
    assert (checked(made).fault, proves(frames_of(made))) == (evidence.fault, seat)
    frames = frames_of(made)
    starts = [place for place, frame in enumerate(frames) if kind_of(frame) == "hand"]
    assert len(starts) == 3
    assert checked(bundle([*frames[:OPENING], *frames[starts[-1] :]])).reason == "evidence.gap"


@pytest.mark.parametrize("seat", [0, 1])
def test_a_wrong_move_in_a_later_hand_needs_that_hand_only(seat: int) -> None:
    """VERDICT-7: the accused vouches for the hand's start, and what came before is left out."""
    match = wrong_in_hand(4, seat)
    evidence, made = cut(match.transcript())
    assert evidence.form is Form.HAND
    assert (checked(made).fault, proves(frames_of(made))) == (evidence.fault, seat)
    first = open_frame(frames_of(made)[OPENING])
    assert first.envelope is not None
    assert isinstance(first.envelope.event, HandStarted)
    assert first.envelope.event.number == 4
    assert len(made) < len(match.transcript()) / 3


def test_a_seed_of_an_earlier_hand_needs_the_whole_match() -> None:
    """COMMIT-3, VERDICT-7: the hand by itself does not show that the seed was opened before."""
    match = Match(hex_offer(hands=2)).play_to_hand(2).until(Phase.COMMITTING)
    used = match.seed(0, "layout", 1)
    match.say(0, match.commitments(0, used, match.seed(0, "hole", 2)))
    match.turn()
    match.cheat(0, match.forge(0, LayoutOpened(seed=used)))
    evidence, made = cut(match.transcript())
    assert (evidence.form, evidence.fault.code) == (Form.WHOLE, "commit.seed-reuse")
    hand = next(span for span in range(OPENING + 1, len(match.frames)) if kind_of(match.frames[span]) == "hand")
    assert proves([*match.frames[:OPENING], *match.frames[hand:]]) is None


def kind_of(frame: bytes) -> str:
    envelope = open_frame(frame).envelope
    return "" if envelope is None else envelope.event.KIND


def test_a_wrong_start_is_proven_from_the_last_hand_its_author_played() -> None:
    """CHAIN-4, VERDICT-7: who played hand 2 vouches for its start, and hand 3 follows from it."""
    match = Match(hex_offer(hands=4)).play_to_hand(3)
    seat = match.owing
    event = match.owed_event()
    assert isinstance(event, HandStarted)
    match.cheat(seat, match.forge(seat, replace(event, net=(event.net[0] + 1, event.net[1] - 1))))
    evidence, made = cut(match.transcript())
    assert (evidence.form, evidence.fault.code) == (Form.HAND, "chain.wrong-hand")
    assert proves(frames_of(made)) == seat


def test_a_wrong_settlement_is_proven_from_the_last_hand() -> None:
    """CHAIN-3, VERDICT-7."""
    match = Match(hex_offer(hands=3)).until(Phase.SETTLING)
    seat, event = match.owing, match.owed_event()
    assert isinstance(event, Settled)
    match.cheat(seat, match.forge(seat, replace(event, net=(event.net[0] + 10, event.net[1] - 10))))
    assert match.verdict().fault is not None
    evidence, made = cut(match.transcript())
    assert (evidence.form, proves(frames_of(made))) == (Form.HAND, seat)


def test_nobody_is_convicted_by_a_start_it_did_not_vouch_for() -> None:
    """VERDICT-7: the other seat states a wrong net; the honest one expels it and settles the right one.

    Whoever shows the wrong start as the one that was played, and the right settlement behind it, proves nothing.
    """
    match = Match(hex_offer(hands=4)).play_to_hand(2)
    liar, event = match.owing, match.owed_event()
    assert isinstance(event, HandStarted)
    # Wrong in a field that the checker sees as well as in one that it would take from it.
    wrong = replace(event, net=(event.net[0] + 10, event.net[1] - 10), button=1 - event.button)
    start = match.forge(liar, wrong)
    before = len(match.frames)
    match.cheat(liar, start)
    match.play()
    honest = 1 - liar
    opening = match.frames[:OPENING]
    assert proves(match.frames[: before + 1]) == liar
    for end in range(before + 1, len(match.frames) + 1):
        assert proves([*opening, *match.frames[before:end]]) is None
    assert match.verdict().fault is not None
    assert match.frames[-1] != start
    assert open_frame(match.frames[-1]).header.seat == honest


def test_the_author_of_a_wrong_start_is_convicted_by_the_whole_only() -> None:
    """VERDICT-7: in the form of a hand, a refused start is vouched for by nobody, not even by its author."""
    match = Match(hex_offer(hands=4)).play_to_hand(2)
    seat, event = match.owing, match.owed_event()
    assert isinstance(event, HandStarted)
    wrong = match.forge(seat, replace(event, number=4))
    match.cheat(seat, wrong)
    assert proves([*match.frames[:OPENING], wrong]) is None
    assert proves(match.frames) == seat


def test_nobody_is_convicted_by_a_hand_it_had_not_signed_in() -> None:
    """VERDICT-7: its first message of the hand is the wrong one, so the match is shown from message 0."""
    match = Match(hex_offer(hands=3)).play_to_hand(2).until(Phase.COMMITTING)
    seat = match.owing
    start = len(match.frames) - 1
    match.cheat(seat, match.sign(seat, match.body(seat, kind="nonsense")))
    part = [*match.frames[:OPENING], *match.frames[start:]]
    assert checked(bundle(part)).reason == "evidence.not-vouched"
    assert (cut(match.transcript())[0].form, proves(match.frames)) == (Form.WHOLE, seat)


@pytest.mark.parametrize(
    "changes", [{"net": (0, 0, 0)}, {"stacks": (60, 60, 60)}, {"number": 9}, {"button": 8}, {"stacks": (70, 50)}]
)
def test_a_start_that_cannot_be(changes: dict[str, Any]) -> None:
    """VERDICT-7, VERDICT-8: whatever it says, and whatever two who help each other sign on it."""
    match = wrong_in_hand(2, 1)
    start = max(number for number, frame in enumerate(match.frames) if kind_of(frame) == "hand")
    opened = open_frame(match.frames[start])
    assert opened.envelope is not None
    assert isinstance(opened.envelope.event, HandStarted)
    event = replace(opened.envelope.event, **changes)
    header = opened.header
    body = match.body(header.seat, event, seq=header.seq, prev=header.prev)
    forged = [match.sign(header.seat, body)]
    for frame in match.frames[start + 1 :]:
        was = open_frame(frame)
        assert was.envelope is not None
        prev = open_frame(forged[-1]).record
        again = match.body(was.header.seat, was.envelope.event, seq=was.header.seq, prev=prev)
        forged.append(match.sign(was.header.seat, again))
    assert proves([*match.frames[:OPENING], *match.frames[start:]]) == 1
    assert proves([*match.frames[:OPENING], *forged]) is None


def test_with_three_seats_a_bundle_begins_at_message_0() -> None:
    """VERDICT-7: a hand's start does not say who has left."""
    match = Match(toy_offer(seats=3, hands=3)).play_to_hand(2).until(Phase.BETTING)
    seat = match.owing
    match.cheat(seat, match.forge(seat, Acted(move="CALL", amount=7)))
    evidence, made = cut(match.transcript())
    assert (evidence.form, checked(made).fault) == (Form.WHOLE, evidence.fault)
    hand = max(number for number, frame in enumerate(match.frames) if kind_of(frame) == "hand")
    assert proves([*match.frames[:6], *match.frames[hand:]]) is None


def test_a_time_out_in_a_later_hand() -> None:
    """VERDICT-6, VERDICT-7: the witness's words are in the expulsion, which is the last record."""
    witness = KEYS[8]
    terms = replace(hex_offer(hands=3), witnesses=(witness.public.key,), threshold=1, move_seconds=60)
    match = Match(terms).play_to_hand(3).until(Phase.BETTING)
    silent, state = match.owing, match.state
    cause = sign_receipt(witness, 0, state.agreed.session, state.seq - 1, state.head, silent, 0)
    said = sign_no_show(
        witness, 0, state.agreed, state.seq, state.head, silent, since=0, bank=0, at=60_000, receipt=cause.signature
    )
    match.say(1 - silent, Expelled(seat=silent, record=ZERO_HASH, absent=((silent, (said,)),)))
    evidence, made = cut(match.transcript())
    assert (evidence.form, evidence.fault.code) == (Form.HAND, "witness.no-show")
    assert proves(frames_of(made)) == silent


# --- two bodies on one previous hash ------------------------------------------------------------------------


def forked() -> tuple[Match, Match]:
    pair = tuple(Match(hex_offer(hands=3)).play_to_hand(2).until(Phase.BETTING) for _ in range(2))
    for match, move in zip(pair, ("CHECK", "BET"), strict=True):
        match.until_owing(1).turn(named(move)).turn()
    return pair[0], pair[1]


def test_two_copies_together_convict_with_six_records() -> None:
    """CHAIN-2, VERDICT-5, VERDICT-7: neither copy proves anything by itself."""
    one, other = forked()
    assert find((io.BytesIO(one.transcript()),)) is None
    assert find((io.BytesIO(other.transcript()),)) is None
    evidence, made = cut(one.transcript(), other.transcript())
    assert (evidence.form, len(frames_of(made))) == (Form.EQUIVOCATION, OPENING + 2)
    fault = check(made).fault
    assert fault is not None
    assert (fault.seat, fault.code) == (evidence.fault.seat, "chain.equivocation")
    assert cut(other.transcript(), one.transcript())[0].fault == evidence.fault


def test_what_is_no_equivocation() -> None:
    """CHAIN-2: one body twice, two places, two seats, another match, a forged signature."""
    one, other = forked()
    seat = cut(one.transcript(), other.transcript())[0].fault.seat
    opening = one.frames[:OPENING]
    place = next(n for n, pair in enumerate(zip(one.frames, other.frames, strict=False)) if pair[0] != pair[1])
    first, second = one.frames[place], other.frames[place]
    assert proves([*opening, first, second]) == proves([*opening, second, first]) == seat
    body = decode_frame(second)[0]
    state = one.state
    elsewhere = one.sign(
        seat,
        one.body(
            seat, Acted(move="ALLIN", amount=50), session=fixed("another match"), prev=open_frame(first).header.prev
        ),
    )
    for pair in (
        (first, first),
        (first, one.frames[place + 1]),
        (first, other.frames[place + 1]),
        (one.frames[place + 1], other.frames[place + 1]),
        (first, one.sign(seat, body, key=KEYS[7])),
        (first, one.sign(1 - seat, body)),
        (elsewhere, first),
        (first,),
        (first, second, first),
    ):
        assert proves([*opening, *pair]) is None
    stranger = Match(hex_offer("stranger")).until(Phase.BETTING)
    assert proves([*stranger.frames[:OPENING], first, second]) is None
    for gap in range(OPENING):
        assert proves([*opening[:gap], *opening[gap + 1 :], first, second]) is None
    assert state.phase is not Phase.OVER


@pytest.mark.parametrize("changes", [{"session": fixed("another match")}, {"version": 2}, {"version": True}])
def test_the_second_body_is_of_this_match_and_version_whichever_comes_first(changes: dict[str, Any]) -> None:
    """CHAIN-2: one session, number and previous hash; a body of another match or version says nothing in this one."""
    one, _ = forked()
    first = next(frame for frame in one.frames[OPENING:] if open_frame(frame).header.seat == 1)
    header = open_frame(first).header
    event = Acted(move="ALLIN", amount=50)
    second = one.sign(1, one.body(1, event, seq=header.seq, prev=header.prev))
    elsewhere = one.sign(1, one.body(1, event, seq=header.seq, prev=header.prev, **changes))
    opening = one.frames[:OPENING]
    assert proves([*opening, first, second]) == proves([*opening, second, first]) == 1
    for pair in ((first, elsewhere), (elsewhere, first), (elsewhere, elsewhere)):
        assert proves([*opening, *pair]) is None
    assert checked(bundle([*opening, first, elsewhere])).reason == checked(bundle([*opening, elsewhere, first])).reason


def test_a_third_body_of_who_is_expelled_already() -> None:
    """VERDICT-5, VERDICT-7: it said three things on one previous hash; what decided is what can be shown."""
    one, other = forked()
    place = next(n for n, pair in enumerate(zip(one.frames, other.frames, strict=False)) if pair[0] != pair[1])
    first = open_frame(one.frames[place]).header
    third = one.sign(1, one.body(1, Acted(move="ALLIN", amount=50), seq=first.seq, prev=first.prev))
    one.until_owing(1)
    second = other.frames[place]
    one.cheat(1, second)
    one.turn()
    whole = one.transcript(third)
    for copies in ((whole,), (whole, whole), (whole, transcript(*one.frames[:-2])), (other.transcript(), whole)):
        evidence, made = cut(*copies)
        assert (evidence.form, proves(frames_of(made))) == (Form.EQUIVOCATION, 1)
    fault = replay(whole, games=PLAYED).fault
    assert cut(whole, whole)[0].fault == fault == compare(whole, whole, games=PLAYED).faults[0]


def test_an_old_proof_behind_an_expulsion_is_cut_from_the_message_that_stood() -> None:
    """CHAIN-2, VERDICT-7: not from the one that was refused meanwhile."""
    match = Match(hex_offer(hands=3)).play_to_hand(2).until(Phase.BETTING).until_owing(0)
    old = next(open_frame(f).header for f in reversed(match.frames) if open_frame(f).header.seat == 0)
    match.cheat(0, match.forge(0, Acted(move="CALL", amount=7)))
    match.turn()
    whole = match.transcript(match.sign(0, match.body(0, kind="nonsense", seq=old.seq, prev=old.prev)))
    faults = [fault.code for fault in compare(whole, whole, games=PLAYED).faults]
    assert faults == ["bet.nothing-owed", "chain.equivocation"]
    # Two copies in which the first of them does not count: shown for the second by itself.
    evidence, made = cut(whole)
    assert (evidence.fault.code, proves(frames_of(made))) == ("bet.nothing-owed", 0)


@pytest.mark.parametrize("second", ["settle.wrong", "turn.wrong-kind"])
def test_the_fault_that_is_left_when_a_no_show_is_void(second: str) -> None:
    """VERDICT-2a, VERDICT-7: the late message is built on; what its expeller signed wrong afterwards still convicts."""
    witness = KEYS[8]
    terms = replace(hex_offer(hands=2), witnesses=(witness.public.key,), threshold=1, move_seconds=60)
    one, other = [Match(terms).until(Phase.BETTING) for _ in range(2)]
    silent, state = one.owing, one.state
    cause = sign_receipt(witness, 0, state.agreed.session, state.seq - 1, state.head, silent, 0)
    said = sign_no_show(
        witness, 0, state.agreed, state.seq, state.head, silent, since=0, bank=0, at=60_000, receipt=cause.signature
    )
    one.say(1 - silent, Expelled(seat=silent, record=ZERO_HASH, absent=((silent, (said,)),)))
    wrong: Any = Settled(head=fixed("no head"), stacks=(60, 60), net=(0, 0))
    one.frames.append(one.forge(1 - silent, wrong if second == "settle.wrong" else Shown(seed=fixed("seed"))))
    other.turn().turn()
    for copies in ((one.transcript(), other.transcript()), (other.transcript(), one.transcript())):
        found = compare(*copies, games=PLAYED)
        assert (found.void, [(fault.seat, fault.code) for fault in found.faults]) == ((silent,), [(1 - silent, second)])
        evidence, made = cut(*copies)
        assert (evidence.fault, proves(frames_of(made))) == (found.faults[0], 1 - silent)


def test_a_seat_led_onto_both_branches_is_not_convicted() -> None:
    """CHAIN-2, VERDICT-7: it signed on two previous hashes."""
    one, other = forked()
    place = next(n for n, pair in enumerate(zip(one.frames, other.frames, strict=False)) if pair[0] != pair[1])
    led = open_frame(one.frames[place + 1]).header.seat
    assert led != open_frame(one.frames[place]).header.seat
    for match in (one, other):
        assert proves(match.frames) is None
    assert proves([*one.frames[:OPENING], one.frames[place + 1], other.frames[place + 1]]) is None


# --- gaps ---------------------------------------------------------------------------------------------------


def test_leaving_out_a_bet_makes_no_raise_look_illegal() -> None:
    """VERDICT-7: without the bet the raise follows nothing."""
    match = Match(hex_offer()).until(Phase.BETTING)
    for move in ("BET", "RAISE"):
        match.turn(named(move))
    bet, raised = match.frames[-2:]
    before = match.frames[:-2]
    assert proves([*before, bet, raised]) is None
    assert proves([*before, raised]) is None
    assert proves([*match.frames[:OPENING], raised]) is None
    assert checked(bundle([*before, raised])).reason == "record.wrong-sequence"


def test_the_proof_must_be_the_end() -> None:
    """VERDICT-7: what stands behind it is not judged, so it does not belong there."""
    match = wrong_in_hand(1, 1)
    wrong = match.frames[-1]
    behind = match.sign(0, match.body(0, Shown(seed=fixed("seed"))))
    for more in ((behind,), (behind, behind)):
        assert checked(bundle([*match.frames, *more])).reason == "evidence.more-behind"
    assert checked(bundle([*match.frames, wrong])).reason == "record.duplicate"
    # An expulsion is good, and no fault.
    assert checked(bundle(match.play().frames)).reason == "evidence.no-fault"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "evidence.not-evidence"),
        (MAGIC, "evidence.gap"),
        (MAGIC[:9], "evidence.not-evidence"),
        (MAGIC[:-1], "evidence.not-evidence"),
        (b"dealerless transcript 1\n", "evidence.not-evidence"),
        (b"junk" * 99, "evidence.not-evidence"),
        (MAGIC + b"\xff\xff\xff\xff", "record.too-large"),
        (MAGIC + b"\0\0\0\1x", "record.not-a-frame"),
    ],
)
def test_what_is_no_bundle(data: bytes, reason: str) -> None:
    """VERDICT-8: an answer to any bytes."""
    found = check(data)
    assert (found.fault, found.reason) == (None, reason)


def test_a_fresh_process_with_nothing_else(tmp_path: Path) -> None:
    """VERDICT-7: in an empty folder, without the transcript."""
    data = wrong_in_hand(2, 1).transcript()
    _, made = cut(data)
    path = tmp_path / "proof.dle"
    path.write_bytes(made)
    command = [sys.executable, "-I", "-m", "dealerless", "evidence", "--check", path.name, "--json"]
    run = subprocess.run(command, cwd=tmp_path, env={}, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 1, run.stderr
    fault = json.loads(run.stdout)["fault"]
    expected = replay(data).fault
    assert expected is not None
    assert (fault["seat"], fault["code"], fault["seq"]) == (expected.seat, expected.code, expected.seq)
