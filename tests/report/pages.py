"""Pages of matches in memory."""

from __future__ import annotations

from collections.abc import Iterable

from dealerless.protocol.state import HandRecord
from dealerless.referee import Verdict, replay
from dealerless.report.page import Page
from tests.matches import PLAYED


def told(data: bytes, label: str = "match.dlt") -> tuple[Verdict, str]:
    """The verdict on a transcript and its page."""
    page = Page()
    verdict = replay(data, on_hand=page.on_hand, on_frame=page.on_frame, games=PLAYED)
    return verdict, "".join(page.pieces(verdict, label))


def page_of(records: Iterable[HandRecord], verdict: Verdict) -> str:
    """The page of hands that no transcript is behind."""
    page = Page()
    for record in records:
        page.on_hand(record)
    return "".join(page.pieces(verdict, "match.dlt"))
