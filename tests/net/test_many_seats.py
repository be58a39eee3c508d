"""Hold'em and draw for three over a network: who joins, who dies and comes back, who has no chips, who is expelled."""

from __future__ import annotations

import asyncio
import json
import signal
from dataclasses import replace
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest

from dealerless.games.holdem import HOLDEM
from dealerless.journal.identity import create_identity
from dealerless.journal.notes import read_notes
from dealerless.net.offers import Proposal
from dealerless.net.seating import Ending
from dealerless.protocol.opening import USUAL_SUITES
from dealerless.protocol.state import Phase, State
from dealerless.referee import Outcome, fingerprint, replay
from tests.net.mortal import Death, free_port, start
from tests.net.tables import Seat, play, run
from tests.net.transcripts import frames_of, signed_twice
from tests.witness.boards import BANK, MOVE, Caller, Sleeper, Witness

pytestmark = pytest.mark.timeout(300)


class Table:
    """A host and guests, each a process with a home of its own."""

    def __init__(self, folder: Path, seats: int = 3, game: str = "holdem") -> None:
        self.game = game
        self.homes = [folder / f"seat{seat}" for seat in range(seats)]
        self.keys = []
        for home in self.homes:
            home.mkdir(parents=True)
            key = create_identity(home / ".config" / "dealerless" / "identity.pem", None)
            self.keys.append(key.public.key.hex())
        self.address = f"127.0.0.1:{free_port()}"

    def host(self, *terms: str, death: Death | None = None, typed: bytes = b"") -> ForkServerProcess:
        kept = [word for key in self.keys[1:] for word in ("--expect", key)]
        seats = ("--game", self.game, "--seats", str(len(self.homes)), "--listen", self.address, *kept)
        return start(self.homes[0], "first", "host", *seats, *terms, "--out", "match.dlt", death=death, typed=typed)

    def join(self, seat: int, *manner: str, death: Death | None = None, typed: bytes = b"") -> ForkServerProcess:
        words = ("join", self.address, "--pin", self.keys[0], "--name", f"guest {seat}", "--out", "match.dlt")
        return start(self.homes[seat], "first", *words, *manner, death=death, typed=typed)

    def resume(self, seat: int) -> ForkServerProcess:
        return start(self.homes[seat], "again", "resume", "match.dlt", self.address, *AUTO)

    def said(self, seat: int) -> str:
        home = self.homes[seat]
        return "".join([file.read_text() for file in sorted(home.parent.glob(f"{home.name}.*"))])

    def copies(self) -> list[bytes]:
        return [(home / "match.dlt").read_bytes() for home in self.homes]


AUTO = ("--auto", "--yes", "--wait", "60")


def ended(process: ForkServerProcess) -> int | None:
    process.join(120)
    return process.exitcode


def test_three_processes_play_and_the_host_sees_who_joins(tmp_path: Path) -> None:
    """Each seat has the name and the key it came with, in the order in which they are kept for it."""
    table = Table(tmp_path)
    playing = [table.host(*AUTO, "--hands", "2", "--blinds", "5/10", "--ante", "1", "--stack", "300")]
    # The later seat comes first.
    playing += [table.join(2, *AUTO, "--json"), table.join(1, *AUTO)]
    assert [ended(process) for process in playing] == [0, 0, 0], table.said(0)
    copies = table.copies()
    assert len(set(copies)) == 1
    verdict = replay(copies[0])
    assert (verdict.outcome, tuple(sorted(verdict.settled))) == (Outcome.CLEAN, (0, 1, 2))
    assert [player.key.hex() for player in verdict.players] == table.keys
    said = table.said(0)
    assert f"each of the 2 others joins with:\n  dealerless join {table.address} --pin {table.keys[0]}\n" in said
    for seat in (1, 2):
        who = f"key fingerprint {fingerprint(bytes.fromhex(table.keys[seat]))}"
        assert f'seat {seat} has joined: {who} name "guest {seat}"; ' in said
        # Whoever joins is shown all seats before it accepts.
        assert table.said(seat).count("(fingerprint ") == 3
        assert "structure no-limit, small blind 5, big blind 10, ante 1, stack 300, show all" in table.said(seat)
    assert said.count("; 1 of 2 are here\n") == 1
    assert said.count("; 2 of 2 are here\n") == 1
    (line,) = [line for line in table.said(2).splitlines() if line.startswith("{")]
    assert json.loads(line)["outcome"] == "clean"


@pytest.mark.parametrize(("victim", "counts"), [(0, (11, 18)), (2, (12, 17))], ids=["host", "joiner"])
def test_one_of_three_is_killed_and_resumes(tmp_path: Path, victim: int, counts: tuple[int, int]) -> None:
    """ENC-5: kill -9 in the shuffles and in the betting; the others wait, and nobody signs twice on one hash.

    Messages 11 to 13 are shuffles, and from 17 on there are moves, two at least.
    """
    for count in counts:
        table = Table(tmp_path / str(count))
        sat = {0: table.host(*AUTO, "--hands", "1", death=Death(count) if victim == 0 else None)}
        sat |= {seat: table.join(seat, *AUTO, death=Death(count) if victim == seat else None) for seat in (1, 2)}
        assert ended(sat[victim]) == -signal.SIGKILL, table.said(victim)
        before = table.copies()[victim]
        assert len(frames_of(before)) == count
        sat[victim] = table.resume(victim)
        assert [ended(process) for process in sat.values()] == [0, 0, 0], table.said(victim)
        if victim == 0:
            assert f"dealerless resume FILE {table.address}   (FILE is their own transcript)\n" in table.said(0)
        copies = table.copies()
        assert copies[victim].startswith(before)
        assert signed_twice(*copies) == []
        assert len(set(copies)) == 1
        assert replay(copies[0]).outcome is Outcome.CLEAN


@pytest.mark.parametrize(("victim", "count"), [(2, 23), (0, 24)], ids=["joiner", "host"])
def test_one_of_three_at_draw_is_killed_at_an_exchange_and_resumes(tmp_path: Path, victim: int, count: int) -> None:
    """ENC-5, DECK-7: right after its own exchange, and while another one is dealt; a computer player goes on for it.

    Messages 16 to 18 are checks, 19, 22 and 25 exchanges, each followed by the shares of the two others.
    """
    table = Table(tmp_path, game="draw")
    typed = b"y\ncheck\n1 2\n" + b"check\ncall\n" * 6
    dies = Death(count)
    sat = {0: table.host("--wait", "60", "--hands", "1", typed=typed, death=dies if victim == 0 else None)}
    sat |= {
        seat: table.join(seat, "--wait", "60", typed=typed, death=dies if victim == seat else None) for seat in (1, 2)
    }
    assert ended(sat[victim]) == -signal.SIGKILL, table.said(victim)
    before = table.copies()[victim]
    assert len(frames_of(before)) == count
    sat[victim] = table.resume(victim)
    assert [ended(process) for process in sat.values()] == [0, 0, 0], table.said(victim)
    copies = table.copies()
    assert copies[victim].startswith(before)
    assert signed_twice(*copies) == []
    assert len(set(copies)) == 1
    verdict = replay(copies[0])
    assert verdict.outcome is Outcome.CLEAN
    exchanged = {action.seat: action.amount for action in verdict.hands[0].actions if action.move == "EXCHANGE"}
    assert set(exchanged) == {0, 1, 2}
    assert {exchanged[seat] for seat in range(3) if seat != victim or victim == 2} == {2}
    # Only who has played for it has noted anything, and only what came then.
    with (table.homes[victim] / "match.dlt.notes").open("rb") as stream:
        notes = list(read_notes(stream, "notes"))
    assert {(line.session, line.noted.seat) for line in notes} == {(verdict.session, victim)}
    assert [line.noted.what.split()[0] for line in notes] == ([] if victim else ["EXCHANGE"]) + [
        action.move for action in verdict.hands[0].actions[6:] if action.seat == victim
    ]
    assert [(home / "match.dlt.notes").exists() for home in table.homes] == [seat == victim for seat in range(3)]
    assert "  seat 1 exchanges 2 cards" in table.said(2)


def test_a_seat_without_chips_signs_the_end(tmp_path: Path) -> None:
    """TABLE-4, CHAIN-3: with three big blinds somebody is soon out; it is told so, stays, and settles last."""
    table = Table(tmp_path)
    # All three call everything, so that all that is decided is who is out first.
    calls = b"y\n" + b"call\ncheck\n" * 200
    playing = [table.host("--wait", "60", "--hands", "40", "--blinds", "2/2", "--stack", "4", typed=calls)]
    playing += [table.join(seat, "--wait", "60", typed=calls) for seat in (1, 2)]
    assert [ended(process) for process in playing] == [0, 0, 0], table.said(0)
    verdict = replay(table.copies()[0])
    assert verdict.outcome is Outcome.CLEAN
    busted = [seat for seat in range(3) if not verdict.stacks[seat]]
    assert busted
    assert verdict.settled == tuple(sorted(range(3), key=lambda seat: (seat in busted, seat)))
    for seat in range(3):
        said = table.said(seat)
        assert "the match is over: net " in said
        for out in busted:
            who = f"seat {out} (you)" if out == seat else f"seat {out}"
            assert f"  {who} is out of chips, and signs the end with the others" in said


@pytest.mark.parametrize("refuser", [0, 2])
def test_who_declines_the_terms_is_named_to_all(tmp_path: Path, refuser: int) -> None:
    """WIRE-4: it is no fault of the network, nobody waits, and nothing is left behind."""
    table = Table(tmp_path)
    playing = [table.host(*([] if refuser == 0 else AUTO), typed=b"n\n")]
    playing += [table.join(seat, *([] if refuser == seat else AUTO), typed=b"n\n") for seat in (1, 2)]
    assert [ended(process) for process in playing] == [5, 5, 5]
    for seat in range(3):
        said = table.said(seat)
        if seat == refuser:
            assert "transport.declined" in said
        else:
            assert "another seat declined the terms" in said
            assert ("it was the host" if refuser == 0 else f"it was seat {refuser}") in said
        assert "go on with" not in said
        assert [path.name for path in table.homes[seat].iterdir()] == [".config"]


def test_a_seat_that_is_expelled_sees_the_end(tmp_path: Path) -> None:
    """CHAIN-5, VERDICT-6: seat 2 lets its time run out; the others finish the match, and it has the whole record."""

    def asleep(state: State) -> bool:
        return state.phase is Phase.BETTING and state.owed is not None and state.owed.seat == 2

    async def match() -> list[Seat]:
        async with Witness(tmp_path / "board") as witness:
            sleeper = Sleeper()
            seats = []
            for number in range(3):
                player = sleeper if number == 2 else Caller()
                seat = Seat(tmp_path, number, player=player, suites=USUAL_SUITES)
                seat.sitting = replace(seat.sitting, witnesses=(witness.at,))
                seats.append(seat)

            async def time_runs() -> None:
                await witness.until(asleep)
                await asyncio.to_thread(sleeper.asked.wait, 30)
                witness.clock.pass_seconds(MOVE + BANK + 1)

            proposal = Proposal(
                game=HOLDEM.name,
                dealing="deck",
                suite=USUAL_SUITES[-1],
                hands=2,
                rules=("no-limit", 1, 2, 0, 200, "all"),
                seats=3,
                threshold=1,
                move_seconds=MOVE,
                bank_seconds=BANK,
            )
            _, endings = await asyncio.gather(time_runs(), play(seats, proposal))
            sleeper.woken.set()
            assert [type(ending) for ending in endings] == [Ending] * 3, endings
            assert [ending.absent for ending in endings if isinstance(ending, Ending)] == [(2,)] * 3
            return seats

    seats = run(match())
    assert len({seat.transcript for seat in seats}) == 1
    verdict = replay(seats[2].transcript)
    assert verdict.settled == (0, 1)
    assert len(verdict.hands) == 2
