"""Random rounds of One Poker for reports, with a log of what happened in them that no report has made."""

from __future__ import annotations

import random

from dealerless.games.game import Act, Deal, DrawLot, Drawn, Finished, Laid, Lay, Light, Lit, Move, Reveal, Show
from dealerless.games.onepoker import ONEPOKER
from dealerless.games.onepokerhand import OneHand, OneTerms
from dealerless.protocol.state import ActionTaken, HandRecord
from tests.one import is_up

Happened = tuple[object, ...]
Lamps = list[list[int]]


class OneTable:
    """A match from a seed. `records` are its rounds; `happened` is by round what happened in it, `lamps` what was held.

    `expelling` and `stopping` are how likely it is at each step that a seat goes, and that the match breaks off;
    without `betting` both check.
    """

    def __init__(
        self,
        seed: int,
        *,
        lives: tuple[int, int] | None = None,
        rounds: int = 3,
        betting: bool = True,
        expelling: float = 0.0,
        stopping: float = 0.0,
    ) -> None:
        self.pick = random.Random(seed)
        self.lives = lives or (self.pick.randint(1, 6), self.pick.randint(1, 6))
        self.records: list[HandRecord] = []
        self.happened: list[list[Happened]] = []
        self.lamps: list[Lamps] = []
        self._betting = betting
        self._held: list[list[int]] = [[], []]
        self._down: list[int | None] = [None, None]
        self._shoe: list[int] = []
        self._actions: list[ActionTaken] = []
        self._before = self.lives
        self.hand = ONEPOKER.start(OneTerms(lives=self.lives), self.lives, 0, (0, 1))
        self._begin()
        while True:
            if isinstance(self.hand.due, Finished):
                end = self.hand.due
                self._record()
                if len(self.records) == rounds or 0 in end.stacks or end.result == "forfeit":
                    return
                assert end.button is not None
                self._before = (end.stacks[0], end.stacks[1])
                last, self.hand = self.hand, ONEPOKER.start(self.hand.terms, end.stacks, end.button, (0, 1), self.hand)
                self._begin()
                if last.used == 78:
                    self._log("shoe", None)
            elif self.pick.random() < stopping:
                self._record()
                return
            elif self.pick.random() < expelling:
                seat = self.pick.randrange(2)
                self._log("expelled", seat)
                self.hand = ONEPOKER.forfeit(self.hand, seat)
            else:
                self._go_on()

    @property
    def now(self) -> Lamps:
        """By seat how many DOWN and UP cards it holds, a laid one among them, as far as it has shown it."""
        return self.lamps[-1]

    def _begin(self) -> None:
        self._actions = []
        self.happened.append([])
        self._down = [None, None]
        kept = [[is_up(ONEPOKER.card_text(card)) for card in held] for held in self._held]
        self.lamps.append([[ups.count(0), ups.count(1)] for ups in kept])
        if self.hand.used in (0, 2):
            self._shoe = list(ONEPOKER.deck())
            self.pick.shuffle(self._shoe)

    def _record(self) -> None:
        due = self.hand.due
        self.records.append(
            HandRecord(
                number=len(self.records) + 1,
                game=ONEPOKER,
                hand=self.hand,
                deal=None,
                before=self._before,
                actions=tuple(self._actions),
                finished=due if isinstance(due, Finished) else None,
            )
        )

    def _log(self, *what: object) -> None:
        self.happened[-1].append(what)

    def _go_on(self) -> None:
        due, hand = self.hand.due, self.hand
        if isinstance(due, DrawLot):
            seat = self.pick.randrange(2)
            self._log("lot", seat)
            self.hand = ONEPOKER.apply(hand, seat, Drawn())
        elif isinstance(due, Deal):
            for seat, slots in due.hands:
                self._held[seat] += [self._shoe[slot] for slot in slots]
            self.hand = ONEPOKER.dealt(hand, {})
        elif isinstance(due, Light):
            ups = [is_up(ONEPOKER.card_text(card)) for card in self._held[due.seat][-due.count :]]
            for up in ups:
                self.now[due.seat][up] += 1
            self._log("lamps", due.seat, *self.now[due.seat])
            self.hand = ONEPOKER.apply(hand, due.seat, Lit(classes=tuple(ups)))
        elif isinstance(due, Lay):
            self._down[due.seat] = self._held[due.seat].pop(self.pick.randrange(2))
            self._log("lay", due.seat)
            self.hand = ONEPOKER.apply(hand, due.seat, Laid())
        elif isinstance(due, Act):
            self._move(due.seat)
        elif isinstance(due, Show):
            card = self._down[due.seat]
            assert card is not None
            self._log("show", due.seat, ONEPOKER.card_text(card))
            self.hand = ONEPOKER.apply(hand, due.seat, Reveal(cards=(card,)))

    def _move(self, seat: int) -> None:
        option = self.pick.choice(ONEPOKER.legal(self.hand)[: None if self._betting else 1])
        amount = self.pick.randint(option.least, option.most)
        before = self.hand
        after: OneHand = ONEPOKER.apply(before, seat, Move(name=option.name, amount=amount))
        seq = len(self._actions) + 1
        paid = before.stacks[seat] - after.stacks[seat]
        self._log("move", seat, seq, option.name, amount, paid)
        self._actions.append(ActionTaken(seq, seat, option.name, amount, after.stacks, sum(after.totals)))
        self.hand = after
