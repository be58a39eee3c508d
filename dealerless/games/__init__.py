"""Rules as pure state machines, betting, pots and evaluation; knows no cryptography."""

from collections.abc import Mapping
from typing import Final

from .game import Game
from .hex import HEX

GAMES: Final[Mapping[str, Game]] = {HEX.name: HEX}
"""Every game by its name in the terms."""
