"""The matches that the commands are shown: hex, with names of our choice, as bytes of a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dealerless.crypto.ed25519 import SigningKey
from dealerless.protocol.events import Acted, Mucked, Offered
from dealerless.protocol.state import Phase
from tests.matches import KEYS, Choose, Match, first_option, hex_offer


def offer(
    *,
    hands: int = 3,
    suite: str = "sha256",
    show: str = "all",
    names: Sequence[str] = ("Ann", "Bob"),
    keys: Sequence[SigningKey] = KEYS,
) -> Offered:
    players = tuple((key.public.key, name) for key, name in zip(keys, names, strict=False))
    return replace(hex_offer(hands=hands, suite=suite, show=show), players=players)


def play(
    choose: Choose = first_option,
    *,
    terms: Offered | None = None,
    muck: bool = False,
    keys: Sequence[SigningKey] = KEYS,
) -> Match:
    """Return a match played to its end; with `muck` nobody shows who need not."""
    match = Match(terms or offer(keys=keys), keys=keys)
    while match.state.owed is not None:
        mucks = muck and Mucked in match.state.owed.kinds
        match.say(match.owing, Mucked() if mucks else match.owed_event(choose))
    return match


def until_move(terms: Offered | None = None) -> Match:
    """Return a match in which seat 1 is to make the first move."""
    return Match(terms or offer()).until(Phase.BETTING)


def broken(move: str = "CALL", amount: int = 10, terms: Offered | None = None) -> Match:
    """Return a match that ends with an illegal first move, a CALL of nothing unless another is named."""
    match = until_move(terms)
    match.cheat(1, match.forge(1, Acted(move=move, amount=amount)))
    return match
