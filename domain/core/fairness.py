"""Implements the shuffle scheme `ct1`, which is committed to in advance and recomputable by anyone (rules 1.6)."""

import hmac
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from struct import unpack
from typing import Any, TypeVar

from domain.core.choices import Ask, Drawing, Shuffle
from domain.core.values import value

T = TypeVar("T")

SCHEME = "ct1"

_HEX_OF_32_BYTES = re.compile("[0-9a-f]{64}")


@lru_cache(maxsize=32)
def chain(root: bytes, links: int) -> tuple[bytes, ...]:
    """Return s[0] … s[links] of the chain that ends in `root`; s[0] is the commitment."""
    s = [root]
    for _ in range(links):
        s.append(sha256(s[-1]).digest())
    return tuple(reversed(s))


def seed(root: bytes, links: int, link: int) -> bytes:
    """Return s[link] of the chain that ends in `root` at s[links]."""
    return chain(root, links)[link]


def is_hex_of_32_bytes(text: str) -> bool:
    """Return whether a text is 32 bytes in the usual form: 64 lower-case hexadecimal digits."""
    return _HEX_OF_32_BYTES.fullmatch(text) is not None


def is_link(found: str, link: int, commitment: str) -> bool:
    """Return whether a seed, in hex, hashes down to the commitment in `link` steps."""
    if not is_hex_of_32_bytes(found):
        return False
    s = bytes.fromhex(found)
    for _ in range(link):
        s = sha256(s).digest()
    return s.hex() == commitment


@value
class DrawContext:
    """The inputs of one random result, in addition to the seed."""

    match: str
    epoch: int
    link: int
    purpose: str
    n: int
    nonces: tuple[str, ...]

    def text(self) -> str:
        nonces = ",".join(self.nonces)
        return f"{SCHEME}|{self.match}|{self.epoch}|{self.link}|{self.purpose}|{self.n}|{nonces}"


NONCE = re.compile(r"[0-9a-f]{16,64}")
"""A nonce is 16 to 64 lower-case hex digits (rules 1.6)."""

GUESSABLE = "This nonce can be guessed. Draw one at random, with `openssl rand -hex 16`."
COPIED = "This nonce was used before. Draw a new one at random, with `openssl rand -hex 16`."
"""The reasons for refusing a nonce that would add no randomness."""

FEWEST_DIGITS = 5
"""A nonce has at least this many different hex digits; 16 random ones have fewer once in two million times."""


def nonce_hash(nonce: str) -> str:
    """Return the hash by which a seat commits to a nonce: the SHA-256 of its text, in hex."""
    return sha256(nonce.encode()).hexdigest()


def is_guessable(nonce: str) -> bool:
    """Return whether a nonce is guessable: few different digits, repetition, or counting by digits, bytes or words."""
    is_plain = len(set(nonce)) < FEWEST_DIGITS or nonce in (nonce + nonce)[1:-1]
    return is_plain or _has_one_step(nonce, 1, 2) or _has_one_step(nonce, 2) or _has_one_step(nonce, 4)


def _has_one_step(nonce: str, width: int, distance: int = 1) -> bool:
    """Return whether every group of `width` hex digits differs from the one `distance` before by the same number."""
    groups = [int(nonce[i : i + width], 16) for i in range(0, len(nonce) - width + 1, width)]
    return len({(later - group) % 16**width for group, later in zip(groups, groups[distance:], strict=False)}) == 1


def key(seed: bytes, context: DrawContext) -> bytes:
    """Return the key of one random result."""
    return hmac.digest(seed, context.text().encode("ascii"), "sha256")


def words(key: bytes) -> Iterator[int]:
    """Yield the endless stream of 32-bit words of a key."""
    block = 0
    while True:
        yield from unpack(">8I", hmac.digest(key, block.to_bytes(4, "big"), "sha256"))
        block += 1


def draw_below(stream: Iterator[int], bound: int) -> int:
    """Draw an unbiased number from 0 to bound − 1; `bound` is 1 … 2³²."""
    limit = 2**32 - 2**32 % bound
    word = next(stream)
    while word >= limit:
        word = next(stream)
    return word % bound


def shuffle_items(stream: Iterator[int], items: Sequence[T]) -> tuple[T, ...]:
    """Shuffle the items; the first of the result is the top."""
    deck = list(items)
    for i in range(len(deck) - 1, 0, -1):
        j = draw_below(stream, i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return tuple(deck)


def draw_answer(ask: Ask, seed: bytes, context: DrawContext) -> Any:
    """Return chance's answer to a game's question, from the seed of its link, as a move of chance."""
    stream = words(key(seed, context))
    if isinstance(ask, Shuffle):
        return ask.make(shuffle_items(stream, ask.items))
    if isinstance(ask, Drawing):
        return ask.make(ask.draw(stream))
    return ask.make(draw_below(stream, ask.bound))


@value
class KnownDeals:
    """The deals of another match that the first epoch of a match repeats.

    `link` is that of the first hand there, and `links` the number of known hands from it on.
    """

    match: str
    """The id of the match, or of the group of tables that it belongs to."""
    epoch: int
    """The epoch of the first hand, from 1."""
    link: int
    """The number of the first hand in its epoch, from 1."""
    links: int
    """The number of known hands, from this one on."""
    nonces: tuple[str, ...]
    """The nonces that the hands were dealt with, seat by seat."""


def draw_context_of(
    match: str, known: KnownDeals | None, ask: Ask, epoch: int, link: int, nonces: tuple[str, ...]
) -> DrawContext:
    """Return the context of chance's answers in a match or duplicate group with this id."""
    if known is not None and epoch == 1:
        return DrawContext(known.match, known.epoch, known.link - 1 + link, ask.purpose, ask.n, known.nonces)
    return DrawContext(match, epoch, link, ask.purpose, ask.n, nonces)


def next_root(root: bytes) -> bytes:
    """Return the next root at a table of a duplicate group or of a tournament.

    It cannot be predicted: a group discloses nothing before its last hand was played, and no tournament table plays a
    hand with the last link, which is the root.
    """
    return hmac.digest(root, b"next epoch", "sha256")


@value
class Dealer:
    """Holds the secrets of one match, and draws random results from them.

    `roots` has a root for every epoch begun and one more, so that a match that runs out of links can begin the next
    epoch. Epochs count from 1. `match` is the id in the random results: that of the match, or of its duplicate group.
    `known` are the deals of another match that it repeats.
    """

    match: str
    roots: tuple[bytes, ...]
    seal_secret: bytes
    known: KnownDeals | None = None

    def commitment(self, epoch: int, links: int) -> str:
        return self.seed(epoch, links, 0)

    def seed(self, epoch: int, links: int, link: int) -> str:
        """Return a link of the chain in hex."""
        return seed(self.roots[epoch - 1], links, link).hex()

    def answer(self, ask: Ask, epoch: int, links: int, link: int, nonces: tuple[str, ...]) -> Any:
        """Return chance's answer to a game's question, as a move of chance."""
        context = draw_context_of(self.match, self.known, ask, epoch, link, nonces)
        return draw_answer(ask, seed(self.roots[epoch - 1], links, link), context)

    def bot_seed(self, version: int) -> bytes:
        """Return the secret seed of a bot's random draws for its move after this version."""
        return hmac.digest(self.seal_secret, f"bot|{version}".encode("ascii"), "sha256")

    def hand_key(self, hand_no: int) -> bytes:
        """Return the key for all seals of one hand; hand 0 is for data outside hands (contract 6)."""
        return hmac.digest(self.seal_secret, f"hand|{hand_no}".encode("ascii"), "sha256")
