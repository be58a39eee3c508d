"""The referee: `replay` a transcript and read its `Verdict`."""

from .replay import fingerprint, replay
from .verdict import Outcome, Verdict

__all__ = ["Outcome", "Verdict", "fingerprint", "replay"]
