"""The computer players of One Poker: legal, explained and reproducible play, and a table that is near to equilibrium.

Matches are played on the rules alone; who beats whom is spelled out here once more (ONE-9).
"""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from dealerless.games.betting import Betting, apply, legal, open_round
from dealerless.games.cards import RANKS, rank_of
from dealerless.games.game import Move
from dealerless.games.structure import Structure
from dealerless.players.arena import Duel, play_deal, play_deals
from dealerless.players.computer import LEVELS, ComputerPlayer, Strategy
from dealerless.players.levels import computer_player, strategy
from dealerless.players.onehard import follow
from dealerless.players.onemake import outcome, solution
from dealerless.players.oneround import Strategy as Abstract
from dealerless.players.oneround import Values, exploitability, hands, weights
from dealerless.players.onesolve import resolve, solve
from dealerless.players.onespot import against, behind_lamps, spot, wins
from dealerless.players.onetable import BEHIND, COMBOS, PAIRS, PARTS, RANKS_OF, nearest, read, shipped, table, written
from dealerless.players.onetree import CALL, CHECK, FOLD, LIFT, WHOLE, Start, tree
from dealerless.players.player import Player, SeatView
from tests.one import Table, number, view_of

ORDER = "23456789TJQKA"
STRUCTURE = Structure(unit=1, sizes="matched", amounts="by", closes="checks")


def beaten(rank: int, other: int) -> bool:
    """Whether the other wins: the higher rank, but a two beats an ace."""
    if (ORDER[rank], ORDER[other]) in (("A", "2"), ("2", "A")):
        return ORDER[rank] == "A"
    return other > rank


def duel(*bots: str, lives: tuple[int, int] = (10, 10), seed: int = 5) -> Duel:
    return Duel(game="onepoker", dealing="shoe", rules=lives, seats=2, bots=bots, seed=seed)


# --- play at every level ------------------------------------------------------------------------------------------


class Watched(Player):
    """A player of whom every choice is checked as it is made."""

    def __init__(self, level: str, chance: random.Random, told: list[str]) -> None:
        self.plays: Strategy = strategy("onepoker", level, quick=True)
        self.chance, self.told = chance, told

    def twice(self) -> tuple[random.Random, random.Random]:
        seed = self.chance.random()
        return random.Random(seed), random.Random(seed)

    def decide(self, view: SeatView) -> Move:
        one, again = self.twice()
        move, reason = self.plays.decide(view, one)
        assert (move, reason) == self.plays.decide(view, again)
        assert view.refusal(move) is None
        own = rank_of(view.hole[0])
        up = view.hand.lamps[1 - view.seat][1]
        can_be = [rank for rank in range(len(ORDER)) if up == 1 or (rank >= ORDER.index("8")) == (up == 2)]
        if not any(beaten(own, other) for other in can_be):
            assert move.name != "FOLD", "a card that cannot lose was given up"
        self.told.append(f"{move.name}: {reason}")
        return move

    def lays(self, view: SeatView) -> int:
        one, again = self.twice()
        place, reason = self.plays.lays(view, one)
        assert (place, reason) == self.plays.lays(view, again)
        assert place in (0, 1)
        self.told.append(f"LAY: {reason}")
        return place

    def shows(self, view: SeatView) -> bool:
        return True


@pytest.mark.parametrize("lives", [(10, 10), (1, 1), (2, 10), (14, 11), (60, 45)])
@pytest.mark.parametrize("level", LEVELS)
def test_every_choice_is_legal_explained_and_the_same_again(level: str, lives: tuple[int, int]) -> None:
    """ONE-7, ONE-8, ONE-9: also with few lives, unequal ones, and more than any sheet of the table is for."""
    told: list[str] = []
    # With many lives behind it is the betting beyond the table that takes the time.
    for deal in range(3 if min(lives) < 12 else 1):
        play_deal(duel(level, "medium", lives=lives), deal, lambda name, chance: Watched(name, chance, told))
    assert any(line.startswith("LAY") for line in told)
    assert all(len(line) > 15 for line in told)


class Reader(Watched):
    """One that notes beside each reason whether a call leaves somebody with lives to bet."""

    def decide(self, view: SeatView) -> Move:
        move = super().decide(view)
        betting = view.hand.betting
        owed = max(betting.put) - betting.put[view.seat]
        goes_on = min(betting.stacks[view.seat] - owed, betting.stacks[1 - view.seat]) > 0
        self.told[-1] += f" | {'goes on' if goes_on else 'ends'}" if owed else ""
        return move


def reasons(level: str) -> list[str]:
    """What two of a level note in some matches."""
    told: list[str] = []
    for deal in range(6):
        play_deal(duel(level, level), deal, lambda name, chance: Reader(name, chance, told))
    return told


def shares(line: str) -> dict[str, float]:
    """The numbers of a reason by the words before them."""
    return {words: float(number) for words, number in re.findall(r"(wins|counted as|needs) (\d+)%", line)}


def test_a_reason_for_a_fold_does_not_say_that_a_call_pays() -> None:
    """ONE-8: medium says what it counts, since it folds by that; hard, that the price is one of this call alone."""
    medium, hard = reasons("medium"), reasons("hard")
    folds = [shares(line) for line in medium if line.startswith("FOLD")]
    assert any(fold["wins"] > fold["needs"] for fold in folds)
    assert all(fold["counted as"] <= fold["needs"] for fold in folds)
    answers = [line for line in hard if " | " in line]
    assert len(answers) > 50
    assert {line.endswith("ends") for line in answers} == {True, False}
    for line in answers:
        assert ("%, and more since betting goes on after it;" in line) == line.endswith("goes on"), line
    assert all("% of the time in equilibrium" in line for line in answers)
    assert any("; with the cards seen it is played as " in line for line in hard)


def test_every_amount_is_answered() -> None:
    """ONE-8: hard answers each first bet at all lives and each raise of it at some, and folds a bad card at times."""
    plays = strategy("onepoker", "hard", quick=True)
    names: Counter[str] = Counter()
    for lives in range(2, 11):
        for bet in range(1, lives):
            at = Table((lives, lives)).deal(("C9", "C3"), ("DT", "D4")).lay("C9", "D4").play(f"0b{bet}")
            view = view_of(at, 1, ("D4", "DT"), (0, "BET", bet))
            move, _ = plays.decide(view, random.Random(f"{lives} {bet}"))
            assert view.refusal(move) is None, (lives, bet, move)
            names[move.name] += 1
            for lift in range(1, lives - bet if lives in (4, 7, 8) else 1):
                raised = Table((lives, lives)).deal(("C9", "C3"), ("DT", "D4")).lay("C9", "D4")
                raised.play(f"0b{bet} 1r{lift}")
                again = view_of(raised, 0, ("C9", "C3"), (0, "BET", bet), (1, "RAISE", lift))
                move, _ = plays.decide(again, random.Random(f"{lives} {bet} {lift}"))
                assert again.refusal(move) is None, (lives, bet, lift, move)
    assert names["FOLD"] > 5


def test_hard_lays_as_often_as_the_table_says() -> None:
    plays = strategy("onepoker", "hard")
    sheet = table()[9]
    checked = 0
    for low, high in (("C3", "D6"), ("C2", "DA"), ("C7", "D8"), ("CQ", "DA")):
        for other in (("S4", "S5"), ("S4", "SK"), ("SK", "S9")):
            at = Table((10, 10)).deal((low, high), other)
            view = view_of(at, 0, (high, low))
            combo = COMBOS.index((at.hand.lamps[0][1], at.hand.lamps[1][1]))
            share = sheet.lower(combo, 0, ORDER.index(low[1]), ORDER.index(high[1])) / PARTS
            chance = random.Random(low + high)
            lower = sum([plays.lays(view, chance)[0] for _ in range(800)]) / 800
            assert lower == pytest.approx(share, abs=0.07)
            checked += 0.1 < share < 0.9
    assert checked


def test_cards_seen_are_not_expected_again() -> None:
    """ONE-2: twelve cards of each rank, less ours and those opened; medium knows when no better one is left."""
    at = Table((10, 10)).deal(("CK", "C3"), ("DT", "D9")).lay("CK", "DT")
    view = view_of(at, 0, ("CK", "C3"))
    assert spot(view).left == tuple([11 if rank in "K3" else 12 for rank in ORDER])
    aces = tuple([number(suit + "A") for suit in "CDHS"]) * 3
    seen = replace(view, play=view.play.at(at.hand._replace(played=(*aces, number("C5"))), None))
    left = spot(seen).left
    assert (left[ORDER.index("A")], left[ORDER.index("5")]) == (0, 11)
    before, after = [strategy("onepoker", "medium").decide(each, random.Random(1))[1] for each in (view, seen)]
    assert int(before.split("wins ")[1].split("%")[0]) + 5 < int(after.split("wins ")[1].split("%")[0])


def test_levels_of_the_table_in_order() -> None:
    """Easy loses to both by more than four times the error; the seed is fixed, so that luck plays no part in it."""

    def player(name: str, chance: random.Random) -> ComputerPlayer:
        return computer_player(name, chance, quick=True)

    for better in ("medium", "hard"):
        deals = 48
        tally = play_deals(duel(better, "easy"), 0, deals, player)
        mean = tally.total / deals
        error = ((tally.squares / deals - mean**2) / deals) ** 0.5
        assert mean > 4 * error


@pytest.mark.parametrize("level", LEVELS)
def test_hidden_cards_of_the_other_change_nothing(level: str) -> None:
    """ONE-4: whatever the other holds and lays behind the same lamps, lay, move and reason are the same."""
    plays = strategy("onepoker", level, quick=True)
    found = set()
    for theirs in (("DT", "D4"), ("SA", "S2"), ("C8", "H7"), ("HK", "C6")):
        at = Table((10, 10)).deal(("C9", "C3"), theirs)
        lays = plays.lays(view_of(at, 0, ("C3", "C9")), random.Random(1))
        at.lay("C9", theirs[0]).play("0b3 1r2")
        view = view_of(at, 0, ("C9", "C3"), (0, "BET", 3), (1, "RAISE", 2))
        found.add((lays, plays.decide(view, random.Random(2))))
    assert len(found) == 1


# --- ranks and lamps ----------------------------------------------------------------------------------------------


def test_who_beats_whom() -> None:
    """ONE-9, all pairs."""
    for rank, other in product(range(13), repeat=2):
        assert against(rank, other) == (beaten(other, rank) - beaten(rank, other))
    assert "".join(RANKS) == ORDER
    assert wins(0, [0] * 12 + [1.0]) == 1
    assert wins(5, [0] * 5 + [1.0] + [0] * 7) == 0.5


def test_hands_behind_lamps_are_all_there_are() -> None:
    """ONE-4: no, one or two UP; each pair of ranks is behind exactly one kind of lamps."""
    even, left = (1.0,) * 13, (12,) * 13
    found = [{(first, second) for first, second, _ in behind_lamps(lamps, even, left)} for lamps in range(3)]
    assert sum(map(len, found)) == len(set.union(*found)) == len(PAIRS)
    for lamps, pairs in enumerate(found):
        assert all((ORDER[first] in "89TJQKA") + (ORDER[second] in "89TJQKA") == lamps for first, second in pairs)


# --- trees and tables ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("behind", range(WHOLE + 1))
def test_small_trees_are_the_whole_game(behind: int) -> None:
    """ONE-7, ONE-8: every line of moves of the rules is one of the tree, and ends where that ends."""
    grown = tree(behind)
    names = {CHECK: CHECK, CALL: CALL, FOLD: FOLD, "BET": LIFT, "RAISE": LIFT}
    met = 0

    def go(betting: Betting, at: int) -> None:
        nonlocal met
        met += 1
        vertex, seat = grown.vertices[at], betting.to_act
        if seat is None:
            assert not vertex.steps
            assert (vertex.folded is None) == (True not in betting.folded)
            return
        assert (vertex.player, vertex.owed, vertex.level) == (seat, betting.owed, betting.level)
        steps = {(step.name, step.level): step.to for step in vertex.steps}
        moves = [(option.name, n) for option in legal(betting) for n in range(option.least, option.most + 1)]
        assert len(moves) == len(steps)
        for name, amount in moves:
            go(
                apply(betting, seat, Move(name=name, amount=amount)),
                steps[names[name], betting.level + amount],
            )

    if behind:
        go(open_round(STRUCTURE, (behind, behind), (1, 1), (False, False), 0), 0)
        assert met == len(grown.vertices)
    else:
        assert not grown.vertices[0].steps


def test_the_shipped_table_is_whole_and_read_as_written() -> None:
    content = shipped()
    assert len(content) < 300_000
    sheets = read(content)
    assert tuple(sheets) == BEHIND
    assert read(written(list(sheets.values()))) == sheets
    with pytest.raises(ValueError, match="size"):
        read(written([*sheets.values(), sheets[0]]))
    for sheet in sheets.values():
        grown = tree(sheet.behind)
        assert sum(sheet.kept) == pytest.approx(1)
        for at, vertex in enumerate(grown.vertices):
            for combo, lamps in enumerate(COMBOS if vertex.steps else ()):
                for rank in RANKS_OF[lamps[vertex.player]]:
                    parts = sheet.bets(at, combo, rank)
                    assert (len(parts), sum(parts)) == (len(vertex.steps), PARTS)
                    assert min(parts) >= 0
    assert [nearest(lives) for lives in (0, 9, 10, 11, 14, 100)] == [0, 9, 9, 12, 16, 40]


def test_the_shipped_table_is_near_to_equilibrium() -> None:
    """In the abstract game, lives a round: what one player gives away on average over both seats."""
    for behind, sheet in table().items():
        known = solution(sheet)
        gaps = exploitability(behind, known.values, known.strategy) / 2
        assert gaps.min() > -1e-9
        assert float((gaps * weights(known.values)).sum()) < 0.01
        assert gaps.max() < 0.02


# --- the solver, against sums made by hand ------------------------------------------------------------------------


def uniform(behind: int) -> Abstract:
    """Every lay and every move as often as any other."""
    grown = tree(behind)
    bets = np.ones((len(grown.vertices), len(COMBOS), 13))
    for vertex in grown.vertices:
        for step in vertex.steps:
            bets[step.to] = 1 / len(vertex.steps)
    return Abstract(lays=np.full((2, len(COMBOS), len(PAIRS)), 0.5), bets=bets)


def some_values() -> Values:
    chance = random.Random("values")
    kept = np.array([chance.random() for _ in range(13)])
    worth = np.array([chance.uniform(-1, 1) for _ in range(13)])
    return Values(kept=kept / kept.sum(), worth=worth, priority=0.3)


def best(behind: int, values: Values, player: int, combo: int) -> float:
    """What a best response wins against uniform play, counted line by line."""
    grown = tree(behind)
    chances = hands(values.kept)
    own, others = chances[COMBOS[combo][player]], chances[COMBOS[combo][1 - player]]
    laid = [0.0] * 13
    theirs = 0.0
    for (first, second), likely in zip(PAIRS, others.tolist(), strict=True):
        laid[first] += likely / 2
        laid[second] += likely / 2
        theirs += likely * (values.worth[first] + values.worth[second]) / 2
    had = values.priority if player == 0 else -values.priority

    def value(at: int, rank: int, reach: float) -> float:
        vertex = grown.vertices[at]
        if vertex.folded is not None:
            won = 1 + vertex.level - vertex.owed + values.priority
            return reach * (won if vertex.folded != player else -won)
        if not vertex.steps:
            # Uniform play does not tell ranks apart, so that all come here alike.
            stake = 1 + vertex.level + values.priority
            ends = [had if other == rank else -stake if beaten(rank, other) else stake for other in range(13)]
            return reach * sum([likely * end for likely, end in zip(laid, ends, strict=True)])
        if vertex.player == player:
            return max([value(step.to, rank, reach) for step in vertex.steps])
        return sum([value(step.to, rank, reach / len(vertex.steps)) for step in vertex.steps])

    worth = [value(0, rank, 1.0) for rank in range(13)]
    choices = [max(worth[first] + values.worth[second], worth[second] + values.worth[first]) for first, second in PAIRS]
    return float(own @ np.array(choices)) - theirs


@pytest.mark.parametrize("behind", [0, 1, 3, 6])
def test_exploitability_is_what_a_best_response_wins(behind: int) -> None:
    values = some_values()
    found = exploitability(behind, values, uniform(behind))
    counted = [best(behind, values, 0, combo) + best(behind, values, 1, combo) for combo in range(len(COMBOS))]
    assert found == pytest.approx(np.array(counted))


@pytest.mark.parametrize("behind", [0, 2, 5])
def test_solving_comes_near_to_equilibrium(behind: int) -> None:
    values = some_values()
    before = exploitability(behind, values, uniform(behind)).max()
    solved = solve(behind, values, 200)
    assert exploitability(behind, values, solved).max() < 0.04 < before
    came = outcome(behind, values, solved)
    assert came.kept.sum() == pytest.approx(1)
    assert came.lost.sum() == pytest.approx(1)
    assert float(values.kept @ came.values) == pytest.approx(0)


def test_who_is_known_to_lose_gives_up() -> None:
    """Betting solved in the middle of a round: a king against a three, with both known, is bet and folded to."""
    king, three = [tuple([float(name == rank) for name in ORDER]) for rank in "K3"]
    start = Start(player=0, level=1, owed=0, checked=False, lift=2)
    grown = tree(7, start)
    bets = resolve(7, start, (king, three), 0.0, 100)
    assert {step.level for step in grown.vertices[0].steps if step.name == LIFT} >= {3, 7}
    for at in grown.vertices:
        chosen = [sum(bets[step.to]) for step in at.steps]
        assert not at.steps or sum(chosen) == pytest.approx(13)
    lifted = next(step.to for step in grown.vertices[0].steps if step.level == 3)
    folds, *_ = grown.vertices[lifted].steps
    assert folds.name == FOLD
    assert bets[folds.to, ORDER.index("3")] > 0.99


def test_moves_beyond_the_tree_are_followed() -> None:
    """Every line leads to a vertex with the level and the debt of the real betting, and ranges stay probabilities."""
    for behind, moves, level, owed in (
        (9, (("BET", 5),), 5, 5),
        (9, (("BET", 5), ("RAISE", 1)), 6, 1),
        (9, (("CHECK", 0), ("BET", 7), ("CALL", 0)), 7, 0),
        (11, (("BET", 3), ("CALL", 0), ("BET", 1)), 4, 1),
        (500, (("BET", 123), ("RAISE", 77)), 200, 77),
    ):
        line = follow(behind, 4, moves, 10)
        vertex = line.grown.vertices[line.vertex]
        assert (vertex.level, vertex.owed) == (level, owed)
        assert [sum(line.ranges[player]) for player in (0, 1)] == pytest.approx([1, 1])
        assert sum(line.shares(4, 7)) == pytest.approx(1)
