"""Speed of equity: flops on arrays and from file to file, all boards before the flop, and a loop over phevaluator.

Run it with `python benchmarks/bench_equity.py`. Every figure is the best of several rounds, because anything else that
runs on the machine only makes a round slower; times are processor time of the one thread, the file's too.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from unittest import mock

import numpy as np
import numpy.typing as npt
from phevaluator import evaluate_cards

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dealerless.cli.main import main as dealerless
from dealerless.games import equity, equitytables, rankingtables
from dealerless.games.cards import DECK, cards_text
from dealerless.games.ranking import best, strength

# What equity is held to.
TARGETS = {
    "flops_on_arrays_per_s": (400_000.0, "at least"),
    "flops_file_to_file_per_s": (150_000.0, "at least"),
    "before_the_flop_s": (0.1, "at most"),
}

ARRAY = 200_000
FILE = 400_000
LOOPED = 20


def seconds(work: Callable[[], object], rounds: int) -> float:
    """The least processor time of several runs."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def deals(many: int, pool: list[int] | None = None) -> npt.NDArray[np.uint8]:
    """Random deals, a row each; `pool` is the cards they come from."""
    cards = np.array(DECK if pool is None else pool, np.uint8)
    shuffled = np.random.default_rng(many).permuted(np.tile(cards, (many, 1)), axis=1)
    return np.ascontiguousarray(shuffled[:, :7])


def text(some: npt.NDArray[np.uint8]) -> bytes:
    """The deals as a file."""
    rows = (cards_text(row[:2]) + "\n" + cards_text(row[2:4]) + "\n" + cards_text(row[4:]) for row in some.tolist())
    return ("\n".join(rows) + "\n#\n").encode()


def file_to_file(source: bytes) -> None:
    """The command as it is run, but for the start of a process."""
    read, written = io.TextIOWrapper(io.BytesIO(source)), io.TextIOWrapper(io.BytesIO())
    with mock.patch.object(sys, "stdin", read), mock.patch.object(sys, "stdout", written):
        assert dealerless(["equity"]) == 0


def looped(some: npt.NDArray[np.uint8]) -> list[int]:
    """Wins by ranking 1,980 sevens a deal with phevaluator."""
    wins = []
    for row in some.tolist():
        first, second, flop = row[:2], row[2:4], row[4:]
        count = 0
        for rest in combinations([card for card in DECK if card not in row], 2):
            count += evaluate_cards(*first, *flop, *rest) < evaluate_cards(*second, *flop, *rest)
        wins.append(count)
    return wins


def run() -> dict[str, float]:
    """Measure everything; keys as in `TARGETS`, and more."""
    start = time.process_time()
    equitytables.flop_tables()
    build = time.process_time() - start

    some = deals(ARRAY)
    assert looped(some[:LOOPED]) == equity.flop_counts(some)[0][:LOOPED].tolist()
    arrays = seconds(lambda: equity.flop_counts(some), 10) / ARRAY
    two_suits = deals(ARRAY, [card for card in DECK if card % 4 < 2])
    flushes = seconds(lambda: equity.flop_counts(two_suits), 5) / ARRAY
    loop = seconds(lambda: looped(some[:LOOPED]), 5) / LOOPED

    source = text(deals(FILE))
    file = seconds(lambda: file_to_file(source), 5) / FILE

    hands = [tuple(row[:4]) for row in deals(10).tolist()]
    equity.equity(hands[0][:2], hands[0][2:])
    before = seconds(lambda: [equity.equity(hand[:2], hand[2:]) for hand in hands], 5) / len(hands)

    sevens = some.tolist()[:20_000]
    batch = seconds(lambda: rankingtables.strengths(some), 5) / ARRAY
    single = seconds(lambda: [strength(seven) for seven in sevens], 5) / len(sevens)
    named = seconds(lambda: [best(seven) for seven in sevens], 5) / len(sevens)
    return {
        "flops_on_arrays_per_s": 1 / arrays,
        "flops_file_to_file_per_s": 1 / file,
        "before_the_flop_s": before,
        "phevaluator_loop_per_s": 1 / loop,
        "arrays_to_loop_ratio": loop / arrays,
        "file_to_loop_ratio": loop / file,
        "flops_of_two_suits_per_s": 1 / flushes,
        "table_build_s": build,
        "batch_million_sevens_per_s": 1e-6 / batch,
        "strength_us": single * 1e6,
        "best_us": named * 1e6,
    }


def main() -> None:
    for name, figure in run().items():
        target, relation = TARGETS.get(name, (None, ""))
        print(f"{name:28} {figure:12.3f}" + ("" if target is None else f"   target: {relation} {target:g}"))


if __name__ == "__main__":
    main()
