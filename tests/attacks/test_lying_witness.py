"""What a witness that lies can do together with a seat, and what it cannot (VERDICT-6, VERDICT-2a, VERDICT-4)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dealerless.errors import Violation
from dealerless.players.staging import BANK_SECONDS, MOVE_SECONDS, Setting, Staging, absence
from dealerless.protocol.events import Acted, Expelled
from dealerless.protocol.machine import step
from dealerless.protocol.noshow import NoShow
from dealerless.protocol.state import State
from dealerless.protocol.witness import Receipt, contradicted, sign_no_show, sign_receipt
from dealerless.referee import Outcome, Verdict, replay
from tests.matches import KEYS, Match, envelope_at, fixed, hex_offer, named, random_of

# Ends of matches that seat 1 brings about with a witness that lies for it; seat 0 is honest and never late.
LIAR, HONEST = 1, 0


def at_table(label: str = "lies", hands: int = 1) -> Staging:
    return Staging(Setting(cheat=LIAR, hands=hands, witnessed=True), random_of(label))


def cheated(staging: Staging) -> Verdict:
    """The verdict when the liar expels the honest seat with its witness's word, whatever the time is."""
    frame = staging.forger.forge(absence(HONEST, staging.no_show(HONEST)))
    staging.sends(frame)
    return replay(staging.played().transcript)


# --- what it can do


@pytest.mark.parametrize(("moves", "lost"), [("BET", 10), ("BET RAISE RAISE", 30), ("CHECK BET CALL", 20)])
def test_it_costs_the_other_the_running_hands_pot(moves: str, lost: int) -> None:
    """VERDICT-6: terms that name a witness trust its clock, so the verdict follows its word; up to the pot."""
    staging = at_table()
    staging.play(moves)
    assert staging.session.legal()
    verdict = cheated(staging)
    assert verdict.outcome is Outcome.FAULT
    assert verdict.fault is not None
    assert (verdict.fault.code, verdict.fault.seat) == ("witness.no-show", HONEST)
    assert verdict.stacks == (60 - lost, 60 + lost)
    assert [(forfeit.seat, forfeit.amount) for forfeit in verdict.forfeits] == [(HONEST, lost)]


def test_it_ends_a_match_heads_up_and_changes_no_earlier_hand() -> None:
    """VERDICT-4: what was won before stays won; the hands that were agreed and not played are not played."""
    staging = at_table(hands=3)
    staging.play("CHECK BET FOLD CHECK BET FOLD BET")
    before = staging.session.state.books.net
    verdict = cheated(staging)
    assert sum(verdict.net) == 0
    assert verdict.net[HONEST] - before[HONEST] == -10
    assert [hand.result for hand in verdict.hands] == ["fold", "fold", "forfeit"]
    assert staging.session.owed is None


# --- what it cannot do


def test_no_word_makes_a_late_no_show_of_a_message_that_was_built_on() -> None:
    """VERDICT-2a: an expulsion in place of a message that has been answered belongs to no chain: nobody is blamed."""
    staging = at_table()
    staging.play("BET")
    word = staging.no_show(HONEST)
    late = staging.forger.forge(absence(HONEST, word))
    staging.play("CALL CHECK")
    staging.sends(late)
    assert [dropped.code for dropped in staging.dropped] == ["record.wrong-sequence"]
    staging.play("CHECK")
    verdict = replay(staging.played().transcript)
    assert (verdict.outcome, verdict.fault) == (Outcome.CLEAN, None)


def test_a_no_show_holds_for_one_seat_one_place_and_one_match() -> None:
    """SIG-3, VERDICT-6: moved anywhere else it convicts who uses it."""
    staging = at_table()
    staging.play("BET")
    word = staging.no_show(HONEST)
    staging.play("CALL CHECK")
    staging.forges(absence(HONEST, word))
    assert staging.session.fault is not None
    assert (staging.session.fault.seat, staging.session.fault.error.code) == (LIAR, "witness.bad-receipt")

    other = at_table("another match")
    other.play("BET")
    other.forges(absence(HONEST, word))
    assert other.session.fault is not None
    assert (other.session.fault.seat, other.session.fault.error.code) == (LIAR, "witness.bad-receipt")


def test_a_witness_has_no_seat() -> None:
    """SIG-1, CHAIN-1: it signs receipts and no-shows; a move under its key is nobody's."""
    staging = at_table()
    staging.play("BET")
    body = staging.forger.body(Acted(move="FOLD", amount=0), seat=HONEST)
    liar = Staging(staging.setting, random_of("the witness as a player"), (staging.witness, KEYS[8]))
    staging.sends(liar.forger.sign(body))
    assert [dropped.code for dropped in staging.dropped] == ["record.bad-signature"]


def words_of(match: Match, *places: int) -> tuple[NoShow, ...]:
    """The no-shows of these witnesses (keys 4 and on) against the seat that owes, each with its own receipt."""
    state, agreed = match.state, match.state.agreed
    told = []
    for place in places:
        key = KEYS[4 + place]
        receipt = sign_receipt(key, place, agreed.session, state.seq - 1, state.head, match.owing, 1000).signature
        at = 1000 + 1000 * (MOVE_SECONDS + BANK_SECONDS)
        bank = 1000 * BANK_SECONDS
        told.append(
            sign_no_show(
                key,
                place,
                agreed,
                state.seq,
                state.head,
                match.owing,
                since=1000,
                bank=bank,
                at=at,
                receipt=receipt,
            )
        )
    return tuple(told)


def refusal(state: State, seat: int, event: Expelled) -> str | None:
    try:
        step(state, envelope_at(state, seat, event))
    except Violation as error:
        return error.code
    return None


@pytest.mark.parametrize(
    ("places", "code"),
    [
        ((0,), "witness.too-few"),
        ((0, 0), "witness.too-few"),
        ((1, 1), "witness.too-few"),
        ((0, 2), None),
        ((2, 1), None),
        ((0, 1, 2), None),
    ],
)
def test_one_liar_is_not_enough_where_two_must_agree(places: tuple[int, ...], code: str | None) -> None:
    """VERDICT-6: as many different witnesses as the threshold says; no witness counts twice."""
    offer = replace(
        hex_offer("threshold"),
        witnesses=tuple(key.public.key for key in KEYS[4:7]),
        threshold=2,
        move_seconds=MOVE_SECONDS,
        bank_seconds=BANK_SECONDS,
    )
    match = Match(offer, "threshold")
    while not match.sessions[1].legal():
        match.turn()
    match.turn(named("BET"))
    absent = match.owing
    assert refusal(match.state, 1 - absent, absence(absent, *words_of(match, *places))) == code


def test_a_witness_that_signed_both_ways_is_void() -> None:
    """VERDICT-6: a timely receipt of the very message takes back the no-show; a later or another one does not."""
    staging = at_table()
    staging.play("BET")
    word, state = staging.no_show(HONEST), staging.session.state
    agreed = state.agreed

    def receipt(seq: int = state.seq, at: int = word.at - 1, session: bytes = agreed.session) -> Receipt:
        return sign_receipt(staging.witness, 0, session, seq, fixed("the move that came in time"), LIAR, at)

    assert contradicted(agreed, state.seq, word, (receipt(),))
    assert not contradicted(agreed, state.seq, word, ())
    assert not contradicted(agreed, state.seq, word, (receipt(at=word.at + 1),))
    assert not contradicted(agreed, state.seq, word, (receipt(seq=state.seq - 1),))
    assert not contradicted(agreed, state.seq, word, (receipt(session=fixed("another match")),))
