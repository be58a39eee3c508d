"""Attacks on how cards follow from digests: bias, order, overlap, running out of digits (HASHDEAL, HEX-4)."""

from __future__ import annotations

import hashlib
import itertools
import subprocess
from collections import Counter

import pytest

from dealerless.crypto.suites import SUITES, hex_digest
from dealerless.errors import DealerlessError
from dealerless.games.game import OpenBoard
from dealerless.games.hexrank import best, parse_digits, report
from dealerless.protocol.events import LayoutOpened, SeedsCommitted
from dealerless.protocol.hashdeal import HASH, HashDeal, deal_line, digits, hole_line
from dealerless.protocol.state import Phase
from tests.matches import KEYS, Match, envelopes, fixed, fold, hex_offer, judged, named

DEALS = 4000


def seven(suite: str, number: int, seat: int) -> tuple[int, ...]:
    """The seven cards of a seat in a deal from seeds that are as good as random and the same every time."""
    session, layouts = fixed("session"), (fixed(f"layout 0 {number}"), fixed(f"layout 1 {number}"))
    digest = hex_digest(suite, deal_line(suite, session, number, layouts))
    deal = HashDeal(suite=suite, session=session, hand=number, seats=(0, 1), layouts=layouts, digest=digest)
    after, known = HASH.known(deal, OpenBoard(slots=(0, 1, 2, 3, 4)))
    return (*known.values(), *HASH.hole_cards(after, seat, fixed(f"hole {seat} {number}"), 2))


def chi_square(counts: Counter[int], cells: int) -> float:
    expected = counts.total() / cells
    return sum((counts[cell] - expected) ** 2 for cell in range(cells)) / expected


# Quantiles of the chi-square distribution at one in a million, for 15 and 255 degrees of freedom. The seeds are fixed,
# so the tests below give the same figures every time; the thresholds say how good those must be.
LIMIT_15, LIMIT_255 = 56.5, 376.0


@pytest.mark.parametrize("suite", SUITES)
def test_h01_digits_are_uniform(suite: str) -> None:
    """H01, HEX-4: over some thousands of deals every digit is as common as any other at each of the nine places."""
    places = [Counter[int]() for _ in range(9)]
    for number in range(DEALS):
        zero, one = seven(suite, number, 0), seven(suite, number, 1)
        assert zero[:5] == one[:5]
        for place, card in zip(places, (*zero, *one[5:]), strict=True):
            place[card] += 1
    for place in places:
        assert set(place) == set(range(16))
        assert chi_square(place, 16) < LIMIT_15
    assert chi_square(sum(places, Counter()), 16) < LIMIT_15


@pytest.mark.parametrize("suite", SUITES)
def test_h10_digits_are_independent(suite: str) -> None:
    """H10, HEX-4: neighbours, a seat's card and the board, and the two seats' cards tell nothing of each other."""
    pairs: dict[str, Counter[int]] = {name: Counter() for name in ("neighbours", "board and hole", "seats", "hands")}
    last = seven(suite, DEALS, 0)
    for number in range(DEALS):
        zero, one = seven(suite, number, 0), seven(suite, number, 1)
        pairs["neighbours"].update(16 * a + b for a, b in itertools.pairwise(zero[:5]))
        pairs["board and hole"].update(16 * a + b for a in zero[:5] for b in zero[5:])
        pairs["seats"].update(16 * a + b for a, b in zip(zero[5:], one[5:], strict=True))
        pairs["hands"].update(16 * a + b for a, b in zip(last, zero, strict=True))
        last = zero
    for counts in pairs.values():
        assert chi_square(counts, 256) < LIMIT_255


def test_h01_every_byte_gives_both_its_digits() -> None:
    """H01: 16 divides 256, so nothing is left over and nothing has to be thrown away."""
    counts = Counter(digit for byte in range(256) for digit in digits(bytes([byte]).hex(), 2))
    assert counts == dict.fromkeys(range(16), 32)


@pytest.mark.parametrize("suite", SUITES)
def test_h10_a_bit_of_the_digest_moves_one_card_at_most(suite: str) -> None:
    """H10: cards are disjoint windows of four bits."""
    digest = bytes.fromhex(hex_digest(suite, "any line"))
    cards = digits(digest.hex(), 5)
    for bit in range(8 * len(digest)):
        flipped = bytearray(digest)
        flipped[bit // 8] ^= 128 >> bit % 8
        changed = [place for place, card in enumerate(digits(flipped.hex(), 5)) if card != cards[place]]
        assert changed == ([bit // 4] if bit < 20 else [])


@pytest.mark.parametrize("suite", SUITES)
def test_h04_digits_do_not_begin_anew(suite: str) -> None:
    """H04: a hand needs seven digits of 32 or 64; were more asked for, there would be an error and no repetition."""
    digest = hex_digest(suite, "any line")
    deal = HashDeal(suite=suite, session=bytes(32), hand=1, seats=(0, 1), digest=digest)
    after, first = HASH.known(deal, OpenBoard(slots=tuple(range(5))))
    rest = len(digest) - 5
    end, second = HASH.known(after, OpenBoard(slots=tuple(range(5, 5 + rest))))
    assert [*first.values(), *second.values()] == [int(digit, 16) for digit in digest]
    for asked in (after, end):
        with pytest.raises(ValueError, match="zip"):
            HASH.known(asked, OpenBoard(slots=tuple(range(rest + 1))))


@pytest.mark.parametrize("suite", SUITES)
def test_h05_anybody_gets_the_same_cards(suite: str) -> None:
    """H05, HASHDEAL-1: the first digit is the high half of the first byte; `sha256sum` and `md5sum` agree."""
    match = Match(hex_offer(suite=suite)).play(named("CHECK CHECK"))
    (hand,) = match.verdict().hands
    assert {what for what, _, _ in hand.digests} == {"common", "seat 0", "seat 1"}
    for what, line, digest in hand.digests:
        assert line.isascii()
        assert line.split(" ")[:3] == ["dealerless/1", "hex-deal" if what == "common" else "hex-hole", suite]
        redone = subprocess.run([f"{suite}sum"], input=line.encode(), capture_output=True, check=True)
        assert redone.stdout.split()[0].decode() == digest == digest.lower()
        number = int(digest, 16) >> 4 * (len(digest) - 5)
        if what == "common":
            assert "".join([card or "?" for card in hand.board]) == f"{number:05x}"
        else:
            assert hand.hole[int(what[-1])] == tuple(digest[:2])


@pytest.mark.parametrize("text", ["ABCDE", "Abcde", "abcdE", " abcde", "abcde\n", "abcd\uff45", "abcdg", "0x123"])
def test_h05_upper_case_is_no_card(text: str) -> None:
    """H05, HEX-1: one spelling."""
    with pytest.raises(DealerlessError):
        parse_digits(text)


def test_h08_the_order_of_seats_is_settled_before_anything_is_committed() -> None:
    """H08: seats swapped in the offer are another session, in which no earlier commitment opens."""
    offer = hex_offer()
    swapped = hex_offer(keys=KEYS[1::-1])
    assert offer.nonce == swapped.nonce
    one = Match(offer).until(Phase.LAYOUT_OPENING)
    other = Match(swapped, keys=KEYS[1::-1]).until(Phase.COMMITTING)
    assert one.state.agreed.session != other.state.agreed.session
    # The same person sits at another seat and repeats there what it committed to before.
    commitments = envelopes(one.frames)[5].event
    assert isinstance(commitments, SeedsCommitted)
    frame = other.turn().forge(1, commitments)
    other.sessions[0].receive(frame)
    other.out.add(1)
    other.turn()
    opening = LayoutOpened(seed=one.seed(0, "layout"))
    assert other.cheat(1, other.forge(1, opening)).code == "commit.wrong-opening"


def test_h08_another_order_of_the_same_seeds_is_another_deal() -> None:
    """H08: which seat opens which seed is part of the line, and so is the seat whose hole cards they are."""
    a, b, session = fixed("a"), fixed("b"), fixed("session")
    for suite in SUITES:
        assert deal_line(suite, session, 1, (a, b)) != deal_line(suite, session, 1, (b, a))
        digest = hex_digest(suite, deal_line(suite, session, 1, (a, b)))
        lines = {hole_line(suite, session, hand, digest, seat, a) for hand in (1, 2) for seat in (0, 1)}
        assert len({hex_digest(suite, line) for line in lines}) == 4


def test_h08_opening_in_another_order_of_time_is_no_other_deal() -> None:
    """H08, CHAIN-1: there is one order; the frames of a match folded twice give the same cards."""
    match = Match(hex_offer()).play(named("CHECK CHECK"))
    assert fold(match.frames)[-1] == fold(match.frames)[-1] == match.state
    swapped = [*match.frames[:7], match.frames[8], match.frames[7], *match.frames[9:]]
    assert [e.event.KIND for e in envelopes(match.frames)][7:9] == ["layout", "layout"]
    verdict = judged(*swapped)
    assert verdict.frames == 7
    assert verdict.fault is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("0000000", "5,00000,0000000"),
        ("fffffff", "5,fffff,fffffff"),
        ("0123456", "3+,65432,0123456"),
        ("ef01201", "22,1100f,ef01201"),
        ("ef01234", "3+,43210,ef01234"),
        ("ef012ab", "0,feba2,ef012ab"),
        ("fedcba9", "3+,fedcb,fedcba9"),
    ],
)
def test_h13_digests_of_one_digit_and_around_the_corner(text: str, line: str) -> None:
    """H13, E02, HEX-10: five of a kind exists and is the strongest; a row does not go from f to 0."""
    assert report(parse_digits(text)) == line


def test_h13_e12_the_strongest_class_wins() -> None:
    """E12: one comparison, more is stronger: five of a kind over all, the lowest seven under all."""
    ranks = [
        best(parse_digits(text)).rank
        for text in ("02468ac", "02468ae", "1133579", "0123488", "2222fff", "2222222", "fffffff")
    ]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) == 7


def test_e05_the_board_plays() -> None:
    """E05: cards beyond the best five decide nothing: equal fives halve the pot."""
    strengths = {best(parse_digits("99999" + hole)).rank for hole in ("00", "ff", "1a")}
    assert len(strengths) == 1
    strengths = {best(parse_digits("bcdef" + hole)).rank for hole in ("00", "11", "19")}
    assert len(strengths) == 1


def test_md5_and_sha256_are_named_and_differ() -> None:
    """HASHDEAL-1, HASHDEAL-3: the suite is in the hashed line and in the verdict."""
    for suite in SUITES:
        match = Match(hex_offer(suite=suite)).play()
        assert match.verdict().suite == suite
        (hand,) = match.verdict().hands
        assert {len(digest) for _, _, digest in hand.digests} == {hashlib.new(suite).digest_size * 2}
