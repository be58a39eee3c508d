"""Files that are made to be expensive: junk that begins as a transcript, and the longest hand that is legal.

Run it with `python benchmarks/bench_junk.py [--depth N]`. Every audit is a fresh process: its processor time, of which
starting Python is a part, and its peak memory. What is legal is bounded: a match has at most 10 000 hands, a stack at
most 10 000 bets (ENC-6, HEX-2), and a hand at most three moves for each bet in a stack: CHECK, BET, CALL over and over,
since a CALL does not end it, and only a bet that is called comes off both stacks (HEX-8).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dealerless.crypto.ed25519 import SigningKey
from dealerless.encoding import encode
from dealerless.games import GAMES
from dealerless.games.hex import MAX_DEPTH
from dealerless.protocol import Accepted, Acted, MemorySecrets, Offered, Phase, Session
from dealerless.protocol.limits import MAX_HANDS
from dealerless.protocol.records import MAGIC, MAX_RECORD, encode_record

SIZE = 200_000_000  # bytes of junk
TARGETS = {"junk_seconds": (2.0, "at most"), "junk_resident_mib": (200.0, "at most")}
# Around a match: offer, acceptance, two readies, two settlements. Around a hand's moves: its start, two commitments,
# two layouts, two openings.
AROUND_MATCH, AROUND_HAND, MOVES_A_BET = 6, 7, 3


def longest_hand(keys: list[SigningKey], depth: int) -> Iterator[bytes]:
    """The frames of one hand of as many moves as there can be: CHECK, BET, CALL until both stacks are empty."""
    table = [Session(key, MemorySecrets(os.urandom), GAMES) for key in keys]
    event: object = Offered(
        game="hex",
        dealing="hash",
        suite="sha256",
        hands=1,
        rules=(1, depth, "all"),
        players=tuple([(key.public.key, "\U0001f0a1" * 32) for key in keys]),
        witnesses=(),
        threshold=0,
        expires=4102444800,
        nonce=os.urandom(32),
    )
    seat, last = 0, ""
    while True:
        frame = table[seat].say(event)  # type: ignore[arg-type]
        table[1 - seat].receive(frame)
        yield frame
        owed = table[0].state.owed
        if owed is None:
            return
        seat = owed.seat
        event = table[seat].due()
        if event is None and table[seat].state.phase is Phase.ACCEPTING:
            event = Accepted(nonce=os.urandom(32), channel=b"")
        elif event is None:
            options = {option.name: option for option in table[seat].legal()}
            name = "CALL" if "CALL" in options else "BET" if last == "CHECK" else "CHECK"
            last = name
            event = Acted(move=name, amount=options[name].least)


def junk(opening: bytes) -> dict[str, Callable[[], Iterator[bytes]]]:
    """What 200 MB of junk may begin with, by name; each gives its bytes in pieces."""
    noise = os.urandom(1 << 20)
    valid = MAGIC + encode_record(opening)
    garbage = encode_record(noise[:MAX_RECORD])
    frame = encode((noise[: MAX_RECORD - 80], bytes(64)))
    nested = encode_record(encode((b"\x91" * (MAX_RECORD - 80), bytes(64))))
    arrays = encode_record((b"\xdc\xff\xff" * MAX_RECORD)[:MAX_RECORD])

    def file(start: bytes, piece: bytes) -> Callable[[], Iterator[bytes]]:
        def pieces() -> Iterator[bytes]:
            yield start
            for _ in range(SIZE // len(piece)):
                yield piece

        return pieces

    return {
        "noise behind the offer": file(valid, noise),
        "largest records of noise": file(MAGIC, garbage),
        "the same behind the offer": file(valid, garbage),
        "frames of noise behind it": file(valid, encode_record(frame)),
        "nested arrays in frames": file(valid, nested),
        "long arrays without end": file(valid, arrays),
        "zeros behind the offer": file(valid, bytes(1 << 20)),
    }


def audited(pieces: Iterable[bytes]) -> tuple[float, float, str]:
    """Processor seconds, peak resident MiB, and the verdict of a fresh process that audits a file of these pieces."""
    with tempfile.NamedTemporaryFile() as file:
        for piece in pieces:
            file.write(piece)
        file.flush()
        code = (
            "import resource, sys; from dealerless.referee import replay;"
            "v = replay(open(sys.argv[1], 'rb'), on_hand=lambda _: None);"
            "d = v.damage;"
            "u = resource.getrusage(resource.RUSAGE_SELF);"
            "print(u.ru_utime + u.ru_stime, u.ru_maxrss, v.outcome.value, v.frames, d and d.reason)"
        )
        done = subprocess.run([sys.executable, "-c", code, file.name], capture_output=True, text=True, check=True)
    seconds, resident, verdict = done.stdout.strip().split(" ", 2)
    return float(seconds), int(resident) / 1024, verdict


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--depth", type=int, default=1000, help="bets that a stack holds in the longest hand")
    options = parser.parse_args()
    keys = [SigningKey(os.urandom(32)) for _ in range(2)]
    frames = list(longest_hand(keys, options.depth))
    idle, resting, _ = audited([MAGIC])
    print(f"{'a fresh process, nothing to read':34} {idle:8.2f} s {resting:8.1f} MiB")
    worst, most = 0.0, 0.0
    for name, pieces in junk(frames[0]).items():
        seconds, resident, verdict = audited(pieces())
        worst, most = max(worst, seconds), max(most, resident)
        print(f"{name:34} {seconds:8.2f} s {resident:8.1f} MiB   {verdict}")
    for figure, (label, (target, relation)) in zip((worst, most), TARGETS.items(), strict=True):
        print(f"{label:34} {figure:10.3f}   target: {relation} {target:g}")
    for depth in (options.depth, MAX_DEPTH):
        frames = list(longest_hand(keys, depth))
        moves = len(frames) - AROUND_MATCH - AROUND_HAND
        if moves != MOVES_A_BET * depth:
            raise RuntimeError("the longest hand is not as long as it should be")
        seconds, resident, verdict = audited([MAGIC, *map(encode_record, frames)])
        each, size = (seconds - idle) / len(frames), sum(map(len, frames)) / len(frames)
        print(f"{f'a hand of {moves} moves':34} {seconds:8.2f} s {resident:8.1f} MiB   {verdict}")
        print(f"{'':34} {1 / each:8.0f} messages/s, {size:.0f} bytes each")
    # The longest match: as many hands as an offer may name, each as long as the last one.
    messages = AROUND_MATCH + MAX_HANDS * (len(frames) - AROUND_MATCH)
    print(f"bound of what is legal: {messages:.2g} messages, {messages * size / 1e9:.0f} GB,")
    print(f"  {messages * each / 3600:.0f} hours at this speed, {resident:.0f} MiB whatever the number of hands")


if __name__ == "__main__":
    main()
