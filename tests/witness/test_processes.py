"""A witness as people run it: a process with a key and a folder, killed and started again; players whose clocks err."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dealerless.journal.board import MatchFiles, Shelf
from dealerless.referee import Outcome, replay
from dealerless.referee.receipts import read_receipts
from tests.cli.running import invoke
from tests.matches import STRANGER
from tests.net.mortal import free_port
from tests.net.transcripts import frames_of
from tests.witness.process import Home

HOUR = 3600.0


class Table:
    """A witness, a host and a guest, each at home, and where they listen."""

    def __init__(self, folder: Path) -> None:
        self.witness, self.host, self.guest = (Home(folder / name) for name in ("witness", "host", "guest"))
        self.board = f"127.0.0.1:{free_port()}"
        self.address = f"127.0.0.1:{free_port()}"
        self.named = ("--witness", f"{self.board},{self.witness.key}")

    def open_board(self, skew: float = 0.0) -> None:
        self.witness.start("witness", "--listen", self.board, "--dir", "boards", skew=skew)

    def sit_down(
        self, *, host: tuple[str, ...], guest: tuple[str, ...], times: tuple[str, str], skew: float = 0.0
    ) -> None:
        terms = ("--hands", "2", "--depth", "2", "--listen", self.address, "--expect", self.guest.key)
        deadlines = ("--move-time", times[0], "--bank", times[1])
        shared = ("--yes", "--wait", "40", "--out", "match.dlt", *self.named)
        self.host.start("host", *terms, *deadlines, *shared, *host)
        self.guest.start("join", self.address, "--pin", self.host.key, *shared, *guest, skew=skew)

    def transcripts(self) -> list[bytes]:
        return [(player.home / "match.dlt").read_bytes() for player in (self.host, self.guest)]

    @property
    def boards(self) -> Path:
        return self.witness.home / "boards"

    def until(self, reached: Callable[[], bool]) -> None:
        end = time.monotonic() + 60
        while not reached():
            assert time.monotonic() < end, self.said()
            time.sleep(0.05)

    def said(self) -> str:
        return "\n".join([player.said() for player in (self.witness, self.host, self.guest)])

    def posted(self) -> int:
        """How many messages the witness has written down."""
        files = list(self.boards.glob("*.dlt"))
        try:
            return len(frames_of(files[0].read_bytes())) if files else 0
        except Exception:
            # In the middle of being written.
            return 0


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    for player in (table.host, table.guest, table.witness):
        player.kill()


def read(table: Table) -> tuple[bytes, MatchFiles]:
    """What the witness holds of its one match; its process must have ended."""
    shelf = Shelf(table.boards)
    (name,) = shelf.names
    (path,) = table.boards.glob("*.dlt")
    assert path.name == f"{name.hex()}.dlt"
    return path.read_bytes(), shelf.open(name)


@pytest.mark.parametrize("skew", [HOUR, -HOUR])
def test_clocks_of_players_that_differ_by_an_hour_change_nothing(table: Table, skew: float) -> None:
    """N10, R06: the match is played to its end, nobody is expelled; the witness's clock is the only one."""
    table.open_board()
    table.sit_down(host=("--auto",), guest=("--auto",), times=("30", "30"), skew=skew)
    assert (table.host.status(), table.guest.status()) == (0, 0), table.said()
    table.witness.kill()
    copies = table.transcripts()
    data, files = read(table)
    assert copies == [data, data]
    assert replay(data).outcome is Outcome.CLEAN
    assert len(list(files.receipts.receipts())) == len(frames_of(data))
    assert list(files.notes.notes()) == []
    files.close()
    terms = table.guest.said()
    assert f"witness  key {table.witness.key}" in terms
    assert "1 of 1 witnesses decide who was too late: 30 s for a move, and a bank of 30 s for each hand" in terms


@pytest.mark.parametrize("skew", [0.0, -HOUR])
def test_killed_and_started_again_it_says_the_same(table: Table, skew: float) -> None:
    """WITNESS-5: kill -9 in the middle, an hour set back; then a seat goes silent, and the file proves it."""
    table.open_board()
    # The guest is asked for its move and never makes one; the input stays open.
    table.sit_down(host=("--auto",), guest=(), times=("1", "2"))
    table.until(lambda: table.posted() >= 4)
    table.witness.kill()
    before = {path.name: path.read_bytes() for path in table.boards.iterdir()}
    table.open_board(skew=skew)
    assert table.host.status() in (0, 1), table.said()
    table.witness.kill()
    for name, data in before.items():
        assert (table.boards / name).read_bytes().startswith(data)
    data, files = read(table)
    receipts, notes = list(files.receipts.receipts()), list(files.notes.notes())
    files.close()
    stamps = [receipt.at for receipt in receipts]
    assert stamps == sorted(set(stamps))
    assert len({receipt.record for receipt in receipts}) == len(receipts)
    assert len([note for note in notes if isinstance(note, int)]) == 1
    if table.host.status() == 1:
        check_conviction(table, table.transcripts()[0])
        # And no receipt of the witness is against its word.
        (path,) = table.boards.glob("*.receipts")
        with path.open("rb") as file:
            kept = list(read_receipts(file))
        assert replay(data, receipts=kept).fault is not None


def check_conviction(table: Table, data: bytes) -> None:
    verdict = replay(data)
    assert verdict.outcome is Outcome.FAULT
    assert verdict.fault is not None
    assert (verdict.fault.code, verdict.fault.seat) == ("witness.no-show", 1)
    assert verdict.stacks is not None
    assert sum(verdict.stacks) == 60


def test_a_guest_that_is_killed_is_expelled(table: Table) -> None:
    """VERDICT-4b, VERDICT-6: the host ends with status 1 and says why; the audit of its file says the same."""
    table.open_board()
    table.sit_down(host=("--auto",), guest=(), times=("1", "1"))
    table.until(lambda: "move (" in table.guest.said() or table.host.status(0) is not None)
    table.guest.kill()
    status = table.host.status()
    if status == 0:
        pytest.fail("the guest was never asked: the cards let the host fold every hand")
    assert status == 1, table.said()
    assert "error: seat 1 let the time run out, as the witnesses say, and was expelled" in table.host.said()
    data = table.transcripts()[0]
    check_conviction(table, data)
    path = str(table.host.home / "match.dlt")
    code, out, _ = invoke("audit", "--json", path)
    assert code == 1
    assert json.loads(out)["fault"]["code"] == "witness.no-show"
    (receipts,) = table.boards.glob("*.receipts")
    assert invoke("audit", "--receipts", str(receipts), path)[0] == 1
    assert list(read_receipts(io.BytesIO(receipts.read_bytes())))


def test_deadlines_need_a_witness_and_witnesses_have_one_spelling(tmp_path: Path) -> None:
    key = STRANGER.public.key.hex()
    for arguments in (
        ("host", "--move-time", "5"),
        ("host", "--bank", "5"),
        ("host", "--witness-threshold", "1"),
        ("host", "--witness", key),
        ("host", "--witness", f"127.0.0.1:1,{key.upper()}"),
        ("host", "--witness", f"127.0.0.1,{key}"),
        ("host", "--witness", f"127.0.0.1:1,{key}", "--witness-threshold", "2"),
        ("host", "--witness", f"127.0.0.1:1,{key}", "--move-time", "0"),
        ("witness",),
    ):
        status, out, err = invoke(*arguments)
        assert (status, out) == (2, ""), arguments
        assert err.startswith("error: ")
