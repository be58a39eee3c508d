"""What single vectors say, in numbers worked out by hand: b = 10, S = 50, so a seat brings 60 to a hand."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from dealerless.referee import Outcome, Verdict, replay

HERE = Path(__file__).parent / "transcripts"


def verdict_on(name: str) -> Verdict:
    return replay(base64.b64decode(json.loads((HERE / f"{name}.json").read_text())["transcript"]))


def test_a_fold_gives_the_pot_to_the_other() -> None:
    """HEX-9, HEX-13: check, bet 10, fold; the pot of 30 goes to seat 0, who has 40 behind."""
    verdict = verdict_on("clean_fold")
    assert (verdict.stacks, verdict.net) == ((70, 50), (10, -10))
    assert verdict.hands[0].hole == (None, None)


def test_a_match_ends_after_its_hands() -> None:
    """TABLE-1, TABLE-2, TABLE-4, HEX-2: three hands, the opener alternates, all start with 60 from each seat."""
    verdict = verdict_on("clean_match-of-three")
    assert verdict.outcome is Outcome.CLEAN
    assert [(hand.number, hand.button) for hand in verdict.hands] == [(1, 0), (2, 1), (3, 0)]
    assert [hand.before for hand in verdict.hands] == [(60, 60)] * 3
    assert [hand.actions[0].seat for hand in verdict.hands] == [1, 0, 1]
    changes = [hand.changes for hand in verdict.hands]
    assert verdict.net == (sum(change[0] for change in changes), sum(change[1] for change in changes))
    assert changes[1] == (10, -10)


def test_whoever_leaves_ends_a_match_of_two() -> None:
    """TABLE-4, CHAIN-5: no fault, no chip lost; only the one who stays settles."""
    verdict = verdict_on("clean_left")
    assert verdict.outcome is Outcome.CLEAN
    assert (len(verdict.hands), verdict.stacks, verdict.net) == (1, (50, 70), (-10, 10))
    assert (verdict.settled, verdict.settling) == ((0,), (0,))


def test_refusing_to_commit_costs_the_ante_and_is_no_new_deal() -> None:
    """COMMIT-4, VERDICT-4: the ante was in the pot before the first commitment."""
    verdict = verdict_on("encoding_unknown-kind-expelled")
    assert (verdict.stacks, verdict.net) == ((50, 70), (-10, 10))
    assert [(loss.seat, loss.hand, loss.amount) for loss in verdict.forfeits] == [(0, 1, 10)]
    assert [hand.result for hand in verdict.hands] == ["forfeit"]
    assert verdict.settled == (1,)


def test_a_fault_without_expulsion_is_counted_as_if_it_were_there() -> None:
    """VERDICT-3: seat 1 bet 10 and seat 0 signed a call of 9: seat 0 has lost its ante, the hand stays running."""
    open_, expelled = verdict_on("bet_wrong-amount-call-short"), verdict_on("bet_wrong-amount-expelled")
    assert open_.stacks == expelled.stacks == (50, 70)
    assert open_.net == expelled.net == (-10, 10)
    assert [hand.result for hand in open_.hands] == ["running"]
    assert [hand.result for hand in expelled.hands] == ["forfeit"]
    assert [(loss.seat, loss.amount) for loss in open_.forfeits] == [(0, 10)]
    assert open_.owes is None


def test_an_equivocator_forfeits_where_the_expulsion_stands() -> None:
    """VERDICT-2a, CHAIN-2: seat 1's bet was called, so 20 of its chips are in the pot, and that is what it loses."""
    verdict = verdict_on("chain_equivocation-expelled")
    assert [(loss.seat, loss.amount, loss.code) for loss in verdict.forfeits] == [(1, 20, "chain.equivocation")]
    assert verdict.stacks == (80, 40)
    assert [action.move for action in verdict.hands[0].actions] == ["BET", "CALL"]


def test_between_hands_and_while_settling_no_chip_moves() -> None:
    """VERDICT-2a, CHAIN-3: a fault after a hand leaves its result as it was."""
    assert verdict_on("turn_wrong-kind-expelled").stacks == (50, 70)
    wrong = verdict_on("settle_wrong-stacks")
    assert (wrong.stacks, wrong.forfeits) == ((50, 70), ())


def test_a_copy_cut_short_says_who_owes_what() -> None:
    """VERDICT-3: bet 10, raise 20: seat 1 owes an answer; if it forfeits, its 20 in the pot are lost."""
    verdict = verdict_on("incomplete_move-owed")
    assert verdict.outcome is Outcome.INCOMPLETE
    assert verdict.owes is not None
    assert verdict.pending is not None
    assert (verdict.owes.seat, verdict.owes.kinds) == (1, ("act",))
    assert (verdict.stacks, verdict.pending.pot, verdict.pending.if_forfeit) == ((60, 60), (30, 20), (80, 40))


@pytest.mark.parametrize("name", ["incomplete_empty", "record_truncated-magic", "record_truncated-first"])
def test_a_copy_cut_before_its_offer_is_incomplete(name: str) -> None:
    """CHAIN-3, VERDICT-1: shorter copies of a good file are not another kind of file."""
    assert verdict_on(name).outcome is Outcome.INCOMPLETE


def test_seats_without_chips_settle_last() -> None:
    """CHAIN-3."""
    verdict = verdict_on("clean_busted-signs-last")
    assert verdict.stacks[verdict.settled[0]] == 40
    assert verdict.stacks[verdict.settled[1]] == 0
