"""Every sequence of moves of a hex hand, counted twice: by the game, and straight from the table of HEX-7."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from dealerless.games.game import Act, Move
from dealerless.games.hex import HEX, HexHand, HexTerms

# HEX-7, one letter a move: what may follow what. Stacks are counted in bets.
FOLLOWS = {"": "kba", "k": "kba", "b": "craf", "r": "craf", "c": "kba", "a": "af"}
NAMES = {"k": "CHECK", "b": "BET", "c": "CALL", "r": "RAISE", "a": "ALLIN", "f": "FOLD"}
COSTS = {"k": 0, "b": 1, "c": 1, "r": 2, "f": 0}

SEQUENCES = {1: 11, 2: 39, 3: 123, 4: 375, 5: 1131}


def moves(line: str, mine: int) -> dict[str, int]:
    """The moves after `line` and the bets they put in, for a mover with `mine` bets left (HEX-6, HEX-7)."""
    costs = {move: COSTS.get(move, mine) for move in FOLLOWS[line[-1:]]}
    return {move: cost for move, cost in costs.items() if cost <= mine and (move != "a" or mine)}


def lines(line: str, mine: int, his: int) -> Iterator[str]:
    """All ways in which a hand can go on after `line`, each to its end (HEX-8)."""
    for move, cost in moves(line, mine).items():
        longer = line + move
        if move == "f" or longer.endswith("kk") or mine - cost == his == 0:
            yield longer
        else:
            yield from lines(longer, his, mine - cost)


def opened(bet: int, depth: int, button: int) -> HexHand:
    terms = HexTerms(bet=bet, depth=depth, show="all")
    hand = HEX.start(terms, HEX.opening_stacks(terms, 2), button, (0, 1))
    hand = HEX.dealt(hand, {0: 1, 1: 2, 2: 3, 3: 4, 4: 5})
    return HEX.dealt(hand, {})


def played(hand: HexHand, line: str, stacks: tuple[int, int], bet: int) -> Iterator[str]:
    """All ways in which the game lets the hand go on, its legal moves compared with the table at each
    position.

    `stacks`: the mover's and the other's, in bets, kept here.
    """
    demand = HEX.demand(hand)
    if not isinstance(demand, Act):
        yield line
        return
    mine, his = stacks
    expected = moves(line, mine)
    options = HEX.legal(hand)
    assert {(option.name, option.least, option.most) for option in options} == {
        (NAMES[move], cost * bet, cost * bet) for move, cost in expected.items()
    }
    for move, cost in expected.items():
        action = Move(name=NAMES[move], amount=cost * bet)
        assert HEX.check(hand, demand.seat, action) is None
        after = HEX.apply(hand, demand.seat, action)
        assert after.stacks[demand.seat] == (mine - cost) * bet
        assert sum(after.stacks) + sum(after.totals) == sum(hand.stacks) + sum(hand.totals)
        yield from played(after, line + move, (his, mine - cost), bet)


@pytest.mark.parametrize("depth", SEQUENCES)
def test_the_game_plays_exactly_the_lines_of_the_table(depth: int) -> None:
    """HEX-6, HEX-7, HEX-8: the same lines, none missing, none twice; neither bet nor button matters."""
    expected = Counter(lines("", depth, depth))
    assert expected.total() == len(expected) == SEQUENCES[depth]
    for bet in (1, 10):
        for button in (0, 1):
            assert Counter(played(opened(bet, depth, button), "", (depth, depth), bet)) == expected
