"""The driver of one seat: what it owes it says, writes down and sends; what comes it checks, writes down, passes on.

Every frame goes through the session first, then into the journal, and only from the journal onto a wire
(ENC-5). Each connection has a cursor into the journal, so that what is sent needs no queue: a peer that does
not read costs one record, one that comes back after a day gets what it missed, and the host of a table for
more than two passes frames on by the same means.
"""

from __future__ import annotations

import asyncio
import threading
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, Protocol

from ..crypto.ed25519 import SigningKey
from ..errors import (
    DealerlessError,
    DecodeError,
    StorageError,
    TransportError,
    Unattributed,
    UsageError,
    Violation,
)
from ..games.game import Move
from ..journal.journal import Journal
from ..players.player import Player, SeatView
from ..protocol.envelope import Envelope, decode_body, read_header
from ..protocol.events import Acted, Event, Expelled, Mucked, Offered, Shown
from ..protocol.records import ZERO_HASH, body_hash, decode_frame
from ..protocol.session import Fault, Session
from ..protocol.state import Phase, State
from . import hello
from .transport import Connection

JUNK_LIMIT: Final = 3
"""Records that belong to nobody, in one connection: an honest peer sends none, a flood is ended at once."""

DUPLICATE_LIMIT: Final = 1000
"""Copies of frames we hold, between two new ones: they are dropped without a word, but not for ever."""

LINGER_SECONDS: Final = 10.0
"""After the end, for the other side to come back for the last frames; it can also have them by `resume`."""

_RECENT: Final = 64
"""Frames kept in memory, the duplicates of which are known; older ones are read from the journal again."""


class Observer(Protocol):
    """Hears what happens at the table, at once and in order; for the screen only."""

    def stepped(self, before: State, envelope: Envelope, after: State) -> None:
        """A frame of any seat, ours included, has been accepted and written down."""
        ...

    def refused(self, fault: Fault) -> None:
        """A frame broke a rule; it has been written down."""
        ...

    def noticed(self, text: str) -> None:
        """Something happened to a connection; the text is our own."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """What a seat brings to the table. `patience` is how long, in seconds, the others may leave us waiting.

    `consent` is shown an offer before we sign it or its acceptance and says yes or no; `remember` writes an
    offer (body hash, expiry) down as accepted, once ever (ENC-4). With `resumed` the journal is an earlier
    process's, and nothing is signed before the other seats have said what they hold of ours.
    """

    key: SigningKey
    name: str
    session: Session
    suites: tuple[str, ...]
    journal: Journal
    player: Player
    consent: Callable[[Offered], bool]
    remember: Callable[[bytes, int], None]
    observer: Observer
    patience: float
    resumed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a match ended for us: complete, or by a peer's fault; `delivered`, whether all others have it whole."""

    fault: Fault | None
    delivered: bool


@dataclass(slots=True, kw_only=True, eq=False)
class Link:
    """One connection to a peer that proved who it is. `cursor` is the next record of the journal to send."""

    seat: int
    connection: Connection
    held: hello.Held
    cursor: int
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    junk: int = 0
    duplicates: int = 0
    done_sent: bool = False
    done_seen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A decision that somebody is thinking about beside the loop: how to ask, and what to do with the answer."""

    ask: Callable[[], Any]
    then: Callable[[Any], None]


class Driver:
    """Drives one seat over connections that others make; `star` makes them, as host or as joiner."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting: Final = sitting
        self.session: Final = sitting.session
        self.fault: Fault | None = None
        self.links: Final[dict[int, Link]] = {}
        # For every record of the journal, how many frames of the chain stood before it.
        self._marks: list[int] = []
        self._recent: deque[tuple[bytes, bytes, Link | None]] = deque(maxlen=_RECENT)
        self._met: dict[int, hello.Held] = {}
        self._delivered: set[int] = set()
        self._signing = not sitting.resumed
        self._question: Question | None = None
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
        if held.count <= ours.count and self._head_at(held.count) != held.head:
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
        for record in self.sitting.journal.records():
            seq = session.state.seq
            try:
                envelope = session.receive(record)
            except (DecodeError, Violation):
                if session.fault is not None and self.fault is None:
                    self.fault = session.fault
            except Unattributed as error:
                hint = f"{error}; another seat has a copy of the match"
                raise StorageError("journal.damaged", actual=str(self.sitting.journal.path), hint=hint) from error
            else:
                self._settle_fault(envelope)
            self._note(record, seq, None)

    # --- what connections call

    def join(self, link: Link) -> None:
        """Make an authenticated connection the one of its seat; an older one of that seat is dropped."""
        older = self.links.get(link.seat)
        if older is not None:
            self.drop(older)
        link.cursor = bisect_left(self._marks, link.held.count)
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

    def progressed(self) -> None:
        """Begin the peers' time anew."""
        self._progress = asyncio.get_running_loop().time()
        self._changed.set()

    async def read(self, link: Link) -> None:
        """Take in what comes over a connection until it ends; raises TransportError with the reason."""
        while True:
            record = await link.connection.receive()
            try:
                self._take(link, record)
            except TransportError:
                raise
            except Exception as error:
                self.fail(error)
                raise TransportError("transport.closed") from error
            # A peer that is always faster than we are must not keep the loop from everybody else.
            await asyncio.sleep(0)

    async def write(self, link: Link) -> None:
        """Send over a connection whatever the journal has and will have beyond its cursor, then `done`."""
        while True:
            link.wake.clear()
            await self._catch_up(link)
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
            await self._wait(None if self._question is not None else self._time_left())
        self._raise_failure()
        return Ending(fault=self.fault, delivered=await self._deliver())

    async def _wait(self, seconds: float | None) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        except TimeoutError:
            if self._time_left() <= 0:
                raise TransportError("transport.no-answer", actual=f"{self.sitting.patience:g} s") from None

    def _time_left(self) -> float:
        return self._progress + self.sitting.patience - asyncio.get_running_loop().time()

    async def _deliver(self) -> bool:
        """Return whether every other seat has said that it holds the whole match, waiting a little for it."""
        loop = asyncio.get_running_loop()
        end = loop.time() + min(LINGER_SECONDS, self.sitting.patience)
        self._wake_writers()
        while not self._delivered.issuperset(self.others()):
            self._changed.clear()
            if self.fault is not None and all(link.done_sent for link in self.links.values()):
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
        faulty = None if self.fault is None else self.fault.seat
        return tuple([seat for seat in present if seat not in (self.session.seat, faulty)])

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    # --- what we say

    def _speak(self) -> None:
        """Say everything we owe that leaves no choice, and have somebody think about what does."""
        if not self._signing:
            self._signing = self._collected()
        if not self._signing:
            return
        while (event := self.session.due()) is not None:
            self.say(event)
        if self._question is None:
            question = self.question()
            if question is not None:
                self._ask(question)

    def _collected(self) -> bool:
        """Whether all others have said what they hold and we have it too: only then may we sign. ENC-5."""
        count = self.session.state.seq
        return all(seat in self._met and self._met[seat].count <= count for seat in self.others())

    def question(self) -> Question | None:
        """Return the decision that is ours to make now, or None."""
        session = self.session
        owed, seat = session.owed, session.seat
        if owed is None or seat is None:
            return None
        view = SeatView(seat=seat, hole=session.hole(), state=session.state, legal=session.legal())
        player = self.sitting.player
        if Acted in owed.kinds:
            return Question(ask=lambda: player.decide(view), then=self._move)
        if Shown in owed.kinds:
            return Question(ask=lambda: player.shows(view), then=self._show)
        return None

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
        envelope = decode_body(decode_frame(frame)[0])
        self._settle_fault(envelope)
        self.sitting.observer.stepped(before, envelope, self.session.state)

    def _ask(self, question: Question) -> None:
        """Ask in a thread of its own: people think for minutes, and the network goes on meanwhile."""
        loop = asyncio.get_running_loop()
        self._question = question

        def think() -> None:
            answer: Any
            try:
                answer, failure = question.ask(), None
            except BaseException as error:
                answer, failure = None, error
            try:
                loop.call_soon_threadsafe(self._answered, question, answer, failure)
            except RuntimeError:
                # The match ended while somebody was still thinking.
                return

        # A daemon: nobody waits at the end for a person who was asked and did not answer.
        threading.Thread(target=think, daemon=True).start()

    def _answered(self, question: Question, answer: Any, failure: BaseException | None) -> None:
        if self._question is not question:
            return
        self._question = None
        self.progressed()
        try:
            if failure is not None:
                raise failure
            question.then(answer)
        except Exception as error:
            self.fail(error)

    # --- what we hear

    def hears(self, link: Link) -> bool:
        """Return whether frames from this peer can mean anything now; a host before its offer hears none."""
        return True

    def _take(self, link: Link, record: bytes) -> None:
        """Take in one record from a peer: a frame, a copy of one, a `done`, or nothing anybody answers for."""
        held = hello.read_done(record)
        if held is not None:
            link.done_seen = held == self.held()
            self._check_delivered(link)
            return
        session, before = self.session, self.session.state
        if not self.hears(link):
            raise TransportError("transport.junk")
        try:
            body, _ = decode_frame(record)
            if self._known(body):
                link.duplicates += 1
                if link.duplicates > DUPLICATE_LIMIT:
                    raise TransportError("transport.junk")
                return
            if before.phase is Phase.EXPELLING:
                _expect_expulsion(body)
            envelope = session.receive(record)
        except Unattributed as error:
            self._drop_junk(link, error)
        except (DecodeError, Violation) as error:
            self._keep_fault(record, before, link, error)
        else:
            if envelope.header.seat == session.seat and self._signing:
                hint = "somebody else plays with this key; if it was an earlier process of yours: resume its file"
                raise UsageError("resume.unexplained", actual=envelope.header.seq, hint=hint)
            self.heard(envelope)
            self._keep(record, before, link)
            self._settle_fault(envelope)
            link.duplicates = 0
            self.progressed()
            self.sitting.observer.stepped(before, envelope, session.state)

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

    def _keep_fault(self, record: bytes, before: State, link: Link, error: DealerlessError) -> None:
        """Write down a frame that convicts its author; what we owe then, `_speak` says."""
        fault = self.session.fault
        if fault is None or fault.seat == self.session.seat:
            hint = "two different messages of ours stand on one: was a backup put back? play on with neither"
            raise UsageError("resume.unexplained", actual=error.code, hint=hint) from error
        self._keep(record, before, link)
        self._question = None
        self.fault = fault
        self.progressed()
        self.sitting.observer.refused(fault)

    def _settle_fault(self, envelope: Envelope) -> None:
        """Let the session go on among the others once the expulsion of a fault's author stands. CHAIN-5."""
        if isinstance(envelope.event, Expelled):
            self.session.fault = None

    # --- the journal and its readers

    def _keep(self, record: bytes, before: State, source: Link | None) -> None:
        """Write a frame down; only what is in the journal is ever sent."""
        self.sitting.journal.append(record)
        self._note(record, before.seq, source)
        self._wake_writers()
        self._changed.set()

    def _note(self, record: bytes, seq: int, source: Link | None) -> None:
        self._marks.append(seq)
        self._recent.append((record, body_hash(decode_frame(record)[0]), source))

    def _known(self, body: bytes) -> bool:
        digest = body_hash(body)
        return any(digest == known for _, known, _ in self._recent)

    def _wake_writers(self) -> None:
        for link in self.links.values():
            link.wake.set()

    async def _catch_up(self, link: Link) -> None:
        while link.cursor < len(self._marks):
            first = len(self._marks) - len(self._recent)
            if link.cursor < first:
                for record in islice(self.sitting.journal.records(), link.cursor, first):
                    await link.connection.send(record)
                    link.cursor += 1
                continue
            record, _, source = self._recent[link.cursor - first]
            link.cursor += 1
            if source is not link:
                await link.connection.send(record)

    def _head_at(self, count: int) -> bytes:
        """Return the hash of the last of our first `count` frames."""
        if count == 0:
            return ZERO_HASH
        if count == self.session.state.seq:
            return self.session.state.head
        # Of the records at one place of the chain the last one counts: those before it were refused.
        index = bisect_right(self._marks, count) - 1
        record = next(islice(self.sitting.journal.records(), index, None))
        return read_header(decode_frame(record)[0]).prev


def _expect_expulsion(body: bytes) -> None:
    """Return if the body can be the expulsion that must follow a fault; raises Unattributed for all else.

    After a refused frame nothing but its author's expulsion belongs in the journal (CHAIN-5).
    """
    try:
        if isinstance(decode_body(body).event, Expelled):
            return
    except DecodeError as error:
        raise Unattributed("record.after-fault", actual=error.code) from error
    raise Unattributed("record.after-fault")
