"""What a move at a draw table is worth: the hand is played on many times with cards that nobody has seen (DRAW-9).

In every sample each other seat's hand is drawn from its range and ours from what it can become; then all, we too, play
on as the model of `drawranges` does, through the exchange and the second round to the pots. A move is worth what we
then have on average, less what we have now. All moves are tried on the same samples.

One array has an element for each sample, so that all of them are played at once. The others take a bet or a raise in a
sample for what it says: the mover's range is narrowed for them, once for the first and once more for a second; of ours
they believe that it holds as many bluffs as pot odds allow. Checks and calls, and how many cards a seat exchanges in a
sample, tell nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from ..games.drawhand import DrawHand
from .drawchances import BUCKETS, KINDS, Floats, Indices, kind_of, population
from .drawranges import Range, Story, acts, bluff_frequency, fair_share
from .player import SeatView

Flags = npt.NDArray[np.bool_]

_NARROWED: Final = 3
"""How a range may stand in a sample: as it is, narrowed once, narrowed twice."""

_GOLDEN: Final = (5**0.5 - 1) / 2
"""A seat's next ticket in a round is its last one further by this, modulo 1: no need to draw another."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tables:
    """Logarithms of the chance to beat one seat, by how often its range is narrowed in the first and second round.

    `before[seat, narrowed, others, kind]`: with so many others in, so that their sum is the chance to beat them all.
    `after[seat, narrowed, narrowed, bucket]`.
    """

    before: Floats
    after: Floats


def worths(view: SeatView, told: Story, ours: Indices, samples: int, seed: int) -> tuple[dict[str, float], float]:
    """Return by the name of each legal move what it is worth in chips, FOLD 0; and the standard error of the best.

    `ours`: buckets that our hand comes to, equally likely; its kind is that of the first round.
    """
    generator = np.random.default_rng(seed)
    order = _order(view)
    tables = _tables(told, order, view)
    hands = [_drawn(told.ranges[seat], samples, generator) for seat in order[1:]]
    mine = ours[generator.integers(0, len(ours), samples)] if len(ours) > 1 else np.full(samples, ours[0])
    kinds = np.stack([np.full(samples, kind_of(view.hole)), *[kind for kind, _ in hands]])
    buckets = np.stack([mine, *[bucket for _, bucket in hands]])
    # Equal buckets are told apart by chance: on average they share.
    ranks = buckets + generator.random(buckets.shape)
    tickets = generator.random((2, *buckets.shape))
    names = [option.name for option in view.legal if option.name != "FOLD"]
    # The samples of every move side by side: one array of them all takes less than one after the other.
    all_moves = (1, len(names))
    hand = _Rollout(
        view, told, order, tables, np.tile(kinds, all_moves), np.tile(buckets, all_moves), np.tile(tickets, all_moves)
    )
    lifts = np.repeat([name in ("BET", "RAISE") for name in names], samples)
    won = hand.played(lifts, np.tile(ranks, all_moves)).reshape(len(names), samples)
    worth = {option.name: 0.0 for option in view.legal}
    worth |= {name: float(each.mean()) for name, each in zip(names, won, strict=True)}
    return worth, max([float(each.std()) for each in won]) / samples**0.5


def _order(view: SeatView) -> list[int]:
    """Return the seats still in, clockwise from ours."""
    hand: DrawHand = view.hand
    seats = len(hand.folded)
    around = [(view.seat + step) % seats for step in range(seats)]
    return [seat for seat in around if not hand.folded[seat]]


def _drawn(held: Range, samples: int, generator: np.random.Generator) -> tuple[Indices, Indices]:
    """Return kind and bucket of so many hands from a range."""
    weights = held.prior * held.of_kind[:, np.newaxis] * held.of_bucket
    summed = np.cumsum(weights.reshape(-1))
    # One from each of so many equal shares, in any order: they vary less than if each were drawn alone.
    tickets = (generator.permutation(samples) + generator.random(samples)) / samples
    cells = np.minimum(np.searchsorted(summed, tickets * summed[-1], side="right"), len(summed) - 1)
    return cells // BUCKETS, cells % BUCKETS


def _tables(told: Story, order: list[int], view: SeatView) -> Tables:
    """Return the chances against each seat, its range narrowed by the lifts that the model would make."""
    terms = view.hand.terms
    many, by_kind = len(order), population().by_kind
    pot, units = float(told.pot), (float(terms.first), float(terms.second))
    shares = [fair_share(many - 1, pot, unit) for unit in units]
    held = [told.ranges[seat] for seat in order]
    of_kind, of_bucket = np.stack([one.of_kind for one in held]), np.stack([one.of_bucket for one in held])
    priors = np.stack([one.prior for one in held])
    below = np.empty((many, _NARROWED, _NARROWED, BUCKETS))
    for first in range(_NARROWED):
        if first and not told.street:
            chance = _beating_others(below[:, first - 1, 0]) @ by_kind.T
            lift = acts(chance, shares[0], 0.0, pot).lift
            kinds = of_kind[0] * (priors[0] @ of_bucket[0])
            lift[0] += (1 - lift[0]) * bluff_frequency(lift[0], kinds / kinds.sum(), pot, units[0])
            of_kind = of_kind * lift
        weights = (of_kind[:, np.newaxis] @ priors)[:, 0] * of_bucket
        for second in range(_NARROWED):
            if second:
                chance = _beating_others(below[:, first, second - 1])
                lift = acts(chance, shares[1], 0.0, pot).lift
                lift[0] += (1 - lift[0]) * bluff_frequency(lift[0], weights[0], pot, units[1])
                weights = weights * lift
            weights = weights / weights.sum(axis=1, keepdims=True)
            below[:, first, second] = np.maximum(np.cumsum(weights, axis=1) - weights / 2, 1e-9)
    before = np.empty((many, _NARROWED, many, len(KINDS)))
    power = np.ones((many, _NARROWED, BUCKETS))
    for others in range(1, many):
        # The mean of a power, so that equal ranges together give what all of them do (see `Story.chance`).
        power *= below[:, :, 0]
        before[:, :, others] = np.log(power @ by_kind.T) / others
    return Tables(before=before, after=np.log(below))


def _beating_others(below: Floats) -> Floats:
    """Return by place and bucket the chance to beat all other places."""
    logarithms = np.log(below)
    chance: Floats = np.exp(logarithms.sum(axis=0) - logarithms)
    return chance


class _Rollout:
    """All samples of one hand, while they are played on; arrays are by place in `order` and by sample."""

    def __init__(
        self,
        view: SeatView,
        told: Story,
        order: list[int],
        tables: Tables,
        kinds: Indices,
        buckets: Indices,
        tickets: Floats,
    ) -> None:
        hand: DrawHand = view.hand
        places, samples = kinds.shape
        self.terms = hand.terms
        self.street = told.street
        self.tables, self.kinds, self.buckets, self.tickets = tables, kinds, buckets, tickets
        self.live: Flags = np.ones((places, samples), np.bool_)
        self.stack = _columns([hand.stacks[seat] for seat in order], samples)
        self.total = _columns([hand.totals[seat] for seat in order], samples)
        self.put = _columns([told.put[seat] for seat in order], samples)
        self.pot = np.full(samples, float(sum(hand.totals)))
        self.made = np.full(samples, told.made)
        self.pending: Flags = np.repeat(_to_move(view, order)[:, np.newaxis], samples, axis=1)
        self.lifts = np.zeros((2, places, samples), np.intp)
        self.dead = [total for seat, total in enumerate(hand.totals) if seat not in order and total]
        self.left = min(range(places), key=lambda place: (order[place] - hand.button - 1) % len(hand.folded))
        self.places = np.arange(places)[:, np.newaxis]

    def played(self, lifts: Flags, ranks: Floats) -> Floats:
        """Return by sample what we win from now on if we lift, or stay in, by sample, and all play on."""
        before = self.total[0].copy()
        everywhere = np.arange(len(self.made))
        self._act(0, everywhere, np.ones(len(everywhere), np.bool_), lifts)
        self._round(1)
        if not self.street:
            self.street = 1
            self.put[:] = 0
            self.made[:] = 0
            self.pending = self.live & (self.stack > 0)
            self._round(self.left)
        won: Floats = self._paid(ranks) - (self.total[0] - before)
        return won

    def _round(self, place: int) -> None:
        """Play until nobody has to move any more, from this place on."""
        places = len(self.pending)
        quiet = 0
        while quiet < places:
            where = np.flatnonzero(self.pending[place])
            where = where[self.live[:, where].sum(axis=0) > 1]
            if len(where):
                quiet = 0
                self._act(place, where, *self._choice(place, where))
            else:
                quiet += 1
            place = (place + 1) % places

    def _choice(self, place: int, where: Indices) -> tuple[Flags, Flags]:
        """Return for these samples whether the seat stays in, and whether it lifts, as far as it may."""
        terms = self.terms
        unit = float(terms.second if self.street else terms.first)
        live = self.live[:, where]
        live[place] = False
        others = live.sum(axis=0)
        first = np.minimum(self.lifts[0][:, where], _NARROWED - 1)
        if self.street:
            second = np.minimum(self.lifts[1][:, where], _NARROWED - 1)
            beaten = self.tables.after[self.places, first, second, self.buckets[place, where]]
        else:
            beaten = self.tables.before[self.places, first, others, self.kinds[place, where]]
        chance = np.exp(np.where(live, beaten, 0.0).sum(axis=0))
        stack, pot = self.stack[place, where], self.pot[where]
        owed = np.minimum(self.put[:, where].max(axis=0) - self.put[place, where], stack)
        stay, lift = acts(chance, fair_share(others, pot + owed, unit), owed, pot)
        ticket = self.tickets[self.street, place, where]
        self.tickets[self.street, place, where] = (ticket + _GOLDEN) % 1
        may = (self.made[where] <= terms.raises) & (stack > owed)
        return ticket < stay, (ticket < lift) & may

    def _act(self, place: int, where: Indices, stay: Flags, lift: Flags) -> None:
        """Make the move of the seat in these samples."""
        unit = float(self.terms.second if self.street else self.terms.first)
        put = self.put[:, where]
        to = put.max(axis=0) + unit * lift
        pays = np.where(stay, np.minimum(to - put[place], self.stack[place, where]), 0.0)
        self.put[place, where] += pays
        self.total[place, where] += pays
        self.stack[place, where] -= pays
        self.pot[where] += pays
        self.live[place, where] &= stay
        lifted = where[lift]
        self.made[lifted] += 1
        self.lifts[self.street, place, lifted] += 1
        self.pending[:, lifted] = self.live[:, lifted] & (self.stack[:, lifted] > 0)
        self.pending[place, where] = False

    def _paid(self, ranks: Floats) -> Floats:
        """Return by sample what we are paid: from everybody as much as we have put in, but for what better hands take.

        Of layers in which a better hand stands nothing is ours (POT-2).
        """
        ours = self.total[0]
        better = self.live[1:] & (ranks[1:] > ranks[0])
        theirs = np.where(better, self.total[1:], 0.0).max(axis=0)
        paid = np.zeros(len(ours))
        for total in [*self.total, *self.dead]:
            paid += np.maximum(np.minimum(total, ours) - theirs, 0.0)
        won: Floats = paid * self.live[0]
        return won


def _columns(values: list[int], samples: int) -> Floats:
    return np.repeat(np.array(values, np.float64)[:, np.newaxis], samples, axis=1)


def _to_move(view: SeatView, order: list[int]) -> Flags:
    """Return who besides us still has to move in this round: has not acted since the last lift, and has chips."""
    betting = view.hand.betting
    return np.array(
        [seat != view.seat and betting.stacks[seat] > 0 and betting.acted[seat] != betting.level for seat in order]
    )
