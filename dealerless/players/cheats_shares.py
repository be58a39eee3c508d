"""Cheats with shares of a shuffled deck: wrong ones, others' ones, early ones, none, and cards opened as others.

Every lie is as good as it can be made: it is proven as an honest prover would prove it, with the cheat's own key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ..crypto.equality import prove_opening, prove_shares, share
from ..crypto.group import BASE, IDENTITY, add, subtract
from ..games.cards import read_cards
from ..games.game import Show, Slots
from ..games.holdem import HOLDEM
from ..protocol.deckdeal import asked, card_points
from ..protocol.deckkeys import DeckHolder
from ..protocol.events import Acted, Revealed, SharesPublished
from .cheats_deck import THREE, convicted, deal_of
from .staging import Setting, Staging

# Heads-up seat 0 has the button and moves first before the flop, seat 1 on every later street and at the showdown.
_CHECKED_DOWN: Final = "CALL CHECK CHECK CHECK CHECK CHECK CHECK CHECK"


# --- shares


def proven_shares(staging: Staging, slots: Slots, shares: Sequence[bytes], purpose: str) -> bytes:
    """Return the proof an honest prover makes of these shares, true or not."""
    deal, forger = deal_of(staging), staging.forger
    secret = forger.deck_secret()
    context = deal.context(staging.cheat, purpose, forger.state.head)
    points = deal.points(slots)
    return prove_shares(secret, context, secret.public, slots, points, shares, staging.random)


def _shares(
    change: Callable[[tuple[bytes, ...]], tuple[bytes, ...]],
    *,
    flop: bool = False,
    later: int = 0,
) -> Callable[[Staging], None]:
    """Return the act in which seat 1 shares what it owes, changed, or for slots that come `later`.

    That is for the other's two cards, or for the `flop`.
    """

    def act(staging: Staging) -> None:
        if flop:
            staging.play("CALL")
        staging.play("CHECK", until=SharesPublished, by=1)
        state, deal = staging.forger.state, deal_of(staging)
        due = asked(deal, state.agreed.game.demand(state.running.hand), staging.cheat)
        slots = tuple([slot + later for slot in due])
        shares = change(share(staging.forger.deck_secret(), deal.points(slots)))
        proof = proven_shares(staging, slots[: len(shares)], shares, "share")
        staging.forges(SharesPublished(shares=b"".join(shares), proof=proof))

    return act


def _first_wrong(shares: tuple[bytes, ...]) -> tuple[bytes, ...]:
    return (add(shares[0], BASE), *shares[1:])


def _identity(shares: tuple[bytes, ...]) -> tuple[bytes, ...]:
    return (IDENTITY, *shares[1:])


def _other_matchs_shares(staging: Staging) -> None:
    earlier = staging.another().play(until=SharesPublished, by=1).forger.session.due()
    staging.play(until=SharesPublished, by=1)
    if earlier is not None:
        staging.forges(earlier)


def _early_share(staging: Staging) -> None:
    staging.play("CALL CHECK")
    slots = staging.forger.state.running.hand.board[3:]
    shares = share(staging.forger.deck_secret(), deal_of(staging).points(slots))
    proof = proven_shares(staging, slots, shares, "share")
    staging.forges(SharesPublished(shares=b"".join(shares), proof=proof))


def _moves(before: str, move: str, amount: int = 0) -> Callable[[Staging], None]:
    """Return the act in which the cheat, to act after the moves `before`, makes one and releases nothing with it."""

    def act(staging: Staging) -> None:
        staging.play(before)
        staging.forges(Acted(move=move, amount=amount))

    return act


def _release_not_due(staging: Staging) -> None:
    staging.play("RAISE")
    forger = staging.forger
    slots, prev = forger.state.running.hand.closed, forger.state.head
    released = DeckHolder().release(deal_of(staging), slots, staging.cheat, prev, forger.secrets)
    staging.forges(Acted(move="FOLD", amount=0, released=released))


def _wrong_release(staging: Staging) -> None:
    staging.play("CALL")
    slots = staging.forger.state.running.hand.closed
    shares = _first_wrong(share(staging.forger.deck_secret(), deal_of(staging).points(slots)))
    released = b"".join(shares) + proven_shares(staging, slots, shares, "release")
    staging.forges(Acted(move="FOLD", amount=0, released=released))


# --- openings


def reveals(staging: Staging, slots: Slots, shares: Sequence[bytes]) -> None:
    """Let the cheat open its cards with these shares; the proofs are made for what stands at `slots`."""
    deal, forger = deal_of(staging), staging.forger
    secret, context = forger.deck_secret(), deal.context(staging.cheat, "open", forger.state.head)
    proofs = [
        prove_opening(secret, context, slot, secret.public, deal.without(slot, staging.cheat), ours, staging.random)
        for slot, ours in zip(slots, shares, strict=True)
    ]
    staging.forges(Revealed(shares=b"".join(shares), proofs=b"".join(proofs)))


def _opens_an_ace(staging: Staging) -> None:
    staging.play(_CHECKED_DOWN, until=Revealed, by=1)
    state, deal = staging.forger.state, deal_of(staging)
    slots = state.agreed.game.hole_slots(state.running.hand, staging.cheat)
    held, points = staging.forger.session.hole(), {card: point for point, card in card_points(deal.game).items()}
    public = (*held, *state.running.hand.cards)
    ace = next(card for card in read_cards("SA HA DA CA") if card not in public)
    own = share(staging.forger.deck_secret(), deal.points(slots))
    # What is left of the ciphertext when this is taken away is the ace.
    reveals(staging, slots, (add(own[0], subtract(points[held[0]], points[ace])), own[1]))


def _others_cards(staging: Staging) -> None:
    staging.play(_CHECKED_DOWN, until=Revealed, by=1)
    state = staging.forger.state
    slots = state.agreed.game.hole_slots(state.running.hand, staging.honest)
    reveals(staging, slots, share(staging.forger.deck_secret(), deal_of(staging).points(slots)))


def _swapped_cards(staging: Staging) -> None:
    staging.play(_CHECKED_DOWN, until=Revealed, by=1)
    demand = staging.forger.state.agreed.game.demand(staging.forger.state.running.hand)
    if not isinstance(demand, Show):
        raise RuntimeError("no show is owed by seat 1")
    own = share(staging.forger.deck_secret(), deal_of(staging).points(demand.slots))
    reveals(staging, demand.slots, own[::-1])


def _early_reveal(staging: Staging) -> None:
    staging.play("CALL")
    state = staging.forger.state
    slots = state.agreed.game.hole_slots(state.running.hand, staging.cheat)
    reveals(staging, slots, share(staging.forger.deck_secret(), deal_of(staging).points(slots)))


def last_to_share(staging: Staging) -> None:
    """Play until seat 0 alone has not shared for the turn, and sees it by the other's share and its own."""
    staging.play("CALL CHECK CHECK BET").play("CALL", until=SharesPublished, by=0)


def _withheld_share(staging: Staging) -> None:
    last_to_share(staging)
    staging.expel_absent()


SHARES: Final = (
    convicted(
        "wrong-share",
        "A dealer's share spoils the other's card",
        "With one share wrong the other gets no card, or another one, and cannot say why.",
        "proof.shares",
        "DECK-4",
        _shares(_first_wrong),
    ),
    convicted(
        "swapped-shares",
        "A dealer exchanges its shares of two cards",
        "Both are honest shares and their sum is right; each stands in the other's place.",
        "proof.shares",
        "DECK-4",
        _shares(lambda shares: shares[::-1]),
    ),
    convicted(
        "identity-share",
        "A dealer's share is the identity",
        "Nothing is taken away from the card, so that it stays closed for ever.",
        "group.identity",
        "DECK-1",
        _shares(_identity),
    ),
    convicted(
        "missing-share",
        "A player shares for two cards of the flop and not the third",
        "Who counts no shares waits for ever, or plays on with a board of two.",
        "deck.wrong-size",
        "DECK-4",
        _shares(lambda shares: shares[:2], flop=True),
    ),
    convicted(
        "next-cards-shares",
        "A player shares for the cards behind the flop instead",
        "Honest shares, each proven, of the slots after those that are due: another flop comes than the deck's.",
        "proof.shares",
        "DECK-4",
        _shares(lambda shares: shares, flop=True, later=1),
    ),
    convicted(
        "old-match-shares",
        "A dealer sends the shares of another match",
        "They were good ones there, with their proof.",
        "proof.shares",
        "DECK-4",
        _other_matchs_shares,
    ),
    convicted(
        "early-shares",
        "A player shares for turn and river on the flop",
        "Whoever else has shared sees the river before the betting; a confederate is enough.",
        "turn.wrong-kind",
        "CHAIN-1",
        _early_share,
    ),
    convicted(
        "fold-and-keep",
        "One of three folds and keeps its shares of the board",
        "It goes home with a part of every card to come: without it the others cannot finish.",
        "deck.wrong-release",
        "DECK-9",
        _moves("CALL", "FOLD"),
        THREE,
    ),
    convicted(
        "all-in-and-keep",
        "One of three goes all-in and keeps its shares of the board",
        "All-in it has nothing more to do, and can void the hand for a confederate by not being there.",
        "deck.wrong-release",
        "DECK-9",
        _moves("CALL", "RAISE", 40),
        THREE,
    ),
    convicted(
        "spoiled-release",
        "One of three folds with a wrong share of the board",
        "The flop is to be no card at all, long after it has gone.",
        "proof.shares",
        "DECK-4",
        _wrong_release,
        THREE,
    ),
    convicted(
        "release-not-due",
        "A fold that ends the hand gives the board away",
        "The winner opens the cards that would have come, and the loser learns how close it was.",
        "deck.wrong-release",
        "DECK-9",
        _release_not_due,
    ),
    convicted(
        "early-reveal",
        "A player opens its cards before the flop",
        "To frighten the other out, or to let a confederate know what is out.",
        "commit.early-opening",
        "SHOW-2",
        _early_reveal,
    ),
    convicted(
        "forged-ace",
        "Who shows opens a card as an ace",
        "The share is made so that what is left of the ciphertext is the ace that it needs.",
        "proof.opening",
        "DECK-6",
        _opens_an_ace,
    ),
    convicted(
        "others-cards",
        "Who shows opens the other's cards instead of its own",
        "Its own shares of them are honest, and with the other's they would lie open.",
        "proof.opening",
        "DECK-6",
        _others_cards,
    ),
    convicted(
        "exchanged-openings",
        "Who shows exchanges the shares of its two cards",
        "Neither opens, and a program that cannot read a card may not know whom to blame.",
        "proof.opening",
        "DECK-6",
        _swapped_cards,
    ),
    convicted(
        "withheld-share",
        "The last to share sees the turn and does not share it",
        "It has all the others' shares and so the card; the others have nothing. A witness watches.",
        "witness.no-show",
        "VERDICT-6",
        _withheld_share,
        Setting(game=HOLDEM.name, depth=20, cheat=0, witnessed=True),
    ),
)
