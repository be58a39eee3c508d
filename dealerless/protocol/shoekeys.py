"""The secret side of shoe dealing: a seat's key of the match, the classes of its cards, and what it lays."""

from __future__ import annotations

from ..crypto.commitment import commitment
from ..crypto.elgamal import Ciphertext, unmask
from ..crypto.equality import prove_opening, share
from ..crypto.laying import lay
from ..crypto.membership import prove_class
from ..crypto.schnorr import DeckSecret
from ..errors import UsageError
from ..games.game import Card, Demand, Light, Slots
from .dealing import Holder
from .deckdeal import card_points
from .deckkeys import DeckHolder, has_key, key_of
from .events import CardLaid, ClassProven, Event, KeyPublished, LotCommitted, LotOpened, Revealed
from .lot import LOT
from .seeds import Secrets
from .shoedeal import LAID, ShoeDeal


class ShoeHolder(Holder):
    """A seat's secret side of shoe dealing: one seed for the lot, one key for the match."""

    def __init__(self) -> None:
        self._deck = DeckHolder()

    def answer(
        self, deal: ShoeDeal, demand: Demand, seat: int, kind: type[Event], prev: bytes, secrets: Secrets
    ) -> Event:
        """Return the message of this kind that `seat` owes, but for a lay, which it has to choose."""
        deck = deal.deck
        if kind is LotCommitted:
            seed = secrets.seed(deck.hand, LOT)
            return LotCommitted(commitment=commitment(LOT, deck.session, deck.hand, seat, seed))
        if kind is LotOpened:
            return LotOpened(seed=secrets.seed(deck.hand, LOT))
        key = key_of(deal.deck, secrets)
        if kind is ClassProven and isinstance(demand, Light):
            return self._classes(deal, demand, seat, prev, key, secrets)
        laid = deal.laid[seat]
        if kind is Revealed and laid is not None:
            context, (ours,) = deck.context(seat, "open", prev), share(key, (laid[0],))
            proof = prove_opening(key, context, LAID, key.public, laid, ours, secrets.fresh)
            return Revealed(shares=ours, proofs=proof)
        return self._deck.answer(deck, demand, seat, kind, prev, secrets)

    def lay(self, deal: ShoeDeal, seat: int, place: int, prev: bytes, secrets: Secrets) -> Event:
        """Return the message that lays the first (0) or the second (1) of our two cards."""
        key, deck = key_of(deal.deck, secrets), deal.deck
        context = deck.context(seat, "lay", prev)
        pair, proof = lay(key, context, deck.hand, key.public, deal.held[seat], place, secrets.fresh)
        return CardLaid(cards=b"".join([a + z for a, z in pair]), proof=proof)

    def release(self, deal: ShoeDeal, slots: Slots, seat: int, prev: bytes, secrets: Secrets) -> bytes:
        """Return nothing: no move of two players releases shares (DECK-9)."""
        return b""

    def explained(self, deal: ShoeDeal, demand: Demand, seat: int, event: Event, secrets: Secrets) -> bool:
        """Return whether our secrets made this message of `seat`; proofs and coverings leave nothing to compare."""
        if isinstance(event, LotCommitted | LotOpened):
            known = secrets.known(deal.deck.hand, LOT)
            return known is not None and event == self.answer(deal, demand, seat, type(event), b"", secrets)
        if not has_key(deal.deck, secrets):
            return False
        key, laid = key_of(deal.deck, secrets), deal.laid[seat]
        if isinstance(event, KeyPublished):
            return event.key == key.public
        if isinstance(event, Revealed) and laid is not None:
            return event.shares == share(key, (laid[0],))[0]
        return self._deck.explained(deal.deck, demand, seat, event, secrets)

    def own_cards(self, deal: ShoeDeal, slots: Slots, seat: int, secrets: Secrets) -> tuple[Card, ...]:
        """Return our cards: the laid one first if there is one, then those we hold, the kept one first."""
        laid, held = deal.laid[seat], deal.held[seat]
        if not held:
            return ()
        key = key_of(deal.deck, secrets)
        return tuple([_open(deal, key, card) for card in ((laid,) if laid is not None else ()) + held])

    def _classes(
        self, deal: ShoeDeal, demand: Light, seat: int, prev: bytes, key: DeckSecret, secrets: Secrets
    ) -> Event:
        context, classes, proofs = deal.deck.context(seat, "class", prev), list[int](), b""
        for slot, ciphertext in zip(deal.slots[seat], deal.held[seat][-demand.count :], strict=True):
            card = _open(deal, key, ciphertext)
            number = next(n for n, (_, members) in enumerate(demand.classes) if card in members)
            name, members = demand.classes[number]
            classes.append(number)
            proofs += prove_class(
                key, context, slot, name, key.public, ciphertext, deal.members(members), secrets.fresh
            )
        return ClassProven(classes=tuple(classes), proofs=proofs)


def _open(deal: ShoeDeal, key: DeckSecret, ciphertext: Ciphertext) -> Card:
    """Return the card under our own key."""
    a, z = ciphertext
    card = card_points(deal.deck.game).get(unmask(z, share(key, (a,))))
    if card is None:
        raise UsageError("usage.wrong-state", actual="a card that this key does not open")
    return card
