"""Writing betting down in a few characters: `1k 0b 1r20 2c 0f` is seat 1 checks, seat 0 bets, ...

Letters: k check, b bet, c call, r raise, a all-in (where that is a move of its own), f fold; a number is the
amount. Without one the move carries the least amount it may; a `*` carries the most.
"""

from __future__ import annotations

from dealerless.games.betting import Betting, apply, check, legal, open_round, settled
from dealerless.games.game import Move
from dealerless.games.structure import Structure

NAMES = {"k": "CHECK", "b": "BET", "c": "CALL", "r": "RAISE", "a": "ALLIN", "f": "FOLD"}


def token(b: Betting, text: str) -> tuple[int, Move]:
    """The seat and move that one token stands for."""
    seat, name, amount = int(text[0]), NAMES[text[1]], text[2:]
    spans = {option.name: (option.least, option.most) for option in legal(b)}
    least, most = spans.get(name, (0, 0))
    chosen = least if amount == "" else most if amount == "*" else int(amount)
    return seat, Move(name=name, amount=chosen)


def play(b: Betting, line: str) -> Betting:
    """The round after a line of legal moves."""
    for text in line.split():
        seat, move = token(b, text)
        assert check(b, seat, move) is None, (text, check(b, seat, move))
        total = sum(b.stacks) + sum(b.totals)
        b = apply(b, seat, move)
        assert sum(b.stacks) + sum(b.totals) == total
        assert min(b.stacks) >= 0
    return b


def refused(b: Betting, text: str) -> str:
    """The code with which a move is refused."""
    seat, move = token(b, text)
    refusal = check(b, seat, move)
    assert refusal is not None, text
    return refusal.code


def options(b: Betting) -> str:
    """Who is to act and what it may do, as one line: `0: CALL, RAISE 260..1000, FOLD`; `over` at the end."""
    if b.to_act is None:
        return "over"
    moves = []
    for option in legal(b):
        span = f"{option.least}" if option.least == option.most else f"{option.least}..{option.most}"
        moves.append(option.name if option.most == 0 else f"{option.name} {span}")
    return f"{b.to_act}: {', '.join(moves)}"


def following(b: Betting, structure: Structure, first: int) -> Betting:
    """The next round after one that is over: uncalled chips are back, nothing is put in yet."""
    assert b.to_act is None
    done = settled(b)
    return open_round(structure, done.stacks, done.totals, done.folded, first)
