"""Ed25519 once more, slowly: affine points, divisions everywhere, no library and nothing from the package.

Written from RFC 8032, section 5.1, and from the two clauses: what is a key (SIG-1), what is a signature
(SIG-2).
"""

import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
Point = tuple[int, int]
IDENTITY: Point = (0, 1)


def on_curve(point: Point) -> bool:
    x, y = point
    return (-x * x + y * y - 1 - D * x * x * y * y) % P == 0


def add(first: Point, second: Point) -> Point:
    (x1, y1), (x2, y2) = first, second
    t = D * x1 * x2 * y1 * y2
    return (x1 * y2 + x2 * y1) * pow(1 + t, -1, P) % P, (y1 * y2 + x1 * x2) * pow(1 - t, -1, P) % P


def times(scalar: int, point: Point) -> Point:
    result = IDENTITY
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def encode(point: Point) -> bytes:
    x, y = point
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode(data: bytes) -> Point | None:
    """The point that `data` is the canonical encoding of, or None."""
    if len(data) != 32:
        return None
    number = int.from_bytes(data, "little")
    y = number % 2**255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    root = pow(square, (P + 3) // 8, P)
    for x in (root, root * pow(2, (P - 1) // 4, P) % P):
        for signed in (x, -x % P):
            if on_curve((signed, y)) and encode((signed, y)) == data and y < P:
                return signed, y
    return None


BASE = decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
# A point of order 8: a multiple by L of a point outside the prime-order subgroup.
TORSION = decode(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"))


def scalar_of(seed: bytes) -> int:
    half = int.from_bytes(hashlib.sha512(seed).digest()[:32], "little")
    return half & (2**254 - 8) | 2**254


def challenge(commitment: bytes, key: bytes, message: bytes) -> int:
    return int.from_bytes(hashlib.sha512(commitment + key + message).digest(), "little") % L


def is_key(key: bytes) -> bool:
    point = decode(key)
    return point is not None and point != IDENTITY and times(L, point) == IDENTITY


def is_signature(key: bytes, message: bytes, signature: bytes) -> bool:
    if len(signature) != 64 or not is_key(key):
        return False
    commitment, answer = signature[:32], int.from_bytes(signature[32:], "little")
    public, point = decode(key), decode(commitment)
    if public is None or point is None or BASE is None or times(8, point) == IDENTITY or answer >= L:
        return False
    return times(answer, BASE) == add(point, times(challenge(commitment, key, message), public))
