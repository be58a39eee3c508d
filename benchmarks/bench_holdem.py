"""Speed of the rules of Hold'em alone, without cryptography, beside PokerKit on the same hands.

Run it with `python benchmarks/bench_holdem.py`. Hands are drawn and played once beforehand; only those on which the two
agree throughout are timed. Each then plays them again from a list of moves: checks every move, deals, shows down, pays.
Figures are the best of several rounds, the two in turn.
"""

from __future__ import annotations

import sys
import time
import warnings
from pathlib import Path

from pokerkit import Automation, FixedLimitTexasHoldem, NoLimitTexasHoldem, State

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dealerless.games.game import Action, Deal, Finished, Move, OpenBoard, Release, Reveal, Show
from dealerless.games.holdem import HOLDEM
from tests.oracle.pokerkit_hands import Played, play

HANDS = 200
ROUNDS = 3
TARGET = 10.0

AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def agreed(hands: int) -> list[Played]:
    """Random hands without a difference."""
    found: list[Played] = []
    seed = 0
    while len(found) < hands:
        played = play(seed)
        if not played.seen.total():
            found.append(played)
        seed += 1
    return found


def ours(played: Played) -> tuple[int, ...]:
    """The stacks after the hand on our rules."""
    deck, game = played.deck, HOLDEM
    seated = tuple(seat for seat, stack in enumerate(played.stacks) if stack)
    hand = game.start(played.terms, tuple(played.stacks), played.button, seated)
    moves = iter(played.moves)
    while True:
        due = game.demand(hand)
        kind = type(due)
        if isinstance(due, OpenBoard):
            hand = game.dealt(hand, {slot: deck[slot] for slot in due.slots})
        elif kind is Deal or kind is Release:
            hand = game.dealt(hand, {})
        elif isinstance(due, Finished):
            return due.stacks
        else:
            action: Action
            if isinstance(due, Show):
                seat, action = due.seat, Reveal(cards=tuple([deck[slot] for slot in due.slots]))
            else:
                seat, name, amount, _ = next(moves)
                action = Move(name=name, amount=amount)
            if game.check(hand, seat, action) is not None:
                raise ValueError(f"{action} is refused")
            hand = game.apply(hand, seat, action)


def theirs(played: Played) -> list[int]:
    """The stacks after the hand on PokerKit, from the button's left."""
    terms, deck, order = played.terms, played.cards, played.order
    chips, blinds = [played.stacks[seat] for seat in order], (terms.small, terms.big)
    if terms.structure == "limit":
        state: State = FixedLimitTexasHoldem.create_state(
            AUTOMATIC, True, terms.ante, blinds, terms.big, 2 * terms.big, chips, len(order)
        )
    else:
        state = NoLimitTexasHoldem.create_state(AUTOMATIC, True, terms.ante, blinds, terms.big, chips, len(order))
    seats = len(order)
    for place in range(seats):
        state.deal_hole(deck[place] + deck[seats + place])
    moves = iter(played.moves)
    at = 2 * seats
    while state.status:
        if state.actor_index is None:
            count = 3 if at == 2 * seats else 1
            state.burn_card("??")
            state.deal_board("".join(deck[at : at + count]))
            at += count
            continue
        _, name, _, to = next(moves)
        if name == "FOLD":
            state.fold()
        elif name in ("CHECK", "CALL"):
            state.check_or_call()
        else:
            state.complete_bet_or_raise_to(to)
    return state.stacks


def main() -> None:
    # It warns of cards it did not draw itself.
    warnings.simplefilter("ignore")
    hands = agreed(HANDS)
    for played in hands:
        if [ours(played)[seat] for seat in played.order] != theirs(played):
            raise ValueError(f"seed {played.seed}: the stacks differ")
    best = [float("inf"), float("inf")]
    for _ in range(ROUNDS):
        for index, play_again in enumerate((ours, theirs)):
            start = time.perf_counter()
            for played in hands:
                play_again(played)
            best[index] = min(best[index], time.perf_counter() - start)
    moves = sum(len(played.moves) for played in hands)
    shown = sum(played.shown for played in hands)
    print(f"{HANDS} hands of 2 to 9 seats, {moves} moves, {shown} with a showdown")
    print(f"{'ours, hands a second':28} {HANDS / best[0]:10.0f}")
    print(f"{'PokerKit, hands a second':28} {HANDS / best[1]:10.0f}")
    print(f"{'ratio':28} {best[1] / best[0]:10.1f}   target: at least {TARGET:g}")


if __name__ == "__main__":
    main()
