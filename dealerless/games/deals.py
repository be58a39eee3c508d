"""Deals after the flop as text: three lines each, and a line `#` at the end (HOLDEM-4).

Text comes in pieces of any length and is read as far as it goes. Nearly all of it has one space between two cards and
nothing else, so that every deal takes 21 bytes: those are read many at a time, the others line by line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from dealerless.errors import UsageError
from dealerless.games.cards import RANKS, SUITS, Card, card_text, read_card
from dealerless.games.equitytables import Bytes, first_wrong

MAX_LINE: Final = 4096
"""How much is waited for until a line ends; what is longer is read as if it did."""

_CARDS_IN_LINE: Final = (2, 2, 3)

# Suit, rank and what follows it, seven times.
_BYTES: Final = 21
_BETWEEN: Final = np.frombuffer(b" \n \n  \n", np.uint8)

# How many deals are tried at a time: few after one that was different, in case the next ones are as well.
_FEWEST: Final = 64
_MOST: Final = 1 << 13

_NO_CARD: Final = 64
"""Of a wrong letter: also with another one added, more than any card and less than a byte."""


def _values(letters: str, step: int) -> Bytes:
    values = np.full(256, _NO_CARD, np.uint8)
    for value, letter in enumerate(letters):
        values[ord(letter)] = step * value
    return values


_SUIT_VALUES: Final = _values(SUITS, 1)
_RANK_VALUES: Final = _values(RANKS, 4)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DealsRead:
    """What was read of a text: the deals in it, and what is left.

    `cards` is an (n, 7) array, a row for each deal, as `equity.flop_counts` takes it. `rest` is the end of the text
    that more has to be added to. With `ended` the line `#` was read, and `rest` is what follows it. `error` says what
    is wrong right after the deals in `cards`.
    """

    cards: Bytes
    rest: bytes = b""
    ended: bool = False
    error: UsageError | None = None


def read_deals(text: bytes, *, line: int = 1, last: bool = True) -> DealsRead:
    """Return the deals at the beginning of `text`, whose first line is called number `line` (HOLDEM-4).

    With `last` nothing will follow, else the text may end anywhere. Every deal has three lines, so after n deals the
    next line has the number `line + 3 * n`. The errors are `UsageError` `cards.not-a-card`, `cards.duplicate`,
    `cards.count`, `deals.short` or `deals.no-end`, with the number of the line.
    """
    found: list[Bytes] = []
    place = count = 0
    width = _FEWEST
    while True:
        block = _regular(text, place, width)
        if len(block):
            found.append(block)
            place += _BYTES * len(block)
            count += len(block)
        if len(block) == width:
            width = min(2 * width, _MOST)
            continue
        width = _FEWEST
        deal: tuple[Card, ...] = ()
        after, error = -1, None
        try:
            deal, after = _deal(text, place, line + 3 * count, last)
        except UsageError as wrong:
            error = wrong
        if not deal:
            cards = np.concatenate(found) if found else np.empty((0, 7), np.uint8)
            rest = text[place if after < 0 else after :]
            return DealsRead(cards=cards, rest=rest, ended=after >= 0, error=error)
        found.append(np.array([deal], np.uint8))
        place = after
        count += 1


def _regular(text: bytes, place: int, most: int) -> Bytes:
    """Return the deals from `place` on, at most so many, as far as they take 21 bytes and nothing is wrong."""
    many = min(most, (len(text) - place) // _BYTES)
    letters = np.frombuffer(text, np.uint8, many * _BYTES, place).reshape(many, 7, 3)
    cards = _SUIT_VALUES[letters[:, :, 0]] + _RANK_VALUES[letters[:, :, 1]]
    regular = (letters[:, :, 2] == _BETWEEN).all(axis=1)
    if not regular.all():
        cards = cards[: int(regular.argmin())]
    wrong = first_wrong(cards)
    return cards if wrong is None else cards[: wrong[0]]


def _deal(text: bytes, place: int, line: int, last: bool) -> tuple[tuple[Card, ...], int]:
    """Return the deal at `place` and where it ends; no cards for `#`, and -1 if the text ends too early.

    Raises `UsageError` for whatever is wrong.
    """
    cards: list[Card] = []
    for offset, wanted in enumerate(_CARDS_IN_LINE):
        end = text.find(b"\n", place, place + MAX_LINE)
        if end < 0:
            end = min(len(text), place + MAX_LINE)
            if end < place + MAX_LINE:
                if not last:
                    return (), -1
                if end == place:
                    raise _no_end(line + offset, offset)
        words = [word for word in text[place:end].split(b" ") if word]
        place = min(end + 1, len(text))
        if words == [b"#"]:
            if offset:
                raise UsageError("deals.short", actual=f"# in line {line + offset}")
            return (), place
        _read_line(words, line + offset, wanted, cards)
    return tuple(cards), place


def _read_line(words: list[bytes], line: int, wanted: int, cards: list[Card]) -> None:
    """Add the cards of a line to those of the deal."""
    for number, word in enumerate(words, 1):
        where = f"card {number} of line {line}"
        text = word.decode("latin-1")
        try:
            card = read_card(text)
        except UsageError as error:
            hint = "lines end in a line feed alone: remove the carriage returns" if "\r" in text else error.hint
            raise UsageError(error.code, actual=f"{text[:20]}, {where}", hint=hint) from error
        if card in cards:
            raise UsageError("cards.duplicate", actual=f"{card_text(card)}, {where}")
        cards.append(card)
    if len(words) != wanted:
        hint = "" if words else "an empty line has no meaning; the last line is #"
        raise UsageError(
            "cards.count", clause="HOLDEM-4", expected=f"{wanted} in line {line}", actual=len(words), hint=hint
        )


def _no_end(line: int, lines: int) -> UsageError:
    if lines:
        hint = f"the last deal has {lines} of its 3 lines"
    elif line > 1:
        hint = "all deals before are answered"
    else:
        hint = "there is nothing in it; that line is needed without a deal, too"
    return UsageError("deals.no-end", actual=f"the end before line {line}", hint=hint)
