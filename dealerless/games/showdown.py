"""The showdown: who shows first, who may muck, and what a muck gives up (SHOW).

The functions work on the pots as they stood when betting ended. A later muck never changes which pots there
are (POT-2); it only takes the mucker's name off those in which somebody else still stands.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import IllegalMove
from .game import Finished, Muck, Pot, Reveal, Show
from .pots import award, claimants, order_from, payouts

SHOW_RULES = ("all", "muck")
"""The two values of the term `show` (SHOW-2)."""


def check_showing(due: Show, seat: int, action: Reveal | Muck, clause: str | None = None) -> IllegalMove | None:
    """Return why `seat` may not show or muck now, whatever cards it shows, or None (SHOW-1, SHOW-2).

    `clause` is the one that forbids to muck where SHOW-2 does not apply.
    """
    if seat != due.seat:
        return IllegalMove("turn.not-yours", expected=due.seat, actual=seat)
    if isinstance(action, Muck) and not due.may_muck:
        return IllegalMove("show.may-not-muck", clause=clause, expected="SHOW", actual="MUCK")
    return None


def showing_order(aggressor: int | None, folded: Sequence[bool], otherwise: int) -> tuple[int, ...]:
    """Return the seats still in, in the order in which they show (SHOW-1).

    `aggressor`: the last seat to lift the level in the last round with betting, or None. `otherwise`: the
    seat from which the search for a first shower starts when nobody did or the one who did is out: the
    button's left, in hex the opener.
    """
    seats = len(folded)
    start = otherwise if aggressor is None or folded[aggressor] else aggressor
    return tuple([seat for seat in (*range(start, seats), *range(start)) if not folded[seat]])


def next_to_show(
    unpaid: Sequence[Pot], order: Sequence[int], shown: Sequence[int], mucked: Sequence[int]
) -> int | None:
    """Return the seat that is to show or muck now; None when every pot can be awarded. Arguments as of `to_show`."""
    return next(iter(to_show(unpaid, order, shown, mucked)), None)


def to_show(
    unpaid: Sequence[Pot], order: Sequence[int], shown: Sequence[int], mucked: Sequence[int]
) -> tuple[int, ...]:
    """Return the seats that are still to show or muck, in order, as far as no other one mucks before.

    `order` as from `showing_order`. A seat that is alone in all its pots takes them unshown and is not asked
    (SHOW-3).
    """
    standing = [claimants(pot, mucked) for pot in unpaid]
    contested = {seat for seats in standing if len(seats) > 1 for seat in seats}
    return tuple([seat for seat in order if seat in contested and seat not in shown])


def may_muck(rule: str, place: int, stacks: Sequence[int], folded: Sequence[bool]) -> bool:
    """Return whether the seat at `place` (0 is the first) in the showing order may muck instead of showing
    (SHOW-2).

    Only under the rule "muck", never the first, and nobody when a seat still in is all-in: then all see all.
    """
    if rule != "muck" or not place:
        return False
    return not any(not stack and not out for stack, out in zip(stacks, folded, strict=True))


def paid(
    stacks: Sequence[int],
    unpaid: Sequence[Pot],
    strengths: Sequence[int | None],
    button: int,
    mucked: Sequence[int],
    result: str,
) -> Finished:
    """Return the end of a hand with every pot paid to who is left in it, or to the strongest (POT-2 to POT-4).

    `stacks`: chips behind, uncalled ones back. `strengths`, `mucked`: as in `award`. `result`: as in `Finished`.
    """
    seats = len(stacks)
    awarded = award(unpaid, strengths, order_from(button, seats), mucked)
    after = tuple([stack + chips for stack, chips in zip(stacks, payouts(awarded, seats), strict=True)])
    return Finished(stacks=after, pots=awarded, result=result)
