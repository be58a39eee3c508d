"""Cost of One Poker's proofs, in multiplications of a point by the same library, called in the same way.

Run it with `python benchmarks/bench_lamps.py`. Times are of the processor, and of each thing the shortest of many
runs, taken in turn with the multiplication that it is divided by.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.bench_deck import CONTEXT, MULTIPLICATIONS, best, multiplications
from dealerless.crypto import elgamal, group, laying, membership, schnorr

TARGETS = {
    "prove_class_28": (130.0, "at most"),
    "verify_class_28": (130.0, "at most"),
    "lay_and_prove": (20.0, "at most"),
    "verify_lay": (20.0, "at most"),
    "class_proof_bytes_24": (1536.0, "at most"),
    "lay_bytes": (320.0, "at most"),
}

SECRET = schnorr.DeckSecret(os.urandom)
KEY = SECRET.public
# Each thing is done so often that it takes about as long as the multiplications.
CLASSES = 5
LAYS = 30


def covered(points: list[bytes]) -> elgamal.Deck:
    """Return the points as cards under the key alone."""
    scalars = [schnorr.DeckSecret(os.urandom).scalar for _ in points]
    return elgamal.re_encrypt([(group.BASE, group.add(point, KEY)) for point in points], scalars, KEY)


def lamp(count: int) -> tuple[Callable[[], object], Callable[[], object], int]:
    """Return what proves the class of a card among so many, what verifies that, and the length of the proof."""
    members = [elgamal.card_point("bench", str(number)) for number in range(count)]
    (card,) = covered(members[count // 2 : count // 2 + 1])
    proof = membership.prove_class(SECRET, CONTEXT, 0, "UP", KEY, card, members, os.urandom)

    def prove() -> None:
        for _ in range(CLASSES):
            membership.prove_class(SECRET, CONTEXT, 0, "UP", KEY, card, members, os.urandom)

    def verify() -> None:
        for _ in range(CLASSES):
            membership.verify_class(CONTEXT, 0, "UP", KEY, card, members, proof)

    return prove, verify, len(proof)


def lays() -> tuple[Callable[[], object], Callable[[], object], int]:
    """Return what lays one of two cards, what verifies that, and the length of the lay with its proof."""
    cards = covered([elgamal.card_point("bench", name) for name in ("kept", "new")])
    laid, proof = laying.lay(SECRET, CONTEXT, 1, KEY, cards, 0, os.urandom)

    def prove() -> None:
        for number in range(LAYS):
            laying.lay(SECRET, CONTEXT, 1, KEY, cards, number % 2, os.urandom)

    def verify() -> None:
        for _ in range(LAYS):
            laying.verify_lay(CONTEXT, 1, KEY, cards, laid, proof)

    return prove, verify, len(elgamal.joined(laid)) + len(proof)


def run(rounds: int = 15) -> dict[str, float]:
    """Measure everything; keys as in `TARGETS`, and more for information."""
    up_prove, up_verify, _ = lamp(28)
    down_prove, down_verify, length = lamp(24)
    lay_prove, lay_verify, lay_length = lays()
    unit, *times = best(rounds, multiplications, up_prove, up_verify, down_prove, down_verify, lay_prove, lay_verify)
    unit /= MULTIPLICATIONS
    classes, laid = [time / CLASSES for time in times[:4]], [time / LAYS for time in times[4:]]
    return {
        "prove_class_28": classes[0] / unit,
        "verify_class_28": classes[1] / unit,
        "lay_and_prove": laid[0] / unit,
        "verify_lay": laid[1] / unit,
        "prove_class_24": classes[2] / unit,
        "verify_class_24": classes[3] / unit,
        "class_proof_bytes_24": length,
        "lay_bytes": lay_length,
        "multiplication_us": unit * 1e6,
        "prove_class_24_ms": classes[2] * 1e3,
        "verify_class_24_ms": classes[3] * 1e3,
        "lay_and_prove_ms": laid[0] * 1e3,
        "verify_lay_ms": laid[1] * 1e3,
    }


def main() -> None:
    for name, figure in run().items():
        target, relation = TARGETS.get(name, (None, ""))
        print(f"{name:28} {figure:10.3f}" + ("" if target is None else f"   target: {relation} {target:g}"))


if __name__ == "__main__":
    main()
