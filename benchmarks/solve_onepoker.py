"""Makes the table that One Poker at level hard plays by: `python benchmarks/solve_onepoker.py`.

It takes ten minutes of one core and writes `dealerless/players/onetable.bin`. There is no chance in it; on another
machine sums may be rounded otherwise, and here and there a 255th is another.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from dealerless.players.onesolve import make
from dealerless.players.onetable import written

SWEEPS = 12
ROUGH = 200
FINE = 1500


def main() -> None:
    solved = make(SWEEPS, ROUGH, FINE, lambda line: print(line, flush=True))
    content = written([solution.sheet() for solution in solved])
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dealerless" / "players" / "onetable.bin"
    path.write_bytes(content)
    print(f"{path.name}: {len(content):,} bytes")


if __name__ == "__main__":
    main()
