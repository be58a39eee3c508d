"""Checks every vector in tests/vectors with nothing of `dealerless`: a second reading of this specification.

`python spec/check_vectors.py [FOLDER]` prints what does not hold and exits with 1 if anything does not. It needs
hashlib, msgpack and the bare Ed25519 equation of `cryptography`; keys, signatures, cards, betting, showdown, accounts
and verdicts of two-seat hex poker are worked out here once more, as plainly as possible and without a thought of speed.
One file, so that it can be taken along alone.
"""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import sys
from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, NamedTuple

import msgpack
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

JSON = dict[str, Any]
MAGIC = b"dealerless transcript 1\n"
ZERO = bytes(32)
CHIPS = 2**53 - 1


class Damage(Exception):
    """A record that blames nobody: its reason, and the defect behind it."""

    def __init__(self, code: str, detail: str | None = None) -> None:
        super().__init__(code)
        self.code, self.detail = code, detail


class Fault(Exception):
    """A rule broken: code and clause."""

    def __init__(self, code: str, clause: str) -> None:
        super().__init__(code)
        self.code, self.clause = code, clause


# --- ENC: values --------------------------------------------------------------------------------------------


def unpack(data: bytes) -> Any:
    """ENC-2: the value of canonical bytes, its types still unread."""
    limits = {"max_map_len": 0, "max_ext_len": 0, "max_array_len": 4096}
    try:
        value = msgpack.unpackb(data, use_list=False, raw=False, **limits)
        again = msgpack.packb(value)
    except Exception as error:
        raise Fault("encoding.malformed", "ENC-2") from error
    if again != data:
        raise Fault("encoding.non-canonical", "ENC-2")
    return value


def check_types(value: Any, depth: int = 0) -> None:
    """ENC-1: nothing but bool, int, str, bin and arrays, at most eight deep."""
    if type(value) is tuple:
        if depth == 8:
            raise Fault("encoding.too-deep", "ENC-2")
        for item in value:
            check_types(item, depth + 1)
    elif type(value) not in (bool, int, str, bytes):
        raise Fault("encoding.wrong-type", "ENC-2")


def integer(least: int, most: int) -> Callable[[Any], None]:
    def check(value: Any) -> None:
        if type(value) is not int:
            raise Fault("encoding.wrong-type", "ENC-2")
        if not least <= value <= most:
            raise Fault("encoding.out-of-range", "ENC-6")

    return check


def sized(kind: type[tuple[Any, ...]] | type[str] | type[bytes], *lengths: int) -> Callable[[Any], None]:
    def check(value: Any) -> None:
        if type(value) is not kind:
            raise Fault("encoding.wrong-type", "ENC-2")
        if len(value) not in lengths:
            raise Fault("encoding.wrong-length", "ENC-2")

    return check


def points(per: int, least: int, most: int) -> Callable[[Any], None]:
    """ENC-4: `least` to `most` items of `per` times 32 bytes in one bin."""
    return sized(bytes, *range(32 * per * least, 32 * per * most + 1, 32 * per))


def array(item: Callable[[Any], None], least: int, most: int) -> Callable[[Any], None]:
    def check(value: Any) -> None:
        sized(tuple, *range(least, most + 1))(value)
        for element in value:
            item(element)

    return check


def player(value: Any) -> None:
    sized(tuple, 2)(value)
    hash32(value[0])
    sized(str, *range(33))(value[1])


def no_show(value: Any) -> None:
    sized(tuple, 6)(value)
    for reader, field in zip((integer(0, 8), *(moment,) * 3, *(sized(bytes, 64),) * 2), value, strict=True):
        reader(field)


def absence(value: Any) -> None:
    sized(tuple, 2)(value)
    integer(0, 8)(value[0])
    array(no_show, 1, 9)(value[1])


def scalar(value: Any) -> None:
    if type(value) not in (bool, int, str):
        raise Fault("encoding.wrong-type", "ENC-2")


hash32 = sized(bytes, 32)
word = sized(str, *range(17))
moment, week = integer(0, 253_402_300_799_000), integer(0, 604_800)
stacks, nets = array(integer(0, CHIPS), 2, 9), array(integer(-CHIPS, CHIPS), 2, 9)
# ENC-4's table: kind, cap in bytes, fields.
KINDS: dict[str, tuple[int, tuple[Callable[[Any], None], ...]]] = {
    "offer": (
        8192,
        (
            *(word, word, sized(str, *range(25)), integer(1, 10_000), array(scalar, 0, 16), array(player, 2, 9)),
            *(array(hash32, 0, 9), integer(0, 9), week, week, integer(0, 253_402_300_799), hash32),
        ),
    ),
    "accept": (512, (hash32, sized(bytes, 0, 32))),
    "ready": (512, ()),
    "hand": (512, (integer(1, 10_000), integer(0, 8), stacks, nets)),
    "commit": (512, (hash32, hash32)),
    "layout": (512, (hash32,)),
    "key": (512, (hash32, sized(bytes, 64))),
    "shuffle": (32768, (points(2, 2, 160), points(1, 13, 645))),
    "share": (2048, (points(1, 1, 40), sized(bytes, 64))),
    "act": (1024, (sized(str, *range(9)), integer(-(2**63), 2**64 - 1), points(1, 0, 20))),
    "exchange": (512, (array(integer(0, 159), 0, 5),)),
    "lot": (512, (hash32,)),
    "lot-open": (512, (hash32,)),
    "class": (4096, (array(integer(0, 1), 1, 2), points(2, 1, 56))),
    "lay": (512, (sized(bytes, 128), sized(bytes, 192))),
    "show": (512, (hash32,)),
    "reveal": (1024, (points(1, 1, 5), points(2, 1, 5))),
    "muck": (512, ()),
    "settle": (512, (hash32, stacks, nets)),
    "leave": (512, ()),
    "expel": (16384, (integer(0, 8), hash32, array(absence, 0, 8))),
}


def tagged(tag: bytes, *fields: Any) -> bytes:
    """SIG-3: the bytes a witness signs."""
    return b"".join([b"dealerless/1 ", tag, b"\x00", msgpack.Packer().pack(fields) or b""])


def read_body(body: bytes) -> tuple[Any, ...]:
    """ENC-4: the seven elements of a well-formed body."""
    if len(body) > max(cap for cap, _ in KINDS.values()):
        wrong("encoding.too-large", "ENC-6")
    value = unpack(body)
    if type(value) is not tuple or len(value) != 7:
        wrong("encoding.wrong-length")
    if [type(element) for element in value[:5]] != [int, bytes, int, int, bytes]:
        wrong("encoding.wrong-type")
    kind, fields = value[5:]
    if type(kind) is not str or kind not in KINDS:
        wrong("encoding.unknown-kind")
    cap, readers = KINDS[kind]
    if len(body) > cap:
        wrong("encoding.too-large", "ENC-6")
    sized(tuple, len(readers))(fields)
    for reader, field in zip(readers, fields, strict=True):
        reader(field)
    return tuple(value)


def wrong(code: str, clause: str = "ENC-2") -> None:
    raise Fault(code, clause)


def read_header(body: bytes) -> tuple[Any, ...]:
    """VERDICT-1: the first five elements, canonical or not."""
    unpacker = msgpack.Unpacker(use_list=False, raw=False, max_map_len=0, max_ext_len=0)
    try:
        unpacker.feed(body)
        size = unpacker.read_array_header()
        header = tuple([unpacker.unpack() for _ in range(5)]) if size >= 5 else ()
    except Exception as error:
        raise Damage("record.no-header") from error
    if [type(element) for element in header] != [int, bytes, int, int, bytes]:
        raise Damage("record.no-header")
    return header


def read_frames(data: bytes) -> Generator[bytes, None, None]:
    """ENC-5: magic line, then records of four length bytes and a frame."""
    if not data:
        return
    if not data.startswith(MAGIC):
        raise Damage("record.truncated" if MAGIC.startswith(data) else "record.not-a-transcript")
    place = len(MAGIC)
    while place < len(data):
        size = int.from_bytes(data[place : place + 4], "big")
        if place + 4 > len(data):
            raise Damage("record.truncated")
        if not 1 <= size <= 262_144:
            raise Damage("record.too-large")
        if place + 4 + size > len(data):
            raise Damage("record.truncated")
        yield data[place + 4 : place + 4 + size]
        place += 4 + size


def read_frame(frame: bytes) -> tuple[bytes, bytes]:
    """ENC-3: body and signature."""
    try:
        value = unpack(frame)
        sized(tuple, 2)(value)
        sized(bytes, len(value[0]))(value[0])
        sized(bytes, 64)(value[1])
    except (Fault, TypeError) as fault:
        raise Damage("record.not-a-frame") from fault
    return value[0], value[1]


# --- SIG ----------------------------------------------------------------------------------------------------

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Point = tuple[int, int]


def add(a: Point, b: Point) -> Point:
    """The sum of two points, straight from the curve's law."""
    t = D * a[0] * b[0] * a[1] * b[1] % P
    x = (a[0] * b[1] + a[1] * b[0]) * pow(1 + t, -1, P) % P
    y = (a[1] * b[1] + a[0] * b[0]) * pow(1 - t, -1, P) % P
    return x, y


def times(n: int, point: Point) -> Point:
    result = (0, 1)
    while n:
        if n & 1:
            result = add(result, point)
        point, n = add(point, point), n >> 1
    return result


def root(y: int) -> int | None:
    """An x on the curve at this y, or None."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    for candidate in (x, x * pow(2, (P - 1) // 4, P) % P):
        if candidate * candidate % P == square:
            return candidate
    return None


def torsion() -> list[Point]:
    """The eight points of small order: multiples of what is left of a point of order 8L."""
    for y in range(2, 100):
        if (x := root(y)) is not None and times(4 * L, (x, y)) != (0, 1):
            return [times(n * L, (x, y)) for n in range(8)]
    raise RuntimeError("the curve is not the one it was")


SMALL_ORDER_Y = {y for _, y in torsion()}
CHECKED: dict[bytes, str | None] = {}


def key_defect(key: bytes) -> str | None:
    """SIG-1: why these bytes are no key, or None."""
    if key not in CHECKED:
        CHECKED[key] = _key_defect(key)
    return CHECKED[key]


def _key_defect(key: bytes) -> str | None:
    number = int.from_bytes(key, "little")
    sign, y = number >> 255, number % 2**255
    if len(key) != 32 or y >= P:
        return "signature.non-canonical-key"
    x = root(y)
    if x is None:
        return "signature.weak-key"
    if x == 0 and sign:
        return "signature.non-canonical-key"
    point = (x if x % 2 == sign else P - x, y)
    return None if point != (0, 1) and times(L, point) == (0, 1) else "signature.weak-key"


def signature_defect(key: bytes, message: bytes, signature: bytes) -> str | None:
    """SIG-2: why this is no signature of the key on the message, or None."""
    if (defect := key_defect(key)) is not None:
        return defect
    if len(signature) != 64 or int.from_bytes(signature[32:], "little") >= L:
        return "signature.invalid"
    if int.from_bytes(signature[:32], "little") % 2**255 % P in SMALL_ORDER_Y:
        return "signature.invalid"
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except InvalidSignature:
        return "signature.invalid"
    return None


# --- COMMIT, HASHDEAL, HEX: from seeds to a winner ----------------------------------------------------------


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def commit_line(purpose: str, session: bytes, hand: int, seat: int, seed: bytes) -> str:
    return f"dealerless/1 commit {purpose} {session.hex()} {hand:05d} {seat} {seed.hex()}"


def deal_line(suite: str, session: bytes, hand: int, layouts: list[bytes]) -> str:
    return f"dealerless/1 hex-deal {suite} {session.hex()} {hand} {layouts[0].hex()} {layouts[1].hex()}"


def hole_line(suite: str, session: bytes, hand: int, deal: str, seat: int, seed: bytes) -> str:
    return f"dealerless/1 hex-hole {suite} {session.hex()} {hand} {deal} {seat} {seed.hex()}"


def digest(suite: str, line: str) -> str:
    return {"sha256": hashlib.sha256, "md5": hashlib.md5}[suite](line.encode("ascii")).hexdigest()


CLASSES = ("0", "2", "22", "3", "3+", "32", "4", "5")


def strength(five: tuple[str, ...]) -> tuple[int, list[int], str]:
    """HEX-10, HEX-11: class, deciding values, and the five in the order in which they are reported."""
    values = [int(card, 16) for card in five]
    groups = sorted(Counter(values).items(), key=lambda group: (-group[1], -group[0]))
    shape = [count for _, count in groups]
    ordered = [value for value, count in groups for _ in range(count)]
    straight = len(groups) == 5 and max(values) - min(values) == 4
    names = {(5,): "5", (4, 1): "4", (3, 2): "32", (3, 1, 1): "3", (2, 2, 1): "22", (2, 1, 1, 1): "2"}
    symbol = "3+" if straight else names.get(tuple(shape), "0")
    return CLASSES.index(symbol), ordered, f"{symbol},{''.join([f'{value:x}' for value in ordered])}"


def strongest(seven: str) -> tuple[int, list[int], str]:
    """HEX-12."""
    found = max([strength(five) for five in itertools.combinations(seven, 5)])
    return *found[:2], f"{found[2]},{seven}"


# --- CHAIN: a match of two, as a dialogue -------------------------------------------------------------------


class Owed(NamedTuple):
    """Who owes what: `check` raises Fault on fields that the rules refuse."""

    seat: int
    kinds: tuple[str, ...]
    phase: str
    check: Callable[[str, Any], None]


Dialogue = Generator[Owed, tuple[str, Any], None]
# CHAIN-1: what may be said at all in a phase; and openings that come too soon (COMMIT-3, SHOW-2).
SAID = {
    "hand": ("hand", "leave", "expel"),
    "commit": ("commit", "expel"),
    "layout": ("layout", "expel"),
    "act": ("act", "expel"),
    "show": ("show", "muck", "expel"),
}
EARLY = {
    ("commit", "layout"): "COMMIT-3",
    ("commit", "show"): "COMMIT-3",
    ("layout", "show"): "COMMIT-3",
    ("act", "show"): "SHOW-2",
    ("act", "reveal"): "SHOW-2",
}
FOLLOWS = {
    None: ("CHECK", "BET", "ALLIN"),
    "CHECK": ("CHECK", "BET", "ALLIN"),
    "CALL": ("CHECK", "BET", "ALLIN"),
    "BET": ("CALL", "RAISE", "ALLIN", "FOLD"),
    "RAISE": ("CALL", "RAISE", "ALLIN", "FOLD"),
    "ALLIN": ("ALLIN", "FOLD"),
}
MOVES = ("CHECK", "BET", "CALL", "RAISE", "ALLIN", "FOLD")


def nothing(kind: str, fields: Any) -> None:
    """No check beyond turn and kind."""


class Table:
    """What anybody at the table knows. `play` says what is owed and takes what was said, to the end of the match."""

    said, early = SAID, EARLY

    def __init__(self) -> None:
        self.offer: Any = None
        self.session, self.head, self.seq = ZERO, ZERO, 0
        self.bodies: list[bytes] = []
        self.stacks, self.net, self.hands = [0, 0], [0, 0], list[JSON]()
        self.hand: JSON | None = None
        self.pot, self.behind, self.start = [0, 0], [0, 0], [0, 0]
        self.seen: set[bytes] = set()
        self.forfeits: list[list[int]] = []
        self.settled: list[int] = []
        self.end: bytes | None = None
        self.gone: set[int] = set()

    def play(self) -> Dialogue:
        _, self.offer = yield Owed(0, ("offer",), "offer", check_terms)
        self.bet, self.depth, self.show = self.offer[4]
        self.whole = self.bet * (1 + self.depth)
        self.stacks = self.start = [self.whole, self.whole]
        yield Owed(1, ("accept",), "accept", nothing)
        for seat in (0, 1):
            yield Owed(seat, ("ready",), "ready", nothing)
        number = 0
        while number < self.offer[3] and not self.gone:
            button = number % 2
            start = (number + 1, button, (self.whole,) * 2, tuple(self.net))
            kind, _ = yield Owed(button, ("hand", "leave"), "hand", same("hand", start, "chain.wrong-hand", "CHAIN-4"))
            if kind == "leave":
                self.gone.add(button)
                break
            number += 1
            self.behind, self.pot = [self.bet * self.depth] * 2, [self.bet] * 2
            self.hand = {"number": number, "board": "?????", "hole": [None, None], "winners": [], "changes": []}
            self.hand["result"] = "running"
            yield from self.one_hand(number, button)
        self.end = self.head
        final = (self.end, tuple(self.stacks), tuple(self.net))
        for seat in sorted({0, 1} - self.gone, key=lambda seat: (self.stacks[seat] == 0, seat)):
            yield Owed(seat, ("settle",), "settle", same("settle", final, "settle.wrong", "CHAIN-3"))
            self.settled.append(seat)

    def one_hand(self, number: int, button: int) -> Dialogue:
        suite, said = self.offer[2], list[tuple[bytes, bytes]]()
        for seat in (0, 1):
            used = {commitment for pair in said for commitment in pair}

            def fresh(kind: str, fields: Any, used: set[bytes] = used) -> None:
                if len({*used, *fields}) < len(used) + 2:
                    raise Fault("commit.duplicate", "COMMIT-3")

            _, pair = yield Owed(seat, ("commit",), "commit", fresh)
            said.append(pair)
        layouts: list[bytes] = []
        for seat in (0, 1):
            _, (seed,) = yield Owed(seat, ("layout",), "layout", self.opens("layout", number, seat, said[seat][0]))
            self.seen.add(seed)
            layouts.append(seed)
        deal = digest(suite, deal_line(suite, self.session, number, layouts))
        assert self.hand is not None
        self.hand["board"] = deal[:5]
        first, folder = yield from self.betting(1 - button)
        if folder is not None:
            return self.close([1 - folder], "fold")
        claims, mucked = [0, 1], list[int]()
        for seat in (first, 1 - first):
            may = self.show == "muck" and seat != first and all(self.behind)
            kind, fields = yield Owed(
                seat,
                ("show", "muck") if may else ("show",),
                "show",
                self.opens("hole", number, seat, said[seat][1], may_muck=may),
            )
            if kind == "muck":
                mucked.append(seat)
                continue
            self.seen.add(fields[0])
            self.hand["hole"][seat] = digest(suite, hole_line(suite, self.session, number, deal, seat, fields[0]))[:2]
        claims = [seat for seat in claims if seat not in mucked]
        if len(claims) == 2:
            ranks = [strongest(deal[:5] + hole)[:2] for hole in self.hand["hole"]]
            claims = [seat for seat in claims if ranks[seat] == max(ranks)]
        return self.close(claims, "showdown")

    def betting(self, opener: int) -> Generator[Owed, tuple[str, Any], tuple[int, int | None]]:
        """HEX-5 to HEX-8: who shows first, and who folded."""
        last: str | None = None
        seat, checks, first = opener, 0, opener
        while True:
            owed = self.pot[1 - seat] - self.pot[seat]
            _, (move, amount, _) = yield Owed(seat, ("act",), "act", self.legal(seat, owed, last))
            self.behind[seat] -= amount
            self.pot[seat] += amount
            checks = checks + 1 if move == "CHECK" else 0
            if move == "FOLD":
                return first, seat
            if amount > owed:
                first = seat
            if checks == 2 or (self.pot[0] == self.pot[1] and not any(self.behind)):
                return first, None
            last, seat = move, 1 - seat

    def legal(self, seat: int, owed: int, last: str | None) -> Callable[[str, Any], None]:
        stack, bet = self.behind[seat], self.bet
        puts = {"CHECK": 0, "BET": bet, "CALL": owed, "RAISE": owed + bet, "ALLIN": stack, "FOLD": 0}

        def check(kind: str, fields: Any) -> None:
            move, amount, released = fields
            if move not in MOVES:
                raise Fault("bet.not-a-move", "HEX-6")
            if not owed and move in ("CALL", "RAISE", "FOLD"):
                raise Fault("bet.nothing-owed", "HEX-6")
            if owed and move in ("CHECK", "BET"):
                raise Fault("bet.chips-owed", "HEX-6")
            if move not in FOLLOWS[last]:
                raise Fault("bet.not-allowed", "HEX-7")
            if move in ("BET", "RAISE") and puts[move] > stack:
                raise Fault("bet.over-stack", "HEX-6")
            if amount != puts[move]:
                raise Fault("bet.over-stack" if amount > stack else "bet.wrong-amount", "HEX-6")
            if released:
                raise Fault("deck.wrong-release", "DECK-9")

        return check

    def opens(
        self, purpose: str, hand: int, seat: int, commitment: bytes, may_muck: bool = False
    ) -> Callable[[str, Any], None]:
        """COMMIT-2, COMMIT-3: the seed opens the commitment and is new here; SHOW-2: or the seat may muck."""

        def check(kind: str, fields: Any) -> None:
            if kind == "muck":
                if not may_muck:
                    raise Fault("show.may-not-muck", "SHOW-2")
                return
            line = commit_line(purpose, self.session, hand, seat, fields[0])
            if sha256(line.encode("ascii")) != commitment:
                raise Fault("commit.wrong-opening", "COMMIT-2")
            if fields[0] in self.seen:
                raise Fault("commit.seed-reuse", "COMMIT-3")

        return check

    def close(self, winners: list[int], result: str) -> None:
        """HEX-9, HEX-13: the pot is paid and the net brought forward."""
        assert self.hand is not None
        self.stacks = [left + sum(self.pot) // len(winners) * (s in winners) for s, left in enumerate(self.behind)]
        changes = [stack - start for stack, start in zip(self.stacks, self.start, strict=True)]
        self.net = [total + change for total, change in zip(self.net, changes, strict=True)]
        self.hand |= {"winners": winners, "changes": changes, "result": result}
        self.hands.append(self.hand)
        self.hand = None

    def forfeit(self, seat: int, seq: int) -> None:
        """VERDICT-4b: the seat loses what it has in the pot and is out of the match."""
        self.gone.add(seat)
        if self.hand is not None:
            fine = self.fine(seat)
            self.forfeits.append([seat, seq, self.hand["number"], self.pot[seat] + fine])
            self.behind[seat] -= fine
            self.behind[1 - seat] += fine
            self.close([1 - seat], "forfeit")

    def fine(self, seat: int) -> int:
        """What being expelled costs beyond the pot: in this game nothing."""
        return 0


def same(kind: str, expected: Any, code: str, clause: str) -> Callable[[str, Any], None]:
    def check(said: str, fields: Any) -> None:
        if said == kind and fields != expected:
            raise Fault(code, clause)

    return check


def check_terms(kind: str, offer: Any) -> None:
    """ENC-4, HEX-2, SIG-1: what nobody may accept, in this order."""
    game, dealing, suite, _, rules, players, witnesses, threshold, move, bank = offer[:10]
    keys = [key for key, _ in players] + list(witnesses)
    refusals = [
        (game != "hex", "terms.unknown-game"),
        (dealing != "hash", "terms.unknown-dealing"),
        (suite not in ("sha256", "md5"), "terms.unknown-suite"),
        (len(players) != 2, "terms.seats"),
        ((threshold == 0) != (not witnesses) or threshold > len(witnesses), "terms.witness-threshold"),
        ((move == 0) != (threshold == 0) or (bank > 0 and threshold == 0), "terms.witness-times"),
        ([type(rule) for rule in rules] != [int, int, str], "terms.malformed"),
    ]
    for refused, code in refusals:
        if refused:
            raise Fault(code, "")
    bet, depth, show = rules
    if not 1 <= depth <= 10_000 or bet < 1 or 2 * bet * (1 + depth) > CHIPS:
        raise Fault("terms.out-of-range", "ENC-6")
    if show not in ("all", "muck"):
        raise Fault("terms.unknown-show-rule", "SHOW-2")
    if len(set(keys)) < len(keys):
        raise Fault("signature.duplicate-key", "SIG-1")
    for key in keys:
        if (defect := key_defect(key)) is not None:
            raise Fault(defect, "SIG-1")


# --- VERDICT ------------------------------------------------------------------------------------------------


class Judge:
    """VERDICT-1, VERDICT-2: takes frames one by one, up to the first that ends the judged prefix."""

    def __init__(self, table: Table | None = None) -> None:
        self.table = table or Table()
        self.dialogue = self.table.play()
        self.owed: Owed | None = next(self.dialogue)
        self.fault: JSON | None = None
        self.refused: list[tuple[int, bytes]] = []
        self.waiting: Owed | None = None
        self.twice = False
        self.accused: tuple[int, int] | None = None
        self.open = False
        self.damage: Damage | None = None
        self.last: dict[int, tuple[int, bytes, bytes]] = {}
        self.record, self.frames, self.stopped = 0, 0, 0

    def read(self, data: bytes) -> None:
        try:
            for frame in read_frames(data):
                self.take(frame)
                self.record += 1
        except Damage as damage:
            self.damage, self.stopped = damage, self.record

    def take(self, frame: bytes) -> None:
        """One record; raises Damage where judging ends."""
        table = self.table
        body, signature = read_frame(frame)
        defect: Fault | None = None
        value: tuple[Any, ...] = ()
        try:
            value = read_body(body)
            version, session, seq, seat, prev = value[:5]
        except Fault as fault:
            defect = fault
            version, session, seq, seat, prev = read_header(body)
        if version != 1:
            raise Damage("record.wrong-version")
        record = sha256(b"dealerless/1 chain\x00" + body)
        if table.offer is None:
            if (session, seq, seat, prev) != (ZERO, 0, 0, ZERO):
                raise Damage("record.wrong-sequence")
            if defect is not None or value[5] != "offer":
                raise Damage("record.before-ready", defect.code if defect else "turn.wrong-kind")
            key = value[6][5][0][0]
        else:
            if session != table.session:
                raise Damage("record.foreign-session")
            if not 0 <= seat <= 1:
                raise Damage("record.unknown-seat")
            if (seq, prev) != (table.seq, table.head):
                if self.last.get(seat, ())[:2] != (seq, prev):
                    raise Damage("record.broken-link" if seq == table.seq else "record.wrong-sequence")
                if self.last[seat][2] == record:
                    raise Damage("record.duplicate")
                defect = Fault("chain.equivocation", "CHAIN-2")
            key = table.offer[5][seat][0]
        if signature_defect(key, b"dealerless/1 frame\x00" + body, signature) is not None:
            raise Damage("record.bad-signature")
        if (seat, record) in self.refused:
            raise Damage("record.duplicate")
        expels = defect is None and value[5] == "expel" and tuple(value[6][:2]) in self.refused
        if defect is None:
            try:
                self.step(seat, value[5], value[6])
            except Fault as fault:
                defect = fault
        if defect is not None:
            return self.refuse(defect, seat, seq, record, expels)
        # CHAIN-5: who owed where something was refused may have gone on before hearing of it.
        self.refused, self.accused, self.open = [], None, False
        self.last[seat] = (seq, prev, record)
        table.head, table.seq = record, seq + 1
        table.bodies.append(record)
        self.frames += 1
        if len(table.bodies) == 1:
            table.session = record
        elif len(table.bodies) == 2:
            table.session = sha256(b"dealerless/1 session\x00" + b"".join(table.bodies))
        if value[5] == "expel":
            table.forfeit(value[6][0], seq)
            if self.fault is None:
                self.fault = {"code": "witness.no-show", "clause": "VERDICT-6", "seat": value[6][0]}
            self.dialogue = table.play()
            self.owed = self.replayed()
        else:
            self.owed = next(self.answered, None)

    def replayed(self) -> Owed | None:
        """After an expulsion heads-up the match is at its end: only settlements are owed."""
        table = self.table
        table.end = table.head
        final = (table.end, tuple(table.stacks), tuple(table.net))
        (seat,) = {0, 1} - table.gone

        def settlement() -> Dialogue:
            yield Owed(seat, ("settle",), "settle", same("settle", final, "settle.wrong", "CHAIN-3"))
            table.settled.append(seat)

        self.dialogue = settlement()
        return next(self.dialogue)

    def step(self, seat: int, kind: str, fields: Any) -> None:
        """CHAIN-1: turn, kind, then the rules; what is said is answered by the dialogue after the link is made."""
        owed = self.owed
        aside = bool(self.refused) and (kind != "expel" or tuple(fields[:2]) not in self.refused)
        if aside:
            owed = self.waiting
            if seat in [author for author, _ in self.refused]:
                raise Fault("chain.equivocation", "CHAIN-2")
        if owed is None:
            raise Fault("turn.match-over", "CHAIN-3")
        early = self.table.early
        if kind not in owed.kinds and (owed.phase, kind) in early:
            raise Fault("commit.early-opening", early[owed.phase, kind])
        if seat != owed.seat and kind != "expel":
            raise Fault("turn.not-yours", "CHAIN-1")
        if kind not in self.table.said.get(owed.phase, owed.kinds):
            raise Fault(*(("chain.wrong-expulsion", "CHAIN-5") if kind == "expel" else ("turn.wrong-kind", "CHAIN-1")))
        if kind == "expel":
            if (aside or not self.refused) and fields[1] not in (ZERO, *[record for *_, record in self.last.values()]):
                raise Damage("record.refused-missing")
            return self.check_expulsion(seat, [] if aside else self.refused, owed.seat, *fields)
        owed.check(kind, fields)
        self.answered = answer(self.dialogue, kind, fields)

    def check_expulsion(
        self, signer: int, refused: list[tuple[int, bytes]], owing: int, seat: int, record: bytes, absent: Any
    ) -> None:
        """CHAIN-5: of the refused record's author, or of the seat that owes and let its time run out."""
        seats = [missing for missing, _ in absent]
        named = (seat, record, seats)
        if named not in ([(*each, []) for each in refused] or [(owing, ZERO, [owing])]):
            raise Fault("chain.wrong-expulsion", "CHAIN-5")
        for missing, words in absent:
            self.check_absence(missing, words)
        if signer != 1 - seat:
            raise Fault("turn.not-yours", "CHAIN-1")

    def check_absence(self, seat: int, words: Any) -> None:
        """VERDICT-6: as many witnesses as agreed, each with its own receipt of what made the seat owe."""
        table = self.table
        witnesses, threshold, move, bank = table.offer[6:10]
        places = [word[0] for word in words]
        if threshold == 0 or len(words) < threshold or len(set(places)) < len(places):
            raise Fault("witness.too-few", "VERDICT-6")
        for place, since, spare, at, receipt, signature in words:
            if place >= len(witnesses):
                raise Fault("witness.too-few", "VERDICT-6")
            if spare > 1000 * bank or at < since + 1000 * move + spare:
                raise Fault("witness.too-soon", "VERDICT-6")
            text = tagged(b"receipt", table.session, table.seq - 1, table.head, seat, since)
            if signature_defect(witnesses[place], text, receipt) is not None:
                raise Fault("witness.bad-receipt", "VERDICT-6")
            text = tagged(b"noshow", table.session, table.seq, table.head, seat, since, spare, at)
            if signature_defect(witnesses[place], text, signature) is not None:
                raise Fault("witness.bad-no-show", "VERDICT-6")

    def refuse(self, defect: Fault, seat: int, seq: int, record: bytes, expels: bool) -> None:
        if self.table.offer is None or len(self.table.bodies) < 4:
            raise Damage("record.before-ready", defect.code)
        again = bool(self.refused) and self.twice and defect.code == "chain.equivocation" and seat == self.refused[0][0]
        if self.refused and not expels and (seq == self.table.seq or again):
            self.refused.append((seat, record))
            return
        if self.open:
            raise Damage("unjudged")
        if self.fault is None:
            self.fault = {"code": defect.code, "clause": defect.clause, "seat": seat}
        self.open, self.accused = True, (seat, seq)
        later = defect.code == "chain.equivocation" and self.owed is not None and self.owed.seat != seat
        if self.owed is None or self.owed.phase == "settle" or later:
            self.owed = None
            return
        self.refused, self.waiting, self.twice = [(seat, record)], self.owed, defect.code == "chain.equivocation"
        self.owed = Owed(1 - seat, ("expel",), "expel", nothing)

    def account(self) -> JSON:
        """What the vectors state of a transcript."""
        table = self.table
        pending, before = None, table.stacks
        if table.hand is not None:
            running = table.hand | {"changes": [b - start for b, start in zip(table.behind, table.start, strict=True)]}
            if self.accused is not None:
                table.forfeit(*self.accused)
                table.hands[-1] = running
                before = table.stacks
            elif self.owed is not None:
                seat = self.owed.seat
                if_forfeit = list(table.behind)
                if_forfeit[seat] -= table.fine(seat)
                if_forfeit[1 - seat] += sum(table.pot) + table.fine(seat)
                table.hands.append(running)
                pending = {"pot": list(table.pot), "if_forfeit": if_forfeit}
                before = table.start
        if self.fault is not None:
            expect = "fault"
        elif table.offer is None:
            cut = self.damage is None or self.damage.code == "record.truncated"
            expect = "incomplete" if cut else "unreadable"
        else:
            expect = "clean" if table.end is not None and self.damage is None else "incomplete"
        damage = None if self.open else self.damage
        known = table.offer is not None
        fault = self.fault or {"code": damage.code if damage else None, "seat": None}
        silent = self.open or self.owed is None or expect == "unreadable"
        owes = None if silent or self.owed is None else {"seat": self.owed.seat, "kinds": list(self.owed.kinds)}
        return fault | {
            "expect": expect,
            "detail": damage.detail if damage else None,
            "frames": self.frames,
            "head": table.head.hex() if known else None,
            "session": table.session.hex() if len(table.bodies) > 1 else None,
            "hands": [{name: hand[name] for name in hand if name != "number"} for hand in table.hands],
            "stacks": before if known else [],
            "net": table.net if known else [],
            "forfeits": table.forfeits,
            "owes": owes,
            "pending": pending,
            "damage": self.stopped if damage else None,
            "unjudged": self.stopped if self.open and self.damage else None,
            "settled": table.settled,
        }


def answer(dialogue: Dialogue, kind: str, fields: Any) -> Generator[Owed, None, None]:
    """The next that is owed, asked for only once head and session are those after the message."""
    try:
        yield dialogue.send((kind, fields))
    except StopIteration:
        return


# --- the vectors --------------------------------------------------------------------------------------------


def check_transcript(vector: JSON) -> list[str]:
    judge = Judge()
    judge.read(base64.b64decode(vector["transcript"], validate=True))
    found = judge.account()
    return [f"{name}: {found[name]!r}, not {vector[name]!r}" for name in found if found[name] != vector[name]]


def as_json(value: Any) -> Any:
    if type(value) is tuple:
        return [as_json(item) for item in value]
    return {"bin": value.hex()} if type(value) is bytes else value


def check_value(vector: JSON) -> list[str]:
    try:
        value = unpack(bytes.fromhex(vector["bytes"]))
        check_types(value)
    except Fault as fault:
        return [] if fault.code == vector["code"] else [f"{fault.code}, not {vector['code']}"]
    said = json.dumps([vector["expect"], vector["value"]])
    return [] if json.dumps(["value", as_json(value)]) == said else [f"{value!r} is not what it should be"]


def check_cards(vector: JSON) -> list[str]:
    suite, session, hand = vector["suite"], bytes.fromhex(vector["session"]), vector["hand"]
    layouts = [bytes.fromhex(seed) for seed in vector["layouts"]]
    holes = [bytes.fromhex(seed) for seed in vector["holes"]]
    deal = digest(suite, deal_line(suite, session, hand, layouts))
    lines = [hole_line(suite, session, hand, deal, seat, seed) for seat, seed in enumerate(holes)]
    cards = [digest(suite, line)[:2] for line in lines]
    best = [strongest(deal[:5] + hole) for hole in cards]
    commitments = []
    for purpose, seeds in (("layout", layouts), ("hole", holes)):
        for seat, seed in enumerate(seeds):
            line = commit_line(purpose, session, hand, seat, seed)
            made = sha256(line.encode("ascii")).hex()
            commitments.append({"purpose": purpose, "seat": seat, "line": line, "sha256": made})
    found = {
        "deal_line": deal_line(suite, session, hand, layouts),
        "deal_digest": deal,
        "common": deal[:5],
        "hole_lines": lines,
        "hole_digests": [digest(suite, line) for line in lines],
        "cards": cards,
        "best": [report for _, _, report in best],
        "winners": [seat for seat in (0, 1) if best[seat][:2] == max(best)[:2]],
        "commitments": commitments,
    }
    return [f"{name}: {found[name]!r}, not {vector[name]!r}" for name in found if found[name] != vector[name]]


def check_signatures(vector: JSON) -> list[str]:
    found = []
    for case in vector["cases"]:
        key, message, signature = [bytes.fromhex(case[name]) for name in ("key", "message", "signature")]
        defect = signature_defect(key, message, signature) or "valid"
        if defect != case["expect"]:
            found.append(f"{case['name']}: {defect}, not {case['expect']}")
    return found


def check_lines(vector: JSON) -> list[str]:
    wrong_ones = []
    for case in vector["commitments"]:
        opening = [bytes.fromhex(case["session"]), case["hand"], case["seat"], bytes.fromhex(case["seed"])]
        line = commit_line(case["purpose"], *opening)
        if line != case["line"] or sha256(line.encode("ascii")).hex() != case["commitment"]:
            wrong_ones.append(line)
    return wrong_ones + [c["line"] for c in vector["digests"] if digest(c["suite"], c["line"]) != c["digest"]]


CHECKS: dict[str, Callable[[JSON], list[str]]] = {
    "transcripts/*.json": check_transcript,
    "encoding/*.json": check_value,
    "cards/*.json": check_cards,
    "ed25519*.json": check_signatures,
    "commitments*.json": check_lines,
}


def main(folder: Path) -> int:
    """Check all vectors below `folder`; return 1 if any of them, or all of a kind, fail to be there and right."""
    checked = failed = 0
    for pattern, check in CHECKS.items():
        paths = sorted(folder.glob(pattern))
        failed += not paths
        for path in paths:
            checked += 1
            defects = check(json.loads(path.read_text()))
            failed += bool(defects)
            for defect in defects:
                print(f"{path.relative_to(folder)}: {defect}")
    print(f"{checked} vector files, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(*sys.argv[1:2]) if sys.argv[1:] else Path(__file__).parent.parent / "tests" / "vectors"))
