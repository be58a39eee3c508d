"""Cheats with the record: accounts that do not follow, two messages in one place, odd bytes, false expulsions, silence.

Those that have to do with a witness use a key made for the story; a witness of a real match is a process of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from ..crypto.ed25519 import SigningKey
from ..protocol.events import Acted, Event, Expelled, HandStarted, LayoutOpened, Settled, Shown
from .staging import BANK_SECONDS, BET, MOVE_SECONDS, Cheat, Setting, Staging, absence

_LOST_HAND: Final = "CHECK BET FOLD"


def _hand(**changes: Any) -> Callable[[Staging], None]:
    """Return the act in which seat 1, which lost hand 1, starts hand 2 with some of its fields changed."""

    def act(staging: Staging) -> None:
        staging.play(_LOST_HAND, until=HandStarted, by=1)
        staging.forges(replace(staging.forger.owed_hand(), **changes))

    return act


def _altered_result(staging: Staging) -> None:
    staging.play(_LOST_HAND, until=Settled, by=1)
    state = staging.forger.state
    stacks, net = state.books.stacks, state.books.net
    staging.forges(Settled(head=state.end_head, stacks=stacks[::-1], net=net[::-1]))


def _other_end(staging: Staging) -> None:
    staging.play("BET FOLD", until=HandStarted, by=1)
    books, head = staging.forger.state.books, staging.forger.state.head
    staging.play("BET FOLD", until=Settled, by=1)
    staging.forges(Settled(head=head, stacks=books.stacks, net=books.net))


# --- two messages in one place


def _taken_back(staging: Staging) -> None:
    staging.play("")
    other = staging.forger.forge(Acted(move="CHECK", amount=0))
    staging.play("BET RAISE").sends(other)


def _two_moves(staging: Staging) -> None:
    staging.play("")
    other = staging.forger.forge(Acted(move="ALLIN", amount=50))
    staging.play("BET").sends(other)
    staging.play("CALL")


# --- bytes


def _widened(staging: Staging) -> None:
    staging.play("")
    body = staging.forger.body(Acted(move="BET", amount=BET))
    # The same array, with its length in two bytes more: any reader of msgpack gets the same values from it.
    staging.signs(b"\xdc\x00" + bytes([body[0] & 0x0F]) + body[1:])


def _trailing(staging: Staging) -> None:
    staging.play("")
    staging.signs(staging.forger.body(Acted(move="BET", amount=BET)) + b"\xa5CHECK")


def _spelled(kind: str, *fields: bool | int | str | bytes) -> Callable[[Staging], None]:
    def act(staging: Staging) -> None:
        staging.play("")
        staging.signs(staging.forger.spelled(kind, *fields))

    return act


# --- expulsions and silence


def _wrong_expulsion(staging: Staging) -> None:
    staging.play("CHECK BET")
    staging.forges(Expelled(seat=staging.honest, record=staging.forger.state.head))


def _expels_with(word: Callable[[Staging], Expelled]) -> Callable[[Staging], None]:
    """Return the act in which the honest seat owes a move, and seat 1 expels it with a no-show."""

    def act(staging: Staging) -> None:
        staging.play("BET")
        staging.forges(word(staging))

    return act


def _forged_no_show(staging: Staging) -> Expelled:
    stranger = SigningKey(staging.random(32))
    return absence(staging.honest, staging.no_show(staging.honest, signer=stranger))


def _hasty_no_show(staging: Staging) -> Expelled:
    return absence(staging.honest, staging.no_show(staging.honest, waited=MOVE_SECONDS + BANK_SECONDS - 1))


def _borrowed_clock(staging: Staging) -> None:
    staging.play("")
    earlier = staging.receipt_of_head(staging.cheat)
    staging.play("BET")
    staging.forges(absence(staging.honest, staging.no_show(staging.honest, receipt=earlier)))


def _silent(moves: str, until: type[Event]) -> Callable[[Staging], None]:
    """Return the act in which seat 1 falls silent where it owes a message, and the witness says so."""

    def act(staging: Staging) -> None:
        staging.play(moves, until=until, by=1)
        staging.expel_absent()

    return act


_WITNESSED: Final = Setting(witnessed=True)

CHAIN: Final = (
    Cheat(
        name="wrong-stacks",
        title="The button starts a hand with chips moved to itself",
        hope="Later signatures are to cover stacks that no hand has led to.",
        code="chain.wrong-hand",
        clause="CHAIN-4",
        setting=Setting(hands=2),
        act=_hand(stacks=(40, 80)),
    ),
    Cheat(
        name="wrong-number",
        title="The button skips a hand",
        hope="One hand less to play while it is ahead, or one more name for seeds of a hand that never was.",
        code="chain.wrong-hand",
        clause="CHAIN-4",
        setting=Setting(hands=3),
        act=_hand(number=3),
    ),
    Cheat(
        name="wrong-button",
        title="The button gives itself the better place",
        hope="Who moves last knows more; the button is to stay with the other.",
        code="chain.wrong-hand",
        clause="CHAIN-4",
        setting=Setting(hands=2),
        act=_hand(button=0),
    ),
    Cheat(
        name="wrong-net",
        title="The button forgets what it has lost",
        hope="The running account begins anew at zero.",
        code="chain.wrong-hand",
        clause="CHAIN-4",
        setting=Setting(hands=2),
        act=_hand(net=(0, 0)),
    ),
    Cheat(
        name="negative-stack",
        title="The button starts a hand with the other in debt",
        hope="A number below zero is to turn into a very large one somewhere.",
        code="encoding.out-of-range",
        clause="ENC-6",
        setting=Setting(hands=2),
        act=_hand(stacks=(-60, 180)),
    ),
    Cheat(
        name="altered-result",
        title="The loser settles as if it had won",
        hope="A result with a signature under it looks like a result.",
        code="settle.wrong",
        clause="CHAIN-3",
        act=_altered_result,
    ),
    Cheat(
        name="other-end",
        title="A player settles an earlier moment of the match",
        hope="It was ahead after hand 1, and signs that as the end.",
        code="settle.wrong",
        clause="CHAIN-3",
        setting=Setting(hands=2),
        act=_other_end,
    ),
    Cheat(
        name="taken-back",
        title="A player takes back a bet that was raised",
        hope="It signs a check on the same previous message and says that this was its move all along.",
        code="chain.equivocation",
        clause="CHAIN-2",
        act=_taken_back,
    ),
    Cheat(
        name="two-moves",
        title="A player signs two moves in one place",
        hope="A bet and an all-in go out together, and the one that suits is to count when the answer is known.",
        code="chain.equivocation",
        clause="CHAIN-2",
        act=_two_moves,
    ),
    Cheat(
        name="non-canonical",
        title="A player signs a move in a second spelling",
        hope="One program reads a bet, another refuses the bytes; two referees are to disagree.",
        code="encoding.non-canonical",
        clause="ENC-2",
        act=_widened,
    ),
    Cheat(
        name="trailing-bytes",
        title="A player hides a second move behind the first",
        hope="A reader that stops at the first value sees a bet, one that takes the last a check.",
        code="encoding.malformed",
        clause="ENC-2",
        act=_trailing,
    ),
    Cheat(
        name="oversize-body",
        title="A player signs a move of a thousand letters",
        hope="The other's memory, disk or screen is to give up before its program does.",
        code="encoding.too-large",
        clause="ENC-6",
        act=_spelled(Acted.KIND, "BET" * 400, BET, b""),
    ),
    Cheat(
        name="unknown-kind",
        title="A player signs a message of a kind that is none",
        hope="What nobody can read, nobody can hold against it; meanwhile the hand waits.",
        code="encoding.unknown-kind",
        clause="ENC-2",
        act=_spelled("redeal"),
    ),
    Cheat(
        name="wrong-type",
        title="A player bets the amount True",
        hope="True is 1 for many a program, and an error for the next.",
        code="encoding.wrong-type",
        clause="ENC-2",
        act=_spelled(Acted.KIND, "BET", True, b""),
    ),
    Cheat(
        name="wrong-expulsion",
        title="A player expels one who did nothing wrong",
        hope="The pot without a showdown: it names the other's last message as if it had broken a rule.",
        code="chain.wrong-expulsion",
        clause="CHAIN-5",
        act=_wrong_expulsion,
    ),
    Cheat(
        name="self-made-witness",
        title="A player brings a witness that nobody agreed to",
        hope="There is none in the terms, so any will do to say that the other was absent.",
        code="witness.too-few",
        clause="VERDICT-6",
        act=_expels_with(_forged_no_show),
    ),
    Cheat(
        name="forged-no-show",
        title="A player signs the no-show in its witness's place",
        hope="Nobody is to look at whose signature it is.",
        code="witness.bad-no-show",
        clause="VERDICT-6",
        setting=_WITNESSED,
        act=_expels_with(_forged_no_show),
    ),
    Cheat(
        name="hasty-no-show",
        title="A player expels before the other's time has run out",
        hope="A no-show is a no-show, even from a witness that signed it a second too early.",
        code="witness.too-soon",
        clause="VERDICT-6",
        setting=_WITNESSED,
        act=_expels_with(_hasty_no_show),
    ),
    Cheat(
        name="borrowed-clock",
        title="A player lets the other's clock run from an earlier message",
        hope="The witness did sign that receipt, only not for what made the other owe.",
        code="witness.bad-receipt",
        clause="VERDICT-6",
        setting=_WITNESSED,
        act=_borrowed_clock,
    ),
    Cheat(
        name="refused-opening",
        title="The last to open does not like the cards and falls silent",
        hope="It knows the common cards before the other does; a hand without an opening is to be dealt anew.",
        code="witness.no-show",
        clause="VERDICT-6",
        setting=_WITNESSED,
        act=_silent("", LayoutOpened),
    ),
    Cheat(
        name="timed-out",
        title="A player who is bet at never answers",
        hope="Neither fold nor call: as long as nothing is said, nothing is lost.",
        code="witness.no-show",
        clause="VERDICT-6",
        setting=_WITNESSED,
        act=_silent("CHECK BET", Acted),
    ),
    Cheat(
        name="refused-show",
        title="The loser of a showdown does not show",
        hope="Its cards stay secret and the pot unpaid.",
        code="witness.no-show",
        clause="VERDICT-6",
        setting=_WITNESSED,
        act=_silent("CHECK BET CALL CHECK CHECK", Shown),
    ),
)
