"""What a person types for a move: by name, with the amount if it has one, or with what the screen says that it pays."""

from __future__ import annotations

from functools import cache

import pytest

from dealerless.cli.person import Person
from dealerless.cli.terminal import Terminal
from dealerless.games.game import Move
from dealerless.players.player import SeatView, seat_view
from dealerless.protocol.events import Acted, Offered
from dealerless.protocol.limits import MAX_CHIPS
from dealerless.protocol.state import Phase
from tests.matches import Match, draw_offer, hex_offer, holdem_offer, one_offer


@cache
def asked(offer: Offered, *before: tuple[str, int]) -> SeatView:
    """What the seat sees that is to move after the moves `before`."""
    match = Match(offer).until(Phase.BETTING)
    for name, amount in before:
        match.say(match.owing, Acted(move=name, amount=amount))
    return seat_view(match.sessions[match.owing])


def typed(view: SeatView, *lines: str) -> tuple[Move, str]:
    """The move that comes of these lines, and what the person read on the way."""
    terminal, left = Terminal(), iter(lines)
    said: list[str] = []
    terminal.forget_typed = lambda: None  # type: ignore[method-assign]
    terminal.ask = lambda prompt: next(left)  # type: ignore[method-assign]
    terminal.say = said.append  # type: ignore[method-assign, assignment]
    move = Person(terminal).decide(view)
    assert next(left, None) is None
    return move, "\n".join(said)


OWED = asked(draw_offer(amounts=(10, 20), raises=3), ("BET", 0))
"""Fixed amounts: a bet of 10 is owed, a raise pays 20."""


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("call", "CALL"),
        ("CALL 10", "CALL"),
        ("raise", "RAISE"),
        ("raise 20", "RAISE"),
        ("fold", "FOLD"),
        ("fold 0", "FOLD"),
    ],
)
def test_a_fixed_move_may_be_typed_with_what_it_pays(line: str, move: str) -> None:
    """BET-1: the screen says `RAISE (pays 20)`, and what it says can be typed."""
    assert "  RAISE (pays 20)" in typed(OWED, line)[1].replace(", ", "  ")
    assert typed(OWED, line)[0] == Move(name=move, amount=0)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("raise 10", "RAISE takes no number, it pays 20 [bet.wrong-amount, BET-1]: 10"),
        ("call 0", "CALL takes no number, it pays 10 [bet.wrong-amount, BET-1]: 0"),
        ("fold 10", "FOLD takes no number, it pays nothing [bet.wrong-amount, BET-1]: 10"),
        ("raise to 20", "type a move, which takes no number here: for example call; or help, table, leave, quit"),
        ("raise 1 2", "type a move, which takes no number here: for example call; or help, table, leave, quit"),
    ],
)
def test_any_other_number_is_refused_with_what_it_pays(line: str, said: str) -> None:
    move, out = typed(OWED, line, "call")
    assert move == Move(name="CALL", amount=0)
    assert f"{said}\n" in out


def test_the_example_can_be_typed_in_every_structure() -> None:
    """BET-1: what the hint names is a move that is legal now, with its least amount where it has one."""
    views = [
        OWED,
        asked(draw_offer()),
        asked(hex_offer("example", depth=10)),
        asked(holdem_offer()),
        asked(holdem_offer(structure="limit")),
        asked(holdem_offer(), ("RAISE", 6)),
    ]
    seen = set()
    for view in views:
        out = typed(view, "a b c", view.legal[0].name)[1]
        example = out.rpartition("for example ")[2].partition(";")[0]
        seen.add(example)
        name, _, amount = example.partition(" ")
        move = typed(view, example)[0]
        assert move == Move(name=name.upper(), amount=int(amount or 0))
        assert view.refusal(move) is None
    assert len(seen) > 2


@pytest.mark.parametrize("line", ["allin", "ALL-IN", "all in", "all_in", "allin 100"])
def test_whoever_types_all_in_is_told_how(line: str) -> None:
    """BET-1: it is no move but in hex, where it has one spelling; the way told is a move that is legal now."""
    for view, way in (
        (asked(holdem_offer()), "raise 100"),
        (asked(holdem_offer(), ("CALL", 0)), "raise 100"),
        (asked(one_offer()), "bet 9"),
    ):
        move, out = typed(view, line, way)
        assert f"  refused, nothing lost: there is no move of this name: {line}\n" in out
        assert f"  the most that you can put in: {way}\n" in out
        assert view.refusal(move) is None
        assert move.amount == max(option.most for option in view.legal)
    for view in (OWED, asked(holdem_offer(structure="limit")), asked(holdem_offer(), ("RAISE", 100))):
        out = typed(view, line, "call")[1]
        assert "  whoever has no more than a move pays is all-in by it: each takes at most what you have\n" in out
    out = typed(asked(one_offer(), ("BET", 9)), line, "call")[1]
    assert "all-in by it" not in out
    view = asked(hex_offer("to", depth=10))
    out = typed(view, line, *([] if line.startswith("allin") else ["allin"]))[1]
    assert ("  the move is spelled allin\n" in out) == (not line.startswith("allin"))


def test_a_word_too_many_is_told_as_one() -> None:
    """A move of this name there is: what is wrong is what stands behind it."""
    view = asked(holdem_offer())
    for line in ("raise 5 5", "raise to 5 5", "call 1 1"):
        out = typed(view, line, "call")[1]
        assert "  refused, nothing lost: a move is its name and at most one number: " in out
    assert "there is no move of this name: a b c\n" in typed(view, "a b c", "call")[1]


def test_a_level_may_be_typed_with_to_where_amounts_are_levels() -> None:
    """BET-3: no-limit raises are to a level; in hex a bet puts in, and `to` means nothing there."""
    assert typed(asked(holdem_offer()), "raise to 6")[0] == Move(name="RAISE", amount=6)
    out = typed(asked(hex_offer("to", depth=10)), "bet to 2", "check")[1]
    assert "  refused, nothing lost: " in out


@pytest.mark.parametrize(
    ("amount", "said"),
    [
        ("9" * 16, " [bet."),
        ("9" * 17, f"an amount has at most {len(str(MAX_CHIPS))} digits: {'9' * 17}"),
        ("0" * 300, f"an amount has at most {len(str(MAX_CHIPS))} digits: {'0' * 40}"),
        ("+" + "9" * 20, "an amount is digits 0-9 only: +9"),
        ("\u0661" * 20, "an amount is digits 0-9 only: "),
    ],
)
def test_a_long_number_is_not_told_to_be_none(amount: str, said: str) -> None:
    """ENC-6: what is wrong with it is its length."""
    view = asked(hex_offer("to", depth=10))
    move, out = typed(view, f"bet {amount}", "check")
    assert move == Move(name="CHECK", amount=0)
    (refusal,) = [line for line in out.splitlines() if "refused, nothing lost: " in line]
    assert said in refusal
