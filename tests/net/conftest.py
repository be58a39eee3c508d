"""Shorter waits than people need."""

import pytest


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealerless.net.play.LINGER_SECONDS", 1.0)
    monkeypatch.setattr("dealerless.net.star._LAST_RETRY", 0.2)
