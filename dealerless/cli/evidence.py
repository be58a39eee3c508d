"""`dealerless evidence`: the smallest part of a transcript that convicts by itself, and its check."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from typing import BinaryIO

import click

from ..errors import StorageError
from ..protocol.witness import Receipt
from ..referee import replay
from ..referee.compare import compare
from ..referee.evidence import Finding, check, find
from ..report.document import encode
from ..report.proof import finding_document, finding_lines
from .audit import STATUSES
from .compare import status_of_both
from .source import STDIN, label, receipts, transcript
from .source import bundle as evidence_at
from .status import Status
from .values import FileName


@click.command(
    epilog="Example: dealerless evidence match.dlt --out proof.dle, and dealerless evidence --check proof.dle"
)
@click.argument("files", nargs=-1, type=FileName(), metavar="[FILE [FILE2]]")
@click.option("--out", type=FileName(), metavar="BUNDLE", help="Where to put the evidence. Nothing is overwritten.")
@click.option(
    "--check",
    "bundle",
    type=FileName(),
    metavar="BUNDLE",
    help="Judge evidence that somebody shows you; - is standard input.",
)
@click.option(
    "--receipts",
    "receipts_path",
    type=FileName(),
    metavar="FILE",
    help="Receipts to hold against the witnesses' no-shows.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def evidence(
    files: tuple[str, ...], out: str | None, bundle: str | None, receipts_path: str | None, as_json: bool
) -> Status:
    """Cut out of a transcript what convicts a seat by itself, or check such a bundle.

    FILE is a transcript, FILE2 another copy of the same match: a seat that said two different things may be convicted
    by both together only. The bundle holds no more than the opening and what proves the first fault: two messages on
    one previous hash, or every message from a hand's start, or from the beginning, up to the fault. Whoever gets it
    needs nothing else to check it.

    The exit status is 1 if a fault is proven. With FILE it is else the one of dealerless audit or compare, and no
    bundle is written. With --check it is 3 if the bundle proves nothing, and 4 if it is none: if it does not begin with
    the line that evidence begins with. A file of receipts that is none is a usage error, 2.
    """
    if bundle is not None:
        if files or out is not None or receipts_path is not None:
            raise click.UsageError("--check goes with a bundle and nothing else")
        return _check(bundle, as_json=as_json)
    if not 1 <= len(files) <= 2 or out is None:
        raise click.UsageError("name one or two transcripts and --out, or --check and a bundle")
    if STDIN in files or out == STDIN:
        raise click.UsageError("evidence is cut from files, and into a file")
    return _cut(files, out, receipts_path, as_json=as_json)


def _check(bundle: str, *, as_json: bool) -> Status:
    with evidence_at(bundle) as source:
        found = check(source)
    if as_json:
        click.echo(encode(finding_document(found)))
    else:
        for line in finding_lines(found, label(bundle)):
            click.echo(line)
    if found.fault is not None:
        return Status.FAULT
    return Status.UNREADABLE if found.reason == "evidence.not-evidence" else Status.INCOMPLETE


def _cut(files: tuple[str, ...], out: str, receipts_path: str | None, *, as_json: bool) -> Status:
    with ExitStack() as opened:
        kept = () if receipts_path is None else opened.enter_context(receipts(receipts_path))
        copies = tuple([opened.enter_context(transcript(path)) for path in files])
        proof = find(copies, receipts=kept)
        if proof is None:
            return _nothing(files, copies, kept, as_json=as_json)
        _write(out, proof.pieces(copies))
    with evidence_at(out) as source:
        found = check(source)
        size = source.seek(0, os.SEEK_END)
    if as_json:
        click.echo(encode({**finding_document(found), "bytes": size}))
    else:
        for line in finding_lines(found, label(out)):
            click.echo(line)
        click.echo(f"size       {size} bytes")
    return Status.FAULT


def _nothing(files: tuple[str, ...], copies: tuple[BinaryIO, ...], kept: Iterable[Receipt], *, as_json: bool) -> Status:
    """Say that there is nothing to prove, and return the status that audit or compare would end with."""
    for copy in copies:
        copy.seek(0)
    if len(copies) == 1:
        status = STATUSES[replay(copies[0], on_hand=lambda hand: None, receipts=kept).outcome]
    else:
        status = status_of_both(compare(copies[0], copies[1], receipts=kept))
    if status is Status.FAULT:
        raise RuntimeError("a fault was found and no evidence of it")
    names = " and ".join([label(path) for path in files])
    text = f"NOTHING: {names}: no fault is proven, and no evidence was written"
    click.echo(encode({**finding_document(Finding()), "bytes": 0}) if as_json else text)
    return status


def _write(path: str, pieces: Iterable[bytes]) -> None:
    """Write a new file, whole or not at all; raises StorageError `evidence.*`."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
    except FileExistsError as error:
        raise StorageError("evidence.exists", actual=path, hint="choose another name") from error
    except (FileNotFoundError, NotADirectoryError) as error:
        raise StorageError("evidence.inaccessible", actual=path, hint="there is no such folder") from error
    except (OSError, ValueError) as error:
        hint = (error.strerror or type(error).__name__).lower() if isinstance(error, OSError) else "no name of a file"
        raise StorageError("evidence.inaccessible", actual=path, hint=hint) from error
    try:
        with os.fdopen(descriptor, "wb") as file:
            for piece in pieces:
                file.write(piece)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(path)
        if isinstance(error, OSError):
            hint = (error.strerror or type(error).__name__).lower()
            raise StorageError("evidence.write-failed", actual=path, hint=hint) from error
        raise
