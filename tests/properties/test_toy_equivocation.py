"""A seat of three or four that says two things at one place (CHAIN-2, CHAIN-5): the proof, and its expulsion."""

from __future__ import annotations

import pytest

from dealerless.errors import Unattributed
from dealerless.protocol.events import (
    Acted,
    Mucked,
)
from dealerless.protocol.state import Phase
from tests.matches import (
    Choose,
    Match,
    first_option,
    proven,
    toy_offer,
)


def test_t03_who_saw_one_branch_only_is_never_to_blame() -> None:
    """T03, CHAIN-2: seat 2 tells the others two different things; the one who built on the first is honest."""
    match = Match(toy_offer(hands=1)).until(Phase.BETTING)
    liar = match.owing
    after, other = (liar + 1) % 3, (liar + 2) % 3
    first = match.forge(liar, Acted(move="CHECK", amount=0))
    second = match.forge(liar, Acted(move="BET", amount=1))
    match.sessions[after].receive(first)
    match.sessions[other].receive(second)
    built = match.sessions[after].say(Acted(move="CHECK", amount=0))
    with pytest.raises(Unattributed):
        match.sessions[other].receive(built)
    assert match.sessions[other].fault is None
    assert proven(match.sessions[other], first)
    for frames in ([first, second], [second, first], [first, built, second]):
        verdict = match.verdict(*frames)
        assert verdict.fault is not None
        assert (verdict.fault.seat, verdict.fault.code) == (liar, "chain.equivocation")
    assert match.verdict(second, built).fault is None


def equivocates(match: Match, choose: Choose = first_option) -> bytes:
    """The owing seat signs what it owes and something else; return the second. Everybody gets the first."""
    liar = match.owing
    second = match.forge(liar, Mucked())
    match.turn(choose)
    match.out.add(liar)
    for seat, session in enumerate(match.sessions):
        if seat not in match.out:
            assert proven(session, second)
            assert session.fault is None
            assert session.proof() is None
    return second


def convict(match: Match, second: bytes) -> None:
    """The equivocator owes: every seat that stays finds the proof, and writes it down before the expulsion."""
    match.frames.append(second)
    for seat, session in enumerate(match.sessions):
        if seat not in match.out:
            assert session.proof() == second
            assert session.fault is not None
            assert session.state.phase is Phase.EXPELLING


def test_chain_5_an_equivocator_is_expelled_when_it_owes() -> None:
    """CHAIN-5, VERDICT-2a: what others built on stands; in place of its next message it is expelled."""
    match = Match(toy_offer(hands=2)).until(Phase.COMMITTING)
    liar = match.owing
    second = equivocates(match)
    while match.owing != liar:
        match.turn()
    position = len(match.frames)
    convict(match, second)
    assert match.owing == (liar + 1) % 3
    match.play()
    verdict = match.verdict()
    assert verdict.fault is not None
    assert (verdict.fault.seat, verdict.fault.code) == (liar, "chain.equivocation")
    assert verdict.unjudged is None
    assert [(forfeit.seat, forfeit.seq, forfeit.amount) for forfeit in verdict.forfeits] == [(liar, position, 1)]
    assert verdict.stacks[liar] == 4
    assert len(verdict.hands) == 2


def test_chain_5_two_equivocators_are_both_expelled() -> None:
    """CHAIN-5: one proof does not push out the other."""
    match = Match(toy_offer(seats=4, hands=1)).until(Phase.COMMITTING)
    proofs = {0: equivocates(match)}
    match.turn()
    proofs[2] = equivocates(match)
    while match.state.phase is not Phase.OVER:
        if match.owing in proofs and match.state.phase is not Phase.EXPELLING:
            convict(match, proofs.pop(match.owing))
        match.turn()
    verdict = match.verdict()
    assert not proofs
    assert {forfeit.seat for forfeit in verdict.forfeits} == match.out
    assert verdict.unjudged is None
    assert sum(verdict.stacks) == 20
