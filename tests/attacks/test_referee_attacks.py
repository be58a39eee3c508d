"""Attacks on the referee itself: make it fail, tire, contradict itself, or believe one side (VERDICT)."""

from __future__ import annotations

import io
import itertools
import os
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dealerless.cli.main import main
from dealerless.crypto.ed25519 import VerifyKey
from dealerless.encoding import MAX_BYTES
from dealerless.errors import Unattributed, UsageError, Violation
from dealerless.games.hex import Hex
from dealerless.protocol import machine
from dealerless.protocol.events import Acted, Event, Expelled, Left, Mucked
from dealerless.protocol.hashdeal import HashDealing
from dealerless.protocol.machine import open_frame, step
from dealerless.protocol.records import MAGIC, encode_frame, encode_record
from dealerless.protocol.state import Phase
from dealerless.protocol.table import RULES
from dealerless.referee import Outcome, replay
from tests.matches import (
    Match,
    by_chance,
    draw_offer,
    envelope_at,
    envelopes,
    fold,
    hex_offer,
    holdem_offer,
    judged,
    named,
    one_offer,
    refused,
)

FROM_DECK = tuple(Match(offer).play().frames for offer in (holdem_offer(), draw_offer(seats=2), one_offer(rounds=1)))
WHOLE = Match(hex_offer(show="muck")).play(named("CHECK BET CALL CHECK CHECK"))


class OursError(Exception):
    """A mistake in our own code."""


def fails(*_: object, **__: object) -> Any:
    raise OursError


# --- R01: an exception of ours is no verdict


# The rows that are met without witnesses.
ROWS = [row for row in RULES if row[1] is not Expelled or row[0] is Phase.EXPELLING]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[1].KIND)
@pytest.mark.parametrize("part", ["check", "apply"])
def test_r01_crash_is_no_escape(row: tuple[Phase, type[Event]], part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """R01, VERDICT-1: a mistake of ours in any check is no verdict at all, neither clean nor against anybody."""
    leaves = Match(hex_offer(hands=2)).until(Phase.HAND_STARTING)
    leaves.say(0, Left())
    shown = Match(hex_offer()).play(named("CHECK CHECK"))
    mucked = Match(hex_offer(show="muck")).until(Phase.SHOWING).turn()
    mucked.say(mucked.owing, Mucked())
    expelled = Match(hex_offer()).until(Phase.BETTING)
    expelled.cheat(1, expelled.forge(1, Left()))
    expelled.play()
    rule = RULES[row]
    monkeypatch.setitem(RULES, row, replace(rule, check=fails) if part == "check" else replace(rule, apply=fails))
    raised = 0
    for frames in (leaves.frames, shown.frames, mucked.frames, expelled.frames, *FROM_DECK):
        if row[1].KIND not in [envelope.event.KIND for envelope in envelopes(frames)]:
            continue
        try:
            judged(*frames)
        except OursError:
            raised += 1
    assert raised


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        (Hex, "check"),
        (Hex, "apply"),
        (Hex, "dealt"),
        (Hex, "read_terms"),
        (HashDealing, "check"),
        (HashDealing, "known"),
        (VerifyKey, "verify"),
        (machine, "body_hash"),
        (machine, "follow"),
        (machine, "decode_body"),
    ],
)
@pytest.mark.parametrize("error", [OursError, KeyError, RecursionError, AssertionError, MemoryError, UsageError])
def test_r01_whatever_is_raised_it_passes_through(
    owner: object, name: str, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """R01: none of these is taken for a broken rule or a damaged file."""

    def fail(*_: object, **__: object) -> Any:
        raise UsageError("usage.bad-value") if error is UsageError else error("ours")

    if name == "body_hash":
        monkeypatch.setattr("dealerless.protocol.envelope.body_hash", fail)
    monkeypatch.setattr(owner, name, fail)
    with pytest.raises(error):
        judged(*WHOLE.frames)


def test_r01_also_on_the_second_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """R01: signatures that are checked ahead fail as loudly as those checked in their turn."""
    match = Match(hex_offer(hands=20)).play()
    assert len(match.frames) > 180
    verify, main_thread = VerifyKey.verify, threading.current_thread().name

    def fail(self: VerifyKey, message: bytes, signature: bytes) -> None:
        if threading.current_thread().name != main_thread:
            raise OursError
        verify(self, message, signature)

    monkeypatch.setattr(VerifyKey, "verify", fail)
    with pytest.raises(OursError):
        match.verdict()


def test_r01_the_command_says_that_it_is_our_mistake(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """R01, VERDICT-1: exit 70, nothing on stdout that could be taken for a verdict, blame none."""
    (tmp_path / "match").write_bytes(WHOLE.transcript())
    monkeypatch.setattr(HashDealing, "check", fails)
    assert main(["audit", "--json", str(tmp_path / "match")]) == 70
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")
    assert "Traceback" not in err


def test_r01_signatures_checked_ahead_are_the_same_signatures() -> None:
    """SIG-2: in a long match one bad signature is found wherever it stands, on whichever thread it is checked."""
    match = Match(hex_offer(hands=20)).play()
    for at in (4, 63, 64, 65, 66, 127, 128, 129, 150, 151):
        frame = match.frames[at]
        spoiled = [*match.frames[:at], frame[:-1] + bytes([frame[-1] ^ 1]), *match.frames[at + 1 :]]
        verdict = judged(*spoiled)
        assert verdict.damage is not None
        assert (verdict.damage.record, verdict.damage.reason) == (at, "record.bad-signature")


# --- R02, R05, R10, R12: one side's story


def test_r02_framing_by_withholding() -> None:
    """R02: a copy without the other's last message says who owes in this copy and accuses nobody; both copies together
    say the truth."""
    match = Match(hex_offer()).until(Phase.BETTING)
    accused = match.owing
    accusers_copy = list(match.frames)
    match.turn(named("BET"))
    for frames, owing in ((accusers_copy, accused), (match.frames, 1 - accused)):
        verdict = judged(*frames)
        assert verdict.outcome is Outcome.INCOMPLETE
        assert verdict.fault is None
        assert verdict.forfeits == ()
        assert verdict.owes is not None
        assert verdict.owes.seat == owing
        assert verdict.stacks == (60, 60)


def test_r05_the_first_fault_decides() -> None:
    """R05, VERDICT-2: what the other seat does after it, wrong as it may be, changes neither fault nor forfeit."""
    match = Match(hex_offer()).until(Phase.LAYOUT_OPENING)
    first = match.sign(0, match.body(0, kind="layout", fields=(bytes(32),)))
    reactions = [
        match.forge(1, Acted(move="FOLD", amount=0)),
        match.sign(1, match.body(1, kind="layout", fields=(bytes(32),))),
        match.forge(1, Acted(move="BET", amount=-1)),
        match.sign(1, match.body(1, kind="expel", fields=(0, bytes(32)))),
    ]
    for length in range(3):
        for later in itertools.permutations(reactions, length):
            verdict = match.verdict(first, *later)
            assert verdict.fault is not None
            assert (verdict.fault.seat, verdict.fault.code) == (0, "commit.wrong-opening")
            assert verdict.stacks == (50, 70)


def test_r05_a_flood_of_refused_messages_is_bounded() -> None:
    """CHAIN-5, VERDICT-8: the first and the last 999 are kept, and the expulsion may be of any of them."""
    match = Match(hex_offer()).until(Phase.BETTING)
    session = match.sessions[0]
    flood = [match.forge(1, Acted(move="BET", amount=-1 - number)) for number in range(1005)]
    for frame in flood:
        assert isinstance(refused(session, frame), Violation)
    kept = session.state.refused
    assert kept is not None
    records = [open_frame(frame).record for frame in flood]
    assert [each.record for each in kept.every] == [records[0], *records[-999:]]
    for record in (records[0], records[-1]):
        step(session.state, envelope_at(session.state, 0, Expelled(seat=1, record=record)))
    with pytest.raises(Unattributed):
        step(session.state, envelope_at(session.state, 0, Expelled(seat=1, record=records[1])))


def test_r05_after_the_expulsion_the_chain_goes_on() -> None:
    """R05: a fault of the other seat after the expulsion changes neither the first fault nor the forfeit."""
    match = Match(hex_offer()).until(Phase.BETTING)
    match.cheat(1, match.forge(1, Acted(move="BET", amount=11)))
    match.turn()
    assert match.state.phase is Phase.SETTLING
    wrong = match.sign(0, match.body(0, kind="settle", fields=(match.state.end_head, (120, 0), (60, -60))))
    verdict = match.verdict(wrong)
    assert verdict.fault is not None
    assert (verdict.fault.seat, verdict.fault.code) == (1, "bet.wrong-amount")
    assert verdict.stacks == (70, 50)
    assert verdict.settled == ()


def test_r10_an_unfinished_hand_has_no_winner() -> None:
    """R10: chips in the pot are reported as such; nothing is paid, and stacks are those before the hand."""
    match = Match(hex_offer()).play(named("BET RAISE CALL BET CALL CHECK CHECK"))
    for count, state in enumerate(fold(match.frames)):
        if state.play is not None:
            verdict = judged(*match.frames[:count])
            assert verdict.hands[-1].winners == ()
            assert verdict.hands[-1].result == "running"
            assert verdict.stacks == (60, 60)
            assert verdict.net == (0, 0)


def test_r12_two_openings_two_moves_two_results() -> None:
    """R12: contradictory evidence is a proof against who signed both, never silently the first or the last."""
    for phase in (Phase.COMMITTING, Phase.LAYOUT_OPENING, Phase.BETTING, Phase.SHOWING, Phase.SETTLING):
        match = Match(hex_offer()).until(phase)
        seat, state = match.owing, match.state
        first = match.forge(seat, match.owed_event())
        for kind, fields in (("leave", ()), ("act", ("FOLD", 0, b"")), ("layout", (bytes(32),)), ("settle", ())):
            second = match.sign(seat, match.body(seat, kind=kind, fields=fields))
            verdict = match.verdict(first, second)
            assert verdict.fault is not None
            assert (verdict.fault.seat, verdict.fault.code) == (seat, "chain.equivocation")
            assert verdict.frames == len(match.frames) + 1
            assert fold([*match.frames, first])[-1].head == verdict.head
            assert state.seq + 1 == verdict.frames


# --- R04: the same everywhere


def test_r04_the_same_bytes_give_the_same_verdict(tmp_path: Path) -> None:
    """R04: whatever the hash seed, the locale and the time zone are."""
    match = Match(hex_offer(hands=3)).until(Phase.BETTING, choose=by_chance("r04"))
    (tmp_path / "good").write_bytes(WHOLE.transcript())
    (tmp_path / "bad").write_bytes(match.transcript(match.forge(match.owing, Acted(move="BET", amount=1))))
    outputs = set()
    for seed, language, zone in (("0", "C", "UTC"), ("1", "tr_TR.UTF-8", "Pacific/Kiritimati"), ("77", "C.UTF-8", "")):
        done = subprocess.run(
            [sys.executable, "-m", "dealerless", "audit", "--json", "good", "bad"],
            cwd=tmp_path,
            env={
                **os.environ,
                "PYTHONPATH": str(Path(__file__).parents[2]),
                "PYTHONHASHSEED": seed,
                "LANG": language,
                "LC_ALL": language,
                "TZ": zone,
            },
            capture_output=True,
            check=False,
        )
        assert done.returncode == 1, done.stderr
        outputs.add(done.stdout)
    assert len(outputs) == 1


# --- R08: tired out


class Endless(io.RawIOBase):
    """A file that begins well and never ends; it counts what is read of it."""

    def __init__(self, beginning: bytes, then: Callable[[], bytes]) -> None:
        self.rest = beginning
        self.then = then
        self.given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self.rest:
            self.rest = self.then()
        size = min(len(buffer), len(self.rest), 1 << 16)
        buffer[:size], self.rest = self.rest[:size], self.rest[size:]
        self.given += size
        return size


@pytest.mark.parametrize("opened", [0, 4, 15])
def test_r08_endless_input(opened: int) -> None:
    """R08, VERDICT-8: however long the file is, reading ends soon after the first record that proves nothing, and
    memory with it."""
    frames = WHOLE.frames[:opened]
    junk = signed_by_nobody(MAX_BYTES - 100)
    sources = {
        "zeros": lambda: bytes(1 << 16),
        "large records": lambda: encode_record(junk),
        "the same message": lambda: encode_record(WHOLE.frames[max(opened - 1, 0)]),
        "text": lambda: b"SSH-2.0-OpenSSH\r\n" * 100,
    }
    for then in sources.values():
        stream = Endless(MAGIC + b"".join(map(encode_record, frames)), then)
        tracemalloc.start()
        begun = time.monotonic()
        verdict = replay(stream)  # type: ignore[arg-type]
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert verdict.fault is None
        assert verdict.damage is not None
        assert verdict.damage.record <= opened + 1
        # Two batches of the lookahead, of the largest records.
        assert stream.given <= 130 * MAX_BYTES
        assert peak < 130 * MAX_BYTES
        assert time.monotonic() - begun < 10


def signed_by_nobody(size: int) -> bytes:
    return encode_frame(b"\x97" + b"\x01" * size, bytes(64))


@pytest.mark.parametrize(
    "header", [b"\xdc\xff\xff", b"\xdd\x00\x03\xff\xff", b"\xdd\xff\xff\xff\xff", b"\x91", b"\xdf\x00\x03\xff\xff"]
)
def test_r08_nested_headers_ask_for_no_memory(header: bytes) -> None:
    """R08, M06: also where a body is read leniently, to learn whose it is."""
    match = Match(hex_offer()).until(Phase.BETTING)
    body = (b"\x97" + header * 1000).ljust(6000, b"\0")
    tracemalloc.start()
    verdict = match.verdict(match.sign(0, body))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert verdict.fault is None
    assert peak < 4 << 20


def test_r08_a_signed_body_full_of_digits() -> None:
    """R08: the largest frame a peer can sign is refused by its size, at once."""
    match = Match(hex_offer()).until(Phase.BETTING)
    seat = match.owing
    frame = match.sign(seat, match.body(seat, kind="act", fields=("9" * (MAX_BYTES - 500), 0, b"")))
    begun = time.monotonic()
    assert match.cheat(seat, frame).code == "encoding.too-large"
    assert time.monotonic() - begun < 1


def test_r08_memory_stays_flat() -> None:
    """R08: with `on_hand` a match of any length is judged in the same memory."""
    peaks = []
    for hands in (10, 40):
        data = Match(hex_offer(hands=hands)).play().transcript()
        replay(data, on_hand=lambda hand: None)
        tracemalloc.start()
        verdict = replay(io.BytesIO(data), on_hand=lambda hand: None)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert verdict.outcome is Outcome.CLEAN
        assert verdict.hands == ()
    assert peaks[1] < peaks[0] + (1 << 20)


def test_r09_the_blamed_are_seats_and_keys() -> None:
    """R09: names are data; two seats called alike, or like a verdict, are told apart by seat and fingerprint."""
    offer = hex_offer()
    named_alike = replace(offer, players=tuple((key, "seat 1") for key, _ in offer.players))
    match = Match(named_alike).until(Phase.BETTING)
    verdict = match.verdict(match.forge(0, Acted(move="BET", amount=1)))
    assert verdict.fault is not None
    assert verdict.fault.seat == 0
    assert len({player.fingerprint for player in verdict.players}) == 2
