"""Properties of whole Hold'em hands: any play, with seats that leave and closed boards; showing; whole matches."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealerless.errors import CODES
from dealerless.games.game import Act, Deal, Finished, Game, Move, Muck, OpenBoard, Release, Reveal, Show
from dealerless.games.holdem import HOLDEM
from dealerless.games.holdemhand import HoldemHand
from dealerless.games.ranking import strength
from tests.hands import in_hand, shuffled
from tests.holdem import (
    assert_whole,
    chips,
    end,
    forward,
    opened,
    options,
    play,
    run_out,
    terms,
)

PROBES = (*range(-1, 31), 2**53, -(2**63))
NAMES = ("CHECK", "BET", "CALL", "RAISE", "ALLIN", "FOLD", "fold", "")


@st.composite
def starts(draw: st.DrawFn) -> tuple[HoldemHand, tuple[int, ...]]:
    """A hand with its posts in, and the deck that will be dealt."""
    seats = draw(st.integers(2, 9))
    stacks = draw(st.lists(st.integers(0, 12) | st.integers(0, 60), min_size=seats, max_size=seats))
    stacks[0] += 1
    stacks[-1] += 1
    big = draw(st.sampled_from((1, 2, 4)))
    agreed = terms(
        draw(st.sampled_from(("no-limit", "limit"))),
        small=draw(st.integers(1, big)),
        big=big,
        ante=draw(st.sampled_from((0, 0, 1, 5))),
        show=draw(st.sampled_from(("all", "muck"))),
    )
    button = draw(st.sampled_from([seat for seat, stack in enumerate(stacks) if stack]))
    deck = shuffled(draw(st.integers(0, 2**32)))
    return opened(agreed, stacks, button), deck


@given(starts(), st.data())
def test_any_play(start: tuple[HoldemHand, tuple[int, ...]], data: st.DataObject) -> None:
    """TABLE, POT, SHOW, VERDICT-4: chips are conserved at every step, who is out wins nothing, the best hand shown wins
    its pots, and every hand ends; with seats that leave and boards that stay closed, at any moment."""
    game: Game = HOLDEM
    hand, deck = start
    leavers = data.draw(st.integers(0, 3))
    out = {seat: stack for seat, stack in enumerate(hand.stacks) if hand.folded[seat]}
    steps = 0
    while not isinstance(game.demand(hand), Finished):
        before = chips(hand)
        assert game.legal(hand) if isinstance(hand.due, Act) else not game.legal(hand)
        if leavers and data.draw(st.integers(0, 9)) == 0:
            leavers -= 1
            seat = data.draw(st.sampled_from(in_hand(hand)))
            hand = game.forfeit(hand, seat)
            out[seat] = hand.stacks[seat]
        elif isinstance(hand.due, OpenBoard) and not hand.due.fresh and data.draw(st.integers(0, 4)) == 0:
            hand = game.stranded(hand)
            assert not isinstance(hand.due, Act)
        else:
            hand = forward(hand, deck, lambda these: data.draw(st.sampled_from(these)))
        assert_whole(hand, before)
        steps += 1
        assert steps < 1000
    ended = end(hand)
    assert all(ended.stacks[seat] >= hand.stacks[seat] for seat in range(len(hand.stacks)))
    assert all(ended.stacks[seat] == stack for seat, stack in out.items())
    assert {seat for pot in ended.pots for seat in pot.winners} <= set(in_hand(hand))
    assert (ended.result == "showdown") == (len(in_hand(hand)) > 1)
    for pot in ended.pots:
        assert set(pot.winners) <= set(pot.seats)
        claims = [seat for seat in pot.seats if seat in hand.shown]
        if len(claims) > 1:
            board = tuple(deck[slot] for slot in hand.board)
            worth = {seat: strength((*board, *(deck[slot] for slot in hand.hole(seat)))) for seat in claims}
            assert set(pot.winners) == {seat for seat in claims if worth[seat] == max(worth.values())}
    again = game.forfeit(hand, ended.pots[0].winners[0]) if ended.pots else hand
    assert again == hand


@given(starts(), st.data())
def test_listed_is_accepted_and_nothing_else(start: tuple[HoldemHand, tuple[int, ...]], data: st.DataObject) -> None:
    """BET-1, CHAIN-1: `check` is None exactly for the listed moves and amounts, of the seat that is asked."""
    hand, deck = start
    probe = Reveal(cards=(deck[50], deck[51]))
    for _ in range(data.draw(st.integers(0, 12))):
        if not isinstance(hand.due, Finished):
            hand = forward(hand, deck, lambda these: data.draw(st.sampled_from(these)))
    due = hand.due
    asked = due.seat if isinstance(due, Act | Show) else None
    allowed = {
        (option.name, amount) for option in HOLDEM.legal(hand) for amount in range(option.least, option.most + 1)
    }
    for seat in range(len(hand.stacks)):
        for name in NAMES:
            for amount in PROBES:
                refusal = HOLDEM.check(hand, seat, Move(name=name, amount=amount))
                assert (refusal is None) == (seat == asked and (name, amount) in allowed)
                assert refusal is None or (refusal.code in CODES and refusal.clause)
        shows = isinstance(due, Show) and seat == asked
        assert (HOLDEM.check(hand, seat, probe) is None) == shows
        assert (HOLDEM.check(hand, seat, Muck()) is None) == (shows and isinstance(due, Show) and due.may_muck)


@given(starts())
def test_slots(start: tuple[HoldemHand, tuple[int, ...]]) -> None:
    """TABLE-5: one card each from the button's left, twice, then the board; every slot once, none left over."""
    hand, _ = start
    deal = HOLDEM.demand(hand)
    assert isinstance(deal, Deal)
    seats = [seat for seat, _ in deal.hands]
    assert sorted(seats) == in_hand(hand)
    assert seats[-1] == hand.button
    # From the button's left: a step forward each time, once round the table.
    places = [(seat - hand.button - 1) % len(hand.stacks) for seat in seats]
    assert places == sorted(places)
    dealt = len(seats)
    assert [slots for _, slots in deal.hands] == [(place, dealt + place) for place in range(dealt)]
    assert HOLDEM.board_slots(hand) == tuple(range(2 * dealt, 2 * dealt + 5))
    assert len(hand.cards) == 2 * dealt + 5
    for seat in range(len(hand.stacks)):
        assert HOLDEM.hole_slots(hand, seat) == dict(deal.hands).get(seat, ())


@given(starts(), st.data())
def test_releases(start: tuple[HoldemHand, tuple[int, ...]], data: st.DataObject) -> None:
    """DECK-9: a fold or a last chip that leaves two others in releases what is closed of the board, nothing else does;
    who is all-in by its posts is asked right after the deal, from the button's left."""
    hand, deck = start
    silent = [seat for seat in hand.order if not hand.stacks[seat]]
    hand = HOLDEM.dealt(hand, {})
    asked = []
    while isinstance(release := HOLDEM.demand(hand), Release):
        asked.append(release.seat)
        assert release.slots == HOLDEM.board_slots(hand)
        hand = HOLDEM.dealt(hand, {})
    assert asked == (silent if len(hand.order) > 2 else [])
    released = set(asked)
    while not isinstance(HOLDEM.demand(hand), Finished):
        before, demand = hand, HOLDEM.demand(hand)
        hand = forward(hand, deck, lambda these: data.draw(st.sampled_from(these)))
        if isinstance(demand, Act):
            seat = demand.seat
            closed = tuple(slot for slot in HOLDEM.board_slots(hand) if hand.cards[slot] is None)
            others = [other for other in in_hand(hand) if other != seat]
            gone = hand.folded[seat] or not hand.stacks[seat]
            expected = closed if gone and len(others) > 1 else ()
            assert HOLDEM.release(hand, seat) == expected
            if expected:
                released.add(seat)
            assert len(in_hand(before)) - len(in_hand(hand)) in (0, 1)
        # Whoever could still hold the board up has chips to lose, or is one of the last two.
        if isinstance(HOLDEM.demand(hand), OpenBoard) and len(in_hand(hand)) > 2:
            assert all(hand.stacks[seat] or seat in released for seat in hand.order)


# --- showing ------------------------------------------------------------------------------------------------------

CHECKED = "1k 2k 0k"


@pytest.mark.parametrize(
    ("line", "order"),
    [
        (f"0c 1c 2k {CHECKED} {CHECKED} {CHECKED}", (1, 2, 0)),
        (f"0c 1c 2k {CHECKED} {CHECKED} 1k 2b4 0c 1c", (2, 0, 1)),
        # Only the last round that had betting counts.
        (f"0c 1c 2k 1b4 2c 0r10 1c 2c {CHECKED} {CHECKED}", (1, 2, 0)),
        (f"0r10 1c 2c {CHECKED} 1b90 2c 0c", (1, 2, 0)),
        ("0r40 1r78 2r100 0c 1c", (2, 0, 1)),
        ("0c 1f 2k 2k 0k 2k 0k 2k 0k", (2, 0)),
    ],
)
def test_showing_order(line: str, order: tuple[int, ...]) -> None:
    """SHOW-1, SHOW-2: all show, the last to lift first, after the whole board."""
    hand = play(opened(terms(), (100, 100, 100)), line)
    for seat in order:
        assert options(hand) == f"show {seat}"
        assert None not in [hand.cards[slot] for slot in hand.board]
        refusal = HOLDEM.check(hand, seat, Muck())
        assert refusal is not None
        assert (refusal.code, refusal.clause) == ("show.may-not-muck", "SHOW-2")
        hand = play(hand, f"{seat}s")
    assert hand.shown == order


def test_mucking() -> None:
    """SHOW-2, SHOW-3: the first shows, later ones may muck; the last who claims is not asked; none when all-in."""
    hand = play(opened(terms(show="muck"), (100, 100, 100)), f"0c 1c 2k {CHECKED} {CHECKED} {CHECKED}")
    assert options(hand) == "show 1"
    hand = play(hand, "1s 2m")
    assert options(hand) == "show 0 or muck"
    ended = end(play(hand, "0m"))
    assert (ended.stacks, ended.pots[0].seats, ended.pots[0].winners) == ((98, 104, 98), (0, 1, 2), (1,))
    hand = play(opened(terms(show="muck"), (100, 100, 100)), "0r* 1c 2c 0s")
    assert options(hand) == "show 1"


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ((1,), "cards.count"),
        ((1, 2, 3), "cards.count"),
        ((1, 52), "cards.not-a-card"),
        ((-1, 1), "cards.not-a-card"),
        ((True, 3), "cards.not-a-card"),
        ((3, 3), "cards.duplicate"),
        ((3, 6), "cards.duplicate"),
    ],
)
def test_cards_that_cannot_be_shown(cards: tuple[int, ...], code: str) -> None:
    """HOLDEM-1: two cards of the deck that are not open already; slot 6 is on the board."""
    hand = play(opened(terms(), (100, 100, 100)), "0r* 1c 2c")
    refusal = HOLDEM.check(hand, 0, Reveal(cards=cards))
    assert refusal is not None
    assert refusal.code == code


def test_what_a_hand_is_worth() -> None:
    """HOLDEM-2: nothing before the flop, then the best five of what is open."""
    hand = opened(terms(), (100, 100))
    assert HOLDEM.best(hand, (50, 51)) is None
    hand = play(hand, "0c 1k")
    assert [HOLDEM.card_text(hand.cards[slot] or 0) for slot in (4, 5, 6)] == ["C3", "D3", "H3"]
    assert HOLDEM.best(hand, (50, 51)) == "full house, H3 D3 C3 SA HA"
    assert [HOLDEM.card_text(card) for card in HOLDEM.deck()][:5] == ["C2", "D2", "H2", "S2", "C3"]


# --- matches


@pytest.mark.parametrize(
    ("last", "dealt", "seated", "button"),
    [
        (0, (0, 1, 2), (0, 1, 2), 1),
        (2, (0, 1, 2), (0, 1, 2), 0),
        (0, (0, 1, 2, 3), (0, 2, 3), 2),
        (1, (0, 1), (0, 1), 0),
        # From three to two: the last big blind was seat 2, 0, 1.
        (0, (0, 1, 2), (0, 2), 2),
        (0, (0, 1, 2), (1, 2), 2),
        (1, (0, 1, 2), (0, 1), 0),
        # The last big blind is out: the next seat.
        (0, (0, 1, 2), (0, 1), 1),
        (1, (0, 1, 2), (1, 2), 2),
        # From five to two.
        (3, (0, 1, 2, 3, 4), (0, 3), 0),
        (3, (0, 1, 2, 3, 4), (1, 3), 1),
    ],
)
def test_next_button(last: int, dealt: tuple[int, ...], seated: tuple[int, ...], button: int) -> None:
    """TABLE-1, TABLE-3."""
    assert HOLDEM.next_button(last, dealt, seated, 5) == button


def big_blind(hand: HoldemHand) -> int:
    return hand.order[0] if len(hand.order) == 2 else hand.order[1]


@pytest.mark.parametrize("structure", ["no-limit", "limit"])
@pytest.mark.parametrize("seats", range(2, 10))
def test_matches_to_the_last_seat(seats: int, structure: str) -> None:
    """TABLE-1 to TABLE-4: stacks carry over, who has none is out, nobody has the big blind twice running, and only one
    seat has chips in the end."""
    draw = random.Random(seats)
    agreed = terms(structure, stack=12)
    stacks = HOLDEM.opening_stacks(agreed, seats)
    button, dealt, blind = 0, tuple(range(seats)), None
    for _ in range(200):
        seated = tuple(seat for seat in range(seats) if HOLDEM.can_be_dealt_in(agreed, stacks[seat]))
        if len(seated) < 2:
            break
        if blind is not None:
            button = HOLDEM.next_button(button, dealt, seated, seats)
        hand = HOLDEM.start(agreed, stacks, button, seated)
        assert big_blind(hand) != blind
        blind, dealt = big_blind(hand), seated
        stacks = end(run_out(hand, shuffled(draw.getrandbits(32)), draw.choice)).stacks
        assert sum(stacks) == 12 * seats
        assert all(stacks[seat] == 0 for seat in range(seats) if seat not in seated)
    assert max(stacks) == 12 * seats
