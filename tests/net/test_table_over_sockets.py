"""Honest matches over real TLS sockets: whole ones, interrupted ones, tables for three (CHAIN-1, ENC-5)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dealerless.net.seating import Ending
from dealerless.net.transport import Address, Listener
from dealerless.protocol.envelope import Envelope
from dealerless.protocol.state import Phase
from dealerless.referee import Outcome, replay
from tests.matches import PLAYED
from tests.net.tables import LOCAL, Seat, hex_proposal, play, run, toy_proposal
from tests.net.transcripts import frames_of, signed_twice

WHOLE = Ending(fault=None, delivered=True)


def check_complete(seats: list[Seat]) -> None:
    """Every seat ends with the same clean transcript, and nobody signed twice on one hash."""
    copies = [seat.transcript for seat in seats]
    assert len(set(copies)) == 1
    verdict = replay(copies[0], games=PLAYED)
    assert verdict.outcome is Outcome.CLEAN
    assert sorted(verdict.settled) == list(range(len(seats)))
    assert signed_twice(*copies) == []
    assert all(seat.session.state.phase is Phase.OVER for seat in seats)


@pytest.mark.parametrize("show", ["all", "muck"])
def test_two_seats_play_hex(tmp_path: Path, show: str) -> None:
    seats = [Seat(tmp_path, number) for number in range(2)]
    assert run(play(seats, hex_proposal(3, show=show))) == [WHOLE, WHOLE]
    check_complete(seats)
    assert [len(seat.offers) for seat in seats] == [1, 1]
    # ENC-4: what was accepted is remembered, by the offer's own hash.
    assert seats[1].remembered == [seats[1].session.state.agreed.offer_hash]


def test_three_seats_play_the_toy_over_one_host(tmp_path: Path) -> None:
    seats = [Seat(tmp_path, number) for number in range(3)]
    assert run(play(seats, toy_proposal())) == [WHOLE] * 3
    check_complete(seats)


def test_four_seats_with_few_chips(tmp_path: Path) -> None:
    seats = [Seat(tmp_path, number) for number in range(4)]
    assert run(play(seats, toy_proposal(4, hands=8))) == [WHOLE] * 4
    check_complete(seats)


class Saboteur:
    """A relay that cuts its connections every so many bytes: the wire of a bad day."""

    def __init__(self, target: Address, every: int) -> None:
        self._target = target
        self._every = every
        self.cuts = 0

    async def __aenter__(self) -> Saboteur:
        self._server = await asyncio.start_server(self._relay, "127.0.0.1", 0)
        self.address = Address(host="127.0.0.1", port=self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(self._target.host, self._target.port)
        left = self._every

        async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            nonlocal left
            while data := await source.read(200):
                left -= len(data)
                sink.write(data)
                await sink.drain()
                if left < 0:
                    self.cuts += 1
                    return

        tasks = [asyncio.create_task(pump(reader, far_writer)), asyncio.create_task(pump(far_reader, writer))]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for end in (writer, far_writer):
            end.transport.abort()


@pytest.mark.parametrize("every", [3300, 4000, 5003])
def test_a_wire_that_is_cut_again_and_again(tmp_path: Path, every: int) -> None:
    """CHAIN-2: whatever is lost in flight is sent again, the same bytes, and nothing is said twice."""
    seats = [Seat(tmp_path, number) for number in range(2)]

    async def match() -> int:
        listener = Listener(LOCAL)
        async with Saboteur(listener.address, every) as wire:
            endings = await play(seats, hex_proposal(4), listener=listener, addresses=[wire.address])
            assert [ending.fault for ending in endings if isinstance(ending, Ending)] == [None, None]
            return wire.cuts

    assert run(match()) > 0
    check_complete(seats)


@pytest.mark.parametrize("every", [4500, 6500])
def test_three_seats_with_one_bad_wire(tmp_path: Path, every: int) -> None:
    seats = [Seat(tmp_path, number) for number in range(3)]

    async def match() -> int:
        listener = Listener(LOCAL)
        async with Saboteur(listener.address, every) as wire:
            addresses = [listener.address, wire.address]
            endings = await play(seats, toy_proposal(), listener=listener, addresses=addresses)
            assert [ending.fault for ending in endings if isinstance(ending, Ending)] == [None] * 3
            return wire.cuts

    assert run(match()) > 0
    check_complete(seats)


@pytest.mark.parametrize("stopping", [0, 1])
def test_a_seat_stops_at_every_message_and_resumes(tmp_path: Path, stopping: int) -> None:
    """ENC-5, T05: whoever stops wherever goes on from its journal with the bytes it signed, and is not asked again."""

    class StoppedError(Exception):
        pass

    after = 1
    while True:
        folder = tmp_path / str(after)
        folder.mkdir()
        seats = [Seat(folder, number) for number in range(2)]
        count = 0

        def step(envelope: Envelope, after: int = after) -> None:
            nonlocal count
            count += 1
            if count == after:
                raise StoppedError

        seats[stopping].record.on_step = step
        if not run(stopped_and_resumed(folder, seats, stopping, StoppedError)):
            break
        after += 1
    # Even a hand that ends by an early fold has more messages than this.
    assert after > 12


async def stopped_and_resumed(folder: Path, seats: list[Seat], stopping: int, how: type[Exception]) -> bool:
    """Play a match in which one seat stops once; return whether it came to that."""
    from dealerless.net.star import host, join

    listener = Listener(LOCAL)
    pin = seats[0].key.public.key
    expected = (seats[1].key.public.key,)
    tasks = [
        asyncio.create_task(host(seats[0].sitting, listener, proposal=hex_proposal(1), expected=expected)),
        asyncio.create_task(join(seats[1].sitting, listener.address, pin)),
    ]
    (stopped,) = await asyncio.gather(tasks[stopping], return_exceptions=True)
    if not isinstance(stopped, how):
        assert await tasks[1 - stopping] == WHOLE
        check_complete(seats)
        return False
    seats[stopping].close()
    back = Seat(folder, stopping, resumed=True)
    if stopping == 0:
        again = host(back.sitting, Listener(listener.address))
    else:
        again = join(back.sitting, listener.address, pin)
    endings = await asyncio.gather(again, tasks[1 - stopping])
    # Who stopped after its very last word may find the other content and gone.
    assert [ending.fault for ending in endings] == [None, None]
    assert any(ending.delivered for ending in endings)
    seats[stopping] = back
    check_complete(seats)
    for seat in seats:
        seat.close()
    return True


def test_a_long_absence_is_caught_up_from_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A peer far behind gets everything, also what is no longer in memory."""
    monkeypatch.setattr("dealerless.net.backlog._RECENT", 4)
    seats = [Seat(tmp_path, number) for number in range(3)]
    assert run(play(seats, toy_proposal())) == [WHOLE] * 3
    whole = seats[0].transcript
    for seat in seats:
        seat.close()
    frames = frames_of(whole)
    # Seat 2 lost all but the opening; seats 0 and 1 lost the last frame.
    from dealerless.protocol.records import MAGIC, encode_record

    for number, kept in ((0, len(frames) - 1), (1, len(frames) - 1), (2, 6)):
        data = MAGIC + b"".join([encode_record(frame) for frame in frames[:kept]])
        (tmp_path / f"seat{number}.dlt").write_bytes(data)
    seats = [Seat(tmp_path, number, resumed=True) for number in range(3)]
    assert run(play(seats, None)) == [WHOLE] * 3
    check_complete(seats)
    assert seats[2].transcript == whole


def test_nobody_comes(tmp_path: Path) -> None:
    """A peer that stays away ends the wait, with an error of the transport and no fault of anybody."""
    seat = Seat(tmp_path, 0, patience=0.3)
    (ending,) = run(play([seat], hex_proposal()))
    assert getattr(ending, "code", None) == "transport.no-answer"
    alone = Seat(tmp_path, 1, patience=0.3)

    async def lonely() -> None:
        from dealerless.net.star import join

        await join(alone.sitting, Address(host="127.0.0.1", port=1), seat.key.public.key)

    with pytest.raises(Exception, match="did not go on in time"):
        run(lonely())


def test_reconnecting_buys_no_time(tmp_path: Path) -> None:
    """N08: only a message of the match makes the wait begin anew, not a connection."""
    from tests.net.tables import Wire

    seat = Seat(tmp_path, 0, patience=1.0)

    async def match() -> float:
        listener = Listener(LOCAL)
        start = asyncio.get_running_loop().time()

        over = asyncio.Event()

        async def come_and_go() -> None:
            while not over.is_set():
                wire = await Wire.open(listener.address, seat.key.public.key)
                held = seats_held(seat) if seat.session.state.match is not None else None
                await (wire.ask(guest) if held is None else wire.ask(guest, held))
                await asyncio.sleep(0.05)
                await wire.connection.close()

        from dealerless.net import hello
        from dealerless.net.star import host
        from tests.net.tables import KEYS

        guest = KEYS[1]

        def seats_held(seat: Seat) -> hello.Held:
            state = seat.session.state
            return hello.Held(session=b"", count=state.seq, head=state.head)

        coming = asyncio.create_task(come_and_go())
        expected = (guest.public.key,)
        with pytest.raises(Exception, match="did not go on in time"):
            await host(seat.sitting, listener, proposal=hex_proposal(), expected=expected)
        over.set()
        await asyncio.gather(coming, return_exceptions=True)
        return asyncio.get_running_loop().time() - start

    assert run(match()) < 4.0
