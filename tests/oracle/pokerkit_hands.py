"""Random hands of Hold'em, played on our rules, on the naive reading of them and on PokerKit side by side.

`python -m tests.oracle.pokerkit_hands --hands 10000` compares that many and says how often each difference was met.
Our rules and the naive ones have to agree on everything. Where PokerKit answers differently, the difference has to be
of one of the kinds of `KINDS`, each told by a condition on what was done before, and nothing else may be different.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pokerkit import FixedLimitTexasHoldem, NoLimitTexasHoldem

from dealerless.games.game import Act, Finished, Move, Show
from dealerless.games.holdem import HOLDEM
from dealerless.games.holdemhand import HoldemHand, HoldemTerms
from dealerless.games.ranking import strength
from tests.holdem import action, met, opened, step
from tests.oracle.naive_holdem import Naive, Spans
from tests.oracle.pokerkit_common import AUTOMATIC, Disagreement, Side, command, payouts, same_end, text

KINDS = {
    "reopening": "BET-4: a seat that acted, after short all-ins",
    "short blind": "BET-3: the big blind was posted short, or nobody can match a blind",
    "limit short": "BET-5: after an all-in of less than a fixed bet or raise",
    "limit cap": "BET-5: the blind is the first bet, and three raises",
    "odd chip": "POT-4: odd chips one by one, not all to the first winner",
    "merged pots": "POT-2: beaten hands change no pot",
}


class Other(Side):
    """The same hand on PokerKit, whose players count from the button's left."""

    def __init__(self, terms: HoldemTerms, stacks: Sequence[int], order: Sequence[int], deck: Sequence[int]) -> None:
        chips = [stacks[seat] for seat in order]
        blinds = (terms.small, terms.big)
        if terms.structure == "limit":
            state = FixedLimitTexasHoldem.create_state(
                AUTOMATIC, True, terms.ante, blinds, terms.big, 2 * terms.big, chips, len(order)
            )
        else:
            state = NoLimitTexasHoldem.create_state(AUTOMATIC, True, terms.ante, blinds, terms.big, chips, len(order))
        super().__init__(state, order)
        self.deck, self.dealt = deck, 2 * len(order)
        self.go_on()

    def go_on(self) -> None:
        """Deal what is due; when cards lie open before the board is complete, that too."""
        state, seats = self.state, len(self.order)
        while True:
            if state.can_burn_card("??"):
                state.burn_card("??")
            elif state.can_deal_hole():
                place = next(i for i, cards in enumerate(state.hole_cards) if not cards)
                state.deal_hole(text(self.deck[place]) + text(self.deck[seats + place]))
            elif state.can_deal_board():
                count = 3 if self.dealt == 2 * seats else 1
                state.deal_board("".join(text(card) for card in self.deck[self.dealt : self.dealt + count]))
                self.dealt += count
            elif state.all_in_status and state.can_show_or_muck_hole_cards(True):
                state.show_or_muck_hole_cards(True)
            else:
                return

    def spans(self) -> Spans:
        state = self.state
        owed = state.checking_or_calling_amount
        spans: Spans = {"CALL": (0, 0)} if owed else {"CHECK": (0, 0)}
        if state.can_fold():
            spans["FOLD"] = (0, 0)
        least = state.min_completion_betting_or_raising_to_amount
        most = state.max_completion_betting_or_raising_to_amount
        if least is not None and most is not None:
            spans["RAISE" if max(state.bets) else "BET"] = (least, most)
        return spans

    def do(self, name: str, to: int) -> None:
        super().do(name, to)
        self.go_on()


def random_hand(seed: int) -> tuple[HoldemTerms, list[int], int, list[int]]:
    """Terms, stacks, button and deck."""
    rng = random.Random(seed)
    seats = rng.randint(2, 9)
    big = rng.choice((2, 2, 4, 10))
    terms = HoldemTerms(
        structure=rng.choice(("no-limit", "limit")),
        # Heads-up with equal blinds it lets the big blind begin.
        small=rng.choice((1, big // 2, big if seats > 2 else 1)),
        big=big,
        ante=rng.choice((0, 0, 0, 1, big)),
        stack=1000,
        show="all",
    )
    deep = rng.choice((3, 12, 40, 100))
    # PokerKit gives an ante that nobody else can match back before the blinds; that is no difference looked at here.
    stacks = [max(terms.ante, rng.randint(1, deep * big)) for _ in range(seats)]
    deck = list(range(52))
    rng.shuffle(deck)
    if not rng.randrange(4):
        # With a straight on the board most of who stay in tie.
        board = [4 * rank + rng.randrange(4) for rank in range(8, 13)]
        rest = [card for card in deck if card not in board]
        deck = [*rest[: 2 * seats], *board, *rest[2 * seats :]]
    return terms, stacks, rng.randrange(seats), deck


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A hand that was compared: what it began with, its moves as (seat, name, amount, level), whether anybody had to
    show, and how often each kind of difference was seen."""

    seed: int
    terms: HoldemTerms
    stacks: list[int]
    button: int
    order: tuple[int, ...]
    deck: list[int]
    cards: list[str]
    moves: list[tuple[int, str, int, int]]
    shown: bool
    seen: Counter[str]


def play(seed: int) -> Played:
    """Play a random hand three times over; raises Disagreement on a difference of no known kind."""
    terms, stacks, button, deck = random_hand(seed)
    moves = []
    rng = random.Random(~seed)
    hand = met(opened(terms, stacks, button), deck)
    naive = Naive(list(stacks), button, terms.small, terms.big, terms.ante, terms.structure == "limit")
    other: Other | None = Other(terms, stacks, hand.order, deck)
    seen: Counter[str] = Counter()
    careful = rng.random()
    while isinstance(demand := HOLDEM.demand(hand), Act):
        where = f"seed {seed}, street {hand.street}, seat {demand.seat}, {naive.deeds}"
        same(where, hand, naive)
        ours: Spans = {option.name: (option.least, option.most) for option in HOLDEM.legal(hand)}
        if ours != naive.options():
            raise Disagreement(f"{where}: {ours}, naive {naive.options()}")
        playable = ours
        if other is not None:
            kind, playable = difference(naive, ours, other, where)
            if kind:
                seen[kind] += 1
            if not playable:
                playable, other = ours, None
        name = choice(rng, playable, careful)
        least, most = playable[name]
        amount = rng.choice((least, most, rng.randint(least, most)))
        to = naive.fixed_level() if name in ("BET", "RAISE") and naive.limit else amount
        naive.do(name, amount)
        moves.append((demand.seat, name, amount, to))
        hand = met(step(hand, demand.seat, Move(name=name, amount=amount)), deck)
        if other is not None:
            other.do(name, to)
            while isinstance(asked := HOLDEM.demand(hand), Act) and other.actor() != asked.seat and idle(hand, naive):
                seen["short blind"] += 1
                naive.do("CHECK", 0)
                hand = met(step(hand, asked.seat, Move(name="CHECK", amount=0)), deck)
        if other is not None and isinstance(hand.due, Act | Show) and other.stacks(stacks) != list(hand.stacks):
            raise Disagreement(f"{where} {name} {amount}: stacks {hand.stacks}, PokerKit {other.stacks(stacks)}")
    shown = isinstance(HOLDEM.demand(hand), Show)
    seen += ending(seed, stacks, hand, naive, other, deck)
    return Played(
        seed=seed,
        terms=terms,
        stacks=stacks,
        button=button,
        order=hand.order,
        deck=deck,
        cards=[text(card) for card in deck],
        moves=moves,
        shown=shown,
        seen=seen,
    )


def same(where: str, hand: HoldemHand, naive: Naive) -> None:
    ours = (hand.stacks, hand.totals, hand.street, hand.folded, hand.betting.to_act, hand.betting.owed)
    actor = naive.actor()
    owed = 0 if actor is None else naive.owed(actor)
    theirs = (tuple(naive.chips), tuple(naive.total), naive.street, tuple(naive.out), actor, owed)
    if ours != theirs:
        raise Disagreement(f"{where}: {ours}, naive {theirs}")


def choice(rng: random.Random, playable: Spans, careful: float) -> str:
    """A move; raises are rarer than calls, or nearly all would end in an all-in before the flop."""
    weights = {"CHECK": 4.0, "CALL": 4.0, "FOLD": 2 * careful, "BET": 2.0, "RAISE": 1.5}
    names = list(playable)
    return rng.choices(names, [weights[name] for name in names])[0]


def idle(hand: HoldemHand, naive: Naive) -> bool:
    """Whether the actor posted a blind that nobody else can match, so that it only checks; PokerKit asks it nothing."""
    seat = naive.actor()
    assert seat is not None
    unmatched = naive.street == 0 and naive.put[seat] >= max(naive.rivals(seat)) and naive.since(seat) is None
    return unmatched and [option.name for option in HOLDEM.legal(hand)] == ["CHECK"]


def difference(naive: Naive, ours: Spans, other: Other, where: str) -> tuple[str, Spans]:
    """The kind of a difference in who acts and what is legal, and what is legal to the same effect in both.

    Nothing is when the two cannot be compared any further.
    """
    seat = naive.actor()
    assert seat is not None
    if other.actor() != seat:
        raise Disagreement(f"{where}: PokerKit has {other.actor()} to act")
    theirs = other.spans()
    lifts = ours.keys() & {"BET", "RAISE"}
    if naive.limit:
        to = naive.fixed_level() if lifts else 0
        amounts: Spans = {name: (to, to) if name in lifts else span for name, span in ours.items()}
    else:
        amounts = ours
    owed = min(naive.owed(seat), naive.chips[seat])
    if amounts == theirs and owed == (other.state.checking_or_calling_amount or 0):
        return "", ours
    shared = {name: span for name, span in ours.items() if theirs.get(name) == amounts[name]}
    since, kind = naive.since(seat), ""
    if naive.street == 0 and naive.short_blind:
        kind, shared = "short blind", {}
    elif not naive.limit:
        if since is not None and naive.short_lifts(since):
            kind = "reopening"
    elif naive.short_lifts(naive.deeds):
        kind = "limit short"
    elif naive.street == 0 and naive.fixed(naive.deeds)[1] == 4 and theirs.keys() - ours.keys() == {"RAISE"}:
        kind = "limit cap"
    if not kind or (kind != "short blind" and shared.keys() - {"RAISE"} != theirs.keys() - {"RAISE"}):
        raise Disagreement(f"{where}: {ours}, PokerKit {theirs}, owed {owed}")
    return kind, shared


def ending(
    seed: int, before: Sequence[int], hand: HoldemHand, naive: Naive, other: Other | None, deck: Sequence[int]
) -> Counter[str]:
    """Compare pots and payouts; the kinds of difference met there."""
    where = f"seed {seed}"
    still_in = [seat for seat, out in enumerate(hand.folded) if not out]
    board = [deck[slot] for slot in HOLDEM.board_slots(hand)]
    strengths = {seat: strength([*board, *(deck[slot] for slot in HOLDEM.hole_slots(hand, seat))]) for seat in still_in}
    asked: list[int] = []
    while isinstance(demand := HOLDEM.demand(hand), Show):
        asked.append(demand.seat)
        hand = met(step(hand, *action(hand, f"{demand.seat}s", deck)), deck)
    ended = HOLDEM.demand(hand)
    assert isinstance(ended, Finished)
    same_end(where, ended, naive, strengths)
    if other is None:
        return Counter()
    if len(still_in) > 1:
        order = other.show_all()
        if order and order != asked:
            raise Disagreement(f"{where}: shown by {asked}, PokerKit {order}")
    return payouts(where, hand.stacks, ended, other, strengths, before)


main = command(play, KINDS, 10_000)

if __name__ == "__main__":
    main()
