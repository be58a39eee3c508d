"""The rules of hex poker in words, clause by clause, with every number taken from the code that enforces it."""

from __future__ import annotations

from typing import Final

from .hex import HEX, MAX_CHIPS, MAX_DEPTH
from .hexrank import DIGITS, parse_digits, report
from .showdown import SHOW_RULES

CLASSES: Final[dict[str, str]] = {
    "5": "five equal",
    "4": "four equal",
    "32": "three and two equal",
    "3+": "five in a row",
    "3": "three equal",
    "22": "two pairs",
    "2": "one pair",
    "0": "nothing",
}
"""The classes of HEX-10 by symbol, strongest first."""


def words(line: str) -> str:
    """Return a report line of HEX-12 in words: its class and its best five."""
    symbol, five, _ = line.split(",")
    return f"{CLASSES[symbol]}, {five}"


def _best(digits: str) -> str:
    return report(parse_digits(digits))


def rules() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the rules as (clause, paragraphs), in the order in which a newcomer needs them.

    A paragraph that begins with two spaces is a row of a table; the others may be wrapped.
    """
    seats, dealings = HEX.seats.start, ", ".join(HEX.dealings)
    return (
        (
            "HEX-1",
            (
                f"{seats} players. A card is one hex digit: {' < '.join(DIGITS)}. There are no suits.",
                "Seats are numbered from 0, hands from 1.",
            ),
        ),
        (
            "HEX-2",
            (
                f"Agreed before play: the bet b (at least 1 chip), the depth k (1 to {MAX_DEPTH:,}) and the "
                "number of hands. Every hand both put an ante of b into the pot and have a stack of S = k*b "
                "behind it, so a hand can cost b + S and no more. Nothing is added to a stack during a hand, "
                "and every hand starts from the same b and S.",
            ),
        ),
        ("ENC-6", (f"All chips of the table together are at most {MAX_CHIPS:,}.",)),
        (
            "TABLE-1",
            ("Seat 0 has the button in hand 1; then it changes sides every hand. The other seat moves first.",),
        ),
        (
            "HEX-3",
            (
                "Five common cards lie open; each player has two hole cards that nobody else sees. A "
                "player's seven are the common five and his own two.",
            ),
        ),
        (
            "HEX-4",
            (
                f"Ways of dealing offered here: {dealings}. By hash every digit is as likely as any other, "
                "independently of the rest: the same digit may come any number of times.",
            ),
        ),
        (
            "HASHDEAL-2",
            (
                "Each player commits to two secret seeds, layout and hole. Both layouts are opened and "
                "hashed: the first five digits of that digest are the common cards. A player's hole seed is "
                "hashed with it: the first two digits are his cards, and he opens it at showdown only.",
            ),
        ),
        (
            "HEX-5",
            ("There is one betting round, after all cards are dealt. The players move in strict turns.",),
        ),
        (
            "HEX-6",
            (
                "  CHECK  puts in nothing; only when nothing is owed",
                "  BET    puts in b; when nothing is owed and b is in the stack",
                "  CALL   puts in what a BET or RAISE made owed, always b",
                "  RAISE  puts in 2b, b to level and b more; after BET or RAISE",
                "  ALLIN  puts in the whole stack, if there is any",
                "  FOLD   gives up the hand; only when something is owed",
            ),
        ),
        (
            "HEX-7",
            (
                "What may follow what, as far as the stack reaches:",
                "  at the start, after CHECK or CALL   CHECK, BET, ALLIN",
                "  after BET or RAISE                  CALL, RAISE, ALLIN, FOLD",
                "  after ALLIN                         ALLIN, FOLD",
                "When the b that is owed is all that is left, CALL and ALLIN are the same move.",
            ),
        ),
        (
            "HEX-8",
            (
                "Betting is over after two CHECKs in succession; when both stacks are empty and nothing is "
                "owed; or at a FOLD. A CALL alone does not end it, nor one CHECK after a CALL.",
            ),
        ),
        (
            "HEX-9",
            (
                "After a FOLD the other player takes the pot, and no hole card is shown. Otherwise the "
                "stronger seven takes it; equal sevens take half each (the pot is always even).",
            ),
        ),
        (
            "SHOW-1",
            ("The last to bet, raise or go all-in beyond the other shows first; without one, who moved first.",),
        ),
        (
            "SHOW-2",
            (
                f"The terms say who must show: {' or '.join(SHOW_RULES)}. With muck, once one player has "
                "shown, the other may give up unseen, unless somebody is all-in.",
            ),
        ),
        ("SHOW-3", ("Who mucks gives up the pot; the last to claim it takes it unshown.",)),
        (
            "HEX-10",
            (
                "Five cards, strongest first (the game's own order, not that of rarity):",
                *[f"  {symbol:<3} {name}" for symbol, name in CLASSES.items()],
                "A row does not go round the corner: 0 is low only, f is high only.",
            ),
        ),
        (
            "HEX-11",
            (
                "Within a class the value of the larger group decides, then that of the smaller, then the "
                "other cards from high to low; in a row its highest card.",
            ),
        ),
        (
            "HEX-12",
            (
                "A seven is worth its strongest five. It is written as class, best five, seven as dealt:",
                f"  {_best('95f9ce4')} is stronger than {_best('95f9c4a')}",
            ),
        ),
        (
            "HEX-13",
            (
                "The account of a match: what each player won less what he put in, hand by hand. It sums to "
                "0. After the agreed hands the higher account wins; equal is a tie.",
            ),
        ),
        (
            "VERDICT-4",
            (
                "Antes are in the pot with a hand's first message. Who then refuses to go on, or is proven "
                "to have broken a rule, loses what he has in the pot, and the match ends.",
            ),
        ),
    )
