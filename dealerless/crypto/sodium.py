"""libsodium, loaded when it is first needed: the five functions of ristretto255 that the deck is made of.

The copy that comes first is the one inside the `rbcl` wheel, because its bytes are those of the lock file, the same
for everyone. That package writes its library to a temporary file at every import and leaves it there; so it is not
imported: its library is read out of its source, and the file is gone as soon as it is loaded. Where there is no
such wheel, or the file may not be loaded, the system's library serves if it is new enough.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final, NamedTuple

from ..errors import DealerlessError

# The first version with ristretto255 (2019).
OLDEST: Final = (1, 0, 18)

_SYSTEM_NAMES: Final = ("libsodium.so.26", "libsodium.so.23", "libsodium.so", "libsodium.dylib")
# What stands around the library in the wheel's `_sodium.py`.
_BEGIN: Final = b"sodium_bs = bytes.fromhex('"
_END: Final = b"'"

_Call = Callable[..., int]


class Sodium(NamedTuple):
    """The functions used, each returning 0 unless an input is not what it must be.

    Outputs are arrays of 32 characters, inputs `bytes` of exactly the length the function reads: nobody below looks
    at types or lengths. (Declared to ctypes, the types would be looked at; for an addition that takes a twentieth
    of the time.)
    """

    multiply: _Call
    """(out, scalar 32, point 32): -1 for bytes that are no point, and for a product that is the identity."""
    multiply_base: _Call
    """(out, scalar 32): -1 for a product that is the identity."""
    add: _Call
    """(out, point 32, point 32): -1 for bytes that are no point."""
    subtract: _Call
    """(out, point 32, point 32): -1 for bytes that are no point."""
    is_point: _Call
    """(point 32): 1 for the canonical encoding of a point, the identity too, 0 for all else."""
    from_hash: _Call
    """(out, uniform 64): the point of RFC 9496, 4.3.4."""


@cache
def sodium() -> Sodium:
    """Return the library, loading it at the first call.

    Raises DealerlessError `group.no-library` if neither the wheel nor the system has one that can be loaded.
    """
    for load in (bundled, system):
        for library in load():
            found = bind(library)
            if found is not None:
                return found
    raise DealerlessError("group.no-library", hint="pip install rbcl, or install libsodium 1.0.18 or newer")


def bundled() -> Iterator[ctypes.CDLL]:
    """Yield the library inside the `rbcl` wheel, if there is one and it may be loaded."""
    import tempfile
    from importlib.abc import ResourceLoader
    from importlib.util import find_spec

    spec = find_spec("rbcl")
    if spec is None or not spec.submodule_search_locations or not isinstance(spec.loader, ResourceLoader):
        return
    try:
        source = spec.loader.get_data(f"{spec.submodule_search_locations[0]}/_sodium.py")
        begin = source.find(_BEGIN) + len(_BEGIN)
        image = bytes.fromhex(source[begin : source.find(_END, begin)].decode("ascii"))
        with tempfile.NamedTemporaryFile(prefix="libsodium-", suffix=".so") as file:
            file.write(image)
            file.flush()
            library = ctypes.CDLL(file.name)
    except (OSError, ValueError):
        return
    yield library


def system() -> Iterator[ctypes.CDLL]:
    """Yield the libraries that the system's loader finds under libsodium's names."""
    for name in _SYSTEM_NAMES:
        try:
            library = ctypes.CDLL(name)
        except OSError:
            continue
        yield library


def bind(library: ctypes.CDLL) -> Sodium | None:
    """Return the functions of `library`, made ready for use, or None if it is too old or cannot be started."""
    try:
        library.sodium_version_string.restype = ctypes.c_char_p
        version = tuple(int(part) for part in library.sodium_version_string().split(b"."))
        # 0 at the first call, 1 at later ones.
        if version < OLDEST or library.sodium_init() < 0:
            return None
        return Sodium(
            multiply=_int(library.crypto_scalarmult_ristretto255),
            multiply_base=_int(library.crypto_scalarmult_ristretto255_base),
            add=_int(library.crypto_core_ristretto255_add),
            subtract=_int(library.crypto_core_ristretto255_sub),
            is_point=_int(library.crypto_core_ristretto255_is_valid_point),
            from_hash=_int(library.crypto_core_ristretto255_from_hash),
        )
    except (AttributeError, ValueError):
        # Not libsodium, or one built without ristretto255.
        return None


def _int(function: ctypes._NamedFuncPointer) -> _Call:
    function.restype = ctypes.c_int
    return function
