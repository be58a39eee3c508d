"""Cheats at five-card draw: with what is exchanged, with fixed amounts, with a fold that keeps its shares.

In hand 1 seat 0 has the button; with two seats seat 1 moves, exchanges and shows first, with three seats 1, 2, 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from ..crypto.equality import share
from ..games.draw import DRAW
from ..games.game import Slots
from ..protocol.events import Acted, Event, Exchanged, Revealed, SharesPublished
from .cheats_deck import convicted, deal_of
from .cheats_shares import proven_shares, reveals
from .staging import BET, Setting, Staging

TWO: Final = Setting(game=DRAW.name, depth=10)
THREE: Final = Setting(game=DRAW.name, depth=10, seats=3, cheat=2)


def _says(before: str, event: Event) -> Callable[[Staging], None]:
    """Return the act in which the cheat says `event` after the moves `before`."""

    def act(staging: Staging) -> None:
        staging.play(before)
        staging.forges(event)

    return act


def _exchanges(before: str, choose: Callable[[Staging], Slots]) -> Callable[[Staging], None]:
    """Return the act in which the cheat names these slots after the moves `before`, turn or not."""

    def act(staging: Staging) -> None:
        staging.play(before)
        staging.forges(Exchanged(slots=choose(staging)))

    return act


def _own(*places: int) -> Callable[[Staging], Slots]:
    """Return the choice of the cheat's cards at these places."""
    return lambda staging: tuple([staging.held(staging.cheat)[place] for place in places])


def _others_card(staging: Staging) -> Slots:
    return staging.held(staging.honest)[:1]


def _discarded_before(staging: Staging) -> None:
    # Seat 1 exchanges its first card; the others' turns to exchange come, and it names the same card again.
    given_up = staging.play("CHECK CHECK").held(staging.cheat)[:1]
    staging.play("DRAW:0")
    staging.forges(Exchanged(slots=given_up))


def _dealt_again(staging: Staging) -> None:
    """The other is to get the next slot of the deck; what it is given a share of is the card that the cheat gave up."""
    given_up = staging.play("CHECK CHECK").held(staging.cheat)[:1]
    staging.play("DRAW:0 DRAW:0", until=SharesPublished, by=staging.cheat)
    shares = share(staging.forger.deck_secret(), deal_of(staging).points(given_up))
    proof = proven_shares(staging, given_up, shares, "share")
    staging.forges(SharesPublished(shares=b"".join(shares), proof=proof))


def _shows_a_discard(staging: Staging) -> None:
    before = staging.play("CHECK CHECK").held(staging.cheat)
    staging.play("DRAW:034 DRAW CHECK CHECK", until=Revealed, by=staging.cheat)
    reveals(staging, before, share(staging.forger.deck_secret(), deal_of(staging).points(before)))


DRAWS: Final = (
    convicted(
        "discarded-others-card",
        "A player exchanges a card that the other holds",
        "The other loses its card, or whoever counts cards and not slots gives a sixth for it.",
        "exchange.not-held",
        "DECK-7",
        _exchanges("CHECK CHECK", _others_card),
        TWO,
    ),
    convicted(
        "exchanged-four",
        "A player exchanges four cards",
        "One look more at the deck than the others have, for which the cards may not even suffice.",
        "exchange.too-many",
        "DRAW-2",
        _exchanges("CHECK CHECK", _own(0, 1, 2, 3)),
        TWO,
    ),
    convicted(
        "exchanged-twice",
        "A player names one card twice in its exchange",
        "Two new cards for one: a hand of six, of which it will show the best five.",
        "exchange.unordered",
        "DRAW-10",
        _exchanges("CHECK CHECK", _own(2, 2)),
        TWO,
    ),
    convicted(
        "another-exchange",
        "A player exchanges again after the new card did not suit",
        "The card it has given up already is named once more, in the other's turn.",
        "turn.not-yours",
        "CHAIN-1",
        _discarded_before,
        TWO,
    ),
    convicted(
        "exchange-out-of-turn",
        "A player exchanges before its turn",
        "To draw from the top before those who are first, or to tell an accomplice what it needs.",
        "turn.not-yours",
        "CHAIN-1",
        _exchanges("CHECK CHECK CHECK", _own(0)),
        THREE,
    ),
    convicted(
        "exchange-in-the-betting",
        "A player exchanges instead of answering a bet",
        "A better hand first, and only then the question whether it is worth a call.",
        "turn.wrong-kind",
        "CHAIN-1",
        _exchanges("CHECK BET", _own(0, 1, 2)),
        TWO,
    ),
    convicted(
        "card-dealt-again",
        "A player shares for a card that was given up, not the next one",
        "The other is to draw what the cheat threw away: a card dealt twice, and known to the cheat.",
        "proof.shares",
        "DECK-4",
        _dealt_again,
        TWO,
    ),
    convicted(
        "showed-discard",
        "Who shows opens the cards it has given up",
        "Three new cards made it worse: it shows the five it was dealt first, each honestly its own.",
        "proof.opening",
        "DECK-6",
        _shows_a_discard,
        TWO,
    ),
    convicted(
        "off-the-fixed-amount",
        "A player raises by more than the fixed amount",
        "The other agreed to ten a bet, and is to answer forty.",
        "bet.wrong-amount",
        "BET-1",
        _says("BET", Acted(move="RAISE", amount=4 * BET)),
        replace(TWO, cheat=0),
    ),
    convicted(
        "fourth-raise",
        "A player raises a fourth time after the exchange",
        "Three raises are agreed; one more with the best hand, heads-up, where many a table has no limit.",
        "bet.cap-reached",
        "BET-5",
        _says("CHECK CHECK DRAW DRAW BET RAISE RAISE RAISE", Acted(move="RAISE", amount=0)),
        TWO,
    ),
    convicted(
        "move-after-fold",
        "A player who has folded calls after all",
        "Nobody has raised, and the bet it folded to looks smaller now.",
        "turn.not-yours",
        "CHAIN-1",
        _says("BET FOLD", Acted(move="CALL", amount=0)),
        THREE,
    ),
    convicted(
        "fold-and-keep-replacements",
        "One of three folds and keeps its shares of the cards to come",
        "Nobody can draw without them: it goes home, and the others' exchanges with it.",
        "deck.wrong-release",
        "DECK-9",
        _says("BET", Acted(move="FOLD", amount=0)),
        THREE,
    ),
)
