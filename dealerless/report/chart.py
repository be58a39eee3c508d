"""A match's chips as a drawing: one line a seat over the hands, in whole numbers, the same on every machine.

What is drawn is each seat's net, or its stack in games in which stacks carry over. Lengths are in units of the
drawing, whose origin is at its upper left.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from ..protocol.state import HandRecord
from ..referee import Verdict
from .naming import naming

WIDTH: Final = 4000
HEIGHT: Final = 2200
_LEFT: Final = 470
_RIGHT: Final = 2660
_TOP: Final = 120
_BOTTOM: Final = 1880
# Lines of text need this much, also in the larger letters of a narrow screen.
_LINE: Final = 160

_MOST_POINTS: Final = 480
"""No more points a seat than a wide screen has columns for; beyond it lows and highs are kept, and nothing between."""
_MOST_DOTS: Final = 30
"""Up to so many hands each is a dot."""

Point = tuple[int, int]
"""The number of a hand and the chips after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A mark on an axis: where, and what is written there; `zero` for the line of nobody's gain."""

    at: int
    text: str
    zero: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One seat: the corners of its line as `x,y` pairs, dots on it, and the height of its label."""

    seat: int
    corners: str
    dots: tuple[Point, ...]
    label: str
    label_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A drawing, ready to be written down: `title` and `description` are for who does not see it.

    `hand` is what a hand is called.
    """

    title: str
    hand: str
    description: tuple[str, ...]
    thinned: bool
    left: int
    right: int
    top: int
    bottom: int
    values: tuple[Tick, ...]
    hands: tuple[Tick, ...]
    lines: tuple[Line, ...]


class Curves:
    """Collects chips hand by hand, in bounded memory, for a chart at the end."""

    def __init__(self) -> None:
        self._carries = False
        self._called = naming(None)
        self._now: tuple[int, ...] = ()
        self._start: tuple[int, ...] = ()
        self._points: list[list[Point]] = []
        self._last = 0
        self._thinned = False

    def add(self, hand: HandRecord) -> None:
        """Take in a hand that is over; one that is not changes nothing yet."""
        if hand.finished is None:
            return
        if not self._points:
            self._carries = hand.game.carries
            self._called = naming(hand.game.name)
            self._start = self._now = hand.before if self._carries else (0,) * len(hand.before)
            self._points = [[] for _ in hand.before]
        self._add(hand.number, tuple([now + by for now, by in zip(self._now, hand.changes, strict=True)]))

    def chart(self, verdict: Verdict) -> Chart | None:
        """Return the chart up to what the verdict says; None when no hand is over and nothing moved."""
        end = verdict.stacks if self._carries else verdict.net
        if not self._points and any(end):
            self._start = self._now = (0,) * len(end)
            self._points = [[] for _ in end]
        if not self._points:
            return None
        if end and end != self._now:
            # A forfeit in a hand that will never be over.
            self._add(self._last + 1, end)
        return self._draw()

    def _add(self, number: int, now: tuple[int, ...]) -> None:
        self._now, self._last = now, number
        for points, value in zip(self._points, now, strict=True):
            points.append((number, value))
            if len(points) > 2 * _MOST_POINTS:
                points[:] = _thin(points)
                self._thinned = True

    def _draw(self) -> Chart:
        paths = [
            [(0, start), *(_thin(points) if len(points) > _MOST_POINTS else points), (self._last, now)]
            for start, points, now in zip(self._start, self._points, self._now, strict=True)
        ]
        self._thinned = self._thinned or len(self._points[0]) > _MOST_POINTS
        chips = [value for path in paths for _, value in path]
        low, high = min(0, *chips), max(0, *chips)
        if low == high:
            high = low + 1
        step = _step(high - low, 5)
        low, high = low // step * step, -(-high // step) * step
        last = max(1, self._last)

        def across(number: int) -> int:
            return _LEFT + number * (_RIGHT - _LEFT) // last

        def down(value: int) -> int:
            return _TOP + (high - value) * (_BOTTOM - _TOP) // (high - low)

        called = self._called
        what = called.stack if self._carries else "net"
        labels = _apart([down(now) for now in self._now])
        return Chart(
            title=f"{what.capitalize()} of each seat, {called.hand} by {called.hand}",
            hand=called.hand,
            description=tuple([self._told(seat, path) for seat, path in enumerate(paths)]),
            thinned=self._thinned,
            left=_LEFT,
            right=_RIGHT,
            top=_TOP,
            bottom=_BOTTOM,
            values=tuple(
                [Tick(at=down(value), text=self._chips(value), zero=value == 0) for value in range(low, high + 1, step)]
            ),
            hands=tuple(
                [Tick(at=across(number), text=str(number), zero=False) for number in range(0, last + 1, _step(last, 5))]
            ),
            lines=tuple(
                [
                    Line(
                        seat=seat,
                        corners=" ".join([f"{across(number)},{down(value)}" for number, value in path]),
                        dots=tuple([(across(number), down(value)) for number, value in path[:-1]])
                        if self._last <= _MOST_DOTS
                        else (),
                        label=f"seat {seat} {self._chips(path[-1][1])}",
                        label_at=labels[seat],
                    )
                    for seat, path in enumerate(paths)
                ]
            ),
        )

    def _told(self, seat: int, path: list[Point]) -> str:
        lowest = min(path, key=lambda point: point[1])
        highest = max(path, key=lambda point: point[1])
        return (
            f"Seat {seat} ends at {self._sign(path[-1][1])}; lowest {self._sign(lowest[1])} {self._after(lowest[0])}, "
            f"highest {self._sign(highest[1])} {self._after(highest[0])}."
        )

    def _after(self, number: int) -> str:
        return f"after {self._called.hand} {number}" if number else "at the start"

    def _sign(self, value: int) -> str:
        return str(value) if self._carries or value == 0 else f"{value:+d}".replace("-", "\N{MINUS SIGN}")

    def _chips(self, value: int) -> str:
        sign = "\N{MINUS SIGN}" if value < 0 else "" if self._carries or value == 0 else "+"
        return sign + compact(abs(value))


def compact(value: int) -> str:
    """Return a number of chips (0 or more) in at most five characters for a drawing: 9999, 12k, 1.5M."""
    if value < 10_000:
        return str(value)
    for unit, letter in ((10**15, "P"), (10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k")):
        if value >= unit:
            tenths = value * 10 // unit
            whole, tenth = divmod(tenths, 10)
            return f"{whole}.{tenth}{letter}" if tenth and whole < 100 else f"{whole}{letter}"
    return str(value)


def _thin(points: list[Point]) -> list[Point]:
    """Return the lowest and the highest of every four points, in their order."""
    thin: list[Point] = []
    for begin in range(0, len(points), 4):
        four = points[begin : begin + 4]
        thin += sorted({min(four, key=lambda point: point[1]), max(four, key=lambda point: point[1])})
    return thin


def _step(span: int, most: int) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, ... of which `most` reach over `span`."""
    step = 1
    while True:
        for factor in (1, 2, 5):
            if step * factor * most >= span:
                return step * factor
        step *= 10


def _apart(heights: list[int]) -> list[int]:
    """Return the heights of labels moved so that no two of them overlap, by as little as that takes."""
    order = sorted(range(len(heights)), key=lambda seat: (heights[seat], seat))
    placed = list(heights)
    for above, seat in pairwise(order):
        placed[seat] = max(placed[seat], placed[above] + _LINE)
    floor = _BOTTOM - _LINE // 4  # below it the axis has its name
    for seat in reversed(order):
        placed[seat] = min(placed[seat], floor)
        floor = placed[seat] - _LINE
    return placed
