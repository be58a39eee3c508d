"""Forgeries that are known from the literature, made against the deck's verifiers: each is refused.

K01, K04: a key without its secret. D01, V12: a wrong share. V01, V02, V04, V05, V08: a shuffle that changes cards.
"""

import pytest

from dealerless.crypto import challenge, elgamal, equality, group, schnorr, shuffle
from dealerless.crypto.drawing import Drawing
from dealerless.errors import InvalidProof, UsageError
from tests.deck import CONTEXT, DRAW, JOINT, KEYS, SECRETS, STRANGER, shared, start

FIELDS = CONTEXT.fields()
# h, h_1 and h_52.
GENERATORS = [
    "ac511f69aea4f48b29fe463e40a97d329df98d34ee537c9f1623fc830aa08906",
    "1c3a5880e2fe0622bef72001c94c76a7ac43cc101b3c99e319b321f030142c7a",
    "185670809f8735e8dec0cb6c78cd8e9118be8dbc5230ec5dda28a9b3af94fe2f",
]


def scalars(count: int) -> list[int]:
    return Drawing(DRAW.randbytes, "forgery").scalars(count)


def refused(code: str, verify: object, *arguments: object) -> None:
    assert callable(verify)
    with pytest.raises(InvalidProof) as caught:
        verify(*arguments)
    assert caught.value.code == code


def test_k01_a_rogue_key_has_no_proof() -> None:
    """The last seat takes the others' keys away from its own: alone it would open every card."""
    secret = schnorr.DeckSecret(DRAW.randbytes, "rogue")
    rogue = group.subtract(secret.public, KEYS[0])
    assert schnorr.joint([KEYS[0], rogue]) == secret.public
    borrowed = schnorr.prove_key(SECRETS[0], CONTEXT, DRAW.randbytes)
    for proof in (schnorr.prove_key(secret, CONTEXT, DRAW.randbytes), borrowed, bytes(64)):
        refused("proof.key", schnorr.verify_key, CONTEXT, rogue, proof)


def test_k01_keys_that_cancel_are_no_joint_key() -> None:
    """K05: nothing would be hidden under the identity."""
    cancelling = group.subtract(group.IDENTITY, KEYS[0])
    refused("group.identity", schnorr.joint, [KEYS[0], cancelling])
    refused("group.identity", schnorr.joint, [KEYS[0], group.IDENTITY])
    refused("group.not-a-point", schnorr.joint, [KEYS[0], bytes(31)])
    with pytest.raises(UsageError):
        schnorr.joint([])


def test_k04_a_key_made_to_fit_a_challenge_that_does_not_hash_it() -> None:
    """Frozen Heart: commitment and response first, the key last. It passes where the key is not hashed."""
    nonce, response = scalars(2)
    commitment = group.multiply_base(nonce)
    weak = challenge.challenge("key", FIELDS, commitment)
    key = group.multiply(pow(weak, -1, group.L), group.subtract(group.multiply_base(response), commitment))
    assert group.subtract(group.multiply_base(response), group.multiply(weak, key)) == commitment
    proof = group.encode_scalar(weak) + group.encode_scalar(response)
    refused("proof.key", schnorr.verify_key, CONTEXT, key, proof)


def test_d01_a_wrong_share_made_to_fit_a_challenge_that_does_not_hash_it() -> None:
    """The same with the share: a card would open as another one."""
    (point,) = shared(range(1))[0]
    nonce, other = scalars(2)
    secret, key = SECRETS[0].scalar, KEYS[0]
    first, second = group.multiply_base(nonce), group.multiply(other, point)
    weak = challenge.challenge("open", FIELDS, 1, key, point, STRANGER, first, second)
    response = nonce + weak * secret
    wrong = group.multiply(pow(weak, -1, group.L), group.subtract(group.multiply(response, point), second))
    assert wrong != group.multiply(secret, point)
    assert group.subtract(group.multiply(response, point), group.multiply(weak, wrong)) == second
    proof = group.encode_scalar(weak) + group.encode_scalar(response)
    refused("proof.opening", equality.verify_opening, CONTEXT, 1, key, (point, STRANGER), wrong, proof)
    refused("proof.shares", equality.verify_shares, CONTEXT, key, [1], [point], [wrong], proof)


def test_v12_shares_whose_faults_cancel_under_the_weights_of_the_honest_ones() -> None:
    """DECK-4: the weights come from all shares, so they are others once a share is another."""
    slots = range(2)
    points, shares, proof = shared(slots)
    seed = challenge.digest("shares", FIELDS, KEYS[0], tuple(slots), b"".join(points), b"".join(shares))
    one, two = (challenge.challenge("w", seed, number) for number in (1, 2))
    wrong = (
        group.add(shares[0], group.multiply(two, STRANGER)),
        group.subtract(shares[1], group.multiply(one, STRANGER)),
    )
    assert group.combine([one, two], wrong) == group.combine([one, two], shares)
    refused("proof.shares", equality.verify_shares, CONTEXT, KEYS[0], slots, points, wrong, proof)
    again = equality.prove_shares(SECRETS[0], CONTEXT, KEYS[0], slots, points, wrong, DRAW.randbytes)
    refused("proof.shares", equality.verify_shares, CONTEXT, KEYS[0], slots, points, wrong, again)


def test_shares_exchanged_between_two_slots_keep_their_sum_and_are_refused() -> None:
    points, shares, _ = shared(range(2))
    exchanged = shares[::-1]
    proof = equality.prove_shares(SECRETS[0], CONTEXT, KEYS[0], range(2), points, exchanged, DRAW.randbytes)
    refused("proof.shares", equality.verify_shares, CONTEXT, KEYS[0], range(2), points, exchanged, proof)


def test_weights_under_which_everything_cancels_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """DECK-4: of the identity any share is the right one. (No hash gives these weights.)"""
    (point,) = shared(range(1))[0]
    wrong = [STRANGER, STRANGER]
    monkeypatch.setattr(equality, "_weights", lambda seed, count: [1, group.L - 1])
    response = scalars(1)[0]
    proof = group.encode_scalar(0) + group.encode_scalar(response)
    refused("proof.shares", equality.verify_shares, CONTEXT, KEYS[0], [1, 2], [point, point], wrong, proof)


def test_v01_generators_the_shuffler_knows_a_relation_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """V02: his proof over his own generators is sound in itself; the verifier computes its own."""
    deck = start(3)
    with monkeypatch.context() as patch:
        patch.setattr(shuffle, "_generator", lambda number: group.multiply_base(number + 2))
        shuffle._generators.cache_clear()
        after, proof = shuffle.shuffle(deck, JOINT, CONTEXT, DRAW.randbytes)
        shuffle.verify_shuffle(deck, after, JOINT, CONTEXT, proof)
    shuffle._generators.cache_clear()
    refused("proof.shuffle", shuffle.verify_shuffle, deck, after, JOINT, CONTEXT, proof)


def test_v02_no_two_generators_and_cards_are_the_same_point() -> None:
    """V02, D10: hashed one by one; the first of them are these for ever."""
    h, hs = shuffle.generators(312)
    cards = [elgamal.card_point(game, name) for game in ("holdem", "hex") for name in ("SA", "2", "a")]
    points = [h, *hs, *cards, group.BASE, JOINT, *KEYS]
    assert len(set(points)) == len(points)
    assert group.IDENTITY not in points
    assert hs[:52] == shuffle.generators(52)[1]
    assert [h.hex(), hs[0].hex(), hs[51].hex()] == GENERATORS


def altered(after: elgamal.Deck, *changes: tuple[int, bytes]) -> elgamal.Deck:
    """The deck with points added to the second halves at some places."""
    cards = dict(changes)
    return tuple((a, group.add(b, cards[i]) if i in cards else b) for i, (a, b) in enumerate(after))


@pytest.mark.parametrize("count", [2, 5])
def test_v04_cards_changed_so_that_their_sum_stays(count: int) -> None:
    """One card more by a point, another one less by it; and one card alone (V05)."""
    deck = start(count)
    drawing = Drawing(DRAW.randbytes, "order")
    witness = shuffle.ShuffleWitness(drawing.permutation(count), drawing.scalars(count))
    honest = shuffle.apply_shuffle(deck, JOINT, witness)
    step = group.subtract(elgamal.card_point("holdem", "card 1"), elgamal.card_point("holdem", "card 0"))
    back = group.subtract(group.IDENTITY, step)
    for after in (altered(honest, (0, step), (1, back)), altered(honest, (0, step)), (honest[0], *honest[:-1])):
        proof = shuffle.prove_shuffle(deck, after, JOINT, CONTEXT, witness, DRAW.randbytes)
        refused("proof.shuffle", shuffle.verify_shuffle, deck, after, JOINT, CONTEXT, proof)


def test_v08_a_shuffle_of_another_deck_than_the_agreed_one() -> None:
    """The same card twice in the deck he began with, one card missing."""
    deck = start(4)
    own = (deck[0], deck[0], *deck[2:])
    after, proof = shuffle.shuffle(own, JOINT, CONTEXT, DRAW.randbytes)
    shuffle.verify_shuffle(own, after, JOINT, CONTEXT, proof)
    refused("proof.shuffle", shuffle.verify_shuffle, deck, after, JOINT, CONTEXT, proof)


def test_a_shuffle_under_another_key_is_refused() -> None:
    """His own key in place of the joint one: the cards would be his to open."""
    deck = start(3)
    after, proof = shuffle.shuffle(deck, KEYS[0], CONTEXT, DRAW.randbytes)
    shuffle.verify_shuffle(deck, after, KEYS[0], CONTEXT, proof)
    refused("proof.shuffle", shuffle.verify_shuffle, deck, after, JOINT, CONTEXT, proof)


@pytest.mark.parametrize("order", [[0, 0, 1], [0, 1], [0, 1, 3], [1, 2, 3]])
def test_our_own_prover_refuses_an_order_that_is_none(order: list[int]) -> None:
    deck = start(3)
    witness = shuffle.ShuffleWitness(order, scalars(3))
    with pytest.raises(UsageError):
        shuffle.prove_shuffle(deck, deck, JOINT, CONTEXT, witness, DRAW.randbytes)


def test_fewer_than_two_cards_are_no_deck() -> None:
    deck = start(1)
    with pytest.raises(UsageError):
        shuffle.shuffle(deck, JOINT, CONTEXT, DRAW.randbytes)
    for few in ((), deck):
        with pytest.raises(UsageError):
            shuffle.verify_shuffle(few, few, JOINT, CONTEXT, bytes(shuffle.proof_bytes(len(few))))


def test_no_slots_are_our_own_mistake() -> None:
    """DECK-9: with nothing to share there is no proof, and nobody is asked to check one."""
    with pytest.raises(UsageError):
        equality.prove_shares(SECRETS[0], CONTEXT, KEYS[0], [], [], [], DRAW.randbytes)
    with pytest.raises(UsageError):
        equality.verify_shares(CONTEXT, KEYS[0], [], [], [], bytes(64))
    with pytest.raises(UsageError):
        equality.verify_shares(CONTEXT, KEYS[0], [1, 2], [STRANGER], [STRANGER], bytes(64))


def test_our_own_provers_refuse_a_key_of_somebody_else() -> None:
    points, shares, _ = shared(range(1))
    with pytest.raises(UsageError):
        equality.prove_shares(SECRETS[0], CONTEXT, KEYS[1], [0], points, shares, DRAW.randbytes)
    with pytest.raises(UsageError):
        equality.prove_opening(SECRETS[0], CONTEXT, 0, KEYS[1], (points[0], STRANGER), shares[0], DRAW.randbytes)
