"""Hands of five-card draw straight on the rules, with a note of all that happened."""

from __future__ import annotations

import random

from dealerless.games.draw import DRAW
from dealerless.games.drawhand import DrawHand, DrawTerms
from dealerless.games.game import Act, Deal, Discard, Exchange, Finished, Move, Muck, Reveal, Show
from dealerless.protocol.deckdeal import DeckDeal
from dealerless.protocol.state import ActionTaken, HandRecord
from tests.report.tables import Happened


class DrawTable:
    """One hand, played at random; `happened` is what a report of it has to tell, in order.

    `expelling` and `stopping` are the chances before each thing that a seat is expelled, and that the record ends.
    """

    def __init__(self, seed: int, *, expelling: float = 0.0, stopping: float = 0.0) -> None:
        self.pick = pick = random.Random(seed)
        seats = pick.randint(2, 6)
        allin = pick.random() < 0.7
        terms = DrawTerms(
            ante=pick.choice([1, 5]),
            first=10,
            second=pick.choice([10, 20]),
            raises=2,
            allin=allin,
            stack=100,
            show="muck",
        )
        least = 1 if allin else terms.dearest
        stacks = [pick.choice([0, 1, 3, 8, 25, 60, 100, 250]) for _ in range(seats)]
        for seat in pick.sample(range(seats), 2):
            stacks[seat] = max(stacks[seat], least)
        self.stacks = tuple(stacks)
        self.seated = tuple([seat for seat, stack in enumerate(stacks) if stack >= least])
        self.deck = pick.sample(range(52), 52)
        self.hand: DrawHand = DRAW.start(terms, self.stacks, pick.choice(self.seated), self.seated)
        self.happened: list[Happened] = []
        self.actions: list[ActionTaken] = []
        self.released: set[int] = set()
        self.lost: list[int] = []
        self.seats = self.seated
        self.dealt = False
        while not isinstance(self.hand.due, Finished) and pick.random() >= stopping:
            if pick.random() >= expelling or not self._expel():
                self._go_on()

    def record(self) -> HandRecord:
        """The hand as the table would keep it."""
        due = self.hand.due
        deal = DeckDeal(
            game=DRAW,
            suite="",
            keyed=(1, 0),
            session=bytes(32),
            hand=1,
            seats=self.seats,
            cards=DRAW.deck(),
            lost=tuple([seat for seat in self.lost if seat in self.seats]),
        )
        return HandRecord(
            number=1,
            game=DRAW,
            hand=self.hand,
            deal=deal,
            before=self.stacks,
            actions=tuple(self.actions),
            finished=due if isinstance(due, Finished) else None,
        )

    def _expel(self) -> bool:
        due = self.hand.due
        inside = [seat for seat in self.seated if not self.hand.folded[seat]]
        seat = due.seat if isinstance(due, Act | Show | Exchange) else self.pick.choice(inside)
        if len(inside) < 2:
            return False
        self.happened.append(("expelled", seat))
        self._become(DRAW.forfeit(self.hand, seat))
        self.lost.append(seat)
        if not self.dealt:
            self.seats = tuple([other for other in self.seats if other != seat])
        return True

    def _go_on(self) -> None:
        due, hand = self.hand.due, self.hand
        missed = (set(self.seats) & set(self.lost)) - self.released
        if hand.exchanging and missed and isinstance(due, Exchange | Deal):
            self.happened.append(("stranded",))
            self._become(DRAW.stranded(hand))
        elif isinstance(due, Deal):
            self.dealt = True
            self._become(DRAW.dealt(hand, {}))
        elif isinstance(due, Exchange):
            slots = tuple(sorted(self.pick.sample(due.slots, self.pick.randint(0, 3))))
            self._take(due.seat, "EXCHANGE", len(slots), DRAW.apply(hand, due.seat, Discard(slots=slots)))
        elif isinstance(due, Act):
            options = {option.name: option for option in DRAW.legal(hand)}
            names = [name for name in options if name != "FOLD" or self.pick.random() < 0.4] or list(options)
            name = self.pick.choice(names)
            after = DRAW.apply(hand, due.seat, Move(name=name, amount=0))
            self.released |= {due.seat} if DRAW.release(after, due.seat) else set()
            self._take(due.seat, name, 0, after)
        elif isinstance(due, Show):
            mucks = due.may_muck and self.pick.random() < 0.5
            self.happened.append(("muck" if mucks else "show", due.seat))
            cards = tuple([self.deck[slot] for slot in due.slots])
            self._become(DRAW.apply(hand, due.seat, Muck() if mucks else Reveal(cards=cards)))

    def _take(self, seat: int, name: str, amount: int, after: DrawHand) -> None:
        seq = len(self.actions) + 1
        self.happened.append(("move", seq, 0))
        self.actions.append(ActionTaken(seq, seat, name, amount, after.stacks, sum(after.totals)))
        self._become(after)

    def _become(self, after: DrawHand) -> None:
        for seat, (had, has) in enumerate(zip(self.hand.totals, after.totals, strict=True)):
            if has < had:
                self.happened.append(("return", seat, had - has))
        self.hand = after
