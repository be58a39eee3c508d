"""Nobody reads a closed or discarded card of five-card draw: counted, slot by slot, in the shares that were published.

A card is read by whoever has every seat's share of its slot, and all the others together have their own. So for each
slot that was not shown the holder's share must not stand in the transcript.
"""

from __future__ import annotations

import pytest

from dealerless.errors import DealerlessError
from dealerless.protocol.events import Acted, Exchanged, Mucked
from dealerless.protocol.machine import Admitted
from dealerless.protocol.state import Phase, State
from dealerless.referee import replay
from tests.matches import Match, by_chance, draw_offer, named
from tests.vectors.generate import Decks


def assert_private(match: Match) -> tuple[int, int]:
    """That the shares in the transcript open what was shown and nothing else; how many slots, and how many discards."""
    decks, named_slots = Decks(), dict[tuple[int, int], int]()

    def note(before: State, admitted: Admitted, after: State | None, refusal: DealerlessError | None) -> None:
        decks.note(before, admitted, after, refusal)
        if after is not None and admitted.envelope is not None and isinstance(admitted.envelope.event, Exchanged):
            number, slots = before.books.number, admitted.envelope.event.slots
            named_slots.update({(number, slot): admitted.seat for slot in slots})

    verdict = replay(match.transcript(), on_frame=note)
    records = {record.number: record for record in verdict.hands}
    opened = given_up = 0
    for deck in decks.account():
        record = records[deck["hand"]]
        hand, last = record.hand, record.deal.number == deck["number"]
        shown = {slot for seat in hand.shown for slot in hand.held[seat]} if last else set()
        # Of every other slot, dealt or not, somebody's share is missing.
        assert {slot for slot, _, _ in deck["open"]} == shown
        if not last:
            continue
        assert {slot for slot, card in enumerate(hand.cards) if card is not None} == shown
        gone = {
            slot: seat
            for (number, slot), seat in named_slots.items()
            if number == record.number and slot not in hand.held[seat]
        }
        whose = {slot: seat for seat in hand.order for slot in hand.held[seat]} | gone
        for slot, seat, _ in deck["shares"]:
            assert slot in shown or whose.get(slot) != seat
        assert not shown & gone.keys()
        assert {seat for seat, cards in enumerate(record.hole) if cards} == set(hand.shown)
        opened += len(shown)
        given_up += len(gone)
    return opened, given_up


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_played_by_chance(seats: int) -> None:
    """DRAW-2, DRAW-4, DECK-7, DECK-9: whatever was folded, exchanged, mucked and shown."""
    label = f"private {seats}"
    match = Match(draw_offer(seats=seats, hands=2, show="muck"), label).play(by_chance(label))
    assert_private(match)


def test_discards_stay_closed_at_a_showdown() -> None:
    """DRAW-2, DECK-7: all show five cards, and the nine that were given up have all shares but their holders'."""
    match = Match(draw_offer(seats=3)).until(Phase.EXCHANGING)
    for seat in (1, 2, 0):
        match.until(Phase.EXCHANGING)
        match.say(seat, Exchanged(slots=match.state.running.hand.due.slots[1:4]))
    match.play()
    assert assert_private(match) == (15, 9)


def test_a_folded_hand_and_a_mucked_one_stay_closed() -> None:
    """DRAW-4, DRAW-8, SHOW-3: one folds before the exchange, one mucks after it."""
    match = Match(draw_offer(seats=3, show="muck")).until(Phase.EXCHANGING, choose=named("BET FOLD CALL"))
    match.until(Phase.SHOWING)
    match.turn()
    match.say(match.owing, Mucked())
    match.play()
    assert assert_private(match)[0] == 5
    (record,) = match.verdict().hands
    assert (record.hole[2], record.hand.shown, record.hand.mucked) == (None, (1,), (0,))


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_one_that_goes_opens_nothing(seat: int) -> None:
    """VERDICT-4, DECK-7: in the middle of an exchange, whoever it is. Seat 1 exchanges and seat 2 has shared for it, so
    that the new cards still come if seat 2 goes, and not if seat 0 or seat 1 does."""
    match = Match(draw_offer(seats=3)).until(Phase.EXCHANGING)
    match.say(match.owing, Exchanged(slots=match.state.running.hand.due.slots[:2]))
    match.turn()
    match.cheat(seat, match.forge(seat, Acted(move="RAISE", amount=-1)))
    match.play()
    opened, given_up = assert_private(match)
    assert opened == 10
    assert given_up == (2 if seat == 2 else 0)


def test_a_new_deal_leaves_the_first_deck_closed() -> None:
    """VERDICT-4: shares of a deck that was given up open nothing together."""
    match = Match(draw_offer(seats=3)).until(Phase.DEALING).turn()
    seat = match.owing
    match.cheat(seat, match.forge(seat, Acted(move="RAISE", amount=-1)))
    match.play()
    assert assert_private(match)[0] == 10
