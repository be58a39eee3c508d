"""Cost of the deck's proofs, in multiplications of a point by the same library, called in the same way.

Run it with `python benchmarks/bench_deck.py`. Times are of the processor, and of each thing the shortest of many
runs, taken in turn with the multiplication that it is divided by. With `mentalpoker` (and the `ecdsa` it asks for)
installed, its shuffles, which prove nothing, are measured beside.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dealerless.crypto import elgamal, equality, group, schnorr, shuffle
from dealerless.crypto.challenge import Context

TARGETS = {
    "shuffle_and_prove_52": (500.0, "at most"),
    "shuffle_and_prove_52_first": (500.0, "at most"),
    "verify_52": (600.0, "at most"),
    "verify_52_first": (600.0, "at most"),
    "share_and_prove": (3.0, "at most"),
    "verify_share": (5.0, "at most"),
    "proof_bytes_52": (6816.0, "at most"),
    "proof_bytes_156": (20128.0, "at most"),
    "prove_per_card_312_to_52": (1.1, "at most"),
    "verify_per_card_312_to_52": (1.1, "at most"),
}

CONTEXT = Context(session=bytes(32), hand=1, deck=0, seat=0, purpose="bench", prev=bytes(32))
SECRETS = [schnorr.DeckSecret(os.urandom) for _ in range(2)]
JOINT = schnorr.joint(secret.public for secret in SECRETS)
# What disturbs a measurement disturbs a long one more: the multiplications take as long as a shuffle.
MULTIPLICATIONS = 500
SHARES = 100


def multiplications() -> None:
    multiply, scalar, point = group.multiply, SECRETS[0].scalar, JOINT
    for _ in range(MULTIPLICATIONS):
        multiply(scalar, point)


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def best(rounds: int, *works: Callable[[], object]) -> list[float]:
    """Return the shortest time of each work, run in turn."""
    return [min(column) for column in zip(*[[seconds(work) for work in works] for _ in range(rounds)], strict=True)]


def decks(count: int) -> tuple[elgamal.Deck, elgamal.Deck]:
    """Return a deck before its first shuffle, and after it."""
    start = elgamal.start_deck("bench", [str(number) for number in range(count)], JOINT)
    return start, shuffle.shuffle(start, JOINT, CONTEXT, os.urandom)[0]


def shuffling(deck: elgamal.Deck) -> tuple[Callable[[], object], Callable[[], object], int]:
    """Return what shuffles and proves, what verifies that, and the length of the proof."""
    after, proof = shuffle.shuffle(deck, JOINT, CONTEXT, os.urandom)
    return (
        lambda: shuffle.shuffle(deck, JOINT, CONTEXT, os.urandom),
        lambda: shuffle.verify_shuffle(deck, after, JOINT, CONTEXT, proof),
        len(proof),
    )


def sharing(slots: range) -> tuple[Callable[[], object], Callable[[], object]]:
    """Return what shares so many slots and proves it a hundred times, and what verifies that as often."""
    secret, points = SECRETS[0], [elgamal.card_point("bench", str(slot)) for slot in slots]
    shares = equality.share(secret, points)
    proof = equality.prove_shares(secret, CONTEXT, secret.public, slots, points, shares, os.urandom)

    def prove() -> None:
        for _ in range(SHARES):
            made = equality.share(secret, points)
            equality.prove_shares(secret, CONTEXT, secret.public, slots, points, made, os.urandom)

    def verify() -> None:
        for _ in range(SHARES):
            equality.verify_shares(CONTEXT, secret.public, slots, points, shares, proof)

    return prove, verify


def run(rounds: int = 15) -> dict[str, float]:
    """Measure everything; keys as in `TARGETS`, and more for information."""
    start, once = decks(52)
    first_prove, first_verify, _ = shuffling(start)
    prove, verify, length = shuffling(once)
    share_prove, share_verify = sharing(range(1))
    flop_prove, flop_verify = sharing(range(3))
    unit, *times = best(
        rounds,
        multiplications,
        first_prove,
        first_verify,
        prove,
        verify,
        share_prove,
        share_verify,
        flop_prove,
        flop_verify,
    )
    unit /= MULTIPLICATIONS
    long_prove, long_verify, long_length = shuffling(decks(156)[1])
    most_prove, most_verify, _ = shuffling(decks(312)[1])
    part_prove, part_verify, whole_prove, whole_verify, middle_prove, middle_verify = best(
        5, prove, verify, most_prove, most_verify, long_prove, long_verify
    )
    figures = {
        "shuffle_and_prove_52": times[2] / unit,
        "shuffle_and_prove_52_first": times[0] / unit,
        "verify_52": times[3] / unit,
        "verify_52_first": times[1] / unit,
        "share_and_prove": times[4] / unit / SHARES,
        "verify_share": times[5] / unit / SHARES,
        "flop_share_and_prove": times[6] / unit / SHARES,
        "verify_flop_shares": times[7] / unit / SHARES,
        "proof_bytes_52": length,
        "proof_bytes_156": long_length,
        "prove_per_card_312_to_52": whole_prove / 312 / (part_prove / 52),
        "verify_per_card_312_to_52": whole_verify / 312 / (part_verify / 52),
        "multiplication_us": unit * 1e6,
        "shuffle_and_prove_52_ms": times[2] * 1e3,
        "verify_52_ms": times[3] * 1e3,
        "shuffle_and_prove_156_ms": middle_prove * 1e3,
        "verify_156_ms": middle_verify * 1e3,
    }
    return figures | unproven()


def unproven() -> dict[str, float]:
    """Measure the shuffle of 52 cards by `mentalpoker`, over its curve and modulo its prime, if it is installed."""
    if importlib.util.find_spec("mentalpoker") is None or importlib.util.find_spec("ecdsa") is None:
        return {}
    dealer = importlib.import_module("mentalpoker.dealer")
    curve, prime = dealer.DealerEC(), dealer.DealerEG()
    on_curve, modulo = best(
        3, lambda: curve.shuffle(curve.new_deck), lambda: prime.shuffle(prime.new_deck, refresh_key=True)
    )
    return {"mentalpoker_curve_ms": on_curve * 1e3, "mentalpoker_prime_ms": modulo * 1e3}


def main() -> None:
    for name, figure in run().items():
        target, relation = TARGETS.get(name, (None, ""))
        print(f"{name:28} {figure:10.3f}" + ("" if target is None else f"   target: {relation} {target:g}"))


if __name__ == "__main__":
    main()
