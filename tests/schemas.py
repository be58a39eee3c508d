"""The published schemas as a stock validator reads them: the files, each under its own `$id`, and nothing else."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

SPEC = Path(__file__).parents[1] / "spec"
FILES = sorted(SPEC.glob("*.schema.json"))


def read(name: str) -> dict[str, Any]:
    """The schema in `spec/NAME.schema.json`."""
    schema: dict[str, Any] = json.loads((SPEC / f"{name}.schema.json").read_text("utf-8"))
    return schema


@cache
def registry() -> Registry[Any]:
    """All files of the folder, found by what they call themselves."""
    resources = [Resource.from_contents(json.loads(path.read_text("utf-8"))) for path in FILES]
    return resources @ Registry[Any]()


@cache
def validator(name: str) -> Draft202012Validator:
    """A validator of one of them; a reference that leads to no file of the folder raises."""
    return Draft202012Validator(read(name), registry=registry())


def part_of(name: str, definition: str) -> Draft202012Validator:
    """A validator of one definition of a schema, or what stands at a pointer from there."""
    reference = {"$ref": f"urn:dealerless:{name}:1#/$defs/{definition}"}
    return Draft202012Validator(reference, registry=registry())
