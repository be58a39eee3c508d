"""A lamp: it is proven for every card of a class and for no other, every change is refused, and it tells no more."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealerless.crypto import challenge, elgamal, group, membership, schnorr
from dealerless.errors import InvalidProof, UsageError
from tests.deck import CONTEXT, DRAW, STRANGER
from tests.lamps import DOWN, KEY, SECRET, UP, cover, opened
from tests.proven import Change, Proven, fields_changed, not_refused, others, places
from tests.spread import Spread
from tests.work import recorded

FOUR = UP[:4]
(CARD,) = cover(FOUR[2])


def prove(card: elgamal.Ciphertext, members: tuple[bytes, ...] = FOUR, *, slot: int = 4, name: str = "UP") -> bytes:
    return membership.prove_class(SECRET, CONTEXT, slot, name, KEY, card, members, DRAW.randbytes)


LAMP = Proven(
    membership.verify_class,
    {
        "context": CONTEXT,
        "slot": 4,
        "name": "UP",
        "key": KEY,
        "ciphertext": CARD,
        "members": FOUR,
        "proof": prove(CARD),
    },
    0,
    "proof.class",
)


@pytest.mark.parametrize(("name", "members"), [("DOWN", DOWN), ("UP", UP)])
def test_every_card_of_a_class_has_a_lamp(name: str, members: tuple[bytes, ...]) -> None:
    """DECK-8: 24 and 28 cards, 1,536 and 1,792 bytes, and no card of the other class."""
    for slot, point in enumerate(members):
        (card,) = cover(point)
        proof = prove(card, members, slot=slot, name=name)
        membership.verify_class(CONTEXT, slot, name, KEY, card, members, proof)
        assert len(proof) == membership.proof_bytes(len(members)) == {"DOWN": 1536, "UP": 1792}[name]
    assert (len(DOWN), len(UP), len({*DOWN, *UP})) == (24, 28, 52)
    (other,) = cover((DOWN if name == "UP" else UP)[0])
    with pytest.raises(UsageError):
        prove(other, members, name=name)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**64 - 1), count=st.integers(1, 6), data=st.data())
def test_honest_lamps_verify(seed: int, count: int, data: st.DataObject) -> None:
    """DECK-8, of classes of any size, one card too."""
    draw = random.Random(seed).randbytes
    secret = schnorr.DeckSecret(draw)
    members = tuple([elgamal.card_point("any", str(number)) for number in range(count)])
    place = data.draw(st.integers(0, count - 1))
    start = [(group.BASE, group.add(members[place], secret.public))]
    (card,) = elgamal.re_encrypt(start, [schnorr.DeckSecret(draw, "covers").scalar], secret.public)
    proof = membership.prove_class(secret, CONTEXT, 0, "any", secret.public, card, members, draw)
    membership.verify_class(CONTEXT, 0, "any", secret.public, card, members, proof)


def changes() -> Iterator[Change]:
    """All fields of the check with one of them changed, and classes of other sizes."""
    # A class is the verifier's own: a point of it may be any.
    members: list[tuple[str, object, str]] = [
        (name, other, LAMP.code if code == "group.identity" else code) for name, other, code in places(FOUR, LAMP.code)
    ]
    own = {
        "slot": others((0, 5, -4, "4", "laid"), LAMP.code),
        "name": others(("DOWN", "up", ""), LAMP.code),
        "members": members,
    }
    yield from fields_changed(LAMP, own)
    for name, size in (("one less", FOUR[:-1]), ("one more", (*FOUR, STRANGER))):
        yield f"members: {name}", {**LAMP.fields, "members": size}, "proof.wrong-length"


def test_the_lamp_as_it_is_verifies() -> None:
    LAMP.verify(**LAMP.fields)


def test_every_change_is_refused() -> None:
    """DECK-8, DECK-1: context, slot, class, key, card, points of the class, every scalar of the proof."""
    found, tried = not_refused(LAMP, changes())
    assert found == []
    assert tried > 100


def test_a_lamp_of_another_protocol_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(challenge, "PROTOCOL", "dealerless/2 deck")
    with pytest.raises(InvalidProof, match=r"proof\.class"):
        LAMP.verify(**LAMP.fields)


def test_a_lamp_that_lies_is_refused() -> None:
    """DECK-8: who has none of the cards makes up every branch, and lacks the one challenge that mends the sum."""
    (card,) = cover(DOWN[0])
    for mended in range(len(FOUR)):
        proof = bytearray(b"".join(group.encode_scalar(DRAW.getrandbits(250)) for _ in range(2 * len(FOUR))))
        for _ in range(3):
            c = [group.decode_scalar(bytes(proof[at : at + 32])) for at in range(0, 128, 32)]
            s = [group.decode_scalar(bytes(proof[at : at + 32])) for at in range(128, 256, 32)]
            t = b"".join(
                group.combine([s[j], -c[j]], [group.BASE, KEY])
                + group.combine([s[j], -c[j], c[j]], [card[0], card[1], member])
                for j, member in enumerate(FOUR)
            )
            total = challenge.challenge("class", CONTEXT.fields(), 4, "UP", KEY, *card, b"".join(FOUR), t)
            proof[32 * mended : 32 * mended + 32] = group.encode_scalar(total - sum(c) + c[mended])
            with pytest.raises(InvalidProof, match=r"proof\.class"):
                membership.verify_class(CONTEXT, 4, "UP", KEY, card, FOUR, bytes(proof))


def test_a_lamp_does_not_follow_its_card() -> None:
    """DECK-8: neither to the same card covered anew nor to another card of the class."""
    for card in cover(FOUR[2], FOUR[1]):
        with pytest.raises(InvalidProof, match=r"proof\.class"):
            LAMP.verify(**{**LAMP.fields, "ciphertext": card})


def test_a_card_that_lies_open_is_no_other_card() -> None:
    """DECK-8: Z is a point of the class, and still what Z covers decides."""
    half = cover(FOUR[0])[0][0]
    bare = half, FOUR[1]
    with pytest.raises(UsageError):
        prove(bare)
    with pytest.raises(InvalidProof, match=r"proof\.class"):
        LAMP.verify(**{**LAMP.fields, "ciphertext": bare})
    # The card that it covers, among others of which one is Z itself.
    members = (opened(bare), FOUR[1])
    membership.verify_class(CONTEXT, 0, "any", KEY, bare, members, prove(bare, members, slot=0, name="any"))


def test_what_is_ours_is_looked_at() -> None:
    """A caller's mistakes are no proofs of others': no class, a card twice in it, a key that is not the secret's."""
    for members in ((), (FOUR[2], FOUR[2])):
        with pytest.raises(UsageError):
            LAMP.verify(**{**LAMP.fields, "members": members})
        with pytest.raises(UsageError):
            prove(CARD, members)
    with pytest.raises(UsageError):
        membership.prove_class(SECRET, CONTEXT, 4, "UP", STRANGER, CARD, FOUR, DRAW.randbytes)


def test_every_card_takes_the_same_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """DECK-8: what is asked of libsodium, and in what order, is the same whichever card it is."""
    cards = cover(*FOUR)
    assert len({recorded(monkeypatch, lambda card=card: prove(card)) for card in cards}) == 1  # type: ignore[misc]


def test_no_part_of_a_lamp_depends_on_the_card() -> None:
    """DECK-8: of a class of two, every byte of the proof spreads alike for both, within four standard deviations."""
    cards = cover(*FOUR[:2])
    spread = Spread(membership.proof_bytes(2))
    for number in range(3000):
        spread.add(number % 2, prove(cards[number % 2], FOUR[:2]))
    assert max(abs(deviation) for deviation in spread.deviations()) < 4


@pytest.mark.parametrize("source", [bytes, lambda count: b"\xff" * count], ids=["zeros", "ones"])
def test_a_source_that_repeats_itself_does_not_repeat_a_nonce(source: Callable[[int], bytes]) -> None:
    """V13, DECK-10: of two statements every commitment differs."""
    seen: list[bytes] = []
    for context in (CONTEXT, replace(CONTEXT, hand=4), replace(CONTEXT, prev=bytes(32))):
        proof = membership.prove_class(SECRET, context, 4, "UP", KEY, CARD, FOUR, source)
        for c, s in zip(range(0, 128, 32), range(128, 256, 32), strict=True):
            c_j, s_j = [group.decode_scalar(proof[at : at + 32]) for at in (c, s)]
            seen.append(group.combine([s_j, -c_j], [group.BASE, KEY]))
    assert len(set(seen)) == len(seen) == 12
