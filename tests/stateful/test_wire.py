"""Sessions on a bad wire: frames are lost, doubled, reordered and mixed with junk, and sent again until they arrive.

What must come out all the same: every session that stays ends in the state to which the referee folds the journal
(CHAIN-1), chips are conserved at every step, and nobody ever signs two bodies on one previous hash (CHAIN-2). A seat
may leave, and one may cheat: it is expelled and the others go on (CHAIN-5, VERDICT-4).
"""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from dealerless.errors import DealerlessError, DecodeError, Unattributed, Violation
from dealerless.protocol.envelope import read_header
from dealerless.protocol.events import Accepted, Acted, Event, Expelled, HandStarted, Left, Mucked, Offered, Settled
from dealerless.protocol.machine import Admitted
from dealerless.protocol.records import decode_frame
from dealerless.protocol.state import Phase, State
from dealerless.referee import Outcome, replay
from tests.matches import KEYS, PLAYED, body_at, chips, fixed, hex_offer, seats_of, signed, toy_offer, transcript

PICKS = st.integers(0, 10_000)
MOMENTS = st.integers(6, 30)


class Wire(RuleBasedStateMachine):
    """`journal` is the chain as it was signed; a seat's `inbox` holds what has not reached it yet."""

    offer: Offered

    def __init__(self) -> None:
        super().__init__()
        self.sessions = seats_of(self.offer)
        self.journal: list[bytes] = []
        self.inbox: list[list[bytes]] = [[] for _ in self.sessions]
        self.post(0, self.sessions[0].say(self.offer))
        self.signed: dict[tuple[int, bytes], bytes] = {}
        self.cheat: int | None = None
        self.cheats_at: int | None = None
        self.leaves_at: int | None = None
        self.how = 0
        books = self.sessions[0].state.books
        self.total = sum(books.stacks)

    # --- the wire

    def post(self, seat: int, frame: bytes) -> None:
        self.journal.append(frame)
        for other, inbox in enumerate(self.inbox):
            if other != seat:
                inbox.append(frame)

    def receive(self, seat: int, frame: bytes) -> bool:
        """Give a frame to a seat; return whether it took it in, or found it to break a rule."""
        session = self.sessions[seat]
        before = session.state
        try:
            session.receive(frame)
        except Unattributed:
            assert session.state is before
            return False
        except (Violation, DecodeError):
            assert session.fault is not None
            assert session.fault.seat == self.cheat
            assert session.fault.frame == frame
        return True

    def staying(self) -> list[int]:
        return [seat for seat in range(len(self.sessions)) if seat != self.cheat]

    @rule(seat=PICKS, pick=PICKS)
    def deliver(self, seat: int, pick: int) -> None:
        """Any frame on its way arrives, the later before the earlier or not."""
        seat = self.staying()[seat % len(self.staying())]
        inbox = self.inbox[seat]
        if inbox:
            frame = inbox[pick % len(inbox)]
            if self.receive(seat, frame):
                inbox.remove(frame)

    @rule(seat=PICKS)
    def resend(self, seat: int) -> None:
        """Everything that a seat lacks is sent again, in order, and arrives."""
        seat = self.staying()[seat % len(self.staying())]
        self.inbox[seat] = [frame for frame in self.inbox[seat] if not self.receive(seat, frame)]

    @rule(seat=PICKS, pick=PICKS)
    def duplicate(self, seat: int, pick: int) -> None:
        """A frame that arrived before arrives again, our own echoes too: nothing happens. P04."""
        seat = self.staying()[seat % len(self.staying())]
        held = [frame for frame in self.journal if frame not in self.inbox[seat]]
        if held:
            assert not self.receive(seat, held[pick % len(held)])

    @rule(seat=PICKS, pick=PICKS, at=PICKS, bit=st.integers(0, 7))
    def corrupt(self, seat: int, pick: int, at: int, bit: int) -> None:
        """A frame arrives with one bit turned: nothing happens, nobody is blamed. S09."""
        seat = self.staying()[seat % len(self.staying())]
        frame = bytearray(self.journal[pick % len(self.journal)])
        frame[at % len(frame)] ^= 1 << bit
        assert not self.receive(seat, bytes(frame))

    @rule(seat=PICKS, junk=st.binary(max_size=64))
    def junk(self, seat: int, junk: bytes) -> None:
        assert not self.receive(self.staying()[seat % len(self.staying())], junk)

    # --- the seats

    @initialize(cheats_at=st.one_of(st.none(), MOMENTS), how=PICKS, leaves_at=st.one_of(st.none(), MOMENTS))
    def plan(self, cheats_at: int | None, how: int, leaves_at: int | None) -> None:
        """Who comes to speak from this number on breaks a rule; who may leave from that number on does."""
        self.cheats_at, self.how, self.leaves_at = cheats_at, how, leaves_at

    def speak(self, seat: int, pick: int) -> None:
        session = self.sessions[seat]
        before, owed = session.state, session.owed
        assert owed is not None
        playing = before.judging and before.phase is not Phase.SETTLING
        if playing and self.cheat is None and self.cheats_at is not None and before.seq >= self.cheats_at:
            self.cheat = seat
            self.post(seat, signed(KEYS[seat], self.broken(before, seat)))
            return
        event = session.due()
        if event is None:
            event = self.decide(before, seat, pick)
        elif Left in owed.kinds and self.leaves_at is not None and before.seq >= self.leaves_at:
            event, self.leaves_at = Left(), None
        frame = session.say(event)
        # CHAIN-2: one body on one previous hash, for ever.
        assert (seat, before.head) not in self.signed
        self.signed[seat, before.head] = decode_frame(frame)[0]
        self.post(seat, frame)

    def broken(self, state: State, seat: int) -> bytes:
        """A body that is legal nowhere in a hand, or does not even decode."""
        events: list[Event] = [
            Acted(move="BET", amount=-1),
            Settled(head=state.head, stacks=state.books.stacks, net=state.books.net),
            HandStarted(number=9999, button=0, stacks=state.books.stacks, net=state.books.net),
            Expelled(seat=(seat + 1) % len(self.sessions), record=state.head),
        ]
        if self.how % 5 == 4:
            return body_at(state, seat, "no such kind", ())
        event = events[self.how % 5]
        return body_at(state, seat, event.KIND, event.fields())

    def decide(self, state: State, seat: int, pick: int) -> Event:
        """An acceptance, any legal move, or a show or muck."""
        session = self.sessions[seat]
        if state.phase is Phase.ACCEPTING:
            return Accepted(nonce=fixed(f"nonce {seat}"), channel=b"")
        options = session.legal()
        if options:
            option = options[pick % len(options)]
            return Acted(move=option.name, amount=(option.least, option.most)[pick // 7 % 2])
        return Mucked() if pick % 2 else self.sessions[seat].show()

    def speakers(self) -> list[int]:
        return [seat for seat in self.staying() if self.sessions[seat].owed is not None]

    @precondition(lambda self: self.speakers())
    @rule(pick=PICKS)
    def say(self, pick: int) -> None:
        """CHAIN-1: never do two seats believe that it is theirs to speak."""
        (seat,) = self.speakers()
        self.speak(seat, pick)

    # --- what always holds

    @invariant()
    def conserves_chips(self) -> None:
        for session in self.sessions:
            assert chips(session.state) in (0, self.total)

    @invariant()
    def no_honest_seat_is_at_fault(self) -> None:
        for seat in self.staying():
            fault = self.sessions[seat].fault
            assert fault is None or fault.seat == self.cheat

    def teardown(self) -> None:
        """Everything arrives at last, all play on to the end, and the referee sees what everybody saw."""
        for pick in range(100_000):
            for seat in self.staying():
                self.resend(self.staying().index(seat))
            speakers = self.speakers()
            if not speakers:
                break
            self.speak(speakers[0], pick * 7919 % 10_007)
        seen: list[State] = []

        def look(before: State, message: Admitted, after: State | None, refusal: DealerlessError | None) -> None:
            if after is not None:
                seen.append(after)
            else:
                assert message.seat == self.cheat

        verdict = replay(transcript(*self.journal), games=PLAYED, on_frame=look)
        assert verdict.outcome is (Outcome.CLEAN if self.cheat is None else Outcome.FAULT)
        assert verdict.damage is None
        assert verdict.unjudged is None
        assert sum(verdict.stacks) == self.total
        assert sum(verdict.net) == 0
        for seat in self.staying():
            state = self.sessions[seat].state
            assert not self.inbox[seat]
            assert state.phase is Phase.OVER
            assert state == seen[-1]
        assert verdict.stacks == seen[-1].books.stacks
        for position, frame in enumerate(self.journal):
            assert read_header(decode_frame(frame)[0]).seq <= position


PROFILE = settings(max_examples=30, stateful_step_count=50, deadline=None)


class HexWire(Wire):
    offer = hex_offer("wire", hands=2, depth=3, show="muck")


class ToyWire(Wire):
    offer = toy_offer("wire", hands=2)


TestHexWire = HexWire.TestCase
TestHexWire.settings = PROFILE
TestToyWire = ToyWire.TestCase
TestToyWire.settings = PROFILE
