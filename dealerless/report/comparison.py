"""What two copies of one match are to each other, for people and as JSON (spec/compare.schema.json)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..errors import CODES
from ..referee import Verdict
from ..referee.compare import FORMAT, Branch, Comparison, KeptBy, Relation
from .document import Json, document, fault_document
from .text import verdict_lines
from .view import broken, fault_view, view

_MEANINGS: Final = {
    Relation.SAME: "the same messages",
    Relation.LONGER: "one is the beginning of the other",
    Relation.FORKED: "two branches of one match",
    Relation.DIFFERENT: "copies of different matches, which say nothing about each other",
    Relation.UNREADABLE: "no match can be read from one of them, and nothing compared",
}
_WHY: Final = {
    KeptBy.SIGNED: "on which more other seats have signed since [CHAIN-2]",
    KeptBy.EXPULSION: "whose expulsion stands as long as nobody else builds on the other message [VERDICT-2a]",
    KeptBy.HASH: "as many have signed on both, and the hash of its message is lower [CHAIN-2]",
}
_OF_VERDICT: Final = (
    *("session", "players", "stacks", "net", "forfeits", "owes", "pending", "settled", "head", "frames"),
)
_OF_COPY: Final = ("outcome", "fault", "damage", "unjudged", "head", "frames")


def comparison_lines(found: Comparison, labels: tuple[str, str]) -> Iterator[str]:
    """Yield what two copies are to each other, and what both prove together. `labels` are already fit to print."""
    yield f"{found.relation.name}: {labels[0]} and {labels[1]}: {_MEANINGS[found.relation]}"
    for number, (label, verdict) in enumerate(zip(labels, found.verdicts, strict=True), 1):
        yield f"  copy {number}: {label}: {_copy(verdict)}"
    if found.counts is None or found.verdict is None:
        return
    if found.branches is not None:
        yield f"  they part at message {found.seq}"
        for number, branch in enumerate(found.branches, 1):
            yield f"  branch of copy {number}: seat {branch.seat} signed {branch.record.hex()}, then {_signed(branch)}"
        why = "" if found.kept_by is None else _WHY[found.kept_by]
        yield f"  kept: copy {found.counts + 1}, {why}"
    elif found.relation is Relation.LONGER:
        yield f"  longer: copy {found.counts + 1}, and its own verdict counts"
    for twice in found.equivocations:
        yield f"  seat {twice.seat} signed {twice.records[0].hex()} and {twice.records[1].hex()} as message {twice.seq}"
    for seat in found.void:
        yield f"  void: the time-out of seat {seat}, since another seat has built on its message [VERDICT-2a]"
    for fault in found.faults[1:]:
        seen = fault_view(fault)
        yield f"  besides: {broken(seen)} [{seen.code}]"
    yield ""
    yield from verdict_lines(view(found.verdict), "both copies together")


def comparison_document(found: Comparison) -> Json:
    """Return the comparison's object: the same bytes for the same comparison, on every machine."""
    verdict = found.verdict
    together = {} if verdict is None else document(verdict)
    return {
        "format": FORMAT,
        "relation": found.relation.value,
        "counts": found.counts,
        "outcome": None if verdict is None else verdict.outcome.value,
        "seq": found.seq,
        "branches": None
        if found.branches is None
        else [
            {"seat": branch.seat, "record": branch.record.hex(), "signed": list(branch.signed)}
            for branch in found.branches
        ],
        "kept_by": None if found.kept_by is None else found.kept_by.value,
        "equivocations": [
            {
                "seat": twice.seat,
                "seq": twice.seq,
                "records": [record.hex() for record in twice.records],
                "places": list(twice.places),
            }
            for twice in found.equivocations
        ],
        "faults": [fault_document(fault_view(fault)) for fault in found.faults],
        "void": list(found.void),
        **{name: together.get(name) for name in _OF_VERDICT},
        "copies": [{name: document(one)[name] for name in _OF_COPY} for one in found.verdicts],
    }


def _copy(verdict: Verdict) -> str:
    """Return what one copy is by itself."""
    text = f"{verdict.outcome.value}, {verdict.frames} message{'' if verdict.frames == 1 else 's'}"
    if verdict.fault is not None:
        text += f", seat {verdict.fault.seat} at fault [{verdict.fault.code}]"
    if verdict.damage is not None:
        text += f", damaged at record {verdict.damage.record}: {CODES[verdict.damage.reason].text}"
    return text


def _signed(branch: Branch) -> str:
    if not branch.signed:
        return "nobody else signed on it"
    return (
        f"seat{'' if len(branch.signed) == 1 else 's'} {', '.join([str(seat) for seat in branch.signed])} signed on it"
    )
