"""Hands and matches of Hold'em straight on the rules, with a note of all that happened: many seats at no cost."""

from __future__ import annotations

import random
from typing import Any

from dealerless.games.game import Act, Deal, Finished, Move, Muck, OpenBoard, Release, Reveal, Show
from dealerless.games.holdem import HOLDEM
from dealerless.games.holdemhand import HoldemHand, HoldemTerms
from dealerless.protocol.deckdeal import DeckDeal
from dealerless.protocol.state import ActionTaken, HandRecord
from dealerless.referee import Outcome, Verdict
from dealerless.referee.judge import player
from tests.holdem import chips, opened, terms
from tests.matches import KEYS

Happened = tuple[Any, ...]
"""What it is, and what there is to say of it: a seat, a number of open cards, an amount."""


class Table:
    """One hand, played at random from a shuffled deck; `happened` is what a report of it has to tell, in order.

    `expelling` and `stopping` are the chances before each thing that a seat is expelled, and that the record ends; it
    is the seat that is waited for, or with `anybody` any. `wild` is that of a bet of more than has to be.
    """

    def __init__(
        self,
        pick: random.Random,
        agreed: HoldemTerms,
        stacks: tuple[int, ...],
        button: int,
        *,
        number: int = 1,
        expelling: float = 0.0,
        stopping: float = 0.0,
        anybody: bool = False,
        wild: float = 1.0,
    ) -> None:
        self.anybody = anybody
        self.pick, self.agreed, self.stacks, self.number, self.wild = pick, agreed, stacks, number, wild
        self.seated = tuple([seat for seat, stack in enumerate(stacks) if stack])
        self.deck = pick.sample(range(52), 52)
        self.hand: HoldemHand = opened(agreed, stacks, button)
        self.happened: list[Happened] = []
        self.actions: list[ActionTaken] = []
        self.released: set[int] = set()
        self.lost: list[int] = []
        self.lost_by_deck: tuple[int, ...] = ()
        self.seats = self.seated
        self.fresh: tuple[int, ...] = ()
        self.dealt = False
        while not isinstance(self.hand.due, Finished) and pick.random() >= stopping:
            if pick.random() >= expelling or not self._expel():
                self._go_on()

    def record(self) -> HandRecord:
        """The hand as the table would keep it."""
        due = self.hand.due
        deal = DeckDeal(
            game=HOLDEM,
            suite="",
            keyed=(self.number, 0),
            session=bytes(32),
            hand=1,
            seats=self.seats,
            cards=HOLDEM.deck(),
            fresh=self.fresh,
            lost=self.lost_by_deck,
        )
        return HandRecord(
            number=self.number,
            game=HOLDEM,
            hand=self.hand,
            deal=deal,
            before=self.stacks,
            actions=tuple(self.actions),
            finished=due if isinstance(due, Finished) else None,
        )

    def _expel(self) -> bool:
        """Expel a seat, if two are in and one that is owed something is among them."""
        due = self.hand.due
        inside = [seat for seat in self.seated if not self.hand.folded[seat]]
        # The fresh deck is made by who has shown (VERDICT-4c).
        fresh = isinstance(due, OpenBoard) and due.fresh
        waited = [seat for seat in inside if seat in self.hand.shown] if fresh else inside
        if isinstance(due, Act | Show | Release) and not self.anybody:
            waited = [due.seat]
        seat = self.pick.choice(waited)
        if len(inside) < 2 or (isinstance(due, OpenBoard) and seat in self.released):
            return False
        self.lost.append(seat)
        self.happened.append(("expelled", seat))
        self._become(HOLDEM.forfeit(self.hand, seat))
        if not self.dealt:
            self.seats = tuple([other for other in self.seats if other != seat])
        elif seat in self.seats:
            self.lost_by_deck = (*self.lost_by_deck, seat)
        return True

    def _go_on(self) -> None:
        due = self.hand.due
        if isinstance(due, Deal | Release):
            self.dealt = True
            self.released |= {due.seat} if isinstance(due, Release) else set()
            self._become(HOLDEM.dealt(self.hand, {}))
        elif isinstance(due, OpenBoard):
            self._open(due)
        elif isinstance(due, Act):
            self._act(due.seat)
        elif isinstance(due, Show):
            mucks = due.may_muck and self.pick.random() < 0.5
            self.happened.append(("muck" if mucks else "show", due.seat))
            cards = tuple([self.deck[slot] for slot in due.slots])
            self._become(HOLDEM.apply(self.hand, due.seat, Muck() if mucks else Reveal(cards=cards)))

    def _open(self, due: OpenBoard) -> None:
        if not due.fresh and (set(self.seats) & set(self.lost)) - self.released:
            self.happened.append(("stranded",))
            self._become(HOLDEM.stranded(self.hand))
            return
        if due.fresh:
            self.fresh, self.lost_by_deck = due.slots, ()
        after = HOLDEM.dealt(self.hand, {slot: self.deck[slot] for slot in due.slots})
        self.happened.append(("board", self._count(after)))
        self._become(after)

    def _act(self, seat: int) -> None:
        options = {option.name: option for option in HOLDEM.legal(self.hand)}
        # Folds are rarer, so that there is something to see.
        names = [name for name in options if name != "FOLD" or self.pick.random() < 0.4] or list(options)
        option = options[self.pick.choice(names)]
        most = option.most if self.pick.random() < self.wild else option.least
        amount = self.pick.choice([option.least, self.pick.randint(option.least, most), most])
        seq = len(self.actions) + 1
        self.happened.append(("move", seq, self._count(self.hand)))
        after = HOLDEM.apply(self.hand, seat, Move(name=option.name, amount=amount))
        self.actions.append(ActionTaken(seq, seat, option.name, amount, after.stacks, sum(after.totals)))
        if HOLDEM.release(after, seat):
            self.released.add(seat)
        self._become(after)

    def _become(self, after: HoldemHand) -> None:
        for seat, (had, has) in enumerate(zip(self.hand.totals, after.totals, strict=True)):
            if has < had:
                self.happened.append(("return", seat, had - has))
        self.hand = after

    def _count(self, hand: HoldemHand) -> int:
        return sum(hand.cards[slot] is not None for slot in hand.board)


def at_random(
    seed: int, seats: int | None = None, *, expelling: float = 0.0, stopping: float = 0.0, anybody: bool = False
) -> Table:
    """A hand with terms and stacks of all kinds."""
    pick = random.Random(seed)
    seats = pick.randint(2, 9) if seats is None else seats
    structure = pick.choice(["no-limit", "limit"])
    agreed = terms(structure, small=pick.choice([1, 5]), big=10, ante=pick.choice([0, 0, 1, 5]), show="muck")
    stacks = [pick.choice([0, 1, 3, 8, 12, 25, 60, 100, 250]) for _ in range(seats)]
    for seat in pick.sample(range(seats), 2):
        stacks[seat] = stacks[seat] or 50
    button = pick.choice([seat for seat, stack in enumerate(stacks) if stack])
    return Table(pick, agreed, tuple(stacks), button, expelling=expelling, stopping=stopping, anybody=anybody)


def match(seed: int, seats: int, hands: int, stack: int = 1000) -> tuple[list[HandRecord], Verdict]:
    """A match of Hold'em to its end, and the verdict that a referee would have of it."""
    pick = random.Random(seed)
    agreed = terms(small=5, big=10, ante=1, stack=stack)
    records: list[HandRecord] = []
    stacks, button = (stack,) * seats, 0
    while len(records) < hands and len([one for one in stacks if one]) > 1:
        table = Table(pick, agreed, stacks, button, number=len(records) + 1, wild=0.02)
        records.append(table.record())
        assert chips(table.hand) == sum(stacks)
        dealt, stacks = table.seated, records[-1].after
        seated = tuple([seat for seat, one in enumerate(stacks) if one])
        button = HOLDEM.next_button(button, dealt, seated, seats)
    everybody = tuple(range(seats))
    verdict = Verdict(
        outcome=Outcome.CLEAN,
        game="holdem",
        suite="ristretto255-sha512",
        dealing="deck",
        session=bytes(32),
        players=tuple([player(seat, key.public.key, f"seat {seat}") for seat, key in enumerate(KEYS[:seats])]),
        hands=tuple(records),
        stacks=stacks,
        net=tuple([one - stack for one in stacks]),
        settled=everybody,
        settling=everybody,
        head=bytes(32),
        frames=1,
    )
    return records, verdict
