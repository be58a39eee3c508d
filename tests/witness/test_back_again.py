"""What a player is told of a witness that goes and comes back (WITNESS-7)."""

from __future__ import annotations

import asyncio
from pathlib import Path

from dealerless.net.seating import Ending
from tests.net.tables import Seat, play, run
from tests.witness.boards import Sleeper, Witness, proposal, seat_before
from tests.witness.test_deadlines import owes


def test_both_are_told_that_it_is_gone_and_that_it_is_there_now(tmp_path: Path) -> None:
    """Once each: a witness that never went is not announced, and its absence is not told at every attempt."""

    async def match() -> list[Seat]:
        witness = Witness(tmp_path / "board")
        await witness.__aenter__()
        sleeper = Sleeper()
        seats = [seat_before(tmp_path, 0, witness.at), seat_before(tmp_path, 1, witness.at, player=sleeper)]

        def told(text: str) -> list[int]:
            return [sum([text in notice for notice in seat.record.notices]) for seat in seats]

        async def until(text: str) -> None:
            async with asyncio.timeout(20):
                while told(text) != [1, 1]:
                    await asyncio.sleep(0.02)

        async def goes_and_comes() -> None:
            await witness.until(owes(1))
            await asyncio.to_thread(sleeper.asked.wait, 30)
            assert told("the witness at") == [0, 0]
            await witness.__aexit__()
            await until("is not there")
            await asyncio.sleep(0.5)
            assert told("is there now") == [0, 0]
            await witness.__aenter__()
            await until("is there now")
            sleeper.woken.set()

        try:
            _, endings = await asyncio.gather(goes_and_comes(), play(seats, proposal()))
        finally:
            sleeper.woken.set()
            await witness.__aexit__()
        assert endings == [Ending(fault=None, delivered=True)] * 2
        assert told("is not there") == told("is there now") == [1, 1]
        return seats

    run(match())
