"""The cheat gallery: each story convicts whom it says, by the file alone; the rest blame nobody (VERDICT-1, VERDICT-2).

Two referees judge each: the package's, and the second reading beside the specification, which shares no code with it.
"""

from __future__ import annotations

import io
import json
import re
from functools import cache
from pathlib import Path

import pytest

from dealerless.errors import CODES
from dealerless.games.hex import HEX
from dealerless.players.gallery import CHEATS, STORIES, UNPROVABLE
from dealerless.players.staging import BET, SMALL, Cheat, Played, Story, Unprovable
from dealerless.protocol.events import Expelled
from dealerless.protocol.records import body_hash, decode_frame, encode_transcript, read_records
from dealerless.referee import Outcome, Verdict, replay
from spec.check_vectors import Judge
from tests.cli.running import invoke
from tests.matches import envelopes, random_of

CHEAT = pytest.mark.parametrize("story", CHEATS, ids=lambda story: story.name)
LEGAL = pytest.mark.parametrize("story", UNPROVABLE, ids=lambda story: story.name)
HASHED = pytest.mark.parametrize(
    "story", [story for story in CHEATS if story.setting.dealing == "hash"], ids=lambda story: story.name
)
EVERY = pytest.mark.parametrize("story", [*CHEATS, *UNPROVABLE], ids=lambda story: story.name)

# What is left when a story has been played, where nobody is blamed: the outcome and the exit status of `audit`.
ENDS = {
    "weak-key": (Outcome.UNREADABLE, 4),
    "unsigned-junk": (Outcome.CLEAN, 0),
    "others-name": (Outcome.CLEAN, 0),
    "replayed-frame": (Outcome.CLEAN, 0),
    "other-version": (Outcome.CLEAN, 0),
    "second-thoughts": (Outcome.INCOMPLETE, 3),
    "silence": (Outcome.INCOMPLETE, 3),
    "unsigned-end": (Outcome.CLEAN, 0),
    "edited-copy": (Outcome.INCOMPLETE, 3),
    "cut-copy": (Outcome.INCOMPLETE, 3),
    "collusion": (Outcome.CLEAN, 0),
    "told-cards": (Outcome.CLEAN, 0),
    "silent-sharer": (Outcome.INCOMPLETE, 3),
    "hit-and-run": (Outcome.CLEAN, 0),
    "silent-opener": (Outcome.INCOMPLETE, 3),
}

# Codes of a seat's fault that no story has, and why.
NOT_STAGED = {
    "chain.fork": "said when two copies are compared, of no single frame",
    "encoding.too-deep": "no field of any kind is that deep: what is nested is of the wrong type first",
    "group.no-library": "said of a computer, not of a seat",
    "witness.void": "said of a witness, not of a seat",
}


def staged(story: Story, label: str = "") -> Played:
    return story.play(random_of(f"gallery: {story.name} {label}"))


_staged_once = cache(staged)


def played(story: Story, label: str = "") -> Played:
    """The same, once for all tests: whether its label is said or not, it is the same story."""
    return _staged_once(story, label)


def frames(transcript: bytes) -> list[bytes]:
    return list(read_records(io.BytesIO(transcript)))


def blamed(verdict: Verdict) -> tuple[str, str, int] | None:
    fault = verdict.fault
    return None if fault is None else (fault.code, fault.clause, fault.seat)


# --- every cheat is convicted


@HASHED
def test_the_cheat_is_convicted_whatever_the_cards_are(story: Cheat) -> None:
    convicts(story, "other")


@CHEAT
def test_the_cheat_is_convicted(story: Cheat) -> None:
    """VERDICT-2: the right seat, code and clause, from public bytes."""
    convicts(story, "")


def convicts(story: Cheat, label: str) -> None:
    verdict = replay(played(story, label).transcript)
    assert verdict.outcome is Outcome.FAULT
    assert blamed(verdict) == (story.code, story.clause, story.setting.cheat)
    assert verdict.fault is not None
    assert verdict.fault.blame == "public"
    assert verdict.damage is None
    assert verdict.unjudged is None


@HASHED
def test_a_second_referee_agrees(story: Cheat) -> None:
    judge = Judge()
    judge.read(played(story).transcript)
    assert judge.fault == {"code": story.code, "clause": story.clause, "seat": story.setting.cheat}


@CHEAT
def test_chips_are_conserved_and_the_honest_one_loses_none_by_it(story: Cheat) -> None:
    """VERDICT-3, VERDICT-4: what the cheat had in the running hand's pot goes over, and nothing else moves."""
    result = played(story)
    verdict = replay(result.transcript)
    cheat = story.setting.cheat
    assert sum(verdict.stacks) == story.setting.chips
    assert sum(verdict.net) == 0
    assert {forfeit.seat for forfeit in verdict.forfeits} <= {cheat}
    assert set(range(story.setting.seats)) - {cheat} <= set(verdict.settled)
    ended = [hand for hand in verdict.hands if hand.result == "forfeit"]
    assert len(verdict.forfeits) <= 1
    if story.setting.seats == 2:
        assert len(ended) == len(verdict.forfeits)
    least = BET if story.setting.game == HEX.name else SMALL
    for forfeit in verdict.forfeits:
        # The cheat loses all it has put in, of which at least the ante or its blind is there, and no chip behind.
        hand = verdict.hands[forfeit.hand - 1]
        assert hand.changes[cheat] == -forfeit.amount
        # Who folds and does not open its laid card loses a life more (ONE-5).
        assert hand.hand.totals[cheat] + (story.name == "closed-after-fold") == forfeit.amount
        assert forfeit.amount >= least or cheat == hand.button


@CHEAT
def test_the_record_of_the_cheat_stays_in_the_file(story: Cheat) -> None:
    """CHAIN-5: an expulsion names the refused record right before it, or brings the witnesses' words."""
    result = played(story)
    verdict = replay(result.transcript)
    records = frames(result.transcript)
    assert result.dropped == ()
    expulsions = [place for place, frame in enumerate(records) if expulsion(frame, story.setting.cheat) is not None]
    assert len(expulsions) == (0 if story.code in ("settle.wrong", "turn.match-over") else 1)
    for place in expulsions:
        event = expulsion(records[place], story.setting.cheat)
        assert event is not None
        assert event.seat == story.setting.cheat
        if story.code == "witness.no-show":
            assert event.absent
        else:
            assert event.record == body_hash(decode_frame(records[place - 1])[0])
    assert verdict.frames == len(records) - (story.code != "witness.no-show")


def refused_record(transcript: bytes) -> int | None:
    """Where the first record stands that breaks a rule; nothing else in these files is anything but a message."""
    refusals: list[bool] = []
    replay(transcript, on_frame=lambda before, message, after, refusal: refusals.append(refusal is not None))
    return refusals.index(True) if True in refusals else None


def expulsion(frame: bytes, cheat: int) -> Expelled | None:
    """The expulsion that this frame is, if it is one of an honest seat's."""
    try:
        (envelope,) = envelopes([frame])
    except Exception:
        return None
    return envelope.event if isinstance(envelope.event, Expelled) and envelope.header.seat != cheat else None


@EVERY
def test_no_beginning_of_any_story_blames_the_honest_one(story: Story) -> None:
    """VERDICT-1: cut anywhere, a copy convicts the cheat or nobody; without the cheat's own record not the cheat."""
    result = played(story)
    records = frames(result.transcript)
    refused = refused_record(result.transcript)
    lengths = list(range(len(records) + 1))
    if story.setting.dealing != "hash":
        # Shares are verified anew for every length: those around what decides and near the end, and some of the rest.
        near = () if refused is None else (refused, refused + 1, refused + 2)
        lengths = [count for count in lengths if count % 9 == 0 or count + 3 > len(records) or count in near]
    found = [blamed(replay(encode_transcript(records[:count]))) for count in lengths]
    if not isinstance(story, Cheat):
        assert set(found) == {None}
        return
    whole = (story.code, story.clause, story.setting.cheat)
    convicted = found.index(whole)
    assert found == [None] * convicted + [whole] * (len(found) - convicted)
    if refused is not None:
        assert lengths[convicted] == refused + 1
        without = encode_transcript([*records[:refused], *records[refused + 1 :]])
        assert blamed(replay(without)) is None


@EVERY
def test_every_cheat_is_staged_alike_each_time(story: Story) -> None:
    """Only keys, seeds and nonces are drawn: from the same ones comes the same file, from others another one."""
    assert staged(story) == played(story)
    if story.setting.dealing == "hash":
        assert played(story, "other").transcript != played(story).transcript


@CHEAT
def test_the_file_alone_suffices(story: Cheat, tmp_path: Path) -> None:
    """The command that anybody has convicts from the file, and says so by its status."""
    path = tmp_path / "left.dlt"
    path.write_bytes(played(story).transcript)
    status, out, _ = invoke("audit", str(path), "--json")
    fault = json.loads(out)["fault"]
    assert status == 1
    assert (fault["code"], fault["clause"], fault["seat"]) == (story.code, story.clause, story.setting.cheat)


# --- the rest


@LEGAL
def test_nobody_is_blamed(story: Unprovable, tmp_path: Path) -> None:
    """VERDICT-1: no fault, and what is left is what the story says."""
    result = played(story)
    verdict = replay(result.transcript)
    assert (verdict.outcome, blamed(verdict)) == (ENDS[story.name][0], None)
    assert verdict.forfeits == ()
    assert verdict.net == () or sum(verdict.net) == 0
    if story.setting.dealing == "hash":
        judge = Judge()
        judge.read(result.transcript)
        assert judge.fault is None
    path = tmp_path / "left.dlt"
    path.write_bytes(result.transcript)
    assert invoke("audit", str(path))[0] == ENDS[story.name][1]


def test_every_ending_was_looked_at() -> None:
    assert set(ENDS) == {story.name for story in UNPROVABLE}


@pytest.mark.parametrize("name", ["unsigned-junk", "others-name", "replayed-frame", "other-version"])
def test_what_was_dropped_is_damage_in_a_file(name: str) -> None:
    """VERDICT-1: put where it came, the record ends the judged prefix with the same code, and blames nobody."""
    result = played(STORIES[name])
    records = frames(result.transcript)
    assert result.dropped
    for dropped in result.dropped:
        mixed = [*records[: dropped.record], dropped.frame, *records[dropped.record :]]
        verdict = replay(encode_transcript(mixed))
        assert blamed(verdict) is None
        assert verdict.damage is not None
        assert (verdict.damage.record, verdict.damage.reason) == (dropped.record, dropped.code)


def test_silence_is_told_and_not_judged() -> None:
    """VERDICT-3, COMMIT-4: who owes what in this copy, and the stacks if that seat forfeits: no free redeal."""
    verdict = replay(played(STORIES["silence"]).transcript)
    assert verdict.owes is not None
    assert (verdict.owes.seat, verdict.owes.kinds) == (1, ("layout",))
    assert verdict.pending is not None
    assert verdict.pending.if_forfeit == (70, 50)


def test_an_end_signed_by_one_is_an_end() -> None:
    """CHAIN-3: the settlement that is missing changes neither outcome nor stacks."""
    verdict = replay(played(STORIES["unsigned-end"]).transcript)
    assert (verdict.settled, verdict.settling, verdict.stacks) == ((0,), (0, 1), (70, 50))


# --- the gallery itself


def test_there_are_at_least_twenty_and_their_names_are_their_own() -> None:
    assert len(CHEATS) >= 20
    assert len(STORIES) == len(CHEATS) + len(UNPROVABLE)


@EVERY
def test_a_story_can_be_told(story: Story) -> None:
    assert re.fullmatch("[a-z]+(-[a-z]+)*", story.name)
    assert story.title.isascii()
    assert story.title.isprintable()
    assert len(story.title) <= 64
    assert not story.title.endswith(".")
    assert story.hope.isascii()
    assert story.hope.endswith(".")
    # They stand in a table of the specification.
    assert "|" not in story.title + story.hope


@CHEAT
def test_the_clause_is_the_codes(story: Cheat) -> None:
    """But for an opening in the middle of the betting, against the rule about showing, and codes of two rules."""
    others = {
        "early-show": "SHOW-2",
        "early-reveal": "SHOW-2",
        "check-below-blind": "BET-2",
        "off-the-fixed-amount": "BET-1",
        "dropped-card": "DECK-3",
        "extra-card": "DECK-3",
        "kept-lamp": "DECK-8",
        "betting-beyond": "ONE-7",
    }
    assert story.clause == others.get(story.name, CODES[story.code].clause)


def test_every_fault_has_a_story() -> None:
    """Each code that a seat can be convicted of is staged, or it is said here why not."""
    layers = ("encoding", "turn", "chain", "settle", "witness", "commit", "deck", "group", "proof", "bet", "exchange")
    codes = {code for code in CODES if code.split(".")[0] in (*layers, "show")}
    assert codes - {story.code for story in CHEATS} == set(NOT_STAGED)
