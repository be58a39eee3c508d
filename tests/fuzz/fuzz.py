"""`make fuzz`: the referee's fuzzer for as long as one wants, guided by coverage where atheris is installed.

    python -m tests.fuzz.fuzz [--seconds N] [--seed N] [--plain]

Prints executions, how many of them took a spoiled body to `step`, the codes that were met, and every crash with the
bytes that make it again (`--again HEX`). Exits 1 if there was one.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

MOST = 160  # bytes of one execution, about forty choices
BEGINNINGS = 300  # random ones, from which the guided search sets out
FEW = 20  # crashes at different places, after which there is no use in going on


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plain", action="store_true", help="random bytes, not guided by coverage")
    parser.add_argument("--again", metavar="HEX", help="one execution of these bytes")
    options = parser.parse_args()
    atheris = None if options.plain or options.again else _atheris()
    if atheris is not None:
        with atheris.instrument_imports(include=["dealerless"], enable_loader_override=False):
            import dealerless.referee  # noqa: F401 - for its instrumentation
    from tests.fuzz.harness import Tally, execute

    if options.again:
        execute(bytes.fromhex(options.again), Tally())
        return
    session = Session(execute, Tally(), options.seconds)
    if atheris is None:
        numbers = random.Random(options.seed)
        while True:
            session.once(numbers.randbytes(numbers.randrange(8, MOST)))
    with tempfile.TemporaryDirectory() as corpus:
        numbers = random.Random(options.seed)
        for number in range(BEGINNINGS):
            (Path(corpus) / str(number)).write_bytes(numbers.randbytes(numbers.randrange(8, MOST)))
        flags = [f"-seed={options.seed}", f"-max_len={MOST}", "-len_control=0", "-verbosity=0", "-rss_limit_mb=0"]
        atheris.Setup([sys.argv[0], *flags, corpus], session.once)
        atheris.Fuzz()


def _atheris() -> ModuleType | None:
    try:
        import atheris
    except ImportError:
        return None
    module: ModuleType = atheris
    return module


class Session:
    """A number of executions up to a moment; `once` ends the process with the report when it has come."""

    def __init__(self, execute: Callable[..., None], tally: object, seconds: int) -> None:
        self._execute, self._tally = execute, tally
        self._began, self._seconds = time.monotonic(), seconds
        self._crashes: dict[tuple[object, ...], bytes] = {}
        self._crashed = 0

    def once(self, data: bytes) -> None:
        try:
            self._execute(data, self._tally)
        except Exception as error:
            self._crashed += 1
            place = traceback.extract_tb(error.__traceback__)[-1]
            key = (type(error).__name__, place.filename, place.lineno)
            if key not in self._crashes:
                self._crashes[key] = data
                traceback.print_exception(error)
        if time.monotonic() - self._began >= self._seconds or len(self._crashes) >= FEW:
            self._report()

    def _report(self) -> None:
        from tests.fuzz.harness import Tally

        tally, passed = self._tally, time.monotonic() - self._began
        assert isinstance(tally, Tally)
        print(f"{tally.executions + self._crashed} executions in {passed:.0f} s")
        print(f"{tally.reached} reached step with a spoiled body: {100 * tally.share:.1f} %")
        print(f"{tally.compared} judged again as files, by the referee and where it can by a second reading")
        print(f"outcomes: {', '.join(sorted(tally.outcomes))}")
        print(f"{len(tally.codes)} codes: {' '.join(sorted(tally.codes))}")
        print(f"{self._crashed} crashes at {len(self._crashes)} places")
        for (name, filename, line), data in self._crashes.items():
            print(f"  {name} at {filename}:{line}: --again {data.hex()}")
        sys.stdout.flush()
        # The fuzzer's own loop never returns.
        os._exit(bool(self._crashes))


if __name__ == "__main__":
    main()
