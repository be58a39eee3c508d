"""What a person at the table reads of others: shows and mucks as they come, a hand that goes on without a seat."""

from __future__ import annotations

import pytest

from dealerless.cli.person import Person
from dealerless.cli.screen import Screen
from dealerless.cli.table import _late_text
from dealerless.cli.terminal import Terminal
from dealerless.errors import TransportError
from dealerless.players.player import seat_view
from dealerless.protocol.envelope import decode_body
from dealerless.protocol.events import Acted, Event, Mucked
from dealerless.protocol.records import decode_frame
from dealerless.protocol.state import Phase
from tests.matches import Match, hex_offer, holdem_offer

STACK = 30


class Watched(Match):
    """A match with somebody at the terminal of one seat."""

    def watch(self, seat: int, terminal: Terminal) -> Watched:
        self.screen, self.watched = Screen(terminal, self.sessions[seat], notices=False), seat
        return self

    def say(self, seat: int, event: Event) -> bytes:
        session = self.sessions[getattr(self, "watched", 0)]
        before = session.state
        frame = super().say(seat, event)
        if hasattr(self, "screen"):
            self.screen.stepped(before, decode_body(decode_frame(frame)[0]), session.state)
        return frame


def walked_out() -> Watched:
    """Three at the flop, one of whom breaks a rule there; the two others have to show or to concede."""
    match = Watched(holdem_offer(seats=3, stack=STACK))
    match.until(Phase.BETTING)
    while match.state.running.hand.cards[6] is None:
        match.turn()
    match.until(Phase.BETTING)
    gone = match.owing
    match.watch((gone + 1) % 3, Terminal())
    match.cheat(gone, match.forge(gone, Acted(move="RAISE", amount=-1)))
    return match


def test_a_board_from_a_fresh_deck_is_told_before_who_wins(capsys: pytest.CaptureFixture[str]) -> None:
    """VERDICT-4c: why betting stops, how many cards are to come and what for, then the cards, then the winner."""
    match = walked_out().until(Phase.SHOWING)
    lines = capsys.readouterr().out.splitlines()
    assert lines.index("  the cards to come cannot be opened any more; betting is over") < lines.index(
        "  2 common cards are still to come from a fresh deck, once two or more have shown; "
        "who does not show gives up the pot"
    )
    match.until(Phase.SETTLING)
    record = match.state.finished
    assert record is not None
    lines = capsys.readouterr().out.splitlines()
    assert not [line for line in lines if line.startswith("  your cards ")]
    (board,) = [place for place, line in enumerate(lines) if line.startswith("  fresh deck: river ")]
    assert all(card in lines[board] for card in record.board if card is not None)
    (won,) = [place for place, line in enumerate(lines) if " wins" in line or " split" in line]
    assert board < won
    for seat in record.hand.shown:
        first, again = [
            place
            for place, line in enumerate(lines)
            if line.startswith("  seat") and " shows " in line and line.split()[1] == str(seat)
        ]
        assert first < board < again < won


def test_who_concedes_is_told_in_the_order_of_the_chain(capsys: pytest.CaptureFixture[str]) -> None:
    """VERDICT-4c: one shows and the other gives up; no card comes any more, and none is told of."""
    match = walked_out().until(Phase.SHOWING)
    first = match.owing
    match.turn()
    second = match.owing
    match.say(second, Mucked())
    match.until(Phase.SETTLING)
    lines = [line.replace(" (you)", "") for line in capsys.readouterr().out.splitlines()]
    (shown,) = [place for place, line in enumerate(lines) if line.startswith(f"  seat {first} shows ")]
    assert shown < lines.index(f"  seat {second} mucks")
    assert not [line for line in lines if "fresh deck: " in line]


def test_a_show_is_told_once_in_a_whole_hand(capsys: pytest.CaptureFixture[str]) -> None:
    """SHOW-1: also where the last one to show ends the hand with it, in both ways to deal."""
    for offer in (hex_offer(), holdem_offer(seats=3, stack=STACK)):
        match = Watched(offer)
        match.watch(1, Terminal()).until(Phase.SETTLING)
        record = match.state.finished
        assert record is not None
        shows = [line.split()[1] for line in capsys.readouterr().out.splitlines() if " shows " in line]
        hands = match.state.books.number
        assert len(shows) >= len(record.shown) * (hands == 1)
        assert shows[len(shows) - len(record.shown) :] == [str(seat) for seat, _ in record.shown]


@pytest.mark.parametrize(
    ("own", "told"),
    [(1, ""), (2, "seat 1 is asked first, then you"), (3, "seats 1 and 2 are asked first, then you")],
)
def test_a_guest_hears_for_whom_it_waits(own: int, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    """CHAIN-1: the terms are accepted in the order of the seats."""
    match = Match(holdem_offer(seats=4, stack=STACK))
    session = match.sessions[own]
    offered = decode_body(decode_frame(match.frames[0])[0])
    Screen(Terminal(), session, notices=True).stepped(session.state, offered, session.state)
    assert capsys.readouterr().out == (f"the terms are here; {told}\n" if told else "")


def test_the_question_to_show_has_the_time_and_what_is_to_come(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """SHOW-2, VERDICT-6: silence costs the pot and the match here too; the time is that of each asking."""
    match = walked_out().until(Phase.SHOWING)
    seat, left = match.owing, iter((31, 30))
    session = match.sessions[seat]
    view = seat_view(session, lambda: next(left))
    person = Person(terminal := Terminal())
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return "?" if len(asked) == 1 else "y"

    monkeypatch.setattr(terminal, "forget_typed", lambda: None)
    monkeypatch.setattr(terminal, "ask", answer)
    assert person.shows(view)
    what = "  Show your cards? If not, the pot is given up. 2 common cards are still to come from a fresh deck."
    assert asked == [f"{what} (31 s left) [y/n] ", f"{what} (30 s left) [y/n] "]


def test_all_that_can_be_typed_can_be_typed_when_asked_to_show(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """SHOW-2, VERDICT-6: help, table and leave are no answer, and the own cards are there with each asking."""
    match = walked_out().until(Phase.SHOWING)
    view = seat_view(match.sessions[match.owing])
    person = Person(terminal := Terminal())
    typed = iter(["help", "table", "", "maybe", "leave", "stay", "YES"])
    monkeypatch.setattr(terminal, "forget_typed", lambda: None)
    monkeypatch.setattr(terminal, "ask", lambda prompt: next(typed))
    assert person.shows(view)
    out = capsys.readouterr().out
    assert "  y shows your cards to all" in out
    assert out.count("  type y or n; or help, table, leave, quit\n") == 2
    assert "  you stay\n" in out
    # With the table, at first and on demand, and with each question that does not come right after one: five of seven.
    assert out.count("  your cards ") == 7
    typed = iter(["no"])
    assert not person.shows(view)
    typed = iter(["quit"])
    with pytest.raises(TransportError, match=r"transport\.left"):
        person.shows(view)


def test_one_or_several_who_were_late() -> None:
    assert _late_text(["seat 1"]) == "seat 1 let the time run out, as the witnesses say, and was"
    assert _late_text(["seat 2", "seat 1 (you)"]) == (
        "seat 2 and seat 1 (you) let the time run out, as the witnesses say, and were"
    )
