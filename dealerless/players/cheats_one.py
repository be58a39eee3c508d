"""Cheats of One Poker: false lamps, cards laid that are not there, laid cards opened as others or not at all, the lot.

Every lie is as good as it can be made: it is proven as an honest prover would prove it, with the cheat's own key, about
something that is a little different.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from ..crypto.drawing import Drawing
from ..crypto.elgamal import Ciphertext, card_point, joined, unmask
from ..crypto.equality import prove_opening, share
from ..crypto.group import BASE, add, subtract
from ..crypto.laying import LayWitness, apply_lay, prove_lay
from ..crypto.membership import prove_class
from ..crypto.schnorr import DeckSecret
from ..games.game import Light
from ..games.onepoker import ONEPOKER
from ..protocol.deckkeys import key_of
from ..protocol.events import Acted, CardLaid, ClassProven, Event, LotCommitted, LotOpened, Revealed
from ..protocol.lot import Lot
from ..protocol.shoedeal import LAID, ShoeDeal
from .cheats_deck import convicted
from .staging import Cheat, Setting, Staging

LIVES: Final = 5
ONE: Final = Setting(game=ONEPOKER.name, depth=LIVES)
_TWO_ROUNDS: Final = replace(ONE, hands=2)


def _shoe(staging: Staging) -> ShoeDeal:
    """Return the running round's cards as everybody sees them."""
    deal: ShoeDeal = staging.forger.state.running.deal
    return deal


def _secret(staging: Staging) -> DeckSecret:
    """Return the secret of the cheat's key of the match."""
    return key_of(_shoe(staging).deck, staging.forger.secrets)


def _card(rank: str) -> bytes:
    """Return the point of a spade."""
    return card_point(ONEPOKER.name, f"S{rank}")


def _first_round(staging: Staging, *, bets: bool) -> None:
    """Play a round that the cheat wins by a bet and a fold, or that it folds to one."""
    staging.play("")
    owed = staging.owed
    if owed is None:
        raise RuntimeError("no move is owed")
    staging.play("BET FOLD" if (owed.seat == staging.cheat) == bets else "CHECK BET FOLD", until=Revealed)


# --- the lot


def _aimed_lot(staging: Staging) -> None:
    """Seat 1 opens last: it knows the other seed and looks for one by which the lot falls on itself."""
    staging.play(until=LotOpened, by=1)
    deal, session = _shoe(staging), staging.forger.state.agreed.session
    while True:
        seed = staging.random(32)
        lot = Lot(commitments=deal.lot.commitments, seeds=(*deal.lot.seeds, seed))
        if lot.fallen(session, (0, 1)) == staging.cheat:
            break
    staging.forges(LotOpened(seed=seed))


def _copied_lot(staging: Staging) -> None:
    staging.play(until=LotCommitted, by=1)
    staging.forges(LotCommitted(commitment=_shoe(staging).lot.commitments[0]))


# --- lamps


def _false_lamp(staging: Staging) -> None:
    """The proof is one of the other class, had the cheat's card stood in the place of one of that class's."""
    staging.play(until=ClassProven, by=staging.cheat)
    deal, secret, forger = _shoe(staging), _secret(staging), staging.forger
    demand = forger.state.agreed.game.demand(forger.state.running.hand)
    if not isinstance(demand, Light):
        raise RuntimeError("no lamps are to be lit")
    context, cards = deal.deck.context(staging.cheat, "class", forger.state.head), deal.held[staging.cheat]
    classes, proofs = list[int](), b""
    for slot, card in zip(deal.slots[staging.cheat], cards, strict=True):
        point = unmask(card[1], share(secret, (card[0],)))
        truth = next(n for n, (_, members) in enumerate(demand.classes) if point in deal.members(members))
        # The first card is said to be what it is not, the second one what it is.
        number = truth if classes else 1 - truth
        name, members = demand.classes[number]
        points = deal.members(members)
        if not classes:
            points = (point, *points[1:])
        classes.append(number)
        proofs += prove_class(secret, context, slot, name, secret.public, card, points, staging.random)
    staging.forges(ClassProven(classes=tuple(classes), proofs=proofs))


def _lamp_of_the_kept(staging: Staging) -> None:
    """One card is new; a class is shown of it and, once more, of the kept one, covered as it is now."""
    _first_round(staging, bets=True)
    staging.play(until=ClassProven, by=staging.cheat)
    event = staging.forger.session.due()
    if not isinstance(event, ClassProven):
        raise RuntimeError("no lamps are to be lit")
    staging.forges(ClassProven(classes=event.classes * 2, proofs=event.proofs * 2))


# --- lays


def _lays(
    choose: Callable[[Staging, tuple[Ciphertext, ...]], tuple[Ciphertext, ...]], *, later: bool = False
) -> Callable[[Staging], None]:
    """Return the act in which the cheat lays one of other cards than the two it holds, in round 2 if `later`."""

    def act(staging: Staging) -> None:
        if later:
            _first_round(staging, bets=True)
            laid = _shoe(staging).laid[staging.cheat]
            if laid is None:
                raise RuntimeError("no card was laid")
            staging.play(until=CardLaid, by=staging.cheat)
            cards: tuple[Ciphertext, ...] = (laid, _shoe(staging).held[staging.cheat][0])
        else:
            staging.play(until=CardLaid, by=staging.cheat)
            cards = choose(staging, _shoe(staging).held[staging.cheat])
        scalars = Drawing(staging.random, "lays").scalars(2)
        staging.forges(_laid(staging, cards, scalars))

    return act


def _laid(staging: Staging, cards: tuple[Ciphertext, ...], scalars: list[int]) -> Event:
    """Return the lay of the first of `cards`, and the proof that would be right if they were the cheat's."""
    deal, secret = _shoe(staging).deck, _secret(staging)
    witness = LayWitness(0, scalars)
    laid = apply_lay(secret, cards, witness)
    context = deal.context(staging.cheat, "lay", staging.forger.state.head)
    proof = prove_lay(secret, context, deal.hand, secret.public, cards, laid, witness, staging.random)
    return CardLaid(cards=joined(laid), proof=proof)


def _made_ace(staging: Staging, cards: tuple[Ciphertext, ...]) -> tuple[Ciphertext, ...]:
    return (BASE, add(_card("A"), _secret(staging).public)), cards[1]


def _one_of_them_twice(staging: Staging, cards: tuple[Ciphertext, ...]) -> tuple[Ciphertext, ...]:
    """It lays one card, and keeps it too."""
    return cards[0], cards[0]


def _as_it_was(staging: Staging) -> None:
    staging.play(until=CardLaid, by=staging.cheat)
    scalars = Drawing(staging.random, "lays").scalars(2)
    staging.forges(_laid(staging, _shoe(staging).held[staging.cheat], [0, scalars[1]]))


# --- moves and openings


def _over_the_others(staging: Staging) -> None:
    """One life ahead, the cheat bets all it has."""
    _first_round(staging, bets=True)
    staging.play("")
    staging.forges(Acted(move="BET", amount=LIVES))


def _opened_as(staging: Staging, point: bytes) -> None:
    deal, secret = _shoe(staging), _secret(staging)
    laid = deal.laid[staging.cheat]
    if laid is None:
        raise RuntimeError("no card was laid")
    context, ours = deal.deck.context(staging.cheat, "open", staging.forger.state.head), subtract(laid[1], point)
    proof = prove_opening(secret, context, LAID, secret.public, laid, ours, staging.random)
    staging.forges(Revealed(shares=ours, proofs=proof))


def _opens_an_ace(staging: Staging) -> None:
    staging.play("CHECK CHECK", until=Revealed, by=staging.cheat)
    _opened_as(staging, _card("A"))


def _opens_the_kept(staging: Staging) -> None:
    staging.play("CHECK CHECK", until=Revealed, by=staging.cheat)
    ((a, z),) = _shoe(staging).held[staging.cheat]
    _opened_as(staging, unmask(z, share(_secret(staging), (a,))))


def silent_opener(staging: Staging) -> None:
    """Let the cheat fold to a bet and say nothing more when it is to open its laid card."""
    _first_round(staging, bets=False)
    staging.play(until=Revealed, by=staging.cheat)


def _refuses_to_open(staging: Staging) -> None:
    silent_opener(staging)
    staging.expel_absent()


def _one(
    name: str,
    title: str,
    hope: str,
    code: str,
    clause: str,
    act: Callable[[Staging], object],
    setting: Setting = ONE,
) -> Cheat:
    return convicted(name, title, hope, code, clause, act, setting)


SHOES: Final = (
    _one(
        "aimed-lot",
        "The last to open the lot puts another seed there",
        "It knows the other seed by then, and tries its own until the lot falls on itself.",
        "commit.wrong-opening",
        "COMMIT-2",
        _aimed_lot,
    ),
    _one(
        "copied-lot",
        "A player commits for the lot to what the other did",
        "When the other opens it opens the same, and one of the two seeds is no secret of its own.",
        "commit.duplicate",
        "COMMIT-3",
        _copied_lot,
    ),
    _one(
        "false-lamp",
        "A player's lamp says UP for a card that is DOWN, or the reverse",
        "Whoever bluffs with what the lamps say wants them to lie; the card is shown to be one of other cards.",
        "proof.class",
        "DECK-8",
        _false_lamp,
    ),
    _one(
        "kept-lamp",
        "A player shows the class of its kept card once more",
        "Covered anew it is to get another class than it had, or to tell a friend which card was laid.",
        "deck.wrong-size",
        "DECK-8",
        _lamp_of_the_kept,
        _TWO_ROUNDS,
    ),
    _one(
        "laid-ace",
        "A player lays an ace that it does not hold",
        "An ace under its own key looks like any other card; the proof is right for the cards it claims to hold.",
        "proof.lay",
        "DECK-8",
        _lays(_made_ace),
    ),
    _one(
        "laid-again",
        "A player lays the card of the round before again",
        "It was a good one, and covered anew nobody is to know it.",
        "proof.lay",
        "DECK-8",
        _lays(_one_of_them_twice, later=True),
        _TWO_ROUNDS,
    ),
    _one(
        "laid-and-kept",
        "A player lays one card and keeps the same one",
        "The better of its two cards is to be there in the next round again, the worse one is gone.",
        "proof.lay",
        "DECK-8",
        _lays(_one_of_them_twice),
    ),
    _one(
        "bare-lay",
        "A player lays a card covered as it was dealt",
        "Whoever knows where to look sees by it which of two cards was laid.",
        "proof.lay-without-remask",
        "DECK-8",
        _as_it_was,
    ),
    _one(
        "betting-beyond",
        "A player bets more lives than the other can match",
        "One life ahead, it is to win by that alone.",
        "bet.wrong-amount",
        "ONE-7",
        _over_the_others,
        _TWO_ROUNDS,
    ),
    _one(
        "opened-ace",
        "A player opens its laid card as an ace",
        "The share is just what the ace needs, proven as if it were right.",
        "proof.opening",
        "DECK-6",
        _opens_an_ace,
    ),
    _one(
        "opened-kept-card",
        "A player opens the kept card in place of the laid one",
        "It lays blindly and chooses when the other card is open.",
        "proof.opening",
        "DECK-6",
        _opens_the_kept,
    ),
    _one(
        "closed-after-fold",
        "A player folds and does not open its laid card",
        "Nobody is to see what it bluffed with. Its witness says how long it was waited for.",
        "witness.no-show",
        "VERDICT-6",
        _refuses_to_open,
        replace(ONE, witnessed=True),
    ),
)
