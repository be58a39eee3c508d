"""Peers that lie about who they are, flood, drip, or break rules over a real wire (N01 to N06, P04, P08, VERDICT)."""

from __future__ import annotations

import asyncio
import secrets
import tracemalloc
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest

from dealerless.crypto.ed25519 import SigningKey
from dealerless.encoding import encode
from dealerless.errors import TransportError, UsageError
from dealerless.games.game import Move
from dealerless.net import hello
from dealerless.net.seating import Ending
from dealerless.net.star import host, join
from dealerless.net.transport import Address, Connection, Listener, dial
from dealerless.players.player import Player, SeatView
from dealerless.protocol.envelope import encode_body
from dealerless.protocol.events import Accepted, Acted, Event
from dealerless.protocol.records import MAX_RECORD, encode_frame, signed_text
from dealerless.protocol.seeds import MemorySecrets
from dealerless.protocol.session import Session
from dealerless.protocol.state import Phase
from dealerless.referee import Outcome, replay
from tests.matches import KEYS, PLAYED, STRANGER
from tests.net.tables import LOCAL, NOTHING, Seat, Wire, hex_proposal, play, run, toy_proposal
from tests.net.transcripts import signed_twice

WHOLE = Ending(fault=None, delivered=True)
HOST, GUEST = KEYS[0], KEYS[1]


def code_of(error: object) -> str | None:
    return getattr(error, "code", None)


# --- who is there


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


# --- sizes and times


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


# --- breaking rules


async def until_closed(wire: Wire) -> None:
    try:
        while True:
            await wire.connection.receive()
    except TransportError:
        return


class Betting(Player):
    """Bets whenever it may, so that the other side owes an answer."""

    def decide(self, view: SeatView) -> Move:
        option = next(option for option in view.legal if option.name in ("BET", "CALL"))
        return Move(name=option.name, amount=option.least)

    def shows(self, view: SeatView) -> bool:
        return True


class Cheat:
    """A joiner that plays by the book until it is to move, and then sends what `cheat` makes."""

    def __init__(self, cheat: Callable[[Cheat], list[bytes]]) -> None:
        self.session = Session(GUEST, MemorySecrets(secrets.token_bytes), PLAYED)
        self.sent: list[bytes] = []
        self._cheat = cheat

    def sign(self, body: bytes, key: SigningKey = GUEST) -> bytes:
        return encode_frame(body, key.sign(signed_text(body)))

    def forge(self, event: Event) -> bytes:
        state = self.session.state
        return self.sign(encode_body(state.agreed.session, state.seq, 1, state.head, event))

    async def play(self, address: Address) -> None:
        wire = await Wire.open(address, HOST.public.key)
        await wire.ask(GUEST)
        session = self.session
        while True:
            while session.owed is not None:
                event = session.due()
                if event is None and session.owed.kinds[0] is Accepted:
                    event = Accepted(nonce=bytes(32), channel=wire.connection.certificate)
                if event is None:
                    # The other side may have had enough before all is sent.
                    with suppress(TransportError):
                        for frame in self._cheat(self):
                            await wire.connection.send(frame)
                    await until_closed(wire)
                    return
                frame = session.say(event)
                self.sent.append(frame)
                await wire.connection.send(frame)
            session.receive(await wire.connection.receive())


def illegal_move(cheat: Cheat) -> list[bytes]:
    return [cheat.forge(Acted(move="RAISE", amount=20))]


def overbet(cheat: Cheat) -> list[bytes]:
    return [cheat.forge(Acted(move="BET", amount=10**15))]


def second_layout(cheat: Cheat) -> list[bytes]:
    from dealerless.protocol.events import LayoutOpened

    state = cheat.session.state
    last = state.last[1]
    assert last is not None
    body = encode_body(state.agreed.session, last[0], 1, last[1], LayoutOpened(seed=bytes(32)))
    return [cheat.sign(body)]


def two_moves(cheat: Cheat) -> list[bytes]:
    """The second comes when the host owes; its author answers for it when it owes the next move."""
    return [cheat.forge(Acted(move="CHECK", amount=0)), cheat.forge(Acted(move="BET", amount=10))]


def undecodable(cheat: Cheat) -> list[bytes]:
    state = cheat.session.state
    return [cheat.sign(encode((1, state.agreed.session, state.seq, 1, state.head, "no-such-kind", ())))]


def illegal_then_more(cheat: Cheat) -> list[bytes]:
    return [cheat.forge(Acted(move="FOLD", amount=0)), cheat.forge(Acted(move="CHECK", amount=0))] + [bytes(50)] * 9


@pytest.mark.parametrize(
    ("cheat", "code"),
    [
        (illegal_move, "bet.nothing-owed"),
        (overbet, "bet.over-stack"),
        (second_layout, "chain.equivocation"),
        (two_moves, "chain.equivocation"),
        (undecodable, "encoding.unknown-kind"),
        (illegal_then_more, "bet.nothing-owed"),
    ],
)
def test_a_broken_rule_is_written_down_expelled_and_settled(
    tmp_path: Path, cheat: Callable[[Cheat], list[bytes]], code: str
) -> None:
    """CHAIN-5, VERDICT-2: the honest side's own journal convicts the author, and the honest side keeps the pot."""
    seat = Seat(tmp_path, 0, patience=3.0, player=Betting())

    async def match() -> Ending:
        listener = Listener(LOCAL)
        cheating = asyncio.create_task(Cheat(cheat).play(listener.address))
        expected = (GUEST.public.key,)
        ending = await host(seat.sitting, listener, proposal=hex_proposal(3), expected=expected)
        await cheating
        return ending

    ending = run(match())
    assert ending.fault is not None
    assert (ending.fault.seat, ending.fault.error.code) == (1, code)
    verdict = replay(seat.transcript)
    assert verdict.outcome is Outcome.FAULT
    assert verdict.fault is not None
    assert (verdict.fault.seat, verdict.fault.code, verdict.fault.blame) == (1, code, "public")
    assert verdict.settled == (0,)
    assert verdict.unjudged is None
    assert verdict.damage is None
    assert verdict.net[0] >= 10
    assert sum(verdict.net) == 0
    assert seat.session.state.phase is Phase.OVER


def test_a_third_seat_sees_the_fault_and_plays_on(tmp_path: Path) -> None:
    """CHAIN-5 with three seats: the refused frame is passed on, its author expelled, the others go on."""
    seats = [Seat(tmp_path, number) for number in (0, 2)]

    async def match() -> list[object]:
        listener = Listener(LOCAL)
        cheating = asyncio.create_task(
            Cheat(lambda cheat: [cheat.forge(Acted(move="RAISE", amount=3))]).play(listener.address)
        )
        expected = (GUEST.public.key, KEYS[2].public.key)
        endings = await asyncio.gather(
            host(seats[0].sitting, listener, proposal=toy_proposal(hands=2), expected=expected),
            join(seats[1].sitting, listener.address, HOST.public.key),
            return_exceptions=True,
        )
        await cheating
        return list(endings)

    for ending in run(match()):
        assert isinstance(ending, Ending), ending
        assert ending.fault is not None
        assert ending.fault.seat == 1
    assert seats[0].transcript == seats[1].transcript
    verdict = replay(seats[0].transcript, games=PLAYED)
    assert (verdict.outcome, verdict.settled, verdict.unjudged) == (Outcome.FAULT, (0, 2), None)
    assert [forfeit.seat for forfeit in verdict.forfeits] == [1]


# --- offers


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
    monkeypatch.setattr("dealerless.net.star.OFFER_SECONDS", -1)
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
