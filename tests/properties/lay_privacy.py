"""What many lays show of which card was laid: the traces that a defect of the client would leave (DECK-8).

The claim that there is nothing to see, and its argument, are in spec/deck.md. `make lays` looks at 10,000 lays, `make
test` at fewer.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import click

from dealerless.crypto import elgamal, group, laying, schnorr
from tests.deck import CONTEXT, DRAW
from tests.lamps import KEY, POINTS, SECRET, cover
from tests.spread import Spread

JOINT = schnorr.joint([KEY, schnorr.DeckSecret(DRAW.randbytes, "other seat").public])

CARDS = tuple(POINTS.values())
# Both signs of each, and of two different cards the difference in both directions.
NAMED = {group.IDENTITY: "0", group.BASE: "G", JOINT: "X", KEY: "X_i"}
KNOWN = {
    **{group.subtract(group.IDENTITY, point): f"-{name}" for point, name in NAMED.items()},
    **{group.subtract(one, other): "M_j - M_k" for one in CARDS for other in CARDS},
    **NAMED,
}

LIMIT = 4
"""Standard deviations."""


class Lay(NamedTuple):
    """Which of two cards was laid, those, the laid and the kept one, and the proof."""

    choice: int
    cards: elgamal.Deck
    laid: elgamal.Deck
    proof: bytes


class Look(NamedTuple):
    """What was seen in some lays: how many, how often a relation was a known point, how far the bytes lean."""

    lays: int
    second: int
    known: Counter[tuple[str, str]]
    deviations: list[float]

    @property
    def worst(self) -> float:
        return max(map(abs, self.deviations))

    @property
    def common(self) -> float:
        """Of all bytes together."""
        return sum(self.deviations) / math.sqrt(len(self.deviations))

    @property
    def bias(self) -> float:
        """Of the choices themselves."""
        return (self.second - self.lays / 2) / math.sqrt(self.lays / 4)

    def nothing(self) -> bool:
        """Whether every figure is one that chance would give."""
        return not self.known and max(self.worst, abs(self.common), abs(self.bias)) < LIMIT


def relations(cards: elgamal.Deck, laid: elgamal.Deck) -> dict[str, bytes]:
    """What can be seen between old and new: the differences of halves, and the sums and differences of those."""
    found: dict[str, bytes] = {}
    for j, (a_new, z_new) in enumerate(laid):
        for i, (a, z) in enumerate(cards):
            first, second = group.subtract(a_new, a), group.subtract(z_new, z)
            found |= {f"a'_{j} - a_{i}": first, f"Z'_{j} - Z_{i}": second, f"both {j}{i}": group.add(first, second)}
    for half in ("a'_{} - a_{}", "Z'_{} - Z_{}"):
        for order, pairs in (("as they are", "0011"), ("exchanged", "0110")):
            one, other = found[half.format(*pairs[:2])], found[half.format(*pairs[2:])]
            found[f"{half[0]}, {order}, sum"] = group.add(one, other)
            found[f"{half[0]}, {order}, difference"] = group.subtract(one, other)
    return found


def lays(scalars: Callable[[], Sequence[int]] | None = None) -> Iterator[Lay]:
    """Lays of random cards in random order, by a client that covers with these scalars if it is not ours."""
    while True:
        choice, cards = DRAW.randrange(2), cover(*DRAW.sample(CARDS, 2))
        if scalars is None:
            yield Lay(choice, cards, *laying.lay(SECRET, CONTEXT, 1, KEY, cards, choice, DRAW.randbytes))
        else:
            yield Lay(choice, cards, laying.apply_lay(SECRET, cards, laying.LayWitness(choice, scalars())), b"")


def look(count: int, made: Iterator[Lay]) -> Look:
    """Look at so many lays: at cards, proofs and relations under the one choice and under the other."""
    known: Counter[tuple[str, str]] = Counter()
    spread: Spread | None = None
    second = 0
    for choice, cards, laid, proof in islice(made, count):
        found = relations(cards, laid)
        known.update((name, KNOWN[point]) for name, point in found.items() if point in KNOWN)
        data = elgamal.joined(laid) + proof + b"".join(found.values())
        spread = spread or Spread(len(data))
        spread.add(choice, data)
        second += choice
    return Look(count, second, known, spread.deviations() if spread else [])


@click.command()
@click.option("--lays", "count", default=10_000, show_default=True)
def main(count: int) -> None:
    """Look for what lays show of the choice."""
    seen = look(count, lays())
    click.echo(f"{count} lays, {seen.second} of the new card: {seen.bias:+.2f} standard deviations")
    click.echo(f"{len(seen.deviations)} bytes, the worst {seen.worst:.2f}, all together {seen.common:+.2f}")
    click.echo(f"relations that are known points: {dict(seen.known) or 'none'}")
    if not seen.nothing():
        raise click.ClickException("that is not chance")


if __name__ == "__main__":
    main()
