"""The simple strategy: only legal moves in any game, and in 500 hands everything that can happen happens."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from dealerless.games.game import Move
from dealerless.players.automatic import MIDDLING, SIMPLE
from dealerless.players.hexstrength import beaten
from dealerless.players.levels import computer_player
from dealerless.players.player import seat_view
from dealerless.protocol.events import Accepted, Acted, Event, Mucked, Offered
from dealerless.protocol.state import HandRecord, Phase
from tests.matches import Match, hex_offer, toy_offer


def play(offer: Offered, chance: random.Random) -> list[HandRecord]:
    """Return the hands of a match between automatic players."""
    match = Match(offer)
    hands: list[HandRecord] = []
    player = computer_player("easy", chance)
    while match.state.phase is not Phase.OVER:
        session = match.sessions[match.owing]
        event: Event | None = session.due()
        if event is None and match.state.phase is Phase.ACCEPTING:
            event = Accepted(nonce=bytes(32), channel=b"")
        elif event is None and session.legal():
            move = player.decide(seat_view(session))
            assert seat_view(session).refusal(move) is None
            event = Acted(move=move.name, amount=move.amount)
        elif event is None:
            event = session.show() if player.shows(seat_view(session)) else Mucked()
        match.say(match.owing, event)
        finished = match.state.ledger.finished
        if finished is not None and finished not in hands[-1:]:
            hands.append(finished)
    return hands


def test_five_hundred_hands_have_everything() -> None:
    """Every move of HEX-6, a fold, a showdown and a split, as the demo is to show them."""
    moves: Counter[str] = Counter()
    results: Counter[str] = Counter()
    for part in range(5):
        for hand in play(hex_offer(hands=100, label=f"automatic {part}"), random.Random(part)):
            moves.update(action.move for action in hand.actions)
            results[hand.result] += 1
            results["split"] += len(hand.winners) == 2
    assert set(moves) == {"CHECK", "BET", "CALL", "RAISE", "ALLIN", "FOLD"}
    assert min(moves.values()) >= 10, moves
    assert results["fold"] + results["showdown"] == 500
    assert results["fold"] > 50
    assert results["showdown"] > 100
    assert results["split"] >= 3


@pytest.mark.parametrize("show", ["all", "muck"])
def test_it_mucks_only_where_it_may(show: str) -> None:
    hands = play(hex_offer(hands=40, show=show), random.Random(show))
    mucked = [hand for hand in hands if hand.result == "showdown" and len(hand.shown) == 1]
    assert bool(mucked) is (show == "muck")


def test_it_plays_a_game_it_knows_nothing_about() -> None:
    assert play(toy_offer(seats=4, hands=6), random.Random(7))


def test_strength_is_the_share_of_opponents_beaten() -> None:
    """HEX-10: five equal on the board are split with everybody; better than all others beats all but itself."""

    def strength(board: str, hole: str) -> int:
        return int(1000 * beaten(digits(board), digits(hole), "hash"))

    def digits(text: str) -> tuple[int, ...]:
        return tuple([int(digit, 16) for digit in text])

    assert strength("fffff", "00") == MIDDLING
    # fff + ff is beaten by nothing and met by itself alone, one of 256.
    assert strength("fff02", "ff") == (255 * 2 + 1) * 1000 // 512
    assert strength("02468", "00") > strength("02468", "1f")


def test_without_weights_any_legal_move_is_drawn() -> None:
    from dealerless.games.game import Option

    chance = random.Random(1)
    options = (Option(name="LEAP", least=3, most=9), Option(name="BOUND", least=0, most=0))

    class Unknown:
        class game:
            name = "leapfrog"

        legal = options

        class hand:
            totals = (2, 2)

    seen = {SIMPLE.decide(Unknown, chance)[0] for _ in range(200)}  # type: ignore[arg-type]
    # The least, half of the pot more, the whole pot more, and all that there is.
    leaps = {Move(name="LEAP", amount=amount) for amount in (3, 5, 7, 9)}
    assert seen == {Move(name="BOUND", amount=0), *leaps}
