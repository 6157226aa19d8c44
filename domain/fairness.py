"""The shuffle scheme `ct1`: committed in advance, recomputable by anyone (RULES 1.6)."""

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256
from struct import unpack
from typing import Any, TypeVar

from domain.choices import Ask, Shuffle
from domain.values import value

T = TypeVar("T")

SCHEME = "ct1"


def seed(root: bytes, links: int, link: int) -> bytes:
    """Give s[link] of the chain that ends in `root` at s[links]; link 0 is the commitment."""
    s = root
    for _ in range(links - link):
        s = sha256(s).digest()
    return s


@value
class Context:
    """What one random result is bound to, beside the seed."""

    match: str
    epoch: int
    link: int
    purpose: str
    n: int
    nonces: tuple[str, ...]

    def text(self) -> str:
        nonces = ",".join(self.nonces)
        return f"{SCHEME}|{self.match}|{self.epoch}|{self.link}|{self.purpose}|{self.n}|{nonces}"


def key(seed: bytes, context: Context) -> bytes:
    """Give the key of one random result."""
    return hmac.digest(seed, context.text().encode("ascii"), "sha256")


def words(key: bytes) -> Iterator[int]:
    """Give the endless stream of 32-bit words of a key."""
    block = 0
    while True:
        yield from unpack(">8I", hmac.digest(key, block.to_bytes(4, "big"), "sha256"))
        block += 1


def below(stream: Iterator[int], bound: int) -> int:
    """Draw an unbiased number from 0 to bound − 1; `bound` is 1 … 2³²."""
    limit = 2**32 - 2**32 % bound
    word = next(stream)
    while word >= limit:
        word = next(stream)
    return word % bound


def shuffled(stream: Iterator[int], items: Sequence[T]) -> tuple[T, ...]:
    """Shuffle the items; the first of the result is the top."""
    deck = list(items)
    for i in range(len(deck) - 1, 0, -1):
        j = below(stream, i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return tuple(deck)


@value
class Dealer:
    """The secrets of one match, and what may be drawn from them.

    `roots` holds a root for every epoch begun and one more, so that a match that runs out of links can
    begin the next epoch. Epochs count from 1.
    """

    match: str
    roots: tuple[bytes, ...]
    seal_secret: bytes

    def commitment(self, epoch: int, links: int) -> str:
        return self.seed(epoch, links, 0)

    def seed(self, epoch: int, links: int, link: int) -> str:
        """Give a link of the chain, hex."""
        return seed(self.roots[epoch - 1], links, link).hex()

    def answer(self, ask: Ask, epoch: int, links: int, link: int, nonces: tuple[str, ...]) -> Any:
        """Give chance's answer to what a game asked: a move of chance."""
        context = Context(self.match, epoch, link, ask.purpose, ask.n, nonces)
        stream = words(key(seed(self.roots[epoch - 1], links, link), context))
        if isinstance(ask, Shuffle):
            return ask.make(shuffled(stream, ask.items))
        return ask.make(below(stream, ask.bound))

    def hand_key(self, hand_no: int) -> bytes:
        """Give the key that all seals of one hand follow from; hand 0 is what belongs to no hand (CONTRACT 6)."""
        return hmac.digest(self.seal_secret, f"hand|{hand_no}".encode("ascii"), "sha256")
