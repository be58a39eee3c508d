"""What is posted at a board that is tested without its server, and the disk from which it is made again."""

from __future__ import annotations

import pytest

from dealerless.errors import Unattributed
from dealerless.protocol.events import Expelled
from dealerless.protocol.noshow import NoShow
from dealerless.protocol.records import ZERO_HASH
from dealerless.protocol.state import Phase
from dealerless.protocol.witness import Absence, Receipt
from dealerless.referee.board import Board
from tests.matches import PLAYED, Match, hex_offer
from tests.witness.boards import BANK, MOVE, WITNESSES, watched

ALL = 1000 * (MOVE + BANK)


def betting(hands: int = 3) -> Match:
    return Match(watched(hex_offer(hands=hands))).until(Phase.BETTING)


def expulsion(match: Match, *words: tuple[int, NoShow]) -> Expelled:
    return Expelled(seat=words[0][0], record=ZERO_HASH, absent=tuple((seat, (word,)) for seat, word in words))


def dropped(board: Board, frame: bytes, now: int) -> str:
    with pytest.raises(Unattributed) as caught:
        board.post(frame, now)
    return caught.value.code


class Disk:
    """What a witness writes down, and a board made from it."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.receipts: list[Receipt] = []
        self.notes: list[int | Absence] = []

    def restored(self, now: int) -> Board:
        board, counts = Board(WITNESSES[0], PLAYED), []
        missing = board.restore(
            self.frames, self.receipts, self.notes, now, lambda frame, before: counts.append(before)
        )
        if missing is not None:
            self.receipts.append(missing)
        self.notes.append(board.start(now))
        assert counts == sorted(counts)
        return board

    def post(self, board: Board, frame: bytes, now: int) -> None:
        for item in board.post(frame, now):
            self.frames.append(item.frame)
            if item.receipt is not None:
                self.receipts.append(item.receipt)


def try_post(disk: Disk, board: Board, frame: bytes, now: int) -> None:
    try:
        disk.post(board, frame, now)
    except Unattributed:
        return


def post_missing(disk: Disk, board: Board, match: Match, now: int) -> None:
    """What a player's client does: everything from the board's place on."""
    for frame in match.frames[board.state.seq :]:
        try_post(disk, board, frame, now)
