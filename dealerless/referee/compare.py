"""Two copies of one match: whether they are the same, which one counts, and who signed both branches of a fork.

Both are judged in step, a message at a time, so that copies of any length need no more memory than one. VERDICT-5.
"""

from __future__ import annotations

import enum
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import BinaryIO, Final

from ..errors import CODES
from ..games import GAMES
from ..games.game import Game
from ..protocol.events import Expelled
from ..protocol.state import HandRecord
from ..protocol.witness import Receipt
from .judge import Judge, Judged, Proven
from .verdict import Fault, Outcome, Verdict

FORMAT: Final = "dealerless comparison 1"

EQUIVOCATION: Final = "chain.equivocation"
NO_SHOW: Final = "witness.no-show"

# Behind whatever one copy proves by itself at the same place.
_BY_BOTH: Final = 1 << 16


class Relation(enum.Enum):
    """What two copies are to each other. The last two are no comparison at all."""

    SAME = "same"
    LONGER = "longer"
    FORKED = "forked"
    DIFFERENT = "different"
    UNREADABLE = "unreadable"


class KeptBy(enum.Enum):
    """Why a branch is kept: more other seats have signed it since; it expels, and nobody built on the other; hash."""

    SIGNED = "signed"
    EXPULSION = "expulsion"
    HASH = "hash"


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivocation:
    """A seat's two bodies on one previous hash: their chain hashes, and in which record of which copy each stands."""

    seat: int
    seq: int
    records: tuple[bytes, bytes]
    places: tuple[int, int]

    def fault(self) -> Fault:
        """Return the fault that the two bodies prove, the same one whichever copy came first. CHAIN-2."""
        one, other = sorted(self.records)
        return Fault(
            code=EQUIVOCATION,
            clause=CODES[EQUIVOCATION].clause,
            seat=self.seat,
            seq=self.seq,
            blame="public",
            expected=one,
            actual=other,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """One copy from the fork on: who signed its first message, that message's chain hash, and who else signed since."""

    seat: int
    record: bytes
    signed: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What two copies are together. Pairs are in the order in which the copies were given.

    `counts` is the copy that counts: the longer one, or the kept branch; None where there is nothing to compare.
    `verdict` is what both prove together: that copy's stacks, with what an equivocator forfeits there, and of all
    `faults` the first one. `seq` is the number at which a fork begins, `branches` its two sides, and `kept_by`
    says why one is kept. `void` are seats whose time ran out on the branch that does not count.
    """

    relation: Relation
    verdicts: tuple[Verdict, Verdict]
    counts: int | None = None
    verdict: Verdict | None = None
    seq: int | None = None
    branches: tuple[Branch, Branch] | None = None
    kept_by: KeptBy | None = None
    equivocations: tuple[Equivocation, ...] = ()
    faults: tuple[Fault, ...] = ()
    void: tuple[int, ...] = ()


def compare(
    first: bytes | BinaryIO,
    second: bytes | BinaryIO,
    *,
    games: Mapping[str, Game] = GAMES,
    receipts: Iterable[Receipt] = (),
) -> Comparison:
    """Return what two transcripts are to each other, whatever their bytes are; the same whichever comes first.

    1. each is judged like any transcript (`replay`), as far as it can be;
    2. they part where their chains have different messages, or where one ends: before the last acceptance they are
       copies of different matches;
    3. a seat with two different bodies on the previous hash at which they part has equivocated (CHAIN-2);
    4. of two branches the one that more other seats have signed since is kept, then the lower body hash; but an
       expulsion gives way to a message of the expelled seat only if another seat has built on that (VERDICT-2a);
    5. the longer copy or the kept branch counts: its stacks, less what an equivocator has in the pot there.

    Streams are read once, in step. Nothing is raised but what they, or `receipts`, raise.
    """
    sides = (_Side(first, games, receipts), _Side(second, games, receipts))
    parted = _Parting(sides, _part(sides))
    for side in sides:
        side.finish()
    return parted.comparison()


def _part(sides: tuple[_Side, _Side]) -> tuple[Judged | None, Judged | None]:
    """Return the first messages of two chains that are not the same one; None for a chain that ends before."""
    while True:
        one, other = sides[0].advance(), sides[1].advance()
        if one is None or other is None or one.admitted.record != other.admitted.record:
            return one, other


class _Side:
    """One copy being read: what it has at the place where the copies part, and who signed after that."""

    def __init__(self, source: bytes | BinaryIO, games: Mapping[str, Game], receipts: Iterable[Receipt]) -> None:
        self.judge = Judge(games, on_hand=_forget, receipts=receipts)
        self._items = self.judge.read(io.BytesIO(source) if isinstance(source, bytes) else source)
        self.refused: Judged | None = None
        self.signed: set[int] = set()

    def advance(self) -> Judged | None:
        """Return the next message of the chain, or None at the end; `refused` is what was refused in its place."""
        self.refused = None
        for judged in self._items:
            if judged.after is not None:
                return judged
            self.refused = judged
        return None

    def finish(self) -> None:
        """Judge the rest and note who signed it."""
        for judged in self._items:
            if judged.after is not None:
                self.signed.add(judged.admitted.seat)


class _Parting:
    """Two copies that have just parted; what they are to each other can be told once both are read to their ends."""

    def __init__(self, sides: tuple[_Side, _Side], goods: tuple[Judged | None, Judged | None]) -> None:
        self.sides = sides
        self.goods = goods
        self.refused = (sides[0].refused, sides[1].refused)
        state = sides[0].judge.state if goods[0] is None else goods[0].before
        self.seq = state.seq
        self.opening = state.match is None or state.seq < state.match.seats
        self.equivocations = self._equivocations()

    def comparison(self) -> Comparison:
        judges = (self.sides[0].judge, self.sides[1].judge)
        verdicts = (judges[0].verdict(), judges[1].verdict())
        if any(verdict.outcome is Outcome.UNREADABLE for verdict in verdicts):
            return Comparison(relation=Relation.UNREADABLE, verdicts=verdicts)
        if self.opening and None not in self.goods:
            return Comparison(relation=Relation.DIFFERENT, verdicts=verdicts)
        relation, branches = self._relation()
        counts, kept_by = (self._longer(verdicts), None) if branches is None else self._kept(branches)
        judge, other = judges[counts], judges[1 - counts]
        void = [fault for fault in other.faults if fault.code == NO_SHOW and fault not in judge.faults]
        # A proof against a seat that owes nothing ends its copy and not the other one.
        outside = [fault for fault in other.faults if fault.code == EQUIVOCATION and fault not in judge.faults]
        twice = [found.fault() for found in self.equivocations]
        both = [Proven(self.seq, _BY_BOTH, fault, 0) for fault in twice]
        ordered = _in_order([proof for proof in (*judge.proven, *other.proven, *both) if proof.fault not in void])
        verdict = judge.verdict((*twice, *outside))
        if ordered:
            verdict = replace(verdict, outcome=Outcome.FAULT, fault=ordered[0])
        return Comparison(
            relation=relation,
            verdicts=verdicts,
            counts=counts,
            verdict=verdict,
            seq=self.seq if branches else None,
            branches=branches,
            kept_by=kept_by,
            equivocations=self.equivocations,
            faults=ordered,
            void=tuple(sorted({fault.seat for fault in void})),
        )

    def _equivocations(self) -> tuple[Equivocation, ...]:
        """Return who signed two different bodies on the previous hash at which the copies part. CHAIN-2."""
        first, second = [
            {judged.admitted.seat: judged for judged in (refused, good) if judged is not None and _is_here(judged)}
            for refused, good in zip(self.refused, self.goods, strict=True)
        ]
        return tuple(
            [
                Equivocation(
                    seat=seat,
                    seq=self.seq,
                    records=(first[seat].admitted.record, second[seat].admitted.record),
                    places=(first[seat].record, second[seat].record),
                )
                for seat in sorted(first.keys() & second.keys())
                if first[seat].admitted.record != second[seat].admitted.record
            ]
        )

    def _relation(self) -> tuple[Relation, tuple[Branch, Branch] | None]:
        # Of one chain, what is left to compare is what was refused at its end.
        one, other = self.refused if self.goods == (None, None) else self.goods
        if one is None and other is None:
            return Relation.SAME, None
        if one is None or other is None:
            return Relation.LONGER, None
        if one.admitted.record == other.admitted.record:
            return Relation.SAME, None
        return Relation.FORKED, (_branch(one, self.sides[0].signed), _branch(other, self.sides[1].signed))

    def _longer(self, verdicts: tuple[Verdict, Verdict]) -> int:
        """Return which of two copies of one chain counts."""
        for here in (self.goods, self.refused):
            if (here[0] is None) != (here[1] is None):
                return 0 if here[1] is None else 1
        # The same messages: the copy that has least behind them, else the one with the lower reason.
        return 0 if _behind(verdicts[0]) <= _behind(verdicts[1]) else 1

    def _kept(self, branches: tuple[Branch, Branch]) -> tuple[int, KeptBy]:
        """Return which branch is kept, and by which rule. CHAIN-2, VERDICT-2a."""
        one, other = branches
        if len(one.signed) != len(other.signed):
            return (0 if len(one.signed) > len(other.signed) else 1), KeptBy.SIGNED
        if not one.signed:
            expels = (other.seat in _expelled(self.goods[0]), one.seat in _expelled(self.goods[1]))
            if expels[0] != expels[1]:
                return (0 if expels[0] else 1), KeptBy.EXPULSION
        return (0 if one.record < other.record else 1), KeptBy.HASH


def _branch(begun: Judged, signed: set[int]) -> Branch:
    seat = begun.admitted.seat
    return Branch(seat=seat, record=begun.admitted.record, signed=tuple(sorted(signed - {seat})))


def _in_order(proofs: list[Proven]) -> tuple[Fault, ...]:
    """Return the faults in the order in which they count, each seat's fault of one kind at one number once. VERDICT-5.

    By the place of the chain at which they are proven: so it is in one copy, where what comes first is first.
    """
    faults: dict[tuple[int, int, str], Fault] = {}
    for proof in sorted(proofs, key=_order):
        fault = proof.fault
        faults.setdefault((fault.seat, fault.seq, fault.code), fault)
    return tuple(faults.values())


def _order(proof: Proven) -> tuple[int, int, int, str, int, str]:
    fault = proof.fault
    # The last only tells apart what two copies say of one seat at one place in the same words.
    return proof.place, proof.rank, fault.seat, fault.code, fault.seq, repr((fault.expected, fault.actual))


def _behind(verdict: Verdict) -> tuple[tuple[int, str, str], int]:
    """Return what a copy has behind its last judged record, nothing being the least."""
    damage, unjudged = verdict.damage, verdict.unjudged
    return (
        (-1, "", "") if damage is None else (damage.record, damage.reason, damage.detail or ""),
        -1 if unjudged is None else unjudged.record,
    )


def _is_here(judged: Judged) -> bool:
    """Whether a message has the number and previous hash that are owed: an older one proves what its own copy says."""
    return judged.after is not None or judged.refusal is None or judged.refusal.code != EQUIVOCATION


def _expelled(judged: Judged | None) -> tuple[int, ...]:
    """Return whom a message of the chain expels."""
    envelope = judged.admitted.envelope if judged is not None and _is_here(judged) else None
    if envelope is None or not isinstance(envelope.event, Expelled):
        return ()
    return (envelope.event.seat, *[seat for seat, _ in envelope.event.absent])


def _forget(hand: HandRecord) -> None:
    """Hands are for the report on one copy."""
