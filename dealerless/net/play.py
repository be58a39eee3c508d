"""The driver of one seat: what it owes it says, writes down and sends; what comes it checks, writes down, passes on.

Every frame goes through the session first, then into the journal, and only from the journal onto a wire
(ENC-5). The host of a table for more than two passes frames on by the same means.
"""

from __future__ import annotations

import asyncio
import time
from typing import Final

from ..errors import DealerlessError, DecodeError, StorageError, TransportError, Unattributed, UsageError, Violation
from ..games.game import Move
from ..journal.proofs import Proofs
from ..players.player import SeatView
from ..protocol.envelope import Envelope, decode_body, read_header
from ..protocol.events import Acted, Event, Expelled, Mucked, Shown
from ..protocol.records import decode_frame
from ..protocol.session import Fault
from ..protocol.state import State
from . import hello
from .backlog import Backlog
from .seating import Ending, Link, Question, Sitting
from .thinking import Thinker
from .watch import Watch

JUNK_LIMIT: Final = 3
"""Records that belong to nobody, in one connection: an honest peer sends none, a flood is ended at once."""

DUPLICATE_LIMIT: Final = 1000
"""Copies of frames we hold, between two new ones: they are dropped without a word, but not for ever."""

ASIDE_LIMIT: Final = 32
"""Proofs of equivocation and `done` in one connection: an honest peer has one of each for eight seats, at the most."""

LINGER_SECONDS: Final = 10.0
"""After the end, for the other side to come back for the last frames; it can also have them by `resume`."""


ROUND_TRIP_SECONDS: Final = 60.0
"""Beyond a peer's time by the terms, for the witnesses' word to be asked for and to come."""


class Driver:
    """Drives one seat over connections that others make; `star` makes them, as host or as joiner."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting: Final = sitting
        self.session: Final = sitting.session
        self.fault: Fault | None = None
        self.links: Final[dict[int, Link]] = {}
        self.backlog: Final = Backlog(sitting.journal)
        self.proofs: Final = Proofs(sitting.journal.path)
        self.watch: Final = Watch(self, sitting.witnesses)
        self._thinker: Final = Thinker(self.progressed, self.fail)
        self._met: dict[int, hello.Held] = {}
        self._delivered: set[int] = set()
        self._signing = not sitting.resumed
        self._absent: list[int] = []
        self._failure: BaseException | None = None
        self._changed = asyncio.Event()
        self._progress = 0.0

    # --- the match, as seen from here

    def held(self) -> hello.Held:
        """Return how much of the match we hold."""
        state = self.session.state
        agreed = state.match is not None and len(state.match.openings) == state.match.seats
        session = state.agreed.session if agreed else b""
        return hello.Held(session=session, count=state.seq, head=state.head)

    def check_held(self, held: hello.Held) -> None:
        """Return if a peer that holds this much can be in our match and on our branch.

        Raises TransportError `transport.other-match` or `chain.fork`.
        """
        ours = self.held()
        if ours.session and held.session and ours.session != held.session:
            raise TransportError("transport.other-match", expected=ours.session, actual=held.session)
        if held.count <= ours.count and self.backlog.head_at(held.count, ours.head) != held.head:
            hint = "compare both transcripts: dealerless audit says what each of them proves"
            raise TransportError("chain.fork", actual=held.count, hint=hint)

    @property
    def finished(self) -> bool:
        """Whether nothing more will be said: the match is over, or it cannot go on after a fault."""
        state = self.session.state
        return state.match is not None and state.owed is None

    def restore(self) -> None:
        """Take in the journal of an earlier process. Raises StorageError if it is not a match of our key."""
        session = self.session
        for record in self.backlog.restored():
            count = session.state.seq
            try:
                self._miss(session.receive(record).event)
            except (DecodeError, Violation):
                self.fault = self.fault or session.fault
            except Unattributed as error:
                if error.code != "record.proof-kept":
                    hint = f"{error}; another seat has a copy of the match"
                    raise StorageError("journal.damaged", actual=str(self.sitting.journal.path), hint=hint) from error
                self.fault = self.fault or self._proven(record, error)
            self.backlog.note(record, count, None)
        if self.sitting.resumed:
            self._restore_proofs()

    def _restore_proofs(self) -> None:
        """Take in the proofs that an earlier process kept beside its journal; those of no use any more are let go."""
        for record in self.proofs.restored():
            before = self.session.state
            try:
                self.session.receive(record)
            except (DecodeError, Violation):
                # Its author owes by now, and the journal was not told in time.
                self._record_fault(record, before, None)
            except Unattributed as error:
                if error.code == "record.proof-kept":
                    self.proofs.note(record)
        if not self.proofs.frames:
            self.proofs.clear()
        self._convict()

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
        """Send over a connection whatever the journal has and will have beyond its cursor, then `done`."""
        while True:
            link.wake.clear()
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
        self._testify()
        delivered = await self._deliver()
        self.proofs.clear()
        return Ending(fault=self.fault, delivered=delivered, absent=tuple(self._absent))

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
        while self.watch.behind or not self._delivered.issuperset(self.others()):
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
            self.say(event)
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
        session = self.session
        owed, seat = session.owed, session.seat
        if owed is None or seat is None:
            return None
        view = SeatView(
            seat=seat, hole=session.hole(), state=session.state, legal=session.legal(), seconds_left=self._seconds_left
        )
        player = self.sitting.player
        if Acted in owed.kinds:
            return Question(ask=lambda: player.decide(view), then=self._move)
        if Shown in owed.kinds:
            return Question(ask=lambda: player.shows(view), then=self._show)
        return None

    def _seconds_left(self) -> int | None:
        """Return how long we still have, for the player; called from the player's own thread."""
        match = self.session.state.match
        if match is None or not match.offer.threshold:
            return None
        left = self.watch.seconds_left(time.monotonic())
        return match.offer.move_seconds if left is None else int(left)

    def _move(self, move: Move) -> None:
        self._choose(Acted(move=move.name, amount=move.amount))

    def _show(self, shows: bool) -> None:
        self._choose(self.session.show() if shows else Mucked())

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
        self._keep(frame, before, None)
        self._miss(event)
        self.sitting.observer.stepped(before, decode_body(decode_frame(frame)[0]), self.session.state)
        self._convict()

    def _miss(self, event: Event) -> None:
        """Remember whose time ran out, once the chain has it."""
        if isinstance(event, Expelled):
            self._absent += [seat for seat, _ in event.absent]
            self._thinker.forget()

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
                self._keep_proof(record, error)
            else:
                self._drop_junk(link, error)
        except (DecodeError, Violation) as error:
            self._keep_fault(record, before, link, error)
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
            self._keep(record, before, link)
            link.duplicates = 0
            self.progressed()
            self._miss(envelope.event)
            self.sitting.observer.stepped(before, envelope, session.state)
            self._convict()

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

    def _keep_proof(self, record: bytes, error: Unattributed) -> None:
        """Write down a second message on one previous hash whose author owes nothing now, and then tell of it."""
        seat = self._proven(record, error).seat
        if self.proofs.keep(record):
            text = f"seat {seat} has signed two messages on one; it answers when it owes one"
            self.sitting.observer.noticed(text)
        if self.finished:
            self._testify()

    def _testify(self) -> None:
        """Put the proofs into the journal whose authors will owe nothing any more: there the referee finds them."""
        for record in self.proofs.frames:
            before = self.session.state
            try:
                self.session.receive(record)
            except Unattributed as error:
                if error.code != "record.proof-kept":
                    continue
                fault = self._proven(record, error)
                if self.fault is None or self.fault.seat != fault.seat:
                    self._record(record, before, None, fault)

    def _proven(self, record: bytes, error: Unattributed) -> Fault:
        """Return the fault behind `record.proof-kept`; raises UsageError if it is ours."""
        cause = error.__cause__
        if not isinstance(cause, Violation):
            raise RuntimeError("a proof was kept and nobody is at fault")
        seat = read_header(decode_frame(record)[0]).seat
        if seat == self.session.seat:
            raise _signed_twice(error)
        return Fault(seat=seat, error=cause, frame=record)

    def _convict(self) -> None:
        """Write down the proof against a seat that signed twice, if it is the one to owe a message now. CHAIN-5."""
        before = self.session.state
        proof = self.session.proof()
        if proof is not None:
            self._record_fault(proof, before, None)

    def _keep_fault(self, record: bytes, before: State, link: Link, error: DealerlessError) -> None:
        """Write down a frame that convicts its author; what we owe then, `_speak` says."""
        if self.session.fault is None or self.session.fault.seat == self.session.seat:
            raise _signed_twice(error) from error
        self._record_fault(record, before, link)

    def _record_fault(self, record: bytes, before: State, source: Link | None) -> None:
        fault = self.session.fault
        if fault is None:
            raise RuntimeError("a frame was refused and nobody is at fault")
        self._record(record, before, source, fault)
        self.proofs.served(fault.seat)

    def _record(self, record: bytes, before: State, source: Link | None, fault: Fault) -> None:
        self._keep(record, before, source)
        self._thinker.forget()
        self.fault = self.fault or fault
        self.progressed()
        self.sitting.observer.refused(fault)

    # --- the journal and its readers

    def _keep(self, record: bytes, before: State, source: Link | None) -> None:
        """Write a frame down; only what is in the journal is ever sent."""
        self.backlog.append(record, before.seq, source)
        self._wake_writers()
        self._changed.set()

    def _wake_writers(self) -> None:
        for link in self.links.values():
            link.wake.set()
        self.watch.wake()


def _signed_twice(error: DealerlessError) -> UsageError:
    """Return why we stop: another message of ours than the one we hold is about."""
    hint = "two different messages of ours stand on one: was a backup put back? play on with neither"
    return UsageError("resume.unexplained", actual=error.code, hint=hint)
