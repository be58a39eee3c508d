"""`dealerless resume`: go on with a match from its transcript."""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import click

from ..crypto.ed25519 import SigningKey
from ..errors import DealerlessError, DecodeError, StorageError, Unattributed, UsageError, Violation
from ..games import GAMES
from ..journal.journal import BEGIN_ANEW, Journal
from ..journal.notes import NotesFile
from ..journal.secrets import SecretsFile
from ..net.seating import Ending
from ..net.star import host as play_host
from ..net.star import join as play_join
from ..net.transport import Address, Listener, read_address
from ..protocol.envelope import decode_body
from ..protocol.events import Offered
from ..protocol.opening import USUAL_SUITES
from ..protocol.records import decode_frame
from ..protocol.seeds import MemorySecrets
from ..protocol.session import Session
from . import identity
from .host import reached
from .status import Status
from .table import Files, Manner, Seat, command_line, shared_options
from .values import File, shown


@click.command(epilog="Example: dealerless resume match.dlt 192.0.2.7:4000")
@click.argument("file", type=File(), metavar="FILE")
@click.argument("address", metavar="[ADDR]", required=False)
@click.option("--allow-md5", is_flag=True, help="Accept a match whose cards are made from MD5 digests.")
@shared_options
def resume(file: Path, address: str | None, allow_md5: bool, **manner: Any) -> Status:
    """Go on with a match after a crash, an interruption, or a peer that stayed away too long.

    FILE is your transcript; the seeds have to lie beside it. Your key says which seat is yours: as host you
    listen at ADDR, otherwise you dial the host there. Both sides first tell each other what they have, and
    nothing is signed before that.

    Where there is nothing to go on with, because no message was ever written in FILE or because the match is over,
    the exit status is 2 and FILE stays as it is.
    """
    how = Manner(**manner)
    target = None if address is None else read_address(address)
    key = identity.load(how.identity, how.passphrase_file)
    files = Files(transcript=file)
    journal = Journal.open(file)
    try:
        offer = read_offer(journal)
        keys = [player[0] for player in offer.players]
        if key.public.key not in keys:
            hint = "name the identity that the match was begun with: --key FILE"
            raise UsageError("transport.stranger", actual=key.public.key, hint=hint)
        number = keys.index(key.public.key)
        if number and target is None:
            raise click.UsageError("ADDR is needed: where does the host listen?")
        seeds = open_seeds(files, journal)
        notes = None if how.level is None else NotesFile.open(files.notes)
    except BaseException:
        journal.close()
        raise
    # A host chose the suite itself; a joiner may not have agreed to it yet.
    md5 = allow_md5 or number == 0
    seat = Seat(
        key=key,
        name=offer.players[number][1],
        manner=how,
        files=files,
        journal=journal,
        seeds=seeds,
        notes=notes,
        suites=(*USUAL_SUITES, "md5") if md5 else USUAL_SUITES,
        resumed=True,
    )
    if number and target is not None:
        seat.again = command_line("resume", file, str(target), *how.witness_words)
        return seat.run(play_join(seat.sitting, target, keys[0]))

    async def match() -> Ending:
        listener = Listener(target or Address(host="127.0.0.1", port=0))
        seat.terminal.say(f"listening on {listener.address}")
        for line in ways_back(journal, offer, listener.address, how):
            seat.terminal.say(line)
        seat.again = command_line("resume", file, str(listener.address), *how.witness_words)
        return await play_host(seat.sitting, listener)

    return seat.run(match())


def ways_back(journal: Journal, offer: Offered, address: Address, how: Manner) -> list[str]:
    """Return what the others have to type to come back to their host, unless they still run and it is where it was."""
    at = reached(address)
    lines = ["those who are not there any more go on with:"]
    lines.append("  " + command_line("resume", "FILE", at, *how.witness_words) + "   (FILE is their own transcript)")
    if len(list(islice(journal.records(), len(offer.players)))) < len(offer.players):
        md5 = ("--allow-md5",) if offer.suite == "md5" else ()
        lines.append("or, if they have not accepted the terms yet, with:")
        pin = offer.players[0][0].hex()
        lines.append("  " + command_line("join", at, "--pin", pin, *md5, *how.witness_words))
    return lines


def read_offer(journal: Journal) -> Offered:
    """Return the offer a journal begins with.

    Raises StorageError: `journal.empty` if nothing is in it, `journal.damaged` if something else is.
    """
    record = next(journal.records(), None)
    if record is None:
        raise StorageError("journal.empty", actual=shown(str(journal.path)), hint=BEGIN_ANEW)
    try:
        event = decode_body(decode_frame(record)[0]).event
    except DealerlessError as error:
        raise StorageError("journal.damaged", actual=shown(str(journal.path)), hint=str(error)) from error
    if not isinstance(event, Offered):
        raise StorageError("journal.damaged", actual=shown(str(journal.path)), hint="it does not begin with an offer")
    return event


def open_seeds(files: Files, journal: Journal) -> SecretsFile:
    """Return the seeds beside a transcript; raises StorageError, or UsageError `resume.over` if none are needed."""
    try:
        return SecretsFile.open(files.seeds)
    except StorageError as error:
        if error.code == "secrets.missing" and is_over(journal):
            hint = f"what it proves: {command_line('audit', files.transcript)}"
            raise UsageError("resume.over", actual=shown(str(files.transcript)), hint=hint) from error
        raise


def is_over(journal: Journal) -> bool:
    """Return whether nobody owes anything in this journal: all is settled, or a fault was its end. CHAIN-3."""
    # A spectator's session: a key without a seat is asked to explain nothing.
    spectator = Session(SigningKey(os.urandom(32)), MemorySecrets(os.urandom), GAMES)
    for record in journal.records():
        with suppress(DecodeError, Violation, Unattributed):
            spectator.receive(record)
    return spectator.state.match is not None and spectator.state.owed is None
