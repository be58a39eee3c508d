"""A board that was killed and is made again from its disk: time, bank, stamps, and that it never contradicts itself."""

from __future__ import annotations

import pytest
from hypothesis import given as given_values
from hypothesis import settings
from hypothesis import strategies as st

from dealerless.errors import StorageError
from dealerless.protocol.events import Acted
from dealerless.protocol.records import body_hash, decode_frame
from dealerless.protocol.state import Phase
from dealerless.protocol.witness import Absence, Receipt, contradicted
from tests.matches import fixed, named
from tests.witness.boards import BANK, MOVE, START
from tests.witness.posting import ALL, Disk, betting, dropped, expulsion, post_missing, try_post


def test_started_again_it_gives_all_time_from_then_on_and_the_bank_as_it_was() -> None:
    """WITNESS-5: while a witness is down nobody's time runs; bank that was used before stays used."""
    disk, now = Disk(), START
    board = disk.restored(now)
    match = betting().turn(named("CHECK"))
    for frame in match.frames[:-1]:
        disk.post(board, frame, now := now + 1000)
    first = board.state.owed
    assert first is not None
    # Ten seconds of the bank are used.
    disk.post(board, match.frames[-1], now := now + 1000 * (MOVE + 10))
    match.turn(named("BET"))
    board = disk.restored(now := now + 10 * ALL)
    clock = board.clock(now)
    assert clock is not None
    assert (clock.seat, clock.left >= ALL - 10) == (1 - first.seat, True)
    disk.post(board, match.frames[-1], now := now + 1000)
    board = disk.restored(now := now + 10 * ALL)
    clock = board.clock(now + 10)
    assert clock is not None
    assert (clock.seat, clock.left) == (first.seat, 1000 * (MOVE + BANK - 10) - 10 + board._started - now)
    # The word counts by the receipt from before, and its bank is what was left.
    signed = board.no_show(now + ALL)
    assert signed is not None
    assert signed.word.bank == 1000 * (BANK - 10)
    assert signed.word.since < now - 5 * ALL
    board.note(signed)
    match.say(1 - first.seat, expulsion(match, (first.seat, signed.word)))


def test_started_again_it_still_gives_no_receipt_for_what_was_late() -> None:
    """WITNESS-5: neither while the no-show stands nor after somebody has built on the late message."""
    disk, now = Disk(), START
    board = disk.restored(now)
    match = betting()
    for frame in match.frames:
        disk.post(board, frame, now)
    now += 2 * ALL
    signed = board.no_show(now)
    assert signed is not None
    disk.notes.append(signed)
    board = disk.restored(now)
    assert [absence.word for absence in board.absent] == [signed.word]
    match.turn(named("CHECK"))
    assert dropped(board, match.frames[-1], now) == "board.late"
    match.turn(named("CHECK"))
    disk.post(board, match.frames[-1], now)
    told = len(disk.receipts)
    board = disk.restored(now)
    assert (len(disk.receipts), board.state.head) == (told, match.state.head)
    # Killed between the late message and the one built on it: that one is posted again, and starts the clock.
    disk.frames.pop()
    disk.receipts.pop()
    board = disk.restored(now)
    assert len(disk.receipts) == told - 1
    assert board.clock(now) is None
    disk.post(board, match.frames[-1], now)
    assert board.clock(now) is not None


def test_a_clock_that_was_set_back_is_not_followed() -> None:
    """N10, R06: no stamp is given twice, and none before one that was given."""
    disk = Disk()
    board = disk.restored(START)
    match = betting()
    for number, frame in enumerate(match.frames):
        disk.post(board, frame, START - 1000 * number)
        if number % 3 == 0:
            board = disk.restored(START - 10**9)
    stamps = [receipt.at for receipt in disk.receipts]
    assert stamps == sorted(set(stamps))
    # Nor does time stand still until the clock has caught up.
    board = disk.restored(START - 10**9)
    assert board.no_show(START - 10**9 + ALL - 1) is None
    assert board.no_show(START - 10**9 + ALL + 1) is not None


def test_what_does_not_belong_together_is_refused() -> None:
    """WITNESS-5: rather no word than a contradiction."""
    disk = Disk()
    board = disk.restored(START)
    for frame in betting().frames:
        disk.post(board, frame, START)
    whole = list(disk.receipts)
    swapped = [*whole[:2], whole[3], whole[2], *whole[4:]]
    for receipts in (whole[:3], whole[:-2], [*whole, replace_record(whole[-1])], swapped):
        disk.receipts = receipts
        with pytest.raises(StorageError, match=r"journal\.damaged"):
            disk.restored(START)
    disk.receipts, disk.frames = whole, disk.frames[1:]
    with pytest.raises(StorageError, match=r"journal\.damaged"):
        disk.restored(START)


def replace_record(receipt: Receipt) -> Receipt:
    return receipt._replace(record=fixed("no message"))


STEPS = st.lists(st.sampled_from(["play", "late", "wait", "kill", "torn", "ask", "junk", "expel"]), max_size=60)


@settings(max_examples=60, deadline=None)
@given_values(STEPS, st.integers(0, 10**6))
def test_it_never_contradicts_itself(steps: list[str], skew: int) -> None:
    """VERDICT-6, WITNESS-5: whatever is posted, asked and killed in whatever order, no no-show of it is void."""
    disk, now = Disk(), START
    board = disk.restored(now)
    match = betting(hands=2)
    for frame in match.frames:
        disk.post(board, frame, now)
    words: list[Absence] = []
    for step in steps:
        now += 1000
        if step == "play" and match.state.owed is not None:
            match.turn()
            post_missing(disk, board, match, now)
        elif step == "late" and match.state.phase is Phase.BETTING:
            try_post(disk, board, match.forge(match.owing, Acted(move="FOLD", amount=0)), now)
            break
        elif step == "wait":
            now += ALL
        elif step == "kill":
            board = disk.restored(now - skew)
        elif step == "torn" and disk.receipts:
            lost = disk.receipts.pop()
            told = {(word.seq, word.head) for word in words}
            if lost.record == body_hash(decode_frame(disk.frames[-1])[0]) and (lost.seq, lost.record) not in told:
                board = disk.restored(now)
            else:
                disk.receipts.append(lost)
        elif step == "ask":
            signed = board.no_show(now)
            if signed is not None:
                disk.notes.append(signed)
                board.note(signed)
                words.append(signed)
        elif step == "junk":
            try_post(disk, board, match.frames[-1], now)
        elif step == "expel" and board.absent and board.state.head == match.state.head:
            seat = board.absent[0].seat
            match.say(1 - seat, expulsion(match, (seat, board.absent[0].word)))
            match.out.add(seat)
            post_missing(disk, board, match, now)
    agreed = board.state.agreed
    for word in words:
        mine = tuple(receipt for receipt in disk.receipts if receipt.seq == word.seq)
        assert not contradicted(agreed, word.seq, word.word, mine)
    disk.restored(now)
