"""`dealerless show`: a transcript told message by message, with the reasons of computer players if they are at hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import click

from ..errors import DealerlessError
from ..journal.notes import Line, beside, check_match, read_notes
from ..protocol.machine import Admitted
from ..protocol.state import HandRecord, State
from ..referee import replay
from ..report.decisions import LAY, Decision, Reasons, completed, decision
from ..report.document import encode, hand_document, pieces, step_document
from ..report.escape import printable
from ..report.provenance import Provenance
from ..report.steps import COMMON_CHECKS, Step, step
from ..report.text import step_lines, verdict_lines
from ..report.view import view
from .audit import STATUSES, spool
from .source import STDIN, label, notes, transcript
from .status import Status
from .values import FileName

_BESIDE: Final = "FILE.notes"
"""What `--reasons` means without a value."""

# What the referee hands over for each message: states around it, the message, the refusal.
Seen = tuple[State, Admitted, State | None, DealerlessError | None]


@click.command(
    epilog="Example: dealerless show match.dlt --explain. What computer players thought: dealerless show match.dlt "
    "--reasons",
)
@click.argument("file", type=FileName(), metavar="FILE", required=False)
@click.option(
    "--explain", is_flag=True, help="Add how each card came to be open, and the shell line that redoes each digest."
)
@click.option(
    "--reasons",
    "notes_path",
    type=FileName(),
    is_flag=False,
    flag_value=_BESIDE,
    metavar="[NOTES]",
    help=f"Add why computer players decided as they did, from NOTES or else {_BESIDE}; of hands that are over. "
    "Without a value it has to come after FILE.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def show(file: str | None, explain: bool, notes_path: str | None, as_json: bool) -> Status:
    """Tell a transcript step by step: what each message says, and which check made it good.

    FILE is a transcript, or - for standard input. The verdict comes last; the exit status is that of audit.

    What --reasons adds is not proven by anything: it is what a player's own program noted, and no part of the match.
    """
    if file is None:
        if notes_path is None:
            raise click.MissingParameter(param_hint="'FILE'", param_type="argument")
        taken = f"{printable(notes_path)} behind --reasons is taken for the notes"
        raise click.UsageError(f"FILE is missing: {taken}; name the transcript before --reasons")
    noted = None if notes_path is None else _read_notes(file, notes_path)
    return _as_json(file, explain, noted) if as_json else _as_text(file, explain, noted)


class Notes(NamedTuple):
    """A file of notes: how it is named in a report, and its lines."""

    label: str
    lines: tuple[Line, ...]


class Told(NamedTuple):
    """A message that is to be told, the decision that it is, if it is one, and the reason of that, once it is found."""

    step: Step
    decision: Decision | None
    reason: str | None = None


class Teller:
    """Tells messages with their reasons: give its `on_frame` to `replay`, and say `finish` behind it.

    With notes, the messages of a hand wait until it is over, so that no reason is told before; where cards outlive
    their hand, until the match is over, or at its early end without the reasons of lays. `tell` is given each message
    and its reason.
    """

    def __init__(self, tell: Callable[[Step, str | None], None], notes: Notes | None) -> None:
        self._tell = tell
        self._notes = notes
        self._reasons: Reasons | None = None
        self._provenance = Provenance()
        self._waiting: list[Told] = []
        self._kept: list[Told] = []

    def on_frame(self, *seen: *Seen) -> None:
        """Take in one message. Raises UsageError `notes.other-match` as soon as the match is known to be another."""
        before, admitted, after, refusal = seen
        told = step(*seen, self._provenance.on_frame(*seen))
        self._waiting.append(Told(told, decision(before, admitted) if refusal is None else None))
        if self._notes is None:
            self._flush()
        elif after is not None and after.match is not None and len(after.match.openings) == after.match.seats:
            if self._reasons is None:
                self._reasons = Reasons(check_match(self._notes.lines, after.match.session, self._notes.label))
            if told.finished is not None:
                self._find(self._reasons, told.finished)
            if after.play is None and (not after.match.dealing.lasts or after.end_head):
                self._flush()

    def finish(self) -> None:
        """Tell what still waits: a hand that is not over, without its reasons."""
        self._kept = [told._replace(reason=None) if _is_lay(told) else told for told in self._kept]
        self._flush()

    def _find(self, reasons: Reasons, hand: HandRecord) -> None:
        """Find the reasons of a hand that is over."""
        self._kept += [told._replace(reason=reasons.of(completed(told.decision, hand))) for told in self._waiting]
        self._waiting.clear()

    def _flush(self) -> None:
        for told in (*self._kept, *self._waiting):
            self._tell(told.step, told.reason)
        self._kept.clear()
        self._waiting.clear()


def _is_lay(told: Told) -> bool:
    return told.decision is not None and told.decision.what == LAY


def _read_notes(file: str, path: str) -> Notes:
    """Return the notes; a usage error if they are to lie beside the standard input or to come from there."""
    if path == STDIN:
        raise click.UsageError("--reasons needs the name of a file of notes: they are not read from standard input")
    if path == _BESIDE:
        if file == STDIN:
            raise click.UsageError("--reasons needs the name of the notes: nothing lies beside standard input")
        path = str(beside(Path(file)))
    with notes(path) as stream:
        return Notes(label(path), tuple(read_notes(stream, label(path))))


def _as_text(file: str, explain: bool, noted: Notes | None) -> Status:
    with transcript(file) as source:
        heading = [
            "Every message below has passed these checks before its own; a refused one says what it has not passed:",
            *[f"  {clause:<8} {check}" for clause, check in COMMON_CHECKS],
            "",
        ]

        def tell(one: Step, reason: str | None) -> None:
            while heading:
                click.echo(heading.pop(0))
            for line in step_lines(one, explain=explain, reason=reason):
                click.echo(line)

        teller = Teller(tell, noted)
        verdict = replay(source, on_hand=lambda hand: None, on_frame=teller.on_frame)
        teller.finish()
    for line in heading:
        click.echo(line)
    click.echo()
    for line in verdict_lines(view(verdict), label(file)):
        click.echo(line)
    return STATUSES[verdict.outcome]


def _as_json(file: str, explain: bool, noted: Notes | None) -> Status:
    # The steps go out as they come; the hands wait, since they stand inside the verdict behind them.
    with transcript(file) as source, spool() as hands:
        before = '{"format": "dealerless show 1", "steps": ['

        def tell(one: Step, reason: str | None) -> None:
            nonlocal before
            told = step_document(one, explain=explain)
            if noted is not None:
                told["reason"] = reason
            click.echo(before + encode(told), nl=False)
            before = ", "

        def on_hand(hand: HandRecord) -> None:
            hands.write(f"{encode(hand_document(hand))}\n")

        teller = Teller(tell, noted)
        verdict = replay(source, on_hand=on_hand, on_frame=teller.on_frame)
        teller.finish()
        click.echo(("" if before == ", " else before) + '], "verdict": ', nl=False)
        hands.seek(0)
        for piece in pieces(verdict, (line.rstrip("\n") for line in hands)):
            click.echo(piece, nl=False)
        click.echo("}")
    return STATUSES[verdict.outcome]
