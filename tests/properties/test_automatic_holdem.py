"""The simple strategy at Hold'em: only legal moves, every kind of them, and more with strong hands."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

import pytest

from dealerless.games.cards import DECK, read_cards
from dealerless.games.game import Act, Finished, Option, Reveal, Show
from dealerless.games.holdem import HOLDEM, Holdem
from dealerless.games.holdemhand import HoldemHand
from dealerless.players.automatic import SIMPLE
from dealerless.players.holdemstrength import before_the_flop, holdem_strength
from dealerless.players.player import open_board
from tests.holdem import met, opened, step, terms


@dataclass
class View:
    """What a seat sees, as far as this player looks at it."""

    hand: HoldemHand
    hole: tuple[int, ...]
    seat: int = 0
    game: Holdem = HOLDEM

    @property
    def legal(self) -> tuple[Option, ...]:
        return HOLDEM.legal(self.hand)

    @property
    def board(self) -> tuple[int, ...]:
        return open_board(HOLDEM, self.hand)


def play(chance: random.Random, structure: str, seats: int) -> tuple[HoldemHand, list[tuple[str, int]]]:
    """Return a finished hand and its moves, each with how strong the mover thought it was."""
    deck = list(DECK)
    chance.shuffle(deck)
    stacks = [chance.randrange(1, 120) for _ in range(seats)]
    hand = met(opened(terms(structure), stacks, button=chance.randrange(seats)), deck)
    moves = []
    while not isinstance(due := HOLDEM.demand(hand), Finished):
        assert isinstance(due, Act | Show)
        own = tuple(deck[slot] for slot in HOLDEM.hole_slots(hand, due.seat))
        if isinstance(due, Act):
            view = View(hand, own, due.seat)
            move, _ = SIMPLE.decide(view, chance)  # type: ignore[arg-type]
            moves.append((move.name, holdem_strength(view)))  # type: ignore[arg-type]
            # `step` fails if the move is not legal.
            hand = met(step(hand, due.seat, move), deck)
        else:
            hand = met(step(hand, due.seat, Reveal(cards=own)), deck)
    return hand, moves


@pytest.mark.parametrize("structure", ["no-limit", "limit"])
def test_hands_have_everything(structure: str) -> None:
    """BET-1 to BET-7: every move, folds, showdowns, side pots; strong hands go on and weak ones give up."""
    chance = random.Random(f"automatic {structure}")
    names: Counter[str] = Counter()
    results: Counter[str] = Counter()
    folded, raised = [], []
    for number in range(70):
        hand, moves = play(chance, structure, 2 + number % 5)
        names.update(name for name, _ in moves)
        folded += [strength for name, strength in moves if name == "FOLD"]
        raised += [strength for name, strength in moves if name in ("BET", "RAISE")]
        due = hand.due
        assert isinstance(due, Finished)
        results[due.result] += 1
        results["side pots"] += len(due.pots) > 1
    assert min(names[name] for name in ("CHECK", "BET", "CALL", "RAISE", "FOLD")) >= 10, names
    assert results["fold"] >= 10
    assert results["showdown"] >= 10
    assert results["side pots"] >= 3
    assert sum(raised) / len(raised) > sum(folded) / len(folded) + 100


def test_pairs_before_the_flop_in_their_order() -> None:
    order = ["H7 S2", "HT S6", "C2 D2", "SQ ST", "HA S9", "D9 C9", "SA SK", "SA HA"]
    shares = [before_the_flop(read_cards(pair)) for pair in order]
    assert shares == sorted(shares)
    assert shares[0] < 0.15
    assert shares[-1] > 0.98


def seen(board: str, hole: str, seats: int = 2) -> int:
    """How strong these cards are on this board with that many seats in."""
    hand = opened(terms(), (100,) * seats)
    common = read_cards(board)
    cards = list(hand.cards)
    for slot, card in zip(HOLDEM.board_slots(hand), common, strict=False):
        cards[slot] = card
    view = View(hand._replace(cards=tuple(cards)), read_cards(hole))
    return holdem_strength(view)  # type: ignore[arg-type]


def test_strength_on_a_board() -> None:
    """HOLDEM-2: the best hand beats all, the board alone splits with all; more opponents make any hand weaker."""
    assert seen("SA SK SQ SJ ST", "H2 D7") == 500
    assert seen("SA SK SQ H2 D7", "SJ ST") == 1000
    assert seen("SA SK SQ H2 D7", "C3 D4") < 100
    assert seen("H9 C4 D2", "SA HA", seats=6) < seen("H9 C4 D2", "SA HA", seats=3) < seen("H9 C4 D2", "SA HA") > 900
