"""ristretto255 once more, slowly: ints and divisions, no library and nothing from the package.

Written from RFC 9496, section 4. Points are extended coordinates (X, Y, Z, T) of edwards25519; of the four of a
coset any one may stand for it, so points are compared with `same` or by their encodings.
"""

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_MINUS_ONE = 19681161376707505956807079304988542015446066515923890162744021073123829784752
INVSQRT_A_MINUS_D = 54469307008909316920995813868745141605393597292927456921205312896311721017578
SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235

Point = tuple[int, int, int, int]
IDENTITY: Point = (0, 1, 1, 0)


def magnitude(x: int) -> int:
    """The even one of x and -x."""
    x %= P
    return P - x if x & 1 else x


def sqrt_ratio(u: int, v: int) -> tuple[bool, int]:
    """Whether u/v is a square, and the even root of it, or of i u/v if not. RFC 9496, 4.2."""
    root = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check = v * root * root % P
    flipped = check in (-u % P, -u * SQRT_MINUS_ONE % P)
    return check in (u % P, -u % P), magnitude(root * SQRT_MINUS_ONE if flipped else root)


def decode(data: bytes) -> Point | None:
    """The point that `data` is the canonical encoding of, or None. RFC 9496, 4.3.1."""
    s = int.from_bytes(data, "little")
    if len(data) != 32 or s >= P or s & 1:
        return None
    u1, u2 = 1 - s * s, 1 + s * s
    v = -D * u1 * u1 - u2 * u2
    square, invsqrt = sqrt_ratio(1, v * u2 * u2 % P)
    x = magnitude(2 * s * invsqrt * u2)
    y = u1 * invsqrt * invsqrt * u2 * v % P
    if not square or x * y % P & 1 or y == 0:
        return None
    return x, y, 1, x * y % P


def encode(point: Point) -> bytes:
    """The 32 bytes of a point. RFC 9496, 4.3.2."""
    x, y, z, t = point
    u1, u2 = (z + y) * (z - y) % P, x * y % P
    _, invsqrt = sqrt_ratio(1, u1 * u2 * u2 % P)
    den1, den2 = invsqrt * u1 % P, invsqrt * u2 % P
    z_inv = den1 * den2 * t % P
    if t * z_inv % P & 1:
        x, y = y * SQRT_MINUS_ONE % P, x * SQRT_MINUS_ONE % P
        den2 = den1 * INVSQRT_A_MINUS_D % P
    if x * z_inv % P & 1:
        y = -y
    return magnitude(den2 * (z - y)).to_bytes(32, "little")


def add(first: Point, second: Point) -> Point:
    (x1, y1, z1, t1), (x2, y2, z2, t2) = first, second
    a, b = (y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2)
    c, d = 2 * D * t1 * t2, 2 * z1 * z2
    e, f, g, h = (b - a) % P, (d - c) % P, (d + c) % P, (b + a) % P
    return e * f % P, g * h % P, f * g % P, e * h % P


def negative(point: Point) -> Point:
    x, y, z, t = point
    return -x % P, y, z, -t % P


def times(scalar: int, point: Point) -> Point:
    result = IDENTITY
    for bit in bin(scalar % L)[2:]:
        result = add(result, result)
        if bit == "1":
            result = add(result, point)
    return result


def combine(*terms: tuple[int, Point]) -> Point:
    """The sum of scalar * point."""
    result = IDENTITY
    for scalar, point in terms:
        result = add(result, times(scalar, point))
    return result


def same(first: Point, second: Point) -> bool:
    """Whether two points lie in one coset. RFC 9496, 4.3.3."""
    (x1, y1, _, _), (x2, y2, _, _) = first, second
    return (x1 * y2 - y1 * x2) % P == 0 or (y1 * y2 - x1 * x2) % P == 0


def from_uniform(data: bytes) -> Point:
    """The point that 64 uniform bytes stand for. RFC 9496, 4.3.4."""
    return add(*(_map(int.from_bytes(half, "little") % 2**255) for half in (data[:32], data[32:])))


def _map(t: int) -> Point:
    r = SQRT_MINUS_ONE * t * t % P
    u, v = (r + 1) * (1 - D * D) % P, (-1 - r * D) * (r + D) % P
    square, s = sqrt_ratio(u, v)
    if not square:
        s = -magnitude(s * t) % P
    n = (-1 if square else r) * (r - 1) * (D - 1) ** 2 - v
    w0, w1, w2, w3 = 2 * s * v % P, n * SQRT_AD_MINUS_ONE % P, (1 - s * s) % P, (1 + s * s) % P
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P


_Y = 4 * pow(5, -1, P) % P
_X = magnitude(sqrt_ratio(_Y * _Y - 1, D * _Y * _Y + 1)[1])
BASE: Point = (_X, _Y, 1, _X * _Y % P)
