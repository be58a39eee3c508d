"""Cheats with moves: amounts that are not there, moves that the rules do not have here, and speaking out of turn."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ..protocol.events import Acted, HandStarted, Left, SeedsCommitted, Shown
from .cheats_deck import HEADS_UP, THREE
from .staging import BET, Cheat, Setting, Staging


def _move(
    name: str,
    title: str,
    hope: str,
    code: str,
    clause: str,
    *,
    before: str,
    move: str,
    amount: int = 0,
    depth: int = 5,
    setting: Setting | None = None,
) -> Cheat:
    """Return the story in which the cheat, to act after the moves `before`, makes one that is not legal.

    Hex with `depth` where no other setting is named; then the cheat is seat 1.
    """

    def act(staging: Staging) -> None:
        staging.play(before)
        staging.forges(Acted(move=move, amount=amount))

    chosen = Setting(depth=depth) if setting is None else setting
    return Cheat(name=name, title=title, hope=hope, code=code, clause=clause, act=act, setting=chosen)


def _out_of_turn(staging: Staging) -> None:
    staging.play("BET")
    staging.forges(Acted(move="ALLIN", amount=40))


def _skipped_dealing(staging: Staging) -> None:
    staging.play(until=SeedsCommitted, by=1)
    staging.forges(Acted(move="BET", amount=BET))


def _skipped_showdown(staging: Staging) -> None:
    staging.play("CHECK CHECK", until=Shown, by=1)
    books = staging.forger.state.books
    staging.forges(HandStarted(number=2, button=1, stacks=books.stacks, net=books.net))


def _walk_out(staging: Staging) -> None:
    staging.play("CHECK BET")
    staging.forges(Left())


def _new_terms(staging: Staging) -> None:
    staging.play("CHECK CHECK", until=Shown, by=1)
    bet, depth, show = 10 * BET, staging.setting.depth, staging.setting.show
    staging.forges(replace(staging.offer, rules=(bet, depth, show), nonce=staging.random(32)))


def _one_more_hand(staging: Staging) -> None:
    staging.play("CHECK BET FOLD")
    books = staging.forger.state.books
    staging.forges(HandStarted(number=2, button=1, stacks=(60, 60), net=books.net))


MOVES: Final = (
    _move(
        "short-call",
        "A caller puts in one chip less than it owes",
        "To see the showdown for less. Whoever adds up the pot by hand may not notice.",
        "bet.wrong-amount",
        "HEX-6",
        before="CHECK BET",
        move="CALL",
        amount=BET - 1,
    ),
    _move(
        "double-bet",
        "A player bets twice what the terms allow",
        "To frighten the other out of the pot with more than it had agreed to play for.",
        "bet.wrong-amount",
        "HEX-6",
        before="",
        move="BET",
        amount=2 * BET,
    ),
    _move(
        "negative-bet",
        "A player bets less than nothing",
        "A program that only subtracts the bet from the stack gives it the chips.",
        "bet.wrong-amount",
        "HEX-6",
        before="",
        move="BET",
        amount=-BET,
    ),
    _move(
        "overbet",
        "A player goes all-in with more than it has",
        "The other is to fold to chips that do not exist, or the winner is to be paid from them.",
        "bet.over-stack",
        "HEX-6",
        before="",
        move="ALLIN",
        amount=60,
    ),
    _move(
        "chips-held-back",
        "A player goes all-in and keeps ten chips back",
        "All-in means that nothing more can be lost; ten chips are to be safe even if the hand is.",
        "bet.wrong-amount",
        "HEX-6",
        before="",
        move="ALLIN",
        amount=40,
    ),
    _move(
        "check-when-owing",
        "A player who is bet at checks",
        "To stay in the hand without answering the bet.",
        "bet.chips-owed",
        "HEX-6",
        before="CHECK BET",
        move="CHECK",
    ),
    _move(
        "fold-owing-nothing",
        "A player folds when nothing is owed",
        "To be rid of the hand without ever showing it, where the rules would have it go on.",
        "bet.nothing-owed",
        "HEX-6",
        before="",
        move="FOLD",
    ),
    _move(
        "call-owing-nothing",
        "A player calls when there is nothing to call",
        "Chips are to go into the pot as an answer, so that they need not be answered.",
        "bet.nothing-owed",
        "HEX-6",
        before="",
        move="CALL",
        amount=BET,
    ),
    _move(
        "raise-after-all-in",
        "A player raises one that is all-in already",
        "Chips that the other cannot match are to buy a side pot which heads-up does not exist.",
        "bet.not-allowed",
        "HEX-7",
        before="BET ALLIN",
        move="RAISE",
        amount=2 * BET,
        depth=3,
    ),
    _move(
        "invented-move",
        "A player makes a move that the game does not have",
        "What a program does with a word it does not know is for its author to hope.",
        "bet.not-a-move",
        "HEX-6",
        before="CHECK BET",
        move="PASS",
    ),
    Cheat(
        name="out-of-turn",
        title="A player moves again before the other has answered",
        hope="It bet, thinks better of it, and wants its all-in to count as the other's turn having passed.",
        code="turn.not-yours",
        clause="CHAIN-1",
        act=_out_of_turn,
    ),
    Cheat(
        name="skipped-dealing",
        title="A player bets before it has committed to any seed",
        hope="The betting is to begin while its own cards can still be chosen.",
        code="turn.wrong-kind",
        clause="CHAIN-1",
        act=_skipped_dealing,
    ),
    Cheat(
        name="skipped-showdown",
        title="A player starts the next hand instead of showing",
        hope="The pot is to be forgotten with the hand.",
        code="turn.wrong-kind",
        clause="CHAIN-1",
        setting=Setting(hands=2),
        act=_skipped_showdown,
    ),
    Cheat(
        name="walk-out",
        title="A player leaves in the middle of a hand",
        hope="Leaving between hands costs nothing; leaving a bet unanswered is to cost nothing either.",
        code="turn.wrong-kind",
        clause="CHAIN-1",
        act=_walk_out,
    ),
    Cheat(
        name="new-terms",
        title="A player offers a new match in place of its show",
        hope="The hand it is about to lose is to give way to another at ten times the stakes.",
        code="turn.wrong-kind",
        clause="CHAIN-1",
        act=_new_terms,
    ),
    Cheat(
        name="one-more-hand",
        title="The loser starts a hand after the match is over",
        hope="A match that goes on is not lost yet.",
        code="turn.match-over",
        clause="CHAIN-3",
        act=_one_more_hand,
    ),
    _move(
        "check-below-blind",
        "The small blind checks before the flop",
        "To see the flop for half of what it costs.",
        "bet.chips-owed",
        "BET-2",
        before="",
        move="CHECK",
        setting=replace(HEADS_UP, cheat=0),
    ),
    _move(
        "small-raise",
        "A player raises by less than the last raise",
        "A raise for next to nothing, to learn how strong the other is.",
        "bet.below-minimum-raise",
        "BET-4",
        before="RAISE:8",
        move="RAISE",
        amount=10,
        setting=HEADS_UP,
    ),
    _move(
        "raise-again",
        "A player raises again after a short all-in behind it",
        "It has raised once already, and only a full raise would let it speak again.",
        "bet.not-reopened",
        "BET-4",
        before="RAISE:21 FOLD FOLD RAISE:29 RAISE:38 CALL",
        move="RAISE",
        amount=39,
        setting=replace(THREE, hands=2),
    ),
    _move(
        "fifth-bet",
        "A player raises past the cap of fixed limit",
        "One bet more than the terms allow in a round.",
        "bet.cap-reached",
        "BET-5",
        before="RAISE RAISE RAISE",
        move="RAISE",
        setting=replace(HEADS_UP, structure="limit"),
    ),
    _move(
        "raise-nobody",
        "A player raises one that is all-in",
        "Chips that nobody can answer are to buy a pot that nobody contests.",
        "bet.no-answer",
        "BET-6",
        before="FOLD CALL RAISE:39",
        move="RAISE",
        amount=41,
        setting=replace(HEADS_UP, hands=2),
    ),
)
