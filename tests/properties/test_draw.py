"""Properties of whole draw hands: any play, with seats that leave and exchanges that fail; showing; whole matches."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealerless.errors import CODES
from dealerless.games.draw import DRAW
from dealerless.games.drawhand import DrawHand
from dealerless.games.game import Act, Action, Deal, Discard, Exchange, Finished, Game, Move, Muck, Reveal, Show, Slots
from dealerless.games.ranking import strength
from tests.draw import (
    assert_whole,
    chips,
    discards,
    end,
    forward,
    kept_all,
    opened,
    play,
    run_out,
    terms,
)
from tests.hands import in_hand, shuffled

PROBES = (-1, 0, 1, 10, 11, 20, 2**53, -(2**63))
NAMES = ("CHECK", "BET", "CALL", "RAISE", "ALLIN", "FOLD", "EXCHANGE", "fold", "")


@st.composite
def starts(draw: st.DrawFn) -> tuple[DrawHand, tuple[int, ...]]:
    """A hand with its antes in, and the deck that will be dealt."""
    seats = draw(st.integers(2, 6))
    first, second = draw(st.tuples(st.integers(1, 6), st.integers(1, 6)))
    agreed = terms(
        ante=draw(st.sampled_from((1, 1, 3, 5))),
        first=first,
        second=second,
        raises=draw(st.integers(0, 3)),
        allin=draw(st.booleans()),
        show=draw(st.sampled_from(("all", "muck"))),
    )
    least = 0 if agreed.allin else agreed.dearest - 2
    stacks = draw(st.lists(st.integers(least, least + 25), min_size=seats, max_size=seats))
    stacks[0] += 2
    stacks[-1] += 2
    dealt = [seat for seat, stack in enumerate(stacks) if DRAW.can_be_dealt_in(agreed, stack)]
    button = draw(st.sampled_from(dealt))
    return opened(agreed, stacks, button), shuffled(draw(st.integers(0, 2**32)))


@given(starts(), st.data())
def test_any_play(start: tuple[DrawHand, tuple[int, ...]], data: st.DataObject) -> None:
    """TABLE, POT, SHOW, DRAW, VERDICT-4: chips are conserved at every step, no slot is dealt twice, none that was given
    up is shown, who is out wins nothing, the best hand shown wins its pots, and every hand ends; with seats that leave
    and exchanges that cannot be dealt, at any moment."""
    game: Game = DRAW
    hand, deck = start
    leavers = data.draw(st.integers(0, 3))
    out = {seat: stack for seat, stack in enumerate(hand.stacks) if hand.folded[seat]}
    dealt: list[int] = []
    given_up: set[int] = set()
    steps = 0
    while not isinstance(due := hand.due, Finished):
        before = chips(hand)
        assert bool(game.legal(hand)) == isinstance(due, Act)
        if leavers and data.draw(st.integers(0, 9)) == 0:
            leavers -= 1
            seat = data.draw(st.sampled_from(in_hand(hand)))
            hand = game.forfeit(hand, seat)
            out[seat] = hand.stacks[seat]
        elif hand.exchanging and data.draw(st.integers(0, 9)) == 0:
            hand = game.stranded(hand)
            assert hand.broken
            assert not isinstance(hand.due, Act | Exchange | Deal)
        else:
            if isinstance(due, Deal):
                dealt += [slot for _, slots in due.hands for slot in slots]
                if hand.discards:
                    given_up |= set(hand.discards)
                    assert hand.held[hand.exchanging[0]] == due_slots(hand)
            hand = forward(hand, deck, lambda these: data.draw(st.sampled_from(these)))
        assert_whole(hand, before)
        assert len(set(dealt)) == len(dealt)
        assert not given_up & {slot for slots in hand.held for slot in slots}
        if isinstance(hand.due, Show):
            assert hand.due.slots == hand.held[hand.due.seat]
            assert set(hand.due.slots) <= set(dealt) - given_up
        assert all(hand.cards[slot] is None for slot in given_up)
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
            worth = {seat: strength([deck[slot] for slot in hand.held[seat]]) for seat in claims}
            assert set(pot.winners) == {seat for seat in claims if worth[seat] == max(worth.values())}
    if not hand.terms.allin:
        # Nobody can lose more than a hand can cost, so that nobody is all-in (DRAW-7).
        assert max(hand.totals) <= hand.terms.dearest
    again = game.forfeit(hand, ended.pots[0].winners[0]) if ended.pots else hand
    assert again == hand


def due_slots(hand: DrawHand) -> Slots:
    """What the seat whose new cards are being dealt still holds: what it gives up, and what it keeps."""
    held = hand.held[hand.exchanging[0]]
    assert set(hand.discards) <= set(held)
    return held


@given(starts(), st.data())
def test_listed_is_accepted_and_nothing_else(start: tuple[DrawHand, tuple[int, ...]], data: st.DataObject) -> None:
    """BET-1, CHAIN-1, DRAW-10: `check` is None exactly for the listed moves, for up to three of the five cards held and
    for a show, of the seat that is asked; and what it allows can be applied."""
    hand, deck = start
    for _ in range(data.draw(st.integers(0, 16))):
        if not isinstance(hand.due, Finished):
            hand = forward(hand, deck, lambda these: data.draw(st.sampled_from(these)))
    due = hand.due
    asked = due.seat if isinstance(due, Act | Exchange | Show) else None
    allowed = {option.name for option in DRAW.legal(hand)}
    probe = Reveal(cards=tuple(card for card in range(52) if card not in hand.cards)[:5])
    listed = discards(due) if isinstance(due, Exchange) else []
    pool = st.integers(-1, 52) | st.sampled_from(hand.held[asked if asked is not None else hand.button])
    tried = [tuple(slots) for slots in data.draw(st.lists(st.lists(pool, max_size=5), min_size=3, max_size=3))]
    for seat in range(len(hand.stacks)):
        for name in NAMES:
            for amount in PROBES:
                refusal = DRAW.check(hand, seat, Move(name=name, amount=amount))
                assert (refusal is None) == (seat == asked and not amount and name in allowed)
                assert refusal is None or (refusal.code in CODES and refusal.clause)
        shows = isinstance(due, Show) and seat == asked
        assert (DRAW.check(hand, seat, probe) is None) == shows
        assert (DRAW.check(hand, seat, Muck()) is None) == (shows and isinstance(due, Show) and due.may_muck)
        for slots in tried:
            refusal = DRAW.check(hand, seat, Discard(slots=slots))
            assert (refusal is None) == (seat == asked and slots in listed)
            assert refusal is None or (refusal.code in CODES and refusal.clause)
        for slots in listed:
            assert (DRAW.check(hand, seat, Discard(slots=slots)) is None) == (seat == asked)


@given(starts())
def test_slots(start: tuple[DrawHand, tuple[int, ...]]) -> None:
    """TABLE-5: one card each from the button's left, five times; every slot once, none left over."""
    hand, _ = start
    deal = hand.due
    assert isinstance(deal, Deal)
    seats = [seat for seat, _ in deal.hands]
    assert sorted(seats) == in_hand(hand)
    assert seats[-1] == hand.button
    places = [(seat - hand.button - 1) % len(hand.stacks) for seat in seats]
    assert places == sorted(places)
    dealt = len(seats)
    assert [slots for _, slots in deal.hands] == [tuple(range(place, 5 * dealt, dealt)) for place in range(dealt)]
    for seat in range(len(hand.stacks)):
        assert DRAW.hole_slots(hand, seat) == dict(deal.hands).get(seat, ())
    assert DRAW.board_slots(hand) == ()


@given(starts(), st.data())
def test_releases(start: tuple[DrawHand, tuple[int, ...]], data: st.DataObject) -> None:
    """DECK-9: a fold before the exchanges that leaves two others in releases all that can still be dealt, three slots
    for each of them; no other move releases anything. No slot is then dealt that was not released."""
    hand, deck = start
    released: dict[int, set[int]] = {}
    while not isinstance(hand.due, Finished):
        due, top = hand.due, hand.top
        if isinstance(due, Deal) and hand.discards:
            for slots in released.values():
                assert {slot for _, new in due.hands for slot in new} <= slots
        street = hand.street
        hand = forward(hand, deck, lambda these: data.draw(st.sampled_from(these)))
        if isinstance(due, Act):
            stay = in_hand(hand)
            folds = hand.folded[due.seat] and len(stay) > 1 and not street
            expected = tuple(range(top, top + 3 * len(stay))) if folds else ()
            assert DRAW.release(hand, due.seat) == expected
            if expected:
                released[due.seat] = set(expected)


# --- showing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ((1, 2, 3, 4), "cards.count"),
        ((1, 2, 3, 4, 5, 6), "cards.count"),
        ((1, 2, 3, 4, 52), "cards.not-a-card"),
        ((-1, 1, 2, 3, 4), "cards.not-a-card"),
        ((True, 3, 4, 5, 6), "cards.not-a-card"),
        ((3, 3, 4, 5, 6), "cards.duplicate"),
        ((0, 1, 20, 30, 40), "cards.duplicate"),
    ],
)
def test_what_is_no_five_cards(cards: tuple[int, ...], code: str) -> None:
    """DRAW-2, DECK-5: five different cards that nobody has shown."""
    hand = kept_all(play(opened(terms(), (2, 2)), "0b 1c |"))
    hand = play(hand, "0s")
    # Seat 0 has shown slots 0, 2, 4, 6 and 8 of the plain deck.
    refusal = DRAW.check(hand, 1, Reveal(cards=cards))
    assert refusal is not None
    assert refusal.code == code


# --- many hands


@pytest.mark.parametrize("allin", [True, False])
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_a_match_conserves_chips_and_ends(allin: bool, seats: int) -> None:
    """TABLE-1, TABLE-2, DRAW-7, BR94: hand after hand from a fresh deck; who cannot pay is out, the button goes on to
    the next one who can, and no chip is made or lost in 300 hands or until one is left."""
    agreed = terms(allin=allin, stack=150)
    rng = random.Random(seats)
    stacks, button, hands = DRAW.opening_stacks(agreed, seats), 0, 0
    seated = tuple(range(seats))
    while len(seated) > 1 and hands < 300:
        hand = DRAW.start(agreed, stacks, button, seated)
        assert DRAW.demand(hand) == Deal(hands=tuple((seat, hand.held[seat]) for seat in hand.order))
        assert hand.top == 5 * len(seated)
        deck = shuffled(rng.randrange(2**32))
        ended = end(run_out(hand, deck, rng.choice))
        assert sum(ended.stacks) == 150 * seats
        for seat in range(seats):
            assert seat in seated or ended.stacks[seat] == stacks[seat]
            if not allin and seat in seated:
                assert ended.stacks[seat] >= stacks[seat] - agreed.dearest
        stacks, last = ended.stacks, seated
        seated = tuple(seat for seat in range(seats) if DRAW.can_be_dealt_in(agreed, stacks[seat]))
        if len(seated) > 1:
            after = DRAW.next_button(button, last, seated, seats)
            between = [(button + step) % seats for step in range(1, (after - button) % seats or seats)]
            assert after in seated
            assert not set(between) & set(seated)
            button = after
        hands += 1
    assert hands > 3


def test_ten_thousand_hands_conserve_chips() -> None:
    """TABLE-1, DRAW-1: a whole match by chance, of four with stacks that last; every hand begins from a whole deck."""
    agreed, rng, seats = terms(stack=100_000), random.Random(10_000), (0, 1, 2, 3)
    stacks, button = DRAW.opening_stacks(agreed, 4), 0
    for _ in range(10_000):
        hand, deck = DRAW.start(agreed, stacks, button, seats), rng.sample(range(52), 32)
        while not isinstance(due := hand.due, Finished):
            if isinstance(due, Deal):
                hand = DRAW.dealt(hand, {})
                continue
            assert isinstance(due, Act | Exchange | Show)
            if isinstance(due, Act):
                taken: Action = Move(name=rng.choice(DRAW.legal(hand)).name, amount=0)
            elif isinstance(due, Exchange):
                taken = Discard(slots=tuple(sorted(rng.sample(due.slots, rng.randrange(4)))))
            else:
                taken = Reveal(cards=tuple(deck[slot] for slot in due.slots))
            assert DRAW.check(hand, due.seat, taken) is None
            hand = DRAW.apply(hand, due.seat, taken)
        assert sum(due.stacks) == 400_000
        stacks, button = due.stacks, DRAW.next_button(button, seats, seats, 4)
    assert min(stacks) > 0
