"""The course of a hand against what happened in it: nothing left out, nothing added, every street where it was."""

from __future__ import annotations

import pytest

from dealerless.protocol.state import HandRecord
from dealerless.referee import replay
from dealerless.report.course import course
from dealerless.report.parts import Course
from tests.cli.conftest import clean_bytes
from tests.matches import PLAYED, Match, by_chance, toy_offer
from tests.report.tables import Happened, Table, at_random, match


def told(tale: Course) -> list[Happened]:
    """A course as a table notes what happens; posts are no event of their own."""
    happened: list[Happened] = []
    for street in tale.streets:
        if street.cards:
            happened.append(("board", street.open))
        for entry in street.entries:
            if entry.kind == "move":
                happened.append(("move", entry.seq, street.open))
            elif entry.kind == "return":
                happened.append(("return", entry.seat, int(entry.text.split()[1])))
            elif entry.kind == "stranded":
                happened.append(("stranded",))
            elif entry.kind != "post":
                happened.append((entry.kind, entry.seat))
    return happened


def test_the_course_of_a_hand_is_what_happened() -> None:
    """VERDICT-3, BET-7, POT-1, SHOW-1: any terms, any stacks, two to nine seats, finished or stopped anywhere."""
    for seed in range(400):
        table = at_random(seed, stopping=0.02)
        assert told(course(table.record())) == table.happened, seed


def test_who_is_expelled_is_told_once_and_all_else_is_what_happened() -> None:
    """VERDICT-4: at every moment, also before the deal, at a board that cannot be opened, and at the showdown.

    A record does not keep when: a seat may be told of where the hand next waited for it.
    """
    late = 0
    for seed in range(400):
        table = at_random(seed, expelling=0.05)
        tale = told(course(table.record()))
        gone = [one for one in table.happened if one[0] == "expelled"]
        assert [one for one in tale if one[0] == "expelled" or one not in table.happened] == (
            [one for one in tale if one in gone]
        ), seed
        assert sorted(one for one in tale if one in gone) == sorted(gone), seed
        assert [one for one in tale if one not in gone] == [one for one in table.happened if one not in gone], seed
        late += tale != table.happened
    assert late < 40


def test_posts_and_open_cards_are_those_of_the_table() -> None:
    """HOLDEM-6, VERDICT-4a: antes and blinds as far as stacks go; each move knows how much of the board was open."""
    for seed in range(100):
        table = at_random(seed)
        record, tale = table.record(), course(table.record())
        assert tale.dealt == table.seated
        first = tale.streets[0]
        assert tuple(a + b for a, b in zip(first.stacks, tale.posts, strict=True)) == record.before
        assert sum(tale.posts) == first.pot
        told_posts = [0] * len(record.before)
        for entry in first.entries:
            if entry.kind == "post" and entry.seat is not None:
                told_posts[entry.seat] += int(entry.text.removesuffix(", all-in").split()[-1])
        assert tuple(told_posts) == tale.posts
        assert tale.opens == tuple(one[2] for one in table.happened if one[0] == "move")
        assert [street.name for street in tale.streets if street.name != "showdown"] == (
            ["preflop", "flop", "turn", "river"][: len([street for street in tale.streets if street.cards]) + 1]
        )


def test_who_is_expelled_out_of_turn_changes_no_move_of_the_others() -> None:
    """CHAIN-5, BET-3: who signs out of turn is gone at once, and a call is then of what the others can still put in."""
    for seed in range(400):
        table = at_random(seed, expelling=0.05, anybody=True)
        kinds = ("move", "board", "return", "stranded")
        tale = told(course(table.record()))
        assert [one for one in tale if one[0] in kinds] == [one for one in table.happened if one[0] in kinds], seed
        assert sorted(one for one in tale if one[0] == "show") == sorted(
            one for one in table.happened if one[0] == "show"
        ), seed


def records_of(data: bytes) -> tuple[HandRecord, ...]:
    return replay(data, games=PLAYED).hands


@pytest.mark.parametrize("data", [clean_bytes(), Match(toy_offer(seats=4, hands=3)).play(by_chance("7")).transcript()])
def test_games_without_streets_have_a_course_too(data: bytes) -> None:
    """HEX-5: one round of betting; every move stands in it, with the chips that the record has."""
    for record in records_of(data):
        tale = course(record)
        moves = [entry for street in tale.streets for entry in street.entries if entry.kind == "move"]
        assert [(entry.seq, entry.seat, entry.stacks, entry.pot) for entry in moves] == [
            (action.seq, action.seat, action.stacks, action.pot) for action in record.actions
        ]
        assert [entry.text for entry in moves] == [
            f"{action.move} {action.amount}" if action.amount else action.move for action in record.actions
        ]
        shown = [entry.seat for street in tale.streets for entry in street.entries if entry.kind == "show"]
        assert shown == [seat for seat, _ in record.shown]
        assert {street.name for street in tale.streets} <= {"", "showdown"}
        assert set(tale.opens) <= {len(record.board)}


def test_a_table_of_many_hands_is_told_hand_by_hand() -> None:
    """TABLE-2: who is out of chips is not dealt in and is never told of."""
    records, verdict = match(5, 6, 20)
    assert verdict.stacks == records[-1].after
    for record in records:
        tale = course(record)
        assert tale.dealt == tuple(seat for seat, stack in enumerate(record.before) if stack)
        assert {entry.seat for street in tale.streets for entry in street.entries} <= {*tale.dealt, None}


def test_what_no_rule_explains_is_told_as_the_record_has_it() -> None:
    """A record that the rules cannot lead to ends no report."""
    table: Table = at_random(3)
    record = table.record()
    assert record.actions
    odd = record._replace(actions=(*record.actions, record.actions[0]._replace(seq=99, move="RAISE", amount=7)))
    moves = [entry for street in course(odd).streets for entry in street.entries if entry.kind == "move"]
    assert [entry.seq for entry in moves] == [*[action.seq for action in record.actions], 99]
    assert moves[-1].text.startswith("raises to 7")
