"""Values typed by people, with one spelling each: anything else is refused, never guessed at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
from click.shell_completion import CompletionItem

from ..crypto.ed25519 import KEY_BYTES, check_key
from ..errors import CODES, BadSignature, UsageError
from ..net.seating import WitnessAt
from ..net.transport import read_address

# int() also takes signs, spaces, underscores and the digits of every script, and is slow on long ones.
_NUMBER: Final = re.compile("[0-9]{1,10}", re.ASCII)
_HEX: Final = re.compile("[0-9a-f]+", re.ASCII)
# What an error message repeats of a wrong value.
_SHOWN: Final = 72


class Number(click.ParamType[int]):
    """A whole number of one to ten digits, from `least` to `most`."""

    name = "number"

    def __init__(self, least: int, most: int) -> None:
        self.least = least
        self.most = most

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number; anything but plain digits within the bounds is a usage error."""
        if isinstance(value, int):
            return value
        text = str(value)
        if _NUMBER.fullmatch(text) is None:
            self.fail(f"{shown(text)} is not a number: digits 0-9 only, at most ten", param, ctx)
        number = int(text)
        if not self.least <= number <= self.most:
            self.fail(f"{number} is not from {self.least} to {self.most}", param, ctx)
        return number


class Hex(click.ParamType[bytes]):
    """Bytes of a fixed length, as lower-case hex digits."""

    name = "hex"

    def __init__(self, size: int) -> None:
        self.size = size

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> bytes:
        """Return the bytes; upper case, spaces, prefixes and other lengths are usage errors."""
        if isinstance(value, bytes):
            return value
        problem = hex_problem(str(value), self.size)
        if problem:
            self.fail(problem, param, ctx)
        return bytes.fromhex(str(value))


class Key(Hex):
    """A public key that somebody can have, as lower-case hex digits: nobody would ever come with another. SIG-1."""

    name = "key"

    def __init__(self) -> None:
        super().__init__(KEY_BYTES)

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> bytes:
        """Return the key; what `Hex` refuses, and what SIG-1 does, is a usage error."""
        key = super().convert(value, param, ctx)
        problem = key_problem(key)
        if problem:
            self.fail(problem, param, ctx)
        return key


class FileName(click.ParamType[str]):
    """The name of a file as it was typed, or `-`; not an empty one, as of a shell's variable that is not set."""

    name = "file"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name; an empty one is a usage error."""
        text = str(value)
        if not text:
            self.fail("the name of a file is needed, and this is an empty text", param, ctx)
        return text

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Leave it to the shell, which knows the names that there are."""
        return [CompletionItem(incomplete, type="file")]


class File(click.ParamType[Path]):
    """Where a file is or is to be: an empty text would be the folder that we are in."""

    name = "file"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path; what `FileName` refuses is a usage error."""
        return value if isinstance(value, Path) else Path(FileName().convert(value, param, ctx))

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Leave it to the shell, which knows the names that there are."""
        return [CompletionItem(incomplete, type="file")]


class Folder(File):
    """Where a folder is or is to be, and no file."""

    name = "folder"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path; what `File` refuses, and a file that is there, is a usage error."""
        path = super().convert(value, param, ctx)
        if path.exists() and not path.is_dir():
            self.fail(f"{shown(str(path))} is no folder", param, ctx)
        return path

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Leave it to the shell, which knows the names that there are."""
        return [CompletionItem(incomplete, type="dir")]


class Witness(click.ParamType[WitnessAt]):
    """Where a witness is reached and its key: `ADDR,KEY`."""

    name = "witness"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> WitnessAt:
        """Return the witness; anything but HOST:PORT, a comma and a key as `Key` takes it is a usage error."""
        if isinstance(value, WitnessAt):
            return value
        address, _, key = str(value).rpartition(",")
        problem = hex_problem(key, KEY_BYTES) or key_problem(bytes.fromhex(key))
        if not address or problem:
            self.fail(f"{shown(str(value))} is not ADDR,KEY: {problem or 'the address is missing'}", param, ctx)
        try:
            return WitnessAt(address=read_address(address), key=bytes.fromhex(key))
        except UsageError as error:
            self.fail(f"{shown(address)} is no address: {error.hint}", param, ctx)


def hex_problem(text: str, size: int) -> str:
    """Return why `text` is not `size` bytes in lower-case hex, or an empty text. The value is not repeated."""
    digits = 2 * size
    if len(text) != digits:
        return f"{digits} lower-case hex digits are needed, and this has {len(text)} characters"
    if _HEX.fullmatch(text) is None:
        return f"{digits} lower-case hex digits are needed, and there is something else in it"
    return ""


def key_problem(key: bytes) -> str:
    """Return why nobody can have this key, or an empty text. SIG-1."""
    try:
        check_key(key)
    except BadSignature as error:
        return f"nobody can have this key: {CODES[error.code].text} [{error.code}, {error.clause}]"
    return ""


def in_a_row(words: Sequence[str]) -> str:
    """Return words as a sentence has them: `a`, `a and b`, `a, b and c`."""
    return " and ".join([text for text in (", ".join(words[:-1]), *words[-1:]) if text])


def shown(text: str) -> str:
    """Return what an error message repeats of a value."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")
