"""Checks and effects of the opening: offer, acceptances, readies (ENC-4, CHAIN-0)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from ..crypto.ed25519 import VerifyKey
from ..errors import BadSignature, Violation
from ..games.game import Game
from .dealing import Dealing
from .deckdeal import DECK
from .envelope import Envelope
from .events import Accepted, Offered
from .hashdeal import HASH
from .records import session_id
from .shoedeal import SHOE
from .state import Accounts, Match, State

DEALINGS: Final[Mapping[str, Dealing]] = {HASH.name: HASH, DECK.name: DECK, SHOE.name: SHOE}

USUAL_SUITES: Final = tuple([suite for dealing in DEALINGS.values() for suite in dealing.suites if suite != "md5"])
"""The suites that a client accepts unasked; md5 only where its user wants it (ENC-4)."""


def read_offer(offer: Offered, games: Mapping[str, Game], record: bytes) -> Match:
    """Return the match that an offer proposes, its parts parsed; `record` is the offer's body hash.

    Raises Violation `terms.*` or BadSignature `signature.*` for what nobody may accept: an unknown game, dealing or
    suite, terms out of bounds, a wrong number of seats, weak or equal keys (SIG-1).
    """
    game = games.get(offer.game)
    if game is None:
        raise Violation("terms.unknown-game", expected=tuple(games), actual=offer.game)
    dealing = DEALINGS.get(offer.dealing)
    if dealing is None or offer.dealing not in game.dealings:
        raise Violation("terms.unknown-dealing", expected=game.dealings, actual=offer.dealing)
    if offer.suite not in dealing.suites:
        raise Violation("terms.unknown-suite", expected=dealing.suites, actual=offer.suite)
    seats = len(offer.players)
    if seats not in game.seats:
        raise Violation("terms.seats", expected=(game.seats.start, game.seats.stop - 1), actual=seats)
    if (offer.threshold == 0) != (not offer.witnesses) or offer.threshold > len(offer.witnesses):
        raise Violation("terms.witness-threshold", expected=len(offer.witnesses), actual=offer.threshold)
    if (offer.move_seconds == 0) != (offer.threshold == 0) or (offer.bank_seconds and not offer.threshold):
        raise Violation(
            "terms.witness-times", expected=offer.threshold, actual=(offer.move_seconds, offer.bank_seconds)
        )
    rules = game.read_terms(offer.rules, seats)
    encodings = [key for key, _ in offer.players] + list(offer.witnesses)
    if len(set(encodings)) < len(encodings):
        raise BadSignature("signature.duplicate-key")
    keys = tuple([VerifyKey.load(encoding) for encoding in encodings])
    return Match(
        offer=offer,
        offer_hash=record,
        keys=keys[:seats],
        witnesses=keys[seats:],
        game=game,
        rules=rules,
        dealing=dealing,
        openings=(record,),
        session=record,
    )


def check_offer(state: State, envelope: Envelope, event: Offered) -> Violation | None:
    """Return why the offer cannot stand, or None."""
    try:
        read_offer(event, state.ledger.games, envelope.record)
    except Violation as refusal:
        return refusal
    return None


def apply_offer(state: State, envelope: Envelope, event: Offered) -> State:
    """Return the state with the offer standing. Its body hash serves as session until all have accepted."""
    match = read_offer(event, state.ledger.games, envelope.record)
    accounts = Accounts(
        number=0,
        button=0,
        dealt=(),
        stacks=match.game.opening_stacks(match.rules, match.seats),
        net=(0,) * match.seats,
        gone=(None,) * match.seats,
        forfeits=(),
    )
    return state.enter(match=match, accounts=accounts).evolve(last=(None,) * match.seats).linked(envelope)


def check_accept(state: State, envelope: Envelope, event: Accepted) -> Violation | None:
    """Return None: an acceptance names its offer by its session, which the link has checked."""
    return None


def apply_accept(state: State, envelope: Envelope, event: Accepted) -> State:
    """Return the state with one more acceptance; the last one makes the session id. ENC-4."""
    match = state.agreed
    openings = (*match.openings, envelope.record)
    session = session_id(openings) if len(openings) == match.seats else match.session
    return state.enter(match=replace(match, openings=openings, session=session)).linked(envelope)
