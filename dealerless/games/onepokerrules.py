"""The rules of One Poker in words, clause by clause, with every number taken from the code that enforces it."""

from __future__ import annotations

from typing import Final

from .cards import DECK, RANKS, SUITS
from .onepoker import MAX_LIVES
from .onepokerhand import CLASSES, COPIES, DOWN, HALF, MEMBERS, UP, beats

_HELD: Final = 2
_ROUNDS: Final = (HALF - 2 * _HELD) // 2 + 1
"""Rounds of a match that its first shoe is enough for: two cards to each in the first, one to each in the others."""
_FIRST: Final = tuple([number * len(SUITS) for number in range(len(RANKS))])
"""By rank one card of it."""


def rules() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the rules as (clause, paragraphs), in the order in which a newcomer needs them.

    A paragraph that begins with two spaces is a row of a table; the others may be wrapped.
    """
    return (*_table(), *_round(), *_betting(), *_end())


def _table() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (
        (
            "ONE-1",
            (
                f"Two players, each with 1 to {MAX_LIVES:,} lives. Agreed before play: the lives of each, which may "
                "differ, and the number of rounds at most.",
                f"A card is its suit, one of {', '.join(SUITS)}, and its rank, one of {', '.join(RANKS)}.",
            ),
        ),
        (
            "ONE-2",
            (
                f"{COPIES} decks of {len(DECK)} cards are shuffled into a shoe of {COPIES * len(DECK)}, which is cut "
                f"in half: only {HALF} cards are used, so nobody can count down what is left. They last for {_ROUNDS} "
                f"rounds; before round {_ROUNDS + 1} a fresh shoe is shuffled and cut. Cards that were kept stay with "
                "their owners and are not taken out of it.",
            ),
        ),
        (
            "ONE-3",
            (
                f"Each player holds {_HELD} cards when he is to choose: both are dealt in the first round, and in each "
                "later one a new card comes to the one that he kept.",
            ),
        ),
        ("TABLE-5", ("The cards of who has priority come first, then those of the other.",)),
    )


def _round() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (
        (
            "ONE-5",
            (
                "A round: both put one life into the pot; the deal; the lamps; both lay one of their two cards face "
                "down, who has priority first; betting; both laid cards are opened, by who has priority first, after a "
                "fold too. The other card is kept for the next round.",
                "Nobody can tell which of his two cards a player has laid, before it opens.",
                "After a fold the pot is paid when both cards are open. Who then refuses to open his own loses the "
                "pot, if he was to take it; else one life more, if he has one; and the match.",
            ),
        ),
        (
            "ONE-4",
            (
                "After the deal two lamps of each player show how many cards of each class he holds, and nothing else "
                "about them. They are proven, and cannot lie:",
                *[f"  {CLASSES[each]:<6}{' '.join(_ranks_of(each))}" for each in (DOWN, UP)],
            ),
        ),
        (
            "ONE-6",
            (
                "Who has priority is dealt, shows his lamps, lays, bets and opens first. A lot that both draw together "
                "gives it for the first round; then whoever took the last pot has it. A tie leaves it where it is.",
            ),
        ),
        (
            "LOT-1",
            (
                "For the lot each player commits to a secret number before either is opened; whom it falls on follows "
                "from both.",
            ),
        ),
    )


def _betting() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (
        (
            "ONE-7",
            (
                "  CHECK    puts in nothing; only when nothing is owed",
                "  BET n    puts in n lives; only when nothing is owed",
                "  CALL     puts in what is owed",
                "  RAISE n  puts in what is owed and n more",
                "  FOLD     gives up the pot; only when something is owed",
                "n is at least 1, and at most what the mover has left after paying what is owed and what the other has "
                "left: nobody can be asked for more than he has. There are as many raises as lives allow, and no move "
                "for all lives.",
            ),
        ),
        (
            "ONE-8",
            (
                "The players take turns strictly, also after a CALL, which does not end the betting. It ends with a "
                "FOLD, with a CALL after which either has no life left, and with two CHECKs in succession. If either "
                "has no life left after the antes nobody bets; both lay and open all the same.",
            ),
        ),
    )


def _end() -> tuple[tuple[str, tuple[str, ...]], ...]:
    over = [f"{RANKS[low]} beats {RANKS[high]}" for low, high in _upsets()]
    return (
        (
            "ONE-9",
            (
                "After a fold the other takes the pot, whatever the cards are. Otherwise the higher rank takes it, in "
                f"the order {' '.join(RANKS)}, but {' and '.join(over)}. Suits decide nothing. With equal ranks each "
                "takes back his own lives.",
                "That goes round: no card is the best one, and only two cards can be compared.",
            ),
        ),
        (
            "ONE-10",
            (
                "The match is over when a player has no life left, or after the agreed rounds; then more lives win, "
                "equal is a tie. Who folds keeps a life, so no fold ends a match.",
            ),
        ),
        ("TABLE-4", ("Who was expelled or has left comes last, however many lives he has.",)),
        (
            "VERDICT-4",
            ("Who refuses to go on, or is proven to have broken a rule, loses what he has in the pot, and the match.",),
        ),
        (
            "DECK-8",
            (
                "Each lamp comes with a proof that the card is of that class, and not which one; each lay with a proof "
                "that both cards are the ones that were held, covered anew; each opening with a proof that it is the "
                "card that was laid.",
            ),
        ),
    )


def _ranks_of(number: int) -> list[str]:
    """Return the ranks of a class, low to high."""
    return [RANKS[rank] for rank, card in enumerate(_FIRST) if card in MEMBERS[number][1]]


def _upsets() -> list[tuple[int, int]]:
    """Return the ranks that beat a higher one, each with the one that it beats."""
    pairs = [(low, high) for high in range(len(RANKS)) for low in range(high)]
    return [(low, high) for low, high in pairs if beats(_FIRST[low], _FIRST[high])]
