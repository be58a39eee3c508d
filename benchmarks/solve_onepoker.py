"""Makes the table that One Poker at level hard plays by: `python benchmarks/solve_onepoker.py`.

It takes ten minutes of one core and writes `dealerless/players/onetable.bin`, or the file that is named. There is no
chance in it; on another machine sums may be rounded otherwise, and here and there a 255th is another.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dealerless.players.onemake import make
from dealerless.players.onetable import FILE, written

SHIPPED = Path(__file__).resolve().parents[1] / "dealerless" / "players" / FILE
SWEEPS = 10
ROUGH = 100
FINE = 1500


def main() -> None:
    solved = make(SWEEPS, ROUGH, FINE, lambda line: print(line, flush=True))
    content = written([solution.sheet() for solution in solved])
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else SHIPPED
    path.write_bytes(content)
    print(f"{path.name}: {len(content):,} bytes")


if __name__ == "__main__":
    main()
