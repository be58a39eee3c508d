"""Properties of whole draw hands, with seats that leave and exchanges that cannot be dealt; and the terms."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealerless.errors import CODES, UsageError, Violation
from dealerless.games.draw import DRAW, MAX_RAISES
from dealerless.games.drawhand import DrawHand, DrawTerms
from dealerless.games.game import Act, Action, Deal, Discard, Exchange, Finished, Game, Move, Muck, Reveal, Show, Slots
from dealerless.games.hex import MAX_CHIPS, MAX_DEPTH
from dealerless.games.ranking import strength
from tests.draw import (
    PLAIN,
    action,
    amounts,
    assert_whole,
    chips,
    end,
    kept_all,
    met,
    opened,
    options,
    play,
    step,
    terms,
)

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


def shuffled(seed: int) -> tuple[int, ...]:
    return tuple(random.Random(seed).sample(range(52), 52))


def discards(due: Exchange) -> list[Slots]:
    """All sets of at most three of the five."""
    return [slots for many in range(4) for slots in combinations(due.slots, many)]


def actions(hand: DrawHand, deck: tuple[int, ...]) -> list[Action]:
    """What the seat that is asked may do."""
    due = hand.due
    if isinstance(due, Show):
        reveal = Reveal(cards=tuple(deck[slot] for slot in due.slots))
        return [reveal, Muck()] if due.may_muck else [reveal]
    if isinstance(due, Exchange):
        return [Discard(slots=slots) for slots in discards(due)]
    return [Move(name=option.name, amount=0) for option in DRAW.legal(hand)]


def forward(hand: DrawHand, deck: tuple[int, ...], choose: Callable[[list[Action]], Action]) -> DrawHand:
    """The hand after what it asks for, whatever that is."""
    due, before = hand.due, chips(hand)
    if isinstance(due, Deal):
        after = DRAW.dealt(hand, {})
        assert_whole(after, before)
        return after
    assert isinstance(due, Act | Exchange | Show)
    return step(hand, due.seat, choose(actions(hand, deck)))


def in_hand(hand: DrawHand) -> list[int]:
    return [seat for seat, out in enumerate(hand.folded) if not out]


def run_out(hand: DrawHand, deck: tuple[int, ...], choose: Callable[[list[Action]], Action]) -> DrawHand:
    while not isinstance(hand.due, Finished):
        hand = forward(hand, deck, choose)
    return hand


def first(these: list[Action]) -> Action:
    return these[0]


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


# --- seats that leave ---------------------------------------------------------------------------------------------

LINES = [
    (terms(), (100, 100, 100), 2, "0b 1c 2c 0x01 1x 2x234 0k 1b 2f 0c 1s 0s"),
    (terms(show="muck"), (100, 100, 100, 100), 3, "0k 1k 2k 3k 0x4 1x012 2x 3x0 0k 1k 2k 3k 0s 1m 2m 3s"),
    (terms(), (11, 26, 61), 2, "0b 1r 2c 0x012 1x012 2x012 1k 2k 0s 1s 2s"),
    (terms(ante=5), (3, 40, 1, 25, 90), 1, "3b 4c 1f 2x 3x1 4x 0x24 3b 4c"),
    (terms(), (50, 50), 0, "1b 0r 1c 1x13 0x 1k 0b 1c"),
    (terms(allin=False), (81, 80, 90, 200, 81, 100), 0, "2b 3c 4f 5c 0c 2x012 3x012 5x012 0x012 2b 3f 5f 0c"),
    (terms(), (100,) * 6, 5, "0k 1b 2c 3c 4c 5f 0c 0x2 1x 2x0 3x01 4x012"),
]


def moments(hand: DrawHand, line: str) -> Iterator[DrawHand]:
    """Every state of a hand, from its antes to its end."""
    texts = line.split()
    while not isinstance(hand.due, Finished):
        yield hand
        if isinstance(hand.due, Act | Exchange | Show) and texts:
            hand = step(hand, *action(hand, texts.pop(0)))
        else:
            hand = forward(hand, tuple(PLAIN), first)
    assert not texts
    yield hand


@pytest.mark.parametrize(("agreed", "stacks", "button", "line"), LINES)
def test_leaving_at_every_moment(agreed: DrawTerms, stacks: tuple[int, ...], button: int, line: str) -> None:
    """VERDICT-4: whoever leaves, whenever, keeps what is behind it and no more; all other chips are paid out, also
    when the exchanges cannot go on after that."""
    deck = tuple(PLAIN)
    for hand in moments(opened(agreed, stacks, button), line):
        for seat in in_hand(hand):
            after = DRAW.forfeit(hand, seat)
            if isinstance(hand.due, Finished):
                assert after == hand
                continue
            assert_whole(after, sum(stacks))
            assert after.folded[seat]
            assert (after.cards, after.held, after.top) == (hand.cards, hand.held, hand.top)
            assert DRAW.forfeit(after, seat) == after
            assert seat not in after.exchanging or isinstance(after.due, Finished)
            if isinstance(hand.due, Deal) and not hand.discards and len(in_hand(after)) > 1:
                kept = dict(hand.due.hands)
                del kept[seat]
                assert after.due == Deal(hands=tuple(kept.items()))
            assert not isinstance(after.due, Act | Exchange | Show) or after.due.seat != seat
            if len(in_hand(after)) == 1:
                assert end(after).result == "forfeit"
            for other in [stayer for stayer in in_hand(after) if not isinstance(after.due, Finished)]:
                both = run_out(DRAW.forfeit(after, other), deck, first)
                assert end(both).stacks[seat] == after.stacks[seat]
                assert sum(end(both).stacks) == sum(stacks)
            stuck = [DRAW.stranded(after)] if after.exchanging and not isinstance(after.due, Finished) else []
            for gone in [after, *stuck]:
                ended = end(run_out(gone, deck, first))
                assert ended.stacks[seat] == after.stacks[seat] == hand.stacks[seat]
                assert sum(ended.stacks) == sum(stacks)


def test_leaving_before_the_deal_is_complete() -> None:
    """VERDICT-4: the antes stay in, the others keep their slots, and the first to act is the next one still in."""
    hand = DRAW.forfeit(opened(terms(), (100, 100, 100, 100)), 0)
    assert hand.due == Deal(hands=((1, (1, 5, 9, 13, 17)), (2, (2, 6, 10, 14, 18)), (3, (3, 7, 11, 15, 19))))
    assert options(met(hand)) == "1: CHECK, BET"
    hand = met(DRAW.forfeit(hand, 2))
    assert (hand.totals, options(hand)) == ((1, 1, 1, 1), "1: CHECK, BET")
    ended = end(DRAW.forfeit(hand, 1))
    assert (ended.stacks, ended.result, [pot.amount for pot in ended.pots]) == ((99, 99, 99, 103), "forfeit", [4])


def test_nobody_is_asked_to_bet_alone() -> None:
    """BET-7: when the only other seat with chips leaves before the first move, both still exchange and show."""
    hand = DRAW.forfeit(opened(terms(ante=5), (3, 50, 50)), 1)
    hand = met(hand)
    assert options(hand) == "exchange 0"
    assert options(kept_all(hand)) == "show 0"


def test_a_fold_after_an_expulsion_ends_the_hand_as_a_fold() -> None:
    """VERDICT-4."""
    hand = DRAW.forfeit(play(opened(terms(), (100, 100, 100)), "0b"), 0)
    assert (hand.totals, options(hand)) == ((11, 1, 1), "1: CALL, RAISE, FOLD")
    assert end(play(hand, "1f")).result == "fold"


def test_a_claim_lost_at_the_showdown() -> None:
    """POT-2, POT-3, VERDICT-4: the pots stand; one in which nobody stands any more joins the pot below."""
    hand = play(kept_all(play(opened(terms(ante=5), (5, 15, 15)), "1b 2c |")), "")
    assert (amounts(hand), options(hand)) == ([(15, (0, 1, 2)), (20, (1, 2))], "show 1")
    hand = DRAW.forfeit(play(hand, "1s"), 1)
    assert (amounts(hand), options(hand)) == ([(15, (0, 2)), (20, (2,))], "show 0")
    ended = end(DRAW.forfeit(hand, 2))
    assert ([pot.amount for pot in ended.pots], ended.stacks, ended.result) == ([35], (35, 0, 0), "forfeit")


# --- exchanges that cannot be dealt ---------------------------------------------------------------------------------


def test_an_exchange_that_is_not_complete_is_undone() -> None:
    """VERDICT-4: the seat holds its old cards again, later ones are not made, nobody bets, all show or concede."""
    hand = play(opened(terms(), (100,) * 4), "0b 1c 2c 3c | 0x01 1x")
    held = hand.held
    hand = DRAW.apply(hand, 2, Discard(slots=hand.held[2][:3]))
    assert isinstance(hand.due, Deal)
    hand = DRAW.stranded(DRAW.forfeit(hand, 3))
    assert (hand.held, hand.exchanging, hand.discards) == (held, (), ())
    # Seat 0 bet last; all may muck although the terms make all show.
    assert options(hand) == "show 0 or muck"
    hand = play(hand, "0s")
    assert options(hand) == "show 1 or muck"
    hand = play(hand, "1m")
    assert options(hand) == "show 2 or muck"
    ended = end(play(hand, "2s"))
    assert (sum(ended.stacks), sum(pot.amount for pot in ended.pots), ended.result) == (400, 44, "showdown")


def test_the_last_who_claims_is_not_asked() -> None:
    """SHOW-3, VERDICT-4: two of three concede."""
    hand = DRAW.stranded(DRAW.forfeit(play(opened(terms(), (100,) * 4), "0b 1c 2c 3c |"), 0))
    for seat in (1, 2):
        assert options(hand) == f"show {seat} or muck"
        hand = play(hand, f"{seat}m")
    ended = end(hand)
    assert (ended.result, ended.stacks, hand.shown) == ("showdown", (89, 89, 89, 133), ())


def test_one_that_leaves_while_it_exchanges() -> None:
    """VERDICT-4, DECK-7: the slots it had asked for are nobody's, and not dealt to another either."""
    hand = play(opened(terms(), (100, 100, 100)), "0k 1k 2k |")
    hand = DRAW.forfeit(DRAW.apply(hand, 0, Discard(slots=hand.held[0][:2])), 0)
    assert hand.due == Exchange(seat=1, slots=(1, 4, 7, 10, 13), dealt=(17, 18, 19))
    # Another's exchange goes on.
    hand = play(opened(terms(), (100, 100, 100)), "0k 1k 2k |")
    hand = DRAW.apply(hand, 0, Discard(slots=hand.held[0][:2]))
    after = DRAW.forfeit(hand, 1)
    assert after.due == hand.due
    assert met(after).due == Exchange(seat=2, slots=(2, 5, 8, 11, 14), dealt=(17, 18, 19))


def test_stranded_is_asked_of_exchanges_only() -> None:
    """VERDICT-4."""
    for hand in moments(opened(terms(), (100, 100, 100)), "0k 1k 2k 0x0"):
        if not hand.exchanging:
            with pytest.raises(UsageError) as raised:
                DRAW.stranded(hand)
            assert raised.value.code == "usage.wrong-state"


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


# --- many hands and the terms -----------------------------------------------------------------------------------------


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


FIELDS = (1, 10, 10, 3, True, 100, "all")


@pytest.mark.parametrize("seats", [2, 6])
def test_terms_and_their_wire_form(seats: int) -> None:
    """DRAW-1, DRAW-3, DRAW-7: what is read is written again."""
    for fields in (FIELDS, (5, 1, 2, 0, False, 8, "muck"), (1, 1, 1, MAX_RAISES, True, 1, "all")):
        agreed = DRAW.read_terms(fields, seats)
        assert agreed.fields() == fields
        assert DRAW.opening_stacks(agreed, seats) == (fields[5],) * seats


@pytest.mark.parametrize(
    ("place", "value", "code"),
    [
        (0, 0, "terms.out-of-range"),
        (0, 101, "terms.out-of-range"),
        (0, -1, "terms.out-of-range"),
        (0, True, "terms.malformed"),
        (1, 0, "terms.out-of-range"),
        (1, 101, "terms.out-of-range"),
        (2, 0, "terms.out-of-range"),
        (2, 101, "terms.out-of-range"),
        (3, -1, "terms.out-of-range"),
        (3, MAX_RAISES + 1, "terms.out-of-range"),
        (4, 1, "terms.malformed"),
        (4, "all-in", "terms.malformed"),
        (4, False, None),
        (5, 0, "terms.out-of-range"),
        (5, MAX_CHIPS // 2, "terms.out-of-range"),
        (5, 10 * MAX_DEPTH, None),
        (5, 10 * MAX_DEPTH + 1, "terms.out-of-range"),
        (6, "none", "terms.unknown-show-rule"),
        (6, b"all", "terms.malformed"),
    ],
)
def test_terms_that_are_refused(place: int, value: object, code: str | None) -> None:
    """DRAW-1, DRAW-3, DRAW-7, ENC-6, SHOW-2."""
    fields = (*FIELDS[:place], value, *FIELDS[place + 1 :])
    if code is None:
        DRAW.read_terms(fields, 2)
        return
    with pytest.raises(Violation) as raised:
        DRAW.read_terms(fields, 2)
    assert raised.value.code == code


def test_off_mode_needs_a_stack_that_pays_for_a_hand() -> None:
    """DRAW-7: 81 for ante 1, amounts of 10 and three raises."""
    assert DRAW.read_terms((1, 10, 10, 3, False, 81, "all"), 6).dearest == 81
    with pytest.raises(Violation) as raised:
        DRAW.read_terms((1, 10, 10, 3, False, 80, "all"), 6)
    assert (raised.value.code, raised.value.clause) == ("terms.out-of-range", "DRAW-7")


@pytest.mark.parametrize("seats", [1, 7])
def test_two_to_six_seats(seats: int) -> None:
    """DRAW-1."""
    with pytest.raises(Violation) as raised:
        DRAW.read_terms(FIELDS, seats)
    assert (raised.value.code, raised.value.clause) == ("terms.seats", "DRAW-1")


@pytest.mark.parametrize("count", [6, 8])
def test_seven_fields(count: int) -> None:
    """ENC-4."""
    with pytest.raises(Violation) as raised:
        DRAW.read_terms((*FIELDS, 1)[:count], 2)
    assert raised.value.code == "terms.malformed"


def test_a_hand_needs_two_who_can_pay() -> None:
    """TABLE-2, DRAW-7."""
    for agreed, stacks, button, seated in (
        (terms(), (100, 0), 0, (0, 1)),
        (terms(), (100, 100), 0, (0,)),
        (terms(), (100, 100, 100), 2, (0, 1)),
        (terms(allin=False), (100, 80), 0, (0, 1)),
    ):
        with pytest.raises(UsageError):
            DRAW.start(agreed, stacks, button, seated)
