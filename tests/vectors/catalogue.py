"""All whole transcripts among the vectors: each module adds its own to the one list."""

from __future__ import annotations

from . import afterfaults, damaged, honest, late, misspelt, movefaults, seedfaults, turnfaults, unreadable
from .entries import ENTRIES

__all__ = [
    "ENTRIES",
    "afterfaults",
    "damaged",
    "honest",
    "late",
    "misspelt",
    "movefaults",
    "seedfaults",
    "turnfaults",
    "unreadable",
]
