"""Transcripts of every outcome, on the disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.matches import broken, offer, play
from tests.matches import named, transcript


@dataclass(frozen=True)
class Files:
    """One file of each outcome, and some of more than one kind."""

    clean: Path
    fault: Path
    incomplete: Path
    damaged: Path
    empty: Path
    junk: Path

    def by_name(self) -> dict[str, Path]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def clean_bytes() -> bytes:
    return play(named("BET RAISE CALL CHECK CHECK BET FOLD ALLIN ALLIN")).transcript()


def fault_bytes() -> bytes:
    return broken().transcript()


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("transcripts")
    whole = play(named("BET CALL"), terms=offer(hands=2))
    contents = {
        "clean": clean_bytes(),
        "fault": fault_bytes(),
        # Hand 1 is over and hand 2 was begun: there is something to lose.
        "incomplete": transcript(*whole.frames[:-4]),
        "damaged": whole.transcript()[:-7],
        "empty": b"",
        "junk": b"\x1f\x8b\x08 not a transcript" * 100,
    }
    for name, data in contents.items():
        (folder / f"{name}.dlt").write_bytes(data)
    return Files(**{name: folder / f"{name}.dlt" for name in contents})
