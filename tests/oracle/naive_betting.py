"""What the naive readings of Hold'em and of draw have in common: BET-3, BET-5, BET-7 and POT-1..POT-4.

Nothing is carried along but what was done: who owes what and who acts next is counted anew from the record of the
round, each time it is asked. Nothing is shared with the engine.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Deed:
    """What one seat did: `level` is the round's level after it, `lift` by how much it rose."""

    seat: int
    name: str
    level: int
    lift: int


@dataclass(slots=True)
class NaiveBetting(ABC):
    """A hand without cards; `first` is where a round begins to look for who acts, `start` the level it begins with."""

    chips: list[int]
    button: int
    street: int = field(init=False)
    put: list[int] = field(init=False)
    total: list[int] = field(init=False)
    out: list[bool] = field(init=False)
    deeds: list[Deed] = field(init=False)
    first: int = field(init=False)
    start: int = field(init=False)
    over: bool = field(init=False)

    def sit(self, out: list[bool]) -> None:
        """Begin, with nothing put in; those who are out were not dealt in."""
        self.street, self.out, self.over = 0, out, False
        self.total = [0 for _ in self.chips]
        self.begin()

    def begin(self) -> None:
        """Begin a round of betting."""
        self.put, self.deeds = [0 for _ in self.chips], []
        self.first, self.start = self.button + 1, 0

    def pay(self, seat: int, amount: int, *, ante: bool = False) -> None:
        """Put in what the seat has of it; an ante is of no round."""
        amount = min(amount, self.chips[seat])
        self.chips[seat] -= amount
        self.total[seat] += amount
        if not ante:
            self.put[seat] += amount

    def from_left(self) -> list[int]:
        """The seats still in, from the button's left."""
        seats = len(self.chips)
        around = [(self.button + step) % seats for step in range(1, seats + 1)]
        return [seat for seat in around if not self.out[seat]]

    # --- what the record of the round says

    def level(self) -> int:
        return self.deeds[-1].level if self.deeds else self.start

    @abstractmethod
    def unit(self) -> int:
        """The fixed bet of the round."""

    def reach(self, seat: int) -> int:
        return self.put[seat] + self.chips[seat]

    def rivals(self, seat: int) -> list[int]:
        return [self.reach(other) for other in self.from_left() if other != seat]

    def owed(self, seat: int) -> int:
        """BET-3."""
        return max(0, min(self.level(), max(self.rivals(seat))) - self.put[seat])

    def fixed(self, deeds: Sequence[Deed]) -> tuple[int, int]:
        """F and c of BET-5 after these deeds; a blind is the first bet."""
        full, count = self.start, int(self.start > 0)
        for deed in deeds:
            if deed.lift and 2 * (deed.level - full) >= self.unit():
                full, count = deed.level, count + 1
        return full, count

    def fixed_level(self) -> int:
        """Where a bet or raise of the actor goes to in fixed limit."""
        seat = self.actor()
        assert seat is not None
        return min(self.fixed(self.deeds)[0] + self.unit(), self.reach(seat))

    @abstractmethod
    def actor(self) -> int | None:
        """BET-7: who acts, if anybody does."""

    def unanswered(self) -> int | None:
        """The next seat, clockwise from the last one, that has chips and has not answered the last lift."""
        lifts = [place for place, deed in enumerate(self.deeds) if deed.lift]
        answered = {deed.seat for deed in self.deeds[lifts[-1] if lifts else 0 :]}
        seats = len(self.chips)
        start = self.deeds[-1].seat + 1 if self.deeds else self.first
        for seat in [(start + step) % seats for step in range(seats)]:
            if not self.out[seat] and self.chips[seat] and seat not in answered:
                return seat
        return None

    # --- what is done

    def act(self, name: str, to: int) -> None:
        """Do what the actor does; a bet or raise goes to this level."""
        seat, before = self.actor(), self.level()
        assert seat is not None
        if name == "FOLD":
            self.out[seat] = True
        elif name == "CALL":
            self.pay(seat, self.owed(seat))
        elif name != "CHECK":
            self.pay(seat, to - self.put[seat])
        level = max(before, self.put[seat])
        self.deeds.append(Deed(seat, name, level, level - before))
        if self.actor() is None:
            self.close()

    @abstractmethod
    def close(self) -> None:
        """What follows a round in which nobody acts any more."""

    def give_back(self) -> None:
        """POT-1: the chips that nobody matched."""
        top = max(self.total)
        seat = self.total.index(top)
        back = top - sorted(self.total)[-2]
        if not self.out[seat]:
            self.chips[seat] += back
            self.total[seat] -= back

    # --- who is paid

    def layers(self) -> list[tuple[int, tuple[int, ...]]]:
        """The pots of POT-2 and POT-3, chip by chip: the amount and who contends."""
        built: list[tuple[int, tuple[int, ...]]] = []
        for height in range(1, max(self.total) + 1):
            chips = len([total for total in self.total if total >= height])
            seats = tuple(seat for seat, total in enumerate(self.total) if total >= height and not self.out[seat])
            if built and (not seats or built[-1][1] == seats):
                built[-1] = (built[-1][0] + chips, built[-1][1])
            else:
                built.append((chips, seats))
        return built

    def paid(self, strengths: Mapping[int, int]) -> list[int]:
        """POT-4: every seat's chips in the end, when all pots go to the strongest, odd chips from the button's left."""
        chips = list(self.chips)
        for amount, seats in self.layers():
            best = max(strengths.get(seat, 0) for seat in seats)
            winners = [seat for seat in self.from_left() if seat in seats and strengths.get(seat, 0) == best]
            for place in range(amount):
                chips[winners[place % len(winners)]] += 1
        return chips
