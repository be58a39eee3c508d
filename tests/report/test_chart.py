"""The drawing of a match: every hand's chips where they belong, in bounded size, with labels that can be read."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dealerless.referee import Outcome, Verdict, replay
from dealerless.report.chart import Chart, Curves, compact
from tests.cli.conftest import clean_bytes, fault_bytes


def drawn(changes: Sequence[tuple[int, ...]], *, stacks: tuple[int, ...] | None = None) -> Chart:
    """The chart of hands with these changes; with `stacks`, of a game that carries these into its first hand."""
    curves = Curves()
    now = stacks or (100,) * len(changes[0])
    net = (0,) * len(now)
    for number, change in enumerate(changes, start=1):
        hand: Any = SimpleNamespace(
            number=number,
            finished=True,
            before=now,
            changes=change,
            game=SimpleNamespace(carries=stacks is not None, name="holdem"),
        )
        curves.add(hand)
        net = tuple(a + b for a, b in zip(net, change, strict=True))
        if stacks is not None:
            now = tuple(a + b for a, b in zip(now, change, strict=True))
    chart = curves.chart(Verdict(outcome=Outcome.CLEAN, stacks=now, net=net))
    assert chart is not None
    return chart


def value_at(chart: Chart, height: int) -> float:
    """The chips that a height in the drawing stands for, by its ticks."""
    low, high = chart.values[0], chart.values[-1]
    chips = [int(tick.text.replace("\N{MINUS SIGN}", "-")) for tick in (low, high)]
    return chips[0] + (low.at - height) * (chips[1] - chips[0]) / (low.at - high.at)


def test_a_line_goes_through_the_net_after_each_hand() -> None:
    """HEX-13: worked out by hand: 30, 40, -20."""
    verdict = replay(clean_bytes())
    curves = Curves()
    for hand in verdict.hands:
        curves.add(hand)
    chart = curves.chart(verdict)
    assert chart is not None
    assert [tick.text for tick in chart.hands] == ["0", "1", "2", "3"]
    assert [tick.text for tick in chart.values] == ["\N{MINUS SIGN}40", "\N{MINUS SIGN}20", "0", "+20", "+40"]
    for line, expected in zip(chart.lines, ([0, 30, 40, -20], [0, -30, -40, 20]), strict=True):
        points = [tuple(map(int, pair.split(","))) for pair in line.corners.split()]
        assert [round(value_at(chart, y)) for _, y in points][:4] == expected
        assert [x for x, _ in points][:4] == [tick.at for tick in chart.hands]
    assert chart.description[1] == "Seat 1 ends at +20; lowest \N{MINUS SIGN}40 after hand 2, highest +20 after hand 3."
    assert not chart.thinned


def test_a_forfeit_in_a_running_hand_is_drawn() -> None:
    """VERDICT-3: the account of the verdict is where the lines end."""
    verdict = replay(fault_bytes())
    curves = Curves()
    for hand in verdict.hands:
        curves.add(hand)
    chart = curves.chart(verdict)
    assert chart is not None
    assert [line.label for line in chart.lines] == ["seat 0 +10", "seat 1 \N{MINUS SIGN}10"]
    assert Curves().chart(Verdict(outcome=Outcome.INCOMPLETE)) is None
    assert Curves().chart(Verdict(outcome=Outcome.INCOMPLETE, stacks=(60, 60), net=(0, 0))) is None


def test_stacks_are_drawn_where_they_carry_over() -> None:
    chart = drawn([(10, -10), (-60, 60)], stacks=(50, 150))
    assert chart.title == "Stack of each seat, hand by hand"
    assert chart.description == (
        "Seat 0 ends at 0; lowest 0 after hand 2, highest 60 after hand 1.",
        "Seat 1 ends at 200; lowest 140 after hand 1, highest 200 after hand 2.",
    )
    assert [tick.text for tick in chart.values] == ["0", "50", "100", "150", "200"]


def test_a_long_match_keeps_its_lows_and_highs_and_its_end() -> None:
    """Ten thousand hands are no more points than a screen has columns."""
    pick = random.Random(7)
    changes = [(change, -change) for change in (pick.randint(-60, 60) for _ in range(10_000))]
    changes[6_000] = (-2_000, 2_000)
    chart = drawn(changes)
    assert chart.thinned
    net, low, high = 0, (0, 0), (0, 0)
    for number, (change, _) in enumerate(changes, start=1):
        net += change
        low, high = min(low, (net, number)), max(high, (net, number))
    told = chart.description[0].replace("\N{MINUS SIGN}", "-").replace("+", "")
    assert f"ends at {net};" in told
    assert f"lowest {low[0]} after hand {low[1]}," in told
    assert f"highest {high[0]} " in told
    for line in chart.lines:
        points = line.corners.split()
        assert 300 < len(points) < 1000
        across = [int(point.split(",")[0]) for point in points]
        assert across == sorted(across)
        assert (across[0], across[-1]) == (chart.left, chart.right)
        assert line.dots == ()


@given(st.lists(st.lists(st.integers(-(2**53), 2**53), min_size=9, max_size=9), min_size=1, max_size=12))
def test_everything_is_inside_and_labels_do_not_overlap(changes: list[list[int]]) -> None:
    """ENC-6: any number of chips, up to nine seats."""
    chart = drawn([tuple(change) for change in changes])
    heights = sorted(line.label_at for line in chart.lines)
    assert all(after - before >= 160 for before, after in pairwise(heights))
    assert heights[0] >= 0
    assert heights[-1] <= 2200
    for line in chart.lines:
        assert len(line.label) <= 14
        for pair in line.corners.split():
            x, y = map(int, pair.split(","))
            assert chart.left <= x <= chart.right
            assert chart.top <= y <= chart.bottom
    assert 2 <= len(chart.values) <= 8
    assert all(len(tick.text) <= 7 for tick in chart.values)
    assert [tick.zero for tick in chart.values].count(True) == 1


def test_long_numbers_are_short_in_a_drawing() -> None:
    told = {0: "0", 9_999: "9999", 10_000: "10k", 12_345: "12.3k", 999_999: "999k", 1_500_000: "1.5M", 2**53: "9P"}
    assert {value: compact(value) for value in told} == told
    assert compact(10**9) == "1G"
    assert compact(25 * 10**11) == "2.5T"
