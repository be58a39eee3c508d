"""The journal after everything that can happen to a process and its disk (ENC-5)."""

import io
import os
import resource
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dealerless.encoding import MAX_BYTES
from dealerless.errors import StorageError, Unattributed, UsageError
from dealerless.journal import recordfile
from dealerless.journal.journal import Journal
from dealerless.protocol.records import MAGIC, encode_frame, encode_record, read_records

FRAMES = tuple(encode_frame(bytes([number]) * number * 40, bytes(64)) for number in range(1, 6))
WHOLE = MAGIC + b"".join(map(encode_record, FRAMES))
ENDS = [len(MAGIC) + sum(4 + len(frame) for frame in FRAMES[:count]) for count in range(len(FRAMES) + 1)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.dealerless"


def refused(path: Path) -> StorageError:
    with pytest.raises(StorageError) as caught:
        Journal.open(path).close()
    return caught.value


def test_what_is_appended_is_there(path: Path) -> None:
    with Journal.create(path) as journal:
        assert list(journal.records()) == []
        for count, frame in enumerate(FRAMES):
            assert tuple(journal.records()) == FRAMES[:count]
            journal.append(frame)
            assert path.read_bytes() == WHOLE[: ENDS[count + 1]]
    with Journal.open(path) as journal:
        assert journal.torn == 0
        assert tuple(journal.records()) == FRAMES
    assert tuple(read_records(io.BytesIO(path.read_bytes()))) == FRAMES


def test_reading_meanwhile_does_not_move_the_end(path: Path) -> None:
    with Journal.create(path) as journal:
        journal.append(FRAMES[0])
        reading = journal.records()
        journal.append(FRAMES[1])
        assert list(reading) == [FRAMES[0], FRAMES[1]]
        first, second = journal.records(), journal.records()
        assert [next(first), next(second), next(first), next(second)] == [*FRAMES[:1] * 2, *FRAMES[1:2] * 2]


def test_a_new_journal_is_private_and_on_the_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[bool] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        synced.append(stat.S_ISDIR(os.fstat(descriptor).st_mode))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    Journal.create(path).close()
    # The file first, then the folder that knows its name.
    assert synced == [False, True]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_bytes() == MAGIC


def test_append_returns_only_after_the_sync(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    real = recordfile.sync_data

    def sync(descriptor: int) -> None:
        sizes.append(os.fstat(descriptor).st_size)
        real(descriptor)

    with Journal.create(path) as journal:
        monkeypatch.setattr(recordfile, "sync_data", sync)
        for frame in FRAMES:
            journal.append(frame)
    assert sizes == ENDS[1:]


def test_a_tail_torn_at_any_byte_is_cut_off(path: Path) -> None:
    for cut in range(len(MAGIC), len(WHOLE) + 1):
        path.write_bytes(WHOLE[:cut])
        whole = max(count for count, end in enumerate(ENDS) if end <= cut)
        with Journal.open(path) as journal:
            assert journal.torn == cut - ENDS[whole]
            assert tuple(journal.records()) == FRAMES[:whole]
            assert path.read_bytes() == WHOLE[: ENDS[whole]]
            journal.append(FRAMES[0])
        with Journal.open(path) as journal:
            assert journal.torn == 0
            assert tuple(journal.records()) == (*FRAMES[:whole], FRAMES[0])


@pytest.mark.parametrize("zeros", [1, 3, 4, 5, 100, 4096])
def test_a_tail_of_zeros_is_torn(path: Path, zeros: int) -> None:
    """Some file systems lengthen a file before its data reach the disk."""
    path.write_bytes(WHOLE + bytes(zeros))
    with Journal.open(path) as journal:
        assert journal.torn == zeros
        assert tuple(journal.records()) == FRAMES


@pytest.mark.parametrize("cut", range(len(MAGIC)))
def test_a_file_cut_inside_its_first_line_never_held_a_frame(path: Path, cut: int) -> None:
    """ENC-5: frames stand behind the whole first line, so nothing was signed; the file stays as it is."""
    path.write_bytes(WHOLE[:cut])
    error = refused(path)
    assert error.code == "journal.empty"
    assert "begin a new match" in error.hint
    assert path.read_bytes() == WHOLE[:cut]


@pytest.mark.parametrize("data", [b"X", MAGIC[:5] + b"X", bytes(len(MAGIC)), b"X" + MAGIC[1:], MAGIC[:-1] + b" "])
def test_a_file_with_another_first_line_is_no_journal(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    assert refused(path).code == "journal.damaged"
    assert path.read_bytes() == data


@pytest.mark.parametrize("at", [0, 10, *(end + offset for end in ENDS[:-1] for offset in range(4))])
@pytest.mark.parametrize("bit", [0, 1, 4, 7])
def test_a_wrong_length_in_the_middle_is_damage_and_never_cut(path: Path, at: int, bit: int) -> None:
    """A length that reaches beyond the end looks like a torn tail; cutting there would lose what follows."""
    data = bytearray(WHOLE)
    data[at] ^= 1 << bit
    path.write_bytes(data)
    error = refused(path)
    assert error.code == "journal.damaged"
    assert error.hint
    assert path.read_bytes() == data


@pytest.mark.parametrize("index", range(len(FRAMES)))
def test_a_frame_that_is_none_is_damage(path: Path, index: int) -> None:
    for wrong in (
        b"\x05",
        b"\x92\x01\x02",
        b"\xc1",
        FRAMES[index][:-1],
        FRAMES[index] + b"\x00",
        encode_frame(b"", b""),
    ):
        records = [encode_record(wrong if number == index else frame) for number, frame in enumerate(FRAMES)]
        path.write_bytes(MAGIC + b"".join(records))
        assert refused(path).code == "journal.damaged"


@pytest.mark.parametrize("length", [0, MAX_BYTES + 1, 2**31, 2**32 - 1])
def test_a_record_that_is_too_long_is_refused_unread(path: Path, length: int) -> None:
    """ENC-6: no message has this length, so nothing of the kind can be a torn tail."""
    path.write_bytes(WHOLE + length.to_bytes(4, "big") + b"\x92\xc6\x00\x03\xff\x00" + bytes(50))
    assert refused(path).code == "journal.damaged"


@given(data=st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_the_bytes_nothing_is_lost(path: Path, data: st.DataObject) -> None:
    """Either refused with the file as it was, or only bytes after the last whole frame are cut."""
    mutated = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(mutated) - 1))
        mutated[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    path.write_bytes(mutated)
    code = ""
    kept: tuple[bytes, ...] = ()
    torn = 0
    try:
        with Journal.open(path) as journal:
            kept = tuple(journal.records())
            torn = journal.torn
    except StorageError as error:
        code = error.code
    if code:
        assert code == "journal.damaged"
        assert path.read_bytes() == mutated
        return
    rebuilt = MAGIC + b"".join(map(encode_record, kept))
    assert bytes(mutated[: len(rebuilt)]) == rebuilt == path.read_bytes()
    assert len(mutated) - torn == len(rebuilt)


@pytest.mark.parametrize("frame", [b"", b"\x00", b"not a frame", FRAMES[0] + b"\x00", bytes(MAX_BYTES + 1)])
def test_only_frames_are_written(path: Path, frame: bytes) -> None:
    with Journal.create(path) as journal:
        with pytest.raises(Unattributed):
            journal.append(frame)
        journal.append(FRAMES[0])
        assert list(journal.records()) == [FRAMES[0]]


def test_a_closed_journal_says_so(path: Path) -> None:
    journal = Journal.create(path)
    journal.close()
    journal.close()
    with pytest.raises(UsageError):
        journal.append(FRAMES[0])
    with Journal.open(path) as journal:
        journal.append(FRAMES[0])
        reading = journal.records()
    with pytest.raises(UsageError):
        next(reading)


# --- other processes, full disks, kills ------------------------------------------------------------------

WRITER = """
import sys
from dealerless.journal.journal import Journal
from dealerless.protocol.records import encode_frame
with Journal.create(sys.argv[1]) as journal:
    number = 0
    while True:
        frame = encode_frame(number.to_bytes(4, "big") * (1 + number % 700), bytes(64))
        journal.append(frame)
        print(number, flush=True)
        number += 1
"""
HOLDER = """
import sys
from dealerless.journal.journal import Journal
with Journal.open(sys.argv[1]):
    print("open", flush=True)
    sys.stdin.read()
"""


def python(script: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", script, *arguments]


@pytest.fixture
def holder(path: Path) -> Iterator[subprocess.Popen[str]]:
    Journal.create(path).close()
    with subprocess.Popen(
        python(HOLDER, str(path)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        yield process
        process.kill()


def test_a_second_process_is_refused_until_the_first_ends(path: Path, holder: subprocess.Popen[str]) -> None:
    before = path.read_bytes()
    error = refused(path)
    assert error.code == "journal.locked"
    assert error.hint
    assert path.read_bytes() == before
    holder.kill()
    holder.wait()
    Journal.open(path).close()


def test_a_second_opening_in_one_process_is_refused_too(path: Path) -> None:
    with Journal.create(path):
        assert refused(path).code == "journal.locked"
    Journal.open(path).close()


def test_a_process_started_meanwhile_does_not_keep_the_lock(path: Path) -> None:
    with Journal.create(path):
        child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
    try:
        Journal.open(path).close()
    finally:
        child.kill()
        child.communicate()


@pytest.mark.parametrize("milliseconds", [20, 45, 80, 130, 210])
def test_a_kill_in_the_middle_of_writing_loses_nothing_that_append_returned_from(path: Path, milliseconds: int) -> None:
    with subprocess.Popen(python(WRITER, str(path)), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        reported = [process.stdout.readline()]
        time.sleep(milliseconds / 1000)
        process.send_signal(signal.SIGKILL)
        # Lines in the pipe were written after append had returned.
        reported += process.stdout.readlines()
    assert process.returncode == -signal.SIGKILL
    written = len([line for line in reported if line.endswith("\n")])
    with Journal.open(path) as journal:
        frames = list(journal.records())
        assert written <= len(frames) <= written + 1
        for number, frame in enumerate(frames):
            assert frame == encode_frame(number.to_bytes(4, "big") * (1 + number % 700), bytes(64))
        journal.append(FRAMES[0])


FULL = """
import resource, sys
from dealerless.errors import StorageError
from dealerless.journal.journal import Journal
from dealerless.protocol.records import encode_frame
path, limit = sys.argv[1], int(sys.argv[2])
with Journal.open(path) as journal:
    before = list(journal.records())
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        journal.append(encode_frame(bytes(3000), bytes(64)))
    except StorageError as error:
        print(error.code, "|", error.hint)
    assert list(journal.records()) == before
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    journal.append(encode_frame(b"room again", bytes(64)))
"""


@pytest.mark.parametrize("room", [0, 1, 3, 4, 5, 1000, 3000])
def test_a_full_disk_loses_nothing_and_the_match_goes_on(path: Path, room: int) -> None:
    """A limit on the file's size lets the kernel write a part of the record, as a full disk does."""
    path.write_bytes(WHOLE)
    done = subprocess.run(python(FULL, str(path), str(len(WHOLE) + room)), capture_output=True, text=True, check=True)
    code, _, hint = done.stdout.partition(" | ")
    assert code == "journal.write-failed"
    assert "go on" in hint
    with Journal.open(path) as journal:
        assert journal.torn == 0
        assert tuple(journal.records()) == (*FRAMES, encode_frame(b"room again", bytes(64)))


def test_no_room_for_a_new_journal_leaves_no_file(path: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5, limits[1]))
    try:
        with pytest.raises(StorageError, match=r"journal\.write-failed"):
            Journal.create(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert not path.exists()
    Journal.create(path).close()


def test_a_failed_sync_takes_the_frame_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk reports an error once: the frame was not sent, so it must not be in the file either."""
    with Journal.create(path) as journal:
        journal.append(FRAMES[0])
        failures = iter([OSError(5, "Input/output error"), None, None])

        def sync(descriptor: int) -> None:
            failure = next(failures)
            if failure is not None:
                raise failure

        monkeypatch.setattr(recordfile, "sync_data", sync)
        with pytest.raises(StorageError, match=r"journal\.write-failed") as caught:
            journal.append(FRAMES[1])
        assert "input/output error" in caught.value.hint
        assert path.read_bytes() == WHOLE[: ENDS[1]]
        journal.append(FRAMES[1])
    assert path.read_bytes() == WHOLE[: ENDS[2]]


def test_a_frame_that_cannot_be_taken_back_stops_the_journal(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(5, "Input/output error")

    with Journal.create(path) as journal:
        journal.append(FRAMES[0])
        with monkeypatch.context() as broken:
            broken.setattr(recordfile, "sync_data", fail)
            broken.setattr(os, "ftruncate", fail)
            with pytest.raises(StorageError, match=r"journal\.write-failed"):
                journal.append(FRAMES[1])
        # The disk is well again, but what stands behind the last good frame is not known.
        with pytest.raises(StorageError, match=r"journal\.write-failed") as caught:
            journal.append(FRAMES[2])
        assert "open it again" in caught.value.hint
        assert list(journal.records()) == [FRAMES[0]]


def test_an_interrupt_while_writing_takes_the_frame_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Journal.create(path) as journal:
        journal.append(FRAMES[4])
        interrupts = iter([KeyboardInterrupt, None, None])

        def sync(descriptor: int) -> None:
            interrupt = next(interrupts)
            if interrupt is not None:
                raise interrupt

        monkeypatch.setattr(recordfile, "sync_data", sync)
        with pytest.raises(KeyboardInterrupt):
            journal.append(FRAMES[3])
        journal.append(FRAMES[0])
    with Journal.open(path) as journal:
        assert list(journal.records()) == [FRAMES[4], FRAMES[0]]
