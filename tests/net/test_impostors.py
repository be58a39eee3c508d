"""Peers that lie about who they are, over a real wire: false hosts, relays, strangers (N04, N06, P08, ENC-5)."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from dealerless.errors import TransportError
from dealerless.net import hello
from dealerless.net.seating import WitnessAt
from dealerless.net.star import host, join
from dealerless.net.transport import Address, Connection, Listener, dial
from tests.matches import STRANGER
from tests.net.peers import GUEST, HOST, WHOLE, code_of
from tests.net.tables import LOCAL, NOTHING, Seat, Wire, hex_proposal, play, run, toy_proposal
from tests.net.transcripts import signed_twice


async def false_host(greet: Callable[[Connection], Awaitable[bytes]], pin: bytes, seat: Seat) -> tuple[object, bytes]:
    """Return how a joiner fares with a host that greets so, and every byte it told that host about itself."""
    listener = Listener(LOCAL)
    told = bytearray()

    async def handle(connection: Connection) -> None:
        await connection.send(await greet(connection))
        try:
            told.extend(await connection.receive())
        except TransportError:
            return

    serving = asyncio.create_task(listener.serve(handle))
    result = await asyncio.gather(join(seat.sitting, listener.address, pin), return_exceptions=True)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    return result[0], bytes(told)


def test_another_host_than_the_pinned_one_is_told_nothing(tmp_path: Path) -> None:
    """N06: the key is compared before anything about us is sent."""

    async def greet(connection: Connection) -> bytes:
        return hello.greeting(STRANGER, connection.certificate, secrets.token_bytes(32))

    error, told = run(false_host(greet, HOST.public.key, Seat(tmp_path, 1)))
    assert (code_of(error), told) == ("transport.wrong-key", b"")


def test_a_relayed_greeting_does_not_fit_another_certificate(tmp_path: Path) -> None:
    """N06: whoever sits in between has the right host's greeting, but not its certificate."""

    async def greet(connection: Connection) -> bytes:
        return hello.greeting(HOST, bytes(32), secrets.token_bytes(32))

    error, told = run(false_host(greet, HOST.public.key, Seat(tmp_path, 1)))
    assert (code_of(error), told) == ("transport.wrong-certificate", b"")


def test_the_pinned_key_must_have_signed_the_certificate(tmp_path: Path) -> None:
    async def greet(connection: Connection) -> bytes:
        good = hello.greeting(STRANGER, connection.certificate, bytes(32))
        return good.replace(STRANGER.public.key, HOST.public.key)

    error, told = run(false_host(greet, HOST.public.key, Seat(tmp_path, 1)))
    assert (code_of(error), told) == ("transport.bad-signature", b"")


def test_a_relay_between_two_honest_sides_gets_neither(tmp_path: Path) -> None:
    """N06, the whole harness: host, man in the middle who decrypts and passes on, joiner."""
    seats = [Seat(tmp_path, 0, patience=0.8), Seat(tmp_path, 1)]

    async def match() -> list[object]:
        true = Listener(LOCAL)
        false = Listener(LOCAL)

        async def relay(connection: Connection) -> None:
            far = await dial(true.address)
            try:
                await connection.send(await far.receive())
                await far.send(await connection.receive())
            finally:
                await far.close()

        between = asyncio.create_task(false.serve(relay))
        expected = (GUEST.public.key,)
        endings = await asyncio.gather(
            host(seats[0].sitting, true, proposal=hex_proposal(), expected=expected),
            join(seats[1].sitting, false.address, HOST.public.key),
            return_exceptions=True,
        )
        between.cancel()
        await asyncio.gather(between, return_exceptions=True)
        return list(endings)

    assert [code_of(error) for error in run(match())] == ["transport.no-answer", "transport.wrong-certificate"]
    assert seats[0].offers == []


def test_a_relayed_request_opens_nothing(tmp_path: Path) -> None:
    """P08: the right key's request, made for another connection or challenge, is refused."""
    seats = [Seat(tmp_path, 0), Seat(tmp_path, 1)]

    async def beside(address: Address) -> None:
        old = await Wire.open(address, HOST.public.key)
        certificate = old.connection.certificate
        recorded = hello.request(GUEST, certificate, old.challenge, "guest", NOTHING)
        wire = await Wire.open(address, HOST.public.key)
        await wire.connection.send(recorded)
        with pytest.raises(TransportError, match="closed"):
            await wire.connection.receive()
        other = hello.request(GUEST, bytes(32), wire.challenge, "guest", NOTHING)
        wire = await Wire.open(address, HOST.public.key)
        await wire.connection.send(other)
        with pytest.raises(TransportError, match="closed"):
            await wire.connection.receive()

    assert run(play(seats, hex_proposal(1), beside=beside)) == [WHOLE, WHOLE]
    assert len(seats[0].offers) == 1


def test_a_stranger_first_and_the_right_peer_second(tmp_path: Path) -> None:
    """N04, BR142: the seat is kept for the key it is for, and the host keeps waiting."""
    seats = [Seat(tmp_path, 0), Seat(tmp_path, 1)]

    async def beside(address: Address) -> None:
        for key in (STRANGER, HOST):
            wire = await Wire.open(address, HOST.public.key)
            with pytest.raises(TransportError, match="has no seat") as caught:
                await wire.ask(key)
            assert caught.value.code == "transport.refused"

    assert run(play(seats, hex_proposal(1), beside=beside)) == [WHOLE, WHOLE]
    assert any("no seat" in notice for notice in seats[0].record.notices)


def test_a_witness_of_the_match_gets_no_seat_in_it(tmp_path: Path) -> None:
    """SIG-1: an offer with its key twice would be none, and the host could offer no other."""
    seat = Seat(tmp_path, 0, patience=0.8)
    watching = WitnessAt(address=LOCAL, key=STRANGER.public.key)
    seat.sitting = replace(seat.sitting, witnesses=(watching,))

    async def match() -> object:
        listener = Listener(LOCAL)
        proposal = replace(hex_proposal(), threshold=1, move_seconds=60)
        hosting = asyncio.create_task(host(seat.sitting, listener, proposal=proposal))
        wire = await Wire.open(listener.address, HOST.public.key)
        with pytest.raises(TransportError, match="has no seat") as caught:
            await wire.ask(STRANGER)
        assert caught.value.code == "transport.refused"
        return (await asyncio.gather(hosting, return_exceptions=True))[0]

    assert code_of(run(match())) == "transport.no-answer"


def test_without_an_expected_key_whoever_leaves_keeps_nobody_out(tmp_path: Path) -> None:
    """BR142: of two seats one is taken by a guest that leaves again, and then by two that stay."""
    seats = [Seat(tmp_path, number) for number in range(3)]

    async def match() -> list[object]:
        listener = Listener(LOCAL)
        first = asyncio.create_task(host(seats[0].sitting, listener, proposal=toy_proposal()))
        wire = await Wire.open(listener.address, HOST.public.key)
        await wire.ask(STRANGER)
        await wire.connection.close()
        while not any("not connected" in notice for notice in seats[0].record.notices):
            await asyncio.sleep(0.01)
        rest = [join(seat.sitting, listener.address, HOST.public.key) for seat in seats[1:]]
        return list(await asyncio.gather(first, *rest))

    assert run(match()) == [WHOLE] * 3


def test_a_wrong_key_cannot_come_back_as_the_other_seat(tmp_path: Path) -> None:
    """P08: with the right session id and all frames, but not the key, nobody takes a seat in a running match."""
    seats = [Seat(tmp_path, 0), Seat(tmp_path, 1)]
    tried: list[object] = []

    async def hijack(address: Address) -> None:
        while seats[0].session.state.seq < 8:
            await asyncio.sleep(0.001)
        state = seats[0].session.state
        held = hello.Held(session=state.agreed.session, count=state.seq, head=state.head)
        wire = await Wire.open(address, HOST.public.key)
        tried.extend(await asyncio.gather(wire.ask(STRANGER, held), return_exceptions=True))

    async def match() -> list[object]:
        listener = Listener(LOCAL)
        hijacking = asyncio.create_task(hijack(listener.address))
        endings = await play(seats, hex_proposal(3), listener=listener)
        await hijacking
        return list(endings)

    assert run(match()) == [WHOLE, WHOLE]
    assert [code_of(error) for error in tried] == ["transport.refused"]


def test_a_second_process_with_our_key_does_not_sign(tmp_path: Path) -> None:
    """ENC-5: a fresh joiner whose key has already accepted meets its own frames and stops."""
    folder = tmp_path / "second"
    folder.mkdir()
    seats = [Seat(tmp_path, 0, patience=0.5), Seat(tmp_path, 1)]
    second = Seat(folder, 1)

    async def match() -> object:
        listener = Listener(LOCAL)
        expected = (GUEST.public.key,)
        tasks = [
            asyncio.create_task(host(seats[0].sitting, listener, proposal=hex_proposal(50), expected=expected)),
            asyncio.create_task(join(seats[1].sitting, listener.address, HOST.public.key)),
        ]
        while seats[1].session.state.seq < 8:
            await asyncio.sleep(0.001)
        (error,) = await asyncio.gather(join(second.sitting, listener.address, HOST.public.key), return_exceptions=True)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return error

    assert code_of(run(match())) == "resume.unexplained"
    assert signed_twice(seats[0].transcript, seats[1].transcript, second.transcript) == []
