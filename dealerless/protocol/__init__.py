"""Events, envelopes, the one table of transitions, dealing, and the sans-IO session.

What a program that plays or builds transcripts needs is here; the rooms behind it are one module each.
"""

from .events import Accepted, Acted, Expelled, HandStarted, Left, Mucked, Offered, Readied, Settled, Shown
from .records import encode_transcript
from .seeds import MemorySecrets, Secrets
from .session import Session
from .state import Phase, State

__all__ = [
    "Accepted",
    "Acted",
    "Expelled",
    "HandStarted",
    "Left",
    "MemorySecrets",
    "Mucked",
    "Offered",
    "Phase",
    "Readied",
    "Secrets",
    "Session",
    "Settled",
    "Shown",
    "State",
    "encode_transcript",
]
