"""Version 1 of the format is frozen: nothing of its vectors is changed, and a match of each game audits as it did then.

The matches in `frozen/` were played by processes (`dealerless demo --bot medium --out FILE`), each with folds and
showdowns; that of One Poker goes on into a second shoe. Beside each stands what `audit --json` says of it.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from dealerless.games import GAMES
from dealerless.protocol.events import DeckShuffled
from dealerless.protocol.machine import Admitted
from dealerless.protocol.state import State
from dealerless.referee import replay
from tests.cli.running import invoke

from . import generate

HERE = Path(__file__).parent
MATCHES = sorted((HERE / "frozen").glob("*.dlt"))


def listed() -> dict[str, str]:
    lines = (HERE / generate.SUMS).read_text().splitlines()
    return {path: digest for digest, path in (line.split("  ") for line in lines)}


def test_every_vector_has_the_bytes_that_are_listed() -> None:
    """VERDICT-9: a vector may come to the others, none goes and none is changed; `sha256sum -c` says the same."""
    for path, digest in listed().items():
        assert hashlib.sha256((HERE / path).read_bytes()).hexdigest() == digest, path
    assert generate.sums(HERE) == (HERE / generate.SUMS).read_text()


def test_there_is_a_match_of_each_game_and_dealing() -> None:
    seen = set()
    for path in MATCHES:
        verdict = json.loads(path.with_suffix(".json").read_text())
        assert verdict["outcome"] == "clean"
        assert {hand["result"] for hand in verdict["hands"]} >= {"fold", "showdown"}
        seen.add((verdict["game"], verdict["dealing"]))
    assert seen == {(name, dealing) for name, game in GAMES.items() for dealing in game.dealings}


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_a_match_audits_as_it_always_did(path: Path) -> None:
    """VERDICT-9: all that the verdict says, down to the last field."""
    status, out, err = invoke("audit", "--json", str(path))
    assert (status, err) == (0, "")
    assert json.loads(out) == json.loads(path.with_suffix(".json").read_text())


def test_the_match_of_one_poker_goes_on_into_a_second_shoe() -> None:
    """ONE-2: with the keys of the first one, and a card that was kept in it."""
    shuffles = []

    def note(before: State, admitted: Admitted, after: State | None, refusal: object) -> None:
        if admitted.envelope is not None and isinstance(admitted.envelope.event, DeckShuffled):
            shuffles.append(before.books.number)

    replay((HERE / "frozen" / "onepoker.dlt").read_bytes(), on_frame=note)
    assert shuffles == [1, 1, 39, 39]


# --- the generator


def there(folder: Path) -> dict[str, str]:
    made = {"cards/a.json": "1\n", "encoding/b.json": "2\n"}
    assert generate.write(made, folder) == []
    return made


def test_a_vector_may_come_to_the_others(tmp_path: Path) -> None:
    made = there(tmp_path) | {"cards/c.json": "3\n"}
    assert generate.write(made, tmp_path) == []
    assert (tmp_path / "cards/c.json").read_text() == "3\n"
    assert len((tmp_path / generate.SUMS).read_text().splitlines()) == 3


def test_a_vector_that_would_change_or_go_is_kept_and_nothing_is_written(tmp_path: Path) -> None:
    made = there(tmp_path)
    sums = (tmp_path / generate.SUMS).read_text()
    assert generate.write(made | {"cards/a.json": "9\n", "cards/c.json": "3\n"}, tmp_path) == ["cards/a.json"]
    assert generate.write({"cards/a.json": "1\n"}, tmp_path) == ["encoding/b.json"]
    assert (tmp_path / "cards/a.json").read_text() == "1\n"
    assert not (tmp_path / "cards/c.json").exists()
    assert (tmp_path / generate.SUMS).read_text() == sums
