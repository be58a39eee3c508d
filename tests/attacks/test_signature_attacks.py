"""Attacks with keys and signatures: denying one's own moves, or framing somebody with them (SIG-1, SIG-2)."""

import pytest

from dealerless.crypto.ed25519 import SMALL_ORDER, L, SigningKey, VerifyKey, check_key
from dealerless.errors import BadSignature
from tests.oracle import naive_ed25519 as naive

MESSAGES = [b"seat 1 calls", b"seat 1 folds", b""]
IDENTITY = bytes([1]) + bytes(31)
SEED = bytes(range(32))


def code(key: bytes) -> str:
    with pytest.raises(BadSignature) as caught:
        check_key(key)
    return caught.value.code


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("0100000000000000000000000000000000000000000000000000000000000000", "signature.weak-key"),
        ("0100000000000000000000000000000000000000000000000000000000000080", "signature.non-canonical-key"),
        ("eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", "signature.non-canonical-key"),
    ],
)
def test_s01_the_identity_is_no_key(key: str, expected: str) -> None:
    """S01: under the identity, R = identity and S = 0 would be a valid signature on every message."""
    data = bytes.fromhex(key)
    assert code(data) == expected
    with pytest.raises(BadSignature):
        VerifyKey.load(data)
    with pytest.raises(BadSignature):
        VerifyKey(data)


def test_s01_the_forgery_for_every_message_is_refused_under_a_good_key() -> None:
    key = SigningKey(SEED).public
    for message in MESSAGES:
        with pytest.raises(BadSignature):
            key.verify(message, IDENTITY + bytes(32))


def test_s02_an_r_that_is_the_identity_is_refused_though_the_equation_holds() -> None:
    """S02: libraries differ here, and a verdict must not depend on which of them a referee has."""
    key = SigningKey(SEED).public
    secret = naive.scalar_of(SEED)
    for message in MESSAGES:
        h = naive.challenge(IDENTITY, key.key, message)
        answer = h * secret % L
        point = naive.decode(key.key)
        assert point is not None
        assert naive.BASE is not None
        assert naive.times(answer, naive.BASE) == naive.add(naive.IDENTITY, naive.times(h, point))
        with pytest.raises(BadSignature, match=r"signature\.invalid"):
            key.verify(message, IDENTITY + answer.to_bytes(32, "little"))


def test_s04_s_plus_l_is_another_spelling_and_refused() -> None:
    """S04: otherwise anybody could make a second signature out of the first."""
    key = SigningKey(SEED)
    for message in MESSAGES:
        signature = key.sign(message)
        answer = int.from_bytes(signature[32:], "little")
        for more in range(L, 2**256 - answer, L):
            with pytest.raises(BadSignature, match=r"signature\.invalid"):
                key.public.verify(message, signature[:32] + (answer + more).to_bytes(32, "little"))
        key.public.verify(message, signature)


@pytest.mark.parametrize("length", [0, 1, 63, 65, 128, 100_000])
def test_s04_a_signature_of_another_length_is_invalid_and_nothing_worse(length: int) -> None:
    with pytest.raises(BadSignature, match=r"signature\.invalid"):
        SigningKey(SEED).public.verify(b"", bytes(length))


class Credulous:
    """A library that finds every signature valid."""

    def verify(self, signature: bytes, message: bytes) -> None:
        pass


def test_s05_what_libraries_see_differently_is_decided_before_they_are_asked() -> None:
    """S05, SIG-2: lengths, S and the small-order R, so that another library gives the same verdict."""
    key = VerifyKey.load(SigningKey(SEED).public.key)
    signature = SigningKey(SEED).sign(b"")
    object.__setattr__(key, "_loaded", Credulous())
    key.verify(b"another message", signature)
    top = (L - 1).to_bytes(32, "little")
    key.verify(b"", signature[:32] + top)
    refused = [b"", signature[:63], signature + b"\0", signature[:32] + L.to_bytes(32, "little")]
    refused += [signature[:32] + b"\xff" * 32, *(r + top for r in SMALL_ORDER)]
    for wrong in refused:
        with pytest.raises(BadSignature, match=r"signature\.invalid"):
            key.verify(b"", wrong)


@pytest.mark.parametrize("order", [8, 4, 2])
def test_s06_an_honest_key_plus_a_point_of_small_order_is_refused(order: int) -> None:
    """S06: with such a key one out of `order` signatures holds, and the owner can choose which."""
    assert naive.TORSION is not None
    assert naive.BASE is not None
    torsion = naive.times(8 // order, naive.TORSION)
    honest = naive.times(naive.scalar_of(SEED), naive.BASE)
    mixed = naive.encode(naive.add(honest, torsion))
    assert naive.on_curve(naive.add(honest, torsion))
    check_key(naive.encode(honest))
    assert code(mixed) == "signature.weak-key"


def test_s06_the_keys_of_the_published_cases() -> None:
    """S06: the key of cases 3 to 5 is of mixed order, that of 6 and 7 is not."""
    assert (
        code(bytes.fromhex("cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d")) == "signature.weak-key"
    )
    check_key(bytes.fromhex("442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623"))
