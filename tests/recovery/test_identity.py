"""Identity files and the list of accepted offers (SIG-1, ENC-4)."""

import fcntl
import os
import resource
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, x25519
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.hazmat.primitives.serialization import load_pem_private_key as load_pem

from dealerless.errors import StorageError, UsageError
from dealerless.journal import identity as module
from dealerless.journal.identity import AcceptedOffers, create_identity, is_encrypted, load_identity

PASSPHRASE = b"correct horse"
OFFER = bytes(range(32))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "id.key"


def code(call: Callable[[], object]) -> str:
    with pytest.raises(StorageError) as caught:
        call()
    return caught.value.code


@pytest.mark.parametrize("passphrase", [None, PASSPHRASE, "пароль".encode()])
def test_what_was_made_is_loaded(path: Path, passphrase: bytes | None) -> None:
    key = create_identity(path, passphrase)
    again = load_identity(path, passphrase)
    assert again.public == key.public
    key.public.verify(b"a message", again.sign(b"a message"))
    assert is_encrypted(path) is (passphrase is not None)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert create_identity(path.with_name("other"), passphrase).public != key.public


def test_the_file_is_what_other_tools_read(path: Path) -> None:
    key = create_identity(path, None, random=lambda n: bytes(range(n)))
    loaded = load_pem(path.read_bytes(), None)
    assert loaded.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw) == key.public.key


def test_missing_folders_are_made_for_the_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "config" / "dealerless" / "id.key"
    create_identity(path, None)
    for folder in (path.parent, path.parent.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_made(path: Path) -> None:
    path.write_text("a file")
    assert code(lambda: create_identity(path / "below" / "id.key", None)) == "identity.inaccessible"


def test_nothing_is_overwritten(path: Path) -> None:
    create_identity(path, None)
    before = path.read_bytes()
    assert code(lambda: create_identity(path, None)) == "identity.exists"
    assert path.read_bytes() == before


def test_the_passphrase_must_fit(path: Path) -> None:
    create_identity(path, PASSPHRASE)
    for wrong in (None, b"Correct horse", b"", PASSPHRASE + b" "):
        with pytest.raises(StorageError, match=r"identity\.wrong-passphrase"):
            load_identity(path, wrong)
    open_key = path.with_name("open.key")
    create_identity(open_key, None)
    assert code(lambda: load_identity(open_key, PASSPHRASE)) == "identity.wrong-passphrase"
    with pytest.raises(UsageError):
        create_identity(path.with_name("third"), b"")
    assert not path.with_name("third").exists()


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660, 0o601])
def test_f09_a_key_that_others_can_read_is_refused(path: Path, mode: int) -> None:
    """F09: whoever read it could sign as this player."""
    create_identity(path, None)
    path.chmod(mode)
    with pytest.raises(StorageError, match=r"identity\.open-to-others") as caught:
        load_identity(path, None)
    assert "chmod 600" in caught.value.hint
    assert code(lambda: is_encrypted(path)) == "identity.open-to-others"


def other_keys() -> dict[str, bytes]:
    curve = ec.generate_private_key(ec.SECP256R1())
    exchange = x25519.X25519PrivateKey.generate()
    pkcs8 = (Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    public = exchange.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return {
        "an elliptic curve key": curve.private_bytes(*pkcs8),
        "an exchange key": exchange.private_bytes(*pkcs8),
        "a public key": public,
        "nothing": b"",
        "text": b"hello\n",
        "zeros": bytes(100_000),
        "a broken key": b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
    }


@pytest.mark.parametrize("name", list(other_keys()))
def test_another_file_is_no_identity(path: Path, name: str) -> None:
    path.write_bytes(other_keys()[name])
    path.chmod(0o600)
    assert code(lambda: load_identity(path, None)) == "identity.not-a-key"


def test_a_missing_identity(path: Path) -> None:
    assert code(lambda: load_identity(path, None)) == "identity.missing"
    assert code(lambda: is_encrypted(path)) == "identity.missing"


def test_no_room_for_a_key_leaves_no_file(path: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50, limits[1]))
    try:
        assert code(lambda: create_identity(path, None)) == "identity.write-failed"
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert not path.exists()


# --- accepted offers
# ---------------------------------------------------------------------------------------------


def test_an_offer_is_accepted_once_ever(path: Path) -> None:
    """ENC-4: two matches with one session id would let frames of one be shown as frames of the other."""
    AcceptedOffers.beside(path).remember(OFFER, 1_900_000_000)
    AcceptedOffers.beside(path).remember(bytes(32), 0)
    # A later process, and another expiry: still the same offer.
    for expiry in (1_900_000_000, 0, 2**63):
        with pytest.raises(StorageError, match=r"offer\.accepted-before"):
            AcceptedOffers.beside(path).remember(OFFER, expiry)
    file = AcceptedOffers.beside(path).path
    assert file.parent == path.parent
    assert file.read_text() == f"{OFFER.hex()} 1900000000\n{'00' * 32} 0\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_line_cut_short_was_never_promised(path: Path) -> None:
    offers = AcceptedOffers(path)
    offers.remember(bytes(32), 7)
    whole = path.read_bytes()
    torn = f"{'11' * 32} 1900000000".encode()
    for cut in range(len(torn) + 1):
        path.write_bytes(whole + torn[:cut])
        offers.remember(OFFER, 8)
        assert path.read_text() == f"{'00' * 32} 7\n{OFFER.hex()} 8\n"
        path.write_bytes(whole)


@pytest.mark.parametrize("line", [b"\n", b"00 1\n", b"A" * 64 + b" 1\n", b"0" * 64 + b" 01\n", b"0" * 64 + b" -1\n"])
def test_a_wrong_line_is_damage(path: Path, line: bytes) -> None:
    offers = AcceptedOffers(path)
    offers.remember(bytes(32), 7)
    damaged = path.read_bytes() + line + f"{'11' * 32} 7\n".encode()
    path.write_bytes(damaged)
    assert code(lambda: offers.remember(OFFER, 8)) == "offer.damaged"
    assert path.read_bytes() == damaged


def test_an_offer_that_cannot_be_written_was_not_accepted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offers = AcceptedOffers(path)
    offers.remember(bytes(32), 7)
    before = path.read_bytes()

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(module, "sync_data", fail)
        assert code(lambda: offers.remember(OFFER, 8)) == "offer.write-failed"
    assert path.read_bytes() == before
    offers.remember(OFFER, 8)


def test_the_list_is_its_owners_alone(path: Path) -> None:
    path.write_bytes(b"")
    path.chmod(0o644)
    assert code(lambda: AcceptedOffers(path).remember(OFFER, 8)) == "offer.open-to-others"


@pytest.mark.parametrize(("offer", "expiry"), [(b"", 1), (bytes(31), 1), (OFFER, -1), (OFFER, True)])
def test_only_a_hash_and_an_expiry_are_remembered(path: Path, offer: bytes, expiry: int) -> None:
    with pytest.raises(UsageError):
        AcceptedOffers(path).remember(offer, expiry)
    assert not path.exists()


def test_the_list_is_looked_at_and_written_under_one_lock(path: Path) -> None:
    offers = AcceptedOffers(path)
    offers.remember(bytes(32), 7)
    with path.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        waiting = threading.Thread(target=offers.remember, args=(OFFER, 8))
        waiting.start()
        waiting.join(0.2)
        assert waiting.is_alive()
        assert OFFER.hex() not in path.read_text()
    waiting.join(20)
    assert OFFER.hex() in path.read_text()


RACER = """
import sys
from dealerless.errors import StorageError
from dealerless.journal.identity import AcceptedOffers
sys.stdin.readline()
won = 0
for number in range(40):
    try:
        AcceptedOffers(sys.argv[1]).remember(number.to_bytes(32, "big"), 1)
        won += 1
    except StorageError as error:
        assert error.code == "offer.accepted-before", error.code
print(won)
"""


def test_two_processes_cannot_accept_one_offer_both(path: Path) -> None:
    command = [sys.executable, "-c", RACER, os.fspath(path)]
    racers = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write("\n")
        racer.stdin.flush()
    won = [int(racer.communicate(timeout=60)[0]) for racer in racers]
    assert sum(won) == 40
    assert len(path.read_bytes().splitlines()) == 40
