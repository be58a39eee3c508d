"""The lay of One Poker: one of two cards is put down and the other kept, and nobody can tell which is which.

The owner covers both anew under his own key and publishes the one he lays first. The proof has a branch for either
order, of which one is true: that each new ciphertext is one of the old ones and a multiple of (G, X). Both the old
and the new ciphertexts are under X alone, so the owner opens the laid card by himself, with the proof of `equality`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Final, NoReturn

from ..encoding import Value
from ..errors import InvalidProof, UsageError
from .challenge import Context, challenge
from .drawing import Drawing
from .elgamal import Ciphertext, Deck, joined
from .group import (
    IDENTITY,
    SCALAR_BYTES,
    L,
    base_multiples,
    decode_scalar,
    encode_scalar,
    multiples,
    multiply,
    subtract,
    sums,
)
from .schnorr import DeckSecret

PROOF_BYTES: Final = 6 * SCALAR_BYTES
# Of every list below that counts branches and cards: branch 0 first, in each the laid card before the kept one.
_PLACES: Final = ((0, 0), (0, 1), (1, 0), (1, 1))


class LayWitness:
    """What a player must never tell: which card he lays, and r; it prints nothing and is never copied.

    `choice` is the place, 0 or 1, of the laid card among the two; `scalars` cover the laid and the kept card. DECK-8,
    DECK-10.
    """

    __slots__ = ("choice", "scalars")

    choice: int
    scalars: Sequence[int]

    def __init__(self, choice: int, scalars: Sequence[int]) -> None:
        self.choice = choice
        self.scalars = scalars

    def __repr__(self) -> str:
        return "LayWitness()"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a lay's witness is neither pickled nor copied")


def lay(
    secret: DeckSecret,
    context: Context,
    round_number: int,
    key: bytes,
    cards: Deck,
    choice: int,
    random: Callable[[int], bytes],
) -> tuple[Deck, bytes]:
    """Return the laid and the kept card, both covered anew, and the 192-byte proof that they are those of `cards`.

    `cards` are the kept card of the round before and the new one (in the first round the lower slot first), under
    `key` alone, and `choice` the place of the one to lay, 0 or 1. `random(n)` returns n bytes of the operating
    system's. Raises as `prove_lay` does. DECK-8.
    """
    hidden = encode_scalar(secret.scalar), choice
    drawing = Drawing(random, "lay", context.fields(), round_number, key, joined(cards), *hidden)
    witness = LayWitness(choice, drawing.scalars(2))
    laid = apply_lay(secret, cards, witness)
    return laid, prove_lay(secret, context, round_number, key, cards, laid, witness, random)


def apply_lay(secret: DeckSecret, cards: Deck, witness: LayWitness) -> Deck:
    """Return C' that `witness` makes of C = `cards`: C'_j = C_(b xor j) + r_j (G, X), X the secret's key. DECK-8.

    Raises UsageError for other than two cards, a choice that is neither 0 nor 1, and other than two scalars.
    """
    b, r = witness.choice, witness.scalars
    if len(cards) != 2 or b not in (0, 1) or len(r) != 2:
        raise UsageError("usage.bad-value", expected=2, actual=(len(cards), len(r)))
    halves = chain(cards[b], cards[b ^ 1])
    covered = sums(halves, base_multiples([r[0], secret.scalar * r[0], r[1], secret.scalar * r[1]]))
    return (covered[0], covered[1]), (covered[2], covered[3])


def prove_lay(
    secret: DeckSecret,
    context: Context,
    round_number: int,
    key: bytes,
    cards: Deck,
    laid: Deck,
    witness: LayWitness,
    random: Callable[[int], bytes],
) -> bytes:
    """Return the 192-byte proof that `laid` are `cards` in one of both orders, covered anew.

    Statement: X, round, C_0, C_1, C'_0, C'_1, each C a pair (a, Z).
    Witness: b, r_0, r_1 with C'_j = C_(b xor j) + r_j (G, X) for both j.
    Shape: c_0, c_1, s_00, s_01, s_10, s_11 (192 bytes); t_ej = (s_ej G - c_e (a'_j - a_(e xor j)), s_ej X - c_e (Z'_j
    - Z_(e xor j))) for the branches e; c_0 + c_1 = H("lay", ctx, round, X, C_0, C_1, C'_0, C'_1, t_00, t_01, t_10,
    t_11). Of the branch b, t_bj = k_bj (G, X) and s_bj = k_bj + c_b r_j; of the other one c and s are drawn first.
    Source: Cramer, Damgard, Schoenmakers 1994; DECK-8.

    Raises UsageError for a key that is not the secret's and for lists that are not of two.
    """
    b, r, x = witness.choice, witness.scalars, secret.scalar
    if key != secret.public or not len(cards) == len(laid) == len(r) == 2 or b not in (0, 1):
        raise UsageError("usage.bad-value", expected=secret.public, actual=key)
    statement = _statement(context, round_number, key, cards, laid)
    hidden = [encode_scalar(scalar) for scalar in (x, b, *r)]
    drawing = Drawing(random, "lay-proof", *statement, *hidden)
    k, c = drawing.scalars(4), drawing.scalars(2)
    # Both branches take the same work in the same order, whichever is true: with s = k + c r the true one is k (G, X)
    # for any c. It gets its own challenge when the sum is known.
    s = [k[2 * e + j] + c[e] * r[j] for e, j in _PLACES]
    # In either branch the two t add up to (k_e0 + k_e1) (G, X), for the cards as they were and as they are have one
    # sum but for (r_0 + r_1) (G, X). So one of them is a subtraction; and the owner multiplies G instead of X.
    both = [k[0] + k[1], k[2] + k[3]]
    given = base_multiples([s[0], x * s[0], s[2], x * s[2]])
    whole = base_multiples([both[0], x * both[0], both[1], x * both[1]])
    laid_t = sums(given, chain(*(_scaled(-c[e], _moved(cards[e], laid[0])) for e in (0, 1))))
    kept_t = [subtract(one, other) for one, other in zip(whole, laid_t, strict=True)]
    t = [half[2 * e] + half[2 * e + 1] for e in (0, 1) for half in (laid_t, kept_t)]
    c[b] = (challenge("lay", *statement, *t) - c[b ^ 1]) % L
    for j in (0, 1):
        s[2 * b + j] = k[2 * b + j] + c[b] * r[j]
    return b"".join(map(encode_scalar, [*c, *s]))


def verify_lay(context: Context, round_number: int, key: bytes, cards: Deck, laid: Deck, proof: bytes) -> None:
    """Return if `proof` shows that `laid`, the laid and the kept card, are `cards` covered anew under `key`.

    `key` and `cards` come from the verifier's own state, `laid` and `proof` from the author. A card that is still
    covered as it was is refused, for it shows which one was laid. Raises InvalidProof: `deck.wrong-size`,
    `proof.wrong-length`, `group.bad-scalar`, `group.identity`, `group.not-a-point`, `proof.lay-without-remask`,
    `proof.lay`; UsageError for other than two cards of ours. DECK-8.
    """
    if len(cards) != 2:
        raise UsageError("usage.bad-value", expected=2, actual=len(cards))
    if len(laid) != 2:
        raise InvalidProof("deck.wrong-size", clause="DECK-8", expected=2, actual=len(laid))
    if len(proof) != PROOF_BYTES:
        raise InvalidProof("proof.wrong-length", expected=PROOF_BYTES, actual=len(proof))
    scalars = [decode_scalar(proof[at : at + SCALAR_BYTES]) for at in range(0, PROOF_BYTES, SCALAR_BYTES)]
    c, s = scalars[:2], scalars[2:]
    if IDENTITY in chain(*cards, *laid):
        raise InvalidProof("group.identity")
    # Every half is subtracted here, and the key multiplied below: neither survives bytes that are no point.
    moved = [_moved(cards[e ^ j], laid[j]) for e, j in _PLACES]
    if (IDENTITY, IDENTITY) in moved:
        raise InvalidProof("proof.lay-without-remask")
    given = zip(base_multiples(s), multiples(s, [key] * len(s)), strict=True)
    taken = chain(*(_scaled(-c[e], move) for (e, _), move in zip(_PLACES, moved, strict=True)))
    t = sums(chain(*given), taken)
    pairs = [t[at] + t[at + 1] for at in range(0, len(t), 2)]
    if challenge("lay", *_statement(context, round_number, key, cards, laid), *pairs) != sum(c) % L:
        raise InvalidProof("proof.lay")


def _statement(context: Context, round_number: int, key: bytes, cards: Deck, laid: Deck) -> tuple[Value, ...]:
    return (context.fields(), round_number, key, *(a + z for a, z in (*cards, *laid)))


def _moved(before: Ciphertext, after: Ciphertext) -> Ciphertext:
    """Return after - before."""
    return subtract(after[0], before[0]), subtract(after[1], before[1])


def _scaled(scalar: int, pair: Ciphertext) -> Ciphertext:
    """Return scalar * pair, of points of our own making, each possibly the identity."""
    a, z = [IDENTITY if point == IDENTITY else multiply(scalar, point) for point in pair]
    return a, z
