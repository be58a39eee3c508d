"""What is asked of libsodium, in order, for tests that two secrets take the same work."""

from collections.abc import Callable

import pytest

from dealerless.crypto import group
from dealerless.crypto.sodium import Sodium, sodium


def recorded(monkeypatch: pytest.MonkeyPatch, work: Callable[[], object]) -> tuple[str, ...]:
    """The names of the functions that `work` calls, one after the other."""
    called: list[str] = []

    def noted(name: str, function: Callable[..., int]) -> Callable[..., int]:
        def call(*arguments: object) -> int:
            called.append(name)
            return function(*arguments)

        return call

    library = sodium()
    noting = Sodium(**{name: noted(name, getattr(library, name)) for name in Sodium._fields})
    with monkeypatch.context() as patch:
        patch.setattr(group, "sodium", lambda: noting)
        work()
    return tuple(called)
