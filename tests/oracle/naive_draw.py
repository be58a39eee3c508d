"""A second, naive reading of BET-1..BET-7, POT-1..POT-4, DECK-7 and DRAW-1..DRAW-7, sharing nothing with the engine.

Nothing is carried along but what was done: who owes what, what may be raised and who acts next is counted anew from the
record of the round, each time it is asked. Slots are handed out of one pile, from the top.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tests.oracle.naive_holdem import Deed


@dataclass(slots=True)
class NaiveDraw:
    """A hand in which `seated` play, without cards."""

    chips: list[int]
    button: int
    seated: Sequence[int]
    ante: int
    units: tuple[int, int]
    raises: int
    street: int = 0
    put: list[int] = field(default_factory=list)
    total: list[int] = field(default_factory=list)
    out: list[bool] = field(default_factory=list)
    deeds: list[Deed] = field(default_factory=list)
    pile: list[int] = field(default_factory=lambda: list(range(52)))
    held: dict[int, list[int]] = field(default_factory=dict)
    queue: list[int] = field(default_factory=list)
    over: bool = False

    def __post_init__(self) -> None:
        seats = range(len(self.chips))
        self.put, self.total = [0 for _ in seats], [0 for _ in seats]
        self.out = [seat not in self.seated for seat in seats]
        for seat in self.from_left():
            self.pay(seat, self.ante)
            self.put[seat] = 0
            self.held[seat] = []
        for _ in range(5):
            for seat in self.from_left():
                self.held[seat].append(self.pile.pop(0))
        if self.actor() is None:
            self.close()

    def pay(self, seat: int, amount: int) -> None:
        amount = min(amount, self.chips[seat])
        self.chips[seat] -= amount
        self.total[seat] += amount
        self.put[seat] += amount

    def from_left(self) -> list[int]:
        """The seats still in, from the button's left."""
        seats = len(self.chips)
        around = [(self.button + step) % seats for step in range(1, seats + 1)]
        return [seat for seat in around if not self.out[seat]]

    # --- what the record of the round says

    def level(self) -> int:
        return self.deeds[-1].level if self.deeds else 0

    def reach(self, seat: int) -> int:
        return self.put[seat] + self.chips[seat]

    def rivals(self, seat: int) -> list[int]:
        return [self.reach(other) for other in self.from_left() if other != seat]

    def owed(self, seat: int) -> int:
        """BET-3."""
        return max(0, min(self.level(), max(self.rivals(seat))) - self.put[seat])

    def fixed(self, deeds: Sequence[Deed]) -> tuple[int, int]:
        """F and c of BET-5 after these deeds."""
        full, count = 0, 0
        for deed in deeds:
            if deed.lift and 2 * (deed.level - full) >= self.units[self.street]:
                full, count = deed.level, count + 1
        return full, count

    def short_lifts(self) -> bool:
        """Whether any deed of the round lifted by less than a full bet or raise, which takes the whole stack."""
        return any(
            deed.lift and deed.level < self.fixed(self.deeds[:place])[0] + self.units[self.street]
            for place, deed in enumerate(self.deeds)
        )

    def actor(self) -> int | None:
        """BET-7: the next seat, clockwise from the last one, that has chips and has not answered the last lift."""
        if self.over or self.queue or len(self.from_left()) == 1:
            return None
        able = [seat for seat in self.from_left() if self.chips[seat]]
        if not self.deeds and len(able) == 1:
            return None
        lifts = [place for place, deed in enumerate(self.deeds) if deed.lift]
        answered = {deed.seat for deed in self.deeds[lifts[-1] if lifts else 0 :]}
        seats = len(self.chips)
        start = self.deeds[-1].seat + 1 if self.deeds else self.button + 1
        for seat in [(start + step) % seats for step in range(seats)]:
            if seat in able and seat not in answered:
                return seat
        return None

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

    def lifted(self) -> int:
        """Where a bet or raise goes to."""
        seat = self.actor()
        assert seat is not None
        return min(self.fixed(self.deeds)[0] + self.units[self.street], self.reach(seat))

    # --- what is done

    def do(self, name: str) -> None:
        seat, before = self.actor(), self.level()
        assert seat is not None
        if name == "FOLD":
            self.out[seat] = True
        elif name == "CALL":
            self.pay(seat, self.owed(seat))
        elif name != "CHECK":
            self.pay(seat, self.lifted() - self.put[seat])
        level = max(before, self.put[seat])
        self.deeds.append(Deed(seat, name, level, level - before))
        if self.actor() is None:
            self.close()

    def close(self) -> None:
        """POT-1, and then the exchanges or the end."""
        top = max(self.total)
        seat = self.total.index(top)
        back = top - sorted(self.total)[-2]
        if not self.out[seat]:
            self.chips[seat] += back
            self.total[seat] -= back
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
            self.put = [0 for _ in self.chips]
            self.deeds = []
            if self.actor() is None:
                self.close()

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
