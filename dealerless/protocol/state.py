"""The state of a match: one frozen value, exactly what anyone at the table may know.

No secret ever enters it and it does not know which seat is ours. `step` (machine.py) is the only thing that makes a
new one.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ..crypto.ed25519 import VerifyKey
from ..games.game import Finished, Game, Pot
from .events import Event, Offered

if TYPE_CHECKING:
    from .dealing import Dealing
    from .envelope import Envelope


class Phase(enum.Enum):
    """What the table waits for. It follows from the game's demand and the dealing, never from a counter."""

    OFFERING = "offering"
    ACCEPTING = "accepting"
    READYING = "readying"
    HAND_STARTING = "hand starting"
    COMMITTING = "committing"
    LAYOUT_OPENING = "layout opening"
    KEYING = "keying"
    SHUFFLING = "shuffling"
    DEALING = "dealing"
    BOARD_OPENING = "board opening"
    BETTING = "betting"
    EXCHANGING = "exchanging"
    DRAWING_LOT = "drawing lot"
    CLASSING = "classing"
    LAYING = "laying"
    SHOWING = "showing"
    SETTLING = "settling"
    EXPELLING = "expelling"
    OVER = "over"


class Owed(NamedTuple):
    """The one seat that owes a message, the kinds it may be of, and the phase that makes it so. CHAIN-1."""

    seat: int
    kinds: tuple[type[Event], ...]
    phase: Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """What was agreed: the offer, its parsed parts, and the session. Constant from the last acceptance on."""

    offer: Offered
    offer_hash: bytes
    keys: tuple[VerifyKey, ...]
    witnesses: tuple[VerifyKey, ...]
    game: Game
    rules: Any
    dealing: Dealing
    openings: tuple[bytes, ...]
    session: bytes

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.keys)


class ActionTaken(NamedTuple):
    """A move as the chain has it, with every stack and the pot after it.

    An exchange is one too, named EXCHANGE, its amount the number of cards.
    """

    seq: int
    seat: int
    move: str
    amount: int
    stacks: tuple[int, ...]
    pot: int


class HandInPlay(NamedTuple):
    """The running hand: the game's and the dealing's state, stacks before it, its moves so far, and who is in it.

    `dealt` are the seats dealt in, ascending.
    """

    hand: Any
    deal: Any
    before: tuple[int, ...]
    actions: tuple[ActionTaken, ...]
    dealt: tuple[int, ...]

    def at(self, hand: Any, deal: Any) -> HandInPlay:
        """Return it with the game's and the dealing's state as they are now."""
        return HandInPlay(hand, deal, self.before, self.actions, self.dealt)


class HandRecord(NamedTuple):
    """A hand as it went: what reports, verdicts and players read, made from what is public when somebody asks.

    Cards are texts, None while unknown. `finished` is None for a hand that still runs; `before` are the stacks it began
    with; `deal` is the dealing's public state.
    """

    number: int
    game: Game
    hand: Any
    deal: Any
    before: tuple[int, ...]
    actions: tuple[ActionTaken, ...]
    finished: Finished | None

    @property
    def button(self) -> int:
        """The seat that had the button."""
        button: int = self.hand.button
        return button

    @property
    def board(self) -> tuple[str | None, ...]:
        """The common cards in dealt order."""
        return tuple([self._text(slot) for slot in self.game.board_slots(self.hand)])

    @property
    def hole(self) -> tuple[tuple[str, ...] | None, ...]:
        """By seat its own cards; None for a seat whose cards are not all public."""
        return tuple([self._own(seat) for seat in range(len(self.before))])

    @property
    def shown(self) -> tuple[tuple[int, str | None], ...]:
        """The seats that showed, in order, each with the report line of its best hand."""
        game, hand = self.game, self.hand
        cards = {seat: tuple([hand.cards[slot] for slot in game.hole_slots(hand, seat)]) for seat in hand.shown}
        return tuple([(seat, game.best(hand, cards[seat])) for seat in hand.shown])

    @property
    def pots(self) -> tuple[Pot, ...]:
        """The pots as they were paid; none while the hand runs."""
        return self.finished.pots if self.finished else ()

    @property
    def pot(self) -> int:
        """All chips in the pots: as paid, or so far."""
        return sum([pot.amount for pot in self.pots]) if self.finished else sum(self.hand.totals)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won a pot or a share, ascending."""
        return tuple(sorted({seat for pot in self.pots for seat in pot.winners}))

    @property
    def after(self) -> tuple[int, ...]:
        """The stacks after the hand, or behind so far."""
        after: tuple[int, ...] = self.finished.stacks if self.finished else self.hand.stacks
        return after

    @property
    def changes(self) -> tuple[int, ...]:
        """What each seat won or lost; while the hand runs, what it has put in."""
        return tuple([now - then for now, then in zip(self.after, self.before, strict=True)])

    @property
    def result(self) -> str:
        """How the hand ended: "fold", "showdown" or "forfeit"; "running" before."""
        return self.finished.result if self.finished else "running"

    @property
    def digests(self) -> tuple[tuple[str, str, str], ...]:
        """The hashed lines behind the cards, as (what, line, hex digest)."""
        lines: tuple[tuple[str, str, str], ...] = self.deal.digests()
        return lines

    def _text(self, slot: int) -> str | None:
        card = self.hand.cards[slot]
        return None if card is None else self.game.card_text(card)

    def _own(self, seat: int) -> tuple[str, ...] | None:
        texts = [self._text(slot) for slot in self.game.hole_slots(self.hand, seat)]
        known = [text for text in texts if text is not None]
        return tuple(known) if texts and len(known) == len(texts) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forfeit:
    """Chips a seat lost by being expelled: at sequence number `seq`, in hand `hand` (0: between hands)."""

    seat: int
    seq: int
    hand: int
    amount: int
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A signed message that `step` refused: its author, body hash, and the code; its expulsion is owed by `expeller`.

    `waiting` is what was owed where it came. `others` are those refused at the same place after it, the latest ones;
    an expulsion may be of any, since its signer may have seen another one first.
    """

    seat: int
    seq: int
    record: bytes
    code: str
    expeller: int
    waiting: Owed
    others: tuple[Refused, ...] = ()

    @property
    def every(self) -> tuple[Refused, ...]:
        """All that were refused at this place, the first one first."""
        return (self, *self.others)

    def named(self, seat: int, record: bytes) -> Refused:
        """Return the one with this author and body hash, of all at this place; the first if there is none."""
        return next((each for each in self.every if (each.seat, each.record) == (seat, record)), self)


class Accounts(NamedTuple):
    """The chips between hands: last hand's number, button and seats, stacks and net by seat, who is gone, forfeits.

    After a hand that decides who has the button next, `button` is that seat (ONE-6).
    """

    number: int
    button: int
    dealt: tuple[int, ...]
    stacks: tuple[int, ...]
    net: tuple[int, ...]
    gone: tuple[str | None, ...]
    forfeits: tuple[Forfeit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenSeeds:
    """A persistent set of opened seeds (COMMIT-3): adding shares structure, so a match of n hands costs O(n log n).

    Kept as frozen sets of doubling sizes, like the digits of a binary counter.
    """

    parts: tuple[frozenset[bytes], ...] = ()

    def __contains__(self, seed: bytes) -> bool:
        return any(seed in part for part in self.parts)

    def add(self, seed: bytes) -> SeenSeeds:
        """Return the set with `seed` in it."""
        parts = self.parts
        new = frozenset((seed,))
        while parts and len(parts[-1]) <= len(new):
            new |= parts[-1]
            parts = parts[:-1]
        return SeenSeeds(parts=(*parts, new))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """What stays as it is while a hand is played, so that a step within a hand need not copy it.

    `settled` are the seats that signed the end, `end_head` the head before the first of them, `refused` a message whose
    author is to be expelled, `finished` the record of the last hand that ended.
    """

    games: Mapping[str, Game]
    match: Match | None = None
    accounts: Accounts | None = None
    settled: tuple[int, ...] = ()
    end_head: bytes = b""
    refused: Refused | None = None
    finished: HandRecord | None = None


class State(NamedTuple):
    """One state of the table. `seq` is the number of the next message and `head` the body hash before it.

    `last` has for every seat (seq, prev, body hash) of its latest message, by which a second one on the same previous
    hash is recognised; `seen` are the seeds opened so far.
    """

    ledger: Ledger
    phase: Phase
    owed: Owed | None
    seq: int
    head: bytes
    play: HandInPlay | None = None
    seen: SeenSeeds = SeenSeeds()
    last: tuple[tuple[int, bytes, bytes] | None, ...] = ()

    def evolve(self, **changes: Any) -> State:
        """Return a copy with some fields changed."""
        return self._replace(**changes)

    def linked(self, envelope: Envelope, **changes: Any) -> State:
        """Return a copy with a message of the chain taken in and some fields changed by it."""
        header = envelope.header
        last = list(self.last)
        last[header.seat] = (header.seq, header.prev, envelope.record)
        return self._replace(seq=header.seq + 1, head=envelope.record, last=tuple(last), **changes)

    def enter(self, **changes: Any) -> State:
        """Return a copy with some fields of its ledger changed."""
        return self.evolve(ledger=replace(self.ledger, **changes))

    @property
    def match(self) -> Match | None:
        """The match, once the offer stands."""
        return self.ledger.match

    @property
    def agreed(self) -> Match:
        """The match; only to be asked for once the offer stands."""
        match = self.ledger.match
        if match is None:
            raise RuntimeError("no offer has been made yet")
        return match

    @property
    def books(self) -> Accounts:
        """The accounts; only to be asked for once the offer stands."""
        accounts = self.ledger.accounts
        if accounts is None:
            raise RuntimeError("no offer has been made yet")
        return accounts

    @property
    def running(self) -> HandInPlay:
        """The running hand; only to be asked for in its phases."""
        if self.play is None:
            raise RuntimeError("no hand is running")
        return self.play

    @property
    def settled(self) -> tuple[int, ...]:
        """The seats that signed the settlement."""
        return self.ledger.settled

    @property
    def end_head(self) -> bytes:
        """The head before the first settlement; empty while the match goes on."""
        return self.ledger.end_head

    @property
    def refused(self) -> Refused | None:
        """The refused message whose author is to be expelled."""
        return self.ledger.refused

    @property
    def finished(self) -> HandRecord | None:
        """The record of the last hand that ended."""
        return self.ledger.finished

    @property
    def judging(self) -> bool:
        """Whether the last ready is in, so that a seat can be at fault (CHAIN-0)."""
        return self.phase not in _OPENING


_OPENING = (Phase.OFFERING, Phase.ACCEPTING, Phase.READYING)
