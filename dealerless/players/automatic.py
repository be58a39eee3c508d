"""The simple strategy: it weighs its hand, mixes its moves by chance, and plays whatever game is legal (DRAW-9, easy).

How strong a hand is comes from a function for the game; for a game without one every hand is worth the same, and the
moves are still legal. Strong hands mostly bet, weak ones mostly give up, and each does everything now and then. Who
else is in, what they did, the price of a call and what may still come are not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ..games.game import Move, Option
from .computer import Betting, Chance
from .hexstrength import hex_strength
from .holdemstrength import holdem_strength
from .player import SeatView

Strength = Callable[[SeatView], int]
"""Returns how many of a thousand random opponents the seat's hand beats, ties counted half."""

MIDDLING: Final = 500


STRENGTHS: Final[Mapping[str, Strength]] = {"hex": hex_strength, "holdem": holdem_strength}

# What is done with a strong, a fair and a weak hand: moves with the weight each has, taken from those that are
# legal. Strong hands mostly raise and weak ones mostly give up; but each does everything now and then, or the
# other side could read the cards off the moves.
_FREE: Final = (
    (800, {"CHECK": 25, "BET": 60, "RAISE": 60, "ALLIN": 15}),
    (550, {"CHECK": 55, "BET": 42, "RAISE": 42, "ALLIN": 3}),
    (0, {"CHECK": 86, "BET": 12, "RAISE": 12, "ALLIN": 2}),
)
_OWING: Final = (
    (800, {"CALL": 45, "RAISE": 45, "ALLIN": 20, "FOLD": 1}),
    (500, {"CALL": 72, "RAISE": 14, "ALLIN": 6, "FOLD": 10}),
    (0, {"CALL": 22, "RAISE": 5, "ALLIN": 2, "FOLD": 71}),
)

# Where a move may carry several amounts: how many halves of the pot more than the least, with the weight of each for a
# strong hand and for another; in place of the last, everything.
_STRONG: Final = 800
_BOLD: Final = [45, 30, 19, 6]
_MODEST: Final = [70, 18, 10, 2]


class Simple(Betting):
    """Decides by the strength of the hand and by chance."""

    def __init__(self, strengths: Mapping[str, Strength] = STRENGTHS) -> None:
        self._strengths = strengths

    def decide(self, view: SeatView, chance: Chance) -> tuple[Move, str]:
        """Return a legal move, and how strong the hand is."""
        owing = any(option.name == "FOLD" for option in view.legal)
        strength = self._strength(view)
        weights = next(weights for least, weights in (_OWING if owing else _FREE) if strength >= least)
        option = view.legal[_draw([weights.get(option.name, 0) for option in view.legal], chance)]
        amount = option.least if option.least == option.most else _amount(view, option, strength, chance)
        return Move(name=option.name, amount=amount), self._reason(view, strength)

    def shows(self, view: SeatView, chance: Chance) -> tuple[bool, str]:
        """Return whether to show: always with a fair hand, seldom with one that has hardly a chance."""
        strength = self._strength(view)
        return strength >= 200 or chance.randrange(4) == 0, self._reason(view, strength)

    def _strength(self, view: SeatView) -> int:
        strength = self._strengths.get(view.game.name)
        return MIDDLING if strength is None else strength(view)

    def _reason(self, view: SeatView, strength: int) -> str:
        if view.game.name not in self._strengths:
            return "it takes any hand of this game for a middling one"
        return f"the hand beats {strength / 10:.0f} % of what the others may hold"


SIMPLE: Final = Simple()


def _amount(view: SeatView, option: Option, strength: int, chance: Chance) -> int:
    """Return what a move carries, mostly little, now and then about the pot, seldom everything."""
    halves = _draw(_BOLD if strength >= _STRONG else _MODEST, chance)
    if halves == len(_BOLD) - 1:
        return option.most
    pot: int = sum(view.hand.totals)
    return min(option.most, option.least + halves * pot // 2)


def _draw(weights: list[int], chance: Chance) -> int:
    """Return a place in the list, as often as its weight says; any place if all weights are 0."""
    total = sum(weights)
    if total == 0:
        return chance.randrange(len(weights))
    ticket = chance.randrange(total)
    for place, weight in enumerate(weights):
        ticket -= weight
        if ticket < 0:
            return place
    raise RuntimeError("the weights do not sum to their total")
