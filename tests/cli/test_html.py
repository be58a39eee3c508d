"""`audit --html`: the page beside the usual report, written whole or not at all, and over nothing by mistake."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dealerless.cli import output
from dealerless.cli.output import check_place, write_page
from dealerless.errors import StorageError
from tests.attacks.test_file_attacks import KINDS, put
from tests.cli.conftest import Files
from tests.cli.running import invoke, run
from tests.matches import STRANGER
from tests.report.markup import assert_inert
from tests.report.pages import told


@pytest.mark.parametrize("name", ["clean", "fault", "incomplete", "damaged", "empty", "junk"])
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_the_page_comes_beside_the_report(files: Files, tmp_path: Path, name: str, options: tuple[str, ...]) -> None:
    """VERDICT-1: status and output are those without it, and the page has the same verdict."""
    path, page = files.by_name()[name], tmp_path / "page.html"
    assert invoke("audit", *options, str(path), "--html", str(page)) == invoke("audit", *options, str(path))
    markup = assert_inert(page.read_text("utf-8"))
    assert f"Verdict on {path} " in markup.text
    assert page.read_text("utf-8") == told(path.read_bytes(), str(path))[1]
    assert [child.name for child in tmp_path.iterdir()] == ["page.html"]


def test_a_transcript_from_a_pipe_has_a_page_too(files: Files, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = run("audit", "-", "--html", str(page), stdin=files.clean.read_bytes())
    assert done.status == 0
    assert "Verdict on standard input" in assert_inert(page.read_text("utf-8")).text


@pytest.mark.parametrize("kind", KINDS)
def test_F04_nothing_that_is_there_is_overwritten(files: Files, tmp_path: Path, kind: str) -> None:
    """F04: not the file of that name, and not what a link of that name points to."""
    page = tmp_path / "page.html"
    victim = put(page, kind)
    before = sorted(child.name for child in tmp_path.iterdir())
    status, out, err = invoke("audit", str(files.clean), "--html", str(page))
    assert (status, out) == (2, "")
    assert err.splitlines()[0].endswith("[page.not-a-file]" if kind in ("folder", "pipe") else "[page.exists]")
    assert err.splitlines()[1].startswith("hint: ")
    assert victim.read_bytes() == b"a file of somebody else"
    assert sorted(child.name for child in tmp_path.iterdir()) == before


@pytest.mark.parametrize("kind", KINDS)
def test_F04_force_replaces_files_and_links_and_never_what_a_link_points_to(
    files: Files, tmp_path: Path, kind: str
) -> None:
    """F04: what stands at the name is replaced, in one step."""
    page = tmp_path / "page.html"
    victim = put(page, kind)
    status, _, err = invoke("audit", str(files.clean), "--html", str(page), "--force")
    if kind in ("folder", "pipe"):
        assert status == 2
        assert err.splitlines()[0].endswith("[page.not-a-file]")
    else:
        assert (status, err) == (0, "")
        assert not page.is_symlink()
        assert_inert(page.read_text("utf-8"))
    assert victim.read_bytes() == b"a file of somebody else"
    assert not (tmp_path / "nothing").exists()
    assert {child.name for child in tmp_path.iterdir()} == {"page.html", "victim"}


@pytest.mark.parametrize("kind", ["file", "link to a file", "link to nothing", "folder"])
def test_F04_what_comes_between_looking_and_writing_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """F04: the file is made only if there is none, whatever a look before said."""
    page = tmp_path / "page.html"
    monkeypatch.setattr(output, "check_place", lambda path, force: put(page, kind))
    with pytest.raises(StorageError) as caught:
        write_page(str(page), ["x"], force=False)
    assert caught.value.code == "page.exists"
    assert (tmp_path / "victim").read_bytes() == b"a file of somebody else"
    assert not (tmp_path / "nothing").exists()


def test_the_transcript_is_never_replaced_by_its_page(files: Files, tmp_path: Path) -> None:
    """F04: whatever the name it is given by."""
    path = tmp_path / "match.dlt"
    path.write_bytes(files.clean.read_bytes())
    (tmp_path / "again").hardlink_to(path)
    for name in ("match.dlt", "./match.dlt", "again"):
        status, out, err = invoke("audit", str(path), "--html", os.path.join(tmp_path, name), "--force")
        assert (status, out) == (2, "")
        assert "would replace the transcript" in err
    assert path.read_bytes() == files.clean.read_bytes()


@pytest.mark.parametrize(
    "args",
    [
        ("--force",),
        ("--html", "-"),
        ("--html", "page.html", "another.dlt"),
        ("--html", ""),
        ("--html", "no/such/folder/page.html"),
        ("--html", "nul\0"),
        ("--html", "x" * 300),
    ],
)
def test_misuse_is_said_before_anything_is_read(
    files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = invoke("audit", str(files.clean), *args)
    assert (status, out) == (2, "")
    assert [line.split(":")[0] for line in err.splitlines()] == ["error", "hint"]
    assert list(tmp_path.iterdir()) == []


def test_no_page_without_a_verdict(files: Files, tmp_path: Path) -> None:
    """SIG-1: a match of others than the expected ones has no verdict, and no page either."""
    page = tmp_path / "page.html"
    assert invoke("audit", str(files.clean), "--html", str(page), "--expect-key", STRANGER.public.key.hex())[0] == 2
    assert invoke("audit", str(tmp_path / "none.dlt"), "--html", str(page))[0] == 2
    assert list(tmp_path.iterdir()) == []


def pieces(error: BaseException) -> Iterator[str]:
    yield "<!doctype html>" * 10_000
    raise error


@pytest.mark.parametrize("force", [False, True])
def test_what_cannot_be_written_whole_is_not_written(tmp_path: Path, force: bool) -> None:
    """F04: a full disk or Ctrl-C leaves what was there, and no half of a page."""
    page = tmp_path / "page.html"
    if force:
        page.write_text("before")
    with pytest.raises(StorageError) as caught:
        write_page(str(page), pieces(OSError(28, "No space left on device")), force=force)
    assert (caught.value.code, caught.value.hint) == ("page.write-failed", "no space left on device")
    with pytest.raises(KeyboardInterrupt):
        write_page(str(page), pieces(KeyboardInterrupt()), force=force)
    assert [child.read_text() for child in tmp_path.iterdir()] == (["before"] if force else [])


@pytest.mark.parametrize("force", [False, True])
def test_a_page_may_be_read_by_whom_the_user_lets_read(tmp_path: Path, force: bool) -> None:
    before = os.umask(0o027)
    try:
        write_page(str(tmp_path / "page.html"), ["x"], force=force)
    finally:
        os.umask(before)
    assert (tmp_path / "page.html").stat().st_mode & 0o777 == 0o640
    check_place(str(tmp_path / "page.html"), force=True)


def test_templates_are_loaded_for_a_page_only(files: Files, tmp_path: Path) -> None:
    """An audit without a page does not wait for what makes one."""
    code = (
        "import sys\nfrom dealerless.cli.main import main\nmain(sys.argv[1:])\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('jinja2', 'markupsafe')] != [])"
    )
    loaded = []
    for more in ([], ["--html", str(tmp_path / "page.html")]):
        command = [sys.executable, "-c", code, "audit", str(files.clean), *more]
        loaded.append(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1])
    assert loaded == ["False", "True"]
