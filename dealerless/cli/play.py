"""`dealerless play`: one person against computer players, in one terminal.

Nothing is simulated: this process hosts the person's seat on this machine alone, and every other seat is a process of
its own that joins over TLS with its own key and its own secrets. They end with this one.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
from pathlib import Path
from typing import Any, Final

import click

from ..crypto.ed25519 import SigningKey
from ..errors import DealerlessError, TransportError
from ..journal.identity import create_identity
from ..net.offers import Proposal
from ..net.seating import Ending
from ..net.star import host as play_host
from ..net.transport import Address, Listener
from ..players.computer import LEVELS
from ..protocol.limits import MAX_NAME
from ..referee import replay
from ..report.document import document, encode
from ..report.escape import printable
from .audit import STATUSES
from .company import ANEW, MATCH, Company, company, gather
from .host import check_name
from .status import Status
from .table import Files, Manner, Seat, command_line, open_new
from .terms import in_words, take_terms, terms_options
from .values import File

_PATIENCE: Final = 180
"""Seconds for a computer player: it answers at once, but eight begin together, maybe on a slow machine."""

_PERSONS_TIME: Final = 7 * 24 * 3600
"""Seconds that the computer players wait for a person, who may have supper between two moves."""

_LOOKING: Final = 0.2
"""Seconds between two looks at whether the other processes are still there."""

_HOST: Final = Address(host="127.0.0.1", port=0)

_HANDS: Final = 10
"""Hands of a match if nothing else is said."""


@click.command(
    epilog="Example: dealerless play --game draw --players 4 --bot hard. "
    "From a real deck: dealerless play --deal deck. Moves are read from the standard input, which may be a pipe."
)
@terms_options("--players", hands=_HANDS)
@click.option(
    "--bot", type=click.Choice(LEVELS), default=LEVELS[0], show_default=True, help="How well the others play."
)
@click.option("--name", default="you", show_default=True, help=f"Your name, at most {MAX_NAME} characters.")
@click.option("--out", type=File(), metavar="FILE", help="The transcript. Nothing is overwritten.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end, all else on stderr.")
def play(bot: str, name: str, out: Path | None, as_json: bool, **said: Any) -> Status:
    """Play against computer players in this terminal: your cards, the table, your legal moves, and a prompt.

    Type a move and its amount, help (or ?), table, leave, or quit. A move that is not legal is refused with the rule's
    name and costs nothing. The others are processes of their own on this machine, each with a key and secrets that this
    one does not use; the cards are dealt and proven as between strangers.

    The transcript is written as you play, under a key made for this match. The exit status is the one that audit has
    for it: 0 if the match is complete, 3 if you quit before its end. A match that was quit cannot be gone on with,
    since the others are gone; leave ends it by the rules instead, when the next hand is yours to start: you keep your
    chips, or your lives, and rank last.

    Why the others moved as they did is kept in FILE.notes after the match, for the hands that are over: dealerless show
    FILE --reasons.
    """
    proposal = take_terms(said, hands=_HANDS)
    check_name(name)
    with company("dealerless-play-") as others:
        homes = [others.home(f"auto{number}") for number in range(1, proposal.seats)]
        keys = [_identity(home) for home in homes]
        key = SigningKey(os.urandom(32))
        manner = Manner(
            key_file=others.folder / "identity.pem",
            passphrase_file=None,
            witnesses=(),
            auto=False,
            yes=True,
            wait=_PATIENCE,
            as_json=as_json,
        )
        # Nobody can go on with this match, so the seeds are of no use after it: they go with the folder.
        suites = (proposal.suite,)
        seat, files = open_new(key, name, manner, out, suites, notices=False, apart=others.folder)
        try:
            status = seat.run(_match(others, homes, keys, key, seat, proposal, bot))
        except TransportError as error:
            if error.code != "transport.left":
                if error.hint in ("", ANEW) and files.transcript.exists():
                    error.hint = _no_way_on(files)
                raise
            status = _left(files, seat, as_json=as_json)
        except KeyboardInterrupt:
            if files.transcript.exists():
                # Behind the prompt, on a line of its own.
                seat.terminal.say()
                seat.terminal.note(f"hint: {_no_way_on(files)}")
            raise
        _keep_notes(homes, files, seat)
        return status


async def _match(
    others: Company, homes: list[Path], keys: list[bytes], key: SigningKey, seat: Seat, proposal: Proposal, bot: str
) -> Ending:
    """Return how the match ended; raises TransportError if one of the computer players is gone before its end."""
    listener = Listener(_HOST)
    against = f"{len(homes)} computer player{'' if len(homes) == 1 else 's'}, {bot}"
    seat.terminal.say(f"{in_words(proposal)}, against {against}")
    processes = [_sit_down(others, home, listener.address, key, proposal, bot) for home in homes]
    playing = asyncio.ensure_future(
        play_host(seat.sitting, listener, proposal=proposal, expected=tuple(keys)),
    )
    watching = asyncio.ensure_future(_watch(others, processes, homes))
    try:
        await asyncio.wait((playing, watching), return_when=asyncio.FIRST_COMPLETED)
        if not playing.done():
            raise watching.result()
        return await playing
    finally:
        await _stop(playing)
        await _stop(watching)


async def _stop(task: asyncio.Future[Any]) -> None:
    """Return once a task is over, cancelled if need be; what it raised is told elsewhere."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def _watch(others: Company, processes: list[subprocess.Popen[bytes]], homes: list[Path]) -> TransportError:
    """Return what has become of the first computer player that did not end well."""
    while True:
        for process, home in zip(processes, homes, strict=True):
            if process.poll():
                return others.reason(process, home, home.name)
        await asyncio.sleep(_LOOKING)


def _sit_down(
    others: Company, home: Path, address: Address, host: SigningKey, proposal: Proposal, bot: str
) -> subprocess.Popen[bytes]:
    md5 = ("--allow-md5",) if proposal.suite == "md5" else ()
    manner = ("--bot", bot, "--yes", "--end-with-input", "--wait", str(_PERSONS_TIME), "--out", MATCH)
    pin = host.public.key.hex()
    return others.start(home, "join", str(address), "--pin", pin, "--name", home.name, *md5, *manner)


def _identity(home: Path) -> bytes:
    """Return the key of a new identity, made where a process in that home looks for it."""
    return create_identity(home / ".config" / "dealerless" / "identity.pem", None).public.key


def _keep_notes(homes: list[Path], files: Files, seat: Seat) -> None:
    """Keep the reasons of the others beside the transcript: those of hands that are over, since they tell cards."""
    state = seat.session.state
    if state.finished is None:
        return
    terminal, transcript = seat.terminal, files.transcript
    try:
        if gather(homes, files.notes, state.agreed.session, state.finished.number):
            terminal.say(f"why the others moved as they did: {command_line('show', transcript, '--reasons')}")
    except (DealerlessError, OSError) as error:
        terminal.note(f"the reasons of the others are not kept: {error}")


def _left(files: Files, seat: Seat, *, as_json: bool) -> Status:
    """Return the status of a match that the person has left, after saying what there is of it."""
    say = seat.terminal.say
    if not files.transcript.exists():
        say("you left before the match began; there is no transcript")
        return Status.CLEAN
    with files.transcript.open("rb") as file:
        verdict = replay(file)
    say(f"you left the table; transcript {printable(str(files.transcript))}")
    say(_what_it_says(files))
    if as_json:
        click.echo(encode(document(verdict)))
    return STATUSES[verdict.outcome]


def _no_way_on(files: Files) -> str:
    """Return what there is of a match that ended before its end."""
    return f"nobody can go on with this match; {_what_it_says(files)}"


def _what_it_says(files: Files) -> str:
    return f"what it says: {command_line('audit', files.transcript)}"
