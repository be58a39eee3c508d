"""What Hold'em and draw share beside PokerKit: the way to it, how pots and payouts are compared, and the command."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import click
from pokerkit import Automation, State

from dealerless.games.cards import RANKS, SUITS
from dealerless.games.game import Finished
from tests.oracle.naive_betting import NaiveBetting

Pots = list[tuple[int, tuple[int, ...]]]

AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CHIPS_PULLING,
)


class Disagreement(AssertionError):
    """A difference of no known kind."""


class Compared(Protocol):
    """A hand that was compared."""

    @property
    def seen(self) -> Counter[str]:
        """How often each kind of difference was seen."""
        ...


def text(card: int) -> str:
    """A card as PokerKit writes it: `Td`."""
    return RANKS[card >> 2] + SUITS[card & 3].lower()


class Side:
    """The same hand on PokerKit, whose players count from the button's left."""

    def __init__(self, state: State, order: Sequence[int]) -> None:
        self.state, self.order = state, order

    def actor(self) -> int | None:
        index = self.state.actor_index
        return None if index is None else self.order[index]

    def do(self, name: str, to: int) -> None:
        """Make a move; a bet or raise goes to this level."""
        if name == "FOLD":
            self.state.fold()
        elif name in ("CHECK", "CALL"):
            self.state.check_or_call()
        else:
            self.state.complete_bet_or_raise_to(to)

    def stacks(self, before: Sequence[int]) -> list[int]:
        """The stacks by seat; who was not dealt in has what it had before."""
        by_seat = dict(zip(self.order, self.state.stacks, strict=True))
        return [by_seat.get(seat, chips) for seat, chips in enumerate(before)]

    def pots(self) -> Pots:
        pots = tuple(self.state.pots)
        return [(pot.amount, tuple(sorted(self.order[i] for i in pot.player_indices))) for pot in pots]

    def show_all(self) -> list[int]:
        """Show what is still closed; the seats in the order in which they were asked."""
        order = []
        while self.state.can_show_or_muck_hole_cards(True):
            order.append(self.order[self.state.showdown_index or 0])
            self.state.show_or_muck_hole_cards(True)
        return order


def same_end(where: str, ended: Finished, naive: NaiveBetting, strengths: Mapping[int, int]) -> None:
    """Our end of a hand against the naive one: stacks and pots."""
    if (list(ended.stacks), pots_of(ended)) != (naive.paid(strengths), naive.layers()):
        raise Disagreement(f"{where}: {ended}, naive {naive.paid(strengths)} {naive.layers()}")


def payouts(
    where: str, behind: Sequence[int], ended: Finished, side: Side, strengths: Mapping[int, int], before: Sequence[int]
) -> Counter[str]:
    """Compare pots and payouts with PokerKit's; the kinds of difference met there.

    `behind` is what each seat had behind when the pots were pushed, `before` its stack before the hand.
    """
    seen: Counter[str] = Counter()
    state, pots = side.state, pots_of(ended)
    if len(strengths) > 1:
        if side.pots() != pots:
            raise Disagreement(f"{where}: pots {pots}, PokerKit {side.pots()}")
        while state.can_kill_hand():
            state.kill_hand()
        if side.pots() != merged(ended):
            raise Disagreement(f"{where}: pots {ended.pots}, PokerKit after the muck {side.pots()}")
    by_pot = lumped(behind, side.order, pots, strengths)
    by_merged = lumped(behind, side.order, merged(ended), strengths)
    while state.can_push_chips():
        state.push_chips()
    paid = side.stacks(before)
    if paid != by_merged or state.status:
        raise Disagreement(f"{where}: stacks {ended.stacks}, PokerKit {paid}, by its own rule {by_merged}")
    seen["odd chip"] += by_pot != list(ended.stacks)
    seen["merged pots"] += by_merged != by_pot
    return seen


def pots_of(ended: Finished) -> Pots:
    return [(pot.amount, pot.seats) for pot in ended.pots]


def lumped(behind: Sequence[int], order: Sequence[int], pots: Pots, strengths: Mapping[int, int]) -> list[int]:
    """The stacks when the first winner from the button's left takes all odd chips of a pot."""
    paid = list(behind)
    for amount, seats in pots:
        top = max(strengths[seat] for seat in seats)
        winners = [seat for seat in order if seat in seats and strengths[seat] == top]
        share, left = divmod(amount, len(winners))
        for seat in winners:
            paid[seat] += share
        paid[winners[0]] += left
    return paid


def merged(ended: Finished) -> Pots:
    """The pots as PokerKit builds them again without the hands that win none."""
    winners = {seat for pot in ended.pots for seat in pot.winners}
    built: Pots = []
    for pot in ended.pots:
        seats = tuple(seat for seat in pot.seats if seat in winners)
        if built and built[-1][1] == seats:
            built[-1] = (built[-1][0] + pot.amount, seats)
        else:
            built.append((pot.amount, seats))
    return built


def compare_many(play: Callable[[int], Compared], first: int, hands: int) -> Counter[str]:
    """The differences of `hands` random hands, counted by kind."""
    with warnings.catch_warnings():
        # It warns of cards it did not draw itself.
        warnings.simplefilter("ignore")
        seen: Counter[str] = Counter()
        for seed in range(first, first + hands):
            seen += play(seed).seen
    return seen


def command(play: Callable[[int], Compared], kinds: Mapping[str, str], hands: int) -> click.Command:
    """The command that compares so many hands, if not told otherwise, and says how often each kind was seen."""

    @click.command(help="Compare random hands with PokerKit.")
    @click.option("--hands", default=hands, show_default=True)
    @click.option("--first", default=0, show_default=True, help="The first seed.")
    def main(hands: int, first: int) -> None:
        seen = compare_many(play, first, hands)
        click.echo(f"{hands} hands, no difference but these:")
        for kind, what in kinds.items():
            click.echo(f"{seen[kind]:7} {kind:12} {what}")

    return main
