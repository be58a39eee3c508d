"""The course of a round of One Poker: antes, the lot, lamps, lays, moves, and the laid cards as they open.

A round has no board and deals to both or to none, so its public state and its moves say all that happened (ONE-5).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..games.cards import card_text
from ..games.onepoker import ONEPOKER
from ..games.onepokerhand import CLASSES, DOWN, UP, OneHand, class_of
from ..protocol.state import ActionTaken, HandRecord
from .parts import OPENING, Course, Entry, Street

_HELD: Final = 2
"""Cards that a player holds between the deal and the opening (ONE-3)."""

Lamps = tuple[tuple[int, int], tuple[int, int]]


def lamps_text(lamps: tuple[int, int]) -> str:
    """Return in words what the lamps of a seat say: how many cards of each class it holds (ONE-4)."""
    return " ".join([f"{lamps[each]} {CLASSES[each]}" for each in (UP, DOWN)])


def lamps_dealt(hand: OneHand) -> Lamps:
    """Return the lamps of both, DOWN first, as they are before a laid card opens: what they hold after the deal.

    Of a seat that has not yet shown the classes of its new cards, those of what it kept.
    """
    return _with_opened(hand, 0), _with_opened(hand, 1)


def _with_opened(hand: OneHand, seat: int) -> tuple[int, int]:
    down, up = hand.lamps[seat]
    card = hand.cards[seat]
    if card is None:
        return down, up
    return (down, up + 1) if class_of(card) == UP else (down + 1, up)


def lamps_told(hand: HandRecord) -> tuple[str, ...]:
    """Return by seat what its lamps say after the deal, in words; nothing in other games."""
    if hand.game.name != ONEPOKER.name:
        return ()
    return tuple([lamps_text(lamps) for lamps in lamps_dealt(hand.hand)])


def one_course(hand: HandRecord) -> Course:
    """Return the course of a round, finished or running, as far as it went."""
    end: OneHand = hand.hand
    posts = (1, 1)
    streets = [_deal(hand, end), *_lays(hand, end), *_betting(hand, end), *_opening(hand, end)]
    expelled = _expelled(hand, end)
    for seat in expelled:
        last = streets[-1]
        streets[-1] = last._replace(entries=(*last.entries, _gone(hand, end, seat)))
    return Course((0, 1), posts, expelled, tuple(streets), (0,) * len(hand.actions))


def _staked(hand: HandRecord) -> tuple[tuple[int, ...], int]:
    """Return lives and pot after the antes."""
    return tuple([lives - 1 for lives in hand.before]), len(hand.before)


def _deal(hand: HandRecord, end: OneHand) -> Street:
    stacks, pot = _staked(hand)
    posts = [
        Entry("post", seat, None, "posts the ante 1" + _all(lives), stacks, pot) for seat, lives in enumerate(stacks)
    ]
    entries = [Entry(kind, seat, None, text, stacks, pot) for kind, seat, text in _dealt(hand, end)]
    return Street("deal", (), 0, stacks, pot, (*posts, *entries))


def _dealt(hand: HandRecord, end: OneHand) -> Iterator[tuple[str, int | None, str]]:
    """Yield (kind, seat, words) of the lot, which the first round has, of a new shoe, and of the lamps as shown."""
    if hand.number == 1 and end.priority is not None:
        yield "lot", end.priority, "has priority, by lot"
    if hand.number > 1 and end.used == _HELD:
        yield "shoe", None, "a fresh shoe is shuffled; the kept cards stay where they are"
    lamps = lamps_dealt(end)
    for seat in (end.first, 1 - end.first):
        if sum(lamps[seat]) == _HELD:
            yield "lamps", seat, f"holds {lamps_text(lamps[seat])}"


def _lays(hand: HandRecord, end: OneHand) -> Iterator[Street]:
    stacks, pot = _staked(hand)
    entries = [Entry("lay", seat, None, "lays a card face down", stacks, pot) for seat in end.laid]
    if entries:
        yield Street("lays", (), 0, stacks, pot, tuple(entries))


def _betting(hand: HandRecord, end: OneHand) -> Iterator[Street]:
    if not hand.actions:
        return
    now, pot = _staked(hand)
    began, entries = now, []
    for action in hand.actions:
        entries.append(Entry("move", action.seat, action.seq, _told(action, now), action.stacks, action.pot))
        now = action.stacks
    yield Street("betting", (), 0, began, pot, tuple(entries))


def _opening(hand: HandRecord, end: OneHand) -> Iterator[Street]:
    stacks, pot = _moved(hand)
    entries = [
        Entry("show", seat, None, f"opens {card_text(card)}", stacks, pot)
        for seat in end.shown
        if (card := end.cards[seat]) is not None
    ]
    if entries:
        yield Street(OPENING, (), 0, stacks, pot, tuple(entries))


def _moved(hand: HandRecord) -> tuple[tuple[int, ...], int]:
    """Return lives and pot after the last move."""
    return (hand.actions[-1].stacks, hand.actions[-1].pot) if hand.actions else _staked(hand)


def _expelled(hand: HandRecord, end: OneHand) -> tuple[int, ...]:
    """Return who was put out of this round: who is not left for the pot of a forfeit (VERDICT-4)."""
    return tuple([seat for seat in (0, 1) if end.folded[seat]]) if hand.result == "forfeit" else ()


def _gone(hand: HandRecord, end: OneHand, seat: int) -> Entry:
    stacks, pot = _moved(hand)
    more = stacks[seat] - end.stacks[seat]
    text = f"is expelled and leaves {end.totals[seat]} in the pot" + (f", and loses {more} more" if more else "")
    return Entry("expelled", seat, None, text, end.stacks, pot)


def _told(action: ActionTaken, before: tuple[int, ...]) -> str:
    """Return a move in words, a raise by how many lives it goes up; `before` are the lives before it (ONE-7)."""
    paid = before[action.seat] - action.stacks[action.seat]
    if action.move == "CALL":
        return f"calls {paid}" + _all(action.stacks[action.seat])
    if action.move == "RAISE":
        return f"raises by {action.amount}, pays {paid}" + _all(action.stacks[action.seat])
    if action.move == "BET":
        return f"bets {action.amount}" + _all(action.stacks[action.seat])
    return f"{action.move.lower()}s"


def _all(left: int) -> str:
    return "" if left else ", with no life left"
