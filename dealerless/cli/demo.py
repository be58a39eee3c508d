"""`dealerless demo`: a match between two processes that share nothing, and a third that judges it.

Each player has a home folder and an identity of its own, an environment with nothing in it but that folder's
name, and the other's public key; they meet over TLS on this machine and nowhere else. The judge gets the
transcript and nothing besides.
"""

from __future__ import annotations

import json
import queue
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from ..errors import StorageError, TransportError
from ..games import GAMES
from ..games.hex import HEX
from ..players.staging import Story
from ..protocol.events import MAX_HANDS
from ..protocol.opening import DEALINGS
from ..protocol.state import HandRecord
from ..referee import Verdict, replay
from ..report.document import encode
from ..report.steps import shell
from ..report.text import hand_lines, verdict_lines
from ..report.view import view
from .audit import STATUSES
from .cheats import StoryName, Telling, check, document, lines, list_cheats, list_unprovable
from .source import label
from .status import Status
from .values import Number

_PATIENCE: Final = 60
"""Seconds one player of the demo waits for the other: they are on one machine, and may be slow together."""

_LISTENING: Final = "listening on "


@click.command(epilog="Example: dealerless demo --hands 5 --suite md5")
@click.option("--game", type=click.Choice(list(GAMES)), default=HEX.name, show_default=True, help="What is played.")
@click.option(
    "--deal", type=click.Choice(list(DEALINGS)), default="hash", show_default=True, help="How the cards are dealt."
)
@click.option(
    "--suite",
    type=click.Choice(["sha256", "md5"]),
    default="sha256",
    show_default=True,
    help="The digest that the cards are made from.",
)
@click.option("--hands", type=Number(1, MAX_HANDS), default=3, show_default=True, metavar="N", help="Hands to play.")
@click.option(
    "--players",
    type=Number(2, 2),
    default=2,
    show_default=True,
    metavar="N",
    help="Players at the table.",
)
@click.option("--cheat", "story", type=StoryName(), help="Watch one player cheat instead, and what comes of it.")
@click.option("--list-cheats", "cheats", is_flag=True, help="List the cheats that are convicted.")
@click.option("--list-unprovable", "unprovable", is_flag=True, help="List those for which nobody can be blamed.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Keep the transcript there.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def demo(
    game: str,
    deal: str,
    suite: str,
    hands: int,
    players: int,
    story: Story | None,
    cheats: bool,
    unprovable: bool,
    out: Path | None,
    as_json: bool,
) -> Status:
    """Watch two automatic players, each a process of its own, play a match; a third process judges it.

    The players share no file and no environment variable and speak over TLS on this machine only. The judge
    gets the transcript and nothing else. For the last hand that was dealt, the lines are printed with which
    anybody can redo its cards.

    With --cheat a match is played in memory in which one side cheats in that way; a process of its own judges
    what the honest side is left with, and the exit status is the one that audit has for that file.
    """
    if story is not None or cheats or unprovable:
        return _gallery(story, out, cheats=cheats, unprovable=unprovable, as_json=as_json)
    progress = _Progress()
    with tempfile.TemporaryDirectory(prefix="dealerless-demo-") as folder:
        homes = [_home(Path(folder), name) for name in ("host", "guest", "judge")]
        progress.say("two players make their identities")
        keys = _make_keys(homes[:2])
        progress.say(f"they play {hands} hand{'' if hands == 1 else 's'} of {game}, suite {suite}")
        data = _play(homes, keys, ["--game", game, "--suite", suite, "--hands", str(hands)], progress)
        name = "transcript.dlt" if out is None else str(out)
        if out is not None:
            _keep(out, data)
        progress.say("a third process judges the transcript")
        judged = _judge(homes[2], data)
        records: list[HandRecord] = []
        verdict = replay(data, on_hand=records.append)
        _compare(judged, verdict)
        if as_json:
            click.echo(encode(judged))
        else:
            _tell(verdict, records, suite, label(name))
    return STATUSES[verdict.outcome]


def _gallery(story: Story | None, out: Path | None, *, cheats: bool, unprovable: bool, as_json: bool) -> Status:
    """Print a list of the cheat gallery, or play one of its stories and have it judged."""
    _check_alone([story is not None, cheats, unprovable])
    if story is None:
        (list_cheats if cheats else list_unprovable)(as_json=as_json)
        return Status.CLEAN
    progress = _Progress()
    progress.say(f"one of two players cheats: {story.name}")
    played = story.play(secrets.token_bytes)
    if out is not None:
        _keep(out, played.transcript)
    progress.say("a third process judges what the honest one is left with")
    with tempfile.TemporaryDirectory(prefix="dealerless-demo-") as folder:
        judged = _judge(_home(Path(folder), "judge"), played.transcript)
    telling = Telling()
    verdict = replay(played.transcript, on_hand=lambda hand: None, on_frame=telling.on_frame)
    _compare(judged, verdict)
    check(story, verdict)
    if as_json:
        click.echo(encode(document(story, played, judged)))
    else:
        for line in lines(story, played, verdict, telling, label("transcript.dlt" if out is None else str(out))):
            click.echo(line)
    return STATUSES[verdict.outcome]


def _check_alone(chosen: list[bool]) -> None:
    """Return if one thing is asked of the gallery and no terms are set: its stories have their own."""
    context = click.get_current_context()
    terms = [
        name
        for name in ("game", "deal", "suite", "hands", "players")
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT
    ]
    if sum(chosen) > 1:
        raise click.UsageError("--cheat, --list-cheats and --list-unprovable are for one at a time")
    if terms:
        raise click.UsageError(f"--{terms[0]} is for a match by the rules; the cheats have terms of their own")


def _compare(judged: Any, verdict: Verdict) -> None:
    """Return if the judge's verdict is ours, as far as one looks."""
    if judged["head"] != (verdict.head or b"").hex() or judged["outcome"] != verdict.outcome.value:
        raise RuntimeError("the judge's verdict is not ours")


class _Progress:
    """Says on the standard error what is going on."""

    def say(self, text: str) -> None:
        click.echo(f"demo: {text}", err=True)


def _home(folder: Path, name: str) -> Path:
    home = folder / name
    home.mkdir(mode=0o700)
    return home


def _start(home: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """Return a process of the command line that finds nothing of ours: no variable, no file, no input."""
    return subprocess.Popen(
        [sys.executable, "-m", "dealerless", *arguments],
        cwd=home,
        env={"HOME": str(home)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@contextmanager
def _running(*processes: subprocess.Popen[bytes]) -> Iterator[None]:
    """Leave no process behind, however the demo ends."""
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def _finish(process: subprocess.Popen[bytes], what: str) -> bytes:
    """Return what a process printed; raises TransportError if it failed. It ends by itself when nothing goes on."""
    printed, complaint = process.communicate()
    _check(process, what, complaint)
    return printed


def _check(process: subprocess.Popen[bytes], what: str, complaint: bytes) -> None:
    if process.returncode:
        lines = complaint.decode("utf-8", "replace").splitlines()
        reasons = [line.removeprefix("error: ") for line in lines if line.startswith("error: ")] or lines[-1:]
        raise TransportError(
            "transport.closed", actual=f"{what} ended with {process.returncode}", hint=reasons[0] if reasons else ""
        )


def _make_keys(homes: list[Path]) -> list[str]:
    processes = [_start(home, "keygen", "--json") for home in homes]
    with _running(*processes):
        return [str(json.loads(_finish(process, "keygen"))["key"]) for process in processes]


def _play(homes: list[Path], keys: list[str], terms: list[str], progress: _Progress) -> bytes:
    """Return the transcript of a match between two processes."""
    shared = ["--auto", "--yes", "--json", "--wait", str(_PATIENCE), "--out", "match.dlt"]
    host = _start(homes[0], "host", *terms, "--listen", "127.0.0.1:0", "--expect", keys[1], *shared)
    with _running(host):
        listening = _Listening(host, progress)
        address = listening.address()
        allow = ["--allow-md5"] if "md5" in terms else []
        guest = _start(homes[1], "join", address, "--pin", keys[0], *allow, *shared)
        with _running(guest):
            _finish(guest, "the guest")
            listening.finish()
    transcripts = [(home / "match.dlt").read_bytes() for home in homes[:2]]
    if transcripts[0] != transcripts[1]:
        raise RuntimeError("two copies of one match differ")
    progress.say("both have the same transcript, byte for byte")
    return transcripts[0]


class _Listening:
    """Reads all that a host says, so that it never has to wait for a reader: where it listens, and how far it is."""

    def __init__(self, host: subprocess.Popen[bytes], progress: _Progress) -> None:
        self._host = host
        self._progress = progress
        self._address: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._said: deque[str] = deque(maxlen=5)
        self._threads = [
            threading.Thread(target=self._read, daemon=True),
            threading.Thread(target=self._drain, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def address(self) -> str:
        """Return where the host listens; raises TransportError if it ends before it does."""
        address = self._address.get()
        if not address:
            self.finish()
            raise TransportError("transport.cannot-listen", actual="the demo's host")
        return address

    def finish(self) -> None:
        """Return once the host has ended well; raises TransportError if it did not."""
        for thread in self._threads:
            thread.join()
        self._host.wait()
        _check(self._host, "the host", "\n".join(self._said).encode())

    def _read(self) -> None:
        told = time.monotonic()
        for line in self._host.stderr or ():
            text = line.decode("utf-8", "replace").strip()
            self._said.append(text)
            if text.startswith(_LISTENING):
                self._address.put(text.removeprefix(_LISTENING))
            elif text.startswith("hand ") and time.monotonic() - told > 1:
                told = time.monotonic()
                self._progress.say(text.partition(":")[0])
        self._address.put("")

    def _drain(self) -> None:
        for _ in self._host.stdout or ():
            pass


def _judge(home: Path, data: bytes) -> Any:
    """Return what a process that gets the transcript and nothing else says of it."""
    (home / "transcript.dlt").write_bytes(data)
    process = _start(home, "audit", "transcript.dlt", "--json")
    with _running(process):
        printed, complaint = process.communicate()
        if not printed:
            _check(process, "the judge", complaint)
    return json.loads(printed)


def _keep(path: Path, data: bytes) -> None:
    try:
        with path.open("xb") as file:
            file.write(data)
    except FileExistsError as error:
        hint = "choose another name or move it away"
        raise StorageError("journal.exists", actual=str(path), hint=hint) from error


def _tell(verdict: Verdict, hands: list[HandRecord], suite: str, name: str) -> None:
    """Print hands, verdict, and how to redo the cards of the last hand that was shown."""
    for hand in hands:
        for line in hand_lines(hand, verdict.game or ""):
            click.echo(line)
        click.echo()
    for line in verdict_lines(view(verdict), name):
        click.echo(line)
    dealt = [hand for hand in hands if hand.digests]
    if dealt:
        # One in which hole cards were shown, if there is one: then there is more to redo.
        hand = max(dealt, key=lambda hand: (len(hand.digests), hand.number))
        click.echo()
        click.echo(f"Redo the cards of hand {hand.number} yourself; a digest's first digits are the cards:")
        for what, text, digest in hand.digests:
            click.echo(f"  {what}: {digest}")
            click.echo(f"    {shell(text, suite)}")
