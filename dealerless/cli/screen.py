"""What whoever sits at a table's terminal is told of it: hands, cards, moves, shows, results, who leaves."""

from __future__ import annotations

from itertools import islice
from typing import Any

from ..games.draw import DRAW
from ..games.game import Game, Move
from ..games.onepoker import ONEPOKER
from ..net.thinking import asks
from ..protocol.envelope import Envelope
from ..protocol.events import (
    Acted,
    CardLaid,
    ClassProven,
    Event,
    Exchanged,
    Expelled,
    HandStarted,
    Left,
    LotOpened,
    Mucked,
    Offered,
    Revealed,
    Shown,
)
from ..protocol.session import Fault, Session
from ..protocol.state import ActionTaken, HandRecord, Phase, State
from ..report.naming import naming, showing
from ..report.onecourse import lamps_text
from ..report.stages import exchange_text
from ..report.text import outcome_lines
from ..report.view import listed
from .scene import board_text, broken, broken_lines, move_text, own_text, shown_text
from .terminal import Terminal


class Screen:
    """Tells whoever sits at the terminal what happens at the table."""

    def __init__(self, terminal: Terminal, session: Session, *, notices: bool, asked: bool = False) -> None:
        """`notices`: tell of connections too. `asked`: it is a person, who is shown the table with each question."""
        self._terminal = terminal
        self._session = session
        self._notices = notices
        self._asked = asked
        self._number = 0
        """The last hand whose start we have told."""

    def told(self, number: int) -> bool:
        """Return whether the hand of this number was told here from its start, and not begun by another process."""
        return self._number == number

    def stepped(self, before: State, envelope: Envelope, after: State) -> None:
        """Tell of a frame, if people want to know: hands, cards, moves, results."""
        event, seat = envelope.event, envelope.header.seat
        say = self._terminal.say
        if isinstance(event, HandStarted):
            self._tell_start(after, event)
        elif isinstance(event, Acted):
            move = Move(name=event.move, amount=event.amount)
            text = move_text(before.agreed.game, before.running.hand, seat, move)
            # A move that ends the hand is in the record of it.
            hand = after.finished if after.play is None else after.play
            stacks = "" if hand is None else self._stacks_text(after, hand.actions[-1])
            say(f"  {self._who(seat)} {text}{stacks}")
        elif isinstance(event, Exchanged):
            say(f"  {self._who(seat)} {exchange_text(len(event.slots))}")
        elif isinstance(event, LotOpened):
            if after.running.hand.priority is not None:
                say(f"  priority: {self._who(after.running.hand.priority)}, by lot; it is dealt, lays and bets first")
        elif isinstance(event, CardLaid):
            say(f"  {self._who(seat)} lays a card face down")
        elif isinstance(event, Mucked):
            say(f"  {self._who(seat)} mucks")
        elif isinstance(event, Shown | Revealed):
            if not self._asks(after):
                self._tell_shown(after, seat)
        elif isinstance(event, Expelled):
            self._tell_gone(before, after)
        elif isinstance(event, Left):
            self._tell_left(after, seat)
        elif isinstance(event, Offered):
            self._tell_order(after)
        if after.play is not None:
            if not self._asks(after):
                self._tell_stage(before, event, after)
            if broken(after.running.hand) and not broken(before.running.hand):
                for line in broken_lines(after.agreed.game, after.running.hand):
                    say(f"  {line}")
        if after.ledger.finished is not before.ledger.finished and after.ledger.finished is not None:
            self._tell_result(before, after, after.ledger.finished)

    def _asks(self, state: State) -> bool:
        """Return whether a question to us comes next: the table above it has the stage, the cards and the lamps."""
        owed = state.owed
        return self._asked and owed is not None and owed.seat == self._session.seat and asks(owed)

    def _tell_stage(self, before: State, event: Event, after: State) -> None:
        """Tell how far the hand is, if it has just got there, and the cards that came with it."""
        if after.agreed.game.name == ONEPOKER.name:
            # The cards wait for the lamps of both, which are there a moment later.
            if isinstance(event, ClassProven) and after.phase is Phase.LAYING:
                self._terminal.say(f"  {self._own_text(after)}")
                self._tell_lamps(after)
            return
        if _dealt(after) and not _dealt(before):
            self._tell_cards(after)
        elif _open(after) > _open(before) and _dealt(before):
            self._tell_board(after)
        if self._has_new_cards(before, after):
            self._terminal.say(f"  new hand: {self._own_text(after)}")
        if _street(after) > _street(before) and before.play is not None:
            self._tell_board(after)

    def refused(self, fault: Fault) -> None:
        """Tell of a broken rule."""
        self._terminal.say(f"  seat {fault.seat} broke a rule: {fault.error}")

    def noticed(self, text: str) -> None:
        """Tell of a connection."""
        if self._notices:
            self._terminal.note(text)

    def _own_text(self, state: State) -> str:
        seat = self._session.seat
        return own_text(state.agreed.game, state.running.hand, 0 if seat is None else seat, self._session.hole())

    def _who(self, seat: int) -> str:
        return f"seat {seat} (you)" if seat == self._session.seat else f"seat {seat}"

    def _stacks_text(self, state: State, taken: ActionTaken) -> str:
        return f", {naming(state.agreed.game.name).stacks} {slashed(taken.stacks)}, pot {taken.pot}"

    def _tell_start(self, state: State, event: HandStarted) -> None:
        self._number = event.number
        count = f"{event.number} of {state.agreed.offer.hands}"
        if state.agreed.game.name != ONEPOKER.name:
            self._terminal.say(f"hand {count}: button seat {event.button}")
            return
        first = "the lot gives the priority" if event.number == 1 else f"{self._who(event.button)} has priority"
        fresh = "; a fresh shoe of 156 cards is shuffled" if state.phase is Phase.SHUFFLING else ""
        self._terminal.say(f"round {count}: one life of each in the pot; {first}{fresh}")

    def _tell_lamps(self, state: State) -> None:
        hand = state.running.hand
        lamps = [f"{self._who(seat)} {lamps_text(each)}" for seat, each in enumerate(hand.lamps)]
        self._terminal.say(f"  lamps: {', '.join(lamps)}")

    def _tell_board(self, state: State) -> None:
        hand = state.running.hand
        self._terminal.say(f"  {board_text(state.agreed.game, hand)}, pot {sum(hand.totals)}")

    def _has_new_cards(self, before: State, after: State) -> bool:
        """Return whether our own exchange has just been dealt. DECK-7."""
        seat = self._session.seat
        if seat is None or before.play is None:
            return False
        game = after.agreed.game
        return game.hole_slots(before.running.hand, seat) != game.hole_slots(after.running.hand, seat)

    def _tell_cards(self, state: State) -> None:
        game, hand = state.agreed.game, state.running.hand
        self._terminal.say(f"  {self._own_text(state)}; {board_text(game, hand)}, pot {sum(hand.totals)}")

    def _tell_order(self, state: State) -> None:
        """Tell a guest for whom it waits: the terms are accepted in the order of the seats."""
        own = self._session.seat
        if own is not None and own > 1:
            before = listed(tuple(range(1, own)))
            self._terminal.say(f"the terms are here; {before} {'is' if own == 2 else 'are'} asked first, then you")

    def _tell_shown(self, state: State, seat: int) -> None:
        """Tell what somebody has shown, when it is shown: the last who does ends the hand with it."""
        game = state.agreed.game
        hand = state.finished.hand if state.play is None and state.finished is not None else state.running.hand
        self._terminal.say(f"  {self._who(seat)} {showing(game)} {shown_text(game, hand, seat)}")

    def _tell_gone(self, before: State, after: State) -> None:
        for seat, gone in enumerate(after.books.gone):
            if gone is not None and before.books.gone[seat] is None:
                self._terminal.say(f"  {self._who(seat)} is expelled")

    def _tell_left(self, state: State, seat: int) -> None:
        """Tell that a seat has left, and if it was ours, what this program is still there for."""
        say, called = self._terminal.say, naming(state.agreed.game.name)
        say(f"{self._who(seat)} leaves the match between two {called.hand}s, with all {called.chips}")
        if seat != self._session.seat or state.phase is Phase.SETTLING:
            return
        if seat == 0:
            say("  the others play on, and reach each other through this program only: let it run until they are done")
        else:
            say("  the others play on without you; end this program, or let it run to have their end on file too")

    def _tell_result(self, before: State, after: State, hand: HandRecord) -> None:
        """Tell how a hand ended, what everybody has won or lost so far, and who is out of chips."""
        say, books = self._terminal.say, after.books
        game, fresh = after.agreed.game, before.play is not None and _count(hand.game, hand.hand) > _open(before)
        if fresh:
            say(f"  fresh deck: {board_text(game, hand.hand)}, pot {sum(hand.hand.totals)}")
        # What was shown is told already, but for what it is worth with cards that came only now.
        for line in islice(outcome_lines(hand), 0 if fresh else len(hand.shown), None):
            say("  " + line.strip())
        called = naming(game.name)
        net = f"  net so far {signed(books.net)}, {called.stacks} {slashed(books.stacks)}"
        own = self._session.seat
        say(net if own is None else f"{net}; you {signed((hand.changes[own],))} in this {called.hand}")
        if not game.carries:
            return

        def dealt_in(chips: int) -> bool:
            return game.can_be_dealt_in(after.agreed.rules, chips)

        for seat, stack in enumerate(books.stacks):
            if books.gone[seat] is None and dealt_in(hand.before[seat]) and not dealt_in(stack):
                few = f"has too few chips for a hand, keeps the {stack}"
                reason = few if stack else f"is out of {called.chips}"
                say(f"  {self._who(seat)} {reason}, and signs the end{_company(books.gone.count(None) - 1)}")


def _company(others: int) -> str:
    """Return with whom of so many others a seat does something."""
    return "" if others < 1 else " with the other" if others == 1 else " with the others"


def _dealt(state: State) -> bool:
    play = state.play
    return play is not None and state.agreed.dealing.complete(play.deal)


def _open(state: State) -> int:
    """Return how many common cards are open in the running hand."""
    if state.play is None:
        return 0
    return _count(state.agreed.game, state.play.hand)


def _street(state: State) -> int:
    """Return how many rounds of betting the running hand has behind it, where they are not told by common cards."""
    play = state.play
    return play.hand.street if play is not None and state.agreed.game.name == DRAW.name else 0


def _count(game: Game, hand: Any) -> int:
    return sum([hand.cards[slot] is not None for slot in game.board_slots(hand)])


def slashed(numbers: tuple[int, ...]) -> str:
    """Return numbers by seat."""
    return "/".join([str(number) for number in numbers])


def signed(numbers: tuple[int, ...]) -> str:
    """Return gains and losses by seat."""
    return "/".join([f"{number:+d}" if number else "0" for number in numbers])
