"""A seat's key for a deck, and the proof that its author knows the secret half.

Without the proof the last seat could publish a key that cancels the others', and open every card alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NoReturn

from ..encoding import Value
from ..errors import InvalidProof, UsageError
from .challenge import Context, challenge
from .drawing import Drawing
from .group import (
    IDENTITY,
    SCALAR_BYTES,
    check_point,
    decode_scalar,
    encode_scalar,
    multiply,
    multiply_base,
    subtract,
    total,
)

PROOF_BYTES: Final = 64


class DeckSecret:
    """The secret scalar behind one seat's key; it prints nothing, and is neither copied nor serialised.

    `random(n)` returns n bytes from the operating system; `purpose` tells apart what the same bytes may be drawn
    for. A secret is drawn for every hand (for a match where the deck's keys last that long). DECK-1, DECK-10.
    """

    __slots__ = ("public", "scalar")

    public: bytes
    """The 32-byte key of this secret."""
    scalar: int
    """The secret itself, in [1, L); for the proofs beside this module."""

    def __init__(self, random: Callable[[int], bytes], *purpose: Value) -> None:
        self.scalar = Drawing(random, "secret", *purpose).scalar()
        self.public = multiply_base(self.scalar)

    def __repr__(self) -> str:
        return f"DeckSecret(public={self.public.hex()})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a deck secret is neither pickled nor copied")


def prove_key(secret: DeckSecret, context: Context, random: Callable[[int], bytes]) -> bytes:
    """Return the 64-byte proof that the author of `secret.public` knows its secret, for this context only.

    Statement: X.
    Witness: x with X = x G.
    Shape: c, s (two scalars, 64 bytes); c = H("key", ctx, X, t), t = k G, s = k + c x.
    Source: Schnorr 1991, with the whole statement hashed (Bernhard, Pereira, Warinschi 2012); DECK-1.
    """
    nonce = Drawing(random, "key", context.fields(), secret.public, encode_scalar(secret.scalar)).scalar()
    answered = challenge("key", context.fields(), secret.public, multiply_base(nonce))
    return encode_scalar(answered) + encode_scalar(nonce + answered * secret.scalar)


def verify_key(context: Context, key: bytes, proof: bytes) -> None:
    """Return if `proof` shows that the author of `key` (32 bytes) knows its secret, for this context.

    Raises InvalidProof: `group.not-a-point`, `group.identity`, `group.bad-scalar`, `proof.wrong-length`,
    `proof.key`. DECK-1.
    """
    answered, response = read_scalars(proof)
    commitment = subtract(multiply_base(response), multiply(answered, key))
    if challenge("key", context.fields(), key, commitment) != answered:
        raise InvalidProof("proof.key")


def read_scalars(proof: bytes) -> tuple[int, int]:
    """Return challenge and response of a proof of two scalars.

    Raises InvalidProof `proof.wrong-length`, `group.bad-scalar`.
    """
    if len(proof) != PROOF_BYTES:
        raise InvalidProof("proof.wrong-length", expected=PROOF_BYTES, actual=len(proof))
    return decode_scalar(proof[:SCALAR_BYTES]), decode_scalar(proof[SCALAR_BYTES:])


def joint(keys: Iterable[bytes]) -> bytes:
    """Return the key that only all secrets together open: the sum of the seats' keys, each proven.

    Raises InvalidProof `group.not-a-point` or `group.identity` for a key that is none, and `group.identity` for a
    sum that would hide nothing; UsageError for no keys. DECK-1.
    """
    every = tuple(keys)
    if not every:
        raise UsageError("usage.bad-value", expected="keys", actual=())
    for key in every:
        check_point(key)
    key = total(every)
    if key == IDENTITY:
        raise InvalidProof("group.identity")
    return key
