"""Level against level on the rules alone, without cryptography: duplicate deals in every rotation of the seats.

One deal is one order of the deck. It is played once for every seat that the first named level can have, the other
levels filling the rest, each time from the opening stacks and with the same button. Over these rotations the first
level has held everybody's cards in everybody's place, so that what it wins is owed to its play and little to luck. What
it has won over all rotations of a deal is one sample; `tally` says what many of them show.

Where one hand says little because cards are kept for the next, a deal is a whole match: the first deck of it and those
that follow, the same ones in every rotation.

Everything follows from the duel and the number of the deal, whoever plays it and when.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

from ..games import GAMES
from ..games.draw import DRAW
from ..games.game import (
    Act,
    Action,
    Card,
    Deal,
    Demand,
    Discard,
    DrawLot,
    Drawn,
    Exchange,
    Finished,
    Game,
    Laid,
    Lay,
    Light,
    Lit,
    Muck,
    OpenBoard,
    Release,
    Reveal,
    Show,
)
from ..games.hex import HEX
from ..games.holdem import HOLDEM
from ..games.onepoker import ONEPOKER
from ..games.onepokerhand import HALF, class_of
from ..protocol.hashdeal import HASH
from ..protocol.state import Accounts, ActionTaken, HandInPlay
from .levels import computer_player
from .player import Player, SeatView
from .tally import Tally

UNITS: Final[Mapping[str, tuple[str, Callable[[Any], int]]]] = {
    HEX.name: ("antes", lambda terms: terms.bet),
    DRAW.name: ("bets", lambda terms: terms.first),
    HOLDEM.name: ("big blinds", lambda terms: terms.big),
    ONEPOKER.name: ("lives", lambda terms: 1),
}
"""By the game's name what winnings are counted in, and how many chips that is under these terms."""

HANDS: Final[Mapping[str, int]] = {ONEPOKER.name: 50}
"""By the game's name how many hands a deal has at most, where it is a match and nothing else is said."""

BATCH: Final = 4
"""Deals that are played and written down together: seconds where players think, and FIRST_LOOK is a multiple."""

Seating = Callable[[str, random.Random], Player]
"""Returns who plays by this name, with this source of chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """What is played: the game with its dealing, `rules` as on the wire and seats; who plays; and the seed.

    `bots` are levels: the first is measured, the others fill the remaining seats in turn. `hands`: how many a deal has
    at most in a game of `HANDS`, if not as many as stand there.
    """

    game: str
    dealing: str
    rules: tuple[bool | int | str, ...]
    seats: int
    bots: tuple[str, ...]
    seed: int
    hands: int | None = None

    @property
    def unit(self) -> str:
        """What winnings are counted in."""
        return UNITS[self.game][0]

    @property
    def chips(self) -> int:
        """How many chips that is."""
        return UNITS[self.game][1](GAMES[self.game].read_terms(self.rules, self.seats))

    @property
    def most_hands(self) -> int:
        """How many hands a deal has at most."""
        return HANDS.get(self.game, 1) if self.hands is None else self.hands

    @property
    def extremes(self) -> tuple[int, int]:
        """The least and the most chips that the first can win in a deal: all of its own lost, or all others' won."""
        game = GAMES[self.game]
        chips = sum(game.opening_stacks(game.read_terms(self.rules, self.seats), self.seats))
        return -chips, (self.seats - 1) * chips

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
    won = []
    for rotation in range(duel.seats):
        players = [
            player(name, seeded(duel.seed, deal, rotation, seat)) for seat, name in enumerate(duel.seating(rotation))
        ]
        if duel.game in HANDS:
            after = play_rounds(duel, deal, players)
        else:
            cards, button = dealt_cards(duel, deal), deal % duel.seats
            after = play_hand(game, duel.dealing, terms, before, button, cards, players, deal + 1).stacks
        won.append(after[rotation] - before[rotation])
    return tuple(won)


def dealt_cards(duel: Duel, deal: int, *further: int) -> tuple[Card, ...]:
    """Return the cards of this deal by slot: a shuffled deck, or digits each as if there were no others (HEX-4).

    `further` is the number of another deck, from 1, where the deal goes on beyond the first.
    """
    deck, chance = GAMES[duel.game].deck(), seeded(duel.seed, deal, *further)
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
    dealing: str,
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
        elif isinstance(due, Act | Exchange | Show):
            view = SeatView(
                seat=due.seat,
                game=game,
                dealing=dealing,
                books=books,
                play=play,
                hole=tuple([cards[slot] for slot in game.hole_slots(play.hand, due.seat)]),
                legal=game.legal(play.hand),
            )
            play = _chosen(view, due, cards, players[due.seat])
        else:
            raise RuntimeError(f"a single hand cannot be played that demands {due}")
    return due


def _chosen(view: SeatView, due: Act | Exchange | Show, cards: Sequence[Card], player: Player) -> HandInPlay:
    """Return the running hand after the player has chosen what its seat does."""
    play = view.play
    if isinstance(due, Act):
        return _moved(play, view, player)
    action: Action
    if isinstance(due, Exchange):
        action = Discard(slots=player.exchanges(view))
        return _recorded(play, _applied(play, view, action), view.seat, "EXCHANGE", len(action.slots))
    mucks = due.may_muck and not player.shows(view)
    action = Muck() if mucks else Reveal(cards=tuple([cards[slot] for slot in due.slots]))
    return play.at(_applied(play, view, action), None)


def _moved(play: HandInPlay, view: SeatView, player: Player) -> HandInPlay:
    """Return the running hand after the player has moved."""
    move = player.decide(view)
    return _recorded(play, _applied(play, view, move), view.seat, move.name, move.amount)


def _applied(play: HandInPlay, view: SeatView, action: Action) -> Any:
    """Return the game's hand after the action; raises RuntimeError if the rules refuse it."""
    refused = view.game.check(play.hand, view.seat, action)
    if refused is not None:
        raise RuntimeError(f"seat {view.seat} chose {action}: {refused}")
    return view.game.apply(play.hand, view.seat, action)


def _recorded(play: HandInPlay, after: Any, seat: int, name: str, amount: int) -> HandInPlay:
    record = ActionTaken(len(play.actions), seat, name, amount, after.stacks, sum(after.totals))
    return HandInPlay(after, None, play.before, (*play.actions, record), play.dealt)


# --- a match of One Poker -------------------------------------------------------------------------------------------


class _Round(NamedTuple):
    """A running round: its dealing, its accounts, the shoe's cards by slot, who has the first priority of the match.

    `held`: by seat its cards, which have no slots any more: the laid one, the kept one, the new one (ONE-3).
    """

    dealing: str
    books: Accounts
    cards: Sequence[Card]
    first: int
    held: list[tuple[Card, ...]]


def play_rounds(duel: Duel, deal: int, players: Sequence[Player]) -> tuple[int, ...]:
    """Return the lives left, by seat, after a match of One Poker of at most `duel.most_hands` rounds (ONE-10).

    The lot falls by chance on a seat, the same one in every rotation (ONE-6). A new shoe is taken when none of the
    half that is used is left (ONE-2). Lamps show the true classes. Raises RuntimeError if a player chooses what the
    rules refuse.
    """
    game, dealt = GAMES[duel.game], tuple(range(duel.seats))
    terms = game.read_terms(duel.rules, duel.seats)
    lives, button, last, shoes = game.opening_stacks(terms, duel.seats), 0, None, 0
    cards = dealt_cards(duel, deal)
    # What else chance decides has numbers of its own: 0 the lot, from 1 on the shoes after the first.
    first = seeded(duel.seed, deal, 0).randrange(duel.seats)
    held: list[tuple[Card, ...]] = [()] * duel.seats
    for number in range(1, duel.most_hands + 1):
        if not all(game.can_be_dealt_in(terms, stack) for stack in lives):
            break
        if last is not None and last.used == HALF:
            shoes += 1
            cards = dealt_cards(duel, deal, shoes)
        books = Accounts(
            number=number,
            button=button,
            dealt=dealt,
            stacks=lives,
            net=(0,) * duel.seats,
            gone=(None,) * duel.seats,
            forfeits=(),
        )
        hand = game.start(terms, lives, button, dealt, last)
        play = HandInPlay(hand=hand, deal=None, before=lives, actions=(), dealt=dealt)
        while not isinstance(due := game.demand(play.hand), Finished):
            play = _advanced(game, play, due, _Round(duel.dealing, books, cards, first, held), players)
        last, lives = play.hand, due.stacks
        button = game.next_button(button if due.button is None else due.button, dealt, dealt, duel.seats)
    return lives


def _advanced(game: Game, play: HandInPlay, due: Demand, at: _Round, players: Sequence[Player]) -> HandInPlay:
    """Return the running round after its demand is met; who holds what is kept in `at.held`."""
    hand, held = play.hand, at.held
    if isinstance(due, Deal):
        for seat, slots in due.hands:
            held[seat] += tuple([at.cards[slot] for slot in slots])
        return play.at(game.dealt(hand, {}), None)
    if isinstance(due, DrawLot):
        return play.at(game.apply(hand, at.first, Drawn()), None)
    if isinstance(due, Light):
        classes = tuple([class_of(card) for card in held[due.seat][-due.count :]])
        return play.at(game.apply(hand, due.seat, Lit(classes=classes)), None)
    if isinstance(due, Show):
        laid, *kept = held[due.seat]
        held[due.seat] = tuple(kept)
        return play.at(game.apply(hand, due.seat, Reveal(cards=(laid,))), None)
    if not isinstance(due, Act | Lay):
        raise RuntimeError(f"a round cannot be played that demands {due}")
    seat, player = due.seat, players[due.seat]
    view = SeatView(
        seat=seat,
        game=game,
        dealing=at.dealing,
        books=at.books,
        play=play,
        hole=held[seat],
        legal=game.legal(hand),
    )
    if isinstance(due, Act):
        return _moved(play, view, player)
    place = player.lays(view)
    held[seat] = (view.hole[place], view.hole[1 - place])
    return play.at(_applied(play, view, Laid()), None)
