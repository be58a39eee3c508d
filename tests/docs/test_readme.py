"""The README's tutorial is run as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def test_tutorial_plays_a_match_in_memory(tmp_path: Path) -> None:
    """The tutorial plays to the end, is judged clean, and its net sums to 0 (HEX-13)."""
    (block,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    script = tmp_path / "tutorial.py"
    script.write_text(block, encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=True)
    printed = re.fullmatch(r"clean \((-?\d+), (-?\d+)\)\n", done.stdout)
    assert printed is not None, done.stdout
    assert int(printed[1]) + int(printed[2]) == 0
