"""The page of attacks against the gallery, read back row by row; that it is written from it is test_spec's to say."""

from __future__ import annotations

import re
from pathlib import Path

from dealerless.players.gallery import CHEATS, STORIES, UNPROVABLE

PAGE = (Path(__file__).parent.parent.parent / "spec" / "attacks.md").read_text()


def test_the_convicted_are_the_gallerys() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (.*) \| (.*) \| `([a-z.-]+)` \| ([A-Z0-9-]+) \|$", PAGE, re.MULTILINE)
    assert rows == [(story.name, story.title, story.hope, story.code, story.clause) for story in CHEATS]


def test_the_rest_are_the_gallerys() -> None:
    part = PAGE.partition("<!-- unprovable:")[2]
    rows = re.findall(r"^\| `([a-z-]+)` \| (.*) \| (.*) \| (.*) \|$", part, re.MULTILINE)
    assert rows == [(story.name, story.title, story.hope, story.instead) for story in UNPROVABLE]


def test_the_text_names_stories_that_there_are() -> None:
    """In running text a name in code marks with a hyphen and no dot is a story's."""
    prose = "\n".join(line for line in PAGE.splitlines() if not line.startswith("|"))
    named = set(re.findall(r"`([a-z]+(?:-[a-z]+)+)`", prose))
    assert named
    assert named <= set(STORIES)
