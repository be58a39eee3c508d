"""The proof that a covered card is one of a class, which says nothing about which one.

(a, Z) is a card under its owner's key X alone: X = x G and Z - M = x a for the card's point M. For every M of the class
there is one branch that claims just that for this M. The challenges of all branches must add up to a hash, so all but
one may have been made up: the one that is not is true, and looks like the others. A lamp of One Poker is this proof.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ..encoding import Value
from ..errors import InvalidProof, UsageError
from .challenge import Context, challenge
from .drawing import Drawing
from .elgamal import Ciphertext, joined
from .group import (
    BASE,
    IDENTITY,
    SCALAR_BYTES,
    L,
    base_multiples,
    check_point,
    decode_scalar,
    encode_scalar,
    multiples,
    multiply,
    subtract,
    sums,
)
from .schnorr import DeckSecret

BRANCH_BYTES: Final = 2 * SCALAR_BYTES


def proof_bytes(count: int) -> int:
    """Return the length of the proof for a class of `count` points: 1,536 bytes for 24, 1,792 for 28."""
    return count * BRANCH_BYTES


def prove_class(
    secret: DeckSecret,
    context: Context,
    slot: int,
    name: str,
    key: bytes,
    ciphertext: Ciphertext,
    members: Sequence[bytes],
    random: Callable[[int], bytes],
) -> bytes:
    """Return the proof, 64 bytes for each of `members`, that the card at `slot` is one of them.

    `ciphertext` is the card under `key` alone, `name` what the class is called, `members` its points, each once, in the
    order that everybody has them in.

    Statement: X, slot, name, a, Z, S = M_1..M_n.
    Witness: x and m with X = x G and Z - M_m = x a.
    Shape: c_1..c_n, s_1..s_n (64 n bytes); t_m = (s_m G - c_m X, s_m a - c_m (Z - M_m)); c_1 + .. + c_n = H("class",
    ctx, slot, name, X, a, Z, S, all t). Of the true branch t = (k G, k a) and s = k + c x; of the others c and s are
    drawn first.
    Source: Cramer, Damgard, Schoenmakers 1994, over the equality of Chaum, Pedersen 1992; DECK-8.

    Raises UsageError for a key that is not the secret's, for a card that is no member, and for a member that is there
    twice; InvalidProof for a ciphertext that is not of points.
    """
    a, z = ciphertext
    statement = _statement(context, slot, name, key, ciphertext, members)
    card = subtract(z, multiply(secret.scalar, a))
    if key != secret.public or card not in members:
        raise UsageError("usage.bad-value", expected=("a card of the class", secret.public), actual=(name, key))
    place, count = members.index(card), len(members)
    drawing = Drawing(random, "class", *statement, encode_scalar(secret.scalar))
    nonces, answered = drawing.scalars(count), drawing.scalars(count)
    # With s = k + c x the first half of any branch is k G. And whatever c is, the true branch is (k G, k a): it gets a
    # drawn challenge like the others, so that they all take the same work, and its own one when the sum is known.
    responses = [k + c * secret.scalar for k, c in zip(nonces, answered, strict=True)]
    t = zip(base_multiples(nonces), _second_halves(answered, responses, ciphertext, members), strict=True)
    total = challenge("class", *statement, joined(tuple(t)))
    answered[place] = (total - sum(answered) + answered[place]) % L
    responses[place] = nonces[place] + answered[place] * secret.scalar
    return b"".join(map(encode_scalar, [*answered, *responses]))


def verify_class(
    context: Context,
    slot: int,
    name: str,
    key: bytes,
    ciphertext: Ciphertext,
    members: Sequence[bytes],
    proof: bytes,
) -> None:
    """Return if `proof` shows that the card at `slot`, covered by `key` alone, is one of `members`.

    All but `proof` comes from the verifier's own state. Raises InvalidProof: `proof.wrong-length`, `group.bad-scalar`,
    `group.not-a-point`, `group.identity`, `proof.class`; UsageError for no members or one that is there twice. DECK-8.
    """
    statement, count = _statement(context, slot, name, key, ciphertext, members), len(members)
    if len(proof) != proof_bytes(count):
        raise InvalidProof("proof.wrong-length", expected=proof_bytes(count), actual=len(proof))
    scalars = [decode_scalar(proof[at : at + SCALAR_BYTES]) for at in range(0, len(proof), SCALAR_BYTES)]
    answered, responses = scalars[:count], scalars[count:]
    # The key and the first half are multiplied below, which no bytes survive but those of points.
    check_point(ciphertext[1])
    firsts = sums(base_multiples(responses), multiples([-c for c in answered], [key] * count))
    t = zip(firsts, _second_halves(answered, responses, ciphertext, members), strict=True)
    if challenge("class", *statement, joined(tuple(t))) != sum(answered) % L:
        raise InvalidProof("proof.class")


def _statement(
    context: Context, slot: int, name: str, key: bytes, ciphertext: Ciphertext, members: Sequence[bytes]
) -> tuple[Value, ...]:
    if not members or len(set(members)) != len(members):
        raise UsageError("usage.bad-value", expected="each member once", actual=len(members))
    return (context.fields(), slot, name, key, *ciphertext, b"".join(members))


def _second_halves(
    answered: Sequence[int], responses: Sequence[int], ciphertext: Ciphertext, members: Sequence[bytes]
) -> list[bytes]:
    """Return s a - c (Z - M) for every branch."""
    a, z = ciphertext
    # As c (M - Z), for then no subtraction is left but that of Z.
    shown = sums(members, [subtract(IDENTITY, z)] * len(members))
    if IDENTITY in shown:
        # No honest card lies uncovered, but the equations hold for one as well; c times nothing is 0 times anything.
        answered = [0 if point == IDENTITY else c for c, point in zip(answered, shown, strict=True)]
        shown = [BASE if point == IDENTITY else point for point in shown]
    return sums(multiples(responses, [a] * len(members)), multiples(answered, shown))
