"""Whole hands of Texas Hold'em, each with its exact result (HOLDEM, BET, POT, SHOW, TABLE-5)."""

from __future__ import annotations

import pytest

from dealerless.games.game import Deal, OpenBoard
from dealerless.games.holdem import HOLDEM
from tests.holdem import end, opened, options, play, refused, shown_down, stacked, terms

BOARD = "7c 2h Td Kc Qs"
# On that board, strongest first.
BEST, SECOND, THIRD = "AhJd", "2c2d", "KhQh"


def test_heads_up_order() -> None:
    """HOLDEM-3: the button posts the small blind and acts first before the flop, last after it."""
    hand = play(opened(terms(), (100, 100)), "")
    assert (hand.stacks, options(hand)) == ((99, 98), "0: CALL, RAISE 4..100, FOLD")
    hand = play(hand, "0c")
    assert (hand.stacks, options(hand)) == ((98, 98), "1: CHECK, RAISE 4..100")
    hand = play(hand, "1k |")
    assert options(hand) == "1: CHECK, BET 2..98"
    assert options(play(hand, "1k 0k | 1k 0k | 1k 0k")) == "show 1"


def test_the_big_blinds_option() -> None:
    """HOLDEM-6: three seats limp; the big blind checks or raises."""
    hand = play(opened(terms(), (100, 100, 100)), "0c 1c")
    assert (hand.stacks, options(hand)) == ((98, 98, 98), "2: CHECK, RAISE 4..100")
    assert options(play(hand, "2k |")) == "1: CHECK, BET 2..98"
    assert options(play(hand, "2r4")) == "0: CALL, RAISE 6..100, FOLD"
    folded = play(opened(terms(), (100, 100, 100)), "0c 1f")
    assert options(folded) == "2: CHECK, RAISE 4..100"


def test_the_minimum_raise() -> None:
    """BET-4: the last full raise, from 100 to 180, makes the next 260."""
    hand = play(opened(terms(small=10, big=20), (1000, 1000)), "0r100 1r180")
    assert options(hand) == "0: CALL, RAISE 260..1000, FOLD"
    assert refused(hand, "0r259").code == "bet.below-minimum-raise"
    hand = play(opened(terms(), (50, 50)), "0c 1k 1b2")
    assert options(hand) == "0: CALL, RAISE 4..48, FOLD"


def test_a_short_all_in_does_not_reopen() -> None:
    """BET-4: the button called 16 and faces 19."""
    hand = play(opened(terms(), (200, 19, 200, 16)), "3r16 0c 1r19 2c")
    assert options(hand) == "0: CALL, FOLD"
    refusal = refused(hand, "0r33")
    assert (refusal.code, refusal.clause) == ("bet.not-reopened", "BET-4")
    hand = play(hand, "0c |")
    assert (hand.stacks, options(hand)) == ((181, 0, 181, 0), "2: CHECK, BET 2..181")


def test_who_has_not_acted_may_raise_a_short_all_in() -> None:
    """BET-4: on the flop, with a smallest bet of 100."""
    hand = play(opened(terms(small=50, big=100), (2000, 250, 2000), 2), "2c 0c 1k |")
    hand = play(hand, "0b100 1r150")
    assert options(hand) == "2: CALL, RAISE 250..1900, FOLD"


def test_short_all_ins_add_up_for_some_seats_only() -> None:
    """BET-4: 100, 150 all-in, a call, 210 all-in: who bet 100 may raise, who called 150 may not."""
    hand = opened(terms(small=50, big=100), (2000, 250, 2000, 310, 2000), 4)
    hand = play(hand, "2c 3c 4c 0c 1k | 0b100 1r150 2c 3r210 4f")
    assert options(hand) == "0: CALL, RAISE 310..1900, FOLD"
    assert options(play(hand, "0c")) == "2: CALL, FOLD"


def test_a_limper_may_not_raise_a_short_all_in() -> None:
    """BET-4: 140 over a big blind of 100."""
    hand = play(opened(terms(small=50, big=100), (2000, 2000, 2000, 2000, 140)), "3c 4r140")
    assert options(hand) == "0: CALL, RAISE 240..2000, FOLD"
    assert options(play(hand, "0c 1c 2c")) == "3: CALL, FOLD"


def test_short_all_ins_that_sum_to_a_full_raise_reopen() -> None:
    """BET-4: 300, then 500, 650 and 800, all three all-in."""
    hand = opened(terms(small=50, big=100), (2000, 600, 750, 900, 2000), 4)
    hand = play(hand, "2c 3c 4c 0c 1k | 0b300 1r500 2r650 3r800 4c")
    assert options(hand) == "0: CALL, RAISE 1100..1900, FOLD"


@pytest.mark.parametrize(("behind", "owed"), [((1985, 15), 5), ((1990, 20), 10)])
def test_a_short_big_blind(behind: tuple[int, int], owed: int) -> None:
    """BET-3: heads-up, the small blind owes what the big blind has really put in."""
    hand = play(opened(terms(small=10, big=20), behind), "")
    assert (hand.betting.owed, options(hand)) == (owed, "0: CALL, FOLD")
    hand = play(hand, "0c | ")
    assert (hand.stacks, hand.totals) == ((behind[0] - behind[1], 0), (behind[1], behind[1]))
    assert options(hand) == "show 1"


def test_a_big_blind_below_the_small_one() -> None:
    """BET-3, BET-7, POT-1: 3 go back at once and the board is run out for 14."""
    hand = opened(terms(small=10, big=20), (2000, 7))
    assert isinstance(HOLDEM.demand(hand), Deal)
    hand = HOLDEM.dealt(hand, {})
    assert HOLDEM.demand(hand) == OpenBoard(slots=(4, 5, 6))
    assert (hand.stacks, hand.totals) == ((1993, 0), (7, 7))
    hand = shown_down(hand)
    assert sum(pot.amount for pot in end(hand).pots) == 14


def test_a_short_blind_with_antes() -> None:
    """HOLDEM-6, BET-3, POT-2: antes first; the callers pay the full blind, the short one has the main pot."""
    start = opened(terms(small=10, big=20, ante=10), (500, 500, 25))
    assert (start.stacks, start.totals, start.betting.put) == ((490, 480, 0), (10, 20, 25), (0, 10, 15))
    deck = stacked(start, BOARD, {2: BEST, 1: SECOND, 0: THIRD})
    hand = play(start, "0c 1c | 1k 0k | 1k 0k | 1k 0k", deck)
    ended = end(shown_down(hand, deck))
    assert [(pot.amount, pot.seats, pot.winners) for pot in ended.pots] == [(75, (0, 1, 2), (2,)), (10, (0, 1), (1,))]
    assert ended.stacks == (470, 480, 75)


def test_fixed_limit() -> None:
    """BET-5, HOLDEM-5: the blind is the first bet before the flop; small bets twice, then big ones."""
    hand = play(opened(terms("limit", small=10, big=20), (1000, 1000)), "0r 1r 0r")
    assert (hand.betting.put, options(hand)) == ((80, 60), "1: CALL, FOLD")
    refusal = refused(hand, "1r")
    assert (refusal.code, refusal.clause) == ("bet.cap-reached", "BET-5")
    hand = play(hand, "1c | 1b 0r 1r 0r")
    assert (hand.betting.put, refused(hand, "1r").code) == ((80, 60), "bet.cap-reached")
    for street in (2, 3):
        hand = play(hand, "1c |")
        assert hand.street == street
        levels = []
        for text in ("1b", "0r", "1r", "0r"):
            hand = play(hand, text)
            levels.append(hand.betting.level)
        assert levels == [40, 80, 120, 160]
        assert refused(hand, "1r").code == "bet.cap-reached"
    # The amount of a fixed bet is not the mover's to say.
    assert refused(play(opened(terms("limit"), (100, 100)), ""), "0r4").code == "bet.wrong-amount"


@pytest.mark.parametrize(
    ("holes", "stacks"),
    [
        ({0: THIRD, 1: BEST, 2: SECOND}, (35, 30, 30)),
        ({0: BEST, 1: THIRD, 2: SECOND}, (95, 0, 0)),
        ({0: "AhJd", 1: "AsJh", 2: "AdJc"}, (60, 10, 25)),
    ],
)
def test_three_all_in(holes: dict[int, str], stacks: tuple[int, ...]) -> None:
    """POT-1, POT-2, POT-4: 60, 10 and 25; 35 go back before anything is shown."""
    start = opened(terms(), (60, 10, 25))
    deck = stacked(start, BOARD, holes)
    hand = play(start, "0r60 1c 2c", deck)
    assert (hand.stacks, hand.totals) == ((35, 0, 0), (25, 10, 25))
    ended = end(shown_down(hand, deck))
    assert [(pot.amount, pot.seats) for pot in ended.pots] == [(30, (0, 1, 2)), (30, (0, 2))]
    assert ended.stacks == stacks


def test_98_against_102() -> None:
    """POT-1: 4 come back at once, whoever wins."""
    for stacks, returned in (((98, 102), (0, 4)), ((102, 98), (4, 0))):
        start = opened(terms(), stacks)
        for best, other in ((0, 1), (1, 0)):
            deck = stacked(start, BOARD, {best: SECOND, other: THIRD})
            hand = play(start, "0r* 1c", deck)
            assert (hand.stacks, hand.totals) == (returned, (98, 98))
            won = [returned[0], returned[1]]
            won[best] += 196
            assert end(shown_down(hand, deck)).stacks == tuple(won)


def test_seven_seats_four_pots() -> None:
    """POT-2, POT-4, TABLE-5: a dead hand changes no pot, and odd chips go out pot by pot."""
    start = opened(terms(ante=1), (76, 181, 300, 117, 5, 66, 27), 6)
    holes = ("QhTs", "8h2s", "AsKh", "4s6d", "Ah6c", "TcQd", "4dQc")
    assert HOLDEM.hole_slots(start, 0) == (0, 7)
    assert HOLDEM.hole_slots(start, 6) == (6, 13)
    assert HOLDEM.board_slots(start) == (14, 15, 16, 17, 18)
    deck = stacked(start, BOARD, dict(enumerate(holes)))
    hand = play(start, "2r114 3r116 4f 5c 6c 0c 1c 2f", deck)
    assert (hand.totals, options(hand)) == ((76, 117, 115, 117, 1, 66, 27), "show 3")
    ended = end(shown_down(hand, deck))
    assert [pot.amount for pot in ended.pots] == [163, 195, 40, 121]
    assert [pot.winners for pot in ended.pots] == [(0, 5), (0, 5), (0,), (1,)]
    assert ended.stacks == (220, 185, 185, 0, 4, 178, 0)


# Board, and the two hands of which the first is the stronger or, where "=" stands, as strong.
SHOWDOWNS = [
    ("4d8s4h7h8c", "7c5d", ">", "Kd6h"),
    ("QdJd9dKc6d", "Qc7d", ">", "5dAh"),
    ("6cQcAd6sAc", "TdJs", "=", "3s3d"),
    ("3d6dTdJdAd", "2d4c", "=", "5sTc"),
    ("2c3d4h5s9c", "6hKs", ">", "AhKd"),
    ("9cThJhQhKh", "2h3h", ">", "AdTd"),
    ("9c7s5h5s3c", "8hKs", ">", "4dQs"),
    ("7s3s4c5h6d", "8s9c", ">", "2c8d"),
    ("3h4h5h6h7h", "8h8d", ">", "AdKc"),
    ("4c5d6h7s8c", "AhKd", "=", "2h2d"),
    ("4c5d6h7s8c", "9h2c", ">", "AhKd"),
]


@pytest.mark.parametrize("show", ["all", "muck"])
@pytest.mark.parametrize(("board", "one", "sign", "two"), SHOWDOWNS)
def test_who_wins(board: str, one: str, sign: str, two: str, show: str) -> None:
    """HOLDEM-1, HOLDEM-2, POT-4: the better five of seven takes all 40,000, equal ones take half each."""
    for better in (0, 1):
        start = opened(terms(small=50, big=100, show=show), (20_000, 20_000))
        deck = stacked(start, board, {better: one, 1 - better: two})
        hand = play(start, "0r20000 1c", deck)
        won = [20_000, 20_000] if sign == "=" else [40_000 * (seat == better) for seat in (0, 1)]
        assert end(shown_down(hand, deck)).stacks == tuple(won)


def test_four_split_a_straight_on_the_board() -> None:
    """HOLDEM-2, POT-4: and the odd chips go one by one from the button's left."""
    start = opened(terms(small=1, big=2), (11, 11, 11, 11, 9), 2)
    deck = stacked(start, "JdTcQsKs9s", {0: "9c2s", 1: "JhKh", 2: "Qc4h", 3: "Qh8d"})
    hand = play(start, "0r11 1c 2c 3c 4f", deck)
    ended = end(shown_down(hand, deck))
    assert [(pot.amount, pot.winners) for pot in ended.pots] == [(46, (3, 0, 1, 2))]
    assert ended.stacks == (12, 11, 11, 12, 7)


def test_a_fold_shows_nothing() -> None:
    """HOLDEM-3, POT-1: an all-in that nobody calls takes its own chips back, and the blind."""
    ended = end(play(opened(terms(), (100, 100)), "0r100 1f"))
    assert (ended.stacks, ended.result, [pot.amount for pot in ended.pots]) == ((102, 98), "fold", [4])


def test_a_folded_small_blind_wins_nothing() -> None:
    """HOLDEM-1: the blinds it left are dead."""
    start = opened(terms(), (100, 100, 100))
    deck = stacked(start, BOARD, {1: BEST, 0: SECOND, 2: THIRD})
    hand = play(start, "0c 1f 2k | 2k 0k | 2k 0k | 2k 0k", deck)
    assert end(shown_down(hand, deck)).stacks == (103, 99, 98)


def test_the_limits_of_the_stack() -> None:
    """BET-1: overbets are refused and not clipped; nothing negative; earlier streets count."""
    hand = play(opened(terms(), (100, 100, 6)), "0c 1c")
    assert refused(hand, "2r10").code == "bet.over-stack"
    assert refused(hand, "2r-1").code == "bet.wrong-amount"
    assert play(hand, "2r6").stacks == (98, 98, 0)
    hand = play(opened(terms(small=50, big=100), (20_000, 20_000)), "0c 1k 1b800 0c")
    assert refused(hand, "1b20000").code == "bet.over-stack"
    assert play(hand, "1b19100").stacks[1] == 0


def test_an_all_in_is_called_and_run_out() -> None:
    """BET-7, SHOW-1: no more betting, five cards, then both show, the one who raised first."""
    start = opened(terms(), (100, 200))
    hand = play(start, "0r100 1c")
    assert options(hand) == "show 0"
    assert len(HOLDEM.board_slots(hand)) == 5
    assert all(hand.cards[slot] is not None for slot in HOLDEM.board_slots(hand))


def test_a_blind_puts_its_poster_all_in() -> None:
    """HOLDEM-6, BET-7, DECK-9: the hand goes on without it."""
    hand = opened(terms(small=1, big=2), (100, 1, 100), 0)
    assert options(play(hand, "")) == "0: CALL, RAISE 4..100, FOLD"
    assert options(play(hand, "0c 2k |")) == "2: CHECK, BET 2..98"
    assert options(play(opened(terms(small=1, big=2), (100, 2)), "")) == "0: CALL, FOLD"
    assert options(play(opened(terms(small=2, big=2), (2, 100)), "")) == "show 1"
