"""One round of One Poker from its antes to its pot: what it needs next, and what each event makes of it.

Slots are places of the half of the shoe that is used, 0 to 77, in the order of TABLE-5. Which of its two cards a player
laid nobody knows, so after that no card has a slot; in `OneHand.cards` place 0 is the card that seat 0 laid, place 1
that of seat 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from .betting import Betting, open_round
from .cards import DECK, rank_of
from .game import Act, Card, Deal, Demand, DrawLot, Lay, Light, Pot, Show
from .pots import order_from
from .showdown import paid
from .structure import Structure

COPIES: Final = 3
"""How often each card is in the shoe (ONE-2)."""
HALF: Final = COPIES * len(DECK) // 2
"""Cards of a shoe that are used: it is cut in half (ONE-2)."""

DOWN: Final = 0
UP: Final = 1
CLASSES: Final = ("DOWN", "UP")
"""What the two lamps say, by number (ONE-4)."""

_EIGHT: Final = 6
_ACE: Final = 12
_DEUCE: Final = 0
_ACT: Final = (Act(seat=0), Act(seat=1))
_SHOW: Final = tuple(Show(seat=seat, slots=(seat,), may_muck=False) for seat in (0, 1))
_BETTING: Final = Structure(unit=1, sizes="matched", amounts="by", closes="checks")


def class_of(card: Card) -> int:
    """Return the class of a card: 2 to 7 are DOWN, 8 to A are UP (ONE-4)."""
    return UP if rank_of(card) >= _EIGHT else DOWN


MEMBERS: Final = tuple(
    (name, tuple([card for card in DECK if class_of(card) == up])) for up, name in enumerate(CLASSES)
)
"""By class its name and its cards, each once, in the order of the deck (DECK-8)."""


def beats(first: Card, second: Card) -> bool:
    """Return whether the first card beats the second: the higher rank does, but 2 beats A (ONE-9).

    That is no order: 2 < 3 < ... < A < 2. Two cards are compared, and nothing is ever sorted by it.
    """
    ranks = (rank_of(first), rank_of(second))
    if ranks in ((_DEUCE, _ACE), (_ACE, _DEUCE)):
        return ranks[0] == _DEUCE
    return ranks[0] > ranks[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class OneTerms:
    """What is agreed before play: the lives of each player, by seat (ONE-1)."""

    lives: tuple[int, int]

    def fields(self) -> tuple[bool | int | str, ...]:
        """Return the terms in wire order: the lives of seat 0 and of seat 1."""
        return self.lives


class OneHand(NamedTuple):
    """One round as everybody sees it.

    `button`: who starts it. `priority`: who is dealt, lays and bets first; None until the lot has fallen (ONE-6).
    `betting`: the betting, open from the antes on though nobody may move before both cards lie. `used`: slots of the
    shoe dealt so far, with those of the running deal. `lamps`: by seat how many cards of each class it holds, DOWN
    first; a laid card counts until it is open. `laid`: seats that have laid, in order. `cards`: by seat its laid card,
    None while closed. `shown`: seats whose laid card is open, in order. `played`: the cards that were opened since the
    shoe was shuffled, in order, those of this round last. `due`: what the round needs next.
    """

    terms: OneTerms
    button: int
    priority: int | None
    betting: Betting
    used: int
    lamps: tuple[tuple[int, int], tuple[int, int]]
    laid: tuple[int, ...]
    cards: tuple[Card | None, ...]
    shown: tuple[int, ...]
    played: tuple[Card, ...]
    due: Demand

    @property
    def stacks(self) -> tuple[int, ...]:
        """Lives left, by seat, before the pot is paid; what it leaves is in `Finished`."""
        return self.betting.stacks

    @property
    def totals(self) -> tuple[int, ...]:
        """Lives each seat has in the pot."""
        return self.betting.totals

    @property
    def folded(self) -> tuple[bool, ...]:
        """True for a seat that folded or was expelled."""
        return self.betting.folded

    @property
    def first(self) -> int:
        """Who is first in everything: priority, or before the lot the button."""
        return self.button if self.priority is None else self.priority


def opened(terms: OneTerms, stacks: tuple[int, ...], button: int, last: OneHand | None) -> OneHand:
    """Return the round with a life of each in the pot (ONE-5); what is left of the one before is in `last`.

    When the used half of the shoe has no cards left, they come from a new one (ONE-2).
    """
    shoe = None if last is None or last.used == HALF else last
    behind = (stacks[0] - 1, stacks[1] - 1)
    hand = OneHand(
        terms=terms,
        button=button,
        priority=None if last is None else button,
        betting=open_round(_BETTING, behind, (1, 1), (False, False), button),
        used=0 if shoe is None else shoe.used,
        lamps=((0, 0), (0, 0)) if last is None else last.lamps,
        laid=(),
        cards=(None, None),
        shown=(),
        played=() if shoe is None else shoe.played,
        due=DrawLot(seats=(0, 1)),
    )
    return hand if last is None else _dealing(hand, 1)


def drawn(hand: OneHand, seat: int) -> OneHand:
    """Return the first round after the lot fell on `seat`: two cards to each are due (ONE-3, ONE-6)."""
    betting = hand.betting
    betting = open_round(_BETTING, betting.stacks, betting.totals, betting.folded, seat)
    return _dealing(hand._replace(priority=seat, betting=betting), 2)


def _dealing(hand: OneHand, many: int) -> OneHand:
    """Return the round with so many cards for each due, those of who has priority first (TABLE-5)."""
    first, top = hand.first, hand.used
    hands = ((first, tuple(range(top, top + many))), (1 - first, tuple(range(top + many, top + 2 * many))))
    return hand._replace(used=top + 2 * many, due=Deal(hands=hands))


def dealt(hand: OneHand) -> OneHand:
    """Return the round whose cards were dealt: the lamps of who has priority are next (ONE-4)."""
    return _lighting(hand, hand.first)


def _lighting(hand: OneHand, seat: int) -> OneHand:
    # What is not lit of two cards is new: both in the first round, one in the others.
    return hand._replace(due=Light(seat=seat, count=2 - sum(hand.lamps[seat]), classes=MEMBERS))


def lit(hand: OneHand, seat: int, classes: tuple[int, ...]) -> OneHand:
    """Return the round after `seat` showed the classes of its new cards: the other's lamps, then the lays (ONE-5)."""
    lamps = _lamps(hand, seat, [classes.count(DOWN), classes.count(UP)])
    hand = hand._replace(lamps=lamps)
    return _lighting(hand, 1 - seat) if seat == hand.first else hand._replace(due=Lay(seat=hand.first))


def laid(hand: OneHand, seat: int) -> OneHand:
    """Return the round after `seat` laid a card: the other lays, then there is betting, if any (ONE-5, ONE-8)."""
    hand = hand._replace(laid=(*hand.laid, seat))
    return hand._replace(due=Lay(seat=1 - seat)) if len(hand.laid) == 1 else moved(hand, hand.betting)


def moved(hand: OneHand, betting: Betting) -> OneHand:
    """Return the round after its betting became `betting`: the next to act, or the laid cards are to be opened.

    Without lives on both sides there is no betting at all (ONE-8).
    """
    if betting.to_act is not None and (betting.moves or all(betting.stacks)):
        return hand._replace(betting=betting, due=_ACT[betting.to_act])
    return hand._replace(betting=betting, due=_SHOW[hand.first])


def shown(hand: OneHand, seat: int, card: Card) -> OneHand:
    """Return the round after the laid card of `seat` opened; with both open the pot is paid (ONE-5, ONE-9)."""
    cards = (card, hand.cards[1]) if seat == 0 else (hand.cards[0], card)
    less = [-(class_of(card) == DOWN), -(class_of(card) == UP)]
    hand = hand._replace(
        cards=cards,
        lamps=_lamps(hand, seat, less),
        shown=(*hand.shown, seat),
        played=(*hand.played, card),
        due=_SHOW[1 - seat],
    )
    return _finished(hand, None) if len(hand.shown) == 2 else hand


def expelled(hand: OneHand, seat: int) -> OneHand:
    """Return the round without `seat`: the other takes the pot (VERDICT-4).

    Who folded and goes before it has opened loses one life more, if it has one; who is then to win loses the pot
    (ONE-5).
    """
    stacks = list(hand.stacks)
    if hand.folded[seat] and seat not in hand.shown and stacks[seat]:
        stacks[seat] -= 1
        stacks[1 - seat] += 1
    return _finished(hand._replace(betting=hand.betting._replace(stacks=tuple(stacks))), 1 - seat)


def _lamps(hand: OneHand, seat: int, more: list[int]) -> tuple[tuple[int, int], tuple[int, int]]:
    down, up = hand.lamps[seat]
    now = (down + more[DOWN], up + more[UP])
    return (now, hand.lamps[1]) if seat == 0 else (hand.lamps[0], now)


def _finished(hand: OneHand, stays: int | None) -> OneHand:
    """Return the round with its pot paid: to who `stays`, to who did not fold, to the card that beats, or back."""
    folded = hand.folded
    if stays is not None:
        folded = (stays != 0, stays != 1)
        hand = hand._replace(betting=hand.betting._replace(folded=folded, to_act=None, owed=0))
    seats = tuple([seat for seat in order_from(hand.first, 2) if not folded[seat]])
    result = "forfeit" if stays is not None else "fold" if True in folded else "showdown"
    pot = Pot(amount=sum(hand.totals), seats=tuple(sorted(seats)), winners=())
    due = paid(hand.stacks, (pot,), _strengths(hand), hand.first, (), result)
    taken = due.pots[0].winners
    # Who takes the pot is first in the next round; a tie leaves it as it is (ONE-6).
    return hand._replace(due=replace(due, button=taken[0] if len(taken) == 1 else hand.first))


def _strengths(hand: OneHand) -> tuple[int | None, ...]:
    """Return 1 for a card that beats the other, 0 for one that does not, None for a card nobody has seen."""
    one, other = hand.cards
    if one is None or other is None:
        return (None, None)
    return (int(beats(one, other)), int(beats(other, one)))
