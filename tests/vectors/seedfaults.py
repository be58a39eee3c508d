"""Transcripts in which a seat commits to seeds or opens them against the rules (COMMIT, SHOW-2)."""

from __future__ import annotations

from dealerless.protocol.events import (
    LayoutOpened,
    SeedsCommitted,
    Shown,
)

from .entries import fault
from .scribe import Scribe, at_bet, fixed


def _copied() -> Scribe:
    scribe = Scribe("copied").due(until=SeedsCommitted)
    first = scribe.commitments(0)
    return scribe.say(0, first).wrong(1, first)


def _copied_across() -> Scribe:
    scribe = Scribe("copied across").due(until=SeedsCommitted)
    first, own = scribe.commitments(0), scribe.commitments(1)
    return scribe.say(0, first).wrong(1, SeedsCommitted(layout=own.layout, hole=first.layout))


def _reused_layout() -> Scribe:
    """Hand 2's commitment is good, and opens to hand 1's layout seed."""
    scribe = Scribe("reused", hands=2).due().play("BET FOLD").due(until=SeedsCommitted)
    old = scribe.seed(0, "layout", hand=1)
    layout = scribe.commit("layout", 0, old)
    scribe.say(0, SeedsCommitted(layout=layout, hole=scribe.commitments(0).hole))
    return scribe.due(until=LayoutOpened).wrong(0, LayoutOpened(seed=old))


def _reused_hole() -> Scribe:
    """One seed for layout and hole of one hand: whoever saw the layout would know the hole cards."""
    scribe = Scribe("reused hole").due(until=SeedsCommitted)
    seed = scribe.seed(0, "layout")
    scribe.say(0, SeedsCommitted(layout=scribe.commit("layout", 0, seed), hole=scribe.commit("hole", 0, seed)))
    scribe.due().play("CHECK CHECK").say(1, Shown(seed=scribe.seed(1, "hole")))
    return scribe.wrong(0, Shown(seed=seed))


def _hole_as_layout() -> Scribe:
    scribe = Scribe("hole as layout").due(until=LayoutOpened)
    return scribe.wrong(0, LayoutOpened(seed=scribe.seed(0, "hole")))


def _wrong_hole() -> Scribe:
    scribe = Scribe("wrong hole").due().play("CHECK CHECK")
    return scribe.wrong(1, Shown(seed=fixed("a seed with better cards")))


fault("commit_duplicate", "commit.duplicate", "COMMIT-3", 1, "Seat 1 copies seat 0's commitments.", _copied)
fault(
    "commit_duplicate-across",
    "commit.duplicate",
    "COMMIT-3",
    1,
    "Seat 1 copies seat 0's layout commitment as its hole commitment.",
    _copied_across,
)
fault(
    "commit_early-opening",
    "commit.early-opening",
    "COMMIT-3",
    0,
    "A layout opened before the other seat has committed.",
    lambda: (
        (s := Scribe("early").due(until=SeedsCommitted))
        .say(0, s.commitments(0))
        .wrong(0, LayoutOpened(seed=s.seed(0, "layout")))
    ),
)
fault(
    "commit_early-opening-hole",
    "commit.early-opening",
    "COMMIT-3",
    1,
    "A hole seed opened while layouts are owed.",
    lambda: (s := Scribe("early hole").due(until=LayoutOpened)).wrong(1, Shown(seed=s.seed(1, "hole"))),
)
fault(
    "commit_early-opening-betting",
    "commit.early-opening",
    "SHOW-2",
    0,
    "A hole seed opened in the middle of the betting.",
    lambda: (s := at_bet("early show")).wrong(0, Shown(seed=s.seed(0, "hole"))),
)
fault(
    "commit_wrong-opening",
    "commit.wrong-opening",
    "COMMIT-2",
    1,
    "A layout seed that was not committed to.",
    lambda: (
        (s := Scribe("wrong layout").due(until=LayoutOpened))
        .say(0, LayoutOpened(seed=s.seed(0, "layout")))
        .wrong(1, LayoutOpened(seed=fixed("ground for better cards")))
    ),
)
fault(
    "commit_wrong-opening-hole",
    "commit.wrong-opening",
    "COMMIT-2",
    1,
    "A hole seed that was not committed to.",
    _wrong_hole,
)
fault(
    "commit_wrong-opening-purpose",
    "commit.wrong-opening",
    "COMMIT-2",
    0,
    "The hole seed opened as layout.",
    _hole_as_layout,
)
fault(
    "commit_seed-reuse",
    "commit.seed-reuse",
    "COMMIT-3",
    0,
    "A layout seed of the first hand again in the second.",
    _reused_layout,
)


fault(
    "commit_seed-reuse-hole",
    "commit.seed-reuse",
    "COMMIT-3",
    0,
    "One seed as layout and as hole of the same hand.",
    _reused_hole,
)
