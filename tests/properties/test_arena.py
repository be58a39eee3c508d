"""Level against level on the bare rules: what is dealt, who sits where, what a player sees, and what a tally says."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise, product

import pytest

from dealerless.games import GAMES
from dealerless.games.game import Finished, Move, Slots
from dealerless.games.hex import HEX
from dealerless.players.arena import (
    BATCH,
    Duel,
    dealt_cards,
    play_deal,
    play_deals,
    play_hand,
    quick_player,
    seeded,
)
from dealerless.players.computer import LEVELS
from dealerless.players.player import Player, SeatView
from dealerless.players.tally import (
    ERROR,
    FIRST_LOOK,
    NOTHING,
    Tally,
    error_of,
    estimate,
    last_look,
    look_at,
)

RULES: dict[str, tuple[bool | int | str, ...]] = {
    "hex": (10, 5, "all"),
    "draw": (1, 10, 10, 3, True, 400, "all"),
    "holdem": ("limit", 1, 2, 0, 200, "muck"),
}


def duel(
    game: str = "draw", *, seats: int = 2, bots: tuple[str, ...] = ("any", "any"), seed: int = 1, deal: str = ""
) -> Duel:
    dealing = deal or GAMES[game].dealings[0]
    return Duel(game=game, dealing=dealing, rules=RULES[game], seats=seats, bots=bots, seed=seed)


class Anybody(Player):
    """Does anything legal, and folds as often as anything else."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def decide(self, view: SeatView) -> Move:
        option = self.chance.choice(view.legal)
        return Move(name=option.name, amount=self.chance.choice((option.least, option.most)))

    def exchanges(self, view: SeatView) -> Slots:
        slots = view.game.hole_slots(view.hand, view.seat)
        return tuple(sorted(self.chance.sample(slots, self.chance.randrange(4))))

    def shows(self, view: SeatView) -> bool:
        return self.chance.random() < 0.5


class Folder(Anybody):
    """Gives up whenever it may, and else does as little as it can."""

    def decide(self, view: SeatView) -> Move:
        names = {option.name: option for option in view.legal}
        return Move(name="FOLD" if "FOLD" in names else "CHECK", amount=0)


class Caller(Anybody):
    """Calls everything, bets nothing."""

    def decide(self, view: SeatView) -> Move:
        names = {option.name: option for option in view.legal}
        option = names.get("CHECK") or names.get("CALL") or names["ALLIN"]
        return Move(name=option.name, amount=option.least)


class Better(Anybody):
    """Bets once if nobody has, and never folds."""

    def decide(self, view: SeatView) -> Move:
        names = {option.name: option for option in view.legal}
        option = names.get("BET") or names.get("CALL") or names.get("CHECK") or names["ALLIN"]
        return Move(name=option.name, amount=option.least)


BY_NAME: dict[str, Callable[[random.Random], Player]] = {
    "any": Anybody,
    "fold": Folder,
    "call": Caller,
    "bet": Better,
}


def player(name: str, chance: random.Random) -> Player:
    return BY_NAME[name](chance)


# --- chips


@pytest.mark.parametrize(("game", "many"), [("draw", 10_000), ("holdem", 2000), ("hex", 2000)])
def test_no_chip_is_made_or_lost_in_a_long_match(game: str, many: int) -> None:
    """TABLE, DRAW-1, POT: stacks are carried, buttons move, seats go broke; the sum stays as it was."""
    rules, seats = GAMES[game], 2 if game == "hex" else 3
    terms = rules.read_terms({**RULES, "draw": (1, 1, 2, 3, True, 5000, "muck")}[game], seats)
    opening = stacks = rules.opening_stacks(terms, seats)
    whole, button, hands, results = sum(stacks), 0, 0, Counter[str]()
    chance = seeded(1)
    players = [Anybody(chance) for _ in range(seats)]
    deck = list(rules.deck())
    while hands < many:
        able = tuple(seat for seat in range(seats) if rules.can_be_dealt_in(terms, stacks[seat]))
        if len(able) < 2 or not rules.carries:
            stacks, able = opening, tuple(range(seats))
        button = rules.next_button(button, able, able, seats)
        before = stacks
        chance.shuffle(deck)
        ended = play_hand(rules, rules.dealings[0], terms, stacks, button, deck, players, hands + 1)
        stacks = ended.stacks
        assert sum(stacks) == whole
        assert min(stacks) >= 0
        assert sum(pot.amount for pot in ended.pots) == sum(b - s for b, s in zip(before, losses(ended), strict=True))
        hands += 1
        results[ended.result] += 1
    assert results.keys() == {"fold", "showdown"}
    assert min(results.values()) > many // 20


def losses(ended: Finished) -> list[int]:
    """What the stacks would be if nobody had won a pot."""
    left = list(ended.stacks)
    for pot in ended.pots:
        share, odd = divmod(pot.amount, len(pot.winners))
        for place, seat in enumerate(pot.winners):
            left[seat] -= share + (place < odd)
    return left


@pytest.mark.parametrize(("game", "seats"), [("hex", 2), ("draw", 2), ("draw", 6), ("holdem", 4)])
def test_what_one_wins_the_others_lose(game: str, seats: int) -> None:
    """Every deal in every rotation: the same sum over all seats, whoever sits there."""
    for deal in range(20):
        won = play_deal(duel(game, seats=seats, bots=("call", "any")), deal, player)
        assert len(won) == seats
    # Among players who all do the same whatever they hold, each card in each place is had once: luck cancels whole.
    for deal in range(20):
        assert sum(play_deal(duel(game, seats=seats, bots=("bet", "bet")), deal, keeper)) == 0


class Keeper(Better):
    """Never folds, never exchanges: all depends on the cards."""

    def exchanges(self, view: SeatView) -> Slots:
        return ()

    def shows(self, view: SeatView) -> bool:
        return True


def keeper(name: str, chance: random.Random) -> Player:
    return Keeper(chance)


# --- what is dealt, and who sits where


def test_each_bot_has_every_seat_once_and_the_others_fill_the_rest() -> None:
    six = duel(seats=6, bots=("hard", "medium"))
    seatings = [six.seating(rotation) for rotation in range(6)]
    assert [seating.index("hard") for seating in seatings] == list(range(6))
    assert all(Counter(seating) == {"hard": 1, "medium": 5} for seating in seatings)
    assert duel(bots=("easy", "easy")).seating(1) == ("easy", "easy")
    three = duel(seats=4, bots=("hard", "medium", "easy"))
    assert three.seating(0) == ("hard", "medium", "easy", "medium")
    assert three.seating(1) == ("medium", "hard", "medium", "easy")


def test_the_same_deck_lies_in_every_rotation_and_another_in_every_deal() -> None:
    """DRAW-1, HEX-4: a deck has each card as often as the game says; digits of digests are independent."""
    for game in ("draw", "holdem"):
        decks = [dealt_cards(duel(game), deal) for deal in range(50)]
        assert len(set(decks)) == 50
        assert all(sorted(deck) == sorted(GAMES[game].deck()) for deck in decks)
    assert dealt_cards(duel(seed=2), 0) != dealt_cards(duel(seed=1), 0) == dealt_cards(duel("holdem"), 0)
    real = [dealt_cards(duel("hex", deal="deck"), deal) for deal in range(5)]
    assert all(set(Counter(deck).values()) == {10} for deck in real)
    free = [dealt_cards(duel("hex"), deal)[:9] for deal in range(4000)]
    assert all(0 <= digit <= 15 for digits in free for digit in digits)
    # Equal neighbours: 1 in 16, not 9 in 159 as without replacement: 2,000 of 32,000 and not 1,811; three deviations.
    pairs = sum(one == two for digits in free for one, two in pairwise(digits))
    assert abs(pairs - 2000) < 130


def test_seats_see_their_own_cards_of_one_deck_wherever_the_bots_sit() -> None:
    """DRAW-9: hole cards follow the seat and the deal, not the bot."""
    held: dict[tuple[int, int], set[tuple[int, ...]]] = {}

    class Watching(Caller):
        def decide(self, view: SeatView) -> Move:
            held.setdefault((view.books.number, view.seat), set()).add(view.hole)
            return super().decide(view)

        def exchanges(self, view: SeatView) -> Slots:
            return ()

    for deal in range(3):
        play_deal(duel(seats=3), deal, lambda name, chance: Watching(chance))
    assert set(held) == {(number, seat) for number in (1, 2, 3) for seat in range(3)}
    assert all(len(holes) == 1 for holes in held.values())


def test_buttons_go_round() -> None:
    """TABLE-1: so that no seat is the better one."""
    seen: set[tuple[int, int]] = set()

    class Watching(Caller):
        def decide(self, view: SeatView) -> Move:
            assert view.books.button == view.hand.button
            seen.add((view.books.number, view.hand.button))
            return super().decide(view)

    for deal in range(4):
        play_deal(duel(seats=3), deal, lambda name, chance: Watching(chance))
    assert seen == {(1, 0), (2, 1), (3, 2), (4, 0)}


# --- what a player sees


@pytest.mark.parametrize(("game", "seats"), [("hex", 2), ("draw", 4), ("holdem", 4)])
def test_nothing_hidden_can_be_reached_from_a_view(game: str, seats: int) -> None:
    """DRAW-4, DRAW-9: other hidden cards, the same decisions and the same views."""

    class Noting(Anybody):
        def __init__(self, chance: random.Random, notes: list[object]) -> None:
            super().__init__(chance)
            self.notes = notes

        def decide(self, view: SeatView) -> Move:
            self.notes.append(view)
            return super().decide(view)

        def exchanges(self, view: SeatView) -> Slots:
            self.notes.append(view)
            return super().exchanges(view)

    rules = GAMES[game]
    terms = rules.read_terms(RULES[game], seats)
    before = rules.opening_stacks(terms, seats)
    compared = 0
    for deal in range(60):
        cards = list(dealt_cards(duel(game, seats=seats), deal))
        runs: list[list[object]] = []
        for swapped in (False, True):
            notes: list[object] = []
            players: list[Player] = [
                Noting(seeded(deal, seat), notes) if seat == 1 else Caller(seeded(deal, seat)) for seat in range(seats)
            ]
            hand = rules.start(terms, before, 0, tuple(range(seats)))
            if swapped:
                # Two other seats' cards change places, seat by seat unseen by seat 1.
                mine = {*rules.hole_slots(hand, 1), *rules.board_slots(hand)}
                theirs = [slot for slot in rules.hole_slots(hand, 0) if slot not in mine]
                spare = len(hand.cards) if game != "draw" else 8 * seats
                for place, slot in enumerate(theirs):
                    cards[slot], cards[spare + place] = cards[spare + place], cards[slot]
            play_hand(rules, rules.dealings[0], terms, before, 0, cards, players, deal + 1)
            runs.append([replace(view, seconds_left=int) for view in notes if isinstance(view, SeatView)])
        assert runs[0] == runs[1]
        compared += len(runs[0])
    assert compared > 60


@pytest.mark.parametrize("dealing", HEX.dealings)
def test_a_view_names_the_dealing(dealing: str) -> None:
    """HEX-4: what the other can hold depends on it, also here where no protocol deals."""
    told: set[str] = set()

    class Told(Caller):
        def decide(self, view: SeatView) -> Move:
            told.add(view.dealing)
            return super().decide(view)

    play_deal(duel("hex", deal=dealing), 0, lambda name, chance: Told(chance))
    assert told == {dealing}


def test_a_hand_has_its_history_and_a_choice_against_the_rules_is_no_move() -> None:
    """DRAW-10: moves and exchanges are told with their numbers, stacks and pot; who breaks a rule is stopped."""
    views: list[SeatView] = []

    class Last(Caller):
        def decide(self, view: SeatView) -> Move:
            views.append(view)
            return super().decide(view)

        def exchanges(self, view: SeatView) -> Slots:
            return view.game.hole_slots(view.hand, view.seat)[:2]

    play_deal(duel(), 0, lambda name, chance: Last(chance))
    actions = max(views, key=lambda view: len(view.play.actions)).play.actions
    assert [(action.seq, action.move, action.amount) for action in actions] == [
        (0, "CHECK", 0),
        (1, "CHECK", 0),
        (2, "EXCHANGE", 2),
        (3, "EXCHANGE", 2),
        (4, "CHECK", 0),
    ]
    assert all(action.pot + sum(action.stacks) == 800 for action in actions)

    class Wrong(Caller):
        def decide(self, view: SeatView) -> Move:
            return Move(name="RAISE", amount=0)

    with pytest.raises(RuntimeError, match=r"bet\.nothing-owed"):
        play_deal(duel(), 0, lambda name, chance: Wrong(chance))


# --- results


@pytest.mark.parametrize("level", LEVELS)
def test_a_deal_is_the_same_whoever_plays_it_and_when(level: str) -> None:
    this = duel(bots=(level, "easy"), seed=5)
    whole = play_deals(this, 0, 4)
    assert whole == play_deals(this, 0, 1).plus(play_deals(this, 1, 3))
    assert whole.deals == 4


def test_who_always_folds_loses_what_the_other_wins() -> None:
    """One ante a hand, as often as the other bets: nothing is left to chance."""
    folds = run(duel(bots=("fold", "bet")), FIRST_LOOK)
    shown = estimate(folds, 2 * 10, 0)
    assert (shown.mean, shown.low, shown.high) == (-0.1, -0.1, -0.1)
    assert shown.decided
    six = estimate(run(duel(seats=6, bots=("fold", "any")), FIRST_LOOK), 6 * 10, 0)
    assert six.high < 0


def test_equals_are_not_told_apart() -> None:
    assert not estimate(run(duel(bots=("any", "any")), 256), 2 * 10, 1).decided
    assert not estimate(run(duel(seats=6, bots=("any", "any")), FIRST_LOOK), 6 * 10, 0).decided


def run(this: Duel, deals: int) -> Tally:
    return play_deals(this, 0, deals, player)


def test_duplicate_deals_are_worth_more_than_as_many_hands() -> None:
    """Over the rotations of a deal luck cancels: its samples vary far less than those of hands dealt anew."""
    this = duel(bots=("bet", "call"))
    by_deal, by_hand = [], []
    for deal in range(150):
        won = play_deal(this, deal, keeper)
        by_deal.append(sum(won) / 2)
        by_hand.append(won[0])
    assert variance(by_deal) * 4 < variance(by_hand)


def variance(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1)


def test_players_of_every_level_are_the_quick_ones() -> None:
    for level in LEVELS:
        assert quick_player(level, seeded(0)).__class__.__name__ == "ComputerPlayer"


# --- the tally


def test_looks_are_at_doubled_numbers_of_deals() -> None:
    looks = [deals for deals in range(1, 3000) if look_at(deals) is not None]
    assert looks == [128, 256, 512, 1024, 2048]
    assert [look_at(deals) for deals in looks] == [0, 1, 2, 3, 4]
    assert look_at(0) is None
    assert [last_look(most) for most in (128, 255, 256, 5000, 8192)] == [128, 128, 256, 4096, 8192]
    with pytest.raises(ValueError, match="128"):
        last_look(127)
    assert FIRST_LOOK % BATCH == 0


def test_all_looks_together_err_in_one_case_of_twenty() -> None:
    assert sum(map(error_of, range(100_000))) == pytest.approx(ERROR, abs=1e-6)


def test_a_tally_is_possible_if_samples_come_to_it() -> None:
    """Every tally of three numbers from -2 to 3 is, and no other beyond the least and the most they come to."""
    real = {(sum(found), sum(x * x for x in found)) for found in product(range(-2, 4), repeat=3)}
    tallies = [Tally(deals=3, total=total, squares=squares) for total in range(-20, 21) for squares in range(-5, 60)]
    accepted = {(tally.total, tally.squares) for tally in tallies if tally.possible(-2, 3)}
    assert real <= accepted
    for part in (0, 1):
        found, met = {each[part] for each in accepted}, {each[part] for each in real}
        assert (min(found), max(found)) == (min(met), max(met))
    assert {(-6, 12), (9, 27)} <= accepted
    assert not {(-6, 14), (9, 25), (9, 29), (0, 1), (8, 28)} & accepted


@pytest.mark.parametrize(("game", "seats"), [("hex", 2), ("draw", 3), ("holdem", 3)])
def test_no_deal_wins_more_than_it_can(game: str, seats: int) -> None:
    """At most all others' chips in every rotation, and at least none of its own left in any."""
    this = duel(game, seats=seats)
    least, most = this.extremes
    opening = GAMES[game].opening_stacks(GAMES[game].read_terms(this.rules, seats), seats)
    assert (least, most) == (-sum(opening), sum([sum(opening) - stack for stack in opening]))
    assert play_deals(this, 0, 40, player).possible(least, most)


def test_an_estimate_is_that_of_its_samples() -> None:
    chance = random.Random(3)
    samples = [chance.randrange(-60, 80) for _ in range(128)]
    tally = NOTHING
    for sample in samples:
        tally = tally.plus(Tally(deals=1, total=sample, squares=sample * sample))
    shown = estimate(tally, 20, 0)
    assert shown.mean == pytest.approx(sum(samples) / 128 / 20)
    # 0.05 / 2 of error on two sides: the quantile of 0.9875.
    around = 2.241402727604945 * math.sqrt(variance(samples) / 128) / 20
    assert (shown.low, shown.high) == pytest.approx((shown.mean - around, shown.mean + around))
    assert shown.error == 0.025


@pytest.mark.parametrize(("shift", "least", "most"), [(0.0, 0.0, 0.05), (0.1, 0.95, 1.0)])
def test_looking_again_and_again_finds_no_difference_that_is_not_there(shift: float, least: float, most: float) -> None:
    """Of runs with nothing in them at most one in twenty is ended by a look; a tenth of a deviation is soon found."""
    chance, runs, found, covered = random.Random(4), 2000, 0, 0
    for _ in range(runs):
        tally, decided, always = NOTHING, False, True
        while tally.deals < 16_384:
            more = tally.deals or FIRST_LOOK
            # The sum of so many normal samples, and nearly the sum of their squares.
            total = round(1000 * (chance.gauss(0, 1) * math.sqrt(more) + shift * more))
            tally = tally.plus(Tally(deals=more, total=total, squares=round(1e6 * more * (1 + shift * shift))))
            look = look_at(tally.deals)
            assert look is not None
            shown = estimate(tally, 1000, look)
            decided |= shown.decided
            always &= shown.low <= shift <= shown.high
        found += decided
        covered += always
    assert least * runs <= found <= most * runs
    assert covered >= 0.95 * runs
