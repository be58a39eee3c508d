"""Evidence: the smallest part of a match that convicts a seat by itself, and the check that needs nothing else.

A bundle is the line `dealerless evidence 1` and then records: the opening (offer, acceptances, readies) and either two
bodies of one seat on one previous hash, or every message up to the fault, from message 0 or from a hand's start.
VERDICT-7.
"""

from __future__ import annotations

import enum
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import BinaryIO, Final, cast

from ..errors import Unattributed
from ..games import GAMES
from ..games.game import Game
from ..protocol.envelope import VERSION
from ..protocol.events import HandStarted
from ..protocol.machine import Opened, open_frame
from ..protocol.records import encode_record, read_records
from ..protocol.state import Accounts, Phase, State
from ..protocol.table import follow
from ..protocol.witness import Receipt
from .compare import EQUIVOCATION, Equivocation, compare
from .judge import Judge, Proven, player
from .verdict import Fault, Player

MAGIC: Final = b"dealerless evidence 1\n"
FORMAT: Final = "dealerless evidence 1"


class Form(enum.Enum):
    """What stands behind the opening: two bodies, all messages from message 0, or those from a hand's start."""

    EQUIVOCATION = "equivocation"
    WHOLE = "whole"
    HAND = "hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Records `first` to `end` - 1 of one copy (0 or 1), counted from 0."""

    copy: int
    first: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Which records convict whom: what is to be cut."""

    form: Form
    fault: Fault
    spans: tuple[Span, ...]

    def records(self, copies: tuple[BinaryIO, ...]) -> Iterator[bytes]:
        """Yield the frames, read from the copies once more."""
        for span in self.spans:
            copies[span.copy].seek(0)
            yield from islice(read_records(copies[span.copy]), span.first, span.end)

    def pieces(self, copies: tuple[BinaryIO, ...]) -> Iterator[bytes]:
        """Yield the bundle's bytes, a record at a time."""
        yield MAGIC
        for frame in self.records(copies):
            yield encode_record(frame)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a bundle proves: a fault, or nothing for the `reason` named by its code; and of whom it speaks."""

    form: Form | None = None
    fault: Fault | None = None
    reason: str | None = None
    session: bytes | None = None
    players: tuple[Player, ...] = ()
    records: int = 0


def find(
    copies: tuple[BinaryIO, ...], *, games: Mapping[str, Game] = GAMES, receipts: Iterable[Receipt] = ()
) -> Evidence | None:
    """Return the smallest evidence of the first fault that one copy, or two copies together, prove; None without one.

    `copies` are one or two streams that can be read again. What is returned has passed `check`.
    """
    if len(copies) == 1:
        return _find(copies, 0, games, receipts)
    found = compare(copies[0], copies[1], games=games, receipts=receipts)
    if not found.faults:
        return None
    fault = found.faults[0]
    for twice in found.equivocations:
        if twice.fault() == fault:
            evidence = Evidence(form=Form.EQUIVOCATION, fault=fault, spans=_both(twice, found.verdicts[0].players))
            return _sound(evidence, copies, games)
    for number in range(2):
        copies[number].seek(0)
        one = _find(copies, number, games, receipts, fault)
        if one is not None:
            return one
    return None


def check(source: bytes | BinaryIO, *, games: Mapping[str, Game] = GAMES) -> Finding:
    """Return what a bundle proves, whatever its bytes are; nothing is needed but the bundle.

    1. it begins with the line of one, and the opening is whole: offer, acceptances and readies, each good;
    2. two records behind it with one seat, number and previous hash and different bodies, both validly signed in this
       session, are an equivocation;
    3. otherwise the messages follow one another without a gap, from the opening or from a hand's start, each judged as
       in a transcript, and the last one, and only the last, is the fault;
    4. behind a hand's start nobody is convicted who had not signed a message of that part before: by its signature it
       vouches for the stacks, the net and all else the hand began with. That goes for two seats; where there are more,
       a hand's start does not say who has left, and where cards outlive a hand it does not say which: then the bundle
       has to begin at message 0.

    Streams are read once, a record at a time. Nothing is raised but what they raise.
    """
    stream = io.BytesIO(source) if isinstance(source, bytes) else source
    begun = _Begun(stream)
    found = _judge(read_records(cast(BinaryIO, begun), MAGIC), games)
    # A transcript that ends before its first record is one cut short; evidence that does not begin is none.
    return found if begun.count >= len(MAGIC) else replace(found, reason="evidence.not-evidence")


class _Begun:
    """A stream, with the number of bytes read from it so far."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.count = 0

    def read(self, size: int) -> bytes:
        """Return what the stream gives."""
        data = self._stream.read(size)
        self.count += len(data)
        return data


# --- cutting ------------------------------------------------------------------------------------------------


def _find(
    copies: tuple[BinaryIO, ...],
    number: int,
    games: Mapping[str, Game],
    receipts: Iterable[Receipt],
    wanted: Fault | None = None,
) -> Evidence | None:
    """Return the evidence of the `wanted` fault in one copy, of the first one if none is named."""
    judge = Judge(games, on_hand=lambda hand: None, receipts=receipts)
    hand = 0
    # By seat, of its good messages: the hand's start before the latest one, and that one.
    vouched: dict[int, int] = {}
    latest: dict[int, int] = {}
    seen = 0
    for judged in judge.read(copies[number]):
        new, seen = judge.proven[seen:], len(judge.proven)
        for proof in new:
            if wanted is None or proof.fault == wanted:
                opening = Span(copy=number, first=0, end=2 * judge.state.agreed.seats)
                return _cut(copies, number, games, proof, opening, vouched, latest)
        if judged.after is None:
            continue
        event = None if judged.admitted.envelope is None else judged.admitted.envelope.event
        if isinstance(event, HandStarted):
            hand = judged.record
        seat = judged.admitted.seat
        vouched[seat], latest[seat] = hand, judged.record
    return None


def _cut(
    copies: tuple[BinaryIO, ...],
    number: int,
    games: Mapping[str, Game],
    proof: Proven,
    opening: Span,
    vouched: Mapping[int, int],
    latest: Mapping[int, int],
) -> Evidence | None:
    """Return the smallest evidence of a fault that one copy proves."""
    fault, here = proof.fault, proof.record
    if fault.code == EQUIVOCATION:
        spans = (opening, _one(number, latest[fault.seat]), _one(number, here))
        return _sound(Evidence(form=Form.EQUIVOCATION, fault=fault, spans=spans), copies, games)
    begun = vouched.get(fault.seat, 0)
    # Hand 1 follows the opening at once: then the two are the same.
    if begun > opening.end:
        part = (opening, Span(copy=number, first=begun, end=here + 1))
        short = _sound(Evidence(form=Form.HAND, fault=fault, spans=part), copies, games)
        if short is not None:
            return short
    whole = Evidence(form=Form.WHOLE, fault=fault, spans=(Span(copy=number, first=0, end=here + 1),))
    return _sound(whole, copies, games)


def _sound(evidence: Evidence, copies: tuple[BinaryIO, ...], games: Mapping[str, Game]) -> Evidence | None:
    """Return the evidence if it convicts by itself, of the same fault."""
    found = _judge(evidence.records(copies), games)
    if found.fault is None:
        return None
    same = (found.fault.seat, found.fault.seq, found.fault.code)
    return evidence if same == (evidence.fault.seat, evidence.fault.seq, evidence.fault.code) else None


def _both(twice: Equivocation, players: tuple[Player, ...]) -> tuple[Span, ...]:
    opening = Span(copy=0, first=0, end=2 * len(players))
    return (opening, _one(0, twice.places[0]), _one(1, twice.places[1]))


def _one(copy: int, record: int) -> Span:
    return Span(copy=copy, first=record, end=record + 1)


# --- checking -----------------------------------------------------------------------------------------------


class _NothingError(Exception):
    """The bundle proves nothing, for the reason of this code."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class _Bundle:
    """One bundle being judged."""

    def __init__(self, records: Iterator[bytes], games: Mapping[str, Game]) -> None:
        self._records = records
        self.judge = Judge(games, on_hand=lambda hand: None)
        self.count = 0
        self.form: Form | None = None

    def next(self) -> Opened | None:
        frame = next(self._records, None)
        if frame is None:
            return None
        self.count += 1
        return open_frame(frame)

    def fault(self) -> Fault:
        """Return what the bundle proves; raises _NothingError or Unattributed where it proves nothing."""
        while not self.judge.state.judging:
            opened = self.next()
            if opened is None:
                raise _NothingError("evidence.gap")
            self.judge.take(opened)
        head = [opened for opened in (self.next(), self.next(), self.next()) if opened is not None]
        if len(head) == 2 and _twice(head[0], head[1]):
            self.form = Form.EQUIVOCATION
            return self._equivocation(head[0], head[1])
        if not head:
            raise _NothingError("evidence.no-fault")
        return self._chain(head)

    def _equivocation(self, one: Opened, other: Opened) -> Fault:
        match, header = self.judge.state.agreed, one.header
        # Whichever comes first: who signs in another match or version says nothing twice in this one.
        if any(opened.header.version != VERSION for opened in (one, other)):
            raise _NothingError("record.wrong-version")
        if any(opened.header.session != match.session for opened in (one, other)):
            raise _NothingError("record.foreign-session")
        if not 0 <= header.seat < match.seats:
            raise _NothingError("record.unknown-seat")
        if not all(opened.verify(match.keys[header.seat]) for opened in (one, other)):
            raise _NothingError("record.bad-signature")
        records = (one.record, other.record)
        return Equivocation(seat=header.seat, seq=header.seq, records=records, places=(0, 0)).fault()

    def _chain(self, head: list[Opened]) -> Fault:
        """Return the fault of the last message of a chain."""
        judge = self.judge
        follows = (head[0].header.seq, head[0].header.prev) == (judge.state.seq, judge.state.head)
        self.form = Form.WHOLE if follows else Form.HAND
        if not follows:
            judge.state = _before_hand(judge.state, head[0])
        signed: set[int] = set()
        opened: Opened | None = head.pop(0)
        while opened is not None:
            stood = len(judge.faults)
            judged = judge.take(opened)
            opened = head.pop(0) if head else self.next()
            if judged is None or (judged.after is None and judged.before.refused is not None):
                raise _NothingError("evidence.more-behind")
            if self.form is Form.HAND and not signed and judged.after is None:
                # A start that was refused is no link of the chain: nobody vouches for what it says.
                raise _NothingError("evidence.not-vouched")
            new = judge.faults[stood:]
            if opened is None and new:
                if self.form is Form.HAND and new[0].seat not in signed:
                    raise _NothingError("evidence.not-vouched")
                return new[0]
            if judged.after is not None:
                signed.add(judged.admitted.seat)
        raise _NothingError("evidence.no-fault")


def _judge(records: Iterator[bytes], games: Mapping[str, Game]) -> Finding:
    bundle = _Bundle(records, games)
    fault, reason = None, None
    try:
        fault = bundle.fault()
    except _NothingError as nothing:
        reason = nothing.code
    except Unattributed as damage:
        reason = "evidence.not-evidence" if damage.code == "record.not-a-transcript" else damage.code
    match = bundle.judge.state.match
    return Finding(
        form=bundle.form,
        fault=fault,
        reason=reason,
        session=None if match is None or len(match.openings) < match.seats else match.session,
        players=()
        if match is None
        else tuple([player(seat, key, name) for seat, (key, name) in enumerate(match.offer.players)]),
        records=bundle.count,
    )


def _twice(one: Opened, other: Opened) -> bool:
    """Return whether two records claim one seat, number and previous hash for two different bodies."""
    same = (one.header.seat, one.header.seq, one.header.prev) == (
        other.header.seat,
        other.header.seq,
        other.header.prev,
    )
    return same and one.record != other.record


def _before_hand(state: State, opened: Opened) -> State:
    """Return the state that waits for this hand's start, as its own fields and the terms imply it.

    That they are true is not known from the bundle: an accused that signed later in the hand vouches for them. Raises
    _NothingError where they cannot be, or where they do not say all.
    """
    match = state.agreed
    event = None if opened.envelope is None else opened.envelope.event
    if not isinstance(event, HandStarted) or match.seats != 2 or match.dealing.lasts:
        raise _NothingError("evidence.gap")
    if len(event.net) != match.seats or len(event.stacks) != match.seats:
        raise _NothingError("evidence.gap")
    before = Accounts(
        number=event.number - 1,
        button=(event.button - 1) % match.seats,
        dealt=tuple(range(match.seats)),
        stacks=event.stacks,
        net=event.net,
        gone=(None,) * match.seats,
        forfeits=(),
    )
    at = follow(state.enter(accounts=before).evolve(seq=opened.header.seq, head=opened.header.prev))
    if at.phase is not Phase.HAND_STARTING:
        raise _NothingError("evidence.gap")
    return at
