"""Single values among the vectors: canonical bytes, and bytes that only look like them (ENC-1, ENC-2)."""

from __future__ import annotations

from typing import Any

VALUES: list[dict[str, Any]] = []


def _add(
    name: str, about: str, data: str, *, code: str | None = None, clause: str = "ENC-2", value: object = None
) -> None:
    raw = bytes.fromhex(data)
    expect = "value" if code is None else "refused"
    VALUES.append(
        {
            "name": name,
            "about": about,
            "expect": expect,
            "code": code,
            "clause": "ENC-1" if code is None else clause,
            "seat": None,
            "value": value,
            "bytes": raw.hex(),
        }
    )


def good(name: str, about: str, data: str, value: object) -> None:
    _add(f"value_{name}", about, data, value=value)


def bad(code: str, about: str, data: str, *, case: str = "", clause: str = "ENC-2") -> None:
    name = code.replace(".", "_") + (f"-{case}" if case else "")
    _add(name, about, data, code=code, clause=clause)


# In the JSON a bin is {"bin": hex} and an array a list; the rest is itself.
good("false", "False is one byte.", "c2", False)
good("true", "True is one byte, and not the integer 1.", "c3", True)
good("zero", "The smallest integer encoding.", "00", 0)
good("127", "The largest positive fixint.", "7f", 127)
good("128", "The smallest in two bytes.", "cc80", 128)
good("255", "The largest in two bytes.", "ccff", 255)
good("256", "The smallest in three bytes.", "cd0100", 256)
good("65536", "The smallest in five bytes.", "ce00010000", 65536)
good("most-chips", "The largest number of chips.", "cf001fffffffffffff", 2**53 - 1)
good("largest", "The largest integer there is.", "cfffffffffffffffff", 2**64 - 1)
good("minus-1", "Negative fixint.", "ff", -1)
good("minus-32", "The least negative fixint.", "e0", -32)
good("minus-33", "The first in two bytes.", "d0df", -33)
good("minus-129", "The first in three bytes.", "d1ff7f", -129)
good("least", "The least integer there is.", "d38000000000000000", -(2**63))
good("empty-text", "A text of no character.", "a0", "")
good("text-31", "The longest text with its length in the first byte.", "bf" + "61" * 31, "a" * 31)
good("text-32", "The shortest text with a length byte.", "d920" + "61" * 32, "a" * 32)
good("text-unicode", "Texts are UTF-8; no form is preferred (one code point here).", "a2c3a9", "\u00e9")
good("text-unicode-decomposed", "The same to the eye, another text to the protocol.", "a365cc81", "e\u0301")
good("text-nul", "A NUL is a character like others here.", "a100", "\x00")
good("empty-bin", "A bin of no byte.", "c400", {"bin": ""})
good("bin-256", "The shortest bin with two length bytes.", "c50100" + "00" * 256, {"bin": "00" * 256})
good("empty-array", "An array of nothing.", "90", [])
good("array-16", "The shortest array with length bytes.", "dc0010" + "00" * 16, [0] * 16)
good("nested-8", "Eight arrays in one another.", "91" * 7 + "90", [[[[[[[[]]]]]]]])

bad("encoding.non-canonical", "0 in two bytes.", "cc00", case="0")
bad("encoding.non-canonical", "127 in two bytes.", "cc7f", case="127")
bad("encoding.non-canonical", "255 in three bytes.", "cd00ff", case="255")
bad("encoding.non-canonical", "1 in nine bytes.", "cf0000000000000001", case="1")
bad("encoding.non-canonical", "1 as a signed integer.", "d001", case="signed-1")
bad("encoding.non-canonical", "128 as a signed integer.", "d10080", case="signed-128")
bad("encoding.non-canonical", "-1 in two bytes.", "d0ff", case="minus-1")
bad("encoding.non-canonical", "A text of one letter with a length byte.", "d90161", case="text")
bad("encoding.non-canonical", "A bin with two length bytes where one would do.", "c5000161", case="bin")
bad("encoding.non-canonical", "An array with two length bytes where none is needed.", "dc000100", case="array")
bad("encoding.wrong-type", "Nil.", "c0", case="nil")
bad("encoding.non-canonical", "A float of 32 bits.", "ca3f800000", case="float32")
bad("encoding.wrong-type", "A float of 64 bits.", "cb3ff0000000000000", case="float64")
bad("encoding.wrong-type", "Nil within an array.", "92c001", case="nil-inside")
bad("encoding.wrong-type", "An empty map.", "80", case="empty-map")
bad("encoding.malformed", "A map.", "810102", case="map")
bad("encoding.malformed", "An extension.", "d40100", case="ext")
bad("encoding.malformed", "A timestamp.", "d6ff00000000", case="timestamp")
bad("encoding.malformed", "The byte that msgpack never uses.", "c1", case="c1")
bad("encoding.malformed", "No byte at all.", "", case="empty")
bad("encoding.malformed", "Two values.", "0000", case="trailing")
bad("encoding.malformed", "A text shorter than it says.", "a36161", case="cut-text")
bad("encoding.malformed", "A bin of 4 GiB that is not there.", "c6ffffffff", case="huge-bin")
bad("encoding.malformed", "An array of 4 G that is not there.", "ddffffffff", case="huge-array")
bad("encoding.malformed", "A text with a byte that no UTF-8 has.", "a1ff", case="utf8")
bad("encoding.malformed", "A text with an overlong NUL.", "a2c080", case="overlong")
bad("encoding.malformed", "A text with half a surrogate pair.", "a3eda080", case="surrogate")
bad("encoding.too-deep", "Nine arrays in one another.", "91" * 8 + "90")
