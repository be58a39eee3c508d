"""Sizes of evidence against the transcript it is cut from, and how long its check takes.

Run it with `python benchmarks/bench_evidence.py`. Sizes are the same every time: the matches have fixed keys and seeds.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dealerless.protocol.events import Acted
from dealerless.protocol.state import Phase
from dealerless.referee.evidence import check, find
from tests.matches import Match, by_chance, hex_offer, named

HANDS = (1, 10, 100)
ROUNDS = 5


def before_last_hand(hands: int) -> Match:
    """Return a match of this many hands whose last one has its cards."""
    match = Match(hex_offer(hands=hands)).play_to_hand(hands, by_chance("bench"))
    return match.until(Phase.BETTING)


def wrong_move(hands: int) -> tuple[bytes, ...]:
    """The seat to move calls too little: its hand convicts it."""
    match = before_last_hand(hands)
    seat = match.owing
    match.cheat(seat, match.forge(seat, Acted(move="CALL", amount=7)))
    return (match.transcript(),)


def two_messages(hands: int) -> tuple[bytes, ...]:
    """It says one thing in one copy and another thing in the other: six records convict it."""
    return tuple([before_last_hand(hands).turn(named(move)).transcript() for move in ("CHECK", "BET")])


def first_of_its_hand(hands: int) -> tuple[bytes, ...]:
    """Its first message of the hand is the wrong one: the hand before is needed, too, as the last that it played."""
    match = Match(hex_offer(hands=hands)).play_to_hand(hands, by_chance("bench")).until(Phase.COMMITTING)
    seat = next(seat for seat in range(2) if seat != match.state.books.button)
    match.until_owing(seat)
    match.cheat(seat, match.sign(seat, match.body(seat, kind="nonsense")))
    return (match.transcript(),)


CASES: dict[str, Callable[[int], tuple[bytes, ...]]] = {
    "wrong_move": wrong_move,
    "two_messages": two_messages,
    "first_of_its_hand": first_of_its_hand,
}


def measure(copies: tuple[bytes, ...]) -> tuple[str, int, int, float]:
    """Return the form, records and bytes of the evidence, and the seconds of the best check."""
    streams = tuple([io.BytesIO(copy) for copy in copies])
    evidence = find(streams)
    if evidence is None:
        raise RuntimeError("no fault was found")
    bundle = b"".join(evidence.pieces(streams))
    found = check(bundle)
    if found.fault is None:
        raise RuntimeError("the evidence proves nothing")
    seconds = 60.0
    for _ in range(ROUNDS):
        start = time.perf_counter()
        check(bundle)
        seconds = min(seconds, time.perf_counter() - start)
    return evidence.form.value, found.records, len(bundle), seconds


def main() -> None:
    print(f"{'case':18} {'hands':>5} {'transcript':>11} {'evidence':>9} {'records':>8} {'form':>13} {'check':>9}")
    for name, case in CASES.items():
        for hands in HANDS:
            copies = case(hands)
            form, records, size, seconds = measure(copies)
            whole = max([len(copy) for copy in copies])
            print(f"{name:18} {hands:5} {whole:9} B {size:7} B {records:8} {form:>13} {1000 * seconds:6.1f} ms")


if __name__ == "__main__":
    main()
