"""The vectors of lamps and lays through the proofs, and through the second reading of DECK-8."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from dealerless.crypto.laying import verify_lay
from dealerless.crypto.membership import verify_class
from dealerless.errors import CODES, InvalidProof
from dealerless.protocol.deckdeal import ciphertexts_of
from tests.lamps import DOWN, UP

from .test_deck_vectors import context_of

HERE = Path(__file__).parent / "deck" / "lamps"
ROOT = Path(__file__).parent.parent.parent
VECTORS: dict[str, dict[str, Any]] = {path.stem: json.loads(path.read_text()) for path in sorted(HERE.glob("*.json"))}


def verify(kind: str, of: Mapping[str, Any]) -> None:
    context, key, proof = context_of(of["context"]), bytes.fromhex(of["key"]), bytes.fromhex(of["proof"])
    if kind == "class":
        a, z = [bytes.fromhex(half) for half in of["ciphertext"]]
        members = {"DOWN": DOWN, "UP": UP}[of["class"]]
        verify_class(context, of["slot"], of["class"], key, (a, z), members, proof)
    else:
        cards, laid = [ciphertexts_of(bytes.fromhex(of[name])) for name in ("cards", "laid")]
        verify_lay(context, of["round"], key, cards, laid, proof)


@pytest.mark.parametrize("name", VECTORS)
def test_a_proof_holds_or_is_refused_as_the_vector_says(name: str) -> None:
    """DECK-8: what is changed in one place, or made without a witness, is refused, with this code."""
    vector = VECTORS[name]
    if vector["code"] is None:
        verify(vector["proof"], vector["statement"])
        return
    with pytest.raises(InvalidProof) as refusal:
        verify(vector["proof"], vector["statement"])
    assert (refusal.value.code, refusal.value.clause) == (vector["code"], vector["clause"])


def test_there_is_a_vector_for_every_code() -> None:
    """DECK-8, and of both kinds the codes that any proof may get."""
    codes = {(vector["proof"], vector["code"]) for vector in VECTORS.values()}
    assert {code for _, code in codes} >= {code for code, defect in CODES.items() if defect.clause == "DECK-8"}
    common = ("group.bad-scalar", "group.identity", "group.not-a-point", "proof.wrong-length", None)
    assert codes >= {(kind, code) for kind in ("class", "lay") for code in common}


def run(*arguments: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "spec.check_lamps", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100, check=False)


def test_the_second_reading_agrees() -> None:
    """DECK-8: it finds nothing wrong, and imports nothing of the package."""
    done = run()
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    source = (ROOT / "spec" / "check_lamps.py").read_text()
    imports = [line for line in source.splitlines() if line.startswith(("import ", "from "))]
    assert not [line for line in imports if "dealerless" in line]


def test_the_second_reading_notices(tmp_path: Path) -> None:
    """DECK-8: a code, or a value within a proof, that is not what the bytes say."""
    shutil.copy(HERE / "holds_lay-0.json", tmp_path)
    lay, refused = json.loads(json.dumps([VECTORS["holds_lay-1"], VECTORS["proof_lay-lay-exchanged"]]))
    lay["steps"]["sum"] = lay["steps"]["c"][0]
    refused["code"] = "proof.lay-without-remask"
    for name, vector in (("lay", lay), ("refused", refused)):
        (tmp_path / f"{name}.json").write_text(json.dumps(vector))
    done = run(tmp_path)
    assert done.returncode == 1
    for report in ("lay.json: sum", "refused.json: ('proof.lay',", "3 vector files, some wrong"):
        assert report in done.stdout
