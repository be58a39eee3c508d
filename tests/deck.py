"""A small deck under two keys, for the tests of its proofs; its randomness is seeded and differs from call to call."""

import random

from dealerless.crypto import elgamal, equality, group, schnorr, shuffle
from dealerless.crypto.challenge import Context

DRAW = random.Random(52)
CONTEXT = Context(session=bytes(range(32)), hand=3, deck=0, seat=1, purpose="test", prev=bytes(range(32, 64)))
SECRETS = [schnorr.DeckSecret(DRAW.randbytes, seat) for seat in range(2)]
KEYS = [secret.public for secret in SECRETS]
JOINT = schnorr.joint(KEYS)

# A point that is none of those in use, and bytes that are no point: p + 1, an odd number, a point with bit 255 set.
STRANGER = elgamal.card_point("another game", "another card")
NO_POINTS = [
    bytes.fromhex("eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
    bytes.fromhex("0100000000000000000000000000000000000000000000000000000000000000"),
    STRANGER[:31] + bytes([STRANGER[31] | 128]),
    b"",
    bytes(31),
    group.BASE + bytes(1),
]


def start(count: int) -> elgamal.Deck:
    """`count` different cards, not shuffled yet."""
    return elgamal.start_deck("holdem", [f"card {number}" for number in range(count)], JOINT)


def shuffled(count: int) -> tuple[elgamal.Deck, elgamal.Deck, bytes]:
    """A deck that was shuffled once, the same shuffled again, and the proof of that."""
    before, _ = shuffle.shuffle(start(count), JOINT, CONTEXT, DRAW.randbytes)
    return before, *shuffle.shuffle(before, JOINT, CONTEXT, DRAW.randbytes)


def shared(slots: range) -> tuple[list[bytes], tuple[bytes, ...], bytes]:
    """First halves, the first seat's shares of them, and the proof."""
    points = [elgamal.card_point("halves", str(slot)) for slot in slots]
    shares = equality.share(SECRETS[0], points)
    return points, shares, equality.prove_shares(SECRETS[0], CONTEXT, KEYS[0], slots, points, shares, DRAW.randbytes)
