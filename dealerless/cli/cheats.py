"""The cheat gallery as `dealerless demo` tells it: the lists, a story, and what the judge made of it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any, Final

import click

from ..errors import CODES, DealerlessError
from ..players.gallery import CHEATS, STORIES, UNPROVABLE
from ..players.staging import Cheat, Dropped, Played, Story, Unprovable
from ..protocol.machine import Admitted
from ..protocol.state import State
from ..referee import Verdict
from ..report.document import encode
from ..report.steps import Step, step
from ..report.text import step_lines, verdict_lines
from ..report.view import view
from .values import shown

Json = dict[str, Any]

_WIDTH: Final = 79
_COLUMN: Final = 11
# Messages told before and from the one that decides; the rest is an honest match like any other.
_BEFORE: Final = 2
_AFTER: Final = 2

_NAMES: Final = max([len(name) for name in STORIES]) + 2
_TITLES: Final = max([len(story.title) for story in STORIES.values()]) + 2


class StoryName(click.ParamType[Story]):
    """The name of a story of the gallery."""

    name = "name"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Story:
        """Return the story; a name that is not in the lists is a usage error."""
        if isinstance(value, Story):
            return value
        story = STORIES.get(str(value))
        if story is None:
            lists = "dealerless demo --list-cheats and --list-unprovable print the names"
            self.fail(f"there is no cheat {shown(str(value))}; {lists}", param, ctx)
        return story


class Telling:
    """Collects the messages of a match as the referee sees them, to tell the part that matters."""

    def __init__(self) -> None:
        self._steps: list[Step] = []

    def on_frame(self, before: State, admitted: Admitted, after: State | None, refusal: DealerlessError | None) -> None:
        """Take one message."""
        self._steps.append(step(before, admitted, after, refusal))

    def lines(self, dropped: tuple[Dropped, ...]) -> Iterator[str]:
        """Yield the messages around the one that decides: a refused one, an expulsion, a dropped one, or the last.

        What the honest side dropped stands where it came.
        """
        steps = self._steps
        refused = [place for place, one in enumerate(steps) if one.refusal is not None or one.kind == "expel"]
        deciding = [*refused, *[frame.record for frame in dropped], len(steps) - 1][0]
        first = max(deciding - _BEFORE, 0)
        end = min([deciding, *refused][-1] + _AFTER, len(steps))
        if first:
            yield _omitted(first, "before")
        for place in range(first, end):
            yield from _dropped([frame for frame in dropped if frame.record == place])
            yield from step_lines(steps[place], explain=False)
        yield from _dropped([frame for frame in dropped if frame.record >= end])
        if end < len(steps):
            yield _omitted(len(steps) - end, "to the end")


def list_cheats(*, as_json: bool) -> None:
    """Print the stories that end with a conviction: one a line, its name first, then its title and code."""
    _list([f"{_named(story)}{story.title:<{_TITLES}}{story.code}" for story in CHEATS], CHEATS, as_json=as_json)


def list_unprovable(*, as_json: bool) -> None:
    """Print the stories that convict nobody: one a line, its name first, then its title and what happens instead."""
    lines = [f"{_named(story)}{story.title:<{_TITLES}}{story.instead}" for story in UNPROVABLE]
    _list(lines, UNPROVABLE, as_json=as_json)


def check(story: Story, verdict: Verdict) -> None:
    """Return if the verdict is the one that the story tells of; anything else is a mistake of ours."""
    fault = verdict.fault
    found = None if fault is None else (fault.code, fault.clause, fault.seat)
    expected = (story.code, story.clause, story.setting.cheat) if isinstance(story, Cheat) else None
    if found != expected:
        raise RuntimeError("the verdict is not the story's")


def lines(story: Story, played: Played, verdict: Verdict, telling: Telling, label: str) -> Iterator[str]:
    """Yield a story and its end for people: what was tried, the last messages, the verdict, and what it means."""
    cheat, honest = story.setting.cheat, story.setting.honest
    others = f"seat {honest} is an honest player" if story.setting.seats == 2 else "the other seats play by the rules"
    yield f"{story.name}: {story.title}"
    yield from _paragraph("hope", story.hope)
    if isinstance(story, Cheat):
        yield from _paragraph("rule", f"{story.clause}; breaking it is {story.code}: {CODES[story.code].text}")
    else:
        yield from _paragraph("rule", "none that the file alone can show broken")
    yield from _paragraph("seats", f"seat {cheat} cheats, {others}")
    yield ""
    yield "What happened:"
    yield from telling.lines(played.dropped)
    yield ""
    yield "A third process, which gets the file and nothing else, judges:"
    yield ""
    yield from verdict_lines(view(verdict), label)
    yield ""
    if isinstance(story, Cheat):
        yield f"Convicted: seat {cheat} of {story.code} ({story.clause})."
    elif isinstance(story, Unprovable):
        yield from textwrap.wrap(f"Nobody is blamed. {story.instead}", _WIDTH)


def document(story: Story, played: Played, judged: Json) -> Json:
    """Return a played story as one object: what it tells, what was dropped, and the judge's verdict."""
    dropped = [{"record": dropped.record, "code": dropped.code} for dropped in played.dropped]
    return {"format": "dealerless cheat 1"} | _told(story) | {"dropped": dropped, "verdict": judged}


def _omitted(count: int, where: str) -> str:
    return f"      ({count} message{'' if count == 1 else 's'} {where})"


def _dropped(frames: list[Dropped]) -> Iterator[str]:
    for frame in frames:
        yield f"   -  a record comes that proves nothing: {CODES[frame.code].text}"
        yield f"        DROPPED, blame none [{frame.code}, {CODES[frame.code].clause}]"


def _told(story: Story) -> Json:
    code, clause = (story.code, story.clause) if isinstance(story, Cheat) else (None, None)
    return {
        "name": story.name,
        "title": story.title,
        "hope": story.hope,
        "cheat": story.setting.cheat,
        "code": code,
        "clause": clause,
        "instead": story.instead if isinstance(story, Unprovable) else None,
    }


def _list(lines: list[str], stories: tuple[Story, ...], *, as_json: bool) -> None:
    if as_json:
        click.echo(encode({"format": "dealerless cheats 1", "cheats": [_told(story) for story in stories]}))
    else:
        for line in lines:
            click.echo(line)


def _named(story: Story) -> str:
    return f"{story.name:<{_NAMES}}"


def _paragraph(label: str, text: str) -> Iterator[str]:
    first, *rest = textwrap.wrap(text, _WIDTH - _COLUMN, break_on_hyphens=False)
    yield f"{label:<{_COLUMN}}{first}"
    for line in rest:
        yield f"{'':{_COLUMN}}{line}"
