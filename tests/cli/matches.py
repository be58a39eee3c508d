"""Whole hex matches played in memory, the same bytes for the same arguments, and ways to spoil them."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator

from dealerless.crypto.ed25519 import SigningKey
from dealerless.games import GAMES
from dealerless.games.game import Option
from dealerless.protocol.envelope import encode_body
from dealerless.protocol.events import Accepted, Acted, Event, Mucked, Offered
from dealerless.protocol.records import MAGIC, decode_frame, encode_frame, encode_record, signed_text
from dealerless.protocol.seeds import MemorySecrets
from dealerless.protocol.session import Session

Choose = Callable[[int, tuple[Option, ...]], Option]

KEYS = (SigningKey(bytes([1]) * 32), SigningKey(bytes([2]) * 32))


def stream(label: str) -> Callable[[int], bytes]:
    """Return a source of bytes that is the same for the same label."""
    counter = iter(range(1_000_000_000))
    return lambda size: hashlib.sha512(f"{label} {next(counter)}".encode()).digest()[:size]


def by_chance(seed: int) -> Choose:
    """Return a player of any legal move, without draws from anything shared."""
    rng = random.Random(seed)
    return lambda seat, options: rng.choice(options)


def named(*names: str) -> Choose:
    """Return a player that makes these moves in turn, both seats' together, and then the first legal one."""
    wanted: Iterator[str] = iter(names)

    def choose(seat: int, options: tuple[Option, ...]) -> Option:
        name = next(wanted, options[0].name)
        return next(option for option in options if option.name == name)

    return choose


def offer(
    *,
    hands: int = 3,
    suite: str = "sha256",
    bet: int = 10,
    depth: int = 5,
    show: str = "all",
    names: tuple[str, str] = ("Ann", "Bob"),
) -> Offered:
    return Offered(
        game="hex",
        dealing="hash",
        suite=suite,
        hands=hands,
        rules=(bet, depth, show),
        players=tuple((key.public.key, name) for key, name in zip(KEYS, names, strict=True)),
        witnesses=(),
        threshold=0,
        expires=2_000_000_000,
        nonce=bytes(range(32)),
    )


class Match:
    """Two sessions on one wire; `frames` is what went over it."""

    def __init__(self, terms: Offered, label: str = "match") -> None:
        self.sessions = [
            Session(key, MemorySecrets(stream(f"{label} {seat}")), GAMES, ("sha256", "md5"))
            for seat, key in enumerate(KEYS)
        ]
        self.frames: list[bytes] = []
        self.say(0, terms)

    def say(self, seat: int, event: Event) -> None:
        frame = self.sessions[seat].say(event)
        self.frames.append(frame)
        self.sessions[1 - seat].receive(frame)

    def turn(self, choose: Choose, *, muck: bool = False) -> bool:
        """Let the owing seat say what it owes; return whether anything was owed."""
        for seat, session in enumerate(self.sessions):
            owed = session.owed
            if owed is None:
                continue
            event = session.due()
            if event is None and owed.kinds[0] is Accepted:
                event = Accepted(nonce=bytes([7]) * 32, channel=b"")
            if event is None and owed.kinds[0] is Acted:
                option = choose(seat, session.legal())
                event = Acted(move=option.name, amount=option.least)
            if event is None:
                event = Mucked() if muck else session.show()
            self.say(seat, event)
            return True
        return False

    def forge(self, seat: int, event: Event) -> None:
        """Add what `seat` signs although the table refuses it."""
        state = self.sessions[seat].state
        body = encode_body(state.agreed.session, state.seq, seat, state.head, event)
        self.frames.append(encode_frame(body, KEYS[seat].sign(signed_text(body))))

    @property
    def transcript(self) -> bytes:
        return transcript(self.frames)


def transcript(frames: list[bytes]) -> bytes:
    return MAGIC + b"".join(encode_record(frame) for frame in frames)


def frames_of(data: bytes) -> list[bytes]:
    frames, offset = [], len(MAGIC)
    while offset < len(data):
        size = int.from_bytes(data[offset : offset + 4], "big")
        frames.append(data[offset + 4 : offset + 4 + size])
        offset += 4 + size
    return frames


def bodies(frames: list[bytes]) -> list[bytes]:
    return [decode_frame(frame)[0] for frame in frames]


def play(choose: Choose | None = None, *, muck: bool = False, terms: Offered | None = None) -> Match:
    """Return a match played to its end."""
    match = Match(offer() if terms is None else terms)
    while match.turn(by_chance(1) if choose is None else choose, muck=muck):
        pass
    return match


def until_move(terms: Offered | None = None) -> Match:
    """Return a match in which seat 1 is to make the first move."""
    match = Match(offer() if terms is None else terms)
    while not any(session.legal() for session in match.sessions):
        match.turn(by_chance(1))
    return match
