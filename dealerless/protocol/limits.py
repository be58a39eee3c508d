"""The most that messages can hold: chips, seats, cards, seconds. ENC-4, ENC-6.

They are bounds of the format, one for all games; what a game allows within them is for its own terms to say.
"""

from __future__ import annotations

from typing import Final

MAX_CHIPS: Final = 2**53 - 1
MAX_HANDS: Final = 10_000
MAX_SEATS: Final = 9
MAX_NAME: Final = 32
MAX_WITNESSES: Final = 9
# The largest deck: hex cards, ten of each value (HEX-4).
MAX_DECK: Final = 160
# The most cards a player holds, the most slots that are others' in one deal, the most slots a seat can still be needed
# for: five-card draw with six players, and its exchanges.
MAX_HOLE: Final = 5
MAX_SHARES: Final = 40
MAX_RELEASED: Final = 18
# The cards of the larger class of One Poker (ONE-4).
MAX_CLASS: Final = 28
# 9999-12-31T23:59:59Z, the last second every date library can print.
MAX_TIME: Final = 253_402_300_799
# A week: longer than any game of cards by mail takes for one move.
MAX_SECONDS: Final = 7 * 24 * 3600
