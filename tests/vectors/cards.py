"""Cards from seeds among the vectors: the hashed lines, digests and cards of both suites (COMMIT-2, HASHDEAL-1, -2)."""

from __future__ import annotations

from typing import Any

from dealerless.crypto.commitment import commitment, commitment_text
from dealerless.crypto.suites import hex_digest
from dealerless.games.hexrank import best, report
from dealerless.protocol.hashdeal import deal_line, digits, hole_line

from .scribe import fixed


def _deal(name: str, about: str, suite: str, hand: int, session: bytes, seeds: tuple[bytes, ...]) -> dict[str, Any]:
    layouts, holes = seeds[:2], seeds[2:]
    line = deal_line(suite, session, hand, layouts)
    digest = hex_digest(suite, line)
    common = digits(digest, 5)
    lines = [hole_line(suite, session, hand, digest, seat, seed) for seat, seed in enumerate(holes)]
    digests = [hex_digest(suite, line) for line in lines]
    sevens = [common + digits(digest, 2) for digest in digests]
    ranks = [best(seven).rank for seven in sevens]
    purposes = [("layout", seat, seed) for seat, seed in enumerate(layouts)]
    purposes += [("hole", seat, seed) for seat, seed in enumerate(holes)]
    return {
        "name": name,
        "about": about,
        "expect": "cards",
        "code": None,
        "clause": "HASHDEAL-2",
        "seat": None,
        "suite": suite,
        "session": session.hex(),
        "hand": hand,
        "layouts": [seed.hex() for seed in layouts],
        "holes": [seed.hex() for seed in holes],
        "commitments": [
            {
                "purpose": purpose,
                "seat": seat,
                "line": commitment_text(purpose, session, hand, seat, seed),
                "sha256": commitment(purpose, session, hand, seat, seed).hex(),
            }
            for purpose, seat, seed in purposes
        ],
        "deal_line": line,
        "deal_digest": digest,
        "common": "".join([f"{card:x}" for card in common]),
        "hole_lines": lines,
        "hole_digests": digests,
        "cards": ["".join([f"{card:x}" for card in digits(digest, 2)]) for digest in digests],
        "best": [report(seven) for seven in sevens],
        "winners": [seat for seat in (0, 1) if ranks[seat] == max(ranks)],
    }


def _drawn(label: str) -> tuple[bytes, ...]:
    return tuple([fixed(f"cards {label}: seed {number}") for number in range(4)])


_EXTREME = (bytes(32), b"\xff" * 32, bytes(range(32)), bytes(31) + b"\x01")

CARDS: list[dict[str, Any]] = [
    _deal(f"cards_{suite}-{case}", about, suite, hand, session, seeds)
    for suite in ("sha256", "md5")
    for case, about, hand, session, seeds in (
        ("first-hand", "A first hand.", 1, fixed("cards session"), _drawn("first")),
        (
            "last-hand",
            "Hand 10,000: five digits in both kinds of line.",
            10_000,
            fixed("cards session"),
            _drawn("last"),
        ),
        (
            "swapped",
            "The first hand with the layouts of the seats exchanged: other cards.",
            1,
            fixed("cards session"),
            (_drawn("first")[1], _drawn("first")[0], *_drawn("first")[2:]),
        ),
        ("extreme-seeds", "Seeds of zeros and ones are seeds like others.", 2, bytes(32), _EXTREME),
    )
]
