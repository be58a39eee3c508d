"""Computer players of every level: legal moves, nothing hidden enters, the same seed the same moves, reasons, sense."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import pytest

from dealerless.games import GAMES
from dealerless.games.cards import read_cards
from dealerless.games.game import Act, Deal, Exchange, Finished, Game, Move, OpenBoard, Release, Reveal, Show
from dealerless.games.hex import HEX
from dealerless.games.hexrank import best
from dealerless.games.holdem import HOLDEM
from dealerless.players.computer import LEVELS, ComputerPlayer, Note, Strategy
from dealerless.players.hexstrength import beaten
from dealerless.players.holdemranges import bluff_chance, narrowed, risk
from dealerless.players.holdemrunouts import PAIRS, number, runouts, worth
from dealerless.players.holdemspot import history
from dealerless.players.levels import QUICK, STRATEGIES, computer_player, strategy
from dealerless.players.player import SeatView, seat_view
from dealerless.protocol.hashdeal import HOLE
from dealerless.protocol.session import Session
from dealerless.protocol.state import Accounts, ActionTaken, HandInPlay, Phase
from tests.matches import KEYS, KeptSecrets, Match, hex_offer

TABLES: list[tuple[str, tuple[bool | int | str, ...], int]] = [
    ("hex", (10, 1, "all"), 2),
    ("hex", (10, 3, "muck"), 2),
    ("holdem", ("no-limit", 1, 2, 0, 200, "all"), 2),
    ("holdem", ("no-limit", 1, 3, 1, 60, "muck"), 6),
    ("holdem", ("no-limit", 5, 10, 0, 35, "all"), 9),
    ("holdem", ("limit", 1, 2, 0, 100, "all"), 2),
    ("holdem", ("limit", 2, 4, 1, 30, "all"), 5),
]


def view_of(game: Game, play: HandInPlay, seat: int, cards: list[int], dealing: str = "") -> SeatView:
    """What a seat sees of a hand dealt from `cards`, by slot."""
    seats = len(play.before)
    books = Accounts(1, play.hand.button, play.dealt, play.before, (0,) * seats, (None,) * seats, ())
    hole = tuple([cards[slot] for slot in game.hole_slots(play.hand, seat)])
    return SeatView(
        seat=seat,
        game=game,
        dealing=dealing or game.dealings[0],
        books=books,
        play=play,
        hole=hole,
        legal=game.legal(play.hand),
    )


def met(game: Game, play: HandInPlay, cards: list[int]) -> HandInPlay:
    """The hand after everything that is nobody's choice."""
    while isinstance(due := game.demand(play.hand), Deal | Release | OpenBoard):
        known = {slot: cards[slot] for slot in due.slots} if isinstance(due, OpenBoard) else {}
        play = play.at(game.dealt(play.hand, known), None)
    return play


def moved(game: Game, play: HandInPlay, seat: int, move: Move, cards: list[int]) -> HandInPlay:
    """The hand after a move, which has to be legal, and after what then follows by itself."""
    assert game.check(play.hand, seat, move) is None, (play.hand, seat, move)
    hand = game.apply(play.hand, seat, move)
    taken = ActionTaken(len(play.actions), seat, move.name, move.amount, hand.stacks, sum(hand.totals))
    return met(game, HandInPlay(hand, None, play.before, (*play.actions, taken), play.dealt), cards)


def opened(game: Game, rules: tuple[Any, ...], stacks: tuple[int, ...], button: int, cards: list[int]) -> HandInPlay:
    seats = tuple(range(len(stacks)))
    hand = game.start(game.read_terms(rules, len(stacks)), stacks, button, seats)
    return met(game, HandInPlay(hand, None, stacks, (), seats), cards)


def decisions(
    name: str, rules: tuple[Any, ...], seats: int, hands: int, chance: random.Random
) -> Iterator[tuple[SeatView, list[int], Strategy, Move, str]]:
    """Every decision of some hands between players of levels drawn anew for each seat, each move played."""
    game = GAMES[name]
    agreed = game.read_terms(rules, seats)
    for number_ in range(hands):
        whole = game.opening_stacks(agreed, seats)
        stacks = tuple([chance.randrange(1, stack + 1) for stack in whole]) if game.carries else whole
        cards = list(game.deck())
        chance.shuffle(cards)
        playing = [strategy(name, chance.choice(LEVELS), quick=True) for _ in range(seats)]
        play = opened(game, rules, stacks, number_ % seats, cards)
        while not isinstance(due := game.demand(play.hand), Finished):
            assert isinstance(due, Act | Show)
            if isinstance(due, Show):
                cards_shown = tuple([cards[slot] for slot in due.slots])
                play = play.at(game.apply(play.hand, due.seat, Reveal(cards=cards_shown)), None)
                continue
            view = view_of(game, play, due.seat, cards)
            seed = chance.randrange(1 << 30)
            move, reason = playing[due.seat].decide(view, random.Random(seed))
            assert (move, reason) == playing[due.seat].decide(view, random.Random(seed))
            yield view, cards, playing[due.seat], move, reason
            play = moved(game, play, due.seat, move, cards)


@pytest.mark.parametrize(("name", "rules", "seats"), TABLES)
def test_moves_are_legal_explained_and_the_same_for_one_seed(
    name: str, rules: tuple[bool | int | str, ...], seats: int
) -> None:
    """DRAW-9, BET, HEX-6: whole hands of every game and number of seats; `moved` fails on what the rules refuse."""
    names: Counter[str] = Counter()
    for view, _, _, move, reason in decisions(name, rules, seats, 40, random.Random(f"{name} {rules} {seats}")):
        assert view.refusal(move) is None
        assert len(reason) > 10
        names[move.name] += 1
    assert len(names) >= 4, names


@pytest.mark.parametrize(("name", "rules", "seats"), TABLES)
def test_other_hidden_cards_change_nothing(name: str, rules: tuple[bool | int | str, ...], seats: int) -> None:
    """DRAW-9: the hand is dealt again with all cards exchanged that the seat cannot see, up to the same moment."""
    game = GAMES[name]
    chance = random.Random(f"hidden {name} {rules}")
    for view, cards, playing, _, _ in decisions(name, rules, seats, 3, chance):
        open_slots = [slot for slot, card in enumerate(view.hand.cards) if card is not None]
        seen = {*open_slots, *game.hole_slots(view.hand, view.seat)}
        hidden = [slot for slot in range(len(cards)) if slot not in seen]
        others = list(cards)
        for slot, card in zip(hidden, chance.sample([cards[slot] for slot in hidden], len(hidden)), strict=True):
            others[slot] = card
        play = opened(game, rules, view.play.before, view.hand.button, others)
        for action in view.play.actions:
            play = moved(game, play, action.seat, Move(name=action.move, amount=action.amount), others)
        again = view_of(game, play, view.seat, others)
        assert again == replace(view, seconds_left=again.seconds_left)
        seed = chance.randrange(1 << 30)
        expected = playing.decide(view, random.Random(seed))
        assert playing.decide(again, random.Random(seed)) == expected


class OtherHole(KeptSecrets):
    """The same secrets but for the seed of the own cards."""

    def seed(self, hand: int, purpose: str) -> bytes:
        drawn = super().seed(hand, purpose)
        return bytes(byte ^ 0x5A for byte in drawn) if purpose == HOLE else drawn


@pytest.mark.parametrize("level", LEVELS)
def test_what_a_session_lets_a_player_see(level: str) -> None:
    """DRAW-9: at a real table the other's cards are others, committed to by other digests; we do the same."""

    def at_our_move(secrets: KeptSecrets) -> tuple[SeatView, tuple[int, ...]]:
        match = Match(hex_offer("seen", hands=1, depth=2), "seen")
        match.sessions[1] = Session(KEYS[1], secrets, {HEX.name: HEX}, ("sha256",))
        match.sessions[1].receive(match.frames[0])
        while not (match.state.phase is Phase.BETTING and match.owing == 0):
            session = match.sessions[match.owing]
            due = session.due()
            if due is None:
                from dealerless.protocol.events import Accepted, Acted

                accepting = match.state.phase is Phase.ACCEPTING
                due = Accepted(nonce=bytes(32), channel=b"") if accepting else Acted(move="CHECK", amount=0)
            match.say(match.owing, due)
        return seat_view(match.sessions[0]), match.sessions[1].hole()

    label = "seen: seeds of seat 1"
    (one, theirs), (two, others) = at_our_move(KeptSecrets(label)), at_our_move(OtherHole(label))
    assert theirs != others
    assert one.hole == two.hole
    decided = [computer_player(level, random.Random(3)).decide(view) for view in (one, two)]
    assert decided[0] == decided[1]


def holdem_view(hole: str, board: str, line: Iterable[tuple[str, int]] = (), *, seats: int = 2) -> SeatView:
    """What the seat to move sees that holds `hole`, in no limit 1/2 with 200 behind, after the moves of `line`."""
    ours, common = read_cards(hole), read_cards(board)
    rest = [card for card in HOLDEM.deck() if card not in ours + common]
    for owner in range(seats):
        cards = rest[-2 * seats :] + list(common) + rest[: -2 * seats]
        start = HOLDEM.start(HOLDEM.read_terms(TABLES[2][1], seats), (200,) * seats, 0, tuple(range(seats)))
        for slot, card in zip(start.hole(owner), ours, strict=True):
            cards[slot] = card
        play = opened(HOLDEM, TABLES[2][1], (200,) * seats, 0, cards)
        for name, amount in line:
            play = moved(HOLDEM, play, play.hand.due.seat, Move(name=name, amount=amount), cards)
        if play.hand.due.seat == owner:
            return view_of(HOLDEM, play, owner, cards)
    raise AssertionError("nobody is to move")


RIVER = [("CALL", 0), *[("CHECK", 0)] * 5]


@pytest.mark.parametrize("level", LEVELS)
def test_the_nuts_are_never_folded(level: str) -> None:
    """HOLDEM-2: who cannot be beaten calls or raises any bet, and mostly bets."""
    playing = strategy("holdem", level, quick=True)
    board = "SA SK SQ H2 D7"
    owing = holdem_view("SJ ST", board, [*RIVER, ("BET", 198)])
    free = holdem_view("SJ ST", board, RIVER)
    moves = [playing.decide(owing, random.Random(seed))[0].name for seed in range(40)]
    # The simple strategy folds anything now and then, to be no open book.
    assert moves.count("FOLD") <= (2 if level == "easy" else 0)
    assert sum([playing.decide(free, random.Random(seed))[0].name == "BET" for seed in range(40)]) >= 20


@pytest.mark.parametrize("level", ["medium", "hard"])
def test_hopeless_hands_are_given_up(level: str) -> None:
    """DRAW-9: nothing on the river, and a bet as large as the stack: the pot does not pay for a call."""
    playing = strategy("holdem", level, quick=True)
    view = holdem_view("C3 D4", "SA SK SQ H2 H7", [*RIVER, ("BET", 198)])
    assert {playing.decide(view, random.Random(seed))[0].name for seed in range(20)} == {"FOLD"}


@pytest.mark.parametrize("level", ["medium", "hard"])
def test_a_draw_is_worth_its_price_and_no_more(level: str) -> None:
    """DRAW-9: nine cards of a suit and an overcard pay for a small bet, never for the whole stack with one to come."""
    playing = strategy("holdem", level, quick=True)
    line = [("CALL", 0), *[("CHECK", 0)] * 3]
    cheap = holdem_view("SA S4", "SK S9 H2 D7 C7", [*line, ("BET", 2)])
    dear = holdem_view("SA S4", "SK S9 H2 D7 C7", [*line, ("BET", 198)])
    assert all(playing.decide(cheap, random.Random(seed))[0].name != "FOLD" for seed in range(20))
    assert all(playing.decide(dear, random.Random(seed))[0].name == "FOLD" for seed in range(20))


@pytest.mark.parametrize("level", ["medium", "hard"])
def test_aces_are_raised_and_rags_folded_before_the_flop(level: str) -> None:
    playing = strategy("holdem", level, quick=True)
    raised = [("RAISE", 6)]
    aces, rags = holdem_view("SA HA", "", raised, seats=6), holdem_view("H7 S2", "", raised, seats=6)
    assert all(playing.decide(aces, random.Random(seed))[0].name != "FOLD" for seed in range(20))
    assert sum([playing.decide(aces, random.Random(seed))[0].name == "RAISE" for seed in range(20)]) > 10
    assert sum([playing.decide(rags, random.Random(seed))[0].name == "FOLD" for seed in range(20)]) >= 15


def test_bluffs_are_as_frequent_as_pot_odds_make_them() -> None:
    """DRAW-9: of the bets of x into p, x / (p + 2x) are bluffs, and who calls them gains nothing by it."""
    for paid, pot in ((1, 2), (2, 2), (10, 2), (3, 7)):
        risked = risk(paid, pot)
        assert risked == pytest.approx(paid / (pot + paid))
        value, hopeless = 0.2, 0.6
        bluffs = hopeless * bluff_chance(value, risked, hopeless)
        assert bluffs / (bluffs + value) == pytest.approx(paid / (pot + 2 * paid))
        # Who calls wins pot and bet from the bluffs and loses the same price to the rest.
        assert bluffs * (pot + paid) == pytest.approx(value * paid)
    assert bluff_chance(0.9, 0.8, 0.1) == 1


def test_hard_bluffs_seldom_and_not_never() -> None:
    """On the river with nothing, half a pot or a pot: of such hands a quarter to a third bet, the others check."""
    playing = strategy("holdem", "hard", quick=True)
    view = holdem_view("C3 D4", "SA SK SQ H9 H7", RIVER)
    told = [playing.decide(view, random.Random(seed)) for seed in range(200)]
    bets = [reason for move, reason in told if move.name == "BET"]
    assert 30 <= len(bets) <= 85
    assert all("bluff" in reason for reason in bets)


def test_ranges_follow_the_moves() -> None:
    """DRAW-9: who raised before the flop has aces more often than before, and 7-2 less; who called has neither sure."""
    view = holdem_view("SA S4", "SK S9 H2 D7 C7", [("RAISE", 6), ("CALL", 0)])
    past = list(history(view))
    assert [(seat, move.name) for _, seat, move in past] == [(0, "RAISE"), (1, "CALL")]
    raiser, caller = [weights / weights.sum() for weights in narrowed(past, 2, 60)]
    aces, rags = number(read_cards("DA HA")), number(read_cards("H7 S2"))
    assert raiser[aces] > 3 / len(PAIRS) > 1 / len(PAIRS) > raiser[rags]
    assert caller[rags] < 1 / len(PAIRS)
    assert caller[aces] < raiser[aces]


def test_strengths_of_run_outs() -> None:
    """HOLDEM-2: each pair on each completed board as the evaluator has it, in the same order; 0 beside its own card."""
    from dealerless.games.ranking import strength

    sample = runouts(read_cards("SA S7 D2"), 40)
    chance = random.Random(5)
    for _ in range(400):
        row, pair = chance.randrange(40), chance.randrange(len(PAIRS))
        seven = [*sample.boards[row].tolist(), *PAIRS[pair].tolist()]
        expected = 1 + strength(seven) if len(set(seven)) == 7 else 0
        assert int(sample.strengths[row, pair]) == expected


def test_worth_before_the_flop() -> None:
    """HOLDEM-4: known chances against a random hand, within what a sample of a thousand boards can say."""
    shares = worth((), 60)
    for pair, share in (("SA HA", 0.852), ("SA SK", 0.670), ("SK HK", 0.824), ("H7 S2", 0.346), ("H2 D2", 0.503)):
        assert float(shares[number(read_cards(pair))]) == pytest.approx(share, abs=0.03)


@pytest.mark.parametrize(
    ("common", "hole"), [((0, 2, 4, 6, 8), (15, 15)), ((15, 15, 3, 3, 1), (1, 7)), ((9,) * 5, (0, 0))]
)
def test_hex_pairs_are_counted_as_they_are_dealt(common: tuple[int, ...], hole: tuple[int, ...]) -> None:
    """HEX-4: by digest two of sixteen digits in order; from a deck each two of the 153 cards that are left."""
    from itertools import combinations, product

    from dealerless.games.hexrank import best

    left = list(HEX.deck())
    for card in common + hole:
        left.remove(card)
    ours = best(common + hole).rank
    for name, pairs in (("hash", list(product(range(16), repeat=2))), ("deck", list(combinations(left, 2)))):
        won = 0.0
        for pair, often in Counter(pairs).items():
            theirs = best(common + pair).rank
            won += often * (1 if ours > theirs else 0.5 if ours == theirs else 0)
        assert beaten(common, hole, name) == pytest.approx(won / len(pairs), abs=1e-12)


def test_notes_say_what_was_decided() -> None:
    """DRAW-9: every decision is told, with its hand, its seat and a reason."""
    told: list[Note] = []
    player = computer_player("hard", random.Random(1), told.append, quick=True)
    view = holdem_view("SJ ST", "SA SK SQ H2 D7", [*RIVER, ("BET", 4)])
    move = player.decide(view)
    assert player.shows(view) is True
    assert [(note.hand, note.seat, note.place) for note in told] == [(1, view.seat, len(view.play.actions))] * 2
    assert told[0].what == f"{move.name} {move.amount}".removesuffix(" 0")
    assert "wins 100%" in told[0].reason
    assert told[1].what == "SHOW"


def test_the_table_of_strategies() -> None:
    """DRAW-9: three levels for every game in the table; what is quick stands in it too; any other game is playable."""
    for name, levels in STRATEGIES.items():
        assert tuple(levels) == LEVELS, name
        assert set(QUICK.get(name, {})) <= set(levels)
        for level in LEVELS:
            assert strategy(name, level) is levels[level]
    assert strategy("leapfrog", "hard") is STRATEGIES["hex"]["easy"]
    assert isinstance(computer_player("easy", random.Random(1)), ComputerPlayer)


def test_what_the_other_can_hold_depends_on_the_dealing() -> None:
    """HEX-4: from a deck of ten of each the digits that we see are rarer, by digest they are not."""
    board, hole = (15, 15, 0, 1, 2), (7, 7)
    ours = best((*board, *hole)).rank

    def share(pairs: Iterable[tuple[int, ...]]) -> float:
        ranks = [best((*board, *pair)).rank for pair in pairs]
        return sum((ours > rank) + (ours == rank) / 2 for rank in ranks) / len(ranks)

    seen = Counter((*board, *hole))
    left = [value for value in range(16) for _ in range(10 - seen[value])]
    from_deck, by_digest = share(combinations(left, 2)), share(product(range(16), repeat=2))
    assert abs(from_deck - by_digest) > 0.01
    assert beaten(board, hole, "deck") == pytest.approx(from_deck, abs=1e-12)
    assert beaten(board, hole, "hash") == by_digest


def test_no_exchange_in_games_without_one() -> None:
    view = holdem_view("SJ ST", "", ())
    for levels in (STRATEGIES["holdem"], STRATEGIES["hex"]):
        assert levels["hard"].exchanges(view, random.Random(1))[0] == ()
    assert not isinstance(view.hand.due, Exchange)
