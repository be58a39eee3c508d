"""Shoe dealing: One Poker's cards, from a deck whose keys last for the match (DECK-8).

The deck is that of `deckdeal`, of which the half on top is used, round after round. A card that was dealt to a seat is
a ciphertext under that seat's key alone; from then on it has no place in the deck any more, since whoever lays one of
two covers both anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from ..crypto.challenge import SUITE
from ..crypto.elgamal import Ciphertext, card_point, start_deck, unmask
from ..crypto.equality import verify_opening
from ..crypto.laying import verify_lay
from ..crypto.membership import proof_bytes, verify_class
from ..errors import InvalidProof, Violation
from ..games.game import (
    Action,
    Card,
    Deal,
    Demand,
    DrawLot,
    Drawn,
    Game,
    Hand,
    Laid,
    Lay,
    Light,
    Lit,
    OpenBoard,
    Slots,
)
from .dealing import Dealing
from .deckdeal import DECK, DeckDeal, card_points, ciphertexts_of, points_of, proofs_of
from .events import CardLaid, ClassProven, Event, LotOpened, Revealed
from .lot import Lot
from .state import Owed, Phase, SeenSeeds

LAID: Final = "laid"
"""What stands for the slot of a laid card in its proof (DECK-6)."""

_SEATS: Final = 2


class ShoeDeal(NamedTuple):
    """The public state of one round's dealing; tuples are by seat.

    `deck`: keys, the shoe and the shares of its slots; its number counts the shoes of the match. `used`: slots of the
    shoe that were dealt. `held`: the cards under the seat's key alone, the kept one first. `slots`: by card in `held`
    its slot, None for a kept one. `classes`: those shown last. `laid`: the laid
    card, until it is open. `opened`: cards opened since the shoe was shuffled. `carried`: cards of the shoe before that
    were held when it was.
    """

    deck: DeckDeal
    lot: Lot = Lot()
    used: int = 0
    held: tuple[tuple[Ciphertext, ...], ...] = ((),) * _SEATS
    slots: tuple[Slots, ...] = ((),) * _SEATS
    classes: tuple[tuple[int, ...], ...] = ((),) * _SEATS
    laid: tuple[Ciphertext | None, ...] = (None,) * _SEATS
    opened: tuple[Card, ...] = ()
    carried: int = 0

    @property
    def complete(self) -> bool:
        """Whether the cards of the round are dealt."""
        return self.deck.complete

    def members(self, cards: tuple[Card, ...]) -> tuple[bytes, ...]:
        """Return the points of these cards."""
        game = self.deck.game
        return tuple([card_point(game.name, game.card_text(card)) for card in cards])

    def digests(self) -> tuple[tuple[str, str, str], ...]:
        """Return nothing: no line of text stands behind these cards."""
        return ()


class ShoeDealing(Dealing):
    """Dealing "shoe": keys once a match, a shoe that all shuffle, then private cards with lamps, and lays."""

    name = "shoe"
    suites: tuple[str, ...] = (SUITE,)
    showing: type[Event] = Revealed
    lasts = True
    releases = False

    def start(
        self,
        game: Game,
        suite: str,
        session: bytes,
        hand: int,
        seats: tuple[int, ...],
        last: ShoeDeal | None = None,
    ) -> ShoeDeal:
        """Return the dealing of a round: with the keys, the shoe and the kept cards of the round before.

        A shoe of whose half nothing is left is followed by a new one, which is shuffled under the same keys (ONE-2).
        """
        if last is None:
            return ShoeDeal(deck=DECK.start(game, suite, session, hand, seats))
        deck = last.deck._replace(hand=hand, complete=False)
        after = last._replace(deck=deck, slots=((),) * _SEATS, classes=((),) * _SEATS)
        if last.used < len(deck.cards) // 2:
            return after
        names = tuple([game.card_text(card) for card in deck.cards])
        fresh = DECK.start(game, suite, session, hand, seats)._replace(
            keyed=deck.keyed,
            number=deck.number + 1,
            keys=deck.keys,
            joint=deck.joint,
            deck=start_deck(game.name, names, deck.joint),
        )
        return after._replace(deck=fresh, used=0, opened=(), carried=sum([len(cards) for cards in last.held]))

    def restart(
        self, deal: ShoeDeal, seats: tuple[int, ...], fresh: Slots = (), known: tuple[Card, ...] = ()
    ) -> ShoeDeal:
        """Return the dealing as it is: of two players the one who stays needs no cards."""
        return deal

    def owed(self, deal: ShoeDeal, demand: Demand, hand: Hand) -> Owed | None:
        """Return who draws, publishes a key, shuffles, shares, shows a class or lays next. DECK-1 to DECK-4, DECK-8."""
        if isinstance(demand, DrawLot):
            return deal.lot.owed(demand.seats)
        if isinstance(demand, Light) and not deal.classes[demand.seat]:
            return Owed(seat=demand.seat, kinds=(ClassProven,), phase=Phase.CLASSING)
        if isinstance(demand, Lay) and deal.laid[demand.seat] is None:
            return Owed(seat=demand.seat, kinds=(CardLaid,), phase=Phase.LAYING)
        return DECK.owed(deal.deck, demand, hand)

    def possible(self, deal: ShoeDeal, demand: Demand) -> bool:
        """Return True: when a seat of two is lost, nothing is asked for any more."""
        return True

    def lose(self, deal: ShoeDeal, seat: int) -> ShoeDeal:
        """Return the dealing as it is."""
        return deal

    def check(
        self, deal: ShoeDeal, demand: Demand, seat: int, event: Event, prev: bytes, seen: SeenSeeds
    ) -> Violation | None:
        """Return the refusal of an event whose proof, commitment or seed does not hold, or None."""
        deck = deal.deck
        try:
            if isinstance(demand, DrawLot):
                return deal.lot.check(deck.session, deck.hand, seat, event, seen)
            if isinstance(event, ClassProven) and isinstance(demand, Light):
                self._verify_classes(deal, demand, seat, event, prev)
            elif isinstance(event, CardLaid):
                context = deck.context(seat, "lay", prev)
                pair, cards = ciphertexts_of(event.cards), deal.held[seat]
                verify_lay(context, deck.hand, deck.key(seat), cards, pair, event.proof)
            elif isinstance(event, Revealed):
                self._verify_opening(deal, seat, event, prev)
            else:
                return DECK.check(deck, demand, seat, event, prev, seen)
        except InvalidProof as error:
            return error
        return None

    def apply(self, deal: ShoeDeal, demand: Demand, seat: int, event: Event) -> ShoeDeal:
        """Return the dealing after an event that `check` allows."""
        if isinstance(demand, DrawLot):
            return deal._replace(lot=deal.lot.take(event))
        if isinstance(event, ClassProven):
            return deal._replace(classes=_with(deal.classes, seat, event.classes))
        if isinstance(event, CardLaid):
            laid, kept = ciphertexts_of(event.cards)
            return deal._replace(laid=_with(deal.laid, seat, laid), held=_with(deal.held, seat, (kept,)))
        if isinstance(event, Revealed):
            return self._open(deal, seat, points_of(event.shares)[0])
        return deal._replace(deck=DECK.apply(deal.deck, demand, seat, event))

    def check_release(self, deal: ShoeDeal, slots: Slots, seat: int, released: bytes, prev: bytes) -> Violation | None:
        """Return a refusal of anything: no move of two players releases shares (DECK-9)."""
        return DECK.check_release(deal.deck, slots, seat, released, prev)

    def apply_release(self, deal: ShoeDeal, slots: Slots, seat: int, released: bytes) -> ShoeDeal:
        """Return the dealing as it is."""
        return deal

    def known(self, deal: ShoeDeal, demand: OpenBoard | Deal) -> tuple[ShoeDeal, Mapping[int, Card]]:
        """Return the dealing with its slots dealt: each is under its seat's key alone now. Nothing becomes public."""
        deck, _ = DECK.known(deal.deck, demand)
        held, places, used = deal.held, deal.slots, deal.used
        for seat, slots in demand.hands if isinstance(demand, Deal) else ():
            held = _with(held, seat, (*held[seat], *[deck.without(slot, seat) for slot in slots]))
            places, used = _with(places, seat, slots), used + len(slots)
        return deal._replace(deck=deck, held=held, slots=places, used=used), {}

    def outcome(self, deal: ShoeDeal, demand: DrawLot | Light | Lay) -> tuple[int, Action]:
        """Return on whom the lot fell, the classes that were shown, or that a card was laid."""
        if isinstance(demand, DrawLot):
            return deal.lot.fallen(deal.deck.session, demand.seats), Drawn()
        if isinstance(demand, Light):
            return demand.seat, Lit(classes=deal.classes[demand.seat])
        return demand.seat, Laid()

    def shown(self, deal: ShoeDeal, seat: int, event: Event, slots: Slots) -> tuple[Card, ...]:
        """Return the laid card, which the seat's message has just opened."""
        return deal.opened[-1:]

    def complete(self, deal: ShoeDeal) -> bool:
        """Return whether the cards of the round are dealt."""
        return deal.complete

    def opened(self, event: Event) -> bytes | None:
        """Return the seed of the lot that an event opens, or None."""
        return event.seed if isinstance(event, LotOpened) else None

    def _verify_classes(self, deal: ShoeDeal, demand: Light, seat: int, event: ClassProven, prev: bytes) -> None:
        """Check one proof for each card that was just dealt to the seat. Raises InvalidProof."""
        slots, cards = deal.slots[seat], deal.held[seat][-demand.count :]
        lengths = [proof_bytes(len(demand.classes[number][1])) for number in event.classes]
        if len(event.classes) != len(slots):
            raise InvalidProof("deck.wrong-size", clause="DECK-8", expected=len(slots), actual=len(event.classes))
        if sum(lengths) != len(event.proofs):
            raise InvalidProof("proof.wrong-length", expected=sum(lengths), actual=len(event.proofs))
        context, key, rest = deal.deck.context(seat, "class", prev), deal.deck.key(seat), event.proofs
        for slot, card, number, length in zip(slots, cards, event.classes, lengths, strict=True):
            name, members = demand.classes[number]
            verify_class(context, slot, name, key, card, deal.members(members), rest[:length])
            rest = rest[length:]

    def _verify_opening(self, deal: ShoeDeal, seat: int, event: Revealed, prev: bytes) -> None:
        shares, proofs, laid = points_of(event.shares), proofs_of(event.proofs), deal.laid[seat]
        if not len(shares) == len(proofs) == 1:
            raise InvalidProof("deck.wrong-size", clause="DECK-8", expected=1, actual=(len(shares), len(proofs)))
        if laid is None:
            raise RuntimeError("a card that was not laid is to be opened")
        context = deal.deck.context(seat, "open", prev)
        verify_opening(context, LAID, deal.deck.key(seat), laid, shares[0], proofs[0])

    def _open(self, deal: ShoeDeal, seat: int, share: bytes) -> ShoeDeal:
        """Return the dealing with a laid card open.

        Every proof behind it was verified, so a point that is no card, or a card more often than there are of it, is a
        mistake in this program and blames nobody: RuntimeError (DECK-5). Of the shoe before at most the carried cards
        are still there.
        """
        laid = deal.laid[seat]
        if laid is None:
            raise RuntimeError("a card that was not laid was opened")
        card = card_points(deal.deck.game).get(unmask(laid[1], (share,)))
        if card is None:
            raise RuntimeError("a card that was proven to be one does not open to a card")
        opened, cards = (*deal.opened, card), deal.deck.cards
        surplus = sum([max(0, opened.count(each) - cards.count(each)) for each in set(opened)])
        if surplus > deal.carried:
            raise RuntimeError("a proven shoe has a card more often than it should")
        return deal._replace(opened=opened, laid=_with(deal.laid, seat, None))


SHOE: Final = ShoeDealing()


def _with(values: tuple, seat: int, value: object) -> tuple:  # type: ignore[type-arg]
    """Return a tuple by seat with one seat's value changed."""
    return (*values[:seat], value, *values[seat + 1 :])
