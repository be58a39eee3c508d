"""`dealerless rank`: hex-poker hands in order of strength."""

from __future__ import annotations

import json
from itertools import pairwise

import click

from ..games.hexrank import best, parse_digits, report
from ..games.hexrules import CLASSES


@click.command(
    epilog="Example: dealerless rank 95f9c4a 95f9ce4",
)
@click.argument("sevens", nargs=-1, required=True, metavar="SEVEN...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def rank(sevens: tuple[str, ...], as_json: bool) -> None:
    """Print the strength of hex-poker hands, strongest first.

    SEVEN is five, six or seven digits, 0-9 and a-f, common cards before hole cards. Each hand is printed as
    class, best five cards, cards as given; between two hands stands > or, where they tie, =.
    """
    hands = [parse_digits(seven) for seven in sevens]
    strengths = [best(cards) for cards in hands]
    # Equal hands keep the order in which they were given.
    order = sorted(range(len(hands)), key=lambda index: -strengths[index].rank)
    if as_json:
        click.echo(
            json.dumps(
                {
                    "format": "dealerless rank 1",
                    "hands": [
                        {
                            "best": report(hands[index]),
                            "class": CLASSES[strengths[index].symbol],
                            "rank": strengths[index].rank,
                        }
                        for index in order
                    ],
                }
            )
        )
        return
    text = report(hands[order[0]])
    for stronger, weaker in pairwise(order):
        sign = "=" if strengths[stronger].rank == strengths[weaker].rank else ">"
        text += f" {sign} {report(hands[weaker])}"
    click.echo(text)
