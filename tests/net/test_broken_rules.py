"""Peers that break a rule of the game over a real wire, and are expelled for it (CHAIN-5, VERDICT-2)."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from dealerless.crypto.ed25519 import SigningKey
from dealerless.encoding import encode
from dealerless.errors import TransportError
from dealerless.net.seating import Ending
from dealerless.net.star import host, join
from dealerless.net.transport import Address, Listener
from dealerless.protocol.envelope import encode_body
from dealerless.protocol.events import Accepted, Acted, Event
from dealerless.protocol.records import encode_frame, signed_text
from dealerless.protocol.seeds import MemorySecrets
from dealerless.protocol.session import Session
from dealerless.protocol.state import Phase
from dealerless.referee import Outcome, replay
from tests.matches import KEYS, PLAYED
from tests.net.peers import GUEST, HOST, Betting, until_closed
from tests.net.tables import LOCAL, Seat, Wire, hex_proposal, run, toy_proposal


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
