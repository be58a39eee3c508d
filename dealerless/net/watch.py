"""A seat's side of the witnesses' boards: what it has goes there, what others posted comes from there. WITNESS-7.

One connection to each witness, kept up for as long as the match lasts. A witness is trusted with the clock only: what
it shows of the match goes through the session like anything else, and its no-shows are checked before they are used.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ..errors import CODES, TransportError
from ..protocol.closing import owing_order
from ..protocol.events import Expelled
from ..protocol.noshow import NoShow
from ..protocol.records import ZERO_HASH
from ..protocol.state import Phase, State
from ..protocol.witness import Posted, check_word
from . import hello, requests
from .seating import Link, WitnessAt
from .transport import HANDSHAKE_SECONDS, Connection, dial

if TYPE_CHECKING:
    from .play import Driver

POLL_SECONDS: Final = 0.25
"""Between two looks at a board: a tenth of the shortest time in which people move, and a packet each way."""

_ANSWER_SECONDS: Final = 20.0
"""For a witness to answer; then the connection is taken for lost."""

_FIRST_RETRY: Final = 0.1
_LAST_RETRY: Final = 2.0

_NOTHING: Final = hello.Held(session=b"", count=0, head=ZERO_HASH)


@dataclass(slots=True, kw_only=True, eq=False)
class _Board:
    """One witness as we know it: the next record of our journal to post, whose time it says runs out when."""

    at: WitnessAt
    place: int
    asked: bool = False
    behind: bool = True
    connected: bool = False
    forked: bool = False
    cursor: int | None = None
    seen: int = -1
    deadline: tuple[int, bytes, int, float] | None = None
    wake: asyncio.Event = field(default_factory=asyncio.Event)


class Watch:
    """The witnesses of one match as one seat deals with them, on behalf of its driver."""

    def __init__(self, driver: Driver, witnesses: tuple[WitnessAt, ...]) -> None:
        self._driver = driver
        self._boards = [_Board(at=at, place=place) for place, at in enumerate(witnesses)]
        # No-shows for the message owed now, by seat and by the witness's place in the offer.
        self._words: dict[int, dict[int, NoShow]] = {}
        self._words_for: tuple[int, bytes, bytes] | None = None

    async def run(self) -> None:
        """Keep a connection to every witness until cancelled."""
        await asyncio.gather(*[self._keep_dialling(board) for board in self._boards])

    def wake(self) -> None:
        """Look at the boards at once: there is something to post."""
        for board in self._boards:
            board.behind = True
            board.wake.set()

    @property
    def asked(self) -> bool:
        """Whether every witness has been asked once what it holds; one that is not there is not waited for."""
        return all(board.asked for board in self._boards)

    @property
    def behind(self) -> bool:
        """Whether a witness that we are connected to lacks something that we have."""
        return any(board.connected and board.behind for board in self._boards)

    def seconds_left(self, now: float) -> float | None:
        """Return how long the owing seat still has, by as many witnesses as have to agree; None if that is not known.

        `now` is the event loop's time.
        """
        state = self._driver.session.state
        match, place = state.match, (state.seq, state.head)
        if match is None or not self._boards:
            return None
        ends = sorted([board.deadline[3] for board in self._boards if board.deadline and board.deadline[:2] == place])
        threshold = match.offer.threshold
        return max(0.0, ends[threshold - 1] - now) if len(ends) >= threshold else None

    def expulsion(self) -> Expelled | None:
        """Return the expulsion that we owe because enough witnesses say that everybody before us was absent, or None.

        CHAIN-5, VERDICT-6.
        """
        driver, state = self._driver, self._driver.session.state
        ours, match = driver.session.seat, state.match
        if not self.asked or match is None or self._words_for != _key(state):
            return None
        absent: list[tuple[int, tuple[NoShow, ...]]] = []
        for seat in owing_order(state):
            if seat == ours:
                break
            words = self._valid(state, seat, absent)
            if len(words) < match.offer.threshold:
                return None
            absent.append((seat, words))
        else:
            return None
        if not absent:
            return None
        refused = state.refused
        named, record = (absent[0][0], ZERO_HASH) if refused is None else (refused.seat, refused.record)
        return Expelled(seat=named, record=record, absent=tuple(absent))

    def _valid(self, state: State, seat: int, absent: list[tuple[int, tuple[NoShow, ...]]]) -> tuple[NoShow, ...]:
        """Return the no-shows against a seat that hold, those before it in the order being `absent`."""
        cause = absent[-1][1] if absent else _cause(state)
        words = self._words.get(seat, {})
        return tuple(
            [
                words[place]
                for place in sorted(words)
                if check_word(state.agreed, state.seq, state.head, seat, words[place], cause) is None
            ]
        )

    # --- one connection

    async def _keep_dialling(self, board: _Board) -> None:
        delay, silent = _FIRST_RETRY, False
        while True:
            reason = TransportError("transport.closed")
            try:
                connection = await dial(board.at.address)
                try:
                    await self._introduce(board, connection)
                    if silent:
                        self._notice(board, "is there now")
                    delay, silent, board.connected = _FIRST_RETRY, False, True
                    await self._attend(board, connection)
                finally:
                    board.connected = False
                    connection.abort()
            except TransportError as error:
                reason = error
            except TimeoutError:
                reason = TransportError("transport.too-slow", expected=int(_ANSWER_SECONDS))
            if not board.asked:
                board.asked = True
                self._driver.changed()
            if not silent:
                self._notice(board, f"is not there: {reason}; trying again")
            silent = True
            await asyncio.sleep(delay)
            delay = min(2 * delay, _LAST_RETRY)

    async def _introduce(self, board: _Board, connection: Connection) -> None:
        async with asyncio.timeout(HANDSHAKE_SECONDS):
            data = await connection.receive(hello.MAX_HELLO)
            hello.read_greeting(data, certificate=connection.certificate, pin=board.at.key, role="witness")

    async def _attend(self, board: _Board, connection: Connection) -> None:
        """Look at the board again and again, and whenever there is something to post."""
        link = Link(seat=-1 - board.place, connection=connection, held=_NOTHING, cursor=0)
        board.cursor, board.seen = None, -1
        while True:
            board.wake.clear()
            if self._driver.session.state.match is not None:
                async with asyncio.timeout(_ANSWER_SECONDS):
                    await self._look(board, connection, link)
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECONDS):
                    await board.wake.wait()

    async def _look(self, board: _Board, connection: Connection, link: Link) -> None:
        """Take in what the board has beyond us, post what we have beyond it, and collect its no-shows."""
        driver = self._driver
        offer = driver.session.state.agreed.offer_hash
        await connection.send(requests.request(requests.Read(offer, driver.session.state.seq)))
        answer = requests.read_posted(await connection.receive(requests.MAX_MESSAGE))
        seq = 0
        if isinstance(answer, requests.Posted):
            seq = answer.seq
            link.duplicates = 0
            try:
                for _ in range(answer.frames):
                    driver.take(link, await connection.receive())
            except TransportError as error:
                self._find_fork(board, answer, junk=error.code == "transport.junk")
                raise
            self._find_fork(board, answer, junk=False)
        elif answer != "board.unknown-match":
            raise TransportError("transport.refused", actual=CODES[answer].text if answer in CODES else None)
        if not board.asked:
            board.asked = True
            driver.changed()
        if seq < driver.session.state.seq and seq != board.seen:
            # What it lacks from there on; if it drops it again, that will not change by sending it once more.
            board.cursor = driver.backlog.place(seq)
            board.seen = seq
        await self._post(board, connection, offer)
        if isinstance(answer, requests.Posted):
            self._set_deadline(board, answer)
            await self._collect(board, connection, answer)

    def _find_fork(self, board: _Board, answer: requests.Posted, *, junk: bool) -> None:
        """End the match when as many witnesses as have to agree hold another branch than ours.

        So it is for a seat that answered too late: the others have expelled it, and what it said has no place there.
        """
        driver, state = self._driver, self._driver.session.state
        if not state.judging:
            return
        if answer.seq <= state.seq:
            board.forked = driver.backlog.head_at(answer.seq, state.head) != answer.head
        else:
            # It sent us all up to there, and we could not follow.
            board.forked = junk or state.seq < answer.seq
        if not driver.finished and sum([other.forked for other in self._boards]) >= state.agreed.offer.threshold:
            hint = (
                "the others went on without our last message, which came too late; their transcript says how it ended"
            )
            driver.fail(TransportError("chain.fork", actual=min(answer.seq, state.seq), hint=hint))

    async def _post(self, board: _Board, connection: Connection, offer: bytes) -> None:
        backlog = self._driver.backlog
        if board.cursor is None:
            board.cursor = len(backlog)
        while board.cursor < len(backlog):
            for place, frame in backlog.read(board.cursor, None):
                await connection.send(requests.request(requests.Post(offer)))
                await connection.send(frame)
                answer = requests.read_receipt_answer(await connection.receive(requests.MAX_MESSAGE))
                board.cursor = place
                if answer in ("board.late", "board.full", "board.stranger", "board.not-named"):
                    self._notice(board, f"did not take a message: {CODES[str(answer)].text}")
        board.behind = False
        self._driver.changed()

    def _set_deadline(self, board: _Board, answer: requests.Posted) -> None:
        clock = answer.clock
        now = asyncio.get_running_loop().time()
        board.deadline = None if clock is None else (clock.seq, clock.head, clock.seat, now + clock.left / 1000)

    async def _collect(self, board: _Board, connection: Connection, answer: requests.Posted) -> None:
        """Ask for the no-shows of those before us whose time has run out there."""
        driver = self._driver
        state, ours = driver.session.state, driver.session.seat
        if (answer.seq, answer.head) != (state.seq, state.head) or state.phase is Phase.SETTLING or not state.judging:
            return
        if self._words_for != _key(state):
            self._words, self._words_for = {}, _key(state)
        out = answer.absent + (answer.clock is not None and answer.clock.left <= 0)
        for seat in owing_order(state)[:out]:
            if seat == ours:
                return
            if board.place in self._words.get(seat, {}):
                continue
            asked = requests.AskNoShow(state.agreed.offer_hash, state.seq, state.head, seat)
            await connection.send(requests.request(asked))
            word = requests.read_no_show_answer(await connection.receive(requests.MAX_MESSAGE))
            if isinstance(word, str) or self._words_for != _key(driver.session.state):
                return
            # Under its own name only: else one witness could take the place of another's word.
            if word.witness == state.agreed.offer.witnesses.index(board.at.key):
                self._words.setdefault(seat, {})[board.place] = word
                driver.changed()

    def _notice(self, board: _Board, text: str) -> None:
        if not self._driver.finished:
            self._driver.sitting.observer.noticed(f"the witness at {board.at.address} {text}")


def _cause(state: State) -> Posted:
    """Return the message that made the first in the order owe."""
    refused = state.refused
    return Posted(state.seq - 1, state.head) if refused is None else Posted(refused.seq, refused.record)


def _key(state: State) -> tuple[int, bytes, bytes]:
    """Return what tells one owed message from every other."""
    refused = state.refused
    return state.seq, state.head, b"" if refused is None else refused.record
