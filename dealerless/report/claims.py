"""What each message of a transcript claims, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from typing import Any, Final

from ..errors import DealerlessError
from ..games.game import Game
from ..games.onepoker import ONEPOKER
from ..games.onepokerhand import CLASSES
from ..protocol.deckdeal import DeckDeal
from ..protocol.events import (
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
    Offered,
    Readied,
    Revealed,
    SeedsCommitted,
    Settled,
    SharesPublished,
    Shown,
)
from ..protocol.records import ZERO_HASH
from ..protocol.shoedeal import ShoeDeal
from ..protocol.state import Phase, State
from .naming import naming
from .provenance import gives, places, slots_text
from .stages import exchange_text
from .view import term


def claim_text(before: State, seat: int, event: Event) -> str:
    """Return what a message says; of shares, also which cards they are of."""
    claim = CLAIMS[type(event)](before, event)
    given = gives(before, seat, event)
    if given is None or not given.slots:
        return claim
    where = places(before.agreed.game, before.running.hand, given.slots, before.agreed.seats)
    return f"{claim}: {where} ({slots_text(given.slots)})"


def _offer(before: State, event: Offered) -> str:
    game = before.ledger.games.get(event.game)
    what = "a game" if game is None else game.name
    hands = naming(event.game).hands(event.hands)
    names = ", ".join(_terms(game, event))
    return f"offers a match of {what} ({names}): {hands}, {len(event.players)} seats, suite {_word(event.suite)}"


def _terms(game: Game | None, event: Offered) -> list[str]:
    """Return the terms with their names; as they stand in the message where they are none of this game."""
    if game is not None:
        with suppress(DealerlessError):
            rules: Any = game.read_terms(event.rules, len(event.players))
            return [" ".join(term(item.name, getattr(rules, item.name))) for item in fields(rules)]
    return [_word(rule) if isinstance(rule, str) else str(rule) for rule in event.rules]


def _hand(before: State, event: HandStarted) -> str:
    game = None if before.match is None else before.match.game.name
    called = naming(game)
    leads = f"{called.button} seat {event.button}"
    if game == ONEPOKER.name and event.number == 1:
        # Before the lot nobody has priority (ONE-6).
        leads = f"seat {event.button} is to start it"
    return (
        f"starts {called.hand} {event.number}: {leads}, {called.stacks} {slashed(event.stacks)}, "
        f"net {slashed(event.net)}"
    )


def _act(before: State, event: Acted) -> str:
    move = f"{_word(event.move)} {event.amount}" if event.amount else _word(event.move)
    return f"{move}, and releases its shares" if event.released else move


def _exchange(before: State, event: Exchanged) -> str:
    text = exchange_text(len(event.slots))
    return f"{text}: discards {slots_text(event.slots)}" if event.slots else text


def _key(before: State, event: KeyPublished) -> str:
    deal = None if before.play is None else before.play.deal
    if isinstance(deal, ShoeDeal):
        return "publishes its key of all shoes of this match"
    if isinstance(deal, DeckDeal) and deal.number > 0:
        return f"publishes its key of deck {deal.number} of this hand"
    return "publishes its key of this hand's deck"


def _shuffle(before: State, event: DeckShuffled) -> str:
    deal = None if before.play is None else deck_of(before.play.deal)
    cards = len(event.deck) // 64
    if deal is None or before.phase is not Phase.SHUFFLING:
        return f"shuffles a deck of {cards} cards"
    if deal.number > 0 and before.play is not None and isinstance(before.play.deal, ShoeDeal):
        # The one before it is used up, and its keys stay (ONE-2).
        which = f"shuffles a fresh shoe of {cards} cards, deck {deal.number} of this match"
        return f"{which}, shuffle {deal.shuffles + 1} of {len(deal.seats)}"
    return f"shuffles the deck of {cards} cards, shuffle {deal.shuffles + 1} of {len(deal.seats)}"


def _classes(before: State, event: ClassProven) -> str:
    names = " and ".join([CLASSES[number] for number in event.classes])
    return f"shows that what it was dealt is {names}"


def _reveal(before: State, event: Revealed) -> str:
    shares = count_text(len(event.shares) // 32, "share")
    if before.play is not None and isinstance(before.play.deal, ShoeDeal):
        return f"opens the card that it laid: gives {shares} of its own"
    return f"shows: gives {shares} of its own"


def _settle(before: State, event: Settled) -> str:
    return f"signs the end: {stacks_called(before)} {slashed(event.stacks)}, net {slashed(event.net)}"


def _expel(before: State, event: Expelled) -> str:
    """Return whom an expulsion puts out, and what it holds against each of them. CHAIN-5."""
    silent = [seat for seat, _ in event.absent]
    if event.record != ZERO_HASH:
        last = before.refused is not None and before.refused.record == event.record
        named = "the message before this one" if last else f"the message with the hash {event.record.hex()}"
        told = f"expels seat {event.seat} for {named}"
        if silent:
            told += f", and {_seats_text(silent)} for letting the time to expel it run out"
    elif silent:
        told = f"expels {_seats_text(silent[:1])} for letting its time run out"
        if silent[1:]:
            told += f", and {_seats_text(silent[1:])} for letting the time to expel it run out"
    else:
        told = f"expels seat {event.seat}, and names neither a message of it nor a witness"
    return told


CLAIMS: Final[Mapping[type[Event], Callable[[State, Any], str]]] = {
    Offered: _offer,
    Accepted: lambda before, event: "accepts the offer",
    Readied: lambda before, event: "has seen every acceptance and is ready",
    HandStarted: _hand,
    SeedsCommitted: lambda before, event: "commits to a layout seed and a hole seed",
    LayoutOpened: lambda before, event: f"opens its layout seed {event.seed.hex()}",
    KeyPublished: _key,
    DeckShuffled: _shuffle,
    SharesPublished: lambda before, event: f"gives {count_text(len(event.shares) // 32, 'share')}",
    Acted: _act,
    Exchanged: _exchange,
    LotCommitted: lambda before, event: "commits to a seed for the lot",
    LotOpened: lambda before, event: f"opens its seed for the lot {event.seed.hex()}",
    ClassProven: _classes,
    CardLaid: lambda before, event: "lays one of its two cards face down, both covered anew",
    Shown: lambda before, event: f"shows: opens its hole seed {event.seed.hex()}",
    Revealed: _reveal,
    Mucked: lambda before, event: "gives up without showing",
    Settled: _settle,
    Left: lambda before, event: "leaves the match",
    Expelled: _expel,
}


def deck_of(deal: object) -> DeckDeal | None:
    """Return the deck that a hand is dealt from, if there is one."""
    if isinstance(deal, ShoeDeal):
        return deal.deck
    return deal if isinstance(deal, DeckDeal) else None


def stacks_called(before: State) -> str:
    """Return what the stacks of a match are called."""
    return naming(None if before.match is None else before.match.game.name).stacks


def count_text(number: int, what: str) -> str:
    """Return how many there are of what, in words."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def _seats_text(seats: Sequence[int]) -> str:
    return " and ".join([f"seat {seat}" for seat in seats])


def _word(text: str) -> str:
    """Return a peer's word, without anything that is not plain: moves and suites are plain where they are legal."""
    plain_word = text.isascii() and text.replace("-", "").isalnum()
    return text if plain_word else repr(ascii(text))


def slashed(numbers: tuple[int, ...]) -> str:
    """Return numbers by seat."""
    return "/".join([str(number) for number in numbers])
