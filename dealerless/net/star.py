"""Who connects to whom: the host listens and every other seat dials it, again and again if need be.

The host is seat 0 and passes every frame on. It is trusted with nothing: it can hold frames back, as any wire
can, and everything else it might do to them shows in the chain.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final

from ..errors import DealerlessError, TransportError
from ..protocol.envelope import Envelope
from ..protocol.events import Accepted, Offered
from ..referee import fingerprint
from ..report.escape import marked
from . import hello
from .offers import Proposal, check_offer, check_witnesses, offered
from .play import Driver
from .seating import Ending, Link, Question, Sitting
from .transport import HANDSHAKE_SECONDS, Address, Connection, Listener, dial

_FIRST_RETRY: Final = 0.1
_LAST_RETRY: Final = 2.0
"""Seconds between two attempts to reach the host, doubling: quick after a hiccup, no burden on a dead host."""

_LAST_WORDS: Final = 2.0
"""Seconds to take in what a closed connection has brought: a buffer full of frames, and no more can come."""

# What trying again cannot mend.
_FINAL: Final = frozenset(
    {
        "transport.wrong-key",
        "transport.wrong-certificate",
        "transport.bad-signature",
        "transport.refused",
        "transport.other-match",
        "transport.declined",
        "chain.fork",
    }
)


async def host(
    sitting: Sitting,
    listener: Listener,
    *,
    proposal: Proposal | None = None,
    expected: tuple[bytes, ...] = (),
) -> Ending:
    """Return how the match ended for seat 0, which the others reach through `listener`.

    `proposal` is what a new match is about (None: the journal says it); `expected` are the keys that the seats from 1
    up are kept for; the first to come take the others. Raises TransportError when somebody stays away or declines.
    """
    driver = _Host(sitting, listener.certificate, proposal, expected)
    try:
        driver.restore()
        return await _drive(driver, listener.serve(driver.greet))
    finally:
        listener.close()


async def join(sitting: Sitting, address: Address, pin: bytes) -> Ending:
    """Return how the match ended for the seat of our key, the host being `pin` at `address`.

    Raises TransportError when the host is another, refuses us, or stays away; it is dialled again for as long
    as our patience lasts.
    """
    driver = _Joiner(sitting, pin)
    driver.restore()
    return await _drive(driver, driver.keep_dialling(address))


async def _drive(driver: Driver, connecting: Coroutine[Any, Any, None]) -> Ending:
    """Return how the match ended, with everything around it cleared away."""

    def look(task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            driver.fail(error)

    match = driver.session.state.match
    if match is not None:
        check_witnesses(match.offer, driver.sitting)
    background = [asyncio.create_task(connecting), asyncio.create_task(driver.watch.run())]
    for task in background:
        task.add_done_callback(look)
    try:
        return await driver.play()
    finally:
        await driver.parted()
        for task in background:
            task.cancel()
        await asyncio.gather(*background, return_exceptions=True)


async def _attend(driver: Driver, link: Link) -> TransportError:
    """Return why a connection ended, after both its directions have stopped."""
    writing = asyncio.ensure_future(driver.write(link))
    reading = asyncio.ensure_future(driver.read(link))
    try:
        done, _ = await asyncio.wait((writing, reading), return_when=asyncio.FIRST_COMPLETED)
        reason = next(iter(done)).exception()
        if link.last_word is not None and writing not in done:
            await asyncio.wait((writing,), timeout=_LAST_WORDS)
        if reading not in done and isinstance(reason, TransportError) and reason.code == "transport.closed":
            # Who said its last and left may have been ahead of us: what has arrived is heard all the same.
            await asyncio.wait((reading,), timeout=_LAST_WORDS)
        if isinstance(reason, TransportError):
            return reason
        driver.fail(reason or RuntimeError("a connection ended without a reason"))
        return TransportError("transport.closed")
    finally:
        for task in (writing, reading):
            task.cancel()
        await asyncio.gather(writing, reading, return_exceptions=True)
        link.ended.set()


class _Host(Driver):
    """Seat 0: keeps the seats for their keys, offers, and lets those who come back have what they missed."""

    def __init__(
        self, sitting: Sitting, certificate: bytes, proposal: Proposal | None, expected: tuple[bytes, ...]
    ) -> None:
        super().__init__(sitting)
        self._certificate = certificate
        self._proposal = proposal
        self._expected = expected
        # Before the offer: who has come for which seat, and whom we declined.
        self._guests: dict[int, hello.Request] = {}
        self._declined: set[bytes] = set()
        self._asked = False

    async def greet(self, connection: Connection) -> None:
        """Attend to one connection from its first byte to its last."""
        observer = self.sitting.observer
        try:
            async with asyncio.timeout(HANDSHAKE_SECONDS):
                challenge = secrets.token_bytes(hello.CHALLENGE_BYTES)
                await connection.send(hello.greeting(self.sitting.key, self._certificate, challenge))
                data = await connection.receive(hello.MAX_HELLO)
                request = hello.read_request(data, certificate=self._certificate, challenge=challenge)
                try:
                    self._seat_for(request)
                    self.check_held(request.held)
                except TransportError as error:
                    await connection.send(hello.refusal(error.code))
                    raise
                await connection.send(hello.welcome(self.held()))
        except TimeoutError:
            observer.noticed("a connection was closed: it did not say who it is in time")
            return
        except TransportError as error:
            observer.noticed(f"a connection was refused: {error}")
            return
        # Nothing may come between these two: somebody else can have taken the seat while we wrote.
        try:
            seat = self._seat_for(request)
        except TransportError:
            return
        joined = self.session.state.match is None
        if joined:
            self._guests[seat] = request
            self.progressed()
        link = Link(seat=seat, connection=connection, held=request.held, cursor=0)
        self.join(link)
        observer.noticed(self._joined(seat, request) if joined else f"seat {seat} is connected")
        reason = await _attend(self, link)
        if self.leave(link) and not self.finished:
            left = ""
            if self.session.state.match is None and not self._asked:
                # Whoever leaves before anything was agreed keeps nobody else out.
                del self._guests[seat]
                left = f"; {self._count()}"
            observer.noticed(f"seat {seat} is not connected: {reason}; still listening{left}")

    def _joined(self, seat: int, request: hello.Request) -> str:
        """Return who has come, and how many of those we wait for."""
        who = f"key fingerprint {fingerprint(request.key.key)} name {marked(request.name)}"
        return f"seat {seat} has joined: {who}; {self._count()}"

    def _count(self) -> str:
        return f"{len(self._guests)} of {self._seats - 1} are here"

    def _seat_for(self, request: hello.Request) -> int:
        """Return the seat of a key; raises TransportError `transport.stranger` or `transport.other-match`."""
        key, match = request.key.key, self.session.state.match
        if match is not None:
            keys = [player[0] for player in match.offer.players]
            if key in keys[1:]:
                return keys.index(key)
            raise TransportError("transport.stranger", actual=key)
        # SIG-1: no offer could name a witness as a player too.
        watching = any(key == witness.key for witness in self.sitting.witnesses)
        if key == self.sitting.key.public.key or key in self._declined or watching:
            raise TransportError("transport.stranger", actual=key)
        if request.held.count:
            raise TransportError("transport.other-match", actual=request.held.count)
        if key in self._expected:
            return 1 + self._expected.index(key)
        for seat in range(1 + len(self._expected), self._seats):
            guest = self._guests.get(seat)
            if guest is None or guest.key.key == key:
                return seat
        raise TransportError("transport.stranger", actual=key)

    @property
    def _seats(self) -> int:
        return 0 if self._proposal is None else self._proposal.seats

    def hears(self, link: Link) -> bool:
        """Return whether our offer stands: before it nobody has anything to say to us."""
        return self.session.state.match is not None

    def heard(self, envelope: Envelope) -> None:
        """Refuse an acceptance that came over another connection than ours, while it must be ours. N06."""
        event = envelope.event
        if isinstance(event, Accepted) and not self.sitting.resumed and event.channel != self._certificate:
            raise TransportError("transport.wrong-certificate", expected=self._certificate, actual=event.channel)

    def question(self) -> Question | None:
        """Return whether to sign the offer, once every seat is taken; else what every seat is asked."""
        if self.session.state.match is not None:
            return super().question()
        if self._proposal is None or len(self._guests) < self._seats - 1:
            return None
        self._asked = True
        guests = [self._guests[seat] for seat in range(1, self._seats)]
        offer = offered(self._proposal, self.sitting, guests)
        return Question(ask=lambda: self.sitting.consent(offer), then=lambda yes: self._decide(offer, yes))

    def _decide(self, offer: Offered, yes: bool) -> None:
        if yes:
            self.say(offer)
            return
        self.part(hello.declined(0))
        if self._expected:
            raise TransportError("transport.declined")
        self._asked = False
        self._declined |= {guest.key.key for guest in self._guests.values()}
        self._guests.clear()
        self.sitting.observer.noticed("declined; still listening for somebody else")

    def declined(self, link: Link, seat: int) -> None:
        """End the match for all, if our offer waits for its guests: whoever says so speaks for itself alone."""
        if self.session.state.match is None:
            raise TransportError("transport.junk")
        super().declined(link, link.seat)
        self.part(hello.declined(link.seat), but_from=link)


class _Joiner(Driver):
    """Any other seat: has one connection, to the host, and accepts or declines what it offers."""

    def __init__(self, sitting: Sitting, pin: bytes) -> None:
        super().__init__(sitting)
        self._pin = pin
        self._channel = b""

    async def keep_dialling(self, address: Address) -> None:
        """Connect to the host, and again whenever that ends, until cancelled or refused for good."""
        delay, silent = _FIRST_RETRY, False
        while True:
            try:
                connection = await dial(address)
                try:
                    link = await self._introduce(connection)
                    delay, silent = _FIRST_RETRY, False
                    waiting = "" if self.session.state.match else "; the terms come once every seat is taken"
                    self.sitting.observer.noticed(f"connected to the host{waiting}")
                    self.join(link)
                    raise await _attend(self, link)
                finally:
                    await connection.close()
            except TransportError as error:
                if error.code in _FINAL:
                    self.fail(error)
                    return
                self._gone(error, silent=silent)
                silent = True
            except DealerlessError as error:
                self.fail(error)
                return
            await asyncio.sleep(delay)
            delay = min(2 * delay, _LAST_RETRY)

    def _gone(self, error: TransportError, *, silent: bool) -> None:
        link = self.links.get(0)
        if link is not None:
            self.leave(link)
        if not silent and not self.finished:
            self.sitting.observer.noticed(f"the host is not there: {error}; trying again")

    async def _introduce(self, connection: Connection) -> Link:
        """Return the link to a host that proved to be ours, before it was told anything about us."""
        try:
            async with asyncio.timeout(HANDSHAKE_SECONDS):
                data = await connection.receive(hello.MAX_HELLO)
                certificate = connection.certificate
                challenge = hello.read_greeting(data, certificate=certificate, pin=self._pin)
                key, name = self.sitting.key, self.sitting.name
                await connection.send(hello.request(key, certificate, challenge, name, self.held()))
                held = hello.read_answer(await connection.receive(hello.MAX_HELLO))
        except TimeoutError as error:
            raise TransportError("transport.too-slow", expected=int(HANDSHAKE_SECONDS)) from error
        self.check_held(held)
        self._channel = certificate
        return Link(seat=0, connection=connection, held=held, cursor=0)

    def others(self) -> tuple[int, ...]:
        """Return the host, from whom we have the others' frames, unless it is the one at fault."""
        return tuple([0] if 0 in super().others() else [])

    def question(self) -> Question | None:
        """Return whether to accept the offer, if that is owed; else what every seat is asked."""
        session = self.session
        if session.owed is None or Accepted not in session.owed.kinds:
            return super().question()
        offer = session.state.agreed.offer
        return Question(ask=lambda: self.sitting.consent(offer), then=self._decide)

    def heard(self, envelope: Envelope) -> None:
        """Refuse an offer that is not ours to accept, before anybody is asked about it. ENC-4."""
        if isinstance(envelope.event, Offered):
            with self._said_no():
                check_offer(envelope.event, self.sitting, self._pin)

    @contextmanager
    def _said_no(self) -> Iterator[None]:
        """Tell the host that we decline, if that comes of it."""
        try:
            yield
        except DealerlessError:
            self.part(hello.declined(self.session.seat or 0))
            raise

    def _decide(self, yes: bool) -> None:
        state = self.session.state
        with self._said_no():
            if not yes:
                raise TransportError("transport.declined")
            check_offer(state.agreed.offer, self.sitting, self._pin)
            self.sitting.remember(state.agreed.offer_hash, state.agreed.offer.expires)
        self.say(Accepted(nonce=secrets.token_bytes(32), channel=self._channel))
