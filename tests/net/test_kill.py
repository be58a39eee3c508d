"""kill -9 of a player at every message, then resume: nobody ever signs two frames on one hash (CHAIN-2, ENC-5, T05)."""

from __future__ import annotations

import signal
import time
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest

from dealerless.journal.identity import create_identity
from dealerless.referee import Outcome, replay
from tests.net.mortal import Death, free_port, start
from tests.net.transcripts import frames_of, signed_twice

pytestmark = pytest.mark.timeout(300)


class Pair:
    """A host and a joiner with a home of their own each."""

    def __init__(self, folder: Path) -> None:
        self.homes = [folder / "host", folder / "guest"]
        self.keys = []
        for home in self.homes:
            home.mkdir(parents=True)
            key = create_identity(home / ".config" / "dealerless" / "identity.pem", None)
            self.keys.append(key.public.key.hex())
        self.address = f"127.0.0.1:{free_port()}"

    def begin(self, number: int, death: Death | None = None) -> ForkServerProcess:
        shared = ("--auto", "--yes", "--wait", "30", "--out", "match.dlt")
        if number == 0:
            terms = ("--hands", "2", "--depth", "1", "--listen", self.address, "--expect", self.keys[1])
            return start(self.homes[0], "first", "host", *terms, *shared, death=death)
        return start(self.homes[1], "first", "join", self.address, "--pin", self.keys[0], *shared, death=death)

    def resume(self, number: int) -> ForkServerProcess:
        arguments = ("resume", "match.dlt", self.address, "--auto", "--yes", "--wait", "30")
        return start(self.homes[number], "resumed", *arguments)

    def transcript(self, number: int) -> bytes:
        return (self.homes[number] / "match.dlt").read_bytes()

    def said(self, number: int) -> str:
        home = self.homes[number]
        return "".join([file.read_text() for file in sorted(home.parent.glob(f"{home.name}.*"))])

    def check(self) -> None:
        """Both have the whole match, clean, the same bytes; the seeds are gone; nobody signed twice."""
        copies = [self.transcript(number) for number in range(2)]
        assert signed_twice(*copies) == []
        assert copies[0] == copies[1]
        verdict = replay(copies[0])
        assert verdict.outcome is Outcome.CLEAN
        assert sorted(verdict.settled) == [0, 1]


def ended(process: ForkServerProcess) -> int | None:
    process.join(60)
    return process.exitcode


def killed(pair: Pair, victim: int, death: Death) -> bool:
    """Play a match in which the victim dies once and is resumed; return whether it came to that."""
    processes = {victim: pair.begin(victim, death)}
    processes[1 - victim] = pair.begin(1 - victim)
    status = ended(processes[victim])
    if status == 0:
        assert ended(processes[1 - victim]) == 0
        pair.check()
        return False
    assert status == -signal.SIGKILL, pair.said(victim)
    before = pair.transcript(victim)
    resumed = pair.resume(victim)
    assert ended(resumed) == 0, pair.said(victim)
    assert ended(processes[1 - victim]) == 0, pair.said(1 - victim)
    # What was written before the kill stands: nothing is cut off but a torn tail.
    assert pair.transcript(victim).startswith(before)
    pair.check()
    return True


@pytest.mark.parametrize("part", [0, 1])
@pytest.mark.parametrize("victim", [0, 1], ids=["host", "joiner"])
def test_killed_after_writing_any_message(tmp_path: Path, victim: int, part: int) -> None:
    """SIGKILL between the disk and the wire, own and received frames alike, from the first to the last."""
    count = 1 + part
    while killed(Pair(tmp_path / str(count)), victim, Death(count)):
        count += 2
    # Offer, acceptance, readies, two hands of at least seven messages, settlements.
    assert count > 20


@pytest.mark.parametrize("victim", [0, 1], ids=["host", "joiner"])
def test_killed_between_signing_and_writing(tmp_path: Path, victim: int) -> None:
    """What was signed and not written never left the process: it is made anew, from the same seeds."""
    count = 3
    while killed(Pair(tmp_path / str(count)), victim, Death(count, written=False)):
        count += 4
    assert count > 16


def test_killed_between_remembering_an_offer_and_accepting_it(tmp_path: Path) -> None:
    """ENC-4: an offer is accepted once, ever; here it was not, and a new one costs nobody anything."""
    pair = Pair(tmp_path)
    host, guest = pair.begin(0), pair.begin(1, Death(2, written=False))
    assert ended(guest) == -signal.SIGKILL
    assert ended(pair.resume(1)) == 2
    assert "offer.accepted-before" in pair.said(1)
    assert "hint: ask the other seat for a new offer" in pair.said(1)
    # It hears that this offer will not be accepted, and has nothing to wait for.
    assert ended(host) == 5
    assert "transport.peer-declined" in pair.said(0)


@pytest.mark.parametrize("counts", [(4, 6), (9, 9), (13, 12), (20, 19)])
def test_both_are_killed(tmp_path: Path, counts: tuple[int, int]) -> None:
    pair = Pair(tmp_path)
    processes = [pair.begin(number, Death(count)) for number, count in enumerate(counts)]
    # One of them may never come as far, with the other gone.
    end = time.monotonic() + 30
    while all(process.is_alive() for process in processes) and time.monotonic() < end:
        time.sleep(0.01)
    for process in processes:
        process.join(0.5)
        process.kill()
        assert ended(process) == -signal.SIGKILL
    resumed = [pair.resume(number) for number in range(2)]
    assert [ended(process) for process in resumed] == [0, 0], pair.said(0) + pair.said(1)
    pair.check()
    assert len(frames_of(pair.transcript(0))) > 18
