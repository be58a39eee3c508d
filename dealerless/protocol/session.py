"""The sans-IO session: one seat's side of a match, bytes in and bytes out.

A session holds our keys and seeds, says what we owe, and passes our own messages through the same `step` as everybody
else's *before* it signs them, so that nothing illegal and never two messages on one previous hash is ever signed by us.
Whoever drives it writes every frame to the journal before it sends it (ENC-5).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from ..crypto.ed25519 import SigningKey
from ..errors import DecodeError, Unattributed, UsageError, Violation
from ..games.game import Card, Game, Move, Option
from .closing import expeller
from .dealing import Holder
from .deckdeal import DECK
from .deckkeys import DeckHolder
from .envelope import Envelope, decode_body, encode_body
from .events import (
    Accepted,
    Acted,
    CardLaid,
    ClassProven,
    DeckShuffled,
    Event,
    Expelled,
    HandStarted,
    KeyPublished,
    LayoutOpened,
    LotCommitted,
    LotOpened,
    Offered,
    Readied,
    Revealed,
    SeedsCommitted,
    Settled,
    SharesPublished,
    Shown,
)
from .hashdeal import HASH
from .machine import Admitted, admit, advance, joins, open_frame, refuse, start, step
from .opening import USUAL_SUITES
from .playing import next_button, seated, starting_stacks, to_release
from .records import encode_frame, signed_text
from .seeds import HashHolder, Secrets
from .shoedeal import SHOE
from .shoekeys import ShoeHolder
from .state import Owed, Phase, State

_DEALT = (
    SeedsCommitted,
    LayoutOpened,
    Shown,
    KeyPublished,
    DeckShuffled,
    SharesPublished,
    Revealed,
    LotCommitted,
    LotOpened,
    ClassProven,
    CardLaid,
)

HOLDERS: Final[Mapping[str, Holder]] = {HASH.name: HashHolder(), DECK.name: DeckHolder(), SHOE.name: ShoeHolder()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A peer's message that broke a rule: its seat, the error, and the frame that proves it."""

    seat: int
    error: DecodeError | Violation
    frame: bytes


class Session:
    """One seat of one match.

    `games` are those we play, `suites` those we accept (ENC-4: md5 only when its user asked for it). After every call
    `state` is what the table knows; `fault` is set from when a peer broke a rule until its expulsion stands, and for
    good where nobody is expelled (CHAIN-3).
    """

    def __init__(
        self, key: SigningKey, secrets: Secrets, games: Mapping[str, Game], suites: tuple[str, ...] = USUAL_SUITES
    ) -> None:
        self._key = key
        self._secrets = secrets
        self._suites = suites
        self.state: State = start(games)
        self.fault: Fault | None = None
        # By seat: the second message that proves its equivocation.
        self._proofs: dict[int, bytes] = {}

    @property
    def seat(self) -> int | None:
        """Our seat; None before the offer stands, or when it does not name our key."""
        match = self.state.match
        if match is None:
            return None
        return match.keys.index(self._key.public) if self._key.public in match.keys else None

    @property
    def owed(self) -> Owed | None:
        """What we owe now, or None while it is somebody else's turn."""
        owed = self.state.owed
        return owed if owed is not None and owed.seat == self.seat else None

    @property
    def over(self) -> bool:
        """Whether nothing more belongs to this match."""
        return self.state.phase is Phase.OVER

    def legal(self) -> tuple[Option, ...]:
        """Return our legal moves; empty when we are not to move."""
        if self.owed is None or self.state.phase is not Phase.BETTING:
            return ()
        return self.state.agreed.game.legal(self.state.running.hand)

    def hole(self) -> tuple[Card, ...]:
        """Return our own cards in the running hand; empty before they are dealt."""
        seat, play = self.seat, self.state.play
        if seat is None or play is None:
            return ()
        slots = self.state.agreed.game.hole_slots(play.hand, seat)
        return self._holder.own_cards(play.deal, slots, seat, self._secrets)

    def due(self) -> Event | None:
        """Return the message we owe if it leaves us no choice; None when nothing is owed or we must decide.

        Accepting an offer, moving, exchanging, laying, and showing where a muck is allowed are decisions.
        """
        owed, seat = self.owed, self.seat
        if owed is None or seat is None:
            return None
        state = self.state
        kind = owed.kinds[0]
        if kind is Readied:
            return Readied()
        if kind is HandStarted:
            books = state.books
            button = next_button(state, seated(state))
            return HandStarted(number=books.number + 1, button=button, stacks=starting_stacks(state), net=books.net)
        if kind is Settled:
            return Settled(head=state.end_head, stacks=state.books.stacks, net=state.books.net)
        if kind is Expelled and state.refused is not None:
            return Expelled(seat=state.refused.seat, record=state.refused.record)
        if kind in _DEALT and kind is not CardLaid and len(owed.kinds) == 1:
            return self._answer(kind)
        return None

    def show(self) -> Event:
        """Return the message that shows our hole cards."""
        return self._answer(self.state.agreed.dealing.showing)

    def lay(self, place: int) -> Event:
        """Return the message that lays the first (0) or the second (1) of our two cards face down (DECK-8).

        Raises UsageError when no card is ours to lay, or there is none at that place.
        """
        owed, play = self.owed, self.state.running
        if owed is None or CardLaid not in owed.kinds or place not in (0, 1):
            raise UsageError("usage.wrong-state", actual=("lay", place))
        return self._holder.lay(play.deal, owed.seat, place, self.state.head, self._secrets)

    def say(self, event: Event) -> bytes:
        """Return the signed frame that says `event` at the head of the chain, and move on.

        What a move must release (DECK-9) is put into it here.
        Raises Violation when the table refuses it, or UsageError when it is not ours to say; then nothing was signed.
        """
        state = self.state
        if self.fault is not None and state.owed is None:
            raise UsageError("usage.wrong-state", actual="a rule was broken; the match cannot go on")
        if state.match is None and isinstance(event, Offered):
            seat = 0
            if event.players[0][0] != self._key.public.key:
                raise UsageError("usage.wrong-state", actual="an offer is signed by its first seat")
        else:
            if self.seat is None:
                raise UsageError("usage.wrong-state", actual="we have no seat in this match")
            seat = self.seat
        if isinstance(event, Accepted):
            self._check_policy()
        if isinstance(event, Acted) and state.phase is Phase.BETTING and self.owed is not None:
            event = self._releasing(event)
        session = state.match.session if state.match is not None else bytes(32)
        body = encode_body(session, state.seq, seat, state.head, event)
        self._move_on(step(state, decode_body(body)))
        return encode_frame(body, self._key.sign(signed_text(body)))

    def receive(self, frame: bytes) -> Envelope:
        """Take in a frame from a peer or from our own journal, and return its envelope.

        Raises Unattributed when it proves nothing about anybody: drop it, the state stays valid. Raises DecodeError or
        Violation when its signer broke a rule: `fault` keeps the proof, and the frame belongs in the journal. Raises
        UsageError `resume.unexplained` when a frame of our own cannot be ours (ENC-5): sign nothing more.
        """
        state = self.state
        if self.fault is not None and state.owed is None:
            raise Unattributed("record.after-fault")
        admitted = admit(state, open_frame(frame))
        try:
            after = advance(state, admitted)
        except (DecodeError, Violation) as error:
            if not state.judging:
                raise Unattributed("record.before-ready", actual=error.code) from error
            if state.refused is not None and not joins(state, admitted):
                # An honest seat may have signed it for what it has refused itself, so it convicts nobody (VERDICT-2).
                raise Unattributed("record.after-fault", actual=error.code) from error
            proof = state.refused is None and error.code == "chain.equivocation"
            if proof and expeller(state, admitted.seat, error.code) is None:
                self._proofs[admitted.seat] = frame
                raise Unattributed("record.proof-kept", actual=admitted.seat) from error
            self._refused(admitted, error, frame)
            raise
        envelope = admitted.envelope
        if envelope is None:
            raise RuntimeError("a message without an envelope was stepped over")
        if admitted.seat == self.seat and state.match is not None:
            self._explain(envelope)
        self._move_on(after)
        return envelope

    def proof(self) -> bytes | None:
        """Return the frame that proves a seat's equivocation once that seat owes a message, else None.

        It belongs in the journal then; its expulsion is owed next, in place of the author's message (CHAIN-5).
        """
        owed = self.state.owed
        frame = None if owed is None else self._proofs.pop(owed.seat, None)
        if frame is None:
            return None
        try:
            self.receive(frame)
        except (DecodeError, Violation):
            return frame
        except Unattributed:
            # The author has signed another message since, and the proof is one for `compare` now.
            return None
        raise RuntimeError("a second message on one previous hash was taken for the next one")

    @property
    def _holder(self) -> Holder:
        return HOLDERS[self.state.agreed.dealing.name]

    def _answer(self, kind: type[Event]) -> Event:
        state, match = self.state, self.state.agreed
        demand = match.game.demand(state.running.hand)
        return self._holder.answer(state.running.deal, demand, self.seat or 0, kind, state.head, self._secrets)

    def _releasing(self, event: Acted) -> Acted:
        """Return the move with our part of the slots that it must give away; an illegal one as it is."""
        state, match, seat = self.state, self.state.agreed, self.seat or 0
        move = Move(name=event.move, amount=event.amount)
        if match.game.check(state.running.hand, seat, move) is not None:
            return event
        slots = to_release(state, seat, move)
        if not slots:
            return event
        released = self._holder.release(state.running.deal, slots, seat, state.head, self._secrets)
        return replace(event, released=released)

    def _move_on(self, after: State) -> None:
        self.state = after
        # Either it was expelled for it, or whoever owed has gone on before hearing of it.
        self.fault = None

    def _refused(self, admitted: Admitted, error: DecodeError | Violation, frame: bytes) -> None:
        self.fault = Fault(seat=admitted.seat, error=error, frame=frame)
        self.state = refuse(self.state, admitted, error)

    def _explain(self, envelope: Envelope) -> None:
        """Refuse a frame of our own that our seeds have not made: a restored backup signs nothing. ENC-5."""
        event, play = envelope.event, self.state.play
        if not isinstance(event, _DEALT) or play is None:
            return
        demand = self.state.agreed.game.demand(play.hand)
        if not self._holder.explained(play.deal, demand, envelope.header.seat, event, self._secrets):
            raise UsageError("resume.unexplained", actual=envelope.header.seq)

    def _check_policy(self) -> None:
        offer = self.state.agreed.offer
        if offer.suite not in self._suites:
            raise UsageError("offer.suite-refused", expected=self._suites, actual=offer.suite)
