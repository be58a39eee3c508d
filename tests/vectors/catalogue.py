"""All whole transcripts among the vectors: each module adds its own to the one list."""

from __future__ import annotations

from . import damaged, faulty, honest, late, misspelt, unreadable
from .entries import ENTRIES

__all__ = ["ENTRIES", "damaged", "faulty", "honest", "late", "misspelt", "unreadable"]
