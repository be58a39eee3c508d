"""The verdict: what a transcript proves, as one frozen value (VERDICT-1..4).

Seats and chips only; nothing here is made from text that players chose, except their names, which are data.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Final

from ..protocol.state import Forfeit, HandRecord

FORMAT: Final = "dealerless verdict 1"


class Outcome(enum.Enum):
    """The four outcomes. There is no "verified": a transcript is complete and clean, or it is one of the others."""

    CLEAN = "clean"
    FAULT = "fault"
    INCOMPLETE = "incomplete"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A seat as the offer names it; `fingerprint` is the first 16 hex digits of the SHA-256 of its key."""

    seat: int
    name: str
    key: bytes
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsRead:
    """The terms as agreed: number of hands, the game's own terms by name, witnesses, times, and the offer's expiry.

    `move_seconds` is the time for a move and `bank_seconds` a seat's reserve for a hand; both are 0 without witnesses.
    """

    hands: int
    rules: tuple[tuple[str, bool | int | str | tuple[int, ...]], ...]
    witnesses: tuple[bytes, ...]
    threshold: int
    move_seconds: int
    bank_seconds: int
    expires: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """The first provable fault. `blame` is "public": anybody can check it from the signed bytes."""

    code: str
    clause: str
    seat: int
    seq: int
    blame: str
    expected: object
    actual: object


@dataclass(frozen=True, slots=True, kw_only=True)
class Owes:
    """Who owes which kinds of message, in this copy."""

    seat: int
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """Chips in the running hand's pot by seat, and the stacks if the owing seat forfeits.

    The stacks are None where its forfeit would not end the hand.
    """

    pot: tuple[int, ...]
    if_forfeit: tuple[int, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """The first record (counted from 0) that proves nothing about anybody, and why. Blames nobody.

    `detail` is the code behind a reason that is not the whole story: what is wrong with an offer nobody may accept.
    """

    record: int
    reason: str
    detail: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unjudged:
    """What follows an unexpelled fault or damage: the first record (counted from 0) that was not judged."""

    record: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the referee says of one transcript.

    `stacks` are those after the last finished hand, before the running one, or with the forfeits of a fault; `left` are
    the seats that left between two hands (CHAIN-5); `head` is the hash of the last message judged good and `frames` the
    number of such messages. `played` is the number of the last hand that began; `able` are the seats that could be
    dealt into another one, once the match has come to its end (TABLE-2). `hands` is empty when the caller took them one
    by one.
    """

    outcome: Outcome
    game: str | None = None
    suite: str | None = None
    dealing: str | None = None
    terms: TermsRead | None = None
    session: bytes | None = None
    players: tuple[Player, ...] = ()
    hands: tuple[HandRecord, ...] = ()
    stacks: tuple[int, ...] = ()
    net: tuple[int, ...] = ()
    fault: Fault | None = None
    forfeits: tuple[Forfeit, ...] = ()
    owes: Owes | None = None
    pending: Pending | None = None
    damage: Damage | None = None
    unjudged: Unjudged | None = None
    settled: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    settling: tuple[int, ...] = ()
    played: int = 0
    able: tuple[int, ...] = ()
    head: bytes | None = None
    frames: int = 0
