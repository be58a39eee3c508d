"""A second, naive reading of BET-1..BET-7, POT-1..POT-4 and HOLDEM-3..HOLDEM-6, sharing nothing with the engine.

Nothing is carried along but what was done: who owes what, what may be raised and who acts next is counted anew from the
record of the round, each time it is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.oracle.naive_betting import Deed, NaiveBetting

Spans = dict[str, tuple[int, int]]


@dataclass(slots=True)
class Naive(NaiveBetting):
    """A hand in which the seats with chips play, without cards."""

    small: int
    big: int
    ante: int
    limit: bool
    short_blind: bool = False

    def __post_init__(self) -> None:
        self.sit([not chips for chips in self.chips])
        for seat in range(len(self.chips)):
            self.pay(seat, self.ante, ante=True)
        round_table = self.from_left()
        # Heads-up the button, which is the last from its own left, posts the small blind.
        if len(round_table) == 2:
            round_table.reverse()
        self.pay(round_table[0], self.small)
        self.pay(round_table[1], self.big)
        self.short_blind = self.put[round_table[1]] < self.big
        self.first, self.start = round_table[1] + 1, self.big
        self.open()

    # --- what the record of the round says

    def unit(self) -> int:
        return 2 * self.big if self.limit and self.street > 1 else self.big

    def full_raise(self) -> int:
        """R of BET-4."""
        size = self.big
        for deed in self.deeds:
            if deed.lift >= size:
                size = deed.lift
        return size

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
        return None if self.over or len(self.from_left()) == 1 else self.unanswered()

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

    # --- what is done

    def do(self, name: str, amount: int) -> None:
        self.act(name, self.fixed_level() if self.limit else amount)

    def close(self) -> None:
        """POT-1, and the next round in which there is anything to do."""
        self.give_back()
        if len(self.from_left()) == 1 or self.street == 3:
            self.over = True
            return
        self.street += 1
        self.begin()
        self.open()

    def open(self) -> None:
        """BET-7: no round when at most one seat has chips and it owes nothing."""
        able = [seat for seat in self.from_left() if self.chips[seat]]
        if not able or (len(able) == 1 and not self.owed(able[0])):
            self.close()
