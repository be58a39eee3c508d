"""Seats that go in the middle of a match of One Poker: the other takes the pot, and a refused opening costs more."""

from __future__ import annotations

from functools import cache

from dealerless.protocol.events import Acted
from dealerless.protocol.state import Phase
from dealerless.referee import Outcome
from tests.matches import Match, by_chance, named, one_offer
from tests.one import branch, steps

LIVES = (4, 6)


def bad(match: Match, seat: int) -> None:
    """Let the seat say what it never may; it is expelled."""
    match.cheat(seat, match.forge(seat, Acted(move="RAISE", amount=-1)))
    match.play()


def test_wherever_a_seat_goes_the_other_has_the_pot() -> None:
    """VERDICT-4b, ONE-5: at every message, who owes it and who does not."""
    whole = [branch(match) for match in steps(Match(one_offer(rounds=2, lives=LIVES), "whole"), by_chance("who goes"))]
    for turn, at in enumerate(whole[4:-2]):
        for other in (0, 1):
            match = branch(at)
            seat = match.owing if other == 0 else 1 - match.owing
            before, play, phase = match.state.books.stacks, match.state.play, match.state.phase
            if phase is Phase.SETTLING:
                continue
            bad(match, seat)
            lost = 0
            if play is not None:
                lost = play.hand.totals[seat]
                closed = phase is Phase.SHOWING and seat not in play.hand.shown
                lost += closed and play.hand.folded[seat] and play.hand.stacks[seat] > 0
            assert before[seat] - match.state.books.stacks[seat] == lost
            if (turn + other) % 2:
                continue
            verdict = match.verdict()
            assert verdict.outcome is Outcome.FAULT
            assert verdict.fault is not None
            assert verdict.fault.seat == seat
            assert sum(verdict.stacks) == sum(LIVES)
            assert verdict.stacks == match.state.books.stacks
            assert [(forfeit.seat, forfeit.amount) for forfeit in verdict.forfeits] == [(seat, lost)] * bool(lost)


@cache
def _betting() -> Match:
    return Match(one_offer(rounds=2, lives=(10, 10)), "folded").until(Phase.BETTING)


def folded() -> Match:
    """A first round in which who has priority bets 2 and the other folds; now both are to open."""
    match = branch(_betting())
    first = match.owing
    match.say(first, Acted(move="BET", amount=2))
    match.say(1 - first, Acted(move="FOLD", amount=0))
    assert match.state.phase is Phase.SHOWING
    assert match.owing == first
    return match


def test_who_folded_and_does_not_open_loses_one_life_more() -> None:
    """ONE-5: 10 lives, one in the pot, and one more."""
    match = folded().turn()
    loser = match.owing
    bad(match, loser)
    assert match.verdict().stacks[loser] == 8
    assert match.verdict().forfeits[0].amount == 2


def test_who_folded_and_goes_after_it_has_opened_loses_no_more_than_the_pot() -> None:
    """ONE-5: who has priority checks, folds to a bet and opens; then it says what it never may."""
    match = branch(_betting())
    first = match.owing
    for seat, move, amount in ((first, "CHECK", 0), (1 - first, "BET", 2), (first, "FOLD", 0)):
        match.say(seat, Acted(move=move, amount=amount))
    match.turn()
    assert match.owing == 1 - first
    bad(match, first)
    assert match.verdict().stacks[first] == 9
    assert match.verdict().forfeits[0].amount == 1


def test_who_would_win_by_a_fold_and_does_not_open_loses_the_pot() -> None:
    """ONE-5: the pot holds its ante, its bet and the other's ante."""
    match = folded()
    winner = match.owing
    bad(match, winner)
    assert match.verdict().stacks[winner] == 7
    assert match.verdict().stacks[1 - winner] == 13


def test_who_folded_with_its_last_life_in_the_pot_has_none_to_lose() -> None:
    """ONE-10, ONE-5: a folder always keeps a life, so there is always one more to lose."""
    match = Match(one_offer(rounds=2, lives=(3, 3)), "last").until(Phase.BETTING)
    first = match.owing
    match.say(first, Acted(move="BET", amount=2))
    other = 1 - first
    match.say(other, Acted(move="FOLD", amount=0))
    assert match.state.running.hand.stacks[other] == 2
    match.turn()
    bad(match, other)
    assert match.verdict().stacks[other] == 1


def test_a_fold_opens_both_cards() -> None:
    """ONE-5: nobody takes the pot unseen, and who took it has priority next (ONE-6, example O10)."""
    match = folded()
    first = match.owing
    match.turn().turn()
    record = match.state.finished
    assert record is not None
    assert all(record.hole)
    assert record.result == "fold"
    assert record.winners == (first,)
    assert match.owing == first


def test_no_lives_left_means_no_betting() -> None:
    """ONE-8, example O7: both lay and open all the same."""
    match = Match(one_offer(rounds=1, lives=(1, 10)), "no lives").until(Phase.SHOWING, choose=named(""))
    assert match.state.running.actions == ()
    assert match.state.running.hand.laid == (match.owing, 1 - match.owing)
