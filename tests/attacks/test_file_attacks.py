"""Attacks through the names and kinds of files: another's file written, a secret read, a process that hangs."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dealerless.errors import CODES, StorageError, UsageError
from dealerless.journal.identity import AcceptedOffers, create_identity, load_identity
from dealerless.journal.journal import Journal
from dealerless.journal.secrets import SecretsFile

CREATE: dict[str, Callable[[Path], object]] = {
    "journal": lambda path: Journal.create(path).close(),
    "secrets": lambda path: SecretsFile.create(path).close(),
    "identity": lambda path: create_identity(path, None),
}
OPEN: dict[str, Callable[[Path], object]] = {
    "journal": lambda path: Journal.open(path).close(),
    "secrets": lambda path: SecretsFile.open(path).close(),
    "identity": lambda path: load_identity(path, None),
    "offer": lambda path: AcceptedOffers(path).remember(bytes(32), 1),
}
KINDS = ("file", "link to a file", "link to nothing", "folder", "pipe")


def put(path: Path, kind: str) -> Path:
    """Put something of this kind at `path`; return the file that an attacker wants to be written."""
    target = path.with_name("victim")
    target.write_bytes(b"a file of somebody else")
    target.chmod(0o600)
    if kind == "file":
        path.write_bytes(target.read_bytes())
    elif kind == "link to a file":
        path.symlink_to(target)
    elif kind == "link to nothing":
        path.symlink_to(path.with_name("nothing"))
    elif kind == "folder":
        path.mkdir()
    else:
        os.mkfifo(path, 0o600)
    return target


def code(call: Callable[[Path], object], path: Path) -> str:
    with pytest.raises(StorageError) as caught:
        call(path)
    assert caught.value.hint
    return caught.value.code


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("layer", list(CREATE))
def test_f04_nothing_that_is_there_is_overwritten(tmp_path: Path, layer: str, kind: str) -> None:
    """F04: not the file of that name, and not what a link of that name points to."""
    path = tmp_path / "mine"
    victim = put(path, kind)
    assert code(CREATE[layer], path) == f"{layer}.exists"
    assert victim.read_bytes() == b"a file of somebody else"
    assert not path.with_name("nothing").exists()
    assert sorted(child.name for child in tmp_path.iterdir()) == ["mine", "victim"]


@pytest.mark.parametrize("kind", KINDS[1:])
@pytest.mark.parametrize("layer", list(OPEN))
@pytest.mark.timeout(20)
def test_f04_only_regular_files_are_opened(tmp_path: Path, layer: str, kind: str) -> None:
    """F04, F14: a link may point anywhere, and opening a pipe waits for ever for its other end."""
    path = tmp_path / "mine"
    victim = put(path, kind)
    assert code(OPEN[layer], path) == f"{layer}.not-a-file"
    assert victim.read_bytes() == b"a file of somebody else"
    assert not path.with_name("nothing").exists()


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full", "/dev/null"])
@pytest.mark.parametrize("layer", list(OPEN))
@pytest.mark.timeout(20)
def test_f14_a_device_is_no_file(layer: str, device: str) -> None:
    """F14: /dev/zero has no end, and /dev/null forgets."""
    assert code(OPEN[layer], Path(device)) == f"{layer}.not-a-file"


@pytest.mark.parametrize("name", ["a\0b", "\0"])
@pytest.mark.parametrize("layer", list(OPEN))
def test_f03_a_name_with_a_zero_byte_is_a_usage_error(tmp_path: Path, layer: str, name: str) -> None:
    with pytest.raises(UsageError):
        OPEN[layer](tmp_path / name)
    if layer in CREATE:
        with pytest.raises(UsageError):
            CREATE[layer](tmp_path / name)


@pytest.mark.parametrize("layer", list(OPEN))
def test_f03_a_name_that_is_too_long_is_a_typed_error(tmp_path: Path, layer: str) -> None:
    path = tmp_path / ("x" * 300)
    assert code(OPEN[layer], path) == f"{layer}.inaccessible"
    if layer in CREATE:
        assert code(CREATE[layer], path) == f"{layer}.inaccessible"


@pytest.mark.parametrize("layer", ["journal", "secrets"])
def test_a_folder_that_is_missing_is_a_typed_error(tmp_path: Path, layer: str) -> None:
    (tmp_path / "file").touch()
    for folder in ("none", "file"):
        with pytest.raises(StorageError, match=rf"{layer}\.inaccessible") as raised:
            CREATE[layer](tmp_path / folder / "mine")
        assert raised.value.hint == "there is no such folder"
    assert code(OPEN[layer], tmp_path / "none" / "mine") == f"{layer}.missing"


@pytest.mark.parametrize("layer", list(CREATE))
def test_f09_every_file_is_private_from_its_first_moment(
    tmp_path: Path, layer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F09: made with mode 0600, never made readable first and closed later."""
    modes: list[int] = []
    real = os.open

    def watched(path: str, flags: int, mode: int = 0o777, **more: int) -> int:
        descriptor = real(path, flags, mode, **more)
        status = os.fstat(descriptor)
        if stat.S_ISREG(status.st_mode):
            modes.append(stat.S_IMODE(status.st_mode))
        return descriptor

    before = os.umask(0)
    try:
        with monkeypatch.context() as patched:
            patched.setattr(os, "open", watched)
            CREATE[layer](tmp_path / "mine")
    finally:
        os.umask(before)
    assert modes == [0o600]
    assert stat.S_IMODE((tmp_path / "mine").stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o622])
def test_f09_secrets_that_others_can_reach_are_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "mine"
    SecretsFile.create(path).close()
    path.chmod(mode)
    assert code(OPEN["secrets"], path) == "secrets.open-to-others"
    path.chmod(0o600)
    SecretsFile.open(path).close()


LEFT = """
import os, sys
from dealerless.journal.identity import create_identity
from dealerless.journal.secrets import SecretsFile
marker = b"MARKER-MARKER-MARKER-MARKER-MARK"
create_identity(sys.argv[1] + "/id", b"a passphrase", random=lambda _: marker)
with SecretsFile.create(sys.argv[1] + "/seeds", random=lambda _: marker) as file:
    file.seed(1, "hole")
    file.seed(2, "hole")
"""


def test_g09_g10_secrets_stand_in_their_own_file_and_nowhere_else(tmp_path: Path) -> None:
    """G09, G10: not in a traceback, not in a temporary file, and the identity's only encrypted."""
    home = tmp_path / "home"
    home.mkdir()
    environment = {**os.environ, "HOME": str(home), "TMPDIR": str(home), "XDG_CACHE_HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-c", LEFT, str(tmp_path)], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 1
    assert "secrets.repeated" in done.stderr
    marker = b"MARKER-MARKER-MARKER-MARKER-MARK"
    for shown in (done.stdout, done.stderr):
        assert marker.hex() not in shown
        assert marker.decode() not in shown.replace(LEFT, "")
    assert list(home.iterdir()) == []
    holding = [file.name for file in tmp_path.iterdir() if file.is_file() and marker in file.read_bytes()]
    assert holding == ["seeds"]


def test_every_code_of_this_layer_is_in_the_table() -> None:
    """The codes are put together from a layer and a defect; each that can arise has its row."""
    for layer in ("journal", "secrets", "identity", "offer"):
        for defect in ("not-a-file", "inaccessible", "write-failed"):
            assert f"{layer}.{defect}" in CODES
    for layer in ("journal", "secrets", "identity"):
        assert {f"{layer}.exists", f"{layer}.missing"} <= set(CODES)
    for layer in ("journal", "secrets"):
        assert {f"{layer}.locked", f"{layer}.damaged"} <= set(CODES)
    for layer in ("secrets", "identity", "offer"):
        assert f"{layer}.open-to-others" in CODES
