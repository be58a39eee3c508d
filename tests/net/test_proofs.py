"""Proofs of equivocation that wait for their author: on the disk, past a crash, to a verdict (VERDICT-2a, CHAIN-5)."""

from __future__ import annotations

import asyncio
import secrets
import time
from contextlib import suppress
from pathlib import Path

import pytest

from dealerless.errors import TransportError
from dealerless.games.game import Move
from dealerless.journal.proofs import Proofs
from dealerless.net import hello
from dealerless.net.play import ASIDE_LIMIT
from dealerless.net.seating import Ending
from dealerless.net.star import host
from dealerless.net.transport import Address, Connection, Listener, dial
from dealerless.players.player import Player, SeatView
from dealerless.protocol.envelope import encode_body
from dealerless.protocol.events import Accepted, Acted, Event, Settled
from dealerless.protocol.records import MAGIC, encode_frame, encode_record, signed_text
from dealerless.protocol.seeds import MemorySecrets
from dealerless.protocol.session import Session
from dealerless.protocol.state import Phase
from dealerless.referee import Outcome, replay
from tests.matches import KEYS, PLAYED
from tests.net.peers import Betting, until_closed
from tests.net.tables import LOCAL, NOTHING, Seat, Wire, hex_proposal, run
from tests.net.transcripts import frames_of

HOST, GUEST = KEYS[0], KEYS[1]
OTHER = Settled(head=bytes(32), stacks=(0, 40), net=(-20, 20))


class Twice:
    """A guest that plays by the book, and when it is at `phase` says what it owes and then what it must not."""

    def __init__(self, phase: Phase, *others: Event) -> None:
        self.session = Session(GUEST, MemorySecrets(secrets.token_bytes), PLAYED)
        self._phase, self._others = phase, others

    async def play(self, address: Address, held: hello.Held = NOTHING) -> Wire:
        """Return the connection once all is sent."""
        wire = await Wire.open(address, HOST.public.key)
        await wire.ask(GUEST, held)
        session = self.session
        while True:
            while session.owed is not None:
                state = session.state
                frame = session.say(self._says(wire))
                await wire.connection.send(frame)
                if state.phase is self._phase:
                    # A flood is cut off before its end.
                    with suppress(TransportError):
                        for other in self._others:
                            body = encode_body(state.agreed.session, state.seq, 1, state.head, other)
                            await wire.connection.send(encode_frame(body, GUEST.sign(signed_text(body))))
                    return wire
            session.receive(await wire.connection.receive())

    def _says(self, wire: Wire) -> Event:
        session = self.session
        event = session.due()
        if event is not None:
            return event
        if session.state.phase is Phase.ACCEPTING:
            return Accepted(nonce=bytes(32), channel=wire.connection.certificate)
        if session.state.phase is Phase.BETTING:
            option = session.legal()[0]
            return Acted(move=option.name, amount=option.least)
        return session.show()


class Never(Player):
    """Thinks for longer than any test lasts."""

    def decide(self, view: SeatView) -> Move:
        time.sleep(3600)
        raise AssertionError

    def shows(self, view: SeatView) -> bool:
        return True


async def stopped(seat: Seat) -> None:
    """Return once the host has died with a proof against its guest that it could not use yet."""
    listener = Listener(LOCAL)
    task = asyncio.create_task(host(seat.sitting, listener, proposal=hex_proposal(1), expected=(GUEST.public.key,)))
    wire = await second_move().play(listener.address)
    while not any("signed two" in notice for notice in seat.record.notices):
        await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await wire.connection.close()
    seat.close()


async def attacked(seat: Seat, guest: Twice) -> tuple[Ending | BaseException, bytes]:
    """Return how it ended for the host, and what lay beside its journal when it was told of the proof."""
    listener = Listener(LOCAL)
    beside: list[bytes] = []
    proofs = Proofs(seat.path).path
    notice = seat.record.noticed

    def noticed(text: str) -> None:
        if "signed two" in text:
            beside.append(proofs.read_bytes())
        notice(text)

    seat.record.noticed = noticed  # type: ignore[method-assign]
    task = asyncio.create_task(host(seat.sitting, listener, proposal=hex_proposal(1), expected=(GUEST.public.key,)))
    wire = await guest.play(listener.address)
    reading = asyncio.create_task(until_closed(wire))
    (ending,) = await asyncio.gather(task, return_exceptions=True)
    await wire.connection.close()
    await asyncio.gather(reading, return_exceptions=True)
    return ending, b"".join(beside)


def convicted(seat: Seat, ending: object) -> None:
    assert isinstance(ending, Ending)
    assert ending.fault is not None
    assert (ending.fault.seat, ending.fault.error.code) == (1, "chain.equivocation")
    verdict = replay(seat.transcript)
    assert verdict.fault is not None
    assert (verdict.outcome, verdict.fault.seat, verdict.fault.code) == (Outcome.FAULT, 1, "chain.equivocation")
    assert verdict.damage is None
    assert not Proofs(seat.path).path.exists()


def second_move() -> Twice:
    return Twice(Phase.BETTING, Acted(move="BET", amount=10))


def test_a_second_settlement_ends_the_journal_and_convicts(tmp_path: Path) -> None:
    """VERDICT-2a: its author owes nothing any more; the proof goes into the journal, and the end is a fault."""
    seat = Seat(tmp_path, 0, patience=3.0)
    ending, beside = run(attacked(seat, Twice(Phase.SETTLING, OTHER)))
    convicted(seat, ending)
    assert frames_of(beside) == frames_of(seat.transcript)[-1:]


def test_a_proof_survives_the_process(tmp_path: Path) -> None:
    """ENC-5: it is on the disk before it is told of, and the next process convicts with it, without the peer."""
    seat = Seat(tmp_path, 0, patience=1.0, player=Never())

    run(stopped(seat))
    file = Proofs(seat.path).path
    assert len(frames_of(file.read_bytes())) == 1
    assert file.stat().st_mode & 0o777 == 0o600
    seat = resumed(tmp_path)
    convicted(seat, run(go_on(seat)))


def resumed(folder: Path) -> Seat:
    return Seat(folder, 0, resumed=True, patience=3.0, player=Betting())


async def go_on(seat: Seat) -> Ending:
    """Return the end of a resumed match whose guest comes back once, says what it holds, and nothing more."""
    listener = Listener(LOCAL)
    task = asyncio.create_task(host(seat.sitting, listener))
    await asyncio.sleep(0)
    state = seat.session.state
    wire = await Wire.open(listener.address, HOST.public.key)
    await wire.ask(GUEST, hello.Held(session=state.agreed.session, count=state.seq, head=state.head))
    reading = asyncio.create_task(until_closed(wire))
    ending = await task
    await wire.connection.close()
    await asyncio.gather(reading, return_exceptions=True)
    return ending


def test_a_journal_may_end_with_a_proof(tmp_path: Path) -> None:
    """CHAIN-5: a frame that proves something is no damage, whoever put it there; its author is expelled in time."""
    seat = Seat(tmp_path, 0, patience=1.0, player=Never())
    file = Proofs(seat.path).path
    run(stopped(seat))
    (proof,) = frames_of(file.read_bytes())
    seat.path.write_bytes(seat.transcript + encode_record(proof))
    file.unlink()
    seat = resumed(tmp_path)
    convicted(seat, run(go_on(seat)))


def test_proofs_of_no_use_are_let_go(tmp_path: Path) -> None:
    """ENC-5: what another match or an unknown hand left beside a journal convicts nobody."""
    seat = Seat(tmp_path, 0, patience=3.0)
    run(attacked(seat, Twice(Phase.SETTLING, OTHER)))
    whole = frames_of(seat.transcript)
    seat.close()
    seat.path.write_bytes(MAGIC + b"".join([encode_record(frame) for frame in whole[:-1]]))
    file = Proofs(seat.path).path
    file.write_bytes(MAGIC + encode_record(whole[3]))
    seat = resumed(tmp_path)
    ending = run(host_alone(seat))
    assert ending.fault is None
    assert replay(seat.transcript).outcome is Outcome.CLEAN
    assert not file.exists()
    # And the one that is of use, left by a process that died before its journal had it.
    seat.close()
    file.write_bytes(MAGIC + encode_record(whole[-1]))
    seat = resumed(tmp_path)
    convicted(seat, run(host_alone(seat)))
    assert seat.transcript == MAGIC + b"".join([encode_record(frame) for frame in whole])
    # Once more: it is in the journal already, and stays there once.
    seat.close()
    file.write_bytes(MAGIC + encode_record(whole[-1]))
    seat = resumed(tmp_path)
    convicted(seat, run(host_alone(seat)))
    assert frames_of(seat.transcript) == whole


async def host_alone(seat: Seat) -> Ending:
    return await host(seat.sitting, Listener(LOCAL))


@pytest.mark.parametrize("kind", ["proofs", "done"])
def test_a_flood_beside_the_chain_is_ended(tmp_path: Path, kind: str) -> None:
    """N01: proofs and `done` are counted for each connection, and one seat's equivocation is told of once."""
    seat = Seat(tmp_path, 0, patience=20.0, player=Never())

    async def flooded() -> None:
        listener = Listener(LOCAL)
        task = asyncio.create_task(host(seat.sitting, listener, proposal=hex_proposal(1), expected=(GUEST.public.key,)))
        bets: list[Event] = [Acted(move="BET", amount=10 + n) for n in range(ASIDE_LIMIT + 1)]
        wire = await Twice(Phase.BETTING, *(bets if kind == "proofs" else [])).play(listener.address)
        if kind == "done":
            with suppress(TransportError):
                for count in range(ASIDE_LIMIT + 1):
                    await wire.connection.send(hello.done(hello.Held(session=b"", count=count, head=bytes(32))))
        async with asyncio.timeout(10):
            await until_closed(wire)
        while not any("not connected" in notice for notice in seat.record.notices):
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    run(flooded())
    told = [notice for notice in seat.record.notices if "signed two" in notice]
    assert len(told) == (kind == "proofs")
    if kind == "proofs":
        assert len(frames_of(Proofs(seat.path).path.read_bytes())) == 1


def test_sending_stops_when_the_other_side_is_gone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """N01: a peer that resets its connection is noticed within a few records, and nothing is written about it."""

    async def sends() -> int:
        listener = Listener(LOCAL)
        sent = 0
        ended: asyncio.Queue[str] = asyncio.Queue()

        async def handle(connection: Connection) -> None:
            nonlocal sent
            try:
                await connection.receive()
                while sent < 5000:
                    await connection.send(bytes(100))
                    sent += 1
            except TransportError as error:
                ended.put_nowait(error.code)

        serving = asyncio.create_task(listener.serve(handle))
        wire = await dial(listener.address)
        await wire.send(b"x")
        wire.abort()
        async with asyncio.timeout(10):
            assert await ended.get() == "transport.closed"
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        return sent

    assert run(sends()) < 500
    assert "socket.send" not in caplog.text
