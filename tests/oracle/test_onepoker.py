"""Random matches of One Poker beside a naive reading of its clauses: every option, lamp, life and card (ONE)."""

from __future__ import annotations

import random

import pytest

from dealerless.games.cards import DECK, card_text
from dealerless.games.game import Act, Drawn, Move, Show
from dealerless.games.onepoker import ONEPOKER
from tests.one import Table, number
from tests.oracle.naive_onepoker import NaiveOne

COPIES = [card_text(card) for card in DECK] * 3


def play(seed: int) -> tuple[int, str]:
    """Play a match to its end; return its rounds and how it ended."""
    chance = random.Random(seed)
    lives = (chance.randint(1, 12), chance.randint(1, 12)) if seed % 4 else (60, 60)
    bold = chance.choice((0.1, 0.5, 0.9)) if seed % 4 else 0.02
    naive = NaiveOne(list(lives), chance.randrange(2), lambda: chance.sample(COPIES, k=len(COPIES)))
    table = Table(lives, naive.first)
    while True:
        naive.begin()
        new = [naive.held[seat][len(table.held[seat]) :] for seat in (0, 1)]
        if naive.rounds == 1:
            table.act(naive.first, Drawn())
        table.deal(*new)
        assert [table.hand.lamps[seat] for seat in (0, 1)] == [naive.lamps(0), naive.lamps(1)]
        assert table.hand.used == 78 - len(naive.shoe)
        cards = [chance.choice(naive.held[seat]) for seat in (0, 1)]
        table.lay(*cards)
        for seat in (0, 1):
            naive.lay(seat, cards[seat])
        while (actor := naive.actor()) is not None:
            assert table.hand.due == Act(seat=actor)
            listed = {(o.name, n) for o in ONEPOKER.legal(table.hand) for n in range(o.least, o.most + 1)}
            assert listed == naive.options()
            lifts = sorted(one for one in listed if one[1])
            name, amount = chance.choice(lifts if lifts and chance.random() < bold else sorted(listed - set(lifts)))
            table.act(actor, Move(name=name, amount=amount))
            naive.do(name, amount)
            assert [table.hand.stacks, table.hand.totals] == [
                (naive.left(0), naive.left(1)),
                (naive.put(0), naive.put(1)),
            ]
        assert isinstance(table.hand.due, Show)
        table.open()
        naive.finish()
        assert table.hand.played == tuple([number(card) for card in naive.seen])
        assert table.end.stacks == tuple(naive.lives)
        assert table.end.button == naive.first
        if 0 in naive.lives or naive.rounds == 90:
            return naive.rounds, "lives" if 0 in naive.lives else "rounds"
        table.begin()


@pytest.mark.parametrize("part", range(4))
def test_random_matches_agree_with_the_clauses(part: int) -> None:
    """ONE-1 to ONE-10, over 400 matches, some of them over three shoes."""
    ends = [play(seed) for seed in range(100 * part, 100 * part + 100)]
    assert {how for _, how in ends} == {"lives", "rounds"}
    assert max(rounds for rounds, _ in ends) > 78
