"""The vectors of One Poker through a second reading of the rules, and what no vector holds through both readings."""

from __future__ import annotations

import base64
import itertools
import json
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dealerless.encoding import encode
from dealerless.errors import Unattributed, Violation
from dealerless.games import GAMES
from dealerless.games.cards import read_cards
from dealerless.games.onepokerhand import beats
from dealerless.protocol.envelope import decode_body
from dealerless.protocol.events import Acted, Readied, Revealed
from dealerless.protocol.machine import start, step
from dealerless.protocol.state import State
from dealerless.referee import replay
from spec import check_shoe
from spec.check_vectors import MAGIC, Damage, Fault, Judge, read_body, read_frame, read_frames

from .generate import account
from .shoedealer import Shoe

HERE = Path(__file__).parent / "shoe" / "transcripts"
ROOT = Path(__file__).parent.parent.parent
ROUNDS = "clean_onepoker-rounds"
Vector = dict[str, Any]
Said = tuple[str, str] | None

# Of each kind a well-formed message that is legal nowhere, or nearly.
SEED, POINT, PROOF = bytes(32), bytes(32), bytes(64)
KINDS: dict[str, tuple[Any, ...]] = {
    "accept": (SEED, b""),
    "ready": (),
    "hand": (1, 0, (4, 4), (0, 0)),
    "commit": (SEED, bytes([1]) * 32),
    "layout": (SEED,),
    "key": (POINT, PROOF),
    "shuffle": (bytes(128), bytes(32 * 13)),
    "share": (POINT, PROOF),
    "act": ("ALLIN", 0, b""),
    "exchange": ((),),
    "lot": (SEED,),
    "lot-open": (SEED,),
    "class": ((0,), PROOF),
    "lay": (bytes(128), bytes(192)),
    "show": (SEED,),
    "reveal": (POINT, PROOF),
    "muck": (),
    "settle": (SEED, (4, 4), (0, 0)),
    "leave": (),
    "expel": (0, SEED, ()),
}
MOVES = [
    *[(name, amount, b"") for name in ("BET", "RAISE") for amount in (-1, 0, 1, 2, 3, 4, 5, 6, 1_000_000)],
    *[(name, amount, b"") for name in ("CHECK", "CALL", "FOLD") for amount in (-1, 0, 1, 1_000_000)],
    *[(name, 0, bytes(96)) for name in ("CHECK", "CALL", "FOLD")],
]


@cache
def vector(name: str) -> Vector:
    loaded: Vector = json.loads((HERE / f"{name}.json").read_text())
    return loaded


def frames(name: str) -> list[bytes]:
    return list(read_frames(base64.b64decode(vector(name)["transcript"], validate=True)))


def first(state: State, body: bytes) -> Said:
    """What the package says against a message: code and clause."""
    try:
        step(state, decode_body(body))
    except Violation as refused:
        return refused.code, refused.clause or ""
    except Unattributed as damage:
        return damage.code, ""
    return None


def second(judge: Judge, body: bytes) -> Said:
    """What the second reading says against it."""
    try:
        judge.step(*[read_body(body)[place] for place in (3, 5, 6)])
    except Fault as fault:
        return fault.code, fault.clause
    except Damage as damage:
        return damage.code, ""
    return None


def both_say(state: State, judge: Judge) -> None:
    """Both readings ask the same seat for the same, and refuse the same messages for the same reasons."""
    assert state.owed is not None
    assert judge.owed is not None
    assert (state.owed.seat, [kind.KIND for kind in state.owed.kinds]) == (judge.owed.seat, list(judge.owed.kinds))
    wrong = list(KINDS.items())
    if judge.owed.kinds == ("act",):
        wrong += [("act", move) for move in MOVES]
    for kind, fields in wrong:
        for seat in (0, 1):
            body = encode((1, judge.table.session, state.seq, seat, state.head, kind, fields))
            assert first(state, body) == second(judge, body), (state.seq, seat, kind, fields)


def test_both_readings_compare_ranks_alike() -> None:
    """ONE-9: the higher of any two, but a 2 before an ace."""
    numbers = dict(zip(check_shoe.ORDER, read_cards(" ".join([f"S{rank}" for rank in check_shoe.ORDER])), strict=True))
    for one, other in itertools.product(numbers, repeat=2):
        assert check_shoe.beats(one, other) == beats(numbers[one], numbers[other])


def run(*arguments: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "spec.check_shoe", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)


def test_the_second_reading_agrees() -> None:
    """ONE-1 to ONE-10, LOT-1, DECK-8: it finds nothing wrong in any vector, and imports nothing of the package."""
    done = run()
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout == f"{len(list(HERE.glob('*.json')))} vector files, all right\n"
    for name in ("check_shoe", "check_lamps", "check_deck", "check_vectors"):
        source = (ROOT / "spec" / f"{name}.py").read_text()
        imports = [line for line in source.splitlines() if line.lstrip().startswith(("import ", "from "))]
        assert not [line for line in imports if "dealerless" in line]


def test_the_second_reading_notices(tmp_path: Path) -> None:
    """A code, a clause, lives, a laid card, a field that is not there; and bytes that are not those of the vector."""
    shutil.copy(HERE / "turn_wrong-kind-lot.json", tmp_path)
    made = {name: json.loads(json.dumps(vector(name))) for name in ("commit_duplicate-lot", "clean_onepoker-tie")}
    made["commit_duplicate-lot"] |= {"code": "commit.seed-reuse", "clause": "LOT-1", "stacks": [4, 4], "more": 1}
    made["clean_onepoker-tie"]["hands"][0]["hole"][1] = "H7"
    bent = json.loads(json.dumps(vector("witness_no-show-lot")))
    data = bytearray(base64.b64decode(bent["transcript"]))
    data[-1] ^= 1
    made["bent"] = bent | {"transcript": base64.b64encode(data).decode()}
    for name, changed in made.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(changed))
    done = run(tmp_path)
    assert done.returncode == 1
    of_lot = [f"commit_duplicate-lot.json: {name}: " for name in ("code", "clause", "stacks", "more")]
    for report in (*of_lot, "clean_onepoker-tie.json: hands: ", "bent.json: settled: ", "bent.json: damage: "):
        assert report in done.stdout
    assert "turn_wrong-kind-lot" not in done.stdout
    assert done.stdout.endswith("4 vector files, some wrong\n")


def test_a_folder_without_vectors_is_not_right(tmp_path: Path) -> None:
    """Nothing looked at is nothing found."""
    assert run(tmp_path).returncode == 1


@pytest.mark.parametrize("name", [ROUNDS, "clean_onepoker-lives"])
def test_both_readings_refuse_the_same_messages(name: str) -> None:
    """CHAIN-1, ONE-5, ONE-7, DECK-8: whatever is said wherever, in whosever turn, has one code and one clause."""
    judge, state = Judge(check_shoe.Match()), start(GAMES)
    asked = set()
    for frame in frames(name):
        if len(judge.table.bodies) >= 4:
            both_say(state, judge)
            asked.add(state.phase)
        judge.take(frame)
        state = step(state, decode_body(read_frame(frame)[0]))
    assert (judge.owed, state.owed) == (None, None)
    assert len(asked) == 10, asked


@pytest.mark.parametrize("moves", [[("BET", 2)], [("BET", 1), ("RAISE", 1)]], ids=["no-answer", "over-stack"])
def test_both_readings_refuse_the_same_raises(moves: list[tuple[str, int]]) -> None:
    """ONE-7: where the other has nothing left to answer with, and where the mover has nothing after paying."""
    short = Shoe("a short seat", rounds=1, lives=(3, 6)).due()
    if short.owing == 1:
        short.play("CHECK")
    for move, amount in moves:
        short.say(short.owing, Acted(move=move, amount=amount, released=b""))
    judge = Judge(check_shoe.Match())
    for frame in short.frames:
        judge.take(frame)
    both_say(short.state, judge)


@pytest.mark.parametrize("name", [ROUNDS])
def test_both_readings_say_the_same_of_a_copy_cut_short(name: str) -> None:
    """VERDICT-3, ONE-5: who owes what, and what it costs not to do it, after a fold more than the pot."""
    data, pending = MAGIC, []
    for at, frame in enumerate(frames(name)):
        data += len(frame).to_bytes(4, "big") + frame
        if at in (0, 2, 5, 9, 20, 24, 34, 35, 36, 37, 49):
            verdict, found = replay(data), check_shoe.account(data)
            assert (verdict.outcome.value, verdict.damage) == (found["expect"], None)
            said = account(verdict)
            assert said == {name: found[name] for name in said}, at
            pending.append(found["pending"])
    # Seat 0 has folded a bet of one: an ante of each, the bet, and the life that silence costs are seat 1's then.
    assert {"pot": [1, 2], "if_forfeit": [5, 6]} in pending, pending


@pytest.mark.parametrize(
    ("moves", "losses"),
    [
        # Who bet opens first, and has two in the pot; who folded has one, and pays one more while its card is closed.
        ("BET FOLD", [(2, 2), (2, 2)]),
        # Who folded has two in the pot and opens first; the other three.
        ("BET RAISE FOLD", [(3, 3), (2, 3)]),
    ],
)
def test_both_readings_say_the_same_of_who_goes_after_a_fold(moves: str, losses: list[tuple[int, int]]) -> None:
    """ONE-5, VERDICT-4b: before and after the first card is open, with and without an expulsion; lives by hand."""
    match = Shoe("gone after a fold").due().play(moves)
    opener = match.owing
    for of_first, of_second in losses:
        for seat, lives in ((opener, of_first), (1 - opener, of_second)):
            refused = match.branch()
            refused.wrong(seat, Readied())
            for copied in (refused, refused.branch().expel()):
                said, found = account(replay(copied.bytes())), check_shoe.account(copied.bytes())
                assert said == {name: found[name] for name in said}
                assert found["forfeits"] == [[seat, len(match.frames), 1, lives]]
        match.say(match.owing, match.the(Revealed))


def test_both_readings_go_through_a_second_shoe(monkeypatch: pytest.MonkeyPatch) -> None:
    """ONE-2, ONE-6: round 39 needs a new shoe, under the keys of before; ties, also with seat 1's priority.

    Of this one the lamps are taken on trust by the second reading, for they would take half a minute.
    """
    match = Shoe("another shoe", rounds=39, lives=(400, 400)).due()
    while match.state.owed is not None:
        assert match.state.owed.kinds == (Acted,)
        match.play("CHECK CHECK").due()
    kinds = [read_body(read_frame(frame)[0])[5] for frame in match.frames]
    assert kinds.count("shuffle") == 4
    assert kinds.count("key") == 2
    monkeypatch.setattr(check_shoe, "check_class", lambda *statement: {})
    verdict, found = replay(match.bytes()), check_shoe.account(match.bytes())
    said = account(verdict)
    assert found["expect"] == "clean"
    assert said == {name: found[name] for name in said}
    kept = [at for at, hand in enumerate(verdict.hands, 1) if len(hand.winners) == 2 and hand.button == 1]
    assert kept == [6, 21]
