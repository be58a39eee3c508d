"""`dealerless keygen`: a new identity."""

from __future__ import annotations

from pathlib import Path

import click

from ..journal.identity import create_identity
from ..referee import fingerprint
from ..report.document import encode
from ..report.escape import printable
from .identity import default_identity, read_passphrase
from .values import File


@click.command(epilog="Example: dealerless keygen")
@click.option("--out", type=File(), metavar="FILE", help="Where to put it. Nothing is overwritten.")
@click.option("--passphrase", "prompt", is_flag=True, help="Ask for a passphrase that the file is encrypted under.")
@click.option(
    "--passphrase-file",
    type=File(),
    metavar="FILE",
    help="Read the passphrase there, in a regular file (no link, pipe or device).",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def keygen(out: Path | None, prompt: bool, passphrase_file: Path | None, as_json: bool) -> None:
    """Make a new identity: an Ed25519 key in a file that only you can read.

    Its public key, which is printed, is who you are to others: give it to them by a way nobody can change. The
    file is the usual PEM and lies in your configuration folder if --out names no other.
    """
    if prompt and passphrase_file is not None:
        raise click.UsageError("--passphrase and --passphrase-file exclude each other")
    passphrase = None if passphrase_file is None else read_passphrase(passphrase_file)
    if prompt:
        text = click.prompt("New passphrase", hide_input=True, confirmation_prompt=True, err=True)
        passphrase = str(text).encode("utf-8", "surrogateescape")
    path = default_identity() if out is None else out
    # The configuration folder is ours to make; of a folder that was named and is not there, the name is wrong.
    key = create_identity(path, passphrase, folders=out is None).public.key
    if as_json:
        click.echo(encode({"file": str(path), "key": key.hex(), "fingerprint": fingerprint(key)}))
        return
    click.echo(f"file         {printable(str(path))}")
    click.echo(f"key          {key.hex()}")
    click.echo(f"fingerprint  {fingerprint(key)}")
