"""What holds for all decks, keys and shares: honest proofs verify, a hand opens to its cards, secrets stay inside."""

import copy
import itertools
import pickle  # noqa: TID251 - only to see that it refuses
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealerless.crypto import elgamal, equality, group, schnorr, shuffle
from dealerless.crypto.challenge import Context
from dealerless.crypto.drawing import Drawing
from dealerless.errors import UsageError
from tests.deck import CONTEXT, DRAW, JOINT, KEYS, SECRETS, shared, shuffled, start

SEEDS = st.integers(0, 2**64 - 1)
CONTEXTS = st.builds(
    Context,
    session=st.binary(min_size=32, max_size=32),
    hand=st.integers(0, 10_000),
    deck=st.integers(0, 3),
    seat=st.integers(0, 8),
    purpose=st.sampled_from(("key", "deal", "board", "release")),
    prev=st.binary(min_size=32, max_size=32),
)


@settings(max_examples=15, deadline=None)
@given(seed=SEEDS, context=CONTEXTS, count=st.integers(2, 9), kinds=st.integers(1, 9))
def test_honest_shuffles_verify(seed: int, context: Context, count: int, kinds: int) -> None:
    """DECK-3, of decks with equal cards too: a shuffle's proof holds and keeps every card."""
    draw = random.Random(seed).randbytes
    secret = schnorr.DeckSecret(draw)
    names = [str(number % kinds) for number in range(count)]
    deck = elgamal.start_deck("any", names, secret.public)
    for _ in range(2):
        after, proof = shuffle.shuffle(deck, secret.public, context, draw)
        shuffle.verify_shuffle(deck, after, secret.public, context, proof)
        assert len(proof) == shuffle.proof_bytes(count) == 32 * (4 * count + 5)
        # V10: nobody can follow a card by its bytes.
        assert not set(itertools.chain(*deck)) & set(itertools.chain(*after))
        assert len(set(itertools.chain(*after))) == 2 * count
        deck = after
    shares = equality.share(secret, [a for a, _ in deck])
    opened = Counter(elgamal.unmask(b, [share]) for (_, b), share in zip(deck, shares, strict=True))
    assert opened == Counter(elgamal.card_point("any", name) for name in names)


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS, context=CONTEXTS, count=st.integers(1, 8), slot=st.integers(0, 300) | st.just("laid"))
def test_honest_shares_verify(seed: int, context: Context, count: int, slot: int | str) -> None:
    """DECK-1, DECK-4, DECK-6."""
    draw = random.Random(seed).randbytes
    secret = schnorr.DeckSecret(draw)
    schnorr.verify_key(context, secret.public, schnorr.prove_key(secret, context, draw))
    points = [group.multiply_base(number) for number in Drawing(draw).scalars(count)]
    shares = equality.share(secret, points)
    proof = equality.prove_shares(secret, context, secret.public, range(count), points, shares, draw)
    equality.verify_shares(context, secret.public, range(count), points, shares, proof)
    opening = equality.prove_opening(secret, context, slot, secret.public, (points[0], points[-1]), shares[0], draw)
    equality.verify_opening(context, slot, secret.public, (points[0], points[-1]), shares[0], opening)


@pytest.mark.parametrize("seats", [2, 3, 9])
def test_a_hand_from_keys_to_cards(seats: int) -> None:
    """Every seat shuffles; only all shares together open a card, and what they open is the deck."""
    secrets = [schnorr.DeckSecret(DRAW.randbytes) for _ in range(seats)]
    joint = schnorr.joint(secret.public for secret in secrets)
    names = [f"card {number}" for number in range(6)]
    deck = elgamal.start_deck("hand", names, joint)
    for seat in range(seats):
        context = replace(CONTEXT, seat=seat)
        after, proof = shuffle.shuffle(deck, joint, context, DRAW.randbytes)
        shuffle.verify_shuffle(deck, after, joint, context, proof)
        deck = after
    cards = {elgamal.card_point("hand", name) for name in names}
    shares = [equality.share(secret, [a for a, _ in deck]) for secret in secrets]
    for slot, (_, b) in enumerate(deck):
        of_slot = [found[slot] for found in shares]
        for absent in range(seats):
            assert elgamal.unmask(b, of_slot[:absent] + of_slot[absent + 1 :]) not in cards
        covered = elgamal.unmask(b, of_slot[1:])
        assert elgamal.unmask(covered, of_slot[:1]) == elgamal.unmask(b, of_slot)
        cards.remove(elgamal.unmask(b, of_slot))
    assert cards == set()


def commitments(context: Context, random: Callable[[int], bytes]) -> list[bytes]:
    """What every kind of proof commits to: t1 of those of two scalars, C, c^ and the new deck of a shuffle."""
    points, shares, _ = shared(range(2))
    card = (points[0], points[1])
    found = []
    for proof in (
        schnorr.prove_key(SECRETS[0], context, random),
        equality.prove_shares(SECRETS[0], context, KEYS[0], range(2), points, shares, random),
        equality.prove_shares(SECRETS[0], context, KEYS[0], range(1), points[:1], shares[:1], random),
        equality.prove_opening(SECRETS[0], context, 0, KEYS[0], card, shares[0], random),
        equality.prove_opening(SECRETS[0], context, 1, KEYS[0], card, shares[0], random),
    ):
        answered, response = schnorr.read_scalars(proof)
        found.append(group.subtract(group.multiply_base(response), group.multiply(answered, KEYS[0])))
    after, proof = shuffle.shuffle(start(3), JOINT, context, random)
    found += [proof[at : at + 32] for at in range(0, 6 * 32, 32)]
    return [*found, *itertools.chain(*after)]


def test_no_two_proofs_share_a_commitment() -> None:
    """V13: of any kind, with a good source."""
    seen = [point for _ in range(5) for point in commitments(CONTEXT, DRAW.randbytes)]
    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize("source", [bytes, lambda count: b"\xff" * count], ids=["zeros", "ones"])
def test_a_source_that_repeats_itself_does_not_repeat_a_nonce(source: Callable[[int], bytes]) -> None:
    """V13: for two statements; the secret would be the difference of responses over that of challenges."""
    contexts = [CONTEXT, replace(CONTEXT, hand=4), replace(CONTEXT, prev=bytes(32)), replace(CONTEXT, purpose="x")]
    seen = [point for context in contexts for point in commitments(context, source)]
    assert len(set(seen)) == len(seen)


def test_a_source_that_gives_less_than_asked_for_is_refused() -> None:
    with pytest.raises(UsageError):
        schnorr.DeckSecret(lambda count: bytes(count - 1))


def test_secrets_of_one_source_differ_by_purpose() -> None:
    """DECK-10, K05, K10: neither 0 nor that of another hand."""
    keys = [schnorr.DeckSecret(bytes, hand).public for hand in range(20)]
    assert len({*keys, group.IDENTITY}) == 21


def test_secrets_are_neither_printed_nor_copied() -> None:
    """DECK-10, G09."""
    secret = SECRETS[0]
    drawing = Drawing(lambda count: b"a source nobody else may ever see, of sixty-four bytes in all .."[:count])
    number = drawing.scalar()
    witness = shuffle.ShuffleWitness([1, 0], [number, number + 1])
    spelled = [str(secret.scalar), f"{secret.scalar:x}", group.encode_scalar(secret.scalar).hex(), str(number)]
    for held in (secret, drawing, witness):
        for text in (repr(held), str(held), f"{held}", repr([held]), repr({"held": held})):
            assert not any(part in text for part in [*spelled, "nobody", "[1, 0]"])
        for spread in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="neither pickled nor copied"):
                spread(held)
        assert not hasattr(held, "__dict__")


def test_every_order_is_as_likely() -> None:
    """DECK-3: 6,000 orders of four, each of the 24 expected 250 times; five standard deviations are 77."""
    draw = random.Random(4).randbytes
    drawing = Drawing(draw)
    found = Counter(tuple(drawing.permutation(4)) for _ in range(6000))
    assert len(found) == 24
    assert all(173 < count < 327 for count in found.values())


def test_numbers_below_a_bound_pass_over_the_words_that_would_favour_some() -> None:
    """No remainder of 2^64 is left for the small numbers."""
    drawing = Drawing(DRAW.randbytes)
    for bound in (1, 2, 3, 52, 312):
        limit = 2**64 - 2**64 % bound
        words = [2**64 - 1, limit, limit - 1, 7] if limit < 2**64 else [limit - 1]
        drawing._words = iter(words)
        assert drawing.below(bound) == bound - 1
    drawing._words = iter(())
    assert {drawing.below(3) for _ in range(200)} == {0, 1, 2}


def test_a_permutation_has_every_number_once() -> None:
    drawing = Drawing(DRAW.randbytes)
    for count in (0, 1, 2, 52, 312):
        assert sorted(drawing.permutation(count)) == list(range(count))


def test_the_size_of_a_proof() -> None:
    """52 and 156 cards; the argument grows with the cards and with nothing else."""
    assert [shuffle.proof_bytes(count) for count in (52, 156)] == [6816, 20128]


@pytest.mark.parametrize("count", [52, 156])
def test_whole_decks(count: int) -> None:
    before, after, proof = shuffled(count)
    shuffle.verify_shuffle(before, after, JOINT, CONTEXT, proof)
    assert len(proof) == shuffle.proof_bytes(count)
