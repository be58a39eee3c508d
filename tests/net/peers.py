"""Host and guest as tests of a single table have them, and what a peer made by hand needs."""

from __future__ import annotations

from dealerless.errors import TransportError
from dealerless.games.game import Move
from dealerless.net.seating import Ending
from dealerless.players.player import Player, SeatView
from tests.matches import KEYS
from tests.net.tables import Wire

WHOLE = Ending(fault=None, delivered=True)
HOST, GUEST = KEYS[0], KEYS[1]


def code_of(error: object) -> str | None:
    return getattr(error, "code", None)


async def until_closed(wire: Wire) -> None:
    try:
        while True:
            await wire.connection.receive()
    except TransportError:
        return


class Betting(Player):
    """Bets whenever it may, so that the other side owes an answer."""

    def decide(self, view: SeatView) -> Move:
        option = next(option for option in view.legal if option.name in ("BET", "CALL"))
        return Move(name=option.name, amount=option.least)

    def shows(self, view: SeatView) -> bool:
        return True
