"""The board over sockets against strangers: floods, junk, disks that are full; and what a lying witness can do."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from dealerless.crypto.ed25519 import SigningKey
from dealerless.encoding import decode
from dealerless.errors import TransportError
from dealerless.games.game import Game
from dealerless.journal import recordfile
from dealerless.journal.recordfile import RecordFile
from dealerless.net import hello, requests
from dealerless.net.board import JUNK_LIMIT
from dealerless.net.seating import Ending
from dealerless.net.transport import Connection, dial
from dealerless.protocol.noshow import NoShow
from dealerless.protocol.records import body_hash, decode_frame
from dealerless.protocol.state import Phase
from dealerless.protocol.witness import Absence, Receipt, read_receipt
from dealerless.referee import Outcome, replay
from dealerless.referee.board import Board, Clock
from tests.matches import STRANGER, Match, hex_offer
from tests.net.tables import OPENED, Seat, play, run
from tests.witness.boards import BANK, MOVE, WITNESSES, Sleeper, Witness, proposal, seat_before, watched
from tests.witness.test_deadlines import check_expelled, owes


async def connect(witness: Witness) -> Connection:
    connection = await dial(witness.address)
    OPENED.append(connection)
    greeting = await connection.receive()
    hello.read_greeting(greeting, certificate=connection.certificate, pin=witness.key.public.key, role="witness")
    return connection


async def post(connection: Connection, offer: bytes, frame: bytes) -> Receipt | str:
    await connection.send(requests.request(requests.Post(offer)))
    await connection.send(frame)
    return requests.read_receipt_answer(await connection.receive())


async def read(connection: Connection, offer: bytes, seq: int = 0) -> tuple[requests.Posted, list[bytes]]:
    await connection.send(requests.request(requests.Read(offer, seq)))
    answer = requests.read_posted(await connection.receive())
    assert not isinstance(answer, str)
    return answer, [await connection.receive() for _ in range(answer.frames)]


async def ask(connection: Connection, asked: requests.AskNoShow) -> NoShow | str:
    await connection.send(requests.request(asked))
    return requests.read_no_show_answer(await connection.receive())


async def receipts(connection: Connection, offer: bytes, place: int) -> list[Receipt]:
    await connection.send(requests.request(requests.AskReceipts(offer, place)))
    count = requests.read_receipts_answer(await connection.receive())
    assert isinstance(count, int)
    return [read_receipt(decode(await connection.receive())) for _ in range(count)]


def offer_of(match: Match) -> bytes:
    return body_hash(decode_frame(match.frames[0])[0])


def test_any_connection_posts_and_reads(tmp_path: Path) -> None:
    """WITNESS-1, WITNESS-2: whoever it is; the same message has the same receipt; reading begins anywhere."""
    match = Match(watched()).until(Phase.BETTING)
    offer = offer_of(match)

    async def visit() -> None:
        async with Witness(tmp_path / "board") as witness:
            first, second = await connect(witness), await connect(witness)
            assert await post(first, offer, match.frames[1]) == "board.unknown-match"
            for frame in match.frames:
                receipt = await post(first, offer, frame)
                assert not isinstance(receipt, str)
                assert await post(second, offer, frame) == receipt
            answer, frames = await read(second, offer)
            assert frames == match.frames
            assert (answer.seq, answer.head) == (match.state.seq, match.state.head)
            assert isinstance(answer.clock, Clock)
            assert answer.clock.seat == match.owing
            assert (await read(second, offer, 5))[1] == match.frames[5:]
            await first.send(requests.request(requests.AskReceipts(offer, 3)))
            assert requests.read_receipts_answer(await first.receive()) == len(match.frames) - 3
            other = Match(watched(hex_offer("other")), "other")
            await first.send(requests.request(requests.AskNoShow(offer_of(other), 6, match.state.head, 0)))
            # The receipts that were asked for come first.
            for _ in range(len(match.frames) - 3):
                await first.receive()
            assert requests.read_no_show_answer(await first.receive()) == "board.unknown-match"

    run(visit())


def test_a_stranger_that_sits_between_is_found_out(tmp_path: Path) -> None:
    """SIG-3, WITNESS-2: a greeting holds for one certificate, and a host's is not a witness's."""

    async def visit() -> None:
        async with Witness(tmp_path / "board") as witness:
            connection = await dial(witness.address)
            OPENED.append(connection)
            data = await connection.receive()
            for pin, role in ((STRANGER.public.key, "witness"), (witness.key.public.key, "host")):
                with pytest.raises(TransportError):
                    hello.read_greeting(data, certificate=connection.certificate, pin=pin, role=role)

    run(visit())


def test_a_flood_of_junk_resets_no_clock_and_leaves_nothing(tmp_path: Path) -> None:
    """N08, N09, WITNESS-6: fifty connections of it, each cut off; the silent seat is expelled on time all the same."""

    async def match() -> list[Seat]:
        async with Witness(tmp_path / "board") as witness:
            sleeper = Sleeper()
            seats = [seat_before(tmp_path, 0, witness.at), seat_before(tmp_path, 1, witness.at, player=sleeper)]

            async def flood() -> None:
                state = await witness.until(owes(1))
                offer = state.agreed.offer_hash
                size = sum([path.stat().st_size for path in (tmp_path / "board").iterdir()])
                witness.clock.pass_seconds(MOVE)
                for _ in range(50):
                    connection = await connect(witness)
                    for number in range(JUNK_LIMIT):
                        assert await post(connection, offer, b"junk %d" % number) == "record.not-a-frame"
                    with pytest.raises(TransportError):
                        await connection.receive()
                assert sum([path.stat().st_size for path in (tmp_path / "board").iterdir()]) == size
                witness.clock.pass_seconds(BANK + 1)

            _, endings = await asyncio.gather(flood(), play(seats, proposal()))
            sleeper.woken.set()
            assert [ending.absent for ending in endings if isinstance(ending, Ending)] == [(1,), (1,)]
            return seats

    check_expelled(run(match())[0].transcript, 1)


def test_only_so_many_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """WITNESS-6: and none that does not stand, names another witness, or has nobody in it whom we serve."""
    monkeypatch.setattr("dealerless.net.board.MAX_MATCHES", 2)

    async def visit() -> None:
        async with Witness(tmp_path / "board") as witness:
            connection = await connect(witness)
            answers = []
            for number in range(3):
                match = Match(watched(hex_offer(str(number))), str(number))
                answers.append(await post(connection, offer_of(match), match.frames[0]))
            assert [answer for answer in answers if isinstance(answer, str)] == ["board.full"]
            assert answers[2] == "board.full"
            foreign = Match(hex_offer("foreign"), "foreign")
            monkeypatch.setattr("dealerless.net.board.MAX_MATCHES", 9)
            assert await post(connection, offer_of(foreign), foreign.frames[0]) == "board.not-named"
            witness.server._seats = frozenset((STRANGER.public.key,))
            match = Match(watched(hex_offer("whose")), "whose")
            assert await post(connection, offer_of(match), match.frames[0]) == "board.stranger"
            assert len(list((tmp_path / "board").iterdir())) == 6

    run(visit())


def test_a_disk_that_is_full_signs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """WITNESS-5: what is not written down is not said, and with room again the same message gets its receipt."""
    match = Match(watched()).until(Phase.BETTING)
    offer = offer_of(match)

    def no_room(descriptor: int, data: bytes, offset: int) -> None:
        raise OSError(28, "No space left on device")

    async def visit() -> None:
        async with Witness(tmp_path / "board") as witness:
            connection = await connect(witness)
            for frame in match.frames[:-1]:
                await post(connection, offer, frame)
            with monkeypatch.context() as full:
                full.setattr("dealerless.journal.recordfile.write_whole", no_room)
                assert await post(connection, offer, match.frames[-1]) == "board.full"
            receipt = await post(connection, offer, match.frames[-1])
            assert not isinstance(receipt, str), receipt
            assert receipt.seq == len(match.frames) - 1

    run(visit())


def test_what_could_not_be_written_down_convicts_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """WITNESS-5, WITNESS-6: a disk with room for a no-show, not for the message of a shuffle; until that is posted."""
    match = Match(watched()).until(Phase.BETTING)
    offer, seat, before = offer_of(match), match.owing, match.state
    match.turn()
    written = recordfile.write_whole

    def little_room(descriptor: int, data: bytes, offset: int) -> None:
        if match.frames[-1] in data:
            raise OSError(28, "No space left on device")
        written(descriptor, data, offset)

    async def visit() -> None:
        async with Witness(tmp_path / "board") as witness:
            connection = await connect(witness)
            for frame in match.frames[:-1]:
                await post(connection, offer, frame)
            monkeypatch.setattr(recordfile, "write_whole", little_room)
            assert await post(connection, offer, match.frames[-1]) == "board.full"
            for answer in ("board.not-yet", "board.full"):
                witness.clock.pass_seconds(9 * (MOVE + BANK))
                assert await ask(connection, requests.AskNoShow(offer, before.seq, before.head, seat)) == answer
                assert (await read(connection, offer))[0].clock is None
            monkeypatch.setattr(recordfile, "write_whole", written)
            assert not isinstance(await post(connection, offer, match.frames[-1]), str)
            assert (await read(connection, offer))[0].clock is not None

    run(visit())


def test_what_has_come_is_read_before_a_no_show_is_signed(tmp_path: Path) -> None:
    """WITNESS-4: a witness that was busy finds the end of the time and a message before it at one moment."""
    match = Match(watched()).until(Phase.BETTING)
    offer, seat, before = offer_of(match), match.owing, match.state
    match.turn()

    async def visit() -> None:
        async with Witness(tmp_path / "board") as witness:
            first, second = await connect(witness), await connect(witness)
            for frame in match.frames[:-1]:
                await post(first, offer, frame)
            witness.clock.pass_seconds(MOVE + BANK + 1)
            await first.send(requests.request(requests.AskNoShow(offer, before.seq, before.head, seat)))
            receipt = await post(second, offer, match.frames[-1])
            assert not isinstance(receipt, str), receipt
            assert requests.read_no_show_answer(await first.receive()) == "board.not-yet"

    run(visit())


def test_receipts_are_given_in_batches_from_any_place_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """WITNESS-2, WITNESS-6: an answer costs what it holds, whatever lies before it in the file."""
    match = Match(watched(hex_offer(hands=25, depth=200)), "long").play()
    offer = offer_of(match)
    reads: list[int] = []
    monkeypatch.setattr(requests, "MOST_RECEIPTS", 70)
    whole = RecordFile._read

    def counted(file: RecordFile, size: int, offset: int) -> bytes:
        reads.append(size)
        return whole(file, size, offset)

    async def visit() -> None:
        async with Witness(tmp_path / "board") as witness:
            connection = await connect(witness)
            given = [await post(connection, offer, frame) for frame in match.frames]
            got: list[Receipt] = []
            monkeypatch.setattr(RecordFile, "_read", counted)
            assert len(given) > 3 * 70
            while batch := await receipts(connection, offer, len(got)):
                # The length and the record of each, and the lengths of up to 63 before the first.
                assert (len(batch) <= 70, len(reads) <= 2 * len(batch) + 63) == (True, True)
                got += batch
                reads.clear()
            assert got == given
            assert reads == []
            for place in (0, 1, 63, 64, 65, len(given) - 1, len(given), 2**31):
                assert await receipts(connection, offer, place) == given[place : place + 70]
            # And so it is with the messages.
            reads.clear()
            assert (await read(connection, offer, len(match.frames) - 70))[1] == match.frames[-70:]
            assert len(reads) <= 2 * 70 + 63

    run(visit())


class Liar(Board):
    """A board that says at once of whoever owes that its time has run out."""

    def clock(self, now: int) -> Clock | None:
        clock = super().clock(now)
        return None if clock is None else clock._replace(left=0)

    def no_show(self, now: int) -> Absence | None:
        return super().no_show(self._stamp + 1000 * (MOVE + BANK))


@pytest.mark.parametrize(("witnesses", "threshold"), [(1, 1), (3, 2)])
def test_what_a_lying_witness_costs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, witnesses: int, threshold: int
) -> None:
    """VERDICT-6: alone, one hand's pot of the seat it lies about, and nothing else; where two must agree, nothing."""

    def made(key: SigningKey, games: Mapping[str, Game]) -> Board:
        return Liar(key, games) if key == WITNESSES[0] else Board(key, games)

    monkeypatch.setattr("dealerless.net.board.Board", made)

    async def match() -> list[Seat]:
        async with AsyncExitStack() as stack:
            boards = [
                await stack.enter_async_context(Witness(tmp_path / f"board{number}", key))
                for number, key in enumerate(WITNESSES[:witnesses])
            ]
            at = [board.at for board in boards]
            sleeper = Sleeper()
            seats = [seat_before(tmp_path, 0, *at), seat_before(tmp_path, 1, *at, player=sleeper)]

            async def think() -> None:
                # Long enough for the lie to be told, and no second of anybody's time on an honest clock.
                # It may be that nobody gets to think at all.
                await asyncio.to_thread(sleeper.asked.wait, 3)
                await asyncio.sleep(0.7)
                sleeper.woken.set()

            _, endings = await asyncio.gather(think(), play(seats, proposal(threshold=threshold)))
            # Whoever is expelled for nothing may have said its next message already: it learns that nobody took it.
            ended = [seat for seat, ending in zip(seats, endings, strict=True) if isinstance(ending, Ending)]
            assert {getattr(ending, "code", "chain.fork") for ending in endings} == {"chain.fork"}
            return ended

    verdict = replay(run(match())[0].transcript)
    if threshold > 1:
        assert verdict.outcome is Outcome.CLEAN
        return
    assert verdict.fault is not None
    assert verdict.fault.code == "witness.no-show"
    (forfeit,) = verdict.forfeits or (None,)
    assert forfeit is not None
    stacks = [30, 30]
    stacks[forfeit.seat] -= forfeit.amount
    stacks[1 - forfeit.seat] += forfeit.amount
    assert verdict.stacks == tuple(stacks)
