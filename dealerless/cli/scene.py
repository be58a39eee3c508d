"""The table as one seat sees it, in lines: common and own cards, pots, every seat, what is owed, the legal moves.

For any game: what a game has of its own, such as the names of its blinds, is looked up by its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import Any, Final

from ..games.cards import RANKS, SUITS, rank_of
from ..games.draw import DRAW
from ..games.game import Card, Exchange, Game, Move, Option
from ..games.holdem import HOLDEM
from ..games.onepoker import ONEPOKER
from ..games.onepokerhand import COPIES, HALF, OneHand
from ..games.pots import pots
from ..players.player import SeatView
from ..protocol.state import ActionTaken
from ..report.cards import hand_text, worth
from ..report.naming import naming, showing
from ..report.onecourse import lamps_text
from ..report.stages import exchange_text, stranded_text, street_name

_WIDTH: Final = 78
"""Of a line that can get long, so that it is one of 80 where it is indented."""

_SHOWING: Final = "who does not show gives up the pot"
_STREETS: Final = {0: "before the flop", 3: "flop", 4: "turn", 5: "river"}


def table_lines(view: SeatView) -> Iterator[str]:
    """Yield the table as the seat sees it when it is to choose."""
    hand, game = view.hand, view.game
    yield f"{board_text(game, hand)}, {_pot(hand)}; {_number(view)}"
    if game.name == ONEPOKER.name:
        seen = cards_text(game, sorted(hand.played, key=lambda card: (rank_of(card), card)))
        yield from wrap(f"seen in this shoe: {seen or 'no card yet'}", _WIDTH, subsequent_indent="  ")
    yield own_text(game, hand, view.seat, view.hole)
    width = len(f"seat {len(hand.stacks) - 1} (you)")
    for seat in range(len(hand.stacks)):
        yield _seat_line(view, seat, width)
    for seat in hand.shown:
        yield f"seat {seat} {showing(game)} {shown_text(game, hand, seat)}"
    owed = hand.betting.owed if view.legal else 0
    if owed:
        yield f"you owe {owed}"


def so_far_lines(view: SeatView) -> Iterator[str]:
    """Yield the moves and exchanges of the hand until now, for who has not seen them; nothing if there are none."""
    told = []
    for taken in view.play.actions:
        move = exchange_text(taken.amount) if taken.move == "EXCHANGE" else _made(view.hand, taken)
        told.append(f"seat {taken.seat}{' (you)' if taken.seat == view.seat else ''} {move}")
    if told:
        yield from wrap(f"so far: {', '.join(told)}", _WIDTH, subsequent_indent="  ")


def legal_text(view: SeatView) -> str:
    """Return the legal moves with the amounts that they may carry, and what they cost where they carry none."""
    return ", ".join([_option(view, option) for option in view.legal])


def cards_text(game: Game, cards: Iterable[Card]) -> str:
    """Return cards as people write them in a row."""
    return hand_text([game.card_text(card) for card in cards])


def tally_lines(hand: OneHand) -> Iterator[str]:
    """Yield how often each rank was opened in this shoe, and how many cards of its half are left (ONE-2)."""
    copies = COPIES * len(SUITS)
    ranks = [RANKS[rank_of(card)] for card in hand.played]
    yield f"opened in this shoe, of {copies} each: " + "  ".join([f"{rank} {ranks.count(rank)}" for rank in RANKS])
    left = HALF - hand.used
    after = "" if left else "; the next round begins with a fresh one"
    yield f"{left} of the {HALF} cards that are used of it are still to be dealt{after}"


def board_text(game: Game, hand: Any) -> str:
    """Return the common cards that are open, and at which point of the hand that is."""
    if game.name == ONEPOKER.name:
        return "priority not drawn yet" if hand.priority is None else f"priority seat {hand.priority}"
    if game.name == DRAW.name:
        return street_name(game, hand)
    cards = [card for slot in game.board_slots(hand) if (card := hand.cards[slot]) is not None]
    name = _STREETS[len(cards)] if game.name == HOLDEM.name else "common"
    return f"{name} {cards_text(game, cards)}".rstrip()


def own_text(game: Game, hand: Any, seat: int, hole: tuple[Card, ...]) -> str:
    """Return the own cards of a seat, and what they are worth with the common ones."""
    if game.name == ONEPOKER.name and hole:
        return _own_pair(game, hole, seat in hand.laid)
    demand = game.demand(hand)
    if hole and isinstance(demand, Exchange) and demand.seat == seat:
        # With the numbers by which they are exchanged.
        numbered = "  ".join([f"{number}:{game.card_text(card)}" for number, card in enumerate(hole, 1)])
        return f"your cards {numbered}{_worth(game, hand, hole)}"
    return f"your cards {held_text(game, hand, hole)}" if hole else "you have no cards in this hand"


def _own_pair(game: Game, hole: tuple[Card, ...], laid: bool) -> str:
    """Return our two cards of One Poker: the kept and the new one, or the laid and the kept one."""
    names = ("laid", "kept") if laid else ("1:", "2:")
    return "your cards " + ", ".join(
        [f"{name} {game.card_text(card)}" for name, card in zip(names, hole, strict=False)]
    )


def held_text(game: Game, hand: Any, hole: tuple[Card, ...]) -> str:
    """Return somebody's cards, with what they are worth as far as the common ones are open."""
    return cards_text(game, hole) + _worth(game, hand, hole)


def shown_text(game: Game, hand: Any, seat: int) -> str:
    """Return the cards that a seat has shown, with what they are worth."""
    return held_text(game, hand, tuple([hand.cards[slot] for slot in game.hole_slots(hand, seat)]))


def _worth(game: Game, hand: Any, hole: tuple[Card, ...]) -> str:
    best = game.best(hand, hole)
    return "" if best is None else f": {worth(game.name, best)}"


def broken(hand: Any) -> bool:
    """Return whether cards of a hand cannot be opened or dealt from its first deck any more (VERDICT-4c)."""
    return getattr(hand, "broken", False)


def broken_lines(game: Game, hand: Any) -> Iterator[str]:
    """Yield, for a hand that has just become `broken`, why nobody moves any more and what is to be done for the pot."""
    yield stranded_text(game)
    coming = still_to_come(game, hand)
    yield f"{coming}, once two or more have shown; {_SHOWING}" if coming else f"all still in show; {_SHOWING}"


def still_to_come(game: Game, hand: Any) -> str:
    """Return how many common cards a `broken` hand lacks; empty for a game that has none."""
    if not game.board_slots(hand):
        return ""
    closed = sum([hand.cards[slot] is None for slot in game.board_slots(hand)])
    return f"{closed} common card{' is' if closed == 1 else 's are'} still to come from a fresh deck"


def move_text(game: Game, before: Any, seat: int, move: Move) -> str:
    """Return a move as it is told: to which level, or what it puts in. `before` is the hand in which it is made."""
    if move.amount:
        return _amount_text(before, move.name, str(move.amount))
    pays = cost(game, before, seat, move)
    return f"{move.name}, pays {pays}" if pays else move.name


def position(game: Game, hand: Any, seat: int) -> str:
    """Return what the seat is in this hand: the button, a blind, several of them, or nothing."""
    if game.name == ONEPOKER.name:
        first = "priority" if seat == hand.priority else ""
        laid = "has laid" if seat in hand.laid and seat not in hand.shown else ""
        return ", ".join(filter(None, [f"lamps {lamps_text(hand.lamps[seat])}", first, laid]))
    names = ["button"] if seat == hand.button else []
    if game.name == HOLDEM.name and seat in hand.order:
        # From the button's left; heads-up the button itself is the small blind (HOLDEM-3).
        small, big = hand.order[:2] if len(hand.order) > 2 else hand.order[::-1]
        names += ["small blind"] if seat == small else ["big blind"] if seat == big else []
    return ", ".join(names)


def _number(view: SeatView) -> str:
    """Return which hand of how many it is, by what the game calls them."""
    number = f"{naming(view.game.name).hand} {view.books.number}"
    return number if view.hands is None else f"{number} of {view.hands}"


def _pot(hand: Any) -> str:
    total = sum(hand.totals)
    parts = pots(hand.totals, hand.folded)
    # A side pot begins where somebody has no chips left; below that it is not yet known what there will be. Between two
    # there is none: what one of them has put in alone is called, or comes back.
    if len(parts) < 2 or len(hand.totals) == 2 or not any(_all_in(hand, seat) for seat in range(len(hand.stacks))):
        return f"pot {total}"
    shares = [f"{part.amount} (seats {' '.join([str(seat) for seat in part.seats])})" for part in parts]
    return f"pots {' + '.join(shares)}"


def _seat_line(view: SeatView, seat: int, width: int) -> str:
    hand = view.hand
    who = f"seat {seat} (you)" if seat == view.seat else f"seat {seat}"
    net = view.books.net[seat]
    stack = f"{naming(view.game.name).stack} {hand.stacks[seat]:<6}"
    parts = [f"{who:<{width}}", stack, f"put in {hand.totals[seat]:<6}"]
    parts.append(f"net {f'{net:+d}' if net else '0':<6}")
    return " ".join([*parts, ", ".join(filter(None, _standing(view, seat)))]).rstrip()


def _standing(view: SeatView, seat: int) -> tuple[str, ...]:
    hand, gone = view.hand, view.books.gone[seat]
    if gone is not None:
        return (gone,)
    if seat not in view.play.dealt:
        return (undealt_text(hand.stacks[seat]),)
    all_in = "no life left" if view.game.name == ONEPOKER.name else "all-in"
    condition = "folded" if hand.folded[seat] else all_in if _all_in(hand, seat) else ""
    shown = "shown" if seat in hand.shown else ""
    changed = [taken.amount for taken in view.play.actions if taken.seat == seat and taken.move == "EXCHANGE"]
    exchanged = f"exchanged {changed[0] or 'none'}" if changed else ""
    return position(view.game, hand, seat), exchanged, condition, shown


def undealt_text(stack: int) -> str:
    """Return why a seat is dealt in no more: no chips, or fewer than a hand can cost (DRAW-7)."""
    return "too few chips for a hand" if stack else "out of chips"


def _all_in(hand: Any, seat: int) -> bool:
    return bool(hand.totals[seat]) and not hand.stacks[seat] and not hand.folded[seat]


def _option(view: SeatView, option: Option) -> str:
    hand = view.hand
    if option.most == 0:
        pays = cost(view.game, hand, view.seat, Move(name=option.name, amount=0))
        return f"{option.name} (pays {pays})" if pays else option.name
    span = str(option.least) if option.least == option.most else f"{option.least}..{option.most}"
    return _amount_text(hand, option.name, span)


def _amount_text(hand: Any, name: str, amount: str) -> str:
    """Return a move with its amount, or with the amounts that it may carry, by what the game counts."""
    counted = hand.betting.structure.amounts
    if counted == "by":
        return f"{name} {amount}" + (" more" if name == "RAISE" else "")
    return f"{name} {'to ' if counted == 'to' else ''}{amount}"


def _made(hand: Any, taken: ActionTaken) -> str:
    """Return a move that was made."""
    return _amount_text(hand, taken.move, str(taken.amount)) if taken.amount else taken.move


def cost(game: Game, hand: Any, seat: int, move: Move) -> int:
    """Return how many chips a legal move takes from the stack; uncalled ones that come back at once are none."""
    before: int = hand.stacks[seat]
    after: int = game.apply(hand, seat, move).stacks[seat]
    return max(0, before - after)
