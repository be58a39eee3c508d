"""Five-card draw in every report: the course of its hands, where new cards come from, its page and its object."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from dealerless.protocol.events import Exchanged, SharesPublished
from dealerless.protocol.state import Phase
from dealerless.referee import replay
from dealerless.report.cards import best_in_words
from dealerless.report.checks import Tally
from dealerless.report.course import course
from dealerless.report.document import document, hand_document
from dealerless.report.provenance import origin
from dealerless.report.text import hand_lines, verdict_lines
from dealerless.report.view import view
from tests.matches import Match, draw_offer, envelopes, transcript
from tests.report.deals import drawn, three_seats
from tests.report.drawtables import DrawTable
from tests.report.markup import assert_inert
from tests.report.pages import told as page_told
from tests.report.test_course import told
from tests.report.test_holdem_page import looks
from tests.report.test_provenance import followed

SCHEMA: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "spec" / "verdict.schema.json").read_text(encoding="utf-8")
)


# --- the course


def test_the_course_of_a_hand_is_what_happened() -> None:
    """DRAW-2, DRAW-3, POT-1, SHOW-1: any stacks, both modes, two to six seats, finished or stopped anywhere."""
    for seed in range(300):
        table = DrawTable(seed, stopping=0.02)
        assert told(course(table.record())) == table.happened, seed


def test_who_is_expelled_is_told_once_and_all_else_is_what_happened() -> None:
    """VERDICT-4: at every moment, also while the new cards of an exchange are dealt."""
    late, stranded = 0, 0
    for seed in range(400):
        table = DrawTable(seed, expelling=0.05)
        tale = told(course(table.record()))
        gone = [one for one in table.happened if one[0] == "expelled"]
        assert sorted(one for one in tale if one in gone) == sorted(gone), seed
        assert [one for one in tale if one not in gone] == [one for one in table.happened if one not in gone], seed
        late += tale != table.happened
        stranded += ("stranded",) in tale
    assert late < 60
    assert stranded > 10


def test_streets_are_before_in_and_after_the_exchange() -> None:
    first, second = replay(drawn().transcript()).hands
    names = [street.name for street in course(first).streets]
    assert names == ["before the exchange", "exchange", "after the exchange", "showdown"]
    assert [street.name for street in course(second).streets] == ["before the exchange"]
    exchanges = [entry.text for entry in course(first).streets[1].entries]
    counts = [action.amount for action in first.actions if action.move == "EXCHANGE"]
    assert counts == [2, 3, 0]
    assert exchanges == ["exchanges 2 cards", "exchanges 3 cards", "keeps all its cards"]


def test_the_text_of_a_hand() -> None:
    """VERDICT-3, DRAW-7: moves by their words, exchanges by their number; a mode is on or off."""
    verdict = replay(drawn().transcript())
    lines = list(hand_lines(verdict.hands[0]))
    place = lines.index("after the exchange")
    assert lines[1] == "before the exchange"
    assert lines[place - 3] == "exchange   seat 1 exchanges 2 cards           stack 39, pot 64"
    assert lines[place + 1] == "           seat 1 bets 10                     stack 29, pot 74"
    assert max(map(len, lines)) <= 80
    assert "raises 3, all-in yes," in " ".join(" ".join(verdict_lines(view(verdict), "x")).split())


# --- where cards come from


def test_a_new_card_says_for_which_slots_it_was_dealt() -> None:
    """DECK-7: by the exchange's message, the slots given up and those dealt; discarded cards are told nowhere."""
    match = drawn()
    steps, opened = followed(match)
    said = {envelope.header.seq: envelope for envelope in envelopes(match.frames)}
    hand = replay(match.transcript()).hands[0]
    new = [cards for cards in opened if cards.exchange is not None]
    assert [len(cards.slots) for cards in new] == [2, 3]
    for cards in new:
        assert cards.exchange is not None
        event = said[cards.exchange.seq].event
        assert isinstance(event, Exchanged)
        assert event.slots == cards.exchange.discarded
        assert cards.slots == cards.exchange.dealt
        assert said[cards.exchange.seq].header.seat == cards.owner
        assert not set(event.slots) & set(hand.hand.held[cards.owner or 0])
        # The seat that folded gave its shares with the fold; the others for this exchange; the owner shows.
        assert {part.clause for part in cards.parts} == {"DECK-9", "DECK-7", "DECK-6"}
        (line,) = [line for line in origin(cards) if "exchange" in line]
        slots = ", ".join(map(str, event.slots))
        assert (
            line
            == f"dealt in the exchange of message {cards.exchange.seq} for slots {slots}, given up for good [DECK-7]"
        )
    shown = {slot for cards in opened for slot in cards.slots}
    discarded = {
        slot for envelope in said.values() if isinstance(envelope.event, Exchanged) for slot in envelope.event.slots
    }
    assert not shown & discarded
    assert len(shown) == 15
    claims = {one.seq: one for one in steps}
    first = min(cards.exchange.seq for cards in new if cards.exchange is not None)
    assert claims[first].claim.startswith("exchanges 2 cards: discards slots ")
    assert claims[first].clause == "DECK-7"
    assert claims[first].result == "slots 20, 21 are to be dealt to seat 1 in their place"
    assert claims[first + 1].claim == "gives 2 shares: new cards of seat 1 (slots 20, 21)"
    assert claims[first + 2].result == "seat 1 can see its 2 new cards, and nobody else can"


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (1, "slot 15 is to be dealt to seat 1 in its place"),
        (2, "slots 15, 16 are to be dealt to seat 1 in their place"),
    ],
)
def test_one_new_card_or_several(count: int, told: str) -> None:
    match = Match(draw_offer("one or two", stack=60), "one or two").until(Phase.EXCHANGING)
    match.say(1, Exchanged(slots=match.state.running.hand.held[1][:count]))
    assert followed(match)[0][-1].result == told


def test_the_checks_mention_exchanges() -> None:
    """DECK-7: the messages and, of the new cards, the shares."""
    match = drawn()
    tally = Tally()
    checks = tally.checks(replay(match.transcript(), on_frame=tally.on_frame))
    kinds = {(kind.kind, kind.clause): kind for kind in checks[6].kinds}
    assert kinds["exchange", "DECK-7"].passed == 3
    events = [envelope.event for envelope in envelopes(match.frames)]
    shares = sum(len(event.shares) // 32 for event in events if isinstance(event, SharesPublished))
    assert kinds["share", "DECK-7"].proven == 2 * (2 + 3)
    assert kinds["share", "DECK-4"].proven == shares - 10
    assert len({kind.text for kind in kinds.values()}) == len(kinds)


# --- the page and the object


def test_the_page_has_five_cards_a_seat_and_the_exchanges() -> None:
    verdict, page = page_told(drawn().transcript())
    markup = assert_inert(page)
    first, second = replay(drawn().transcript()).hands
    for seat, best in first.shown:
        assert best is not None
        assert f"{looks(first.hole[seat] or ())} {best_in_words('draw', best)}" in markup.text
        assert len(first.hole[seat] or ()) == 5
    assert "seat 0 ????? folded" in markup.text
    assert "Before the exchange " in markup.text
    assert "After the exchange " in markup.text
    for action in first.actions:
        if action.move == "EXCHANGE":
            what = f"exchanges {action.amount} cards" if action.amount else "keeps all its cards"
            assert f"{action.seq} {action.seat} {what} {' '.join(map(str, action.stacks))} {action.pot}" in markup.text
    assert "All-in yes" in markup.text
    assert all(line in markup.text for opened in followed(drawn())[1] for line in origin(opened))
    assert second.result == "fold"
    assert verdict.hands == ()


def check(data: bytes) -> dict[str, Any]:
    verdict = document(replay(data))
    Draft202012Validator(SCHEMA).validate(verdict)
    return verdict


def test_the_object_has_exchanges_among_the_moves() -> None:
    """DRAW-10: how many cards, and nothing of which; the hole cards are those held at the end."""
    verdict = check(drawn().transcript())
    assert verdict["terms"]["rules"] == {"ante": 1, "first": 10, "second": 10, "raises": 3} | {
        "allin": True,
        "stack": 60,
        "show": "all",
    }
    hand = verdict["hands"][0]
    moves = [(one["seat"], one["move"], one["amount"], one["open"]) for one in hand["actions"]]
    assert moves[7:10] == [(1, "EXCHANGE", 2, 0), (2, "EXCHANGE", 3, 0), (3, "EXCHANGE", 0, 0)]
    assert hand["board"] == hand["common"] == []
    assert [None if cards is None else len(cards) for cards in hand["hole"]] == [None, 5, 5, 5]
    assert hand["posts"] == [1, 1, 1, 1]


def test_cuts_and_hands_of_every_kind_fit_the_schema() -> None:
    frames, kinds = drawn().frames, set()
    for count in range(20, 42, 2):
        kinds |= set((check(transcript(*frames[:count]))["owes"] or {"kinds": ()})["kinds"])
    assert {"exchange", "share", "act", "reveal"} <= kinds
    part = {"$ref": "#/$defs/hand", "allOf": [{"$ref": "#/$defs/draw_hand"}], "$defs": SCHEMA["$defs"]}
    validator = Draft202012Validator(part)
    for seed in range(100):
        validator.validate(hand_document(DrawTable(seed, expelling=0.03, stopping=0.01).record()))


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("hands", 0, "actions", 7, "amount"), 4),
        (("hands", 0, "actions", 0, "amount"), 10),
        (("hands", 0, "actions", 0, "move"), "ALLIN"),
        (("hands", 0, "hole", 1), ["SA", "SK"]),
        (("hands", 0, "board"), ["SA"]),
        (("terms", "rules", "allin"), 1),
        (("dealing",), "hash"),
    ],
)
def test_the_schema_refuses_what_a_hand_of_draw_never_is(where: tuple[str | int, ...], value: object) -> None:
    verdict: Any = check(drawn().transcript())
    target = verdict
    for key in where[:-1]:
        target = target[key]
    target[where[-1]] = value
    assert not Draft202012Validator(SCHEMA).is_valid(verdict)


def test_five_cards_that_are_there_are_not_there_twice() -> None:
    """All of a hand are its best ones; in Hold'em, where they are some of seven, they stand behind its name."""
    assert "quiet five" not in page_told(drawn().transcript())[1]
    assert "quiet five" in page_told(three_seats().transcript())[1]


def test_that_a_seat_wins_and_how_much_stay_together() -> None:
    html = page_told(drawn().transcript())[1]
    assert html.count('<span class="outcome"><span class="tag won">wins</span> <span class="change">') == 2
    assert html.count('<span class="outcome">') == html.count('<span class="change">') == 8
