"""A witness's board of one match: the messages it keeps, whose clock runs, and what it signs. VERDICT-6, WITNESS.

No sockets, files or clocks here: the time is a parameter, in milliseconds, and whoever calls writes down what a call
returns before anybody hears of it. The board folds messages as every player does, over the same table, and never makes
one itself.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Final, NamedTuple, NoReturn

from ..crypto.ed25519 import SigningKey
from ..errors import DecodeError, StorageError, Unattributed, UsageError, Violation
from ..games.game import Game
from ..protocol.closing import owing_order
from ..protocol.events import Expelled
from ..protocol.machine import admit, advance, open_frame
from ..protocol.records import MAX_RECORD
from ..protocol.session import Session
from ..protocol.state import Phase, State
from ..protocol.witness import NOBODY, Absence, Receipt, sign_no_show, sign_receipt

MAX_MATCH_BYTES: Final = 256 * 1024 * 1024
"""Of messages in one match: 10,000 hands, the most that can be offered, of hex or heads-up Hold'em as people play them.

A hand takes 2 kB with cards from digests; with a shuffled deck 13 kB a seat for 52 cards and 33 kB for 160.
"""

_RECENT: Final = 64
"""Receipts kept in memory, to be given again to whoever posts the same message once more."""


class Kept(NamedTuple):
    """A message the board took: its frame, how many messages of the chain stood `before` it, its receipt if any."""

    frame: bytes
    before: int
    receipt: Receipt | None


class Clock(NamedTuple):
    """Who owes message `seq` behind `head`, and how many milliseconds it has left, its bank included."""

    seq: int
    head: bytes
    seat: int
    left: int


class Board:
    """One match before one witness. `post`, `no_show` and `start` give what is to be on the disk first.

    After a StorageError of the caller's, when something was not written, the board is to be restored anew.
    """

    def __init__(self, key: SigningKey, games: Mapping[str, Game]) -> None:
        self._key = key
        # A spectator's session: the witness's key has no seat, so it owes nothing and can sign nothing here.
        self._session = Session(key, _NoSecrets(), games)
        self._place = 0
        self._stamp = 0
        # What is added to the caller's clock, which may have been set back since an earlier process ran.
        self._ahead = 0
        self._size = 0
        # The running clock: when its seat came to owe, the signature that says so, and when we were last started.
        self._since = 0
        self._cause: bytes | None = None
        self._started = 0
        self._absent: tuple[Absence, ...] = ()
        self._late: tuple[int, bytes, bytes] | None = None
        # Milliseconds beyond the move time that each seat has used in the hand of this number.
        self._hand = 0
        self._used: tuple[int, ...] = ()
        self._receipts: OrderedDict[bytes, Receipt] = OrderedDict()

    @property
    def state(self) -> State:
        """The state of the match as the board has it."""
        return self._session.state

    @property
    def absent(self) -> tuple[Absence, ...]:
        """The no-shows that stand for the message owed now, in the order of CHAIN-5."""
        return self._absent

    @property
    def full(self) -> bool:
        """Whether the largest message has no room any more: then nothing is taken, and nobody's time runs. WITNESS-6.

        So no clock ever runs for a message that could not be posted, and a large one of a stranger changes nothing.
        """
        return self._size > MAX_MATCH_BYTES - MAX_RECORD

    def receipt(self, record: bytes) -> Receipt | None:
        """Return the receipt of one of the latest messages again, by its body hash."""
        return self._receipts.get(record)

    def post(self, frame: bytes, now: int) -> tuple[Kept, ...]:
        """Return what the board keeps of a posted frame, in the order in which it is to be written down.

        The frame itself with its receipt; before it a late message that it is built on; after it the proof of an
        equivocation whose author owes a message now. Raises Unattributed for what is dropped: that changes nothing and
        no clock. WITNESS-3, WITNESS-5.
        """
        now += self._ahead
        if self.full:
            raise Unattributed("board.full", expected=MAX_MATCH_BYTES)
        kept = self._post_late(frame, now) if self._absent else (self._keep(frame, now),)
        proof = self._session.proof()
        if proof is not None:
            # The session has taken it in already; only what the board knows of it is missing.
            kept = (*kept, self._record(proof, self._tick(now)))
        return kept

    def clock(self, now: int) -> Clock | None:
        """Return whose time runs; None while nobody's does that anybody could be expelled for (WITNESS-4)."""
        state, now = self.state, now + self._ahead
        match = state.match
        if match is None or not state.judging or state.phase is Phase.SETTLING or self._cause is None or self.full:
            return None
        order = owing_order(state)
        if len(self._absent) >= len(order) - 1:
            return None
        seat = order[len(self._absent)]
        bank = self._bank(seat)
        return Clock(state.seq, state.head, seat, 1000 * match.offer.move_seconds + bank - self._elapsed(now))

    def no_show(self, now: int) -> Absence | None:
        """Return the no-show of the seat whose time has run out, signed; None while it has time. `note` it.

        Signed for the same seat at the same place it is the same again only if it was noted. WITNESS-4.
        """
        clock = self.clock(now)
        if clock is None or clock.left > 0 or self._cause is None:
            return None
        word = sign_no_show(
            self._key,
            self._place,
            self.state.agreed,
            clock.seq,
            clock.head,
            clock.seat,
            since=self._since,
            bank=self._bank(clock.seat),
            at=self._tick(now + self._ahead),
            receipt=self._cause,
        )
        return Absence(clock.seq, clock.head, clock.seat, word)

    def note(self, absence: Absence) -> None:
        """Take up a no-show that is on the disk: from now on only its seat's expulsion gets a receipt."""
        self._stamp = max(self._stamp, absence.word.at)
        if (absence.seq, absence.head) == (self.state.seq, self.state.head):
            self._absent = (*self._absent, absence)
            self._since, self._cause = absence.word.at, absence.word.signature

    def start(self, now: int) -> int:
        """Return the time at which the witness took the match up (again): whoever owes has all its time from here.

        From here time runs on steadily, also where the system's clock is behind what was signed before. WITNESS-5.
        """
        self._ahead = max(0, self._stamp + 1 - now)
        self._started = self._tick(now + self._ahead)
        return self._started

    def restore(
        self,
        frames: Iterable[bytes],
        receipts: Iterable[Receipt],
        notes: Iterable[int | Absence],
        now: int,
        taken: Callable[[bytes, int], None],
    ) -> Receipt | None:
        """Take in what an earlier process wrote: frames, their receipts, and its starts and no-shows in order.

        `taken` is told each frame and how many messages of the chain stand before it. Returns
        the receipt that a crash left unwritten, to be written now. Raises StorageError `journal.damaged` when the three
        do not belong together.
        """
        # They were written in the order of the messages that they are for; a match has too many to keep them all.
        told = iter(receipts)
        word = next(told, None)
        rest = list(notes)
        barred = {(note.seq, note.head, note.seat) for note in rest if isinstance(note, Absence)}
        missing: Receipt | None = None
        for frame in frames:
            if missing is not None:
                _damaged("a message without its receipt is not the last one")
            header, record = self._place_of(frame)
            receipt = None
            if word is not None and word.record == record:
                receipt, word = word, next(told, None)
            while receipt is not None and rest and _time(rest[0]) < receipt.at:
                self._take_up(rest.pop(0))
            before = self.state
            try:
                with suppress(DecodeError, Violation):
                    self._session.receive(frame)
            except Unattributed as error:
                raise StorageError("journal.damaged", actual=error.code) from error
            taken(frame, before.seq)
            if before.match is None:
                self._sit()
            if receipt is None and header in barred:
                self._pass_over(frame)
                continue
            if receipt is None:
                missing = self._sign(frame, self._tick(now))
                receipt = missing
            self._follow(before, frame, receipt)
        if word is not None:
            _damaged("there is a receipt without its message")
        for note in rest:
            self._take_up(note)
        return missing

    # --- the fold

    def _keep(self, frame: bytes, now: int) -> Kept:
        """Return a frame that continues the chain with its receipt; raises Unattributed for any other."""
        before = self.state
        # What is refused is kept: it convicts its author, and the clock of its expeller begins.
        with suppress(DecodeError, Violation):
            self._session.receive(frame)
        if before.match is None:
            self._sit()
        receipt = self._sign(frame, self._tick(now))
        self._follow(before, frame, receipt)
        return Kept(frame, before.seq, receipt)

    def _record(self, frame: bytes, at: int) -> Kept:
        """Return a frame that the session has taken in by itself, with its receipt."""
        before = self.state
        receipt = self._sign(frame, at)
        self._follow(before, frame, receipt)
        return Kept(frame, before.seq, receipt)

    def _post_late(self, frame: bytes, now: int) -> tuple[Kept, ...]:
        """Return what is kept after a no-show: the expulsion, or a late message together with one built on it."""
        state, opened = self.state, open_frame(frame)
        late = self._late
        if late is not None and opened.header.prev == late[1] and opened.header.seat != late[0]:
            taken = advance(state, admit(state, open_frame(late[2])))
            try:
                advance(taken, admit(taken, opened))
            except (DecodeError, Violation) as error:
                raise Unattributed("board.late", actual=error.code) from error
            self._session.receive(late[2])
            self._pass_over(late[2])
            return (Kept(late[2], state.seq, None), self._keep(frame, now))
        admitted = admit(state, opened)
        try:
            advance(state, admitted)
        except (DecodeError, Violation) as error:
            raise Unattributed("board.late", actual=error.code) from error
        if admitted.envelope is not None and isinstance(admitted.envelope.event, Expelled):
            return (self._keep(frame, now),)
        # VERDICT-2a: it counts if somebody builds on it all the same. The latest one is kept for that.
        self._late = (admitted.seat, admitted.record, frame)
        raise Unattributed("board.late", actual=admitted.seq)

    def _pass_over(self, frame: bytes) -> None:
        """Go on behind a late message that another seat built on. It has no receipt, and starts no clock."""
        self._size += len(frame)
        self._absent, self._late, self._cause = (), None, None

    def _sign(self, frame: bytes, at: int) -> Receipt:
        """Return the receipt for a frame that has just been taken in."""
        after = self.state
        (seq, _, _), record = self._place_of(frame)
        owing = NOBODY if after.owed is None else after.owed.seat
        return sign_receipt(self._key, self._place, after.agreed.session, seq, record, owing, at)

    def _follow(self, before: State, frame: bytes, receipt: Receipt) -> None:
        """Charge the bank of whoever owed, and begin the clock of whoever owes now."""
        self._size += len(frame)
        if before.refused is None or self.state.refused is None:
            # What is refused beside another message makes nobody owe anything anew.
            self._charge(before, receipt.at)
            self._absent, self._late = (), None
            self._since, self._cause = receipt.at, receipt.signature
        self._stamp = max(self._stamp, receipt.at)
        self._receipts[receipt.record] = receipt
        if len(self._receipts) > _RECENT:
            self._receipts.popitem(last=False)

    def _charge(self, before: State, at: int) -> None:
        after = self.state
        if after.books.number != self._hand or not self._used:
            # A hand's first message begins it, and everybody's bank is full again.
            self._hand, self._used = after.books.number, (0,) * after.agreed.seats
            return
        order = owing_order(before)
        if not before.judging or self._cause is None or len(self._absent) >= len(order):
            return
        over = self._elapsed(at) - 1000 * after.agreed.offer.move_seconds
        used = list(self._used)
        used[order[len(self._absent)]] += max(0, over)
        self._used = tuple(used)

    def _take_up(self, note: int | Absence) -> None:
        if isinstance(note, Absence):
            self.note(note)
        else:
            self._started = note
            self._stamp = max(self._stamp, note)

    def _sit(self) -> None:
        """Find our place among the offer's witnesses; raises UsageError `board.not-named`."""
        witnesses = self.state.agreed.witnesses
        if self._key.public not in witnesses:
            raise UsageError("board.not-named", actual=self._key.public.key)
        self._place = witnesses.index(self._key.public)

    def _bank(self, seat: int) -> int:
        return max(0, 1000 * self.state.agreed.offer.bank_seconds - self._used[seat])

    def _elapsed(self, now: int) -> int:
        return max(0, now - max(self._since, self._started))

    def _tick(self, now: int) -> int:
        """Return the next time stamp: never one that was given before, whatever the clock says."""
        self._stamp = max(now, self._stamp + 1)
        return self._stamp

    @staticmethod
    def _place_of(frame: bytes) -> tuple[tuple[int, bytes, int], bytes]:
        opened = open_frame(frame)
        header = opened.header
        return (header.seq, header.prev, header.seat), opened.record


class _NoSecrets:
    """The seeds of a spectator, who has none."""

    def seed(self, hand: int, purpose: str) -> bytes:
        """Raise UsageError: nobody asks a witness for a card."""
        raise UsageError("usage.wrong-state")

    def known(self, hand: int, purpose: str) -> bytes | None:
        """Return None: a witness has no seed."""
        return None

    def fresh(self, size: int) -> bytes:
        """Raise UsageError: a witness proves nothing about a card."""
        raise UsageError("usage.wrong-state")


def _time(note: int | Absence) -> int:
    return note.word.at if isinstance(note, Absence) else note


def _damaged(why: str) -> NoReturn:
    raise StorageError("journal.damaged", hint=why)
