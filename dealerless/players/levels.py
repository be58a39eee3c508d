"""Which strategy plays which game at which level: the one table of computer players (DRAW-9).

A game that is not in the table is played by the simple strategy, whatever the level, which knows only what is legal.
What is heavy, numpy and its tables, is imported by a strategy when it first decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from ..games.draw import DRAW
from ..games.hex import HEX
from ..games.holdem import HOLDEM
from ..games.onepoker import ONEPOKER
from .automatic import SIMPLE
from .computer import Chance, ComputerPlayer, Note, Strategy
from .drawplay import DRAW_EASY, DRAW_HARD, DRAW_HARD_QUICK, DRAW_MEDIUM
from .hexhard import HEX_HARD
from .hexmedium import HEX_MEDIUM
from .holdemhard import HOLDEM_HARD, HOLDEM_HARD_QUICK
from .holdemmedium import HOLDEM_MEDIUM
from .oneeasy import ONE_EASY
from .onehard import ONE_HARD, ONE_HARD_QUICK
from .onemedium import ONE_MEDIUM

STRATEGIES: Final[Mapping[str, Mapping[str, Strategy]]] = {
    HEX.name: {"easy": SIMPLE, "medium": HEX_MEDIUM, "hard": HEX_HARD},
    HOLDEM.name: {"easy": SIMPLE, "medium": HOLDEM_MEDIUM, "hard": HOLDEM_HARD},
    DRAW.name: {"easy": DRAW_EASY, "medium": DRAW_MEDIUM, "hard": DRAW_HARD},
    ONEPOKER.name: {"easy": ONE_EASY, "medium": ONE_MEDIUM, "hard": ONE_HARD},
}
"""By the game's name and the level, one of `LEVELS`; these think as long as they may at a table."""

QUICK: Final[Mapping[str, Mapping[str, Strategy]]] = {
    HOLDEM.name: {"hard": HOLDEM_HARD_QUICK},
    DRAW.name: {"hard": DRAW_HARD_QUICK},
    ONEPOKER.name: {"hard": ONE_HARD_QUICK},
}
"""What plays instead where thousands of hands are played: the same with fewer samples."""


def strategy(game: str, level: str, *, quick: bool = False) -> Strategy:
    """Return what plays the game of this name at this level; the simple strategy where the game has none.

    `quick`: with fewer samples where it takes any.
    """
    known = STRATEGIES.get(game, {}).get(level, SIMPLE)
    return QUICK.get(game, {}).get(level, known) if quick else known


def computer_player(
    level: str, chance: Chance, note: Callable[[Note], None] = lambda note: None, *, quick: bool = False
) -> ComputerPlayer:
    """Return a player of this level, one of `LEVELS`, for any game.

    All that it does by chance comes from `chance`; every decision is told to `note`. `quick` as in `strategy`.
    """
    return ComputerPlayer(partial(strategy, level=level, quick=quick), chance, note)
