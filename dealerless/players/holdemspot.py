"""Where a seat stands that is to move at Hold'em: pot, price, opponents, position, and what the hand went through.

All of it is public but the seat's own cards; both strategies that count read it from here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from ..games.betting import Betting
from ..games.game import Act, Card, Deal, Move, OpenBoard, Option, Release
from ..games.holdem import HOLDEM
from ..games.holdemhand import HoldemHand
from .player import SeatView

LIFTS: Final = ("BET", "RAISE")

_RIVER: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """The decision of a seat.

    `board`: the open cards. `pot`: all chips in it. `owed`: what a call costs, at most our stack. `put`, `stack`: our
    chips in this round, and behind. `level`: of this round. `opponents`: seats still in but ours, those to act after us
    in this round first. `behind`: how many of them those are. `position`: which share of the opponents acts before us
    once a board is open, 1 for the best place. `lift`: the bet or raise we may make, if any.
    """

    seat: int
    hole: tuple[Card, ...]
    board: tuple[Card, ...]
    street: int
    pot: int
    owed: int
    put: int
    stack: int
    level: int
    betting: Betting
    opponents: tuple[int, ...]
    behind: int
    position: float
    lift: Option | None

    @property
    def price(self) -> float:
        """The chance to win that pays for a call: what it costs, of the pot with it."""
        return self.owed / (self.pot + self.owed)

    @property
    def more(self) -> bool:
        """Whether there can be more betting after a call."""
        behind = [self.betting.stacks[seat] for seat in self.opponents]
        return self.street < _RIVER and self.stack > self.owed and any(behind)

    def passing(self) -> Move:
        """Return the move that puts in nothing."""
        return Move(name="FOLD" if self.owed else "CHECK", amount=0)

    def staying(self) -> Move:
        """Return the move that puts in what is owed and no more."""
        return Move(name="CALL" if self.owed else "CHECK", amount=0)

    def lifting(self, to: int) -> Move:
        """Return the bet or raise to `to`, or to the nearest level that is allowed; CALL or CHECK where none is."""
        if self.lift is None:
            return self.staying()
        return Move(name=self.lift.name, amount=max(self.lift.least, min(to, self.lift.most)))

    def level_after(self, move: Move) -> int:
        """Return the level of the round after a bet or raise of ours."""
        structure = self.betting.structure
        if structure.amounts == "to":
            return move.amount
        return min(self.betting.full + structure.unit, self.put + self.stack)


class Past(NamedTuple):
    """A move that was made, with the hand as it stood before it."""

    hand: HoldemHand
    seat: int
    move: Move


def spot(view: SeatView) -> Spot:
    """Return where the seat stands; only to be asked for when it is to move."""
    hand: HoldemHand = view.hand
    betting, seat = hand.betting, view.seat
    seats = len(hand.folded)
    others = [other % seats for other in range(seat + 1, seat + seats) if not hand.folded[other % seats]]
    behind = [other for other in others if hand.stacks[other] and _acts_after(betting, other)]
    return Spot(
        seat=seat,
        hole=view.hole,
        board=view.board,
        street=hand.street,
        pot=sum(hand.totals),
        owed=min(betting.owed, hand.stacks[seat]),
        put=betting.put[seat],
        stack=hand.stacks[seat],
        level=betting.level,
        betting=betting,
        opponents=(*behind, *[other for other in others if other not in behind]),
        behind=len(behind),
        position=sum([_place(hand, other) < _place(hand, seat) for other in others]) / len(others),
        lift=next((option for option in view.legal if option.name in LIFTS), None),
    )


def _acts_after(betting: Betting, seat: int) -> bool:
    """Return whether the seat still has to act in this round, also if nobody bets."""
    return betting.acted[seat] < betting.level or betting.acted[seat] < 0


def _place(hand: HoldemHand, seat: int) -> int:
    """Return where a seat comes in the order from the button's left."""
    return (seat - hand.button - 1) % len(hand.folded)


def history(view: SeatView) -> Iterator[Past]:
    """Yield the moves of the hand so far, each with what everybody saw before it.

    The hand is played again by its rules. Who was expelled has no move to show for it: a seat whose turn it is while
    the next move is another's is taken out there (VERDICT-4).
    """
    play, now = view.play, view.hand
    hand = HOLDEM.start(now.terms, play.before, now.button, play.dealt)
    for action in play.actions:
        while True:
            due = hand.due
            if isinstance(due, Deal | Release):
                hand = HOLDEM.dealt(hand, {})
            elif isinstance(due, OpenBoard):
                known = {slot: card for slot in due.slots if (card := now.cards[slot]) is not None}
                if len(known) < len(due.slots):
                    return
                hand = HOLDEM.dealt(hand, known)
            elif isinstance(due, Act) and due.seat != action.seat:
                hand = HOLDEM.forfeit(hand, due.seat)
            else:
                break
        move = Move(name=action.move, amount=action.amount)
        if HOLDEM.check(hand, action.seat, move) is not None:
            return
        yield Past(hand, action.seat, move)
        hand = HOLDEM.apply(hand, action.seat, move)
