"""Checks every vector in tests/vectors/shoe with nothing of `dealerless`: a second reading of One Poker.

`python -m spec.check_shoe [FOLDER]`, said in the folder above, prints what does not hold and exits with 1 if anything
does not. Frames, signatures, links, expulsions and words of witnesses are read by the judge of `check_vectors.py`, the
proofs by `check_deck.py` and `check_lamps.py`; here is what a match of One Poker adds: who owes what, the lot, the
shoes, what is held, lives, and who wins. Nothing is taken on trust: every field of a vector is compared, but for
`about`. The whole takes some twenty seconds: 1.2 s for each shuffle of 156 cards, 0.2 s for each lamp, each looked at
once.
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Callable, Generator
from functools import cache
from pathlib import Path
from typing import Any

from .check_deck import (
    JSON,
    NAMES,
    Context,
    Pair,
    Refused,
    card,
    check_key,
    check_opening,
    check_shares,
    check_shuffle,
    encode,
    joint,
    opened,
    pairs,
    parts,
    start_deck,
)
from .check_lamps import CODES, RANKS, check_class, check_lay, main, members
from .check_vectors import Dialogue, Fault, Judge, Owed, Table, key_defect, nothing, same, sha256

SUITE = "ristretto255-sha512"
CARDS = [name for name in NAMES["holdem"] for _ in range(3)]  # DECK-2
HALF = len(CARDS) // 2  # ONE-2
ORDER = RANKS["DOWN"] + RANKS["UP"]
CLASS = ("DOWN", "UP")
DEALT = ("lot", "lot-open", "key", "shuffle", "share", "class", "lay", "act")
# CHAIN-1: what may be said at all in a phase; and openings that come too soon.
SAID = {
    "hand": ("hand", "leave", "expel"),
    **{phase: (phase, "expel") for phase in DEALT},
    "reveal": ("reveal", "muck", "expel"),
}
EARLY = {
    **{(phase, "reveal"): "SHOW-2" for phase in DEALT},
    ("lot", "lot-open"): "COMMIT-3",
    ("act", "show"): "SHOW-2",
}
BY_CARD = {encode(card("onepoker", name)): name for name in NAMES["holdem"]}


def check_terms(kind: str, offer: Any) -> None:
    """ENC-4, ONE-1, SIG-1: what nobody may accept, in this order."""
    game, dealing, suite, _, rules, players, witnesses, threshold, move, bank = offer[:10]
    keys = [key for key, _ in players] + list(witnesses)
    whole = [type(rule) for rule in rules] == [int, int]
    refusals = [
        (game != "onepoker", "terms.unknown-game"),
        (dealing != "shoe", "terms.unknown-dealing"),
        (suite != SUITE, "terms.unknown-suite"),
        (len(players) != 2, "terms.seats"),
        ((threshold == 0) != (not witnesses) or threshold > len(witnesses), "terms.witness-threshold"),
        ((move == 0) != (threshold == 0) or (bank > 0 and threshold == 0), "terms.witness-times"),
        (not whole, "terms.malformed"),
        (whole and not all(1 <= lives <= 10_000 for lives in rules), "terms.out-of-range"),
        (len(set(keys)) < len(keys), "signature.duplicate-key"),
        *[(key_defect(key) is not None, key_defect(key) or "") for key in keys],
    ]
    for refused, code in refusals:
        if refused:
            raise Fault(code, "")


@cache
def defect(check: Callable[..., JSON], *statement: Any) -> tuple[str, str] | None:
    """Why a proof is refused: code and clause. Many transcripts begin with the same proofs."""
    try:
        check(*statement)
    except Refused as refused:
        return str(refused), refused.clause or CODES[str(refused)]
    return None


def prove(check: Callable[..., JSON], *statement: Any) -> None:
    """Raise Fault if a proof does not hold."""
    if (refused := defect(check, *statement)) is not None:
        raise Fault(*refused)


def beats(first: str, second: str) -> bool:
    """ONE-9."""
    if {first, second} == {"2", "A"}:
        return first == "2"
    return ORDER.index(first) > ORDER.index(second)


class Match(Table):
    """A match of One Poker. `kept` is (a, Z) of what a seat has kept, `new` what was dealt to it, with the slots."""

    said, early = SAID, EARLY

    def __init__(self) -> None:
        super().__init__()
        self.number, self.shoe, self.top, self.first = 0, -1, HALF, 0
        self.keys: list[bytes] = []
        self.joint = b""
        self.deck: list[Pair] = []
        self.kept: list[Pair | None] = [None, None]
        self.new: list[list[tuple[int, Pair]]] = [[], []]
        self.laid: list[list[Pair]] = [[], []]
        self.folder: int | None = None

    def play(self) -> Dialogue:
        _, self.offer = yield Owed(0, ("offer",), "offer", check_terms)
        self.stacks = list(self.offer[4])
        yield Owed(1, ("accept",), "accept", nothing)
        for seat in (0, 1):
            yield Owed(seat, ("ready",), "ready", nothing)
        while self.number < self.offer[3] and all(self.stacks):
            button = self.first  # ONE-6: before the lot that is seat 0
            start = (self.number + 1, button, tuple(self.stacks), tuple(self.net))
            kind, _ = yield Owed(button, ("hand", "leave"), "hand", same("hand", start, "chain.wrong-hand", "CHAIN-4"))
            if kind == "leave":
                self.gone.add(button)
                break
            self.number += 1
            self.start, self.pot, self.folder = list(self.stacks), [1, 1], None
            self.behind = [lives - 1 for lives in self.stacks]
            self.hand = {"number": self.number, "board": "", "hole": [None, None], "winners": [], "changes": []}
            self.hand["result"] = "running"
            yield from self.one_round(button)
        self.end = self.head
        final = (self.end, tuple(self.stacks), tuple(self.net))
        for seat in sorted({0, 1} - self.gone, key=lambda seat: (self.stacks[seat] == 0, seat)):
            yield Owed(seat, ("settle",), "settle", same("settle", final, "settle.wrong", "CHAIN-3"))
            self.settled.append(seat)

    def one_round(self, button: int) -> Dialogue:
        """ONE-5."""
        if self.number == 1:
            yield from self.lot()
            yield from self.publish()
        order = (self.first, 1 - self.first)
        if self.top == HALF:
            yield from self.shuffle()
        yield from self.deal(order, button)
        for seat in order:
            yield Owed(seat, ("class",), "class", self.lit(seat))
        for seat in order:
            _, (cards, _) = yield Owed(seat, ("lay",), "lay", self.lays(seat))
            self.laid[seat] = pairs(cards)
            self.kept[seat] = self.laid[seat][1]
        if all(self.behind):
            yield from self.bet()
        assert self.hand is not None
        for seat in order:
            _, (share, _) = yield Owed(seat, ("reveal",), "reveal", self.opens_laid(seat))
            self.hand["hole"][seat] = BY_CARD[opened(self.laid[seat][0][1], [share])]
        ranks = [text[1] for text in self.hand["hole"]]
        if self.folder is not None:
            winners = [1 - self.folder]
        elif ranks[0] == ranks[1]:
            winners = [0, 1]
        else:
            winners = [0 if beats(*ranks) else 1]
        if len(winners) == 1:
            self.first = winners[0]
        self.close(winners, "showdown" if self.folder is None else "fold")

    def lot(self) -> Dialogue:
        """LOT-1."""
        said: list[bytes] = []
        for seat in (0, 1):

            def fresh(kind: str, fields: Any) -> None:
                if fields[0] in said:
                    raise Fault("commit.duplicate", "COMMIT-3")

            _, (commitment,) = yield Owed(seat, ("lot",), "lot", fresh)
            said.append(commitment)
        seeds: list[bytes] = []
        for seat in (0, 1):
            _, (seed,) = yield Owed(seat, ("lot-open",), "lot-open", self.opens("lot", self.number, seat, said[seat]))
            self.seen.add(seed)
            seeds.append(seed)
        drawn = sha256(b"dealerless/1 lot\x00" + self.session + b"".join(seeds))
        self.first = int.from_bytes(drawn[:8], "big") % 2

    def context(self, seat: int, purpose: str) -> Context:
        return ("dealerless/1 deck", SUITE, self.session, self.number, max(self.shoe, 0), seat, purpose, self.head)

    def publish(self) -> Dialogue:
        """DECK-1: the keys, once in a match."""
        for seat in (0, 1):

            def known(kind: str, fields: Any, seat: int = seat) -> None:
                prove(check_key, self.context(seat, "key"), *fields)

            _, (key, _) = yield Owed(seat, ("key",), "key", known)
            self.keys.append(key)
        self.joint = joint(self.keys)

    def shuffle(self) -> Dialogue:
        """ONE-2, DECK-3: a new shoe under the same keys."""
        self.shoe, self.top = self.shoe + 1, 0
        deck = start_deck("onepoker", CARDS, self.joint)
        for seat in (0, 1):

            def holds(kind: str, fields: Any, seat: int = seat, deck: bytes = deck) -> None:
                prove(check_shuffle, self.context(seat, "shuffle"), self.joint, deck, *fields)

            _, (deck, _) = yield Owed(seat, ("shuffle",), "shuffle", holds)
        self.deck = pairs(deck)[:HALF]

    def deal(self, order: tuple[int, int], button: int) -> Dialogue:
        """ONE-3, DECK-4: each gives its share of the other's slots, who sits left of the button first."""
        slots: list[tuple[int, ...]] = [(), ()]
        for seat in order:
            slots[seat] = tuple(range(self.top, self.top + (2 if self.number == 1 else 1)))
            self.top = slots[seat][-1] + 1
        for seat in (1 - button, button):
            theirs = slots[1 - seat]
            first = tuple([self.deck[slot][0] for slot in theirs])

            def made(kind: str, fields: Any, seat: int = seat, slots: Any = theirs, first: Any = first) -> None:
                shares = tuple(parts(fields[0]))
                if len(shares) != len(slots):
                    raise Fault("deck.wrong-size", "DECK-4")
                prove(check_shares, self.context(seat, "share"), self.keys[seat], slots, first, shares, fields[1])

            _, (shares, _) = yield Owed(seat, ("share",), "share", made)
            self.new[1 - seat] = [
                (slot, (self.deck[slot][0], opened(self.deck[slot][1], [share])))
                for slot, share in zip(theirs, parts(shares), strict=True)
            ]

    def lit(self, seat: int) -> Callable[[str, Any], None]:
        """ONE-4, DECK-8: the lamps of what was just dealt."""

        def check(kind: str, fields: Any) -> None:
            classes, proofs = fields
            if len(classes) != len(self.new[seat]):
                raise Fault("deck.wrong-size", "DECK-8")
            names = [CLASS[number] for number in classes]
            sizes = [64 * len(members(name)) for name in names]
            if sum(sizes) != len(proofs):
                raise Fault("proof.wrong-length", "DECK-1")
            for (slot, pair), name, size in zip(self.new[seat], names, sizes, strict=True):
                prove(check_class, self.context(seat, "class"), slot, name, self.keys[seat], pair, proofs[:size])
                proofs = proofs[size:]

        return check

    def lays(self, seat: int) -> Callable[[str, Any], None]:
        """DECK-8: the card kept from the round before and the new one, covered anew."""
        kept, cards = self.kept[seat], [pair for _, pair in self.new[seat]]
        held = b"".join([half for pair in ([kept] if kept else []) + cards for half in pair])

        def check(kind: str, fields: Any) -> None:
            prove(check_lay, self.context(seat, "lay"), self.number, self.keys[seat], held, *fields)

        return check

    def opens_laid(self, seat: int) -> Callable[[str, Any], None]:
        """ONE-5, DECK-6: the laid card and no other."""

        def check(kind: str, fields: Any) -> None:
            if kind == "muck":
                raise Fault("show.may-not-muck", "ONE-5")
            share, proof = fields
            if (len(share), len(proof)) != (32, 64):
                raise Fault("deck.wrong-size", "DECK-8")
            context = self.context(seat, "open")
            prove(check_opening, context, "laid", self.keys[seat], self.laid[seat][0], share, proof)

        return check

    def bet(self) -> Generator[Owed, tuple[str, Any], None]:
        """ONE-7, ONE-8."""
        seat, checks = self.first, 0
        while True:
            owed = self.pot[1 - seat] - self.pot[seat]
            _, (move, amount, _) = yield Owed(seat, ("act",), "act", self.may(seat, owed))
            if move == "FOLD":
                self.folder = seat
                return
            paid = amount if move in ("CHECK", "BET") else owed + amount
            self.behind[seat] -= paid
            self.pot[seat] += paid
            checks = checks + 1 if move == "CHECK" else 0
            if checks == 2 or (move == "CALL" and not all(self.behind)):
                return
            seat = 1 - seat

    def may(self, seat: int, owed: int) -> Callable[[str, Any], None]:
        stack = self.behind[seat]
        most = min(stack - owed, self.behind[1 - seat])

        def check(kind: str, fields: Any) -> None:
            move, amount, released = fields
            if move not in ("CHECK", "BET", "CALL", "RAISE", "FOLD"):
                raise Fault("bet.not-a-move", "ONE-7")
            if not owed and move in ("CALL", "RAISE", "FOLD"):
                raise Fault("bet.nothing-owed", "ONE-7")
            if owed and move in ("CHECK", "BET"):
                raise Fault("bet.chips-owed", "ONE-7")
            if move == "RAISE" and most < 1:
                raise Fault("bet.no-answer" if stack > owed else "bet.over-stack", "ONE-7")
            if not (1 <= amount <= most if move in ("BET", "RAISE") else amount == 0):
                takes = amount + (owed if move == "RAISE" else 0)
                raise Fault("bet.over-stack" if amount > 0 and takes > stack else "bet.wrong-amount", "ONE-7")
            if released:
                raise Fault("deck.wrong-release", "DECK-9")

        return check

    def fine(self, seat: int) -> int:
        """ONE-5: who has folded and is gone before its laid card is open loses one life more, if it has one."""
        silent = self.folder == seat and self.hand is not None and self.hand["hole"][seat] is None
        return int(silent and self.behind[seat] > 0)


def account(transcript: bytes) -> JSON:
    """What this reading finds in a transcript, as the vectors state it."""
    judge = Judge(Match())
    judge.read(transcript)
    return judge.account()


def check(vector: JSON) -> list[str]:
    """What a vector says otherwise."""
    found = account(base64.b64decode(vector["transcript"], validate=True))
    said = {name: vector[name] for name in vector if name not in ("about", "transcript")}
    names = [name for name in {**found, **said} if found.get(name) != said.get(name)]
    return [f"{name}: {found.get(name)!r}, not {said.get(name)!r}" for name in names]


if __name__ == "__main__":
    usual = Path(__file__).parent.parent / "tests" / "vectors" / "shoe" / "transcripts"
    sys.exit(main(Path(sys.argv[1]) if sys.argv[1:] else usual, check))
