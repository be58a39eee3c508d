"""What people call the things that every game has: in One Poker a hand is a round, and chips are lives."""

from __future__ import annotations

from typing import Final, NamedTuple

from ..games.game import Game
from ..games.onepoker import ONEPOKER
from ..protocol.state import HandRecord


class Naming(NamedTuple):
    """Words of a game: for a hand, what is staked, one seat's and all seats' of it, and who signs a hand's start."""

    hand: str
    chips: str
    stack: str
    stacks: str
    button: str

    def hands(self, number: int) -> str:
        """Return a number of hands in words."""
        return f"{number} {self.hand}{'' if number == 1 else 's'}"


_USUAL: Final = Naming(hand="hand", chips="chips", stack="stack", stacks="stacks", button="button")
_OWN: Final = {ONEPOKER.name: Naming(hand="round", chips="lives", stack="lives", stacks="lives", button="priority")}


def naming(game: str | None) -> Naming:
    """Return the words for the game of this name; the usual ones where it is not known."""
    return _USUAL if game is None else _OWN.get(game, _USUAL)


def leading(hand: HandRecord) -> int:
    """Return who had the button, or in One Poker the priority: in the first round whom the lot gave it (ONE-6)."""
    if hand.game.name == ONEPOKER.name:
        seat: int = hand.hand.first
        return seat
    return hand.button


def showing(game: Game) -> str:
    """Return what a seat does with its cards at the end, in words: it shows what it holds, or opens what it laid."""
    return "opens" if game.name == ONEPOKER.name else "shows"
