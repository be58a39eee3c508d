"""Ed25519 with one written acceptance rule: what is a key (SIG-1) and what is a valid signature (SIG-2).

Libraries disagree about weak keys, small-order R and the cofactor, and a referee whose verdict followed the
library would be no referee. So the key is checked here, in own arithmetic, and so is everything about the
signature that libraries treat differently; only the cofactorless equation itself is left to `cryptography`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NoReturn

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from ..errors import BadSignature, UsageError

KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64
SEED_BYTES: Final = 32

# edwards25519: -x^2 + y^2 = 1 + d x^2 y^2 over GF(p); subgroup of prime order L, cofactor 8. RFC 8032, 5.1.
P: Final = 2**255 - 19
L: Final = 2**252 + 27742317777372353535851937790883648493
_D: Final = -121665 * pow(121666, -1, P) % P
_SQRT_MINUS_ONE: Final = pow(2, (P - 1) // 4, P)

# Extended coordinates (X, Y, Z, T): x = X/Z, y = Y/Z, xy = T/Z.
_Point = tuple[int, int, int, int]
_IDENTITY: Final[_Point] = (0, 1, 1, 0)

# Every 32-byte string that some decoder reads as one of the eight points of small order: y = 1 and y = 0 have
# a second spelling y + p below 2^255, and x = 0 has a second sign. Canonical spellings of other points are
# not among them.
SMALL_ORDER: Final = frozenset(
    bytes.fromhex(text)
    for text in (
        "0100000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    )
)


def check_key(key: bytes) -> None:
    """Return if `key` is a public key that may sit at a table; the answer depends on no library.

    It must be 32 bytes, the canonical encoding of a point of the curve, in the subgroup of prime order, and
    not the identity. Raises BadSignature: `signature.non-canonical-key` for bytes no encoder would write,
    `signature.weak-key` for the rest. SIG-1.
    """
    if len(key) != KEY_BYTES:
        raise BadSignature("signature.non-canonical-key", expected=KEY_BYTES, actual=len(key))
    number = int.from_bytes(key, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= P:
        raise BadSignature("signature.non-canonical-key", actual=key)
    x = _root_for(y)
    if x is None:
        raise BadSignature("signature.weak-key", actual=key)
    if x == 0 and sign:
        raise BadSignature("signature.non-canonical-key", actual=key)
    if x & 1 != sign:
        x = P - x
    if (x, y) == (0, 1) or not _is_identity(_multiply(L, (x, y, 1, x * y % P))):
        raise BadSignature("signature.weak-key", actual=key)


@dataclass(frozen=True, slots=True, order=False)
class VerifyKey:
    """A public key that passed `check_key`: none can be made of bytes that SIG-1 refuses.

    Two keys are equal when their 32 bytes are. Raises BadSignature as `check_key` does.
    """

    key: bytes
    _loaded: Ed25519PublicKey = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_key(self.key)
        object.__setattr__(self, "_loaded", Ed25519PublicKey.from_public_bytes(self.key))

    @classmethod
    def load(cls, key: bytes) -> VerifyKey:
        """Return the checked key of these 32 bytes; raises BadSignature as `check_key` does. SIG-1."""
        return _load(key)

    def __bytes__(self) -> bytes:
        return self.key

    def __repr__(self) -> str:
        return f"VerifyKey({self.key.hex()})"

    def verify(self, message: bytes, signature: bytes) -> None:
        """Return if `signature` (64 bytes, R then S) is this key's on `message`.

        S must be below L, R must not be of small order, and the cofactorless equation S*B = R + h*A must hold
        for R's bytes as they stand. Raises BadSignature `signature.invalid`. SIG-2.
        """
        if (
            len(signature) != SIGNATURE_BYTES
            or signature[:32] in SMALL_ORDER
            or int.from_bytes(signature[32:], "little") >= L
        ):
            raise BadSignature("signature.invalid")
        try:
            self._loaded.verify(signature, message)
        except InvalidSignature:
            raise BadSignature("signature.invalid") from None


# Checking a key takes as long as 30 signatures, and an offer is looked at more than once. The bound is a few tables.
@lru_cache(maxsize=64)
def _load(key: bytes) -> VerifyKey:
    return VerifyKey(key)


class SigningKey:
    """A private key: it signs, shows its public half, and never prints, copies or serialises the rest.

    `seed` is the 32 bytes of RFC 8032, 5.1.5; they come from the caller, since nothing here draws randomness.
    Raises UsageError for another length.
    """

    __slots__ = ("_private", "public")

    public: VerifyKey
    """The checked public key of this private one."""

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise UsageError("usage.bad-value", expected=SEED_BYTES, actual=len(seed))
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = VerifyKey(self._private.public_key().public_bytes_raw())

    def sign(self, message: bytes) -> bytes:
        """Return the one 64-byte signature this key makes on `message`. RFC 8032, 5.1.6."""
        return self._private.sign(message)

    def __repr__(self) -> str:
        return f"SigningKey(public={self.public.key.hex()})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a signing key is neither pickled nor copied")


def _root_for(y: int) -> int | None:
    """Return an x with (x, y) on the curve, or None if there is none. RFC 8032, 5.1.3."""
    u = (y * y - 1) % P
    v = (_D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    square = v * x * x % P
    if square == u:
        return x
    if square == P - u:
        return x * _SQRT_MINUS_ONE % P
    return None


def _is_identity(point: _Point) -> bool:
    x, y, z, _ = point
    return x == 0 and y == z


def _multiply(scalar: int, point: _Point) -> _Point:
    """Return scalar * point by doubling and adding; for public values only, its time tells the scalar."""
    result = _IDENTITY
    for bit in bin(scalar)[2:]:
        result = _add(result, result)
        if bit == "1":
            result = _add(result, point)
    return result


def _add(first: _Point, second: _Point) -> _Point:
    """Return the sum; the formula is complete on this curve, so it also doubles. RFC 8032, 5.1.4."""
    x1, y1, z1, t1 = first
    x2, y2, z2, t2 = second
    a = (y1 - x1) * (y2 - x2) % P
    b = (y1 + x1) * (y2 + x2) % P
    c = 2 * t1 * t2 * _D % P
    d = 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)
