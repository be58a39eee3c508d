"""The witness's side of its board: many matches over many connections, every word written down first. WITNESS.

Whoever connects may post and read; nobody has to say who it is, since frames are signed. So a connection buys nothing
and costs its owner its place when it brings junk, and what a stranger can make grow has a limit each.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from ..crypto.ed25519 import SigningKey
from ..errors import DecodeError, StorageError, TransportError, Unattributed, UsageError
from ..games.game import Game
from ..journal.board import MatchFiles, Shelf
from ..protocol.envelope import decode_body
from ..protocol.events import Offered
from ..protocol.records import body_hash, decode_frame
from ..protocol.witness import Receipt
from ..referee.board import Board, Kept
from . import hello, requests
from .backlog import Backlog
from .transport import HANDSHAKE_SECONDS, Connection

MAX_MATCHES: Final = 200
"""In one folder: with three descriptors each they stay below the 1,024 that systems give a process."""

JUNK_LIMIT: Final = 100
"""Frames in one connection that are dropped; an honest one brings a few that crossed others on their way."""

READ_FIRST_SECONDS: Final = 0.05
"""Between the end of a seat's time and the no-show: for a message that has come and was not read yet."""

IDLE_SECONDS: Final = 60.0
"""Players ask several times a second; a connection that says nothing for so long leaves its place to others."""


class WitnessClock:
    """Milliseconds since 1970 by the system's clock as it was at the start, and from there steadily on.

    A system clock that is set while the witness runs changes nobody's time.
    """

    def __init__(self) -> None:
        self._origin = time.time_ns() - time.monotonic_ns()

    def __call__(self) -> int:
        """Return the time now."""
        return (self._origin + time.monotonic_ns()) // 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Match:
    """One match: its board, its files, and its frames as connections read them."""

    board: Board
    files: MatchFiles
    backlog: Backlog


class BoardServer:
    """The boards of one witness. `seats`, if there are any, are the only keys whose matches it watches."""

    def __init__(
        self,
        key: SigningKey,
        shelf: Shelf,
        certificate: bytes,
        games: Mapping[str, Game],
        *,
        clock: Callable[[], int] | None = None,
        seats: tuple[bytes, ...] = (),
        notice: Callable[[str], None] = lambda text: None,
    ) -> None:
        """Take up every match on the shelf; raises StorageError for one whose files do not belong together."""
        self._key = key
        self._shelf = shelf
        self._certificate = certificate
        self._games = games
        self._clock = WitnessClock() if clock is None else clock
        self._seats = frozenset(seats)
        self._notice = notice
        self._matches: dict[bytes, _Match] = {}
        # Matches of which the last message that came could not be written down.
        self._short: set[bytes] = set()
        try:
            for name in shelf.names:
                self._restore(name)
        except BaseException:
            self.close()
            raise

    def __len__(self) -> int:
        return len(self._matches)

    def close(self) -> None:
        """Close all files."""
        for match in self._matches.values():
            match.files.close()
        self._matches.clear()

    async def attend(self, connection: Connection) -> None:
        """Serve one connection from its first byte to its last."""
        challenge = secrets.token_bytes(hello.CHALLENGE_BYTES)
        junk = 0
        try:
            async with asyncio.timeout(HANDSHAKE_SECONDS):
                await connection.send(hello.greeting(self._key, self._certificate, challenge, "witness"))
            while True:
                async with asyncio.timeout(IDLE_SECONDS):
                    asked = requests.read_request(await connection.receive(requests.MAX_MESSAGE))
                if isinstance(asked, requests.Post):
                    async with asyncio.timeout(IDLE_SECONDS):
                        frame = await connection.receive()
                    answer, taken = self._post(asked.offer, frame, self._clock())
                    junk += not taken
                    await connection.send(answer)
                    if junk >= JUNK_LIMIT:
                        return
                else:
                    await self._answer(connection, asked)
                # A peer that is always faster than we are must not keep the loop from everybody else.
                await asyncio.sleep(0)
        except (TransportError, TimeoutError):
            return

    async def _answer(self, connection: Connection, asked: requests.Request) -> None:
        try:
            match = self._find(asked.offer)
        except StorageError as error:
            self._notice(f"a match cannot be read: {error}")
            match = None
        if match is None:
            await connection.send(requests.none("board.unknown-match"))
            return
        board, state, backlog = match.board, match.board.state, match.backlog
        if isinstance(asked, requests.Read):
            place = backlog.place(asked.seq)
            clock = None if asked.offer in self._short else board.clock(self._clock())
            answer = requests.Posted(len(backlog) - place, state.seq, state.head, len(board.absent), clock)
            # The board may go on meanwhile: then the rest is for the next answer.
            frames = backlog.read(place, None)
            await connection.send(requests.posted(answer))
            for _, frame in islice(frames, answer.frames):
                await connection.send(frame)
        elif isinstance(asked, requests.AskNoShow):
            await connection.send(await self._no_show(match, asked))
        elif isinstance(asked, requests.AskReceipts):
            words = match.files.receipts.batch(asked.place, requests.MOST_RECEIPTS)
            await connection.send(requests.receipts(len(words)))
            for word in words:
                await connection.send(word)

    # --- what is kept and signed

    def _post(self, offer: bytes, frame: bytes, now: int) -> tuple[bytes, bool]:
        """Return the answer to a frame that came at this time, and whether it was worth something."""
        try:
            record = body_hash(decode_frame(frame)[0])
            match = self._find(offer) or self._begin(offer, record, frame)
            known = match.board.receipt(record)
            if known is None:
                known = self._keep(offer, match, match.board.post(frame, now))
                self._short.discard(offer)
        except StorageError as error:
            if offer in self._shelf.names:
                self._short.add(offer)
            self._notice(f"nothing was signed: {error}")
            return requests.none("board.full"), True
        except (Unattributed, UsageError, DecodeError) as error:
            return requests.none(error.code), error.code == "board.full" and offer in self._matches
        if known is None:
            return requests.none("record.duplicate"), True
        return requests.receipt(known), True

    def _keep(self, offer: bytes, match: _Match, kept: tuple[Kept, ...]) -> Receipt | None:
        """Return the receipt of the frame that was posted, after all of it is on the disk."""
        given: Receipt | None = None
        try:
            for item in kept:
                match.backlog.append(item.frame, item.before, None)
                if item.receipt is not None:
                    match.files.receipts.append(item.receipt)
                    given = given or item.receipt
        except BaseException:
            # The board is ahead of the disk, and nobody has heard of it: back to what is written, when there is room.
            self._matches.pop(offer).files.close()
            raise
        return given

    async def _no_show(self, match: _Match, asked: requests.AskNoShow) -> bytes:
        """Return the no-show that is asked for, signed now or before, or why there is none."""
        board = match.board
        wanted = (asked.seq, asked.head, asked.seat)
        for absence in board.absent:
            if (absence.seq, absence.head, absence.seat) == wanted:
                return requests.no_show(absence.word)
        clock = board.clock(self._clock())
        if clock is None or (clock.seq, clock.head, clock.seat) != wanted or clock.left > 0:
            return requests.none("board.not-yet")
        # We may have been busy: what has come meanwhile from others is read first.
        await asyncio.sleep(READ_FIRST_SECONDS)
        return self._sign_no_show(match, asked)

    def _sign_no_show(self, match: _Match, asked: requests.AskNoShow) -> bytes:
        """Return the no-show of who still owes the message asked about, its time having run out."""
        board, wanted = match.board, (asked.seq, asked.head, asked.seat)
        for absence in board.absent:
            if (absence.seq, absence.head, absence.seat) == wanted:
                return requests.no_show(absence.word)
        if self._matches.get(asked.offer) is not match or asked.offer in self._short:
            # Something could not be written down meanwhile: no time runs out for what could not be posted.
            return requests.none("board.full")
        clock = board.clock(self._clock())
        signed = board.no_show(self._clock())
        if clock is None or signed is None or (clock.seq, clock.head, clock.seat) != wanted:
            return requests.none("board.not-yet")
        try:
            match.files.notes.append(signed)
        except StorageError as error:
            self._notice(f"nothing was signed: {error}")
            return requests.none("board.full")
        board.note(signed)
        return requests.no_show(signed.word)

    # --- matches

    def _find(self, offer: bytes) -> _Match | None:
        """Return the match of this offer, read from its files again if something could not be written to them."""
        if offer not in self._matches and offer in self._shelf.names:
            self._restore(offer)
        return self._matches.get(offer)

    def _begin(self, offer: bytes, record: bytes, frame: bytes) -> _Match:
        """Return a new match that the frame offers, after a first look at it; nothing is made for any other frame."""
        envelope = decode_body(decode_frame(frame)[0])
        if record != offer or not isinstance(envelope.event, Offered):
            raise Unattributed("board.unknown-match", actual=offer)
        keys = {key for key, _ in envelope.event.players}
        if self._seats and not keys & self._seats:
            raise Unattributed("board.stranger")
        if len(self._shelf.names) >= MAX_MATCHES:
            raise Unattributed("board.full", expected=MAX_MATCHES)
        # An offer that does not stand is refused here, before it has a file.
        Board(self._key, self._games).post(frame, 0)
        files = self._shelf.create(offer)
        match = _Match(board=Board(self._key, self._games), files=files, backlog=Backlog(files.transcript))
        self._matches[offer] = match
        return match

    def _restore(self, name: bytes) -> None:
        files = self._shelf.open(name)
        try:
            board, backlog = Board(self._key, self._games), Backlog(files.transcript)
            self._recall(board, backlog, files)
        except BaseException:
            files.close()
            raise
        self._matches[name] = _Match(board=board, files=files, backlog=backlog)

    def _recall(self, board: Board, backlog: Backlog, files: MatchFiles) -> None:
        """Bring a board to where an earlier process left it; whoever owes has all its time from now on. WITNESS-5."""
        now = self._clock()

        def taken(frame: bytes, before: int) -> None:
            backlog.note(frame, before, None)

        receipts, notes = files.receipts.receipts(), files.notes.notes()
        missing = board.restore(files.transcript.records(), receipts, notes, now, taken)
        if missing is not None:
            files.receipts.append(missing)
        files.notes.append(board.start(now))
