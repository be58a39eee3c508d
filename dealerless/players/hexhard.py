"""Hex poker at level hard: an equilibrium of the betting round on the board that lies there (DRAW-9).

Strategy. When the board is open the whole betting round is solved for it (`hexequilibrium`), once a hand: for every
history of moves and every pair of hole cards the solution says how likely each move is to be. The seat draws its move
from these chances. Bluffs, calls and raises come out of the solution with the frequencies that leave the other nothing
to gain, whatever it does; ranges need not be guessed, for the solution weighs all of them at once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ..games.game import Move
from ..games.hex import HexHand
from .computer import Betting, Chance
from .hexequilibrium import Equilibrium, choose, follow, reason, solve
from .player import SeatView

# What was solved for a place where the tree was cut is kept while the hand is played.
_follow = lru_cache(maxsize=64)(follow)


class HexHard(Betting):
    """Draws its moves from an equilibrium."""

    def prepare(self) -> None:
        """Import what boards are solved with."""
        from . import hexresponse, hextree  # noqa: F401

    def decide(self, view: SeatView, chance: Chance) -> tuple[Move, str]:
        """Return a legal move, and how likely each was to be drawn."""
        hand: HexHand = view.hand
        history = tuple([action.move for action in view.play.actions])
        equilibrium = _at(solve(view.board, hand.terms.depth, dealing=view.dealing), history)
        name = choose(equilibrium, history, view.hole, chance)
        option = next(option for option in view.legal if option.name == name)
        return Move(name=name, amount=option.least), reason(equilibrium, history, view.hole)


def _at(equilibrium: Equilibrium, history: tuple[str, ...]) -> Equilibrium:
    """Return the equilibrium that has all moves after `history`, solved again at every place where a tree was cut."""
    for moves in range(len(history) + 1):
        equilibrium = _follow(equilibrium, history[:moves])
    return equilibrium


HEX_HARD: Final = HexHard()
