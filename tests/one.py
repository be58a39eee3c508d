"""Plays rounds of One Poker straight on the rules, from named cards, places to lay, and lines of moves.

Cards are written as everywhere (`S2`); a line is written as in `tests.examples.lines`: `0b2 1c 1k 0k`.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Self

from dealerless.errors import Violation
from dealerless.games.cards import read_cards
from dealerless.games.game import (
    Act,
    Action,
    Deal,
    DrawLot,
    Drawn,
    Finished,
    Laid,
    Lay,
    Light,
    Lit,
    Reveal,
    Show,
)
from dealerless.games.onepoker import ONEPOKER
from dealerless.games.onepokerhand import OneTerms
from dealerless.players.player import SeatView
from dealerless.protocol.state import Accounts, ActionTaken, HandInPlay
from tests.examples import lines
from tests.matches import Choose, Match, first_option

Pair = tuple[str, str]


def is_up(card: str) -> int:
    """ONE-4, spelled out: 1 for 8 to A."""
    return int(card[1] in "89TJQKA")


def number(card: str) -> int:
    """The card that is written so."""
    (found,) = read_cards(card)
    return found


class Table:
    """A match without its protocol. `held` are the cards of each seat, the kept one first; `down` those that lie."""

    def __init__(self, lives: tuple[int, int], priority: int = 0) -> None:
        self.terms = OneTerms(lives=lives)
        self.lot = priority
        self.held: list[list[str]] = [[], []]
        self.down: list[str] = ["", ""]
        self.hand = ONEPOKER.start(self.terms, lives, 0, (0, 1))
        self.check()

    def begin(self) -> Self:
        """Begin the round after one that is over."""
        end = self.end
        assert end.button is not None
        self.hand = ONEPOKER.start(self.terms, end.stacks, end.button, (0, 1), self.hand)
        self.check()
        return self

    @property
    def end(self) -> Finished:
        """How the round ended."""
        assert isinstance(self.hand.due, Finished), self.hand.due
        return self.hand.due

    @property
    def betting(self) -> str:
        """Lives of seat 0, of seat 1, and in the pot."""
        return f"{self.hand.stacks[0]}/{self.hand.stacks[1]}/{sum(self.hand.totals)}"

    @property
    def options(self) -> str:
        """Who is to act and what it may do."""
        return lines.options(self.hand.betting)

    def check(self) -> None:
        """Lives are neither made nor lost, and lamps count what is held and lies."""
        hand = self.hand
        lives = hand.due.stacks if isinstance(hand.due, Finished) else (*hand.stacks, *hand.totals)
        assert sum(lives) == sum(self.terms.lives)
        assert min(lives) >= 0

    def act(self, seat: int, action: Action) -> Self:
        """Do what must be legal."""
        refusal = ONEPOKER.check(self.hand, seat, action)
        assert refusal is None, refusal
        self.hand = ONEPOKER.apply(self.hand, seat, action)
        self.check()
        return self

    def refused(self, seat: int, action: Action) -> Violation:
        """Why this is not legal."""
        refusal = ONEPOKER.check(self.hand, seat, action)
        assert refusal is not None
        return refusal

    # --- a round

    def deal(self, *new: Sequence[str]) -> Self:
        """Draw the lot if it is due, deal these cards, by seat, and light the lamps."""
        if isinstance(self.hand.due, DrawLot):
            self.act(self.lot, Drawn())
        due = self.hand.due
        assert isinstance(due, Deal)
        assert [(seat, len(slots)) for seat, slots in due.hands] == [
            (seat, len(new[seat])) for seat in (self.hand.first, 1 - self.hand.first)
        ]
        self.hand = ONEPOKER.dealt(self.hand, {})
        for seat in (self.hand.first, 1 - self.hand.first):
            light = self.hand.due
            assert isinstance(light, Light)
            assert (light.seat, light.count) == (seat, len(new[seat]))
            self.act(seat, Lit(classes=tuple([is_up(card) for card in new[seat]])))
            self.held[seat] += new[seat]
            up = sum([is_up(card) for card in self.held[seat]])
            assert self.hand.lamps[seat] == (2 - up, up)
        return self

    def lay(self, *cards: str) -> Self:
        """Both lay these cards, by seat, who has priority first."""
        for seat in (self.hand.first, 1 - self.hand.first):
            assert self.hand.due == Lay(seat=seat)
            self.act(seat, Laid())
            self.held[seat].remove(cards[seat])
            self.down[seat] = cards[seat]
        return self

    def play(self, line: str) -> Self:
        """Make these moves."""
        for text in line.split():
            assert isinstance(self.hand.due, Act)
            seat, move = lines.token(self.hand.betting, text)
            self.act(seat, move)
        return self

    def open(self) -> Self:
        """Open both laid cards, who has priority first."""
        for seat in (self.hand.first, 1 - self.hand.first):
            assert self.hand.due == Show(seat=seat, slots=(seat,), may_muck=False)
            self.act(seat, Reveal(cards=(number(self.down[seat]),)))
            assert sum(self.hand.lamps[seat]) == 1
        return self

    def round(self, new: tuple[Sequence[str], Sequence[str]], laid: Pair, line: str) -> Self:
        """A whole round, begun already."""
        return self.deal(*new).lay(*laid).play(line).open()


def view_of(at: Table, seat: int, hole: tuple[str, str], *moves: tuple[int, str, int]) -> SeatView:
    """What the seat sees at a table where these moves were made."""
    lives, seats = at.terms.lives, (0, 1)
    books = Accounts(number=1, button=0, dealt=seats, stacks=lives, net=(0, 0), gone=(None, None), forfeits=())
    taken = tuple([ActionTaken(place, who, name, by, (0, 0), 0) for place, (who, name, by) in enumerate(moves)])
    return SeatView(
        seat=seat,
        game=ONEPOKER,
        dealing="shoe",
        books=books,
        play=HandInPlay(at.hand, None, lives, taken, seats),
        hole=(number(hole[0]), number(hole[1])),
        legal=ONEPOKER.legal(at.hand),
    )


def opened_on(one: str, other: str, lives: tuple[int, int] = (10, 10), priority: int = 0, line: str = "") -> Table:
    """A first round in which these cards were laid."""
    table = Table(lives, priority)
    line = line or (f"{priority}k {1 - priority}k" if min(lives) > 1 else "")
    return table.round(((one, "C5"), (other, "C6")), (one, other), line)


# --- matches over the protocol: nothing is proven twice -----------------------------------------------------------


def branch(match: Match) -> Match:
    """The same match so far, to be gone on with in another way."""
    other = copy.copy(match)
    other.frames, other.out = list(match.frames), set(match.out)
    other.sessions = [copy.copy(session) for session in match.sessions]
    return other


def steps(match: Match, choose: Choose = first_option) -> Iterator[Match]:
    """The match before each of its messages, and at its end; it moves on when the next is asked for."""
    while match.state.owed is not None:
        yield match
        match.turn(choose)
    yield match
