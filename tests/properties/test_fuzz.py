"""A few seconds of the referee's fuzzer, the same executions every time; `make fuzz` goes on longer."""

from __future__ import annotations

import random

import pytest

from dealerless.protocol.events import KINDS
from dealerless.protocol.state import Phase
from tests.fuzz.bases import BASES, POOL
from tests.fuzz.harness import Tally, execute

EXECUTIONS = 150


@pytest.mark.parametrize("seed", range(4))
def test_verdict_1_signed_again_and_linked(seed: int) -> None:
    """VERDICT-1, VERDICT-8: the harness itself holds every verdict against what was signed; here that it gets there."""
    numbers, tally = random.Random(seed), Tally()
    for _ in range(EXECUTIONS):
        execute(numbers.randbytes(numbers.randrange(8, 160)), tally)
    assert tally.executions == EXECUTIONS
    assert tally.share > 0.3
    assert tally.compared > EXECUTIONS // 5
    assert {"fault", "incomplete"} <= tally.outcomes
    assert len(tally.codes) > 20


def test_the_fuzzer_starts_everywhere_and_says_everything() -> None:
    """Every phase that honest play comes to is among its beginnings, every kind of message among what it says."""
    phases = {state.phase for base in BASES for state in base.states}
    assert phases == set(Phase) - {Phase.EXPELLING}
    assert {event.KIND for event in POOL} == set(KINDS)


def test_no_choices_at_all() -> None:
    execute(b"", Tally())
