"""Why computer players decided as they did: the file that keeps it, and what `show --reasons` tells of it."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from dealerless.cli.company import MATCH, gather
from dealerless.cli.table import Manner
from dealerless.errors import StorageError, UsageError
from dealerless.journal.notes import Noted, NotesFile, beside, check_match, read_notes
from dealerless.referee import replay
from tests.cli.running import invoke
from tests.matches import Match, hex_offer, named, transcript

ONE = bytes(range(32))
NOTES = (
    Noted(1, 0, 0, "BET", "a pair"),
    Noted(1, 1, 1, "EXCHANGE 3", 'no "equal" \u0661\n'),
    Noted(2, 0, 0, "SHOW", ""),
)


def read(path: Path, session: bytes = ONE) -> tuple[Noted, ...]:
    with path.open("rb") as stream:
        return tuple(check_match(read_notes(stream, path.name), session, path.name))


def kept(path: Path, notes: tuple[Noted, ...] = NOTES, session: bytes = ONE) -> Path:
    with NotesFile.create(path) as file:
        for note in notes:
            file.append(session, note)
    return path


# --- the file


def test_what_is_noted_is_read_again(tmp_path: Path) -> None:
    """DRAW-9: one JSON object a line, whatever a reason says; for the owner's eyes."""
    path = kept(tmp_path / "a.notes")
    assert read(path) == NOTES
    assert path.stat().st_mode & 0o777 == 0o600
    lines = path.read_bytes().splitlines()
    assert [list(json.loads(line)) for line in lines] == [["session", "hand", "seat", "place", "what", "reason"]] * 3
    assert path.read_bytes().isascii()


def test_a_file_is_never_written_over_and_gone_on_with(tmp_path: Path) -> None:
    """ENC-5: `resume` adds to it, after cutting off what a crash left of a line; a missing one is made."""
    path = kept(tmp_path / "a.notes")
    with pytest.raises(StorageError, match=r"notes\.exists"):
        NotesFile.create(path)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"session": "00')
    assert read(path) == NOTES
    with NotesFile.open(path) as file:
        file.append(ONE, NOTES[0])
    assert path.read_bytes().startswith(whole)
    assert read(path) == (*NOTES, NOTES[0])
    with NotesFile.open(tmp_path / "new.notes") as file:
        file.append(ONE, NOTES[1])
    assert read(tmp_path / "new.notes") == NOTES[1:2]
    assert (tmp_path / "new.notes").stat().st_mode & 0o777 == 0o600


def test_a_file_that_others_can_read_or_a_link_is_not_gone_on_with(tmp_path: Path) -> None:
    path = kept(tmp_path / "a.notes")
    (tmp_path / "link.notes").symlink_to(path)
    with pytest.raises(StorageError, match=r"notes\.not-a-file"):
        NotesFile.open(tmp_path / "link.notes")
    path.chmod(0o644)
    with pytest.raises(StorageError, match=r"notes\.open-to-others"):
        NotesFile.open(path)


GOOD: dict[str, Any] = {"session": ONE.hex(), "hand": 1, "seat": 0, "place": 0, "what": "BET", "reason": "a pair"}


@pytest.mark.parametrize(
    "line",
    [
        "",
        "null",
        "[]",
        "not json",
        "[" * 2000,
        "1" * 5000,
        json.dumps(GOOD | {"more": 1}),
        json.dumps(GOOD | {"hand": True}),
        json.dumps(GOOD | {"hand": 1.0}),
        json.dumps(GOOD | {"hand": "1"}),
        json.dumps(GOOD | {"session": "0" * 62}),
        json.dumps(GOOD | {"session": "x" * 64}),
        json.dumps({name: GOOD[name] for name in GOOD if name != "reason"}),
        json.dumps(GOOD | {"reason": "x" * 5000}),
    ],
)
def test_what_is_no_note_is_damage(line: str, tmp_path: Path) -> None:
    """T01: any bytes at all; the line is named."""
    data = f"{json.dumps(GOOD)}\n{line}\n{json.dumps(GOOD)}\n".encode()
    with pytest.raises(UsageError, match=r"notes\.damaged") as caught:
        list(read_notes(BytesIO(data), "a"))
    assert caught.value.actual == "a, line 2"
    path = tmp_path / "a.notes"
    path.write_bytes(data)
    path.chmod(0o600)
    with pytest.raises(UsageError, match=r"notes\.damaged"):
        NotesFile.open(path)
    assert path.read_bytes() == data


def test_notes_of_several_seats_are_gathered_of_hands_that_are_over(tmp_path: Path) -> None:
    """In the order of the match; nothing is made where there is nothing to keep."""
    homes = [tmp_path / name for name in ("a", "b", "c")]
    for seat, home in enumerate(homes):
        home.mkdir()
        if seat:
            places = [(hand, place) for hand in (1, 2, 3) for place in (seat, seat + 3)]
            mine = [Noted(hand, seat, place, "CHECK", "a reason") for hand, place in places]
            kept(beside(home / MATCH), tuple(mine))
    assert not gather(homes, tmp_path / "none.notes", ONE, 0)
    assert not (tmp_path / "none.notes").exists()
    assert gather(homes, tmp_path / "all.notes", ONE, 2)
    assert [(one.hand, one.place, one.seat) for one in read(tmp_path / "all.notes")] == [
        (hand, place, seat) for hand in (1, 2) for place, seat in ((1, 1), (2, 2), (4, 1), (5, 2))
    ]
    with pytest.raises(StorageError, match=r"notes\.exists"):
        gather(homes, tmp_path / "all.notes", ONE, 2)


# --- what show tells


def played(folder: Path, frames: int | None = None) -> tuple[Path, bytes]:
    """The transcript of two hands of hex, cut after so many frames; and the match's id."""
    match = Match(hex_offer("noted", hands=2, show="muck"), "noted").play(named("BET RAISE CALL CHECK CHECK BET FOLD"))
    path = folder / "m.dlt"
    path.write_bytes(transcript(*match.frames[:frames]))
    return path, match.state.agreed.session


MINE = (
    Noted(1, 1, 0, "BET 10", "first of all"),
    Noted(1, 1, 2, "CALL 10", "not\x1b[31m me"),
    Noted(1, 0, 1, "RAISE 30", "of another amount than the move"),
    Noted(2, 0, 0, "BET 10", "before a crash"),
    Noted(2, 0, 0, "BET 10", "after it"),
    Noted(9, 0, 0, "BET 10", "of no hand"),
)


def test_each_reason_stands_under_its_move(tmp_path: Path) -> None:
    """DRAW-9: of the decision as it was signed, and of two notes on one the last; hostile text is escaped."""
    path, session = played(tmp_path)
    kept(beside(path), MINE, session)
    status, out, err = invoke("show", str(path), "--reasons")
    assert (status, err) == (0, "")
    told = [line.strip() for line in out.splitlines() if "reason noted" in line]
    assert told == ["reason noted: first of all", "reason noted: not\\x1b[31m me", "reason noted: after it"]
    lines = out.splitlines()
    for move, reason in (("  seat 1 BET 10", "first of all"), ("  seat 0 BET 10", "after it")):
        (place,) = [place for place, line in enumerate(lines) if line.endswith(move)]
        assert lines[place + 2] == f"        reason noted: {reason}"
    # All else is what show tells without them.
    assert [line for line in lines if "reason noted" not in line] == invoke("show", str(path))[1].splitlines()
    moved = tmp_path / "elsewhere"
    beside(path).rename(moved)
    assert invoke("show", str(path), "--reasons", str(moved)) == (0, out, "")


def test_the_object_has_the_same_reasons(tmp_path: Path) -> None:
    path, session = played(tmp_path)
    kept(beside(path), MINE, session)
    told = json.loads(invoke("show", str(path), "--json", "--reasons")[1])
    assert [step["reason"] for step in told["steps"] if step["reason"]] == [
        "first of all",
        "not\x1b[31m me",
        "after it",
    ]
    plain = json.loads(invoke("show", str(path), "--json")[1])
    assert all("reason" not in step for step in plain["steps"])
    for step in told["steps"]:
        del step["reason"]
    assert told == plain


def test_a_hand_that_is_not_over_has_no_reasons(tmp_path: Path) -> None:
    """They tell cards: cut after every message, those of a hand come with the message that ends it."""
    whole = Match(hex_offer("noted", hands=2, show="muck"), "noted").play(named("BET RAISE CALL CHECK CHECK BET FOLD"))
    kept(tmp_path / "n", MINE, whole.state.agreed.session)
    counts = []
    for count in range(len(whole.frames) + 1):
        path, _ = played(tmp_path, count)
        out = invoke("show", str(path), "--reasons", str(tmp_path / "n"))[1]
        over = sum(hand.result != "running" for hand in replay(path.read_bytes()).hands)
        counts.append((over, out.count("reason noted")))
    assert set(counts) == {(0, 0), (1, 2), (2, 3)}


@pytest.mark.parametrize("as_json", [(), ("--json",)])
def test_notes_of_another_match_are_refused(as_json: tuple[str, ...], tmp_path: Path) -> None:
    path, _ = played(tmp_path)
    kept(beside(path))
    status, out, err = invoke("show", str(path), *as_json, "--reasons")
    assert (status, out) == (2, "")
    assert "[notes.other-match, DRAW-9]" in err


def test_notes_that_are_missing_damaged_or_no_file_are_typed_errors(tmp_path: Path) -> None:
    path, _ = played(tmp_path)
    for code in ("missing", "damaged", "not-a-file"):
        if code == "damaged":
            beside(path).write_text("mine\n")
        elif code == "not-a-file":
            beside(path).unlink()
            beside(path).mkdir()
        status, out, err = invoke("show", str(path), "--reasons")
        assert (status, out) == (2, "")
        assert f"[notes.{code}, DRAW-9]" in err
    status, _, err = invoke("show", "-", "--reasons")
    assert status == 2
    assert "nothing lies beside standard input" in err


# --- who plays


def manner(**said: Any) -> Manner:
    usual: dict[str, Any] = {"key_file": None, "passphrase_file": None, "witnesses": (), "wait": 1, "as_json": False}
    values: dict[str, Any] = {**usual, "auto": False, "yes": True, **said}
    return Manner(**values)


def test_auto_is_short_for_the_weakest_level() -> None:
    assert manner().level is None
    assert manner(auto=True).level == "easy"
    assert manner(auto=True, bot="easy", end_with_input=True).level == "easy"
    assert manner(bot="hard", end_with_input=True).level == "hard"
    with pytest.raises(Exception, match="--auto is short for --bot easy, and --bot hard is given too"):
        manner(auto=True, bot="hard")
    with pytest.raises(Exception, match="--end-with-input goes with --bot or --auto"):
        manner(end_with_input=True)


@pytest.mark.parametrize("command", ["host", "join", "resume", "play", "demo"])
def test_every_way_to_sit_down_has_levels(command: str) -> None:
    status, out, _ = invoke(command, "--help")
    assert status == 0
    assert "--bot [easy|medium|hard]" in out
    assert invoke(command, "--bot", "harder")[0] == 2


def test_a_name_that_is_missing_is_said_to_be() -> None:
    """A name right behind `--reasons` is that of the notes, and notes are not read from standard input."""
    for words, told in {
        (): "Missing argument 'FILE'.",
        ("--reasons", "-"): "FILE is missing: - behind --reasons is taken for the notes; "
        "name the transcript before --reasons",
        ("--reasons", "m.dlt"): "FILE is missing: m.dlt behind --reasons is taken for the notes; "
        "name the transcript before --reasons",
        ("-", "--reasons", "-"): "--reasons needs the name of a file of notes: they are not read from standard input",
        ("m.dlt", "--reasons", "-"): "--reasons needs the name of a file of notes: "
        "they are not read from standard input",
    }.items():
        assert invoke("show", *words) == (2, "", f"error: {told}\nhint: see: dealerless show --help\n")
