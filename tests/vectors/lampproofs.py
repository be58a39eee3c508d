"""Lamps and lays among the vectors, with every value between the statement and the verdict, and ones to be refused.

Every refused one differs from a good one in one place, or is the best that somebody without a witness can do. Secrets
and nonces are stated. DECK-8.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dealerless.crypto.challenge import digest
from dealerless.crypto.elgamal import Ciphertext, Deck, card_point, joined
from dealerless.crypto.group import (
    BASE,
    IDENTITY,
    L,
    add,
    combine,
    decode_scalar,
    encode_scalar,
    multiply,
    multiply_base,
    subtract,
)
from dealerless.crypto.laying import LayWitness, apply_lay, prove_lay
from dealerless.crypto.membership import prove_class

from .deckproofs import CONTEXT, CONTEXTS, KEY, KEYS, MINE, as_json, drawn, stated
from .scribe import fixed
from .spoilt import NO_POINT, put, raised, turned

LAMPS: list[dict[str, Any]] = []

NAMES = [suit + rank for rank in "23456789TJQKA" for suit in "CDHS"]
CLASSES = {"DOWN": NAMES[:24], "UP": NAMES[24:]}
ROUND = 2


def _scalar(label: str) -> int:
    return int.from_bytes(fixed(f"lamps: {label}"), "little") % L


def good(
    name: str, about: str, of: str, statement: Mapping[str, Any], steps: Mapping[str, Any], witness: Mapping[str, Any]
) -> None:
    vector: dict[str, Any] = {"name": f"holds_{name}", "about": about, "expect": "holds", "code": None}
    vector |= {"clause": "DECK-8", "seat": None, "proof": of, "statement": stated(statement)}
    vector |= {"steps": as_json(steps)}
    # What counts something stays a number.
    hidden = {secret: value if secret in ("m", "b") else as_json(value) for secret, value in witness.items()}
    LAMPS.append(vector | {"witness": hidden})


def bad(
    code: str, of: str, case: str, about: str, statement: Mapping[str, Any], *, clause: str = "DECK-8", **changes: Any
) -> None:
    vector: dict[str, Any] = {"name": f"{code.replace('.', '_')}-{of}-{case}", "about": about, "expect": "refused"}
    vector |= {"code": code, "clause": clause, "seat": None, "proof": of}
    LAMPS.append(vector | {"statement": stated({**statement, **changes})})


def _other_places(of: str, statement: Mapping[str, Any]) -> None:
    for name, context in CONTEXTS.items():
        bad(f"proof.{of}", of, f"another-{name}", f"Made for another {name}.", statement, context=context)


def _bad_scalars(of: str, statement: Mapping[str, Any]) -> None:
    proof = statement["proof"]
    for case, about, changed in (
        ("challenge", "The first challenge with L added.", raised(proof, 0)),
        ("response", "The last response with L added.", raised(proof, len(proof) // 32 - 1)),
    ):
        bad("group.bad-scalar", of, case, about, statement, clause="DECK-1", proof=changed)
    about = "The last element is not there."
    bad("proof.wrong-length", of, "short", about, statement, clause="DECK-1", proof=proof[:-32])


def _covered(label: str, name: str) -> Ciphertext:
    """A card under the key alone."""
    scalar = _scalar(label)
    return multiply_base(scalar), add(card_point("onepoker", name), multiply(scalar, KEY))


# --- lamps ---------------------------------------------------------------------------------------------------


def _class_steps(statement: Mapping[str, Any], members: Sequence[bytes]) -> dict[str, Any]:
    """The values of a lamp out of its proof, by the verifier's equations."""
    proof, count, (a, z) = statement["proof"], len(members), statement["ciphertext"]
    scalars = [decode_scalar(proof[at : at + 32]) for at in range(0, len(proof), 32)]
    c, s = scalars[:count], scalars[count:]
    t = [
        (combine([s[j], -c[j]], [BASE, statement["key"]]), combine([s[j], -c[j], c[j]], [a, z, member]))
        for j, member in enumerate(members)
    ]
    fields = statement["slot"], statement["class"], statement["key"], a, z, b"".join(members), joined(tuple(t))
    return {
        "S": members,
        "Z_less_M": [subtract(z, member) for member in members],
        "t": t,
        "digest": digest("class", statement["context"].fields(), *fields),
        "sum": sum(c) % L,
        "c": c,
        "s": s,
    }


def _lamp(slot: int, name: str, text: str) -> tuple[dict[str, Any], list[bytes]]:
    members = [card_point("onepoker", member) for member in CLASSES[name]]
    pair, place = _covered(f"{name} card", text), CLASSES[name].index(text)
    proof = prove_class(MINE, CONTEXT, slot, name, KEY, pair, members, drawn(f"class {name}"))
    statement: dict[str, Any] = {"context": CONTEXT, "slot": slot, "class": name, "key": KEY}
    statement |= {"ciphertext": pair, "proof": proof}
    steps = _class_steps(statement, members)
    nonce = (steps["s"][place] - steps["c"][place] * MINE.scalar) % L
    about = f"The card is {text}, and is shown to be {name}."
    good(f"class-{name.lower()}", about, "class", statement, steps, {"x": MINE.scalar, "m": place + 1, "k": nonce})
    return statement, members


def _false_lamp(statement: Mapping[str, Any], members: Sequence[bytes], pair: Ciphertext) -> bytes:
    """What somebody can do whose card is of the other class: make up all branches, and mend one challenge."""
    scalars = [_scalar(f"made up {number}") for number in range(2 * len(members))]
    proof = b"".join(map(encode_scalar, scalars))
    steps = _class_steps({**statement, "ciphertext": pair, "proof": proof}, members)
    total = int.from_bytes(steps["digest"], "little")
    return put(proof, 0, encode_scalar(total - steps["sum"] + scalars[0]))


def _lamps() -> None:
    _lamp(5, "UP", "SA")
    statement, members = _lamp(4, "DOWN", "C2")
    proof, pair, count = statement["proof"], statement["ciphertext"], len(members)
    _other_places("class", statement)
    _bad_scalars("class", statement)

    def case(name: str, about: str, **changes: Any) -> None:
        bad("proof.class", "class", name, about, statement, **changes)

    case("another-slot", "As the class of another slot.", slot=5)
    case("another-key", "Under another seat's key.", key=KEYS[0])
    case("another-card", "Of another card of the class.", ciphertext=_covered("another card", "D5"))
    case("another-first-half", "The first half is another one.", ciphertext=(add(pair[0], BASE), pair[1]))
    false = _covered("false lamp", "H8")
    made = _false_lamp(statement, members, false)
    case("false-lamp", "An eight that is said to be DOWN.", ciphertext=false, proof=made)
    case("challenge", "Another c_1.", proof=turned(proof, 0))
    case("last-challenge", "Another challenge of the last branch.", proof=turned(proof, count - 1))
    case("response", "Another s_1.", proof=turned(proof, count))
    case("last-response", "Another response of the last branch.", proof=turned(proof, 2 * count - 1))
    first, second = proof[:32], proof[32:64]
    case(
        "challenges", "Two challenges in each other's place, with one sum.", proof=put(put(proof, 0, second), 1, first)
    )
    about = "A proof for DOWN, said to be one for UP."
    bad("proof.wrong-length", "class", "another-class", about, statement, clause="DECK-1", **{"class": "UP"})
    for place, name in enumerate(("first-half", "second-half")):
        for code, what, point in (
            ("group.identity", "The identity", IDENTITY),
            ("group.not-a-point", "1 in another spelling", NO_POINT),
        ):
            halves = [*pair[:place], point, *pair[place + 1 :]]
            bad(code, "class", name, f"{what}: {name}.", statement, clause="DECK-1", ciphertext=halves)


# --- lays ----------------------------------------------------------------------------------------------------


def _lay_steps(statement: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a lay out of its proof, by the verifier's equations."""
    proof, key = statement["proof"], statement["key"]
    c0, c1, *s = [decode_scalar(proof[at : at + 32]) for at in range(0, len(proof), 32)]
    c = (c0, c1)
    cards, laid = [_pairs(statement[name]) for name in ("cards", "laid")]
    t = [
        [combine([s[2 * e + j], -c[e], c[e]], [base, laid[j][half], cards[e ^ j][half]]) for half, base in ends]
        for e in (0, 1)
        for j in (0, 1)
        for ends in [((0, BASE), (1, key))]
    ]
    fields = [a + z for a, z in (*cards, *laid, *t)]
    found = digest("lay", statement["context"].fields(), statement["round"], key, *fields)
    return {"t": t, "digest": found, "sum": sum(c) % L, "c": c, "s": s}


def _pairs(data: bytes) -> list[Ciphertext]:
    return [(data[at : at + 32], data[at + 32 : at + 64]) for at in range(0, len(data), 64)]


CARDS: Deck = (_covered("kept card", "D7"), _covered("new card", "HQ"))


def _proven(name: str, laid: Deck, witness: LayWitness) -> dict[str, Any]:
    """A lay with the proof that its author can make of what he has, be it a witness or not."""
    proof = prove_lay(MINE, CONTEXT, ROUND, KEY, CARDS, laid, witness, drawn(name))
    statement: dict[str, Any] = {"context": CONTEXT, "round": ROUND, "key": KEY}
    return statement | {"cards": joined(CARDS), "laid": joined(laid), "proof": proof}


def _lay(choice: int, about: str) -> tuple[dict[str, Any], LayWitness]:
    witness = LayWitness(choice, [_scalar(f"r_{number} of choice {choice}") for number in (0, 1)])
    statement = _proven(f"lay {choice}", apply_lay(MINE, CARDS, witness), witness)
    steps = _lay_steps(statement)
    k = [(steps["s"][2 * choice + j] - steps["c"][choice] * witness.scalars[j]) % L for j in (0, 1)]
    good(f"lay-{choice}", about, "lay", statement, steps, {"b": choice, "r": list(witness.scalars), "k": k})
    return statement, witness


def _lays() -> None:
    _lay(0, "The kept card is laid, and the new one kept.")
    statement, witness = _lay(1, "The new card is laid, and the other one kept again.")
    proof, laid = statement["proof"], statement["laid"]
    _other_places("lay", statement)
    _bad_scalars("lay", statement)

    def case(name: str, about: str, **changes: Any) -> None:
        bad("proof.lay", "lay", name, about, statement, **changes)

    case("another-round", "As the lay of another round.", round=3)
    case("another-key", "Under another seat's key.", key=KEYS[0])
    case("cards-exchanged", "Of the two cards in each other's place.", cards=joined(CARDS[::-1]))
    case("exchanged", "The laid and the kept card in each other's place.", laid=laid[64:] + laid[:64])
    case("altered", "The laid card is another one by G.", laid=put(laid, 1, add(laid[32:64], BASE)))
    good_laid = _pairs(laid)
    for name, about, wrong in (
        ("not-held", "A card is laid that was never held.", (_covered("not held", "S2"), good_laid[1])),
        ("same-twice", "The new card is laid, and kept as well.", (good_laid[0], _same(witness.scalars[1]))),
    ):
        bad("proof.lay", "lay", name, about, _proven(name, wrong, witness))
    for number, name in enumerate(("c_0", "c_1", "s_00", "s_01", "s_10", "s_11")):
        case(name.replace("_", "-"), f"Another {name}.", proof=turned(proof, number))
    swapped = proof[32:64] + proof[:32] + proof[128:] + proof[64:128]
    case("branches", "The branches in each other's place.", proof=swapped)
    for name, about, bare in (
        ("laid", "The laid card is covered as it was.", LayWitness(1, [0, witness.scalars[1]])),
        ("kept", "The kept card is covered as it was.", LayWitness(1, [witness.scalars[0], 0])),
        ("both", "Both cards are covered as they were.", LayWitness(0, [0, 0])),
    ):
        bad("proof.lay-without-remask", "lay", name, about, _proven(name, apply_lay(MINE, CARDS, bare), bare))
    for at, name in enumerate(("laid-first", "laid-second", "kept-first", "kept-second")):
        what = f"{name} half".replace("-", " card's ")
        for code, about, point in (
            ("group.identity", f"The identity for the {what}.", IDENTITY),
            ("group.not-a-point", f"1 in another spelling for the {what}.", NO_POINT),
        ):
            bad(code, "lay", name, about, statement, clause="DECK-1", laid=put(laid, at, point))
    bad("deck.wrong-size", "lay", "fewer", "The laid card alone.", statement, laid=laid[:64])


def _same(scalar: int) -> Ciphertext:
    """The new card covered anew."""
    a, z = CARDS[1]
    return add(a, multiply_base(scalar)), add(z, multiply(scalar, KEY))


_lamps()
_lays()
