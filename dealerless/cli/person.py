"""A person at the table in plain line mode: state, own cards, legal moves with their amounts, a prompt.

A move or an exchange that cannot be read or is not legal is refused with the rule's code and clause, and costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from ..errors import CODES, TransportError
from ..games.drawhand import MOST_DISCARDS
from ..games.game import Discard, Move, Option, Slots
from ..games.onepoker import ONEPOKER
from ..games.structure import CLAUSES
from ..players.player import Player, SeatView
from ..report.escape import printable
from ..report.naming import naming
from .scene import (
    broken,
    cost,
    legal_text,
    own_text,
    so_far_lines,
    still_to_come,
    table_lines,
    tally_lines,
)
from .terminal import Terminal

# Nothing but digits: int() would also read signs, spaces, underscores and the digits of every script.
_DIGITS: Final = 16
"""So many at most: those of the most chips that there can be (ENC-6)."""
_AMOUNT: Final = re.compile(f"[0-9]{{1,{_DIGITS}}}", re.ASCII)
_NAME: Final = re.compile("[A-Za-z]{1,8}", re.ASCII)

_ALL_IN: Final = re.compile("all[-_ ]?in( [0-9]+)?", re.ASCII | re.IGNORECASE)
"""What some say for it where the game has no such move; in hex it is ALLIN."""


_COUNTED: Final = {
    "to": "the level of the round that it goes to",
    "by": "the lives that it adds, behind paying what is owed",
    "put": "the chips that it puts in",
}
"""What the amount of a move is, by what the game counts."""

_ALWAYS: Final = "or help, table, leave, quit"
"""What can be typed whatever is asked."""


class Person(Player):
    """Asks whoever sits at the terminal."""

    def __init__(self, terminal: Terminal, told: Callable[[int], bool] = lambda number: False) -> None:
        """`told`: whether the hand of this number was told on the terminal from its start."""
        self.leaving = False
        """Whether the person has asked to leave: that is signed in place of a hand that is ours to start (CHAIN-5)."""
        self._terminal = terminal
        self._told = told
        self._shown = 0
        """The last hand of which we have said the moves."""

    def decide(self, view: SeatView) -> Move:
        """Return a legal move; raises TransportError `transport.left` at `quit` or the input's end."""
        terminal = self._terminal
        # A move typed while the other side was thinking answers a table that nobody had seen yet.
        terminal.forget_typed()
        self._show_table(view)
        while True:
            terminal.say(f"  legal: {legal_text(view)}")
            words = terminal.ask(f"  move{_time_left(view)}> ").split()
            if self._aside(words, view, self._help):
                continue
            move = self._read(words, view)
            if move is None:
                continue
            refusal = view.refusal(move)
            if refusal is None:
                return move
            terminal.say(f"  refused, nothing lost: {refusal}")

    def exchanges(self, view: SeatView) -> Slots:
        """Return the slots of the cards that the person gives up; raises TransportError as `decide` does."""
        terminal = self._terminal
        terminal.forget_typed()
        self._show_table(view)
        asked = f"exchange which (numbers, at most {MOST_DISCARDS}; enter or 'none' keeps all)"
        seen = True
        while True:
            self._show_own(view, seen=seen)
            words = terminal.ask(f"  {asked}{_time_left(view)}> ").replace(",", " ").split()
            seen = _is_table(words)
            if self._aside(words, view, self._help_exchange):
                continue
            slots = self._read_exchange(words, view)
            if slots is None:
                continue
            refusal = view.game.check(view.hand, view.seat, Discard(slots=slots))
            if refusal is None:
                return slots
            self._refuse_exchange(refusal.code, refusal.clause, words, view)

    def lays(self, view: SeatView) -> int:
        """Return which of its two cards the person lays, 0 or 1; raises TransportError as `decide` does."""
        terminal = self._terminal
        terminal.forget_typed()
        self._show_table(view)
        while True:
            words = terminal.ask(f"  lay which card face down (1 or 2){_time_left(view)}> ").split()
            if self._aside(words, view, self._help_lay):
                continue
            if words in (["1"], ["2"]):
                return int(words[0]) - 1
            if words:
                terminal.say(f"  refused, nothing lost: this is no card of yours: {printable(' '.join(words)[:40])}")
                terminal.say(f"  type 1 or 2; {_ALWAYS}")

    def shows(self, view: SeatView) -> bool:
        """Return whether the person wants to show; raises TransportError as `decide` does."""
        terminal = self._terminal
        terminal.forget_typed()
        self._show_table(view)
        closed = still_to_come(view.game, view.hand) if broken(view.hand) else ""
        coming = f" {closed}." if closed else ""
        prompt = f"  Show your cards? If not, the pot is given up.{coming}"
        seen = True
        while True:
            self._show_own(view, seen=seen)
            words = terminal.ask(f"{prompt}{_time_left(view)} [y/n] ").split()
            seen = _is_table(words)
            if self._aside(words, view, self._help_show):
                continue
            answer = " ".join(words).lower()
            if answer in ("y", "yes", "n", "no"):
                return answer in ("y", "yes")
            terminal.say(f"  type y or n; {_ALWAYS}")

    def _show_table(self, view: SeatView, *, whole: bool = False) -> None:
        """Say the table; the `whole` of it, or of a hand that another process began, with the moves that led to it."""
        number = view.books.number
        moves = so_far_lines(view) if whole or not (self._told(number) or self._shown == number) else ()
        self._shown = number
        for line in (*moves, *table_lines(view)):
            self._terminal.say(f"  {line}")

    def _show_own(self, view: SeatView, *, seen: bool) -> None:
        """Say the own cards with another asking, unless the table, which has them, was `seen` just now."""
        if not seen:
            self._terminal.say(f"  {own_text(view.game, view.hand, view.seat, view.hole)}")

    def _aside(self, words: list[str], view: SeatView, explain: Callable[[SeatView], None]) -> bool:
        """Return whether what was typed is no answer but something for us, and do that; `explain` is what help says.

        Raises TransportError `transport.left` at `quit`.
        """
        word = words[0].lower() if words else ""
        if word in ("quit", "exit"):
            raise TransportError("transport.left")
        if len(words) == 1 and word in ("leave", "stay"):
            self._leave(view, leaving=word == "leave")
        elif word in ("help", "?"):
            explain(view)
        elif _is_table(words):
            self._show_table(view, whole=True)
        elif word == "tally" and view.game.name == ONEPOKER.name:
            for line in tally_lines(view.hand):
                self._terminal.say(f"  {line}")
        else:
            return False
        return True

    def _help_exchange(self, view: SeatView) -> None:
        """Say how an exchange is typed."""
        say = self._terminal.say
        say(f"  type the numbers of the cards to give up, none to {MOST_DISCARDS} of them: 2 5, or 2,5; all at once")
        say("  an empty line or none keeps all; the others see at which places you exchange, and not which cards")
        self._help_always(view)

    def _help_lay(self, view: SeatView) -> None:
        """Say how a card is laid."""
        say = self._terminal.say
        say("  type 1 or 2; the other sees that you laid a card and not which, until it is opened at the round's end")
        self._help_always(view)

    def _help_show(self, view: SeatView) -> None:
        """Say what the answers to the question to show are."""
        say = self._terminal.say
        say("  y shows your cards to all and lets them win what they win; n gives up the pot, and nobody sees them")
        self._help_always(view)

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
            what = _COUNTED[view.hand.betting.structure.amounts]
            say(f"  the amount of a {name} is {what}: {option.least} to {option.most}, which is all that you can")
        self._help_always(view)

    def _help_always(self, view: SeatView) -> None:
        """Say what can be typed whatever is asked."""
        say, called = self._terminal.say, naming(view.game.name)
        say(f"  leave ends your match between two {called.hand}s, with your {called.chips}: it is signed in place of")
        say(f"  the next {called.hand} that is yours to start, and until then you play on; stay takes it back")
        say(f"  {_starts(view)}; {_last(view)}")
        say("  quit stops this program and signs nothing; table shows the table again; help or ? says this")
        if view.game.name == ONEPOKER.name:
            say("  tally counts the cards that were opened of this shoe, rank by rank, and those that are left")
        say(f"  the rules: dealerless rules {view.game.name}")

    def _leave(self, view: SeatView, *, leaving: bool) -> None:
        """Remember that the person wants to leave, or no more, and say what comes of it. CHAIN-5, TABLE-4."""
        say, called = self._terminal.say, naming(view.game.name)
        self.leaving = leaving
        if not leaving:
            say("  you stay")
            return
        say(f"  you leave, with your {called.chips}, when your turn to start a {called.hand} comes: it is signed then")
        say(f"  {_starts(view)}; {_last(view)}")
        say("  until then you are in the match and have to move; stay takes it back")

    def _read_exchange(self, words: list[str], view: SeatView) -> Slots | None:
        """Return the slots that were typed by their cards' numbers; None, with the reason said, if they are none."""
        if [word.lower() for word in words] in ([], ["none"]):
            return ()
        typed = printable(" ".join(words)[:40])
        if not all(_AMOUNT.fullmatch(word) for word in words):
            self._terminal.say(f"  refused, nothing lost: these are no numbers of cards: {typed}")
            self._terminal.say(f"  type numbers, such as 2 5, or none; {_ALWAYS}")
            return None
        slots = _slots_of([int(word) for word in words], view)
        if slots is None:
            code = "exchange.not-held"
            self._refuse_exchange(code, CODES[code].clause, words, view)
        return slots

    def _refuse_exchange(self, code: str, clause: str, words: list[str], view: SeatView) -> None:
        """Say in terms of the cards' numbers what is wrong with those that were typed; the rule speaks of slots."""
        texts = {
            "exchange.too-many": f"at most {MOST_DISCARDS} cards can be exchanged",
            "exchange.not-held": f"the cards are 1 to {len(view.hole)}",
            # What was typed is put in order by us, so this is a card that was named twice.
            "exchange.unordered": "name each card once",
        }
        text, typed = texts.get(code, CODES[code].text), printable(" ".join(words)[:40])
        self._terminal.say(f"  refused, nothing lost: {text} [{code}, {clause}]: {typed}")

    def _read(self, words: list[str], view: SeatView) -> Move | None:
        """Return the move that was typed, legal or not; None, with the reason said, if it is none."""
        say = self._terminal.say
        if not words:
            return None
        if len(words) == 3 and words[1].lower() == "to" and view.hand.betting.structure.amounts == "to":
            del words[1]
        name, typed = words[0].upper(), printable(" ".join(words)[:40])
        option = next((option for option in view.legal if option.name == name), None)
        if way := _all_in(words, view):
            say(f"  refused, nothing lost: {CODES['bet.not-a-move'].text}: {typed}")
            say(f"  {way}")
            return None
        if len(words) > 2 or _NAME.fullmatch(words[0]) is None:
            wrong = CODES["bet.not-a-move"].text if option is None else "a move is its name and at most one number"
            say(f"  refused, nothing lost: {wrong}: {typed}")
            say(f"  {_how(view.legal)}; {_ALWAYS}")
            return None
        if len(words) == 1:
            if option is not None and option.least != option.most:
                say(f"  {name} needs an amount from {option.least} to {option.most}")
                return None
            return Move(name=name, amount=0 if option is None else option.least)
        if _AMOUNT.fullmatch(words[1]) is None:
            long = len(words[1]) > _DIGITS and re.fullmatch("[0-9]+", words[1], re.ASCII)
            wrong = f"an amount has at most {_DIGITS} digits" if long else "an amount is digits 0-9 only"
            say(f"  refused, nothing lost: {wrong}: {printable(words[1][:40])}")
            return None
        amount = int(words[1])
        if option is None or option.most:
            return Move(name=name, amount=amount)
        move = Move(name=name, amount=0)
        pays = cost(view.game, view.hand, view.seat, move)
        if amount == pays:
            return move
        code = "bet.wrong-amount"
        clause = CLAUSES[view.hand.betting.structure.sizes].get(code, CODES[code].clause)
        what = f"it pays {pays}" if pays else "it pays nothing"
        say(f"  refused, nothing lost: {name} takes no number, {what} [{code}, {clause}]: {amount}")
        return None


def _how(legal: tuple[Option, ...]) -> str:
    """Return how a move is typed, with one that is legal as the example: with an amount if any of them has one."""
    for option in legal:
        if option.most:
            return f"type a move and, if it has one, its amount: for example {option.name.lower()} {option.least}"
    return f"type a move, which takes no number here: for example {legal[0].name.lower()}"


def _all_in(words: list[str], view: SeatView) -> str:
    """Return what to type instead, if all-in was typed and is no move, or is not spelled so; else an empty text."""
    if _ALL_IN.fullmatch(" ".join(words)) is None:
        return ""
    amounts = view.hand.betting.structure.amounts
    if amounts == "put":
        named = any(option.name == "ALLIN" for option in view.legal) and words[0].upper() != "ALLIN"
        return "the move is spelled allin" if named else ""
    for option in view.legal:
        if option.most:
            return f"the most that you can put in: {option.name.lower()} {option.most}"
    # ONE-7: there it pays all that is owed, and has it.
    return (
        ""
        if amounts == "by"
        else "whoever has no more than a move pays is all-in by it: each takes at most what you have"
    )


def _starts(view: SeatView) -> str:
    """Return whose turn it is to start a hand: TABLE-1, in One Poker ONE-6."""
    if view.game.name == ONEPOKER.name:
        return "a round is yours to start once you have priority, which taking a pot gives"
    return "a hand is yours to start when you have the button"


def _last(view: SeatView) -> str:
    """Return what leaving costs (TABLE-4)."""
    return f"who leaves ranks last, whatever {naming(view.game.name).chips} it keeps (TABLE-4)"


def _is_table(words: list[str]) -> bool:
    """Return whether the table was asked for."""
    return bool(words) and words[0].lower() == "table"


def _slots_of(numbers: list[int], view: SeatView) -> Slots | None:
    """Return the slots of the cards with these numbers, ascending; None if there is no such card."""
    slots = view.game.hole_slots(view.hand, view.seat)
    if not all(1 <= number <= len(slots) for number in numbers):
        return None
    return tuple(sorted([slots[number - 1] for number in numbers]))


def _time_left(view: SeatView) -> str:
    """Return what the prompt says of the time, as it is when somebody is asked."""
    left = view.seconds_left()
    return "" if left is None else f" ({left} s left)"
