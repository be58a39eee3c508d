"""Offers: what a host makes of its proposal and its guests, and what a seat looks at before anybody is asked to accept.

What the terms of an offer may be is the protocol's to say (ENC-4); here it is compared with what we were told by other
means: the host's key, our own, the suites that we allow, and the witnesses that we can reach.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ..errors import UsageError
from ..protocol.events import Offered
from . import hello
from .seating import Sitting

OFFER_SECONDS: Final = 3 * 3600
"""How long an offer can be accepted: time to read it, and too short to be kept for a better day (ENC-4).

Clocks that differ by an hour, as they do where one has the wrong summer time, are in nobody's way.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What a host offers: game, dealing, suite, number of hands, the game's own terms, number of seats.

    Where witnesses keep the time: how many have to agree, seconds for a move, a seat's bank of seconds for a hand.
    """

    game: str
    dealing: str
    suite: str
    hands: int
    rules: tuple[bool | int | str, ...]
    seats: int
    threshold: int = 0
    move_seconds: int = 0
    bank_seconds: int = 0


def offered(proposal: Proposal, sitting: Sitting, guests: Sequence[hello.Request]) -> Offered:
    """Return the offer of this proposal to those who have come, by seat from 1 on."""
    return Offered(
        game=proposal.game,
        dealing=proposal.dealing,
        suite=proposal.suite,
        hands=proposal.hands,
        rules=proposal.rules,
        players=((sitting.key.public.key, sitting.name), *[(guest.key.key, guest.name) for guest in guests]),
        witnesses=tuple([witness.key for witness in sitting.witnesses]),
        threshold=proposal.threshold,
        move_seconds=proposal.move_seconds,
        bank_seconds=proposal.bank_seconds,
        expires=int(time.time()) + OFFER_SECONDS,
        nonce=secrets.token_bytes(32),
    )


def check_offer(offer: Offered, sitting: Sitting, pin: bytes) -> None:
    """Return if the offer is ours to accept, `pin` being the host's key. ENC-4.

    Raises UsageError `offer.other-seats`, `offer.suite-refused`, `offer.other-witnesses` or `offer.expired` otherwise.
    """
    keys = [key for key, _ in offer.players]
    own = sitting.key.public.key
    if keys[0] != pin:
        hint = "the first is the host's, and must be the key you pinned"
        raise UsageError("offer.other-seats", expected=pin, actual=keys[0], hint=hint)
    if own not in keys[1:]:
        hint = "your own key has no seat in it; give the host this key, or say --key FILE"
        raise UsageError("offer.other-seats", expected=own, actual=tuple(keys[1:]), hint=hint)
    if offer.suite not in sitting.suites:
        hint = "say --allow-md5 if you want that" if offer.suite == "md5" else ""
        raise UsageError("offer.suite-refused", expected=sitting.suites, actual=offer.suite, hint=hint)
    check_witnesses(offer, sitting)
    if offer.expires <= time.time():
        raise UsageError("offer.expired", actual=offer.expires, hint="ask the host for a new one")


def check_witnesses(offer: Offered, sitting: Sitting) -> None:
    """Return if we can reach the witnesses of an offer: one whose board we do not post to would find us absent.

    Raises UsageError `offer.other-witnesses` otherwise.
    """
    ours = tuple([witness.key for witness in sitting.witnesses])
    if set(ours) != set(offer.witnesses) or len(ours) != len(offer.witnesses):
        hint = "say --witness ADDR,KEY for each witness in the offer, and for no other"
        raise UsageError("offer.other-witnesses", expected=offer.witnesses, actual=ours, hint=hint)
