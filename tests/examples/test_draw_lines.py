"""Fixed limit on the engine: the betting of five-card draw, ante 1 and bets of 10 (BET-2 to BET-7, POT)."""

from __future__ import annotations

import pytest

from dealerless.games.betting import Betting, check, open_round, settled
from dealerless.games.pots import award, order_from, payouts, pots
from dealerless.games.structure import Structure
from tests.examples.lines import following, options, play, refused, token

LIMIT = Structure(unit=10, sizes="limit", amounts="none", closes="matched", raises=3)


def opened(*stacks: int, button: int, ante: int = 1) -> Betting:
    """The first round after the antes, short ones as far as they go (DRAW-3, DRAW-7)."""
    antes = tuple(min(stack, ante) for stack in stacks)
    behind = tuple(stack - put for stack, put in zip(stacks, antes, strict=True))
    return open_round(LIMIT, behind, antes, (False,) * len(stacks), (button + 1) % len(stacks))


def paid(b: Betting, strengths: tuple[int, ...], button: int) -> tuple[int, ...]:
    """The stacks after a showdown of these strengths."""
    unpaid = pots(b.totals, b.folded)
    won = payouts(award(unpaid, strengths, order_from(button, len(strengths))), len(strengths))
    return tuple(stack + chips for stack, chips in zip(b.stacks, won, strict=True))


def amounts(b: Betting) -> list[tuple[int, tuple[int, ...]]]:
    return [(pot.amount, pot.seats) for pot in pots(b.totals, b.folded)]


def test_nothing_to_fold_to_and_checks_end_the_round() -> None:
    """BET-2, BET-7."""
    b = opened(100, 100, 100, button=2)
    assert options(b) == "0: CHECK, BET"
    assert refused(b, "0f") == "bet.nothing-owed"
    assert options(play(b, "0k 1k 2k")) == "over"


def test_a_bet_and_three_raises_also_heads_up() -> None:
    """BET-5: the cap does not open heads-up."""
    b = play(opened(200, 200, button=0), "1b 0r 1r 0r")
    assert (b.level, options(b)) == (40, "1: CALL, FOLD")
    assert refused(b, "1r") == "bet.cap-reached"
    assert play(b, "1c").stacks == (159, 159)


def test_check_raise() -> None:
    """BET-1: a seat that checked may raise; a seat that bet may raise the raiser."""
    b = play(opened(100, 100, 100, button=0), "1k 2k 0b 1r")
    assert (b.level, b.owed) == (20, 20)
    b = play(b, "2c")
    assert (options(b), b.owed) == ("0: CALL, RAISE, FOLD", 10)
    assert play(b, "0r").level == 30


def test_a_seat_all_in_keeps_the_main_pot() -> None:
    """BET-6, BET-7, POT-2: the next round is between those with chips."""
    b = play(opened(11, 26, 61, button=2), "0b 1r 2c")
    assert (b.stacks, amounts(b)) == ((0, 5, 40), [(33, (0, 1, 2)), (20, (1, 2))])
    b = play(following(b, LIMIT, 0), "1k 2k")
    assert b.to_act is None
    assert paid(settled(b), (3, 2, 1), 2) == (33, 25, 40)


def test_a_short_ante_makes_a_side_pot() -> None:
    """POT-2: antes are layers like any other chips."""
    b = opened(3, 50, 50, button=2, ante=5)
    assert (b.stacks, b.totals) == ((0, 45, 45), (3, 5, 5))
    b = play(following(play(b, "1k 2k"), LIMIT, 0), "1k 2k")
    assert amounts(b) == [(9, (0, 1, 2)), (4, (1, 2))]
    assert paid(b, (3, 2, 1), 2) == (9, 49, 45)


def test_a_short_raise_of_half_or_more_counts() -> None:
    """BET-5: 18 after 10 is a raise, and reopens the betting."""
    b = play(opened(100, 100, 19, 100, button=3), "0b 1c 2r 3c")
    assert (b.level, b.owed, options(b)) == (18, 8, "0: CALL, RAISE, FOLD")
    assert play(b, "0r").level == 28


def test_a_short_raise_of_just_half_counts() -> None:
    """BET-5: 15 after 10."""
    b = play(opened(100, 100, 16, 100, button=3), "0b 1c 2r 3c")
    assert (b.level, b.made, options(b)) == (15, 2, "0: CALL, RAISE, FOLD")
    assert play(b, "0r").level == 25


def test_a_short_raise_of_less_than_half_does_not_count() -> None:
    """BET-5: 14 after 10 is completed to 20 by those who have not acted; the others call or fold."""
    b = play(opened(100, 100, 15, 100, button=3), "0b 1c 2r")
    assert (b.level, b.owed, options(b)) == (14, 14, "3: CALL, RAISE, FOLD")
    assert play(b, "3r").level == 20
    b = play(b, "3c")
    assert (b.owed, options(b), refused(b, "0r")) == (4, "0: CALL, FOLD", "bet.not-reopened")
    # After the completion the raise counts, and betting is open again for those who had acted.
    b = play(opened(100, 100, 15, 100, button=3), "0b 1c 2r 3r")
    assert (b.level, options(b)) == (20, "0: CALL, RAISE, FOLD")


def test_a_short_bet_of_half_or_more_is_the_bet() -> None:
    """BET-5."""
    b = play(opened(7, 100, 100, button=2), "0b")
    assert (b.level, b.owed, options(b)) == (6, 6, "1: CALL, RAISE, FOLD")
    assert play(b, "1r").level == 16


def test_a_short_bet_of_less_than_half_is_none() -> None:
    """BET-5: 4 all-in; the next completes to 10, and three raises may still follow."""
    b = play(opened(5, 100, 100, button=2), "0b")
    assert (b.level, b.made, options(b)) == (4, 0, "1: CALL, RAISE, FOLD")
    b = play(b, "1r")
    assert (b.level, b.made) == (10, 1)
    assert play(b, "2r 1r 2r").level == 40


def test_no_raise_that_nobody_could_answer() -> None:
    """BET-6."""
    b = play(opened(11, 100, button=1), "0b")
    assert (options(b), refused(b, "1r")) == ("1: CALL, FOLD", "bet.no-answer")


@pytest.mark.parametrize(
    ("stacks", "line", "text", "told"),
    [
        ((100, 100), "", "0f", ("bet.nothing-owed", ("CHECK", "BET"), "FOLD")),
        ((100, 100), "", "0c10", ("bet.nothing-owed", ("CHECK", "BET"), "CALL")),
        ((100, 100), "0b", "1k", ("bet.chips-owed", ("CALL", "RAISE", "FOLD"), "CHECK")),
        ((100, 100), "0b", "1a", ("bet.not-a-move", ("CALL", "RAISE", "FOLD"), "ALLIN")),
        ((200, 200), "0b 1r 0r 1r", "0r", ("bet.cap-reached", ("CALL", "FOLD"), "RAISE")),
        ((11, 100), "0b", "1r", ("bet.no-answer", ("CALL", "FOLD"), "RAISE")),
        ((100, 11), "0b", "1r", ("bet.over-stack", ("CALL", "FOLD"), "RAISE")),
        ((100, 100, 15, 100), "0b 1c 2r 3c", "0r", ("bet.not-reopened", ("CALL", "FOLD"), "RAISE")),
        # Here an amount would mend it.
        ((100, 100), "0b", "1c10", ("bet.wrong-amount", 0, 10)),
    ],
)
def test_what_a_refusal_expects_and_met_are_of_one_kind(
    stacks: tuple[int, ...], line: str, text: str, told: tuple[str, object, object]
) -> None:
    """VERDICT-2: moves beside the name of a move, an amount beside an amount."""
    b = play(opened(*stacks, button=len(stacks) - 1), line)
    seat, move = token(b, text)
    refusal = check(b, seat, move)
    assert refusal is not None
    assert (refusal.code, refusal.expected, refusal.actual) == told


@pytest.mark.parametrize(("button", "won"), [(3, (5, 5, 4)), (0, (4, 5, 5)), (1, (5, 4, 5)), (2, (5, 5, 4))])
def test_odd_chips_go_out_from_the_buttons_left(button: int, won: tuple[int, ...]) -> None:
    """POT-4: 14 among three; seat 3 folded with 2 in the pot."""
    b = open_round(LIMIT, (0,) * 4, (4, 4, 4, 2), (False, False, False, True), 0)
    assert paid(b, (7, 7, 7, 0), button)[:3] == won


def test_dead_chips_leave_one_pot() -> None:
    """POT-2: layers of one set of contenders are one pot, so that three equal hands get the same."""
    b = open_round(LIMIT, (0,) * 5, (10_000, 10_000, 10_000, 100, 200), (False,) * 3 + (True,) * 2, 0)
    assert amounts(b) == [(30_300, (0, 1, 2))]
    assert paid(b, (7, 7, 7, 0, 0), 4) == (10_100, 10_100, 10_100, 0, 0)


def test_fixed_limit_carries_no_amounts() -> None:
    """BET-1."""
    b = opened(100, 100, button=1)
    assert refused(b, "0b10") == "bet.wrong-amount"
    assert refused(b, "0k10") == "bet.wrong-amount"


def test_the_most_a_hand_can_cost() -> None:
    """DRAW-7: ante 1 and two rounds of four bets of 10 are 81 chips."""
    b = play(opened(200, 200, button=0), "1b 0r 1r 0r 1c")
    b = play(following(b, LIMIT, 1), "1b 0r 1r 0r 1c")
    assert b.totals == (81, 81)
