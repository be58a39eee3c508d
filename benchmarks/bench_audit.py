"""Cost of an audit: against the bare signature verifications of the same frames, by length, and in memory.

Run it with `python benchmarks/bench_audit.py`. The two sides of a ratio are measured in turn, round by round, in one
process; the ratio is of the best rounds, because anything else that runs on the machine only makes a round slower.
"""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from dealerless.crypto.ed25519 import SigningKey
from dealerless.games import GAMES
from dealerless.protocol import Accepted, Acted, MemorySecrets, Offered, Phase, Session, encode_transcript
from dealerless.protocol.machine import open_frame
from dealerless.protocol.records import read_records, signed_text
from dealerless.referee import Outcome, replay

HANDS = 1000

TARGETS = {
    "audit_to_verify_ratio": (1.25, "at most"),
    "time_per_frame_1000_to_250_hands": (1.1, "at most"),
    "memory_growth_kib_per_hand": (1.0, "at most"),
}


def played(hands: int, seed: int) -> bytes:
    """Return the transcript of a match of two automatic players that take any legal move."""
    choose = random.Random(seed).choice
    keys = [SigningKey(os.urandom(32)) for _ in range(2)]
    table = [Session(key, MemorySecrets(os.urandom), GAMES) for key in keys]
    players = ((keys[0].public.key, "zero"), (keys[1].public.key, "one"))
    event: object = Offered(
        game="hex",
        dealing="hash",
        suite="sha256",
        hands=hands,
        rules=(10, 5, "all"),
        players=players,
        witnesses=(),
        threshold=0,
        expires=4102444800,
        nonce=os.urandom(32),
    )
    seat, frames = 0, []
    while True:
        frames.append(table[seat].say(event))  # type: ignore[arg-type]
        table[1 - seat].receive(frames[-1])
        owed = table[0].state.owed
        if owed is None:
            return encode_transcript(frames)
        seat = owed.seat
        event = table[seat].due()
        if event is None and table[seat].state.phase is Phase.ACCEPTING:
            event = Accepted(nonce=os.urandom(32), channel=b"")
        elif event is None:
            option = choose(table[seat].legal())
            event = Acted(move=option.name, amount=option.most)


def bare(transcript: bytes) -> Callable[[], None]:
    """Return what only verifies the transcript's signatures: keys loaded, messages at hand."""
    opened = [open_frame(frame) for frame in read_records(io.BytesIO(transcript))]
    offer = opened[0].envelope
    if offer is None or not isinstance(offer.event, Offered):
        raise RuntimeError("the transcript does not begin with an offer")
    keys = [Ed25519PublicKey.from_public_bytes(key) for key, _ in offer.event.players]
    checks = [(keys[item.header.seat].verify, item.signature, signed_text(item.body)) for item in opened]

    def verify() -> None:
        for check, signature, message in checks:
            check(signature, message)

    return verify


def audit(transcript: bytes) -> None:
    """Audit as a program does that takes hand by hand."""
    if replay(io.BytesIO(transcript), on_hand=lambda _: None).outcome is not Outcome.CLEAN:
        raise RuntimeError("the measured transcript is not clean")


def timed(work: Callable[[], None]) -> tuple[float, float]:
    """Return the wall and the processor seconds of one run."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def best(rounds: int, *works: Callable[[], None]) -> list[tuple[float, float]]:
    """Return for each work its best wall and processor seconds, run in turn."""
    found = [[timed(work) for work in works] for _ in range(rounds)]
    return [(min(t[0] for t in column), min(t[1] for t in column)) for column in zip(*found, strict=True)]


def resident_kib(transcript: bytes) -> int:
    """Return the peak resident memory, KiB, of a process that audits the transcript from a file."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(transcript)
        file.flush()
        code = (
            "import resource, sys; from dealerless.referee import replay;"
            "replay(open(sys.argv[1], 'rb'), on_hand=lambda _: None);"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        done = subprocess.run([sys.executable, "-c", code, file.name], capture_output=True, text=True, check=True)
    return int(done.stdout)


def run() -> dict[str, float]:
    """Measure everything; keys as in `TARGETS`, and more for information."""
    whole, part = played(HANDS, 1), played(HANDS // 4, 2)
    frames, some = (sum(1 for _ in read_records(io.BytesIO(t))) for t in (whole, part))
    (verify_wall, verify_cpu), (audit_wall, audit_cpu), (part_wall, _) = best(
        7, bare(whole), lambda: audit(whole), lambda: audit(part)
    )
    return {
        "audit_to_verify_ratio": audit_wall / verify_wall,
        "audit_to_verify_processor_ratio": audit_cpu / verify_cpu,
        "time_per_frame_1000_to_250_hands": (audit_wall / frames) / (part_wall / some),
        "memory_growth_kib_per_hand": (resident_kib(whole) - resident_kib(part)) / (HANDS * 3 / 4),
        "frames": frames,
        "verify_us_per_frame": verify_wall / frames * 1e6,
        "audit_us_per_frame": audit_wall / frames * 1e6,
    }


def main() -> None:
    for name, figure in run().items():
        target, relation = TARGETS.get(name, (None, ""))
        print(f"{name:34} {figure:10.3f}" + ("" if target is None else f"   target: {relation} {target:g}"))


if __name__ == "__main__":
    main()
