"""Events, one frozen dataclass per message kind, and their canonical fields.

Every event class states its KIND (the word on the wire), its CAP (the largest body that may carry it, bytes) and a
reader for each field. A reader checks the exact type and range and nothing else: whether the event is legal at its
place is for the table of transitions to say. ENC-2, ENC-4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from ..errors import DecodeError
from .limits import (
    MAX_CHIPS,
    MAX_CLASS,
    MAX_DECK,
    MAX_HANDS,
    MAX_HOLE,
    MAX_NAME,
    MAX_RELEASED,
    MAX_SEATS,
    MAX_SECONDS,
    MAX_SHARES,
    MAX_TIME,
    MAX_WITNESSES,
)
from .noshow import NoShow, read_no_show
from .readers import Reader, array, binary, integer, pair, points, scalar, text

_HASH = binary(32)
_KEY = binary(32)
_SEED = binary(32)
_SEAT = integer(0, MAX_SEATS - 1)
_STACKS = array(integer(0, MAX_CHIPS), 2, MAX_SEATS)
_NET = array(integer(-MAX_CHIPS, MAX_CHIPS), 2, MAX_SEATS)


class Event:
    """The base of all events."""

    __slots__ = ()
    KIND: ClassVar[str]
    CAP: ClassVar[int] = 512
    READERS: ClassVar[tuple[tuple[str, Reader], ...]] = ()

    def fields(self) -> tuple[Any, ...]:
        """Return the event's fields in wire order."""
        return tuple([getattr(self, name) for name, _ in self.READERS])


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered(Event):
    """Seat 0 offers a match: its terms, every seat's (key, name) in seat order, witnesses, expiry, nonce. ENC-4.

    `rules` are the game's own terms, `expires` is in seconds since 1970 UTC, `threshold` the number of witnesses
    that must agree, `move_seconds` the time a move may take and `bank_seconds` a seat's reserve of time for a hand
    (all 0 without witnesses).
    """

    KIND: ClassVar[str] = "offer"
    CAP: ClassVar[int] = 8192
    READERS: ClassVar[tuple[tuple[str, Reader], ...]] = (
        ("game", text(16)),
        ("dealing", text(16)),
        ("suite", text(24)),
        ("hands", integer(1, MAX_HANDS)),
        ("rules", array(scalar, 0, 16)),
        ("players", array(pair(_KEY, text(MAX_NAME)), 2, MAX_SEATS)),
        ("witnesses", array(_KEY, 0, MAX_WITNESSES)),
        ("threshold", integer(0, MAX_WITNESSES)),
        ("move_seconds", integer(0, MAX_SECONDS)),
        ("bank_seconds", integer(0, MAX_SECONDS)),
        ("expires", integer(0, MAX_TIME)),
        ("nonce", binary(32)),
    )
    game: str
    dealing: str
    suite: str
    hands: int
    rules: tuple[bool | int | str, ...]
    players: tuple[tuple[bytes, str], ...]
    witnesses: tuple[bytes, ...]
    threshold: int
    move_seconds: int = 0
    bank_seconds: int = 0
    expires: int
    nonce: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted(Event):
    """A seat accepts the offer. `channel` is the digest of the host's certificate as this seat saw it, or empty."""

    KIND: ClassVar[str] = "accept"
    READERS: ClassVar[tuple[tuple[str, Reader], ...]] = (("nonce", binary(32)), ("channel", binary(0, 32)))
    nonce: bytes
    channel: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Readied(Event):
    """A seat has seen every acceptance. CHAIN-0."""

    KIND: ClassVar[str] = "ready"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandStarted(Event):
    """The button starts a hand and states its number, button, every stack and the running net. CHAIN-4."""

    KIND: ClassVar[str] = "hand"
    READERS: ClassVar[tuple[tuple[str, Reader], ...]] = (
        ("number", integer(1, MAX_HANDS)),
        ("button", _SEAT),
        ("stacks", _STACKS),
        ("net", _NET),
    )
    number: int
    button: int
    stacks: tuple[int, ...]
    net: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedsCommitted(Event):
    """A seat commits to its layout seed and its hole seed of this hand. COMMIT-2, HASHDEAL-2."""

    KIND: ClassVar[str] = "commit"
    READERS: ClassVar[tuple[tuple[str, Reader], ...]] = (("layout", _HASH), ("hole", _HASH))
    layout: bytes
    hole: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutOpened(Event):
    """A seat opens its layout seed. HASHDEAL-2."""

    KIND: ClassVar[str] = "layout"
    READERS: ClassVar[tuple[tuple[str, Reader], ...]] = (("seed", _SEED),)
    seed: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPublished(Event):
    """A seat publishes its key of this deck, with the proof that it knows the secret of it. DECK-1."""

    KIND: ClassVar[str] = "key"
    READERS: ClassVar[tuple[tuple[str, Reader], ...]] = (("key", _KEY), ("proof", binary(64)))
    key: bytes
    proof: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckShuffled(Event):
    """A seat shuffles the deck: the new ciphertexts, 64 bytes each, and the argument that they hold the same cards.

    DECK-3.
    """

    KIND: ClassVar[str] = "shuffle"
    CAP: ClassVar[int] = 32_768
    READERS: ClassVar[tuple[tuple[str, Reader], ...]] = (
        ("deck", points(2, 2, MAX_DECK)),
        ("proof", points(1, 13, 4 * MAX_DECK + 5)),
    )
    deck: bytes
    proof: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class SharesPublished(Event):
    """A seat publishes its decryption shares of the slots it owes, 32 bytes each, with one proof. DECK-4, DECK-5."""

    KIND: ClassVar[str] = "share"
    CAP: ClassVar[int] = 2048
    READERS: ClassVar[tuple[tuple[str, Reader], ...]] = (("shares", points(1, 1, MAX_SHARES)), ("proof", binary(64)))
    shares: bytes
    proof: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted(Event):
    """A seat makes a betting move; what `amount` counts is the game's to say (HEX-6: the chips it puts in).

    `released` are the decryption shares that a seat gives away with its last move of a hand, followed by their proof;
    empty where none are due (DECK-9).
    """

    KIND: ClassVar[str] = "act"
    CAP: ClassVar[int] = 1024
    READERS: ClassVar[tuple[tuple[str, Reader], ...]] = (
        ("move", text(8)),
        ("amount", integer(-(2**63), 2**64 - 1)),
        ("released", points(1, 0, MAX_RELEASED + 2)),
    )
    move: str
    amount: int
    released: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchanged(Event):
    """A seat gives up the cards at these slots for the next ones of the deck. DECK-7, DRAW-10."""

    KIND: ClassVar[str] = "exchange"
    READERS: ClassVar[tuple[tuple[str, Reader], ...]] = (("slots", array(integer(0, MAX_DECK - 1), 0, MAX_HOLE)),)
    slots: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LotCommitted(Event):
    """A seat commits to its seed of the lot. LOT-1."""

    KIND: ClassVar[str] = "lot"
    READERS: ClassVar[tuple[tuple[str, Reader], ...]] = (("commitment", _HASH),)
    commitment: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class LotOpened(Event):
    """A seat opens its seed of the lot. LOT-1."""

    KIND: ClassVar[str] = "lot-open"
    READERS: ClassVar[tuple[tuple[str, Reader], ...]] = (("seed", _SEED),)
    seed: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassProven(Event):
    """A seat shows of which class its last cards are, and proves it without showing more. DECK-8.

    `classes` are their numbers, in dealt order, `proofs` the proofs one after the other.
    """

    KIND: ClassVar[str] = "class"
    CAP: ClassVar[int] = 4096
    READERS: ClassVar[tuple[tuple[str, Reader], ...]] = (
        ("classes", array(integer(0, 1), 1, 2)),
        ("proofs", points(2, 1, 2 * MAX_CLASS)),
    )
    classes: tuple[int, ...]
    proofs: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLaid(Event):
    """A seat lays one of its two cards: the laid and the kept one, covered anew, and the proof. DECK-8."""

    KIND: ClassVar[str] = "lay"
    READERS: ClassVar[tuple[tuple[str, Reader], ...]] = (("cards", binary(128)), ("proof", binary(192)))
    cards: bytes
    proof: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown(Event):
    """A seat opens its hole seed at showdown. HASHDEAL-4."""

    KIND: ClassVar[str] = "show"
    READERS: ClassVar[tuple[tuple[str, Reader], ...]] = (("seed", _SEED),)
    seed: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed(Event):
    """A seat opens its own cards of a shuffled deck: its share of each slot, 32 bytes, and its proof, 64. DECK-6."""

    KIND: ClassVar[str] = "reveal"
    CAP: ClassVar[int] = 1024
    READERS: ClassVar[tuple[tuple[str, Reader], ...]] = (
        ("shares", points(1, 1, MAX_HOLE)),
        ("proofs", points(2, 1, MAX_HOLE)),
    )
    shares: bytes
    proofs: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Mucked(Event):
    """A seat gives up its claim at showdown without showing. SHOW-3."""

    KIND: ClassVar[str] = "muck"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled(Event):
    """A seat signs the end: the head before the first settlement, every stack and the net. CHAIN-3."""

    KIND: ClassVar[str] = "settle"
    READERS: ClassVar[tuple[tuple[str, Reader], ...]] = (("head", _HASH), ("stacks", _STACKS), ("net", _NET))
    head: bytes
    stacks: tuple[int, ...]
    net: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Left(Event):
    """The seat that owes the next hand's start leaves the match instead. CHAIN-5."""

    KIND: ClassVar[str] = "leave"


@dataclass(frozen=True, slots=True, kw_only=True)
class Expelled(Event):
    """A seat expels the author of the refused record directly before, or one that let its time run out. CHAIN-5.

    `record` is the refused record's body hash, or 32 zero bytes. `absent` are the seats whose time ran out, in the
    order in which they owed, each with the witnesses' no-shows: first `seat` itself if no record was refused, then
    seats that owed this very expulsion before its signer.
    """

    KIND: ClassVar[str] = "expel"
    CAP: ClassVar[int] = 16384
    READERS: ClassVar[tuple[tuple[str, Reader], ...]] = (
        ("seat", _SEAT),
        ("record", _HASH),
        ("absent", array(pair(_SEAT, array(read_no_show, 1, MAX_WITNESSES)), 0, MAX_SEATS - 1)),
    )
    seat: int
    record: bytes
    absent: tuple[tuple[int, tuple[NoShow, ...]], ...] = ()

    def fields(self) -> tuple[Any, ...]:
        """Return the event's fields in wire order, no-shows as plain arrays."""
        absent = tuple([(seat, tuple([tuple(word) for word in words])) for seat, words in self.absent])
        return (self.seat, self.record, absent)


EVENTS: Final[tuple[type[Event], ...]] = (
    Offered,
    Accepted,
    Readied,
    HandStarted,
    SeedsCommitted,
    LayoutOpened,
    KeyPublished,
    DeckShuffled,
    SharesPublished,
    Acted,
    Exchanged,
    LotCommitted,
    LotOpened,
    ClassProven,
    CardLaid,
    Shown,
    Revealed,
    Mucked,
    Settled,
    Left,
    Expelled,
)
KINDS: Final[dict[str, type[Event]]] = {event.KIND: event for event in EVENTS}
# The largest cap of a kind: a longer body is not worth decoding (ENC-6).
MAX_BODY: Final = max(event.CAP for event in EVENTS)


def decode_event(kind: object, fields: object, size: int) -> Event:
    """Return the event of this kind from its decoded fields; `size` is the length of the body that carries it.

    Raises DecodeError: unknown kind, body over the kind's cap, wrong number, type, length or range of fields.
    """
    event = KINDS.get(kind) if type(kind) is str else None
    if event is None:
        said = kind if type(kind) in (str, int, bytes) else type(kind).__name__
        raise DecodeError("encoding.unknown-kind", expected=tuple(KINDS), actual=said)
    if size > event.CAP:
        raise DecodeError("encoding.too-large", expected=event.CAP, actual=size)
    readers = event.READERS
    if type(fields) is not tuple:
        raise DecodeError("encoding.wrong-type", expected="array", actual=type(fields).__name__)
    if len(fields) != len(readers):
        raise DecodeError("encoding.wrong-length", expected=len(readers), actual=len(fields))
    return event(**{name: read(field) for (name, read), field in zip(readers, fields, strict=True)})
