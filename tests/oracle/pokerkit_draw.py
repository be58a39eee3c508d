"""Random hands of five-card draw, played on our rules, on the naive reading of them and on PokerKit side by side.

`python -m tests.oracle.pokerkit_draw --hands 5000` compares that many and says how often each difference was met. Our
rules and the naive ones have to agree on everything. Where PokerKit answers differently, the difference has to be of
one of the kinds of `KINDS`, each told by a condition on what was done before, and nothing else may be different.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pokerkit import BettingStructure, Deck, Mode, Opening, StandardHighHand, State, Street

from dealerless.games.draw import DRAW
from dealerless.games.drawhand import DrawHand, DrawTerms
from dealerless.games.game import Act, Discard, Exchange, Finished, Move, Show
from dealerless.games.ranking import strength
from tests.draw import action, met, opened, own, step
from tests.oracle.naive_draw import NaiveDraw
from tests.oracle.pokerkit_common import AUTOMATIC, Disagreement, Side, command, payouts, same_end, text

KINDS = {
    "limit short": "BET-5: after an all-in of less than a fixed bet or raise",
    "shown first": "SHOW-1: nobody could bet after the exchange, and the last to lift before it shows first",
    "odd chip": "POT-4: odd chips one by one, not all to the first winner",
    "merged pots": "POT-2: beaten hands change no pot",
}

Levels = dict[str, int]
"""Legal moves, with the level to which a bet or raise goes."""


class Other(Side):
    """The same hand on PokerKit, whose players count from the button's left; its deck is dealt by slots."""

    def __init__(self, terms: DrawTerms, stacks: Sequence[int], hand: DrawHand, deck: Sequence[int]) -> None:
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
            (0,) * len(hand.order),
            0,
            [stacks[seat] for seat in hand.order],
            len(hand.order),
            mode=Mode.TOURNAMENT,
        )
        super().__init__(state, hand.order)
        self.deck = deck
        for place in range(len(self.order)):
            self.state.deal_hole("".join(text(deck[slot]) for slot in hand.held[self.order[place]]))
        self.asked: list[tuple[int | None, str]] = []
        """The replacements that were asked for: the player and the cards."""

    def discarder(self) -> int | None:
        index = self.state.stand_patter_or_discarder_index
        return None if index is None else self.order[index]

    def levels(self) -> Levels:
        state = self.state
        levels: Levels = {"CALL": 0} if state.checking_or_calling_amount else {"CHECK": 0}
        if state.can_fold():
            levels["FOLD"] = 0
        least = state.min_completion_betting_or_raising_to_amount
        if least is not None:
            levels["RAISE" if max(state.bets) else "BET"] = least
        return levels

    def exchange(self, slots: Sequence[int], new: Sequence[int]) -> None:
        """Give these slots up; it deals when all have said what they give up."""
        player, state = self.state.stand_patter_or_discarder_index, self.state
        state.stand_pat_or_discard("".join(text(self.deck[slot]) for slot in slots))
        if new:
            self.asked.append((player, "".join(text(self.deck[slot]) for slot in new)))
        if state.stand_patter_or_discarder_index is None:
            for index, replacements in self.asked:
                state.deal_hole(replacements, index)


def random_hand(seed: int) -> tuple[DrawTerms, list[int], int, list[int], bool]:
    """Terms, stacks, button, deck, and whether some are dealt the same ranks, to be kept."""
    rng = random.Random(seed)
    seats = rng.randint(2, 6)
    terms = DrawTerms(
        ante=rng.choice((1, 1, 2, 5)),
        first=(first := rng.choice((2, 3, 10))),
        second=rng.choice((first, first, 2 * first, 5)),
        raises=rng.choice((0, 1, 2, 3, 3, 4)),
        allin=rng.random() < 0.7,
        stack=1000,
        show="all",
    )
    if terms.allin:
        deep = rng.choice((2, 5, terms.dearest))
        stacks = [rng.randint(1, terms.ante + deep * first) for _ in range(seats)]
    else:
        # Some have too little to be dealt in, two have enough.
        stacks = [terms.dearest + rng.randint(-5, 100) for _ in range(seats - 2)] + [
            terms.dearest + rng.randint(0, 9)
        ] * 2
        rng.shuffle(stacks)
    dealt = [seat for seat, stack in enumerate(stacks) if DRAW.can_be_dealt_in(terms, stack)]
    deck = rng.sample(range(52), 52)
    alike = rng.random() < 0.4
    if alike:
        # Some hold the same ranks, often a straight, so that they tie for one pot or several.
        low = rng.randrange(9)
        ranks = rng.sample(range(13), 5) if rng.randrange(2) else list(range(low, low + 5))
        equal = rng.sample(range(len(dealt)), rng.randint(2, min(4, len(dealt))))
        for suit, place in enumerate(equal):
            for at, rank in enumerate(ranks):
                card, slot = 4 * rank + (suit + (at == 4)) % 4, at * len(dealt) + place
                other = deck.index(card)
                deck[slot], deck[other] = card, deck[slot]
    return terms, stacks, rng.choice(dealt), deck, alike


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A hand that was compared: what it began with, its moves and exchanges as (seat, name, slots), and how often each
    kind of difference was seen."""

    seed: int
    terms: DrawTerms
    stacks: list[int]
    button: int
    deck: list[int]
    moves: list[tuple[int, str, tuple[int, ...]]]
    shown: bool
    seen: Counter[str]


def play(seed: int) -> Played:
    """Play a random hand three times over; raises Disagreement on a difference of no known kind."""
    terms, stacks, button, deck, alike = random_hand(seed)
    rng = random.Random(~seed)
    moves: list[tuple[int, str, tuple[int, ...]]] = []
    hand = opened(terms, stacks, button)
    naive = NaiveDraw(list(stacks), button, hand.order, terms.ante, (terms.first, terms.second), terms.raises)
    other: Other | None = Other(terms, stacks, hand, deck)
    hand = met(hand)
    seen: Counter[str] = Counter()
    careful = rng.random()
    while isinstance(hand.due, Act | Exchange):
        due, seat = hand.due, hand.due.seat
        where = f"seed {seed}, street {hand.street}, seat {seat}, {naive.deeds}"
        same(where, hand, naive)
        if isinstance(due, Exchange):
            count = 0 if alike and rng.random() < 0.9 else rng.randint(0, 3)
            slots = tuple(sorted(rng.sample(due.slots, count)))
            moves.append((seat, "EXCHANGE", slots))
            hand = met(step(hand, seat, Discard(slots=slots)))
            naive.exchange(slots)
            if other is not None:
                if other.discarder() != seat:
                    raise Disagreement(f"{where}: PokerKit has {other.discarder()} to exchange")
                other.exchange(slots, due.dealt[:count])
            continue
        playable = {option.name for option in DRAW.legal(hand)}
        if playable != naive.options():
            raise Disagreement(f"{where}: {playable}, naive {naive.options()}")
        if other is not None:
            kind, playable = difference(naive, playable, other, where)
            seen[kind] += bool(kind)
            if not playable:
                playable, other = naive.options(), None
        name = choice(rng, playable, careful)
        to = naive.fixed_level() if name in ("BET", "RAISE") else 0
        moves.append((seat, name, ()))
        naive.do(name)
        hand = met(step(hand, seat, Move(name=name, amount=0)))
        if other is not None:
            other.do(name, to)
            if isinstance(hand.due, Act | Exchange | Show) and other.stacks(stacks) != list(hand.stacks):
                raise Disagreement(f"{where} {name}: stacks {hand.stacks}, PokerKit {other.stacks(stacks)}")
    shown = isinstance(hand.due, Show)
    seen += ending(seed, stacks, hand, naive, other, deck)
    return Played(
        seed=seed,
        terms=terms,
        stacks=stacks,
        button=button,
        deck=deck,
        moves=moves,
        shown=shown,
        seen=seen,
    )


def same(where: str, hand: DrawHand, naive: NaiveDraw) -> None:
    """Our state against the naive one: chips, who is in, who acts and owes what, who is to exchange, and all slots."""
    actor = naive.actor()
    owed = 0 if actor is None else naive.owed(actor)
    acting = hand.due.seat if isinstance(hand.due, Act) else None
    ours = (hand.stacks, hand.totals, hand.street, hand.folded, acting, hand.betting.owed if acting is not None else 0)
    theirs = (tuple(naive.chips), tuple(naive.total), naive.street, tuple(naive.out), actor, owed)
    held = {seat: list(hand.held[seat]) for seat in hand.order}
    if (*ours, hand.exchanging, held) != (*theirs, tuple(naive.queue), naive.held):
        raise Disagreement(f"{where}: {ours} {held}, naive {theirs} {naive.held}")


def choice(rng: random.Random, playable: set[str], careful: float) -> str:
    """A move; the less careful, the fewer folds."""
    weights = {"CHECK": 3.0, "CALL": 4.0, "FOLD": 2 * careful, "BET": 3.0, "RAISE": 2.0}
    names = sorted(playable)
    return rng.choices(names, [weights[name] for name in names])[0]


def difference(naive: NaiveDraw, ours: set[str], other: Other, where: str) -> tuple[str, set[str]]:
    """The kind of a difference in who acts and what is legal, and what is legal to the same effect in both.

    Nothing is when the two cannot be compared any further.
    """
    seat = naive.actor()
    assert seat is not None
    if other.actor() != seat:
        raise Disagreement(f"{where}: PokerKit has {other.actor()} to act")
    theirs = other.levels()
    levels = {name: naive.fixed_level() if name in ("BET", "RAISE") else 0 for name in ours}
    owed = min(naive.owed(seat), naive.chips[seat])
    if owed != (other.state.checking_or_calling_amount or 0):
        raise Disagreement(f"{where}: {owed} owed, PokerKit {other.state.checking_or_calling_amount}")
    if levels == theirs:
        return "", ours
    shared = {name for name in ours if theirs.get(name) == levels[name]}
    if not naive.short_lifts() or shared - {"RAISE"} != theirs.keys() - {"RAISE"}:
        raise Disagreement(f"{where}: {levels}, PokerKit {theirs}")
    return "limit short", shared


def ending(
    seed: int, before: Sequence[int], hand: DrawHand, naive: NaiveDraw, other: Other | None, deck: Sequence[int]
) -> Counter[str]:
    """Compare pots and payouts; the kinds of difference met there."""
    seen: Counter[str] = Counter()
    where = f"seed {seed}"
    still_in = [seat for seat, out in enumerate(hand.folded) if not out]
    strengths = {seat: strength(own(hand, seat, deck)) for seat in still_in}
    asked: list[int] = []
    while isinstance(due := hand.due, Show):
        asked.append(due.seat)
        hand = step(hand, *action(hand, f"{due.seat}s", deck))
    ended = hand.due
    assert isinstance(ended, Finished)
    same_end(where, ended, naive, strengths)
    if other is None:
        return seen
    if len(still_in) > 1:
        order = other.show_all()
        if order != asked:
            if naive.deeds or order != naive.from_left():
                raise Disagreement(f"{where}: shown by {asked}, PokerKit {order}")
            seen["shown first"] += 1
    return seen + payouts(where, hand.stacks, ended, other, strengths, before)


main = command(play, KINDS, 5_000)

if __name__ == "__main__":
    main()
