"""Peers that send too much, too little, too slowly or too often, over a real wire (N01, N02, N04, N09, P04)."""

from __future__ import annotations

import asyncio
import tracemalloc
from pathlib import Path

import pytest

from dealerless.errors import TransportError
from dealerless.net import hello
from dealerless.net.star import host
from dealerless.net.transport import Address, Connection, Listener, dial
from dealerless.protocol.records import MAX_RECORD
from dealerless.referee import Outcome, replay
from tests.net.peers import GUEST, HOST, WHOLE, code_of
from tests.net.tables import LOCAL, Seat, Wire, hex_proposal, play, run


@pytest.mark.parametrize("length", [0, hello.MAX_HELLO + 1, MAX_RECORD + 1, 2**31, 2**32 - 1])
def test_a_length_out_of_bounds_ends_the_connection_at_the_header(tmp_path: Path, length: int) -> None:
    """N02: before anything of that size is read, in the handshake; and the right peer still gets its game."""
    seats = [Seat(tmp_path, 0), Seat(tmp_path, 1)]

    async def beside(address: Address) -> None:
        wire = await Wire.open(address, HOST.public.key)
        wire.connection._writer.write(length.to_bytes(4, "big"))
        with pytest.raises(TransportError) as caught:
            await wire.connection.receive()
        assert caught.value.code == "transport.closed"

    assert run(play(seats, hex_proposal(1), beside=beside)) == [WHOLE, WHOLE]
    assert any("length" in notice for notice in seats[0].record.notices)


@pytest.mark.parametrize("length", [0, MAX_RECORD + 1, 2**31, 2**32 - 1])
def test_a_length_out_of_bounds_in_the_game(tmp_path: Path, length: int) -> None:
    """N02, for a peer that has proved who it is."""
    seat = Seat(tmp_path, 0, patience=0.5)

    async def match() -> object:
        listener = Listener(LOCAL)
        expected = (GUEST.public.key,)
        task = asyncio.create_task(host(seat.sitting, listener, proposal=hex_proposal(), expected=expected))
        wire = await Wire.open(listener.address, HOST.public.key)
        await wire.ask(GUEST)
        await wire.connection.receive()
        wire.connection._writer.write(length.to_bytes(4, "big"))
        with pytest.raises(TransportError, match="closed"):
            await wire.connection.receive()
        return (await asyncio.gather(task, return_exceptions=True))[0]

    assert code_of(run(match())) == "transport.no-answer"
    assert any("announces a length" in notice for notice in seat.record.notices)


def test_a_dripping_sender_is_cut_off_and_others_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """N01: a byte now and then holds a connection no longer than a record may take; silence neither."""
    monkeypatch.setattr("dealerless.net.transport.FRAME_SECONDS", 0.4)
    monkeypatch.setattr("dealerless.net.star.HANDSHAKE_SECONDS", 0.5)
    seats = [Seat(tmp_path, 0), Seat(tmp_path, 1)]

    async def beside(address: Address) -> None:
        for drip in (True, False):
            wire = await Wire.open(address, HOST.public.key)
            start = asyncio.get_running_loop().time()

            async def dripping(wire: Wire = wire, drip: bool = drip) -> None:
                for byte in (200).to_bytes(4, "big") + bytes(200):
                    if drip:
                        wire.connection._writer.write(bytes([byte]))
                    await asyncio.sleep(0.05)

            task = asyncio.create_task(dripping())
            with pytest.raises(TransportError, match="closed"):
                await wire.connection.receive()
            assert asyncio.get_running_loop().time() - start < 4
            task.cancel()

    assert run(play(seats, hex_proposal(1), beside=beside)) == [WHOLE, WHOLE]


def test_a_peer_that_drips_in_the_game_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """N01: proving who one is buys no more time for a record."""
    monkeypatch.setattr("dealerless.net.transport.FRAME_SECONDS", 0.3)
    seat = Seat(tmp_path, 0, patience=1.0)

    async def match() -> object:
        listener = Listener(LOCAL)
        expected = (GUEST.public.key,)
        task = asyncio.create_task(host(seat.sitting, listener, proposal=hex_proposal(), expected=expected))
        wire = await Wire.open(listener.address, HOST.public.key)
        await wire.ask(GUEST)
        await wire.connection.receive()
        for byte in (200).to_bytes(4, "big") + bytes(20):
            wire.connection._writer.write(bytes([byte]))
            await asyncio.sleep(0.04)
        return (await asyncio.gather(task, return_exceptions=True))[0]

    assert code_of(run(match())) == "transport.no-answer"
    assert any("did not arrive in time" in notice for notice in seat.record.notices)


def test_a_flood_of_connections_leaves_room_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """N04: no more than so many at once, none for ever, and the right peer gets in as soon as one has gone."""
    monkeypatch.setattr("dealerless.net.transport.MAX_CONNECTIONS", 4)
    monkeypatch.setattr("dealerless.net.star.HANDSHAKE_SECONDS", 0.5)
    seats = [Seat(tmp_path, 0), Seat(tmp_path, 1)]
    held: list[asyncio.StreamWriter] = []

    async def beside(address: Address) -> None:
        for _ in range(40):
            _, writer = await asyncio.open_connection(address.host, address.port)
            held.append(writer)

    async def match() -> list[object]:
        endings = await play(seats, hex_proposal(1), beside=beside)
        for writer in held:
            writer.close()
            await asyncio.gather(writer.wait_closed(), return_exceptions=True)
        return list(endings)

    monkeypatch.setattr("dealerless.net.transport.HANDSHAKE_SECONDS", 0.5)
    assert run(match()) == [WHOLE, WHOLE]


def test_bytes_that_are_no_tls_at_all(tmp_path: Path) -> None:
    seats = [Seat(tmp_path, 0), Seat(tmp_path, 1)]

    async def beside(address: Address) -> None:
        for junk in (b"GET / HTTP/1.1\r\n\r\n", bytes(1000), b"SSH-2.0-OpenSSH_8.6\r\n"):
            reader, writer = await asyncio.open_connection(address.host, address.port)
            writer.write(junk)
            with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
                await reader.readexactly(10_000)
            writer.close()

    assert run(play(seats, hex_proposal(1), beside=beside)) == [WHOLE, WHOLE]


@pytest.mark.parametrize("size", [1, 300, MAX_RECORD])
def test_a_flood_of_junk_neither_grows_us_nor_ends_the_match(tmp_path: Path, size: int) -> None:
    """N09: what belongs to nobody is dropped, and its connection after a few; memory stays where it was."""
    seats = [Seat(tmp_path, 0), Seat(tmp_path, 1)]

    async def flood(address: Address) -> None:
        wire = await Wire.open(address, HOST.public.key)
        await wire.ask(GUEST)
        junk = bytes(size)

        async def pour() -> None:
            for _ in range(200 * (MAX_RECORD // size)):
                await wire.connection.send(junk)
                await asyncio.sleep(0)

        with pytest.raises(TransportError):
            await pour()

    tracemalloc.start()
    try:
        assert run(play(seats, hex_proposal(1), beside=flood)) == [WHOLE, WHOLE]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 24 * 2**20


def test_a_peer_that_does_not_read_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full pipe holds one record, and for no longer than SEND_SECONDS."""
    monkeypatch.setattr("dealerless.net.transport.SEND_SECONDS", 0.3)

    async def match() -> str | None:
        listener = Listener(LOCAL)
        ended: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()

        async def pour(connection: Connection) -> None:
            try:
                while True:
                    await connection.send(bytes(MAX_RECORD))
            except TransportError as error:
                ended.set_result(error.code)

        serving = asyncio.create_task(listener.serve(pour))
        connection = await dial(listener.address)
        result = await ended
        await connection.close()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        return result

    assert run(match()) == "transport.too-slow"


@pytest.mark.parametrize("times", [2, 100])
def test_every_frame_comes_twice_or_a_hundred_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    """P04, CHAIN-2: an exact duplicate is dropped on the wire without a word."""
    once = Connection.send

    async def often(self: Connection, record: bytes) -> None:
        # The handshake is not part of the chain and is said once.
        copies = times if hello.read_done(record) is None and record[:1] == b"\x92" and len(record) > 150 else 1
        for _ in range(copies):
            await once(self, record)

    monkeypatch.setattr(Connection, "send", often)
    seats = [Seat(tmp_path, 0), Seat(tmp_path, 1)]
    endings = run(play(seats, hex_proposal(2)))
    assert [getattr(ending, "fault", ending) for ending in endings] == [None, None]
    assert seats[0].transcript == seats[1].transcript
    assert replay(seats[0].transcript).outcome is Outcome.CLEAN
    assert not any("dropped" in notice for seat in seats for notice in seat.record.notices)
