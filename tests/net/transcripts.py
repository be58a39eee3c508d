"""What tests read out of transcript files."""

from __future__ import annotations

import io

from dealerless.protocol.envelope import read_header
from dealerless.protocol.records import body_hash, decode_frame, read_records


def frames_of(data: bytes) -> list[bytes]:
    return list(read_records(io.BytesIO(data)))


def signed_twice(*files: bytes) -> list[tuple[int, bytes]]:
    """Return every (seat, previous hash) on which different frames were signed, over all these files. CHAIN-2."""
    signed: dict[tuple[int, bytes], set[bytes]] = {}
    for data in files:
        for frame in frames_of(data):
            body, _ = decode_frame(frame)
            header = read_header(body)
            signed.setdefault((header.seat, header.prev), set()).add(body_hash(body))
    return [place for place, bodies in signed.items() if len(bodies) > 1]
