"""What leaving a hand of Hold'em is worth, to who leaves and to a partner who stays: the rules alone, no cryptography.

VERDICT-4: a seat that goes loses what it has in the pot, and cards that cannot be opened without it come from a fresh
deck of the cards not shown. It never ends with more than by folding. An exchange of draw is not made from a fresh deck:
`test_leaving_draw` has what that is worth. What a pair gains is counted exactly here, over all cards that may come: by
leaving blind no more than the leaver's two cards being back in the deck are worth; by leaving after a look at the card,
which only the last to share has, up to a quarter of what the partner can win.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import NamedTuple

import pytest

from dealerless.crypto.challenge import SUITE
from dealerless.games.game import Act, Deal, Finished, Move, OpenBoard, Option, Release, Reveal, Show
from dealerless.games.holdem import HOLDEM
from dealerless.games.holdemhand import HoldemHand
from dealerless.protocol.deckdeal import DECK, DeckDeal, asked
from tests.holdem import Deck, assert_whole, cards, chips, opened, step, terms

Choose = Callable[[HoldemHand, Sequence[Option]], Move]


def passive(hand: HoldemHand, options: Sequence[Option]) -> Move:
    """CHECK or CALL."""
    return Move(name=options[0].name, amount=options[0].least)


def by(draw: random.Random) -> Choose:
    """Any legal move; a fold in one of eight where one could stay."""

    def choose(hand: HoldemHand, options: Sequence[Option]) -> Move:
        staying = [option for option in options if option.name != "FOLD"] if draw.random() < 7 / 8 else options
        option = draw.choice(list(staying))
        return Move(
            name=option.name, amount=draw.choice((option.least, option.most, (option.least + option.most) // 2))
        )

    return choose


class Table(NamedTuple):
    """A hand and who has shared for what; shares are empty, only whether they are there counts."""

    hand: HoldemHand
    deal: DeckDeal

    def share(self, seat: int, slots: Sequence[int]) -> Table:
        return self._replace(deal=self.deal.take(seat, tuple(slots), [b""] * len(slots)))

    def without(self, seat: int) -> Table:
        """The table after a seat was expelled."""
        return Table(HOLDEM.forfeit(self.hand, seat), DECK.lose(self.deal, seat))


def seated(hand: HoldemHand) -> Table:
    """A table whose keys are there and whose deck is shuffled."""
    seats = tuple(sorted(hand.order))
    deal = DECK.start(HOLDEM, SUITE, bytes(32), 1, seats)
    return Table(hand, deal._replace(keys=(b"",) * len(seats), shuffles=len(seats)))


def move(table: Table, seat: int, taken: Move) -> Table:
    """The table after a move, with the shares that it releases (DECK-9)."""
    after = Table(step(table.hand, seat, taken), table.deal)
    return after.share(seat, HOLDEM.release(after.hand, seat))


def go_on(table: Table, deck: Deck, fresh: Mapping[int, int], choose: Choose | None) -> Table:
    """The table at the next move, or at the end when somebody chooses them.

    A board that lacks a share of a seat that is gone is stranded, as the protocol's table does it; all show then, and
    what is missing comes from `fresh`.
    """
    while not isinstance(demand := HOLDEM.demand(table.hand), Finished):
        before = chips(table.hand)
        if isinstance(demand, Act):
            if choose is None:
                return table
            table = move(table, demand.seat, choose(table.hand, HOLDEM.legal(table.hand)))
        elif isinstance(demand, Show):
            cards_shown = tuple(deck[slot] for slot in demand.slots)
            table = table._replace(hand=step(table.hand, demand.seat, Reveal(cards=cards_shown)))
        elif isinstance(demand, OpenBoard) and not demand.fresh and not DECK.possible(table.deal, demand):
            table = table._replace(hand=HOLDEM.stranded(table.hand))
        else:
            known: dict[int, int] = {}
            if isinstance(demand, OpenBoard):
                known = {slot: (fresh if demand.fresh else deck)[slot] for slot in demand.slots}
            elif isinstance(demand, Release):
                table = table.share(demand.seat, demand.slots)
            else:
                assert isinstance(demand, Deal)
            table = table._replace(hand=HOLDEM.dealt(table.hand, known))
        assert_whole(table.hand, before)
    return table


def stacks(table: Table) -> tuple[int, ...]:
    demand = HOLDEM.demand(table.hand)
    assert isinstance(demand, Finished)
    return demand.stacks


def drawn(seed: int) -> tuple[Table, Deck, random.Random]:
    """A hand of three to five seats with short stacks and long ones, and its deck."""
    draw = random.Random(seed)
    seats = draw.randint(3, 5)
    behind = [draw.choice((3, 8, 20, 20, 60, 100)) for _ in range(seats)]
    agreed = terms(draw.choice(("no-limit", "limit")), ante=draw.choice((0, 0, 1)))
    return seated(opened(agreed, behind, draw.randrange(seats))), draw.sample(range(52), 52), draw


def moments(seed: int) -> Iterator[tuple[Table, Deck]]:
    """Every table of a hand at which somebody has to move."""
    table, deck, draw = drawn(seed)
    choose = by(draw)
    table = go_on(table, deck, {}, None)
    while isinstance(demand := HOLDEM.demand(table.hand), Act):
        yield table, deck
        table = go_on(move(table, demand.seat, choose(table.hand, HOLDEM.legal(table.hand))), deck, {}, None)


# --- against folding


@pytest.mark.parametrize("seed", range(60))
def test_leaving_ends_as_folding_does(seed: int) -> None:
    """VERDICT-4: with the same cards to come and no more bets, every stack ends as after a fold, where one may fold."""
    for table, deck in moments(seed):
        demand = HOLDEM.demand(table.hand)
        assert isinstance(demand, Act)
        if "FOLD" not in [option.name for option in HOLDEM.legal(table.hand)]:
            continue
        same = dict(enumerate(deck))
        folded = go_on(move(table, demand.seat, Move(name="FOLD", amount=0)), deck, same, passive)
        left = go_on(table.without(demand.seat), deck, same, passive)
        assert stacks(left) == stacks(folded)
        assert stacks(left)[demand.seat] == table.hand.stacks[demand.seat]


@pytest.mark.parametrize("seed", range(60))
def test_chips_never_come_back_to_one_who_leaves(seed: int) -> None:
    """VERDICT-4b: whoever leaves when another is to move, also with a bet that nobody has called yet."""
    for table, deck in moments(seed):
        for seat, out in enumerate(table.hand.folded):
            if not out:
                left = go_on(table.without(seat), deck, dict(enumerate(deck[::-1])), passive)
                assert stacks(left)[seat] == table.hand.stacks[seat]


def test_a_bet_that_nobody_called_stays_in_the_pot() -> None:
    table = go_on(seated(opened(terms(), (100, 100, 100))), tuple(range(52)), {}, None)
    table = move(table, 0, Move(name="RAISE", amount=50)).without(0)
    after = go_on(move(table, 1, Move(name="FOLD", amount=0)), tuple(range(52)), {}, passive)
    assert stacks(after) == (50, 99, 151)


# --- who can be missed, and who sees a card first


@pytest.mark.parametrize("seed", range(120))
def test_nobody_who_has_done_moving_can_strand_the_board(seed: int) -> None:
    """DECK-9: who folded or is all-in has given its shares, or the hand ends when it goes."""
    for table, _ in moments(seed):
        hand = table.hand
        still = hand.folded.count(False)
        for seat in hand.order:
            done = hand.folded[seat] or not hand.stacks[seat]
            if done and (hand.folded[seat] or still > 2):
                lacking = OpenBoard(slots=hand.closed)
                assert DECK.possible(DECK.lose(table.deal, seat), lacking), (seat, hand)


@pytest.mark.parametrize("seed", range(120))
def test_who_has_most_in_the_pot_sees_a_card_first(seed: int) -> None:
    """VERDICT-4d: shares are owed in ascending order of chips in the pot, ties from the button's left."""
    boards = 0
    table, deck, draw = drawn(seed)
    choose = by(draw)
    while not isinstance(demand := HOLDEM.demand(table.hand), Finished):
        if isinstance(demand, OpenBoard):
            boards += 1
            hand, order = table.hand, []
            while (owed := DECK.owed(table.deal, demand, hand)) is not None:
                order.append(owed.seat)
                assert asked(table.deal, demand, owed.seat) == demand.slots
                table = table.share(owed.seat, demand.slots)
            places = [(hand.totals[seat], (seat - hand.button - 1) % len(hand.totals)) for seat in order]
            assert places == sorted(places)
            # Whoever does not owe has shared before: it is out, or was all-in, if chips of it came back uncalled.
            lifted = {seat for seat in hand.order if seat not in order and not hand.folded[seat] and hand.stacks[seat]}
            assert all(hand.totals[seat] == max(hand.totals) for seat in lifted)
            assert len(order) == len(set(order))
            table = table._replace(hand=HOLDEM.dealt(hand, {slot: deck[slot] for slot in demand.slots}))
        elif isinstance(demand, Act):
            table = move(table, demand.seat, choose(table.hand, HOLDEM.legal(table.hand)))
        elif isinstance(demand, Show):
            shown = Reveal(cards=tuple(deck[slot] for slot in demand.slots))
            table = table._replace(hand=step(table.hand, demand.seat, shown))
        else:
            if isinstance(demand, Release):
                table = table.share(demand.seat, demand.slots)
            table = table._replace(hand=HOLDEM.dealt(table.hand, {}))
    assert boards <= 3


# --- a pair against a third: exact, over all cards to come

LEAVER, PARTNER, HONEST = 0, 1, 2


class Scene(NamedTuple):
    """Three seats at a closed board; the leaver has chips behind, so that its shares are missing when it goes.

    `holes` are the leaver's, the partner's and the honest one's cards; `totals` what each has put in.
    """

    holes: tuple[str, str, str]
    board: str
    behind: tuple[int, int, int] = (200, 100, 100)

    @property
    def held(self) -> tuple[int, ...]:
        return cards("".join(self.holes) + self.board)

    def table(self) -> tuple[Table, list[int]]:
        """The three all-in as far as they can answer each other, and the deck up to the closed cards."""
        table = seated(opened(terms(), self.behind))
        hand = table.hand
        deck = [-1] * 52
        for seat, text in enumerate(self.holes):
            for slot, card in zip(HOLDEM.hole_slots(hand, seat), cards(text), strict=True):
                deck[slot] = card
        for slot, card in zip(hand.board, cards(self.board), strict=False):
            deck[slot] = card
        table = go_on(table, deck, {}, None)
        while isinstance(demand := HOLDEM.demand(table.hand), Act):
            options = HOLDEM.legal(table.hand)
            lifts = [option for option in options if option.name in ("BET", "RAISE") and demand.seat == LEAVER]
            lift = next(iter(lifts), options[0])
            most = min(lift.most, max(self.behind[PARTNER], self.behind[HONEST]))
            table = move(table, demand.seat, Move(name=lift.name, amount=max(most, lift.least)))
            while isinstance(demand := HOLDEM.demand(table.hand), OpenBoard):
                if -1 in [deck[slot] for slot in demand.slots]:
                    return table, deck
                table = table._replace(hand=HOLDEM.dealt(table.hand, {slot: deck[slot] for slot in demand.slots}))
        raise AssertionError("the hand ended before its closed cards")


class Worth(NamedTuple):
    """What the pair has in the end, on average: by playing on, by leaving blind, by leaving after a look if it pays."""

    on: Fraction
    blind: Fraction
    look: Fraction
    swing: int


def worth(scene: Scene) -> Worth:
    table, deck = scene.table()
    missing = [slot for slot in table.hand.board if deck[slot] < 0]
    gone = table.without(LEAVER)
    unseen = [card for card in range(52) if card not in scene.held]
    back = [*unseen, *cards(scene.holes[LEAVER])]

    def pair(at: Table, come: Sequence[int]) -> int:
        full = list(deck)
        for slot, card in zip(missing, come, strict=True):
            full[slot] = card
        after = stacks(go_on(at, full, dict(enumerate(full)), passive))
        return after[LEAVER] + after[PARTNER]

    on = [pair(table, come) for come in combinations(unseen, len(missing))]
    left = [pair(gone, come) for come in combinations(back, len(missing))]
    blind = Fraction(sum(left), len(left))
    look = sum([max(Fraction(value), blind) for value in on], Fraction(0)) / len(on)
    return Worth(Fraction(sum(on), len(on)), blind, look, max(left) - min(left))


def blockers(missing: int, unseen: int) -> Fraction:
    """How likely one of the leaver's two cards is among those that come, once they are back in the deck."""
    return 1 - Fraction(comb(unseen, missing), comb(unseen + 2, missing))


DRAWS = {
    # The partner draws to a flush of which the leaver, who cannot win, holds two cards.
    "blocks the partner": Scene(("4h 3h", "Ah Kh", "Qs Qc"), "Qh 9h 8d 2c"),
    # The leaver holds the honest one's outs; gone, it gives them back.
    "blocks the other": Scene(("4h 3h", "Qs Qc", "Ah Kh"), "Qh 9h 8d 2c"),
    "is ahead": Scene(("Qs Qc", "4d 3d", "Ah Kh"), "Qh 9h 8d 2c"),
    "is dead and blocks nothing": Scene(("3c 2d", "Ah Kh", "Qs Qc"), "Qh 9h 8d 5c"),
    "has a side pot": Scene(("As Ac", "Qs Qc", "Kh Kd"), "2h 7d 8c Jc", behind=(200, 30, 100)),
    "has a partner with more": Scene(("4h 3h", "Ah Kh", "Qs Qc"), "Qh 9h 8d 2c", behind=(200, 150, 100)),
}


@pytest.mark.parametrize("name", DRAWS)
def test_what_a_pair_gains_by_leaving_is_bounded(name: str) -> None:
    """What n-of-n keys leave: blind at most the blockers' part of the swing, after a look at most a quarter more."""
    found = worth(DRAWS[name])
    most = blockers(1, 42) * found.swing
    assert found.blind - found.on <= most
    assert found.look - found.on <= Fraction(found.swing, 4) + most


def test_where_leaving_pays() -> None:
    """Exact: three with 100 each in the pot, the leaver with no outs of its own, the river to come."""
    blocking, dead = worth(DRAWS["blocks the partner"]), worth(DRAWS["is dead and blocks nothing"])
    # Seven hearts of 42 cards save the partner, or nine of 44.
    assert (blocking.on, blocking.blind) == (100 + 300 * Fraction(5, 42), 100 + 300 * Fraction(7, 44))
    assert blocking.blind - blocking.on == Fraction(925, 77)
    assert dead.blind < dead.on + 1
    # After a look it leaves at 35 cards of 42, for 7 of 44.
    assert dead.look - dead.on == 300 * Fraction(35, 42) * Fraction(7, 44)


def test_where_leaving_costs() -> None:
    """Whoever can win itself gives that up; a side pot goes to the other."""
    for name in ("blocks the other", "is ahead", "has a side pot"):
        found = worth(DRAWS[name])
        assert found.blind < found.on, name


def test_with_two_cards_to_come() -> None:
    """The same bound with turn and river closed, where the leaver's cards are more often among those that come."""
    found = worth(Scene(("4h 3h", "Ah Kh", "Qs Qc"), "Qh 9h 8d"))
    assert found.blind - found.on <= blockers(2, 43) * found.swing
    assert found.blind > found.on


@pytest.mark.parametrize("seed", range(12))
def test_the_bound_for_any_cards(seed: int) -> None:
    draw = random.Random(seed)
    dealt = draw.sample(range(52), 10)
    names = [f"{'23456789TJQKA'[card >> 2]}{'cdhs'[card & 3]}" for card in dealt]
    holes = ("".join(names[0:2]), "".join(names[2:4]), "".join(names[4:6]))
    found = worth(Scene(holes, "".join(names[6:]), draw.choice(((200, 100, 100), (200, 40, 100), (200, 100, 40)))))
    most = blockers(1, 42) * found.swing
    assert found.blind - found.on <= most
    assert found.look - found.on <= Fraction(found.swing, 4) + most
