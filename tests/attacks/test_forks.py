"""Two copies of one match: who said two different things, which branch counts, and what the liar loses.

CHAIN-2, VERDICT-2a, VERDICT-5, and T03, T05 of the gallery: a seat tells two people two different things.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from dealerless.protocol.events import Acted, Event, Expelled, Offered
from dealerless.protocol.machine import open_frame
from dealerless.protocol.noshow import NoShow
from dealerless.protocol.records import ZERO_HASH
from dealerless.protocol.state import Phase
from dealerless.protocol.witness import Receipt, sign_no_show, sign_receipt
from dealerless.referee import Outcome, replay
from dealerless.referee.compare import Comparison, KeptBy, Relation, compare
from tests.matches import KEYS, PLAYED, Match, fixed, hex_offer, named, toy_offer, transcript

WITNESS, TIME = KEYS[8], 60_000
CHECK, BET = Acted(move="CHECK", amount=0), Acted(move="BET", amount=10)


def compared(one: bytes, other: bytes, receipts: tuple[Receipt, ...] = ()) -> Comparison:
    """The comparison, which is the same whichever copy comes first."""
    found = compare(one, other, games=PLAYED, receipts=receipts)
    assert mirrored(compare(other, one, games=PLAYED, receipts=receipts)) == found
    return found


def mirrored(found: Comparison) -> Comparison:
    """The comparison of the same two copies, named the other way round."""
    same = found.relation is Relation.SAME and found.verdicts[0].damage == found.verdicts[1].damage
    return replace(
        found,
        verdicts=found.verdicts[::-1],
        counts=found.counts if found.counts is None or same else 1 - found.counts,
        branches=None if found.branches is None else found.branches[::-1],
        equivocations=tuple(
            replace(twice, records=twice.records[::-1], places=twice.places[::-1]) for twice in found.equivocations
        ),
    )


def twins(offer: Offered, *phases: Phase, moves: str = "") -> tuple[Match, Match]:
    """Two copies of one match, the same to the last byte, that are played on separately."""
    one, other = [Match(offer).until(*phases, choose=named(moves)) for _ in range(2)]
    assert one.frames == other.frames
    return one, other


def blamed(found: Comparison) -> list[tuple[int, str]]:
    return [(fault.seat, fault.code) for fault in found.faults]


# --- equivocation heads-up


def test_two_moves_on_one_previous_hash_convict_whichever_copy_they_stand_in() -> None:
    """CHAIN-2: neither copy shows anything wrong; together they convict, and the ante of the running hand is lost."""
    one, other = twins(hex_offer(), Phase.BETTING)
    one.say(1, CHECK)
    other.say(1, BET)
    found = compared(one.transcript(), other.transcript())
    assert [verdict.outcome for verdict in found.verdicts] == [Outcome.INCOMPLETE] * 2
    assert found.relation is Relation.FORKED
    assert found.branches is not None
    assert (found.seq, [branch.seat for branch in found.branches]) == (one.state.seq - 1, [1, 1])
    assert found.kept_by is KeptBy.HASH
    counts = 0 if one.state.head < other.state.head else 1
    assert found.counts == counts
    assert blamed(found) == [(1, "chain.equivocation")]
    assert found.verdict is not None
    assert found.verdict.outcome is Outcome.FAULT
    lost = (10, 20)[counts]
    assert [(forfeit.seat, forfeit.amount) for forfeit in found.verdict.forfeits] == [(1, lost)]
    assert found.verdict.stacks == (60 + lost, 60 - lost)


@pytest.mark.parametrize("built", [0, 1])
def test_the_branch_that_the_other_seat_built_on_is_kept(built: int) -> None:
    """CHAIN-2: the liar cannot choose afterwards by signing more on the branch it likes better."""
    pair = twins(hex_offer(), Phase.BETTING)
    for match, event in zip(pair, (CHECK, BET), strict=True):
        match.say(1, event)
    pair[built].turn()
    found = compared(pair[0].transcript(), pair[1].transcript())
    assert (found.counts, found.kept_by) == (built, KeptBy.SIGNED)
    assert found.branches is not None
    assert [branch.signed for branch in found.branches] == [(0,), ()][:: 1 if built == 0 else -1]
    assert found.verdict is not None
    assert found.verdict.head == pair[built].state.head
    assert blamed(found) == [(1, "chain.equivocation")]


def test_if_the_other_seat_was_led_onto_both_the_lower_hash_is_kept_and_it_is_not_to_blame() -> None:
    """CHAIN-2: a seat that moved to the kept branch signed on two previous hashes, which convicts nobody."""
    one, other = twins(hex_offer(), Phase.BETTING)
    one.say(1, CHECK)
    other.say(1, BET)
    hashes = [one.state.head, other.state.head]
    one.turn()
    other.turn()
    found = compared(one.transcript(), other.transcript())
    assert (found.counts, found.kept_by) == (hashes.index(min(hashes)), KeptBy.HASH)
    assert blamed(found) == [(1, "chain.equivocation")]


def test_what_the_liar_itself_signs_since_counts_for_nothing() -> None:
    """CHAIN-2: it folds in one copy and begins the next hand there, too; nobody else has signed on either."""
    one, other = twins(hex_offer(hands=2), Phase.BETTING)
    for match in (one, other):
        for move in ("CHECK", "BET"):
            match.turn(named(move))
    one.turn(named("FOLD")).turn()
    other.turn(named("CALL"))
    found = compared(one.transcript(), other.transcript())
    assert found.branches is not None
    assert [branch.signed for branch in found.branches] == [(), ()]
    assert (found.kept_by, blamed(found)) == (KeptBy.HASH, [(1, "chain.equivocation")])


def test_of_several_faults_the_one_with_the_lowest_number_decides() -> None:
    """VERDICT-2, VERDICT-5: seat 0 breaks a rule later, on the branch that is kept."""
    one, other = twins(hex_offer(), Phase.BETTING)
    one.say(1, CHECK)
    other.say(1, BET)
    one.turn(named("BET")).turn(named("RAISE"))
    one.cheat(0, one.forge(0, CHECK))
    found = compared(one.transcript(), other.transcript())
    assert (found.counts, blamed(found)) == (0, [(1, "chain.equivocation"), (0, "bet.chips-owed")])
    assert found.verdict is not None
    assert found.verdict.fault == found.faults[0]


def test_what_is_first_in_one_copy_is_first_in_two() -> None:
    """VERDICT-2, VERDICT-5: a proof that turns up later is of an earlier number, and does not replace the first."""
    match = Match(hex_offer()).until(Phase.BETTING).until_owing(0)
    old = next(open_frame(f).header for f in reversed(match.frames) if open_frame(f).header.seat == 0)
    before = match.transcript()
    match.cheat(0, match.forge(0, Acted(move="CALL", amount=7)))
    match.turn()
    whole = match.transcript(match.sign(0, match.body(0, BET, seq=old.seq, prev=old.prev)))
    first = replay(whole).fault
    assert first is not None
    assert first.seq > old.seq
    for other in (whole, before, transcript(*match.frames)):
        found = compared(whole, other)
        assert (found.faults[0], blamed(found)[1:]) == (first, [(0, "chain.equivocation")])
        assert found.verdict is not None
        assert found.verdict.fault == first


def test_a_proof_in_one_copy_and_the_next_message_of_its_author_in_the_other() -> None:
    """CHAIN-5: expelled in place of a message that it signed all the same: one equivocation, not two."""
    one, other = twins(hex_offer(), Phase.BETTING)
    second = one.forge(1, BET)
    for match in (one, other):
        match.say(1, CHECK)
        match.turn(named("BET"))
    one.cheat(1, second)
    one.turn()
    other.turn()
    found = compared(one.transcript(), other.transcript())
    assert (found.relation, found.counts, found.kept_by) == (Relation.FORKED, 0, KeptBy.EXPULSION)
    assert (found.equivocations, blamed(found)) == ((), [(1, "chain.equivocation")])
    other.turn()
    assert compared(one.transcript(), other.transcript()).counts == 1


def test_hands_that_were_built_on_stand_and_the_running_one_is_lost() -> None:
    """VERDICT-2a: the liar loses what it has in the pot where the kept branch ends, not what it won before."""
    one, other = twins(hex_offer(hands=3), Phase.BETTING)
    one.say(1, CHECK)
    other.say(1, BET)
    one.play_to_hand(2)
    won = one.state.books.net
    one.until(Phase.BETTING)
    found = compared(one.transcript(), other.transcript())
    assert (found.counts, blamed(found)) == (0, [(1, "chain.equivocation")])
    assert found.verdict is not None
    assert [(lost.seat, lost.hand, lost.amount) for lost in found.verdict.forfeits] == [(1, 2, 10)]
    assert found.verdict.net == (won[0] + 10, won[1] - 10)


def test_after_the_end_of_the_kept_branch_no_chip_moves() -> None:
    """VERDICT-2a, CHAIN-3: convicted all the same."""
    one, other = twins(hex_offer(), Phase.BETTING)
    one.say(1, CHECK)
    other.say(1, BET)
    one.play()
    found = compared(one.transcript(), other.transcript())
    assert found.verdict is not None
    assert (found.verdict.outcome, found.verdict.forfeits) == (Outcome.FAULT, ())
    assert found.verdict.stacks == replay(one.transcript()).stacks
    assert blamed(found) == [(1, "chain.equivocation")]


def test_a_wrong_move_and_a_good_one_on_one_previous_hash() -> None:
    """CHAIN-2: the wrong one convicts by itself, both together of both; the chain goes on with the good one."""
    one, other = twins(hex_offer(), Phase.BETTING)
    one.cheat(1, one.forge(1, Acted(move="CALL", amount=10)))
    other.say(1, CHECK)
    other.turn()
    found = compared(one.transcript(), other.transcript())
    assert (found.relation, found.counts) == (Relation.LONGER, 1)
    assert blamed(found) == [(1, "bet.nothing-owed"), (1, "chain.equivocation")]


def test_two_wrong_moves_on_one_previous_hash() -> None:
    """CHAIN-2: one chain, and in each copy another refused record at its end."""
    one, other = twins(hex_offer(), Phase.BETTING)
    one.cheat(1, one.forge(1, Acted(move="CALL", amount=10)))
    other.cheat(1, other.forge(1, Acted(move="CALL", amount=11)))
    found = compared(one.transcript(), other.transcript())
    assert found.relation is Relation.FORKED
    assert blamed(found) == [(1, "bet.nothing-owed"), (1, "chain.equivocation")]
    assert found.verdict is not None
    assert found.verdict.stacks == (70, 50)


def test_an_undecodable_second_body_is_one_too() -> None:
    """CHAIN-2: whatever it says."""
    one, other = twins(hex_offer(), Phase.BETTING)
    one.cheat(1, one.sign(1, one.body(1, kind="nonsense")))
    other.say(1, CHECK)
    assert (1, "chain.equivocation") in blamed(compared(one.transcript(), other.transcript()))


def test_an_old_proof_in_the_shorter_copy_counts_where_the_longer_one_ends() -> None:
    """CHAIN-5, VERDICT-2a: its copy ends with the proof; the other one went on, and stands."""
    one, other = twins(hex_offer(), Phase.BETTING)
    second = one.forge(1, BET)
    for match in (one, other):
        match.say(1, CHECK)
    other.turn(named("BET"))
    found = compared(one.transcript(second), other.transcript())
    assert (found.relation, found.counts) == (Relation.LONGER, 1)
    assert blamed(found) == [(1, "chain.equivocation")]
    assert found.verdict is not None
    assert [(lost.seat, lost.amount) for lost in found.verdict.forfeits] == [(1, 10)]


def test_who_spoke_out_of_turn_in_one_copy_is_convicted_and_the_other_goes_on() -> None:
    """VERDICT-2: its fault is in one copy; the seat that owed had signed before it heard of it, and is honest."""
    one, other = twins(hex_offer(), Phase.BETTING)
    one.cheat(0, one.forge(0, CHECK))
    other.say(1, CHECK)
    other.turn()
    found = compared(one.transcript(other.frames[-2]), other.transcript())
    assert (found.relation, found.counts) == (Relation.LONGER, 1)
    assert blamed(found) == [(0, "turn.not-yours")]
    assert found.verdict is not None
    assert found.verdict.forfeits == ()


# --- more seats


def test_the_branch_that_more_seats_have_signed_is_kept() -> None:
    """CHAIN-2: two seats have signed on one branch and one on the other."""
    offer = toy_offer(seats=3, hands=1)
    one, other = twins(offer, Phase.BETTING)
    liar = one.owing
    one.say(liar, CHECK)
    other.say(liar, Acted(move="BET", amount=1))
    one.turn()
    for _ in range(2):
        other.turn()
    found = compared(one.transcript(), other.transcript())
    assert found.branches is not None
    assert [len(branch.signed) for branch in found.branches] == [1, 2]
    assert (found.counts, found.kept_by, blamed(found)) == (1, KeptBy.SIGNED, [(liar, "chain.equivocation")])
    assert found.verdict is not None
    assert sum(found.verdict.stacks) == 15


# --- time-outs and late messages


def watched(seats: int = 3) -> Offered:
    offer = toy_offer(seats=seats, hands=1)
    return replace(offer, witnesses=(WITNESS.public.key,), threshold=1, move_seconds=60)


def no_show(match: Match) -> NoShow:
    """The witness's word that the seat that owes let its minute run out."""
    state = match.state
    receipt = sign_receipt(WITNESS, 0, state.agreed.session, state.seq - 1, state.head, match.owing, 0)
    return sign_no_show(
        WITNESS,
        0,
        state.agreed,
        state.seq,
        state.head,
        match.owing,
        since=0,
        bank=0,
        at=TIME,
        receipt=receipt.signature,
    )


def expulsion(match: Match) -> Event:
    return Expelled(seat=match.owing, record=ZERO_HASH, absent=((match.owing, (no_show(match),)),))


def late(match: Match) -> tuple[int, int]:
    """Let the seat that owes be expelled for its silence; return it and its expeller."""
    silent = match.owing
    expeller = (silent + 1) % 3
    match.say(expeller, expulsion(match))
    match.out.add(silent)
    return silent, expeller


def test_a_late_message_is_ignored_as_long_as_nobody_built_on_it() -> None:
    """CHAIN-5: the expulsion is kept."""
    one, other = twins(watched(), Phase.BETTING)
    one.turn()
    silent, _ = late(other)
    found = compared(one.transcript(), other.transcript())
    assert (found.relation, found.counts, found.kept_by) == (Relation.FORKED, 1, KeptBy.EXPULSION)
    assert (found.equivocations, blamed(found)) == ((), [(silent, "witness.no-show")])


def test_a_no_show_is_void_once_another_seat_built_on_the_late_message() -> None:
    """VERDICT-2a: a lying witness and its friend cannot take back what a third one has signed; nobody is to blame."""
    one, other = twins(watched(), Phase.BETTING)
    one.turn()
    one.turn()
    silent, _ = late(other)
    found = compared(one.transcript(), other.transcript())
    assert (found.counts, found.kept_by) == (0, KeptBy.SIGNED)
    assert (found.void, found.faults) == ((silent,), ())
    assert found.verdict is not None
    assert found.verdict.outcome is Outcome.INCOMPLETE


def test_a_late_message_undoes_no_time_out_on_which_the_match_went_on() -> None:
    """VERDICT-2a: two who collude could else bring back, when they have lost, the hand before the time-out."""
    one, other = twins(watched(4), Phase.BETTING)
    one.turn()
    one.turn()
    silent = other.owing
    other.say((silent + 1) % 4, expulsion(other))
    other.out.add(silent)
    other.play()
    found = compared(one.transcript(), other.transcript())
    assert (found.counts, found.kept_by) == (1, KeptBy.SIGNED)
    assert blamed(found) == [(silent, "witness.no-show")]


def test_a_witness_that_signed_both_ways_is_void() -> None:
    """VERDICT-6: the chain is judged up to the expulsion; its damage blames nobody, and no chip moves."""
    match = Match(watched()).until(Phase.BETTING)
    state = match.state
    # The witness gave its receipt for a message of the silent seat within the minute.
    given = sign_receipt(WITNESS, 0, state.agreed.session, state.seq, fixed("in time"), 0, TIME)
    before = match.transcript()
    silent, _ = late(match)
    assert match.verdict().fault is not None
    for receipts in ((given,), (given, given)):
        verdict = replay(match.transcript(), games=PLAYED, receipts=receipts)
        assert (verdict.outcome, verdict.fault, verdict.forfeits) == (Outcome.INCOMPLETE, None, ())
        assert verdict.damage is not None
        assert (verdict.damage.reason, verdict.damage.record) == ("witness.void", len(match.frames) - 1)
        assert verdict.owes is not None
        assert verdict.owes.seat == silent
        assert compared(before, match.transcript(), receipts).faults == ()


def test_what_does_not_contradict_a_witness() -> None:
    """VERDICT-6: a later receipt, one for another number or match, one of another witness, and a forged one."""
    match = Match(watched()).until(Phase.BETTING)
    state = match.state
    session = state.agreed.session
    late_one = sign_receipt(WITNESS, 0, session, state.seq, fixed("late"), 0, TIME + 1)
    other_number = sign_receipt(WITNESS, 0, session, state.seq - 1, fixed("before"), 0, 0)
    other_match = sign_receipt(WITNESS, 0, fixed("another match"), state.seq, fixed("in time"), 0, 0)
    forged = sign_receipt(KEYS[7], 0, session, state.seq, fixed("in time"), 0, 0)
    nobody = sign_receipt(WITNESS, 5, session, state.seq, fixed("in time"), 0, 0)
    late(match)
    for receipt in (late_one, other_number, other_match, forged, nobody, forged._replace(witness=-1)):
        verdict = replay(match.transcript(), games=PLAYED, receipts=(receipt,))
        assert verdict.fault is not None
        assert verdict.damage is None


def test_the_receipt_of_the_refused_message_itself_contradicts_nobody() -> None:
    """CHAIN-5, VERDICT-6: it is what made the next seat owe the expulsion that it then did not sign."""
    match = Match(watched(4)).until(Phase.BETTING)
    author = match.owing
    match.cheat(author, match.forge(author, Acted(move="CALL", amount=7)))
    state, silent = match.state, match.owing
    refused = state.refused
    assert refused is not None
    receipt = sign_receipt(WITNESS, 0, state.agreed.session, refused.seq, refused.record, silent, 0)
    said = sign_no_show(
        WITNESS, 0, state.agreed, state.seq, state.head, silent, since=0, bank=0, at=TIME, receipt=receipt.signature
    )
    event = Expelled(seat=author, record=refused.record, absent=((silent, (said,)),))
    match.say((silent + 1) % 4, event)
    verdict = replay(match.transcript(), games=PLAYED, receipts=(receipt,))
    assert verdict.damage is None
    assert [forfeit.seat for forfeit in verdict.forfeits] == [author, silent]


# --- no comparison, and none needed


def test_copies_of_different_matches_are_told_apart() -> None:
    """VERDICT-5: another offer, and another acceptance of the same offer."""
    one = Match(hex_offer("one")).play()
    other = Match(hex_offer("other")).play()
    assert compared(one.transcript(), other.transcript()).relation is Relation.DIFFERENT
    accepted = Match(hex_offer("one"), "accepted otherwise").play()
    assert one.frames[0] == accepted.frames[0]
    found = compared(one.transcript(), accepted.transcript())
    assert (found.relation, found.counts, found.faults, found.verdict) == (Relation.DIFFERENT, None, (), None)


@pytest.mark.parametrize("junk", [b"junk", b"dealerless transcript 1\n\0\0\0\1x", b"dealerless transcript 2\n"])
def test_with_an_unreadable_copy_there_is_nothing_to_compare(junk: bytes) -> None:
    found = compared(Match(hex_offer()).play().transcript(), junk)
    assert (found.relation, found.counts, found.verdict) == (Relation.UNREADABLE, None, None)


def test_every_beginning_of_a_copy_is_the_shorter_one() -> None:
    """VERDICT-5, CHAIN-3: the longer one decides, cut wherever the other is."""
    match = Match(hex_offer()).play()
    whole = match.transcript()
    verdict = replay(whole)
    for cut in range(0, len(whole), 97):
        found = compared(whole, whole[:cut])
        assert (found.relation, found.counts, found.faults) == (Relation.LONGER, 0, ())
        assert found.verdict is not None
        assert replace(found.verdict, hands=verdict.hands) == verdict
    assert compared(whole, whole).relation is Relation.SAME
    assert compared(b"", b"").relation is Relation.SAME


def test_of_two_copies_with_the_same_messages_the_whole_one_counts() -> None:
    """VERDICT-1: a damaged copy is never clean, and the other one is."""
    match = Match(hex_offer()).play()
    found = compared(match.transcript() + b"\0", match.transcript())
    assert (found.relation, found.counts) == (Relation.SAME, 1)
    assert found.verdict is not None
    assert found.verdict.outcome is Outcome.CLEAN


@pytest.mark.parametrize("end", [Phase.BETTING, Phase.OVER])
def test_of_two_copies_damaged_differently_the_same_one_counts_whichever_is_first(end: Phase) -> None:
    """VERDICT-5: also behind a fault without its expulsion, where damage is only unjudged."""
    match = Match(hex_offer()).until(end)
    wrong = () if end is Phase.OVER else (match.forge(match.owing, Acted(move="CALL", amount=7)),)
    copies = [match.transcript(*wrong) + behind for behind in (b"", b"\0", b"\0\0\0\2xx", b"\xff" * 4)]
    for one in copies:
        for other in copies:
            found, mirror = [compare(*pair, games=PLAYED) for pair in ((one, other), (other, one))]
            assert (found.relation, found.verdict) == (Relation.SAME, mirror.verdict)
            if one == copies[0]:
                assert found.verdict == found.verdicts[0]


def test_a_damaged_copy_counts_up_to_the_damage() -> None:
    """VERDICT-5: a record from another match in the middle is no fork."""
    match = Match(hex_offer()).play()
    stranger = Match(hex_offer("stranger")).play()
    spliced = transcript(*match.frames[:8], stranger.frames[8], *match.frames[9:])
    found = compared(spliced, match.transcript())
    assert (found.relation, found.counts, found.faults) == (Relation.LONGER, 1, ())
