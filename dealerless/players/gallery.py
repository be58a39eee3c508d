"""The cheat gallery: every way to cheat that we stage, what convicts it, and the ways that leave no proof.

`CHEATS` end with a conviction that the transcript alone supports. `UNPROVABLE` blame nobody, and say what happens
instead. The command line plays them, the tests hold each to its word, and spec/attacks.md is written from both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from ..encoding import encode
from ..protocol.envelope import VERSION, encode_body
from ..protocol.events import Acted, HandStarted, LayoutOpened, Left, Readied, Settled
from ..protocol.records import ZERO_HASH, decode_frame, encode_frame, encode_transcript
from .cheats_cards import CARDS
from .cheats_chain import CHAIN
from .cheats_deck import DECKS, HEADS_UP, THREE
from .cheats_draw import DRAWS
from .cheats_moves import MOVES
from .cheats_one import ONE, SHOES, silent_opener
from .cheats_shares import SHARES, last_to_share
from .staging import Cheat, Setting, Staging, Story, Unprovable

# The identity: with R the identity too and S zero, libraries that do not look find this signature valid on anything.
_IDENTITY: Final = bytes([1]) + bytes(31)
_FORGED_BY_ALL: Final = _IDENTITY + bytes(32)


def _weak_key(staging: Staging) -> None:
    offer = staging.offer
    _, name = offer.players[0]
    weak = replace(offer, players=((_IDENTITY, name), offer.players[1]))
    frame = encode_frame(encode_body(ZERO_HASH, 0, 0, ZERO_HASH, weak), _FORGED_BY_ALL)
    staging.sends(frame)
    # The honest side writes nothing down; what is judged is what came over the wire.
    staging.handed_in = encode_transcript([frame])


def _unsigned_junk(staging: Staging) -> None:
    staging.play("BET")
    body = staging.forger.body(Acted(move="FOLD", amount=0), seat=staging.honest)
    staging.sends(encode_frame(body, staging.random(64)))
    staging.sends(staging.random(40))
    staging.play("CALL CHECK CHECK")


def _others_name(staging: Staging) -> None:
    staging.play("BET")
    staging.signs(staging.forger.body(Acted(move="FOLD", amount=0), seat=staging.honest))
    staging.play("CALL CHECK CHECK")


def _replayed_frame(staging: Staging) -> None:
    earlier = staging.another().play("BET FOLD")
    staging.play("BET")
    # The other's fold in another match, and its own opening in this one, as they were signed.
    staging.sends(earlier.kept[-3])
    staging.sends(staging.kept[-2])
    staging.play("CALL CHECK CHECK")


def _other_version(staging: Staging) -> None:
    staging.play("CHECK BET")
    session, seq, prev = staging.forger.place
    staging.signs(encode((VERSION + 1, session, seq, staging.cheat, prev, Acted.KIND, ("CALL", 0, b""))))
    staging.play("CALL CHECK CHECK")


def _edited_copy(staging: Staging) -> None:
    staging.play("CHECK BET FOLD")
    frames = list(staging.kept)
    body, signature = decode_frame(frames[-3])
    altered = body.replace(b"FOLD", b"CALL")
    frames[-3] = encode_frame(altered, signature)
    staging.handed_in = encode_transcript(frames)


def _cut_copy(staging: Staging) -> None:
    staging.play("CHECK BET FOLD", until=Settled)
    # All but the fold by which the hand was lost, and what follows it.
    staging.handed_in = encode_transcript(staging.kept[:-1])


def _hit_and_run(staging: Staging) -> None:
    staging.play("FOLD", until=HandStarted, by=1).says(1, Left())
    staging.play()


UNPROVABLE: Final = (
    Unprovable(
        name="weak-key",
        title="The host offers a match under a key that signs everything",
        hope="Under the identity one signature fits every message: its own can be denied, and any be claimed.",
        instead="The offer is refused before anything is signed; the key is nobody's.",
        setting=Setting(cheat=0),
        act=_weak_key,
    ),
    Unprovable(
        name="unsigned-junk",
        title="A player sends messages without a valid signature",
        hope="A fold in the other's name, and bytes that mean nothing: something is to break.",
        instead="They are dropped and the match goes on; in a file they are damage.",
        act=_unsigned_junk,
    ),
    Unprovable(
        name="others-name",
        title="A player signs a fold in the other's name",
        hope="A signature is a signature, if nobody looks whose it is.",
        instead="It is dropped: signed under the wrong key it is nobody's word.",
        act=_others_name,
    ),
    Unprovable(
        name="replayed-frame",
        title="A player sends what the other signed elsewhere",
        hope="The other's fold in another match is to be a fold in this one.",
        instead="It is dropped: what is signed names its match and its place.",
        act=_replayed_frame,
    ),
    Unprovable(
        name="other-version",
        title="A player signs a move of another protocol version",
        hope="A call for nothing, to be judged by rules that nobody agreed to.",
        instead="It is dropped: it belongs to another protocol, and the move is still owed.",
        act=_other_version,
    ),
    Unprovable(
        name="second-thoughts",
        title="The guest accepts and goes before all are ready",
        hope="To see who is there and at what stakes, match after match.",
        instead="Nothing is at stake before the last ready; the copy is incomplete.",
        act=lambda staging: staging.play(until=Readied, by=1),
    ),
    Unprovable(
        name="silence",
        title="The last to open sees the cards and falls silent",
        hope="A look at the common cards for nothing. There is no witness.",
        instead="The copy says who owes what, and what stacks would be if it forfeits.",
        act=lambda staging: staging.play(until=LayoutOpened, by=1),
    ),
    Unprovable(
        name="unsigned-end",
        title="The loser does not sign the end",
        hope="What one side only has signed is to stay in dispute.",
        instead="The result follows from the moves; one settlement of two is missing.",
        act=lambda staging: staging.play("CHECK BET FOLD", until=Settled, by=1),
    ),
    Unprovable(
        name="edited-copy",
        title="The loser hands in a copy in which it called",
        hope="One word of its last move changed, the signature left as it was.",
        instead="The copy is damaged at that record; the other's shows what was signed.",
        act=_edited_copy,
    ),
    Unprovable(
        name="cut-copy",
        title="The loser hands in a copy without its last move",
        hope="What is not in the file has not happened.",
        instead="The copy is incomplete; the other's goes on, and the longer one counts.",
        act=_cut_copy,
    ),
    Unprovable(
        name="collusion",
        title="A player gives its chips away on purpose",
        hope="At a larger table a confederate is to have them; here nobody but the other.",
        instead="Every move is legal, and why it was made stands in no file.",
        setting=Setting(hands=2),
        act=lambda staging: staging.play("BET FOLD", until=HandStarted, by=1).play("BET FOLD"),
    ),
    Unprovable(
        name="told-cards",
        title="One of three tells another its cards",
        hope="Two who know four cards, and raise from both sides of the third, win more than each alone.",
        instead="Every move is legal; what they tell each other stands in no file.",
        setting=replace(THREE, cheat=2),
        act=lambda staging: staging.play("RAISE FOLD RAISE:12 FOLD"),
    ),
    Unprovable(
        name="silent-sharer",
        title="The last to share sees the turn and falls silent",
        hope="A look at the card for nothing: it has the other's share. There is no witness.",
        instead="The copy says who owes the share, and what stacks would be if it forfeits.",
        setting=replace(HEADS_UP, cheat=0),
        act=last_to_share,
    ),
    Unprovable(
        name="hit-and-run",
        title="A player who is ahead leaves between two hands",
        hope="What it has won cannot be won back.",
        instead="It keeps its chips: leaving there is allowed, and every copy shows who left.",
        setting=replace(HEADS_UP, hands=3),
        act=_hit_and_run,
    ),
    Unprovable(
        name="silent-opener",
        title="Who folded does not open its laid card and falls silent",
        hope="Nobody is to see what it bluffed with. There is no witness.",
        instead="The copy says who owes the opening, and that a forfeit costs one life more.",
        setting=ONE,
        act=silent_opener,
    ),
)

CHEATS: Final[tuple[Cheat, ...]] = (*CARDS, *MOVES, *CHAIN, *DECKS, *SHARES, *DRAWS, *SHOES)

STORIES: Final[Mapping[str, Story]] = {story.name: story for story in (*CHEATS, *UNPROVABLE)}
"""Every story by its name."""
