"""A lay: it is proven in either order, opens to the card that was chosen, and every change of it is refused."""

import copy
import pickle  # noqa: TID251 - only to see that it refuses
import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealerless.crypto import challenge, elgamal, equality, group, laying, schnorr
from dealerless.errors import InvalidProof, UsageError
from tests.deck import CONTEXT, DRAW, STRANGER
from tests.lamps import DOWN, KEY, SECRET, UP, cover, opened
from tests.proven import Change, Proven, fields_changed, not_refused, others
from tests.work import recorded

CARDS = cover(DOWN[3], UP[7])
LAID, PROOF = laying.lay(SECRET, CONTEXT, 2, KEY, CARDS, 1, DRAW.randbytes)
LAY = Proven(
    laying.verify_lay,
    {"context": CONTEXT, "round_number": 2, "key": KEY, "cards": CARDS, "laid": LAID, "proof": PROOF},
    0,
    "proof.lay",
)


def proven(laid: elgamal.Deck, witness: laying.LayWitness, cards: elgamal.Deck = CARDS) -> dict[str, object]:
    """A lay with the proof that its author can make of what he has, be it a witness or not."""
    proof = laying.prove_lay(SECRET, CONTEXT, 2, KEY, cards, laid, witness, DRAW.randbytes)
    return {**LAY.fields, "cards": cards, "laid": laid, "proof": proof}


def refusal(fields: dict[str, object]) -> str:
    with pytest.raises(InvalidProof) as caught:
        LAY.verify(**fields)
    return caught.value.code


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**64 - 1), choice=st.integers(0, 1), round_number=st.integers(1, 500))
def test_honest_lays_verify(seed: int, choice: int, round_number: int) -> None:
    """DECK-8: under any key, in either order; both new cards are the old ones and look like none of them."""
    draw = random.Random(seed).randbytes
    secret = schnorr.DeckSecret(draw)
    key = secret.public
    start = [(group.BASE, group.add(point, key)) for point in (UP[0], DOWN[0])]
    cards = elgamal.re_encrypt(start, [schnorr.DeckSecret(draw, number).scalar for number in range(2)], key)
    laid, proof = laying.lay(secret, CONTEXT, round_number, key, cards, choice, draw)
    laying.verify_lay(CONTEXT, round_number, key, cards, laid, proof)
    assert len(proof) == laying.PROOF_BYTES == 192
    shares = equality.share(secret, [a for a, _ in laid])
    shown = [elgamal.unmask(z, [share]) for (_, z), share in zip(laid, shares, strict=True)]
    assert shown == [(UP[0], DOWN[0])[choice], (UP[0], DOWN[0])[choice ^ 1]]
    assert not {*laid[0], *laid[1]} & {*cards[0], *cards[1]}


def test_a_match_of_lays() -> None:
    """DECK-8, DECK-6: the kept card goes on, each time covered anew, and the laid one opens as what it is."""
    kept, held = cover(UP[0])[0], UP[0]
    for number, new in enumerate(UP[1:13], 1):
        cards = (kept, *cover(new))
        choice = DRAW.randrange(2)
        laid, proof = laying.lay(SECRET, CONTEXT, number, KEY, cards, choice, DRAW.randbytes)
        laying.verify_lay(CONTEXT, number, KEY, cards, laid, proof)
        (share,) = equality.share(SECRET, [laid[0][0]])
        opening = equality.prove_opening(SECRET, CONTEXT, "laid", KEY, laid[0], share, DRAW.randbytes)
        equality.verify_opening(CONTEXT, "laid", KEY, laid[0], share, opening)
        assert elgamal.unmask(laid[0][1], [share]) == (held, new)[choice]
        # The share of the kept card, or of the one as it was dealt, does not open the laid one.
        for card in (laid[1], *cards):
            (other,) = equality.share(SECRET, [card[0]])
            wrong = equality.prove_opening(SECRET, CONTEXT, "laid", KEY, card, other, DRAW.randbytes)
            with pytest.raises(InvalidProof, match=r"proof\.opening"):
                equality.verify_opening(CONTEXT, "laid", KEY, laid[0], other, wrong)
        kept, held = laid[1], (held, new)[choice ^ 1]
    assert opened(kept) == held


def changes() -> Iterator[Change]:
    """All fields of the check with one of them changed, and lays of other cards than those held."""
    yield from fields_changed(LAY, {"round_number": others((0, 1, 3, -2, "2"), LAY.code)})
    for name, laid in (("none", ()), ("one less", LAID[:1]), ("one more", (*LAID, LAID[0]))):
        yield f"laid: {name}", {**LAY.fields, "laid": laid}, "deck.wrong-size"
    for j, kind in enumerate(("laid", "kept")):
        for k in (0, 1):
            laid = (*LAID[:j], CARDS[k], *LAID[j + 1 :])
            yield f"{kind}: card {k} as it was", {**LAY.fields, "laid": laid}, "proof.lay-without-remask"
    yield "laid: the cards as they were", {**LAY.fields, "laid": CARDS}, "proof.lay-without-remask"
    yield "laid and cards exchanged", {**LAY.fields, "laid": CARDS, "cards": LAID}, LAY.code
    yield "the laid card twice", {**LAY.fields, "laid": (LAID[0], LAID[0])}, LAY.code
    branches = PROOF[32:64] + PROOF[:32] + PROOF[128:] + PROOF[64:128]
    yield "branches exchanged", {**LAY.fields, "proof": branches}, LAY.code


def test_the_lay_as_it_is_verifies() -> None:
    LAY.verify(**LAY.fields)


def test_every_change_is_refused() -> None:
    """DECK-8, DECK-1: context, round, key, every half of all four cards, every scalar of the proof."""
    found, tried = not_refused(LAY, changes())
    assert found == []
    assert tried > 130


def test_a_lay_of_another_protocol_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(challenge, "PROTOCOL", "dealerless/2 deck")
    assert refusal(LAY.fields) == "proof.lay"


@pytest.mark.parametrize("choice", [0, 1])
@pytest.mark.parametrize("scalars", [(0, 5), (5, 0), (0, 0)])
def test_a_card_that_is_not_covered_anew_is_refused(choice: int, scalars: tuple[int, int]) -> None:
    """DECK-8: though the proof's equations hold."""
    witness = laying.LayWitness(choice, scalars)
    assert refusal(proven(laying.apply_lay(SECRET, CARDS, witness), witness)) == "proof.lay-without-remask"


@pytest.mark.parametrize("choice", [0, 1])
def test_half_a_cover_is_no_lay(choice: int) -> None:
    """DECK-8: one half as it was, or covered by another multiple than the other half: the card would be another."""
    witness = laying.LayWitness(choice, (7, 8))
    laid = laying.apply_lay(SECRET, CARDS, witness)
    for place in (0, 1):
        card, other = laid[place], CARDS[choice ^ place]
        for wrong in ((card[0], other[1]), (other[0], card[1]), (card[0], group.add(card[1], group.BASE))):
            assert refusal(proven((*laid[:place], wrong, *laid[place + 1 :]), witness)) == "proof.lay"


@pytest.mark.parametrize("choice", [0, 1])
def test_a_card_that_is_not_held_is_refused(choice: int) -> None:
    """DECK-8: laid or kept, a strange card, the laid one once more, and the one that was laid before."""
    witness = laying.LayWitness(choice, (7, 8))
    laid = laying.apply_lay(SECRET, CARDS, witness)
    again = laying.apply_lay(SECRET, CARDS, laying.LayWitness(choice, (9, 10)))
    (strange,) = cover(UP[20])
    for wrong in ((strange, laid[1]), (laid[0], strange), (laid[0], again[0]), (laid[1], again[1])):
        assert refusal(proven(wrong, witness)) == "proof.lay"
        assert refusal(proven(wrong, laying.LayWitness(choice ^ 1, (8, 7)))) == "proof.lay"
    nexts = (laid[1], cover(UP[21])[0])
    for wrong in ((laid[0], nexts[1]), (again[0], nexts[1])):
        assert refusal(proven(wrong, witness, nexts)) in ("proof.lay", "proof.lay-without-remask")


def test_two_equal_cards() -> None:
    """DECK-8: every card is there three times; two of one point are laid like others."""
    cards = cover(UP[0], UP[0])
    for choice in (0, 1):
        laid, proof = laying.lay(SECRET, CONTEXT, 1, KEY, cards, choice, DRAW.randbytes)
        laying.verify_lay(CONTEXT, 1, KEY, cards, laid, proof)
        assert [opened(card) for card in laid] == [UP[0]] * 2


def test_what_is_ours_is_looked_at() -> None:
    """A caller's mistakes are no proofs of others'."""
    for cards in ((), CARDS[:1], (*CARDS, CARDS[0])):
        with pytest.raises(UsageError):
            LAY.verify(**{**LAY.fields, "cards": cards})
        with pytest.raises(UsageError):
            laying.lay(SECRET, CONTEXT, 1, KEY, cards, 0, DRAW.randbytes)
    for choice in (-1, 2):
        with pytest.raises(UsageError):
            laying.lay(SECRET, CONTEXT, 1, KEY, CARDS, choice, DRAW.randbytes)
    with pytest.raises(UsageError):
        laying.lay(SECRET, CONTEXT, 1, STRANGER, CARDS, 0, DRAW.randbytes)
    with pytest.raises(UsageError):
        laying.apply_lay(SECRET, CARDS, laying.LayWitness(0, (1,)))
    with pytest.raises(UsageError):
        proven(LAID[:1], laying.LayWitness(0, (1, 2)))


def test_both_choices_take_the_same_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """DECK-8: what is asked of libsodium, and in what order."""

    def work(choice: int) -> tuple[str, ...]:
        return recorded(monkeypatch, lambda: laying.lay(SECRET, CONTEXT, 1, KEY, CARDS, choice, DRAW.randbytes))

    assert work(0) == work(1)
    assert len(work(0)) > 20


@pytest.mark.parametrize("source", [bytes, lambda count: b"\xff" * count], ids=["zeros", "ones"])
def test_a_source_that_repeats_itself_repeats_nothing(source: Callable[[int], bytes]) -> None:
    """V13, DECK-10: for two rounds, contexts or choices neither a cover nor a commitment is the same."""
    seen: list[bytes] = []
    for context, number, choice in (
        (CONTEXT, 1, 0),
        (CONTEXT, 1, 1),
        (CONTEXT, 2, 0),
        (replace(CONTEXT, prev=bytes(32)), 1, 0),
    ):
        laid, proof = laying.lay(SECRET, context, number, KEY, CARDS, choice, source)
        seen += [group.subtract(laid[j][0], CARDS[choice ^ j][0]) for j in (0, 1)]
        c0, c1, *s = [group.decode_scalar(proof[at : at + 32]) for at in range(0, 192, 32)]
        for e, c in enumerate((c0, c1)):
            for j in (0, 1):
                points_of = (group.BASE, laid[j][0], CARDS[e ^ j][0])
                seen.append(group.combine((s[2 * e + j], -c, c), points_of))
    assert len(set(seen)) == len(seen) == 24


def test_a_witness_that_is_used_again_gets_other_nonces() -> None:
    """V13: with one source, for another round; the responses would give r away."""
    witness = laying.LayWitness(1, (7, 8))
    laid = laying.apply_lay(SECRET, CARDS, witness)
    seen: list[bytes] = []
    for number in (1, 2):
        proof = laying.prove_lay(SECRET, CONTEXT, number, KEY, CARDS, laid, witness, bytes)
        c, s = [group.decode_scalar(proof[at : at + 32]) for at in (32, 128)]
        seen.append(group.combine((s, -c), (group.BASE, group.multiply_base(7))))
    assert len(set(seen)) == 2


def test_a_witness_is_neither_printed_nor_copied() -> None:
    """DECK-10, G09."""
    witness = laying.LayWitness(1, (123456789, 987654321))
    for text in (repr(witness), str(witness), f"{[witness]}"):
        assert not any(part in text for part in ("1", "scalars", "choice"))
    for spread in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="neither pickled nor copied"):
            spread(witness)
    assert not hasattr(witness, "__dict__")
