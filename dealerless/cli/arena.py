"""`dealerless arena`: computer players against each other, thousands of hands, and how sure the difference is."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, nullcontext
from itertools import chain
from pathlib import Path
from types import FrameType
from typing import Any, Final

import click

from ..games import GAMES
from ..players.arena import BATCH, HANDS, UNITS, Duel, play_deals
from ..players.computer import LEVELS
from ..players.tally import FIRST_LOOK, NOTHING, Estimate, Tally, estimate, last_look, look_at
from .arenafile import ArenaFile
from .terms import take_terms, terms_options
from .values import File, Number, in_a_row, shown

_MOST: Final = 8192
"""Deals at most if nothing else is said: after so many a difference of a tenth of a bet shows at fixed limits."""

_MOST_JOBS: Final = 256

_AHEAD: Final = 2
"""Batches that wait for each process, so that none is idle while the results of others are written."""


class Levels(click.ParamType[tuple[str, ...]]):
    """Two or more levels, as `hard,medium`."""

    name = "levels"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """Return the levels; fewer than two, or a name that is none, is a usage error."""
        if isinstance(value, tuple):
            return value
        names = tuple(str(value).split(","))
        for name in names:
            if name not in LEVELS:
                self.fail(f"{shown(name)} is no level: {', '.join(LEVELS)}", param, ctx)
        if len(names) < 2:
            self.fail("one level needs another to play against, such as hard,medium", param, ctx)
        return names


@click.command(
    epilog="Examples: dealerless arena --game draw --bots hard,medium; "
    "dealerless arena --game draw --players 6 --bots medium,easy --seed 7 --state run.jsonl"
)
@click.option(
    "--bots",
    type=Levels(),
    required=True,
    metavar="A,B",
    help=f"The level that is measured, and those it plays against in the other seats: {', '.join(LEVELS)}.",
)
@terms_options("--players", hands=1)
@click.option(
    "--deals",
    type=Number(FIRST_LOOK, 10**9),
    default=_MOST,
    show_default=True,
    metavar="N",
    help=f"At most so many deals, or what is below it of {FIRST_LOOK}, {2 * FIRST_LOOK}, {4 * FIRST_LOOK}, ...",
)
@click.option("--seed", type=Number(0, 10**10 - 1), default=1, show_default=True, metavar="N", help="Of all chance.")
@click.option("--state", type=File(), metavar="FILE", help="Keep what was played; go on with it.")
@click.option("--jobs", type=Number(1, _MOST_JOBS), metavar="N", help="Processes at work; one for each core.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def arena(
    bots: tuple[str, ...],
    deals: int,
    seed: int,
    state: Path | None,
    jobs: int | None,
    as_json: bool,
    **said: Any,
) -> None:
    """Let computer players play each other, and print what the first level wins, with a 95 % interval.

    No cryptography. A deal, one order of the deck, is one hand from the opening stacks, and winnings are told per hand.
    In One Poker, where cards and lives outlive a round, it is a match of at most 50 rounds, and they are per match.

    Each deal is played as often as there are seats: the first level has each seat once, the others fill the rest.

    After 128 deals, 256, 512 and so on the result is looked at, and the run ends when the interval excludes zero. The
    intervals are wide enough for that: in 19 of 20 runs or more all that were shown hold the true value. Whoever stops
    is no less sure than who goes on, and --deals may be raised with the same --state.

    The same seed gives the same result, whatever the number of processes, and however often a run was interrupted.
    """
    duel = _duel(said, bots, seed)
    progress = Progress(duel)
    with _interrupted_once(), nullcontext(None) if state is None else ArenaFile(state, duel) as kept:
        tally, seen = _decide(duel, last_look(deals), _cores() if jobs is None else jobs, kept, progress)
    click.echo(json.dumps(_document(duel, tally, seen)) if as_json else "\n".join(_lines(duel, tally, seen)))


# How long a match is cannot be said, where there is one; and there is no digest that a card could be made of.
arena.params = [parameter for parameter in arena.params if parameter.name not in ("hands", "suite")]


def _duel(said: dict[str, Any], bots: tuple[str, ...], seed: int) -> Duel:
    """Return what is played; raises what `take_terms` raises, and click's UsageError."""
    proposal = take_terms({**said, "hands": 1, "suite": None}, hands=1)
    if proposal.game not in UNITS:
        raise click.UsageError(f"in the arena there are {', '.join(UNITS)}, not {proposal.game}")
    if len(bots) > proposal.seats:
        most = GAMES[proposal.game].seats[-1]
        more = f"say --players, at most {most}" if most > proposal.seats else f"{proposal.game} has no more"
        raise click.UsageError(f"{len(bots)} levels are more than {proposal.seats} seats; {more}")
    return Duel(
        game=proposal.game,
        dealing=proposal.dealing,
        rules=proposal.rules,
        seats=proposal.seats,
        bots=bots,
        seed=seed,
    )


def _decide(
    duel: Duel, most: int, jobs: int, kept: ArenaFile | None, progress: Progress
) -> tuple[Tally, list[Estimate]]:
    """Return the deals up to the look that excludes zero, or up to `most`, and what all looks have shown."""
    before = () if kept is None else kept.batches
    scale = duel.seats * duel.chips
    tally, seen = NOTHING, list[Estimate]()
    played = _played(duel, BATCH * len(before), most, jobs)
    try:
        for batch in chain(before, played):
            if kept is not None and tally.deals >= BATCH * len(before):
                kept.append(batch)
            tally = tally.plus(batch)
            look = look_at(tally.deals)
            progress.add(tally)
            if look is not None:
                seen.append(estimate(tally, scale, look))
                progress.look(tally, seen[-1])
                if seen[-1].decided or tally.deals >= most:
                    break
    finally:
        played.close()
        progress.clear()
    return tally, seen


# --- on all cores -------------------------------------------------------------------------------------------------


def _played(duel: Duel, first: int, most: int, jobs: int) -> Generator[Tally, None, None]:
    """Yield the batches from deal `first` on, up to `most` deals in all, in order, whoever is ready first."""
    firsts = range(first, most, BATCH)
    if jobs == 1:
        for deal in firsts:
            yield play_deals(duel, deal, BATCH)
        return
    # Processes of their own from the beginning: a copy of this one would also have copies of its files and locks.
    executor = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _begin_to_work)
    try:
        waiting: deque[Future[Tally]] = deque()
        for deal in firsts:
            with _interrupts_later():
                waiting.append(executor.submit(play_deals, duel, deal, BATCH))
            if len(waiting) >= _AHEAD * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _interrupted_once() -> Iterator[None]:
    """Let Ctrl-C end what runs here, and pay no heed to it from then on until this process has ended.

    Another one would only interrupt the tidying up, which is short, and be told as a mistake of ours.
    """

    def interrupt(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    # A process that was told not to listen, such as one in the background of a shell, goes on as it is.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is interrupt:
            signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Hold Ctrl-C back for a moment, and from processes that are begun in it until they let it through themselves."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_to_work() -> None:
    """Make this process end with the one that began it, also when that one is killed, and say nothing at Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


def _cores() -> int:
    """Return how many cores this process may use."""
    usable = getattr(os, "sched_getaffinity", None)
    return min(_MOST_JOBS, len(usable(0)) if usable is not None else os.cpu_count() or 1)


# --- what is told -------------------------------------------------------------------------------------------------


def _lines(duel: Duel, tally: Tally, seen: list[Estimate]) -> Iterator[str]:
    first, others = duel.bots[0], in_a_row(list(dict.fromkeys(duel.bots[1:])))
    last = seen[-1]
    hands = tally.deals * duel.seats
    hand, plural = ("match", "matches") if duel.game in HANDS else ("hand", "hands")
    looks = f"{len(seen)} look{'' if len(seen) == 1 else 's'}"
    yield f"{duel.game}, {duel.seats} players, {first} against {others}, seed {duel.seed}"
    yield f"{tally.deals:,} deals, each in {duel.seats} rotations: {hands:,} {plural}; {looks}"
    yield f"{first}: {last.mean:+.4f} {duel.unit} a {hand}, 95 % interval {last.low:+.4f} to {last.high:+.4f}"
    if last.decided:
        yield f"{first} is {'stronger' if last.mean > 0 else 'weaker'}"
    else:
        yield "no difference was found in so many deals"


def _document(duel: Duel, tally: Tally, seen: list[Estimate]) -> dict[str, object]:
    last, played, of_matches = seen[-1], tally.deals * duel.seats, duel.game in HANDS
    return {
        "format": "dealerless arena 1",
        **duel.fields(),
        "unit": duel.unit,
        "deals": tally.deals,
        "hands": None if of_matches else played,
        "matches": played if of_matches else None,
        "decided": last.decided,
        **last._asdict(),
        "looks": [
            {"deals": FIRST_LOOK << number, **look._asdict(), "decided": look.decided}
            for number, look in enumerate(seen)
        ],
    }


class Progress:
    """What was played so far, told on the standard error once it takes longer than a second.

    On a terminal a line is kept up to date; elsewhere there is one for each look.
    """

    def __init__(self, duel: Duel) -> None:
        self._duel = duel
        self._next = time.monotonic() + 1
        self._terminal = sys.stderr is not None and sys.stderr.isatty()
        self._long = self._shown = 0

    def add(self, tally: Tally) -> None:
        """Say how many deals there are now, at most twice a second."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + 0.5
            self._long = 1
            if self._terminal:
                self._show(f"{tally.deals:,} deals, {tally.deals * self._duel.seats:,} played")

    def look(self, tally: Tally, seen: Estimate) -> None:
        """Say what was seen."""
        if self._long:
            self.clear()
            unit = self._duel.unit
            around = f"{seen.low:+.4f} to {seen.high:+.4f}"
            hand = "match" if self._duel.game in HANDS else "hand"
            click.echo(f"{tally.deals:,} deals: {seen.mean:+.4f} {unit} a {hand}, {around}", err=True)

    def clear(self) -> None:
        """Take away what a terminal shows."""
        if self._shown:
            self._show("")

    def _show(self, text: str) -> None:
        click.echo("\r" + text.ljust(self._shown) + ("" if text else "\r"), err=True, nl=False)
        self._shown = len(text)
