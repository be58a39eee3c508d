"""Pages of matches in memory."""

from __future__ import annotations

from dealerless.referee import Verdict, replay
from dealerless.report.page import Page
from tests.matches import PLAYED


def told(data: bytes, label: str = "match.dlt") -> tuple[Verdict, str]:
    """The verdict on a transcript and its page."""
    page = Page()
    verdict = replay(data, on_hand=page.on_hand, on_frame=page.on_frame, games=PLAYED)
    return verdict, "".join(page.pieces(verdict, label))
