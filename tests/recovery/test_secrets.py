"""The secrets file: a seed is on the disk before it is given out, and given once (ENC-5, COMMIT-1, COMMIT-3)."""

import copy
import os
import pickle  # noqa: TID251 - only to see that it refuses
import signal
import subprocess
import sys
import time
from itertools import count, pairwise
from pathlib import Path

import pytest

from dealerless.errors import StorageError, UsageError
from dealerless.journal import recordfile
from dealerless.journal.secrets import SecretsFile

NAMES = [(hand, purpose) for hand in (1, 2, 3) for purpose in ("layout", "hole")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.secrets"


def filled(path: Path) -> dict[tuple[int, str], bytes]:
    with SecretsFile.create(path) as file:
        return {(hand, purpose): file.seed(hand, purpose) for hand, purpose in NAMES}


def refused(path: Path) -> StorageError:
    with pytest.raises(StorageError) as caught:
        SecretsFile.open(path).close()
    return caught.value


def test_a_seed_stays_the_same(path: Path) -> None:
    seeds = filled(path)
    assert len(set(seeds.values())) == len(NAMES)
    assert all(len(seed) == 32 for seed in seeds.values())
    with SecretsFile.open(path) as file:
        assert {(hand, purpose): file.seed(hand, purpose) for hand, purpose in reversed(NAMES)} == seeds
        assert file.seed(4, "layout.1") not in seeds.values()


def test_looking_for_a_seed_makes_none(path: Path) -> None:
    """ENC-5: what is only looked up is never drawn, and the file stays as it is."""
    seeds = filled(path)
    before = path.read_bytes()
    with SecretsFile.open(path) as file:
        assert {(hand, purpose): file.known(hand, purpose) for hand, purpose in NAMES} == seeds
        assert file.known(4, "hole") is None
        assert file.known(1, "hole.1") is None
    assert path.read_bytes() == before


def test_a_seed_is_on_the_disk_before_it_is_known(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[bytes] = []
    monkeypatch.setattr(recordfile, "sync_data", lambda descriptor: synced.append(path.read_bytes()))
    with SecretsFile.create(path) as file:
        for number in range(1, 4):
            seed = file.seed(number, "hole")
            assert len(synced) == number
            assert seed in synced[-1]
            assert file.seed(number, "hole") == seed
            assert len(synced) == number


def test_a_seed_that_could_not_be_written_is_not_given_out(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failures = iter([OSError(28, "No space left on device"), None])

    def sync(_: int) -> None:
        failure = next(failures)
        if failure is not None:
            raise failure

    with SecretsFile.create(path, random=lambda n: next(numbers).to_bytes(n, "big")) as file:
        numbers = count(1)
        with monkeypatch.context() as full:
            full.setattr(recordfile, "sync_data", sync)
            with pytest.raises(StorageError, match=r"secrets\.write-failed"):
                file.seed(1, "layout")
        # The failed seed is gone for good: the next one is another.
        assert file.seed(1, "layout") == (2).to_bytes(32, "big")


def test_c16_a_source_that_repeats_itself_gives_no_second_seed(path: Path) -> None:
    """C16, COMMIT-3: whoever saw the first hand's seed would know the second hand's cards."""
    with SecretsFile.create(path, random=bytes) as file:
        assert file.seed(1, "layout") == bytes(32)
        assert file.seed(1, "layout") == bytes(32)
        for hand, purpose in [(1, "hole"), (2, "layout"), (2, "layout")]:
            with pytest.raises(StorageError, match=r"secrets\.repeated-seed"):
                file.seed(hand, purpose)
    with SecretsFile.open(path, random=bytes) as file, pytest.raises(StorageError, match=r"secrets\.repeated-seed"):
        file.seed(3, "layout")


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_source_that_gives_another_number_of_bytes_is_refused(path: Path, length: int) -> None:
    with SecretsFile.create(path, random=lambda _: os.urandom(length)) as file, pytest.raises(UsageError):
        file.seed(1, "layout")


def test_g01_the_seeds_come_from_the_operating_system(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """G01, G02, G04, COMMIT-1: no seeded generator, clock or variable of the environment changes them."""
    for name in ("DEALERLESS_SEED", "DEALERLESS_DEBUG", "PYTHONHASHSEED", "SEED", "RANDOM_SEED"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setattr(time, "time", lambda: 0.0)
    monkeypatch.setattr(os, "getpid", lambda: 1)
    first = filled(path)
    second = filled(path.with_name("other"))
    assert not set(first.values()) & set(second.values())


@pytest.mark.parametrize(
    ("hand", "purpose"), [(-1, "layout"), (True, "layout"), (1, ""), (1, "Hole"), (1, "a b"), (1, "a\n")]
)
def test_a_name_of_a_seed_is_a_number_and_a_word(path: Path, hand: int, purpose: str) -> None:
    with SecretsFile.create(path) as file, pytest.raises(UsageError):
        file.seed(hand, purpose)


def test_a_tail_torn_at_any_byte_is_cut_off(path: Path) -> None:
    seeds = filled(path)
    data = path.read_bytes()
    magic = len(b"dealerless secrets 1\n")
    whole = []
    for cut in range(magic, len(data) + 1):
        path.write_bytes(data[:cut])
        with SecretsFile.open(path, random=lambda _: pytest.fail("made a new one")) as file:
            there = [name for name, seed in seeds.items() if seed in path.read_bytes()]
            assert [file.seed(*name) for name in there] == [seeds[name] for name in there]
            assert path.stat().st_size + file.torn == cut
            whole.append(len(there))
    assert whole[0] == 0
    assert whole[-1] == len(NAMES)
    assert sorted(set(whole)) == list(range(len(NAMES) + 1))


def test_a_changed_bit_anywhere_is_damage(path: Path) -> None:
    """A seed with one wrong bit would not open its commitment, and that is a forfeit."""
    filled(path)
    data = path.read_bytes()
    for at in range(len(data)):
        changed = data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :]
        path.write_bytes(changed)
        error = refused(path)
        assert error.code == "secrets.damaged"
        assert "forfeited" in error.hint
        assert path.read_bytes() == changed


def test_records_gone_from_the_middle_are_damage(path: Path) -> None:
    filled(path)
    data = path.read_bytes()
    starts = [at - 6 for at in range(len(data)) if data[at : at + 7] in (b"\xa6layout", b"\xa4hole\xc4 "[:7])]
    assert len(starts) == len(NAMES)
    for first, second in pairwise(starts):
        path.write_bytes(data[:first] + data[second:])
        assert refused(path).code == "secrets.damaged"
        path.write_bytes(data[:second] + data[first:])
        assert refused(path).code == "secrets.damaged"


@pytest.mark.parametrize("data", [b"", b"dealerless secrets", b"dealerless transcript 1\n", bytes(200)])
def test_a_file_that_is_empty_or_another_is_damage(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    path.chmod(0o600)
    assert refused(path).code == "secrets.damaged"


def test_a_lost_file_says_what_to_do(path: Path) -> None:
    error = refused(path)
    assert error.code == "secrets.missing"
    assert "put it back" in error.hint
    assert not path.exists()


def test_two_processes_cannot_share_it(path: Path) -> None:
    with SecretsFile.create(path):
        assert refused(path).code == "secrets.locked"


WRITER = """
import sys
from dealerless.journal.secrets import SecretsFile
with SecretsFile.create(sys.argv[1]) as file:
    for hand in range(1, 10_000):
        print(hand, file.seed(hand, "hole").hex(), flush=True)
"""


@pytest.mark.parametrize("milliseconds", [15, 60, 120])
def test_a_kill_loses_no_seed_that_was_given_out(path: Path, milliseconds: int) -> None:
    command = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline()]
        time.sleep(milliseconds / 1000)
        process.send_signal(signal.SIGKILL)
        lines += process.stdout.readlines()
    with SecretsFile.open(path, random=lambda _: pytest.fail("lost a seed")) as file:
        for line in lines:
            if line.endswith("\n"):
                hand, seed = line.split()
                assert file.seed(int(hand), "hole").hex() == seed


def test_g09_the_seeds_are_never_shown(path: Path) -> None:
    marker = b"MARKER-MARKER-MARKER-MARKER-MARK"
    with SecretsFile.create(path, random=lambda _: marker) as file:
        assert file.seed(1, "hole") == marker
        with pytest.raises(StorageError) as repeated:
            file.seed(2, "hole")
        for text in (repr(file), str(file), f"{file}", str(repeated.value), repr(repeated.value), repeated.value.hint):
            assert "MARKER" not in text
            assert marker.hex() not in text
        for spread in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError):
                spread(file)
