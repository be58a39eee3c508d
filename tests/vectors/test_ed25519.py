"""The published vectors for keys and signatures: every implementation must agree on them (SIG-1, SIG-2)."""

import json
from pathlib import Path
from typing import Any

import pytest

from dealerless.crypto.ed25519 import SMALL_ORDER, SigningKey, VerifyKey, check_key
from dealerless.errors import CODES, BadSignature
from tests.oracle import naive_ed25519 as naive

CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("ed25519.json").read_text())["cases"]


def verdict(key: bytes, message: bytes, signature: bytes) -> str:
    try:
        VerifyKey.load(key).verify(message, signature)
    except BadSignature as error:
        return error.code
    return "valid"


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    key, message, signature = (bytes.fromhex(case[field]) for field in ("key", "message", "signature"))
    assert verdict(key, message, signature) == case["expect"]
    assert naive.is_key(key) is (case["expect"] in ("valid", "signature.invalid"))
    assert naive.is_signature(key, message, signature) is (case["expect"] == "valid")
    if case["expect"] != "valid":
        assert CODES[case["expect"]].clause == case["clause"]


@pytest.mark.parametrize("case", [case for case in CASES if "seed" in case], ids=lambda case: case["name"])
def test_signing_gives_the_published_signature(case: dict[str, Any]) -> None:
    key = SigningKey(bytes.fromhex(case["seed"]))
    assert key.public.key.hex() == case["key"]
    assert key.sign(bytes.fromhex(case["message"])).hex() == case["signature"]


def test_no_two_cases_are_the_same() -> None:
    assert len({case["name"] for case in CASES}) == len(CASES) == 64
    assert len({(case["key"], case["message"], case["signature"]) for case in CASES}) == len(CASES)


def test_the_list_of_small_order_encodings_is_complete() -> None:
    """SIG-2: the eight points, by an own count, and every other spelling of their coordinates below 2^256."""
    assert naive.TORSION is not None
    points = {naive.times(n, naive.TORSION) for n in range(8)}
    assert len(points) == 8
    spellings = set()
    for x, y in points:
        for spelled in range(y, 2**255, naive.P):
            signs = (0, 1) if x == 0 else (x & 1,)
            spellings |= {(spelled | sign << 255).to_bytes(32, "little") for sign in signs}
    # y = 0 and its other spelling stand for two points each, which the sign bit tells apart.
    assert spellings == SMALL_ORDER
    for data in SMALL_ORDER:
        with pytest.raises(BadSignature):
            check_key(data)
