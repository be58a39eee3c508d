"""Five-card draw against PokerKit and against a naive reading of the same clauses: random hands of two to six seats."""

from __future__ import annotations

import pytest

from tests.oracle.pokerkit_common import compare_many
from tests.oracle.pokerkit_draw import KINDS, play, random_hand

HANDS = 1000
PARTS = 8

# A hand for each kind of difference: the first seed that shows it.
SHOWN = {"limit short": 3, "shown first": 23, "odd chip": 155, "merged pots": 826}


@pytest.mark.parametrize("part", range(PARTS))
def test_random_hands(part: int) -> None:
    """BET-1..BET-7, POT-1..POT-4, SHOW-1, DRAW-2, DRAW-3, DRAW-7, DECK-7: who acts, what is legal, stacks after every
    action, who exchanges and what it then holds, who shows in which order, pots and payouts. PokerKit differs in the
    known kinds only."""
    seen = compare_many(play, HANDS // PARTS * part, HANDS // PARTS)
    assert seen.keys() <= KINDS.keys()
    assert seen["limit short"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_difference_is_real(kind: str) -> None:
    """BET-5, POT-2, POT-4, SHOW-1: a kind that no hand shows would excuse nothing but our mistakes."""
    assert compare_many(play, SHOWN[kind], 1)[kind]


def test_what_is_compared() -> None:
    """DRAW-1, DRAW-3, DRAW-7: every number of seats, both modes, short antes, seats not dealt in, every cap."""
    hands = [random_hand(seed) for seed in range(HANDS)]
    assert {len(stacks) for _, stacks, _, _, _ in hands} == set(range(2, 7))
    assert {terms.raises for terms, *_ in hands} == {0, 1, 2, 3, 4}
    for allin in (True, False):
        assert sum(terms.allin == allin for terms, *_ in hands) > HANDS // 5
    assert sum(min(stacks) < terms.ante for terms, stacks, *_ in hands) > HANDS // 50
    assert sum(not terms.allin and min(stacks) < terms.dearest for terms, stacks, *_ in hands) > HANDS // 50
    played = [play(seed) for seed in range(50)]
    assert sum(hand.shown for hand in played) > 10
    assert {len(slots) for hand in played for _, name, slots in hand.moves if name == "EXCHANGE"} == {0, 1, 2, 3}
