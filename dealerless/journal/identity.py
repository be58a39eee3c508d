"""A player's identity: one Ed25519 private key in a file of its own, and the offers accepted with it. SIG-1,
ENC-4.

The file is the usual PEM (PKCS #8), with or without a passphrase, so that other tools can read it.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from ..crypto.ed25519 import SEED_BYTES, SigningKey
from ..errors import StorageError, UsageError
from .recordfile import (
    create_private,
    inaccessible,
    open_private,
    sync_data,
    sync_folder,
    write_failed,
    write_whole,
)

_KIND: Final = "identity"
_OFFER: Final = "offer"
# A PEM file of one Ed25519 key is some hundred bytes long.
_MAX_BYTES: Final = 16 * 1024
_LINE: Final = re.compile(rb"[0-9a-f]{64} (0|[1-9][0-9]{0,19})")
_ENCRYPTED: Final = b"-----BEGIN ENCRYPTED PRIVATE KEY-----"


def create_identity(
    path: str | os.PathLike[str],
    passphrase: bytes | None,
    *,
    random: Callable[[int], bytes] = os.urandom,
    folders: bool = True,
) -> SigningKey:
    """Return a new key that is now on the disk at `path`, mode 0600; with `folders`, in a folder made for it if
    there was none.

    With a passphrase the file is encrypted. `random` gives the seed of 32 bytes. Raises StorageError
    `identity.exists` when anything of that name is there, `identity.inaccessible` or `identity.write-failed`;
    after the last there is no file.
    """
    path = Path(path)
    protection: KeySerializationEncryption = NoEncryption()
    if passphrase is not None:
        if not passphrase:
            raise UsageError("usage.bad-value", hint="a passphrase has at least one character")
        protection = BestAvailableEncryption(passphrase)
    seed = random(SEED_BYTES)
    key = SigningKey(seed)
    private = Ed25519PrivateKey.from_private_bytes(seed)
    pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, protection)
    if folders:
        _make_folders(path.parent)
    descriptor = create_private(path, _KIND)
    try:
        write_whole(descriptor, pem, 0)
        os.fsync(descriptor)
        sync_folder(path)
    except OSError as error:
        with suppress(OSError):
            path.unlink()
        raise write_failed(path, _KIND, error) from error
    finally:
        os.close(descriptor)
    return key


def load_identity(path: str | os.PathLike[str], passphrase: bytes | None) -> SigningKey:
    """Return the key of the identity file at `path`.

    Raises StorageError: `identity.missing`, `identity.not-a-file`, `identity.inaccessible`,
    `identity.open-to-others`, `identity.wrong-passphrase` (also when one is given that is not needed, or
    needed and not given), `identity.not-a-key`.
    """
    path = Path(path)
    pem = _read(path)
    encrypted = _ENCRYPTED in pem
    if encrypted and passphrase is None:
        raise StorageError("identity.wrong-passphrase", actual=str(path), hint="it needs one")
    if passphrase is not None and not encrypted:
        raise StorageError("identity.wrong-passphrase", actual=str(path), hint="it has none; give none")
    try:
        key = load_pem_private_key(pem, passphrase)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        code = "identity.wrong-passphrase" if encrypted else "identity.not-a-key"
        raise StorageError(code, actual=str(path)) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise StorageError("identity.not-a-key", actual=str(path), hint="make one with: dealerless keygen")
    return SigningKey(key.private_bytes_raw())


def is_encrypted(path: str | os.PathLike[str]) -> bool:
    """Return whether the identity at `path` needs a passphrase; raises as `load_identity` does."""
    return _ENCRYPTED in _read(Path(path))


class AcceptedOffers:
    """The offers that an identity has accepted, in a file beside it that only grows: each once, ever. ENC-4.

    One line an offer: 64 hex digits of its body hash, a space, and its expiry as the offer states it. The
    file is locked while it is looked at, so two processes of one player cannot accept one offer both.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path: Final = Path(path)

    @classmethod
    def beside(cls, identity: str | os.PathLike[str]) -> AcceptedOffers:
        """Return the list that belongs to the identity file of this name."""
        path = Path(identity)
        return cls(path.with_name(path.name + ".accepted"))

    def remember(self, offer_hash: bytes, expiry: int) -> None:
        """Return once the offer of this 32-byte body hash is on the disk as accepted: only then sign the
        acceptance.

        Raises StorageError `offer.accepted-before` if it was there already, `offer.write-failed` with the
        list as it was, `offer.damaged`, `offer.not-a-file`, `offer.open-to-others` or `offer.inaccessible`.
        """
        if len(offer_hash) != 32 or type(expiry) is not int or expiry < 0:
            raise UsageError("usage.bad-value", actual=(len(offer_hash), expiry))
        descriptor = open_private(self.path, _OFFER, secret=True, create=True)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            end = self._look_for(offer_hash, descriptor)
            try:
                os.ftruncate(descriptor, end)
                write_whole(descriptor, f"{offer_hash.hex()} {expiry}\n".encode("ascii"), end)
                sync_data(descriptor)
                sync_folder(self.path)
            except BaseException:
                with suppress(OSError):
                    os.ftruncate(descriptor, end)
                raise
        except OSError as error:
            raise write_failed(self.path, _OFFER, error) from error
        finally:
            os.close(descriptor)

    def _look_for(self, offer_hash: bytes, descriptor: int) -> int:
        """Return where the last whole line ends; a line cut short was never promised to anybody."""
        data = os.pread(descriptor, os.fstat(descriptor).st_size, 0)
        end = data.rfind(b"\n") + 1
        for number, line in enumerate(data[:end].splitlines(), start=1):
            if _LINE.fullmatch(line) is None:
                hint = "nothing was changed; put back a copy, or take a new identity"
                raise StorageError("offer.damaged", actual=f"{self.path}, line {number}", hint=hint)
            if line[:64] == offer_hash.hex().encode("ascii"):
                hint = "ask the other seat for a new offer"
                raise StorageError("offer.accepted-before", actual=offer_hash, hint=hint)
        return end


def _make_folders(folder: Path) -> None:
    """Make the folder and those above it that are missing, each for its owner alone."""
    missing = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for made in reversed(missing):
        try:
            made.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise inaccessible(made, _KIND, error) from error


def _read(path: Path) -> bytes:
    descriptor = open_private(path, _KIND, secret=True)
    try:
        return os.read(descriptor, _MAX_BYTES)
    except OSError as error:
        raise inaccessible(path, _KIND, error) from error
    finally:
        os.close(descriptor)
