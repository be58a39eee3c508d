"""`make mutate`: how many small changes of the protocol and the referee a fast part of the tests notices.

    python -m tests.mutation.mutate [--only NAME] [--jobs N] [--seconds N]

Tests are collected once. For each mutant a forked child puts the changed functions and tables in place and runs the
tests until one fails, those first that found other mutants. What is changed outside of them is tried in a fresh
interpreter, from a copy of the tree. Prints the score and every survivor that docs/mutation.md does
not explain; exits 1 if there is one.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import importlib.util
import inspect
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import NamedTuple

import pytest

from tests.mutation.operators import Mutant, mutants

ROOT = Path(__file__).resolve().parents[2]
MODULES = (
    "dealerless/protocol/table.py",
    "dealerless/protocol/machine.py",
    "dealerless/protocol/closing.py",
    "dealerless/protocol/playing.py",
    "dealerless/protocol/opening.py",
    "dealerless/protocol/hashdeal.py",
    "dealerless/protocol/witness.py",
    "dealerless/protocol/noshow.py",
    "dealerless/referee/judge.py",
    "dealerless/referee/receipts.py",
    "dealerless/referee/replay.py",
)
# Fast, and none that draws its examples: the same mutants die every time.
TESTS = (
    "tests/attacks/test_what_is_told.py",
    "tests/vectors/test_vectors.py",
    "tests/vectors/test_verdicts.py",
    "tests/attacks/test_chain_attacks.py",
    "tests/attacks/test_state_attacks.py",
    "tests/attacks/test_seed_attacks.py",
    "tests/attacks/test_card_attacks.py",
    "tests/attacks/test_referee_attacks.py",
    "tests/attacks/test_forks.py",
    "tests/attacks/test_words_of_witnesses.py",
    "tests/properties/test_toy_deadlines.py",
    "tests/properties/test_toy_equivocation.py",
    "tests/properties/test_toy_table.py",
    "tests/properties/test_transcripts.py",
)
# About other code than what is changed here, about the changed source as a text, or too long for what they add.
LEFT_OUT = (
    "test_chain_5_only_the_right_expulsion_passes",
    "test_every_kind_of_message_by_a_seat_that_does_not_owe_is_refused",
    "test_chain_5_expulsion_in_every_phase",
    "test_s09_any_one_field_changed",
    "test_t03_two_messages_on_one_previous_hash",
    "test_t01_cut_inside_every_frame",
    "test_every_beginning",
    "test_p09",
    "test_r04",
    "test_r08",
    "test_r01_signatures",
    "test_r01_crash",
    "test_r01_whatever",
    "test_t02",
    "test_c04_c05",
    "test_h01",
    "test_h10",
    "test_the_files_are",
    "test_the_second_reading",
    "test_the_document",
    "test_a_trickle",
    "test_the_same_holds",
    "test_commitments",
    "encoding",
    "test_naive",
    "test_value",
    "test_cards",
)
OPTIONS = ("-q", "-s", "-x", "-m", "not hypothesis", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov")
# Of a processor, so that what loops for ever is found: for one mutant, whose tests take 15, and for one of its tests,
# which takes 1 at most.
CPU_SECONDS = 60
TEST_SECONDS = 8


class Case(NamedTuple):
    """A mutant and the file it is of."""

    path: str
    mutant: Mutant

    @property
    def title(self) -> str:
        return f"{self.path}:{self.mutant.line}: {self.mutant.operator}: {self.mutant.what}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--only", default="", help="only files whose name contains this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=int, default=900, help="begin no further mutant after this time")
    options = parser.parse_args()
    paths = [path for path in MODULES if options.only in path]
    cases = [Case(path, mutant) for path in paths for mutant in mutants((ROOT / path).read_bytes())]
    # In an order that says nothing: whatever part there is time for is a fair sample.
    cases.sort(key=lambda case: hashlib.sha256(case.title.encode()).digest())
    began = time.monotonic()
    ends = began + options.seconds
    found = Found(set(), set())
    run = InProcess(cases, found, options.jobs, ends)
    os.chdir(ROOT)
    if pytest.main(arguments(), plugins=[run, sys.modules[__name__]]) or not run.passed:
        print("error: the tests do not pass as they are")
        return 2
    explained = explanations()
    unexplained = [case for case in cases if case in found.survived and (case.path, case.mutant.what) not in explained]
    print(f"\n{len(found.survived)} survivors; not explained in docs/mutation.md: {len(unexplained)}")
    for case in unexplained:
        print(f"  {case.title}")
    for path in paths:
        killed, survived = [sum(case.path == path for case in some) for some in (found.killed, found.survived)]
        print(f"{path:34} {killed:4} of {killed + survived:4} killed")
    tried = len(found.killed) + len(found.survived)
    print(
        f"score: {len(found.killed)} of {tried} = {100 * len(found.killed) / max(tried, 1):.1f} %;"
        f" {len(cases) - tried} not tried; {time.monotonic() - began:.0f} s"
    )
    return int(bool(unexplained))


def pytest_runtest_logstart() -> None:
    """End the process, as if a test had failed, where the one that begins takes too long; this module is a plugin."""
    signal.setitimer(signal.ITIMER_PROF, TEST_SECONDS)


def arguments() -> list[str]:
    """What pytest is called with."""
    return [*OPTIONS, "-k", f"not ({' or '.join(LEFT_OUT)})", *TESTS]


class Found(NamedTuple):
    """The mutants that some test noticed, and those that none did."""

    killed: set[Case]
    survived: set[Case]

    def add(self, case: Case, status: int) -> None:
        (self.killed if status else self.survived).add(case)
        tried = len(self.killed) + len(self.survived)
        if tried % 50 == 0:
            print(f"{tried} tried, {len(self.killed)} killed", flush=True)
        if not status:
            print(f"left over: {case.title}", flush=True)


class InProcess:
    """A pytest plugin that runs the collected tests once as they are, and then for every mutant in a child.

    First come those that take longer, outside of functions and tables.
    """

    def __init__(self, cases: list[Case], found: Found, jobs: int, ends: float) -> None:
        self.passed = False
        self._cases, self._found = cases, found
        self._running: dict[int, tuple[Case, int]] = {}
        self._jobs = jobs
        self._ends = ends

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = list(session.items)
        gc.freeze()
        self._watch(session, items, None)
        if self.passed:
            fresh([case for case in self._cases if not case.mutant.inside], self._found, self._jobs, self._ends)
            for case in [case for case in self._cases if case.mutant.inside]:
                if time.monotonic() > self._ends:
                    break
                while len(self._running) >= self._jobs:
                    self._collect(items)
                self._watch(session, items, case)
            while self._running:
                self._collect(items)
        return True

    def _watch(self, session: pytest.Session, items: list[pytest.Item], case: Case | None) -> None:
        """Start a child for a mutant; for None wait until the unchanged tests are through."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            self._in_child(session, items, case, writing)
        os.close(writing)
        if case is None:
            _, status = os.waitpid(child, 0)
            os.close(reading)
            self.passed = status == 0
        else:
            self._running[child] = (case, reading)

    def _in_child(self, session: pytest.Session, items: list[pytest.Item], case: Case | None, writing: int) -> None:
        """Run the tests until one fails, name it, and end the process: 0 where none does."""
        status = 1
        try:
            quiet(None if case is None else CPU_SECONDS)
            if case is not None:
                put_in_place(case)
            for item, following in zip(items, [*items[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if session.testsfailed:
                    os.write(writing, item.nodeid.encode())
                    break
            else:
                status = 0
        finally:
            os._exit(status)

    def _collect(self, items: list[pytest.Item]) -> None:
        """Wait for one child; the test that found its mutant comes first from now on."""
        child, status = os.waitpid(-1, 0)
        case, reading = self._running.pop(child)
        with os.fdopen(reading, "rb") as pipe:
            killer = pipe.read().decode()
        self._found.add(case, status)
        if status:
            place = next((place for place, item in enumerate(items) if item.nodeid == killer), 0)
            items.insert(0, items.pop(place))


def quiet(seconds: int | None) -> None:
    """Let this process print nothing, and end when it has used this much of a processor or too much memory."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    if seconds is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def put_in_place(case: Case) -> None:
    """Give the functions of the running module the code they have in the mutant, and its tables the rows."""
    name = case.path.removesuffix(".py").replace("/", ".")
    spec = importlib.util.spec_from_loader(name, loader=None)
    assert spec is not None
    running, changed = sys.modules[name], importlib.util.module_from_spec(spec)
    changed.__package__ = name.rpartition(".")[0]
    exec(compile(case.mutant.source, case.path, "exec"), vars(changed))  # noqa: S102 - it is our own source
    for old, new in zip(functions(running), functions(changed), strict=True):
        old.__code__, old.__defaults__, old.__kwdefaults__ = new.__code__, new.__defaults__, new.__kwdefaults__
    for label, rows in vars(running).items():
        new_rows = vars(changed).get(label)
        # Not what it imports, which is one and the same.
        if isinstance(rows, dict) and isinstance(new_rows, dict) and rows is not new_rows and label[:2] != "__":
            rows.clear()
            rows.update(new_rows)


def functions(module: ModuleType) -> Iterator[FunctionType]:
    """The functions that a module defines, those of its classes too, in the order of their lines."""
    for value in [v for v in vars(module).values() if getattr(v, "__module__", None) == module.__name__]:
        members = vars(value).values() if inspect.isclass(value) else [value]
        for member in members:
            function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
            if isinstance(function, FunctionType) and function.__code__.co_filename.endswith(".py"):
                yield function


def fresh(cases: list[Case], found: Found, jobs: int, ends: float) -> None:
    """Try these mutants in interpreters of their own, each in a copy of the tree."""
    with tempfile.TemporaryDirectory() as folder:
        free = [Path(folder) / str(job) for job in range(jobs)]
        for tree in free:
            for part in ("dealerless", "tests", "spec"):
                # With what is compiled of them, which holds as long as a file's time is what it was.
                shutil.copytree(ROOT / part, tree / part)
            shutil.copy(ROOT / "pyproject.toml", tree)
        running: dict[int, tuple[Case, Path, subprocess.Popen[bytes]]] = {}

        def collect() -> None:
            child, status = os.wait()
            case, tree, process = running.pop(child)
            process.returncode = os.waitstatus_to_exitcode(status)
            shutil.copy2(ROOT / case.path, tree / case.path)
            free.append(tree)
            found.add(case, status)

        for case in cases:
            if time.monotonic() > ends:
                break
            if not free:
                collect()
            tree = free.pop()
            (tree / case.path).write_bytes(case.mutant.source)
            process = subprocess.Popen(
                [sys.executable, "-B", "-m", "pytest", "-p", "tests.mutation.mutate", *arguments()],
                cwd=tree,
                preexec_fn=lambda: quiet(CPU_SECONDS),
                env={**os.environ, "PYTHONPATH": str(tree)},
            )
            running[process.pid] = (case, tree, process)
        while running:
            collect()


def explanations() -> set[tuple[str, str]]:
    """The survivors that docs/mutation.md explains: (file, what was changed)."""
    text = (ROOT / "docs" / "mutation.md").read_text()
    return set(re.findall(r"(?m)^- `(dealerless/[a-z/]+\.py)`: ``(.*)``$", text))


if __name__ == "__main__":
    sys.exit(main())
