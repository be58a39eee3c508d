"""Transcripts without a fault: whole matches, and copies that were cut short."""

from __future__ import annotations

from dealerless.protocol.events import (
    Accepted,
    HandStarted,
    LayoutOpened,
    Left,
    Mucked,
    Readied,
    SeedsCommitted,
)
from dealerless.protocol.records import MAGIC

from .entries import clean, damage, incomplete
from .scribe import Scribe, fixed, played, settled_once

# --- good ones ----------------------------------------------------------------------------------------------


def _tie() -> Scribe:
    """The first of a row of matches whose seeds make both sevens equally strong."""
    for variant in range(1000):
        scribe = Scribe(f"tie {variant}").due().play("CHECK CHECK").due()
        finished = scribe.state.finished
        assert finished is not None
        if len(finished.winners) == 2:
            return scribe
    raise AssertionError("no tie among these seeds")


def _mucked(scribe: Scribe) -> Scribe:
    owed = scribe.state.owed
    assert owed is not None
    return scribe.say(owed.seat, Mucked())


def _three_hands() -> Scribe:
    scribe = Scribe("three hands", hands=3).due().play("BET RAISE RAISE CALL CHECK CHECK")
    scribe.due().play("BET FOLD").due().play("CHECK ALLIN ALLIN")
    return scribe.due()


clean("showdown", "One hand, checked through, both show.", lambda: Scribe("show").due().play("CHECK CHECK").due())
clean("md5", "The same under the suite md5.", lambda: Scribe("md5", suite="md5").due().play("CHECK CHECK").due())
clean(
    "fold",
    "A bet, a fold: the other seat takes the pot, no hole seed is opened.",
    lambda: Scribe("fold").due().play("CHECK BET FOLD").due(),
)
clean("tie", "Two sevens of equal strength halve the pot.", _tie)
clean(
    "all-in",
    "A whole stack goes in and is answered; all see all.",
    lambda: Scribe("all-in", depth=3).due().play("BET ALLIN ALLIN").due(),
)
clean(
    "call-on",
    "A call ends nothing, nor does one check after it.",
    lambda: Scribe("call-on").due().play("BET CALL CHECK BET RAISE CALL CHECK CHECK").due(),
)
clean(
    "muck",
    "Under the rule muck the second shower gives up unshown.",
    lambda: _mucked(Scribe("muck", show="muck").due().play("BET CALL CHECK CHECK").due()).due(),
)
clean(
    "muck-and-on",
    "A muck ends the first hand of two.",
    lambda: (
        _mucked(Scribe("muck on", hands=2, show="muck").due().play("BET CALL CHECK CHECK").due())
        .due()
        .play("BET FOLD")
        .due()
    ),
)
clean(
    "all-in-shown",
    "Under the rule muck nobody may muck when a seat is all-in; both show.",
    lambda: Scribe("all-in-shown", show="muck", depth=1).due().play("BET CALL").due(),
)
clean("match-of-three", "Three hands: the opener alternates, every hand starts afresh, the net runs on.", _three_hands)
clean(
    "largest-terms",
    "The most chips a table may hold.",
    lambda: Scribe("largest", bet=(2**53 - 1) // 20_002, depth=10_000).due().play("ALLIN FOLD").due(),
)
clean(
    "no-settlement",
    "The end is reached; none of the two settlements is there.",
    lambda: Scribe("no-settlement").due().play("BET FOLD"),
)
clean(
    "one-settlement",
    "The end is reached; the second settlement is missing.",
    lambda: settled_once(Scribe("one-settlement").due().play("BET FOLD")),
)
clean(
    "busted-signs-last",
    "A seat left without chips settles after the one that has some.",
    lambda: Scribe("busted", depth=1).due().play("BET CALL").due(),
)
clean(
    "left",
    "The seat that owes the second hand's start leaves; the match is over and nobody is at fault.",
    lambda: Scribe("left", hands=2).due().play("BET FOLD").due(until=HandStarted).say(1, Left()).due(),
)
clean(
    "left-at-once",
    "The first button leaves before any hand.",
    lambda: Scribe("left at once").due(until=HandStarted).say(0, Left()).due(),
)
clean(
    "witnesses",
    "An offer that names three witnesses, two of whom must agree; nobody was late.",
    lambda: Scribe("witnesses", witnesses=3, threshold=2).due().play("CHECK CHECK").due(),
)
clean(
    "channel",
    "An acceptance that names the digest of the host's certificate.",
    lambda: (
        Scribe("channel")
        .due(until=Accepted)
        .say(1, Accepted(nonce=fixed("channel: nonce"), channel=fixed("certificate")))
        .due()
        .play("CHECK CHECK")
        .due()
    ),
)


# --- cut short ----------------------------------------------------------------------------------------------


incomplete("empty", "No byte at all: a copy cut before its first.", lambda: b"")
incomplete("only-magic", "The magic line and no record.", lambda: MAGIC)
incomplete("offered", "Only the offer.", lambda: Scribe("offered").due(until=Accepted))
incomplete("accepted", "Nobody is ready yet.", lambda: Scribe("accepted").due(until=Readied))
incomplete(
    "one-ready",
    "The last ready is missing: nobody owes anything that could be forfeited.",
    lambda: Scribe("one ready").due(until=Readied).say(0, Readied()),
)
incomplete("hand-owed", "Ready, and no hand begun.", lambda: Scribe("hand owed").due(until=HandStarted))
incomplete(
    "commitment-owed",
    "Antes are in the pot; the first commitment is owed.",
    lambda: Scribe("commitment owed").due(until=SeedsCommitted),
)
incomplete(
    "layout-owed", "Both have committed; an opening is owed.", lambda: Scribe("layout owed").due(until=LayoutOpened)
)
incomplete("move-owed", "Cut between two moves.", lambda: Scribe("move owed").due().play("BET RAISE"))
incomplete(
    "show-owed",
    "Cut before the first hole seed is opened.",
    lambda: Scribe("show owed").due().play("BET CALL CHECK CHECK"),
)
incomplete(
    "second-hand",
    "Cut in the second hand: the first stands.",
    lambda: Scribe("second hand", hands=2).due().play("BET FOLD").due().play("CHECK"),
)
damage("record_truncated-magic", "record.truncated", "ENC-5", "Cut inside the magic line.", lambda: MAGIC[:11])
damage(
    "record_truncated-first",
    "record.truncated",
    "ENC-5",
    "Cut inside the first record.",
    lambda: Scribe("truncated first").due(until=Accepted).bytes()[:-1],
)
damage(
    "record_truncated",
    "record.truncated",
    "ENC-5",
    "Cut inside the last record.",
    lambda: played("truncated")[:-20],
)
damage(
    "record_truncated-length",
    "record.truncated",
    "ENC-5",
    "Two bytes of a length follow the last record.",
    lambda: Scribe("truncated length").due().play("BET").bytes() + b"\x00\x00",
)
