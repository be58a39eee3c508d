"""How long the command line takes to start, against a click program that does nothing else.

Run it with `python benchmarks/bench_startup.py`. The two take turns, so that whatever else runs on the machine slows
both down alike; the shortest run of each counts.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 20

# What the start is held to: seconds above a bare click program.
TARGET = 0.1

BARE = """
import click

@click.group()
def cli():
    "A program."

@cli.command()
def one():
    "A command."

cli()
"""

PROGRAMS = {
    "bare_click_help": ["-c", BARE, "--help"],
    "dealerless_help": ["-m", "dealerless", "--help"],
    "dealerless_rank": ["-m", "dealerless", "rank", "95f9ce4"],
}


def once(arguments: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def run() -> dict[str, float]:
    """Measure everything: seconds, the ratio, and the difference that is held to the target."""
    times: dict[str, float] = {}
    for _ in range(ROUNDS):
        for name, arguments in PROGRAMS.items():
            times[name] = min(times.get(name, 60.0), once(arguments))
    bare, ours = times["bare_click_help"], times["dealerless_help"]
    return {
        **{f"{name}_s": value for name, value in times.items()},
        "help_ratio": ours / bare,
        "help_above_s": ours - bare,
    }


def main() -> None:
    for name, figure in run().items():
        print(f"{name:28} {figure:10.3f}" + (f"   target: at most {TARGET:g}" if name == "help_above_s" else ""))


if __name__ == "__main__":
    main()
