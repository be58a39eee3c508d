"""What one seat has heard and said, as it stands in its files: the journal, and the proofs that wait beside it. ENC-5.

Who is to blame for a frame, and when the journal is to hold it, is settled here; connections are the driver's.
"""

from __future__ import annotations

from typing import Final

from ..errors import DealerlessError, DecodeError, StorageError, TransportError, Unattributed, UsageError, Violation
from ..journal.proofs import Proofs
from ..protocol.envelope import read_header
from ..protocol.events import Event, Expelled
from ..protocol.records import decode_frame
from ..protocol.session import Fault
from ..protocol.state import State
from . import hello
from .backlog import Backlog
from .seating import Link, Sitting


class Chronicle:
    """One seat's match as it is written down; `wrote` and `turned` tell whoever drives it."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting: Final = sitting
        self.session: Final = sitting.session
        self.fault: Fault | None = None
        self.absent: list[int] = []
        self.backlog: Final = Backlog(sitting.journal)
        self.proofs: Final = Proofs(sitting.journal.path)

    def wrote(self) -> None:
        """A frame is in the journal: it may be sent now."""

    def turned(self) -> None:
        """Somebody is at fault or absent: what we were asked before is asked no more."""

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
                self.miss(session.receive(record).event)
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
        self.convict()

    def keep(self, record: bytes, before: State, source: Link | None) -> None:
        """Write a frame down; only what is in the journal is ever sent."""
        self.backlog.append(record, before.seq, source)
        self.wrote()

    def miss(self, event: Event) -> None:
        """Remember whose time ran out, once the chain has it."""
        if isinstance(event, Expelled):
            self.absent += [seat for seat, _ in event.absent]
            self.turned()

    def keep_proof(self, record: bytes, error: Unattributed) -> None:
        """Write down a second message on one previous hash whose author owes nothing now, and then tell of it."""
        seat = self._proven(record, error).seat
        if self.proofs.keep(record):
            text = f"seat {seat} has signed two messages on one; it answers when it owes one"
            self.sitting.observer.noticed(text)
        if self.finished:
            self.testify()

    def testify(self) -> None:
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

    def convict(self) -> None:
        """Write down the proof against a seat that signed twice, if it is the one to owe a message now. CHAIN-5."""
        before = self.session.state
        proof = self.session.proof()
        if proof is not None:
            self._record_fault(proof, before, None)

    def keep_fault(self, record: bytes, before: State, link: Link, error: DealerlessError) -> None:
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
        self.keep(record, before, source)
        self.fault = self.fault or fault
        self.turned()
        self.sitting.observer.refused(fault)

    def _proven(self, record: bytes, error: Unattributed) -> Fault:
        """Return the fault behind `record.proof-kept`; raises UsageError if it is ours."""
        cause = error.__cause__
        if not isinstance(cause, Violation):
            raise RuntimeError("a proof was kept and nobody is at fault")
        seat = read_header(decode_frame(record)[0]).seat
        if seat == self.session.seat:
            raise _signed_twice(error)
        return Fault(seat=seat, error=cause, frame=record)


def _signed_twice(error: DealerlessError) -> UsageError:
    """Return why we stop: another message of ours than the one we hold is about."""
    hint = "two different messages of ours stand on one: was a backup put back? play on with neither"
    return UsageError("resume.unexplained", actual=error.code, hint=hint)
