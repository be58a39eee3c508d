"""Seats that leave a draw hand, whenever they do, and exchanges that cannot be dealt (VERDICT-4)."""

from __future__ import annotations

import pytest

from dealerless.errors import UsageError
from dealerless.games.draw import DRAW
from dealerless.games.drawhand import DrawTerms
from dealerless.games.game import Act, Deal, Discard, Exchange, Finished, Show
from tests.draw import (
    PLAIN,
    amounts,
    assert_whole,
    end,
    kept_all,
    met,
    moments,
    opened,
    options,
    play,
    run_out,
    terms,
)
from tests.hands import first, in_hand

# --- seats that leave ---------------------------------------------------------------------------------------------

LINES = [
    (terms(), (100, 100, 100), 2, "0b 1c 2c 0x01 1x 2x234 0k 1b 2f 0c 1s 0s"),
    (terms(show="muck"), (100, 100, 100, 100), 3, "0k 1k 2k 3k 0x4 1x012 2x 3x0 0k 1k 2k 3k 0s 1m 2m 3s"),
    (terms(), (11, 26, 61), 2, "0b 1r 2c 0x012 1x012 2x012 1k 2k 0s 1s 2s"),
    (terms(ante=5), (3, 40, 1, 25, 90), 1, "3b 4c 1f 2x 3x1 4x 0x24 3b 4c"),
    (terms(), (50, 50), 0, "1b 0r 1c 1x13 0x 1k 0b 1c"),
    (terms(allin=False), (81, 80, 90, 200, 81, 100), 0, "2b 3c 4f 5c 0c 2x012 3x012 5x012 0x012 2b 3f 5f 0c"),
    (terms(), (100,) * 6, 5, "0k 1b 2c 3c 4c 5f 0c 0x2 1x 2x0 3x01 4x012"),
]


@pytest.mark.parametrize(("agreed", "stacks", "button", "line"), LINES)
def test_leaving_at_every_moment(agreed: DrawTerms, stacks: tuple[int, ...], button: int, line: str) -> None:
    """VERDICT-4: whoever leaves, whenever, keeps what is behind it and no more; all other chips are paid out, also
    when the exchanges cannot go on after that."""
    deck = tuple(PLAIN)
    for hand in moments(opened(agreed, stacks, button), line):
        for seat in in_hand(hand):
            after = DRAW.forfeit(hand, seat)
            if isinstance(hand.due, Finished):
                assert after == hand
                continue
            assert_whole(after, sum(stacks))
            assert after.folded[seat]
            assert (after.cards, after.held, after.top) == (hand.cards, hand.held, hand.top)
            assert DRAW.forfeit(after, seat) == after
            assert seat not in after.exchanging or isinstance(after.due, Finished)
            if isinstance(hand.due, Deal) and not hand.discards and len(in_hand(after)) > 1:
                kept = dict(hand.due.hands)
                del kept[seat]
                assert after.due == Deal(hands=tuple(kept.items()))
            assert not isinstance(after.due, Act | Exchange | Show) or after.due.seat != seat
            if len(in_hand(after)) == 1:
                assert end(after).result == "forfeit"
            for other in [stayer for stayer in in_hand(after) if not isinstance(after.due, Finished)]:
                both = run_out(DRAW.forfeit(after, other), deck, first)
                assert end(both).stacks[seat] == after.stacks[seat]
                assert sum(end(both).stacks) == sum(stacks)
            stuck = [DRAW.stranded(after)] if after.exchanging and not isinstance(after.due, Finished) else []
            for gone in [after, *stuck]:
                ended = end(run_out(gone, deck, first))
                assert ended.stacks[seat] == after.stacks[seat] == hand.stacks[seat]
                assert sum(ended.stacks) == sum(stacks)


def test_leaving_before_the_deal_is_complete() -> None:
    """VERDICT-4: the antes stay in, the others keep their slots, and the first to act is the next one still in."""
    hand = DRAW.forfeit(opened(terms(), (100, 100, 100, 100)), 0)
    assert hand.due == Deal(hands=((1, (1, 5, 9, 13, 17)), (2, (2, 6, 10, 14, 18)), (3, (3, 7, 11, 15, 19))))
    assert options(met(hand)) == "1: CHECK, BET"
    hand = met(DRAW.forfeit(hand, 2))
    assert (hand.totals, options(hand)) == ((1, 1, 1, 1), "1: CHECK, BET")
    ended = end(DRAW.forfeit(hand, 1))
    assert (ended.stacks, ended.result, [pot.amount for pot in ended.pots]) == ((99, 99, 99, 103), "forfeit", [4])


def test_nobody_is_asked_to_bet_alone() -> None:
    """BET-7: when the only other seat with chips leaves before the first move, both still exchange and show."""
    hand = DRAW.forfeit(opened(terms(ante=5), (3, 50, 50)), 1)
    hand = met(hand)
    assert options(hand) == "exchange 0"
    assert options(kept_all(hand)) == "show 0"


def test_a_fold_after_an_expulsion_ends_the_hand_as_a_fold() -> None:
    """VERDICT-4."""
    hand = DRAW.forfeit(play(opened(terms(), (100, 100, 100)), "0b"), 0)
    assert (hand.totals, options(hand)) == ((11, 1, 1), "1: CALL, RAISE, FOLD")
    assert end(play(hand, "1f")).result == "fold"


def test_a_claim_lost_at_the_showdown() -> None:
    """POT-2, POT-3, VERDICT-4: the pots stand; one in which nobody stands any more joins the pot below."""
    hand = play(kept_all(play(opened(terms(ante=5), (5, 15, 15)), "1b 2c |")), "")
    assert (amounts(hand), options(hand)) == ([(15, (0, 1, 2)), (20, (1, 2))], "show 1")
    hand = DRAW.forfeit(play(hand, "1s"), 1)
    assert (amounts(hand), options(hand)) == ([(15, (0, 2)), (20, (2,))], "show 0")
    ended = end(DRAW.forfeit(hand, 2))
    assert ([pot.amount for pot in ended.pots], ended.stacks, ended.result) == ([35], (35, 0, 0), "forfeit")


# --- exchanges that cannot be dealt ---------------------------------------------------------------------------------


def test_an_exchange_that_is_not_complete_is_undone() -> None:
    """VERDICT-4: the seat holds its old cards again, later ones are not made, nobody bets, all show or concede."""
    hand = play(opened(terms(), (100,) * 4), "0b 1c 2c 3c | 0x01 1x")
    held = hand.held
    hand = DRAW.apply(hand, 2, Discard(slots=hand.held[2][:3]))
    assert isinstance(hand.due, Deal)
    hand = DRAW.stranded(DRAW.forfeit(hand, 3))
    assert (hand.held, hand.exchanging, hand.discards) == (held, (), ())
    # Seat 0 bet last; all may muck although the terms make all show.
    assert options(hand) == "show 0 or muck"
    hand = play(hand, "0s")
    assert options(hand) == "show 1 or muck"
    hand = play(hand, "1m")
    assert options(hand) == "show 2 or muck"
    ended = end(play(hand, "2s"))
    assert (sum(ended.stacks), sum(pot.amount for pot in ended.pots), ended.result) == (400, 44, "showdown")


def test_the_last_who_claims_is_not_asked() -> None:
    """SHOW-3, VERDICT-4: two of three concede."""
    hand = DRAW.stranded(DRAW.forfeit(play(opened(terms(), (100,) * 4), "0b 1c 2c 3c |"), 0))
    for seat in (1, 2):
        assert options(hand) == f"show {seat} or muck"
        hand = play(hand, f"{seat}m")
    ended = end(hand)
    assert (ended.result, ended.stacks, hand.shown) == ("showdown", (89, 89, 89, 133), ())


def test_one_that_leaves_while_it_exchanges() -> None:
    """VERDICT-4, DECK-7: the slots it had asked for are nobody's, and not dealt to another either."""
    hand = play(opened(terms(), (100, 100, 100)), "0k 1k 2k |")
    hand = DRAW.forfeit(DRAW.apply(hand, 0, Discard(slots=hand.held[0][:2])), 0)
    assert hand.due == Exchange(seat=1, slots=(1, 4, 7, 10, 13), dealt=(17, 18, 19))
    # Another's exchange goes on.
    hand = play(opened(terms(), (100, 100, 100)), "0k 1k 2k |")
    hand = DRAW.apply(hand, 0, Discard(slots=hand.held[0][:2]))
    after = DRAW.forfeit(hand, 1)
    assert after.due == hand.due
    assert met(after).due == Exchange(seat=2, slots=(2, 5, 8, 11, 14), dealt=(17, 18, 19))


def test_stranded_is_asked_of_exchanges_only() -> None:
    """VERDICT-4."""
    for hand in moments(opened(terms(), (100, 100, 100)), "0k 1k 2k 0x0"):
        if not hand.exchanging:
            with pytest.raises(UsageError) as raised:
                DRAW.stranded(hand)
            assert raised.value.code == "usage.wrong-state"
