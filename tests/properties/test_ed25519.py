"""What holds for all keys and signatures (SIG-1, SIG-2)."""

import copy
import pickle  # noqa: TID251 - only to see that it refuses
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealerless.crypto.ed25519 import L, SigningKey, VerifyKey, check_key
from dealerless.errors import BadSignature, UsageError
from tests.oracle import naive_ed25519 as naive

KEY = SigningKey(bytes(range(32)))
MESSAGE = b"seat 1 calls"
SIGNATURE = KEY.sign(MESSAGE)


@given(seed=st.binary(min_size=32, max_size=32), message=st.binary(max_size=300))
@settings(max_examples=60, deadline=None)
def test_what_is_signed_verifies_and_nothing_else_does(seed: bytes, message: bytes) -> None:
    key = SigningKey(seed)
    signature = key.sign(message)
    key.public.verify(message, signature)
    assert VerifyKey.load(key.public.key) == key.public
    with pytest.raises(BadSignature):
        key.public.verify(message + b"\0", signature)
    with pytest.raises(BadSignature):
        KEY.public.verify(message, signature)


def test_the_naive_verifier_agrees_on_honest_signatures() -> None:
    for number in range(5):
        key = SigningKey(bytes([number]) * 32)
        assert naive.is_signature(key.public.key, MESSAGE, key.sign(MESSAGE))


@pytest.mark.parametrize("bit", range(512))
def test_every_flipped_bit_of_a_signature_is_refused(bit: int) -> None:
    changed = bytearray(SIGNATURE)
    changed[bit // 8] ^= 1 << bit % 8
    with pytest.raises(BadSignature, match=r"signature\.invalid"):
        KEY.public.verify(MESSAGE, bytes(changed))


def test_random_strings_are_keys_exactly_when_l_times_them_is_the_identity() -> None:
    """S06: about one string in sixteen decodes to a point of the prime-order subgroup."""
    draw = random.Random(25519)
    accepted = 0
    points_refused = 0
    for _ in range(300):
        data = draw.randbytes(32)
        try:
            check_key(data)
        except BadSignature:
            # The slow multiplication is asked about the first twenty points only.
            if points_refused < 20 and naive.decode(data) is not None:
                points_refused += 1
                assert not naive.is_key(data)
        else:
            accepted += 1
            assert naive.is_key(data)
    assert 5 < accepted < 40
    assert points_refused == 20


def test_keys_compare_by_their_bytes() -> None:
    same = VerifyKey.load(bytes(KEY.public))
    assert same == KEY.public
    assert hash(same) == hash(KEY.public)
    assert len({same, KEY.public, SigningKey(bytes(32)).public}) == 2


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_a_seed_has_32_bytes(length: int) -> None:
    with pytest.raises(UsageError):
        SigningKey(bytes(length))


def test_a_signing_key_is_not_copied_anywhere() -> None:
    """G09: neither the seed nor a pickle of it leaves the object."""
    seed = b"a seed nobody else may ever read"
    key = SigningKey(seed)
    for text in (repr(key), str(key), f"{key}", repr(key.public), repr([key])):
        assert seed.hex() not in text
        assert repr(seed)[2:-1] not in text
    for spread in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="neither pickled nor copied"):
            spread(key)
    assert not hasattr(key, "__dict__")


def test_l_is_the_order_of_the_base_point() -> None:
    assert naive.BASE is not None
    assert naive.times(L, naive.BASE) == naive.IDENTITY
