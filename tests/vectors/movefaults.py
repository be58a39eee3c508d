"""Transcripts in which a seat bets, shows or settles against the rules (HEX, SHOW, CHAIN-3)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dealerless.protocol.events import (
    Acted,
    Mucked,
    Settled,
    Shown,
)

from .entries import fault
from .scribe import Scribe, fixed, settled_once

# --- betting and showing --------------------------------------------------------------------------------------


def _move(
    name: str, code: str, clause: str, seat: int, about: str, before: str, move: str, amount: int, depth: int = 5
) -> None:
    def write() -> Scribe:
        return Scribe(name, depth=depth).due().play(before).wrong(seat, Acted(move=move, amount=amount))

    fault(name, code, clause, seat, about, write)


_move("bet_wrong-amount-call-short", "bet.wrong-amount", "HEX-6", 0, "A call of 9 where 10 is owed.", "BET", "CALL", 9)
_move("bet_wrong-amount-bet", "bet.wrong-amount", "HEX-6", 1, "A bet of two bets.", "", "BET", 20)
_move("bet_wrong-amount-negative", "bet.wrong-amount", "HEX-6", 1, "A bet of less than nothing.", "", "BET", -10)
_move("bet_wrong-amount-check", "bet.wrong-amount", "HEX-6", 1, "A check that puts in 10.", "", "CHECK", 10)
_move("bet_wrong-amount-allin", "bet.wrong-amount", "HEX-6", 1, "An all-in of less than the stack.", "", "ALLIN", 40)
_move("bet_over-stack", "bet.over-stack", "HEX-6", 1, "An all-in of more than the stack.", "", "ALLIN", 60)
_move("bet_over-stack-raise", "bet.over-stack", "HEX-6", 0, "A raise of 20 with 10 left.", "BET", "RAISE", 20, depth=1)
_move("bet_chips-owed", "bet.chips-owed", "HEX-6", 0, "A check while 10 is owed.", "BET", "CHECK", 0)
_move("bet_chips-owed-bet", "bet.chips-owed", "HEX-6", 0, "A bet where only a raise can be.", "BET", "BET", 10)
_move("bet_nothing-owed", "bet.nothing-owed", "HEX-6", 0, "A fold with nothing owed.", "CHECK", "FOLD", 0)
_move("bet_nothing-owed-call", "bet.nothing-owed", "HEX-6", 1, "A call as the first move.", "", "CALL", 10)
_move("bet_nothing-owed-raise", "bet.nothing-owed", "HEX-6", 1, "A raise after a call.", "BET CALL", "RAISE", 20)
_move("bet_not-a-move", "bet.not-a-move", "HEX-6", 1, "There is no straddle.", "", "STRADDLE", 20)
_move("bet_not-a-move-lower-case", "bet.not-a-move", "HEX-6", 1, "Moves are in upper case.", "", "check", 0)
_move("bet_not-allowed-call", "bet.not-allowed", "HEX-7", 0, "A call after an all-in.", "ALLIN", "CALL", 50)
_move(
    "bet_not-allowed-raise",
    "bet.not-allowed",
    "HEX-7",
    1,
    "A raise after an all-in.",
    "BET ALLIN",
    "RAISE",
    20,
    depth=2,
)
fault(
    "show_may-not-muck",
    "show.may-not-muck",
    "SHOW-2",
    1,
    "The first shower mucks.",
    lambda: Scribe("muck first", show="muck").due().play("CHECK CHECK").wrong(1, Mucked()),
)
fault(
    "show_may-not-muck-rule",
    "show.may-not-muck",
    "SHOW-2",
    0,
    "The second shower mucks under the rule all.",
    lambda: (
        (s := Scribe("muck under all").due().play("CHECK CHECK"))
        .say(1, Shown(seed=s.seed(1, "hole")))
        .wrong(0, Mucked())
    ),
)
fault(
    "show_may-not-muck-all-in",
    "show.may-not-muck",
    "SHOW-2",
    0,
    "The second shower mucks although stacks are empty.",
    lambda: (
        (s := Scribe("muck all-in", show="muck", depth=1).due().play("BET CALL"))
        .say(1, Shown(seed=s.seed(1, "hole")))
        .wrong(0, Mucked())
    ),
)
fault(
    "show_not-yours",
    "turn.not-yours",
    "CHAIN-1",
    0,
    "The second shower shows first.",
    lambda: (s := Scribe("show second").due().play("CHECK CHECK")).wrong(0, Shown(seed=s.seed(0, "hole"))),
)


# --- settlement -----------------------------------------------------------------------------------------------


def _settlement(name: str, about: str, **changes: Any) -> None:
    def write() -> Scribe:
        scribe = Scribe(name).due().play("BET FOLD")
        event = scribe.owed_event(0, Settled)
        assert isinstance(event, Settled)
        return scribe.wrong(0, replace(event, **changes))

    fault(name, "settle.wrong", "CHAIN-3", 0, about, write)


_settlement("settle_wrong-stacks", "A settlement that moves a chip.", stacks=(51, 69))
_settlement("settle_wrong-net", "A settlement with another net.", net=(0, 0))
_settlement("settle_wrong-head", "A settlement of another end.", head=fixed("another end"))
fault(
    "settle_wrong-second",
    "settle.wrong",
    "CHAIN-3",
    1,
    "The second settlement names the first one as the end.",
    lambda: (s := settled_once(Scribe("second settlement").due().play("BET FOLD"))).wrong(
        1, Settled(head=s.state.head, stacks=s.state.books.stacks, net=s.state.books.net)
    ),
)
