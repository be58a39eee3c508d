"""Transcripts in which a seat speaks out of turn or beside the chain, or says two things at one place (CHAIN)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgpack

from dealerless.protocol.events import (
    Acted,
    Expelled,
    HandStarted,
    Left,
    Mucked,
    SeedsCommitted,
    Settled,
)
from dealerless.protocol.records import encode_frame, encode_record, signed_text

from .entries import damage, fault
from .scribe import KEYS, Scribe, at_bet, fixed

fault(
    "turn_not-yours",
    "turn.not-yours",
    "CHAIN-1",
    1,
    "Seat 1 moves twice in a row.",
    lambda: at_bet("twice").wrong(1, Acted(move="CHECK", amount=0)),
)
fault(
    "turn_wrong-kind",
    "turn.wrong-kind",
    "CHAIN-1",
    0,
    "A move where a commitment is owed.",
    lambda: Scribe("move first").due(until=SeedsCommitted).wrong(0, Acted(move="CHECK", amount=0)),
)
fault(
    "turn_wrong-kind-offer",
    "turn.wrong-kind",
    "CHAIN-1",
    0,
    "A second offer within the match.",
    lambda: (s := at_bet("offer again")).wrong(0, s.offer),
)
fault(
    "turn_wrong-kind-leave",
    "turn.wrong-kind",
    "CHAIN-1",
    0,
    "Leaving in the middle of a hand.",
    lambda: at_bet("leave").wrong(0, Left()),
)
fault(
    "turn_not-yours-leave",
    "turn.not-yours",
    "CHAIN-1",
    1,
    "Leaving when another seat owes the hand's start.",
    lambda: Scribe("leave early").due(until=HandStarted).wrong(1, Left()),
)
fault(
    "turn_wrong-kind-muck",
    "turn.wrong-kind",
    "CHAIN-1",
    0,
    "A muck in place of a move.",
    lambda: at_bet("muck a bet").wrong(0, Mucked()),
)
fault(
    "turn_match-over",
    "turn.match-over",
    "CHAIN-3",
    1,
    "A hand begun after the last settlement.",
    lambda: (
        Scribe("one more")
        .due()
        .play("BET FOLD")
        .due()
        .wrong(1, HandStarted(number=2, button=1, stacks=(60, 60), net=(0, 0)))
    ),
)


def _hand(name: str, about: str, **changes: Any) -> None:
    def write() -> Scribe:
        scribe = Scribe(name, hands=2).due().play("BET FOLD").due(until=HandStarted)
        event = scribe.owed_event(1, HandStarted)
        assert isinstance(event, HandStarted)
        return scribe.wrong(1, replace(event, **changes))

    fault(name, "chain.wrong-hand", "CHAIN-4", 1, about, write)


_hand("chain_wrong-hand-number", "Hand 3 after hand 1.", number=3)
_hand("chain_wrong-hand-button", "The button does not move.", button=0)
_hand("chain_wrong-hand-stacks", "Stacks carried over, which hex never does.", stacks=(50, 70))
_hand("chain_wrong-hand-net", "The net does not follow from the hand before.", net=(0, 0))
_hand("chain_wrong-hand-seats", "Three stacks at a table of two.", stacks=(60, 60, 60))


def _equivocation() -> Scribe:
    """Seat 1 bets, is called, and another message of seat 1 on the same previous hash turns up."""
    scribe = Scribe("equivocation").due()
    other = scribe.body(1, Acted(move="CHECK", amount=0))
    return scribe.play("BET CALL").forge(1, other)


def _equivocation_undecodable() -> Scribe:
    scribe = Scribe("equivocation undecodable").due()
    other = scribe.body(1, kind="nonsense")
    return scribe.play("BET CALL").forge(1, other)


def _resigned() -> bytes:
    """A second valid signature on one body: the same message, not a fork. Made with another nonce on purpose."""
    scribe = at_bet("signed again")
    frame = scribe.frames[-1]
    body, _ = msgpack.unpackb(frame)
    return scribe.bytes() + encode_record(encode_frame(body, sign_again(body)))


def sign_again(body: bytes) -> bytes:
    """Another valid signature of seat 1, with a nonce of our own: S = r + hA with R = rB, by RFC 8032's arithmetic."""
    import hashlib

    from dealerless.crypto.ed25519 import L, SigningKey

    seed = fixed("key of seat 1")
    digest = bytearray(hashlib.sha512(seed).digest()[:32])
    digest[0] &= 248
    digest[31] &= 127
    digest[31] |= 64
    secret = int.from_bytes(digest, "little")
    # Rather than multiply points here: the public key of a seed is a clamped scalar times the base point.
    nonce_seed = fixed("another nonce")
    clamped = bytearray(hashlib.sha512(nonce_seed).digest()[:32])
    clamped[0] &= 248
    clamped[31] &= 127
    clamped[31] |= 64
    nonce = int.from_bytes(clamped, "little")
    point = SigningKey(nonce_seed).public.key
    text = signed_text(body)
    challenge = int.from_bytes(hashlib.sha512(point + KEYS[1].public.key + text).digest(), "little") % L
    return point + ((nonce + challenge * secret) % L).to_bytes(32, "little")


fault(
    "chain_equivocation",
    "chain.equivocation",
    "CHAIN-2",
    1,
    "Two messages of one seat on one previous hash; nobody was expelled for it yet.",
    _equivocation,
)
fault(
    "chain_equivocation-expelled",
    "chain.equivocation",
    "CHAIN-2",
    1,
    "The same, and the expulsion: the bet already called stands, and all that seat 1 has in the pot is lost.",
    lambda: _equivocation().expel(),
)
fault(
    "chain_equivocation-undecodable",
    "chain.equivocation",
    "CHAIN-2",
    1,
    "A second message on one previous hash is one even if it is of no known kind.",
    _equivocation_undecodable,
)


def _second_settlement() -> Scribe:
    """Seat 0 settles, and another settlement of its turns up when the match is over."""
    scribe = Scribe("equivocation settled").due().play("BET FOLD")
    other = scribe.body(0, Settled(head=scribe.state.head, stacks=(120, 0), net=(60, -60)))
    return scribe.due().forge(0, other)


fault(
    "chain_equivocation-settled",
    "chain.equivocation",
    "CHAIN-2",
    0,
    "A second settlement on the same previous hash: proven, and no chip moves.",
    _second_settlement,
)
damage(
    "record_duplicate-signed-again",
    "record.duplicate",
    "CHAIN-2",
    "Another valid signature on the same body is the same message.",
    _resigned,
)
fault(
    "chain_wrong-expulsion",
    "chain.wrong-expulsion",
    "CHAIN-5",
    0,
    "An expulsion with nobody at fault.",
    lambda: (s := at_bet("nobody to expel")).wrong(0, Expelled(seat=1, record=s.state.head)),
)
