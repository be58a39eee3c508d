"""The vectors of the deck and of One Poker through proofs, referee and session; the deck's through another reading too.

DECK-1 to DECK-6, DECK-8 to DECK-10, HEX-4, LOT-1, ONE-5, VERDICT-4.
"""

from __future__ import annotations

import base64
import io
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dealerless.crypto.challenge import Context
from dealerless.crypto.equality import verify_opening, verify_shares
from dealerless.crypto.schnorr import verify_key
from dealerless.crypto.shuffle import verify_shuffle
from dealerless.errors import CODES, DecodeError, InvalidProof, Unattributed, Violation
from dealerless.games import GAMES
from dealerless.protocol.deckdeal import ciphertexts_of
from dealerless.protocol.records import read_records
from dealerless.protocol.seeds import MemorySecrets
from dealerless.protocol.session import Session
from dealerless.referee import Verdict, replay
from dealerless.report.document import document

from . import generate
from .scribe import STRANGER
from .test_vectors import SCHEMA

HERE = Path(__file__).parent / "deck"
SCRIPT = Path(__file__).parent.parent.parent / "spec" / "check_deck.py"
Vector = dict[str, Any]


def _load(folder: str) -> dict[str, Vector]:
    return {path.stem: json.loads(path.read_text()) for path in sorted((HERE / folder).glob("*.json"))}


TRANSCRIPTS, PROOFS, STARTS = _load("transcripts"), _load("proofs"), _load("starts")
SHOES = _load("../shoe/transcripts")
EVERY = TRANSCRIPTS | SHOES
transcripts = pytest.mark.parametrize("name", EVERY)


@cache
def verdict_on(name: str) -> Verdict:
    return replay(base64.b64decode(EVERY[name]["transcript"], validate=True))


# --- proofs --------------------------------------------------------------------------------------------------


def context_of(fields: list[Any]) -> Context:
    tag, suite, session, hand, deck, seat, purpose, prev = fields
    context = Context(
        suite=suite,
        session=bytes.fromhex(session["bin"]),
        hand=hand,
        deck=deck,
        seat=seat,
        purpose=purpose,
        prev=bytes.fromhex(prev["bin"]),
    )
    assert context.fields()[0] == tag
    return context


def _points(texts: list[str]) -> tuple[bytes, ...]:
    return tuple([bytes.fromhex(text) for text in texts])


def _verify_opening(context: Context, of: Mapping[str, Any], proof: bytes) -> None:
    a, z = _points(of["ciphertext"])
    verify_opening(context, of["slot"], bytes.fromhex(of["key"]), (a, z), bytes.fromhex(of["share"]), proof)


def _verify_shares(context: Context, of: Mapping[str, Any], proof: bytes) -> None:
    key, points, shares = bytes.fromhex(of["key"]), _points(of["points"]), _points(of["shares"])
    verify_shares(context, key, of["slots"], points, shares, proof)


def _verify_shuffle(context: Context, of: Mapping[str, Any], proof: bytes) -> None:
    deck, new = [ciphertexts_of(bytes.fromhex(of[name])) for name in ("deck", "shuffled")]
    verify_shuffle(deck, new, bytes.fromhex(of["joint"]), context, proof)


VERIFIERS: dict[str, Callable[[Context, Mapping[str, Any], bytes], None]] = {
    "key": lambda context, of, proof: verify_key(context, bytes.fromhex(of["key"]), proof),
    "shares": _verify_shares,
    "opening": _verify_opening,
    "shuffle": _verify_shuffle,
}


@pytest.mark.parametrize("name", PROOFS)
def test_a_proof_holds_or_is_refused_as_the_vector_says(name: str) -> None:
    """DECK-1, DECK-3, DECK-4, DECK-6: what is changed in one place is refused, with this code."""
    vector = PROOFS[name]
    of = vector["statement"]
    arguments = context_of(of["context"]), of, bytes.fromhex(of["proof"])
    if vector["code"] is None:
        VERIFIERS[vector["proof"]](*arguments)
        return
    with pytest.raises(InvalidProof) as refusal:
        VERIFIERS[vector["proof"]](*arguments)
    assert (refusal.value.code, refusal.value.clause) == (vector["code"], vector["clause"])


def test_there_is_a_vector_for_every_code_of_the_deck() -> None:
    """DECK-1 to DECK-9: somebody is convicted of each in a whole transcript."""
    wanted = {code for code in CODES if code.split(".")[0] in ("deck", "group", "proof")} - {"group.no-library"}
    of_messages = {vector["code"] for vector in EVERY.values()}
    assert of_messages >= wanted


# --- transcripts -----------------------------------------------------------------------------------------------


@transcripts
def test_the_referee_says_what_the_vector_says(name: str) -> None:
    """VERDICT-1, VERDICT-4, DECK-9: outcome, code, clause, seat, cards, chips, who owes; in the form of the schema."""
    vector, verdict = EVERY[name], verdict_on(name)
    fault = verdict.fault
    assert verdict.outcome.value == vector["expect"]
    assert verdict.damage is None
    assert verdict.unjudged is None
    said = (fault.code, fault.clause, fault.seat) if fault else (None, None, None)
    assert said == (vector["code"], vector["clause"], vector["seat"])
    assert generate.account(verdict) == {name: vector[name] for name in generate.account(verdict)}
    assert sum(verdict.net) == 0
    SCHEMA.validate(json.loads(json.dumps(document(verdict))))


@transcripts
def test_a_session_sees_what_the_referee_sees(name: str) -> None:
    """An onlooker's session takes the same messages and names the same fault; no secret is needed to convict."""
    vector, verdict = EVERY[name], verdict_on(name)
    session = Session(STRANGER, MemorySecrets(lambda size: b"\x00" * size), GAMES)
    taken, first = 0, None
    for frame in read_records(io.BytesIO(base64.b64decode(vector["transcript"]))):
        try:
            session.receive(frame)
            taken += 1
        except (DecodeError, Violation):
            assert session.fault is not None
            first = first or session.fault
        except Unattributed as stop:
            raise AssertionError(name) from stop
    assert (taken, session.state.head) == (verdict.frames, verdict.head)
    if vector["code"] in (None, "witness.no-show"):
        assert first is None
    else:
        assert first is not None
        assert (first.error.code, first.seat) == (vector["code"], vector["seat"])


def test_what_is_gone_with_a_seat() -> None:
    """VERDICT-4b, VERDICT-4c, DECK-9: what the others do without it, in chips worked out by hand."""
    # Each has 6 in the pot when seat 1 goes: it keeps 14, and 18 go to who is stronger on the fresh deck's board.
    fresh = verdict_on("witness_no-show-fresh-deck")
    assert fresh.stacks[1] == 14
    assert sorted(fresh.stacks) == [14, 14, 32]
    assert [(loss.seat, loss.amount) for loss in fresh.forfeits] == [(1, 6)]
    deck = TRANSCRIPTS["witness_no-show-fresh-deck"]["decks"][1]
    assert (deck["number"], deck["seats"], len(deck["cards"])) == (1, [0, 2], 52 - 3 - 4)
    assert [slot for slot, _, _ in deck["open"]] == [9, 10]
    # Seat 2 has its big blind in, 2, when its share in the deal is wrong; the other two call that and check.
    again = verdict_on("proof_shares-dealt-again")
    assert [(loss.seat, loss.amount) for loss in again.forfeits] == [(2, 2)]
    decks = TRANSCRIPTS["proof_shares-dealt-again"]["decks"]
    assert [(deck["number"], deck["seats"], len(deck["cards"])) for deck in decks] == [
        (0, [0, 1, 2], 52),
        (1, [0, 1], 52),
    ]
    assert decks[0]["open"] == []
    # The seat that folded is asked for nothing after that.
    shares = TRANSCRIPTS["clean_holdem-fold-release"]["decks"][0]["shares"]
    assert {slot for slot, seat, _ in shares if seat == 0} >= {6, 7, 8, 9, 10}


def test_what_one_poker_comes_to() -> None:
    """ONE-5, ONE-6, ONE-10, LOT-1: lives, worked out by hand."""
    # An ante and a bet of one: 3 and 3 are 5 and 1 then, and that one is the next ante.
    lives = verdict_on("clean_onepoker-lives")
    assert [(hand.changes, hand.result) for hand in lives.hands] == [((2, -2), "showdown"), ((1, -1), "showdown")]
    assert lives.stacks == (6, 0)
    # After a fold both cards are open, and who bet has the pot though nobody compared them.
    fold = verdict_on("clean_onepoker-rounds").hands[1]
    assert fold.result == "fold"
    assert all(fold.hole)
    # A tie leaves the button with who had it.
    tie, after = verdict_on("clean_onepoker-tie").hands
    assert (tie.changes, tie.button) == ((0, 0), 0)
    assert after.button == (0 if tie.hand.priority == 0 else 1)
    # The lot is drawn when a life of each is in the pot: going then costs it, and a refused opening one more.
    assert verdict_on("witness_no-show-lot").stacks == (3, 5)
    gone = verdict_on("witness_no-show-after-fold")
    assert (gone.stacks, [(loss.seat, loss.amount) for loss in gone.forfeits]) == ((6, 2), [(1, 2)])


def test_hex_from_160_cards() -> None:
    """HEX-4, TABLE-5: five common cards and two each, from ten of every value."""
    hand = verdict_on("clean_hex").hands[0]
    assert [len(hand.board), *[len(cards or ()) for cards in hand.hole]] == [5, 2, 2]
    assert len(STARTS["start_hex"]["deck"]) == 160 * 128
    assert len(STARTS["start_hex"]["cards"]) == 16


def test_no_key_and_no_card_is_covered_alike_twice() -> None:
    """DECK-10: in one match all keys differ, and so do both halves of all ciphertexts in all shuffled decks."""
    for vector in TRANSCRIPTS.values():
        decks = vector.get("decks", ())
        keys = [key for deck in decks for key in deck["keys"]]
        halves = [new[at : at + 64] for deck in decks for new in deck["shuffled"] for at in range(0, len(new), 64)]
        assert len(set(keys)) == len(keys)
        assert len(set(halves)) == len(halves)


# --- the second reading ----------------------------------------------------------------------------------------


def run(*arguments: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", SCRIPT, *arguments], capture_output=True, text=True, timeout=300, check=False
    )


def test_the_second_reading_agrees() -> None:
    """spec/check_deck.py finds nothing wrong, and imports nothing of the package."""
    done = run()
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    imports = [line for line in SCRIPT.read_text().splitlines() if line.lstrip().startswith(("import ", "from "))]
    assert not [line for line in imports if "dealerless" in line or "from ." in line]


def test_the_second_reading_notices(tmp_path: Path) -> None:
    """A vector that says something else than the bytes do is reported: a card, a code, a value within a proof."""
    for folder in ("proofs", "starts", "transcripts"):
        (tmp_path / folder).mkdir()
    shutil.copy(HERE / "starts" / "start_holdem.json", tmp_path / "starts")
    hand, key = json.loads(json.dumps([TRANSCRIPTS["clean_holdem-last-fold"], PROOFS["holds_key"]]))
    rogue, good = json.loads(json.dumps([TRANSCRIPTS["proof_key-rogue"], PROOFS["holds_opening"]]))
    hand["hands"][0]["board"] = "SA HA DA CA S2"
    key["steps"]["t"] = key["steps"]["c"]
    rogue["code"], good["code"] = "proof.shares", "proof.opening"
    for folder, name, vector in (
        ("transcripts", "hand", hand),
        ("transcripts", "rogue", rogue),
        ("proofs", "key", key),
        ("proofs", "good", good),
    ):
        (tmp_path / folder / f"{name}.json").write_text(json.dumps(vector))
    done = run(tmp_path)
    assert done.returncode == 1
    for report in ("hand.json: cards", "rogue.json: code", "key.json: t", "good.json: it holds", "5 vector files, 4"):
        assert report in done.stdout
