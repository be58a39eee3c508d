"""Where a laid card of One Poker comes from: which messages dealt, classed, laid and opened it (DECK-8).

Which of its two cards a seat laid nobody can tell, so both are told of: those just dealt to it, and the one that an
earlier lay has kept.
"""

from __future__ import annotations

from typing import NamedTuple

from ..games.game import Deal, Slots
from ..protocol.events import CardLaid, ClassProven, DeckShuffled, Event, KeyPublished, Revealed, SharesPublished
from ..protocol.shoedeal import ShoeDeal
from ..protocol.state import State


class Dealt(NamedTuple):
    """New cards of a seat: their slots, the deck they are of, and who has shared them with it, in which message."""

    slots: Slots
    deck: int
    by: int
    seq: int


class Laying(NamedTuple):
    """How a laid card came to lie there, by numbers of messages.

    `dealt` are the seat's new cards, `classes` shows of which class they are; `kept` is the lay that has left the other
    one of the two, None in the first round; `lay` is the one that laid this card.
    """

    dealt: Dealt
    classes: int
    kept: int | None
    lay: int


class Shoes:
    """Remembers what was dealt, classed and laid in a match."""

    def __init__(self) -> None:
        self.keys: list[tuple[int, int]] = []
        self.shuffles: dict[int, list[tuple[int, int]]] = {}
        self._dealt: dict[int, Dealt] = {}
        self._classes: dict[int, int] = {}
        self._kept: dict[int, int] = {}
        self._lays: dict[int, Laying] = {}

    def take(self, before: State, deal: ShoeDeal, seat: int, seq: int, event: Event) -> None:
        """Take in one good message of a round."""
        deck = deal.deck.number
        demand = before.agreed.game.demand(before.running.hand)
        if isinstance(event, KeyPublished):
            self.keys.append((seat, seq))
        elif isinstance(event, DeckShuffled):
            self.shuffles.setdefault(deck, []).append((seat, seq))
        elif isinstance(event, SharesPublished) and isinstance(demand, Deal):
            for other, slots in demand.hands:
                if other != seat:
                    self._dealt[other] = Dealt(slots, deck, seat, seq)
        elif isinstance(event, ClassProven):
            self._classes[seat] = seq
        elif isinstance(event, CardLaid):
            self._lays[seat] = Laying(self._dealt[seat], self._classes[seat], self._kept.get(seat), seq)
            self._kept[seat] = seq

    def laying(self, seat: int, event: Event) -> Laying | None:
        """Return how the card came to lie that this good message of the seat opens; None if it opens none."""
        return self._lays.get(seat) if isinstance(event, Revealed) else None


def laid_lines(laying: Laying, seat: int) -> tuple[str, ...]:
    """Return in lines how a card of the seat came to lie, but for who opened it."""
    dealt = laying.dealt
    several = len(dealt.slots) > 1
    slots = f"slot{'s' if several else ''} {' and '.join([str(slot) for slot in dealt.slots])}"
    held = f"one of the two cards that seat {seat} held, both covered anew"
    lines = [f"laid by message {laying.lay}, {held}, proof of purpose lay [DECK-8]"]
    which, new = ("they are", "they are") if several else ("one is", "the new one is")
    shared = f"dealt by the shares of seat {dealt.by}: message {dealt.seq}"
    lines.append(f"{which} {slots} of deck {dealt.deck}, {shared}, proof of purpose share [DECK-4]")
    if laying.kept is not None:
        lines.append(f"the other is the card that message {laying.kept} kept [DECK-8]")
    lines.append(f"of which class {new}: message {laying.classes}, proofs of purpose class [DECK-8]")
    return tuple(lines)
