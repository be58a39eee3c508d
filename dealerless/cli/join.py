"""`dealerless join`: play the match that a host offers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..net.star import join as play_join
from ..net.transport import read_address
from ..protocol.limits import MAX_NAME
from ..protocol.opening import USUAL_SUITES
from . import identity
from .host import check_name, check_witnesses
from .status import Status
from .table import Manner, command_line, open_new, shared_options
from .values import File, Key


@click.command(epilog="Example: dealerless join 192.0.2.7:4000 --pin KEY, where KEY is what the host's command printed")
@click.argument("address", metavar="ADDR")
@click.option("--pin", type=Key(), required=True, metavar="KEY", help="The host's key (64 hex digits).")
@click.option("--allow-md5", is_flag=True, help="Accept a match whose cards are made from MD5 digests.")
@click.option("--name", default="guest", show_default=True, help=f"Your name, at most {MAX_NAME} characters.")
@click.option("--out", type=File(), metavar="FILE", help="The transcript. Nothing is overwritten.")
@shared_options
def join(address: str, pin: bytes, allow_md5: bool, name: str, out: Path | None, **manner: Any) -> Status:
    """Join the match that is offered at ADDR (HOST:PORT) and play it.

    The host has to prove that it holds the key you pin; before that it is told nothing about you. Terms are
    shown and accepted before anything is signed. The transcript is written as you play; after a crash
    `dealerless resume` goes on with it. Type a move and its amount, help, leave, or quit.
    """
    how = Manner(**manner)
    check_name(name)
    target = read_address(address)
    key = identity.load(how.identity, how.passphrase_file)
    if pin == key.public.key:
        raise click.UsageError(
            "--pin is for the host's key, and this is your own: play from another identity, --key FILE"
        )
    check_witnesses(how.witnesses, (key.public.key, pin))
    seat, files = open_new(key, name, how, out, (*USUAL_SUITES, "md5") if allow_md5 else USUAL_SUITES)
    seat.again = command_line("resume", files.transcript, address, *how.witness_words)
    return seat.run(play_join(seat.sitting, target, pin))
