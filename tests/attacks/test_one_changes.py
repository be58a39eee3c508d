"""One Poker's messages changed in one place, replayed from elsewhere, or sent too early: each convicts its author.

A match is played once. At every message of the kinds in question the other seat's session gets a changed one, and the
referee the bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from dealerless.crypto.group import BASE, IDENTITY, L, add
from dealerless.protocol.events import CardLaid, ClassProven, Event, LotCommitted, LotOpened, Revealed
from dealerless.protocol.lot import LOT
from dealerless.protocol.state import Phase
from dealerless.referee import Outcome
from tests.matches import Match, by_chance, fixed, one_offer, refused
from tests.one import branch, steps

KINDS = (LotCommitted, LotOpened, ClassProven, CardLaid, Revealed)
NO_POINT = (2**255 - 18).to_bytes(32, "little")
"""p + 1 where p is the field's prime: 1 in another spelling."""
DOWN_BYTES, UP_BYTES = 64 * 24, 64 * 28

Changed = tuple[str, object, str]
"""What was changed, the event or its fields, and the code that convicts."""


@cache
def moments() -> tuple[tuple[Match, Event], ...]:
    """A match of two rounds before every message of these kinds, and what its author would say."""
    found = []
    for match in steps(Match(one_offer(rounds=2, lives=(9, 9)), "changes"), by_chance("bold")):
        owed = match.state.owed
        if owed is not None and owed.kinds[0] in KINDS:
            at = branch(match)
            found.append((at, branch(match).owed_event()))
    return tuple(found)


def elements(data: bytes) -> Iterator[int]:
    return iter(range(0, len(data), 32))


def put(data: bytes, place: int, element: bytes) -> bytes:
    return data[:place] + element + data[place + 32 :]


def turned(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def raised(data: bytes, place: int) -> bytes:
    scalar = int.from_bytes(data[place : place + 32], "little") + L
    return put(data, place, scalar.to_bytes(32, "little"))


def moved(data: bytes, place: int) -> bytes:
    """Another point in the place of one."""
    return put(data, place, add(data[place : place + 32], BASE))


# --- by kind ---------------------------------------------------------------------------------------------------


def lot_changes(match: Match, event: LotCommitted) -> Iterator[Changed]:
    if match.owing == 1:
        copied = match.state.running.deal.lot.commitments[0]
        yield "copied", LotCommitted(commitment=copied), "commit.duplicate"
    yield "short", (event.commitment[:31],), "encoding.wrong-length"
    yield "long", (event.commitment + b"\0",), "encoding.wrong-length"
    yield "text", (event.commitment.hex(),), "encoding.wrong-type"
    yield "nothing", (), "encoding.wrong-length"
    seed = match.seed(match.owing, LOT)
    yield "too early", LotOpened(seed=seed), "commit.early-opening"


def lot_open_changes(match: Match, event: LotOpened) -> Iterator[Changed]:
    for place in range(32):
        yield f"byte {place}", LotOpened(seed=turned(event.seed, place)), "commit.wrong-opening"
    yield "the other's", LotOpened(seed=match.seed(1 - match.owing, LOT)), "commit.wrong-opening"
    yield "of another round", LotOpened(seed=match.seed(match.owing, LOT, 2)), "commit.wrong-opening"
    yield "its commitment", LotOpened(seed=match.commit(match.owing, LOT, event.seed)), "commit.wrong-opening"
    yield "short", (event.seed[:16],), "encoding.wrong-length"
    yield "a second commitment", LotCommitted(commitment=fixed("second")), "turn.wrong-kind"


def class_changes(match: Match, event: ClassProven) -> Iterator[Changed]:
    proofs, classes = event.proofs, event.classes
    for place in list(elements(proofs)):
        yield f"bit of {place}", replace(event, proofs=turned(proofs, place)), "proof.class"
    for place in (0, 32 * 30, len(proofs) - 32):
        yield f"{place} and L", replace(event, proofs=raised(proofs, place)), "group.bad-scalar"
    for number, was in enumerate(classes):
        said = (*classes[:number], 1 - was, *classes[number + 1 :])
        yield f"class {number}", replace(event, classes=said), "proof.wrong-length"
        # And as long as it has to be, the rest of it made up.
        size = sum([(DOWN_BYTES, UP_BYTES)[each] for each in said])
        yield f"lamp {number}", ClassProven(classes=said, proofs=(proofs + proofs)[:size]), "proof.class"
    size = (DOWN_BYTES, UP_BYTES)[classes[0]]
    if len(classes) == 2:
        yield "one of two", ClassProven(classes=classes[:1], proofs=proofs[:size]), "deck.wrong-size"
        yield "reversed", ClassProven(classes=classes[::-1], proofs=proofs[size:] + proofs[:size]), "proof.class"
        yield "three", ((*classes, 0), proofs), "encoding.wrong-length"
    else:
        yield "twice", ClassProven(classes=classes * 2, proofs=proofs * 2), "deck.wrong-size"
    yield "none", ((), proofs), "encoding.wrong-length"
    yield "no class", ((2, *classes[1:]), proofs), "encoding.out-of-range"
    yield "below", ((-1, *classes[1:]), proofs), "encoding.out-of-range"
    yield "a branch less", replace(event, proofs=proofs[:-64]), "proof.wrong-length"
    # No event has more branches than two UP cards need.
    most = len(proofs) == 2 * UP_BYTES
    more = replace(event, proofs=proofs + proofs[:64])
    yield "a branch more", more, "encoding.wrong-length" if most else "proof.wrong-length"
    yield "half a branch", (classes, proofs[:-32]), "encoding.wrong-length"


def lay_changes(match: Match, event: CardLaid) -> Iterator[Changed]:
    cards, proof = event.cards, event.proof
    for place in elements(cards):
        yield f"point {place}", replace(event, cards=moved(cards, place)), "proof.lay"
        yield f"identity {place}", replace(event, cards=put(cards, place, IDENTITY)), "group.identity"
        yield f"no point {place}", replace(event, cards=put(cards, place, NO_POINT)), "group.not-a-point"
    for place in elements(proof):
        yield f"bit of {place}", replace(event, proof=turned(proof, place)), "proof.lay"
        yield f"{place} and L", replace(event, proof=raised(proof, place)), "group.bad-scalar"
    yield "the other order", replace(event, cards=cards[64:] + cards[:64]), "proof.lay"
    yield "one twice", replace(event, cards=cards[:64] * 2), "proof.lay"
    yield "branches", replace(event, proof=proof[32:64] + proof[:32] + proof[128:] + proof[64:128]), "proof.lay"
    for number, (a, z) in enumerate(match.state.running.deal.held[match.owing]):
        yield f"as held {number}", replace(event, cards=a + z + cards[64:]), "proof.lay-without-remask"
        yield f"kept as held {number}", replace(event, cards=cards[:64] + a + z), "proof.lay-without-remask"
    yield "one card", (cards[:64], proof), "encoding.wrong-length"
    yield "no proof", (cards, b""), "encoding.wrong-length"


def reveal_changes(match: Match, event: Revealed) -> Iterator[Changed]:
    shares, proofs = event.shares, event.proofs
    yield "another", replace(event, shares=moved(shares, 0)), "proof.opening"
    yield "identity", replace(event, shares=IDENTITY), "group.identity"
    yield "no point", replace(event, shares=NO_POINT), "group.not-a-point"
    for place in elements(proofs):
        yield f"bit of {place}", replace(event, proofs=turned(proofs, place)), "proof.opening"
        yield f"{place} and L", replace(event, proofs=raised(proofs, place)), "group.bad-scalar"
    yield "turned round", replace(event, proofs=proofs[32:] + proofs[:32]), "proof.opening"
    yield "two shares", Revealed(shares=shares * 2, proofs=proofs * 2), "deck.wrong-size"
    yield "two proofs", Revealed(shares=shares, proofs=proofs * 2), "deck.wrong-size"
    yield "no share", (b"", proofs), "encoding.wrong-length"


CHANGES: dict[type[Event], Callable[[Match, Any], Iterator[Changed]]] = {
    LotCommitted: lot_changes,
    LotOpened: lot_open_changes,
    ClassProven: class_changes,
    CardLaid: lay_changes,
    Revealed: reveal_changes,
}


def frame_of(match: Match, kind: str, changed: object) -> bytes:
    if isinstance(changed, Event):
        return match.forge(match.owing, changed)
    return match.sign(match.owing, match.body(match.owing, kind=kind, fields=changed))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.KIND)
def test_a_message_changed_in_one_place_convicts_its_author(kind: type[Event]) -> None:
    """VERDICT-2, DECK-8, LOT-1, COMMIT-2, COMMIT-3: the other's session and the referee say the same code."""
    judged = set()
    tried = 0
    for match, event in moments():
        if type(event) is not kind:
            continue
        author = match.owing
        for what, changed, code in CHANGES[kind](match, event):
            tried += 1
            frame = frame_of(match, kind.KIND, changed)
            other = branch(match).sessions[1 - author]
            error = refused(other, frame)
            assert error.code == code, (what, error)
            assert other.fault is not None
            assert (other.fault.seat, other.fault.frame) == (author, frame)
            place = (code, match.state.books.number)
            if place not in judged:
                judged.add(place)
                verdict = match.verdict(frame)
                assert verdict.outcome is Outcome.FAULT
                assert verdict.fault is not None
                assert (verdict.fault.code, verdict.fault.seat) == (code, author), what
    assert tried >= 10


def test_what_was_said_elsewhere_convicts_its_author() -> None:
    """DECK-1, DECK-8: a class, a lay or an opening of another round or of the other seat proves nothing here."""
    codes = {ClassProven: {"proof.class", "deck.wrong-size", "proof.wrong-length"}, CardLaid: {"proof.lay"}}
    tried = 0
    for match, event in moments():
        for _, other in moments():
            if other == event or type(other) is not type(event) or isinstance(event, LotCommitted | LotOpened):
                continue
            error = refused(branch(match).sessions[1 - match.owing], match.forge(match.owing, other))
            assert error.code in codes.get(type(event), {"proof.opening"})
            tried += 1
    assert tried == 3 * 4 * 3


def test_nothing_comes_before_its_time() -> None:
    """CHAIN-1, COMMIT-3, SHOW-2: at each of these messages any other of these kinds, by either seat."""
    samples = {type(event): event for _, event in moments()}
    for match, event in moments():
        for kind, sample in samples.items():
            if kind is type(event):
                continue
            error = refused(branch(match).sessions[1 - match.owing], match.forge(match.owing, sample))
            early = kind is Revealed or (kind is LotOpened and match.state.phase is Phase.DRAWING_LOT)
            assert error.code == ("commit.early-opening" if early else "turn.wrong-kind"), (event, kind)
            seat = 1 - match.owing
            error = refused(branch(match).sessions[match.owing], match.forge(seat, sample))
            assert error.code in ("turn.not-yours", "commit.early-opening")


def test_a_seed_that_was_opened_does_not_serve_again() -> None:
    """COMMIT-3, LOT-1: seat 1 commits, for itself, to what it somehow knows of seat 0's seed."""
    match = Match(one_offer(), "same seed").until(Phase.DRAWING_LOT)
    match.turn()
    seed = match.seed(0, LOT)
    match.say(1, LotCommitted(commitment=match.commit(1, LOT, seed)))
    match.turn()
    assert match.cheat(1, match.forge(1, LotOpened(seed=seed))).code == "commit.seed-reuse"
    verdict = match.play().verdict()
    assert verdict.fault is not None
    assert (verdict.fault.code, verdict.fault.seat) == ("commit.seed-reuse", 1)
    assert verdict.stacks == (11, 9)
