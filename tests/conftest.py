"""What all tests share: no example fails for being slow on a busy machine; a test that hangs has its own limit."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from functools import lru_cache

import pytest
from hypothesis import settings

from dealerless.crypto.membership import verify_class
from dealerless.crypto.shuffle import verify_shuffle
from dealerless.protocol import deckdeal, shoedeal

settings.register_profile("dealerless", deadline=None)
settings.load_profile("dealerless")


def pytest_collection_finish() -> None:
    """Thousands of collected tests stay for good: the collector need not go through them again and again."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def remembered_proofs() -> Iterator[None]:
    """The table verifies each shuffle and lamp once: each seat and referee would do it anew, which is most of the time.

    That an argument holds is remembered, for just these bytes; that it does not is found anew each time. Processes that
    tests start, and tests of the argument itself, verify everything.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deckdeal, "verify_shuffle", lru_cache(maxsize=1000)(verify_shuffle))
        patch.setattr(shoedeal, "verify_class", lru_cache(maxsize=1000)(verify_class))
        yield
