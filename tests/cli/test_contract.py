"""The command line contract: statuses, one JSON object, `error:` and `hint:` lines, and no traceback ever."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from dealerless.cli import main as command_line
from dealerless.cli.main import COMMANDS, Row, main
from dealerless.cli.status import Status, status_of
from dealerless.errors import DecodeError, StorageError, Unattributed, UsageError, Violation
from tests.cli.conftest import Files
from tests.cli.running import invoke, run

SESSION = "ab" * 32
SEED = "cd" * 32


def test_the_list_of_commands_imports_none_of_them() -> None:
    code = (
        "import sys\nfrom dealerless.cli.main import main\nmain(['--help'])\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('numpy', 'msgpack', 'cryptography') "
        "or name.startswith(('dealerless.protocol', 'dealerless.games', 'dealerless.referee'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    for name in COMMANDS:
        assert name in done.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example_and_a_line_in_the_list(name: str) -> None:
    status, out, err = invoke(name, "--help")
    assert (status, err) == (0, "")
    assert f"Usage: dealerless {name}" in out
    assert "Example" in out
    assert COMMANDS[name].summary.endswith(".")
    assert max(map(len, out.splitlines())) <= 100


@pytest.mark.parametrize(
    "args",
    [
        (),
        ("no-such-command",),
        ("audit",),
        ("audit", "--no-such-option", "x"),
        ("rank",),
        ("rules", "chess"),
        ("show", "a", "b"),
        ("verify-hand", "--hand", "1"),
    ],
)
def test_misuse_is_status_2_with_a_hint_and_nothing_on_stdout(args: tuple[str, ...]) -> None:
    status, out, err = invoke(*args)
    assert status == Status.USAGE
    if args:
        assert out == ""
        lines = err.splitlines()
        assert lines[0].startswith("error: ")
        assert lines[1].startswith("hint: ")
        assert len(lines) == 2


@pytest.mark.parametrize(
    ("name", "status", "heading"),
    [
        ("clean", 0, "OK: "),
        ("fault", 1, "FAULT: "),
        ("incomplete", 3, "INCOMPLETE: "),
        ("damaged", 3, "INCOMPLETE: "),
        ("empty", 3, "INCOMPLETE: "),
        ("junk", 4, "UNREADABLE: "),
    ],
)
def test_the_status_is_the_verdict(files: Files, name: str, status: int, heading: str) -> None:
    """VERDICT-1: the outcome is the first line and the exit status, also through a pipe and from `show`."""
    path = files.by_name()[name]
    got, out, err = invoke("audit", str(path))
    assert (got, err) == (status, "")
    assert out.startswith(heading)
    piped = run("audit", "-", stdin=path.read_bytes())
    assert (piped.status, piped.err) == (status, "")
    assert piped.out == out.replace(str(path), "standard input")
    assert invoke("show", str(path))[0] == status
    got, shown, _ = invoke("show", "--json", "--explain", str(path))
    assert got == status
    assert json.loads(shown)["verdict"] == json.loads(invoke("audit", "--json", str(path))[1])


@pytest.mark.parametrize(
    ("names", "status"),
    [
        (("clean", "clean"), 0),
        (("clean", "incomplete"), 3),
        (("incomplete", "junk", "clean"), 4),
        (("junk", "fault", "incomplete"), 1),
    ],
)
def test_of_several_files_the_gravest_status_and_one_object(files: Files, names: tuple[str, ...], status: int) -> None:
    paths = [str(files.by_name()[name]) for name in names]
    got, out, _ = invoke("audit", "--json", *paths)
    assert got == status
    verdicts = json.loads(out)["verdicts"]
    assert [verdict["outcome"] for verdict in verdicts] == [{"junk": "unreadable"}.get(name, name) for name in names]
    assert len(out.splitlines()) == 1
    got, out, _ = invoke("audit", *paths)
    assert got == status
    assert [path for path in paths if path in out] == paths


def test_a_missing_file_among_several_gives_no_verdict_at_all(files: Files, tmp_path: Path) -> None:
    status, out, err = invoke("audit", "--json", str(files.clean), str(tmp_path / "none"))
    assert (status, out) == (2, "")
    assert "transcript.missing" in err


def test_a_mistake_of_ours_is_status_70_blames_nobody_and_shows_no_traceback(
    monkeypatch: pytest.MonkeyPatch, files: Files
) -> None:
    """VERDICT-1: an exception in our own code is no verdict."""

    def broken(*args: object, **kwargs: object) -> None:
        raise KeyError("a secret")

    monkeypatch.setattr("dealerless.cli.audit.replay", broken)
    status, out, err = invoke("audit", str(files.clean))
    assert (status, out) == (Status.BUG, "")
    assert "blame none" in err
    assert "KeyError" in err
    assert "Traceback" not in err
    assert "a secret" not in err


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (KeyboardInterrupt(), Status.INTERRUPTED),
        (EOFError(), Status.USAGE),
        (click.ClickException("bad"), Status.USAGE),
        (ConnectionResetError(104, "reset"), Status.TRANSPORT),
        (TimeoutError(), Status.TRANSPORT),
        (PermissionError(13, "Permission denied", "/a\x1bb"), Status.USAGE),
        (BrokenPipeError(32, "Broken pipe"), Status.CLOSED),
        (UsageError("usage.bad-value"), Status.USAGE),
        (StorageError("journal.locked"), Status.USAGE),
        (StorageError("journal.damaged"), Status.UNREADABLE),
        (Violation("terms.seats"), Status.USAGE),
        (Violation("bet.over-stack"), Status.FAULT),
        (DecodeError("encoding.malformed"), Status.TRANSPORT),
        (Unattributed("record.bad-signature"), Status.TRANSPORT),
        (RecursionError(), Status.BUG),
        (MemoryError(), Status.BUG),
    ],
)
def test_every_kind_of_exception_has_its_status(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int
) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise error

    monkeypatch.setattr("dealerless.cli.rank.parse_digits", fail)
    got, out, err = invoke("rank", "01234")
    assert (got, out) == (status, "")
    assert "Traceback" not in err
    assert "\x1b" not in err
    if not isinstance(error, BrokenPipeError):
        assert "error: " in err
    else:
        assert err == ""


def test_the_statuses_are_those_of_the_contract() -> None:
    assert {status.name: int(status) for status in Status} == {
        "CLEAN": 0,
        "FAULT": 1,
        "USAGE": 2,
        "INCOMPLETE": 3,
        "UNREADABLE": 4,
        "TRANSPORT": 5,
        "BUG": 70,
        "INTERRUPTED": 130,
        "CLOSED": 141,
    }
    assert status_of(UsageError("usage.wrong-state")) is Status.USAGE


def test_a_command_that_returns_nothing_is_status_0(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, "quiet", Row(target="tests.cli.test_contract:quiet", summary="Nothing."))
    assert command_line.cli.list_commands(click.Context(command_line.cli))[-1] == "quiet"
    assert main(["quiet"]) == 0


@click.command()
def quiet() -> None:
    """Do nothing."""


def test_the_version_is_the_packages() -> None:
    from dealerless import __version__

    assert invoke("--version") == (0, f"dealerless {__version__}\n", "")


def test_shell_completion_knows_the_commands() -> None:
    done = run("", env={"_DEALERLESS_COMPLETE": "bash_complete", "COMP_WORDS": "dealerless ver", "COMP_CWORD": "1"})
    assert (done.status, done.out) == (0, "plain,verify-hand\n")


@pytest.mark.parametrize("variable", ["NO_COLOR", "FORCE_COLOR"])
def test_no_command_writes_a_control_sequence_of_its_own(files: Files, variable: str) -> None:
    for command in (("audit", str(files.fault)), ("show", str(files.fault))):
        done = run(*command, env={variable: "1"})
        assert not [character for character in done.out + done.err if character < " " and character != "\n"]


def _spoilt(name: str) -> Callable[[], object]:
    """Return what a child does to its own standard streams before it becomes the command."""

    def closed() -> None:
        os.close(1)

    def full() -> None:
        os.dup2(os.open("/dev/full", os.O_WRONLY), 1)

    def broken() -> None:
        read, write = os.pipe()
        os.close(read)
        os.dup2(write, 1)

    return {"closed": closed, "full": full, "broken": broken}[name]


@pytest.mark.parametrize(
    ("how", "status"),
    [("closed", 0), ("full", Status.TRANSPORT), ("broken", Status.CLOSED)],
)
@pytest.mark.parametrize("command", ["audit --json", "show", "--help"])
def test_F10_output_that_goes_nowhere_is_no_traceback_and_no_verdict(
    files: Files, how: str, status: int, command: str
) -> None:
    """F10: a closed output keeps the status; a full one is none of the verdicts, and nor is one that nobody reads."""
    args = command.split() + ([] if command == "--help" else [str(files.clean)])
    done = subprocess.run(
        [sys.executable, "-m", "dealerless", *args],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=_spoilt(how),
        text=True,
        check=False,
    )
    assert done.returncode == status
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    if how == "full":
        assert done.stderr == "error: the output could not be written: no space left on device\n"
    else:
        assert done.stderr == ""


@pytest.mark.parametrize(
    ("args", "status"), [("rank x", Status.USAGE), ("audit fault", Status.FAULT), ("audit clean clean", Status.CLEAN)]
)
def test_F10_a_full_standard_error_keeps_the_status(files: Files, args: str, status: int) -> None:
    """F10: what stderr still holds at the end of the process does not make it end with 120."""
    words = [str(files.by_name().get(word, word)) for word in args.split()]
    with open("/dev/full", "wb") as nowhere:
        done = subprocess.run(
            [sys.executable, "-m", "dealerless", *words],
            # Streams that are not buffered hold nothing at the end.
            env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
            stdout=subprocess.DEVNULL,
            stderr=nowhere,
            check=False,
        )
    assert done.returncode == status


def test_two_copies_of_one_match_are_for_compare(files: Files) -> None:
    """CHAIN-2: audit judges each copy by itself; which one counts is another question."""
    once, again = str(files.clean), str(files.clean)
    for arguments in ((once, again), ("--json", once, again)):
        status, _, err = invoke("audit", *arguments)
        assert status == 0
        assert err.startswith("hint: ")
        assert f"dealerless compare {once} {again}" in err
    assert invoke("audit", str(files.clean), str(files.junk))[2] == ""
    assert invoke("audit", str(files.clean))[2] == ""


def test_F10_errors_that_go_nowhere_keep_their_status() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "dealerless", "rank", "x"], preexec_fn=lambda: os.close(2), check=False
    )
    assert done.returncode == Status.USAGE
