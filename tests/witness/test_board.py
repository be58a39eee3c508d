"""The board as pure logic: what it keeps and drops, and whose clock runs. Restarts: `test_board_restarts`."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dealerless.errors import UsageError, Violation
from dealerless.protocol.events import Accepted, Acted, Expelled, Left, Shown
from dealerless.protocol.records import MAX_RECORD, ZERO_HASH, body_hash, decode_frame
from dealerless.protocol.state import Phase
from dealerless.protocol.witness import check_receipt, contradicted, sign_receipt
from dealerless.referee import Outcome, replay
from dealerless.referee.board import Board
from tests.matches import KEYS, PLAYED, STRANGER, Match, fixed, hex_offer, named, proven, toy_offer
from tests.witness.boards import BANK, MOVE, START, WITNESSES, absence, board_of, given, watched
from tests.witness.posting import ALL, Disk, betting, dropped, expulsion


def test_every_message_gets_a_receipt_that_starts_a_clock() -> None:
    """VERDICT-6, WITNESS-3: signed over the match, the number, the hash, who owes, and when; stamps only grow."""
    match = Match(watched()).play()
    board, receipts = Board(WITNESSES[0], PLAYED), []
    for frame in match.frames:
        receipts.append(given(board, frame, START))
        assert receipts[-1].record == body_hash(decode_frame(frame)[0])
    assert [receipt.seq for receipt in receipts] == list(range(len(match.frames)))
    assert [receipt.at for receipt in receipts] == list(range(START, START + len(receipts)))
    for receipt in receipts[2:]:
        check_receipt(board.state.agreed, receipt)
    assert receipts[-1].owing == -1
    assert board.clock(START + 10**9) is None


def test_a_board_keeps_no_match_that_does_not_name_it() -> None:
    """WITNESS-3."""
    board = Board(STRANGER, PLAYED)
    with pytest.raises(UsageError, match=r"board\.not-named"):
        board.post(Match(watched()).frames[0], START)


def test_no_time_before_the_last_ready_nor_while_settling() -> None:
    """CHAIN-0, CHAIN-3, WITNESS-4: there nobody can be expelled, so nobody's clock runs."""
    match = Match(watched(hex_offer(hands=1)))
    while match.state.phase is not Phase.OVER:
        board, now = board_of(match)
        timed = match.state.phase not in (Phase.ACCEPTING, Phase.READYING, Phase.SETTLING)
        assert (board.clock(now) is not None) is timed, match.state.phase
        assert (board.no_show(now + 10**9) is not None) is timed
        match.turn()


def test_the_time_and_the_bank() -> None:
    """VERDICT-6, N08: the time of a move, then the bank, which is full again with a hand's first message only."""
    match = betting()
    board, now = board_of(match)
    owing = match.owing
    assert board.no_show(now + ALL - 1) is None
    signed = board.no_show(now + ALL)
    assert signed is not None
    assert signed.word.bank == 1000 * BANK
    board, now = board_of(match)
    # In time, by a second of the bank; then only the rest of it is left in this hand, for this seat.
    match.turn(named("CHECK"))
    now += 1000 * (MOVE + BANK - 1)
    given(board, match.frames[-1], now)
    match.turn(named("BET"))
    given(board, match.frames[-1], now + 1000)
    assert match.owing == owing
    now += 1000
    clock = board.clock(now)
    assert clock is not None
    assert (clock.seat, clock.left) == (owing, 1000 * (MOVE + 1))
    signed = board.no_show(now + 1000 * (MOVE + 1))
    assert signed is not None
    assert (signed.word.bank, signed.word.at - signed.word.since) == (1000, 1000 * (MOVE + 1))
    # The next hand has a bank of its own.
    while match.state.books.number == 1:
        match.turn()
        now += 1
        given(board, match.frames[-1], now)
    match.until(Phase.BETTING).until_owing(owing)
    for frame in match.frames[board.state.seq :]:
        now += 1
        given(board, frame, now)
    clock = board.clock(now)
    assert clock is not None
    assert clock.left == ALL


def test_junk_copies_and_misplaced_messages_reset_no_clock() -> None:
    """N08, N09, WITNESS-3: ten thousand of them change nothing and leave nothing."""
    match = betting()
    board, now = board_of(match)
    other = Match(watched(hex_offer("another match")), "another match").until(Phase.BETTING)
    wrong = [
        b"",
        b"\x93\x01\x02\x03",
        fixed("junk"),
        match.sign(0, b"no body"),
        match.frames[-1],
        match.frames[3],
        other.frames[-1],
        match.sign(match.owing, match.body(match.owing, Acted(move="CHECK", amount=0), seq=99)),
        match.sign(0, match.body(1, Acted(move="CHECK", amount=0))),
    ]
    before = board.clock(now + 5000)
    state = board.state
    for _ in range(1200):
        for frame in wrong:
            dropped(board, frame, now + 5000)
    assert board.state is state
    assert board.clock(now + 5000) == before
    assert board.no_show(now + ALL) is not None


def test_a_refused_message_is_kept_and_its_expeller_owes() -> None:
    """CHAIN-5, WITNESS-3: the board's file convicts its author; the clock of the expeller begins with its receipt."""
    match = betting()
    board, now = board_of(match)
    author = match.owing
    match.cheat(author, match.forge(author, Left()))
    receipt = given(board, match.frames[-1], now + 50_000)
    assert (receipt.owing, receipt.at) == (1 - author, now + 50_000)
    assert board.state.phase is Phase.EXPELLING
    match.say(1 - author, Expelled(seat=author, record=receipt.record))
    assert given(board, match.frames[-1], now + 51_000).owing == 1 - author


def test_a_move_that_crosses_with_a_fault_is_in_time() -> None:
    """CHAIN-5, VERDICT-6: the cheat speaks out of turn at the board while the move of who owes is on its way there."""
    match = betting()
    board, now = board_of(match)
    owing, cheat = match.owing, 1 - match.owing
    bad = match.forge(cheat, Acted(move="FOLD", amount=0))
    assert given(board, bad, now).owing == owing
    move = match.say(owing, Acted(move="CHECK", amount=0))
    assert given(board, move, now + 1000).owing == cheat
    assert board.state.refused is None
    # It is the cheat's time that runs; the other one has done its part and is never said to be absent.
    word = board.no_show(now + 10**9)
    assert word is not None
    assert word.seat == cheat


def test_an_expulsion_for_another_message_than_the_board_saw_first() -> None:
    """CHAIN-5, VERDICT-6: two bad messages at one place, one for the board and one for the seat that must expel."""
    match = betting()
    board, now = board_of(match)
    cheat = match.owing
    first = match.forge(cheat, Left())
    given(board, first, now)
    match.cheat(cheat, match.forge(cheat, Acted(move="CALL", amount=3)))
    second = match.frames[-1]
    assert given(board, second, now + 1000).owing == 1 - cheat
    match.say(1 - cheat, Expelled(seat=cheat, record=body_hash(decode_frame(second)[0])))
    given(board, match.frames[-1], now + 2000)
    assert board.state.phase is Phase.SETTLING
    verdict = replay(match.transcript())
    assert verdict.fault is not None
    assert verdict.fault.seat == cheat


def test_an_opening_too_soon_that_crosses_with_a_move_makes_nobody_late() -> None:
    """CHAIN-5: the seat that owed has signed and can sign no expulsion; its move stands, whatever was opened."""
    match = betting()
    board, now = board_of(match)
    owing, cheat = match.owing, 1 - match.owing
    given(board, match.forge(cheat, Shown(seed=bytes(32))), now)
    move = match.say(owing, Acted(move="CHECK", amount=0))
    assert given(board, move, now + 1000).owing == cheat


def test_what_joins_a_refused_message_begins_no_time() -> None:
    """CHAIN-5, VERDICT-6: who owes the expulsion owes it since the first one, however many come behind it."""
    match = Match(watched(toy_offer(seats=3))).until(Phase.BETTING)
    board, now = board_of(match)
    cheat, other = (match.owing + 1) % 3, (match.owing + 2) % 3
    given(board, match.forge(cheat, Left()), now)
    before = board.clock(now + 10_000)
    given(board, match.forge(other, Left()), now + 10_000)
    assert before is not None
    assert board.clock(now + 10_000) == before
    word = board.no_show(now + 10**9)
    assert word is not None
    assert word.seat == match.owing


def test_a_third_message_on_an_old_hash_joins_the_second() -> None:
    """CHAIN-2, CHAIN-5: the board has one proof against a seat, and who is to expel it another one."""
    match = Match(watched(toy_offer(seats=3, chips=9))).until(Phase.BETTING)
    cheat = match.owing
    honest = (cheat + 1) % 3
    first, second = match.forge(cheat, Left()), match.forge(cheat, Acted(move="FOLD", amount=7))
    board, now = board_of(match)
    board.post(match.say(cheat, Acted(move="CHECK", amount=0)), now)
    assert dropped(board, second, now) == "record.proof-kept"
    assert proven(match.sessions[honest], first)
    board.post(match.say(honest, Acted(move="BET", amount=1)), now)
    board.post(match.say(match.owing, Acted(move="CALL", amount=1)), now)
    assert (match.owing, board.state.phase) == (cheat, Phase.EXPELLING)
    session = match.sessions[honest]
    session.proof()
    expulsion = session.due()
    assert expulsion is not None
    for frame in (first, session.say(expulsion)):
        given(board, frame, now + 1000)
    assert board.state.books.gone[cheat] == "expelled"


def test_silence_is_answered_whatever_was_refused_meanwhile() -> None:
    """CHAIN-5, VERDICT-6: a third seat's nonsense keeps nobody from expelling the one whose time ran out."""
    match = Match(watched(toy_offer(seats=3))).until(Phase.BETTING)
    board, now = board_of(match)
    silent = match.owing
    signer, third = (silent + 1) % 3, (silent + 2) % 3
    word = board.no_show(now + ALL)
    assert word is not None
    session = match.sessions[signer]
    with pytest.raises(Violation):
        session.receive(match.forge(third, Left()))
    session.say(expulsion(match, (silent, word.word)))
    assert session.state.books.gone == tuple("expelled" if seat == silent else None for seat in range(3))


def test_a_wrong_expulsion_joins_what_was_refused_before_it() -> None:
    """CHAIN-5: one seat was sent `leave` and another one a wrong expulsion by the same cheat; either may be named."""
    match = Match(watched(toy_offer(seats=3))).until(Phase.BETTING)
    board, now = board_of(match)
    cheat = match.owing
    honest = (cheat + 1) % 3
    given(board, match.forge(cheat, Left()), now)
    match.cheat(cheat, match.forge(cheat, Expelled(seat=honest, record=ZERO_HASH)))
    wrong = match.frames[-1]
    given(board, wrong, now + 1000)
    match.turn()
    given(board, match.frames[-1], now + 2000)
    assert board.state.books.gone[cheat] == "expelled"


def test_a_second_message_is_a_proof_that_waits_until_its_author_owes() -> None:
    """CHAIN-2, CHAIN-5: the board takes the proof where players take it."""
    match = betting()
    first = match.owing
    second = match.forge(first, Acted(move="BET", amount=10))
    match.turn(named("CHECK"))
    board, now = board_of(match)
    assert dropped(board, second, now) == "record.proof-kept"
    match.turn(named("BET"))
    kept = board.post(match.frames[-1], now + 1000)
    assert [item.frame for item in kept] == [match.frames[-1], second]
    assert [item.receipt.owing for item in kept if item.receipt] == [first, 1 - first]
    assert board.state.phase is Phase.EXPELLING


def test_after_a_no_show_only_the_expulsion_gets_a_receipt() -> None:
    """WITNESS-5: no receipt for a late message, whatever is posted; the expulsion holds before the referee."""
    match = betting()
    board, now = board_of(match)
    late = match.owing
    word = absence(board, now + ALL)
    for event in (Acted(move="CHECK", amount=0), Acted(move="BET", amount=10), Left()):
        assert dropped(board, match.forge(late, event), now + ALL) == "board.late"
    assert dropped(board, match.forge(1 - late, Acted(move="CHECK", amount=0)), now + ALL) == "board.late"
    match.say(1 - late, expulsion(match, (late, word)))
    receipt = given(board, match.frames[-1], now + ALL)
    # Strictly later, though posted in the same millisecond: a receipt of that time would void the word.
    assert receipt.at > word.at
    assert not contradicted(board.state.agreed, receipt.seq, word, (receipt,))
    match.out.add(late)
    match.play()
    verdict = match.verdict()
    assert verdict.outcome is Outcome.FAULT
    assert verdict.fault is not None
    assert (verdict.fault.code, verdict.fault.seat) == ("witness.no-show", late)


def test_a_late_message_that_another_seat_built_on_counts() -> None:
    """VERDICT-2a: the board goes on behind it; it has no receipt, and the one built on it has."""
    match = betting()
    board, now = board_of(match)
    absence(board, now + ALL)
    match.turn(named("CHECK"))
    assert dropped(board, match.frames[-1], now + ALL) == "board.late"
    match.turn(named("CHECK"))
    late, built = board.post(match.frames[-1], now + ALL + 1)
    assert (late.frame, late.receipt) == (match.frames[-2], None)
    assert built.receipt is not None
    assert board.state.head == match.state.head
    assert board.absent == ()


def test_the_seats_that_do_not_expel_are_absent_in_turn() -> None:
    """CHAIN-5: each from the no-show of the one before; the last one is nobody's to expel."""
    match = Match(watched(toy_offer(seats=3, hands=1))).until(Phase.BETTING)
    board, now = board_of(match)
    owing = match.owing
    words = []
    for turn in range(2):
        now += ALL
        assert board.no_show(now - 1000) is None
        words.append(((owing + turn) % 3, absence(board, now + turn)))
        now += turn
    assert words[1][1].receipt == words[0][1].signature
    assert board.clock(now + 10 * ALL) is None
    match.say((owing + 2) % 3, expulsion(match, *words))
    given(board, match.frames[-1], now + 1000)
    assert match.state.books.gone.count("expelled") == 2


# --- limits


@pytest.mark.parametrize("again", [False, True])
def test_on_a_full_board_nobodys_time_runs_out(monkeypatch: pytest.MonkeyPatch, again: bool) -> None:
    """WITNESS-6: a legal message that had no room convicts nobody, however long one waits, also after a restart."""
    disk, now = Disk(), START
    board = disk.restored(now)
    match = betting()
    for frame in match.frames:
        disk.post(board, frame, now)
    assert board.clock(now) is not None
    size = sum([len(frame) for frame in match.frames])
    # Room for the next message, but not for the largest one that it might have been.
    monkeypatch.setattr("dealerless.referee.board.MAX_MATCH_BYTES", size + MAX_RECORD - 1)
    match.turn()
    if again:
        board = disk.restored(now)
    assert dropped(board, match.frames[-1], now + 1) == "board.full"
    assert board.clock(now + 1) is None
    assert board.no_show(now + 99 * ALL) is None
    monkeypatch.setattr("dealerless.referee.board.MAX_MATCH_BYTES", size + MAX_RECORD)
    assert board.no_show(now + 99 * ALL) is not None


def test_a_large_frame_of_a_stranger_stops_no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """WITNESS-6: only what is kept fills a board."""
    match = betting()
    board, now = board_of(match)
    monkeypatch.setattr("dealerless.referee.board.MAX_MATCH_BYTES", board._size + MAX_RECORD)
    junk = match.sign(0, match.body(0, kind="x" * (MAX_RECORD - 1000), session=fixed("elsewhere")))
    assert dropped(board, junk, now) == "record.foreign-session"
    assert board.no_show(now + 2 * ALL) is not None


# --- a witness that does contradict itself


def test_a_witness_that_signed_both_ways_is_void() -> None:
    """VERDICT-6: with the receipt at hand its no-show counts for nothing, and nobody is blamed."""
    match = betting()
    board, now = board_of(match)
    late = match.owing
    word = absence(board, now + ALL)
    match.say(1 - late, expulsion(match, (late, word)))
    match.out.add(late)
    agreed, seq = board.state.agreed, word_seq(match)
    timely = sign_receipt(WITNESSES[0], 0, agreed.session, seq, fixed("the message that came"), 1 - late, word.at - 1)
    assert contradicted(agreed, seq, word, (timely,))
    data = match.play().transcript()
    plain = replay(data, games=PLAYED)
    assert plain.fault is not None
    assert plain.fault.code == "witness.no-show"
    held = replay(data, games=PLAYED, receipts=(timely,))
    assert (held.outcome, held.fault) == (Outcome.INCOMPLETE, None)
    assert held.damage is not None
    assert held.damage.reason == "witness.void"


def word_seq(match: Match) -> int:
    return match.state.seq - 1


def test_an_offer_may_come_only_once_and_only_first() -> None:
    """WITNESS-3: an acceptance without its offer is nobody's, and a second offer has no place."""
    match = Match(watched())
    board = Board(WITNESSES[0], PLAYED)
    accept = match.forge(1, Accepted(nonce=bytes(32), channel=b""))
    assert dropped(board, accept, START) == "record.wrong-sequence"
    given(board, match.frames[0], START)
    other = Match(replace(watched(), nonce=bytes(32)), keys=KEYS)
    assert dropped(board, other.frames[0], START) == "record.foreign-session"
