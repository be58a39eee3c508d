"""What the package's own source may not contain, looked up in its syntax trees (G01, G06, F12).

Names are resolved through imports, so `import random as r` or `from os import popen` is found as well.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import dealerless

PACKAGE = Path(dealerless.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))
# Everything below the players' and the referee's side: pure functions of their arguments.
PURE = ("errors.py", "encoding.py", "crypto", "games", "protocol", "referee")

# F12: a loader that runs what it loads. G01: generators whose state can be worked out from their output.
MODULES = {"pickle", "cPickle", "dill", "marshal", "shelve", "yaml", "random", "imp", "code", "codeop"}
CALLS = {"eval", "exec", "compile", "__import__", "os.system", "os.popen", "tempfile.mktemp", "breakpoint"}
IMPURE = {
    "os",
    "socket",
    "ssl",
    "time",
    "datetime",
    "secrets",
    "uuid",
    "subprocess",
    "pathlib",
    "tempfile",
    "sys",
}
# A shared library can only be loaded from a file, and libsodium comes as bytes: gone again before the first call.
EXCEPTED = {
    Path("crypto", "sodium.py"): {"imports tempfile"},
    # Deals between computer players, which are to come out the same for a seed; no key, seed or card of a match.
    Path("players", "arena.py"): {"imports random"},
}
RANDOM = {"os.urandom", "os.getrandom", "secrets.token_bytes", "uuid.uuid4", "random.SystemRandom"}


def name_of(node: ast.expr, imported: dict[str, str]) -> str:
    """The dotted name of an expression with the first part resolved; empty if it has none."""
    if isinstance(node, ast.Name):
        return imported.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        return f"{name_of(node.value, imported)}.{node.attr}"
    return ""


def imports(tree: ast.Module) -> dict[str, str]:
    """Local name -> what it was imported as. Relative imports are the package's own and left out."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name.partition(".")[0]] = alias.name
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            for alias in node.names:
                found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return found


def findings(source: str, *, pure: bool) -> Iterator[str]:
    tree = ast.parse(source)
    imported = imports(tree)
    for module in {name.partition(".")[0] for name in imported.values()}:
        if module in MODULES or (pure and module in IMPURE):
            yield f"imports {module}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            # `python -O` removes it, and with it the rule it checks.
            yield f"line {node.lineno}: assert"
        elif isinstance(node, ast.Call):
            name = name_of(node.func, imported).removeprefix("builtins.")
            if name in CALLS:
                yield f"line {node.lineno}: calls {name}"
            if pure and name in ("open", "io.open"):
                yield f"line {node.lineno}: opens a file"
            if any(keyword.arg == "shell" for keyword in node.keywords):
                yield f"line {node.lineno}: passes shell"


def is_pure(path: Path) -> bool:
    return path.relative_to(PACKAGE).parts[0] in PURE


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_g01_f12_nothing_banned_stands_in_the_package(path: Path) -> None:
    """G01: randomness comes from the system and is a parameter. F12: bytes from others are never run."""
    found = set(findings(path.read_text(encoding="utf-8"), pure=is_pure(path)))
    assert found == EXCEPTED.get(path.relative_to(PACKAGE), set())


def test_the_whole_package_was_looked_at() -> None:
    found = {path.relative_to(PACKAGE).parts[0] for path in SOURCES}
    assert set(PURE) <= found
    assert len(SOURCES) > 20


@pytest.mark.parametrize(
    "source",
    [
        "import random",
        "import random as r",
        "from random import shuffle as mix",
        "def f():\n    import pickle",
        "from marshal import loads",
        "import yaml.loader",
        "eval('1')",
        "import builtins\nbuiltins.exec('1')",
        "__import__('os')",
        "import os\nos.system('ls')",
        "from os import popen as p\np('ls')",
        "import subprocess\nsubprocess.run('ls', shell=True)",
        "assert 1",
        "def f(x):\n    if x:\n        assert x",
    ],
)
def test_the_search_finds_what_it_looks_for(source: str) -> None:
    assert list(findings(source, pure=False))


@pytest.mark.parametrize(
    "source",
    [
        "import os",
        "from time import monotonic",
        "import secrets",
        "import pathlib",
        "import os.path as p",
        "import sys",
        "import io\nio.open(0)",
        "open(0)",
    ],
)
def test_the_search_finds_what_pure_code_may_not_have(source: str) -> None:
    assert list(findings(source, pure=True))
    assert not list(findings(source, pure=False))


def test_g01_the_one_source_of_randomness_stands_where_files_are() -> None:
    """G01, G04: os.urandom is named in few places, each a parameter's default or an argument."""
    drawing = {
        path.relative_to(PACKAGE).parts[0]
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute | ast.Name) and ast.unparse(node) in RANDOM
    }
    assert drawing <= {"journal", "cli", "net", "players"}
