"""Digests of lines of text, by the suite named in the terms.

A line is printable ASCII without a line feed, so that anybody can redo a digest with `printf %s '...' |
sha256sum` or `md5sum`. MD5 is here for those who must be able to check a deal with the tools at hand: it is
sound only where every input was committed before any is known (HASHDEAL-3). Commitments take no suite: they
are SHA-256 always.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from ..errors import UsageError


def hex_digest(suite: str, line: str) -> str:
    """Return the digest of `line` under `suite` as lower-case hex: 64 digits for `sha256`, 32 for `md5`.

    Raises UsageError for a suite that is not in `SUITES` and for a line that is not printable ASCII.
    HASHDEAL-1.
    """
    if suite not in SUITES:
        raise UsageError("usage.bad-value", expected=tuple(SUITES), actual=suite)
    return SUITES[suite](line_bytes(line))


def line_bytes(line: str) -> bytes:
    """Return the bytes of a line of printable ASCII; raises UsageError for any other text. HASHDEAL-1."""
    if not (line.isascii() and line.isprintable()):
        raise UsageError("usage.bad-value", actual=line)
    return line.encode("ascii")


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _md5(data: bytes) -> str:
    # usedforsecurity=False: builds of Python in FIPS mode refuse MD5 otherwise. Nothing here rests on
    # collision resistance: the inputs have fixed lengths and are committed (with SHA-256) before any of them
    # is known.
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


DEFAULT_SUITE: Final = "sha256"
SUITES: Final[Mapping[str, Callable[[bytes], str]]] = MappingProxyType({DEFAULT_SUITE: _sha256, "md5": _md5})
