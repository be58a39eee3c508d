"""The rules of Texas Hold'em in words, clause by clause, with every number taken from the code that enforces it."""

from __future__ import annotations

from .cards import DECK, RANKS, SUITS
from .hex import MAX_CHIPS, MAX_DEPTH
from .holdem import HOLDEM, STRUCTURES
from .holdemhand import RAISES
from .ranking import CLASSES
from .showdown import SHOW_RULES


def rules() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the rules as (clause, paragraphs), in the order in which a newcomer needs them.

    A paragraph that begins with two spaces is a row of a table; the others may be wrapped.
    """
    return (*_table(), *_betting(), *_showdown())


def _table() -> tuple[tuple[str, tuple[str, ...]], ...]:
    fewest, most = HOLDEM.seats[0], HOLDEM.seats[-1]
    return (
        (
            "HOLDEM-1",
            (
                f"{fewest} to {most} players, {len(DECK)} cards. Each player has two hole cards that nobody else sees; "
                "five community cards open in three steps: flop (three), turn, river. A player's hand is the best "
                "five of his seven.",
                f"A card is its suit, one of {', '.join(SUITS)}, and its rank, one of {', '.join(RANKS)}.",
            ),
        ),
        (
            "HOLDEM-3",
            (
                f"Agreed before play: the betting ({' or '.join(STRUCTURES)}), small blind, big blind, ante, the "
                "stack everybody begins with, who must show, and the number of hands.",
                "Four rounds of betting: before the flop, on the flop, on the turn, on the river. With two players the "
                "button is the small blind; it moves first before the flop and last after it.",
            ),
        ),
        (
            "ENC-6",
            (
                f"A stack is at most {MAX_DEPTH:,} big blinds, all chips of the table together at most "
                f"{MAX_CHIPS:,}. 1 <= small blind <= big blind <= stack; the ante is from 0 to the stack.",
            ),
        ),
        (
            "TABLE-1",
            ("Seat 0 has the button in hand 1; then it goes to the next seat, clockwise, that is dealt in.",),
        ),
        (
            "TABLE-2",
            ("Who has a chip is dealt in, who has none is out. Nobody sits out, nobody buys chips.",),
        ),
        (
            "TABLE-3",
            (
                "In the first hand of two players after one of more, whoever had the last big blind gets the button, "
                "so that nobody posts it twice running; if he is out, the next seat.",
            ),
        ),
        (
            "TABLE-4",
            ("The match is over after the agreed hands, or when one player has all the chips. Most chips win.",),
        ),
        (
            "TABLE-5",
            (
                "One card to each from the button's left, and another; then flop, turn, river. No card is burned: "
                "every shuffle is proven.",
            ),
        ),
        (
            "HOLDEM-6",
            (
                "Antes are posted first, then the blinds by the two seats left of the button, each as far as the "
                "stack goes. The seat left of the big blind moves first; the big blind moves last and may still raise.",
            ),
        ),
    )


def _betting() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (
        (
            "BET-1",
            (
                "  CHECK    puts in nothing; only when nothing is owed",
                "  BET n    the first to put in chips on a street, to n",
                "  CALL     puts in what is owed, or all that is left",
                "  RAISE n  lifts the level to n; a fixed limit carries no n",
                "  FOLD     gives up the hand; only when something is owed",
                "Who puts in the last chip is all-in. More than the stack holds is refused, never cut. Checking and "
                "raising later is allowed.",
            ),
        ),
        (
            "BET-3",
            (
                "Owed is what is missing to the level, but never more than another player still in can put in. Before "
                "the flop the level is the full big blind, also when it was posted short.",
            ),
        ),
        (
            "BET-4",
            (
                "No limit: a bet is at least the big blind, a raise at least as much more as the last full bet or "
                "raise; less only with the whole stack. Who has moved in this round may raise again only if the level "
                "has since risen by as much as a full raise; short all-ins add up.",
            ),
        ),
        (
            "BET-5",
            (
                f"Fixed limit: a bet and {RAISES} raises a round, also between two players. An all-in of at least "
                "half of the fixed size counts as one; after a smaller one the next raise completes it.",
            ),
        ),
        (
            "HOLDEM-5",
            (
                "In fixed limit the size is the big blind before and on the flop, twice that on turn and river. The "
                "big blind is the first bet of its round.",
            ),
        ),
        (
            "BET-6",
            ("Nobody bets or raises when no other player still in has chips to answer with.",),
        ),
        (
            "BET-7",
            (
                "A round is over when all who are in and have chips have moved since the last lift and owe nothing. "
                "When at most one has chips and owes nothing there is no more betting; the board still comes.",
            ),
        ),
        (
            "POT-1",
            ("Chips that nobody matched go back at the end of the round.",),
        ),
        (
            "POT-2",
            (
                "When betting is over, pots are built by what each put in over the hand: a player wins from every "
                "other at most what he put in himself.",
            ),
        ),
        (
            "POT-4",
            ("Each pot is split by itself; odd chips go one by one from the button's left.",),
        ),
    )


def _showdown() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (
        (
            "SHOW-1",
            (
                "After the river the last to lift the level in the last round with moves shows first, else the first "
                "still in from the button's left; then clockwise.",
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
            "HOLDEM-2",
            (
                "Hands, strongest first:",
                *[f"  {name}" for name in reversed(CLASSES)],
                "The ace is high or low in a straight, A-K-Q-J-T and 5-4-3-2-A, which does not go round the corner. "
                "Within a class the larger groups decide, then the other cards from high to low. Suits decide nothing.",
            ),
        ),
        (
            "VERDICT-4",
            (
                "Who refuses to go on, or is proven to have broken a rule, loses what he has in the pot and is out of "
                "the match; he keeps the rest. Before the deal is complete the others are dealt anew. Later the round "
                "is played out; if a card is then needed that cannot be opened without him, betting is over, all "
                "still in show or give up, and the missing cards come from a fresh deck of the cards not shown.",
            ),
        ),
        (
            "DECK-9",
            (
                "Who folds or puts in his last chip while two others are in gives his part of the closed board away "
                "with that move, so that nobody needs him to finish the hand.",
            ),
        ),
    )
