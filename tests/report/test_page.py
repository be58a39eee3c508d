"""The page for a browser: it tells what the text tells, runs nothing, fetches nothing, and nobody's name gets out."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from xml.parsers.expat import ParserCreate

import pytest

from dealerless.protocol.events import Acted
from dealerless.protocol.state import Phase
from dealerless.referee import Outcome, replay
from dealerless.report import page as pages
from dealerless.report.cards import best_in_words
from dealerless.report.escape import marked, printable
from dealerless.report.text import hand_lines, verdict_lines
from dealerless.report.view import view, winner
from tests.cli.conftest import clean_bytes, fault_bytes
from tests.cli.matches import broken, offer, play, until_move
from tests.cli.test_text_attacks import F01_NAMES, F02_NAMES, F06_NAMES
from tests.matches import KEYS, Match, by_chance, hex_offer, named, toy_offer, transcript
from tests.report.markup import Markup, assert_inert
from tests.report.pages import told

ROOT = Path(__file__).parents[2]
VECTORS = sorted((ROOT / "tests" / "vectors" / "transcripts").glob("*.json"))

F13_NAMES = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' onclick='alert(1)",
    "</title></style></svg><b>",
    "<!-- --><![CDATA[ ]]>",
    "{{ 7 * 7 }}{% raw %}{#",
    "&lt;b&gt;&#60;i&#62;",
    "javascript:alert(1)",
    '=HYPERLINK("http://x.example")',
    "\\u202e",
)
# Right-to-left letters are letters: they stay, and are kept from moving what stands beside them.
OTHER_SCRIPTS = ("\u05d0\u05d1\u05d2 seat 1 wins", "\u0645\u0631\u062d 1", "\u0410lice", "\U0001f0a1\U0001f600")


def words(line: str) -> str:
    """A line of a text report as a page has it: with air around slashes."""
    return line.replace("/", " / ")


def test_the_page_says_what_the_text_says() -> None:
    """VERDICT-1, VERDICT-3: outcome, reasons, players, chips, forfeits, head: one view, two reports."""
    whole = play(by_chance("8"), terms=offer(hands=3))
    cut = whole.transcript()[:-7]
    for data in (clean_bytes(), fault_bytes(), cut, transcript(*whole.frames[:12]), whole.transcript(), b"\0" * 99):
        verdict, page = told(data)
        text = Markup(page).text
        seen = view(verdict)
        told_again = text.replace("\N{MINUS SIGN}", "-")
        assert text.startswith(f"{next(iter(verdict_lines(seen, 'x'))).split(':')[0]}: match.dlt - dealerless ")
        for reason in seen.reasons:
            assert reason in text
        for seat in seen.seats:
            assert f"seat {seat.seat} {seat.fingerprint} {marked(seat.name)}" in text
            assert seat.key in text
            if seat.stack is not None:
                assert f"stack {seat.stack} net {seat.net:+d}".replace("+0", "0") in told_again
        for line in verdict_lines(seen, "match.dlt"):
            label, rest = line[:11].strip(), line[11:]
            if label in ("won by", "forfeit", "pot", "if", "signed"):
                assert f"{label.capitalize()} {words(rest)}" in told_again
        if verdict.head is not None and verdict.frames:
            assert f"{verdict.frames} good message" in text
            assert verdict.head.hex() in text


def test_the_page_tells_every_hand() -> None:
    """VERDICT-3: cards, every move with stacks and pot, what was shown, who won, and the digests behind it."""
    match = play(by_chance("8"), terms=offer(hands=6, show="muck"), muck=True)
    verdict = replay(match.transcript())
    _, page = told(match.transcript())
    assert len(verdict.hands) == 6
    parts = re.split(r'<details class="hand"', page)[1:]
    for hand, part in zip(verdict.hands, parts, strict=True):
        text = Markup('<details class="hand"' + part).text
        moves = re.findall(r"seat (\d) (\S+(?: \d+)?) +stacks (\S+) pot (\d+)", "\n".join(hand_lines(hand)))
        assert len(moves) == len(hand.actions) > 0
        for (seat, move, stacks, pot), action in zip(moves, hand.actions, strict=True):
            assert f"{action.seq} {seat} {move} {stacks.replace('/', ' ')} {pot}" in text
        assert text.startswith(f"Hand {hand.number} {''.join(card or '?' for card in hand.board)} {winner(hand)}")
        for _, best in hand.shown:
            assert best is None or f"{best} {best_in_words('hex', best)}" in text
        for _, line, digest in hand.digests:
            assert digest in text
            assert line in text


def test_a_refused_message_stands_where_it_was_said() -> None:
    """VERDICT-2: the move that was refused is told in its hand, and counted with the checks."""
    _, page = told(fault_bytes())
    text = Markup(page).text
    assert "9 1 CALL 10 refused: the move needs something to answer, and nothing is owed [bet.nothing-owed]" in text
    assert "broken by seat 1 in message 9 [bet.nothing-owed, HEX-6]" in text


@pytest.mark.parametrize("vector", [path.name for path in VECTORS])
def test_every_vector_has_an_inert_page(vector: str) -> None:
    """F13: every kind of verdict, and every kind of defect in a file."""
    content = json.loads((VECTORS[0].parent / vector).read_text("utf-8"))
    verdict, page = told(base64.b64decode(content["transcript"]))
    markup = assert_inert(page)
    assert verdict.outcome.value == content["expect"]
    assert next(attributes["class"] for tag, attributes in markup.tags if tag == "body") == content["expect"]
    ids = [attributes["id"] for _, attributes in markup.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {attributes["aria-labelledby"] for _, attributes in markup.tags if "aria-labelledby" in attributes} - {
        "chart-title chart-text"
    } <= set(ids)


def test_the_four_outcomes_are_among_the_vectors() -> None:
    outcomes = {json.loads(path.read_text("utf-8"))["expect"] for path in VECTORS}
    assert outcomes == {outcome.value for outcome in Outcome}


@pytest.mark.parametrize("name", F01_NAMES + F02_NAMES + F06_NAMES + F13_NAMES + OTHER_SCRIPTS)
def test_F01_F02_F06_F13_a_name_is_text_and_nothing_else(name: str) -> None:
    """F01, F02, F06, F13: the page of a match has the same tags whatever its players call themselves."""
    frames = {}
    for names in ((name, "Bob"), ("Ann", name), ("Ann", "Bob")):
        _, page = told(broken(terms=offer(hands=1, names=names)).transcript())
        frames[names] = assert_inert(page) if "http" not in name and "javascript" not in name else Markup(page)
        for seat, given in enumerate(names):
            assert f"seat {seat}" in frames[names].text
            assert " ".join(marked(given).split()) in frames[names].text
    assert frames[name, "Bob"].skeleton == frames["Ann", name].skeleton == frames["Ann", "Bob"].skeleton


def test_F02_what_others_write_is_kept_apart_from_what_we_write() -> None:
    """F02: every name stands in an element of its own direction, left to right at its edges."""
    _, page = told(broken(terms=offer(names=("\u05d0\u05d1", "\u0645\u0631"))).transcript())
    assert page.count('dir="ltr" translate="no">&#34;\u05d0\u05d1&#34; (\\u05d0\\u05d1)</bdi>') == 1
    assert page.count('dir="ltr" translate="no">&#34;\u0645\u0631&#34; (\\u0645\\u0631)</bdi>') == 2
    for letter in "\u05d0\u0645":
        for before in re.findall(f"(?s)(.{{200}}){letter}", page):
            assert before.rindex("<bdi") > before.rfind("</bdi>")


@pytest.mark.parametrize("names", [("Alice", "Alice"), ("seat 1", "seat 0"), ("Bob cheated", 'x" key y name "z')])
def test_R09_blame_names_seat_and_key_before_the_name(names: tuple[str, str]) -> None:
    """R09: number and fingerprint first, the name behind them."""
    verdict, page = told(broken(terms=offer(names=names)).transcript())
    text = Markup(page).text
    fingerprint = verdict.players[1].fingerprint
    assert f"Blame public: seat 1, fingerprint {fingerprint}, name {marked(names[1])}" in text


@pytest.mark.parametrize("move", ["<b>", "\u202eCA", '"><i>', "\x1b[2J"])
def test_F13_a_refused_move_is_text(move: str) -> None:
    """F01, F13: so are the words of a message that was refused."""
    plain = assert_inert(told(broken(move="WIN", amount=0).transcript())[1])
    markup = assert_inert(told(broken(move=move, amount=0).transcript())[1])
    assert markup.skeleton == plain.skeleton
    assert marked(move) in markup.text


@pytest.mark.parametrize("kind", ["<script>" * 50, "\u202e", 7, b"\x1b<", ("<b>", ("</td>",))])
def test_F13_an_unknown_kind_is_text_and_cut(kind: object) -> None:
    """F13, R08: whatever stands in the place of a kind."""
    match = until_move()
    match.cheat(1, match.sign(1, match.body(1, kind=kind)))
    _, page = told(match.transcript())
    assert "&lt;script&gt;" * 40 not in page
    assert "<script" not in page
    assert {tag for tag, _ in Markup(page).tags} <= {tag for tag, _ in assert_inert(told(fault_bytes())[1]).tags}


def test_a_label_is_text() -> None:
    """F01: the name of the file is our own user's, and escaped like all others."""
    label = printable("<i>\u202e\x1b.dlt")
    assert assert_inert(told(clean_bytes(), label)[1]).text.count("<i>\\u202e\\x1b.dlt") == 2


def drawing(page: str) -> list[tuple[str, dict[str, str]]]:
    """The elements of the page's one drawing, which is well-formed XML."""
    (svg,) = re.findall(r"<svg.*?</svg>", page, re.S)
    elements: list[tuple[str, dict[str, str]]] = []
    parser = ParserCreate()
    parser.StartElementHandler = lambda name, attributes: elements.append((name, attributes))
    parser.Parse(svg, True)
    return elements


def test_the_drawing_is_well_formed_and_says_what_it_shows() -> None:
    for data in (clean_bytes(), fault_bytes(), Match(toy_offer(seats=3, hands=3)).play().transcript()):
        verdict, page = told(data)
        elements = drawing(page)
        assert elements[0][0] == "svg"
        assert elements[0][1]["role"] == "img"
        assert [name for name, _ in elements[1:3]] == ["title", "desc"]
        assert elements[0][1]["aria-labelledby"].split() == [attributes["id"] for _, attributes in elements[1:3]]
        assert [name for name, _ in elements].count("polyline") == len(verdict.players)
        desc = re.findall("<desc.*?>(.*?)</desc>", page)[0]
        for seat in range(len(verdict.players)):
            assert f"Seat {seat} ends at" in desc


def test_a_match_without_chips_moved_has_no_drawing() -> None:
    frames = play(named("BET CALL")).frames
    for count in (0, 1, 3, 8):
        _, page = told(transcript(*frames[:count]))
        assert "<svg" not in page
        assert_inert(page)


def test_the_same_bytes_make_the_same_page() -> None:
    """Also in another process, whose sets and dicts come in another order."""
    data = play(by_chance("5"), terms=offer(hands=4)).transcript()
    code = (
        "import sys; from dealerless.referee import replay; from dealerless.report.page import Page; page = Page(); "
        "verdict = replay(sys.stdin.buffer.read(), on_hand=page.on_hand, on_frame=page.on_frame); "
        "sys.stdout.buffer.write(''.join(page.pieces(verdict, 'match.dlt')).encode())"
    )
    expected = told(data)[1].encode()
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code], input=data, capture_output=True, check=True, env={"PYTHONHASHSEED": seed}
        )
        assert done.stdout == expected


def test_a_match_of_many_hands_is_grouped_bounded_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """VERDICT-8: the page has a bound, whatever is in the transcript; verdict, drawing and checks are on all of it."""
    data = play(by_chance("40"), terms=offer(hands=40)).transcript()
    monkeypatch.setattr(pages, "_GROUP", 8)
    _, whole = told(data)
    markup = assert_inert(whole)
    assert [a.get("class") for t, a in markup.tags if t == "details"].count("group") == 5
    assert "Hands 33 to 40" in markup.text
    assert "left out" not in markup.text
    monkeypatch.setattr(pages, "_MOST_CHARACTERS", 40_000)
    verdict, page = told(data)
    markup = assert_inert(page)
    listed = [int(number) for number in re.findall(r'id="hand-([0-9]+)"', page)]
    assert 4 < len(listed) < 20
    (gap,) = [(before, after) for before, after in pairwise(listed) if after != before + 1]
    assert (listed[0], listed[-1]) == (1, 40)
    assert f"room for {len(listed)} of 40 hands" in markup.text
    assert f"{gap[1] - gap[0] - 1} after hand {gap[0]} are left out" in markup.text
    assert len(page) < 40_000 + 25_000
    assert markup.text.count("passed by") == Markup(whole).text.count("passed by")
    assert f"passed by {verdict.frames} records" in markup.text


def test_a_hand_of_many_moves_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "_MOST_MOVES", 6)
    data = play(named("BET " + "RAISE " * 8 + "CALL"), terms=hex_offer(depth=20)).transcript()
    _, page = told(data)
    actions = replay(data).hands[0].actions
    text = assert_inert(page).text
    assert f"{len(actions) - 6} moves are left out here" in text
    rows = re.findall(r"<tr><td>([0-9]+)<td>", page)
    assert rows == [str(action.seq) for action in (*actions[:3], *actions[-3:])]


def test_hands_are_open_where_there_is_something_to_see() -> None:
    """A short match opens them all, a longer one the running hand only."""
    short = assert_inert(told(clean_bytes())[1])
    assert [("open" in a) for t, a in short.tags if a.get("class") == "hand"] == [True] * 3
    match = play(by_chance("9"), terms=offer(hands=9))
    long = assert_inert(told(match.transcript())[1])
    assert not any("open" in a for t, a in long.tags if a.get("class") == "hand")
    last = Match(offer(hands=9)).play_to_hand(8).until(Phase.BETTING)
    last.cheat(last.owing, last.forge(last.owing, Acted(move="CALL", amount=10)))
    running = assert_inert(told(last.transcript())[1])
    assert [("open" in a) for t, a in running.tags if a.get("class") == "hand"] == [False] * 7 + [True]


def test_more_than_two_seats_are_told_too() -> None:
    """Nine stacks do not fit beside each other on a phone: they stand in one column."""
    for seats, stacks in ((3, "Stack 2"), (6, "stacks by seat")):
        verdict, page = told(Match(toy_offer(seats=seats, hands=2)).play().transcript())
        markup = assert_inert(page)
        assert stacks in markup.text
        assert [a["class"] for t, a in markup.tags if t == "g"].count(f"line s{seats - 1}") == 1
        assert len(verdict.players) == seats


def test_the_seats_keys_are_whole_in_the_page() -> None:
    _, page = told(clean_bytes())
    for key in KEYS[:2]:
        assert key.public.key.hex() in page
