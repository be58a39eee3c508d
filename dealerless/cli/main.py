"""The command line: one table of commands, each imported when it is called, and one way for all to fail.

A command is a click command whose callback returns its exit status (None: 0). It prints its result on stdout;
whatever goes wrong leaves as an exception, which `main` turns into `error:` and `hint:` lines on stderr.
"""

from __future__ import annotations

import codecs
import errno
import importlib
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TextIO

import click

from .. import __version__
from .status import Status, status_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One command: where it is, as `module:name`, and the line that the list of commands has for it."""

    target: str
    summary: str


# In the order of the list: to play, to check, to look up.
COMMANDS: Final[dict[str, Row]] = {
    "demo": Row(
        target="dealerless.cli.demo:demo",
        summary="Watch processes play, and one more judge them.",
    ),
    "play": Row(
        target="dealerless.cli.play:play",
        summary="Play against computer players in this terminal.",
    ),
    "keygen": Row(
        target="dealerless.cli.keygen:keygen",
        summary="Make the identity that you play with.",
    ),
    "host": Row(
        target="dealerless.cli.host:host",
        summary="Offer a match and wait for somebody to join.",
    ),
    "join": Row(
        target="dealerless.cli.join:join",
        summary="Join the match that a host offers.",
    ),
    "resume": Row(
        target="dealerless.cli.resume:resume",
        summary="Go on with a match after a crash or an interruption.",
    ),
    "witness": Row(
        target="dealerless.cli.witness:witness",
        summary="Keep the time for matches of others, on a board that all can read.",
    ),
    "audit": Row(
        target="dealerless.cli.audit:audit",
        summary="Judge finished transcripts: who won, who broke a rule.",
    ),
    "compare": Row(
        target="dealerless.cli.compare:compare",
        summary="Compare two copies of one match: which counts, who forked.",
    ),
    "evidence": Row(
        target="dealerless.cli.evidence:evidence",
        summary="Cut out what convicts a seat by itself, or check it.",
    ),
    "show": Row(
        target="dealerless.cli.show:show",
        summary="Tell a transcript message by message, in words.",
    ),
    "verify-hand": Row(
        target="dealerless.cli.verify_hand:verify_hand",
        summary="Redo the cards of one hand from its seeds.",
    ),
    "rank": Row(
        target="dealerless.cli.rank:rank",
        summary="Compare hex-poker hands, strongest first.",
    ),
    "equity": Row(
        target="dealerless.cli.equity:equity_command",
        summary="Count how often a Hold'em hand beats another, exactly.",
    ),
    "arena": Row(
        target="dealerless.cli.arena:arena",
        summary="Let computer players play each other, and measure who is stronger.",
    ),
    "rules": Row(
        target="dealerless.cli.rules:rules",
        summary="Print the rules of a game as they are played here.",
    ),
}


class LazyGroup(click.Group):
    """A group that lists its commands from the table and imports only the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the table's order."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name, imported now, or None."""
        row = COMMANDS.get(cmd_name)
        if row is None:
            return None
        module, _, name = row.target.partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        command.short_help = row.summary
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, row.summary) for name, row in COMMANDS.items()])

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: object
    ) -> click.Context:
        """Return the context; a closed pipe under `--help` is no OSError of ours."""
        with _closed_output_aside():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> object:
        """Return what the command returns; a closed pipe is no OSError of ours."""
        with _closed_output_aside():
            return super().invoke(ctx)


class _OutputClosedError(Exception):
    """Whoever read our output has gone. Not an OSError: click would exit with 1, which is a verdict."""


@contextmanager
def _closed_output_aside() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise _OutputClosedError from error
        raise


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit status: 0 clean, 1 fault proven, 2 usage, 3 incomplete, 4 unreadable, 5 transport, "
    "70 a mistake of ours, 130 interrupted, 141 nobody reads the output any more. "
    "Each command has --help with an example.",
)
@click.version_option(__version__, "-V", "--version", message="dealerless %(version)s")
def cli() -> None:
    """Poker without a dealer, between parties who trust nobody, with a record that anybody can check."""


def main(args: Sequence[str] | None = None) -> int:
    """Return the exit status of the command line `args` (default: the process's own).

    Nothing is raised, and no traceback printed, whatever happens.
    """
    _occupy_standard_descriptors()
    sys.stdout, sys.stderr = _that_prints_all(sys.stdout), _that_prints_all(sys.stderr)
    try:
        status = _run(None if args is None else list(args))
        if sys.stdout is not None:
            sys.stdout.flush()
    except (_OutputClosedError, BrokenPipeError):
        status = Status.CLOSED
    except OSError as error:
        _complain(f"the output could not be written: {_reason(error)}")
        status = Status.TRANSPORT
    # What a stream still holds is flushed once more when the interpreter ends, and a failure there is status 120.
    for stream in (sys.stdout, sys.stderr):
        _let_go(stream)
    return status


def _run(args: list[str] | None) -> int:
    """Return the command's status; everything is handled but an output that cannot be written."""
    color = False if os.environ.get("NO_COLOR") else None
    try:
        result = cli.main(args, prog_name="dealerless", standalone_mode=False, color=color)
    except _OutputClosedError:
        raise
    except click.UsageError as error:
        return _misused(error)
    except click.ClickException as error:
        _complain(error.format_message())
        return Status.USAGE
    except click.Abort as abort:
        if isinstance(abort.__cause__, EOFError):
            _complain("the input ended where an answer was needed", "nothing was answered for you")
            return Status.USAGE
        _complain("interrupted")
        return Status.INTERRUPTED
    except KeyboardInterrupt:
        _complain("interrupted")
        return Status.INTERRUPTED
    except Exception as error:
        return _failed(error)
    return result if isinstance(result, int) else Status.CLEAN


def _misused(error: click.UsageError) -> int:
    command = error.ctx.command_path if error.ctx else "dealerless"
    _complain(error.format_message(), f"see: {command} --help")
    return Status.USAGE


def _failed(error: Exception) -> int:
    """Return the status for what a command raised, and say what happened."""
    from ..errors import DealerlessError

    if isinstance(error, DealerlessError):
        _complain(str(error), error.hint)
        return status_of(error)
    if isinstance(error, ConnectionError | TimeoutError):
        _complain(f"the connection failed: {_reason(error)}")
        return Status.TRANSPORT
    if isinstance(error, OSError):
        if error.filename is None:
            # No file that was to be opened: what fails without a name is the output.
            raise error
        _complain(f"{error.filename}: {_reason(error)}")
        return Status.USAGE
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = "" if place is None else f" at {place.tb_frame.f_globals.get('__name__', '?')}:{place.tb_lineno}"
    # The type and the place only: a message could hold what a peer wrote, or a secret.
    _complain(
        f"this is a mistake in dealerless, and no verdict: blame none ({type(error).__name__}{where})",
        "keep the file as it is and report this line with the version from dealerless --version",
    )
    return Status.BUG


def _complain(text: str, hint: str = "") -> None:
    """Print an `error:` line and, if there is one, a `hint:` line on stderr, whatever stands in them."""
    from ..report.escape import one_line

    lines = [f"error: {one_line(text)}"]
    if hint:
        lines.append(f"hint: {one_line(hint)}")
    try:
        click.echo("\n".join(lines), err=True)
    except OSError:
        # Nobody reads this either; the status still says it.
        return


def _reason(error: OSError) -> str:
    return (error.strerror or str(error) or type(error).__name__).lower()


def _let_go(stream: TextIO | None) -> None:
    """Flush the stream; one that cannot be written goes nowhere from here, so that no later flush of it can fail."""
    if stream is None:
        return
    try:
        stream.flush()
    except OSError:
        try:
            descriptor = stream.fileno()
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, descriptor)
            os.close(nowhere)
        except (OSError, ValueError):
            return
    except ValueError:
        # It is closed: nothing is left to flush.
        return


class _AsciiWriter(io.TextIOWrapper):
    """A stream on a console of ASCII. click takes such a console for a mistake and writes UTF-8 to it."""

    def write(self, text: str, /) -> int:
        """Write `text`, with an escape for all that is not ASCII."""
        return super().write(text.encode("ascii", errors="backslashreplace").decode("ascii"))


def _that_prints_all(stream: TextIO) -> TextIO:
    """Return the stream so that a character its console lacks is an escape: no name may end a game."""
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    if codecs.lookup(stream.encoding).name == "ascii":
        return _AsciiWriter(stream.buffer, encoding="utf-8", line_buffering=stream.line_buffering)
    stream.reconfigure(errors="backslashreplace")
    return stream


def _occupy_standard_descriptors() -> None:
    """Give descriptors 0 to 2 something to be: no file of ours may get a number that others write to."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
