"""A verdict as one HTML page that stands for itself: no script, nothing fetched, the same bytes for the same verdict.

What others wrote gets into it escaped twice: as in every report (escape.py), and as HTML by the templates.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from .. import __version__
from ..errors import DealerlessError
from ..games.onepoker import ONEPOKER
from ..protocol.machine import Admitted
from ..protocol.state import HandRecord, State
from ..referee import Verdict
from .cards import best_in_words, face, five
from .chart import HEIGHT, WIDTH, Curves
from .checks import Tally
from .course import course
from .digests import Digest, opening_digests
from .escape import marked
from .naming import leading, naming, showing
from .onecourse import lamps_told
from .parts import Course, Entry
from .provenance import Provenance, origin
from .steps import Step, step
from .undealt import why_undealt
from .view import (
    HEADINGS,
    MatchView,
    differing,
    ended_early,
    post_lines,
    pot_lines,
    settlements,
    stacks_when,
    term,
    times,
    view,
    winner,
    won_by,
)

_MOST_CHARACTERS: Final = 8_000_000
"""What all hands of a page come to at most: what a phone still opens. About 1,500 hands of usual length."""
_MOST_MOVES: Final = 200
"""Moves of one hand in the page: a deep stack allows many thousand."""
_GROUP: Final = 50
"""Hands under one heading, from so many on that it takes headings to find one."""
_OPEN: Final = 5
"""A match of no more hands is shown with all of them open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redoable:
    """A digest behind a hand, and the message whose seed it is made from."""

    seq: int
    seat: int
    digest: Digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of a hand's table: a street with its cards, or what happened in it; `stacks` and `pot` after it.

    Of what a seat shows the cards are in `cards`, and not in the text.
    """

    kind: str
    seq: int | None
    seat: int | None
    text: str
    cards: tuple[str, ...]
    stacks: tuple[int, ...]
    pot: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A hand as HTML, between the tags that open and close it; `running` if it is not over."""

    number: int
    running: bool
    html: str


class Page:
    """The page of one transcript: give its `on_hand` and `on_frame` to `replay`, then take its `pieces`.

    It holds the HTML of the hands up to a bound, the first and the last ones; the page says so if some are left out.
    """

    def __init__(self) -> None:
        self._templates = _environment()
        self._hand = self._templates.get_template("hand.html.jinja")
        self._tally = Tally()
        self._curves = Curves()
        self._provenance = Provenance()
        self._redoable: list[Redoable] = []
        self._origins: list[tuple[str, tuple[str, ...]]] = []
        self._refused: list[Step] = []
        self._first = _Shelf(_MOST_CHARACTERS // 2)
        self._last = _Shelf(_MOST_CHARACTERS // 2)
        self._count = 0

    def on_frame(self, before: State, admitted: Admitted, after: State | None, refusal: DealerlessError | None) -> None:
        """Take in one message."""
        self._tally.on_frame(before, admitted, after, refusal)
        self._redoable += [
            Redoable(seq=admitted.seq, seat=admitted.seat, digest=digest)
            for digest in opening_digests(before, admitted, after)
        ]
        for opened in self._provenance.on_frame(before, admitted, after, refusal):
            first, *rest = origin(opened)
            self._origins.append((first, tuple(rest)))
        if refusal is not None and before.play is not None:
            self._refused.append(step(before, admitted, after, refusal))

    def on_hand(self, hand: HandRecord) -> None:
        """Take in one hand, after its messages."""
        self._curves.add(hand)
        self._count += 1
        told = course(hand)
        first, left_out, last = _cut(_rows(hand, told))
        html = self._hand.render(
            hand=hand,
            seats=range(len(hand.before)),
            dealt=told.dealt,
            held=tuple([len(hand.game.hole_slots(hand.hand, seat)) for seat in range(len(hand.before))]),
            undealt={seat: why_undealt(hand, seat) for seat in range(len(hand.before)) if seat not in told.dealt},
            unseen=tuple([_unseen(hand, told, seat) for seat in range(len(hand.before))]),
            running=hand.finished is None,
            called=naming(hand.game.name),
            button=leading(hand),
            lamps=lamps_told(hand),
            best={seat: best for seat, best in hand.shown if best is not None},
            first=first,
            left_out=left_out,
            last=last,
            pots=pot_lines(hand),
            refused=tuple(self._refused),
            origins=tuple(self._origins),
            redoable=tuple(self._redoable),
        )
        self._refused.clear()
        self._redoable.clear()
        self._origins.clear()
        written = Written(number=hand.number, running=hand.finished is None, html=html)
        if not self._first.full:
            self._first.add(written)
        else:
            self._last.add(written)
            self._last.drop()

    def pieces(self, verdict: Verdict, label: str) -> Iterator[str]:
        """Yield the page in pieces; `label` says which transcript it is, and is already fit to print."""
        seen = view(verdict)
        word, meaning = HEADINGS[seen.outcome]
        hands = (*self._first.hands, *self._last.hands)
        size = _GROUP if len(hands) > _GROUP else max(1, len(hands))
        yield from self._templates.get_template("page.html.jinja").generate(
            version=__version__,
            label=label,
            word=word,
            meaning=meaning,
            seen=seen,
            verdict=verdict,
            called=naming(verdict.game),
            facts=_facts(seen),
            terms=_terms(seen),
            stacks_when=stacks_when(seen),
            chart=self._curves.chart(verdict),
            width=WIDTH,
            height=HEIGHT,
            groups=[hands[begin : begin + size] for begin in range(0, len(hands), size)],
            grouped=len(hands) > _GROUP,
            open=self._count <= _OPEN,
            hands=self._count,
            gap=(self._first.hands[-1].number, self._count - len(hands)) if self._count > len(hands) else None,
            checks=self._tally.checks(verdict),
        )


class _Shelf:
    """Hands up to a number of characters."""

    def __init__(self, room: int) -> None:
        self.hands: deque[Written] = deque()
        self._room = room

    @property
    def full(self) -> bool:
        return self._room <= 0

    def add(self, hand: Written) -> None:
        self.hands.append(hand)
        self._room -= len(hand.html)

    def drop(self) -> None:
        """Let the first ones go until there is room again."""
        while self.full and len(self.hands) > 1:
            self._room += len(self.hands.popleft().html)


@cache
def _environment() -> Environment:
    """Return the templates: all that is put in is escaped, and a name that does not exist is a mistake."""
    templates = Environment(
        loader=PackageLoader(__package__ or "dealerless.report", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    templates.filters |= {
        "marked": marked,
        "signed": _signed,
        "winner": winner,
        "slashed": _slashed,
    }
    templates.globals |= {"face": face, "in_words": best_in_words, "five": five, "differing": differing}
    return templates


def _rows(hand: HandRecord, told: Course) -> tuple[Row, ...]:
    """Return a hand's course as rows, with who shows in which order: that is a rule too (SHOW-1, ONE-5)."""
    rows = []
    for street in told.streets:
        posts = [entry for entry in street.entries if entry.kind == "post"]
        if posts:
            text = "; ".join(post_lines(street.entries))
            rows.append(
                Row(kind="posts", seq=None, seat=None, text=text, cards=(), stacks=street.stacks, pot=street.pot)
            )
        if street.name:
            rows.append(
                Row(
                    kind="street",
                    seq=None,
                    seat=None,
                    text=street.name,
                    cards=street.cards,
                    stacks=street.stacks,
                    pot=street.pot,
                )
            )
        rows += [_row(hand, entry) for entry in street.entries if entry.kind != "post"]
    return tuple(rows)


def _row(hand: HandRecord, entry: Entry) -> Row:
    shown = hand.hole[entry.seat] if entry.kind == "show" and entry.seat is not None else None
    return Row(
        kind=entry.kind,
        seq=entry.seq,
        seat=entry.seat,
        text=entry.text if shown is None else showing(hand.game),
        cards=shown or (),
        stacks=entry.stacks,
        pot=entry.pot,
    )


def _cut(rows: tuple[Row, ...]) -> tuple[tuple[Row, ...], int, tuple[Row, ...]]:
    """Return the rows up to a bound of moves: the first of them, how many moves are left out, the last ones."""
    moves = [place for place, row in enumerate(rows) if row.kind == "move"]
    if len(moves) <= _MOST_MOVES:
        return rows, 0, ()
    half = _MOST_MOVES // 2
    return rows[: moves[half]], len(moves) - 2 * half, rows[moves[-half] :]


def _unseen(hand: HandRecord, told: Course, seat: int) -> str:
    """Return why nobody saw a seat's cards."""
    if seat in told.expelled:
        return "expelled"
    if hand.game.name == ONEPOKER.name:
        return "laid, not open" if seat in hand.hand.laid else "not laid yet"
    if hand.hand.folded[seat]:
        return "folded"
    return "gave up unseen" if seat in getattr(hand.hand, "mucked", ()) else "not shown"


def _signed(number: int) -> str:
    """Return a gain or loss with its sign."""
    return f"{number:+d}".replace("-", "\N{MINUS SIGN}") if number else "0"


def _slashed(numbers: tuple[int, ...]) -> str:
    return " / ".join([str(number) for number in numbers])


def _facts(seen: MatchView) -> list[tuple[str, str]]:
    """Return what the verdict says besides its reasons, as (what, text)."""
    verdict, called = seen.verdict, naming(seen.verdict.game)
    facts = []
    if seen.complete:
        facts.append(("Won by", won_by(seen).replace("-", "\N{MINUS SIGN}")))
    early = ended_early(seen)
    if early:
        facts.append(("Ended", ", ".join(early)))
    for forfeit in verdict.forfeits:
        where = f"in {called.hand} {forfeit.hand}" if forfeit.hand else f"between {called.hand}s"
        facts.append(("Forfeit", f"seat {forfeit.seat} loses {forfeit.amount} {where} [{forfeit.code}]"))
    if verdict.pending is not None:
        facts.append(("Pot", f"{_slashed(verdict.pending.pot)} in the running {called.hand}, by seat"))
        if verdict.pending.if_forfeit is not None and verdict.owes is not None:
            stacks = _slashed(verdict.pending.if_forfeit)
            facts.append(("If", f"seat {verdict.owes.seat} forfeits, and only then, {called.stacks} are {stacks}"))
    if verdict.settling:
        facts.append(("Signed", settlements(verdict)))
    return facts


def _terms(seen: MatchView) -> list[tuple[str, str, bool]]:
    """Return the terms as agreed, as (what, text, whether the text is hex digits)."""
    verdict = seen.verdict
    terms = verdict.terms
    if terms is None:
        return []
    hands = f"{naming(verdict.game).hand.capitalize()}s agreed"
    rows = [("Game", str(verdict.game), False), (hands, str(terms.hands), False)]
    for name, value in terms.rules:
        words, text = term(name, value)
        rows.append((words.capitalize(), text, False))
    rows += [("Dealing", str(verdict.dealing), False), ("Suite", str(verdict.suite), False)]
    if terms.witnesses:
        rows.append(("Witnesses", times(terms, verdict.game), False))
        rows += [(f"Witness {number}", key.hex(), True) for number, key in enumerate(terms.witnesses)]
    if verdict.session is not None:
        rows.append(("Session", verdict.session.hex(), True))
    return rows
