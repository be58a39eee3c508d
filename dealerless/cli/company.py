"""Other processes of our own command line: each with a home of its own, and none of them outlives this one.

They find nothing of ours: no file, and no environment variable but the name of their home. However this process ends,
they end too: on our way out we end them, and if we are killed, their standard input ends (`--end-with-input`). One more
process does nothing but wait for that, and then takes their folder away with the keys and seeds in it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

from ..errors import TransportError
from ..journal.notes import Noted, NotesFile, beside, check_match, read_notes
from .status import Status

MATCH: Final = "match.dlt"
"""What the processes call their transcripts, each in its own home."""

ANEW: Final = "give the command again for a new match: what these processes knew has gone with them"
"""What to do where such a process has ended badly, if nobody knows better."""

_ENDING: Final = (signal.SIGTERM, signal.SIGHUP)
"""Signals that end a process at once unless it says otherwise; we have others to end first."""


class Company:
    """Processes that play with us or for us, in folders below `folder`; made by `company`."""

    def __init__(self, folder: Path, tether: int) -> None:
        self.folder: Final = folder
        self._tether = tether
        self._processes: list[subprocess.Popen[bytes]] = []

    def home(self, name: str) -> Path:
        """Return a new folder that only its owner can read."""
        home = self.folder / name
        home.mkdir(mode=0o700)
        return home

    def start(self, home: Path, *arguments: str, watched: bool = False) -> subprocess.Popen[bytes]:
        """Return a process of the command line in that home; what it prints is for `finish`.

        With `watched`, its standard error is a pipe that has to be read.
        """
        with open(_out(home), "wb") as out, open(_err(home), "wb") as err:
            process = subprocess.Popen(
                [sys.executable, "-m", "dealerless", *arguments],
                cwd=home,
                env={"HOME": str(home)},
                stdin=self._tether,
                stdout=out,
                stderr=subprocess.PIPE if watched else err,
            )
        self._processes.append(process)
        return process

    def finish(self, process: subprocess.Popen[bytes], home: Path, what: str) -> bytes:
        """Return what a process printed once it has ended; raises TransportError if it did not end well."""
        process.wait()
        if process.returncode:
            raise self.reason(process, home, what)
        return _out(home).read_bytes()

    def printed(self, home: Path) -> bytes:
        """Return what a process has printed, however it ended."""
        return _out(home).read_bytes()

    def reason(self, process: subprocess.Popen[bytes], home: Path, what: str) -> TransportError:
        """Return why a process has ended badly."""
        return failed(process, what, _err(home).read_bytes())

    def end(self) -> None:
        """End those that have not ended yet."""
        for process in self._processes:
            if process.poll() is None:
                process.kill()
        for process in self._processes:
            process.wait()
            if process.stderr is not None:
                process.stderr.close()


# Those who end at the same moment may still be writing: what comes after the folder was emptied is taken away as well.
_SWEEP: Final = """
import shutil, sys, time
sys.stdin.buffer.read()
for _ in range(50):
    shutil.rmtree(sys.argv[1], ignore_errors=True)
    try:
        open(sys.argv[1]).close()
    except FileNotFoundError:
        break
    except OSError:
        time.sleep(0.1)
"""


def _sweeper(folder: Path, tether: int) -> subprocess.Popen[bytes]:
    """Return a process that takes the folder away when this one is gone, whatever ended it.

    In a session of its own: what the terminal sends to all of us must not end it.
    """
    return subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _SWEEP, str(folder.absolute())],
        cwd="/",
        stdin=tether,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


@contextmanager
def company(prefix: str) -> Iterator[Company]:
    """Give a company in a new folder; afterwards its processes have ended and the folder is gone, on SIGTERM too."""
    with _signals_as_exits(), tempfile.TemporaryDirectory(prefix=prefix) as folder:
        # Nobody writes into this pipe. Its other end closes with us, and then the standard input of the others ends.
        tether, ours = os.pipe()
        others = Company(Path(folder), tether)
        sweeper = _sweeper(Path(folder), tether)
        try:
            yield others
        finally:
            others.end()
            os.close(tether)
            os.close(ours)
            sweeper.wait()


def gather(homes: Iterable[Path], out: Path, session: bytes, hands: int) -> bool:
    """Return whether the seats in these homes noted anything of the first `hands` hands, which is at `out` then.

    Raises StorageError `notes.exists`, `notes.inaccessible` or `notes.write-failed`.
    """
    noted: list[Noted] = []
    for home in homes:
        path = beside(home / MATCH)
        if path.exists():
            with path.open("rb") as stream:
                noted += check_match(read_notes(stream, str(path)), session, str(path))
    noted = sorted([one for one in noted if one.hand <= hands], key=lambda one: (one.hand, one.place))
    if not noted:
        return False
    with NotesFile.create(out) as file:
        for one in noted:
            file.append(session, one)
    return True


def failed(process: subprocess.Popen[bytes], what: str, complaint: bytes) -> TransportError:
    """Return that a process ended badly, with the first reason that it gave; what else it said is none."""
    lines = complaint.decode("utf-8", "replace").splitlines()
    reasons = [line for line in lines if line.startswith("error: ")]
    status = process.returncode
    ended = f"{what} was ended by signal {-status}" if status < 0 else f"{what} ended with {status}"
    if reasons:
        ended += reasons[0].replace("error", "", 1)
    return TransportError("transport.closed", actual=ended, hint=ANEW)


def end_with_input() -> None:
    """Have this process end at once when its standard input does: whoever started it is gone.

    At any moment that is no worse than losing the power: the journal is made for it (ENC-5).
    """

    def wait() -> None:
        try:
            while os.read(0, 4096):
                pass
        finally:
            os._exit(Status.TRANSPORT)

    threading.Thread(target=wait, daemon=True).start()


@contextmanager
def _signals_as_exits() -> Iterator[None]:
    """Let a signal that ends us be an exception, so that everything is cleared away; the status is the shell's."""

    def leave(number: int, frame: FrameType | None) -> None:
        # One is enough: a second one would stop us from clearing away.
        for other in _ENDING:
            signal.signal(other, signal.SIG_IGN)
        raise SystemExit(128 + number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, leave) for number in _ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _out(home: Path) -> Path:
    return home.with_name(f"{home.name}.out")


def _err(home: Path) -> Path:
    return home.with_name(f"{home.name}.err")
