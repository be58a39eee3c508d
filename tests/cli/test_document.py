"""The verdict object against its published schema, and the two ways of writing it against each other."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from dealerless.errors import CODES
from dealerless.games.cards import card_text
from dealerless.games.ranking import CLASSES
from dealerless.protocol.events import EVENTS
from dealerless.referee import Outcome, replay
from dealerless.report.claims import CLAIMS
from dealerless.report.document import document, encode, hand_document, pieces
from dealerless.report.reasons import CHECKS
from dealerless.report.view import plain
from tests.cli.conftest import Files, clean_bytes, fault_bytes
from tests.cli.matches import offer, play
from tests.cli.running import invoke
from tests.matches import by_chance, transcript
from tests.report.deals import blind_all_in, hex_deck, three_seats
from tests.report.tables import at_random

ROOT = Path(__file__).parents[2]
SCHEMA: dict[str, Any] = json.loads((ROOT / "spec" / "verdict.schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
VECTORS = sorted((ROOT / "tests" / "vectors" / "transcripts").glob("*.json"))


def check(data: bytes) -> dict[str, Any]:
    verdict = document(replay(data))
    VALIDATOR.validate(verdict)
    return verdict


def closed(schema: Any) -> Iterator[Any]:
    """Yield every part of the schema that describes an object."""
    if isinstance(schema, dict):
        if "properties" in schema and schema.get("type") == "object":
            yield schema
        for part in schema.values():
            yield from closed(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from closed(part)


def test_the_schema_is_a_schema_and_closed() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    parts = list(closed(SCHEMA))
    assert len(parts) > 10
    for part in parts:
        assert part["additionalProperties"] is False
        assert sorted(part["required"]) == sorted(part["properties"])


def test_the_schema_has_the_fields_of_the_contract_in_their_order() -> None:
    fields = ["format", "outcome", "game", "suite", "dealing", "terms", "session", "players", "hands", "stacks", "net"]
    fields += [
        "fault",
        "forfeits",
        "owes",
        "pending",
        "damage",
        "unjudged",
        "settled",
        "left",
        "won_by",
        "head",
        "frames",
    ]
    assert list(SCHEMA["$defs"]["verdict"]["properties"]) == fields
    assert list(check(clean_bytes())) == fields
    kinds = SCHEMA["$defs"]["owes"]["properties"]["kinds"]["items"]["enum"]
    assert sorted(kinds) == sorted(event.KIND for event in EVENTS)
    assert SCHEMA["$defs"]["verdict"]["properties"]["outcome"]["enum"] == [outcome.value for outcome in Outcome]
    pattern = Draft202012Validator(SCHEMA["$defs"]["code"])
    for code in CODES:
        pattern.validate(code)


def test_every_cut_of_a_match_has_a_valid_verdict() -> None:
    """CHAIN-3, VERDICT-1: cut after every message, in the middle of every message, and with nothing left."""
    frames = play(by_chance("3"), terms=offer(hands=2, show="muck"), muck=True).frames
    outcomes = set()
    for count in range(len(frames) + 1):
        whole = transcript(*frames[:count])
        outcomes.add(check(whole)["outcome"])
        assert check(whole[:-3])["outcome"] == "incomplete"
    assert outcomes == {"incomplete", "clean"}
    assert check(b"")["outcome"] == "incomplete"


def test_every_flipped_byte_has_a_valid_verdict() -> None:
    """T02: whatever a byte becomes, the verdict is one, and never clean."""
    data = play(by_chance("3"), terms=offer(hands=1)).transcript()
    for position in range(0, len(data), 37):
        spoilt = bytearray(data)
        spoilt[position] ^= 0x41
        assert check(bytes(spoilt))["outcome"] != "clean"


@pytest.mark.parametrize("data", [fault_bytes(), clean_bytes()[:200], b"\0" * 100, b"dealerless transcript 2\n"])
def test_faults_and_junk_have_valid_verdicts(data: bytes) -> None:
    check(data)


def test_every_transcript_vector_has_a_valid_verdict() -> None:
    assert VECTORS
    for path in VECTORS:
        vector = json.loads(path.read_text("utf-8"))
        verdict = check(base64.b64decode(vector["transcript"]))
        assert verdict["outcome"] == vector["expect"], path.name
        assert verdict["frames"] == vector["frames"], path.name


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("outcome",), "verified"),
        (("extra",), 1),
        (("players", 0, "key"), "AB" * 32),
        (("hands", 0, "common", 0), "F"),
        (("hands", 0, "board", 0), "SA"),
        (("hands", 0, "hole", 0), ["a"]),
        (("hands", 0, "shown", 0, "best"), "high card, SA HK D9 C8 S7"),
        (("hands", 0, "shown", 0, "best"), None),
        (("hands", 0, "pots", 0, "winners"), [0, 0]),
        (("hands", 0, "pots", 0, "odd"), 1),
        (("hands", 0, "dealt"), [0]),
        (("hands", 0, "actions", 0, "open"), 6),
        (("dealing",), "deck"),
        (("hands", 0, "actions", 0, "amount"), -1),
        (("hands", 0, "actions", 0, "amount"), 2**53),
        (("fault",), {}),
        (("damage",), {"record": 1, "reason": "record.truncated", "detail": None}),
        (("terms", "rules", "ante"), 1),
    ],
)
def test_the_schema_refuses_what_a_verdict_never_is(where: tuple[str | int, ...], value: object) -> None:
    verdict: Any = document(replay(clean_bytes()))
    target = verdict
    for key in where[:-1]:
        target = target[key]
    target[where[-1]] = value
    assert not VALIDATOR.is_valid(verdict)


def holdem() -> dict[str, Any]:
    return check(three_seats().transcript())


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("hands", 0, "board", 0), "a"),
        (("hands", 0, "board", 0), "As"),
        (("hands", 0, "hole", 0, 0), "S1"),
        (("hands", 0, "shown", 0, "best"), "22,dd998,19986dd"),
        (("hands", 0, "shown", 0, "best"), "one pair, SA HA DK C9"),
        (("hands", 0, "actions", 0, "move"), "ALLIN"),
        (("hands", 0, "pots", 0), {"amount": 1, "seats": [0]}),
        (("terms", "rules", "bet"), 1),
        (("suite",), "sha256"),
        (("dealing",), "hash"),
    ],
)
def test_the_schema_refuses_what_a_hand_of_holdem_never_is(where: tuple[str | int, ...], value: object) -> None:
    verdict: Any = holdem()
    target = verdict
    for key in where[:-1]:
        target = target[key]
    target[where[-1]] = value
    assert not VALIDATOR.is_valid(verdict)


def test_a_hand_of_holdem_is_the_table_s() -> None:
    """VERDICT-3: three seats, the second folds before the flop; every field against what the table knows."""
    verdict = holdem()
    (hand,) = verdict["hands"]
    assert list(hand) == list(SCHEMA["$defs"]["hand"]["properties"])
    record = replay(three_seats().transcript()).hands[0]
    texts = [card_text(card) if card is not None else None for card in record.hand.cards]
    assert hand["board"] == hand["common"] == texts[6:]
    assert None not in hand["board"]
    # Dealt one each from the button's left, twice (TABLE-5): seats 1, 2, 0.
    assert hand["hole"] == [[texts[2], texts[5]], None, [texts[1], texts[4]]]
    assert hand["dealt"] == [0, 1, 2]
    assert hand["posts"] == [1, 2, 3]
    assert [(one["seat"], one["move"], one["open"]) for one in hand["actions"]] == [
        (0, "CALL", 0),
        (1, "FOLD", 0),
        (2, "CHECK", 0),
        *[(seat, "CHECK", opened) for opened in (3, 4, 5) for seat in (2, 0)],
    ]
    assert hand["pots"] == [{"amount": 8, "seats": [0, 2], "winners": hand["winner"]}]
    assert hand["pot"] == 8
    assert [one["seat"] for one in hand["shown"]] == [2, 0]
    for one in hand["shown"]:
        name, five = one["best"].split(", ")
        assert name in CLASSES
        assert set(five.split()) <= {*hand["board"], *hand["hole"][one["seat"]]}
    assert sum(hand["changes"]) == 0
    assert verdict["terms"]["rules"] == {"structure": "no-limit", "small": 1, "big": 2, "ante": 1, "stack": 100} | {
        "show": "all"
    }


def test_every_cut_of_a_match_from_a_deck_has_a_valid_verdict() -> None:
    """CHAIN-3: after every message; what is closed is null, and the seat that owes says which kind."""
    frames = three_seats().frames
    kinds = set()
    for count in range(len(frames) + 1):
        verdict = check(transcript(*frames[:count]))
        kinds |= set((verdict["owes"] or {"kinds": ()})["kinds"])
        for hand in verdict["hands"]:
            assert hand["board"] == sorted(hand["board"], key=lambda card: card is None)
    assert {"key", "shuffle", "share", "act", "reveal", "hand", "settle"} <= kinds
    check(hex_deck().transcript())
    check(blind_all_in().transcript())


def test_hands_of_every_kind_fit_the_schema() -> None:
    """HOLDEM: side pots, mucks, expulsions, boards that stayed closed or came from another deck."""
    part = {"$ref": "#/$defs/hand", "allOf": [{"$ref": "#/$defs/holdem_hand"}], "$defs": SCHEMA["$defs"]}
    validator = Draft202012Validator(part)
    for seed in range(150):
        record = at_random(seed, expelling=0.03, stopping=0.01).record()
        hand = hand_document(record)
        validator.validate(hand)
        assert sum(pot["amount"] for pot in hand["pots"]) == (hand["pot"] if hand["pots"] else 0)
        assert hand["winner"] == sorted({seat for pot in hand["pots"] for seat in pot["winners"]})


def test_what_the_command_prints_is_the_document(files: Files) -> None:
    """The pieces written one after another are the object that the library makes, byte for byte."""
    for path in files.by_name().values():
        verdict = replay(path.read_bytes())
        text = encode(document(verdict))
        assert "".join(pieces(verdict, [encode(hand_document(hand)) for hand in verdict.hands])) == text
        assert invoke("audit", "--json", str(path))[1] == text + "\n"
    paths = [str(path) for path in files.by_name().values()]
    VALIDATOR.validate(json.loads(invoke("audit", "--json", *paths)[1]))


def test_a_verdict_worked_out_by_hand() -> None:
    """VERDICT-3: a hand of three bets and a match's accounts, written down here."""
    verdict = document(replay(clean_bytes()))
    assert verdict["hands"][0] == {
        "hand": 1,
        "button": 0,
        "common": list("19986"),
        "board": list("19986"),
        "hole": [["d", "d"], ["8", "4"]],
        "shown": [{"seat": 0, "best": "22,dd998,19986dd"}, {"seat": 1, "best": "22,99886,1998684"}],
        "dealt": [0, 1],
        "posts": [10, 10],
        "actions": [
            {"seq": 9, "seat": 1, "move": "BET", "amount": 10, "open": 5, "stacks": [50, 40], "pot": 30},
            {"seq": 10, "seat": 0, "move": "RAISE", "amount": 20, "open": 5, "stacks": [30, 40], "pot": 50},
            {"seq": 11, "seat": 1, "move": "CALL", "amount": 10, "open": 5, "stacks": [30, 30], "pot": 60},
            {"seq": 12, "seat": 0, "move": "CHECK", "amount": 0, "open": 5, "stacks": [30, 30], "pot": 60},
            {"seq": 13, "seat": 1, "move": "CHECK", "amount": 0, "open": 5, "stacks": [30, 30], "pot": 60},
        ],
        "winner": [0],
        "pot": 60,
        "pots": [{"amount": 60, "seats": [0, 1], "winners": [0]}],
        "changes": [30, -30],
        "result": "showdown",
        "priority": None,
        "lamps": None,
    }
    assert [hand["result"] for hand in verdict["hands"]] == ["showdown", "fold", "showdown"]
    assert verdict["hands"][1]["hole"] == [None, None]
    assert verdict["terms"]["rules"] == {"bet": 10, "depth": 5, "show": "all"}
    # The seat that has chips signs before the busted one (CHAIN-3).
    assert verdict["stacks"] == [0, 120]
    assert verdict["settled"] == [1, 0]
    broken = document(replay(fault_bytes()))
    assert broken["fault"] == {
        "code": "bet.nothing-owed",
        "clause": "HEX-6",
        "seat": 1,
        "seq": 9,
        "blame": "public",
        "expected": ["CHECK", "BET", "ALLIN"],
        "actual": "CALL",
    }
    assert broken["forfeits"] == [{"seat": 1, "seq": 9, "hand": 1, "amount": 10, "code": "bet.nothing-owed"}]
    assert (broken["stacks"], broken["net"], broken["frames"]) == ([70, 50], [10, -10], 9)


def test_chips_in_the_document_add_up() -> None:
    for seed in range(5):
        verdict = check(play(by_chance(str(seed)), terms=offer(hands=4)).transcript())
        assert sum(verdict["net"]) == 0
        total = [sum(changes) for changes in zip(*(hand["changes"] for hand in verdict["hands"]), strict=True)]
        assert total == verdict["net"]


def test_every_kind_of_message_can_be_told() -> None:
    """A kind without words would end `show` with a mistake of ours."""
    assert set(CLAIMS) == set(CHECKS) == set(EVENTS)


def test_long_data_of_a_fault_is_cut() -> None:
    """R08: a cheat's own words fill no screen."""
    assert plain("x" * 1000) == "x" * 200 + "..."
    assert plain(b"\xff" * 1000) == "f" * 200 + "..."
    assert plain(tuple(range(1000))) == tuple(range(64))
    assert plain((b"\x01", (True, None))) == ("01", (True, None))
    assert plain(1.5) == "1.5"
