"""One Poker in every report: the course of its rounds, where a laid card comes from, its page and its object."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from dealerless.protocol.events import CardLaid, ClassProven, Revealed, SharesPublished
from dealerless.protocol.state import Phase
from dealerless.referee import Outcome, Verdict, replay
from dealerless.report.chart import Curves
from dealerless.report.checks import Tally
from dealerless.report.course import course
from dealerless.report.decisions import completed, decision
from dealerless.report.document import document, hand_document, step_document
from dealerless.report.naming import naming
from dealerless.report.parts import Course
from dealerless.report.provenance import origin
from dealerless.report.text import hand_lines, verdict_lines
from dealerless.report.view import best_seats, view, winner, won_by
from tests.matches import KEYS, PLAYED, Match, envelopes, hex_offer, named, one_offer, transcript
from tests.one import is_up
from tests.report.deals import hex_deck, rounds, three_seats
from tests.report.markup import assert_inert
from tests.report.onetables import Happened, OneTable
from tests.report.pages import page_of
from tests.report.pages import told as page_told
from tests.report.test_holdem_page import looks
from tests.report.test_provenance import followed

SCHEMA: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "spec" / "verdict.schema.json").read_text(encoding="utf-8")
)


# --- the course


def told(tale: Course) -> list[Happened]:
    """A course as a table notes what happens, from its words."""
    happened: list[Happened] = []
    for entry in [entry for street in tale.streets for entry in street.entries]:
        words = entry.text.replace(",", "").split()
        if entry.kind == "lamps":
            assert (words[2], words[4]) == ("UP", "DOWN")
            happened.append(("lamps", entry.seat, int(words[3]), int(words[1])))
        elif entry.kind == "show":
            happened.append(("show", entry.seat, words[1]))
        elif entry.kind == "move":
            happened.append(("move", entry.seat, entry.seq, *_move(words)))
        elif entry.kind != "post":
            happened.append((entry.kind, entry.seat))
    return happened


def _move(words: list[str]) -> tuple[str, int, int]:
    """The move, what it goes up by, and what it pays, from its words (ONE-7)."""
    numbers = [int(word) for word in words if word.isdecimal()]
    if words[0] == "raises":
        return "RAISE", numbers[0], numbers[1]
    if words[0] == "bets":
        return "BET", numbers[0], numbers[0]
    return words[0].removesuffix("s").upper(), 0, numbers[0] if numbers else 0


def test_the_course_of_a_round_is_what_happened() -> None:
    """ONE-4 to ONE-9, LOT-1: any lives, finished or stopped anywhere: lot, lamps, lays, moves, openings, in order."""
    kinds = set()
    for seed in range(400):
        table = OneTable(seed, stopping=0.01)
        for record, happened in zip(table.records, table.happened, strict=True):
            tale = course(record)
            assert told(tale) == happened, seed
            kinds |= {one[0] for one in happened}
            assert tale.dealt == (0, 1)
            assert tale.posts == (1, 1)
    assert kinds == {"lot", "lamps", "lay", "move", "show"}


def test_who_is_expelled_is_told_last_and_what_it_lost() -> None:
    """VERDICT-4, ONE-5: what it had in the pot, and a life more if it had folded and did not open."""
    more = 0
    for seed in range(400):
        table = OneTable(seed, expelling=0.03)
        for record, happened in zip(table.records, table.happened, strict=True):
            tale = course(record)
            assert told(tale) == happened, seed
            gone = [seat for seat in (0, 1) if ("expelled", seat) in happened]
            assert list(tale.expelled) == gone
            if gone:
                last = tale.streets[-1].entries[-1]
                lost = sum(int(word) for word in re.findall(r"\d+", last.text))
                assert -record.changes[gone[0]] == lost
                more += "more" in last.text
    assert more > 3


def test_a_fresh_shoe_is_told_where_it_comes() -> None:
    """ONE-2: in round 39, and in no other one."""
    table = OneTable(4, lives=(100, 100), rounds=41, betting=False)
    assert len(table.records) == 41
    shoes = [record.number for record in table.records if ("shoe", None) in told(course(record))]
    assert shoes == [39]
    assert [told(course(record)) for record in table.records] == table.happened
    assert "deal       a fresh shoe is shuffled; the kept cards stay where they are" in hand_lines(table.records[38])


def test_lives_and_pot_stand_with_everything() -> None:
    """VERDICT-3: nothing is ever lost on the way."""
    for seed in range(60):
        for record in OneTable(seed, expelling=0.02).records:
            for street in course(record).streets:
                for entry in street.entries:
                    assert sum(entry.stacks) + entry.pot == sum(record.before)


# --- text


def test_the_text_of_a_match() -> None:
    """ONE-6, ONE-7, VERDICT-3: rounds and lives, priority, lamps, lays, laid cards once open, and who has won."""
    verdict = replay(rounds().transcript())
    first, second = verdict.hands[:2]
    lines = list(hand_lines(first))
    lot = first.hand.priority
    assert lines[0] == f"round 1    priority seat {lot}, lives 10/8"
    assert lines[1:3] == ["           seats 0 and 1 post the ante 1", f"deal       seat {lot} has priority, by lot"]
    assert [line for line in lines if "lays a card" in line] == [
        f"lays       seat {lot} lays a card face down",
        f"           seat {1 - lot} lays a card face down",
    ]
    assert "by lot" not in "\n".join(hand_lines(second))
    for hand in verdict.hands:
        text = list(hand_lines(hand))
        for seat, best in hand.shown:
            card = (hand.hole[seat] or ("?",))[0]
            assert any(line.endswith(f"seat {seat} opens {card}  {best}") for line in text)
        assert any(winner(hand) in line for line in text)
        assert max(map(len, text)) <= 80
        assert not any(word in "\n".join(text) for word in ("stack", "hand", "chips", "button", "common"))
    end = "\n".join(verdict_lines(view(verdict), "x"))
    assert "match      onepoker, 6 rounds, lives 10/8" in end
    assert f"lives      {verdict.stacks[0]}/{verdict.stacks[1]}" in end


def test_the_bank_is_one_of_a_round() -> None:
    """VERDICT-6, ONE-1: in text and on the page, as a hand of another game has one."""
    keys = (KEYS[2].public.key,)
    for offer, called in ((one_offer("bank", rounds=1), "round"), (hex_offer("bank", hands=1), "hand")):
        timed = replace(offer, witnesses=keys, threshold=1, move_seconds=60, bank_seconds=30)
        verdict, page = page_told(Match(timed, "bank").until(Phase.BETTING).transcript())
        told_of = f"60 s for a move, a bank of 30 s for a {called}"
        assert told_of in "\n".join(verdict_lines(view(verdict), "x"))
        assert told_of in page


def checked(lives: tuple[int, int], net: tuple[int, int]) -> Verdict:
    """The verdict on a round that both check to its end, and that this one has won."""
    for number in range(16):
        label = f"checked {number}"
        verdict = replay(Match(one_offer(label, rounds=1, lives=lives), label).play(named("CHECK CHECK")).transcript())
        if verdict.net == net:
            return verdict
    raise AssertionError("never won by this one")


def test_lives_decide_and_not_what_was_won() -> None:
    """ONE-10, TABLE-4: lives may differ from the start; who has more at the end has won, and equal ones are a tie."""
    verdict = checked((4, 8), (1, -1))
    assert verdict.stacks == (5, 7)
    assert best_seats(view(verdict)) == (1,)
    assert document(verdict)["won_by"] == [1]
    assert won_by(view(verdict)) == "seat 1 with 7 lives"
    verdict = checked((10, 8), (-1, 1))
    assert verdict.stacks == (9, 9)
    assert document(verdict)["won_by"] == [0, 1]
    assert won_by(view(verdict)) == "seat 0 and seat 1, a tie at 9 lives"


def test_what_is_owed_in_each_phase() -> None:
    """VERDICT-3: who owes what in a copy that ends there, and what the lives were if it forfeited."""
    frames, owed = rounds().frames, {}
    for count in range(5, 24):
        verdict = replay(transcript(*frames[:count]))
        assert verdict.outcome is Outcome.INCOMPLETE
        assert verdict.owes is not None
        text = "\n".join(verdict_lines(view(verdict), "x"))
        (kind,) = verdict.owes.kinds
        owed[kind] = text
        assert f"seat {verdict.owes.seat} owes {kind} in this copy" in text
        assert verdict.pending is not None
        assert "in the running round, by seat" in text
        assert "lives      10/8 before the running round" in text
    assert {"lot", "lot-open", "key", "shuffle", "share", "class", "lay", "act", "reveal"} <= set(owed)


# --- what show tells


def test_a_laid_card_says_whence_it_came() -> None:
    """DECK-4, DECK-8: dealt by the other's shares, classed, laid as one of two, opened by its owner alone."""
    match = rounds()
    said = {envelope.header.seq: envelope for envelope in envelopes(match.frames)}
    hands = replay(match.transcript()).hands
    steps, opened = followed(match)
    assert len(opened) == 2 * len(hands)
    kept: dict[int | None, int] = {}
    for cards in opened:
        laying, seat = cards.laying, cards.owner
        assert laying is not None
        assert seat is not None
        (part,) = cards.parts
        for seq, kind, author in (
            (part.seq, Revealed, seat),
            (laying.lay, CardLaid, seat),
            (laying.classes, ClassProven, seat),
            (laying.dealt.seq, SharesPublished, 1 - seat),
        ):
            assert isinstance(said[seq].event, kind)
            assert said[seq].header.seat == author
        assert laying.dealt.by == 1 - seat
        event = said[laying.dealt.seq].event
        assert isinstance(event, SharesPublished)
        assert len(event.shares) == 32 * len(laying.dealt.slots)
        assert laying.kept == kept.get(seat)
        kept[seat] = laying.lay
        assert laying.dealt.seq < laying.classes < laying.lay < part.seq
        lines = origin(cards)
        assert lines[0] == f"laid card of seat {seat} {cards.cards[0]}, opened by the share of"
        assert lines[1] == f"seat {seat}, its owner: message {part.seq}, proof of purpose open [DECK-8]"
        assert any(f"laid by message {laying.lay}, one of the two cards" in line for line in lines)
        assert lines[-1].startswith("deck 0: keys in messages ")
    assert [cards.cards for cards in opened] == [hand.hole[seat] for hand in hands for seat, _ in hand.shown]
    dealt = [
        slot
        for seat in (0, 1)
        for cards in opened
        if cards.owner == seat and cards.laying is not None
        for slot in cards.laying.dealt.slots
    ]
    assert sorted(dealt) == list(range(2 * len(hands) + 2))
    (one,) = [one for one in steps if opened[0] in one.opened]
    first = opened[0].laying
    assert first is not None
    assert step_document(one, explain=True)["opened"][0]["laying"] == {
        "dealt": {"slots": list(first.dealt.slots), "deck": 0, "seat": first.dealt.by, "seq": first.dealt.seq},
        "classes": first.classes,
        "kept": None,
        "lay": first.lay,
    }


def test_a_fresh_shoe_is_told_by_its_number_and_its_shuffles() -> None:
    """ONE-2, DECK-3: deck 1 of the match, under the keys of deck 0; the kept card is still one of the old one."""
    match = Match(one_offer("fresh", rounds=39, lives=(50, 50)), "fresh").play(named(""))
    steps, opened = followed(match)
    shuffles = [one for one in steps if one.kind == "shuffle"]
    assert [one.claim for one in shuffles] == [
        *[f"shuffles the deck of 156 cards, shuffle {number} of 2" for number in (1, 2)],
        *[f"shuffles a fresh shoe of 156 cards, deck 1 of this match, shuffle {number} of 2" for number in (1, 2)],
    ]
    assert {cards.deck for cards in opened[:76]} == {0}
    assert len(opened) == 78
    for cards in opened[76:]:
        assert cards.deck == 1
        assert cards.keys == opened[0].keys
        assert [seq for _, seq in cards.shuffles] == [one.seq for one in shuffles[2:]]
        assert cards.laying is not None
        assert cards.laying.dealt.slots in ((0,), (1,))
        assert cards.laying.kept is not None
        assert cards.laying.kept < shuffles[2].seq


def test_the_lot_can_be_redone_in_a_shell() -> None:
    """LOT-1, COMMIT-2: both commitments from their seeds, and the seat from the digest of all of them."""
    steps, _ = followed(rounds())
    lots = [one for one in steps if one.kind == "lot"]
    opens = [one for one in steps if one.kind == "lot-open"]
    digests = [digest for one in opens for digest in one.digests if "chain" not in digest.what]
    assert [digest.what.split(":")[0] for digest in digests] == ["the commitment of this lot seed"] * 2 + ["the lot"]
    for digest in digests:
        printed = subprocess.run(["/bin/sh", "-c", digest.command], capture_output=True, check=True, timeout=60)
        assert printed.stdout.split()[0].decode() == digest.digest
    assert [digest.digest for digest in digests[:2]] == [one.values[0].digits for one in lots]
    seat = int(digests[2].digest[:16], 16) % 2
    assert opens[1].result == f"the lot falls on seat {seat}"
    assert seat == replay(rounds().transcript()).hands[0].hand.priority


def test_the_checks_mention_lot_lamps_lays_and_openings() -> None:
    """LOT-1, DECK-8: how many messages, and how many cards their proofs are about."""
    tally = Tally()
    verdict = replay(rounds().transcript(), on_frame=tally.on_frame)
    kinds = {(kind.kind, kind.clause): kind for kind in tally.checks(verdict)[6].kinds}
    count = len(verdict.hands)
    assert (kinds["lot", "LOT-1"].passed, kinds["lot-open", "LOT-1"].passed) == (2, 2)
    lamps, lays, opening = kinds["class", "DECK-8"], kinds["lay", "DECK-8"], kinds["reveal", "DECK-8"]
    assert (lamps.passed, lamps.proven, lamps.what) == (2 * count, 2 * count + 2, "card")
    assert (lays.passed, lays.proven, lays.what) == (2 * count, 4 * count, "card")
    assert (opening.passed, opening.proven, opening.what) == (2 * count, 2 * count, "share")
    assert kinds["share", "DECK-4"].proven == 2 * count + 2
    assert kinds["act", "ONE-7"].passed == sum(len(hand.actions) for hand in verdict.hands)
    assert len({kind.text for kind in kinds.values()}) == len(kinds)


def test_a_lay_is_told_without_its_card_until_that_opens() -> None:
    """ONE-5: a reason that was noted is one of a card, which the message of the lay does not tell."""
    lays = []
    verdict = replay(
        rounds().transcript(),
        on_frame=lambda before, admitted, after, refusal: lays.append(decision(before, admitted)),
    )
    told_of = [one for one in lays if one is not None and one.what == "LAY"]
    assert len(told_of) == 2 * len(verdict.hands)
    for one in told_of:
        hand = verdict.hands[one.hand - 1]
        card = (hand.hole[one.seat] or ("?",))[0]
        assert completed(one, hand) == one._replace(what=f"LAY {card}")


# --- the page


def test_the_page_of_a_match() -> None:
    """F13: priority, lamps and laid cards by seat, what was laid and moved, lives drawn, nothing of hands or chips."""
    verdict, page = page_told(rounds().transcript())
    text = assert_inert(page).text
    hands = replay(rounds().transcript()).hands
    assert "Lives of each seat, round by round" in text
    assert f"{len(hands)} rounds" in text
    for hand in hands:
        priority = hand.hand.priority
        lamps = hand_document(hand)["lamps"]
        for seat, best in hand.shown:
            tag = " priority" if seat == priority else ""
            shown = f"{lamps[seat][1]} UP {lamps[seat][0]} DOWN {looks(hand.hole[seat] or ())}"
            assert f"seat {seat}{tag} {shown} {best}" in text
        for action in hand.actions:
            assert re.search(rf"\b{action.seq} {action.seat} [a-z0-9, ]+ {action.stacks[0]} {action.stacks[1]}", text)
    assert "Lives 0 Lives 1 Pot" in text
    assert all(line in text for opened in followed(rounds())[1] for line in origin(opened))
    assert "the lot: its first 16 digits" in text
    assert f"seat {best_seats(view(verdict))[0]} with {max(verdict.stacks)} lives" in text
    assert not re.search(r"Stack|\bhand\b|stacks", text.split("Checks")[0])


def test_the_page_has_who_opens_and_who_shows_in_order() -> None:
    """ONE-5, SHOW-1: after the betting, in a part of its own: who bet last does so first, also after a fold."""
    orders = set()
    for match, title, verb in ((rounds(), "Opening", "opens"), (three_seats(), "Showdown", "shows")):
        text = assert_inert(page_told(match.transcript())[1]).text
        for hand in replay(match.transcript(), games=PLAYED).hands:
            _, begin, rest = text.partition(f"{hand.actions[-1].seq} {hand.actions[-1].seat} ")
            part = rest.partition(f"after the {naming(hand.game.name).hand}")[0].partition(title)[2]
            shown = [seat for seat, _ in hand.shown]
            places = [part.index(f"{seat} {verb} {looks(hand.hole[seat] or ())}") for seat in shown]
            assert begin
            assert places == sorted(places)
            orders.add(tuple(shown))
    assert orders >= {(0, 1), (1, 0), (2, 0)}


def test_a_round_that_runs_is_told_as_far_as_it_went() -> None:
    """ONE-5: a laid card stays a closed one; who has not laid yet is told of."""
    _, page = page_told(transcript(*laying().frames))
    text = assert_inert(page).text
    assert "? laid, not open" in text
    assert "? not laid yet" in text


def laying() -> Match:
    """A match that stops between the two lays."""
    match = Match(one_offer("laying", rounds=1), "laying").until(Phase.LAYING)
    return match.turn()


def test_lives_are_drawn_from_those_of_the_start() -> None:
    """ONE-1: unequal ones begin apart, and end where the verdict has them."""
    curves = Curves()
    verdict = replay(rounds().transcript(), on_hand=curves.add)
    chart = curves.chart(verdict)
    assert chart is not None
    assert chart.title == "Lives of each seat, round by round"
    assert [line.label for line in chart.lines] == [f"seat {seat} {verdict.stacks[seat]}" for seat in (0, 1)]
    assert len({line.corners.split(" ")[0] for line in chart.lines}) == 2
    assert "after round" in chart.description[0] or "at the start" in chart.description[0]


def test_a_drawing_without_room_for_all_says_so_of_rounds() -> None:
    """F13: the sentence below it is one of this game too."""
    table = OneTable(7, lives=(500, 500), rounds=500, betting=False)
    text = assert_inert(page_of(table.records, replay(rounds().transcript()))).text
    assert "The match has more rounds than the drawing has room for" in text


# --- the object


def check(data: bytes) -> dict[str, Any]:
    verdict = document(replay(data))
    Draft202012Validator(SCHEMA).validate(verdict)
    return verdict


def test_the_object_has_lamps_and_priority() -> None:
    """ONE-4, ONE-6: of the common form, with the laid card alone as hole, and lamps as they were before it opened."""
    verdict = check(rounds().transcript())
    assert verdict["terms"]["rules"] == {"lives": [10, 8]}
    assert verdict["net"] == [end - start for end, start in zip(verdict["stacks"], (10, 8), strict=True)]
    stacks = [10, 8]
    for number, hand in enumerate(verdict["hands"]):
        assert hand["board"] == hand["common"] == []
        assert [one["seat"] for one in hand["shown"]] == [hand["priority"], 1 - hand["priority"]]
        assert hand["button"] == (hand["priority"] if number else 0)
        assert [len(cards) for cards in hand["hole"]] == [1, 1]
        assert hand["posts"] == [1, 1]
        for seat in (0, 1):
            assert sum(hand["lamps"][seat]) == 2
            assert hand["lamps"][seat][is_up(hand["hole"][seat][0])] > 0
        stacks = [have + change for have, change in zip(stacks, hand["changes"], strict=True)]
    assert stacks == verdict["stacks"]


def part() -> Draft202012Validator:
    hand = {"$ref": "#/$defs/hand", "allOf": [{"$ref": "#/$defs/onepoker_hand"}], "$defs": SCHEMA["$defs"]}
    return Draft202012Validator(hand)


def test_lamps_are_what_was_held_after_the_deal() -> None:
    """ONE-4: at every moment, whatever has opened since; they and all else of a round fit the schema."""
    validator = part()
    for seed in range(300):
        table = OneTable(seed, expelling=0.02, stopping=0.02)
        for record, lamps in zip(table.records, table.lamps, strict=True):
            told_of = hand_document(record)
            validator.validate(told_of)
            assert told_of["lamps"] == lamps, seed
            assert told_of["priority"] == record.hand.priority


def test_other_games_have_neither() -> None:
    for match in (hex_deck(), three_seats()):
        for hand in check(match.transcript())["hands"]:
            assert hand["lamps"] is hand["priority"] is None


def test_cuts_of_every_kind_fit_the_schema() -> None:
    frames, kinds = rounds().frames, set()
    for count in range(4, 26):
        kinds |= set((check(transcript(*frames[:count]))["owes"] or {"kinds": ()})["kinds"])
    assert {"lot", "lot-open", "key", "shuffle", "share", "class", "lay", "act", "reveal"} <= kinds


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("hands", 0, "lamps"), None),
        (("hands", 0, "lamps"), [[1, 1]]),
        (("hands", 0, "lamps", 0), [3, 0]),
        (("hands", 0, "priority"), 2),
        (("hands", 0, "board"), ["SA"]),
        (("hands", 0, "hole", 0), ["SA", "SK"]),
        (("hands", 0, "shown", 0, "best"), "UP 5"),
        (("hands", 0, "actions", 0, "move"), "ALLIN"),
        (("terms", "rules", "lives"), 10),
        (("dealing",), "deck"),
    ],
)
def test_the_schema_refuses_what_a_round_never_is(where: tuple[str | int, ...], value: object) -> None:
    verdict: Any = check(rounds().transcript())
    target = verdict
    for key in where[:-1]:
        target = target[key]
    target[where[-1]] = value
    assert not Draft202012Validator(SCHEMA).is_valid(verdict)
