"""Rules as pure state machines, betting, pots and evaluation; knows no cryptography."""

from collections.abc import Mapping
from typing import Final

from .draw import DRAW
from .game import Game
from .hex import HEX
from .holdem import HOLDEM
from .onepoker import ONEPOKER

GAMES: Final[Mapping[str, Game]] = {HEX.name: HEX, DRAW.name: DRAW, HOLDEM.name: HOLDEM, ONEPOKER.name: ONEPOKER}
"""Every game by its name in the terms."""
