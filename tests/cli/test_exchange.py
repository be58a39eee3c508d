"""Five-card draw at the terminal: what is asked and refused at an exchange, and what is told of others."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from dealerless.cli.person import Person
from dealerless.cli.scene import table_lines, undealt_text
from dealerless.cli.screen import Screen
from dealerless.cli.terminal import Terminal
from dealerless.errors import TransportError
from dealerless.games.draw import DRAW
from dealerless.games.game import Discard
from dealerless.players.player import SeatView, seat_view
from dealerless.protocol.envelope import decode_body
from dealerless.protocol.events import Acted, Event, Exchanged
from dealerless.protocol.records import decode_frame
from dealerless.protocol.state import Phase
from tests.matches import Match, draw_offer, named


class Watched(Match):
    """A match with somebody at the terminal of seat 1."""

    def __init__(self, match: Match) -> None:
        self.__dict__.update(match.__dict__)
        self.screen = Screen(Terminal(), self.sessions[1], notices=False)

    def say(self, seat: int, event: Event) -> bytes:
        before = self.sessions[1].state
        frame = super().say(seat, event)
        self.screen.stepped(before, decode_body(decode_frame(frame)[0]), self.sessions[1].state)
        return frame


def at_exchange() -> Match:
    """Three seats, nobody has bet; seat 1, left of the button, is to exchange."""
    match = Match(draw_offer("exchange", stack=60), "exchange").until(Phase.EXCHANGING)
    assert match.owing == 1
    return match


WAITING = cache(at_exchange)
"""The same, once for all tests that only ask."""


def answers(monkeypatch: pytest.MonkeyPatch, *typed: str) -> tuple[Person, list[str]]:
    """A person who types these lines, and the prompts that it is asked with."""
    terminal, lines, asked = Terminal(), iter(typed), list[str]()

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return next(lines)

    monkeypatch.setattr(terminal, "forget_typed", lambda: None)
    monkeypatch.setattr(terminal, "ask", ask)
    return Person(terminal), asked


def view_of(match: Match, left: Callable[[], int | None] = lambda: None) -> SeatView:
    return seat_view(match.sessions[1], left)


@pytest.mark.parametrize(
    ("typed", "places"),
    [("2 5", (1, 4)), ("5,2", (1, 4)), (" 1, 3 ,4 ", (0, 2, 3)), ("", ()), ("none", ()), ("NONE", ()), ("4", (3,))],
)
def test_cards_are_named_by_their_numbers(
    typed: str, places: tuple[int, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """DRAW-10, DECK-7: from 1 as they are shown; what is signed are their slots, in order."""
    match = WAITING()
    view = view_of(match)
    person, asked = answers(monkeypatch, typed)
    slots = person.exchanges(view)
    held = DRAW.hole_slots(view.hand, 1)
    assert slots == tuple(held[place] for place in places)
    assert DRAW.check(view.hand, 1, Discard(slots=slots)) is None
    assert asked == ["  exchange which (numbers, at most 3; enter or 'none' keeps all)> "]
    shown = "  ".join(f"{number}:{DRAW.card_text(card)}" for number, card in enumerate(view.hole, 1))
    assert f"  your cards {shown}: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("typed", "refusal"),
    [
        ("1 2 3 4", "at most 3 cards can be exchanged [exchange.too-many, DRAW-2]: 1 2 3 4"),
        ("6", "the cards are 1 to 5 [exchange.not-held, DECK-7]: 6"),
        ("0", "the cards are 1 to 5 [exchange.not-held, DECK-7]: 0"),
        ("2 2", "name each card once [exchange.unordered, DRAW-10]: 2 2"),
        ("-1", "these are no numbers of cards: -1"),
        ("\u0661", "these are no numbers of cards: \u0661"),
        ("check", "these are no numbers of cards: check"),
        ("none 1", "these are no numbers of cards: none 1"),
        ("9" * 30, f"these are no numbers of cards: {'9' * 30}"),
    ],
)
def test_what_is_no_exchange_is_refused_by_its_rule_and_costs_nothing(
    typed: str, refusal: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    match = WAITING()
    person, asked = answers(monkeypatch, typed, "")
    assert person.exchanges(view_of(match)) == ()
    assert len(asked) == 2
    assert f"  refused, nothing lost: {refusal}\n" in capsys.readouterr().out


def test_help_table_leave_and_quit_are_as_elsewhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """CHAIN-5, VERDICT-6: and the prompt has the time."""
    match, left = WAITING(), iter(range(40, 0, -1))
    person, asked = answers(monkeypatch, "help", "table", "leave", "stay", "quit")
    with pytest.raises(TransportError, match=r"transport\.left"):
        person.exchanges(view_of(match, lambda: next(left)))
    assert asked[-1] == "  exchange which (numbers, at most 3; enter or 'none' keeps all) (36 s left)> "
    out = capsys.readouterr().out
    assert "  type the numbers of the cards to give up, none to 3 of them: 2 5, or 2,5; all at once\n" in out
    assert "  the rules: dealerless rules draw\n" in out
    assert out.count("  exchange, pot 3; hand 1 of 1\n") == 2
    assert "  you stay\n" in out


def test_the_screen_tells_how_many_and_the_own_new_hand(capsys: pytest.CaptureFixture[str]) -> None:
    """DRAW-2, DRAW-10: others by their number, never by their cards; our own as soon as they are dealt."""
    match = Watched(at_exchange())
    capsys.readouterr()
    before = match.sessions[1].hole()
    held = DRAW.hole_slots(match.state.running.hand, 1)
    match.say(1, Exchanged(slots=held[:2]))
    match.until(Phase.EXCHANGING)
    own = match.sessions[1].hole()
    assert own[:3] == before[2:]
    match.say(2, Exchanged(slots=DRAW.hole_slots(match.state.running.hand, 2)[:3]))
    match.until(Phase.EXCHANGING)
    match.say(0, Exchanged(slots=()))
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "seat" in line] == [
        "  seat 1 (you) exchanges 2 cards",
        "  seat 2 exchanges 3 cards",
        "  seat 0 keeps all its cards",
    ]
    (new,) = [line for line in lines if "new hand" in line]
    assert new.startswith("  new hand: your cards " + " ".join(map(DRAW.card_text, own)) + ": ")
    assert lines.index(new) < lines.index("  seat 2 exchanges 3 cards")
    assert lines[-1] == "  after the exchange, pot 3"
    table = list(table_lines(view_of(match)))
    assert table[0] == f"after the exchange, pot 3; hand 1 of {match.state.agreed.offer.hands}"
    assert [line.split("net 0")[1].strip() for line in table[2:5]] == [
        "button, exchanged none",
        "exchanged 2",
        "exchanged 3",
    ]


def test_an_exchange_that_cannot_be_dealt_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """VERDICT-4c: nobody exchanges any more, betting is over, and who does not show gives up the pot."""
    match = at_exchange()
    watched = Watched(match)
    watched.say(1, Exchanged(slots=DRAW.hole_slots(match.state.running.hand, 1)[:1]))
    gone = watched.owing
    capsys.readouterr()
    watched.cheat(gone, watched.forge(gone, Acted(move="CHECK", amount=0)))
    watched.until(Phase.SHOWING)
    lines = capsys.readouterr().out.splitlines()
    assert "  no more cards can be exchanged; betting is over" in lines
    assert "  all still in show; who does not show gives up the pot" in lines
    assert not any("new hand" in line or "common" in line for line in lines)


def test_a_seat_with_too_few_chips_for_a_hand_is_told_so(capsys: pytest.CaptureFixture[str]) -> None:
    """DRAW-7: with the all-in mode off it keeps what it has, and is dealt in no more."""
    offer = draw_offer("few", seats=3, hands=2, allin=False, stack=81)
    match = Watched(Match(offer, "few").until(Phase.BETTING))
    match.until(Phase.SETTLING, choose=named("BET CALL CALL CHECK CHECK CHECK"))
    out = capsys.readouterr().out
    stacks = match.state.books.stacks
    few = [seat for seat, stack in enumerate(stacks) if 0 < stack < 81]
    assert few
    for seat in few:
        who = f"seat {seat}{' (you)' if seat == 1 else ''}"
        assert (
            f"  {who} has too few chips for a hand, keeps the {stacks[seat]}, and signs the end with the others\n"
            in out
        )
    assert (undealt_text(70), undealt_text(0)) == ("too few chips for a hand", "out of chips")
