"""What a verdict says besides the code: what was expected and what was there, for faults of the table itself.

A person who is accused reads these two; a wrong one would convict by a wrong reason (VERDICT-2).
"""

from __future__ import annotations

import io
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from dealerless.errors import Unattributed, Violation
from dealerless.games import GAMES
from dealerless.games.game import OpenBoard
from dealerless.games.hex import HEX
from dealerless.protocol.events import (
    Acted,
    Event,
    Expelled,
    HandStarted,
    LayoutOpened,
    Left,
    Mucked,
    Offered,
    SeedsCommitted,
    Settled,
    Shown,
)
from dealerless.protocol.hashdeal import HASH
from dealerless.protocol.machine import admit, open_frame, start
from dealerless.protocol.opening import read_offer
from dealerless.protocol.records import ZERO_HASH, body_hash, decode_frame
from dealerless.protocol.state import HandRecord, Phase
from dealerless.protocol.witness import sign_no_show, sign_receipt
from dealerless.referee import Outcome, replay
from dealerless.referee.judge import Judge, fingerprint
from tests.matches import (
    KEYS,
    PLAYED,
    STRANGER,
    Match,
    body_at,
    envelopes,
    hex_offer,
    named,
    signed,
    toy_offer,
    transcript,
)

CHECK = Acted(move="CHECK", amount=0)
Told = tuple[str, int, object, object]


def told(match: Match, seat: int, event: Event | None = None, **body: Any) -> Told:
    """Code, seat, expected and actual of the fault that this message is."""
    fault = match.verdict(match.sign(seat, match.body(seat, event, **body))).fault
    assert fault is not None
    assert fault.blame == "public"
    return fault.code, fault.seat, fault.expected, fault.actual


def test_chain_1_whose_turn_and_which_kind() -> None:
    match = Match(hex_offer()).until(Phase.BETTING)
    owing = match.owing
    assert told(match, 1 - owing, CHECK) == ("turn.not-yours", 1 - owing, owing, 1 - owing)
    assert told(match, owing, Mucked()) == ("turn.wrong-kind", owing, ("act",), "muck")
    match = Match(hex_offer()).play_to_hand(1)
    assert told(match, match.owing, CHECK) == ("turn.wrong-kind", match.owing, ("hand", "leave"), "act")
    assert told(match, 1 - match.owing, Left()) == ("turn.not-yours", 1 - match.owing, match.owing, 1 - match.owing)


def test_commit_3_what_was_opened_too_soon() -> None:
    match = Match(hex_offer()).until(Phase.COMMITTING)
    for event in (LayoutOpened(seed=bytes(32)), Shown(seed=bytes(32))):
        for seat in (match.owing, 1 - match.owing):
            assert told(match, seat, event) == ("commit.early-opening", seat, "commit", event.KIND)
    match.until(Phase.LAYOUT_OPENING)
    assert told(match, match.owing, Shown(seed=bytes(32)))[2:] == ("layout", "show")
    match.until(Phase.BETTING)
    assert told(match, match.owing, Shown(seed=bytes(32)))[2:] == ("act", "show")


def test_chain_2_both_messages() -> None:
    match = Match(hex_offer()).until(Phase.BETTING)
    seat, before = match.owing, match.state
    first = match.say(seat, CHECK)
    body = match.body(seat, Acted(move="BET", amount=10), seq=before.seq, prev=before.head)
    verdict = match.verdict(match.sign(seat, body))
    assert verdict.fault is not None
    assert (verdict.fault.code, verdict.fault.seat, verdict.fault.seq) == ("chain.equivocation", seat, before.seq)
    assert (verdict.fault.expected, verdict.fault.actual) == (body_hash(decode_frame(first)[0]), body_hash(body))


def test_chain_3_chain_4_the_books() -> None:
    match = Match(hex_offer(hands=2)).play_to_hand(2)
    right = (2, 1, (60, 60), match.state.books.net)
    for place, other in enumerate((3, 0, (50, 70), (1, -1))):
        said: Any = (*right[:place], other, *right[place + 1 :])
        number, button, stacks, net = said
        event = HandStarted(number=number, button=button, stacks=stacks, net=net)
        assert told(match, 1, event) == ("chain.wrong-hand", 1, right, said)
    match.until(Phase.SETTLING)
    books, seat = match.state.books, match.owing
    end: Any = (match.state.end_head, books.stacks, books.net)
    for place, wrong in enumerate((bytes(32), books.stacks[::-1], (0, 0))):
        said = (*end[:place], wrong, *end[place + 1 :])
        event_: Event = Settled(head=said[0], stacks=said[1], net=said[2])
        if said != end:
            assert told(match, seat, event_) == ("settle.wrong", seat, end, said)
    match.play()
    assert told(match, 0, Left()) == ("turn.match-over", 0, (), "leave")


def test_chain_5_who_could_have_been_expelled() -> None:
    match = Match(toy_offer(hands=1)).until(Phase.BETTING)
    owing = match.owing
    other, third = (owing + 1) % 3, (owing + 2) % 3
    nothing = Expelled(seat=other, record=ZERO_HASH)
    assert told(match, owing, nothing) == ("chain.wrong-expulsion", owing, ("act",), "expel")
    match.cheat(other, match.forge(other, Mucked()))
    refused = match.state.refused
    assert refused is not None
    for event in (Expelled(seat=third, record=refused.record), Expelled(seat=other, record=bytes(31) + b"\1")):
        verdict = match.verdict()
        assert verdict.fault is not None
        with pytest.raises(Unattributed) as missing:
            match.sessions[owing].say(event)
        assert (missing.value.code, missing.value.actual) == ("record.refused-missing", event.record)
    with pytest.raises(Violation) as caught:
        match.sessions[third].say(Expelled(seat=other, record=refused.record))
    assert (caught.value.code, caught.value.expected, caught.value.actual) == ("turn.not-yours", owing, third)
    match = Match(hex_offer()).until(Phase.SETTLING)
    seat = match.owing
    assert told(match, seat, nothing) == ("chain.wrong-expulsion", seat, ("settle",), "expel")


def test_commit_3_the_copied_digest_and_the_seed_used_twice() -> None:
    match = Match(hex_offer()).until(Phase.COMMITTING)
    first, second = match.owing, 1 - match.owing
    same = match.commit(first, "layout", bytes(32))
    assert told(match, first, SeedsCommitted(layout=same, hole=same)) == ("commit.duplicate", first, "new", same)
    said = match.owed_event()
    assert isinstance(said, SeedsCommitted)
    match.say(first, said)
    for copied in (said.layout, said.hole):
        event = SeedsCommitted(layout=bytes(32), hole=copied)
        assert told(match, second, event) == ("commit.duplicate", second, "new", copied)


def test_enc_4_terms_that_nobody_may_accept() -> None:
    """ENC-4, TABLE-1: the one who offers is told what would do."""
    offer = hex_offer()
    witness = KEYS[8].public.key
    suites = ("sha256", "md5")

    def refusal(changed: Offered) -> tuple[str, object, object]:
        with pytest.raises(Violation) as caught:
            read_offer(changed, GAMES, bytes(32))
        return caught.value.code, caught.value.expected, caught.value.actual

    three = tuple((key.public.key, "x") for key in KEYS[:3])
    assert refusal(replace(offer, game="chess")) == ("terms.unknown-game", tuple(GAMES), "chess")
    assert refusal(replace(offer, dealing="dice")) == ("terms.unknown-dealing", ("hash", "deck"), "dice")
    code, expected, actual = refusal(replace(offer, suite="sha1"))
    assert (code, actual) == ("terms.unknown-suite", "sha1")
    assert isinstance(expected, tuple)
    assert set(expected) >= set(suites)
    assert refusal(replace(offer, players=three)) == ("terms.seats", (2, 2), 3)
    for threshold, keys in ((1, ()), (0, (witness,)), (2, (witness,))):
        changed = replace(offer, threshold=threshold, witnesses=keys, move_seconds=30)
        assert refusal(changed) == ("terms.witness-threshold", len(keys), threshold)
    for threshold, move, bank in ((0, 30, 0), (0, 0, 60), (1, 0, 0), (1, 0, 60)):
        given = (witness,) * threshold
        changed = replace(offer, threshold=threshold, witnesses=given, move_seconds=move, bank_seconds=bank)
        assert refusal(changed) == ("terms.witness-times", threshold, (move, bank))
    assert read_offer(
        replace(offer, threshold=1, witnesses=(witness,), move_seconds=30, bank_seconds=60), GAMES, bytes(32)
    ).witnesses == (KEYS[8].public,)


def test_verdict_2_what_a_verdict_names() -> None:
    """VERDICT-2: the terms and players of the offer, the session, and short fingerprints of 16 digits."""
    match = Match(hex_offer(hands=2, bet=7, show="muck"))
    early = match.verdict()
    assert (early.session, early.game, early.suite, early.dealing) == (None, "hex", "sha256", "hash")
    match.play(named("CHECK CHECK"))
    verdict = match.verdict()
    assert verdict.outcome is Outcome.CLEAN
    assert verdict.session == match.state.agreed.session
    assert verdict.terms is not None
    assert verdict.terms.rules == (("bet", 7), ("depth", 5), ("show", "muck"))
    assert verdict.terms.expires == 4_102_444_800
    for seat, player in enumerate(verdict.players):
        assert (player.seat, player.name, player.key) == (seat, f"seat {seat}", KEYS[seat].public.key)
        assert player.fingerprint == fingerprint(player.key)
        assert len(player.fingerprint) == 16


# --- what goes on behind a fault


def test_table_1_the_button_goes_round_and_passes_by_who_is_out() -> None:
    """TABLE-1, CHAIN-4: three seats, button 0, 1, 2, 0; a seat that was expelled is passed by."""
    match = Match(toy_offer(hands=4, chips=30))
    assert [hand.button for hand in match.play().verdict().hands] == [0, 1, 2, 0]
    match = Match(toy_offer(hands=3, chips=30)).play_to_hand(2)
    match.cheat(1, match.forge(1, Mucked()))
    refused = match.state.refused
    assert refused is not None
    match.say(match.owing, Expelled(seat=1, record=refused.record))
    assert [hand.button for hand in match.play().verdict().hands] == [0, 2, 0]


def test_chain_5_who_is_out_expels_nobody_and_is_asked_for_nothing() -> None:
    """CHAIN-5: four seats; the next to expel is not one that was expelled in the same hand; no record serves twice."""
    match = Match(toy_offer(seats=4, hands=1)).until(Phase.BETTING)
    first = match.owing
    second, third = (first + 1) % 4, (first + 2) % 4
    match.cheat(second, match.forge(second, Mucked()))
    refused = match.state.refused
    assert refused is not None
    expulsion = Expelled(seat=second, record=refused.record)
    match.say(first, expulsion)
    # What it was for is not held any more.
    with pytest.raises(Unattributed) as caught:
        match.sessions[first].say(expulsion)
    assert caught.value.code == "record.refused-missing"
    # Who owes now breaks a rule itself: the next in the match is the third, since the second is out.
    assert match.owing == first
    match.cheat(first, match.forge(first, Mucked()))
    refused = match.state.refused
    assert refused is not None
    assert refused.expeller == third


def test_verdict_6_how_long_somebody_was_waited_for() -> None:
    """VERDICT-6: a time-out is told in milliseconds on the witness's clock."""
    offer = replace(hex_offer(), witnesses=(KEYS[8].public.key,), threshold=1, move_seconds=30, bank_seconds=60)
    match = Match(offer).until(Phase.BETTING)
    state, missing = match.state, match.owing
    since, at = 1_000_000, 1_000_000 + 30_000 + 7_000 + 5
    receipt = sign_receipt(KEYS[8], 0, state.agreed.session, state.seq - 1, state.head, missing, since).signature
    word = sign_no_show(
        KEYS[8], 0, state.agreed, state.seq, state.head, missing, since=since, bank=7_000, at=at, receipt=receipt
    )
    match.say(1 - missing, Expelled(seat=missing, record=ZERO_HASH, absent=((missing, (word,)),)))
    fault = match.verdict().fault
    assert fault is not None
    assert (fault.code, fault.clause, fault.seat, fault.seq) == ("witness.no-show", "VERDICT-6", missing, state.seq)
    assert (fault.expected, fault.actual) == (37_000, 37_005)


def test_commit_3_the_seed_that_was_open_already() -> None:
    match = Match(hex_offer()).until(Phase.COMMITTING)
    seat, seed = match.owing, bytes(range(32))
    match.say(seat, match.commitments(seat, seed, seed))
    match.turn()
    match.say(seat, LayoutOpened(seed=seed))
    match.until(Phase.SHOWING)
    while match.owing != seat:
        match.turn()
    assert told(match, seat, Shown(seed=seed)) == ("commit.seed-reuse", seat, "new", seed)


def test_hashdeal_2_open_cards_keep_the_attempt() -> None:
    """VERDICT-4c: seeds of a second deal have names of their own, also once its common cards are open."""
    deal = HASH.start(HEX, "sha256", bytes(32), 1, (0, 1))._replace(attempt=1, digest="0123456789abcdef" * 4)
    after, known = HASH.known(deal, OpenBoard(slots=(0, 1, 2)))
    assert after == deal._replace(board=3)
    assert known == {0: 0, 1: 1, 2: 2}
    assert HASH.known(after, OpenBoard(slots=(3, 4)))[1] == {3: 3, 4: 4}


def test_hex_4_a_dealing_that_the_game_does_not_have() -> None:
    """HEX-4: one that exists is not enough."""
    game: Any = SimpleNamespace(dealings=("deck",))
    with pytest.raises(Violation) as caught:
        read_offer(hex_offer(), {"hex": game}, bytes(32))
    assert (caught.value.code, caught.value.expected) == ("terms.unknown-dealing", ("deck",))


def test_verdict_2_records_are_counted_and_hands_given_one_by_one() -> None:
    """VERDICT-2: every record has its number, the refused one too; hands given away are not kept."""
    match = Match(toy_offer(hands=2)).until(Phase.BETTING)
    other = (match.owing + 1) % 3
    match.cheat(other, match.forge(other, Mucked()))
    refused = match.state.refused
    assert refused is not None
    match.say(match.owing, Expelled(seat=other, record=refused.record))
    match.play()
    judge = Judge(PLAYED)
    records = list(judge.read(io.BytesIO(match.transcript())))
    assert [judged.record for judged in records] == list(range(len(match.frames)))
    given: list[HandRecord] = []
    verdict = replay(match.transcript(), games=PLAYED, on_hand=given.append)
    assert verdict.hands == ()
    assert tuple(given) == match.verdict().hands
    assert len(given) == 2


def test_chain_0_everybody_is_ready_before_anybody_can_be_at_fault() -> None:
    """CHAIN-0: with more than two seats too, each signs one ready, and the button starts only then."""
    match = Match(toy_offer(seats=4, hands=1)).play_to_hand(1)
    kinds = [envelope.event.KIND for envelope in envelopes(match.frames)]
    assert kinds == ["offer", *["accept"] * 3, *["ready"] * 4]


def test_show_2_who_may_choose_is_told_so() -> None:
    """SHOW-2: under the show rule "muck" the second to show may show or muck, and owes either; the first must show."""
    match = Match(hex_offer(show="muck")).until(Phase.SHOWING)
    owed = match.state.owed
    assert owed is not None
    assert owed.kinds == (Shown,)
    match.turn()
    verdict = match.verdict()
    assert verdict.owes is not None
    assert verdict.owes.kinds == ("show", "muck")


def test_verdict_3_what_a_forfeit_would_do_is_told_only_where_it_ends_the_hand() -> None:
    """VERDICT-3: with two seats the other one gets the pot; with three the hand would go on, so no stacks are named."""
    heads_up = Match(hex_offer()).until(Phase.BETTING)
    pending = heads_up.verdict().pending
    assert pending is not None
    lost = [60, 60]
    lost[heads_up.owing] -= 10
    lost[1 - heads_up.owing] += 10
    assert (pending.pot, pending.if_forfeit) == ((10, 10), tuple(lost))
    three = Match(toy_offer(seats=3)).until(Phase.BETTING).verdict().pending
    assert three is not None
    assert (three.pot, three.if_forfeit) == ((1, 1, 1), None)


def test_chain_3_nobody_is_to_settle_before_the_hands_are_over() -> None:
    match = Match(hex_offer())
    while match.state.phase is not Phase.SETTLING:
        assert match.verdict().settling == ()
        match.turn()
    assert sorted(match.verdict().settling) == [0, 1]


def test_enc_4_until_all_have_accepted_the_offer_is_the_session() -> None:
    """ENC-4: also for the second of two acceptances; the match has its own name from the last one on."""
    match = Match(toy_offer(seats=3)).until(Phase.READYING).turn()
    offer, *accepts, ready = envelopes(match.frames)
    assert [accept.header.session for accept in accepts] == [body_hash(decode_frame(match.frames[0])[0])] * 2
    assert ready.header.session == match.state.agreed.session
    assert ready.header.session not in (offer.header.session, accepts[0].header.session)


def test_enc_4_the_offer_is_seat_0_s_and_number_0() -> None:
    admitted = admit(start(GAMES), open_frame(Match(hex_offer()).frames[0]))
    assert (admitted.seat, admitted.seq, admitted.defect) == (0, 0, None)


def test_verdict_1_what_is_wrong_before_the_last_ready_is_told_and_nothing_else() -> None:
    """VERDICT-1: the code behind `record.before-ready`; a number that another reason tells of is no code."""
    offer = replace(hex_offer(), suite="sha1")
    body = body_at(start(GAMES), 0, offer.KIND, offer.fields())
    damage = replay(transcript(signed(KEYS[0], body))).damage
    assert damage is not None
    assert (damage.reason, damage.detail) == ("record.before-ready", "terms.unknown-suite")
    match = Match(hex_offer())
    for late in (match.sign(1, match.body(1, Left(), seq=2)), match.sign(1, match.body(1, Left()), key=STRANGER)):
        damage = match.verdict(late).damage
        assert damage is not None
        assert damage.detail is None


def test_table_2_who_has_no_chips_is_dealt_no_further_hand() -> None:
    """TABLE-2, TABLE-4: the ante takes all that anybody has, so the second of two hands is not begun."""
    match = Match(toy_offer(seats=3, hands=2, chips=1)).play()
    verdict = match.verdict()
    assert (verdict.outcome, len(verdict.hands)) == (Outcome.CLEAN, 1)
    assert sorted(verdict.stacks) == [0, 0, 3]
    assert verdict.settling[0] == verdict.stacks.index(3)


def test_chain_3_nobody_owes_an_expulsion_while_settling() -> None:
    """CHAIN-3, CHAIN-5: a wrong settlement is its author's fault, and nothing follows it."""
    match = Match(hex_offer()).until(Phase.SETTLING)
    author = match.owing
    wrong = Settled(head=ZERO_HASH, stacks=match.state.books.stacks, net=match.state.books.net)
    assert match.cheat(author, match.forge(author, wrong)).code == "settle.wrong"
    assert (match.state.owed, match.state.refused) == (None, None)


def test_hashdeal_1_no_line_is_told_before_the_layouts_are_open() -> None:
    match = Match(hex_offer()).until(Phase.LAYOUT_OPENING)
    assert match.state.running.deal.digests() == ()
    assert [what for what, *_ in match.until(Phase.BETTING).state.running.deal.digests()] == ["common"]
