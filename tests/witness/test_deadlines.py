"""Deadlines over real sockets, the witness's clock in the test's hand: who is silent is expelled, who is not is not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from dealerless.net.seating import Ending, WitnessAt
from dealerless.net.star import host, join
from dealerless.net.transport import Listener
from dealerless.protocol.state import Phase, State
from dealerless.referee import Outcome, replay
from tests.matches import PLAYED
from tests.net.tables import LOCAL, Seat, play, run
from tests.net.transcripts import signed_twice
from tests.witness.boards import BANK, MOVE, WITNESSES, Sleeper, Witness, proposal, seat_before, unreachable


def owes(seat: int) -> Callable[[State], bool]:
    return lambda state: state.phase is Phase.BETTING and state.owed is not None and state.owed.seat == seat


def check_expelled(data: bytes, absent: int) -> None:
    """VERDICT-4, VERDICT-6: the silent seat loses what it has in the pot and the match; the transcript proves it."""
    verdict = replay(data, games=PLAYED)
    assert verdict.outcome is Outcome.FAULT
    assert verdict.fault is not None
    assert (verdict.fault.code, verdict.fault.seat) == ("witness.no-show", absent)
    (forfeit,) = verdict.forfeits
    assert forfeit.seat == absent
    stacks = [30, 30]
    stacks[absent] -= forfeit.amount
    stacks[1 - absent] += forfeit.amount
    assert verdict.stacks == tuple(stacks)
    assert forfeit.amount >= 10
    assert verdict.settled == (1 - absent,)


@pytest.mark.parametrize("silent", [0, 1])
def test_a_seat_that_goes_silent_is_expelled(tmp_path: Path, silent: int) -> None:
    """CHAIN-5, VERDICT-6, WITNESS-7: the other one says so with the witness's word, and settles."""

    async def match() -> list[Seat]:
        async with Witness(tmp_path / "board") as witness:
            sleeper = Sleeper()
            players = {silent: sleeper}
            seats = [seat_before(tmp_path, number, witness.at, player=players.get(number)) for number in range(2)]

            async def time_runs() -> None:
                await witness.until(owes(silent))
                await asyncio.to_thread(sleeper.asked.wait, 30)
                # As long as there is time left nobody is expelled, however often one asks.
                witness.clock.pass_seconds(MOVE + BANK - 2)
                await asyncio.sleep(0.7)
                assert all(seat.session.state.books.gone == (None, None) for seat in seats)
                witness.clock.pass_seconds(3)

            _, endings = await asyncio.gather(time_runs(), play(seats, proposal()))
            sleeper.woken.set()
            assert [ending.absent for ending in endings if isinstance(ending, Ending)] == [(silent,)] * 2
            assert sleeper.left[0] is not None
            return seats

    seats = run(match())
    assert len({seat.transcript for seat in seats}) == 1
    check_expelled(seats[0].transcript, silent)


def test_a_seat_that_answers_in_its_bank_is_not(tmp_path: Path) -> None:
    """VERDICT-6: the bank is there to be used, and the match ends clean."""

    async def match() -> list[Seat]:
        async with Witness(tmp_path / "board") as witness:
            sleeper = Sleeper()
            seats = [seat_before(tmp_path, 0, witness.at), seat_before(tmp_path, 1, witness.at, player=sleeper)]

            async def time_runs() -> None:
                await witness.until(owes(1))
                await asyncio.to_thread(sleeper.asked.wait, 30)
                witness.clock.pass_seconds(MOVE + BANK - 2)
                await asyncio.sleep(0.5)
                sleeper.woken.set()

            _, endings = await asyncio.gather(time_runs(), play(seats, proposal()))
            assert endings == [Ending(fault=None, delivered=True)] * 2
            return seats

    seats = run(match())
    verdict = replay(seats[0].transcript)
    assert verdict.outcome is Outcome.CLEAN


def test_a_peer_that_only_posts_is_heard(tmp_path: Path) -> None:
    """WITNESS-1: posted is delivered; with the wire between them cut the match goes on over the board, to its end."""

    async def match() -> list[Seat]:
        async with Witness(tmp_path / "board") as witness:
            seats = [seat_before(tmp_path, number, witness.at) for number in range(2)]
            listener = Listener(LOCAL)
            pin = seats[0].key.public.key
            expected = (seats[1].key.public.key,)
            cut = asyncio.Event()
            seats[1].record.on_step = lambda envelope: cut.set() if envelope.header.seq == 5 else None

            async def sever() -> None:
                await cut.wait()
                # Whoever connects from now on is sent away, and so is who is connected.
                listener.close()
                for task in tuple(listener._tasks):
                    task.cancel()

            _, *endings = await asyncio.gather(
                sever(),
                host(seats[0].sitting, listener, proposal=proposal(), expected=expected),
                join(seats[1].sitting, listener.address, pin),
                return_exceptions=True,
            )
            assert [ending.fault for ending in endings if isinstance(ending, Ending)] == [None, None]
            return seats

    seats = run(match())
    copies = [seat.transcript for seat in seats]
    assert len(set(copies)) == 1
    assert replay(copies[0]).outcome is Outcome.CLEAN
    assert signed_twice(*copies) == []


def test_who_answers_too_late_learns_that_nobody_took_it(tmp_path: Path) -> None:
    """VERDICT-2a, WITNESS-7: the others are on the branch of its expulsion, and its own leads nowhere."""

    async def match() -> tuple[list[Seat], list[object]]:
        async with Witness(tmp_path / "board") as witness:
            sleeper = Sleeper()
            seats = [seat_before(tmp_path, 0, witness.at), seat_before(tmp_path, 1, witness.at, player=sleeper)]
            listener = Listener(LOCAL)

            async def answer_late() -> None:
                await witness.until(owes(1))
                await asyncio.to_thread(sleeper.asked.wait, 30)
                # No wire between them: the answer reaches nobody but the board, after the board's word.
                listener.close()
                for task in tuple(listener._tasks):
                    task.cancel()
                witness.clock.pass_seconds(MOVE + BANK + 1)
                assert witness.board is not None
                signed = witness.board.no_show(witness.clock())
                assert signed is not None
                witness.board.note(signed)
                sleeper.woken.set()

            _, *endings = await asyncio.gather(
                answer_late(),
                host(seats[0].sitting, listener, proposal=proposal(), expected=(seats[1].key.public.key,)),
                join(seats[1].sitting, listener.address, seats[0].key.public.key),
                return_exceptions=True,
            )
            return seats, list(endings)

    seats, endings = run(match())
    assert endings[0] == Ending(fault=None, delivered=True, absent=(1,))
    check_expelled(seats[0].transcript, 1)
    # On a busy machine the expulsion may be there before the answer is given.
    assert getattr(endings[1], "code", "") == "chain.fork" or endings[1] == endings[0]


@pytest.mark.parametrize("reachable", [1, 2])
def test_two_of_three_witnesses_must_agree(tmp_path: Path, reachable: int) -> None:
    """VERDICT-6: with one witness dead two are enough; with two dead there is no expulsion, and no fault."""

    async def match() -> tuple[list[Seat], list[object]]:
        witnesses = [Witness(tmp_path / f"board{n}", key) for n, key in enumerate(WITNESSES[:reachable])]
        sleeper = Sleeper()
        for witness in witnesses:
            await witness.__aenter__()
        try:
            at = [witness.at for witness in witnesses] + [unreachable(key) for key in WITNESSES[reachable:]]
            seats = [seat_before(tmp_path, 0, *at), seat_before(tmp_path, 1, *at, player=sleeper)]

            async def time_runs() -> None:
                for witness in witnesses:
                    await witness.until(owes(1))
                for witness in witnesses:
                    witness.clock.pass_seconds(MOVE + BANK + 1)
                if reachable < 2:
                    await asyncio.sleep(1)
                    assert all(seat.session.state.books.gone == (None, None) for seat in seats)
                    sleeper.woken.set()

            _, endings = await asyncio.gather(time_runs(), play(seats, proposal(threshold=2)))
            sleeper.woken.set()
            return seats, list(endings)
        finally:
            for witness in witnesses:
                await witness.__aexit__()

    seats, endings = run(match())
    if reachable == 2:
        assert [ending.absent for ending in endings if isinstance(ending, Ending)] == [(1,), (1,)]
        check_expelled(seats[0].transcript, 1)
    else:
        assert [ending.absent for ending in endings if isinstance(ending, Ending)] == [(), ()]


def test_the_witnesses_of_an_offer_must_be_ours(tmp_path: Path) -> None:
    """WITNESS-7: whoever does not post to a witness would be found absent there; so nothing is signed."""

    async def match(*at: WitnessAt) -> list[object]:
        async with Witness(tmp_path / f"board{len(at)}") as witness:
            folder = tmp_path / str(len(at))
            folder.mkdir()
            seats = [seat_before(folder, 0, witness.at), seat_before(folder, 1, *at)]
            seats[0].sitting = replace(seats[0].sitting, patience=1.0)
            endings = await play(seats, proposal())
            assert seats[1].session.state.last[1] is None
            return list(endings)

    for at in ((), (unreachable(WITNESSES[1]),), (unreachable(WITNESSES[0]), unreachable(WITNESSES[1]))):
        endings = run(match(*at))
        assert getattr(endings[1], "code", None) == "offer.other-witnesses"
