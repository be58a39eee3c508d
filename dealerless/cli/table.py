"""What host, join and resume share: files, player, screen, and what is said and done at the end."""

from __future__ import annotations

import asyncio
import datetime
import os
import secrets
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from ..crypto.ed25519 import SigningKey
from ..errors import DealerlessError, StorageError, TransportError
from ..games import GAMES
from ..journal.identity import AcceptedOffers
from ..journal.journal import Journal
from ..journal.notes import Noted, NotesFile, beside, check_free
from ..journal.secrets import SecretsFile
from ..net.seating import Ending, Sitting, WitnessAt
from ..players.computer import LEVELS, ComputerPlayer, Note
from ..players.levels import computer_player
from ..players.player import Player
from ..protocol.closing import settling_order
from ..protocol.events import Offered
from ..protocol.session import Session
from ..referee import fingerprint, replay
from ..report.document import document, encode
from ..report.escape import marked, printable
from ..report.naming import naming
from ..report.view import term, winners
from .company import end_with_input
from .identity import default_identity
from .output import check_new
from .person import Person
from .screen import Screen, signed
from .status import Status
from .terminal import Terminal, complain
from .values import File, Number, Witness

Command = TypeVar("Command", bound=Callable[..., Any])

_WAIT: Final = 600
_MAX_WAIT: Final = 7 * 24 * 3600

_SHARED: Final = (
    click.option(
        "--key",
        "key_file",
        type=File(),
        metavar="FILE",
        help="Your identity, if not the usual one.",
    ),
    click.option(
        "--passphrase-file",
        type=File(),
        metavar="FILE",
        help="Read its passphrase there, in a regular file (no link, pipe or device).",
    ),
    click.option(
        "--witness",
        "witnesses",
        type=Witness(),
        multiple=True,
        metavar="ADDR,KEY",
        help="Where a witness keeps its board, and its key. Once for each witness of the match.",
    ),
    click.option(
        "--bot",
        type=click.Choice(LEVELS),
        help="Let a computer player of this level play for you; its reasons are noted in FILE.notes.",
    ),
    click.option("--auto", is_flag=True, help="Short for --bot easy."),
    click.option("--yes", is_flag=True, help="Accept the terms without being asked."),
    click.option(
        "--wait",
        type=Number(1, _MAX_WAIT),
        default=_WAIT,
        show_default=True,
        metavar="S",
        help="Seconds to wait for the other side before giving up; the match can be resumed.",
    ),
    click.option(
        "--end-with-input",
        is_flag=True,
        help="With --bot, for a program that starts this one: end when the standard input does.",
    ),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end, all else on stderr."),
)


def shared_options(command: Command) -> Command:
    """Return the command with the options that every way of sitting down has."""
    for option in reversed(_SHARED):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How somebody plays: the values of the shared options."""

    key_file: Path | None
    passphrase_file: Path | None
    witnesses: tuple[WitnessAt, ...]
    auto: bool
    yes: bool
    wait: int
    as_json: bool
    bot: str | None = None
    end_with_input: bool = False

    def __post_init__(self) -> None:
        if self.auto and self.bot not in (None, LEVELS[0]):
            raise click.UsageError(f"--auto is short for --bot {LEVELS[0]}, and --bot {self.bot} is given too")
        if self.end_with_input and self.level is None:
            raise click.UsageError("--end-with-input goes with --bot or --auto: a person's moves come from that input")

    @property
    def level(self) -> str | None:
        """The level of the computer player that plays; None for a person."""
        return LEVELS[0] if self.auto else self.bot

    @property
    def witness_words(self) -> tuple[str, ...]:
        """The options that name the witnesses, as people type them."""
        words = [("--witness", f"{witness.address},{witness.key.hex()}") for witness in self.witnesses]
        return tuple([word for pair in words for word in pair])

    @property
    def identity(self) -> Path:
        """The identity's file."""
        return default_identity() if self.key_file is None else self.key_file


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """The files of a seat in a match: the transcript, and the seeds and notes beside it.

    The seeds are in the folder `apart` if one is given.
    """

    transcript: Path
    apart: Path | None = None

    @property
    def seeds(self) -> Path:
        """The secrets file."""
        return (self.apart or self.transcript.parent) / f"{self.transcript.name}.secrets"

    @property
    def notes(self) -> Path:
        """The file of notes, which a computer seat has."""
        return beside(self.transcript)


def _prepared(player: ComputerPlayer, game: str) -> None:
    """Let a computer player build what its first decision needs."""
    # What fails here fails again when it decides, and is told then.
    with suppress(Exception):
        player.prepare(game)


def new_files(out: Path | None, apart: Path | None = None) -> Files:
    """Return names for a new match; if none is given, of the date and a number of our own. F03."""
    if out is not None:
        return Files(transcript=out, apart=apart)
    today = datetime.datetime.now().astimezone().strftime("%Y%m%d")
    return Files(transcript=Path(f"dealerless-{today}-{secrets.token_hex(4)}.dlt"), apart=apart)


class Seat:
    """One seat's files, session and player, from sitting down to getting up."""

    def __init__(
        self,
        *,
        key: SigningKey,
        name: str,
        manner: Manner,
        files: Files,
        journal: Journal,
        seeds: SecretsFile,
        notes: NotesFile | None,
        suites: tuple[str, ...],
        resumed: bool,
        notices: bool = True,
    ) -> None:
        self.again = ""
        """The command that goes on with this match, if one can; to be set before it runs."""
        self.terminal: Final = Terminal(to_stderr=manner.as_json)
        self.session: Final = Session(key, seeds, GAMES, suites)
        self._manner = manner
        self._files = files
        self._resumed = resumed
        self._notes = notes
        level = manner.level
        screen = Screen(self.terminal, self.session, notices=notices, asked=level is None)
        person = Person(self.terminal, screen.told)
        self._computer = None if level is None else computer_player(level, secrets.SystemRandom(), self._note)
        player: Player = self._computer or person
        self.sitting: Final = Sitting(
            key=key,
            name=name,
            session=self.session,
            suites=suites,
            journal=journal,
            player=player,
            consent=self._consent,
            remember=AcceptedOffers.beside(manner.identity).remember,
            observer=screen,
            patience=manner.wait,
            resumed=resumed,
            witnesses=manner.witnesses,
            leaves=lambda: person.leaving,
        )

    def run(self, match: Coroutine[Any, Any, Ending]) -> Status:
        """Play the match to its end and return the status.

        The files are left as they have to be: the transcript, if we signed anything; the seeds, as long as
        they may still be needed.
        """
        if self._manner.end_with_input:
            end_with_input()
        try:
            ending = asyncio.run(match)
        except DealerlessError as error:
            if self._clear_unsigned(declined=error.code == "transport.peer-declined"):
                raise
            if isinstance(error, TransportError) and not error.hint and self.again:
                error.hint = f"go on with: {self.again}"
            raise
        except KeyboardInterrupt:
            if not self._clear_unsigned() and self.again:
                self.terminal.note(f"hint: go on with: {self.again}")
            raise
        return self._finish(ending)

    def _note(self, note: Note) -> None:
        """Write down why our computer player decided as it did; a match goes on without it."""
        if self._notes is None:
            return
        try:
            self._notes.append(self.session.state.agreed.session, Noted(*note))
        except StorageError as error:
            self._notes = None
            self.terminal.note(f"no reasons are noted any more: {error}")

    def _consent(self, offer: Offered) -> bool:
        for line in terms_lines(offer, self.sitting.key.public.key):
            self.terminal.say(line)
        if self._computer is not None:
            # Beside the first messages, keys and shuffles, so that nobody waits for it when it is to move.
            threading.Thread(target=_prepared, args=(self._computer, offer.game)).start()
        return self._manner.yes or self.terminal.agree("Do you accept these terms?")

    def _clear_unsigned(self, *, declined: bool = False) -> bool:
        """Return whether we signed nothing, or no more than terms that were `declined`; then no files are left."""
        state, seat = self.session.state, self.session.seat
        bound = state.match is not None and seat is not None and state.last[seat] is not None and not declined
        if bound or self._resumed:
            return False
        own = [self._files.transcript, self._files.seeds] + ([self._files.notes] if self._notes is not None else [])
        for path in own:
            with suppress(OSError):
                path.unlink()
        return True

    def _finish(self, ending: Ending) -> Status:
        files, terminal = self._files, self.terminal
        state, own = self.session.state, self.session.seat
        books = state.books
        terminal.say(f"the match is over: net {signed(books.net)}" + ("" if own is None else f"; you are seat {own}"))
        if state.end_head:
            # TABLE-4, ONE-10: the net alone does not say it, where stacks were unequal from the start or somebody left.
            best = winners(state.agreed.offer.game, books.stacks, books.net, settling_order(state))
            terminal.say(f"won by {best}")
        for seat, gone in enumerate(books.gone):
            if gone == "left":
                terminal.say(f"seat {seat}{' (you)' if seat == own else ''} left before its end")
        terminal.say(f"transcript {printable(str(files.transcript))}")
        if ending.delivered or ending.fault is not None or ending.absent:
            # Nothing is left to open, and whoever found the seeds could read the cards that were never shown.
            with suppress(FileNotFoundError):
                files.seeds.unlink()
                terminal.say("the seeds beside it are deleted" if files.apart is None else "the seeds are deleted")
        elif self.again:
            terminal.note(f"the other side may lack the last messages; it can have them by: {self.again}")
        if self._manner.as_json:
            with files.transcript.open("rb") as file:
                verdict = document(replay(file))
            click.echo(encode(verdict))
        proof = f"the transcript proves it: dealerless audit {printable(str(files.transcript))}"
        if ending.fault is not None:
            complain(f"seat {ending.fault.seat} broke a rule: {ending.fault.error}", proof)
            return Status.FAULT
        if ending.absent:
            who = [f"seat {seat}" + (" (you)" if seat == own else "") for seat in ending.absent]
            complain(f"{_late_text(who)} expelled", proof)
            return Status.FAULT
        return Status.CLEAN


def open_new(
    key: SigningKey,
    name: str,
    manner: Manner,
    out: Path | None,
    suites: tuple[str, ...],
    *,
    notices: bool = True,
    apart: Path | None = None,
) -> tuple[Seat, Files]:
    """Return a seat for a new match with its new files; raises StorageError and leaves none of them then.

    `notices`: whether its screen tells of connections. `apart` is a folder for the seeds, if not beside the transcript.
    """
    files = new_files(out, apart)
    # The transcript first: it is the file that was named.
    check_new(files.transcript)
    check_free(files.notes)
    journal = Journal.create(files.transcript)
    made = [files.transcript]
    try:
        seeds = SecretsFile.create(files.seeds)
        made.append(files.seeds)
        notes = None if manner.level is None else NotesFile.create(files.notes)
    except BaseException:
        journal.close()
        for path in made:
            with suppress(OSError):
                path.unlink()
        raise
    seat = Seat(
        key=key,
        name=name,
        manner=manner,
        files=files,
        journal=journal,
        seeds=seeds,
        notes=notes,
        suites=suites,
        resumed=False,
        notices=notices,
    )
    return seat, files


def terms_lines(offer: Offered, own: bytes) -> list[str]:
    """Return an offer's terms for people, every seat with its key; names are escaped."""
    game = GAMES[offer.game]
    rules: Any = game.read_terms(offer.rules, len(offer.players))
    called = naming(offer.game)
    lines = [f"terms    {offer.game}, dealing {offer.dealing}, suite {offer.suite}, {called.hand}s {offer.hands}"]
    lines.append(
        "         " + ", ".join([" ".join(term(item.name, getattr(rules, item.name))) for item in fields(rules)])
    )
    stacks = game.opening_stacks(rules, len(offer.players))
    equal = len(set(stacks)) == 1
    risks = [f"each seat risks {stacks[0]}"] if equal else [f"seat {seat} risks {it}" for seat, it in enumerate(stacks)]
    lines.append(f"         {', '.join(risks)} {called.chips} " + ("a match" if game.carries else "a hand"))
    for seat, (key, name) in enumerate(offer.players):
        you = ", you" if key == own else ""
        lines.append(f"seat {seat}   key {key.hex()} (fingerprint {fingerprint(key)}) name {marked(name)}{you}")
    for key in offer.witnesses:
        lines.append(f"witness  key {key.hex()} (fingerprint {fingerprint(key)})")
    if offer.threshold:
        lines.append(
            f"         {offer.threshold} of {len(offer.witnesses)} witnesses decide who was too late: "
            f"{offer.move_seconds} s for a move, and a bank of {offer.bank_seconds} s for each {called.hand}"
        )
    until = datetime.datetime.fromtimestamp(offer.expires, datetime.UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    lines.append(f"         the offer ends {until}")
    return lines


def command_line(*words: str | os.PathLike[str]) -> str:
    """Return a command for people to type."""
    return printable(" ".join(["dealerless", *[os.fspath(word) for word in words]]))


def _late_text(who: list[str]) -> str:
    """Return who was too late, up to the word that says what became of them."""
    several = f"{', '.join(who[:-1])} and {who[-1]}" if len(who) > 1 else who[0]
    return f"{several} let the time run out, as the witnesses say, and {'was' if len(who) == 1 else 'were'}"
