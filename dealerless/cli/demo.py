"""`dealerless demo`: a match between processes that share nothing, and one more that judges it.

Each player has a home folder and an identity of its own, an environment with nothing in it but that folder's
name, and the other's public key; they meet over TLS on this machine and nowhere else. The judge gets the
transcript and nothing besides.
"""

from __future__ import annotations

import json
import queue
import secrets
import subprocess
import threading
import time
from collections import deque
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from ..errors import TransportError
from ..journal.notes import beside, check_free
from ..net.offers import Proposal
from ..players.computer import LEVELS
from ..players.staging import Story
from ..protocol.deckdeal import DECK
from ..protocol.state import HandRecord
from ..referee import Verdict, replay
from ..report.digests import shell
from ..report.document import encode
from ..report.escape import printable
from ..report.text import hand_lines, verdict_lines
from ..report.view import view
from .audit import STATUSES
from .cheats import StoryName, Telling, check, document, lines, list_cheats, list_unprovable
from .company import MATCH, Company, company, failed, gather
from .output import check_new, write_new
from .source import label
from .status import Status
from .terms import TERMS, in_words, spelled, take_terms, terms_options, terms_words
from .values import File

_PATIENCE: Final = 180
"""Seconds one player of the demo waits for the others: nine on one machine that has other work are slow together."""

_LISTENING: Final = "listening on "

_HANDS: Final = 3
"""Hands of a match if nothing else is said."""


@click.command(
    epilog="Example: dealerless demo --hands 5 --suite md5. Six at draw: dealerless demo --game draw --players 6"
)
@terms_options("--players", hands=_HANDS)
@click.option("--cheat", "story", type=StoryName(), help="Watch one player cheat instead, and what comes of it.")
@click.option("--list-cheats", "cheats", is_flag=True, help="List the cheats that are convicted.")
@click.option("--list-unprovable", "unprovable", is_flag=True, help="List those for which nobody can be blamed.")
@click.option("--bot", type=click.Choice(LEVELS), default=LEVELS[0], show_default=True, help="How well they play.")
@click.option(
    "--out",
    type=File(),
    metavar="FILE",
    help="Keep the transcript there, and why each player moved as it did in FILE.notes.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def demo(
    story: Story | None, cheats: bool, unprovable: bool, bot: str, out: Path | None, as_json: bool, **said: Any
) -> Status:
    """Watch computer players, each a process of its own, play a match; one more process judges it.

    The players share no file and no environment variable and speak over TLS on this machine only. The judge
    gets the transcript and nothing else. With --deal hash the lines are printed with which anybody can redo the cards
    of one hand: of those with the most hole cards shown, the last.

    With --cheat a match is played in memory in which one side cheats in that way; a process of its own judges
    what the honest side is left with, and the exit status is the one that audit has for that file.
    """
    if out is not None:
        check_new(out)
        check_free(beside(out))
    if story is not None or cheats or unprovable:
        return _gallery(story, out, cheats=cheats, unprovable=unprovable, as_json=as_json)
    proposal = take_terms(said, hands=_HANDS)
    progress = _Progress()
    with company("dealerless-demo-") as others:
        names = ["host", "guest"] if proposal.seats == 2 else ["host", *[f"guest{n}" for n in range(1, proposal.seats)]]
        homes = [others.home(name) for name in names]
        progress.say(f"{'two' if len(homes) == 2 else len(homes)} players make their identities")
        keys = _make_keys(others, homes)
        progress.say(f"they play {in_words(proposal)}")
        data = _play(others, homes, keys, proposal, bot, progress)
        if out is not None:
            write_new(out, data)
            _keep_notes(homes, out, data)
        progress.say("one more process judges the transcript")
        judged = _judge(others, data)
    records: list[HandRecord] = []
    verdict = replay(data, on_hand=records.append)
    _compare(judged, verdict)
    if as_json:
        click.echo(encode(judged))
    else:
        _tell(verdict, records, proposal.suite, out)
    return STATUSES[verdict.outcome]


def _gallery(story: Story | None, out: Path | None, *, cheats: bool, unprovable: bool, as_json: bool) -> Status:
    """Print a list of the cheat gallery, or play one of its stories and have it judged."""
    _check_alone([story is not None, cheats, unprovable])
    if story is None:
        (list_cheats if cheats else list_unprovable)(as_json=as_json)
        return Status.CLEAN
    progress = _Progress()
    progress.say(f"one player cheats: {story.name}")
    played = story.play(secrets.token_bytes)
    if out is not None:
        write_new(out, played.transcript)
    progress.say("a process of its own judges what the honest one is left with")
    with company("dealerless-demo-") as others:
        judged = _judge(others, played.transcript)
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
    terms = [name for name in (*TERMS, "bot") if context.get_parameter_source(name) is not ParameterSource.DEFAULT]
    if sum(chosen) > 1:
        raise click.UsageError("--cheat, --list-cheats and --list-unprovable are for one at a time")
    if terms:
        option = spelled("players" if terms[0] == "seats" else terms[0])
        raise click.UsageError(f"{option} is for a match by the rules; the cheats have terms of their own")


def _compare(judged: Any, verdict: Verdict) -> None:
    """Return if the judge's verdict is ours, as far as one looks."""
    if judged["head"] != (verdict.head or b"").hex() or judged["outcome"] != verdict.outcome.value:
        raise RuntimeError("the judge's verdict is not ours")


class _Progress:
    """Says on the standard error what is going on."""

    def say(self, text: str) -> None:
        click.echo(f"demo: {text}", err=True)


def _make_keys(others: Company, homes: list[Path]) -> list[str]:
    processes = [(others.start(home, "keygen", "--json"), home) for home in homes]
    return [str(json.loads(others.finish(process, home, "keygen"))["key"]) for process, home in processes]


def _keep_notes(homes: list[Path], out: Path, data: bytes) -> None:
    """Keep every player's reasons beside the transcript: the match is over, and nobody here has another one."""
    verdict = replay(data)
    if verdict.session is not None:
        gather(homes, beside(out), verdict.session, len(verdict.hands))


def _play(
    others: Company, homes: list[Path], keys: list[str], proposal: Proposal, bot: str, progress: _Progress
) -> bytes:
    """Return the transcript of a match between as many processes as there are homes."""
    shared = ["--bot", bot, "--yes", "--json", "--end-with-input", "--wait", str(_PATIENCE), "--out", MATCH]
    kept = [word for key in keys[1:] for word in ("--expect", key)]
    words = [*terms_words(proposal), "--listen", "127.0.0.1:0", *kept, *shared]
    listening = _Listening(others.start(homes[0], "host", *words, watched=True), progress)
    address = listening.address()
    allow = ["--allow-md5"] if proposal.suite == "md5" else []
    guests = [
        (others.start(home, "join", address, "--pin", keys[0], "--name", home.name, *allow, *shared), home)
        for home in homes[1:]
    ]
    for process, home in guests:
        others.finish(process, home, home.name)
    listening.finish()
    transcripts = [(home / MATCH).read_bytes() for home in homes]
    if len(set(transcripts)) > 1:
        raise RuntimeError("two copies of one match differ")
    all_of_them = "both" if len(homes) == 2 else f"all {len(homes)}"
    progress.say(f"{all_of_them} have the same transcript, byte for byte")
    return transcripts[0]


class _Listening:
    """Reads all that a host says, so that it never has to wait for a reader: where it listens, and how far it is."""

    def __init__(self, host: subprocess.Popen[bytes], progress: _Progress) -> None:
        self._host = host
        self._progress = progress
        self._address: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._said: deque[str] = deque(maxlen=5)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def address(self) -> str:
        """Return where the host listens; raises TransportError if it ends before it does."""
        address = self._address.get()
        if not address:
            self.finish()
            raise TransportError("transport.cannot-listen", actual="the demo's host")
        return address

    def finish(self) -> None:
        """Return once the host has ended well; raises TransportError if it did not."""
        self._thread.join()
        if self._host.wait():
            raise failed(self._host, "the host", "\n".join(self._said).encode())

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


def _judge(others: Company, data: bytes) -> Any:
    """Return what a process that gets the transcript and nothing else says of it."""
    home = others.home("judge")
    (home / "transcript.dlt").write_bytes(data)
    process = others.start(home, "audit", "transcript.dlt", "--json")
    process.wait()
    printed = others.printed(home)
    if not printed:
        others.finish(process, home, "the judge")
    return json.loads(printed)


def _tell(verdict: Verdict, hands: list[HandRecord], suite: str, out: Path | None) -> None:
    """Print hands, verdict, and how to redo the cards of a hand, or where their proofs are told."""
    for hand in hands:
        for line in hand_lines(hand):
            click.echo(line)
        click.echo()
    for line in verdict_lines(view(verdict), label("transcript.dlt" if out is None else str(out))):
        click.echo(line)
    dealt = [hand for hand in hands if hand.digests]
    if dealt:
        # Of those with the most hole cards shown, since there is more to redo, the last.
        hand = max(dealt, key=lambda hand: (len(hand.digests), hand.number))
        click.echo()
        click.echo(f"Redo the cards of hand {hand.number} yourself; a digest's first digits are the cards:")
        for what, text, digest in hand.digests:
            click.echo(f"  {what}: {digest}")
            click.echo(f"    {shell(text, suite)}")
    elif verdict.dealing == DECK.name:
        click.echo()
        name = "transcript.dlt" if out is None else printable(str(out))
        click.echo(f"How each card came to be open, and who proved what: dealerless show --explain {name}")
        if out is None:
            click.echo("The transcript is kept with --out FILE.")
    if out is not None:
        click.echo(f"Why each player moved as it did: dealerless show {printable(str(out))} --reasons")
