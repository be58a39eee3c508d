"""Who shows first, who may muck, and who is not asked (SHOW-1 to SHOW-3)."""

from __future__ import annotations

import pytest

from dealerless.games.game import Act, Action, Finished, Move, Muck, Reveal, Show
from dealerless.games.hex import HEX, HexHand, HexTerms
from dealerless.games.pots import pots
from dealerless.games.showdown import may_muck, next_to_show, showing_order
from tests.examples.lines import NAMES

BOARD = {0: 9, 1: 5, 2: 15, 3: 9, 4: 12}


@pytest.mark.parametrize(
    ("aggressor", "folded", "left", "order"),
    [
        (None, (False, False, False), 1, (1, 2, 0)),
        (0, (False, False, False), 1, (0, 1, 2)),
        (2, (False, True, False), 1, (2, 0)),
        (None, (False, True, False), 1, (2, 0)),
        (1, (False, True, False), 0, (0, 2)),
    ],
)
def test_showing_order(aggressor: int | None, folded: tuple[bool, ...], left: int, order: tuple[int, ...]) -> None:
    """SHOW-1: the last to lift the level, else the first still in from the button's left; then clockwise."""
    assert showing_order(aggressor, folded, left) == order


@pytest.mark.parametrize(
    ("rule", "place", "stacks", "folded", "allowed"),
    [
        ("all", 1, (5, 5), (False, False), False),
        ("muck", 0, (5, 5), (False, False), False),
        ("muck", 1, (5, 5), (False, False), True),
        ("muck", 1, (0, 0), (False, False), False),
        ("muck", 1, (5, 5, 0), (False, False, False), False),
        ("muck", 1, (5, 5, 0), (False, False, True), True),
    ],
)
def test_may_muck(rule: str, place: int, stacks: tuple[int, ...], folded: tuple[bool, ...], allowed: bool) -> None:
    """SHOW-2: never the first, and nobody when a seat still in is all-in."""
    assert may_muck(rule, place, stacks, folded) is allowed


def test_who_is_asked() -> None:
    """SHOW-3: a seat alone in all its pots is not asked; a muck leaves what nobody else stands for."""
    unpaid = pots((10, 10, 10), (False, False, False))
    assert next_to_show(unpaid, (0, 1, 2), (), ()) == 0
    assert next_to_show(unpaid, (0, 1, 2), (0,), ()) == 1
    assert next_to_show(unpaid, (0, 1, 2), (0,), (1,)) == 2
    assert next_to_show(unpaid, (0, 1, 2), (0,), (1, 2)) is None
    assert next_to_show(unpaid, (0, 1, 2), (0, 1, 2), ()) is None
    assert next_to_show(pots((10, 10, 10), (True, False, True)), (1,), (), ()) is None
    # Seat 2 alone has put in more than seat 1, against the dead chips of seat 0; it still shows for the main
    # pot.
    unpaid = pots((10, 5, 10), (True, False, False))
    assert [pot.seats for pot in unpaid] == [(1, 2), (2,)]
    assert next_to_show(unpaid, (2, 1), (), ()) == 2
    assert next_to_show(unpaid, (1, 2), (1,), (2,)) is None


def line(letters: str, *, show: str, depth: int = 5) -> HexHand:
    terms = HexTerms(bet=10, depth=depth, show=show)
    hand = HEX.start(terms, HEX.opening_stacks(terms, 2), 0, (0, 1))
    hand = HEX.dealt(HEX.dealt(hand, BOARD), {})
    for letter in letters:
        demand = HEX.demand(hand)
        assert isinstance(demand, Act)
        option = next(option for option in HEX.legal(hand) if option.name == NAMES[letter])
        hand = HEX.apply(hand, demand.seat, Move(name=option.name, amount=option.least))
    return hand


# moves (seat 1 opens), stack in bets, first to show, whether the second may muck under the rule "muck"
FIRST = [
    ("kk", 5, 1, True),
    ("bckk", 5, 1, True),
    ("kbckk", 5, 0, True),
    ("brckk", 5, 0, True),
    ("brrckk", 5, 1, True),
    ("aa", 5, 1, False),
    ("baa", 5, 0, False),
    ("bc", 1, 1, False),
    ("ba", 1, 1, False),
    ("kba", 1, 0, False),
    ("brrrrc", 5, 1, False),
    ("brrrra", 5, 1, False),
]


@pytest.mark.parametrize(("letters", "depth", "first", "muck"), FIRST)
@pytest.mark.parametrize("show", ["all", "muck"])
def test_hex_showdown_order(letters: str, depth: int, first: int, muck: bool, show: str) -> None:
    """SHOW-1, SHOW-2: the last to lift, not by an ALLIN that levels; else the opener. All-in, both show."""
    hand = line(letters, show=show, depth=depth)
    slots = ((5, 6), (7, 8))
    assert HEX.demand(hand) == Show(seat=first, slots=slots[first], may_muck=False)
    hand = HEX.apply(hand, first, Reveal(cards=(1, 2)))
    assert hand.shown == (first,)
    second = 1 - first
    assert HEX.demand(hand) == Show(seat=second, slots=slots[second], may_muck=muck and show == "muck")


def test_a_muck_gives_the_pot_to_the_shower() -> None:
    """SHOW-3: also when the mucked hand was the stronger, which nobody sees."""
    hand = HEX.apply(line("kk", show="muck"), 1, Reveal(cards=(1, 2)))
    assert HEX.check(hand, 0, Muck()) is None
    hand = HEX.apply(hand, 0, Muck())
    demand = HEX.demand(hand)
    assert isinstance(demand, Finished)
    assert (demand.stacks, demand.result, demand.pots[0].winners) == ((50, 70), "showdown", (1,))
    assert (hand.shown, hand.cards[5:7]) == ((1,), (None, None))


@pytest.mark.parametrize("show", ["all", "muck"])
def test_a_muck_that_is_not_allowed(show: str) -> None:
    """SHOW-2: the first shows, and under "all" so does the second."""
    hand = line("kk", show=show)
    seats = (1,) if show == "muck" else (1, 0)
    for seat in seats:
        refusal = HEX.check(hand, seat, Muck())
        assert refusal is not None
        assert (refusal.code, refusal.clause) == ("show.may-not-muck", "SHOW-2")
        hand = HEX.apply(hand, seat, Reveal(cards=(1, 2)))


def test_nobody_shows_before_or_after_a_showdown() -> None:
    """SHOW-2, HEX-9: no cards during betting, none after a fold, no moves during the showdown."""
    refused: tuple[tuple[str, Action], ...] = (("k", Reveal(cards=(1, 2))), ("bf", Reveal(cards=(1, 2))), ("k", Muck()))
    for letters, action in refused:
        refusal = HEX.check(line(letters, show="muck"), 0, action)
        assert refusal is not None
        assert refusal.code == "turn.wrong-kind"
    hand = line("kk", show="all")
    attempts: tuple[tuple[int, Action, str], ...] = (
        (1, Move(name="CHECK", amount=0), "turn.wrong-kind"),
        (0, Reveal(cards=(1, 2)), "turn.not-yours"),
        (1, Reveal(cards=(1,)), "cards.count"),
        (1, Reveal(cards=(1, 16)), "cards.not-hex-digits"),
        (1, Reveal(cards=(1, True)), "cards.not-hex-digits"),
    )
    for seat, action, code in attempts:
        refusal = HEX.check(hand, seat, action)
        assert refusal is not None
        assert refusal.code == code
