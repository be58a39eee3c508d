"""One Poker at the terminal: what is in view, what is asked and refused at a lay, what is told of the other."""

from __future__ import annotations

import dataclasses
import json
import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from dealerless.cli.person import Person
from dealerless.cli.scene import legal_text, so_far_lines, table_lines, tally_lines
from dealerless.cli.screen import Screen
from dealerless.cli.table import terms_lines
from dealerless.cli.terminal import Terminal
from dealerless.errors import TransportError
from dealerless.games.cards import RANKS, rank_of
from dealerless.games.onepoker import ONEPOKER
from dealerless.journal.notes import Noted, NotesFile, beside, read_notes
from dealerless.players.player import SeatView, seat_view
from dealerless.protocol.envelope import decode_body
from dealerless.protocol.events import Acted, Event
from dealerless.protocol.records import decode_frame
from dealerless.protocol.state import Phase
from dealerless.referee import Outcome, replay
from tests.cli.running import invoke
from tests.cli.test_play import run
from tests.matches import Match, named, one_offer, transcript

pytestmark = pytest.mark.timeout(300)


class Watched(Match):
    """A match with somebody at the terminal of seat 1."""

    def say(self, seat: int, event: Event) -> bytes:
        session = self.sessions[1]
        before = session.state
        frame = super().say(seat, event)
        Screen(Terminal(), session, notices=False).stepped(before, decode_body(decode_frame(frame)[0]), session.state)
        return frame


@cache
def at_lay() -> Match:
    """Round 3, with four cards seen: seat 1 is to lay."""
    match = Match(one_offer("lay", rounds=4, lives=(10, 8)), "lay").play_to_hand(3)
    return match.until(Phase.LAYING).until_owing(1)


@cache
def betting() -> Match:
    """The same round as it goes on: one has bet two, and seat 1 is to answer, or the other way round."""
    match = Match(one_offer("lay", rounds=4, lives=(10, 8)), "lay").play_to_hand(3).until(Phase.BETTING)
    match.say(match.owing, Acted(move="BET", amount=2))
    return match


def answers(
    monkeypatch: pytest.MonkeyPatch, *typed: str, told: Callable[[int], bool] = lambda number: False
) -> tuple[Person, list[str]]:
    """A person who types these lines, and the prompts that it is asked with."""
    terminal, lines, asked = Terminal(), iter(typed), list[str]()

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return next(lines)

    monkeypatch.setattr(terminal, "forget_typed", lambda: None)
    monkeypatch.setattr(terminal, "ask", ask)
    return Person(terminal, told), asked


# --- what is in view


def in_view(view: SeatView) -> str:
    return "\n".join(table_lines(view))


def test_lamps_lives_pot_cards_seen_and_priority_are_in_view_at_every_decision() -> None:
    """ONE-4, ONE-6: at a lay as at a move."""
    for match in (at_lay(), betting()):
        hand = match.state.running.hand
        view = seat_view(match.sessions[match.owing])
        text = in_view(view)
        assert f"priority seat {hand.priority}, pot {sum(hand.totals)}; round 3 of 4\n" in text
        assert len(hand.played) == 4
        seen = sorted(hand.played, key=rank_of)
        assert f"seen in this shoe: {' '.join(map(ONEPOKER.card_text, seen))}\n" in text
        for seat, (down, up) in enumerate(hand.lamps):
            (line,) = [line for line in text.splitlines() if line.startswith(f"seat {seat}")]
            assert f"lives {hand.stacks[seat]} " in line
            assert f"lamps {up} UP {down} DOWN" in line
            assert (", priority" in line) == (seat == hand.priority)
            assert ("has laid" in line) == (seat in hand.laid)
        assert not any(word in text for word in ("stack", "button", "all-in", "chips"))


def test_the_cards_of_a_whole_shoe_are_in_order_and_fit_a_screen() -> None:
    """ONE-2: 74 of the 78 may have been opened."""
    view = seat_view(at_lay().sessions[1])
    played = tuple(random.Random(1).sample(ONEPOKER.deck(), 74))
    play = view.play._replace(hand=view.hand._replace(played=played))
    lines = list(table_lines(dataclasses.replace(view, play=play)))
    (first,) = [place for place, line in enumerate(lines) if line.startswith("seen in this shoe: ")]
    after = first + next(place for place, line in enumerate(lines[first + 1 :], 1) if not line.startswith("  "))
    assert max(map(len, lines)) <= 78
    cards = " ".join(lines[first:after]).removeprefix("seen in this shoe: ").split()
    assert sorted(cards) == sorted(map(ONEPOKER.card_text, played))
    ranks = [RANKS.index(card[1]) for card in cards]
    assert ranks == sorted(ranks)


def test_own_cards_have_numbers_before_the_lay_and_names_after_it() -> None:
    """ONE-5."""
    match = at_lay()
    kept, new = map(ONEPOKER.card_text, match.sessions[1].hole())
    assert f"your cards 1: {kept}, 2: {new}\n" in in_view(seat_view(match.sessions[1]))
    match = betting()
    for session in match.sessions:
        laid, kept = map(ONEPOKER.card_text, session.hole())
        assert f"your cards laid {laid}, kept {kept}\n" in in_view(seat_view(session))


def test_amounts_are_told_as_they_count() -> None:
    """ONE-7: a raise is by how many lives it goes on top of what is owed."""
    match = betting()
    view = seat_view(match.sessions[match.owing])
    most = max(option.most for option in view.legal)
    assert legal_text(view) == f"CALL (pays 2), RAISE 1..{most} more, FOLD"
    assert "\nyou owe 2" in in_view(view)


def test_the_tally_counts_the_cards_of_the_shoe() -> None:
    """ONE-2: twelve of each rank are in three decks; 78 less the four of the first round and two of each later one."""
    hand = at_lay().state.running.hand
    first, second = tally_lines(hand)
    counts = dict(zip(*[iter(first.partition(": ")[2].split())] * 2, strict=True))
    ranks = [RANKS[rank_of(card)] for card in hand.played]
    assert counts == {rank: str(ranks.count(rank)) for rank in RANKS}
    assert sum(map(int, counts.values())) == 4
    assert first.startswith("opened in this shoe, of 12 each: ")
    assert second == "70 of the 78 cards that are used of it are still to be dealt"
    assert next(line for line in tally_lines(hand._replace(used=78)) if "fresh" in line).startswith("0 of the 78 ")


def test_unequal_lives_are_named_seat_by_seat() -> None:
    """ONE-1."""
    offer = one_offer(lives=(10, 8))
    text = "\n".join(terms_lines(offer, bytes(32)))
    assert "lives 10/8\n         seat 0 risks 10, seat 1 risks 8 lives a match\n" in text
    assert "each seat risks 10 lives a match" in "\n".join(terms_lines(one_offer(), bytes(32)))
    assert "rounds 5\n" in text
    timed = replace(offer, witnesses=(bytes(32),), threshold=1, move_seconds=60, bank_seconds=30)
    assert "60 s for a move, and a bank of 30 s for each round" in "\n".join(terms_lines(timed, bytes(32)))


def test_of_two_players_nobody_has_a_side_pot() -> None:
    """ONE-7: who bets the last life has put in more than the other, and it is one pot all the same."""
    match = Match(one_offer("pot", rounds=1, lives=(3, 3)), "pot").until(Phase.BETTING)
    match.say(match.owing, Acted(move="BET", amount=2))
    text = in_view(seat_view(match.sessions[match.owing]))
    assert ", pot 4; round 1 of 1\n" in text
    assert ", no life left" in text
    assert "pots" not in text


def test_who_comes_back_sees_what_was_moved_and_then_only_when_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """ONE-7: another process has seen it, and what is owed is owed to something."""
    match = betting()
    view = seat_view(match.sessions[match.owing])
    told = f"  so far: seat {1 - match.owing} BET 2\n  priority seat "
    person, _ = answers(monkeypatch, "table", "call", "call")
    assert person.decide(view).name == "CALL"
    assert capsys.readouterr().out.count(told) == 2
    assert person.decide(view).name == "CALL"
    assert "so far" not in capsys.readouterr().out
    # It was told as it came.
    person, _ = answers(monkeypatch, "call", told=lambda number: number == 3)
    assert person.decide(view).name == "CALL"
    assert "so far" not in capsys.readouterr().out
    # Where nobody has moved there is nothing to tell.
    assert list(so_far_lines(seat_view(at_lay().sessions[1]))) == []


def test_what_this_process_has_told_is_not_said_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A hand that was told from its start needs no summary; one that another process began does, once."""
    match = Match(one_offer("twice", rounds=2), "twice").until(Phase.BETTING)
    screen = Screen(Terminal(), match.sessions[1], notices=False)
    assert not screen.told(1)
    while match.state.books.number < 2 or match.state.play is None:
        before = match.sessions[1].state
        match.turn()
        said = decode_body(decode_frame(match.frames[-1])[0])
        screen.stepped(before, said, match.sessions[1].state)
    assert screen.told(2)
    assert not screen.told(1)
    # Seat 0 is asked first behind a move: in hex the other seat opens.
    played = run(tmp_path, "play", "--game", "hex", "--hands", "2", "--deal", "hash", typed=b"fold\ncheck\n" * 20)
    assert played.status == 0, played.err
    assert "so far: " not in played.out


# --- what is asked


@pytest.mark.parametrize(("typed", "place"), [("1", 0), ("2", 1), ("  2  ", 1)])
def test_a_card_is_laid_by_its_number(typed: str, place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    person, asked = answers(monkeypatch, typed)
    assert person.lays(seat_view(at_lay().sessions[1])) == place
    assert asked == ["  lay which card face down (1 or 2)> "]


@pytest.mark.parametrize("typed", ["0", "3", "1 2", "-1", "check", "H3", "\u0661", "9" * 300, "1\x1b[2J", "leave now"])
def test_what_is_no_card_is_refused_and_costs_nothing(
    typed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    person, asked = answers(monkeypatch, typed, "", "2")
    assert person.lays(seat_view(at_lay().sessions[1])) == 1
    assert len(asked) == 3
    (refusal,) = [line for line in capsys.readouterr().out.splitlines() if "refused" in line]
    assert refusal.startswith("  refused, nothing lost: this is no card of yours: ")
    assert "\x1b" not in refusal
    assert len(refusal) < 120


def test_help_tally_table_leave_and_quit_at_a_lay_and_at_a_move(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """CHAIN-5, VERDICT-6: and the prompt has the time."""
    typed = ("help", "tally", "table", "leave", "stay", "quit")
    left = iter(range(40, 0, -1))
    person, asked = answers(monkeypatch, *typed)
    with pytest.raises(TransportError, match=r"transport\.left"):
        person.lays(seat_view(at_lay().sessions[1], lambda: next(left)))
    assert asked[-1] == "  lay which card face down (1 or 2) (35 s left)> "
    out = capsys.readouterr().out
    match = betting()
    person, _ = answers(monkeypatch, *typed)
    with pytest.raises(TransportError, match=r"transport\.left"):
        person.decide(seat_view(match.sessions[match.owing]))
    at_move = capsys.readouterr().out
    for text in (out, at_move):
        assert "  opened in this shoe, of 12 each: 2 " in text
        assert "  tally counts the cards that were opened of this shoe" in text
        assert "  the rules: dealerless rules onepoker\n" in text
        assert text.count("  seen in this shoe: ") == 2
        assert "  you stay\n" in text
        # TABLE-4, ONE-6: what leaving costs, and when it can be, both in the help and when it is asked for.
        when, costs = "once you have priority, which taking a pot gives", "last, whatever lives it keeps (TABLE-4)"
        assert text.count(f"  a round is yours to start {when}; who leaves ranks {costs}\n") == 2
        assert "  leave ends your match between two rounds, with your lives: it is signed in place of\n" in text
        assert "  you leave, with your lives, when your turn to start a round comes: it is signed then\n" in text
        assert not any(word in text for word in ("chips", "a hand", "button"))
    assert "  type 1 or 2; the other sees that you laid a card and not which" in out
    assert "  the amount of a raise is the lives that it adds, behind paying what is owed: 1 to " in at_move


# --- what is told


def test_the_screen_tells_a_round_as_it_goes(capsys: pytest.CaptureFixture[str]) -> None:
    """LOT-1, ONE-4 to ONE-9: the lot, lamps after each deal, lays, moves, opened cards, who has priority next."""
    match = Watched(one_offer("told", rounds=3), "told")
    match.play(named("CHECK BET FOLD"))
    hands = match.verdict().hands
    lines = capsys.readouterr().out.splitlines()

    def who(seat: int) -> str:
        return f"seat {seat}{' (you)' if seat == 1 else ''}"

    first = hands[0].hand
    assert lines[0] == "round 1 of 3: one life of each in the pot; the lot gives the priority"
    assert lines[1] == f"  priority: {who(first.priority)}, by lot; it is dealt, lays and bets first"
    lays = [line for line in lines if "lays a card face down" in line]
    assert lays[:2] == [f"  {who(seat)} lays a card face down" for seat in (first.priority, 1 - first.priority)]
    assert len(lays) == 2 * len(hands)
    assert sum(line.startswith("  lamps: seat 0 ") for line in lines) == len(hands)
    for hand in hands[1:]:
        seat = hand.hand.priority
        assert f"round {hand.number} of 3: one life of each in the pot; {who(seat)} has priority" in lines
    for hand in hands:
        for seat, best in hand.shown:
            (card,) = hand.hole[seat] or ("",)
            assert f"  {who(seat)} opens {card}: {best}" in lines
    bet = next(line for line in lines if " BET 1" in line)
    assert bet.endswith(", lives 9/8, pot 3") or bet.endswith(", lives 8/9, pot 3")
    assert not any("fresh shoe" in line or "stack" in line or "hand" in line for line in lines)


def test_a_fresh_shoe_and_a_seat_without_lives_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    """ONE-2, ONE-10."""
    match = Match(one_offer("shoe", rounds=39, lives=(60, 60)), "shoe").play_to_hand(39)
    match.__class__ = Watched
    capsys.readouterr()
    match.until(Phase.LAYING)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("; a fresh shoe of 156 cards is shuffled")
    Watched(one_offer("last", rounds=9, lives=(1, 1)), "last").play()
    assert " is out of lives, and signs the end with the other\n" in capsys.readouterr().out


# --- reasons


def test_why_a_card_was_laid_is_told_when_the_match_is_over_and_not_before(tmp_path: Path) -> None:
    """DRAW-9, ONE-3: the reason of a lay may name the card that was kept, which nobody knows until it is laid too."""
    match = Match(one_offer("why", rounds=2), "why").play()
    verdict = match.verdict()
    path = tmp_path / "why.dlt"
    notes = []
    for hand in verdict.hands:
        for seat in (0, 1):
            (card,) = hand.hole[seat] or ("",)
            notes.append(Noted(hand.number, seat, 0, f"LAY {card}", f"laid in {hand.number} by {seat}"))
            notes.append(Noted(hand.number, seat, 0, "LAY ZZ", "another card than that"))
        notes.append(Noted(hand.number, hand.actions[0].seat, 0, hand.actions[0].move, f"moved in {hand.number}"))
    assert verdict.session is not None
    with NotesFile.create(beside(path)) as file:
        for note in notes:
            file.append(verdict.session, note)
    kinds = [decode_body(decode_frame(frame)[0]).event.KIND for frame in match.frames]
    last_open = max(place for place, kind in enumerate(kinds) if kind == "reveal")
    first_over = kinds.index("hand", kinds.index("hand") + 1)

    def reasons(frames: list[bytes]) -> set[str]:
        path.write_bytes(transcript(*frames))
        _, out, _ = invoke("show", str(path), "--reasons", "--json")
        return {step["reason"] for step in json.loads(out)["steps"]} - {None}

    lays = {f"laid in {number} by {seat}" for number in (1, 2) for seat in (0, 1)}
    assert reasons(match.frames) == lays | {"moved in 1", "moved in 2"}
    # With the last card open the match is over, and nobody has anything left to hide.
    assert reasons(match.frames[: last_open + 1]) == lays | {"moved in 1", "moved in 2"}
    assert reasons(match.frames[:last_open]) == {"moved in 1"}
    assert reasons(match.frames[: first_over + 1]) == {"moved in 1"}
    assert reasons(match.frames[: first_over - 1]) == set()


# --- processes


def test_a_person_plays_one_poker_through_a_pipe(tmp_path: Path) -> None:
    """All of it from an empty home: help, a tally, lays and moves; then the reports of what was written."""
    # A fold takes no last life, so that there is a second round whatever the other bets.
    typed = b"help\ntally\n3\n1\nfold\ncheck\n" * 20
    words = ("--game", "onepoker", "--lives", "10/8", "--hands", "2", "--bot", "hard", "--out", "p.dlt")
    played = run(tmp_path, "play", *words, typed=typed)
    assert played.status == 0, played.err
    out = played.out
    assert "2 rounds of onepoker, dealing shoe" in out
    assert "round 2 of 2: one life of each in the pot; seat " in out
    assert "  lay which card face down (1 or 2)> " in out
    assert "this is no card of yours: 3" in out
    assert "opened in this shoe, of 12 each: 2 0 " in out
    assert out.count("  seat 0 (you) lays a card face down\n") == out.count("  seat 1 lays a card face down\n") == 2
    verdict = replay((tmp_path / "p.dlt").read_bytes())
    assert (verdict.outcome, verdict.game, sum(verdict.stacks)) == (Outcome.CLEAN, "onepoker", 18)
    with (tmp_path / "p.dlt.notes").open("rb") as stream:
        noted = list(read_notes(stream, "p.dlt.notes"))
    assert {line.noted.what.split()[0] for line in noted} >= {"LAY"}
    path = str(tmp_path / "p.dlt")
    status, shown, _ = invoke("show", path, "--reasons", "--explain")
    assert status == 0
    told = [line for line in shown.splitlines() if "reason noted: " in line]
    assert len(told) == len(noted)
    assert "then: the lot falls on seat " in shown
    assert "          laid by message " in shown
    status, audited, _ = invoke("audit", path, "--html", str(tmp_path / "p.html"))
    assert status == 0
    assert "lives      " in audited
    assert "round 2    priority seat " in audited
    assert "Lives of each seat, round by round" in (tmp_path / "p.html").read_text()


def test_a_demo_of_one_poker(tmp_path: Path) -> None:
    """Two processes play, a third judges, and the object has the lamps."""
    words = ("--game", "onepoker", "--hands", "2", "--bot", "medium", "--out", "d.dlt", "--json")
    shown = run(tmp_path, "demo", *words)
    assert shown.status == 0, shown.err
    verdict = json.loads(shown.out)
    assert (verdict["outcome"], verdict["game"], verdict["terms"]["rules"]) == (
        "clean",
        "onepoker",
        {"lives": [10, 10]},
    )
    assert all([sum(lamps) for lamps in hand["lamps"]] == [2, 2] for hand in verdict["hands"])
    best = max(verdict["stacks"])
    assert verdict["won_by"] == [seat for seat, lives in enumerate(verdict["stacks"]) if lives == best]


def test_the_arena_plays_matches_of_it() -> None:
    status, out, _ = invoke("arena", "--game", "onepoker", "--bots", "easy,easy", "--deals", "128", "--jobs", "1")
    assert status == 0
    assert "128 deals, each in 2 rotations: 256 matches; 1 look\n" in out
    assert " lives a match, 95 % interval " in out
