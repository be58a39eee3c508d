"""Who is not dealt in, and why a match ended before its last hand, in every report that people read."""

from __future__ import annotations

from functools import cache

from dealerless.games.game import Option
from dealerless.protocol.events import Acted, Event, Left
from dealerless.protocol.state import HandRecord, Phase, State
from dealerless.referee import replay
from dealerless.report.course import course
from dealerless.report.page import Page
from dealerless.report.steps import Step, step
from dealerless.report.text import hand_lines, verdict_lines
from dealerless.report.undealt import why_undealt
from dealerless.report.view import ended_early, view
from tests.matches import Match, draw_offer, hex_offer, holdem_offer

DEAREST = 1 + 4 * 20


@cache
def ended() -> Match:
    """Three, of whom nobody may be all-in: ante by ante, fewer and fewer have what a hand can cost."""
    return Match(draw_offer("few", hands=20, allin=False, stack=DEAREST + 2), "few").play()


def short(hand: HandRecord) -> list[int]:
    return [seat for seat, stack in enumerate(hand.before) if 0 < stack < DEAREST]


def test_a_hand_tells_who_has_too_few_chips_for_it() -> None:
    """DRAW-7: the number is what one hand can cost, and the others are not told of."""
    hands = ended().verdict().hands
    assert [hand for hand in hands if short(hand)]
    for hand in hands:
        lines = [line.strip() for line in hand_lines(hand) if "not dealt in" in line]
        assert lines == [
            f"seat {seat} is not dealt in: too few chips for a hand, {hand.before[seat]} of the 81 that one can cost"
            for seat in short(hand)
        ]
        assert set(course(hand).dealt) == {0, 1, 2} - set(short(hand))


def test_the_start_of_such_a_hand_tells_it_step_by_step() -> None:
    steps: list[Step] = []
    hands = replay(ended().transcript(), on_frame=lambda *seen: steps.append(step(*seen))).hands
    starts = [one for one in steps if one.kind == "hand"]
    assert len(starts) == len(hands)
    for start, hand in zip(starts, hands, strict=True):
        assert start.result.count("is not dealt in: too few chips for a hand") == len(short(hand))


def test_the_match_tells_why_it_ended() -> None:
    """TABLE-4: after which hand of how many, who could go on, and who not."""
    seen = view(ended().verdict())
    last = seen.verdict.hands[-1]
    (able,) = [seat for seat, stack in enumerate(last.after) if stack >= DEAREST]
    assert ended_early(seen) == (
        f"after hand {last.number} of 20: only seat {able} can be dealt into another one",
        *[f"seat {seat} has too few chips ({last.after[seat]})" for seat in range(3) if seat != able],
    )
    lines = list(verdict_lines(seen, "x"))
    (place,) = [place for place, line in enumerate(lines) if line.startswith("ended ")]
    text = " ".join(line.strip() for line in lines[place : place + 3])
    assert " ".join(text.split()[1:]).startswith(", ".join(ended_early(seen)))


def test_the_page_tells_both() -> None:
    page = Page()
    hands: list[HandRecord] = []

    def on_hand(hand: HandRecord) -> None:
        hands.append(hand)
        page.on_hand(hand)

    verdict = replay(ended().transcript(), on_hand=on_hand, on_frame=page.on_frame)
    html = "".join(page.pieces(verdict, "x"))
    assert html.count("not dealt in: too few chips for a hand, ") == sum(len(short(hand)) for hand in hands)
    assert f"after hand {hands[-1].number} of 20: only seat " in html


def test_all_hands_played_need_no_reason() -> None:
    match = Match(hex_offer("all", hands=2), "all").play()
    assert ended_early(view(match.verdict())) == ()
    assert not [line for line in verdict_lines(view(match.verdict()), "x") if line.startswith("ended")]


def test_a_match_that_is_not_over_has_not_ended() -> None:
    match = Match(hex_offer("all", hands=2), "all").until(Phase.BETTING)
    assert ended_early(view(match.verdict())) == ()


def test_who_left_is_no_longer_in_the_match_and_who_has_nothing_is_out_of_chips() -> None:
    """CHAIN-5: the chips of who left are enough, and the match goes on without it."""
    match = Match(holdem_offer("left", seats=3, hands=3, stack=20), "left").play_to_hand(2)
    gone = match.owing
    match.say(gone, Left())
    hand = match.play().verdict().hands[1]
    assert why_undealt(hand, gone) == "no longer in the match"
    assert [line for line in hand_lines(hand) if f"seat {gone} is not dealt in: no longer in the match" in line]
    assert why_undealt(hand._replace(before=(0, 0, 0)), gone) == "out of chips"


def test_who_has_lost_all_is_out_of_chips() -> None:
    def most(state: State, options: tuple[Option, ...]) -> Event:
        option = max(options, key=lambda option: (option.name != "FOLD", option.most))
        return Acted(move=option.name, amount=option.most)

    seen = view(Match(holdem_offer("out", hands=5, stack=4), "out").play(most).verdict())
    number = seen.verdict.hands[-1].number
    out = seen.verdict.stacks.index(0)
    assert ended_early(seen) == (
        f"after hand {number} of 5: only seat {1 - out} can be dealt into another one",
        f"seat {out} is out of chips",
    )
