"""One Poker at level easy: lays a random card, checks, and calls; good for seeing how a round goes."""

from __future__ import annotations

from typing import Final

from ..games.game import Move
from .computer import Betting, Chance
from .onespot import spot
from .player import SeatView


class OneEasy(Betting):
    """Looks at nothing but what is owed."""

    def decide(self, view: SeatView, chance: Chance) -> tuple[Move, str]:
        """Return a check, or a call where something is owed."""
        at = spot(view)
        return at.staying(), f"it pays what is owed, here {at.owed}, and never more"

    def lays(self, view: SeatView, chance: Chance) -> tuple[int, str]:
        """Return either place, each as likely."""
        return chance.randrange(2), "one of the two, by chance"


ONE_EASY: Final = OneEasy()
