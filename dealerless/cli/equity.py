"""`dealerless equity`: how likely one Hold'em hand is to beat another, counted exactly."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

import click

from ..errors import UsageError, plain
from ..games.cards import Card, cards_text, read_cards
from ..games.equity import BOARDS_AFTER_FLOP, Equity, Tally, equity, flop_counts
from ..games.ranking import CLASSES
from .source import guarded

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_STDIN: Final = "-"

_CHUNK: Final = 1 << 20
"""How many bytes are read at once."""


@click.command(
    name="equity",
    epilog="Examples: dealerless equity 'SA HA' 'D2 C3' 'H4 S5 DA' --detail; dealerless equity < deals.txt",
)
@click.argument("values", nargs=-1, metavar="[FILE | FIRST SECOND [BOARD]]")
@click.option("--detail", is_flag=True, help="Also print the numbers of boards won, tied and lost, by class of hand.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def equity_command(values: tuple[str, ...], detail: bool, as_json: bool) -> None:
    """Print the probability that the first of two Hold'em hands wins; a tie does not count as a win.

    A card is its suit, S, H, D or C, and its rank, A, K, Q, J, T or 9 to 2, as in SA or DT. FIRST and SECOND are two
    cards each, in quotes; BOARD is the flop, the flop and the turn, or all five cards. Without it all boards are
    counted.

    From FILE or standard input three lines a deal are read, the first player's two cards, the second's and the flop's
    three; a line with # ends the input. One number is printed for each deal. What is wrong is reported with its line,
    after the answers to the deals before it. With --json all deals are in one object, in order; --detail counts each by
    class of hand, which takes a fraction of a second a deal.
    """
    if len(values) >= 2:
        _one(values, detail=detail, as_json=as_json)
        return
    with _stream(values[0] if values else _STDIN) as stream:
        if as_json:
            _listed(stream, detail=detail)
        else:
            _many(stream, _details if detail else _numbers)


def _one(values: tuple[str, ...], *, detail: bool, as_json: bool) -> None:
    if len(values) > 3:
        raise click.UsageError("there are two hands and one board, each in quotes: 'SA HA' 'D2 C3' 'H4 S5 DA'")
    first, second, board = (read_cards(text) for text in (*values, "", "")[:3])
    outcome = equity(first, second, board)
    if as_json:
        click.echo(json.dumps(_document(first, second, board, outcome)))
        return
    click.echo(_number(outcome.share))
    if detail:
        for line in _lines(outcome):
            click.echo(line)


def _document(first: tuple[Card, ...], second: tuple[Card, ...], board: tuple[Card, ...], outcome: Equity) -> object:
    total, classes = outcome.total, {"classes": _classes(outcome)}
    return {"format": "dealerless equity 1", **_counted(first, second, board, total), **classes}


def _counted(
    first: tuple[Card, ...], second: tuple[Card, ...], board: tuple[Card, ...], total: Tally
) -> dict[str, object]:
    return {
        "first": cards_text(first),
        "second": cards_text(second),
        "board": cards_text(board),
        "boards": total.boards,
        "equity": total.win / total.boards,
        **total._asdict(),
    }


def _classes(outcome: Equity) -> list[dict[str, object]]:
    return [{"class": name, "first": one._asdict(), "second": two._asdict()} for name, one, two in _by_class(outcome)]


def _lines(outcome: Equity) -> Iterator[str]:
    total = outcome.total
    yield f"win {total.win}, tie {total.tie}, lose {total.lose} of {total.boards} boards"
    yield f"{'':22}{'first player':>27}   {'second player':>27}"
    heads = "".join(f"{word:>9}" for word in Tally._fields)
    yield f"{'class':22}{heads}   {heads}"
    for name, one, two in _by_class(outcome):
        yield f"{name:22}" + "   ".join("".join(f"{boards:9}" for boards in tally) for tally in (one, two))


def _by_class(outcome: Equity) -> list[tuple[str, Tally, Tally]]:
    """Return the classes that occur, strongest first, with the tallies of both players."""
    rows = list(zip(CLASSES, outcome.first, outcome.second, strict=True))
    return [row for row in reversed(rows) if row[1].boards or row[2].boards]


def _number(share: float) -> str:
    """Return a probability with the twenty digits of the samples; it is the nearest double to the exact one."""
    return f"{share:.20f}"


@contextmanager
def _stream(path: str) -> Iterator[BinaryIO]:
    """Give what is at `path`; a pipe is as good as a file, since it is read as it comes."""
    if path == _STDIN:
        if sys.stdin is None:
            raise click.UsageError("standard input is closed: name a file, or two hands")
        yield guarded(sys.stdin.buffer, lambda error: _unread("standard input", error))
        return
    # An empty name would be the folder that we are in.
    if not path or not Path(path).exists():
        raise click.UsageError(f"there is no file {plain(path) or 'without a name'}; of hands there must be two")
    with open(path, "rb") as file:
        yield guarded(file, lambda error: _unread(path, error))


def _unread(name: str, error: OSError) -> click.UsageError:
    return click.UsageError(f"{name} cannot be read: {(error.strerror or 'an error').lower()}")


def _many(stream: BinaryIO, answer: Callable[[npt.NDArray[np.uint8]], Iterable[str | bytes]]) -> None:
    """Print the answer to deals as soon as they are read; raises UsageError after those before what is wrong."""
    from ..games.deals import read_deals

    progress = Progress()
    text = b""
    try:
        while True:
            more = _some(stream)
            read = read_deals(text + more, line=1 + 3 * progress.deals, last=not more)
            if len(read.cards):
                for piece in answer(read.cards):
                    click.echo(piece, nl=False)
            progress.add(len(read.cards))
            text = read.rest
            if read.error is not None:
                raise read.error
            if read.ended:
                break
    finally:
        progress.clear()
    # Whoever types is not asked for more after the last line.
    if text or (not stream.isatty() and _some(stream)):
        raise UsageError("deals.after-end", actual=f"more after line {1 + 3 * progress.deals}")


def _numbers(cards: npt.NDArray[np.uint8]) -> tuple[bytes]:
    """Return a line for each deal, all in one piece: there may be many."""
    wins, _ = flop_counts(cards)
    return (_number_lines()[wins].tobytes(),)


@cache
def _number_lines() -> npt.NDArray[np.bytes_]:
    """Return by the number of boards won what is printed of it."""
    import numpy as np

    return np.array([_number(wins / BOARDS_AFTER_FLOP) + "\n" for wins in range(BOARDS_AFTER_FLOP + 1)], np.bytes_)


def _details(cards: npt.NDArray[np.uint8]) -> Iterator[str]:
    """Yield the lines that each deal has by itself, as soon as it is counted."""
    for first, second, board in _hands(cards):
        outcome = equity(first, second, board)
        yield "".join([f"{line}\n" for line in (_number(outcome.share), *_lines(outcome))])


def _listed(stream: BinaryIO, *, detail: bool) -> None:
    """Print one object with all deals in order; it is whole, with those before it, also when something is wrong."""
    between = ""

    def items(cards: npt.NDArray[np.uint8]) -> Iterator[str]:
        nonlocal between
        for item in _items(cards, detail=detail):
            yield between + json.dumps(item)
            between = ", "

    click.echo('{"format": "dealerless equity deals 1", "deals": [', nl=False)
    try:
        _many(stream, items)
    finally:
        click.echo("]}")


def _items(cards: npt.NDArray[np.uint8], *, detail: bool) -> Iterator[dict[str, object]]:
    wins, ties = flop_counts(cards)
    for hands, win, tie in zip(_hands(cards), wins.tolist(), ties.tolist(), strict=True):
        item = _counted(*hands, Tally(win, tie, BOARDS_AFTER_FLOP - win - tie))
        yield {**item, "classes": _classes(equity(*hands))} if detail else item


def _hands(cards: npt.NDArray[np.uint8]) -> Iterator[tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]]:
    """Yield of each deal both hands and the flop."""
    for row in cards.tolist():
        yield tuple(row[:2]), tuple(row[2:4]), tuple(row[4:])


def _some(stream: BinaryIO) -> bytes:
    """Return what is there to be read, waiting only if that is nothing; empty at the end."""
    read1 = getattr(stream, "read1", stream.read)
    some: bytes = read1(_CHUNK)
    return some


class Progress:
    """How many deals were answered, told on a terminal once it takes longer than a second."""

    def __init__(self) -> None:
        self.deals = 0
        self._next = time.monotonic() + 1
        self._shown = 0

    def add(self, deals: int) -> None:
        """Count, and say how many there are now, twice a second."""
        self.deals += deals
        now = time.monotonic()
        if now >= self._next and sys.stderr is not None and sys.stderr.isatty():
            self._next = now + 0.5
            self._show(f"{self.deals:,} deals")

    def clear(self) -> None:
        """Take away what was said."""
        if self._shown:
            self._show("")

    def _show(self, text: str) -> None:
        click.echo("\r" + text.ljust(self._shown) + ("" if text else "\r"), err=True, nl=False)
        self._shown = len(text)
