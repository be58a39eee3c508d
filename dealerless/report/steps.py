"""A transcript step by step: what each message claims, which check made it good, and the digests behind it.

Built from what the referee hands over for each message, so it tells the same story as the verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..crypto.commitment import commitment, commitment_text
from ..errors import CODES, DealerlessError
from ..protocol.events import (
    Accepted,
    Acted,
    Event,
    Expelled,
    HandStarted,
    LayoutOpened,
    Left,
    Mucked,
    Offered,
    Readied,
    SeedsCommitted,
    Settled,
    Shown,
)
from ..protocol.hashdeal import HOLE, LAYOUT
from ..protocol.machine import Admitted
from ..protocol.records import CHAIN_TAG, SESSION_TAG
from ..protocol.state import HandRecord, Phase, State
from ..protocol.table import RULES
from ..referee import fingerprint
from .view import Plain, plain

# What every message has passed before its own check; told once, not with each.
COMMON_CHECKS: Final = (
    ("ENC-3", "it is a frame of a body and a signature, and names the hash of the message before it"),
    ("ENC-4", "it belongs to this protocol version and this match"),
    ("SIG-2", "its signature is valid under its seat's key"),
    ("ENC-2", "its bytes are the one canonical encoding of what they say"),
    ("CHAIN-1", "its seat owes a message of its kind now"),
)


# Bytes that mean themselves in the format of every shell's printf.
_LITERAL: Final = frozenset(b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ /")


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """A digest that anybody can redo: of what it is, a shell command that prints it, and the hex digits."""

    what: str
    command: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a message was refused: its signer's fault."""

    code: str
    clause: str
    text: str
    expected: Plain
    actual: Plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One message. `claim` is what it says, `check` what made it good, by clause `clause`; `result` is what it led
    to; `digests` are redoable.

    A refused message has a `refusal`; one that does not decode has no `kind`. `players` are those an offer
    seats, as (key fingerprint, name); `finished` is the hand that the message ended, if any.
    """

    seq: int
    seat: int
    kind: str | None
    claim: str
    clause: str
    check: str
    result: str
    record: str
    digests: tuple[Digest, ...]
    refusal: Refusal | None
    players: tuple[tuple[str, str], ...]
    finished: HandRecord | None


def step(before: State, admitted: Admitted, after: State | None, refusal: DealerlessError | None) -> Step:
    """Return the step of one message from what the referee saw: the states around it, or why it was refused."""
    envelope = admitted.envelope
    event = None if envelope is None else envelope.event
    rule = None if event is None else RULES.get((before.phase, type(event)))
    ended = after is not None and after.finished is not before.finished
    return Step(
        seq=admitted.seq,
        seat=admitted.seat,
        kind=None if event is None else event.KIND,
        claim="says what cannot be read" if event is None else _CLAIMS[type(event)](before, event),
        clause="" if rule is None else rule.clause,
        check="" if after is None or event is None else _check(before, event),
        record=admitted.record.hex(),
        result="" if after is None or event is None else _result(before, after, event),
        digests=_digests(before, admitted, after),
        refusal=None if refusal is None else _refusal(refusal),
        players=_players(event),
        finished=after.finished if after is not None and ended else None,
    )


def _players(event: Event | None) -> tuple[tuple[str, str], ...]:
    if not isinstance(event, Offered):
        return ()
    return tuple([(fingerprint(key), name) for key, name in event.players])


def shell(line: str, suite: str) -> str:
    """Return the command that prints the digest of a line of printable ASCII under `suite`. HASHDEAL-1."""
    return f"printf %s '{line}' | {suite}sum"


def shell_of_bytes(data: bytes) -> str:
    """Return the command that prints the SHA-256 of any bytes, written as octal escapes of `printf`."""
    text = "".join([chr(byte) if byte in _LITERAL else f"\\{byte:03o}" for byte in data])
    return f"printf '{text}' | sha256sum"


def _refusal(error: DealerlessError) -> Refusal:
    return Refusal(
        code=error.code,
        clause=error.clause,
        text=CODES[error.code].text,
        expected=plain(error.expected),
        actual=plain(error.actual),
    )


# --- what a message claims -------------------------------------------------------------------------------------


def _offer(before: State, event: Offered) -> str:
    game = before.ledger.games.get(event.game)
    what = "a game" if game is None else game.name
    hands = f"{event.hands} hand{'' if event.hands == 1 else 's'}"
    names = ", ".join([_term(rule) for rule in event.rules])
    return f"offers a match of {what} ({names}): {hands}, {len(event.players)} seats, suite {_word(event.suite)}"


def _term(value: bool | int | str) -> str:
    return _word(value) if isinstance(value, str) else str(value)


def _hand(before: State, event: HandStarted) -> str:
    return (
        f"starts hand {event.number}: button seat {event.button}, stacks {_slashed(event.stacks)}, "
        f"net {_slashed(event.net)}"
    )


def _act(before: State, event: Acted) -> str:
    return f"{_word(event.move)} {event.amount}" if event.amount else _word(event.move)


def _settle(before: State, event: Settled) -> str:
    return f"signs the end: stacks {_slashed(event.stacks)}, net {_slashed(event.net)}"


_CLAIMS: Final[Mapping[type[Event], Callable[[State, Any], str]]] = {
    Offered: _offer,
    Accepted: lambda before, event: "accepts the offer",
    Readied: lambda before, event: "has seen every acceptance and is ready",
    HandStarted: _hand,
    SeedsCommitted: lambda before, event: "commits to a layout seed and a hole seed",
    LayoutOpened: lambda before, event: f"opens its layout seed {event.seed.hex()}",
    Acted: _act,
    Shown: lambda before, event: f"shows: opens its hole seed {event.seed.hex()}",
    Mucked: lambda before, event: "gives up without showing",
    Settled: _settle,
    Left: lambda before, event: "leaves the match",
    Expelled: lambda before, event: f"expels seat {event.seat} for the message before this one",
}


# --- which check made it good -----------------------------------------------------------------------------------


def _check(before: State, event: Event) -> str:
    return _legal(before) if isinstance(event, Acted) else CHECKS[type(event)]


def _legal(before: State) -> str:
    options = before.agreed.game.legal(before.running.hand)
    return "legal here: " + ", ".join(
        [
            option.name
            if option.most == 0
            else f"{option.name} {option.least}"
            if option.least == option.most
            else f"{option.name} {option.least} to {option.most}"
            for option in options
        ]
    )


CHECKS: Final[Mapping[type[Event], str]] = {
    Offered: "game, dealing and suite are known, the terms within bounds, the keys sound and distinct",
    Accepted: "it carries the hash of the offer as its session",
    Readied: "it is signed in the session that the acceptances made",
    HandStarted: "number, button, stacks and net are those the chain implies",
    SeedsCommitted: "both commitments are new in this hand",
    LayoutOpened: "the seed opens this seat's commitment and was never opened before",
    Acted: "the move is legal at its place, for its seat's stack and what is owed",
    Shown: "the seed opens this seat's commitment and was never opened before",
    Mucked: "another seat has shown, and the terms allow it",
    Settled: "head, stacks and net are those the chain implies",
    Left: "it owed the next hand's start",
    Expelled: "it names the refused message and its author",
}
"""What is checked of a message of each kind before it is good."""


# --- what it led to ---------------------------------------------------------------------------------------------


def _result(before: State, after: State, event: Event) -> str:
    if isinstance(event, Acted):
        hand = after.play if after.play is not None else after.finished
        if hand is None:
            return ""
        return f"stacks {_slashed(hand.actions[-1].stacks)}, pot {hand.actions[-1].pot}"
    if isinstance(event, HandStarted) and after.play is not None:
        hand = after.play.hand
        return f"posted {_slashed(hand.totals)}, stacks {_slashed(hand.stacks)}"
    if isinstance(event, LayoutOpened) and after.play is not None and after.phase is not Phase.LAYOUT_OPENING:
        game, hand = after.agreed.game, after.play.hand
        cards = [hand.cards[slot] for slot in game.board_slots(hand)]
        return "common cards " + "".join(["?" if card is None else game.card_text(card) for card in cards])
    return ""


# --- the digests behind it ----------------------------------------------------------------------------------------


def opening_digests(before: State, admitted: Admitted, after: State | None) -> tuple[Digest, ...]:
    """Return the digests behind an opened seed: its commitment, and those of cards it makes known.

    Also of a refused one (`after` is None): an opening that is none is so proven by hand. Empty for other messages.
    """
    event = None if admitted.envelope is None else admitted.envelope.event
    if before.play is None or not isinstance(event, LayoutOpened | Shown):
        return ()
    purpose = LAYOUT if isinstance(event, LayoutOpened) else HOLE
    deal = before.play.deal
    place = (purpose, deal.session, deal.hand, admitted.seat, event.seed)
    text, digest = commitment_text(*place), commitment(*place).hex()
    what = f"the commitment of this {purpose} seed"
    return (Digest(what=what, command=shell(text, "sha256"), digest=digest), *_dealt(before, after))


def _digests(before: State, admitted: Admitted, after: State | None) -> tuple[Digest, ...]:
    """Return the digests behind a message, also a refused one."""
    if admitted.envelope is None:
        return ()
    digests = list(opening_digests(before, admitted, after))
    if after is not None and before.phase is Phase.ACCEPTING and after.phase is not Phase.ACCEPTING:
        command = shell_of_bytes(SESSION_TAG + b"".join(after.agreed.openings))
        digests.append(Digest(what="the session", command=command, digest=after.agreed.session.hex()))
    command = shell_of_bytes(CHAIN_TAG + admitted.envelope.body)
    digests.append(Digest(what="this message in the chain", command=command, digest=admitted.record.hex()))
    return tuple(digests)


def _dealt(before: State, after: State | None) -> list[Digest]:
    """Return the digests of cards that became known with this message."""
    if after is None:
        return []
    match = after.agreed
    old = before.running.deal.digests()
    if after.play is not None:
        new = after.play.deal.digests()
    else:
        new = after.finished.digests if after.finished is not None else ()
    return [
        Digest(what=f"{what} cards, its first digits", command=shell(line, match.offer.suite), digest=digest)
        for what, line, digest in new[len(old) :]
    ]


def _word(text: str) -> str:
    """Return a peer's word, without anything that is not plain: moves and suites are plain where they are legal."""
    return text if text.isascii() and text.isalnum() else repr(ascii(text))


def _slashed(numbers: tuple[int, ...]) -> str:
    return "/".join([str(number) for number in numbers])
