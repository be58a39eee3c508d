"""One Poker over a network: two processes that share nothing, one of which is killed at a lot, a lamp or a lay."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from dealerless.cli.screen import signed
from dealerless.journal.notes import read_notes
from dealerless.protocol.events import CardLaid
from dealerless.referee import Outcome, replay
from dealerless.report.view import view, won_by
from tests.matches import envelopes
from tests.net.mortal import Death
from tests.net.test_many_seats import AUTO, Table, ended
from tests.net.transcripts import frames_of, signed_twice

pytestmark = pytest.mark.timeout(300)


def test_two_processes_play_to_the_end(tmp_path: Path) -> None:
    """ONE-1, ONE-10: the terms with unequal lives are shown to both, and both have the same transcript."""
    table = Table(tmp_path, seats=2, game="onepoker")
    manner = ("--bot", "medium", "--yes", "--wait", "60")
    playing = [table.host(*manner, "--lives", "6/4", "--hands", "3"), table.join(1, *manner)]
    assert [ended(process) for process in playing] == [0, 0], table.said(0)
    copies = table.copies()
    assert copies[0] == copies[1]
    verdict = replay(copies[0])
    assert (verdict.outcome, verdict.game, verdict.dealing, sum(verdict.stacks)) == (
        Outcome.CLEAN,
        "onepoker",
        "shoe",
        10,
    )
    for seat in (0, 1):
        said = table.said(seat)
        assert "lives 6/4\n         seat 0 risks 6, seat 1 risks 4 lives a match\n" in said
        assert ", by lot; it is dealt, lays and bets first\n" in said
        # ONE-10: the lives say who has won, which the net does not; as the referee has it.
        over = f"the match is over: net {signed(verdict.net)}; you are seat {seat}\nwon by {won_by(view(verdict))}\n"
        assert over in said
        assert f" {max(verdict.stacks)} lives\n" in over
        # Each notes why it laid what it laid, and only of its own seat.
        with (table.homes[seat] / "match.dlt.notes").open("rb") as stream:
            notes = [line.noted for line in read_notes(stream, "notes")]
        laid = {note.hand: note.what for note in notes if note.what.startswith("LAY ")}
        assert laid == {hand.number: f"LAY {(hand.hole[seat] or ('',))[0]}" for hand in verdict.hands}
        assert {note.seat for note in notes} == {seat}


@pytest.mark.parametrize(("victim", "count"), [(1, 9), (0, 16), (1, 18), (0, 19)], ids=["lot", "lamp", "lay", "laid"])
def test_one_of_two_is_killed_and_goes_on(tmp_path: Path, victim: int, count: int) -> None:
    """ENC-5, LOT-1, DECK-8: nobody signs twice on one hash, and who comes back still knows its cards and its lay.

    Messages 5 to 8 are the lot, 15 and 16 lamps, 17 and 18 lays, counted from 0.
    """
    table = Table(tmp_path, seats=2, game="onepoker")
    dies = Death(count)
    sat = {0: table.host(*AUTO, "--hands", "2", death=dies if victim == 0 else None)}
    sat[1] = table.join(1, *AUTO, death=dies if victim == 1 else None)
    assert ended(sat[victim]) == -signal.SIGKILL, table.said(victim)
    before = table.copies()[victim]
    assert len(frames_of(before)) == count
    sat[victim] = table.resume(victim)
    assert [ended(process) for process in sat.values()] == [0, 0], table.said(victim)
    copies = table.copies()
    assert copies[0] == copies[1]
    assert copies[victim].startswith(before)
    assert signed_twice(*copies) == []
    verdict = replay(copies[0])
    assert verdict.outcome is Outcome.CLEAN
    assert [hand.result for hand in verdict.hands] == ["showdown"] * 2
    kinds = [envelope.event for envelope in envelopes(frames_of(copies[0]))]
    assert sum(isinstance(event, CardLaid) for event in kinds) == 4
