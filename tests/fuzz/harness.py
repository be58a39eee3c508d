"""One execution of the referee's fuzzer: a match goes on from a kept state with messages that are spoiled on purpose.

`execute` takes bytes, which choose the match, the place, and for each message what is said and how it is spoiled. The
body is then linked and signed again with the key of the seat it names, so that what is tried is the rules behind the
signature and not the signature. It raises only where the code under test is wrong: an exception outside the tree of
errors, a blamed seat that signed nothing bad, an honest message that is refused, chips that come or go, or two
referees that tell different stories.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import msgpack

from dealerless.errors import CODES, DecodeError, Unattributed, Violation
from dealerless.games.game import Act
from dealerless.protocol.events import (
    Acted,
    DeckShuffled,
    Event,
    Expelled,
    KeyPublished,
    LayoutOpened,
    SeedsCommitted,
    Shown,
)
from dealerless.protocol.hashdeal import HASH
from dealerless.protocol.machine import Admitted, admit, advance, open_frame, refuse
from dealerless.protocol.noshow import NoShow
from dealerless.protocol.records import ZERO_HASH, encode_frame
from dealerless.protocol.shoedeal import SHOE
from dealerless.protocol.state import State
from dealerless.protocol.witness import sign_no_show, sign_receipt
from dealerless.referee import Outcome, Verdict, replay
from spec.check_vectors import Judge
from tests.fuzz.bases import BASES, POOL, WITNESSES, Base, Choices, answer, body_of, owed_event, said
from tests.matches import KEYS, PLAYED, STRANGER, chips, signed, transcript
from tests.vectors.generate import account

SINCE: Final = 1_900_000_000_000


@dataclass(slots=True)
class Tally:
    """What executions found: how many there were, how many took a spoiled body to `step`, and every code met."""

    executions: int = 0
    reached: int = 0
    compared: int = 0
    codes: set[str] = field(default_factory=set)
    outcomes: set[str] = field(default_factory=set)

    @property
    def share(self) -> float:
        return self.reached / max(self.executions, 1)


VALUES: Final[tuple[Any, ...]] = (
    *(0, 1, -1, 2, 8, 9, 10, 127, 128, 255, 2**16, 2**53 - 1, 2**53, 2**63, 2**64 - 1, -(2**63)),
    *(b"", bytes(32), bytes(31), bytes(33), b"\xff" * 32, bytes(64), bytes(600)),
    *(
        "",
        "act",
        "CHECK",
        "CALL",
        "BET",
        "RAISE",
        "FOLD",
        "call",
        "muck",
        "all",
        "hex",
        "toy",
        "md5",
        "\u0430",
        "x" * 40,
    ),
    *(True, False, None, 0.5, (), ((),), ((((((((0,),),),),),),),), (0,) * 10),
)


def execute(data: bytes, tally: Tally) -> None:
    """Play one match that `data` describes, and count it; raises where the code under test is wrong."""
    choices = Choices(data)
    base: Base = choices.of(BASES)
    place = choices.below(len(base.states))
    run = _Run(base, place, choices, tally)
    while choices.left and run.go_on():
        pass
    tally.executions += 1
    tally.reached += run.reached
    if choices.below(4) == 0:
        run.compare()


class _Run:
    """One match under way: its frames, the state after them, and who signed something that is not honest."""

    def __init__(self, base: Base, place: int, choices: Choices, tally: Tally) -> None:
        self.base, self.choices, self.tally = base, choices, tally
        self.state: State = base.states[place]
        self.frames = list(base.frames[:place])
        self.reached = False
        self.guilty: set[int] = set()
        self.fault: tuple[int, str] | None = None
        self.accused = False

    def go_on(self) -> bool:
        """Say one more message; return whether anything after it would be judged."""
        state, choices = self.state, self.choices
        honest = None
        if state.owed is not None:
            honest = said(state, state.owed.seat, owed_event(state, self.base.label, self.base.offer, choices))
        frame = honest if honest is not None and choices.below(4) == 0 else self._spoiled()
        self.frames.append(frame)
        try:
            admitted = admit(state, open_frame(frame))
        except Unattributed as reason:
            assert frame != honest
            return self._damaged(reason)
        if frame != honest:
            self.guilty.add(admitted.seat)
            self.reached = self.reached or admitted.defect is None
        try:
            self.state = advance(state, admitted)
        except Unattributed as reason:
            assert frame != honest
            return self._damaged(reason)
        except (DecodeError, Violation) as fault:
            if not self._refused(admitted, fault):
                return False
        else:
            event = None if admitted.envelope is None else admitted.envelope.event
            if isinstance(event, Expelled):
                self.accused = False
                absent = event.absent[0][0] if event.absent else admitted.seat
                self.fault = self.fault or (absent, "witness.no-show")
        if self.state.match is not None:
            rules, seats = self.state.agreed.rules, self.state.agreed.seats
            assert chips(self.state) == sum(self.state.agreed.game.opening_stacks(rules, seats))
        return True

    def _refused(self, admitted: Admitted, fault: DecodeError | Violation) -> bool:
        """Keep a fault, whose author has signed something that is not honest; return whether judging goes on."""
        # Who committed to something else cannot open it: what is honest from then on may be refused.
        assert admitted.seat in self.guilty, fault
        assert fault.clause
        self.tally.codes.add(fault.code)
        if not self.state.judging or self.accused:
            return False
        self.accused = True
        self.fault = self.fault or (admitted.seat, fault.code)
        self.state = refuse(self.state, admitted, fault)
        return True

    def _damaged(self, reason: Unattributed) -> bool:
        """Stop at a record that proves nothing, as a referee does, or drop it and go on, as a player does."""
        self.tally.codes.add(reason.code)
        if self.choices.below(4) == 0:
            return False
        self.frames.pop()
        return True

    # --- what is said

    def _spoiled(self) -> bytes:
        """A frame that may be anything, mostly at the right place and signed by the seat it names."""
        choices, state = self.choices, self.state
        seats = range(state.agreed.seats) if state.match is not None else range(1)
        owing = state.owed.seat if state.owed is not None else 0
        seat = owing if choices.below(4) else choices.of(seats)
        event = self._event(seat)
        body = body_of(state, seat, event.KIND, event.fields())
        for _ in range(choices.below(3)):
            self._spoil_fields(body)
        if choices.below(10) == 0:
            self._spoil_header(body)
        data: bytes = msgpack.Packer(use_bin_type=True).pack(body)
        if choices.below(12) == 0:
            data = self._spoil_bytes(data)
        signer = body[3] if type(body[3]) is int and 0 <= body[3] < len(KEYS) else seat
        way = choices.below(32)
        if way == 0:
            return signed(STRANGER, data)
        frame = signed(KEYS[signer], data)
        if way == 1:
            return self._spoil_bytes(frame)
        if way == 2:
            return encode_frame(data, choices.take(64))
        return frame

    def _event(self, seat: int) -> Event:
        choices, state = self.choices, self.state
        way = choices.below(8)
        if way < 3 and state.owed is not None:
            return owed_event(state, self.base.label, self.base.offer, choices)
        if way == 3:
            return self._expulsion()
        if way == 4 and state.play is not None and isinstance(state.agreed.game.demand(state.play.hand), Act):
            move = choices.of(("CHECK", "CALL", "BET", "RAISE", "FOLD"))
            return Acted(move=move, amount=choices.of((0, 1, 5, 10, 20, 30, choices.below(300))))
        if way == 5 and state.play is not None:
            kinds: tuple[type[Event], ...] = (SeedsCommitted, LayoutOpened, Shown)
            if state.agreed.dealing is not HASH:
                deal = state.play.deal.deck if state.agreed.dealing is SHOE else state.play.deal
                kinds = (KeyPublished, DeckShuffled) if deal.deck else (KeyPublished,)
            kind = choices.of(kinds)
            return answer(state, seat, kind, self.base.label)
        event: Event = choices.of(POOL)
        return event

    def _expulsion(self) -> Event:
        """An expulsion, right or not, for a refused record or on the word of witnesses."""
        choices, state = self.choices, self.state
        refused, owed = state.refused, state.owed
        if state.match is None or owed is None or (refused is not None and choices.below(2)):
            seat, record = (0, ZERO_HASH) if refused is None else (refused.seat, refused.record)
            return Expelled(seat=seat, record=record)
        match = state.match
        seat = owed.seat if choices.below(4) else choices.below(match.seats)
        posted = (state.seq - 1, state.head) if refused is None else (refused.seq, refused.record)
        words = []
        for place in range(choices.below(len(match.witnesses) + 1)):
            key, bank = WITNESSES[place], choices.of((0, 0, 60_000, 60_001))
            at = SINCE + 30_000 + bank - choices.of((0, 0, 0, 1))
            receipt = sign_receipt(key, place, match.session, *posted, seat, SINCE).signature
            signed_word = sign_no_show(
                key, place, match, state.seq, state.head, seat, since=SINCE, bank=bank, at=at, receipt=receipt
            )
            words.append(signed_word)
        absent: tuple[tuple[int, tuple[NoShow, ...]], ...] = ((seat, tuple(words)),) if words else ()
        record = ZERO_HASH if refused is None else refused.record
        return Expelled(seat=seat if refused is None else refused.seat, record=record, absent=absent)

    # --- how it is spoiled

    def _spoil_fields(self, body: list[Any]) -> None:
        choices = self.choices
        if choices.below(12) == 0:
            body[5] = choices.of(VALUES)
        body[6] = self._spoil(body[6])

    def _spoil(self, value: Any) -> Any:
        """The value with one thing inside it changed."""
        choices = self.choices
        if type(value) is tuple and value and choices.below(8):
            place = choices.below(len(value))
            return (*value[:place], self._spoil(value[place]), *value[place + 1 :])
        way = choices.below(6)
        if type(value) is tuple:
            if way < 3 and value:
                return value[:-1] if way else value[1:]
            return (*value, choices.of(VALUES)) if way < 5 else value[::-1]
        if way == 0:
            return choices.of(VALUES)
        if type(value) is int:
            return min(max(value + choices.of((1, -1, 10, -10, -2 * value, 2**32)), -(2**63)), 2**64 - 1)
        if type(value) is bytes and value:
            place = choices.below(len(value))
            return value[:place] + choices.take(1) + value[place + 1 :]
        if type(value) is str:
            return choices.of((value.lower(), value.upper(), value + "x", value[:-1], value.encode()))
        return choices.of(VALUES)

    def _spoil_header(self, body: list[Any]) -> None:
        choices, state = self.choices, self.state
        way = choices.below(6)
        last = state.last[body[3]] if state.last else None
        if way < 3 and last is not None:
            # A second message on a previous hash: its own last one.
            body[2], body[4] = last[:2]
        else:
            place = choices.below(5)
            body[place] = self._spoil(body[place])

    def _spoil_bytes(self, data: bytes) -> bytes:
        choices = self.choices
        place = choices.below(len(data)) if len(data) else 0
        way = choices.below(4)
        if way == 0:
            return data[:place]
        if way == 1:
            return data[:place] + choices.take(1) + data[place:]
        return data[:place] + bytes([data[place] ^ 1 << choices.below(8)] if data else b"") + data[place + 1 :]

    # --- what is held against the code

    def compare(self) -> None:
        """The referee says of the file what this run saw, and so does the second reading of the specification."""
        data = transcript(*self.frames)
        verdict = replay(data, games=PLAYED)
        check(verdict)
        self.tally.compared += 1
        self.tally.outcomes.add(verdict.outcome.value)
        found = None if verdict.fault is None else (verdict.fault.seat, verdict.fault.code)
        assert found == self.fault, (found, self.fault)
        if verdict.fault is not None and verdict.fault.code != "witness.no-show":
            assert verdict.fault.seat in self.guilty
        assert verdict.head == self.state.head
        if self.base.offer.game == "hex" and verdict.game in (None, "hex"):
            second = Judge()
            second.read(data)
            story, ours = second.account(), _told(replay(data))
            assert story == {name: ours[name] for name in story}


def _told(verdict: Verdict) -> dict[str, Any]:
    """A verdict as the second reading tells it."""
    fault, damage = verdict.fault, verdict.damage
    told = account(verdict) | {
        "expect": verdict.outcome.value,
        "code": damage.reason if damage else None,
        "seat": None,
        "detail": damage.detail if damage and damage.reason == "record.before-ready" else None,
    }
    return told if fault is None else told | {"code": fault.code, "clause": fault.clause, "seat": fault.seat}


def check(verdict: Verdict) -> None:
    """What holds of any verdict. VERDICT-1, VERDICT-3."""
    assert (verdict.fault is not None) == (verdict.outcome is Outcome.FAULT)
    assert sum(verdict.net) == 0
    assert min(verdict.stacks, default=0) >= 0
    if verdict.fault is not None:
        assert verdict.fault.code in CODES
        assert verdict.fault.clause
        assert verdict.frames >= 2 * len(verdict.players)
    if verdict.outcome is Outcome.CLEAN:
        assert verdict.damage is None
