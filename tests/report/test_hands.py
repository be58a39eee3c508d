"""Hands of Hold'em in words: worked out by hand, and of any kind on eighty columns."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest

from dealerless.games.cards import DECK, SUITS, card_text
from dealerless.games.hexrules import CLASSES as HEX_CLASSES
from dealerless.games.holdem import HOLDEM
from dealerless.games.ranking import CLASSES, best, report
from dealerless.protocol.deckdeal import DeckDeal
from dealerless.protocol.state import ActionTaken, HandRecord
from dealerless.referee import Outcome, Verdict, replay
from dealerless.report.cards import best_in_words, face, hand_text, worth
from dealerless.report.text import hand_lines, outcome_lines, verdict_lines
from dealerless.report.view import pot_lines, stacks_when, view, winner
from tests.cli.conftest import clean_bytes
from tests.cli.matches import broken
from tests.holdem import action, end, met, opened, shown_down, stacked, step, terms
from tests.report.tables import at_random, match


def played(stacks: tuple[int, ...], line: str, board: str, holes: dict[int, str], **agreed: Any) -> HandRecord:
    """The record of a hand with this deck and line of moves, button seat 0, everybody showing."""
    hand = opened(terms(**agreed), stacks)
    deck = stacked(hand, board, holes)
    actions = []
    for number, text in enumerate(line.split(), 1):
        seat, move = action(hand := met(hand, deck), text, deck)
        hand = step(hand, seat, move)
        named: Any = move
        actions.append(ActionTaken(number, seat, named.name, named.amount, hand.stacks, sum(hand.totals)))
    hand = shown_down(hand, deck)
    deal = DeckDeal(
        game=HOLDEM,
        suite="",
        session=bytes(32),
        hand=1,
        seats=tuple(range(len(stacks))),
        cards=HOLDEM.deck(),
        keyed=(1, 0),
    )
    return HandRecord(1, HOLDEM, hand, deal, stacks, tuple(actions), end(hand))


def test_H14_side_pots_and_an_uncalled_bet_in_words() -> None:
    """POT-1, POT-2, H14: 60/10/25, all in: 35 come back, two pots of 30, and each has its winner."""
    record = played((60, 10, 25), "0r60 1c 2c", "2c 7d 9h Js 4s", {0: "3c 3d", 1: "Ac Ad", 2: "Kc Kd"})
    assert list(hand_lines(record)) == [
        "hand 1     button seat 0, stacks 60/10/25",
        "           seat 1 posts the small blind 1",
        "           seat 2 posts the big blind 2",
        "preflop    seat 0 raises to 60, all-in        stack 0, pot 63",
        "           seat 1 calls 9, all-in             stack 0, pot 72",
        "           seat 2 calls 23, all-in            stack 0, pot 60",
        "           seat 0 gets 35 back, uncalled      stack 35, pot 60",
        "flop       C2 D7 H9         pot 60, stacks 35/0/0",
        "turn       SJ               pot 60, stacks 35/0/0",
        "river      S4               pot 60, stacks 35/0/0",
        "showdown   seat 0 shows C3 D3  a pair of threes (D3 C3 SJ H9 D7)",
        "           seat 1 shows CA DA  a pair of aces (DA CA SJ H9 D7)",
        "           seat 2 shows CK DK  a pair of kings (DK CK SJ H9 D7)",
        "           main pot 30 between seats 0, 1 and 2: to seat 1",
        "           side pot 30 between seats 0 and 2: to seat 2",
        "           seat 1 wins 30, seat 2 wins 30 at showdown: -25/+20/+5",
    ]
    assert next(iter(outcome_lines(record))).strip() == "seat 0 shows C3 D3  a pair of threes (D3 C3 SJ H9 D7)"


def test_antes_streets_and_a_split_pot_in_words() -> None:
    """HOLDEM-5, HOLDEM-6, POT-4: antes of all together; fixed limit moves get their level; who shares is told once."""
    record = played(
        (100, 100, 100),
        "0r 1c 2f 1b 0r 1c 1k 0k 1k 0b 1c",
        "As Ks Qs Js Ts",
        {0: "2c 2d", 1: "3c 3d"},
        structure="limit",
        small=5,
        big=10,
        ante=1,
    )
    lines = list(hand_lines(record))
    assert lines[1:8] == [
        "           seats 0, 1 and 2 post the ante 1",
        "           seat 1 posts the small blind 5",
        "           seat 2 posts the big blind 10",
        "preflop    seat 0 raises to 20                stack 79, pot 38",
        "           seat 1 calls 15                    stack 79, pot 53",
        "           seat 2 folds                       stack 89, pot 53",
        "flop       SA SK SQ         pot 53, stacks 79/79/89",
    ]
    assert "           seat 1 bets 10                     stack 69, pot 63" in lines
    assert "           seat 0 raises to 20                stack 59, pot 83" in lines
    assert lines[-3:] == [
        "showdown   seat 0 shows C2 D2  royal straight flush (SA SK SQ SJ ST)",
        "           seat 1 shows C3 D3  royal straight flush (SA SK SQ SJ ST)",
        "           seat 1 and seat 0 share 133 at showdown: +5/+6/-11",
    ]


@pytest.mark.parametrize("seats", [2, 6, 9])
def test_hands_of_many_seats_fit_on_eighty_columns(seats: int) -> None:
    """What a terminal shows without wrapping, with stacks of thousands."""
    records, verdict = match(seats, seats, 12)
    for line in [line for record in records for line in hand_lines(record)]:
        assert len(line) <= 80, line
    for line in verdict_lines(view(verdict), "match.dlt"):
        assert len(line) <= 80 or line.startswith("head")


def test_every_chip_that_is_won_is_told() -> None:
    """POT-2 to POT-4, SHOW-3: the pots in words are the pots, and who wins gets what the stacks say."""
    for seed in range(150):
        record = at_random(seed).record()
        paid = [0] * len(record.before)
        for pot in record.pots:
            share, odd = divmod(pot.amount, len(pot.winners))
            for place, seat in enumerate(pot.winners):
                paid[seat] += share + (place < odd)
        assert len(pot_lines(record)) == (len(record.pots) if len(record.pots) > 1 else 0)
        for line, pot in zip(pot_lines(record), record.pots, strict=False):
            assert f" {pot.amount} " in line
            assert all(str(seat) in line for seat in (*pot.seats, *pot.winners))
        if len(record.pots) > 1:
            assert winner(record).startswith(
                ", ".join([f"seat {seat} wins {won}" for seat, won in enumerate(paid) if won])
            )
        text = "\n".join(hand_lines(record))
        for seat, worn in record.shown:
            assert f"seat {seat} shows {hand_text(record.hole[seat] or ())}" in text
            assert worn is None or worth("holdem", worn) in text


def test_every_class_has_its_words() -> None:
    """HOLDEM-2, HEX-10: from the strongest five of random sevens, and one hand written down for each class."""
    assert {
        line: best_in_words("holdem", line)
        for line in (
            "high card, SA HK D9 C8 S7",
            "one pair, SA HA DK C9 S8",
            "two pairs, SA HA D6 C6 SK",
            "three of a kind, S6 H6 D6 CK SQ",
            "straight, S5 H4 D3 C2 SA",
            "flush, SK SJ S9 S8 S2",
            "full house, S2 H2 D2 C3 S3",
            "four of a kind, SQ HQ DQ CQ SK",
            "straight flush, ST S9 S8 S7 S6",
            "royal straight flush, SA SK SQ SJ ST",
        )
    } == {
        "high card, SA HK D9 C8 S7": "high card, ace",
        "one pair, SA HA DK C9 S8": "a pair of aces",
        "two pairs, SA HA D6 C6 SK": "two pairs, aces and sixes",
        "three of a kind, S6 H6 D6 CK SQ": "three of a kind, sixes",
        "straight, S5 H4 D3 C2 SA": "straight to the five",
        "flush, SK SJ S9 S8 S2": "flush, king",
        "full house, S2 H2 D2 C3 S3": "full house, deuces over threes",
        "four of a kind, SQ HQ DQ CQ SK": "four of a kind, queens",
        "straight flush, ST S9 S8 S7 S6": "straight flush to the ten",
        "royal straight flush, SA SK SQ SJ ST": "royal straight flush",
    }
    pick, seen = random.Random(1), set()
    for _ in range(3000):
        cards = pick.sample(DECK, 7)
        words = best_in_words("holdem", report(cards))
        seen.add(best(cards).name)
        assert words.split(",")[0].split(" to ")[0] in (*CLASSES, words) or words.startswith("a pair of ")
    assert len(seen) >= 8
    assert len(CLASSES) == 10
    assert len(HEX_CLASSES) == 8
    assert best_in_words("toy", "7") == ""


def test_a_card_has_a_face_that_needs_no_colour() -> None:
    """HOLDEM-4: rank, the symbol of its suit, and a name to be read out; a hex digit is itself."""
    faces = [face(card_text(card)) for card in DECK]
    assert len({(one.rank, one.symbol) for one in faces}) == len({one.name for one in faces}) == 52
    assert {one.symbol[0] for one in faces} == set("\u2663\u2666\u2665\u2660")
    assert (face("SA").name, face("DT").name, face("H2").name) == (
        "ace of spades",
        "ten of diamonds",
        "deuce of hearts",
    )
    assert {one.suit for one in faces} == {"clubs", "diamonds", "hearts", "spades"}
    assert len(SUITS) == 4
    assert (face("a").rank, face("a").suit, face("a").name) == ("a", "", "")
    assert hand_text(("SA", "DT")) == "SA DT"
    assert hand_text(tuple("19986")) == "19986"


def test_stacks_at_the_end_are_called_what_they_are() -> None:
    """HEX-2, HEX-13: in hex they are of one hand; where stacks carry over they need no word."""
    hex_view = view(replay(clean_bytes()))
    assert stacks_when(hex_view) == "at the end of the last hand; every hand begins anew"
    (line,) = [line for line in verdict_lines(hex_view, "x") if line.startswith("stacks")]
    assert line == "stacks     0/120 at the end of the last hand; every hand begins anew"
    assert stacks_when(view(match(1, 3, 2)[1])) == ""
    assert stacks_when(view(Verdict(outcome=Outcome.INCOMPLETE, game="hex", stacks=(60, 60), net=(0, 0)))) == ""
    assert stacks_when(view(replay(broken().transcript()))) == "with the forfeit"


def test_the_whole_key_is_there_once_and_the_short_one_is_called_fingerprint() -> None:
    """SIG-1: what is compared is the key; 16 digits are for people."""
    seen = view(replay(clean_bytes()))
    text = "\n".join(verdict_lines(seen, "x"))
    for seat in seen.seats:
        assert text.count(seat.key) == 1
        assert f"seat {seat.seat}     fingerprint {seat.fingerprint} name " in text
        assert f"key {seat.fingerprint}" not in text


def test_terms_that_are_long_are_wrapped_between_two_of_them() -> None:
    rules = tuple([(f"a rule of this name {number}", number) for number in range(8)])
    read: Any = SimpleNamespace(hands=3, rules=rules, witnesses=())
    lines = list(verdict_lines(view(Verdict(outcome=Outcome.INCOMPLETE, game="holdem", terms=read)), "x"))
    told = [line[11:] for line in lines if "a rule" in line]
    assert len(told) == 4
    assert " ".join(told) == "holdem, 3 hands, " + ", ".join([f"{name} {value}" for name, value in rules])
