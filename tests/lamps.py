"""The two classes of One Poker, and cards under one key, for the tests of lamps and lays."""

from dealerless.crypto import elgamal, group, schnorr
from dealerless.crypto.drawing import Drawing
from tests.deck import DRAW

NAMES = [suit + rank for rank in "23456789TJQKA" for suit in "CDHS"]
POINTS = {name: elgamal.card_point("onepoker", name) for name in NAMES}
DOWN = tuple([POINTS[name] for name in NAMES if name[1] in "234567"])
UP = tuple([POINTS[name] for name in NAMES if name[1] in "89TJQKA"])
SECRET = schnorr.DeckSecret(DRAW.randbytes, "lamps")
KEY = SECRET.public


def cover(*points: bytes) -> elgamal.Deck:
    """The points as cards that lie under the key alone."""
    start = [(group.BASE, group.add(point, KEY)) for point in points]
    return elgamal.re_encrypt(start, Drawing(DRAW.randbytes).scalars(len(points)), KEY)


def opened(card: elgamal.Ciphertext) -> bytes:
    """The point of a card under the key."""
    return group.subtract(card[1], group.multiply(SECRET.scalar, card[0]))
