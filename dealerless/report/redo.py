"""One hand redone from its seeds alone: every hashed text, its digest, the cards, the sevens and the winner.

Whether these are the seeds of a match is for its signed messages to say; here a seed opens a commitment or not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..crypto.commitment import commitment, commitment_text
from ..crypto.suites import hex_digest
from ..errors import UsageError
from ..games.hexrank import best, format_digits, report
from ..protocol.hashdeal import HOLE, LAYOUT, deal_line, digits, hole_line
from .digests import Digest, shell

# HASHDEAL-2: five digits of the deal digest, two of each hole digest.
_COMMON: Final = 5
_HOLE: Final = 2

Place = tuple[str, int]
"""What a seed is for: its purpose and its seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """A seed, the line whose SHA-256 is its commitment, and whether one of the given commitments is that one.

    `opens` is None where no given commitment is left that it could open.
    """

    seat: int
    purpose: str
    seed: str
    commitment: Digest
    opens: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cards:
    """Cards and the digest they are the first digits of."""

    cards: str
    digest: Digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Redone:
    """A hand: `hole` and `sevens` have None for a seat without a seed; `winners` is None unless both are known.

    `unopened` are given commitments that no given seed opens, as hex; `opened` is None without commitments.
    """

    suite: str
    session: str
    hand: int
    seeds: tuple[Seed, ...]
    common: Cards
    hole: tuple[Cards | None, ...]
    sevens: tuple[str | None, ...]
    winners: tuple[int, ...] | None
    unopened: tuple[str, ...]
    opened: bool | None


def redo(
    *,
    suite: str,
    session: bytes,
    hand: int,
    layouts: tuple[bytes, ...],
    holes: tuple[bytes | None, ...],
    commitments: tuple[bytes, ...],
) -> Redone:
    """Return the hand that these seeds make; `layouts` and `holes` in seat order, None for a seed kept secret.

    Raises UsageError for what is a slip of the hand and no proof of anything: `verify.commitment-as-seed`,
    `verify.exchanged-seeds` (it opens a given commitment, but as a seed of another place),
    `verify.repeated-seed`. COMMIT-2, HASHDEAL-1.
    """
    given: dict[Place, bytes] = {(LAYOUT, seat): seed for seat, seed in enumerate(layouts)}
    given |= {(HOLE, seat): seed for seat, seed in enumerate(holes) if seed is not None}
    _refuse_slips(session, hand, given, commitments, len(layouts))

    made = {place: commitment(place[0], session, hand, place[1], seed) for place, seed in given.items()}
    unopened = tuple([value for value in commitments if value not in made.values()])
    seeds = tuple(
        [
            Seed(
                seat=seat,
                purpose=purpose,
                seed=given[purpose, seat].hex(),
                commitment=_committed(purpose, session, hand, seat, given[purpose, seat]),
                opens=True if made[purpose, seat] in commitments else False if unopened else None,
            )
            for purpose, seat in sorted(given, key=lambda place: (place[1], place[0] != LAYOUT))
        ]
    )
    deal = _digest("common cards", suite, deal_line(suite, session, hand, layouts))
    common = digits(deal.digest, _COMMON)
    hole_digests = [
        None
        if seed is None
        else _digest(f"hole cards of seat {seat}", suite, hole_line(suite, session, hand, deal.digest, seat, seed))
        for seat, seed in enumerate(holes)
    ]
    hole_cards = [None if digest is None else digits(digest.digest, _HOLE) for digest in hole_digests]
    sevens = [None if cards is None else common + cards for cards in hole_cards]
    strengths = [best(seven).rank for seven in sevens if seven is not None]
    winners = None
    if len(strengths) == len(sevens):
        winners = tuple([seat for seat, strength in enumerate(strengths) if strength == max(strengths)])
    # A commitment may stay unopened only for a seed that is kept secret.
    failed = len(unopened) > holes.count(None) or (bool(unopened) and any(seed.opens is False for seed in seeds))
    return Redone(
        suite=suite,
        session=session.hex(),
        hand=hand,
        seeds=seeds,
        common=Cards(cards=format_digits(common), digest=deal),
        hole=tuple(
            [
                None if digest is None or cards is None else Cards(cards=format_digits(cards), digest=digest)
                for digest, cards in zip(hole_digests, hole_cards, strict=True)
            ]
        ),
        sevens=tuple([None if seven is None else report(seven) for seven in sevens]),
        winners=winners,
        unopened=tuple([value.hex() for value in unopened]),
        opened=None if not commitments else not failed,
    )


def _refuse_slips(
    session: bytes, hand: int, given: dict[Place, bytes], commitments: tuple[bytes, ...], seats: int
) -> None:
    places = [(purpose, seat) for seat in range(seats) for purpose in (LAYOUT, HOLE)]
    known = set(commitments)
    for place, seed in given.items():
        of_others = {
            commitment(purpose, session, hand, seat, other)
            for other in given.values()
            if other != seed
            for purpose, seat in places
        }
        if seed in known or seed in of_others:
            raise UsageError(
                "verify.commitment-as-seed",
                actual=_named(place),
                hint="commitments come before the seeds: look in the match for the message that opens it",
            )
        if list(given.values()).count(seed) > 1:
            raise UsageError("verify.repeated-seed", actual=_named(place), hint="each player has seeds of his own")
        if commitment(place[0], session, hand, place[1], seed) in known:
            continue
        for other in places:
            if commitment(other[0], session, hand, other[1], seed) in known:
                raise UsageError(
                    "verify.exchanged-seeds",
                    expected=_named(place),
                    actual=_named(other),
                    hint="seeds are given in seat order: --layout of seat 0, of seat 1; --hole of seat 0, of seat 1",
                )


def _committed(purpose: str, session: bytes, hand: int, seat: int, seed: bytes) -> Digest:
    return Digest(
        what=f"commitment to the {purpose} seed of seat {seat}",
        command=shell(commitment_text(purpose, session, hand, seat, seed), "sha256"),
        digest=commitment(purpose, session, hand, seat, seed).hex(),
    )


def _digest(what: str, suite: str, line: str) -> Digest:
    return Digest(what=what, command=shell(line, suite), digest=hex_digest(suite, line))


def _named(place: Place) -> str:
    return f"{place[0]} seed of seat {place[1]}"
