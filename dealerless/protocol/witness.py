"""What a witness signs, and what its word is worth (VERDICT-6).

A witness is a board: any seat posts frames and everybody reads them. It signs a receipt for every frame that continues
the chain, which starts the clock of whoever owes next, and a no-show for a seat whose time ran out. It never touches
cards or chips: the worst that a lying witness can do with a seat it colludes with is to cost another the running hand's
pot.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ..crypto.ed25519 import SigningKey, VerifyKey
from ..encoding import encode
from ..errors import BadSignature, DecodeError, Violation
from .noshow import NoShow
from .state import Match

RECEIPT_TAG: Final = b"dealerless/1 receipt\x00"
NO_SHOW_TAG: Final = b"dealerless/1 noshow\x00"

# The first line of a file of receipts.
RECEIPTS_MAGIC: Final = b"dealerless receipts 1\n"

# The seat of a receipt after which nobody owes anything.
NOBODY: Final = -1


class Receipt(NamedTuple):
    """A witness's word that the message `record` stood at number `seq` at time `at`, and made `owing` owe the next.

    `witness` is its place in the offer, `session` the match, `at` milliseconds on its clock.
    """

    witness: int
    session: bytes
    seq: int
    record: bytes
    owing: int
    at: int
    signature: bytes


class Absence(NamedTuple):
    """A no-show, the seat it is about, and the number and head for which that seat owed."""

    seq: int
    head: bytes
    seat: int
    word: NoShow


class Posted(NamedTuple):
    """A message by its number and body hash, as what made a seat owe."""

    seq: int
    record: bytes


def read_receipt(value: object) -> Receipt:
    """Return the receipt in a decoded array of its fields; whether its signature holds is for others to say.

    Raises DecodeError `encoding.wrong-type`.
    """
    match value:
        case (int(witness), bytes(session), int(seq), bytes(record), int(owing), int(at), bytes(signature)):
            if bool not in map(type, (witness, seq, owing, at)):
                return Receipt(witness, session, seq, record, owing, at, signature)
    raise DecodeError("encoding.wrong-type")


def receipt_text(session: bytes, seq: int, record: bytes, owing: int, at: int) -> bytes:
    """Return the bytes a receipt's signature is over. SIG-3."""
    return RECEIPT_TAG + encode((session, seq, record, owing, at))


def no_show_text(session: bytes, seq: int, head: bytes, seat: int, since: int, bank: int, at: int) -> bytes:
    """Return the bytes a no-show's signature is over: the owed number, the head before it, the seat, and the times."""
    return NO_SHOW_TAG + encode((session, seq, head, seat, since, bank, at))


def sign_receipt(
    key: SigningKey, witness: int, session: bytes, seq: int, record: bytes, owing: int, at: int
) -> Receipt:
    """Return the receipt of a message."""
    signature = key.sign(receipt_text(session, seq, record, owing, at))
    return Receipt(witness, session, seq, record, owing, at, signature)


def sign_no_show(
    key: SigningKey,
    witness: int,
    match: Match,
    seq: int,
    head: bytes,
    seat: int,
    *,
    since: int,
    bank: int,
    at: int,
    receipt: bytes,
) -> NoShow:
    """Return the no-show of `seat`, which owes number `seq` since `since`."""
    text = no_show_text(match.session, seq, head, seat, since, bank, at)
    return NoShow(witness, since, bank, at, receipt, key.sign(text))


def check_receipt(match: Match, receipt: Receipt) -> None:
    """Return if a receipt is its witness's word on this match; raises Violation `witness.bad-receipt`."""
    if not 0 <= receipt.witness < len(match.witnesses) or receipt.session != match.session:
        raise Violation("witness.bad-receipt", actual=receipt.seq)
    text = receipt_text(receipt.session, receipt.seq, receipt.record, receipt.owing, receipt.at)
    if not _valid(match.witnesses[receipt.witness], text, receipt.signature):
        raise Violation("witness.bad-receipt", actual=receipt.seq)


def check_absence(
    match: Match,
    seq: int,
    head: bytes,
    seat: int,
    words: tuple[NoShow, ...],
    cause: Posted | tuple[NoShow, ...],
) -> Violation | None:
    """Return why these no-shows do not prove that `seat` let its time for number `seq` run out, or None.

    `cause` is what made it owe: a message whose receipts the no-shows carry, or the no-shows of the seat that should
    have come before it. There must be one from each of as many witnesses as the terms say, each at least a move's time
    and the rest of the bank after its witness's own receipt. VERDICT-6.
    """
    threshold = match.offer.threshold
    if not threshold or len(words) < threshold or len({word.witness for word in words}) < len(words):
        return Violation("witness.too-few", expected=threshold, actual=len(words))
    for word in words:
        unproven = check_word(match, seq, head, seat, word, cause)
        if unproven is not None:
            return unproven
    return None


def check_word(
    match: Match, seq: int, head: bytes, seat: int, word: NoShow, cause: Posted | tuple[NoShow, ...]
) -> Violation | None:
    """Return why one witness's no-show is not its word that `seat` let its time for number `seq` run out, or None.

    What it expected is what the signature had to be on: number, hash and owing seat, or the no-show that came before.
    What else `check_absence` asks for is that there be enough of them. VERDICT-6.
    """
    if word.witness >= len(match.witnesses):
        return Violation("witness.too-few", expected=len(match.witnesses), actual=word.witness)
    key, move = match.witnesses[word.witness], 1000 * match.offer.move_seconds
    if word.bank > 1000 * match.offer.bank_seconds or word.at - word.since < move + word.bank:
        return Violation("witness.too-soon", expected=move + word.bank, actual=word.at - word.since)
    if not _owed(match, key, seat, word, cause):
        signed = (cause.seq, cause.record, seat) if isinstance(cause, Posted) else _sooner(word, cause)
        return Violation("witness.bad-receipt", expected=signed, actual=(word.since, word.receipt))
    text = no_show_text(match.session, seq, head, seat, word.since, word.bank, word.at)
    if not _valid(key, text, word.signature):
        expected = (seq, head, seat, word.since, word.bank, word.at)
        return Violation("witness.bad-no-show", expected=expected, actual=word.signature)
    return None


def contradicted(match: Match, seq: int, word: NoShow, receipts: tuple[Receipt, ...]) -> bool:
    """Return whether the no-show's witness also signed a timely receipt for that number: then its word is void."""
    return any(
        receipt.witness == word.witness
        and receipt.session == match.session
        and receipt.seq == seq
        and receipt.at <= word.at
        for receipt in receipts
    )


def _owed(match: Match, key: VerifyKey, seat: int, word: NoShow, cause: Posted | tuple[NoShow, ...]) -> bool:
    """Return whether the no-show's clock began where its witness says the seat came to owe."""
    if isinstance(cause, Posted):
        return _valid(key, receipt_text(match.session, cause.seq, cause.record, seat, word.since), word.receipt)
    return any(
        earlier.witness == word.witness and earlier.at == word.since and earlier.signature == word.receipt
        for earlier in cause
    )


def _sooner(word: NoShow, cause: tuple[NoShow, ...]) -> tuple[int | bytes, ...]:
    """Return time and signature of this witness's no-show against the seat that was absent before; empty without."""
    words = [earlier for earlier in cause if earlier.witness == word.witness]
    return (words[0].at, words[0].signature) if words else ()


def _valid(key: VerifyKey, text: bytes, signature: bytes) -> bool:
    try:
        key.verify(text, signature)
    except BadSignature:
        return False
    return True
