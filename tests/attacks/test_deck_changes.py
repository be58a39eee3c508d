"""Every proof of the deck with every one of its parts changed, one at a time: refused, with the code that says why.

V03, V06, K02, K06, K08, D02: statement, context, proof; wrong points, the identity, scalars out of range, lengths.
"""

from collections.abc import Iterator, Sequence

import pytest

from dealerless.crypto import challenge, equality, group, schnorr, shuffle
from dealerless.errors import InvalidProof
from tests.deck import CONTEXT, DRAW, JOINT, KEYS, SECRETS, shared, shuffled
from tests.proven import Change, Proven, fields_changed, not_refused, others

COUNT = 3
SLOTS = range(5, 5 + COUNT)
BEFORE, AFTER, ARGUMENT = shuffled(COUNT)
POINTS, SHARES, BATCH = shared(SLOTS)
CARD = BEFORE[0]
(OWN,) = equality.share(SECRETS[0], CARD[:1])
OPENING = equality.prove_opening(SECRETS[0], CONTEXT, 4, KEYS[0], CARD, OWN, DRAW.randbytes)
KEY_PROOF = schnorr.prove_key(SECRETS[0], CONTEXT, DRAW.randbytes)


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


def changes(proven: Proven) -> Iterator[Change]:
    """All fields of a call with one of them changed, and lists of other lengths or orders."""
    slots = {
        "slot": others((0, 5, "laid", "4"), proven.code),
        "slots": others(((6, 5, 7), (5, 6, 8), (0, 1, 2)), proven.code),
    }
    yield from fields_changed(proven, slots)
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
    found, tried = not_refused(PROOFS[name], changes(PROOFS[name]))
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
