"""Elements of proofs spoilt in one place: no point, a scalar in another spelling, a bit turned."""

from __future__ import annotations

from dealerless.crypto.group import L

# p + 1 where p is the field's prime: 1 in another spelling.
NO_POINT = (2**255 - 18).to_bytes(32, "little")


def raised(proof: bytes, at: int) -> bytes:
    """The proof with L added to its scalar at this place."""
    scalar = int.from_bytes(proof[32 * at : 32 * at + 32], "little") + L
    return proof[: 32 * at] + scalar.to_bytes(32, "little") + proof[32 * at + 32 :]


def put(data: bytes, at: int, element: bytes) -> bytes:
    """The bytes with another element of 32 bytes at this place."""
    return data[: 32 * at] + element + data[32 * at + 32 :]


def turned(proof: bytes, at: int) -> bytes:
    """The proof with the lowest bit of its element at this place turned."""
    return put(proof, at, bytes([proof[32 * at] ^ 1]) + proof[32 * at + 1 : 32 * at + 32])
