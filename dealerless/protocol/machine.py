"""The machine: `admit` takes bytes to a signed, linked message, `step` takes the state over it, `refuse` keeps a fault.

Player and referee run the same three functions over the same table. What `admit` cannot attribute to a seat blames
nobody; what it admits and `step` refuses is its signer's fault (VERDICT-1, VERDICT-2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..crypto.ed25519 import VerifyKey
from ..errors import BadSignature, DecodeError, Unattributed, Violation
from ..games.game import Game
from .closing import refuse as refusal
from .envelope import VERSION, Envelope, Header, decode_body, read_header
from .events import Expelled, Offered
from .records import ZERO_HASH, body_hash, decode_frame, signed_text
from .state import Ledger, Owed, Phase, State
from .table import EARLY, RULES, follow


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    """A validly signed message that continues the chain, or proves equivocation.

    `defect` is why it is its signer's fault whatever the state says (it does not decode, or is a second message on one
    previous hash); then `envelope` is None.
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


def admit(state: State, frame: bytes) -> Admitted:
    """Return what a frame is worth at this state: the first four checks of the referee's list.

    1. it is a frame; 2. version, session, seat, sequence number and previous hash continue the chain; 3. the signature
    is valid under the seat's key (SIG-2); 4. the body decodes canonically (ENC-2).

    Raises Unattributed where 1, 2 or 3 fails, and where 4 fails before the last ready: nobody is to blame.
    """
    body, signature = decode_frame(frame)
    envelope: Envelope | None = None
    defect: DecodeError | Violation | None = None
    try:
        envelope = decode_body(body)
        header = envelope.header
        record = envelope.record
    except DecodeError as error:
        defect = error
        header = read_header(body)
        record = body_hash(body)
    if header.version != VERSION:
        raise Unattributed("record.wrong-version", expected=VERSION, actual=header.version)
    if state.match is None:
        return _admit_offer(header, envelope, signature, defect)
    key = _check_link(state, header)
    if header.seq != state.seq or header.prev != state.head:
        defect = _equivocation(state, header, record)
        envelope = None
    try:
        key.verify(signed_text(body), signature)
    except BadSignature as error:
        raise Unattributed("record.bad-signature") from error
    if defect is not None and not state.judging:
        raise Unattributed("record.before-ready", actual=defect.code) from defect
    return Admitted(seat=header.seat, seq=header.seq, record=record, envelope=envelope, defect=defect)


def _admit_offer(
    header: Header, envelope: Envelope | None, signature: bytes, defect: DecodeError | Violation | None
) -> Admitted:
    """Return the offer, whose own first key signs it; an offer that does not decode blames nobody."""
    if envelope is None or not isinstance(envelope.event, Offered):
        raise Unattributed("record.before-ready", actual=defect.code if defect else envelope and "turn.wrong-kind")
    if (header.session, header.seq, header.seat, header.prev) != (ZERO_HASH, 0, 0, ZERO_HASH):
        raise Unattributed("record.wrong-sequence", expected=0, actual=header.seq)
    try:
        VerifyKey.load(envelope.event.players[0][0]).verify(signed_text(envelope.body), signature)
    except BadSignature as error:
        raise Unattributed("record.bad-signature", actual=error.code) from error
    return Admitted(seat=0, seq=0, record=envelope.record, envelope=envelope, defect=None)


def _check_link(state: State, header: Header) -> VerifyKey:
    """Return the key of the header's seat; raises Unattributed for a foreign session or seat."""
    match = state.agreed
    if header.session != match.session:
        raise Unattributed("record.foreign-session", expected=match.session, actual=header.session)
    if not 0 <= header.seat < match.seats:
        raise Unattributed("record.unknown-seat", expected=(0, match.seats - 1), actual=header.seat)
    return match.keys[header.seat]


def _equivocation(state: State, header: Header, record: bytes) -> Violation:
    """Return the violation of a second message on one previous hash; raises Unattributed for any other misplaced one."""
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

    Raises Violation when the message is not legal here; the old state stays valid.
    """
    owed, event = state.owed, envelope.event
    seat = envelope.header.seat
    if owed is None:
        raise Violation("turn.match-over", actual=event.KIND)
    phase = state.phase
    if type(event) not in owed.kinds:
        clause = EARLY.get((phase, type(event)))
        if clause is not None:
            raise Violation("commit.early-opening", clause=clause, expected=owed.kinds[0].KIND, actual=event.KIND)
    if seat != owed.seat:
        raise Violation("turn.not-yours", expected=owed.seat, actual=seat)
    rule = RULES.get((phase, type(event)))
    if rule is None:
        code = "chain.wrong-expulsion" if isinstance(event, Expelled) else "turn.wrong-kind"
        raise Violation(code, expected=tuple([kind.KIND for kind in owed.kinds]), actual=event.KIND)
    refused = rule.check(state, envelope, event)
    if refused is not None:
        raise refused
    return _linked(rule.apply(state, envelope, event), envelope)


def advance(state: State, admitted: Admitted) -> State:
    """Return the state after an admitted message; raises its defect, or what `step` raises."""
    if admitted.defect is not None:
        raise admitted.defect
    if admitted.envelope is None:
        raise RuntimeError("an admitted message has neither envelope nor defect")
    return step(state, admitted.envelope)


def refuse(state: State, admitted: Admitted, fault: DecodeError | Violation) -> State:
    """Return the state after a refused message: only the expulsion of its author may follow (CHAIN-5)."""
    refused = refusal(state, author=admitted.seat, seq=admitted.seq, record=admitted.record, code=fault.code)
    if refused is None:
        return state.evolve(owed=None)
    owed = Owed(seat=refused.expeller, kinds=(Expelled,), phase=Phase.EXPELLING)
    return state.enter(refused=refused).evolve(phase=Phase.EXPELLING, owed=owed)


def _linked(state: State, envelope: Envelope) -> State:
    header, record = envelope.header, envelope.record
    last = list(state.last)
    last[header.seat] = (header.seq, header.prev, record)
    return follow(state.evolve(seq=header.seq + 1, head=record, last=tuple(last)))
