"""`dealerless witness`: keep the time for matches of others."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from pathlib import Path

import click

from ..games import GAMES
from ..journal.board import Shelf
from ..net.board import BoardServer
from ..net.transport import Listener, read_address
from . import identity
from .identity import default_identity
from .status import Status
from .table import command_line
from .terminal import Terminal
from .values import File, Folder, Key


@click.command(epilog="Example: dealerless witness --listen 0.0.0.0:4100 --dir boards")
@click.option("--listen", default="127.0.0.1:0", show_default=True, metavar="ADDR", help="Where; port 0 is any.")
@click.option("--key", "key_file", type=File(), metavar="FILE", help="Its identity, if not the usual one.")
@click.option(
    "--passphrase-file",
    type=File(),
    metavar="FILE",
    help="Read its passphrase there, in a regular file (no link, pipe or device).",
)
@click.option(
    "--dir",
    "folder",
    type=Folder(),
    required=True,
    metavar="DIR",
    help="The folder of its files, for this witness alone.",
)
@click.option(
    "--seat", "seats", type=Key(), multiple=True, metavar="KEY", help="Watch only matches in which this key plays."
)
def witness(
    listen: str, key_file: Path | None, passphrase_file: Path | None, folder: Path, seats: tuple[bytes, ...]
) -> Status:
    """Keep the time for matches whose terms name this witness's key.

    A witness is a board: players post their messages there and read those of the others. It signs when each message
    came, and that somebody let the time run out. It sees no closed card and can make no move. Give it an identity of
    its own. It runs until it is interrupted, and goes on where it stopped when it is started again.

    It keeps up to 200 matches, and 256 MiB of messages of each with their receipts. A match that fills its board goes
    on without deadlines there: nobody's time runs out for a message that has no room.
    """
    address = read_address(listen)
    key = identity.load(default_identity() if key_file is None else key_file, passphrase_file)
    if key.public.key in seats:
        raise click.UsageError("--seat is for keys of players, and one is this witness's own, which cannot play here")
    terminal = Terminal()
    listener = Listener(address)
    try:
        server = BoardServer(key, Shelf(folder), listener.certificate, GAMES, seats=seats, notice=terminal.note)
    except BaseException:
        listener.close()
        raise
    # 0.0.0.0 and :: mean all addresses of this machine, and are none to go to from elsewhere.
    reached = str(listener.address) if address.host.strip("0.:") else f"HOST:{listener.address.port}"
    terminal.say(f"listening on {listener.address}, {len(server)} matches on the board")
    terminal.say("players name this witness by:")
    terminal.say("  " + command_line("host", "--witness", f"{reached},{key.public.key.hex()}"))

    async def serve() -> None:
        task = asyncio.current_task()
        if task is not None:
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        await listener.serve(server.attend)

    try:
        with suppress(asyncio.CancelledError):
            asyncio.run(serve())
    finally:
        server.close()
    return Status.CLEAN
