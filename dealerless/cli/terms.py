"""What is played: the options that say it, the same for every command that begins a match, and their reading.

An option that belongs to another game, or another way of dealing, than what is played is refused and not overlooked:
whoever typed it would sit down to other terms than he believes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import click

from ..errors import CODES, Violation
from ..games import GAMES
from ..games.draw import DRAW, MAX_RAISES
from ..games.hex import HEX, MAX_DEPTH
from ..games.holdem import HOLDEM, STRUCTURES
from ..games.onepoker import MAX_LIVES, ONEPOKER
from ..games.showdown import SHOW_RULES
from ..net.offers import Proposal
from ..protocol.limits import MAX_HANDS
from ..protocol.opening import DEALINGS
from ..report.naming import naming
from .values import Number, in_a_row, shown

Command = TypeVar("Command", bound=Callable[..., Any])
Rules = tuple[bool | int | str, ...]

_MOST: Final = 10**10 - 1
"""More than the terms of any game take; the game says what is too much."""

_USUAL: Final[Mapping[str, Any]] = {
    "bet": 10,
    "depth": 5,
    "structure": "no-limit",
    "blinds": (1, 2),
    "bets": (10, 10),
    "raises": 3,
    "all_in": True,
    "lives": (10, 10),
    "show": "all",
}
_USUAL_DEPTH: Final = 100
"""Big blinds in a Hold'em stack if nothing else is said: what most tables begin with."""
_USUAL_BETS: Final = 20
"""Larger fixed amounts in a stack of five-card draw if nothing else is said: some hands played to their end."""
_USUAL_ANTE: Final = 1
"""Of five-card draw, in which nothing else is in the pot before the first bet."""

_ROUNDS: Final = 3
"""So many rounds of One Poker are usual for each hand of another game: ten lives last for some thirty."""

_PAIR: Final = re.compile("([0-9]+)/([0-9]+)", re.ASCII)
_NUMBER: Final = re.compile("[0-9]+", re.ASCII)
_DIGITS: Final = len(str(_MOST))


class Pair(click.ParamType[tuple[int, int]]):
    """Two numbers, as `1/2`: `form` is what a usage error calls them, `spelling` how they are written.

    `span` says how large they may be, for one that the game is not asked about.
    """

    name = "pair"

    def __init__(self, form: str, spelling: str, span: str = f"at most {_DIGITS} digits each") -> None:
        self.form = form
        self.spelling = spelling
        self.span = span

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Return both; anything but two numbers of one to ten digits and a slash is a usage error."""
        if isinstance(value, tuple):
            first, second = value
            return first, second
        return self._read(str(value), str(value), param, ctx)

    def _read(self, text: str, typed: str, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Return the numbers in `text`; a usage error repeats what was `typed`."""
        pair = _PAIR.fullmatch(text)
        if pair is None:
            self.fail(f"{shown(typed)} is not {self.form}: {self.spelling}", param, ctx)
        if max(map(len, pair.groups())) > _DIGITS:
            self.fail(f"{shown(typed)} is too much for {self.form}: {self.span}", param, ctx)
        return int(pair[1]), int(pair[2])


class Lives(Pair):
    """The lives of both, as one number, or as two with a slash where they differ."""

    def __init__(self) -> None:
        spelling = "one number, or two numbers and a slash, such as 10 or 10/8"
        super().__init__("LIVES or LIVES/LIVES", spelling, f"1 to {MAX_LIVES:,} each")

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Return the lives of seat 0 and of seat 1."""
        if isinstance(value, str) and _NUMBER.fullmatch(value) is not None:
            return self._read(f"{value}/{value}", value, param, ctx)
        return super().convert(value, param, ctx)


def _hex_rules(said: Mapping[str, Any]) -> Rules:
    return said["bet"], said["depth"], said["show"]


def _hex_words(rules: Rules) -> tuple[str, ...]:
    bet, depth, show = rules
    return "--bet", str(bet), "--depth", str(depth), "--show", str(show)


def _holdem_rules(said: Mapping[str, Any]) -> Rules:
    small, big = said["blinds"]
    stack = said.get("stack", _USUAL_DEPTH * big)
    return said["structure"], small, big, said.get("ante", 0), stack, said["show"]


def _holdem_words(rules: Rules) -> tuple[str, ...]:
    structure, small, big, ante, stack, show = [str(value) for value in rules]
    blinds = ("--structure", structure, "--blinds", f"{small}/{big}")
    return *blinds, "--ante", ante, "--stack", stack, "--show", show


def _draw_rules(said: Mapping[str, Any]) -> Rules:
    first, second = said["bets"]
    stack = said.get("stack", _USUAL_BETS * max(first, second))
    ante = said.get("ante", _USUAL_ANTE)
    return ante, first, second, said["raises"], said["all_in"], stack, said["show"]


def _draw_words(rules: Rules) -> tuple[str, ...]:
    ante, first, second, raises, allin, stack, show = rules
    bets = ("--ante", str(ante), "--bets", f"{first}/{second}", "--raises", str(raises))
    return *bets, "--all-in" if allin else "--no-all-in", "--stack", str(stack), "--show", str(show)


def _one_rules(said: Mapping[str, Any]) -> Rules:
    lives: tuple[int, int] = said["lives"]
    return lives


def _one_words(rules: Rules) -> tuple[str, ...]:
    return "--lives", f"{rules[0]}/{rules[1]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Own:
    """What a game has of its own: its options, its rules in wire order from what was said, and words that say them.

    `clause` is where their bounds stand; `parts` has the option and the part of it for rules that are half of one.
    """

    clause: str
    options: tuple[str, ...]
    rules: Callable[[Mapping[str, Any]], Rules]
    words: Callable[[Rules], tuple[str, ...]]
    parts: Mapping[str, tuple[str, str]] = field(default_factory=dict)


_OWN: Final[Mapping[str, _Own]] = {
    HEX.name: _Own(clause="HEX-2", options=("bet", "depth", "show"), rules=_hex_rules, words=_hex_words),
    HOLDEM.name: _Own(
        clause="HOLDEM-3",
        options=("structure", "blinds", "ante", "stack", "show"),
        rules=_holdem_rules,
        words=_holdem_words,
        parts={"small blind": ("blinds", "SMALL of "), "big blind": ("blinds", "BIG of ")},
    ),
    DRAW.name: _Own(
        clause="DRAW-1",
        options=("ante", "bets", "raises", "all_in", "stack", "show"),
        rules=_draw_rules,
        words=_draw_words,
        parts={"first": ("bets", "FIRST of "), "second": ("bets", "SECOND of ")},
    ),
    ONEPOKER.name: _Own(clause="ONE-1", options=("lives",), rules=_one_rules, words=_one_words),
}

_SUITES: Final = sorted(
    {suite for dealing in DEALINGS.values() if len(dealing.suites) > 1 for suite in dealing.suites}, reverse=True
)


def terms_options(seats: str, *, hands: int) -> Callable[[Command], Command]:
    """Return a decorator that adds the options; `seats` is how this one is called here, `hands` what is usual."""
    options = (
        click.option(
            "--game", type=click.Choice(list(GAMES)), default=HEX.name, show_default=True, help="What is played."
        ),
        click.option(
            seats,
            "seats",
            # How many it takes is for each game to say.
            type=Number(0, _MOST),
            metavar="N",
            help="Players at the table; 2 if not said. "
            + ", ".join([f"{name}: {_span(game.seats)}" for name, game in GAMES.items()])
            + ".",
        ),
        click.option(
            "--hands",
            type=Number(1, MAX_HANDS),
            metavar="N",
            help=f"Hands to play, at most; if not said, {hands}, and {_usual_hands(ONEPOKER.name, hands)} of onepoker, "
            "whose hands are rounds.",
        ),
        click.option(
            "--deal",
            type=click.Choice(list(DEALINGS)),
            help="How cards come about: digests of joint seeds (hash), a deck that all have shuffled, or one whose "
            "cards outlive a hand (shoe). If not said, "
            + ", ".join([f"{name}: {game.dealings[0]}" for name, game in GAMES.items()])
            + ".",
        ),
        click.option(
            "--suite",
            type=click.Choice(_SUITES),
            help=f"With --deal hash: the digest that the cards are made from; {_SUITES[0]} if not said.",
        ),
        click.option(
            "--bet", type=Number(1, _MOST), metavar="B", help=f"hex: bet and ante; {_USUAL['bet']} if not said."
        ),
        click.option(
            "--depth",
            type=Number(1, MAX_DEPTH),
            metavar="K",
            help=f"hex: stack of a hand, in bets; {_USUAL['depth']} if not said.",
        ),
        click.option(
            "--structure",
            type=click.Choice(STRUCTURES),
            help=f"holdem: how high a bet may be; {_USUAL['structure']} if not said.",
        ),
        click.option(
            "--blinds",
            type=Pair("SMALL/BIG", "two numbers and a slash, such as 1/2"),
            metavar="S/B",
            help="holdem: small and big blind; 1/2 if not said.",
        ),
        click.option(
            "--bets",
            type=Pair("FIRST/SECOND", "two numbers and a slash, such as 10/20"),
            metavar="F/S",
            help="draw: the fixed amount before and after the exchange; 10/10 if not said.",
        ),
        click.option(
            "--raises",
            type=Number(0, MAX_RAISES),
            metavar="R",
            help=f"draw: how many raises may follow a bet; {_USUAL['raises']} if not said.",
        ),
        click.option(
            "--all-in/--no-all-in",
            default=None,
            help="draw: whether who has less than a hand can cost plays on, all-in if need be; yes if not said.",
        ),
        click.option(
            "--ante",
            type=Number(0, _MOST),
            metavar="A",
            help=f"draw, holdem: ante; {_USUAL_ANTE} in draw and none in holdem if not said.",
        ),
        click.option(
            "--stack",
            type=Number(1, _MOST),
            metavar="CHIPS",
            help=f"draw, holdem: what everybody begins with; if not said, {_USUAL_BETS} of the larger fixed amount in "
            f"draw, {_USUAL_DEPTH} big blinds in holdem.",
        ),
        click.option(
            "--lives",
            type=Lives(),
            metavar="L[/L]",
            help="onepoker: lives of each player, or of seat 0 and of seat 1; 10 if not said.",
        ),
        click.option(
            "--show",
            type=click.Choice(SHOW_RULES),
            help="hex, draw, holdem: at a showdown all show, or those who are beaten may muck; all if not said.",
        ),
    )

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


TERMS: Final = (
    "game",
    "seats",
    "hands",
    "deal",
    "suite",
    *dict.fromkeys([name for own in _OWN.values() for name in own.options]),
)
"""The parameters that `terms_options` adds."""


def take_terms(values: dict[str, Any], *, hands: int) -> Proposal:
    """Return what is to be played, without deadlines, taking the parameters of `terms_options` out of `values`.

    `hands` is what is usual here, as `terms_options` was told.

    Raises click's UsageError for an option that does not go with the game or the dealing, and for what the game does
    not allow.
    """
    said = {name: value for name in TERMS if (value := values.pop(name)) is not None}
    game = GAMES[said["game"]]
    own = _OWN[game.name]
    others = [option for other in _OWN.values() for option in other.options]
    if strange := [option for option in others if option in said and option not in own.options]:
        theirs = in_a_row([name for name in GAMES if strange[0] in _OWN[name].options])
        ours = ", ".join([spelled(option) for option in own.options])
        raise click.UsageError(f"{spelled(strange[0])} is an option of {theirs}; {game.name} has {ours}")
    deal = said.get("deal", game.dealings[0])
    if deal not in game.dealings:
        raise click.UsageError(f"--deal {deal} is not for {game.name}: its cards come from --deal {game.dealings[0]}")
    suites = DEALINGS[deal].suites
    if "suite" in said and said["suite"] not in suites:
        raise click.UsageError(f"--suite is for cards made of digests; with --deal {deal} there is nothing to choose")
    seats = said.get("seats", game.seats[0])
    if seats not in game.seats:
        raise click.UsageError(f"{game.name} is played by {_span(game.seats)}, not by {seats}")
    rules = own.rules({**_USUAL, **said})
    try:
        game.read_terms(rules, seats)
    except Violation as error:
        raise click.UsageError(_out_of_range(error, own, said)) from error
    return Proposal(
        game=game.name,
        dealing=deal,
        suite=said.get("suite", suites[0]),
        hands=said.get("hands", _usual_hands(game.name, hands)),
        rules=rules,
        seats=seats,
    )


def _out_of_range(error: Violation, own: _Own, said: Mapping[str, Any]) -> str:
    """Return in the words of the options what a game has against its rules; its own are those of the wire."""
    if error.code != "terms.out-of-range" or not isinstance(error.expected, tuple):
        return str(error)
    name, least, most = error.expected
    option, part = own.parts.get(name, (name, ""))
    # The game knows no better clause than that of all limits; those of its terms stand in its own.
    clause = own.clause if error.clause == CODES[error.code].clause else error.clause
    what, usual = f"{part}{spelled(option)}", "" if option in said else " where it is not said"
    span = f"{least:,} to {most:,}" if least < most else f"{least:,} only"
    return f"{what} may be {span} with the other terms, and is {error.actual}{usual} [{error.code}, {clause}]"


def _usual_hands(game: str, hands: int) -> int:
    return hands * _ROUNDS if game == ONEPOKER.name else hands


def spelled(option: str) -> str:
    """Return a parameter's name as people type it."""
    return "--" + option.replace("_", "-")


def terms_words(proposal: Proposal) -> tuple[str, ...]:
    """Return the options of `host` that say what is proposed."""
    words = ["--game", proposal.game, "--deal", proposal.dealing]
    if proposal.suite in _SUITES:
        words += ["--suite", proposal.suite]
    words += ["--hands", str(proposal.hands), "--seats", str(proposal.seats)]
    return *words, *_OWN[proposal.game].words(proposal.rules)


def in_words(proposal: Proposal) -> str:
    """Return in a few words what is played."""
    hands = naming(proposal.game).hands(proposal.hands)
    return f"{hands} of {proposal.game}, dealing {proposal.dealing}, suite {proposal.suite}"


def _span(seats: range) -> str:
    return f"{seats[0]} players" if len(seats) == 1 else f"{seats[0]} to {seats[-1]} players"
