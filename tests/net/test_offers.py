"""Offers over a real wire: declined, expired, seen before, of another suite or for other seats (WIRE-4, ENC-4)."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from pathlib import Path

import pytest

from dealerless.crypto.ed25519 import SigningKey
from dealerless.errors import TransportError, UsageError
from dealerless.net import hello
from dealerless.net.star import join
from dealerless.net.transport import Address, Connection, Listener
from dealerless.protocol.envelope import encode_body
from tests.matches import STRANGER
from tests.net.peers import GUEST, HOST, WHOLE, code_of
from tests.net.tables import LOCAL, NOTHING, Seat, Wire, hex_proposal, play, run, toy_proposal


def test_terms_that_are_declined_are_not_signed(tmp_path: Path) -> None:
    """WIRE-4: the host hears what it was, and that at once."""
    seats = [Seat(tmp_path, 0), Seat(tmp_path, 1, consents=False)]
    endings = run(play(seats, hex_proposal()), seconds=10)
    assert [code_of(ending) for ending in endings] == ["transport.peer-declined", "transport.declined"]
    assert seats[1].remembered == []
    assert seats[1].session.state.last == (seats[1].session.state.last[0], None)


def test_a_host_that_declines_signs_nothing(tmp_path: Path) -> None:
    """WIRE-4: and the guest hears it."""
    seats = [Seat(tmp_path, 0, consents=False), Seat(tmp_path, 1)]
    endings = run(play(seats, hex_proposal()), seconds=10)
    assert [code_of(ending) for ending in endings] == ["transport.declined", "transport.peer-declined"]
    assert seats[0].session.state.match is None


def test_all_hear_it_when_the_last_guest_declines(tmp_path: Path) -> None:
    """WIRE-4: seat 1 has accepted already when seat 2 declines."""
    seats = [Seat(tmp_path, 0), Seat(tmp_path, 1), Seat(tmp_path, 2, consents=False)]
    endings = run(play(seats, toy_proposal()), seconds=10)
    codes = ["transport.peer-declined", "transport.peer-declined", "transport.declined"]
    assert [code_of(ending) for ending in endings] == codes
    for ending in endings[:2]:
        assert "it was seat 2" in getattr(ending, "hint", "")


def test_nobody_declines_before_the_offer_or_after_the_last_acceptance(tmp_path: Path) -> None:
    """WIRE-4: said before anybody was asked, or while the match runs, it ends a connection and nothing else."""
    seats = [Seat(tmp_path, number) for number in range(3)]
    late: list[asyncio.Task[None]] = []

    async def decline(address: Address) -> None:
        wire = await Wire.open(address, seats[0].key.public.key)
        await wire.ask(seats[1].key)
        await wire.connection.send(hello.declined(1))
        with suppress(TransportError):
            while True:
                await wire.connection.receive()

    async def decline_late(address: Address) -> None:
        while not seats[0].session.state.judging:
            await asyncio.sleep(0.01)
        await decline(address)

    async def beside(address: Address) -> None:
        await decline(address)
        late.append(asyncio.create_task(decline_late(address)))

    assert run(play(seats, toy_proposal(hands=30), beside=beside)) == [WHOLE] * 3
    assert late[0].done()
    assert sum("seat 1 is not connected" in notice for notice in seats[0].record.notices) >= 2


def test_md5_needs_the_joiners_own_word(tmp_path: Path) -> None:
    """ENC-4: a suite outside our policy is refused before anybody is asked."""
    seats = [Seat(tmp_path, 0, patience=0.5, suites=("md5",)), Seat(tmp_path, 1)]
    endings = run(play(seats, hex_proposal(suite="md5")))
    assert [code_of(ending) for ending in endings] == ["transport.peer-declined", "offer.suite-refused"]
    assert seats[1].offers == []


def test_an_expired_offer_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ENC-4, also when it expires while somebody reads it."""
    monkeypatch.setattr("dealerless.net.offers.OFFER_SECONDS", -1)
    seats = [Seat(tmp_path, 0, patience=0.5), Seat(tmp_path, 1)]
    endings = run(play(seats, hex_proposal()))
    assert [code_of(ending) for ending in endings] == ["transport.peer-declined", "offer.expired"]


def test_an_offer_accepted_before_is_not_signed_again(tmp_path: Path) -> None:
    seats = [Seat(tmp_path, 0, patience=0.5), Seat(tmp_path, 1)]

    def remember(offer: bytes, expires: int) -> None:
        raise UsageError("offer.accepted-before", actual=offer)

    object.__setattr__(seats[1].sitting, "remember", remember)
    endings = run(play(seats, hex_proposal()))
    assert code_of(endings[1]) == "offer.accepted-before"
    assert seats[1].session.state.last == (seats[1].session.state.last[0], None)


@pytest.mark.parametrize("first", [STRANGER, HOST])
def test_an_offer_for_other_seats_is_refused(tmp_path: Path, first: SigningKey) -> None:
    """ENC-4: seat 0 is the pinned key, whoever brings the offer, and another seat is ours; the error says which."""
    from tests.matches import hex_offer, signed

    seat = Seat(tmp_path, 1)
    offer = hex_offer(keys=(first, GUEST if first is STRANGER else STRANGER))
    frame = signed(first, encode_body(bytes(32), 0, 0, bytes(32), offer))

    async def match() -> object:
        listener = Listener(LOCAL)

        async def serve(connection: Connection) -> None:
            challenge = secrets.token_bytes(32)
            await connection.send(hello.greeting(HOST, connection.certificate, challenge))
            await connection.receive()
            await connection.send(hello.welcome(NOTHING))
            await connection.send(frame)
            with pytest.raises(TransportError):
                await connection.receive()

        serving = asyncio.create_task(listener.serve(serve))
        result = await asyncio.gather(join(seat.sitting, listener.address, HOST.public.key), return_exceptions=True)
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        return result[0]

    error = run(match())
    assert isinstance(error, UsageError)
    assert error.code == "offer.other-seats"
    if first is STRANGER:
        assert (error.expected, error.actual) == (HOST.public.key, STRANGER.public.key)
    else:
        assert (error.expected, error.actual) == (GUEST.public.key, (STRANGER.public.key,))
    assert error.hint
    assert seat.offers == []
