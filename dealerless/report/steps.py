"""A transcript step by step: what each message claims, which check made it good, and the digests behind it.

Built from what the referee hands over for each message, so it tells the same story as the verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ..crypto.commitment import commitment, commitment_text
from ..errors import CODES, DealerlessError
from ..games.game import Game, Hand, Release
from ..games.structure import CLAUSES
from ..protocol.deckdeal import DeckDeal
from ..protocol.events import (
    Accepted,
    Acted,
    DeckShuffled,
    Event,
    Expelled,
    HandStarted,
    KeyPublished,
    LayoutOpened,
    Left,
    Mucked,
    Offered,
    Readied,
    Revealed,
    SeedsCommitted,
    Settled,
    SharesPublished,
    Shown,
)
from ..protocol.hashdeal import HOLE, LAYOUT
from ..protocol.machine import Admitted
from ..protocol.records import CHAIN_TAG, SESSION_TAG, ZERO_HASH
from ..protocol.state import HandRecord, Phase, State
from ..protocol.table import RULES
from ..referee import fingerprint
from .cards import hand_text, worth
from .provenance import Opened, gives, places
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
class Value:
    """A value that a message states or leads to: of what it is, and its hex digits."""

    what: str
    digits: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A witness's word in an expulsion, times in milliseconds: the seat owed since `since` and was silent for `took`.

    It had `limit`, of which `bank` was left of its bank; `witness` is the witness's place in the offer.
    """

    witness: int
    since: int
    bank: int
    limit: int
    took: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """A seat that an expulsion puts out because its time ran out, by the words of how many of the `witnesses`."""

    seat: int
    words: tuple[Word, ...]
    witnesses: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One message. `claim` is what it says, with its `values` and `absent` seats; `check` what made it good, by clause
    `clause`; `result` is what it led to; `digests` are redoable; `opened` are cards of a deck that it made known.

    A refused message has a `refusal`; one that does not decode has no `kind`. `players` are those an offer
    seats, as (key fingerprint, name); `finished` is the hand that the message ended, if any.
    """

    seq: int
    seat: int
    kind: str | None
    claim: str
    clause: str
    check: str
    values: tuple[Value, ...]
    absent: tuple[Absence, ...]
    result: str
    record: str
    digests: tuple[Digest, ...]
    opened: tuple[Opened, ...]
    refusal: Refusal | None
    players: tuple[tuple[str, str], ...]
    finished: HandRecord | None


def step(
    before: State,
    admitted: Admitted,
    after: State | None,
    refusal: DealerlessError | None,
    opened: tuple[Opened, ...] = (),
) -> Step:
    """Return the step of one message from what the referee saw: the states around it, or why it was refused.

    `opened` is what `Provenance` says of the same message.
    """
    envelope = admitted.envelope
    event = None if envelope is None else envelope.event
    # A second message on an old previous hash is told by itself: what it was about then is not what is going on now.
    place = before if admitted.seq == before.seq else before.evolve(play=None, phase=Phase.OVER)
    ended = after is not None and after.finished is not before.finished
    return Step(
        seq=admitted.seq,
        seat=admitted.seat,
        kind=None if event is None else event.KIND,
        claim="says what cannot be read" if event is None else _claim(place, admitted.seat, event),
        clause="" if event is None else clause_of(place, event),
        check="" if after is None or event is None else _check(before, event),
        values=_values(before, after, event),
        absent=_absent(before, event),
        record=admitted.record.hex(),
        result="" if after is None or event is None else _result(before, after, event),
        digests=_digests(before, admitted, after),
        opened=opened,
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
    move = f"{_word(event.move)} {event.amount}" if event.amount else _word(event.move)
    return f"{move}, and releases its shares" if event.released else move


def _claim(before: State, seat: int, event: Event) -> str:
    """Return what a message says; of shares, also which cards they are of."""
    claim = _CLAIMS[type(event)](before, event)
    given = gives(before, seat, event)
    if given is None or not given.slots:
        return claim
    slots = ", ".join([str(slot) for slot in given.slots])
    where = places(before.agreed.game, before.running.hand, given.slots, before.agreed.seats)
    return f"{claim}: {where} (slot{'s' if len(given.slots) > 1 else ''} {slots})"


def _key(before: State, event: KeyPublished) -> str:
    deal = None if before.play is None else before.play.deal
    if isinstance(deal, DeckDeal) and deal.number > 0:
        return f"publishes its key of deck {deal.number} of this hand"
    return "publishes its key of this hand's deck"


def _shuffle(before: State, event: DeckShuffled) -> str:
    deal = None if before.play is None else before.play.deal
    cards = len(event.deck) // 64
    if not isinstance(deal, DeckDeal) or before.phase is not Phase.SHUFFLING:
        return f"shuffles a deck of {cards} cards"
    return f"shuffles the deck of {cards} cards, shuffle {deal.shuffles + 1} of {len(deal.seats)}"


def _settle(before: State, event: Settled) -> str:
    return f"signs the end: stacks {_slashed(event.stacks)}, net {_slashed(event.net)}"


def _expel(before: State, event: Expelled) -> str:
    """Return whom an expulsion puts out, and what it holds against each of them. CHAIN-5."""
    silent = [seat for seat, _ in event.absent]
    if event.record != ZERO_HASH:
        last = before.refused is not None and before.refused.record == event.record
        named = "the message before this one" if last else f"the message with the hash {event.record.hex()}"
        told = f"expels seat {event.seat} for {named}"
        if silent:
            told += f", and {_seats_text(silent)} for letting the time to expel it run out"
    elif silent:
        told = f"expels {_seats_text(silent[:1])} for letting its time run out"
        if silent[1:]:
            told += f", and {_seats_text(silent[1:])} for letting the time to expel it run out"
    else:
        told = f"expels seat {event.seat}, and names neither a message of it nor a witness"
    return told


def _absent(before: State, event: Event | None) -> tuple[Absence, ...]:
    """Return what the witnesses say in an expulsion of seats whose time ran out. VERDICT-6."""
    if not isinstance(event, Expelled) or before.match is None:
        return ()
    offer = before.match.offer
    return tuple(
        [
            Absence(
                seat=seat,
                words=tuple(
                    [
                        Word(
                            witness=word.witness,
                            since=word.since,
                            bank=word.bank,
                            limit=1000 * offer.move_seconds + word.bank,
                            took=word.at - word.since,
                        )
                        for word in words
                    ]
                ),
                witnesses=len(offer.witnesses),
            )
            for seat, words in event.absent
        ]
    )


_CLAIMS: Final[Mapping[type[Event], Callable[[State, Any], str]]] = {
    Offered: _offer,
    Accepted: lambda before, event: "accepts the offer",
    Readied: lambda before, event: "has seen every acceptance and is ready",
    HandStarted: _hand,
    SeedsCommitted: lambda before, event: "commits to a layout seed and a hole seed",
    LayoutOpened: lambda before, event: f"opens its layout seed {event.seed.hex()}",
    KeyPublished: _key,
    DeckShuffled: _shuffle,
    SharesPublished: lambda before, event: f"gives {_count(len(event.shares) // 32, 'share')}",
    Acted: _act,
    Shown: lambda before, event: f"shows: opens its hole seed {event.seed.hex()}",
    Revealed: lambda before, event: f"shows: gives {_count(len(event.shares) // 32, 'share')} of its own",
    Mucked: lambda before, event: "gives up without showing",
    Settled: _settle,
    Left: lambda before, event: "leaves the match",
    Expelled: _expel,
}


def _values(before: State, after: State | None, event: Event | None) -> tuple[Value, ...]:
    """Return what a message states that no sentence has room for, and a joint key that is complete with it."""
    if isinstance(event, SeedsCommitted):
        return (
            Value(what="layout commitment", digits=event.layout.hex()),
            Value(what="hole commitment", digits=event.hole.hex()),
        )
    if isinstance(event, KeyPublished):
        values = [Value(what="key", digits=event.key.hex())]
        deal = None if after is None or after.play is None else after.play.deal
        if isinstance(deal, DeckDeal) and deal.joint:
            values.append(Value(what="joint key", digits=deal.joint.hex()))
        return tuple(values)
    return ()


# --- which check made it good -----------------------------------------------------------------------------------


def clause_of(before: State, event: Event) -> str:
    """Return the clause by which a message of this kind is good in this state, as the game has it; empty if by none."""
    rule = RULES.get((before.phase, type(event)))
    if rule is None:
        return ""
    if isinstance(event, Acted):
        # The row is for all games; which clause says what a move is depends on how the game bets.
        own = CLAUSES[before.running.hand.betting.structure.sizes].get("bet.not-a-move")
        return CODES["bet.not-a-move"].clause if own is None else own
    if isinstance(event, SharesPublished) and isinstance(before.agreed.game.demand(before.running.hand), Release):
        return "DECK-9"
    if isinstance(event, Expelled) and event.absent:
        return "VERDICT-6"
    return rule.clause


def _check(before: State, event: Event) -> str:
    if not isinstance(event, Acted):
        return check_text(type(event), clause_of(before, event))
    legal = _legal(before)
    return f"{legal}; {RELEASED}" if event.released else legal


def check_text(kind: type[Event], clause: str) -> str:
    """Return what is checked of a message of this kind that is good by this clause."""
    if kind is Expelled and clause == "VERDICT-6":
        return _SILENT
    return _SHARES[clause] if kind is SharesPublished and clause in _SHARES else CHECKS[kind]


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
    KeyPublished: "the key is a point of the group, and the proof shows that its author knows its secret",
    DeckShuffled: "the argument shows that the new deck holds the same cards as the one before it, each as often",
    SharesPublished: "the proof shows that every share is made with the secret of its author's key",
    Acted: "the move is legal at its place, for its seat's stack and what is owed",
    Shown: "the seed opens this seat's commitment and was never opened before",
    Revealed: "the proof shows that its author's shares of its own cards are made with the secret of its key",
    Mucked: "another seat has shown, and the terms allow it",
    Settled: "head, stacks and net are those the chain implies",
    Left: "it owed the next hand's start",
    Expelled: "it names the refused message and its author",
}
"""What is checked of a message of each kind before it is good."""

_SILENT: Final = (
    "for each silent seat as many witnesses as must agree signed that it owed for its time by the terms or longer; "
    "if a message was refused, that one and its author are named"
)
"""What is checked of an expulsion for silence."""

_SHARES: Final = {
    "DECK-4": "a share for each hole card of the others, and the proof shows that all are made with its author's key",
    "DECK-5": "a share for each of these board cards, and the proof shows that all are made with its author's key",
    "DECK-9": "of a seat all-in by its posts, a share for each board card, proven to be made with its author's key",
}
"""By clause what is checked of shares."""

RELEASED: Final = "what it releases is a share for each closed board card, proven to be made with its author's key"
"""What is checked of the shares in a fold or in the move of a last chip (DECK-9)."""


# --- what it led to ---------------------------------------------------------------------------------------------


def _result(before: State, after: State, event: Event) -> str:
    if isinstance(event, HandStarted) and after.play is not None:
        hand = after.play.hand
        return f"posted {_slashed(hand.totals)}, stacks {_slashed(hand.stacks)}"
    if before.play is None:
        return ""
    told = []
    record = after.finished if after.play is None else None
    play = record if after.play is None else after.play
    if play is None:
        return ""
    if isinstance(event, Acted):
        told.append(f"stacks {_slashed(play.actions[-1].stacks)}, pot {play.actions[-1].pot}")
    told += _known(before.agreed.game, before.play.hand, play.hand, before.agreed.seats)
    deal = play.deal
    if isinstance(event, DeckShuffled) and deal.shuffles == len(deal.seats):
        told.append("the deck is shuffled by all, and nobody knows where a card lies")
    if isinstance(event, SharesPublished) and deal.complete and not before.play.deal.complete:
        told.append("every seat can see its own two cards, and no others")
    return "; ".join(told)


def _known(game: Game, before: Hand, after: Hand, seats: int) -> list[str]:
    """Return the cards that a message made known to all, and what a seat's own are worth."""
    told = []
    slots = [slot for slot, card in enumerate(after.cards) if card is not None and before.cards[slot] is None]
    board = [slot for slot in slots if slot in game.board_slots(after)]
    if board:
        told.append(f"{places(game, after, tuple(board), seats)} {_text(game, after, board)}")
    for seat in after.shown[len(before.shown) :]:
        hole = game.hole_slots(after, seat)
        best = game.best(after, tuple([card for slot in hole if (card := after.cards[slot]) is not None]))
        value = "" if best is None else f"  {worth(game.name, best)}"
        told.append(f"seat {seat} has {_text(game, after, hole)}{value}")
    return told


def _text(game: Game, hand: Hand, slots: Sequence[int]) -> str:
    return hand_text([game.card_text(card) for slot in slots if (card := hand.cards[slot]) is not None])


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


# --- the digests behind it ----------------------------------------------------------------------------------------


def opening_digests(before: State, admitted: Admitted, after: State | None) -> tuple[Digest, ...]:
    """Return the digests behind an opened seed: its commitment, and those of cards it makes known.

    Also of a refused one (`after` is None): an opening that is none is so proven by hand. Empty for other messages.
    """
    event = None if admitted.envelope is None else admitted.envelope.event
    if before.play is None or admitted.seq != before.seq or not isinstance(event, LayoutOpened | Shown):
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


def _seats_text(seats: Sequence[int]) -> str:
    return " and ".join([f"seat {seat}" for seat in seats])


def _word(text: str) -> str:
    """Return a peer's word, without anything that is not plain: moves and suites are plain where they are legal."""
    plain_word = text.isascii() and text.replace("-", "").isalnum()
    return text if plain_word else repr(ascii(text))


def _slashed(numbers: tuple[int, ...]) -> str:
    return "/".join([str(number) for number in numbers])
