"""Every point and scalar of every message of a hand from the deck; part of `make fuzz`."""

from __future__ import annotations

import pytest

from tests.attacks.test_deck_messages import KINDS, check_elements, said


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("number", range(len(KINDS)))
def test_every_element_of_every_message(number: int) -> None:
    """K05, K06, K08, V04, V05, D02: each replaced, its author convicted, and nobody else."""
    one = said()[number]
    tried = check_elements(one, lambda name, at, count: True)
    print(f"{tried} changes of message {one.place}")
