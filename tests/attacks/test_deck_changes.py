"""Every proof of the deck with every one of its parts changed, one at a time: refused, with the code that says why.

V03, V06, K02, K06, K08, D02: statement, context, proof; wrong points, the identity, scalars out of range, lengths.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import pytest

from dealerless.crypto import challenge, equality, group, schnorr, shuffle
from dealerless.crypto.challenge import Context
from dealerless.errors import InvalidProof
from tests.deck import CONTEXT, DRAW, JOINT, KEYS, NO_POINTS, SECRETS, STRANGER, shared, shuffled

COUNT = 3
SLOTS = range(5, 5 + COUNT)
BEFORE, AFTER, ARGUMENT = shuffled(COUNT)
POINTS, SHARES, BATCH = shared(SLOTS)
CARD = BEFORE[0]
(OWN,) = equality.share(SECRETS[0], CARD[:1])
OPENING = equality.prove_opening(SECRETS[0], CONTEXT, 4, KEYS[0], CARD, OWN, DRAW.randbytes)
KEY_PROOF = schnorr.prove_key(SECRETS[0], CONTEXT, DRAW.randbytes)


class Proven(NamedTuple):
    """A verifier's call whose fields can be changed; `points` is how many of the proof's parts are points."""

    verify: Callable[..., None]
    fields: dict[str, object]
    points: int
    code: str


PROOFS = {
    "key": Proven(
        schnorr.verify_key,
        {"context": CONTEXT, "key": KEYS[0], "proof": KEY_PROOF},
        0,
        "proof.key",
    ),
    "shares": Proven(
        equality.verify_shares,
        {
            "context": CONTEXT,
            "key": KEYS[0],
            "slots": tuple(SLOTS),
            "points": tuple(POINTS),
            "shares": SHARES,
            "proof": BATCH,
        },
        0,
        "proof.shares",
    ),
    "opening": Proven(
        equality.verify_opening,
        {"context": CONTEXT, "slot": 4, "key": KEYS[0], "ciphertext": CARD, "share": OWN, "proof": OPENING},
        0,
        "proof.opening",
    ),
    "shuffle": Proven(
        shuffle.verify_shuffle,
        {"context": CONTEXT, "joint": JOINT, "deck": BEFORE, "shuffled": AFTER, "proof": ARGUMENT},
        2 * COUNT,
        "proof.shuffle",
    ),
}


def contexts() -> Iterator[tuple[str, Context]]:
    """Another hand, seat, match and so on: a replayed proof (K03, D02)."""
    yield "session", replace(CONTEXT, session=bytes(32))
    yield "hand", replace(CONTEXT, hand=4)
    yield "deck", replace(CONTEXT, deck=1)
    yield "seat", replace(CONTEXT, seat=0)
    yield "purpose", replace(CONTEXT, purpose="other")
    yield "prev", replace(CONTEXT, prev=bytes(32))
    yield "suite", replace(CONTEXT, suite="another-suite")


def points(point: bytes, code: str) -> Iterator[tuple[str, bytes, str]]:
    """What may stand in the place of a point, and the code it gets."""
    yield "another point", STRANGER, code
    yield "negative", group.subtract(group.IDENTITY, point), code
    yield "one G more", group.add(point, group.BASE), code
    yield "identity", group.IDENTITY, "group.identity"
    for number, bad in enumerate(NO_POINTS):
        yield f"no point {number}", bad, "group.not-a-point"


def scalars(data: bytes, code: str) -> Iterator[tuple[str, bytes, str]]:
    """What may stand in the place of a scalar: s + L and the like act as s would (K08)."""
    scalar = int.from_bytes(data, "little")
    yield "one more", group.encode_scalar(scalar + 1), code
    yield "negative", group.encode_scalar(-scalar), code
    yield "zero", bytes(32), code
    yield "plus L", (scalar + group.L).to_bytes(32, "little"), "group.bad-scalar"
    yield "L", group.L.to_bytes(32, "little"), "group.bad-scalar"
    yield "all ones", b"\xff" * 32, "group.bad-scalar"


def parts(proven: Proven) -> Iterator[tuple[str, bytes, str]]:
    """The proof with one of its parts replaced, and proofs of other lengths."""
    proof = proven.fields["proof"]
    assert isinstance(proof, bytes)
    for number, at in enumerate(range(0, len(proof), 32)):
        part = proof[at : at + 32]
        for name, other, code in (points if number < proven.points else scalars)(part, proven.code):
            if len(other) == 32:
                yield f"part {number} {name}", proof[:at] + other + proof[at + 32 :], code
    for name, other in (
        ("none", b""),
        ("zeros", bytes(1)),
        ("one byte less", proof[:-1]),
        ("one byte more", proof + bytes(1)),
        ("one part less", proof[:-32]),
        ("one part more", proof + bytes(32)),
        ("twice", proof + proof),
    ):
        yield name, other, "proof.wrong-length"
    yield "all zeros", bytes(len(proof)), "group.identity" if proven.points else proven.code


def places(value: tuple[object, ...], code: str) -> Iterator[tuple[str, tuple[object, ...], str]]:
    """Of points, or of pairs of points: one replaced, two exchanged."""
    for number, item in enumerate(value):
        options = points(item, code) if isinstance(item, bytes) else places(item, code)  # type: ignore[arg-type]
        for name, other, expected in options:
            yield f"{number} {name}", (*value[:number], other, *value[number + 1 :]), expected
    yield "last two exchanged", (*value[:-2], value[-1], value[-2]), code


def changes(proven: Proven) -> Iterator[tuple[str, dict[str, object], str]]:
    """All fields of a call with one of them changed, and the code of the refusal."""
    for field, value in proven.fields.items():
        options: Iterator[tuple[str, object, str]]
        if field == "context":
            options = ((name, context, proven.code) for name, context in contexts())
        elif field == "proof":
            options = parts(proven)
        elif field == "slot":
            options = ((str(slot), slot, proven.code) for slot in (0, 5, "laid", "4"))
        elif field == "slots":
            options = ((str(slots), slots, proven.code) for slots in ((6, 5, 7), (5, 6, 8), (0, 1, 2)))
        elif isinstance(value, bytes):
            options = points(value, proven.code)
        else:
            assert isinstance(value, tuple)
            options = places(value, proven.code)
        for name, other, code in options:
            yield f"{field}: {name}", {**proven.fields, field: other}, code
    if proven.code == "proof.shuffle":
        for name, after in (("none", ()), ("one less", AFTER[:-1]), ("one more", (*AFTER, AFTER[0]))):
            yield f"after: {name}", {**proven.fields, "shuffled": after}, "deck.wrong-size"
        yield "after: a card twice", {**proven.fields, "shuffled": (AFTER[0], AFTER[0], AFTER[2])}, proven.code
        yield "after: the deck as it was", {**proven.fields, "shuffled": BEFORE}, proven.code
        yield "before and after exchanged", {**proven.fields, "deck": AFTER, "shuffled": BEFORE}, proven.code
    if proven.code == "proof.shares":
        for name, shares in (("none", ()), ("one less", SHARES[:-1]), ("one more", (*SHARES, SHARES[0]))):
            yield f"shares: {name}", {**proven.fields, "shares": shares}, "proof.wrong-length"


@pytest.mark.parametrize("name", PROOFS)
def test_the_proof_as_it_is_verifies(name: str) -> None:
    proven = PROOFS[name]
    proven.verify(**proven.fields)


@pytest.mark.parametrize("name", PROOFS)
def test_every_change_is_refused(name: str) -> None:
    """DECK-1, DECK-3, DECK-4, DECK-6; nothing but InvalidProof comes out (V14)."""
    proven = PROOFS[name]
    found: list[str] = []
    tried = 0
    for change, fields, code in changes(proven):
        tried += 1
        try:
            proven.verify(**fields)
        except InvalidProof as error:
            if error.code != code:
                found.append(f"{change}: {error.code} instead of {code}")
        else:
            found.append(f"{change}: accepted")
    assert found == []
    assert tried > 35


@pytest.mark.parametrize("name", PROOFS)
def test_a_proof_of_another_protocol_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """K09: the tag of the protocol stands in every hash."""
    monkeypatch.setattr(challenge, "PROTOCOL", "dealerless/2 deck")
    proven = PROOFS[name]
    with pytest.raises(InvalidProof) as caught:
        proven.verify(**proven.fields)
    assert caught.value.code == proven.code


@pytest.mark.parametrize("name", PROOFS)
def test_one_proof_does_not_serve_for_another_kind(name: str) -> None:
    """All but the shuffle's are two scalars: their tags differ."""
    for other, proven in PROOFS.items():
        if other != name:
            with pytest.raises(InvalidProof):
                proven.verify(**{**proven.fields, "proof": PROOFS[name].fields["proof"]})


def test_a_share_of_one_slot_does_not_serve_for_another() -> None:
    """D02: each of two shares was proven alone; exchanged, both are refused."""
    alone = [shared(range(slot, slot + 1)) for slot in (1, 2)]
    for slot, (point, share, proof) in zip((1, 2), alone, strict=True):
        equality.verify_shares(CONTEXT, KEYS[0], (slot,), point, share, proof)
    for slot, (point, _, _), (_, share, proof) in zip((1, 2), alone, alone[::-1], strict=True):
        with pytest.raises(InvalidProof, match=r"proof\.shares"):
            equality.verify_shares(CONTEXT, KEYS[0], (slot,), point, share, proof)
    for other_slot, (point, share, proof) in zip((2, 1), alone, strict=True):
        with pytest.raises(InvalidProof, match=r"proof\.shares"):
            equality.verify_shares(CONTEXT, KEYS[0], (other_slot,), point, share, proof)


@pytest.mark.parametrize("number", range(52))
def test_one_wrong_share_of_fifty_two_spoils_the_batch(number: int) -> None:
    """V12: whichever it is."""
    slots = range(52)
    points, shares, proof = _fifty_two()
    wrong = (*shares[:number], group.add(shares[number], group.BASE), *shares[number + 1 :])
    with pytest.raises(InvalidProof, match=r"proof\.shares"):
        equality.verify_shares(CONTEXT, KEYS[0], slots, points, wrong, proof)
    honest: Sequence[bytes] = equality.share(SECRETS[0], points)
    assert tuple(honest) == shares
    made = equality.prove_shares(SECRETS[0], CONTEXT, KEYS[0], slots, points, wrong, DRAW.randbytes)
    with pytest.raises(InvalidProof, match=r"proof\.shares"):
        equality.verify_shares(CONTEXT, KEYS[0], slots, points, wrong, made)


_MADE: list[tuple[list[bytes], tuple[bytes, ...], bytes]] = []


def _fifty_two() -> tuple[list[bytes], tuple[bytes, ...], bytes]:
    if not _MADE:
        _MADE.append(shared(range(52)))
    return _MADE[0]
