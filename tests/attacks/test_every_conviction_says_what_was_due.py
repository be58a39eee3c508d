"""A conviction says what was expected and what was met (VERDICT-2): in every story of the gallery but of proofs."""

from __future__ import annotations

import pytest

from dealerless.encoding import decode, encode
from dealerless.errors import DecodeError
from dealerless.players.gallery import CHEATS
from dealerless.players.staging import Cheat
from dealerless.referee import replay
from tests.matches import random_of

# A proof that does not hold, or a point that is none, is not another value than one that was due.
NAMED = [story for story in CHEATS if not story.code.startswith(("proof.", "group."))]


@pytest.mark.parametrize("story", NAMED, ids=lambda story: story.name)
def test_verdict_2_what_was_expected_and_met(story: Cheat) -> None:
    fault = replay(story.play(random_of(f"due: {story.name}")).transcript).fault
    assert fault is not None
    assert fault.expected is not None
    assert fault.actual is not None
    # A time that is out to the millisecond is out (VERDICT-6).
    assert fault.expected != fault.actual or fault.code == "witness.no-show"


def test_bet_1_the_moves_that_were_legal() -> None:
    """BET-1, BET-2: somebody who did something else could have made one of these."""
    told = {}
    for story in CHEATS:
        if story.name in ("invented-move", "fold-owing-nothing"):
            fault = replay(story.play(random_of(story.name)).transcript).fault
            assert fault is not None
            told[story.name] = fault.expected
    assert told["invented-move"] == ("CALL", "RAISE", "ALLIN", "FOLD")
    assert told["fold-owing-nothing"] == ("CHECK", "BET", "ALLIN")


@pytest.mark.parametrize(
    ("data", "expected", "actual"),
    [
        # Where the bytes first differ, and those from there on.
        ("92cc0001", (1, bytes.fromhex("0001")), (1, bytes.fromhex("cc0001"))),
        ("dc000100", (0, bytes.fromhex("9100")), (0, bytes.fromhex("dc000100"))),
    ],
)
def test_enc_2_which_bytes_are_not_canonical(data: str, expected: object, actual: object) -> None:
    with pytest.raises(DecodeError) as caught:
        decode(bytes.fromhex(data))
    assert (caught.value.code, caught.value.expected, caught.value.actual) == (
        "encoding.non-canonical",
        expected,
        actual,
    )


@pytest.mark.parametrize(("data", "length"), [(encode((1, 2)) + b"\0\0", 3), (b"\x92\1", None), (b"\xc1", None)])
def test_enc_2_how_long_the_one_value_would_have_been(data: bytes, length: int | None) -> None:
    with pytest.raises(DecodeError) as caught:
        decode(data)
    assert (caught.value.code, caught.value.expected, caught.value.actual) == ("encoding.malformed", length, len(data))
