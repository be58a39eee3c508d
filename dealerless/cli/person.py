"""A person at the table in plain line mode: state, own cards, legal moves with their amounts, a prompt.

A move that cannot be read or is not legal is refused with the rule's code and clause, and costs nothing.
"""

from __future__ import annotations

import re
from typing import Final

from ..errors import CODES, TransportError
from ..games.game import Move, Option
from ..players.player import Player, SeatView
from ..report.escape import printable
from .scene import broken, held_text, legal_text, still_to_come, table_lines
from .terminal import Terminal

# Nothing but digits: int() would also read signs, spaces, underscores and the digits of every script.
_AMOUNT: Final = re.compile("[0-9]{1,16}", re.ASCII)
_NAME: Final = re.compile("[A-Za-z]{1,8}", re.ASCII)


class Person(Player):
    """Asks whoever sits at the terminal."""

    def __init__(self, terminal: Terminal) -> None:
        self.leaving = False
        """Whether the person has asked to leave: that is signed in place of a hand that is ours to start (CHAIN-5)."""
        self._terminal = terminal

    def decide(self, view: SeatView) -> Move:
        """Return a legal move; raises TransportError `transport.left` at `quit` or the input's end."""
        terminal = self._terminal
        # A move typed while the other side was thinking answers a table that nobody had seen yet.
        terminal.forget_typed()
        self._show_table(view)
        while True:
            terminal.say(f"  legal: {legal_text(view)}")
            words = terminal.ask(f"  move{_time_left(view)}> ").split()
            if words and words[0].lower() in ("quit", "exit"):
                raise TransportError("transport.left")
            if len(words) == 1 and words[0].lower() in ("leave", "stay"):
                self._leave(words[0].lower() == "leave")
                continue
            if words and words[0].lower() in ("help", "?"):
                self._help(view)
                continue
            if words and words[0].lower() == "table":
                self._show_table(view)
                continue
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
            self._terminal.say(f"  seat {other} shows {held_text(view.game, view.hand, cards)}")
        coming = f" {still_to_come(view.game, view.hand)}." if broken(view.hand) else ""
        prompt = f"  Show your cards? If not, the pot is given up.{coming}"
        return self._terminal.agree(prompt, lambda: _time_left(view))

    def _show_table(self, view: SeatView) -> None:
        for line in table_lines(view):
            self._terminal.say(f"  {line}")

    def _help(self, view: SeatView) -> None:
        """Say how moves are typed, with the ones that are legal now."""
        say = self._terminal.say
        examples = []
        for option in view.legal:
            words = option.name.lower()
            examples.append(f"{words} {option.least}" if option.least != option.most else words)
        say(f"  type one of: {', '.join(examples)}; capitals or not")
        spans = [option for option in view.legal if option.least != option.most]
        for option in spans:
            name = option.name.lower()
            level = view.hand.betting.structure.amounts == "to"
            what = "the level of the round that it goes to" if level else "the chips that it puts in"
            say(f"  the amount of a {name} is {what}: {option.least} to {option.most}, which is all that you can")
        say(
            "  leave ends your match between two hands, with your chips: it is signed in place of the next hand that is"
        )
        say("  yours to start, and until then you play on; stay takes it back")
        say("  quit stops this program and signs nothing; table shows the table again; help or ? says this")
        say(f"  the rules: dealerless rules {view.game.name}")

    def _leave(self, leaving: bool) -> None:
        """Remember that the person wants to leave, or no more, and say what comes of it. CHAIN-5."""
        self.leaving = leaving
        if leaving:
            self._terminal.say("  you leave, with your chips, when your turn to start a hand comes: it is signed then")
            self._terminal.say("  until then you are in the match and have to move; stay takes it back")
        else:
            self._terminal.say("  you stay")

    def _read(self, words: list[str], legal: tuple[Option, ...]) -> Move | None:
        """Return the move that was typed, legal or not; None, with the reason said, if it is none."""
        say = self._terminal.say
        if not words:
            return None
        if len(words) == 3 and words[1].lower() == "to":
            del words[1]
        if len(words) > 2 or _NAME.fullmatch(words[0]) is None:
            say(f"  refused, nothing lost: {CODES['bet.not-a-move'].text}: {printable(' '.join(words)[:40])}")
            say("  type a move and, if it has one, its amount: for example bet 10; or help, or quit")
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


def _time_left(view: SeatView) -> str:
    """Return what the prompt says of the time, as it is when somebody is asked."""
    left = view.seconds_left()
    return "" if left is None else f" ({left} s left)"
