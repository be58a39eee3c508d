"""Whole matches in memory for tests: any number of honest sessions on one table, and what dishonest seats would sign.

Nothing is random: keys, seeds and nonces are SHA-256 of a label, so that a match comes out the same every time. These
keys are public; never play with them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dealerless.crypto.challenge import SUITE
from dealerless.crypto.commitment import commitment
from dealerless.crypto.ed25519 import SigningKey
from dealerless.encoding import encode
from dealerless.errors import DecodeError, Unattributed, Violation
from dealerless.games import GAMES
from dealerless.games.game import Exchange, Game, Option
from dealerless.protocol.envelope import VERSION, Envelope, decode_body
from dealerless.protocol.events import (
    Accepted,
    Acted,
    Event,
    Exchanged,
    Offered,
    SeedsCommitted,
)
from dealerless.protocol.machine import admit, advance, open_frame, refuse, start
from dealerless.protocol.opening import USUAL_SUITES
from dealerless.protocol.records import MAGIC, decode_frame, encode_frame, encode_record, signed_text
from dealerless.protocol.session import Session
from dealerless.protocol.state import Phase, State
from dealerless.referee import Verdict, replay
from tests.toy import TOY

PLAYED: Mapping[str, Game] = {**GAMES, TOY.name: TOY}


def fixed(label: str) -> bytes:
    """32 bytes that everybody can make again."""
    return hashlib.sha256(f"dealerless tests: {label}".encode()).digest()


KEYS = tuple(SigningKey(fixed(f"key of seat {seat}")) for seat in range(9))
STRANGER = SigningKey(fixed("key of a stranger"))

Choose = Callable[[State, tuple[Option, ...]], Event]


def first_option(state: State, options: tuple[Option, ...]) -> Event:
    """The first legal move: CHECK or CALL wherever there is one."""
    return Acted(move=options[0].name, amount=options[0].least)


def by_chance(label: str) -> Choose:
    """Any legal move, the same ones for the same label."""

    def choose(state: State, options: tuple[Option, ...]) -> Event:
        option = options[int.from_bytes(fixed(f"{label} {state.seq}")[:4], "big") % len(options)]
        return Acted(move=option.name, amount=option.least)

    return choose


def named(moves: str) -> Choose:
    """These moves in turn, all seats' together, and then the first legal ones."""
    wanted: Iterator[str] = iter(moves.split())

    def choose(state: State, options: tuple[Option, ...]) -> Event:
        name = next(wanted, options[0].name)
        return Acted(move=name, amount=next(option.least for option in options if option.name == name))

    return choose


def hex_offer(
    label: str = "match",
    *,
    hands: int = 1,
    suite: str = "sha256",
    bet: int = 10,
    depth: int = 5,
    show: str = "all",
    keys: Sequence[SigningKey] = KEYS[:2],
) -> Offered:
    return _offer(label, "hex", hands, suite, (bet, depth, show), keys)


def toy_offer(
    label: str = "match", *, seats: int = 3, hands: int = 2, chips: int = 5, suite: str = "sha256"
) -> Offered:
    return _offer(label, "toy", hands, suite, (chips,), KEYS[:seats])


def holdem_offer(
    label: str = "match",
    *,
    seats: int = 2,
    hands: int = 1,
    structure: str = "no-limit",
    blinds: tuple[int, int] = (1, 2),
    ante: int = 0,
    stack: int = 100,
    show: str = "all",
) -> Offered:
    return _offer(label, "holdem", hands, SUITE, (structure, *blinds, ante, stack, show), KEYS[:seats])


def draw_offer(
    label: str = "match",
    *,
    seats: int = 3,
    hands: int = 1,
    ante: int = 1,
    amounts: tuple[int, int] = (10, 10),
    raises: int = 3,
    allin: bool = True,
    stack: int = 100,
    show: str = "all",
) -> Offered:
    return _offer(label, "draw", hands, SUITE, (ante, *amounts, raises, allin, stack, show), KEYS[:seats])


def one_offer(label: str = "match", *, rounds: int = 5, lives: tuple[int, int] = (10, 10)) -> Offered:
    return replace(_offer(label, "onepoker", rounds, SUITE, lives, KEYS[:2]), dealing="shoe")


def from_deck(offer: Offered) -> Offered:
    """The same match with its cards from a shuffled deck."""
    return replace(offer, dealing="deck", suite=SUITE)


def _offer(
    label: str, game: str, hands: int, suite: str, rules: tuple[bool | int | str, ...], keys: Sequence[SigningKey]
) -> Offered:
    return Offered(
        game=game,
        dealing="deck" if suite == SUITE else "hash",
        suite=suite,
        hands=hands,
        rules=rules,
        players=tuple((key.public.key, f"seat {seat}") for seat, key in enumerate(keys)),
        witnesses=(),
        threshold=0,
        expires=4_102_444_800,
        nonce=fixed(f"{label}: nonce of the offer"),
    )


def random_of(label: str) -> Callable[[int], bytes]:
    """A source of seeds that gives the same ones for the same label."""
    numbers = iter(range(1 << 30))
    return lambda size: hashlib.shake_256(f"{label} {next(numbers)}".encode()).digest(size)


class KeptSecrets:
    """Secrets as their file would have kept them: a seat begun anew from the same label knows all its seeds."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._drawn = 0

    def seed(self, hand: int, purpose: str) -> bytes:
        """The seed of this hand and purpose."""
        return hashlib.shake_256(f"{self._label} {hand} {purpose}".encode()).digest(32)

    def fresh(self, size: int) -> bytes:
        """Bytes for a proof or a shuffle, others each time."""
        self._drawn += 1
        return hashlib.shake_256(f"{self._label} fresh {self._drawn}".encode()).digest(size)

    def known(self, hand: int, purpose: str) -> bytes | None:
        """The same: the file has it."""
        return self.seed(hand, purpose)


def seats_of(offer: Offered, label: str = "match", keys: Sequence[SigningKey] = KEYS) -> list[Session]:
    """A fresh session for every seat of the offer."""
    return [
        Session(key, KeptSecrets(f"{label}: seeds of seat {seat}"), PLAYED, (*USUAL_SUITES, "md5"))
        for seat, key in enumerate(keys[: len(offer.players)])
    ]


class Match:
    """One table. `frames` is what was signed, in the order of the chain, and what the table refused."""

    def __init__(self, offer: Offered, label: str = "match", keys: Sequence[SigningKey] = KEYS) -> None:
        self.label = label
        self.keys = tuple(keys[: len(offer.players)])
        self.sessions = seats_of(offer, label, keys)
        self.frames: list[bytes] = []
        self.out: set[int] = set()
        self.say(0, offer)

    @property
    def state(self) -> State:
        """What the honest seats at the table hold to be so."""
        return next(session.state for seat, session in enumerate(self.sessions) if seat not in self.out)

    @property
    def owing(self) -> int:
        owed = self.state.owed
        assert owed is not None
        return owed.seat

    @property
    def total(self) -> int:
        """The chips at the table."""
        state = self.state
        return sum(state.agreed.game.opening_stacks(state.agreed.rules, len(self.keys)))

    def say(self, seat: int, event: Event) -> bytes:
        """Let a seat sign `event` and everybody else receive it."""
        frame = self.sessions[seat].say(event)
        self.frames.append(frame)
        for other, session in enumerate(self.sessions):
            if other != seat and other not in self.out:
                session.receive(frame)
        return frame

    def owed_event(self, choose: Choose = first_option) -> Event:
        """What the owing seat is to say: the one message it owes, or its choice."""
        session = self.sessions[self.owing]
        event = session.due()
        if event is not None:
            return event
        if session.state.phase is Phase.ACCEPTING:
            return Accepted(nonce=fixed(f"{self.label}: nonce of seat {self.owing}"), channel=b"")
        if session.state.phase is Phase.EXCHANGING:
            return self.exchange()
        if session.state.phase is Phase.LAYING:
            return session.lay(fixed(f"{self.label}: lay {self.state.seq}")[0] % 2)
        return choose(session.state, session.legal()) if session.legal() else session.show()

    def exchange(self) -> Exchanged:
        """None to three discards of the seat that is to exchange, as the label and the place will have it."""
        demand = self.state.agreed.game.demand(self.state.running.hand)
        assert isinstance(demand, Exchange)
        drawn = fixed(f"{self.label}: exchange {self.state.seq}")
        return Exchanged(slots=tuple(sorted(sorted(demand.slots, key=lambda slot: drawn[slot % 31])[: drawn[31] % 4])))

    def turn(self, choose: Choose = first_option) -> Match:
        self.say(self.owing, self.owed_event(choose))
        return self

    def until(self, *phases: Phase, choose: Choose = first_option) -> Match:
        """Play on until the table is in one of these phases."""
        while self.state.phase not in phases:
            self.turn(choose)
        return self

    def play(self, choose: Choose = first_option) -> Match:
        """Play to the end."""
        return self.until(Phase.OVER, choose=choose)

    def play_to_hand(self, number: int, choose: Choose = first_option) -> Match:
        """Play until the hand of this number is to be started."""
        while not (self.state.phase is Phase.HAND_STARTING and self.state.books.number == number - 1):
            self.turn(choose)
        return self

    def until_owing(self, seat: int, choose: Choose = first_option) -> Match:
        """Play on until it is this seat's turn."""
        while self.owing != seat:
            self.turn(choose)
        return self

    # --- what dishonest seats do

    def body(
        self,
        seat: int,
        event: Event | None = None,
        *,
        kind: object = None,
        fields: object = (),
        session: bytes | None = None,
        seq: int | None = None,
        prev: bytes | None = None,
        version: int = VERSION,
    ) -> bytes:
        """Any body at all; at the head of the chain where nothing else is said."""
        if event is not None:
            kind, fields = event.KIND, event.fields()
        return body_at(self.state, seat, kind, fields, session=session, seq=seq, prev=prev, version=version)

    def sign(self, seat: int, body: bytes, *, key: SigningKey | None = None) -> bytes:
        return signed(self.keys[seat] if key is None else key, body)

    def forge(self, seat: int, event: Event) -> bytes:
        """The frame by which `seat` says `event` here, whatever the table thinks of it."""
        return self.sign(seat, self.body(seat, event))

    def seed(self, seat: int, purpose: str, hand: int = 1) -> bytes:
        """A seat's own secret seed."""
        return self.sessions[seat]._secrets.seed(hand, purpose)

    def commit(self, seat: int, purpose: str, seed: bytes) -> bytes:
        """The commitment of a seat to a seed in the running hand."""
        return commitment(purpose, self.state.agreed.session, self.state.books.number, seat, seed)

    def commitments(self, seat: int, layout: bytes, hole: bytes) -> SeedsCommitted:
        return SeedsCommitted(layout=self.commit(seat, "layout", layout), hole=self.commit(seat, "hole", hole))

    def cheat(self, seat: int, frame: bytes) -> Violation | DecodeError:
        """Let everybody else receive a frame that breaks a rule; return why it was refused. Its author is out."""
        self.out.add(seat)
        self.frames.append(frame)
        errors = [refused(session, frame) for other, session in enumerate(self.sessions) if other not in self.out]
        assert len({error.code for error in errors}) == 1
        return errors[0]

    # --- what is left of it

    def transcript(self, *more: bytes) -> bytes:
        return transcript(*self.frames, *more)

    def verdict(self, *more: bytes) -> Verdict:
        """What the referee says of the transcript with these frames after it."""
        return replay(self.transcript(*more), games=PLAYED)


def refused(session: Session, frame: bytes) -> Violation | DecodeError:
    """Why the session holds this frame against its author."""
    try:
        session.receive(frame)
    except (Violation, DecodeError) as error:
        return error
    raise AssertionError("the session took a frame that was meant to be refused")


def proven(session: Session, frame: bytes) -> bool:
    """Whether the session takes this frame for a second message on one previous hash, and keeps it as proof."""
    try:
        session.receive(frame)
    except (Violation, Unattributed) as error:
        return error.code in ("chain.equivocation", "record.proof-kept")
    return False


def transcript(*frames: bytes) -> bytes:
    """The file that holds these frames."""
    return MAGIC + b"".join([encode_record(frame) for frame in frames])


def judged(*frames: bytes) -> Verdict:
    return replay(transcript(*frames), games=PLAYED)


def signed(key: SigningKey, body: bytes) -> bytes:
    return encode_frame(body, key.sign(signed_text(body)))


def body_at(
    state: State,
    seat: int,
    kind: object,
    fields: object,
    *,
    session: bytes | None = None,
    seq: int | None = None,
    prev: bytes | None = None,
    version: int = VERSION,
) -> bytes:
    """A body that continues the chain from `state`, but for what is named."""
    default = state.match.session if state.match is not None else bytes(32)
    return encode(
        (
            version,
            default if session is None else session,
            state.seq if seq is None else seq,
            seat,
            state.head if prev is None else prev,
            kind,
            fields,
        )
    )


def envelope_at(state: State, seat: int, event: Event) -> Envelope:
    """An event of a seat at the head of the chain, unsigned, as `step` takes it."""
    return decode_body(body_at(state, seat, event.KIND, event.fields()))


def fold(frames: Sequence[bytes]) -> list[State]:
    """The states before the first frame, between the frames, and after the last; what is refused stays refused."""
    states = [start(PLAYED)]
    for frame in frames:
        state = states[-1]
        admitted = admit(state, open_frame(frame))
        try:
            states.append(advance(state, admitted))
        except (Violation, DecodeError) as fault:
            states.append(refuse(state, admitted, fault))
    return states


def envelopes(frames: Sequence[bytes]) -> list[Envelope]:
    return [decode_body(decode_frame(frame)[0]) for frame in frames]


def chips(state: State) -> int:
    """All chips of the table, in stacks and in the pot; a running hand's stacks stand in for those before it."""
    if state.match is None:
        return 0
    assert sum(state.books.net) == 0
    assert min(state.books.stacks) >= 0
    if state.play is None:
        return sum(state.books.stacks)
    hand = state.play.hand
    assert min(*hand.stacks, *hand.totals) >= 0
    everywhere: tuple[int, ...] = (*hand.stacks, *hand.totals)
    return sum(everywhere)


def account(verdict: Verdict) -> tuple[Any, ...]:
    """What two referees of the same match must agree on."""
    return (verdict.outcome, verdict.fault, verdict.stacks, verdict.net, verdict.hands, verdict.settled)
