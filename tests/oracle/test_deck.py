"""The deck's proofs before a second verifier that shares no line and no library with the first (DECK-1, 3, 4, 6).

It is the one by which spec/check_deck.py checks the vectors: here it gets fresh proofs, and ones with a bit turned.
"""

import random
from collections.abc import Callable

import pytest

from dealerless.crypto import elgamal, equality, schnorr, shuffle
from dealerless.crypto.challenge import Context
from dealerless.errors import InvalidProof
from spec import check_deck as naive

DRAW = random.Random(9496)
CONTEXT = Context(session=bytes(range(32)), hand=7, deck=0, seat=1, purpose="test", prev=bytes(range(32, 64)))
FIELDS = list(CONTEXT.fields())
SECRETS = [schnorr.DeckSecret(DRAW.randbytes, seat) for seat in range(2)]
KEYS = [secret.public for secret in SECRETS]
JOINT = schnorr.joint(KEYS)


def deck(count: int) -> elgamal.Deck:
    return elgamal.start_deck("holdem", [f"card {number}" for number in range(count)], JOINT)


def holds(check: Callable[..., object], *arguments: object) -> bool:
    """Whether the second verifier takes a proof for this context."""
    try:
        check(FIELDS, *arguments)
    except naive.Refused:
        return False
    return True


def changed(data: bytes) -> bytes:
    """The same bytes with one bit turned."""
    place = DRAW.randrange(8 * len(data))
    return bytes(byte ^ (1 << place % 8 if number == place // 8 else 0) for number, byte in enumerate(data))


def test_the_context_is_eight_fields() -> None:
    assert [
        "dealerless/1 deck",
        "ristretto255-sha512",
        bytes(range(32)),
        7,
        0,
        1,
        "test",
        bytes(range(32, 64)),
    ] == FIELDS


def test_cards_and_generators_are_the_same_points() -> None:
    """DECK-2: nothing but the names goes into a card, nothing but the number into a generator."""
    assert elgamal.card_point("holdem", "SA") == naive.encode(naive.card("holdem", "SA"))
    h, hs = shuffle.generators(3)
    assert [h, *hs] == [naive.encode(naive.generator(number)) for number in range(4)]


@pytest.mark.parametrize("seat", range(2))
def test_key_proofs(seat: int) -> None:
    proof = schnorr.prove_key(SECRETS[seat], CONTEXT, DRAW.randbytes)
    assert holds(naive.check_key, KEYS[seat], proof)
    assert not holds(naive.check_key, KEYS[1 - seat], proof)
    for _ in range(10):
        bad = changed(proof)
        assert not holds(naive.check_key, KEYS[seat], bad)
        with pytest.raises(InvalidProof):
            schnorr.verify_key(CONTEXT, KEYS[seat], bad)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_share_proofs(count: int) -> None:
    points = [elgamal.card_point("any", str(number)) for number in range(count)]
    slots = range(10, 10 + count)
    shares = equality.share(SECRETS[0], points)
    proof = equality.prove_shares(SECRETS[0], CONTEXT, KEYS[0], slots, points, shares, DRAW.randbytes)
    assert holds(naive.check_shares, KEYS[0], slots, points, shares, proof)
    wrong = (*shares[:-1], elgamal.card_point("any", "other"))
    for bad in (
        (KEYS[1], slots, points, shares, proof),
        (KEYS[0], range(11, 11 + count), points, shares, proof),
        (KEYS[0], slots, points, wrong, proof),
        (KEYS[0], slots, points, shares, changed(proof)),
    ):
        assert not holds(naive.check_shares, *bad)
        with pytest.raises(InvalidProof):
            equality.verify_shares(CONTEXT, *bad)


@pytest.mark.parametrize("slot", [3, "laid"])
def test_openings(slot: int | str) -> None:
    ciphertext = deck(1)[0]
    (share,) = equality.share(SECRETS[0], [ciphertext[0]])
    proof = equality.prove_opening(SECRETS[0], CONTEXT, slot, KEYS[0], ciphertext, share, DRAW.randbytes)
    assert holds(naive.check_opening, slot, KEYS[0], ciphertext, share, proof)
    for bad in (
        (4, KEYS[0], ciphertext, share, proof),
        (slot, KEYS[1], ciphertext, share, proof),
        (slot, KEYS[0], (ciphertext[0], share), share, proof),
        (slot, KEYS[0], ciphertext, ciphertext[1], proof),
        (slot, KEYS[0], ciphertext, share, changed(proof)),
    ):
        assert not holds(naive.check_opening, *bad)
        with pytest.raises(InvalidProof):
            equality.verify_opening(CONTEXT, *bad)


@pytest.mark.parametrize("count", [2, 3, 5])
def test_shuffle_arguments(count: int) -> None:
    old = deck(count)
    for _ in range(2):
        new, proof = shuffle.shuffle(old, JOINT, CONTEXT, DRAW.randbytes)
        assert holds(naive.check_shuffle, JOINT, elgamal.joined(old), elgamal.joined(new), proof)
        for bad in (
            (KEYS[0], old, new, proof),
            (JOINT, old, (new[1], new[0], *new[2:]), proof),
            (JOINT, old, new, changed(proof)),
        ):
            key, before, after, what = bad
            assert not holds(naive.check_shuffle, key, elgamal.joined(before), elgamal.joined(after), what)
            with pytest.raises(InvalidProof):
                shuffle.verify_shuffle(before, after, key, CONTEXT, what)
        old = new
