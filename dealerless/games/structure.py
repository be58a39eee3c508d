"""What one game's betting is like: the value that makes the one engine play that game.

Hex, One Poker, fixed limit and no limit are four values of `Structure`. The clause that a refused move breaks
goes with the sizes, since the same defect breaks another clause in another game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Sizes = Literal["exact", "limit", "no-limit", "matched"]
Amounts = Literal["put", "to", "by", "none"]
Closes = Literal["matched", "checks"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """What the moves of a game's betting are, how far they go, how they are counted and what ends a round.

    `unit`: chips; the exact or fixed size, in no limit the smallest bet.
    `sizes`: how far BET and RAISE lift the level. "exact": by `unit`, never less (HEX-6). "limit": to `unit`
    above the last full level, or to the whole stack (BET-5). "no-limit": by at least the last full lift, or
    to the whole stack (BET-4). "matched": by 1 up to what the mover has and another can match (ONE-7).
    `amounts`: what `Move.amount` counts. "put": chips the move puts in. "to", "by": the level lifted to, or
    the lift, of a BET or RAISE; others carry 0. "none": always 0.
    `closes`: "matched": all have acted since the last lift and owe nothing (BET-7). "checks": all check in
    succession, or nothing is owed and a stack is empty (HEX-8, ONE-8).
    `raises`: how many raises may follow the bet, or None.
    `allin`: whether putting in the whole stack is a move of its own; only it and FOLD may answer it (HEX-7).
    """

    unit: int
    sizes: Sizes
    amounts: Amounts
    closes: Closes
    raises: int | None = None
    allin: bool = False


CLAUSES: Final[dict[Sizes, dict[str, str]]] = {
    "exact": {},
    "limit": {
        "bet.not-a-move": "BET-1",
        "bet.nothing-owed": "BET-2",
        "bet.chips-owed": "BET-2",
        "bet.over-stack": "BET-1",
        "bet.wrong-amount": "BET-1",
        "bet.not-allowed": "BET-2",
        "bet.not-reopened": "BET-5",
    },
    "no-limit": {
        "bet.not-a-move": "BET-1",
        "bet.nothing-owed": "BET-2",
        "bet.chips-owed": "BET-2",
        "bet.over-stack": "BET-1",
        "bet.wrong-amount": "BET-1",
        "bet.not-allowed": "BET-2",
    },
    "matched": dict.fromkeys(
        (
            "bet.not-a-move",
            "bet.nothing-owed",
            "bet.chips-owed",
            "bet.over-stack",
            "bet.wrong-amount",
            "bet.not-allowed",
            "bet.no-answer",
        ),
        "ONE-7",
    ),
}
"""By sizes and code: the clause broken, where it is not the one that stands with the code."""
