"""Attacks on the seeds of a deal, played out at the table: copied, mirrored, late, doubled, reused, withheld (COMMIT).

What the hash alone withstands stands in test_commitment_attacks.py; here a cheat sits at the table and signs.
"""

from __future__ import annotations

import hashlib
import itertools

import pytest

from dealerless.errors import UsageError, Violation
from dealerless.protocol.events import Acted, LayoutOpened, SeedsCommitted, Shown
from dealerless.protocol.hashdeal import deal_line
from dealerless.protocol.seeds import MemorySecrets
from dealerless.protocol.state import Phase
from dealerless.referee import Outcome, Verdict
from tests.matches import Match, by_chance, envelopes, fixed, fold, hex_offer, judged, named, proven

# What somebody who types a seed would type: short words, dates, numbers (C04).
WEAK = [b"", b"0", b"1234", b"a", b"seed", b"password", b"2024-01-01", *[b"%d" % number for number in range(2000)]]


def committed(match: Match) -> SeedsCommitted:
    """The commitments that stand in the running hand, the last one made."""
    commitments: tuple[SeedsCommitted, ...] = match.state.running.deal.commitments
    return commitments[-1]


def convicted(verdict: Verdict, seat: int, code: str) -> None:
    assert verdict.outcome is Outcome.FAULT
    assert verdict.fault is not None
    assert (verdict.fault.seat, verdict.fault.code, verdict.fault.blame) == (seat, code, "public")


def cheated(match: Match, seat: int, event: object, code: str) -> None:
    """A seat signs this: the others refuse it, expel the seat and play on, and the referee says the same."""
    assert isinstance(event, SeedsCommitted | LayoutOpened | Shown | Acted)
    in_pot = match.state.running.hand.totals[seat]
    assert match.cheat(seat, match.forge(seat, event)).code == code
    convicted(match.verdict(), seat, code)
    match.play()
    verdict = match.verdict()
    convicted(verdict, seat, code)
    assert sum(verdict.stacks) == match.total
    assert [(forfeit.seat, forfeit.amount) for forfeit in verdict.forfeits] == [(seat, in_pot)]


# --- C04, C05: nothing that could be guessed is committed to


def test_c04_c05_no_commitment_opens_to_anything_that_can_be_guessed() -> None:
    """C04, C05: no weak seed or small value, alone or with all that is public, gives a digest of the chain."""
    matches = [Match(hex_offer(str(n), hands=2), str(n)).play(by_chance(str(n))) for n in range(3)]
    digests = set()
    for match in matches:
        for event in [envelope.event for envelope in envelopes(match.frames)]:
            if isinstance(event, SeedsCommitted):
                digests |= {event.layout, event.hole}
    assert len(digests) == 3 * 2 * 2 * 2
    for match in matches:
        session = match.state.agreed.session.hex()
        for value in [*WEAK, *[bytes([card]) for card in range(256)]]:
            guesses = [value, hashlib.sha256(value).digest(), value.ljust(32, b"\0"), value.rjust(32, b"\0")]
            for guess, purpose in itertools.product(guesses, ("layout", "hole")):
                for hand, seat in itertools.product((1, 2), (0, 1)):
                    line = f"dealerless/1 commit {purpose} {session} {hand:05} {seat} {guess.hex()}"
                    assert hashlib.sha256(line.encode()).digest() not in digests
            assert hashlib.sha256(value).digest() not in digests


@pytest.mark.parametrize("size", [0, 1, 8, 31, 33])
def test_c04_a_source_that_gives_other_than_32_bytes_is_not_used(size: int) -> None:
    """C04, COMMIT-1: a seed is 32 bytes from the source of randomness and nothing else."""
    with pytest.raises(UsageError) as caught:
        MemorySecrets(lambda _: bytes(size)).seed(1, "layout")
    assert caught.value.code == "secrets.repeated-seed"


def test_c05_the_same_move_is_never_committed_to_alike() -> None:
    """C05: no move is committed to at all; what is, is different in every hand, seat and purpose."""
    match = Match(hex_offer(hands=3)).play(named("CHECK CHECK " * 3))
    events = [envelope.event for envelope in envelopes(match.frames)]
    digests = [digest for e in events if isinstance(e, SeedsCommitted) for digest in (e.layout, e.hole)]
    assert len(set(digests)) == len(digests) == 12


# --- C06, C07: taking the other's


def test_c06_copied_commitment() -> None:
    """C06: seat 1 repeats seat 0's commitments, both or one, in any place: refused at once, and seat 1 is to blame."""
    for copy in ("both", "swapped", "layout", "hole", "hole as layout"):
        match = Match(hex_offer()).until(Phase.COMMITTING).turn()
        theirs = committed(match)
        own = fixed("own")
        event = {
            "both": theirs,
            "swapped": SeedsCommitted(layout=theirs.hole, hole=theirs.layout),
            "layout": SeedsCommitted(layout=theirs.layout, hole=own),
            "hole": SeedsCommitted(layout=own, hole=theirs.hole),
            "hole as layout": SeedsCommitted(layout=theirs.hole, hole=own),
        }[copy]
        cheated(match, 1, event, "commit.duplicate")


def test_c06_the_copied_frame_itself_is_no_message_of_the_copier() -> None:
    """C06: seat 0's frame again is a copy of a frame; its body under seat 1's key is nobody's."""
    match = Match(hex_offer()).until(Phase.COMMITTING).turn()
    body = envelopes(match.frames[-1:])[0].body
    for frame, reason in ((match.frames[-1], "record.duplicate"), (match.sign(1, body), "record.bad-signature")):
        verdict = match.verdict(frame)
        assert verdict.fault is None
        assert verdict.damage is not None
        assert verdict.damage.reason in (reason, "record.duplicate")


def test_c06_a_commitment_of_an_earlier_hand_opens_nothing() -> None:
    """C06, C16: copied from hand 1 it is accepted, since nobody can see what it is; but the hand is hashed into it."""
    match = Match(hex_offer(hands=2)).play_to_hand(2).until(Phase.COMMITTING)
    earlier = [e.event for e in envelopes(match.frames) if isinstance(e.event, SeedsCommitted)]
    seeds = [e.event.seed for e in envelopes(match.frames) if isinstance(e.event, LayoutOpened)]
    match.out.add(0)
    frame = match.forge(0, earlier[0])
    match.sessions[1].receive(frame)
    match.frames.append(frame)
    match.turn()
    cheated(match, 0, LayoutOpened(seed=seeds[0]), "commit.wrong-opening")


def test_c07_mirrored_seeds_do_not_cancel() -> None:
    """C07: two equal seeds are refused where the second is opened; and the digest is of a line, in seat order."""
    match = Match(hex_offer()).until(Phase.COMMITTING).turn()
    mirrored = match.seed(0, "layout")
    frame = match.forge(1, match.commitments(1, mirrored, fixed("hole")))
    match.out.add(1)
    match.sessions[0].receive(frame)
    match.frames.append(frame)
    match.turn()
    cheated(match, 1, LayoutOpened(seed=mirrored), "commit.seed-reuse")


def test_c07_the_digest_is_no_constant_and_depends_on_the_order() -> None:
    """C07: equal and zero seeds give lines as different as any."""
    pairs = itertools.product((fixed("a"), bytes(32)), repeat=2)
    assert len({deal_line("sha256", fixed("session"), 1, seeds) for seeds in pairs}) == 4


# --- C08, C14: too early, too late, twice


def test_c08_opening_before_all_have_committed() -> None:
    """C08: who opens early is at fault; the opening is no part of the chain, and nobody waits for its author's good.

    The other's commitment may have been signed before it came, and stands in its place (CHAIN-5).
    """
    match = Match(hex_offer()).until(Phase.COMMITTING).turn()
    seed = match.seed(0, "layout")
    late = match.forge(1, match.commitments(1, fixed("ground"), fixed("hole")))
    early = match.forge(0, LayoutOpened(seed=seed))
    verdict = match.verdict(early, late)
    convicted(verdict, 0, "commit.early-opening")
    assert (verdict.unjudged, verdict.frames) == (None, len(match.frames) + 1)
    cheated(match, 0, LayoutOpened(seed=seed), "commit.early-opening")


@pytest.mark.parametrize("phase", [Phase.COMMITTING, Phase.LAYOUT_OPENING, Phase.BETTING])
@pytest.mark.parametrize("seat", [0, 1])
def test_c08_a_hole_seed_is_opened_at_showdown_only(phase: Phase, seat: int) -> None:
    """C08, SHOW-2: even the right seed, by a seat whose turn it is, is a fault before the betting is over."""
    match = Match(hex_offer()).until(phase)
    cheated(match, seat, Shown(seed=match.seed(seat, "hole")), "commit.early-opening")


def test_c08_committing_after_an_opening() -> None:
    """C08: a second commitment once the first layout is open is a fault of its author, whoever owes."""
    for seat in (0, 1):
        match = Match(hex_offer()).until(Phase.LAYOUT_OPENING).turn()
        code = "turn.wrong-kind" if seat else "turn.not-yours"
        cheated(match, seat, match.commitments(seat, fixed("late"), fixed("hole")), code)


def test_c08_p10_layouts_are_opened_in_seat_order() -> None:
    """C08, CHAIN-1: one order for all; the second seat does not open first, and nothing is lost by it to the first."""
    match = Match(hex_offer()).until(Phase.LAYOUT_OPENING)
    cheated(match, 1, LayoutOpened(seed=match.seed(1, "layout")), "turn.not-yours")


def test_c14_a_second_commitment_replaces_nothing() -> None:
    """C14, CHAIN-2: on the same previous hash it proves equivocation; at the next place it is out of turn."""
    for seat in (0, 1):
        match = Match(hex_offer()).until(Phase.COMMITTING)
        for _ in range(seat):
            match.turn()
        other = match.forge(seat, match.commitments(seat, fixed("other"), fixed("hole")))
        match.turn()
        first = committed(match)
        convicted(match.verdict(other), seat, "chain.equivocation")
        next_place = match.forge(seat, match.commitments(seat, fixed("other"), fixed("hole")))
        convicted(match.verdict(next_place), seat, "turn.wrong-kind" if match.owing == seat else "turn.not-yours")
        assert proven(match.sessions[1 - seat], other)
        assert match.sessions[1 - seat].state.running.deal.commitments[seat] == first


def test_c14_another_opening_for_the_same_commitment() -> None:
    for phase, opening in ((Phase.LAYOUT_OPENING, LayoutOpened), (Phase.SHOWING, Shown)):
        match = Match(hex_offer()).until(phase)
        cheated(match, match.owing, opening(seed=fixed("better cards")), "commit.wrong-opening")


# --- C16: a seed used before


def second_hand(layout: bytes, hole: bytes) -> Match:
    """A match in whose second hand seat 0 has committed to these seeds, and seat 1 to its own."""
    match = Match(hex_offer(hands=2)).play_to_hand(2).until(Phase.COMMITTING)
    frame = match.forge(0, match.commitments(0, layout, hole))
    match.out.add(0)
    match.sessions[1].receive(frame)
    match.frames.append(frame)
    return match.turn()


def test_c16_seed_reuse() -> None:
    """C16, COMMIT-3: a seed opened before, by whomever and for whatever purpose, opens no commitment again."""
    seen = Match(hex_offer(hands=2)).play_to_hand(2)
    opened = [e.event.seed for e in envelopes(seen.frames) if isinstance(e.event, LayoutOpened | Shown)]
    assert len(opened) == 4
    for seed in opened:
        match = second_hand(seed, fixed("hole"))
        cheated(match, 0, LayoutOpened(seed=seed), "commit.seed-reuse")
        match = second_hand(fixed("layout"), seed)
        frame = match.forge(0, LayoutOpened(seed=fixed("layout")))
        match.sessions[1].receive(frame)
        match.frames.append(frame)
        match.turn()
        while match.state.phase is Phase.BETTING:
            if match.owing == 1:
                match.turn()
            else:
                frame = match.forge(0, Acted(move="CHECK", amount=0))
                match.sessions[1].receive(frame)
                match.frames.append(frame)
        match.until_owing(0)
        cheated(match, 0, Shown(seed=seed), "commit.seed-reuse")


def test_c16_a_source_that_repeats_itself_is_noticed_before_anything_is_sent() -> None:
    """C16: with a random generator that always gives the same, the second seed is not given out."""
    secrets = MemorySecrets(lambda size: b"\7" * size)
    assert secrets.seed(1, "layout") == secrets.seed(1, "layout")
    for hand, purpose in ((1, "hole"), (2, "layout")):
        with pytest.raises(UsageError) as caught:
            secrets.seed(hand, purpose)
        assert caught.value.code == "secrets.repeated-seed"


def test_c17_a_seed_of_another_length_is_its_senders_fault() -> None:
    """C17: refused by length or size before anything is hashed."""
    for size, code in (
        (0, "wrong-length"),
        (31, "wrong-length"),
        (33, "wrong-length"),
        (64, "wrong-length"),
        (600, "too-large"),
    ):
        match = Match(hex_offer()).until(Phase.LAYOUT_OPENING)
        frame = match.sign(0, match.body(0, kind="layout", fields=(b"\0" * size,)))
        assert match.cheat(0, frame).code == f"encoding.{code}"
        convicted(match.verdict(), 0, f"encoding.{code}")


# --- C11, C12: who does not like the cards goes away


def test_c11_last_revealer_abort() -> None:
    """C11, COMMIT-4, VERDICT-4: silence after the antes costs all that is in the pot: never less than playing on."""
    match = Match(hex_offer(depth=3)).play(named("BET RAISE CALL CHECK CHECK"))
    states = fold(match.frames)
    (final,) = match.verdict().hands
    silent = 0
    for count, state in enumerate(states):
        if state.play is None or state.owed is None:
            continue
        verdict = judged(*match.frames[:count])
        seat = state.owed.seat
        assert verdict.outcome is Outcome.INCOMPLETE
        assert verdict.fault is None
        assert verdict.owes is not None
        assert verdict.owes.seat == seat
        assert verdict.pending is not None
        stacks = verdict.pending.if_forfeit
        assert stacks is not None
        in_pot = state.play.hand.totals
        assert stacks[seat] == final.before[seat] - in_pot[seat]
        assert stacks[1 - seat] == final.before[1 - seat] + in_pot[seat]
        # Whatever comes of the cards, a seat that stays keeps at least what is behind.
        assert stacks[seat] <= state.play.hand.stacks[seat]
        silent += 1
    assert silent == 2 + 2 + 5 + 2


def test_c12_five_aborted_matches() -> None:
    """C12: every retry costs the ante, and nothing of the earlier one comes again."""
    digests, sessions = set(), set()
    for attempt in range(5):
        match = Match(hex_offer(f"attempt {attempt}"), f"attempt {attempt}").until(Phase.BETTING)
        sessions.add(match.state.agreed.session)
        for event in [envelope.event for envelope in envelopes(match.frames)]:
            if isinstance(event, SeedsCommitted):
                digests |= {event.layout, event.hole}
            if isinstance(event, LayoutOpened):
                digests.add(event.seed)
        verdict = match.verdict()
        assert verdict.pending is not None
        assert verdict.owes is not None
        assert verdict.pending.if_forfeit == (70, 50)
        assert verdict.owes.seat == 1
    assert len(sessions) == 5
    assert len(digests) == 5 * 6


def test_c12_nothing_is_at_stake_before_the_last_ready() -> None:
    """C12, CHAIN-0: who goes away before has lost nothing, and nobody is at fault."""
    match = Match(hex_offer()).until(Phase.HAND_STARTING)
    for count in range(5):
        verdict = judged(*match.frames[:count])
        assert verdict.outcome is Outcome.INCOMPLETE
        assert verdict.pending is None
        assert verdict.stacks in ((), (60, 60))


def test_refusals_leave_the_state_as_it_was() -> None:
    """Every refusal above is raised by `step`, which never changes the state it was asked about."""
    match = Match(hex_offer()).until(Phase.COMMITTING).turn()
    session = match.sessions[0]
    before = session.state
    with pytest.raises(Violation):
        session.say(LayoutOpened(seed=fixed("early")))
    assert session.state is before
