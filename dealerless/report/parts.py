"""What the course of a hand is made of: its parts in order, and in each what happened."""

from __future__ import annotations

from typing import Final, NamedTuple

SHOWDOWN: Final = "showdown"
OPENING: Final = "opening"
"""What it is called in One Poker, where it comes after a fold as well (ONE-5)."""
FRESH: Final = "fresh deck"
"""What the part of a hand is called in which the cards that the first deck cannot give any more come from another."""


class Entry(NamedTuple):
    """One thing that happened, by what it is (`kind`) and in words (`text`, which begins after the seat's number).

    `kind` is "post", "shoe", "lot", "lamps", "lay", "move" (an exchange is one), "return", "expelled", "stranded",
    "show" or "muck"; `seat` is None for "shoe" and "stranded", `seq` the number of a move's message. `stacks` and
    `pot` are those after it.
    """

    kind: str
    seat: int | None
    seq: int | None
    text: str
    stacks: tuple[int, ...]
    pot: int


class Street(NamedTuple):
    """A part of a hand: its name (empty where the game has none), the cards that opened with it, what happened in it.

    `open` is the number of board cards that were open in it, `stacks` and `pot` what it began with.
    """

    name: str
    cards: tuple[str, ...]
    open: int
    stacks: tuple[int, ...]
    pot: int
    entries: tuple[Entry, ...]


class Course(NamedTuple):
    """The course of a hand. `dealt` are the seats dealt in, `posts` antes and blinds by seat, `expelled` who was.

    `opens` has for each of the record's moves how many board cards were open.
    """

    dealt: tuple[int, ...]
    posts: tuple[int, ...]
    expelled: tuple[int, ...]
    streets: tuple[Street, ...]
    opens: tuple[int, ...]
