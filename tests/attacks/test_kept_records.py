"""What is kept of a refused record is its reason, never what it was decoded to (VERDICT-8, R08)."""

from __future__ import annotations

import gc
import tracemalloc

from dealerless.encoding import MAX_BYTES
from dealerless.errors import plain
from dealerless.protocol.events import MAX_BODY, Offered
from dealerless.protocol.machine import open_frame
from dealerless.protocol.records import encode_frame
from tests.matches import hex_offer, seats_of


def _nested(body: bytes, size: int) -> bytes:
    """A body whose fields are a wide tree of one-element arrays instead of what they should be."""
    head = body[: body.index(Offered.KIND.encode()) - 1]
    chain = b"\x91" * 200 + b"\x00"
    count = (size - len(head) - 16) // len(chain)
    return head + b"\xa3act" + b"\xdc" + count.to_bytes(2, "big") + chain * count


def test_R08_a_refused_body_keeps_no_decoded_value() -> None:
    """ENC-6, VERDICT-8: 64 refused records of the largest size take little more memory than their bytes."""
    offer = hex_offer()
    frame = seats_of(offer)[0].say(offer)
    body = open_frame(frame).body
    frames = [encode_frame(_nested(body, size), bytes(64)) for size in (MAX_BODY - 100, MAX_BYTES - 200)]
    for hostile in frames:
        gc.collect()
        tracemalloc.start()
        kept = [open_frame(hostile) for _ in range(64)]
        used, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert all(opened.defect is not None and opened.defect.__traceback__ is None for opened in kept)
        assert used < 3 * 64 * len(hostile)


def test_N09_what_a_peer_wrote_is_not_printed_at_length() -> None:
    """A text or bytes of a peer's choosing are cut where they are turned into words."""
    for value in ("A" * 250_000, b"\xee" * 250_000, ("\x1b" * 250_000,)):
        assert len(plain(value)) < 1200
