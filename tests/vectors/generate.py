"""Makes the vectors: `python -m tests.vectors.generate` (`make vectors`). The same bytes every time.

Version 1 is frozen: a vector that is there is never written again or deleted. Where the code would make another one in
its place nothing is written at all, for then it judges or encodes otherwise than version 1 does. SUMS has the SHA-256
of each, and only grows.
"""

from __future__ import annotations

import base64
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from dealerless.crypto.elgamal import joined, unmask
from dealerless.errors import DealerlessError
from dealerless.games.game import Move, Show
from dealerless.protocol.deckdeal import DeckDeal, asked, card_points, points_of
from dealerless.protocol.events import Acted, Event, Revealed, SharesPublished
from dealerless.protocol.machine import Admitted
from dealerless.protocol.playing import to_release
from dealerless.protocol.state import State
from dealerless.referee import Verdict, replay
from dealerless.referee.verdict import Outcome

from .cards import CARDS
from .catalogue import ENTRIES
from .deckhands import DECK_ENTRIES, DETAILED
from .deckproofs import PROOFS, STARTS
from .drawhands import DETAILED_DRAWS, DRAW_ENTRIES
from .entries import Entry
from .lampproofs import LAMPS
from .onehands import ONE_ENTRIES
from .values import VALUES

HERE = Path(__file__).parent
SUMS = "version-1.sha256"
FOLDERS = (
    "transcripts",
    "encoding",
    "cards",
    "deck/transcripts",
    "deck/proofs",
    "deck/lamps",
    "deck/starts",
    "shoe/transcripts",
)


def transcript_vector(entry: Entry) -> dict[str, Any]:
    """The JSON of one transcript; what is not the catalogue's own expectation is the referee's account."""
    data = entry.transcript()
    verdict = replay(data)
    header = {
        "about": entry.about,
        "expect": entry.expect,
        "code": entry.code,
        "clause": entry.clause,
        "seat": entry.seat,
        "detail": entry.detail,
    }
    return header | account(verdict) | {"transcript": base64.b64encode(data).decode()}


def account(verdict: Verdict) -> dict[str, Any]:
    """What a second referee must find as well: good messages, cards, chips, who owes, where judging stopped."""
    gap, closed = ("", "?") if verdict.game == "hex" else (" ", "??")
    known = verdict.outcome is not Outcome.UNREADABLE and verdict.game is not None
    return {
        "frames": verdict.frames,
        "head": verdict.head.hex() if verdict.head is not None and known else None,
        "session": verdict.session.hex() if verdict.session else None,
        "hands": [
            {
                "board": gap.join([card or closed for card in hand.board]),
                "hole": [gap.join(cards) if cards else None for cards in hand.hole],
                "winners": list(hand.winners),
                "changes": list(hand.changes),
                "result": hand.result,
            }
            for hand in verdict.hands
        ],
        "stacks": list(verdict.stacks),
        "net": list(verdict.net),
        "forfeits": [[forfeit.seat, forfeit.seq, forfeit.hand, forfeit.amount] for forfeit in verdict.forfeits],
        "owes": {"seat": verdict.owes.seat, "kinds": list(verdict.owes.kinds)} if verdict.owes else None,
        "pending": {
            "pot": list(verdict.pending.pot),
            "if_forfeit": None if verdict.pending.if_forfeit is None else list(verdict.pending.if_forfeit),
        }
        if verdict.pending
        else None,
        "damage": verdict.damage.record if verdict.damage else None,
        "unjudged": verdict.unjudged.record if verdict.unjudged else None,
        "settled": list(verdict.settled),
    }


class Decks:
    """Every deck of a transcript with its keys and shares, as the table comes to know them."""

    def __init__(self) -> None:
        self._deals: dict[tuple[int, int], DeckDeal] = {}
        self._shuffled: dict[tuple[int, int], list[bytes]] = {}

    def note(self, before: State, admitted: Admitted, after: State | None, refusal: DealerlessError | None) -> None:
        """Take in a message that the table took."""
        if after is None or admitted.envelope is None:
            return
        if before.play is not None:
            self._keep(self._with_shares(before, admitted.seat, admitted.envelope.event))
        if after.play is not None:
            self._keep(after.play.deal)

    def _with_shares(self, before: State, seat: int, event: Event) -> DeckDeal:
        """The deal after a message of shares, for a new deck may have taken its place at once."""
        deal, hand = before.running.deal, before.running.hand
        assert isinstance(deal, DeckDeal)
        demand = before.agreed.game.demand(hand)
        kept = self._deals.get((deal.hand, deal.number), deal)
        if isinstance(event, SharesPublished):
            return kept.take(seat, asked(deal, demand, seat), points_of(event.shares))
        if isinstance(event, Revealed) and isinstance(demand, Show):
            return kept.take(seat, demand.slots, points_of(event.shares))
        if isinstance(event, Acted) and event.released:
            slots = to_release(before, seat, Move(name=event.move, amount=event.amount))
            return kept.take(seat, slots, points_of(event.released[:-64]))
        return kept

    def _keep(self, deal: DeckDeal) -> None:
        place = deal.hand, deal.number
        self._deals[place] = deal
        decks = self._shuffled.setdefault(place, [])
        if deal.deck and len(decks) == deal.shuffles:
            decks.append(joined(deal.deck))

    def account(self) -> list[dict[str, Any]]:
        """What a second reading of the deck must find."""
        return [self._of(place, deal) for place, deal in sorted(self._deals.items())]

    def _of(self, place: tuple[int, int], deal: DeckDeal) -> dict[str, Any]:
        start, *shuffled = self._shuffled[place] or [b""]
        points = {
            slot: unmask(deal.ciphertext(slot)[1], tuple(shares.values()))
            for slot, shares in sorted(deal.shares.items())
            if len(shares) == len(deal.seats)
        }
        return {
            "hand": deal.hand,
            "number": deal.number,
            "seats": list(deal.seats),
            "cards": [deal.game.card_text(card) for card in deal.cards],
            "keys": [key.hex() for key in deal.keys],
            "joint": deal.joint.hex(),
            "start": start.hex(),
            "shuffled": [deck.hex() for deck in shuffled],
            "shares": [
                [slot, seat, share.hex()]
                for slot, shares in sorted(deal.shares.items())
                for seat, share in shares.items()
            ],
            "open": [
                [slot, point.hex(), deal.game.card_text(card_points(deal.game)[point])]
                for slot, point in points.items()
            ],
        }


def deck_vector(entry: Entry) -> dict[str, Any]:
    """The JSON of a transcript dealt from a deck; some state every deck and share."""
    vector = transcript_vector(entry)
    if entry.name in (*DETAILED, *DETAILED_DRAWS):
        decks = Decks()
        replay(base64.b64decode(vector["transcript"]), on_frame=decks.note)
        vector["decks"] = decks.account()
    return vector


def text(vector: object) -> str:
    return json.dumps(vector, indent=1, ensure_ascii=True) + "\n"


def files() -> dict[str, str]:
    """Every vector file of this generator, by its path below this folder."""
    made = {f"transcripts/{entry.name}.json": text(transcript_vector(entry)) for entry in ENTRIES}
    made |= {f"encoding/{vector['name']}.json": text(vector) for vector in VALUES}
    made |= {f"cards/{vector['name']}.json": text(vector) for vector in CARDS}
    made |= {
        f"deck/transcripts/{entry.name}.json": text(deck_vector(entry)) for entry in (*DECK_ENTRIES, *DRAW_ENTRIES)
    }
    made |= {f"deck/proofs/{vector['name']}.json": text(vector) for vector in PROOFS}
    made |= {f"deck/lamps/{vector['name']}.json": text(vector) for vector in LAMPS}
    made |= {f"shoe/transcripts/{entry.name}.json": text(transcript_vector(entry)) for entry in ONE_ENTRIES}
    made |= {f"deck/starts/{vector['name']}.json": text(vector) for vector in STARTS}
    return made


def changed(made: dict[str, str], here: Path) -> list[str]:
    """What would not be as it was: vectors with other content, and those that are not made any more."""
    there = [f"{folder}/{path.name}" for folder in FOLDERS for path in (here / folder).glob("*.json")]
    return sorted([path for path in there if made.get(path) != (here / path).read_text()])


def sums(here: Path) -> str:
    """The SHA-256 of every vector and of the recorded matches, as `sha256sum` prints them."""
    paths = [path for kind in ("*.json", "*.dlt") for path in here.rglob(kind)]
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(here).as_posix()}" for path in paths]
    return "\n".join(sorted(lines, key=lambda line: line.partition("  ")[2])) + "\n"


def write(made: dict[str, str], here: Path) -> list[str]:
    """Write the vectors that are not there yet and all sums; or nothing, if there are changes, which are returned."""
    found = changed(made, here)
    if not found:
        for path, content in made.items():
            (here / path).parent.mkdir(parents=True, exist_ok=True)
            (here / path).write_text(content)
        (here / SUMS).write_text(sums(here))
    return found


def main() -> int:
    made = files()
    found = write(made, HERE)
    if found:
        print(*found, sep="\n")
        print(f"error: {len(found)} vectors of version 1 would change; it is frozen (VERDICT-9)", file=sys.stderr)
        print("hint: a change of what is accepted, refused or judged needs a new version", file=sys.stderr)
        return 1
    print(f"{len(made)} vectors")
    return 0


if __name__ == "__main__":
    sys.exit(main())
