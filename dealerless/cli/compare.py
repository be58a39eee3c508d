"""`dealerless compare`: two copies of one match against each other."""

from __future__ import annotations

from contextlib import ExitStack

import click

from ..referee.compare import Comparison
from ..referee.compare import compare as compare_copies
from ..report.comparison import comparison_document, comparison_lines
from ..report.document import encode
from .audit import STATUSES
from .source import STDIN, label, receipts, transcript
from .status import Status
from .values import FileName


@click.command(epilog="Example: dealerless compare mine.dlt theirs.dlt")
@click.argument("first", type=FileName(), metavar="A")
@click.argument("second", type=FileName(), metavar="B")
@click.option(
    "--receipts",
    "receipts_path",
    type=FileName(),
    metavar="FILE",
    help="Receipts to hold against the witnesses' no-shows.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def compare(first: str, second: str, receipts_path: str | None, as_json: bool) -> Status:
    """Compare two copies of one match: the same, one longer, or forked, and who signed both branches.

    A and B are transcripts; one of them may be - for standard input. Of two branches the rules say which is
    kept; whoever signed two different messages on one previous hash is convicted, and nothing that another seat
    has built on is undone. Which copy is named first makes no difference.

    The exit status is 1 if a fault is proven by either copy or by both together; else that of the copy that
    counts, the longer one: 0 clean, 3 incomplete. It is 4 if one is unreadable or they are of different
    matches: then nothing was compared, and each is for dealerless audit. A file of receipts that is none is a
    usage error, 2.
    """
    if first == second == STDIN:
        raise click.UsageError("only one copy can be standard input")
    with ExitStack() as files:
        kept = () if receipts_path is None else files.enter_context(receipts(receipts_path))
        copies = [files.enter_context(transcript(path)) for path in (first, second)]
        found = compare_copies(copies[0], copies[1], receipts=kept)
    if as_json:
        click.echo(encode(comparison_document(found)))
    else:
        for line in comparison_lines(found, (label(first), label(second))):
            click.echo(line)
    return status_of_both(found)


def status_of_both(found: Comparison) -> Status:
    """Return the status of a comparison: of what counts, or 4 where nothing was compared."""
    return Status.UNREADABLE if found.verdict is None else STATUSES[found.verdict.outcome]
