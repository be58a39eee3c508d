"""Attacks on the order of play: out of turn, twice, skipped, downgraded, as somebody else (CHAIN-1, ENC-4).

That exactly the owed message passes at every state is shown in properties/test_machine.py (P01, P02).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dealerless.errors import DecodeError, IllegalMove, Unattributed, UsageError
from dealerless.protocol.events import Accepted, Acted, Event, HandStarted, LayoutOpened, Mucked, Settled, Shown
from dealerless.protocol.seeds import MemorySecrets
from dealerless.protocol.session import Session
from dealerless.protocol.state import Phase
from dealerless.referee import Outcome
from tests.matches import (
    KEYS,
    PLAYED,
    STRANGER,
    Match,
    body_at,
    by_chance,
    fixed,
    fold,
    hex_offer,
    judged,
    named,
    random_of,
    refused,
    seats_of,
    signed,
    transcript,
)


def test_p01_acting_twice_in_a_row() -> None:
    """P01, HEX-5: a second move at the next place is out of turn, and its author's fault whatever the move is."""
    for move, amount in (("CHECK", 0), ("BET", 10), ("FOLD", 0), ("ALLIN", 50)):
        match = Match(hex_offer()).until(Phase.BETTING)
        mover = match.owing
        match.turn(named("BET"))
        error = match.cheat(mover, match.forge(mover, Acted(move=move, amount=amount)))
        assert error.code == "turn.not-yours"
        match.play()
        verdict = match.verdict()
        assert verdict.fault is not None
        assert verdict.fault.seat == mover
        # VERDICT-4b: ante and bet are lost, the rest is kept.
        assert verdict.stacks[mover] == 40
        assert verdict.stacks[1 - mover] == 80


def test_p02_skipped_phases() -> None:
    """P02: showdown before the betting, moves before the cards, the end before the show: each by the seat that owes."""
    skips: list[tuple[Phase, Event, str]] = [
        (Phase.HAND_STARTING, Acted(move="CHECK", amount=0), "turn.wrong-kind"),
        (Phase.COMMITTING, Acted(move="CHECK", amount=0), "turn.wrong-kind"),
        (Phase.COMMITTING, Shown(seed=fixed("x")), "commit.early-opening"),
        (Phase.LAYOUT_OPENING, Acted(move="CHECK", amount=0), "turn.wrong-kind"),
        (Phase.BETTING, LayoutOpened(seed=fixed("x")), "turn.wrong-kind"),
        (Phase.BETTING, Shown(seed=fixed("x")), "commit.early-opening"),
        (Phase.BETTING, Mucked(), "turn.wrong-kind"),
        (Phase.SHOWING, Acted(move="CHECK", amount=0), "turn.wrong-kind"),
        (Phase.SHOWING, HandStarted(number=2, button=1, stacks=(60, 60), net=(0, 0)), "turn.wrong-kind"),
        (Phase.SHOWING, Settled(head=fixed("x"), stacks=(60, 60), net=(0, 0)), "turn.wrong-kind"),
        (Phase.SETTLING, HandStarted(number=2, button=1, stacks=(60, 60), net=(0, 0)), "turn.wrong-kind"),
    ]
    for phase, event, code in skips:
        match = Match(hex_offer()).until(phase)
        seat = match.owing
        assert match.cheat(seat, match.forge(seat, event)).code == code
        verdict = match.verdict()
        assert verdict.fault is not None
        assert (verdict.fault.seat, verdict.fault.code) == (seat, code)


@pytest.mark.parametrize("times", [1, 100])
def test_p04_retransmission(times: int) -> None:
    """P04: a frame that arrives again, once or a hundred times, changes nothing."""
    match = Match(hex_offer())
    while match.state.phase is not Phase.OVER:
        match.turn(by_chance("p04"))
        before = [session.state for session in match.sessions]
        for _ in range(times):
            for session in match.sessions:
                with pytest.raises(Unattributed) as caught:
                    session.receive(match.frames[-1])
                assert caught.value.code in ("record.duplicate", "record.foreign-session")
        assert [session.state for session in match.sessions] == before
    assert match.verdict().outcome is Outcome.CLEAN


def test_p04_old_frames_again() -> None:
    """P04: the whole match again, in any place: every frame is dropped."""
    match = Match(hex_offer()).play(by_chance("p04"))
    for session in match.sessions:
        for frame in match.frames:
            with pytest.raises(Unattributed):
                session.receive(frame)
        assert session.fault is None


def test_p05_the_man_in_the_middle_edits_the_terms() -> None:
    """P05: suite, version, stakes: whatever is changed on the way is no longer signed."""
    offer = Match(hex_offer()).frames[0]
    for old, new in ((b"sha256", b"md5\0\0\0"), (b"hash", b"deck"), (b"hex", b"toy"), (b"\x97\x01", b"\x97\x02")):
        changed = offer.replace(old, new, 1)
        assert changed != offer
        guest = seats_of(hex_offer())[1]
        with pytest.raises(Unattributed):
            guest.receive(changed)
        assert guest.state.match is None
        assert judged(changed).outcome is Outcome.UNREADABLE


def test_p05_a_downgrade_that_the_host_itself_signs() -> None:
    """P05, ENC-4: a suite outside the client's own policy is never accepted; nor is an unknown suite or version."""
    offer = hex_offer(suite="md5")
    guest = Session(KEYS[1], MemorySecrets(random_of("guest")), PLAYED)
    guest.receive(Match(offer).frames[0])
    with pytest.raises(UsageError) as caught:
        guest.say(Accepted(nonce=bytes(32), channel=b""))
    assert caught.value.code == "offer.suite-refused"
    start = fold([])[0]
    for suite in ("sha1", "md4", "", "MD5", "sha256 "):
        frame = signed(KEYS[0], body_at(start, 0, "offer", hex_offer(suite=suite).fields()))
        with pytest.raises(Unattributed):
            seats_of(offer)[1].receive(frame)
        assert judged(frame).outcome is Outcome.UNREADABLE
    for version in (0, 2, 255):
        frame = signed(KEYS[0], body_at(start, 0, "offer", offer.fields(), version=version))
        with pytest.raises(Unattributed) as unknown:
            seats_of(offer)[1].receive(frame)
        assert unknown.value.code == "record.wrong-version"
        assert judged(frame).outcome is Outcome.UNREADABLE


def test_p06_every_rule_option_is_part_of_the_session() -> None:
    """P06: two who mean different rules are in different sessions and cannot answer each other."""
    offers = [
        hex_offer(),
        hex_offer(show="muck"),
        hex_offer(bet=11),
        hex_offer(depth=6),
        hex_offer(hands=2),
        hex_offer(suite="md5"),
        hex_offer("other nonce"),
        hex_offer(keys=KEYS[1::-1]),
    ]
    matches = [Match(offer, keys=[KEYS[1], KEYS[0]] if offer is offers[-1] else KEYS) for offer in offers]
    sessions = [match.until(Phase.READYING).state.agreed.session for match in matches]
    assert len(set(sessions)) == len(offers)
    for one in matches:
        for other in matches:
            if one is not other:
                with pytest.raises(Unattributed):
                    one.sessions[1].receive(other.forge(0, other.owed_event()))


def test_p08_somebody_else_in_the_seat() -> None:
    """P08: who knows everything but the seat's key speaks for nobody; the pair plays on."""
    match = Match(hex_offer()).until(Phase.BETTING)
    for seat in (0, 1):
        frame = match.sign(seat, match.body(seat, Acted(move="CHECK", amount=0)), key=STRANGER)
        for session in match.sessions:
            with pytest.raises(Unattributed) as caught:
                session.receive(frame)
            assert caught.value.code == "record.bad-signature"
    match.play()
    assert match.verdict().outcome is Outcome.CLEAN


def test_p09_no_rule_is_an_assertion(tmp_path: Path) -> None:
    """P09: under `python -O` the same files get the same verdicts; that no `assert` stands in the package is checked in
    test_source_bans.py."""
    match = Match(hex_offer()).until(Phase.BETTING)
    seat, state = match.owing, match.state
    bad = {
        "clean": Match(hex_offer()).play().frames,
        "amount": [*match.frames, match.forge(seat, Acted(move="BET", amount=-10))],
        "turn": [*match.frames, match.forge(1 - seat, Acted(move="CHECK", amount=0))],
        "seed": [*match.frames, match.forge(seat, Shown(seed=bytes(32)))],
        "bytes": [*match.frames, match.sign(seat, body_at(state, seat, "act", ("CHECK", True, b"")))],
        "weak": [*match.frames[:-1], match.frames[-1][:-64] + bytes(64)],
        "cut": [*match.frames, b"x"],
    }
    names = []
    for name, frames in bad.items():
        (tmp_path / name).write_bytes(transcript(*frames))
        names.append(name)
    outputs = []
    for options in ([], ["-O"], ["-OO"]):
        done = subprocess.run(
            [sys.executable, *options, "-m", "dealerless", "audit", "--json", *names],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            capture_output=True,
            check=False,
        )
        assert done.returncode == 1, done.stderr
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1] == outputs[2]
    found = [verdict["outcome"] for verdict in json.loads(outputs[0])["verdicts"]]
    assert found == ["clean", "fault", "fault", "fault", "fault", "incomplete", "incomplete"]


def test_p10_commitments_in_either_order_of_arrival() -> None:
    """P10, CHAIN-1: the second commitment waits for the first; in whichever order they come, all hold the same in the
    end, and nobody is to blame."""
    states = []
    for order in ((0, 1), (1, 0)):
        match = Match(hex_offer()).until(Phase.COMMITTING)
        watcher = seats_of(hex_offer())[0]
        for frame in match.frames:
            watcher.receive(frame)
        match.turn().turn()
        frames = match.frames[-2:]
        waiting = [frames[place] for place in order]
        while waiting:
            for frame in list(waiting):
                try:
                    watcher.receive(frame)
                except Unattributed:
                    continue
                waiting.remove(frame)
        assert watcher.fault is None
        states.append(watcher.state)
    assert states[0] == states[1]


def test_p10_two_moves_at_the_same_moment() -> None:
    """P10: a move made while the other's is on its way is out of turn; the one whose turn it was is never to blame."""
    match = Match(hex_offer()).until(Phase.BETTING)
    mover = match.owing
    early = match.forge(1 - mover, Acted(move="CHECK", amount=0))
    good = match.sessions[mover].say(Acted(move="CHECK", amount=0))
    assert refused(match.sessions[1 - mover], early).code == "turn.not-yours"
    with pytest.raises(Unattributed):
        match.sessions[mover].receive(early)
    for frames, faulty in (((early, good), 1 - mover), ((good, early), None)):
        fault = match.verdict(*frames).fault
        assert (None if fault is None else fault.seat) == faulty


# --- betting, as far as the table is asked (B01, B02, B17, B18)


@pytest.mark.parametrize("amount", [-1, -50, -(2**63), 51, 2**53, 2**64 - 1, 10 - 1, 10 + 1])
def test_b01_b02_amounts_that_are_not_there(amount: int) -> None:
    """B01, B02, HEX-6: refused unsigned by our own client; signed by another it costs the pot, no chip appears."""
    for move in ("CHECK", "BET", "ALLIN"):
        match = Match(hex_offer()).until(Phase.BETTING)
        seat = match.owing
        before = match.state
        with pytest.raises((IllegalMove, DecodeError)):
            match.sessions[seat].say(Acted(move=move, amount=amount))
        assert match.state is before
        match.cheat(seat, match.forge(seat, Acted(move=move, amount=amount)))
        match.play()
        verdict = match.verdict()
        assert sum(verdict.stacks) == 120
        assert verdict.stacks[seat] == 50


def test_b18_a_hand_that_starts_with_other_stacks() -> None:
    """B18, CHAIN-4: a chip more, another net, another number or button: the proposer's fault, and it is out."""
    for number, button, stacks, net in (
        (2, 1, (61, 60), (0, 0)),
        (2, 1, (60, 60), (1, -1)),
        (2, 0, (60, 60), (0, 0)),
        (1, 1, (60, 60), (0, 0)),
        (3, 1, (60, 60), (0, 0)),
        (2, 1, (50, 70), (0, 0)),
    ):
        match = Match(hex_offer(hands=2)).play_to_hand(2)
        assert match.state.books.net != (0, 0)
        event = HandStarted(number=number, button=button, stacks=stacks, net=net)
        assert match.cheat(1, match.forge(1, event)).code == "chain.wrong-hand"
        match.play()
        verdict = match.verdict()
        assert verdict.forfeits == ()
        assert len(verdict.hands) == 1
        assert verdict.settled == (0,)
