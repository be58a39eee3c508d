"""A second, naive reading of BET-1..BET-7, POT-1..POT-4, DECK-7 and DRAW-1..DRAW-7, sharing nothing with the engine.

Nothing is carried along but what was done: who owes what, what may be raised and who acts next is counted anew from the
record of the round, each time it is asked. Slots are handed out of one pile, from the top.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.oracle.naive_betting import NaiveBetting


@dataclass(slots=True)
class NaiveDraw(NaiveBetting):
    """A hand in which `seated` play, without cards."""

    seated: Sequence[int]
    ante: int
    units: tuple[int, int]
    raises: int
    pile: list[int] = field(default_factory=lambda: list(range(52)))
    held: dict[int, list[int]] = field(default_factory=dict)
    queue: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sit([seat not in self.seated for seat in range(len(self.chips))])
        for seat in self.from_left():
            self.pay(seat, self.ante, ante=True)
            self.held[seat] = []
        for _ in range(5):
            for seat in self.from_left():
                self.held[seat].append(self.pile.pop(0))
        if self.actor() is None:
            self.close()

    # --- what the record of the round says

    def unit(self) -> int:
        return self.units[self.street]

    def short_lifts(self) -> bool:
        """Whether any deed of the round lifted by less than a full bet or raise, which takes the whole stack."""
        return any(
            deed.lift and deed.level < self.fixed(self.deeds[:place])[0] + self.unit()
            for place, deed in enumerate(self.deeds)
        )

    def actor(self) -> int | None:
        """BET-7: nobody while cards are exchanged, nor in a round that only one seat with chips could begin."""
        if self.over or self.queue or len(self.from_left()) == 1:
            return None
        if not self.deeds and len([seat for seat in self.from_left() if self.chips[seat]]) == 1:
            return None
        return self.unanswered()

    def options(self) -> set[str]:
        """BET-1 to BET-6: what the actor may do."""
        seat = self.actor()
        assert seat is not None
        level = self.level()
        names = {"CALL", "FOLD"} if self.owed(seat) else {"CHECK"}
        if self.reach(seat) <= level or max(self.rivals(seat)) <= level:
            return names
        mine = [place for place, deed in enumerate(self.deeds) if deed.seat == seat]
        count = self.fixed(self.deeds)[1]
        acted = self.fixed(self.deeds[: mine[-1] + 1])[1] if mine else -1
        if acted < count <= self.raises or (not mine and count <= self.raises):
            names.add("RAISE" if level else "BET")
        return names

    # --- what is done

    def do(self, name: str) -> None:
        self.act(name, self.fixed_level())

    def close(self) -> None:
        """POT-1, and then the exchanges or the end."""
        self.give_back()
        if self.street or len(self.from_left()) == 1:
            self.over = True
        else:
            self.queue = self.from_left()

    def exchange(self, slots: Sequence[int]) -> None:
        """DRAW-2, DECK-7: the next of the queue gives up these slots for the top ones of the pile."""
        seat = self.queue.pop(0)
        kept = [slot for slot in self.held[seat] if slot not in slots]
        self.held[seat] = kept + [self.pile.pop(0) for _ in slots]
        if not self.queue:
            self.street = 1
            self.begin()
            if self.actor() is None:
                self.close()
