"""The toy game at two to nine seats: any play conserves chips, expulsions included (POT, BET-7, VERDICT-4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealerless.errors import Violation
from dealerless.games.game import Act, Deal, Finished, Game, Move, Muck, Reveal, Show
from tests.toy import TOY, ToyTerms


@given(st.lists(st.integers(0, 3), min_size=2, max_size=9), st.data())
def test_any_play(chips: list[int], data: st.DataObject) -> None:
    """POT-2 to POT-4: every chip is somewhere; who is out wins nothing; the best digit shown wins its pots."""
    game: Game = TOY
    terms = ToyTerms(chips=3)
    seated = tuple(seat for seat, stack in enumerate(chips) if game.can_be_dealt_in(terms, stack))
    if len(seated) < 2:
        return
    digits = data.draw(st.tuples(*[st.integers(0, 15)] * len(chips)))
    hand = game.start(terms, tuple(chips), data.draw(st.sampled_from(seated)), seated)
    demand = game.demand(hand)
    while not isinstance(demand, Finished):
        assert sum(hand.stacks) + sum(hand.totals) == sum(chips)
        still_in = [seat for seat, out in enumerate(hand.folded) if not out]
        if data.draw(st.integers(0, 15)) == 15:
            hand = game.forfeit(hand, data.draw(st.sampled_from(still_in)))
        elif isinstance(demand, Deal):
            assert demand.hands == tuple((seat, (seat,)) for seat in still_in)
            hand = game.dealt(hand, {})
        elif isinstance(demand, Act):
            option = data.draw(st.sampled_from(game.legal(hand)))
            hand = game.apply(hand, demand.seat, Move(name=option.name, amount=option.least))
        elif isinstance(demand, Show):
            refusal = game.check(hand, demand.seat, Muck())
            assert refusal is not None
            assert refusal.code == "show.may-not-muck"
            reveal = Reveal(cards=(digits[demand.seat],))
            assert game.check(hand, demand.seat, reveal) is None
            hand = game.apply(hand, demand.seat, reveal)
        demand = game.demand(hand)
    assert sum(demand.stacks) == sum(chips)
    for seat, out in enumerate(hand.folded):
        assert demand.stacks[seat] >= hand.stacks[seat]
        assert not out or demand.stacks[seat] == hand.stacks[seat]
    for pot in demand.pots:
        best = max(digits[seat] for seat in pot.seats)
        assert len(pot.seats) == 1 or set(pot.winners) == {s for s in pot.seats if digits[s] == best}


@pytest.mark.parametrize("fields", [(), (0,), (True,), (5, 5), ("5",), (-1,)])
def test_bad_terms(fields: tuple[object, ...]) -> None:
    """ENC-6."""
    with pytest.raises(Violation):
        TOY.read_terms(fields, 3)
    assert TOY.read_terms((5,), 3).fields() == (5,)
