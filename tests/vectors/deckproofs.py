"""Single proofs among the vectors, with every value between the statement and the verdict, and ones to be refused.

Every refused one differs from a good one in one place. Secrets and nonces are stated: try a prover with them. DECK-1 to
DECK-4, DECK-6.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dealerless.crypto.challenge import Context, challenge, digest
from dealerless.crypto.elgamal import card_point, joined, start_deck
from dealerless.crypto.equality import prove_opening, prove_shares, share
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
from dealerless.crypto.schnorr import DeckSecret, joint, prove_key
from dealerless.crypto.shuffle import ShuffleWitness, apply_shuffle, generators, prove_shuffle, shuffle
from dealerless.encoding import encode
from dealerless.games import GAMES

from .scribe import fixed
from .spoilt import NO_POINT, put, raised, turned

PROOFS: list[dict[str, Any]] = []
STARTS: list[dict[str, Any]] = []

CONTEXT = Context(
    session=fixed("deck proofs: session"), hand=3, deck=0, seat=1, purpose="share", prev=fixed("deck proofs: head")
)
PLAIN = ("slot", "round", "class")
"""What counts or names something stays as it is in a statement."""
CONTEXTS = {
    "session": replace(CONTEXT, session=fixed("another session")),
    "hand": replace(CONTEXT, hand=4),
    "deck": replace(CONTEXT, deck=1),
    "seat": replace(CONTEXT, seat=0),
    "purpose": replace(CONTEXT, purpose="release"),
    "prev": replace(CONTEXT, prev=fixed("another head")),
}


def drawn(label: str) -> Callable[[int], bytes]:
    """A source that gives the same bytes every time."""
    return lambda size: hashlib.shake_256(f"dealerless vectors: proofs: {label}".encode()).digest(size)


SECRETS = tuple([DeckSecret(drawn(f"key {seat}")) for seat in range(2)])
KEYS = tuple([secret.public for secret in SECRETS])
JOINT = joint(KEYS)
MINE, KEY = SECRETS[1], KEYS[1]


def as_json(value: object) -> object:
    """Bytes as hex, and so are scalars: 32 bytes, little-endian."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, int):
        return encode_scalar(value).hex()
    if isinstance(value, Mapping):
        return {name: as_json(item) for name, item in value.items()}
    if isinstance(value, Sequence):
        return [as_json(item) for item in value]
    raise TypeError(type(value))


def stated(statement: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in statement.items():
        if isinstance(value, Context):
            found[name] = [{"bin": part.hex()} if isinstance(part, bytes) else part for part in value.fields()]
        else:
            found[name] = value if name in PLAIN else list(value) if name == "slots" else as_json(value)
    return found


def good(
    name: str, about: str, clause: str, statement: Mapping[str, Any], steps: Mapping[str, Any], witness: Any
) -> None:
    vector: dict[str, Any] = {
        "name": f"holds_{name}",
        "about": about,
        "expect": "holds",
        "code": None,
        "clause": clause,
        "seat": None,
    }
    vector |= {"proof": name.partition("-")[0], "statement": stated(statement)}
    PROOFS.append(vector | {"steps": as_json(steps), "witness": as_json(witness)})


def bad(code: str, clause: str, of: str, case: str, about: str, statement: Mapping[str, Any]) -> None:
    vector: dict[str, Any] = {
        "name": f"{code.replace('.', '_')}-{of}-{case}",
        "about": about,
        "expect": "refused",
        "code": code,
    }
    PROOFS.append(vector | {"clause": clause, "seat": None, "proof": of, "statement": stated(statement)})


def _other_contexts(of: str, code: str, clause: str, statement: dict[str, Any]) -> None:
    for name, context in CONTEXTS.items():
        bad(code, clause, of, f"another-{name}", f"Made for another {name}.", statement | {"context": context})


def _bad_scalars(of: str, statement: dict[str, Any], at: int) -> None:
    proof = statement["proof"]
    case = {"proof": raised(proof, at)}
    bad("group.bad-scalar", "DECK-1", of, "challenge", "The challenge with L added.", statement | case)
    case = {"proof": raised(proof, len(proof) // 32 - 1)}
    bad("group.bad-scalar", "DECK-1", of, "response", "The last response with L added.", statement | case)
    case = {"proof": proof[:-32]}
    bad("proof.wrong-length", "DECK-1", of, "short", "The last element is not there.", statement | case)


# --- key -----------------------------------------------------------------------------------------------------


def _keys() -> None:
    context, ctx = CONTEXT, CONTEXT.fields()
    proof = prove_key(MINE, context, drawn("key"))
    c, s = decode_scalar(proof[:32]), decode_scalar(proof[32:])
    nonce = (s - c * MINE.scalar) % L
    t = multiply_base(nonce)
    hashed = encode(("key", ctx, KEY, t))
    steps = {"hashed": hashed, "digest": digest("key", ctx, KEY, t), "t": t, "c": c, "s": s}
    statement = {"context": context, "key": KEY, "proof": proof}
    good("key", "A key and its proof.", "DECK-1", statement, steps, {"x": MINE.scalar, "k": nonce})
    _other_contexts("key", "proof.key", "DECK-1", statement)
    _bad_scalars("key", statement, 0)
    rogue = {"key": subtract(KEY, KEYS[0])}
    bad("proof.key", "DECK-1", "key", "rogue", "A key less another seat's.", statement | rogue)
    bad("proof.key", "DECK-1", "key", "another-key", "The proof of another key.", statement | {"key": KEYS[0]})
    bad("proof.key", "DECK-1", "key", "challenge", "Another challenge.", statement | {"proof": turned(proof, 0)})
    bad("proof.key", "DECK-1", "key", "response", "Another response.", statement | {"proof": turned(proof, 1)})
    bad("group.not-a-point", "DECK-1", "key", "odd", "1 in another spelling.", statement | {"key": NO_POINT})
    high = KEY[:31] + bytes([KEY[31] | 128])
    bad("group.not-a-point", "DECK-1", "key", "high-bit", "The key with bit 255 set.", statement | {"key": high})
    bad("group.not-a-point", "DECK-1", "key", "short", "31 bytes.", statement | {"key": KEY[:31]})
    bad("group.identity", "DECK-1", "key", "identity", "The identity for a key.", statement | {"key": IDENTITY})


# --- shares --------------------------------------------------------------------------------------------------


def _points(slots: Sequence[int]) -> list[bytes]:
    return [card_point("first halves", str(slot)) for slot in slots]


def _shares(name: str, about: str, slots: Sequence[int]) -> dict[str, Any]:
    points = _points(slots)
    shares = share(MINE, points)
    proof = prove_shares(MINE, CONTEXT, KEY, slots, points, shares, drawn(name))
    seed = digest("shares", CONTEXT.fields(), KEY, tuple(slots), b"".join(points), b"".join(shares))
    weights = [challenge("w", seed, j) for j in range(1, len(slots) + 1)] if len(slots) > 1 else [1]
    a, b = combine(weights, points), combine(weights, shares)
    c, s = decode_scalar(proof[:32]), decode_scalar(proof[32:])
    nonce = (s - c * MINE.scalar) % L
    steps = {"seed": seed, "w": weights, "A": a, "B": b, "t1": multiply_base(nonce), "t2": multiply(nonce, a)}
    statement = {"context": CONTEXT, "key": KEY, "slots": slots, "points": points, "shares": shares, "proof": proof}
    good(name, about, "DECK-4", statement, steps | {"c": c, "s": s}, {"x": MINE.scalar, "k": nonce})
    return statement


def _cancelling(shares: Sequence[bytes], seed: bytes) -> list[bytes]:
    """Two wrong shares whose errors cancel under the weights of the right ones."""
    one, two = challenge("w", seed, 1), challenge("w", seed, 2)
    return [add(shares[0], multiply(two, BASE)), subtract(shares[1], multiply(one, BASE)), *shares[2:]]


def _all_shares() -> None:
    _shares("shares-one", "One share: its weight is 1.", (7,))
    statement = _shares("shares-three", "Three shares with one proof.", (4, 5, 6))
    shares, proof = statement["shares"], statement["proof"]
    _other_contexts("shares", "proof.shares", "DECK-4", statement)
    _bad_scalars("shares", statement, 0)

    def case(name: str, about: str, **changes: Any) -> None:
        bad("proof.shares", "DECK-4", "shares", name, about, statement | changes)

    case("another-key", "Under another seat's key.", key=KEYS[0])
    case("another-slot", "As the shares of other slots.", slots=(4, 5, 7))
    case("another-point", "Of another card.", points=[*statement["points"][:2], card_point("first halves", "7")])
    case("wrong", "One share is another point.", shares=(BASE, *shares[1:]))
    case("exchanged", "Two shares in each other's place.", shares=(shares[1], shares[0], shares[2]))
    seed = digest("shares", CONTEXT.fields(), KEY, (4, 5, 6), b"".join(statement["points"]), b"".join(shares))
    wrong = _cancelling(shares, seed)
    case("cancelling", "Two shares whose errors cancel under the weights of the right ones.", shares=wrong)
    again = prove_shares(MINE, CONTEXT, KEY, (4, 5, 6), statement["points"], wrong, drawn("again"))
    case("cancelling-again", "The same with a proof made for them.", shares=wrong, proof=again)
    case("challenge", "Another challenge.", proof=turned(proof, 0))
    case("response", "Another response.", proof=turned(proof, 1))
    bad("group.identity", "DECK-1", "shares", "identity", "A share of nothing.", statement | {"shares": [IDENTITY] * 3})
    case_ = {"shares": [NO_POINT, *shares[1:]]}
    bad("group.not-a-point", "DECK-1", "shares", "odd", "1 in another spelling.", statement | case_)
    bad("proof.wrong-length", "DECK-1", "shares", "fewer", "A share too few.", statement | {"shares": shares[:2]})


# --- opening -------------------------------------------------------------------------------------------------


def _opening() -> None:
    (point,), z = _points((9,)), card_point("holdem", "SA")
    (mine,) = share(MINE, [point])
    pair = (point, add(z, mine))
    proof = prove_opening(MINE, CONTEXT, 9, KEY, pair, mine, drawn("opening"))
    c, s = decode_scalar(proof[:32]), decode_scalar(proof[32:])
    nonce = (s - c * MINE.scalar) % L
    t1, t2 = multiply_base(nonce), multiply(nonce, point)
    hashed = encode(("open", CONTEXT.fields(), 9, KEY, *pair, mine, t1, t2))
    statement = {"context": CONTEXT, "slot": 9, "key": KEY, "ciphertext": pair, "share": mine, "proof": proof}
    steps = {"hashed": hashed, "t1": t1, "t2": t2, "c": c, "s": s}
    good("opening", "The ace of spades is shown.", "DECK-6", statement, steps, {"x": MINE.scalar, "k": nonce})
    _other_contexts("opening", "proof.opening", "DECK-6", statement)
    _bad_scalars("opening", statement, 0)

    def case(name: str, about: str, **changes: Any) -> None:
        bad("proof.opening", "DECK-6", "opening", name, about, statement | changes)

    case("another-slot", "As the card of another slot.", slot=8)
    case("another-key", "Under another seat's key.", key=KEYS[0])
    case("another-card", "Of another card.", ciphertext=(point, add(card_point("holdem", "SK"), mine)))
    case("wrong", "Another share: the card would be another one.", share=BASE)
    case("challenge", "Another challenge.", proof=turned(proof, 0))
    case("response", "Another response.", proof=turned(proof, 1))
    bad("group.identity", "DECK-1", "opening", "identity", "The identity for a share.", statement | {"share": IDENTITY})
    bad("group.not-a-point", "DECK-1", "opening", "odd", "1 in another spelling.", statement | {"share": NO_POINT})


# --- shuffle -------------------------------------------------------------------------------------------------


def _shuffle_steps(statement: Mapping[str, Any], count: int) -> dict[str, Any]:
    """The argument's values out of a proof, by the verifier's equations."""
    proof, deck, new = statement["proof"], statement["deck"], statement["shuffled"]
    elements = [proof[at : at + 32] for at in range(0, len(proof), 32)]
    big_c, chain = elements[:count], elements[count : 2 * count]
    c, s1, s2, s3, s4, *rest = map(decode_scalar, elements[2 * count :])
    s_hat, s_prime = rest[:count], rest[count:]
    h, hs = generators(count)
    seed = digest("u", statement["context"].fields(), count, statement["joint"], deck, new, b"".join(big_c))
    u = [int.from_bytes(digest("ui", seed, number)[:16], "little") for number in range(1, count + 1)]
    product = 1
    for exponent in u:
        product = product * exponent % L
    a, a_new = [[half[at : at + 32] for at in range(0, len(half), 64)] for half in (deck, new)]
    b, b_new = [[half[at : at + 32] for at in range(32, len(half), 64)] for half in (deck, new)]
    minus, links = [-c * exponent for exponent in u], [h, *chain]
    return {
        "generators": [h, *hs],
        "C": big_c,
        "chain": chain,
        "seed": seed,
        "u": u,
        "t1": combine([s1, *[-c] * count, *[c] * count], [BASE, *big_c, *hs]),
        "t2": combine([s2, -c, c * product], [BASE, chain[-1], h]),
        "t3": combine([s3, *s_prime, *minus], [BASE, *hs, *big_c]),
        "t4": [
            combine([-s4, *s_prime, *minus], [statement["joint"], *b_new, *b]),
            combine([-s4, *s_prime, *minus], [BASE, *a_new, *a]),
        ],
        "t_hat": [combine([s_hat[i], s_prime[i], -c], [BASE, links[i], links[i + 1]]) for i in range(count)],
        "c": c,
        "s": [s1, s2, s3, s4],
        "s_hat": s_hat,
        "s_prime": s_prime,
    }


def _shuffled(name: str, about: str, names: Sequence[str]) -> dict[str, Any]:
    """A deck that was shuffled once before, and its second shuffle."""
    first, _ = shuffle(start_deck("holdem", names, JOINT), JOINT, replace(CONTEXT, seat=0), drawn(f"{name} before"))
    count = len(names)
    order = sorted(range(count), key=lambda number: fixed(f"{name}: place {number}"))
    scalars = [int.from_bytes(fixed(f"{name}: scalar {number}"), "little") % L for number in range(count)]
    witness = ShuffleWitness(order, scalars)
    new = apply_shuffle(first, JOINT, witness)
    proof = prove_shuffle(first, new, JOINT, CONTEXT, witness, drawn(name))
    statement = {"context": CONTEXT, "joint": JOINT, "deck": joined(first), "shuffled": joined(new), "proof": proof}
    psi = [number + 1 for number in order]
    steps = _shuffle_steps(statement, count)
    good(name, about, "DECK-3", statement, steps, {"psi": psi, "r_prime": scalars})
    return statement


def _shuffles() -> None:
    names = [GAMES["holdem"].card_text(card) for card in GAMES["holdem"].deck()]
    _shuffled("shuffle-52", "52 cards.", names)
    _shuffled("shuffle-5", "Five cards.", names[:5])
    statement = _shuffled("shuffle-3", "Three cards.", names[:3])
    count, deck, new, proof = 3, statement["deck"], statement["shuffled"], statement["proof"]
    _other_contexts("shuffle", "proof.shuffle", "DECK-3", statement)
    _bad_scalars("shuffle", statement, 2 * count)

    def case(name: str, about: str, **changes: Any) -> None:
        bad("proof.shuffle", "DECK-3", "shuffle", name, about, statement | changes)

    case("another-key", "Under another key.", joint=KEYS[0])
    case("another-order", "Of a deck in another order.", deck=deck[64:] + deck[:64])
    case("reordered", "The new deck in another order.", shuffled=new[64:] + new[:64])
    case("duplicated", "The first card instead of the second one.", shuffled=new[:64] + new[:64] + new[128:])
    case("altered", "A card is another one.", shuffled=put(new, 1, add(new[32:64], BASE)))
    for name, at in (
        ("c", 2 * count),
        ("s1", 2 * count + 1),
        ("s2", 2 * count + 2),
        ("s3", 2 * count + 3),
        ("s4", 2 * count + 4),
        ("s-hat", 2 * count + 5),
        ("s-prime", 3 * count + 5),
    ):
        case(name, f"Another {name}.", proof=turned(proof, at))
    case("commitment", "Another C_2.", proof=put(proof, 1, BASE))
    case("chain", "Another c^_2.", proof=put(proof, count + 1, BASE))
    for part, field in (("first-half", "shuffled"), ("commitment", "proof")):
        element = {field: put(statement[field], 0, IDENTITY)}
        bad("group.identity", "DECK-1", "shuffle", part, f"The identity: {part}.", statement | element)
        element = {field: put(statement[field], 0, NO_POINT)}
        bad("group.not-a-point", "DECK-1", "shuffle", part, f"1 in another spelling: {part}.", statement | element)
    fewer = {"shuffled": new[:-64]}
    bad("deck.wrong-size", "DECK-3", "shuffle", "fewer", "A card too few in the new deck.", statement | fewer)


# --- start ---------------------------------------------------------------------------------------------------


def _start(name: str) -> None:
    game = GAMES[name]
    names = [game.card_text(card) for card in game.deck()]
    STARTS.append(
        {
            "name": f"start_{name}",
            "about": f"The {len(names)} cards of {name}, and their deck before the first shuffle.",
            "expect": "deck",
            "code": None,
            "clause": "DECK-2",
            "seat": None,
            "game": name,
            "keys": [key.hex() for key in KEYS],
            "joint": JOINT.hex(),
            "cards": [[text, card_point(name, text).hex()] for text in dict.fromkeys(names)],
            "deck": joined(start_deck(name, names, JOINT)).hex(),
        }
    )


_keys()
_all_shares()
_opening()
_shuffles()
_start("holdem")
_start("hex")
_start("draw")
