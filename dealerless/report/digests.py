"""The digests behind a message, each with the command by which anybody can redo it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..crypto.commitment import commitment, commitment_text
from ..protocol.events import LayoutOpened, Shown
from ..protocol.hashdeal import HOLE, LAYOUT
from ..protocol.machine import Admitted
from ..protocol.records import CHAIN_TAG, SESSION_TAG
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
    if before.play is None or admitted.seq != before.seq or not isinstance(event, LayoutOpened | Shown):
        return ()
    purpose = LAYOUT if isinstance(event, LayoutOpened) else HOLE
    deal = before.play.deal
    place = (purpose, deal.session, deal.hand, admitted.seat, event.seed)
    text, digest = commitment_text(*place), commitment(*place).hex()
    what = f"the commitment of this {purpose} seed"
    return (Digest(what=what, command=shell(text, "sha256"), digest=digest), *_dealt(before, after))


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
