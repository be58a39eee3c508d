"""A second, naive reading of ONE-1 to ONE-10, sharing nothing with the engine.

Cards are two letters in a list from which they are taken; nothing is carried along about the betting but what was
done, and who owes what, what may be bet and who is to act is counted anew from that each time it is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

RANKS = "23456789TJQKA"
Deed = tuple[int, str, int]


def better(one: str, other: str) -> bool:
    """ONE-9: whether the first card takes the pot from the second."""
    a, b = one[1], other[1]
    if {a, b} == {"2", "A"}:
        return a == "2"
    return RANKS.index(a) > RANKS.index(b)


@dataclass(slots=True)
class NaiveOne:
    """A match. `shuffle` returns 156 cards in a new order; `first` has priority."""

    lives: list[int]
    first: int
    shuffle: Callable[[], list[str]]
    shoe: list[str] = field(default_factory=list)
    held: list[list[str]] = field(default_factory=lambda: [[], []])
    laid: dict[int, str] = field(default_factory=dict)
    deeds: list[Deed] = field(default_factory=list)
    rounds: int = 0
    seen: list[str] = field(default_factory=list)

    def begin(self) -> None:
        """ONE-2, ONE-3: a round's cards."""
        self.rounds += 1
        self.deeds, self.laid = [], {}
        if not self.shoe:
            self.shoe, self.seen = self.shuffle()[:78], []
        for seat in (self.first, 1 - self.first):
            while len(self.held[seat]) < 2:
                self.held[seat].append(self.shoe.pop(0))

    def lamps(self, seat: int) -> tuple[int, int]:
        """How many cards of the seat are down and up, the laid one among them."""
        mine = self.held[seat] + ([self.laid[seat]] if seat in self.laid else [])
        up = len([card for card in mine if RANKS.index(card[1]) > RANKS.index("7")])
        return len(mine) - up, up

    def lay(self, seat: int, card: str) -> None:
        self.held[seat].remove(card)
        self.laid[seat] = card

    # --- the betting, counted from its deeds

    def put(self, seat: int) -> int:
        """What the seat has in the pot: its ante, and what its moves cost it."""
        inside = [1, 1]
        for who, name, n in self.deeds:
            if name in ("BET", "CALL", "RAISE"):
                inside[who] = max(inside) + n
        return inside[seat]

    def left(self, seat: int) -> int:
        return self.lives[seat] - self.put(seat)

    def owed(self, seat: int) -> int:
        return max(0, self.put(1 - seat) - self.put(seat))

    def actor(self) -> int | None:
        """ONE-8."""
        names = [name for _, name, _ in self.deeds]
        nobody = 0 in (self.left(0), self.left(1))
        if not names:
            return None if nobody else self.first
        if names[-1] == "FOLD" or names[-2:] == ["CHECK", "CHECK"] or (names[-1] == "CALL" and nobody):
            return None
        return 1 - self.deeds[-1][0]

    def options(self) -> set[tuple[str, int]]:
        """ONE-7."""
        seat = self.actor()
        if seat is None:
            return set()
        owed = self.owed(seat)
        rest = {("CALL", 0), ("FOLD", 0)} if owed else {("CHECK", 0)}
        n = 1
        while n <= self.left(seat) - owed and n <= self.left(1 - seat):
            rest.add(("RAISE" if owed else "BET", n))
            n += 1
        return rest

    def do(self, name: str, n: int) -> None:
        seat = self.actor()
        assert seat is not None
        self.deeds.append((seat, name, n))

    def finish(self) -> None:
        """ONE-5, ONE-6, ONE-9: open both cards and pay the pot."""
        inside = [self.put(0), self.put(1)]
        folder = next((seat for seat, name, _ in self.deeds if name == "FOLD"), None)
        winner: int | None = None
        if folder is not None:
            winner = 1 - folder
        elif better(self.laid[0], self.laid[1]):
            winner = 0
        elif better(self.laid[1], self.laid[0]):
            winner = 1
        self.seen += [self.laid[self.first], self.laid[1 - self.first]]
        if winner is not None:
            self.lives[winner] += inside[1 - winner]
            self.lives[1 - winner] -= inside[1 - winner]
            self.first = winner
