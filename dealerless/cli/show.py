"""`dealerless show`: a transcript told message by message."""

from __future__ import annotations

import click

from ..errors import DealerlessError
from ..protocol.machine import Admitted
from ..protocol.state import HandRecord, State
from ..referee import replay
from ..report.document import encode, hand_document, pieces, step_document
from ..report.provenance import Provenance
from ..report.steps import COMMON_CHECKS, step
from ..report.text import step_lines, verdict_lines
from ..report.view import view
from .audit import STATUSES, spool
from .source import label, transcript
from .status import Status

# What the referee hands over for each message: states around it, the message, the refusal.
Seen = tuple[State, Admitted, State | None, DealerlessError | None]


@click.command(
    epilog="Example: dealerless show match.dlt --explain",
)
@click.argument("file", metavar="FILE")
@click.option(
    "--explain", is_flag=True, help="Add how each card came to be open, and the shell line that redoes each digest."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def show(file: str, explain: bool, as_json: bool) -> Status:
    """Tell a transcript step by step: what each message says, and which check made it good.

    FILE is a transcript, or - for standard input. The verdict comes last; the exit status is that of audit.
    """
    return _as_json(file, explain) if as_json else _as_text(file, explain)


def _as_text(file: str, explain: bool) -> Status:
    with transcript(file) as source:
        click.echo(
            "Every message below has passed these checks before its own; a refused one says what it has not passed:"
        )
        for clause, check in COMMON_CHECKS:
            click.echo(f"  {clause:<8} {check}")
        click.echo()
        provenance = Provenance()

        def on_frame(*seen: *Seen) -> None:
            for line in step_lines(step(*seen, provenance.on_frame(*seen)), explain=explain):
                click.echo(line)

        verdict = replay(source, on_hand=lambda hand: None, on_frame=on_frame)
    click.echo()
    for line in verdict_lines(view(verdict), label(file)):
        click.echo(line)
    return STATUSES[verdict.outcome]


def _as_json(file: str, explain: bool) -> Status:
    # The steps go out as they come; the hands wait, since they stand inside the verdict behind them.
    with transcript(file) as source, spool() as hands:
        click.echo('{"format": "dealerless show 1", "steps": [', nl=False)
        separator = ""
        provenance = Provenance()

        def on_frame(*seen: *Seen) -> None:
            nonlocal separator
            told = step_document(step(*seen, provenance.on_frame(*seen)), explain=explain)
            click.echo(separator + encode(told), nl=False)
            separator = ", "

        def on_hand(hand: HandRecord) -> None:
            hands.write(f"{encode(hand_document(hand))}\n")

        verdict = replay(source, on_hand=on_hand, on_frame=on_frame)
        click.echo('], "verdict": ', nl=False)
        hands.seek(0)
        for piece in pieces(verdict, (line.rstrip("\n") for line in hands)):
            click.echo(piece, nl=False)
        click.echo("}")
    return STATUSES[verdict.outcome]
