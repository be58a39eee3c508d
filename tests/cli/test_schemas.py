"""The published schemas: every reference resolves from the files alone, outputs fit, and damaged ones do not."""

from __future__ import annotations

import base64
import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from dealerless.cli import arena, cheats
from dealerless.errors import CODES
from dealerless.players.arena import Duel
from dealerless.players.computer import LEVELS
from dealerless.players.gallery import STORIES
from dealerless.players.tally import Tally
from dealerless.protocol.events import EVENTS
from dealerless.referee import replay
from dealerless.report.document import document
from tests.cli.conftest import Files
from tests.cli.running import invoke
from tests.cli.test_cheats import PLAYED
from tests.matches import Match, draw_offer
from tests.report.deals import blind_all_in, drawn, hex_deck, rounds, three_seats
from tests.schemas import FILES, SPEC, part_of, read, registry, validator

VECTORS = Path(__file__).parents[1] / "vectors"
UNPROVEN = ["silence", "weak-key", "unsigned-junk", "cut-copy", "replayed-frame"]


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    """Every object that a schema is made of, itself first."""
    if isinstance(schema, dict):
        yield schema
        for part in schema.values():
            yield from parts(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from parts(part)


# --- the files


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_reference_leads_to_a_part_of_a_file(path: Path) -> None:
    """By `$id` and pointer, with nothing but the files at hand: no folder, no network, no name of a file."""
    schema = json.loads(path.read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    resolver = registry().resolver(base_uri=schema["$id"])
    references = {part["$ref"] for part in parts(schema) if "$ref" in part}
    for reference in references:
        assert reference.startswith(("#/", "urn:dealerless:")), reference
        assert isinstance(resolver.lookup(reference).contents, dict)


def test_a_schema_is_named_after_the_format_that_it_describes() -> None:
    """Each file's own name, and the row of the folder's table that says what it is."""
    table = (SPEC / "README.md").read_text("utf-8")
    names = set()
    for path in FILES:
        schema = json.loads(path.read_text("utf-8"))
        formats = [part["const"] for part in parts(schema) if str(part.get("const")).startswith("dealerless ")]
        assert "dealerless " + schema["$id"].removeprefix("urn:dealerless:").replace(":", " ") in formats
        assert f"]({path.name})" in table
        names.add(schema["$id"])
    assert len(names) == len(FILES) == 6


@pytest.mark.parametrize("name", ["show", "arena", "cheat"])
def test_objects_are_closed(name: str) -> None:
    """Whoever reads them by the schema meets no field that it does not name."""
    objects = [part for part in parts(read(name)) if part.get("type") == "object" and "properties" in part]
    assert objects
    for part in objects:
        assert part["additionalProperties"] is False
        assert set(part["properties"]) - set(part["required"]) <= {"digests", "opened", "reason"}


def test_what_is_listed_is_what_there_is() -> None:
    """Kinds of messages and levels are enumerations; codes have a pattern."""
    kind = part_of("show", "step/properties/kind")
    for event in EVENTS:
        kind.validate(event.KIND)
    assert not kind.is_valid("fold")
    assert read("arena")["properties"]["bots"]["items"]["enum"] == list(LEVELS)
    code = part_of("cheat", "code")
    for name in CODES:
        code.validate(name)


# --- what the commands print


def shown(path: str | Path, *options: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(invoke("show", "--json", str(path), *options)[1])
    validator("show").validate(told)
    return told


@pytest.mark.parametrize("match", [three_seats, blind_all_in, hex_deck, drawn, rounds])
def test_what_show_prints_of_every_game_fits(match: Any, tmp_path: Path) -> None:
    """Also of every game's cards how they came to be open: released, exchanged, laid."""
    path = tmp_path / "match.dlt"
    path.write_bytes(match().transcript())
    assert all("opened" not in step for step in shown(path)["steps"])
    opened = [cards for step in shown(path, "--explain")["steps"] for cards in step["opened"]]
    assert opened
    assert any(cards["exchange"] for cards in opened) is (match is drawn)
    assert any(cards["laying"] for cards in opened) is (match is rounds)


@pytest.mark.parametrize("folder", ["transcripts", "deck/transcripts", "shoe/transcripts"])
def test_what_show_prints_of_every_vector_fits(folder: str, tmp_path: Path) -> None:
    """CHAIN, VERDICT-6: refused messages, expulsions with and without witnesses, damage, nothing at all."""
    path, refused, absent = tmp_path / "vector.dlt", 0, 0
    for vector in sorted((VECTORS / folder).glob("*.json")):
        path.write_bytes(base64.b64decode(json.loads(vector.read_text("utf-8"))["transcript"]))
        told = shown(path, "--explain")
        refused += sum(step["refused"] is not None for step in told["steps"])
        absent += sum(bool(step["absent"]) for step in told["steps"])
    assert refused
    assert absent or folder != "transcripts"


def test_what_show_prints_of_files_of_every_outcome_fits(files: Files) -> None:
    for path in files.by_name().values():
        shown(path)


def test_what_show_prints_with_reasons_fits(tmp_path: Path) -> None:
    path = tmp_path / "match.dlt"
    assert invoke("demo", "--hands", "1", "--out", str(path))[0] == 0
    told = shown(path, "--reasons")
    assert any(step["reason"] for step in told["steps"])
    del told["steps"][0]["reason"]
    assert not validator("show").is_valid(told)


def story(name: str) -> dict[str, Any]:
    """What `demo --cheat` prints, without the process that judges."""
    one = STORIES[name]
    played = one.play(random.Random(name).randbytes)
    return cheats.document(one, played, document(replay(played.transcript)))


@pytest.mark.parametrize("name", [*PLAYED, *UNPROVEN])
def test_a_cheat_that_was_played_fits(name: str) -> None:
    validator("cheat").validate(story(name))


def test_what_the_gallery_prints_fits() -> None:
    validator("cheat").validate(json.loads(invoke("demo", "--cheat", "replayed-frame", "--json")[1]))
    for option in ("--list-cheats", "--list-unprovable"):
        validator("cheat").validate(json.loads(invoke("demo", option, "--json")[1]))


def fought(monkeypatch: pytest.MonkeyPatch, *words: str) -> dict[str, Any]:
    """What `arena` prints of deals that cost nothing."""

    def play(duel: Duel, first: int, deals: int) -> Tally:
        won = (5, -3, 2, 1)[first // 4 % 4] if "hard" in duel.bots else (5, -5, 2, -2)[first // 4 % 4]
        return Tally(deals=deals, total=won * deals, squares=won * won * deals)

    monkeypatch.setattr(arena, "play_deals", play)
    status, out, err = invoke("arena", *words, "--json", "--jobs", "1")
    assert status == 0, err
    told: dict[str, Any] = json.loads(out)
    return told


DUELS = [
    ("--game", "hex", "--bots", "hard,easy"),
    ("--game", "hex", "--deal", "deck", "--bots", "easy,easy", "--deals", "600"),
    ("--game", "draw", "--bots", "hard,medium,easy", "--players", "6"),
    ("--game", "draw", "--bots", "easy,easy", "--no-all-in", "--deals", "300"),
    ("--game", "holdem", "--bots", "hard,easy", "--players", "9", "--seed", "9999999999"),
    ("--game", "holdem", "--structure", "limit", "--bots", "medium,medium", "--deals", "256"),
    ("--game", "onepoker", "--bots", "hard,easy", "--lives", "3/5"),
]


@pytest.mark.parametrize("words", DUELS, ids=" ".join)
def test_what_the_arena_prints_fits(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    validator("arena").validate(fought(monkeypatch, *words))


# --- damaged


Place = tuple[str | int, ...]


def places(value: Any, at: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every value within a document and where it stands, but what stands in a verdict, which has its own tests."""
    yield at, value
    if isinstance(value, dict):
        for key, part in value.items():
            if key != "verdict":
                yield from places(part, (*at, key))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from places(part, (*at, place))


def damaged(told: dict[str, Any]) -> Iterator[tuple[Place, Any]]:
    """The document with a field left out, one too many, or an object where there is none, at every place in turn."""
    for at, value in places(told):
        if isinstance(value, dict):
            yield from [((*at, key), _put(told, (*at, key), ...)) for key in value]
            yield (*at, "more"), _put(told, (*at, "more"), 0)
        else:
            yield at, _put(told, at, {"more": 0})


def _put(told: dict[str, Any], at: Place, value: Any) -> Any:
    other = copy.deepcopy(told)
    target: Any = other
    for key in at[:-1]:
        target = target[key]
    if value is ...:
        del target[at[-1]]
    else:
        target[at[-1]] = value
    return other


def refuses(check: Draft202012Validator, told: dict[str, Any]) -> None:
    check.validate(told)
    for at, other in damaged(told):
        assert not check.is_valid(other), at


def test_nothing_can_be_left_out_of_what_show_prints_or_put_in(tmp_path: Path) -> None:
    """Of a message of each kind, with all that is told of open cards, and of the whole."""
    path, one = tmp_path / "match.dlt", part_of("show", "step")
    for match in (Match(draw_offer(seats=3)).play(), rounds()):
        path.write_bytes(match.transcript())
        told = shown(path, "--explain")
        kinds = {step["kind"]: step for step in told["steps"]}
        opened = [step for step in told["steps"] if step["opened"]]
        assert len(kinds) > 9
        for step in (*kinds.values(), opened[0], opened[-1]):
            refuses(one, step)
        refuses(validator("show"), told | {"steps": []})


def test_nothing_can_be_left_out_of_an_expulsion_by_witnesses(tmp_path: Path) -> None:
    """VERDICT-6: each word of each witness; and a refused message."""
    path, one = tmp_path / "vector.dlt", part_of("show", "step")
    found = set()
    for vector in sorted((VECTORS / "transcripts").glob("*.json")):
        if not vector.name.startswith(("bet", "fault_then", "witness")):
            continue
        path.write_bytes(base64.b64decode(json.loads(vector.read_text("utf-8"))["transcript"]))
        for step in shown(path)["steps"]:
            kind = (bool(step["absent"]), step["refused"] is not None)
            if kind not in found and any(kind):
                found.add(kind)
                refuses(one, step)
    assert {(True, False), (False, True)} <= found


@pytest.mark.parametrize("name", ["replayed-frame", "short-call"])
def test_nothing_can_be_left_out_of_a_cheat(name: str) -> None:
    told = story(name)
    told["verdict"]["hands"] = []
    refuses(validator("cheat"), told)
    listed = json.loads(invoke("demo", "--list-unprovable", "--json")[1])
    refuses(validator("cheat"), listed | {"cheats": listed["cheats"][:2]})


def test_nothing_can_be_left_out_of_what_the_arena_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    for words in DUELS:
        refuses(validator("arena"), fought(monkeypatch, *words, "--deals", "2048"))


def test_the_arena_counts_matches_where_a_deal_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """ONE-10: as its text says; what is called hands would be read as rounds."""
    for words in DUELS:
        told = fought(monkeypatch, *words)
        counted, other = ("matches", "hands") if "onepoker" in words else ("hands", "matches")
        assert told[counted] == told["deals"] * told["seats"]
        assert told[other] is None
        assert not validator("arena").is_valid(told | {counted: None, other: told[counted]})


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (("format",), "dealerless arena 2"),
        (("game",), "holdem"),
        (("unit",), "antes"),
        (("dealing",), "hash"),
        (("rules", 4), 1),
        (("rules",), [1, 10, 10, 3, True, 200]),
        (("rules",), [1, 10, 10, 3, True, 200, "all", 1]),
        (("seats",), 7),
        (("bots",), ["hard"]),
        (("bots", 0), "best"),
        (("deals",), 127),
        (("seed",), -1),
        (("error",), 0),
        (("mean",), "0.1"),
        (("looks",), []),
        (("looks", 0, "decided"), 1),
    ],
)
def test_what_the_arena_never_prints(at: Place, value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not validator("arena").is_valid(_put(fought(monkeypatch, *DUELS[2]), at, value))


@pytest.mark.parametrize(
    ("name", "at", "value"),
    [
        ("short-call", ("format",), "dealerless cheats 1"),
        ("short-call", ("instead",), "nothing"),
        ("short-call", ("code",), None),
        ("short-call", ("clause",), "6"),
        ("short-call", ("cheat",), 9),
        ("short-call", ("name",), "Short Call"),
        ("short-call", ("verdict", "outcome"), "clean"),
        ("short-call", ("verdict", "fault"), None),
        ("silence", ("code",), "bet.not-a-move"),
        ("silence", ("instead",), None),
        ("silence", ("hope",), ""),
        ("replayed-frame", ("dropped", 0, "code"), "dropped"),
        ("replayed-frame", ("dropped", 0, "record"), -1),
    ],
)
def test_what_the_gallery_never_prints(name: str, at: Place, value: Any) -> None:
    assert not validator("cheat").is_valid(_put(story(name), at, value))


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (("format",), "dealerless verdict 1"),
        (("steps", 0, "seat"), 9),
        (("steps", 0, "seq"), -1),
        (("steps", 0, "kind"), "bet"),
        (("steps", 0, "kind"), None),
        (("steps", 0, "claim"), ""),
        (("steps", 0, "clause"), ""),
        (("steps", 0, "clause"), "HEX"),
        (("steps", 0, "check"), ""),
        (("steps", 0, "record"), "AB" * 32),
        (("steps", 0, "ended"), 0),
        (("steps", 0, "reason"), "a hunch"),
        (("steps", 0, "digests"), []),
        (("steps", 0, "refused"), {"code": "bet.over-stack", "clause": "HEX-6", "expected": 1, "actual": 2}),
        (("steps", 4, "values"), [{"what": "x", "digits": "0"}]),
        (("verdict", "format"), "dealerless verdict 2"),
        (("verdict",), {"verdicts": []}),
    ],
)
def test_what_show_never_prints(at: Place, value: Any, files: Files) -> None:
    assert not validator("show").is_valid(_put(shown(files.clean), at, value))
