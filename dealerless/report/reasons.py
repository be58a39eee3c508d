"""Which clause and which check made a message good."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..errors import CODES
from ..games.game import Deal, Release
from ..games.structure import CLAUSES
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
from ..protocol.shoedeal import ShoeDeal
from ..protocol.state import State
from ..protocol.table import RULES
from .naming import naming
from .provenance import clause_of_shares


def clause_of(before: State, event: Event) -> str:
    """Return the clause by which a message of this kind is good in this state, as the game has it; empty if by none."""
    rule = RULES.get((before.phase, type(event)))
    if rule is None:
        return ""
    if isinstance(event, Acted):
        # The row is for all games; which clause says what a move is depends on how the game bets.
        own = CLAUSES[before.running.hand.betting.structure.sizes].get("bet.not-a-move")
        return CODES["bet.not-a-move"].clause if own is None else own
    if isinstance(event, SharesPublished):
        hand = before.running.hand
        demand = before.agreed.game.demand(hand)
        return clause_of_shares(hand, demand) if isinstance(demand, Deal | Release) else rule.clause
    if isinstance(event, Expelled) and event.absent:
        return "VERDICT-6"
    if isinstance(event, Revealed) and isinstance(before.running.deal, ShoeDeal):
        return "DECK-8"
    return rule.clause


def check_of(before: State, event: Event) -> str:
    """Return what was checked of a good message in this state."""
    if not isinstance(event, Acted):
        game = None if before.match is None else before.match.game.name
        return check_text(type(event), clause_of(before, event), game)
    legal = _legal(before)
    return f"{legal}; {RELEASED}" if event.released else legal


def check_text(kind: type[Event], clause: str, game: str | None) -> str:
    """Return what is checked of a message of this kind that is good by this clause, in the words of this game."""
    if kind is Expelled and clause == "VERDICT-6":
        return _SILENT
    if kind is Revealed and clause == "DECK-8":
        return _LAID
    if kind is SharesPublished and clause in _SHARES:
        return _SHARES[clause]
    return CHECKS[kind].format_map(naming(game)._asdict())


def _legal(before: State) -> str:
    options = before.agreed.game.legal(before.running.hand)
    return "legal here: " + ", ".join(
        [
            option.name
            if option.most == 0
            else f"{option.name} {option.least}"
            if option.least == option.most
            else f"{option.name} {option.least} to {option.most}"
            for option in options
        ]
    )


CHECKS: Final[Mapping[type[Event], str]] = {
    Offered: "game, dealing and suite are known, the terms within bounds, the keys sound and distinct",
    Accepted: "it carries the hash of the offer as its session",
    Readied: "it is signed in the session that the acceptances made",
    HandStarted: "number, {button}, {stacks} and net are those the chain implies",
    SeedsCommitted: "both commitments are new in this {hand}",
    LayoutOpened: "the seed opens this seat's commitment and was never opened before",
    KeyPublished: "the key is a point of the group, and the proof shows that its author knows its secret",
    DeckShuffled: "the argument shows that the new deck holds the same cards as the one before it, each as often",
    SharesPublished: "the proof shows that every share is made with the secret of its author's key",
    Acted: "the move is legal at its place, for its seat's {stack} and what is owed",
    Exchanged: "it gives up no more cards than it may, each one held by its seat and named once",
    LotCommitted: "the commitment is another than the other seat's",
    LotOpened: "the seed opens this seat's commitment and was never opened before",
    ClassProven: "a proof for each card dealt to it shows that it is of this class, and not which card",
    CardLaid: "the proof shows that both are the cards it held, each covered anew, and not which is which",
    Shown: "the seed opens this seat's commitment and was never opened before",
    Revealed: "the proof shows that its author's shares of its own cards are made with the secret of its key",
    Mucked: "another seat has shown, and the terms allow it",
    Settled: "head, {stacks} and net are those the chain implies",
    Left: "it owed the next {hand}'s start",
    Expelled: "it names the refused message and its author",
}
"""What is checked of a message of each kind before it is good; in braces what a game has its own words for."""

_SILENT: Final = (
    "for each silent seat as many witnesses as must agree signed that it owed for its time by the terms or longer; "
    "if a message was refused, that one and its author are named"
)
"""What is checked of an expulsion for silence."""

_LAID: Final = "the proof shows that its share of the card that it laid is made with the secret of its key"
"""What is checked of a laid card that opens."""

_SHARES: Final = {
    "DECK-4": "a share for each hole card of the others, and the proof shows that all are made with its author's key",
    "DECK-5": "a share for each of these board cards, and the proof shows that all are made with its author's key",
    "DECK-7": "a share for each new card of the exchange, and the proof shows that all are made with its author's key",
    "DECK-9": "of a seat all-in by its posts, a share for each board card, proven to be made with its author's key",
}
"""By clause what is checked of shares."""

RELEASED: Final = "what it releases is a share for each card still to come, proven to be made with its author's key"
"""What is checked of the shares in a fold or in the move of a last chip (DECK-9)."""
