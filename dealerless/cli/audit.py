"""`dealerless audit`: what transcripts prove."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from ..errors import UsageError
from ..protocol.state import HandRecord
from ..protocol.witness import Receipt
from ..referee import Outcome, Verdict, replay
from ..report.document import encode, hand_document, pieces
from ..report.escape import printable
from ..report.text import hand_lines, verdict_lines
from ..report.view import view
from .output import check_place, write_page
from .source import STDIN, label, receipts, transcript
from .status import Status
from .terminal import Terminal
from .values import FileName, Key

if TYPE_CHECKING:
    from ..report.page import Page

STATUSES = {
    Outcome.CLEAN: Status.CLEAN,
    Outcome.FAULT: Status.FAULT,
    Outcome.INCOMPLETE: Status.INCOMPLETE,
    Outcome.UNREADABLE: Status.UNREADABLE,
}
# Of several verdicts the first of these that occurs is the status.
_ORDER = (Status.FAULT, Status.UNREADABLE, Status.INCOMPLETE, Status.CLEAN)
# A match may have more hands than memory should hold: from this size on they wait on the disk.
_IN_MEMORY = 1 << 24


@click.command(
    epilog="Example: dealerless audit match.dlt --html match.html",
)
@click.argument("files", nargs=-1, required=True, type=FileName(), metavar="FILE...")
@click.option(
    "--expect-key",
    "expected",
    multiple=True,
    type=Key(),
    metavar="KEY",
    help="A key (64 hex digits) that must sit at the table. Repeatable.",
)
@click.option(
    "--receipts",
    "receipts_path",
    type=FileName(),
    metavar="FILE",
    help="Receipts to hold against the witnesses' no-shows.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--html", type=FileName(), metavar="OUT", help="Write the report on one FILE as a page for a browser, too."
)
@click.option("--force", is_flag=True, help="Let --html replace a file that is there.")
def audit(
    files: tuple[str, ...],
    expected: tuple[bytes, ...],
    receipts_path: str | None,
    as_json: bool,
    html: str | None,
    force: bool,
) -> Status:
    """Judge transcripts: what each proves, who broke a rule, what everybody's chips are.

    FILE is a transcript, or - for standard input. Nothing is believed but the signed bytes. The exit status is
    0 clean, 1 a fault is proven, 3 incomplete, 4 unreadable; of several files the first of 1, 4, 3, 0 that
    occurs.

    A clean verdict speaks of the keys it prints. Whose they are, only you can know: --expect-key makes it an
    error (status 2, no verdict) when a key you know is not among them.

    A witness that signed both that a seat let its time run out and a receipt in time proves nothing: --receipts
    names a file of what you have of them. One that holds something else is a usage error, and there is no verdict.

    The page of --html stands for itself: no script, and nothing is fetched for it.
    """
    if files.count(STDIN) > 1:
        raise click.UsageError("standard input can be read once: name - only once")
    if html is None and force:
        raise click.UsageError("--force goes with --html")
    if html is not None:
        if len(files) > 1:
            raise click.UsageError("--html is a page on one FILE")
        if html == STDIN:
            raise click.UsageError("--html needs the name of a file")
        check_place(html, force=force)
        if any(_one_file(html, path) for path in files):
            raise click.UsageError("--html would replace the transcript")
    statuses = []
    # By match, the files that are of it.
    copies: dict[bytes, list[str]] = {}
    with ExitStack() as opened:
        kept = () if receipts_path is None else opened.enter_context(receipts(receipts_path))
        results = opened.enter_context(spool())
        for number, path in enumerate(files):
            if number:
                results.write(", " if as_json else "\n")
            verdict, page = _judge(path, expected, kept, results.write, as_json=as_json, with_page=html is not None)
            statuses.append(STATUSES[verdict.outcome])
            if verdict.session is not None:
                copies.setdefault(verdict.session, []).append(path)
            if page is not None and html is not None:
                write_page(html, page.pieces(verdict, label(path)), force=force)
        results.seek(0)
        if as_json:
            several = len(files) > 1
            click.echo('{"verdicts": [' if several else "", nl=False)
            _copy(results)
            click.echo("]}" if several else "")
        else:
            _copy(results)
    for paths in copies.values():
        if len(paths) > 1:
            names = ", ".join([label(path) for path in paths])
            first, second = [printable(path) for path in paths[:2]]
            text = f"hint: {names} are copies of one match; which counts: dealerless compare {first} {second}"
            Terminal().note(text)
    return next(status for status in _ORDER if status in statuses)


def spool() -> tempfile.SpooledTemporaryFile[str]:
    """Return an empty text file without a name, in memory as long as it is small."""
    return tempfile.SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8", newline="\n")


def check_players(verdict: Verdict, expected: tuple[bytes, ...], path: str) -> None:
    """Return if every expected key sits at the table, or nothing says yet who does.

    Raises UsageError `audit.unexpected-key`: a verdict on other players answers another question.
    """
    keys = [player.key for player in verdict.players]
    for key in expected:
        if keys and key not in keys:
            raise UsageError(
                "audit.unexpected-key",
                expected=key,
                actual=tuple(keys),
                hint=f"{label(path)} is a match of other players, whatever their names; no verdict is given",
            )


def _judge(
    path: str,
    expected: tuple[bytes, ...],
    kept: Iterable[Receipt],
    write: Callable[[str], object],
    *,
    as_json: bool,
    with_page: bool,
) -> tuple[Verdict, Page | None]:
    """Return the verdict on one file, its report written, and the page that tells it if there is to be one."""
    page = _page() if with_page else None
    with transcript(path) as source, spool() as hands:

        def on_hand(hand: HandRecord) -> None:
            lines = [encode(hand_document(hand))] if as_json else hand_lines(hand)
            for line in lines:
                hands.write(f"{line}\n")
            if page is not None:
                page.on_hand(hand)

        on_frame = None if page is None else page.on_frame
        verdict = replay(source, on_hand=on_hand, on_frame=on_frame, receipts=kept)
        check_players(verdict, expected, path)
        hands.seek(0)
        if as_json:
            for piece in pieces(verdict, (line.rstrip("\n") for line in hands)):
                write(piece)
        else:
            for line in verdict_lines(view(verdict), label(path)):
                write(f"{line}\n")
            for line in hands:
                write(line)
    return verdict, page


def _one_file(one: str, other: str) -> bool:
    """Return whether two names are of the same file; False where there is none."""
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return False


def _page() -> Page:
    # Templates take longer to load than a short match to judge: only when there is a page.
    from ..report.page import Page

    return Page()


def _copy(text: tempfile.SpooledTemporaryFile[str]) -> None:
    """Print a file in pieces of bounded size."""
    while piece := text.read(1 << 16):
        click.echo(piece, nl=False)
