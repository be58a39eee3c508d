"""The one tree of errors, and the one table of codes behind it.

A code is `layer.defect`. It never changes its meaning and is never removed (VERDICT-9); `spec/errors.md`
lists the same table and a test compares the two. Texts for people are made from code, expected and actual
here and are never parsed anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Defect:
    """One row of the table of codes: the clause that is broken and a sentence for people."""

    clause: str
    text: str


CODES: Final[dict[str, Defect]] = {
    # bytes
    "encoding.too-large": Defect("ENC-6", "the message is larger than its kind may be"),
    "encoding.malformed": Defect("ENC-2", "these bytes are not one msgpack value of the allowed types"),
    "encoding.non-canonical": Defect("ENC-2", "the bytes are not the one canonical encoding of their value"),
    "encoding.too-deep": Defect("ENC-2", "arrays are nested too deeply"),
    "encoding.wrong-type": Defect("ENC-2", "a field has the wrong type"),
    "encoding.wrong-length": Defect("ENC-2", "a field or array has the wrong length"),
    "encoding.out-of-range": Defect("ENC-6", "a number is outside its range"),
    "encoding.unknown-kind": Defect("ENC-2", "there is no message of this kind"),
    # cards typed by people
    "cards.not-hex-digits": Defect("HEX-1", "a hex card is one of 0123456789abcdef, in lower case"),
    "cards.count": Defect("HEX-12", "this is not the right number of cards"),
    "cards.not-a-card": Defect("HOLDEM-4", "a card is a suit S, H, D or C, then a rank A, K, Q, J, T or 9 to 2"),
    "cards.class": Defect("ONE-4", "the card is of no class that the lamps of the seat show"),
    "cards.duplicate": Defect("HOLDEM-2", "the same card is there twice"),
    "deals.short": Defect("HOLDEM-4", "a deal has three lines, and the end comes before the third"),
    "deals.no-end": Defect("HOLDEM-4", "the deals do not end in a line #"),
    "deals.after-end": Defect("HOLDEM-4", "nothing may follow the line # that ends the deals"),
    # records of a transcript that prove nothing about anybody
    "record.not-a-transcript": Defect("ENC-5", "the file does not begin as a dealerless transcript"),
    "record.truncated": Defect("ENC-5", "the file ends inside a record"),
    "record.too-large": Defect("ENC-6", "a record is empty, or larger than any message may be"),
    "record.not-a-frame": Defect("ENC-3", "the record is not a frame of body and signature"),
    "record.no-header": Defect("VERDICT-1", "the first five elements of the body cannot be read"),
    "record.wrong-version": Defect("ENC-4", "the message belongs to another protocol version"),
    "record.foreign-session": Defect("ENC-4", "the message belongs to another match"),
    "record.unknown-seat": Defect("ENC-4", "there is no such seat at this table"),
    "record.wrong-sequence": Defect("CHAIN-1", "the message does not stand at this place of the chain"),
    "record.broken-link": Defect("ENC-3", "the message does not follow the one before it"),
    "record.duplicate": Defect("CHAIN-2", "the same message stands here twice"),
    "record.bad-signature": Defect("SIG-2", "the signature is not valid under the seat's key"),
    "record.before-ready": Defect("CHAIN-0", "a message before the last ready is not valid; nobody is to blame"),
    "record.proof-kept": Defect("CHAIN-5", "the proof of equivocation is kept until its author owes a message"),
    "record.refused-missing": Defect("CHAIN-5", "the record for which a seat is expelled is not in this copy"),
    "record.after-fault": Defect("VERDICT-2", "what follows an unexpelled fault is not judged"),
    # keys and signatures
    "signature.weak-key": Defect("SIG-1", "the key is not a point of the prime-order group, or is the identity"),
    "signature.non-canonical-key": Defect("SIG-1", "the key's bytes are not canonical"),
    "signature.invalid": Defect("SIG-2", "the signature does not verify"),
    "signature.duplicate-key": Defect("SIG-1", "two seats or witnesses have the same key"),
    # terms
    "terms.unknown-game": Defect("TABLE-1", "there is no such game"),
    "terms.unknown-dealing": Defect("HEX-4", "the game cannot be dealt in this way"),
    "terms.unknown-suite": Defect("HASHDEAL-1", "there is no such suite"),
    "terms.out-of-range": Defect("ENC-6", "a number in the terms is outside its range"),
    "terms.seats": Defect("HEX-1", "the game is not played by this number of seats"),
    "terms.unknown-structure": Defect("HOLDEM-3", "the betting is neither 'no-limit' nor 'limit'"),
    "terms.unknown-show-rule": Defect("SHOW-2", "the show rule is neither 'all' nor 'muck'"),
    "terms.malformed": Defect("ENC-4", "the terms do not have the fields of this game"),
    "terms.witness-threshold": Defect("ENC-4", "the witness threshold does not fit the number of witnesses"),
    "terms.witness-times": Defect("VERDICT-6", "a time for moves is agreed if and only if there are witnesses"),
    # turn and phase
    "turn.not-yours": Defect("CHAIN-1", "another seat owes the next message"),
    "turn.wrong-kind": Defect("CHAIN-1", "a message of another kind is owed now"),
    "turn.match-over": Defect("CHAIN-3", "the match is complete; nothing more belongs to it"),
    "chain.wrong-hand": Defect("CHAIN-4", "the hand's number, button, stacks or net are not those the chain implies"),
    "chain.equivocation": Defect("CHAIN-2", "two different messages were signed on one previous hash"),
    "chain.wrong-expulsion": Defect("CHAIN-5", "the expulsion does not name the record before it"),
    "chain.fork": Defect("CHAIN-2", "the peer's copy of the match is another branch than ours"),
    "settle.wrong": Defect("CHAIN-3", "the settlement does not state the head, stacks and net the chain implies"),
    # the word of witnesses
    "witness.too-few": Defect("VERDICT-6", "not as many witnesses say so as the terms ask for, each once"),
    "witness.too-soon": Defect("VERDICT-6", "the time of the move and of the bank had not run out"),
    "witness.bad-receipt": Defect("VERDICT-6", "the clock does not begin with a receipt of what made it run"),
    "witness.bad-no-show": Defect("VERDICT-6", "the no-show is not signed by its witness for this seat and place"),
    "witness.no-show": Defect("VERDICT-6", "the seat let its time run out"),
    "board.not-named": Defect("WITNESS-3", "the offer does not name this witness"),
    "board.unknown-match": Defect("WITNESS-2", "there is no such match on this board"),
    "board.not-yet": Defect("WITNESS-4", "that seat has time left there, or does not owe that message"),
    "board.late": Defect("WITNESS-5", "the message came after the word that its seat's time had run out"),
    "board.full": Defect("WITNESS-6", "there is no room for this on the board"),
    "board.stranger": Defect("WITNESS-6", "this witness does not watch the matches of these keys"),
    "witness.void": Defect("VERDICT-6", "a witness also signed a timely receipt; its no-show is void"),
    # commitments and openings
    "commit.duplicate": Defect("COMMIT-3", "two seats made the same commitment"),
    "commit.early-opening": Defect("COMMIT-3", "a seed was opened before it may be"),
    "commit.wrong-opening": Defect("COMMIT-2", "the seed does not open the commitment"),
    "commit.seed-reuse": Defect("COMMIT-3", "the seed was opened before in this session"),
    # the deck nobody knows
    "deck.wrong-size": Defect("DECK-4", "there are not as many ciphertexts or shares as this place needs"),
    "deck.wrong-release": Defect("DECK-9", "the move does not release exactly the shares that it must"),
    "group.no-library": Defect("DECK-1", "no libsodium with ristretto255 can be loaded"),
    "group.not-a-point": Defect("DECK-1", "these bytes are not the canonical encoding of a point"),
    "group.identity": Defect("DECK-1", "the identity stands where a point must"),
    "group.bad-scalar": Defect("DECK-1", "these bytes are not a scalar below the order of the group"),
    "proof.wrong-length": Defect("DECK-1", "the proof, or the list it is about, does not have the right length"),
    "proof.key": Defect("DECK-1", "the author of the key has not shown that he knows its secret"),
    "proof.shuffle": Defect("DECK-3", "the new deck has not been shown to hold the cards of the old one"),
    "proof.shares": Defect("DECK-4", "the shares have not been shown to be made with the author's key"),
    "proof.opening": Defect("DECK-6", "the card's share has not been shown to be made with the owner's key"),
    "proof.class": Defect("DECK-8", "the card has not been shown to be one of the class that its owner names"),
    "proof.lay": Defect("DECK-8", "the laid and the kept card have not been shown to be the two that were held"),
    "proof.lay-without-remask": Defect("DECK-8", "a card is covered as it was, which shows the one that was laid"),
    # betting and showing
    "bet.not-a-move": Defect("HEX-6", "there is no move of this name"),
    "bet.nothing-owed": Defect("HEX-6", "the move needs something to answer, and nothing is owed"),
    "bet.chips-owed": Defect("HEX-6", "the move is not possible while chips are owed"),
    "bet.over-stack": Defect("HEX-6", "the stack does not hold that many chips"),
    "bet.wrong-amount": Defect("HEX-6", "the amount is not the one this move puts in"),
    "bet.not-allowed": Defect("HEX-7", "the move may not follow the last one"),
    "bet.below-minimum-raise": Defect("BET-4", "the bet or raise is smaller than the last full one"),
    "bet.not-reopened": Defect("BET-4", "betting has not risen enough since this seat acted for it to raise"),
    "bet.cap-reached": Defect("BET-5", "no further raise is allowed in this round"),
    "bet.no-answer": Defect("BET-6", "no other seat could answer the bet or raise"),
    "exchange.too-many": Defect("DRAW-2", "more cards are exchanged than may be"),
    "exchange.not-held": Defect("DECK-7", "a card is exchanged that the seat does not hold"),
    "exchange.unordered": Defect("DRAW-10", "the slots to exchange are not different ones in ascending order"),
    "show.may-not-muck": Defect("SHOW-2", "this seat must show"),
    # files on the playing side
    "journal.exists": Defect("ENC-5", "a file of this name exists and is never overwritten"),
    "journal.missing": Defect("ENC-5", "there is no journal of this name"),
    "journal.not-a-file": Defect("ENC-5", "the journal is not a regular file"),
    "journal.inaccessible": Defect("ENC-5", "the journal cannot be opened"),
    "journal.locked": Defect("ENC-5", "another process is writing this journal"),
    "journal.damaged": Defect("ENC-5", "the journal is damaged before its end"),
    "journal.empty": Defect("ENC-5", "there is no match in the journal: nothing has been signed in it"),
    "journal.write-failed": Defect("ENC-5", "the journal could not be written; nothing was added to it"),
    "secrets.exists": Defect("ENC-5", "a file of this name exists and is never overwritten"),
    "secrets.missing": Defect("ENC-5", "there is no secrets file of this name"),
    "secrets.not-a-file": Defect("ENC-5", "the secrets file is not a regular file"),
    "secrets.inaccessible": Defect("ENC-5", "the secrets file cannot be opened"),
    "secrets.open-to-others": Defect("ENC-5", "the secrets file can be read by other users"),
    "secrets.locked": Defect("ENC-5", "another process is using this secrets file"),
    "secrets.damaged": Defect("ENC-5", "the secrets file is damaged before its end"),
    "secrets.write-failed": Defect("ENC-5", "the secrets file could not be written; no seed was given out"),
    "secrets.repeated-seed": Defect("COMMIT-3", "the source of randomness gave the same seed twice"),
    "notes.exists": Defect("DRAW-9", "a file of this name exists and is never overwritten"),
    "notes.missing": Defect("DRAW-9", "there is no file of notes of this name"),
    "notes.not-a-file": Defect("DRAW-9", "the notes are not in a regular file"),
    "notes.inaccessible": Defect("DRAW-9", "the file of notes cannot be opened or read"),
    "notes.open-to-others": Defect("DRAW-9", "the file of notes can be read by other users"),
    "notes.damaged": Defect("DRAW-9", "a line of the notes is not one that a computer player writes"),
    "notes.other-match": Defect("DRAW-9", "the notes are of another match"),
    "notes.write-failed": Defect("DRAW-9", "the notes could not be written; the match does not depend on them"),
    "identity.exists": Defect("SIG-1", "a file of this name exists and is never overwritten"),
    "identity.missing": Defect("SIG-1", "there is no identity of this name"),
    "identity.not-a-file": Defect("SIG-1", "the identity is not a regular file"),
    "identity.inaccessible": Defect("SIG-1", "the identity cannot be opened"),
    "identity.open-to-others": Defect("SIG-1", "the identity can be read by other users"),
    "identity.not-a-key": Defect("SIG-1", "the file does not hold an Ed25519 private key"),
    "identity.wrong-passphrase": Defect("SIG-1", "the passphrase does not open the identity"),
    "identity.passphrase-not-a-file": Defect("SIG-1", "the file of the passphrase is not a regular file"),
    "identity.write-failed": Defect("SIG-1", "the identity could not be written"),
    "offer.accepted-before": Defect("ENC-4", "this offer was accepted before; once is all"),
    "offer.not-a-file": Defect("ENC-4", "the list of accepted offers is not a regular file"),
    "offer.inaccessible": Defect("ENC-4", "the list of accepted offers cannot be opened"),
    "offer.open-to-others": Defect("ENC-4", "the list of accepted offers can be read by other users"),
    "offer.damaged": Defect("ENC-4", "the list of accepted offers is damaged before its end"),
    "offer.write-failed": Defect("ENC-4", "the list of accepted offers could not be written"),
    # transcripts to be audited
    "transcript.missing": Defect("ENC-5", "there is no transcript of this name"),
    "transcript.not-a-file": Defect("ENC-5", "the transcript is not a regular file"),
    "transcript.inaccessible": Defect("ENC-5", "the transcript cannot be opened or read"),
    "evidence.not-evidence": Defect("VERDICT-7", "the file does not begin as evidence"),
    "evidence.gap": Defect("VERDICT-7", "its messages do not follow one another from the opening or a hand's start"),
    "evidence.no-fault": Defect("VERDICT-7", "its last message breaks no rule"),
    "evidence.more-behind": Defect("VERDICT-7", "something stands behind the message that breaks a rule"),
    "evidence.not-vouched": Defect("VERDICT-7", "who is accused vouches by no signature for how the hand began"),
    "evidence.missing": Defect("VERDICT-7", "there is no evidence of this name"),
    "evidence.not-a-file": Defect("VERDICT-7", "the evidence is not a regular file"),
    "evidence.exists": Defect("VERDICT-7", "a file of this name exists and is never overwritten"),
    "evidence.inaccessible": Defect("VERDICT-7", "the evidence cannot be read or written there"),
    "evidence.write-failed": Defect("VERDICT-7", "the evidence could not be written"),
    "audit.unexpected-key": Defect("SIG-1", "this key sits at no seat of the transcript"),
    # what an arena has played so far
    "arena.missing": Defect("DRAW-9", "there is no folder for the file of the deals played so far"),
    "arena.not-a-file": Defect("DRAW-9", "what should hold the deals played so far is not a regular file"),
    "arena.inaccessible": Defect("DRAW-9", "the file of the deals played so far cannot be opened"),
    "arena.locked": Defect("DRAW-9", "another process is writing this file"),
    "arena.damaged": Defect("DRAW-9", "the file does not hold what an arena has played from beginning to end"),
    "arena.other-duel": Defect("DRAW-9", "the file holds deals of another duel, and both cannot be added up"),
    "arena.write-failed": Defect("DRAW-9", "the file could not be written; nothing was added to it"),
    # a report written into a file
    "page.exists": Defect("", "something of this name exists and is not overwritten"),
    "page.not-a-file": Defect("", "what is there is not a regular file and is never replaced"),
    "page.inaccessible": Defect("", "the page cannot be written at this place"),
    "page.write-failed": Defect("", "the page could not be written; nothing of it was kept"),
    "receipts.missing": Defect("VERDICT-6", "there is no file of receipts of this name"),
    "receipts.not-a-file": Defect("VERDICT-6", "what should hold receipts is not a regular file"),
    "receipts.inaccessible": Defect("VERDICT-6", "the file of receipts cannot be opened or read"),
    "receipts.damaged": Defect("VERDICT-6", "the file does not hold receipts of witnesses from beginning to end"),
    # a hand to be redone from its seeds
    "verify.commitment-as-seed": Defect("COMMIT-2", "this is a commitment, not the seed that opens it"),
    "verify.exchanged-seeds": Defect("COMMIT-2", "this is a seed of another place than it is given for"),
    "verify.repeated-seed": Defect("COMMIT-3", "the same seed is given twice"),
    # resuming and accepting
    "resume.unexplained": Defect("ENC-5", "a message of our own is not the one our secrets make: a restored backup?"),
    "resume.over": Defect("CHAIN-3", "the match is over; nothing is left to go on with"),
    "offer.expired": Defect("ENC-4", "the offer has expired"),
    "offer.other-seats": Defect("ENC-4", "the offer does not name the host as its first seat and us as another"),
    "offer.other-witnesses": Defect("WITNESS-7", "the witnesses in the offer are not the ones we were told to go to"),
    "offer.suite-refused": Defect("ENC-4", "the offer names a suite that our own policy does not accept"),
    # connections; nothing here says anything about a seat's play
    "transport.unreachable": Defect("", "nothing answers at this address"),
    "transport.cannot-listen": Defect("", "this address cannot be listened at"),
    "transport.closed": Defect("", "the other side closed the connection"),
    "transport.too-slow": Defect("", "a message was begun and did not arrive in time"),
    "transport.too-large": Defect("ENC-6", "a message announces a length that no message has"),
    "transport.junk": Defect("ENC-3", "too many messages came that belong to nobody"),
    "transport.malformed": Defect("ENC-2", "this is not the message that opens a connection"),
    "transport.wrong-key": Defect("SIG-1", "the host's key is not the one it was to be"),
    "transport.wrong-certificate": Defect("SIG-3", "the connection is not the one the host's key signed"),
    "transport.bad-signature": Defect("SIG-2", "the signature that opens the connection does not verify"),
    "transport.stranger": Defect("ENC-4", "this key has no seat at the table"),
    "transport.other-match": Defect("ENC-4", "the other side plays another match"),
    "transport.refused": Defect("", "the other side refused the connection"),
    "transport.declined": Defect("ENC-4", "the terms were declined; nothing was signed"),
    "transport.peer-declined": Defect("ENC-4", "another seat declined the terms; there is no match"),
    "transport.no-answer": Defect("", "the other side did not go on in time; nothing is lost"),
    "transport.left": Defect("", "the game was left before its end; nothing is lost"),
    # our caller's mistakes
    "usage.wrong-state": Defect("", "this cannot be done now"),
    "usage.bad-value": Defect("", "a value is not usable"),
}


class DealerlessError(Exception):
    """The root of the tree: an error with a code from `CODES`, a clause, and what was expected and met.

    `expected` and `actual` are plain data (int, str, bytes, bool or tuples of them). `hint` says what to do.
    """

    def __init__(
        self,
        code: str,
        *,
        clause: str | None = None,
        expected: object = None,
        actual: object = None,
        hint: str = "",
    ) -> None:
        defect = CODES[code]
        super().__init__(code)
        self.code = code
        self.clause = defect.clause if clause is None else clause
        self.expected = expected
        self.actual = actual
        self.hint = hint

    def __str__(self) -> str:
        text = CODES[self.code].text
        if self.expected is not None:
            text += f"; expected {plain(self.expected)}"
        if self.actual is not None:
            text += f"; got {plain(self.actual)}"
        return f"{text} [{self.code}{', ' + self.clause if self.clause else ''}]"


class DecodeError(DealerlessError):
    """Bytes are not a canonical message."""


class Unattributed(DealerlessError):
    """A record proves nothing about anybody: no valid signature, or it does not continue this chain."""


class Violation(DealerlessError):
    """A well-formed message that is not legal here; raised by `step`, and the fault of its signer."""


class BadOpening(Violation):
    """A seed that does not open its commitment, or may not be opened."""


class InvalidProof(Violation):
    """A proof of the shuffled deck that does not hold, or a point or scalar in one that is none."""


class IllegalMove(Violation):
    """A poker action against the rules of the game."""


class BadSignature(Violation):
    """A key or signature that SIG-1 or SIG-2 refuses."""


class StorageError(DealerlessError):
    """A file of our own that cannot be used as it stands; nothing was signed and no other seat is at fault."""


class TransportError(DealerlessError):
    """A connection that cannot be made or kept; it says nothing about anybody's play."""


class UsageError(DealerlessError):
    """Our caller's mistake: a value or call that cannot be served."""


_MOST_SHOWN: Final = 128


def plain(value: object) -> str:
    """Return `value` for people and JSON: bytes as hex, tuples in brackets, text escaped, all of bounded length.

    What is longer than anything of ours was chosen by a peer, who does not say how much we print.
    """
    if isinstance(value, bytes | str) and len(value) > _MOST_SHOWN:
        return f"{plain(value[:_MOST_SHOWN])}... ({len(value)} in all)"
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple):
        return "[" + ", ".join(plain(item) for item in value) + "]"
    if isinstance(value, str):
        return value if value.isascii() and value.isprintable() else ascii(value)[1:-1]
    return str(value)
