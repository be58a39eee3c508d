"""The referee: replays a transcript through the players' own `step` and says what it proves.

It adds only decoding, blame and settlement; there is no second rule book. It never raises for any input.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping
from typing import BinaryIO

from ..errors import DealerlessError
from ..games import GAMES
from ..games.game import Game
from ..protocol.machine import Admitted
from ..protocol.state import State
from ..protocol.witness import Receipt
from .judge import Judge, OnHand
from .verdict import Verdict

OnFrame = Callable[[State, Admitted, State | None, DealerlessError | None], None]


def replay(
    source: bytes | BinaryIO,
    *,
    on_hand: OnHand | None = None,
    on_frame: OnFrame | None = None,
    games: Mapping[str, Game] = GAMES,
    receipts: Iterable[Receipt] = (),
) -> Verdict:
    """Return the verdict on a transcript, whatever its bytes are.

    The checks, in the order in which they are made; each record must pass all of them:

    1. the file begins as a transcript, and the record is whole and of allowed size (ENC-5, ENC-6);
    2. the record is a frame of body and signature (ENC-3);
    3. protocol version, session, seat, sequence number and previous hash continue the chain (ENC-4, CHAIN-1);
    4. the signature is valid under the seat's key (SIG-1, SIG-2);
    5. the body is canonical and its fields have their types, lengths and ranges (ENC-1, ENC-2);
    6. its seat owes a message of its kind now (CHAIN-1);
    7. the table's own check of that kind: terms, hand's start, commitments, openings, moves, showdown, settlement;
    8. after the last record: the match is complete and settled by how many (CHAIN-3).

    A failure of 1-4 is damage and blames nobody; of 5-7 the signer's fault once the last ready is in (VERDICT-1).

    `source` is the whole file or a binary stream, read record by record. `on_hand` gets each hand as it ends and keeps
    it out of the verdict, so that memory stays flat; `on_frame` gets (state before, message, state after or None, the
    refusal or None). `receipts` are what a reader has of the witnesses, gone through for each expulsion on their word:
    one that is left without as many words as it needs is damage, `witness.void` (VERDICT-6). An exception that any of
    the three raises passes through; nothing else is raised.
    """
    judge = Judge(games, on_hand=on_hand, receipts=receipts)
    for _, before, admitted, after, refusal in judge.read(io.BytesIO(source) if isinstance(source, bytes) else source):
        if on_frame is not None:
            on_frame(before, admitted, after, refusal)
    return judge.verdict()
