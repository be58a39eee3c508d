"""Transcripts without an offer that anybody could accept (ENC-4, SIG-1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dealerless.protocol.events import (
    Accepted,
)
from dealerless.protocol.records import MAGIC

from .entries import unreadable
from .scribe import KEYS, STRANGER, Scribe, fixed, played


def _offered(label: str, **changes: Any) -> Callable[[], Scribe]:
    def write() -> Scribe:
        scribe = Scribe(label)
        return scribe.wrong(0, replace(scribe.offer, **changes))

    return write


def _keys(*keys: bytes) -> tuple[tuple[bytes, str], ...]:
    return tuple([(key, f"seat {seat}") for seat, key in enumerate(keys)])


SMALL_ORDER_KEY = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
OFF_THE_CURVE = (2).to_bytes(32, "little")
NON_CANONICAL_KEY = (2**255 - 19 + 3).to_bytes(32, "little")


def _mixed_order_key() -> bytes:
    """A point of order 8L, found with nothing but the curve: its first canonical y outside the subgroup."""
    from dealerless.crypto.ed25519 import check_key
    from dealerless.errors import BadSignature

    for y in range(3, 1000):
        key = y.to_bytes(32, "little")
        try:
            check_key(key)
        except BadSignature as refusal:
            if refusal.code == "signature.weak-key" and _on_the_curve(y):
                return key
    raise AssertionError("no such point")


def _on_the_curve(y: int) -> bool:
    p = 2**255 - 19
    d = -121665 * pow(121666, -1, p) % p
    square = (y * y - 1) * pow(d * y * y + 1, -1, p) % p
    return pow(square, (p - 1) // 2, p) == 1


def _bad_offer(name: str, detail: str, about: str, **changes: Any) -> None:
    unreadable(name, "record.before-ready", "CHAIN-0", about, _offered(name, **changes), detail=detail)


_ADA, _BOB = KEYS[0].public.key, KEYS[1].public.key
_bad_offer("terms_unknown-game", "terms.unknown-game", "A game nobody knows.", game="snap")
_bad_offer("terms_unknown-dealing", "terms.unknown-dealing", "A dealing nobody knows.", dealing="trust me")
_bad_offer("terms_unknown-suite", "terms.unknown-suite", "A suite nobody knows.", suite="sha1")
_bad_offer("terms_seats", "terms.seats", "Hex poker for three.", players=_keys(_ADA, _BOB, STRANGER.public.key))
_bad_offer("terms_out-of-range-bet", "terms.out-of-range", "A bet of nothing.", rules=(0, 5, "all"))
_bad_offer("terms_out-of-range-depth", "terms.out-of-range", "A stack too deep.", rules=(1, 10_001, "all"))
_bad_offer(
    "terms_out-of-range-chips",
    "terms.out-of-range",
    "More chips at the table than may be.",
    rules=((2**53 - 1) // 20_002 + 1, 10_000, "all"),
)
_bad_offer("terms_malformed", "terms.malformed", "A rule too few.", rules=(10, 5))
_bad_offer("terms_malformed-bool", "terms.malformed", "True is not 1.", rules=(True, 5, "all"))
_bad_offer("terms_unknown-show-rule", "terms.unknown-show-rule", "Nobody shows.", rules=(10, 5, "none"))
_bad_offer("terms_witness-threshold", "terms.witness-threshold", "One witness of none.", threshold=1)
_bad_offer("terms_witness-times", "terms.witness-times", "A time for moves that nobody measures.", move_seconds=30)
_bad_offer("terms_witness-times-bank", "terms.witness-times", "A bank and no witness.", bank_seconds=30)
_bad_offer(
    "terms_witness-times-none",
    "terms.witness-times",
    "A witness, and no time for a move.",
    witnesses=(STRANGER.public.key,),
    threshold=1,
)
_bad_offer("offer_long-time", "encoding.out-of-range", "A move of more than a week.", move_seconds=604_801)
_bad_offer("signature_duplicate-key", "signature.duplicate-key", "Seat 1 has seat 0's key.", players=_keys(_ADA, _ADA))
_bad_offer(
    "signature_duplicate-witness-key",
    "signature.duplicate-key",
    "A witness has a player's key.",
    witnesses=(_BOB,),
    threshold=1,
    move_seconds=30,
)
_bad_offer(
    "signature_weak-key", "signature.weak-key", "Seat 1's key has order 8.", players=_keys(_ADA, SMALL_ORDER_KEY)
)
_bad_offer(
    "signature_weak-key-identity",
    "signature.weak-key",
    "Seat 1's key is the identity: one signature fits every message.",
    players=_keys(_ADA, b"\x01" + bytes(31)),
)
_bad_offer(
    "signature_weak-key-mixed-order",
    "signature.weak-key",
    "Seat 1's key lies outside the subgroup of prime order.",
    players=_keys(_ADA, _mixed_order_key()),
)
_bad_offer(
    "signature_weak-key-no-point",
    "signature.weak-key",
    "Seat 1's key is no point of the curve.",
    players=_keys(_ADA, OFF_THE_CURVE),
)
_bad_offer(
    "signature_non-canonical-key",
    "signature.non-canonical-key",
    "Seat 1's key is y = 3 written as 3 + p.",
    players=_keys(_ADA, NON_CANONICAL_KEY),
)
_bad_offer(
    "signature_weak-witness-key",
    "signature.weak-key",
    "A witness whose key is the identity.",
    witnesses=(b"\x01" + bytes(31),),
    threshold=1,
    move_seconds=30,
)
_bad_offer(
    "offer_long-name", "encoding.wrong-length", "A name of 33 code points.", players=((_ADA, "a" * 33), (_BOB, "b"))
)
_bad_offer("offer_too-many-hands", "encoding.out-of-range", "A match of 10,001 hands.", hands=10_001)
_bad_offer("offer_no-hands", "encoding.out-of-range", "A match of no hand.", hands=0)
_bad_offer("offer_short-nonce", "encoding.wrong-length", "A nonce of 31 bytes.", nonce=bytes(31))
_bad_offer("offer_too-large", "encoding.too-large", "An offer of more than 8,192 bytes.", rules=(10, 5, "a" * 8192))
unreadable(
    "offer_wrong-version",
    "record.wrong-version",
    "ENC-4",
    "An offer of protocol version 2.",
    lambda: (s := Scribe("version 2")).forge(0, s.body(0, s.offer, version=2)),
)
unreadable(
    "offer_not-first",
    "record.before-ready",
    "CHAIN-0",
    "A match that begins with an acceptance.",
    lambda: Scribe("no offer").wrong(0, Accepted(nonce=fixed("no offer"), channel=b"")),
    detail="turn.wrong-kind",
)
unreadable(
    "offer_by-seat-1",
    "record.wrong-sequence",
    "CHAIN-1",
    "A match that begins with a message of seat 1.",
    lambda: (s := Scribe("offer of 1")).forge(1, s.body(1, s.offer)),
)
unreadable(
    "offer_not-at-the-beginning",
    "record.wrong-sequence",
    "CHAIN-1",
    "An offer with number 1.",
    lambda: (s := Scribe("late offer")).forge(0, s.body(0, s.offer, seq=1)),
)
unreadable(
    "offer_of-another-session",
    "record.wrong-sequence",
    "CHAIN-1",
    "An offer that names a session.",
    lambda: (s := Scribe("offer in session")).forge(0, s.body(0, s.offer, session=fixed("session"))),
)
unreadable(
    "offer_signed-by-seat-1",
    "record.bad-signature",
    "SIG-2",
    "An offer in the name of seat 0, signed by seat 1.",
    lambda: (s := Scribe("offer by 1")).forge(0, s.body(0, s.offer), key=KEYS[1]),
)
unreadable(
    "offer_weak-own-key",
    "record.bad-signature",
    "SIG-2",
    "Seat 0's own key is the identity, and its signature would fit any message.",
    lambda: (s := Scribe("weak own key")).forge(
        0, s.body(0, replace(s.offer, players=_keys(b"\x01" + bytes(31), _BOB)))
    ),
)
unreadable(
    "record_not-a-transcript",
    "record.not-a-transcript",
    "ENC-5",
    "Some other file.",
    lambda: b"%PDF-1.7\n and so on, for a while\n",
)
unreadable(
    "record_not-a-transcript-version",
    "record.not-a-transcript",
    "ENC-5",
    "A transcript of another version of the file.",
    lambda: MAGIC.replace(b"1", b"2") + played("version of the file")[len(MAGIC) :],
)
