"""How the cards of a shuffled deck came to be open: which seats gave their shares of them, with which proofs.

Collected from what the referee hands over for each message. It is about where a card comes from; that all of it is
right was checked before (DECK-1 to DECK-9).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ..errors import DealerlessError
from ..games.game import Deal, Demand, Exchange, Game, Hand, Move, OpenBoard, Release, Show, Slots
from ..games.holdem import HOLDEM
from ..games.onepoker import ONEPOKER
from ..protocol.deckdeal import DeckDeal, asked
from ..protocol.events import Acted, DeckShuffled, Event, Exchanged, KeyPublished, Revealed, SharesPublished
from ..protocol.machine import Admitted
from ..protocol.playing import to_release
from ..protocol.shoedeal import ShoeDeal
from ..protocol.state import State
from .shoes import Laying, Shoes, laid_lines

_STREETS: Final = (("flop", 0, 3), ("turn", 3, 4), ("river", 4, 5))


class Given(NamedTuple):
    """What a message gives shares of: the slots, the purpose of its one proof, the clause that asks for it."""

    slots: Slots
    purpose: str
    clause: str


class Part(NamedTuple):
    """A seat's share of a card: the number of its message, the purpose of its proof, and the clause."""

    seat: int
    seq: int
    purpose: str
    clause: str


class Exchanging(NamedTuple):
    """An exchange: the number of its message, the slots that were discarded in it, and those dealt in their place."""

    seq: int
    discarded: Slots
    dealt: Slots


class Opened(NamedTuple):
    """Cards that became known to everybody with one message, by the same messages of the same seats.

    `owner` is the seat whose own they are, None for the board; `place` names them. `keys` and `shuffles` are (seat,
    message number) of what made the deck, which is the one of this number in its hand. `exchange` is that in which the
    cards were dealt, `laying` how a laid card came to lie, None for others.
    """

    cards: tuple[str, ...]
    slots: Slots
    place: str
    owner: int | None
    deck: int
    keys: tuple[tuple[int, int], ...]
    shuffles: tuple[tuple[int, int], ...]
    parts: tuple[Part, ...]
    exchange: Exchanging | None
    laying: Laying | None = None


class Provenance:
    """Remembers who shared what in the running hand: give its `on_frame` to `replay`, or call it for each message."""

    def __init__(self) -> None:
        self._hand = 0
        self._parts: dict[tuple[int, int], list[Part]] = {}
        self._keys: dict[int, list[tuple[int, int]]] = {}
        self._shuffles: dict[int, list[tuple[int, int]]] = {}
        self._exchanges: list[Exchanging] = []
        self._shoes = Shoes()

    def on_frame(
        self, before: State, admitted: Admitted, after: State | None, refusal: DealerlessError | None
    ) -> tuple[Opened, ...]:
        """Take in one message, and return the cards that it made known."""
        if after is None or admitted.envelope is None or before.play is None:
            return ()
        deal, event = before.play.deal, admitted.envelope.event
        if isinstance(deal, ShoeDeal):
            self._shoes.take(before, deal, admitted.seat, admitted.seq, event)
            return self._laid(before, deal, admitted, after)
        if not isinstance(deal, DeckDeal):
            return ()
        if deal.hand != self._hand:
            self._hand = deal.hand
            self._parts, self._keys, self._shuffles, self._exchanges = {}, {}, {}, []
        self._take(deal.number, before, admitted.seat, admitted.seq, event)
        hand = _hand_of(after)
        if hand is None or hand.cards == before.play.hand.cards:
            return ()
        return self._opened(before, hand)

    def _take(self, deck: int, before: State, seat: int, seq: int, event: Event) -> None:
        if isinstance(event, KeyPublished):
            self._keys.setdefault(deck, []).append((seat, seq))
        elif isinstance(event, DeckShuffled):
            self._shuffles.setdefault(deck, []).append((seat, seq))
        elif isinstance(event, Exchanged):
            demand = before.agreed.game.demand(before.running.hand)
            if isinstance(demand, Exchange):
                self._exchanges.append(Exchanging(seq, event.slots, demand.dealt[: len(event.slots)]))
        given = gives(before, seat, event)
        if given is not None:
            for slot in given.slots:
                part = Part(seat, seq, given.purpose, given.clause)
                self._parts.setdefault((deck, slot), []).append(part)

    def _laid(self, before: State, deal: ShoeDeal, admitted: Admitted, after: State) -> tuple[Opened, ...]:
        """Return the laid card that a message of its owner has opened."""
        seat, hand = admitted.seat, _hand_of(after)
        laying = None if admitted.envelope is None else self._shoes.laying(seat, admitted.envelope.event)
        if laying is None or hand is None:
            return ()
        deck = laying.dealt.deck
        return (
            Opened(
                cards=(before.agreed.game.card_text(hand.cards[seat]),),
                slots=(),
                place=f"laid card of seat {seat}",
                owner=seat,
                deck=deck,
                keys=tuple(self._shoes.keys),
                shuffles=tuple(self._shoes.shuffles[deck]),
                parts=(Part(seat, admitted.seq, "open", "DECK-8"),),
                exchange=None,
                laying=laying,
            ),
        )

    def _opened(self, before: State, hand: Hand) -> tuple[Opened, ...]:
        game, play = before.agreed.game, before.running
        deck = play.deal.number
        groups: dict[tuple[int | None, tuple[Part, ...]], list[int]] = {}
        for slot, card in enumerate(hand.cards):
            if card is not None and play.hand.cards[slot] is None:
                parts = tuple(sorted(self._parts.get((deck, slot), [])))
                groups.setdefault((_owner(game, hand, slot, len(play.before)), parts), []).append(slot)
        return tuple(
            [
                Opened(
                    cards=tuple([game.card_text(card) for slot in slots if (card := hand.cards[slot]) is not None]),
                    slots=tuple(slots),
                    place=places(game, hand, tuple(slots), len(play.before)),
                    owner=owner,
                    deck=deck,
                    keys=tuple(self._keys.get(deck, ())),
                    shuffles=tuple(self._shuffles.get(deck, ())),
                    parts=parts,
                    exchange=next((one for one in self._exchanges if slots[0] in one.dealt), None),
                )
                for (owner, parts), slots in groups.items()
            ]
        )


def gives(before: State, seat: int, event: Event) -> Given | None:
    """Return of which slots a message of `seat` gives its shares in this state, or None if it gives none.

    Of one that is refused, those that it would have had to give.
    """
    if before.play is None or not isinstance(before.play.deal, DeckDeal | ShoeDeal):
        return None
    game, play = before.agreed.game, before.play
    demand = game.demand(play.hand)
    if isinstance(play.deal, ShoeDeal):
        if isinstance(event, SharesPublished) and isinstance(demand, Deal):
            return Given(asked(play.deal.deck, demand, seat), "share", "DECK-4")
        return Given((), "open", "DECK-8") if isinstance(event, Revealed) else None
    if isinstance(event, SharesPublished) and isinstance(demand, Deal | OpenBoard | Release):
        return Given(asked(play.deal, demand, seat), "share", clause_of_shares(play.hand, demand))
    if isinstance(event, Revealed) and isinstance(demand, Show):
        return Given(demand.slots, "open", "DECK-6")
    if isinstance(event, Acted) and event.released:
        move = Move(name=event.move, amount=event.amount)
        if game.check(play.hand, seat, move) is None:
            return Given(to_release(before, seat, move), "release", "DECK-9")
    return None


def clause_of_shares(hand: Hand, demand: Demand) -> str:
    """Return the clause by which a seat is to share what a hand demands."""
    if isinstance(demand, Deal):
        return "DECK-7" if getattr(hand, "discards", ()) else "DECK-4"
    return "DECK-5" if isinstance(demand, OpenBoard) else "DECK-9"


def origin(cards: Opened) -> tuple[str, ...]:
    """Return how these cards came to be open, in lines: which they are, seat by seat whose shares, for what they were
    exchanged, and of what deck.

    The owner of closed cards comes last: without its share they stay closed, whatever all others say.
    """
    shown, dealt = " ".join(cards.cards), cards.exchange
    where = f" ({slots_text(cards.slots)} of deck {cards.deck})" if cards.slots else ""
    lines = [f"{cards.place} {shown}{where}, opened by the share{'s' if cards.slots else ''} of"]
    for part in sorted(cards.parts, key=lambda part: (part.seat == cards.owner, part.seat)):
        owner = "" if part.seat != cards.owner else ", their owner" if cards.slots else ", its owner"
        lines.append(f"seat {part.seat}{owner}: message {part.seq}, proof of purpose {part.purpose} [{part.clause}]")
    if dealt is not None:
        given = f"{slots_text(dealt.discarded)}, given up for good"
        lines.append(f"dealt in the exchange of message {dealt.seq} for {given} [DECK-7]")
    if cards.laying is not None and cards.owner is not None:
        lines += laid_lines(cards.laying, cards.owner)
    keys, shuffles = [", ".join([str(seq) for _, seq in made]) for made in (cards.keys, cards.shuffles)]
    lines.append(f"deck {cards.deck}: keys in messages {keys} [DECK-1], shuffles in messages {shuffles} [DECK-3]")
    return tuple(lines)


def slots_text(slots: Slots) -> str:
    """Return one slot or several in words."""
    return f"slot{'s' if len(slots) > 1 else ''} {', '.join([str(slot) for slot in slots])}"


def places(game: Game, hand: Hand, slots: Slots, seats: int) -> str:
    """Return what lies at these slots, in words."""
    board, parts, demand = game.board_slots(hand), [], game.demand(hand)
    if game.name == HOLDEM.name:
        streets = [name for name, first, end in _STREETS if set(slots) & set(board[first:end])]
        parts.append(_listed(streets))
    elif set(slots) & set(board):
        parts.append("common cards")
    # What a seat holds in One Poker is at no slot of the deck any more (DECK-8).
    own = range(0 if game.name == ONEPOKER.name else seats)
    owners = [seat for seat in own if set(slots) & set(game.hole_slots(hand, seat))]
    coming = dict(demand.hands) if isinstance(demand, Deal) else {}
    new = [seat for seat in range(seats) if seat not in owners and set(slots) & set(coming.get(seat, ()))]
    for what, whose in (("cards", owners), ("new cards", new)):
        if whose:
            parts.append(f"{what} of seat{'s' if len(whose) > 1 else ''} {_listed([str(seat) for seat in whose])}")
    if not parts:
        parts.append("cards that may still be dealt")
    return " and ".join([part for part in parts if part])


def _listed(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def _owner(game: Game, hand: Hand, slot: int, seats: int) -> int | None:
    return next((seat for seat in range(seats) if slot in game.hole_slots(hand, seat)), None)


def _hand_of(after: State) -> Any:
    """Return the hand as it is after a message, also of one that this message ended."""
    if after.play is not None:
        return after.play.hand
    return None if after.finished is None else after.finished.hand
