"""The driver of one seat: what it owes it says, writes down and sends; what comes it checks, writes down, passes on.

Every frame goes through the session first, then into the journal, and only from the journal onto a wire
(ENC-5). The host of a table for more than two passes frames on by the same means.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Final

from ..errors import DealerlessError, DecodeError, TransportError, Unattributed, UsageError, Violation
from ..protocol.envelope import Envelope, decode_body
from ..protocol.events import Event, HandStarted, Left
from ..protocol.records import decode_frame
from ..protocol.state import Phase
from . import hello
from .chronicle import Chronicle
from .seating import Ending, Link, Question, Sitting
from .thinking import Thinker, decision
from .watch import Watch

JUNK_LIMIT: Final = 3
"""Records that belong to nobody, in one connection: an honest peer sends none, a flood is ended at once."""

DUPLICATE_LIMIT: Final = 1000
"""Copies of frames we hold, between two new ones: they are dropped without a word, but not for ever."""

ASIDE_LIMIT: Final = 32
"""Proofs of equivocation and `done` in one connection: an honest peer has one of each for eight seats, at the most."""

PARTING_SECONDS: Final = 2.0
"""For a last word to go out before we get up: a packet, and nobody has to answer it."""

LINGER_SECONDS: Final = 10.0
"""After the end, for the other side to come back for the last frames; it can also have them by `resume`."""

ROUND_TRIP_SECONDS: Final = 60.0
"""Beyond a peer's time by the terms, for the witnesses' word to be asked for and to come."""


class Driver(Chronicle):
    """Drives one seat over connections that others make; `star` makes them, as host or as joiner."""

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(sitting)
        self.links: Final[dict[int, Link]] = {}
        self.watch: Final = Watch(self, sitting.witnesses)
        self._thinker: Final = Thinker(self.progressed, self.fail)
        self._met: dict[int, hello.Held] = {}
        self._delivered: set[int] = set()
        self._parting: list[Link] = []
        self._signing = not sitting.resumed
        self._failure: BaseException | None = None
        self._changed = asyncio.Event()
        self._progress = 0.0

    # --- what connections call

    def join(self, link: Link) -> None:
        """Make an authenticated connection the one of its seat; an older one of that seat is dropped."""
        older = self.links.get(link.seat)
        if older is not None:
            self.drop(older)
        link.cursor = self.backlog.place(link.held.count)
        self.links[link.seat] = link
        self._met[link.seat] = link.held
        self._changed.set()

    def leave(self, link: Link) -> bool:
        """Take a closed connection off its seat; return whether it was still the seat's."""
        if self.links.get(link.seat) is not link:
            return False
        del self.links[link.seat]
        self._changed.set()
        return True

    def drop(self, link: Link) -> None:
        """Take a connection off its seat and end it."""
        del self.links[link.seat]
        link.connection.abort()

    def part(self, word: bytes, *, but_from: Link | None = None) -> None:
        """Say a last word over every connection but that one; none of them is its seat's any more."""
        parting = [link for link in self.links.values() if link is not but_from]
        self._parting += parting
        for link in parting:
            del self.links[link.seat]
            link.last_word = word
            link.wake.set()

    async def parted(self) -> None:
        """Return when the last words are said, or after a little while."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PARTING_SECONDS):
                for link in self._parting:
                    await link.ended.wait()

    def fail(self, error: BaseException) -> None:
        """End the match with this error: nothing can go on after it."""
        if self._failure is None:
            self._failure = error
        self._changed.set()

    def changed(self) -> None:
        """Look again at what is to be done."""
        self._changed.set()

    def progressed(self) -> None:
        """Begin the peers' time anew."""
        self._progress = asyncio.get_running_loop().time()
        self._changed.set()

    async def read(self, link: Link) -> None:
        """Take in what comes over a connection until it ends; raises TransportError with the reason."""
        while True:
            record = await link.connection.receive()
            self.take(link, record)
            # A peer that is always faster than we are must not keep the loop from everybody else.
            await asyncio.sleep(0)

    async def write(self, link: Link) -> None:
        """Send over a connection whatever the journal has and will have beyond its cursor, then `done`.

        Raises TransportError: why it cannot go on, or `transport.declined` after a last word.
        """
        while True:
            link.wake.clear()
            if link.last_word is not None:
                await link.connection.send(link.last_word)
                raise TransportError("transport.declined")
            while link.cursor < len(self.backlog):
                end = len(self.backlog)
                for place, record in self.backlog.read(link.cursor, link):
                    await link.connection.send(record)
                    link.cursor = place
                link.cursor = end
            if self.finished and not link.done_sent:
                await link.connection.send(hello.done(self.held()))
                link.done_sent = True
                self._check_delivered(link)
            await link.wake.wait()

    # --- the loop

    async def play(self) -> Ending:
        """Return how the match ended; raises what ended it otherwise. The journal is whole in every case."""
        self.progressed()
        while True:
            self._changed.clear()
            self._raise_failure()
            self._speak()
            if self.finished:
                break
            await self._wait(None if self._thinker.busy else self._time_left())
        self._raise_failure()
        self.testify()
        delivered = await self._deliver()
        self.proofs.clear()
        return Ending(fault=self.fault, delivered=delivered, absent=tuple(self.absent))

    async def _wait(self, seconds: float | None) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        except TimeoutError:
            if self._time_left() <= 0:
                raise TransportError("transport.no-answer", actual=f"{self._patience():g} s") from None

    def _time_left(self) -> float:
        return self._progress + self._patience() - asyncio.get_running_loop().time()

    def _patience(self) -> float:
        """Return how long we wait: where witnesses keep the time, not less than what the terms give a peer."""
        state = self.session.state
        match = state.match
        if match is None or not match.offer.threshold or not state.judging:
            return self.sitting.patience
        granted = match.offer.move_seconds + match.offer.bank_seconds + ROUND_TRIP_SECONDS
        return max(self.sitting.patience, granted)

    async def _deliver(self) -> bool:
        """Return whether every other seat has said that it holds the whole match, waiting a little for it."""
        loop = asyncio.get_running_loop()
        end = loop.time() + min(LINGER_SECONDS, self.sitting.patience)
        self._wake_writers()
        while self.watch.behind or self._unserved() or not self._delivered.issuperset(self.others()):
            self._changed.clear()
            if self._failure is not None:
                if isinstance(self._failure, TransportError) and self._failure.code != "chain.fork":
                    # Somebody else is there now. Our match is complete all the same.
                    break
                raise self._failure
            if self.fault is not None and not self.watch.behind and all(link.done_sent for link in self.links.values()):
                break
            try:
                async with asyncio.timeout_at(end):
                    await self._changed.wait()
            except TimeoutError:
                break
        return self._delivered.issuperset(self.others())

    def _unserved(self) -> bool:
        """Whether a seat that is out of the match and still listens has not been sent its end."""
        others = self.others()
        return any(link.seat not in others and not link.done_sent for link in self.links.values())

    def _check_delivered(self, link: Link) -> None:
        """Remember it when both sides of a connection have told each other that they hold the whole match."""
        if link.done_sent and link.done_seen:
            self._delivered.add(link.seat)
        self._changed.set()

    def others(self) -> tuple[int, ...]:
        """Return the seats that we exchange frames with; overridden by the joiner, who has the host only."""
        state = self.session.state
        if state.match is None:
            return ()
        present = [seat for seat in range(state.match.seats) if state.books.gone[seat] is None]
        faulty = None if self.session.fault is None else self.session.fault.seat
        return tuple([seat for seat in present if seat not in (self.session.seat, faulty)])

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    # --- what we say

    def _speak(self) -> None:
        """Say everything we owe that leaves no choice, and have somebody think about what does."""
        # What we know of ours cannot stand in the way: an expulsion is ours to sign only in another's place.
        expulsion = self.watch.expulsion()
        if expulsion is not None:
            self.say(expulsion)
        if not self._signing:
            self._signing = self._collected()
        if not self._signing:
            return
        while (event := self.session.due()) is not None:
            self.say(Left() if isinstance(event, HandStarted) and self.sitting.leaves() else event)
        if not self._thinker.busy:
            question = self.question()
            if question is not None:
                self._thinker.ask(question)

    def _collected(self) -> bool:
        """Whether all others have said what they hold and we have it too: only then may we sign. ENC-5."""
        count = self.session.state.seq
        return self.watch.asked and all(seat in self._met and self._met[seat].count <= count for seat in self.others())

    def question(self) -> Question | None:
        """Return the decision that is ours to make now, or None."""
        return decision(self.session, self.sitting.player, self._seconds_left, self._choose)

    def _seconds_left(self) -> int | None:
        """Return how long we still have, for the player; called from the player's own thread."""
        match = self.session.state.match
        if match is None or not match.offer.threshold:
            return None
        left = self.watch.seconds_left(time.monotonic())
        return match.offer.move_seconds if left is None else int(left)

    def _choose(self, event: Event) -> None:
        try:
            self.say(event)
        except Violation as error:
            # Refused by our own table before it was signed: our player's mistake and nobody's fault.
            raise UsageError("usage.bad-value", actual=error.code) from error

    def say(self, event: Event) -> None:
        """Sign `event`, write it down, and let it go out."""
        before = self.session.state
        frame = self.session.say(event)
        self.keep(frame, before, None)
        self.miss(event)
        self.sitting.observer.stepped(before, decode_body(decode_frame(frame)[0]), self.session.state)
        self.convict()

    # --- what we hear

    def hears(self, link: Link) -> bool:
        """Return whether frames from this peer can mean anything now; a host before its offer hears none."""
        return True

    def take(self, link: Link, record: bytes) -> None:
        """Take in a record from a peer or a frame from a board; raises TransportError to end the connection."""
        try:
            self._take(link, record)
        except TransportError:
            raise
        except Exception as error:
            self.fail(error)
            raise TransportError("transport.closed") from error

    def _take(self, link: Link, record: bytes) -> None:
        """Take in one record from a peer: a frame, a copy of one, a `done`, or nothing anybody answers for."""
        held = hello.read_done(record)
        if held is not None:
            self._count_aside(link)
            link.done_seen = held == self.held()
            self._check_delivered(link)
            return
        seat = hello.read_declined(record)
        if seat is not None:
            self.declined(link, seat)
            return
        session, before = self.session, self.session.state
        if not self.hears(link):
            raise TransportError("transport.junk")
        try:
            body, _ = decode_frame(record)
            if self.backlog.knows(body):
                link.duplicates += 1
                if link.duplicates > DUPLICATE_LIMIT:
                    raise TransportError("transport.junk")
                return
            envelope = session.receive(record)
        except Unattributed as error:
            if error.code == "record.proof-kept":
                self._count_aside(link)
                self.keep_proof(record, error)
            else:
                self._drop_junk(link, error)
        except (DecodeError, Violation) as error:
            self.keep_fault(record, before, link, error)
        else:
            if envelope.header.seat == session.seat and self._signing:
                hint = "somebody else plays with this key; if it was an earlier process of yours: resume its file"
                raise UsageError("resume.unexplained", actual=envelope.header.seq, hint=hint)
            try:
                self.heard(envelope)
            except DealerlessError as error:
                # The table has taken it in and we have not written it down: there is no going on from here.
                self.fail(error)
                raise TransportError("transport.closed") from error
            self.keep(record, before, link)
            link.duplicates = 0
            self.progressed()
            self.miss(envelope.event)
            self.sitting.observer.stepped(before, envelope, session.state)
            self.convict()

    def declined(self, link: Link, seat: int) -> None:
        """End the match: a peer says that `seat` declines the terms. Not once all have accepted them."""
        if self.session.state.phase not in (Phase.OFFERING, Phase.ACCEPTING):
            raise TransportError("transport.junk")
        whose = f"seat {seat}" if seat else "the host"
        hint = f"it was {whose}; what was signed of the terms binds nobody"
        self.fail(TransportError("transport.peer-declined", hint=hint))

    def heard(self, envelope: Envelope) -> None:
        """Look at a peer's frame that the table accepted, before it is written down; may raise to end the match."""

    def _drop_junk(self, link: Link, error: Unattributed) -> None:
        if self.session.state.match is None:
            # What we joined for and cannot read: no other offer will come.
            raise error
        link.junk += 1
        self.sitting.observer.noticed(f"a message was dropped: {error}")
        if link.junk >= JUNK_LIMIT:
            raise TransportError("transport.junk", actual=error.code) from error

    def _count_aside(self, link: Link) -> None:
        """Count what moves the chain nowhere and is written down or answered once; end a flood of it."""
        link.asides += 1
        if link.asides > ASIDE_LIMIT:
            raise TransportError("transport.junk")

    # --- the journal and its readers

    def wrote(self) -> None:
        """Have a frame that is in the journal sent, and look again at what is to be done."""
        self._wake_writers()
        self._changed.set()

    def turned(self) -> None:
        """Ask anew: somebody is at fault or absent, and the peers' time begins again."""
        self._thinker.forget()
        self.progressed()

    def _wake_writers(self) -> None:
        for link in self.links.values():
            link.wake.set()
        self.watch.wake()
