"""Hands of hex poker with exact results: chips after each move, what is legal, how it ends (HEX-2 to -13)."""

from __future__ import annotations

import pytest

from dealerless.games.betting import open_round
from dealerless.games.game import Act, Finished, Move, Reveal, Show
from dealerless.games.hex import HEX, HexHand, HexTerms
from dealerless.games.structure import Structure
from tests.examples.lines import NAMES, options, play, refused

BET = 10


def opened(depth: int, button: int = 0) -> HexHand:
    terms = HexTerms(bet=BET, depth=depth, show="all")
    hand = HEX.start(terms, HEX.opening_stacks(terms, 2), button, (0, 1))
    hand = HEX.dealt(hand, {0: 9, 1: 5, 2: 15, 3: 9, 4: 12})
    return HEX.dealt(hand, {})


def moved(hand: HexHand, letter: str) -> HexHand:
    demand = HEX.demand(hand)
    assert isinstance(demand, Act)
    option = next(option for option in HEX.legal(hand) if option.name == NAMES[letter])
    move = Move(name=option.name, amount=option.least)
    assert HEX.check(hand, demand.seat, move) is None
    return HEX.apply(hand, demand.seat, move)


def line(depth: int, letters: str) -> HexHand:
    hand = opened(depth)
    for letter in letters:
        hand = moved(hand, letter)
    return hand


def chips(hand: HexHand) -> str:
    return f"{hand.stacks[0]}/{hand.stacks[1]}/{sum(hand.totals)}"


def legal(hand: HexHand) -> str:
    demand = HEX.demand(hand)
    if not isinstance(demand, Act):
        return "over"
    return f"{demand.seat}: {' '.join(option.name for option in HEX.legal(hand))}"


def refusal(hand: HexHand, name: str, amount: int) -> tuple[str, str]:
    demand = HEX.demand(hand)
    assert isinstance(demand, Act)
    violation = HEX.check(hand, demand.seat, Move(name=name, amount=amount))
    assert violation is not None
    return violation.code, violation.clause


def ended(hand: HexHand, *holes: tuple[int, int]) -> Finished:
    """The end of the hand, after a showdown of seat 0's and seat 1's hole cards if there is one."""
    demand = HEX.demand(hand)
    while isinstance(demand, Show):
        reveal = Reveal(cards=holes[demand.seat])
        assert HEX.check(hand, demand.seat, reveal) is None
        hand = HEX.apply(hand, demand.seat, reveal)
        demand = HEX.demand(hand)
    assert isinstance(demand, Finished)
    return demand


# depth, moves from the opening, stacks and pot, who is to act and what is legal
POSITIONS = [
    (5, "", "50/50/20", "1: CHECK BET ALLIN"),
    (5, "k", "50/50/20", "0: CHECK BET ALLIN"),
    (5, "kk", "50/50/20", "over"),
    (5, "b", "50/40/30", "0: CALL RAISE ALLIN FOLD"),
    (5, "bc", "40/40/40", "1: CHECK BET ALLIN"),
    (5, "bck", "40/40/40", "0: CHECK BET ALLIN"),
    (5, "bckk", "40/40/40", "over"),
    (5, "br", "30/40/50", "1: CALL RAISE ALLIN FOLD"),
    (5, "brr", "30/20/70", "0: CALL RAISE ALLIN FOLD"),
    (5, "brrr", "10/20/90", "1: CALL RAISE ALLIN FOLD"),
    (5, "brrrc", "10/10/100", "0: CHECK BET ALLIN"),
    (5, "brrrr", "10/0/110", "0: CALL ALLIN FOLD"),
    (5, "brrrrc", "0/0/120", "over"),
    (5, "brrrra", "0/0/120", "over"),
    (1, "b", "10/0/30", "0: CALL ALLIN FOLD"),
    (1, "bc", "0/0/40", "over"),
    (1, "ba", "0/0/40", "over"),
    (1, "a", "10/0/30", "0: ALLIN FOLD"),
    (2, "b", "20/10/30", "0: CALL RAISE ALLIN FOLD"),
    (2, "br", "0/10/50", "1: CALL ALLIN FOLD"),
    (2, "brc", "0/0/60", "over"),
    (3, "kb", "20/30/30", "1: CALL RAISE ALLIN FOLD"),
    (5, "ba", "0/40/80", "1: ALLIN FOLD"),
    (5, "baa", "0/0/120", "over"),
]


@pytest.mark.parametrize(("depth", "letters", "after", "next_"), POSITIONS)
def test_position(depth: int, letters: str, after: str, next_: str) -> None:
    """HEX-6, HEX-7, HEX-8: seat 1 opens hand 1."""
    hand = line(depth, letters)
    assert (chips(hand), legal(hand)) == (after, next_)


# depth, moves, the move, its amount, code, clause
REFUSALS = [
    (3, "k", "FOLD", 0, "bet.nothing-owed", "HEX-6"),
    (3, "", "CALL", 10, "bet.nothing-owed", "HEX-6"),
    (3, "", "RAISE", 20, "bet.nothing-owed", "HEX-6"),
    (3, "bc", "FOLD", 0, "bet.nothing-owed", "HEX-6"),
    (3, "b", "CHECK", 0, "bet.chips-owed", "HEX-6"),
    (3, "b", "BET", 10, "bet.chips-owed", "HEX-6"),
    (5, "ba", "CHECK", 0, "bet.chips-owed", "HEX-6"),
    (1, "b", "RAISE", 20, "bet.over-stack", "HEX-6"),
    (2, "br", "RAISE", 20, "bet.over-stack", "HEX-6"),
    (5, "ba", "CALL", 40, "bet.not-allowed", "HEX-7"),
    (5, "ba", "CALL", 10, "bet.not-allowed", "HEX-7"),
    (5, "ba", "RAISE", 20, "bet.not-allowed", "HEX-7"),
    (1, "a", "CALL", 10, "bet.not-allowed", "HEX-7"),
    (5, "", "BET", 9, "bet.wrong-amount", "HEX-6"),
    (5, "", "BET", 50, "bet.wrong-amount", "HEX-6"),
    (5, "", "BET", 51, "bet.over-stack", "HEX-6"),
    (5, "", "BET", -10, "bet.wrong-amount", "HEX-6"),
    (5, "", "BET", -(2**63), "bet.wrong-amount", "HEX-6"),
    (5, "", "BET", 2**64 - 1, "bet.over-stack", "HEX-6"),
    (5, "", "BET", True, "bet.wrong-amount", "HEX-6"),
    (5, "", "CHECK", False, "bet.wrong-amount", "HEX-6"),
    (5, "", "CHECK", 1, "bet.wrong-amount", "HEX-6"),
    (5, "", "ALLIN", 40, "bet.wrong-amount", "HEX-6"),
    (5, "", "ALLIN", 60, "bet.over-stack", "HEX-6"),
    (5, "", "ALLIN", 0, "bet.wrong-amount", "HEX-6"),
    (5, "b", "CALL", 0, "bet.wrong-amount", "HEX-6"),
    (5, "b", "RAISE", 10, "bet.wrong-amount", "HEX-6"),
    (5, "b", "FOLD", 10, "bet.wrong-amount", "HEX-6"),
    (5, "", "check", 0, "bet.not-a-move", "HEX-6"),
    (5, "", "", 0, "bet.not-a-move", "HEX-6"),
]


@pytest.mark.parametrize(("depth", "letters", "name", "amount", "code", "clause"), REFUSALS)
def test_refusal(depth: int, letters: str, name: str, amount: int, code: str, clause: str) -> None:
    """HEX-6, HEX-7: each refusal says the most telling thing, and cites the clause."""
    assert refusal(line(depth, letters), name, amount) == (code, clause)


# depth, moves, seat 0's and seat 1's holes, stacks after the hand, result, winners (board 95f9c)
ENDS = [
    (5, "kk", (14, 4), (10, 4), (70, 50), "showdown", (0,)),
    (5, "kk", (10, 4), (14, 4), (50, 70), "showdown", (1,)),
    (5, "kk", (14, 4), (4, 14), (60, 60), "showdown", (1, 0)),
    (5, "bckk", (14, 4), (10, 4), (80, 40), "showdown", (0,)),
    (5, "brrrrc", (14, 4), (10, 4), (120, 0), "showdown", (0,)),
    (1, "bc", (10, 4), (14, 4), (0, 40), "showdown", (1,)),
    (3, "kbf", (10, 4), (14, 4), (50, 30), "fold", (0,)),
    (5, "baf", (10, 4), (14, 4), (80, 40), "fold", (0,)),
]


@pytest.mark.parametrize(("depth", "letters", "hole0", "hole1", "stacks", "result", "winners"), ENDS)
def test_end(
    depth: int,
    letters: str,
    hole0: tuple[int, int],
    hole1: tuple[int, int],
    stacks: tuple[int, int],
    result: str,
    winners: tuple[int, ...],
) -> None:
    """HEX-9, HEX-13: the pot goes to the stronger seven or the last seat in; equal sevens halve it."""
    hand = line(depth, letters)
    end = ended(hand, hole0, hole1)
    assert (end.stacks, end.result) == (stacks, result)
    [pot] = end.pots
    assert (pot.amount, pot.winners) == (sum(hand.totals), winners)
    assert sum(end.stacks) == 2 * BET * (depth + 1)


def test_only_an_all_in_or_a_fold_answers_an_all_in_at_any_table() -> None:
    """HEX-7, with a third seat that still could answer a raise."""
    structure = Structure(unit=BET, sizes="exact", amounts="put", closes="checks", allin=True)
    b = open_round(structure, (30, 60, 60), (10, 10, 10), (False, False, False), 0)
    b = play(b, "0a")
    assert options(b) == "1: ALLIN 60, FOLD"
    assert [refused(b, text) for text in ("1c", "1r40", "1b")] == [
        "bet.not-allowed",
        "bet.not-allowed",
        "bet.chips-owed",
    ]


def test_openers_alternate() -> None:
    """TABLE-1: the seat without the button opens; the buttons of hands 1, 2, 3 are 0, 1, 0."""
    demands = [HEX.demand(opened(5, button)) for button in (0, 1, 0)]
    assert [demand.seat for demand in demands if isinstance(demand, Act)] == [1, 0, 1]


def test_every_hand_starts_from_the_same_stacks() -> None:
    """HEX-2, HEX-13: a lost stack is whole again in the next hand; only the net remembers it."""
    terms = HexTerms(bet=BET, depth=5, show="all")
    assert not HEX.carries
    assert HEX.opening_stacks(terms, 2) == (60, 60)
    end = ended(line(5, "baa"), (14, 4), (10, 4))
    assert tuple(after - 60 for after in end.stacks) == (60, -60)
    hand = opened(5, button=1)
    assert (hand.stacks, hand.totals) == ((50, 50), (10, 10))


# common cards, hole, report
REPORTS = [
    ("95f9c", "e4", "2,99fec,95f9ce4"),
    ("95f9c", "a4", "2,99fca,95f9ca4"),
    ("4444f", "ff", "4,4444f,4444fff"),
    ("aaa67", "89", "3+,a9876,aaa6789"),
    ("01234", "f4", "3+,43210,01234f4"),
    ("fedcb", "aa", "3+,fedcb,fedcbaa"),
    ("ef012", "34", "3+,43210,ef01234"),
    ("66677", "a8", "32,66677,66677a8"),
    ("6789a", "6a", "3+,a9876,6789a6a"),
    ("12345", "00", "3+,54321,1234500"),
    ("12345", "ff", "3+,54321,12345ff"),
]


@pytest.mark.parametrize(("board", "hole", "report"), REPORTS)
def test_report(board: str, hole: str, report: str) -> None:
    """HEX-12: class, best five, and the seven in dealt order, common then hole."""
    terms = HexTerms(bet=BET, depth=5, show="all")
    hand = HEX.start(terms, (60, 60), 0, (0, 1))
    cards = tuple(int(digit, 16) for digit in hole)
    assert HEX.best(hand, cards) is None
    hand = HEX.dealt(hand, {slot: int(digit, 16) for slot, digit in enumerate(board)})
    assert HEX.best(hand, cards) == report


# common cards, seat 0's and seat 1's holes, winners
SHOWDOWNS = [
    ("95f9c", "e4", "a4", (0,)),
    ("12345", "00", "ff", (1, 0)),
    ("66678", "7a", "9a", (0,)),
    ("aaa67", "89", "bc", (0,)),
    ("4444f", "ff", "00", (1, 0)),
    ("44d44", "00", "4d", (1,)),
]


@pytest.mark.parametrize(("board", "hole0", "hole1", "winners"), SHOWDOWNS)
def test_showdown(board: str, hole0: str, hole1: str, winners: tuple[int, ...]) -> None:
    """HEX-9, HEX-10, HEX-11: ranking by the source's order; a tie splits."""
    terms = HexTerms(bet=BET, depth=5, show="all")
    hand = HEX.start(terms, (60, 60), 0, (0, 1))
    hand = HEX.dealt(hand, {slot: int(digit, 16) for slot, digit in enumerate(board)})
    hand = moved(moved(HEX.dealt(hand, {}), "k"), "k")
    holes = [(int(hole[0], 16), int(hole[1], 16)) for hole in (hole0, hole1)]
    assert ended(hand, *holes).pots[0].winners == winners
