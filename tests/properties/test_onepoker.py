"""One Poker by the rules alone: all pairs of ranks, all moves and sizes, random matches, and seats that go (ONE)."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from dealerless.errors import CODES, UsageError, Violation
from dealerless.games.cards import DECK, RANKS, card_text, rank_of
from dealerless.games.game import (
    Act,
    Action,
    Deal,
    Discard,
    DrawLot,
    Drawn,
    Finished,
    Laid,
    Lay,
    Light,
    Lit,
    Move,
    Muck,
    Reveal,
    Show,
)
from dealerless.games.onepoker import MAX_LIVES, ONEPOKER
from dealerless.games.onepokerhand import CLASSES, HALF, MEMBERS, OneHand, OneTerms, beats, class_of
from tests.one import Table, is_up, opened_on

# The row's card against the column's: W wins, L loses, T ties. Written by hand, rank by rank.
TABLE = """
    2 3 4 5 6 7 8 9 T J Q K A
  2 T L L L L L L L L L L L W
  3 W T L L L L L L L L L L L
  4 W W T L L L L L L L L L L
  5 W W W T L L L L L L L L L
  6 W W W W T L L L L L L L L
  7 W W W W W T L L L L L L L
  8 W W W W W W T L L L L L L
  9 W W W W W W W T L L L L L
  T W W W W W W W W T L L L L
  J W W W W W W W W W T L L L
  Q W W W W W W W W W W T L L
  K W W W W W W W W W W W T L
  A L W W W W W W W W W W W T
"""
COLUMNS, *ROWS = [line.split() for line in TABLE.split("\n") if line.strip()]
WANTED = {(row[0], column): said for row in ROWS for column, said in zip(COLUMNS, row[1:], strict=True)}
AFTER = {"W": (11, 9), "L": (9, 11), "T": (10, 10)}


def test_every_pair_of_ranks() -> None:
    """ONE-9: as the table has it, in all suits."""
    assert len(WANTED) == 169
    for one in DECK:
        for other in DECK:
            said = WANTED[RANKS[rank_of(one)], RANKS[rank_of(other)]]
            assert (beats(one, other), beats(other, one)) == (said == "W", said == "L"), (one, other)


@pytest.mark.parametrize("rank", RANKS)
def test_every_pair_of_ranks_at_the_table(rank: str) -> None:
    """ONE-6, ONE-9: what lives and priority are after it, whoever had priority."""
    for other in RANKS:
        said = WANTED[rank, other]
        for priority in (0, 1):
            end = opened_on(f"S{rank}", f"H{other}", priority=priority).end
            assert end.stacks == AFTER[said], (rank, other)
            assert end.button == {"W": 0, "L": 1, "T": priority}[said]
            (pot,) = end.pots
            assert set(pot.winners) == {"W": {0}, "L": {1}, "T": {0, 1}}[said]


def test_the_order_has_one_circle() -> None:
    """ONE-9: of any two ranks one beats the other, and the only one that a deuce beats is the ace."""
    assert all(row.count("W") + row.count("L") == 12 for row in ROWS)
    assert [other for other in RANKS if WANTED["2", other] == "W"] == ["A"]
    assert WANTED["A", "3"] == WANTED["3", "2"] == WANTED["2", "A"] == "W"


def test_the_classes() -> None:
    """ONE-4, DECK-8: 24 cards are down and 28 up, and the proofs are about just these."""
    assert [name for name, _ in MEMBERS] == list(CLASSES) == ["DOWN", "UP"]
    for number, (_, members) in enumerate(MEMBERS):
        assert members == tuple(sorted(set(members)))
        assert {card for card in DECK if is_up(card_text(card)) == number} == set(members)
    assert [len(members) for _, members in MEMBERS] == [24, 28]


# --- moves ---------------------------------------------------------------------------------------------------

MOVES = ("CHECK", "BET", "CALL", "RAISE", "FOLD")
NAMES = (*MOVES, "ALLIN", "check", "SHOW", "")


def laid(lives: tuple[int, int], priority: int) -> Table:
    return Table(lives, priority).deal(("S3", "HK"), ("D4", "CQ")).lay("S3", "D4")


def allowed(lives: tuple[int, int], put: tuple[int, int], seat: int) -> set[tuple[str, int]]:
    """ONE-7, as it stands there, for a seat that is to act."""
    owed = put[1 - seat] - put[seat]
    most = min(lives[seat] - owed, lives[1 - seat])
    lifts = {("RAISE" if owed else "BET", n) for n in range(1, most + 1)}
    return lifts | ({("CALL", 0), ("FOLD", 0)} if owed else {("CHECK", 0)})


def reached(table: Table) -> Iterator[OneHand]:
    """Every state of the first moves of a betting, by whole size: none, each first one, and a raise after that."""
    yield table.hand
    due = table.hand.due
    if not isinstance(due, Act):
        return
    for option in ONEPOKER.legal(table.hand):
        for amount in sorted({option.least, option.most, (option.least + option.most) // 2}):
            yield ONEPOKER.apply(table.hand, due.seat, Move(name=option.name, amount=amount))


@pytest.mark.parametrize("one", range(1, 11))
def test_every_move_of_every_size_at_every_pair_of_lives(one: int) -> None:
    """ONE-7, ONE-8: names of moves and of none, sizes from -2 to 12 and odd ones; just the listed ones are legal."""
    for other in range(1, 11):
        for priority in (0, 1):
            for hand in reached(laid((one, other), priority)):
                due = hand.due
                if not isinstance(due, Act):
                    assert ONEPOKER.legal(hand) == ()
                    assert hand.betting.to_act is None or 0 in hand.stacks
                    assert isinstance(due, Show)
                    continue
                lives = (hand.stacks[0], hand.stacks[1])
                wanted = allowed(lives, (hand.totals[0], hand.totals[1]), due.seat)
                listed = {
                    (option.name, n) for option in ONEPOKER.legal(hand) for n in range(option.least, option.most + 1)
                }
                assert listed == wanted
                for name in NAMES:
                    for amount in (*range(-2, 13), 2**53, -(2**63)):
                        move = Move(name=name, amount=amount)
                        refusal = ONEPOKER.check(hand, due.seat, move)
                        assert (refusal is None) == ((name, amount) in wanted), (hand, move)
                        assert refusal is None or refusal.code in CODES
                        refusal = ONEPOKER.check(hand, 1 - due.seat, move)
                        assert refusal is not None
                        assert refusal.code == "turn.not-yours"


def test_which_code_a_move_is_refused_with() -> None:
    """ONE-7: what is told of a move that is not legal."""
    hand = laid((5, 5), 0).hand
    bet = ONEPOKER.apply(hand, 0, Move(name="BET", amount=2))
    for table, name, amount, code in (
        (hand, "CALL", 0, "bet.nothing-owed"),
        (hand, "FOLD", 0, "bet.nothing-owed"),
        (hand, "RAISE", 1, "bet.nothing-owed"),
        (hand, "CHECK", 1, "bet.wrong-amount"),
        (hand, "BET", 5, ("bet.over-stack", 4)),
        (bet, "CHECK", 0, "bet.chips-owed"),
        (bet, "BET", 1, "bet.chips-owed"),
        (bet, "CALL", 2, "bet.wrong-amount"),
        (bet, "RAISE", 3, ("bet.over-stack", 2)),
        (bet, "FOLD", 1, "bet.wrong-amount"),
        (bet, "ALLIN", 4, "bet.not-a-move"),
    ):
        refusal = ONEPOKER.check(table, table.betting.to_act or 0, Move(name=name, amount=amount))
        assert refusal is not None
        # What is due is an amount as the move has it, by how many it goes up, and not what the mover has.
        assert code in (refusal.code, (refusal.code, refusal.expected)), (name, amount)


@pytest.mark.parametrize("lives", [(0, 0), (0, 3), (3, 0)])
def test_without_a_life_there_is_no_round(lives: tuple[int, int]) -> None:
    """ONE-10: it cannot be begun, and no terms have such lives (ONE-1)."""
    with pytest.raises(UsageError):
        ONEPOKER.start(OneTerms(lives=(3, 3)), lives, 0, (0, 1))
    with pytest.raises(Violation) as refusal:
        ONEPOKER.read_terms(lives, 2)
    assert refusal.value.code == "terms.out-of-range"


@pytest.mark.parametrize(
    ("fields", "seats", "code"),
    [
        ((10, 10), 1, "terms.seats"),
        ((10, 10), 3, "terms.seats"),
        ((10,), 2, "terms.malformed"),
        ((10, 10, 10), 2, "terms.malformed"),
        ((10, "10"), 2, "terms.malformed"),
        ((10, True), 2, "terms.malformed"),
        ((10, -1), 2, "terms.out-of-range"),
        ((MAX_LIVES + 1, 1), 2, "terms.out-of-range"),
        ((2**64, 1), 2, "terms.out-of-range"),
    ],
)
def test_terms_that_nobody_can_play_by(fields: tuple[object, ...], seats: int, code: str) -> None:
    """ONE-1."""
    with pytest.raises(Violation) as refusal:
        ONEPOKER.read_terms(fields, seats)
    assert refusal.value.code == code


def test_terms_of_unequal_lives() -> None:
    """ONE-1: what each begins with, antes not yet in."""
    terms = ONEPOKER.read_terms((1, MAX_LIVES), 2)
    assert terms.fields() == (1, MAX_LIVES)
    assert ONEPOKER.opening_stacks(terms, 2) == (1, MAX_LIVES)


# --- what is not owed ------------------------------------------------------------------------------------------

ACTIONS: tuple[Action, ...] = (
    Move(name="CHECK", amount=0),
    Discard(slots=(0,)),
    Drawn(),
    Lit(classes=(0, 1)),
    Laid(),
    Reveal(cards=(0,)),
    Muck(),
)
OWED = {Act: Move, DrawLot: Drawn, Light: Lit, Lay: Laid, Show: Reveal}


def moments(seed: int, lives: tuple[int, int] = (3, 4), rounds: int = 4, *, betting: bool = True) -> Iterator[OneHand]:
    """Every state of a random match of so many rounds at most, also the ends of its rounds; or only of checks."""
    chance = random.Random(seed)
    shoe = list(ONEPOKER.deck())
    chance.shuffle(shoe)
    held: list[list[int]] = [[], []]
    down = [0, 0]
    hand = ONEPOKER.start(OneTerms(lives=lives), lives, 0, (0, 1))
    while True:
        yield hand
        due = hand.due
        if isinstance(due, Finished):
            rounds -= 1
            if not rounds or 0 in due.stacks:
                return
            assert due.button is not None
            hand = ONEPOKER.start(hand.terms, due.stacks, due.button, (0, 1), hand)
        elif isinstance(due, DrawLot):
            hand = ONEPOKER.apply(hand, chance.randrange(2), Drawn())
        elif isinstance(due, Deal):
            for seat, slots in due.hands:
                held[seat] += [shoe[slot] for slot in slots]
            hand = ONEPOKER.dealt(hand, {})
        elif isinstance(due, Light):
            classes = tuple([class_of(card) for card in held[due.seat][-due.count :]])
            hand = ONEPOKER.apply(hand, due.seat, Lit(classes=classes))
        elif isinstance(due, Lay):
            down[due.seat] = held[due.seat].pop(chance.randrange(2))
            hand = ONEPOKER.apply(hand, due.seat, Laid())
        elif isinstance(due, Act):
            option = chance.choice(ONEPOKER.legal(hand)[: None if betting else 1])
            amount = chance.randint(option.least, option.most)
            hand = ONEPOKER.apply(hand, due.seat, Move(name=option.name, amount=amount))
        else:
            assert isinstance(due, Show)
            hand = ONEPOKER.apply(hand, due.seat, Reveal(cards=(down[due.seat],)))


@pytest.mark.parametrize("seed", range(40))
def test_at_every_moment_only_what_is_owed(seed: int) -> None:
    """CHAIN-1, ONE-5: no other action, and not by the other seat; and lives are conserved."""
    for hand in moments(seed):
        due = hand.due
        over = isinstance(due, Finished)
        lives = due.stacks if isinstance(due, Finished) else (*hand.stacks, *hand.totals)
        assert sum(lives) == 7
        assert min(lives) >= 0
        if over:
            with pytest.raises(UsageError):
                ONEPOKER.dealt(hand, {})
        if not isinstance(due, Act):
            assert ONEPOKER.legal(hand) == ()
        for action in ACTIONS:
            if OWED.get(type(due)) is type(action):
                continue
            for seat in (0, 1):
                refusal = ONEPOKER.check(hand, seat, action)
                assert refusal is not None, (due, action)
                may_not = isinstance(due, Show) and isinstance(action, Muck)
                assert refusal.code in (("show.may-not-muck", "turn.not-yours") if may_not else ("turn.wrong-kind",))
        assert ONEPOKER.release(hand, 0) == ()
        assert ONEPOKER.board_slots(hand) == ()


@pytest.mark.parametrize("seed", range(40))
def test_whoever_goes_at_any_moment_loses_what_it_has_in_the_pot(seed: int) -> None:
    """VERDICT-4, ONE-5: the other takes the pot; who folded and has not opened loses a life more, if it has one."""
    for hand in moments(seed):
        if isinstance(hand.due, Finished):
            assert ONEPOKER.forfeit(hand, 0) is ONEPOKER.forfeit(hand, 1) is hand
            continue
        for seat in (0, 1):
            due = ONEPOKER.forfeit(hand, seat).due
            assert isinstance(due, Finished)
            more = int(hand.folded[seat] and hand.cards[seat] is None and hand.stacks[seat] > 0)
            assert due.stacks[seat] == hand.stacks[seat] - more
            assert sum(due.stacks) == 7
            assert (due.result, due.button) == ("forfeit", 1 - seat)


def test_a_card_that_no_lamp_shows_cannot_open() -> None:
    """ONE-4: what the proofs make impossible is refused by the rules as well."""
    table = Table((10, 10)).deal(("S2", "S3"), ("SA", "SK")).lay("S2", "SA").play("0k 1k")
    for cards, code in (
        ((51,), "cards.class"),
        ((), "cards.count"),
        ((0, 1), "cards.count"),
        ((52,), "cards.not-a-card"),
    ):
        assert table.refused(0, Reveal(cards=cards)).code == code
    assert table.refused(1, Reveal(cards=(51,))).code == "turn.not-yours"


def test_lots_and_lamps_that_nobody_can_have() -> None:
    """ONE-4, ONE-6: also to who calls the rules without a protocol before them."""
    seen = set()
    for hand in moments(1):
        due = hand.due
        seen.add(type(due))
        if isinstance(due, DrawLot):
            assert [seat for seat in (-1, 0, 1, 2) if ONEPOKER.check(hand, seat, Drawn()) is None] == [0, 1]
        if isinstance(due, Light):
            good = Lit(classes=(1,) * due.count)
            assert ONEPOKER.check(hand, due.seat, good) is None
            refusal = ONEPOKER.check(hand, 1 - due.seat, good)
            assert refusal is not None
            assert refusal.code == "turn.not-yours"
            for classes, code in (
                ((), "deck.wrong-size"),
                ((0,) * (due.count + 1), "deck.wrong-size"),
                ((7,) * due.count, "cards.class"),
                ((-1,) * due.count, "cards.class"),
                ((True,) * due.count, "cards.class"),
                (("UP",) * due.count, "cards.class"),
            ):
                refusal = ONEPOKER.check(hand, due.seat, Lit(classes=classes))  # type: ignore[arg-type]
                assert refusal is not None, classes
                assert refusal.code == code
    assert {DrawLot, Light} <= seen


def test_ends_of_matches() -> None:
    """ONE-10: a fold never takes the last life, and a match that ends by lives ends with all of them on one side."""
    ends = [0, 0]
    for seed in range(300):
        for hand in moments(seed, rounds=60):
            due = hand.due
            if not isinstance(due, Finished):
                continue
            if due.result == "fold":
                assert min(due.stacks) >= 1
            if 0 in due.stacks:
                assert sorted(due.stacks) == [0, 7]
                ends[due.stacks.index(7)] += 1
                assert not all(ONEPOKER.can_be_dealt_in(hand.terms, stack) for stack in due.stacks)
    assert min(ends) > 50


def test_a_long_match_needs_a_new_shoe_every_39_rounds() -> None:
    """ONE-2: after 4 + 2 * 37 cards; in the next shoe two cards are still held, so that it lasts for 39 rounds."""
    seen = []
    rounds = 0
    for hand in moments(5, lives=(500, 500), rounds=130, betting=False):
        if isinstance(hand.due, Deal):
            rounds += 1
            slots = [slot for _, dealt in hand.due.hands for slot in dealt]
            assert max(slots) < HALF
            if 0 in slots:
                seen.append(rounds)
                assert hand.played == ()
            assert slots == list(range(slots[0], slots[0] + len(slots)))
    assert rounds == 130
    assert seen == [1, 39, 78, 117]
