"""What is brought back from a disk: cut files, backups, branches, seeds that are gone (ENC-5, T05, CHAIN-2)."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealerless.errors import StorageError
from dealerless.journal.journal import Journal
from dealerless.net.seating import Ending
from dealerless.net.star import host
from dealerless.net.transport import Listener
from dealerless.protocol.events import Acted, Settled
from dealerless.protocol.records import MAGIC, encode_record
from dealerless.protocol.state import Phase
from dealerless.referee import Outcome, replay
from tests.net.tables import KEYS, LOCAL, SEATS, Seat, hex_proposal, play, run
from tests.net.transcripts import frames_of, signed_twice

WHOLE = Ending(fault=None, delivered=True)


def code_of(error: object) -> str | None:
    return getattr(error, "code", None)


def played(folder: Path, hands: int = 2) -> bytes:
    """Return the transcript of a match whose files are in `folder`."""
    seats = [Seat(folder, number) for number in range(2)]
    assert run(play(seats, hex_proposal(hands))) == [WHOLE, WHOLE]
    for seat in seats:
        seat.close()
    return seats[0].transcript


def cut(path: Path, kept: int) -> None:
    frames = frames_of(path.read_bytes())[:kept]
    path.write_bytes(MAGIC + b"".join([encode_record(frame) for frame in frames]))


def again(folder: Path, **kwargs: float) -> tuple[list[Seat], list[Ending | BaseException]]:
    seats = [Seat(folder, number, resumed=True, **kwargs) for number in range(2)]  # type: ignore[arg-type]
    return seats, run(play(seats, None))


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("missing", [1, 2, 5, 11])
def test_a_backup_of_the_transcript_is_brought_up_to_date(tmp_path: Path, number: int, missing: int) -> None:
    """ENC-5: our own frames beyond the journal come from the peer, and our seeds explain them; nothing is signed."""
    whole = played(tmp_path)
    path = tmp_path / f"seat{number}.dlt"
    cut(path, len(frames_of(whole)) - missing)
    seats, endings = again(tmp_path)
    assert endings == [WHOLE, WHOLE]
    assert [seat.transcript for seat in seats] == [whole, whole]


@pytest.mark.parametrize("number", [0, 1])
def test_a_backup_of_both_files_signs_nothing(tmp_path: Path, number: int) -> None:
    """ENC-5: with the seeds gone back too, a frame of ours cannot be explained, and we stop for good."""
    whole = played(tmp_path)
    path, seeds = tmp_path / f"seat{number}.dlt", tmp_path / f"seat{number}.secrets"
    cut(path, 6)
    # The seeds file as it was before anything was drawn.
    seeds.write_bytes(b"dealerless secrets 1\n")
    seats, endings = again(tmp_path, patience=0.5)
    assert code_of(endings[number]) == "resume.unexplained"
    # Nothing was drawn to compare with.
    assert seeds.read_bytes() == b"dealerless secrets 1\n"
    assert signed_twice(*[seat.transcript for seat in seats]) == []
    assert seats[number].transcript == whole[: len(seats[number].transcript)]


def test_another_branch_is_not_joined(tmp_path: Path) -> None:
    """CHAIN-2: two copies that differ at a place both have end the connection; neither side signs on."""
    whole = played(tmp_path)
    frames = frames_of(whole)
    cut(tmp_path / "seat0.dlt", 0)
    seat = Seat(tmp_path, 0, resumed=True)
    other = ""
    for frame in frames:
        legal = [option.name for option in seat.session.legal()]
        if seat.session.owed is not None and legal and len(legal) > 1:
            event = seat.session.receive(frame).event
            assert isinstance(event, Acted)
            other = next(name for name in legal if name != event.move)
            # Back to before it, and the other way: what only a seat that cheats, or has a backup, can do.
            cut(tmp_path / "seat0.dlt", 0)
            break
        seat.session.receive(frame)
    place = seat.session.state.seq - 1
    seat.close()
    seat = Seat(tmp_path, 0, resumed=True)
    for frame in frames[:place]:
        seat.session.receive(frame)
        seat.journal.append(frame)
    option = next(option for option in seat.session.legal() if option.name == other)
    seat.journal.append(seat.session.say(Acted(move=option.name, amount=option.least)))
    seat.close()
    before = [(tmp_path / f"seat{number}.dlt").read_bytes() for number in range(2)]
    seats, endings = again(tmp_path, patience=0.5)
    assert code_of(endings[1]) == "chain.fork"
    assert [seat.transcript for seat in seats] == before


def test_a_new_match_is_not_an_old_one(tmp_path: Path) -> None:
    """A joiner that resumes meets a host that offers anew, and the other way round."""
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    played(tmp_path / "old")
    cut(tmp_path / "old" / "seat1.dlt", 12)
    seats = [Seat(tmp_path / "new", 0, patience=0.5), Seat(tmp_path / "old", 1, resumed=True, patience=0.5)]
    endings = run(play(seats, hex_proposal()))
    assert [code_of(ending) for ending in endings] == ["transport.no-answer", "transport.refused"]
    cut(tmp_path / "old" / "seat0.dlt", 12)
    for seat in seats:
        seat.close()
    seats = [Seat(tmp_path / "old", 0, resumed=True, patience=0.5), Seat(tmp_path / "new", 1, patience=0.5)]
    endings = run(play(seats, None))
    # The joiner's own acceptance comes back to it, and it has no file that says so.
    assert code_of(endings[1]) == "resume.unexplained"


def test_two_other_matches_of_the_same_keys(tmp_path: Path) -> None:
    """T06: sessions differ, so nothing of one is taken into the other."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        played(tmp_path / name)
    for kept in (1000, 12):
        cut(tmp_path / "one" / "seat0.dlt", 12)
        cut(tmp_path / "two" / "seat1.dlt", kept)
        seats = [Seat(tmp_path / "one", 0, resumed=True, patience=0.5), Seat(tmp_path / "two", 1, resumed=True)]
        endings = run(play(seats, None))
        # Whose match is complete has nothing to lose by the other's refusal.
        assert code_of(endings[0]) == "transport.no-answer"
        assert code_of(endings[1]) == ("transport.refused" if kept == 12 else None)
        for seat in seats:
            seat.close()


def test_nothing_is_signed_before_the_others_have_spoken(tmp_path: Path) -> None:
    """ENC-5: a resumed seat that owes a message waits for its peer's word about what it already has."""
    whole = played(tmp_path)
    frames = frames_of(whole)
    # Cut where seat 0 owes the next frame.
    cut(tmp_path / "seat0.dlt", 4)
    seat = Seat(tmp_path, 0, resumed=True, patience=0.4)

    async def alone() -> None:
        await host(seat.sitting, Listener(LOCAL))

    with pytest.raises(Exception, match="did not go on"):
        run(alone())
    assert seat.session.owed is not None
    assert seat.transcript == MAGIC + b"".join([encode_record(frame) for frame in frames[:4]])


def test_a_fault_in_the_journal_is_expelled_after_a_crash(tmp_path: Path) -> None:
    """CHAIN-5: stopped between the refused frame and its expulsion, we expel and settle without the peer."""
    from dealerless.protocol.envelope import encode_body
    from tests.matches import signed

    whole = played(tmp_path)
    seat = Seat(tmp_path, 0, resumed=True)
    for frame in frames_of(whole):
        if seat.session.state.owed and seat.session.state.owed.seat == 1 and seat.session.state.phase.name == "BETTING":
            break
        seat.session.receive(frame)
    state = seat.session.state
    seat.close()
    cut(tmp_path / "seat0.dlt", state.seq)
    body = encode_body(state.agreed.session, state.seq, 1, state.head, Acted(move="FOLD", amount=0))
    with (tmp_path / "seat0.dlt").open("ab") as file:
        file.write(encode_record(signed(KEYS[1], body)))
    seat = Seat(tmp_path, 0, resumed=True, patience=5.0)

    async def alone() -> Ending:
        return await host(seat.sitting, Listener(LOCAL))

    ending = run(alone())
    assert ending.fault is not None
    assert ending.fault.seat == 1
    verdict = replay(seat.transcript)
    assert (verdict.outcome, verdict.settled, verdict.damage) == (Outcome.FAULT, (0,), None)


def test_one_process_at_a_time(tmp_path: Path) -> None:
    """A second process on one journal would sign a second history."""
    played(tmp_path)
    first = Seat(tmp_path, 0, resumed=True)
    with pytest.raises(StorageError) as caught:
        Seat(tmp_path, 0, resumed=True)
    assert caught.value.code == "journal.locked"
    first.close()


def test_frames_of_another_match_in_the_journal(tmp_path: Path) -> None:
    """A journal put together from two matches is damaged, and we sign nothing with it."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    frames = frames_of(played(tmp_path / "one"))[:8] + frames_of(played(tmp_path / "two"))[8:12]
    path = tmp_path / "one" / "seat0.dlt"
    path.write_bytes(MAGIC + b"".join([encode_record(frame) for frame in frames]))
    seat = Seat(tmp_path / "one", 0, resumed=True)

    async def alone() -> None:
        await host(seat.sitting, Listener(LOCAL))

    with pytest.raises(StorageError) as caught:
        run(alone())
    assert caught.value.code == "journal.damaged"


@pytest.mark.parametrize("kind", ["whole", "last settlement missing", "wrong settlement", "illegal move"])
def test_a_match_is_over_when_nobody_owes_anything(tmp_path: Path, kind: str) -> None:
    """CHAIN-3: all have settled, or a fault that nobody is expelled for; a fault to be expelled is not the end."""
    from dealerless.cli.resume import is_over
    from dealerless.protocol.envelope import encode_body
    from tests.matches import signed

    frames = frames_of(played(tmp_path, hands=1))
    path = tmp_path / "seat0.dlt"
    session = Seat(tmp_path, 0, resumed=True).session
    event: Acted | Settled
    if kind == "illegal move":
        phase, event = Phase.BETTING, Acted(move="FOLD", amount=0)
    else:
        phase, event = Phase.SETTLING, Settled(head=bytes(32), stacks=(60, 60), net=(0, 0))
    for frame in frames:
        owed = session.state.owed
        if session.state.phase is phase and owed is not None and owed.seat == 1:
            break
        session.receive(frame)
    state = session.state
    if kind != "whole":
        cut(path, state.seq)
    if kind in ("wrong settlement", "illegal move"):
        body = encode_body(state.agreed.session, state.seq, 1, state.head, event)
        with path.open("ab") as file:
            file.write(encode_record(signed(KEYS[1], body)))
    for seat in SEATS:
        seat.close()
    with Journal.open(path) as journal:
        assert is_over(journal) is (kind in ("whole", "wrong settlement"))
