"""Checks every vector in tests/vectors/deck/lamps with nothing of `dealerless`: a second reading of DECK-8.

`python -m spec.check_lamps [FOLDER]`, said in the folder above, prints what does not hold and exits with 1 if anything
does not. The group, the hashes and the reading of points and scalars are those of `check_deck.py`. A lamp takes 0.2 s.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from .check_deck import (
    BASE,
    CLAUSES,
    JSON,
    NAMES,
    Context,
    L,
    Pair,
    Point,
    Refused,
    as_json,
    card,
    combine,
    context,
    digest,
    encode,
    number,
    pairs,
    parts,
    received,
    scalars,
)

CODES = {
    **CLAUSES,
    **dict.fromkeys(("proof.class", "proof.lay", "proof.lay-without-remask", "deck.wrong-size"), "DECK-8"),
}
RANKS = {"DOWN": "234567", "UP": "89TJQKA"}


@cache
def members(name: str) -> list[Point]:
    """The points of a class, each once, in the order of the start deck."""
    return [card("onepoker", text) for text in NAMES["holdem"] if text[1] in RANKS[name]]


def check_class(ctx: Context, slot: int, name: str, key: bytes, pair: Pair, proof: bytes) -> JSON:
    """A lamp; `pair` is (a, Z)."""
    points = members(name)
    found = scalars(proof, 2 * len(points))
    c, s = found[: len(points)], found[len(points) :]
    x, (a, z) = received(key), map(received, pair)
    t = [
        (encode(combine((s_j, BASE), (-c_j, x))), encode(combine((s_j, a), (-c_j, z), (c_j, point))))
        for c_j, s_j, point in zip(c, s, points, strict=True)
    ]
    spelled = [encode(point) for point in points]
    hashed = digest(
        "class", ctx, slot, name, key, *pair, b"".join(spelled), b"".join(first + last for first, last in t)
    )
    if number(hashed) != sum(c) % L:
        raise Refused("proof.class")
    less = [encode(combine((1, z), (-1, point))) for point in points]
    return {"S": spelled, "Z_less_M": less, "t": t, "digest": hashed, "sum": sum(c) % L, "c": c, "s": s}


def check_lay(ctx: Context, count: int, key: bytes, cards: bytes, laid: bytes, proof: bytes) -> JSON:
    """A lay in round `count`; `cards` are C_0 and C_1, `laid` C'_0 and C'_1."""
    if len(laid) != len(cards):
        raise Refused("deck.wrong-size")
    found = scalars(proof, 6)
    c, s = found[:2], found[2:]
    x = received(key)
    before, after = [[[*map(received, pair)] for pair in pairs(deck)] for deck in (cards, laid)]
    if set(pairs(cards)) & set(pairs(laid)):
        raise Refused("proof.lay-without-remask")
    t = []
    for e in (0, 1):
        for j in (0, 1):
            old, new = before[e ^ j], after[j]
            bases = zip((BASE, x), new, old, strict=True)
            t.append([encode(combine((s[2 * e + j], base), (-c[e], to), (c[e], fro))) for base, to, fro in bases])
    hashed = digest("lay", ctx, count, key, *parts(cards, 64), *parts(laid, 64), *map(b"".join, t))
    if number(hashed) != sum(c) % L:
        raise Refused("proof.lay")
    return {"t": t, "digest": hashed, "sum": sum(c) % L, "c": c, "s": s}


PROOFS: dict[str, Callable[..., JSON]] = {"class": check_class, "lay": check_lay}


def check(vector: JSON) -> list[str]:
    """One proof with all that stands behind it, or one that is refused."""
    given: JSON = {}
    for name, value in vector["statement"].items():
        if name == "context":
            given[name] = context(value)
        elif name == "ciphertext":
            given[name] = [bytes.fromhex(half) for half in value]
        else:
            given[name] = value if name in ("slot", "round", "class") else bytes.fromhex(value)
    try:
        found = as_json(PROOFS[vector["proof"]](*given.values()))
    except Refused as refused:
        said = str(refused), CODES[str(refused)]
        return [] if said == (vector["code"], vector["clause"]) else [f"{said}, not {vector['code']}"]
    if vector["code"] is not None:
        return [f"it holds, and should be {vector['code']}"]
    steps = vector["steps"]
    return [f"{name}: {found[name]!r}, not {steps.get(name)!r}" for name in found if found[name] != steps.get(name)]


def main(folder: Path, check: Callable[[JSON], list[str]] = check) -> int:
    """Check all vectors of `folder`; return 1 if there are none or any of them fails."""
    paths = sorted(folder.glob("*.json"))
    failed = not paths
    for path in paths:
        for defect in check(json.loads(path.read_text())):
            failed = True
            print(f"{path.name}: {defect[:300]}")
    print(f"{len(paths)} vector files, {'some wrong' if failed else 'all right'}")
    return int(failed)


if __name__ == "__main__":
    usual = Path(__file__).parent.parent / "tests" / "vectors" / "deck" / "lamps"
    sys.exit(main(Path(sys.argv[1]) if sys.argv[1:] else usual))
