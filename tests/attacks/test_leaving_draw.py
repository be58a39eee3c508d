"""What leaving at an exchange of five-card draw buys, and what it costs: the rules alone, no cryptography.

VERDICT-4, DECK-9: whoever is still in holds shares that the others' new cards need, those who have exchanged already as
well, and nobody can fold there. Who goes loses what it has in the pot, as by a fold, but takes with it all exchanges
that are not complete, which a fold does not: then the others show the cards they have. So a partner denies a third seat
its draw. What the pair gains by it is counted here over all cards that can come, or over many deals.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

import pytest

from dealerless.crypto.challenge import SUITE
from dealerless.games.cards import rank_of, suit_of
from dealerless.games.draw import DRAW
from dealerless.games.drawhand import DrawHand
from dealerless.games.game import Act, Action, Deal, Discard, Exchange, Finished, Move, Reveal, Show, Slots
from dealerless.games.ranking import CLASSES, class_of, strength
from dealerless.protocol.deckdeal import DECK, DeckDeal, asked
from tests.draw import assert_whole, chips, opened, step, terms
from tests.holdem import cards

Deck = Sequence[int]
Keeps = Callable[[DrawHand, int, Deck], Slots]
"""Which slots a seat gives up, of the cards that it holds."""

LEAVER, PARTNER, HONEST = 0, 1, 2
"""They exchange in the order 1, 2, 0: the leaver has the button, the partner is first."""


class Table(NamedTuple):
    """A hand and who has shared for what; shares are empty, only whether they are there counts."""

    hand: DrawHand
    deal: DeckDeal

    def without(self, seat: int) -> Table:
        """The table after a seat was expelled."""
        return Table(DRAW.forfeit(self.hand, seat), DECK.lose(self.deal, seat))

    def share(self, seat: int, slots: Slots) -> Table:
        return self._replace(deal=self.deal.take(seat, slots, [b""] * len(slots)))

    def say(self, seat: int, action: Action) -> Table:
        """The table after an action, with the shares that it releases (DECK-9)."""
        after = self._replace(hand=step(self.hand, seat, action))
        return after.share(seat, DRAW.release(after.hand, seat)) if isinstance(action, Move) else after


def seated(hand: DrawHand) -> Table:
    """A table whose keys are there and whose deck is shuffled."""
    seats = tuple(sorted(hand.order))
    deal = DECK.start(DRAW, SUITE, bytes(32), 1, seats)
    return Table(hand, deal._replace(keys=(b"",) * len(seats), shuffles=len(seats)))


def onward(table: Table, deck: Deck, keeps: Keeps) -> Table:
    """The table after what comes next; a bet is not made, one that is owed is paid, and all show.

    An exchange for which a share of a seat that is gone is missing is stranded, as the protocol's table does it.
    """
    hand = table.hand
    demand, before = hand.due, chips(hand)
    if isinstance(demand, Exchange | Deal) and not DECK.possible(table.deal, demand):
        table = table._replace(hand=DRAW.stranded(hand))
    elif isinstance(demand, Act):
        table = table.say(demand.seat, Move(name=DRAW.legal(hand)[0].name, amount=0))
    elif isinstance(demand, Exchange):
        table = table.say(demand.seat, Discard(slots=keeps(hand, demand.seat, deck)))
    elif isinstance(demand, Show):
        table = table.say(demand.seat, Reveal(cards=tuple(deck[slot] for slot in demand.slots)))
    else:
        assert isinstance(demand, Deal)
        while (owed := DECK.owed(table.deal, demand, hand)) is not None:
            table = table.share(owed.seat, asked(table.deal, demand, owed.seat))
        table = table._replace(hand=DRAW.dealt(hand, {}))
    assert_whole(table.hand, before)
    return table


def until(table: Table, deck: Deck, keeps: Keeps, there: Callable[[DrawHand], bool]) -> Table:
    while not there(table.hand):
        table = onward(table, deck, keeps)
    return table


def stacks(table: Table, deck: Deck, keeps: Keeps) -> tuple[int, ...]:
    """What everybody has in the end."""
    table = until(table, deck, keeps, lambda hand: isinstance(hand.due, Finished))
    assert isinstance(table.hand.due, Finished)
    return table.hand.due.stacks


def bet() -> Table:
    """Three seats with 100 chips, the button at seat 0: the first has bet 10. Nothing depends on cards yet."""
    table = until(seated(opened(terms(), (100, 100, 100), 0)), (), usual, lambda hand: isinstance(hand.due, Act))
    return table.say(PARTNER, Move(name="BET", amount=0))


def paid() -> Table:
    """An ante of 1 each and a bet of 10 that all pay; then exchanges."""
    return until(bet(), (), usual, lambda hand: isinstance(hand.due, Exchange))


def turn_of(seat: int) -> Callable[[DrawHand], bool]:
    return lambda hand: isinstance(hand.due, Exchange) and hand.due.seat == seat


def holding(hand: DrawHand, seat: int, deck: Deck) -> list[int]:
    return [deck[slot] for slot in hand.held[seat]]


def usual(hand: DrawHand, seat: int, deck: Deck) -> Slots:
    """What is commonly given up: nothing of a straight or better, one card of four to a flush, else single cards."""
    held = holding(hand, seat, deck)
    if class_of(strength(held)) >= CLASSES.index("straight"):
        return ()
    ranks, suits = [rank_of(card) for card in held], [suit_of(card) for card in held]
    flush = next((suit for suit in range(4) if suits.count(suit) == 4), None)
    if flush is not None:
        return tuple([slot for slot, suit in zip(hand.held[seat], suits, strict=True) if suit != flush])
    single = sorted([card for card, rank in zip(held, ranks, strict=True) if ranks.count(rank) == 1])[:3]
    return tuple([slot for slot, card in zip(hand.held[seat], held, strict=True) if card in single])


def pair_only(hand: DrawHand, seat: int, deck: Deck) -> Slots:
    """What is commonly given up, but the leaver keeps all: so many cards are not known here."""
    return () if seat == LEAVER else usual(hand, seat, deck)


def honest_only(hand: DrawHand, seat: int, deck: Deck) -> Slots:
    """What is commonly given up, but the leaver and its partner keep all."""
    return usual(hand, seat, deck) if seat == HONEST else ()


def one(hand: DrawHand, seat: int, deck: Deck) -> Slots:
    return hand.held[seat][:1]


def dealt(holes: Sequence[str], come: Sequence[int]) -> list[int]:
    """A deck that gives the three these cards, and those that exchange the cards `come` one after the other."""
    hand = opened(terms(), (100, 100, 100), 0)
    deck = [-1] * 52
    for seat, text in enumerate(holes):
        for slot, card in zip(hand.held[seat], cards(text), strict=True):
            deck[slot] = card
    deck[15 : 15 + len(come)] = come
    return deck


# --- what becomes of the hand

DRAWING = ("7h 5s 4c 3d 2s", "Ks Kc 9d 8s 6c", "Ah Jh 8h 4h 3c")
"""The leaver has nothing, the partner a pair, and the honest one four to a flush."""


def test_who_goes_denies_a_third_seat_its_draw() -> None:
    """VERDICT-4, DECK-9: with the fifth heart to come, the honest one takes the 33 chips. When the leaver goes instead,
    its partner takes them with a pair: 11 of its own, 11 of the honest one, 11 that the leaver gives up."""
    deck = dealt(DRAWING, cards("2c 6d Td Qh"))
    before = until(paid(), deck, usual, turn_of(HONEST))
    assert before.hand.totals == (11, 11, 11)
    assert stacks(before, deck, pair_only) == (89, 89, 122)
    gone = before.without(LEAVER)
    assert not DECK.possible(gone.deal, gone.hand.due)
    gone = onward(gone, deck, usual)
    assert gone.hand.broken
    assert gone.hand.held[HONEST] == before.hand.held[HONEST]
    assert stacks(gone, deck, usual) == (89, 122, 89)


def test_it_does_so_also_when_the_cards_are_named() -> None:
    """VERDICT-4: an exchange whose cards the leaver does not share for is undone; the honest one holds its old five."""
    deck = dealt(DRAWING, cards("2c 6d Td Qh"))
    before = until(paid(), deck, usual, turn_of(HONEST))
    named = onward(before, deck, usual)
    assert isinstance(named.hand.due, Deal)
    gone = onward(named.without(LEAVER), deck, usual)
    assert gone.hand.held[HONEST] == before.hand.held[HONEST]
    assert stacks(gone, deck, usual) == (89, 122, 89)


def test_a_fold_does_not() -> None:
    """DECK-9: it carries the shares of all cards that may come; the honest one draws, and takes 23 chips."""
    deck = dealt(DRAWING, cards("2c 6d Td Qh"))
    table = onward(bet(), deck, usual).say(LEAVER, Move(name="FOLD", amount=0)).without(LEAVER)
    assert stacks(table, deck, usual) == (99, 89, 112)


def test_going_in_the_first_round_does_for_the_price_of_a_fold() -> None:
    """VERDICT-4: who goes instead of folding gives no shares; the round of betting ends, and nobody exchanges."""
    deck = dealt(DRAWING, cards("2c 6d Td Qh"))
    table = onward(bet(), deck, usual).without(LEAVER)
    assert isinstance(table.hand.due, Exchange)
    assert table.hand.totals == (1, 11, 11)
    assert stacks(table, deck, usual) == (99, 112, 89)


def test_an_exchange_of_no_card_is_not_made_either() -> None:
    """VERDICT-4: who holds a straight and would keep all is not asked any more; betting is over for it as well."""
    deck = dealt((DRAWING[0], "Ks Kc 9d 8s 6c", "Qh Jc Ts 9s 8d"), cards("Kd 2c 6d"))
    gone = onward(until(paid(), deck, usual, turn_of(HONEST)).without(LEAVER), deck, usual)
    assert isinstance(gone.hand.due, Show)
    assert stacks(gone, deck, usual) == (89, 89, 122)


@pytest.mark.parametrize("seats", [3, 4, 6])
@pytest.mark.parametrize("named", [False, True])
def test_everybody_still_in_can(seats: int, named: bool) -> None:
    """VERDICT-4: at every exchange, whoever else is still in, it may have exchanged itself; what is complete stays, and
    nobody gets back a chip that is in the pot. Who is alone to exchange strands nothing: all others have."""
    deck = random.Random(seats).sample(range(52), 52)
    table = seated(opened(terms(), (100,) * seats))
    table = until(table, deck, usual, lambda hand: isinstance(hand.due, Exchange))
    order, before = table.hand.exchanging, table.hand.held
    assert len(order) == seats
    for place, seat in enumerate(order):
        table = until(table, deck, one, turn_of(seat))
        at = onward(table, deck, one) if named else table
        for leaver in range(seats):
            gone = at.without(leaver)
            after = until(gone, deck, one, lambda hand: hand.broken or bool(hand.street))
            last = leaver == seat and place == seats - 1
            assert after.hand.broken is not last
            assert after.hand.stacks[leaver] == at.hand.stacks[leaver]
            complete = order[:place]
            assert [other for other in order if after.hand.held[other] != before[other]] == list(complete)
            assert stacks(gone, deck, one)[leaver] == at.hand.stacks[leaver]


# --- what it is worth


def pair(table: Table, deck: Deck, keeps: Keeps) -> int:
    after = stacks(table, deck, keeps)
    return after[LEAVER] + after[PARTNER]


@pytest.mark.parametrize(("made", "outs"), [("Ks Kc 9d 8s 6c", 11), ("Qd Jd Tc 9s 8c", 8), ("Ks Kc Kd 9d 9s", 0)])
def test_what_a_draw_that_is_denied_was_worth(made: str, outs: int) -> None:
    """Exact, over the one card that the honest seat draws to its flush, the partner's hand being complete: the pair
    gains the pot as often as a card would have come that helps, and nothing where none does."""
    deck = dealt((DRAWING[0], made, DRAWING[2]), ())
    table = until(paid(), deck, honest_only, turn_of(HONEST))
    unseen = [card for card in range(52) if card not in deck]
    assert len(unseen) == 37
    on = [pair(table, [*deck[:15], card], honest_only) for card in unseen]
    assert pair(table.without(LEAVER), deck, honest_only) == 211
    assert 211 - Fraction(sum(on), len(on)) == 33 * Fraction(outs, 37)


JACKS = strength(cards("Jc Jd 4h 3s 2c"))
"""The weakest pair of jacks."""


def sampled(seed: int, deals: int) -> list[int]:
    """What the pair gains by leaving, in each of so many random deals in which the partner then has jacks or better.

    Three with 11 each in the pot. The partner has exchanged and knows its hand; the honest one, who is next, and the
    leaver have not. Compared with all exchanging as is usual, and checking.
    """
    draw, gains, start = random.Random(seed), [], paid()
    for _ in range(deals):
        deck = draw.sample(range(52), 52)
        table = until(start, deck, usual, turn_of(HONEST))
        if strength(holding(table.hand, PARTNER, deck)) >= JACKS:
            gains.append(pair(table.without(LEAVER), deck, usual) - pair(table, deck, usual))
    return gains


def test_what_it_is_worth_on_average() -> None:
    """Of the pot of 33: what SECURITY.md says. It is a loss where the leaver's own hand would have won."""
    gains = sampled(seed=1, deals=2000)
    mean = sum(gains) / len(gains)
    error = math.sqrt(sum([(gain - mean) ** 2 for gain in gains])) / len(gains)
    assert (len(gains), round(mean, 1), round(error, 1)) == (903, 3.3, 0.4)
    assert {-33, 0, 33} <= set(gains)
