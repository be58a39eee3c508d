"""No limit and fixed limit with blinds on the engine: the betting of Texas Hold'em (BET, POT, HOLDEM-3)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from dealerless.games.betting import Betting, check, expel, open_round, settled
from dealerless.games.game import Move
from dealerless.games.pots import award, order_from, payouts, pots
from dealerless.games.structure import Structure
from tests.examples.lines import following, options, play, refused


def no_limit(unit: int) -> Structure:
    return Structure(unit=unit, sizes="no-limit", amounts="to", closes="matched")


def limit(unit: int) -> Structure:
    return Structure(unit=unit, sizes="limit", amounts="none", closes="matched", raises=3)


def preflop(
    *stacks: int, button: int, small: int, big: int, ante: int = 0, structure: Structure | None = None
) -> Betting:
    """The first round: antes, then blinds, each up to the stack; heads-up the button is the small blind."""
    seats = len(stacks)
    antes = tuple(min(stack, ante) for stack in stacks)
    behind = [stack - put for stack, put in zip(stacks, antes, strict=True)]
    first = button if seats == 2 else (button + 1) % seats
    posted = [0] * seats
    for seat, blind in ((first, small), ((first + 1) % seats, big)):
        posted[seat] = min(behind[seat], blind)
        behind[seat] -= posted[seat]
    totals = tuple(one + two for one, two in zip(antes, posted, strict=True))
    return open_round(
        structure or no_limit(big),
        tuple(behind),
        totals,
        (False,) * seats,
        (first + 2) % seats,
        posted=tuple(posted),
        blind=big,
    )


def flop(*stacks: int, unit: int, first: int = 0) -> Betting:
    seats = len(stacks)
    return open_round(no_limit(unit), stacks, (0,) * seats, (False,) * seats, first)


def shown(b: Betting, strengths: Sequence[int | None], button: int) -> tuple[int, ...]:
    """The stacks after a showdown of these strengths."""
    b = settled(b)
    seats = len(b.stacks)
    won = payouts(award(pots(b.totals, b.folded), strengths, order_from(button, seats)), seats)
    assert sum(won) == sum(b.totals)
    return tuple(stack + chips for stack, chips in zip(b.stacks, won, strict=True))


def test_heads_up_order() -> None:
    """HOLDEM-3: the button is the small blind, first before the flop and last after it."""
    b = preflop(100, 100, button=0, small=1, big=2)
    assert options(b) == "0: CALL, RAISE 4..100, FOLD"
    b = play(b, "0c")
    assert (b.stacks, options(b)) == ((98, 98), "1: CHECK, RAISE 4..100")
    b = following(play(b, "1k"), no_limit(2), 1)
    assert options(b) == "1: CHECK, BET 2..98"


def test_the_big_blinds_option() -> None:
    """HOLDEM-6, BET-4: posting is not acting."""
    b = play(preflop(100, 100, 100, button=0, small=1, big=2), "0c 1c")
    assert (b.stacks, options(b)) == ((98, 98, 98), "2: CHECK, RAISE 4..100")
    assert options(play(b, "2r4")) == "0: CALL, RAISE 6..100, FOLD"
    assert options(play(b, "2k")) == "over"
    b = play(preflop(100, 100, 100, button=0, small=1, big=2), "0c 1f")
    assert options(b) == "2: CHECK, RAISE 4..100"


def test_the_minimum_raise_is_the_last_full_raise() -> None:
    """BET-4: to 100 and to 180 make the next to 260, whatever the other has left."""
    b = play(preflop(1000, 1000, button=0, small=10, big=20), "0r100 1r180")
    assert options(b) == "0: CALL, RAISE 260..1000, FOLD"
    assert refused(b, "0r259") == "bet.below-minimum-raise"
    assert refused(b, "0r1001") == "bet.over-stack"
    refusal = check(b, 0, Move(name="RAISE", amount=1001))
    # 900 are left, and what is due is a level like the one that was named.
    assert (refusal and refusal.expected, b.stacks[0]) == (1000, 900)
    b = play(preflop(1000, 200, button=0, small=10, big=20), "0r100 1r180")
    assert options(b) == "0: CALL, RAISE 260..1000, FOLD"
    done = settled(play(b, "0r260 1c"))
    assert (done.stacks, done.totals) == ((800, 0), (200, 200))
    assert options(play(flop(50, 50, unit=2), "0b2")) == "1: CALL, RAISE 4..50, FOLD"
    assert refused(play(preflop(100, 100, 100, button=0, small=1, big=2), "0r6"), "1r9") == ("bet.below-minimum-raise")


def test_a_short_all_in_does_not_reopen() -> None:
    """BET-4: who acted calls or folds; who did not may raise by the last full raise."""
    b = play(preflop(200, 19, 200, 16, button=0, small=1, big=2), "3r16 0c 1r19 2c")
    assert (b.owed, options(b), refused(b, "0r33")) == (3, "0: CALL, FOLD", "bet.not-reopened")
    b = play(flop(1900, 150, 1900, unit=100), "0b100 1r150")
    assert (b.owed, options(b)) == (150, "2: CALL, RAISE 250..1900, FOLD")


def test_short_all_ins_add_up_for_some_seats_only() -> None:
    """BET-4: what counts is how far the level rose since the seat's own last action."""
    b = play(flop(1900, 150, 1900, 210, 1900, unit=100), "0b100 1r150 2c 3r210 4f")
    assert (b.owed, options(b)) == (110, "0: CALL, RAISE 310..1900, FOLD")
    b = play(b, "0c")
    assert (b.owed, options(b)) == (60, "2: CALL, FOLD")


def test_a_limper_may_not_raise_a_short_all_in() -> None:
    """BET-4: to 140 over a call of 100 is less than a full raise; a seat yet to act makes it 240 or more."""
    b = play(preflop(2000, 2000, 2000, 2000, 140, button=0, small=50, big=100), "3c 4r140")
    assert options(b) == "0: CALL, RAISE 240..2000, FOLD"
    b = play(b, "0c 1c 2c")
    assert (b.owed, options(b)) == (40, "3: CALL, FOLD")


def test_short_all_ins_that_sum_to_a_full_raise_reopen() -> None:
    """BET-4."""
    b = play(flop(1900, 500, 650, 800, 1900, unit=100), "0b300 1r500 2r650 3r800 4c")
    assert (b.owed, options(b)) == (500, "0: CALL, RAISE 1100..1900, FOLD")


@pytest.mark.parametrize(("behind", "owed"), [((15, 1985), 5), ((20, 1980), 10)])
def test_a_short_big_blind_is_called_for_what_it_can_match(behind: tuple[int, int], owed: int) -> None:
    """BET-3: heads-up, a call is never for more than the other seat put in."""
    short, deep = behind
    b = preflop(deep, short, button=0, small=10, big=20)
    assert (b.owed, options(b)) == (owed, "0: CALL, FOLD")
    b = play(b, "0c")
    assert (options(b), settled(b).totals) == ("over", (short, short))
    assert options(following(b, no_limit(20), 1)) == "over"


def test_a_big_blind_below_the_small_one_is_run_out() -> None:
    """BET-3, BET-7, POT-1: nothing is owed, the surplus of 3 goes back, the pot is 14."""
    b = preflop(1990, 7, button=0, small=10, big=20)
    assert options(b) == "over"
    done = settled(b)
    assert (done.stacks, done.totals) == ((1983, 0), (7, 7))


def test_short_blind_with_antes() -> None:
    """HOLDEM-6, BET-3, POT-2: antes first; callers pay the full blind, the short one has the main pot."""
    b = preflop(500, 500, 25, button=0, small=10, big=20, ante=10)
    assert (b.stacks, b.put, b.owed) == ((490, 480, 0), (0, 10, 15), 20)
    b = play(b, "0c 1c")
    for _ in range(3):
        b = play(following(b, no_limit(20), 1), "1k 0k")
    assert [(pot.amount, pot.seats) for pot in pots(b.totals, b.folded)] == [(75, (0, 1, 2)), (10, (0, 1))]
    assert shown(b, (1, 2, 3), 0) == (470, 480, 75)


def test_fixed_limit_with_blinds() -> None:
    """BET-5, HOLDEM-5: the blind is the bet before three raises; later a bet and three raises."""
    b = play(preflop(1000, 1000, button=0, small=10, big=20, structure=limit(20)), "0r 1r 0r")
    assert (b.level, options(b), refused(b, "1r")) == (80, "1: CALL, FOLD", "bet.cap-reached")
    turn = following(play(b, "1c"), limit(40), 1)
    levels = []
    for text in ("1b", "0r", "1r", "0r"):
        turn = play(turn, text)
        levels.append(turn.level)
    assert levels == [40, 80, 120, 160]
    assert refused(turn, "1r") == "bet.cap-reached"


def test_three_all_in_for_different_amounts() -> None:
    """POT-1, POT-2, POT-4: 60, 10 and 25."""
    b = play(preflop(60, 10, 25, button=0, small=1, big=2), "0r60 1c 2c")
    done = settled(b)
    assert (done.stacks, done.totals) == ((35, 0, 0), (25, 10, 25))
    assert [pot.amount for pot in pots(done.totals, done.folded)] == [30, 30]
    assert shown(b, (1, 3, 2), 0) == (35, 30, 30)
    assert shown(b, (3, 2, 1), 0) == (95, 0, 0)
    assert shown(b, (1, 1, 1), 0) == (60, 10, 25)


def test_uncalled_chips_go_back_at_once() -> None:
    """POT-1: 102 against 98."""
    b = play(preflop(98, 102, button=0, small=1, big=2), "0r* 1c")
    assert settled(b).totals == (98, 98)
    assert shown(b, (2, 1), 0) == (196, 4)
    assert shown(b, (1, 2), 0) == (0, 200)
    b = play(preflop(102, 98, button=0, small=1, big=2), "0r* 1c")
    assert settled(b).stacks == (4, 0)
    b = play(preflop(280, 198, button=0, small=1, big=2), "0r* 1c")
    assert (settled(b).stacks, sum(settled(b).totals)) == ((82, 0), 396)


def test_seven_seats_and_four_pots() -> None:
    """POT-2, POT-4: the pots stand when betting ends, and odd chips go out pot by pot."""
    b = preflop(76, 181, 300, 117, 5, 66, 27, button=6, small=1, big=2, ante=1)
    b = play(b, "2r114 3r116 4f 5c 6c 0c 1c 2f")
    assert options(b) == "over"
    done = settled(b)
    assert [pot.amount for pot in pots(done.totals, done.folded)] == [163, 195, 40, 121]
    strengths = (7, 3, None, 2, None, 7, 1)
    won = payouts(award(pots(done.totals, done.folded), strengths, order_from(6, 7)), 7)
    assert won == (220, 121, 0, 0, 0, 178, 0)
    assert shown(b, strengths, 6) == (220, 185, 185, 0, 4, 178, 0)
    assert options(following(b, no_limit(2), 0)) == "over"


# --- cases reported for other engines -----------------------------------------------------------------------


def test_call_amount_below_a_raise_all_in() -> None:
    """BET-3: to 123 raised all-in to 154 leaves 31 to call."""
    b = play(flop(928, 258, 154, 412, unit=5), "0b55 1r123 2r154 3f 0f")
    assert (b.to_act, b.owed) == (1, 31)
    assert settled(play(b, "1c")).totals == (55, 154, 154, 0)


@pytest.mark.parametrize(
    ("stacks", "line", "expected"),
    [
        ((500, 29), "0b22", "1: CALL, RAISE 29, FOLD"),
        ((1000, 300), "0b200", "1: CALL, RAISE 300, FOLD"),
        ((500, 500), "0b270", "1: CALL, RAISE 500, FOLD"),
        ((500, 15), "0b22", "1: CALL, FOLD"),
    ],
)
def test_an_all_in_below_the_minimum_is_the_only_raise(stacks: tuple[int, int], line: str, expected: str) -> None:
    """BET-4: less than a full raise, with the whole stack only."""
    b = play(flop(*stacks, unit=2), line)
    assert options(b) == expected


def test_a_stack_is_what_earlier_streets_left() -> None:
    """BET-1: 800 of 20,000 are gone; a bet of 20,000 is refused and not clipped."""
    b = following(play(flop(20_000, 20_000, unit=100), "0b800 1c"), no_limit(100), 0)
    assert refused(b, "0b20000") == "bet.over-stack"
    assert play(b, "0b19200").stacks[0] == 0


def test_overbets_are_refused() -> None:
    """BET-1: after a bet of 33 and 20 left, an all-in is to 20, and nothing becomes one by itself."""
    b = play(flop(100, 53, unit=1), "0k 1b33")
    b = play(following(play(b, "0c"), no_limit(1), 0), "0b33")
    assert options(b) == "1: CALL, FOLD"
    assert {refused(b, text) for text in ("1r20", "1r33", "1r53")} == {"bet.over-stack"}
    assert refused(b, "1c20") == "bet.wrong-amount"


def test_no_negative_stack() -> None:
    """BET-1: 4 left after a blind of 2 cannot make it 10; it can make it 6."""
    b = play(preflop(100, 100, 6, button=0, small=1, big=2), "0c 1c")
    assert refused(b, "2r10") == "bet.over-stack"
    assert refused(b, "2r-1") == "bet.wrong-amount"
    assert play(b, "2r6").stacks == (98, 98, 0)
    b = flop(760, 2000, unit=2)
    assert [refused(b, text) for text in ("0b908", "0b-148", "0b0")] == [
        "bet.over-stack",
        "bet.wrong-amount",
        "bet.below-minimum-raise",
    ]


def test_nobody_raises_a_seat_that_is_all_in() -> None:
    """BET-6, POT-1: 2190 against 910 all-in gives 1280 back, and is no raise over the 910."""
    b = play(flop(2190, 910, unit=2), "0b2190 1c")
    assert (settled(b).stacks, sum(settled(b).totals)) == ((1280, 0), 1820)
    b = play(flop(2190, 910, unit=2, first=1), "1b910")
    assert (options(b), refused(b, "0r2190")) == ("0: CALL, FOLD", "bet.no-answer")


def test_an_expelled_bettor_leaves_less_to_call() -> None:
    """VERDICT-4, BET-3: its bet stays in, but who is left owes no more than the others can match."""
    b = expel(play(flop(100, 100, 20, unit=10), "0b50"), 0)
    assert (b.to_act, b.owed, b.totals) == (1, 20, (50, 0, 0))
    assert settled(play(b, "1c 2c")).totals == (50, 20, 20)


def test_all_in_and_called_is_run_out() -> None:
    """BET-7: no betting is opened when at most one seat has chips."""
    b = play(preflop(200, 100, button=0, small=1, big=2), "0r200 1c")
    for _ in range(3):
        b = following(b, no_limit(2), 1)
        assert options(b) == "over"
    assert options(preflop(2, 200, button=0, small=2, big=2)) == "over"
    assert options(preflop(5, 200, button=0, small=1, big=2)) == "0: CALL, RAISE 4..5, FOLD"


def test_an_all_in_that_is_folded_to_gets_everything() -> None:
    """POT-1: its own chips back, and the blind."""
    done = settled(play(preflop(100, 100, button=0, small=1, big=2), "0r100 1f"))
    assert (done.stacks, done.totals) == ((98, 98), (2, 2))
    assert [(pot.amount, pot.seats) for pot in pots(done.totals, done.folded)] == [(4, (0,))]


def test_a_caller_short_of_the_side_pot() -> None:
    """POT-2: 1203.60 and 898.20 twice, in cents, with 2 folded: 305.40 back, the winner's gain is 1798.40."""
    b = open_round(no_limit(200), (120_360, 89_820, 89_820, 0), (0, 0, 0, 200), (False,) * 3 + (True,), 0)
    b = play(b, "0b120360 1c 2c")
    assert sum(settled(b).totals) == 269_660
    assert shown(b, (9, 5, 4, None), 3)[0] - 120_360 == 179_840
