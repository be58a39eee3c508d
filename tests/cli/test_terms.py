"""The options that say what is played: one set for host, demo and play, and none of another game."""

from __future__ import annotations

from dataclasses import replace

import click
import pytest

from dealerless.cli.host import host
from dealerless.cli.terms import TERMS, take_terms, terms_words
from dealerless.games import GAMES
from dealerless.net.offers import Proposal
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
DRAW = replace(HOLDEM, game="draw", rules=(1, 10, 10, 3, True, 200, "all"))
ONE = replace(HOLDEM, game="onepoker", dealing="shoe", rules=(10, 10))


def take(**said: object) -> Proposal:
    usual = {"hands": 3, "game": "hex"}
    return take_terms({name: said.get(name, usual.get(name)) for name in TERMS}, hands=10)


def test_what_is_not_said_is_usual() -> None:
    assert take() == HEX
    assert take(game="holdem") == HOLDEM
    assert take(game="draw") == DRAW
    assert take(game="onepoker") == ONE
    # The stack is counted in big blinds, or in the larger fixed amount.
    assert take(game="holdem", blinds=(5, 10), seats=9).rules == ("no-limit", 5, 10, 0, 1000, "all")
    assert take(game="draw", bets=(5, 30), all_in=False).rules == (1, 5, 30, 3, False, 600, "all")
    # HEX-4: the deck has one suite, which nobody has to know.
    assert take(deal="deck").suite == HOLDEM.suite


def test_a_match_of_one_poker_has_more_rounds_than_others_have_hands() -> None:
    """ONE-10: of how many hands, where nobody says it."""
    assert take(hands=None).hands == 10
    assert take(hands=None, game="onepoker").hands == 30
    for command, hands, rounds in (("play", 10, 30), ("host", 10, 30), ("demo", 3, 9)):
        help_text = " ".join(invoke(command, "--help")[1].split())
        assert f"Hands to play, at most; if not said, {hands}, and {rounds} of onepoker, whose hands are rounds." in (
            help_text
        )


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_options(game: str) -> None:
    proposal = take(game=game)
    words = terms_words(proposal)
    assert words[:2] == ("--game", game)
    assert "--suite" not in words or proposal.dealing == "hash"


@pytest.mark.parametrize(
    "proposal",
    [
        replace(DRAW, rules=(2, 5, 10, 0, False, 300, "muck"), seats=6),
        replace(DRAW, rules=(1, 10, 10, 3, True, 200, "all")),
        replace(HOLDEM, rules=("limit", 5, 10, 1, 1000, "muck"), seats=9),
        HEX,
        replace(ONE, rules=(10, 8)),
    ],
)
def test_what_a_host_is_told_to_say_is_what_was_proposed(proposal: Proposal) -> None:
    """DRAW-1, DRAW-3, DRAW-7, HOLDEM-3, HEX-2: the demo's host reads the words that name the terms."""
    words = list(terms_words(proposal))
    context = host.make_context("host", words)
    assert take_terms(context.params, hands=10) == proposal


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("--game holdem --bet 5", "--bet is an option of hex; holdem has --structure, --blinds, --ante, --stack"),
        ("--game hex --stack 100", "--stack is an option of draw and holdem; hex has --bet, --depth"),
        ("--game holdem --bets 5/5", "--bets is an option of draw; holdem has --structure, --blinds, --ante, --stack"),
        ("--game hex --no-all-in", "--all-in is an option of draw; hex has --bet, --depth"),
        ("--game draw --blinds 1/2", "--blinds is an option of holdem; draw has --ante, --bets, --raises, --all-in"),
        ("--game draw --deal hash", "--deal hash is not for draw"),
        ("--game draw --bets 10", "'10' is not FIRST/SECOND: two numbers and a slash, such as 10/20"),
        (
            "--deal deck --suite md5",
            "--suite is for cards made of digests; with --deal deck there is nothing to choose",
        ),
        ("--game holdem --suite sha256", "with --deal deck there is nothing to choose"),
        ("--game holdem --deal hash", "--deal hash is not for holdem"),
        ("--blinds 1-2", "'1-2' is not SMALL/BIG"),
        ("--blinds +1/2", "'+1/2' is not SMALL/BIG"),
        ("--game chess", "'chess'"),
        ("--game onepoker --bet 5", "--bet is an option of hex; onepoker has --lives"),
        ("--game onepoker --show all", "--show is an option of hex, draw and holdem; onepoker has --lives"),
        ("--game hex --lives 10", "--lives is an option of onepoker; hex has --bet, --depth, --show"),
        ("--game onepoker --deal deck", "--deal deck is not for onepoker: its cards come from --deal shoe"),
        ("--game hex --deal shoe", "--deal shoe is not for hex"),
        ("--game onepoker --suite md5", "with --deal shoe there is nothing to choose"),
        ("--game onepoker --lives 10/8/6", "'10/8/6' is not LIVES or LIVES/LIVES: one number, or two numbers and a"),
        ("--game onepoker --lives -1", "'-1' is not LIVES or LIVES/LIVES"),
        ("--game onepoker --lives 10/", "'10/' is not LIVES or LIVES/LIVES"),
        # What is wrong with a large number is its size, also where it is one for both.
        (
            "--game onepoker --lives 1000000000000",
            "'1000000000000' is too much for LIVES or LIVES/LIVES: 1 to 10,000 each",
        ),
        (
            "--game onepoker --lives 10/99999999999",
            "'10/99999999999' is too much for LIVES or LIVES/LIVES: 1 to 10,000",
        ),
        ("--blinds 1/99999999999", "'1/99999999999' is too much for SMALL/BIG: at most 10 digits each"),
        ("--game draw --bets 99999999999/1", "'99999999999/1' is too much for FIRST/SECOND: at most 10 digits each"),
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
    """HEX-1, HOLDEM-3, DRAW-1, ONE-1: the span is that of the game, whatever the number."""
    spans = {"hex": "2 players", "holdem": "2 to 9 players", "draw": "2 to 6 players", "onepoker": "2 players"}
    for game, span in spans.items():
        for number in ("0", "1", "7" if game == "draw" else "10"):
            status, _, err = invoke(command, "--game", game, option, number)
            assert status == 2
            assert f"{game} is played by {span}, not by {number}\n" in err


def test_the_game_says_what_its_terms_may_be() -> None:
    """HOLDEM-3, DRAW-1, DRAW-7, ONE-1: told by the options that say it, and not by the fields of an offer."""
    for said, what in (
        (
            {"game": "holdem", "blinds": (5, 2)},
            "SMALL of --blinds may be 1 to 2 with the other terms, and is 5 [HOLDEM-3]",
        ),
        (
            {"game": "holdem", "stack": 1},
            "BIG of --blinds may be 1 only with the other terms, and is 2 where it is not said [HOLDEM-3]",
        ),
        ({"game": "holdem", "ante": 201}, "--ante may be 0 to 200 with the other terms, and is 201 [HOLDEM-3]"),
        ({"game": "draw", "bets": (0, 10)}, "FIRST of --bets may be 1 to 200 with the other terms, and is 0 [DRAW-1]"),
        ({"game": "draw", "bets": (1, 0)}, "SECOND of --bets may be 1 to 20 with the other terms, and is 0 [DRAW-1]"),
        # DRAW-7: 81 chips are what a hand can cost.
        (
            {"game": "draw", "all_in": False, "stack": 80},
            "--stack may be 81 to 4,503,599,627,370,495 with the other terms, and is 80 [DRAW-7]",
        ),
        ({"game": "onepoker", "lives": (10, 0)}, "--lives may be 1 to 10,000 with the other terms, and is 0 [ONE-1]"),
    ):
        with pytest.raises(click.UsageError) as raised:
            take(**said)
        assert raised.value.message.replace("terms.out-of-range, ", "") == what
        assert "[terms.out-of-range, " in raised.value.message
    assert take(game="draw", all_in=False, stack=81).rules[5] == 81
    for lives in ((0, 10), (10, 0), (10_001, 10)):
        # ONE-1.
        with pytest.raises(click.UsageError, match=r"terms\.out-of-range"):
            take(game="onepoker", lives=lives)


def test_a_seat_is_kept_for_one_key_of_somebody_else() -> None:
    from dealerless.cli.host import check_expected

    a, b, own = bytes(32), bytes([1] * 32), bytes([2] * 32)
    check_expected((a, b), own, 3)
    for expected, seats in (((a, b), 2), ((a, a), 3), ((a, own), 3)):
        with pytest.raises(Exception, match="--expect"):
            check_expected(expected, own, seats)
