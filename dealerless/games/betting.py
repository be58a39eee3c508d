"""The betting engine: one round of betting among n seats, under a `Structure` that says what this game's
moves are.

A `Betting` is a frozen value, and one move makes the next one. Every question is answered from one place:
`_span` says which amounts a move may carry now, `legal` lists those spans, `check` asks for one of them and
only looks for the reason when the answer is no. So what is listed and what is accepted cannot drift apart.

Hex, One Poker, fixed limit and no limit are four values of `Structure`. Levels are chips put in this round
(blinds count, antes do not); "reach" is the level a seat would come to with its whole stack.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ..errors import IllegalMove
from .game import Move, Option
from .pots import uncalled
from .structure import CLAUSES, Structure

NAMES: Final = ("CHECK", "BET", "CALL", "RAISE", "ALLIN", "FOLD")
"""All moves, in the order in which `legal` lists them."""

_NO_AMOUNT: Final = (0, 0)
_LIFTS: Final = ("BET", "RAISE")
_NEVER: Final = -1


class Betting(NamedTuple):
    """One round of betting as everybody sees it; tuples are by seat, amounts are chips.

    `stacks`: behind. `put`: in this round. `totals`: over the hand. `folded`: out of the hand. `acted`: the
    level at a seat's last action of this round, -1 before it (BET-4). `level`: the most a seat must have put
    in to stay. `step`: the last full bet or raise (BET-4). `full`: the last full level (BET-5). `made`: bets
    and raises that count. `checks`: successive checks just made. `pushed`: the last lift was an ALLIN.
    `aggressor`: who lifted the level last (SHOW-1). `to_act`: whose turn it is, None when the round is over.
    `owed`: what that seat owes. `moves`: how many moves were made.

    A named tuple and not a frozen dataclass because one is built for every move of every match replayed: it
    takes a third of the time.
    """

    structure: Structure
    stacks: tuple[int, ...]
    put: tuple[int, ...]
    totals: tuple[int, ...]
    folded: tuple[bool, ...]
    acted: tuple[int, ...]
    level: int
    step: int
    full: int
    made: int
    checks: int
    pushed: bool
    aggressor: int | None
    to_act: int | None
    owed: int
    moves: int


def open_round(
    structure: Structure,
    stacks: tuple[int, ...],
    totals: tuple[int, ...],
    folded: tuple[bool, ...],
    first: int,
    *,
    posted: tuple[int, ...] | None = None,
    blind: int = 0,
) -> Betting:
    """Return a new round; already over when at most one seat has chips and it owes nothing (BET-7).

    `stacks`, `totals`: after antes and blinds. `first`: the seat asked first, or the next one clockwise that
    can act.
    `posted`: blinds by seat, as they were put in. `blind`: the full big blind, which is the level and the
    first bet even when it was posted short (BET-3, BET-5); posting is not acting.
    """
    seats = len(stacks)
    put = posted or (0,) * seats
    able = [seat for seat in (*range(first, seats), *range(first)) if stacks[seat] and not folded[seat]]
    to_act: int | None = None
    owed = 0
    if folded.count(False) > 1 and able:
        to_act = able[0]
        owed = _owed(stacks, put, folded, blind, to_act)
        if len(able) == 1 and not owed:
            to_act = None
    return Betting(
        structure=structure,
        stacks=stacks,
        put=put,
        totals=totals,
        folded=folded,
        acted=(_NEVER,) * seats,
        level=blind,
        step=structure.unit,
        full=blind,
        made=1 if blind else 0,
        checks=0,
        pushed=False,
        aggressor=None,
        to_act=to_act,
        owed=owed,
        moves=0,
    )


def legal(b: Betting) -> tuple[Option, ...]:
    """Return the moves of the seat to act, with the amounts they may carry, in the order of `NAMES`."""
    if b.to_act is None:
        return ()
    spans = ((name, _span(b, b.to_act, name)) for name in NAMES)
    return tuple(Option(name=name, least=span[0], most=span[1]) for name, span in spans if span is not None)


def check(b: Betting, seat: int, move: Move) -> IllegalMove | None:
    """Return why `seat` may not make `move` now, or None exactly when `legal` lists it."""
    if seat == b.to_act:
        span = _span(b, seat, move.name)
        amount = move.amount
        if span is not None and type(amount) is int and span[0] <= amount <= span[1]:
            return None
    return _refusal(b, seat, move)


def apply(b: Betting, seat: int, move: Move) -> Betting:
    """Return the round after a move that `check` allows."""
    name = move.name
    stacks, put, totals, folded = b.stacks, b.put, b.totals, b.folded
    level, step, full, made, aggressor, pushed = b.level, b.step, b.full, b.made, b.aggressor, b.pushed
    after = seat + 1
    if name == "CHECK":
        paid = 0
    elif name == "FOLD":
        paid = 0
        folded = (*folded[:seat], True, *folded[after:])
    elif name == "CALL":
        paid = min(b.owed, stacks[seat])
    elif name == "ALLIN":
        paid = stacks[seat]
    else:
        paid = _lifted_to(b, seat, move.amount) - put[seat]
    if paid:
        reached = put[seat] + paid
        stacks = (*stacks[:seat], stacks[seat] - paid, *stacks[after:])
        put = (*put[:seat], reached, *put[after:])
        totals = (*totals[:seat], totals[seat] + paid, *totals[after:])
        if reached > level:
            step = max(step, reached - level)
            if 2 * (reached - full) >= b.structure.unit:
                full = reached
                made += 1
            level = reached
            aggressor = seat
            pushed = name == "ALLIN"
    checks = b.checks + 1 if name == "CHECK" else 0
    acted = (*b.acted[:seat], level, *b.acted[after:])
    structure = b.structure
    to_act, owed = _next(structure, seat, stacks, put, folded, acted, level, checks)
    # By place: with names it takes half as long again, and nothing is made as often.
    return Betting(
        structure, stacks, put, totals, folded, acted,
        level, step, full, made, checks, pushed, aggressor, to_act, owed, b.moves + 1,
    )  # fmt: skip


def expel(b: Betting, seat: int) -> Betting:
    """Return the round without `seat`, whose turn or not: as after a fold, its chips stay in (VERDICT-4)."""
    folded = (*b.folded[:seat], True, *b.folded[seat + 1 :])
    to_act, owed = b.to_act, b.owed
    if to_act == seat or folded.count(False) < 2:
        to_act, owed = _next(b.structure, seat, b.stacks, b.put, folded, b.acted, b.level, b.checks)
    elif to_act is not None:
        owed = _owed(b.stacks, b.put, folded, b.level, to_act)
    return b._replace(folded=folded, to_act=to_act, owed=owed)


def settled(b: Betting) -> Betting:
    """Return the round, which is over, with its uncalled chips back in their owner's stack (POT-1)."""
    back = uncalled(b.totals, b.folded)
    if not any(back):
        return b
    return b._replace(
        stacks=tuple([stack + chips for stack, chips in zip(b.stacks, back, strict=True)]),
        totals=tuple([total - chips for total, chips in zip(b.totals, back, strict=True)]),
    )


# --- what may be done now -----------------------------------------------------------------------------------


def _span(b: Betting, seat: int, name: str) -> tuple[int, int] | None:
    """Return the least and most that `name` may carry for the seat to act, None when it is not legal."""
    s = b.structure
    if name == "CHECK":
        return None if b.owed else _NO_AMOUNT
    if name == "FOLD":
        return _NO_AMOUNT if b.owed else None
    if name == "CALL":
        if not b.owed or b.pushed:
            return None
        if s.amounts != "put":
            return _NO_AMOUNT
        pays = min(b.owed, b.stacks[seat])
        return pays, pays
    if name == "ALLIN":
        if not s.allin:
            return None
        whole = _amount(b, seat, b.put[seat] + b.stacks[seat])
        return whole, whole
    if name != _lift_name(b) or (b.pushed and b.owed):
        return None
    levels = _levels(b, seat)
    return None if levels is None else (_amount(b, seat, levels[0]), _amount(b, seat, levels[1]))


def _levels(b: Betting, seat: int) -> tuple[int, int] | None:
    """Return the lowest and highest level to which the seat may bet or raise, or None."""
    s = b.structure
    level = b.level
    reach = b.put[seat] + b.stacks[seat]
    if reach <= level or _capped(b):
        return None
    if s.sizes == "exact":
        to = level + s.unit
        return None if to > reach else (to, to)
    rival = _rival(b.stacks, b.put, b.folded, seat)
    if rival <= level:
        return None
    if s.sizes == "matched":
        return level + 1, min(reach, rival)
    if not _reopened(b, seat):
        return None
    if s.sizes == "limit":
        to = min(b.full + s.unit, reach)
        return to, to
    return min(level + b.step, reach), reach


def _lift_name(b: Betting) -> str:
    """Return what a lift is called now: where calls end no round, one over nothing owed is a BET."""
    return "RAISE" if (b.owed if b.structure.closes == "checks" else b.level) else "BET"


def _capped(b: Betting) -> bool:
    return b.structure.raises is not None and b.made > b.structure.raises


def _reopened(b: Betting, seat: int) -> bool:
    """Return whether the seat has not acted, or betting has risen enough since (BET-4, BET-5)."""
    acted = b.acted[seat]
    return acted == _NEVER or (b.full > acted if b.structure.sizes == "limit" else b.level - acted >= b.step)


def _rival(stacks: tuple[int, ...], put: tuple[int, ...], folded: tuple[bool, ...], seat: int) -> int:
    """Return the highest level that any other seat still in has reached or can reach (BET-3, BET-6)."""
    best = 0
    for other, out in enumerate(folded):
        if not out and other != seat and put[other] + stacks[other] > best:
            best = put[other] + stacks[other]
    return best


def _owed(stacks: tuple[int, ...], put: tuple[int, ...], folded: tuple[bool, ...], level: int, seat: int) -> int:
    """Return what the seat owes: up to the level, but no more than another can have put in (BET-3)."""
    owes = level - put[seat]
    if owes <= 0:
        return 0
    return max(0, min(owes, _rival(stacks, put, folded, seat) - put[seat]))


def _amount(b: Betting, seat: int, to: int) -> int:
    """Return the amount that stands for a lift to `to`, or for a whole stack that reaches it."""
    amounts = b.structure.amounts
    if amounts == "put":
        return to - b.put[seat]
    if amounts == "to":
        return to
    return to - b.level if amounts == "by" else 0


def _lifted_to(b: Betting, seat: int, amount: int) -> int:
    """Return the level to which a legal BET or RAISE with this amount goes; the inverse of `_amount`."""
    amounts = b.structure.amounts
    if amounts == "put":
        return b.put[seat] + amount
    if amounts == "to":
        return amount
    if amounts == "by":
        return b.level + amount
    return min(b.full + b.structure.unit, b.put[seat] + b.stacks[seat])


def _next(
    structure: Structure,
    seat: int,
    stacks: tuple[int, ...],
    put: tuple[int, ...],
    folded: tuple[bool, ...],
    acted: tuple[int, ...],
    level: int,
    checks: int,
) -> tuple[int | None, int]:
    """Return who acts after `seat` and what it owes, or None and 0 when the round is over."""
    seats = len(folded)
    still_in = folded.count(False)
    by_checks = structure.closes == "checks"
    if still_in < 2 or (by_checks and checks >= still_in):
        return None, 0
    other = seat
    for _ in range(seats - 1):
        other = other + 1 if other + 1 < seats else 0
        if not stacks[other] or folded[other] or (not by_checks and acted[other] == level):
            continue
        owed = _owed(stacks, put, folded, level, other)
        if by_checks and not owed and _run_out(stacks, folded):
            break
        return other, owed
    return None, 0


def _run_out(stacks: tuple[int, ...], folded: tuple[bool, ...]) -> bool:
    """Return whether a seat still in has no chips left."""
    return 0 in stacks and any(not stack and not out for stack, out in zip(stacks, folded, strict=True))


# --- why it may not -----------------------------------------------------------------------------------------


def _refusal(b: Betting, seat: int, move: Move) -> IllegalMove:
    """Return the most telling reason against a move: whose turn, which move, what it needs, how much."""
    if b.to_act is None:
        return IllegalMove("turn.wrong-kind", actual="betting is over")
    if seat != b.to_act:
        return IllegalMove("turn.not-yours", expected=b.to_act, actual=seat)
    code, expected = _defect(b, seat, move)
    actual: object = move.amount
    if expected is None:
        # It is the move itself that is not to be made now, whatever amount it has.
        expected, actual = tuple([option.name for option in legal(b)]), move.name
    return IllegalMove(code, clause=CLAUSES[b.structure.sizes].get(code), expected=expected, actual=actual)


def _defect(b: Betting, seat: int, move: Move) -> tuple[str, object]:
    """Return the code of what is wrong with a move, and which amount was due; None where no amount would mend it."""
    name, amount, s = move.name, move.amount, b.structure
    if name not in NAMES or (name == "ALLIN" and not s.allin):
        return "bet.not-a-move", None
    owed = b.owed
    if not owed and (name in ("CALL", "FOLD") or (name == "RAISE" and _lift_name(b) == "BET")):
        return "bet.nothing-owed", None
    if owed and name in ("CHECK", "BET"):
        return "bet.chips-owed", None
    stack = b.stacks[seat]
    if name in _LIFTS and s.sizes == "exact" and not b.pushed and b.level + s.unit - b.put[seat] > stack:
        return "bet.over-stack", stack
    span = _span(b, seat, name)
    if span is None:
        return _no_lift(b, seat, name), None
    if type(amount) is not int or amount < 0:
        return "bet.wrong-amount", span
    if s.amounts != "none" and _cost(b, seat, name, amount) > stack:
        return "bet.over-stack", span[1]
    if s.sizes == "no-limit" and name in _LIFTS and amount < span[0]:
        return "bet.below-minimum-raise", span[0]
    return "bet.wrong-amount", span[0] if span[0] == span[1] else span


def _no_lift(b: Betting, seat: int, name: str) -> str:
    """Return why a seat whose turn it is may neither bet nor raise (or not call, after an ALLIN)."""
    if b.pushed or name != _lift_name(b):
        return "bet.not-allowed"
    if b.put[seat] + b.stacks[seat] <= b.level:
        return "bet.over-stack"
    if _capped(b):
        return "bet.cap-reached"
    if _rival(b.stacks, b.put, b.folded, seat) <= b.level:
        return "bet.no-answer"
    return "bet.not-reopened"


def _cost(b: Betting, seat: int, name: str, amount: int) -> int:
    """Return the chips that an amount of the seat's choosing would take from its stack."""
    if name not in _LIFTS or b.structure.amounts == "put":
        return amount
    return (amount if b.structure.amounts == "to" else b.level + amount) - b.put[seat]
