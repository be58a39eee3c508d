"""The shuffle of a deck, and the argument that it changed nothing but the order and the covering of the cards.

Names follow the paper: psi is the permutation, C commits to it, c^ ("chain") ties the commitments together so that
their sum and their product are right, u are the verifier's exponents, t the commitments of the argument, s its
responses. Lists count from 0 here and from 1 in every hash.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain as flat
from typing import Final, NamedTuple, NoReturn

from ..errors import InvalidProof, UsageError
from .challenge import Context, challenge, digest, digests, point_for
from .drawing import Drawing
from .elgamal import Deck, joined, re_encrypt
from .group import (
    BASE,
    IDENTITY,
    POINT_BYTES,
    L,
    base_multiples,
    combine,
    decode_scalar,
    encode_scalar,
    multiples,
    multiply,
    multiply_base,
    subtract,
    sums,
    total,
)

GENERATOR_TAG: Final = "dealerless/1 generator"
# Half the length of a challenge: u only has to be unpredictable, and the argument's soundness error is n / 2^128.
EXPONENT_BYTES: Final = 16


class ShuffleWitness:
    """What a shuffler must never tell: the order psi and the scalars r'; it prints nothing and is never copied.

    `order[i]` is the place in the old deck of the card at place i of the new one, and `scalars[j]` re-encrypts the
    old deck's card j. DECK-3, DECK-10.
    """

    __slots__ = ("order", "scalars")

    order: Sequence[int]
    scalars: Sequence[int]

    def __init__(self, order: Sequence[int], scalars: Sequence[int]) -> None:
        self.order = order
        self.scalars = scalars

    def __repr__(self) -> str:
        return "ShuffleWitness()"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a shuffle's witness is neither pickled nor copied")


class _Argument(NamedTuple):
    """The proof as read: points are still unchecked, scalars are below L."""

    commitments: Sequence[bytes]
    chain: Sequence[bytes]
    answered: int
    s: Sequence[int]
    s_hat: Sequence[int]
    s_prime: Sequence[int]


def proof_bytes(count: int) -> int:
    """Return the length of the proof of a shuffle of `count` cards: 6,816 bytes for 52."""
    return (4 * count + 5) * POINT_BYTES


def generators(count: int) -> tuple[bytes, tuple[bytes, ...]]:
    """Return h and h_1..h_count: computed from their numbers by everyone, so nobody knows a relation. DECK-3."""
    return _generator(0), _generators(count)[0]


@lru_cache(maxsize=1024)
def _generator(number: int) -> bytes:
    return point_for(GENERATOR_TAG, number)


@lru_cache(maxsize=16)
def _generators(count: int) -> tuple[tuple[bytes, ...], bytes]:
    """Return h_1..h_count and their sum."""
    points = tuple([_generator(number) for number in range(1, count + 1)])
    return points, total(points)


def shuffle(deck: Deck, joint: bytes, context: Context, random: Callable[[int], bytes]) -> tuple[Deck, bytes]:
    """Return the deck in a secret order, every card covered anew, and the proof of it.

    `deck` is two cards or more, `joint` the joint key, `random(n)` returns n bytes of the operating system's.
    Raises InvalidProof for a deck or key that is not of points. DECK-3.
    """
    drawing = Drawing(random, "shuffle", context.fields(), joint, joined(deck))
    witness = ShuffleWitness(drawing.permutation(len(deck)), drawing.scalars(len(deck)))
    shuffled = apply_shuffle(deck, joint, witness)
    return shuffled, prove_shuffle(deck, shuffled, joint, context, witness, random)


def apply_shuffle(deck: Deck, joint: bytes, witness: ShuffleWitness) -> Deck:
    """Return the deck that `witness` makes of `deck`: E'_i = E_psi(i) + r'_psi(i) (G, X). DECK-3."""
    order = witness.order
    return re_encrypt([deck[j] for j in order], [witness.scalars[j] for j in order], joint)


def prove_shuffle(
    deck: Deck,
    shuffled: Deck,
    joint: bytes,
    context: Context,
    witness: ShuffleWitness,
    random: Callable[[int], bytes],
) -> bytes:
    """Return the proof, (4n + 5) * 32 bytes, that `shuffled` has the n cards of `deck` and no others.

    Statement: E, E', X.
    Witness: psi, r' with E'_i = E_psi(i) + r'_psi(i) (G, X).
    Shape: C_1..C_n, c^_1..c^_n, c, s1..s4, s^_1..s^_n, s'_1..s'_n, 32 bytes each; with j_i = psi(i) and random r,
    r^, w, w^, w':
    C_{j_i} = r_{j_i} G + h_i; seed = H("u", ctx, n, X, E, E', C); u_i = first 16 bytes of H("ui", seed, i);
    u'_i = u_{j_i}; c^_0 = h, c^_i = r^_i G + u'_i c^_{i-1};
    rbar = sum r_i; v_n = 1, v_i = v_{i+1} u'_{i+1}; rhat = sum r^_i v_i; rtilde = sum r_i u_i;
    rstar = sum r'_i u_i;
    t1 = w1 G; t2 = w2 G; t3 = w3 G + sum w'_i h_i; t4 = (sum w'_i b'_i - w4 X, sum w'_i a'_i - w4 G);
    t^_i = w^_i G + w'_i c^_{i-1}; c = H("c", seed, c^, t1, t2, t3, t4, t^);
    s1 = w1 + c rbar, s2 = w2 + c rhat, s3 = w3 + c rtilde, s4 = w4 + c rstar, s^_i = w^_i + c r^_i,
    s'_i = w'_i + c u'_i.
    Source: Terelius, Wikstrom 2010, as written down by Haenni, Locher, Koenig, Dubuis 2017; machine-checked in
    eprint 2020/1114; DECK-3.

    Raises UsageError for fewer than two cards or a witness of another length.
    """
    count = len(deck)
    order = witness.order
    if count < 2 or sorted(order) != list(range(count)) or len(witness.scalars) != count:
        raise UsageError("usage.bad-value", expected=count, actual=len(order))
    h, (hs, _) = _generator(0), _generators(count)
    secret = b"".join(map(encode_scalar, witness.scalars))
    drawing = Drawing(random, "argument", context.fields(), joint, joined(deck), joined(shuffled), secret)
    r, r_hat = drawing.scalars(count), drawing.scalars(count)
    w, w_hat, w_prime = drawing.scalars(4), drawing.scalars(count), drawing.scalars(count)

    commitments = [b""] * count
    for j, commitment in zip(order, sums(base_multiples([r[j] for j in order]), hs), strict=True):
        commitments[j] = commitment
    seed, u = _exponents(context, joint, deck, shuffled, commitments)
    u_prime = [u[j] for j in order]
    # c^_i = x_i G + y_i h, which need not wait for c^_{i-1}: x_i = r^_i + u'_i x_{i-1}, y_i = u'_i y_{i-1}.
    x, y = [0], [1]
    for i in range(count):
        x.append((r_hat[i] + u_prime[i] * x[i]) % L)
        y.append(u_prime[i] * y[i] % L)
    links = [h, *sums(base_multiples(x[1:]), multiples(y[1:], [h] * count))]

    # t4 out of the old deck: b'_i = b_{j_i} + r'_{j_i} X and the same for a', and its points may be equal.
    moved = sum(w_prime[i] * witness.scalars[j] for i, j in enumerate(order)) - w[3]
    t3 = combine([w[2], *w_prime], [BASE, *hs])
    t4 = (
        combine([moved, *w_prime], [joint, *(deck[j][1] for j in order)]),
        combine([moved, *w_prime], [BASE, *(deck[j][0] for j in order)]),
    )
    t_hat = sums(base_multiples(w_hat), multiples(w_prime, links[:count]))
    c = _challenge(seed, links[1:], multiply_base(w[0]), multiply_base(w[1]), t3, t4, t_hat)

    # The sum of r^_i v_i is x_n: c^_n = x_n G + (prod u) h.
    opened = (sum(r), x[count], _dot(r, u), _dot(witness.scalars, u))
    responses = flat(
        (c,),
        (w[k] + c * opened[k] for k in range(4)),
        (w_hat[i] + c * r_hat[i] for i in range(count)),
        (w_prime[i] + c * u_prime[i] for i in range(count)),
    )
    return b"".join([*commitments, *links[1:], *map(encode_scalar, responses)])


def verify_shuffle(deck: Deck, shuffled: Deck, joint: bytes, context: Context, proof: bytes) -> None:
    """Return if `proof` shows that `shuffled` has the cards of `deck`, each once, under the joint key.

    `deck` and `joint` come from the verifier's own state, `shuffled` and `proof` from the author. Every generator
    and every commitment of the argument is computed here. Raises InvalidProof: `deck.wrong-size`,
    `proof.wrong-length`, `group.bad-scalar`, `group.not-a-point`, `group.identity`, `proof.shuffle`; UsageError for
    fewer than two cards. DECK-3.
    """
    count = len(deck)
    if count < 2:
        raise UsageError("usage.bad-value", expected=2, actual=count)
    if len(shuffled) != count:
        raise InvalidProof("deck.wrong-size", clause="DECK-3", expected=count, actual=len(shuffled))
    commitments, chain, c, s, s_hat, s_prime = _read(proof, count)
    h, (hs, hs_total) = _generator(0), _generators(count)
    seed, u = _exponents(context, joint, deck, shuffled, commitments)
    links = [h, *chain]

    product = 1
    for exponent in u:
        product = product * exponent % L
    minus_cu = [-c * exponent % L for exponent in u]
    # Every received point is multiplied below, which no bytes survive but those of points other than the identity.
    # t1 = s1 G - c (sum C - sum h), t2 = s2 G - c (c^_n - (prod u) h)
    t1 = subtract(multiply_base(s[0]), _times(c, subtract(total(commitments), hs_total)))
    t2 = combine([s[1], -c, c * product], [BASE, links[count], h])
    t3 = combine([s[2], *s_prime, *minus_cu], [BASE, *hs, *commitments])
    t4 = (
        combine([-s[3], *s_prime, *minus_cu], [joint, *(b for _, b in shuffled), *(b for _, b in deck)]),
        combine([-s[3], *s_prime, *minus_cu], [BASE, *(a for a, _ in shuffled), *(a for a, _ in deck)]),
    )
    t_hat = sums(sums(base_multiples(s_hat), multiples(s_prime, links[:count])), multiples([-c] * count, chain))
    if _challenge(seed, chain, t1, t2, t3, t4, t_hat) != c:
        raise InvalidProof("proof.shuffle")


def _read(proof: bytes, count: int) -> _Argument:
    """Return the parts of a proof; raises InvalidProof `proof.wrong-length`, `group.bad-scalar`."""
    if len(proof) != proof_bytes(count):
        raise InvalidProof("proof.wrong-length", expected=proof_bytes(count), actual=len(proof))
    parts = [proof[at : at + POINT_BYTES] for at in range(0, len(proof), POINT_BYTES)]
    c, *scalars = map(decode_scalar, parts[2 * count :])
    return _Argument(
        commitments=parts[:count],
        chain=parts[count : 2 * count],
        answered=c,
        s=scalars[:4],
        s_hat=scalars[4 : 4 + count],
        s_prime=scalars[4 + count :],
    )


def _exponents(
    context: Context, joint: bytes, deck: Deck, shuffled: Deck, commitments: Sequence[bytes]
) -> tuple[bytes, list[int]]:
    """Return seed and u_1..u_n: they depend on the statement, the context and the committed order."""
    seed = digest("u", context.fields(), len(deck), joint, joined(deck), joined(shuffled), b"".join(commitments))
    return seed, [int.from_bytes(data[:EXPONENT_BYTES], "little") for data in digests("ui", seed, len(deck))]


def _challenge(
    seed: bytes,
    chain: Sequence[bytes],
    t1: bytes,
    t2: bytes,
    t3: bytes,
    t4: tuple[bytes, bytes],
    t_hat: Sequence[bytes],
) -> int:
    return challenge("c", seed, b"".join(chain), t1, t2, t3, b"".join(t4), b"".join(t_hat))


def _dot(first: Sequence[int], second: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(first, second, strict=True))


def _times(scalar: int, point: bytes) -> bytes:
    """Return scalar * point for a point of our own making, which may be the identity."""
    return IDENTITY if point == IDENTITY else multiply(scalar, point)
