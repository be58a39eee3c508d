"""Cheats with cards: seeds picked late, copied, kept for later or carried over, and openings out of their time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..games.game import OpenBoard
from ..games.hexrank import best
from ..protocol.events import HandStarted, LayoutOpened, Mucked, SeedsCommitted, Shown
from ..protocol.hashdeal import HASH, HOLE, LAYOUT, HashDeal
from .staging import Cheat, Setting, Staging

# Tries of a cheat that picks a seed: a few dozen already beat most hands, and the story stays quick.
_TRIES: Final = 48
_BOARD: Final = OpenBoard(slots=(0, 1, 2, 3, 4))

# The moves after which the honest seat 0 shows first and seat 1 knows what it has to beat.
_SHOWN_FIRST: Final = "CHECK BET CALL CHECK CHECK"


def _strongest(staging: Staging, seven: Callable[[bytes], tuple[int, ...]]) -> bytes:
    """Return of many seeds the one that makes the strongest seven cards."""
    return max([staging.random(32) for _ in range(_TRIES)], key=lambda seed: best(seven(seed)).rank)


def _stacked_opening(staging: Staging) -> None:
    staging.play(until=LayoutOpened, by=1)
    forger = staging.forger
    deal: HashDeal = forger.state.running.deal
    hole = forger.seed(HOLE)

    def seven(layout: bytes) -> tuple[int, ...]:
        after = HASH.apply(deal, OpenBoard(slots=(0, 1, 2, 3, 4)), 1, LayoutOpened(seed=layout))
        _, board = HASH.known(after, _BOARD)
        return (*board.values(), *HASH.hole_cards(after, 1, hole, 2))

    staging.forges(LayoutOpened(seed=_strongest(staging, seven)))


def _swapped_cards(staging: Staging) -> None:
    staging.play(_SHOWN_FIRST, until=Shown, by=1)
    play = staging.forger.state.running
    board = tuple([card for card in play.hand.cards[:5] if card is not None])
    seed = _strongest(staging, lambda hole: (*board, *HASH.hole_cards(play.deal, 1, hole, 2)))
    staging.forges(Shown(seed=seed))


def _copied_commitment(staging: Staging) -> None:
    staging.play(until=SeedsCommitted, by=1)
    staging.forges(staging.forger.state.running.deal.commitments[0])


def _reused_seed(staging: Staging) -> None:
    staging.play("CHECK BET FOLD", until=HandStarted, by=1).play(until=SeedsCommitted, by=1)
    forger = staging.forger
    known = forger.seed(LAYOUT, hand=1)
    commitments = SeedsCommitted(
        layout=forger.commitment(LAYOUT, known), hole=forger.commitment(HOLE, forger.seed(HOLE))
    )
    staging.says(1, commitments)
    staging.play(until=LayoutOpened, by=1)
    staging.forges(LayoutOpened(seed=known))


def _one_seed_twice(staging: Staging) -> None:
    staging.play(until=SeedsCommitted, by=1)
    forger = staging.forger
    seed = forger.seed(LAYOUT)
    staging.says(1, SeedsCommitted(layout=forger.commitment(LAYOUT, seed), hole=forger.commitment(HOLE, seed)))
    staging.play(_SHOWN_FIRST, until=Shown, by=1)
    staging.forges(Shown(seed=seed))


def _early_opening(staging: Staging) -> None:
    staging.play(until=SeedsCommitted, by=1)
    staging.forges(LayoutOpened(seed=staging.forger.seed(LAYOUT)))


def _early_show(staging: Staging) -> None:
    staging.play("BET CALL")
    staging.forges(Shown(seed=staging.forger.seed(HOLE)))


def _late_commitment(staging: Staging) -> None:
    staging.play(until=LayoutOpened, by=1)
    forger = staging.forger
    layout, hole = [forger.commitment(purpose, staging.random(32)) for purpose in (LAYOUT, HOLE)]
    staging.forges(SeedsCommitted(layout=layout, hole=hole))


def _second_commitment(staging: Staging) -> None:
    staging.play(until=SeedsCommitted, by=0)
    forger = staging.forger
    place = forger.place
    layout, hole = [forger.commitment(purpose, staging.random(32)) for purpose in (LAYOUT, HOLE)]
    staging.play(until=LayoutOpened, by=0)
    staging.sends(forger.forge(SeedsCommitted(layout=layout, hole=hole), place))


def _replayed_hand(staging: Staging) -> None:
    staging.play(_SHOWN_FIRST, until=Shown, by=1)
    shown = staging.forger.session.show()
    staging.says(1, shown)
    staging.play("CHECK CHECK", until=Shown, by=1)
    staging.forges(shown)


def _replayed_match(staging: Staging) -> None:
    earlier = staging.another().play(until=LayoutOpened, by=1)
    commitments = earlier.forger.state.running.deal.commitments[1]
    staging.play(until=SeedsCommitted, by=1).says(1, commitments)
    staging.play(until=LayoutOpened, by=1)
    staging.forges(LayoutOpened(seed=earlier.forger.seed(LAYOUT)))


def _short_seed(staging: Staging) -> None:
    staging.play(until=LayoutOpened, by=1)
    staging.signs(staging.forger.spelled(LayoutOpened.KIND, staging.forger.seed(LAYOUT)[:16]))


def _muck(moves: str) -> Callable[[Staging], None]:
    def act(staging: Staging) -> None:
        staging.play(moves, until=Shown, by=1)
        staging.forges(Mucked())

    return act


CARDS: Final = (
    Cheat(
        name="stacked-opening",
        title="The last to open its layout opens one picked to win",
        hope="It knows the other's seed by then, tries dozens of its own, and opens the one that deals it the best "
        "hand instead of the one it had committed to.",
        code="commit.wrong-opening",
        clause="COMMIT-2",
        act=_stacked_opening,
    ),
    Cheat(
        name="swapped-cards",
        title="Who shows last shows better cards than it was dealt",
        hope="It has seen what it must beat and looks for a hole seed whose cards do.",
        code="commit.wrong-opening",
        clause="COMMIT-2",
        act=_swapped_cards,
    ),
    Cheat(
        name="copied-commitment",
        title="The second to commit copies the first's commitments",
        hope="When the other opens, it repeats the opening too: equal seeds, so that neither chance is its own and "
        "the other's cards are known.",
        code="commit.duplicate",
        clause="COMMIT-3",
        act=_copied_commitment,
    ),
    Cheat(
        name="reused-seed",
        title="A player commits to a layout seed it opened before",
        hope="A seed known to both is no secret; whoever is in league with it can choose the other half to suit.",
        code="commit.seed-reuse",
        clause="COMMIT-3",
        setting=Setting(hands=2),
        act=_reused_seed,
    ),
    Cheat(
        name="one-seed-twice",
        title="A player uses one seed for the board and its own cards",
        hope="It saves itself a secret and ties its cards to the board, or lets a confederate who sees the board's "
        "seed opened read its cards.",
        code="commit.seed-reuse",
        clause="COMMIT-3",
        act=_one_seed_twice,
    ),
    Cheat(
        name="early-opening",
        title="A player opens its layout before all have committed",
        hope="An opening in place of its commitment: a seed that nothing bound it to, chosen as late as it likes.",
        code="commit.early-opening",
        clause="COMMIT-3",
        act=_early_opening,
    ),
    Cheat(
        name="early-show",
        title="A player opens its cards in the middle of the betting",
        hope="A strong hand laid open frightens the other into a fold, and at a larger table it tells a confederate.",
        code="commit.early-opening",
        clause="SHOW-2",
        act=_early_show,
    ),
    Cheat(
        name="late-commitment",
        title="A player commits anew when the other's layout is open",
        hope="The later commitment is to count instead of the earlier, and it is made knowing the other's seed.",
        code="turn.wrong-kind",
        clause="CHAIN-1",
        act=_late_commitment,
    ),
    Cheat(
        name="second-commitment",
        title="A player signs two commitments and keeps both open",
        hope="Two commitments on one previous message, and the choice between them put off until more is known.",
        code="chain.equivocation",
        clause="CHAIN-2",
        setting=Setting(cheat=0),
        act=_second_commitment,
    ),
    Cheat(
        name="replayed-hand",
        title="A player shows again the cards of an earlier hand",
        hope="Cards that were good in hand 1 are signed once more, properly numbered and linked, as those of hand 2.",
        code="commit.wrong-opening",
        clause="COMMIT-2",
        setting=Setting(hands=2),
        act=_replayed_hand,
    ),
    Cheat(
        name="replayed-match",
        title="A player deals with the commitments of another match",
        hope="Commitments and seeds of a match that went well are signed again in this one.",
        code="commit.wrong-opening",
        clause="COMMIT-2",
        act=_replayed_match,
    ),
    Cheat(
        name="short-seed",
        title="A player opens a seed of half the length",
        hope="Some programs hash whatever they get, and a shorter seed is easier to search.",
        code="encoding.wrong-length",
        clause="ENC-2",
        act=_short_seed,
    ),
    Cheat(
        name="muck-under-all",
        title="The loser mucks where the terms say that all show",
        hope="Nobody learns what it called with.",
        code="show.may-not-muck",
        clause="SHOW-2",
        act=_muck(_SHOWN_FIRST),
    ),
    Cheat(
        name="muck-first",
        title="Who must show first mucks",
        hope="It asks to see the other's cards without showing any, though nobody has shown yet.",
        code="show.may-not-muck",
        clause="SHOW-2",
        setting=Setting(show="muck"),
        act=_muck("CHECK CHECK"),
    ),
)
