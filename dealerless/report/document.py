"""A verdict as one JSON-ready object: the same bytes for the same verdict, on every machine (spec/verdict.schema.json).

Bytes are lower-case hex, cards the texts of their game (`a`, `SA`), what is not known null.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ..games.onepoker import ONEPOKER
from ..protocol.state import ActionTaken, HandRecord
from ..referee import Verdict
from ..referee.verdict import FORMAT
from .course import course
from .onecourse import lamps_dealt
from .provenance import Opened
from .shoes import Laying
from .steps import Step
from .view import FaultView, Plain, best_seats, view

Json = dict[str, Any]


def document(verdict: Verdict) -> Json:
    """Return the verdict's object; `hands` are those that are in the verdict."""
    seen = view(verdict)
    terms, fault = verdict.terms, seen.fault
    return {
        "format": FORMAT,
        "outcome": verdict.outcome.value,
        "game": verdict.game,
        "suite": verdict.suite,
        "dealing": verdict.dealing,
        "terms": None
        if terms is None
        else {
            "hands": terms.hands,
            "rules": {name: _lists(value) for name, value in terms.rules},
            "witnesses": [key.hex() for key in terms.witnesses],
            "threshold": terms.threshold,
            "move_seconds": terms.move_seconds,
            "bank_seconds": terms.bank_seconds,
            "expires": terms.expires,
        },
        "session": _hex(verdict.session),
        "players": [
            {"seat": seat.seat, "name": seat.name, "key": seat.key, "fingerprint": seat.fingerprint}
            for seat in seen.seats
        ],
        "hands": [hand_document(hand) for hand in verdict.hands],
        "stacks": list(verdict.stacks),
        "net": list(verdict.net),
        "fault": None if fault is None else fault_document(fault),
        "forfeits": [
            {
                "seat": forfeit.seat,
                "seq": forfeit.seq,
                "hand": forfeit.hand,
                "amount": forfeit.amount,
                "code": forfeit.code,
            }
            for forfeit in verdict.forfeits
        ],
        "owes": None if verdict.owes is None else {"seat": verdict.owes.seat, "kinds": list(verdict.owes.kinds)},
        "pending": None
        if verdict.pending is None
        else {
            "pot": list(verdict.pending.pot),
            "if_forfeit": None if verdict.pending.if_forfeit is None else list(verdict.pending.if_forfeit),
        },
        "damage": None
        if verdict.damage is None
        else {"record": verdict.damage.record, "reason": verdict.damage.reason, "detail": verdict.damage.detail},
        "unjudged": None if verdict.unjudged is None else {"record": verdict.unjudged.record},
        "settled": list(verdict.settled),
        "left": list(verdict.left),
        "won_by": list(best_seats(seen)) if seen.complete else None,
        "head": _hex(verdict.head),
        "frames": verdict.frames,
    }


def fault_document(fault: FaultView) -> Json:
    """Return one fault's object."""
    return {
        "code": fault.code,
        "clause": fault.clause,
        "seat": fault.seat,
        "seq": fault.seq,
        "blame": fault.blame,
        "expected": _lists(fault.expected),
        "actual": _lists(fault.actual),
    }


def hand_document(hand: HandRecord) -> Json:
    """Return one hand's object, of the same form in every game; `common` is `board` by its older name."""
    told = course(hand)
    one_poker = hand.game.name == ONEPOKER.name
    board = list(hand.board)
    return {
        "hand": hand.number,
        "button": hand.button,
        "common": board,
        "board": board,
        "hole": [None if cards is None else list(cards) for cards in hand.hole],
        "shown": [{"seat": seat, "best": best} for seat, best in hand.shown],
        "dealt": list(told.dealt),
        "posts": list(told.posts),
        "actions": [_action(action, opened) for action, opened in zip(hand.actions, told.opens, strict=True)],
        "winner": list(hand.winners),
        "pot": hand.pot,
        "pots": [{"amount": pot.amount, "seats": list(pot.seats), "winners": list(pot.winners)} for pot in hand.pots],
        "changes": list(hand.changes),
        "result": hand.result,
        "priority": hand.hand.priority if one_poker else None,
        "lamps": [list(lamps) for lamps in lamps_dealt(hand.hand)] if one_poker else None,
    }


def step_document(one: Step, *, explain: bool) -> Json:
    """Return the object of one message as `show` tells it, with `explain` its digests and where cards come from."""
    refusal = one.refusal
    told: Json = {
        "seq": one.seq,
        "seat": one.seat,
        "kind": one.kind,
        "claim": one.claim,
        "clause": one.clause,
        "check": one.check,
        "values": [{"what": value.what, "digits": value.digits} for value in one.values],
        "absent": [
            {
                "seat": absence.seat,
                "words": [
                    {
                        "witness": word.witness,
                        "since": word.since,
                        "bank": word.bank,
                        "limit": word.limit,
                        "took": word.took,
                    }
                    for word in absence.words
                ],
            }
            for absence in one.absent
        ],
        "result": one.result,
        "record": one.record,
        "refused": None
        if refusal is None
        else {
            "code": refusal.code,
            "clause": refusal.clause,
            "expected": _lists(refusal.expected),
            "actual": _lists(refusal.actual),
        },
        "ended": None if one.finished is None else one.finished.number,
    }
    if explain:
        told["digests"] = [
            {"what": digest.what, "command": digest.command, "digest": digest.digest} for digest in one.digests
        ]
        told["opened"] = [_opened(cards) for cards in one.opened]
    return told


def _opened(cards: Opened) -> Json:
    return {
        "cards": list(cards.cards),
        "slots": list(cards.slots),
        "place": cards.place,
        "seat": cards.owner,
        "deck": cards.deck,
        "keys": [{"seat": seat, "seq": seq} for seat, seq in cards.keys],
        "shuffles": [{"seat": seat, "seq": seq} for seat, seq in cards.shuffles],
        "shares": [
            {"seat": part.seat, "seq": part.seq, "purpose": part.purpose, "clause": part.clause} for part in cards.parts
        ],
        "exchange": None
        if cards.exchange is None
        else {
            "seq": cards.exchange.seq,
            "discarded": list(cards.exchange.discarded),
            "dealt": list(cards.exchange.dealt),
        },
        "laying": None if cards.laying is None else _laying(cards.laying),
    }


def _laying(laying: Laying) -> Json:
    dealt = laying.dealt
    return {
        "dealt": {"slots": list(dealt.slots), "deck": dealt.deck, "seat": dealt.by, "seq": dealt.seq},
        "classes": laying.classes,
        "kept": laying.kept,
        "lay": laying.lay,
    }


def encode(value: object) -> str:
    """Return `value` as JSON on one line, in ASCII: no locale and no terminal changes it."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(", ", ": "))


def pieces(verdict: Verdict, hands: Iterable[str]) -> Iterator[str]:
    """Yield the text of the verdict's object in pieces, with `hands` (each one's object as text) in it.

    For matches whose hands are not held in memory: the text is that of `encode(document(verdict))` had the
    verdict its hands.
    """
    yield "{"
    for index, (key, value) in enumerate(document(verdict).items()):
        yield f"{', ' if index else ''}{encode(key)}: "
        if key == "hands":
            yield "["
            for number, hand in enumerate(hands):
                yield f", {hand}" if number else hand
            yield "]"
        else:
            yield encode(value)
    yield "}"


def _action(action: ActionTaken, opened: int) -> Json:
    return {
        "seq": action.seq,
        "seat": action.seat,
        "move": action.move,
        "amount": action.amount,
        "open": opened,
        "stacks": list(action.stacks),
        "pot": action.pot,
    }


def _hex(data: bytes | None) -> str | None:
    return None if data is None else data.hex()


def _lists(value: Plain) -> Any:
    return [_lists(item) for item in value] if isinstance(value, tuple) else value
