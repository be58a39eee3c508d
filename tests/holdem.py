"""Plays hands of Texas Hold'em from a deck and a line of moves, straight on the rules.

A line is written as in `tests.examples.lines`: `3r16 0c 1r19` is seat 3 raises to 16, seat 0 calls, ... Two further
letters: `s` shows, `m` mucks. `|` marks where a street has to end; it checks, it moves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from dealerless.errors import Violation
from dealerless.games.game import Act, Action, Deal, Finished, Move, Muck, OpenBoard, Option, Release, Reveal, Show
from dealerless.games.holdem import HOLDEM
from dealerless.games.holdemhand import HoldemHand, HoldemTerms
from tests import hands
from tests.examples.lines import NAMES

# Of hands of any game, under these names as well.
Deck = hands.Deck
assert_whole, cards, chips, end = hands.assert_whole, hands.cards, hands.chips, hands.end
PLAIN: Deck = HOLDEM.deck()


def terms(
    structure: str = "no-limit", *, small: int = 1, big: int = 2, ante: int = 0, stack: int = 100, show: str = "all"
) -> HoldemTerms:
    return HoldemTerms(structure=structure, small=small, big=big, ante=ante, stack=stack, show=show)


def opened(agreed: HoldemTerms, stacks: Sequence[int], button: int = 0, seated: Iterable[int] = ()) -> HoldemHand:
    """A hand with its posts in; all seats with chips are dealt in unless `seated` says which."""
    seats = tuple(seated) or tuple(seat for seat, stack in enumerate(stacks) if stack)
    return HOLDEM.start(agreed, tuple(stacks), button, seats)


def met(hand: HoldemHand, deck: Deck = PLAIN) -> HoldemHand:
    """The hand after everything that is no seat's choice: deals, releases and cards of the board from `deck`."""
    while isinstance(demand := HOLDEM.demand(hand), Deal | Release | OpenBoard):
        assert not isinstance(demand, OpenBoard | Release) or demand.slots
        known = {slot: deck[slot] for slot in demand.slots} if isinstance(demand, OpenBoard) else {}
        after = HOLDEM.dealt(hand, known)
        assert_whole(after, chips(hand))
        hand = after
    return hand


def action(hand: HoldemHand, text: str, deck: Deck = PLAIN) -> tuple[int, Action]:
    """The seat and the action one token stands for; without an amount the least, with `*` the most it may carry."""
    seat, letter, amount = int(text[0]), text[1], text[2:]
    if letter == "s":
        return seat, Reveal(cards=tuple(deck[slot] for slot in HOLDEM.hole_slots(hand, seat)))
    if letter == "m":
        return seat, Muck()
    spans = {option.name: (option.least, option.most) for option in HOLDEM.legal(hand)}
    least, most = spans.get(NAMES[letter], (0, 0))
    chosen = least if amount == "" else most if amount == "*" else int(amount)
    return seat, Move(name=NAMES[letter], amount=chosen)


def step(hand: HoldemHand, seat: int, taken: Action) -> HoldemHand:
    """The hand after an action that has to be legal."""
    after = hands.legal_step(HOLDEM, hand, seat, taken)
    assert_whole(after, chips(hand))
    return after


def play(hand: HoldemHand, line: str, deck: Deck = PLAIN) -> HoldemHand:
    """The hand after a line, and after what then follows by itself."""
    hand = met(hand, deck)
    street = hand.street
    for text in line.split():
        if text == "|":
            assert hand.street != street, (line, hand)
            street = hand.street
        else:
            hand = met(step(hand, *action(hand, text, deck)), deck)
    return hand


def shown_down(hand: HoldemHand, deck: Deck = PLAIN) -> HoldemHand:
    """The hand after everybody who is asked has shown."""
    hand = met(hand, deck)
    while isinstance(demand := HOLDEM.demand(hand), Show):
        hand = met(step(hand, *action(hand, f"{demand.seat}s", deck)), deck)
    return hand


def actions(hand: HoldemHand, deck: Deck) -> list[Action]:
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


def forward(hand: HoldemHand, deck: Deck, choose: hands.Choose) -> HoldemHand:
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


def run_out(hand: HoldemHand, deck: Deck, choose: hands.Choose) -> HoldemHand:
    """The hand at its end."""
    while not isinstance(HOLDEM.demand(hand), Finished):
        hand = forward(hand, deck, choose)
    return hand


def moments(hand: HoldemHand, line: str) -> Iterator[HoldemHand]:
    """Every state of a hand, from its posts to its end."""
    texts = line.split()
    while not isinstance(hand.due, Finished):
        yield hand
        if isinstance(hand.due, Act | Show) and texts:
            hand = step(hand, *action(hand, texts.pop(0)))
        else:
            hand = forward(hand, PLAIN, hands.first)
    assert not texts
    yield hand


def refused(hand: HoldemHand, text: str, deck: Deck = PLAIN) -> Violation:
    """The refusal of an action."""
    return hands.refusal_of(HOLDEM, hand, *action(hand, text, deck))


def options(hand: HoldemHand) -> str:
    """What comes next, in a line: `0: CALL, RAISE 260..1000, FOLD`, `show 0`, `fold`."""
    demand = HOLDEM.demand(hand)
    if isinstance(demand, Act):
        return f"{demand.seat}: {', '.join(map(_option, HOLDEM.legal(hand)))}"
    if isinstance(demand, Show):
        return f"show {demand.seat}" + (" or muck" if demand.may_muck else "")
    if isinstance(demand, Finished):
        return demand.result
    return type(demand).__name__


def _option(option: Option) -> str:
    span = f"{option.least}" if option.least == option.most else f"{option.least}..{option.most}"
    return option.name if option.most == 0 else f"{option.name} {span}"


def stacked(hand: HoldemHand, board: str, holes: Mapping[int, str]) -> Deck:
    """A deck that deals this board and these hole cards; the others get what is left."""
    placed: dict[int, int] = {}
    for seat, text in holes.items():
        placed |= dict(zip(HOLDEM.hole_slots(hand, seat), cards(text), strict=True))
    placed |= dict(zip(HOLDEM.board_slots(hand), cards(board), strict=True))
    return hands.filled(placed, PLAIN)
