"""Level against level on the rules alone, without cryptography: duplicate deals in every rotation of the seats.

One deal is one order of the deck. It is played once for every seat that the first named level can have, the other
levels filling the rest, each time from the opening stacks and with the same button. Over these rotations the first
level has held everybody's cards in everybody's place, so that what it wins is owed to its play and little to luck. What
it has won over all rotations of a deal is one sample; `tally` says what many of them show.

Everything follows from the duel and the number of the deal, whoever plays it and when.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from ..games import GAMES
from ..games.draw import DRAW
from ..games.game import (
    Act,
    Action,
    Card,
    Deal,
    Discard,
    Exchange,
    Finished,
    Game,
    Muck,
    OpenBoard,
    Release,
    Reveal,
    Show,
)
from ..games.hex import HEX
from ..games.holdem import HOLDEM
from ..protocol.hashdeal import HASH
from ..protocol.state import Accounts, ActionTaken, HandInPlay
from .levels import computer_player
from .player import Player, SeatView
from .tally import Tally

UNITS: Final[Mapping[str, tuple[str, Callable[[Any], int]]]] = {
    HEX.name: ("antes", lambda terms: terms.bet),
    DRAW.name: ("bets", lambda terms: terms.first),
    HOLDEM.name: ("big blinds", lambda terms: terms.big),
}
"""By the game's name what winnings are counted in, and how many chips that is under these terms."""

BATCH: Final = 4
"""Deals that are played and written down together: seconds where players think, and FIRST_LOOK is a multiple."""

Seating = Callable[[str, random.Random], Player]
"""Returns who plays by this name, with this source of chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """What is played: the game with its dealing, `rules` as on the wire and seats; who plays; and the seed.

    `bots` are levels: the first is measured, the others fill the remaining seats in turn.
    """

    game: str
    dealing: str
    rules: tuple[bool | int | str, ...]
    seats: int
    bots: tuple[str, ...]
    seed: int

    @property
    def unit(self) -> str:
        """What winnings are counted in."""
        return UNITS[self.game][0]

    @property
    def chips(self) -> int:
        """How many chips that is."""
        return UNITS[self.game][1](GAMES[self.game].read_terms(self.rules, self.seats))

    def fields(self) -> dict[str, Any]:
        """Return all of it by name, as JSON has it."""
        return {**asdict(self), "rules": list(self.rules), "bots": list(self.bots)}

    def seating(self, rotation: int) -> tuple[str, ...]:
        """Return who sits where, by seat, when the first of the bots sits at seat number `rotation`."""
        first, *others = self.bots
        line = (first, *[others[place % len(others)] for place in range(self.seats - 1)])
        return tuple([line[(seat - rotation) % self.seats] for seat in range(self.seats)])


def quick_player(level: str, chance: random.Random) -> Player:
    """Return a computer player of this level that takes as few samples as where thousands of hands are played."""
    return computer_player(level, chance, quick=True)


def play_deals(duel: Duel, first: int, deals: int, player: Seating = quick_player) -> Tally:
    """Return what the first of the bots wins in so many deals from number `first` on, in chips."""
    won = [sum(play_deal(duel, deal, player)) for deal in range(first, first + deals)]
    return Tally(deals=deals, total=sum(won), squares=sum([chips * chips for chips in won]))


def play_deal(duel: Duel, deal: int, player: Seating = quick_player) -> tuple[int, ...]:
    """Return the chips that the first of the bots wins with this deal, by the seat it has."""
    game = GAMES[duel.game]
    terms = game.read_terms(duel.rules, duel.seats)
    before = game.opening_stacks(terms, duel.seats)
    cards, button = dealt_cards(duel, deal), deal % duel.seats
    won = []
    for rotation in range(duel.seats):
        players = [
            player(name, seeded(duel.seed, deal, rotation, seat)) for seat, name in enumerate(duel.seating(rotation))
        ]
        after = play_hand(game, terms, before, button, cards, players, deal + 1).stacks
        won.append(after[rotation] - before[rotation])
    return tuple(won)


def dealt_cards(duel: Duel, deal: int) -> tuple[Card, ...]:
    """Return the cards of this deal by slot: a shuffled deck, or digits each as if there were no others (HEX-4)."""
    deck, chance = GAMES[duel.game].deck(), seeded(duel.seed, deal)
    if duel.dealing == HASH.name:
        return tuple(chance.choices(sorted(set(deck)), k=len(deck)))
    return tuple(chance.sample(deck, len(deck)))


def seeded(*numbers: int) -> random.Random:
    """Return a source of chance that is the same for the same numbers, and unlike that of any others."""
    # Nobody's chips hang on these cards: what counts is that anybody gets the same ones.
    return random.Random("dealerless arena " + " ".join(map(str, numbers)))  # noqa: S311


# --- one hand -----------------------------------------------------------------------------------------------------


def play_hand(
    game: Game,
    terms: Any,
    before: tuple[int, ...],
    button: int,
    cards: Sequence[Card],
    players: Sequence[Player],
    number: int,
) -> Finished:
    """Return how a hand ends between these players, by seat, with `cards` by slot; it is called hand `number`.

    `before` are the stacks; all seats that can be are dealt in. A player is shown what its seat knows and nothing else.
    Raises RuntimeError if it chooses what the rules refuse.
    """
    seats = len(before)
    dealt = tuple([seat for seat in range(seats) if game.can_be_dealt_in(terms, before[seat])])
    books = Accounts(
        number=number,
        button=button,
        dealt=dealt,
        stacks=before,
        net=(0,) * seats,
        gone=(None,) * seats,
        forfeits=(),
    )
    hand = game.start(terms, before, button, dealt)
    play = HandInPlay(hand=hand, deal=None, before=before, actions=(), dealt=dealt)
    while not isinstance(due := game.demand(play.hand), Finished):
        if isinstance(due, OpenBoard):
            play = play.at(game.dealt(play.hand, {slot: cards[slot] for slot in due.slots}), None)
        elif isinstance(due, Deal | Release):
            play = play.at(game.dealt(play.hand, {}), None)
        else:
            play = _chosen(game, books, play, due, cards, players[due.seat])
    return due


def _chosen(
    game: Game, books: Accounts, play: HandInPlay, due: Act | Exchange | Show, cards: Sequence[Card], player: Player
) -> HandInPlay:
    """Return the running hand after the player has chosen what its seat does."""
    hand, seat = play.hand, due.seat
    view = SeatView(
        seat=seat,
        game=game,
        books=books,
        play=play,
        hole=tuple([cards[slot] for slot in game.hole_slots(hand, seat)]),
        legal=game.legal(hand),
    )
    action: Action
    taken: tuple[str, int] | None = None
    if isinstance(due, Act):
        action = player.decide(view)
        taken = action.name, action.amount
    elif isinstance(due, Exchange):
        action = Discard(slots=player.exchanges(view))
        taken = "EXCHANGE", len(action.slots)
    else:
        mucks = due.may_muck and not player.shows(view)
        action = Muck() if mucks else Reveal(cards=tuple([cards[slot] for slot in due.slots]))
    refused = game.check(hand, seat, action)
    if refused is not None:
        raise RuntimeError(f"seat {seat} chose {action}: {refused}")
    after = game.apply(hand, seat, action)
    if taken is None:
        return play.at(after, None)
    record = ActionTaken(len(play.actions), seat, *taken, after.stacks, sum(after.totals))
    return HandInPlay(after, None, play.before, (*play.actions, record), play.dealt)
