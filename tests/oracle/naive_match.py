"""A second, naive reading of the order of messages in a heads-up hex match, sharing nothing with the table.

It knows everybody's seeds, keeps the moves as a line of letters after the table of HEX-7, and says which messages may
come next. Cards and winners come from hashlib and the naive evaluator.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from dealerless.protocol.events import (
    Accepted,
    Acted,
    Event,
    HandStarted,
    LayoutOpened,
    Left,
    Mucked,
    Offered,
    Readied,
    SeedsCommitted,
    Settled,
    Shown,
)
from tests.oracle.naive_hex import key, strongest

# HEX-7, one letter a move: what may follow what; HEX-6: the bets it puts in (allin: the whole stack).
FOLLOWS = {"": "kba", "k": "kba", "b": "craf", "r": "craf", "c": "kba", "a": "af"}
NAMES = {"k": "CHECK", "b": "BET", "c": "CALL", "r": "RAISE", "a": "ALLIN", "f": "FOLD"}
COSTS = {"k": 0, "b": 1, "c": 1, "r": 2, "f": 0}

Seeds = Callable[[int, str, int], bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class NaiveMatch:
    """What is needed to say what comes next. `seeds` gives a seat's seed by (seat, purpose, hand)."""

    offer: Offered
    seeds: Seeds
    session: bytes = b""
    messages: int = 0
    hand: int = 0
    line: str = ""
    stacks: tuple[int, int] = (0, 0)
    said: tuple[str, ...] = ()
    net: tuple[int, int] = (0, 0)
    last: tuple[int, int] = (0, 0)
    settling: bytes = b""
    left: tuple[int, ...] = ()

    @property
    def rules(self) -> tuple[int, int, str]:
        bet, depth, show = self.offer.rules
        assert isinstance(bet, int)
        assert isinstance(depth, int)
        assert isinstance(show, str)
        return bet, depth, show

    @property
    def opener(self) -> int:
        """TABLE-1: seat 1 opens hand 1, and then the other seat."""
        return self.hand % 2

    # --- what may come next

    def allowed(self, head: bytes) -> list[tuple[int, Event]]:
        """Every (seat, message) that may come now; `head` is the hash of the last message."""
        bet, depth, _ = self.rules
        whole = bet * (1 + depth)
        if self.messages < 4:
            opening: list[tuple[int, Event]] = [
                (0, self.offer),
                (1, Accepted(nonce=bytes(32), channel=b"")),
                (0, Readied()),
                (1, Readied()),
            ]
            return [opening[self.messages]]
        if self.settling or not self.said:
            if self.settling or self.hand == self.offer.hands or self.left:
                return self._settlement(head)
            started = HandStarted(number=self.hand + 1, button=self.hand % 2, stacks=(whole, whole), net=self.net)
            return [(self.hand % 2, started), (self.hand % 2, Left())]
        if len(self.said) < 3:
            return [(len(self.said) - 1, self.commitments(len(self.said) - 1))]
        if len(self.said) < 5:
            seat = len(self.said) - 3
            return [(seat, LayoutOpened(seed=self.seeds(seat, "layout", self.hand)))]
        if not self._betting_over():
            return self._moves()
        return self._shows()

    def commitments(self, seat: int) -> SeedsCommitted:
        layout, hole = [
            hashlib.sha256(
                f"dealerless/1 commit {purpose} {self.session.hex()} {self.hand:05} {seat} "
                f"{self.seeds(seat, purpose, self.hand).hex()}".encode()
            ).digest()
            for purpose in ("layout", "hole")
        ]
        return SeedsCommitted(layout=layout, hole=hole)

    def mover(self) -> int:
        return (self.opener + len(self.line)) % 2

    def _moves(self) -> list[tuple[int, Event]]:
        seat, bet = self.mover(), self.rules[0]
        mine = self.stacks[seat]
        costs = {move: COSTS.get(move, mine) for move in FOLLOWS[self.line[-1:]]}
        return [
            (seat, Acted(move=NAMES[move], amount=cost * bet))
            for move, cost in costs.items()
            if cost <= mine and (move != "a" or mine)
        ]

    def _betting_over(self) -> bool:
        owes = self.line[-1:] in ("b", "r") or (self.line[-1:] == "a" and self.stacks[0] != self.stacks[1])
        return self.line.endswith(("f", "kk")) or (self.stacks == (0, 0) and not owes)

    def _shows(self) -> list[tuple[int, Event]]:
        """SHOW-1: the last to lift shows first, else the opener; SHOW-2: the second may muck if nobody is all-in."""
        shown = self.said[5:]
        first = self._first_shower()
        seat = 1 - first if shown else first
        show = Shown(seed=self.seeds(seat, "hole", self.hand))
        if shown and self.rules[2] == "muck" and min(self.stacks):
            return [(seat, show), (seat, Mucked())]
        return [(seat, show)]

    def _first_shower(self) -> int:
        put = [0, 0]
        first = self.opener
        left = [self.rules[1], self.rules[1]]
        for place, move in enumerate(self.line):
            seat = (self.opener + place) % 2
            cost = COSTS.get(move, left[seat])
            put[seat] += cost
            left[seat] -= cost
            if put[seat] > put[1 - seat]:
                first = seat
        return first

    def _settlement(self, head: bytes) -> list[tuple[int, Event]]:
        """CHAIN-3: seats with chips first, then busted ones; not who left."""
        signed = self.said if self.settling else ()
        order = sorted((s for s in (0, 1) if s not in self.left), key=lambda s: (self._last_stacks()[s] == 0, s))
        waiting = order[len(signed) :]
        if not waiting:
            return []
        settled = Settled(head=self.settling or head, stacks=self._last_stacks(), net=self.net)
        return [(waiting[0], settled)]

    def _last_stacks(self) -> tuple[int, int]:
        bet, depth, _ = self.rules
        whole = bet * (1 + depth)
        return self.last if self.hand else (whole, whole)

    # --- what comes of it

    def after(self, event: Event, before: bytes, record: bytes) -> NaiveMatch:
        """The match after a message it allows, whose hash is `record` and that of the one before it `before`."""
        now = replace(self, messages=self.messages + 1)
        bet, depth, _ = self.rules
        if isinstance(event, HandStarted):
            return replace(now, hand=self.hand + 1, line="", stacks=(depth, depth), said=("hand",))
        if isinstance(event, Left):
            return replace(now, left=(self.hand % 2,))
        if isinstance(event, SeedsCommitted | LayoutOpened):
            return replace(now, said=(*self.said, event.KIND))
        if isinstance(event, Acted):
            letter = next(letter for letter, name in NAMES.items() if name == event.move)
            seat = self.mover()
            stacks = list(self.stacks)
            stacks[seat] -= event.amount // bet
            now = replace(now, line=self.line + letter, stacks=(stacks[0], stacks[1]))
            return now._paid({1 - seat}) if letter == "f" else now
        if isinstance(event, Mucked):
            return now._paid({self._first_shower()})
        if isinstance(event, Shown):
            now = replace(now, said=(*self.said, event.KIND))
            return now._paid(now.winners()) if len(now.said) == 7 else now
        if isinstance(event, Settled):
            return replace(now, settling=self.settling or before, said=(*(self.said if self.settling else ()), "end"))
        return now

    def _paid(self, winners: set[int]) -> NaiveMatch:
        bet, depth, _ = self.rules
        pot = bet * (2 + 2 * depth - sum(self.stacks))
        stacks = [bet * left + (pot // len(winners) if seat in winners else 0) for seat, left in enumerate(self.stacks)]
        changes = [now - bet * (1 + depth) for now in stacks]
        net = (self.net[0] + changes[0], self.net[1] + changes[1])
        return replace(self, said=(), last=(stacks[0], stacks[1]), net=net)

    def winners(self) -> set[int]:
        """Who has the stronger seven, or both."""
        strengths = [key(strongest(self.seven(seat))) for seat in (0, 1)]
        return {seat for seat in (0, 1) if strengths[seat] == max(strengths)}

    def seven(self, seat: int) -> tuple[int, ...]:
        """HASHDEAL-1, HASHDEAL-2."""
        where = f"{self.offer.suite} {self.session.hex()} {self.hand}"
        layouts = " ".join([self.seeds(other, "layout", self.hand).hex() for other in (0, 1)])
        deal = self.digest(f"dealerless/1 hex-deal {where} {layouts}")
        hole = self.digest(f"dealerless/1 hex-hole {where} {deal} {seat} {self.seeds(seat, 'hole', self.hand).hex()}")
        return tuple(int(digit, 16) for digit in deal[:5] + hole[:2])

    def digest(self, line: str) -> str:
        return hashlib.new(self.offer.suite, line.encode(), usedforsecurity=False).hexdigest()
