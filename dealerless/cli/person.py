"""A person at the table in plain line mode: state, own cards, legal moves with their amounts, a prompt.

A move that cannot be read or is not legal is refused with the rule's code and clause, and costs nothing.
"""

from __future__ import annotations

import re
from typing import Final

from ..errors import CODES, TransportError
from ..games.game import Move, Option
from ..players.player import SeatView
from ..report.escape import printable
from .terminal import Terminal

# Nothing but digits: int() would also read signs, spaces, underscores and the digits of every script.
_AMOUNT: Final = re.compile("[0-9]{1,16}", re.ASCII)
_NAME: Final = re.compile("[A-Za-z]{1,8}", re.ASCII)


class Person:
    """Asks whoever sits at the terminal."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal

    def decide(self, view: SeatView) -> Move:
        """Return a legal move; raises TransportError `transport.left` at `quit` or the input's end."""
        terminal = self._terminal
        # A move typed while the other side was thinking answers a table that nobody had seen yet.
        terminal.forget_typed()
        self._show_table(view)
        while True:
            terminal.say("  legal: " + ", ".join([_option(option) for option in view.legal]))
            words = terminal.ask(f"  move{_time_left(view)}> ").split()
            if words and words[0].lower() in ("quit", "exit"):
                raise TransportError("transport.left")
            move = self._read(words, view.legal)
            if move is None:
                continue
            refusal = view.refusal(move)
            if refusal is None:
                return move
            terminal.say(f"  refused, nothing lost: {refusal}")

    def shows(self, view: SeatView) -> bool:
        """Return whether the person wants to show."""
        self._terminal.forget_typed()
        self._show_table(view)
        for other in view.hand.shown:
            cards = tuple([view.hand.cards[slot] for slot in view.game.hole_slots(view.hand, other)])
            best = view.game.best(view.hand, cards)
            self._terminal.say(f"  seat {other} shows {''.join([_card(view, card) for card in cards])} ({best})")
        return self._terminal.agree("  Show your cards? If not, the pot is given up.")

    def _show_table(self, view: SeatView) -> None:
        game, hand, seat = view.game, view.hand, view.seat
        board = "".join([_card(view, hand.cards[slot]) for slot in game.board_slots(hand)])
        own = "".join([game.card_text(card) for card in view.hole])
        best = game.best(hand, view.hole)
        worth = "" if best is None else f" ({best})"
        stacks = "/".join([str(stack) for stack in hand.stacks])
        say = self._terminal.say
        say(f"  common {board or 'none'}, your cards {own}{worth}")
        say(f"  stacks {stacks}, pot {sum(hand.totals)}; you are seat {seat} and have {hand.stacks[seat]}")

    def _read(self, words: list[str], legal: tuple[Option, ...]) -> Move | None:
        """Return the move that was typed, legal or not; None, with the reason said, if it is none."""
        say = self._terminal.say
        if not words:
            return None
        if len(words) > 2 or _NAME.fullmatch(words[0]) is None:
            say(f"  refused, nothing lost: {CODES['bet.not-a-move'].text}: {printable(' '.join(words)[:40])}")
            say("  type a move and, if it has one, its amount: for example bet 10; or quit")
            return None
        name = words[0].upper()
        option = next((option for option in legal if option.name == name), None)
        if len(words) == 1:
            if option is not None and option.least != option.most:
                say(f"  {name} needs an amount from {option.least} to {option.most}")
                return None
            return Move(name=name, amount=0 if option is None else option.least)
        if _AMOUNT.fullmatch(words[1]) is None:
            say(f"  refused, nothing lost: an amount is digits 0-9 only: {printable(words[1][:40])}")
            return None
        return Move(name=name, amount=int(words[1]))


def _option(option: Option) -> str:
    if option.most == 0:
        return option.name
    amounts = str(option.least) if option.least == option.most else f"{option.least}..{option.most}"
    return f"{option.name} {amounts}"


def _time_left(view: SeatView) -> str:
    """Return what the prompt says of the time, as it is when somebody is asked."""
    left = view.seconds_left()
    return "" if left is None else f" ({left} s left)"


def _card(view: SeatView, card: int | None) -> str:
    return "?" if card is None else view.game.card_text(card)
