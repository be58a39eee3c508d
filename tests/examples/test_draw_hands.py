"""Whole hands of five-card draw, each with its exact result (DRAW, BET, POT, SHOW, TABLE-5)."""

from __future__ import annotations

import pytest

from dealerless.games.draw import DRAW
from dealerless.games.game import Deal, Discard, Exchange
from tests.draw import (
    amounts,
    cards,
    end,
    kept_all,
    met,
    opened,
    options,
    own,
    play,
    refused,
    shown_down,
    stacked,
    terms,
)

# Strongest first, and no card in two of them.
BEST, SECOND, THIRD = "AcAdAhAsKc", "QcQdQhJcJd", "2c4d6h8sTc"


def test_nothing_to_fold_to_and_the_exchanges_in_order() -> None:
    """BET-2, DRAW-2: checks all round, then each exchanges from the button's left."""
    hand = play(opened(terms(), (100, 100, 100)), "")
    assert (hand.stacks, options(hand)) == ((99, 99, 99), "0: CHECK, BET")
    refusal = refused(hand, "0f")
    assert (refusal.code, refusal.clause) == ("bet.nothing-owed", "BET-2")
    hand = play(hand, "0k 1k 2k |")
    for seat in (0, 1, 2):
        assert options(hand) == f"exchange {seat}"
        hand = play(hand, f"{seat}x0")
    assert options(hand) == "0: CHECK, BET"


def test_a_bet_and_three_raises_also_heads_up() -> None:
    """BET-5: the fifth is refused although only two are in; a call leaves 159 each."""
    hand = play(opened(terms(stack=200), (200, 200), 0), "1b 0r 1r 0r")
    assert (hand.betting.put, options(hand)) == ((40, 30), "1: CALL, FOLD")
    refusal = refused(hand, "1r")
    assert (refusal.code, refusal.clause) == ("bet.cap-reached", "BET-5")
    hand = play(hand, "1c |")
    assert (hand.stacks, options(hand)) == ((159, 159), "exchange 1")
    # And as many in the second round: 81 in all (DRAW-7).
    hand = play(hand, "1x 0x | 1b 0r 1r 0r 1c |")
    assert (hand.totals, options(hand)) == ((81, 81), "show 0")


def test_check_raise() -> None:
    """BET-1."""
    hand = play(opened(terms(), (100, 100, 100), 0), "1k 2k 0b 1r")
    assert (hand.betting.level, hand.betting.owed, options(hand)) == (20, 20, "2: CALL, RAISE, FOLD")
    hand = play(hand, "2c")
    assert (hand.betting.owed, options(hand)) == (10, "0: CALL, RAISE, FOLD")
    assert play(hand, "0r").betting.level == 30


def test_a_seat_all_in_exchanges_and_keeps_the_main_pot() -> None:
    """DRAW-2, BET-6, BET-7, POT-2: it is asked for its exchange and not for a move any more."""
    start = opened(terms(), (11, 26, 61))
    deck = stacked(start, {0: BEST, 1: SECOND, 2: THIRD}, "3c5d7h")
    hand = play(start, "0b 1r 2c |", deck)
    assert (hand.stacks, options(hand)) == ((0, 5, 40), "exchange 0")
    # Seat 0 gives up its king for the 3 of clubs.
    hand = play(hand, "0x4 1x 2x | 1k 2k |", deck)
    assert amounts(hand) == [(33, (0, 1, 2)), (20, (1, 2))]
    assert sorted(own(hand, 0, deck)) == sorted(cards("AcAdAhAs3c"))
    assert end(shown_down(hand, deck)).stacks == (33, 25, 40)


def test_a_short_ante_makes_a_side_pot() -> None:
    """DRAW-7, POT-2: 3 of 5 are all that seat 0 has."""
    start = opened(terms(ante=5), (3, 50, 50))
    assert (start.stacks, start.totals) == ((0, 45, 45), (3, 5, 5))
    deck = stacked(start, {0: BEST, 1: SECOND, 2: THIRD})
    hand = play(kept_all(play(start, "1k 2k |", deck)), "1k 2k |", deck)
    assert amounts(hand) == [(9, (0, 1, 2)), (4, (1, 2))]
    assert end(shown_down(hand, deck)).stacks == (9, 49, 45)


def test_a_short_raise_of_half_or_more_counts() -> None:
    """BET-5: 18 after 10 is a raise, and who bet may raise to 28."""
    hand = play(opened(terms(), (100, 100, 19, 100)), "0b 1c 2r 3c")
    assert (hand.betting.owed, options(hand)) == (8, "0: CALL, RAISE, FOLD")
    assert play(hand, "0r").betting.level == 28


def test_a_short_raise_of_less_than_half_does_not() -> None:
    """BET-5: 14 after 10 is completed to 20 by one who has not acted; one who has calls or folds."""
    hand = play(opened(terms(), (100, 100, 15, 100)), "0b 1c 2r")
    assert (hand.betting.owed, options(hand)) == (14, "3: CALL, RAISE, FOLD")
    assert play(hand, "3r").betting.level == 20
    hand = play(hand, "3c")
    assert (hand.betting.owed, options(hand), refused(hand, "0r").code) == (4, "0: CALL, FOLD", "bet.not-reopened")


def test_a_short_bet_of_half_or_more_is_the_bet() -> None:
    """BET-5: 6 all-in; the raise goes to 16."""
    hand = play(opened(terms(), (7, 100, 100)), "0b")
    assert (hand.betting.owed, options(hand)) == (6, "1: CALL, RAISE, FOLD")
    assert play(hand, "1r").betting.level == 16


def test_no_raise_that_nobody_could_answer() -> None:
    """BET-6, BET-7: one is all-in, so that both exchange and show without a second round."""
    hand = play(opened(terms(), (11, 100)), "0b")
    assert (options(hand), refused(hand, "1r").code) == ("1: CALL, FOLD", "bet.no-answer")
    hand = kept_all(play(hand, "1c |"))
    assert (hand.street, options(hand)) == (1, "show 0")


@pytest.mark.parametrize(("button", "won"), [(3, (5, 5, 4)), (0, (4, 5, 5)), (1, (5, 4, 5)), (2, (5, 5, 4))])
def test_odd_chips_go_out_from_the_buttons_left(button: int, won: tuple[int, ...]) -> None:
    """POT-4: 14 among three of equal strength; seat 3 put 2 in and is out."""
    start = opened(terms(ante=4), (4, 4, 4, 2), button)
    deck = stacked(start, {0: "2cKd7c8c9d", 1: "2dKh7d8d9h", 2: "2hKs7h8h9s", 3: "2s3d4s5c7s"})
    ended = end(shown_down(kept_all(play(start, "")), deck))
    # What seat 3 put in makes a layer of its own here: 8 among all four, and 6 of the others.
    assert [(pot.amount, pot.seats) for pot in ended.pots] == [(8, (0, 1, 2, 3)), (6, (0, 1, 2))]
    assert sum(ended.stacks) == 14
    hand = DRAW.forfeit(play(start, ""), 3)
    ended = end(shown_down(kept_all(hand), deck))
    assert ended.stacks == (*won, 0)


def test_dead_chips_leave_one_pot() -> None:
    """POT-2: three have put in 10,000 each, one who folded 200 and one 100; each of three equal hands gets 10,100."""
    start = opened(terms(ante=100, first=100, second=9_800, stack=10_000), (10_000, 10_000, 10_000, 100, 300))
    deck = stacked(start, {0: "2cKd7c8c9d", 1: "2dKh7d8d9h", 2: "2hKs7h8h9s"})
    hand = play(start, "0b 1c 2c 4c |", deck)
    hand = DRAW.forfeit(kept_all(hand), 3)
    hand = play(hand, "0b 1c 2c 4f |", deck)
    assert hand.totals == (10_000, 10_000, 10_000, 100, 200)
    ended = end(shown_down(hand, deck))
    assert [(pot.amount, pot.winners) for pot in ended.pots] == [(30_300, (0, 1, 2))]
    assert ended.stacks == (10_100, 10_100, 10_100, 0, 100)


def test_off_mode_deals_in_who_can_pay_for_a_hand() -> None:
    """DRAW-7, TABLE-2: ante 1 and two rounds of four bets of 10 are 81 chips; 80 are not enough."""
    agreed = terms(allin=False)
    assert agreed.dearest == 81
    assert [DRAW.can_be_dealt_in(agreed, stack) for stack in (80, 81)] == [False, True]
    hand = opened(agreed, (81, 80, 200))
    assert hand.order == (0, 2)
    hand = play(hand, "0b 2r 0r 2r 0c | 0x 2x | 0b 2r 0r 2r 0c |")
    assert (hand.stacks, options(hand)) == ((0, 80, 119), "show 2")
    assert [DRAW.can_be_dealt_in(terms(), stack) for stack in (0, 1)] == [False, True]


def test_two_amounts() -> None:
    """DRAW-3: the second round has a fixed amount of its own."""
    hand = kept_all(play(opened(terms(first=10, second=20, stack=200), (200, 200)), "0b 1c |"))
    assert play(hand, "0b 1r").betting.level == 40


def test_the_last_to_lift_shows_first() -> None:
    """SHOW-1: of the last round in which anybody moved; else the first still in to the left of the button."""
    start = opened(terms(), (100, 100, 100))
    hand = kept_all(play(start, "0k 1b 2r 0c 1c |"))
    assert options(play(hand, "0k 1b 2c 0c |")) == "show 1"
    assert options(play(hand, "0k 1k 2k |")) == "show 0"
    assert options(play(hand, "0k 1b 2c 0f |")) == "show 1"
    # Nobody can bet in the second round: the first one's raiser shows first.
    hand = kept_all(play(opened(terms(), (11, 11, 11)), "0k 1b 2c 0c |"))
    assert options(hand) == "show 1"


def test_mucking() -> None:
    """SHOW-2, SHOW-3: the first shows, the next may muck, the last who claims is not asked."""
    start = opened(terms(show="muck"), (100, 100, 100))
    hand = play(kept_all(play(start, "0k 1k 2k |")), "0k 1k 2k |")
    assert (options(hand), refused(hand, "0m").code) == ("show 0", "show.may-not-muck")
    hand = play(hand, "0s 1m")
    assert options(hand) == "show 2 or muck"
    ended = end(play(hand, "2m"))
    assert (ended.stacks, ended.result) == ((102, 99, 99), "showdown")


def test_a_fold_shows_nothing() -> None:
    """DRAW-8, POT-1: all but one have folded; an uncalled bet goes back, before and after the exchange."""
    ended = end(play(opened(terms(), (100, 100, 100)), "0b 1f 2f"))
    assert (ended.stacks, ended.result, [pot.amount for pot in ended.pots]) == ((102, 99, 99), "fold", [3])
    hand = play(kept_all(play(opened(terms(), (100, 100, 100)), "0b 1c 2f |")), "0k 1b 0f")
    assert (end(hand).stacks, hand.shown) == ((89, 112, 99), ())


def test_slots() -> None:
    """TABLE-5, DECK-7: one each, five times, from the button's left; then replacements, seat by seat, from slot 15."""
    hand = opened(terms(), (100, 100, 100), 0)
    assert hand.due == Deal(hands=((1, (0, 3, 6, 9, 12)), (2, (1, 4, 7, 10, 13)), (0, (2, 5, 8, 11, 14))))
    hand = play(hand, "1k 2k 0k")
    assert hand.due == Exchange(seat=1, slots=(0, 3, 6, 9, 12), dealt=(15, 16, 17))
    hand = DRAW.apply(hand, 1, Discard(slots=(3, 12)))
    # It holds its old ones until the new ones are dealt.
    assert (hand.due, hand.held[1]) == (Deal(hands=((1, (15, 16)),)), (0, 3, 6, 9, 12))
    hand = met(hand)
    assert hand.due == Exchange(seat=2, slots=(1, 4, 7, 10, 13), dealt=(17, 18, 19))
    assert hand.held[1] == (0, 6, 9, 15, 16)
    hand = play(hand, "2x 0x024")
    assert (hand.held[2], hand.held[0], hand.top) == ((1, 4, 7, 10, 13), (5, 11, 17, 18, 19), 20)


def test_six_who_exchange_three_each() -> None:
    """DRAW-2, TABLE-5: 30 cards and 18 more are 48 of 52, each a slot of its own; five cannot be asked for."""
    hand = play(opened(terms(), (100,) * 6), "0k 1k 2k 3k 4k 5k |")
    refusal = refused(hand, "0x01234")
    assert (refusal.code, refusal.clause) == ("exchange.too-many", "DRAW-2")
    assert refused(hand, "0x0123").code == "exchange.too-many"
    hand = play(hand, "0x012 1x012 2x012 3x012 4x012 5x012 |")
    assert (hand.top, options(hand)) == (48, "0: CHECK, BET")
    held = [slot for slots in hand.held for slot in slots]
    assert len(set(held)) == 30
    assert max(held) == 47


def test_what_an_exchange_may_name() -> None:
    """DECK-7, DRAW-10: three different ones of the five, in ascending order, and none given up before."""
    hand = play(opened(terms(), (100, 100)), "0k 1k |")
    for slots, code in (
        ((0, 2, 4, 6), "exchange.too-many"),
        ((1,), "exchange.not-held"),
        ((10,), "exchange.not-held"),
        ((-1,), "exchange.not-held"),
        ((False,), "exchange.not-held"),
        ((2.0,), "exchange.not-held"),
        (("0",), "exchange.not-held"),
        ((0, 0), "exchange.unordered"),
        ((2, 0), "exchange.unordered"),
    ):
        refusal = DRAW.check(hand, 0, Discard(slots=slots))  # type: ignore[arg-type]
        assert refusal is not None
        assert refusal.code == code
    assert refused(hand, "1x0").code == "turn.not-yours"
    assert refused(hand, "0k").code == "turn.wrong-kind"
    assert refused(play(hand, "0x0"), "0x1").code == "turn.not-yours"
    assert refused(play(hand, "0x0 1x"), "0x1").code == "turn.wrong-kind"


@pytest.mark.parametrize(
    ("stronger", "weaker"),
    [
        ("2c3d4h5s6c", "Ac2d3h4s5h"),
        ("Ac2c3c4c5c", "9c9d9h9sKd"),
        ("2c2d2h2sKc", "AcAdAhKdKh"),
        ("7c7d7h2c2d", "6c6d6hAcAd"),
        ("AcTc8c6c5c", "AdTd8d5d4d"),
        ("9c9d9hKc2d", "8c8d8hAc9s"),
    ],
)
def test_who_wins(stronger: str, weaker: str) -> None:
    """DRAW-5: whoever holds it."""
    for better in (0, 1):
        start = opened(terms(), (100, 100))
        deck = stacked(start, {better: stronger, 1 - better: weaker})
        hand = play(kept_all(play(start, "0b 1c |")), "0k 1k |", deck)
        ended = end(shown_down(hand, deck))
        assert ended.stacks == ((111, 89) if better == 0 else (89, 111))


def test_equal_hands_split() -> None:
    """DRAW-5: suits do not count; the odd chip goes to the button's left."""
    start = opened(terms(), (100, 100, 100), 0)
    deck = stacked(start, {1: "AcKdQhJs9c", 2: "AdKhQsJc9d", 0: "2c4d6h8sTc"})
    hand = kept_all(play(start, "1b 2c 0c |"))
    ended = end(shown_down(play(hand, "1k 2k 0k |"), deck))
    assert (ended.stacks, [pot.winners for pot in ended.pots]) == ((89, 106, 105), [(1, 2)])
