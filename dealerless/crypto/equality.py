"""Decryption shares, and the proofs that a share was made with the secret of the author's key.

A share of a ciphertext (a, b) is D = x a. That X = x G and D = x a have one x is an equality of discrete
logarithms (Chaum, Pedersen 1992). The shares one seat gives at one time are proven together, with weights that
depend on all of them; the share by which the owner of a card shows it is proven alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..errors import InvalidProof, UsageError
from .challenge import Context, challenge, digest, digests
from .drawing import Drawing
from .elgamal import Ciphertext
from .group import IDENTITY, L, check_point, combine, encode_scalar, multiples, multiply, multiply_base, subtract
from .schnorr import DeckSecret, read_scalars


def share(secret: DeckSecret, points: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return the decryption share x a of each first half a in `points`. DECK-4.

    Raises InvalidProof `group.not-a-point` or `group.identity` for bytes that are none.
    """
    return tuple(multiples([secret.scalar] * len(points), points))


def prove_shares(
    secret: DeckSecret,
    context: Context,
    key: bytes,
    slots: Sequence[int],
    points: Sequence[bytes],
    shares: Sequence[bytes],
    random: Callable[[int], bytes],
) -> bytes:
    """Return the 64-byte proof that `shares` are those of `points`, the first halves at `slots`, made under `key`.

    Statement: X, slots, a_1..a_k, D_1..D_k.
    Witness: x with X = x G and D_j = x a_j for every j.
    Shape: c, s (64 bytes); seed = H("shares", ctx, X, slots, all a, all D), w_j = H("w", seed, j) modulo L for j
    from 1 (a share that is alone has the weight 1), A = sum w_j a_j, D = sum w_j D_j, c = H("shares-c", seed, A,
    D, t1, t2), t1 = k G, t2 = k A, s = k + c x.
    Source: Chaum, Pedersen 1992, batched as in RFC 9497, 2.2, but with weights over all shares at once; DECK-4.

    Raises UsageError for no slots, for lists of different lengths and for a key that is not the secret's.
    """
    seed = _seed(context, key, slots, points, shares)
    if len(shares) != len(points) or key != secret.public:
        raise UsageError("usage.bad-value", expected=(len(points), secret.public), actual=(len(shares), key))
    nonce = Drawing(random, "shares", seed, encode_scalar(secret.scalar)).scalar()
    if len(points) == 1:
        point, together = points[0], shares[0]
    else:
        point = combine(_weights(seed, len(points)), points)
        together = multiply(secret.scalar, point)
    answered = challenge("shares-c", seed, point, together, multiply_base(nonce), multiply(nonce, point))
    return encode_scalar(answered) + encode_scalar(nonce + answered * secret.scalar)


def verify_shares(
    context: Context,
    key: bytes,
    slots: Sequence[int],
    points: Sequence[bytes],
    shares: Sequence[bytes],
    proof: bytes,
) -> None:
    """Return if `shares` are the shares under `key` of `points`, which are the first halves at `slots`.

    `key`, `slots` and `points` come from the verifier's own state, `shares` and `proof` from the author. Raises
    InvalidProof: `group.not-a-point`, `group.identity`, `group.bad-scalar`, `proof.wrong-length` (of the proof or
    of the list of shares), `proof.shares`; UsageError for no slots or lists of ours that differ in length. DECK-4.
    """
    seed = _seed(context, key, slots, points, shares)
    if len(shares) != len(points):
        raise InvalidProof("proof.wrong-length", expected=len(points), actual=len(shares))
    answered, response = read_scalars(proof)
    for point in shares:
        check_point(point)
    if len(points) == 1:
        point, together = points[0], shares[0]
    else:
        weights = _weights(seed, len(points))
        point, together = combine(weights, points), combine(weights, shares)
    if IDENTITY in (point, together):
        raise InvalidProof("proof.shares")
    first, second = _commitments(answered, response, key, point, together)
    if challenge("shares-c", seed, point, together, first, second) != answered:
        raise InvalidProof("proof.shares")


def prove_opening(
    secret: DeckSecret,
    context: Context,
    slot: int | str,
    key: bytes,
    ciphertext: Ciphertext,
    share: bytes,
    random: Callable[[int], bytes],
) -> bytes:
    """Return the 64-byte proof that `share` opens `ciphertext`, the card at `slot` that only `key` still covers.

    Statement: X, slot (or "laid"), a', Z', D.
    Witness: x with X = x G and D = x a'.
    Shape: c, s (64 bytes); c = H("open", ctx, slot, X, a', Z', D, t1, t2), t1 = k G, t2 = k a', s = k + c x.
    Source: Chaum, Pedersen 1992, with the whole statement hashed; DECK-6.

    Raises UsageError for a key that is not the secret's.
    """
    if key != secret.public:
        raise UsageError("usage.bad-value", expected=secret.public, actual=key)
    statement = (context.fields(), slot, key, *ciphertext, share)
    nonce = Drawing(random, "open", *statement, encode_scalar(secret.scalar)).scalar()
    answered = challenge("open", *statement, multiply_base(nonce), multiply(nonce, ciphertext[0]))
    return encode_scalar(answered) + encode_scalar(nonce + answered * secret.scalar)


def verify_opening(
    context: Context, slot: int | str, key: bytes, ciphertext: Ciphertext, share: bytes, proof: bytes
) -> None:
    """Return if `share` is the share under `key` of `ciphertext`, the card at `slot` (or "laid").

    `key` and `ciphertext` come from the verifier's own state. Raises InvalidProof: `group.not-a-point`,
    `group.identity`, `group.bad-scalar`, `proof.wrong-length`, `proof.opening`. DECK-6.
    """
    answered, response = read_scalars(proof)
    for point in (share, *ciphertext):
        check_point(point)
    first, second = _commitments(answered, response, key, ciphertext[0], share)
    if challenge("open", context.fields(), slot, key, *ciphertext, share, first, second) != answered:
        raise InvalidProof("proof.opening")


def _seed(
    context: Context, key: bytes, slots: Sequence[int], points: Sequence[bytes], shares: Sequence[bytes]
) -> bytes:
    if not slots or len(slots) != len(points):
        raise UsageError("usage.bad-value", expected=len(slots), actual=len(points))
    return digest("shares", context.fields(), key, tuple(slots), b"".join(points), b"".join(shares))


def _weights(seed: bytes, count: int) -> list[int]:
    """Return the weights, of full length: short ones were forged by a generalised birthday search. DECK-4."""
    return [int.from_bytes(data, "little") % L for data in digests("w", seed, count)]


def _commitments(answered: int, response: int, key: bytes, point: bytes, together: bytes) -> tuple[bytes, bytes]:
    """Return t1 = s G - c X and t2 = s A - c D."""
    return (
        subtract(multiply_base(response), multiply(answered, key)),
        subtract(multiply(response, point), multiply(answered, together)),
    )
