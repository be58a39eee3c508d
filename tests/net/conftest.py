"""Shorter waits than people need, and no file left open."""

from collections.abc import Iterator

import pytest

from tests.net.tables import SEATS


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealerless.net.play.LINGER_SECONDS", 1.0)
    monkeypatch.setattr("dealerless.net.star._LAST_RETRY", 0.2)


@pytest.fixture(autouse=True)
def closed_files() -> Iterator[None]:
    yield
    while SEATS:
        SEATS.pop().close()
