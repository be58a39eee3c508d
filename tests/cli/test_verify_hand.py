"""verify-hand: a hand redone from its seeds, and the slips of those who redo it."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from dealerless.crypto.commitment import commitment
from dealerless.protocol.hashdeal import HOLE, LAYOUT
from dealerless.referee import replay
from dealerless.report.document import hand_document
from dealerless.report.redo import redo
from tests.cli.matches import offer, play
from tests.cli.running import invoke, run
from tests.matches import by_chance, named

SESSION = hashlib.sha256(b"session").digest()
LAYOUTS = [hashlib.sha256(b"layout 0").digest(), hashlib.sha256(b"layout 1").digest()]
HOLES = [hashlib.sha256(b"hole 0").digest(), hashlib.sha256(b"hole 1").digest()]
COMMITMENTS = [
    commitment(purpose, SESSION, 3, seat, seeds[seat])
    for purpose, seeds in ((LAYOUT, LAYOUTS), (HOLE, HOLES))
    for seat in (0, 1)
]


def arguments(
    *,
    suite: str = "sha256",
    layouts: list[bytes] | None = None,
    holes: list[bytes | None] | None = None,
    commitments: list[bytes] | None = None,
) -> list[str]:
    args = ["verify-hand", "--suite", suite, "--session", SESSION.hex(), "--hand", "3"]
    for seed in layouts or LAYOUTS:
        args += ["--layout", seed.hex()]
    for hole in holes or HOLES:
        args += ["--hole", "none" if hole is None else hole.hex()]
    for value in commitments or []:
        args += ["--commitment", value.hex()]
    return args


def redone(*args: str) -> tuple[int, Any]:
    status, out, err = invoke(*args, "--json")
    assert err == ""
    assert len(out.splitlines()) == 1
    return status, json.loads(out)


def test_BR99_BR100_a_worked_example_with_its_cards() -> None:
    """BR99, BR100, HASHDEAL-1: seeds whose cards are written down here, made with hashlib alone."""
    for suite in ("sha256", "md5"):
        line = f"dealerless/1 hex-deal {suite} {SESSION.hex()} 3 {LAYOUTS[0].hex()} {LAYOUTS[1].hex()}"
        deal = hashlib.new(suite, line.encode()).hexdigest()
        holes = [
            hashlib.new(
                suite,
                f"dealerless/1 hex-hole {suite} {SESSION.hex()} 3 {deal} {seat} {HOLES[seat].hex()}".encode(),
            ).hexdigest()[:2]
            for seat in (0, 1)
        ]
        status, hand = redone(*arguments(suite=suite))
        assert status == 0
        assert hand["common"]["cards"] == deal[:5]
        assert [hole["cards"] for hole in hand["hole"]] == holes
        assert [seven.split(",")[2] for seven in hand["sevens"]] == [deal[:5] + hole for hole in holes]
        assert hand["opened"] is None


@pytest.mark.parametrize("suite", ["sha256", "md5"])
def test_every_shown_hand_of_a_match_is_redone_from_its_transcript(tmp_path: Path, suite: str) -> None:
    """HASHDEAL-4: the seeds that `show` prints give the cards, the sevens and the winners of the verdict."""
    match = play(by_chance("5"), terms=offer(hands=6, suite=suite))
    path = tmp_path / "match.dlt"
    path.write_bytes(match.transcript())
    told = json.loads(invoke("show", "--json", str(path))[1])
    session = told["verdict"]["session"]
    compared = 0
    for hand in (hand_document(record) for record in replay(match.transcript()).hands):
        if len(hand["shown"]) < 2:
            continue
        layouts, holes = seeds_of(told["steps"], hand["hand"])
        args = ["verify-hand", "--suite", suite, "--session", session, "--hand", str(hand["hand"])]
        args += [word for seed in layouts for word in ("--layout", seed)]
        args += [word for seed in holes for word in ("--hole", seed)]
        status, mine = redone(*args)
        assert status == 0
        assert list(mine["common"]["cards"]) == hand["common"]
        assert [list(hole["cards"]) for hole in mine["hole"]] == hand["hole"]
        assert mine["winners"] == hand["winner"]
        assert {(seat, seven) for seat, seven in enumerate(mine["sevens"])} == {
            (shown["seat"], shown["best"]) for shown in hand["shown"]
        }
        compared += 1
    assert compared


def seeds_of(steps: list[Any], number: int) -> tuple[list[str], list[str]]:
    """Return the layout and hole seeds of a hand, by seat, as `show` tells them."""
    layouts, holes, current = ["", ""], ["", ""], 0
    for step in steps:
        current += step["kind"] == "hand"
        if current == number and step["kind"] in ("layout", "show"):
            (layouts if step["kind"] == "layout" else holes)[step["seat"]] = step["claim"].split()[-1]
    return layouts, holes


def test_the_printed_lines_redo_the_digests_in_a_shell(tmp_path: Path) -> None:
    """HASHDEAL-1: what verify-hand and show --explain print can be pasted, and prints the same digests."""
    path = tmp_path / "match.dlt"
    path.write_bytes(play(named("CHECK CHECK"), terms=offer(hands=1, suite="md5")).transcript())
    text = invoke(*arguments(suite="md5"))[1] + invoke("show", "--explain", str(path))[1]
    lines = text.splitlines()
    pairs = [
        (re.findall("[0-9a-f]{32,64}", lines[index - 1])[-1], line.strip())
        for index, line in enumerate(lines)
        if line.strip().startswith("printf ")
    ]
    assert len(pairs) > 20
    assert sum("md5sum" in line for _, line in pairs) == 6
    script = "\n".join(line for _, line in pairs)
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    assert [line.split()[0] for line in done.stdout.splitlines()] == [digest for digest, _ in pairs]


def test_commitments_are_found_in_any_order() -> None:
    for commitments in (COMMITMENTS, COMMITMENTS[::-1], COMMITMENTS[1:2]):
        status, hand = redone(*arguments(commitments=commitments))
        assert (status, hand["opened"], hand["unopened"]) == (0, True, [])
    status, hand = redone(*arguments(holes=[None, HOLES[1]], commitments=COMMITMENTS))
    assert (status, hand["opened"], hand["winners"]) == (0, True, None)
    assert hand["hole"][0] is None
    assert hand["unopened"] == [COMMITMENTS[2].hex()]


def test_a_seed_that_does_not_open_is_status_1_and_accuses_nobody() -> None:
    """COMMIT-2, HASHDEAL-4: said plainly; who cheated is for signed messages to prove."""
    wrong = hashlib.sha256(b"another").digest()
    for args in (
        arguments(layouts=[LAYOUTS[0], wrong], commitments=COMMITMENTS),
        arguments(layouts=[LAYOUTS[0], wrong], holes=[None, HOLES[1]], commitments=COMMITMENTS),
        arguments(commitments=[wrong]),
        # It might be that of the first layout, or one of the secret ones: what is not sure is not OK.
        arguments(holes=[None, None], commitments=[COMMITMENTS[1], COMMITMENTS[2], wrong]),
    ):
        status, hand = redone(*args)
        assert (status, hand["opened"]) == (1, False)
        text = invoke(*args)[1]
        assert text.startswith("FAIL: a commitment does not open; that alone says nothing about whose mistake")
        assert "cheat" not in text


@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize("place", [0, 1, 2, 3])
def test_H09_BR97_a_commitment_in_place_of_a_seed_is_recognised(given: bool, place: int) -> None:
    """H09, BR97: the commonest slip is named as what it is: status 2, no accusation.

    Recognised by the given commitments or, without them, as the commitment of another given seed.
    """
    seeds: list[bytes] = [*LAYOUTS, *HOLES]
    seeds[place] = COMMITMENTS[place] if given else COMMITMENTS[(place + 1) % 4]
    args = arguments(layouts=seeds[:2], holes=list(seeds[2:]), commitments=COMMITMENTS if given else [])
    status, out, err = invoke(*args)
    assert (status, out) == (2, "")
    assert "this is a commitment, not the seed that opens it" in err
    assert f"{'layout' if place < 2 else 'hole'} seed of seat {place % 2}" in err
    assert "cheat" not in err


def test_H09_the_other_players_seed_is_recognised() -> None:
    """H09: seeds of exchanged seats or purposes are a slip, and are said to be one."""
    for layouts, holes in (
        (LAYOUTS[::-1], HOLES),
        (LAYOUTS, HOLES[::-1]),
        ([LAYOUTS[0], HOLES[1]], [HOLES[0], LAYOUTS[1]]),
    ):
        status, out, err = invoke(*arguments(layouts=layouts, holes=list(holes), commitments=COMMITMENTS))
        assert (status, out) == (2, "")
        assert "verify.exchanged-seeds" in err
    for layouts, holes in (([LAYOUTS[0]] * 2, HOLES), (LAYOUTS, [HOLES[0]] * 2), (LAYOUTS, [LAYOUTS[0], HOLES[1]])):
        status, out, err = invoke(*arguments(layouts=layouts, holes=list(holes)))
        assert (status, out) == (2, "")
        assert "verify.repeated-seed" in err


@pytest.mark.parametrize(
    "change",
    [
        ("--layout", "AB" * 32),
        ("--layout", "none"),
        ("--layout", "ab" * 31),
        ("--layout", "ab" * 32 + "\n"),
        ("--hole", "None"),
        ("--hole", ""),
        ("--hole", "0x" + "ab" * 31),
        ("--hole", "@/dev/zero"),
        ("--hole", "@/nonexistent/file"),
        ("--hole", "@\x00"),
        ("--commitment", "ab" * 33),
        ("--session", "ab"),
        ("--suite", "sha1"),
        ("--suite", "MD5"),
    ],
)
def test_values_have_one_spelling(change: tuple[str, str]) -> None:
    """F08: strict values; the value itself, which may be a secret, is not repeated."""
    name, value = change
    args = arguments(commitments=COMMITMENTS[:1])
    args[args.index(name) + 1] = value
    status, out, err = invoke(*args)
    assert (status, out) == (2, "")
    assert name in err
    assert value not in err or name == "--suite" or len(value) < 20


def test_each_seat_gives_one_seed_of_each_purpose() -> None:
    for name in ("--layout", "--hole"):
        args = arguments()
        index = args.index(name)
        assert invoke(*args[:index], *args[index + 2 :])[0] == 2
        assert invoke(*args, name, "cd" * 32)[0] == 2
    assert invoke(*arguments(commitments=[bytes([n]) * 32 for n in range(5)]))[0] == 2


def test_F09_a_seed_can_come_from_a_file(tmp_path: Path) -> None:
    """F09: nothing secret needs to stand in the arguments, where every user of the machine reads it."""
    expected = redone(*arguments())
    path = tmp_path / "seed.txt"
    args = arguments()
    args[args.index("--hole") + 1] = f"@{path}"
    for ending in ("", "\n"):
        path.write_text(HOLES[0].hex() + ending)
        assert redone(*args) == expected
    for content in (HOLES[0].hex() + "\n\n", HOLES[0].hex() + " ", "\n" + HOLES[0].hex(), "", "\xe9" * 64):
        path.write_text(content, "utf-8")
        status, out, err = invoke(*args)
        assert (status, out) == (2, "")
        assert HOLES[0].hex() not in err


def test_a_tie_is_said_to_be_one() -> None:
    """HEX-9: equal sevens share."""
    for number in range(3000):
        holes = [hashlib.sha256(f"{number} {seat}".encode()).digest() for seat in (0, 1)]
        hand = redo(
            suite="md5",
            session=SESSION,
            hand=3,
            layouts=tuple(LAYOUTS),
            holes=tuple(holes),
            commitments=(),
        )
        if hand.winners == (0, 1):
            assert "a tie, half the pot each" in invoke(*arguments(suite="md5", holes=list(holes)))[1]
            return
    raise AssertionError("no tie in 3,000 hands")


def test_in_a_process_of_its_own() -> None:
    done = run(*arguments(commitments=COMMITMENTS))
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("OK: ")
