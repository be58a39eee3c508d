"""What the others at a draw table may hold: distributions, weighted by what they have done in this hand (DRAW-9).

The ground is a simple model of how anybody acts. A player knows the ranges of the others as everybody does, computes
its chance to beat them all, and bets or raises when that is as good as the best of so many hands usually is, pays when
the pot gives it the odds. It does each of these more or less sharply, and now and then something else, so that no move
rules a hand out. By Bayes' rule a move then weights the hands that would have made it.

Before the exchange a player knows only its kind of hand, afterwards only its bucket (see `drawchances`). So a range is
the prior times one factor for each kind and one for each bucket.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from ..games.drawhand import MOST_DISCARDS, DrawTerms
from .drawchances import BUCKETS, DISCARDS, KINDS, Floats, population
from .player import SeatView

Amounts: TypeAlias = "Floats | float"

SHARPNESS: Final = 15.0
"""How sharply the model tells hands apart: the odds of a move grow e-fold when the chance, measured by what the move
needs, grows by a fifteenth."""

SURPRISE: Final = 0.15
"""How often a move is made for no reason that the model knows: so far a range is not to be trusted. With less, who bets
every pair is taken for one who bets the best of them."""

ODD_EXCHANGE: Final = 0.03
"""How often another number of cards is exchanged than is common for the kind; players differ less in this."""


class Acts(NamedTuple):
    """How likely a player stays in, and how likely it lifts; the latter is part of the former."""

    stay: Floats
    lift: Floats


def fair_share(others: Amounts, pot: Amounts, unit: float) -> Amounts:
    """Return the chance to beat so many others from which on the model bets or raises.

    `pot`: what is in it when the mover has paid what it owes. Against one, who calls with the odds he then gets, it is
    the chance to beat half of the hands that call; more others are less likely to call each, and count half.
    """
    called = unit / (pot + 2 * unit)
    return ((1 + called) / 2) ** ((1 + others) / 2)


def bluffing(pot: Amounts, unit: Amounts) -> Amounts:
    """Return how many bluffs go with one bet for value, so that calling the bet wins nothing and loses nothing.

    The caller pays `unit` to win `pot + unit`: he is indifferent if bluffs are to value bets as unit to pot + unit.
    """
    return unit / (pot + unit)


def acts(chance: Floats, share: Amounts, owed: Amounts, pot: Amounts) -> Acts:
    """Return what the model does with each chance to win, before the cap on raises.

    `share`: see `fair_share`. `owed`, `pot`: chips.
    """
    needed = owed / (pot + owed)
    stay = np.where(needed > 0, _logistic(chance, np.maximum(needed, 1e-9)), 1.0)
    return Acts(stay, np.minimum(stay, _logistic(chance, share)))


def _logistic(chance: Floats, needed: Amounts) -> Floats:
    odds: Floats = 1 / (1 + np.exp(np.clip(SHARPNESS * (1 - chance / needed), -30, 30)))
    return odds


def bluff_frequency(lift: Floats, weights: Floats, pot: float, unit: float) -> float:
    """Return how often a hand that is not worth a bet or raise may make one, so that all such together are as many as
    `bluffing` allows.

    `lift`: how likely each hand bets for value. `weights`: how likely the hands are, summing to 1.
    """
    value = float(lift @ weights)
    return min(1.0, value * float(bluffing(pot, unit)) / max(1 - value, 1e-9))


# --- ranges -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Range:
    """What one seat may hold: `prior[kind, bucket]` times a factor for each kind and each bucket."""

    prior: Floats
    of_kind: Floats
    of_bucket: Floats

    @property
    def buckets(self) -> Floats:
        """How likely the seat comes to each bucket, or has come."""
        weights: Floats = (self.of_kind @ self.prior) * self.of_bucket
        found: Floats = weights / weights.sum()
        return found

    @property
    def kinds(self) -> Floats:
        """How likely the seat had each kind of hand before the exchange."""
        weights: Floats = (self.prior @ self.of_bucket) * self.of_kind
        found: Floats = weights / weights.sum()
        return found

    @property
    def below(self) -> Floats:
        """By bucket: how likely a hand in it is better than this one; equals count half."""
        buckets = self.buckets
        below: Floats = np.cumsum(buckets) - buckets / 2
        return below

    def lifting(self, by_kind: Floats | None, by_bucket: Floats | None) -> Range:
        """Return the range after a move that is so likely for each kind, or for each bucket."""
        of_kind = self.of_kind if by_kind is None else self.of_kind * by_kind
        of_bucket = self.of_bucket if by_bucket is None else self.of_bucket * by_bucket
        return Range(self.prior, of_kind, of_bucket)


def fresh(prior: Floats) -> Range:
    """Return the range of a seat that has done nothing yet."""
    return Range(prior, np.ones(len(KINDS)), np.ones(BUCKETS))


@dataclass(slots=True)
class Story:
    """A hand as it went, and what it says to one seat: ranges of all seats dealt in, and how the round stands.

    `seat` is that one; the others are supposed to believe that it bluffs as often as pot odds say. `live`: the seats
    still in. `street`: 0 before the exchange, 1 after it. `put`: chips put in this round. `made`: bets and raises of
    the round. `pot`: chips in it.
    """

    seat: int
    ranges: dict[int, Range]
    live: set[int]
    street: int
    put: dict[int, int]
    made: int
    pot: int

    def chance(self, seat: int) -> Floats:
        """Return the chance to beat all the others: by kind before the exchange, by bucket after it."""
        return self.of_street(beating([self.ranges[other].below for other in sorted(self.live) if other != seat]))

    def of_street(self, by_bucket: Floats) -> Floats:
        """Return a chance by bucket as one by kind, before the exchange; as it is, after it."""
        return by_bucket if self.street else population().by_kind @ by_bucket


def beating(below: list[Floats]) -> Floats:
    """Return by bucket how likely it is to beat all of these, as if they were independent."""
    chance = np.ones(BUCKETS)
    for one in below:
        chance = chance * one
    return chance


def story(view: SeatView) -> Story:
    """Return what the public moves of the running hand say to the seat of this view.

    The others' hands hold none of its cards; its own range is what the others make of it.
    """
    terms, play = view.hand.terms, view.play
    stacks = play.before
    antes = sum([min(stacks[seat], terms.ante) for seat in play.dealt])
    stacks = tuple([max(0, chips - terms.ante) for chips in stacks])
    known = population().prior(view.hole)
    everything = population().prior()
    ranges = {seat: fresh(everything if seat == view.seat else known) for seat in play.dealt}
    told = Story(view.seat, ranges, set(play.dealt), 0, dict.fromkeys(play.dealt, 0), 0, antes)
    for action in play.actions:
        if action.move == "EXCHANGE":
            if not told.street:
                told.street, told.made, told.put = 1, 0, dict.fromkeys(play.dealt, 0)
            usual = action.amount == DISCARDS
            likely = np.where(usual, 1 - ODD_EXCHANGE, ODD_EXCHANGE / MOST_DISCARDS)
            told.ranges[action.seat] = told.ranges[action.seat].lifting(likely, None)
        else:
            _weigh(told, action.seat, action.move, terms)
            paid = max(0, stacks[action.seat] - action.stacks[action.seat])
            told.put[action.seat] += paid
            told.made += action.move in ("BET", "RAISE")
            if action.move == "FOLD":
                told.live.discard(action.seat)
        stacks, told.pot = action.stacks, action.pot
    told.live = {seat for seat in play.dealt if not view.hand.folded[seat]}
    return told


def _weigh(told: Story, seat: int, move: str, terms: DrawTerms) -> None:
    """Weight the range of the seat by how likely each of its hands makes this move."""
    unit: int = terms.second if told.street else terms.first
    owed = max(told.put.values()) - told.put[seat]
    share = fair_share(len(told.live) - 1, float(told.pot + owed), float(unit))
    stay, lift = acts(told.chance(seat), share, float(owed), float(told.pot))
    held = told.ranges[seat]
    if seat == told.seat:
        weights = held.buckets if told.street else held.kinds
        lift = lift + (1 - lift) * bluff_frequency(lift, weights, float(told.pot + owed), float(unit))
        stay = np.maximum(stay, lift)
    if told.made > terms.raises:
        lift = np.zeros_like(lift)
    likely = {"FOLD": 1 - stay, "BET": lift, "RAISE": lift}.get(move, stay - lift)
    likely = SURPRISE + (1 - SURPRISE) * likely
    told.ranges[seat] = held.lifting(None, likely) if told.street else held.lifting(likely, None)
