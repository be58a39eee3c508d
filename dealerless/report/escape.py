"""Text that others chose, made safe to print: no terminal, log or page is written to by a player's name."""

from __future__ import annotations

import unicodedata
from typing import Final

# Control characters (C0, DEL, C1), format characters (bidi controls, zero width), separators of lines and
# paragraphs, surrogates, private use and unassigned code points; and combining marks, which are drawn over
# their neighbours.
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Mn", "Me"})

# Letters and symbols that are drawn as nothing or as a gap: fillers of Hangul, the Braille blank.
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")


def printable(text: str) -> str:
    """Return `text` on one line, with a backslash escape for all that is not seen or moves what is seen.

    Ordinary letters of any script stay. A backslash is doubled, so that an escape is never somebody's own
    text; the plain space is the only space that stays one.
    """
    return one_line(text.replace("\\", "\\\\"))


def one_line(text: str) -> str:
    """Return like `printable` a text of our own in which other people's parts are escaped already."""
    if text.isascii() and text.isprintable():
        return text
    return "".join([_escaped(character) for character in text])


def marked(name: str) -> str:
    """Return a name for people: `printable`, in quotation marks, spelled out behind if it is not plain ASCII.

    Letters of two scripts can look alike; the spelling is the warning, a key's fingerprint the remedy.
    """
    quoted = '"' + printable(name).replace('"', '\\"') + '"'
    return quoted if name.isascii() else f"{quoted} ({ascii(name)[1:-1]})"


def _escaped(character: str) -> str:
    kind = unicodedata.category(character)
    if kind in _HIDDEN or (kind == "Zs" and character != " ") or character in _BLANK:
        return ascii(character)[1:-1]
    return character
