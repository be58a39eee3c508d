"""Who is not dealt into a hand, and why: no chips, fewer than a hand can cost, or gone. TABLE-2, DRAW-7."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..games.draw import DRAW
from ..games.game import Game
from ..protocol.state import HandRecord
from .naming import naming


def why_undealt(hand: HandRecord, seat: int) -> str:
    """Return in words why a seat is not dealt into a hand."""
    return _why(hand.game, hand.hand.terms, hand.before[seat])


def undealt_lines(hand: HandRecord, dealt: Sequence[int]) -> Iterator[str]:
    """Yield who is not dealt into a hand although it has chips, and why; `dealt` are those who are."""
    for seat, stack in enumerate(hand.before):
        if stack and seat not in dealt:
            yield undealt_text(hand.game, hand.hand.terms, seat, stack)


def undealt_text(game: Game, terms: Any, seat: int, stack: int) -> str:
    """Return that a seat with this stack is not dealt in, and why."""
    return f"seat {seat} is not dealt in: {_why(game, terms, stack)}"


def _why(game: Game, terms: Any, stack: int) -> str:
    if not stack:
        return f"out of {naming(game.name).chips}"
    if game.can_be_dealt_in(terms, stack):
        return "no longer in the match"
    cost = f" of the {terms.dearest} that one can cost" if game.name == DRAW.name else ""
    return f"too few chips for a hand, {stack}{cost}"
