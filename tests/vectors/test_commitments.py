"""The published vectors for commitments and digests of lines, and the command that anybody can check with."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from dealerless.crypto.commitment import check_opening, commitment, commitment_text
from dealerless.crypto.suites import DEFAULT_SUITE, SUITES, hex_digest
from dealerless.errors import UsageError

VECTORS = json.loads(Path(__file__).with_name("commitments.json").read_text())


@pytest.mark.parametrize("case", VECTORS["commitments"], ids=lambda case: case["line"][20:26])
def test_commitment(case: dict[str, Any]) -> None:
    """COMMIT-2: the line is stated in full, and the commitment is its SHA-256."""
    opening = (
        case["purpose"],
        bytes.fromhex(case["session"]),
        case["hand"],
        case["seat"],
        bytes.fromhex(case["seed"]),
    )
    assert commitment_text(*opening) == case["line"]
    assert commitment(*opening).hex() == case["commitment"]
    assert hex_digest("sha256", case["line"]) == case["commitment"]
    check_opening(bytes.fromhex(case["commitment"]), *opening)


@pytest.mark.parametrize("case", VECTORS["digests"], ids=lambda case: f"{case['suite']} {case['line'][:3]}")
def test_digest_of_a_line(case: dict[str, Any]) -> None:
    """HASHDEAL-1."""
    assert hex_digest(case["suite"], case["line"]) == case["digest"]


def test_anybody_can_redo_a_line() -> None:
    """HASHDEAL-1: printf and sha256sum or md5sum are enough."""
    lines = [("sha256", case["line"], case["commitment"]) for case in VECTORS["commitments"]]
    lines += [(case["suite"], case["line"], case["digest"]) for case in VECTORS["digests"]]
    for suite, line, digest in lines:
        script = f"printf %s '{line}' | {suite}sum"
        printed = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout
        assert printed.split()[0] == digest


@pytest.mark.parametrize("suite", ["", "sha1", "SHA256", "sha-256", "sha512", "md4"])
def test_there_are_two_suites(suite: str) -> None:
    """HASHDEAL-1: sha256, which is the default, and md5."""
    assert (*SUITES,) == (DEFAULT_SUITE, "md5")
    with pytest.raises(UsageError):
        hex_digest(suite, "a line")
