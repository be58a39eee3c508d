"""Witnesses over real sockets within one process, with a clock that only the test moves, and matches before them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from dealerless.crypto.ed25519 import SigningKey
from dealerless.games.game import Move
from dealerless.journal.board import Shelf
from dealerless.net.board import BoardServer
from dealerless.net.offers import Proposal
from dealerless.net.seating import WitnessAt
from dealerless.net.transport import Address, Listener
from dealerless.players.player import Player, SeatView
from dealerless.protocol.events import Offered
from dealerless.protocol.noshow import NoShow
from dealerless.protocol.state import State
from dealerless.protocol.witness import Receipt
from dealerless.referee.board import Board
from tests.matches import KEYS, PLAYED, Match, hex_offer
from tests.net.tables import LOCAL, Seat, hex_proposal

WITNESSES = (KEYS[8], KEYS[7], KEYS[6])
MOVE, BANK = 60, 30
START = 1_700_000_000_000


def watched(offer: Offered | None = None, witnesses: int = 1, threshold: int = 1) -> Offered:
    """An offer with these witnesses, a minute for a move, and half a minute in the bank."""
    offer = hex_offer(hands=3) if offer is None else offer
    keys = tuple(key.public.key for key in WITNESSES[:witnesses])
    return replace(offer, witnesses=keys, threshold=threshold, move_seconds=MOVE, bank_seconds=BANK)


def proposal(hands: int = 2, threshold: int = 1) -> Proposal:
    return replace(hex_proposal(hands), threshold=threshold, move_seconds=MOVE, bank_seconds=BANK)


class Clock:
    """A clock for one witness."""

    def __init__(self, now: int = START) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now

    def pass_seconds(self, seconds: float) -> None:
        self.now += int(1000 * seconds)


class Witness:
    """A witness with its folder, its clock, and an address it keeps when it is started again."""

    def __init__(self, folder: Path, key: SigningKey = WITNESSES[0]) -> None:
        self.folder = folder
        self.key = key
        self.clock = Clock()
        self.address = LOCAL

    async def __aenter__(self) -> Witness:
        self._listener = Listener(self.address)
        self.address = self._listener.address
        certificate = self._listener.certificate
        self.server = BoardServer(self.key, Shelf(self.folder), certificate, PLAYED, clock=self.clock)
        self._task = asyncio.create_task(self._listener.serve(self.server.attend))
        await asyncio.sleep(0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self.server.close()

    @property
    def at(self) -> WitnessAt:
        return WitnessAt(address=self.address, key=self.key.public.key)

    @property
    def board(self) -> Board | None:
        """The board of the one match there is."""
        matches = list(self.server._matches.values())
        return matches[0].board if matches else None

    async def until(self, reached: Callable[[State], bool]) -> State:
        """Wait until the match on the board is so far."""
        while True:
            board = self.board
            if board is not None and board.state.match is not None and reached(board.state):
                return board.state
            await asyncio.sleep(0.01)


def unreachable(key: SigningKey) -> WitnessAt:
    """A witness that is not there: nobody listens at that port."""
    return WitnessAt(address=Address(host="127.0.0.1", port=1), key=key.public.key)


def seat_before(
    folder: Path, number: int, *witnesses: WitnessAt, player: Player | None = None, resumed: bool = False
) -> Seat:
    """A seat that can reach these witnesses."""
    seat = Seat(folder, number, player=Caller() if player is None else player, resumed=resumed)
    seat.sitting = replace(seat.sitting, witnesses=witnesses)
    return seat


class Caller(Player):
    """A player that checks and calls, so that every hand goes to its showdown."""

    def decide(self, view: SeatView) -> Move:
        return Move(name=view.legal[0].name, amount=view.legal[0].least)

    def shows(self, view: SeatView) -> bool:
        return True


class Sleeper(Caller):
    """A player that is asked and does not answer until it is woken; then it checks and calls."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.woken = threading.Event()
        self.left: list[int | None] = []

    def decide(self, view: SeatView) -> Move:
        self.left.append(view.seconds_left())
        self.asked.set()
        self.woken.wait(60)
        return super().decide(view)


# --- boards without sockets


def board_of(match: Match, key: SigningKey = WITNESSES[0], *, every: int = 1000) -> tuple[Board, int]:
    """A board to which the match was posted message by message, so many milliseconds apart; and the time then."""
    board, now = Board(key, PLAYED), START
    for frame in match.frames:
        now += every
        board.post(frame, now)
    return board, now


def absence(board: Board, now: int) -> NoShow:
    """The no-show that the board signs at this time, noted."""
    signed = board.no_show(now)
    assert signed is not None
    board.note(signed)
    return signed.word


def given(board: Board, frame: bytes, now: int) -> Receipt:
    """The receipt for the one frame that the board keeps of this post."""
    (kept,) = board.post(frame, now)
    assert kept.receipt is not None
    return kept.receipt
