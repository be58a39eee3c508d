"""What `show`, `audit` and the page say where somebody cheats or is silent, in every story of its kind."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import pytest

from dealerless.crypto.shuffle import proof_bytes
from dealerless.players.gallery import CHEATS
from dealerless.players.staging import Cheat
from dealerless.protocol.events import DeckShuffled, Event, LayoutOpened, Offered, SeedsCommitted
from dealerless.protocol.machine import open_frame
from dealerless.protocol.records import read_records
from dealerless.protocol.state import Phase
from dealerless.referee import Outcome, replay
from dealerless.report.checks import Tally
from dealerless.report.view import best_seats, difference, instant, view
from tests.cli.conftest import Files
from tests.cli.running import invoke
from tests.matches import Match, from_deck, hex_offer, random_of

DECK = from_deck(hex_offer())

STORIES = [story for story in CHEATS if story.setting.dealing == "hash"]
STORY = pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)


@cache
def transcript(story: Cheat) -> bytes:
    return story.play(random_of(f"told: {story.name}")).transcript


def kept(folder: Path, story: Cheat) -> str:
    path = folder / "match.dlt"
    path.write_bytes(transcript(story))
    return str(path)


@STORY
def test_what_can_be_read_is_told_also_where_it_is_refused(story: Cheat, tmp_path: Path) -> None:
    """CHAIN-2, VERDICT-2: a second message on one previous hash is a message like another."""
    path = kept(tmp_path, story)
    text = invoke("show", path)[1]
    steps = json.loads(invoke("show", "--json", path)[1])["steps"]
    with open(path, "rb") as file:
        readable = [open_frame(record).envelope is not None for record in read_records(file)]
    assert [step["kind"] is not None for step in steps] == readable[: len(steps)]
    unread = sum([not known for known in readable[: len(steps)]])
    assert text.count("says what cannot be read") == unread
    assert all(step["refused"] or step["check"] for step in steps)


def test_the_second_move_of_an_equivocator_is_told(tmp_path: Path) -> None:
    story = next(story for story in STORIES if story.name == "two-moves")
    path = kept(tmp_path, story)
    text = invoke("show", path)[1]
    assert re.search(
        r"\n +9  seat 1 ALLIN 50\n +REFUSED: two different messages were signed on one previous hash", text
    )
    page = tmp_path / "page.html"
    invoke("audit", path, "--html", str(page))
    assert '<bdi dir="ltr">ALLIN 50</bdi> <b>refused</b>' in page.read_text("utf-8")


@STORY
def test_an_expulsion_says_what_it_is_for(story: Cheat, tmp_path: Path) -> None:
    """CHAIN-5, VERDICT-6: for a refused message, or for silence by whose word, from when on, and how long."""
    path = kept(tmp_path, story)
    text = invoke("show", path)[1]
    steps = json.loads(invoke("show", "--json", path)[1])["steps"]
    for number, step in enumerate(steps):
        if step["kind"] != "expel":
            assert step["absent"] == []
            continue
        behind = number > 0 and steps[number - 1]["refused"] is not None
        assert ("for the message before this one" in step["claim"]) <= behind
        silent = [absence["seat"] for absence in step["absent"]]
        assert ("run out" in step["claim"]) == bool(silent)
        if step["refused"] is None:
            assert step["clause"] == ("VERDICT-6" if silent else "CHAIN-5")
            assert ("witnesses" in step["check"]) == bool(silent)
        for absence in step["absent"]:
            assert f"seat {absence['seat']} was silent, {len(absence['words'])} witness" in text
            for word in absence["words"]:
                over = word["took"] - word["limit"]
                more = f"{over} ms more" if over >= 0 else f"{-over} ms less"
                assert f"it owed from {instant(word['since'])} on, for {word['took']} ms, {more}\n" in text
                assert f"than the {word['limit']} ms it had" in text
                if step["refused"] is None:
                    assert over >= 0


@STORY
def test_verdict_1_a_check_is_failed_by_a_record_that_failed_it(story: Cheat, tmp_path: Path) -> None:
    """VERDICT-1, VERDICT-6: who is silent has signed nothing that could fail; and the end that is reached is passed."""
    tally = Tally()
    verdict = replay(transcript(story), on_frame=tally.on_frame)
    checks = tally.checks(verdict)
    steps = json.loads(invoke("show", "--json", kept(tmp_path, story))[1])["steps"]
    refused = [step for step in steps if step["refused"]]
    failed = [check.number for check in checks[:-1] if check.state == "failed"]
    assert bool(failed) == bool(refused)
    if story.code == "witness.no-show":
        assert "was silent, as message" in checks[6].result
    assert (checks[-1].state == "passed") == view(verdict).complete
    assert ("the match is over" in checks[-1].result) == bool(verdict.settling)


def test_times_have_their_unit(tmp_path: Path) -> None:
    """VERDICT-6: expected and met are milliseconds, in text and on the page."""
    told = 0
    for story in STORIES:
        if story.code in ("witness.no-show", "witness.too-soon"):
            path, page = kept(tmp_path, story), tmp_path / f"{story.name}.html"
            had, took = ("had", "took") if story.code == "witness.no-show" else ("expected", "got")
            assert re.search(rf"code {story.code}; {had} \d+ ms; {took} \d+ ms\n", invoke("audit", path)[1])
            invoke("audit", path, "--html", str(page))
            assert f"<dt>{took.capitalize()}<dd>" in page.read_text("utf-8")
            assert len(re.findall(r"\d+ ms</bdi>", page.read_text("utf-8"))) == 2
            told += 1
    assert told >= 3


def test_what_does_not_differ_is_not_told_as_a_difference() -> None:
    """VERDICT-2: a message of as many bytes as are due can be wrong; and silence takes a time."""
    assert difference("encoding.malformed", 87, 87) == ""
    assert difference("encoding.malformed", 87, 90) == "; expected 87 bytes; got 90 bytes"
    assert difference("encoding.malformed", None, 90) == "; got 90 bytes"
    assert difference("chain.wrong-hand", (1, 0), None) == "; expected [1, 0]"
    assert difference("proof.key", None, None) == ""
    assert difference("encoding.wrong-type", 1, True) == "; expected 1; got True"
    assert difference("witness.no-show", 90_000, 90_000) == "; had 90000 ms; took 90000 ms"


@pytest.mark.parametrize("code", ["deck.wrong-release", "encoding.malformed", "encoding.too-large"])
def test_lengths_have_their_unit(code: str, tmp_path: Path) -> None:
    """VERDICT-2: of a release as of a message that is too long; in text and on the page."""
    stories = [story for story in CHEATS if story.code == code]
    assert stories
    for story in stories:
        path, page = kept(tmp_path, story), tmp_path / f"{story.name}.html"
        assert re.search(rf"code {code}; expected \d+ bytes; got \d+ bytes\n", invoke("audit", path)[1])
        assert re.search(r"; expected \d+ bytes; got \d+ bytes\n", invoke("show", path)[1])
        invoke("audit", path, "--html", str(page))
        assert len(re.findall(r"\d+ bytes</bdi>", page.read_text("utf-8"))) == 2


def test_the_dates_of_witnesses_are_those_of_the_calendar() -> None:
    """VERDICT-6: every day of 500 years, some time in it; a year that no library has is a number like another."""
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    for day in range(180_000):
        moment = 86_400_000 * day + day * 7_919_123 % 86_400_000
        text = (epoch + timedelta(milliseconds=moment)).isoformat(sep=" ", timespec="milliseconds")
        assert instant(moment) == text.replace("+00:00", " UTC")
    assert instant(2**64 - 1) == "584556019-04-03 14:25:51.615 UTC"


def test_chain_2_is_the_exception_among_the_first_four(tmp_path: Path) -> None:
    """CHAIN-2, VERDICT-1: damage blames nobody, and a second message is not damage."""
    page = tmp_path / "page.html"
    invoke("audit", kept(tmp_path, next(story for story in STORIES if story.name == "two-moves")), "--html", str(page))
    text = page.read_text("utf-8")
    assert "blames nobody, but for a second message on one previous hash (CHAIN-2), which 3 finds" in text
    assert "broken by seat 1 in message" in text


def test_what_stands_above_the_messages_is_so_of_each(tmp_path: Path) -> None:
    """A refused message may have failed what every good one has passed."""
    for story in STORIES:
        if story.code in ("commit.early-opening", "encoding.too-large", "encoding.non-canonical"):
            first = invoke("show", kept(tmp_path, story))[1].splitlines()[0]
            assert "a refused one says what it has not passed" in first


@STORY
def test_who_has_won_a_match_that_an_expulsion_ended(story: Cheat, tmp_path: Path) -> None:
    """VERDICT-4b, CHAIN-3: it is over, and somebody has won it, although the outcome is a fault."""
    path, page = kept(tmp_path, story), tmp_path / "page.html"
    verdict = json.loads(invoke("audit", "--json", path)[1])
    text = invoke("audit", path)[1]
    invoke("audit", path, "--html", str(page))
    over = bool(replay(transcript(story)).settling)
    assert verdict["outcome"] == "fault"
    assert (verdict["won_by"] is not None) == over == ("\nwon by     seat" in text)
    assert over == ("<dt>Won by<dd>" in page.read_text("utf-8"))
    expelled = {forfeit["seat"] for forfeit in verdict["forfeits"]}
    if over and len(verdict["players"]) == 2 and expelled:
        assert verdict["won_by"] == [1 - expelled.pop()]


def test_nobody_has_won_what_is_not_over_or_damaged(files: Files) -> None:
    """CHAIN-3: and a clean match has the same winner in text and JSON."""
    for name, path in files.by_name().items():
        verdict = json.loads(invoke("audit", "--json", str(path))[1])
        assert (verdict["won_by"] is None) == (name != "clean")
        assert verdict["left"] == []
    seen = view(replay(files.clean.read_bytes()))
    assert seen.outcome is Outcome.CLEAN
    assert f"won by     seat {best_seats(seen)[0]} with " in invoke("audit", str(files.clean))[1]


@pytest.mark.parametrize(
    ("terms", "phase", "second", "claim"),
    [
        (hex_offer(), Phase.COMMITTING, SeedsCommitted(layout=bytes(32), hole=bytes(32)), "commits to a layout seed"),
        (hex_offer(), Phase.LAYOUT_OPENING, LayoutOpened(seed=bytes(32)), "opens its layout seed 00"),
        (
            DECK,
            Phase.SHUFFLING,
            DeckShuffled(deck=bytes(64 * 160), proof=bytes(proof_bytes(160))),
            "shuffles a deck of 160 cards",
        ),
    ],
    ids=["commit", "layout", "shuffle"],
)
def test_chain_2_a_second_message_is_not_told_as_the_one_that_is_due(
    terms: Offered, phase: Phase, second: Event, claim: str, tmp_path: Path
) -> None:
    """Another seat owes one of its kind now: which number it has, and what it is checked against, is that one's."""
    match = Match(terms).until(phase)
    seat, before = match.owing, match.state
    match.turn()
    assert (match.state.phase, match.owing) == (phase, 1 - seat)
    frame = match.sign(seat, match.body(seat, second, seq=before.seq, prev=before.head))
    path = tmp_path / "match.dlt"
    path.write_bytes(match.transcript(frame))
    step = json.loads(invoke("show", "--json", "--explain", str(path))[1])["steps"][-1]
    assert (step["seq"], step["seat"], step["refused"]["code"]) == (before.seq, seat, "chain.equivocation")
    assert step["claim"].startswith(claim)
    assert (step["clause"], step["check"], step["opened"]) == ("", "", [])
    assert [digest["what"] for digest in step["digests"]] == ["this message in the chain"]
