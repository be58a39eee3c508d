"""The equilibrium of hex poker's betting round: what it must never do, and what it is worth against all comers.

The best response is computed a second time here, hand by hand and from the game itself, moves and showdowns included.
"""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import perm

import numpy as np
import pytest

from dealerless.errors import UsageError
from dealerless.games.game import Act, Finished, Move, Reveal, Show
from dealerless.games.hex import HEX, HexHand, HexTerms
from dealerless.games.hexrank import best
from dealerless.players.hexequilibrium import (
    EXACT,
    LIFTS,
    PARTS,
    Equilibrium,
    History,
    choose,
    exploitability,
    follow,
    probabilities,
    reason,
    solve,
)
from dealerless.players.hexresponse import PAIRS, deck_ranges, expected, hash_ranges, reaches
from dealerless.players.hextree import MARGIN, OVER, grow, position

BOARD = (9, 3, 14, 9, 0)
FEW = (10, 10, 10, 10, 5)
"""A board on which 136 pairs have few strengths."""

Pair = tuple[int, int]


def opened(board: tuple[int, ...], depth: int) -> HexHand:
    """A hand that seat 0 opens, with bets of one chip."""
    terms = HexTerms(bet=1, depth=depth, show="all")
    hand = HEX.start(terms, HEX.opening_stacks(terms, 2), 1, (0, 1))
    return HEX.dealt(HEX.dealt(hand, dict(enumerate(board))), {})


def to_act(hand: HexHand) -> int:
    """Whose move it is."""
    due = HEX.demand(hand)
    assert isinstance(due, Act)
    return due.seat


def gained(hand: HexHand, pairs: tuple[Pair, Pair], seat: int, depth: int) -> int:
    """What the seat wins once betting is over, as the game pays it."""
    while isinstance(due := HEX.demand(hand), Show):
        hand = HEX.apply(hand, due.seat, Reveal(cards=pairs[due.seat]))
    assert isinstance(due, Finished)
    return due.stacks[seat] - 1 - depth


def responding(
    equilibrium: Equilibrium, hand: HexHand, history: History, mine: Pair, seat: int, theirs: dict[Pair, float]
) -> float:
    """The most that `mine` can win from here on, times how likely `theirs`, the other's pairs, still are."""
    due = HEX.demand(hand)
    if not isinstance(due, Act):
        return sum(
            weight * gained(hand, (mine, pair) if seat == 0 else (pair, mine), seat, equilibrium.depth)
            for pair, weight in theirs.items()
        )
    values = []
    chances = {pair: probabilities(equilibrium, history, pair) for pair in theirs} if due.seat != seat else {}
    for option in HEX.legal(hand):
        after = HEX.apply(hand, due.seat, Move(name=option.name, amount=option.least))
        left = theirs
        if chances:
            left = {pair: weight * chances[pair][option.name] / PARTS for pair, weight in theirs.items()}
        values.append(responding(equilibrium, after, (*history, option.name), mine, seat, left))
    return sum(values) if chances else max(values)


def strengths(board: tuple[int, ...]) -> dict[int, list[Pair]]:
    """By strength, the pairs that have it."""
    found: dict[int, list[Pair]] = {}
    for pair in PAIRS:
        found.setdefault(best((*board, *pair)).rank, []).append(pair)
    return found


def doubled(pair: Pair) -> int:
    return 1 + (pair[0] != pair[1])


@pytest.mark.parametrize("depth", [1, 2])
def test_the_best_response_is_that_of_the_game(depth: int) -> None:
    """HEX-4 to HEX-9: hand by hand through the rules, with one pair for all of its strength, the same to 12 digits."""
    equilibrium = solve(FEW, depth, rounds=7)
    groups = list(strengths(FEW).values())
    theirs = {group[0]: sum(map(doubled, group)) / 256 for group in groups}
    total = 0.0
    for seat, pair in product((0, 1), theirs):
        total += theirs[pair] * responding(equilibrium, opened(FEW, depth), (), pair, seat, theirs)
    assert exploitability(equilibrium) == pytest.approx(total / 2, abs=1e-12)
    assert total > 0.001


def test_the_best_response_with_blockers() -> None:
    """HEX-4: from the deck, against every pair as likely as the cards that are left make it."""
    equilibrium = solve(FEW, 1, dealing="deck", rounds=7)
    left = [10 - FEW.count(digit) for digit in range(16)]

    def together(one: Pair, two: Pair) -> int:
        """In how many ways four cards come as these two pairs."""
        ways = doubled(one) * doubled(two)
        for digit in {*one, *two}:
            ways *= perm(left[digit], (*one, *two).count(digit))
        return ways

    everything = perm(155, 4)
    assert sum(together(one, two) for one, two in product(PAIRS, PAIRS)) == everything
    ranges = deck_ranges(FEW)
    for one, two in [((3, 3), (3, 3)), ((10, 10), (4, 10)), ((0, 15), (5, 7))]:
        exact = Fraction(together(one, two), everything)
        assert ranges.joint[ranges.kinds[one], ranges.kinds[two]] == pytest.approx(float(exact), rel=1e-12)

    free, owing = ("CHECK", "BET"), ("CALL", "FOLD")
    names: dict[History, tuple[str, ...]] = {(): free, ("CHECK",): free, ("BET",): owing, ("CHECK", "BET"): owing}
    chances = {(at, pair): probabilities(equilibrium, at, pair) for at in names for pair in PAIRS}
    ranks = {pair: best((*FEW, *pair)).rank for pair in PAIRS}

    def most(seat: int, mine: Pair, at: History, theirs: dict[Pair, float]) -> float:
        """The most that `mine` can win from `at` on, with one name for moves that are the same."""
        betting = position(1, at)
        if betting.to_act == seat:
            return max(most(seat, mine, (*at, name), theirs) for name in names[at])
        if betting.to_act is not None:
            return sum(
                most(seat, mine, (*at, name), {pair: w * chances[at, pair][name] / PARTS for pair, w in theirs.items()})
                for name in names[at]
            )
        if True in betting.folded:
            loser = betting.folded.index(True)
            return sum(theirs.values()) * betting.totals[loser] * (-1 if loser == seat else 1)
        signs = {pair: (ranks[mine] > ranks[pair]) - (ranks[mine] < ranks[pair]) for pair in theirs}
        return sum(weight * signs[pair] for pair, weight in theirs.items()) * betting.totals[seat]

    won = [
        sum(most(seat, mine, (), {pair: together(mine, pair) / everything for pair in PAIRS}) for mine in PAIRS)
        for seat in (0, 1)
    ]
    assert exploitability(equilibrium) == pytest.approx(sum(won) / 2, abs=1e-12)


@pytest.mark.parametrize("dealing", ["hash", "deck"])
def test_nobody_gains_much_by_knowing_it(dealing: str) -> None:
    """HEX-5: below a hundredth of an ante where nothing is left out, and not much more where the tree is cut."""
    for depth in range(1, EXACT + 1):
        assert 0 <= exploitability(solve(BOARD, depth, dealing=dealing)) < 0.01
    assert 0 <= exploitability(solve(BOARD, EXACT + 1, dealing=dealing)) < 0.02
    assert 0 <= exploitability(solve(BOARD, 5, dealing=dealing, lifts=3)) < 0.05


def test_more_rounds_make_it_better() -> None:
    left = [exploitability(solve(BOARD, 3, rounds=rounds)) for rounds in (2, 20, 200)]
    assert left[0] > 4 * left[1] > 16 * left[2] > 0


def test_who_always_folds_loses_his_ante() -> None:
    """HEX-6, HEX-9: against one who checks and folds, who bets wins an ante; and bets nobody calls cost nothing."""
    equilibrium = solve(BOARD, 3)
    weights = []
    for player, levels in enumerate(equilibrium.weights):
        broken = tuple(np.zeros_like(level) for level in levels)
        for node in equilibrium.tree.nodes:
            if node.player == player:
                broken[node.level][node.moves["CHECK"] if node.fold is None else node.fold, node.place] = PARTS
        weights.append(broken)
    assert exploitability(replace(equilibrium, weights=(weights[0], weights[1]))) == pytest.approx(1)


@pytest.mark.parametrize("dealing", ["hash", "deck"])
@pytest.mark.parametrize("depth", [1, 3, 4, 7])
def test_what_one_wins_the_other_loses(depth: int, dealing: str) -> None:
    equilibrium = solve(BOARD, depth, dealing=dealing)
    tree, ranges = equilibrium.tree, equilibrium.ranges
    first, second = (reaches(tree.sides[player], equilibrium.strategy(player)) for player in (0, 1))
    assert expected(tree, ranges, 1, second, first) == pytest.approx(-equilibrium.value, abs=1e-12)
    # To speak first is no advantage here, and nobody can be made to lose his ante.
    assert -0.5 < equilibrium.value < 0


@pytest.mark.parametrize(
    ("depth", "dealing", "rounds"),
    [(1, "hash", 200), (3, "hash", 200), (3, "deck", 200), (5, "hash", 9), (9, "deck", 2)],
)
def test_every_decision_is_whole_legal_and_folds_no_nuts(depth: int, dealing: str, rounds: int) -> None:
    """HEX-6, HEX-7: probabilities of exactly the legal moves, that sum to one; who cannot lose does not fold."""
    equilibrium = solve(BOARD, depth, dealing=dealing, rounds=rounds)
    for side, levels in zip(equilibrium.tree.sides, equilibrium.weights, strict=True):
        for level, weights in zip(side.levels, levels, strict=True):
            assert (weights >= 0).all()
            assert (weights.sum(axis=0) == PARTS).all()
            assert not weights[level.legal == 0].any()
            assert not weights[level.folds == 1][:, equilibrium.ranges.nuts].any()
    chance = random.Random(depth)
    for _ in range(60):
        history: History = ()
        while position(depth, history).to_act is not None and len(history) < 4:
            hole = (chance.randrange(16), chance.randrange(16))
            chances = probabilities(equilibrium, history, hole)
            hand = opened(BOARD, depth)
            for name in history:
                [option] = [option for option in HEX.legal(hand) if option.name == name]
                hand = HEX.apply(hand, to_act(hand), Move(name=name, amount=option.least))
            assert list(chances) == [option.name for option in HEX.legal(hand)]
            assert sum(chances.values()) == PARTS
            assert chances == probabilities(equilibrium, history, hole[::-1])
            if "FOLD" in chances:
                assert probabilities(equilibrium, history, (9, 9))["FOLD"] == 0
            history = (*history, chance.choice(list(chances)))


def test_what_is_certain_is_played() -> None:
    """HEX-9: all-in is called with four of a kind, and given up with nothing, if not always."""
    equilibrium = solve(BOARD, 3)
    assert probabilities(equilibrium, ("ALLIN",), (9, 9)) == {"ALLIN": PARTS, "FOLD": 0}
    assert probabilities(equilibrium, ("ALLIN",), (1, 2))["FOLD"] == PARTS
    assert probabilities(equilibrium, ("CHECK", "BET"), (1, 2))["FOLD"] > PARTS / 2


def test_a_move_is_drawn_as_often_as_it_should_be() -> None:
    equilibrium = solve(BOARD, 2)
    mixed = next(pair for pair in PAIRS if 200 < probabilities(equilibrium, (), pair)["BET"] < 800)
    chances = probabilities(equilibrium, (), mixed)
    one, two = (
        [choose(equilibrium, (), mixed, chance) for _ in range(300)] for chance in (random.Random(8), random.Random(8))
    )
    assert one == two
    for name, parts in chances.items():
        assert abs(one.count(name) - 300 * parts / PARTS) < 40
        assert parts or name not in one
    text = reason(equilibrium, (), mixed)
    assert text.startswith("equilibrium of this board: ")
    assert f"BET {chances['BET'] / 10:.0f} %" in text
    assert reason(equilibrium, ("ALLIN",), (9, 9)) == "equilibrium of this board: ALLIN 100 %"


def test_moves_that_put_in_the_same_are_one() -> None:
    """HEX-7: a call of the last bet may be called ALLIN; an all-in that is a BET, BET. What follows is the same."""
    equilibrium = solve(BOARD, 1)
    for pair in PAIRS[::7]:
        called = probabilities(equilibrium, ("BET",), pair)
        pushed = probabilities(equilibrium, ("ALLIN",), pair)
        assert list(called) == ["CALL", "ALLIN", "FOLD"]
        assert called["ALLIN"] == 0
        assert pushed == {"ALLIN": called["CALL"], "FOLD": called["FOLD"]}
    # Only such moves are one: the places of the tree are those of all lines without them.
    assert [len(grow(depth, (), depth).nodes) for depth in range(1, 6)] == [4, 16, 52, 160, 484]


def test_a_cut_tree_is_left_before_it_ends() -> None:
    """HEX-6: in a deep game every legal line can be followed, as far as anybody likes to go."""
    equilibrium = solve(BOARD, 40, rounds=5)
    assert not equilibrium.tree.nodes[0].cut
    history: History = ("BET",)
    solved = {id(equilibrium)}
    for _ in range(12):
        equilibrium = follow(equilibrium, history)
        solved.add(id(equilibrium))
        node = equilibrium.tree.reach(history)
        assert node.history == history
        assert set(node.moves) == {"CALL", "RAISE", "ALLIN", "FOLD"}
        assert all(equilibrium.tree.nodes[number].player != node.player for number in node.following if number != OVER)
        assert follow(equilibrium, history) is equilibrium
        assert sum(probabilities(equilibrium, history, (2, 9)).values()) == PARTS
        history = (*history, "RAISE")
    assert len(solved) == 2 + (11 - (LIFTS - MARGIN)) // (LIFTS - MARGIN) + 1


def test_hash_kinds_are_strengths() -> None:
    """HEX-4, HEX-10: one kind for each strength, as likely as the 256 pairs of digits have it."""
    ranges = hash_ranges(BOARD)
    found = sorted(strengths(BOARD).items())
    assert len(ranges.nuts) == len(found)
    for kind, (_, pairs) in enumerate(found):
        assert {int(ranges.kinds[pair]) for pair in pairs} == {kind}
        assert ranges.weights[0][kind] * 256 == sum(map(doubled, pairs))


def test_the_order_of_the_board_does_not_matter() -> None:
    assert solve(BOARD, 2) is solve(BOARD[::-1], 2)


@pytest.mark.parametrize(
    ("board", "depth", "dealing", "code"),
    [
        ((1, 2, 3, 4), 3, "hash", "cards.count"),
        ((1, 2, 3, 4, 16), 3, "hash", "cards.not-hex-digits"),
        (BOARD, 0, "hash", "usage.bad-value"),
        (BOARD, 10_001, "hash", "usage.bad-value"),
        (BOARD, 3, "shoe", "usage.bad-value"),
    ],
)
def test_what_cannot_be_solved(board: tuple[int, ...], depth: int, dealing: str, code: str) -> None:
    """HEX-1 to HEX-4."""
    with pytest.raises(UsageError) as caught:
        solve(board, depth, dealing=dealing)
    assert caught.value.code == code


@pytest.mark.parametrize("history", [("CALL",), ("CHECK", "CHECK"), ("BET", "FOLD"), ("CHECK", "CHECK", "BET")])
def test_a_history_must_go_on(history: History) -> None:
    """HEX-7, HEX-8."""
    with pytest.raises(UsageError) as caught:
        probabilities(solve(BOARD, 2), history, (1, 2))
    assert caught.value.code == "usage.bad-value"


@pytest.mark.parametrize(("hole", "code"), [((1,), "cards.count"), ((1, 16), "cards.not-hex-digits")])
def test_a_hole_is_two_digits(hole: tuple[int, ...], code: str) -> None:
    """HEX-3."""
    with pytest.raises(UsageError) as caught:
        probabilities(solve(BOARD, 2), (), hole)
    assert caught.value.code == code


def test_deep_games_are_too_large_to_go_through() -> None:
    with pytest.raises(UsageError):
        exploitability(solve(BOARD, 8, rounds=1))
