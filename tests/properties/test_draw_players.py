"""The computer players of five-card draw: exact draws, ranges that follow the moves, and legal, reasoned play (DRAW-9).

Hands are played on the rules alone. Every view is made from what the seat may know; the deck is the test's.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from dealerless.games.cards import DECK, read_cards
from dealerless.games.draw import DRAW
from dealerless.games.drawhand import DrawTerms
from dealerless.games.game import Act, Action, Deal, Discard, Exchange, Finished, Move, Muck, Reveal, Show
from dealerless.games.ranking import CLASSES, class_of, strength
from dealerless.players.computer import Strategy
from dealerless.players.drawchances import (
    DISCARDS,
    KINDS,
    candidates,
    improving,
    kind_of,
    outcomes,
    population,
)
from dealerless.players.drawplay import DRAW_EASY, DRAW_HARD_QUICK, DRAW_MEDIUM, HardDraw
from dealerless.players.drawranges import bluff_frequency, bluffing, story
from dealerless.players.drawrollouts import worths
from dealerless.players.levels import strategy
from dealerless.players.player import SeatView
from dealerless.protocol.state import Accounts, ActionTaken, HandInPlay

FEW = HardDraw(samples=24)
LEVELS: dict[str, Strategy] = {"easy": DRAW_EASY, "medium": DRAW_MEDIUM, "hard": FEW}
USUAL = DrawTerms(ante=1, first=10, second=10, raises=3, allin=True, stack=200, show="muck")
Told = tuple[str, Action, str]


class Hand:
    """A running hand of draw with its record, and the deck that nobody may see."""

    def __init__(self, stacks: tuple[int, ...], deck: tuple[int, ...], button: int = 0, terms: DrawTerms = USUAL):
        seats = tuple([seat for seat, stack in enumerate(stacks) if DRAW.can_be_dealt_in(terms, stack)])
        self.deck = deck
        self.play = HandInPlay(DRAW.start(terms, stacks, button, seats), None, stacks, (), seats)
        self.meet()

    def meet(self) -> None:
        while isinstance(DRAW.demand(self.play.hand), Deal):
            self.play = self.play.at(DRAW.dealt(self.play.hand, {}), None)

    @property
    def due(self) -> Act | Exchange | Show | Finished:
        due = DRAW.demand(self.play.hand)
        assert isinstance(due, Act | Exchange | Show | Finished)
        return due

    def view(self, seat: int) -> SeatView:
        hand, seats = self.play.hand, len(self.play.before)
        books = Accounts(1, hand.button, self.play.dealt, self.play.before, (0,) * seats, (None,) * seats, ())
        hole = tuple([self.deck[slot] for slot in DRAW.hole_slots(hand, seat)])
        return SeatView(
            seat=seat, game=DRAW, dealing="deck", books=books, play=self.play, hole=hole, legal=DRAW.legal(hand)
        )

    def take(self, seat: int, action: Action) -> None:
        assert DRAW.check(self.play.hand, seat, action) is None, (seat, action)
        hand = DRAW.apply(self.play.hand, seat, action)
        name, amount = "", 0
        if isinstance(action, Move):
            name, amount = action.name, action.amount
        elif isinstance(action, Discard):
            name, amount = "EXCHANGE", len(action.slots)
        play = self.play.at(hand, None)
        if name:
            taken = ActionTaken(len(play.actions), seat, name, amount, hand.stacks, sum(hand.totals))
            play = play._replace(actions=(*play.actions, taken))
        self.play = play
        self.meet()

    def moves(self, *names: str) -> None:
        """Let whoever is to act make each of these moves; a digit exchanges that many cards."""
        for name in names:
            due = self.due
            assert isinstance(due, Act | Exchange)
            action: Action = (
                Discard(slots=due.slots[: int(name)]) if isinstance(due, Exchange) else Move(name=name, amount=0)
            )
            self.take(due.seat, action)


def shuffled(seed: str) -> tuple[int, ...]:
    return tuple(random.Random(seed).sample(DECK, len(DECK)))


def chosen(plays: Strategy, hand: Hand, chance: random.Random) -> tuple[int, Action, str]:
    """The seat that is to choose, what it does, and why."""
    due = hand.due
    assert not isinstance(due, Finished)
    view = hand.view(due.seat)
    action: Action
    if isinstance(due, Act):
        action, reason = plays.decide(view, chance)
    elif isinstance(due, Exchange):
        slots, reason = plays.exchanges(view, chance)
        action = Discard(slots=slots)
    else:
        shows, reason = plays.shows(view, chance)
        action = Reveal(cards=tuple(view.hole)) if shows or not due.may_muck else Muck()
    return due.seat, action, reason


def played(names: tuple[str, ...], hand: Hand, seed: str, royal: int | None = None) -> list[Told]:
    """Every decision of a hand; `royal` is a seat that must not fold."""
    chance = random.Random(seed)
    told: list[Told] = []
    while not isinstance(hand.due, Finished):
        name = names[hand.due.seat]
        seat, action, reason = chosen(LEVELS[name], hand, chance)
        assert seat != royal or action != Move(name="FOLD", amount=0)
        told.append((name, action, reason))
        hand.take(seat, action)
    return told


# --- exact draws --------------------------------------------------------------------------------------------------


def test_four_to_a_flush_or_a_straight_by_hand() -> None:
    """DRAW-2: 9 of 47 cards make the flush; 8 a straight open at both ends, 4 inside."""
    flush = read_cards("HA HT H7 H3 C4")
    assert candidates(flush)[0] == flush[:4]
    found = [CLASSES[class_of(int(rank))] for rank in outcomes(flush, flush[:4])]
    assert (len(found), found.count("flush")) == (47, 9)
    assert improving(flush, flush[:4]) == (9 + 12, 47)
    straight = read_cards("H9 C8 D7 S6 C2")
    assert candidates(straight)[0] == straight[:4]
    assert [CLASSES[class_of(int(rank))] for rank in outcomes(straight, straight[:4])].count("straight") == 8
    inside = read_cards("H9 C8 D7 S5 CA")
    assert [CLASSES[class_of(int(rank))] for rank in outcomes(inside, inside[:4])].count("straight") == 4


def test_known_odds_of_pairs_and_sets() -> None:
    """DRAW-2: the odds that the books give: a pair improves in 4,656 of 16,215 ways, a set in 112 of 1,081."""
    pair = read_cards("HA CA D9 S6 C2")
    assert improving(pair, pair[:2]) == (4656, 16215)
    trips = read_cards("HA CA DA S6 C2")
    assert improving(trips, trips[:3]) == (112, 1081)
    two_pairs = read_cards("HA CA D9 S9 C2")
    assert improving(two_pairs, two_pairs[:4]) == (4, 47)


@pytest.mark.parametrize("seed", range(6))
def test_outcomes_against_brute_force(seed: int) -> None:
    """DRAW-5: for any hand and any two to five kept cards, the same strengths as one at a time."""
    chance = random.Random(f"outcomes {seed}")
    hole = tuple(chance.sample(DECK, 5))
    kept = tuple(chance.sample(hole, (2, 3, 4, 5, 3, 4)[seed]))
    rest = [card for card in DECK if card not in hole]
    naive = sorted([strength((*kept, *new)) for new in combinations(rest, 5 - len(kept))])
    assert sorted(outcomes(hole, kept).tolist()) == naive


def test_kinds_and_the_population() -> None:
    """Kinds are what they are called; what is sampled agrees with what is counted."""
    for text, kind in {
        "HA CA D9 S6 C2": "pair of A",
        "HA HT H7 H3 C4": "four to a flush",
        "H9 C8 D7 S6 C2": "four to a straight",
        "HA C2 D3 S4 C9": "ace high",
        "HJ CT D3 S4 C9": "low cards",
        "HK CK DQ SQ C9": "high two pairs",
        "H3 C3 D2 S2 C9": "low two pairs",
        "H3 C3 D3 S2 C9": "low three of a kind",
        "H6 C5 D4 S3 C2": "straight",
        "H6 H5 H9 H3 H2": "flush",
        "H6 C6 D6 S3 C3": "full house or better",
    }.items():
        assert KINDS[kind_of(read_cards(text))] == kind
    prior = population().prior()
    assert prior.sum() == pytest.approx(1)
    assert prior[:13].sum() == pytest.approx(1098240 / 2598960, abs=0.01)
    aces = read_cards("HA CA D9 S6 C2")
    fewer = population().prior(aces)
    assert fewer[12].sum() < prior[12].sum() / 2
    bucket = population().bucket
    exact = bucket[outcomes(aces, aces[:2])].mean()
    sampled = population().by_kind[12] @ np.arange(population().by_kind.shape[1])
    assert sampled == pytest.approx(exact, rel=0.05)
    assert (DISCARDS <= 3).all()


# --- play ---------------------------------------------------------------------------------------------------------


def test_thousands_of_decisions_are_legal_and_have_reasons() -> None:
    """BET, DRAW-10: on stacks of any size, at all levels, with side pots and without; all moves are met."""
    chance = random.Random("legal")
    told: list[Told] = []
    for number in range(240):
        seats = 2 + number % 5
        terms = replace(
            USUAL, ante=1 + number % 4, second=10 + 10 * (number % 2), show=("all", "muck")[number % 3 == 0]
        )
        stacks = tuple([chance.randrange(1, 60) if number % 2 else 200 for _ in range(seats)])
        names = tuple(
            [chance.choice(("easy", "medium", "medium", "easy", "easy", "medium", "hard")) for _ in range(seats)]
        )
        told += played(names, Hand(stacks, shuffled(f"deal {number}"), number % seats, terms), f"play {number}")
    assert len(told) > 2000
    for level in LEVELS:
        mine = [(action, reason) for name, action, reason in told if name == level]
        assert all(any(letter.isalpha() for letter in reason) for _, reason in mine)
        names_met = {action.name for action, _ in mine if isinstance(action, Move)}
        assert names_met == {"CHECK", "BET", "CALL", "RAISE", "FOLD"}, level
        sizes = {len(action.slots) for action, _ in mine if isinstance(action, Discard)}
        assert {1, 2, 3} <= sizes or level == "hard"


def test_the_same_seed_decides_the_same() -> None:
    """DRAW-9: decisions follow from the view and from chance."""
    names = ("hard", "medium", "easy")
    first = [played(names, Hand((200,) * 3, shuffled(str(deal))), f"seed {deal}") for deal in range(8)]
    again = [played(names, Hand((200,) * 3, shuffled(str(deal))), f"seed {deal}") for deal in range(8)]
    assert first == again


@pytest.mark.parametrize("level", LEVELS)
def test_hidden_cards_change_no_decision(level: str) -> None:
    """DRAW-9: with all cards that the seat does not hold, the stub included, shuffled anew it decides the same."""
    chance = random.Random(f"hidden {level}")
    compared = 0
    for number in range(12):
        hand = Hand((200,) * (2 + number % 3), shuffled(f"hidden {number}"))
        while not isinstance(due := hand.due, Finished):
            seat, action, reason = chosen(LEVELS[level], hand, random.Random(number))
            own = set(DRAW.hole_slots(hand.play.hand, due.seat))
            hidden = [slot for slot in range(len(DECK)) if slot not in own]
            cards = chance.sample([hand.deck[slot] for slot in hidden], len(hidden))
            other = list(hand.deck)
            for slot, card in zip(hidden, cards, strict=True):
                other[slot] = card
            deck, hand.deck = hand.deck, tuple(other)
            assert chosen(LEVELS[level], hand, random.Random(number)) == (seat, action, reason)
            hand.deck = deck
            compared += 1
            hand.take(seat, action)
    assert compared > 40


@pytest.mark.parametrize("level", LEVELS)
def test_a_royal_flush_is_never_folded(level: str) -> None:
    """DRAW-5: nor is it exchanged, whatever the others do."""
    royal = read_cards("SA SK SQ SJ ST")
    for number in range(10):
        seats = 2 + number % 5
        rest = [card for card in shuffled(f"royal {number}") if card not in royal]
        hand = Hand((200,) * seats, DECK)
        slots = DRAW.hole_slots(hand.play.hand, 0)
        deck = [royal[slots.index(slot)] if slot in slots else rest.pop() for slot in range(len(DECK))]
        hand.deck = tuple(deck)
        names = (level, *["easy"] * (seats - 1))
        played(names, hand, f"royal {number}", royal=0)
        if hand.play.hand.held[0] != slots:
            raise AssertionError("a royal flush was exchanged")


def test_medium_keeps_a_straight_or_better() -> None:
    """DRAW-9: it never gives up a made hand, whoever is in."""
    chance = random.Random("made")
    made = [hole for hole in (tuple(chance.sample(DECK, 5)) for _ in range(40_000)) if class_of(strength(hole)) >= 4]
    assert len(made) > 100
    hand = Hand((200,) * 3, DECK)
    hand.moves("BET", "CALL", "CALL")
    view = hand.view(1)
    for hole in made:
        assert DRAW_MEDIUM.exchanges(replace(view, hole=hole), chance)[0] == ()


def test_medium_pays_what_the_odds_are_worth() -> None:
    """DRAW-9: the same draw is folded to a bet into a small pot and called in a large one."""
    hole = read_cards("HA HT H7 H3 C4")
    answers = {}
    for ante in (1, 60):
        hand = Hand((200,) * 2, DECK, terms=replace(USUAL, ante=ante))
        hand.moves("BET")
        answers[ante] = DRAW_MEDIUM.decide(replace(hand.view(0), hole=hole), random.Random(0))[0].name
    assert answers == {1: "FOLD", 60: "CALL"}


def test_easy_bets_a_pair_and_seldom_bluffs() -> None:
    """DRAW-9."""
    view = Hand((200,) * 2, DECK).view(1)
    chance = random.Random("easy")
    pair, nothing = read_cards("H2 C2 D9 S6 CK"), read_cards("H2 C4 D9 S6 CK")
    assert DRAW_EASY.decide(replace(view, hole=pair), chance)[0].name == "BET"
    bluffs = [DRAW_EASY.decide(replace(view, hole=nothing), chance)[0].name for _ in range(2000)].count("BET")
    assert 50 < bluffs < 160


# --- what hard makes of the others --------------------------------------------------------------------------------


def middle(hand: Hand, seat: int) -> float:
    """The bucket that the seat's hand reaches on average, as seat 0 sees it."""
    view = replace(hand.view(0), hole=read_cards("H2 C4 D9 S6 CK"))
    buckets = story(view).ranges[seat].buckets
    return float(buckets @ np.arange(len(buckets)))


def test_ranges_follow_bets_raises_and_exchanges() -> None:
    """DRAW-9: who bets holds more than who checks, who raises more; one card is two pairs or a draw."""

    def after(*names: str) -> Hand:
        hand = Hand((200,) * 2, DECK)
        hand.moves(*names)
        return hand

    checked, bet = middle(after("CHECK"), 1), middle(after("BET"), 1)
    raised = middle(after("BET", "RAISE", "RAISE"), 1)
    assert checked + 20 < bet < raised - 20
    three, two, none = [middle(after("BET", "CALL", many), 1) for many in ("3", "2", "0")]
    assert three + 40 < min(two, none)
    one = story(after("BET", "CALL", "1").view(0)).ranges[1].kinds
    usual = [KINDS[kind] for kind in np.flatnonzero(one > 0.05)]
    assert usual
    assert all("two pairs" in kind or "four to" in kind for kind in usual)
    assert middle(after("BET", "CALL", "3", "3", "BET"), 1) > three + 50


def test_bluffs_leave_the_caller_indifferent() -> None:
    """DRAW-9: with as many bluffs as `bluff_frequency` allows, calling with what beats only bluffs wins nothing."""
    lift, weights = np.array([0.0, 0.1, 0.9, 1.0]), np.array([0.4, 0.3, 0.2, 0.1])
    for pot, unit in ((20.0, 10.0), (2.0, 10.0), (90.0, 30.0)):
        value = float(lift @ weights)
        bluffs = (1 - value) * bluff_frequency(lift, weights, pot, unit)
        assert bluffs * (pot + unit) - value * unit == pytest.approx(0)
        assert bluffing(pot, unit) == pytest.approx(unit / (pot + unit))
    assert bluff_frequency(np.ones(1), np.ones(1), 2.0, 10.0) == 1


def test_moves_played_on_are_worth_what_can_be_counted() -> None:
    """POT: the best hand of the second round wins what is in the pot, the worst what it costs to be called."""
    hand = Hand((200,) * 2, DECK, terms=replace(USUAL, ante=30))
    hand.moves("CHECK", "CHECK", "3", "3", "BET")
    view = replace(hand.view(0), hole=read_cards("SA SK SQ SJ ST"))
    told = story(view)
    nuts = population().bucket[strength(view.hole)].reshape(1)
    best, _ = worths(view, told, nuts, 400, 1)
    # The other hand may share the highest bucket.
    assert best["CALL"] == pytest.approx(70, abs=2)
    assert best["RAISE"] > best["CALL"]
    worst, _ = worths(view, told, np.zeros(1, np.intp), 400, 1)
    assert worst["CALL"] == pytest.approx(-10, abs=1)
    assert worst["FOLD"] == 0


def test_some_fold_to_a_bet_and_pay_nothing() -> None:
    """BET-2: the best hand wins the pot of 2 from who folds and 10 more from who calls: less than 12 on average."""
    hand = Hand((200,) * 2, DECK, terms=replace(USUAL, raises=0))
    hand.moves("CHECK", "CHECK", "3", "3", "CHECK")
    view = replace(hand.view(0), hole=read_cards("SA SK SQ SJ ST"))
    worth, _ = worths(view, story(view), population().bucket[strength(view.hole)].reshape(1), 400, 1)
    assert 4 < worth["BET"] < 9
    assert worth["CHECK"] == pytest.approx(2, abs=0.1)


def test_nobody_else_holds_our_cards() -> None:
    """DRAW-9: with two aces here another has a pair of aces less often; what he thinks of us does not change."""
    view = Hand((200,) * 2, DECK).view(1)
    aces, none = [story(replace(view, hole=read_cards(text))) for text in ("HA CA D9 S6 C2", "H3 C4 D9 S6 C2")]
    assert aces.ranges[0].kinds[12] < none.ranges[0].kinds[12] / 2
    assert aces.ranges[1].kinds[12] == none.ranges[1].kinds[12]


def test_short_stacks_win_no_more_than_they_can() -> None:
    """POT-2: who is all-in with 5 wins 5 of each other, however much they bet."""
    hand = Hand((5, 200, 200), DECK)
    hand.moves("BET", "CALL")
    view = replace(hand.view(0), hole=read_cards("SA SK SQ SJ ST"))
    nuts = population().bucket[strength(view.hole)].reshape(1)
    worth, _ = worths(view, story(view), nuts, 400, 1)
    assert worth["CALL"] == pytest.approx(15 - 4, abs=0.5)


def test_levels_of_the_table() -> None:
    assert [strategy("draw", level) for level in ("easy", "medium")] == [DRAW_EASY, DRAW_MEDIUM]
    assert strategy("draw", "hard", quick=True) is DRAW_HARD_QUICK
