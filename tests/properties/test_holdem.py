"""Properties of whole Hold'em hands, with seats that leave and boards that cannot be opened; and the terms."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealerless.errors import CODES, UsageError, Violation
from dealerless.games.game import Act, Action, Deal, Finished, Game, Move, Muck, OpenBoard, Release, Reveal, Show
from dealerless.games.hex import MAX_CHIPS, MAX_DEPTH
from dealerless.games.holdem import HOLDEM
from dealerless.games.holdemhand import HoldemHand, HoldemTerms
from dealerless.games.ranking import strength
from tests.holdem import assert_whole, chips, end, met, opened, options, play, step, terms

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


def shuffled(seed: int) -> tuple[int, ...]:
    return tuple(random.Random(seed).sample(range(52), 52))


def actions(hand: HoldemHand, deck: tuple[int, ...]) -> list[Action]:
    """What the seat that is asked may do, amounts at both ends."""
    demand = HOLDEM.demand(hand)
    if isinstance(demand, Show):
        reveal = Reveal(cards=tuple(deck[slot] for slot in demand.slots))
        return [reveal, Muck()] if demand.may_muck else [reveal]
    return [
        Move(name=option.name, amount=amount)
        for option in HOLDEM.legal(hand)
        for amount in {option.least, option.most, (option.least + option.most) // 2}
    ]


def forward(hand: HoldemHand, deck: tuple[int, ...], choose: Callable[[list[Action]], Action]) -> HoldemHand:
    """The hand after what it asks for, whatever that is."""
    demand, before = HOLDEM.demand(hand), chips(hand)
    if isinstance(demand, Deal | Release):
        after = HOLDEM.dealt(hand, {})
    elif isinstance(demand, OpenBoard):
        after = HOLDEM.dealt(hand, {slot: deck[slot] for slot in demand.slots})
    else:
        assert isinstance(demand, Act | Show)
        return step(hand, demand.seat, choose(actions(hand, deck)))
    assert_whole(after, before)
    return after


def in_hand(hand: HoldemHand) -> list[int]:
    return [seat for seat, out in enumerate(hand.folded) if not out]


def run_out(hand: HoldemHand, deck: tuple[int, ...], choose: Callable[[list[Action]], Action]) -> HoldemHand:
    while not isinstance(HOLDEM.demand(hand), Finished):
        hand = forward(hand, deck, choose)
    return hand


def first(these: list[Action]) -> Action:
    return these[0]


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


# --- seats that leave ---------------------------------------------------------------------------------------------

LINES = [
    (terms(), (100, 100, 100), 0, "0r6 1c 2c 1b10 2c 0c 1k 2k 0k 1k 2b20 0f 1c"),
    (terms(show="muck"), (100, 100, 100, 100), 3, "2c 3c 0c 1k 0k 1k 2k 3k 0k 1k 2k 3k 0k 1k 2k 3k 0s 1m 2m 3s"),
    (terms(), (100, 1, 30, 60), 0, "3r60 0c 2c"),
    (terms(ante=2), (2, 40, 1, 25, 90), 1, "4c 1r* 3f 4c"),
    (terms("limit"), (50, 50), 0, "0r 1r 0c 1b 0c 1k 0b 1c 1k 0k"),
]


def moments(hand: HoldemHand, line: str) -> Iterator[HoldemHand]:
    """Every state of a hand, from its posts to its end."""
    from tests.holdem import PLAIN, action

    texts = line.split()
    deck = tuple(PLAIN)
    while not isinstance(hand.due, Finished):
        yield hand
        if isinstance(hand.due, Act | Show) and texts:
            hand = step(hand, *action(hand, texts.pop(0), deck))
        else:
            hand = forward(hand, deck, first)
    assert not texts
    yield hand


@pytest.mark.parametrize(("agreed", "stacks", "button", "line"), LINES)
def test_leaving_at_every_moment(agreed: HoldemTerms, stacks: tuple[int, ...], button: int, line: str) -> None:
    """VERDICT-4: whoever leaves, whenever, keeps what is behind it and no more; all other chips are paid out."""
    deck = tuple(HOLDEM.deck())
    for hand in moments(opened(agreed, stacks, button), line):
        for seat in in_hand(hand):
            after = HOLDEM.forfeit(hand, seat)
            if isinstance(hand.due, Finished):
                assert after == hand
                continue
            assert_whole(after, sum(stacks))
            assert after.folded[seat]
            assert after.cards == hand.cards
            assert HOLDEM.forfeit(after, seat) == after
            if isinstance(hand.due, Deal) and len(in_hand(after)) > 1:
                kept = dict(hand.due.hands)
                del kept[seat]
                assert HOLDEM.demand(after) == Deal(hands=tuple(kept.items()))
            assert not isinstance(after.due, Act | Show | Release) or after.due.seat != seat
            if len(in_hand(after)) == 1:
                assert end(after).result == "forfeit"
            for other in [stayer for stayer in in_hand(after) if not isinstance(after.due, Finished)]:
                both = run_out(HOLDEM.forfeit(after, other), deck, first)
                assert end(both).stacks[seat] == after.stacks[seat]
                assert sum(end(both).stacks) == sum(stacks)
            ended = end(run_out(after, deck, first))
            assert ended.stacks[seat] == after.stacks[seat] == hand.stacks[seat]
            assert sum(ended.stacks) == sum(stacks)


def test_leaving_before_the_deal_is_complete() -> None:
    """VERDICT-4: the blinds stay in, the others keep their slots, and the first to act is as after a fold."""
    hand = HOLDEM.forfeit(opened(terms(), (100, 100, 100, 100)), 3)
    assert hand.due == Deal(hands=((1, (0, 4)), (2, (1, 5)), (0, (3, 7))))
    assert options(met(hand)) == "0: CALL, RAISE 4..100, FOLD"
    hand = met(HOLDEM.forfeit(hand, 2))
    assert (hand.totals, options(hand)) == ((0, 1, 2, 0), "0: CALL, RAISE 4..100, FOLD")
    ended = end(HOLDEM.forfeit(hand, 0))
    assert (ended.stacks, ended.result, [pot.amount for pot in ended.pots]) == ((100, 102, 98, 100), "forfeit", [3])


def test_the_last_one_gets_uncalled_chips_back() -> None:
    """POT-1, VERDICT-4: the big blind's second chip was never matched."""
    ended = end(HOLDEM.forfeit(opened(terms(), (100, 100)), 0))
    assert (ended.stacks, [pot.amount for pot in ended.pots]) == ((99, 101), [2])


def test_nobody_is_asked_to_bet_alone() -> None:
    """BET-7: when the only other seat with chips leaves before the first move, the board is run out."""
    hand = HOLDEM.forfeit(opened(terms(ante=1), (1, 50, 50)), 1)
    assert options(met(hand)) == "show 2"


def test_a_fold_after_an_expulsion_ends_the_hand_as_a_fold() -> None:
    """VERDICT-4."""
    hand = HOLDEM.forfeit(met(opened(terms(), (100, 100, 100))), 0)
    assert end(play(hand, "1f")).result == "fold"


def test_a_claim_lost_at_the_showdown() -> None:
    """POT-2, POT-3, VERDICT-4: the pots stand; one in which nobody stands any more joins the pot below."""
    hand = play(opened(terms(), (30, 60, 60)), "0r30 1r60 2c")
    assert options(hand) == "show 1"
    assert [(pot.amount, pot.seats) for pot in hand.unpaid] == [(90, (0, 1, 2)), (60, (1, 2))]
    hand = HOLDEM.forfeit(play(hand, "1s"), 1)
    assert [(pot.amount, pot.seats) for pot in hand.unpaid] == [(90, (0, 2)), (60, (2,))]
    assert options(hand) == "show 2"
    ended = end(HOLDEM.forfeit(hand, 2))
    assert ([pot.amount for pot in ended.pots], ended.stacks, ended.result) == ([150], (150, 0, 0), "forfeit")


# --- boards that cannot be opened ---------------------------------------------------------------------------------


def stuck(line: str, *, stacks: tuple[int, ...] = (100, 100, 100), leaver: int = 2) -> HoldemHand:
    """A hand that has lost a seat and waits for its board."""
    waiting = (hand for hand in moments(opened(terms(), stacks), line) if isinstance(hand.due, OpenBoard))
    hand = HOLDEM.forfeit(next(waiting), leaver)
    assert isinstance(hand.due, OpenBoard)
    return HOLDEM.stranded(hand)


def test_all_may_concede_before_the_fresh_cards() -> None:
    """VERDICT-4: in showing order, muck or show, although the terms make all show."""
    hand = stuck("0r10 1c 2c")
    assert options(hand) == "show 0 or muck"
    hand = play(hand, "0s")
    assert options(hand) == "show 1 or muck"
    hand = step(hand, 1, actions(hand, tuple(HOLDEM.deck()))[0])
    assert HOLDEM.demand(hand) == OpenBoard(slots=(6, 7, 8, 9, 10), fresh=True)
    assert HOLDEM.stranded(hand) == hand
    ended = end(HOLDEM.dealt(hand, dict(zip((6, 7, 8, 9, 10), range(40, 45), strict=True))))
    assert (ended.result, sum(ended.stacks), sum(pot.amount for pot in ended.pots)) == ("showdown", 300, 30)


def test_the_last_who_claims_is_not_asked() -> None:
    """SHOW-3, VERDICT-4: two of three concede; no card is needed any more."""
    hand = stuck("3r10 0c 1c 2c", stacks=(100,) * 4)
    for seat in (3, 0):
        assert options(hand) == f"show {seat} or muck"
        hand = HOLDEM.apply(hand, seat, Muck())
    ended = end(hand)
    assert (ended.result, ended.stacks, hand.shown) == ("showdown", (90, 130, 90, 90), ())


def test_only_what_is_missing_is_dealt_again() -> None:
    """VERDICT-4: the flop stays."""
    waiting = moments(opened(terms(), (100, 100, 100)), "0c 1c 2k 1k 2k 0k")
    hand = next(hand for hand in waiting if isinstance(hand.due, OpenBoard) and hand.street == 1)
    flop = hand.cards[6:9]
    hand = HOLDEM.stranded(HOLDEM.forfeit(hand, 0))
    # Nobody lifted: from the button's left.
    assert options(hand) == "show 1 or muck"
    hand = HOLDEM.apply(HOLDEM.apply(hand, 1, Reveal(cards=(0, 3))), 2, Reveal(cards=(1, 4)))
    assert (hand.due, hand.cards[6:9]) == (OpenBoard(slots=(9, 10), fresh=True), flop)


def test_leaving_a_stranded_hand() -> None:
    """VERDICT-4: one who leaves before the fresh cards are there gives up what the others then share."""
    hand = stuck("3r10 0c 1c 2c", stacks=(100,) * 4)
    hand = HOLDEM.apply(HOLDEM.apply(hand, 3, Reveal(cards=(2, 3))), 0, Muck())
    assert options(hand) == "show 1 or muck"
    hand = HOLDEM.apply(hand, 1, Reveal(cards=(0, 1)))
    assert isinstance(hand.due, OpenBoard)
    ended = end(HOLDEM.forfeit(hand, 3))
    assert (ended.stacks, ended.result) == ((90, 130, 90, 90), "showdown")


def test_stranded_is_asked_of_a_closed_board_only() -> None:
    """VERDICT-4."""
    for hand in moments(opened(terms(), (100, 100, 100)), "0c 1c 2k"):
        if not isinstance(hand.due, OpenBoard):
            with pytest.raises(UsageError) as raised:
                HOLDEM.stranded(hand)
            assert raised.value.code == "usage.wrong-state"


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


# --- terms and matches --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "seats"),
    [
        (("no-limit", 1, 2, 0, 100, "all"), 2),
        (("limit", 5, 5, 5, 5, "muck"), 9),
        (("no-limit", 1, 1, 0, MAX_DEPTH, "all"), 3),
        (("no-limit", 1, 2**40, 2**40, MAX_CHIPS // 9, "all"), 9),
    ],
)
def test_terms(fields: tuple[object, ...], seats: int) -> None:
    """HOLDEM-3, HOLDEM-6, ENC-6: read as they are written."""
    agreed = HOLDEM.read_terms(fields, seats)
    assert agreed.fields() == fields
    stacks = HOLDEM.opening_stacks(agreed, seats)
    assert stacks == (fields[4],) * seats
    assert sum(stacks) <= MAX_CHIPS
    hand = HOLDEM.start(agreed, stacks, 0, tuple(range(seats)))
    assert isinstance(HOLDEM.demand(hand), Deal)


@pytest.mark.parametrize(
    ("fields", "seats", "code"),
    [
        (("no-limit", 1, 2, 0, 100, "all"), 1, "terms.seats"),
        (("no-limit", 1, 2, 0, 100, "all"), 10, "terms.seats"),
        (("no-limit", 1, 2, 0, 100), 2, "terms.malformed"),
        (("no-limit", 1, 2, 0, 100, "all", 3), 2, "terms.malformed"),
        (("no-limit", True, 2, 0, 100, "all"), 2, "terms.malformed"),
        (("no-limit", 1, 2, False, 100, "all"), 2, "terms.malformed"),
        ((1, 1, 2, 0, 100, "all"), 2, "terms.malformed"),
        (("pot-limit", 1, 2, 0, 100, "all"), 2, "terms.unknown-structure"),
        (("No-Limit", 1, 2, 0, 100, "all"), 2, "terms.unknown-structure"),
        (("no-limit", 0, 2, 0, 100, "all"), 2, "terms.out-of-range"),
        (("no-limit", -1, 2, 0, 100, "all"), 2, "terms.out-of-range"),
        (("no-limit", 3, 2, 0, 100, "all"), 2, "terms.out-of-range"),
        (("no-limit", 1, 101, 0, 100, "all"), 2, "terms.out-of-range"),
        (("no-limit", 1, 2, -1, 100, "all"), 2, "terms.out-of-range"),
        (("no-limit", 1, 2, 101, 100, "all"), 2, "terms.out-of-range"),
        (("no-limit", 1, 1, 0, MAX_DEPTH + 1, "all"), 2, "terms.out-of-range"),
        (("no-limit", 1, 2, 0, 0, "all"), 2, "terms.out-of-range"),
        (("no-limit", 1, 2**50, 0, MAX_CHIPS // 3 + 1, "all"), 3, "terms.out-of-range"),
        (("no-limit", 1, 2, 0, 100, "none"), 2, "terms.unknown-show-rule"),
    ],
)
def test_bad_terms(fields: tuple[object, ...], seats: int, code: str) -> None:
    """HOLDEM-3, HOLDEM-6, ENC-6, SHOW-2."""
    with pytest.raises(Violation) as raised:
        HOLDEM.read_terms(fields, seats)
    assert raised.value.code == code


def test_hands_that_cannot_start() -> None:
    """TABLE-2: two seats with chips, one of which has the button."""
    for stacks, button, seated in (((5, 5, 0), 2, (0, 1)), ((5, 0, 0), 0, (0,)), ((5, 0, 5), 0, (0, 1, 2))):
        with pytest.raises(UsageError):
            HOLDEM.start(terms(), stacks, button, seated)
    hand = opened(terms(), (100, 100))
    with pytest.raises(UsageError):
        HOLDEM.dealt(met(hand), {})
    with pytest.raises(UsageError):
        HOLDEM.dealt(HOLDEM.dealt(opened(terms(), (2, 2)), {}), {4: 1})


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
