"""Shorter waits than people need, and no file left open."""

from tests.net.conftest import closed_files, short_waits

__all__ = ["closed_files", "short_waits"]
