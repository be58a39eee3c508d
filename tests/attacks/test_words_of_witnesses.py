"""What a no-show and a receipt must say, field by field, to hold against anybody (VERDICT-6, WITNESS-3, SIG-3)."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from dealerless.crypto.ed25519 import SigningKey
from dealerless.encoding import encode
from dealerless.errors import DecodeError, UsageError, Violation
from dealerless.protocol.events import Expelled, Left
from dealerless.protocol.machine import open_frame
from dealerless.protocol.noshow import NoShow
from dealerless.protocol.records import ZERO_HASH, encode_record
from dealerless.protocol.state import Match as Agreed
from dealerless.protocol.state import Phase
from dealerless.protocol.witness import (
    NOBODY,
    Posted,
    Receipt,
    check_absence,
    check_receipt,
    check_word,
    contradicted,
    no_show_text,
    read_receipt,
    receipt_text,
    sign_no_show,
    sign_receipt,
)
from dealerless.referee import Outcome, replay
from dealerless.referee.receipts import MAGIC, MAX_FORGED, ReceiptFile, encode_receipt, read_receipts, void_words
from tests.matches import KEYS, STRANGER, Match, fixed, hex_offer

WITNESSES = KEYS[4:7]
MOVE, BANK = 60, 30
SINCE = 1_700_000_000_000
SEQ, HEAD, SEAT = 41, fixed("the message before"), 1
CAUSE = Posted(SEQ - 1, HEAD)


def watched(threshold: int = 1) -> Match:
    """A match of two before three witnesses, a minute a move and half a minute in the bank."""
    keys = tuple(key.public.key for key in WITNESSES)
    terms = replace(hex_offer(), witnesses=keys, threshold=threshold, move_seconds=MOVE, bank_seconds=BANK)
    return Match(terms).until(Phase.BETTING)


def terms(threshold: int = 1) -> Agreed:
    return watched(threshold).state.agreed


def receipt_of(match: Agreed, place: int, key: SigningKey | None = None, **other: Any) -> Receipt:
    """This witness's receipt of the message that makes SEAT owe, or of something else."""
    said: dict[str, Any] = {
        "session": match.session,
        "seq": SEQ - 1,
        "record": HEAD,
        "owing": SEAT,
        "at": SINCE,
    } | other
    return sign_receipt(WITNESSES[place] if key is None else key, place, **said)


def word_of(
    match: Agreed, place: int = 0, *, bank: int = 1000 * BANK, late: int = 0, since: int = SINCE, receipt: bytes = b""
) -> NoShow:
    """This witness's no-show of SEAT, so many milliseconds after its time ran out."""
    return sign_no_show(
        WITNESSES[place],
        place,
        match,
        SEQ,
        HEAD,
        SEAT,
        since=since,
        bank=bank,
        at=since + 1000 * MOVE + bank + late,
        receipt=receipt or receipt_of(match, place, at=since).signature,
    )


def told(refusal: Violation | None) -> tuple[str, object, object] | None:
    return None if refusal is None else (refusal.code, refusal.expected, refusal.actual)


def judged(
    match: Agreed, word: NoShow, cause: Posted | tuple[NoShow, ...] = CAUSE
) -> tuple[str, object, object] | None:
    return told(check_word(match, SEQ, HEAD, SEAT, word, cause))


def test_verdict_6_what_is_signed_byte_by_byte() -> None:
    """VERDICT-6, SIG-3: each text is its tag, a zero byte, and every one of its fields."""
    record = fixed("a message")
    assert receipt_text(HEAD, 7, record, 2, 9) == b"dealerless/1 receipt\0" + encode((HEAD, 7, record, 2, 9))
    fields = (record, 7, HEAD, 2, 9, 5, 20)
    text = no_show_text(*fields[:3], seat=2, since=9, bank=5, at=20)
    assert text == b"dealerless/1 noshow\0" + encode(fields)
    # WITNESS-3: after the last message nobody owes.
    assert NOBODY == -1


def test_verdict_6_the_times_of_a_no_show() -> None:
    """VERDICT-6: to the millisecond a move's time and the rest of the bank, which is at most the bank of the terms."""
    match = terms()
    full, move = 1000 * BANK, 1000 * MOVE
    assert [judged(match, word_of(match, bank=bank)) for bank in (0, 1, full)] == [None] * 3
    assert judged(match, word_of(match, late=1)) is None
    assert judged(match, word_of(match, late=-1)) == ("witness.too-soon", move + full, move + full - 1)
    assert judged(match, word_of(match, bank=0, late=-1)) == ("witness.too-soon", move, move - 1)
    more = word_of(match, bank=full + 1)
    assert judged(match, more) == ("witness.too-soon", move + full + 1, move + full + 1)


def test_verdict_6_a_no_show_is_by_a_witness_of_the_offer() -> None:
    """VERDICT-6: the place of one that is not there is no place."""
    match = terms()
    assert [judged(match, word_of(match, place)) for place in range(3)] == [None] * 3
    nobody = word_of(match)._replace(witness=3)
    assert judged(match, nobody) == ("witness.too-few", 3, 3)


@pytest.mark.parametrize("other", [{"seq": SEQ}, {"record": fixed("x")}, {"owing": 0}, {"at": SINCE + 1}])
def test_verdict_6_the_receipt_in_a_no_show_is_of_what_made_the_seat_owe(other: dict[str, Any]) -> None:
    """VERDICT-6: of that message, naming that seat, at the time the no-show says; and by the same witness."""
    match = terms()
    wrong = receipt_of(match, 0, **other).signature
    anothers = receipt_of(match, 1).signature
    for signature in (wrong, anothers):
        told = ("witness.bad-receipt", (CAUSE.seq, CAUSE.record, SEAT), (SINCE, signature))
        assert judged(match, word_of(match, receipt=signature)) == told


def test_verdict_6_a_no_show_is_signed_by_its_witness_for_this_place() -> None:
    """VERDICT-6: its signature is checked last, over the number, the head, the seat and the times."""
    match, word = terms(), word_of(terms())

    def bad(word: NoShow, seq: int = SEQ, head: bytes = HEAD) -> tuple[str, object, object]:
        return "witness.bad-no-show", (seq, head, SEAT, word.since, word.bank, word.at), word.signature

    for changed in (
        word._replace(signature=word.receipt),
        word._replace(at=word.at + 1),
        word._replace(bank=word.bank - 1),
    ):
        assert judged(match, changed) == bad(changed)
    head = fixed("another head")
    assert told(check_word(match, SEQ, head, SEAT, word, CAUSE)) == bad(word, head=head)
    assert told(check_word(match, SEQ + 1, HEAD, SEAT, word, CAUSE)) == bad(word, SEQ + 1)


def test_chain_5_a_second_clock_begins_with_the_first_no_show_of_the_same_witness() -> None:
    """CHAIN-5, VERDICT-6: its signature is the receipt and its time the beginning; each of the three is asked for."""
    match = terms()
    # Both witnesses signed in the same millisecond, so that the time alone does not tell them apart.
    earlier = (word_of(match, 0), word_of(match, 1))
    at, (zero, one) = earlier[0].at, earlier
    assert judged(match, word_of(match, 0, since=at, receipt=zero.signature), earlier) is None
    assert judged(match, word_of(match, 1, since=at, receipt=one.signature), earlier) is None
    for wrong in (
        word_of(match, 0, since=at, receipt=one.signature),
        word_of(match, 0, since=at - 1, receipt=zero.signature),
        word_of(match, 0, since=at, receipt=zero.receipt),
        word_of(match, 2, since=at, receipt=zero.signature),
        word_of(match, 0, since=at),
    ):
        expected = (at, earlier[wrong.witness].signature) if wrong.witness < 2 else ()
        assert judged(match, wrong, earlier) == ("witness.bad-receipt", expected, (wrong.since, wrong.receipt))


def test_verdict_6_as_many_witnesses_as_the_terms_say() -> None:
    """VERDICT-6: different ones, each with a word that counts; and in a match without a threshold there is none."""
    match = terms(threshold=2)
    words = tuple([word_of(match, place) for place in range(3)])

    def of(match: Agreed, *words: NoShow) -> tuple[str, object, object] | None:
        return told(check_absence(match, SEQ, HEAD, SEAT, words, CAUSE))

    assert [of(match, *words), of(match, *words[1:])] == [None, None]
    assert of(match, words[0]) == ("witness.too-few", 2, 1)
    assert of(match) == ("witness.too-few", 2, 0)
    assert of(match, words[0], words[1], words[0]) == ("witness.too-few", 2, 3)
    early = word_of(match, 2, late=-1)
    assert of(match, words[0], early) == ("witness.too-soon", 1000 * (MOVE + BANK), 1000 * (MOVE + BANK) - 1)
    none = Match(hex_offer()).until(Phase.BETTING).state.agreed
    assert [of(none), of(none, words[0])] == [("witness.too-few", 0, 0), ("witness.too-few", 0, 1)]


# --- receipts by themselves


def test_verdict_6_a_receipt_is_its_witness_s_word_on_this_match() -> None:
    """VERDICT-6: under the key at its place in the offer, and for no other session."""
    match = terms()
    for place in range(3):
        check_receipt(match, receipt_of(match, place))
    right = receipt_of(match, 2)
    elsewhere = receipt_of(match, 0, session=fixed("another match"))
    for wrong in (
        right._replace(witness=-1),
        right._replace(witness=3),
        right._replace(witness=1),
        right._replace(at=SINCE + 1),
        receipt_of(match, 0, STRANGER),
        elsewhere,
    ):
        with pytest.raises(Violation) as caught:
            check_receipt(match, wrong)
        assert told(caught.value) == ("witness.bad-receipt", None, SEQ - 1)


def test_verdict_6_which_receipt_contradicts_a_no_show() -> None:
    """VERDICT-6: the same witness's, in the same match, for the number that was owed, and not after the no-show."""
    match = terms()
    word = word_of(match)
    timely = receipt_of(match, 0, seq=SEQ, record=fixed("came in time"), at=word.at)
    assert contradicted(match, SEQ, word, (timely,))
    wrong = (
        timely._replace(witness=1),
        timely._replace(session=fixed("another match")),
        timely._replace(seq=SEQ - 1),
        timely._replace(at=word.at + 1),
    )
    assert not contradicted(match, SEQ, word, wrong)
    assert contradicted(match, SEQ, word, (*wrong, timely._replace(at=word.at - 1)))


FIELDS: tuple[Any, ...] = tuple(receipt_of(terms(), 2))


@pytest.mark.parametrize("place", range(len(FIELDS)))
@pytest.mark.parametrize("wrong", [None, True, "1", 1.0, ()])
def test_witness_3_a_receipt_is_seven_fields_of_their_types(place: int, wrong: object) -> None:
    """WITNESS-3, ENC-2: a truth value is no number, though Python counts with it."""
    assert read_receipt(FIELDS) == FIELDS
    spoiled = (*FIELDS[:place], wrong, *FIELDS[place + 1 :])
    for value in (spoiled, FIELDS[:place] + FIELDS[place + 1 :], wrong):
        with pytest.raises(DecodeError) as caught:
            read_receipt(value)
        assert caught.value.code == "encoding.wrong-type"


# --- receipts as a file, and what they take back


def test_verdict_6_a_file_of_receipts_says_which_record_is_damaged() -> None:
    """VERDICT-6: all of it is read, as often as somebody goes through it, or none."""
    match = terms()
    receipts = [receipt_of(match, place) for place in range(3)]
    good = [encode_receipt(receipt) for receipt in receipts]
    assert list(ReceiptFile(io.BytesIO(MAGIC))) == []
    file = ReceiptFile(io.BytesIO(MAGIC + b"".join(good)))
    assert list(file) == receipts
    assert list(file) == receipts
    fields = tuple(receipts[0])
    spoiled = [encode((*fields[:place], True, *fields[place + 1 :])) for place in (0, 2, 4, 5)]
    for junk in [*spoiled, encode(fields[:-1]), b"\xc1", b"\x81\x00\x00"]:
        for number in range(3):
            records = [*good[:number], encode_record(junk), *good[number:]]
            with pytest.raises(UsageError) as caught:
                ReceiptFile(io.BytesIO(MAGIC + b"".join(records)))
            assert (caught.value.code, caught.value.actual) == ("receipts.damaged", number)
    with pytest.raises(UsageError) as caught:
        ReceiptFile(io.BytesIO(b"x" + MAGIC[1:]))
    assert (caught.value.code, caught.value.actual) == ("receipts.damaged", 0)
    for number in range(3):
        torn = MAGIC + b"".join(good[:number]) + good[number][:-1]
        with pytest.raises(UsageError) as caught:
            list(read_receipts(io.BytesIO(torn)))
        assert (caught.value.code, caught.value.actual) == ("receipts.damaged", number)


def absent_in(match: Match, *places: int) -> tuple[Expelled, Callable[..., Receipt]]:
    """An expulsion of who owes on the word of these witnesses, and receipts of a message that came in its time."""
    state, seat = match.state, match.owing
    words = []
    for place in places:
        key, agreed = WITNESSES[place], state.agreed
        cause = sign_receipt(key, place, agreed.session, state.seq - 1, state.head, seat, SINCE).signature
        at = SINCE + 1000 * MOVE
        words.append(
            sign_no_show(key, place, agreed, state.seq, state.head, seat, since=SINCE, bank=0, at=at, receipt=cause)
        )

    def timely(place: int, key: SigningKey | None = None, **other: Any) -> Receipt:
        said: dict[str, Any] = {
            "seq": state.seq,
            "record": fixed("in time"),
            "owing": 1 - seat,
            "at": SINCE + 1,
        } | other
        return sign_receipt(WITNESSES[place] if key is None else key, place, state.agreed.session, **said)

    return Expelled(seat=seat, record=ZERO_HASH, absent=((seat, tuple(words)),)), timely


def test_verdict_6_whose_words_are_void() -> None:
    """VERDICT-6: theirs who signed both, as their own keys say; a forged or another receipt takes nothing back."""
    match = watched(threshold=2)
    event, timely = absent_in(match, 0, 1)
    state, seat = match.state, match.owing

    def void(*receipts: Receipt) -> frozenset[tuple[int, int]]:
        return void_words(state, event, receipts)

    assert void() == frozenset()
    assert void(timely(0)) == {(seat, 0)}
    assert void(timely(1), timely(1, at=SINCE)) == {(seat, 1)}
    assert void(timely(0), timely(1), timely(2)) == {(seat, 0), (seat, 1)}
    assert void(timely(0, STRANGER), timely(1, WITNESSES[0]), timely(2), timely(0, seq=state.seq - 1)) == frozenset()
    # A forged one before it hides nothing.
    assert void(timely(0, STRANGER), timely(0)) == {(seat, 0)}


def test_verdict_6_forged_receipts_are_looked_at_up_to_a_bound() -> None:
    """VERDICT-6: 64 of each witness, for this number; those of other numbers, or without a no-show, are not counted."""
    assert MAX_FORGED == 64
    match = watched(threshold=2)
    event, timely = absent_in(match, 0, 1)
    state, seat = match.state, match.owing
    other = timely(0, STRANGER, seq=state.seq - 1), timely(2, STRANGER), timely(0, STRANGER, record=ZERO_HASH)
    forged = timely(0, STRANGER)

    def void(*receipts: Receipt) -> frozenset[tuple[int, int]]:
        return void_words(state, event, receipts)

    most = (*(forged,) * (MAX_FORGED - 1), *other * 2)
    assert void(*most, timely(0)) == {(seat, 0)}
    assert void(*most, forged, timely(0)) == frozenset()
    assert void(*most, forged, timely(1), timely(0)) == {(seat, 1)}


@pytest.mark.parametrize(
    ("places", "void", "left"), [((0, 1), (), 2), ((0, 1), (0,), 1), ((0, 1, 2), (0,), 2), ((0, 1, 2), (2, 1), 1)]
)
def test_verdict_6_enough_words_are_left_or_nobody_is_blamed(
    places: tuple[int, ...], void: tuple[int, ...], left: int
) -> None:
    """VERDICT-6: where two must agree, one of three may be void, and one of two may not."""
    match = watched(threshold=2)
    event, timely = absent_in(match, *places)
    seat, seq = match.owing, match.state.seq
    match.say(1 - seat, event)
    match.out.add(seat)
    verdict = replay(match.play().transcript(), receipts=[timely(place) for place in void])
    if left == 2:
        assert verdict.fault is not None
        assert (verdict.fault.code, verdict.fault.seat, verdict.fault.seq) == ("witness.no-show", seat, seq)
        assert (verdict.fault.expected, verdict.fault.actual) == (1000 * MOVE, 1000 * MOVE)
    else:
        assert (verdict.outcome, verdict.fault) == (Outcome.INCOMPLETE, None)
        assert verdict.damage is not None
        assert (verdict.damage.reason, verdict.damage.record, verdict.frames) == ("witness.void", seq, seq)


def test_verdict_6_the_receipt_of_the_refused_message_is_no_contradiction() -> None:
    """VERDICT-6, CHAIN-5: it began the clock of who was to expel its author, so it cannot show that seat in time."""
    match = watched()
    author = match.owing
    match.cheat(author, match.forge(author, Left()))
    refused, state = open_frame(match.frames[-1]), match.state
    cause = sign_receipt(WITNESSES[0], 0, state.agreed.session, state.seq, refused.record, 1 - author, SINCE)
    at = SINCE + 1000 * MOVE
    said = sign_no_show(
        WITNESSES[0],
        0,
        state.agreed,
        state.seq,
        state.head,
        1 - author,
        since=SINCE,
        bank=0,
        at=at,
        receipt=cause.signature,
    )
    event = Expelled(seat=author, record=refused.record, absent=((1 - author, (said,)),))
    assert void_words(state, event, (cause,)) == frozenset()
    other = sign_receipt(WITNESSES[0], 0, state.agreed.session, state.seq, fixed("the expulsion"), author, at)
    assert void_words(state, event, (cause, other)) == {(1 - author, 0)}
