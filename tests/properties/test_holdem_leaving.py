"""Seats that leave a Hold'em hand, whenever they do, and boards that cannot be opened (VERDICT-4)."""

from __future__ import annotations

import pytest

from dealerless.errors import UsageError
from dealerless.games.game import Act, Deal, Finished, Muck, OpenBoard, Release, Reveal, Show
from dealerless.games.holdem import HOLDEM
from dealerless.games.holdemhand import HoldemHand, HoldemTerms
from tests.hands import first, in_hand
from tests.holdem import (
    actions,
    assert_whole,
    end,
    met,
    moments,
    opened,
    options,
    play,
    run_out,
    step,
    terms,
)

# --- seats that leave ---------------------------------------------------------------------------------------------

LINES = [
    (terms(), (100, 100, 100), 0, "0r6 1c 2c 1b10 2c 0c 1k 2k 0k 1k 2b20 0f 1c"),
    (terms(show="muck"), (100, 100, 100, 100), 3, "2c 3c 0c 1k 0k 1k 2k 3k 0k 1k 2k 3k 0k 1k 2k 3k 0s 1m 2m 3s"),
    (terms(), (100, 1, 30, 60), 0, "3r60 0c 2c"),
    (terms(ante=2), (2, 40, 1, 25, 90), 1, "4c 1r* 3f 4c"),
    (terms("limit"), (50, 50), 0, "0r 1r 0c 1b 0c 1k 0b 1c 1k 0k"),
]


@pytest.mark.parametrize(("agreed", "stacks", "button", "line"), LINES)
def test_leaving_at_every_moment(agreed: HoldemTerms, stacks: tuple[int, ...], button: int, line: str) -> None:
    """VERDICT-4: whoever leaves, whenever, keeps what is behind it and no more; all other chips are paid out."""
    deck = tuple(HOLDEM.deck())
    for hand in moments(opened(agreed, stacks, button), line):
        for seat in in_hand(hand):
            after = HOLDEM.forfeit(hand, seat)
            if isinstance(hand.due, Finished):
                assert after == hand
                continue
            assert_whole(after, sum(stacks))
            assert after.folded[seat]
            assert after.cards == hand.cards
            assert HOLDEM.forfeit(after, seat) == after
            if isinstance(hand.due, Deal) and len(in_hand(after)) > 1:
                kept = dict(hand.due.hands)
                del kept[seat]
                assert HOLDEM.demand(after) == Deal(hands=tuple(kept.items()))
            assert not isinstance(after.due, Act | Show | Release) or after.due.seat != seat
            if len(in_hand(after)) == 1:
                assert end(after).result == "forfeit"
            for other in [stayer for stayer in in_hand(after) if not isinstance(after.due, Finished)]:
                both = run_out(HOLDEM.forfeit(after, other), deck, first)
                assert end(both).stacks[seat] == after.stacks[seat]
                assert sum(end(both).stacks) == sum(stacks)
            ended = end(run_out(after, deck, first))
            assert ended.stacks[seat] == after.stacks[seat] == hand.stacks[seat]
            assert sum(ended.stacks) == sum(stacks)


def test_leaving_before_the_deal_is_complete() -> None:
    """VERDICT-4: the blinds stay in, the others keep their slots, and the first to act is as after a fold."""
    hand = HOLDEM.forfeit(opened(terms(), (100, 100, 100, 100)), 3)
    assert hand.due == Deal(hands=((1, (0, 4)), (2, (1, 5)), (0, (3, 7))))
    assert options(met(hand)) == "0: CALL, RAISE 4..100, FOLD"
    hand = met(HOLDEM.forfeit(hand, 2))
    assert (hand.totals, options(hand)) == ((0, 1, 2, 0), "0: CALL, RAISE 4..100, FOLD")
    ended = end(HOLDEM.forfeit(hand, 0))
    assert (ended.stacks, ended.result, [pot.amount for pot in ended.pots]) == ((100, 102, 98, 100), "forfeit", [3])


def test_the_last_one_gets_uncalled_chips_back() -> None:
    """POT-1, VERDICT-4: the big blind's second chip was never matched."""
    ended = end(HOLDEM.forfeit(opened(terms(), (100, 100)), 0))
    assert (ended.stacks, [pot.amount for pot in ended.pots]) == ((99, 101), [2])


def test_nobody_is_asked_to_bet_alone() -> None:
    """BET-7: when the only other seat with chips leaves before the first move, the board is run out."""
    hand = HOLDEM.forfeit(opened(terms(ante=1), (1, 50, 50)), 1)
    assert options(met(hand)) == "show 2"


def test_a_fold_after_an_expulsion_ends_the_hand_as_a_fold() -> None:
    """VERDICT-4."""
    hand = HOLDEM.forfeit(met(opened(terms(), (100, 100, 100))), 0)
    assert end(play(hand, "1f")).result == "fold"


def test_a_claim_lost_at_the_showdown() -> None:
    """POT-2, POT-3, VERDICT-4: the pots stand; one in which nobody stands any more joins the pot below."""
    hand = play(opened(terms(), (30, 60, 60)), "0r30 1r60 2c")
    assert options(hand) == "show 1"
    assert [(pot.amount, pot.seats) for pot in hand.unpaid] == [(90, (0, 1, 2)), (60, (1, 2))]
    hand = HOLDEM.forfeit(play(hand, "1s"), 1)
    assert [(pot.amount, pot.seats) for pot in hand.unpaid] == [(90, (0, 2)), (60, (2,))]
    assert options(hand) == "show 2"
    ended = end(HOLDEM.forfeit(hand, 2))
    assert ([pot.amount for pot in ended.pots], ended.stacks, ended.result) == ([150], (150, 0, 0), "forfeit")


# --- boards that cannot be opened ---------------------------------------------------------------------------------


def stuck(line: str, *, stacks: tuple[int, ...] = (100, 100, 100), leaver: int = 2) -> HoldemHand:
    """A hand that has lost a seat and waits for its board."""
    waiting = (hand for hand in moments(opened(terms(), stacks), line) if isinstance(hand.due, OpenBoard))
    hand = HOLDEM.forfeit(next(waiting), leaver)
    assert isinstance(hand.due, OpenBoard)
    return HOLDEM.stranded(hand)


def test_all_may_concede_before_the_fresh_cards() -> None:
    """VERDICT-4: in showing order, muck or show, although the terms make all show."""
    hand = stuck("0r10 1c 2c")
    assert options(hand) == "show 0 or muck"
    hand = play(hand, "0s")
    assert options(hand) == "show 1 or muck"
    hand = step(hand, 1, actions(hand, tuple(HOLDEM.deck()))[0])
    assert HOLDEM.demand(hand) == OpenBoard(slots=(6, 7, 8, 9, 10), fresh=True)
    assert HOLDEM.stranded(hand) == hand
    ended = end(HOLDEM.dealt(hand, dict(zip((6, 7, 8, 9, 10), range(40, 45), strict=True))))
    assert (ended.result, sum(ended.stacks), sum(pot.amount for pot in ended.pots)) == ("showdown", 300, 30)


def test_the_last_who_claims_is_not_asked() -> None:
    """SHOW-3, VERDICT-4: two of three concede; no card is needed any more."""
    hand = stuck("3r10 0c 1c 2c", stacks=(100,) * 4)
    for seat in (3, 0):
        assert options(hand) == f"show {seat} or muck"
        hand = HOLDEM.apply(hand, seat, Muck())
    ended = end(hand)
    assert (ended.result, ended.stacks, hand.shown) == ("showdown", (90, 130, 90, 90), ())


def test_only_what_is_missing_is_dealt_again() -> None:
    """VERDICT-4: the flop stays."""
    waiting = moments(opened(terms(), (100, 100, 100)), "0c 1c 2k 1k 2k 0k")
    hand = next(hand for hand in waiting if isinstance(hand.due, OpenBoard) and hand.street == 1)
    flop = hand.cards[6:9]
    hand = HOLDEM.stranded(HOLDEM.forfeit(hand, 0))
    # Nobody lifted: from the button's left.
    assert options(hand) == "show 1 or muck"
    hand = HOLDEM.apply(HOLDEM.apply(hand, 1, Reveal(cards=(0, 3))), 2, Reveal(cards=(1, 4)))
    assert (hand.due, hand.cards[6:9]) == (OpenBoard(slots=(9, 10), fresh=True), flop)


def test_leaving_a_stranded_hand() -> None:
    """VERDICT-4: one who leaves before the fresh cards are there gives up what the others then share."""
    hand = stuck("3r10 0c 1c 2c", stacks=(100,) * 4)
    hand = HOLDEM.apply(HOLDEM.apply(hand, 3, Reveal(cards=(2, 3))), 0, Muck())
    assert options(hand) == "show 1 or muck"
    hand = HOLDEM.apply(hand, 1, Reveal(cards=(0, 1)))
    assert isinstance(hand.due, OpenBoard)
    ended = end(HOLDEM.forfeit(hand, 3))
    assert (ended.stacks, ended.result) == ((90, 130, 90, 90), "showdown")


def test_stranded_is_asked_of_a_closed_board_only() -> None:
    """VERDICT-4."""
    for hand in moments(opened(terms(), (100, 100, 100)), "0c 1c 2k"):
        if not isinstance(hand.due, OpenBoard):
            with pytest.raises(UsageError) as raised:
                HOLDEM.stranded(hand)
            assert raised.value.code == "usage.wrong-state"
