"""Exit statuses of every command: the contract that scripts rely on."""

from __future__ import annotations

import enum

from ..errors import DealerlessError, DecodeError, StorageError, TransportError, Unattributed, UsageError


class Status(enum.IntEnum):
    """What a command's exit status says. 0, 1, 3 and 4 are verdicts and stand for nothing else."""

    CLEAN = 0
    FAULT = 1
    USAGE = 2
    INCOMPLETE = 3
    UNREADABLE = 4
    TRANSPORT = 5
    BUG = 70
    INTERRUPTED = 130
    """Ended by Ctrl-C: 128 + SIGINT, as shells have it."""
    CLOSED = 141
    """Whoever read our output has gone: 128 + SIGPIPE, the status of any tool that is written before `head`."""


def status_of(error: DealerlessError) -> Status:
    """Return the status of a command that an error of the tree has ended."""
    layer, _, defect = error.code.partition(".")
    if isinstance(error, TransportError):
        return Status.TRANSPORT
    if isinstance(error, StorageError):
        return Status.UNREADABLE if defect == "damaged" else Status.USAGE
    # A refused offer proves nothing about anybody: there is no match yet.
    if isinstance(error, UsageError) or layer == "terms":
        return Status.USAGE
    # What came over the wire and cannot be pinned on a seat is the wire's.
    if isinstance(error, Unattributed | DecodeError):
        return Status.TRANSPORT
    return Status.FAULT
