"""The specification against code and tests: clauses both ways, codes, kinds, phases, and the examples in a shell."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from dealerless.crypto.ed25519 import SMALL_ORDER
from dealerless.errors import CODES
from dealerless.protocol.events import EVENTS
from dealerless.protocol.records import CHAIN_TAG, FRAME_TAG, MAGIC, SESSION_TAG
from dealerless.protocol.state import Phase
from dealerless.protocol.table import RULES
from dealerless.protocol.witness import NO_SHOW_TAG, RECEIPT_TAG
from spec import tables

ROOT = Path(__file__).parent.parent.parent
SPEC = ROOT / "spec"
PAGES = {path.relative_to(SPEC).as_posix(): path.read_text() for path in sorted(SPEC.rglob("*.md"))}

_GROUPS = "ENC|SIG|CHAIN|COMMIT|HASHDEAL|VERDICT|TABLE|HEX|SHOW|BET|POT|ONE|DRAW|HOLDEM|LOT|DECK|DECKDEAL|WIRE|WITNESS"
CLAUSE = re.compile(rf"\b(?:{_GROUPS})-[0-9]+[a-e]?\b")
DEFINED = re.compile(rf"(?ms)^- \*\*((?:{_GROUPS})-[0-9]+[a-e]?)\*\* (.*?)(?=^- \*\*|^#|\Z)")


@cache
def clauses() -> dict[str, str]:
    """Every clause of the specification and its text."""
    return {clause: text for page in PAGES.values() for clause, text in DEFINED.findall(page)}


def cited(folder: str) -> dict[str, str]:
    """Every clause that a Python file below `folder` cites, and one file that does."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / folder).rglob("*.py")):
        if path == Path(__file__):
            continue  # what is named here is not tested by it
        for clause in CLAUSE.findall(path.read_text()):
            found.setdefault(clause, path.relative_to(ROOT).as_posix())
    return found


def base(clause: str) -> str:
    """VERDICT-4b is a paragraph of VERDICT-4, unless it is a clause of its own, as VERDICT-2a is."""
    return clause if clause in clauses() else clause.rstrip("abcde")


def test_every_clause_is_defined_once() -> None:
    names = [clause for page in PAGES.values() for clause, _ in DEFINED.findall(page)]
    assert sorted(set(names)) == sorted(names)
    assert len(names) > 60


@pytest.mark.parametrize("folder", ["dealerless", "tests", "spec", "benchmarks"])
def test_cited_clauses_exist(folder: str) -> None:
    missing = {clause: path for clause, path in cited(folder).items() if base(clause) not in clauses()}
    assert missing == {}


def test_clauses_cited_within_the_specification_exist() -> None:
    for name, page in PAGES.items():
        missing = {clause for clause in CLAUSE.findall(page) if base(clause) not in clauses()}
        assert missing == set(), name


def test_paragraphs_cited_by_letter_exist() -> None:
    """Of VERDICT-4a and the like, the letter."""
    for clause in {*cited("dealerless"), *cited("tests")}:
        if clause != base(clause):
            assert f"({clause[-1]})" in clauses()[base(clause)], clause


def test_every_must_has_a_test_that_cites_it() -> None:
    """Named in a docstring, comment or expectation of a test; the vectors' expectations count."""
    by_tests = {base(clause) for clause in cited("tests")}
    untested = [clause for clause, text in clauses().items() if "MUST" in text and clause not in by_tests]
    assert untested == []


def test_the_written_parts_are_what_the_code_says() -> None:
    """The phase diagram is that of the table of transitions, the codes are those of the tree of errors."""
    for path, name, part in tables.parts():
        text = path.read_text()
        assert tables.written(text, name, part) == text, f"{path.name}: say python -m spec.tables"


def test_the_diagram_has_every_row_and_every_phase() -> None:
    diagram = tables.diagram()
    rows = re.findall(r"^ +([A-Z_]+) --> [A-Z_]+: ([a-z-]+) \(([A-Z]+-[0-9]+)\)$", diagram, re.MULTILINE)
    assert set(rows) == {(phase.name, event.KIND, rule.clause) for (phase, event), rule in RULES.items()}
    assert all(phase.name in diagram for phase in Phase)


def test_the_codes_are_the_ones_in_the_table() -> None:
    """Row by row, read back from the page."""
    rows = re.findall(r"^\| `([a-z.-]+)` \| ([A-Z0-9-]*) \| (.*) \|$", PAGES["errors.md"], re.MULTILINE)
    assert rows == [(code, defect.clause, defect.text) for code, defect in CODES.items()]
    for page in PAGES.values():
        layers = {code.split(".")[0] for code in CODES}
        for code in re.findall(r"`([a-z]+\.[a-z-]+)`", page):
            assert code in CODES or code.split(".")[0] not in layers or code == "terms.rules", code


def test_the_clauses_of_codes_exist() -> None:
    assert {defect.clause for defect in CODES.values()} - {""} <= set(clauses())


def test_the_kinds_are_the_ones_in_the_table() -> None:
    """ENC-4: kind, cap and the names of the fields."""
    rows = re.findall(r"^\| `([a-z-]+)` \| ([0-9]+) \| (.*) \|$", PAGES["encoding.md"], re.MULTILINE)
    assert [(kind, int(cap)) for kind, cap, _ in rows] == [(event.KIND, event.CAP) for event in EVENTS]
    for (_, _, fields), event in zip(rows, EVENTS, strict=True):
        names = [] if fields == "none" else [field.split(":")[0].strip() for field in fields.split("; ")]
        assert names == [name for name, _ in event.READERS]


def test_the_constants_are_the_ones_in_the_text() -> None:
    """ENC-5, SIG-2, SIG-3."""
    assert f"`{MAGIC.decode().strip()}` with a line feed ({len(MAGIC)} bytes)" in PAGES["encoding.md"]
    for tag in (FRAME_TAG, CHAIN_TAG, SESSION_TAG, RECEIPT_TAG, NO_SHOW_TAG):
        assert tag.endswith(b"\0")
        assert f"| `{tag[:-1].decode()}` |" in PAGES["signatures.md"]
    listed = re.findall(r"^ +([0-9a-f]{64})$", PAGES["signatures.md"], re.MULTILINE)
    assert {bytes.fromhex(text) for text in listed} == SMALL_ORDER
    assert len(listed) == len(SMALL_ORDER)


def commands() -> Iterator[tuple[str, str, str]]:
    """Every command of the pages and the line it is said to print."""
    for name, page in PAGES.items():
        for command, output in re.findall(r"^\$ (.*)\n(.*)$", page, re.MULTILINE):
            yield name, command, output


def test_there_are_examples() -> None:
    assert [name for name, _, _ in commands()].count("dealing.md") == 10


@pytest.mark.parametrize(("name", "command", "output"), [*commands()])
def test_examples_in_a_shell(name: str, command: str, output: str) -> None:
    """COMMIT-2, HASHDEAL-1, ENC-3, ENC-4: a reader who types the line sees the next one."""
    run = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True, timeout=20)
    assert run.stdout == output + "\n"


def test_the_bytes_of_the_example() -> None:
    """ENC-4: the annotated message is the one that is hashed below it."""
    page = PAGES["encoding.md"]
    start = page.index("```\n97 ")
    block = page[start : page.index("```", start + 3)]
    listed = "".join(re.findall(r"^([0-9a-f]{2,4}(?: [0-9a-f]+)?) ", block, re.MULTILINE)).replace(" ", "")
    assert listed.upper() in page


def test_links_lead_somewhere() -> None:
    for name, page in PAGES.items():
        for target in re.findall(r"\]\(([^)#]+)\)", page):
            assert ((SPEC / name).parent / target).exists(), target
