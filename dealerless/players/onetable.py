"""The table that One Poker at level hard plays by: for each number of lives behind, how often what is laid and bet.

It is shipped beside this module, made by `benchmarks/solve_onepoker.py`, and read without numpy when it is first asked.
`onemake` says how it comes about; here is how it is laid out: one sheet for each of `BEHIND`, one after the other,
compressed by zlib. A sheet has, all in single bytes but for the first two:

- how often each of the 13 ranks is held from the round before, unsigned, 16 bits, big-endian, in 65,535ths;
- what keeping each rank is worth, and what priority is worth, signed, 16 bits, in thousandths of a life;
- for each pair of lamps, player and hand that these lamps can be, how often the lower card is laid, in 255ths;
- for each decision of the tree, pair of lamps, and rank that the player who acts can have laid, how often each move but
  the last is made, in 255ths; the last is made otherwise.

A pair of lamps is 3u + v, where u is the number of UP cards of player 0, who has priority, and v that of player 1.
"""

from __future__ import annotations

import struct
import zlib
from bisect import bisect_left
from functools import lru_cache
from importlib.resources import files
from typing import Final, NamedTuple

from ..games.cards import DECK, rank_of
from ..games.cards import RANKS as RANK_NAMES
from ..games.onepokerhand import UP, class_of
from .onetree import tree

RANKS: Final = len(RANK_NAMES)
LAMPS: Final = 3
"""What lamps can show: no, one or two cards that are UP."""

BEHIND: Final = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 24, 40)
"""Lives behind for which there is a sheet: all that can come in a match of ten lives each, and a few beyond."""

PARTS: Final = 255
"""Into how many parts a decision's probability is divided."""

UPS: Final = tuple([int(class_of(next(c for c in DECK if rank_of(c) == rank)) == UP) for rank in range(RANKS)])
"""By rank 1 for UP, 0 for DOWN (ONE-4)."""

PAIRS: Final = tuple([(first, second) for first in range(RANKS) for second in range(first, RANKS)])
"""All hands by their two ranks, the lower first."""

RANKS_OF: Final = tuple(
    [tuple([rank for rank in range(RANKS) if lamps == 1 or UPS[rank] == lamps // 2]) for lamps in range(LAMPS)]
)
"""By lamps the ranks that a laid card can have."""

HANDS_OF: Final = tuple(
    [
        tuple([number for number, (first, second) in enumerate(PAIRS) if UPS[first] + UPS[second] == lamps])
        for lamps in range(LAMPS)
    ]
)
"""By lamps the numbers of the hands that they can be."""

COMBOS: Final = tuple([(first, second) for first in range(LAMPS) for second in range(LAMPS)])
"""All pairs of lamps."""

FILE: Final = "onetable.bin"
"""The name of the table's file in this package."""

_KEPT: Final = struct.Struct(f">{RANKS}H")
_WORTH: Final = struct.Struct(f">{RANKS + 1}h")
_HEAD: Final = _KEPT.size + _WORTH.size
_PLACE_OF_RANK: Final = tuple([{rank: place for place, rank in enumerate(ranks)} for ranks in RANKS_OF])
_PLACE_OF_HAND: Final = tuple([{PAIRS[hand]: place for place, hand in enumerate(hands)} for hands in HANDS_OF])


class Layout(NamedTuple):
    """Where what stands in a sheet. `lays`: by pair of lamps and player; `bets`: by vertex and pair of lamps."""

    lays: tuple[tuple[int, int], ...]
    bets: tuple[tuple[int, ...], ...]
    size: int


@lru_cache(maxsize=len(BEHIND))
def layout(behind: int) -> Layout:
    """Return the layout of the sheet for so many lives behind."""
    top = _HEAD
    lays = []
    for combo in COMBOS:
        lays.append((top, top + len(HANDS_OF[combo[0]])))
        top += len(HANDS_OF[combo[0]]) + len(HANDS_OF[combo[1]])
    bets: list[tuple[int, ...]] = []
    for vertex in tree(behind).vertices:
        row = []
        for combo in COMBOS if vertex.steps else ():
            row.append(top)
            top += len(RANKS_OF[combo[vertex.player]]) * (len(vertex.steps) - 1)
        bets.append(tuple(row))
    return Layout(tuple(lays), tuple(bets), top)


class Sheet(NamedTuple):
    """The table for one number of lives behind, as bytes."""

    behind: int
    content: bytes

    @property
    def kept(self) -> tuple[float, ...]:
        """By rank how often it is held from the round before."""
        counts = _KEPT.unpack_from(self.content)
        total = sum(counts)
        return tuple([count / total for count in counts])

    @property
    def worth(self) -> tuple[float, ...]:
        """By rank what keeping it is worth in lives, and at the end what priority is worth."""
        return tuple([lives / 1000 for lives in _WORTH.unpack_from(self.content, _KEPT.size)])

    def lower(self, combo: int, player: int, first: int, second: int) -> int:
        """Return how often a player with these ranks, the lower first, lays it, in `PARTS`."""
        place = _PLACE_OF_HAND[COMBOS[combo][player]][first, second]
        return self.content[layout(self.behind).lays[combo][player] + place]

    def bets(self, number: int, combo: int, rank: int) -> list[int]:
        """Return by move how often it is made at a vertex by who has laid this rank, in `PARTS`."""
        vertex = tree(self.behind).vertices[number]
        free = len(vertex.steps) - 1
        at = layout(self.behind).bets[number][combo] + free * _PLACE_OF_RANK[COMBOS[combo][vertex.player]][rank]
        parts = list(self.content[at : at + free])
        return [*parts, PARTS - sum(parts)]


def head(kept: list[float], worth: list[float]) -> bytes:
    """Return the beginning of a sheet."""
    return _KEPT.pack(*[round(65535 * share) for share in kept]) + _WORTH.pack(*[round(1000 * v) for v in worth])


def written(sheets: list[Sheet]) -> bytes:
    """Return the file of these sheets, one for each of `BEHIND`."""
    return zlib.compress(b"".join([sheet.content for sheet in sheets]), 9)


def read(content: bytes) -> dict[int, Sheet]:
    """Return the sheets of a file by lives behind; raises ValueError if it is none."""
    left, sheets = zlib.decompress(content), {}
    for behind in BEHIND:
        size = layout(behind).size
        sheets[behind] = Sheet(behind, left[:size])
        left = left[size:]
    if left or len(sheets[BEHIND[-1]].content) != layout(BEHIND[-1]).size:
        raise ValueError("the table of One Poker has another size than its trees")
    return sheets


def shipped() -> bytes:
    """Return the file of the table as it is shipped."""
    return files("dealerless.players").joinpath(FILE).read_bytes()


@lru_cache(maxsize=1)
def table() -> dict[int, Sheet]:
    """Return the shipped sheets by lives behind."""
    return read(shipped())


def nearest(behind: int) -> int:
    """Return the number of lives behind, of those that have a sheet, that is the nearest."""
    after = min(bisect_left(BEHIND, behind), len(BEHIND) - 1)
    before = max(after - 1, 0)
    return BEHIND[after] if BEHIND[after] - behind <= behind - BEHIND[before] else BEHIND[before]
