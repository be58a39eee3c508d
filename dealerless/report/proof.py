"""What a bundle of evidence proves, for people and as JSON (spec/evidence.schema.json)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..errors import CODES
from ..referee.evidence import FORMAT, Finding, Form
from ..referee.verdict import Fault, Player
from .document import Json, fault_document
from .escape import marked
from .view import broken, difference, fault_view

_FORMS: Final = {
    Form.EQUIVOCATION: "two messages of one seat on one previous hash",
    Form.WHOLE: "every message up to the fault",
    Form.HAND: "every message from a hand's start to the fault, which the accused vouches for",
}


def finding_lines(found: Finding, label: str) -> Iterator[str]:
    """Yield what a bundle proves, and of whom it speaks. `label` is already fit to print."""
    if found.fault is None:
        reason = "" if found.reason is None else f": {CODES[found.reason].text} [{found.reason}]"
        yield f"NOTHING: {label} proves nothing about anybody{reason}"
    else:
        yield f"PROVEN: {label}: a rule was broken, and it is proven by whom"
        yield from _fault_lines(found.fault, found.players)
    if found.form is not None:
        yield f"form       {_FORMS[found.form]}, {found.records} records in all"
    if found.session is not None:
        yield f"session    {found.session.hex()}"
    for player in found.players:
        yield f"seat {player.seat}     fingerprint {player.fingerprint} name {marked(player.name)}"
        yield f"           key {player.key.hex()}"


def finding_document(found: Finding) -> Json:
    """Return what a bundle proves as an object: the same bytes for the same bundle, on every machine."""
    return {
        "format": FORMAT,
        "proven": found.fault is not None,
        "fault": None if found.fault is None else fault_document(fault_view(found.fault)),
        "reason": found.reason,
        "form": None if found.form is None else found.form.value,
        "records": found.records,
        "session": None if found.session is None else found.session.hex(),
        "players": [
            {"seat": player.seat, "name": player.name, "key": player.key.hex(), "fingerprint": player.fingerprint}
            for player in found.players
        ],
    }


def _fault_lines(fault: Fault, players: tuple[Player, ...]) -> Iterator[str]:
    seen, player = fault_view(fault), players[fault.seat]
    yield f"  {broken(seen)}"
    yield f"  blame {seen.blame}: fingerprint {player.fingerprint}, name {marked(player.name)}"
    yield f"  code {seen.code}{difference(seen.code, seen.expected, seen.actual)}"
