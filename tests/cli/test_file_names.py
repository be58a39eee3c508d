"""Names of files as they are typed: an empty one, as of a shell's variable that is not set, is told as one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import invoke, run
from tests.matches import STRANGER

JOIN = ("join", "127.0.0.1:1", "--wait", "1", "--pin", STRANGER.public.key.hex())


@pytest.mark.parametrize(
    "arguments",
    [
        ("audit",),
        ("audit", "match.dlt", "--html"),
        ("audit", "match.dlt", "--receipts"),
        ("compare", "match.dlt"),
        ("evidence", "match.dlt", "--out"),
        ("evidence", "match.dlt", "--out", "proof.dle", "--receipts"),
        ("evidence", "--check"),
        ("show",),
        ("show", "match.dlt", "--reasons"),
        ("resume",),
        ("keygen", "--out"),
        ("keygen", "--out", "key.pem", "--passphrase-file"),
        ("demo", "--out"),
        ("play", "--out"),
        ("host", "--wait", "1", "--out"),
        ("host", "--wait", "1", "--key"),
        (*JOIN, "--out"),
        (*JOIN, "--passphrase-file"),
        ("witness", "--listen", "127.0.0.1:no", "--dir"),
        ("witness", "--listen", "127.0.0.1:no", "--dir", "board", "--key"),
        ("arena", "--bots", "easy,easy", "--state"),
    ],
)
def test_an_empty_name_is_told_as_one(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not the folder that one is in, which is what an empty path means to the system."""
    monkeypatch.chdir(tmp_path)
    status, out, err = invoke(*arguments, "")
    assert (status, out) == (2, "")
    assert "the name of a file is needed, and this is an empty text\n" in err
    assert f"hint: see: dealerless {arguments[0]} --help\n" in err
    assert list(tmp_path.iterdir()) == []


def test_an_empty_name_of_deals_is_no_folder() -> None:
    status, out, err = invoke("equity", "")
    assert (status, out) == (2, "")
    assert "there is no file without a name; of hands there must be two\n" in err


def test_the_shell_completes_names() -> None:
    """What is typed of a file is for the shell to complete, and of a folder too."""
    for words, kind in (("audit ", "file"), ("play --out ", "file"), ("witness --dir ", "dir")):
        env = {"_DEALERLESS_COMPLETE": "bash_complete", "COMP_WORDS": f"dealerless {words}"}
        env["COMP_CWORD"] = str(len(words.split()) + 1)
        assert run(env=env).out == f"{kind},\n"


def test_a_witness_keeps_its_files_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    status, _, err = invoke("witness", "--listen", "127.0.0.1:no", "--dir", str(tmp_path / "file"))
    assert (status, " is no folder\n" in err) == (2, True)
