"""Hash dealing: hex cards from digests of jointly committed seeds (COMMIT, HASHDEAL).

Every digest is of one line of printable ASCII, so that anyone can redo it with sha256sum or md5sum. MD5 is sound here
only because every line has fixed-length fields that were committed before any of them was known (HASHDEAL-3).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from ..crypto.commitment import check_opening
from ..crypto.suites import SUITES, hex_digest
from ..errors import BadOpening, Violation
from ..games.game import Card, Deal, Demand, Game, Hand, OpenBoard, Slots
from .dealing import Dealing
from .events import Event, LayoutOpened, SeedsCommitted, Shown
from .state import Owed, Phase, SeenSeeds

LAYOUT: Final = "layout"
HOLE: Final = "hole"


def deal_line(suite: str, session: bytes, hand: int, layouts: tuple[bytes, ...]) -> str:
    """Return the line whose digest is the deal's: the common cards are its first digits. HASHDEAL-1."""
    seeds = " ".join([layout.hex() for layout in layouts])
    return f"dealerless/1 hex-deal {suite} {session.hex()} {hand} {seeds}"


def hole_line(suite: str, session: bytes, hand: int, deal_digest: str, seat: int, seed: bytes) -> str:
    """Return the line whose digest begins with a seat's hole cards. HASHDEAL-1."""
    return f"dealerless/1 hex-hole {suite} {session.hex()} {hand} {deal_digest} {seat} {seed.hex()}"


def digits(digest: str, count: int, start: int = 0) -> tuple[Card, ...]:
    """Return `count` hex cards from a hex digest, beginning at digit `start`."""
    return tuple([int(digit, 16) for digit in digest[start : start + count]])


class HashDeal(NamedTuple):
    """The public state of one hand's deal. Tuples are in the order of `seats`; `holes` are opened (seat, seed).

    `attempt` counts deals within one hand: an expulsion before the first deal is complete starts the next (VERDICT-4c).
    """

    suite: str
    session: bytes
    hand: int
    seats: tuple[int, ...]
    commitments: tuple[SeedsCommitted, ...] = ()
    layouts: tuple[bytes, ...] = ()
    attempt: int = 0
    digest: str = ""
    board: int = 0
    holes: tuple[tuple[int, bytes], ...] = ()

    def digests(self) -> tuple[tuple[str, str, str], ...]:
        """Return the lines hashed so far, as (what, line, hex digest): the deal's and those of opened hole seeds."""
        if not self.digest:
            return ()
        lines = [("common", deal_line(self.suite, self.session, self.hand, self.layouts))]
        lines += [
            (f"seat {seat}", hole_line(self.suite, self.session, self.hand, self.digest, seat, seed))
            for seat, seed in self.holes
        ]
        return tuple([(what, line, hex_digest(self.suite, line)) for what, line in lines])


class HashDealing(Dealing):
    """Dealing "hash": each seat commits to a layout and a hole seed, opens the first, and the second at showdown."""

    name = "hash"
    suites = tuple(SUITES)
    showing: type[Event] = Shown
    lasts = False
    releases = False

    def start(
        self, game: Game, suite: str, session: bytes, hand: int, seats: tuple[int, ...], last: object = None
    ) -> HashDeal:
        """Return the deal of a hand in which nobody has committed yet."""
        return HashDeal(suite=suite, session=session, hand=hand, seats=seats)

    def restart(
        self, deal: HashDeal, seats: tuple[int, ...], fresh: Slots = (), known: tuple[Card, ...] = ()
    ) -> HashDeal:
        """Return the next attempt at dealing the same hand, among the seats still in, with nothing committed."""
        return HashDeal(suite=deal.suite, session=deal.session, hand=deal.hand, seats=seats, attempt=deal.attempt + 1)

    def owed(self, deal: HashDeal, demand: Demand, hand: Hand) -> Owed | None:
        """Return who commits or opens next; nothing is owed once all layouts are open. COMMIT-3."""
        if deal.digest or not isinstance(demand, OpenBoard | Deal):
            return None
        if len(deal.commitments) < len(deal.seats):
            seat = deal.seats[len(deal.commitments)]
            return Owed(seat=seat, kinds=(SeedsCommitted,), phase=Phase.COMMITTING)
        seat = deal.seats[len(deal.layouts)]
        return Owed(seat=seat, kinds=(LayoutOpened,), phase=Phase.LAYOUT_OPENING)

    def possible(self, deal: HashDeal, demand: Demand) -> bool:
        """Return True: once the layouts are open, nobody is needed for anything."""
        return True

    def lose(self, deal: HashDeal, seat: int) -> HashDeal:
        """Return the deal as it is: nobody is needed for it any more."""
        return deal

    def check(
        self, deal: HashDeal, demand: Demand, seat: int, event: Event, prev: bytes, seen: SeenSeeds
    ) -> Violation | None:
        """Return the refusal of a copied commitment, a wrong opening or a reused seed, or None."""
        if isinstance(event, SeedsCommitted):
            earlier = {digest for other in deal.commitments for digest in (other.layout, other.hole)}
            for digest in (event.layout, event.hole):
                if digest in earlier:
                    return Violation("commit.duplicate", expected="new", actual=digest)
                earlier.add(digest)
            return None
        commitments = deal.commitments[deal.seats.index(seat)]
        if isinstance(event, LayoutOpened):
            purpose, commitment, seed = LAYOUT, commitments.layout, event.seed
        elif isinstance(event, Shown):
            purpose, commitment, seed = HOLE, commitments.hole, event.seed
        else:
            return None
        try:
            check_opening(commitment, purpose, deal.session, deal.hand, seat, seed)
        except BadOpening as error:
            return error
        return BadOpening("commit.seed-reuse", expected="new", actual=seed) if seed in seen else None

    def apply(self, deal: HashDeal, demand: Demand, seat: int, event: Event) -> HashDeal:
        """Return the deal with a commitment, layout or hole seed added; the last layout makes the digest."""
        commitments, layouts, digest, holes = deal.commitments, deal.layouts, deal.digest, deal.holes
        if isinstance(event, SeedsCommitted):
            commitments = (*commitments, event)
        elif isinstance(event, LayoutOpened):
            layouts = (*layouts, event.seed)
            if len(layouts) == len(deal.seats):
                digest = hex_digest(deal.suite, deal_line(deal.suite, deal.session, deal.hand, layouts))
        elif isinstance(event, Shown):
            holes = (*holes, (seat, event.seed))
        return HashDeal(
            suite=deal.suite,
            session=deal.session,
            hand=deal.hand,
            seats=deal.seats,
            attempt=deal.attempt,
            commitments=commitments,
            layouts=layouts,
            digest=digest,
            board=deal.board,
            holes=holes,
        )

    def check_release(self, deal: HashDeal, slots: Slots, seat: int, released: bytes, prev: bytes) -> Violation | None:
        """Return a refusal of anything: a seat has no part in a card that it could give away."""
        return Violation("deck.wrong-release", expected=0, actual=len(released)) if released else None

    def apply_release(self, deal: HashDeal, slots: Slots, seat: int, released: bytes) -> HashDeal:
        """Return the deal as it is."""
        return deal

    def known(self, deal: HashDeal, demand: OpenBoard | Deal) -> tuple[HashDeal, Mapping[int, Card]]:
        """Return board cards from the next digits of the deal digest; a private deal makes nothing public."""
        if isinstance(demand, Deal):
            return deal, {}
        cards = digits(deal.digest, len(demand.slots), deal.board)
        after = HashDeal(
            suite=deal.suite,
            session=deal.session,
            hand=deal.hand,
            seats=deal.seats,
            attempt=deal.attempt,
            commitments=deal.commitments,
            layouts=deal.layouts,
            digest=deal.digest,
            board=deal.board + len(demand.slots),
            holes=deal.holes,
        )
        return after, dict(zip(demand.slots, cards, strict=True))

    def shown(self, deal: HashDeal, seat: int, event: Event, slots: Slots) -> tuple[Card, ...]:
        """Return the hole cards of a Shown event: the first digits of its hole digest."""
        if not isinstance(event, Shown):
            raise TypeError("only Shown opens hole cards")
        return self.hole_cards(deal, seat, event.seed, len(slots))

    def hole_cards(self, deal: HashDeal, seat: int, seed: bytes, count: int) -> tuple[Card, ...]:
        """Return the hole cards that `seed` gives a seat once the deal is complete. HASHDEAL-2."""
        line = hole_line(deal.suite, deal.session, deal.hand, deal.digest, seat, seed)
        return digits(hex_digest(deal.suite, line), count)

    def complete(self, deal: HashDeal) -> bool:
        """Return whether all layouts are open."""
        return bool(deal.digest)

    def opened(self, event: Event) -> bytes | None:
        """Return the seed that a LayoutOpened or Shown event opens."""
        return event.seed if isinstance(event, LayoutOpened | Shown) else None


HASH: Final = HashDealing()
