"""Whole rounds of One Poker, each with its exact result (ONE-1 to ONE-10)."""

from __future__ import annotations

import pytest

from dealerless.errors import UsageError
from dealerless.games.cards import DECK
from dealerless.games.game import Act, Deal, DrawLot, Finished, Move, Show
from dealerless.games.onepoker import ONEPOKER
from dealerless.games.onepokerhand import class_of
from tests.one import Table, number, opened_on

FIRST = (("HK", "C3"), ("DQ", "S9"))
"""Seat 0 has a king and a three, seat 1 a queen and a nine."""


def test_checked_down() -> None:
    """O1: the higher card gains one life."""
    table = Table((10, 10)).deal(*FIRST).lay("HK", "DQ").play("0k 1k")
    assert table.betting == "9/9/2"
    assert table.open().end.stacks == (11, 9)
    assert table.end.result == "showdown"
    assert table.end.pots[0].winners == (0,)


def test_a_call_does_not_end_the_betting() -> None:
    """O2, O3: after the call seat 1 is to act; two checks in a row end it."""
    table = Table((10, 10)).deal(*FIRST).lay("HK", "DQ").play("0k 1b2 0c")
    assert (table.betting, table.options) == ("7/7/6", "1: CHECK, BET 1..7")
    table.play("1k 0k").open()
    assert (table.end.stacks, table.end.pots[0].amount) == ((13, 7), 6)


def test_all_in_and_called() -> None:
    """O4: no checks are needed, and the loser is out."""
    table = Table((10, 10)).deal(*FIRST).lay("C3", "S9").play("0b3 1r2 0r4 1c")
    assert table.betting == "0/0/20"
    assert isinstance(table.hand.due, Show)
    assert table.open().end.stacks == (0, 20)
    assert not ONEPOKER.can_be_dealt_in(table.terms, 0)
    with pytest.raises(UsageError):
        table.begin()


def test_no_more_than_the_other_can_match() -> None:
    """O5: with one life left on the other side a bet of one is all there is."""
    table = Table((2, 10), priority=1).deal(*FIRST).lay("HK", "DQ")
    assert table.options == "1: CHECK, BET 1"
    assert table.refused(1, Move(name="BET", amount=2)).code == "bet.wrong-amount"
    table.play("1b1 0c")
    assert table.betting == "0/8/4"
    assert table.open().end.stacks == (4, 8)


@pytest.mark.parametrize(
    ("mine", "other", "after"), [("SK", "SQ", (2, 9)), ("SQ", "SK", (0, 11)), ("SQ", "HQ", (1, 10))]
)
def test_the_last_life_is_the_ante(mine: str, other: str, after: tuple[int, int]) -> None:
    """O7: no betting; both lay and open all the same."""
    table = Table((1, 10)).deal((mine, "C3"), (other, "S9")).lay(mine, other)
    assert (table.betting, table.options) == ("0/9/2", "over")
    assert table.open().end.stacks == after


def test_raises_up_to_what_the_other_has() -> None:
    """O8."""
    table = Table((5, 12)).deal(*FIRST).lay("HK", "DQ").play("0b2")
    assert table.betting == "2/11/4"
    assert table.refused(1, Move(name="RAISE", amount=3)).code == "bet.wrong-amount"
    table.play("1r1")
    assert (table.betting, table.options) == ("2/8/7", "0: CALL, RAISE 1, FOLD")


def test_a_fold_opens_both_cards_and_the_lower_takes_the_pot() -> None:
    """O10: 7 lives to 5, and seat 0 has priority next though its card was the lower one."""
    table = Table((6, 6)).deal(*FIRST).lay("C3", "S9").play("0b5")
    assert table.betting == "0/5/7"
    table.play("1f")
    assert isinstance(table.hand.due, Show)
    table.open()
    assert (table.end.stacks, table.end.result, table.end.button) == ((7, 5), "fold", 0)
    assert table.hand.cards == (number("C3"), number("S9"))
    assert table.begin().hand.first == 0


@pytest.mark.parametrize(("amount", "code"), [(0, "bet.wrong-amount"), (6, "bet.over-stack"), (-1, "bet.wrong-amount")])
def test_amounts_that_are_no_bet(amount: int, code: str) -> None:
    """O12."""
    table = Table((6, 6)).deal(*FIRST).lay("HK", "DQ")
    refusal = table.refused(0, Move(name="BET", amount=amount))
    assert (refusal.code, refusal.clause) == (code, "ONE-7")


@pytest.mark.parametrize(
    ("mine", "other", "lives"),
    [
        ("S2", "SA", (11, 9)),
        ("S2", "S3", (9, 11)),
        ("SA", "SK", (11, 9)),
        ("S2", "H2", (10, 10)),
        ("SA", "CA", (10, 10)),
        ("S2", "S2", (10, 10)),
    ],
)
def test_which_card_beats_which(mine: str, other: str, lives: tuple[int, int]) -> None:
    """O13: a deuce beats an ace and nothing else; suits decide nothing, and of a card there are three."""
    assert opened_on(mine, other).end.stacks == lives


@pytest.mark.parametrize("priority", [0, 1])
def test_a_tie_leaves_priority(priority: int) -> None:
    """O14: in the round after it the same seat is dealt, lays and bets first."""
    table = opened_on("S2", "H2", priority=priority)
    assert table.end.button == priority
    table.begin()
    due = table.hand.due
    assert isinstance(due, Deal)
    assert [seat for seat, _ in due.hands] == [priority, 1 - priority]
    table.deal(("DA",), ("D3",)).lay("DA", "D3")
    assert table.hand.due == Act(seat=priority)


@pytest.mark.parametrize(("card", "up"), [*[(rank, 0) for rank in "234567"], *[(rank, 1) for rank in "89TJQKA"]])
def test_what_the_lamps_say(card: str, up: int) -> None:
    """O15: down to 7, up from 8, in all suits."""
    assert [class_of(number(suit + card)) for suit in "CDHS"] == [up] * 4
    table = Table((10, 10)).deal((f"S{card}", "C2"), (f"H{card}", "CA"))
    assert table.hand.lamps == ((2 - up, up), (1 - up, 1 + up))


def test_the_shoe_lasts_for_38_rounds() -> None:
    """O16, ONE-2: 4 and 37 times 2 cards are 78; round 39 is dealt from the first places of another shoe."""
    table = Table((10, 10)).round((("SA", "S2"), ("HA", "H2")), ("S2", "H2"), "0k 1k")
    places = [0, 1, 2, 3]
    for number_ in range(2, 39):
        table.begin()
        due = table.hand.due
        assert isinstance(due, Deal)
        assert due.hands == ((0, (2 * number_,)), (1, (2 * number_ + 1,)))
        places += [2 * number_, 2 * number_ + 1]
        assert len(table.hand.played) == 2 * number_ - 2
        # Each round both draw a deuce and lay it; of the kept aces nobody hears.
        table.round((("S2",), ("H2",)), ("S2", "H2"), "0k 1k")
    assert places == list(range(78))
    assert table.hand.used == 78
    assert (len(table.hand.played), len(table.begin().hand.played)) == (76, 0)
    due = table.hand.due
    assert isinstance(due, Deal)
    assert due.hands == ((0, (0,)), (1, (1,)))
    # The kept cards stay, and show a fourth ace of spades with those of this shoe.
    assert [tuple(lamps) for lamps in table.hand.lamps] == [(0, 1), (0, 1)]
    table.round((("S3",), ("H3",)), ("SA", "HA"), "0k 1k")
    assert table.hand.played == (number("SA"), number("HA"))
    assert table.held == [["S3"], ["H3"]]


def test_the_shoe_is_three_decks() -> None:
    """ONE-2: 156 cards, of which 78 are used; 24 of 52 are down, 28 up."""
    deck = ONEPOKER.deck()
    assert len(deck) == 156
    assert {deck.count(card) for card in DECK} == {3}
    assert [class_of(card) for card in DECK].count(0) == 24


def test_priority_goes_with_the_pot() -> None:
    """ONE-6: by cards and by folds; it never rotates."""
    table = opened_on("SA", "SK", priority=1)
    assert table.end.button == 0
    table.begin().deal(("D9",), ("DT",)).lay("D9", "DT").play("0k 1b1 0f").open()
    assert (table.end.button, table.end.stacks) == (1, (10, 10))
    table.begin().deal(("D3",), ("DJ",)).lay("D3", "DJ").play("1b2 0r1 1f").open()
    assert (table.end.button, table.end.stacks) == (0, (13, 7))


def test_the_ante_is_in_before_anything() -> None:
    """ONE-5, VERDICT-4a: with the lot still to be drawn a life of each is in the pot."""
    table = Table((1, 3))
    assert isinstance(table.hand.due, DrawLot)
    assert (table.hand.stacks, table.hand.totals) == ((0, 2), (1, 1))
    due = ONEPOKER.forfeit(table.hand, 1).due
    assert isinstance(due, Finished)
    assert (due.stacks, due.result) == ((2, 2), "forfeit")


def test_who_folded_has_lost_the_pot_but_not_the_match() -> None:
    """ONE-10: what a folder owes is at least a life, so it keeps one."""
    table = Table((2, 9), priority=1).deal(*FIRST).lay("HK", "DQ").play("1b1 0f").open()
    assert table.end.stacks == (1, 10)
