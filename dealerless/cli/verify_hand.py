"""`dealerless verify-hand`: the cards of one hand, redone from its seeds."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import asdict

import click

from ..crypto.commitment import COMMITMENT_BYTES, SEED_BYTES, SESSION_BYTES
from ..crypto.suites import DEFAULT_SUITE, SUITES
from ..protocol.limits import MAX_HANDS
from ..report.cards import best_in_words
from ..report.document import encode
from ..report.redo import Redone, redo
from .status import Status
from .values import Hex, Number, hex_problem

_SEATS = 2


class SeedValue(click.ParamType[bytes | None]):
    """A seed as 64 hex digits or, with @, the file that holds them; `none` where it may be kept secret."""

    name = "seed"

    def __init__(self, *, optional: bool) -> None:
        self.optional = optional

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> bytes | None:
        """Return the seed, or None for `none`."""
        text = str(value)
        if text == "none" and self.optional:
            return None
        if text.startswith("@"):
            text = self._read(text[1:], param, ctx)
        problem = hex_problem(text, SEED_BYTES)
        if problem:
            self.fail(problem, param, ctx)
        return bytes.fromhex(text)

    def _read(self, path: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not a name"
            self.fail(f"{path}: {(reason or 'cannot be opened').lower()}", param, ctx)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                self.fail(f"{path} is not a regular file", param, ctx)
            try:
                # A seed, a line feed, and one byte more to see that there is nothing more.
                data = file.read(2 * SEED_BYTES + 2)
            except OSError as error:
                self.fail(f"{path}: {(error.strerror or 'cannot be read').lower()}", param, ctx)
        return data.decode("ascii", errors="replace").removesuffix("\n")


@click.command(
    epilog="Example: dealerless verify-hand --session SESSION --hand 1 --layout LAYOUT0 --layout LAYOUT1 "
    "--hole @mine.txt --hole none",
)
@click.option(
    "--suite", type=click.Choice(list(SUITES)), default=DEFAULT_SUITE, show_default=True, help="As in the terms."
)
@click.option("--session", type=Hex(SESSION_BYTES), required=True, help="The session of the match.")
@click.option("--hand", type=Number(1, MAX_HANDS), required=True, help="The hand's number.")
@click.option(
    "--layout", "layouts", type=SeedValue(optional=False), multiple=True, required=True, help="Seat 0's, then seat 1's."
)
@click.option(
    "--hole",
    "holes",
    type=SeedValue(optional=True),
    multiple=True,
    required=True,
    help="Seat 0's, then seat 1's; 'none' for one that was not shown.",
)
@click.option(
    "--commitment", "commitments", type=Hex(COMMITMENT_BYTES), multiple=True, help="To be opened; in any order."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def verify_hand(
    suite: str,
    session: bytes,
    hand: int,
    layouts: tuple[bytes, ...],
    holes: tuple[bytes | None, ...],
    commitments: tuple[bytes, ...],
    as_json: bool,
) -> Status:
    """Redo a hand of hex poker from its seeds: every hashed text, its digest, the cards and the winner.

    Values are 64 digits in lower-case hex. A seed may also be given as @FILE, a file with nothing else in it,
    so that no other user of this machine can see it.

    The exit status is 1 if a given commitment is opened by none of the seeds. That accuses nobody: whose seeds
    and commitments they are is said by the signed messages, which audit judges.
    """
    for name, values in (("--layout", layouts), ("--hole", holes)):
        if len(values) != _SEATS:
            raise click.UsageError(f"{name} is needed {_SEATS} times, once for each seat, and is here {len(values)}")
    if len(commitments) > 2 * _SEATS:
        raise click.UsageError(f"a hand has {2 * _SEATS} commitments, and here are {len(commitments)}")
    redone = redo(suite=suite, session=session, hand=hand, layouts=layouts, holes=holes, commitments=commitments)
    if as_json:
        click.echo(encode({"format": "dealerless hand 1"} | asdict(redone)))
    else:
        for line in lines(redone):
            click.echo(line)
    return Status.FAULT if redone.opened is False else Status.CLEAN


def lines(redone: Redone) -> Iterator[str]:
    """Yield the hand for people: first whether the commitments are opened, then the cards with their digests."""
    if redone.opened is None:
        yield "REDONE: no commitment was given, so nothing says that these are the seeds that were committed to"
    elif redone.opened:
        yield "OK: every given seed that has a commitment here opens it"
    else:
        yield "FAIL: a commitment does not open; that alone says nothing about whose mistake it is"
    yield f"suite {redone.suite}, session {redone.session}, hand {redone.hand}"
    for seed in redone.seeds:
        opens = {True: "opened", False: "not among those given", None: "not given"}[seed.opens]
        yield f"seat {seed.seat} {seed.purpose}: {seed.seed}"
        yield f"  commitment {seed.commitment.digest} ({opens})"
        yield f"    {seed.commitment.command}"
    for value in redone.unopened:
        yield f"opened by none of these seeds: {value}"
    yield f"common {redone.common.cards}, the first digits of {redone.common.digest.digest}"
    yield f"    {redone.common.digest.command}"
    for seat, hole in enumerate(redone.hole):
        if hole is None:
            yield f"seat {seat} has not shown"
            continue
        yield f"seat {seat} holds {hole.cards}, the first digits of {hole.digest.digest}"
        yield f"    {hole.digest.command}"
        best = redone.sevens[seat]
        if best is not None:
            yield f"  its seven: {best}  {best_in_words('hex', best)}"
    if redone.winners is None:
        yield "winner: the cards of both seats are needed to say"
    elif len(redone.winners) == 1:
        yield f"winner at showdown: seat {redone.winners[0]}"
    else:
        yield "winner at showdown: a tie, half the pot each"
