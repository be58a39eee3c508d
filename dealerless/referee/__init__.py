"""The referee: `replay` a transcript and read its `Verdict`."""

from .judge import fingerprint
from .replay import replay
from .verdict import Outcome, Verdict

__all__ = ["Outcome", "Verdict", "fingerprint", "replay"]
