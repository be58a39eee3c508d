"""Decisions of a match and their reasons: which message is one, and what a file of notes says of it (DRAW-9).

Notes are nobody's word but their author's. A reason is told only of a decision that is in the transcript as it was
noted, and only when its hand is over: until then it tells cards. Where a card
outlives its hand (ONE-3), why another one was laid tells of it, so that waits for the end of the match.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from ..journal.notes import Noted
from ..protocol.events import Acted, CardLaid, Event, Exchanged, Mucked, Revealed, Shown
from ..protocol.machine import Admitted
from ..protocol.state import HandRecord, State

LAY: Final = "LAY"
"""A lay as its message tells it; in a note the card follows, which nobody knows before it opens (ONE-5)."""


class Decision(NamedTuple):
    """What a seat decided: in which hand, after how many of its actions, and what, as a note has it."""

    hand: int
    seat: int
    place: int
    what: str


class Reasons:
    """The reasons of a match's decisions; of one that was noted twice, as after a crash, the last."""

    def __init__(self, notes: Iterable[Noted]) -> None:
        self._reasons = {Decision(note.hand, note.seat, note.place, note.what): note.reason for note in notes}

    def of(self, decision: Decision | None) -> str | None:
        """Return the reason of a decision, as its author wrote it; None where there is none."""
        return None if decision is None else self._reasons.get(decision)


def decision(before: State, admitted: Admitted) -> Decision | None:
    """Return the decision that a good message is, or None if it left its author no choice or is none of a hand."""
    if admitted.envelope is None or before.play is None:
        return None
    what = _what(admitted.envelope.event)
    return None if what is None else Decision(before.books.number, admitted.seat, len(before.play.actions), what)


def completed(one: Decision | None, hand: HandRecord) -> Decision | None:
    """Return a decision of a hand that is over, as a note has it: of a lay also which card it was, if that has opened.

    A lay whose card stays closed is as before, so that no reason is found for it.
    """
    if one is None or one.what != LAY:
        return one
    card = hand.hand.cards[one.seat]
    return one if card is None else one._replace(what=f"{LAY} {hand.game.card_text(card)}")


def _what(event: Event) -> str | None:
    if isinstance(event, Acted):
        return f"{event.move} {event.amount}" if event.amount else event.move
    if isinstance(event, Exchanged):
        return f"EXCHANGE {len(event.slots)}"
    if isinstance(event, CardLaid):
        return LAY
    if isinstance(event, Mucked):
        return "MUCK"
    return "SHOW" if isinstance(event, Shown | Revealed) else None
