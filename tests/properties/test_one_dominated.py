"""No move of One Poker's computer players that another is at least as good as, whatever the other holds and does.

With a card that none behind the other's lamps beats: no fold, and no check that ends the betting while there is
something to bet. With one that all of them beat: no call that ends it. And nobody folds where nothing is owed. Every
rank that can be laid is tried behind every pair of lamps, on lines that players who play well never come to, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from dealerless.games.betting import legal
from dealerless.games.game import Option
from dealerless.players.computer import Strategy
from dealerless.players.levels import strategy
from dealerless.players.onespot import spot
from tests.one import Table, view_of

ORDER = "23456789TJQKA"
BEHIND = ("234567", ORDER, "89TJQKA")
"""By how many of its two cards are UP what a player can have laid (ONE-4)."""

Moves = tuple[tuple[int, str, int], ...]


def beats(rank: str, other: str) -> bool:
    """ONE-9, spelled out."""
    if {rank, other} == {"2", "A"}:
        return rank == "2"
    return ORDER.index(rank) > ORDER.index(other)


class Always:
    """Chance that says the same again and again."""

    def __init__(self, *said: float) -> None:
        self.said, self.at = said, -1

    def random(self) -> float:
        self.at += 1
        return self.said[self.at % len(self.said)]

    def randrange(self, stop: int, /) -> int:
        return int(self.random() * stop)


# The first number bends a card or decides whether to lift, the second picks the move.
CHANCES = tuple(product((0.0, 0.5, 0.999999), repeat=2))


def hand(up: int, laid: str) -> tuple[str, str]:
    """Two cards with this one laid, of which so many are UP."""
    return "C" + laid, "D" + ("2" if up == (laid in BEHIND[2]) else "9")


def tables(lives: tuple[int, int], lamps: tuple[int, int], longest: int) -> Iterator[tuple[Table, Moves]]:
    """The table at every decision after at most so many moves."""
    cards = [hand(up, BEHIND[up][0]) for up in lamps]
    lines: list[tuple[str, Moves]] = [("", ())]
    while lines:
        line, moves = lines.pop()
        at = Table(lives).deal(*cards).lay(*[laid for laid, _ in cards]).play(line)
        seat = at.hand.betting.to_act
        if seat is None:
            continue
        yield at, moves
        for option in legal(at.hand.betting) if len(moves) < longest else ():
            for amount in amounts(option):
                word = {"CHECK": "k", "CALL": "c", "BET": f"b{amount}", "RAISE": f"r{amount}"}.get(option.name)
                if word is not None:
                    lines.append((f"{line} {seat}{word}", (*moves, (seat, option.name, amount))))


def amounts(option: Option) -> list[int]:
    """All that it can carry, or with more than three of them the least, the next, and the most."""
    return sorted({option.least, min(option.least + 1, option.most), option.most})


def faults(plays: Strategy, at: Table, moves: Moves, lamps: tuple[int, int]) -> Iterator[str]:
    """What is done at this decision that should not be."""
    betting = at.hand.betting
    seat, owed = betting.to_act, betting.owed
    assert seat is not None
    others = BEHIND[lamps[1 - seat]]
    may_lift = any(option.name in ("BET", "RAISE") for option in legal(betting))
    if owed:
        ends = owed == betting.stacks[seat] or not betting.stacks[1 - seat]
    else:
        ends = moves[-1:] == ((1 - seat, "CHECK", 0),)
    for rank in BEHIND[lamps[seat]]:
        bad = set() if owed else {"FOLD"}
        if not any(beats(other, rank) for other in others):
            bad |= {"FOLD", "CHECK"} if ends and may_lift else {"FOLD"}
        elif all(beats(other, rank) for other in others) and ends:
            bad.add("CALL")
        if not bad:
            continue
        view = view_of(at, seat, hand(lamps[seat], rank), *moves)
        assert spot(view).closing == ends
        for said in CHANCES:
            move, reason = plays.decide(view, Always(*said))
            if move.name in bad:
                yield f"{move.name} with {rank} behind {lamps} after {moves}: {reason}"


@pytest.mark.parametrize(("lives", "longest"), [((3, 3), 9), ((4, 6), 3), ((10, 10), 2), ((15, 14), 1)])
@pytest.mark.parametrize("level", ["medium", "hard"])
def test_no_move_that_another_is_always_as_good_as(level: str, lives: tuple[int, int], longest: int) -> None:
    """ONE-7, ONE-8, ONE-9: with lives for which the table is whole, those of a match, and more than it has."""
    plays = strategy("onepoker", level, quick=True)
    found = [
        fault
        for lamps in product(range(3), range(3))
        for at, moves in tables(lives, lamps, longest)
        for fault in faults(plays, at, moves, lamps)
    ]
    assert not found, (len(found), found[:5])
