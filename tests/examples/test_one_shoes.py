"""A match of One Poker over two shoes, with all its proofs (ONE-2, example O16)."""

from __future__ import annotations

import pytest

from dealerless.crypto.elgamal import card_point, start_deck
from dealerless.crypto.group import BASE, add
from dealerless.games.game import Show
from dealerless.games.onepoker import ONEPOKER
from dealerless.protocol.events import DeckShuffled, HandStarted, KeyPublished, LotCommitted, Revealed
from dealerless.protocol.shoedeal import SHOE, ShoeDeal
from dealerless.protocol.state import Phase
from dealerless.referee import Outcome
from tests.matches import Match, envelopes, one_offer
from tests.one import number

ROUNDS = 40


def test_the_39th_round_has_a_new_shoe_under_the_same_keys() -> None:
    """ONE-2, ONE-3, DECK-1, TABLE-5: keys and lot once, four shuffles, and the kept cards stay with their owners."""
    match = Match(one_offer(rounds=ROUNDS, lives=(100, 100)), "two shoes").play_to_hand(39)
    before = match.state.finished
    assert before is not None
    old: ShoeDeal = before.deal
    assert (old.used, old.deck.number, len(old.opened)) == (78, 0, 76)
    kept = [session._holder.own_cards(old, (), seat, session._secrets) for seat, session in enumerate(match.sessions)]
    match.until(Phase.SHUFFLING)
    deal: ShoeDeal = match.state.running.deal
    names = [ONEPOKER.card_text(card) for card in ONEPOKER.deck()]
    assert deal.deck.deck == start_deck("onepoker", names, deal.deck.joint)
    assert (deal.deck.keys, deal.deck.number, deal.deck.keyed, deal.used) == (old.deck.keys, 1, (1, 0), 0)
    assert (deal.held, deal.opened) == (old.held, ())
    assert match.state.running.hand.played == ()
    assert [match.sessions[seat].hole() for seat in (0, 1)] == kept
    match.until(Phase.LAYING)
    deal = match.state.running.deal
    assert deal.used == 2
    for seat in (0, 1):
        # Of the two the kept one is first, and where it once lay nobody needs to know.
        assert deal.held[seat][0] == old.held[seat][0]
        assert match.sessions[seat].hole()[:1] == kept[seat]
        assert match.state.running.hand.lamps[seat] == tuple(
            [[card >= number("C8") for card in match.sessions[seat].hole()].count(up) for up in (False, True)]
        )
    match.play()
    verdict = match.verdict()
    assert verdict.outcome is Outcome.CLEAN
    assert len(verdict.hands) == ROUNDS
    assert sum(verdict.stacks) == 200
    events = [envelope.event for envelope in envelopes(match.frames)]
    counts = [sum([isinstance(event, kind) for event in events]) for kind in (KeyPublished, LotCommitted, DeckShuffled)]
    assert counts == [2, 2, 4]
    shuffled = [place for place, event in enumerate(events) if isinstance(event, DeckShuffled)]
    started = [place for place, event in enumerate(events) if isinstance(event, HandStarted)]
    assert [len([place for place in started if place < at]) for at in shuffled] == [1, 1, 39, 39]


@pytest.mark.parametrize(("carried", "copies", "fits"), [(0, 2, True), (0, 3, False), (2, 3, True), (2, 5, False)])
def test_a_fourth_copy_only_over_two_shoes(carried: int, copies: int, fits: bool) -> None:
    """ONE-2, DECK-5: three of a card in a shoe, and those that were held when it was shuffled. Blames nobody."""
    ace = number("SA")
    deal = SHOE.start(ONEPOKER, "ristretto255-sha512", bytes(32), 1, (0, 1))
    laid = (BASE, add(card_point("onepoker", "SA"), BASE))
    deal = deal._replace(laid=(laid, None), opened=(ace,) * copies, carried=carried)
    due, event = Show(seat=0, slots=(0,), may_muck=False), Revealed(shares=BASE, proofs=bytes(64))
    if fits:
        assert SHOE.apply(deal, due, 0, event).opened == (ace,) * (copies + 1)
    else:
        with pytest.raises(RuntimeError):
            SHOE.apply(deal, due, 0, event)
