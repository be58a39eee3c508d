"""A person leaves between two hands, with processes of their own on both sides: CHAIN-5."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dealerless.protocol.envelope import decode_body
from dealerless.protocol.events import HandStarted, Left
from dealerless.protocol.records import decode_frame, read_records
from dealerless.referee import Outcome, replay
from tests.cli.running import invoke
from tests.cli.test_play import run as play
from tests.net.commands import AUTO, Player, address, hosting, joining, read_until, result, started, two

__all__ = ["address", "two"]

pytestmark = pytest.mark.timeout(300)


def left(transcript: Path) -> list[tuple[int, int]]:
    """Who left, and in place of which hand."""
    told, hands = [], 0
    with transcript.open("rb") as file:
        for record in read_records(file):
            envelope = decode_body(decode_frame(record)[0])
            hands += isinstance(envelope.event, HandStarted)
            if isinstance(envelope.event, Left):
                told.append((envelope.header.seat, hands + 1))
    return told


def test_chain_5_the_guest_leaves_heads_up(two: tuple[Player, Player], address: str) -> None:
    """Asked for in hand 1, signed in place of hand 2, which is its own to start; the other settles alone."""
    host, guest = two
    playing = host.start(*hosting(address, guest, *AUTO, hands=5))
    with started(playing):
        leaving = guest.execute(*joining(address, host))
        with started(leaving):
            assert leaving.stdin is not None
            leaving.stdin.write(b"y\n")
            leaving.stdin.flush()
            read_until(leaving, b"move> ")
            leaving.stdin.write(b"leave\nstay\nleave\n" + b"check\nallin\ny\n" * 20)
            leaving.stdin.flush()
            out, err = leaving.communicate(timeout=60)
        assert (leaving.returncode, result(playing)[0]) == (0, 0), err
    assert b"  you leave, with your chips, when your turn to start a hand comes: it is signed then\n" in out
    assert b"  a hand is yours to start when you have the button; who leaves ranks last, whatever chips it keeps" in out
    assert b"  you stay\n" in out
    assert b"seat 1 (you) leaves the match between two hands, with all chips\n" in out
    assert b"seat 1 (you) left before its end\n" in out
    transcript = guest.home / "match.dlt"
    assert transcript.read_bytes() == (host.home / "match.dlt").read_bytes()
    assert left(transcript) == [(1, 2)]
    verdict = replay(transcript.read_bytes())
    assert (verdict.outcome, verdict.left, verdict.settled) == (Outcome.CLEAN, (1,), (0,))
    told = json.loads(invoke("audit", "--json", str(transcript))[1])
    assert (told["left"], told["won_by"], told["fault"]) == ([1], [0], None)
    text = invoke("audit", str(transcript))[1]
    # TABLE-4: who left is last, whatever it had won; the screen says so as the referee does.
    (won,) = [line for line in text.splitlines() if line.startswith("won by ")]
    assert won.startswith("won by     seat 0 with ")
    assert f"\n{' '.join(won.split())}\n" in out.decode()
    assert "left       seat 1 between two hands, with all chips\n" in text


@pytest.mark.parametrize("more", [(), ("--deal", "deck")])
def test_chain_5_taken_back_it_is_not_signed(tmp_path: Path, more: tuple[str, ...]) -> None:
    words = ("play", "--game", "hex", *more, "--hands", "2", "--depth", "1", "--out", "p.dlt")
    done = play(tmp_path, *words, typed=b"leave\nstay\n" + b"check\nallin\ny\n" * 20)
    assert done.status == 0, done.err
    assert left(tmp_path / "p.dlt") == []
    assert "left before" not in done.out


def test_chain_5_the_host_leaves_three_at_holdem_and_passes_on_what_the_others_say(tmp_path: Path) -> None:
    """It had the button of hand 1, so hand 4 is its own to start, or an earlier one where another is broke by then.

    The others play what is left to the end.
    """
    words = ("play", "--game", "holdem", "--players", "3", "--hands", "5", "--stack", "2000", "--out", "p.dlt")
    done = play(tmp_path, *words, "--json", typed=b"leave\n" + b"fold\ncheck\ny\n" * 200)
    assert done.status == 0, done.err
    ((seat, number),) = left(tmp_path / "p.dlt")
    assert (seat, number in (3, 4)) == (0, True)
    assert "let it run until they are done" in done.err
    verdict = json.loads(done.out)
    assert (verdict["outcome"], verdict["left"], sorted(verdict["settled"])) == ("clean", [0], [1, 2])
    dealt = [hand["dealt"] for hand in verdict["hands"]]
    assert all(0 in seats for seats in dealt[: number - 1])
    assert all(seats == [1, 2] for seats in dealt[number - 1 :])
    assert set(verdict["won_by"]) <= {1, 2}
    # What was in play stays with whom it is.
    assert sum(verdict["stacks"]) == 6000
    assert verdict["stacks"][0] == 2000 + verdict["net"][0]
