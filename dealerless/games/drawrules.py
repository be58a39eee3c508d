"""The rules of five-card draw in words, clause by clause, with every number taken from the code that enforces it."""

from __future__ import annotations

from typing import Final

from .cards import DECK, RANKS, SUITS
from .draw import DRAW, MAX_RAISES
from .drawhand import HELD, MOST_DISCARDS, DrawTerms
from .hex import MAX_CHIPS, MAX_DEPTH
from .ranking import CLASSES
from .showdown import SHOW_RULES

_EXAMPLE: Final = DrawTerms(ante=1, first=10, second=10, raises=3, allin=False, stack=200, show=SHOW_RULES[0])


def rules() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the rules as (clause, paragraphs), in the order in which a newcomer needs them.

    A paragraph that begins with two spaces is a row of a table; the others may be wrapped.
    """
    return (*_table(), *_betting(), *_exchange(), *_showdown())


def _table() -> tuple[tuple[str, tuple[str, ...]], ...]:
    fewest, most = DRAW.seats[0], DRAW.seats[-1]
    return (
        (
            "DRAW-1",
            (
                f"{fewest} to {most} players, {len(DECK)} cards. Agreed before play: the ante, the fixed amounts of "
                "both rounds, how many raises may follow a bet, the all-in mode, the stack everybody begins with, who "
                "must show, and the number of hands.",
                f"A card is its suit, one of {', '.join(SUITS)}, and its rank, one of {', '.join(RANKS)}.",
            ),
        ),
        (
            "DRAW-2",
            (
                f"Everybody posts the ante and gets {HELD} closed cards that nobody else sees. Then: a round of "
                f"betting; an exchange, in which each player still in gives up none to {MOST_DISCARDS} of his cards "
                "for as many new ones, from the button's left; a second round of betting; the showdown.",
                f"{most} players need at most {most * (HELD + MOST_DISCARDS)} cards, so the deck never runs out. What "
                "is given up stays closed for good.",
            ),
        ),
        (
            "DRAW-7",
            (
                "All-in mode on: who has a chip is dealt in, posts the ante as far as it goes, and may put in his "
                "last chip.",
                "All-in mode off: only who has what a hand can cost at most is dealt in, ante + (1 + raises) x (first "
                f"+ second amount): {_EXAMPLE.dearest} chips for ante {_EXAMPLE.ante}, {_EXAMPLE.first}/"
                f"{_EXAMPLE.second} and {_EXAMPLE.raises} raises. Who has less keeps it and plays no more.",
            ),
        ),
        (
            "ENC-6",
            (
                f"A stack is at most {MAX_DEPTH:,} times the smaller fixed amount, all chips of the table together at "
                f"most {MAX_CHIPS:,}. The ante and both amounts are from 1 to the stack, raises from 0 to "
                f"{MAX_RAISES}.",
            ),
        ),
        (
            "TABLE-1",
            ("Seat 0 has the button in hand 1; then it goes to the next seat, clockwise, that is dealt in.",),
        ),
        ("TABLE-2", ("Who is not dealt in any more is out. Nobody sits out, nobody buys chips.",)),
        (
            "TABLE-4",
            (
                "The match is over after the agreed hands, or when fewer than two can be dealt in. Most chips win, "
                "equal is a tie.",
            ),
        ),
        (
            "TABLE-5",
            (
                f"One card to each from the button's left, {HELD} times; the new cards of an exchange are the next of "
                "the deck. No card is burned: every shuffle is proven.",
            ),
        ),
    )


def _betting() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (
        (
            "DRAW-3",
            (
                "Both rounds begin with the first player still in from the button's left, and a bet and each raise is "
                "the fixed amount of the round: no move carries a number.",
            ),
        ),
        (
            "BET-1",
            (
                "  CHECK    puts in nothing; only when nothing is owed",
                "  BET      the first to put in chips in a round, the fixed amount",
                "  CALL     puts in what is owed, or all that is left",
                "  RAISE    lifts the level by the fixed amount",
                "  FOLD     gives up the hand; only when something is owed",
                "Checking and raising later is allowed.",
            ),
        ),
        (
            "BET-3",
            ("Owed is what is missing to the level, but never more than another player still in can put in.",),
        ),
        (
            "BET-5",
            (
                "A bet and as many raises a round as the terms say, also between two players. An all-in of at least "
                "half of the fixed amount counts as one; after a smaller one the next raise completes it.",
            ),
        ),
        ("BET-6", ("Nobody bets or raises when no other player still in has chips to answer with.",)),
        (
            "BET-7",
            (
                "A round is over when all who are in and have chips have moved since the last lift and owe nothing. "
                "When at most one has chips and owes nothing there is no more betting; cards are exchanged all the "
                "same.",
            ),
        ),
        ("POT-1", ("Chips that nobody matched go back at the end of the round.",)),
        (
            "POT-2",
            (
                "When betting is over, pots are built by what each put in over the hand: a player wins from every "
                "other at most what he put in himself.",
            ),
        ),
        ("POT-4", ("Each pot is split by itself; odd chips go one by one from the button's left.",)),
        (
            "DRAW-4",
            ("Who folds is out of the hand, acts no more in it, and sees no card but those shown at the end.",),
        ),
    )


def _exchange() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (
        (
            "DRAW-10",
            (
                f"Each player still in, all-in or not, exchanges once: none to {MOST_DISCARDS} different cards. How "
                "many they are, and at which places, is seen by all; which cards, by nobody. He has his new cards "
                "before the next player exchanges.",
            ),
        ),
        (
            "DECK-7",
            (
                "Only cards that are held can be given up, and only the next cards of the deck are dealt for them; no "
                "place of the deck is dealt twice.",
            ),
        ),
    )


def _showdown() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (
        (
            "DRAW-8",
            ("The hand is over when all but one have folded, and nothing is shown then; or after the showdown.",),
        ),
        (
            "SHOW-1",
            (
                "The last to lift the level in the last round with moves shows first, else the first still in from "
                "the button's left; then clockwise.",
            ),
        ),
        (
            "SHOW-2",
            (
                f"The terms say who must show: {' or '.join(SHOW_RULES)}. With muck, once one player has shown, the "
                "others may give up unseen, unless somebody is all-in.",
            ),
        ),
        ("SHOW-3", ("Who mucks gives up every pot that another claims; the last to claim one takes it unshown.",)),
        (
            "DRAW-5",
            (
                "Hands, strongest first (a royal straight flush is the highest straight flush):",
                *[f"  {name}" for name in reversed(CLASSES)],
                "The ace is high or low in a straight, A-K-Q-J-T and 5-4-3-2-A, which does not go round the corner. "
                "Within a class the larger groups decide, then the other cards from high to low. Suits decide "
                "nothing; equal hands share.",
            ),
        ),
        (
            "VERDICT-4",
            (
                "Who refuses to go on, or is proven to have broken a rule, loses what he has in the pot and is out of "
                "the match; he keeps the rest. Before the deal is complete the others are dealt anew. Later the round "
                "is played out; if cards of the exchange cannot be dealt without him, nobody exchanges any more, "
                "betting is over, and all still in show or give up.",
            ),
        ),
        (
            "DECK-9",
            (
                "Who folds before the exchange while two others are in gives his part of the cards that can still be "
                "dealt away with that move, so that nobody needs him to finish the hand.",
            ),
        ),
    )
