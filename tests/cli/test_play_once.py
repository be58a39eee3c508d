"""What a person reads who plays: the table above a question says stage and cards, and nothing does just before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from dealerless.cli.person import Person
from dealerless.cli.scene import table_lines
from dealerless.cli.screen import Screen
from dealerless.cli.terminal import Terminal
from dealerless.games.game import Option
from dealerless.net.thinking import asks
from dealerless.players.player import seat_view
from dealerless.protocol.envelope import decode_body
from dealerless.protocol.events import Acted, Event, Offered
from dealerless.protocol.records import decode_frame
from dealerless.protocol.state import Phase, State
from tests.matches import Match, draw_offer, hex_offer, holdem_offer, one_offer

OWN = 1


def in_view(match: Match) -> list[str]:
    """The table as our seat sees it."""
    return [*table_lines(seat_view(match.sessions[OWN]))]


GAMES: dict[str, Callable[[], Offered]] = {
    "hex": lambda: hex_offer("once", hands=2),
    "holdem": lambda: holdem_offer("once", seats=3, hands=2),
    "draw": lambda: draw_offer("once", hands=2),
    "onepoker": lambda: one_offer("once", rounds=3),
}


class Heard(Match):
    """A match with a screen at a seat, for a person or for a computer player; `last` is what came with each message."""

    def sit(self, *, asked: bool) -> Heard:
        self.screen = Screen(Terminal(), self.sessions[OWN], notices=False, asked=asked)
        return self

    def say(self, seat: int, event: Event) -> bytes:
        session = self.sessions[OWN]
        before = session.state
        frame = super().say(seat, event)
        if hasattr(self, "screen"):
            self.screen.stepped(before, decode_body(decode_frame(frame)[0]), session.state)
        return frame


def heard(game: str, capsys: pytest.CaptureFixture[str], *, asked: bool) -> Iterator[tuple[list[str], list[str]]]:
    """Yield, for each message of a match, the lines that came with it, and those of the table if a question follows."""
    match = Heard(GAMES[game](), "once").sit(asked=asked)
    while match.state.phase is not Phase.OVER:
        capsys.readouterr()
        match.turn()
        lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
        own = match.sessions[OWN]
        yield lines, in_view(match) if asks(own.owed) else []


def pieces(line: str) -> set[str]:
    """The parts of a line that say the cards or how far the hand is."""
    stages = ("your cards", "common", "before the", "after the", "flop", "turn", "river", "exchange,", "priority seat")
    return {part for part in line.replace("; ", ", pot").split(", pot") if part.startswith(stages)}


@pytest.mark.parametrize("game", GAMES)
def test_what_the_table_says_is_not_said_just_before_it(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    questions = 0
    for lines, table in heard(game, capsys, asked=True):
        said = {piece for line in lines for piece in pieces(line.removeprefix("new hand: "))}
        shown = {piece for line in table for piece in pieces(line)}
        assert not said & shown
        assert not (table and [line for line in lines if line.startswith(("lamps", "new hand"))])
        questions += bool(table)
    assert questions >= 2


@pytest.mark.parametrize("game", GAMES)
def test_who_is_not_asked_is_told_cards_and_stages(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A computer player plays for us: no table is shown, so what happens is all that there is to read."""
    told = [line for lines, _ in heard(game, capsys, asked=False) for line in lines]
    assert len([line for line in told if "your cards" in line]) >= 2
    stages = {"holdem": "flop ", "draw": "after the exchange, pot", "onepoker": "lamps: ", "hex": "your cards "}
    assert len([line for line in told if line.startswith(stages[game])]) >= 2


def test_the_cards_to_exchange_are_numbered_where_the_table_has_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """DRAW-10: once before the first answer, and again with each asking that the table does not stand above."""
    match = Match(draw_offer("once"), "once").until(Phase.EXCHANGING).until_owing(OWN)
    typed = iter(["table", "6", "none"])
    person = Person(terminal := Terminal())
    monkeypatch.setattr(terminal, "forget_typed", lambda: None)
    said: list[int] = []

    def ask(prompt: str) -> str:
        said.append(capsys.readouterr().out.count("  your cards 1:"))
        return next(typed)

    monkeypatch.setattr(terminal, "ask", ask)
    assert person.exchanges(seat_view(match.sessions[OWN])) == ()
    assert said == [1, 1, 1]


def test_what_others_have_shown_is_in_the_table_above_the_question_to_show(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """SHOW-2: the one who shows just before we are asked is told of there, and not once more before it."""
    match = Heard(holdem_offer("shown", hands=2, show="muck"), "shown")
    match.play_to_hand(2)
    match.sit(asked=True)
    while not (match.state.phase is Phase.SHOWING and match.owing == OWN):
        capsys.readouterr()
        match.turn()
    assert match.state.running.hand.shown == (0,)
    monkeypatch.setattr(terminal := Terminal(), "forget_typed", lambda: None)
    monkeypatch.setattr(terminal, "ask", lambda prompt: "n")
    assert not Person(terminal).shows(seat_view(match.sessions[OWN]))
    out = capsys.readouterr().out
    assert out.count("seat 0 shows ") == 1
    assert out.count("  your cards ") == 1


@pytest.mark.parametrize("game", ["hex", "holdem", "draw"])
def test_a_fold_that_ends_the_hand_has_the_stacks_and_the_pot(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    """As every other move: chips that nobody called are back, and the pot is not paid yet."""

    def folds(state: State, options: tuple[Option, ...]) -> Event:
        names = [option.name for option in options]
        option = options[names.index("FOLD" if "FOLD" in names else "BET")]
        return Acted(move=option.name, amount=option.least)

    match = Heard(GAMES[game](), "once").sit(asked=True)
    while match.state.finished is None:
        match.turn(folds)
    (*_, last) = [line for line in capsys.readouterr().out.splitlines() if " FOLD" in line]
    action = match.state.finished.actions[-1]
    stacks = "/".join(str(stack) for stack in action.stacks)
    assert last.endswith(f" FOLD, stacks {stacks}, pot {action.pot}")


def test_cards_are_told_at_once_where_others_move_first(capsys: pytest.CaptureFixture[str]) -> None:
    before = [lines for lines, table in heard("draw", capsys, asked=True) if not table]
    assert [line for lines in before for line in lines if line.startswith("your cards ")]
