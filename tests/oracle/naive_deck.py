"""A second verifier of every proof of the deck: slow, in ints, and with nothing from the package.

Written from the clauses DECK-1, DECK-3, DECK-4 and DECK-6. A context is the list [protocol tag, suite, session, hand,
deck, seat, purpose, prev]; a list of points is hashed as one field. A function returns whether the proof holds.
"""

import hashlib
from collections.abc import Sequence
from math import prod

import msgpack

from tests.oracle import ristretto as group
from tests.oracle.ristretto import BASE, L, Point, combine, decode, encode, negative

PACK = msgpack.Packer(use_bin_type=True).pack
Context = Sequence[object]
Pair = tuple[bytes, bytes]


def digest(*fields: object) -> bytes:
    return hashlib.sha512(PACK(list(fields))).digest()


def number(*fields: object) -> int:
    return int.from_bytes(digest(*fields), "little") % L


def point(data: bytes) -> Point | None:
    """A received point: canonical and not the identity."""
    found = decode(data)
    return None if data == bytes(32) else found


def points(data: Sequence[bytes]) -> list[Point]:
    """All of them, or none at all if one is bad."""
    found = [p for p in map(point, data) if p is not None]
    return found if len(found) == len(data) else []


def scalars(data: bytes) -> list[int]:
    """All of them, or none at all if one is L or more or the length does not fit."""
    found = [int.from_bytes(data[i : i + 32], "little") for i in range(0, len(data), 32)]
    return found if len(data) % 32 == 0 and all(s < L for s in found) else []


def generator(index: int) -> Point:
    return group.from_uniform(digest("dealerless/1 generator", index))


def card(game: str, name: str) -> bytes:
    return encode(group.from_uniform(digest("dealerless/1 card", game, name)))


def is_key_proof(context: Context, key: bytes, proof: bytes) -> bool:
    x, parts = point(key), scalars(proof)
    if x is None or len(parts) != 2:
        return False
    c, s = parts
    return number("key", context, key, encode(combine((s, BASE), (-c, x)))) == c


def is_shares_proof(
    context: Context, key: bytes, slots: Sequence[int], a: Sequence[bytes], d: Sequence[bytes], proof: bytes
) -> bool:
    x, parts, firsts, shares = point(key), scalars(proof), points(a), points(d)
    if x is None or len(parts) != 2 or not firsts or len(firsts) != len(slots) or len(shares) != len(slots):
        return False
    c, s = parts
    seed = digest("shares", context, key, list(slots), b"".join(a), b"".join(d))
    weights = [number("w", seed, j) for j in range(1, len(slots) + 1)] if len(slots) > 1 else [1]
    first, share = combine(*zip(weights, firsts, strict=True)), combine(*zip(weights, shares, strict=True))
    if encode(first) == bytes(32) or encode(share) == bytes(32):
        return False
    t = (encode(combine((s, BASE), (-c, x))), encode(combine((s, first), (-c, share))))
    return number("shares-c", seed, encode(first), encode(share), *t) == c


def is_opening(context: Context, slot: int | str, key: bytes, ciphertext: Pair, share: bytes, proof: bytes) -> bool:
    x, parts, a, d = point(key), scalars(proof), point(ciphertext[0]), point(share)
    if x is None or a is None or d is None or len(parts) != 2:
        return False
    c, s = parts
    t = (encode(combine((s, BASE), (-c, x))), encode(combine((s, a), (-c, d))))
    return number("open", context, slot, key, *ciphertext, share, *t) == c


def is_shuffle(context: Context, joint: bytes, deck: Sequence[Pair], new: Sequence[Pair], proof: bytes) -> bool:
    n = len(deck)
    x = point(joint)
    old = points([half for pair in deck for half in pair])
    moved = points([half for pair in new for half in pair])
    if x is None or len(new) != n or len(old) != 2 * n or len(moved) != 2 * n or len(proof) != 32 * (4 * n + 5):
        return False
    data = [proof[i : i + 32] for i in range(0, 64 * n, 32)]
    received, numbers = points(data), scalars(proof[64 * n :])
    if not received or not numbers:
        return False
    commitments, chain = received[:n], [generator(0), *received[n:]]
    c, s1, s2, s3, s4, *rest = numbers
    s_hat, s_prime = rest[:n], rest[n:]
    decks = [b"".join(a + b for a, b in pairs) for pairs in (deck, new)]
    seed = digest("u", context, n, joint, *decks, b"".join(data[:n]))
    u = [int.from_bytes(digest("ui", seed, i)[:16], "little") for i in range(1, n + 1)]
    h = [generator(i) for i in range(1, n + 1)]
    a, b, a_new, b_new = old[0::2], old[1::2], moved[0::2], moved[1::2]

    c_bar = combine(*((1, p) for p in commitments), *((-1, p) for p in h))
    c_hat = combine((1, chain[n]), (-prod(u), chain[0]))
    c_tilde = combine(*zip(u, commitments, strict=True))
    a_tilde, b_tilde = combine(*zip(u, a, strict=True)), combine(*zip(u, b, strict=True))
    t1 = combine((s1, BASE), (-c, c_bar))
    t2 = combine((s2, BASE), (-c, c_hat))
    t3 = combine((s3, BASE), (-c, c_tilde), *zip(s_prime, h, strict=True))
    t4 = [
        combine((-s4, x), (-c, b_tilde), *zip(s_prime, b_new, strict=True)),
        combine((-s4, BASE), (-c, a_tilde), *zip(s_prime, a_new, strict=True)),
    ]
    t_hat = [combine((s_hat[i], BASE), (s_prime[i], chain[i]), (c, negative(chain[i + 1]))) for i in range(n)]
    t = [encode(t1), encode(t2), encode(t3), b"".join(map(encode, t4)), b"".join(map(encode, t_hat))]
    return number("c", seed, b"".join(data[n:]), *t) == c
