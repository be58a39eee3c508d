"""Five-card draw at three levels (DRAW-9): what each does, and its reasons.

*easy* looks at its class of hand only: it bets and calls with a pair, raises with two pairs, and bluffs once in twenty.

*medium* computes the chance that its hand, after the best exchange of all that are sensible, beats all others who are
still in; it presumes a middling hand or better of everybody who has put chips in. It bets and raises when that is more
than such a hand's usual share, calls when the pot gives it the odds, and asks more of its hand the more seats are still
to move after it.

*hard* keeps a range for each of the others, weighted by all they did in this hand (`drawranges`), plays each of its
moves on with sampled hands (`drawrollouts`) and takes the best. With a hand that would not be called by worse it bets
no oftener than pot odds say: what bluffs there are among its bets leaves the caller indifferent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..games.cards import Card, rank_of
from ..games.game import Move, Slots
from ..games.ranking import CLASSES, class_of, strength
from .computer import Chance, Strategy
from .player import SeatView

if TYPE_CHECKING:
    from .drawchances import Floats, Indices
    from .drawranges import Story

_PAIR: Final = CLASSES.index("one pair")
_TWO_PAIRS: Final = CLASSES.index("two pairs")
_STRAIGHT: Final = CLASSES.index("straight")

_SAMPLES: Final = 4000
_QUICK_SAMPLES: Final = 600


class EasyDraw(Strategy):
    """Plays its class of hand."""

    bluffs: float = 0.05

    def decide(self, view: SeatView, chance: Chance) -> tuple[Move, str]:
        """Return a bet with a pair or better and seldom with less, a call with a pair, a raise with two pairs."""
        made = class_of(strength(view.hole))
        name = CLASSES[made]
        if made >= _TWO_PAIRS:
            return _first(view, "RAISE", "BET", "CALL", "CHECK"), f"{name}: two pairs or better bets and raises"
        if made == _PAIR:
            return _first(view, "BET", "CALL", "CHECK"), f"{name}: a pair bets and calls"
        if chance.random() < self.bluffs:
            return _first(view, "RAISE", "BET", "CALL", "CHECK"), f"{name}: a bluff, {self.bluffs:.0%} of such hands"
        return _first(view, "CHECK", "FOLD"), f"{name}: less than a pair"

    def exchanges(self, view: SeatView, chance: Chance) -> tuple[Slots, str]:
        """Return the slots of the lowest cards, at most three, that make no pair; none of a straight or better."""
        ranks = [rank_of(card) for card in view.hole]
        if class_of(strength(view.hole)) >= _STRAIGHT:
            return (), f"{CLASSES[class_of(strength(view.hole))]}: kept whole"
        single = sorted([card for card in view.hole if ranks.count(rank_of(card)) == 1])[:3]
        kept = tuple([card for card in view.hole if card not in single])
        return _slots(view, kept), f"{len(single)} cards that make no pair go"

    def shows(self, view: SeatView, chance: Chance) -> tuple[bool, str]:
        """Return that it shows a pair or better."""
        made = class_of(strength(view.hole))
        return made >= _PAIR, f"{CLASSES[made]}: a pair or better is shown"


class MediumDraw(Strategy):
    """Plays the chance to win against the pot odds."""

    def prepare(self) -> None:
        """Build the tables of strengths, and the hands by which others are judged."""
        from .drawchances import prepare

        prepare()

    def decide(self, view: SeatView, chance: Chance) -> tuple[Move, str]:
        """Return a bet or raise with more than a usual share of winning, else a call with the odds."""
        from .drawchances import KINDS, improving, kind_of

        hand = view.hand
        kept, wins = _kept(view, _presumed(view))
        others = hand.folded.count(False) - 1
        behind = _behind(view)
        owed = hand.betting.owed
        needed = owed / (sum(hand.totals) + owed)
        share = float((1 + others) ** -0.75) * (1 + behind / 20)
        if hand.street:
            what = CLASSES[class_of(strength(view.hole))]
        else:
            better, of = improving(view.hole, kept)
            what = f"{KINDS[kind_of(view.hole)]}, improved by {better} of {of} draws"
        tells = f"{what}: wins {wins:.0%} against {others}"
        if wins >= share:
            return _first(view, "RAISE", "BET", "CALL", "CHECK"), f"{tells}, {share:.0%} is enough to bet"
        if not owed:
            return _first(view, "CHECK"), f"{tells}, a bet takes {share:.0%}"
        if wins >= needed:
            return _first(view, "CALL"), f"{tells}, the pot asks {needed:.0%}"
        return _first(view, "FOLD"), f"{tells}, the pot asks {needed:.0%}"

    def exchanges(self, view: SeatView, chance: Chance) -> tuple[Slots, str]:
        """Return the exchange with the best chance to win, counted over all cards that can come."""
        kept, wins = _kept(view, _presumed(view))
        return _slots(view, kept), f"keeping {_texts(view, kept)} wins {wins:.0%}, the most"

    def shows(self, view: SeatView, chance: Chance) -> tuple[bool, str]:
        """Return True: a hand that might win is never given up."""
        return True, "a shown hand may win"


class HardDraw(Strategy):
    """Plays each move on against ranges."""

    def __init__(self, samples: int = _SAMPLES) -> None:
        """`samples`: how many times each move is played on."""
        self._samples = samples

    def prepare(self) -> None:
        """Build what medium does, and import what moves are played on with."""
        from . import drawrollouts  # noqa: F401
        from .drawchances import prepare

        prepare()

    def decide(self, view: SeatView, chance: Chance) -> tuple[Move, str]:
        """Return the move that is worth the most, bluffs only as often as pot odds allow."""
        from .drawchances import outcomes, population
        from .drawranges import beating, story
        from .drawrollouts import worths

        told = story(view)
        below = [told.ranges[other].below for other in sorted(told.live) if other != view.seat]
        against = beating(below)
        bucket = population().bucket
        if view.hand.street:
            ours: Indices = bucket[strength(view.hole)].reshape(1)
            wins = float(against[ours[0]])
        else:
            kept, wins = _kept(view, against)
            ours = bucket[outcomes(view.hole, kept)]
        worth, error = worths(view, told, ours, self._samples, chance.randrange(1 << 62))
        tells = f"wins {wins:.0%} against the ranges of {len(below)}; "
        best = max(worth, key=worth.__getitem__)
        listed = ", ".join([f"{name} {value:+.1f}" for name, value in worth.items()])
        tells += f"worth in chips: {listed} (within {2 * error:.1f})"
        if best in ("BET", "RAISE"):
            bluffs = _bluffs(view, told)
            if bluffs is not None:
                tells += f"; a {best.lower()} would be a bluff, which pot odds allow {bluffs:.0%} of the time"
                if chance.random() >= bluffs:
                    del worth[best]
                    best = max(worth, key=worth.__getitem__)
        return _first(view, best), tells

    def exchanges(self, view: SeatView, chance: Chance) -> tuple[Slots, str]:
        """Return the exchange with the best chance to beat the ranges of the others."""
        from .drawranges import beating, story

        told = story(view)
        below = [told.ranges[other].below for other in sorted(told.live) if other != view.seat]
        kept, wins = _kept(view, beating(below))
        return _slots(view, kept), f"keeping {_texts(view, kept)} wins {wins:.0%} against the ranges, the most"

    def shows(self, view: SeatView, chance: Chance) -> tuple[bool, str]:
        """Return True: a hand that might win is never given up."""
        return True, "a shown hand may win"


DRAW_EASY: Final = EasyDraw()
DRAW_MEDIUM: Final = MediumDraw()
DRAW_HARD: Final = HardDraw()
DRAW_HARD_QUICK: Final = HardDraw(_QUICK_SAMPLES)


def _first(view: SeatView, *names: str) -> Move:
    """Return the first of these moves that is legal; none carries an amount in this game."""
    legal = [option.name for option in view.legal]
    return Move(name=next(name for name in names if name in legal), amount=0)


def _slots(view: SeatView, kept: tuple[Card, ...]) -> Slots:
    """Return the slots of the cards that are not kept."""
    slots = view.game.hole_slots(view.hand, view.seat)
    return tuple(sorted([slot for slot, card in zip(slots, view.hole, strict=True) if card not in kept]))


def _texts(view: SeatView, kept: tuple[Card, ...]) -> str:
    return " ".join([view.game.card_text(card) for card in kept])


def _behind(view: SeatView) -> int:
    """Return how many others are still to move in this round before it can end."""
    betting = view.hand.betting
    return sum(
        [
            not out and seat != view.seat and betting.stacks[seat] > 0 and betting.acted[seat] != betting.level
            for seat, out in enumerate(betting.folded)
        ]
    )


def _kept(view: SeatView, against: Floats) -> tuple[tuple[Card, ...], float]:
    """Return which cards to keep for the best chance to win, and the chance; all of them after the exchange.

    `against`: by bucket the chance to win with a hand in it.
    """
    from .drawchances import candidates, outcomes, population

    bucket = population().bucket
    keeps = (view.hole,) if view.hand.street else candidates(view.hole)
    chances = [(float(against[bucket[outcomes(view.hole, kept)]].mean()), kept) for kept in keeps]
    wins, kept = max(chances, key=lambda chance: chance[0])
    return kept, wins


def _bluffs(view: SeatView, told: Story) -> float | None:
    """Return how often we may bet a hand like ours as a bluff; None if it is worth a bet.

    What our hand is worth is judged as by the others: by what all that we have done says of it.
    """
    from .drawchances import kind_of, population
    from .drawranges import acts, bluff_frequency, fair_share

    terms, held = view.hand.terms, told.ranges[view.seat]
    unit, owed = float(terms.second if told.street else terms.first), float(view.hand.betting.owed)
    chances, pot = told.chance(view.seat), told.pot + owed
    place = population().bucket[strength(view.hole)] if told.street else kind_of(view.hole)
    share = fair_share(len(told.live) - 1, pot, unit)
    if chances[place] >= share:
        return None
    lift = acts(chances, share, owed, float(told.pot)).lift
    return bluff_frequency(lift, held.buckets if told.street else held.kinds, pot, unit)


def _presumed(view: SeatView) -> Floats:
    """Return by bucket the chance to beat all others, who hold any hand, or a middling one if they have paid or bet.

    Who has lifted a round's level is presumed to be in the better half of those.
    """
    import numpy as np

    from .drawchances import BUCKETS

    below = (np.arange(BUCKETS) + 0.5) / BUCKETS
    raised = dict.fromkeys(view.play.dealt, 0)
    for action in view.play.actions:
        if action.move in ("BET", "RAISE"):
            raised[action.seat] += 1
        elif action.move == "CALL" and not raised[action.seat]:
            raised[action.seat] = 1
    chance = np.ones(BUCKETS)
    for seat, times in raised.items():
        if seat != view.seat and not view.hand.folded[seat]:
            floor = 1 - 0.7**times
            chance = chance * np.clip((below - floor) / (1 - floor), 0, 1)
    return chance
