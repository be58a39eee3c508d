"""Writes the parts of this specification that follow from the code: `python -m spec.tables`.

Between a pair of markers stand the phase diagram of chain.md, made of `dealerless.protocol.table.RULES` and of where
each row led in the transcripts among the vectors; the table of errors.md, made of `dealerless.errors.CODES`; and the
tables of attacks.md, made of the cheat gallery. A test compares.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from dealerless.errors import CODES, DealerlessError
from dealerless.players.gallery import CHEATS, UNPROVABLE
from dealerless.protocol.machine import Admitted
from dealerless.protocol.state import Phase, State
from dealerless.protocol.table import RULES
from dealerless.referee import replay

SPEC: Final = Path(__file__).parent
VECTORS: Final = SPEC.parent / "tests" / "vectors"

Edge = tuple[Phase, str, Phase]


@cache
def observed() -> set[Edge]:
    """Return every step the vectors take: the phase, the kind of message, and the phase after it."""
    edges: set[Edge] = set()

    def note(before: State, admitted: Admitted, after: State | None, refusal: DealerlessError | None) -> None:
        if after is not None and admitted.envelope is not None:
            edges.add((before.phase, admitted.envelope.event.KIND, after.phase))

    for path in sorted(VECTORS.rglob("transcripts/*.json")):
        replay(base64.b64decode(json.loads(path.read_text())["transcript"]), on_frame=note)
    return edges


def diagram() -> str:
    """Return the phases as a mermaid state diagram, in the order of the table."""
    edges, order = observed(), list(Phase)
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {order[0].name}"]
    for (phase, event), rule in RULES.items():
        targets = [after for after in order if (phase, event.KIND, after) in edges]
        if not targets:
            raise ValueError(f"no vector has {event.KIND} in the phase {phase.name}")
        lines += [f"    {phase.name} --> {after.name}: {event.KIND} ({rule.clause})" for after in targets]
    lines += [f"    {Phase.OVER.name} --> [*]", f"    note left of {Phase.EXPELLING.name}"]
    lines += [
        "        whenever a message was refused in a phase",
        "        from HAND_STARTING to SHOWING",
        "    end note",
        "```",
    ]
    return "\n".join(lines)


def errors() -> str:
    """Return all codes as a table, in the order of the code's own."""
    rows = ["| code | clause | what it says |", "|---|---|---|"]
    rows += [f"| `{code}` | {defect.clause} | {defect.text} |" for code, defect in CODES.items()]
    return "\n".join(rows)


def cheats() -> str:
    """Return the stories that end with a conviction as a table, in the gallery's order."""
    rows = ["| name | who cheats | and hopes | convicted by | clause |", "|---|---|---|---|---|"]
    rows += [f"| `{c.name}` | {c.title} | {c.hope} | `{c.code}` | {c.clause} |" for c in CHEATS]
    return "\n".join(rows)


def unprovable() -> str:
    """Return the stories that convict nobody as a table, in the gallery's order."""
    rows = ["| name | who cheats | and hopes | what happens instead |", "|---|---|---|---|"]
    rows += [f"| `{story.name}` | {story.title} | {story.hope} | {story.instead} |" for story in UNPROVABLE]
    return "\n".join(rows)


def parts() -> Iterator[tuple[Path, str, str]]:
    """Yield every written part: its file, the name in its markers, and its text."""
    yield SPEC / "chain.md", "phases", diagram()
    yield SPEC / "errors.md", "codes", errors()
    yield SPEC / "attacks.md", "cheats", cheats()
    yield SPEC / "attacks.md", "unprovable", unprovable()


def written(text: str, name: str, part: str) -> str:
    """Return `text` with the part between the markers of this name replaced."""
    start, end = f"<!-- {name}: written by python -m spec.tables -->\n", f"<!-- end of {name} -->"
    head, found, rest = text.partition(start)
    _, closed, tail = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"no markers for {name}")
    return f"{head}{start}\n{part}\n\n{end}{tail}"


def main() -> None:
    for path, name, part in parts():
        path.write_text(written(path.read_text(), name, part))


if __name__ == "__main__":
    main()
