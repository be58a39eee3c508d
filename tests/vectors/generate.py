"""Makes the vectors again: `python -m tests.vectors.generate` (`make vectors`). The same bytes every time."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from dealerless.referee import Verdict, replay
from dealerless.referee.verdict import Outcome

from .cards import CARDS
from .catalogue import ENTRIES
from .entries import Entry
from .values import VALUES

HERE = Path(__file__).parent


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
    known = verdict.outcome is not Outcome.UNREADABLE and verdict.game is not None
    return {
        "frames": verdict.frames,
        "head": verdict.head.hex() if verdict.head is not None and known else None,
        "session": verdict.session.hex() if verdict.session else None,
        "hands": [
            {
                "board": "".join([card or "?" for card in hand.board]),
                "hole": ["".join(cards) if cards else None for cards in hand.hole],
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


def text(vector: object) -> str:
    return json.dumps(vector, indent=1, ensure_ascii=True) + "\n"


def files() -> dict[str, str]:
    """Every vector file of this generator, by its path below this folder."""
    made = {f"transcripts/{entry.name}.json": text(transcript_vector(entry)) for entry in ENTRIES}
    made |= {f"encoding/{vector['name']}.json": text(vector) for vector in VALUES}
    made |= {f"cards/{vector['name']}.json": text(vector) for vector in CARDS}
    return made


def main() -> None:
    made = files()
    for folder in ("transcripts", "encoding", "cards"):
        (HERE / folder).mkdir(exist_ok=True)
        for old in (HERE / folder).glob("*.json"):
            if f"{folder}/{old.name}" not in made:
                old.unlink()
    for path, content in made.items():
        (HERE / path).write_text(content)
    print(f"{len(made)} vectors")


if __name__ == "__main__":
    main()
