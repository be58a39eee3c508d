"""The judge: takes records one by one, up to the first that ends the judged prefix, and says what they prove.

Every reader of transcripts is one loop over `Judge.read`: the referee over one file, the comparison over two in step,
the search for evidence over the records it is going to cut.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any, BinaryIO, NamedTuple

from ..crypto.ed25519 import VerifyKey
from ..errors import CODES, DealerlessError, DecodeError, Unattributed, Violation
from ..games.game import Game
from ..protocol.closing import forfeit, settling_order
from ..protocol.events import Expelled
from ..protocol.limits import MAX_SEATS
from ..protocol.machine import Admitted, Opened, admit, advance, joins, refuse, start
from ..protocol.playing import record_hand, seated
from ..protocol.state import HandRecord, State
from ..protocol.table import follow
from ..protocol.witness import Receipt
from .lookahead import Lookahead
from .receipts import void_words
from .verdict import Damage, Fault, Outcome, Owes, Pending, Player, TermsRead, Unjudged, Verdict

OnHand = Callable[[HandRecord], None]


class Judged(NamedTuple):
    """One record that continues the chain or convicts somebody.

    `record` counts from 0; `after` is None and `refusal` is why, when the message breaks a rule.
    """

    record: int
    before: State
    admitted: Admitted
    after: State | None
    refusal: DealerlessError | None


class Proven(NamedTuple):
    """A fault that one copy proves, and where: `place` messages of the chain stand before its record, `record` from 0.

    `rank` orders what is proven at one place: 0 is a refused record, 1 and on the time-outs, as their seats owed.
    """

    place: int
    rank: int
    fault: Fault
    record: int


class Judge:
    """One reading under way. `proven` is all that stands, the first fault first; `accused` is one without expulsion."""

    def __init__(
        self, games: Mapping[str, Game], *, on_hand: OnHand | None = None, receipts: Iterable[Receipt] = ()
    ) -> None:
        self.state = start(games)
        self.record = 0
        self.frames = 0
        self.hands: list[HandRecord] = []
        self.proven: list[Proven] = []
        self.accused: Fault | None = None
        self.damage: Damage | None = None
        self.unjudged: Unjudged | None = None
        self._on_hand = self.hands.append if on_hand is None else on_hand
        self._receipts = receipts

    @property
    def faults(self) -> tuple[Fault, ...]:
        """All faults that stand, in the order in which they were proven."""
        return tuple([proof.fault for proof in self.proven])

    def read(self, stream: BinaryIO) -> Iterator[Judged]:
        """Yield every record of a transcript up to the first that ends the judged prefix."""
        with Lookahead(stream) as ahead:
            yield from self.take_all(iter(ahead), ahead.verified, ahead)

    def take_all(
        self,
        records: Iterator[Opened],
        verified: Callable[[Opened, VerifyKey], bool] = Opened.verify,
        ahead: Lookahead | None = None,
    ) -> Iterator[Judged]:
        """Yield every one of these records up to the first that ends the judged prefix."""
        while True:
            try:
                opened = next(records, None)
                judged = None if opened is None else self.take(opened, verified)
            except Unattributed as reason:
                self._end(reason)
                return
            if judged is None:
                return
            yield judged
            finished = self.state.finished
            if finished is not judged.before.finished and finished is not None:
                self._on_hand(finished)
            if ahead is not None and not ahead.keys and self.state.match is not None:
                ahead.keys = self.state.match.keys

    def take(self, opened: Opened, verified: Callable[[Opened, VerifyKey], bool] = Opened.verify) -> Judged | None:
        """Return one record as it was judged, or None where it is a second fault and judging ends.

        Raises Unattributed for damage.
        """
        before = self.state
        admitted = admit(before, opened, verified)
        try:
            after = advance(before, admitted)
        except (DecodeError, Violation) as refusal:
            return self._refuse(admitted, refusal)
        event = None if admitted.envelope is None else admitted.envelope.event
        if isinstance(event, Expelled):
            self._check_witnesses(before, event)
            self._time_out(before, admitted.seq, event)
        # Expelled, or left standing by who owed and has gone on before hearing of it (CHAIN-5).
        self.accused = None
        self.state = after
        self.frames += 1
        self.record += 1
        return Judged(self.record - 1, before, admitted, after, None)

    def _refuse(self, admitted: Admitted, refusal: DecodeError | Violation) -> Judged | None:
        before = self.state
        if not before.judging:
            raise Unattributed("record.before-ready", actual=refusal.code) from refusal
        if self.accused is not None and not joins(before, admitted):
            self.unjudged = Unjudged(record=self.record)
            return None
        fault = Fault(
            code=refusal.code,
            clause=refusal.clause,
            seat=admitted.seat,
            seq=admitted.seq,
            blame="public",
            expected=refusal.expected,
            actual=refusal.actual,
        )
        if self.accused is None:
            self.accused = fault
        if all((fault.seat, before.seq) != (each.fault.seat, each.place) for each in self.proven[-MAX_SEATS:]):
            self.proven.append(Proven(before.seq, 0, fault, self.record))
        self.state = refuse(before, admitted, refusal)
        self.record += 1
        return Judged(self.record - 1, before, admitted, None, refusal)

    def _check_witnesses(self, before: State, event: Expelled) -> None:
        """Return if enough of the no-shows are not contradicted by a receipt of their own witness (VERDICT-6).

        Raises Unattributed `witness.void`: a witness that said both proves nothing about anybody.
        """
        if not event.absent:
            return
        void = void_words(before, event, self._receipts)
        for seat, words in event.absent:
            if sum([(seat, word.witness) not in void for word in words]) < before.agreed.offer.threshold:
                raise Unattributed("witness.void", actual=seat)

    def _time_out(self, before: State, seq: int, event: Expelled) -> None:
        """Hold against the seats that an expulsion proves absent that they broke the terms' time (VERDICT-6)."""
        for rank, (seat, words) in enumerate(event.absent, start=1):
            fault = Fault(
                code="witness.no-show",
                clause=CODES["witness.no-show"].clause,
                seat=seat,
                seq=seq,
                blame="public",
                expected=1000 * before.agreed.offer.move_seconds + words[0].bank,
                actual=words[0].at - words[0].since,
            )
            self.proven.append(Proven(before.seq, rank, fault, self.record))

    def _end(self, reason: Unattributed) -> None:
        """Judge nothing from this record on; what follows an unexpelled fault is unjudged, not damage (VERDICT-2)."""
        if self.accused is not None:
            self.unjudged = Unjudged(record=self.record)
        else:
            detail = reason.actual if isinstance(reason.actual, str) and reason.actual in CODES else None
            self.damage = Damage(record=self.record, reason=reason.code, detail=detail)

    def verdict(self, proven: tuple[Fault, ...] = ()) -> Verdict:
        """Return what was found. `proven` are faults proven from outside: their authors forfeit where the chain ends.

        Only in a hand that is running there, and only those who are still in the match (VERDICT-2a).
        """
        state = self.state
        match = state.match
        if match is None:
            outcome = self._without_offer()
            owes = self._owes() if outcome is Outcome.INCOMPLETE else None
            return Verdict(outcome=outcome, damage=self.damage, owes=owes, head=state.head)
        offer = match.offer
        accused = proven if self.accused is None else (self.accused, *proven)
        stacks, net, forfeits = state.books.stacks, state.books.net, state.books.forfeits
        pending = None
        if state.play is not None:
            self._on_hand(record_hand(state, state.play, None))
            stacks = state.play.before
            pending = self._pending()
            after = forfeited(state, accused)
            forfeits = after.books.forfeits
            if after.play is None:
                stacks, net, pending = after.books.stacks, after.books.net, None
        return Verdict(
            outcome=self._outcome(proven),
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
            players=tuple([player(seat, key, name) for seat, (key, name) in enumerate(offer.players)]),
            hands=tuple(self.hands),
            stacks=stacks,
            net=net,
            fault=next(iter((*self.faults, *proven)), None),
            forfeits=forfeits,
            owes=None if accused else self._owes(),
            pending=pending,
            damage=self.damage,
            unjudged=self.unjudged,
            settled=state.settled,
            left=tuple([seat for seat, gone in enumerate(state.books.gone) if gone == "left"]),
            settling=settling_order(state) if state.end_head else (),
            played=state.books.number,
            able=seated(state) if state.end_head else (),
            head=state.head,
            frames=self.frames,
        )

    def _outcome(self, proven: tuple[Fault, ...]) -> Outcome:
        if self.proven or proven:
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


def forfeited(state: State, accused: Iterable[Fault]) -> State:
    """Return the state of a running hand with everybody accused expelled, as far as the hand runs (VERDICT-4)."""
    after = state.enter(refused=None)
    for fault in accused:
        if after.play is not None:
            after = follow(forfeit(after, fault.seat, fault.seq, fault.code))
    return after


def _named(rules: Any) -> tuple[tuple[str, bool | int | str], ...]:
    return tuple([(item.name, getattr(rules, item.name)) for item in fields(rules)])


def player(seat: int, key: bytes, name: str) -> Player:
    """Return a seat as the offer names it."""
    return Player(seat=seat, name=name, key=key, fingerprint=fingerprint(key))


def fingerprint(key: bytes) -> str:
    """Return the short form of a key for people: the first 16 hex digits of its SHA-256. Never compared by programs."""
    return hashlib.sha256(key).hexdigest()[:16]
