"""Pots: what is uncalled, who contends for what, and who is paid (POT).

Everything here counts by total contribution over the hand and by seat, for any number of seats. Every chip
that goes in comes out: dead money stays in the layer it reaches, odd chips go out one by one, nothing is
rounded away.
"""

from __future__ import annotations

from collections.abc import Sequence

from .game import Pot


def uncalled(totals: Sequence[int], folded: Sequence[bool]) -> tuple[int, ...]:
    """Return the chips that go back to each seat because nobody matched them; all 0 or one seat's surplus
    (POT-1).

    `totals`: chips each seat has in the pot. `folded`: True for seats out of the hand, whose chips still
    count as having matched.
    """
    most = max(totals)
    seat = totals.index(most)
    back = 0 if folded[seat] else most - max([*totals[:seat], *totals[seat + 1 :]], default=0)
    return (*[0] * seat, back, *[0] * (len(totals) - seat - 1))


def pots(totals: Sequence[int], folded: Sequence[bool]) -> tuple[Pot, ...]:
    """Return the main pot and the side pots, lowest layer first, not yet awarded (POT-2, POT-3).

    `totals` and `folded` as in `uncalled`, taken when all betting has ended. The amounts sum to all that is
    in. Chips put in above the deepest seat still in stay in that seat's layer (POT-3); when no seat still in
    has put in any, what was put in makes one pot for all of them, since there is no layer below to join.
    """
    built: list[Pot] = []
    floor = 0
    levels = sorted({total for total, out in zip(totals, folded, strict=True) if total and not out})
    for level in levels:
        ceiling = max(totals) if level == levels[-1] else level
        amount = sum([min(total, ceiling) - min(total, floor) for total in totals])
        contenders = tuple([seat for seat, total in enumerate(totals) if total >= level and not folded[seat]])
        built.append(Pot(amount=amount, seats=contenders, winners=()))
        floor = level
    if not levels and any(totals):
        still_in = tuple(seat for seat, out in enumerate(folded) if not out)
        built.append(Pot(amount=sum(totals), seats=still_in, winners=()))
    return tuple(built)


def claimants(pot: Pot, mucked: Sequence[int]) -> tuple[int, ...]:
    """Return the pot's contenders without those who gave it up; at least one is left (SHOW-3).

    `mucked`: seats in the order in which they mucked. A muck gives up a pot in which somebody else still
    stands; whoever is alone in a pot keeps it.
    """
    left = pot.seats
    for seat in mucked:
        if seat in left and len(left) > 1:
            left = tuple(other for other in left if other != seat)
    return left


def without(unpaid: Sequence[Pot], seat: int, mucked: Sequence[int] = ()) -> tuple[Pot, ...]:
    """Return the pots after the claims of `seat` are gone, which was expelled when they stood already (VERDICT-4).

    `mucked`: as in `claimants`. The pots stay what they are (POT-2), but one in which nobody stands any more joins the
    pot below (POT-3).
    """
    left: list[Pot] = []
    for pot in unpaid:
        standing = any(other != seat for other in claimants(pot, mucked))
        if standing or not left:
            seats = tuple(other for other in pot.seats if other != seat)
            left.append(Pot(amount=pot.amount, seats=seats, winners=()))
        else:
            below = left[-1]
            left[-1] = Pot(amount=below.amount + pot.amount, seats=below.seats, winners=())
    return tuple(left)


def award(
    unpaid: Sequence[Pot], strengths: Sequence[int | None], order: Sequence[int], mucked: Sequence[int] = ()
) -> tuple[Pot, ...]:
    """Return the pots with their winners, in the order in which odd chips are paid (POT-4).

    `strengths`: by seat, higher is stronger, None for a hand nobody has seen. `order`: seats from the
    button's left.
    `mucked`: as in `claimants`; a muck changes who wins, never which pots there are (POT-2). A pot with one
    claimant needs no strength; in any other an unseen hand has no claim.
    """
    awarded = []
    for pot in unpaid:
        winners = claimants(pot, mucked)
        if len(winners) > 1:
            best = max([strength for seat in winners if (strength := strengths[seat]) is not None])
            winners = tuple([seat for seat in order if seat in winners and strengths[seat] == best])
        awarded.append(Pot(amount=pot.amount, seats=pot.seats, winners=winners))
    return tuple(awarded)


def payouts(awarded: Sequence[Pot], seats: int) -> tuple[int, ...]:
    """Return what each of `seats` seats is paid: equal shares of its pots, odd chips one each (POT-4)."""
    paid = [0] * seats
    for pot in awarded:
        share, odd = divmod(pot.amount, len(pot.winners))
        for place, seat in enumerate(pot.winners):
            paid[seat] += share + (place < odd)
    return tuple(paid)


def order_from(button: int, seats: int) -> tuple[int, ...]:
    """Return all seats in order from the button's left, the button last."""
    return (*range(button + 1, seats), *range(button + 1))
