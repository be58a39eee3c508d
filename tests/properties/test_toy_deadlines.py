"""Deadlines with more than two seats: who lets its time run out, and who then does not expel it either (CHAIN-5)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dealerless.errors import Violation
from dealerless.protocol.events import Event, Expelled, Left
from dealerless.protocol.machine import open_frame
from dealerless.protocol.noshow import NoShow
from dealerless.protocol.records import ZERO_HASH
from dealerless.protocol.state import Phase
from dealerless.protocol.witness import sign_no_show, sign_receipt
from dealerless.referee import Outcome
from tests.matches import KEYS, STRANGER, Match, toy_offer

WITNESS, TIME = KEYS[8], 60_000


def watched(phase: Phase) -> Match:
    """A match of four before one witness, one minute a move, in which a message of this phase is owed."""
    offer = replace(toy_offer(seats=4, hands=1), witnesses=(WITNESS.public.key,), threshold=1, move_seconds=60)
    return Match(offer).until(phase)


def word(match: Match, seat: int, receipt: bytes, since: int, at: int) -> NoShow:
    state = match.state
    return sign_no_show(
        WITNESS, 0, state.agreed, state.seq, state.head, seat, since=since, bank=0, at=at, receipt=receipt
    )


def first(match: Match, seq: int, record: bytes, seat: int) -> NoShow:
    """The witness's word on the seat that owed since the message `record` was posted, at time 0."""
    receipt = sign_receipt(WITNESS, 0, match.state.agreed.session, seq, record, seat, 0)
    return word(match, seat, receipt.signature, 0, TIME)


def then(match: Match, seat: int, earlier: NoShow) -> NoShow:
    """Its word on the seat that owed the expulsion since that word."""
    return word(match, seat, earlier.signature, earlier.at, earlier.at + TIME)


def absent(match: Match, *seats: int) -> tuple[tuple[int, tuple[NoShow, ...]], ...]:
    """The absence of these seats, each having owed since the one before it was found absent."""
    state = match.state
    words = [first(match, state.seq - 1, state.head, seats[0])]
    for seat in seats[1:]:
        words.append(then(match, seat, words[-1]))
    return tuple([(seat, (said,)) for seat, said in zip(seats, words, strict=True)])


def refusal(match: Match, seat: int, event: Event) -> str:
    session = match.sessions[seat]
    before = session.state
    with pytest.raises(Violation) as caught:
        session.say(event)
    assert session.state is before
    return caught.value.code


PLAYING = [Phase.HAND_STARTING, Phase.COMMITTING, Phase.LAYOUT_OPENING, Phase.BETTING, Phase.SHOWING]


@pytest.mark.parametrize("phase", PLAYING)
@pytest.mark.parametrize("missing", [1, 2, 3])
def test_chain_5_the_next_one_present_expels_all_that_are_absent(phase: Phase, missing: int) -> None:
    """CHAIN-5, VERDICT-4b: in place of the owed message; each absent seat loses what it has in the pot, and no more."""
    match = watched(phase)
    state = match.state
    seats = [(match.owing + step) % 4 for step in range(missing)]
    expeller = (match.owing + missing) % 4
    event = Expelled(seat=seats[0], record=ZERO_HASH, absent=absent(match, *seats))
    for wrong in range(4):
        if wrong != expeller:
            assert refusal(match, wrong, event) == "turn.not-yours"
    match.say(expeller, event)
    match.out.update(seats)
    match.play()
    verdict = match.verdict()
    assert verdict.outcome is Outcome.FAULT
    assert verdict.fault is not None
    assert (verdict.fault.seat, verdict.fault.code) == (seats[0], "witness.no-show")
    assert verdict.unjudged is None
    assert verdict.stacks == match.state.books.stacks
    assert sum(verdict.stacks) == 20
    if state.play is not None:
        lost = [(seat, state.play.hand.totals[seat]) for seat in seats]
        assert [(forfeit.seat, forfeit.amount) for forfeit in verdict.forfeits] == lost
    assert set(verdict.settled) == set(range(4)) - set(seats)


def test_chain_5_who_is_named_must_have_owed() -> None:
    """CHAIN-5, VERDICT-6: nobody is left out and nobody put in; each clock begins where its seat came to owe."""
    match = watched(Phase.BETTING)
    owing = match.owing
    second, third, fourth = [(owing + step) % 4 for step in (1, 2, 3)]
    right = absent(match, owing, second)
    one, two = right[0], right[1]
    head = match.state.head
    for seats in ((two, one), (one, (third, two[1])), (one, one), (one, two, two), (two,), ((third, one[1]),)):
        event = Expelled(seat=seats[0][0], record=ZERO_HASH, absent=seats)
        assert refusal(match, third, event).startswith(("chain.wrong-expulsion", "witness."))
    # The second seat's clock did not begin with the message that made the first one owe.
    early = (second, (first(match, match.state.seq - 1, head, second),))
    too_soon = (second, (word(match, second, one[1][0].signature, TIME, 2 * TIME - 1),))
    for wrong in (early, too_soon):
        event = Expelled(seat=owing, record=ZERO_HASH, absent=(one, wrong))
        assert refusal(match, third, event).startswith("witness.")
    everybody = absent(match, owing, second, third, fourth)
    assert refusal(match, fourth, Expelled(seat=owing, record=ZERO_HASH, absent=everybody)) == "chain.wrong-expulsion"
    match.say(third, Expelled(seat=owing, record=ZERO_HASH, absent=right))


def test_chain_5_who_does_not_expel_the_author_of_a_fault() -> None:
    """CHAIN-5: the seat after it expels both: one for its refused record, one for its absence since then."""
    match = watched(Phase.BETTING)
    author = match.owing
    match.cheat(author, match.forge(author, Left()))
    refused = open_frame(match.frames[-1])
    silent, expeller = (author + 1) % 4, (author + 2) % 4
    assert match.owing == silent
    said = first(match, refused.header.seq, refused.record, silent)
    event = Expelled(seat=author, record=refused.record, absent=((silent, (said,)),))
    match.say(expeller, event)
    match.out.add(silent)
    match.play()
    verdict = match.verdict()
    assert verdict.fault is not None
    assert (verdict.fault.seat, verdict.fault.code) == (author, "turn.wrong-kind")
    assert [(forfeit.seat, forfeit.amount) for forfeit in verdict.forfeits] == [(author, 1), (silent, 1)]
    assert verdict.unjudged is None
    assert sum(verdict.stacks) == 20


def test_verdict_2a_a_no_show_is_void_once_another_seat_built_on_the_late_message() -> None:
    """VERDICT-2a: the expulsion is bound to the head it stands on; after a late message it has no place."""
    match = watched(Phase.BETTING)
    late = match.owing
    words = absent(match, late)
    stale = match.forge((late + 1) % 4, Expelled(seat=late, record=ZERO_HASH, absent=words))
    match.turn()
    match.turn()
    verdict = match.verdict(stale)
    assert verdict.fault is None
    assert verdict.damage is not None
    event = Expelled(seat=match.owing, record=ZERO_HASH, absent=((match.owing, words[0][1]),))
    assert refusal(match, (match.owing + 1) % 4, event).startswith("witness.")


def test_verdict_6_only_the_witness_of_the_offer_is_heard() -> None:
    """VERDICT-6: a stranger's word, or a seat's own, is none; and without witnesses there are no deadlines."""
    match = watched(Phase.BETTING)
    owing, state = match.owing, match.state
    for key in (STRANGER, KEYS[0]):
        receipt = sign_receipt(key, 0, state.agreed.session, state.seq - 1, state.head, owing, 0)
        said = sign_no_show(
            key, 0, state.agreed, state.seq, state.head, owing, since=0, bank=0, at=TIME, receipt=receipt.signature
        )
        event = Expelled(seat=owing, record=ZERO_HASH, absent=((owing, (said,)),))
        assert refusal(match, (owing + 1) % 4, event) == "witness.bad-receipt"
    unwatched = Match(toy_offer(seats=4, hands=1)).until(Phase.BETTING)
    event = Expelled(seat=unwatched.owing, record=ZERO_HASH, absent=absent(unwatched, unwatched.owing))
    assert refusal(unwatched, (unwatched.owing + 1) % 4, event) == "witness.too-few"
