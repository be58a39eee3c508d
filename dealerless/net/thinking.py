"""Decisions that somebody thinks about beside the loop: people take minutes, and the network goes on meanwhile."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any, Final

from ..players.player import Player, seat_view
from ..protocol.events import Acted, CardLaid, Event, Exchanged, Mucked
from ..protocol.session import Session
from ..protocol.state import Owed
from .seating import Question

_ASKED: Final = frozenset({Acted, Exchanged, CardLaid, Mucked})
"""What a player is asked for; all else leaves no choice."""


def asks(owed: Owed | None) -> bool:
    """Return whether who owes this is asked what it wants."""
    return owed is not None and not _ASKED.isdisjoint(owed.kinds)


def decision(
    session: Session, player: Player, seconds_left: Callable[[], int | None], choose: Callable[[Event], None]
) -> Question | None:
    """Return the decision that the session's seat owes, or None; `choose` is given the message that it comes to."""
    owed = session.owed
    if owed is None or not asks(owed):
        return None
    view = seat_view(session, seconds_left)
    if Acted in owed.kinds:
        return Question(
            ask=lambda: player.decide(view), then=lambda move: choose(Acted(move=move.name, amount=move.amount))
        )
    if Exchanged in owed.kinds:
        return Question(ask=lambda: player.exchanges(view), then=lambda slots: choose(Exchanged(slots=slots)))
    if CardLaid in owed.kinds:
        return Question(ask=lambda: player.lays(view), then=lambda place: choose(session.lay(place)))
    return Question(ask=lambda: player.shows(view), then=lambda shows: choose(session.show() if shows else Mucked()))


class Thinker:
    """Asks one question at a time; `answered` is called before an answer is acted on, `failed` when that fails."""

    def __init__(self, answered: Callable[[], None], failed: Callable[[BaseException], None]) -> None:
        self._on_answer = answered
        self._on_failure = failed
        self._question: Question | None = None

    @property
    def busy(self) -> bool:
        """Whether somebody is thinking and the answer still matters."""
        return self._question is not None

    def forget(self) -> None:
        """Let the answer to the present question be of no account."""
        self._question = None

    def ask(self, question: Question) -> None:
        """Ask in a thread of its own; an earlier question is forgotten."""
        loop = asyncio.get_running_loop()
        self._question = question

        def think() -> None:
            answer: Any
            try:
                answer, failure = question.ask(), None
            except BaseException as error:
                answer, failure = None, error
            try:
                loop.call_soon_threadsafe(self._answered, question, answer, failure)
            except RuntimeError:
                # The match ended while somebody was still thinking.
                return

        # A daemon: nobody waits at the end for a person who was asked and did not answer.
        threading.Thread(target=think, daemon=True).start()

    def _answered(self, question: Question, answer: Any, failure: BaseException | None) -> None:
        if self._question is not question:
            return
        self._question = None
        self._on_answer()
        try:
            if failure is not None:
                raise failure
            question.then(answer)
        except Exception as error:
            self._on_failure(error)
