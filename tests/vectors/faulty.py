"""Transcripts in which a seat breaks a rule of the table (CHAIN, COMMIT, HEX, SHOW)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgpack

from dealerless.protocol.events import (
    Acted,
    Expelled,
    HandStarted,
    LayoutOpened,
    Left,
    Mucked,
    SeedsCommitted,
    Settled,
    Shown,
)
from dealerless.protocol.records import body_hash, encode_frame, encode_record, signed_text

from .entries import damage, fault
from .scribe import KEYS, Scribe, at_bet, fixed, raw, settled_once

# --- faults: turn and chain ---------------------------------------------------------------------------------


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


# --- faults: commitments and openings -----------------------------------------------------------------------


def _copied() -> Scribe:
    scribe = Scribe("copied").due(until=SeedsCommitted)
    first = scribe.commitments(0)
    return scribe.say(0, first).wrong(1, first)


def _copied_across() -> Scribe:
    scribe = Scribe("copied across").due(until=SeedsCommitted)
    first, own = scribe.commitments(0), scribe.commitments(1)
    return scribe.say(0, first).wrong(1, SeedsCommitted(layout=own.layout, hole=first.layout))


def _reused_layout() -> Scribe:
    """Hand 2's commitment is good, and opens to hand 1's layout seed."""
    scribe = Scribe("reused", hands=2).due().play("BET FOLD").due(until=SeedsCommitted)
    old = scribe.seed(0, "layout", hand=1)
    layout = scribe.commit("layout", 0, old)
    scribe.say(0, SeedsCommitted(layout=layout, hole=scribe.commitments(0).hole))
    return scribe.due(until=LayoutOpened).wrong(0, LayoutOpened(seed=old))


def _reused_hole() -> Scribe:
    """One seed for layout and hole of one hand: whoever saw the layout would know the hole cards."""
    scribe = Scribe("reused hole").due(until=SeedsCommitted)
    seed = scribe.seed(0, "layout")
    scribe.say(0, SeedsCommitted(layout=scribe.commit("layout", 0, seed), hole=scribe.commit("hole", 0, seed)))
    scribe.due().play("CHECK CHECK").say(1, Shown(seed=scribe.seed(1, "hole")))
    return scribe.wrong(0, Shown(seed=seed))


def _hole_as_layout() -> Scribe:
    scribe = Scribe("hole as layout").due(until=LayoutOpened)
    return scribe.wrong(0, LayoutOpened(seed=scribe.seed(0, "hole")))


def _wrong_hole() -> Scribe:
    scribe = Scribe("wrong hole").due().play("CHECK CHECK")
    return scribe.wrong(1, Shown(seed=fixed("a seed with better cards")))


fault("commit_duplicate", "commit.duplicate", "COMMIT-3", 1, "Seat 1 copies seat 0's commitments.", _copied)
fault(
    "commit_duplicate-across",
    "commit.duplicate",
    "COMMIT-3",
    1,
    "Seat 1 copies seat 0's layout commitment as its hole commitment.",
    _copied_across,
)
fault(
    "commit_early-opening",
    "commit.early-opening",
    "COMMIT-3",
    0,
    "A layout opened before the other seat has committed.",
    lambda: (
        (s := Scribe("early").due(until=SeedsCommitted))
        .say(0, s.commitments(0))
        .wrong(0, LayoutOpened(seed=s.seed(0, "layout")))
    ),
)
fault(
    "commit_early-opening-hole",
    "commit.early-opening",
    "COMMIT-3",
    1,
    "A hole seed opened while layouts are owed.",
    lambda: (s := Scribe("early hole").due(until=LayoutOpened)).wrong(1, Shown(seed=s.seed(1, "hole"))),
)
fault(
    "commit_early-opening-betting",
    "commit.early-opening",
    "SHOW-2",
    0,
    "A hole seed opened in the middle of the betting.",
    lambda: (s := at_bet("early show")).wrong(0, Shown(seed=s.seed(0, "hole"))),
)
fault(
    "commit_wrong-opening",
    "commit.wrong-opening",
    "COMMIT-2",
    1,
    "A layout seed that was not committed to.",
    lambda: (
        (s := Scribe("wrong layout").due(until=LayoutOpened))
        .say(0, LayoutOpened(seed=s.seed(0, "layout")))
        .wrong(1, LayoutOpened(seed=fixed("ground for better cards")))
    ),
)
fault(
    "commit_wrong-opening-hole",
    "commit.wrong-opening",
    "COMMIT-2",
    1,
    "A hole seed that was not committed to.",
    _wrong_hole,
)
fault(
    "commit_wrong-opening-purpose",
    "commit.wrong-opening",
    "COMMIT-2",
    0,
    "The hole seed opened as layout.",
    _hole_as_layout,
)
fault(
    "commit_seed-reuse",
    "commit.seed-reuse",
    "COMMIT-3",
    0,
    "A layout seed of the first hand again in the second.",
    _reused_layout,
)


fault(
    "commit_seed-reuse-hole",
    "commit.seed-reuse",
    "COMMIT-3",
    0,
    "One seed as layout and as hole of the same hand.",
    _reused_hole,
)


# --- faults: betting and showing ----------------------------------------------------------------------------


def _move(
    name: str, code: str, clause: str, seat: int, about: str, before: str, move: str, amount: int, depth: int = 5
) -> None:
    def write() -> Scribe:
        return Scribe(name, depth=depth).due().play(before).wrong(seat, Acted(move=move, amount=amount))

    fault(name, code, clause, seat, about, write)


_move("bet_wrong-amount-call-short", "bet.wrong-amount", "HEX-6", 0, "A call of 9 where 10 is owed.", "BET", "CALL", 9)
_move("bet_wrong-amount-bet", "bet.wrong-amount", "HEX-6", 1, "A bet of two bets.", "", "BET", 20)
_move("bet_wrong-amount-negative", "bet.wrong-amount", "HEX-6", 1, "A bet of less than nothing.", "", "BET", -10)
_move("bet_wrong-amount-check", "bet.wrong-amount", "HEX-6", 1, "A check that puts in 10.", "", "CHECK", 10)
_move("bet_wrong-amount-allin", "bet.wrong-amount", "HEX-6", 1, "An all-in of less than the stack.", "", "ALLIN", 40)
_move("bet_over-stack", "bet.over-stack", "HEX-6", 1, "An all-in of more than the stack.", "", "ALLIN", 60)
_move("bet_over-stack-raise", "bet.over-stack", "HEX-6", 0, "A raise of 20 with 10 left.", "BET", "RAISE", 20, depth=1)
_move("bet_chips-owed", "bet.chips-owed", "HEX-6", 0, "A check while 10 is owed.", "BET", "CHECK", 0)
_move("bet_chips-owed-bet", "bet.chips-owed", "HEX-6", 0, "A bet where only a raise can be.", "BET", "BET", 10)
_move("bet_nothing-owed", "bet.nothing-owed", "HEX-6", 0, "A fold with nothing owed.", "CHECK", "FOLD", 0)
_move("bet_nothing-owed-call", "bet.nothing-owed", "HEX-6", 1, "A call as the first move.", "", "CALL", 10)
_move("bet_nothing-owed-raise", "bet.nothing-owed", "HEX-6", 1, "A raise after a call.", "BET CALL", "RAISE", 20)
_move("bet_not-a-move", "bet.not-a-move", "HEX-6", 1, "There is no straddle.", "", "STRADDLE", 20)
_move("bet_not-a-move-lower-case", "bet.not-a-move", "HEX-6", 1, "Moves are in upper case.", "", "check", 0)
_move("bet_not-allowed-call", "bet.not-allowed", "HEX-7", 0, "A call after an all-in.", "ALLIN", "CALL", 50)
_move(
    "bet_not-allowed-raise",
    "bet.not-allowed",
    "HEX-7",
    1,
    "A raise after an all-in.",
    "BET ALLIN",
    "RAISE",
    20,
    depth=2,
)
fault(
    "show_may-not-muck",
    "show.may-not-muck",
    "SHOW-2",
    1,
    "The first shower mucks.",
    lambda: Scribe("muck first", show="muck").due().play("CHECK CHECK").wrong(1, Mucked()),
)
fault(
    "show_may-not-muck-rule",
    "show.may-not-muck",
    "SHOW-2",
    0,
    "The second shower mucks under the rule all.",
    lambda: (
        (s := Scribe("muck under all").due().play("CHECK CHECK"))
        .say(1, Shown(seed=s.seed(1, "hole")))
        .wrong(0, Mucked())
    ),
)
fault(
    "show_may-not-muck-all-in",
    "show.may-not-muck",
    "SHOW-2",
    0,
    "The second shower mucks although stacks are empty.",
    lambda: (
        (s := Scribe("muck all-in", show="muck", depth=1).due().play("BET CALL"))
        .say(1, Shown(seed=s.seed(1, "hole")))
        .wrong(0, Mucked())
    ),
)
fault(
    "show_not-yours",
    "turn.not-yours",
    "CHAIN-1",
    0,
    "The second shower shows first.",
    lambda: (s := Scribe("show second").due().play("CHECK CHECK")).wrong(0, Shown(seed=s.seed(0, "hole"))),
)


# --- faults: settlement -------------------------------------------------------------------------------------


def _settlement(name: str, about: str, **changes: Any) -> None:
    def write() -> Scribe:
        scribe = Scribe(name).due().play("BET FOLD")
        event = scribe.owed_event(0, Settled)
        assert isinstance(event, Settled)
        return scribe.wrong(0, replace(event, **changes))

    fault(name, "settle.wrong", "CHAIN-3", 0, about, write)


_settlement("settle_wrong-stacks", "A settlement that moves a chip.", stacks=(51, 69))
_settlement("settle_wrong-net", "A settlement with another net.", net=(0, 0))
_settlement("settle_wrong-head", "A settlement of another end.", head=fixed("another end"))
fault(
    "settle_wrong-second",
    "settle.wrong",
    "CHAIN-3",
    1,
    "The second settlement names the first one as the end.",
    lambda: (s := settled_once(Scribe("second settlement").due().play("BET FOLD"))).wrong(
        1, Settled(head=s.state.head, stacks=s.state.books.stacks, net=s.state.books.net)
    ),
)


# --- after a fault ------------------------------------------------------------------------------------------


def _expelled() -> Scribe:
    return at_bet("expelled").wrong(0, Acted(move="CALL", amount=9)).expel()


def _expelled_out_of_turn() -> Scribe:
    """Seat 1 speaks out of turn while seat 0 owes a move: seat 0 expels it in place of that move."""
    return at_bet("out of turn").wrong(1, Acted(move="CHECK", amount=0)).expel()


def _expelled_between_hands() -> Scribe:
    scribe = Scribe("between hands", hands=2).due().play("BET FOLD").due(until=HandStarted)
    return scribe.wrong(1, Acted(move="CHECK", amount=0)).expel()


def _wrong_expulsion(seat: int, record: bytes | None) -> Callable[[], Scribe]:
    def write() -> Scribe:
        scribe = at_bet("expelled wrongly")
        body = scribe.body(0, Acted(move="CALL", amount=9))
        scribe.forge(0, body)
        return scribe.wrong(1, Expelled(seat=seat, record=body_hash(body) if record is None else record))

    return write


fault(
    "bet_wrong-amount-expelled",
    "bet.wrong-amount",
    "HEX-6",
    0,
    "A short call, its author's expulsion, and the settlement of the one who is left.",
    _expelled,
)
fault(
    "turn_not-yours-expelled",
    "turn.not-yours",
    "CHAIN-1",
    1,
    "A move out of turn, and its author's expulsion in place of the owed move.",
    _expelled_out_of_turn,
)
fault(
    "turn_wrong-kind-expelled",
    "turn.wrong-kind",
    "CHAIN-1",
    1,
    "An expulsion between hands: the match ends, no chip moves.",
    _expelled_between_hands,
)
fault(
    "encoding_unknown-kind-expelled",
    "encoding.unknown-kind",
    "ENC-2",
    0,
    "Nonsense in place of a commitment, and the expulsion: the ante is lost.",
    lambda: (s := Scribe("nonsense").due(until=SeedsCommitted)).forge(0, s.body(0, kind="nonsense")).expel(),
)
fault(
    "fault_then-wrong-expulsion",
    "bet.wrong-amount",
    "HEX-6",
    0,
    "The expulsion names another record: unjudged, the first fault stands.",
    _wrong_expulsion(0, fixed("another record")),
)
fault(
    "fault_then-wrong-expulsion-seat",
    "bet.wrong-amount",
    "HEX-6",
    0,
    "The expulsion names the wrong seat: unjudged, the first fault stands.",
    _wrong_expulsion(1, None),
)
fault(
    "fault_then-more",
    "bet.wrong-amount",
    "HEX-6",
    0,
    "The seat at fault corrects itself: too late, it is a second message on one previous hash.",
    lambda: at_bet("corrected").wrong(0, Acted(move="CALL", amount=9)).wrong(0, Acted(move="CALL", amount=10)),
)
fault(
    "fault_then-whoever-owed",
    "turn.not-yours",
    "CHAIN-1",
    1,
    "A seat speaks out of turn, and the one that owes goes on before it hears of it: the match ends all the same.",
    lambda: at_bet("crossed").wrong(1, Acted(move="CHECK", amount=0)).play("CALL CHECK CHECK").due(),
)
fault(
    "fault_then-another-expelled",
    "bet.wrong-amount",
    "HEX-6",
    0,
    "Two wrong calls at one place; the expulsion is of the second.",
    lambda: (
        at_bet("two wrong calls").wrong(0, Acted(move="CALL", amount=9)).wrong(0, Acted(move="CALL", amount=8)).expel()
    ),
)


def _first_of_two() -> Scribe:
    scribe = at_bet("first of two").wrong(0, Acted(move="CALL", amount=9))
    place = len(scribe.frames)
    second = scribe.wrong(0, Acted(move="CALL", amount=8)).frames.pop()
    scribe.expel().frames.insert(place, second)
    return scribe


fault(
    "fault_then-the-first-expelled",
    "bet.wrong-amount",
    "HEX-6",
    0,
    "Two wrong calls at one place; the expulsion is of the first.",
    _first_of_two,
)
fault(
    "fault_then-damage",
    "bet.wrong-amount",
    "HEX-6",
    0,
    "Junk after a fault is unjudged.",
    lambda: raw(at_bet("junk").wrong(0, Acted(move="CALL", amount=9)), b"junk"),
)
fault(
    "fault_then-truncated-settlement",
    "bet.wrong-amount",
    "HEX-6",
    0,
    "A fault, an expulsion, and the settlement cut short.",
    lambda: _expelled().bytes()[:-1],
)
