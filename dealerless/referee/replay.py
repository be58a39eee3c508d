"""The referee: replays a transcript through the players' own `step` and says what it proves.

It adds only decoding, blame and settlement; there is no second rule book. It never raises for any input.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, BinaryIO

from ..crypto.ed25519 import VerifyKey
from ..errors import CODES, DealerlessError, DecodeError, Unattributed, Violation
from ..games import GAMES
from ..games.game import Game
from ..protocol.closing import forfeit, settling_order
from ..protocol.events import Expelled
from ..protocol.machine import Admitted, Opened, admit, advance, refuse, start
from ..protocol.playing import record_hand
from ..protocol.state import HandRecord, State
from ..protocol.table import follow
from .lookahead import Lookahead
from .verdict import Damage, Fault, Outcome, Owes, Pending, Player, TermsRead, Unjudged, Verdict

OnHand = Callable[[HandRecord], None]
OnFrame = Callable[[State, Admitted, State | None, DealerlessError | None], None]


def replay(
    source: bytes | BinaryIO,
    *,
    on_hand: OnHand | None = None,
    on_frame: OnFrame | None = None,
    games: Mapping[str, Game] = GAMES,
) -> Verdict:
    """Return the verdict on a transcript, whatever its bytes are.

    The checks, in the order in which they are made; each record must pass all of them:

    1. the file begins as a transcript, and the record is whole and of allowed size (ENC-5, ENC-6);
    2. the record is a frame of body and signature (ENC-3);
    3. protocol version, session, seat, sequence number and previous hash continue the chain (ENC-4, CHAIN-1);
    4. the signature is valid under the seat's key (SIG-1, SIG-2);
    5. the body is canonical and its fields have their types, lengths and ranges (ENC-1, ENC-2);
    6. its seat owes a message of its kind now (CHAIN-1);
    7. the table's own check of that kind: terms, hand's start, commitments, openings, moves, showdown, settlement;
    8. after the last record: the match is complete and settled by how many (CHAIN-3).

    A failure of 1-4 is damage and blames nobody; of 5-7 the signer's fault once the last ready is in (VERDICT-1).

    `source` is the whole file or a binary stream, read record by record. `on_hand` gets each hand as it ends and keeps
    it out of the verdict, so that memory stays flat; `on_frame` gets (state before, message, state after or None, the
    refusal or None). An exception they raise passes through; nothing else is raised.
    """
    stream = io.BytesIO(source) if isinstance(source, bytes) else source
    judge = _Judge(start(games), on_hand, on_frame)
    judge.read(stream)
    return judge.verdict()


class _Judge:
    """One replay under way."""

    def __init__(self, state: State, on_hand: OnHand | None, on_frame: OnFrame | None) -> None:
        self.state = state
        self.record = 0
        self.frames = 0
        self.hands: list[HandRecord] = []
        self.fault: Fault | None = None
        self.accused: tuple[int, int, str] | None = None
        self.damage: Damage | None = None
        self.unjudged: Unjudged | None = None
        self._on_hand = self.hands.append if on_hand is None else on_hand
        self._on_frame = on_frame

    def read(self, stream: BinaryIO) -> None:
        """Judge every record up to the first that ends the judged prefix."""
        with Lookahead(stream) as ahead:
            records = iter(ahead)
            while True:
                try:
                    opened = next(records, None)
                    if opened is None or not self._take(opened, ahead.verified):
                        return
                except Unattributed as reason:
                    if self._open_fault():
                        self.unjudged = Unjudged(record=self.record)
                    else:
                        detail = reason.actual if isinstance(reason.actual, str) and reason.actual in CODES else None
                        self.damage = Damage(record=self.record, reason=reason.code, detail=detail)
                    return
                self.record += 1
                if not ahead.keys and self.state.match is not None:
                    ahead.keys = self.state.match.keys

    def _open_fault(self) -> bool:
        """Whether a fault stands that nobody was expelled for: what follows is unjudged (VERDICT-2)."""
        return self.accused is not None

    def _take(self, opened: Opened, verified: Callable[[Opened, VerifyKey], bool]) -> bool:
        """Judge one record and return whether the next may be judged; raises Unattributed for damage."""
        before = self.state
        admitted = admit(before, opened, verified)
        try:
            after = advance(before, admitted)
        except (DecodeError, Violation) as refusal:
            return self._refuse(admitted, refusal)
        self.state = after
        self.frames += 1
        if admitted.envelope is not None and isinstance(admitted.envelope.event, Expelled):
            self.accused = None
            self._time_out(before, admitted.seq, admitted.envelope.event)
        if self._on_frame is not None:
            self._on_frame(before, admitted, after, None)
        if after.finished is not before.finished and after.finished is not None:
            self._on_hand(after.finished)
        return True

    def _refuse(self, admitted: Admitted, refusal: DecodeError | Violation) -> bool:
        before = self.state
        if not before.judging:
            raise Unattributed("record.before-ready", actual=refusal.code) from refusal
        if self._open_fault():
            self.unjudged = Unjudged(record=self.record)
            return False
        if self.fault is None:
            self.fault = Fault(
                code=refusal.code,
                clause=refusal.clause,
                seat=admitted.seat,
                seq=admitted.seq,
                blame="public",
                expected=refusal.expected,
                actual=refusal.actual,
            )
        self.accused = (admitted.seat, admitted.seq, refusal.code)
        self.state = refuse(before, admitted, refusal)
        if self._on_frame is not None:
            self._on_frame(before, admitted, None, refusal)
        return True

    def _time_out(self, before: State, seq: int, event: Expelled) -> None:
        """Hold against the first seat that an expulsion proves absent that it broke the terms' time (VERDICT-6)."""
        if self.fault is None and event.absent:
            seat, words = event.absent[0]
            self.fault = Fault(
                code="witness.no-show",
                clause=CODES["witness.no-show"].clause,
                seat=seat,
                seq=seq,
                blame="public",
                expected=1000 * before.agreed.offer.move_seconds + words[0].bank,
                actual=words[0].at - words[0].since,
            )

    def verdict(self) -> Verdict:
        """Return what was found."""
        state = self.state
        match = state.match
        if match is None:
            outcome = self._without_offer()
            owes = self._owes() if outcome is Outcome.INCOMPLETE else None
            return Verdict(outcome=outcome, damage=self.damage, owes=owes, head=state.head)
        offer = match.offer
        stacks, net, forfeits = state.books.stacks, state.books.net, state.books.forfeits
        pending = None
        if state.play is not None:
            self._on_hand(record_hand(state, state.play, None))
            stacks = state.play.before
            pending = self._pending()
        if self.accused is not None and state.play is not None:
            after = follow(forfeit(state.enter(refused=None), *self.accused))
            forfeits = after.books.forfeits
            if after.play is None:
                stacks, net, pending = after.books.stacks, after.books.net, None
        return Verdict(
            outcome=self._outcome(),
            game=offer.game,
            suite=offer.suite,
            dealing=offer.dealing,
            terms=TermsRead(
                hands=offer.hands,
                rules=_named(match.rules),
                witnesses=offer.witnesses,
                threshold=offer.threshold,
                move_seconds=offer.move_seconds,
                bank_seconds=offer.bank_seconds,
                expires=offer.expires,
            ),
            session=match.session if len(match.openings) == match.seats else None,
            players=tuple([_player(seat, key, name) for seat, (key, name) in enumerate(offer.players)]),
            hands=tuple(self.hands),
            stacks=stacks,
            net=net,
            fault=self.fault,
            forfeits=forfeits,
            owes=None if self._open_fault() else self._owes(),
            pending=pending,
            damage=self.damage,
            unjudged=self.unjudged,
            settled=state.settled,
            settling=settling_order(state) if state.end_head else (),
            head=state.head,
            frames=self.frames,
        )

    def _outcome(self) -> Outcome:
        if self.fault is not None:
            return Outcome.FAULT
        if self.damage is None and self.state.end_head:
            return Outcome.CLEAN
        return Outcome.INCOMPLETE

    def _without_offer(self) -> Outcome:
        """A file cut before its offer ends is incomplete (CHAIN-3); one with something else there is unreadable."""
        cut = self.damage is None or self.damage.reason == "record.truncated"
        return Outcome.INCOMPLETE if cut else Outcome.UNREADABLE

    def _owes(self) -> Owes | None:
        owed = self.state.owed
        return None if owed is None else Owes(seat=owed.seat, kinds=tuple([kind.KIND for kind in owed.kinds]))

    def _pending(self) -> Pending | None:
        state = self.state
        if state.play is None:
            return None
        stacks = None
        if state.owed is not None:
            after = follow(forfeit(state, state.owed.seat, state.seq, "forfeit"))
            stacks = after.books.stacks if after.play is None else None
        return Pending(pot=state.play.hand.totals, if_forfeit=stacks)


def _named(rules: Any) -> tuple[tuple[str, bool | int | str], ...]:
    return tuple([(item.name, getattr(rules, item.name)) for item in fields(rules)])


def _player(seat: int, key: bytes, name: str) -> Player:
    return Player(seat=seat, name=name, key=key, fingerprint=fingerprint(key))


def fingerprint(key: bytes) -> str:
    """Return the short form of a key for people: the first 16 hex digits of its SHA-256. Never compared by programs."""
    return hashlib.sha256(key).hexdigest()[:16]
