"""ristretto255: a group of prime order L whose elements have exactly one spelling of 32 bytes. RFC 9496.

Points are `bytes` as they travel, scalars are ints modulo L. Whatever is computed from bytes of others raises unless
they are the canonical encoding of a point, so nothing that is computed without an error rests on anything else.
The multiplications of points are libsodium's and take the same time for every scalar; the arithmetic on scalars
is Python's and does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from ctypes import byref, c_char
from typing import Final

from ..errors import InvalidProof, UsageError
from .sodium import sodium

POINT_BYTES: Final = 32
SCALAR_BYTES: Final = 32
UNIFORM_BYTES: Final = 64

# The order of the group. RFC 9496, 4.
L: Final = 2**252 + 27742317777372353535851937790883648493
IDENTITY: Final = bytes(POINT_BYTES)
# Of the last byte of a point: libsodium 1.0.18 leaves the bit above unread, and a point would have two spellings.
TOP: Final = 127
BASE: Final = bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")

# A new one for every call from outside: a shared one would be another thread's while the interpreter lock is free.
_Buffer = c_char * POINT_BYTES


def check_point(point: bytes) -> None:
    """Return if `point` is the canonical encoding of a point that is not the identity.

    Raises InvalidProof: `group.not-a-point` for bytes no encoder would write, `group.identity`. DECK-1.
    """
    if _misspelt(point) or sodium().is_point(point) != 1:
        raise InvalidProof("group.not-a-point", expected=POINT_BYTES, actual=point)
    if point == IDENTITY:
        raise InvalidProof("group.identity")


def multiply(scalar: int, point: bytes) -> bytes:
    """Return scalar * point for any int and a received point.

    Raises InvalidProof as `check_point` does, for every scalar: 0 times junk is refused too.
    """
    scalar %= L
    if scalar == 0:
        check_point(point)
        return IDENTITY
    if _misspelt(point):
        raise InvalidProof("group.not-a-point", expected=POINT_BYTES, actual=point)
    out = _Buffer()
    if sodium().multiply(out, scalar.to_bytes(SCALAR_BYTES, "little"), point) != 0:
        # The order is prime and the scalar not 0: only the point can be at fault.
        check_point(point)
        raise RuntimeError("libsodium refused to multiply a valid point")
    return out.raw


def multiply_base(scalar: int) -> bytes:
    """Return scalar * G for any int; a third of the time of `multiply`."""
    scalar %= L
    if scalar == 0:
        return IDENTITY
    out = _Buffer()
    if sodium().multiply_base(out, scalar.to_bytes(SCALAR_BYTES, "little")) != 0:
        raise RuntimeError("libsodium refused to multiply the base point")
    return out.raw


def add(first: bytes, second: bytes) -> bytes:
    """Return the sum of two points, each possibly the identity; raises InvalidProof `group.not-a-point`."""
    out = _Buffer()
    if _misspelt(first) or _misspelt(second) or sodium().add(out, first, second) != 0:
        raise InvalidProof("group.not-a-point", expected=POINT_BYTES, actual=(first, second))
    return out.raw


def subtract(first: bytes, second: bytes) -> bytes:
    """Return first - second, each possibly the identity; raises InvalidProof `group.not-a-point`."""
    out = _Buffer()
    if _misspelt(first) or _misspelt(second) or sodium().subtract(out, first, second) != 0:
        raise InvalidProof("group.not-a-point", expected=POINT_BYTES, actual=(first, second))
    return out.raw


def multiples(scalars: Iterable[int], points: Iterable[bytes]) -> list[bytes]:
    """Return scalar * point for both as long as each other; raises InvalidProof as `multiply` does, for any of them."""
    call, out, found = sodium().multiply, _Buffer(), []
    where = byref(out)
    for scalar, point in zip(scalars, points, strict=True):
        scalar_bytes = (scalar % L).to_bytes(SCALAR_BYTES, "little")
        if not _misspelt(point) and call(where, scalar_bytes, point) == 0:
            found.append(out.raw)
        else:
            # 0 times a point, which is no fault, or an error to be told apart.
            found.append(multiply(scalar, point))
    return found


def base_multiples(scalars: Iterable[int]) -> list[bytes]:
    """Return scalar * G for every scalar."""
    call, out, found = sodium().multiply_base, _Buffer(), []
    where = byref(out)
    for scalar in scalars:
        if call(where, (scalar % L).to_bytes(SCALAR_BYTES, "little")) == 0:
            found.append(out.raw)
        else:
            found.append(multiply_base(scalar))
    return found


def sums(first: Iterable[bytes], second: Iterable[bytes]) -> list[bytes]:
    """Return the sums of the points at the same places of two lists; raises InvalidProof as `add` does."""
    call, out, found = sodium().add, _Buffer(), []
    where = byref(out)
    for one, other in zip(first, second, strict=True):
        if _misspelt(one) or _misspelt(other) or call(where, one, other) != 0:
            raise InvalidProof("group.not-a-point", expected=POINT_BYTES, actual=(one, other))
        found.append(out.raw)
    return found


def total(points: Iterable[bytes]) -> bytes:
    """Return the sum of the points, the identity for none; raises InvalidProof `group.not-a-point`."""
    call, out = sodium().add, _Buffer()
    where = byref(out)
    rest = iter(points)
    result = next(rest, IDENTITY)
    alone = True
    for point in rest:
        if _misspelt(result) or _misspelt(point) or call(where, result, point) != 0:
            raise InvalidProof("group.not-a-point", expected=POINT_BYTES, actual=(result, point))
        result = out.raw
        alone = False
    if alone and result != IDENTITY:
        check_point(result)
    return result


def combine(scalars: Iterable[int], points: Iterable[bytes]) -> bytes:
    """Return the sum of scalar * point over both, as long as each other.

    Equal points are multiplied once, by the sum of their scalars, and the base point from its tables: a deck that
    nobody has shuffled yet has one first half for all its cards. Raises InvalidProof as `check_point` does for
    every point, whatever its scalar.
    """
    merged: dict[bytes, int] = {}
    for scalar, point in zip(scalars, points, strict=True):
        merged[point] = merged.get(point, 0) + scalar
    base = merged.pop(BASE, 0)
    return total([multiply_base(base), *multiples(merged.values(), merged)])


def hash_to_group(uniform: bytes) -> bytes:
    """Return the point that 64 uniform bytes, a SHA-512 digest, stand for; nobody knows its logarithm.

    Raises UsageError for another length. RFC 9496, 4.3.4.
    """
    if len(uniform) != UNIFORM_BYTES:
        raise UsageError("usage.bad-value", expected=UNIFORM_BYTES, actual=len(uniform))
    out = _Buffer()
    if sodium().from_hash(out, uniform) != 0:
        raise RuntimeError("libsodium refused to map a digest to a point")
    return out.raw


def encode_scalar(scalar: int) -> bytes:
    """Return the 32 bytes, little-endian, of an int modulo L."""
    return (scalar % L).to_bytes(SCALAR_BYTES, "little")


def decode_scalar(data: bytes) -> int:
    """Return the int below L that these 32 bytes spell.

    Raises InvalidProof `group.bad-scalar` for another length and for L and above: s and s + L act alike, and a
    proof has one spelling.
    """
    scalar = int.from_bytes(data, "little")
    if len(data) != SCALAR_BYTES or scalar >= L:
        raise InvalidProof("group.bad-scalar", actual=data)
    return scalar


def _misspelt(point: bytes) -> bool:
    """Return whether libsodium must not be asked: about too few or too many bytes, or a bit it does not look at."""
    return len(point) != POINT_BYTES or point[31] > TOP
