"""What many deals show: winnings with a 95 % confidence interval, looked at again and again without deceiving oneself.

Who looks after every deal and stops as soon as an interval excludes zero finds a difference in the end where there is
none: every look is another chance to err. So there are few looks, after 128 deals, 256, 512 and so on, each twice as
many as the last, and they share the one chance in twenty among them: look number k, from 0, may err with probability
0.05 / ((k + 1)(k + 2)), whose sum over all looks, however many, is 0.05. The interval of each look is as wide as that
asks for (1.14 times as wide as that of a single look at the first, 1.79 times at the tenth). Whatever the look at which
a run ends, all the intervals it has shown hold the true value together with probability 0.95 or more; the number of
deals one is ready to play plays no part in it, and may be raised later.

The intervals are those of the normal distribution: the mean of 128 deals or more, each over all its rotations, is
nearly normal where no single deal can win much more than others, as with fixed limits. In no limit few deals are worth
a hundred others, and the first look is then to be taken with caution.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Final, NamedTuple

FIRST_LOOK: Final = 128
"""Deals before the first look: enough for their mean to be nearly normal."""

ERROR: Final = 0.05
"""How likely it is at most that any of the intervals does not hold the true value."""


class Tally(NamedTuple):
    """Samples added up: how many deals, their sum in chips, and the sum of their squares; whole numbers throughout."""

    deals: int
    total: int
    squares: int

    def plus(self, other: Tally) -> Tally:
        """Return both together."""
        return Tally(self.deals + other.deals, self.total + other.total, self.squares + other.squares)

    def possible(self, least: int, most: int) -> bool:
        """Return whether sum and squares can be those of so many samples, none below `least` or above `most`."""
        # Alike the samples have the smallest squares, and at both ends the largest: (x - least)(most - x) is never
        # negative. An odd number has an odd square.
        smallest, largest = self.total**2, (least + most) * self.total - self.deals * least * most
        return (
            smallest <= self.deals * self.squares and self.squares <= largest and (self.total + self.squares) % 2 == 0
        )


NOTHING: Final = Tally(deals=0, total=0, squares=0)


class Estimate(NamedTuple):
    """Winnings per hand at a look: the mean, the interval around it, and how likely this look alone may err."""

    mean: float
    low: float
    high: float
    error: float

    @property
    def decided(self) -> bool:
        """Whether the interval excludes zero."""
        return self.low > 0 or self.high < 0


def look_at(deals: int) -> int | None:
    """Return the number of the look, from 0, that is taken after so many deals; None if none is."""
    times, rest = divmod(deals, FIRST_LOOK)
    return times.bit_length() - 1 if times and not rest and times & (times - 1) == 0 else None


def last_look(most: int) -> int:
    """Return after how many deals the last look is taken if at most so many are played.

    Raises ValueError if there is none.
    """
    if most < FIRST_LOOK:
        raise ValueError(f"the first look is after {FIRST_LOOK} deals")
    return int(FIRST_LOOK << ((most // FIRST_LOOK).bit_length() - 1))


def error_of(look: int) -> float:
    """Return how likely look number `look`, from 0, may err."""
    return ERROR / ((look + 1) * (look + 2))


def estimate(tally: Tally, scale: int, look: int) -> Estimate:
    """Return what look number `look` shows, with `scale` chips of a sample to one unit won per hand."""
    deals, total, squares = tally
    # Exact until the root is taken: chips are whole, and two nearly equal sums are subtracted.
    variance = (deals * squares - total * total) / (deals * deals * (deals - 1))
    error = error_of(look)
    mean = total / (deals * scale)
    around = NormalDist().inv_cdf(1 - error / 2) * math.sqrt(variance) / scale
    return Estimate(mean=mean, low=mean - around, high=mean + around, error=error)
