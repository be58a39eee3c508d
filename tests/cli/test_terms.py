"""The options that say what is played: one set for host, demo and play, and none of another game."""

from __future__ import annotations

import pytest

from dealerless.cli.terms import TERMS, take_terms, terms_words
from dealerless.errors import Violation
from dealerless.games import GAMES
from dealerless.net.star import Proposal
from tests.cli.running import invoke

HEX = Proposal(game="hex", dealing="hash", suite="sha256", hands=3, rules=(10, 5, "all"), seats=2)
HOLDEM = Proposal(
    game="holdem",
    dealing="deck",
    suite="ristretto255-sha512",
    hands=3,
    rules=("no-limit", 1, 2, 0, 200, "all"),
    seats=2,
)


def take(**said: object) -> Proposal:
    return take_terms({name: said.get(name) for name in TERMS} | {"hands": 3, "game": said.get("game", "hex")})


def test_what_is_not_said_is_usual() -> None:
    assert take() == HEX
    assert take(game="holdem") == HOLDEM
    # The stack is counted in big blinds.
    assert take(game="holdem", blinds=(5, 10), seats=9).rules == ("no-limit", 5, 10, 0, 1000, "all")
    # HEX-4: the deck has one suite, which nobody has to know.
    assert take(deal="deck").suite == HOLDEM.suite


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_options(game: str) -> None:
    proposal = take(game=game)
    words = terms_words(proposal)
    assert words[:2] == ("--game", game)
    assert "--suite" not in words or proposal.dealing == "hash"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("--game holdem --bet 5", "--bet is an option of hex; holdem has --structure, --blinds, --ante, --stack"),
        ("--game hex --stack 100", "--stack is an option of holdem; hex has --bet, --depth"),
        (
            "--deal deck --suite md5",
            "--suite is for cards made of digests; with --deal deck there is nothing to choose",
        ),
        ("--game holdem --suite sha256", "with --deal deck there is nothing to choose"),
        ("--game holdem --deal hash", "--deal hash is not for holdem"),
        ("--blinds 1-2", "'1-2' is not SMALL/BIG"),
        ("--blinds +1/2", "'+1/2' is not SMALL/BIG"),
        ("--game chess", "'chess'"),
    ],
)
@pytest.mark.parametrize("command", ["host", "demo", "play"])
def test_an_option_of_another_game_is_refused(command: str, words: str, reason: str) -> None:
    status, out, err = invoke(command, *words.split())
    assert (status, out) == (2, "")
    assert reason in err
    assert f"hint: see: dealerless {command} --help" in err


@pytest.mark.parametrize(("command", "option"), [("host", "--seats"), ("demo", "--players"), ("play", "--players")])
def test_as_many_players_as_the_game_is_for(command: str, option: str) -> None:
    """HEX-1, HOLDEM-3."""
    for number, game in (("3", "hex"), ("10", "holdem"), ("1", "holdem")):
        status, _, err = invoke(command, "--game", game, option, number)
        assert status == 2
        assert number in err


def test_the_game_says_what_its_terms_may_be() -> None:
    """HOLDEM-6, ENC-6."""
    with pytest.raises(Violation, match=r"terms\.out-of-range"):
        take(game="holdem", blinds=(5, 2))
    with pytest.raises(Violation, match=r"terms\.out-of-range"):
        take(game="holdem", stack=1)


def test_a_seat_is_kept_for_one_key_of_somebody_else() -> None:
    from dealerless.cli.host import check_expected

    a, b, own = bytes(32), bytes([1] * 32), bytes([2] * 32)
    check_expected((a, b), own, 3)
    for expected, seats in (((a, b), 2), ((a, a), 3), ((a, own), 3)):
        with pytest.raises(Exception, match="--expect"):
            check_expected(expected, own, seats)
