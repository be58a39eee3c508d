"""Speed of the rules of five-card draw alone, without cryptography, beside PokerKit on the same hands.

Run it with `python benchmarks/bench_draw.py`. Hands are drawn and played once beforehand; only those on which the two
agree throughout are timed. Each then plays them again from a list of moves and exchanges: checks every one, deals,
shows down, pays. PokerKit gets its cards as texts and its levels ready-made. Figures are the best of several rounds,
the two in turn.
"""

from __future__ import annotations

import sys
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

from pokerkit import Automation, BettingStructure, Deck, Mode, Opening, StandardHighHand, State, Street

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dealerless.games.draw import DRAW
from dealerless.games.game import Action, Deal, Discard, Finished, Move, Reveal, Show
from tests.oracle.pokerkit_common import text
from tests.oracle.pokerkit_draw import Played, play

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """A hand as PokerKit is told it: the seats from the button's left, their cards, and what each then does.

    A step is a move's name with the level of a bet or raise, or EXCHANGE with the cards given up and those dealt.
    """

    order: tuple[int, ...]
    hole: list[str]
    steps: list[tuple[str, int, str, str]]


def agreed(hands: int) -> list[tuple[Played, Script]]:
    """Random hands without a difference."""
    found: list[tuple[Played, Script]] = []
    seed = 0
    while len(found) < hands:
        played = play(seed)
        if not played.seen.total():
            found.append((played, script(played)))
        seed += 1
    return found


def seated(played: Played) -> tuple[int, ...]:
    return tuple(seat for seat, stack in enumerate(played.stacks) if DRAW.can_be_dealt_in(played.terms, stack))


def script(played: Played) -> Script:
    """What PokerKit has to be told of the hand."""
    hand = DRAW.start(played.terms, tuple(played.stacks), played.button, seated(played))

    def cards(slots: tuple[int, ...]) -> str:
        return "".join(text(played.deck[slot]) for slot in slots)

    hole = [cards(hand.held[seat]) for seat in hand.order]
    steps = []
    hand = DRAW.dealt(hand, {})
    for seat, name, slots in played.moves:
        before = hand.top
        hand = DRAW.apply(hand, seat, Discard(slots=slots) if name == "EXCHANGE" else Move(name=name, amount=0))
        new = tuple(range(before, hand.top))
        steps.append((name, hand.betting.level if name in ("BET", "RAISE") else 0, cards(slots), cards(new)))
        if isinstance(hand.due, Deal):
            hand = DRAW.dealt(hand, {})
    return Script(order=hand.order, hole=hole, steps=steps)


def ours(played: Played, told: Script) -> list[int]:
    """The stacks after the hand on our rules, from the button's left."""
    deck, game = played.deck, DRAW
    hand = game.start(played.terms, tuple(played.stacks), played.button, seated(played))
    moves = iter(played.moves)
    while True:
        due = game.demand(hand)
        if type(due) is Deal:
            hand = game.dealt(hand, {})
        elif isinstance(due, Finished):
            return [due.stacks[seat] for seat in told.order]
        else:
            action: Action
            if isinstance(due, Show):
                seat, action = due.seat, Reveal(cards=tuple([deck[slot] for slot in due.slots]))
            else:
                seat, name, slots = next(moves)
                action = Discard(slots=slots) if name == "EXCHANGE" else Move(name=name, amount=0)
            if game.check(hand, seat, action) is not None:
                raise ValueError(f"{action} is refused")
            hand = game.apply(hand, seat, action)


def theirs(played: Played, told: Script) -> list[int]:
    """The stacks after the hand on PokerKit, from the button's left."""
    terms, seats = played.terms, len(told.order)
    bets = 1 + terms.raises
    streets = (
        Street(False, (False,) * 5, 0, False, Opening.POSITION, terms.first, bets),
        Street(False, (), 0, True, Opening.POSITION, terms.second, bets),
    )
    state = State(
        AUTOMATIC,
        Deck.STANDARD,
        (StandardHighHand,),
        streets,
        BettingStructure.FIXED_LIMIT,
        True,
        terms.ante,
        (0,) * seats,
        0,
        [played.stacks[seat] for seat in told.order],
        seats,
        mode=Mode.TOURNAMENT,
    )
    for cards in told.hole:
        state.deal_hole(cards)
    dealt: list[tuple[int | None, str]] = []
    for name, level, cards, new in told.steps:
        if name == "EXCHANGE":
            if new:
                dealt.append((state.stand_patter_or_discarder_index, new))
            state.stand_pat_or_discard(cards)
            if state.stand_patter_or_discarder_index is None:
                # It deals when all have said what they give up.
                for player, replacements in dealt:
                    state.deal_hole(replacements, player)
        elif name == "FOLD":
            state.fold()
        elif level:
            state.complete_bet_or_raise_to(level)
        else:
            state.check_or_call()
    return state.stacks


def main() -> None:
    # It warns of cards it did not draw itself.
    warnings.simplefilter("ignore")
    hands = agreed(HANDS)
    for played, told in hands:
        if ours(played, told) != theirs(played, told):
            raise ValueError(f"seed {played.seed}: the stacks differ")
    best = [float("inf"), float("inf")]
    for _ in range(ROUNDS):
        for index, play_again in enumerate((ours, theirs)):
            start = time.perf_counter()
            for played, told in hands:
                play_again(played, told)
            best[index] = min(best[index], time.perf_counter() - start)
    steps = sum(len(played.moves) for played, _ in hands)
    shown = sum(played.shown for played, _ in hands)
    print(f"{HANDS} hands of 2 to 6 seats, {steps} moves and exchanges, {shown} with a showdown")
    print(f"{'ours, hands a second':28} {HANDS / best[0]:10.0f}")
    print(f"{'PokerKit, hands a second':28} {HANDS / best[1]:10.0f}")
    print(f"{'ratio':28} {best[1] / best[0]:10.1f}   target: at least {TARGET:g}")


if __name__ == "__main__":
    main()
