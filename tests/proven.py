"""Every part of a proof and of its statement changed, one at a time, for the tests of all proofs of deck and shoe."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from dealerless.crypto import group
from dealerless.crypto.challenge import Context
from dealerless.errors import InvalidProof
from tests.deck import CONTEXT, NO_POINTS, STRANGER

Change = tuple[str, dict[str, object], str]
"""What was changed, all fields of the call, and the code of the refusal."""


class Proven(NamedTuple):
    """A verifier's call whose fields can be changed; `points` is how many of the proof's parts are points."""

    verify: Callable[..., None]
    fields: dict[str, object]
    points: int
    code: str


def contexts() -> Iterator[tuple[str, Context]]:
    """Another hand, seat, match and so on: a replayed proof (K03, D02)."""
    yield "session", replace(CONTEXT, session=bytes(32))
    yield "hand", replace(CONTEXT, hand=4)
    yield "deck", replace(CONTEXT, deck=1)
    yield "seat", replace(CONTEXT, seat=0)
    yield "purpose", replace(CONTEXT, purpose="other")
    yield "prev", replace(CONTEXT, prev=bytes(32))
    yield "suite", replace(CONTEXT, suite="another-suite")


def points(point: bytes, code: str) -> Iterator[tuple[str, bytes, str]]:
    """What may stand in the place of a point, and the code it gets."""
    yield "another point", STRANGER, code
    yield "negative", group.subtract(group.IDENTITY, point), code
    yield "one G more", group.add(point, group.BASE), code
    yield "identity", group.IDENTITY, "group.identity"
    for number, bad in enumerate(NO_POINTS):
        yield f"no point {number}", bad, "group.not-a-point"


def scalars(data: bytes, code: str) -> Iterator[tuple[str, bytes, str]]:
    """What may stand in the place of a scalar: s + L and the like act as s would (K08)."""
    scalar = int.from_bytes(data, "little")
    yield "one more", group.encode_scalar(scalar + 1), code
    yield "negative", group.encode_scalar(-scalar), code
    yield "zero", bytes(32), code
    yield "plus L", (scalar + group.L).to_bytes(32, "little"), "group.bad-scalar"
    yield "L", group.L.to_bytes(32, "little"), "group.bad-scalar"
    yield "all ones", b"\xff" * 32, "group.bad-scalar"


def parts(proven: Proven) -> Iterator[tuple[str, bytes, str]]:
    """The proof with one of its parts replaced, and proofs of other lengths."""
    proof = proven.fields["proof"]
    assert isinstance(proof, bytes)
    for number, at in enumerate(range(0, len(proof), 32)):
        part = proof[at : at + 32]
        for name, other, code in (points if number < proven.points else scalars)(part, proven.code):
            if len(other) == 32:
                yield f"part {number} {name}", proof[:at] + other + proof[at + 32 :], code
    for name, other in (
        ("none", b""),
        ("zeros", bytes(1)),
        ("one byte less", proof[:-1]),
        ("one byte more", proof + bytes(1)),
        ("one part less", proof[:-32]),
        ("one part more", proof + bytes(32)),
        ("twice", proof + proof),
    ):
        yield name, other, "proof.wrong-length"
    yield "all zeros", bytes(len(proof)), "group.identity" if proven.points else proven.code


def places(value: tuple[object, ...], code: str) -> Iterator[tuple[str, tuple[object, ...], str]]:
    """Of points, or of pairs of points: one replaced, two exchanged."""
    for number, item in enumerate(value):
        options = points(item, code) if isinstance(item, bytes) else places(item, code)  # type: ignore[arg-type]
        for name, other, expected in options:
            yield f"{number} {name}", (*value[:number], other, *value[number + 1 :]), expected
    yield "last two exchanged", (*value[:-2], value[-1], value[-2]), code


def fields_changed(proven: Proven, own: Mapping[str, Iterable[tuple[str, object, str]]]) -> Iterator[Change]:
    """All fields of a call with one of them changed; `own` says how for those that are neither points nor the proof."""
    for field, value in proven.fields.items():
        options: Iterable[tuple[str, object, str]]
        if field in own:
            options = own[field]
        elif field == "context":
            options = ((name, context, proven.code) for name, context in contexts())
        elif field == "proof":
            options = parts(proven)
        elif isinstance(value, bytes):
            options = points(value, proven.code)
        else:
            assert isinstance(value, tuple)
            options = places(value, proven.code)
        for name, other, code in options:
            yield f"{field}: {name}", {**proven.fields, field: other}, code


def others(values: Iterable[object], code: str) -> list[tuple[str, object, str]]:
    """Other values of a field, all of which are refused with this code."""
    return [(str(value), value, code) for value in values]


def not_refused(proven: Proven, changes: Iterable[Change]) -> tuple[list[str], int]:
    """The changes that were not refused with their code, and how many were tried; what is no InvalidProof goes on."""
    found, tried = [], 0
    for change, fields, code in changes:
        tried += 1
        try:
            proven.verify(**fields)
        except InvalidProof as error:
            if error.code != code:
                found.append(f"{change}: {error.code} instead of {code}")
        else:
            found.append(f"{change}: accepted")
    return found, tried
