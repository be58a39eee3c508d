"""Properties of a whole hex hand, and its terms (HEX-2, HEX-5, HEX-9, HEX-13, ENC-6, VERDICT-4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealerless.errors import UsageError, Violation
from dealerless.games import GAMES
from dealerless.games.game import (
    Act,
    Action,
    Deal,
    Finished,
    Game,
    Move,
    Muck,
    OpenBoard,
    Reveal,
    Show,
)
from dealerless.games.hex import HEX, MAX_CHIPS, HexHand, HexTerms
from dealerless.games.hexrank import best

digits = st.integers(0, 15)
terms = st.builds(HexTerms, bet=st.integers(1, 1000), depth=st.integers(1, 12), show=st.sampled_from(("all", "muck")))


def step(hand: HexHand, cards: tuple[int, ...], choose: Callable[[tuple[Action, ...]], Action]) -> HexHand:
    """The hand after its demand is met: cards from `cards`, moves and shows as chosen."""
    demand = HEX.demand(hand)
    if isinstance(demand, OpenBoard):
        return HEX.dealt(hand, {slot: cards[slot] for slot in demand.slots})
    if isinstance(demand, Deal):
        return HEX.dealt(hand, {})
    assert isinstance(demand, Act | Show)
    actions: tuple[Action, ...]
    if isinstance(demand, Show):
        reveal = Reveal(cards=tuple(cards[slot] for slot in demand.slots))
        actions = (reveal, Muck()) if demand.may_muck else (reveal,)
    else:
        actions = tuple(Move(name=option.name, amount=option.least) for option in HEX.legal(hand))
    action = choose(actions)
    assert HEX.check(hand, demand.seat, action) is None
    other = HEX.check(hand, 1 - demand.seat, action)
    assert other is not None
    assert other.code == "turn.not-yours"
    return HEX.apply(hand, demand.seat, action)


@given(terms, st.integers(0, 1), st.tuples(*[digits] * 9), st.data())
def test_a_hand_from_start_to_end(terms: HexTerms, button: int, cards: tuple[int, ...], data: st.DataObject) -> None:
    """HEX-5 to HEX-9: chips are conserved at every step and the pot goes to who it should."""
    stacks = HEX.opening_stacks(terms, 2)
    hand = HEX.start(terms, stacks, button, (0, 1))
    while not isinstance(HEX.demand(hand), Finished):
        assert sum(hand.stacks) + sum(hand.totals) == sum(stacks)
        assert min(hand.stacks) >= 0
        hand = step(hand, cards, lambda actions: data.draw(st.sampled_from(actions)))
    end = HEX.demand(hand)
    assert isinstance(end, Finished)
    assert sum(end.stacks) == sum(stacks)
    assert sum(pot.amount for pot in end.pots) == sum(hand.totals)
    [pot] = end.pots
    sevens = [best(cards[:5] + cards[5:7]).rank, best(cards[:5] + cards[7:9]).rank]
    if end.result == "fold":
        assert hand.shown == ()
        assert pot.winners == (hand.folded.index(False),)
        assert hand.cards[5:] == (None,) * 4
    elif hand.mucked:
        assert pot.winners == hand.shown
        assert terms.show == "muck"
        assert 0 not in hand.stacks
    else:
        assert sorted(hand.shown) == [0, 1]
        assert hand.cards == cards
        assert set(pot.winners) == {seat for seat in (0, 1) if sevens[seat] == max(sevens)}
    shares = [after - behind for after, behind in zip(end.stacks, hand.stacks, strict=True)]
    assert all(shares[seat] == sum(hand.totals) // len(pot.winners) for seat in pot.winners)


@given(terms, st.integers(0, 1), st.tuples(*[digits] * 9), st.integers(0, 1), st.integers(0, 12), st.data())
def test_a_forfeit_anywhere_gives_the_pot_to_the_other(
    terms: HexTerms, button: int, cards: tuple[int, ...], seat: int, steps: int, data: st.DataObject
) -> None:
    """VERDICT-4: the absent seat keeps what is behind; a hand that is over stays as it is."""
    hand = HEX.start(terms, HEX.opening_stacks(terms, 2), button, (0, 1))
    for _ in range(steps):
        if isinstance(HEX.demand(hand), Finished):
            break
        hand = step(hand, cards, lambda actions: data.draw(st.sampled_from(actions)))
    before = HEX.demand(hand)
    after = HEX.forfeit(hand, seat)
    if isinstance(before, Finished):
        assert after == hand
        return
    end = HEX.demand(after)
    assert isinstance(end, Finished)
    assert (end.result, after.folded) == ("forfeit", (seat == 0, seat == 1))
    assert end.stacks[seat] == hand.stacks[seat]
    assert end.stacks[1 - seat] == hand.stacks[1 - seat] + sum(hand.totals)
    assert [pot.winners for pot in end.pots] == [(1 - seat,)]


@given(st.integers(1, 10_000), st.integers(1, 10_000), st.sampled_from(("all", "muck")))
def test_terms_round_trip(bet: int, depth: int, show: str) -> None:
    """HEX-2: the wire form gives the same terms back."""
    read = HEX.read_terms((bet, depth, show), 2)
    assert read == HexTerms(bet=bet, depth=depth, show=show)
    assert read.fields() == (bet, depth, show)
    assert HEX.opening_stacks(read, 2) == (bet + bet * depth,) * 2


BAD_TERMS: list[tuple[tuple[Any, ...], int, str]] = [
    ((10, 5, "all"), 3, "terms.seats"),
    ((10, 5, "all"), 1, "terms.seats"),
    ((10, 5), 2, "terms.malformed"),
    ((10, 5, "all", 1), 2, "terms.malformed"),
    ((), 2, "terms.malformed"),
    ((True, 5, "all"), 2, "terms.malformed"),
    ((10, True, "all"), 2, "terms.malformed"),
    ((10, 5, b"all"), 2, "terms.malformed"),
    (("10", 5, "all"), 2, "terms.malformed"),
    ((10.0, 5, "all"), 2, "terms.malformed"),
    ((0, 5, "all"), 2, "terms.out-of-range"),
    ((-1, 5, "all"), 2, "terms.out-of-range"),
    ((10, 0, "all"), 2, "terms.out-of-range"),
    ((10, -1, "all"), 2, "terms.out-of-range"),
    ((10, 10_001, "all"), 2, "terms.out-of-range"),
    ((MAX_CHIPS // 4 + 1, 1, "all"), 2, "terms.out-of-range"),
    ((2**64 - 1, 10_000, "all"), 2, "terms.out-of-range"),
    ((10, 5, "none"), 2, "terms.unknown-show-rule"),
    ((10, 5, "ALL"), 2, "terms.unknown-show-rule"),
]


@pytest.mark.parametrize(("fields", "seats", "code"), BAD_TERMS)
def test_bad_terms(fields: tuple[Any, ...], seats: int, code: str) -> None:
    """HEX-2, ENC-6, SHOW-2."""
    with pytest.raises(Violation) as caught:
        HEX.read_terms(fields, seats)
    assert caught.value.code == code


def test_the_largest_terms() -> None:
    """ENC-6: all chips of the table together stay within 2^53 - 1."""
    for depth in (1, 10_000):
        bet = MAX_CHIPS // (2 * (1 + depth))
        largest = HEX.read_terms((bet, depth, "all"), 2)
        assert sum(HEX.opening_stacks(largest, 2)) <= MAX_CHIPS
        with pytest.raises(Violation):
            HEX.read_terms((bet + 1, depth, "all"), 2)


def test_cards_come_in_order() -> None:
    """HEX-3, HEX-5: board, then hole cards, then betting; nothing is dealt out of turn."""
    terms = HexTerms(bet=10, depth=5, show="all")
    hand = HEX.start(terms, (60, 60), 0, (0, 1))
    assert HEX.demand(hand) == OpenBoard(slots=(0, 1, 2, 3, 4))
    assert HEX.legal(hand) == ()
    refusal = HEX.check(hand, 1, Move(name="CHECK", amount=0))
    assert refusal is not None
    assert refusal.code == "turn.wrong-kind"
    with pytest.raises(UsageError):
        HEX.dealt(hand, {0: 1})
    hand = HEX.dealt(hand, dict.fromkeys(range(5), 7))
    assert HEX.demand(hand) == Deal(hands=((0, (5, 6)), (1, (7, 8))))
    hand = HEX.dealt(hand, {})
    assert HEX.demand(hand) == Act(seat=1)
    assert hand.cards == (7, 7, 7, 7, 7, None, None, None, None)
    with pytest.raises(UsageError):
        HEX.dealt(hand, {})
    assert (HEX.board_slots(hand), HEX.hole_slots(hand, 0), HEX.hole_slots(hand, 1)) == (
        (0, 1, 2, 3, 4),
        (5, 6),
        (7, 8),
    )


@pytest.mark.parametrize(
    ("stacks", "seated"), [((60, 60), (0,)), ((60, 50), (0, 1)), ((70, 70), (0, 1)), ((0, 60), (1,))]
)
def test_a_hand_needs_both_seats_with_the_agreed_stack(stacks: tuple[int, int], seated: tuple[int, ...]) -> None:
    """HEX-2."""
    with pytest.raises(UsageError):
        HEX.start(HexTerms(bet=10, depth=5, show="all"), stacks, 0, seated)


def test_the_game_is_listed() -> None:
    """HEX-1: two seats; its cards are written as their digits."""
    game: Game = GAMES["hex"]
    assert game is HEX
    assert (list(game.seats), game.dealings, game.carries) == ([2], ("hash", "deck"), False)
    assert [game.card_text(card) for card in range(16)] == list("0123456789abcdef")
