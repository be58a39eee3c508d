"""`dealerless rules`: a game's rules as this program plays them."""

from __future__ import annotations

import importlib
import textwrap
from typing import Final

import click

from ..errors import UsageError
from ..games.draw import DRAW
from ..games.hex import HEX
from ..games.holdem import HOLDEM
from ..games.onepoker import ONEPOKER

Rules = tuple[tuple[str, tuple[str, ...]], ...]

_GAMES: Final = {
    HEX.name: "dealerless.games.hexrules",
    DRAW.name: "dealerless.games.drawrules",
    HOLDEM.name: "dealerless.games.holdemrules",
    ONEPOKER.name: "dealerless.games.onepokerrules",
}
"""By game the module whose `rules` are its rules in words; only the one that is asked for is imported."""

_INDENT: Final = 12
_WIDTH: Final = 79


@click.command(
    epilog="Example: dealerless rules hex",
)
@click.argument("game", required=False, metavar="GAME")
def rules(game: str | None) -> None:
    """Print the rules of GAME as they are played here, each with the clause that the referee cites.

    Without GAME, print which games there are.
    """
    if game is None:
        click.echo("\n".join(_GAMES))
        return
    if game not in _GAMES:
        raise UsageError("usage.bad-value", expected=tuple(_GAMES), actual=game, hint="see: dealerless rules")
    found: Rules = importlib.import_module(_GAMES[game]).rules()
    for clause, paragraphs in found:
        click.echo(render(clause, paragraphs))


def render(clause: str, paragraphs: tuple[str, ...]) -> str:
    """Return one clause as lines of at most 79 characters, its id in the margin."""
    lines: list[str] = []
    for paragraph in paragraphs:
        if paragraph.startswith("  "):
            lines.append(paragraph)
        else:
            lines += textwrap.wrap(paragraph, _WIDTH - _INDENT, break_on_hyphens=False)
    margins = [clause] + [""] * (len(lines) - 1)
    return "\n".join([f"{margin:<{_INDENT}}{line}" for margin, line in zip(margins, lines, strict=True)])
