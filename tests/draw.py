"""Plays hands of five-card draw from a deck and a line of moves, straight on the rules.

A line is written as in `tests.examples.lines`: `0b 1r 2c` is seat 0 bets, seat 1 raises, seat 2 calls. Further letters:
`x` exchanges the cards at these of the seat's five places (`0x024`, `1x` keeps all), `s` shows, `m` mucks. `|` marks
where a round of betting or the exchanges have to end; it checks, it moves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from dealerless.errors import Violation
from dealerless.games.draw import DRAW
from dealerless.games.drawhand import DrawHand, DrawTerms
from dealerless.games.game import (
    Act,
    Action,
    Deal,
    Discard,
    Exchange,
    Finished,
    Move,
    Muck,
    Reveal,
    Show,
    Slots,
)
from tests import hands
from tests.examples.lines import NAMES

# Of hands of any game, under these names as well.
Deck = hands.Deck
cards, chips, end = hands.cards, hands.chips, hands.end
PLAIN: Deck = DRAW.deck()


def terms(
    *,
    ante: int = 1,
    first: int = 10,
    second: int = 10,
    raises: int = 3,
    allin: bool = True,
    stack: int = 100,
    show: str = "all",
) -> DrawTerms:
    return DrawTerms(ante=ante, first=first, second=second, raises=raises, allin=allin, stack=stack, show=show)


def opened(agreed: DrawTerms, stacks: Sequence[int], button: int | None = None, seated: Iterable[int] = ()) -> DrawHand:
    """A hand with its antes in; the last seat dealt in has the button and all who can be are, unless said otherwise."""
    seats = tuple(seated) or tuple(seat for seat, stack in enumerate(stacks) if DRAW.can_be_dealt_in(agreed, stack))
    return DRAW.start(agreed, tuple(stacks), seats[-1] if button is None else button, seats)


def met(hand: DrawHand) -> DrawHand:
    """The hand after what is no seat's choice: its deals."""
    while isinstance(hand.due, Deal):
        assert all(slots for _, slots in hand.due.hands)
        after = DRAW.dealt(hand, {})
        assert_whole(after, chips(hand))
        hand = after
    return hand


def assert_whole(hand: DrawHand, before: int) -> None:
    """TABLE, DECK-7: no chip made or lost, pots and stacks in step; no slot held twice, none that was not dealt."""
    hands.assert_whole(hand, before)
    held = [slot for slots in hand.held for slot in slots]
    assert len(set(held)) == len(held)
    assert max(held) < hand.top <= 8 * len(hand.order) <= 48
    assert {len(slots) for slots in hand.held} <= {0, 5}
    assert all(list(slots) == sorted(slots) for slots in hand.held)


def action(hand: DrawHand, text: str, deck: Deck = PLAIN) -> tuple[int, Action]:
    """The seat and the action one token stands for; an amount is only there to be refused."""
    seat, letter, rest = int(text[0]), text[1], text[2:]
    if letter == "s":
        return seat, Reveal(cards=tuple(deck[slot] for slot in hand.held[seat]))
    if letter == "m":
        return seat, Muck()
    if letter == "x":
        return seat, Discard(slots=tuple(hand.held[seat][int(place)] for place in rest))
    return seat, Move(name=NAMES[letter], amount=int(rest or 0))


def step(hand: DrawHand, seat: int, taken: Action) -> DrawHand:
    """The hand after an action that has to be legal."""
    after = hands.legal_step(DRAW, hand, seat, taken)
    assert_whole(after, chips(hand))
    return after


def play(hand: DrawHand, line: str, deck: Deck = PLAIN) -> DrawHand:
    """The hand after a line, and after the deals that then follow."""
    hand = met(hand)
    before = stage(hand)
    for text in line.split():
        if text == "|":
            assert stage(hand) != before, (line, hand)
            before = stage(hand)
        else:
            hand = met(step(hand, *action(hand, text, deck)))
    return hand


def stage(hand: DrawHand) -> tuple[int, str]:
    """Which round of betting it is, or the exchanges, or the showdown."""
    return hand.street, type(hand.due).__name__


def kept_all(hand: DrawHand) -> DrawHand:
    """The hand after all who are still to exchange keep their cards."""
    while isinstance(hand.due, Exchange):
        hand = met(step(hand, hand.due.seat, Discard(slots=())))
    return hand


def shown_down(hand: DrawHand, deck: Deck = PLAIN) -> DrawHand:
    """The hand after everybody who is asked has shown."""
    while isinstance(hand.due, Show):
        hand = step(hand, *action(hand, f"{hand.due.seat}s", deck))
    return hand


def discards(due: Exchange) -> list[Slots]:
    """All sets of at most three of the five."""
    return [slots for many in range(4) for slots in combinations(due.slots, many)]


def actions(hand: DrawHand, deck: Deck) -> list[Action]:
    """What the seat that is asked may do."""
    due = hand.due
    if isinstance(due, Show):
        reveal = Reveal(cards=tuple(deck[slot] for slot in due.slots))
        return [reveal, Muck()] if due.may_muck else [reveal]
    if isinstance(due, Exchange):
        return [Discard(slots=slots) for slots in discards(due)]
    return [Move(name=option.name, amount=0) for option in DRAW.legal(hand)]


def forward(hand: DrawHand, deck: Deck, choose: hands.Choose) -> DrawHand:
    """The hand after what it asks for, whatever that is."""
    due, before = hand.due, chips(hand)
    if isinstance(due, Deal):
        after = DRAW.dealt(hand, {})
        assert_whole(after, before)
        return after
    assert isinstance(due, Act | Exchange | Show)
    return step(hand, due.seat, choose(actions(hand, deck)))


def run_out(hand: DrawHand, deck: Deck, choose: hands.Choose) -> DrawHand:
    """The hand at its end."""
    while not isinstance(hand.due, Finished):
        hand = forward(hand, deck, choose)
    return hand


def moments(hand: DrawHand, line: str) -> Iterator[DrawHand]:
    """Every state of a hand, from its antes to its end."""
    texts = line.split()
    while not isinstance(hand.due, Finished):
        yield hand
        if isinstance(hand.due, Act | Exchange | Show) and texts:
            hand = step(hand, *action(hand, texts.pop(0)))
        else:
            hand = forward(hand, PLAIN, hands.first)
    assert not texts
    yield hand


def refused(hand: DrawHand, text: str, deck: Deck = PLAIN) -> Violation:
    """The refusal of an action."""
    return hands.refusal_of(DRAW, hand, *action(hand, text, deck))


def options(hand: DrawHand) -> str:
    """What comes next, in a line: `0: CALL, RAISE, FOLD`, `exchange 1`, `show 0`, `fold`."""
    due = hand.due
    if isinstance(due, Act):
        assert all(option.least == option.most == 0 for option in DRAW.legal(hand))
        return f"{due.seat}: {', '.join(option.name for option in DRAW.legal(hand))}"
    if isinstance(due, Exchange):
        return f"exchange {due.seat}"
    if isinstance(due, Show):
        return f"show {due.seat}" + (" or muck" if due.may_muck else "")
    if isinstance(due, Finished):
        return due.result
    return type(due).__name__


def amounts(hand: DrawHand) -> list[tuple[int, tuple[int, ...]]]:
    """The pots, once betting is over: how much, and who contends."""
    return [(pot.amount, pot.seats) for pot in hand.unpaid]


def stacked(hand: DrawHand, held: Mapping[int, str], later: str = "") -> Deck:
    """A deck that deals these five cards and then these replacements; the others get what is left."""
    placed: dict[int, int] = {}
    for seat, text in held.items():
        placed |= dict(zip(hand.held[seat], cards(text), strict=True))
    placed |= {hand.top + place: card for place, card in enumerate(cards(later) if later else ())}
    return hands.filled(placed, PLAIN)


def own(hand: DrawHand, seat: int, deck: Deck) -> tuple[int, ...]:
    """The cards a seat holds."""
    return tuple(deck[slot] for slot in hand.held[seat])
