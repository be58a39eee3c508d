"""Hex poker's equilibria: how long one takes, and what knowing it is worth to the other side.

Run it with `python benchmarks/bench_equilibrium.py` (`--help` lists what can be chosen). Boards are drawn without
replacement from the 15,504 multisets of five digits, each as likely as any other. Times are processor time of the
process, and by the clock. Exploitability is in antes a hand, the mean of both seats, of the rounded probabilities that
are played, in the game itself; where the tree is cut, with every place solved from which a hand can go on.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from itertools import combinations_with_replacement
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dealerless.players.hexequilibrium import EXACT, WHOLE, exploitability, solve

# What the equilibrium is held to: seconds by the clock, antes.
SECONDS = 1.0
ANTES = 0.01


def sample(boards: int, seed: int) -> list[tuple[int, ...]]:
    """Different boards, each as likely as any other."""
    every = list(combinations_with_replacement(range(16), 5))
    return random.Random(seed).sample(every, boards)


Figures = tuple[int, list[float], list[float], list[float]]


def measured(boards: list[tuple[int, ...]], depth: int, dealing: str) -> Figures:
    """Decisions in the tree; by board: processor time, time by the clock, exploitability."""
    decisions, busy, clock, left = 0, [], [], []
    for board in boards:
        start, started = time.process_time(), time.perf_counter()
        equilibrium = solve(board, depth, dealing=dealing)
        busy.append(time.process_time() - start)
        clock.append(time.perf_counter() - started)
        left.append(exploitability(equilibrium))
        decisions = len(equilibrium.tree.nodes)
    return decisions, busy, clock, left


def mean(figures: list[float]) -> float:
    return sum(figures) / len(figures)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=100, help="how many boards for k = 1 to 3 (default 100)")
    parser.add_argument("--deep", type=int, default=10, help="how many of them for deeper stacks (default 10)")
    parser.add_argument("--deepest", type=int, default=WHOLE, help="the deepest stack in bets (default 6, at most 7)")
    parser.add_argument("--seed", type=int, default=2026, help="which boards (default 2026)")
    parser.add_argument("--dealing", choices=("hash", "deck"), default="hash")
    chosen = parser.parse_args()
    boards = sample(chosen.boards, chosen.seed)
    solve(boards[0], 1)  # numpy is loaded now
    print(f"{chosen.boards} boards, seed {chosen.seed}, cards dealt by {chosen.dealing}")
    print("  k boards decisions    seconds: busy     most    clock    most    antes: mean     most")
    for depth in range(1, chosen.deepest + 1):
        some = boards if depth <= EXACT else boards[: chosen.deep]
        decisions, busy, clock, left = measured(some, depth, chosen.dealing)
        print(
            f"{depth:3} {len(some):6} {decisions:9} {mean(busy):16.3f} {max(busy):8.3f} {mean(clock):8.3f} "
            f"{max(clock):7.3f} {mean(left):14.5f} {max(left):8.5f}",
            flush=True,
        )
    print(f"targets for k = 1 to {EXACT}: at most {SECONDS:g} s by the clock, on average below {ANTES:g} antes")


if __name__ == "__main__":
    main()
