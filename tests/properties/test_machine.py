"""Every reachable state of small matches: exactly what the naive reading allows passes, all else convicts its author.

The matches are walked whole, through every line of moves (P01, P02). At each state all kinds of messages, by both
seats, with right and wrong fields, go through `step`; the seat that signed what is refused is to be expelled (CHAIN-5).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from dealerless.errors import Unattributed, Violation
from dealerless.protocol.events import (
    EVENTS,
    Accepted,
    Acted,
    CardLaid,
    ClassProven,
    DeckShuffled,
    Event,
    Exchanged,
    Expelled,
    HandStarted,
    KeyPublished,
    LayoutOpened,
    Left,
    LotCommitted,
    LotOpened,
    Mucked,
    Readied,
    Revealed,
    SeedsCommitted,
    Settled,
    SharesPublished,
    Shown,
)
from dealerless.protocol.machine import Admitted, refuse, start, step
from dealerless.protocol.state import Phase, State
from dealerless.protocol.table import RULES
from tests.matches import PLAYED, chips, envelope_at, fixed, hex_offer
from tests.oracle.naive_match import NaiveMatch

SEATS = (0, 1)


def seed(seat: int, purpose: str, hand: int) -> bytes:
    return fixed(f"{purpose} seed of seat {seat} in hand {hand}")


@cache
def walk(depth: int, hands: int, show: str, suite: str) -> tuple[tuple[State, NaiveMatch], ...]:
    """Every reachable state of a match, each with the naive reading of how it came about."""
    offer = hex_offer("walk", depth=depth, hands=hands, show=show, suite=suite, bet=3)
    reached: list[tuple[State, NaiveMatch]] = [(start(PLAYED), NaiveMatch(offer=offer, seeds=seed))]
    for state, naive in reached:
        for seat, event in naive.allowed(state.head):
            after = step(state, envelope_at(state, seat, event))
            told = naive.after(event, state.head, after.head)
            if after.match is not None and not told.session and after.seq == 2:
                told = NaiveMatch(offer=offer, seeds=seed, session=after.match.session, messages=2)
            reached.append((after, told))
    return tuple(reached)


# (depth, hands, show, suite), and in how many ways the match can end: the lines of a hand are 11, 39 and 123 for
# depths 1, 2 and 3; one or three of them come to a muck or a show; and the button may leave instead of starting.
MATCHES = [(1, 1, "all", "sha256"), (1, 2, "muck", "md5"), (2, 1, "muck", "sha256"), (3, 1, "all", "md5")]
ENDS = {MATCHES[0]: 11 + 1, MATCHES[1]: 12 * (12 + 1) + 1, MATCHES[2]: 39 + 3 + 1, MATCHES[3]: 123 + 1}


def candidates(state: State, naive: NaiveMatch) -> Iterator[Event]:
    """Messages of every kind: right here, right elsewhere, and right nowhere."""
    offer = naive.offer
    yield offer
    yield Accepted(nonce=bytes(32), channel=b"")
    yield Readied()
    yield Left()
    yield Mucked()
    stacks, net = ((12, 12), naive.net) if state.match is None else (state.books.stacks, state.books.net)
    for number in (1, 2, 3):
        for button in SEATS:
            yield HandStarted(number=number, button=button, stacks=(3 + 3 * naive.rules[1],) * 2, net=naive.net)
    yield HandStarted(number=naive.hand + 1, button=naive.hand % 2, stacks=stacks, net=(1, -1))
    yield HandStarted(number=naive.hand + 1, button=naive.hand % 2, stacks=(*stacks, 0), net=net)
    for seat in SEATS:
        yield naive.commitments(seat)
        yield SeedsCommitted(layout=fixed("one"), hole=fixed("one"))
        yield Expelled(seat=seat, record=state.head)
        for hand in {1, naive.hand}:
            for purpose in ("layout", "hole"):
                yield LayoutOpened(seed=seed(seat, purpose, hand))
                yield Shown(seed=seed(seat, purpose, hand))
    yield LayoutOpened(seed=bytes(32))
    yield Shown(seed=bytes(32))
    yield KeyPublished(key=bytes(32), proof=bytes(64))
    yield DeckShuffled(deck=bytes(128), proof=bytes(32 * 13))
    yield SharesPublished(shares=bytes(32), proof=bytes(64))
    yield Revealed(shares=bytes(64), proofs=bytes(128))
    yield Exchanged(slots=(0,))
    yield LotCommitted(commitment=bytes(32))
    yield LotOpened(seed=bytes(32))
    yield ClassProven(classes=(0,), proofs=bytes(64))
    yield CardLaid(cards=bytes(128), proof=bytes(192))
    yield Acted(move="CHECK", amount=0, released=bytes(96))
    for name in ("CHECK", "BET", "CALL", "RAISE", "ALLIN", "FOLD", "check", ""):
        for amount in {0, 3, 6, *[3 * left for left in naive.stacks], 1, -3, 2**63}:
            yield Acted(move=name, amount=amount)
    for head in (state.head, naive.settling or bytes(32)):
        yield Settled(head=head, stacks=stacks, net=net)
        yield Settled(head=head, stacks=stacks[::-1], net=net)
        yield Settled(head=head, stacks=stacks, net=(net[0] + 1, net[1] - 1))


def passes(state: State, seat: int, event: Event) -> bool:
    """Whether `step` takes the message; it does exactly when the row's check has nothing against it."""
    envelope = envelope_at(state, seat, event)
    try:
        after = step(state, envelope)
    except (Violation, Unattributed):
        taken = False
    else:
        taken = True
        assert after.seq == state.seq + 1
        assert after.head == envelope.record
        assert chips(after) in (0, 2 * 3 * (1 + after.agreed.rules.depth))
    if state.refused is not None and seat != state.refused.seat and not isinstance(event, Expelled):
        # What was owed before something was refused can have crossed with that.
        state = state.enter(refused=None).evolve(phase=state.refused.waiting.phase, owed=state.refused.waiting)
    owed, rule = state.owed, RULES.get((state.phase, type(event)))
    if rule is not None and owed is not None and (owed.seat, type(event) in owed.kinds) == (seat, True):
        assert (rule.check(state, envelope, event) is None) == taken
    else:
        assert not taken
    return taken


def may_be(naive: NaiveMatch, seat: int, event: Event, owed: Event) -> bool:
    """Whether a commitment is as good as the one owed: nobody can know what it opens to. COMMIT-3."""
    if not (isinstance(event, SeedsCommitted) and isinstance(owed, SeedsCommitted)):
        return False
    earlier = naive.commitments(0) if seat else None
    digests = [event.layout, event.hole] + ([earlier.layout, earlier.hole] if earlier else [])
    return len(set(digests)) == len(digests)


@pytest.mark.parametrize("match", MATCHES[:3])
def test_p01_p02_exactly_what_is_owed_passes(match: tuple[int, int, str, str]) -> None:
    """P01, P02, CHAIN-1: all kinds by all seats at every reachable state; nothing is skipped, nothing comes twice."""
    phases = Counter[Phase]()
    for state, naive in walk(*match):
        phases[state.phase] += 1
        allowed = naive.allowed(state.head)
        owed = state.owed
        assert {seat for seat, _ in allowed} == (set() if owed is None else {owed.seat})
        assert {type(event) for _, event in allowed} <= set(() if owed is None else owed.kinds)
        for seat in SEATS:
            fitting = [event for other, event in allowed if other == seat]
            for event in {*candidates(state, naive), *fitting}:
                right = event in fitting or (bool(fitting) and may_be(naive, seat, event, fitting[0]))
                assert passes(state, seat, event) == right, (seat, event, state.phase)
    assert phases[Phase.OVER] == ENDS[match]
    deck = {Phase.KEYING, Phase.SHUFFLING, Phase.DEALING, Phase.BOARD_OPENING, Phase.EXCHANGING}
    shoe = {Phase.DRAWING_LOT, Phase.CLASSING, Phase.LAYING}
    assert set(phases) == set(Phase) - {Phase.EXPELLING} - deck - shoe


@pytest.mark.parametrize("match", MATCHES)
def test_every_line_ends_in_a_settled_match(match: tuple[int, int, str, str]) -> None:
    """CHAIN-3, HEX-13: wherever the naive reading ends the table ends, with the same stacks and net."""
    ends = [(state, naive) for state, naive in walk(*match) if not naive.allowed(state.head)]
    assert ends
    for state, naive in ends:
        assert state.phase is Phase.OVER
        assert state.books.net == naive.net
        assert sum(state.books.stacks) == 6 * (1 + naive.rules[1])
        assert {0, 1} - set(naive.left) == set(state.settled)


def test_the_events_that_are_tried_are_all_there_are() -> None:
    state, naive = walk(*MATCHES[0])[7]
    assert {type(event) for event in candidates(state, naive)} == set(EVENTS)


@pytest.mark.parametrize("match", [MATCHES[0], MATCHES[2]])
@pytest.mark.parametrize("author", SEATS)
def test_chain_5_after_a_refusal_only_the_expulsion_passes(match: tuple[int, int, str, str], author: int) -> None:
    """CHAIN-5: heads-up the other seat expels, whoever owed; it names author and record, and the match ends.

    Or it says what it owed, if it had signed that before it heard of the refused message.
    """
    for state, naive in walk(*match):
        if not state.judging:
            continue
        wrong = Acted(move="RAISE", amount=-1)
        envelope = envelope_at(state, author, wrong)
        with pytest.raises(Violation) as caught:
            step(state, envelope)
        admitted = Admitted(author, state.seq, envelope.record, envelope, None)
        refusing = refuse(state, admitted, caught.value)
        if state.phase in (Phase.SETTLING, Phase.OVER):
            assert refusing.owed is None
            assert not any(passes(refusing, seat, event) for seat in SEATS for event in candidates(state, naive))
            continue
        right = Expelled(seat=author, record=envelope.record)
        tried = {*candidates(refusing, naive), right, Expelled(seat=1 - author, record=envelope.record)}
        passing = [(seat, event) for seat in SEATS for event in tried if passes(refusing, seat, event)]
        assert state.owed is not None
        owing = state.owed.seat
        said = [event for event in tried if owing != author and not isinstance(event, Expelled)]
        crossed = [(owing, event) for event in said if passes(state, owing, event)]
        assert sorted(map(repr, passing)) == sorted(map(repr, [(1 - author, right), *crossed]))
        after = step(refusing, envelope_at(refusing, 1 - author, right))
        assert after.phase is Phase.SETTLING
        assert after.owed is not None
        assert after.owed.seat == 1 - author
        lost = 0 if state.play is None else state.play.hand.totals[author]
        assert sum(forfeit.amount for forfeit in after.books.forfeits) == lost
        if state.play is not None:
            kept = state.play.hand.stacks[author]
            assert after.books.stacks[author] == kept
