"""`dealerless host`: offer a match and play it as seat 0."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from ..net.seating import Ending, WitnessAt
from ..net.star import host as play_host
from ..net.transport import Address, Listener, read_address
from ..protocol.limits import MAX_NAME, MAX_SECONDS, MAX_WITNESSES
from . import identity
from .status import Status
from .table import Manner, command_line, open_new, shared_options
from .terms import take_terms, terms_options
from .values import File, Key, Number

_USUAL_SECONDS: Final = 60
"""For a move, and again as the bank for a hand: time to think, and none to walk away."""

_HANDS: Final = 10
"""Hands of a match if nothing else is said."""


@click.command(
    epilog="Example: dealerless host --bet 10 --depth 5 --hands 3 --listen 0.0.0.0:4000. "
    "For four at Hold'em: dealerless host --game holdem --seats 4 --blinds 1/2 --stack 200. "
    "With deadlines: dealerless host --witness 192.0.2.9:4100,KEY --move-time 60 --bank 120"
)
@terms_options("--seats", hands=_HANDS)
@click.option("--listen", default="127.0.0.1:0", show_default=True, metavar="ADDR", help="Where; port 0 is any.")
@click.option(
    "--witness-threshold",
    "threshold",
    type=Number(1, MAX_WITNESSES),
    metavar="N",
    help="How many witnesses must agree that somebody is late; if not said, more than half.",
)
@click.option("--move-time", type=Number(1, MAX_SECONDS), metavar="S", help="Seconds for a move; 60 if not said.")
@click.option(
    "--bank", type=Number(0, MAX_SECONDS), metavar="S", help="Seconds more for each seat in a hand; 60 if not said."
)
@click.option(
    "--expect",
    "expected",
    multiple=True,
    type=Key(),
    metavar="KEY",
    help="Keep a seat for this key (64 hex digits): the first one seat 1, and so on. Repeatable.",
)
@click.option("--name", default="host", show_default=True, help=f"Your name, at most {MAX_NAME} characters.")
@click.option("--out", type=File(), metavar="FILE", help="The transcript. Nothing is overwritten.")
@shared_options
def host(
    listen: str,
    threshold: int | None,
    move_time: int | None,
    bank: int | None,
    expected: tuple[bytes, ...],
    name: str,
    out: Path | None,
    **others: Any,
) -> Status:
    """Offer a match, wait until all seats are taken, and play it as seat 0.

    The command that the others have to type is printed; it names your key, and is to be passed on by a way
    nobody can change. Who has joined is shown as they come. Terms are shown and accepted by all before there is a
    match. The transcript is written as you play; after a crash `dealerless resume` goes on with it. Type a move and
    its amount, help, leave, or quit.

    With witnesses (dealerless witness) there are deadlines: whoever lets the time for a move and the bank for the
    hand run out forfeits what it has in the pot, and the match.
    """
    proposal = take_terms(others, hands=_HANDS)
    how = Manner(**others)
    agree, move_seconds, bank_seconds = read_deadlines(len(how.witnesses), threshold, move_time, bank)
    proposal = replace(proposal, threshold=agree, move_seconds=move_seconds, bank_seconds=bank_seconds)
    check_name(name)
    address = read_address(listen)
    key = identity.load(how.identity, how.passphrase_file)
    check_expected(expected, key.public.key, proposal.seats)
    check_witnesses(how.witnesses, (key.public.key, *expected))
    seat, files = open_new(key, name, how, out, (proposal.suite,))

    async def match() -> Ending:
        listener = Listener(address)
        seat.terminal.say(f"listening on {listener.address}")
        each = "the other side joins" if proposal.seats == 2 else f"each of the {proposal.seats - 1} others joins"
        seat.terminal.say(f"{each} with:")
        md5 = ("--allow-md5",) if proposal.suite == "md5" else ()
        join = ("join", reached(listener.address), "--pin", key.public.key.hex(), *md5, *how.witness_words)
        seat.terminal.say("  " + command_line(*join))
        seat.again = command_line("resume", files.transcript, str(listener.address), *how.witness_words)
        return await play_host(seat.sitting, listener, proposal=proposal, expected=expected)

    return seat.run(match())


def reached(address: Address) -> str:
    """Return where others go to: 0.0.0.0 and :: mean all addresses of this machine, and are none to go to."""
    return str(address) if address.host.strip("0.:") else f"HOST:{address.port}"


def check_expected(expected: tuple[bytes, ...], own: bytes, seats: int) -> None:
    """Return if the seats that are kept for somebody can be; a usage error otherwise."""
    if len(expected) >= seats:
        raise click.UsageError(f"--expect keeps {len(expected)} seats, and there are {seats - 1} for others")
    if own in expected or len(set(expected)) < len(expected):
        raise click.UsageError("--expect is for the keys of others, each once")


def check_witnesses(witnesses: tuple[WitnessAt, ...], players: Collection[bytes]) -> None:
    """Return if each witness has a key of its own, which no player has; a usage error otherwise. SIG-1."""
    keys = [witness.key for witness in witnesses]
    if len(set(keys)) < len(keys):
        raise click.UsageError("--witness is for keys of their own, each once")
    for key in keys:
        if key in players:
            raise click.UsageError(f"--witness is for keys of others, and {key.hex()} is a player's")


def read_deadlines(witnesses: int, threshold: int | None, move: int | None, bank: int | None) -> tuple[int, int, int]:
    """Return threshold, seconds for a move and seconds of the bank; all 0 without witnesses. A usage error if none fit.

    Usual are 60 s and 60 s, and more than half of the witnesses.
    """
    if not witnesses:
        if (threshold, move, bank) != (None, None, None):
            raise click.UsageError("deadlines need a witness to keep the time: --witness ADDR,KEY")
        return 0, 0, 0
    if witnesses > MAX_WITNESSES:
        raise click.UsageError(f"at most {MAX_WITNESSES} witnesses")
    agree = witnesses // 2 + 1 if threshold is None else threshold
    if agree > witnesses:
        raise click.UsageError(f"--witness-threshold is {agree}, and there are {witnesses} witnesses")
    return agree, _USUAL_SECONDS if move is None else move, _USUAL_SECONDS if bank is None else bank


def check_name(name: str) -> None:
    """Return if a name fits into an offer; a usage error otherwise. ENC-6."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raise click.UsageError("--name is not text in this terminal's encoding") from None
    if len(name) > MAX_NAME:
        raise click.UsageError(f"--name is longer than {MAX_NAME} characters")
