"""A second, naive reading of BET-1..BET-7, POT-1..POT-4 and HOLDEM-3..HOLDEM-6, sharing nothing with the engine.

Nothing is carried along but what was done: who owes what, what may be raised and who acts next is counted anew from the
record of the round, each time it is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Spans = dict[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Deed:
    """What one seat did: `level` is the round's level after it, `lift` by how much it rose."""

    seat: int
    name: str
    level: int
    lift: int


@dataclass(slots=True)
class Naive:
    """A hand in which the seats with chips play, without cards."""

    chips: list[int]
    button: int
    small: int
    big: int
    ante: int
    limit: bool
    street: int = 0
    put: list[int] = field(default_factory=list)
    total: list[int] = field(default_factory=list)
    out: list[bool] = field(default_factory=list)
    deeds: list[Deed] = field(default_factory=list)
    first: int = 0
    over: bool = False
    short_blind: bool = False

    def __post_init__(self) -> None:
        seats = range(len(self.chips))
        self.put, self.total = [0 for _ in seats], [0 for _ in seats]
        self.out = [not chips for chips in self.chips]
        for seat in seats:
            self.pay(seat, self.ante, blind=False)
        round_table = self.from_left()
        # Heads-up the button, which is the last from its own left, posts the small blind.
        if len(round_table) == 2:
            round_table.reverse()
        self.pay(round_table[0], self.small, blind=True)
        self.pay(round_table[1], self.big, blind=True)
        self.short_blind = self.put[round_table[1]] < self.big
        self.first = round_table[1] + 1
        self.open()

    def pay(self, seat: int, amount: int, *, blind: bool) -> None:
        amount = min(amount, self.chips[seat])
        self.chips[seat] -= amount
        self.total[seat] += amount
        if blind:
            self.put[seat] += amount

    def from_left(self) -> list[int]:
        """The seats still in, from the button's left."""
        seats = len(self.chips)
        around = [(self.button + step) % seats for step in range(1, seats + 1)]
        return [seat for seat in around if not self.out[seat]]

    # --- what the record of the round says

    def level(self) -> int:
        if self.deeds:
            return self.deeds[-1].level
        return 0 if self.street else self.big

    def unit(self) -> int:
        return 2 * self.big if self.limit and self.street > 1 else self.big

    def reach(self, seat: int) -> int:
        return self.put[seat] + self.chips[seat]

    def rivals(self, seat: int) -> list[int]:
        return [self.reach(other) for other in self.from_left() if other != seat]

    def owed(self, seat: int) -> int:
        """BET-3."""
        return max(0, min(self.level(), max(self.rivals(seat))) - self.put[seat])

    def full_raise(self) -> int:
        """R of BET-4."""
        size = self.big
        for deed in self.deeds:
            if deed.lift >= size:
                size = deed.lift
        return size

    def fixed(self, deeds: Sequence[Deed]) -> tuple[int, int]:
        """F and c of BET-5 after these deeds."""
        full, count = (0, 0) if self.street else (self.big, 1)
        for deed in deeds:
            if deed.lift and 2 * (deed.level - full) >= self.unit():
                full, count = deed.level, count + 1
        return full, count

    def short_lifts(self, deeds: Sequence[Deed]) -> bool:
        """Whether any of these deeds lifted by less than a full bet or raise, which takes the whole stack."""
        past = self.deeds[: len(self.deeds) - len(deeds)]
        for deed in deeds:
            if self.limit:
                if deed.lift and deed.level < self.fixed(past)[0] + self.unit():
                    return True
            elif deed.lift and deed.lift < max([self.big] + [before.lift for before in past]):
                return True
            past = [*past, deed]
        return False

    def since(self, seat: int) -> list[Deed] | None:
        """What was done after the seat's last deed of the round, None if it has done nothing."""
        mine = [place for place, deed in enumerate(self.deeds) if deed.seat == seat]
        return self.deeds[mine[-1] + 1 :] if mine else None

    def actor(self) -> int | None:
        """BET-7: the next seat, clockwise from the last one, that has chips and not answered the last lift."""
        if self.over or len(self.from_left()) == 1:
            return None
        lifts = [place for place, deed in enumerate(self.deeds) if deed.lift]
        answered = {deed.seat for deed in self.deeds[lifts[-1] if lifts else 0 :]}
        seats = len(self.chips)
        start = self.deeds[-1].seat + 1 if self.deeds else self.first
        for seat in [(start + step) % seats for step in range(seats)]:
            if not self.out[seat] and self.chips[seat] and seat not in answered:
                return seat
        return None

    def options(self) -> Spans:
        """BET-1 to BET-6: what the actor may do, and to what level."""
        seat = self.actor()
        assert seat is not None
        level, reach = self.level(), self.reach(seat)
        spans: Spans = {"CALL": (0, 0), "FOLD": (0, 0)} if self.owed(seat) else {"CHECK": (0, 0)}
        since = self.since(seat)
        if reach <= level or max(self.rivals(seat)) <= level:
            return spans
        name = "RAISE" if level else "BET"
        if self.limit:
            full, count = self.fixed(self.deeds)
            acted = None if since is None else self.fixed(self.deeds[: len(self.deeds) - len(since)])[1]
            # A bet, or the big blind, and three raises.
            if count < 4 and (acted is None or acted < count):
                spans[name] = (0, 0)
        else:
            before = None if since is None else self.deeds[len(self.deeds) - len(since) - 1].level
            if before is None or level - before >= self.full_raise():
                spans[name] = (min(reach, level + self.full_raise()), reach)
        return spans

    def fixed_level(self) -> int:
        """Where a bet or raise goes to in fixed limit."""
        seat = self.actor()
        assert seat is not None
        return min(self.fixed(self.deeds)[0] + self.unit(), self.reach(seat))

    # --- what is done

    def do(self, name: str, amount: int) -> None:
        seat, before = self.actor(), self.level()
        assert seat is not None
        if name == "FOLD":
            self.out[seat] = True
        elif name == "CALL":
            self.pay(seat, self.owed(seat), blind=True)
        elif name != "CHECK":
            self.pay(seat, (self.fixed_level() if self.limit else amount) - self.put[seat], blind=True)
        level = max(before, self.put[seat])
        self.deeds.append(Deed(seat, name, level, level - before))
        if self.actor() is None:
            self.close()

    def close(self) -> None:
        """POT-1, and the next round in which there is anything to do."""
        top = max(self.total)
        seat = self.total.index(top)
        back = top - sorted(self.total)[-2]
        if not self.out[seat]:
            self.chips[seat] += back
            self.total[seat] -= back
        if len(self.from_left()) == 1 or self.street == 3:
            self.over = True
            return
        self.street += 1
        self.put = [0 for _ in self.chips]
        self.deeds = []
        self.first = self.button + 1
        self.open()

    def open(self) -> None:
        """BET-7: no round when at most one seat has chips and it owes nothing."""
        able = [seat for seat in self.from_left() if self.chips[seat]]
        if not able or (len(able) == 1 and not self.owed(able[0])):
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
