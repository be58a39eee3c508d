"""Attacks on the chain: cut, edited, forked, spliced, rewritten, and signatures carried over (CHAIN, SIG-3, ENC-3).

That every single change is found, at the right place, is shown in properties/test_transcripts.py; here are the stories.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import msgpack
import pytest

from dealerless.cli.main import main
from dealerless.crypto.ed25519 import SigningKey
from dealerless.encoding import encode
from dealerless.errors import Unattributed, UsageError, Violation
from dealerless.protocol.events import (
    EVENTS,
    Accepted,
    Acted,
    Event,
    HandStarted,
    LayoutOpened,
    Left,
    Mucked,
    Readied,
    Settled,
)
from dealerless.protocol.machine import admit, open_frame
from dealerless.protocol.records import CHAIN_TAG, FRAME_TAG, SESSION_TAG, body_hash, decode_frame, encode_frame
from dealerless.protocol.state import Phase
from dealerless.referee import Outcome, Verdict
from tests.matches import (
    KEYS,
    Match,
    account,
    body_at,
    by_chance,
    envelopes,
    fixed,
    fold,
    hex_offer,
    judged,
    named,
    proven,
    seats_of,
    signed,
    transcript,
)


def finished(label: str = "match", hands: int = 1) -> Match:
    return Match(hex_offer(label, hands=hands), label).play(by_chance(label))


def nobody_is_blamed(verdict: Verdict, record: int) -> None:
    """Damage at this record, and no fault."""
    assert verdict.outcome is (Outcome.INCOMPLETE if record else Outcome.UNREADABLE)
    assert verdict.fault is None
    assert verdict.damage is not None
    assert verdict.damage.record == record


def at_fault(verdict: Verdict, seat: int, code: str) -> None:
    assert verdict.outcome is Outcome.FAULT
    assert verdict.fault is not None
    assert (verdict.fault.seat, verdict.fault.code) == (seat, code)


# --- cut


def test_t01_dropped_showdown() -> None:
    """T01: the loser cuts the file before it had to show: incomplete, and it is the loser who owes."""
    match = Match(hex_offer()).play(named("CHECK CHECK"))
    shows = [seq for seq, e in enumerate(envelopes(match.frames)) if e.event.KIND == "show"]
    for cut in shows:
        verdict = judged(*match.frames[:cut])
        assert verdict.outcome is Outcome.INCOMPLETE
        assert verdict.owes is not None
        assert verdict.owes.kinds == ("show",)
        assert verdict.owes.seat == envelopes(match.frames)[cut].header.seat
        assert verdict.hands[-1].winners == ()


# --- edited


def test_t04_other_terms() -> None:
    """T04: the host replaces its offer by one with deeper stacks: the acceptance and all that follows is of another
    session."""
    match = finished()
    for offer in (hex_offer(bet=1000), hex_offer(depth=50), hex_offer(hands=9), hex_offer(suite="md5"), hex_offer("x")):
        nobody_is_blamed(judged(match.sign(0, body_at(fold([])[0], 0, "offer", offer.fields())), *match.frames[1:]), 1)


def test_t04_a_beginning_cut_off() -> None:
    """T04: what is left cannot be renumbered without both keys; a transcript begins with its offer."""
    match = finished()
    for dropped in (1, 2, 3, 4):
        nobody_is_blamed(judged(*match.frames[dropped:]), 0)
    state = fold(match.frames[:4])[-1]
    renumbered = [
        signed(KEYS[0], encode((1, e.header.session, seq, e.header.seat, bytes(32), e.event.KIND, e.event.fields())))
        for seq, e in enumerate(envelopes(match.frames[3:]))
    ]
    nobody_is_blamed(judged(*renumbered), 0)
    assert state.phase is Phase.HAND_STARTING


def test_t02_foreign_message_inserted() -> None:
    """T02, SIG-3: a stranger's message, linked and numbered as it should be, is nobody's."""
    match = Match(hex_offer()).until(Phase.BETTING)
    stranger = SigningKey(fixed("a third person"))
    body = match.body(match.owing, Acted(move="CHECK", amount=0))
    nobody_is_blamed(match.verdict(match.sign(0, body, key=stranger)), len(match.frames))


def test_t08_a_tail_rewritten_to_the_same_length() -> None:
    """T08: the seat that moved last replaces its move; the count is the same, the co-signed head is not."""
    match = Match(hex_offer()).play(named("CHECK BET CALL CHECK BET FOLD"))
    events = envelopes(match.frames)
    place = max(seq for seq, e in enumerate(events) if isinstance(e.event, Acted))
    seat = events[place].header.seat
    state = fold(match.frames[:place])[-1]
    other = signed(KEYS[seat], body_at(state, seat, "act", ("CALL", 10, b"")))
    rewritten = [*match.frames[:place], other, *match.frames[place + 1 :]]
    assert len(rewritten) == len(match.frames)
    nobody_is_blamed(judged(*rewritten), place + 1)
    # Whoever holds both moves holds the proof that it signed both.
    at_fault(judged(*match.frames[: place + 1], other), seat, "chain.equivocation")
    at_fault(judged(*match.frames[:place], other, match.frames[place]), seat, "chain.equivocation")


def test_t09_a_wholly_forged_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """T09: two fresh keys and the victim's name make a clean match of two strangers, which names their keys."""
    fresh = [SigningKey(fixed(f"fresh {seat}")) for seat in (0, 1)]
    match = Match(hex_offer(keys=fresh), keys=fresh).play()
    verdict = match.verdict()
    assert verdict.outcome is Outcome.CLEAN
    assert [player.key for player in verdict.players] == [key.public.key for key in fresh]
    assert not {key.public.key for key in KEYS} & {player.key for player in verdict.players}
    file = tmp_path / "forged"
    file.write_bytes(match.transcript())
    assert main(["audit", str(file), "--expect-key", KEYS[0].public.key.hex()]) == 2
    assert "clean" not in capsys.readouterr().out
    assert main(["audit", str(file), "--expect-key", fresh[0].public.key.hex()]) == 0


# --- forked


def test_t03_two_files_of_one_match_convict_whoever_signed_both_branches() -> None:
    """T03, VERDICT-2a: each copy alone is faultless; put together in either order they convict seat 1, and it alone."""
    match = Match(hex_offer()).until(Phase.BETTING)
    forks = [match.forge(1, Acted(move=move, amount=amount)) for move, amount in (("CHECK", 0), ("BET", 10))]
    for fork in forks:
        assert match.verdict(fork).fault is None
    for order in itertools.permutations(forks):
        at_fault(match.verdict(*order), 1, "chain.equivocation")
    honest = match.sessions[0]
    honest.receive(forks[0])
    answer = honest.say(Acted(move="CHECK", amount=0))
    assert proven(honest, forks[1])
    verdict = match.verdict(forks[0], answer, forks[1])
    at_fault(verdict, 1, "chain.equivocation")
    # VERDICT-2a: what the honest seat built on stands.
    assert verdict.frames == len(match.frames) + 2


def test_t05_after_a_crash_the_same_bytes_are_signed_again() -> None:
    """T05: a session that takes its journal in again owes nothing twice; what leaves it no choice comes out equal."""
    match = finished(hands=2)
    for count, envelope in enumerate(envelopes(match.frames)):
        if count < 2 or isinstance(envelope.event, Acted):
            continue
        seat = envelope.header.seat
        resumed = seats_of(hex_offer(hands=2))[seat]
        for frame in match.frames[:count]:
            resumed.receive(frame)
        event = resumed.due() or resumed.show()
        assert resumed.say(event) == match.frames[count]


def test_t05_an_older_state_signs_nothing_new_once_it_is_told() -> None:
    """T05, ENC-5: a session put back by a backup takes its own later frames from its peer, and then has nothing to say
    there; with secrets that cannot explain them it signs nothing."""
    match = Match(hex_offer()).until(Phase.BETTING)
    match.turn(named("BET"))
    old = seats_of(hex_offer())[1]
    for frame in match.frames[:-1]:
        old.receive(frame)
    assert old.owed is not None
    old.receive(match.frames[-1])
    with pytest.raises(Violation):
        old.say(Acted(move="CHECK", amount=0))
    other_secrets = seats_of(hex_offer(), label="other secrets")[1]
    own = next(seq for seq, e in enumerate(envelopes(match.frames)) if e.event.KIND == "commit" and e.header.seat == 1)
    for frame in match.frames[:own]:
        other_secrets.receive(frame)
    with pytest.raises(UsageError) as caught:
        other_secrets.receive(match.frames[own])
    assert caught.value.code == "resume.unexplained"


# --- spliced


def test_t06_s11_a_hand_of_another_match() -> None:
    """T06, S11: same players, keys and terms; the messages of one hand exchanged."""
    one, two = finished("one", hands=3), finished("two", hands=3)
    starts = [seq for seq, e in enumerate(envelopes(one.frames)) if isinstance(e.event, HandStarted)]
    others = [seq for seq, e in enumerate(envelopes(two.frames)) if isinstance(e.event, HandStarted)]
    spliced = [*one.frames[: starts[1]], *two.frames[others[1] : others[2]], *one.frames[starts[2] :]]
    nobody_is_blamed(judged(*spliced), starts[1])


def test_s11_the_same_words_in_another_hand_are_another_message() -> None:
    """S11: a move, a seed, a commitment of hand 1 signed again by its own author in hand 2 is judged as said there."""
    match = Match(hex_offer(hands=2)).play_to_hand(2).until(Phase.LAYOUT_OPENING)
    early = next(e.event for e in envelopes(match.frames) if isinstance(e.event, LayoutOpened))
    at_fault(match.verdict(match.forge(0, early)), 0, "commit.wrong-opening")


def test_s11_a_message_that_names_another_session() -> None:
    """S11, ENC-4: linked and signed as it should be here, it is still a message of the match it names."""
    match = Match(hex_offer()).until(Phase.BETTING)
    for session in (fixed("another match"), bytes(32), match.state.agreed.offer_hash):
        body = match.body(match.owing, Acted(move="CHECK", amount=0), session=session)
        nobody_is_blamed(match.verdict(match.sign(match.owing, body)), len(match.frames))


@pytest.mark.parametrize(
    ("place", "code"), [({"seq": 2}, "record.wrong-sequence"), ({"prev": fixed("elsewhere")}, "record.broken-link")]
)
def test_chain_1_out_of_place_in_its_first_message(place: dict[str, Any], code: str) -> None:
    """CHAIN-1, CHAIN-2: who has signed nothing yet cannot have signed twice; it is damage and blames nobody."""
    match = Match(hex_offer())
    body = match.body(1, Accepted(nonce=fixed("nonce of seat 1"), channel=b""), **place)
    verdict = match.verdict(match.sign(1, body))
    assert verdict.fault is None
    assert verdict.damage is not None
    assert (verdict.damage.record, verdict.damage.reason) == (1, code)


# --- signatures


def test_s08_what_is_signed_are_the_bytes_carried() -> None:
    """S08, ENC-3: spelled in another way it is no longer what was signed; signed in that spelling it is a fault."""
    match = Match(hex_offer()).until(Phase.BETTING)
    body = match.body(1, Acted(move="CHECK", amount=0))
    # The amount, and behind it that nothing is released.
    assert body[-3:] == b"\x00\xc4\x00"
    spelled = body[:-3] + b"\xcc\x00" + body[-2:]
    assert msgpack.unpackb(spelled) == msgpack.unpackb(body)
    _, signature = decode_frame(match.sign(1, body))
    nobody_is_blamed(match.verdict(encode_frame(spelled, signature)), len(match.frames))
    at_fault(match.verdict(match.sign(1, spelled)), 1, "encoding.non-canonical")


def test_s10_a_signature_on_one_kind_is_none_on_another() -> None:
    """S10: all pairs of kinds, and all domains: nothing signed for one purpose is valid for another."""
    match = Match(hex_offer()).until(Phase.BETTING)
    state = match.state
    bodies = {event.KIND: body_at(state, 1, event.KIND, ()) for event in EVENTS}
    signatures = {kind: decode_frame(signed(KEYS[1], body))[1] for kind, body in bodies.items()}
    taken = 0
    for kind, other in itertools.product(bodies, repeat=2):
        try:
            admit(state, open_frame(encode_frame(bodies[kind], signatures[other])))
        except Unattributed:
            continue
        assert kind == other
        taken += 1
    assert taken == len(EVENTS) == 21
    assert len({FRAME_TAG, CHAIN_TAG, SESSION_TAG}) == 3
    for tag in (b"", CHAIN_TAG, SESSION_TAG, FRAME_TAG.rstrip(b"\0"), b"dealerless/1 receipt\0"):
        body = bodies["act"]
        with pytest.raises(Unattributed):
            admit(state, open_frame(encode_frame(body, KEYS[1].sign(tag + body))))
    with pytest.raises(Unattributed):
        admit(state, open_frame(encode_frame(bodies["act"], KEYS[1].sign(body_hash(bodies["act"])))))


def test_s12_one_key_at_two_seats() -> None:
    """S12, SIG-1: the offer is refused, by the peer before it accepts and by the referee."""
    offer = hex_offer(keys=(KEYS[0], KEYS[0]))
    host, guest = seats_of(offer, keys=KEYS[:2])
    with pytest.raises(Violation) as caught:
        host.say(offer)
    assert caught.value.code == "signature.duplicate-key"
    frame = signed(KEYS[0], body_at(fold([])[0], 0, "offer", offer.fields()))
    with pytest.raises(Unattributed):
        guest.receive(frame)
    nobody_is_blamed(judged(frame), 0)


def test_s13_nothing_is_never_good() -> None:
    """S13: empty, only a header, only an offer, no hand: each says what is missing, none is clean."""
    match = Match(hex_offer()).until(Phase.HAND_STARTING)
    for count in range(len(match.frames) + 1):
        verdict = judged(*match.frames[:count])
        assert verdict.outcome is Outcome.INCOMPLETE
        assert verdict.settled == ()
        assert verdict.owes is not None
        assert verdict.hands == ()


def test_s14_one_seat_is_counted_once() -> None:
    """S14, CHAIN-3: the first seat's second settlement stands for nobody else's."""
    match = Match(hex_offer()).until(Phase.SETTLING)
    first, state = match.owing, match.state
    event = Settled(head=state.end_head, stacks=state.books.stacks, net=state.books.net)
    match.turn()
    again = match.forge(first, event)
    verdict = match.verdict(again)
    at_fault(verdict, first, "turn.not-yours")
    assert verdict.settled == (first,)
    under_its_label = match.sign(1 - first, match.body(1 - first, event), key=KEYS[first])
    nobody_is_blamed(match.verdict(under_its_label), len(match.frames))
    match.turn()
    assert match.verdict().settled == match.verdict().settling == (first, 1 - first)


@pytest.mark.parametrize("label", ["a", "b", "c"])
def test_s16_nothing_illegal_is_ever_signed_by_us(label: str) -> None:
    """S16: whatever our own player asks for, a session either refuses it unsigned or signs what the referee takes."""
    match = Match(hex_offer(hands=2, depth=2), label)
    signed_frames = 0
    while match.state.phase is not Phase.OVER:
        state = match.state
        wild: list[Event] = [
            Acted(move=m, amount=n) for m in ("BET", "RAISE", "FOLD", "bet") for n in (-10, 0, 7, 2**63)
        ]
        wild += [Left(), Mucked(), Readied(), LayoutOpened(seed=bytes(32)), match.owed_event(by_chance(label))]
        wild += [HandStarted(number=1, button=1, stacks=(30, 30), net=(0, 0))]
        order = sorted(range(len(wild)), key=lambda n: fixed(f"{label} {state.seq} {n}"))
        for number in order:
            speaker = match.sessions[number % 2]
            try:
                frame = speaker.say(wild[number])
            except (Violation, UsageError):
                assert speaker.state == state
                continue
            match.frames.append(frame)
            match.sessions[1 - number % 2].receive(frame)
            signed_frames += 1
            break
        else:
            match.turn(by_chance(label))
    verdict = match.verdict()
    assert verdict.fault is None
    assert verdict.damage is None
    assert signed_frames


# --- the end


def test_t12_the_loser_does_not_sign_the_end() -> None:
    """T12, CHAIN-3: the same winner and stacks; who signed is said, and nobody is blamed for not signing."""
    match = finished()
    whole = match.verdict()
    assert whole.settled == whole.settling
    for missing in (1, 2):
        verdict = judged(*match.frames[:-missing])
        assert verdict.outcome is Outcome.CLEAN
        assert (verdict.stacks, verdict.net, verdict.hands) == (whole.stacks, whole.net, whole.hands)
        assert verdict.settled == whole.settling[: 2 - missing]
        assert verdict.settling == whole.settling
        assert verdict.owes is not None
        assert verdict.owes.kinds == ("settle",)


def test_t13_each_player_brings_a_file(tmp_path: Path) -> None:
    """T13, VERDICT-5: the order of the files changes nothing; what the shorter says the longer says too."""
    match = finished(hands=2)
    cut = len(match.frames) // 2
    names = []
    for name, data in (("one", match.transcript()), ("two", transcript(*match.frames[:cut]))):
        (tmp_path / name).write_bytes(data)
        names.append(str(tmp_path / name))
    assert main(["audit", *names]) == main(["audit", *names[::-1]]) == 3
    shorter = judged(*match.frames[:cut])
    whole = match.verdict()
    done = [hand for hand in shorter.hands if hand.result != "running"]
    assert done == list(whole.hands[: len(done)])
    assert account(judged(*match.frames)) == account(whole)
