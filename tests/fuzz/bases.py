"""The matches that the referee's fuzzer starts from: honest ones, with the states between their messages.

Every seat draws what is fixed by the match's label, so that an honest message can be made at any place of a match,
also after messages that were spoiled.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from dealerless.encoding import encode
from dealerless.games.game import Move
from dealerless.protocol.envelope import VERSION
from dealerless.protocol.events import (
    Accepted,
    Acted,
    CardLaid,
    Event,
    Exchanged,
    Expelled,
    HandStarted,
    Left,
    Mucked,
    Offered,
    Readied,
    Settled,
)
from dealerless.protocol.machine import admit, advance, open_frame, start
from dealerless.protocol.playing import next_button, seated, starting_stacks, to_release
from dealerless.protocol.records import ZERO_HASH
from dealerless.protocol.session import HOLDERS
from dealerless.protocol.state import State
from tests.matches import (
    KEYS,
    PLAYED,
    draw_offer,
    fixed,
    from_deck,
    hex_offer,
    holdem_offer,
    one_offer,
    signed,
    toy_offer,
)

WITNESSES = KEYS[6:9]


class Choices:
    """Numbers from bytes; when they are used up, every further choice is the first one."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    @property
    def left(self) -> int:
        return len(self._data) - self._at

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1."""
        size = 1 if bound <= 256 else 2
        return int.from_bytes(self.take(size), "big") % bound

    def of(self, things: Sequence[Any]) -> Any:
        return things[self.below(len(things))]

    def take(self, size: int) -> bytes:
        taken = self._data[self._at : self._at + size]
        self._at += len(taken)
        return taken + bytes(size - len(taken))


class Seeds:
    """What a seat of this match draws: always the same for the same label."""

    def __init__(self, label: str, seat: int) -> None:
        self._label = f"{label}: seat {seat}"

    def seed(self, hand: int, purpose: str) -> bytes:
        return fixed(f"{self._label} {hand} {purpose}")

    def known(self, hand: int, purpose: str) -> bytes | None:
        return self.seed(hand, purpose)

    def fresh(self, size: int) -> bytes:
        return hashlib.shake_256(f"{self._label} fresh".encode()).digest(size)


def owed_event(state: State, label: str, offer: Offered, choices: Choices) -> Event:
    """What an honest seat that owes a message says here."""
    owed = state.owed
    assert owed is not None
    kind, books = owed.kinds[0], state.ledger.accounts
    if kind is Offered or books is None:
        return offer
    if kind is Accepted:
        return Accepted(nonce=fixed(f"{label}: nonce of seat {owed.seat}"), channel=b"")
    if kind is Readied:
        return Readied()
    if kind is HandStarted:
        if choices.below(16) == 15:
            return Left()
        button = next_button(state, seated(state))
        return HandStarted(number=books.number + 1, button=button, stacks=starting_stacks(state), net=books.net)
    if kind is Settled:
        return Settled(head=state.end_head, stacks=books.stacks, net=books.net)
    if kind is Expelled:
        assert state.refused is not None
        return Expelled(seat=state.refused.seat, record=state.refused.record)
    if kind is Acted:
        option = choices.of(state.agreed.game.legal(state.running.hand))
        move = Move(name=option.name, amount=choices.of((option.least, option.most)))
        return Acted(move=move.name, amount=move.amount, released=released(state, owed.seat, move, label))
    if kind is Exchanged:
        held = state.agreed.game.hole_slots(state.running.hand, owed.seat)
        return Exchanged(slots=held[: choices.below(4)])
    if kind is CardLaid:
        holder, secrets = HOLDERS[state.agreed.dealing.name], Seeds(label, owed.seat)
        return holder.lay(state.running.deal, owed.seat, choices.below(2), state.head, secrets)
    if Mucked in owed.kinds and choices.below(2):
        return Mucked()
    return answer(state, owed.seat, kind, label)


def released(state: State, seat: int, move: Move, label: str) -> bytes:
    """What an honest seat gives away with this move (DECK-9)."""
    slots = to_release(state, seat, move)
    if not slots:
        return b""
    holder = HOLDERS[state.agreed.dealing.name]
    return holder.release(state.running.deal, slots, seat, state.head, Seeds(label, seat))


def answer(state: State, seat: int, kind: type[Event], label: str) -> Event:
    """The dealing's message of this kind, as the seat's own seeds make it."""
    match, play = state.agreed, state.running
    demand = match.game.demand(play.hand)
    return HOLDERS[match.dealing.name].answer(play.deal, demand, seat, kind, state.head, Seeds(label, seat))


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """An honest match and the states between its messages."""

    label: str
    offer: Offered
    frames: tuple[bytes, ...]
    states: tuple[State, ...]


def _base(label: str, offer: Offered) -> Base:
    """A match whose moves follow from its label."""
    choices = Choices(b"".join([fixed(f"{label}: moves {n}") for n in range(8)]))
    frames: list[bytes] = []
    states = [start(PLAYED)]
    while (owed := states[-1].owed) is not None:
        frames.append(said(states[-1], owed.seat, owed_event(states[-1], label, offer, choices)))
        states.append(advance(states[-1], admit(states[-1], open_frame(frames[-1]))))
    return Base(label=label, offer=offer, frames=tuple(frames), states=tuple(states))


def body_of(state: State, seat: int, kind: object, fields: object) -> list[Any]:
    session = ZERO_HASH if state.match is None else state.match.session
    return [VERSION, session, state.seq, seat, state.head, kind, fields]


def said(state: State, seat: int, event: Event) -> bytes:
    return signed(KEYS[seat], encode(tuple(body_of(state, seat, event.KIND, event.fields()))))


def _watched(offer: Offered, witnesses: int, threshold: int) -> Offered:
    keys = tuple([key.public.key for key in WITNESSES[:witnesses]])
    return replace(offer, witnesses=keys, threshold=threshold, move_seconds=30, bank_seconds=60)


BASES: Final = (
    _base("all", hex_offer("all", hands=2, depth=3)),
    _base("muck", hex_offer("muck", hands=2, depth=2, show="muck", suite="md5")),
    _base("poor", hex_offer("poor", hands=1, depth=1)),
    _base("watched", _watched(hex_offer("watched", hands=1, depth=2), 1, 1)),
    _base("three", toy_offer("three", seats=3, hands=2, chips=4)),
    _base("deck", from_deck(toy_offer("deck", seats=3, hands=1, chips=4))),
    _base("b4", holdem_offer("b4", seats=3, stack=6)),
    _base("draw", draw_offer("draw", seats=3, stack=12)),
    _base("one", one_offer("one", rounds=1, lives=(2, 2))),
    _base("watched three", _watched(toy_offer("watched three", seats=3, hands=1), 3, 2)),
)
# Said in another match, by seats whose seeds nobody here has: the kinds and fields that spoiled messages borrow.
_OTHERS: Final = (
    _base("other", hex_offer("other", depth=3)),
    _base("other three", toy_offer("other three", hands=1)),
    _base("o2", from_deck(toy_offer("o2", hands=1))),
    _base("o3", draw_offer("o3", seats=2)),
    _base("o4", one_offer("o4", rounds=1)),
)
POOL: Final = (
    *[
        opened.envelope.event
        for base in _OTHERS
        for opened in map(open_frame, base.frames)
        if opened.envelope is not None
    ],
    *(Left(), Mucked(), Expelled(seat=0, record=ZERO_HASH)),
    *(Acted(move="FOLD", amount=0), Acted(move="RAISE", amount=20)),
)
