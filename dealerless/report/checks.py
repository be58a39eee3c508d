"""Every check that the referee makes, numbered as it makes them, with how many messages passed and what failed.

Counted from what the referee hands over for each message, so it tells the same story as the verdict.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from ..errors import DealerlessError
from ..protocol.events import EVENTS, Acted, CardLaid, ClassProven, DeckShuffled, Revealed
from ..protocol.machine import Admitted
from ..protocol.state import State
from ..referee import Verdict
from .provenance import gives
from .reasons import RELEASED, check_text, clause_of
from .view import SILENCE, settlements

# The list in `referee.replay`, and the clauses it names.
REFEREE_CHECKS: Final = (
    ("the file begins as a transcript, and the record is whole and of allowed size", ("ENC-5", "ENC-6")),
    ("the record is a frame of body and signature", ("ENC-3",)),
    ("version, match, seat, sequence number and previous hash continue the chain", ("ENC-4", "CHAIN-1")),
    ("the signature is valid under the key of its seat", ("SIG-1", "SIG-2")),
    ("the body is the one canonical encoding, and its fields have their types, lengths and ranges", ("ENC-1", "ENC-2")),
    ("its seat owes a message of its kind now", ("CHAIN-1",)),
    ("it passes the table's own check of its kind", ()),
    ("after the last record, the match is complete and settled", ("CHAIN-3",)),
)
_RECORD, _FRAME, _LINK, _SIGNATURE, _BODY, _TURN, _TABLE, _END = range(1, 9)

_RELEASE: Final = "DECK-9"

_OF_LAYERS: Final = {"encoding": _BODY, "turn": _TURN}
_OF_CODES: Final = {
    "chain.equivocation": _LINK,
    "commit.early-opening": _TURN,
    "record.not-a-transcript": _RECORD,
    "record.truncated": _RECORD,
    "record.too-large": _RECORD,
    "record.not-a-frame": _FRAME,
    "record.no-header": _LINK,
    "record.wrong-version": _LINK,
    "record.foreign-session": _LINK,
    "record.unknown-seat": _LINK,
    "record.wrong-sequence": _LINK,
    "record.broken-link": _LINK,
    "record.duplicate": _LINK,
    "record.bad-signature": _SIGNATURE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class KindCheck:
    """The table's check of one kind of message by one clause, and how many messages passed it.

    `proven` is the number of things that proofs in these messages are about, `what` they are: shares, cards; 0 where
    there are no such proofs.
    """

    kind: str
    clause: str
    text: str
    passed: int
    proven: int
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check: `passed` records, and what failed it, in words; `state` is "passed", "failed" or "not reached".

    `kinds` are those of the messages that were good; only the table's own check has some.
    """

    number: int
    text: str
    clauses: tuple[str, ...]
    state: str
    passed: int
    result: str
    kinds: tuple[KindCheck, ...]


class Tally:
    """Counts messages as the referee judges them: give its `on_frame` to `replay`."""

    def __init__(self) -> None:
        self._good: Counter[tuple[str, str]] = Counter()
        self._proven: Counter[tuple[str, str]] = Counter()
        self._released = 0
        self._refused: Counter[int] = Counter()

    def on_frame(self, before: State, admitted: Admitted, after: State | None, refusal: DealerlessError | None) -> None:
        """Count one message, good or refused."""
        if refusal is not None:
            self._refused[check_of(refusal.code)] += 1
        elif admitted.envelope is not None:
            event = admitted.envelope.event
            place = (event.KIND, clause_of(before, event))
            self._good[place] += 1
            given = gives(before, admitted.seat, event)
            if isinstance(event, DeckShuffled):
                self._proven[place] += len(event.deck) // 64
            elif isinstance(event, ClassProven):
                self._proven[place] += len(event.classes)
            elif isinstance(event, CardLaid):
                self._proven[place] += len(event.cards) // 64
            elif isinstance(event, Revealed):
                self._proven[place] += len(event.shares) // 32
            elif given is not None:
                self._proven[event.KIND, given.clause] += len(given.slots)
                self._released += isinstance(event, Acted)

    def checks(self, verdict: Verdict) -> tuple[Check, ...]:
        """Return all checks in order, with what they found in the transcript that this verdict is on."""
        stopped = None if verdict.damage is None else _damage_check(verdict.damage.reason, verdict.damage.detail)
        rows = []
        for number, (text, clauses) in enumerate(REFEREE_CHECKS[:-1], start=1):
            passed = sum(self._good.values())
            passed += sum([count for failed, count in self._refused.items() if failed > number])
            passed += stopped is not None and stopped > number
            failures = self._failures(number, verdict, stopped)
            found = [f"passed by {passed} record{'' if passed == 1 else 's'}"] if passed else []
            found += _silence(verdict) if number == _TABLE else []
            rows.append(
                Check(
                    number=number,
                    text=text,
                    clauses=clauses,
                    state="failed" if failures else "passed" if passed else "not reached",
                    passed=passed,
                    result="; ".join(found + failures),
                    kinds=self._kinds(verdict.game) if number == _TABLE else (),
                )
            )
        return (*rows, _end(verdict))

    def _failures(self, number: int, verdict: Verdict, stopped: int | None) -> list[str]:
        failures = []
        fault, damage = verdict.fault, verdict.damage
        refused = self._refused[number]
        if fault is not None and fault.code != SILENCE and check_of(fault.code) == number:
            failures.append(f"broken by seat {fault.seat} in message {fault.seq} [{fault.code}, {fault.clause}]")
            refused -= 1
        if refused > 0:
            failures.append(f"failed by {refused} message{'' if refused == 1 else 's'} after the first fault")
        if damage is not None and stopped == number:
            failures.append(f"record {damage.record} is damaged, blame none [{damage.detail or damage.reason}]")
        return failures

    def _kinds(self, game: str | None) -> tuple[KindCheck, ...]:
        rows = []
        for kind in EVENTS:
            for (name, clause), count in sorted(self._good.items()):
                if name == kind.KIND:
                    what = "card" if kind in (DeckShuffled, ClassProven, CardLaid) else "share"
                    text = check_text(kind, clause, game)
                    proven = self._proven[name, clause]
                    rows.append(KindCheck(kind=name, clause=clause, text=text, passed=count, proven=proven, what=what))
            if kind is Acted and self._released:
                rows.append(
                    KindCheck(
                        kind=kind.KIND,
                        clause=_RELEASE,
                        text=RELEASED,
                        passed=self._released,
                        proven=self._proven[kind.KIND, _RELEASE],
                        what="share",
                    )
                )
        return tuple(rows)


def check_of(code: str) -> int:
    """Return the number of the check that fails with this code: what is in no row is the table's own."""
    return _OF_CODES.get(code, _OF_LAYERS.get(code.partition(".")[0], _TABLE))


def _damage_check(reason: str, detail: str | None) -> int:
    """Return the check that a damaged record failed; before the last ready the code behind it says which."""
    return check_of(detail if reason == "record.before-ready" and detail is not None else reason)


def _silence(verdict: Verdict) -> list[str]:
    """Return that a seat's time ran out, if that is the fault: the message that proves it is a good one. VERDICT-6."""
    fault = verdict.fault
    if fault is None or fault.code != SILENCE:
        return []
    return [f"seat {fault.seat} was silent, as message {fault.seq} proves [{fault.code}, {fault.clause}]"]


def _end(verdict: Verdict) -> Check:
    text, clauses = REFEREE_CHECKS[-1]
    count = settlements(verdict)
    result = f"the match is over; {count}" if count else "the match is not over in this copy"
    if verdict.settling and verdict.damage is None:
        state = "passed"
    else:
        state = "not reached" if verdict.fault is not None or verdict.damage is not None else "failed"
    return Check(
        number=_END,
        text=text,
        clauses=clauses,
        state=state,
        passed=len(verdict.settled),
        result=result,
        kinds=(),
    )
