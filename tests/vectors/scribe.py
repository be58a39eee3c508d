"""Writes transcripts for the vectors: honest messages by the table, dishonest ones by hand, all with fixed keys.

Nothing here is random: keys, seeds and nonces are SHA-256 of a label, so that the vectors come out the same every time.
These keys are public. Never play with them.
"""

from __future__ import annotations

import hashlib
from typing import Any, Self

from dealerless.crypto.commitment import commitment
from dealerless.crypto.ed25519 import SigningKey
from dealerless.encoding import encode
from dealerless.errors import DecodeError, Violation
from dealerless.games import GAMES
from dealerless.protocol.envelope import VERSION, decode_body
from dealerless.protocol.events import (
    Accepted,
    Acted,
    Event,
    Expelled,
    HandStarted,
    LayoutOpened,
    Mucked,
    Offered,
    Readied,
    SeedsCommitted,
    Settled,
    Shown,
)
from dealerless.protocol.machine import admit, advance, open_frame, refuse, start, step
from dealerless.protocol.noshow import NoShow
from dealerless.protocol.playing import next_button, seated, starting_stacks
from dealerless.protocol.records import MAGIC, ZERO_HASH, encode_frame, encode_record, signed_text
from dealerless.protocol.state import State
from dealerless.protocol.witness import sign_no_show, sign_receipt


def fixed(label: str) -> bytes:
    """32 bytes that everybody can make again."""
    return hashlib.sha256(f"dealerless vectors: {label}".encode()).digest()


KEYS = tuple([SigningKey(fixed(f"key of seat {seat}")) for seat in range(3)])
STRANGER = SigningKey(fixed("key of a stranger"))
WITNESSES = tuple([SigningKey(fixed(f"key of witness {place}")) for place in range(3)])
MOVE_SECONDS, BANK_SECONDS = 30, 120
# A witness's clock when the message that made a seat owe was posted, in milliseconds.
SINCE = 1_900_000_000_000
EXPIRES = 4_102_444_800  # 2100-01-01


class Scribe:
    """One match being written down. `label` makes its seeds and nonces differ from those of other matches."""

    def __init__(
        self,
        label: str,
        *,
        suite: str = "sha256",
        hands: int = 1,
        bet: int = 10,
        depth: int = 5,
        show: str = "all",
        witnesses: int = 0,
        threshold: int = 0,
    ) -> None:
        self.label = label
        self.state: State = start(GAMES)
        self.frames: list[bytes] = []
        self.offer = Offered(
            game="hex",
            dealing="hash",
            suite=suite,
            hands=hands,
            rules=(bet, depth, show),
            players=((KEYS[0].public.key, "Ada"), (KEYS[1].public.key, "Боб")),
            witnesses=tuple([key.public.key for key in WITNESSES[:witnesses]]),
            threshold=threshold,
            move_seconds=MOVE_SECONDS if witnesses else 0,
            bank_seconds=BANK_SECONDS if witnesses else 0,
            expires=EXPIRES,
            nonce=fixed(f"{label}: nonce of seat 0"),
        )

    # --- what honest seats say ---------------------------------------------------------------------------------

    def say(self, seat: int, event: Event) -> Self:
        """Write a message that the table must take."""
        body = self.body(seat, event)
        self.state = step(self.state, decode_body(body))
        self.frames.append(encode_frame(body, KEYS[seat].sign(signed_text(body))))
        return self

    def due(self, *, until: type[Event] | None = None) -> Self:
        """Write everything that is owed and leaves no choice, up to a message of kind `until`."""
        while (owed := self.state.owed) is not None and owed.kinds[0] is not until:
            if Mucked in owed.kinds:
                break
            event = self.owed_event(owed.seat, owed.kinds[0])
            if event is None:
                break
            self.say(owed.seat, event)
        return self

    def owed_event(self, seat: int, kind: type[Event]) -> Event | None:
        state = self.state
        if kind is Offered:
            return self.offer
        if kind is Accepted:
            return Accepted(nonce=fixed(f"{self.label}: nonce of seat {seat}"), channel=b"")
        if kind is Readied:
            return Readied()
        books = state.books
        if kind is HandStarted:
            button = next_button(state, seated(state))
            return HandStarted(number=books.number + 1, button=button, stacks=starting_stacks(state), net=books.net)
        if kind is SeedsCommitted:
            return self.commitments(seat)
        if kind is LayoutOpened:
            return LayoutOpened(seed=self.seed(seat, "layout"))
        if kind is Shown:
            return Shown(seed=self.seed(seat, "hole"))
        if kind is Settled:
            return Settled(head=state.end_head, stacks=books.stacks, net=books.net)
        if kind is Expelled and state.refused is not None:
            return Expelled(seat=state.refused.seat, record=state.refused.record)
        return None

    def play(self, moves: str) -> Self:
        """Write moves, each by the seat to act: names in upper case, amounts as the rules have them."""
        for name in moves.split():
            game, hand = self.state.agreed.game, self.state.running.hand
            amounts = {option.name: option.least for option in game.legal(hand)}
            owed = self.state.owed
            assert owed is not None
            self.say(owed.seat, Acted(move=name, amount=amounts[name]))
        return self

    def seed(self, seat: int, purpose: str, hand: int | None = None) -> bytes:
        number = self.state.books.number if hand is None else hand
        return fixed(f"{self.label}: {purpose} seed of seat {seat} in hand {number}")

    def commit(self, purpose: str, seat: int, seed: bytes) -> bytes:
        return commitment(purpose, self.state.agreed.session, self.state.books.number, seat, seed)

    def commitments(self, seat: int) -> SeedsCommitted:
        layout, hole = [self.commit(purpose, seat, self.seed(seat, purpose)) for purpose in ("layout", "hole")]
        return SeedsCommitted(layout=layout, hole=hole)

    # --- what dishonest seats say --------------------------------------------------------------------------------

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
        """The body of any message at the head of the chain, or elsewhere where said so."""
        state = self.state
        if event is not None:
            kind, fields = event.KIND, event.fields()
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

    def forge(self, seat: int, body: bytes, *, key: SigningKey | None = None) -> Self:
        """Write a signed body whatever the table thinks of it; the table never hears of it."""
        signer = KEYS[seat] if key is None else key
        self.frames.append(encode_frame(body, signer.sign(signed_text(body))))
        return self

    def wrong(self, seat: int, event: Event) -> Self:
        """Write a well-formed message that is not legal here."""
        return self.forge(seat, self.body(seat, event))

    def expel(self) -> Self:
        """Let the table refuse the record last written, and write its author's expulsion and what follows."""
        admitted = admit(self.state, open_frame(self.frames[-1]))
        try:
            advance(self.state, admitted)
        except (DecodeError, Violation) as fault:
            self.state = refuse(self.state, admitted, fault)
            return self.due()
        raise AssertionError("the table took a record that was meant to be refused")

    def no_show(self, place: int = 0, seat: int | None = None, **changes: Any) -> NoShow:
        """The word of a witness that the seat that owes let its time run out, its bank used up; or another word."""
        state = self.state
        owed = state.owed
        assert owed is not None
        absent = owed.seat if seat is None else seat
        said: dict[str, Any] = {"key": WITNESSES[place], "since": SINCE + place, "bank": 1000 * BANK_SECONDS}
        said |= {"seq": state.seq, "head": state.head, "cause": state.seq - 1, "record": state.head, "owing": absent}
        said |= changes
        at = said.get("at", said["since"] + 1000 * MOVE_SECONDS + said["bank"])
        session, key = state.agreed.session, said["key"]
        receipt = sign_receipt(key, place, session, said["cause"], said["record"], said["owing"], said["since"])
        return sign_no_show(
            key,
            place,
            state.agreed,
            said["seq"],
            said["head"],
            absent,
            since=said["since"],
            bank=said["bank"],
            at=at,
            receipt=said.get("receipt", receipt.signature),
        )

    def expulsion(self, *words: NoShow) -> Expelled:
        """The expulsion of the seat that owes, by these witnesses' word."""
        assert self.state.owed is not None
        return Expelled(seat=self.state.owed.seat, record=ZERO_HASH, absent=((self.state.owed.seat, words),))

    def time_out(self, *places: int) -> Self:
        """Let the seat that owes be expelled on the word of these witnesses, and write what follows."""
        assert self.state.owed is not None
        return self.say(1 - self.state.owed.seat, self.expulsion(*[self.no_show(p) for p in places])).due()

    def bytes(self) -> bytes:
        """The transcript file."""
        return MAGIC + b"".join([encode_record(frame) for frame in self.frames])


def at_bet(label: str) -> Scribe:
    """Seat 1 has bet 10 of 50; seat 0 owes 10."""
    return Scribe(label).due().play("BET")


def played(label: str) -> bytes:
    """A whole match of one hand."""
    return Scribe(label).due().play("BET RAISE CALL CHECK CHECK").due().bytes()


def raw(scribe: Scribe, frame: bytes) -> bytes:
    """The transcript so far with any bytes as its next record."""
    return scribe.bytes() + encode_record(frame)


def settled_once(scribe: Scribe) -> Scribe:
    """The match with the first settlement and no more."""
    owed = scribe.state.owed
    assert owed is not None
    event = scribe.owed_event(owed.seat, Settled)
    assert event is not None
    return scribe.say(owed.seat, event)


def widened(body: bytes) -> bytes:
    """The same value with its array's length in two bytes: readable, and not canonical."""
    return b"\xdc\x00" + bytes([body[0] & 0x0F]) + body[1:]
