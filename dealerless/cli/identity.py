"""Which identity a command plays with: its file, and the passphrase if it has one."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

import click

from ..crypto.ed25519 import SigningKey
from ..errors import StorageError, UsageError
from ..journal.identity import is_encrypted, load_identity

_MAX_PASSPHRASE: Final = 1024


def default_identity() -> Path:
    """Return where an identity lies if nothing else is said: in the user's configuration folder."""
    home = os.environ.get("XDG_CONFIG_HOME", "")
    # The base directory specification: a relative one is to be ignored.
    folder = Path(home) if home.startswith("/") else Path.home() / ".config"
    return folder / "dealerless" / "identity.pem"


def load(path: Path, passphrase_file: Path | None) -> SigningKey:
    """Return the key of an identity, its passphrase read from a file or asked for. Raises StorageError."""
    try:
        passphrase = None if passphrase_file is None else read_passphrase(passphrase_file)
        if passphrase is None and is_encrypted(path):
            text = click.prompt("Passphrase of the identity", hide_input=True, err=True)
            passphrase = str(text).encode("utf-8", "surrogateescape")
        return load_identity(path, passphrase)
    except StorageError as error:
        if error.code == "identity.missing":
            error.hint = "make one with: dealerless keygen"
        raise


def read_passphrase(path: Path) -> bytes:
    """Return the first line of a file, which must be the only one.

    Raises UsageError `identity.passphrase-not-a-file` for what is no regular file: it could keep us waiting for ever.
    """
    try:
        # O_NONBLOCK: opening a FIFO must not wait for its other end. On a regular file it means nothing.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY)
    except ValueError as error:
        raise UsageError("usage.bad-value", actual=str(path)) from error
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO):
            raise _not_a_file(path) from error
        raise
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _not_a_file(path)
        data = os.read(descriptor, _MAX_PASSPHRASE + 1)
    finally:
        os.close(descriptor)
    passphrase = data.removesuffix(b"\n").removesuffix(b"\r")
    if not passphrase or b"\n" in passphrase or len(data) > _MAX_PASSPHRASE:
        hint = "the file has to hold the passphrase on one line and nothing else"
        raise UsageError("usage.bad-value", actual=str(path), hint=hint)
    return passphrase


def _not_a_file(path: Path) -> UsageError:
    hint = "name the file itself: no link, folder, pipe or device"
    return UsageError("identity.passphrase-not-a-file", actual=str(path), hint=hint)
