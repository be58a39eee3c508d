"""Lamps and lays before a second verifier that shares no line and no library with the first (DECK-8).

It is the one by which spec/check_lamps.py checks the vectors: here it gets fresh proofs, and ones with a bit turned.
"""

import random
from collections.abc import Callable

import pytest

from dealerless.crypto import elgamal, equality, laying, membership
from dealerless.errors import InvalidProof
from spec import check_deck, check_lamps
from tests.deck import CONTEXT
from tests.lamps import DOWN, KEY, SECRET, UP, cover

DRAW = random.Random(1994)
FIELDS = list(CONTEXT.fields())
CLASSES = {"DOWN": DOWN, "UP": UP}


def holds(check: Callable[..., object], *arguments: object) -> bool:
    """Whether the second verifier takes a proof for this context."""
    try:
        check(FIELDS, *arguments)
    except check_deck.Refused:
        return False
    return True


def changed(data: bytes) -> bytes:
    """The same bytes with one bit turned."""
    place = DRAW.randrange(8 * len(data))
    return bytes(byte ^ (1 << place % 8 if number == place // 8 else 0) for number, byte in enumerate(data))


@pytest.mark.parametrize("name", CLASSES)
def test_classes_are_the_same_points(name: str) -> None:
    """DECK-8, DECK-2: 24 and 28 of them in one order."""
    assert [check_deck.encode(point) for point in check_lamps.members(name)] == list(CLASSES[name])


@pytest.mark.parametrize("name", CLASSES)
def test_lamps(name: str) -> None:
    """Of the first, a middle and the last card of the class."""
    members = CLASSES[name]
    for place in (0, 11, len(members) - 1):
        (card,) = cover(members[place])
        proof = membership.prove_class(SECRET, CONTEXT, 9, name, KEY, card, members, DRAW.randbytes)
        assert holds(check_lamps.check_class, 9, name, KEY, card, proof)
        for slot, pair, other in ((8, card, proof), (9, cover(members[place])[0], proof), (9, card, changed(proof))):
            assert not holds(check_lamps.check_class, slot, name, KEY, pair, other)
            with pytest.raises(InvalidProof):
                membership.verify_class(CONTEXT, slot, name, KEY, pair, members, other)


@pytest.mark.parametrize("choice", [0, 1])
def test_lays(choice: int) -> None:
    """In both orders, over three rounds in which the kept card goes on, and the laid one is opened."""
    cards = cover(UP[0], DOWN[0])
    for number in range(1, 4):
        laid, proof = laying.lay(SECRET, CONTEXT, number, KEY, cards, choice, DRAW.randbytes)
        before, after = elgamal.joined(cards), elgamal.joined(laid)
        assert holds(check_lamps.check_lay, number, KEY, before, after, proof)
        for bad in (
            (number + 1, cards, laid, proof),
            (number, (cards[1], cards[0]), laid, proof),
            (number, cards, (laid[1], laid[0]), proof),
            (number, cards, (laid[0], cards[0]), proof),
            *[(number, cards, laid, changed(proof)) for _ in range(5)],
        ):
            at, old, new, other = bad
            assert not holds(check_lamps.check_lay, at, KEY, elgamal.joined(old), elgamal.joined(new), other)
            with pytest.raises(InvalidProof):
                laying.verify_lay(CONTEXT, at, KEY, old, new, other)
        (share,) = equality.share(SECRET, [laid[0][0]])
        opening = equality.prove_opening(SECRET, CONTEXT, "laid", KEY, laid[0], share, DRAW.randbytes)
        assert holds(check_deck.check_opening, "laid", KEY, laid[0], share, opening)
        cards = (laid[1], *cover(UP[number]))


def test_a_card_that_is_not_covered_anew() -> None:
    """Both refuse it for the same reason, and the equations would hold."""
    cards = cover(UP[0], DOWN[0])
    witness = laying.LayWitness(1, (3, 0))
    laid = laying.apply_lay(SECRET, cards, witness)
    proof = laying.prove_lay(SECRET, CONTEXT, 1, KEY, cards, laid, witness, DRAW.randbytes)
    with pytest.raises(check_deck.Refused, match=r"^proof\.lay-without-remask$"):
        check_lamps.check_lay(FIELDS, 1, KEY, elgamal.joined(cards), elgamal.joined(laid), proof)
    with pytest.raises(InvalidProof, match=r"proof\.lay-without-remask"):
        laying.verify_lay(CONTEXT, 1, KEY, cards, laid, proof)
