"""The course of one hand: posts, streets, moves, exchanges, chips that come back, expulsions, showdown, in their order.

A hand's record says what everybody did; what each of it led to is asked of the game's own functions, from the first
post to the end that the record has. So text, JSON and pages tell one course, and none of them knows a rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..games.game import (
    Act,
    Action,
    Card,
    Deal,
    Discard,
    Exchange,
    Finished,
    Move,
    Muck,
    OpenBoard,
    Release,
    Reveal,
    Show,
    Slots,
)
from ..games.onepoker import ONEPOKER
from ..protocol.deckdeal import DeckDeal
from ..protocol.state import ActionTaken, HandRecord
from .onecourse import one_course
from .parts import FRESH, SHOWDOWN, Course, Entry, Street
from .stages import exchange_text, stranded_text, street_name


def course(hand: HandRecord) -> Course:
    """Return the course of a hand, finished or running, as far as it went."""
    if hand.game.name == ONEPOKER.name:
        return one_course(hand)
    late = _Teller(hand)
    told = late.told()
    if late.explained:
        return told
    early = _Teller(hand, early=True)
    other = early.told()
    return other if early.explained else told


class _Teller:
    """Walks one hand from its posts to its end.

    A record does not say when a seat was expelled, only that it is out without having folded. It is taken to have been
    where the hand next waits for it: until then nothing depends on it, but what others can still win of it. Where that
    shows in the chips of a move, it was expelled before. With `early`, all are right after their last move.
    """

    def __init__(self, hand: HandRecord, *, early: bool = False) -> None:
        self._early = early
        self._hand = hand
        self._game = hand.game
        self._end = hand.hand
        self._pending = list(reversed(hand.actions))
        self._dealt = _dealt_in(hand)
        folders = {action.seat for action in hand.actions if action.move == "FOLD"}
        self._gone = [seat for seat in self._dealt if self._end.folded[seat] and seat not in folders]
        self._expelled = tuple(self._gone)
        self._state = self._game.start(self._end.terms, hand.before, self._end.button, self._dealt)
        self._streets: list[Street] = []
        self._entries: list[Entry] = []
        self._opens: list[int] = []

    @property
    def explained(self) -> bool:
        """Whether the hand that was walked through ends as the record has it, in everything but its pots' layers."""
        state, end = self._state, self._end
        return (state.stacks, state.totals, state.folded, state.shown) == (
            end.stacks,
            end.totals,
            end.folded,
            end.shown,
        )

    def told(self) -> Course:
        posts = self._state.totals
        self._begin(self._name(), ())
        for seat, text in _posts(self._state):
            self._add("post", seat, text)
        while self._state != self._end:
            if self._early and self._expel(self._idle()[:1]):
                continue
            if not self._go_on() and not self._expel(self._idle()[:1]):
                break
        for action in reversed(self._pending):
            # What no rule of the game explains is told as the record has it.
            self._tell_move(action, self._state, self._stacks())
        for seat in [seat for seat in self._end.shown if seat not in self._state.shown]:
            self._add("show", seat, self._shown(seat))
        for seat in self._gone:
            self._add("expelled", seat, "is expelled")
        self._close()
        return Course(self._dealt, posts, self._expelled, tuple(self._streets), tuple(self._opens))

    def _go_on(self) -> bool:
        """Take the next thing in; False when the record says no more."""
        demand = self._game.demand(self._state)
        if isinstance(demand, Act | Exchange) and self._name() != self._streets[-1].name:
            self._begin(self._name(), ())
        if isinstance(demand, Act):
            return self._move(demand)
        if isinstance(demand, Exchange):
            return self._exchange(demand)
        if isinstance(demand, Deal):
            return self._deal(demand)
        if isinstance(demand, Release):
            return self._dealt_with({})
        if isinstance(demand, OpenBoard):
            return self._board(demand)
        return self._show(demand) if isinstance(demand, Show) else False

    # --- betting

    def _move(self, demand: Act) -> bool:
        action = self._pending[-1] if self._pending else None
        if action is None or action.seat != demand.seat:
            return self._expel([seat for seat in self._idle() if seat == demand.seat])
        if self._gone and self._idle() and not self._fits(action):
            before = self._state
            for seat in self._idle():
                self._state = self._game.forfeit(self._state, seat)
            fits = self._fits(action)
            self._state = before
            if fits:
                return self._expel(self._idle())
        move = Move(name=action.move, amount=action.amount)
        if self._game.check(self._state, action.seat, move) is not None:
            return False
        self._pending.pop()
        after = self._game.apply(self._state, action.seat, move)
        before, self._state = self._state, after
        self._tell_move(action, after, before.stacks)
        self._tell_returned(before)
        return True

    def _fits(self, action: ActionTaken) -> bool:
        """Return whether a move of the seat that is to act leads to the chips that the record has after it."""
        move = Move(name=action.move, amount=action.amount)
        if self._game.demand(self._state) != Act(seat=action.seat):
            return False
        if self._game.check(self._state, action.seat, move) is not None:
            return False
        after = self._game.apply(self._state, action.seat, move)
        return (after.stacks, sum(after.totals)) == (action.stacks, action.pot)

    def _tell_move(self, action: ActionTaken, after: Any, before: tuple[int, ...]) -> None:
        text = _told(action, after, before[action.seat] - action.stacks[action.seat])
        self._entries.append(Entry("move", action.seat, action.seq, text, action.stacks, action.pot))
        self._opens.append(self._streets[-1].open)

    def _tell_returned(self, before: Any) -> None:
        for seat, (had, has) in enumerate(zip(before.totals, self._state.totals, strict=True)):
            if has < had:
                self._add("return", seat, f"gets {had - has} back, uncalled")

    # --- exchanges

    def _exchange(self, demand: Exchange) -> bool:
        """Take an exchange in; where there is none, who has to make it is gone, or its cards cannot be dealt."""
        action = self._pending[-1] if self._pending else None
        if action is None or action.seat != demand.seat or action.move != "EXCHANGE":
            return self._expel([seat for seat in self._idle() if seat == demand.seat]) or self._strand()
        self._pending.pop()
        discard = Discard(slots=self._discards(demand, action.amount))
        self._state = self._game.apply(self._state, demand.seat, discard)
        self._tell_move(action, self._state, action.stacks)
        return True

    def _discards(self, demand: Exchange, count: int) -> Slots:
        """Return what a seat gave up: what it holds no more. Of an exchange that was undone nobody can tell."""
        end = self._end
        missing = tuple([slot for slot in demand.slots if slot not in end.held[demand.seat]])
        if len(missing) == count:
            return missing
        return end.discards if len(end.discards) == count else demand.slots[:count]

    def _deal(self, demand: Deal) -> bool:
        """Take a deal in: the first one, or that of an exchange, which may have been undone."""
        if not getattr(self._state, "discards", ()):
            return self._expel(self._absent()[:1]) or self._dealt_with({})
        seat = demand.hands[0][0]
        if self._end.held[seat] != self._state.held[seat]:
            return self._dealt_with({})
        return self._expel([one for one in self._idle() if one == seat]) or self._strand()

    # --- who goes

    def _idle(self) -> list[int]:
        """Return the expelled seats that are still in, here, and say nothing more; those first that went first.

        A deck keeps the order in which it lost seats, not those before it, nor when one came to the showdown.
        """
        busy = {action.seat for action in self._pending}
        lost = self._hand.deal.lost if isinstance(self._hand.deal, DeckDeal) else ()
        came = (*self._end.shown, *getattr(self._end, "mucked", ()))
        idle = [seat for seat in self._gone if seat not in busy]
        return sorted(idle, key=lambda seat: (lost.index(seat) + 1 if seat in lost else 0, seat in came))

    def _absent(self) -> list[int]:
        """Return the idle ones that the first deal was completed without; a later deck does not tell."""
        deal = self._hand.deal
        if isinstance(deal, DeckDeal) and deal.fresh:
            return []
        return [seat for seat in self._idle() if seat not in deal.seats]

    def _expel(self, seats: list[int]) -> bool:
        seats = [] if isinstance(self._game.demand(self._state), Finished) else seats
        for seat in seats:
            self._gone.remove(seat)
            before, self._state = self._state, self._game.forfeit(self._state, seat)
            self._add("expelled", seat, f"is expelled and leaves {before.totals[seat]} in the pot")
            self._tell_returned(before)
        return bool(seats)

    # --- cards

    def _board(self, demand: OpenBoard) -> bool:
        known = {slot: card for slot in demand.slots if (card := self._end.cards[slot]) is not None}
        if self._broken() and not demand.fresh and self._state.street == self._end.street and self._strand():
            return True
        if len(known) < len(demand.slots):
            return False
        cards = tuple([self._game.card_text(known[slot]) for slot in demand.slots])
        before = self._state
        self._state = self._game.dealt(self._state, known)
        self._begin(FRESH if demand.fresh else self._name(), cards, before)
        self._tell_returned(before)
        return True

    def _dealt_with(self, known: Mapping[int, Card]) -> bool:
        before, self._state = self._state, self._game.dealt(self._state, known)
        self._tell_returned(before)
        return True

    def _strand(self) -> bool:
        """Tell that cards can be opened or dealt no more, if that came of the hand."""
        if not self._broken():
            return False
        if len(self._gone) == len(self._expelled) and self._expel(self._idle()[:1]):
            # It can have ended the hand, or be the one that all waited for.
            return True
        before, self._state = self._state, self._game.stranded(self._state)
        self._add("stranded", None, stranded_text(self._game))
        self._tell_returned(before)
        return True

    def _broken(self) -> bool:
        return getattr(self._end, "broken", False)

    # --- the showdown

    def _show(self, demand: Show) -> bool:
        seat, end = demand.seat, self._end
        if seat in end.shown:
            cards = tuple([end.cards[slot] for slot in demand.slots])
            return self._showing("show", seat, self._shown(seat), Reveal(cards=cards))
        if seat in getattr(end, "mucked", ()):
            return self._showing("muck", seat, "gives up without showing", Muck())
        return self._expel([one for one in self._idle() if one == seat])

    def _shown(self, seat: int) -> str:
        cards = [self._end.cards[slot] for slot in self._game.hole_slots(self._end, seat)]
        return "shows " + " ".join([self._game.card_text(card) for card in cards])

    def _showing(self, kind: str, seat: int, text: str, action: Action) -> bool:
        if self._streets[-1].name != SHOWDOWN:
            self._begin(SHOWDOWN, ())
        self._add(kind, seat, text)
        self._state = self._game.apply(self._state, seat, action)
        return True

    # --- what is told

    def _name(self) -> str:
        return street_name(self._game, self._state)

    def _count(self) -> int:
        return sum([self._state.cards[slot] is not None for slot in self._game.board_slots(self._state)])

    def _begin(self, name: str, cards: tuple[str, ...], before: Any = None) -> None:
        """Begin a street; `before` is the hand before its cards came, where chips may have gone back since."""
        self._close()
        state = self._state if before is None else before
        self._streets.append(Street(name, cards, self._count(), state.stacks, sum(state.totals), ()))

    def _close(self) -> None:
        if self._streets:
            self._streets[-1] = self._streets[-1]._replace(entries=tuple(self._entries))
        self._entries = []

    def _add(self, kind: str, seat: int | None, text: str) -> None:
        self._entries.append(Entry(kind, seat, None, text, self._state.stacks, sum(self._state.totals)))

    def _stacks(self) -> tuple[int, ...]:
        stacks: tuple[int, ...] = self._state.stacks
        return stacks


def _dealt_in(hand: HandRecord) -> tuple[int, ...]:
    """Return the seats dealt into a hand: those with chips that have slots."""
    return tuple([seat for seat, stack in enumerate(hand.before) if stack and hand.game.hole_slots(hand.hand, seat)])


def _posts(start: Any) -> Iterator[tuple[int, str]]:
    """Yield (seat, words) for antes and blinds as they stand at a hand's start: antes first."""
    blinds, antes = start.betting.put, [a - b for a, b in zip(start.totals, start.betting.put, strict=True)]
    for seat, ante in enumerate(antes):
        if ante:
            yield seat, f"posts the ante {ante}" + _all_in(start.stacks[seat] + blinds[seat])
    for name, seat in _blind_seats(start):
        if blinds[seat]:
            yield seat, f"posts the {name} {blinds[seat]}" + _all_in(start.stacks[seat])


def _blind_seats(start: Any) -> tuple[tuple[str, int], ...]:
    """Return who posts which blind, the small one first; nobody in games without blinds (HOLDEM-3)."""
    order = getattr(start, "order", ())
    if not order:
        return ()
    small, big = order[:2] if len(order) > 2 else order[::-1]
    return (("small blind", small), ("big blind", big))


def _told(action: ActionTaken, after: Any, chips: int) -> str:
    """Return a move in words; in games whose moves are words of their source, and count what they put in, as they are.

    `after` is the hand after it, `chips` what it put in.
    """
    if action.move == "EXCHANGE":
        return exchange_text(action.amount)
    if after.betting.structure.amounts == "put":
        return f"{action.move} {action.amount}" if action.amount else action.move
    level = action.amount or after.betting.put[action.seat]
    words = {
        "CHECK": "checks",
        "BET": f"bets {level}",
        "CALL": f"calls {chips}",
        "RAISE": f"raises to {level}",
        "FOLD": "folds",
    }[action.move]
    return words + (_all_in(action.stacks[action.seat]) if action.move in ("BET", "CALL", "RAISE") else "")


def _all_in(behind: int) -> str:
    return "" if behind else ", all-in"
