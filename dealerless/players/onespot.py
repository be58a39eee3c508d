"""A decision of One Poker as the computer players look at it: lamps, lives, the price, cards that can still come."""

from __future__ import annotations

from typing import Final, NamedTuple

from ..games.cards import RANKS, rank_of
from ..games.game import Move, Option
from ..games.onepokerhand import COPIES, OneHand
from .onetable import COMBOS, HANDS_OF, PAIRS, RANKS_OF
from .player import SeatView

_OF_A_RANK: Final = 4 * COPIES
"""How many cards of each rank there are in a shoe (ONE-2)."""

_ACE: Final = len(RANKS) - 1


class Spot(NamedTuple):
    """What a seat decides on.

    `player`: 0 with priority, else 1. `ranks`: of its two cards, the laid one first once it lies. `lamps`, `others`:
    how many of its cards and of the other's are UP. `behind`: how many lives each can put in after the ante, at most as
    many as the other. `level`: to how many of them the betting has come. `pot`, `owed`: lives. `left`: by rank how many
    cards are neither ours nor opened since the shoe was shuffled. `lift`: the bet or raise that is legal, or None.
    `closing`: whether the betting ends if nobody puts in more than is owed now.
    """

    player: int
    ranks: tuple[int, ...]
    lamps: int
    others: int
    behind: int
    level: int
    pot: int
    owed: int
    left: tuple[int, ...]
    lift: Option | None
    closing: bool

    @property
    def combo(self) -> int:
        """The number of the pair of lamps, those of who has priority first."""
        pair = (self.lamps, self.others) if self.player == 0 else (self.others, self.lamps)
        return COMBOS.index(pair)

    @property
    def price(self) -> float:
        """The share of the pot that a call makes up."""
        return self.owed / (self.pot + self.owed)

    @property
    def certain(self) -> bool:
        """Whether no card that the other can have laid beats ours."""
        return all(against(self.ranks[0], rank) >= 0 for rank in RANKS_OF[self.others])

    @property
    def hopeless(self) -> bool:
        """Whether every card that the other can have laid beats ours."""
        return all(against(self.ranks[0], rank) < 0 for rank in RANKS_OF[self.others])

    def dominated(self, name: str) -> bool:
        """Return whether another move is at least as good as the one of this name, whatever the other holds and does.

        A card that cannot lose is not given up, nor shown for what is in the pot when it could still ask for more: a
        fold of the other wins as much, and a tie becomes a pot. One that cannot win pays for nothing but a bluff later.
        """
        if self.certain:
            return name == "FOLD" or (name == "CHECK" and self.closing and self.lift is not None)
        return name == "CALL" and self.closing and self.hopeless

    def staying(self) -> Move:
        """Return the move that puts in no more than is owed."""
        return Move(name="CALL" if self.owed else "CHECK", amount=0)

    def lifting(self, amount: int) -> Move:
        """Return the bet or raise by so many lives, or as near to it as is legal; without one what stays in."""
        if self.lift is None:
            return self.staying()
        return Move(name=self.lift.name, amount=min(max(amount, self.lift.least), self.lift.most))


def spot(view: SeatView) -> Spot:
    """Return the decision that the view of a round of One Poker stands at."""
    hand: OneHand = view.hand
    betting, seat = hand.betting, view.seat
    left = [_OF_A_RANK] * len(RANKS)
    for card in (*hand.played, *view.hole):
        # Over two shoes a thirteenth card of a rank may be seen (ONE-2).
        left[rank_of(card)] = max(left[rank_of(card)] - 1, 0)
    lifts = [option for option in view.legal if option.name in ("BET", "RAISE")]
    owed = betting.owed if betting.to_act == seat else 0
    return Spot(
        player=0 if hand.first == seat else 1,
        ranks=tuple([rank_of(card) for card in view.hole]),
        lamps=hand.lamps[seat][1],
        others=hand.lamps[1 - seat][1],
        behind=min([stack + total for stack, total in zip(betting.stacks, betting.totals, strict=True)]) - 1,
        level=betting.level,
        pot=sum(betting.totals),
        owed=owed,
        left=tuple(left),
        lift=lifts[0] if lifts else None,
        # A call that leaves either without lives, or the second check (ONE-8).
        closing=min(betting.stacks[seat] - owed, betting.stacks[1 - seat]) == 0 if owed else betting.checks == 1,
    )


def against(rank: int, other: int) -> int:
    """Return 1 if a card of this rank beats one of the other, -1 if it is beaten, 0 if they tie (ONE-9)."""
    if {rank, other} == {0, _ACE}:
        return 1 if rank == 0 else -1
    return (rank > other) - (rank < other)


def wins(rank: int, weights: list[float]) -> float:
    """Return the share of these ranks, by weight, that a card beats, ties counted half; half without any weight."""
    total = sum(weights)
    if total <= 0:
        return 0.5
    return sum([weight * (1 + against(rank, other)) for other, weight in enumerate(weights)]) / (2 * total)


def behind_lamps(lamps: int, kept: tuple[float, ...], left: tuple[int, ...]) -> list[tuple[int, int, float]]:
    """Return the hands, by their two ranks, that can be behind these lamps, and how likely each is, not normed.

    `kept`: by rank how often it is held from the round before. `left`: by rank how many cards are not seen.
    """
    hands = []
    for hand in HANDS_OF[lamps]:
        first, second = PAIRS[hand]
        ways = kept[first] if first == second else kept[first] + kept[second]
        hands.append((first, second, ways * left[first] * left[second]))
    return hands
