"""Transcripts with a record that blames nobody (VERDICT-1)."""

from __future__ import annotations

from dataclasses import replace

from dealerless.encoding import encode
from dealerless.protocol.events import (
    Accepted,
    Acted,
    HandStarted,
    Readied,
)
from dealerless.protocol.records import encode_frame, encode_record, signed_text

from .entries import damage
from .scribe import KEYS, STRANGER, Scribe, at_bet, fixed, raw, widened

# --- damage: blames nobody ----------------------------------------------------------------------------------


def _without_refused() -> Scribe:
    """An honest seat's copy of a short call, its author expelled, with the short call taken out again."""
    scribe = at_bet("taken out")
    kept = len(scribe.frames)
    scribe.forge(0, scribe.body(0, Acted(move="CALL", amount=9))).expel()
    del scribe.frames[kept]
    return scribe


def _signature_flipped() -> Scribe:
    scribe = at_bet("flipped")
    body = scribe.body(0, Acted(move="CALL", amount=10))
    signature = bytearray(KEYS[0].sign(signed_text(body)))
    signature[40] ^= 1
    scribe.frames.append(encode_frame(body, bytes(signature)))
    return scribe


def _s_plus_order() -> Scribe:
    """S + L satisfies the equation as well; only S < L is a signature."""
    scribe = at_bet("s plus L")
    body = scribe.body(0, Acted(move="CALL", amount=10))
    signature = KEYS[0].sign(signed_text(body))
    order = 2**252 + 27742317777372353535851937790883648493
    larger = int.from_bytes(signature[32:], "little") + order
    scribe.frames.append(encode_frame(body, signature[:32] + larger.to_bytes(32, "little")))
    return scribe


def _small_r() -> Scribe:
    """R is the identity: signatures like this one exist for anybody who knows the key."""
    scribe = at_bet("small R")
    body = scribe.body(0, Acted(move="CALL", amount=10))
    scribe.frames.append(encode_frame(body, b"\x01" + bytes(31) + bytes(32)))
    return scribe


def _untagged() -> Scribe:
    scribe = at_bet("untagged")
    body = scribe.body(0, Acted(move="CALL", amount=10))
    scribe.frames.append(encode_frame(body, KEYS[0].sign(body)))
    return scribe


def _other_match() -> Scribe:
    here = at_bet("this match")
    there = at_bet("another match").play("CALL")
    here.frames.append(there.frames[-1])
    return here


def _other_hand() -> Scribe:
    scribe = Scribe("other hand", hands=2).due().play("CHECK CHECK").due()
    scribe.frames.append(scribe.frames[10])
    return scribe


def _after_the_end() -> Scribe:
    scribe = Scribe("after the end").due().play("BET FOLD").due()
    scribe.frames.append(scribe.frames[-1])
    return scribe


damage(
    "record_bad-signature",
    "record.bad-signature",
    "SIG-2",
    "One bit of a signature is flipped.",
    _signature_flipped,
)
damage(
    "record_bad-signature-large-s", "record.bad-signature", "SIG-2", "S is not below the group's order.", _s_plus_order
)
damage("record_bad-signature-small-r", "record.bad-signature", "SIG-2", "R has small order.", _small_r)
damage(
    "record_refused-missing",
    "record.refused-missing",
    "CHAIN-5",
    "The refused record was taken out; the expulsion of its author proves nothing without it.",
    _without_refused,
)
damage(
    "record_bad-signature-untagged",
    "record.bad-signature",
    "SIG-3",
    "The body is signed without the tag of frames.",
    _untagged,
)
damage(
    "record_bad-signature-other-seat",
    "record.bad-signature",
    "SIG-2",
    "A body of seat 0 signed by seat 1.",
    lambda: (s := at_bet("other seat")).forge(0, s.body(0, Acted(move="FOLD", amount=0)), key=KEYS[1]),
)
damage(
    "record_duplicate",
    "record.duplicate",
    "CHAIN-2",
    "The last message stands there twice.",
    lambda: (s := at_bet("duplicate")).bytes() + encode_record(s.frames[-1]),
)
damage(
    "record_duplicate-after-end",
    "record.duplicate",
    "CHAIN-2",
    "A complete match and one message twice.",
    _after_the_end,
)
damage(
    "record_foreign-session",
    "record.foreign-session",
    "ENC-4",
    "A message taken from another match of the same seats.",
    _other_match,
)
damage(
    "record_wrong-sequence",
    "record.wrong-sequence",
    "CHAIN-1",
    "A move taken from the hand before.",
    _other_hand,
)
damage(
    "record_wrong-sequence-gap",
    "record.wrong-sequence",
    "CHAIN-1",
    "A number is left out.",
    lambda: (s := at_bet("gap")).forge(0, s.body(0, Acted(move="CALL", amount=10), seq=s.state.seq + 1)),
)
damage(
    "record_broken-link",
    "record.broken-link",
    "ENC-3",
    "The right number after another message.",
    lambda: (s := at_bet("broken")).forge(0, s.body(0, Acted(move="CALL", amount=10), prev=fixed("nowhere"))),
)
damage(
    "record_unknown-seat",
    "record.unknown-seat",
    "ENC-4",
    "A message of seat 2 at a table of two.",
    lambda: (s := at_bet("seat 2")).forge(2, s.body(2, Acted(move="CALL", amount=10)), key=STRANGER),
)
damage(
    "record_wrong-version",
    "record.wrong-version",
    "ENC-4",
    "A message of protocol version 2.",
    lambda: (s := at_bet("version")).forge(0, s.body(0, Acted(move="CALL", amount=10), version=2)),
)
damage(
    "record_not-a-frame",
    "record.not-a-frame",
    "ENC-3",
    "The record is one bin, not body and signature.",
    lambda: raw(at_bet("not a frame"), encode(b"hello")),
)
damage(
    "record_not-a-frame-short-signature",
    "record.not-a-frame",
    "ENC-3",
    "A signature of 63 bytes.",
    lambda: raw(s := at_bet("short signature"), encode_frame(s.body(0, Acted(move="CALL", amount=10)), bytes(63))),
)
damage(
    "record_not-a-frame-non-canonical",
    "record.not-a-frame",
    "ENC-3",
    "A frame whose lengths are longer than need be.",
    lambda: raw(s := at_bet("long frame"), _long_frame(s)),
)
damage(
    "record_too-large",
    "record.too-large",
    "ENC-6",
    "A length above 256 KiB; what would follow is never read.",
    lambda: at_bet("too large").bytes() + (262_145).to_bytes(4, "big"),
)
damage(
    "record_too-large-zero",
    "record.too-large",
    "ENC-6",
    "A length of zero.",
    lambda: at_bet("zero length").bytes() + bytes(4),
)
damage(
    "record_no-header",
    "record.no-header",
    "VERDICT-1",
    "A body whose first elements cannot be read.",
    lambda: at_bet("no header").forge(0, encode((1, "text", 9))),
)


def _long_frame(scribe: Scribe) -> bytes:
    body = scribe.body(0, Acted(move="CALL", amount=10))
    signature = KEYS[0].sign(signed_text(body))
    return b"\x92\xc5" + len(body).to_bytes(2, "big") + body + b"\xc4\x40" + signature


# --- before the last ready: damage, whatever it is ----------------------------------------------------------


damage(
    "opening_wrong-seat",
    "record.before-ready",
    "CHAIN-0",
    "Seat 0 accepts its own offer.",
    lambda: Scribe("own offer").due(until=Accepted).wrong(0, Accepted(nonce=fixed("own"), channel=b"")),
    detail="turn.not-yours",
)
damage(
    "opening_wrong-kind",
    "record.before-ready",
    "CHAIN-0",
    "A hand begun before all are ready.",
    lambda: (
        Scribe("hand before ready")
        .due(until=Readied)
        .wrong(0, HandStarted(number=1, button=0, stacks=(60, 60), net=(0, 0)))
    ),
    detail="turn.wrong-kind",
)
damage(
    "opening_non-canonical",
    "record.before-ready",
    "CHAIN-0",
    "An acceptance with an overlong length.",
    lambda: (s := Scribe("long acceptance").due(until=Accepted)).forge(
        1, widened(s.body(1, Accepted(nonce=fixed("long"), channel=b"")))
    ),
    detail="encoding.non-canonical",
)
damage(
    "opening_equivocation",
    "record.before-ready",
    "CHAIN-0",
    "Two offers on one beginning: never equivocation, and damage here.",
    lambda: (s := Scribe("two offers").due(until=Accepted)).forge(
        0,
        s.body(
            0,
            replace(s.offer, nonce=fixed("second offer")),
            session=s.state.head,
            seq=0,
            prev=bytes(32),
        ),
    ),
    detail="chain.equivocation",
)
damage(
    "opening_accepted-elsewhere",
    "record.foreign-session",
    "ENC-4",
    "An acceptance of another offer.",
    lambda: (s := Scribe("elsewhere").due(until=Accepted)).forge(
        1, s.body(1, Accepted(nonce=fixed("elsewhere"), channel=b""), session=fixed("another offer"))
    ),
)
