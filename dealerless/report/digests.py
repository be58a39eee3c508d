"""The digests behind a message, each with the command by which anybody can redo it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from ..crypto.commitment import commitment, commitment_text
from ..protocol.events import LayoutOpened, LotOpened, Shown
from ..protocol.hashdeal import HOLE, LAYOUT
from ..protocol.lot import LOT, LOT_TAG
from ..protocol.machine import Admitted
from ..protocol.records import CHAIN_TAG, SESSION_TAG
from ..protocol.shoedeal import ShoeDeal
from ..protocol.state import Phase, State

# Bytes that mean themselves in the format of every shell's printf.
_LITERAL: Final = frozenset(b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ /")


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """A digest that anybody can redo: of what it is, a shell command that prints it, and the hex digits."""

    what: str
    command: str
    digest: str


def shell(line: str, suite: str) -> str:
    """Return the command that prints the digest of a line of printable ASCII under `suite`. HASHDEAL-1."""
    return f"printf %s '{line}' | {suite}sum"


def shell_of_bytes(data: bytes) -> str:
    """Return the command that prints the SHA-256 of any bytes, written as octal escapes of `printf`."""
    text = "".join([chr(byte) if byte in _LITERAL else f"\\{byte:03o}" for byte in data])
    return f"printf '{text}' | sha256sum"


def opening_digests(before: State, admitted: Admitted, after: State | None) -> tuple[Digest, ...]:
    """Return the digests behind an opened seed: its commitment, and those of cards it makes known.

    Also of a refused one (`after` is None): an opening that is none is so proven by hand. Empty for other messages.
    """
    event = None if admitted.envelope is None else admitted.envelope.event
    if before.play is None or admitted.seq != before.seq or not isinstance(event, LayoutOpened | Shown | LotOpened):
        return ()
    deal = before.play.deal
    if isinstance(event, LotOpened):
        if not isinstance(deal, ShoeDeal):
            return ()
        opens = _committed(LOT, deal.deck.session, deal.deck.hand, admitted.seat, event.seed)
        return (opens, *_lot(deal, event, after))
    purpose = LAYOUT if isinstance(event, LayoutOpened) else HOLE
    opens = _committed(purpose, deal.session, deal.hand, admitted.seat, event.seed)
    return (opens, *_dealt(before, after))


def _committed(purpose: str, session: bytes, hand: int, seat: int, seed: bytes) -> Digest:
    return Digest(
        what=f"the commitment of this {purpose} seed",
        command=shell(commitment_text(purpose, session, hand, seat, seed), "sha256"),
        digest=commitment(purpose, session, hand, seat, seed).hex(),
    )


def _lot(deal: ShoeDeal, event: LotOpened, after: State | None) -> list[Digest]:
    """Return the digest that draws the lot, once all of its seeds are open. LOT-1."""
    seeds = (*deal.lot.seeds, event.seed)
    if after is None or len(seeds) < len(deal.lot.commitments):
        return []
    data = LOT_TAG + deal.deck.session + b"".join(seeds)
    seats = after.agreed.seats
    what = f"the lot: its first 16 digits as a number, divided by {seats}, leave the seat as the rest"
    return [Digest(what=what, command=shell_of_bytes(data), digest=hashlib.sha256(data).hexdigest())]


def digests_of(before: State, admitted: Admitted, after: State | None) -> tuple[Digest, ...]:
    """Return the digests behind a message, also a refused one."""
    if admitted.envelope is None:
        return ()
    digests = list(opening_digests(before, admitted, after))
    if after is not None and before.phase is Phase.ACCEPTING and after.phase is not Phase.ACCEPTING:
        command = shell_of_bytes(SESSION_TAG + b"".join(after.agreed.openings))
        digests.append(Digest(what="the session", command=command, digest=after.agreed.session.hex()))
    command = shell_of_bytes(CHAIN_TAG + admitted.envelope.body)
    digests.append(Digest(what="this message in the chain", command=command, digest=admitted.record.hex()))
    return tuple(digests)


def _dealt(before: State, after: State | None) -> list[Digest]:
    """Return the digests of cards that became known with this message."""
    if after is None:
        return []
    match = after.agreed
    old = before.running.deal.digests()
    if after.play is not None:
        new = after.play.deal.digests()
    else:
        new = after.finished.digests if after.finished is not None else ()
    return [
        Digest(what=f"{what} cards, its first digits", command=shell(line, match.offer.suite), digest=digest)
        for what, line, digest in new[len(old) :]
    ]
