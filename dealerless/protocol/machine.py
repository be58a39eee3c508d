"""The machine: `open_frame` and `admit` take bytes to a signed, linked message, `step` takes the state over it.

`refuse` keeps a fault. Player and referee run the same functions over the same table. What `admit` cannot attribute to
a seat blames nobody; what it admits and `step` refuses is its signer's fault (VERDICT-1, VERDICT-2).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from ..crypto.ed25519 import VerifyKey
from ..errors import BadSignature, DecodeError, Unattributed, Violation
from ..games.game import Game
from .closing import refuse as refusal
from .envelope import VERSION, Envelope, Header, decode_body, read_header
from .events import Event, Expelled, Mucked, Offered
from .records import ZERO_HASH, body_hash, decode_frame, signed_text
from .state import Ledger, Owed, Phase, Refused, State
from .table import EARLY, RULES, follow

# How many messages refused at one place an expulsion may be of: more than come between one and its expulsion, and few
# enough to be no burden.
_MOST_REFUSED: Final = 1000


class Opened(NamedTuple):
    """A frame taken apart, before anything is known of its place or signature.

    `envelope` is None when the body does not decode; `defect` says why. The header can always be read.
    """

    header: Header
    body: bytes
    signature: bytes
    record: bytes
    envelope: Envelope | None
    defect: DecodeError | None

    def verify(self, key: VerifyKey) -> bool:
        """Return whether the signature is this key's on the body (SIG-2)."""
        try:
            key.verify(signed_text(self.body), self.signature)
        except BadSignature:
            return False
        return True


class Admitted(NamedTuple):
    """A validly signed message that continues the chain, or proves equivocation.

    `defect` is why it is its signer's fault whatever the state says (it does not decode, or is a second message on one
    previous hash). `envelope` is None where it does not decode.
    """

    seat: int
    seq: int
    record: bytes
    envelope: Envelope | None
    defect: DecodeError | Violation | None


def start(games: Mapping[str, Game]) -> State:
    """Return the state before the offer, for matches of these games."""
    owed = Owed(seat=0, kinds=(Offered,), phase=Phase.OFFERING)
    return State(ledger=Ledger(games=games), phase=Phase.OFFERING, owed=owed, seq=0, head=ZERO_HASH)


def open_frame(frame: bytes) -> Opened:
    """Return a frame taken apart, its body decoded if it can be (ENC-2, ENC-3).

    Raises Unattributed when it is not a frame or the body's header cannot be read: then nothing says whose it is.
    """
    body, signature = decode_frame(frame)
    try:
        envelope = decode_body(body)
    except DecodeError as defect:
        # The defect is kept with its record; what it was raised over, the decoded values, must not be.
        defect.__cause__ = defect.__context__ = None
        return Opened(read_header(body), body, signature, body_hash(body), None, defect.with_traceback(None))
    return Opened(envelope.header, body, signature, envelope.record, envelope, None)


def admit(state: State, opened: Opened, verified: Callable[[Opened, VerifyKey], bool] = Opened.verify) -> Admitted:
    """Return what an opened frame is worth at this state.

    Its version, session, seat, sequence number and previous hash must continue the chain (ENC-4, CHAIN-1), and its
    signature be valid under the seat's key (SIG-2), which `verified` says. Raises Unattributed where one of these
    fails, and where the body does not decode before the last ready: nobody is to blame.
    """
    header, defect = opened.header, opened.defect
    if header.version != VERSION:
        raise Unattributed("record.wrong-version", expected=VERSION, actual=header.version)
    match = state.ledger.match
    if match is None:
        return _admit_offer(opened)
    if header.session != match.session:
        raise Unattributed("record.foreign-session", expected=match.session, actual=header.session)
    if not 0 <= header.seat < match.seats:
        raise Unattributed("record.unknown-seat", expected=(0, match.seats - 1), actual=header.seat)
    second = None
    if header.seq != state.seq or header.prev != state.head:
        second = _equivocation(state, header, opened.record)
    if not verified(opened, match.keys[header.seat]):
        raise Unattributed("record.bad-signature", actual=header.seq)
    if second is not None:
        return Admitted(header.seat, header.seq, opened.record, opened.envelope, second)
    if defect is not None and not state.judging:
        raise Unattributed("record.before-ready", actual=defect.code) from defect
    return Admitted(header.seat, header.seq, opened.record, opened.envelope, defect)


def _admit_offer(opened: Opened) -> Admitted:
    """Return the offer, whose own first key signs it; an offer that does not decode blames nobody."""
    header, envelope = opened.header, opened.envelope
    if (header.session, header.seq, header.seat, header.prev) != (ZERO_HASH, 0, 0, ZERO_HASH):
        raise Unattributed("record.wrong-sequence", expected=0, actual=header.seq)
    if envelope is None or not isinstance(envelope.event, Offered):
        raise Unattributed("record.before-ready", actual=opened.defect.code if opened.defect else "turn.wrong-kind")
    try:
        key = VerifyKey.load(envelope.event.players[0][0])
    except BadSignature as error:
        raise Unattributed("record.bad-signature", actual=error.code) from error
    if not opened.verify(key):
        raise Unattributed("record.bad-signature", actual=0)
    return Admitted(0, 0, opened.record, envelope, None)


def _equivocation(state: State, header: Header, record: bytes) -> Violation:
    """Return the violation of a second message on one previous hash; raises Unattributed for other misplaced ones."""
    last = state.last[header.seat]
    if last is not None and (header.seq, header.prev) == last[:2]:
        if record == last[2]:
            raise Unattributed("record.duplicate", actual=header.seq)
        return Violation("chain.equivocation", expected=last[2], actual=record)
    if header.seq != state.seq:
        raise Unattributed("record.wrong-sequence", expected=state.seq, actual=header.seq)
    raise Unattributed("record.broken-link", expected=state.head, actual=header.prev)


def step(state: State, envelope: Envelope) -> State:
    """Return the state after a message; the only way forward.

    Raises Violation when the message is not legal here, and Unattributed for an expulsion that names a record this copy
    does not hold, which is no proof of anything; the old state stays valid.
    """
    event, seat = envelope.event, envelope.header.seat
    if state.refused is not None and not _of_refused(state.refused, event):
        state = _set_aside(state, state.refused, seat, envelope.record)
    owed = state.owed
    if owed is None:
        raise Violation("turn.match-over", expected=(), actual=event.KIND)
    phase = state.phase
    if type(event) not in owed.kinds:
        clause = EARLY.get((phase, type(event)))
        if clause is not None:
            raise Violation("commit.early-opening", clause=clause, expected=owed.kinds[0].KIND, actual=event.KIND)
    if seat != owed.seat and not isinstance(event, Expelled):
        # Who may expel follows from whom, so the table's own check says it.
        raise Violation("turn.not-yours", expected=owed.seat, actual=seat)
    rule = RULES.get((phase, type(event)))
    if rule is None or (type(event) not in owed.kinds and not isinstance(event, Mucked | Expelled)):
        # A row may be another dealing's. Mucks and expulsions are refused by their own checks, with their own codes.
        code = "chain.wrong-expulsion" if isinstance(event, Expelled) else "turn.wrong-kind"
        raise Violation(code, expected=tuple([kind.KIND for kind in owed.kinds]), actual=event.KIND)
    if isinstance(event, Expelled) and not _holds(state, event.record):
        raise Unattributed("record.refused-missing", actual=event.record)
    refused = rule.check(state, envelope, event)
    if refused is not None:
        raise refused
    return follow(rule.apply(state, envelope, event))


def judged_in(state: State, event: Event) -> State:
    """Return the state in which an accepted message was judged: before the refusal it set aside, or this one."""
    refused = state.refused
    return state if refused is None or _of_refused(refused, event) else _before(state, refused)


def _set_aside(state: State, refused: Refused, seat: int, record: bytes) -> State:
    """Return the state before the refusal, at which whoever owed there may have signed before it heard of it (CHAIN-5).

    Raises Violation for a message of who is refused already: it is its second one on one previous hash.
    """
    if seat in [each.seat for each in refused.every]:
        raise Violation("chain.equivocation", expected=refused.record, actual=record)
    return _before(state, refused)


def _before(state: State, refused: Refused) -> State:
    """Return the state at which the first of them was refused."""
    return state.enter(refused=None).evolve(phase=refused.waiting.phase, owed=refused.waiting)


def _of_refused(refused: Refused, event: Event) -> bool:
    """Return whether this is an expulsion that names one of the refused messages."""
    if not isinstance(event, Expelled):
        return False
    return any((event.seat, event.record) == (each.seat, each.record) for each in refused.every)


def _holds(state: State, record: bytes) -> bool:
    """Return whether what an expulsion names can be looked at here.

    The refused record is no link of the chain, so a copy can lack it, or have another one of the same author in its
    place, and an honest expulsion then looks wrong. One that names no record, or a message the table took, is judged.
    """
    known = [last[2] for last in state.last if last is not None]
    return state.refused is not None or record == ZERO_HASH or record in known


def advance(state: State, admitted: Admitted) -> State:
    """Return the state after an admitted message; raises its defect, or what `step` raises.

    Raises Unattributed `record.duplicate` for one that is refused already.
    """
    refused = state.refused
    if refused is not None and admitted.record in [each.record for each in refused.every]:
        raise Unattributed("record.duplicate", actual=admitted.seq)
    if admitted.defect is not None:
        raise admitted.defect
    if admitted.envelope is None:
        raise RuntimeError("an admitted message has neither envelope nor defect")
    return step(state, admitted.envelope)


def refuse(state: State, admitted: Admitted, fault: DecodeError | Violation) -> State:
    """Return the state after a refused message: its author is to be expelled (CHAIN-5).

    One that comes where another was refused before joins it, since its expulsion may be the one that was signed.
    """
    first = state.refused
    if first is not None:
        return _refuse_too(state, first, admitted, fault)
    refused = refusal(state, author=admitted.seat, seq=admitted.seq, record=admitted.record, code=fault.code)
    if refused is None:
        return state.evolve(owed=None)
    owed = Owed(seat=refused.expeller, kinds=(Expelled,), phase=Phase.EXPELLING)
    return state.enter(refused=refused).evolve(phase=Phase.EXPELLING, owed=owed)


def joins(state: State, admitted: Admitted) -> bool:
    """Return whether a message that is refused has its place beside another one that was (CHAIN-5).

    An expulsion for one of them has not: what it says besides may rest on what this copy lacks. A second message on an
    earlier hash has it where its author is to be expelled for another such.
    """
    refused = state.refused
    if refused is None or (admitted.envelope is not None and _of_refused(refused, admitted.envelope.event)):
        return False
    if admitted.seq == state.seq:
        return True
    twice = [each.seat for each in refused.every if each.code == "chain.equivocation"]
    return admitted.defect is not None and admitted.defect.code == "chain.equivocation" and admitted.seat in twice


def _refuse_too(state: State, first: Refused, admitted: Admitted, fault: DecodeError | Violation) -> State:
    before = _before(state, first)
    earlier = next((each for each in first.every if each.seat == admitted.seat), None)
    if earlier is not None:
        refused: Refused | None = replace(earlier, record=admitted.record, others=())
    else:
        refused = refusal(before, author=admitted.seat, seq=admitted.seq, record=admitted.record, code=fault.code)
    if refused is None:
        return state
    return state.enter(refused=replace(first, others=(*first.others[2 - _MOST_REFUSED :], refused)))
