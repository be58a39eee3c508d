"""`dealerless resume`: go on with a match from its transcript."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..errors import DealerlessError, StorageError, UsageError
from ..journal.journal import Journal
from ..journal.secrets import SecretsFile
from ..net.seating import Ending
from ..net.star import host as play_host
from ..net.star import join as play_join
from ..net.transport import Address, Listener, read_address
from ..protocol.envelope import decode_body
from ..protocol.events import Offered
from ..protocol.records import decode_frame
from ..referee import replay
from . import identity
from .status import Status
from .table import Files, Manner, Seat, command_line, shared_options
from .values import shown


@click.command(epilog="Example: dealerless resume match.dlt 192.0.2.7:4000")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.argument("address", metavar="[ADDR]", required=False)
@click.option("--allow-md5", is_flag=True, help="Accept a match whose cards are made from MD5 digests.")
@shared_options
def resume(file: Path, address: str | None, allow_md5: bool, **manner: Any) -> Status:
    """Go on with a match after a crash, an interruption, or a peer that stayed away too long.

    FILE is your transcript; the seeds have to lie beside it. Your key says which seat is yours: as host you
    listen at ADDR, otherwise you dial the host there. Both sides first tell each other what they have, and
    nothing is signed before that.
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
        seeds = open_seeds(files)
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
        suites=("sha256", "md5") if md5 else ("sha256",),
        resumed=True,
    )
    if number and target is not None:
        seat.again = command_line("resume", file, str(target), *how.witness_words)
        return seat.run(play_join(seat.sitting, target, keys[0]))

    async def match() -> Ending:
        listener = Listener(target or Address(host="127.0.0.1", port=0))
        seat.terminal.say(f"listening on {listener.address}")
        seat.again = command_line("resume", file, str(listener.address), *how.witness_words)
        return await play_host(seat.sitting, listener)

    return seat.run(match())


def read_offer(journal: Journal) -> Offered:
    """Return the offer a journal begins with; raises StorageError `journal.damaged` if there is none."""
    record = next(journal.records(), None)
    if record is None:
        hint = "nothing has been signed in it: begin a new match"
        raise StorageError("journal.damaged", actual=shown(str(journal.path)), hint=hint)
    try:
        event = decode_body(decode_frame(record)[0]).event
    except DealerlessError as error:
        raise StorageError("journal.damaged", actual=shown(str(journal.path)), hint=str(error)) from error
    if not isinstance(event, Offered):
        raise StorageError("journal.damaged", actual=shown(str(journal.path)), hint="it does not begin with an offer")
    return event


def open_seeds(files: Files) -> SecretsFile:
    """Return the seeds beside a transcript; raises StorageError, or UsageError if the match needs none any more."""
    try:
        return SecretsFile.open(files.seeds)
    except StorageError as error:
        if error.code == "secrets.missing":
            with files.transcript.open("rb") as file:
                verdict = replay(file, on_hand=lambda hand: None)
            if verdict.settling and verdict.settling == verdict.settled:
                hint = "the match is complete: see dealerless audit"
                raise UsageError("usage.wrong-state", hint=hint) from error
        raise
