"""Deck dealing: cards from a jointly keyed deck that every seat has shuffled and nobody knows (DECK).

Every message is checked when it comes: the key with its proof, each shuffle with its argument, shares with theirs. For
which slots a seat shares is computed from the state and never received, so nobody is made to share for another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple

from ..crypto.challenge import SUITE, Context
from ..crypto.elgamal import Ciphertext, card_point, start_deck, unmask
from ..crypto.equality import verify_opening, verify_shares
from ..crypto.schnorr import joint, verify_key
from ..crypto.shuffle import verify_shuffle
from ..errors import InvalidProof, Violation
from ..games.game import (
    Card,
    Deal,
    Demand,
    Exchange,
    Game,
    Hand,
    OpenBoard,
    Release,
    Show,
    Slots,
)
from ..games.pots import order_from
from .dealing import Dealing
from .events import DeckShuffled, Event, KeyPublished, Revealed, SharesPublished
from .state import Owed, Phase, SeenSeeds

_PROOF: Final = 64
_NOTHING: Final[Mapping[int, Mapping[int, bytes]]] = MappingProxyType({})


class DeckDeal(NamedTuple):
    """The public state of one hand's deck. `keys` are in the order of `seats`; points are 32 bytes.

    `number` counts the decks of one hand, from 0. `keyed` are hand and number of the deck that its keys were made for,
    which may be an earlier one. `cards` are those in the deck. `shares` has by slot what each seat
    has shared. `opened` are the cards that everybody knows. `lost` are seats that will share nothing more. `fresh` are
    the slots that this deck was made for when the one before could not be opened, the first of them at its top; else it
    is empty, and slots are places.
    """

    game: Game
    suite: str
    session: bytes
    hand: int
    seats: tuple[int, ...]
    cards: tuple[Card, ...]
    keyed: tuple[int, int]
    number: int = 0
    keys: tuple[bytes, ...] = ()
    joint: bytes = b""
    deck: tuple[Ciphertext, ...] = ()
    shuffles: int = 0
    shares: Mapping[int, Mapping[int, bytes]] = _NOTHING
    opened: tuple[Card, ...] = ()
    lost: tuple[int, ...] = ()
    fresh: Slots = ()
    complete: bool = False

    def context(self, seat: int, purpose: str, prev: bytes) -> Context:
        """Return what a proof of this seat in this deck is bound to."""
        return Context(
            suite=self.suite,
            session=self.session,
            hand=self.hand,
            deck=self.number,
            seat=seat,
            purpose=purpose,
            prev=prev,
        )

    def key(self, seat: int) -> bytes:
        """Return the seat's key of this deck."""
        return self.keys[self.seats.index(seat)]

    def ciphertext(self, slot: int) -> Ciphertext:
        """Return the ciphertext that lies at a slot."""
        return self.deck[self.fresh.index(slot) if self.fresh else slot]

    def points(self, slots: Slots) -> tuple[bytes, ...]:
        """Return what shares of these slots are shares of: the first half of each ciphertext."""
        return tuple([self.ciphertext(slot)[0] for slot in slots])

    def without(self, slot: int, seat: int) -> Ciphertext:
        """Return the slot's ciphertext under the key of `seat` alone: the shares of all others are taken off."""
        a, b = self.ciphertext(slot)
        return a, unmask(b, tuple([share for other, share in self.shares[slot].items() if other != seat]))

    def take(self, seat: int, slots: Slots, shares: Iterable[bytes]) -> DeckDeal:
        """Return the deal with shares of a seat taken in."""
        taken = dict(self.shares)
        for slot, share in zip(slots, shares, strict=True):
            taken[slot] = {**taken.get(slot, {}), seat: share}
        return self._replace(shares=MappingProxyType(taken))

    def card(self, slot: int) -> Card:
        """Return the card at a slot for which everybody has shared.

        Every proof behind it was verified, so a point that is no card of the deck is a mistake in this program and
        blames nobody: RuntimeError (DECK-5).
        """
        _, b = self.ciphertext(slot)
        card = card_points(self.game).get(unmask(b, tuple(self.shares[slot].values())))
        if card is None or card not in self.cards:
            raise RuntimeError(f"slot {slot} of a proven deck does not open to a card")
        return card

    def open(self, slots: Slots) -> DeckDeal:
        """Return the deal with the cards at these slots known to everybody.

        Raises RuntimeError as `card` does, and for a card more often than the deck has it.
        """
        opened = (*self.opened, *[self.card(slot) for slot in slots])
        if any(opened.count(card) > self.cards.count(card) for card in opened):
            raise RuntimeError("a proven deck has a card more often than it should")
        return self._replace(opened=opened)

    def digests(self) -> tuple[tuple[str, str, str], ...]:
        """Return nothing: no line of text stands behind these cards."""
        return ()


@cache
def card_points(game: Game) -> Mapping[bytes, Card]:
    """Return the card that each point stands for (DECK-2)."""
    return {card_point(game.name, game.card_text(card)): card for card in dict.fromkeys(game.deck())}


def asked(deal: DeckDeal, demand: Demand, seat: int) -> Slots:
    """Return the slots for which `seat` has still to share before `demand` is met, in the order of the demand."""
    if isinstance(demand, Deal):
        slots = [slot for other, theirs in demand.hands if other != seat for slot in theirs]
    elif isinstance(demand, OpenBoard) or (isinstance(demand, Release) and demand.seat == seat):
        slots = list(demand.slots)
    else:
        slots = []
    return tuple([slot for slot in slots if seat not in deal.shares.get(slot, {})])


def split(released: bytes) -> tuple[tuple[bytes, ...], bytes]:
    """Return the shares and the proof that stand one after the other."""
    return points_of(released[:-_PROOF]), released[-_PROOF:]


def points_of(shares: bytes) -> tuple[bytes, ...]:
    """Return the points of 32 bytes that stand one after the other."""
    return tuple([shares[start : start + 32] for start in range(0, len(shares), 32)])


def proofs_of(proofs: bytes) -> tuple[bytes, ...]:
    """Return the proofs of 64 bytes that stand one after the other."""
    return tuple([proofs[start : start + _PROOF] for start in range(0, len(proofs), _PROOF)])


def ciphertexts_of(deck: bytes) -> tuple[Ciphertext, ...]:
    """Return the ciphertexts of 64 bytes that stand one after the other."""
    points = points_of(deck)
    return tuple(zip(points[::2], points[1::2], strict=True))


class DeckDealing(Dealing):
    """Dealing "deck": a key and a shuffle of every seat, then shares with proofs as the game asks for cards."""

    name = "deck"
    suites: tuple[str, ...] = (SUITE,)
    showing: type[Event] = Revealed
    lasts = False
    releases = True

    def start(
        self, game: Game, suite: str, session: bytes, hand: int, seats: tuple[int, ...], last: object = None
    ) -> DeckDeal:
        """Return the deal of a hand for which nobody has published a key yet."""
        cards = game.deck()
        return DeckDeal(game=game, suite=suite, session=session, hand=hand, seats=seats, cards=cards, keyed=(hand, 0))

    def restart(
        self, deal: DeckDeal, seats: tuple[int, ...], fresh: Slots = (), known: tuple[Card, ...] = ()
    ) -> DeckDeal:
        """Return the next deck of the same hand, with new keys; with `fresh`, without the cards that are `known`."""
        cards = list(deal.game.deck())
        for card in known:
            cards.remove(card)
        return DeckDeal(
            game=deal.game,
            suite=deal.suite,
            session=deal.session,
            hand=deal.hand,
            seats=seats,
            cards=tuple(cards),
            keyed=(deal.hand, deal.number + 1),
            number=deal.number + 1,
            fresh=fresh,
            complete=bool(fresh),
        )

    def owed(self, deal: DeckDeal, demand: Demand, hand: Hand) -> Owed | None:
        """Return who publishes a key, shuffles or shares next. DECK-1, DECK-3 to DECK-5, VERDICT-4d."""
        if not isinstance(demand, OpenBoard | Deal | Release):
            return None
        if len(deal.keys) < len(deal.seats):
            return Owed(seat=deal.seats[len(deal.keys)], kinds=(KeyPublished,), phase=Phase.KEYING)
        if deal.shuffles < len(deal.seats):
            return Owed(seat=deal.seats[deal.shuffles], kinds=(DeckShuffled,), phase=Phase.SHUFFLING)
        phase = Phase.BOARD_OPENING if isinstance(demand, OpenBoard) else Phase.DEALING
        # Whoever shares last sees first, its own cards too: that is who has most to lose by going then.
        places = order_from(hand.button, len(hand.totals))
        for seat in sorted(deal.seats, key=lambda seat: (hand.totals[seat], places.index(seat))):
            if asked(deal, demand, seat):
                return Owed(seat=seat, kinds=(SharesPublished,), phase=phase)
        return None

    def possible(self, deal: DeckDeal, demand: Demand) -> bool:
        """Return whether no lost seat's share is missing, also for what an exchange can ask for (VERDICT-4c)."""
        if isinstance(demand, Exchange):
            demand = Deal(hands=((demand.seat, demand.dealt),))
        return not any(asked(deal, demand, seat) for seat in deal.lost)

    def lose(self, deal: DeckDeal, seat: int) -> DeckDeal:
        """Return the deal to which `seat` will give nothing more."""
        return deal._replace(lost=(*deal.lost, seat)) if seat in deal.seats else deal

    def check(
        self, deal: DeckDeal, demand: Demand, seat: int, event: Event, prev: bytes, seen: SeenSeeds
    ) -> Violation | None:
        """Return the refusal of a key, shuffle, share or opening whose proof does not hold, or None."""
        try:
            if isinstance(event, KeyPublished):
                verify_key(deal.context(seat, "key", prev), event.key, event.proof)
                # What `apply` will make of the last key: no sum of proven keys is the identity, and none shall be.
                joint((*deal.keys, event.key))
            elif isinstance(event, DeckShuffled):
                context = deal.context(seat, "shuffle", prev)
                verify_shuffle(deal.deck, ciphertexts_of(event.deck), deal.joint, context, event.proof)
            elif isinstance(event, SharesPublished):
                slots = asked(deal, demand, seat)
                self._verify_shares(deal, slots, seat, points_of(event.shares), event.proof, prev, "share")
            elif isinstance(event, Revealed) and isinstance(demand, Show):
                self._verify_opening(deal, demand.slots, seat, event, prev)
        except InvalidProof as error:
            return error
        return None

    def apply(self, deal: DeckDeal, demand: Demand, seat: int, event: Event) -> DeckDeal:
        """Return the deal with a key, a shuffle or shares taken in; the last key makes the deck to be shuffled."""
        if isinstance(event, KeyPublished):
            keys = (*deal.keys, event.key)
            if len(keys) < len(deal.seats):
                return deal._replace(keys=keys)
            together = joint(keys)
            names = tuple([deal.game.card_text(card) for card in deal.cards])
            return deal._replace(keys=keys, joint=together, deck=start_deck(deal.game.name, names, together))
        if isinstance(event, DeckShuffled):
            return deal._replace(deck=ciphertexts_of(event.deck), shuffles=deal.shuffles + 1)
        if isinstance(event, SharesPublished):
            return deal.take(seat, asked(deal, demand, seat), points_of(event.shares))
        if isinstance(event, Revealed) and isinstance(demand, Show):
            return deal.take(seat, demand.slots, points_of(event.shares)).open(demand.slots)
        return deal

    def check_release(self, deal: DeckDeal, slots: Slots, seat: int, released: bytes, prev: bytes) -> Violation | None:
        """Return a refusal unless these are the seat's shares of exactly these slots, or nothing for none. DECK-9."""
        if not slots:
            return Violation("deck.wrong-release", expected=0, actual=len(released)) if released else None
        if len(released) != 32 * len(slots) + _PROOF:
            return Violation("deck.wrong-release", expected=32 * len(slots) + _PROOF, actual=len(released))
        shares, proof = split(released)
        try:
            self._verify_shares(deal, slots, seat, shares, proof, prev, "release")
        except InvalidProof as error:
            return error
        return None

    def apply_release(self, deal: DeckDeal, slots: Slots, seat: int, released: bytes) -> DeckDeal:
        """Return the deal with the shares of the seat's last move taken in."""
        return deal.take(seat, slots, split(released)[0]) if slots else deal

    def known(self, deal: DeckDeal, demand: OpenBoard | Deal) -> tuple[DeckDeal, Mapping[int, Card]]:
        """Return the cards of opened slots; a private deal makes none public."""
        if isinstance(demand, Deal):
            return deal._replace(complete=True), {}
        after = deal.open(demand.slots)
        return after, dict(zip(demand.slots, after.opened[-len(demand.slots) :], strict=True))

    def shown(self, deal: DeckDeal, seat: int, event: Event, slots: Slots) -> tuple[Card, ...]:
        """Return the cards of a seat's own slots, which its message has just opened."""
        return deal.opened[-len(slots) :]

    def complete(self, deal: DeckDeal) -> bool:
        """Return whether the first deal was made; a fresh deck is made after it."""
        return deal.complete

    def opened(self, event: Event) -> bytes | None:
        """Return None: no seeds are opened."""
        return None

    def _verify_shares(
        self,
        deal: DeckDeal,
        slots: Slots,
        seat: int,
        shares: tuple[bytes, ...],
        proof: bytes,
        prev: bytes,
        purpose: str,
    ) -> None:
        if len(shares) != len(slots):
            raise InvalidProof("deck.wrong-size", expected=len(slots), actual=len(shares))
        context = deal.context(seat, purpose, prev)
        verify_shares(context, deal.key(seat), slots, deal.points(slots), shares, proof)

    def _verify_opening(self, deal: DeckDeal, slots: Slots, seat: int, event: Revealed, prev: bytes) -> None:
        shares, proofs = points_of(event.shares), proofs_of(event.proofs)
        if not len(shares) == len(proofs) == len(slots):
            raise InvalidProof("deck.wrong-size", expected=len(slots), actual=(len(shares), len(proofs)))
        context, key = deal.context(seat, "open", prev), deal.key(seat)
        for slot, share, proof in zip(slots, shares, proofs, strict=True):
            verify_opening(context, slot, key, deal.without(slot, seat), share, proof)


DECK: Final = DeckDealing()
