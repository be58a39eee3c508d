"""One Poker told message by message: whom the lot falls on, what the lamps say, what a lay is (LOT-1, ONE-4, ONE-5)."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

from dealerless.referee import replay
from dealerless.report.steps import Step, step
from dealerless.report.text import hand_lines

VECTOR = Path(__file__).parent.parent / "vectors" / "shoe" / "transcripts" / "clean_onepoker-rounds.json"


def test_what_is_told_of_each_kind() -> None:
    """Each kind that only One Poker has says what it claims, what was checked, and what it led to."""
    steps: list[Step] = []
    data = base64.b64decode(json.loads(VECTOR.read_text())["transcript"])
    verdict = replay(
        data, on_frame=lambda before, admitted, after, refusal: steps.append(step(before, admitted, after, refusal))
    )
    of: dict[str | None, list[Step]] = {}
    for each in steps:
        of.setdefault(each.kind, []).append(each)
    assert [len(of[kind]) for kind in ("lot", "lot-open", "key", "class", "lay", "reveal")] == [2, 2, 2, 6, 6, 6]
    assert [each.result for each in of["lot-open"]] == ["", "the lot falls on seat 0"]
    assert {each.claim for each in of["key"]} == {"publishes its key of all shoes of this match"}
    assert {value.what for each in of["lot"] for value in each.values} == {"lot commitment"}
    assert all(each.clause == "DECK-8" for each in of["class"] + of["lay"])
    assert "(lives " in of["offer"][0].claim
    starts = of["hand"]
    assert "starts round 1: seat 0 is to start it, lives " in starts[0].claim
    assert ": priority seat " in starts[1].claim
    said = "\n".join(f"{each.claim} {each.check}" for each in steps)
    assert not re.search(r"button|stack|chips|\bhand's start", said)
    assert {each.check for each in starts} == {"number, priority, lives and net are those the chain implies"}
    # The last round begins with a kept card each and ends with one of each: lamps count both.
    assert [each.result for each in of["class"][-2:]] == [
        "the lamps of seat 1 say 1 UP 1 DOWN",
        "the lamps of seat 0 say 1 UP 1 DOWN",
    ]
    # A lay tells nothing about a card.
    assert {each.result for each in of["lay"]} == {""}
    assert all(each.check for kind in ("lot", "lot-open", "class", "lay") for each in of[kind])
    assert "dealt to it, and nothing else" in of["share"][-1].result
    lines = "\n".join(hand_lines(verdict.hands[1]))
    assert "common" not in lines
    assert "seat 0 opens D8  UP 8" in lines
    assert "seat 1 wins 3 by fold" in lines
