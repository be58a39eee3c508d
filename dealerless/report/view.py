"""The one view model of a match: what a verdict says, as every report says it.

Text, JSON and whatever comes later render the same values, so no report can say more or less than another.
Names are carried as the players gave them; whoever renders escapes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from ..errors import CODES
from ..games import GAMES
from ..games.pots import payouts
from ..protocol.state import HandRecord
from ..referee import Outcome, Verdict
from ..referee.verdict import Fault, TermsRead
from .escape import marked
from .naming import naming
from .parts import Entry

HEADINGS: Final[Mapping[Outcome, tuple[str, str]]] = {
    Outcome.CLEAN: ("OK", "clean"),
    Outcome.FAULT: ("FAULT", "a rule was broken, and it is proven by whom"),
    Outcome.INCOMPLETE: ("INCOMPLETE", "nothing broken, not complete"),
    Outcome.UNREADABLE: ("UNREADABLE", "no match can be read from it"),
}
"""What a report begins with: a word for each outcome, and what it means."""

SILENCE: Final = "witness.no-show"
"""The code of a seat whose time ran out: no message of its own is refused for it."""

_UNITS: Final = {
    SILENCE: " ms",
    "witness.too-soon": " ms",
    "deck.wrong-release": " bytes",
    "encoding.malformed": " bytes",
    "encoding.too-large": " bytes",
}

_TERMS: Final = {
    "allin": "all-in",
    "first": "first bet",
    "second": "second bet",
    "small": "small blind",
    "big": "big blind",
}
"""Names of terms that are written otherwise for people."""

# Longer texts and tuples come from a peer that wants to fill our screen; the transcript has them whole.
_MAX_TEXT: Final = 200
_MAX_ITEMS: Final = 64

Plain = bool | int | str | tuple["Plain", ...] | None
"""What a fault expected or met, ready for any report: bytes are lower-case hex, long values are cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """A seat: who sits there, its chips and account now, and whether it signed the end.

    `key` is lower-case hex; `stack` and `net` are None as long as there are none.
    """

    seat: int
    name: str
    key: str
    fingerprint: str
    stack: int | None
    net: int | None
    settled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultView:
    """The first provable fault, and in words what was broken."""

    code: str
    clause: str
    seat: int
    seq: int
    blame: str
    expected: Plain
    actual: Plain
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchView:
    """A match as a verdict has it. `reasons` are the sentences behind the outcome, the deciding one first.

    `missing` are the seats that should have signed the end and did not. `complete`: the match came to its end in the
    chain, if need be by an expulsion (CHAIN-3, VERDICT-4b), and nothing in the copy is damaged.
    """

    outcome: Outcome
    complete: bool
    reasons: tuple[str, ...]
    seats: tuple[SeatView, ...]
    fault: FaultView | None
    missing: tuple[int, ...]
    verdict: Verdict


def view(verdict: Verdict) -> MatchView:
    """Return the view of a verdict."""
    fault = None if verdict.fault is None else fault_view(verdict.fault)
    seats = tuple(
        [
            SeatView(
                seat=player.seat,
                name=player.name,
                key=player.key.hex(),
                fingerprint=player.fingerprint,
                stack=verdict.stacks[player.seat] if verdict.stacks else None,
                net=verdict.net[player.seat] if verdict.net else None,
                settled=player.seat in verdict.settled,
            )
            for player in verdict.players
        ]
    )
    return MatchView(
        outcome=verdict.outcome,
        complete=bool(verdict.settling) and verdict.damage is None,
        reasons=_reasons(verdict, fault),
        seats=seats,
        fault=fault,
        missing=tuple([seat for seat in verdict.settling if seat not in verdict.settled]),
        verdict=verdict,
    )


def plain(value: object) -> Plain:
    """Return an error's data for reports: bytes as hex, what is too long to be read cut off."""
    if isinstance(value, bytes):
        value = value.hex()
    if isinstance(value, str):
        return value if len(value) <= _MAX_TEXT else value[:_MAX_TEXT] + "..."
    if isinstance(value, tuple):
        return tuple([plain(item) for item in value[:_MAX_ITEMS]])
    if value is None or isinstance(value, bool | int):
        return value
    return str(value)


def term(name: str, value: bool | int | str | tuple[int, ...]) -> tuple[str, str]:
    """Return one of a game's own terms for people: its name in words, and its value, numbers by seat with slashes.

    What a peer wrote is escaped.
    """
    words = _TERMS.get(name, name.replace("_", " "))
    if isinstance(value, bool):
        return words, "yes" if value else "no"
    if isinstance(value, tuple):
        return words, "/".join([str(one) for one in value])
    return words, marked(value)[1:-1] if isinstance(value, str) else str(value)


def settlements(verdict: Verdict) -> str:
    """Return how many of those who should have signed the end did so, in words; empty before the end."""
    if not verdict.settling:
        return ""
    count = f"{len(verdict.settled)} of {len(verdict.settling)} settlements"
    missing = [str(seat) for seat in verdict.settling if seat not in verdict.settled]
    if not missing:
        return count
    return f"{count}; missing from seat{'s' if len(missing) > 1 else ''} {', '.join(missing)}"


def winner(hand: HandRecord) -> str:
    """Return in words who took a hand's pots and how, each seat's chips together; or that it is still running."""
    if hand.result == "running":
        return f"not finished; {hand.pot} in the pot"
    how = {"fold": "by fold", "showdown": "at showdown", "forfeit": "by forfeit"}.get(hand.result, hand.result)
    if len(hand.pots) == 1:
        (pot,) = hand.pots
        verb = "wins" if len(pot.winners) == 1 else "share"
        return f"{_seats(pot.winners, ' and ')} {verb} {pot.amount} {how}"
    paid = payouts(hand.pots, len(hand.before))
    parts = [f"seat {seat} wins {paid[seat]}" for seat in hand.winners]
    return f"{', '.join(parts)} {how}" if parts else how


def pot_lines(hand: HandRecord) -> tuple[str, ...]:
    """Return each pot of a hand as it was paid, in words; empty where there is one, which `winner` tells of."""
    if len(hand.pots) < 2:
        return ()
    return tuple(
        [
            f"{_pot_name(number, len(hand.pots))} {pot.amount} between {listed(pot.seats)}: {_to(pot.winners)}"
            if len(pot.seats) > 1
            else f"{_pot_name(number, len(hand.pots))} {pot.amount} of {_seats(pot.seats, '')} alone"
            for number, pot in enumerate(hand.pots)
        ]
    )


def best_seats(seen: MatchView) -> tuple[int, ...]:
    """Return the seats that have won a complete match, of those who stayed. HEX-13, TABLE-4, ONE-10.

    The most chips win where stacks carry over, which may have been unequal from the start; else the most net.
    """
    verdict = seen.verdict
    return _best(verdict.stacks if _by_stacks(verdict.game) else verdict.net, verdict.settling)


def won_by(seen: MatchView) -> str:
    """Return in words who has won a complete match, and with how much; of how many, if not all stayed."""
    verdict = seen.verdict
    return winners(verdict.game, verdict.stacks, verdict.net, verdict.settling)


def winners(game: str | None, stacks: tuple[int, ...], net: tuple[int, ...], staying: tuple[int, ...]) -> str:
    """Return what `won_by` does of a match that ended with these stacks and net, of those who stayed."""
    by_stacks = _by_stacks(game)
    chips = stacks if by_stacks else net
    best = _best(chips, staying)
    if not best:
        return "nobody"
    names = _seats(best, " and ")
    most = chips[best[0]]
    count = f"{most} {naming(game).chips}" if by_stacks else f"{most:+d}"
    told = f"{names}, a tie at {count}" if len(best) > 1 else f"{names} with {count}"
    beaten = most < max(chips)
    return f"{told}, most among those who stayed" if beaten else told


def _by_stacks(game: str | None) -> bool:
    """Return whether stacks decide who has won, since they carry over; else the net does."""
    played = None if game is None else GAMES.get(game)
    return played is not None and played.carries


def _best(chips: tuple[int, ...], staying: tuple[int, ...]) -> tuple[int, ...]:
    most = max([chips[seat] for seat in staying], default=0)
    return tuple(sorted([seat for seat in staying if chips[seat] == most]))


def ended_early(seen: MatchView) -> tuple[str, ...]:
    """Return after which hand a complete match ended before the last one agreed, and why. TABLE-4.

    Empty if it did not. Who left or was expelled is told elsewhere: here is who stayed and cannot be dealt in.
    """
    verdict = seen.verdict
    if not seen.complete or verdict.terms is None or verdict.played >= verdict.terms.hands:
        return ()
    called, hands = naming(verdict.game), verdict.terms.hands
    when = f"after {called.hand} {verdict.played} of {hands}" if verdict.played else f"before the first of {hands}"
    able = f"only {listed(verdict.able)}" if verdict.able else "nobody"
    told = [f"{when}: {able} can be dealt into another one"]
    game = None if verdict.game is None else GAMES.get(verdict.game)
    if game is not None and game.carries:
        for seat in sorted(set(verdict.settling) - set(verdict.able)):
            stack = verdict.stacks[seat]
            few = f"has too few {called.chips} ({stack})" if stack else f"is out of {called.chips}"
            told.append(f"seat {seat} {few}")
    return tuple(told)


def instant(milliseconds: int) -> str:
    """Return a witness's time, since 1970, as date and time of day; whatever year a witness that lies has in mind."""
    days, rest = divmod(milliseconds, 86_400_000)
    # Years from March on end with the leap day: 146097 days are 400 of them, and 153 days five months.
    era, day = divmod(days + 719_468, 146_097)
    year = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    date = f"{era * 400 + year + (month > 9):04}-{(month + 2) % 12 + 1:02}-{day - (153 * month + 2) // 5 + 1:02}"
    seconds, part = divmod(rest, 1000)
    return f"{date} {seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{part:03} UTC"


def difference(code: str, expected: Plain, actual: Plain) -> str:
    """Return what a fault expected and met, each with its unit, in words that go on behind its code or text."""
    return "".join([f"; {word} {value}" for word, value in differing(code, expected, actual)])


def differing(code: str, expected: Plain, actual: Plain) -> tuple[tuple[str, str], ...]:
    """Return what a fault expected and met as (word, value with its unit), without what is None.

    Nothing where both are the same: then it is not what differs, and the fault's text says what is wrong. Of a seat
    whose time ran out it is the time that it had and the time that it took.
    """
    words = ("had", "took") if code == SILENCE else ("expected", "got")
    if repr(expected) == repr(actual) and code != SILENCE:
        return ()
    after = _UNITS.get(code, "")
    told = [(word, value) for word, value in zip(words, (expected, actual), strict=True) if value is not None]
    return tuple([(word, f"{data_text(value)}{after}") for word, value in told])


def stacks_when(seen: MatchView) -> str:
    """Return of when the verdict's stacks are, where they are not simply those that the match has come to."""
    verdict = seen.verdict
    if verdict.pending is not None:
        return f"before the running {naming(verdict.game).hand}"
    if seen.fault is not None and verdict.forfeits:
        return "with the forfeit"
    game = None if verdict.game is None else GAMES.get(verdict.game)
    if game is not None and not game.carries and len(set(verdict.stacks)) > 1:
        # HEX-2, HEX-13: what is won and lost in a match is the net; stacks say nothing of it.
        return "at the end of the last hand; every hand begins anew"
    return ""


def times(terms: TermsRead, game: str | None) -> str:
    """Return how many witnesses have to agree on a time-out, and what time a seat has in this game. VERDICT-6."""
    agreed = f"{terms.threshold} of {len(terms.witnesses)} must agree"
    called = naming(game).hand
    return f"{agreed}; {terms.move_seconds} s for a move, a bank of {terms.bank_seconds} s for a {called}"


def data_text(value: Plain) -> str:
    """Return what a fault expected or met as one escaped line."""
    if isinstance(value, tuple):
        return "[" + ", ".join([data_text(item) for item in value]) + "]"
    plain_word = not isinstance(value, str) or (value.isascii() and value.isalnum())
    return str(value) if plain_word else marked(str(value))


def fault_view(fault: Fault) -> FaultView:
    """Return a fault with what was broken in words."""
    return FaultView(
        code=fault.code,
        clause=fault.clause,
        seat=fault.seat,
        seq=fault.seq,
        blame=fault.blame,
        expected=plain(fault.expected),
        actual=plain(fault.actual),
        text=CODES[fault.code].text,
    )


def broken(fault: FaultView) -> str:
    """Return who broke what, and in which message; who is silent signs nothing, and another one's proves it."""
    where = f", as message {fault.seq} proves" if fault.code == SILENCE else f" in message {fault.seq}"
    return f"seat {fault.seat} broke {fault.clause}{where}: {fault.text}"


def post_lines(entries: Iterable[Entry]) -> tuple[str, ...]:
    """Return who posted what at a hand's start, those together who did the same."""
    posts = [(entry.text, entry.seat) for entry in entries if entry.kind == "post" and entry.seat is not None]
    texts = dict.fromkeys([text for text, _ in posts])
    return tuple([_together(tuple([seat for other, seat in posts if other == text]), text) for text in texts])


def _together(seats: tuple[int, ...], text: str) -> str:
    """Return what one seat or several do, in words that begin with a verb: `posts the ante 1`."""
    if len(seats) == 1:
        return f"seat {seats[0]} {text}"
    verb, _, rest = text.partition(" ")
    return f"{listed(seats)} {verb.removesuffix('s')} {rest}"


def _pot_name(number: int, count: int) -> str:
    return "main pot" if number == 0 else "side pot" if count == 2 else f"side pot {number}"


def _to(seats: tuple[int, ...]) -> str:
    return f"to seat {seats[0]}" if len(seats) == 1 else f"shared by {listed(seats)}"


def listed(seats: tuple[int, ...]) -> str:
    """Return one seat or several in words."""
    if len(seats) == 1:
        return f"seat {seats[0]}"
    return f"seats {', '.join([str(seat) for seat in seats[:-1]])} and {seats[-1]}"


def _seats(seats: tuple[int, ...], between: str) -> str:
    return between.join([f"seat {seat}" for seat in seats])


def _reasons(verdict: Verdict, fault: FaultView | None) -> tuple[str, ...]:
    reasons = []
    if fault is not None:
        reasons.append(broken(fault))
    if verdict.outcome is Outcome.CLEAN:
        reasons.append("the match is complete and every rule was kept")
    if verdict.damage is not None:
        text = CODES[verdict.damage.reason].text
        if verdict.damage.detail is not None:
            text += f" ({CODES[verdict.damage.detail].text})"
        reasons.append(f"damaged at record {verdict.damage.record}, blame none: {text}")
    if verdict.owes is not None and verdict.outcome is not Outcome.UNREADABLE:
        kinds = " or ".join(verdict.owes.kinds)
        reasons.append(f"seat {verdict.owes.seat} owes {kinds} in this copy")
    if verdict.unjudged is not None:
        reasons.append(f"not judged: record {verdict.unjudged.record} and all after it")
    return tuple(reasons)
