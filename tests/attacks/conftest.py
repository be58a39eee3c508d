"""What the attacks on the deck share."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from dealerless.crypto.shuffle import verify_shuffle
from dealerless.protocol import deckdeal


@pytest.fixture(scope="module")
def remembered_shuffles() -> Iterator[None]:
    """Each shuffle is verified once: every seat and every referee would do it anew, and it is nine tenths of the time.

    That an argument holds is remembered, for just these bytes; that it does not is found anew each time.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deckdeal, "verify_shuffle", cache(verify_shuffle))
        yield
