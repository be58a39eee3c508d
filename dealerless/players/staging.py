"""Stages a match in memory between honest sessions and a forger, for the gallery of cheats.

The honest side is the session that plays everywhere else. It keeps what a journal would hold: every message it took or
said, the one it refused with its author's signature, the expulsion that is owed for that, and its own settlement.
Nothing the forger does can write into that record. At a larger table the other honest seats are sessions of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

from ..crypto.challenge import SUITE
from ..crypto.ed25519 import SigningKey
from ..errors import DecodeError, Unattributed, Violation
from ..games import GAMES
from ..games.draw import DRAW
from ..games.game import Slots
from ..games.hex import HEX
from ..games.holdem import HOLDEM
from ..games.onepoker import ONEPOKER
from ..protocol.closing import owing_order
from ..protocol.deckdeal import DECK
from ..protocol.events import Accepted, Acted, Event, Exchanged, Expelled, Offered
from ..protocol.hashdeal import HASH
from ..protocol.noshow import NoShow
from ..protocol.records import ZERO_HASH, encode_transcript
from ..protocol.seeds import MemorySecrets
from ..protocol.session import Session
from ..protocol.shoedeal import SHOE
from ..protocol.state import Owed, Phase
from ..protocol.witness import sign_no_show, sign_receipt
from .forger import Forger, Random

BET: Final = 10
SMALL: Final = 1
BIG: Final = 2
ANTE: Final = 1
RAISES: Final = 3
MOVE_SECONDS: Final = 60
BANK_SECONDS: Final = 30
HONEST_NAME: Final = "honest"
CHEAT_NAME: Final = "cheat"

# The staged witnesses' clocks begin here, in milliseconds; what o'clock it is plays no part in what they sign.
_CLOCK: Final = 1_000_000_000_000
# 2100-01-01: no client is asked to accept these offers, whose keys die with the process.
_EXPIRES: Final = 4_102_444_800


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """How a story begins: where the cheat sits, the terms, and whether a witness watches.

    Hex is played for bets of `BET` with `depth` of them behind the ante, Texas Hold'em for blinds of `SMALL` and `BIG`
    with `depth` big blinds, at no limit unless `structure` says otherwise, five-card draw for an ante of `ANTE` and
    bets of `BET` with up to `RAISES` raises, with `depth` bets, One Poker with `depth` lives each. `deck`: cards from a
    shuffled deck, from which Hold'em and draw are always dealt; One Poker has its shoe.
    """

    cheat: int = 1
    hands: int = 1
    depth: int = 5
    show: str = "all"
    witnessed: bool = False
    game: str = HEX.name
    seats: int = 2
    deck: bool = False
    structure: str = "no-limit"

    @property
    def honest(self) -> int:
        """The seat whose record is judged: of those that do not cheat the first."""
        return 0 if self.cheat else 1

    @property
    def dealing(self) -> str:
        """The name of the dealing."""
        if self.game == ONEPOKER.name:
            return SHOE.name
        return DECK.name if self.deck or self.game in (HOLDEM.name, DRAW.name) else HASH.name

    @property
    def rules(self) -> tuple[bool | int | str, ...]:
        """The game's own terms, as an offer has them."""
        if self.game == HOLDEM.name:
            return (self.structure, SMALL, BIG, 0, self.depth * BIG, self.show)
        if self.game == DRAW.name:
            return (ANTE, BET, BET, RAISES, True, self.depth * BET, self.show)
        if self.game == ONEPOKER.name:
            return (self.depth, self.depth)
        return (BET, self.depth, self.show)

    @property
    def chips(self) -> int:
        """All chips at the table."""
        game = GAMES[self.game]
        return sum(game.opening_stacks(game.read_terms(self.rules, self.seats), self.seats))


class Dropped(NamedTuple):
    """A frame that the honest side refused without blaming anybody: it came before record `record`, and why."""

    record: int
    frame: bytes
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What is left of a staged match: the transcript to be judged, and what the honest side had thrown away."""

    transcript: bytes
    honest: int
    dropped: tuple[Dropped, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """One way to cheat: a name in kebab-case, who cheats, what they hope for, and the acts that stage it."""

    name: str
    title: str
    hope: str
    act: Callable[[Staging], object]
    setting: Setting = Setting()

    def play(self, random: Random) -> Played:
        """Return what a match leaves behind in which it happens; keys, seeds and nonces are drawn from `random`."""
        staging = Staging(self.setting, random)
        self.act(staging)
        staging.conclude()
        return staging.played()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cheat(Story):
    """A story that ends with a conviction: the code and clause of the verdict against the cheating seat."""

    code: str
    clause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unprovable(Story):
    """A story that convicts nobody, and what happens instead."""

    instead: str


class Staging:
    """A match under way. `kept` is the honest side's record, `dropped` what it threw away.

    `session` is the honest seat that keeps the record, `others` are the rest of the honest ones by their seats.
    """

    def __init__(self, setting: Setting, random: Random, keys: tuple[SigningKey, ...] = ()) -> None:
        self.setting = setting
        self.random = random
        self._keys = keys = keys or tuple([SigningKey(random(32)) for _ in range(setting.seats)])
        self.cheat, self.honest = setting.cheat, setting.honest
        self.forger = Forger(keys[self.cheat], random)
        self.session = Session(keys[self.honest], MemorySecrets(random), GAMES)
        self.others = {
            seat: Session(key, MemorySecrets(random), GAMES)
            for seat, key in enumerate(keys)
            if seat not in (self.cheat, self.honest)
        }
        self.witness = SigningKey(random(32))
        self.kept: list[bytes] = []
        self.dropped: list[Dropped] = []
        # A copy that somebody else hands in, where it is not the honest side's that is judged.
        self.handed_in: bytes | None = None
        dealing = setting.dealing
        self.offer = Offered(
            game=setting.game,
            dealing=dealing,
            suite="sha256" if dealing == HASH.name else SUITE,
            hands=setting.hands,
            rules=setting.rules,
            players=tuple(
                [(key.public.key, CHEAT_NAME if seat == self.cheat else HONEST_NAME) for seat, key in enumerate(keys)]
            ),
            witnesses=(self.witness.public.key,) if setting.witnessed else (),
            threshold=1 if setting.witnessed else 0,
            move_seconds=MOVE_SECONDS if setting.witnessed else 0,
            bank_seconds=BANK_SECONDS if setting.witnessed else 0,
            expires=_EXPIRES,
            nonce=random(32),
        )

    def another(self) -> Staging:
        """Return another match of the same keys on the same terms."""
        return Staging(self.setting, self.random, self._keys)

    # --- play by the rules

    @property
    def owed(self) -> Owed | None:
        """Who owes what now."""
        return self.session.state.owed

    def play(self, moves: str = "", *, until: type[Event] | None = None, by: int | None = None) -> Staging:
        """Play by the rules: everything that is owed, and `moves` by name, each by the seat to act.

        A move puts in the least that it may, or what stands behind a colon: `RAISE:12`. An exchange is written `DRAW`,
        which keeps all cards, or `DRAW:034`, which gives up those at these places of the hand. Stops where a message of
        kind `until` is owed (by seat `by`, if named), or a move when there are no more.
        """
        script: Iterator[str] = iter(moves.split())
        while (owed := self.owed) is not None:
            if until in owed.kinds and by in (None, owed.seat):
                break
            event = self._next(owed, script)
            if event is None:
                break
            self.says(owed.seat, event)
            if self.session.fault is not None:
                break
        return self

    def held(self, seat: int) -> Slots:
        """Return the slots of a seat's own cards in the running hand."""
        state = self.session.state
        return state.agreed.game.hole_slots(state.running.hand, seat)

    def says(self, seat: int, event: Event) -> None:
        """Let a seat say `event` by the rules and the others take it."""
        if seat == self.cheat:
            self.sends(self.forger.session.say(event))
        else:
            self.forger.session.receive(self._honest(seat, event))
            self._follow_up()

    def session_of(self, seat: int) -> Session:
        """Return the session at a seat; the cheat's is its honest half."""
        if seat == self.cheat:
            return self.forger.session
        return self.others.get(seat, self.session)

    def _honest(self, seat: int, event: Event) -> bytes:
        """Let an honest seat say `event`, and the other honest ones take it."""
        frame = self.session_of(seat).say(event)
        if seat != self.honest:
            self.session.receive(frame)
        return self._keep(frame, seat)

    def _next(self, owed: Owed, script: Iterator[str]) -> Event | None:
        session = self.session_of(owed.seat)
        event = self.offer if owed.phase is Phase.OFFERING else session.due()
        if event is not None:
            return event
        if owed.phase is Phase.ACCEPTING:
            return Accepted(nonce=self.random(32), channel=b"")
        if owed.phase is Phase.LAYING:
            return session.lay(self.random(1)[0] % 2)
        if owed.phase is Phase.SHOWING:
            return session.show()
        token = next(script, None)
        if token is None:
            return None
        name, _, amount = token.partition(":")
        if owed.phase is Phase.EXCHANGING:
            return Exchanged(slots=tuple([self.held(owed.seat)[int(place)] for place in amount]))
        option = next(option for option in session.legal() if option.name == name)
        return Acted(move=name, amount=int(amount) if amount else option.least)

    # --- cheat

    def sends(self, frame: bytes) -> None:
        """Let any frame reach the honest side, which takes it, keeps it as proof, or drops it."""
        try:
            self.session.receive(frame)
        except Unattributed as error:
            if error.code != "record.proof-kept":
                self.dropped.append(Dropped(record=len(self.kept), frame=frame, code=error.code))
        except (DecodeError, Violation):
            self._keep(frame)
        else:
            self._keep(frame)

    def forges(self, event: Event) -> None:
        """Let the cheat sign `event` at the next place and send it, whatever the rules say."""
        self.sends(self.forger.forge(event))

    def signs(self, body: bytes) -> None:
        """Let the cheat sign any body and send it."""
        self.sends(self.forger.sign(body))

    # --- what a witness signs

    def receipt_of_head(self, owing: int, at: int = _CLOCK) -> bytes:
        """Return the witness's signature that the last message stood at time `at` and made `owing` owe the next."""
        state = self.session.state
        session = state.agreed.session
        return sign_receipt(self.witness, 0, session, state.seq - 1, state.head, owing, at).signature

    def no_show(
        self, seat: int, *, signer: SigningKey | None = None, receipt: bytes | None = None, waited: int | None = None
    ) -> NoShow:
        """Return the no-show of `seat` at the next place, by the witness where no other signer is named.

        It carries the witness's receipt of the last message, or the one given, and says that the seat was waited for
        its time and its whole bank, or for `waited` seconds.
        """
        state = self.session.state
        seconds = MOVE_SECONDS + BANK_SECONDS if waited is None else waited
        return sign_no_show(
            self.witness if signer is None else signer,
            0,
            state.agreed,
            state.seq,
            state.head,
            seat,
            since=_CLOCK,
            bank=1000 * BANK_SECONDS,
            at=_CLOCK + 1000 * seconds,
            receipt=self.receipt_of_head(seat) if receipt is None else receipt,
        )

    def expel_absent(self) -> None:
        """Let the honest side expel the silent cheat with its witness's no-show."""
        self._honest(owing_order(self.session.state)[1], absence(self.cheat, self.no_show(self.cheat)))

    # --- the end

    def conclude(self) -> None:
        """Let the honest side go on alone after a fault: the expulsion, the hand among those left, the settlements."""
        if self.session.fault is None and not self._alone():
            return
        while (owed := self.owed) is not None and owed.seat != self.cheat:
            self._honest(owed.seat, self._next(owed, iter(())) or self._simplest(owed))

    def _simplest(self, owed: Owed) -> Event:
        """Return the least that a seat can do: check or call, or keep its cards."""
        if owed.phase is Phase.EXCHANGING:
            return Exchanged(slots=())
        option = self.session_of(owed.seat).legal()[0]
        return Acted(move=option.name, amount=option.least)

    def played(self) -> Played:
        """Return what is left."""
        transcript = encode_transcript(self.kept) if self.handed_in is None else self.handed_in
        return Played(transcript=transcript, honest=self.honest, dropped=tuple(self.dropped))

    def _alone(self) -> bool:
        state = self.session.state
        return state.match is not None and state.books.gone[self.cheat] is not None

    def _follow_up(self) -> None:
        """Keep a proof of equivocation that the honest side held back until its author owes a message."""
        proof = self.session.proof()
        if proof is not None:
            self._keep(proof)

    def _keep(self, frame: bytes, author: int | None = None) -> bytes:
        """Write a frame down; the other honest seats find in it what this one found."""
        self.kept.append(frame)
        for seat, session in self.others.items():
            if seat != author:
                with suppress(DecodeError, Violation):
                    session.receive(frame)
        return frame


def absence(seat: int, *words: NoShow) -> Expelled:
    """Return the expulsion of a seat that these no-shows say was absent."""
    return Expelled(seat=seat, record=ZERO_HASH, absent=((seat, words),))
