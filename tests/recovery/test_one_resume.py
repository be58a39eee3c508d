"""A seat of One Poker that comes back from its journal and its secrets, at every message of a match (ENC-5, DECK-8)."""

from __future__ import annotations

import copy
from functools import cache

import pytest

from dealerless.errors import UsageError
from dealerless.protocol.session import Session
from dealerless.protocol.state import Phase
from dealerless.referee import Outcome
from tests.matches import KEYS, PLAYED, KeptSecrets, Match, by_chance, envelopes, one_offer, seats_of
from tests.one import branch, steps

OFFER = one_offer(rounds=3, lives=(6, 8))


@cache
def moments() -> tuple[Match, ...]:
    return tuple([branch(match) for match in steps(Match(OFFER, "back"), by_chance("back again"))])


@cache
def rebuilt(seat: int) -> tuple[Session, ...]:
    """The seat begun anew from its key and secrets, after none, one, two, ... of the frames it has."""
    session = seats_of(OFFER, "back")[seat]
    found = [copy.copy(session)]
    for frame in moments()[-1].frames:
        session.receive(frame)
        found.append(copy.copy(session))
    return tuple(found)


def rebuilt_at(seat: int, count: int) -> Session:
    return copy.copy(rebuilt(seat)[count])


@pytest.mark.parametrize("seat", [0, 1])
def test_it_goes_on_at_every_message(seat: int) -> None:
    """ENC-5: it knows the state, its cards and its key, and what it says next the other takes."""
    said = 0
    for match in moments():
        session = rebuilt_at(seat, len(match.frames))
        before = match.sessions[seat]
        assert (session.state.head, session.state.phase, session.owed) == (
            before.state.head,
            before.state.phase,
            before.owed,
        )
        assert session.hole() == before.hole()
        assert session.legal() == before.legal()
        if session.owed is None:
            continue
        again = branch(match)
        again.sessions[seat] = session
        again.turn(by_chance("back again"))
        assert again.state.head == session.state.head
        said += 1
    assert said > 20


def test_the_card_that_opens_is_the_one_that_was_known() -> None:
    """DECK-8, ONE-5: which card it has laid stands in no file, but its key opens both; round after round."""
    expected: dict[tuple[int, int], int] = {}
    for match in moments():
        play = match.state.play
        if play is None or match.state.phase is not Phase.SHOWING:
            continue
        for seat in (0, 1):
            if seat not in play.hand.shown:
                expected[match.state.books.number, seat] = rebuilt_at(seat, len(match.frames)).hole()[0]
            else:
                assert play.hand.cards[seat] == expected[match.state.books.number, seat]
    assert len(expected) >= 4


@pytest.mark.parametrize("phase", [Phase.KEYING, Phase.CLASSING, Phase.LAYING, Phase.BETTING, Phase.SHOWING])
def test_both_come_back_and_play_to_the_end(phase: Phase) -> None:
    """ENC-5, VERDICT-1: the file is clean, whoever was gone."""
    match = branch(next(match for match in reversed(moments()) if match.state.phase is phase))
    match.sessions = [rebuilt_at(seat, len(match.frames)) for seat in (0, 1)]
    verdict = match.play().verdict()
    assert verdict.outcome is Outcome.CLEAN
    assert sum(verdict.stacks) == 14


@pytest.mark.parametrize("kind", ["lot", "lot-open", "key", "share", "reveal"])
def test_other_secrets_sign_nothing(kind: str) -> None:
    """ENC-5: a backup of the wrong secrets finds out at its first message, before it has signed another on it."""
    frames = moments()[-1].frames
    place = next(n for n, envelope in enumerate(envelopes(frames)) if kind == envelope.event.KIND)
    seat = envelopes(frames)[place].header.seat
    right = KeptSecrets(f"back: seeds of seat {seat}")
    session = Session(KEYS[seat], right, PLAYED)
    for frame in frames[:place]:
        session.receive(frame)
    session._secrets = KeptSecrets("another file")
    with pytest.raises(UsageError) as refusal:
        session.receive(frames[place])
    assert refusal.value.code == "resume.unexplained"
