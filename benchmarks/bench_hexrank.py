"""Speed of the hex evaluator: batches, single look-ups, direct computation, and the tables behind them.

Run it with `python benchmarks/bench_hexrank.py`. Every figure is the best of several rounds, because anything
else that runs on the machine only makes a round slower.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dealerless.games import hexrank, hextables

# What the evaluator is held to.
TARGETS = {
    "batch_million_sevens_per_s": (60.0, "at least"),
    "single_call_us": (0.5, "at most"),
    "direct_best_us": (15.0, "at most"),
    "table_build_s": (1.0, "at most"),
}


def seconds(work: Callable[[], object], rounds: int) -> float:
    """The shortest of several runs."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def run() -> dict[str, float]:
    """Measure everything; keys as in `TARGETS`, and two ratios to calling `best` once a seven."""
    build = seconds(lambda: hextables.build(lambda five: hexrank.best(five).rank), 3)

    sevens = np.random.default_rng(1).integers(0, 1 << 28, 1 << 23, dtype=np.uint32)
    hexrank.rank_sevens(sevens[:1])
    batch = seconds(lambda: hexrank.rank_sevens(sevens), 15) / sevens.size

    packed = sevens[:20_000].tolist()
    hexrank.rank_seven(packed[0])

    def look_up_each() -> None:
        rank_seven = hexrank.rank_seven
        for seven in packed:
            rank_seven(seven)

    single = seconds(look_up_each, 30) / len(packed)

    hands = [tuple(int(digit, 16) for digit in f"{seven:07x}") for seven in packed]

    def compute_each() -> None:
        best = hexrank.best
        for hand in hands:
            best(hand)

    direct = seconds(compute_each, 10) / len(hands)
    return {
        "batch_million_sevens_per_s": 1e-6 / batch,
        "single_call_us": single * 1e6,
        "direct_best_us": direct * 1e6,
        "table_build_s": build,
        "batch_to_direct_ratio": direct / batch,
        "single_to_direct_ratio": direct / single,
    }


def main() -> None:
    for name, figure in run().items():
        target, relation = TARGETS.get(name, (None, ""))
        print(f"{name:28} {figure:10.3f}" + ("" if target is None else f"   target: {relation} {target:g}"))


if __name__ == "__main__":
    main()
