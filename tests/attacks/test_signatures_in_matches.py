"""Keys and signatures on which libraries disagree, as a referee meets them: in a transcript, at a seat, on a message.

The wrapper's own tests (tests/vectors/test_ed25519.py) say what each of them is; here is what that makes of a file.
None blames anybody: without a valid signature there is no author (SIG-1, SIG-2, VERDICT-1).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dealerless.crypto.ed25519 import SMALL_ORDER, L
from dealerless.encoding import encode
from dealerless.errors import Unattributed
from dealerless.protocol.envelope import decode_body
from dealerless.protocol.events import Accepted, Expelled, Offered
from dealerless.protocol.records import ZERO_HASH, decode_frame, encode_frame, signed_text
from dealerless.protocol.state import Phase
from dealerless.protocol.witness import sign_no_show, sign_receipt
from dealerless.referee import Outcome, Verdict
from tests.matches import KEYS, Match, body_at, fixed, fold, hex_offer, judged, named, signed
from tests.oracle import naive_ed25519 as naive

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent.parent / "vectors" / "ed25519.json").read_text())[
    "cases"
]
SPECCHECK = [case for case in CASES if case["name"].startswith("speccheck_")]
BAD_KEYS = [case for case in CASES if case["expect"] in ("signature.weak-key", "signature.non-canonical-key")]
BAD_KEYS = [case for case in BAD_KEYS if len(case["key"]) == 64]
IDENTITY = bytes([1]) + bytes(31)
SECRETS = tuple([naive.scalar_of(fixed(f"key of seat {seat}")) for seat in range(2)])


def offer_of(*keys: bytes, witnesses: tuple[bytes, ...] = ()) -> Offered:
    """An offer by whoever has the first of these keys."""
    watched = 1 if witnesses else 0
    players = tuple([(key, f"seat {seat}") for seat, key in enumerate(keys)])
    return replace(hex_offer(), players=players, witnesses=witnesses, threshold=watched, move_seconds=30 * watched)


def offered(offer: Offered) -> bytes:
    """The body of an offer."""
    return encode((1, ZERO_HASH, 0, 0, ZERO_HASH, offer.KIND, offer.fields()))


def nobody(verdict: Verdict, record: int, reason: str, detail: str | None = None) -> None:
    """The verdict is damage at this record, and blames nobody."""
    assert verdict.outcome is (Outcome.INCOMPLETE if record else Outcome.UNREADABLE)
    assert verdict.fault is None
    assert verdict.forfeits == ()
    assert verdict.frames == record
    assert verdict.damage is not None
    assert (verdict.damage.record, verdict.damage.reason, verdict.damage.detail) == (record, reason, detail)


# --- keys in an offer


def test_there_are_ten_and_fourteen() -> None:
    assert len(SPECCHECK) == 10
    assert {bytes.fromhex(case["key"]) for case in BAD_KEYS} >= SMALL_ORDER
    assert len(SMALL_ORDER) == 14


@pytest.mark.parametrize("case", BAD_KEYS, ids=[case["name"] for case in BAD_KEYS])
def test_s01_s06_a_bad_key_takes_no_seat(case: dict[str, Any]) -> None:
    """S01, S06, SIG-1: neither as the seat that offers, whatever its signature, nor as another, nor as a witness."""
    bad, good = bytes.fromhex(case["key"]), KEYS[0].public.key
    body = offered(offer_of(bad, good))
    for signature in (bytes.fromhex(case["signature"]), IDENTITY + bytes(32), bad + bytes(32), bytes(64)):
        if len(signature) == 64:
            nobody(judged(encode_frame(body, signature)), 0, "record.bad-signature", case["expect"])
    for offer in (offer_of(good, bad), offer_of(good, KEYS[1].public.key, witnesses=(bad,))):
        nobody(judged(signed(KEYS[0], offered(offer))), 0, "record.before-ready", case["expect"])


@pytest.mark.parametrize("case", SPECCHECK, ids=[case["name"] for case in SPECCHECK])
def test_s01_s04_the_published_cases_at_both_seats(case: dict[str, Any]) -> None:
    """S01, S04, SIG-2: the cases' own keys and signatures; where the key may play, the signature is what fails."""
    key, signature = bytes.fromhex(case["key"]), bytes.fromhex(case["signature"])
    weak = case["expect"] == "signature.weak-key"
    first = judged(encode_frame(offered(offer_of(key, KEYS[1].public.key)), signature))
    nobody(first, 0, "record.bad-signature", "signature.weak-key" if weak else None)
    offer = signed(KEYS[0], offered(offer_of(KEYS[0].public.key, key)))
    if weak:
        nobody(judged(offer), 0, "record.before-ready", "signature.weak-key")
        return
    state = fold([offer])[-1]
    accepted = body_at(state, 1, "accept", Accepted(nonce=bytes(32), channel=b"").fields())
    nobody(judged(offer, encode_frame(accepted, signature)), 1, "record.bad-signature")
    # The case's own message is no body at all, so it is nobody's either.
    foreign = encode_frame(bytes.fromhex(case["message"]), signature)
    nobody(judged(offer, foreign), 1, "record.no-header")


def test_s01_two_seats_with_one_key() -> None:
    """SIG-1: nor may a witness be a player."""
    one, two = KEYS[0].public.key, KEYS[1].public.key
    for offer in (offer_of(one, one), offer_of(one, two, witnesses=(two,))):
        nobody(judged(signed(KEYS[0], offered(offer))), 0, "record.before-ready", "signature.duplicate-key")


# --- signatures on the messages of a match


@cache
def frames() -> tuple[bytes, ...]:
    return tuple(Match(hex_offer(depth=3)).play(named("CHECK BET RAISE CALL")).frames)


def answered(commitment: bytes, seat: int, text: bytes) -> bytes:
    """What a seat can sign with this R and its own secret: S = h*a, for which S*B = h*A."""
    h = naive.challenge(commitment, KEYS[seat].public.key, text)
    return commitment + (h * SECRETS[seat] % L).to_bytes(32, "little")


def with_torsion(seat: int, text: bytes, order: int) -> bytes:
    """A signature that holds when both sides are multiplied by the cofactor, and not otherwise."""
    assert naive.BASE is not None
    assert naive.TORSION is not None
    r = int.from_bytes(fixed(f"r of order {order}"), "little") % L
    commitment = naive.encode(naive.add(naive.times(r, naive.BASE), naive.times(8 // order, naive.TORSION)))
    h = naive.challenge(commitment, KEYS[seat].public.key, text)
    return commitment + ((r + h * SECRETS[seat]) % L).to_bytes(32, "little")


def disputed(seat: int, body: bytes, signature: bytes) -> Iterator[tuple[str, bytes]]:
    """Signatures by the seat itself on its own message, each of which some library takes."""
    text = signed_text(body)
    answer = int.from_bytes(signature[32:], "little")
    for more in range(L, 2**256 - answer, L):
        yield f"S + {more // L} L", signature[:32] + (answer + more).to_bytes(32, "little")
    for commitment in sorted(SMALL_ORDER):
        yield f"R = {commitment.hex()}", answered(commitment, seat, text)
    for order in (8, 4, 2):
        yield f"R of order {order} L", with_torsion(seat, text, order)
    yield "S = 0", IDENTITY + bytes(32)
    yield "-R", signature[:31] + bytes([signature[31] ^ 128]) + signature[32:]


def test_the_disputed_ones_are_disputed() -> None:
    """With R = identity and S = h*a the equation holds as it stands; with the others, at least times the cofactor."""
    body, _ = decode_frame(frames()[5])
    text = signed_text(body)
    assert naive.BASE is not None
    for name, signature in disputed(0, body, KEYS[0].sign(text)):
        commitment, answer = signature[:32], int.from_bytes(signature[32:], "little")
        point, key = naive.decode(commitment), naive.decode(KEYS[0].public.key)
        assert key is not None
        if point is None or not name.startswith((f"R = {IDENTITY.hex()}", "R of order", "S + 1 ")):
            continue
        difference = naive.add(
            naive.times(answer, naive.BASE),
            naive.times(L - naive.challenge(commitment, KEYS[0].public.key, text), key),
        )
        assert naive.times(8, difference) == naive.times(8, point), name
        assert not naive.is_signature(KEYS[0].public.key, text, signature), name
        if commitment == IDENTITY:
            assert difference == point


@pytest.mark.parametrize("place", [0, 1, 3, 4, 5, 7, 9, -1])
def test_s02_s04_a_disputed_signature_is_none(place: int) -> None:
    """S02, S04, SIG-2, VERDICT-1: on any message of a match it is damage, though its own seat made it."""
    whole = frames()
    place %= len(whole)
    body, signature = decode_frame(whole[place])
    seat = decode_body(body).header.seat
    for _, other in disputed(seat, body, signature):
        spoiled = encode_frame(body, other)
        nobody(judged(*whole[:place], spoiled, *whole[place + 1 :]), place, "record.bad-signature")
        if place >= 4:
            # Behind the good one, the same message in another spelling is not even looked at.
            end = judged(*whole[: place + 1], spoiled)
            assert end.fault is None
            assert end.damage is not None


def test_s02_a_fault_under_a_disputed_signature_is_nobodys() -> None:
    """VERDICT-1: a rule broken in a body that only some libraries think signed convicts under none."""
    states = fold(frames())
    place = next(place for place, state in enumerate(states) if state.phase is Phase.BETTING)
    state, whole = states[place], frames()[:place]
    assert state.owed is not None
    seat = state.owed.seat
    body = body_at(state, seat, "act", ("FOLD", 7, b""))
    convicted = judged(*whole, signed(KEYS[seat], body))
    assert convicted.fault is not None
    assert convicted.fault.seat == seat
    for _, signature in disputed(seat, body, KEYS[seat].sign(signed_text(body))):
        nobody(judged(*whole, encode_frame(body, signature)), place, "record.bad-signature")


def test_s04_a_player_drops_it_and_takes_the_good_one() -> None:
    """S04: nothing that anybody makes of a message on its way keeps the message out."""
    match = Match(hex_offer()).until(Phase.BETTING)
    seat = match.owing
    other = match.sessions[1 - seat]
    before = other.state
    good = match.sessions[seat].say(match.owed_event())
    body, signature = decode_frame(good)
    for _, spelled in disputed(seat, body, signature):
        with pytest.raises(Unattributed) as caught:
            other.receive(encode_frame(body, spelled))
        assert caught.value.code == "record.bad-signature"
        assert other.state is before
    other.receive(good)


def test_s04_a_witness_word_spelled_anew_proves_no_absence() -> None:
    """S04, VERDICT-6: S + L in a witness's receipt or no-show; whoever expels on such a word is at fault itself."""
    witness = KEYS[8]
    offer = replace(offer_of(*[key.public.key for key in KEYS[:2]], witnesses=(witness.public.key,)))
    match = Match(offer).until(Phase.BETTING)
    state, missing = match.state, match.owing
    receipt = sign_receipt(witness, 0, state.agreed.session, state.seq - 1, state.head, missing, 0).signature
    word = sign_no_show(
        witness, 0, state.agreed, state.seq, state.head, missing, since=0, bank=0, at=30_000, receipt=receipt
    )

    def spelled(signature: bytes) -> bytes:
        return signature[:32] + (int.from_bytes(signature[32:], "little") + L).to_bytes(32, "little")

    for said, code in (
        (word, "witness.no-show"),
        (word._replace(receipt=spelled(receipt)), "witness.bad-receipt"),
        (word._replace(signature=spelled(word.signature)), "witness.bad-no-show"),
    ):
        event = Expelled(seat=missing, record=ZERO_HASH, absent=((missing, (said,)),))
        verdict = match.verdict(match.forge(1 - missing, event))
        assert verdict.fault is not None
        blamed = missing if code == "witness.no-show" else 1 - missing
        assert (verdict.fault.seat, verdict.fault.code) == (blamed, code)
