"""Every check of the referee is in its reports, under the number it has in the referee, with what it found."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import pytest

from dealerless.errors import CODES
from dealerless.protocol.events import Acted, HandStarted
from dealerless.protocol.state import Phase
from dealerless.protocol.table import RULES
from dealerless.referee import Outcome, replay
from dealerless.report.checks import REFEREE_CHECKS, Check, Tally, check_of
from dealerless.report.steps import COMMON_CHECKS
from tests.cli.conftest import clean_bytes, fault_bytes
from tests.cli.matches import offer, play
from tests.matches import PLAYED, Match, toy_offer, transcript

TRANSCRIPTS = Path(__file__).parents[1] / "vectors" / "transcripts"


def checked(data: bytes) -> tuple[Check, ...]:
    tally = Tally()
    return tally.checks(replay(data, on_frame=tally.on_frame, games=PLAYED))


def vector(name: str) -> bytes:
    return base64.b64decode(json.loads((TRANSCRIPTS / f"{name}.json").read_text("utf-8"))["transcript"])


def test_the_list_is_the_referees() -> None:
    """Number by number the same clauses, and the table's own check where the referee has it."""
    listed = re.findall(r"(?m)^ +([1-8])\. (.*?)[;.]$", replay.__doc__ or "")
    assert [int(number) for number, _ in listed] == list(range(1, len(REFEREE_CHECKS) + 1))
    for (_, line), (_, clauses) in zip(listed, REFEREE_CHECKS, strict=True):
        assert set(re.findall(r"[A-Z]+-[0-9]+", line)) == set(clauses)
    assert {clause for clause, _ in COMMON_CHECKS} <= {clause for _, clauses in REFEREE_CHECKS for clause in clauses}


def test_a_clean_match_passes_all_of_them() -> None:
    data = clean_bytes()
    checks = checked(data)
    frames = replay(data).frames
    assert [check.state for check in checks] == ["passed"] * 8
    assert [check.passed for check in checks[:-1]] == [frames] * 7
    kinds = {kind.kind: kind for kind in checks[6].kinds}
    assert sum(kind.passed for kind in kinds.values()) == frames
    assert {name: kind.passed for name, kind in kinds.items()} == {
        "offer": 1,
        "accept": 1,
        "ready": 2,
        "hand": 3,
        "commit": 6,
        "layout": 6,
        "act": 9,
        "show": 4,
        "settle": 2,
    }
    # How a move is checked is the game's own to say, not the table's.
    clauses = {event.KIND: rule.clause for (_, event), rule in RULES.items()} | {"act": "HEX-6"}
    assert all(kind.clause == clauses[name] for name, kind in kinds.items())
    assert checks[7].result == "the match is over; 2 of 2 settlements"


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("record_not-a-transcript", 1),
        ("record_truncated", 1),
        ("record_too-large", 1),
        ("record_not-a-frame", 2),
        ("record_no-header", 3),
        ("record_wrong-version", 3),
        ("record_foreign-session", 3),
        ("record_unknown-seat", 3),
        ("record_duplicate", 3),
        ("record_wrong-sequence", 3),
        ("record_broken-link", 3),
        ("record_bad-signature", 4),
        ("offer_long-name", 5),
        ("opening_wrong-seat", 6),
        ("terms_unknown-game", 7),
        ("signature_weak-key", 7),
        ("encoding_non-canonical", 5),
        ("encoding_unknown-kind", 5),
        ("turn_not-yours", 6),
        ("turn_match-over", 6),
        ("commit_early-opening", 6),
        ("commit_wrong-opening", 7),
        ("bet_nothing-owed", 7),
        ("show_may-not-muck", 7),
        ("settle_wrong-head", 7),
        ("chain_wrong-hand-stacks", 7),
    ],
)
def test_a_defect_fails_the_check_that_finds_it(name: str, number: int) -> None:
    """VERDICT-1: and everything before it is passed by as many records as there are."""
    data = vector(name)
    checks = checked(data)
    verdict = replay(data)
    assert [check.number for check in checks[:7] if check.state == "failed"] == [number]
    for check in checks[:7]:
        assert check.passed == verdict.frames + (check.number < number)
    assert checks[7].state in ("not reached", "failed", "passed")


def test_every_code_of_damage_has_its_check() -> None:
    """None falls to the table's own check unless that is where it is found."""
    own = {"record.before-ready", "record.refused-missing", "record.proof-kept", "record.after-fault"}
    for code in CODES:
        if code.startswith("record.") and code not in own:
            assert check_of(code) in (1, 2, 3, 4), code


def test_the_end_is_a_check_of_its_own() -> None:
    """CHAIN-3: not over is not failed by anybody, and a fault or damage before it leaves it unreached."""
    frames = play(terms=offer(hands=1)).frames
    assert checked(transcript(*frames[:-3]))[7].state == "failed"
    assert checked(transcript(*frames[:-3]))[7].result == "the match is not over in this copy"
    assert checked(fault_bytes())[7].state == "not reached"
    assert checked(transcript(*frames)[:-3])[7].state == "not reached"
    assert replay(transcript(*frames[:-1])).outcome is Outcome.CLEAN
    assert checked(transcript(*frames[:-1]))[7].result == "the match is over; 1 of 2 settlements; missing from seat 1"


def test_a_second_fault_is_counted_too() -> None:
    """VERDICT-2: after an expulsion everything is judged again; the first fault stays the one that is named."""
    match = Match(toy_offer(seats=3, hands=2)).until(Phase.BETTING)
    first = match.owing
    match.cheat(first, match.forge(first, Acted(move="WIN", amount=0)))
    match.turn().until(Phase.BETTING)
    second = match.owing
    match.cheat(second, match.forge(second, HandStarted(number=1, button=0, stacks=(1, 1, 1), net=(0, 0, 0))))
    checks = checked(match.transcript())
    assert f"broken by seat {first} in message" in checks[6].result
    assert checks[5].result.endswith("; failed by 1 message after the first fault")
    assert [check.number for check in checks if check.state == "failed"] == [6, 7]
