"""Pages of Hold'em: board, closed cards, streets, pots and shares, for three seats and for nine."""

from __future__ import annotations

import re

from dealerless.games.cards import card_text
from dealerless.referee import replay
from dealerless.report.cards import best_in_words, face
from dealerless.report.provenance import origin
from dealerless.report.text import hand_lines
from dealerless.report.view import pot_lines, winner
from tests.report.deals import hex_deck, three_seats
from tests.report.markup import assert_inert
from tests.report.pages import page_of, told
from tests.report.tables import at_random, match
from tests.report.test_provenance import followed


def looks(texts: tuple[str, ...]) -> str:
    """Cards as a reader of the page's text sees them, side by side."""
    return "".join([face(text).rank + face(text).symbol for text in texts])


def test_a_hand_is_told_street_by_street() -> None:
    """VERDICT-3: the board in the heading and where it opened, who posted, moved, folded and won, in words."""
    verdict, page = told(three_seats().transcript())
    markup = assert_inert(page)
    (record,) = replay(three_seats().transcript()).hands
    assert verdict.hands == ()
    board = tuple([text for text in record.board if text is not None])
    assert f"Hand 1 {looks(board)} {winner(record)}" in markup.text
    for name, cards in (("Flop", board[:3]), ("Turn", board[3:4]), ("River", board[4:])):
        assert f"{name} {looks(cards)} " in markup.text
    assert (
        "seats 0, 1 and 2 post the ante 1; seat 1 posts the small blind 1; seat 2 posts the big blind 2" in markup.text
    )
    moves = re.findall(r"seat (\d) (\S.*?) +stack (\d+), pot (\d+)", "\n".join(hand_lines(record)))
    assert len(moves) == len(record.actions)
    for (seat, move, stack, pot), action in zip(moves, record.actions, strict=True):
        assert stack == str(action.stacks[action.seat])
        assert f"{action.seq} {seat} {move} {' '.join(map(str, action.stacks))} {pot}" in markup.text
    for seat, best in record.shown:
        assert best is not None
        assert f"{looks(record.hole[seat] or ())} {best_in_words('holdem', best)}" in markup.text
    assert "seat 1 ?? folded" in markup.text


def test_how_its_cards_came_to_be_open_stands_with_a_hand() -> None:
    """DECK-4 to DECK-6, DECK-9: the lines that `show --explain` has."""
    for match_of in (three_seats, hex_deck):
        data = match_of().transcript()
        expected = [line for opened in followed(match_of())[1] for line in origin(opened)]
        text = assert_inert(told(data)[1]).text
        assert len(expected) > 10
        assert all(line in text for line in expected)
        assert "in a shell" not in text


def test_every_card_is_named_for_who_cannot_see_it() -> None:
    """HOLDEM-4: rank and symbol to see, the name to hear; red is never the only sign."""
    _, page = told(three_seats().transcript())
    labelled = re.findall(
        r'class="card (\w+)" role="img" aria-label="([a-z ]+)">(.)<span class="suit">(.)\ufe0e</span>', page
    )
    (record,) = replay(three_seats().transcript()).hands
    known = {card_text(card) for card in record.hand.cards if card is not None}
    faces = {face(text).name: face(text) for text in known}
    assert {name for _, name, _, _ in labelled} == set(faces)
    for suit, name, rank, symbol in labelled:
        assert (suit, rank, symbol) == (faces[name].suit, faces[name].rank, faces[name].symbol[0])
    assert page.count('class="card"') == 0


def test_nine_seats_fit() -> None:
    """The stack of who moves beside the move, all stacks in a line below each street."""
    records, verdict = match(9, 9, 6)
    page = page_of(records, verdict)
    markup = assert_inert(page)
    assert "Stack 0" not in markup.text
    for record in records:
        assert f"stacks by seat {' / '.join(map(str, record.before))}" in markup.text
        for line in pot_lines(record):
            assert line in markup.text
    drawn = [attributes["class"] for tag, attributes in markup.tags if tag == "g" and "line" in attributes["class"]]
    assert drawn == [f"line s{seat}" for seat in range(9)]
    dashes = dict(re.findall(r"\.(s\d) polyline, \.\1 \.sample \{ stroke-dasharray: ([0-9 ]+); \}", markup.style))
    assert sorted(dashes) == [f"s{seat}" for seat in range(1, 9)]
    assert len(set(dashes.values())) == 8


def test_hands_of_every_kind_have_an_inert_page() -> None:
    """VERDICT-4: expulsions, boards that stayed closed, fresh decks, mucks and hands cut off anywhere."""
    _, verdict = match(1, 9, 1)
    seen = set()
    for seed in range(60):
        record = at_random(seed, 9, expelling=0.05, stopping=0.01).record()
        text = assert_inert(page_of([record], verdict)).text
        for word in (
            "is expelled",
            "cannot be opened",
            "Fresh deck",
            "gave up unseen",
            "not dealt in",
            "back, uncalled",
        ):
            if word in text:
                seen.add(word)
    assert len(seen) == 6
